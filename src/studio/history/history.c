// history.c - blocks of rows, shared and never changed.
#include "studio/history/history.h"

#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

// ---- rows ----

static size_t padded(size_t bytes)
{
    return (bytes + 7) & ~(size_t)7;
}

enum { FLOAT_FIELDS = MC_FIELD_FRAME_COUNT - 2 }; // all but the middle and its target

size_t history_row_size(const roster *who)
{
    const size_t n = (size_t)who->count;
    return 2 * n * sizeof(double) + (FLOAT_FIELDS + 1) * padded(n * sizeof(float)) +
           padded((size_t)who->body_count * HISTORY_BODY * sizeof(float)) +
           padded((size_t)who->channel_at[n] * sizeof(float)) +
           padded((size_t)who->gear_at[n] * sizeof(float));
}

history_row history_row_place(void *memory, const roster *who)
{
    const size_t n = (size_t)who->count, array = padded(n * sizeof(float));
    history_row row = {.who = who};
    uint8_t *at = memory;
    row.middle = (double *)(void *)at;
    row.target = row.middle + n;
    at += 2 * n * sizeof(double);
    for (int f = 0; f < MC_FIELD_FRAME_COUNT; f++)
        if (f != MC_FIELD_MIDDLE && f != MC_FIELD_TARGET) {
            row.value[f] = (float *)(void *)at;
            at += array;
        }
    row.status = (uint32_t *)(void *)at;
    at += array;
    row.body = (float *)(void *)at;
    at += padded((size_t)who->body_count * HISTORY_BODY * sizeof(float));
    row.channel = (float *)(void *)at;
    at += padded((size_t)who->channel_at[n] * sizeof(float));
    row.gear = (float *)(void *)at;
    return row;
}

double history_value(const history_row *row, mc_field field, int c)
{
    switch (field) {
    case MC_FIELD_MIDDLE:
        return row->middle[c];
    case MC_FIELD_TARGET:
        return row->target[c];
    case MC_FIELD_X:
        return row->middle[c] - row->who->middle[c];
    case MC_FIELD_SPACING_ERROR:
        return row->target[c] - row->middle[c];
    default:
        return (double)row->value[field][c];
    }
}

// ---- blocks ----

struct history_block {
    atomic_int refs;
    roster *who;
    int room;
    size_t row_size;
    double *t;
    uint64_t *hash;
    uint8_t *data;
};

enum { BLOCK_BYTES = 1 << 18, BLOCK_ROWS_MAX = 256 };

static void block_drop(history_block *b)
{
    if (!b || atomic_fetch_sub(&b->refs, 1) > 1)
        return;
    roster_drop(b->who);
    free(b->t);
    free(b->hash);
    free(b->data);
    free(b);
}

static history_block *block_hold(history_block *b)
{
    atomic_fetch_add(&b->refs, 1);
    return b;
}

static history_block *block_create(roster *who, int room)
{
    history_block *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    atomic_init(&b->refs, 1);
    b->who = roster_hold(who);
    b->row_size = history_row_size(who);
    b->room = room;
    b->t = malloc((size_t)room * sizeof *b->t);
    b->hash = malloc((size_t)room * sizeof *b->hash);
    b->data = malloc((size_t)room * b->row_size + 1);
    if (b->t && b->hash && b->data)
        return b;
    block_drop(b);
    return NULL;
}

static size_t block_bytes(const history_block *b)
{
    return sizeof *b + (size_t)b->room * (b->row_size + sizeof *b->t + sizeof *b->hash);
}

static int usual_room(const roster *who)
{
    const size_t rows = BLOCK_BYTES / (history_row_size(who) + 16);
    return rows < 1 ? 1 : rows > BLOCK_ROWS_MAX ? BLOCK_ROWS_MAX : (int)rows;
}

static history_row block_row(const history_block *b, int row)
{
    return history_row_place(b->data + (size_t)row * b->row_size, b->who);
}

// A new block with the first rows of another.
static history_block *block_copy(const history_block *b, int rows)
{
    history_block *copy = block_create(b->who, b->room);
    if (!copy)
        return NULL;
    const size_t n = (size_t)rows;
    memcpy(copy->t, b->t, n * sizeof *copy->t);
    memcpy(copy->hash, b->hash, n * sizeof *copy->hash);
    memcpy(copy->data, b->data, n * b->row_size);
    return copy;
}

// ---- the history ----

bool history_begin(history *h, size_t budget)
{
    *h = (history){.budget = budget};
    return pthread_mutex_init(&h->lock, NULL) == 0;
}

static void drop_blocks(history *h)
{
    for (int k = 0; k < h->count; k++)
        block_drop(h->blocks[k]);
    free(h->blocks);
    free(h->rows);
}

void history_end(history *h)
{
    drop_blocks(h);
    pthread_mutex_destroy(&h->lock);
}

// Adds a block with some rows; takes it over. Under the lock.
static bool add_block(history *h, history_block *b, int rows)
{
    if (!b)
        return false;
    if (h->count == h->room) {
        const int room = h->room ? 2 * h->room : 64;
        history_block **blocks = realloc(h->blocks, (size_t)room * sizeof(history_block *));
        if (blocks)
            h->blocks = blocks;
        int *counts = blocks ? realloc(h->rows, (size_t)room * sizeof *counts) : NULL;
        if (!counts) {
            block_drop(b);
            return false;
        }
        h->rows = counts;
        h->room = room;
    }
    h->blocks[h->count] = b;
    h->rows[h->count++] = rows;
    h->memory += block_bytes(b);
    return true;
}

history_row history_reserve(history *h, roster *who)
{
    pthread_mutex_lock(&h->lock);
    history_block *last = h->count ? h->blocks[h->count - 1] : NULL;
    if (!last || last->who != who || h->rows[h->count - 1] == last->room) {
        if (!add_block(h, block_create(who, usual_room(who)), 0)) {
            pthread_mutex_unlock(&h->lock);
            return (history_row){0};
        }
        last = h->blocks[h->count - 1];
    }
    const int row = h->rows[h->count - 1];
    pthread_mutex_unlock(&h->lock);
    return block_row(last, row);
}

// Every other row of `count` blocks of one roster, packed into new blocks of `to`. False: no
// memory.
static bool thin_run(const history *h, int first, int count, int *odd, history *to)
{
    int left = 0;
    for (int k = first; k < first + count; k++)
        left += h->rows[k];
    left = (left + 1 - *odd) / 2;
    history_block *out = NULL;
    for (int k = first; k < first + count; k++) {
        const history_block *b = h->blocks[k];
        for (int row = 0; row < h->rows[k]; row++, *odd ^= 1) {
            if (*odd)
                continue;
            if (!out || to->rows[to->count - 1] == out->room) {
                const int usual = usual_room(b->who), room = left < usual ? left : usual;
                if (!add_block(to, block_create(b->who, room), 0))
                    return false;
                out = to->blocks[to->count - 1];
                left -= room;
            }
            const int at = to->rows[to->count - 1]++;
            out->t[at] = b->t[row];
            out->hash[at] = b->hash[row];
            memcpy(out->data + (size_t)at * b->row_size, b->data + (size_t)row * b->row_size,
                   b->row_size);
        }
    }
    return true;
}

static int rows_below(const history *h, int blocks)
{
    int rows = 0;
    for (int k = 0; k < blocks; k++)
        rows += h->rows[k];
    return rows;
}

// By the thread that writes, which alone changes the blocks: it copies without the lock.
bool history_thin(history *h)
{
    const int half = h->count / 2;
    int odd = 0; // counts on over rosters, of which some then go altogether
    history to = {0};
    bool good = rows_below(h, half) > 1;
    for (int k = 0, n; k < half && good; k += n) {
        for (n = 1; k + n < half && h->blocks[k + n]->who == h->blocks[k]->who;)
            n++;
        good = thin_run(h, k, n, &odd, &to);
    }
    good = good && rows_below(&to, to.count) < rows_below(h, half);
    for (int k = half; k < h->count && good; k++)
        good = add_block(&to, block_hold(h->blocks[k]), h->rows[k]);
    if (!good) {
        drop_blocks(&to);
        return false;
    }
    history old = {.blocks = h->blocks, .rows = h->rows, .count = h->count};
    pthread_mutex_lock(&h->lock);
    h->blocks = to.blocks, h->rows = to.rows;
    h->count = to.count, h->room = to.room;
    h->memory = to.memory;
    pthread_mutex_unlock(&h->lock);
    drop_blocks(&old);
    return true;
}

void history_publish(history *h, double t, uint64_t hash)
{
    pthread_mutex_lock(&h->lock);
    mc_assert(h->count > 0);
    history_block *last = h->blocks[h->count - 1];
    const int row = h->rows[h->count - 1]++;
    last->t[row] = t;
    last->hash[row] = hash;
    const bool over = h->memory > h->budget;
    pthread_mutex_unlock(&h->lock);
    // Somewhat below the budget, so that not every row has to make room for itself.
    while (over && h->memory > h->budget - h->budget / 8 && history_thin(h))
        ;
}

// Rows of block k that are not behind t.
static int rows_until(const history *h, int k, double t)
{
    int rows = h->rows[k];
    while (rows > 0 && h->blocks[k]->t[rows - 1] > t + HISTORY_SAME)
        rows--;
    return rows;
}

void history_cut(history *h, double t)
{
    pthread_mutex_lock(&h->lock);
    while (h->count > 0) {
        const int k = h->count - 1, rows = rows_until(h, k, t);
        history_block *b = h->blocks[k];
        if (rows == h->rows[k])
            break;
        h->memory -= block_bytes(b);
        h->count--;
        // Readers may still look at the rows behind t: what is kept moves to a block of its own.
        history_block *kept = rows ? block_copy(b, rows) : NULL;
        block_drop(b);
        if (kept) {
            add_block(h, kept, rows);
            break;
        }
    }
    pthread_mutex_unlock(&h->lock);
}

void history_shift(history *h, double offset)
{
    pthread_mutex_lock(&h->lock);
    h->offset = offset;
    pthread_mutex_unlock(&h->lock);
}

bool history_fork(history *h, history *from, double t)
{
    bool good = true;
    pthread_mutex_lock(&from->lock);
    for (int k = 0; k < from->count && good; k++) {
        history_block *b = from->blocks[k];
        const int rows = rows_until(from, k, t);
        if (rows == 0)
            break;
        const bool whole = rows == from->rows[k] && k + 1 < from->count;
        good = add_block(h, whole ? block_hold(b) : block_copy(b, rows), rows);
    }
    pthread_mutex_unlock(&from->lock);
    return good;
}

size_t history_share(history *h)
{
    size_t share = 0;
    pthread_mutex_lock(&h->lock);
    for (int k = 0; k < h->count; k++)
        share += block_bytes(h->blocks[k]) / (size_t)atomic_load(&h->blocks[k]->refs);
    pthread_mutex_unlock(&h->lock);
    return share;
}

size_t history_memory(history *h)
{
    pthread_mutex_lock(&h->lock);
    const size_t memory = h->memory;
    pthread_mutex_unlock(&h->lock);
    return memory;
}

// ---- views ----

bool history_look(history *h, history_view *out)
{
    *out = (history_view){0};
    pthread_mutex_lock(&h->lock);
    const size_t n = (size_t)h->count;
    out->blocks = malloc((n + 1) * sizeof *out->blocks);
    out->first = malloc((n + 1) * sizeof *out->first);
    if (out->blocks && out->first) {
        out->count = h->count;
        out->offset = h->offset;
        out->first[0] = 0;
        for (int k = 0; k < h->count; k++) {
            out->blocks[k] = block_hold(h->blocks[k]);
            out->first[k + 1] = out->first[k] + h->rows[k];
        }
    }
    pthread_mutex_unlock(&h->lock);
    if (out->blocks && out->first)
        return true;
    free(out->blocks);
    free(out->first);
    *out = (history_view){0};
    return false;
}

void history_view_end(history_view *v)
{
    for (int k = 0; k < v->count; k++)
        block_drop(v->blocks[k]);
    free(v->blocks);
    free(v->first);
    *v = (history_view){0};
}

// Block of a row.
static int block_of(const history_view *v, int row)
{
    int low = 0, high = v->count;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (v->first[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

history_row history_view_row(const history_view *v, int row)
{
    const int k = block_of(v, row), inside = row - v->first[k];
    history_row out = block_row(v->blocks[k], inside);
    out.t = v->blocks[k]->t[inside] + v->offset;
    out.hash = v->blocks[k]->hash[inside];
    return out;
}

double history_view_time(const history_view *v, int row)
{
    const int k = block_of(v, row);
    return v->blocks[k]->t[row - v->first[k]] + v->offset;
}

int history_view_at(const history_view *v, double t)
{
    int low = 0, high = history_view_rows(v);
    while (low < high) {
        const int middle = (low + high) / 2;
        if (history_view_time(v, middle) < t - HISTORY_SAME)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
