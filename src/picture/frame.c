// frame.c - see frame.h.
#include "picture/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The last row of [first, first + count) at or before t; -1: none. Times rise.
static int last_before(const mc_replay *r, int first, int count, double t)
{
    int low = -1, high = count;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (mc_replay_time(r, first + middle) <= t)
            low = middle;
        else
            high = middle;
    }
    return low < 0 ? -1 : first + low;
}

// Rows around t, instants of collisions among them, and how far t is from the first to the second.
static double around(const mc_replay *r, double t, int *before, int *after)
{
    const mc_replay_info *info = mc_replay_info_of(r);
    const int rows = info->row_count, instants = info->instant_count;
    const int row = last_before(r, 0, rows, t), instant = last_before(r, rows, instants, t);
    *before = row;
    if (instant >= 0 && mc_replay_time(r, instant) > mc_replay_time(r, row))
        *before = instant;
    *after = row + 1 < rows ? row + 1 : row;
    const int next = instant < 0 ? rows : instant + 1;
    if (next < rows + instants && mc_replay_time(r, next) < mc_replay_time(r, *after))
        *after = next;
    const double from = mc_replay_time(r, *before), to = mc_replay_time(r, *after);
    return to > from ? (t - from) / (to - from) : 0.0;
}

typedef struct pair {
    const mc_replay *r;
    int before, after;
    double u;
} pair;

static double between(const pair *p, mc_field field, int car, double missing)
{
    const double *a = mc_replay_row(p->r, p->before, field),
                 *b = mc_replay_row(p->r, p->after, field);
    if (!a || !b || !isfinite(a[car]))
        return missing;
    return isfinite(b[car]) ? a[car] + p->u * (b[car] - a[car]) : a[car];
}

static double angle_between(const pair *p, int car)
{
    const double *a = mc_replay_row(p->r, p->before, MC_FIELD_PSI);
    const double *b = mc_replay_row(p->r, p->after, MC_FIELD_PSI);
    if (!a || !b || !isfinite(a[car]))
        return 0.0;
    const double turn = isfinite(b[car]) ? remainder(b[car] - a[car], 2.0 * M_PI) : 0.0;
    return a[car] + p->u * turn;
}

// How a rigid body stands over the road, from its mass centre and its directors.
static void lean(frame_car *car)
{
    const double *x = car->pose + 3, *y = car->pose + 6, *z = car->pose + 9;
    car->heave = car->pose[2];
    car->pitch = atan2(-x[2], hypot(x[0], x[1]));
    car->roll = atan2(y[2], z[2]);
}

static void read_car(const pair *p, int car, frame_car *out)
{
    const double *path = mc_replay_row(p->r, p->before, MC_FIELD_PATH);
    const double *next = mc_replay_row(p->r, p->after, MC_FIELD_PATH);
    const double *a = mc_replay_poses(p->r, p->before), *b = mc_replay_poses(p->r, p->after);
    *out = (frame_car){.number = car};
    mc_replay_car_at(p->r, car, &out->info);
    out->path = path && isfinite(path[car]) ? (int)path[car] : 0;
    // Where it changes from one path to another, places of the two do not mix.
    const pair at = {p->r, p->before, p->after,
                     path && next && path[car] != next[car] ? 0.0 : p->u};
    out->x = between(&at, MC_FIELD_MIDDLE, car, NAN);
    out->y = between(&at, MC_FIELD_Y, car, 0.0);
    out->psi = angle_between(&at, car);
    out->v = between(&at, MC_FIELD_V, car, 0.0);
    out->brake = between(&at, MC_FIELD_BRAKE, car, 0.0);
    out->steer = between(&at, MC_FIELD_STEER, car, 0.0);
    bool posed = a && b;
    for (int k = 0; posed && k < MC_REPLAY_POSE; k++) {
        const double from = a[MC_REPLAY_POSE * car + k], to = b[MC_REPLAY_POSE * car + k];
        out->pose[k] = isfinite(to) ? from + at.u * (to - from) : from;
        posed = isfinite(out->pose[k]);
    }
    out->body = posed && out->info.deformable;
    if (posed && !out->body)
        lean(out);
}

mc_status frame_read(const mc_replay *r, const char *path, double t, frame *out, mc_error *error)
{
    const mc_replay_info *info = mc_replay_info_of(r);
    *out = (frame){.t = t};
    if (info->row_count < 1)
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "the recording has no rows");
    const double first = mc_replay_time(r, 0), last = mc_replay_time(r, info->row_count - 1);
    // Instants are asked for as they are printed.
    const double slack = 1e-9 * (1.0 + fabs(last));
    if (!(t >= first - slack && t <= last + slack))
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                            "%g s is not in the recording: expected an instant from %g to %g s", t,
                            first, last);
    out->t = fmin(fmax(t, first), last);
    out->car = calloc((size_t)info->car_count + 1, sizeof *out->car);
    if (!out->car)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the vehicles");
    pair p = {.r = r};
    p.u = around(r, out->t, &p.before, &p.after);
    for (int c = 0; c < info->car_count; c++) {
        read_car(&p, c, &out->car[out->count]);
        out->count += isfinite(out->car[out->count].x);
    }
    if (out->count == 0) {
        frame_free(out);
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "no vehicle has a place at %g s", t);
    }
    return MC_OK;
}

void frame_free(frame *f)
{
    free(f->car);
    *f = (frame){0};
}

int frame_find(const frame *f, const char *name)
{
    for (int k = 0; k < f->count; k++)
        if (strcmp(f->car[k].info.name, name) == 0)
            return k;
    return -1;
}
