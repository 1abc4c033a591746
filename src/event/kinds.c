// kinds.c - the tables of events, and what each fault does.
#include "event/event.h"

#include "base/assert.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

// ---- rows ----

const mc_param event_rows[EVENT_FAULT_COUNT] = {
    [EVENT_BRAKE_LOST] = {"brake_lost", "-", 0, 0, 1, "remaining share of the brake; default: 0"},
    [EVENT_THROTTLE_STUCK] = {"throttle_stuck", "-", NAN, 0, 1,
                              "where the throttle stays; default: where it is"},
    [EVENT_SENSOR_BIAS] = {"sensor_bias", "m", NAN, -100, 100, "added to the measured gap"},
    [EVENT_SENSOR_NOISE] = {"sensor_noise", "m", NAN, 0, 10,
                            "standard deviation of the measured gap"},
    [EVENT_RADIO_DELAY] = {"radio_delay", "s", NAN, 0, 10, "delay of the messages it hears"},
    [EVENT_RADIO_LOSS] = {"radio_loss", "-", NAN, 0, 1, "share of the messages it does not hear"},
    [EVENT_PUSH] = {"push", "m/s^2", NAN, -20, 20,
                    "disturbs engine and brake: added to the acceleration asked of them; a car "
                    "without a law does not feel it"},
    [EVENT_FORCE] = {"force", "N", NAN, -1e6, 1e6,
                     "force from outside, forward positive, on a car of any type"},
};

#define FAULT(number, word)                                                                        \
    .name = word, .end_name = word "_ends", .value = &event_rows[number], .fault = true

const mc_event_kind event_kinds[EVENT_KIND_COUNT] = {
    [EVENT_BRAKE_LOST] = {FAULT(EVENT_BRAKE_LOST, "brake_lost"), .label = "Brake left",
                          .optional = true,
                          .begins = {"loses its brakes", "; ", 100.0,
                                     " % of the brake force is left", NULL, 0},
                          .ends = {"has its brakes back", NULL, 1.0, "", NULL, 0}},
    [EVENT_THROTTLE_STUCK] = {FAULT(EVENT_THROTTLE_STUCK, "throttle_stuck"),
                              .label = "Throttle stuck at", .optional = true,
                              .begins = {"has its throttle stuck", ", open by ", 100.0, " %", NULL,
                                         0},
                              .ends = {"has its throttle free again", NULL, 1.0, "", NULL, 0}},
    [EVENT_SENSOR_BIAS] = {FAULT(EVENT_SENSOR_BIAS, "sensor_bias"), .label = "Sensor bias",
                           .shaped = true,
                           .begins = {"measures its gap with a bias", " of ", 1.0, " m", NULL, 0},
                           .ends = {"measures its gap with the bias it had before", ": ", 1.0, " m",
                                    NULL, 0}},
    [EVENT_SENSOR_NOISE] = {FAULT(EVENT_SENSOR_NOISE, "sensor_noise"), .label = "Sensor noise",
                            .begins = {"measures its gap with noise", ", standard deviation ", 1.0,
                                       " m", NULL, 0},
                            .ends = {"measures its gap with the noise it had before", ": ", 1.0,
                                     " m", NULL, 0}},
    [EVENT_RADIO_DELAY] = {FAULT(EVENT_RADIO_DELAY, "radio_delay"), .label = "Radio delay",
                           .begins = {"hears its radio late", " by ", 1.0, " s", NULL, 0},
                           .ends = {"hears its radio as late as before", ": ", 1.0, " s", NULL, 0}},
    [EVENT_RADIO_LOSS] = {FAULT(EVENT_RADIO_LOSS, "radio_loss"), .label = "Radio loss",
                          .begins = {"loses radio messages", ", share ", 100.0, " %", NULL, 0},
                          .ends = {"loses as many radio messages as before", ": ", 100.0, " %",
                                   NULL, 0}},
    [EVENT_PUSH] = {FAULT(EVENT_PUSH, "push"), .label = "Push", .shaped = true,
                    .begins = {"is pushed", " by ", 1.0, " m/s^2", NULL, 0},
                    .ends = {"is no longer pushed", NULL, 1.0, "", NULL, 0}},
    [EVENT_FORCE] = {FAULT(EVENT_FORCE, "force"), .label = "External force", .shaped = true,
                     .begins = {"is under a force from outside", " of ", 1.0, " N", NULL, 0},
                     .ends = {"is no longer under a force", NULL, 1.0, "", NULL, 0}},
    [EVENT_SET] = {.name = "set",
                   .begins = {"gets another value of a parameter", ": ", 1.0, "", NULL, 0}},
    [EVENT_HEADWAY] = {.name = "headway",
                       .roadway = true,
                       .begins = {"asks for a headway", " of ", 1.0, " s", NULL, 0}},
    [EVENT_DISTANCE] = {.name = "distance",
                        .roadway = true,
                        .begins = {"asks for a distance", " of ", 1.0, " m", NULL, 0}},
    [EVENT_SPEED] = {.name = "speed",
                     .roadway = true,
                     .begins = {"asks for a speed", " of ", 1.0, " m/s", NULL, 0}},
    [EVENT_PROFILE] = {.name = "profile",
                       .begins = {"takes another speed profile", NULL, 1.0, "", NULL, 0}},
    [EVENT_CONTROLLER] = {.name = "controller",
                          .begins = {"takes another controller", NULL, 1.0, "", NULL, 0}},
    [EVENT_ESTIMATOR] = {.name = "estimator",
                         .begins = {"has an estimator switched", NULL, 1.0, "", NULL, 0}},
    [EVENT_DRIVE] = {.name = "drive",
                     .begins = {"is driven by hand from here on", NULL, 1.0, "", NULL, 0}},
    [EVENT_RELEASE] = {.name = "release",
                       .begins = {"goes back to its controller", NULL, 1.0, "", NULL, 0}},
    [EVENT_LEADS_AS] = {.name = "leads_as",
                        .begins = {"leads as another platoon does", ": platoon ", 1.0,
                                   " (0: by itself)", NULL, 0}},
    [EVENT_EXIT] = {.name = "exit",
                    .begins = {"is to leave at an off-ramp", NULL, 1.0, "", NULL, 0}},
    [EVENT_LANE] = {.name = "lane",
                    .begins = {"is sent to another lane", ": lane ", 1.0, "", NULL, 0}},
    [EVENT_DRIVER_LANE] = {.name = "driver_lane",
                           .begins = {"is steered to another lane by its driver", ": lane ", 1.0,
                                      "", NULL, 0}},
    [EVENT_SECTION] = {.name = "section",
                       .roadway = true,
                       .optional = true,
                       .begins = {"changes the rules of a lane", NULL, 1.0, "", NULL, 0}},
    [EVENT_ERSC] = {.name = "ersc",
                    .roadway = true,
                    .begins = {"switches the ERSC", " to level ", 1.0, "", NULL, 0}},
    [EVENT_CHECK_IN] = {.name = "check_in",
                        .optional = true,
                        .begins = {"asks to check in", NULL, 1.0, "", NULL, 0}},
    [EVENT_CHECK_OUT] = {.name = "check_out",
                         .optional = true,
                         .begins = {"asks to check out", NULL, 1.0, "", NULL, 0}},
    [EVENT_JOIN] = {.name = "join",
                    .begins = {"is to join a platoon", ": platoon ", 1.0, "", NULL, 0}},
    [EVENT_LEAVE] = {.name = "leave",
                     .begins = {"is to leave its platoon", " for lane ", 1.0, "", NULL, 0}},
    [EVENT_SPLIT] = {.name = "split",
                     .optional = true,
                     .begins = {"splits its platoon and leads the rear part", ", ", 1.0,
                                " m behind", NULL, 0}},
    [EVENT_MERGE] = {.name = "merge",
                     .optional = true,
                     .begins = {"merges its platoon with the one in front", NULL, 1.0, "", NULL,
                                0}},
    [EVENT_ACCELERATE] = {.name = "accelerate",
                          .begins = {"is given its acceleration from outside", ": ", 1.0, " m/s^2",
                                     NULL, 0}},
};

const char *const event_rejections[REJECTED_COUNT] = {
    [REJECTED_NOT] = "not at all",
    [REJECTED_OFF] = "the ERSC is off",
    [REJECTED_ALREADY] = "it is checked in already",
    [REJECTED_NO_CONTROLLER] = "it has no controller that could drive it",
    [REJECTED_BRAKE] = "its brakes are faulty",
    [REJECTED_THROTTLE] = "its throttle is stuck",
    [REJECTED_SENSOR] = "its range sensor is faulty",
    [REJECTED_HIT] = "it was in a collision",
    [REJECTED_RAMP] = "it is on a ramp",
    [REJECTED_CHANGES] = "it is changing lanes",
    [REJECTED_OUTSIDE] = "it is not inside its lane",
    [REJECTED_GAP] = "the gap to the car in front is too short to take over",
    [REJECTED_NOT_IN] = "it is not checked in",
    [REJECTED_LANE] = "it is in an automated lane",
};

// What happens by itself, from EVENT_RADIO_SILENT on.
static const struct {
    const char *name;
    mc_event_sentence says;
} itself[] = {
    {.name = "radio_silent", .says = {"hears no radio", NULL, 1.0, "", NULL, 0}},
    {.name = "radio_back", .says = {"hears the radio again", NULL, 1.0, "", NULL, 0}},
    {.name = "lane_begins", .says = {"sets out to another lane", ": lane ", 1.0, "", NULL, 0}},
    {.name = "exit_missed",
     .says = {"cannot reach its off-ramp in time and takes the next", NULL, 1.0, "", NULL, 0}},
    {.name = "leaves", .says = {"leaves at the end of the road", NULL, 1.0, "", NULL, 0}},
    {.name = "cut_in",
     .says = {"has another car cut in before it", ", at a gap of ", 1.0, " m", NULL, 0}},
    {.name = "checked_in", .says = {"is checked in", ", in lane ", 1.0, "", NULL, 0}},
    {.name = "check_in_refused",
     .says = {"is not checked in", ": ", 1.0, "", .words = event_rejections,
              .word_count = REJECTED_COUNT}},
    {.name = "checked_out", .says = {"is checked out", ", in lane ", 1.0, "", NULL, 0}},
    {.name = "check_out_refused",
     .says = {"is not checked out", ": ", 1.0, "", .words = event_rejections,
              .word_count = REJECTED_COUNT}},
    {.name = "not_checked_in",
     .says = {"enters an automated lane without check-in", ": lane ", 1.0, "", NULL, 0}},
    {.name = "wrong_lane",
     .says = {"is in a lane that it may not use", ": lane ", 1.0, "", NULL, 0}},
    {.name = "lane_allowed",
     .says = {"is in a lane that it may use again", NULL, 1.0, "", NULL, 0}},
    {.name = "blind_spot",
     .says = {"moves towards a car in its blind spot", ": vehicle ", 1.0, "", NULL, 0}},
    {.name = "joined", .says = {"has joined a platoon", ": platoon ", 1.0, "", NULL, 0}},
    {.name = "left", .says = {"has left its platoon", ": platoon ", 1.0, "", NULL, 0}},
    {.name = "fmu_failed",
     .says = {"loses the FMU of its controller; its law drives", NULL, 1.0, "", NULL, 0}},
};

const char *event_name(int number)
{
    mc_assert(number >= 0 && number < EVENT_HAPPENED_COUNT);
    if (number < EVENT_KIND_COUNT)
        return event_kinds[number].name;
    return number < EVENT_ENDS ? itself[number - EVENT_KIND_COUNT].name
                               : event_kinds[number - EVENT_ENDS].end_name;
}

const mc_event_kind *mc_event_kind_at(int index)
{
    return index >= 0 && index < EVENT_KIND_COUNT ? &event_kinds[index] : NULL;
}

const mc_event_kind *mc_event_kind_find(const char *name)
{
    for (int k = 0; k < EVENT_KIND_COUNT; k++)
        if (strcmp(event_kinds[k].name, name) == 0)
            return &event_kinds[k];
    return NULL;
}

const mc_event_sentence *mc_event_sentence_find(const char *name)
{
    for (int k = 0; k < EVENT_KIND_COUNT; k++) {
        const mc_event_kind *kind = &event_kinds[k];
        if (strcmp(kind->name, name) == 0)
            return &kind->begins;
        if (kind->fault && strcmp(kind->end_name, name) == 0)
            return &kind->ends;
    }
    for (size_t k = 0; k < sizeof itself / sizeof itself[0]; k++)
        if (strcmp(itself[k].name, name) == 0)
            return &itself[k].says;
    return NULL;
}

// ---- pedals ----

static mc_status lose_brake(fault_state *s, const fault_act *act, mc_error *error)
{
    (void)error;
    s->brake_left = isnan(act->value) ? 0.0 : act->value;
    return MC_OK;
}

static double brake_before(const fault_state *s, const fault_act *act)
{
    (void)act;
    return s->brake_left;
}

static mc_status stick_throttle(fault_state *s, const fault_act *act, mc_error *error)
{
    (void)error;
    s->throttle_stuck = isnan(act->value) ? act->throttle : act->value;
    return MC_OK;
}

static double throttle_before(const fault_state *s, const fault_act *act)
{
    (void)act;
    return s->throttle_stuck;
}

static mc_status free_throttle(fault_state *s, const fault_act *act, mc_error *error)
{
    (void)error;
    s->throttle_stuck = act->value; // not a number: free
    return MC_OK;
}

// ---- disturbances ----

// A disturbance begins now, in the shape the event gives it.
static mc_status begin_wave(const fault_act *act, wave *out, mc_error *error)
{
    wave w;
    const mc_status status = wave_parse(act->shape, &w, error);
    if (status != MC_OK)
        return status;
    w.amplitude = act->value;
    w.since = act->now;
    *out = w;
    return MC_OK;
}

static mc_status push(fault_state *s, const fault_act *act, mc_error *error)
{
    return begin_wave(act, &s->push, error);
}

static double push_before(const fault_state *s, const fault_act *act)
{
    (void)act;
    return wave_plain(&s->push) ? s->push.amplitude : 0.0;
}

static mc_status end_push(fault_state *s, const fault_act *act, mc_error *error)
{
    const fault_act step = {.value = act->value, .now = act->now};
    return begin_wave(&step, &s->push, error);
}

// ---- forces ----

// Cuts what follows a word off the text; NULL: the word is not in it.
static char *cut_at(char *text, const char *word)
{
    const size_t length = strlen(word);
    for (char *s = strstr(text, word); s; s = strstr(s + 1, word))
        if ((s == text || s[-1] == ' ') && s[length] == ' ') {
            *s = '\0';
            return s + length;
        }
    return NULL;
}

// Up to `most` numbers of at most `limit`, and the unit, which may be left out; how many.
static int read_numbers(char *text, const char *unit, double limit, int most, double *out)
{
    int count = 0;
    bool ended = false;
    char *rest;
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        double number;
        if (!ended && count < most && text_to_double(word, &number) && fabs(number) <= limit)
            out[count++] = number;
        else if (!ended && count > 0 && strcmp(word, unit) == 0)
            ended = true;
        else
            return -1;
    }
    return count;
}

mc_status event_force_parse(const char *shape, event_force *out, mc_error *error)
{
    char text[WAVE_TEXT_MAX];
    double degrees = 0.0;
    *out = (event_force){0};
    if (shape && strlen(shape) >= sizeof text)
        return wave_parse(shape, &out->size, error);
    strcpy(text, shape ? shape : "");
    char *at = cut_at(text, "at"), *towards = cut_at(text, "towards");
    const int places = at ? read_numbers(at, "m", 100.0, 3, out->at) : 2;
    const int angles = towards ? read_numbers(towards, "deg", 360.0, 1, &degrees) : 1;
    if (places < 2 || angles < 1)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "shape of a force is \"%.60s\"; expected that of a disturbance, "
                            "optionally towards A deg, optionally at X Y Z m",
                            shape);
    out->direction = degrees * (3.141592653589793 / 180.0);
    return wave_parse(text, &out->size, error);
}

mc_status event_check_shape(int kind, const char *shape, mc_error *error)
{
    event_force f;
    wave w;
    return kind == EVENT_FORCE ? event_force_parse(shape, &f, error) : wave_parse(shape, &w, error);
}

static mc_status force(fault_state *s, const fault_act *act, mc_error *error)
{
    event_force f;
    const mc_status status = event_force_parse(act->shape, &f, error);
    if (status != MC_OK)
        return status;
    f.size.amplitude = act->value;
    f.size.since = act->now;
    s->force = f;
    return MC_OK;
}

// One that is a number alone comes back when another one within it ends.
static double force_before(const fault_state *s, const fault_act *act)
{
    (void)act;
    const event_force *f = &s->force;
    const bool plain = wave_plain(&f->size) && f->direction == 0.0 && f->at[0] == 0.0 &&
                       f->at[1] == 0.0 && f->at[2] == 0.0;
    return plain ? f->size.amplitude : 0.0;
}

static mc_status end_force(fault_state *s, const fault_act *act, mc_error *error)
{
    const fault_act step = {.value = act->value, .now = act->now};
    return force(s, &step, error);
}

// A bias that stays is a number of the sensor; one with a shape comes on top of it.
static mc_status bias(fault_state *s, const fault_act *act, mc_error *error)
{
    wave w;
    const mc_status status = begin_wave(act, &w, error);
    if (status != MC_OK)
        return status;
    if (wave_plain(&w)) {
        s->sensor[SENSOR_RANGE_BIAS] = act->value;
        w.amplitude = 0.0;
    }
    s->gap_wave = w;
    return MC_OK;
}

// One with a shape goes to nothing, the one that stays is as it was.
static double bias_before(const fault_state *s, const fault_act *act)
{
    return act->shape && act->shape[0] ? 0.0 : s->sensor[SENSOR_RANGE_BIAS];
}

// ---- sensor and radio ----

static mc_status noise(fault_state *s, const fault_act *act, mc_error *error)
{
    (void)error;
    s->sensor[SENSOR_RANGE_NOISE] = act->value;
    return MC_OK;
}

static double noise_before(const fault_state *s, const fault_act *act)
{
    (void)act;
    return s->sensor[SENSOR_RANGE_NOISE];
}

static mc_status delay(fault_state *s, const fault_act *act, mc_error *error)
{
    (void)error;
    s->link[LINK_DELAY] = act->value;
    return MC_OK;
}

static double delay_before(const fault_state *s, const fault_act *act)
{
    (void)act;
    return s->link[LINK_DELAY];
}

static double delay_memory(double value)
{
    return value;
}

static mc_status lose(fault_state *s, const fault_act *act, mc_error *error)
{
    (void)error;
    s->link[LINK_LOSS] = act->value;
    return MC_OK;
}

static double loss_before(const fault_state *s, const fault_act *act)
{
    (void)act;
    return s->link[LINK_LOSS];
}

static double loss_memory(double value) // a lost message leaves the one before
{
    (void)value;
    return 0.0;
}

const fault_kind event_faults[EVENT_FAULT_COUNT] = {
    [EVENT_BRAKE_LOST] = {.begin = lose_brake, .before = brake_before, .pedals = true},
    [EVENT_THROTTLE_STUCK] = {.begin = stick_throttle,
                              .before = throttle_before,
                              .end = free_throttle,
                              .pedals = true},
    [EVENT_SENSOR_BIAS] = {.begin = bias, .before = bias_before},
    [EVENT_SENSOR_NOISE] = {.begin = noise, .before = noise_before},
    [EVENT_RADIO_DELAY] = {.begin = delay, .before = delay_before, .memory = delay_memory},
    [EVENT_RADIO_LOSS] = {.begin = lose, .before = loss_before, .memory = loss_memory},
    [EVENT_PUSH] = {.begin = push, .before = push_before, .end = end_push},
    [EVENT_FORCE] = {.begin = force, .before = force_before, .end = end_force},
};

const char *mc_event_name(int number)
{
    return number >= 0 && number < EVENT_HAPPENED_COUNT ? event_name(number) : NULL;
}
