// shadow.c - see shadow.h.
#include "render/shadow.h"

#include "render/raster.h"

#include <stdlib.h>

static raster_corner corner_of(const shadow *m, const scene_draw *d, const mesh_corner *c)
{
    const float *a = d->place;
    const vec p = c->position;
    const vec q = {a[0] * p.x + a[1] * p.y + a[2] * p.z + a[3] - m->centre.x,
                   a[4] * p.x + a[5] * p.y + a[6] * p.z + a[7] - m->centre.y,
                   a[8] * p.x + a[9] * p.y + a[10] * p.z + a[11] - m->centre.z};
    const double scale = 0.5 * m->size / (double)m->half, middle = 0.5 * m->size;
    return (raster_corner){middle + scale * (double)vec_dot(q, m->right),
                           middle + scale * (double)vec_dot(q, m->up), 1.0,
                           (double)vec_dot(q, m->towards)};
}

// Whether a shape can reach into the square.
static bool reaches(const shadow *m, const scene_draw *d)
{
    const float *a = d->place;
    const vec q = vec_sub((vec){a[3], a[7], a[11]}, m->centre);
    float stretch = 0.0f;
    for (int k = 0; k < 3; k++)
        stretch = fmaxf(stretch, vec_length((vec){a[k], a[4 + k], a[8 + k]}));
    const float reach = m->half + stretch * d->shape->radius;
    return fabsf(vec_dot(q, m->right)) < reach && fabsf(vec_dot(q, m->up)) < reach;
}

typedef struct job {
    raster *r;
    shadow *m;
} job;

static void draw_band(void *context, int band)
{
    const job *j = context;
    raster_band(j->r, band, 1, j->m->value + (size_t)band * RASTER_ROWS * (size_t)j->m->size, NULL);
}

bool shadow_make(const scene *s, vec centre, float half, int size, pool *threads, shadow *out)
{
    *out = (shadow){.size = size, .half = half, .towards = s->light.sun};
    out->right = vec_unit((vec){-s->light.sun.y, s->light.sun.x, 0.0f});
    out->up = vec_cross(out->towards, out->right);
    out->centre = centre;
    const size_t n = (size_t)size * (size_t)(size + RASTER_ROWS);
    out->value = malloc(n * sizeof *out->value);
    raster r = {.width = size, .height = size, .limit = HUGE_VAL};
    for (int k = 0; out->value && k < s->count; k++) {
        const scene_draw *d = &s->draw[k];
        if (!d->casts || !reaches(out, d))
            continue;
        for (int t = 0; t < d->shape->triangle_count; t++) {
            raster_corner c[3];
            for (int i = 0; i < 3; i++)
                c[i] = corner_of(out, d, &d->shape->corner[d->shape->index[3 * t + i]]);
            raster_add(&r, c, true, 0.5, 0.0, k, t);
        }
    }
    bool good = out->value && raster_sort(&r);
    if (good) {
        for (size_t i = 0; i < n; i++)
            out->value[i] = -1e30f;
        job j = {&r, out};
        pool_run(threads, raster_band_count(&r), draw_band, &j);
    }
    raster_free(&r);
    return good;
}

void shadow_free(shadow *m)
{
    free(m->value);
    *m = (shadow){0};
}

float shadow_at(const shadow *m, vec p, vec normal)
{
    enum { TAPS = 5 }; // texels a side, the outer ones by share: edges move smoothly
    const float texel = 2.0f * m->half / (float)m->size;
    const vec q = vec_sub(vec_along(p, normal, 0.015f + 1.2f * texel), m->centre);
    const float scale = 0.5f * (float)m->size / m->half, middle = 0.5f * (float)m->size;
    const float x = middle + scale * vec_dot(q, m->right) - 0.5f * TAPS;
    const float y = middle + scale * vec_dot(q, m->up) - 0.5f * TAPS;
    if (!(x > 0.0f && y > 0.0f && x < (float)(m->size - TAPS - 1) &&
          y < (float)(m->size - TAPS - 1)))
        return -1.0f;
    const int i = (int)x, j = (int)y;
    const float fx = x - (float)i, fy = y - (float)j;
    const float z = vec_dot(q, m->towards) + 0.012f + 0.6f * texel;
    float sum = 0.0f;
    for (int b = 0; b <= TAPS; b++) {
        const float *row = m->value + (size_t)(j + b) * (size_t)m->size + i;
        float line = 0.0f;
        for (int a = 0; a <= TAPS; a++)
            if (z >= row[a])
                line += a == 0 ? 1.0f - fx : a == TAPS ? fx : 1.0f;
        sum += line * (b == 0 ? 1.0f - fy : b == TAPS ? fy : 1.0f);
    }
    return sum / (TAPS * TAPS);
}
