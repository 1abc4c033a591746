// test_platoon_stop.c - the error of the control step through a full stop, by halving it.
//
// The leader brakes to a stop at an instant between two steps, and stands; the cars behind it stop,
// too. Places of the followers are compared with those of a run in steps of 0.3 ms.
#include "control/law.h"
#include "support/platoon.h"
#include "support/series.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { CARS = 4, INSTANTS = 25 };

typedef struct places {
    double x[INSTANTS][CARS];
} places;

static void drive(const char *model, const char *name, double step, places *out)
{
    char text[1024];
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 60, step: %.17g}\nroad: {headway: 3, distance: 5}\n"
             "models: {car: %s}\ncontrollers: {follow: {law: %s}}\n"
             "events: [{at: 4.8, vehicle: leader, drive: {acceleration: -1.7731, brake: %g}}]\n"
             "platoons: [{leader: {model: car, profile: 16}, cars: [{model: car, name: car, "
             "count: %d, controller: follow}]}]\n",
             step, model, name, strstr(model, "point") ? 0.0 : 0.25, CARS);
    mc_scenario *s = platoon_scenario(text);
    mc_run *run = platoon_run(s, 1);
    const int each = (int)floor(2.0 / step + 0.5);
    for (int i = 0; i < INSTANTS; i++) {
        platoon_steps(run, each);
        for (int c = 0; c < CARS; c++) {
            mc_run_view view;
            mc_run_look(run, c + 1, &view);
            out->x[i][c] = view.motion.x;
            assert_int_equal(view.hits, 0);
        }
    }
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static double apart(const places *a, const places *b)
{
    double max = 0.0;
    for (int i = 0; i < INSTANTS; i++)
        for (int c = 0; c < CARS; c++)
            max = fmax(max, fabs(a->x[i][c] - b->x[i][c]));
    return max;
}

static double error_of(const char *model, const char *name, double step, const places *fine)
{
    places p;
    drive(model, name, step, &p);
    return apart(&p, fine);
}

// Under every law that follows without switching between two rules the error is of second order,
// though the acceleration of the leader jumps when it comes to rest.
static void points_are_of_second_order(void **unused)
{
    (void)unused;
    for (int k = 0; law_at(k); k++) {
        const char *name = law_at(k)->name;
        // cruise follows no car; flatbed closes up to its own spacing, by switching.
        if (strcmp(name, "cruise") == 0 || strcmp(name, "flatbed") == 0)
            continue;
        places fine;
        drive("point", name, 0.04 / 128.0, &fine);
        const double coarse = error_of("point", name, 0.04, &fine);
        const double middle = error_of("point", name, 0.01, &fine);
        const double order = 0.5 * log2(coarse / middle);
        printf("%-14s %.2e m at 40 ms, %.2e m at 10 ms: order %.2f\n", name, coarse, middle, order);
        assert_true(fabs(order - 2.0) < 0.1);
    }
}

// Lags and engines: every third law in `make test`, other ones for either; all in `make campaign`.
static int every(void)
{
    return series_share() < 1.0 ? 3 : 1;
}

// Pedals change and dead zones are passed at instants that are known to a step: the error falls
// with the step, from 20 to 5 ms by 4 or so, or is below 0.1 mm per ms.
static const double SMALL = 0.1; // m/s

static void others_fall_with_the_step(const char *model, double ratio)
{
    for (int k = 0; law_at(k); k++) {
        const char *name = law_at(k)->name;
        if (strcmp(name, "cruise") == 0 || strcmp(name, "flatbed") == 0)
            continue;
        if (k % every() != 0)
            continue;
        places fine;
        drive(model, name, 0.04 / 128.0, &fine);
        const double e[] = {error_of(model, name, 0.02, &fine), error_of(model, name, 0.01, &fine),
                            error_of(model, name, 0.005, &fine)};
        printf("| %s | %.2g | %.2g | %.2g |\n", name, e[0], e[1], e[2]);
        assert_true(e[0] / e[2] > ratio || e[2] < SMALL * 0.005);
    }
}

static void a_lag(void **unused)
{
    (void)unused;
    others_fall_with_the_step("{kind: point, lag: 0.3}", 3.2);
}

// A car with an engine changes from throttle to brake at a sample, and so up to a step late: how
// late is a matter of chance. So its error is that of eleven steps within a quarter of the one that
// is meant, all of which divide the times of the event and of the instants.
static double error_around(const char *name, int steps, const places *fine)
{
    double sum = 0.0;
    for (int j = -5; j <= 5; j++) {
        const int n = steps + j * steps / 20 + (steps > 20 ? j & 1 : 0);
        const double e = error_of("powertrain", name, 0.4 / n, fine);
        sum += e * e / 11.0;
    }
    return sqrt(sum);
}

static void engines(void **unused)
{
    (void)unused;
    for (int k = 0; law_at(k); k++) {
        const char *name = law_at(k)->name;
        if (strcmp(name, "cruise") == 0 || strcmp(name, "flatbed") == 0)
            continue;
        if ((k + 1) % every() != 0)
            continue;
        places fine;
        drive("powertrain", name, 0.04 / 128.0, &fine);
        const double e[] = {error_around(name, 20, &fine), error_around(name, 40, &fine),
                            error_around(name, 80, &fine)};
        printf("| %s | %.2g | %.2g | %.2g |\n", name, 1e3 * e[0], 1e3 * e[1], 1e3 * e[2]);
        assert_true(e[0] / e[2] > 3.2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(points_are_of_second_order),
                                       cmocka_unit_test(a_lag), cmocka_unit_test(engines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
