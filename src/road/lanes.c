// lanes.c - stretches to sections, and looking lanes up.
#include "road/lanes.h"

#include <math.h>
#include <stdlib.h>

// ---- cubics ----

static int poly_index(const road_polys *p, double s)
{
    int low = 0;
    for (int high = p->count; high - low > 1;) {
        const int middle = (low + high) / 2;
        if (p->p[middle].at <= s)
            low = middle;
        else
            high = middle;
    }
    return low;
}

double road_polys_value(const road_polys *p, double s)
{
    return p->count ? road_poly_value(&p->p[poly_index(p, s)], s) : 0.0;
}

double road_polys_rate(const road_polys *p, double s)
{
    if (p->count == 0)
        return 0.0;
    const road_poly *one = &p->p[poly_index(p, s)];
    const double d = s - one->at;
    return one->b + d * (2.0 * one->c + d * 3.0 * one->e);
}

road_poly road_poly_between(double at, double to, double a, double b, double rate_a, double rate_b)
{
    const double h = to - at, mean = (b - a) / h;
    return (road_poly){.at = at,
                       .a = a,
                       .b = rate_a,
                       .c = (3.0 * mean - 2.0 * rate_a - rate_b) / h,
                       .e = (rate_a + rate_b - 2.0 * mean) / (h * h)};
}

// ---- making ----

typedef struct maker {
    const road_lane_stretch *stretches;
    int count;
    int through;
    double width; // m, of lanes that go through
} maker;

static double usual(const maker *m, int lane)
{
    return lane < m->through ? m->width : 0.0;
}

// Share of a change of width, 0 .. 1 over a taper of length l, and its derivative: 3 u^2 - 2 u^3.
static double eased(double d, double l, double *rate)
{
    const double u = fmin(fmax(d / l, 0.0), 1.0);
    *rate = 6.0 * u * (1.0 - u) / l;
    return u * u * (3.0 - 2.0 * u);
}

// The width of a lane at s, as it is around `middle`, and its derivative.
static double width_at(const maker *m, int lane, double middle, double s, double *rate)
{
    *rate = 0.0;
    for (int k = 0; k < m->count; k++) {
        const road_lane_stretch *x = &m->stretches[k];
        if (x->lane != lane || isnan(x->width) || middle < x->from || middle > x->to)
            continue;
        const double change = x->width - usual(m, lane);
        double share = 1.0;
        if (middle < x->from + x->in) {
            share = eased(s - x->from, x->in, rate);
        } else if (middle > x->to - x->out) {
            share = eased(x->to - s, x->out, rate);
            *rate = -*rate;
        }
        *rate *= change;
        return usual(m, lane) + change * share;
    }
    return usual(m, lane);
}

static void set_rules(const maker *m, int lane, double middle, road_lane *out)
{
    out->speed = out->headway = out->separation = NAN;
    for (int k = 0; k < m->count; k++) {
        const road_lane_stretch *x = &m->stretches[k];
        if (x->lane != lane || middle < x->from || middle > x->to)
            continue;
        if (!isnan(x->speed))
            out->speed = x->speed;
        if (!isnan(x->headway))
            out->headway = x->headway;
        if (!isnan(x->separation))
            out->separation = x->separation;
        if (x->use >= 0)
            out->use = (mc_road_use)x->use;
        if (x->enter >= 0)
            out->enter = (mc_road_use)x->enter;
    }
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Where something may change, in order, each once; the first is the start of the path.
static int find_breaks(const maker *m, double length, double *at)
{
    int n = 0;
    at[n++] = 0.0;
    for (int k = 0; k < m->count; k++) {
        const road_lane_stretch *x = &m->stretches[k];
        const double places[4] = {x->from, x->from + x->in, x->to - x->out, x->to};
        for (int i = 0; i < 4; i++)
            if (places[i] > 0.0 && places[i] < length)
                at[n++] = places[i];
    }
    qsort(at, (size_t)n, sizeof at[0], compare_numbers);
    int kept = 1;
    for (int i = 1; i < n; i++)
        if (at[i] > at[kept - 1] + 1e-9)
            at[kept++] = at[i];
    return kept;
}

static mc_status check(const maker *m, int lane_count, int *bad, mc_error *error)
{
    for (int k = 0; k < m->count; k++) {
        const road_lane_stretch *x = &m->stretches[k];
        *bad = k;
        if (x->lane < 0 || x->lane >= lane_count)
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "lane %d does not exist; the road has %d", x->lane + 1, lane_count);
        for (int j = 0; j < k; j++) {
            const road_lane_stretch *other = &m->stretches[j];
            if (other->lane == x->lane && !isnan(other->width) && !isnan(x->width) &&
                fmax(x->from, other->from) < fmin(x->to, other->to))
                return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                    "lane %d has two widths from %.9g to %.9g m", x->lane + 1,
                                    fmax(x->from, other->from), fmin(x->to, other->to));
        }
    }
    return MC_OK;
}

static mc_status check_some_lane(const road_section *section, int count, double at, double to,
                                 mc_error *error)
{
    for (int k = 0; k < count; k++) {
        const road_lane *lane = &section->lane[k];
        const road_poly p = {0.0, lane->a, lane->b, lane->c, lane->e};
        if (lane->use != MC_ROAD_CLOSED && road_poly_value(&p, 0.5 * (to - at)) > 0.0)
            return MC_OK;
    }
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "all lanes end: there is none left from %.9g to %.9g m", at, to);
}

mc_status road_lanes_make(arena *memory, int count, int through, double width, double length,
                          const road_lane_stretch *stretches, int stretch_count, road_lanes *out,
                          int *bad, mc_error *error)
{
    const maker m = {stretches, stretch_count, through, width};
    *out = (road_lanes){.count = count, .length = length};
    const mc_status status = check(&m, count, bad, error);
    if (status != MC_OK)
        return status;
    double *at = arena_alloc(memory, (size_t)(4 * stretch_count + 1) * sizeof *at);
    const int n = at ? find_breaks(&m, length, at) : 0;
    road_section *sections = arena_alloc(memory, (size_t)n * sizeof *sections);
    road_lane *lanes = arena_alloc(memory, (size_t)n * (size_t)count * sizeof *lanes);
    if (!at || !sections || !lanes)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the lanes");
    *bad = -1;
    for (int i = 0; i < n; i++) {
        const double from = at[i], to = i + 1 < n ? at[i + 1] : length, middle = 0.5 * (from + to);
        sections[i].s = from;
        sections[i].lane = lanes + (size_t)i * (size_t)count;
        for (int k = 0; k < count; k++) {
            road_lane *lane = &lanes[(size_t)i * (size_t)count + (size_t)k];
            double rate_a, rate_b;
            const double a = width_at(&m, k, middle, from, &rate_a);
            const double b = width_at(&m, k, middle, to, &rate_b);
            const road_poly p = road_poly_between(from, to, a, b, rate_a, rate_b);
            *lane = (road_lane){.a = p.a, .b = p.b, .c = p.c, .e = p.e};
            set_rules(&m, k, middle, lane);
        }
        // The right edge of lane 0 stays where it is.
        const road_lane *first = sections[i].lane;
        sections[i].a = first->a - 0.5 * width;
        sections[i].b = first->b, sections[i].c = first->c, sections[i].e = first->e;
        const mc_status left = check_some_lane(&sections[i], count, from, to, error);
        if (left != MC_OK)
            return left;
    }
    out->sections = sections;
    out->section_count = n;
    return MC_OK;
}

// ---- looking up ----

static const road_section *section_at(const road_lanes *l, double *s)
{
    const double first = l->sections[0].s;
    *s = *s < first ? first : *s > l->length ? l->length : *s;
    int low = 0;
    for (int high = l->section_count; high - low > 1;) {
        const int middle = (low + high) / 2;
        if (l->sections[middle].s <= *s)
            low = middle;
        else
            high = middle;
    }
    return &l->sections[low];
}

static double lane_width(const road_lane *lane, double d)
{
    const double width = lane->a + d * (lane->b + d * (lane->c + d * lane->e));
    return width > 0.0 ? width : 0.0;
}

void road_lanes_edges(const road_lanes *l, double s, double *edge)
{
    const road_section *section = section_at(l, &s);
    const double d = s - section->s;
    edge[0] = section->a + d * (section->b + d * (section->c + d * section->e));
    for (int k = 0; k < l->count; k++)
        edge[k + 1] = edge[k] - lane_width(&section->lane[k], d);
}

int road_lanes_find(const road_lanes *l, double s, double offset)
{
    const road_section *section = section_at(l, &s);
    const double d = s - section->s;
    double edge = section->a + d * (section->b + d * (section->c + d * section->e));
    if (!(offset <= edge))
        return -1;
    for (int k = 0; k < l->count; k++) {
        const double width = lane_width(&section->lane[k], d);
        edge -= width;
        if (width > 0.0 && offset >= edge)
            return k;
    }
    return -1;
}

bool road_lanes_look(const road_lanes *l, int lane, double s, mc_road_lane *out)
{
    *out = (mc_road_lane){.centre = NAN, .speed = NAN, .headway = NAN, .separation = NAN};
    if (lane < 0 || lane >= l->count)
        return false;
    const road_section *section = section_at(l, &s);
    const double d = s - section->s;
    double edge = section->a + d * (section->b + d * (section->c + d * section->e));
    for (int k = 0; k < lane; k++)
        edge -= lane_width(&section->lane[k], d);
    const road_lane *one = &section->lane[lane];
    const double width = lane_width(one, d);
    *out = (mc_road_lane){edge - 0.5 * width, width,    one->speed, one->headway,
                          one->separation,    one->use, one->enter};
    return width > 0.0;
}
