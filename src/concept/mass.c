// mass.c - masses of parts, assemblies, bodies and the whole; dimensions.
#include "concept/connection.h"
#include "concept/template.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- masses ----

static mc_concept_mass mass_of(const char *name, const concept_moments *m)
{
    mc_concept_mass out = {.name = name, .kind = "", .group = "", .mass = m->mass};
    moments_centre(m, out.centre);
    moments_inertia(m, out.inertia);
    return out;
}

// Index of the i-th part that counts.
static int counted(const mc_concept *c, int i)
{
    for (int k = 0; k < c->part_count; k++)
        if (c->parts[k].role != ROLE_IGNORED && i-- == 0)
            return k;
    return -1;
}

bool mc_concept_part(const mc_concept *c, int i, mc_concept_mass *out)
{
    static const char *const kinds[] = {"beam", "panel", "component", "link", "wheel"};
    const int k = i < 0 ? -1 : counted(c, i);
    if (k < 0)
        return false;
    const concept_part *p = &c->parts[k];
    *out = mass_of(p->name, &p->moments);
    out->kind = kinds[p->kind];
    out->group = p->assembly >= 0 ? c->assemblies[p->assembly].name : c->axles[p->axle].name;
    out->area = p->area;
    out->length = p->length;
    return true;
}

bool mc_concept_assembly(const mc_concept *c, int i, mc_concept_mass *out)
{
    concept_moments sum = {0};
    if (i < 0 || i >= c->assembly_count)
        return false;
    double area = 0.0;
    for (int k = 0; k < c->part_count; k++)
        if (c->parts[k].assembly == i && c->parts[k].role != ROLE_IGNORED) {
            moments_add(&sum, &c->parts[k].moments);
            area += c->parts[k].area;
        }
    *out = mass_of(c->assemblies[i].name, &sum);
    out->area = area;
    return true;
}

bool mc_concept_body(const mc_concept *c, int i, mc_concept_mass *out)
{
    if (i < 0 || i >= c->body_count)
        return false;
    *out = mass_of(c->bodies[i].name, &c->bodies[i].moments);
    return true;
}

void mc_concept_whole(const mc_concept *c, mc_concept_mass *out)
{
    concept_moments sum = {0};
    for (int k = 0; k < c->part_count; k++)
        if (c->parts[k].role != ROLE_IGNORED)
            moments_add(&sum, &c->parts[k].moments);
    *out = mass_of(c->name, &sum);
}

const char *mc_concept_name(const mc_concept *c)
{
    return c->name;
}

// ---- graph ----

// Number among those that count.
static int public_part(const mc_concept *c, int k)
{
    int out = 0;
    for (int i = 0; i < k; i++)
        out += c->parts[i].role != ROLE_IGNORED;
    return k < 0 ? -1 : out;
}

bool mc_concept_connection(const mc_concept *c, int i, mc_concept_edge *out)
{
    if (i < 0 || i >= c->edge_count)
        return false;
    const concept_edge *e = &c->edges[i];
    *out = (mc_concept_edge){.name = e->name,
                             .kind = e->kind->name,
                             .from = public_part(c, e->from),
                             .to = public_part(c, e->to),
                             .from_body = e->from < 0 ? -1 : c->parts[e->from].body,
                             .to_body = e->to < 0 ? -1 : c->parts[e->to].body,
                             .rigid = concept_edge_is_rigid(e)};
    return true;
}

int mc_concept_body_of(const mc_concept *c, int part)
{
    const int k = part < 0 ? -1 : counted(c, part);
    return k < 0 ? -1 : c->parts[k].body;
}

// ---- dimensions ----

static bool is_seen(const concept_part *p)
{
    return p->role == ROLE_STRUCTURAL && p->mesh.count > 0;
}

int mc_concept_shape_of(const mc_concept *c, int part)
{
    const int k = part < 0 ? -1 : counted(c, part);
    if (k < 0 || c->parts[k].body < 0 || !is_seen(&c->parts[k]))
        return -1;
    int before = 0;
    for (int i = 0; i < k; i++)
        before += c->parts[i].body == c->parts[k].body && is_seen(&c->parts[i]);
    return before;
}

// Neither a wheel nor a part of a suspension.
static bool is_carried(const concept_part *p)
{
    return is_seen(p) && p->kind != PART_WHEEL && p->kind != PART_SUSPENSION;
}

// The smallest angle at a wheel's contact circle under which a corner is seen: the ray from the
// corner tangent to the tyre. sign 1: in front of the wheels.
static double ramp(const mc_concept *c, const concept_part *wheel, int sign)
{
    double least = 3.14159265358979323846 / 2.0;
    for (int i = 0; i < c->part_count; i++) {
        const concept_part *p = &c->parts[i];
        for (int t = 0; is_carried(p) && t < p->mesh.count; t++)
            for (int k = 0; k < 3; k++) {
                const double *v = p->mesh.triangle[t] + 3 * k;
                const double x = sign * (v[0] - wheel->centre[0]);
                const double z = v[2] - (wheel->centre[2] - wheel->radius);
                if (x <= wheel->radius || z <= 0.0)
                    continue;
                // Tangent from (x, z) to the circle of radius r about (0, r), above the ground.
                const double r = wheel->radius, d = hypot(x, z - r);
                const double angle = atan2(z - r, x) + asin(fmin(r / d, 1.0));
                least = fmin(least, angle);
            }
    }
    return least;
}

// Break-over: the smallest of the angles between the tangents from any point between two axles to
// the tyres in front of and behind it.
static double break_over(const mc_concept *c, const concept_part *front, const concept_part *rear)
{
    double least = 3.14159265358979323846;
    for (int i = 0; i < c->part_count; i++) {
        const concept_part *p = &c->parts[i];
        for (int t = 0; is_carried(p) && t < p->mesh.count; t++)
            for (int k = 0; k < 3; k++) {
                const double *v = p->mesh.triangle[t] + 3 * k;
                double sum = 0.0;
                for (int side = 0; side < 2; side++) {
                    const concept_part *w = side ? rear : front;
                    const double x = side ? v[0] - w->centre[0] : w->centre[0] - v[0];
                    const double z = v[2] - w->centre[2], d = hypot(x, z);
                    sum += x > 0.0 && d > w->radius ? atan2(z, x) + asin(w->radius / d) : 1.6;
                }
                least = fmin(least, sum);
            }
    }
    return least;
}

enum { RASTER = 1200 };

// Area of the outline seen from the front: cells of a grid whose middle is in some triangle.
static double frontal_area(const mc_concept *c, const double low[3], const double high[3])
{
    const double w = high[1] - low[1], h = high[2] - low[2], cell = fmax(w, h) / RASTER;
    unsigned char *seen = calloc((size_t)RASTER * RASTER, 1);
    long count = 0;
    for (int i = 0; seen && cell > 0.0 && i < c->part_count; i++)
        for (int t = 0; is_seen(&c->parts[i]) && t < c->parts[i].mesh.count; t++) {
            const double *a = c->parts[i].mesh.triangle[t];
            double y[3], z[3];
            for (int k = 0; k < 3; k++)
                y[k] = (a[3 * k + 1] - low[1]) / cell, z[k] = (a[3 * k + 2] - low[2]) / cell;
            const double first = ceil(fmin(z[0], fmin(z[1], z[2])) - 0.5);
            const double last = floor(fmax(z[0], fmax(z[1], z[2])) - 0.5);
            for (int row = (int)fmax(first, 0.0); row <= last && row < RASTER; row++) {
                double from = 1e30, to = -1e30;
                for (int k = 0; k < 3; k++) { // where the edges cross the middle of the row
                    const int n = (k + 1) % 3;
                    const double s = row + 0.5;
                    if ((z[k] <= s) == (z[n] <= s))
                        continue;
                    const double x = y[k] + (s - z[k]) / (z[n] - z[k]) * (y[n] - y[k]);
                    from = fmin(from, x), to = fmax(to, x);
                }
                for (int x = (int)fmax(ceil(from - 0.5), 0.0); x + 0.5 <= to && x < RASTER; x++) {
                    count += !seen[row * RASTER + x];
                    seen[row * RASTER + x] = 1;
                }
            }
        }
    free(seen);
    return (double)count * cell * cell;
}

static void measure_axles(const mc_concept *c, mc_concept_dimensions *out)
{
    out->approach = out->departure = out->break_over = NAN;
    for (int k = 0; k < c->axle_count; k++) {
        const concept_part *l = &c->parts[c->axles[k].wheel[0]];
        const concept_part *r = &c->parts[c->axles[k].wheel[1]];
        out->axle[k].name = c->axles[k].name;
        out->axle[k].x = l->centre[0];
        out->axle[k].track = l->centre[1] - r->centre[1];
        out->axle[k].radius = l->radius;
        out->axle[k].driven = c->axles[k].driven;
        out->axle[k].steered = c->axles[k].steered;
    }
    if (c->axle_count == 0)
        return;
    const concept_part *first = &c->parts[c->axles[0].wheel[0]];
    const concept_part *last = &c->parts[c->axles[c->axle_count - 1].wheel[0]];
    out->wheelbase = first->centre[0] - last->centre[0];
    out->approach = ramp(c, first, 1);
    out->departure = ramp(c, last, -1);
    double gap = 0.0;
    for (int k = 0; k + 1 < c->axle_count; k++) {
        const concept_part *a = &c->parts[c->axles[k].wheel[0]];
        const concept_part *b = &c->parts[c->axles[k + 1].wheel[0]];
        if (a->centre[0] - b->centre[0] > gap) {
            gap = a->centre[0] - b->centre[0];
            out->break_over = break_over(c, a, b);
        }
    }
}

void mc_concept_measure(const mc_concept *c, mc_concept_dimensions *out)
{
    double low[3] = {1e30, 1e30, 1e30}, high[3] = {-1e30, -1e30, -1e30};
    double body_low[3] = {1e30, 1e30, 1e30}, unused[3] = {-1e30, -1e30, -1e30};
    *out = (mc_concept_dimensions){.axle_count = c->axle_count, .ground = c->ground};
    for (int i = 0; i < c->part_count; i++) {
        const concept_part *p = &c->parts[i];
        if (is_seen(p))
            skin_bounds(&p->mesh, low, high);
        if (is_carried(p))
            skin_bounds(&p->mesh, body_low, unused);
        if (p->role != ROLE_IGNORED)
            out->panel_area += p->area;
    }
    measure_axles(c, out);
    if (low[0] > high[0])
        return;
    out->length = high[0] - low[0];
    out->width = high[1] - low[1];
    out->height = high[2] - c->ground;
    out->clearance = body_low[2] < 1e29 ? body_low[2] - c->ground : NAN;
    out->frontal_area = frontal_area(c, low, high);
}

// ---- templates ----

bool mc_concept_template_at(int i, mc_concept_template *out)
{
    const suspension_template *t = template_at(i);
    if (t)
        *out = (mc_concept_template){t->name, t->doc};
    return t != NULL;
}

bool mc_concept_connection_kind_at(int i, const char **name, const char **doc)
{
    const connection_kind *kind = connection_kind_at(i);
    if (kind)
        *name = kind->name, *doc = kind->doc;
    return kind != NULL;
}

bool mc_concept_hardpoint_at(int i, int k, const char **name, const char **doc, bool *needed)
{
    const suspension_template *t = template_at(i);
    if (!t || k < 0 || k >= TEMPLATE_POINTS_MAX || !t->points[k].name)
        return false;
    *name = t->points[k].name;
    *doc = t->points[k].doc;
    *needed = !t->points[k].optional;
    return true;
}
