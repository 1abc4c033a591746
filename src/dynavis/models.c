// models.c - the car file of DYNAVIS: "name: weight length width speed acc brake hp
// engine".
#include "base/file.h"

#include "base/gravity.h"
#include "base/text.h"
#include "io/dynavis_text.h"
#include "motorcade/dynavis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define REQUIRED NAN

const mc_param mc_dynavis_model_rows[MC_DYNAVIS_MODEL_COUNT] = {
    [MC_DYNAVIS_MODEL_WEIGHT] = {"weight", "lb", REQUIRED, 100, 2e5, "of the car with its load"},
    [MC_DYNAVIS_MODEL_LENGTH] = {"length", "in", REQUIRED, 20, 2000, "bumper to bumper"},
    [MC_DYNAVIS_MODEL_WIDTH] = {"width", "in", REQUIRED, 10, 200, "of the body"},
    [MC_DYNAVIS_MODEL_SPEED] = {"speed", "mph", REQUIRED, 1, 500, "top speed"},
    [MC_DYNAVIS_MODEL_ACCELERATE] = {"acc", "g", REQUIRED, 0.01, 5, "maximum acceleration"},
    [MC_DYNAVIS_MODEL_BRAKE] = {"brake", "g", REQUIRED, 0.01, 5, "maximum deceleration"},
    [MC_DYNAVIS_MODEL_POWER] = {"hp", "hp", REQUIRED, 1, 1e4, "power of the engine"},
    [MC_DYNAVIS_MODEL_ENGINE] = {"engine", "l", REQUIRED, 0.05, 50, "displacement of the engine"},
};

// From the file's units to kg, m, m, m/s, m/s^2, m/s^2, W, m^3; all exact by definition, the
// horsepower being 550 ft lbf/s.
static const double to_si[MC_DYNAVIS_MODEL_COUNT] = {
    [MC_DYNAVIS_MODEL_WEIGHT] = 0.45359237,
    [MC_DYNAVIS_MODEL_LENGTH] = 0.0254,
    [MC_DYNAVIS_MODEL_WIDTH] = 0.0254,
    [MC_DYNAVIS_MODEL_SPEED] = 0.44704,
    [MC_DYNAVIS_MODEL_ACCELERATE] = GRAVITY,
    [MC_DYNAVIS_MODEL_BRAKE] = GRAVITY,
    // A pound-force is that of standard gravity, by its definition.
    [MC_DYNAVIS_MODEL_POWER] = 550.0 * 0.3048 * 0.45359237 * 9.80665,
    [MC_DYNAVIS_MODEL_ENGINE] = 1e-3,
};

// The name before ':', without blanks at its ends; the cursor is then after the colon.
static mc_status read_name(dynavis_text *text, mc_dynavis_model *out)
{
    dynavis_word first;
    dynavis_text_word(text, &first);
    const char *colon = memchr(first.text, ':', (size_t)(text->bytes + text->end - first.text));
    if (!colon)
        return dynavis_text_blame(text, dynavis_text_end_column(text),
                                  "found no ':' after the name, expected name: weight length width "
                                  "speed acc brake hp engine");
    size_t length = (size_t)(colon - first.text);
    while (length > 0 && (first.text[length - 1] == ' ' || first.text[length - 1] == '\t'))
        length--;
    if (length == 0)
        return dynavis_text_blame(text, first.column, "the car has no name before ':'");
    text->at = (size_t)(colon + 1 - text->bytes);
    return dynavis_text_name(text, first.text, length, out->name, sizeof out->name);
}

static mc_status read_model(dynavis_text *text, mc_dynavis_model *out)
{
    *out = (mc_dynavis_model){.line = text->line};
    mc_status status = read_name(text, out);
    char quote[DYNAVIS_QUOTE_SIZE];
    dynavis_word word;
    for (int k = 0; k < MC_DYNAVIS_MODEL_COUNT && status == MC_OK; k++) {
        const mc_param *row = &mc_dynavis_model_rows[k];
        if (!dynavis_text_word(text, &word))
            return dynavis_text_blame(
                text, dynavis_text_end_column(text),
                "%d number%s after the name, expected %d: %s (%s, %s) is missing", k,
                k == 1 ? "" : "s", MC_DYNAVIS_MODEL_COUNT, row->name, row->doc, row->unit);
        dynavis_quote(word.text, word.length, quote);
        if (!dynavis_word_number(&word, &out->given[k]))
            return dynavis_text_blame(text, word.column,
                                      "found \"%s\", expected a number: %s (%s, %s)", quote,
                                      row->name, row->doc, row->unit);
        if (!(out->given[k] >= row->min && out->given[k] <= row->max))
            return dynavis_text_blame(
                text, word.column, "%s %s is out of range: %s must be in %g .. %g" TEXT_UNIT,
                row->name, quote, row->doc, row->min, row->max, TEXT_UNIT_OF(row->unit));
        out->si[k] = out->given[k] * to_si[k];
    }
    if (status == MC_OK && dynavis_text_word(text, &word))
        return dynavis_text_blame(
            text, word.column,
            "found \"%s\" after the last number (engine), expected the end of the line",
            dynavis_quote(word.text, word.length, quote));
    return status;
}

static mc_status check_name(dynavis_text *text, const mc_dynavis_model *models, int count)
{
    for (int i = 0; i < count; i++)
        if (strcasecmp(models[i].name, models[count].name) == 0)
            return dynavis_text_blame(text, 1, "\"%s\" is given twice; first on line %d",
                                      models[count].name, models[i].line);
    return MC_OK;
}

enum { MODELS_MAX = 1000 };

mc_status mc_dynavis_models_parse(const char *bytes, size_t length, const char *name,
                                  mc_dynavis_model **out, int *count, mc_error *error)
{
    *count = 0;
    *out = calloc(MODELS_MAX, sizeof **out);
    if (!*out)
        return mc_error_set(error, MC_NO_MEMORY, name, 0, 0, "no memory left");
    dynavis_text text;
    mc_status status = dynavis_text_begin(&text, name, bytes, length, error);
    while (status == MC_OK && dynavis_text_line(&text, true)) {
        if (*count == MODELS_MAX) {
            status = dynavis_text_blame(&text, 1, "more than %d cars", MODELS_MAX);
            break;
        }
        status = read_model(&text, &(*out)[*count]);
        if (status == MC_OK)
            status = check_name(&text, *out, *count);
        *count += status == MC_OK;
    }
    if (status == MC_OK && *count == 0)
        status = mc_error_set(error, MC_BAD_INPUT, name, 1, 1,
                              "the file has no cars, expected lines: name: weight length width "
                              "speed acc brake hp engine");
    if (status != MC_OK) {
        free(*out);
        *out = NULL;
        *count = 0;
    }
    return status;
}

mc_status mc_dynavis_models_read(const char *path, mc_dynavis_model **out, int *count,
                                 mc_error *error)
{
    arena memory = {0};
    char *bytes;
    size_t size;
    *out = NULL;
    *count = 0;
    mc_status status = file_read(&memory, path, 1 << 24, &bytes, &size, error);
    if (status == MC_OK)
        status = mc_dynavis_models_parse(bytes, size, path, out, count, error);
    arena_free(&memory);
    return status;
}
