// broad.c - a grid as a sorted list of (cell, box).
#include "contact/broad.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    int32_t x, y; // cell
    int box;
} entry;

struct broad {
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
    const size_t wanted = *capacity ? 2 * *capacity : 256;
    void *grown = realloc(*array, wanted * size);
    if (!grown)
        return 0;
    *array = grown;
    *capacity = wanted;
    return 1;
}

static int entry_order(const void *p, const void *q)
{
    const entry *a = p, *b = q;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return (a->box > b->box) - (a->box < b->box);
}

static int pair_order(const void *p, const void *q)
{
    const broad_pair *a = p, *b = q;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return (a->b > b->b) - (a->b < b->b);
}

// Coordinates beyond 10^9 cells share the outermost cell: slower there, never wrong.
static int32_t cell_of(double x, double size)
{
    return (int32_t)fmin(fmax(floor(x / size), -1e9), 1e9);
}

static double cells_covered(const broad_box *box, double size)
{
    double cells = 1.0;
    for (int k = 0; k < 2; k++)
        cells *= 1.0 + cell_of(box->high[k], size) - cell_of(box->low[k], size);
    return cells;
}

// Twice the mean extent, so that a typical box covers one to four cells; larger when a few giants
// would cover more cells than all others together.
static double cell_size(const broad_box *boxes, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += fmax(boxes[i].high[0] - boxes[i].low[0], boxes[i].high[1] - boxes[i].low[1]);
    for (double size = fmax(2.0 * sum / count, 1e-3);; size *= 2.0) {
        double covered = 0.0;
        for (int i = 0; i < count; i++)
            covered += cells_covered(&boxes[i], size);
        if (!(covered > 8.0 * count))
            return size;
    }
}

static int fill_cells(broad *b, const broad_box *boxes, int count, double size)
{
    b->entry_count = 0;
    for (int i = 0; i < count; i++)
        for (int32_t x = cell_of(boxes[i].low[0], size); x <= cell_of(boxes[i].high[0], size); x++)
            for (int32_t y = cell_of(boxes[i].low[1], size); y <= cell_of(boxes[i].high[1], size);
                 y++) {
                if (!grow((void **)&b->entries, &b->entry_capacity, b->entry_count, sizeof(entry)))
                    return 0;
                b->entries[b->entry_count++] = (entry){x, y, i};
            }
    qsort(b->entries, b->entry_count, sizeof(entry), entry_order);
    return 1;
}

// Two boxes that share several cells are reported in the one that holds the low corner of their
// common part.
static int reported_here(const entry *cell, const broad_box *p, const broad_box *q, double size)
{
    for (int k = 0; k < 2; k++)
        if (p->low[k] > q->high[k] || q->low[k] > p->high[k])
            return 0;
    return cell->x == cell_of(fmax(p->low[0], q->low[0]), size) &&
           cell->y == cell_of(fmax(p->low[1], q->low[1]), size);
}

mc_status broad_find(broad *b, const broad_box *boxes, int count, const broad_pair **pairs,
                     int *pair_count, mc_error *error)
{
    b->pair_count = 0;
    *pairs = NULL, *pair_count = 0;
    if (count < 2)
        return MC_OK;
    const double size = cell_size(boxes, count);
    if (!fill_cells(b, boxes, count, size))
        goto no_memory;
    for (size_t i = 0; i < b->entry_count; i++)
        for (size_t j = i + 1; j < b->entry_count && b->entries[j].x == b->entries[i].x &&
                               b->entries[j].y == b->entries[i].y;
             j++) {
            const int p = b->entries[i].box, q = b->entries[j].box;
            if (!reported_here(&b->entries[i], &boxes[p], &boxes[q], size))
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
