// dips.c - how far parts are below the ground.
//
// A shape is taken as its box. The deepest place of a convex part over a bump lies on one of the
// four edges along its longest side or, for a wide bump, on a line between them; nine such lines
// are looked at, three by three over its section. On a line ground less part is a function of one
// number: it is sampled, looked at on both sides of every break of the terrain, and around the
// largest value narrowed down by the golden section, which finds a kink as well as a round top.
#include "mechanism/dips.h"

#include "num/vec3.h"
#include "road/terrain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rounding = 1e-12; // m: of places as deep as each other the first one
enum { SAMPLES = 33, ACROSS = 3, NARROWINGS = 60, BREAKS_MAX = 1000 };

typedef struct part {
    int place;         // of the body in the engine
    const char *name;  // of the body
    double centre[3];  // m, from the mass centre, body axes
    double axes[3][3]; // half sides of its box as vectors, the longest first
    bool below;        // at the last look
} part;

struct dips {
    const impulse_run *run;
    const road_terrain *terrain; // NULL: the plane z = 0
    part *parts;
    int part_count;
};

// ---- parts -------------------------------------------------------------------------------------

// The box of a shape in the axes of its body: half sides in `half`, its middle.
static void box_of(const mc_multibody *m, int body, int i, const mc_part_shape *shape,
                   double middle[3], double half[3])
{
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.0;
        half[k] = 0.5 * shape->size[k];
    }
    if (shape->point_count == 0)
        return;
    double *points = calloc((size_t)shape->point_count, 3 * sizeof *points), low[3], high[3];
    if (!points)
        return;
    mc_multibody_shape_mesh(m, body, i, points, NULL);
    for (int k = 0; k < 3; k++) {
        low[k] = high[k] = points[k];
        for (int p = 1; p < shape->point_count; p++) {
            low[k] = fmin(low[k], points[3 * p + k]);
            high[k] = fmax(high[k], points[3 * p + k]);
        }
        middle[k] = 0.5 * (low[k] + high[k]);
        half[k] = 0.5 * (high[k] - low[k]);
    }
    free(points);
}

static void add_part(dips *d, const mc_multibody *m, int body, int i, const mc_part_shape *shape)
{
    const impulse_run *run = d->run;
    part *to = &d->parts[d->part_count++];
    double middle[3], half[3], R[9], moved[3];
    int longest = 0;
    box_of(m, body, i, shape, middle, half);
    mat3_of_quaternion(shape->turn, R); // columns: axes of the shape in the body
    for (int k = 0; k < 3; k++)
        longest = half[k] > half[longest] ? k : longest;
    to->place = run->place[body];
    to->name = run->model.bodies[to->place].name;
    mat3_mul_vec(R, middle, moved);
    for (int x = 0; x < 3; x++) {
        to->centre[x] = shape->at[x] + moved[x] - run->model.bodies[to->place].com[x];
        for (int k = 0; k < 3; k++)
            to->axes[k][x] = R[3 * x + (longest + k) % 3] * half[(longest + k) % 3];
    }
}

// On the ground by its shapes: it is pushed out where it is below.
static bool stands(const mb_model *m, int body)
{
    for (int i = 0; i < m->contact_count; i++)
        if (m->contacts[i].body == body && m->contacts[i].other < 0)
            return true;
    return false;
}

dips *dips_make(const impulse_run *run, int body_count)
{
    dips *d = calloc(1, sizeof *d);
    mc_part_shape shape;
    int count = 0;
    if (!d)
        return NULL;
    d->run = run;
    d->terrain = run->m->model.terrain;
    for (int pass = 0; pass < 2; pass++) {
        for (int body = 0; body < body_count && run->model.wheel_count > 0; body++)
            for (int i = 0; mc_multibody_shape(run->m, body, i, &shape); i++) {
                if (shape.made || shape.kind == MC_SHAPE_WHEEL || stands(&run->m->model, body))
                    continue;
                if (pass == 0)
                    count++;
                else
                    add_part(d, run->m, body, i, &shape);
            }
        if (pass == 0 && !(d->parts = calloc((size_t)count + 1, sizeof *d->parts))) {
            free(d);
            return NULL;
        }
    }
    return d;
}

void dips_free(dips *d)
{
    if (!d)
        return;
    free(d->parts);
    free(d);
}

// ---- depth -------------------------------------------------------------------------------------

typedef struct line { // from + s along, -1 <= s <= 1
    const road_terrain *terrain;
    double from[3], along[3];
} line;

static double depth_at(const line *l, double s, bool after)
{
    double ground[3] = {0};
    if (l->terrain)
        terrain_height(l->terrain, l->from[0] + s * l->along[0], l->from[1] + s * l->along[1],
                       after, ground);
    return ground[0] - (l->from[2] + s * l->along[2]);
}

static void consider(const line *l, double s, double *best, double *at)
{
    for (int after = 0; after < 2; after++) {
        const double depth = depth_at(l, s, after);
        if (depth > *best + rounding)
            *best = depth, *at = s;
    }
}

// The largest depth on a line, and where.
static double deepest(const line *l, double *at)
{
    double best = -INFINITY;
    const double spacing = 2.0 / (SAMPLES - 1);
    for (int k = 0; k < SAMPLES; k++)
        consider(l, -1.0 + k * spacing, &best, at);
    if (!l->terrain)
        return best;
    const double x = fmin(l->from[0] - l->along[0], l->from[0] + l->along[0]);
    const double end = fmax(l->from[0] - l->along[0], l->from[0] + l->along[0]);
    double next = terrain_next(l->terrain, x);
    for (int k = 0; k < BREAKS_MAX && next < end; k++) {
        consider(l, (next - l->from[0]) / l->along[0], &best, at);
        next = terrain_next(l->terrain, next);
    }
    const double ratio = 0.6180339887498949;
    double low = fmax(-1.0, *at - spacing), high = fmin(1.0, *at + spacing);
    for (int k = 0; k < NARROWINGS; k++) {
        const double a = high - ratio * (high - low), b = low + ratio * (high - low);
        if (depth_at(l, a, true) > depth_at(l, b, true))
            high = b;
        else
            low = a;
    }
    consider(l, 0.5 * (low + high), &best, at);
    return best;
}

// No ground is higher than this from x to x, m.
static double highest(const road_terrain *t, double from, double to)
{
    double sum = 0.0;
    for (int k = 0; t && k < t->layer_count; k++)
        sum += t->layers[k].kind->largest(t->layers[k].data, from, to);
    return sum;
}

static double depth_of(const dips *d, const part *p, double place[3])
{
    double centre[3], R[9], at[3], axes[3][3], best = -INFINITY;
    impulses_body_place(d->run->engine, p->place, centre, R);
    mat3_mul_vec(R, p->centre, at);
    for (int k = 0; k < 3; k++)
        mat3_mul_vec(R, p->axes[k], axes[k]);
    double low = centre[2] + at[2], wide = 0.0;
    for (int k = 0; k < 3; k++)
        low -= fabs(axes[k][2]), wide += fabs(axes[k][0]);
    const double middle = centre[0] + at[0];
    const double clear = low - highest(d->terrain, middle - wide, middle + wide);
    if (clear > 0.0)
        return -clear; // most parts at most times
    for (int i = 0; i < ACROSS * ACROSS; i++) {
        line l = {.terrain = d->terrain};
        double s = 0.0;
        for (int x = 0; x < 3; x++) {
            l.along[x] = axes[0][x];
            l.from[x] =
                centre[x] + at[x] + (i % ACROSS - 1) * axes[1][x] + (i / ACROSS - 1) * axes[2][x];
        }
        const double depth = deepest(&l, &s);
        if (depth > best + rounding) {
            best = depth;
            for (int x = 0; x < 3; x++)
                place[x] = l.from[x] + s * l.along[x];
        }
    }
    return best;
}

double dips_look(dips *d, double t, mc_simulate_report *report)
{
    double worst = 0.0;
    for (int k = 0; k < d->part_count; k++) {
        part *p = &d->parts[k];
        double place[3];
        const double depth = depth_of(d, p, place);
        worst = fmax(worst, depth);
        report->dips += depth > 0.0 && !p->below;
        p->below = depth > 0.0;
        if (depth > report->dip.depth + rounding) {
            report->dip = (mc_simulate_dip){.part = p->name, .t = t, .depth = depth};
            memcpy(report->dip.place, place, sizeof place);
        }
    }
    return worst;
}
