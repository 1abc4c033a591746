// skin.c - triangles: the skin of a part.
#include "shape/skin.h"

#include "num/vec3.h"

#include <string.h>

void skin_triangle(concept_mesh *m, const double a[3], const double b[3], const double c[3])
{
    if (m->count == m->room) {
        const int room = m->room ? 2 * m->room : 32;
        double(*more)[9] = arena_alloc(m->memory, (size_t)room * sizeof more[0]);
        if (!more) {
            m->failed = true;
            return;
        }
        if (m->count)
            memcpy(more, m->triangle, (size_t)m->count * sizeof more[0]);
        m->triangle = more;
        m->room = room;
    }
    double *t = m->triangle[m->count++];
    memcpy(t, a, 3 * sizeof t[0]);
    memcpy(t + 3, b, 3 * sizeof t[0]);
    memcpy(t + 6, c, 3 * sizeof t[0]);
}

void skin_quad(concept_mesh *m, const double a[3], const double b[3], const double c[3],
               const double d[3])
{
    skin_triangle(m, a, b, c);
    skin_triangle(m, a, c, d);
}

void skin_move(concept_mesh *m, const concept_pose *pose)
{
    for (int i = 0; i < m->count; i++)
        for (int k = 0; k < 3; k++) {
            double moved[3];
            concept_pose_point(pose, m->triangle[i] + 3 * k, moved);
            memcpy(m->triangle[i] + 3 * k, moved, sizeof moved);
        }
}

void skin_mirror(concept_mesh *m)
{
    for (int i = 0; i < m->count; i++) {
        double *t = m->triangle[i], b[3];
        memcpy(b, t + 3, sizeof b);
        memcpy(t + 3, t + 6, sizeof b);
        memcpy(t + 6, b, sizeof b);
        for (int k = 0; k < 3; k++)
            t[3 * k + 1] = -t[3 * k + 1];
    }
}

void skin_bounds(const concept_mesh *m, double low[3], double high[3])
{
    for (int i = 0; i < m->count; i++)
        for (int k = 0; k < 9; k++) {
            low[k % 3] = fmin(low[k % 3], m->triangle[i][k]);
            high[k % 3] = fmax(high[k % 3], m->triangle[i][k]);
        }
}

double skin_area(const concept_mesh *m)
{
    double area = 0.0;
    for (int i = 0; i < m->count; i++) {
        const double *t = m->triangle[i];
        double u[3], v[3], n[3];
        for (int k = 0; k < 3; k++)
            u[k] = t[3 + k] - t[k], v[k] = t[6 + k] - t[k];
        vec3_cross(u, v, n);
        area += vec3_norm(n) / 2.0;
    }
    return area;
}

concept_moments skin_moments(const concept_mesh *m)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    concept_moments out = {0};
    for (int i = 0; i < m->count; i++) {
        const double *a = m->triangle[i], *b = a + 3, *c = a + 6;
        double n[3], s[3];
        vec3_cross(b, c, n);
        const double D = vec3_dot(a, n);
        for (int k = 0; k < 3; k++)
            s[k] = a[k] + b[k] + c[k];
        out.mass += D / 6.0;
        for (int k = 0; k < 3; k++)
            out.first[k] += D / 24.0 * s[k];
        for (int k = 0; k < 6; k++) {
            const int p = row[k], q = column[k];
            out.second[k] += D / 120.0 * (s[p] * s[q] + a[p] * a[q] + b[p] * b[q] + c[p] * c[q]);
        }
    }
    return out;
}
