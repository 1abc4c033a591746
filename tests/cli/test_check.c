// test_check.c - `motorcade check`: what it prints, its exit codes, the schema.
#include "support/cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define GOOD                                                                                       \
    "motorcade: scenario\n"                                                                        \
    "time: {end: 60}\n"                                                                            \
    "models: {car: point, other: point}\n"                                                         \
    "controllers: {c: acc}\n"                                                                      \
    "platoons: [{leader: {model: car, profile: light}, cars: [{model: car, controller: c}]}]\n"

static int set_up(void **state)
{
    cli_set_up(state);
    run_put(&folder, "good.yaml", GOOD);
    run_put(&folder, "odd.yaml", GOOD "events: [{at: 70, vehicle: car1, brake_lost: 0}]\n");
    run_put(&folder, "bad.yaml", GOOD "evnts: []\n");
    return 0;
}

// Runs it and compares everything it prints.
static void check(const char *arguments, int code, const char *out, const char *err)
{
    run_result r = cli_run(arguments);
    assert_string_equal(r.err, err);
    assert_string_equal(r.out, out);
    assert_int_equal(r.code, code);
    run_result_free(&r);
}

#define GOOD_LINE                                                                                  \
    "good.yaml: 2 vehicles, 2 models, 1 controller, 0 events, 60 s in steps of 0.05 s: good\n"
#define ODD_LINE "odd.yaml: 2 vehicles, 2 models, 1 controller, 1 event, 60 s in steps of 0.05 s\n"
#define ODD_WARNING "odd.yaml:6:10: the event at 70 s is after the end, 60 s (warning)\n"
#define BAD_MESSAGE                                                                                \
    "bad.yaml:6:1: the scenario has no key \"evnts\"; did you mean events?\n"                      \
    "    evnts: []\n"                                                                              \
    "    ^\n"

static void test_one_file(void **state)
{
    (void)state;
    check("check good.yaml", 0, GOOD_LINE, "");
    check("check odd.yaml", 0, ODD_LINE, ODD_WARNING);
    check("check bad.yaml", 2, "", BAD_MESSAGE);
    check("check -q odd.yaml", 0, "", ODD_WARNING);
}

// A bad file does not keep the others from being looked at.
static void test_several_files(void **state)
{
    (void)state;
    check("check bad.yaml good.yaml odd.yaml", 2, GOOD_LINE ODD_LINE, BAD_MESSAGE ODD_WARNING);
}

static void test_wrong_words(void **state)
{
    (void)state;
    check("check", 2, "",
          "motorcade check: no file given; expected scenarios, mechanisms or concepts, --schema, "
          "--model-schema or --concept-schema\n");
    check("check nowhere.yaml", 2, "", "nowhere.yaml: cannot be read: No such file or directory\n");
    run_result r = cli_run("check --shema");
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(r.err, "--schema"));
    run_result_free(&r);
    r = cli_run("check -h");
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.out, "usage: motorcade check SCENARIO.yaml"));
    run_result_free(&r);
}

// What reading, deriving and closing the loops of a mechanism find.
#define ARM                                                                                        \
    "motorcade: multibody\nbodies:\n  arm: {joint: hinge, axis: y, mass: 1, com: [0, 0, -1]}\n"
#define ROD "joints: {rod: {joint: distance, from: ground, to: arm, to_at: [0, 0, -1], length: "
static void test_mechanisms(void **state)
{
    (void)state;
    run_put(&folder, "arm.yaml", ARM);
    run_put(&folder, "odd_arm.yaml", ARM "variables: {a: arm.angel}\n");
    run_put(&folder, "held.yaml", ARM ROD "1}}\n");
    run_put(&folder, "open.yaml", ARM ROD "3}}\n");
    run_put(&folder, "infinite.yaml", ARM "states: {x: {start: 0, rate: 1/(x*arm.angle)}}\n");
    check(
        "check arm.yaml good.yaml", 0,
        "arm.yaml: 1 body, 1 degree of freedom, 2 states, 0 inputs, 3 parameters: good\n" GOOD_LINE,
        "");
    check("check -q arm.yaml", 0, "", "");
    check("check odd_arm.yaml", 2, "",
          "odd_arm.yaml:4:16: unknown name \"arm.angel\"; did you mean \"arm.angle\"?\n"
          "    arm.angel\n"
          "    ^\n");
    check("check held.yaml", 0,
          "held.yaml: 1 body, 1 degree of freedom, 0 rows of constraint, 1 redundant, 2 states, 0 "
          "inputs, 5 parameters: good\n",
          "");
    check("check open.yaml", 2, "",
          "open.yaml:4: joint rod cannot close: it stays open by 2 m at the nearest position "
          "found\n");
    check("check infinite.yaml", 2, "",
          "motorcade check: model: at the start the rate of x is not a finite number\n");
}

// The committed schemas are what the program prints. After a change of a table regenerate them with
// `build/motorcade check --schema > schema/scenario.schema.json` and
// `build/motorcade check --model-schema > schema/multibody.schema.json`.
static void compare_schema(const char *path, const char *arguments)
{
    size_t size;
    run_copy(&folder, "schema.json", path);
    char *committed = run_get(&folder, "schema.json", &size);
    run_result r = cli_run(arguments);
    assert_int_equal(r.code, 0);
    assert_true(size > 10000);
    if (strcmp(committed, r.out) != 0)
        fail_msg("%s is not what `motorcade %s` prints", path, arguments);
    free(committed);
    run_result_free(&r);
}

static void test_the_schemas_are_the_committed_ones(void **state)
{
    (void)state;
    compare_schema(SOURCE_DIR "/schema/scenario.schema.json", "check --schema");
    compare_schema(SOURCE_DIR "/schema/multibody.schema.json", "check --model-schema");
    compare_schema(SOURCE_DIR "/schema/concept.schema.json", "check --concept-schema");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_file),
        cmocka_unit_test(test_several_files),
        cmocka_unit_test(test_wrong_words),
        cmocka_unit_test(test_mechanisms),
        cmocka_unit_test(test_the_schemas_are_the_committed_ones),
    };
    return cmocka_run_group_tests(tests, set_up, cli_tear_down);
}
