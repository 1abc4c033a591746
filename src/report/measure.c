// measure.c - two walks through the rows of a run: extremes, gains, maps; then curves.
#include "report/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Below this a car's acceleration says nothing about how the next one answers. m/s², root mean
// square over the time that is looked at.
static const double min_excitation = 0.01;

static const char *const map_names[REPORT_MAPS_MAX] = {"v", "spacing_error", "a"};

static mc_status no_memory(const report_run *r, mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, r->record.path, 0, 0, "no memory left");
}

const report_extreme *report_extreme_of(const report_run *r, int vehicle, const char *quantity)
{
    const int q = report_motion(r, quantity);
    return q < 0 ? NULL
                 : &r->extremes[(size_t)vehicle * (size_t)r->record.motion_count + (size_t)q];
}

int report_motion(const report_run *r, const char *quantity)
{
    const int q = recorded_find(&r->record, quantity);
    return q < r->record.motion_count ? q : -1;
}

int report_ahead(const report_run *r, int vehicle)
{
    const int *platoon = r->record.platoon;
    const bool follows =
        vehicle > 0 && platoon[vehicle] >= 0 && platoon[vehicle - 1] == platoon[vehicle];
    return follows ? vehicle - 1 : -1;
}

// ---- the first walk ----

static void note(report_extreme *e, double value, double t)
{
    if (isnan(value))
        return;
    if (isnan(e->first))
        *e = (report_extreme){value, t, value, t, value, value};
    e->last = value;
    if (value < e->low)
        e->low = value, e->low_t = t;
    if (value > e->high)
        e->high = value, e->high_t = t;
}

static void note_band(report_run *r, int quantity, int64_t row, double value)
{
    double *low = r->band + 2 * (size_t)quantity * (size_t)r->bucket_count;
    double *high = low + r->bucket_count;
    const int64_t k = row / r->bucket_rows;
    low[k] = fmin(low[k], value); // fmin and fmax pass over a NAN
    high[k] = fmax(high[k], value);
}

// Cells of a map hold the value that is farthest from 0; those of the speed the last.
static void note_map(report_run *r, report_map *map, int64_t row, int vehicle, double value)
{
    const int64_t column = row * r->map_columns / r->record.row_count;
    const int64_t line = (int64_t)vehicle * r->map_rows / r->record.vehicle_count;
    double *cell = &map->values[line * r->map_columns + column];
    const bool speed = strcmp(r->record.quantities[map->quantity].name, "v") == 0;
    if (!isnan(value) && (speed || isnan(*cell) || fabs(value) > fabs(*cell)))
        *cell = value;
}

// Acceleration of a car up to the end of the time for gains; dt: since the row before.
static void note_gain(report_run *r, int vehicle, double a, double t, double dt)
{
    if (t >= r->gain_end || isnan(a))
        return;
    r->a_square[vehicle] += a * a * dt;
    r->a_peak[vehicle] = fmax(r->a_peak[vehicle], fabs(a));
}

static mc_status measure_block(void *context, const recorded_block *b, mc_error *error)
{
    (void)error;
    report_run *r = context;
    const recorded *rec = &r->record;
    const int a = report_motion(r, "a");
    for (int64_t i = 0; i < b->count; i++) {
        const int64_t row = b->first + i;
        const double t = b->time[i], dt = row > 0 ? t - rec->time[row - 1] : 0.0;
        for (int v = 0; v < rec->vehicle_count; v++) {
            report_extreme *e = r->extremes + (size_t)v * (size_t)rec->motion_count;
            for (int q = 0; q < rec->motion_count; q++) {
                const double value = recorded_value(b, i, v, &rec->quantities[q]);
                note(&e[q], value, t);
                if (r->band)
                    note_band(r, q, row, value);
                if (q == a)
                    note_gain(r, v, value, t, dt);
                for (int m = 0; m < r->map_count; m++)
                    if (r->maps[m].quantity == q)
                        note_map(r, &r->maps[m], row, v, value);
            }
        }
    }
    return MC_OK;
}

// ||a_i|| / ||a_(i-1)||, the car in front being the input.
static void find_gains(report_run *r)
{
    const double time =
        fmin(r->gain_end, r->record.time[r->record.row_count - 1]) - r->record.time[0];
    for (int v = 0; v < r->record.vehicle_count; v++) {
        const int ahead = report_ahead(r, v);
        r->gain_2[v] = r->gain_max[v] = NAN;
        if (ahead < 0 || !(time > 0.0) || !(sqrt(r->a_square[ahead] / time) >= min_excitation))
            continue;
        r->gain_2[v] = sqrt(r->a_square[v] / r->a_square[ahead]);
        r->gain_max[v] = r->a_peak[v] / r->a_peak[ahead];
    }
}

static double *filled(size_t count, double value)
{
    double *out = reallocarray(NULL, count > 0 ? count : 1, sizeof *out);
    for (size_t i = 0; out && i < count; i++)
        out[i] = value;
    return out;
}

static mc_status make_room(report_run *r, mc_error *error)
{
    const recorded *rec = &r->record;
    const size_t n = (size_t)rec->vehicle_count, q = (size_t)rec->motion_count;
    r->extremes = reallocarray(NULL, n * q, sizeof *r->extremes);
    r->a_square = filled(n, 0.0), r->a_peak = filled(n, 0.0);
    r->gain_2 = filled(n, NAN), r->gain_max = filled(n, NAN);
    r->bucket_rows = (rec->row_count + CURVE_PIECES - 1) / CURVE_PIECES;
    r->bucket_count = (int)((rec->row_count + r->bucket_rows - 1) / r->bucket_rows);
    r->bucket_t = filled((size_t)r->bucket_count, 0.0);
    if (!r->extremes || !r->a_square || !r->a_peak || !r->gain_2 || !r->gain_max || !r->bucket_t)
        return no_memory(r, error);
    for (size_t i = 0; i < n * q; i++)
        r->extremes[i] = (report_extreme){NAN, NAN, NAN, NAN, NAN, NAN};
    for (int k = 0; k < r->bucket_count; k++)
        r->bucket_t[k] = rec->time[k * r->bucket_rows];
    if (rec->vehicle_count <= REPORT_CARS_MAX)
        return MC_OK;
    r->band = filled(2 * q * (size_t)r->bucket_count, NAN);
    if (!r->band)
        return no_memory(r, error);
    r->map_rows = rec->vehicle_count < REPORT_MAP_ROWS ? rec->vehicle_count : REPORT_MAP_ROWS;
    r->map_columns = rec->row_count < REPORT_MAP_COLUMNS ? (int)rec->row_count : REPORT_MAP_COLUMNS;
    for (int m = 0; m < REPORT_MAPS_MAX; m++) {
        const int quantity = report_motion(r, map_names[m]);
        double *values =
            quantity >= 0 ? filled((size_t)r->map_rows * (size_t)r->map_columns, NAN) : NULL;
        if (quantity >= 0 && !values)
            return no_memory(r, error);
        if (values)
            r->maps[r->map_count++] = (report_map){quantity, values};
    }
    return MC_OK;
}

// After a collision, or with a pedal that does not work, gains say nothing about the law.
static void find_gain_end(report_run *r)
{
    const report_happened *h = &r->happened;
    r->gain_end = h->collision_count > 0 ? h->collisions[0].first : HUGE_VAL;
    r->gain_end_why = "collision";
    for (int i = 0; i < h->event_count; i++)
        if ((strcmp(h->events[i].kind, "brake_lost") == 0 ||
             strcmp(h->events[i].kind, "throttle_stuck") == 0) &&
            h->events[i].t < r->gain_end) {
            r->gain_end = h->events[i].t;
            r->gain_end_why = "fault";
        }
}

mc_status report_measure(report_run *r, mc_error *error)
{
    mc_status status = make_room(r, error);
    find_gain_end(r);
    const recorded_part all = {0, r->record.row_count, 0, r->record.vehicle_count,
                               1u << RECORDED_MOTION};
    if (status == MC_OK)
        status = recorded_walk(&r->record, &all, measure_block, r, error);
    if (status == MC_OK)
        find_gains(r);
    return status;
}

// ---- which cars are shown ----

// The car that is worst in a quantity: lowest, highest, or farthest from 0.
static int worst(const report_run *r, const char *quantity, char how)
{
    int best = -1;
    double max = -HUGE_VAL;
    for (int v = 0; v < r->record.vehicle_count; v++) {
        const report_extreme *e = report_extreme_of(r, v, quantity);
        if (!e || isnan(e->low))
            continue;
        const double size = how == '<' ? -e->low : fmax(fabs(e->low), fabs(e->high));
        if (size > max)
            max = size, best = v;
    }
    return best;
}

// First, last and worst cars, those that collided and those with events, then others evenly.
mc_status report_choose(report_run *r, mc_error *error)
{
    const int n = r->record.vehicle_count;
    char *taken = calloc((size_t)n, 1);
    r->chosen = calloc(REPORT_CARS_MAX, sizeof *r->chosen);
    if (!taken || !r->chosen) {
        free(taken);
        return no_memory(r, error);
    }
    int candidates[64], candidate_count = 0, count = 0;
    const int firsts[] = {0,
                          n - 1,
                          worst(r, "spacing_error", '|'),
                          worst(r, "gap", '<'),
                          worst(r, "jerk", '|'),
                          worst(r, "a", '<')};
    for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; i++)
        candidates[candidate_count++] = firsts[i];
    for (int i = 0; i < r->happened.collision_count && i < 3; i++) {
        candidates[candidate_count++] = r->happened.collisions[i].a;
        candidates[candidate_count++] = r->happened.collisions[i].b;
    }
    for (int i = 0; i < r->happened.event_count && i < 4; i++)
        candidates[candidate_count++] = r->happened.events[i].vehicle;
    for (int i = 1; i < REPORT_CARS_MAX + 12; i++) // evenly, first far apart
        candidates[candidate_count++] = (int)((long)(i * 7 % 24) * (n - 1) / 24);
    for (int i = 0; i < candidate_count && n > REPORT_CARS_MAX && count < REPORT_CARS_MAX; i++)
        if (candidates[i] >= 0 && !taken[candidates[i]])
            taken[candidates[i]] = 1, count++;
    for (int v = 0; v < n; v++)
        if (n <= REPORT_CARS_MAX || taken[v])
            r->chosen[r->chosen_count++] = v;
    free(taken);
    return MC_OK;
}

// ---- the second walk ----

static mc_status add_curve(report_run *r, int vehicle, int quantity, int minus, mc_error *error)
{
    const report_extreme *e =
        &r->extremes[(size_t)vehicle * (size_t)r->record.motion_count + (size_t)quantity];
    if (isnan(e->first))
        return MC_OK; // never a number: the gap of a leader
    report_curve *more = reallocarray(r->curves, (size_t)r->curve_count + 1, sizeof *more);
    if (!more)
        return no_memory(r, error);
    r->curves = more;
    r->curves[r->curve_count++] =
        (report_curve){.vehicle = vehicle, .quantity = quantity, .minus = minus, .x_quantity = -1};
    return MC_OK;
}

// Lines of the diagram of places over time: all cars, or some of them evenly.
static mc_status add_places(report_run *r, int x, mc_error *error)
{
    const int n = r->record.vehicle_count;
    const int lines = n <= REPORT_LINES_MAX ? n : REPORT_LINES_MAX;
    mc_status status = MC_OK;
    for (int i = 0; i < lines && status == MC_OK; i++) {
        const int v = lines > 1 ? (int)((long)i * (n - 1) / (lines - 1)) : 0;
        status = add_curve(r, v, x, -1, error);
        if (status == MC_OK)
            status = add_curve(r, v, x, 0, error);
    }
    return status;
}

mc_status report_curves(report_run *r, mc_error *error)
{
    static const char *const names[] = {"v",     "a", "jerk", "gap", "spacing_error", "throttle",
                                        "brake", "n", "fuel", "y",   "steer",         "lane"};
    mc_status status = MC_OK;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !r->mechanism; i++) {
        const int q = report_motion(r, names[i]);
        for (int k = 0; k < r->chosen_count && q >= 0 && status == MC_OK; k++)
            status = add_curve(r, r->chosen[k], q, -1, error);
    }
    const int x = r->mechanism ? -1 : report_motion(r, "x");
    if (x >= 0 && status == MC_OK)
        status = add_places(r, x, error);
    if (r->mechanism) // all it has, as far as a page can show it
        for (int q = 0; q < r->record.motion_count && r->curve_count < REPORT_CURVES_MAX; q++)
            if (status == MC_OK)
                status = add_curve(r, 0, q, -1, error);
    return status == MC_OK ? curves_collect(&r->record, 0, r->record.row_count, r->curves,
                                            r->curve_count, error)
                           : status;
}
