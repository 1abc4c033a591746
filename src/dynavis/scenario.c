// scenario.c - DYNAVIS files as a Motorcade scenario.
//
// Of one frame, the cars of each platoon become a platoon of the scenario, in the order of the file
// and whatever lanes they are in; with one platoon in the file, those of each lane, from the front.
// x is taken as the middle of a car; y and the direction of its speed are kept. A car more than
// max_offset from the centre of a lane is under way to one, and is sent there when the run begins.
// Time 0 of the scenario is that of the frame.
#include "base/file.h"
#include "base/text.h"
#include "dynavis/data.h"
#include "motorcade/laws.h"
#include "motorcade/powertrain.h"
#include "motorcade/vehicle_type.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const double max_offset = 0.5;         // m
static const double frames = 6000, rate = 20; // of a DYNAVIS simulation; 1/s: steps of 0.05 s
static const double base_power = 210.0, base_engine = 4.6; // hp, l: the car of the report's eqs

// The car of the report, for data without a car file.
static const mc_dynavis_model plain_car = {.name = "car",
                                           .given = {4055, 219, 77, 150, 0.6, 0.8, 210, 4.6}};

enum { WORD_SIZE = MC_DYNAVIS_NAME_SIZE + 16 };

typedef struct member { // a car of the frame
    const mc_dynavis_car *car;
    const mc_dynavis_model *model;
    char name[24];
    const char *model_name;
    int group; // platoon of the scenario, from 0
    int place; // in the file
} member;

typedef struct converter {
    const mc_dynavis_scenario *s;
    const mc_dynavis_frame *frame; // NULL: no data
    const mc_dynavis_model *models;
    int model_count;
    char (*words)[WORD_SIZE]; // names of the models in the scenario
    member *members;          // group by group, each from the front
    int count;
    double headway[MC_DYNAVIS_LANES_MAX], distance[MC_DYNAVIS_LANES_MAX];
    int group_used[MC_DYNAVIS_LANES_MAX], group_count; // cars; groups that have some
    bool by_platoon;                                   // groups are the platoons of the file
    const char *ramps;                                 // the ramp file; NULL: none
    size_t ramps_size;
    arena memory;
    file_writer *out;
    mc_error *error;
} converter;

static double length_of(const mc_dynavis_model *model)
{
    return model->given[MC_DYNAVIS_MODEL_LENGTH] * 0.0254;
}

static mc_status reject(const converter *c, const char *text)
{
    if (!c->frame)
        return mc_error_set(c->error, MC_BAD_INPUT, NULL, 0, 0, "%s", text);
    return mc_error_set(c->error, MC_BAD_INPUT, NULL, 0, 0, "line %d of the data file: %s",
                        c->frame->line, text);
}

// ---- models ----

// A name for YAML: small letters, digits and single '_', beginning with a letter.
static void plain_word(const char *name, char out[WORD_SIZE])
{
    size_t used = 0;
    for (const char *s = name; *s; s++) {
        const char low = *s >= 'A' && *s <= 'Z' ? (char)(*s - 'A' + 'a') : *s;
        const bool digit = low >= '0' && low <= '9';
        if (used == 0 && digit)
            used = (size_t)sprintf(out, "car");
        if ((low >= 'a' && low <= 'z') || digit)
            out[used++] = low;
        else if (used > 0 && out[used - 1] != '_')
            out[used++] = '_';
    }
    while (used > 0 && out[used - 1] == '_')
        used--;
    out[used] = '\0';
    if (used == 0)
        strcpy(out, "car");
}

static bool is_taken(const converter *c, int before, const char *word)
{
    for (int k = 0; k < before; k++)
        if (strcmp(c->words[k], word) == 0)
            return true;
    return false;
}

// Words for all models, numbered where two would be the same.
static mc_status name_models(converter *c)
{
    c->words = calloc((size_t)c->model_count, sizeof *c->words);
    if (!c->words)
        return mc_error_set(c->error, MC_NO_MEMORY, NULL, 0, 0, "no memory left");
    for (int k = 0; k < c->model_count; k++) {
        char plain[WORD_SIZE];
        plain_word(c->models[k].name, plain);
        strcpy(c->words[k], plain);
        for (int number = 2; is_taken(c, k, c->words[k]); number++)
            snprintf(c->words[k], WORD_SIZE, "%.66s_%d", plain, number);
    }
    return MC_OK;
}

static mc_status pick_model(const converter *c, int *index)
{
    const char *requested = c->s->model;
    *index = 0;
    if (!requested)
        return MC_OK;
    const char **names = calloc((size_t)c->model_count + 1, sizeof *names);
    if (!names)
        return mc_error_set(c->error, MC_NO_MEMORY, NULL, 0, 0, "no memory left");
    for (int k = 0; k < c->model_count; k++)
        names[k] = c->models[k].name;
    names[c->model_count] = "all";
    for (*index = 0; *index < c->model_count; ++*index)
        if (strcasecmp(names[*index], requested) == 0)
            break;
    mc_status status = MC_OK;
    if (strcasecmp(requested, "all") == 0) {
        *index = -1;
    } else if (*index == c->model_count) {
        const char *near = text_nearest(requested, names, c->model_count + 1);
        status = mc_error_set(c->error, MC_BAD_INPUT, NULL, 0, 0,
                              "the car file has no model \"%s\"; %s \"%s\"", requested,
                              near ? "did you mean" : "the first is", near ? near : names[0]);
    }
    free(names);
    return status;
}

// ---- cars ----

// As DYNAVIS starts without data: one after another, evenly on three lanes.
static mc_status make_cars(converter *c, mc_dynavis_car **out)
{
    const double *p = c->s->params->value;
    const double v = 20.0;
    const int count = c->s->car_count > 0
                          ? c->s->car_count
                          : (int)(p[MC_DYNAVIS_PARAM_LANES] * p[MC_DYNAVIS_PARAM_CARS]);
    mc_dynavis_car *cars = calloc((size_t)count, sizeof *cars);
    if (!cars)
        return mc_error_set(c->error, MC_NO_MEMORY, NULL, 0, 0, "no memory left");
    double longest = 0.0;
    for (int k = 0; k < c->model_count; k++)
        longest = fmax(longest, length_of(&c->models[k]));
    for (int i = 0; i < count; i++) {
        const int lane = i % MC_DYNAVIS_LANES_MAX, row = i / MC_DYNAVIS_LANES_MAX;
        const double spacing =
            longest + fmax(c->headway[lane] * v + c->distance[lane], 1.0); // 1 m: not touching
        cars[i] = (mc_dynavis_car){.id = i + 1,
                                   .platoon = 1,
                                   .lane = lane + 1,
                                   .x = -row * spacing,
                                   .y = dynavis_centre(lane),
                                   .v_x = v};
    }
    c->count = count;
    *out = cars;
    return MC_OK;
}

static int as_in_the_file(const void *a, const void *b)
{
    const member *x = a, *y = b;
    return x->group != y->group ? x->group - y->group : x->place - y->place;
}

static int from_the_front(const void *a, const void *b)
{
    const member *x = a, *y = b;
    if (x->group != y->group)
        return x->group - y->group;
    if (x->car->x != y->car->x)
        return x->car->x > y->car->x ? -1 : 1;
    return (x->car->id > y->car->id) - (x->car->id < y->car->id);
}

static mc_status check_member(const converter *c, const member *m, const member *front)
{
    char text[200];
    const mc_dynavis_car *car = m->car;
    if (!isfinite(car->v_x))
        snprintf(
            text, sizeof text,
            "the speed of car %d is not known: Velocity_X = 0, and too few lines to estimate it",
            car->id);
    else if (car->v_x < 0.0 || car->v_x > 150.0)
        snprintf(text, sizeof text,
                 "car %d drives at %g m/s; a scenario expects 0 .. 150 m/s at the start", car->id,
                 car->v_x);
    else if (front && front->group == m->group && front->car->lane == car->lane &&
             fabs(front->car->x - car->x) < 0.5 * (length_of(front->model) + length_of(m->model)))
        snprintf(
            text, sizeof text,
            "cars %d and %d overlap: their centres are %.4g m apart, half their lengths %.4g m",
            front->car->id, car->id, fabs(front->car->x - car->x),
            0.5 * (length_of(front->model) + length_of(m->model)));
    else
        return MC_OK;
    return reject(c, text);
}

static mc_status sort_cars(converter *c, const mc_dynavis_car *cars)
{
    c->by_platoon = dynavis_lanes(c->s->params) > 1 && c->frame;
    int picked;
    mc_status status = pick_model(c, &picked);
    c->members = calloc((size_t)c->count, sizeof *c->members);
    if (status == MC_OK && !c->members)
        status = mc_error_set(c->error, MC_NO_MEMORY, NULL, 0, 0, "no memory left");
    for (int i = 0; i < c->count && status == MC_OK; i++) {
        member *m = &c->members[i];
        const int model = picked >= 0 ? picked : i % c->model_count;
        m->car = &cars[i];
        m->model = &c->models[model];
        m->group = (c->by_platoon ? cars[i].platoon : cars[i].lane) - 1;
        m->place = i;
        m->model_name = c->words[model];
        snprintf(m->name, sizeof m->name, "car%d", cars[i].id);
        c->group_count += c->group_used[m->group]++ == 0;
    }
    if (status == MC_OK)
        qsort(c->members, (size_t)c->count, sizeof *c->members,
              c->by_platoon ? as_in_the_file : from_the_front);
    for (int i = 0; i < c->count && status == MC_OK; i++)
        status = check_member(c, &c->members[i], i > 0 ? &c->members[i - 1] : NULL);
    return status;
}

// ---- text ----

typedef char number_text[32];

// The fewest digits that read back as the same number.
static const char *shortest(double value, number_text text)
{
    for (int digits = 6; digits <= 17; digits++) {
        double back;
        snprintf(text, sizeof(number_text), "%.*g", digits, value);
        if (text_to_double(text, &back) && back == value)
            break;
    }
    return text;
}

// Text of a comment or a quoted word: what YAML would not take becomes '?'.
static void put_plain(converter *c, const char *text)
{
    for (; *text; text++)
        file_print(c->out, "%c",
                   *text >= ' ' && *text <= '~' && *text != '"' && *text != '\\' ? *text : '?');
}

static void put_head(converter *c)
{
    const mc_dynavis_scenario *s = c->s;
    number_text text;
    file_print(c->out, "# Generated by `motorcade dynavis`");
    if (s->source) {
        file_print(c->out, " from ");
        put_plain(c, s->source);
    }
    file_print(c->out, ".\n");
    if (c->frame)
        file_print(c->out, "# Time 0 is t = %s s of the data, line %d.\n",
                   shortest(c->frame->t, text), c->frame->line);
    file_print(c->out, "motorcade: scenario\n");
}

// Lines that follow the frame, whose speeds the leaders drive again.
static int lines_left(const converter *c)
{
    return c->frame ? (int)(mc_dynavis_data_last(c->s->data) - c->frame) : 0;
}

// Whether bytes are UTF-8 without control characters other than those of lines.
static bool is_text(const unsigned char *s, size_t size)
{
    for (size_t i = 0; i < size;) {
        const int more = s[i] < 0x80                    ? 0
                         : s[i] >= 0xc2 && s[i] <= 0xdf ? 1
                         : (s[i] & 0xf0) == 0xe0        ? 2
                         : s[i] >= 0xf0 && s[i] <= 0xf4 ? 3
                                                        : -1;
        if (more < 0 || (s[i] < ' ' && !memchr("\t\r\n", s[i], 3)) || s[i] == 0x7f)
            return false;
        i++;
        for (int k = 0; k < more; k++, i++)
            if (i >= size || (s[i] & 0xc0) != 0x80)
                return false;
    }
    return true;
}

// The ramp file as one text of the scenario, line by line, so that it can be written back as it is.
static void put_ramps(converter *c)
{
    if (!c->ramps)
        return;
    file_print(c->out, ",\n  ramp_lines: \"\\\n    ");
    bool first = true; // of a line: blanks there would be lost
    for (size_t i = 0; i < c->ramps_size; i++) {
        const char s = c->ramps[i];
        if (s == '\t' || s == '\r')
            file_print(c->out, s == '\t' ? "\\t" : "\\r");
        else if (s == '\n')
            file_print(c->out, i + 1 < c->ramps_size ? "\\n\\\n    " : "\\n");
        else if (s == '"' || s == '\\' || (s == ' ' && first))
            file_print(c->out, "\\%c", s);
        else
            file_write(c->out, &s, 1);
        first = s == '\n';
    }
    file_print(c->out, "\"");
}

static void put_time_and_road(converter *c)
{
    double end = c->s->end > 0.0 ? c->s->end : frames / rate;
    if (c->s->end <= 0.0 && lines_left(c) > 0)
        end = fmax(floor((mc_dynavis_data_last(c->s->data)->t - c->frame->t) * rate), 1.0) / rate;
    double headway = INFINITY, distance = INFINITY;
    for (int g = 0; g < MC_DYNAVIS_LANES_MAX; g++)
        if (c->group_used[g] || (c->group_count == 0 && g == 0)) {
            headway = fmin(headway, c->headway[g]);
            distance = fmin(distance, c->distance[g]);
        }
    number_text text[3];
    file_print(c->out, "time: {end: %s, step: %g}\n", shortest(end, text[0]), 1.0 / rate);
    file_print(c->out, "road: {lanes: %d, lane_width: %g, headway: %s, distance: %s, speed: %s",
               MC_DYNAVIS_LANES_MAX, MC_DYNAVIS_LANE_WIDTH, shortest(headway, text[0]),
               shortest(distance, text[1]), shortest(c->members[0].car->v_x, text[2]));
    put_ramps(c);
    file_print(c->out, "}\n");
}

static void put_models(converter *c)
{
    file_print(c->out, "models:\n");
    for (int k = 0; k < c->model_count; k++) {
        const mc_dynavis_model *m = &c->models[k];
        file_print(c->out, "  %s:\n    doc: \"", c->words[k]);
        put_plain(c, m->name);
        file_print(c->out,
                   "\"\n    kind: %s\n    mass: %.10g lb\n    length: %.10g in\n"
                   "    width: %.10g in\n    max_speed: %.10g mph\n    max_acceleration: %.10g\n"
                   "    max_brake: %.10g\n    powertrain: {kind: %s, power_scale: %.6g, "
                   "engine_scale: %.6g} # %.10g hp, %.10g l\n",
                   mc_vehicle_type_default()->name, m->given[MC_DYNAVIS_MODEL_WEIGHT],
                   m->given[MC_DYNAVIS_MODEL_LENGTH], m->given[MC_DYNAVIS_MODEL_WIDTH],
                   m->given[MC_DYNAVIS_MODEL_SPEED], m->given[MC_DYNAVIS_MODEL_ACCELERATE],
                   m->given[MC_DYNAVIS_MODEL_BRAKE],
                   mc_powertrain_default(MC_POWERTRAIN_ROLE_MODEL),
                   m->given[MC_DYNAVIS_MODEL_POWER] / base_power,
                   m->given[MC_DYNAVIS_MODEL_ENGINE] / base_engine,
                   m->given[MC_DYNAVIS_MODEL_POWER], m->given[MC_DYNAVIS_MODEL_ENGINE]);
    }
}

// With one platoon the roadway's commands hold; with several each lane has its own.
static void put_controllers(converter *c)
{
    const char *law = mc_law_default(MC_LAW_ROLE_DYNAVIS);
    number_text text[2];
    bool first = true;
    for (int g = 0; g < MC_DYNAVIS_LANES_MAX; g++) {
        if (c->group_used[g] < 2) // no followers
            continue;
        file_print(c->out, "%s", first ? "controllers:\n" : "");
        first = false;
        if (c->group_count == 1)
            file_print(c->out, "  follow: {law: %s}\n", law);
        else
            file_print(c->out, "  follow%d: {law: %s, headway: %s, distance: %s}\n", g + 1, law,
                       shortest(c->headway[g], text[0]), shortest(c->distance[g], text[1]));
    }
}

static const mc_dynavis_car *same_car(const mc_dynavis_frame *frame, int id)
{
    for (int i = 0; i < frame->car_count; i++)
        if (frame->cars[i].id == id)
            return &frame->cars[i];
    return NULL;
}

// The smoothed speeds of a leader after the frame, as far as the data go: the rate of the profile
// is tracked too, and that of noise would shake the car.
static mc_status put_profile(converter *c, const member *leader)
{
    const int capacity = lines_left(c) + 1;
    double *t = malloc(3 * (size_t)capacity * sizeof *t), *v = t + capacity, *smooth = v + capacity;
    int n = 0;
    if (!t)
        return mc_error_set(c->error, MC_NO_MEMORY, NULL, 0, 0, "no memory left");
    for (; n < capacity; n++) {
        const mc_dynavis_car *car = same_car(c->frame + n, leader->car->id);
        if (!car || !isfinite(car->v_x))
            break;
        t[n] = c->frame[n].t - c->frame->t;
        v[n] = car->v_x;
    }
    dynavis_derivative(n, t, v, 0, c->s->data->window, smooth);
    file_print(c->out, "  %s_speed: # smooth: a parabola within %g s\n    table:\n", leader->name,
               c->s->data->window);
    number_text text;
    for (int k = 0; k < n; k++) {
        file_print(c->out, "      - [%s", shortest(t[k], text));
        file_print(c->out, ", %.6g]\n", fmax(isfinite(smooth[k]) ? smooth[k] : v[k], 0.0));
    }
    free(t);
    return MC_OK;
}

// Is the leader of a group a copy of the first one, as SamePlatoonLeader says?
static bool led_by_first(const converter *c, const member *leader)
{
    return c->s->params->value[MC_DYNAVIS_PARAM_SAME_LEADER] != 0.0 && leader->group > 0 &&
           c->members[0].group == 0 && leader->model == c->members[0].model;
}

// Speed across the road: 0 where it is not known.
static double across(const mc_dynavis_car *car)
{
    return isfinite(car->v_y) ? car->v_y : 0.0;
}

static double speed_of(const mc_dynavis_car *car)
{
    return across(car) == 0.0 ? car->v_x : hypot(car->v_x, across(car));
}

// y and heading of a car that is not in the centre of its platoon's lane, or moves across it.
static void put_aside(converter *c, const member *m)
{
    const mc_dynavis_car *car = m->car;
    number_text text;
    if (car->y != dynavis_centre(m->group))
        file_print(c->out, ", y: %s", shortest(car->y, text));
    if (across(car) != 0.0)
        file_print(c->out, ", heading: %s", shortest(atan2(across(car), car->v_x), text));
}

// Behind the car before it: by their gap where that is one, else by its place.
static void put_place(converter *c, const member *m)
{
    const member *front = m - 1;
    number_text text;
    const double gap =
        front->car->x - m->car->x - 0.5 * (length_of(front->model) + length_of(m->model));
    if (front->car->lane == m->car->lane && gap >= 0.01)
        file_print(c->out, ", spacing: %s", shortest(gap, text));
    else
        file_print(c->out, ", x: %s", shortest(m->car->x, text));
}

static void put_platoon(converter *c, const member *m, int count)
{
    const int g = m->group;
    number_text text[2];
    const char *lead = led_by_first(c, m) ? "    leads_as: 1\n" : "";
    file_print(c->out, "  - lane: %d\n    x: %s\n    v: %s\n%s", g + 1,
               shortest(m->car->x, text[0]), shortest(speed_of(m->car), text[1]), lead);
    file_print(c->out, "    leader: {name: %s, model: %s, profile: ", m->name, m->model_name);
    if (lines_left(c) > 0)
        file_print(c->out, "%s_speed", m->name);
    else
        file_print(c->out, "%s", shortest(m->car->v_x, text[0]));
    put_aside(c, m);
    file_print(c->out, "}\n");
    for (int i = 1; i < count; i++) {
        file_print(c->out, "%s      - {name: %s, model: %s, controller: follow",
                   i == 1 ? "    cars:\n" : "", m[i].name, m[i].model_name);
        if (c->group_count > 1)
            file_print(c->out, "%d", g + 1);
        put_place(c, &m[i]);
        file_print(c->out, ", v: %s", shortest(speed_of(m[i].car), text[0]));
        put_aside(c, &m[i]);
        file_print(c->out, "}\n");
    }
}

static void put_cars(converter *c)
{
    file_print(c->out, "platoons:\n");
    for (int i = 0; i < c->count;) {
        const member *m = &c->members[i];
        put_platoon(c, m, c->group_used[m->group]);
        i += c->group_used[m->group];
    }
}

// The lane that a car between lanes is under way to, from 1: the one it moves towards, else the
// nearest; 0: it is in its lane.
static int lane_ahead(const mc_dynavis_car *car)
{
    const double off = car->y - dynavis_centre(car->lane - 1), v = across(car);
    if (fabs(off) <= max_offset)
        return 0;
    const int beyond = car->lane + (off > 0.0 ? -1 : 1);
    const bool leaves = off * v > 0.0 && fabs(v) > 0.1; // m/s
    return leaves && beyond >= 1 && beyond <= MC_DYNAVIS_LANES_MAX ? beyond : car->lane;
}

static void put_event(converter *c, bool *first, double at)
{
    number_text text;
    file_print(c->out, "%s  - {at: %s, ", *first ? "events:\n" : "", shortest(at, text));
    *first = false;
}

// Cars between lanes are sent on. Headways that change in the data become commands of the roadway,
// for one platoon.
static void put_events(converter *c)
{
    const int g = c->members[0].group;
    number_text text;
    bool first = true;
    for (int i = 0; i < c->count; i++)
        if (lane_ahead(c->members[i].car) > 0) {
            put_event(c, &first, 0.0);
            file_print(c->out, "vehicle: %s, lane: %d}\n", c->members[i].name,
                       lane_ahead(c->members[i].car));
        }
    for (int k = 1; c->group_count == 1 && k <= lines_left(c); k++) {
        const mc_dynavis_frame *now = c->frame + k;
        const double at = now->t - c->frame->t;
        if (now->time_headway[g] != now[-1].time_headway[g]) {
            put_event(c, &first, at);
            file_print(c->out, "headway: %s}\n", shortest(now->time_headway[g], text));
        }
        if (now->fixed_headway[g] != now[-1].fixed_headway[g]) {
            put_event(c, &first, at);
            file_print(c->out, "distance: %s}\n", shortest(now->fixed_headway[g], text));
        }
    }
}

static mc_status put_all(converter *c, const char *path)
{
    c->out = file_writer_open(path, c->error);
    if (!c->out)
        return c->error ? c->error->code : MC_IO;
    put_head(c);
    put_time_and_road(c);
    bool first = true;
    mc_status status = MC_OK;
    for (int i = 0; i < c->count && lines_left(c) > 0 && status == MC_OK; i++)
        if (i == 0 || c->members[i].group != c->members[i - 1].group) {
            file_print(c->out, "%s", first ? "profiles:\n" : "");
            status = put_profile(c, &c->members[i]);
            first = false;
        }
    if (status != MC_OK) {
        file_writer_abandon(c->out);
        return status;
    }
    put_models(c);
    put_controllers(c);
    put_cars(c);
    put_events(c);
    return file_writer_commit(c->out, c->error);
}

// ---- the whole ----

static mc_status pick_frame(converter *c)
{
    const mc_dynavis_data *data = c->s->data;
    if (!data)
        return MC_OK;
    const int number = c->s->frame ? c->s->frame : data->frame_count;
    if (number < 1 || number > data->frame_count)
        return mc_error_set(c->error, MC_BAD_INPUT, NULL, 0, 0,
                            "unknown frame %d; the data file has 1 .. %d", number,
                            data->frame_count);
    c->frame = &data->frames[number - 1];
    c->count = c->frame->car_count;
    if (c->count == 0)
        return reject(c, "the frame has no cars");
    return MC_OK;
}

// The ramp file, if there is one, is known to be good.
static mc_status take_ramps(converter *c)
{
    const char *path = c->s->ramps;
    char *text;
    mc_dynavis_ramp *ramps;
    int count;
    if (!path)
        return MC_OK;
    mc_status status = file_read(&c->memory, path, 1 << 20, &text, &c->ramps_size, c->error);
    if (status != MC_OK)
        return status;
    c->ramps = text;
    status = mc_dynavis_ramps_parse(text, c->ramps_size, path, &ramps, &count, c->error);
    free(ramps);
    if (status == MC_OK && !is_text((const unsigned char *)text, c->ramps_size))
        status = mc_error_set(c->error, MC_BAD_INPUT, path, 0, 0,
                              "the file is not UTF-8 text, so it cannot become part of a scenario");
    return status;
}

mc_status mc_dynavis_write_scenario(const char *path, const mc_dynavis_scenario *scenario,
                                    mc_error *error)
{
    converter c = {.s = scenario, .error = error};
    mc_dynavis_model plain = plain_car;
    plain.given[MC_DYNAVIS_MODEL_LENGTH] =
        scenario->params->value[MC_DYNAVIS_PARAM_CAR_LENGTH] / 0.0254;
    c.models = scenario->model_count > 0 ? scenario->models : &plain;
    c.model_count = scenario->model_count > 0 ? scenario->model_count : 1;
    mc_status status = take_ramps(&c);
    if (status == MC_OK)
        status = pick_frame(&c);
    if (status == MC_OK)
        status = name_models(&c);
    for (int k = 0; k < MC_DYNAVIS_LANES_MAX && status == MC_OK; k++) {
        c.headway[k] = c.frame ? c.frame->time_headway[k]
                               : scenario->params->value[MC_DYNAVIS_PARAM_TIME_HEADWAY + k];
        c.distance[k] = c.frame ? c.frame->fixed_headway[k]
                                : scenario->params->value[MC_DYNAVIS_PARAM_FIXED_HEADWAY + k];
    }
    mc_dynavis_car *made = NULL;
    if (status == MC_OK && !c.frame)
        status = make_cars(&c, &made);
    if (status == MC_OK)
        status = sort_cars(&c, c.frame ? c.frame->cars : made);
    if (status == MC_OK)
        status = put_all(&c, path);
    free(c.members);
    free(c.words);
    free(made);
    arena_free(&c.memory);
    return status;
}
