// dynavis_models.c - the car file of DYNAVIS: "name: weight length width speed acc brake hp
// engine".
#include "base/file.h"
#include "io/dynavis_text.h"
#include "motorcade/dynavis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define REQUIRED NAN

const mc_param mc_dynavis_model_rows[MC_DYNAVIS_MODEL_COUNT] = {
    [MC_DYNAVIS_WEIGHT] = {"weight", "lb", REQUIRED, 100, 2e5, "of the car with what it carries"},
    [MC_DYNAVIS_LENGTH] = {"length", "in", REQUIRED, 20, 2000, "bumper to bumper"},
    [MC_DYNAVIS_WIDTH] = {"width", "in", REQUIRED, 10, 200, "of the body"},
    [MC_DYNAVIS_SPEED] = {"speed", "mph", REQUIRED, 1, 500, "top speed"},
    [MC_DYNAVIS_ACCELERATE] = {"acc", "g", REQUIRED, 0.01, 5, "greatest acceleration"},
    [MC_DYNAVIS_BRAKE] = {"brake", "g", REQUIRED, 0.01, 5, "greatest deceleration"},
    [MC_DYNAVIS_POWER] = {"hp", "hp", REQUIRED, 1, 1e4, "power of the engine"},
    [MC_DYNAVIS_ENGINE] = {"engine", "l", REQUIRED, 0.05, 50, "displacement of the engine"},
};

// From the file's units to kg, m, m, m/s, m/s^2, m/s^2, W, m^3; all exact by definition, the
// horsepower being 550 ft lbf/s.
static const double to_si[MC_DYNAVIS_MODEL_COUNT] = {
    [MC_DYNAVIS_WEIGHT] = 0.45359237,
    [MC_DYNAVIS_LENGTH] = 0.0254,
    [MC_DYNAVIS_WIDTH] = 0.0254,
    [MC_DYNAVIS_SPEED] = 0.44704,
    [MC_DYNAVIS_ACCELERATE] = 9.80665,
    [MC_DYNAVIS_BRAKE] = 9.80665,
    [MC_DYNAVIS_POWER] = 550.0 * 0.3048 * 0.45359237 * 9.80665,
    [MC_DYNAVIS_ENGINE] = 1e-3,
};

// The name before ':', without blanks at its ends; the cursor is then behind the colon.
static mc_status read_name(dynavis_text *text, mc_dynavis_model *out)
{
    dynavis_word first;
    dynavis_text_word(text, &first);
    const char *colon = memchr(first.text, ':', (size_t)(text->bytes + text->end - first.text));
    if (!colon)
        return dynavis_text_blame(
            text, dynavis_text_end_column(text),
            "found no ':' behind the name, expected name: weight length width "
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
            return dynavis_text_blame(text, dynavis_text_end_column(text),
                                      "%d number%s behind the name, expected %d: %s (%s, %s) is "
                                      "missing",
                                      k, k == 1 ? "" : "s", MC_DYNAVIS_MODEL_COUNT, row->name,
                                      row->doc, row->unit);
        dynavis_quote(word.text, word.length, quote);
        if (!dynavis_word_number(&word, &out->given[k]))
            return dynavis_text_blame(text, word.column,
                                      "found \"%s\", expected a number: %s (%s, %s)", quote,
                                      row->name, row->doc, row->unit);
        if (!(out->given[k] >= row->min && out->given[k] <= row->max))
            return dynavis_text_blame(text, word.column,
                                      "%s %s is out of range: %s must be within %g .. %g %s",
                                      row->name, quote, row->doc, row->min, row->max, row->unit);
        out->si[k] = out->given[k] * to_si[k];
    }
    if (status == MC_OK && dynavis_text_word(text, &word))
        return dynavis_text_blame(text, word.column,
                                  "found \"%s\" behind the last number (engine), expected the end "
                                  "of the line",
                                  dynavis_quote(word.text, word.length, quote));
    return status;
}

static mc_status check_name(dynavis_text *text, const mc_dynavis_model *models, int count)
{
    for (int i = 0; i < count; i++)
        if (strcasecmp(models[i].name, models[count].name) == 0)
            return dynavis_text_blame(text, 1, "\"%s\" is there twice; first on line %d",
                                      models[count].name, models[i].line);
    return MC_OK;
}

enum { MODELS_MOST = 1000 };

mc_status mc_dynavis_models_parse(const char *bytes, size_t length, const char *name,
                                  mc_dynavis_model **out, int *count, mc_error *error)
{
    *count = 0;
    *out = calloc(MODELS_MOST, sizeof **out);
    if (!*out)
        return mc_error_set(error, MC_NO_MEMORY, name, 0, 0, "no memory left");
    dynavis_text text;
    mc_status status = dynavis_text_begin(&text, name, bytes, length, error);
    while (status == MC_OK && dynavis_text_line(&text, true)) {
        if (*count == MODELS_MOST) {
            status = dynavis_text_blame(&text, 1, "more than %d cars", MODELS_MOST);
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
