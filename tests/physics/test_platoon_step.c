// test_platoon_step.c - the control step is no gain: ten times longer, the same motion.
#include "control/law.h"
#include "support/platoon.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CARS = 8, INSTANTS = 600 }; // every 0.1 s

typedef struct record {
    double v[INSTANTS + 1][CARS];
    // m/s^3, over 0.1 s from any step on, when they have fallen in: largest, root mean square.
    double jerk, jerk_mean;
    int hits;
} record;

// Eight cars with engines behind a leader in moderate traffic.
static mc_scenario *platoon(const char *name, double step)
{
    char text[1024];
    snprintf(text, sizeof text,
             "motorcade: scenario\n"
             "time: {end: 60, step: %g}\n"
             "road: {headway: 1, distance: 5}\n"
             "models: {town_car: powertrain}\n"
             "controllers: {follow: {law: %s}}\n"
             "platoons:\n"
             "  - leader: {model: town_car, profile: moderate}\n"
             "    cars: [{model: town_car, name: car, count: 7, controller: follow}]\n",
             step, name);
    return platoon_scenario(text);
}

static void drive(const char *name, double step, record *out)
{
    mc_scenario *s = platoon(name, step);
    mc_run *run = platoon_run(s, 1);
    const int each = (int)(0.1 / step + 0.5);
    double a[16][CARS], sum = 0.0;
    memset(out, 0, sizeof *out);
    for (int k = 0; k <= INSTANTS * each; k++) {
        for (int c = 0; c < CARS; c++) {
            mc_run_view view;
            mc_run_look(run, c, &view);
            if (k % each == 0)
                out->v[k / each][c] = view.motion.v;
            double *before = &a[k % each][c]; // 0.1 s ago
            const double jerk = k < 10 * each ? 0.0 : fabs(view.motion.a - *before) / 0.1;
            *before = view.motion.a;
            out->jerk = fmax(out->jerk, jerk);
            sum += jerk * jerk;
            out->hits += view.hits;
        }
        platoon_steps(run, 1);
    }
    out->jerk_mean = sqrt(sum / (INSTANTS * each * CARS));
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static void every_law(void **unused)
{
    (void)unused;
    record *fine = malloc(sizeof *fine), *coarse = malloc(sizeof *coarse);
    assert_true(fine && coarse);
    int laws = 0;
    for (int k = 0; law_at(k); k++) {
        const char *name = law_at(k)->name;
        if (strcmp(name, "cruise") == 0) // follows nobody
            continue;
        laws++;
        drive(name, 0.01, fine);
        drive(name, 0.1, coarse);
        double moved = 0.0, apart = 0.0;
        for (int i = 0; i <= INSTANTS; i++)
            for (int c = 0; c < CARS; c++) {
                moved = fmax(moved, fabs(coarse->v[i][c] - fine->v[i][c]));
                apart = fmax(apart, fabs(fine->v[i][c] - fine->v[0][c]));
            }
        printf("%-14s speeds moved by %.5f m/s, jerk %.3f -> %.3f m/s^3, mean %.4f -> %.4f\n", name,
               moved, fine->jerk, coarse->jerk, fine->jerk_mean, coarse->jerk_mean);
        assert_true(apart > 8.0); // they did follow: 10.4 m/s up and down
        assert_int_equal(fine->hits + coarse->hits, 0);
        assert_true(moved < 0.02);
        // A change of pedals is a corner that falls on a later instant: 12 % at most; no more jerk.
        assert_true(coarse->jerk < 1.15 * fine->jerk);
        assert_true(coarse->jerk_mean < 1.05 * fine->jerk_mean);
    }
    assert_true(laws >= 12);
    free(fine), free(coarse);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_law)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
