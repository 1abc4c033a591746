// material.c - see material.h.
#include "render/material.h"

static float stepf(float edge, float x)
{
    return x >= edge ? 1.0f : 0.0f;
}

static float wrapf(float x, float period)
{
    return x - period * floorf(x / period);
}

// ---- bodies ----

// A texture over the area of a pixel: up to four samples along its longer side.
static void sample(const texture *t, const fragment *f, float out[4])
{
    const float a = hypotf(f->uv_x[0], f->uv_x[1]), b = hypotf(f->uv_y[0], f->uv_y[1]);
    const float longer = fmaxf(a, b), shorter = fminf(a, b);
    const float *along = a > b ? f->uv_x : f->uv_y;
    const int n = longer > 3.0f * shorter ? 4 : longer > 1.5f * shorter ? 2 : 1;
    const float footprint = fmaxf(shorter, longer / (float)n);
    float sum[4] = {0}, one[4];
    for (int k = 0; k < n; k++) {
        const float u = ((float)k + 0.5f) / (float)n - 0.5f;
        texture_at(t, f->uv[0] + u * along[0], f->uv[1] + u * along[1], footprint, one);
        for (int c = 0; c < 4; c++)
            sum[c] += one[c] / (float)n;
    }
    for (int c = 0; c < 4; c++)
        out[c] = sum[c];
}

// The pattern of a platoon on the roof.
static float roof_mark(float pattern, vec p)
{
    const float y = fabsf(p.y);
    if (pattern < 1.5f)
        return smoothf(0.085f, 0.078f, fabsf(y - 0.17f));
    if (pattern < 2.5f)
        return smoothf(0.12f, 0.10f, fabsf(wrapf(p.x + y, 0.8f) - 0.4f));
    return smoothf(0.15f, 0.13f, hypotf(wrapf(p.x, 0.6f) - 0.3f, wrapf(y, 0.6f) - 0.3f));
}

static vec lamps(const fragment *f, vec bare, float mask)
{
    const float *state = f->draw->lamps;
    const float red = stepf(bare.y * 2.5f, bare.x), lit = smoothf(0.7f, 0.9f, mask);
    // Edges of other lamps have the same mask, but not the colour.
    const bool yellow = bare.y > 0.15f * bare.x && bare.y < 0.6f * bare.x && bare.z < 0.2f * bare.x;
    const float amber =
        yellow ? smoothf(0.3f, 0.45f, mask) * (1.0f - smoothf(0.55f, 0.7f, mask)) : 0.0f;
    const float side =
        state[2] > 1.5f ? 1.0f : stepf(0.5f, state[2] * (f->local.y < 0.0f ? -1.0f : 1.0f));
    vec out = f->local.x > 0.0f
                  ? vec_scale((vec){1.0f, 0.95f, 0.86f}, lit * state[1] * 3.2f * (1.0f - red))
                  : vec_scale((vec){1.0f, 0.02f, 0.015f}, lit * state[0] * 1.5f * red);
    if (fabsf(state[2]) > 0.5f)
        out = vec_along(out, (vec){1.0f, 0.4f, 0.02f}, 2.2f * amber * side);
    return out;
}

static void paint(const fragment *f, surface *out)
{
    const scene_draw *d = f->draw;
    float c[4], info[4];
    sample(&d->sheets->colour, f, c);
    sample(&d->sheets->data, f, info);
    const vec bare = {sky_to_linear(c[0]), sky_to_linear(c[1]), sky_to_linear(c[2])};
    const vec one = {1.0f, 1.0f, 1.0f};
    vec own = vec_of(d->colour);
    if (d->tint[3] > 0.0f)
        own = vec_mix(own, vec_of(d->tint), d->tint[3]);
    out->albedo = vec_times(bare, vec_mix(one, own, info[0]));
    if (d->lamps[3] > 0.5f && info[0] > 0.5f && f->local.z > d->roof) {
        const float mark =
            roof_mark(d->lamps[3], f->local) * 0.8f * smoothf(0.7f, 0.8f, f->upward.z);
        out->albedo = vec_mix(out->albedo, (vec){0.8f, 0.8f, 0.8f}, mark);
    }
    out->roughness = info[1];
    out->metalness =
        0.32f * info[0] + (info[0] < 0.1f && info[1] < 0.3f && info[1] > 0.16f ? 0.85f : 0.0f);
    out->coat = smoothf(0.58f, 0.40f, info[1]) * (info[0] < 0.5f ? 0.25f : 1.0f);
    out->emitted = lamps(f, bare, info[2]);
}

// ---- road ----

// Size of a pixel on the road along and across.
static void pixel_on_road(const fragment *f, float px[2])
{
    for (int k = 0; k < 2; k++)
        px[k] = fmaxf(fabsf(f->extra_x[k]) + fabsf(f->extra_y[k]), 1e-4f);
}

static void noise(const scene *s, const float at[2], float ku, float kv, float shift,
                  const float px[2], float out[4])
{
    const float a = px[0] * ku, b = px[1] * kv;
    texture_at(&s->ground, at[0] * ku + shift, at[1] * kv + shift,
               sqrtf(fmaxf(a, 1e-6f) * fmaxf(b, 1e-6f)) * 1.4f, out);
}

// Coverage of a line at distance d from its middle.
static float across(float d, float wide, float px)
{
    return clampf((0.5f * wide - fabsf(d)) / px + 0.5f, 0.0f, 1.0f) * fminf(1.0f, wide / px);
}

static float dashes(const scene *s, float at, float px)
{
    const float d = s->dash * 0.5f - fabsf(wrapf(at, s->spacing) - s->dash * 0.5f);
    return px > s->spacing ? s->dash / s->spacing : clampf(d / px + 0.5f, 0.0f, 1.0f);
}

static float edge(const scene *s, float kind, float d, float along, const float px[2])
{
    if (kind < 0.5f)
        return 0.0f;
    const bool dashed = kind > 1.5f && kind < 2.5f;
    const float c = across(d, dashed ? 0.12f : 0.15f, px[1]);
    return dashed ? c * dashes(s, along, px[0]) : c;
}

// Marks on a shoulder, and the stripes of a gore.
static float fields(const scene *s, const fragment *f, const float px[2])
{
    const float *q = f->extra;
    if (q[3] > 0.8f && q[3] < 1.5f) {
        const float m = fabsf(wrapf(q[0] + 0.5f * s->spacing, s->spacing) - 0.5f * s->spacing);
        return clampf((0.06f - m) / px[0] + 0.5f, 0.0f, 1.0f) * fminf(1.0f, 0.12f / px[0]) *
               stepf(0.35f, q[2] - fabsf(q[1]));
    }
    if (q[3] > 1.5f) {
        const float m = wrapf(q[0] + fabsf(q[1]), 6.0f), w = fmaxf(px[0], px[1]);
        return w > 3.0f ? 0.2f : clampf((0.6f - fabsf(m - 3.0f)) / w + 0.5f, 0.0f, 1.0f);
    }
    return 0.0f;
}

static float bell(float x)
{
    return expf(-x * x);
}

static void road(const scene *s, const fragment *f, surface *out)
{
    const float *q = f->extra;
    float px[2], n0[4], n1[4], n2[4], n3[4];
    pixel_on_road(f, px);
    noise(s, q, 0.82f, 0.82f, 0.0f, px, n0);
    noise(s, q, 0.021f, 0.055f, 0.0f, px, n1);
    noise(s, q, 0.0043f, 0.019f, 0.37f, px, n2);
    noise(s, q, 0.011f, 0.027f, 0.71f, px, n3);
    const float detail = clampf(1.4f - px[0] * 4.0f, 0.0f, 1.0f);
    float v =
        0.5f + 0.3f * (n0[0] - 0.5f) * detail + 0.2f * (n1[1] - 0.5f) + 0.26f * (n2[2] - 0.5f);
    const float used = q[3] < 0.5f ? 1.0f : 0.0f;
    const float track = used * bell((fabsf(q[1]) - 0.82f) / 0.34f), oil = used * bell(q[1] / 0.26f);
    v -= 0.055f * track + 0.075f * oil * (0.6f + 0.8f * n1[1]);
    v -= 0.16f * detail * smoothf(0.012f, 0.0f, fabsf(n3[1] - 0.5f)) * smoothf(0.56f, 0.66f, n2[1]);
    v = clampf(v, 0.0f, 1.0f);
    const vec asphalt = vec_mix((vec){0.076f, 0.076f, 0.077f}, (vec){0.196f, 0.193f, 0.189f}, v);
    const float left = edge(s, f->uv[0], q[2] - q[1], q[0], px);
    const float right = edge(s, f->uv[1], q[2] + q[1], q[0], px);
    float ink = fmaxf(fmaxf(left, right), fields(s, f, px));
    const bool yellow = (f->uv[0] > 2.5f && left > 0.0f) || (f->uv[1] > 2.5f && right > 0.0f);
    const float worn = n0[0] * 0.6f * detail + 0.2f * (1.0f - detail) + n1[1] * 0.55f + 0.1f;
    ink *= mixf(0.62f, 0.97f, smoothf(0.3f, 0.62f, worn));
    out->albedo =
        vec_mix(asphalt, yellow ? (vec){0.78f, 0.52f, 0.06f} : (vec){0.8f, 0.8f, 0.8f}, ink);
    out->roughness = mixf(0.9f - 0.1f * track - 0.1f * n0[0], 0.62f, ink);
}

static void grass(const scene *s, const fragment *f, surface *out)
{
    const float *q = f->extra;
    float px[2], a[4], b[4], c[4];
    pixel_on_road(f, px);
    noise(s, q, 0.037f, 0.037f, 0.0f, px, b);
    noise(s, q, 0.46f, 0.46f, 0.0f, px, a);
    noise(s, q, 0.0061f, 0.0061f, 0.2f, px, c);
    const float fine = clampf(1.2f - 2.0f * fmaxf(px[0], px[1]), 0.0f, 1.0f);
    const float g =
        0.5f + (a[0] - 0.5f) * 0.55f * fine + (b[1] - 0.5f) * 0.8f + (c[2] - 0.5f) * 0.9f;
    const vec dry = {0.270f, 0.238f, 0.130f}, green = {0.118f, 0.160f, 0.058f};
    const vec deep = {0.066f, 0.104f, 0.036f}, stone = {0.215f, 0.195f, 0.160f};
    vec colour = vec_mix(deep, green, smoothf(0.15f, 0.55f, g));
    colour = vec_mix(colour, dry, smoothf(0.48f, 0.92f, g + (c[1] - 0.5f) * 0.6f));
    const float stony = smoothf(0.42f, 0.62f, q[2] + (b[0] - 0.5f) * 0.2f + (a[1] - 0.5f) * 0.22f);
    out->albedo = vec_mix(colour, vec_scale(stone, 0.75f + 0.5f * a[0]), stony * 0.9f);
    out->roughness = 1.0f;
}

void material_at(const scene *s, const fragment *f, surface *out)
{
    const scene_draw *d = f->draw;
    *out = (surface){
        .albedo = vec_of(d->colour), .roughness = d->roughness, .metalness = d->metalness};
    switch (d->material) {
    case SCENE_PAINT:
        paint(f, out);
        break;
    case SCENE_WHEEL:
        out->albedo = (vec){f->extra[0], f->extra[0], f->extra[0]};
        out->metalness = f->extra[1];
        out->roughness = f->extra[2];
        break;
    case SCENE_TINTED: {
        const vec c = {f->extra[0], f->extra[1], f->extra[2]};
        const bool own = !d->white || fminf(c.x, fminf(c.y, c.z)) > 0.99f;
        out->albedo = own ? vec_times(c, out->albedo) : c;
        break;
    }
    case SCENE_ROAD:
        road(s, f, out);
        break;
    case SCENE_GRASS:
        grass(s, f, out);
        break;
    default:
        break;
    }
}

// ---- a studio's floor ----

static float grid(const float at[2], const float px[2], float spacing, float wide)
{
    float most = 0.0f;
    for (int k = 0; k < 2; k++) {
        const float m = fabsf(wrapf(at[k] + 0.5f * spacing, spacing) - 0.5f * spacing);
        const float line = px[k] > 0.5f * spacing ? 0.0f : across(m, fmaxf(wide, px[k]), px[k]);
        most = fmaxf(most, line * clampf(2.0f - 6.0f * px[k] / spacing, 0.0f, 1.0f));
    }
    return most;
}

vec material_floor(const scene *s, const fragment *f, float sun)
{
    const float spacing = f->draw->roughness;
    float px[2];
    pixel_on_road(f, px);
    const float far = hypotf(f->place.x - s->focus.x, f->place.y - s->focus.y) / (12.0f * spacing);
    vec c = vec_mix(vec_of(f->draw->colour), s->background[0], smoothf(0.35f, 2.2f, far));
    const float lines = fmaxf(0.5f * grid(f->extra, px, spacing, 0.008f * spacing),
                              grid(f->extra, px, 5.0f * spacing, 0.014f * spacing));
    c = vec_scale(c, 1.0f - 0.16f * lines * (1.0f - smoothf(0.5f, 1.6f, far)));
    return vec_scale(c, 1.0f - 0.36f * (1.0f - sun) * (1.0f - smoothf(1.2f, 2.2f, far)));
}

// ---- soft things ----

static float square(float x)
{
    return x * x;
}

void material_soft(const scene *s, const fragment *f, float distance, vec *added, float *left)
{
    const float u = f->uv[0], v = f->uv[1];
    *added = (vec){0};
    *left = 1.0f;
    if (f->draw->material == SCENE_SHADE) {
        const float d =
            hypotf(fmaxf(fabsf(u) - 0.62f, 0.0f), fmaxf(fabsf(v) - 0.52f, 0.0f)) / 0.38f;
        *left = 1.0f - f->draw->alpha * smoothf(1.0f, 0.0f, d);
    } else if (f->draw->material == SCENE_POOL) {
        const float w = 0.5f * u + 0.5f, y = fabsf(v);
        const float lobe = expf(-square((y - 0.13f) / (0.16f + 0.62f * w)) * 2.2f);
        const float a =
            lobe * fminf(1.0f, 9.0f * w) * expf(-2.6f * w) * powf(fmaxf(1.0f - w, 0.0f), 0.6f);
        const vec c = {sky_to_linear(a), sky_to_linear(0.953f * a), sky_to_linear(0.855f * a)};
        *added = vec_scale(sky_develop(&s->light, c), 0.62f);
    } else {
        const float r = hypotf(u, v);
        const float a =
            expf(-9.0f * r * r) * fmaxf(0.0f, 1.0f - r) * 0.8f + expf(-90.0f * r * r) * 0.6f;
        const vec c = vec_scale(vec_of(f->draw->colour), a * expf(-0.0012f * distance));
        *added = (vec){sky_to_srgb(c.x), sky_to_srgb(c.y), sky_to_srgb(c.z)};
    }
}
