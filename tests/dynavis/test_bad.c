// test_bad.c - DYNAVIS files that are wrong: the place and the words of every message.
#include "motorcade/dynavis.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static void check_message(const mc_error *error, const char *expected)
{
    char text[1024];
    mc_error_format(error, text, sizeof text);
    if (error->code != MC_BAD_INPUT || strcmp(text, expected) != 0)
        fail_msg("\n found: %s\n expected: %s", text, expected);
}

// ---- parameter file ----

static const struct {
    const char *text;
    int version;
    const char *message;
} params[] = {
    {"Lames= 1\n", 2, "p:1:1: unknown item \"Lames\"; did you mean Lanes?"},
    {"Lanes= 1\n  Acel-avail = 1\n", 2,
     "p:2:3: unknown item \"Acel-avail\"; did you mean Accel_avail?"},
    {"colour= 1\n", 2,
     "p:1:1: unknown item \"colour\"; expected one of: Lanes, Cars, TimHdwyL1, TimHdwyL2, "
     "TimHdwyL3, FixHdwyL1, FixHdwyL2, FixHdwyL3, Time_Headway_given, Fixed_Headway_given, "
     "RelPosition_X, RelPosition_Y, Velocity_X, Velocity_Y, Accel_avail, Jerk_avail, "
     "EstimateAcceleration, Estimate_Jerk, Simulation, SamePlatoonLeader, Ncars_given, "
     "CarID_given, Position_Y_given, Car_Length"},
    {"Lanes 1\n", 2, "p:1:1: found \"Lanes 1\", expected item = number"},
    {"= 1\n", 2, "p:1:1: the name of an item is missing before ="},
    {"Lanes=\n", 2, "p:1:7: the line ends, expected a number after Lanes ="},
    {"Lanes= two\n", 2, "p:1:8: found \"two\", expected a number after Lanes ="},
    {"Lanes= 4\n", 2,
     "p:1:8: Lanes = 4, expected a whole number within 1 .. 3 (number of platoons)"},
    {"Lanes= 1.5\n", 2,
     "p:1:8: Lanes = 1.5, expected a whole number within 1 .. 3 (number of platoons)"},
    {"Cars= 0\n", 2,
     "p:1:7: Cars = 0, expected a whole number within 1 .. 100000 (cars of a platoon; with one "
     "lane: of all lanes)"},
    {"Jerk-avail= 2\n", 2, "p:1:13: Jerk_avail = 2, expected 0 or 1 (jerk is in the data file)"},
    {"Simulation= yes\n", 2, "p:1:13: found \"yes\", expected a number after Simulation ="},
    {"TimHdwyL2= -1\n", 2,
     "p:1:12: TimHdwyL2 = -1, expected a number within 0 .. 100 s (desired time headway in lane "
     "2)"},
    {"FixHdwyL1= 1e9\n", 2,
     "p:1:12: FixHdwyL1 = 1e9, expected a number within 0 .. 1000 m (desired distance in lane 1)"},
    {"Lanes= 1 Cars= 2\n", 2,
     "p:1:10: found \"Cars=\" after the number of Lanes, expected the end of the line: one item "
     "per line"},
    {"Lanes= 1, 2\n", 2,
     "p:1:11: found \"2\" after the number of Lanes, expected the end of the line: one item per "
     "line"},
    {"Lanes= 1\n\nlane = 2\n", 2, "p:3:1: Lanes is given twice; first on line 1"},
    {"Cars= 3\nRelPosition_X= 1\nVelocity_X= 0\n", 2,
     "p:2:1: RelPosition_X = 1 omits the leader's position, which is then computed from its speed: "
     "Velocity_X must be 1"},
    {"RelPosition_Y= 1\nPosition_Y_given= 0\n", 2,
     "p:2:1: Position_Y_given = 0 contradicts RelPosition_Y = 1, which says that y is in the data "
     "file"},
    {"Ncars_given= 1\n", 1,
     "p:1:1: in version 1 the number of cars is fixed: Ncars_given must be 0"},
    {"Lanes= 3\nCars= 50000\n", 2,
     "p:2:1: Lanes x Cars is more than 100000, the maximum number of cars"},
};

static void test_parameter_files(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT_OF(params); k++) {
        mc_dynavis_params out;
        mc_error error = {0};
        const mc_status status = mc_dynavis_params_parse(params[k].text, strlen(params[k].text),
                                                         "p", params[k].version, &out, &error);
        assert_int_equal(status, MC_BAD_INPUT);
        check_message(&error, params[k].message);
    }
}

// ---- data file ----

#define FIXED                                                                                      \
    "Lanes=1\nCars=3\nTime_Headway_given=0\nFixed_Headway_given=0\nRelPosition_Y=1\n"              \
    "Velocity_Y=0\nJerk_avail=0\nNcars_given=0\nCarID_given=0\n"
#define COUNTED                                                                                    \
    "Time_Headway_given=0\nFixed_Headway_given=0\nRelPosition_Y=0\nVelocity_Y=0\nAccel_avail=0\n"  \
    "Jerk_avail=0\n"

static const struct {
    const char *params, *text, *message;
} data[] = {
    {FIXED, "", "d:1:1: the file has no lines of data; expected at least one"},
    {FIXED, " \n\n", "d:1:1: the file has no lines of data; expected at least one"},
    {FIXED, "0 1 0 20 0.1 2 0 21 0.2 3 0\n",
     "d:1:28: 11 numbers, the parameter file asks for 13: the longitudinal speed of car 3 is "
     "missing"},
    {FIXED, "0\n",
     "d:1:2: 1 number, the parameter file asks for 13: the longitudinal position of car 1 is "
     "missing"},
    {FIXED, "0 1 0 20 0.1 2 0 21 0.2 3 0 22 0.3 99\n",
     "d:1:36: 14 numbers, the parameter file asks for 13: unexpected \"99\" after the last one, "
     "the acceleration of car 3"},
    {FIXED, "0 1 0 20 0.1 2 0 fast 0.2 3 0 22 0.3\n",
     "d:1:18: found \"fast\", expected a number: the longitudinal speed of car 2, m/s"},
    {FIXED, "# t x y v a\n",
     "d:1:1: found \"#\", expected a number: the time, s; a data file has no comments"},
    {FIXED, "0,1,0,20\n",
     "d:1:1: found \"0,1,0,20\", expected a number: the time, s; numbers are separated by blanks "
     "and have a decimal point"},
    {FIXED, "0 1 0 20 0.1 2 0 21 0.2 3 0 22 nan\n",
     "d:1:32: found \"nan\", expected a number: the acceleration of car 3, m/s^2"},
    {FIXED, "0 1 0 20 0.1 2 0 2e9 0.2 3 0 22 0\n",
     "d:1:18: 2e9 is out of range: the longitudinal speed of car 2 must be in -1000 .. 1000 m/s"},
    {FIXED, "1 1 0 2 0 2 0 2 0 3 0 2 0\n\n1 1 0 2 0 2 0 2 0 3 0 2 0\n",
     "d:3:1: time 1 s is not after 1 s on line 1"},
    {FIXED, "1 1 0 2 0 2 0 2 0 3 0 2 0\n0.5 1 0 2 0 2 0 2 0 3 0 2 0\n",
     "d:2:1: time 0.5 s is not after 1 s on line 1"},
    {COUNTED, "2\n", "d:1:2: 1 number: the time is missing"},
    {COUNTED, "2 0 7 1 2\n",
     "d:1:10: 5 numbers, the parameter file asks for 8 with 2 cars: the id of car 2 is missing"},
    {COUNTED, "2.5 0 7 1 2 8 1 2\n",
     "d:1:1: 2.5 is out of range: the number of cars must be a whole number in 0 .. 100000"},
    {COUNTED, "-1 0\n",
     "d:1:1: -1 is out of range: the number of cars must be a whole number in 0 .. 100000"},
    {COUNTED, "2 0 7 1 2 7 3 4\n", "d:1:11: cars 1 and 2 of the line both have the id 7"},
    {COUNTED, "2 0 7 1 2 7.5 3 4\n",
     "d:1:11: 7.5 is out of range: the id of car 2 must be a whole number in 0 .. 2000000000"},
    {COUNTED "Lanes=2\n", "3 0 7 1 2 8 3 4 9 5 6\n",
     "d:1:1: 3 cars cannot be 2 platoons of equal length (Lanes = 2); with Lanes = 1 each car's "
     "lane comes from its lateral position"},
    {COUNTED "Lanes=2\nSamePlatoonLeader=1\n", "4 0 7 1 2 1007 3 4 9 5 6\n",
     "d:1:11: the id 1007 is that of the copy of the leader in lane 2 (SamePlatoonLeader = 1): the "
     "leader's and 1000 for each lane"},
    {COUNTED "Lanes=2\nSamePlatoonLeader=1\n", "4 0 7 1 2 8 3 4 9 5 6 10 7 8\n",
     "d:1:23: 14 numbers, the parameter file asks for 11 with 4 cars: unexpected \"10\" after the "
     "last one, the longitudinal speed of car 4"},
    {COUNTED "RelPosition_X=1\n", "1 0 7 20\n1 1 8 20\n",
     "d:2:1: car 8 leads platoon 1 and was not in the line before: with RelPosition_X = 1 its "
     "position cannot be known"},
    {"Lanes=2\nCars=1\n", "2 0 1 1\n",
     "d:1:8: 4 numbers, the parameter file asks for 20 with 2 cars: the fixed headway of lane 1 is "
     "missing"},
    {"", "2 0 -1 1\n",
     "d:1:5: -1 is out of range: the time headway of lane 1 must be in 0 .. 1000 s"},
};

static void test_data_files(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT_OF(data); k++) {
        mc_dynavis_params p;
        mc_error error = {0};
        assert_int_equal(
            mc_dynavis_params_parse(data[k].params, strlen(data[k].params), "p", 2, &p, &error),
            MC_OK);
        assert_null(
            mc_dynavis_data_parse(data[k].text, strlen(data[k].text), "d", &p, NULL, &error));
        check_message(&error, data[k].message);
    }
}

// The excerpt shows the place, in a long line too.
static void test_excerpt(void **state)
{
    (void)state;
    mc_dynavis_params p;
    mc_error error = {0};
    assert_int_equal(mc_dynavis_params_parse("Cars=100\n", 9, "p", 2, &p, &error), MC_OK);
    char text[2000] = "100 0 1 1";
    for (int i = 0; i < 60; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), " %d %d 0 20 0 0 0", i, 1000 - i);
    strcat(text, " x17 5\r\n");
    assert_null(mc_dynavis_data_parse(text, strlen(text), "d", &p, NULL, &error));
    assert_non_null(strstr(error.text, "found \"x17\", expected a number: the id of car 61"));
    assert_int_equal(error.excerpt[error.caret - 1], 'x');
    assert_int_equal(error.column, (int)(strstr(text, "x17") - text) + 1);
    assert_true(strncmp(error.excerpt, "...", 3) == 0);
}

// Without a parameter file the layout is DYNAVIS's own, and the message says so.
static void test_no_parameter_file(void **state)
{
    (void)state;
    mc_dynavis_params p;
    mc_error error = {0};
    mc_dynavis_params_defaults(2, &p);
    const char text[] = "1 0 1 5 1 100 0 20\n";
    assert_null(mc_dynavis_data_parse(text, strlen(text), "d", &p, NULL, &error));
    check_message(&error,
                  "d:1:19: 8 numbers, without parameter file 1 car needs 11: the lateral speed "
                  "of car 1 is missing");
}

// ---- ramps and cars ----

static const struct {
    const char *text, *message;
} ramps[] = {
    {"# nothing\n",
     "r:1:1: the file has no ramps, expected lines: name distance ON|OFF [connector]"},
    {"Hoover St 0.5\n",
     "r:1:11: found \"0.5\", expected ON or OFF, and then connector or the end of the line"},
    {"Hoover St 0.5 ON conector\n",
     "r:1:18: found \"conector\", expected ON or OFF, and then connector or the end of the line"},
    {"Hoover St ON\n", "r:1:8: found \"St\", expected a distance in miles before ON or OFF (0.5, "
                       "or +0.5 from the previous ramp)"},
    {"0.5 ON\n", "r:1:1: the ramp has no name, expected name distance ON|OFF [connector]"},
    {"ON\n", "r:1:3: found no distance, expected name distance ON|OFF [connector]"},
    {"connector\n", "r:1:1: found \"connector\", expected ON or OFF, and then connector or the end "
                    "of the line"},
    {"A\x01 1 OFF\n", "r:1:2: found byte 0x01 in the name, expected text"},
    {"A -0.5 OFF\n", "r:1:3: distance -0.5 is out of range, expected 0 .. 10000 miles"},
    {"a very long name that continues word by word until it exceeds the limit set 1 ON\n",
     "r:1:1: the name has 75 bytes; expected at most 63"},
};

static const struct {
    const char *text, *message;
} cars[] = {
    {"\n", "c:1:1: the file has no cars, expected lines: name: weight length width speed acc brake "
           "hp engine"},
    {"Ford Escort 2530 171 67 100 0.5 0.6 127 1.8\n",
     "c:1:44: found no ':' after the name, expected name: weight length width speed acc brake hp "
     "engine"},
    {" : 1 2 3\n", "c:1:2: the car has no name before ':'"},
    {"a very long name that continues word by word until it exceeds the limit set: 1\n",
     "c:1:1: the name has 75 bytes; expected at most 63"},
    {"Ford: 2530 171 67 100 0.5 0.6 127\n", "c:1:34: 7 numbers after the name, expected 8: engine "
                                            "(displacement of the engine, l) is missing"},
    {"Ford: 2530 171 67 100 0.5 0.6 127 1.8 4\n",
     "c:1:39: found \"4\" after the last number (engine), expected the end of the line"},
    {"Ford: 2530 171 67 fast 0.5 0.6 127 1.8\n",
     "c:1:19: found \"fast\", expected a number: speed (top speed, mph)"},
    {"Ford: 1147 4.3 67 100 0.5 0.6 127 1.8\n",
     "c:1:12: length 4.3 is out of range: bumper to bumper must be in 20 .. 2000 in"},
    {"Ford: 2530 171 67 100 0.5 6 127 1.8\n",
     "c:1:27: brake 6 is out of range: maximum deceleration must be in 0.01 .. 5 g"},
    {"A: 2530 171 67 100 0.5 0.6 127 1.8\n# b\na: 2530 171 67 100 0.5 0.6 127 1.8\n",
     "c:3:1: \"a\" is given twice; first on line 1"},
};

static void test_ramp_files(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT_OF(ramps); k++) {
        mc_dynavis_ramp *out;
        int count;
        mc_error error = {0};
        assert_int_equal(
            mc_dynavis_ramps_parse(ramps[k].text, strlen(ramps[k].text), "r", &out, &count, &error),
            MC_BAD_INPUT);
        assert_null(out);
        check_message(&error, ramps[k].message);
    }
}

static void test_car_files(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT_OF(cars); k++) {
        mc_dynavis_model *out;
        int count;
        mc_error error = {0};
        assert_int_equal(
            mc_dynavis_models_parse(cars[k].text, strlen(cars[k].text), "c", &out, &count, &error),
            MC_BAD_INPUT);
        assert_null(out);
        check_message(&error, cars[k].message);
    }
}

static void test_missing_files(void **state)
{
    (void)state;
    mc_dynavis_params p;
    mc_dynavis_ramp *ramp;
    mc_dynavis_model *model;
    int count;
    mc_error error = {0};
    assert_int_equal(mc_dynavis_params_read("/no/such.par", 2, &p, &error), MC_BAD_INPUT);
    check_message(&error, "/no/such.par: cannot be read: No such file or directory");
    mc_dynavis_params_defaults(2, &p);
    assert_null(mc_dynavis_data_load("/no/such.dat", &p, NULL, &error));
    check_message(&error, "/no/such.dat: cannot be read: No such file or directory");
    assert_int_equal(mc_dynavis_ramps_read("/tmp", &ramp, &count, &error), MC_BAD_INPUT);
    check_message(&error, "/tmp: is a folder, not a file");
    assert_int_equal(mc_dynavis_models_read("/no/such", &model, &count, &error), MC_BAD_INPUT);
    check_message(&error, "/no/such: cannot be read: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameter_files), cmocka_unit_test(test_data_files),
        cmocka_unit_test(test_excerpt),         cmocka_unit_test(test_no_parameter_file),
        cmocka_unit_test(test_ramp_files),      cmocka_unit_test(test_car_files),
        cmocka_unit_test(test_missing_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
