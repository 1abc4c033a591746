// Suspension templates on the rig: one closed form each, and the published curves of the HMMWV.
#include "motorcade/linear.h"
#include "motorcade/suspension_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- an axle on a block ----

static const char block[] =
    "motorcade: concept\nground: 0\nassemblies:\n  block:\n    components:\n"
    "      mass: {box: [3, 1, 0.5], at: [-1.5, 0, 0.8], mass: 1000}\n"
    "axles:\n  front:\n    chassis: block\n"
    "    wheel: {radius: 0.35, width: 0.2, mass: 30, tyre: {stiffness: 200 kN/m}}\n"
    "    spring: {stiffness: 30 kN/m, preload: 3000}\n";

static mc_suspension_curves measure(const char *axle, mc_suspension_motion motion)
{
    char text[4000];
    mc_error error = {0};
    mc_suspension_curves out;
    snprintf(text, sizeof text, "%s%s", block, axle);
    mc_concept *c = mc_concept_parse(text, "axle.yaml", &error);
    if (!c)
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    const mc_suspension_options o = {.motion = motion, .from = -0.08, .to = 0.08, .row_count = 9};
    if (mc_suspension_measure(c, &o, &out, &error) != MC_OK)
        fail_msg("%s", error.text);
    mc_concept_free(c);
    assert_int_equal(out.row_count, 9);
    assert_true(out.gap < 1e-12);
    return out;
}

static double value(const mc_suspension_curves *s, int row, const char *name)
{
    for (int k = 0; k < s->column_count; k++)
        if (strcmp(s->column[k].name, name) == 0)
            return s->value[row * s->column_count + k];
    fail_msg("no column %s", name);
    return 0.0;
}

static void near(double found, double expected, double tolerance, const char *what)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%s: %.12g, expected %.12g", what, found, expected);
}

static const double degree = 3.14159265358979323846 / 180.0;

// The wheel goes round the pivot; it keeps its plane.
static void trailing_arm(void **state)
{
    (void)state;
    mc_suspension_curves s =
        measure("    template: trailing_arm\n    hardpoints: {wheel: [0, 0.8, 0.35], pivot: [0.5, "
                "0.6, 0.45], spring_top: [0, 0.6, 0.8], spring_bottom: [0, 0.6, 0.4]}\n    parts: "
                "{arm: {mass: 10}}\n",
                MC_SUSPENSION_PARALLEL);
    const double R = hypot(0.5, 0.1);
    for (int i = 0; i < 9; i++) {
        const double z = value(&s, i, "travel") - 0.1, x = 0.5 - sqrt(R * R - z * z);
        near(value(&s, i, "wheelbase_change"), x, 1e-12, "x");
        near(value(&s, i, "camber"), 0.0, 1e-10, "camber");
        near(value(&s, i, "toe"), 0.0, 1e-10, "toe");
        near(value(&s, i, "roll_centre"), 0.0, 1e-10, "roll centre");
    }
    mc_suspension_curves_free(&s);
}

// The arm turns about x: camber is its angle, and the contact point circles the pivot.
static void swing_arm(void **state)
{
    (void)state;
    mc_suspension_curves s = measure(
        "    template: swing_arm\n    hardpoints: {wheel: [0, 0.8, 0.35], pivot_front: [0.2, "
        "0.1, 0.4], pivot_rear: [-0.2, 0.1, 0.4], spring_top: [0, 0.6, 0.8], spring_bottom: "
        "[0, 0.6, 0.4]}\n    parts: {arm: {mass: 10}}\n",
        MC_SUSPENSION_PARALLEL);
    const double R = hypot(0.7, 0.05), start = atan2(-0.05, 0.7);
    for (int i = 0; i < 9; i++) {
        const double angle = asin((value(&s, i, "travel") - 0.05) / R);
        near(value(&s, i, "camber"), -(angle - start) / degree, 1e-9, "camber");
        near(value(&s, i, "track_change"), 0.1 + R * cos(angle) - 0.8, 1e-12, "track");
    }
    near(value(&s, 4, "roll_centre"), 0.8 * 0.4 / 0.7, 1e-9, "roll centre");
    mc_suspension_curves_free(&s);
}

// Everything in one plane: the instant centre is where the line of the lower arm meets the one
// across the strut at its top; the roll centre is on the line from there to the contact point.
static void macpherson(void **state)
{
    (void)state;
    mc_suspension_curves s =
        measure("    template: macpherson\n    hardpoints: {wheel: [0, 0.78, 0.35], lower_front: "
                "[0.2, 0.35, 0.28], lower_rear: [-0.2, 0.35, 0.28], lower_ball: [0, 0.72, 0.25], "
                "strut_top: [0, 0.58, 0.95], strut_bottom: [0, 0.68, 0.45], tie_inner: [-0.15, "
                "0.35, 0.28], tie_outer: [-0.15, 0.72, 0.25]}\n    parts: {lower_arm: {mass: 8}, "
                "upright: {mass: 12}}\n",
                MC_SUSPENSION_PARALLEL);
    const double arm = (0.25 - 0.28) / (0.72 - 0.35);    // dz/dy of the arm
    const double strut = -(0.58 - 0.68) / (0.95 - 0.45); // dz/dy across the strut
    const double y = (0.28 - 0.95 + strut * 0.58 - arm * 0.35) / (strut - arm);
    const double z = 0.28 + arm * (y - 0.35);
    near(value(&s, 4, "roll_centre"), z * 0.78 / (0.78 - y), 1e-9, "roll centre");
    const double length = hypot(0.1, 0.5); // of the spring as drawn
    near(value(&s, 4, "spring_1l_length"), length, 1e-12, "spring");
    mc_suspension_curves_free(&s);
}

static void double_wishbone(void **state)
{
    (void)state;
    mc_suspension_curves s = measure(
        "    template: double_wishbone\n    hardpoints: {wheel: [0, 0.78, 0.35], "
        "lower_front: [0.2, 0.35, 0.28], lower_rear: [-0.2, 0.35, 0.28], lower_ball: [0, "
        "0.72, 0.25], upper_front: [0.2, 0.45, 0.52], upper_rear: [-0.2, 0.45, 0.52], "
        "upper_ball: [0, 0.68, 0.55], tie_inner: [-0.15, 0.35, 0.28], tie_outer: [-0.15, "
        "0.72, 0.25], spring_top: [0, 0.5, 0.8], spring_bottom: [0, 0.5, 0.27]}\n    parts: "
        "{lower_arm: {mass: 8}, upper_arm: {mass: 4}, upright: {mass: 12}}\n",
        MC_SUSPENSION_PARALLEL);
    const double lower = (0.25 - 0.28) / 0.37, upper = (0.55 - 0.52) / 0.23;
    const double y = (0.28 - 0.52 + upper * 0.45 - lower * 0.35) / (upper - lower);
    const double z = 0.28 + lower * (y - 0.35);
    near(value(&s, 4, "roll_centre"), z * 0.78 / (0.78 - y), 1e-9, "roll centre");
    mc_suspension_curves_free(&s);
}

// Both wheels circle the pivot; in roll the axle turns about its own bearing.
static void dependent_swing_arm(void **state)
{
    (void)state;
    static const char axle[] =
        "    template: dependent_swing_arm\n    hardpoints: {wheel: [0, 0.8, 0.35], middle: [0, 0, "
        "0.35], pivot: [0.9, 0, 0.45], roll: [0, 0, 0.42], spring_top: [0, 0.5, 0.8], "
        "spring_bottom: [0, 0.5, 0.4]}\n    parts: {axle: {mass: 80}}\n";
    mc_suspension_curves s = measure(axle, MC_SUSPENSION_PARALLEL);
    const double R = hypot(0.9, 0.1);
    for (int i = 0; i < 9; i++) {
        const double z = value(&s, i, "travel") - 0.1;
        near(value(&s, i, "wheelbase_change"), 0.9 - sqrt(R * R - z * z), 1e-11, "x");
        near(value(&s, i, "roll_centre"), 0.42, 1e-6, "roll centre");
    }
    mc_suspension_curves_free(&s);
}

#define AXLE                                                                                       \
    "wheel: [0, 0.8, 0.35], middle: [0, 0, 0.35], spring_top: [0, 0.5, 0.8], spring_bottom: [0, "  \
    "0.5, 0.4]"

static void live_axles(void **state)
{
    (void)state;
    mc_suspension_curves s = measure("    template: live_axle_longitudinal\n    hardpoints: {" AXLE
                                     "}\n    parts: {axle: {mass: 80}}\n",
                                     MC_SUSPENSION_PARALLEL);
    for (int i = 0; i < 9; i++) {
        near(value(&s, i, "wheelbase_change"), 0.0, 1e-13, "x");
        near(value(&s, i, "wheel_rate"), 30e3, 1e-3, "wheel rate"); // one spring above each wheel
        near(value(&s, i, "roll_centre"), 0.35, 1e-6, "roll centre");
    }
    mc_suspension_curves_free(&s);
    // A level Panhard rod: the axle rolls about its height.
    s = measure(
        "    template: live_axle_links\n    hardpoints: {" AXLE
        ", lower_chassis: [0.6, 0.5, 0.3], lower_axle: [0, 0.5, 0.3], upper_chassis: [0.5, 0, "
        "0.5], upper_axle: [0, 0, 0.5], panhard_chassis: [-0.1, -0.5, 0.44], panhard_axle: "
        "[-0.1, 0.4, 0.44]}\n    parts: {axle: {mass: 80}}\n",
        MC_SUSPENSION_PARALLEL);
    near(value(&s, 4, "roll_centre"), 0.44, 1e-5, "roll centre");
    mc_suspension_curves_free(&s);
    s = measure("    template: live_axle_leaf\n    hardpoints: {" AXLE
                ", eye_front: [0.6, 0.5, 0.4]}\n    parts: {axle: {mass: 80}}\n    spread: 0.25\n",
                MC_SUSPENSION_PARALLEL);
    near(value(&s, 4, "wheel_rate"), 30e3, 1.0, "wheel rate");
    near(value(&s, 8, "wheelbase_change"), 0.6 - sqrt(0.36 - 0.08 * 0.08), 1e-4, "x");
    mc_suspension_curves_free(&s);
}

// Camber and toe are the tables; the contact point moves sideways by what camber turns it.
static void generalized(void **state)
{
    (void)state;
    static const char tables[] =
        "    template: generalized_independent\n    hardpoints: {wheel: [0, 0.8, 0.35]}\n    "
        "parts: "
        "{carrier: {mass: 20}}\n    camber: [[-0.1, 2 deg], [0.1, -2 deg]]\n    toe: [[-0.1, 0.2 "
        "deg], [0, 0], [0.1, 0.3 deg]]\n";
    mc_suspension_curves s = measure(tables, MC_SUSPENSION_PARALLEL);
    for (int i = 0; i < 9; i++) {
        const double z = value(&s, i, "travel");
        near(value(&s, i, "camber"), -20.0 * z, 1e-9, "camber");
        near(value(&s, i, "toe"), z > 0 ? 3.0 * z : -2.0 * z, 1e-9, "toe");
        near(value(&s, i, "track_change"), 0.0, 1e-12, "track");
    }
    near(value(&s, 4, "roll_centre"), 0.8 * 0.35 * 20.0 * degree, 1e-6, "roll centre");
    mc_suspension_curves_free(&s);
    // Through a compliance the table is met where nothing loads it.
    char soft[sizeof tables + 80];
    snprintf(soft, sizeof soft, "%s    camber_compliance: 1e-6\n    toe_compliance: 1e-6\n",
             tables);
    s = measure(soft, MC_SUSPENSION_PARALLEL);
    near(value(&s, 0, "camber"), 1.6, 0.02, "camber");
    near(value(&s, 0, "toe"), 0.16, 0.02, "toe");
    mc_suspension_curves_free(&s);
    s = measure("    template: generalized_dependent\n    hardpoints: {wheel: [0, 0.8, 0.35]}\n    "
                "parts: {axle: {mass: 60}}\n    toe: [[-0.2, -0.02], [0.2, 0.02]]\n",
                MC_SUSPENSION_OPPOSITE);
    // Left up by z: roll asin(z/0.8), steer a tenth of it.
    const double roll = asin(0.08 / 0.8);
    near(fabs(value(&s, 8, "toe")), atan(tan(0.1 * roll) / cos(roll)) / degree, 1e-4, "roll steer");
    near(value(&s, 4, "roll_centre"), 0.35, 1e-9, "roll centre");
    mc_suspension_curves_free(&s);
}

// A walking beam shares its load by its levers, wherever the mass is.
static void walking_tandem(void **state)
{
    (void)state;
    mc_error error = {0};
    static const char text[] =
        "motorcade: concept\nground: 0\nassemblies:\n  frame:\n    components:\n"
        "      mass: {box: [6, 1, 0.5], at: [-2.2, 0, 1.2], mass: 8000}\n"
        "axles:\n"
        "  front:\n    template: live_axle_longitudinal\n    chassis: frame\n"
        "    hardpoints: {wheel: [0, 1, 0.5], middle: [0, 0, 0.5], spring_top: [0, 0.5, 0.9], "
        "spring_bottom: [0, 0.5, 0.6]}\n    parts: {axle: {mass: 300}}\n"
        "    spring: {stiffness: 300 kN/m, preload: 15000}\n"
        "    wheel: {radius: 0.52, width: 0.3, mass: 80, tyre: {stiffness: 900 kN/m}}\n"
        "  tandem:\n    template: walking_tandem\n    chassis: frame\n"
        "    hardpoints: {wheel: [-3.4, 1, 0.5], rear_wheel: [-4.8, 1, 0.5], pivot: [-4.1, 0.5, "
        "0.5], "
        "beam_front: [-3.4, 0.5, 0.5], beam_rear: [-4.8, 0.5, 0.5], front_middle: [-3.4, 0, 0.5], "
        "rear_middle: [-4.8, 0, 0.5], front_rod_chassis: [-2.6, 0, 0.8], front_rod_axle: [-3.4, 0, "
        "0.8], rear_rod_chassis: [-5.6, 0, 0.8], rear_rod_axle: [-4.8, 0, 0.8], spring_top: [-4.1, "
        "0.5, 0.9]}\n"
        "    parts: {saddle: {mass: 30}, beam: {mass: 50}, front_axle: {mass: 350}, rear_axle: "
        "{mass: 350}}\n"
        "    spring: {stiffness: 600 kN/m, preload: 22000}\n"
        "    wheel: {radius: 0.52, width: 0.3, mass: 80, dual: 0.34, tyre: {stiffness: 450 kN/m}}\n"
        "    driven: true\n";
    mc_concept *c = mc_concept_parse(text, "tandem.yaml", &error);
    if (!c)
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    mc_concept_loads loads;
    if (mc_concept_stand(c, &loads, &error) != MC_OK)
        fail_msg("%s", error.text);
    mc_concept_mass whole;
    mc_concept_whole(c, &whole);
    assert_true(loads.settled);
    assert_int_equal(loads.axle_count, 3);
    near(loads.load[1], loads.load[2], 40.0, "tandem"); // torque rods tilt by a hair
    near(loads.load[0] + loads.load[1] + loads.load[2], whole.mass * 9.81, 1e-3, "weight");
    // Moments about the trunnion: 4.1 m behind the front axle.
    near(loads.load[0], whole.mass * 9.81 * (whole.centre[0] + 4.1) / 4.1, 200.0, "front");
    near(whole.mass, 8000 + 300 + 2 * 80 + 2 * 30 + 2 * 50 + 700 + 8 * 80, 1e-9, "mass");
    mc_concept_free(c);
}

// Every template has a file, and its curves close; a spring of a tandem carries two wheels.
static void shipped_templates(void **state)
{
    (void)state;
    mc_concept_template t;
    int count = 0;
    for (; mc_concept_template_at(count, &t); count++) {
        char path[300];
        mc_error error = {0};
        mc_suspension_curves s;
        const bool tandem = strcmp(t.name, "walking_tandem") == 0;
        snprintf(path, sizeof path, SOURCE_DIR "/concepts/templates/%s.yaml", t.name);
        mc_concept *c = mc_concept_load(path, &error);
        if (!c)
            fail_msg("%s: %s", path, error.text);
        const mc_suspension_options o = {
            .axle = tandem ? "tandem" : NULL, .from = -0.05, .to = 0.05, .row_count = 5};
        if (mc_suspension_measure(c, &o, &s, &error) != MC_OK)
            fail_msg("%s: %s", t.name, error.text);
        assert_string_equal(s.suspension, t.name);
        assert_true(s.row_count == 5 && s.gap < 1e-12);
        assert_true(value(&s, 2, "wheel_rate") > 1e3 && isfinite(value(&s, 2, "roll_centre")));
        if (tandem)
            near(value(&s, 2, "wheel_rate"), 300e3, 1e-3, "half of the spring");
        mc_suspension_curves_free(&s);
        mc_concept_free(c);
    }
    assert_int_equal(count, 11);
}

// ---- published ----

static void hmmwv_curves(void **state)
{
    (void)state;
    // Travel, dx, dy, camber, toe, spring, shock: the published table.
    static const double rows[][7] = {
        {-0.100000000, 0.007659733, -0.033919364, 0.963247377, 1.175483731, 0.293059051,
         0.419553481},
        {-0.090000000, 0.006736959, -0.029022598, 1.024673415, 0.973368499, 0.288178946,
         0.414694681},
        {-0.080000000, 0.005871680, -0.024522543, 1.039990728, 0.800071486, 0.283362058,
         0.409892338},
        {-0.070000000, 0.005051179, -0.020387399, 1.015163146, 0.650041228, 0.278599649,
         0.405138389},
        {-0.060000000, 0.004266133, -0.016591776, 0.954747363, 0.519161014, 0.273884672,
         0.400426380},
        {-0.050000000, 0.003509534, -0.013114992, 0.862289629, 0.404298399, 0.269211322,
         0.395751038},
        {-0.040000000, 0.002776004, -0.009939923, 0.740589346, 0.303015708, 0.264574730,
         0.391107980},
        {-0.030000000, 0.002061332, -0.007052206, 0.591880171, 0.213377467, 0.259970750,
         0.386493511},
        {-0.020000000, 0.001362168, -0.004439670, 0.417957962, 0.133818524, 0.255395806,
         0.381904475},
        {-0.010000000, 0.000675801, -0.002091914, 0.220273334, 0.063051437, 0.250846781,
         0.377338150},
        {-0.000000000, 0.000000000, 0.000000000, -0.000000000, 0.000000000, 0.246320929,
         0.372792167},
        {0.010000000, -0.000667093, 0.001843795, -0.241913893, -0.056249407, 0.241815809,
         0.368264450},
        {0.020000000, -0.001327052, 0.003446157, -0.504706618, -0.106484042, 0.237329239,
         0.363753165},
        {0.030000000, -0.001981231, 0.004812886, -0.787772626, -0.151392204, 0.232859251,
         0.359256685},
        {0.040000000, -0.002630809, 0.005949006, -1.090638950, -0.191584261, 0.228404060,
         0.354773558},
        {0.050000000, -0.003276833, 0.006858864, -1.412946603, -0.227609020, 0.223962039,
         0.350302486},
        {0.060000000, -0.003920239, 0.007546198, -1.754435843, -0.259966621, 0.219531699,
         0.345842302},
        {0.070000000, -0.004561883, 0.008014204, -2.114934424, -0.289118839, 0.215111667,
         0.341391956},
        {0.080000000, -0.005202556, 0.008265581, -2.494348216, -0.315497417, 0.210700678,
         0.336950502},
        {0.090000000, -0.005842998, 0.008302571, -2.892653724, -0.339510891, 0.206297558,
         0.332517084},
        {0.100000000, -0.006483912, 0.008126993, -3.309892145, -0.361550260, 0.201901217,
         0.328090932},
    };
    static const char *const names[] = {"travel", "wheelbase_change", "track_change",    "camber",
                                        "toe",    "spring_fl_length", "damper_fl_length"};
    mc_error error = {0};
    mc_suspension_curves s;
    mc_concept *c = mc_concept_load(SOURCE_DIR "/concepts/hmmwv.yaml", &error);
    if (!c)
        fail_msg("%s", error.text);
    const mc_suspension_options o = {.axle = "front", .from = -0.1, .to = 0.1, .row_count = 21};
    if (mc_suspension_measure(c, &o, &s, &error) != MC_OK)
        fail_msg("%s", error.text);
    assert_int_equal(sizeof rows / sizeof rows[0], 21);
    for (int i = 0; i < 21; i++)
        for (int k = 0; k < 7; k++)
            near(value(&s, i, names[k]), rows[i][k], 6e-10, names[k]);
    // Motion ratios at the design position, which were found by differences.
    near(value(&s, 10, "spring_fl_ratio"), 0.451510235, 1e-8, "spring");
    near(value(&s, 10, "damper_fl_ratio"), 0.453652532, 1e-8, "shock");
    mc_suspension_curves_free(&s);
    const mc_suspension_options rear = {.axle = "rear", .from = -0.1, .to = 0.1, .row_count = 21};
    if (mc_suspension_measure(c, &rear, &s, &error) != MC_OK)
        fail_msg("%s", error.text);
    near(value(&s, 10, "spring_rl_ratio"), 0.438739894, 1e-8, "spring");
    near(value(&s, 10, "damper_rl_ratio"), 0.444036311, 1e-8, "shock");
    near(value(&s, 10, "spring_rl_length"), 0.305841462, 6e-10, "spring");
    mc_suspension_curves_free(&s);
    const mc_suspension_options steer = {
        .axle = "front", .motion = MC_SUSPENSION_STEER, .from = -0.03, .to = 0.03, .row_count = 5};
    if (mc_suspension_measure(c, &steer, &s, &error) != MC_OK)
        fail_msg("%s", error.text);
    assert_true(value(&s, 4, "toe") * value(&s, 0, "toe") < 0.0);
    assert_true(fabs(value(&s, 4, "toe")) > 8.0);
    mc_suspension_curves_free(&s);
    mc_concept_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trailing_arm),        cmocka_unit_test(swing_arm),
        cmocka_unit_test(macpherson),          cmocka_unit_test(double_wishbone),
        cmocka_unit_test(dependent_swing_arm), cmocka_unit_test(live_axles),
        cmocka_unit_test(generalized),         cmocka_unit_test(walking_tandem),
        cmocka_unit_test(hmmwv_curves),        cmocka_unit_test(shipped_templates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
