// frame.c - rows packed for the wire.
#include "studio/history/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 64, BODY_BLOCK = 80, CONTACT_BLOCK = 56, GEAR_BLOCK = 32, GEAR_WHEEL = 16 };

static size_t padded(size_t bytes)
{
    return (bytes + 7) & ~(size_t)7;
}

int frame_field(const char *name)
{
    const mc_field f = mc_field_find(name);
    return f < MC_FIELD_FRAME_COUNT ? (int)f : -1;
}

static uint8_t *reserve(frame_buffer *out, size_t size)
{
    if (out->size + size > out->room) {
        const size_t room = 2 * out->room + size + 256;
        uint8_t *grown = realloc(out->data, room + FRAME_HEADROOM);
        if (!grown)
            return NULL;
        out->data = grown;
        out->room = room;
    }
    uint8_t *at = out->data + FRAME_HEADROOM + out->size;
    memset(at, 0, size);
    return at;
}

static void put_u16(uint8_t *at, unsigned value)
{
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

static void put_u32(uint8_t *at, uint32_t value)
{
    put_u16(at, value & 0xffff);
    put_u16(at + 2, value >> 16);
}

static void put_u64(uint8_t *at, uint64_t value)
{
    put_u32(at, (uint32_t)value);
    put_u32(at + 4, (uint32_t)(value >> 32));
}

static void put_f64(uint8_t *at, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u64(at, bits);
}

static void put_f32(uint8_t *at, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(at, bits);
}

// The columns within the window, in order; all of them without one.
static int choose(const history_row *row, const frame_spec *spec, int *chosen)
{
    int n = 0;
    for (int c = 0; c < row->who->count; c++)
        if (!spec->windowed || (row->middle[c] >= spec->from && row->middle[c] <= spec->to))
            chosen[n++] = c;
    return n;
}

// Middle of what is shown, on the grid of cells: places as f32 lose least.
static double origin_of(const history_row *row, const int *chosen, int n)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < n; k++) {
        const double x = row->middle[chosen[k]];
        low = x < low ? x : low;
        high = x > high ? x : high;
    }
    const double cell = FRAME_CELL;
    return n && isfinite(low) && isfinite(high) ? cell * floor(0.5 * (low + high) / cell) : 0.0;
}

static void pack_column(uint8_t *at, const history_row *row, int field, double origin,
                        const int *chosen, int n)
{
    const double *wide = field == MC_FIELD_MIDDLE   ? row->middle
                         : field == MC_FIELD_TARGET ? row->target
                                                    : NULL;
    const float *narrow = row->value[field];
    for (int k = 0; k < n; k++, at += 4)
        put_f32(at, wide ? (float)(wide[chosen[k]] - origin) : narrow[chosen[k]]);
}

static bool shown(const int *chosen, int n, int column)
{
    for (int low = 0, high = n; low < high;) { // chosen is rising
        const int middle = (low + high) / 2;
        if (chosen[middle] == column)
            return true;
        if (chosen[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static int pack_bodies(uint8_t *at, const history_row *row, double origin, const int *chosen, int n)
{
    int count = 0;
    for (int b = 0; b < row->who->body_count; b++) {
        const int c = row->who->body[b];
        if (!shown(chosen, n, c))
            continue;
        const float *body = row->body + (size_t)b * HISTORY_BODY;
        put_u32(at, 1);
        put_u32(at + 4, BODY_BLOCK);
        put_u32(at + 8, row->who->id[c]);
        put_f32(at + 16, (float)(row->middle[c] - origin + (double)body[0]));
        for (int k = 1; k < HISTORY_BODY; k++)
            put_f32(at + 16 + 4 * k, body[k]);
        for (int k = 0; k < 3; k++)
            put_f32(at + 64 + 4 * k, row->who->rest[b][k]);
        at += BODY_BLOCK;
        count++;
    }
    return count;
}

static int wheels_of(const roster *who, int c)
{
    const int numbers = who->gear_at[c + 1] - who->gear_at[c];
    return numbers > 0 ? (numbers - HISTORY_STAND) / HISTORY_WHEEL : 0;
}

// Bytes of the blocks of all vehicles with wheels.
static size_t gear_size(const roster *who)
{
    size_t size = 0;
    for (int c = 0; c < who->count && who->gear_at[who->count] > 0; c++)
        if (wheels_of(who, c) > 0)
            size += GEAR_BLOCK + GEAR_WHEEL * (size_t)wheels_of(who, c);
    return size;
}

// How many; *at is moved behind them.
static int pack_gear(uint8_t **at, const history_row *row, const int *chosen, int n)
{
    int count = 0;
    for (int k = 0; k < n && row->who->gear_at[row->who->count] > 0; k++) {
        const int c = chosen[k], wheels = wheels_of(row->who, c);
        const float *gear = row->gear + row->who->gear_at[c];
        if (wheels == 0)
            continue;
        put_u32(*at, 3);
        put_u32(*at + 4, (uint32_t)(GEAR_BLOCK + GEAR_WHEEL * wheels));
        put_u32(*at + 8, row->who->id[c]);
        put_u32(*at + 12, (uint32_t)wheels);
        for (int i = 0; i < HISTORY_STAND; i++)
            put_f32(*at + 16 + 4 * i, gear[i]);
        for (int i = 0; i < HISTORY_WHEEL * wheels; i++)
            put_f32(*at + GEAR_BLOCK + 4 * i, gear[HISTORY_STAND + i]);
        *at += GEAR_BLOCK + GEAR_WHEEL * wheels;
        count++;
    }
    return count;
}

// Impacts of the last half second, the newest last.
static void recent(const frame_spec *spec, double t, int *first, int *end)
{
    *end = spec->contact_count;
    while (*end > 0 && spec->contacts[*end - 1].t > t + HISTORY_SAME)
        --*end;
    *first = *end;
    while (*first > 0 && spec->contacts[*first - 1].t >= t - FRAME_CONTACT_AGE &&
           *end - *first < 256)
        --*first;
}

static void pack_contact(uint8_t *at, const frame_contact *c, double t, double origin)
{
    put_u32(at, 2);
    put_u32(at + 4, CONTACT_BLOCK);
    put_u32(at + 8, c->id);
    put_u32(at + 12, c->id2);
    put_f32(at + 16, (float)(c->point[0] - origin));
    put_f32(at + 20, (float)c->point[1]);
    put_f32(at + 24, (float)c->point[2]);
    for (int k = 0; k < 3; k++)
        put_f32(at + 28 + 4 * k, (float)c->normal[k]);
    put_f32(at + 40, c->impulse);
    put_f32(at + 44, c->closing);
    put_f32(at + 48, (float)(t - c->t));
}

static void pack_head(uint8_t *at, const history_row *row, const frame_spec *spec, size_t size,
                      double origin, int n)
{
    memcpy(at, "MCF1", 4);
    put_u32(at + 4, (uint32_t)size);
    put_u32(at + 8, spec->seq);
    put_u16(at + 12, (unsigned)spec->branch);
    put_u16(at + 14, spec->flags | (spec->windowed ? (unsigned)FRAME_PARTIAL : 0));
    put_f64(at + 16, row->t);
    put_f64(at + 24, spec->step);
    put_f64(at + 32, origin);
    put_u64(at + 40, row->hash);
    put_u32(at + 48, spec->mask);
    put_u32(at + 52, (uint32_t)n);
}

size_t frame_size_max(const history_row *row, const frame_spec *spec)
{
    const size_t columns = (size_t)__builtin_popcount(spec->mask) + 2;
    int first = 0, end = 0;
    if (spec->bodies)
        recent(spec, row->t, &first, &end);
    return HEAD + columns * padded((size_t)row->who->count * 4) +
           (spec->bodies ? (size_t)row->who->body_count * BODY_BLOCK + gear_size(row->who) : 0) +
           (size_t)(end - first) * CONTACT_BLOCK;
}

bool frame_pack(frame_buffer *out, const history_row *row, const frame_spec *spec)
{
    int *chosen = malloc(((size_t)row->who->count + 1) * sizeof *chosen);
    if (!chosen)
        return false;
    const int n = choose(row, spec, chosen);
    int first = 0, end = 0;
    if (spec->bodies)
        recent(spec, row->t, &first, &end);
    const size_t array = padded((size_t)n * 4);
    uint8_t *head = reserve(out, frame_size_max(row, spec));
    if (!head) {
        free(chosen);
        return false;
    }
    const double origin = origin_of(row, chosen, n);
    uint8_t *at = head + HEAD;
    for (int k = 0; k < n; k++) {
        put_u32(at + 4 * k, row->who->id[chosen[k]]);
        put_u32(at + array + 4 * (size_t)k, row->status[chosen[k]]);
    }
    at += 2 * array;
    for (int f = 0; f < MC_FIELD_FRAME_COUNT; f++)
        if (spec->mask >> f & 1) {
            pack_column(at, row, f, origin, chosen, n);
            at += array;
        }
    int count = 0;
    uint8_t *block = at;
    if (spec->bodies) {
        count = pack_bodies(at, row, origin, chosen, n);
        at += (size_t)count * BODY_BLOCK;
        count += pack_gear(&at, row, chosen, n);
        for (int k = first; k < end; k++, count++, at += CONTACT_BLOCK)
            pack_contact(at, &spec->contacts[k], row->t, origin);
    }
    const size_t size = (size_t)(at - head);
    pack_head(head, row, spec, size, origin, n);
    if (count) {
        put_u32(head + 56, (uint32_t)(block - head));
        put_u32(head + 60, (uint32_t)count);
    }
    out->size += size;
    free(chosen);
    return true;
}
