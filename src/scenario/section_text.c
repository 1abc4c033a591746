// section_text.c - rules of a lane, printed and parsed.
#include "scenario/section_text.h"

#include "base/text.h"
#include "road/network.h"
#include "scenario/keys.h"
#include "scenario/scenario.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const scenario_road_uses[ROAD_USE_COUNT] = {"any", "automated", "manual", "closed"};

const road_lane_stretch *scenario_stretches(const scenario *s, int *count)
{
    *count = s->plan ? s->plan->stretch_count : 0;
    return s->plan ? s->plan->stretches : NULL;
}

enum { NAMES = 8 };
static const char *const names[NAMES] = {"lane",  "from",  "to",      "use",
                                         "enter", "speed", "headway", "separation"};

static double *number_of(road_lane_stretch *s, const char *name)
{
    return strcmp(name, "from") == 0      ? &s->from
           : strcmp(name, "to") == 0      ? &s->to
           : strcmp(name, "speed") == 0   ? &s->speed
           : strcmp(name, "headway") == 0 ? &s->headway
                                          : &s->separation;
}

static mc_status wrong(mc_error *error, const char *name, const char *value, const char *expected)
{
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "section: %s is \"%.40s\", expected %s",
                        name, value, expected);
}

static mc_status take_word(road_lane_stretch *s, const char *name, const char *value,
                           mc_error *error)
{
    for (int k = 0; k < ROAD_USE_COUNT; k++)
        if (strcmp(value, scenario_road_uses[k]) == 0) {
            *(strcmp(name, "use") == 0 ? &s->use : &s->enter) = k;
            return MC_OK;
        }
    return wrong(error, name, value, "any, automated, manual or closed");
}

static mc_status take(road_lane_stretch *s, const char *name, const char *value, mc_error *error)
{
    const scenario_key *key = scenario_key_find(SECTION_ROAD_SECTION, name);
    double number;
    if (strcmp(name, "use") == 0 || strcmp(name, "enter") == 0)
        return take_word(s, name, value, error);
    if (!text_to_double(value, &number))
        return wrong(error, name, value, "a number");
    const bool lane = strcmp(name, "lane") == 0;
    if (!(number >= key->min && number <= key->max) || (lane && number != floor(number)))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "section: %s is %.9g, expected %s%g .. %g %s", name, number,
                            lane ? "a whole number " : "", key->min, key->max,
                            strcmp(key->unit, "-") == 0 ? "" : key->unit);
    if (lane)
        s->lane = (int)number - 1;
    else
        *number_of(s, name) = number;
    return MC_OK;
}

static mc_status check(const road_lane_stretch *s, mc_error *error)
{
    if (s->lane < 0 || isnan(s->from) || isnan(s->to))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "section: expected its lane, from and to, such as lane 1 from 0 to 500 "
                            "speed 25");
    if (!(s->to > s->from))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "section: to is %.9g m, expected more than from, %.9g m", s->to,
                            s->from);
    if (s->use < 0 && s->enter < 0 && isnan(s->speed) && isnan(s->headway) && isnan(s->separation))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "section: nothing is changed; expected use, enter, speed, headway or "
                            "separation");
    return MC_OK;
}

mc_status scenario_section_parse(const char *text, road_lane_stretch *out, mc_error *error)
{
    char copy[SECTION_TEXT_MAX], *rest;
    *out = (road_lane_stretch){-1, NAN, NAN, NAN, 0.0, 0.0, NAN, NAN, NAN, -1, -1};
    if (strlen(text) >= sizeof copy)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "section: %zu characters, expected fewer than %d", strlen(text),
                            SECTION_TEXT_MAX);
    strcpy(copy, text);
    mc_status status = MC_OK;
    for (char *word = strtok_r(copy, " ", &rest); word && status == MC_OK;
         word = strtok_r(NULL, " ", &rest)) {
        int k = 0;
        while (k < NAMES && strcmp(names[k], word) != 0)
            k++;
        const char *value = k < NAMES ? strtok_r(NULL, " ", &rest) : NULL;
        const char *near = k < NAMES ? NULL : text_nearest(word, names, NAMES);
        if (k == NAMES)
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "section: unknown word \"%.40s\"%s%s", word,
                                near ? ", did you mean " : "", near ? near : "");
        status = value ? take(out, names[k], value, error)
                       : wrong(error, names[k], "", "a value after it");
    }
    return status == MC_OK ? check(out, error) : status;
}

// The shortest form that reads back as the same bits.
static int put(char *text, int at, const char *name, double value)
{
    double back = NAN;
    int length = 0;
    for (int digits = 9; !isnan(value) && digits <= 17 && back != value; digits++) {
        char number[40];
        snprintf(number, sizeof number, "%.*g", digits, value);
        text_to_double(number, &back);
        length = snprintf(text + at, (size_t)(SECTION_TEXT_MAX - at), " %s %s", name, number);
    }
    return at + length;
}

void scenario_section_print(const road_lane_stretch *s, char *text)
{
    int at = snprintf(text, SECTION_TEXT_MAX, "lane %d", s->lane + 1);
    at = put(text, at, "from", s->from);
    at = put(text, at, "to", s->to);
    if (s->use >= 0)
        at += snprintf(text + at, (size_t)(SECTION_TEXT_MAX - at), " use %s",
                       scenario_road_uses[s->use]);
    if (s->enter >= 0)
        at += snprintf(text + at, (size_t)(SECTION_TEXT_MAX - at), " enter %s",
                       scenario_road_uses[s->enter]);
    at = put(text, at, "speed", s->speed);
    at = put(text, at, "headway", s->headway);
    put(text, at, "separation", s->separation);
}
