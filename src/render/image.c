// image.c - triangles in front, shaded, softened at their edges; see image.h.
//
// The sun has two maps of shadows, a fine one about the focus and a coarse one around it. Every
// band of rows is drawn on its own: what is in front at four samples of a pixel, each triangle of
// them shaded once, then soft things over it.
#include "render/image.h"

#include "base/file.h"
#include "base/pool.h"
#include "render/material.h"
#include "render/raster.h"
#include "render/shadow.h"

#include <cairo.h>
#include <stdlib.h>
#include <string.h>

enum { MAP = 2048, MAPS = 2 };

typedef struct job {
    const scene *s;
    raster solid, soft;
    shadow map[MAPS];
    int map_count;
    image *out;
    bool *failed; // by band
} job;

// ---- geometry ----

static vec placed(const float m[12], vec p)
{
    return (vec){m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3],
                 m[4] * p.x + m[5] * p.y + m[6] * p.z + m[7],
                 m[8] * p.x + m[9] * p.y + m[10] * p.z + m[11]};
}

// Normals under the affine map of a shape: by the cofactors of its axes.
static vec turned(const float m[12], vec n)
{
    const vec a = {m[0], m[4], m[8]}, b = {m[1], m[5], m[9]}, c = {m[2], m[6], m[10]};
    const vec bc = vec_cross(b, c), ca = vec_cross(c, a), ab = vec_cross(a, b);
    const float sign = vec_dot(a, bc) < 0.0f ? -1.0f : 1.0f;
    return vec_unit(vec_scale(
        vec_add(vec_scale(bc, n.x), vec_add(vec_scale(ca, n.y), vec_scale(ab, n.z))), sign));
}

// Whether the sphere around a shape is in front of the camera and in its picture.
static bool in_sight(const camera *c, const scene_draw *d)
{
    const float *m = d->place;
    float stretch = 0.0f;
    for (int k = 0; k < 3; k++)
        stretch = fmaxf(stretch, vec_length((vec){m[k], m[4 + k], m[8 + k]}));
    const float r = stretch * d->shape->radius;
    const vec q = vec_sub((vec){m[3], m[7], m[11]}, c->eye);
    const float ahead = vec_dot(q, c->forward);
    if (ahead < -r)
        return false;
    const float wide = 0.5f * (float)c->width / c->scale, tall = 0.5f * (float)c->height / c->scale;
    return fabsf(vec_dot(q, c->right)) < wide * (ahead + r) + r * (1.0f + wide) + 0.1f &&
           fabsf(vec_dot(q, c->up)) < tall * (ahead + r) + r * (1.0f + tall) + 0.1f;
}

static void add_shape(const scene *s, int k, raster *to)
{
    const scene_draw *d = &s->draw[k];
    const mesh *g = d->shape;
    const camera *c = &s->view;
    for (int t = 0; t < g->triangle_count; t++) {
        vec p[3];
        raster_corner at[3];
        for (int i = 0; i < 3; i++) {
            p[i] = placed(d->place, g->corner[g->index[3 * t + i]].position);
            const camera_point q = camera_project(c, p[i]);
            at[i] = (raster_corner){q.x, q.y, q.depth, 0.0};
        }
        const vec n = vec_cross(vec_sub(p[1], p[0]), vec_sub(p[2], p[0]));
        if (!d->both_sides && vec_dot(n, vec_sub(p[0], c->eye)) >= 0.0f)
            continue;
        raster_add(to, at, false, (double)c->near, d->in_front ? 1e3 : 0.0, k, t);
    }
}

static bool gather(job *j)
{
    const camera *c = &j->s->view;
    const raster empty = {.width = c->width, .height = c->height, .limit = 1.0 / (double)c->near};
    j->solid = j->soft = empty;
    for (int k = 0; k < j->s->count; k++)
        if (in_sight(c, &j->s->draw[k]))
            add_shape(j->s, k, j->s->draw[k].material >= SCENE_SHADE ? &j->soft : &j->solid);
    return raster_sort(&j->solid) && raster_sort(&j->soft);
}

// ---- a place on a triangle ----

static void blend(const mesh_corner *const c[3], const float b[3], fragment *f)
{
    memset(f->uv, 0, sizeof f->uv);
    memset(f->extra, 0, sizeof f->extra);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 2; k++)
            f->uv[k] += b[i] * c[i]->uv[k];
        for (int k = 0; k < 4; k++)
            f->extra[k] += b[i] * c[i]->extra[k];
    }
}

static void find_fragment(const job *j, const raster_triangle *t, float x, float y, fragment *f)
{
    const scene_draw *d = &j->s->draw[t->draw];
    const mesh *g = d->shape;
    const mesh_corner *c[3];
    float b[3], bx[3], by[3];
    fragment right, below;
    for (int i = 0; i < 3; i++)
        c[i] = &g->corner[g->index[3 * t->index + i]];
    raster_shares(t, (double)x, (double)y, b);
    raster_shares(t, (double)x + 1.0, (double)y, bx);
    raster_shares(t, (double)x, (double)y + 1.0, by);
    *f = (fragment){.draw = d};
    for (int i = 0; i < 3; i++) {
        f->local = vec_along(f->local, c[i]->position, b[i]);
        f->upward = vec_along(f->upward, c[i]->normal, b[i]);
    }
    f->upward = vec_unit(f->upward);
    f->place = placed(d->place, f->local);
    if (d->both_sides) {
        const vec p = placed(d->place, c[0]->position);
        const vec face = vec_cross(vec_sub(placed(d->place, c[1]->position), p),
                                   vec_sub(placed(d->place, c[2]->position), p));
        f->behind = vec_dot(face, vec_sub(p, j->s->view.eye)) > 0.0f;
    }
    blend(c, b, f);
    blend(c, bx, &right);
    blend(c, by, &below);
    for (int k = 0; k < 2; k++) {
        f->uv_x[k] = right.uv[k] - f->uv[k];
        f->uv_y[k] = below.uv[k] - f->uv[k];
    }
    for (int k = 0; k < 4; k++) {
        f->extra_x[k] = right.extra[k] - f->extra[k];
        f->extra_y[k] = below.extra[k] - f->extra[k];
    }
}

// ---- light ----

static float sun_at(const job *j, vec p, vec n)
{
    for (int k = 0; k < j->map_count; k++) {
        const float share = shadow_at(&j->map[k], p, n);
        if (share >= 0.0f)
            return share;
    }
    return 1.0f;
}

// GGX with the visibility of Smith, without Fresnel's factor.
static float gloss(vec n, vec v, vec l, float roughness)
{
    const vec h = vec_unit(vec_add(v, l));
    const float a = fmaxf(roughness * roughness, 0.003f), a2 = a * a;
    const float nh = fmaxf(vec_dot(n, h), 0.0f), nl = fmaxf(vec_dot(n, l), 0.0f);
    const float nv = fmaxf(vec_dot(n, v), 1e-3f), q = nh * nh * (a2 - 1.0f) + 1.0f;
    const float gl = nv * sqrtf(a2 + (1.0f - a2) * nl * nl);
    const float gv = nl * sqrtf(a2 + (1.0f - a2) * nv * nv);
    return 0.5f / fmaxf(gl + gv, 1e-4f) * a2 / ((float)M_PI * q * q);
}

static float fresnel(float f0, float cosine)
{
    return f0 + (1.0f - f0) * exp2f((-5.55473f * cosine - 6.98316f) * cosine);
}

// Share of a reflected environment, Karis' fit: scale and offset of the colour at normal incidence.
static void mirrored(float roughness, float nv, float out[2])
{
    const float r[4] = {1.0f - roughness, 0.0425f - 0.0275f * roughness, 1.04f - 0.572f * roughness,
                        0.022f * roughness - 0.04f};
    const float a = fminf(r[0] * r[0], exp2f(-9.28f * nv)) * r[0] + r[1];
    out[0] = -1.04f * a + r[2];
    out[1] = 1.04f * a + r[3];
}

static vec lit(const job *j, const fragment *f, const surface *m, vec n, vec v)
{
    const sky *s = &j->s->light;
    const float nl = vec_dot(n, s->sun), nv = clampf(vec_dot(n, v), 0.0f, 1.0f);
    const vec diffuse = vec_scale(m->albedo, 1.0f - m->metalness);
    const vec f0 = vec_mix((vec){0.04f, 0.04f, 0.04f}, m->albedo, m->metalness);
    const vec back = vec_sub(vec_scale(n, 2.0f * vec_dot(n, v)), v);
    vec sun = {0};
    float peak = 0.0f;
    if (nl > 0.0f) {
        sun = vec_scale(s->sun_colour, s->sun_power * nl * sun_at(j, f->place, n));
        peak = gloss(n, v, s->sun, m->roughness);
    }
    float share[2];
    mirrored(m->roughness, nv, share);
    const vec spec = {f0.x * share[0] + share[1], f0.y * share[0] + share[1],
                      f0.z * share[0] + share[1]};
    // Near the road less of the sky is seen.
    const float open = f->draw->material == SCENE_PAINT
                           ? mixf(0.68f, 1.0f, smoothf(0.0f, 1.7f, f->local.z))
                           : 1.0f;
    const vec around = vec_scale(sky_light(s, n, 1.0f), s->ambient * open);
    const vec seen = vec_scale(sky_light(s, back, fmaxf(m->roughness, 0.1f)), s->ambient);
    vec out = vec_times(diffuse, vec_add(vec_scale(sun, 1.0f / (float)M_PI), around));
    out = vec_add(out, vec_times(f0, vec_scale(sun, peak)));
    out = vec_add(out, vec_times(spec, seen));
    if (m->coat > 0.01f) {
        const float part = m->coat * fresnel(0.04f, nv);
        const vec coat = vec_scale(sky_light(s, back, 0.04f), s->ambient);
        out = vec_add(vec_scale(out, 1.0f - part), vec_scale(coat, part));
        if (nl > 0.0f)
            out = vec_along(out, sun, m->coat * 0.04f * fminf(gloss(n, v, s->sun, 0.12f), 60.0f));
    }
    return vec_add(out, m->emitted);
}

// Colour of a triangle at a place of the picture, sRGB.
static vec shaded(const job *j, const raster_triangle *t, float x, float y)
{
    fragment f;
    surface m;
    find_fragment(j, t, x, y, &f);
    const scene *s = j->s;
    const vec way = vec_sub(s->view.eye, f.place);
    const float distance = vec_length(way);
    if (f.draw->material == SCENE_FLAT) {
        // Into the sky behind it, not into the horizon: far hills have no edge.
        const vec c = sky_develop(&s->light, vec_of(f.draw->colour));
        const vec air = sky_shown(&s->light, (vec){-way.x, -way.y, fmaxf(-way.z, 0.0f)});
        return vec_mix(c, air, sky_haze_share(&s->light, distance));
    }
    vec n = turned(f.draw->place, f.upward);
    const vec v = vec_scale(way, 1.0f / fmaxf(distance, 1e-6f));
    if (f.draw->material == SCENE_FLOOR)
        return material_floor(s, &f, sun_at(j, f.place, n));
    if (f.behind)
        n = vec_scale(n, -1.0f);
    material_at(s, &f, &m);
    const vec c = sky_develop(&s->light, lit(j, &f, &m, n, v));
    return s->studio ? c : sky_haze(&s->light, c, distance);
}

// ---- bands ----

static vec behind(const scene *s, float x, float y)
{
    const vec ray = vec_unit(camera_ray(&s->view, x, y));
    if (s->studio)
        return vec_mix(s->background[0], s->background[1], smoothf(0.0f, 0.5f, ray.z));
    return sky_shown(&s->light, ray);
}

// A pixel: every triangle among its samples once, at the middle of the samples it has.
static vec solid_pixel(const job *j, int x, int y, const uint32_t *number, size_t plane)
{
    vec sum = {0};
    bool done[RASTER_SAMPLES] = {false};
    for (int s = 0; s < RASTER_SAMPLES; s++) {
        if (done[s])
            continue;
        const uint32_t own = number[(size_t)s * plane];
        float px = 0.0f, py = 0.0f;
        int n = 0;
        for (int k = s; k < RASTER_SAMPLES; k++)
            if (number[(size_t)k * plane] == own) {
                done[k] = true;
                px += raster_sample[k][0];
                py += raster_sample[k][1];
                n++;
            }
        px = (float)x + px / (float)n;
        py = (float)y + py / (float)n;
        const vec c = own ? shaded(j, &j->solid.item[own - 1], px, py) : behind(j->s, px, py);
        sum = vec_along(sum, c, (float)n / RASTER_SAMPLES);
    }
    return sum;
}

static void soft_triangle(const job *j, const raster_triangle *t, int first, int last,
                          const float *value, vec *colour)
{
    const camera *c = &j->s->view;
    const scene_material what = j->s->draw[t->draw].material;
    const double nearer = what == SCENE_SHADE || what == SCENE_POOL ? 1.004 : 1.0;
    for (int y = t->y0 > first ? t->y0 : first; y <= t->y1 && y < last; y++)
        for (int x = t->x0; x <= t->x1; x++) {
            const int n = raster_seen(&j->soft, t, x, y, value, nearer);
            if (!n)
                continue;
            const float share = (float)n / RASTER_SAMPLES, px = (float)x + 0.5f,
                        py = (float)y + 0.5f;
            vec *at = &colour[(size_t)(y - first) * (size_t)c->width + (size_t)x];
            if (what == SCENE_GLASS) {
                *at = vec_mix(*at, shaded(j, t, px, py), share * j->s->draw[t->draw].alpha);
                continue;
            }
            fragment f;
            vec added;
            float left;
            find_fragment(j, t, px, py, &f);
            material_soft(j->s, &f, vec_length(vec_sub(f.place, c->eye)), &added, &left);
            *at = vec_add(vec_scale(*at, 1.0f + share * (left - 1.0f)), vec_scale(added, share));
        }
}

static uint32_t byte_of(float v)
{
    return (uint32_t)(255.0f * clampf(v, 0.0f, 1.0f) + 0.5f);
}

static void draw_band(void *context, int band)
{
    const job *j = context;
    const int width = j->s->view.width, first = band * RASTER_ROWS;
    const int last =
        first + RASTER_ROWS < j->s->view.height ? first + RASTER_ROWS : j->s->view.height;
    const size_t plane = (size_t)RASTER_ROWS * (size_t)width;
    float *value = calloc(RASTER_SAMPLES * plane, sizeof *value);
    uint32_t *number = calloc(RASTER_SAMPLES * plane, sizeof *number);
    vec *colour = calloc(plane, sizeof *colour);
    if (value && number && colour) {
        raster_band(&j->solid, band, RASTER_SAMPLES, value, number);
        for (int y = first; y < last; y++)
            for (int x = 0; x < width; x++) {
                const size_t at = (size_t)(y - first) * (size_t)width + (size_t)x;
                colour[at] = solid_pixel(j, x, y, number + at, plane);
            }
        for (int k = j->soft.start[band]; k < j->soft.start[band + 1]; k++)
            soft_triangle(j, &j->soft.item[j->soft.order[k]], first, last, value, colour);
        for (int y = first; y < last; y++)
            for (int x = 0; x < width; x++) {
                const size_t at = (size_t)(y - first) * (size_t)width + (size_t)x;
                const size_t to = (size_t)y * (size_t)width + (size_t)x;
                const vec c = colour[at];
                j->out->pixel[to] =
                    0xff000000u | byte_of(c.x) << 16 | byte_of(c.y) << 8 | byte_of(c.z);
                j->out->depth[to] = value[at] > 0.0f ? 1.0f / value[at] : HUGE_VALF;
            }
    } else {
        j->failed[band] = true;
    }
    free(value);
    free(number);
    free(colour);
}

static bool draw_all(job *j, pool *threads)
{
    const float reach = j->s->reach;
    j->map_count = j->s->studio ? 1 : MAPS;
    for (int k = 0; k < j->map_count; k++)
        if (!shadow_make(j->s, j->s->focus, k ? 6.0f * reach : reach, MAP, threads, &j->map[k]))
            return false;
    if (!gather(j))
        return false;
    const int bands = raster_band_count(&j->solid);
    j->failed = calloc((size_t)bands, sizeof *j->failed);
    if (!j->failed)
        return false;
    pool_run(threads, bands, draw_band, j);
    bool good = true;
    for (int k = 0; k < bands; k++)
        good = good && !j->failed[k];
    return good;
}

mc_status image_draw(const scene *s, int threads, image *out, mc_error *error)
{
    const size_t n = (size_t)s->view.width * (size_t)s->view.height;
    *out = (image){s->view.width, s->view.height, malloc(n * sizeof *out->pixel),
                   malloc(n * sizeof *out->depth)};
    job j = {.s = s, .out = out};
    pool *p = pool_create(threads);
    const bool good = scene_whole(s) && out->pixel && out->depth && p && draw_all(&j, p);
    pool_destroy(p);
    raster_free(&j.solid);
    raster_free(&j.soft);
    for (int k = 0; k < MAPS; k++)
        shadow_free(&j.map[k]);
    free(j.failed);
    if (good)
        return MC_OK;
    image_free(out);
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0,
                        "no memory left for a picture of %d x %d pixels", s->view.width,
                        s->view.height);
}

void image_free(image *m)
{
    free(m->pixel);
    free(m->depth);
    *m = (image){0};
}

// ---- file ----

static cairo_status_t write_bytes(void *closure, const unsigned char *data, unsigned length)
{
    file_write(closure, data, length);
    return CAIRO_STATUS_SUCCESS;
}

mc_status image_write_png(const image *m, const char *path, mc_error *error)
{
    file_writer *out = file_writer_open(path, error);
    if (!out)
        return error->code;
    cairo_surface_t *pixels = cairo_image_surface_create_for_data(
        (unsigned char *)m->pixel, CAIRO_FORMAT_RGB24, m->width, m->height, 4 * m->width);
    const cairo_status_t status = cairo_surface_write_to_png_stream(pixels, write_bytes, out);
    cairo_surface_destroy(pixels);
    if (status == CAIRO_STATUS_SUCCESS)
        return file_writer_commit(out, error);
    file_writer_abandon(out);
    return mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "the picture could not be written: %s",
                        cairo_status_to_string(status));
}
