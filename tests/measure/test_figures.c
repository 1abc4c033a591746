// test_figures.c - figures of runs whose figures are known in closed form; saving, irregular rows,
// cars without a value.
#include "motorcade/figures.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

enum { CARS = 3, DOUBLES_MAX = 400 };

static void near(double got, double want, double tolerance, const char *what)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%s: %.12g instead of %.12g", what, got, want);
}

static mc_figures *make(double step)
{
    static const double length[CARS] = {4.0, 5.0, 6.0};
    static const int front[CARS] = {-1, 0, 1};
    mc_figures_setup setup = mc_figures_defaults();
    setup.count = CARS;
    setup.length = length;
    setup.front = front;
    setup.step = step;
    mc_error error;
    mc_figures *f = mc_figures_create(&setup, &error);
    if (!f)
        fail_msg("%s", error.text);
    return f;
}

// A platoon of sines: car i goes at 20 + g^i sin(w t) with spacing that follows.
typedef struct wave {
    double w, g;
    double x[CARS], v[CARS], a[CARS], jerk[CARS], gap[CARS], desired[CARS], fuel[CARS];
} wave;

static mc_figures_row wave_at(wave *s, double t)
{
    for (int i = 0; i < CARS; i++) {
        const double g = pow(s->g, i), w = s->w;
        s->x[i] = 20.0 * t + g / w * (1.0 - cos(w * t)) - 30.0 * i;
        s->v[i] = 20.0 + g * sin(w * t);
        s->a[i] = g * w * cos(w * t);
        s->jerk[i] = -g * w * w * sin(w * t);
        s->fuel[i] = i == 2 ? NAN : 1e-3 * t * (i + 1);
        s->desired[i] = i ? 30.0 - 0.5 * (i == 1 ? 9.0 : 11.0) : NAN;
        s->gap[i] = NAN;
    }
    return (mc_figures_row){.t = t,
                            .x = s->x,
                            .v = s->v,
                            .a = s->a,
                            .jerk = s->jerk,
                            .desired_gap = s->desired,
                            .fuel = s->fuel};
}

static void run_wave(mc_figures *f, wave *s, double step, int rows)
{
    for (int k = 0; k <= rows; k++) {
        const mc_figures_row row = wave_at(s, step * k);
        mc_figures_take(f, &row);
    }
}

// The largest distance from the path; a car that no law steers has none, nor rows without it.
static void lateral_errors(void **state)
{
    (void)state;
    mc_figures *f = make(0.1);
    wave s = {.w = 1.0, .g = 0.8};
    static const double off[3][CARS] = {{0.1, NAN, 0.0}, {-0.7, NAN, 0.2}, {0.3, NAN, -0.1}};
    for (int k = 0; k < 4; k++) {
        mc_figures_row row = wave_at(&s, 0.1 * k);
        row.lateral = k < 3 ? off[k] : NULL;
        mc_figures_take(f, &row);
    }
    near(mc_figures_value(f, 0, MC_FIGURE_LARGEST_LATERAL_ERROR), 0.7, 0.0, "car 0");
    assert_true(isnan(mc_figures_value(f, 1, MC_FIGURE_LARGEST_LATERAL_ERROR)));
    near(mc_figures_value(f, 2, MC_FIGURE_LARGEST_LATERAL_ERROR), 0.2, 0.0, "car 2");
    near(mc_figures_value(f, -1, MC_FIGURE_LARGEST_LATERAL_ERROR), 0.7, 0.0, "run");
    mc_figures_destroy(f);
}

static void sines_have_closed_forms(void **state)
{
    (void)state;
    const double w = 2.0 * PI / 5.0, step = 0.005;
    wave s = {.w = w, .g = 0.8};
    mc_figures *f = make(step);
    run_wave(f, &s, step, 8000); // 40 s, eight periods
    // error of car 1: (1 - g)/w (1 - cos wt), of car 2 g times that
    const double e = (1.0 - 0.8) / w;
    near(mc_figures_value(f, 1, MC_FIGURE_LARGEST_SPACING_ERROR), 2.0 * e, 1e-9, "largest error");
    near(mc_figures_value(f, 1, MC_FIGURE_RMS_SPACING_ERROR), e * sqrt(1.5), 1e-9, "rms error");
    near(mc_figures_value(f, 2, MC_FIGURE_LARGEST_SPACING_ERROR), 1.6 * e, 1e-9, "error of car 2");
    near(mc_figures_value(f, -1, MC_FIGURE_LARGEST_SPACING_ERROR), 2.0 * e, 1e-9, "of the run");
    near(mc_figures_value(f, 1, MC_FIGURE_SMALLEST_GAP), 25.5, 1e-9, "gap");
    near(mc_figures_value(f, 2, MC_FIGURE_SMALLEST_GAP), 24.5, 1e-9, "gap of car 2");
    near(mc_figures_value(f, -1, MC_FIGURE_SMALLEST_GAP), 24.5, 1e-9, "gap of the run");
    near(mc_figures_value(f, 1, MC_FIGURE_LARGEST_ACCELERATION), 0.8 * w, 1e-9, "acceleration");
    near(mc_figures_value(f, 1, MC_FIGURE_LARGEST_JERK), 0.8 * w * w, 1e-6, "jerk");
    near(mc_figures_value(f, 1, MC_FIGURE_RMS_JERK), 0.8 * w * w / sqrt(2.0), 1e-9, "rms jerk");
    near(mc_figures_value(f, 1, MC_FIGURE_GAIN_SPEED_L2), 0.8, 1e-9, "gain");
    near(mc_figures_value(f, 2, MC_FIGURE_GAIN_SPEED_MAX), 0.8, 1e-9, "gain");
    near(mc_figures_value(f, 2, MC_FIGURE_GAIN_ERROR_L2), 0.8, 1e-9, "gain of the error");
    near(mc_figures_value(f, 2, MC_FIGURE_GAIN_ERROR_MAX), 0.8, 1e-9, "gain of the error");
    assert_true(isnan(mc_figures_value(f, 0, MC_FIGURE_GAIN_SPEED_L2)));
    assert_true(isnan(mc_figures_value(f, 1, MC_FIGURE_GAIN_ERROR_L2))); // the leader has none
    assert_true(isnan(mc_figures_value(f, 0, MC_FIGURE_SMALLEST_GAP)));
    near(mc_figures_value(f, 0, MC_FIGURE_V), 20.0, 1e-9, "final speed");
    near(mc_figures_value(f, -1, MC_FIGURE_T), 40.0, 1e-12, "time");
    mc_figures_destroy(f);
}

// Weighted acceleration of a sine at 1 Hz is 1.011017 times its rms (ISO 2631-1, Wd).
static void comfort_of_a_sine(void **state)
{
    (void)state;
    const double w = 2.0 * PI, step = 0.005, weight = 1.011017, rows = 40000;
    wave s = {.w = w, .g = 1.0};
    mc_figures *f = make(step);
    run_wave(f, &s, step, (int)rows);
    const double a = weight * w, time = rows * step;
    near(mc_figures_value(f, 0, MC_FIGURE_WEIGHTED_ACCELERATION), a / sqrt(2.0), 0.005 * a, "rms");
    near(mc_figures_value(f, 0, MC_FIGURE_DOSE), a * pow(3.0 / 8.0 * time, 0.25),
         0.005 * a * pow(time, 0.25), "dose");
    mc_figures_destroy(f);
}

static void fuel_in_all_units(void **state)
{
    (void)state;
    wave s = {.w = 1.0, .g = 0.0};
    mc_figures *f = make(0.05);
    run_wave(f, &s, 0.05, 6000); // 300 s; car 1 burns 2 g/s at 20 m/s: 100 g/km
    near(mc_figures_value(f, 1, MC_FIGURE_FUEL), 0.6, 1e-12, "fuel");
    near(mc_figures_value(f, 1, MC_FIGURE_FUEL_PER_KM), 100.0, 1e-9, "g/km");
    near(mc_figures_value(f, 1, MC_FIGURE_FUEL_PER_100KM), 10.0 / 0.745, 1e-9, "L/100 km");
    near(mc_figures_value(f, 1, MC_FIGURE_FUEL_MPG), 235.214583 / (10.0 / 0.745), 1e-6, "mpg");
    near(mc_figures_value(f, 1, MC_FIGURE_MILEAGE), 235.214583 / (10.0 / 0.745), 1e-6, "eq 13");
    assert_true(isnan(mc_figures_value(f, 2, MC_FIGURE_FUEL)));
    assert_true(isnan(mc_figures_value(f, 2, MC_FIGURE_MILEAGE)));
    // of the run: cars 0 and 1, 0.9 kg over 12 km and the leader's own way
    const double d =
        mc_figures_value(f, 0, MC_FIGURE_DISTANCE) + mc_figures_value(f, 1, MC_FIGURE_DISTANCE);
    near(mc_figures_value(f, -1, MC_FIGURE_FUEL_PER_KM), 0.9e6 / d, 1e-9, "g/km of the run");
    // of parts of the platoon
    near(mc_figures_over(f, 1, 2, MC_FIGURE_FUEL_PER_KM), 100.0, 1e-9, "g/km of the last two");
    near(mc_figures_over(f, 0, 2, MC_FIGURE_MILEAGE),
         0.5 * (mc_figures_value(f, 0, MC_FIGURE_MILEAGE) +
                mc_figures_value(f, 1, MC_FIGURE_MILEAGE)),
         1e-9, "mean mileage");
    near(mc_figures_over(f, 1, 1, MC_FIGURE_SMALLEST_GAP), 25.5, 1e-9, "gap of one");
    assert_true(isnan(mc_figures_over(f, 2, 1, MC_FIGURE_FUEL_MPG)));
    assert_true(isnan(mc_figures_over(f, 0, 0, MC_FIGURE_SMALLEST_GAP)));
    assert_true(isnan(mc_figures_over(f, 0, 3, MC_FIGURE_COLLISIONS)));
    mc_figures_destroy(f);
}

// A car at 20 m/s runs up to one at 10 m/s from 50 m: TTC falls from 5 s, DRAC is v^2/2d.
static void closing_in(void **state)
{
    (void)state;
    static const double length[2] = {4.0, 4.0}, a[2] = {0.0, 0.0};
    static const int front[2] = {-1, 0};
    mc_figures_setup setup = mc_figures_defaults();
    setup.count = 2, setup.length = length, setup.front = front, setup.step = 0.1;
    mc_figures *f = mc_figures_create(&setup, NULL);
    assert_non_null(f);
    assert_true(isnan(mc_figures_value(f, 1, MC_FIGURE_SMALLEST_GAP))); // before the first row
    assert_true(isnan(mc_figures_value(f, -1, MC_FIGURE_LARGEST_JERK)));
    const double v[2] = {10.0, 20.0};
    for (int k = 0; k <= 40; k++) {
        const double t = 0.1 * k, x[2] = {54.0 + 10.0 * t, 20.0 * t};
        const mc_figures_row row = {.t = t, .x = x, .v = v, .a = a};
        mc_figures_take(f, &row);
    }
    near(mc_figures_value(f, 1, MC_FIGURE_SMALLEST_TTC), 1.0, 1e-12, "ttc");
    near(mc_figures_value(f, 1, MC_FIGURE_LARGEST_DRAC), 5.0, 1e-11, "drac");
    near(mc_figures_value(f, 1, MC_FIGURE_SMALLEST_TIME_GAP), 0.5, 1e-12, "time gap");
    assert_true(isnan(mc_figures_value(f, 1, MC_FIGURE_LARGEST_SPACING_ERROR)));
    assert_true(isnan(mc_figures_value(f, -1, MC_FIGURE_LARGEST_SPACING_ERROR)));
    // through each other
    const double x[2] = {54.0 + 60.0, 120.0};
    const mc_figures_row row = {.t = 6.0, .x = x, .v = v, .a = a};
    mc_figures_take(f, &row);
    near(mc_figures_value(f, 1, MC_FIGURE_SMALLEST_TTC), 0.0, 0.0, "ttc");
    assert_true(isinf(mc_figures_value(f, 1, MC_FIGURE_LARGEST_DRAC)));
    mc_figures_collide(f, 1500.0);
    mc_figures_collide(f, 500.0);
    assert_true(mc_figures_value(f, -1, MC_FIGURE_COLLISIONS) == 2.0);
    assert_true(mc_figures_value(f, -1, MC_FIGURE_COLLISION_ENERGY) == 2000.0);
    assert_true(isnan(mc_figures_value(f, 0, MC_FIGURE_COLLISIONS)));
    // The car in front leaves: what has been measured stays.
    mc_figures_set_front(f, 1, -1);
    const mc_figures_row last = {.t = 6.1, .x = x, .v = v, .a = a};
    mc_figures_take(f, &last);
    near(mc_figures_value(f, 1, MC_FIGURE_SMALLEST_GAP), -10.0, 1e-9, "gap");
    assert_true(isnan(mc_figures_value(f, 1, MC_FIGURE_GAP)));
    mc_figures_destroy(f);
}

// Rows that come at other times: the weighted acceleration of a straight line between rows is the
// same however it is cut.
static void rows_may_be_irregular(void **state)
{
    (void)state;
    unsigned long long seed = 3;
    wave s = {.w = 3.0, .g = 1.0};
    mc_figures *even = make(0.001), *odd = make(0.001);
    run_wave(even, &s, 0.001, 20000);
    double t = 0.0;
    while (t < 20.0) {
        const mc_figures_row row = wave_at(&s, t);
        mc_figures_take(odd, &row);
        t += sample_uniform(&seed, 0.0005, 0.002);
    }
    const mc_figures_row row = wave_at(&s, 20.0);
    mc_figures_take(odd, &row);
    static const mc_figure_id ids[] = {MC_FIGURE_WEIGHTED_ACCELERATION, MC_FIGURE_DOSE,
                                       MC_FIGURE_RMS_JERK, MC_FIGURE_GAIN_SPEED_L2};
    for (int k = 0; k < 4; k++)
        near(mc_figures_value(odd, 1, ids[k]), mc_figures_value(even, 1, ids[k]), 2e-5,
             mc_figure_table[ids[k]].name);
    mc_figures_destroy(even);
    mc_figures_destroy(odd);
}

// Jerk from two rows, when none is given.
static void jerk_by_difference(void **state)
{
    (void)state;
    wave s = {.w = 2.0, .g = 1.0};
    mc_figures *given = make(0.001), *found = make(0.001);
    for (int k = 0; k <= 10000; k++) {
        mc_figures_row row = wave_at(&s, 0.001 * k);
        mc_figures_take(given, &row);
        row.jerk = NULL;
        mc_figures_take(found, &row);
    }
    near(mc_figures_value(found, 1, MC_FIGURE_RMS_JERK),
         mc_figures_value(given, 1, MC_FIGURE_RMS_JERK), 1e-5, "rms jerk");
    near(mc_figures_value(found, 1, MC_FIGURE_LARGEST_JERK), 4.0, 1e-4, "jerk");
    mc_figures_destroy(given);
    mc_figures_destroy(found);
}

static void saved_and_restored_to_the_bit(void **state)
{
    (void)state;
    const double step = 0.01;
    wave s = {.w = 1.3, .g = 0.9};
    mc_figures *whole = make(step), *first = make(step), *second = make(step);
    double saved[DOUBLES_MAX], end_1[DOUBLES_MAX], end_2[DOUBLES_MAX];
    const int size = mc_figures_size(first);
    assert_true(size > 0 && size <= DOUBLES_MAX);
    run_wave(whole, &s, step, 3000);
    run_wave(first, &s, step, 1234);
    mc_figures_save(first, saved);
    mc_figures_restore(second, saved);
    for (int k = 1235; k <= 3000; k++) {
        const mc_figures_row row = wave_at(&s, step * k);
        mc_figures_take(second, &row);
    }
    mc_figures_save(whole, end_1);
    mc_figures_save(second, end_2);
    assert_memory_equal(end_1, end_2, (size_t)size * sizeof(double));
    mc_figures_destroy(whole);
    mc_figures_destroy(first);
    mc_figures_destroy(second);
}

static void a_whole_run_at_once(void **state)
{
    (void)state;
    enum { ROWS = 200 };
    static double t[ROWS], x[ROWS * CARS], v[ROWS * CARS], a[ROWS * CARS];
    wave s = {.w = 1.3, .g = 0.9};
    mc_figures *one = make(0.05), *other = make(0.05);
    for (int r = 0; r < ROWS; r++) {
        mc_figures_row row = wave_at(&s, 0.05 * r);
        t[r] = row.t;
        memcpy(x + r * CARS, row.x, sizeof s.x);
        memcpy(v + r * CARS, row.v, sizeof s.v);
        memcpy(a + r * CARS, row.a, sizeof s.a);
        row.jerk = row.desired_gap = row.fuel = NULL;
        mc_figures_take(one, &row);
    }
    const mc_figures_row columns = {.x = x, .v = v, .a = a};
    mc_figures_take_all(other, ROWS, t, &columns);
    for (int k = 0; k < MC_FIGURE_COUNT; k++)
        for (int car = -1; car < CARS; car++) {
            const double p = mc_figures_value(one, car, (mc_figure_id)k);
            const double q = mc_figures_value(other, car, (mc_figure_id)k);
            assert_memory_equal(&p, &q, sizeof p);
        }
    mc_figures_destroy(one);
    mc_figures_destroy(other);
}

static void collisions_can_be_told_as_totals(void **state)
{
    (void)state;
    wave s = {.w = 1.0, .g = 1.0};
    mc_figures *f = make(0.1);
    run_wave(f, &s, 0.1, 10);
    mc_figures_set_collisions(f, 2, 80.0);
    mc_figures_set_collisions(f, 3, 95.0);
    assert_true(mc_figures_value(f, -1, MC_FIGURE_COLLISIONS) == 3.0);
    assert_true(mc_figures_value(f, -1, MC_FIGURE_COLLISION_ENERGY) == 95.0);
    mc_figures_destroy(f);
}

static void nothing_is_allocated_by_rows(void **state)
{
    (void)state;
    const char *const names[CARS] = {"a", "b", "c"};
    const mc_condition_line line = {.formula = "b.smallest.gap < 1 m or largest.jerk > 50"};
    mc_conditions *c = mc_conditions_create(&line, 1, names, CARS, NULL);
    wave s = {.w = 1.0, .g = 0.9};
    mc_figures *f = make(0.1);
    assert_non_null(c);
    const size_t before = mallinfo2().uordblks;
    for (int k = 0; k < 500; k++) {
        const mc_figures_row row = wave_at(&s, 0.1 * k + 0.01 * (k % 3)); // uneven
        mc_figures_take(f, &row);
        assert_int_equal(mc_conditions_first(c, f), -1);
    }
    assert_true(mallinfo2().uordblks == before);
    mc_figures_destroy(f);
    mc_conditions_destroy(c);
}

static void bad_set_ups_are_rejected(void **state)
{
    (void)state;
    double length[2] = {4.0, 4.0};
    int front[2] = {-1, 0};
    const mc_figures_setup good = {.count = 2,
                                   .length = length,
                                   .front = front,
                                   .step = 0.1,
                                   .fuel_density = 745.0,
                                   .mileage_window = 100.0,
                                   .mileage_alpha = 0.1,
                                   .mileage_min_fuel = 1e-3,
                                   .mileage_start = 10.0};
    mc_error error;
    mc_figures_setup bad = good;
    bad.step = 0.0;
    assert_null(mc_figures_create(&bad, &error));
    assert_string_equal(error.text, "figures: the step is 0 s, expected 1e-09 .. 1e+06");
    bad = good, bad.step = NAN;
    assert_null(mc_figures_create(&bad, &error));
    bad = good, bad.count = 0;
    assert_null(mc_figures_create(&bad, &error));
    bad = good, bad.fuel_density = -1.0;
    assert_null(mc_figures_create(&bad, &error));
    bad = good, bad.mileage_window = 0.0;
    assert_null(mc_figures_create(&bad, &error));
    assert_string_equal(error.text, "figures: mileage window is 0 s, expected 0.01 .. 1e+06");
    bad = good, front[1] = 1;
    assert_null(mc_figures_create(&bad, &error));
    assert_string_equal(
        error.text,
        "figures: car 1 has car 1 in front; expected another of the 2 cars, from 0, or -1");
    front[1] = 2;
    assert_null(mc_figures_create(&bad, &error));
    front[1] = 0, length[1] = NAN;
    assert_null(mc_figures_create(&bad, &error));
}

static void the_table_is_whole(void **state)
{
    (void)state;
    for (int k = 0; k < MC_FIGURE_COUNT; k++) {
        const mc_figure *row = &mc_figure_table[k];
        assert_non_null(row->name);
        assert_true(row->unit && row->unit[0] && row->doc && row->doc[0]);
        assert_int_equal(mc_figure_find(row->name), k); // so names are unique
    }
    assert_int_equal(mc_figure_find("largest.spacing"), MC_FIGURE_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sines_have_closed_forms),
        cmocka_unit_test(lateral_errors),
        cmocka_unit_test(comfort_of_a_sine),
        cmocka_unit_test(fuel_in_all_units),
        cmocka_unit_test(closing_in),
        cmocka_unit_test(rows_may_be_irregular),
        cmocka_unit_test(jerk_by_difference),
        cmocka_unit_test(saved_and_restored_to_the_bit),
        cmocka_unit_test(a_whole_run_at_once),
        cmocka_unit_test(collisions_can_be_told_as_totals),
        cmocka_unit_test(nothing_is_allocated_by_rows),
        cmocka_unit_test(bad_set_ups_are_rejected),
        cmocka_unit_test(the_table_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
