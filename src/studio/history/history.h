// history.h - what was simulated or read, kept row by row to be shown again.
//
// A row is one instant of one branch: arrays over its vehicles. Rows stand in blocks. A block is
// written by one thread and never changed once a row of it is published, so a reader takes a view
// (references to the blocks) under the lock and then reads without it: queries never hold up the
// simulation. Branches share the blocks before their fork.
//
// A roster says who the columns are (roster.h); a block has one roster.
//
// Memory: when the blocks outgrow their budget every other row of the older half is dropped and the
// rest packed together, again and again until they fit.
#pragma once

#include "motorcade/observe.h"
#include "studio/history/roster.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { HISTORY_BODY = 12, HISTORY_BODIES_MAX = 64, HISTORY_CHANNEL_CARS = 64 };

// How a vehicle stands: m above its place at rest, rad nose down, rad right side down. Of each
// wheel: m that its tyre is above the road (below 0: pressed in), rad steered, rad turned so far
// (0 .. 2 pi), rad/s.
enum { HISTORY_STAND = 3, HISTORY_WHEEL = 4 };
enum { WHEEL_LIFT, WHEEL_STEER, WHEEL_ANGLE, WHEEL_RATE };

typedef struct history_block history_block;

typedef struct history_row { // pointers into a block
    double t;                // s
    uint64_t hash;           // of the state; 0: none
    const roster *who;
    double *middle, *target;            // MC_FIELD_MIDDLE, MC_FIELD_TARGET
    float *value[MC_FIELD_FRAME_COUNT]; // NULL for these two
    uint32_t *status;
    float *body;    // HISTORY_BODY per body: centre (x from the car's middle), axes
    float *channel; // by roster
    float *gear;    // the same
} history_row;

// Any field of a column.
double history_value(const history_row *row, mc_field field, int column);

typedef struct history {
    pthread_mutex_t lock; // of all below
    history_block **blocks;
    int *rows; // published in each block
    int count, room;
    size_t memory, budget; // bytes
    double offset;         // s, added to the times of rows when they are read
} history;

bool history_begin(history *h, size_t budget);
void history_end(history *h);

// Writing, by one thread: room for a row, which history_publish makes visible. NULL pointers: no
// memory.
history_row history_reserve(history *h, roster *who);
void history_publish(history *h, double t, uint64_t hash);

// Rows behind t (by more than half a microsecond) are forgotten.
void history_cut(history *h, double t);
// All rows are read `offset` seconds later than they were written; of a recording, which is neither
// written to nor forked any more. Views taken before keep the times they have.
void history_shift(history *h, double offset);
// Rows up to t, shared with `from`.
bool history_fork(history *h, history *from, double t);

size_t history_memory(history *h);
size_t history_share(history *h); // bytes; of blocks that several histories have, a part
// Drops every other row of the older half, by the thread that writes. False: nothing can go.
bool history_thin(history *h);

// ---- reading ----

typedef struct history_view {
    history_block **blocks;
    int *first; // number of the first row of each block; [count]: all rows
    int count;
    double offset; // s, of the history
} history_view;

bool history_look(history *h, history_view *out); // false: no memory
void history_view_end(history_view *v);

static inline int history_view_rows(const history_view *v)
{
    return v->count ? v->first[v->count] : 0;
}
history_row history_view_row(const history_view *v, int row);
double history_view_time(const history_view *v, int row);
// First row at or after t (less half a microsecond); the number of rows when there is none.
int history_view_at(const history_view *v, double t);

#define HISTORY_SAME 5e-7 // s, times closer than this are the same instant

// ---- a row on its own, for the instant shown ----

size_t history_row_size(const roster *who);
// Lays the arrays of a row into memory of that size, aligned to 8.
history_row history_row_place(void *memory, const roster *who);
