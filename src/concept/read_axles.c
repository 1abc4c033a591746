// read_axles.c - axles: a template, its hardpoints and masses, springs, wheels.
#include "concept/reader.h"

#include "num/vec3.h"

#include <stdio.h>
#include <string.h>

// ---- names of the template ----

static void read_points(concept_reader *r, const yaml_node *map, suspension *s)
{
    const yaml_node *each = concept_each(r, map, "hardpoints");
    const char *names[TEMPLATE_POINTS_MAX];
    double origin[3] = {0};
    int count = 0;
    concept_vector_key(r, map, "at", origin);
    for (; count < TEMPLATE_POINTS_MAX && s->kind->points[count].name; count++)
        names[count] = s->kind->points[count].name;
    for (const yaml_node *n = each ? each->first : NULL; n && r->base.status == MC_OK;
         n = n->next) {
        int i = 0;
        while (i < count && strcmp(names[i], n->key->text) != 0)
            i++;
        if (i == count) {
            char what[80];
            snprintf(what, sizeof what, "hardpoint of %s", s->kind->name);
            reader_unknown(&r->base, n->key, what, names, count);
            return;
        }
        concept_vector(r, n, "m", s->point[i]);
        for (int k = 0; k < 3; k++)
            s->point[i][k] += origin[k];
        s->has_point[i] = true;
    }
    for (int i = 0; i < count && r->base.status == MC_OK; i++)
        if (!s->has_point[i] && !s->kind->points[i].optional)
            reader_reject(&r->base, map->key, "%s needs the hardpoint %s (%s)", s->kind->name,
                          names[i], s->kind->points[i].doc);
    const double *wheel = template_place(s, "wheel", NULL);
    if (r->base.status == MC_OK && !(wheel[1] > 0.0))
        reader_reject(&r->base, yaml_find(each, "wheel"),
                      "the wheel is at y = %.9g m: give the left side, y above 0", wheel[1]);
}

static void read_parts(concept_reader *r, const yaml_node *map, suspension *s)
{
    const yaml_node *each = concept_each(r, map, "parts");
    const char *names[TEMPLATE_PARTS_MAX];
    double origin[3] = {0};
    int count = 0;
    concept_vector_key(r, map, "at", origin);
    for (; count < TEMPLATE_PARTS_MAX && s->kind->parts[count].name; count++)
        names[count] = s->kind->parts[count].name;
    for (const yaml_node *n = each ? each->first : NULL; n && r->base.status == MC_OK;
         n = n->next) {
        int i = 0;
        while (i < count && strcmp(names[i], n->key->text) != 0)
            i++;
        if (i == count) {
            char what[80];
            snprintf(what, sizeof what, "part of %s", s->kind->name);
            reader_unknown(&r->base, n->key, what, names, count);
            return;
        }
        if (!concept_check_keys(r, n, CONCEPT_LINK))
            return;
        const yaml_node *inertia = reader_get(&r->base, n, "inertia");
        s->part[i].given = true;
        s->part[i].mass = concept_number(r, n, CONCEPT_LINK, "mass", 0.0);
        s->part[i].centred = concept_vector_key(r, n, "at", s->part[i].com);
        for (int k = 0; k < 3; k++)
            s->part[i].com[k] += origin[k];
        s->part[i].inertia_given = inertia != NULL;
        if (inertia)
            concept_inertia(r, inertia, s->part[i].inertia);
    }
    for (int i = 0; i < count && r->base.status == MC_OK; i++)
        if (!s->part[i].given && !s->kind->parts[i].optional)
            reader_reject(&r->base, map->key, "%s needs the mass of %s, under parts", s->kind->name,
                          names[i]);
}

// ---- springs and wheels ----

static void read_spring(concept_reader *r, const yaml_node *map, template_spring *out)
{
    const yaml_node *n = reader_get(&r->base, map, "spring");
    if (!n || !concept_check_keys(r, n, CONCEPT_SPRING))
        return;
    const yaml_node *curve = reader_get(&r->base, n, "curve");
    const yaml_node *stiffness = reader_get(&r->base, n, "stiffness");
    const yaml_node *length = reader_get(&r->base, n, "length");
    const yaml_node *preload = reader_get(&r->base, n, "preload");
    out->given = true;
    out->stiffness = concept_number(r, n, CONCEPT_SPRING, "stiffness", 0.0);
    out->length = concept_number(r, n, CONCEPT_SPRING, "length", 0.0);
    out->preload = concept_number(r, n, CONCEPT_SPRING, "preload", 0.0);
    out->preloaded = preload != NULL;
    out->min = concept_number(r, n, CONCEPT_SPRING, "min", 0.0);
    out->max = concept_number(r, n, CONCEPT_SPRING, "max", 0.0);
    concept_table(r, curve, "m", "N", &out->curve);
    if (r->base.status != MC_OK)
        return;
    if (!curve == !stiffness)
        reader_reject(&r->base, n->key, "a spring needs either stiffness or curve");
    if (!length == !preload)
        reader_reject(&r->base, n->key, "a spring needs either length or preload");
    if (curve && preload)
        reader_reject(&r->base, preload->key, "a spring with a curve needs length, not preload");
    if (stiffness && !(out->stiffness > 0.0))
        reader_reject(&r->base, stiffness,
                      "a spring of stiffness 0 carries nothing: the axle cannot reach equilibrium");
    if (out->min > 0.0 && out->max > 0.0 && !(out->max > out->min))
        reader_reject(&r->base, reader_get(&r->base, n, "max"),
                      "the longest length, %.9g m, is not above the shortest, %.9g m", out->max,
                      out->min);
    const int last = out->curve.count - 1;
    const double slope = curve && last > 0 ? (out->curve.y[last] - out->curve.y[last - 1]) /
                                                 (out->curve.x[last] - out->curve.x[last - 1])
                                           : out->stiffness;
    out->stop = concept_number(r, n, CONCEPT_SPRING, "stop_stiffness", 10.0 * fabs(slope));
}

static void read_damper(concept_reader *r, const yaml_node *map, template_spring *out)
{
    const yaml_node *n = reader_get(&r->base, map, "damper");
    if (!n || !concept_check_keys(r, n, CONCEPT_DAMPER))
        return;
    out->given = true;
    out->damping = concept_number(r, n, CONCEPT_DAMPER, "damping", 0.0);
    out->bump = concept_number(r, n, CONCEPT_DAMPER, "degressive_bump", 0.0);
    out->rebound = concept_number(r, n, CONCEPT_DAMPER, "degressive_rebound", 0.0);
}

static void read_wheel(concept_reader *r, const yaml_node *map, suspension *s, concept_axle *axle)
{
    const yaml_node *n = reader_get(&r->base, map, "wheel");
    template_wheel *w = &s->wheel;
    if (!concept_check_keys(r, n, CONCEPT_WHEEL))
        return;
    w->radius = concept_number(r, n, CONCEPT_WHEEL, "radius", 0.0);
    w->width = concept_number(r, n, CONCEPT_WHEEL, "width", 0.0);
    w->mass = concept_number(r, n, CONCEPT_WHEEL, "mass", 0.0);
    w->dual = concept_number(r, n, CONCEPT_WHEEL, "dual", 0.0);
    w->spin = w->mass * w->radius * w->radius / 2.0;
    w->across = w->mass * (3.0 * w->radius * w->radius + w->width * w->width) / 12.0;
    const yaml_node *inertia = reader_get(&r->base, n, "inertia");
    if (inertia && reader_is_list(&r->base, inertia, 2, 2)) {
        w->across = concept_number_at(r, inertia->first, "kg*m^2");
        w->spin = concept_number_at(r, inertia->first->next, "kg*m^2");
        if (r->base.status == MC_OK &&
            (w->across < 0.0 || w->spin < 0.0 || w->spin > 2.0 * w->across * (1.0 + 1e-9)))
            reader_reject(&r->base, inertia,
                          "no wheel has the inertia %.9g across and %.9g about its axle: expected "
                          "above 0, and the second at most twice the first",
                          w->across, w->spin);
    }
    if (r->base.status == MC_OK && w->dual > 0.0 && w->dual < w->width)
        reader_reject(&r->base, reader_get(&r->base, n, "dual"),
                      "dual wheels %.9g m apart overlap: they are %.9g m wide", w->dual, w->width);
    const yaml_node *tyre = reader_get(&r->base, n, "tyre");
    if (!tyre || !concept_check_keys(r, tyre, CONCEPT_TYRE))
        return;
    const double count = w->dual > 0.0 ? 2.0 : 1.0;
    axle->tyre_stiffness = count * concept_number(r, tyre, CONCEPT_TYRE, "stiffness", 0.0);
    axle->tyre_damping = count * concept_number(r, tyre, CONCEPT_TYRE, "damping", 0.0);
    axle->tyre_lateral = count * concept_number(r, tyre, CONCEPT_TYRE, "lateral", 0.0);
}

static void read_tables(concept_reader *r, const yaml_node *map, suspension *s)
{
    static const char *const keys[] = {"camber", "toe"};
    static const char *const soft[] = {"camber_compliance", "toe_compliance"};
    template_table *tables[] = {&s->camber, &s->toe};
    for (int k = 0; k < 2 && r->base.status == MC_OK; k++) {
        const yaml_node *n = reader_get(&r->base, map, keys[k]);
        const yaml_node *c = reader_get(&r->base, map, soft[k]);
        if ((n || c) && !(s->kind->tables & (1u << k)))
            reader_reject(&r->base, n ? n->key : c->key, "%s has no key %s: its links decide that",
                          s->kind->name, n ? keys[k] : soft[k]);
        if (c && !n)
            reader_reject(&r->base, c->key, "%s needs the table %s", soft[k], keys[k]);
        concept_table(r, n, k == 1 && s->kind->dependent ? "rad" : "m", "rad", tables[k]);
        tables[k]->compliance = concept_number(r, map, CONCEPT_AXLE, soft[k], 0.0);
    }
    s->spread = concept_number(r, map, CONCEPT_AXLE, "spread", 0.3);
}

// ---- rack ----

static void add_rack(concept_reader *r, const yaml_node *map, suspension *s)
{
    mc_concept *c = r->c;
    const yaml_node *n = reader_get(&r->base, map, "rack");
    double mass = 5.0;
    s->rack = CONCEPT_GROUND;
    s->steered = concept_flag(r, map, "steered", false);
    if (n && !s->steered)
        reader_reject(&r->base, n->key, "only a steered axle has a rack");
    if (!s->steered || r->base.status != MC_OK)
        return;
    if (!s->kind->steerable)
        reader_reject(&r->base, yaml_find(map, "steered")->key,
                      "%s has no tie rods and cannot be steered by a rack", s->kind->name);
    if (c->has_rack)
        reader_reject(&r->base, yaml_find(map, "steered")->key,
                      "a second steered axle; expected one rack");
    if (r->base.status != MC_OK || (n && !concept_check_keys(r, n, CONCEPT_RACK)))
        return;
    c->rack_stiffness = 5e6, c->rack_damping = 2e4;
    if (n) {
        mass = concept_number(r, n, CONCEPT_RACK, "mass", mass);
        c->rack_stiffness = concept_number(r, n, CONCEPT_RACK, "stiffness", 5e6);
        c->rack_damping = concept_number(r, n, CONCEPT_RACK, "damping", 2e4);
    }
    const double *tie = template_place(s, "tie_inner", NULL);
    const double between[3] = {tie[0], 0.0, tie[2]};
    const double *at = template_place(s, "rack", between), zero[6] = {0};
    concept_part *rack = r->base.status == MC_OK ? concept_add_part(c) : NULL;
    if (!rack) {
        reader_no_memory(&r->base);
        return;
    }
    *rack = (concept_part){.name = "rack",
                           .label = "rack",
                           .assembly = -1,
                           .kind = PART_SUSPENSION,
                           .moments = moments_of_body(mass, at, zero),
                           .mesh = {.memory = &c->memory},
                           .axle = s->axle,
                           .place = {map->key->line, map->key->column}};
    s->rack = c->part_count - 1;
    s->side = 0;
    concept_edge *e = template_edge(s, "rack_slide", "prism", s->chassis, s->rack, at);
    e->axis[1] = -1.0;
    e->load = concept_text(c, "-%.17g*(rack.travel - rack_to) - %.17g*rack.travel_rate",
                           c->rack_stiffness, c->rack_damping);
    c->has_rack = true;
}

// ---- an axle ----

static void read_axle(concept_reader *r, const yaml_node *map, int axles)
{
    mc_concept *c = r->c;
    const char *names[32];
    int count = 0, whole;
    if (!concept_check_keys(r, map, CONCEPT_AXLE))
        return;
    for (; template_at(count); count++)
        names[count] = template_at(count)->name;
    const int k = reader_choice(&r->base, reader_get(&r->base, map, "template"), names, count);
    suspension *s = reader_alloc(&r->base, 1, sizeof *s);
    if (k < 0 || !s)
        return;
    const suspension_template *kind = template_at(k);
    const int rows = kind->axle_count ? kind->axle_count : 1;
    concept_axle axle = {.name = concept_word(r, map->key),
                         .template = kind,
                         .wheel = {-1, -1},
                         .place = {map->key->line, map->key->column}};
    *s = (suspension){.concept = c, .r = &r->base, .node = map->key, .kind = kind};
    s->chassis = concept_find_part(r, reader_get(&r->base, map, "chassis"), 0, true, &whole);
    s->axle = c->axle_count;
    read_points(r, map, s);
    read_parts(r, map, s);
    read_spring(r, map, &s->spring);
    read_damper(r, map, &s->damper);
    read_wheel(r, map, s, &axle);
    read_tables(r, map, s);
    axle.driven = concept_flag(r, map, "driven", false);
    axle.chassis = s->chassis;
    for (int i = 0; i < rows && r->base.status == MC_OK; i++) {
        const int number = c->axle_count++;
        c->axles[number] = axle;
        c->axles[number].suffix =
            axles == 2 ? (number == 0 ? "f" : "r") : concept_text(c, "%d", number + 1);
    }
    if (r->base.status != MC_OK)
        return;
    s->suffix = c->axles[s->axle].suffix;
    add_rack(r, map, s);
    c->axles[s->axle].steered = s->steered;
    for (s->side = kind->dependent ? 0 : 1; s->side >= -1 && r->base.status == MC_OK;
         s->side = s->side == 0 ? 1 : s->side - 2)
        kind->build(s);
}

// Axles in all: a tandem counts as two.
static int count_axles(const yaml_node *each)
{
    int count = 0;
    for (const yaml_node *n = each->first; n; n = n->next) {
        const yaml_node *word = yaml_find(n, "template");
        int rows = 1;
        for (int k = 0; word && template_at(k); k++)
            if (strcmp(template_at(k)->name, word->text) == 0 && template_at(k)->axle_count)
                rows = template_at(k)->axle_count;
        count += rows;
    }
    return count;
}

void concept_read_axles(concept_reader *r, const yaml_node *root)
{
    const yaml_node *each = concept_each(r, root, "axles");
    if (!each)
        return;
    const int axles = count_axles(each);
    if (axles > CONCEPT_AXLE_MAX)
        reader_reject(&r->base, each->key, "%d axles; expected at most %d", axles,
                      CONCEPT_AXLE_MAX);
    for (const yaml_node *n = each->first; n && r->base.status == MC_OK; n = n->next)
        read_axle(r, n, axles);
    for (int i = 0; i + 1 < r->c->axle_count && r->base.status == MC_OK; i++) {
        const concept_part *a = &r->c->parts[r->c->axles[i].wheel[0]];
        const concept_part *b = &r->c->parts[r->c->axles[i + 1].wheel[0]];
        if (!(a->centre[0] > b->centre[0]))
            r->base.status = mc_error_set(
                r->base.error, MC_BAD_INPUT, r->c->file, r->c->axles[i + 1].place.line,
                r->c->axles[i + 1].place.column,
                "the wheels of %s are at x = %.6g m, not behind those of %s at %.6g m: give axles "
                "from the front to the rear",
                r->c->axles[i + 1].name, b->centre[0], r->c->axles[i].name, a->centre[0]);
    }
}
