// broad.c - a grid as a sorted list of (cell, box).
//
// Boxes are taken in the order of their low sides, which changes little from one call to the next:
// insertion then sorts both the boxes and their cells in about one pass.
#include "contact/broad.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    int32_t x, y; // cell
    int box;
} entry;

typedef struct side { // of a box, the low one along x
    double x;
    int box;
} side;

struct broad {
    side *sides; // in order, as of the last call
    size_t side_count, side_capacity;
    entry *entries;
    size_t entry_count, entry_capacity;
    broad_pair *pairs;
    size_t pair_count, pair_capacity;
};

broad *broad_create(void)
{
    return calloc(1, sizeof(broad));
}

void broad_destroy(broad *b)
{
    if (b) {
        free(b->sides);
        free(b->entries);
        free(b->pairs);
        free(b);
    }
}

// Room for one more element; false when there is no memory.
static int grow(void **array, size_t *capacity, size_t count, size_t size)
{
    if (count < *capacity)
        return 1;
    const size_t larger = *capacity ? 2 * *capacity : 256;
    void *grown = realloc(*array, larger * size);
    if (!grown)
        return 0;
    *array = grown;
    *capacity = larger;
    return 1;
}

static inline int side_before(const side *a, const side *b)
{
    return a->x != b->x ? a->x < b->x : a->box < b->box;
}

static inline int entry_before(const entry *a, const entry *b)
{
    if (a->x != b->x)
        return a->x < b->x;
    return a->y != b->y ? a->y < b->y : a->box < b->box;
}

static int side_order(const void *p, const void *q)
{
    return side_before(p, q) ? -1 : side_before(q, p);
}

static int entry_order(const void *p, const void *q)
{
    return entry_before(p, q) ? -1 : entry_before(q, p);
}

static int pair_order(const void *p, const void *q)
{
    const broad_pair *a = p, *b = q;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return (a->b > b->b) - (a->b < b->b);
}

// Coordinates beyond 10^9 cells share the outermost cell: slower there, never wrong.
static inline int32_t cell_of(double x, double per_size)
{
    const double cell = x * per_size, inside = cell > -1e9 ? cell < 1e9 ? cell : 1e9 : -1e9;
    const int32_t toward_zero = (int32_t)inside;
    return toward_zero - (toward_zero > inside);
}

static double cells_covered(const broad_box *box, double per_size)
{
    double cells = 1.0;
    for (int k = 0; k < 2; k++)
        cells *= 1.0 + cell_of(box->high[k], per_size) - cell_of(box->low[k], per_size);
    return cells;
}

// Twice the mean extent, so that a typical box covers one to four cells; larger when a few giants
// would cover more cells than all others together.
static double cell_size(const broad_box *boxes, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        const double x = boxes[i].high[0] - boxes[i].low[0], y = boxes[i].high[1] - boxes[i].low[1];
        sum += x > y ? x : y;
    }
    for (double size = fmax(2.0 * sum / count, 1e-3);; size *= 2.0) {
        double covered = 0.0;
        for (int i = 0; i < count; i++)
            covered += cells_covered(&boxes[i], 1.0 / size);
        if (!(covered > 8.0 * count))
            return size;
    }
}

// Insertion gives up when it has moved this many times what there is to sort.
enum { MOVES_MAX = 16 };

static int sort_sides(broad *b, const broad_box *boxes, int count)
{
    if (b->side_count != (size_t)count)
        for (b->side_count = 0; b->side_count < (size_t)count; b->side_count++) {
            if (!grow((void **)&b->sides, &b->side_capacity, b->side_count, sizeof(side)))
                return 0;
            b->sides[b->side_count].box = (int)b->side_count;
        }
    for (int i = 0; i < count; i++)
        b->sides[i].x = boxes[b->sides[i].box].low[0];
    long long moves = 0;
    for (int i = 1; i < count && moves <= MOVES_MAX * (long long)count; i++) {
        const side next = b->sides[i];
        int j = i;
        for (; j > 0 && side_before(&next, &b->sides[j - 1]); j--)
            b->sides[j] = b->sides[j - 1];
        b->sides[j] = next;
        moves += i - j;
    }
    if (moves > MOVES_MAX * (long long)count)
        qsort(b->sides, (size_t)count, sizeof(side), side_order);
    return 1;
}

static void sort_entries(entry *entries, size_t count)
{
    size_t moves = 0;
    for (size_t i = 1; i < count && moves <= MOVES_MAX * count; i++) {
        const entry next = entries[i];
        size_t j = i;
        for (; j > 0 && entry_before(&next, &entries[j - 1]); j--)
            entries[j] = entries[j - 1];
        entries[j] = next;
        moves += i - j;
    }
    if (moves > MOVES_MAX * count)
        qsort(entries, count, sizeof(entry), entry_order);
}

static int fill_cells(broad *b, const broad_box *boxes, int count, double per_size)
{
    b->entry_count = 0;
    for (int i = 0; i < count; i++) {
        const broad_box *box = &boxes[b->sides[i].box];
        const int32_t x_last = cell_of(box->high[0], per_size);
        const int32_t y_first = cell_of(box->low[1], per_size);
        const int32_t y_last = cell_of(box->high[1], per_size);
        for (int32_t x = cell_of(box->low[0], per_size); x <= x_last; x++)
            for (int32_t y = y_first; y <= y_last; y++) {
                if (!grow((void **)&b->entries, &b->entry_capacity, b->entry_count, sizeof(entry)))
                    return 0;
                b->entries[b->entry_count++] = (entry){x, y, b->sides[i].box};
            }
    }
    sort_entries(b->entries, b->entry_count);
    return 1;
}

// Two boxes that share several cells are reported in the one that holds the low corner of their
// common part.
static int reported_here(const entry *cell, const broad_box *p, const broad_box *q, double per_size)
{
    for (int k = 0; k < 2; k++)
        if (p->low[k] > q->high[k] || q->low[k] > p->high[k])
            return 0;
    return cell->x == cell_of(fmax(p->low[0], q->low[0]), per_size) &&
           cell->y == cell_of(fmax(p->low[1], q->low[1]), per_size);
}

mc_status broad_find(broad *b, const broad_box *boxes, int count, const broad_pair **pairs,
                     int *pair_count, mc_error *error)
{
    b->pair_count = 0;
    *pairs = NULL, *pair_count = 0;
    if (count < 2)
        return MC_OK;
    const double per_size = 1.0 / cell_size(boxes, count);
    if (!sort_sides(b, boxes, count) || !fill_cells(b, boxes, count, per_size))
        goto no_memory;
    for (size_t i = 0; i < b->entry_count; i++)
        for (size_t j = i + 1; j < b->entry_count && b->entries[j].x == b->entries[i].x &&
                               b->entries[j].y == b->entries[i].y;
             j++) {
            const int p = b->entries[i].box, q = b->entries[j].box;
            if (!reported_here(&b->entries[i], &boxes[p], &boxes[q], per_size))
                continue;
            if (!grow((void **)&b->pairs, &b->pair_capacity, b->pair_count, sizeof(broad_pair)))
                goto no_memory;
            b->pairs[b->pair_count++] = (broad_pair){p, q};
        }
    if (b->pair_count > 0)
        qsort(b->pairs, b->pair_count, sizeof(broad_pair), pair_order);
    *pairs = b->pairs;
    *pair_count = (int)b->pair_count;
    return MC_OK;
no_memory:
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the pairs of vehicles");
}
