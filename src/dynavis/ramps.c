// ramps.c - the ramp file of DYNAVIS: "name distance ON|OFF [connector]".
//
// Names have blanks and may begin with a number ("60 Freeway"), so a line is read from its end.
#include "base/file.h"
#include "io/dynavis_text.h"
#include "motorcade/dynavis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double mile = 1609.344, max_miles = 1e4;
enum { WORDS_MAX = 32 };

// The words of the line; more than WORDS_MAX are rejected.
static mc_status split(dynavis_text *text, dynavis_word words[WORDS_MAX], int *count)
{
    dynavis_word word;
    *count = 0;
    while (dynavis_text_word(text, &word)) {
        if (*count == WORDS_MAX)
            return dynavis_text_blame(text, word.column,
                                      "more than %d words, expected name distance ON|OFF "
                                      "[connector]",
                                      WORDS_MAX);
        words[(*count)++] = word;
    }
    return MC_OK;
}

// Distance in miles; *after: it counts from the ramp before. "+ 0.5" are two words.
static mc_status read_distance(dynavis_text *text, const dynavis_word *words, int *count,
                               double *miles, bool *after)
{
    char quote[DYNAVIS_QUOTE_SIZE];
    if (*count == 0)
        return dynavis_text_blame(text, dynavis_text_end_column(text),
                                  "found no distance, expected name distance ON|OFF [connector]");
    const dynavis_word *word = &words[--*count];
    dynavis_quote(word->text, word->length, quote);
    *after = word->text[0] == '+';
    if (!dynavis_word_number(word, miles))
        return dynavis_text_blame(text, word->column,
                                  "found \"%s\", expected a distance in miles before ON or OFF "
                                  "(0.5, or +0.5 from the previous ramp)",
                                  quote);
    if (!(*miles >= 0.0 && *miles <= max_miles))
        return dynavis_text_blame(text, word->column,
                                  "distance %s is out of range, expected 0 .. %g miles", quote,
                                  max_miles);
    if (*count > 0 && dynavis_word_is(&words[*count - 1], "+")) {
        *after = true;
        --*count;
    }
    return MC_OK;
}

static mc_status read_ramp(dynavis_text *text, double *miles, mc_dynavis_ramp *out)
{
    dynavis_word words[WORDS_MAX];
    char quote[DYNAVIS_QUOTE_SIZE];
    int count;
    mc_status status = split(text, words, &count);
    if (status != MC_OK)
        return status;
    *out = (mc_dynavis_ramp){.line = text->line};
    out->connector = count > 0 && dynavis_word_is(&words[count - 1], "connector");
    count -= out->connector;
    const dynavis_word *kind = count > 0 ? &words[--count] : &words[0];
    out->on = dynavis_word_is(kind, "ON");
    if (!out->on && !dynavis_word_is(kind, "OFF"))
        return dynavis_text_blame(text, kind->column,
                                  "found \"%s\", expected ON or OFF, and then connector or the end "
                                  "of the line",
                                  dynavis_quote(kind->text, kind->length, quote));
    double distance;
    bool after;
    status = read_distance(text, words, &count, &distance, &after);
    if (status != MC_OK)
        return status;
    if (count == 0)
        return dynavis_text_blame(text, words[0].column,
                                  "the ramp has no name, expected name distance ON|OFF "
                                  "[connector]");
    const dynavis_word *last = &words[count - 1];
    const size_t length = (size_t)(last->text + last->length - words[0].text);
    status = dynavis_text_name(text, words[0].text, length, out->name, sizeof out->name);
    if (status != MC_OK)
        return status;
    *miles = after ? *miles + distance : distance;
    out->x = *miles * mile;
    out->miles = distance;
    out->after = after;
    return MC_OK;
}

mc_status mc_dynavis_ramps_parse(const char *bytes, size_t length, const char *name,
                                 mc_dynavis_ramp **out, int *count, mc_error *error)
{
    *out = NULL;
    *count = 0;
    dynavis_text text;
    mc_status status = dynavis_text_begin(&text, name, bytes, length, error);
    int room = 0;
    double miles = 0.0;
    while (status == MC_OK && dynavis_text_line(&text, true)) {
        if (*count == room) {
            room = room + room / 2 + 16;
            mc_dynavis_ramp *more = realloc(*out, (size_t)room * sizeof *more);
            if (!more) {
                status = mc_error_set(error, MC_NO_MEMORY, name, 0, 0, "no memory left");
                break;
            }
            *out = more;
        }
        status = read_ramp(&text, &miles, &(*out)[*count]);
        *count += status == MC_OK;
    }
    if (status == MC_OK && *count == 0)
        status = mc_error_set(error, MC_BAD_INPUT, name, 1, 1,
                              "the file has no ramps, expected lines: name distance ON|OFF "
                              "[connector]");
    if (status != MC_OK) {
        free(*out);
        *out = NULL;
        *count = 0;
    }
    return status;
}

mc_status mc_dynavis_ramps_read(const char *path, mc_dynavis_ramp **out, int *count,
                                mc_error *error)
{
    arena memory = {0};
    char *bytes;
    size_t size;
    *out = NULL;
    *count = 0;
    mc_status status = file_read(&memory, path, 1 << 24, &bytes, &size, error);
    if (status == MC_OK)
        status = mc_dynavis_ramps_parse(bytes, size, path, out, count, error);
    arena_free(&memory);
    return status;
}

// ---- writing ----

// Miles that give x when they are read; the quotient may be off by its last digit.
static double miles_of(double x)
{
    const double near = x / mile;
    if (near * mile == x)
        return near;
    if (nextafter(near, 0.0) * mile == x)
        return nextafter(near, 0.0);
    return nextafter(near, HUGE_VAL) * mile == x ? nextafter(near, HUGE_VAL) : near;
}

static const char *shortest(double value, char text[32])
{
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, 32, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return text;
}

mc_status mc_dynavis_ramps_write(const char *path, const mc_dynavis_ramp *ramps, int count,
                                 mc_error *error)
{
    file_writer *out = file_writer_open(path, error);
    if (!out)
        return error->code;
    file_print(out, "# name\tdistance\ton/off\tconnector\n");
    double total = 0.0; // miles, as a reader adds them
    for (int k = 0; k < count; k++) {
        const mc_dynavis_ramp *r = &ramps[k];
        char text[32];
        // As written, where that still leads to x.
        const double there = r->after ? total + r->miles : r->miles;
        const bool same = there * mile == r->x;
        const double distance = same ? r->miles : miles_of(r->x);
        file_print(out, "%s\t%s%s\t%s%s\n", r->name, same && r->after ? "+" : "",
                   shortest(distance, text), r->on ? "ON" : "OFF",
                   r->connector ? "\tconnector" : "");
        total = same && r->after ? there : distance;
    }
    return file_writer_commit(out, error);
}
