// Changes of a controller by a page: another law, matrices, cars received by radio, the radio.
#include "motorcade/laws.h"
#include "support/hub_page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static hub *h;
static test_page p;

static int start(void **state)
{
    (void)state;
    h = test_hub("two_gains.yaml", false);
    if (!h)
        return -1;
    test_page_open(&p, h);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    test_page_close(&p);
    hub_destroy(h);
    return 0;
}

// The controller "follow" as the next message `world` has it; the message is kept in *whole.
static const json_t *follow_of(json_t **whole)
{
    *whole = test_page_wait(&p, "world");
    const json_t *w = json_object_get(*whole, "world");
    const json_t *list = json_object_get(json_is_object(w) ? w : *whole, "controllers");
    for (size_t k = 0; k < json_array_size(list); k++)
        if (strcmp(test_text(json_array_get(list, k), "name"), "follow") == 0)
            return json_array_get(list, k);
    fail_msg("no controller follow");
    return NULL;
}

static void do_it(const char *args)
{
    json_t *answer = test_page_ask(&p, "{\"kind\": \"car\", \"controller\": \"follow\", %s}", args);
    if (strcmp(test_text(answer, "kind"), "done") != 0)
        fail_msg("%s: %s", args, test_text(answer, "reason"));
    json_decref(answer);
}

static void another_law_drives(void **state)
{
    (void)state;
    json_t *whole;
    do_it("\"op\": \"law\", \"name\": \"acc\"");
    const json_t *c = follow_of(&whole);
    assert_string_equal(test_text(c, "law"), "acc");
    assert_true(isfinite(test_number(json_object_get(c, "gains"), "k1")));
    assert_true(isnan(test_number(json_object_get(c, "gains"), "k3")));
    json_decref(whole);
}

static void matrices_drive(void **state)
{
    (void)state;
    json_t *whole;
    do_it(
        "\"op\": \"linear\", \"linear\": {\"inputs\": [\"gap - distance - headway*v\", \"v_front - "
        "v\"], \"A\": [[-2]], \"B\": [[2, 0]], \"C\": [0.4], \"D\": [0, 0.9]}");
    const json_t *c = follow_of(&whole);
    assert_true(json_is_true(json_object_get(c, "own")));
    json_decref(whole);
    // What it hears can be changed without losing the matrices.
    do_it("\"op\": \"listen\", \"listen\": [\"front\", 2]");
    c = follow_of(&whole);
    assert_true(json_is_true(json_object_get(c, "own")));
    assert_true(json_array_size(json_object_get(c, "lines")) >= 2);
    json_decref(whole);
}

static void hears_others_and_keeps_its_gains(void **state)
{
    (void)state;
    json_t *whole;
    do_it("\"op\": \"listen\", \"listen\": [\"front\", 2]");
    const json_t *c = follow_of(&whole), *listen = json_object_get(c, "listen");
    assert_int_equal(json_array_size(listen), 2);
    assert_string_equal(json_string_value(json_array_get(listen, 0)), "front");
    assert_int_equal(json_integer_value(json_array_get(listen, 1)), 2);
    assert_string_equal(test_text(c, "law"), "platoon");
    assert_true(test_number(json_object_get(c, "gains"), "k3") == 4.0);
    json_decref(whole);
    do_it("\"op\": \"radio\", \"values\": {\"delay\": 0.08, \"loss\": 0.1}");
    c = follow_of(&whole);
    assert_true(test_number(json_object_get(c, "radio"), "delay") == 0.08);
    assert_true(test_number(json_object_get(c, "radio"), "loss") == 0.1);
    assert_int_equal(json_array_size(json_object_get(c, "listen")), 2);
    assert_true(test_number(json_object_get(c, "gains"), "k3") == 4.0);
    json_decref(whole);
}

static double value_of(const char *group, const char *name)
{
    json_t *card = test_page_ask(&p, "{\"kind\": \"card\", \"vehicle\": \"car3\"}");
    const json_t *groups = json_object_get(card, "groups");
    double value = NAN;
    for (size_t k = 0; k < json_array_size(groups); k++) {
        const json_t *g = json_array_get(groups, k), *rows = json_object_get(g, "rows");
        for (size_t i = 0; i < json_array_size(rows); i++)
            if (strcmp(test_text(g, "group"), group) == 0 &&
                strcmp(test_text(json_array_get(rows, i), "name"), name) == 0)
                value = test_number(json_array_get(rows, i), "value");
    }
    json_decref(card);
    return value;
}

static void parts_take_numbers(void **state)
{
    (void)state;
    do_it("\"op\": \"inner\", \"values\": {\"hysteresis\": 0.25}");
    do_it("\"op\": \"sensor\", \"values\": {\"delay\": 0.05, \"reach\": 120}");
    do_it("\"op\": \"avoid\", \"values\": {\"margin\": 3}");
    assert_true(value_of("inner", "hysteresis") == 0.25);
    assert_true(value_of("sensor", "delay") == 0.05);
    assert_true(value_of("sensor", "reach") == 120.0);
    assert_true(value_of("avoid", "margin") == 3.0);
    assert_true(value_of("law", "k3") == 4.0);
}

static void wrong_ones_are_rejected(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"\"op\": \"law\"", "name is missing"},
        {"\"op\": \"law\", \"name\": \"plattoon\"", "unknown law \"plattoon\""},
        {"\"op\": \"law\", \"name\": 7", "name"},
        {"\"op\": \"linear\", \"linear\": 1", "must be an object"},
        {"\"op\": \"linear\", \"linear\": {}", "inputs"},
        {"\"op\": \"linear\", \"linear\": {\"inputs\": [\"v_front - w\"], \"D\": [1]}", "w"},
        {"\"op\": \"linear\", \"linear\": {\"inputs\": [\"gap\"], \"A\": [[1, 2]]}", "key B"},
        {"\"op\": \"linear\", \"linear\": {\"inputs\": [\"gap\"], \"D\": [1, 2]}", "D"},
        {"\"op\": \"listen\", \"listen\": \"front\"", "must be a list"},
        {"\"op\": \"listen\", \"listen\": [\"absent\"]", "absent"},
        {"\"op\": \"radio\"", "radio needs values"},
        {"\"op\": \"radio\", \"values\": {\"delay\": \"long\"}", "must be a number"},
        {"\"op\": \"radio\", \"values\": {\"loss\": 2}", "loss"},
        {"\"op\": \"inner\", \"values\": {\"hysterisis\": 2}", "hysteresis"},
        {"\"op\": \"sensor\", \"values\": {\"delay\": -1}", "delay"},
        {"\"op\": \"wheels\"", "expected add"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        json_t *a =
            test_page_ask(&p, "{\"kind\": \"car\", \"controller\": \"follow\", %s}", wrong[k][0]);
        assert_string_equal(test_text(a, "kind"), "refused");
        if (!strstr(test_text(a, "reason"), wrong[k][1]))
            fail_msg("%s: %s", wrong[k][0], test_text(a, "reason"));
        json_decref(a);
    }
    json_t *a = test_page_ask(&p, "{\"kind\": \"car\", \"op\": \"law\", \"controller\": \"x\", "
                                  "\"name\": \"acc\"}");
    assert_non_null(strstr(test_text(a, "reason"), "unknown controller \"x\""));
    json_decref(a);
    a = test_page_ask(&p, "{\"kind\": \"car\", \"op\": \"law\", \"controller\": \"(cruise)\", "
                          "\"name\": \"acc\"}");
    assert_non_null(strstr(test_text(a, "reason"), "profile"));
    json_decref(a);
}

// At rest a command waits for the next step; pages are told of it at once.
static void what_was_asked_for_is_told(void **state)
{
    (void)state;
    json_t *whole, *a = test_page_ask(&p, "{\"kind\": \"set\", \"controller\": \"follow\", "
                                          "\"param\": \"law.k3\", \"value\": 2.6}");
    assert_string_equal(test_text(a, "kind"), "done");
    json_decref(a);
    const json_t *c = follow_of(&whole);
    assert_true(test_number(json_object_get(c, "gains"), "k3") == 2.6);
    json_decref(whole);
    assert_true(value_of("law", "k3") == 2.6);
    json_decref(test_page_ask(&p, "{\"kind\": \"set\", \"controller\": \"follow\", \"param\": "
                                  "\"headway\", \"value\": 0.7}"));
    c = follow_of(&whole);
    assert_true(test_number(c, "headway") == 0.7);
    json_decref(whole);
    json_decref(test_page_ask(&p, "{\"kind\": \"set\", \"vehicle\": \"car3\", \"param\": "
                                  "\"model.mass\", \"value\": 2400}"));
    assert_true(value_of("model", "mass") == 2400.0);
    a = test_page_ask(&p, "{\"kind\": \"road\", \"headway\": 0.5}");
    json_decref(a);
    do {
        whole = test_page_wait(&p, "world");
        const json_t *w = json_object_get(whole, "world");
        const json_t *road = json_object_get(json_is_object(w) ? w : whole, "road");
        const double headway = test_number(road, "headway");
        json_decref(whole);
        if (headway == 0.5)
            return;
    } while (true);
}

// The text a page shows for a law.
static void write_law(const mc_law *law, char *out, size_t room)
{
    size_t n = 0;
    mc_law_line line;
    for (int k = 0; k < law->param_count; k++)
        n += (size_t)snprintf(out + n, room - n, "%s := %.9g [%s]\\n", law->params[k].name,
                              law->params[k].fallback, law->params[k].unit);
    for (int k = 0; mc_law_line_at(law->name, k, &line); k++) {
        if (line.kind == MC_LAW_LINE_VARIABLE)
            n += (size_t)snprintf(out + n, room - n, "%s = %s\\n", line.name, line.formula);
        else if (line.kind == MC_LAW_LINE_ACCELERATION)
            n += (size_t)snprintf(out + n, room - n, "a = %s\\n", line.formula);
        else
            n += (size_t)snprintf(out + n, room - n, "%s' = %s [%s]\\n", line.name, line.formula,
                                  line.unit);
        if (line.kind == MC_LAW_LINE_STATE && line.start)
            n += (size_t)snprintf(out + n, room - n, "%s(0) = %s\\n", line.name, line.start);
    }
}

// Every built-in law, opened as formulas and run unchanged, is a law.
static void laws_are_their_formulas(void **state)
{
    (void)state;
    mc_law law;
    char text[8192];
    for (int k = 0; mc_law_at(k, &law); k++) {
        write_law(&law, text, sizeof text);
        json_t *a = test_page_ask(
            &p, "{\"kind\": \"law\", \"controller\": \"follow\", \"text\": \"%s\"}", text);
        if (strcmp(test_text(a, "kind"), "done") != 0)
            fail_msg("%s: line %g: %s", law.name, test_number(a, "line"), test_text(a, "reason"));
        json_decref(a);
    }
}

static void errors_have_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *reason;
        int line, column;
    } wrong[] = {
        {"a = k1*(v_frnt - v)", "k1", 1, 5},
        {"k := 1 [1/s]\\na = k*(v_frnt - v)", "v_front", 2, 8},
        {"k := 1 [1/s]\\na = k*(v_front - v", "\"(\" in column 7", 2, 19},
        {"k = 1", "a = formula", 1, 1},
        {"a = ", "formula is missing", 1, 5},
        {"3 = 4", "begins with a name", 1, 1},
        {"a 4", "equals sign", 1, 3},
        {"a = v", "m/s", 1, 5},
        {"x' = v_front - v [m/s]\\na = x/1 [s]", "x", 1, 0},
        {"k := fast\\na = 0", "fast", 1, 6},
        {"\\n# nothing\\na = v_front - gap", "m/s and m", 3, 13},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        json_t *a = test_page_ask(&p, "{\"kind\": \"law_check\", \"text\": \"%s\"}", wrong[k].text);
        if (strcmp(test_text(a, "kind"), "refused") != 0 ||
            !strstr(test_text(a, "reason"), wrong[k].reason) ||
            (int)test_number(a, "line") != wrong[k].line ||
            (wrong[k].column && (int)test_number(a, "column") != wrong[k].column))
            fail_msg("%s: %s %g:%g %s", wrong[k].text, test_text(a, "kind"), test_number(a, "line"),
                     test_number(a, "column"), test_text(a, "reason"));
        json_decref(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(another_law_drives, start, stop),
        cmocka_unit_test_setup_teardown(matrices_drive, start, stop),
        cmocka_unit_test_setup_teardown(hears_others_and_keeps_its_gains, start, stop),
        cmocka_unit_test_setup_teardown(parts_take_numbers, start, stop),
        cmocka_unit_test_setup_teardown(what_was_asked_for_is_told, start, stop),
        cmocka_unit_test_setup_teardown(laws_are_their_formulas, start, stop),
        cmocka_unit_test_setup_teardown(errors_have_their_place, start, stop),
        cmocka_unit_test_setup_teardown(wrong_ones_are_rejected, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
