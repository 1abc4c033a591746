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
          "motorcade check: no scenario file given; expected one or more, or --schema\n");
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

// The committed schema is what the program prints. After a change of a table regenerate it with
// `build/motorcade check --schema > schema/scenario.schema.json`.
static void test_the_schema_is_the_committed_one(void **state)
{
    (void)state;
    size_t size;
    run_copy(&folder, "schema.json", SOURCE_DIR "/schema/scenario.schema.json");
    char *committed = run_get(&folder, "schema.json", &size);
    run_result r = cli_run("check --schema");
    assert_int_equal(r.code, 0);
    assert_true(size > 10000);
    if (strcmp(committed, r.out) != 0)
        fail_msg("schema/scenario.schema.json is not what `motorcade check --schema` prints");
    free(committed);
    run_result_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_file),
        cmocka_unit_test(test_several_files),
        cmocka_unit_test(test_wrong_words),
        cmocka_unit_test(test_the_schema_is_the_committed_one),
    };
    return cmocka_run_group_tests(tests, set_up, cli_tear_down);
}
