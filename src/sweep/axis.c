// axis.c - ranges and lists, counted in decimals.
#include "sweep/axis.h"

#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct decimal { // digits * 10^power
    long long digits;
    int power;
} decimal;

enum { DIGITS_MAX = 17, PIECES_MAX = 100000 };

const char *sweep_number(double value, char buffer[SWEEP_NUMBER_SIZE])
{
    if (isnan(value))
        return strcpy(buffer, "nan");
    if (isinf(value))
        return strcpy(buffer, value > 0.0 ? "inf" : "-inf");
    double back = NAN;
    for (int digits = 15; digits <= 17 && back != value; digits++) {
        snprintf(buffer, SWEEP_NUMBER_SIZE, "%.*g", digits, value + 0.0); // no -0
        for (char *c = buffer; *c; c++)
            if (*c == ',') // a locale's point
                *c = '.';
        if (!text_to_double(buffer, &back))
            back = NAN;
    }
    return buffer;
}

// ---- decimals ----

// text is known to be a number. False: more digits than can be counted.
static bool to_decimal(const char *text, decimal *out)
{
    const bool negative = *text == '-';
    text += *text == '-' || *text == '+';
    int digits = 0, behind = 0;
    bool point = false;
    *out = (decimal){0, 0};
    for (; *text && *text != 'e' && *text != 'E'; text++) {
        if (*text == '.') {
            point = true;
            continue;
        }
        behind += point;
        digits += digits > 0 || *text != '0';
        if (digits > DIGITS_MAX)
            return false;
        out->digits = 10 * out->digits + (*text - '0');
    }
    const long exponent = *text ? strtol(text + 1, NULL, 10) : 0;
    if (exponent > 300 || exponent < -300)
        return false;
    out->power = (int)exponent - behind;
    if (negative)
        out->digits = -out->digits;
    return true;
}

// All to the same power of ten, the smallest of them.
static bool to_common_power(decimal *list, int count)
{
    int min = 400;
    for (int k = 0; k < count; k++)
        if (list[k].digits != 0 && list[k].power < min)
            min = list[k].power;
    for (int k = 0; k < count; k++) {
        while (list[k].digits != 0 && list[k].power > min) {
            if (__builtin_mul_overflow(list[k].digits, 10LL, &list[k].digits))
                return false;
            list[k].power--;
        }
        list[k].power = min == 400 ? 0 : min;
        if (llabs(list[k].digits) > 1000000000000000000LL)
            return false;
    }
    return true;
}

static double from_decimal(decimal d)
{
    char text[64];
    snprintf(text, sizeof text, "%llde%d", d.digits, d.power);
    return strtod(text, NULL); // no point in it: the locale has no say
}

static const char *decimal_text(decimal d, char buffer[SWEEP_NUMBER_SIZE])
{
    return sweep_number(from_decimal(d), buffer);
}

// ---- reading ----

typedef struct reading {
    arena *memory;
    const char *text; // all of it, for messages
    char **pieces;    // numbers between colons or commas
    int piece_count;
    mc_sweep_axis *out;
    mc_error *error;
} reading;

static mc_status reject(const reading *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static mc_status reject(const reading *r, const char *format, ...)
{
    char why[320];
    va_list list;
    va_start(list, format);
    vsnprintf(why, sizeof why, format, list);
    va_end(list);
    return mc_error_set(r->error, MC_BAD_INPUT, NULL, 0, 0, "\"%.120s%s\": %s", r->text,
                        strlen(r->text) > 120 ? "..." : "", why);
}

static mc_status no_memory(const reading *r)
{
    return mc_error_set(r->error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the sweep");
}

static mc_status make_room(const reading *r, long long count, double **values)
{
    if (count > MC_SWEEP_RUN_MAX)
        return reject(r, "%lld values; a sweep has at most %d runs", count, MC_SWEEP_RUN_MAX);
    *values = arena_alloc(r->memory, (size_t)count * sizeof **values);
    r->out->values = *values;
    r->out->count = (int)count;
    return *values ? MC_OK : no_memory(r);
}

static mc_status read_list(const reading *r)
{
    double *values = NULL;
    const mc_status status = make_room(r, r->piece_count, &values);
    if (status != MC_OK)
        return status;
    char number[SWEEP_NUMBER_SIZE];
    for (int k = 0; k < r->piece_count; k++) {
        text_to_double(r->pieces[k], &values[k]);
        for (int i = 0; i < k && r->piece_count <= 10000; i++)
            if (values[i] == values[k])
                return reject(r, "%s stands twice", sweep_number(values[k], number));
        r->out->low = k == 0 ? values[k] : fmin(r->out->low, values[k]);
        r->out->high = k == 0 ? values[k] : fmax(r->out->high, values[k]);
    }
    return MC_OK;
}

static mc_status check_range(const reading *r, const decimal d[3])
{
    char a[SWEEP_NUMBER_SIZE], b[SWEEP_NUMBER_SIZE], c[SWEEP_NUMBER_SIZE];
    const long long from = d[0].digits, to = d[1].digits, step = d[2].digits;
    const bool bad = step <= 0 || to < from || (to - from) % step != 0;
    if (bad && from < step && to > 0 && to <= step - from && (step - from) % to == 0)
        return reject(r, "expected FROM:TO:STEP; did you mean %s:%s:%s?", decimal_text(d[0], a),
                      decimal_text(d[2], b), decimal_text(d[1], c));
    if (step <= 0)
        return reject(r, "the step is %s; it must be above 0", decimal_text(d[2], a));
    if (to < from)
        return reject(r, "the range ends at %s, below its start %s; write the lower end first",
                      decimal_text(d[1], a), decimal_text(d[0], b));
    const long long rest = (to - from) % step;
    if (rest != 0) {
        const decimal below = {to - rest, d[0].power}, above = {to - rest + step, d[0].power};
        return reject(r, "steps of %s from %s lead to %s and %s, not to the end",
                      decimal_text(d[2], c), r->pieces[0], decimal_text(below, a),
                      decimal_text(above, b));
    }
    return MC_OK;
}

static mc_status read_range(const reading *r, bool random)
{
    decimal d[3] = {{0, 0}, {0, 0}, {0, 0}};
    bool fits = true;
    if (r->piece_count > 3)
        return reject(r, "found %d numbers between colons, expected FROM:TO:STEP", r->piece_count);
    if (r->piece_count == 2 && !random)
        return reject(r, "a range needs a step, FROM:TO:STEP, except with --random");
    for (int k = 0; k < r->piece_count; k++)
        fits = fits && to_decimal(r->pieces[k], &d[k]);
    if (!fits || !to_common_power(d, r->piece_count))
        return reject(r, "numbers of a range have too many digits; expected at most %d",
                      DIGITS_MAX);
    r->out->low = from_decimal(d[0]);
    r->out->high = from_decimal(d[1]);
    if (r->piece_count == 2) {
        if (d[1].digits > d[0].digits)
            return MC_OK;
        return reject(r, "the range must end above its start");
    }
    double *values = NULL;
    mc_status status = check_range(r, d);
    if (status == MC_OK)
        status = make_room(r, (d[1].digits - d[0].digits) / d[2].digits + 1, &values);
    for (int k = 0; status == MC_OK && k < r->out->count; k++)
        values[k] = from_decimal((decimal){d[0].digits + k * d[2].digits, d[0].power});
    return status;
}

// Values at three deviations are tried before the first run, as the ends of a range are.
static mc_status read_normal(const reading *r)
{
    double p[2];
    if (r->piece_count != 2)
        return reject(r, "found %d numbers, expected normal:MEAN:DEVIATION", r->piece_count);
    for (int k = 0; k < 2; k++)
        text_to_double(r->pieces[k], &p[k]);
    if (!(p[1] > 0.0))
        return reject(r, "the standard deviation is %s; it must be above 0", r->pieces[1]);
    r->out->normal = true;
    r->out->mean = p[0];
    r->out->deviation = p[1];
    r->out->low = p[0] - 3.0 * p[1];
    r->out->high = p[0] + 3.0 * p[1];
    return MC_OK;
}

static mc_status cut_pieces(reading *r, char *text, char between)
{
    r->piece_count = 1;
    for (const char *c = text; *c; c++)
        r->piece_count += *c == between;
    if (r->piece_count > PIECES_MAX)
        return reject(r, "%d values; a list has at most %d", r->piece_count, PIECES_MAX);
    r->pieces = arena_alloc(r->memory, (size_t)r->piece_count * sizeof *r->pieces);
    if (!r->pieces)
        return no_memory(r);
    const char separators[] = {between, '\0'};
    for (int k = 0; k < r->piece_count; k++) {
        char *const piece = strsep(&text, separators);
        double number;
        r->pieces[k] = piece;
        if (*piece == '\0')
            return reject(r, "a number is missing; expected FROM:TO:STEP or A,B,C");
        if (!text_to_double(piece, &number))
            return reject(r, "\"%.40s\" is not a number", piece);
    }
    return MC_OK;
}

// Name, values and unit apart.
static mc_status cut(reading *r, char **values)
{
    const char *equals = strchr(r->text, '=');
    if (!equals || equals == r->text || equals[1] == '\0')
        return reject(r, "expected NAME=FROM:TO:STEP or NAME=A,B,C, for example mass=1200:2400:50");
    const char *from = equals + 1;
    from += strspn(from, " ");
    const size_t length = strcspn(from, " ");
    const char *unit = from + length;
    unit += strspn(unit, " ");
    if (strpbrk(unit, ":,"))
        return reject(r, "no blanks between the numbers; the unit is given once, at the end: "
                         "mass=1200:2400:50 kg");
    if (memchr(from, ':', length) && memchr(from, ',', length))
        return reject(r, "found colons and commas; expected FROM:TO:STEP or A,B,C");
    r->out->name = arena_copy_text(r->memory, r->text, (size_t)(equals - r->text));
    r->out->text = arena_copy_text(r->memory, from, length);
    r->out->unit = arena_copy_text(r->memory, unit, strlen(unit));
    r->out->unit_given = *unit != '\0';
    *values = arena_copy_text(r->memory, from, length);
    return r->out->name && r->out->text && r->out->unit && *values ? MC_OK : no_memory(r);
}

mc_status sweep_axis_read(arena *a, const char *text, bool random, mc_sweep_axis *out,
                          mc_error *error)
{
    reading r = {.memory = a, .text = text, .out = out, .error = error};
    char *values = NULL;
    *out = (mc_sweep_axis){0};
    mc_status status = cut(&r, &values);
    if (status != MC_OK)
        return status;
    const bool range = strchr(values, ':');
    const bool normal = range && strncmp(values, "normal:", 7) == 0;
    const bool uniform = range && strncmp(values, "uniform:", 8) == 0;
    if ((normal || uniform) && !random)
        return reject(&r, "a distribution needs random points: --random N");
    values += normal ? 7 : uniform ? 8 : 0;
    status = cut_pieces(&r, values, range ? ':' : ',');
    if (status != MC_OK)
        return status;
    if (normal)
        return read_normal(&r);
    if (uniform && r.piece_count != 2)
        return reject(&r, "found %d numbers, expected uniform:FROM:TO", r.piece_count);
    return range ? read_range(&r, random) : read_list(&r);
}
