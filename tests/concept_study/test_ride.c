// Shipped concepts: natural frequencies of the ride models to their printed digits, masses and
// axle loads of the vehicles, no findings.
#include "motorcade/concept.h"
#include "motorcade/linear.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MODES_MAX = 8 };

typedef struct ride {
    const char *file;
    bool undamped; // all dampers set to 0
    int count;
    double frequency[MODES_MAX], damping[MODES_MAX]; // Hz, -; NAN: not printed
} ride;

// Published values. Of F1 the first two undamped ones are those of its parameters as printed, by
// LAPACK; the published 1.42010743 and 1.43573371 Hz are of parameters with more digits.
static const ride rides[] = {
    {"four_springs", false, 3, {1.39993165, 1.68809309, 1.78388381}, {0}},
    {"ride/q1", true, 2, {0.83489112, 6.78414974}, {0}},
    {"ride/q1", false, 2, {0.834878, 6.783332}, {0.009843, 0.013261}},
    {"ride/q1t", false, 2, {0.835634, 5.600173}, {0.020916, 0.563091}},
    {"ride/q2", true, 2, {1.33074700, 14.24422351}, {0}},
    {"ride/q2", false, 2, {1.321297, 13.507637}, {0.183768, 0.287210}},
    {"ride/h1", true, 4, {0.95920745, 1.14929783, 11.84356665, 11.91630334}, {0}},
    {"ride/h1", false, 2, {1.425306, 2.510350}, {0.839066, 0.641068}},
    {"ride/h3", false, 2, {1.06549984, 1.63031882}, {0}},
    {"ride/f1",
     true,
     7,
     {1.42010752, 1.43573373, 2.11033878, 11.89469086, 11.89596246, 12.05805800, 12.06238499},
     {0}},
    {"ride/f1",
     false,
     7,
     {1.390337, 1.399862, 2.001416, 10.232921, 10.724693, 10.802076, 11.133437},
     {0.343498, 0.287136, 0.474757, 0.400153, 0.365910, 0.389928, 0.358213}},
    {"ride/f3",
     false,
     7,
     {1.33391876, 1.60801101, 1.69906603, 11.80324648, 11.81088891, 11.81442281, 11.81575404},
     {0}},
    {"ride/f4",
     false,
     7,
     {1.299785, 1.546674, 1.625938, 11.040844, 11.083618, 11.194432, 11.419783},
     {0.289126, 0.350748, 0.371551, 0.268968, 0.267443, 0.263144, 0.252825}},
};

static mc_multibody *load(const char *file)
{
    char path[300];
    mc_error error = {0};
    const mc_multibody_options interpreted = {.compile = MC_COMPILE_NEVER};
    snprintf(path, sizeof path, SOURCE_DIR "/concepts/%s.yaml", file);
    mc_multibody *m = mc_multibody_load(path, &interpreted, &error);
    if (!m)
        fail_msg("%s: %s", file, error.text);
    return m;
}

static void remove_dampers(mc_multibody *m)
{
    mc_error error;
    const char *name;
    for (int i = 0; (name = mc_multibody_name(m, MC_QUANTITY_PARAMETER, i)); i++)
        if (strstr(name, ".damping"))
            assert_int_equal(mc_multibody_set(m, name, 0.0, &error), MC_OK);
}

// Frequencies that oscillate, in order.
static int oscillations(const mc_linear *linear, double *frequency, double *damping)
{
    int count = 0;
    for (int k = 0; k < linear->count; k++) {
        const mc_linear_mode *mode = &linear->modes[k];
        if (mode->rigid || mode->imaginary <= 0.0 || count == MODES_MAX)
            continue;
        int at = count++;
        for (; at > 0 && frequency[at - 1] > mode->frequency; at--)
            frequency[at] = frequency[at - 1], damping[at] = damping[at - 1];
        frequency[at] = mode->frequency;
        damping[at] = mode->damping;
    }
    return count;
}

static void published_frequencies(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rides / sizeof rides[0]; i++) {
        const ride *r = &rides[i];
        mc_multibody *m = load(r->file);
        mc_error error = {0};
        mc_linear linear;
        double frequency[MODES_MAX], damping[MODES_MAX];
        double *y = calloc((size_t)mc_multibody_info_of(m)->y_count, sizeof y[0]);
        if (r->undamped)
            remove_dampers(m);
        mc_multibody_start(m, y);
        if (mc_multibody_equilibrium(m, y, NULL, NULL, &error) != MC_OK)
            fail_msg("%s: %s", r->file, error.text);
        assert_int_equal(mc_multibody_linearize(m, 0.0, y, NULL, &linear, &error), MC_OK);
        assert_int_equal(oscillations(&linear, frequency, damping), r->count);
        const bool six = r->damping[0] > 0.0; // printed with six decimals
        for (int k = 0; k < r->count; k++) {
            if (fabs(frequency[k] - r->frequency[k]) > (six ? 5.1e-7 : 1e-8))
                fail_msg("%s mode %d: %.9f Hz, expected %.9f", r->file, k + 1, frequency[k],
                         r->frequency[k]);
            if (six && fabs(damping[k] - r->damping[k]) > 5.1e-7)
                fail_msg("%s mode %d: damping %.7f, expected %.7f", r->file, k + 1, damping[k],
                         r->damping[k]);
        }
        mc_linear_free(&linear);
        mc_multibody_free(m);
        free(y);
    }
}

// H3: where the two modes have their nodes, z/theta about the mass centre.
static void published_nodes(void **state)
{
    (void)state;
    static const double nodes[2] = {-17.308143, 0.052143};
    mc_multibody *m = load("ride/h3");
    mc_error error = {0};
    mc_linear linear;
    double y[8];
    mc_multibody_start(m, y);
    assert_int_equal(mc_multibody_equilibrium(m, y, NULL, NULL, &error), MC_OK);
    assert_int_equal(mc_multibody_linearize(m, 0.0, y, NULL, &linear, &error), MC_OK);
    assert_int_equal(linear.count, 4);
    assert_true(strstr(linear.name[0], ".tz") && strstr(linear.name[1], ".ry"));
    for (int k = 0, found = 0; k < linear.count; k++)
        if (linear.modes[k].imaginary > 0.0) {
            const double *re = linear.shape_real + 4 * k;
            if (fabs(re[0] / re[1] - nodes[found]) > 5.1e-7)
                fail_msg("node of mode %d: %.9g, expected %.9g", found + 1, re[0] / re[1],
                         nodes[found]);
            found++;
        }
    mc_linear_free(&linear);
    mc_multibody_free(m);
}

static void vehicles(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        double least, most; // kg
        int axles;
    } cases[] = {
        {"truck_5t", 4900, 5500, 2},
        {"truck_11t", 10000, 11500, 3},
        {"pickup", 1500, 2000, 2},
        {"hmmwv", 2573.137, 2573.139, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[300];
        mc_error error = {0};
        mc_concept_mass whole;
        mc_concept_loads loads;
        snprintf(path, sizeof path, SOURCE_DIR "/concepts/%s.yaml", cases[i].file);
        mc_concept *c = mc_concept_load(path, &error);
        if (!c)
            fail_msg("%s: %s", path, error.text);
        mc_concept_whole(c, &whole);
        assert_true(whole.mass > cases[i].least && whole.mass < cases[i].most);
        assert_int_equal(mc_concept_stand(c, &loads, &error), MC_OK);
        assert_int_equal(loads.axle_count, cases[i].axles);
        double sum = 0.0;
        for (int k = 0; k < loads.axle_count; k++)
            sum += loads.load[k];
        assert_true(fabs(sum - 9.81 * whole.mass) < 1e-6 * sum);
        assert_int_equal(mc_concept_lint(c, NULL, NULL), 0);
        mc_concept_free(c);
    }
}

// The cab alone, driven by the chassis of the full run over a bump, does what it does there.
static void cab_repeats_the_full_run(void **state)
{
    (void)state;
    mc_error error = {0};
    mc_concept_repeat_report report;
    char *text = calloc(1, 60000);
    FILE *in = fopen(SOURCE_DIR "/concepts/truck_5t.yaml", "r");
    const size_t length = in ? fread(text, 1, 50000, in) : 0;
    assert_true(length > 1000);
    fclose(in);
    strcat(text, "road: {speed: 12 m/s, bumps: {one: {at: 0, length: 0.8, height: 80 mm}}}\n");
    mc_concept *c = mc_concept_parse(text, "truck.yaml", &error);
    free(text);
    assert_non_null(c);
    if (mc_concept_repeat(c, "cab", 0.06, 3e-4, &report, &error) != MC_OK)
        fail_msg("%s", error.text);
    print_message("%.1e of %.4f m\n", report.largest, report.moved);
    assert_int_equal(report.row_count, 201);
    assert_int_equal(report.coordinate_count, 1);
    assert_true(report.moved > 4e-3);
    assert_true(report.largest < 1e-9);
    mc_concept_free(c);
}

static char found[2000];

static void take(void *context, const char *text)
{
    (void)context;
    snprintf(found + strlen(found), sizeof found - strlen(found), "%s\n", text);
}

// Spring lengths in millimetres read as metres, and the like.
static void findings(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *says;
    } cases[] = {
        {"spring: {stiffness: 34 kN/m, preload: 2500 N, min: 0.20, max: 0.46}",
         "spring: {stiffness: 34 kN/m, preload: 2500 N, min: 0.35, max: 0.46}", "at its stop"},
        {"mass: 235 kg", "mass: 235000 kg", "more than any metal"},
        {"eye_front: [-2.90, 0.52, 0.42]", "eye_front: [-0.90, 0.52, 0.42]", "of the wheelbase"},
        {"spring_top: [-3.55, 0.52, 0.72]", "spring_top: [-3.55, 1.52, 0.72]",
         "outside of its wheel"},
        {"box: [0.70, 0.60, 0.60]", "box: [700, 0.60, 0.60]", "in mm?"},
    };
    char path[] = SOURCE_DIR "/concepts/pickup.yaml", *text = calloc(1, 40000);
    FILE *in = fopen(path, "r");
    const size_t length = in ? fread(text, 1, 39999, in) : 0;
    assert_true(length > 1000);
    fclose(in);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *wrong = calloc(1, length + 200), *at = strstr(text, cases[i].from);
        mc_error error = {0};
        assert_non_null(at);
        snprintf(wrong, length + 200, "%.*s%s%s", (int)(at - text), text, cases[i].to,
                 at + strlen(cases[i].from));
        mc_concept *c = mc_concept_parse(wrong, "wrong.yaml", &error);
        if (!c)
            fail_msg("%s", error.text);
        found[0] = '\0';
        mc_concept_lint(c, take, NULL);
        if (!strstr(found, cases[i].says))
            fail_msg("\"%s\", expected \"%s\"", found, cases[i].says);
        mc_concept_free(c);
        free(wrong);
    }
    free(text);
}

// Springs whose curve ends below what rests on them: said with their axle, not as a residual.
static void weak_springs(void **state)
{
    (void)state;
#define AXLE(x, spring)                                                                            \
    "{template: generalized_independent, chassis: b, hardpoints: {wheel: [" x ", 0.7, 0.3]}, "     \
    "parts: {carrier: {mass: 8}}, spring: " spring ", wheel: {radius: 0.31, width: 0.2, mass: "    \
    "14, tyre: {stiffness: 180 kN/m}}}\n"
    static const char text[] =
        "motorcade: concept\nground: 0\nassemblies:\n  b:\n    components:\n"
        "      m: {box: [3, 1.2, 0.5], at: [-1.5, 0, 0.6], mass: 912 kg}\naxles:\n"
        "  front: " AXLE("0", "{curve: [[0, 0], [0.1, 300]], length: 0.3}") "  rear: " AXLE(
            "-3", "{stiffness: 30 kN/m, preload: 2300 N}");
    mc_error error = {0};
    mc_concept_loads loads;
    mc_concept *c = mc_concept_parse(text, "weak.yaml", &error);
    if (!c)
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    assert_int_equal(mc_concept_stand(c, &loads, &error), MC_FAILED);
    assert_string_equal(error.text, "the springs of front push with at most 600 N, and 4905 N rest "
                                    "on the axle: it cannot reach equilibrium");
    assert_true(error.line == 8 && error.column == 3);
    found[0] = '\0';
    assert_true(mc_concept_lint(c, take, NULL) >= 1);
    assert_non_null(strstr(found, "weak.yaml:8:3: the springs of front push"));
    mc_concept_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_frequencies),
        cmocka_unit_test(published_nodes),
        cmocka_unit_test(vehicles),
        cmocka_unit_test(cab_repeats_the_full_run),
        cmocka_unit_test(findings),
        cmocka_unit_test(weak_springs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
