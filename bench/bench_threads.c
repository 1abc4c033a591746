// bench_threads.c - one run on two threads against two runs of one thread side by side, and a
// thousand mixed cars against real time.
//
// Both sides use two cores and alternate; the ratio is vehicle-steps per second of the clock. Other
// work on the machine takes from both; the best of several rounds is used. A run of many cars
// should not lose more than a tenth by sharing its steps out.
#include "measure.h"

#include "motorcade/run.h"
#include "run/run.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { COPIES = 2 };

static char folder[] = "/tmp/motorcade_bench_XXXXXX";

static void fail(const char *what, const char *text)
{
    fprintf(stderr, "bench_threads: %s: %s\n", what, text);
    exit(1);
}

static double wall(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- scenarios ----

typedef void write_kind(FILE *file, int count);

static void write_platoon(FILE *file, int count)
{
    fprintf(file,
            "time: {end: 1e6, step: 0.01}\n"
            "road: {headway: 1.2, distance: 3, speed: 29}\n"
            "models: {car: {kind: powertrain, powertrain: converter}}\n"
            "controllers: {follow: {law: idm}}\n"
            "platoons:\n"
            "  - leader: {model: car, profile: moderate}\n"
            "    cars: [{model: car, count: %d, controller: follow}]\n",
            count - 1);
}

// As in bench_lanechange.c.
static void write_lanes(FILE *file, int count)
{
    fprintf(file, "time: {end: 1e6, step: 0.01}\n"
                  "road: {lanes: 3, headway: 1.2, distance: 3, speed: 60}\n"
                  "models: {car: {kind: bicycle, powertrain: converter}}\n"
                  "controllers:\n"
                  "  c0: {law: idm, speed: 22, lane_change: {free: true}}\n");
    for (int k = 1; k < 10; k++)
        fprintf(file, "  c%d: {like: c0, speed: %g}\n", k, 22.0 + 1.5 * k);
    fprintf(file, "vehicles:\n");
    for (int k = 0; k < count; k++) {
        const int type = (int)(((unsigned)k * 2654435761u >> 12) % 10);
        fprintf(file, "  - {model: car, lane: %d, x: %g, v: %g, controller: c%d}\n", k % 3 + 1,
                -50.0 * k, 22.0 + 1.5 * type, type);
    }
}

// Four in ten are HMMWVs of closed loops, each behind a car of another type.
static void write_mixed(FILE *file, int count)
{
    fprintf(file,
            "time: {end: 1e6, step: 0.01}\n"
            "road: {headway: 1.5, distance: 5, speed: 29}\n"
            "models:\n"
            "  town: {kind: powertrain}\n"
            "  bike: {kind: bicycle, powertrain: converter}\n"
            "  flat: {kind: planar}\n"
            "  hmmwv: {kind: multibody, mechanism: %s/models/hmmwv_loops.yaml, length: 4.6, width: "
            "2.2, height: 1.8}\n"
            "controllers: {follow: {law: acc}}\n"
            "platoons:\n"
            "  - leader: {model: town, profile: moderate}\n"
            "    cars:\n",
            SOURCE_DIR);
    static const char *const kinds[] = {"hmmwv", "town", "hmmwv", "bike", "hmmwv",
                                        "flat",  "town", "hmmwv", "bike", "town"};
    for (int k = 1; k < count; k++)
        fprintf(file, "      - {model: %s, controller: follow}\n", kinds[k % 10]);
}

// HMMWVs of closed loops alone, but for the leader.
static void write_hmmwvs(FILE *file, int count)
{
    fprintf(file,
            "time: {end: 1e6, step: 0.01}\n"
            "road: {headway: 1.5, distance: 5, speed: 29}\n"
            "models:\n"
            "  town: {kind: powertrain}\n"
            "  hmmwv: {kind: multibody, mechanism: %s/models/hmmwv_loops.yaml, length: 4.6, width: "
            "2.2, height: 1.8}\n"
            "controllers: {follow: {law: acc}}\n"
            "platoons:\n"
            "  - leader: {model: town, profile: moderate}\n"
            "    cars: [{model: hmmwv, count: %d, controller: follow}]\n",
            SOURCE_DIR, count);
}

static mc_scenario *make(write_kind *kind, int count)
{
    char path[256];
    mc_error error;
    snprintf(path, sizeof path, "%s/scenario.yaml", folder);
    FILE *file = fopen(path, "w");
    if (!file)
        fail("cannot write", path);
    fprintf(file, "motorcade: scenario\n");
    kind(file, count);
    if (fclose(file) != 0)
        fail("cannot write", path);
    mc_scenario *s = mc_scenario_load(path, &error);
    unlink(path);
    if (!s)
        fail(path, error.text);
    return s;
}

// ---- runs ----

typedef struct copy {
    mc_run *run;
    int steps;
} copy;

static void *drive(void *context)
{
    const copy *c = context;
    mc_error error;
    for (int k = 0; k < c->steps; k++)
        if (mc_run_step(c->run, &error) != MC_OK)
            fail("run", error.text);
    return NULL;
}

static mc_run *start(const mc_scenario *s, int threads)
{
    mc_error error;
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = threads}, &error);
    if (!run)
        fail("run", error.text);
    drive(&(copy){run, 1});
    for (int k = 0; k < run->law_count; k++)
        while (expr_kernel_state_of(law_kernel(run->laws[k].law)) == EXPR_KERNEL_COMPILING)
            usleep(10000);
    drive(&(copy){run, 20});
    return run;
}

// s on the clock.
static double together(copy *copies, int count)
{
    pthread_t threads[COPIES];
    const double begin = wall();
    for (int k = 1; k < count; k++)
        if (pthread_create(&threads[k], NULL, drive, &copies[k]) != 0)
            fail("cannot start", "a thread");
    drive(&copies[0]);
    for (int k = 1; k < count; k++)
        pthread_join(threads[k], NULL);
    return wall() - begin;
}

static void bench_kind(const char *name, write_kind *kind, int count, int steps, int rounds)
{
    mc_scenario *s = make(kind, count);
    copy shared = {start(s, COPIES), steps}, apart[COPIES];
    for (int k = 0; k < COPIES; k++)
        apart[k] = (copy){start(s, 1), steps};
    double best = HUGE_VAL, best_apart = HUGE_VAL;
    for (int round = 0; round < rounds; round++) {
        best = fmin(best, together(&shared, 1));
        best_apart = fmin(best_apart, together(apart, COPIES));
    }
    char row[64];
    snprintf(row, sizeof row, "threads_%s_%d", name, count);
    measure_print(row, "two_copies", (double)count * steps / best,
                  (double)COPIES * count * steps / best_apart, "vehicle-steps per s", 0);
    mc_run_destroy(shared.run);
    for (int k = 0; k < COPIES; k++)
        mc_run_destroy(apart[k].run);
    mc_scenario_free(s);
}

static void bench_real_time(int count, int rounds)
{
    enum { STEPS = 100 }; // one second
    mc_scenario *s = make(write_mixed, count);
    copy c = {start(s, COPIES), STEPS};
    double best = HUGE_VAL, cpu = HUGE_VAL;
    for (int round = 0; round < rounds; round++) {
        const double before = measure_cpu();
        best = fmin(best, together(&c, 1));
        cpu = fmin(cpu, measure_cpu() - before);
    }
    char row[64];
    snprintf(row, sizeof row, "mixed_%d", count);
    measure_print(row, "real_time", 1.0 / best, 1.0, "x on two cores", 0);
    snprintf(row, sizeof row, "mixed_%d_cpu", count);
    measure_print(row, "two_cores", cpu, 2.0, "CPU s per simulated s", 1);
    mc_run_destroy(c.run);
    mc_scenario_free(s);
}

// Processor time of one thread per HMMWV and simulated second.
static void bench_hmmwvs(int count, int rounds)
{
    enum { STEPS = 100 }; // one second
    mc_scenario *s = make(write_hmmwvs, count);
    copy c = {start(s, 1), STEPS};
    double best = HUGE_VAL;
    for (int round = 0; round < rounds; round++) {
        const double before = measure_cpu();
        drive(&c);
        best = fmin(best, measure_cpu() - before);
    }
    char row[64];
    snprintf(row, sizeof row, "hmmwv_loops_%d", count);
    measure_print(row, "goal", 1e3 * best / count, 4.5, "CPU ms per vehicle and s", 1);
    mc_run_destroy(c.run);
    mc_scenario_free(s);
}

// Argument `hmmwv` or `mixed`: only that row.
int main(int argc, char **argv)
{
    if (!mkdtemp(folder))
        fail("cannot make", folder);
    if (argc > 1) {
        if (strcmp(argv[1], "hmmwv") == 0)
            bench_hmmwvs(40, 5);
        else
            bench_real_time(1000, 3);
        rmdir(folder);
        return 0;
    }
    bench_hmmwvs(40, 5);
    bench_kind("platoon", write_platoon, 1000, 400, 9);
    bench_kind("platoon", write_platoon, 10000, 40, 9);
    bench_kind("lanechange", write_lanes, 1000, 200, 9);
    bench_kind("lanechange", write_lanes, 10000, 20, 9);
    bench_kind("mixed", write_mixed, 1000, 10, 5);
    bench_real_time(1000, 3);
    rmdir(folder);
    return 0;
}
