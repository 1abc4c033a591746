// parts.c - see parts.h.
#include "picture/parts.h"

#include "render/look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct parts {
    scene *s;
    posed *k;
    float size; // m, of the mechanism
    vec middle;
    bool dark;
    bool ghost;            // outlines of all shapes
    float lift;            // m, of what is of glass
    mesh *tyre[2];         // of the look: road, off the road
    const float *round[2]; // their radius and width
} parts;

// ---- places ----

// A body's axes as columns, and its origin.
static void body_place(const posed *k, int body, float out[12])
{
    const double *at = k->places + 18 * body;
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++)
            out[4 * r + c] = (float)at[3 + 3 * c + r];
        out[4 * r + 3] = (float)at[r];
    }
}

static vec point_of(const posed *k, int point)
{
    const double *at = k->places + 18 * k->body_count + 6 * point;
    return (vec){(float)at[0], (float)at[1], (float)at[2]};
}

static void product(const float a[12], const float b[12], float out[12])
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++) {
            float sum = c == 3 ? a[4 * r + 3] : 0.0f;
            for (int i = 0; i < 3; i++)
                sum += a[4 * r + i] * b[4 * i + c];
            out[4 * r + c] = sum;
        }
}

static void shape_place(const mc_part_shape *shape, float out[12])
{
    const double *q = shape->turn, w = q[0], x = q[1], y = q[2], z = q[3];
    const double m[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                         2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                         2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++)
            out[4 * r + c] = (float)m[3 * r + c];
        out[4 * r + 3] = (float)shape->at[r];
    }
}

// A part of length 1 along z between two points, this wide.
static void between(vec from, vec to, float wide, float out[12])
{
    const vec way = vec_sub(to, from);
    const vec z = vec_length(way) > 1e-9f ? vec_unit(way) : (vec){0, 0, 1};
    const vec x = fabsf(z.z) < 0.9f ? vec_unit(vec_cross((vec){0, 0, 1}, z))
                                    : vec_unit(vec_cross((vec){1, 0, 0}, z));
    const vec y = vec_cross(z, x);
    const float place[12] = {wide * x.x, wide * y.x, way.x,      from.x,     wide * x.y, wide * y.y,
                             way.y,      from.y,     wide * x.z, wide * y.z, way.z,      from.z};
    memcpy(out, place, sizeof place);
}

// ---- surfaces ----

static void set_colour(scene_draw *d, unsigned hex, float roughness, float metalness)
{
    for (int c = 0; c < 3; c++)
        d->colour[c] = sky_to_linear((float)(hex >> (16 - 8 * c) & 255u) / 255.0f);
    d->roughness = roughness;
    d->metalness = metalness;
    d->casts = true;
}

static void finish(scene_draw *d, mc_shape_finish what, int body, bool made)
{
    static const unsigned hues[7] = {0x2f6fb0, 0xc4703a, 0x4e9b6f, 0x8a5fa8,
                                     0xb5a33c, 0x5c8ca8, 0xa85f6b};
    switch (what) {
    case MC_SHAPE_FINISH_STEEL:
        set_colour(d, 0xa4adb6, 0.38f, 0.55f);
        break;
    case MC_SHAPE_FINISH_DARK:
        set_colour(d, 0x2a323c, 0.5f, 0.15f);
        break;
    case MC_SHAPE_FINISH_GLASS:
        set_colour(d, 0x9dbbd6, 0.12f, 0.0f);
        d->alpha = 0.34f;
        d->casts = false;
        break;
    case MC_SHAPE_FINISH_RUBBER:
        set_colour(d, 0x1b1e22, 0.85f, 0.0f);
        break;
    default:
        set_colour(d, hues[body % 7], 0.38f, 0.1f);
    }
    if (made) {
        d->alpha = 0.62f;
        d->casts = true;
    }
}

// Edges of a mesh at which it bends by more than about 15 degrees, as thin rods.
static void add_edges(scene *s, const mesh *m, const float place[12], float radius, unsigned hex)
{
    mesh *lines = scene_mesh(s);
    for (int t = 0; t < m->triangle_count; t++)
        for (int e = 0; e < 3; e++) {
            const vec a = m->corner[m->index[3 * t + e]].position;
            const vec b = m->corner[m->index[3 * t + (e + 1) % 3]].position;
            vec n[2] = {{0, 0, 0}, {0, 0, 0}};
            bool first = true;
            int found = 1;
            n[0] = vec_unit(vec_cross(
                vec_sub(b, a), vec_sub(m->corner[m->index[3 * t + (e + 2) % 3]].position, a)));
            for (int o = 0; o < m->triangle_count && found < 2; o++)
                for (int f = 0; f < 3 && o != t; f++) {
                    const vec c = m->corner[m->index[3 * o + f]].position;
                    const vec d = m->corner[m->index[3 * o + (f + 1) % 3]].position;
                    if (vec_length(vec_sub(a, d)) + vec_length(vec_sub(b, c)) > 1e-5f)
                        continue;
                    first = t < o;
                    n[1] = vec_unit(
                        vec_cross(vec_sub(d, c),
                                  vec_sub(m->corner[m->index[3 * o + (f + 2) % 3]].position, c)));
                    found = 2;
                    break;
                }
            if (!first || (found == 2 && vec_dot(n[0], n[1]) > 0.966f))
                continue;
            float way[12];
            between(a, b, 1.0f, way);
            mesh_cylinder(lines, radius, radius, 5, way, NULL);
        }
    mesh_close(lines);
    scene_draw *d = scene_add(s, lines, SCENE_SOLID);
    memcpy(d->place, place, sizeof d->place);
    set_colour(d, hex, 0.7f, 0.0f);
    d->casts = false;
}

// ---- shapes ----

static bool mesh_of_shape(const parts *p, int body, int i, const mc_part_shape *shape, mesh *m)
{
    const float d[3] = {(float)shape->size[0], (float)shape->size[1], (float)shape->size[2]};
    const float down[12] = {0.5f * d[0], 0, 0, 0, 0, 0.5f * d[1], 0, 0, 0, 0, d[2], -0.5f * d[2]};
    if (shape->kind == MC_SHAPE_CYLINDER || shape->kind == MC_SHAPE_WHEEL || shape->round) {
        mesh_cylinder(m, 1.0f, 1.0f, 36, down, NULL);
    } else if (shape->kind == MC_SHAPE_BOX || shape->kind == MC_SHAPE_BEAM) {
        mesh_box(m, d, NULL, NULL);
    } else {
        double *points = malloc((3 * (size_t)shape->point_count + 1) * sizeof *points);
        int *faces = malloc((3 * (size_t)shape->face_count + 1) * sizeof *faces);
        if (!points || !faces)
            m->failed = true;
        else
            mc_multibody_shape_mesh(p->k->m, body, i, points, faces);
        // Flat faces: every triangle has corners of its own.
        for (int f = 0; !m->failed && f < shape->face_count; f++) {
            for (int e = 0; e < 3; e++) {
                const double *at = points + 3 * faces[3 * f + e];
                const mesh_corner c = {
                    {(float)at[0], (float)at[1], (float)at[2]}, {0, 0, 0}, {0}, {0}};
                mesh_add(m, &c);
            }
            mesh_triangle(m, 3 * f, 3 * f + 1, 3 * f + 2);
        }
        mesh_smooth(m);
        free(points);
        free(faces);
    }
    return mesh_close(m);
}

// A wheel of the look, its face away from the middle of the mechanism.
static void add_tyre(const parts *p, const mc_part_shape *shape, const float place[12])
{
    const float radius = 0.5f * (float)shape->size[0], width = (float)shape->size[2];
    const int rough = width > 0.52f * radius;
    const vec axis = {place[2], place[6], place[10]};
    const vec out = vec_sub((vec){place[3], place[7], place[11]}, p->middle);
    const float side = vec_dot(axis, out) < 0.0f ? -1.0f : 1.0f;
    const float across = radius / p->round[rough][0], along = side * width / p->round[rough][1];
    scene_draw *d = scene_add(p->s, p->tyre[rough], SCENE_WHEEL);
    for (int r = 0; r < 3; r++) { // its x, y, z are x, the axis, and -y of the shape
        d->place[4 * r] = across * place[4 * r];
        d->place[4 * r + 1] = along * place[4 * r + 2];
        d->place[4 * r + 2] = -across * place[4 * r + 1] * side;
        d->place[4 * r + 3] = place[4 * r + 3];
    }
    d->casts = true;
}

static void add_shape(const parts *p, int body, int i, const mc_part_shape *shape)
{
    float at[12], turn[12], place[12];
    body_place(p->k, body, at);
    shape_place(shape, turn);
    product(at, turn, place);
    const bool glass = shape->finish == MC_SHAPE_FINISH_GLASS;
    if (shape->kind == MC_SHAPE_WHEEL && !glass) {
        add_tyre(p, shape, place);
        return;
    }
    if (glass && !shape->made)
        place[11] += p->lift;
    mesh *m = scene_mesh(p->s);
    if (!mesh_of_shape(p, body, i, shape, m))
        p->s->failed = true;
    scene_draw *d = scene_add(p->s, m, glass || shape->made ? SCENE_GLASS : SCENE_SOLID);
    memcpy(d->place, place, sizeof place);
    finish(d, shape->finish, body, shape->made);
    if (shape->kind == MC_SHAPE_MESH || shape->kind == MC_SHAPE_PANEL)
        d->both_sides = true;
    const bool angular =
        shape->kind != MC_SHAPE_CYLINDER && shape->kind != MC_SHAPE_WHEEL && !shape->round;
    if ((glass || shape->made || p->ghost) && angular && m->triangle_count < 3000)
        add_edges(p->s, m, place, 0.0011f * p->size, p->dark ? 0xaab6c4 : 0x53687e);
}

static void rod(const parts *p, vec from, vec to, float radius, unsigned hex)
{
    if (vec_length(vec_sub(to, from)) < 1e-6f)
        return;
    float place[12];
    mesh *m = scene_mesh(p->s);
    between(from, to, 1.0f, place);
    mesh_cylinder(m, radius, radius, 14, place, NULL);
    mesh_close(m);
    set_colour(scene_add(p->s, m, SCENE_SOLID), hex, 0.35f, 0.6f);
}

static void ball(const parts *p, vec at, float radius, unsigned hex)
{
    mesh *m = scene_mesh(p->s);
    float place[12];
    scene_at(place, at);
    mesh_ball(m, radius, 16, place, NULL);
    mesh_close(m);
    set_colour(scene_add(p->s, m, SCENE_SOLID), hex, 0.4f, 0.5f);
}

static vec in_body(const float m[12], const double at[3])
{
    const float x = (float)at[0], y = (float)at[1], z = (float)at[2];
    return (vec){m[0] * x + m[1] * y + m[2] * z + m[3], m[4] * x + m[5] * y + m[6] * z + m[7],
                 m[8] * x + m[9] * y + m[10] * z + m[11]};
}

static vec origin_of(const posed *k, int body)
{
    const double *at = k->places + 18 * body;
    return (vec){(float)at[0], (float)at[1], (float)at[2]};
}

static bool is_same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

// Of a body whose shape is made from its inertia: its joint, and rods from there to its mass
// centre, its points, the joints of the bodies that hang on it.
static void add_skeleton(const parts *p, int body, const mc_part_body *b)
{
    const float radius = 0.011f * p->size;
    const vec o = origin_of(p->k, body);
    float at[12];
    mc_part_body other;
    mc_part_point point;
    mc_part_joint joint;
    body_place(p->k, body, at);
    ball(p, o, 1.6f * radius, 0xb08a3c);
    rod(p, o, in_body(at, b->centre), radius, 0x59616d);
    for (int i = 0; mc_multibody_point(p->k->m, i, &point); i++)
        if (is_same(point.body, b->name))
            rod(p, o, point_of(p->k, i), radius, 0x59616d);
    for (int i = 0; mc_multibody_body(p->k->m, i, &other); i++)
        if (is_same(other.inboard, b->name))
            rod(p, o, origin_of(p->k, i), radius, 0x59616d);
    for (int i = 0; mc_multibody_joint(p->k->m, i, &joint); i++)
        if (is_same(joint.from, b->name)) {
            rod(p, o, in_body(at, joint.at), radius, 0x59616d);
            ball(p, in_body(at, joint.at), 1.6f * radius, 0xb08a3c);
        }
}

static void add_bodies(const parts *p)
{
    mc_part_body b;
    mc_part_shape shape;
    for (int body = 0; mc_multibody_body(p->k->m, body, &b); body++) {
        bool made = true;
        for (int i = 0; mc_multibody_shape(p->k->m, body, i, &shape); i++) {
            add_shape(p, body, i, &shape);
            made = shape.made;
        }
        if (made)
            add_skeleton(p, body, &b);
        else if (!is_same(b.joint, "free") && !p->ghost)
            ball(p, origin_of(p->k, body), 0.009f * p->size, 0xb08a3c);
    }
}

// ---- springs ----

static int point_named(const posed *k, const char *name)
{
    mc_part_point point;
    for (int i = 0; mc_multibody_point(k->m, i, &point); i++)
        if (is_same(point.name, name))
            return i;
    return -1;
}

// A coil that is as long as the spring now, with as many turns as ever, and the damper inside.
static void add_spring(const parts *p, const mc_part_spring *spring)
{
    const int i = point_named(p->k, spring->from), j = point_named(p->k, spring->to);
    if (i < 0 || j < 0)
        return;
    const vec a = point_of(p->k, i), b = point_of(p->k, j);
    const float now = vec_length(vec_sub(b, a));
    const float rest = spring->length > 0.0 ? (float)spring->length : now;
    const float radius = fminf(0.22f * rest, 0.04f * p->size), wire = 0.17f * radius;
    if (now < 1e-6f)
        return;
    float place[12];
    mesh *m = scene_mesh(p->s);
    between(a, b, 1.0f, place);
    mesh_coil(m, radius, wire, now, 7, place, NULL);
    mesh_close(m);
    set_colour(scene_add(p->s, m, SCENE_SOLID), 0xd08a1e, 0.4f, 0.35f);
    const vec half = vec_mix(a, b, 0.5f);
    rod(p, a, half, 0.32f * radius, 0xaab2ba);
    rod(p, half, b, 0.5f * radius, 0x2a323c);
}

static void add_springs(const parts *p)
{
    mc_part_spring spring;
    for (int i = 0; mc_multibody_spring(p->k->m, i, &spring); i++)
        add_spring(p, &spring);
}

// ---- all of it ----

// Around the origins of all bodies and all points: how large the mechanism is.
static void measure(parts *p)
{
    vec low = {HUGE_VALF, HUGE_VALF, HUGE_VALF}, high = {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF};
    for (int i = 0; i < p->k->body_count + p->k->point_count; i++) {
        const vec q =
            i < p->k->body_count ? origin_of(p->k, i) : point_of(p->k, i - p->k->body_count);
        low = (vec){fminf(low.x, q.x), fminf(low.y, q.y), fminf(low.z, q.z)};
        high = (vec){fmaxf(high.x, q.x), fmaxf(high.y, q.y), fmaxf(high.z, q.z)};
    }
    p->size = fmaxf(vec_length(vec_sub(high, low)), 0.1f);
    p->middle = vec_scale(vec_add(low, high), 0.5f);
}

static void enclose(const scene *s, int from, parts_box *box)
{
    box->low = (vec){HUGE_VALF, HUGE_VALF, HUGE_VALF};
    box->high = (vec){-HUGE_VALF, -HUGE_VALF, -HUGE_VALF};
    for (int k = from; k < s->count; k++)
        for (int i = 0; i < s->draw[k].shape->corner_count; i++) {
            const vec c = s->draw[k].shape->corner[i].position;
            const double at[3] = {(double)c.x, (double)c.y, (double)c.z};
            const vec q = in_body(s->draw[k].place, at);
            box->low =
                (vec){fminf(box->low.x, q.x), fminf(box->low.y, q.y), fminf(box->low.z, q.z)};
            box->high =
                (vec){fmaxf(box->high.x, q.x), fmaxf(box->high.y, q.y), fmaxf(box->high.z, q.z)};
        }
}

// The equilibrium a mode is about, as outlines.
static mc_status add_ghost(parts *p, mc_error *error)
{
    const float *ink = look_of("ink", p->dark ? "evening/focus" : "day/focus", 3);
    const int first = p->s->count;
    const mc_status status = posed_take(p->k, p->k->rest, error);
    if (status != MC_OK)
        return status;
    p->ghost = true;
    add_bodies(p);
    const int last = p->s->count;
    for (int k = first; k < last; k++) {
        scene_draw *d = &p->s->draw[k];
        const bool line = d->material == SCENE_SOLID && !d->casts;
        d->material = SCENE_GLASS;
        d->casts = false;
        d->alpha = line ? 0.9f : 0.035f;
        d->roughness = 1.0f, d->metalness = 0.0f;
        for (int c = 0; c < 3; c++)
            d->colour[c] = sky_to_linear(ink[c]);
    }
    return posed_take(p->k, p->k->y, error);
}

vec parts_centre(const posed *k, double *mass)
{
    vec sum = {0};
    mc_part_body b;
    *mass = 0.0;
    for (int i = 0; mc_multibody_body(k->m, i, &b); i++) {
        float at[12];
        body_place(k, i, at);
        sum = vec_along(sum, in_body(at, b.centre), (float)b.mass);
        *mass += b.mass;
    }
    return *mass > 0.0 ? vec_scale(sum, 1.0f / (float)*mass) : sum;
}

mc_status parts_draw(scene *s, posed *k, bool dark, float lift, parts_box *box, mc_error *error)
{
    static const char *const kinds[2] = {"sedan", "offroader"};
    static const char *const wheels[2] = {"sedan/wheel", "offroader/wheel"};
    parts p = {.s = s, .k = k, .dark = dark, .lift = lift};
    const int first = s->count;
    measure(&p);
    for (int i = 0; i < 2; i++) {
        p.round[i] = look_of(kinds[i], "wheel", 4);
        p.tyre[i] = scene_mesh(s);
        if (!mesh_from_look(wheels[i], p.tyre[i]))
            s->failed = true;
    }
    add_bodies(&p);
    add_springs(&p);
    enclose(s, first, box);
    const mc_status status = k->rest ? add_ghost(&p, error) : MC_OK;
    if (status == MC_OK && s->failed)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the picture");
    return status;
}
