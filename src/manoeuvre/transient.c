// transient.c - steering inputs over time at constant speed: step, sine with dwell, fishhook.
//
// Amplitudes are given by the lateral acceleration they would have as a steady input in the linear
// range; a first drive with a small angle finds the gain.
#include "manoeuvre/manoeuvre.h"

#include <math.h>
#include <stdio.h>

static const double BEGIN = 1.0; // s, of the input

static mc_status drive(manoeuvre_bench *b, double speed, double end, const char *formula,
                       mc_error *error)
{
    char steering[900], hold[120];
    snprintf(steering, sizeof steering, "{law: {steer: \"%s\"}}", formula);
    manoeuvre_hold(speed, hold);
    const manoeuvre_drive d = {
        .speed = speed, .end = end, .steering = steering, .acceleration = hold};
    return manoeuvre_drive_on(b, &d, error);
}

// A ramp from 0 at BEGIN to `angle` at `rate`, then held.
static void ramp(double angle, double rate, char *out, size_t size)
{
    snprintf(out, size, "table(t; %.17g, 0; %.17g, %.17g)", BEGIN, BEGIN + fabs(angle) / rate,
             angle);
}

// Steady lateral acceleration per steering angle, m/s^2/rad, at a small angle.
static mc_status find_gain(manoeuvre_bench *b, double speed, double *gain, mc_error *error)
{
    char formula[200];
    static const double angle = 1e-3;
    ramp(angle, 0.5, formula, sizeof formula);
    const mc_status status = drive(b, speed, 12.0, formula, error);
    if (status != MC_OK)
        return status;
    const mc_manoeuvre_row *last = &b->rows[b->row_count - 1];
    *gain = manoeuvre_speed(last) * last->yaw_rate / angle;
    if (!(*gain > 0.0))
        return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                            "the vehicle does not turn to the side it is steered to at %g m/s",
                            speed);
    return MC_OK;
}

// A steering input over time. All have the speed as their first parameter.
enum { SPEED };

typedef struct input {
    double (*aim)(const double *p); // m/s^2, steady lateral acceleration that the amplitude has
    // The formula of an amplitude, rad; returns the end of the drive, s.
    double (*write)(const double *p, double angle, char *out, size_t size);
    void (*read)(manoeuvre_bench *b, double angle); // the figures
} input;

static mc_status measure(manoeuvre_bench *b, const input *in, mc_error *error)
{
    char formula[600];
    double gain;
    mc_status status = find_gain(b, b->p[SPEED], &gain, error);
    if (status != MC_OK)
        return status;
    const double angle = in->aim(b->p) / gain;
    const double end = in->write(b->p, angle, formula, sizeof formula);
    status = drive(b, b->p[SPEED], end, formula, error);
    if (status == MC_OK)
        in->read(b, angle);
    return status;
}

// Time at which a curve first reaches `value`, between rows by a straight line; NAN: never.
static double reaches(const manoeuvre_bench *b, double (*of)(const mc_manoeuvre_row *row),
                      double value)
{
    for (int k = 1; k < b->row_count; k++) {
        const double low = of(&b->rows[k - 1]), high = of(&b->rows[k]);
        if (low < value && high >= value)
            return b->rows[k - 1].t +
                   (value - low) / (high - low) * (b->rows[k].t - b->rows[k - 1].t);
    }
    return NAN;
}

static double yaw_rate_of(const mc_manoeuvre_row *row)
{
    return row->yaw_rate;
}

static double a_y_of(const mc_manoeuvre_row *row)
{
    return row->a_y;
}

// ---- step ----

enum { STEP_A_Y = SPEED + 1, STEP_RATE, STEP_END, STEP_PARAMS };

static const mc_param step_params[STEP_PARAMS] = {
    [SPEED] = {"speed", "m/s", 22.222222222222221, 2.0, 80.0, "held"},
    [STEP_A_Y] = {"a_y", "m/s^2", 4.0, 1e-4, 12.0, "steady lateral acceleration aimed at"},
    [STEP_RATE] = {"rate", "rad/s", 0.5, 0.01, 10.0, "of the steered wheels during the step"},
    [STEP_END] = {"end", "s", 12.0, 5.0, 100.0, "of the drive; its end is measured as steady"},
};

static const mc_manoeuvre_figure step_figures[] = {
    {"steer", "rad", "steering angle"},
    {"a_y", "m/s^2", "steady lateral acceleration"},
    {"yaw_gain", "1/s", "steady yaw rate per steering angle"},
    {"a_y_gain", "m/(s^2 rad)", "steady lateral acceleration per steering angle"},
    {"side_slip_gain", "-", "steady side slip per steering angle"},
    {"yaw_response_time", "s", "from half the steering angle to 90 % of the steady yaw rate"},
    {"a_y_response_time", "s", "the same for the lateral acceleration"},
    {"yaw_peak_time", "s", "from half the steering angle to the largest yaw rate"},
    {"yaw_overshoot", "-", "largest over steady yaw rate, less 1"},
    {"a_y_overshoot", "-", "largest over steady lateral acceleration, less 1"},
};

static double step_aim(const double *p)
{
    return p[STEP_A_Y];
}

static double step_write(const double *p, double angle, char *out, size_t size)
{
    ramp(angle, p[STEP_RATE], out, size);
    return p[STEP_END];
}

static void step_read(manoeuvre_bench *b, double angle)
{
    const double half = BEGIN + 0.5 * angle / b->p[STEP_RATE];
    const mc_manoeuvre_row *last = &b->rows[b->row_count - 1];
    double yaw = 0.0, a_y = 0.0, peak = 0.0;
    for (int k = 0; k < b->row_count; k++) {
        if (b->rows[k].yaw_rate > yaw)
            yaw = b->rows[k].yaw_rate, peak = b->rows[k].t;
        a_y = fmax(a_y, b->rows[k].a_y);
    }
    double *f = b->figure;
    f[0] = angle;
    f[1] = manoeuvre_speed(last) * last->yaw_rate;
    f[2] = last->yaw_rate / angle;
    f[3] = f[1] / angle;
    f[4] = atan2(last->v_y, last->v) / angle;
    f[5] = reaches(b, yaw_rate_of, 0.9 * last->yaw_rate) - half;
    f[6] = reaches(b, a_y_of, 0.9 * f[1]) - half;
    f[7] = peak - half;
    f[8] = yaw / last->yaw_rate - 1.0;
    f[9] = a_y / f[1] - 1.0;
}

static mc_status measure_step(manoeuvre_bench *b, mc_error *error)
{
    return measure(b, &(input){step_aim, step_write, step_read}, error);
}

const manoeuvre_kind manoeuvre_iso7401 = {
    .is = {.name = "iso7401",
           .doc = "step of the steering: gains, response times, overshoot",
           .source = "ISO 7401, step input; speed, lateral acceleration and rate are defaults",
           .params = step_params,
           .param_count = STEP_PARAMS,
           .figures = step_figures,
           .figure_count = MANOEUVRE_COUNT_OF(step_figures)},
    .measure = measure_step,
};

// ---- sine with dwell ----

enum { DWELL_FREQUENCY = SPEED + 1, DWELL_TIME, DWELL_REFERENCE, DWELL_FACTOR, DWELL_PARAMS };

static const mc_param dwell_params[DWELL_PARAMS] = {
    [SPEED] = {"speed", "m/s", 22.222222222222221, 2.0, 80.0, "held"},
    [DWELL_FREQUENCY] = {"frequency", "Hz", 0.7, 0.05, 5.0, "of the sine"},
    [DWELL_TIME] = {"dwell", "s", 0.5, 0.0, 5.0, "hold at the second peak"},
    [DWELL_REFERENCE] = {"reference", "m/s^2", 2.942, 0.01, 10.0,
                         "steady lateral acceleration that the reference angle would have"},
    [DWELL_FACTOR] = {"factor", "-", 5.0, 0.1, 20.0, "amplitude over the reference angle"},
};

static const mc_manoeuvre_figure dwell_figures[] = {
    {"steer", "rad", "amplitude"},
    {"largest.yaw_rate", "rad/s", "largest yaw rate between reversal and end of steering"},
    {"yaw_ratio_1.00", "-", "yaw rate 1 s after the end of steering over that"},
    {"yaw_ratio_1.75", "-", "the same 1.75 s after the end of steering"},
    {"displacement", "m", "to the side, 1.07 s after the start of steering"},
    {"largest.side_slip", "rad", "largest side slip"},
    {"largest.a_y", "m/s^2", "largest lateral acceleration"},
};

static double dwell_aim(const double *p)
{
    return p[DWELL_FACTOR] * p[DWELL_REFERENCE];
}

static double dwell_end(const double *p) // s, of steering
{
    const double T = 1.0 / p[DWELL_FREQUENCY];
    return BEGIN + 0.75 * T + p[DWELL_TIME] + 0.25 * T;
}

static double dwell_write(const double *p, double A, char *out, size_t size)
{
    const double T = 1.0 / p[DWELL_FREQUENCY], hold = BEGIN + 0.75 * T, back = hold + p[DWELL_TIME];
    snprintf(out, size,
             "if(t < %.17g, 0, if(t < %.17g, %.17g*sin(%.17g*(t/1 [s] - %.17g)), if(t < %.17g, "
             "-%.17g, if(t < %.17g, %.17g*sin(%.17g*(t/1 [s] - %.17g)), 0))))",
             BEGIN, hold, A, 2.0 * M_PI / T, BEGIN, back, A, dwell_end(p), A, 2.0 * M_PI / T,
             BEGIN + p[DWELL_TIME]);
    return dwell_end(p) + 3.0;
}

static void dwell_read(manoeuvre_bench *b, double A)
{
    const mc_manoeuvre_row *rows = b->rows;
    const double T = 1.0 / b->p[DWELL_FREQUENCY], end = dwell_end(b->p);
    double *f = b->figure, peak = 0.0;
    for (int k = (int)((BEGIN + 0.5 * T) * 100.0); k < (int)lround(end * 100.0); k++)
        peak = fmax(peak, fabs(rows[k].yaw_rate));
    f[0] = A;
    f[1] = peak;
    f[2] = -rows[(int)lround((end + 1.0) * 100.0)].yaw_rate / peak;
    f[3] = -rows[(int)lround((end + 1.75) * 100.0)].yaw_rate / peak;
    f[4] = rows[(int)lround((BEGIN + 1.07) * 100.0)].y;
    f[5] = manoeuvre_largest_slip(b, 0, 1.0);
    f[6] = manoeuvre_largest_a_y(b, 0);
}

static mc_status measure_dwell(manoeuvre_bench *b, mc_error *error)
{
    return measure(b, &(input){dwell_aim, dwell_write, dwell_read}, error);
}

const manoeuvre_kind manoeuvre_sine_with_dwell = {
    .is = {.name = "sine_with_dwell",
           .doc = "one period of a sine, held at its second peak: does the car stop turning?",
           .source = "after FMVSS 126, which was not read: all numbers are defaults; the speed is "
                     "held",
           .params = dwell_params,
           .param_count = DWELL_PARAMS,
           .figures = dwell_figures,
           .figure_count = MANOEUVRE_COUNT_OF(dwell_figures)},
    .measure = measure_dwell,
};

// ---- fishhook ----

enum { HOOK_REFERENCE = SPEED + 1, HOOK_FACTOR, HOOK_RATE, HOOK_DWELL, HOOK_HOLD, HOOK_PARAMS };

static const mc_param hook_params[HOOK_PARAMS] = {
    [SPEED] = {"speed", "m/s", 22.222222222222221, 2.0, 80.0, "held"},
    [HOOK_REFERENCE] = {"reference", "m/s^2", 2.942, 0.01, 10.0,
                        "steady lateral acceleration that the reference angle would have"},
    [HOOK_FACTOR] = {"factor", "-", 6.5, 0.1, 20.0, "amplitude over the reference angle"},
    [HOOK_RATE] = {"rate", "rad/s", 0.8, 0.05, 10.0, "of the steered wheels"},
    [HOOK_DWELL] = {"dwell", "s", 0.25, 0.0, 5.0, "hold before the steering reverses"},
    [HOOK_HOLD] = {"hold", "s", 3.0, 0.5, 20.0, "hold afterwards"},
};

static const mc_manoeuvre_figure hook_figures[] = {
    {"steer", "rad", "amplitude"},
    {"largest.a_y", "m/s^2", "largest lateral acceleration"},
    {"largest.yaw_rate", "rad/s", "largest size of the yaw rate"},
    {"largest.side_slip", "rad", "largest side slip"},
    {"yaw_rate_end", "rad/s", "yaw rate at the end of the hold"},
    {"speed_end", "m/s", "speed at the end of the hold"},
};

static double hook_aim(const double *p)
{
    return p[HOOK_FACTOR] * p[HOOK_REFERENCE];
}

static double hook_write(const double *p, double A, char *out, size_t size)
{
    const double up = A / p[HOOK_RATE];
    const double back = BEGIN + up + p[HOOK_DWELL], there = back + 2.0 * up;
    snprintf(out, size, "table(t; %.17g, 0; %.17g, %.17g; %.17g, %.17g; %.17g, %.17g)", BEGIN,
             BEGIN + up, A, fmax(back, BEGIN + up + 1e-6), A, there, -A);
    return there + p[HOOK_HOLD];
}

static void hook_read(manoeuvre_bench *b, double A)
{
    const mc_manoeuvre_row *last = &b->rows[b->row_count - 1];
    double *f = b->figure;
    f[0] = A;
    f[1] = manoeuvre_largest_a_y(b, 0);
    f[2] = 0.0;
    for (int k = 0; k < b->row_count; k++)
        f[2] = fmax(f[2], fabs(b->rows[k].yaw_rate));
    f[3] = manoeuvre_largest_slip(b, 0, 1.0);
    f[4] = last->yaw_rate;
    f[5] = manoeuvre_speed(last);
}

static mc_status measure_hook(manoeuvre_bench *b, mc_error *error)
{
    return measure(b, &(input){hook_aim, hook_write, hook_read}, error);
}

const manoeuvre_kind manoeuvre_fishhook = {
    .is = {.name = "fishhook",
           .doc = "steering to one side, then hard to the other, and held",
           .source = "after NHTSA's rollover test, which was not read: all numbers are defaults; "
                     "reverses after a fixed dwell; the speed is held",
           .params = hook_params,
           .param_count = HOOK_PARAMS,
           .figures = hook_figures,
           .figure_count = MANOEUVRE_COUNT_OF(hook_figures)},
    .measure = measure_hook,
};
