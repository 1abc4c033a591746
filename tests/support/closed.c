// closed.c - closed mechanisms by chance, and as files.
#include "support/closed.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    int rows;
} kinds[CLOSED_KINDS] = {
    [CLOSED_BALL] = {"ball", 3},
    [CLOSED_HINGE] = {"hinge", 5},
    [CLOSED_PRISM] = {"prism", 5},
    [CLOSED_FIXED] = {"fixed", 6},
    [CLOSED_CYLINDER] = {"cylinder", 4},
    [CLOSED_UNIVERSAL] = {"universal", 4},
    [CLOSED_DISTANCE] = {"distance", 1},
    [CLOSED_POINT_ON_LINE] = {"point_on_line", 2},
    [CLOSED_POINT_IN_PLANE] = {"point_in_plane", 1},
    [CLOSED_GEAR] = {"gear", 1},
    [CLOSED_RACK] = {"rack", 1},
    [CLOSED_CONSTANT_VELOCITY] = {"constant_velocity", 4},
    [CLOSED_GENERAL] = {"general", 4},
    [CLOSED_ROLLING] = {"rolling", 3},
};

const char *closed_kind_name(closed_kind kind)
{
    return kinds[kind].name;
}

int closed_kind_rows(closed_kind kind)
{
    return kinds[kind].rows;
}

bool closed_has(const closed *c, closed_kind kind)
{
    for (int k = 0; k < c->joint_count; k++)
        if (c->joint[k].kind == kind)
            return true;
    return false;
}

// ---- where bodies are at q = 0 -----------------------------------------------------------------

static void origin_of(const tree *t, int body, double at[3])
{
    memset(at, 0, 3 * sizeof *at);
    for (; body >= 0; body = t->body[body].parent)
        for (int k = 0; k < 3 && t->body[body].joint != TREE_FREE; k++)
            at[k] += t->body[body].p[k];
}

static int depth_of(const tree *t, int body)
{
    int depth = 0;
    for (; body >= 0; body = t->body[body].parent)
        depth++;
    return depth;
}

// Degrees of freedom of the joints between two bodies.
static int freedom_between(const tree *t, int a, int b)
{
    int count = 0;
    while (a != b) {
        int *deeper = depth_of(t, a) >= depth_of(t, b) ? &a : &b;
        count += tree_joint_nv(t->body[*deeper].joint);
        *deeper = t->body[*deeper].parent;
    }
    return count;
}

static void direction(unsigned long long *seed, double u[3])
{
    double length;
    do {
        for (int k = 0; k < 3; k++)
            u[k] = tree_uniform(seed, -1.0, 1.0);
        length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    } while (!(length > 0.1));
    for (int k = 0; k < 3; k++)
        u[k] /= length;
}

static void across(unsigned long long *seed, const double u[3], double v[3])
{
    double other[3], length = 0.0;
    direction(seed, other);
    for (int k = 0; k < 3; k++)
        v[k] = u[(k + 1) % 3] * other[(k + 2) % 3] - u[(k + 2) % 3] * other[(k + 1) % 3];
    for (int k = 0; k < 3; k++)
        length += v[k] * v[k];
    if (length < 0.05) {
        across(seed, u, v);
        return;
    }
    for (int k = 0; k < 3; k++)
        v[k] /= sqrt(length);
}

// ---- joints ------------------------------------------------------------------------------------

// Two points of the world that the joint allows at q = 0, as places on the bodies.
static void place(const tree *t, unsigned long long *seed, closed_joint *j)
{
    double from[3], to[3], shift[3] = {0.0, 0.0, 0.0}, v[3];
    origin_of(t, j->from, from);
    origin_of(t, j->to, to);
    direction(seed, j->axis);
    memcpy(j->to_axis, j->axis, sizeof j->to_axis);
    const double length = tree_uniform(seed, 0.1, 0.4);
    if (j->kind == CLOSED_UNIVERSAL || j->kind == CLOSED_ROLLING)
        across(seed, j->axis, j->to_axis);
    if (j->kind == CLOSED_DISTANCE || j->kind == CLOSED_POINT_IN_PLANE) {
        if (j->kind == CLOSED_DISTANCE)
            direction(seed, v);
        else
            across(seed, j->axis, v);
        for (int k = 0; k < 3; k++)
            shift[k] = length * v[k];
        j->value = length;
    } else if (j->kind == CLOSED_POINT_ON_LINE || j->kind == CLOSED_CYLINDER ||
               j->kind == CLOSED_PRISM) {
        for (int k = 0; k < 3; k++)
            shift[k] = length * j->axis[k];
    } else if (j->kind == CLOSED_ROLLING) {
        for (int k = 0; k < 3; k++)
            shift[k] = -length * j->to_axis[k];
        j->value = length;
    }
    for (int k = 0; k < 3; k++) {
        j->at[k] = tree_uniform(seed, -0.5, 0.5);
        j->to_at[k] = from[k] + j->at[k] + shift[k] - to[k];
    }
    if (j->kind == CLOSED_GEAR || j->kind == CLOSED_RACK)
        j->value = tree_uniform(seed, 0.3, 2.0);
}

static int body_with(const tree *t, unsigned long long *seed, tree_joint joint)
{
    for (int tries = 0; tries < 40; tries++) {
        const int i = (int)tree_uniform(seed, 0.0, t->body_count);
        if (t->body[i].joint == joint)
            return i;
    }
    return -1;
}

static bool choose(const tree *t, unsigned long long *seed, closed_joint *j)
{
    const bool coordinates = j->kind == CLOSED_GEAR || j->kind == CLOSED_RACK;
    if (coordinates) {
        j->from = body_with(t, seed, TREE_HINGE);
        j->to = body_with(t, seed, j->kind == CLOSED_GEAR ? TREE_HINGE : TREE_PRISM);
        return j->from >= 0 && j->to >= 0 && j->from != j->to;
    }
    j->from = (int)tree_uniform(seed, 0.0, t->body_count);
    j->to = (int)tree_uniform(seed, 0.0, t->body_count + 1.0) - 1;
    return j->from != j->to && freedom_between(t, j->from, j->to) > closed_kind_rows(j->kind);
}

void closed_random(unsigned long long *seed, int loops, closed_kind first, closed *out)
{
    for (;;) {
        const int bodies = 3 + loops + (int)tree_uniform(seed, 0.0, 4.0);
        int rows = 0;
        *out = (closed){.tree = tree_random(seed, bodies)};
        snprintf(out->tree.name, sizeof out->tree.name, "closed");
        for (int i = 0; i < bodies; i++) {
            tree_body *b = &out->tree.body[i];
            memcpy(b->r0, (const double[4]){1.0, 0.0, 0.0, 0.0}, sizeof b->r0);
        }
        const int freedom = tree_nv(&out->tree);
        for (int tries = 0; tries < 60 * loops && out->joint_count < loops; tries++) {
            closed_joint j = {.kind = first};
            if (out->joint_count > 0)
                j.kind = (closed_kind)tree_uniform(seed, 0.0, CLOSED_KINDS);
            if (rows + closed_kind_rows(j.kind) >= freedom || !choose(&out->tree, seed, &j))
                continue;
            place(&out->tree, seed, &j);
            rows += closed_kind_rows(j.kind);
            out->joint[out->joint_count++] = j;
        }
        if (out->joint_count == loops)
            return;
    }
}

// Chains of three hinges, each from any body there is and back to it.
void closed_random_planar(unsigned long long *seed, int loops, closed *out)
{
    static const closed_kind closing[] = {CLOSED_HINGE, CLOSED_BALL, CLOSED_CYLINDER,
                                          CLOSED_UNIVERSAL, CLOSED_HINGE};
    double u[3];
    direction(seed, u);
    *out = (closed){.tree = tree_random(seed, 1 + 3 * loops)};
    snprintf(out->tree.name, sizeof out->tree.name, "planar");
    out->tree.body[0].joint = tree_uniform(seed, 0.0, 1.0) < 0.5 ? TREE_FREE : TREE_HINGE;
    for (int i = 0; i < out->tree.body_count; i++) {
        tree_body *b = &out->tree.body[i];
        const int base = (int)tree_uniform(seed, 0.0, 3.0 * (double)((i - 1) / 3) + 1.0);
        b->parent = i == 0 ? -1 : i % 3 == 1 ? base : i - 1;
        if (i > 0)
            b->joint = TREE_HINGE;
        memcpy(b->r0, (const double[4]){1.0, 0.0, 0.0, 0.0}, sizeof b->r0);
        memcpy(b->axis, u, sizeof u);
        for (int k = 0; k < 3; k++)
            b->p[k] = b->joint == TREE_FREE ? 0.0 : tree_uniform(seed, -0.5, 0.5);
    }
    for (int k = 0; k < loops; k++) {
        closed_joint *j = &out->joint[out->joint_count++];
        *j = (closed_joint){.from = 3 * k + 3, .to = out->tree.body[3 * k + 1].parent};
        j->kind = closing[(int)tree_uniform(seed, 0.0, 5.0)];
        place(&out->tree, seed, j);
        memcpy(j->axis, u, sizeof u);
        memcpy(j->to_axis, u, sizeof u);
        if (j->kind == CLOSED_UNIVERSAL)
            across(seed, u, j->to_axis);
        if (j->kind == CLOSED_CYLINDER) { // place shifted along another axis
            double from[3], to[3];
            origin_of(&out->tree, j->from, from);
            origin_of(&out->tree, j->to, to);
            for (int i = 0; i < 3; i++)
                j->to_at[i] = from[i] + j->at[i] - to[i];
        }
    }
}

// ---- file --------------------------------------------------------------------------------------

static void write_vector(FILE *file, const char *key, const double x[3])
{
    fprintf(file, ", %s: [%.17g, %.17g, %.17g]", key, x[0], x[1], x[2]);
}

void closed_write_yaml(const closed *c, FILE *file)
{
    tree_write_yaml(&c->tree, file);
    fprintf(file, "joints:\n");
    for (int i = 0; i < c->joint_count; i++) {
        const closed_joint *j = &c->joint[i];
        const bool coordinates = j->kind == CLOSED_GEAR || j->kind == CLOSED_RACK;
        const bool along = j->kind == CLOSED_POINT_ON_LINE || j->kind == CLOSED_POINT_IN_PLANE ||
                           j->kind == CLOSED_PRISM;
        fprintf(file, "  j%d: {joint: %s, from: %s, to: %s", i, kinds[j->kind].name,
                j->from < 0 ? "ground" : c->tree.body[j->from].name,
                j->to < 0 ? "ground" : c->tree.body[j->to].name);
        if (!coordinates) {
            write_vector(file, "at", j->at);
            write_vector(file, "to_at", j->to_at);
        }
        if (along || j->kind == CLOSED_HINGE || j->kind == CLOSED_CYLINDER ||
            j->kind == CLOSED_UNIVERSAL || j->kind == CLOSED_CONSTANT_VELOCITY ||
            j->kind == CLOSED_ROLLING)
            write_vector(file, "axis", j->axis);
        if (j->kind == CLOSED_UNIVERSAL || j->kind == CLOSED_ROLLING)
            write_vector(file, "to_axis", j->to_axis);
        if (j->kind == CLOSED_DISTANCE)
            fprintf(file, ", length: %.17g", j->value);
        if (j->kind == CLOSED_GEAR)
            fprintf(file, ", ratio: %.17g", j->value);
        if (j->kind == CLOSED_RACK || j->kind == CLOSED_ROLLING)
            fprintf(file, ", radius: %.17g", j->value);
        if (j->kind == CLOSED_GENERAL)
            fprintf(file, ", free: [tx, rz]");
        fprintf(file, "}\n");
    }
}
