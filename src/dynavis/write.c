// write.c - data files: frames to lines, tracks to CSV.
#include "base/file.h"
#include "dynavis/data.h"
#include "io/decimal.h"
#include "io/table_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct mc_dynavis_writer {
    file_writer *out;
    char *path;
    mc_dynavis_params params;
    decimal_table decimals;
    double last; // s, time of the line before
    bool started;
};

mc_status mc_dynavis_param_path(const char *data_path, char *out, size_t size, mc_error *error)
{
    size_t length = strlen(data_path);
    const char *dot = strrchr(data_path, '.');
    if (dot && strcmp(dot, ".par") == 0)
        return mc_error_set(
            error, MC_BAD_INPUT, data_path, 0, 0,
            "a data file cannot be called *.par: that is the name of its parameter file");
    if (dot && strcmp(dot, ".dat") == 0)
        length = (size_t)(dot - data_path);
    if (length + sizeof ".par" > size)
        return mc_error_set(error, MC_BAD_INPUT, data_path, 0, 0, "the name is too long");
    memcpy(out, data_path, length);
    strcpy(out + length, ".par");
    return MC_OK;
}

mc_dynavis_writer *mc_dynavis_writer_open(const char *path, const mc_dynavis_params *params,
                                          mc_error *error)
{
    char beside[4096];
    if (mc_dynavis_params_check(params, error) != MC_OK ||
        mc_dynavis_param_path(path, beside, sizeof beside, error) != MC_OK)
        return NULL;
    mc_dynavis_writer *w = calloc(1, sizeof *w);
    char *copy = strdup(path);
    if (!w || !copy)
        mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory left");
    else
        w->out = file_writer_open(path, error);
    if (!w || !copy || !w->out) {
        free(copy);
        free(w);
        return NULL;
    }
    w->path = copy;
    w->params = *params;
    decimal_init(&w->decimals);
    return w;
}

// ---- what a line says ----

static double slot_value(const mc_dynavis_params *p, const mc_dynavis_frame *frame,
                         dynavis_slot slot)
{
    const mc_dynavis_car *car = slot.field >= DYNAVIS_ID ? &frame->cars[slot.index] : NULL;
    switch (slot.field) {
    case DYNAVIS_CAR_COUNT:
        return frame->car_count;
    case DYNAVIS_TIME:
        return frame->t;
    case DYNAVIS_TIME_HEADWAY:
        return frame->time_headway[slot.index];
    case DYNAVIS_FIXED_HEADWAY:
        return frame->fixed_headway[slot.index];
    case DYNAVIS_ID:
        return car->id;
    case DYNAVIS_X:
        return car->x;
    case DYNAVIS_DISTANCE:
        return car[-1].x - car->x;
    case DYNAVIS_Y:
        return car->y - dynavis_y_origin(p, dynavis_platoon(p, frame->car_count, slot.index));
    case DYNAVIS_V_X:
        return car->v_x;
    case DYNAVIS_V_Y:
        return car->v_y;
    case DYNAVIS_A:
        return car->a;
    default:
        return car->jerk;
    }
}

static mc_status reject(const mc_dynavis_writer *w, const mc_dynavis_frame *frame, mc_error *error,
                        const char *text, int car)
{
    return mc_error_set(error, MC_BAD_INPUT, w->path, 0, 0, "frame at t = %.10g s, car %d: %s",
                        frame->t, car, text);
}

// What is not written must be what a reader will put in its place.
static mc_status check_omitted(const mc_dynavis_writer *w, const mc_dynavis_frame *frame,
                               mc_error *error)
{
    const mc_dynavis_params *p = &w->params;
    const bool y_given = dynavis_on(p, MC_DYNAVIS_PARAM_POSITION_Y_GIVEN);
    for (int i = 0; i < frame->car_count; i++) {
        const mc_dynavis_car *car = &frame->cars[i], *leader = &frame->cars[0];
        const double centre = dynavis_centre(dynavis_platoon(p, frame->car_count, i));
        if (dynavis_is_copy(p, frame->car_count, i) &&
            (car->x != leader->x || car->v_x != leader->v_x))
            return reject(
                w, frame, error,
                "differs from the first car; SamePlatoonLeader = 1 says that it is a copy", i + 1);
        if (!y_given && car->y != centre)
            return reject(w, frame, error,
                          "is not in the centre of its platoon's lane; RelPosition_Y = 0 cannot "
                          "represent that",
                          i + 1);
    }
    return MC_OK;
}

static mc_status check_frame(const mc_dynavis_writer *w, const mc_dynavis_frame *frame,
                             mc_error *error)
{
    const mc_dynavis_params *p = &w->params;
    const int lanes = dynavis_lanes(p), fixed = lanes * (int)p->value[MC_DYNAVIS_PARAM_CARS];
    const bool counted = dynavis_on(p, MC_DYNAVIS_PARAM_CAR_COUNT_GIVEN);
    if (frame->car_count < 0 || frame->car_count > MC_DYNAVIS_CARS_MAX ||
        frame->car_count % lanes != 0 || (!counted && frame->car_count != fixed))
        return mc_error_set(error, MC_BAD_INPUT, w->path, 0, 0,
                            "frame at t = %.10g s has %d cars; the parameters allow %s%d", frame->t,
                            frame->car_count, counted ? "multiples of " : "",
                            counted ? lanes : fixed);
    if (w->started && !(frame->t > w->last))
        return mc_error_set(error, MC_BAD_INPUT, w->path, 0, 0,
                            "frame at t = %.10g s is not after that at %.10g s", frame->t, w->last);
    dynavis_walk walk = dynavis_walk_begin(p, frame->car_count);
    for (dynavis_slot slot; dynavis_walk_next(&walk, &slot);) {
        const mc_param *row = &dynavis_fields[slot.field];
        const double value = slot_value(p, frame, slot);
        char what[DYNAVIS_SLOT_SIZE];
        if (!(value >= row->min && value <= row->max))
            return mc_error_set(error, MC_BAD_INPUT, w->path, 0, 0,
                                "frame at t = %.10g s: the %s is %g; expected %.10g .. %.10g",
                                frame->t, dynavis_slot_text(slot, what), value, row->min, row->max);
    }
    return check_omitted(w, frame, error);
}

mc_status mc_dynavis_writer_write(mc_dynavis_writer *w, const mc_dynavis_frame *frame,
                                  mc_error *error)
{
    const mc_status status = check_frame(w, frame, error);
    if (status != MC_OK)
        return status;
    dynavis_walk walk = dynavis_walk_begin(&w->params, frame->car_count);
    bool first = true;
    for (dynavis_slot slot; dynavis_walk_next(&walk, &slot); first = false) {
        char *room = file_reserve(w->out, DECIMAL_SIZE + 1);
        room[0] = ' ';
        const int length =
            decimal_g17(&w->decimals, room + !first, slot_value(&w->params, frame, slot));
        file_advance(w->out, (size_t)(length + !first));
    }
    file_write(w->out, "\n", 1);
    w->last = frame->t;
    w->started = true;
    return file_writer_check(w->out, error);
}

static void free_writer(mc_dynavis_writer *w)
{
    free(w->path);
    free(w);
}

mc_status mc_dynavis_writer_close(mc_dynavis_writer *w, mc_error *error)
{
    char beside[4096];
    mc_status status = mc_dynavis_param_path(w->path, beside, sizeof beside, error);
    // The parameter file first: a data file is never there without the key to it.
    if (status == MC_OK)
        status = file_writer_check(w->out, error);
    if (status == MC_OK)
        status = mc_dynavis_params_write(beside, &w->params, error);
    if (status == MC_OK)
        status = file_writer_commit(w->out, error);
    else
        file_writer_abandon(w->out);
    free_writer(w);
    return status;
}

void mc_dynavis_writer_abandon(mc_dynavis_writer *w)
{
    file_writer_abandon(w->out);
    free_writer(w);
}

// ---- CSV ----

static const char *const csv_names[] = {"t", "x", "y", "v", "v_y", "a", "jerk", "lane"};
enum { CSV_COUNT = sizeof csv_names / sizeof csv_names[0] };

// How often the car of this id has come before.
static int visit(const dynavis_store *s, int first, int frame)
{
    int count = 1;
    for (int f = 0; f < frame; f++)
        for (int i = 0; i < s->data.frames[f].car_count; i++) {
            const mc_dynavis_car *car = &s->data.frames[f].cars[i];
            count += car->id == s->cars[first].id && s->previous[car - s->cars] < 0;
        }
    return count;
}

static mc_status write_track(const char *folder, const dynavis_store *s, int first, int frame,
                             mc_error *error)
{
    char path[4096], again[16] = "";
    const int number = frame > 0 ? visit(s, first, frame) : 1, id = s->cars[first].id;
    if (number > 1)
        snprintf(again, sizeof again, "_%d", number);
    if (snprintf(path, sizeof path, "%s/car%d%s.csv", folder, id, again) >= (int)sizeof path)
        return mc_error_set(error, MC_BAD_INPUT, folder, 0, 0, "the name is too long");
    table_text *table = table_text_open_csv(path, CSV_COUNT, csv_names, error);
    if (!table)
        return error ? error->code : MC_IO;
    mc_status status = MC_OK;
    for (int c = first, f = frame; c >= 0 && status == MC_OK; c = s->next[c], f++) {
        const mc_dynavis_car *car = &s->cars[c];
        const double row[CSV_COUNT] = {
            s->data.frames[f].t, car->x, car->y, car->v_x, car->v_y, car->a, car->jerk, car->lane};
        status = table_text_row(table, row, error);
    }
    if (status == MC_OK)
        return table_text_close(table, error);
    table_text_abandon(table);
    return status;
}

mc_status mc_dynavis_data_write_csv(const char *folder, const mc_dynavis_data *data,
                                    mc_error *error)
{
    const dynavis_store *s = (const dynavis_store *)data;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return mc_error_set(error, MC_IO, folder, 0, 0, "cannot create the folder: %s",
                            strerror(errno));
    mc_status status = MC_OK;
    for (int f = 0; f < data->frame_count && status == MC_OK; f++)
        for (int i = 0; i < data->frames[f].car_count && status == MC_OK; i++) {
            const int c = (int)(data->frames[f].cars + i - s->cars);
            if (s->previous[c] < 0)
                status = write_track(folder, s, c, f, error);
        }
    return status;
}
