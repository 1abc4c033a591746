// test_law_register.c - control laws from outside: what is rejected, and that one is known
// afterwards.
#include "control/law.h"

#include "motorcade/laws.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const mc_param rows[] = {{"k", "1/s^2", 0.2, 0.0, 5.0, "gain of the spacing error"}};
static const mc_law_formula lines[] = {{.name = "error", .formula = "gap - distance - headway*v"}};

#define GOOD                                                                                       \
    .size = sizeof(mc_law_text), .name = "outside", .doc = "a law of this test", .params = rows,   \
    .param_count = 1, .variables = lines, .variable_count = 1

static const mc_law_text good = {GOOD, .acceleration = {.formula = "k*error"}};

static void rejected(void **state)
{
    (void)state;
    static const struct {
        mc_law_text law;
        const char *text;
    } wrong[] = {
        {{.size = 16, .name = "old", .doc = "d", .acceleration = {.formula = "0"}},
         "another version"},
        {{.size = sizeof(mc_law_text), .name = "acc", .doc = "d", .acceleration = {.formula = "0"}},
         "law acc: the name is already in use"},
        {{GOOD}, "no formula for the acceleration"},
        {{GOOD, .acceleration = {.formula = "k*eror"}}, "did you mean \"error\""},
        {{GOOD, .acceleration = {.formula = "k*gap + v"}}, "m/s"},
        {{.size = sizeof(mc_law_text),
          .name = "many",
          .doc = "d",
          .params = rows,
          .param_count = 33,
          .acceleration = {.formula = "0"}},
         "33 parameters, expected 0 .. 32"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        mc_error error = {0};
        assert_int_equal(mc_law_register(&wrong[k].law, &error), MC_BAD_INPUT);
        if (!strstr(error.text, wrong[k].text))
            fail_msg("%s\n  expected: %s", error.text, wrong[k].text);
    }
}

static void known(void **state)
{
    (void)state;
    mc_error error = {0};
    int count = 0;
    mc_law found;
    mc_law_line line;
    while (law_at(count))
        count++;
    assert_null(law_find("outside"));
    assert_int_equal(mc_law_register(&good, &error), MC_OK);
    assert_ptr_equal(law_find("OUTSIDE"), &good);
    assert_int_equal(mc_law_at(count, &found), 1);
    assert_string_equal(found.name, "outside");
    assert_string_equal(found.equation, ""); // a card that was not given is empty
    assert_int_equal(found.line_count, 2);
    assert_int_equal(mc_law_line_at("outside", 1, &line), 1);
    assert_string_equal(line.name, "acceleration");
    assert_string_equal(line.formula, "k*error");
    assert_string_equal(line.unit, "");
    assert_int_equal(mc_law_register(&good, &error), MC_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rejected), cmocka_unit_test(known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
