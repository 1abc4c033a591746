// raster.c - see raster.h.
#include "render/raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const float raster_sample[RASTER_SAMPLES][2] = {
    {0.375f, 0.125f}, {0.875f, 0.375f}, {0.125f, 0.625f}, {0.625f, 0.875f}};
static const float middle[1][2] = {{0.5f, 0.5f}};

// The rectangle of a triangle on the picture, of its part in front of the eye. false: none is.
static bool bounds(const raster *r, const raster_corner c[3], double near, raster_triangle *t)
{
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < 3; i++) {
        const raster_corner *a = &c[i], *b = &c[(i + 1) % 3];
        double at[2][2];
        int n = 0;
        if (a->w >= near) {
            at[n][0] = a->x / a->w;
            at[n++][1] = a->y / a->w;
        }
        if ((a->w >= near) != (b->w >= near)) {
            const double u = (near - a->w) / (b->w - a->w);
            at[n][0] = (a->x + u * (b->x - a->x)) / near;
            at[n++][1] = (a->y + u * (b->y - a->y)) / near;
        }
        for (int k = 0; k < n; k++)
            for (int axis = 0; axis < 2; axis++) {
                low[axis] = fmin(low[axis], at[k][axis]);
                high[axis] = fmax(high[axis], at[k][axis]);
            }
    }
    if (!(low[0] < r->width && low[1] < r->height && high[0] > 0.0 && high[1] > 0.0))
        return false;
    t->x0 = (int16_t)fmax(floor(low[0]), 0.0);
    t->y0 = (int16_t)fmax(floor(low[1]), 0.0);
    t->x1 = (int16_t)fmin(floor(high[0]), r->width - 1);
    t->y1 = (int16_t)fmin(floor(high[1]), r->height - 1);
    return true;
}

void raster_add(raster *r, const raster_corner c[3], bool parallel, double near, double over,
                int draw, int index)
{
    raster_triangle t = {.draw = draw, .index = index, .over = over};
    if (!bounds(r, c, near, &t))
        return;
    double det = 0.0;
    for (int i = 0; i < 3; i++) { // rows of the inverse: cross products over the determinant
        const raster_corner *a = &c[(i + 1) % 3], *b = &c[(i + 2) % 3];
        t.edge[i][0] = a->y * b->w - a->w * b->y;
        t.edge[i][1] = a->w * b->x - a->x * b->w;
        t.edge[i][2] = a->x * b->y - a->y * b->x;
    }
    det = c[0].x * t.edge[0][0] + c[0].y * t.edge[0][1] + c[0].w * t.edge[0][2];
    if (!(fabs(det) > 1e-12) || !isfinite(det))
        return;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            t.edge[i][k] /= det;
            t.value[k] += t.edge[i][k] * (parallel ? c[i].z : 1.0);
        }
    if (r->count == r->room) {
        const int more = r->room ? 2 * r->room : 4096;
        raster_triangle *bigger = realloc(r->item, (size_t)more * sizeof *bigger);
        if (!bigger) {
            r->failed = true;
            return;
        }
        r->item = bigger;
        r->room = more;
    }
    r->item[r->count++] = t;
}

int raster_band_count(const raster *r)
{
    return (r->height + RASTER_ROWS - 1) / RASTER_ROWS;
}

bool raster_sort(raster *r)
{
    const int bands = raster_band_count(r);
    size_t total = 0;
    r->start = calloc((size_t)bands + 1, sizeof *r->start);
    if (r->failed || !r->start)
        return false;
    for (int k = 0; k < r->count; k++)
        for (int b = r->item[k].y0 / RASTER_ROWS; b <= r->item[k].y1 / RASTER_ROWS; b++) {
            r->start[b + 1]++;
            total++;
        }
    for (int b = 0; b < bands; b++)
        r->start[b + 1] += r->start[b];
    r->order = malloc((total + 1) * sizeof *r->order);
    int *at = malloc(((size_t)bands + 1) * sizeof *at);
    if (r->order && at) {
        memcpy(at, r->start, ((size_t)bands + 1) * sizeof *at);
        for (int k = 0; k < r->count; k++)
            for (int b = r->item[k].y0 / RASTER_ROWS; b <= r->item[k].y1 / RASTER_ROWS; b++)
                r->order[at[b]++] = k;
    }
    const bool good = r->order && at;
    free(at);
    return good;
}

void raster_free(raster *r)
{
    free(r->item);
    free(r->start);
    free(r->order);
    *r = (raster){0};
}

// Pixels of a row whose samples are inside: b_i >= 0 for all corners.
static bool span(const raster_triangle *t, double y, double dx, int *from, int *to)
{
    double low = t->x0, high = t->x1;
    for (int i = 0; i < 3; i++) {
        const double a = t->edge[i][0];
        const double c = a * dx + t->edge[i][1] * y + t->edge[i][2];
        if (a > 0.0)
            low = fmax(low, ceil(-c / a));
        else if (a < 0.0)
            high = fmin(high, floor(-c / a));
        else if (c < 0.0)
            return false;
    }
    *from = (int)low;
    *to = (int)high;
    return low <= high;
}

static void draw_row(const raster *r, const raster_triangle *t, int y, int sample,
                     const float offset[2], float *value, uint32_t *number, uint32_t own)
{
    int from, to;
    (void)sample;
    const double py = y + (double)offset[1];
    if (!span(t, py, (double)offset[0], &from, &to))
        return;
    const double step = t->value[0];
    const double start = t->value[1] * py + t->value[2] + step * (double)offset[0];
    for (int x = from; x <= to; x++) {
        const double raw = start + step * x;
        const float v = (float)(raw + t->over);
        if (v > value[x] && raw < r->limit) {
            value[x] = v;
            if (number)
                number[x] = own;
        }
    }
}

void raster_band(const raster *r, int band, int samples, float *value, uint32_t *number)
{
    const int first = band * RASTER_ROWS;
    const int last = first + RASTER_ROWS < r->height ? first + RASTER_ROWS : r->height;
    const float(*offset)[2] = samples == 1 ? middle : raster_sample;
    const size_t plane = (size_t)RASTER_ROWS * (size_t)r->width;
    for (int k = r->start[band]; k < r->start[band + 1]; k++) {
        const raster_triangle *t = &r->item[r->order[k]];
        const int y0 = t->y0 > first ? t->y0 : first, y1 = t->y1 < last - 1 ? t->y1 : last - 1;
        for (int y = y0; y <= y1; y++)
            for (int s = 0; s < samples; s++) {
                const size_t at = (size_t)s * plane + (size_t)(y - first) * (size_t)r->width;
                draw_row(r, t, y, s, offset[s], value + at, number ? number + at : NULL,
                         (uint32_t)r->order[k] + 1);
            }
    }
}

int raster_seen(const raster *r, const raster_triangle *t, int x, int y, const float *value,
                double nearer)
{
    const size_t plane = (size_t)RASTER_ROWS * (size_t)r->width;
    const size_t at = (size_t)(y % RASTER_ROWS) * (size_t)r->width + (size_t)x;
    int count = 0;
    for (int s = 0; s < RASTER_SAMPLES; s++) {
        const double px = x + (double)raster_sample[s][0], py = y + (double)raster_sample[s][1];
        bool inside = true;
        for (int i = 0; i < 3 && inside; i++)
            inside = t->edge[i][0] * px + t->edge[i][1] * py + t->edge[i][2] >= 0.0;
        const double raw = t->value[0] * px + t->value[1] * py + t->value[2];
        count += inside && raw > 0.0 && raw < r->limit &&
                 raw * nearer + t->over > (double)value[(size_t)s * plane + at];
    }
    return count;
}

void raster_shares(const raster_triangle *t, double x, double y, float out[3])
{
    double b[3], sum = 0.0;
    for (int i = 0; i < 3; i++) {
        b[i] = t->edge[i][0] * x + t->edge[i][1] * y + t->edge[i][2];
        sum += b[i];
    }
    for (int i = 0; i < 3; i++)
        out[i] = sum != 0.0 ? (float)(b[i] / sum) : 1.0f / 3.0f;
}
