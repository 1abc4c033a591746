// sky.c - see sky.h.
#include "render/sky.h"

#include "render/look.h"
#include "render/noise.h"

#include <math.h>

float sky_to_linear(float v)
{
    return v <= 0.04045f ? v / 12.92f : powf((v + 0.055f) / 1.055f, 2.4f);
}

float sky_to_srgb(float v)
{
    if (!(v > 0.0f))
        return 0.0f;
    return v <= 0.0031308f ? 12.92f * v : 1.055f * powf(v, 1.0f / 2.4f) - 0.055f;
}

static vec linear_of(const float *c)
{
    return (vec){sky_to_linear(c[0]), sky_to_linear(c[1]), sky_to_linear(c[2])};
}

static vec to_srgb(vec c)
{
    return (vec){sky_to_srgb(c.x), sky_to_srgb(c.y), sky_to_srgb(c.z)};
}

// The dome of the page: SKY_COLOUR of sky3d.ts. lamp: how much of the glow around the sun.
static vec dome(const sky *s, vec d, float wash, float lamp)
{
    // Into the plan, where sun and clouds are.
    const vec p = {s->turn_c * d.x - s->turn_s * d.y, s->turn_s * d.x + s->turn_c * d.y, d.z};
    const vec sun = {s->turn_c * s->sun.x - s->turn_s * s->sun.y,
                     s->turn_s * s->sun.x + s->turn_c * s->sun.y, s->sun.z};
    const float h = p.z;
    vec c = vec_mix(s->horizon, s->mid, smoothf(0.0f, 0.22f, h));
    c = vec_mix(c, s->zenith, smoothf(0.12f, 0.85f, h));
    const float to_sun = fmaxf(vec_dot(p, sun), 0.0f);
    const float flat = hypotf(p.x, p.y) + 1e-5f, glow = hypotf(s->glow_at[0], s->glow_at[1]);
    const float a = fmaxf((p.x * s->glow_at[0] + p.y * s->glow_at[1]) / (flat * glow), 0.0f);
    const float around = 0.55f * powf(to_sun, 24.0f) + 0.10f * powf(to_sun, 4.0f);
    c = vec_along(c, s->glow, s->glow_power * around * lamp * (1.0f - s->stars));
    c = vec_along(c, s->glow,
                  s->glow_power * s->stars * powf(a, 4.0f) * expf(-fmaxf(h, 0.0f) * 13.0f));
    if (h > 0.015f) {
        float n[4], m[4];
        const float k = 0.055f / (h + 0.12f), x = p.x * k, y = p.y * k;
        texture_at(&s->cloud_noise, x + 0.13f, y + 0.13f, 0.0f, n);
        texture_at(&s->cloud_noise, 2.3f * x, 3.1f * y, 0.0f, m);
        const float cover = smoothf(0.47f, 0.66f, 0.62f * n[0] + 0.38f * m[0]);
        c = vec_mix(c, s->cloud, cover * smoothf(0.015f, 0.2f, h) * s->clouds * 0.72f);
    }
    c = vec_mix(c, s->ground, smoothf(0.0f, -0.05f, h));
    const float grey = 0.25f * c.x + 0.65f * c.y + 0.10f * c.z;
    return vec_mix(c, (vec){grey, grey, grey}, wash);
}

static float star(vec d)
{
    const vec q = vec_scale(d, 190.0f), cell = {floorf(q.x), floorf(q.y), floorf(q.z)};
    const float seed = sinf(vec_dot(cell, (vec){12.99f, 78.23f, 37.7f})) * 43758.5f;
    if (seed - floorf(seed) < 0.9965f)
        return 0.0f;
    const vec in = vec_sub(vec_sub(q, cell), (vec){0.5f, 0.5f, 0.5f});
    return smoothf(0.30f, 0.0f, vec_length(in)) * smoothf(0.05f, 0.4f, d.z) * 0.55f;
}

vec sky_shown(const sky *s, vec direction)
{
    const vec d = vec_unit(direction);
    vec c = dome(s, d, 0.0f, 1.0f);
    if (s->stars > 0.5f && d.z > 0.05f)
        c = vec_along(c, (vec){0.75f, 0.82f, 1.0f}, star(d));
    return to_srgb(c);
}

// ---- environment ----

// Octahedral maps: |x| + |y| + |z| = 1 unfolded into the square.
static vec unfold(float u, float v)
{
    vec d = {u, v, 1.0f - fabsf(u) - fabsf(v)};
    if (d.z < 0.0f) {
        d.x = (1.0f - fabsf(v)) * (u < 0.0f ? -1.0f : 1.0f);
        d.y = (1.0f - fabsf(u)) * (v < 0.0f ? -1.0f : 1.0f);
    }
    return vec_unit(d);
}

static vec texel(int i, int j)
{
    return unfold(2.0f * ((float)i + 0.5f) / SKY_SIZE - 1.0f,
                  2.0f * ((float)j + 0.5f) / SKY_SIZE - 1.0f);
}

// Light around every direction, weighted by a lobe about as wide as the reflection of a surface of
// that roughness: cos^n, n = 2 / r^4 - 1; of a matt surface the cosine.
static void spread(const vec *from, const vec *way, float roughness, vec *to)
{
    const float r = fmaxf(roughness, 0.12f);
    const float n = roughness >= 1.0f ? 1.0f : 2.0f / (r * r * r * r) - 1.0f;
    const float least = n > 1.0f ? powf(0.002f, 1.0f / n) : 0.0f;
    for (int k = 0; k < SKY_SIZE * SKY_SIZE; k++) {
        vec sum = {0};
        float total = 0.0f;
        for (int q = 0; q < SKY_SIZE * SKY_SIZE; q++) {
            const float c = vec_dot(way[k], way[q]);
            if (c <= least)
                continue;
            const float w = n > 1.0f ? expf(n * logf(c)) : c;
            sum = vec_along(sum, from[q], w);
            total += w;
        }
        to[k] = total > 0.0f ? vec_scale(sum, 1.0f / total) : from[k];
    }
}

static bool make_environment(arena *a, sky *s)
{
    vec way[SKY_SIZE * SKY_SIZE];
    for (int k = 0; k < SKY_SIZE * SKY_SIZE; k++)
        way[k] = texel(k % SKY_SIZE, k / SKY_SIZE);
    for (int l = 0; l < SKY_LEVELS; l++) {
        s->environment[l] = arena_alloc(a, sizeof(vec) * SKY_SIZE * SKY_SIZE);
        if (!s->environment[l])
            return false;
        for (int k = 0; k < SKY_SIZE * SKY_SIZE && l == 0; k++)
            s->environment[0][k] = dome(s, way[k], s->wash, 0.5f);
        if (l > 0)
            spread(s->environment[0], way, (float)l / (SKY_LEVELS - 1), s->environment[l]);
    }
    return true;
}

static vec map_at(const vec *map, vec d)
{
    const float l = fabsf(d.x) + fabsf(d.y) + fabsf(d.z);
    float u = d.x / l, v = d.y / l;
    if (d.z < 0.0f) {
        const float fold = (1.0f - fabsf(v)) * (u < 0.0f ? -1.0f : 1.0f);
        v = (1.0f - fabsf(u)) * (v < 0.0f ? -1.0f : 1.0f);
        u = fold;
    }
    const float x = clampf((0.5f * u + 0.5f) * SKY_SIZE - 0.5f, 0.0f, SKY_SIZE - 1.001f);
    const float y = clampf((0.5f * v + 0.5f) * SKY_SIZE - 0.5f, 0.0f, SKY_SIZE - 1.001f);
    const int i = (int)x, j = (int)y;
    const vec *p = map + j * SKY_SIZE + i;
    const float fx = x - (float)i, fy = y - (float)j;
    return vec_mix(vec_mix(p[0], p[1], fx), vec_mix(p[SKY_SIZE], p[SKY_SIZE + 1], fx), fy);
}

vec sky_light(const sky *s, vec direction, float roughness)
{
    if (roughness < 0.1f) // a mirror: the dome itself, sharper than the map
        return dome(s, direction, s->wash, 0.5f);
    const float l = clampf(roughness, 0.0f, 1.0f) * (SKY_LEVELS - 1);
    const int k = (int)l < SKY_LEVELS - 1 ? (int)l : SKY_LEVELS - 2;
    return vec_mix(map_at(s->environment[k], direction), map_at(s->environment[k + 1], direction),
                   l - (float)k);
}

// ---- made ----

static bool make_clouds(arena *a, sky *s)
{
    noise_field f;
    arena scratch = {0};
    enum { SIZE = 256 };
    const bool good =
        noise_make(&scratch, 5, 5, 5, &f) && texture_make(a, SIZE, true, &s->cloud_noise);
    for (int k = 0; good && k < SIZE * SIZE; k++) {
        // The page's textures have v upwards: their first row is the lowest.
        const float n = noise_at(&f, (k % SIZE) / (double)SIZE, (k / SIZE) / (double)SIZE);
        for (int c = 0; c < 4; c++)
            s->cloud_noise.level[0][4 * k + c] = (uint8_t)lrintf(255.0f * n);
    }
    if (good)
        texture_shrink(&s->cloud_noise);
    arena_free(&scratch);
    return good;
}

bool sky_make(arena *a, const char *name, float turn, sky *s)
{
    enum { COLOURS = 21, COUNT = 34 };
    const float *p = look_of("light", name, COUNT), *q = p + COLOURS;
    *s = (sky){.zenith = linear_of(p),
               .mid = linear_of(p + 3),
               .horizon = linear_of(p + 6),
               .ground = linear_of(p + 9),
               .glow = linear_of(p + 12),
               .cloud = linear_of(p + 15),
               .sun_colour = linear_of(p + 18),
               .clouds = q[0],
               .glow_at = {q[4], q[5]},
               .sun_power = q[6],
               .ambient = q[7],
               .wash = q[8],
               .exposure = q[9],
               .haze = q[10],
               .stars = q[11],
               .glow_power = q[12],
               .haze_shown = vec_of(p + 6),
               .turn_c = cosf(turn),
               .turn_s = sinf(turn)};
    const vec sun = vec_unit(vec_of(q + 1));
    s->sun =
        (vec){s->turn_c * sun.x + s->turn_s * sun.y, s->turn_c * sun.y - s->turn_s * sun.x, sun.z};
    return make_clouds(a, s) && make_environment(a, s);
}

bool sky_studio(arena *a, sky *s, vec lamp)
{
    s->sun = vec_unit(lamp);
    s->clouds = s->glow_power = 0.0f;
    s->zenith = (vec){0.9f, 0.93f, 0.97f};
    s->mid = (vec){0.62f, 0.66f, 0.70f};
    s->horizon = (vec){0.50f, 0.53f, 0.57f};
    s->ground = (vec){0.52f, 0.53f, 0.54f};
    s->sun_power = 3.0f;
    s->ambient = 0.85f;
    return make_environment(a, s);
}

// ---- shown ----

static float filmic(float v)
{
    const float a = v * (v + 0.0245786f) - 0.000090537f;
    const float b = v * (0.983729f * v + 0.4329510f) + 0.238081f;
    return a / b;
}

// ACES as in three.js: input matrix, curve, output matrix.
vec sky_develop(const sky *s, vec c)
{
    const float k = s->exposure / 0.6f;
    const float x = k * (0.59719f * c.x + 0.35458f * c.y + 0.04823f * c.z);
    const float y = k * (0.07600f * c.x + 0.90834f * c.y + 0.01566f * c.z);
    const float z = k * (0.02840f * c.x + 0.13383f * c.y + 0.83777f * c.z);
    const float u = filmic(x), v = filmic(y), w = filmic(z);
    const vec out = {1.60475f * u - 0.53108f * v - 0.07367f * w,
                     -0.10208f * u + 1.10813f * v - 0.00605f * w,
                     -0.00327f * u - 0.07276f * v + 1.07602f * w};
    return to_srgb(
        (vec){clampf(out.x, 0.0f, 1.0f), clampf(out.y, 0.0f, 1.0f), clampf(out.z, 0.0f, 1.0f)});
}

float sky_haze_share(const sky *s, float distance)
{
    const float d = s->haze * distance;
    return 1.0f - expf(-d * d);
}

vec sky_haze(const sky *s, vec shown, float distance)
{
    return vec_mix(shown, s->haze_shown, sky_haze_share(s, distance));
}
