// bench_lanechange.c - traffic that changes lanes: vehicle-steps per second of processor time,
// compared with SUMO's LC2013.
//
// Three lanes, 150 m per car and lane, ten desired speeds from 22 to 35.5 m/s: the fast overtake
// the slow. Ours are bicycles with a powertrain, a compiled law, a steering law and free lane
// changes (MOBIL), with sensing and contact on; SUMO is as fast as it can be (sumo.h). Same cars,
// same places, same steps of 0.01 s, one core. Start-up is excluded from both; changes of lane are
// counted on both sides, and the benchmark fails where fewer than a tenth of the cars change.
#include "measure.h"
#include "sumo.h"

#include "motorcade/run.h"
#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LANES = 3, SPEEDS = 10, SHORT = 20 };
static const double STEP = 0.01, SPACING = 150.0; // s, m
static const double FEWEST = 0.1;                 // changes per car

static char folder[] = "/tmp/motorcade_bench_XXXXXX";

static void fail(const char *what, const char *text)
{
    fprintf(stderr, "bench_lanechange: %s: %s\n", what, text);
    exit(1);
}

// One of ten, as if by lot.
static int type_of(int k)
{
    return (int)(((unsigned)k * 2654435761u >> 12) % SPEEDS);
}

static double speed_of(int type)
{
    return 22.0 + 1.5 * type;
}

static double desired(int k)
{
    return speed_of(type_of(k));
}

// ---- ours ----

typedef struct ours {
    int count, steps;
    mc_scenario *scenario;
    double best; // CPU s
    double changes;
} ours;

static void drive(mc_run *run, int steps)
{
    mc_error error;
    for (int k = 0; k < steps; k++)
        if (mc_run_step(run, &error) != MC_OK)
            fail("run", error.text);
}

static void start_ours(ours *o, int count, int steps)
{
    char path[256];
    mc_error error;
    snprintf(path, sizeof path, "%s/scenario.yaml", folder);
    FILE *file = fopen(path, "w");
    if (!file)
        fail("cannot write", path);
    fprintf(file,
            "motorcade: scenario\n"
            "time: {end: 1e6, step: %g}\n"
            "road: {lanes: %d, headway: 1.2, distance: 3, speed: 60}\n"
            "models: {car: {kind: bicycle, powertrain: converter}}\n"
            "controllers:\n"
            "  c0: {law: idm, speed: %g, lane_change: {free: true}}\n",
            STEP, LANES, speed_of(0));
    for (int k = 1; k < SPEEDS; k++)
        fprintf(file, "  c%d: {like: c0, speed: %g}\n", k, speed_of(k));
    fprintf(file, "vehicles:\n");
    for (int k = 0; k < count; k++)
        fprintf(file, "  - {model: car, lane: %d, x: %g, v: %g, controller: c%d}\n", k % LANES + 1,
                -k * SPACING / LANES, desired(k), type_of(k));
    if (fclose(file) != 0)
        fail("cannot write", path);
    *o = (ours){.count = count, .steps = steps, .best = HUGE_VAL};
    o->scenario = mc_scenario_load(path, &error);
    unlink(path);
    if (!o->scenario)
        fail(path, error.text);
}

static void wait_for_laws(const mc_run *run)
{
    for (int k = 0; k < run->law_count; k++)
        while (expr_kernel_state_of(law_kernel(run->laws[k].law)) == EXPR_KERNEL_COMPILING)
            usleep(10000);
}

// The same steps in every round: traffic sorts itself by speed in time, and changes become fewer.
static void measure_ours(ours *o)
{
    mc_error error;
    mc_run *run = mc_run_create(o->scenario, &(mc_run_options){.threads = 1}, &error);
    if (!run)
        fail("run", error.text);
    drive(run, 1);
    wait_for_laws(run);
    drive(run, SHORT - 1);
    const long long before = run->counts.lane_changes;
    const double start = measure_cpu();
    drive(run, o->steps);
    o->best = fmin(o->best, measure_cpu() - start);
    o->changes = (double)(run->counts.lane_changes - before);
    int hits;
    mc_run_impacts(run, &hits);
    if (hits > 0)
        fail("ours", "cars hit each other");
    mc_run_destroy(run);
}

static double end_ours(ours *o)
{
    mc_scenario_free(o->scenario);
    return (double)o->count * o->steps / o->best;
}

// ---- SUMO ----

static bool start_sumo(sumo *s, const char *model, int count, int steps)
{
    *s = (sumo){.model = model,
                .folder = folder,
                .count = count,
                .lanes = LANES,
                .step = STEP,
                .spacing = SPACING,
                .limit = 60.0, // each car its own
                .short_steps = SHORT,
                .long_steps = SHORT + steps,
                .desired = desired,
                .start = desired};
    return sumo_start(s);
}

// ---- rows ----

enum { MODELS = 3 };
static const char *const models[MODELS] = {"Krauss", "IDM", "ACC"};
static const char *const unit = "vehicle-steps a CPU s";

static void bench_count(int count, int steps, int rounds)
{
    ours our;
    sumo their[MODELS];
    start_ours(&our, count, steps);
    bool have = true;
    for (int k = 0; k < MODELS && have; k++)
        have = start_sumo(&their[k], models[k], count, steps);
    for (int round = 0; round < rounds; round++) {
        measure_ours(&our);
        for (int k = 0; k < MODELS && have; k++)
            sumo_measure(&their[k]);
    }
    const double changes = our.changes / count, speed = end_ours(&our);
    if (!(changes >= FEWEST))
        fail("ours", "too few lane changes");
    double best = 0.0, their_changes = 0.0;
    for (int k = 0; k < MODELS && have; k++) {
        const double c = sumo_changes(&their[k]) / count, v = sumo_end(&their[k]);
        if (!(c >= FEWEST))
            fail("SUMO: too few lane changes", models[k]);
        if (v > best)
            best = v, their_changes = c;
    }
    char name[64];
    snprintf(name, sizeof name, "platoon_lanechange_%d", count);
    if (!have) {
        measure_print_alone(name, speed, unit);
        return;
    }
    measure_print(name, "sumo", speed, best, unit, 0);
    snprintf(name, sizeof name, "lanechange_%d_changes", count);
    measure_print(name, "sumo", changes, their_changes, "changes per car", 0);
}

// What a vehicle-step costs in little and much traffic, measured alternately.
static void bench_growth(void)
{
    enum { SIZES = 3, ROUNDS = 9, STEPS = 1200 };
    static const int sizes[SIZES] = {100, 1000, 10000};
    ours our[SIZES];
    double cost[SIZES]; // ns
    for (int k = 0; k < SIZES; k++)
        start_ours(&our[k], sizes[k], STEPS); // the same time: more cars steer later on
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < SIZES; k++)
            measure_ours(&our[k]);
    for (int k = 0; k < SIZES; k++)
        cost[k] = 1e9 / end_ours(&our[k]);
    for (int k = 1; k < SIZES; k++) {
        char name[64];
        snprintf(name, sizeof name, "growth_lanechange_%d", sizes[k]);
        measure_print(name, "n=100", cost[k], cost[0], "ns per vehicle-step", 1);
    }
}

int main(int argc, char **argv)
{
    if (!mkdtemp(folder))
        fail("cannot make", folder);
    measure_pin(true);
    if (argc > 3) { // one row: cars, steps, rounds
        bench_count(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]));
    } else if (argc == 2 && strcmp(argv[1], "growth") == 0) {
        bench_growth();
    } else if (argc > 1) { // for a profiler: ours alone, with that number of cars
        ours our;
        start_ours(&our, atoi(argv[1]), argc > 2 ? atoi(argv[2]) : 1200);
        measure_ours(&our);
        printf("%.0f ns, %g changes per car\n", 1e9 / end_ours(&our), our.changes / our.count);
    } else {
        bench_growth();
        bench_count(1000, 1200, 5);
        bench_count(10000, 1200, 2);
    }
    rmdir(folder);
    return 0;
}
