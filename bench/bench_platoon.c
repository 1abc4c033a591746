// bench_platoon.c - platoons: vehicle-steps per second of processor time, compared with SUMO.
//
// SUMO drives on one long edge with one lane, where it is fastest (sumo.h). Ours has powertrains,
// sensing, control laws and contact on. Both take steps of 0.01 s on one core; start-up is excluded
// from both.
//
// Other work on the machine only adds time, so the best of several alternating rounds is taken.
#include "measure.h"
#include "sumo.h"

#include "motorcade/run.h"
#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const double STEP = 0.01, SPACING = 45.0, SPEED = 25.0; // s, m (mass centres), m/s

static char folder[] = "/tmp/motorcade_bench_XXXXXX";

static void fail(const char *what, const char *text)
{
    fprintf(stderr, "bench_platoon: %s: %s\n", what, text);
    exit(1);
}

static FILE *create(char path[256], const char *name)
{
    snprintf(path, 256, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!file)
        fail("cannot write", path);
    return file;
}

static void finish(FILE *file, const char *path)
{
    if (fclose(file) != 0)
        fail("cannot write", path);
}

// ---- ours ----

typedef struct ours {
    int count, steps;
    mc_scenario *scenario;
    mc_run *run;
    double best; // CPU s
} ours;

static void drive(mc_run *run, long long steps)
{
    mc_error error;
    for (long long k = 0; k < steps; k++)
        if (mc_run_step(run, &error) != MC_OK)
            fail("run", error.text);
}

// A platoon behind a leader that is never steady; driven until the laws are compiled and the start
// is forgotten.
static void start_ours(ours *o, const char *name, int count, int steps)
{
    char path[256];
    mc_error error;
    FILE *file = create(path, "scenario.yaml");
    fprintf(file,
            "motorcade: scenario\n"
            "time: {end: 1e6, step: %g}\n"
            "road: {headway: 1.2, distance: 3, speed: 29}\n"
            "profiles: {wave: {formula: \"%g + 2*sin(0.2*t)\"}}\n"
            "models: {car: {kind: powertrain, powertrain: converter}}\n"
            "controllers: {follow: {law: %s}}\n"
            "platoons:\n"
            "  - leader: {model: car, profile: wave}\n"
            "    cars: [{model: car, count: %d, controller: follow}]\n",
            STEP, SPEED, name, count - 1);
    finish(file, path);
    *o = (ours){.count = count, .steps = steps, .best = HUGE_VAL};
    o->scenario = mc_scenario_load(path, &error);
    if (o->scenario)
        o->run = mc_run_create(o->scenario, &(mc_run_options){.threads = 1}, &error);
    if (!o->run)
        fail(path, error.text);
    for (int k = 0; k < o->run->law_count; k++) {
        const expr_kernel *kernel = law_kernel(o->run->laws[k].law);
        while (expr_kernel_state_of(kernel) == EXPR_KERNEL_COMPILING) {
            drive(o->run, 1);
            usleep(10000);
        }
        if (expr_kernel_state_of(kernel) != EXPR_KERNEL_COMPILED)
            fprintf(stderr, "bench_platoon: the law %s is interpreted: %s\n", name,
                    expr_kernel_message(kernel));
    }
    drive(o->run, 500);
}

static void measure_ours(ours *o)
{
    const double start = measure_cpu();
    drive(o->run, o->steps);
    o->best = fmin(o->best, measure_cpu() - start);
}

// Every car still follows and no car was hit: what was measured was a platoon.
static double end_ours(ours *o)
{
    int hits;
    mc_run_impacts(o->run, &hits);
    for (int v = 1; v < o->count; v++) {
        mc_run_view view;
        mc_run_look(o->run, v, &view);
        if (hits > 0 || view.front != v - 1 || !(view.gap > 1.0 && view.motion.v > 10.0))
            fail("the platoon fell apart at", mc_run_vehicle_name(o->run, v));
    }
    mc_run_destroy(o->run);
    mc_scenario_free(o->scenario);
    return (double)o->count * o->steps / o->best;
}

// ---- SUMO ----

// The first keeps others below the speed limit.
static double desired(int k)
{
    return k == 0 ? SPEED : 55.55; // its own default, above the limit
}

static double start_speed(int k)
{
    (void)k;
    return SPEED;
}

static bool start_sumo(sumo *s, const char *model, int count, int steps)
{
    *s = (sumo){.model = model,
                .folder = folder,
                .count = count,
                .lanes = 1,
                .step = STEP,
                .spacing = SPACING,
                .limit = 29.0,
                .short_steps = 20,
                .long_steps = 20 + steps,
                .desired = desired,
                .start = start_speed};
    return sumo_start(s);
}

// ---- rows ----

enum { LAWS = 2, MODELS = 3 };
static const char *const laws[LAWS] = {"idm", "acc"};
static const char *const models[MODELS] = {"Krauss", "IDM", "ACC"};
static const char *const peers[MODELS] = {"sumo_krauss", "sumo_idm", "sumo_acc"};
static const char *const unit = "vehicle-steps a CPU s";

static void bench_count(int count, int rounds)
{
    ours our[LAWS];
    sumo their[MODELS];
    double speed[LAWS], their_speed[MODELS] = {0}, best = 0.0;
    for (int k = 0; k < LAWS; k++)
        start_ours(&our[k], laws[k], count, 10000000 / count);
    bool have = true;
    for (int k = 0; k < MODELS && have; k++)
        have = start_sumo(&their[k], models[k], count, 2000000 / count);
    for (int round = 0; round < rounds; round++) {
        for (int k = 0; k < LAWS; k++)
            measure_ours(&our[k]);
        for (int k = 0; k < MODELS && have; k++)
            sumo_measure(&their[k]);
    }
    for (int k = 0; k < LAWS; k++)
        speed[k] = end_ours(&our[k]);
    for (int k = 0; k < MODELS && have; k++) {
        their_speed[k] = sumo_end(&their[k]);
        best = fmax(best, their_speed[k]);
    }
    char name[64];
    snprintf(name, sizeof name, "platoon_%d", count);
    if (have)
        measure_print(name, "sumo", speed[0], best, unit, 0);
    else
        measure_print_alone(name, speed[0], unit);
    for (int k = 0; k < MODELS && have; k++)
        measure_print(name, peers[k], speed[0], their_speed[k], unit, 0);
    snprintf(name, sizeof name, "platoon_%d_acc", count);
    if (have)
        measure_print(name, "sumo", speed[1], best, unit, 0);
    else
        measure_print_alone(name, speed[1], unit);
}

// What a vehicle-step costs in small and large platoons, measured alternately.
static void bench_growth(const char *of, const char *ending)
{
    enum { SIZES = 3, ROUNDS = 41 };
    static const int sizes[SIZES] = {10, 1000, 10000};
    ours our[SIZES];
    double cost[SIZES]; // ns
    for (int k = 0; k < SIZES; k++)
        start_ours(&our[k], of, sizes[k], 1000000 / sizes[k]);
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < SIZES; k++)
            measure_ours(&our[k]);
    for (int k = 0; k < SIZES; k++)
        cost[k] = 1e9 / end_ours(&our[k]);
    for (int k = 1; k < SIZES; k++) {
        char name[64];
        snprintf(name, sizeof name, "growth_platoon_%d%s", sizes[k], ending);
        measure_print(name, "n=10", cost[k], cost[0], "ns per vehicle-step", 1);
    }
}

int main(int argc, char **argv)
{
    if (!mkdtemp(folder))
        fail("cannot make", folder);
    measure_pin(true);
    if (argc > 2) { // one size: cars, rounds
        bench_count(atoi(argv[1]), atoi(argv[2]));
    } else {
        bench_growth("idm", "");
        bench_growth("acc", "_acc");
        bench_count(10, 5);
        bench_count(1000, 5);
        bench_count(10000, 3);
    }
    char path[256];
    snprintf(path, sizeof path, "%s/scenario.yaml", folder);
    unlink(path);
    rmdir(folder);
    return 0;
}
