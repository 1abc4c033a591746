// params.c - the parameter file of DYNAVIS: read, checked, written.
#include "base/assert.h"
#include "base/file.h"
#include "base/text.h"
#include "dynavis/layout.h"
#include "io/decimal.h"
#include "io/dynavis_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const mc_param mc_dynavis_param_rows[MC_DYNAVIS_PARAM_COUNT] = {
    [MC_DYNAVIS_PARAM_LANES] = {"Lanes", "-", 1, 1, 3, "number of platoons"},
    [MC_DYNAVIS_PARAM_CARS] = {"Cars", "-", 8, 1, 100000,
                               "cars of a platoon; with one lane: of all lanes"},
    [MC_DYNAVIS_PARAM_TIME_HEADWAY] = {"TimHdwyL1", "s", 1, 0, 100,
                                       "desired time headway in lane 1"},
    [MC_DYNAVIS_PARAM_TIME_HEADWAY_2] = {"TimHdwyL2", "s", 1, 0, 100,
                                         "desired time headway in lane 2"},
    [MC_DYNAVIS_PARAM_TIME_HEADWAY_3] = {"TimHdwyL3", "s", 1, 0, 100,
                                         "desired time headway in lane 3"},
    [MC_DYNAVIS_PARAM_FIXED_HEADWAY] = {"FixHdwyL1", "m", 0.5, 0, 1000,
                                        "desired distance in lane 1"},
    [MC_DYNAVIS_PARAM_FIXED_HEADWAY_2] = {"FixHdwyL2", "m", 0.5, 0, 1000,
                                          "desired distance in lane 2"},
    [MC_DYNAVIS_PARAM_FIXED_HEADWAY_3] = {"FixHdwyL3", "m", 0.5, 0, 1000,
                                          "desired distance in lane 3"},
    [MC_DYNAVIS_PARAM_TIME_HEADWAY_GIVEN] = {"Time_Headway_given", "-", 1, 0, 1,
                                             "time headways of the lanes are in the data file"},
    [MC_DYNAVIS_PARAM_FIXED_HEADWAY_GIVEN] = {"Fixed_Headway_given", "-", 1, 0, 1,
                                              "fixed headways of the lanes are in the data file"},
    [MC_DYNAVIS_PARAM_RELATIVE_X] = {"RelPosition_X", "-", 0, 0, 1,
                                     "x is the distance to the car in front, the leader has none"},
    [MC_DYNAVIS_PARAM_RELATIVE_Y] =
        {"RelPosition_Y", "-", 1, 0, 1,
         "y is in the data file, from the centre of the platoon's lane"},
    [MC_DYNAVIS_PARAM_VELOCITY_X] = {"Velocity_X", "-", 1, 0, 1,
                                     "longitudinal speed is in the data file"},
    [MC_DYNAVIS_PARAM_VELOCITY_Y] = {"Velocity_Y", "-", 1, 0, 1,
                                     "lateral speed is in the data file"},
    [MC_DYNAVIS_PARAM_ACCELERATION] = {"Accel_avail", "-", 1, 0, 1,
                                       "acceleration is in the data file"},
    [MC_DYNAVIS_PARAM_JERK] = {"Jerk_avail", "-", 1, 0, 1, "jerk is in the data file"},
    [MC_DYNAVIS_PARAM_ESTIMATE_ACCELERATION] =
        {"EstimateAcceleration", "-", 0, 0, 1,
         "estimate acceleration if it is not in the data file"},
    [MC_DYNAVIS_PARAM_ESTIMATE_JERK] = {"Estimate_Jerk", "-", 0, 0, 1,
                                        "estimate jerk if it is not in the data file"},
    [MC_DYNAVIS_PARAM_SIMULATION] = {"Simulation", "-", 0, 0, 1,
                                     "the data are initial conditions of a simulation"},
    [MC_DYNAVIS_PARAM_SAME_LEADER] =
        {"SamePlatoonLeader", "-", 0, 0, 1,
         "the data file omits the first cars of lanes 2, 3: copies of the first"},
    [MC_DYNAVIS_PARAM_CAR_COUNT_GIVEN] = {"Ncars_given", "-", 1, 0, 1,
                                          "each line begins with its number of cars"},
    [MC_DYNAVIS_PARAM_CAR_ID_GIVEN] = {"CarID_given", "-", 1, 0, 1, "each car begins with its id"},
    [MC_DYNAVIS_PARAM_POSITION_Y_GIVEN] = {"Position_Y_given", "-", 1, 0, 1,
                                           "y is in the data file; default: as RelPosition_Y"},
    [MC_DYNAVIS_PARAM_CAR_LENGTH] = {"Car_Length", "m", 5.5626, 0.5, 60,
                                     "of every car, for the gaps between them"},
};

// Other spellings in the report's text.
static const struct {
    const char *name;
    enum mc_dynavis_param item;
} aliases[] = {
    {"Lane", MC_DYNAVIS_PARAM_LANES},
    {"Position_Y", MC_DYNAVIS_PARAM_POSITION_Y_GIVEN},
    {"TimHdwy", MC_DYNAVIS_PARAM_TIME_HEADWAY},
    {"FixHdwy", MC_DYNAVIS_PARAM_FIXED_HEADWAY},
};
enum { ALIAS_COUNT = sizeof aliases / sizeof aliases[0], KEY_SIZE = 64 };

// What counts of an item's name: small letters and digits.
static void plain_key(const char *text, size_t length, char key[KEY_SIZE])
{
    size_t used = 0;
    for (size_t i = 0; i < length && used < KEY_SIZE - 1; i++) {
        const char c = text[i];
        if (!strchr("-_. \t", c) || c == '\0')
            key[used++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c == '\0' ? '?' : c;
    }
    key[used] = '\0';
}

// A number with a unit; the others are whole.
static bool is_measured(int item)
{
    return (item >= MC_DYNAVIS_PARAM_TIME_HEADWAY && item <= MC_DYNAVIS_PARAM_FIXED_HEADWAY_3) ||
           item == MC_DYNAVIS_PARAM_CAR_LENGTH;
}

void mc_dynavis_params_defaults(int version, mc_dynavis_params *out)
{
    mc_assert(version == 1 || version == 2);
    *out = (mc_dynavis_params){.version = version};
    for (int i = 0; i < MC_DYNAVIS_PARAM_COUNT; i++)
        out->value[i] = mc_dynavis_param_rows[i].fallback;
    out->value[MC_DYNAVIS_PARAM_POSITION_Y_GIVEN] = out->value[MC_DYNAVIS_PARAM_RELATIVE_Y];
    if (version == 1) { // it knows neither changing numbers of cars nor ids
        out->value[MC_DYNAVIS_PARAM_LANES] = 2;
        out->value[MC_DYNAVIS_PARAM_CARS] = 4;
        out->value[MC_DYNAVIS_PARAM_CAR_COUNT_GIVEN] = 0;
        out->value[MC_DYNAVIS_PARAM_CAR_ID_GIVEN] = 0;
    }
}

// Equal numbers of cars of platoons 0, 1, .. one after the other: how many platoons; else 1.
static int lanes_for(const int *platoon, int count)
{
    const int lanes = count > 0 ? platoon[count - 1] + 1 : 1;
    if (lanes < 1 || lanes > MC_DYNAVIS_LANES_MAX || count % lanes != 0)
        return 1;
    for (int i = 0; i < count; i++)
        if (platoon[i] != i / (count / lanes))
            return 1;
    return lanes;
}

void mc_dynavis_params_of(const int *platoon, const double *length, int count,
                          mc_dynavis_params *out)
{
    mc_dynavis_params_defaults(2, out);
    const int lanes = lanes_for(platoon, count);
    out->value[MC_DYNAVIS_PARAM_LANES] = lanes;
    out->value[MC_DYNAVIS_PARAM_CARS] = fmax(count / lanes, 1.0);
    // Of a majority only one candidate is left when each pair of different ones is struck out.
    double candidate = out->value[MC_DYNAVIS_PARAM_CAR_LENGTH];
    for (int i = 0, votes = 0; i < count; i++) {
        if (votes == 0)
            candidate = length[i];
        votes += length[i] == candidate ? 1 : -1;
    }
    const mc_param *row = &mc_dynavis_param_rows[MC_DYNAVIS_PARAM_CAR_LENGTH];
    out->value[MC_DYNAVIS_PARAM_CAR_LENGTH] = fmin(fmax(candidate, row->min), row->max);
}

// ---- checks of the whole ----

static mc_status reject(const mc_dynavis_params *p, enum mc_dynavis_param item, mc_error *error,
                        const char *text)
{
    const int line = p->line[item];
    return mc_error_set(error, MC_BAD_INPUT, p->file[0] ? p->file : NULL, line, line ? 1 : 0, "%s",
                        text);
}

mc_status mc_dynavis_params_check(const mc_dynavis_params *p, mc_error *error)
{
    if (dynavis_on(p, MC_DYNAVIS_PARAM_RELATIVE_X) && !dynavis_on(p, MC_DYNAVIS_PARAM_VELOCITY_X))
        return reject(p, MC_DYNAVIS_PARAM_RELATIVE_X, error,
                      "RelPosition_X = 1 omits the leader's position, which is then computed "
                      "from its speed: Velocity_X must be 1");
    if (dynavis_on(p, MC_DYNAVIS_PARAM_RELATIVE_Y) &&
        !dynavis_on(p, MC_DYNAVIS_PARAM_POSITION_Y_GIVEN))
        return reject(p, MC_DYNAVIS_PARAM_POSITION_Y_GIVEN, error,
                      "Position_Y_given = 0 contradicts RelPosition_Y = 1, which says that y is in "
                      "the data file");
    if (p->version == 1 && dynavis_on(p, MC_DYNAVIS_PARAM_CAR_COUNT_GIVEN))
        return reject(p, MC_DYNAVIS_PARAM_CAR_COUNT_GIVEN, error,
                      "in version 1 the number of cars is fixed: Ncars_given must be 0");
    if (p->value[MC_DYNAVIS_PARAM_LANES] * p->value[MC_DYNAVIS_PARAM_CARS] > MC_DYNAVIS_CARS_MAX)
        return reject(p, MC_DYNAVIS_PARAM_CARS, error,
                      "Lanes x Cars is more than 100000, the maximum number of cars");
    return MC_OK;
}

// ---- reading ----

static int find_item(const char *key)
{
    char known[KEY_SIZE];
    for (int i = 0; i < MC_DYNAVIS_PARAM_COUNT; i++) {
        plain_key(mc_dynavis_param_rows[i].name, strlen(mc_dynavis_param_rows[i].name), known);
        if (strcmp(known, key) == 0)
            return i;
    }
    for (int i = 0; i < ALIAS_COUNT; i++) {
        plain_key(aliases[i].name, strlen(aliases[i].name), known);
        if (strcmp(known, key) == 0)
            return (int)aliases[i].item;
    }
    return -1;
}

static mc_status unknown_item(dynavis_text *text, int column, const char *name, size_t length,
                              const char *key)
{
    char plain[MC_DYNAVIS_PARAM_COUNT][KEY_SIZE], quote[DYNAVIS_QUOTE_SIZE];
    const char *known[MC_DYNAVIS_PARAM_COUNT];
    for (int i = 0; i < MC_DYNAVIS_PARAM_COUNT; i++) {
        plain_key(mc_dynavis_param_rows[i].name, strlen(mc_dynavis_param_rows[i].name), plain[i]);
        known[i] = plain[i];
    }
    dynavis_quote(name, length, quote);
    const char *near = text_nearest(key, known, MC_DYNAVIS_PARAM_COUNT);
    for (int i = 0; i < MC_DYNAVIS_PARAM_COUNT; i++)
        if (near == known[i])
            return dynavis_text_blame(text, column, "unknown item \"%s\"; did you mean %s?", quote,
                                      mc_dynavis_param_rows[i].name);
    char list[440] = "";
    for (int i = 0; i < MC_DYNAVIS_PARAM_COUNT; i++) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                 mc_dynavis_param_rows[i].name);
    }
    return dynavis_text_blame(text, column, "unknown item \"%s\"; expected one of: %s", quote,
                              list);
}

// The number behind '=', and nothing but a comma after it.
static mc_status read_value(dynavis_text *text, int item, double *value)
{
    const mc_param *row = &mc_dynavis_param_rows[item];
    dynavis_word word, rest;
    char quote[DYNAVIS_QUOTE_SIZE];
    if (!dynavis_text_word(text, &word))
        return dynavis_text_blame(text, dynavis_text_end_column(text),
                                  "the line ends, expected a number after %s =", row->name);
    if (word.length > 1 && word.text[word.length - 1] == ',')
        word.length--;
    dynavis_quote(word.text, word.length, quote);
    if (!dynavis_word_number(&word, value))
        return dynavis_text_blame(text, word.column,
                                  "found \"%s\", expected a number after %s =", quote, row->name);
    const bool whole = is_measured(item) || *value == floor(*value);
    if (!whole || !(*value >= row->min && *value <= row->max)) {
        if (row->max == 1.0)
            return dynavis_text_blame(text, word.column, "%s = %s, expected 0 or 1 (%s)", row->name,
                                      quote, row->doc);
        return dynavis_text_blame(
            text, word.column, "%s = %s, expected %s within %g .. %g%s%s (%s)", row->name, quote,
            is_measured(item) ? "a number" : "a whole number", row->min, row->max,
            is_measured(item) ? " " : "", is_measured(item) ? row->unit : "", row->doc);
    }
    if (dynavis_text_word(text, &rest) &&
        !(dynavis_word_is(&rest, ",") && !dynavis_text_word(text, &rest)))
        return dynavis_text_blame(
            text, rest.column,
            "found \"%s\" after the number of %s, expected the end of the line: one item per line",
            dynavis_quote(rest.text, rest.length, quote), row->name);
    return MC_OK;
}

static mc_status read_item(dynavis_text *text, mc_dynavis_params *out)
{
    dynavis_word first;
    dynavis_text_word(text, &first);
    const char *line = text->bytes + text->begin;
    const size_t length = text->end - text->begin, name = (size_t)first.column - 1;
    const char *sign = memchr(line, '=', length);
    char key[KEY_SIZE], quote[DYNAVIS_QUOTE_SIZE];
    if (!sign) {
        const size_t used = (size_t)dynavis_text_end_column(text) - 1 - name;
        return dynavis_text_blame(text, first.column, "found \"%s\", expected item = number",
                                  dynavis_quote(line + name, used, quote));
    }
    size_t end = (size_t)(sign - line);
    while (end > name && (line[end - 1] == ' ' || line[end - 1] == '\t'))
        end--;
    if (end <= name)
        return dynavis_text_blame(text, first.column, "the name of an item is missing before =");
    plain_key(line + name, end - name, key);
    const int item = find_item(key);
    if (item < 0)
        return unknown_item(text, first.column, line + name, end - name, key);
    if (out->line[item])
        return dynavis_text_blame(text, first.column, "%s is given twice; first on line %d",
                                  mc_dynavis_param_rows[item].name, out->line[item]);
    text->at = text->begin + (size_t)(sign - line) + 1;
    out->line[item] = text->line;
    return read_value(text, item, &out->value[item]);
}

mc_status mc_dynavis_params_parse(const char *bytes, size_t length, const char *name, int version,
                                  mc_dynavis_params *out, mc_error *error)
{
    mc_dynavis_params_defaults(version, out);
    snprintf(out->file, sizeof out->file, "%s", name);
    dynavis_text text;
    mc_status status = dynavis_text_begin(&text, name, bytes, length, error);
    while (status == MC_OK && dynavis_text_line(&text, true))
        status = read_item(&text, out);
    // Each of the two decides what the other is when left out.
    if (!out->line[MC_DYNAVIS_PARAM_POSITION_Y_GIVEN])
        out->value[MC_DYNAVIS_PARAM_POSITION_Y_GIVEN] = out->value[MC_DYNAVIS_PARAM_RELATIVE_Y];
    else if (!out->line[MC_DYNAVIS_PARAM_RELATIVE_Y])
        out->value[MC_DYNAVIS_PARAM_RELATIVE_Y] = out->value[MC_DYNAVIS_PARAM_POSITION_Y_GIVEN];
    if (status == MC_OK)
        status = mc_dynavis_params_check(out, error);
    return status;
}

mc_status mc_dynavis_params_read(const char *path, int version, mc_dynavis_params *out,
                                 mc_error *error)
{
    arena memory = {0};
    char *bytes;
    size_t size;
    mc_status status = file_read(&memory, path, 1 << 20, &bytes, &size, error);
    if (status == MC_OK)
        status = mc_dynavis_params_parse(bytes, size, path, version, out, error);
    arena_free(&memory);
    return status;
}

// ---- writing ----

mc_status mc_dynavis_params_write(const char *path, const mc_dynavis_params *params,
                                  mc_error *error)
{
    file_writer *out = file_writer_open(path, error);
    if (!out)
        return error ? error->code : MC_IO;
    decimal_table decimals;
    decimal_init(&decimals);
    for (int i = 0; i < MC_DYNAVIS_PARAM_COUNT; i++) {
        if (i == MC_DYNAVIS_PARAM_POSITION_Y_GIVEN &&
            params->value[i] == params->value[MC_DYNAVIS_PARAM_RELATIVE_Y])
            continue; // DYNAVIS itself does not know it
        if (i == MC_DYNAVIS_PARAM_CAR_LENGTH &&
            params->value[i] == mc_dynavis_param_rows[i].fallback)
            continue; // nor this
        char number[DECIMAL_SIZE];
        const int length = decimal_g17(&decimals, number, params->value[i]);
        file_print(out, "%s= %.*s\n", mc_dynavis_param_rows[i].name, length, number);
    }
    return file_writer_commit(out, error);
}
