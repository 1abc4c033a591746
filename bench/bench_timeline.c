// bench_timeline.c - going back and forth in a run: seeks to random instants, and what key frames
// cost the steps that take them. Every instant that is reached is compared with the first time.
#include "measure.h"
#include "motorcade/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *what)
{
    fprintf(stderr, "bench_timeline: %s\n", what);
    exit(1);
}

static mc_scenario *platoon(int cars)
{
    char text[600];
    mc_error error;
    snprintf(text, sizeof text,
             "motorcade: scenario\n"
             "time: {end: 600, step: 0.01}\n"
             "road: {headway: 1, distance: 5}\n"
             "models: {town: powertrain}\n"
             "controllers: {follow: {law: platoon}}\n"
             "platoons:\n"
             "  - leader: {model: town, profile: moderate}\n"
             "    cars: [{model: town, controller: follow, count: %d}]\n",
             cars - 1);
    mc_scenario *s = mc_scenario_parse(text, strlen(text), NULL, &error);
    if (!s)
        fail(error.text);
    return s;
}

// edits: at equal distances, each a version of its own.
static void bench(int cars, int steps, int edits)
{
    mc_error error;
    mc_scenario *s = platoon(cars);
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = 1, .interpret = true}, &error);
    mc_timeline *line = run ? mc_timeline_create(run, NULL, &error) : NULL;
    unsigned long long *hash = malloc(((size_t)steps + 1) * sizeof *hash);
    if (!line || !hash)
        fail("no memory");
    double longest_step = 0.0, longest_seek = 0.0, longest_edit = 0.0;
    for (int k = 0; k < steps; k++) {
        double start = measure_cpu();
        if (edits > 0 && k > 0 && k % (steps / (edits + 1)) == 0) {
            char edit[64];
            snprintf(edit, sizeof edit, "{set: follow.k1=%g}", 0.9 + 1e-6 * k);
            if (mc_timeline_edit(line, edit, &error) != MC_OK)
                fail(error.text);
            const double took = measure_cpu() - start;
            longest_edit = took > longest_edit ? took : longest_edit;
        }
        hash[k] = mc_run_hash(run);
        start = measure_cpu();
        if (mc_timeline_step(line, &error) != MC_OK)
            fail(error.text);
        const double took = measure_cpu() - start;
        longest_step = took > longest_step && k > 10 ? took : longest_step;
    }
    hash[steps] = mc_run_hash(run);
    srand(3);
    for (int k = 0; k < 200; k++) {
        const int to = (int)((double)rand() / RAND_MAX * steps);
        const double start = measure_cpu();
        if (mc_timeline_seek(line, 0.01 * to, &error) != MC_OK)
            fail(error.text);
        const double took = measure_cpu() - start;
        longest_seek = took > longest_seek ? took : longest_seek;
        if (mc_run_hash(run) != hash[to])
            fail("an instant came back with other bits");
    }
    char name[64];
    snprintf(name, sizeof name, "seek_%d_cars_%d_edits_longest", cars, edits);
    measure_print_alone(name, longest_seek, "s");
    snprintf(name, sizeof name, "key_frame_%d_cars_%d_edits_longest_step", cars, edits);
    measure_print_alone(name, longest_step, "s");
    if (edits > 0) {
        snprintf(name, sizeof name, "edit_%d_cars_longest", cars);
        measure_print_alone(name, longest_edit, "s");
    }
    free(hash);
    mc_timeline_destroy(line);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

int main(void)
{
    measure_pin(true);
    bench(30, 60000, 0); // ten minutes
    bench(30, 60000, 5);
    bench(300, 6000, 0);
    return 0;
}
