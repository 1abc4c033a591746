// test_dynavis.c - DYNAVIS files that are right: every item of appendix B, the report's samples.
#include "motorcade/dynavis.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FOLDER SOURCE_DIR "/scenarios/dynavis/"

static mc_error error;

static mc_dynavis_params params_of(const char *text, int version)
{
    mc_dynavis_params params;
    error = (mc_error){0};
    mc_dynavis_params_parse(text, strlen(text), "p.par", version, &params, &error);
    assert_string_equal(error.text, "");
    return params;
}

static mc_dynavis_data *data_of(const char *params_text, int version, const char *text)
{
    const mc_dynavis_params params = params_of(params_text, version);
    mc_dynavis_data *data =
        mc_dynavis_data_parse(text, strlen(text), "d.dat", &params, NULL, &error);
    assert_string_equal(error.text, "");
    assert_non_null(data);
    return data;
}

static void check_close(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g, expected %.17g", value, expected);
}

// Nothing but t and x of each car; a test switches on what it is about.
#define BARE                                                                                       \
    "Lanes=1\nTime_Headway_given=0\nFixed_Headway_given=0\nRelPosition_X=0\nRelPosition_Y=0\n"     \
    "Velocity_Y=0\nAccel_avail=0\nJerk_avail=0\nNcars_given=0\nCarID_given=0\n"
#define BARE_2 BARE "Cars=2\nVelocity_X=0\n"
#define SPEED_2 BARE "Cars=2\nVelocity_X=1\n"

// ---- parameter file ----

static void test_defaults_depend_on_the_version(void **state)
{
    (void)state;
    const mc_dynavis_params one = params_of("", 1), two = params_of("# nothing\n\n", 2);
    assert_int_equal((int)one.value[MC_DYNAVIS_PARAM_LANES], 2);
    assert_int_equal((int)one.value[MC_DYNAVIS_PARAM_CARS], 4);
    assert_int_equal((int)two.value[MC_DYNAVIS_PARAM_LANES], 1);
    assert_int_equal((int)two.value[MC_DYNAVIS_PARAM_CARS], 8);
    assert_int_equal((int)one.value[MC_DYNAVIS_PARAM_CAR_COUNT_GIVEN], 0);
    assert_int_equal((int)two.value[MC_DYNAVIS_PARAM_CAR_COUNT_GIVEN], 1);
    for (int i = 0; i < MC_DYNAVIS_PARAM_COUNT; i++) {
        const mc_param *row = &mc_dynavis_param_rows[i];
        assert_true(two.value[i] >= row->min && two.value[i] <= row->max);
        assert_int_equal(two.line[i], 0);
    }
}

static void test_sample_of_the_report(void **state)
{
    (void)state;
    static const double expected[MC_DYNAVIS_PARAM_COUNT] = {
        1, 2, 0, 0, 2.6, 0.5, 0.5, 0.5, 1, 0, 0, 1, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 5.5626};
    mc_dynavis_params params;
    assert_int_equal(mc_dynavis_params_read(FOLDER "sample.par", 2, &params, &error), MC_OK);
    for (int i = 0; i < MC_DYNAVIS_PARAM_COUNT; i++) {
        if (params.value[i] != expected[i])
            fail_msg("%s is %g", mc_dynavis_param_rows[i].name, params.value[i]);
        assert_int_equal(params.line[i], i < MC_DYNAVIS_PARAM_POSITION_Y_GIVEN ? i + 1 : 0);
    }
}

// Case, '-', '_', '.', blanks in the item and around '=', a comma, CR LF, a byte order mark.
static void test_spellings(void **state)
{
    (void)state;
    const mc_dynavis_params p =
        params_of("\xEF\xBB\xBFLANE=3\r\n  ncarsgiven =0 ,\rCarID.given= 0,\nTimHdwyL 2=1.5\n"
                  "timeheadway-GIVEN=0\nEstimate_Acceleration\t=\t1\nPosition-Y = 1\n"
                  "rel-position_y=0\n # a comment\nFixHdwy=2e0",
                  2);
    assert_int_equal((int)p.value[MC_DYNAVIS_PARAM_LANES], 3);
    assert_int_equal((int)p.value[MC_DYNAVIS_PARAM_CAR_COUNT_GIVEN], 0);
    assert_int_equal((int)p.value[MC_DYNAVIS_PARAM_CAR_ID_GIVEN], 0);
    check_close(p.value[MC_DYNAVIS_PARAM_TIME_HEADWAY_2], 1.5, 0.0);
    assert_int_equal((int)p.value[MC_DYNAVIS_PARAM_TIME_HEADWAY_GIVEN], 0);
    assert_int_equal((int)p.value[MC_DYNAVIS_PARAM_ESTIMATE_ACCELERATION], 1);
    assert_int_equal((int)p.value[MC_DYNAVIS_PARAM_POSITION_Y_GIVEN], 1);
    assert_int_equal((int)p.value[MC_DYNAVIS_PARAM_RELATIVE_Y], 0);
    check_close(p.value[MC_DYNAVIS_PARAM_FIXED_HEADWAY], 2.0, 0.0);
    assert_int_equal(p.line[MC_DYNAVIS_PARAM_FIXED_HEADWAY], 10);
}

// ---- the whole line ----

// #cars t {time headway} {fixed headway} {id x y v_x v_y a jerk}
static void test_all_fields_without_parameter_file(void **state)
{
    (void)state;
    mc_dynavis_data *d = data_of("", 2,
                                 "2 0.5 1.25 6 17 100 -3.4 20 0.25 1.5 -2 9 80 0.5 21 0 -1 3\n"
                                 "2 1.0 1.50 7 17 110 -3.4 21 0.25 1.5 -2 9 91 0.5 20 0 -1 3\n");
    assert_int_equal(d->frame_count, 2);
    const mc_dynavis_frame *f = &d->frames[0];
    check_close(f->t, 0.5, 0.0);
    check_close(f->time_headway[0], 1.25, 0.0);
    check_close(f->time_headway[1], 1.0, 0.0); // the parameter file's
    check_close(f->fixed_headway[0], 6.0, 0.0);
    const mc_dynavis_car *c = &f->cars[0];
    assert_int_equal(c->id, 17);
    assert_int_equal(c->lane, 2);
    check_close(c->x, 100.0, 0.0);
    check_close(c->y, -3.4, 0.0);
    check_close(c->v_x, 20.0, 0.0);
    check_close(c->v_y, 0.25, 0.0);
    check_close(c->a, 1.5, 0.0);
    check_close(c->jerk, -2.0, 0.0);
    assert_int_equal(f->cars[1].id, 9);
    assert_int_equal(f->cars[1].lane, 1);
    check_close(mc_dynavis_data_last(d)->cars[1].x, 91.0, 0.0);
    assert_string_equal(d->method, "everything was read");
    mc_dynavis_data_free(d);
}

// ---- one test per item ----

static void test_lanes(void **state)
{
    (void)state;
    mc_dynavis_data *d = data_of(BARE "Cars=2\nVelocity_X=1\n", 2, "0 10 1 5 2\n");
    assert_int_equal(d->frames[0].cars[1].platoon, 1);
    mc_dynavis_data_free(d);
    char text[512];
    snprintf(text, sizeof text, "%s", BARE "Cars=2\nVelocity_X=1\n");
    text[strlen("Lanes=")] = '3';
    d = data_of(text, 2, "0 10 1 5 2 20 3 15 4 30 5 25 6\n");
    assert_int_equal(d->frames[0].car_count, 6);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(d->frames[0].cars[i].platoon, i / 2 + 1);
        assert_int_equal(d->frames[0].cars[i].lane, i / 2 + 1);
        check_close(d->frames[0].cars[i].y, -3.4 * (i / 2), 0.0);
        check_close(d->frames[0].cars[i].v_x, i + 1.0, 0.0);
    }
    mc_dynavis_data_free(d);
}

static void test_cars(void **state)
{
    (void)state;
    mc_dynavis_data *d = data_of(BARE "Cars=3\nVelocity_X=0\n", 2, "0 1 2 3\n1 2 3 4\n");
    assert_int_equal(d->frames[0].car_count, 3);
    assert_int_equal(d->frames[1].cars[2].id, 3);
    mc_dynavis_data_free(d);
    d = data_of("Ncars_given=0\nCarID_given=0\nTime_Headway_given=0\nFixed_Headway_given=0\n"
                "RelPosition_Y=0\nVelocity_Y=0\nAccel_avail=0\nJerk_avail=0\n",
                1, "0 1 1 2 1 3 1 4 1 5 1 6 1 7 1 8 1\n"); // version 1: 2 lanes of 4
    assert_int_equal(d->frames[0].car_count, 8);
    assert_int_equal(d->frames[0].cars[4].platoon, 2);
    mc_dynavis_data_free(d);
}

static void test_headways_of_the_parameter_file(void **state)
{
    (void)state;
    mc_dynavis_data *d = data_of(BARE_2 "TimHdwyL1=0.7\nTimHdwyL2=0.8\nTimHdwyL3=0.9\n"
                                        "FixHdwyL1=5\nFixHdwyL2=6\nFixHdwyL3=7\n",
                                 2, "0 1 2\n");
    for (int k = 0; k < 3; k++) {
        check_close(d->frames[0].time_headway[k], 0.7 + 0.1 * k, 1e-15);
        check_close(d->frames[0].fixed_headway[k], 5.0 + k, 0.0);
    }
    mc_dynavis_data_free(d);
}

static void test_time_headway_given(void **state)
{
    (void)state;
    mc_dynavis_data *d =
        data_of("Lanes=2\nCars=1\nTime_Headway_given=1\nFixed_Headway_given=0\nRelPosition_Y=0\n"
                "Velocity_Y=0\nAccel_avail=0\nJerk_avail=0\nNcars_given=0\nCarID_given=0\n"
                "TimHdwyL3=4\n",
                2, "0 1.1 1.2 50 20 60 21\n1 1.3 1.4 70 20 80 21\n");
    check_close(d->frames[1].time_headway[0], 1.3, 0.0);
    check_close(d->frames[1].time_headway[1], 1.4, 0.0);
    check_close(d->frames[1].time_headway[2], 4.0, 0.0);
    check_close(d->frames[1].cars[1].x, 80.0, 0.0);
    mc_dynavis_data_free(d);
}

static void test_fixed_headway_given(void **state)
{
    (void)state;
    mc_dynavis_data *d =
        data_of("Lanes=3\nCars=1\nTime_Headway_given=1\nFixed_Headway_given=1\nRelPosition_Y=0\n"
                "Velocity_Y=0\nAccel_avail=0\nJerk_avail=0\nNcars_given=0\nCarID_given=0\n",
                2, "0 1 2 3 4 5 6 50 20 60 21 70 22\n");
    for (int k = 0; k < 3; k++) {
        check_close(d->frames[0].time_headway[k], 1.0 + k, 0.0);
        check_close(d->frames[0].fixed_headway[k], 4.0 + k, 0.0);
    }
    check_close(d->frames[0].cars[2].v_x, 22.0, 0.0);
    mc_dynavis_data_free(d);
}

#define RELATIVE                                                                                   \
    "Lanes=1\nTime_Headway_given=0\nFixed_Headway_given=0\nRelPosition_X=1\nRelPosition_Y=0\n"     \
    "Velocity_X=1\nVelocity_Y=0\nJerk_avail=0\nNcars_given=0\nCarID_given=0\n"

// Trapezoidal rule by hand: 0, 0.5 * (10 + 12)/2, + 1.5 * (12 + 9)/2.
static void test_relative_x(void **state)
{
    (void)state;
    mc_dynavis_data *d = data_of(RELATIVE "Cars=3\nAccel_avail=0\n", 2,
                                 "0   10 20 11 15 12\n0.5 12 21 11 14 12\n2.0  9 22 11 13 12\n");
    static const double leader[] = {0.0, 5.5, 21.25};
    for (int f = 0; f < 3; f++) {
        const mc_dynavis_car *c = d->frames[f].cars;
        check_close(c[0].x, leader[f], 1e-14);
        check_close(c[1].x, leader[f] - 20.0 - f, 1e-14);
        check_close(c[2].x, leader[f] - 20.0 - f - 15.0 + f, 1e-14);
    }
    assert_int_equal(d->x, MC_DYNAVIS_SOURCE_COMPUTED);
    mc_dynavis_data_free(d);
}

// With accelerations the integral is exact for a cubic speed, whatever the steps: v = 5 + t^3/10.
static void test_relative_x_with_accelerations(void **state)
{
    (void)state;
    char text[1000] = "";
    static const double t[] = {0.0, 0.3, 1.1, 1.2, 2.0, 4.0};
    for (int k = 0; k < 6; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%.17g %.17g %.17g\n", t[k],
                 5.0 + 0.1 * pow(t[k], 3), 0.3 * t[k] * t[k]);
    mc_dynavis_data *d = data_of(RELATIVE "Cars=1\nAccel_avail=1\n", 2, text);
    for (int k = 0; k < 6; k++)
        check_close(d->frames[k].cars[0].x, 5.0 * t[k] + 0.025 * pow(t[k], 4), 1e-13);
    mc_dynavis_data_free(d);
}

static void test_relative_y(void **state)
{
    (void)state;
    const char *rest = "Time_Headway_given=0\nFixed_Headway_given=0\nVelocity_X=1\nVelocity_Y=0\n"
                       "Accel_avail=0\nJerk_avail=0\nNcars_given=0\nCarID_given=0\n";
    char text[512];
    // Several lanes: from the centre of the platoon's lane; the platoon stays when the lane
    // changes.
    snprintf(text, sizeof text, "Lanes=2\nCars=1\nRelPosition_Y=1\n%s", rest);
    mc_dynavis_data *d = data_of(text, 2, "0 1 0.25 9 2 3.0 8\n");
    check_close(d->frames[0].cars[0].y, 0.25, 0.0);
    check_close(d->frames[0].cars[1].y, -0.4, 1e-15);
    assert_int_equal(d->frames[0].cars[1].lane, 1);
    assert_int_equal(d->frames[0].cars[1].platoon, 2);
    mc_dynavis_data_free(d);
    // One lane: from the centre of lane 1.
    snprintf(text, sizeof text, "Lanes=1\nCars=2\nRelPosition_Y=1\n%s", rest);
    d = data_of(text, 2, "0 1 0.25 9 2 -6.5 8\n");
    check_close(d->frames[0].cars[1].y, -6.5, 0.0);
    assert_int_equal(d->frames[0].cars[1].lane, 3);
    mc_dynavis_data_free(d);
    // 0: not in the file.
    snprintf(text, sizeof text, "Lanes=2\nCars=1\nRelPosition_Y=0\n%s", rest);
    d = data_of(text, 2, "0 1 9 2 8\n");
    check_close(d->frames[0].cars[1].y, -3.4, 0.0);
    mc_dynavis_data_free(d);
    // The manual's remark: Lane = 2, Cars = N, Position-Y = 0.
    snprintf(text, sizeof text, "Lane=2\nCars=1\nPosition-Y=0\n%s", rest);
    d = data_of(text, 2, "0 1 9 2 8\n");
    check_close(d->frames[0].cars[1].y, -3.4, 0.0);
    mc_dynavis_data_free(d);
    // Position_Y_given: in the file, from the centre of lane 1 whatever the platoon.
    snprintf(text, sizeof text, "Lanes=2\nCars=1\nRelPosition_Y=0\nPosition_Y_given=1\n%s", rest);
    d = data_of(text, 2, "0 1 0.25 9 2 -3.0 8\n");
    check_close(d->frames[0].cars[1].y, -3.0, 0.0);
    mc_dynavis_data_free(d);
}

static void test_lane_of_y(void **state)
{
    (void)state;
    static const struct {
        double y;
        int lane;
    } cases[] = {{0, 1},    {100, 1},   {-1.69, 1}, {-1.7, 1}, {-1.71, 2},
                 {-3.4, 2}, {-5.09, 2}, {-5.11, 3}, {-6.8, 3}, {-100, 3}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        assert_int_equal(mc_dynavis_lane(cases[k].y), cases[k].lane);
}

static void test_velocity_x(void **state)
{
    (void)state;
    mc_dynavis_data *d = data_of(SPEED_2, 2, "0 10 20 0 22\n");
    check_close(d->frames[0].cars[1].v_x, 22.0, 0.0);
    assert_int_equal(d->v_x, MC_DYNAVIS_SOURCE_READ);
    mc_dynavis_data_free(d);
    // Not there: the slope of x; a straight line gives it exactly.
    d = data_of(BARE_2, 2, "0 10 0\n0.1 12 1\n0.3 16 3\n0.35 17 3.5\n");
    for (int f = 0; f < 4; f++) {
        check_close(d->frames[f].cars[0].v_x, 20.0, 1e-10);
        check_close(d->frames[f].cars[1].v_x, 10.0, 1e-10);
    }
    assert_int_equal(d->v_x, MC_DYNAVIS_SOURCE_FITTED);
    mc_dynavis_data_free(d);
}

static void test_velocity_y(void **state)
{
    (void)state;
    const char *rest = "Lanes=1\nCars=1\nTime_Headway_given=0\nFixed_Headway_given=0\n"
                       "Accel_avail=0\nJerk_avail=0\nNcars_given=0\nCarID_given=0\n";
    char text[512];
    snprintf(text, sizeof text, "%sVelocity_Y=1\nRelPosition_Y=0\n", rest);
    mc_dynavis_data *d = data_of(text, 2, "0 10 20 -0.5\n");
    check_close(d->frames[0].cars[0].v_y, -0.5, 0.0);
    mc_dynavis_data_free(d);
    snprintf(text, sizeof text, "%sVelocity_Y=0\nRelPosition_Y=1\n", rest);
    d = data_of(text, 2, "0 0 0 20\n0.1 2 -0.1 20\n0.3 6 -0.3 20\n0.4 8 -0.4 20\n");
    check_close(d->frames[2].cars[0].v_y, -1.0, 1e-12);
    assert_int_equal(d->v_y, MC_DYNAVIS_SOURCE_FITTED);
    mc_dynavis_data_free(d);
    snprintf(text, sizeof text, "%sVelocity_Y=0\nRelPosition_Y=0\n", rest);
    d = data_of(text, 2, "0 10 20\n");
    check_close(d->frames[0].cars[0].v_y, 0.0, 0.0);
    mc_dynavis_data_free(d);
}

// v = 20 + 2 t - t^2/2 at uneven times: a and jerk are exact for a parabola.
#define PARABOLA                                                                                   \
    "0 20\n0.1 20.195\n0.25 20.46875\n0.4 20.72\n0.6 21.02\n0.7 21.155\n0.95 21.44875\n"
#define ONE_CAR                                                                                    \
    "Lanes=1\nCars=1\nTime_Headway_given=0\nFixed_Headway_given=0\nRelPosition_X=1\n"              \
    "RelPosition_Y=0\nVelocity_Y=0\nNcars_given=0\nCarID_given=0\n"

static void test_acceleration_and_its_estimate(void **state)
{
    (void)state;
    mc_dynavis_data *d = data_of(ONE_CAR "Accel_avail=1\nJerk_avail=0\n", 2, "0 20 1.5\n");
    check_close(d->frames[0].cars[0].a, 1.5, 0.0);
    assert_int_equal(d->a, MC_DYNAVIS_SOURCE_READ);
    mc_dynavis_data_free(d);
    d = data_of(ONE_CAR "Accel_avail=0\nJerk_avail=0\nEstimateAcceleration=0\n", 2, PARABOLA);
    assert_int_equal(d->a, MC_DYNAVIS_SOURCE_UNKNOWN);
    assert_true(isnan(d->frames[3].cars[0].a));
    mc_dynavis_data_free(d);
    d = data_of(ONE_CAR "Accel_avail=0\nJerk_avail=0\nEstimateAcceleration=1\n", 2, PARABOLA);
    assert_int_equal(d->a, MC_DYNAVIS_SOURCE_FITTED);
    for (int f = 0; f < d->frame_count; f++)
        check_close(d->frames[f].cars[0].a, 2.0 - d->frames[f].t, 1e-11);
    mc_dynavis_data_free(d);
}

static void test_jerk_and_its_estimate(void **state)
{
    (void)state;
    mc_dynavis_data *d = data_of(ONE_CAR "Accel_avail=0\nJerk_avail=1\n", 2, "0 20 -3\n");
    check_close(d->frames[0].cars[0].jerk, -3.0, 0.0);
    mc_dynavis_data_free(d);
    d = data_of(ONE_CAR "Accel_avail=0\nJerk_avail=0\nEstimate_Jerk=0\n", 2, PARABOLA);
    assert_int_equal(d->jerk, MC_DYNAVIS_SOURCE_UNKNOWN);
    assert_true(isnan(d->frames[3].cars[0].jerk));
    mc_dynavis_data_free(d);
    d = data_of(ONE_CAR "Accel_avail=0\nJerk_avail=0\nEstimate_Jerk=1\n", 2, PARABOLA);
    for (int f = 0; f < d->frame_count; f++)
        check_close(d->frames[f].cars[0].jerk, -1.0, 1e-9);
    mc_dynavis_data_free(d);
    // From accelerations when they are available: a = 1 + 0.5 t.
    d = data_of(ONE_CAR "Accel_avail=1\nJerk_avail=0\nEstimate_Jerk=1\n", 2,
                "0 9 1\n0.1 9 1.05\n0.3 9 1.15\n0.5 9 1.25\n");
    check_close(d->frames[1].cars[0].jerk, 0.5, 1e-12);
    mc_dynavis_data_free(d);
}

// One line is enough for a start; what would need more is not known.
static void test_simulation(void **state)
{
    (void)state;
    mc_dynavis_data *d = data_of(
        ONE_CAR "Accel_avail=0\nJerk_avail=0\nSimulation=1\nEstimateAcceleration=1\n", 2, "7 20\n");
    assert_int_equal((int)d->params.value[MC_DYNAVIS_PARAM_SIMULATION], 1);
    assert_int_equal(d->frame_count, 1);
    check_close(mc_dynavis_data_last(d)->t, 7.0, 0.0);
    check_close(mc_dynavis_data_last(d)->cars[0].v_x, 20.0, 0.0);
    assert_true(isnan(mc_dynavis_data_last(d)->cars[0].a));
    assert_string_equal(d->notes[0], "1 line: too few to estimate rates well");
    mc_dynavis_data_free(d);
}

static void test_same_platoon_leader(void **state)
{
    (void)state;
    const char *rest = "Time_Headway_given=0\nFixed_Headway_given=0\nVelocity_X=1\nVelocity_Y=0\n"
                       "Jerk_avail=0\nNcars_given=0\nSamePlatoonLeader=1\n";
    char text[512];
    snprintf(text, sizeof text,
             "Lanes=3\nCars=2\nRelPosition_X=0\nRelPosition_Y=1\nAccel_avail=1\nCarID_given=1\n%s",
             rest);
    mc_dynavis_data *d =
        data_of(text, 2, "0 7 100 0.5 20 1  8 90 0 21 2  5 80 0.1 22 3  6 70 0.2 23 4\n");
    const mc_dynavis_car *c = d->frames[0].cars;
    assert_int_equal(d->frames[0].car_count, 6);
    for (int k = 1; k < 3; k++) {
        const mc_dynavis_car *copy = &c[2 * k];
        assert_int_equal(copy->id, 7 + 1000 * k);
        assert_int_equal(copy->platoon, k + 1);
        check_close(copy->x, 100.0, 0.0);
        check_close(copy->v_x, 20.0, 0.0);
        check_close(copy->a, 1.0, 0.0);
        check_close(copy->y, 0.5 - 3.4 * k, 1e-15);
    }
    check_close(c[3].x, 80.0, 0.0);
    check_close(c[3].y, 0.1 - 3.4, 1e-15);
    assert_int_equal(c[5].id, 6);
    mc_dynavis_data_free(d);
    // Together with distances: followers of lane 2 count from the copy.
    snprintf(text, sizeof text,
             "Lanes=2\nCars=2\nRelPosition_X=1\nRelPosition_Y=0\nAccel_avail=0\nCarID_given=0\n%s",
             rest);
    d = data_of(text, 2, "0 10 30 11 40 12\n2 10 31 11 41 12\n");
    c = d->frames[1].cars;
    check_close(c[0].x, 20.0, 0.0);
    check_close(c[1].x, 20.0 - 31.0, 0.0);
    check_close(c[2].x, 20.0, 0.0);
    check_close(c[2].y, -3.4, 0.0);
    check_close(c[3].x, 20.0 - 41.0, 0.0);
    mc_dynavis_data_free(d);
    // One lane: no effect, as in the report's sample.
    mc_dynavis_params params;
    assert_int_equal(mc_dynavis_params_read(FOLDER "sample.par", 2, &params, &error), MC_OK);
    const char line[] = "0 1.5 100 0 20 0.5 80 0.1 21 0.25\n";
    d = mc_dynavis_data_parse(line, strlen(line), "d", &params, NULL, &error);
    assert_non_null(d);
    check_close(d->frames[0].time_headway[0], 1.5, 0.0);
    check_close(d->frames[0].cars[1].a, 0.25, 0.0);
    mc_dynavis_data_free(d);
}

static void test_number_of_cars_changes(void **state)
{
    (void)state;
    mc_dynavis_data *d =
        data_of("Time_Headway_given=0\nFixed_Headway_given=0\nRelPosition_Y=0\nVelocity_Y=0\n"
                "Accel_avail=0\nJerk_avail=0\nEstimateAcceleration=1\n",
                2,
                "2 0   4 100 20 5 80 10\n"
                "3 0.1 5 81 11 4 102 20 9 10 5\n" // another order, and one comes
                "1 0.2 5 82.2 12\n"               // two go
                "2 0.3 5 83.5 13 4 108 20\n"      // one comes again
                "0 0.4\n");
    assert_int_equal(d->frame_count, 5);
    assert_int_equal(d->min_cars, 0);
    assert_int_equal(d->max_cars, 3);
    assert_int_equal(d->track_count, 4);
    for (int f = 0; f < 4; f++)
        for (int i = 0; i < d->frames[f].car_count; i++)
            if (d->frames[f].cars[i].id == 5) // 10 m/s^2 through all of it
                check_close(d->frames[f].cars[i].a, 10.0, 1e-9);
    assert_true(isnan(d->frames[1].cars[2].a)); // there for one line only
    mc_dynavis_data_free(d);
    d = data_of(BARE "Cars=5\nVelocity_X=1\n", 2, "0 1 1 2 1 3 1 4 1 5 1\n"); // Ncars_given = 0
    assert_int_equal(d->frames[0].car_count, 5);
    mc_dynavis_data_free(d);
}

static void test_car_id_given(void **state)
{
    (void)state;
    mc_dynavis_data *d = data_of("Lanes=1\nCars=2\nTime_Headway_given=0\nFixed_Headway_given=0\n"
                                 "RelPosition_Y=0\nVelocity_Y=0\nAccel_avail=0\nJerk_avail=0\n"
                                 "Ncars_given=0\nCarID_given=1\n",
                                 2, "0 42 1 1 0 2 1\n");
    assert_int_equal(d->frames[0].cars[0].id, 42);
    assert_int_equal(d->frames[0].cars[1].id, 0);
    mc_dynavis_data_free(d);
}

// When a leader leaves, the next car takes over and continues from where it is.
static void test_leader_goes(void **state)
{
    (void)state;
    mc_dynavis_data *d = data_of("Time_Headway_given=0\nFixed_Headway_given=0\nRelPosition_X=1\n"
                                 "RelPosition_Y=0\nVelocity_Y=0\nAccel_avail=0\nJerk_avail=0\n",
                                 2, "2 0 4 20 5 30 10\n2 1 4 20 5 30 10\n1 2 5 10\n");
    check_close(d->frames[1].cars[1].x, -10.0, 0.0);
    check_close(d->frames[2].cars[0].x, 0.0, 0.0);
    mc_dynavis_data_free(d);
}

static void test_notes(void **state)
{
    (void)state;
    mc_dynavis_data *d = data_of(RELATIVE "Cars=2\nAccel_avail=1\nEstimateAcceleration=1\n", 2,
                                 "0 20 0 -30 20 0\n1 20 0 -30 20 0\n");
    assert_int_equal(d->note_count, 2);
    assert_non_null(strstr(d->notes[0], "EstimateAcceleration = 1 has no effect"));
    assert_non_null(strstr(d->notes[1], "every distance is negative"));
    mc_dynavis_data_free(d);
    d = data_of("Time_Headway_given=0\nFixed_Headway_given=0\nRelPosition_Y=0\nVelocity_Y=0\n"
                "Accel_avail=0\nJerk_avail=0\nCarID_given=0\n",
                2, "2 0 10 1 5 1\n1 1 11 1\n");
    assert_int_equal(d->note_count, 1);
    assert_non_null(strstr(d->notes[0], "the number of cars changes and there are no ids"));
    mc_dynavis_data_free(d);
    d = data_of(SPEED_2, 2, "0 0 9 5 9\n1 20 9 25 9\n2 40 9 45 9\n3 60 9 65 9\n4 80 9 85 9\n");
    assert_int_equal(d->note_count, 1);
    assert_string_equal(d->notes[0], "car 1 moves 80 m, but its speed integrates to 36 m: does the "
                                     "parameter file belong to this data file?");
    mc_dynavis_data_free(d);
}

// ---- ramps and cars ----

static void test_ramps(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double miles;
        bool on, connector;
    } expected[] = {{"Vermont Blvd", 0.5, true, false},    {"Hoover St", 1.0, false, false},
                    {"Washington Blvd", 2.0, true, false}, {"60 Freeway S", 2.6, false, true},
                    {"60 Freeway", 3.1, true, true},       {"Santa Fe St", 3.6, false, false}};
    mc_dynavis_ramp *ramps;
    int count;
    assert_int_equal(mc_dynavis_ramps_read(FOLDER "freeway.ramps", &ramps, &count, &error), MC_OK);
    assert_int_equal(count, 6);
    for (int k = 0; k < count; k++) {
        assert_string_equal(ramps[k].name, expected[k].name);
        check_close(ramps[k].x, expected[k].miles * 1609.344, 1e-9);
        assert_int_equal(ramps[k].on, expected[k].on);
        assert_int_equal(ramps[k].connector, expected[k].connector);
    }
    free(ramps);
    const char other[] = "A 1 on CONNECTOR\r\nB + 0.5 Off\n2nd  St 3 ON\n";
    assert_int_equal(mc_dynavis_ramps_parse(other, strlen(other), "r", &ramps, &count, &error),
                     MC_OK);
    assert_int_equal(count, 3);
    check_close(ramps[1].x, 1.5 * 1609.344, 1e-9);
    assert_string_equal(ramps[2].name, "2nd  St");
    check_close(ramps[2].x, 3.0 * 1609.344, 1e-9);
    free(ramps);
}

// Written and read again: the same ramps, to the bit, whether they count from the one before or
// from the start; an x of another origin to its last digit.
static void test_ramps_are_written(void **state)
{
    (void)state;
    char path[] = "/tmp/motorcade_ramps_XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    for (int way = 0; way < 3; way++) {
        mc_dynavis_ramp *ramps, *again;
        int count, count_again;
        assert_int_equal(mc_dynavis_ramps_read(FOLDER "freeway.ramps", &ramps, &count, &error),
                         MC_OK);
        assert_true(ramps[1].after && ramps[1].miles == 0.5 && !ramps[0].after);
        for (int k = 0; k < count && way > 0; k++) {
            ramps[k].miles = 0.0;
            ramps[k].after = false;
            ramps[k].x += way == 2 ? k / 7.0 : 0.0;
        }
        assert_int_equal(mc_dynavis_ramps_write(path, ramps, count, &error), MC_OK);
        assert_int_equal(mc_dynavis_ramps_read(path, &again, &count_again, &error), MC_OK);
        assert_int_equal(count_again, count);
        for (int k = 0; k < count; k++) {
            assert_string_equal(again[k].name, ramps[k].name);
            assert_true(fabs(again[k].x - ramps[k].x) <= (way == 2 ? 1e-12 : 0.0));
            assert_true(again[k].on == ramps[k].on && again[k].connector == ramps[k].connector);
            assert_true(way > 0 || again[k].after == ramps[k].after);
        }
        free(ramps);
        free(again);
    }
    unlink(path);
}

static void test_car_models(void **state)
{
    (void)state;
    mc_dynavis_model *models;
    int count;
    assert_int_equal(mc_dynavis_models_read(FOLDER "cars.models", &models, &count, &error), MC_OK);
    assert_int_equal(count, 4);
    assert_string_equal(models[1].name, "Lincoln Town Car V8 (L)");
    static const double given[] = {4055, 219, 77, 150, 0.6, 0.8, 210, 4.6};
    for (int k = 0; k < MC_DYNAVIS_MODEL_COUNT; k++)
        check_close(models[1].given[k], given[k], 0.0);
    const double *si = models[1].si;
    check_close(si[MC_DYNAVIS_MODEL_WEIGHT], 1839.317, 1e-3); // the project's default mass
    check_close(si[MC_DYNAVIS_MODEL_LENGTH], 5.5626, 1e-12);
    check_close(si[MC_DYNAVIS_MODEL_WIDTH], 1.9558, 1e-12);
    check_close(si[MC_DYNAVIS_MODEL_SPEED], 67.056, 1e-12);
    check_close(si[MC_DYNAVIS_MODEL_ACCELERATE], 0.6 * 9.81, 1e-12);
    check_close(si[MC_DYNAVIS_MODEL_POWER], 210 * 745.6998715822702, 1e-7);
    check_close(si[MC_DYNAVIS_MODEL_ENGINE], 0.0046, 1e-15);
    assert_string_equal(models[3].name, "Nissan Sentra 4 (S)");
    free(models);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults_depend_on_the_version),
        cmocka_unit_test(test_sample_of_the_report),
        cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_all_fields_without_parameter_file),
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_cars),
        cmocka_unit_test(test_headways_of_the_parameter_file),
        cmocka_unit_test(test_time_headway_given),
        cmocka_unit_test(test_fixed_headway_given),
        cmocka_unit_test(test_relative_x),
        cmocka_unit_test(test_relative_x_with_accelerations),
        cmocka_unit_test(test_relative_y),
        cmocka_unit_test(test_lane_of_y),
        cmocka_unit_test(test_velocity_x),
        cmocka_unit_test(test_velocity_y),
        cmocka_unit_test(test_acceleration_and_its_estimate),
        cmocka_unit_test(test_jerk_and_its_estimate),
        cmocka_unit_test(test_simulation),
        cmocka_unit_test(test_same_platoon_leader),
        cmocka_unit_test(test_number_of_cars_changes),
        cmocka_unit_test(test_car_id_given),
        cmocka_unit_test(test_leader_goes),
        cmocka_unit_test(test_notes),
        cmocka_unit_test(test_ramps),
        cmocka_unit_test(test_ramps_are_written),
        cmocka_unit_test(test_car_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
