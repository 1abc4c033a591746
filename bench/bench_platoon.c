// bench_platoon.c - platoons: vehicle-steps per second of processor time, compared with SUMO.
//
// SUMO drives on one long edge with one lane, where it is fastest: no lane change, no junction, no
// output, no check for collisions. Ours has powertrains, sensing, control laws and contact on. Both
// take steps of 0.01 s on one core. Start-up is excluded from both: the result is the difference
// between a short and a long run.
//
// Other work on the machine only adds time, so the best of several alternating rounds is taken.
#include "measure.h"

#include "motorcade/run.h"
#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
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

typedef struct sumo {
    const char *model; // its car-following model
    int count;
    int short_steps, long_steps;
    char net[256], routes[256];
    double short_best, long_best; // CPU s
} sumo;

static void write_net(sumo *s)
{
    const double length = (s->count + 1) * SPACING + 1.2 * 29.0 * STEP * s->long_steps +
                          1000.0; // no car reaches the end
    char name[64];
    snprintf(name, sizeof name, "net_%d_%s.xml", s->count, s->model);
    FILE *file = create(s->net, name);
    fprintf(file,
            "<net version=\"1.9\">\n"
            "<location netOffset=\"0,0\" convBoundary=\"0,0,%.2f,0\" origBoundary=\"0,0,%.2f,0\" "
            "projParameter=\"!\"/>\n"
            "<edge id=\"road\" from=\"a\" to=\"b\" priority=\"-1\"><lane id=\"road_0\" "
            "index=\"0\" speed=\"29\" length=\"%.2f\" shape=\"0,-1.6 %.2f,-1.6\"/></edge>\n"
            "<junction id=\"a\" type=\"dead_end\" x=\"0\" y=\"0\" incLanes=\"\" intLanes=\"\" "
            "shape=\"0,0 0,-3.2\"/>\n"
            "<junction id=\"b\" type=\"dead_end\" x=\"%.2f\" y=\"0\" incLanes=\"road_0\" "
            "intLanes=\"\" shape=\"%.2f,-3.2 %.2f,0\"/>\n"
            "</net>\n",
            length, length, length, length, length, length, length);
    finish(file, s->net);
}

// All cars stand on the road at once; the first keeps others below the speed limit.
static void write_routes(sumo *s)
{
    char name[64];
    snprintf(name, sizeof name, "routes_%d_%s.xml", s->count, s->model);
    FILE *file = create(s->routes, name);
    fprintf(file,
            "<routes><vType id=\"leader\" carFollowModel=\"%s\" maxSpeed=\"%g\"/>"
            "<vType id=\"car\" carFollowModel=\"%s\"/><route id=\"all\" edges=\"road\"/>\n",
            s->model, SPEED, s->model);
    for (int k = 0; k < s->count; k++)
        fprintf(file,
                "<vehicle id=\"%d\" type=\"%s\" route=\"all\" depart=\"0\" departPos=\"%g\" "
                "departSpeed=\"%g\" insertionChecks=\"none\"/>\n",
                k, k == 0 ? "leader" : "car", (s->count - k) * SPACING, SPEED);
    fprintf(file, "</routes>\n");
    finish(file, s->routes);
}

// Runs SUMO for `steps`, with a summary of every step if asked. CPU s; -1: there is no SUMO.
static double run_sumo(const sumo *s, int steps, const char *summary)
{
    char end[32], step[32];
    snprintf(end, sizeof end, "%.2f", steps * STEP);
    snprintf(step, sizeof step, "%g", STEP);
    const pid_t child = fork();
    if (child == 0) {
        const char *arguments[] = {"sumo",    "-n",
                                   s->net,    "-r",
                                   s->routes, "--step-length",
                                   step,      "--end",
                                   end,       "--no-step-log",
                                   "true",    "--no-warnings",
                                   "true",    "--duration-log.disable",
                                   "true",    "--time-to-teleport",
                                   "-1",      "--collision.action",
                                   "none",    "--threads",
                                   "1",       "--xml-validation",
                                   "never",   "--xml-validation.net",
                                   "never",   summary ? "--summary-output" : NULL,
                                   summary,   NULL};
        if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
            _exit(126);
        execvp(arguments[0], (char *const *)arguments);
        _exit(127);
    }
    int status = 0;
    struct rusage use;
    if (child < 0 || wait4(child, &status, 0, &use) != child || !WIFEXITED(status))
        fail("sumo", "did not end");
    if (WEXITSTATUS(status) == 127)
        return -1.0;
    if (WEXITSTATUS(status) != 0)
        fail("sumo", "failed");
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

// All cars are on the road in every step that is measured, and move.
static void check_sumo(const sumo *s)
{
    char path[256], line[1024];
    snprintf(path, sizeof path, "%s/summary.xml", folder);
    run_sumo(s, s->long_steps, path);
    FILE *file = fopen(path, "r");
    int seen = 0;
    while (file && fgets(line, sizeof line, file)) {
        const char *time = strstr(line, " time=\""), *running = strstr(line, " running=\""),
                   *speed = strstr(line, " meanSpeed=\"");
        if (!time || !running || !speed || atof(time + 7) < s->short_steps * STEP)
            continue;
        if (atoi(running + 10) != s->count || !(atof(speed + 12) > 10.0))
            fail("sumo: not all cars drive", line);
        seen++;
    }
    if (!file || seen < s->long_steps - s->short_steps)
        fail("sumo", "its summary is too short");
    fclose(file);
    unlink(path);
}

static bool start_sumo(sumo *s, const char *model, int count, int steps)
{
    *s = (sumo){.model = model,
                .count = count,
                .short_steps = 20,
                .long_steps = 20 + steps,
                .short_best = HUGE_VAL,
                .long_best = HUGE_VAL};
    write_net(s);
    write_routes(s);
    if (run_sumo(s, 1, NULL) < 0.0)
        return false;
    check_sumo(s);
    return true;
}

static void measure_sumo(sumo *s)
{
    s->short_best = fmin(s->short_best, run_sumo(s, s->short_steps, NULL));
    s->long_best = fmin(s->long_best, run_sumo(s, s->long_steps, NULL));
}

static double end_sumo(sumo *s)
{
    unlink(s->net);
    unlink(s->routes);
    return (double)s->count * (s->long_steps - s->short_steps) / (s->long_best - s->short_best);
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
            measure_sumo(&their[k]);
    }
    for (int k = 0; k < LAWS; k++)
        speed[k] = end_ours(&our[k]);
    for (int k = 0; k < MODELS && have; k++) {
        their_speed[k] = end_sumo(&their[k]);
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

int main(void)
{
    if (!mkdtemp(folder))
        fail("cannot make", folder);
    measure_pin(true);
    bench_growth("idm", "");
    bench_growth("acc", "_acc");
    bench_count(10, 5);
    bench_count(1000, 5);
    bench_count(10000, 3);
    char path[256];
    snprintf(path, sizeof path, "%s/scenario.yaml", folder);
    unlink(path);
    rmdir(folder);
    return 0;
}
