// retemplate.c - another suspension for an axle of a concept's text.
//
// What has the same name in both templates stays. Hardpoints that are new are proposed about the
// wheel centre w: x and z by an offset, y as a share of that of the wheel. Masses of links that
// are gone are spread over those that are new.
#include "concept/edit.h"

#include "base/text.h"
#include "concept/template.h"
#include "io/yaml_edit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct proposal {
    const char *name;
    double dx, share, dz; // m, -, m
    const char *template; // NULL: all
} proposal;

static const proposal proposals[] = {
    {"upper_front", 0.12, 0.56, 0.24, NULL},
    {"upper_rear", -0.16, 0.56, 0.22, NULL},
    {"upper_ball", -0.02, 0.85, 0.24, NULL},
    {"lower_front", 0.18, 0.44, -0.08, NULL},
    {"lower_rear", -0.22, 0.44, -0.08, NULL},
    {"lower_ball", 0.01, 0.93, -0.12, NULL},
    {"tie_inner", 0.16, 0.46, -0.04, NULL},
    {"tie_outer", 0.16, 0.94, -0.07, NULL},
    {"spring_top", 0.0, 0.63, 0.34, NULL},
    {"spring_bottom", 0.0, 0.70, -0.05, NULL},
    {"strut_top", -0.02, 0.72, 0.42, NULL},
    {"strut_bottom", 0.0, 0.84, 0.05, NULL},
    {"pivot_front", 0.2, 0.45, -0.02, NULL},
    {"pivot_rear", -0.2, 0.45, -0.02, NULL},
    {"pivot", 0.9, 0.0, 0.0, "dependent_swing_arm"},
    {"pivot", 0.45, 0.9, 0.02, NULL},
    {"middle", 0.0, 0.0, 0.0, NULL},
    {"eye_front", 0.65, 0.63, 0.04, NULL},
    {"lower_chassis", 0.6, 0.6, -0.02, NULL},
    {"lower_axle", 0.02, 0.65, -0.08, NULL},
    {"upper_chassis", 0.5, 0.0, 0.15, NULL},
    {"upper_axle", 0.0, 0.0, 0.16, NULL},
    {"panhard_chassis", -0.1, 0.6, 0.06, NULL},
    {"panhard_axle", -0.1, -0.6, 0.06, NULL},
};
static const char *const alike[][2] = {{"spring_top", "strut_top"},
                                       {"spring_bottom", "strut_bottom"}};

typedef struct change {
    const char *bytes, *file, *axle;
    const yaml_node *node;
    const suspension_template *from, *to;
    double wheel[3];
    arena memory;
    void (*lost)(void *context, const char *line);
    void *context;
    mc_error *error;
    bool failed;
} change;

__attribute__((format(printf, 2, 3))) static void say(change *c, const char *format, ...)
{
    char line[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (c->lost)
        c->lost(c->context, line);
}

__attribute__((format(printf, 3, 4))) static void fail(change *c, const yaml_node *at,
                                                       const char *format, ...)
{
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!c->failed)
        mc_error_set(c->error, MC_BAD_INPUT, c->file, at ? at->line : 0, at ? at->column : 0, "%s",
                     text);
    c->failed = true;
}

static const suspension_template *find_template(const char *name)
{
    const suspension_template *t = NULL;
    for (int i = 0; (t = template_at(i)); i++)
        if (strcmp(t->name, name) == 0)
            return t;
    return NULL;
}

static bool has_point(const suspension_template *t, const char *name)
{
    for (int k = 0; k < TEMPLATE_POINTS_MAX && t->points[k].name; k++)
        if (strcmp(t->points[k].name, name) == 0)
            return true;
    return false;
}

static bool has_part(const suspension_template *t, const char *name)
{
    for (int k = 0; k < TEMPLATE_PARTS_MAX && t->parts[k].name; k++)
        if (strcmp(t->parts[k].name, name) == 0)
            return true;
    return false;
}

static const yaml_node *old_point(const yaml_node *points, const char *name)
{
    const yaml_node *n = yaml_find(points, name);
    for (size_t k = 0; !n && k < sizeof alike / sizeof alike[0]; k++)
        for (int side = 0; side < 2 && !n; side++)
            if (strcmp(alike[k][side], name) == 0)
                n = yaml_find(points, alike[k][!side]);
    return n;
}

static bool taken_over(const change *c, const char *name)
{
    for (size_t k = 0; k < sizeof alike / sizeof alike[0]; k++)
        for (int side = 0; side < 2; side++)
            if (strcmp(alike[k][side], name) == 0 && has_point(c->to, alike[k][!side]))
                return true;
    return false;
}

static const proposal *propose(const change *c, const char *name)
{
    for (size_t k = 0; k < sizeof proposals / sizeof proposals[0]; k++)
        if (strcmp(proposals[k].name, name) == 0 &&
            (!proposals[k].template || strcmp(proposals[k].template, c->to->name) == 0))
            return &proposals[k];
    return NULL;
}

static void add(char *out, size_t size, const char *key, const char *value)
{
    const size_t n = strlen(out);
    snprintf(out + n, size - n, "%s%s: %s", n > 1 ? ", " : "", key, value);
}

static void hardpoints(change *c, char *out, size_t size)
{
    const yaml_node *points = yaml_find(c->node, "hardpoints");
    snprintf(out, size, "{");
    for (int k = 0; k < TEMPLATE_POINTS_MAX && c->to->points[k].name; k++) {
        const template_point *p = &c->to->points[k];
        const yaml_node *old = old_point(points, p->name);
        const proposal *by = propose(c, p->name);
        char text[120];
        if (old) {
            char *source = yaml_source(c->bytes, strlen(c->bytes), old, &c->memory);
            add(out, size, p->name, source ? source : "[0, 0, 0]");
        } else if (!p->optional && by) {
            snprintf(text, sizeof text, "[%.4g, %.4g, %.4g]", c->wheel[0] + by->dx,
                     c->wheel[1] * by->share, c->wheel[2] + by->dz);
            add(out, size, p->name, text);
            say(c, "hardpoint %s is new: proposed at %s", p->name, text);
        } else if (!p->optional) {
            fail(c, c->node, "no place can be proposed for hardpoint %s of %s", p->name,
                 c->to->name);
        }
    }
    snprintf(out + strlen(out), size - strlen(out), "}");
    for (const yaml_node *n = points->first; n; n = n->next)
        if (!has_point(c->to, n->key->text) && !taken_over(c, n->key->text))
            say(c, "hardpoint %s has no place in %s", n->key->text, c->to->name);
}

static void masses(change *c, char *out, size_t size)
{
    const yaml_node *parts = yaml_find(c->node, "parts");
    double gone = 0.0;
    int fresh = 0;
    for (const yaml_node *n = parts ? parts->first : NULL; n; n = n->next) {
        const yaml_node *mass = yaml_find(n, "mass");
        double value = 0.0;
        if (has_part(c->to, n->key->text))
            continue;
        if (mass)
            gone += value = strtod(mass->text, NULL); // kg, whatever follows
        if (!(value > 0.0))
            continue;
        say(c, "mass of %s (%s) is spread over the new links", n->key->text, mass->text);
    }
    for (int k = 0; k < TEMPLATE_PARTS_MAX && c->to->parts[k].name; k++)
        fresh += !c->to->parts[k].optional && !(parts && yaml_find(parts, c->to->parts[k].name));
    gone *= (c->from->dependent ? 0.5 : 1.0) * (c->to->dependent ? 2.0 : 1.0); // sides
    snprintf(out, size, "{");
    for (int k = 0; k < TEMPLATE_PARTS_MAX && c->to->parts[k].name; k++) {
        const template_part *p = &c->to->parts[k];
        const yaml_node *old = parts ? yaml_find(parts, p->name) : NULL;
        char text[60];
        if (old) {
            char *source = yaml_source(c->bytes, strlen(c->bytes), old, &c->memory);
            add(out, size, p->name, source ? source : "{mass: 10}");
        } else if (!p->optional) {
            snprintf(text, sizeof text, "{mass: %.4g}", gone > 0.0 ? gone / fresh : 10.0);
            add(out, size, p->name, text);
            say(c, "%s is new: %s", p->name, text);
        }
    }
    snprintf(out + strlen(out), size - strlen(out), "}");
}

// Where the wheel is, and whether the change can be made at all.
static void look(change *c, const yaml_node *root, const char *to)
{
    const yaml_node *axles = yaml_find(root, "axles");
    c->node = axles ? yaml_find(axles, c->axle) : NULL;
    const yaml_node *from = c->node ? yaml_find(c->node, "template") : NULL;
    const yaml_node *points = c->node ? yaml_find(c->node, "hardpoints") : NULL;
    const yaml_node *wheel = points ? yaml_find(points, "wheel") : NULL;
    c->from = from ? find_template(from->text) : NULL;
    c->to = find_template(to);
    if (!c->node || !c->from || !wheel)
        fail(c, c->node, "there is no axle \"%.60s\" with a wheel", c->axle);
    else if (!c->to)
        fail(c, from, "unknown template \"%.60s\"", to);
    else if (c->from->axle_count > 1 || c->to->axle_count > 1)
        fail(c, from, "a tandem has two axles: it is made and taken apart in the file itself");
    int k = 0;
    for (const yaml_node *n = c->failed ? NULL : wheel->first; n && k < 3; n = n->next)
        if (!text_to_double(n->text, &c->wheel[k++]))
            fail(c, n, "the wheel must be given in metres, without a unit, to change the template");
}

static const char *edit(change *c, const char *text, const char *key, const char *value)
{
    char path[300];
    snprintf(path, sizeof path, "axles.%.100s.%s", c->axle, key);
    return text ? yaml_edit(text, strlen(text), c->file, path, value, &c->memory, c->error) : NULL;
}

// Keys that the new template does not know.
static const char *drop_keys(change *c, const char *text)
{
    static const struct {
        const char *key;
        unsigned table;
    } tables[] = {{"camber", 1}, {"toe", 2}, {"camber_compliance", 1}, {"toe_compliance", 2}};
    for (size_t k = 0; k < sizeof tables / sizeof tables[0]; k++)
        if (yaml_find(c->node, tables[k].key) && !(c->to->tables & tables[k].table)) {
            say(c, "%s has no %s", c->to->name, tables[k].key);
            text = edit(c, text, tables[k].key, NULL);
        }
    static const char *const steering[] = {"steered", "rack"};
    for (int k = 0; k < 2; k++)
        if (yaml_find(c->node, steering[k]) && !c->to->steerable) {
            say(c, "%s cannot be steered: %s is gone", c->to->name, steering[k]);
            text = edit(c, text, steering[k], NULL);
        }
    return text;
}

char *concept_retemplate(const char *text, const char *name, const char *axle, const char *to,
                         void (*lost)(void *context, const char *line), void *context,
                         mc_error *error)
{
    change c = {.bytes = text,
                .file = name,
                .axle = axle,
                .lost = lost,
                .context = context,
                .error = error};
    const yaml_node *root;
    char points[3000], parts[3000], *out = NULL;
    c.failed = yaml_parse(text, strlen(text), name, &c.memory, &root, error) != MC_OK;
    if (!c.failed)
        look(&c, root, to);
    if (!c.failed)
        hardpoints(&c, points, sizeof points);
    if (!c.failed) {
        masses(&c, parts, sizeof parts);
        const char *now = edit(&c, text, "template", to);
        now = edit(&c, now, "hardpoints", points);
        now = edit(&c, now, "parts", parts);
        now = drop_keys(&c, now);
        out = now ? strdup(now) : NULL;
    }
    arena_free(&c.memory);
    return out;
}
