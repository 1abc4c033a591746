// verify.c - the table of benchmarks, and how a row is run.
#include "verify/verify.h"

#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const verify_benchmark *const table[] = {
    &verify_pendulum,     &verify_governor,     &verify_double_pendulum, &verify_n_pendulum,
    &verify_top_steady,   &verify_top_nutation, &verify_free_body,       &verify_racket,
    &verify_medusa_print, &verify_slider_crank, &verify_four_bar,        &verify_windows,
    &verify_andrews,      &verify_andrews_pins, &verify_bricard,         &verify_governor_loops,
    &verify_car_axis,     &verify_iltis,
};
enum { BENCHMARK_COUNT = sizeof table / sizeof table[0] };

const mc_verify_benchmark *mc_verify_at(int i)
{
    return i >= 0 && i < BENCHMARK_COUNT ? &table[i]->text : NULL;
}

int mc_verify_find(const char *name, mc_error *error)
{
    const char *known[BENCHMARK_COUNT];
    for (int i = 0; i < BENCHMARK_COUNT; i++) {
        known[i] = table[i]->text.name;
        if (strcmp(name, known[i]) == 0)
            return i;
    }
    const char *near = text_nearest(name, known, BENCHMARK_COUNT);
    mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "unknown benchmark \"%s\"%s%s", name,
                 near ? ", did you mean " : "", near ? near : "");
    return -1;
}

// ---- numbers -----------------------------------------------------------------------------------

enum { DIGITS_MAX = 16 };

struct verify_sink {
    const verify_benchmark *benchmark;
    mc_verify_report *report;
    void *context;
    mc_verify_summary *summary;
};

double mc_verify_digits(double value, double reference)
{
    const double error = reference == 0.0 ? fabs(value) : fabs(value - reference) / fabs(reference);
    if (!(error < 1.0)) // nor when it is not a number
        return 0.0;
    return fmin(-log10(error), DIGITS_MAX); // of 0: infinite, hence the most
}

static void note(verify_sink *sink, const mc_verify_result *result)
{
    sink->summary->checks++;
    sink->summary->failed += !result->pass;
    if (sink->report)
        sink->report(sink->context, result);
}

static mc_verify_result compare(const verify_sink *sink, double value, double reference,
                                double digits, const char *quantity)
{
    const double found = mc_verify_digits(value, reference);
    return (mc_verify_result){.benchmark = sink->benchmark->text.name,
                              .quantity = quantity,
                              .value = value,
                              .reference = reference,
                              .digits = found,
                              .required = digits,
                              .pass = found >= digits};
}

void verify_note(verify_sink *sink, double value, double reference, double digits,
                 const char *quantity, ...)
{
    char text[96];
    va_list arguments;
    va_start(arguments, quantity);
    vsnprintf(text, sizeof text, quantity, arguments);
    va_end(arguments);
    const mc_verify_result result = compare(sink, value, reference, digits, text);
    note(sink, &result);
}

void verify_note_print(verify_sink *sink, double value, const char *printed, const char *quantity,
                       ...)
{
    char text[96], ours[32];
    va_list arguments;
    va_start(arguments, quantity);
    vsnprintf(text, sizeof text, quantity, arguments);
    va_end(arguments);
    double reference = NAN;
    text_to_double(printed, &reference);
    snprintf(ours, sizeof ours, "%.6e", value);
    mc_verify_result result = compare(sink, value, reference, 7.0, text);
    result.pass = strcmp(ours, printed) == 0;
    note(sink, &result);
}

// ---- a row -------------------------------------------------------------------------------------

// Twice the time between two zeros, which are half a period apart.
static mc_status find_period(verify_motion *motion, const char *quantity, double *period,
                             mc_error *error)
{
    const double step = 0.01, limit = 100.0;
    mc_status status = verify_motion_zero(motion, quantity, step, limit, error);
    const double first = motion->time;
    if (status == MC_OK)
        status = verify_motion_zero(motion, quantity, step, limit, error);
    *period = 2.0 * (motion->time - first);
    return status;
}

static mc_status check_one(verify_sink *sink, verify_motion *motion, const verify_check *check,
                           mc_error *error)
{
    double value = NAN;
    const bool period = check->time == VERIFY_PERIOD;
    mc_status status = period ? find_period(motion, check->quantity, &value, error)
                              : verify_motion_to(motion, check->time, error);
    if (status == MC_OK && !period)
        status = verify_motion_get(motion, check->quantity, &value, error);
    if (status != MC_OK)
        return status;
    if (period)
        verify_note(sink, value, check->reference, check->digits, "period of %s", check->quantity);
    else
        verify_note(sink, value, check->reference, check->digits, "%s at %g s", check->quantity,
                    check->time);
    return MC_OK;
}

// The checks of the row; after a period the run begins again, since it is past the first times.
static mc_status run_checks(verify_sink *sink, mc_error *error)
{
    const verify_benchmark *b = sink->benchmark;
    mc_status status = MC_OK;
    for (int i = 0, end; i < b->check_count && status == MC_OK; i = end) {
        const bool period = b->check[i].time == VERIFY_PERIOD;
        end = period ? i + 1 : b->check_count;
        verify_motion motion;
        status =
            verify_motion_open(&motion, b->model, b->text.name, b->method, b->tolerance, error);
        if (status != MC_OK)
            return status;
        for (int k = i; k < end && status == MC_OK; k++)
            status = check_one(sink, &motion, &b->check[k], error);
        if (status == MC_OK && !period)
            if (b->drift_digits > 0.0)
                verify_motion_note_drift(sink, &motion, b->drift_digits, "energy drift");
        verify_motion_close(&motion);
    }
    return status;
}

void verify_motion_note_drift(verify_sink *sink, const verify_motion *motion, double digits,
                              const char *quantity)
{
    const double drift =
        motion->max_energy > 0.0 ? motion->energy_change / motion->max_energy : NAN;
    sink->summary->drift = fmax(sink->summary->drift, drift); // fmax passes over NAN
    verify_note(sink, drift, 0.0, digits, "%s", quantity);
}

static double clock_now(void) // s
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

mc_status verify_run(const verify_benchmark *benchmark, mc_verify_report *report, void *context,
                     mc_verify_summary *summary, mc_error *error)
{
    *summary = (mc_verify_summary){.drift = NAN};
    verify_sink sink = {benchmark, report, context, summary};
    mc_error own;
    if (!error)
        error = &own;
    const double start = clock_now();
    const mc_status status =
        benchmark->run ? benchmark->run(&sink, error) : run_checks(&sink, error);
    summary->seconds = clock_now() - start;
    return status;
}

mc_status mc_verify_run(int i, mc_verify_report *report, void *context, mc_verify_summary *summary,
                        mc_error *error)
{
    if (i < 0 || i >= BENCHMARK_COUNT) {
        *summary = (mc_verify_summary){.drift = NAN};
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "unknown benchmark number %d, expected 0 .. %d", i,
                            BENCHMARK_COUNT - 1);
    }
    return verify_run(table[i], report, context, summary, error);
}
