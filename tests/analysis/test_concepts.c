// test_concepts.c - analyses of concepts: numbers of their files changed, the rig, axle loads, a
// scaled road, sensitivities of tyres and bushings, and a truck that brakes, at rest row by row.
#include "motorcade/analysis.h"
#include "motorcade/concept.h"
#include "motorcade/linear.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char pickup[] = SOURCE_DIR "/concepts/pickup.yaml";

// Values: "name=text|name=text".
static mc_status run(const char *name, const char *file, const char *values,
                     mc_analysis_result *out, mc_error *error)
{
    static char text[2000];
    mc_analysis_value list[40];
    int count = 0;
    snprintf(text, sizeof text, "%s", values);
    for (char *at = strtok(text, "|"); at; at = strtok(NULL, "|")) {
        char *equals = strchr(at, '=');
        *equals = '\0';
        list[count++] = (mc_analysis_value){at, equals + 1};
    }
    return mc_analysis_run(name, file, list, count, out, error);
}

static mc_analysis_result good(const char *name, const char *file, const char *values)
{
    mc_analysis_result r;
    mc_error error;
    if (run(name, file, values, &r, &error) != MC_OK)
        fail_msg("%s %s: %s", name, values, error.text);
    return r;
}

static double cell(const mc_analysis_table *t, int row, const char *column)
{
    for (int k = 0; k < t->column_count; k++)
        if (strcmp(t->columns[k], column) == 0)
            return t->values[row * t->column_count + k];
    fail_msg("no column %s", column);
    return NAN;
}

static bool says(const mc_analysis_result *r, const char *words)
{
    for (int k = 0; k < r->note_count; k++)
        if (strstr(r->notes[k], words))
            return true;
    return false;
}

static char *written(const char *text)
{
    char *path = strdup("/tmp/motorcade_test_XXXXXX.yaml");
    const int fd = mkstemps(path, 5);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    return path;
}

// 100 kg more in the engine, with the build-out of 1.2: 120 g on both axles.
static void axle_loads_are_a_figure(void **state)
{
    (void)state;
    const char *const vary[] = {"assemblies.frame.components.engine.mass=235,335"};
    mc_analysis_result r;
    mc_error error;
    if (mc_analysis_sweep("axles", pickup, NULL, 0, vary, 1, &r, &error) != MC_OK)
        fail_msg("%s", error.text);
    const mc_analysis_table *t = &r.tables[0];
    assert_int_equal(t->row_count, 2);
    double sum[2];
    for (int i = 0; i < 2; i++)
        sum[i] = cell(t, i, "1 front load") + cell(t, i, "2 rear load");
    assert_true(fabs(sum[1] - sum[0] - 120.0 * 9.81) < 2.0);
    mc_analysis_free(&r);
    mc_concept_loads loads;
    mc_concept *c = mc_concept_load(pickup, &error);
    assert_int_equal(mc_concept_stand(c, &loads, &error), MC_OK);
    assert_true(fabs(loads.load[0] + loads.load[1] - sum[0]) < 1e-6 * sum[0]);
    mc_concept_free(c);
    // A wrong place says so, with the name of the file that was given.
    assert_int_equal(run("axles", pickup, "set=axles.rear.spring.stiffness=9 kg", &r, &error),
                     MC_BAD_INPUT);
    assert_string_equal(error.file, pickup);
    assert_non_null(strstr(error.text, "kg"));
}

static void the_rig_is_a_row(void **state)
{
    (void)state;
    const char *hmmwv = SOURCE_DIR "/concepts/hmmwv.yaml";
    mc_analysis_result r = good("rig", hmmwv, "rows=5");
    assert_int_equal(r.tables[0].row_count, 5);
    assert_true(fabs(cell(&r.tables[0], 4, "camber") + 3.309892145) < 6e-10);
    assert_true(r.tables[0].curves && says(&r, "double_wishbone"));
    mc_analysis_free(&r);
    r = good("rig", hmmwv, "rows=3|motion=steer|from=-0.03|to=0.03");
    assert_true(fabs(cell(&r.tables[0], 2, "toe")) > 8.0);
    mc_analysis_free(&r);
    // A number of the file: a longer spring, the same wheel.
    r = good("rig", hmmwv, "rows=3|set=axles.front.hardpoints.spring_top.2=0.250");
    assert_true(cell(&r.tables[0], 1, "spring_fl_length") > 0.29);
    mc_analysis_free(&r);
    mc_error error;
    assert_int_equal(run("rig", hmmwv, "motion=up", &r, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "expected parallel, opposite or steer"));
}

// Every spring, damper and mass of the pickup, tyres among them: scaling them all by one factor
// leaves the frequencies, as long as forces at rest scale, too (gravity acts on the masses).
static void sensitivities_know_tyres(void **state)
{
    (void)state;
    mc_analysis_result r = good("modes", SOURCE_DIR "/concepts/ride/f4.yaml", "sensitivity=all");
    const mc_analysis_table *t = &r.tables[1];
    const double first = cell(t, 0, "mode");
    double all = 0.0, tyres = 0.0;
    int rows = 0;
    for (int i = 0; i < t->row_count; i++) {
        if (fabs(cell(t, i, "mode") - first) > 1e-9)
            continue;
        const double s = cell(t, i, "relative, of frequency");
        rows++;
        all += s;
        tyres += strncmp(t->labels[i], "tyre_", 5) == 0 ? s : 0.0;
    }
    print_message("%d numbers, tyres %.6f, all %.2e\n", rows, tyres, all);
    assert_true(tyres > 0.001 && fabs(all) < 1e-4);
    mc_analysis_free(&r);
}

// Tyres that never pull are not linear once they lift off; below that all springs are.
static void a_scaled_road_ends_where_tyres_lift(void **state)
{
    (void)state;
    mc_analysis_result r = good("scaled_road", pickup, "end=1.5|tolerance=0.1");
    const mc_analysis_table *t = &r.tables[0];
    assert_int_equal(t->row_count, 5);
    assert_true(cell(t, 0, "departure") < cell(t, 4, "departure"));
    assert_true(cell(t, 4, "departure") > 0.1 && says(&r, "additivity needs two bumps"));
    mc_analysis_free(&r);
    // A softly rounded bump of 2 mm: everything is linear; the sum of two is their sum.
    static const char cart[] =
        "motorcade: concept\nground: 0\nassemblies:\n  b:\n    components:\n"
        "      m: {box: [3, 1.2, 0.5], at: [-1.4, 0, 0.6], mass: 900 kg}\naxles:\n"
        "  front: {template: generalized_independent, chassis: b, hardpoints: {wheel: [0, 0.7, "
        "0.3]},\n    parts: {carrier: {mass: 8}}, spring: {stiffness: 22 kN/m, preload: 2300 N}, "
        "damper: {damping: 1500},\n    wheel: {radius: 0.315, width: 0.2, mass: 15, tyre: "
        "{stiffness: 180 kN/m}}}\n"
        "  rear: {template: generalized_independent, chassis: b, hardpoints: {wheel: [-2.8, 0.7, "
        "0.3]},\n    parts: {carrier: {mass: 8}}, spring: {stiffness: 22 kN/m, preload: 2200 N}, "
        "damper: {damping: 1500},\n    wheel: {radius: 0.315, width: 0.2, mass: 15, tyre: "
        "{stiffness: 180 kN/m}}}\n"
        "road: {speed: 5, bumps: {one: {at: 1, length: 3, height: 2 mm}, two: {at: 3, length: 2, "
        "height: 3 mm}}}\nsimulate: {end: 2 s, step: 10 ms}\n";
    char *path = written(cart);
    r = good("scaled_road", path, "column=chassis.acceleration.z");
    print_message("departure %.1e, additivity %.1e\n", cell(&r.tables[0], 4, "departure"),
                  cell(&r.tables[1], 0, "additivity"));
    assert_true(cell(&r.tables[0], 4, "departure") < 1e-3);
    assert_true(cell(&r.tables[1], 0, "additivity") < 1e-3);
    assert_string_equal(r.tables[1].labels[0], "linear here");
    mc_analysis_free(&r);
    unlink(path);
    free(path);
}

// A body on four wheels, symmetric about its middle.
static const char rolling_cart[] =
    "motorcade: concept\nground: 0\nassemblies:\n  b:\n    components:\n"
    "      m: {box: [3, 1.2, 0.5], at: [-1.4, 0, 0.6], mass: 900 kg}\naxles:\n"
    "  front: {template: generalized_independent, driven: true, chassis: b, hardpoints: "
    "{wheel: "
    "[0, 0.7, 0.3]},\n    parts: {carrier: {mass: 8}}, spring: {stiffness: 30 kN/m, preload: "
    "2200 N}, "
    "damper: {damping: 4000},\n    wheel: {radius: 0.315, width: 0.2, mass: 15, tyre: "
    "{stiffness: 180 kN/m, damping: 500}}}\n"
    "  rear: {template: generalized_independent, chassis: b, hardpoints: {wheel: [-2.8, 0.7, "
    "0.3]},\n    parts: {carrier: {mass: 8}}, spring: {stiffness: 30 kN/m, preload: 2200 N}, "
    "damper: {damping: 4000},\n    wheel: {radius: 0.315, width: 0.2, mass: 15, tyre: "
    "{stiffness: 180 kN/m, damping: 500}}}\n"
    "drive: {wheel_torque: 100, brake_torque: 150}\n";

// N, of the rear axle of the cart, by moments about the front contact: weights and m a at the mass
// centres of body and wheels as they stand; forces along the ground have no moment about it.
static double rear_load(const mc_analysis_table *t, int i)
{
    const double a = cell(t, i, "static chassis.acceleration.x");
    const double g = 9.81 + cell(t, i, "static chassis.acceleration.z"),
                 w = cell(t, i, "static chassis.qw"), y = cell(t, i, "static chassis.qy");
    const double c = w * w - y * y, s = 2.0 * w * y; // of the pitch, about y
    const double front = cell(t, i, "static hub_fl.x"), rear = cell(t, i, "static hub_rl.x");
    const double x = cell(t, i, "static chassis.x") - 1.4 * c + 0.6 * s;
    const double z = cell(t, i, "static chassis.z") + 1.4 * s + 0.6 * c;
    double sum = 900.0 * ((x - front) * g - z * a);
    sum += 46.0 * -cell(t, i, "static hub_fl.z") * a;
    sum += 46.0 * ((rear - front) * g - cell(t, i, "static hub_rl.z") * a);
    return sum / (rear - front);
}

// A cart that brakes steadily: quasi-static loads by moments, and once its pitch has settled, those
// of the run but for the wheels, which slow down as they turn.
static void a_braking_cart_stands_on_its_loads(void **state)
{
    (void)state;
    mc_error error = {0};
    mc_concept *c = mc_concept_parse(rolling_cart, "cart.yaml", &error);
    if (!c)
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    const mc_concept_ride ride = {.speed = 15.0, .target = "0", .brake = "1"};
    char *ridden = mc_concept_ride_mechanism(c, &ride, &error);
    if (!ridden)
        fail_msg("%s", error.text);
    char *run_path = written(ridden);
    mc_analysis_result r = good(
        "response", run_path,
        "column=tyre_fl.normal|column=tyre_rl.normal|column=chassis.acceleration.x|"
        "column=chassis.x|column=chassis.z|column=chassis.qw|column=chassis.qy|column=hub_fl.x|"
        "column=hub_rl.x|column=hub_fl.z|column=hub_rl.z|column=chassis.acceleration.z|"
        "column=tyre_fl.along|column=tyre_rl.along|quasi_static=1|end=2.5|step=0.25");
    const mc_analysis_table *t = &r.tables[0];
    double off = 0.0, weight = 0.0, last = 0.0;
    for (int i = 1; i < t->row_count; i++) {
        const double a = cell(t, i, "static chassis.acceleration.x");
        const double front = 2.0 * cell(t, i, "static tyre_fl.normal");
        const double rear = 2.0 * cell(t, i, "static tyre_rl.normal");
        const double up = cell(t, i, "chassis.z"); // settles
        const double g = 9.81 + cell(t, i, "static chassis.acceleration.z");
        off = fmax(off, fabs(rear - rear_load(t, i)));
        weight = fmax(weight, fabs(front + rear - g * 992.0));
        last = fabs(cell(t, i, "tyre_fl.normal") - front / 2.0);
        assert_true(a < -0.5 && up < 0.0);
    }
    print_message("rear load off by %.1e N, weight by %.1e N; run and rest %.2f N apart\n", off,
                  weight, last);
    assert_true(t->row_count == 11 && off < 1e-4 && weight < 1e-4 && last < 8.0);
    mc_analysis_free(&r);
    mc_concept_free(c);
    unlink(run_path);
    free(run_path);
    free(ridden);
}

// It keeps its speed from the first instant, and the target is the speed of the vehicle.
static void a_rolling_cart_keeps_its_speed(void **state)
{
    (void)state;
    mc_error error = {0};
    mc_concept *c = mc_concept_parse(rolling_cart, "cart.yaml", &error);
    assert_non_null(c);
    char *ridden = mc_concept_ride_mechanism(c, &(mc_concept_ride){.speed = 10.0}, &error);
    assert_non_null(ridden);
    char *path = written(ridden);
    mc_analysis_result r =
        good("response", path, "column=chassis.vx|column=chassis.acceleration|end=0.4|step=0.1");
    double off = 0.0, most = 0.0;
    for (int i = 0; i < r.tables[0].row_count; i++) {
        off = fmax(off, fabs(cell(&r.tables[0], i, "chassis.vx") - 10.0));
        most = fmax(most, cell(&r.tables[0], i, "chassis.acceleration"));
    }
    print_message("speed off by %.1e m/s, acceleration up to %.1e m/s^2\n", off, most);
    assert_true(off < 1e-4 && most < 1e-3);
    mc_analysis_free(&r);
    mc_concept_free(c);
    unlink(path);
    free(path);
    free(ridden);
}

// On wheels it stands on the same loads as on the springs of its tyres.
static void wheels_stand_as_tyre_springs_do(void **state)
{
    (void)state;
    mc_error error = {0};
    mc_concept_loads loads;
    mc_concept *c = mc_concept_parse(rolling_cart, "cart.yaml", &error);
    assert_non_null(c);
    assert_int_equal(mc_concept_stand(c, &loads, &error), MC_OK);
    char *ridden = mc_concept_ride_mechanism(c, &(mc_concept_ride){.speed = 10.0}, &error);
    assert_non_null(ridden);
    char *path = written(ridden);
    mc_analysis_result r = good("equilibrium", path, "set=chassis.z=0.01");
    double front = NAN, rear = NAN;
    for (int i = 0; i < r.tables[1].row_count; i++) {
        front =
            strcmp(r.tables[1].labels[i], "tyre_fl.normal") == 0 ? r.tables[1].values[i] : front;
        rear = strcmp(r.tables[1].labels[i], "tyre_rr.normal") == 0 ? r.tables[1].values[i] : rear;
    }
    mc_analysis_result bad;
    assert_int_equal(run("response", path, "column=carrier_fl.force|end=0.1", &bad, &error),
                     MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "the ground presses on wheels that hang on carrier_fl"));
    assert_true(fabs(2.0 * front - loads.load[0]) < 1e-5);
    assert_true(fabs(2.0 * rear - loads.load[1]) < 1e-5);
    mc_analysis_free(&r);
    mc_concept_free(c);
    unlink(path);
    free(path);
    free(ridden);
}

// Cycles counted as on a slowed animation, from the poses that it shows: the frame on four springs
// released in roll, between the first and the last time that it comes up through its rest.
static void cycles_are_counted(void **state)
{
    (void)state;
    const char *file = SOURCE_DIR "/concepts/four_springs.yaml";
    mc_analysis_result r =
        good("response", file, "column=frame.rx|set=frame.rx=-0.001|end=20|step=0.01");
    const mc_analysis_table *t = &r.tables[0];
    int cycles = -1;
    double first = NAN, last = NAN;
    for (int i = 1; i < t->row_count; i++) {
        const double a = t->values[2 * i - 1], b = t->values[2 * i + 1];
        if (!(a < 0.0 && b >= 0.0))
            continue;
        last = t->values[2 * i - 2] + 0.01 * a / (a - b);
        first = cycles++ < 0 ? last : first;
    }
    const double counted = cycles / (last - first);
    print_message("%d cycles, %.8f Hz\n", cycles, counted);
    assert_true(cycles == 33 && fabs(counted - 1.68809309) < 1e-4);
    mc_analysis_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axle_loads_are_a_figure),
        cmocka_unit_test(the_rig_is_a_row),
        cmocka_unit_test(sensitivities_know_tyres),
        cmocka_unit_test(a_scaled_road_ends_where_tyres_lift),
        cmocka_unit_test(a_braking_cart_stands_on_its_loads),
        cmocka_unit_test(a_rolling_cart_keeps_its_speed),
        cmocka_unit_test(cycles_are_counted),
        cmocka_unit_test(wheels_stand_as_tyre_springs_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
