// print.c - a derived mechanism as text, in the language of mechanism files.
//
// The frame of a body has its origin at its joint and the axes of the vehicle as drawn, so that all
// coordinates are zero there; a free body's origin is that of the vehicle. The road is at z = 0.
#include "concept/road.h"
#include "concept/derive.h"

#include "base/gravity.h"
#include "num/vec3.h"

#include <stdlib.h>
#include <string.h>

typedef double triple[3];

static void number(FILE *out, double x)
{
    fprintf(out, "%.17g", x == 0.0 ? 0.0 : x);
}

// [x, y, z], less an origin.
static void vector(FILE *out, const double x[3], const double origin[3])
{
    putc('[', out);
    for (int i = 0; i < 3; i++) {
        // Differences of numbers with few digits: rounding is not structure.
        double d = x[i] - (origin ? origin[i] : 0.0);
        if (origin && fabs(d) < 1e-15 * (fabs(x[i]) + fabs(origin[i])))
            d = 0.0;
        number(out, d);
        fputs(i < 2 ? ", " : "]", out);
    }
}

static const char *name_of(const derivation *d, int body)
{
    return body < 0 ? "ground" : d->concept->bodies[body].name;
}

// Where the frame of a body is as drawn. The ground's is below the origin of the vehicle.
static void origin_of(const derivation *d, int body, double out[3])
{
    if (body >= 0) {
        memcpy(out, d->bodies[body].origin, sizeof(triple));
        return;
    }
    out[0] = out[1] = 0.0;
    out[2] = d->concept->ground;
}

// ---- bodies ----

static void print_joint(const derivation *d, const derive_body *b, FILE *out)
{
    const mc_concept *c = d->concept;
    const concept_edge *e = &c->edges[b->edge];
    double inner[3], axis[3];
    origin_of(d, b->inboard, inner);
    fprintf(out, "    inboard: %s\n    joint: %s\n    at: ", name_of(d, b->inboard),
            e->kind->joint);
    vector(out, e->at, inner);
    putc('\n', out);
    if (e->free) {
        fprintf(out, "    free: [%s]\n", e->free);
    } else if (strcmp(e->kind->joint, "ball") != 0) {
        for (int i = 0; i < 3; i++)
            axis[i] = b->reversed ? -e->axis[i] : e->axis[i];
        fputs("    axis: ", out);
        vector(out, axis, NULL);
        putc('\n', out);
    }
    if (e->stiffness != 0.0)
        fprintf(out, "    stiffness: %.17g\n", e->stiffness);
    if (e->damping != 0.0)
        fprintf(out, "    damping: %.17g\n", e->damping);
    if (e->rest != 0.0)
        fprintf(out, "    rest: %.17g\n", e->rest);
    if (e->load)
        fprintf(out, "    load: \"%s\"\n", e->load);
    if (e->start != 0.0 && !d->options->start)
        fprintf(out, "    start: {angle: %.17g}\n", e->start);
}

// What the options say of a body's start.
static void print_start(const derivation *d, const char *body, FILE *out)
{
    const mc_concept_options *o = d->options;
    const size_t length = strlen(body);
    bool any = false;
    for (int i = 0; i < o->start_count; i++) {
        const mc_concept_start *s = &o->start[i];
        if (strncmp(s->name, body, length) != 0 || s->name[length] != '.' || s->value == 0.0)
            continue;
        fprintf(out, "%s%s: %.17g", any ? ", " : "    start: {", s->name + length + 1, s->value);
        any = true;
    }
    fputs(any ? "}\n" : "", out);
}

static void print_mass(const concept_moments *m, const double origin[3], bool wheel, FILE *out)
{
    double com[3], I[6], size = 0.0;
    moments_centre(m, com);
    moments_inertia(m, I);
    for (int i = 0; i < 6; i++)
        size = fmax(size, fabs(I[i]));
    for (int i = 0; i < 6; i++) // what sums leave of a symmetry
        I[i] = fabs(I[i]) < 1e-13 * (size + m->mass) ? 0.0 : I[i];
    if (wheel) // round by definition
        I[2] = I[0], I[3] = I[4] = I[5] = 0.0;
    fprintf(out, "    mass: %.17g\n", m->mass);
    for (int i = 0; i < 3; i++)
        if (fabs(com[i] - origin[i]) < 1e-13)
            com[i] = origin[i];
    if (com[0] != origin[0] || com[1] != origin[1] || com[2] != origin[2]) {
        fputs("    com: ", out);
        vector(out, com, origin);
        putc('\n', out);
    }
    if (size > 0.0) {
        const int count = I[3] == 0.0 && I[4] == 0.0 && I[5] == 0.0 ? 3 : 6;
        fputs("    inertia: [", out);
        for (int i = 0; i < count; i++) {
            number(out, I[i]);
            fputs(i + 1 < count ? ", " : "]\n", out);
        }
    }
}

// false: no memory.
static bool print_bodies(const derivation *d, FILE *out)
{
    const mc_concept *c = d->concept;
    bool good = true;
    fputs("\nbodies:\n", out);
    for (int k = 0; k < d->order_count && good; k++) {
        const int index = d->order[k];
        const derive_body *b = &d->bodies[index];
        const concept_body *body = &c->bodies[index];
        fprintf(out, "  %s:\n", body->name);
        if (b->edge >= 0)
            print_joint(d, b, out);
        else if (b->boundary)
            fprintf(out,
                    "    joint: general\n    at: [0, 0, %.17g]\n"
                    "    free: [tx, ty, tz, rx, ry, rz]\n",
                    -c->ground == 0.0 ? 0.0 : -c->ground);
        else if (d->options->start)
            fputs("    joint: free\n", out);
        else
            fprintf(out, "    joint: free\n    start: {z: %.17g}\n",
                    c->ground == 0.0 ? 0.0 : -c->ground);
        print_start(d, body->name, out);
        if (d->options->target && body->wheel && c->axles[c->parts[body->part].axle].driven)
            derive_print_drive(d, c->parts[body->part].axle, out);
        if (body->moments.mass > 0.0)
            print_mass(&body->moments, b->origin, body->wheel, out);
        if (body->wheel)
            fputs("    axisymmetric: y\n", out);
        good = derive_print_shape(d, index, out);
    }
    return good;
}

// ---- points and springs ----

static void print_point(const derivation *d, const char *name, const char *end, int part,
                        const double at[3], FILE *out)
{
    double origin[3];
    const int body = derive_body_of(d, part);
    origin_of(d, body, origin);
    fprintf(out, "  %s%s: {body: %s, at: ", name, end, name_of(d, body));
    vector(out, at, origin);
    fputs("}\n", out);
}

bool derive_has_wheel(const derivation *d, int axle, int side)
{
    const concept_axle *a = &d->concept->axles[axle];
    return a->wheel[side] >= 0 && derive_body_of(d, a->wheel[side]) >= 0;
}

static void print_points(const derivation *d, FILE *out)
{
    const mc_concept *c = d->concept;
    bool any = c->point_count > 0;
    for (int i = 0; i < c->edge_count; i++)
        any = any || (d->used[i] && !c->edges[i].kind->joint);
    for (int k = 0; k < c->axle_count; k++)
        any = any || derive_has_wheel(d, k, 0);
    if (any)
        fputs("\npoints:\n", out);
    for (int i = 0; i < c->edge_count; i++) {
        const concept_edge *e = &c->edges[i];
        if (!d->used[i] || e->kind->joint)
            continue;
        print_point(d, e->name, "_from", e->from, e->at, out);
        print_point(d, e->name, "_to", e->to, e->to_at, out);
    }
    for (int k = 0; k < c->axle_count; k++)
        for (int side = 0; side < 2; side++) {
            const concept_axle *a = &c->axles[k];
            char tail[16];
            if (!derive_has_wheel(d, k, side))
                continue;
            const concept_part *wheel = &c->parts[a->wheel[side]];
            const double low[3] = {wheel->centre[0], wheel->centre[1],
                                   wheel->centre[2] - wheel->radius};
            snprintf(tail, sizeof tail, "_%s%c", a->suffix, "lr"[side]);
            print_point(d, "hub", tail, a->carrier[side], wheel->centre, out);
            print_point(d, "contact", tail, a->carrier[side], low, out);
        }
    for (int i = 0; i < c->point_count; i++)
        print_point(d, c->points[i].name, "", c->points[i].part, c->points[i].at, out);
}

// A formula with the spring's name for %1$s.
static void print_formula(const char *text, const char *name, FILE *out)
{
    static const char mark[] = "%1$s";
    for (const char *at = text; *at;) {
        if (strncmp(at, mark, sizeof mark - 1) == 0) {
            fputs(name, out);
            at += sizeof mark - 1;
        } else {
            putc(*at++, out);
        }
    }
}

static void print_springs(const derivation *d, FILE *out)
{
    const mc_concept *c = d->concept;
    bool any = false;
    for (int i = 0; i < c->edge_count; i++) {
        const concept_edge *e = &c->edges[i];
        if (!d->used[i] || e->kind->class != CLASS_SPRING)
            continue;
        fputs(any ? "" : "\nsprings:\n", out);
        any = true;
        fprintf(out, "  %s: {from: %s_from, to: %s_to", e->name, e->name, e->name);
        if (e->stiffness != 0.0)
            fprintf(out, ", stiffness: %.17g", e->stiffness);
        if (e->stiffness != 0.0 && e->length != 0.0)
            fprintf(out, ", length: %.17g", e->length);
        if (e->damping != 0.0)
            fprintf(out, ", damping: %.17g", e->damping);
        if (e->force) {
            fputs(", force: \"", out);
            print_formula(e->force, e->name, out);
            putc('"', out);
        }
        fputs("}\n", out);
    }
}

// ---- joints beside the tree ----

static void print_closings(const derivation *d, FILE *out)
{
    const mc_concept *c = d->concept;
    bool any = false;
    for (int i = 0; i < c->edge_count; i++) {
        const concept_edge *e = &c->edges[i];
        if (!d->used[i] || d->in_tree[i] || !e->kind->joint)
            continue;
        double from[3], to[3], between[3];
        const int a = derive_body_of(d, e->from), b = derive_body_of(d, e->to);
        origin_of(d, a, from);
        origin_of(d, b, to);
        fputs(any ? "" : "\njoints:\n", out);
        any = true;
        fprintf(out, "  %s: {joint: %s, from: %s, at: ", e->name, e->kind->joint, name_of(d, a));
        vector(out, e->at, from);
        fprintf(out, ", to: %s, to_at: ", name_of(d, b));
        vector(out, e->to_at, to);
        if (strcmp(e->kind->joint, "distance") == 0) {
            for (int k = 0; k < 3; k++)
                between[k] = e->to_at[k] - e->at[k];
            fprintf(out, ", length: %.17g", vec3_norm(between));
        }
        if (e->kind->keys & (1u << CONNECTION_AXIS)) {
            fputs(", axis: ", out);
            vector(out, e->axis, NULL);
        }
        if (e->kind->keys & (1u << CONNECTION_TO_AXIS)) {
            fputs(", to_axis: ", out);
            vector(out, e->to_axis, NULL);
        }
        if (e->free)
            fprintf(out, ", free: [%s]", e->free);
        fputs("}\n", out);
    }
}

static const char *const coordinates[] = {"tx", "ty", "tz", "rx", "ry", "rz"};

// What a boundary's coordinate follows: a formula of the options, or a polynomial of inputs about
// the time NAME_at.
static void print_motion(const derivation *d, const char *body, FILE *out)
{
    const mc_concept_options *o = d->options;
    for (int k = 0; k < 6; k++) {
        char name[CONCEPT_NAME + 8];
        snprintf(name, sizeof name, "%.90s.%s=", body, coordinates[k]);
        fprintf(out, "  drive_%s_%s: {position: \"%s.%s", body, coordinates[k], body,
                coordinates[k]);
        for (int i = 0; i < o->motion_count; i++)
            if (strncmp(o->motion[i], name, strlen(name)) == 0)
                fprintf(out, " - (%s)", o->motion[i] + strlen(name));
        if (o->recorded) {
            fprintf(out, " - (%s_%s_0", body, coordinates[k]);
            for (int n = 1; n < CONCEPT_RECORDED; n++)
                fprintf(out, " + (t - %s_at)*(%s_%s_%d", body, body, coordinates[k], n);
            for (int n = 0; n < CONCEPT_RECORDED; n++)
                putc(')', out);
        }
        fputs("\"}\n", out);
    }
}

static void print_constraints(const derivation *d, FILE *out)
{
    const mc_concept *c = d->concept;
    bool any = false;
    for (int i = 0; i < c->constraint_count; i++) {
        const int body = derive_body_of(d, c->constraints[i].part);
        if (body < 0)
            continue;
        fputs(any ? "" : "\nconstraints:\n", out);
        any = true;
        fprintf(out, "  %s: {position: \"%s.angle - %s\"}\n", c->constraints[i].name,
                name_of(d, body), c->constraints[i].angle);
    }
    for (int b = 0; b < c->body_count; b++)
        if (d->bodies[b].boundary) {
            fputs(any ? "" : "\nconstraints:\n", out);
            any = true;
            print_motion(d, c->bodies[b].name, out);
        }
}

// ---- forces ----

// A number of a bushing in a formula: a parameter, or 0.
static void bushing_number(const concept_edge *e, int i, bool damper, char out[CONCEPT_NAME + 24])
{
    if ((damper ? e->damping_3 : e->stiffness_3)[i] == 0.0)
        snprintf(out, CONCEPT_NAME + 24, "0");
    else
        snprintf(out, CONCEPT_NAME + 24, "%.90s_%s_%c", e->name, damper ? "damping" : "stiffness",
                 "xyz"[i]);
}

// F = -sum k_i (d . e_i) e_i along the axes e of `from`; both act at the end on `to`, so that no
// moment is made.
static void print_bushing(const derivation *d, const concept_edge *e, FILE *out)
{
    const char *from = name_of(d, derive_body_of(d, e->from));
    const bool ground = derive_body_of(d, e->from) < 0;
    fprintf(out, "  %s_force: \"", e->name);
    for (int i = 0; i < 3; i++) {
        char axis[CONCEPT_NAME + 16], k[CONCEPT_NAME + 24], damper[CONCEPT_NAME + 24];
        bushing_number(e, i, false, k);
        bushing_number(e, i, true, damper);
        if (ground)
            snprintf(axis, sizeof axis, "[%d, %d, %d]", i == 0, i == 1, i == 2);
        else
            snprintf(axis, sizeof axis, "%s.%c_axis", from, "xyz"[i]);
        fprintf(out,
                "%s(%s*dot(%s_to.position - %s_from.position, %s) + %s*dot(%s_to.velocity - "
                "%s_from.velocity, %s))*%s",
                i ? " - " : "-", k, e->name, e->name, axis, damper, e->name, e->name, axis, axis);
    }
    fputs("\"\n", out);
}

static bool any_bushing(const derivation *d)
{
    for (int i = 0; i < d->concept->edge_count; i++)
        if (d->used[i] && d->concept->edges[i].kind->class == CLASS_BUSHING)
            return true;
    return false;
}

static void print_bushings(const derivation *d, FILE *out)
{
    const mc_concept *c = d->concept;
    if (!any_bushing(d))
        return;
    fputs("\nvariables:\n", out);
    for (int i = 0; i < c->edge_count; i++)
        if (d->used[i] && c->edges[i].kind->class == CLASS_BUSHING)
            print_bushing(d, &c->edges[i], out);
}

// Whether a wheel stands on a tyre spring of the mechanism.
static bool has_tyre(const derivation *d, int axle, int side)
{
    return !d->options->vehicle && !d->options->wheels && !d->options->axle &&
           d->concept->axles[axle].tyre_stiffness > 0.0 && derive_has_wheel(d, axle, side);
}

// The rest of the force of a tyre on a road that is not plane.
static void print_road(const mc_concept *c, const concept_axle *a, const concept_part *wheel,
                       int side, const char *n, FILE *out)
{
    const double dx = wheel->centre[0] - c->parts[c->axles[0].wheel[0]].centre[0];
    fputs(" + ", out);
    road_print(c->road, dx, side, false, out);
    fputs(")", out);
    if (a->tyre_damping > 0.0) {
        fprintf(out, " - tyre_%s_damping*(hub_%s.velocity.z - (", a->name, n);
        road_print(c->road, dx, side, true, out);
        fputs("))", out);
    }
}

static void print_forces(const derivation *d, FILE *out)
{
    const mc_concept *c = d->concept;
    bool any = false;
    for (int k = 0; k < c->axle_count; k++)
        for (int side = 0; side < 2; side++) {
            const concept_axle *a = &c->axles[k];
            if (!has_tyre(d, k, side))
                continue;
            const concept_part *wheel = &c->parts[a->wheel[side]];
            char n[16];
            snprintf(n, sizeof n, "%s%c", a->suffix, "lr"[side]);
            fputs(any ? "" : "\nforces:\n", out);
            any = true;
            fprintf(out,
                    "  tyre_%s: {point: hub_%s, force: [0, 0, \"max(tyre_%s_stiffness*(%.17g + "
                    "road_%s - hub_%s.position.z",
                    n, n, a->name, wheel->radius, n, n);
            if (c->road)
                print_road(c, a, wheel, side ? -1 : 1, n, out);
            else if (a->tyre_damping > 0.0)
                fprintf(out, ") - tyre_%s_damping*hub_%s.velocity.z", a->name, n);
            else
                fputs(")", out);
            fputs(", 0)\"]}\n", out);
            if (a->tyre_lateral > 0.0)
                fprintf(out,
                        "  side_%s: {point: contact_%s, force: [0, \"-tyre_%s_lateral*(contact_%s."
                        "position.y - %.17g)\", 0]}\n",
                        n, n, a->name, n, wheel->centre[1]);
        }
    for (int i = 0; i < c->edge_count; i++) {
        const concept_edge *e = &c->edges[i];
        if (!d->used[i] || e->kind->class != CLASS_BUSHING)
            continue;
        fputs(any ? "" : "\nforces:\n", out);
        any = true;
        if (derive_body_of(d, e->to) >= 0)
            fprintf(out, "  %s_on_to: {point: %s_to, force: %s_force}\n", e->name, e->name,
                    e->name);
        if (derive_body_of(d, e->from) >= 0)
            fprintf(out, "  %s_on_from: {point: %s_from, force: \"-1*%s_force\"}\n", e->name,
                    e->name, e->name);
    }
    any = false;
    for (int i = 0; i < c->edge_count; i++) {
        const concept_edge *e = &c->edges[i];
        if (!d->used[i] || e->kind->class != CLASS_BUSHING || derive_body_of(d, e->from) < 0)
            continue;
        fputs(any ? "" : "\ntorques:\n", out);
        any = true;
        fprintf(out,
                "  %s_moment: {body: %s, torque: \"cross(%s_force, %s_to.position - "
                "%s_from.position)\"}\n",
                e->name, name_of(d, derive_body_of(d, e->from)), e->name, e->name, e->name);
    }
}

// ---- the file ----

static void print_parameter(const char *owner, const char *word, double value, const char *unit,
                            bool *any, FILE *out)
{
    if (value == 0.0)
        return;
    fputs(*any ? "" : "\nparameters:\n", out);
    *any = true;
    fprintf(out, "  %s_%s: {value: %.17g %s}\n", owner, word, value, unit);
}

// What is in formulas and yet can change: tyres, degressive dampers, bushings, bumps.
static void print_parameters(const derivation *d, FILE *out)
{
    const mc_concept *c = d->concept;
    bool any = false, tyres = false;
    for (int k = 0; k < c->axle_count; k++) {
        const concept_axle *a = &c->axles[k];
        char owner[CONCEPT_NAME + 8];
        if (!has_tyre(d, k, 0) && !has_tyre(d, k, 1))
            continue;
        if (k > 0 && strcmp(a->name, c->axles[k - 1].name) == 0)
            continue; // the second of a tandem
        tyres = true;
        snprintf(owner, sizeof owner, "tyre_%s", a->name);
        print_parameter(owner, "stiffness", a->tyre_stiffness, "N/m", &any, out);
        print_parameter(owner, "damping", a->tyre_damping, "N*s/m", &any, out);
        print_parameter(owner, "lateral", a->tyre_lateral, "N/m", &any, out);
    }
    for (int i = 0; i < c->edge_count; i++)
        if (d->used[i] && c->edges[i].kind->class == CLASS_SPRING)
            print_parameter(c->edges[i].name, "damping", c->edges[i].degressive, "N*s/m", &any,
                            out);
    for (int i = 0; i < c->edge_count; i++)
        for (int k = 0; k < 6 && d->used[i]; k++) {
            const concept_edge *e = &c->edges[i];
            char word[16];
            if (e->kind->class != CLASS_BUSHING)
                break;
            snprintf(word, sizeof word, "%s_%c", k < 3 ? "stiffness" : "damping", "xyz"[k % 3]);
            print_parameter(e->name, word, k < 3 ? e->stiffness_3[k] : e->damping_3[k - 3],
                            k < 3 ? "N/m" : "N*s/m", &any, out);
        }
    if (tyres && c->road && c->road->count > 0) {
        fputs(any ? "" : "\nparameters:\n", out);
        road_print_parameters(c->road, out);
    }
}

static void print_inputs(const derivation *d, FILE *out)
{
    const mc_concept *c = d->concept;
    bool any = false, rack = false;
    for (int b = 0; b < c->body_count; b++)
        rack = rack || (d->bodies[b].used && strcmp(c->bodies[b].name, "rack") == 0);
    if (rack && c->has_rack) {
        fputs("\ninputs:\n  rack_to: {value: 0, unit: m, doc: \"where the rack is told to go; "
              "positive steers left\"}\n",
              out);
        any = true;
    }
    for (int k = 0; k < c->axle_count; k++)
        for (int side = 0; side < 2; side++)
            if (has_tyre(d, k, side)) {
                fprintf(out,
                        "%s  road_%s%c: {value: 0, unit: m, doc: \"height of the road under the "
                        "wheel\"}\n",
                        any ? "" : "\ninputs:\n", c->axles[k].suffix, "lr"[side]);
                any = true;
            }
    for (int b = 0; b < c->body_count && d->options->recorded; b++) {
        if (!d->bodies[b].boundary)
            continue;
        fputs(any ? "" : "\ninputs:\n", out);
        any = true;
        fprintf(out, "  %s_at: {value: 0, unit: s}\n", c->bodies[b].name);
        for (int k = 0; k < 6; k++)
            for (int n = 0; n < CONCEPT_RECORDED; n++)
                fprintf(out, "  %s_%s_%d: {value: 0, unit: %s%s%.0d}\n", c->bodies[b].name,
                        coordinates[k], n, k < 3 ? "m" : "rad", n ? "/s^" : "", n);
    }
}

// Whether the whole vehicle stands on its tyre springs, as drawn.
static bool stands(const derivation *d)
{
    const mc_concept *c = d->concept;
    bool all = c->axle_count > 1 && !d->options->only && !d->options->start;
    for (int k = 0; k < 2 * c->axle_count; k++)
        all = all && has_tyre(d, k / 2, k % 2);
    return all;
}

static void print_simulate(const derivation *d, FILE *out)
{
    const mc_concept *c = d->concept;
    const bool rest = stands(d) && !c->as_drawn;
    if (!(c->end > 0.0) && !(c->step > 0.0) && !rest)
        return;
    fputs("\nsimulate: {", out);
    if (c->end > 0.0)
        fprintf(out, "end: %.17g%s", c->end, c->step > 0.0 || rest ? ", " : "");
    if (c->step > 0.0)
        fprintf(out, "step: %.17g%s", c->step, rest ? ", " : "");
    fputs(rest ? "from: rest}\n" : "}\n", out);
}

mc_status derive_print(const derivation *d, FILE *out, mc_error *error)
{
    const mc_concept *c = d->concept;
    fprintf(out,
            "# derived from a concept\nmotorcade: multibody\nname: %s\ngravity: [0, 0, %.17g]\n",
            c->name, -GRAVITY);
    print_parameters(d, out);
    print_inputs(d, out);
    const bool good = print_bodies(d, out);
    print_points(d, out);
    print_springs(d, out);
    print_closings(d, out);
    print_constraints(d, out);
    derive_print_ground(d, out);
    print_bushings(d, out);
    print_forces(d, out);
    print_simulate(d, out);
    if (d->options->tail)
        fprintf(out, "\n%s\n", d->options->tail);
    if (good && !ferror(out))
        return MC_OK;
    return mc_error_set(error, MC_NO_MEMORY, c->file, 0, 0, "no memory for the mechanism");
}
