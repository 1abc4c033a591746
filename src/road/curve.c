// curve.c - a function to cubic pieces, and looking them up.
#include "road/curve.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// ---- one piece ----

static double cubic_slope(const road_cubic *p, double x)
{
    const double d = x - p->at;
    return p->value + d * (p->rate + d * (p->bend + d * p->twist));
}

static road_cubic cubic_between(const road_point *a, const road_point *b)
{
    const double h = b->x - a->x, mean = (b->value - a->value) / h;
    return (road_cubic){.from = a->x,
                        .to = b->x,
                        .at = a->x,
                        .value = a->value,
                        .rate = a->rate,
                        .bend = (3.0 * mean - 2.0 * a->rate - b->rate) / h,
                        .twist = (a->rate + b->rate - 2.0 * mean) / (h * h)};
}

// Integral of sin(slope) from the start of the piece to x, by Gauss' rule of five points.
static double rise(const road_cubic *p, double x)
{
    static const double place[5] = {-0.90617984593866399, -0.53846931010568309, 0.0,
                                    0.53846931010568309, 0.90617984593866399};
    static const double weight[5] = {0.23692688505618909, 0.47862867049936647, 0.56888888888888889,
                                     0.47862867049936647, 0.23692688505618909};
    const double half = 0.5 * (x - p->at);
    double sum = 0.0;
    for (int i = 0; i < 5; i++)
        sum += weight[i] * sin(cubic_slope(p, p->at + half * (1.0 + place[i])));
    return half * sum;
}

// ---- making ----

typedef struct maker {
    road_function *f;
    void *context;
    road_point *points; // on the heap
    int count, room, max_count;
    int *begin; // of cells, on the heap
    mc_error *error;
} maker;

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the road");
}

static mc_status add_point(maker *m, road_point p)
{
    if (m->count == m->max_count)
        return mc_error_set(m->error, MC_BAD_INPUT, NULL, 0, 0,
                            "up to %.9g m the road takes %d pieces; expected a smoother or simpler "
                            "formula, or a shorter road",
                            p.x, m->max_count);
    if (m->count == m->room) {
        const int room = m->room ? 2 * m->room : 1024;
        road_point *more = realloc(m->points, (size_t)room * sizeof *more);
        if (!more)
            return no_memory(m->error);
        m->points = more;
        m->room = room;
    }
    m->points[m->count++] = p;
    return MC_OK;
}

// Seven places inside the piece and its end: whether the cubic meets the function at all of them.
// middle: of them, m.
static mc_status look_inside(maker *m, const road_point *a, road_point *b, double *middle,
                             bool *good)
{
    double x[ROAD_SAMPLES], slope[ROAD_SAMPLES], rate[ROAD_SAMPLES];
    for (int i = 0; i < ROAD_SAMPLES; i++)
        x[i] = i == ROAD_SAMPLES - 1 ? b->x : a->x + (i + 1) * (b->x - a->x) / ROAD_SAMPLES;
    const mc_status status = m->f(m->context, ROAD_SAMPLES, x, slope, rate, m->error);
    if (status != MC_OK)
        return status;
    enum { LAST = ROAD_SAMPLES - 1, MIDDLE = ROAD_SAMPLES / 2 - 1 };
    *b = (road_point){.x = x[LAST], .value = slope[LAST], .rate = rate[LAST]};
    *middle = x[MIDDLE];
    const road_cubic piece = cubic_between(a, b);
    *good = true;
    for (int i = 0; i < LAST; i++)
        *good = *good && fabs(cubic_slope(&piece, x[i]) - slope[i]) <= ROAD_CURVE_ERROR;
    return MC_OK;
}

static mc_status check_jump(const maker *m, const road_point *a, const road_point *b)
{
    if (fabs(b->value - a->value) <= ROAD_JUMP)
        return MC_OK;
    return mc_error_set(m->error, MC_BAD_INPUT, NULL, 0, 0,
                        "the slope jumps at s = %.6g m, from %.4g to %.4g rad; expected one that "
                        "changes over a stretch of road, by spline or step with five arguments",
                        b->x, a->value, b->value);
}

// Adds the points after a up to x = to, halving what does not fit.
static mc_status follow(maker *m, road_point a, double to)
{
    enum { DEPTH = 16 };
    double ends[DEPTH] = {to}; // nearest last
    int depth = 1;
    mc_status status = MC_OK;
    while (depth > 0 && status == MC_OK) {
        road_point b = {.x = ends[depth - 1]};
        double middle = 0.0;
        bool good = false;
        status = look_inside(m, &a, &b, &middle, &good);
        if (status == MC_OK && !good && b.x - a.x > 1.5 * ROAD_PIECE_MIN && depth < DEPTH) {
            ends[depth++] = middle;
            continue;
        }
        if (status == MC_OK && !good)
            status = check_jump(m, &a, &b);
        if (status == MC_OK)
            status = add_point(m, b);
        a = b;
        depth--;
    }
    return status;
}

static mc_status follow_all(maker *m, double from, double to, int cells)
{
    road_point first = {.x = from};
    mc_status status = m->f(m->context, 1, &first.x, &first.value, &first.rate, m->error);
    if (status == MC_OK)
        status = add_point(m, first);
    for (int i = 0; i < cells && status == MC_OK; i++) {
        m->begin[i] = m->count - 1;
        status = follow(m, m->points[m->count - 1],
                        i == cells - 1 ? to : from + (i + 1) * ((to - from) / cells));
    }
    m->begin[cells] = m->count - 1;
    return status;
}

// What the pieces are, and the height of the points.
static void complete(maker *m)
{
    for (int k = 1; k < m->count; k++) {
        road_point *a = &m->points[k - 1], *b = &m->points[k];
        const road_cubic piece = cubic_between(a, b);
        a->bend = piece.bend;
        a->twist = piece.twist;
        b->height = a->height + rise(&piece, b->x);
    }
}

static mc_status keep(const maker *m, arena *memory, double length, int cells, road_curve *out)
{
    const size_t n = (size_t)m->count, c = (size_t)cells + 1;
    road_point *points = arena_alloc(memory, n * sizeof *points);
    int *begin = arena_alloc(memory, c * sizeof *begin);
    if (!points || !begin)
        return no_memory(m->error);
    memcpy(points, m->points, n * sizeof *points);
    memcpy(begin, m->begin, c * sizeof *begin);
    *out = (road_curve){points, m->count, begin, cells, length / cells};
    const double origin = road_curve_height(out, 0.0);
    for (size_t k = 0; k < n; k++)
        points[k].height -= origin;
    return MC_OK;
}

mc_status road_curve_make(arena *memory, double from, double to, int max_count, road_function *f,
                          void *context, road_curve *out, mc_error *error)
{
    maker m = {.f = f, .context = context, .max_count = max_count, .error = error};
    *out = (road_curve){0};
    const double cells = ceil((to - from) / ROAD_PIECE_MAX);
    if (!(cells < max_count))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "the road is %.9g m long; expected at most %.9g m", to - from,
                            ROAD_PIECE_MAX * (max_count - 1));
    m.begin = malloc(((size_t)cells + 1) * sizeof *m.begin);
    mc_status status = m.begin ? follow_all(&m, from, to, (int)cells) : no_memory(error);
    if (status == MC_OK) {
        complete(&m);
        status = keep(&m, memory, to - from, (int)cells, out);
    }
    free(m.points);
    free(m.begin);
    return status;
}

// ---- looking up ----

// Points at or before x: by its cell, which may be one off by rounding, and halving inside it.
static int points_before(const road_curve *c, double x)
{
    const road_point *p = c->points;
    if (!(x >= p[0].x))
        return 0;
    if (x >= p[c->count - 1].x)
        return c->count;
    int cell = (int)((x - p[0].x) / c->cell);
    cell = cell < c->cell_count ? cell : c->cell_count - 1;
    while (x < p[c->begin[cell]].x)
        cell--;
    while (x >= p[c->begin[cell + 1]].x)
        cell++;
    int low = c->begin[cell], high = c->begin[cell + 1]; // p[low].x <= x < p[high].x
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (p[middle].x <= x)
            low = middle;
        else
            high = middle;
    }
    return low + 1;
}

static void piece_of(const road_curve *c, int before, road_cubic *out)
{
    const road_point *p = &c->points[before > 0 ? before - 1 : 0];
    const bool inside = before > 0 && before < c->count;
    *out = (road_cubic){.from = before > 0 ? p->x : -HUGE_VAL,
                        .to = inside       ? p[1].x
                              : before > 0 ? HUGE_VAL
                                           : p->x,
                        .at = p->x,
                        .value = p->value,
                        .rate = inside ? p->rate : 0.0,
                        .bend = inside ? p->bend : 0.0,
                        .twist = inside ? p->twist : 0.0};
}

void road_curve_piece(const road_curve *c, double x, road_cubic *out)
{
    piece_of(c, points_before(c, x), out);
}

double road_curve_slope(const road_curve *c, double x)
{
    road_cubic piece;
    road_curve_piece(c, x, &piece);
    return cubic_slope(&piece, x);
}

double road_curve_height(const road_curve *c, double x)
{
    road_cubic piece;
    const int before = points_before(c, x);
    piece_of(c, before, &piece);
    return c->points[before > 0 ? before - 1 : 0].height + rise(&piece, x);
}
