// data.c - the data file of DYNAVIS: one line of numbers per frame.
#include "dynavis/data.h"

#include "base/file.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    dynavis_text text;
    dynavis_store *store;
    const mc_dynavis_params *params;
    mc_error *error;
} reader;

// ---- memory ----

static mc_status no_memory(mc_error *error, const char *file)
{
    return mc_error_set(error, MC_NO_MEMORY, file, 0, 0, "no memory left for the data");
}

// Room for more cars; the new ones are zero.
static mc_status reserve_cars(reader *r, int more)
{
    dynavis_store *s = r->store;
    const size_t need = s->car_count + (size_t)more;
    if (need > INT_MAX)
        return mc_error_set(r->error, MC_BAD_INPUT, r->text.file, r->text.line, 1,
                            "more than %d cars in all lines", INT_MAX);
    if (need > s->car_room) {
        const size_t room = need + need / 2 + 64;
        mc_dynavis_car *cars = realloc(s->cars, room * sizeof *cars);
        if (cars)
            s->cars = cars;
        int *order = cars ? realloc(s->order, room * sizeof *order) : NULL;
        if (!order)
            return no_memory(r->error, r->text.file);
        s->order = order;
        s->car_room = room;
    }
    memset(s->cars + s->car_count, 0, (size_t)more * sizeof *s->cars);
    return MC_OK;
}

static mc_status add_frame(reader *r, const mc_dynavis_frame *frame)
{
    dynavis_store *s = r->store;
    mc_dynavis_data *data = &s->data;
    if (data->frame_count == s->frame_room) {
        const int room = s->frame_room + s->frame_room / 2 + 64;
        mc_dynavis_frame *frames = realloc(data->frames, (size_t)room * sizeof *frames);
        if (!frames)
            return no_memory(r->error, r->text.file);
        data->frames = frames;
        s->frame_room = room;
    }
    const int count = frame->car_count;
    data->min_cars = data->frame_count == 0 || count < data->min_cars ? count : data->min_cars;
    data->max_cars = count > data->max_cars ? count : data->max_cars;
    data->frames[data->frame_count++] = *frame;
    s->car_count += (size_t)count;
    return MC_OK;
}

void mc_dynavis_data_free(mc_dynavis_data *data)
{
    dynavis_store *store = (dynavis_store *)data;
    if (!store)
        return;
    free(store->data.frames);
    free(store->cars);
    free(store->order);
    free(store->next);
    free(store->previous);
    free(store);
}

// ---- messages ----

static const char *plural(int count)
{
    return count == 1 ? "" : "s";
}

// "the parameter file asks for 13", "without parameter file 2 cars need 18".
static const char *demand(const reader *r, int car_count, char buffer[80])
{
    const int expected = dynavis_slot_count(r->params, car_count);
    const bool counted = dynavis_on(r->params, MC_DYNAVIS_PARAM_CAR_COUNT_GIVEN);
    const char *file =
        r->params->file[0] ? "the parameter file asks for" : "without parameter file";
    if (counted && r->params->file[0])
        snprintf(buffer, 80, "%s %d with %d car%s", file, expected, car_count, plural(car_count));
    else if (counted)
        snprintf(buffer, 80, "%s %d car%s need%s %d", file, car_count, plural(car_count),
                 car_count == 1 ? "s" : "", expected);
    else
        snprintf(buffer, 80, "%s %d", file, expected);
    return buffer;
}

static mc_status too_short(reader *r, int car_count, dynavis_slot missing, int found)
{
    char what[DYNAVIS_SLOT_SIZE], demanded[80];
    const int column = dynavis_text_end_column(&r->text);
    if (missing.field == DYNAVIS_TIME)
        return dynavis_text_blame(&r->text, column, "%d number%s: the time is missing", found,
                                  plural(found));
    return dynavis_text_blame(&r->text, column, "%d number%s, %s: the %s is missing", found,
                              plural(found), demand(r, car_count, demanded),
                              dynavis_slot_text(missing, what));
}

static mc_status too_long(reader *r, const dynavis_word *word, int car_count, dynavis_slot last)
{
    char what[DYNAVIS_SLOT_SIZE], demanded[80], quote[DYNAVIS_QUOTE_SIZE];
    const int expected = dynavis_slot_count(r->params, car_count);
    const int found = expected + 1 + dynavis_text_rest(&r->text);
    return dynavis_text_blame(
        &r->text, word->column, "%d numbers, %s: unexpected \"%s\" after the last one, the %s",
        found, demand(r, car_count, demanded), dynavis_quote(word->text, word->length, quote),
        dynavis_slot_text(last, what));
}

static mc_status not_a_number(reader *r, const dynavis_word *word, dynavis_slot slot)
{
    const mc_param *row = &dynavis_fields[slot.field];
    char what[DYNAVIS_SLOT_SIZE], quote[DYNAVIS_QUOTE_SIZE];
    const bool pure = strcmp(row->unit, "-") == 0;
    const char *hint = word->text[0] == '#' ? "; a data file has no comments"
                       : memchr(word->text, ',', word->length)
                           ? "; numbers are separated by blanks and have a decimal point"
                           : "";
    return dynavis_text_blame(
        &r->text, word->column, "found \"%s\", expected a number: the %s%s%s%s",
        dynavis_quote(word->text, word->length, quote), dynavis_slot_text(slot, what),
        pure ? "" : ", ", pure ? "" : row->unit, hint);
}

static mc_status out_of_range(reader *r, const dynavis_word *word, dynavis_slot slot)
{
    const mc_param *row = &dynavis_fields[slot.field];
    char what[DYNAVIS_SLOT_SIZE], quote[DYNAVIS_QUOTE_SIZE];
    const bool pure = strcmp(row->unit, "-") == 0;
    return dynavis_text_blame(
        &r->text, word->column, "%s is out of range: the %s must be %sin %.10g .. %.10g%s%s",
        dynavis_quote(word->text, word->length, quote), dynavis_slot_text(slot, what),
        pure ? "a whole number " : "", row->min, row->max, pure ? "" : " ", pure ? "" : row->unit);
}

// ---- one line ----

static void put(mc_dynavis_frame *frame, mc_dynavis_car *cars, dynavis_slot slot, double value)
{
    mc_dynavis_car *car = cars + (slot.field >= DYNAVIS_ID ? slot.index : 0);
    switch (slot.field) {
    case DYNAVIS_CAR_COUNT:
        frame->car_count = (int)value;
        break;
    case DYNAVIS_TIME:
        frame->t = value;
        break;
    case DYNAVIS_TIME_HEADWAY:
        frame->time_headway[slot.index] = value;
        break;
    case DYNAVIS_FIXED_HEADWAY:
        frame->fixed_headway[slot.index] = value;
        break;
    case DYNAVIS_ID:
        car->id = (int)value;
        break;
    case DYNAVIS_X:
    case DYNAVIS_DISTANCE:
        car->x = value;
        break;
    case DYNAVIS_Y:
        car->y = value;
        break;
    case DYNAVIS_V_X:
        car->v_x = value;
        break;
    case DYNAVIS_V_Y:
        car->v_y = value;
        break;
    case DYNAVIS_A:
        car->a = value;
        break;
    default:
        car->jerk = value;
    }
}

// Takes the number of one slot.
static mc_status read_slot(reader *r, dynavis_slot slot, const dynavis_word *word, double *value)
{
    const mc_param *row = &dynavis_fields[slot.field];
    if (!dynavis_word_number(word, value))
        return not_a_number(r, word, slot);
    const bool whole = slot.field == DYNAVIS_CAR_COUNT || slot.field == DYNAVIS_ID;
    if (!(*value >= row->min && *value <= row->max) || (whole && *value != floor(*value)))
        return out_of_range(r, word, slot);
    const int lanes = dynavis_lanes(r->params);
    if (slot.field == DYNAVIS_CAR_COUNT && (int)*value % lanes != 0)
        return dynavis_text_blame(&r->text, word->column,
                                  "%d cars cannot be %d platoons of equal length (Lanes = %d); "
                                  "with Lanes = 1 each car's lane comes from its lateral position",
                                  (int)*value, lanes, lanes);
    const mc_dynavis_data *data = &r->store->data;
    if (slot.field == DYNAVIS_TIME && data->frame_count > 0) {
        const mc_dynavis_frame *before = &data->frames[data->frame_count - 1];
        if (!(*value > before->t))
            return dynavis_text_blame(&r->text, word->column,
                                      "time %.10g s is not after %.10g s on line %d", *value,
                                      before->t, before->line);
    }
    return MC_OK;
}

static int by_id(const void *a, const void *b, void *context)
{
    const mc_dynavis_car *cars = context;
    const int i = *(const int *)a, j = *(const int *)b;
    const int x = cars[i].id, y = cars[j].id;
    return x != y ? (x > y) - (x < y) : i - j;
}

// Column of a slot of the current line.
static int column_of(reader *r, int car_count, dynavis_slot sought)
{
    dynavis_walk walk = dynavis_walk_begin(r->params, car_count);
    dynavis_word word = {0};
    r->text.at = r->text.begin;
    for (dynavis_slot slot; dynavis_walk_next(&walk, &slot);) {
        dynavis_text_word(&r->text, &word);
        if (slot.field == sought.field && slot.index == sought.index)
            break;
    }
    return word.column;
}

// Ids that are not in the file, and the order of all; no two may be equal.
static mc_status number_cars(reader *r, int car_count)
{
    mc_dynavis_car *cars = r->store->cars + r->store->car_count;
    int *order = r->store->order + r->store->car_count;
    const bool given = dynavis_on(r->params, MC_DYNAVIS_PARAM_CAR_ID_GIVEN);
    for (int i = 0; i < car_count; i++) {
        order[i] = i;
        cars[i].platoon = dynavis_platoon(r->params, car_count, i) + 1;
        if (!given)
            cars[i].id = i + 1;
        else if (dynavis_is_copy(r->params, car_count, i))
            cars[i].id = cars[0].id + DYNAVIS_COPY_STEP * (cars[i].platoon - 1);
    }
    qsort_r(order, (size_t)car_count, sizeof *order, by_id, cars);
    for (int i = 1; i < car_count; i++) {
        const int a = order[i - 1], b = order[i];
        if (cars[a].id != cars[b].id)
            continue;
        const bool copied = dynavis_is_copy(r->params, car_count, a);
        if (copied || dynavis_is_copy(r->params, car_count, b))
            return dynavis_text_blame(
                &r->text, column_of(r, car_count, (dynavis_slot){DYNAVIS_ID, copied ? b : a}),
                "the id %d is that of the copy of the leader in lane %d (SamePlatoonLeader = 1): "
                "the leader's and %d for each lane",
                cars[a].id, cars[copied ? a : b].platoon, DYNAVIS_COPY_STEP);
        return dynavis_text_blame(&r->text, column_of(r, car_count, (dynavis_slot){DYNAVIS_ID, b}),
                                  "cars %d and %d of the line both have the id %d", a + 1, b + 1,
                                  cars[a].id);
    }
    return MC_OK;
}

static mc_status read_line(reader *r)
{
    const double *p = r->params->value;
    mc_dynavis_frame frame = {.line = r->text.line};
    for (int k = 0; k < MC_DYNAVIS_LANES_MAX; k++) {
        frame.time_headway[k] = p[MC_DYNAVIS_PARAM_TIME_HEADWAY + k];
        frame.fixed_headway[k] = p[MC_DYNAVIS_PARAM_FIXED_HEADWAY + k];
    }
    const bool counted = dynavis_on(r->params, MC_DYNAVIS_PARAM_CAR_COUNT_GIVEN);
    frame.car_count = counted ? 0 : (int)(p[MC_DYNAVIS_PARAM_LANES] * p[MC_DYNAVIS_PARAM_CARS]);
    mc_status status = reserve_cars(r, counted ? 1 : frame.car_count);
    dynavis_walk walk = dynavis_walk_begin(r->params, frame.car_count);
    dynavis_slot slot = {DYNAVIS_TIME, 0}, last = slot;
    dynavis_word word;
    int found = 0;
    for (; status == MC_OK && dynavis_walk_next(&walk, &slot); last = slot, found++) {
        double value;
        if (!dynavis_text_word(&r->text, &word))
            return too_short(r, frame.car_count, slot, found);
        status = read_slot(r, slot, &word, &value);
        if (status == MC_OK)
            put(&frame, r->store->cars + r->store->car_count, slot, value);
        if (status == MC_OK && slot.field == DYNAVIS_CAR_COUNT) {
            walk.car_count = frame.car_count;
            status = reserve_cars(r, frame.car_count + 1);
        }
    }
    if (status == MC_OK && dynavis_text_word(&r->text, &word))
        return too_long(r, &word, frame.car_count, last);
    if (status == MC_OK)
        status = number_cars(r, frame.car_count);
    return status == MC_OK ? add_frame(r, &frame) : status;
}

// ---- the whole file ----

mc_dynavis_data *mc_dynavis_data_parse(const char *bytes, size_t length, const char *name,
                                       const mc_dynavis_params *params,
                                       const mc_dynavis_options *options, mc_error *error)
{
    if (mc_dynavis_params_check(params, error) != MC_OK)
        return NULL;
    dynavis_store *store = calloc(1, sizeof *store);
    if (!store) {
        no_memory(error, name);
        return NULL;
    }
    store->data.params = *params;
    reader r = {.store = store, .params = &store->data.params, .error = error};
    mc_status status = dynavis_text_begin(&r.text, name, bytes, length, error);
    while (status == MC_OK && dynavis_text_line(&r.text, false))
        status = read_line(&r);
    if (status == MC_OK && store->data.frame_count == 0)
        status = mc_error_set(error, MC_BAD_INPUT, name, 1, 1,
                              "the file has no lines of data; expected at least one");
    if (status == MC_OK)
        status = dynavis_complete(store, options, name, error);
    if (status != MC_OK) {
        mc_dynavis_data_free(&store->data);
        return NULL;
    }
    return &store->data;
}

mc_dynavis_data *mc_dynavis_data_load(const char *path, const mc_dynavis_params *params,
                                      const mc_dynavis_options *options, mc_error *error)
{
    arena memory = {0};
    char *bytes;
    size_t size;
    mc_dynavis_data *data = NULL;
    if (file_read(&memory, path, 0, &bytes, &size, error) == MC_OK)
        data = mc_dynavis_data_parse(bytes, size, path, params, options, error);
    arena_free(&memory);
    return data;
}

const mc_dynavis_frame *mc_dynavis_data_last(const mc_dynavis_data *data)
{
    return &data->frames[data->frame_count - 1];
}
