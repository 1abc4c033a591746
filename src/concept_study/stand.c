// stand.c - a concept on its wheels: loads of the axles, and what may be wrong with it.

#include "base/gravity.h"
#include "concept/connection.h"
#include "concept/template.h"
#include "concept_study/stand.h"
#include "motorcade/concept_live.h"
#include "num/vec3.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// ---- equilibrium ----

void stand_free(stand *s)
{
    mc_multibody_free(s->m);
    free(s->y);
    free(s->out);
}

// N on an axle of two, from the mass centre as drawn.
static double drawn_load(const mc_concept *c, int axle)
{
    mc_concept_mass whole;
    mc_concept_whole(c, &whole);
    const double front = c->parts[c->axles[0].wheel[0]].centre[0];
    const double rear = c->parts[c->axles[1].wheel[0]].centre[0];
    const double share = (whole.centre[0] - rear) / (front - rear);
    return whole.mass * GRAVITY * (axle == 0 ? share : 1.0 - share);
}

// Why there is no equilibrium: springs that end below what rests on them. Without another reason
// the error stays.
static mc_status explain(const mc_concept *c, mc_error *error)
{
    for (int k = 0; k < c->axle_count && c->axle_count == 2; k++) {
        double limit = 0.0;
        for (int i = 0; i < c->edge_count; i++)
            for (int side = 0; side < 2; side++)
                if (c->axles[k].spring[side] &&
                    strcmp(c->edges[i].name, c->axles[k].spring[side]) == 0)
                    limit += c->edges[i].limit > 0.0 && c->edges[i].min == 0.0 ? c->edges[i].limit
                                                                               : INFINITY;
        const double load = drawn_load(c, k);
        if (limit > 0.0 && limit < load)
            return mc_error_set(error, MC_FAILED, c->file, c->axles[k].place.line,
                                c->axles[k].place.column,
                                "the springs of %s push with at most %.4g N, and %.4g N rest on "
                                "the axle: it cannot reach equilibrium",
                                c->axles[k].name, limit, load);
    }
    return error->code;
}

mc_status stand_make(const mc_concept *c, stand *s, mc_error *error)
{
    const mc_multibody_options interpreted = {.compile = MC_COMPILE_NEVER};
    *s = (stand){0};
    char *text = mc_concept_mechanism(c, NULL, error);
    s->m = text ? mc_multibody_parse(text, c->file, &interpreted, error) : NULL;
    free(text);
    if (!s->m)
        return error->code;
    const mc_multibody_info *n = mc_multibody_info_of(s->m);
    s->y = calloc((size_t)n->y_count + 1, sizeof s->y[0]);
    s->out = calloc((size_t)n->output_count + 1, sizeof s->out[0]);
    if (!s->y || !s->out)
        return mc_error_set(error, MC_NO_MEMORY, c->file, 0, 0, "no memory for the equilibrium");
    mc_multibody_start(s->m, s->y);
    const mc_status status = mc_multibody_equilibrium(s->m, s->y, NULL, NULL, error);
    if (status == MC_OK)
        mc_multibody_outputs(s->m, 0.0, s->y, s->out);
    return status == MC_FAILED ? explain(c, error) : status;
}

double stand_output(const stand *s, const char *name)
{
    mc_quantity quantity;
    int i;
    mc_error error;
    if (mc_multibody_find(s->m, name, &quantity, &i, &error) != MC_OK ||
        quantity != MC_QUANTITY_OUTPUT)
        return NAN;
    return s->out[i];
}

// ---- axle loads ----

bool mc_concept_on_tyres(const mc_concept *c)
{
    bool all = c->axle_count > 0;
    for (int k = 0; k < c->axle_count; k++)
        all = all && c->axles[k].tyre_stiffness > 0.0;
    return all;
}

static void loads_of(const mc_concept *c, const stand *s, mc_concept_loads *out)
{
    out->settled = true;
    for (int k = 0; k < c->axle_count; k++)
        for (int side = 0; side < 2; side++) {
            char name[CONCEPT_NAME + 32];
            double stiffness = c->axles[k].tyre_stiffness;
            const concept_part *wheel = &c->parts[c->axles[k].wheel[side]];
            snprintf(name, sizeof name, "tyre_%.90s_stiffness", c->axles[k].name);
            mc_multibody_get(s->m, name, &stiffness, NULL);
            snprintf(name, sizeof name, "hub_%s%c.z", c->axles[k].suffix, "lr"[side]);
            const double z = stand_output(s, name);
            out->load[k] += fmax(stiffness * (wheel->radius - z), 0.0);
            if (side == 0)
                out->sink[k] = wheel->centre[2] - c->ground - z;
        }
}

mc_status mc_concept_loads_at(const mc_concept *c, mc_multibody *m, const double *y,
                              mc_concept_loads *out, mc_error *error)
{
    stand s = {.m = m};
    *out = (mc_concept_loads){.axle_count = c->axle_count};
    s.out = calloc((size_t)mc_multibody_info_of(m)->output_count + 1, sizeof s.out[0]);
    if (!s.out)
        return mc_error_set(error, MC_NO_MEMORY, c->file, 0, 0, "no memory for the loads");
    mc_multibody_outputs(m, 0.0, y, s.out);
    loads_of(c, &s, out);
    free(s.out);
    return MC_OK;
}

mc_status mc_concept_stand(const mc_concept *c, mc_concept_loads *out, mc_error *error)
{
    *out = (mc_concept_loads){.axle_count = c->axle_count};
    if (mc_concept_on_tyres(c)) {
        stand s;
        const mc_status status = stand_make(c, &s, error);
        if (status == MC_OK)
            loads_of(c, &s, out);
        stand_free(&s);
        return status;
    }
    if (c->axle_count != 2)
        return mc_error_set(error, MC_FAILED, c->file, 0, 0,
                            "the loads of %d axles do not follow from the mass centre: give their "
                            "wheels tyres",
                            c->axle_count);
    for (int k = 0; k < 2; k++)
        out->load[k] = drawn_load(c, k);
    return MC_OK;
}

// ---- lint ----

typedef struct lint {
    const mc_concept *c;
    void (*finding)(void *context, const char *text);
    void *context;
    int count;
} lint;

__attribute__((format(printf, 3, 4))) static void found(lint *l, concept_place place,
                                                        const char *format, ...)
{
    char text[400], line[560];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(line, sizeof line, "%.100s:%d:%d: %s", l->c->file, place.line, place.column, text);
    l->count++;
    if (l->finding)
        l->finding(l->context, line);
}

// Densities and sizes that look like another unit.
static void lint_parts(lint *l)
{
    const mc_concept *c = l->c;
    mc_concept_mass whole;
    mc_concept_whole(c, &whole);
    for (int i = 0; i < c->part_count; i++) {
        const concept_part *p = &c->parts[i];
        double low[3] = {1e30, 1e30, 1e30}, high[3] = {-1e30, -1e30, -1e30}, size = 0.0;
        if (p->role == ROLE_IGNORED || p->mesh.count == 0)
            continue;
        skin_bounds(&p->mesh, low, high);
        for (int k = 0; k < 3; k++)
            size = fmax(size, high[k] - low[k]);
        if (size > 30.0)
            found(l, p->place, "%s is %.4g m long: are its lengths in mm?", p->name, size);
        if (size < 5e-3)
            found(l, p->place, "%s is %.4g mm long: are its lengths in m?", p->name, 1e3 * size);
        const double volume = (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]);
        if (p->kind == PART_COMPONENT && volume > 0.0 && p->moments.mass / volume > 20000.0)
            found(l, p->place, "%s weighs %.4g kg in %.4g m^3: more than any metal", p->name,
                  p->moments.mass, volume);
        if (p->kind != PART_WHEEL && p->moments.mass > 0.9 * whole.mass && c->body_count > 3)
            found(l, p->place, "%s has %.0f %% of the whole mass", p->name,
                  100.0 * p->moments.mass / whole.mass);
    }
}

static void lint_bodies(lint *l)
{
    const mc_concept *c = l->c;
    double most = 0.0, least = INFINITY;
    int light = -1, heavy = -1;
    for (int b = 0; b < c->body_count; b++) {
        const double m = c->bodies[b].moments.mass;
        if (m > most)
            most = m, heavy = b;
        if (m > 0.0 && m < least)
            least = m, light = b;
    }
    if (light >= 0 && most > 1e5 * least)
        found(l, c->parts[c->bodies[light].part].place,
              "%s weighs %.3g kg and %s %.4g kg: a ratio above 1e5 makes the equations stiff",
              c->bodies[light].name, least, c->bodies[heavy].name, most);
    mc_concept_mass whole;
    mc_concept_whole(c, &whole);
    double unsprung = 0.0;
    for (int i = 0; i < c->part_count; i++)
        if (c->parts[i].kind == PART_WHEEL || c->parts[i].kind == PART_SUSPENSION)
            unsprung += c->parts[i].moments.mass;
    if (c->axle_count > 0 && (unsprung > 0.5 * whole.mass || unsprung < 0.03 * whole.mass))
        found(l, c->axles[0].place,
              "wheels and suspensions have %.1f %% of the mass; usual are 5 to 30 %%",
              100.0 * unsprung / whole.mass);
}

// Hardpoints against wheelbase and track.
static void lint_axles(lint *l)
{
    const mc_concept *c = l->c;
    mc_concept_dimensions d;
    mc_concept_mass whole;
    mc_concept_measure(c, &d);
    mc_concept_whole(c, &whole);
    for (int i = 0; i < c->edge_count; i++) {
        const concept_edge *e = &c->edges[i];
        const int part = e->to >= 0 && c->parts[e->to].kind == PART_SUSPENSION ? e->to : e->from;
        if (!e->template || part < 0 || c->parts[part].axle < 0)
            continue;
        const int axle = c->parts[part].axle;
        const concept_part *wheel = &c->parts[c->axles[axle].wheel[e->side < 0]];
        const double reach = c->axle_count > 1 ? 0.6 * d.wheelbase : 3.0;
        if (fabs(e->at[0] - wheel->centre[0]) > reach)
            found(l, c->axles[axle].place,
                  "%s of %s is %.3g m along x from its wheel, %.0f %% of "
                  "the wheelbase",
                  e->name, c->axles[axle].name, fabs(e->at[0] - wheel->centre[0]),
                  100.0 * fabs(e->at[0] - wheel->centre[0]) / d.wheelbase);
        if (fabs(e->at[1]) > fabs(wheel->centre[1]) + wheel->width)
            found(l, c->axles[axle].place,
                  "%s of %s is outside of its wheel: y = %.3g m, wheel "
                  "at %.3g m",
                  e->name, c->axles[axle].name, e->at[1], wheel->centre[1]);
    }
    for (int k = 0; k + 1 < c->axle_count; k++) {
        const concept_part *a = &c->parts[c->axles[k].wheel[0]];
        const concept_part *b = &c->parts[c->axles[k + 1].wheel[0]];
        if (a->centre[0] - b->centre[0] < a->radius + b->radius)
            found(l, c->axles[k + 1].place, "the wheels of %s and %s overlap", c->axles[k].name,
                  c->axles[k + 1].name);
    }
    if (c->axle_count > 1 &&
        (whole.centre[0] > d.axle[0].x || whole.centre[0] < d.axle[c->axle_count - 1].x))
        found(l, c->axles[0].place, "the mass centre, x = %.4g m, is not between the axles",
              whole.centre[0]);
}

// Springs against where they stand.
static void lint_springs(lint *l)
{
    const mc_concept *c = l->c;
    stand s;
    mc_error error;
    for (int i = 0; i < c->edge_count; i++) {
        const concept_edge *e = &c->edges[i];
        double d[3];
        for (int k = 0; k < 3; k++)
            d[k] = e->to_at[k] - e->at[k];
        const double drawn = vec3_norm(d);
        if (e->kind->class == CLASS_SPRING && e->stiffness > 0.0 && e->length > 3.0 * drawn)
            found(l, e->place, "%s is %.4g m long as drawn and %.4g m when relaxed", e->name, drawn,
                  e->length);
    }
    if (mc_concept_on_tyres(c) && stand_make(c, &s, &error) == MC_OK) {
        for (int i = 0; i < c->edge_count; i++) {
            const concept_edge *e = &c->edges[i];
            char name[CONCEPT_NAME + 16];
            snprintf(name, sizeof name, "%.90s.length", e->name);
            const double length = stand_output(&s, name);
            if (e->kind->class != CLASS_SPRING || isnan(length))
                continue;
            if (e->stiffness > 0.0 && e->length > 0.0 && length > e->length)
                found(l, e->place,
                      "%s is %.4g m long in equilibrium, longer than relaxed, %.4g m: "
                      "it pulls",
                      e->name, length, e->length);
            if (e->min > 0.0 && length < e->min)
                found(l, e->place, "%s is %.4g m long in equilibrium, at its stop, %.4g m", e->name,
                      length, e->min);
            if (e->max > 0.0 && length > e->max)
                found(l, e->place, "%s is %.4g m long in equilibrium, at its stop, %.4g m", e->name,
                      length, e->max);
        }
        stand_free(&s);
    } else if (mc_concept_on_tyres(c)) {
        stand_free(&s);
        found(l, error.line > 0 ? (concept_place){error.line, error.column} : c->axles[0].place,
              error.line > 0 ? "%.250s" : "there is no equilibrium: %.250s", error.text);
    }
}

int mc_concept_lint(const mc_concept *c, void (*finding)(void *context, const char *text),
                    void *context)
{
    lint l = {c, finding, context, 0};
    lint_parts(&l);
    lint_bodies(&l);
    if (c->axle_count > 0)
        lint_axles(&l);
    lint_springs(&l);
    return l.count;
}
