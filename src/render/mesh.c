// mesh.c - triangles collected; see mesh.h.
#include "render/mesh.h"

#include "base/assert.h"
#include "render/look.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool grow(void **list, int *room, int count, size_t size)
{
    if (count < *room)
        return true;
    const int more = *room ? 2 * *room : 256;
    void *bigger = realloc(*list, (size_t)more * size);
    if (!bigger)
        return false;
    *list = bigger;
    *room = more;
    return true;
}

int mesh_add(mesh *m, const mesh_corner *c)
{
    void *list = m->corner;
    if (!grow(&list, &m->corner_room, m->corner_count, sizeof *c)) {
        m->failed = true;
        return 0;
    }
    m->corner = list;
    m->corner[m->corner_count] = *c;
    return m->corner_count++;
}

void mesh_triangle(mesh *m, int a, int b, int c)
{
    void *list = m->index;
    const int at = 3 * m->triangle_count;
    if (m->failed || !grow(&list, &m->index_room, at + 3, sizeof *m->index)) {
        m->failed = true;
        return;
    }
    m->index = list;
    m->index[at] = (uint32_t)a;
    m->index[at + 1] = (uint32_t)b;
    m->index[at + 2] = (uint32_t)c;
    m->triangle_count++;
}

void mesh_quad(mesh *m, int a, int b, int c, int d)
{
    mesh_triangle(m, a, b, c);
    mesh_triangle(m, a, c, d);
}

void mesh_smooth(mesh *m)
{
    for (int i = 0; i < m->corner_count; i++)
        m->corner[i].normal = (vec){0};
    for (int t = 0; t < m->triangle_count; t++) {
        const uint32_t *k = m->index + 3 * t;
        const vec a = m->corner[k[0]].position;
        const vec n =
            vec_cross(vec_sub(m->corner[k[1]].position, a), vec_sub(m->corner[k[2]].position, a));
        for (int j = 0; j < 3; j++)
            m->corner[k[j]].normal = vec_add(m->corner[k[j]].normal, n);
    }
    for (int i = 0; i < m->corner_count; i++)
        m->corner[i].normal = vec_unit(m->corner[i].normal);
}

bool mesh_close(mesh *m)
{
    m->radius = 0.0f;
    for (int i = 0; i < m->corner_count; i++)
        m->radius = fmaxf(m->radius, vec_length(m->corner[i].position));
    return !m->failed;
}

void mesh_free(mesh *m)
{
    free(m->corner);
    free(m->index);
    *m = (mesh){0};
}

// ---- from the look ----

static bool part(const char *name, const char *entry, look_array *out)
{
    char full[64];
    snprintf(full, sizeof full, "%s/%s", name, entry);
    return look_find(full, out);
}

static float shorts(const look_array *a, int i, float scale)
{
    return (float)((const uint16_t *)a->data)[i] * scale;
}

bool mesh_from_look(const char *name, mesh *out)
{
    look_array box, position, normal, uv, extra, colour, index;
    *out = (mesh){0};
    const bool found = part(name, "box", &box) && part(name, "position", &position) &&
                       part(name, "normal", &normal) && part(name, "index", &index);
    mc_assert(found);
    const bool has_uv = part(name, "uv", &uv), has_extra = part(name, "extra", &extra);
    const bool has_colour = part(name, "colour", &colour);
    const float *low = box.data, *span = low + 3;
    const float unit = 1.0f / 65535.0f;
    for (int i = 0; i < position.count / 3; i++) {
        mesh_corner c = {0};
        float p[3], n[3];
        for (int k = 0; k < 3; k++) {
            p[k] = low[k] + span[k] * shorts(&position, 3 * i + k, unit);
            n[k] = (float)((const int8_t *)normal.data)[3 * i + k];
        }
        c.position = vec_of(p);
        c.normal = vec_unit(vec_of(n));
        for (int k = 0; k < 2 && has_uv; k++)
            c.uv[k] = shorts(&uv, 2 * i + k, unit);
        for (int k = 0; k < 4 && has_extra; k++)
            c.extra[k] = shorts(&extra, 4 * i + k, unit);
        for (int k = 0; k < 3 && has_colour; k++)
            c.extra[k] = shorts(&colour, 3 * i + k, 1.0f / 32768.0f);
        mesh_add(out, &c);
    }
    const uint16_t *at = index.data;
    for (int t = 0; t < index.count / 3; t++)
        mesh_triangle(out, at[3 * t], at[3 * t + 1], at[3 * t + 2]);
    return mesh_close(out);
}

// ---- shapes ----

static mesh_corner placed(vec p, vec n, const float place[12], const float extra[4])
{
    mesh_corner c = {p, n, {0}, {0}};
    if (place) {
        const float *m = place;
        c.position = (vec){m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3],
                           m[4] * p.x + m[5] * p.y + m[6] * p.z + m[7],
                           m[8] * p.x + m[9] * p.y + m[10] * p.z + m[11]};
        // Shapes are turned and stretched along their own axes at most: the inverse transposed has
        // the same columns, divided by the squares of their lengths.
        vec sum = {0};
        const float along[3] = {n.x, n.y, n.z};
        for (int k = 0; k < 3; k++) {
            const vec axis = {m[k], m[4 + k], m[8 + k]};
            const float square = vec_dot(axis, axis);
            if (square > 0.0f)
                sum = vec_along(sum, axis, along[k] / square);
        }
        c.normal = vec_unit(sum);
    }
    if (extra)
        memcpy(c.extra, extra, sizeof c.extra);
    return c;
}

static int put(mesh *m, vec p, vec n, const float place[12], const float extra[4])
{
    const mesh_corner c = placed(p, n, place, extra);
    return mesh_add(m, &c);
}

void mesh_box(mesh *m, const float size[3], const float place[12], const float extra[4])
{
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2) {
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            static const float corners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
            int k[4];
            for (int i = 0; i < 4; i++) {
                float p[3], n[3] = {0};
                n[axis] = (float)side;
                p[axis] = 0.5f * (float)side * size[axis];
                p[u] = 0.5f * corners[i][0] * size[u];
                p[v] = 0.5f * corners[i][1] * size[v];
                k[i] = put(m, vec_of(p), vec_of(n), place, extra);
            }
            if (side > 0)
                mesh_quad(m, k[0], k[1], k[2], k[3]);
            else
                mesh_quad(m, k[3], k[2], k[1], k[0]);
        }
}

static vec round_at(int i, int sides)
{
    const float t = 2.0f * (float)M_PI * (float)i / (float)sides;
    return (vec){cosf(t), sinf(t), 0.0f};
}

void mesh_cylinder(mesh *m, float r0, float r1, int sides, const float place[12],
                   const float extra[4])
{
    const int first = m->corner_count;
    for (int i = 0; i <= sides; i++) {
        const vec d = round_at(i, sides);
        const vec n = vec_unit((vec){d.x, d.y, r0 - r1});
        put(m, (vec){r0 * d.x, r0 * d.y, 0.0f}, n, place, extra);
        put(m, (vec){r1 * d.x, r1 * d.y, 1.0f}, n, place, extra);
    }
    for (int i = 0; i < sides; i++) {
        const int k = first + 2 * i;
        mesh_quad(m, k, k + 2, k + 3, k + 1);
    }
    for (int end = 0; end < 2; end++) {
        const float z = (float)end, r = end ? r1 : r0;
        if (!(r > 0.0f))
            continue;
        const vec n = {0.0f, 0.0f, end ? 1.0f : -1.0f};
        const int middle = put(m, (vec){0.0f, 0.0f, z}, n, place, extra);
        for (int i = 0; i <= sides; i++) {
            const vec d = round_at(i, sides);
            put(m, (vec){r * d.x, r * d.y, z}, n, place, extra);
        }
        for (int i = 1; i <= sides; i++)
            mesh_triangle(m, middle, middle + (end ? i : i + 1), middle + (end ? i + 1 : i));
    }
}

void mesh_ball(mesh *m, float radius, int sides, const float place[12], const float extra[4])
{
    const int rows = sides / 2, first = m->corner_count;
    for (int j = 0; j <= rows; j++) {
        const float t = (float)M_PI * (float)j / (float)rows;
        for (int i = 0; i <= sides; i++) {
            const vec d = round_at(i, sides);
            const vec n = {d.x * sinf(t), d.y * sinf(t), cosf(t)};
            put(m, vec_scale(n, radius), n, place, extra);
        }
    }
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < sides; i++) {
            const int k = first + j * (sides + 1) + i;
            mesh_quad(m, k, k + sides + 1, k + sides + 2, k + 1);
        }
}

void mesh_coil(mesh *m, float radius, float wire, float length, int turns, const float place[12],
               const float extra[4])
{
    enum { AROUND = 8, PER_TURN = 24 };
    const int steps = turns * PER_TURN, first = m->corner_count;
    const float rise = length / (2.0f * (float)M_PI * (float)turns);
    for (int i = 0; i <= steps; i++) {
        const vec d = round_at(i, PER_TURN);
        const vec along = vec_unit((vec){-radius * d.y, radius * d.x, rise});
        const vec side = vec_cross(along, d);
        for (int j = 0; j < AROUND; j++) {
            const vec c = round_at(j, AROUND);
            const vec n = vec_add(vec_scale(d, c.x), vec_scale(side, c.y));
            vec p = vec_along(vec_scale(d, radius), n, wire);
            p.z = p.z / length + (float)i / (float)steps;
            put(m, p, (vec){n.x, n.y, n.z * length}, place, extra);
        }
    }
    for (int i = 0; i < steps; i++)
        for (int j = 0; j < AROUND; j++) {
            const int a = first + i * AROUND, b = a + AROUND, k = (j + 1) % AROUND;
            mesh_quad(m, a + j, a + k, b + k, b + j);
        }
}
