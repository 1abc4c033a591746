// test_text.c - strict numbers and near words.
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void numbers_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } rows[] = {
        {"0", 0.0},
        {"1", 1.0},
        {"+1", 1.0},
        {"-1.5", -1.5},
        {".5", 0.5},
        {"5.", 5.0},
        {"5e-05", 5e-5},
        {"1E+3", 1e3},
        {"1.7976931348623157e308", DBL_MAX},
        {"4.9406564584124654e-324", 4.9406564584124654e-324},
        {"1e-999", 0.0},
        {"0.1", 0.1},
        {"00012", 12.0},
        {"123456789012345678901234567890", 123456789012345678901234567890.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double value = NAN;
        assert_true(text_to_double(rows[i].text, &value));
        assert_memory_equal(&value, &rows[i].value, sizeof value); // to the bit
    }
    double zero = 1.0;
    assert_true(text_to_double("-0", &zero));
    assert_true(zero == 0.0 && signbit(zero));
}

static void what_is_no_number_is_rejected(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "",    " ",   "+",   "-",     ".",    "+.",   "e5",    ".e5",    "1e",       "1e+",
        "1 ",  " 1",  "1x",  "1,5",   "1..2", "1.2.", "--1",   "+-1",    "0x10",     "nan",
        "inf", "INF", "1d3", "1e3.5", "1e 3", "1\n",  "1e999", "-1e999", "infinity", "1_000",
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double value = 42.0;
        assert_false(text_to_double(rows[i], &value));
        assert_true(value == 42.0);
    }
}

// Only where such a locale is installed; "C" rules hold in any case.
static void the_locale_does_not_matter(void **state)
{
    (void)state;
    static const char *const comma[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
    bool found = false;
    for (size_t i = 0; i < sizeof comma / sizeof comma[0] && !found; i++)
        found = setlocale(LC_ALL, comma[i]) && strcmp(localeconv()->decimal_point, ",") == 0;
    double value = 0.0;
    const bool point = text_to_double("1.5", &value), with_comma = text_to_double("1,5", &value);
    setlocale(LC_ALL, "C");
    assert_true(point && value == 1.5);
    assert_false(with_comma);
    if (!found)
        skip(); // reported as skipped, not as passed
}

static void integers_are_read(void **state)
{
    (void)state;
    int value = 0;
    assert_true(text_to_int("0", &value) && value == 0);
    assert_true(text_to_int("+17", &value) && value == 17);
    assert_true(text_to_int("-0003", &value) && value == -3);
    assert_true(text_to_int("2147483647", &value) && value == INT_MAX);
    assert_true(text_to_int("-2147483648", &value) && value == INT_MIN);
    static const char *const rows[] = {
        "",
        "+",
        "-",
        " 1",
        "1 ",
        "1.0",
        "1e3",
        "0x1",
        "12a",
        "--1",
        "1\n",
        "2147483648",
        "-2147483649",
        "99999999999999999999999999",
        "-99999999999999999999999999",
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        value = 42;
        assert_false(text_to_int(rows[i], &value));
        assert_int_equal(value, 42);
    }
}

static void distance_counts_edits(void **state)
{
    (void)state;
    assert_int_equal(text_distance("", ""), 0);
    assert_int_equal(text_distance("", "abc"), 3);
    assert_int_equal(text_distance("abc", ""), 3);
    assert_int_equal(text_distance("models", "MODELS"), 0);
    assert_int_equal(text_distance("modles", "models"), 1); // swapped
    assert_int_equal(text_distance("model", "models"), 1);
    assert_int_equal(text_distance("kitten", "sitting"), 3);
    assert_int_equal(text_distance("ca", "abc"), 3); // a swapped pair is not edited again
    char longest[65];
    memset(longest, 'a', 64);
    longest[64] = '\0';
    assert_int_equal(text_distance(longest, "a"), INT_MAX);
    assert_int_equal(text_distance(longest + 1, ""), 63);
}

static void near_words_are_suggested(void **state)
{
    (void)state;
    static const char *const known[] = {"simulate", "equilibrium", "report", "-d",
                                        "-e",       "--threads",   "--out"};
    enum { KNOWN = sizeof known / sizeof known[0] };
    static const struct {
        const char *word, *nearest;
    } rows[] = {
        {"simualte", "simulate"},
        {"Report", "report"},
        {"equilibrum", "equilibrium"},
        {"repotr", "report"},
        {"eq", "equilibrium"},
        {"--thread", "--threads"},
        {"--thraeds", "--threads"},
        {"--otu", "--out"},
        {"--output", NULL},
        {"-D", "-d"},
        {"-x", NULL},
        {"", NULL},
        {"-", NULL},
        {"--", NULL},
        {"platoon", NULL},
        {"s", NULL},
        {"transmogrify", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *nearest = text_nearest(rows[i].word, known, KNOWN);
        if (rows[i].nearest)
            assert_string_equal(nearest ? nearest : "(none)", rows[i].nearest);
        else
            assert_null(nearest);
    }
    assert_null(text_nearest("report", known, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_read),
        cmocka_unit_test(what_is_no_number_is_rejected),
        cmocka_unit_test(the_locale_does_not_matter),
        cmocka_unit_test(integers_are_read),
        cmocka_unit_test(distance_counts_edits),
        cmocka_unit_test(near_words_are_suggested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
