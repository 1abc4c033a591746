// test_lane_changes.c - cars that change lanes by themselves on a freeway at low to dense traffic:
// few turn back soon after (ping-pong), all lanes are used, the left one more as traffic grows.
// With a folder for its journal it draws the use of the lanes there: lane_use.svg.
#include "motorcade/plot.h"
#include "support/platoon.h"
#include "support/series.h"

#include "run/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CARS = 150, LANES = 3 };
static const double STEP = 0.1, END = 300.0, SOON = 10.0; // s

static double random_in(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

// Cars at random places of three lanes, `spacing` metres apart on average, with desired speeds of
// 24 to 34 m/s: each driver is one of eleven controllers.
static mc_scenario *freeway(double spacing, double politeness, uint64_t seed)
{
    static char text[60000];
    int at = snprintf(text, sizeof text,
                      "motorcade: scenario\nseed: 5\ntime: {end: %g, step: %g, record: %g}\n"
                      "road: {lanes: %d, lane_width: 3.6, speed: 35}\nmodels: {car: point}\n"
                      "controllers:\n",
                      END, STEP, STEP, LANES);
    for (int k = 0; k < 11; k++)
        at +=
            snprintf(text + at, sizeof text - (size_t)at,
                     "  d%d: {law: idm, headway: 1.2, distance: 2, speed: %d, lane_change: {free: "
                     "true, politeness: %g, keep_right: 0.2}}\n",
                     k, 24 + k, politeness);
    at += snprintf(text + at, sizeof text - (size_t)at, "vehicles:\n");
    double x[LANES] = {0};
    for (int k = 0; k < CARS; k++) {
        const int lane = k % LANES, driver = (int)random_in(&seed, 0, 11);
        const double v = fmin(24 + driver, 20.0 + 0.1 * spacing);
        x[lane] -= 12.0 + fmax(spacing - 12.0, 0.0) * random_in(&seed, 0.3, 1.7);
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "  - {model: car, name: c%d, lane: %d, x: %.2f, v: %.2f, controller: d%d}\n",
                       k, lane + 1, x[lane], v, driver);
    }
    return platoon_scenario(text);
}

typedef struct result {
    int changes, back, later; // back: to the lane left less than SOON before; later: twice that
    double share[LANES];      // of the cars, over the second half
    double flow;              // vehicles per hour and lane
    double v;                 // m/s, mean
} result;

static result drive(double spacing, double politeness, uint64_t seed)
{
    mc_scenario *s = freeway(spacing, politeness, seed);
    mc_run *run = platoon_run(s, 1);
    int changes[CARS] = {0}, left[CARS], half = 0;
    double when[CARS], driven = 0.0, apart = 0.0; // m/s, m: of cars behind others
    result out = {0};
    for (int v = 0; v < CARS; v++)
        left[v] = -1, when[v] = -HUGE_VAL;
    for (int k = 0; k < (int)(END / STEP); k++) {
        int lane[CARS];
        for (int v = 0; v < CARS; v++)
            lane[v] = run->rare[run->slot[v]].lane;
        platoon_steps(run, 1);
        const double t = mc_run_time(run);
        for (int v = 0; v < CARS; v++) {
            const run_rare *rare = &run->rare[run->slot[v]];
            assert_int_equal(rare->hits, 0);
            if (rare->changes > changes[v]) {
                out.changes++;
                if (rare->path.to == left[v] && t - when[v] < 2.0 * SOON)
                    t - when[v] < SOON ? out.back++ : out.later++;
                changes[v] = rare->changes, left[v] = lane[v], when[v] = t;
            }
            if (k <= (int)(END / STEP) / 2)
                continue;
            const int front = run->car[run->slot[v]].front;
            const mc_motion *m = &run->motion[run->slot[v]];
            out.share[rare->lane] += 1.0, out.v += m->v, half++;
            if (front >= 0 && run->motion[front].x - m->x < 600.0) // the last ones fall behind
                driven += m->v, apart += run->motion[front].x - m->x;
        }
    }
    for (int k = 0; k < LANES; k++)
        out.share[k] /= half;
    out.v /= half;
    out.flow = 3600.0 * driven / apart;
    mc_run_destroy(run);
    mc_scenario_free(s);
    return out;
}

// ---- many runs ----

enum { SPACINGS = 10, SEEDS = 20 };
static const double spacings[SPACINGS] = {200, 100, 60, 40, 300, 150, 80, 50, 33, 28}; // m

typedef struct sums { // of the runs with one spacing and politeness
    double share[LANES], flow, v;
    long changes, back, later, runs;
} sums;

static void add(sums *to, const result *r)
{
    for (int k = 0; k < LANES; k++)
        to->share[k] += r->share[k];
    to->flow += r->flow, to->v += r->v;
    to->changes += r->changes, to->back += r->back, to->later += r->later;
    to->runs++;
}

// Lane use over flow, one curve per lane and politeness.
static void draw(sums of[2][SPACINGS], const int *order, int count, const char *folder)
{
    static const char *const labels[2][LANES] = {
        {"left", "middle", "right"},
        {"left, polite", "middle, polite", "right, polite"},
    };
    double flow[2][SPACINGS], share[2][LANES][SPACINGS];
    mc_plot_curve curves[2 * LANES];
    char path[600];
    mc_error error = {0};
    for (int p = 0; p < 2; p++)
        for (int lane = 0; lane < LANES; lane++) {
            for (int k = 0; k < count; k++) {
                const sums *s = &of[p][order[k]];
                flow[p][k] = s->flow / (double)s->runs;
                share[p][lane][k] = 100.0 * s->share[lane] / (double)s->runs;
            }
            curves[p * LANES + lane] = (mc_plot_curve){.label = labels[p][lane],
                                                       .unit = "%",
                                                       .x = flow[p],
                                                       .y = share[p][lane],
                                                       .count = count,
                                                       .colour = lane + 1,
                                                       .dashed = p > 0};
        }
    const mc_plot_panel panel = {.y = {.label = "Share of the cars", .unit = "%"},
                                 .curves = curves,
                                 .curve_count = 2 * LANES,
                                 .height = 320};
    const mc_plot plot = {.title = "Use of three lanes",
                          .caption = "politeness 0, and 0.5 (polite, dashed)",
                          .x = {.label = "Flow per lane", .unit = "1/h"},
                          .panels = &panel,
                          .panel_count = 1};
    snprintf(path, sizeof path, "%s/lane_use.svg", folder);
    assert_int_equal(mc_plot_write(path, &plot, &error), MC_OK);
}

static void print_table(double politeness, const sums *s)
{
    const double n = (double)s->runs;
    printf("politeness %.1f: %4.0f veh/h/lane, %4.1f m/s, lanes %4.1f %4.1f %4.1f %%, %4.0f "
           "changes, %ld of %ld back, %ld later\n",
           politeness, s->flow / n, s->v / n, 100 * s->share[0] / n, 100 * s->share[1] / n,
           100 * s->share[2] / n, (double)s->changes / n, s->back, s->changes, s->later);
}

// The first cases, those of `make test`, are the first four spacings by both kinds of drivers.
static void few_turn_back(void **unused)
{
    (void)unused;
    struct {
        sums of[2][SPACINGS];
    } kept = {0};
    series s = series_open("lane use", 2 * SPACINGS * SEEDS, &kept, sizeof kept);
    for (long i; series_next(&s, &i);) {
        const int p = (int)(i % 2), k = (int)(i / 2 % SPACINGS);
        const result r = drive(spacings[k], 0.5 * p, 77 + (uint64_t)(i / 2));
        add(&kept.of[p][k], &r);
        assert_true(r.share[0] > 0.05);
    }
    int order[SPACINGS], count = 0; // from low to high density
    for (int k = 0; k < SPACINGS; k++) {
        if (kept.of[0][k].runs == 0 || kept.of[1][k].runs == 0)
            continue;
        int at = count++;
        for (; at > 0 && spacings[order[at - 1]] < spacings[k]; at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
    for (int p = 0; p < 2; p++) {
        long changes = 0, back = 0;
        for (int k = 0; k < count; k++) {
            const sums *of = &kept.of[p][order[k]];
            print_table(0.5 * p, of);
            changes += of->changes, back += of->back;
            const double slack = 0.02 * (double)of->runs;
            assert_true(of->share[0] < of->share[1] + slack && of->share[1] < of->share[2] + slack);
        }
        printf("%ld runs, politeness %.1f: %ld of %ld changes are undone within %g s\n",
               s.count / 2, 0.5 * p, back, changes, SOON);
        assert_true(changes > 200);
        assert_true(100 * back < changes);
    }
    const char *folder = getenv("MOTORCADE_JOURNAL");
    if (folder && *folder)
        draw(kept.of, order, count, folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(few_turn_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
