// decimal.h - doubles as decimal text: the characters of printf in the C locale, many times faster.
//
// The digits come from one product of 64-bit integers. Where its error could change the rounding
// (exact ties, and about 1 number in 100 at 17 digits) printf is asked, so every digit is the one
// printf gives, whatever the locale. Not a number is "nan" without a sign.
#pragma once

#include <stdint.h>

enum {
    DECIMAL_SIZE = 32,       // room one number needs at most; no '\0' is written
    DECIMAL_DIGITS_MAX = 17, // digits after the point
    DECIMAL_POWER_MIN = -310,
    DECIMAL_POWER_MAX = 342,
};

// 10^p as significand 2^exponent with the significand in [2^63, 2^64), cut off below.
typedef struct decimal_table {
    struct decimal_power {
        uint64_t significand;
        int exponent;
    } power[DECIMAL_POWER_MAX - DECIMAL_POWER_MIN + 1]; // entry p - DECIMAL_POWER_MIN
} decimal_table;

void decimal_init(decimal_table *table); // a few microseconds; the table is constant afterwards

// Both write into out and return the number of characters.
int decimal_e(const decimal_table *table, char *out, double value, int digits); // "%.<digits>e"
int decimal_g17(const decimal_table *table, char *out, double value);           // "%.17g"
