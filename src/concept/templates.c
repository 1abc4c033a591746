// templates.c - the list of suspension templates, and what they are built with.
#include "concept/template.h"

#include "concept/reader.h"
#include "shape/solid.h"
#include "num/vec3.h"

#include <stdio.h>
#include <string.h>

extern const suspension_template template_double_wishbone, template_macpherson, template_swing_arm,
    template_trailing_arm, template_dependent_swing_arm, template_live_axle_leaf,
    template_live_axle_links, template_live_axle_longitudinal, template_walking_tandem,
    template_generalized_independent, template_generalized_dependent;

static const suspension_template *const list[] = {
    &template_double_wishbone,
    &template_macpherson,
    &template_swing_arm,
    &template_trailing_arm,
    &template_dependent_swing_arm,
    &template_live_axle_leaf,
    &template_live_axle_links,
    &template_live_axle_longitudinal,
    &template_walking_tandem,
    &template_generalized_independent,
    &template_generalized_dependent,
};

const suspension_template *template_at(int i)
{
    return i >= 0 && (size_t)i < sizeof list / sizeof list[0] ? list[i] : NULL;
}

// ---- names and places ----

static int point_index(const suspension *s, const char *name)
{
    for (int i = 0; i < TEMPLATE_POINTS_MAX && s->kind->points[i].name; i++)
        if (strcmp(s->kind->points[i].name, name) == 0)
            return i;
    return -1;
}

bool template_has(const suspension *s, const char *name)
{
    const int i = point_index(s, name);
    return i >= 0 && s->has_point[i];
}

const double *template_place(const suspension *s, const char *name, const double other[3])
{
    const int i = point_index(s, name);
    return i >= 0 && s->has_point[i] ? s->point[i] : other;
}

static void on_side(const suspension *s, const double x[3], double out[3])
{
    memcpy(out, x, 3 * sizeof out[0]);
    if (s->side < 0)
        out[1] = -out[1];
}

// NAME_fl, NAME_f.
static const char *name_of(suspension *s, const char *name)
{
    return concept_text(s->concept, "%s_%s%s", name, s->suffix,
                        s->side > 0   ? "l"
                        : s->side < 0 ? "r"
                                      : "");
}

static int add_body(suspension *s, const char *name)
{
    concept_part *part = concept_add_part(s->concept);
    if (!part) {
        reader_no_memory(s->r);
        return 0;
    }
    part->name = part->label = name_of(s, name);
    part->assembly = -1;
    part->kind = PART_SUSPENSION;
    part->axle = s->axle;
    part->side = s->side;
    part->mesh.memory = &s->concept->memory;
    part->place = (concept_place){s->node->line, s->node->column};
    return s->concept->part_count - 1;
}

int template_frame(suspension *s, const char *name)
{
    return add_body(s, name);
}

// ---- parts ----

// Bars from the first hardpoint to the others, for pictures.
static void draw(suspension *s, concept_part *part, int count, const double (*place)[3])
{
    (void)s;
    for (int i = 1; i < count; i++) {
        double d[3];
        concept_pose pose = concept_pose_none;
        for (int k = 0; k < 3; k++)
            d[k] = place[i][k] - place[0][k];
        const double length = vec3_norm(d);
        if (!(length > 1e-6))
            continue;
        double across[3] = {0, 0, 1}, third[3];
        if (fabs(d[2]) > 0.9 * length)
            across[1] = 1.0, across[2] = 0.0;
        vec3_cross(across, d, third);
        const double size = vec3_norm(third);
        for (int k = 0; k < 3; k++)
            d[k] /= length, third[k] /= size;
        vec3_cross(d, third, across);
        for (int k = 0; k < 3; k++) {
            pose.R[3 * k] = d[k], pose.R[3 * k + 1] = third[k], pose.R[3 * k + 2] = across[k];
            pose.at[k] = (place[i][k] + place[0][k]) / 2.0;
        }
        concept_mesh bar = {.memory = part->mesh.memory};
        solid_box_skin((const double[]){length, 0.03, 0.03}, &bar);
        skin_move(&bar, &pose);
        for (int t = 0; t < bar.count; t++)
            skin_triangle(&part->mesh, bar.triangle[t], bar.triangle[t] + 3, bar.triangle[t] + 6);
    }
}

int template_body(suspension *s, const char *name, int count, const char *const *points)
{
    double place[TEMPLATE_POINTS_MAX][3], centre[3] = {0};
    const int index = add_body(s, name);
    concept_part *part = &s->concept->parts[index];
    if (s->r->status != MC_OK)
        return 0;
    int row = 0;
    while (row < TEMPLATE_PARTS_MAX && s->kind->parts[row].name &&
           strcmp(s->kind->parts[row].name, name) != 0)
        row++;
    for (int i = 0; i < count; i++) {
        on_side(s, template_place(s, points[i], centre), place[i]);
        if (s->side == 0)
            place[i][1] = 0.0; // what both sides share is in the middle
    }
    if (row == TEMPLATE_PARTS_MAX || !s->part[row].given)
        return index;
    // Equal masses at the hardpoints, unless the file says more.
    concept_moments even = {0};
    for (int i = 0; i < count; i++)
        moments_point(&even, s->part[row].mass / count, place[i]);
    moments_centre(&even, centre);
    double com[3], inertia[6];
    memcpy(com, centre, sizeof com);
    if (s->part[row].centred)
        on_side(s, s->part[row].com, com);
    moments_inertia(&even, inertia);
    // A point becomes a ball of 0.1 m; an axle a rod from wheel to wheel.
    for (int k = 0; k < 3; k++)
        inertia[k] += s->part[row].mass * 0.004;
    const double *wheel = template_place(s, "wheel", NULL);
    for (int k = 0; k < 3 && s->side == 0 && count == 1; k += 2)
        inertia[k] += s->part[row].mass * wheel[1] * wheel[1] / 3.0;
    if (s->part[row].inertia_given) {
        memcpy(inertia, s->part[row].inertia, sizeof inertia);
        if (s->side < 0)
            inertia[3] = -inertia[3], inertia[5] = -inertia[5];
    }
    part->moments = moments_of_body(s->part[row].mass, com, inertia);
    draw(s, part, count, (const double(*)[3])place);
    return index;
}

// ---- connections ----

concept_edge *template_edge(suspension *s, const char *name, const char *kind, int from, int to,
                            const double at[3])
{
    concept_edge *e = concept_add_edge(s->concept);
    if (!e) {
        reader_no_memory(s->r);
        e = &s->lost;
    }
    *e = (concept_edge){.name = name_of(s, name),
                        .kind = connection_kind_find(kind),
                        .from = from,
                        .to = to,
                        .template = true,
                        .side = s->side,
                        .place = {s->node->line, s->node->column}};
    on_side(s, at, e->at);
    memcpy(e->to_at, e->at, sizeof e->to_at);
    return e;
}

// As a vector of rotation: its angle means the same on both sides.
void template_axis(const suspension *s, concept_edge *e, const double from[3], const double to[3])
{
    double d[3];
    for (int i = 0; i < 3; i++)
        d[i] = to[i] - from[i];
    const double size = vec3_norm(d);
    if (!(size > 1e-9)) {
        reader_reject(s->r, s->node, "the axis of %s has no direction: its two hardpoints coincide",
                      e->name);
        return;
    }
    for (int i = 0; i < 3; i++)
        e->axis[i] = (s->side < 0 && i != 1 ? -d[i] : d[i]) / size;
}

void template_hinge(suspension *s, const char *name, int from, int to, const double a[3],
                    const double b[3])
{
    concept_edge *e = template_edge(s, name, "hinge", from, to, a);
    template_axis(s, e, a, b);
}

void template_rod(suspension *s, const char *name, int from, const double a[3], int to,
                  const double b[3])
{
    concept_edge *e = template_edge(s, name, "distance", from, to, a);
    on_side(s, b, e->to_at);
    double d[3];
    for (int i = 0; i < 3; i++)
        d[i] = e->to_at[i] - e->at[i];
    if (!(vec3_norm(d) > 1e-6))
        reader_reject(s->r, s->node, "the ends of %s coincide: a rod needs a length", e->name);
}

static void add_spring(suspension *s, const char *name, int from, const double top[3], int to,
                       const double low[3], const template_spring *law)
{
    concept_edge *e = template_edge(s, name, "spring", from, to, top);
    double d[3];
    on_side(s, low, e->to_at);
    for (int i = 0; i < 3; i++)
        d[i] = e->to_at[i] - e->at[i];
    if (!(vec3_norm(d) > 1e-6)) {
        reader_reject(s->r, s->node, "the ends of %s coincide: it has no direction", e->name);
        return;
    }
    concept_spring_law(s->concept, e, law);
    if (strcmp(name, "spring") == 0 && s->side != 0)
    s->concept->axles[s->axle].spring[s->side < 0] = e->name;
}

void template_springs(suspension *s, int from, const double top[3], int to, const double low[3],
                      const double damper_top[3], const double damper_low[3])
{
    if (s->spring.given)
        add_spring(s, "spring", from, top, to, low, &s->spring);
    if (s->damper.given)
        add_spring(s, "damper", from, damper_top, to, damper_low, &s->damper);
}

// A dual wheel is one body: two wheels side by side.
void template_wheel_on(suspension *s, int carrier, const double centre[3], int axle)
{
    mc_concept *c = s->concept;
    const template_wheel *w = &s->wheel;
    const char *before = s->suffix;
    s->suffix = c->axles[axle].suffix;
    const int index = add_body(s, "wheel");
    concept_part *part = &c->parts[index];
    if (s->r->status != MC_OK)
        return;
    const double count = w->dual > 0.0 ? 2.0 : 1.0, across = w->mass * w->dual * w->dual / 4.0;
    double at[3];
    on_side(s, centre, at);
    const double inertia[6] = {
        count * (w->across + across), count * w->spin, count * (w->across + across), 0, 0, 0};
    part->kind = PART_WHEEL;
    part->axle = axle;
    part->moments = moments_of_body(count * w->mass, at, inertia);
    part->radius = w->radius;
    part->width = w->width + w->dual;
    memcpy(part->centre, at, sizeof at);
    concept_pose pose = {{at[0], at[1], at[2]}, {0, 1, 0, 1, 0, 0, 0, 0, -1}}; // x to y
    solid_cylinder_skin(w->radius, 0.0, part->width, &part->mesh);
    skin_move(&part->mesh, &pose);
    concept_edge *e = template_edge(s, "spin", "hinge", carrier, index, centre);
    e->axis[0] = 0.0, e->axis[1] = 1.0, e->axis[2] = 0.0;
    c->axles[axle].wheel[s->side < 0] = index;
    c->axles[axle].carrier[s->side < 0] = carrier;
    s->suffix = before;
}

// ---- tables ----

static const char *table_text(suspension *s, const template_table *t, const char *x, double sign)
{
    char text[4000];
    snprintf(text, sizeof text, "table(%s", x);
    for (int i = 0; i < t->count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "; %.17g, %.17g", t->x[i],
                 sign * t->y[i]);
    return concept_text(s->concept, "%s)", text);
}

void template_follow(suspension *s, concept_edge *hinge, const template_table *table,
                     const char *travel, double sign)
{
    const char *text = table_text(s, table, travel, sign);
    if (table->compliance > 0.0) {
        hinge->stiffness = 1.0 / table->compliance;
        hinge->load = concept_text(s->concept, "%.17g*%s", hinge->stiffness, text);
        return;
    }
    concept_constraint *c = concept_add_constraint(s->concept);
    if (c)
        *c = (concept_constraint){concept_text(s->concept, "%s_follows", hinge->name), hinge->to,
                                  text};
    else
        reader_no_memory(s->r);
}
