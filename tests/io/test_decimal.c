// test_decimal.c - every digit is printf's.
#include "io/decimal.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static decimal_table table;

static void assert_same(double value)
{
    char text[DECIMAL_SIZE + 1], expected[64];
    for (int digits = 1; digits <= DECIMAL_DIGITS_MAX; digits++) {
        const int length = decimal_e(&table, text, value, digits);
        assert_in_range(length, 3, DECIMAL_SIZE);
        text[length] = '\0';
        snprintf(expected, sizeof expected, "%.*e", digits, value);
        assert_string_equal(text, expected);
    }
    text[decimal_g17(&table, text, value)] = '\0';
    snprintf(expected, sizeof expected, "%.17g", value);
    assert_string_equal(text, expected);
}

static void chosen_values(void **state)
{
    (void)state;
    const double values[] = {
        0.0,    1.0,     9.5,     0.125,     0.15,   99.5,     1e22,    1e23,
        5e-324, DBL_MIN, DBL_MAX, 1e-5,      1e-4,   123456.0, 1e16,    1e17,
        1e100,  1e-100,  1e99,    9.9999995, 2.5e-5, 999999.5, 0.30001, 4503599627370496.5,
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        assert_same(values[i]);
        assert_same(-values[i]);
        assert_same(nextafter(values[i], 0.0));
        if (values[i] < DBL_MAX)
            assert_same(nextafter(values[i], DBL_MAX));
    }
    assert_same(INFINITY);
    assert_same(-INFINITY);
}

static void powers_of_ten_and_two(void **state)
{
    (void)state;
    for (int p = -323; p <= 308; p++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", p);
        const double value = strtod(text, NULL);
        assert_same(value);
        assert_same(nextafter(value, 0.0));
        assert_same(nextafter(value, INFINITY));
    }
    for (int p = -1074; p <= 1023; p++)
        assert_same(ldexp(1.0, p));
}

static void random_bits(void **state)
{
    (void)state;
    uint64_t seed = 88172645463325252u;
    for (int i = 0; i < 60000; i++) {
        seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
        double value;
        memcpy(&value, &seed, sizeof value);
        if (i % 3 == 1) // decimals with few digits: many ties
            value = (double)(int64_t)(seed % 2000001) / 1000.0 - 1000.0;
        if (i % 3 == 2)
            value = ldexp((double)(seed % 4096), (int)(seed >> 20 & 63) - 32);
        if (!isnan(value))
            assert_same(value);
    }
}

static void not_a_number_has_no_sign(void **state)
{
    (void)state;
    char text[DECIMAL_SIZE + 1];
    text[decimal_e(&table, text, -NAN, 6)] = '\0';
    assert_string_equal(text, "nan");
    text[decimal_g17(&table, text, NAN)] = '\0';
    assert_string_equal(text, "nan");
}

int main(void)
{
    decimal_init(&table);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chosen_values),
        cmocka_unit_test(powers_of_ten_and_two),
        cmocka_unit_test(random_bits),
        cmocka_unit_test(not_a_number_has_no_sign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
