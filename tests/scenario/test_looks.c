// test_looks.c - the key `look` of models: words, files, `like`, and its messages.
#include "motorcade/observe.h"
#include "motorcade/run.h"

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

#define START                                                                                      \
    "motorcade: scenario\nname: looks\ntime: {end: 1}\nmodels:\n  plain: {}\n  van: {look: van}\n" \
    "  more: {like: van, mass: 2000}\n  dot: {kind: point, look: "
#define REST                                                                                       \
    "}\ncontrollers: {hold: {law: {acceleration: 0 m/s^2}}}\nvehicles:\n"                          \
    "  - {model: dot, controller: hold, x: 0, v: 1}\n"

static mc_run *start(const char *look, mc_scenario **scenario, mc_error *error)
{
    char path[] = "/tmp/looks-XXXXXX.yaml";
    const int file = mkstemps(path, 5);
    FILE *out = fdopen(file, "w");
    assert_non_null(out);
    fprintf(out, START "%s" REST, look);
    fclose(out);
    *scenario = mc_scenario_load(path, error);
    remove(path);
    return *scenario ? mc_run_create(*scenario, NULL, error) : NULL;
}

static void words_and_like(void **state)
{
    (void)state;
    static const char *const expected[] = {"car", "van", "van", "trailer"};
    mc_scenario *s;
    mc_error error = {0};
    mc_run *run = start("trailer", &s, &error);
    assert_non_null(run);
    mc_run_model_info m;
    for (int k = 0; k < 4; k++) {
        assert_true(mc_run_model_at(run, k, &m));
        assert_string_equal(m.look, expected[k]);
    }
    mc_look_mesh mesh;
    assert_int_equal(mc_run_look_mesh(run, 3, &mesh, &error), MC_BAD_INPUT);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static void a_file_is_kept_with_the_scenario(void **state)
{
    (void)state;
    mc_scenario *s;
    mc_error error = {0};
    mc_run *run = start(SOURCE_DIR "/scenarios/looks/bus.glb", &s, &error);
    if (!run)
        fail_msg("%s", error.text);
    mc_run_model_info m;
    assert_true(mc_run_model_at(run, 3, &m));
    assert_string_equal(m.look, "file");
    mc_look_mesh mesh;
    assert_int_equal(mc_run_look_mesh(run, 3, &mesh, &error), MC_OK);
    assert_int_equal(mesh.count, 368);
    // 11 m long and some lamps, 2.5 m wide and some wheels, nearly 3 m high.
    assert_true(fabs(mesh.size[0] - 11.08) < 0.01 && fabs(mesh.size[1] - 2.56) < 0.05 &&
                fabs(mesh.size[2] - 2.95) < 0.01);
    int painted = 0;
    for (int t = 0; t < mesh.count; t++)
        painted += mesh.colour[3 * t] == 255;
    assert_true(painted > 10 && painted < 100);
    mc_look_mesh_free(&mesh);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"vann", "\"vann\""},
        {"car.gltf", "binary glTF"},
        {"/nowhere/car.glb", "cannot read the file /nowhere/car.glb"},
        {"{van: 1}", "expected one value"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        mc_scenario *s;
        mc_error error = {0};
        assert_null(start(cases[k][0], &s, &error));
        assert_null(s);
        assert_int_equal(error.code, MC_BAD_INPUT);
        assert_int_equal(error.line, 8);
        if (!strstr(error.text, cases[k][1]))
            fail_msg("%s: %s", cases[k][0], error.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_like),
        cmocka_unit_test(a_file_is_kept_with_the_scenario),
        cmocka_unit_test(what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
