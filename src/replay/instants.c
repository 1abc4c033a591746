// instants.c - vehicles at instants of collisions: read, and interpolated where they are not known.
#include "replay/instants.h"

#include <math.h>
#include <stdlib.h>

// ---- read ----

static int by_value(const void *p, const void *q)
{
    const double a = *(const double *)p, b = *(const double *)q;
    return (a > b) - (a < b);
}

static const double SAME = 1e-6; // s, times closer than this are the same instant

// Whether a time is between two rows of the recording, apart from both.
static bool is_between(const recorded *rec, double t)
{
    const int64_t after = isfinite(t) ? recorded_row_at(rec, t) : 0;
    return after > 0 && after < rec->row_count && t - rec->time[after - 1] > SAME &&
           rec->time[after] - t > SAME;
}

// The car of a row of the list; -1: none, or it has no instant between rows.
static int car_of(const replay_instants *i, const recorded *rec, int64_t row)
{
    const int car = recorded_vehicle(rec, recorded_list_at(&i->list, row, i->vehicle));
    const double t = recorded_list_at(&i->list, row, recorded_list_time(&i->list));
    return car >= 0 && is_between(rec, t) ? car : -1;
}

static void make_times(replay_instants *i, const recorded *rec, double max)
{
    int n = 0;
    for (int64_t row = 0; row < i->list.row_count; row++)
        if (car_of(i, rec, row) >= 0)
            i->time[n++] = recorded_list_at(&i->list, row, recorded_list_time(&i->list));
    if (n > 0)
        qsort(i->time, (size_t)n, sizeof *i->time, by_value);
    for (int k = 0; k < n && i->count < max; k++)
        if (i->count == 0 || i->time[k] > i->time[i->count - 1])
            i->time[i->count++] = i->time[k];
}

static int find_time(const replay_instants *i, double t)
{
    const double *at =
        i->count > 0 ? bsearch(&t, i->time, (size_t)i->count, sizeof *i->time, by_value) : NULL;
    return at ? (int)(at - i->time) : -1;
}

mc_status replay_instants_read(replay_instants *i, recorded *rec, mc_error *error)
{
    *i = (replay_instants){.car_count = rec->vehicle_count};
    const mc_status status = recorded_list_read(rec, "contact_motion", &i->list, error);
    if (status != MC_OK || recorded_list_time(&i->list) < 0)
        return status;
    const size_t cars = (size_t)rec->vehicle_count;
    i->vehicle = results_shape_find(i->list.shape, "vehicle");
    i->time = malloc(((size_t)i->list.row_count + 1) * sizeof *i->time);
    if (i->time)
        make_times(i, rec,
                   MC_REPLAY_NUMBERS / (MC_FIELD_FRAME_COUNT * ((double)cars + 1.0)) -
                       (double)rec->row_count);
    i->row = i->time ? malloc(((size_t)i->count * cars + 1) * sizeof *i->row) : NULL;
    if (!i->row)
        return mc_error_set(error, MC_NO_MEMORY, rec->path, 0, 0, "no memory left");
    for (size_t k = 0; k < (size_t)i->count * cars; k++)
        i->row[k] = -1;
    for (int64_t row = 0; row < i->list.row_count; row++) {
        const int car = car_of(i, rec, row);
        const double t = recorded_list_at(&i->list, row, recorded_list_time(&i->list));
        const int at = car < 0 ? -1 : find_time(i, t);
        if (at >= 0)
            i->row[(size_t)at * cars + (size_t)car] = (int)row;
    }
    return MC_OK;
}

void replay_instants_free(replay_instants *i)
{
    recorded_list_free(&i->list);
    free(i->time);
    free(i->row);
    *i = (replay_instants){0};
}

// ---- cars that take part ----

static double value_of(const replay_instants *i, int row, const char *column)
{
    const double value = recorded_list_at(&i->list, row, results_shape_find(i->list.shape, column));
    return isfinite(value) ? value : NAN;
}

static void put_recorded(const replay_instants *i, mc_replay *r, size_t to, int car, int row)
{
    const double x = value_of(i, row, "x"), error = value_of(i, row, "spacing_error");
    const double energy = value_of(i, row, "kinetic") + value_of(i, row, "elastic");
    for (int f = 0; f < MC_FIELD_FRAME_COUNT; f++)
        if (r->value[f])
            r->value[f][to] =
                replay_frame_field(&r->cars[car], (mc_field)f,
                                   value_of(i, row, mc_field_table[f].name), x, error, energy);
    for (int p = 0; r->poses && p < MC_REPLAY_POSE; p++)
        r->poses[to * MC_REPLAY_POSE + (size_t)p] = value_of(i, row, replay_pose_names[p]);
}

// ---- the others ----

typedef struct between { // two rows, and a time between them
    size_t from, to;     // places in the arrays of a car
    double u, dt;        // -, s: fraction of the time from one to the other, and that time
} between;

static double straight(const double *values, const between *b)
{
    const double p = values[b->from], q = values[b->to];
    return isnan(p) ? q : isnan(q) ? p : p + b->u * (q - p);
}

// The cubic that has both places and both speeds: h00 p + h10 dt v + h01 q + h11 dt w.
static double cubic(const double *x, const double *v, const between *b)
{
    const double u = b->u, u2 = u * u, u3 = u2 * u;
    if (!v || isnan(v[b->from]) || isnan(v[b->to]))
        return x[b->from] + u * (x[b->to] - x[b->from]);
    return (2.0 * u3 - 3.0 * u2 + 1.0) * x[b->from] + (u3 - 2.0 * u2 + u) * b->dt * v[b->from] +
           (3.0 * u2 - 2.0 * u3) * x[b->to] + (u3 - u2) * b->dt * v[b->to];
}

static void put_between(mc_replay *r, size_t to, const between *b)
{
    double *const *value = r->value;
    const double *middle = value[MC_FIELD_MIDDLE], *target = value[MC_FIELD_TARGET];
    const double at = cubic(middle, value[MC_FIELD_V], b); // NAN: it has no place
    for (int f = 0; f < MC_FIELD_FRAME_COUNT; f++)
        if (value[f] && f != MC_FIELD_MIDDLE && f != MC_FIELD_TARGET)
            value[f][to] = straight(value[f], b);
    if (value[MC_FIELD_PATH]) // there is none between two
        value[MC_FIELD_PATH][to] = value[MC_FIELD_PATH][b->u < 0.5 ? b->from : b->to];
    if (target) {
        const double p = target[b->from] - middle[b->from], q = target[b->to] - middle[b->to];
        value[MC_FIELD_TARGET][to] = at + p + b->u * (q - p);
    }
    value[MC_FIELD_MIDDLE][to] = at;
    for (size_t p = 0; r->poses && p < MC_REPLAY_POSE; p++) {
        const between of = {b->from * MC_REPLAY_POSE + p, b->to * MC_REPLAY_POSE + p, b->u, b->dt};
        r->poses[to * MC_REPLAY_POSE + p] = straight(r->poses, &of);
    }
}

static bool takes_part(const replay_instants *i, int instant, int car)
{
    return i->row[(size_t)instant * (size_t)i->car_count + (size_t)car] >= 0;
}

// The rows around instant k at which the car is known: of the recording, `before` and the one after
// it, or instants that are nearer.
static between rows_around(const replay_instants *i, const mc_replay *r, int k, int car, int before)
{
    const int rows = r->info.row_count;
    int from = before, to = before + 1;
    for (int j = k - 1; j >= 0 && i->time[j] > r->t[before] && from == before; j--)
        if (takes_part(i, j, car))
            from = rows + j;
    for (int j = k + 1; j < i->count && i->time[j] < r->t[before + 1] && to == before + 1; j++)
        if (takes_part(i, j, car))
            to = rows + j;
    const double dt = r->t[to] - r->t[from];
    const size_t cars = (size_t)i->car_count, c = (size_t)car;
    return (between){(size_t)from * cars + c, (size_t)to * cars + c,
                     dt > 0.0 ? (i->time[k] - r->t[from]) / dt : 0.0, dt};
}

void replay_instants_fill(const replay_instants *i, mc_replay *r)
{
    const int rows = r->info.row_count;
    for (int k = 0; k < i->count; k++)
        r->t[rows + k] = i->time[k];
    for (int k = 0; k < i->count; k++)
        for (int c = 0; c < i->car_count; c++)
            if (takes_part(i, k, c))
                put_recorded(i, r, ((size_t)rows + (size_t)k) * (size_t)i->car_count + (size_t)c, c,
                             i->row[(size_t)k * (size_t)i->car_count + (size_t)c]);
    for (int k = 0, before = 0; k < i->count; k++) {
        while (before + 2 < rows && r->t[before + 1] <= i->time[k])
            before++;
        for (int c = 0; c < i->car_count; c++)
            if (!takes_part(i, k, c)) {
                const between b = rows_around(i, r, k, c, before);
                put_between(r, ((size_t)rows + (size_t)k) * (size_t)i->car_count + (size_t)c, &b);
            }
    }
}
