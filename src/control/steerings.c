// steerings.c - the list of steering laws, and what their formulas may use.
#include "control/steering.h"

#include "base/registry.h"

#include <string.h>
#include <strings.h>

// A new law is a file that defines steering_WORD, and law(WORD) here. The first is the default.
#define STEERINGS(law) law(preview) law(simple) law(stanley) law(pure_pursuit) law(lqr)
#define DECLARE(word) extern const law_text steering_##word;
#define ADDRESS(word) &steering_##word,
STEERINGS(DECLARE)

static const void *const built_in[] = {STEERINGS(ADDRESS)};
static registry laws = REGISTRY("steering law", built_in);

const law_signal_row steering_signals[STEERING_SIGNAL_COUNT] = {
    [STEERING_T] = {"t", "s", "time"},
    [STEERING_DT] = {"dt", "s", "control step"},
    [STEERING_V] = {"v", "m/s", "speed along the heading"},
    [STEERING_V_Y] = {"v_y", "m/s", "speed to the left of the heading"},
    [STEERING_YAW_RATE] = {"yaw_rate", "rad/s", "left positive"},
    [STEERING_STEER] = {"steer_last", "rad", "steering angle of the step before"},
    [STEERING_OFFSET] = {"offset", "m", "mass centre to the left of the path"},
    [STEERING_HEADING] = {"heading", "rad", "of the car relative to the path, left positive"},
    [STEERING_CURVATURE] = {"curvature", "1/m", "of the path at the car, left positive"},
    [STEERING_AHEAD] = {"ahead", "m", "distance along the path to the point that is looked at"},
    [STEERING_ASIDE_AHEAD] = {"aside_ahead", "m", "that point to the left of the car's axis"},
    [STEERING_CURVATURE_AHEAD] = {"curvature_ahead", "1/m", "of the path at that point"},
    [STEERING_WHEELBASE] = {"wheelbase", "m", "of the ego vehicle"},
    [STEERING_FRONT] = {"front", "m", "mass centre to front axle"},
    [STEERING_REAR] = {"rear", "m", "mass centre to rear axle"},
    [STEERING_TURN_GAIN] = {"turn_gain", "m",
                            "steady steering angle per curvature at this speed, in the turn ahead"},
    [STEERING_TURN_SLIP] = {"turn_slip", "m",
                            "steady heading per curvature at this speed, outwards positive"},
    [STEERING_GAIN_OFFSET] = {"gain_offset", "1/m", "optimal for this car and speed"},
    [STEERING_GAIN_OFFSET_RATE] = {"gain_offset_rate", "s/m", "the same, of the offset's rate"},
    [STEERING_GAIN_HEADING] = {"gain_heading", "-", "the same, of the heading"},
    [STEERING_GAIN_HEADING_RATE] = {"gain_heading_rate", "s", "the same, of the heading's rate"},
    [STEERING_USER_1] = {"user1", "", "user variable 1, any unit"},
    [STEERING_USER_1 + 1] = {"user2", "", "user variable 2"},
    [STEERING_USER_1 + 2] = {"user3", "", "user variable 3"},
    [STEERING_USER_1 + 3] = {"user4", "", "user variable 4"},
    [STEERING_USER_1 + 4] = {"user5", "", "user variable 5"},
    [STEERING_USER_1 + 5] = {"user6", "", "user variable 6"},
    [STEERING_USER_1 + 6] = {"user7", "", "user variable 7"},
    [STEERING_USER_8] = {"user8", "", "user variable 8"},
};

const law_vocabulary steering_words = {steering_signals, STEERING_SIGNAL_COUNT, "steer", "rad"};

const law_text *steering_at(int index)
{
    return registry_at(&laws, index);
}

const law_text *steering_find(const char *name)
{
    const law_text *text;
    for (int i = 0; (text = steering_at(i)); i++)
        if (strcasecmp(text->name, name) == 0)
            return text;
    return NULL;
}

const law_text *steering_default(void)
{
    return steering_at(0);
}

int steering_param(const law_text *text, const char *name)
{
    for (int k = 0; k < text->param_count; k++)
        if (strcmp(text->params[k].name, name) == 0)
            return k;
    return -1;
}

static const char *name_at(int index)
{
    const law_text *text = steering_at(index);
    return text ? text->name : NULL;
}

mc_status mc_steering_register(const mc_law_text *text, mc_error *error)
{
    mc_error own = {0};
    mc_status status =
        registry_check(&laws, text->size, sizeof *text, text->name, text->doc, name_at, error);
    if (status == MC_OK)
        status = registry_check_rows(&laws, text->name, text->params, text->param_count,
                                     MC_LAW_PARAM_MAX, error);
    if (status != MC_OK)
        return status;
    if (!text->steer.formula)
        return registry_reject(&laws, text->name, error, "it has no formula for steer");
    law *compiled = law_compile_words(text, &steering_words, NULL, EXPR_INTERPRET, &own);
    law_destroy(compiled);
    if (!compiled)
        return registry_reject(&laws, text->name, error, "%s", own.text);
    return registry_add(&laws, text->name, text, error);
}
