// unit.c - the table of units, reading and printing of dimensions.
//
//     unit  = term {("*" | "/" | blanks) term}      from left to right: N/m*s is (N/m) s
//     term  = (word | "1" | "(" unit ")") ["^" ["+" | "-"] digits]
//
// Two units side by side are a product. After a slash that is rejected, because some read J/kg K as
// J/(kg K) and others as (J/kg) K.
#include "expr/unit.h"
#include "expr/unit_table.h"

#include "base/assert.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

// One unit is numerator / denominator in SI. Both are exact numbers wherever there are any (pi and
// hp have none), so that a number times numerator over denominator is rounded once or twice and 36
// km/h are 10 m/s.
static const expr_unit_row units[] = {
    // name, numerator, denominator, exponents of m kg s, meaning
    {"m", 1.0, 1.0, 1, 0, 0, "metre"},
    {"um", 1.0, 1e6, 1, 0, 0, "micrometre"},
    {"mm", 1.0, 1000.0, 1, 0, 0, "millimetre"},
    {"cm", 1.0, 100.0, 1, 0, 0, "centimetre"},
    {"km", 1000.0, 1.0, 1, 0, 0, "kilometre"},
    {"in", 254.0, 1e4, 1, 0, 0, "inch"},
    {"ft", 3048.0, 1e4, 1, 0, 0, "foot"},
    {"mi", 1609344.0, 1000.0, 1, 0, 0, "mile"},
    {"kg", 1.0, 1.0, 0, 1, 0, "kilogram"},
    {"g", 1.0, 1000.0, 0, 1, 0, "gram"},
    {"t", 1000.0, 1.0, 0, 1, 0, "tonne"},
    {"lb", 45359237.0, 1e8, 0, 1, 0, "pound (mass)"},
    {"s", 1.0, 1.0, 0, 0, 1, "second"},
    {"us", 1.0, 1e6, 0, 0, 1, "microsecond"},
    {"ms", 1.0, 1000.0, 0, 0, 1, "millisecond"},
    {"min", 60.0, 1.0, 0, 0, 1, "minute"},
    {"h", 3600.0, 1.0, 0, 0, 1, "hour"},
    {"mph", 44704.0, 1e5, 1, 0, -1, "mile per hour"},
    {"g0", 980665.0, 1e5, 1, 0, -2, "standard acceleration of free fall"},
    {"Hz", 1.0, 1.0, 0, 0, -1, "hertz: cycles per second; not an angular rate"},
    {"kHz", 1000.0, 1.0, 0, 0, -1, "kilohertz"},
    {"N", 1.0, 1.0, 1, 1, -2, "newton"},
    {"kN", 1000.0, 1.0, 1, 1, -2, "kilonewton"},
    {"lbf", 44482216152605.0, 1e13, 1, 1, -2, "pound-force: 1 lb at 1 g0"},
    {"Nm", 1.0, 1.0, 2, 1, -2, "newton metre"},
    {"kNm", 1000.0, 1.0, 2, 1, -2, "kilonewton metre"},
    {"Pa", 1.0, 1.0, -1, 1, -2, "pascal"},
    {"kPa", 1000.0, 1.0, -1, 1, -2, "kilopascal"},
    {"MPa", 1e6, 1.0, -1, 1, -2, "megapascal: N/mm^2"},
    {"GPa", 1e9, 1.0, -1, 1, -2, "gigapascal"},
    {"bar", 1e5, 1.0, -1, 1, -2, "bar"},
    {"psi", 44482216152605.0, 6451600000.0, -1, 1, -2, "lbf/in^2"},
    {"J", 1.0, 1.0, 2, 1, -2, "joule"},
    {"kJ", 1000.0, 1.0, 2, 1, -2, "kilojoule"},
    {"MJ", 1e6, 1.0, 2, 1, -2, "megajoule"},
    {"kWh", 3.6e6, 1.0, 2, 1, -2, "kilowatt-hour"},
    {"W", 1.0, 1.0, 2, 1, -3, "watt"},
    {"kW", 1000.0, 1.0, 2, 1, -3, "kilowatt"},
    {"MW", 1e6, 1.0, 2, 1, -3, "megawatt"},
    {"hp", 74569987158227022.0, 1e14, 2, 1, -3, "horsepower: 550 ft lbf/s"},
    {"PS", 73549875.0, 1e5, 2, 1, -3, "metric horsepower: 75 kg g0 m/s"},
    {"rad", 1.0, 1.0, 0, 0, 0, "radian"},
    {"mrad", 1.0, 1000.0, 0, 0, 0, "milliradian"},
    {"deg", PI, 180.0, 0, 0, 0, "degree"},
    {"rev", 2.0 * PI, 1.0, 0, 0, 0, "revolution: 2 pi rad"},
    {"rpm", PI, 30.0, 0, 0, -1, "revolution per minute, as an angular rate"},
};
enum { UNIT_COUNT = sizeof units / sizeof units[0] };

const expr_unit_row *expr_unit_at(int i)
{
    return i >= 0 && i < UNIT_COUNT ? &units[i] : NULL;
}

const expr_unit_row *expr_unit_find(const char *word, int length)
{
    for (int i = 0; i < UNIT_COUNT; i++)
        if ((int)strlen(units[i].name) == length &&
            strncmp(units[i].name, word, (size_t)length) == 0)
            return &units[i];
    return NULL;
}

// ---- reading ---------------------------------------------------------------------------------

enum { SIXTH = 6, DEPTH_MAX = 8 };

// What has been read so far: numerator / denominator m^e[0] kg^e[1] s^e[2], e in whole numbers.
typedef struct product {
    double numerator, denominator;
    int e[3];
} product;

typedef struct reader {
    const char *text;
    int length, at, depth;
} reader;

static void skip_blanks(reader *r)
{
    while (r->at < r->length && strchr(" \t\r\n", r->text[r->at]) && r->text[r->at])
        r->at++;
}

static char next(const reader *r)
{
    return r->at < r->length ? r->text[r->at] : '\0';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// to = to * by^power; false: out of range.
static bool multiply(product *to, const product *by, int power)
{
    for (int n = power < 0 ? -power : power; n > 0; n--) {
        to->numerator *= power > 0 ? by->numerator : by->denominator;
        to->denominator *= power > 0 ? by->denominator : by->numerator;
    }
    bool good = isfinite(to->numerator) && isfinite(to->denominator) && to->numerator > 0.0 &&
                to->denominator > 0.0;
    for (int k = 0; k < 3; k++) {
        to->e[k] += power * by->e[k];
        good = good && to->e[k] * SIXTH <= INT8_MAX && to->e[k] * SIXTH >= -INT8_MAX;
    }
    return good;
}

// "^" and a whole number, if there is one; of at most two digits.
static bool read_power(reader *r, int *power)
{
    *power = 1;
    const int before = r->at;
    skip_blanks(r);
    if (next(r) != '^') {
        r->at = before;
        return true;
    }
    r->at++;
    skip_blanks(r);
    const int sign = next(r) == '-' ? -1 : 1;
    if (next(r) == '-' || next(r) == '+')
        r->at++;
    skip_blanks(r);
    const int begin = r->at;
    int value = 0;
    while (is_digit(next(r)) && r->at - begin < 2)
        value = 10 * value + (r->text[r->at++] - '0');
    if (r->at == begin || is_digit(next(r)) || next(r) == '.' || is_letter(next(r)))
        return false;
    *power = sign * value;
    return true;
}

static bool read_product(reader *r, product *out);

// A word, a bracket or 1, without its power.
static bool read_factor(reader *r, product *out)
{
    const int begin = r->at;
    *out = (product){1.0, 1.0, {0, 0, 0}};
    if (next(r) == '(') {
        r->at++;
        if (r->depth++ >= DEPTH_MAX || !read_product(r, out) || next(r) != ')')
            return false;
        r->at++;
        r->depth--;
        return true;
    }
    if (next(r) == '1') {
        r->at++;
        return !is_digit(next(r)) && next(r) != '.' && !is_letter(next(r));
    }
    if (!is_letter(next(r)))
        return false;
    while (is_letter(next(r)) || is_digit(next(r)))
        r->at++;
    const expr_unit_row *row = expr_unit_find(r->text + begin, r->at - begin);
    if (!row) {
        r->at = begin;
        return false;
    }
    *out = (product){row->numerator, row->denominator, {row->length, row->mass, row->time}};
    return true;
}

// Reads on until something that is not part of a unit; blanks behind it are skipped.
static bool read_product(reader *r, product *out)
{
    *out = (product){1.0, 1.0, {0, 0, 0}};
    bool slash = false;
    for (int count = 0;; count++) {
        skip_blanks(r);
        const char c = next(r);
        int sign = 1;
        if (count > 0 && (c == '*' || c == '/')) {
            sign = c == '/' ? -1 : 1;
            slash = slash || c == '/';
            r->at++;
            skip_blanks(r);
        } else if (count > 0 && !is_letter(c) && c != '(') {
            return true;
        } else if (slash) {
            return false; // J/kg K
        }
        product factor;
        int power;
        const int begin = r->at;
        if (!read_factor(r, &factor) || !read_power(r, &power))
            return false;
        if (!multiply(out, &factor, sign * power)) {
            r->at = begin;
            return false;
        }
    }
}

bool expr_unit_ratio(const char *text, int length, expr_unit *unit, double *numerator,
                     double *denominator, int *bad)
{
    reader r = {text, length, 0, 0};
    product read = {1.0, 1.0, {0, 0, 0}};
    skip_blanks(&r);
    bool good;
    if (next(&r) == '-') { // no dimension
        r.at++;
        skip_blanks(&r);
        good = true;
    } else {
        good = read_product(&r, &read);
    }
    if (!good || r.at < length) {
        *bad = r.at;
        return false;
    }
    *unit = (expr_unit){true, (int8_t)(SIXTH * read.e[0]), (int8_t)(SIXTH * read.e[1]),
                        (int8_t)(SIXTH * read.e[2])};
    *numerator = read.numerator;
    *denominator = read.denominator;
    return true;
}

bool expr_unit_read(const char *text, int length, expr_unit *unit, double *factor, int *bad)
{
    double numerator, denominator;
    if (!expr_unit_ratio(text, length, unit, &numerator, &denominator, bad))
        return false;
    *factor = numerator / denominator;
    return true;
}

// ---- dimensions ------------------------------------------------------------------------------

bool expr_unit_fits(expr_unit a, expr_unit b)
{
    return !a.known || !b.known || (a.length == b.length && a.mass == b.mass && a.time == b.time);
}

static bool within(int sixths)
{
    return sixths <= INT8_MAX && sixths >= -INT8_MAX;
}

expr_unit expr_unit_product(expr_unit a, expr_unit b, int sign)
{
    const int length = a.length + sign * b.length, mass = a.mass + sign * b.mass;
    const int time = a.time + sign * b.time;
    if (!a.known || !b.known || !within(length) || !within(mass) || !within(time))
        return EXPR_UNIT_UNKNOWN;
    return (expr_unit){true, (int8_t)length, (int8_t)mass, (int8_t)time};
}

static bool scale(int8_t *sixths, double power)
{
    const double scaled = *sixths * power;
    if (!(fabs(scaled) <= INT8_MAX) || scaled != floor(scaled))
        return false;
    *sixths = (int8_t)scaled;
    return true;
}

expr_unit expr_unit_power(expr_unit a, double power)
{
    if (!a.known || !scale(&a.length, power) || !scale(&a.mass, power) || !scale(&a.time, power))
        return EXPR_UNIT_UNKNOWN;
    return a;
}

bool expr_unit_is_plain(expr_unit unit)
{
    return expr_unit_fits(unit, EXPR_UNIT_PLAIN);
}

// ---- printing --------------------------------------------------------------------------------

static const struct {
    const char *name;
    int8_t length, mass, time;
} derived[] = {
    {"N", 1, 1, -2}, {"N m", 2, 1, -2}, {"Pa", -1, 1, -2},
    {"W", 2, 1, -3}, {"N/m", 0, 1, -2}, {"N s/m", 0, 1, -1},
};

// Appends symbol^(sixths/6).
static void put_factor(char *out, const char *symbol, int sixths, bool first)
{
    char power[16] = "";
    const int half = sixths % 2 == 0, third = sixths % 3 == 0;
    const int top = half ? third ? sixths / 6 : sixths / 2 : third ? sixths / 3 : sixths;
    const int bottom = half ? third ? 1 : 3 : third ? 2 : 6;
    if (bottom > 1)
        snprintf(power, sizeof power, "^(%d/%d)", top, bottom);
    else if (top != 1)
        snprintf(power, sizeof power, "^%d", top);
    snprintf(out + strlen(out), 48 - strlen(out), "%s%s%s", first ? "" : " ", symbol, power);
}

void expr_unit_print(expr_unit unit, char out[48])
{
    static const char *const symbol[] = {"kg", "m", "s"};
    const int e[] = {unit.mass, unit.length, unit.time};
    int above = 0, below = 0;
    for (int k = 0; k < 3; k++)
        above += e[k] > 0, below += e[k] < 0;
    if (!unit.known || above + below == 0) {
        strcpy(out, unit.known ? "-" : "?");
        return;
    }
    strcpy(out, above ? "" : "1");
    for (int k = 0, count = 0; k < 3; k++)
        if (e[k] > 0)
            put_factor(out, symbol[k], e[k], count++ == 0);
    if (below)
        strcat(out, below > 1 ? "/(" : "/");
    for (int k = 0, count = 0; k < 3; k++)
        if (e[k] < 0)
            put_factor(out, symbol[k], -e[k], count++ == 0);
    if (below > 1)
        strcat(out, ")");
    for (size_t i = 0; i < sizeof derived / sizeof derived[0]; i++)
        if (derived[i].length * SIXTH == unit.length && derived[i].mass * SIXTH == unit.mass &&
            derived[i].time * SIXTH == unit.time)
            snprintf(out + strlen(out), 48 - strlen(out), " (%s)", derived[i].name);
}

void expr_unit_short(expr_unit unit, char out[48])
{
    char text[48];
    expr_unit_print(unit, text);
    const char *begin = strchr(text, '(');
    if (begin && begin > text && begin[-1] == ' ') { // not the one of 1/(m s)
        snprintf(out, 48, "%s", begin + 1);
        out[strcspn(out, ")")] = '\0';
        return;
    }
    snprintf(out, 48, "%s", unit.known ? text : "");
}
