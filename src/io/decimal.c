// decimal.c - digits by a scaled integer product, layout by hand.
//
// For value = m 2^e (m a 64-bit integer, top bit set) and n digits after the point, with
// k = floor(log10 value):  q = value 10^(n - k)  lies in [10^n, 10^(n+1)), and its rounded integer
// part holds the n + 1 digits. 10^(n - k) = P 2^f with P cut to 64 bits, so m P (128 bits, exact)
// is below the true product by less than m < 2^64 of its own last place.
#include "io/decimal.h"

#include "base/assert.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

typedef struct digits_found {
    uint64_t digits; // count + 1 decimal digits, the first not 0
    int exponent;    // value = d.ddd 10^exponent
} digits_found;

static const uint64_t power_of_ten[] = {
    1u,
    10u,
    100u,
    1000u,
    10000u,
    100000u,
    1000000u,
    10000000u,
    100000000u,
    1000000000u,
    10000000000u,
    100000000000u,
    1000000000000u,
    10000000000000u,
    100000000000000u,
    1000000000000000u,
    10000000000000000u,
    100000000000000000u,
    1000000000000000000u,
};

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                            "25262728293031323334353637383940414243444546474849"
                            "50515253545556575859606162636465666768697071727374"
                            "75767778798081828384858687888990919293949596979899";

void decimal_init(decimal_table *table)
{
    // 128-bit significands; one step loses less than 2^-123 of the value, 342 steps 2^-114, and
    // 2^-63 is kept.
    wide m = (wide)1 << 127;
    int exponent = -127; // 10^0 = m 2^exponent
    for (int p = 0; p <= DECIMAL_POWER_MAX; p++) {
        table->power[p - DECIMAL_POWER_MIN] =
            (struct decimal_power){(uint64_t)(m >> 64), exponent + 64};
        m = (m >> 4) * 10;
        for (exponent += 4; !(m >> 127); exponent--)
            m <<= 1;
    }
    m = (wide)1 << 127;
    exponent = -127;
    for (int p = 0; p >= DECIMAL_POWER_MIN; p--) {
        table->power[p - DECIMAL_POWER_MIN] =
            (struct decimal_power){(uint64_t)(m >> 64), exponent + 64};
        for (m /= 10; !(m >> 127); exponent--)
            m <<= 1;
    }
}

// The same by printf. Only digits are taken from its text: the point depends on the locale.
static digits_found digits_slow(double value, int count)
{
    char text[64];
    snprintf(text, sizeof text, "%.*e", count, value);
    digits_found found = {0, 0};
    const char *c = text;
    for (; *c != 'e'; c++)
        if (*c >= '0' && *c <= '9')
            found.digits = found.digits * 10 + (uint64_t)(*c - '0');
    found.exponent = (int)strtol(c + 1, NULL, 10);
    return found;
}

// value finite and > 0; count digits after the point.
static digits_found digits_of(const decimal_table *table, double value, int count)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const int biased = (int)(bits >> 52 & 0x7ff);
    uint64_t m = bits & 0xfffffffffffffu;
    m |= biased ? 1ull << 52 : 0;
    const int shift = __builtin_clzll(m);
    m <<= shift;
    const int e = (biased ? biased : 1) - 1075 - shift; // value = m 2^e

    // log10(2) = 78913 / 2^18, right for every exponent of a double. 2^(e+63) <= value is at most
    // a factor 2 too small, so k is right or one too small; then the second round has it.
    for (int k = ((e + 63) * 78913) >> 18;; k++) {
        const struct decimal_power *p = &table->power[count - k - DECIMAL_POWER_MIN];
        const wide product = (wide)m * p->significand;
        const int s = -(e + p->exponent); // bits of product after the point
        uint64_t q = (uint64_t)(product >> s);
        if (q >= power_of_ten[count] * 10)
            continue;
        const wide rest = product & (((wide)1 << s) - 1), half = (wide)1 << (s - 1);
        const wide error = (wide)1 << 65; // twice the bound above
        if (rest + error > half && rest < half + error)
            return digits_slow(value, count);
        q += rest > half;
        if (q == power_of_ten[count] * 10)
            return (digits_found){power_of_ten[count], k + 1};
        return (digits_found){q, k};
    }
}

// The sign, or all of a number that has no digits. Returns true when there are digits to come.
static bool put_special(char **out, double value)
{
    if (isnan(value)) {
        memcpy(*out, "nan", 3);
        *out += 3;
        return false;
    }
    if (signbit(value))
        *(*out)++ = '-';
    if (isinf(value)) {
        memcpy(*out, "inf", 3);
        *out += 3;
        return false;
    }
    return true;
}

// count digits of number, leading zeros included.
static void put_digits(char *out, uint64_t number, int count)
{
    for (; count >= 2; count -= 2, number /= 100)
        memcpy(out + count - 2, pairs + 2 * (number % 100), 2);
    if (count == 1)
        *out = (char)('0' + number % 10);
}

static char *put_exponent(char *out, int exponent)
{
    *out++ = 'e';
    *out++ = exponent < 0 ? '-' : '+';
    const int size = abs(exponent);
    const int count = size >= 100 ? 3 : 2;
    put_digits(out, (uint64_t)size, count);
    return out + count;
}

int decimal_e(const decimal_table *table, char *out, double value, int digits)
{
    mc_assert(digits >= 1 && digits <= DECIMAL_DIGITS_MAX);
    char *end = out;
    if (!put_special(&end, value))
        return (int)(end - out);
    digits_found found = {0, 0};
    if (value != 0.0)
        found = digits_of(table, fabs(value), digits);
    put_digits(end + 1, found.digits, digits + 1);
    end[0] = end[1];
    end[1] = '.';
    end = put_exponent(end + digits + 2, found.exponent);
    return (int)(end - out);
}

int decimal_g17(const decimal_table *table, char *out, double value)
{
    enum { COUNT = 17 };
    char *end = out;
    if (!put_special(&end, value))
        return (int)(end - out);
    digits_found found = {0, 0};
    if (value != 0.0)
        found = digits_of(table, fabs(value), COUNT - 1);
    char text[COUNT];
    put_digits(text, found.digits, COUNT);
    int count = COUNT; // without trailing zeros
    while (count > 1 && text[count - 1] == '0')
        count--;

    const int exponent = found.exponent;
    if (exponent < -4 || exponent >= COUNT) {
        *end++ = text[0];
        if (count > 1) {
            *end++ = '.';
            memcpy(end, text + 1, (size_t)count - 1);
            end += count - 1;
        }
        return (int)(put_exponent(end, exponent) - out);
    }
    if (exponent < 0) { // 0.000ddd
        memcpy(end, "0.000", 5);
        end += 1 - exponent;
        memcpy(end, text, (size_t)count);
        return (int)(end + count - out);
    }
    const int whole = exponent + 1;
    memcpy(end, text, (size_t)whole); // text has its zeros where whole > count
    end += whole;
    if (count > whole) {
        *end++ = '.';
        memcpy(end, text + whole, (size_t)(count - whole));
        end += count - whole;
    }
    return (int)(end - out);
}
