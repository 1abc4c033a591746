// collision.c - micro-impacts grouped into collisions, with the energy balance of one of them.
#include "studio/request/requests.h"

#include "motorcade/collisions.h"
#include "studio/hub/json.h"
#include "studio/request/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct crash { // what is known of the impacts of a branch
    branch_impact *impacts;
    int count;
    mc_collision *collisions;
    int collision_count;
} crash;

static bool read_crash(branch *b, crash *c, mc_error *error)
{
    *c = (crash){0};
    pthread_mutex_lock(&b->lock);
    const size_t n = (size_t)b->impact_count;
    c->impacts = malloc((n + 1) * sizeof *c->impacts);
    if (c->impacts && n)
        memcpy(c->impacts, b->impacts, n * sizeof *c->impacts);
    pthread_mutex_unlock(&b->lock);
    mc_impact *plain = malloc((n + 1) * sizeof *plain);
    bool good = c->impacts && plain;
    for (size_t k = 0; good && k < n; k++)
        plain[k] = c->impacts[k].impact;
    c->count = (int)n;
    good = good && mc_collisions_from_impacts(plain, (int)n, MC_COLLISIONS_QUIET, &c->collisions,
                                              &c->collision_count, error) == MC_OK;
    free(plain);
    return good;
}

static void free_crash(crash *c)
{
    free(c->impacts);
    free(c->collisions);
}

static bool belongs(const mc_collision *c, const mc_impact *i)
{
    return i->a == c->a && i->b == c->b && i->time >= c->first && i->time <= c->last;
}

static const branch_impact *first_impact(const crash *all, const mc_collision *c)
{
    for (int k = 0; k < all->count; k++)
        if (belongs(c, &all->impacts[k].impact))
            return &all->impacts[k];
    return NULL;
}

static double total(const mc_energy *e)
{
    return e->kinetic + e->elastic + e->spring + e->gravity;
}

// ---- one line a collision ----

static json_t *summary(const crash *all, int index)
{
    const mc_collision *c = &all->collisions[index];
    const branch_impact *first = first_impact(all, c);
    json_t *out = json_object();
    json_put(out, "index", json_integer(index));
    json_put(out, "vehicle", json_string(first ? first->name[1] : ""));
    json_put(out, "other", json_string(first ? first->name[0] : ""));
    json_put(out, "t", json_value(c->first));
    json_put(out, "duration", json_value(c->last - c->first));
    json_put(out, "impacts", json_integer(c->impact_count));
    int count;
    const mc_collision_column *columns = mc_collision_columns(&count);
    for (int k = 0; k < count; k++)
        if (!columns[k].is_int)
            json_put(out, columns[k].name, json_value(mc_collision_value(c, &columns[k])));
    return out;
}

// ---- energy balance of one ----

// J, of two masses that move with their mass centre: 1/2 (m1 + m2) v_c^2.
static double common_motion(const double mass[2], const double velocity[2][3])
{
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double p = mass[0] * velocity[0][axis] + mass[1] * velocity[1][axis];
        square += p * p;
    }
    return 0.5 * square / (mass[0] + mass[1]);
}

// e, start: of both cars; common: the part of their kinetic energy in their common motion.
static json_t *ledger_row(double t, const mc_energy *e, const mc_energy *start, double friction,
                          double common)
{
    json_t *row = json_object();
    json_put(row, "t", json_value(t));
    json_put(row, "common", json_value(common));
    json_put(row, "kinetic", json_value(e[0].kinetic + e[1].kinetic));
    json_put(row, "elastic", json_value(e[0].elastic + e[1].elastic));
    json_put(row, "damped",
             json_value(e[0].damped + e[1].damped - start[0].damped - start[1].damped));
    json_put(row, "crushed",
             json_value(e[0].crushed + e[1].crushed - start[0].crushed - start[1].crushed));
    json_put(row, "friction", json_value(friction));
    return row;
}

typedef struct balance {
    double momentum[3], turned;   // N s: what is missing, and the sum of what was exchanged
    double energy, energy_before; // J: what is missing, and the energy before
    double delta_v[2];            // m/s
} balance;

static balance balance_of(const crash *all, const mc_collision *c)
{
    balance b = {0};
    for (int k = 0; k < all->count; k++) {
        const mc_impact *i = &all->impacts[k].impact;
        const double *mass = all->impacts[k].mass;
        if (!belongs(c, i))
            continue;
        for (int axis = 0; axis < 3; axis++)
            for (int car = 0; car < 2; car++) {
                const double turn =
                    mass[car] * (i->velocity_after[car][axis] - i->velocity_before[car][axis]);
                b.momentum[axis] += turn;
                b.turned += 0.5 * fabs(turn);
            }
        b.energy += total(&i->before[0]) + total(&i->before[1]) - total(&i->after[0]) -
                    total(&i->after[1]) - i->friction_loss - i->restitution_loss;
        b.energy_before = fmax(b.energy_before, i->before[0].kinetic + i->before[1].kinetic);
    }
    return b;
}

static void put_forces(json_t *out, const crash *all, const mc_collision *c)
{
    // Impulses have no duration: a force is their sum over a short time.
    const double bin = fmax(1e-3, (c->last - c->first) / 50.0);
    const int bins = (int)((c->last - c->first) / bin) + 1;
    double *sum = calloc((size_t)bins, sizeof *sum), peak = 0.0;
    json_t *rows = json_array();
    for (int k = 0; sum && k < all->count; k++) {
        const mc_impact *i = &all->impacts[k].impact;
        if (belongs(c, i))
            sum[(int)fmin((i->time - c->first) / bin, bins - 1)] += i->impulse / bin;
    }
    for (int k = 0; sum && k < bins; k++) {
        peak = fmax(peak, sum[k]);
        json_array_append_new(
            rows, json_pack("{s:f,s:f}", "t", c->first + (k + 0.5) * bin, "force", sum[k]));
    }
    free(sum);
    json_put(out, "peak_force", json_value(peak));
    json_put(out, "force_step", json_value(bin));
    json_put(out, "force", rows);
}

static void put_balance(json_t *out, const crash *all, const mc_collision *c)
{
    const branch_impact *first = first_impact(all, c);
    if (!first)
        return;
    put_forces(out, all, c);
    if (isnan(first->impact.before[0].kinetic)) { // a recording keeps no more of an impact
        json_put(out, "momentum_error", json_null());
        json_put(out, "energy_error", json_null());
        json_put(out, "cars", json_array());
        json_put(out, "ledger", json_array());
        json_put(out, "points", json_array());
        return;
    }
    const balance b = balance_of(all, c);
    const double missing = sqrt(b.momentum[0] * b.momentum[0] + b.momentum[1] * b.momentum[1] +
                                b.momentum[2] * b.momentum[2]);
    json_put(out, "momentum_error", json_value(missing / b.turned));
    json_put(out, "energy_error", json_value(fabs(b.energy) / b.energy_before));
    json_t *ledger = json_array(), *points = json_array(), *delta = json_array();
    double friction = 0.0;
    const mc_impact *last = &first->impact;
    for (int k = 0; k < all->count; k++) {
        const mc_impact *i = &all->impacts[k].impact;
        if (!belongs(c, i))
            continue;
        last = i;
        json_array_append_new(ledger, ledger_row(i->time, i->before, first->impact.before, friction,
                                                 common_motion(first->mass, i->velocity_before)));
        friction += i->friction_loss + i->restitution_loss;
        json_array_append_new(ledger, ledger_row(i->time, i->after, first->impact.before, friction,
                                                 common_motion(first->mass, i->velocity_after)));
        json_array_append_new(points, json_pack("{s:f,s:[f,f,f],s:[f,f,f],s:f,s:f}", "t", i->time,
                                                "point", i->point[0], i->point[1], i->point[2],
                                                "normal", i->normal[0], i->normal[1], i->normal[2],
                                                "impulse", i->impulse, "closing", i->closing));
    }
    for (int car = 0; car < 2; car++) {
        double square = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            const double d =
                last->velocity_after[car][axis] - first->impact.velocity_before[car][axis];
            square += d * d;
        }
        json_array_append_new(delta, json_pack("{s:s,s:f,s:f}", "vehicle", first->name[car],
                                               "delta_v", sqrt(square), "mass", first->mass[car]));
    }
    json_put(out, "cars", delta);
    json_put(out, "ledger", ledger);
    json_put(out, "points", points);
}

// How far the middles are apart across the road at the first touch, m.
static double offset_at(branch *b, const branch_impact *first)
{
    history_view view;
    double offset = NAN;
    if (!first || !history_look(&b->past, &view))
        return NAN;
    const int rows = history_view_rows(&view), at = history_view_at(&view, first->impact.time);
    if (rows > 0) {
        const history_row row = history_view_row(&view, at > 0 ? at - 1 : 0);
        const int one = roster_find(row.who, first->name[0]);
        const int two = roster_find(row.who, first->name[1]);
        if (one >= 0 && two >= 0)
            offset = (double)row.value[MC_FIELD_Y][two] - (double)row.value[MC_FIELD_Y][one];
    }
    history_view_end(&view);
    return offset;
}

void request_collision(request *r)
{
    branch *b;
    double index;
    mc_error error = {0};
    crash all;
    if (!read_optional(r, "index", 0, 1e6, &index) || !read_branch(r, &b))
        return;
    if (!read_crash(b, &all, &error)) {
        request_reject(r, NULL, "%s", error.text[0] ? error.text : "no memory for impacts");
    } else if (!isnan(index) && !(index < all.collision_count)) {
        request_reject(r, "index", "unknown collision %g; there are %d, numbered from 0", index,
                       all.collision_count);
    } else {
        json_t *out = json_object(), *list = json_array();
        for (int k = 0; k < all.collision_count && k < 1000; k++)
            json_array_append_new(list, summary(&all, k));
        if (!isnan(index)) {
            const mc_collision *c = &all.collisions[(int)index];
            json_t *detail = summary(&all, (int)index);
            json_put(detail, "offset", json_value(offset_at(b, first_impact(&all, c))));
            put_balance(detail, &all, c);
            json_put(out, "collision", detail);
        }
        json_put(out, "collisions", list);
        request_done(r, out);
    }
    free_crash(&all);
    branch_drop(b);
}
