// figures.c - figures of stretches of branches, side by side; gas mileage.
#include "studio/request/figures.h"

#include "motorcade/collisions.h"
#include "studio/hub/branch.h"
#include "studio/history/history.h"
#include "studio/hub/json.h"
#include "studio/hub/request.h"
#include "studio/request/read.h"
#include "studio/request/requests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int figures_better(mc_figure_id figure)
{
    switch (figure) {
    case MC_FIGURE_SMALLEST_GAP:
    case MC_FIGURE_SMALLEST_TIME_GAP:
    case MC_FIGURE_SMALLEST_TTC:
    case MC_FIGURE_FUEL_MPG:
    case MC_FIGURE_MILEAGE:
        return 1;
    case MC_FIGURE_T:
    case MC_FIGURE_LANE_CHANGES:
    case MC_FIGURE_ENTERED:
    case MC_FIGURE_LEFT:
    case MC_FIGURE_DISTANCE:
    case MC_FIGURE_X:
    case MC_FIGURE_V:
    case MC_FIGURE_A:
    case MC_FIGURE_GAP:
    case MC_FIGURE_SPACING_ERROR:
        return 0;
    default:
        return -1;
    }
}

// ---- rows of a history as figures take them ----

typedef struct taker {
    mc_figures *figures;
    const roster *who;
    double *x, *v, *a, *jerk, *gap, *desired, *fuel; // one block
} taker;

// The car in front: the one before it in the platoon.
static void read_fronts(const roster *who, int *front)
{
    for (int c = 0; c < who->count; c++)
        front[c] =
            c > 0 && who->platoon[c] >= 0 && who->platoon[c - 1] == who->platoon[c] ? c - 1 : -1;
}

static bool taker_begin(taker *t, const roster *who, double row)
{
    const size_t n = (size_t)who->count;
    int *front = malloc((n + 1) * sizeof *front);
    *t = (taker){.who = who, .x = malloc((7 * n + 1) * sizeof(double))};
    bool good = front && t->x;
    if (good) {
        read_fronts(who, front);
        double **const arrays[] = {&t->v, &t->a, &t->jerk, &t->gap, &t->desired, &t->fuel};
        for (size_t k = 0; k < 6; k++)
            *arrays[k] = t->x + (k + 1) * n;
        mc_figures_setup setup = mc_figures_defaults();
        setup.count = who->count, setup.length = who->length, setup.front = front, setup.step = row;
        mc_error error;
        t->figures = mc_figures_create(&setup, &error);
        good = t->figures;
    }
    free(front);
    return good;
}

static void taker_end(taker *t)
{
    mc_figures_destroy(t->figures);
    free(t->x);
}

static void take_row(taker *t, const history_row *row)
{
    for (int c = 0; c < t->who->count; c++) {
        t->x[c] = history_value(row, MC_FIELD_X, c);
        t->v[c] = (double)row->value[MC_FIELD_V][c];
        t->a[c] = (double)row->value[MC_FIELD_A][c];
        t->jerk[c] = (double)row->value[MC_FIELD_JERK][c];
        t->gap[c] = (double)row->value[MC_FIELD_GAP][c];
        t->desired[c] = t->gap[c] - history_value(row, MC_FIELD_SPACING_ERROR, c);
        t->fuel[c] = (double)row->value[MC_FIELD_FUEL][c];
    }
    mc_figures_take(t->figures, &(mc_figures_row){.t = row->t,
                                                  .x = t->x,
                                                  .v = t->v,
                                                  .a = t->a,
                                                  .jerk = t->jerk,
                                                  .gap = t->gap,
                                                  .desired_gap = t->desired,
                                                  .fuel = t->fuel});
}

static void take_collisions(taker *t, branch *b, double from, double to)
{
    pthread_mutex_lock(&b->lock);
    int rejected = 0;
    for (int k = 0; k < b->event_count; k++)
        rejected += b->events[k].t >= from && b->events[k].t <= to &&
                    strstr(b->events[k].text, "check_in_refused") != NULL;
    mc_figures_set_check_in_rejected(t->figures, b->run ? rejected : -1);
    mc_impact *impacts = malloc(((size_t)b->impact_count + 1) * sizeof *impacts);
    int n = 0;
    for (int k = 0; impacts && k < b->impact_count; k++)
        if (b->impacts[k].impact.time >= from && b->impacts[k].impact.time <= to)
            impacts[n++] = b->impacts[k].impact;
    pthread_mutex_unlock(&b->lock);
    mc_collision *collisions = NULL;
    int count = 0;
    mc_error error;
    if (b->hits_unknown)
        mc_figures_set_collisions(t->figures, -1, 0.0);
    else if (impacts && mc_collisions_from_impacts(impacts, n, MC_COLLISIONS_QUIET, &collisions,
                                                   &count, &error) == MC_OK) {
        // What contacts took, each by itself: energies after one hold what others did meanwhile.
        double lost = 0.0;
        for (int k = 0; k < n; k++)
            lost += impacts[k].friction_loss + impacts[k].restitution_loss;
        mc_figures_set_collisions(t->figures, count, lost);
    }
    free(collisions);
    free(impacts);
}

// The rows of the stretch that have the roster of its last row. False: there are none.
static bool take_branch(taker *t, branch *b, double from, double to, double row)
{
    history_view view;
    if (!history_look(&b->past, &view))
        return false;
    const int rows = history_view_rows(&view);
    int end = history_view_at(&view, to + 2 * HISTORY_SAME);
    const int first = history_view_at(&view, from);
    bool good = false;
    if (end > first && end <= rows) {
        const history_row last = history_view_row(&view, end - 1);
        good = taker_begin(t, last.who, row);
        for (int k = first; good && k < end; k++) {
            const history_row now = history_view_row(&view, k);
            if (now.who->count == last.who->count &&
                memcmp(now.who->id, last.who->id, (size_t)last.who->count * sizeof *now.who->id) ==
                    0)
                take_row(t, &now);
        }
        if (good)
            take_collisions(t, b, from, to);
        else
            taker_end(t);
        if (good)
            t->who = roster_hold((roster *)(uintptr_t)last.who);
    }
    history_view_end(&view);
    return good;
}

static void release_taker(taker *t)
{
    roster_drop((roster *)(uintptr_t)t->who);
    taker_end(t);
}

static json_t *car_figures(const taker *t)
{
    json_t *cars = json_array();
    for (int c = 0; c < t->who->count && c < 400; c++) {
        json_t *car = json_object(), *values = json_object();
        for (int f = MC_FIGURE_LARGEST_SPACING_ERROR; f < MC_FIGURE_COUNT; f++)
            json_put(values, mc_figure_table[f].name,
                     json_value(mc_figures_value(t->figures, c, (mc_figure_id)f)));
        json_put(car, "vehicle", json_string(t->who->name[c]));
        json_put(car, "values", values);
        json_array_append_new(cars, car);
    }
    return cars;
}

void request_figures(request *r)
{
    branch *branches[MAX_BRANCHES];
    int count;
    double from, to;
    if (!read_number(r, "from", -1e9, 1e9, -1e9, &from) ||
        !read_number(r, "to", -1e9, 1e9, 1e9, &to) || !read_branches(r, branches, &count))
        return;
    taker takers[MAX_BRANCHES];
    bool good[MAX_BRANCHES];
    json_t *out = json_object(), *rows = json_array(), *cars = json_array(), *list = json_array();
    for (int k = 0; k < count; k++) {
        pthread_mutex_lock(&branches[k]->lock);
        const double row = branches[k]->row > 0.0 ? branches[k]->row : 0.02;
        pthread_mutex_unlock(&branches[k]->lock);
        good[k] = take_branch(&takers[k], branches[k], from, to, row);
        json_array_append_new(list, json_integer(branches[k]->number));
        json_array_append_new(cars, good[k] ? car_figures(&takers[k]) : json_array());
    }
    for (int f = 0; f < MC_FIGURE_COUNT; f++) {
        if (mc_figure_table[f].over == MC_FIGURE_OVER_NONE)
            continue;
        json_t *row = json_object(), *values = json_array();
        for (int k = 0; k < count; k++)
            json_array_append_new(values, json_value(good[k] ? mc_figures_value(takers[k].figures,
                                                                                -1, (mc_figure_id)f)
                                                             : NAN));
        json_put(row, "name", json_string(mc_figure_table[f].name));
        json_put(row, "unit", json_string(mc_figure_table[f].unit));
        json_put(row, "doc", json_string(mc_figure_table[f].doc));
        json_put(row, "values", values);
        json_put(row, "better", json_integer(figures_better((mc_figure_id)f)));
        json_array_append_new(rows, row);
    }
    json_put(out, "worlds", list);
    json_put(out, "rows", rows);
    json_put(out, "cars", cars);
    request_done(r, out);
    for (int k = 0; k < count; k++) {
        if (good[k])
            release_taker(&takers[k]);
        branch_drop(branches[k]);
    }
}

// ---- gas mileage ----

#define FUEL_GALLON (0.745 * 3.785411784) // kg, of a US gallon of fuel
#define MILE 1609.344                     // m

// Miles per gallon of one car between two rows, added to the sums; NAN: it burnt next to none.
static double economy(const history_row *from, int a, const history_row *to, int b, double *miles,
                      double *gallons)
{
    const double burnt =
        ((double)to->value[MC_FIELD_FUEL][b] - (double)from->value[MC_FIELD_FUEL][a]) / FUEL_GALLON;
    if (isnan(burnt))
        return NAN;
    const double distance =
        (history_value(to, MC_FIELD_X, b) - history_value(from, MC_FIELD_X, a)) / MILE;
    *miles += distance;
    *gallons += burnt;
    return burnt > 1e-6 ? distance / burnt : NAN;
}

// The meters (eq 13) as they are in the frames, and the mean since the start, at the row of an
// instant.
static void put_mileages(json_t *out, json_t *cars, const history_row *first,
                         const history_row *now)
{
    enum { CARS_MAX = 400 };
    double miles = 0.0, gallons = 0.0, sum = 0.0;
    int meters = 0;
    int *column = roster_match(first->who, now->who);
    for (int c = 0; column && c < now->who->count; c++) {
        const double meter = (double)now->value[MC_FIELD_MILEAGE][c];
        const double mean =
            column[c] < 0 ? NAN : economy(first, column[c], now, c, &miles, &gallons);
        if (!isnan(meter))
            sum += meter, meters++;
        if (c >= CARS_MAX)
            continue;
        json_t *car = json_object();
        json_put(car, "vehicle", json_string(now->who->name[c]));
        json_put(car, "v", json_value((double)now->value[MC_FIELD_V][c]));
        json_put(car, "a", json_value((double)now->value[MC_FIELD_A][c]));
        json_put(car, "mileage", json_value(meter));
        json_put(car, "mean", json_value(mean));
        json_put(car, "fuel", json_value((double)now->value[MC_FIELD_FUEL][c]));
        json_array_append_new(cars, car);
    }
    free(column);
    json_put(out, "t", json_value(now->t));
    json_put(out, "mileage", json_value(meters ? sum / meters : NAN));
    json_put(out, "mean", json_value(gallons > 1e-6 ? miles / gallons : NAN));
}

static json_t *mileage_of(branch *b, double t)
{
    json_t *out = json_object(), *cars = json_array();
    history_view view;
    json_put(out, "world", json_integer(b->number));
    if (history_look(&b->past, &view)) {
        const int rows = history_view_rows(&view);
        int row = isnan(t) ? rows - 1 : history_view_at(&view, t + 2 * HISTORY_SAME) - 1;
        row = row < 0 ? 0 : row;
        if (rows > 0) {
            const history_row first = history_view_row(&view, 0);
            const history_row now = history_view_row(&view, row);
            put_mileages(out, cars, &first, &now);
        }
        history_view_end(&view);
    }
    json_put(out, "cars", cars);
    json_put(out, "unit", json_string("mpg"));
    return out;
}

void request_mileage(request *r)
{
    branch *branches[MAX_BRANCHES];
    int count;
    double t;
    if (!read_optional(r, "t", -1e9, 1e9, &t) || !read_branches(r, branches, &count))
        return;
    json_t *list = json_array();
    for (int k = 0; k < count; k++) {
        json_array_append_new(list, mileage_of(branches[k], t));
        branch_drop(branches[k]);
    }
    json_t *out = json_object();
    json_put(out, "worlds", list);
    request_done(r, out);
}
