// test_kinematics.c - driven mechanisms: against closed forms, tabled suspensions, virtual work and
// forward simulation; where a way ends; bad input.
#include "motorcade/kinematics.h"
#include "motorcade/simulate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { COLUMNS_MAX = 16, ROWS_MAX = 200, Y_MAX = 80 };

// Each is derived once.
static mc_multibody *load(const char *name)
{
    static struct {
        const char *name;
        mc_multibody *m;
    } known[4];
    int k = 0;
    for (; known[k].m; k++)
        if (strcmp(known[k].name, name) == 0)
            return known[k].m;
    assert_true(k < 3);
    char path[256];
    mc_error error;
    const mc_multibody_options options = {.compile = MC_COMPILE_NEVER};
    snprintf(path, sizeof path, "%s/models/%s.yaml", SOURCE_DIR, name);
    mc_multibody *m = mc_multibody_load(path, &options, &error);
    if (!m)
        fail_msg("%s:%d: %s", error.file, error.line, error.text);
    assert_true(mc_multibody_info_of(m)->y_count <= Y_MAX);
    known[k].name = name;
    known[k].m = m;
    return m;
}

static mc_multibody *parse(const char *text)
{
    mc_error error;
    const mc_multibody_options options = {.compile = MC_COMPILE_NEVER};
    mc_multibody *m = mc_multibody_parse(text, "test.yaml", &options, &error);
    if (!m)
        fail_msg("%s:%d: %s", error.file, error.line, error.text);
    return m;
}

static mc_driven *drive(mc_multibody *m, const mc_driven_options *o, mc_error *error)
{
    double y[Y_MAX];
    mc_multibody_start(m, y);
    return mc_driven_create(m, y, o, error);
}

static mc_driven *must_drive(mc_multibody *m, const mc_driven_options *o)
{
    mc_error error;
    mc_driven *d = drive(m, o, &error);
    if (!d)
        fail_msg("%s", error.text);
    return d;
}

typedef struct table {
    mc_driven_column column[COLUMNS_MAX];
    int columns, rows;
    double value[ROWS_MAX][COLUMNS_MAX];
} table;

static void take(void *context, double t, const double *values)
{
    table *out = context;
    (void)t;
    assert_true(out->rows < ROWS_MAX);
    memcpy(out->value[out->rows++], values, (size_t)out->columns * sizeof *values);
}

static mc_driven_output ask(mc_driven *d, table *out, const char *const *names)
{
    mc_error error;
    *out = (table){0};
    for (; names[out->columns]; out->columns++)
        if (mc_driven_column_find(d, names[out->columns], &out->column[out->columns], &error) !=
            MC_OK)
            fail_msg("%s", error.text);
    return (mc_driven_output){
        .columns = out->column, .column_count = out->columns, .row = take, .context = out};
}

static void run(mc_driven *d, int rows, table *out, const char *const *names)
{
    mc_error error;
    const mc_driven_output output = ask(d, out, names);
    if (mc_kinematics(d, rows, &output, NULL, NULL, &error) != MC_OK)
        fail_msg("%s", error.text);
    assert_int_equal(out->rows, rows);
}

static void near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("found %.15g, expected %.15g to %g", found, expected, tolerance);
}

// ---- geometry ----------------------------------------------------------------------------------

// Links 1, 3, 2.5 on pivots 3 apart: Freudenstein, the branch of the file.
static double rocker_angle(double crank)
{
    const double x = cos(crank) - 3.0, y = sin(crank), d = hypot(x, y);
    const double angle = acos((d * d + 2.5 * 2.5 - 9.0) / (2.0 * d * 2.5));
    return atan2(y, x) - angle;
}

static void four_bar_closes(void **state)
{
    (void)state;
    mc_multibody *m = load("four_bar");
    const mc_drive crank = {.name = "crank.angle", .from = 0.1, .to = 6.2};
    const mc_driven_options o = {.drives = &crank, .drive_count = 1};
    mc_driven *d = must_drive(m, &o);
    assert_int_equal(mc_driven_free_count(d), 0);
    static table out;
    run(d, 62, &out,
        (const char *const[]){"crank.angle", "rocker.angle", "rate:rocker.angle",
                              "load:crank.angle", "rate:energy.potential", NULL});
    for (int i = 0; i < out.rows; i++) {
        const double *row = out.value[i], h = 1e-5;
        near(row[0], 0.1 + 0.1 * i, 1e-13);
        near(remainder(row[1] - rocker_angle(row[0]), 2.0 * acos(-1.0)), 0.0, 1e-12);
        near(row[2],
             remainder(rocker_angle(row[0] + h) - rocker_angle(row[0] - h), 2.0 * acos(-1.0)) /
                 (2.0 * h),
             1e-8);
        near(row[3], row[4], 1e-11 * 30.0); // virtual work
    }
    mc_driven_free(d);
}

// The six tabled columns, each to its digits.
static void suspension_is_as_tabled(void **state)
{
    (void)state;
    mc_multibody *m = load("hmmwv_loops");
    const mc_drive wheel = {.name = "hub_fl.z", .from = -0.126, .to = 0.074};
    const char *const hold[] = {"chassis", "rack"};
    const char *const let[] = {"camber=asin(-upright_fl.y_axis.z)*180/pi",
                               "toe=atan2(upright_fl.y_axis.x, upright_fl.y_axis.y)*180/pi"};
    const mc_driven_options o = {.drives = &wheel,
                                 .drive_count = 1,
                                 .hold = hold,
                                 .hold_count = 2,
                                 .let = let,
                                 .let_count = 2};
    mc_driven *d = must_drive(m, &o);
    static table out;
    run(d, 21, &out,
        (const char *const[]){"hub_fl.z", "hub_fl.x", "hub_fl.y", "camber", "toe",
                              "spring_fl.length", "shock_fl.length", NULL});
    static const double design[7] = {-0.026, 1.648965, 0.91};
    FILE *in = fopen(SOURCE_DIR "/tests/data/hmmwv_kc_front.csv", "r");
    char line[400];
    assert_non_null(in);
    assert_non_null(fgets(line, sizeof line, in)); // header
    for (int i = 0; i < 21; i++) {
        assert_non_null(fgets(line, sizeof line, in));
        char *at = line;
        for (int k = 0; k < 7; k++, at++)
            near(out.value[i][k] - design[k], strtod(at, &at), 5.01e-10);
    }
    assert_null(fgets(line, sizeof line, in));
    fclose(in);
    mc_driven_free(d);
}

// ---- loads -------------------------------------------------------------------------------------

// Every corner alone: the force at the wheel is what virtual work says, spring by motion ratio and
// weights by how far they rise.
static void wheel_load_is_virtual_work(void **state)
{
    (void)state;
    mc_multibody *m = load("hmmwv_loops");
    static const struct {
        const char *hub, *spring, *length, *rate;
        double from, found, tabled, load;
    } corner[] = {
        {"hub_fl.z", "spring_fl.force", "rate:spring_fl.length", "load:hub_fl.z", -0.128547,
         6500.85, 0.10246, 6500.85},
        {"hub_rl.z", "spring_rl.force", "rate:spring_rl.length", "load:hub_rl.z", -0.13991, 6120.39,
         0.11393, 6120.39},
    };
    const char *const hold[] = {"chassis", "rack"};
    const double g = 9.81, arms = 23.965 + 5.813, wheel = 71.105 + 19.45;
    for (int k = 0; k < 2; k++) {
        const mc_drive up = {.name = corner[k].hub, .from = corner[k].from, .to = 0.0};
        const mc_driven_options o = {
            .drives = &up, .drive_count = 1, .hold = hold, .hold_count = 2};
        mc_driven *d = must_drive(m, &o);
        static table out;
        run(d, 2, &out,
            (const char *const[]){corner[k].rate, corner[k].spring, corner[k].length, NULL});
        // The wheel stands where it carries its share of the vehicle: to 1e-5 m at 1e5 N/m.
        near(out.value[0][0], corner[k].load, 1.0);
        // The tabled place takes half of each arm's weight to be the wheel's.
        mc_driven_free(d);
        const mc_drive tabled = {
            .name = corner[k].hub, .from = -0.026 - corner[k].tabled, .to = 0.0};
        const mc_driven_options at = {
            .drives = &tabled, .drive_count = 1, .hold = hold, .hold_count = 2};
        d = must_drive(m, &at);
        run(d, 2, &out,
            (const char *const[]){corner[k].rate, corner[k].spring, corner[k].length, NULL});
        const double by_hand = -out.value[0][1] * out.value[0][2] + (wheel + arms / 2.0) * g;
        near(by_hand, corner[k].load, 1.0);
        mc_driven_free(d);
    }
}

// A rod pendulum on a driven one hangs down; two springs in series share a stretch.
static void the_free_settle(void **state)
{
    (void)state;
    static const char springs[] = "motorcade: multibody\n"
                                  "name: series\n"
                                  "gravity: [0, 0, 0]\n"
                                  "bodies:\n"
                                  "  a: {joint: prism, axis: x, mass: 1, stiffness: 100}\n"
                                  "  b: {joint: prism, axis: x, mass: 1}\n"
                                  "points:\n"
                                  "  pa: {body: a, at: [0, 0, 0]}\n"
                                  "  pb: {body: b, at: [1, 0, 0]}\n"
                                  "springs:\n"
                                  "  k: {from: pa, to: pb, stiffness: 300, length: 1 m}\n";
    mc_multibody *m = parse(springs);
    const mc_drive pull = {.name = "b.travel", .from = 0.0, .to = 0.4};
    const mc_driven_options o = {.drives = &pull, .drive_count = 1};
    mc_driven *d = must_drive(m, &o);
    assert_int_equal(mc_driven_free_count(d), 1);
    static table out;
    run(d, 5, &out,
        (const char *const[]){"b.travel", "a.travel", "load:b.travel", "rate:a.travel",
                              "rate:energy.potential", NULL});
    for (int i = 0; i < 5; i++) {
        const double *row = out.value[i];
        near(row[1], 0.75 * row[0], 1e-10); // 100 and 300 N/m in series: 75 N/m
        near(row[2], 75.0 * row[0], 1e-8);
        near(row[3], 0.75, 1e-6);
        near(row[4], row[2], 1e-5);
    }
    mc_driven_free(d);
    mc_multibody_free(m);
    m = load("double_pendulum");
    const mc_drive rod = {.name = "rod1.angle", .from = 0.0, .to = 2.0};
    const mc_driven_options p = {.drives = &rod, .drive_count = 1};
    d = must_drive(m, &p);
    run(d, 21, &out, (const char *const[]){"rod1.angle", "rod2.angle", NULL});
    for (int i = 0; i < 21; i++)
        near(out.value[i][1], -out.value[i][0], 1e-9);
    mc_driven_free(d);
}

// A constraint and an input are driven alike: the slider by its formula, and by what is in it.
static void constraints_and_inputs(void **state)
{
    (void)state;
    static const char text[] = "motorcade: multibody\n"
                               "name: two\n"
                               "gravity: [0, 0, -9.81]\n"
                               "inputs:\n"
                               "  u: {value: 0 m}\n"
                               "bodies:\n"
                               "  a: {joint: prism, axis: z, mass: 2}\n"
                               "  b: {joint: prism, axis: z, mass: 3}\n"
                               "constraints:\n"
                               "  pulley: {position: a.travel + 2*b.travel - u}\n";
    mc_multibody *m = parse(text);
    const char *const hold[] = {"a"};
    static const char *const name[] = {"pulley", "u"};
    for (int k = 0; k < 2; k++) {
        const mc_drive by = {.name = name[k], .from = -1.0, .to = 1.0};
        const mc_driven_options o = {
            .drives = &by, .drive_count = 1, .hold = hold, .hold_count = 1};
        mc_driven *d = must_drive(m, &o);
        static table out;
        run(d, 3, &out,
            (const char *const[]){name[k], "a.travel", "b.travel", "rate:b.travel", "pulley.load",
                                  "load:a.travel", NULL});
        for (int i = 0; i < 3; i++) {
            const double *row = out.value[i];
            near(row[0], -1.0 + i, 1e-12);
            near(row[1], 0.0, 1e-12);
            near(row[2], 0.5 * row[0], 1e-12);
            near(row[3], 0.5, 1e-12);
            near(row[4], 0.5 * 3.0 * 9.81, 1e-9); // carries b
            near(row[5], 2.0 * 9.81 - row[4], 1e-9);
        }
        mc_driven_free(d);
    }
    mc_multibody_free(m);
}

// ---- inverse dynamics --------------------------------------------------------------------------

static void rk4(mc_multibody *m, mc_driven *d, double t, double h, double *y, int n)
{
    double k[4][Y_MAX], at[Y_MAX], tau[3][Y_MAX];
    mc_error error;
    for (int j = 0; j < 3; j++)
        if (mc_inverse_at(d, t + 0.5 * h * j, NULL, tau[j], &error) != MC_OK)
            fail_msg("%s", error.text);
    static const double share[4] = {0.0, 0.5, 0.5, 1.0};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < n; i++)
            at[i] = y[i] + (s ? share[s] * h * k[s - 1][i] : 0.0);
        mc_multibody_rate(m, t + share[s] * h, at, tau[(int)(2.0 * share[s])], k[s]);
    }
    for (int i = 0; i < n; i++)
        y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
}

// Forward with the loads that inverse dynamics gives: the motion that was asked for.
static void loads_make_the_motion(void **state)
{
    (void)state;
    mc_multibody *m = load("four_bar");
    const mc_drive crank = {.name = "crank.angle", .motion = "90 deg + 0.8*sin(3*t) + 0.2*t^2"};
    const mc_driven_options o = {.drives = &crank, .drive_count = 1};
    mc_driven *d = must_drive(m, &o);
    mc_error error;
    double y[Y_MAX];
    const int n = mc_multibody_info_of(m)->y_count;
    if (mc_inverse_at(d, 0.0, y, NULL, &error) != MC_OK)
        fail_msg("%s", error.text);
    near(y[3], 2.4, 1e-12);
    const double h = 5e-4;
    for (int i = 0; i < 2000; i++) {
        rk4(m, d, i * h, h, y, n);
        mc_multibody_project(m, (i + 1) * h, y);
    }
    const double pi = acos(-1.0);
    near(y[0], pi / 2.0 + 0.8 * sin(3.0) + 0.2, 1e-9);
    near(y[3], 2.4 * cos(3.0) + 0.4, 1e-9);
    mc_driven_free(d);
}

// What the drives give is what the energy gains, row by row.
static void power_balances(void **state)
{
    (void)state;
    mc_multibody *m = load("double_pendulum");
    const mc_drive both[] = {{.name = "rod1.angle", .motion = "sin(2*t)"},
                             {.name = "rod2.angle", .motion = "t^3 - 0.5*cos(5*t)"}};
    const mc_driven_options o = {.drives = both, .drive_count = 2};
    mc_driven *d = must_drive(m, &o);
    mc_error error;
    static table out;
    const mc_driven_output output =
        ask(d, &out,
            (const char *const[]){"load:rod1.angle", "load:rod2.angle", "rod1.angle_rate",
                                  "rod2.angle_rate", "rate:energy.total", "rod2.angle",
                                  "rate:rod1.angle_rate", NULL});
    if (mc_inverse(d, 2.0, 101, &output, NULL, NULL, &error) != MC_OK)
        fail_msg("%s", error.text);
    for (int i = 0; i < out.rows; i++) {
        const double *r = out.value[i], t = 0.02 * i;
        near(r[0] * r[2] + r[1] * r[3], r[4], 1e-11 * (1.0 + fabs(r[0] * r[2])));
        near(r[5], t * t * t - 0.5 * cos(5.0 * t), 1e-12);
        near(r[6], -4.0 * sin(2.0 * t), 1e-10);
    }
    mc_driven_free(d);
}

// ---- what goes wrong ---------------------------------------------------------------------------

// The rocker stops where crank and coupler are in line.
static void a_toggle_is_named(void **state)
{
    (void)state;
    mc_multibody *m = load("four_bar");
    const mc_drive rocker = {.name = "rocker.angle", .from = 1.7, .to = 2.6};
    const mc_driven_options o = {.drives = &rocker, .drive_count = 1};
    mc_driven *d = must_drive(m, &o);
    static table out;
    mc_error error;
    mc_driven_report report;
    const mc_driven_output output = ask(d, &out, (const char *const[]){"crank.angle", NULL});
    assert_int_equal(mc_kinematics(d, 10, &output, NULL, &report, &error), MC_FAILED);
    assert_int_equal(report.row_count, 8);
    // Stretched: 4^2 = 3^2 + 2.5^2 - 2 3 2.5 cos(pi - angle).
    double place;
    assert_int_equal(sscanf(error.text, "rocker.angle = %lf", &place), 1);
    near(place, acos(-1.0) - acos((9.0 + 6.25 - 4.0) / 15.0), 1e-6);
    assert_non_null(strstr(error.text, "cannot continue"));
    assert_non_null(strstr(error.text, "pin stays open by"));
    mc_driven_free(d);
}

typedef struct bad {
    const char *model, *drive, *second, *hold, *text;
} bad;

static const bad bads[] = {
    {"four_bar", "rocker.angl=0:1:5", NULL, NULL, "did you mean rocker.angle"},
    {"four_bar", "rocker.angle=1:1:5", NULL, NULL, "the same value; hold it to keep it in place"},
    {"four_bar", "rocker.angle=0:1:1", NULL, NULL, "expected a whole number from 2"},
    {"four_bar", "rocker.angle=0:1:many", NULL, NULL, "expected a whole number from 2"},
    {"four_bar", "rocker.angle=0:1 m:5", NULL, NULL, "rocker.angle=1 m"},
    {"four_bar", "rocker.angle", NULL, NULL, "expected NAME=FROM:TO:N"},
    {"four_bar", "rocker.angle=1.7:2:5", "crank.angle=1.6:2", NULL,
     "crank.angle cannot be driven: it follows from the joints"},
    {"four_bar", "crank.angle=1.7:2:5", NULL, "middle.x",
     "middle.x cannot be held: it follows from the joints"},
    {"four_bar", "crank.angle=1.7:2:5", NULL, "crnk", "unknown name \"crnk\""},
    {"four_bar", "energy.total=1:2:5", NULL, NULL, "it is an energy or a load"},
    {"four_bar", "pin.force_x=1:2:5", NULL, NULL, "it is an energy or a load"},
    {"four_bar", "density=1:2:5", NULL, NULL, "it is a parameter"},
    {"four_bar", "crank.angle_rate=1:2:5", NULL, NULL, "expected a position"},
    {"four_bar", "middle.z=1:2:5", NULL, NULL, "it does not depend on a coordinate"},
    {"hmmwv_loops", "chassis.qx=0:0.1:5", NULL, NULL, "it is a part of a quaternion"},
    {"hmmwv_loops", "rack.travel=0:0.1:5", NULL, "rack_to", "it is an input, which stays"},
    {"hmmwv_loops", "rack.travel=0:0.1:5", NULL, "tie_fl.force_x", "it is an energy or a load"},
};

static void bad_input_is_explained(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof bads / sizeof bads[0]; k++) {
        const bad *b = &bads[k];
        mc_multibody *m = load(b->model);
        mc_error error = {0};
        char name[2][128];
        mc_drive drives[2];
        int rows;
        mc_status status = mc_drive_read(m, b->drive, name[0], &drives[0], &rows, &error);
        if (status == MC_OK && b->second)
            status = mc_drive_read(m, b->second, name[1], &drives[1], &rows, &error);
        if (status == MC_OK) {
            const mc_driven_options o = {.drives = drives,
                                         .drive_count = b->second ? 2 : 1,
                                         .hold = &b->hold,
                                         .hold_count = b->hold ? 1 : 0};
            assert_null(drive(m, &o, &error));
            status = error.code;
        }
        assert_int_equal(status, MC_BAD_INPUT);
        if (!strstr(error.text, b->text))
            fail_msg("%s: found \"%s\", expected \"... %s ...\"", b->drive, error.text, b->text);
    }
}

static void nothing_supports_it(void **state)
{
    (void)state;
    mc_multibody *m = load("hmmwv_loops");
    const mc_drive rack = {.name = "rack.travel", .from = 0.0, .to = 0.05};
    mc_driven_options o = {.drives = &rack, .drive_count = 1};
    mc_error error;
    mc_driven *d = must_drive(m, &o);
    assert_int_equal(mc_kinematics(d, 3, NULL, NULL, NULL, &error), MC_FAILED);
    assert_non_null(strstr(error.text, "hold what nothing supports"));
    mc_driven_free(d);
    o.geometry = true; // it needs no support then
    d = must_drive(m, &o);
    assert_int_equal(mc_kinematics(d, 3, NULL, NULL, NULL, &error), MC_OK);
    mc_driven_column column;
    assert_int_equal(mc_driven_column_find(d, "load:rack.travel", &column, &error), MC_BAD_INPUT);
    mc_driven_free(d);
    const mc_drive moved = {.name = "rack.travel", .motion = "0.01*sin(2*t)"};
    o = (mc_driven_options){.drives = &moved, .drive_count = 1};
    d = must_drive(m, &o);
    assert_int_equal(mc_inverse(d, 1.0, 3, NULL, NULL, NULL, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "directions are neither driven nor held"));
    mc_driven_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_bar_closes),
        cmocka_unit_test(suspension_is_as_tabled),
        cmocka_unit_test(wheel_load_is_virtual_work),
        cmocka_unit_test(the_free_settle),
        cmocka_unit_test(constraints_and_inputs),
        cmocka_unit_test(loads_make_the_motion),
        cmocka_unit_test(power_balances),
        cmocka_unit_test(a_toggle_is_named),
        cmocka_unit_test(bad_input_is_explained),
        cmocka_unit_test(nothing_supports_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
