// test_read.c - terrain from YAML: what it gives, and every way to write it wrong, with its place.
#include "terrain_file/read.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const road_terrain *read(arena *memory, const char *text, mc_error *error)
{
    const yaml_node *root;
    if (yaml_parse(text, strlen(text), "t.yaml", memory, &root, error) != MC_OK)
        return NULL;
    reader r = {.memory = memory, .file = "t.yaml", .what = "terrain", .error = error};
    return terrain_read(&r, root, NULL);
}

static double height(const char *text, double x, double y)
{
    arena memory = {0};
    mc_error error = {0};
    const road_terrain *t = read(&memory, text, &error);
    if (!t)
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    terrain_point p;
    terrain_at(t, x, y, &p);
    arena_free(&memory);
    return p.z;
}

static void near_to(double a, double b)
{
    if (!(fabs(a - b) < 1e-9))
        fail_msg("%.15g is not %.15g", a, b);
}

static void every_kind_is_read(void **unused)
{
    (void)unused;
    near_to(height("features: [{terms: [{at: 1, power: 2, scale: 0.1}, {power: 0, scale: 5 cm}], "
                   "from: 2, period: 4}]",
                   9.0, 0.0),
            0.05 + 0.1 * 4.0);
    near_to(height("features: [{table: [[0, 0], [2, 0.2]]}]", 0.5, 0.0), 0.05);
    near_to(height("features: [{table: [[0, 0, 1], [2, 0.2, 1]], track: 2}]", 1.0, 0.5),
            0.75 * 0.1 + 0.25);
    near_to(height("features: [{table: [[0, 0], [1, 1], [2, 0]], smooth: true, repeat: true}]", 5.0,
                   0.0),
            1.0);
    near_to(height("features: [{formula: 0.1 m*sin(x/1 m) + 0.2*y}]", 2.0, 3.0),
            0.1 * sin(2.0) + 0.6);
    near_to(height("features: [{shape: slope, along: 0.1}, {formula: 0.3, side: left}]", 2.0, 3.0),
            0.5);
    assert_true(fabs(height("features: [{class: C, length: 100}]", 3.0, 0.0)) > 1e-6);
    near_to(height("friction: 0.5", 3.0, 0.0), 0.0);
}

static void ground_has_its_friction(void **unused)
{
    (void)unused;
    arena memory = {0};
    mc_error error = {0};
    const road_terrain *t = read(&memory,
                                 "ground: gravel wet truck\nspots:\n"
                                 "- {from: 1, to: 2, ground: ice dry summer}\n"
                                 "- {from: 3, to: 4, ground: ice dry summer, friction: 0.3}",
                                 &error);
    assert_non_null(t);
    terrain_point p;
    terrain_at(t, 0.0, 0.0, &p);
    near_to(p.friction, 0.52);
    near_to(t->reference, 0.7);
    terrain_at(t, 1.5, 0.0, &p);
    near_to(p.friction, 0.1);
    terrain_at(t, 3.5, 0.0, &p);
    near_to(p.friction, 0.3);
    arena_free(&memory);
}

static const struct {
    const char *text;
    int line, column;
    const char *says;
} wrong[] = {
    {"features: 3", 1, 11, "list"},
    {"feature: []", 1, 1, "features"},
    {"planes: 6", 1, 9, "1 to 5"},
    {"planes: 1.5", 1, 9, "whole"},
    {"friction: -1", 1, 11, "0 to 10"},
    {"features:\n- {}", 2, 3, "expected one of them"},
    {"features:\n- {class: A, formula: x}", 2, 3, "2 of the keys"},
    {"features:\n- {class: K}", 2, 11, "expected A to H"},
    {"features:\n- {class: A, length: 1, n_max: 1}", 2, 3, "two of the shortest"},
    {"features:\n- {gd: 2}", 2, 8, "1 m^3"},
    {"features:\n- {formula: z}", 2, 13, "z"},
    {"features:\n- {formula: 3 s}", 2, 13, "m"},
    {"features:\n- {terms: []}", 2, 11, "1"},
    {"features:\n- {terms: [{power: 1}]}", 2, 12, "needs the key scale"},
    {"features:\n- {terms: [{scale: 1}]}", 2, 12, "needs the key power"},
    {"features:\n- {terms: [{power: 6, scale: 1}]}", 2, 20, "0 to 5"},
    {"features:\n- {terms: [{power: 1, scale: 1 kg}]}", 2, 30, "kg"},
    {"features:\n- {terms: [{power: 0, scale: 1, at: 5}], period: 2}", 2, 50, "beyond the period"},
    {"features:\n- {terms: [{power: 0, scale: 1}], side: top}", 2, 41, "both, left, right"},
    {"features:\n- {table: [[0, 0]]}", 2, 11, "2"},
    {"features:\n- {table: [[0, 0], [0, 1]]}", 2, 20, "steps are terms"},
    {"features:\n- {table: [[0, 0], [1, 1, 2]]}", 2, 20, "a row of 3"},
    {"features:\n- {table: [[0, 0], [1, 1]], repeat: true}", 2, 11, "begins at 0 m and ends at 1"},
    {"features:\n- {table: [[0, 0], [1, 1]], smooth: maybe}", 2, 37, "true"},
    {"features:\n- {shape: cone}", 2, 11, "slope, waves"},
    {"features:\n- {shape: slope, wavelength: 3}", 2, 18, "wavelength"},
    {"features:\n- {surface: a.crg}", 2, 13, "cannot be named here"},
    {"spots:\n- {from: 3, to: 1}", 2, 3, "end after its start"},
    {"ground: gravel", 1, 9, "unknown ground"},
    {"ground: lava dry truck", 1, 9, "unknown ground"},
    {"spots:\n- {from: 3, to: 4, ground: ice dry skates}", 2, 28, "unknown ground"},
    {"spots:\n- {from: 3}", 2, 3, "needs the key to"},
};

static void wrong_input_is_rejected_at_its_place(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        arena memory = {0};
        mc_error error = {0};
        if (read(&memory, wrong[k].text, &error))
            fail_msg("accepted: %s", wrong[k].text);
        if (error.line != wrong[k].line || error.column != wrong[k].column ||
            !strstr(error.text, wrong[k].says))
            fail_msg("%s\n%d:%d: %s, expected %d:%d: %s", wrong[k].text, error.line, error.column,
                     error.text, wrong[k].line, wrong[k].column, wrong[k].says);
        arena_free(&memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_read),
        cmocka_unit_test(ground_has_its_friction),
        cmocka_unit_test(wrong_input_is_rejected_at_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
