// loads.c - see loads.h.
#include "picture/loads.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPRING_CARDS = 4 };
static const float USUAL = 0.15f; // of the size: the length of the longest arrow

static void ink_of(bool road, bool dark, float out[3])
{
    static const unsigned inks[2][2] = {{0x1f8f86, 0x5fe0c4}, {0x1668c7, 0x6fb1ff}};
    for (int c = 0; c < 3; c++)
        out[c] = (float)(inks[road][dark] >> (16 - 8 * c) & 255u) / 255.0f;
}

static loads_arrow *add(loads *l, vec from, vec force, bool road, const char *name)
{
    if (l->count == l->room) {
        const int more = l->room ? 2 * l->room : 32;
        loads_arrow *bigger = realloc(l->list, (size_t)more * sizeof *bigger);
        if (!bigger)
            return NULL;
        l->list = bigger;
        l->room = more;
    }
    loads_arrow *a = &l->list[l->count++];
    *a = (loads_arrow){.from = from, .force = force, .road = road};
    snprintf(a->name, sizeof a->name, "%s", name);
    return a;
}

static bool point_at(const posed *k, const char *name, vec *at)
{
    mc_part_point point;
    for (int i = 0; mc_multibody_point(k->m, i, &point); i++)
        if (strcmp(point.name, name) == 0) {
            const double *p = k->places + 18 * k->body_count + 6 * i;
            *at = (vec){(float)p[0], (float)p[1], (float)p[2]};
            return true;
        }
    return false;
}

// Its two ends, where it acts: at both, along it. Positive forces push them apart.
static bool add_spring(loads *l, const posed *k, const mc_part_spring *spring,
                       const double *outputs)
{
    char name[160];
    mc_quantity q;
    int index;
    vec a, b;
    mc_error none;
    snprintf(name, sizeof name, "%.120s.force", spring->name);
    if (!point_at(k, spring->from, &a) || !point_at(k, spring->to, &b) ||
        mc_multibody_find(k->m, name, &q, &index, &none) != MC_OK || q != MC_QUANTITY_OUTPUT)
        return true;
    const vec way = vec_sub(b, a);
    const float now = vec_length(way), force = (float)outputs[index];
    if (!(now > 1e-6f && isfinite(force)))
        return true;
    const vec push = vec_scale(way, force / now);
    loads_arrow *first = add(l, a, vec_scale(push, -1.0f), false, spring->name);
    if (!first)
        return false;
    first->shorter = spring->length > 0.0 ? (float)spring->length - now : NAN;
    return add(l, b, push, false, "") != NULL;
}

// The lowest place of the wheel of a body.
static bool wheel_foot(const posed *k, const char *body, vec *out)
{
    mc_part_body b;
    mc_part_shape shape;
    for (int i = 0; mc_multibody_body(k->m, i, &b); i++)
        for (int j = 0; strcmp(b.name, body) == 0 && mc_multibody_shape(k->m, i, j, &shape); j++) {
            const double *p = k->places + 18 * i, *at = shape.at;
            double q[3];
            for (int c = 0; shape.kind == MC_SHAPE_WHEEL && c < 3; c++)
                q[c] = p[c] + at[0] * p[3 + c] + at[1] * p[6 + c] + at[2] * p[9 + c];
            if (shape.kind != MC_SHAPE_WHEEL)
                continue;
            *out = (vec){(float)q[0], (float)q[1], (float)(q[2] - 0.5 * shape.size[0])};
            return true;
        }
    return false;
}

bool loads_find(loads *l, const posed *k, float size)
{
    const int count = mc_multibody_info_of(k->m)->output_count;
    double *outputs = calloc((size_t)count + 1, sizeof *outputs);
    mc_part_spring spring;
    bool good = outputs != NULL;
    *l = (loads){0};
    if (good)
        mc_multibody_outputs(k->m, k->t, k->y, outputs);
    for (int i = 0; good && mc_multibody_spring(k->m, i, &spring); i++)
        good = add_spring(l, k, &spring, outputs);
    for (int i = 0; good && i < k->stands.count; i++) {
        vec foot;
        const vec up = {0.0f, 0.0f, (float)k->stands.load[i]};
        if (wheel_foot(k, k->stands.wheel[i], &foot))
            good = add(l, foot, up, true, k->stands.wheel[i]) != NULL;
    }
    float most = 0.0f;
    for (int i = 0; i < l->count; i++)
        most = fmaxf(most, vec_length(l->list[i].force));
    l->scale = most > 0.0f ? USUAL * size / most : 0.0f;
    free(outputs);
    return good;
}

void loads_free(loads *l)
{
    free(l->list);
    *l = (loads){0};
}

// ---- arrows ----

static void draw(scene *s, vec from, vec to, float wide, const float colour[3])
{
    const vec way = vec_sub(to, from);
    const float length = vec_length(way), head = fminf(7.0f * wide, 0.5f * length);
    const vec z = vec_unit(way), neck = vec_along(to, z, -head);
    const vec x = fabsf(z.z) < 0.9f ? vec_unit(vec_cross((vec){0, 0, 1}, z))
                                    : vec_unit(vec_cross((vec){1, 0, 0}, z));
    const vec y = vec_cross(z, x);
    const float shaft[12] = {x.x, y.x, z.x * (length - head), from.x,
                             x.y, y.y, z.y * (length - head), from.y,
                             x.z, y.z, z.z * (length - head), from.z};
    const float tip[12] = {x.x,        y.x,    z.x * head, neck.x, x.y,        y.y,
                           z.y * head, neck.y, x.z,        y.z,    z.z * head, neck.z};
    mesh *m = scene_mesh(s);
    mesh_cylinder(m, wide, wide, 12, shaft, NULL);
    mesh_cylinder(m, 2.6f * wide, 0.0f, 16, tip, NULL);
    mesh_close(m);
    scene_draw *d = scene_add(s, m, SCENE_SOLID);
    for (int c = 0; c < 3; c++)
        d->colour[c] = sky_to_linear(colour[c]);
    d->roughness = 0.6f;
    d->in_front = true;
}

void loads_draw(const loads *l, scene *s, float size, bool dark)
{
    for (int i = 0; i < l->count; i++) {
        const loads_arrow *a = &l->list[i];
        float ink[3];
        ink_of(a->road, dark, ink);
        if (vec_length(a->force) * l->scale > 0.006f * size)
            draw(s, a->from, vec_along(a->from, a->force, l->scale), 0.005f * size, ink);
    }
}

// ---- words ----

static int by_force(const void *p, const void *q)
{
    const float a = vec_length((*(const loads_arrow *const *)p)->force);
    const float b = vec_length((*(const loads_arrow *const *)q)->force);
    return (a < b) - (a > b);
}

// 1, 2 or 5 times a power of ten, not above v.
static double round_below(double v)
{
    const double power = pow(10.0, floor(log10(v)));
    return power * (v / power >= 5.0 ? 5.0 : v / power >= 2.0 ? 2.0 : 1.0);
}

static void write_force(double force, char *out, size_t size)
{
    if (fabs(force) >= 1000.0)
        snprintf(out, size, "%.2f kN", 1e-3 * force);
    else
        snprintf(out, size, "%.3g N", force);
}

void loads_words(const loads *l, marks *k, bool dark)
{
    const loads_arrow **list = calloc((size_t)l->count + 1, sizeof(const loads_arrow *));
    int n = 0;
    for (int i = 0; list && i < l->count; i++)
        if (l->list[i].name[0])
            list[n++] = &l->list[i];
    if (n)
        qsort(list, (size_t)n, sizeof(const loads_arrow *), by_force);
    int springs = 0;
    for (int i = 0; i < n; i++) {
        const loads_arrow *a = list[i];
        char value[64], more[32] = "";
        float ink[3];
        if (!a->road && springs++ >= SPRING_CARDS)
            continue;
        ink_of(a->road, dark, ink);
        write_force((double)vec_length(a->force), value, sizeof value);
        if (!a->road && isfinite(a->shorter))
            snprintf(more, sizeof more, ", %+.0f mm", -1000.0 * (double)a->shorter);
        strncat(value, more, sizeof value - strlen(value) - 1);
        marks_card(k, vec_along(a->from, a->force, l->scale), a->name, ink, value);
    }
    free(list);
    if (!(l->scale > 0.0f))
        return;
    char text[64], force[32];
    double most = 0.0;
    for (int i = 0; i < l->count; i++)
        most = fmax(most, (double)vec_length(l->list[i].force));
    const double unit = round_below(most);
    write_force(unit, force, sizeof force);
    snprintf(text, sizeof text, "%s = %.2g m", force, unit * (double)l->scale);
    marks_clock(k, text, "forces: springs green, road blue");
}
