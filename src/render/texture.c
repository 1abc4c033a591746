// texture.c - textures with levels; see texture.h.
#include "render/texture.h"

#include <math.h>

bool texture_make(arena *a, int size, bool repeat, texture *out)
{
    *out = (texture){.size = size, .repeat = repeat};
    for (int s = size; s >= 1 && out->level_count < TEXTURE_LEVELS; s /= 2) {
        uint8_t *level = arena_alloc(a, 4 * (size_t)s * (size_t)s);
        if (!level)
            return false;
        out->level[out->level_count++] = level;
    }
    return true;
}

void texture_shrink(texture *t)
{
    for (int k = 1; k < t->level_count; k++) {
        const int n = t->size >> k, m = 2 * n;
        const uint8_t *from = t->level[k - 1];
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++)
                for (int c = 0; c < 4; c++) {
                    const uint8_t *p =
                        from + 4 * ((size_t)(2 * y) * (size_t)m + (size_t)(2 * x)) + c;
                    const int sum = p[0] + p[4] + p[4 * m] + p[4 * m + 4];
                    t->level[k][4 * ((size_t)y * (size_t)n + (size_t)x) + (size_t)c] =
                        (uint8_t)((sum + 2) / 4);
                }
    }
}

static int place(int i, int n, bool repeat)
{
    if (repeat)
        return i & (n - 1);
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

static void level_at(const texture *t, int level, float u, float v, float out[4])
{
    const int n = t->size >> level;
    const float x = u * (float)n - 0.5f, y = (1.0f - v) * (float)n - 0.5f;
    const float i = floorf(x), j = floorf(y), fx = x - i, fy = y - j;
    const int x0 = place((int)i, n, t->repeat), x1 = place((int)i + 1, n, t->repeat);
    const int y0 = place((int)j, n, t->repeat), y1 = place((int)j + 1, n, t->repeat);
    const uint8_t *p = t->level[level];
    const uint8_t *a = p + 4 * (y0 * n + x0), *b = p + 4 * (y0 * n + x1);
    const uint8_t *c = p + 4 * (y1 * n + x0), *d = p + 4 * (y1 * n + x1);
    const float wa = (1.0f - fx) * (1.0f - fy), wb = fx * (1.0f - fy);
    const float wc = (1.0f - fx) * fy, wd = fx * fy;
    for (int k = 0; k < 4; k++)
        out[k] = ((float)a[k] * wa + (float)b[k] * wb + (float)c[k] * wc + (float)d[k] * wd) *
                 (1.0f / 255.0f);
}

void texture_at(const texture *t, float u, float v, float footprint, float out[4])
{
    const float texels = footprint * (float)t->size;
    const float last = (float)(t->level_count - 1);
    float level = texels > 1.0f ? log2f(texels) : 0.0f;
    level = level < last ? level : last;
    if (t->repeat) {
        u -= floorf(u);
        v -= floorf(v);
    }
    const int low = (int)level;
    const float share = level - (float)low;
    level_at(t, low, u, v, out);
    if (share <= 0.0f || low + 1 >= t->level_count)
        return;
    float far[4];
    level_at(t, low + 1, u, v, far);
    for (int k = 0; k < 4; k++)
        out[k] += share * (far[k] - out[k]);
}
