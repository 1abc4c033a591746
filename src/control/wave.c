// wave.c - shapes of disturbances, from words to values.
#include "control/wave.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TWO_PI = 6.283185307179586;

// The next word of at most 31 letters, or an empty one; *text goes behind it.
static void next_word(const char **text, char word[32])
{
    const char *s = *text;
    s += strspn(s, " \t");
    const size_t length = strcspn(s, " \t"), kept = length < 31 ? length : 31;
    memcpy(word, s, kept);
    word[kept] = '\0';
    *text = s + length;
}

// A number above 0 and up to `max`, optionally with its unit.
static bool next_number(const char **text, const char *unit, double max, double *out)
{
    char word[32];
    next_word(text, word);
    char *end;
    *out = strtod(word, &end);
    if (end == word || !(*out > 0.0 && *out <= max))
        return false;
    if (*end != '\0')
        return strcmp(end, unit) == 0;
    const char *before = *text;
    next_word(text, word);
    if (strcmp(word, unit) != 0)
        *text = before;
    return true;
}

mc_status wave_parse(const char *shape, wave *out, mc_error *error)
{
    const char *text = shape ? shape : "";
    char word[32];
    *out = (wave){0};
    bool good = strlen(text) < WAVE_TEXT_MAX;
    next_word(&text, word);
    if (strcmp(word, "sine") == 0) {
        good = good && next_number(&text, "Hz", 100.0, &out->frequency);
        next_word(&text, word);
    } else if (strcmp(word, "noise") == 0 || strcmp(word, "step") == 0) {
        out->noise = word[0] == 'n' ? 1.0 : 0.0;
        next_word(&text, word);
    }
    if (strcmp(word, "for") == 0) {
        good = good && next_number(&text, "s", 1e6, &out->lasting);
        next_word(&text, word);
    }
    if (good && word[0] == '\0')
        return MC_OK;
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "shape is \"%.40s\"; expected step, sine F Hz (up to 100) or noise, "
                        "optionally followed by for T s",
                        shape);
}

bool wave_plain(const wave *w)
{
    return w->frequency == 0.0 && w->noise == 0.0 && w->lasting == 0.0;
}

double wave_at(const wave *w, double t, double normal)
{
    const double since = t - w->since;
    if (w->amplitude == 0.0 || (w->lasting > 0.0 && !(since < w->lasting)))
        return 0.0;
    if (w->noise != 0.0)
        return w->amplitude * normal;
    return w->frequency > 0.0 ? w->amplitude * sin(TWO_PI * w->frequency * since) : w->amplitude;
}
