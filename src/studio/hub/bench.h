// bench.h - a mechanism on the bench: its text, what was done to it when, and its states over time.
//
// It is a function of its text, its entries and its end: the states are integrated piece by piece,
// from entry to entry. So the same entries always give the same states, to the last bit. It does
// not change once made: a change makes another one, which copies the pieces before it. Any thread
// may read it.
#pragma once

#include "studio/hub/branch.h"

enum { BENCH_NAME = 100 };

typedef enum bench_do {
    BENCH_SET,  // a parameter or an input; at the start a coordinate or a velocity, too
    BENCH_PUSH, // a force at a point of a body from now on; of zero: no more
} bench_do;

typedef struct bench_entry {
    double t; // s
    bench_do kind;
    char name[BENCH_NAME];  // of what is set; of the body
    char value[48];         // of what is set: a number, with its unit if it has one
    double at[3], force[3]; // m in the axes of the body; N in world axes
} bench_entry;

// The car that a mechanism was made from, and when.
typedef struct bench_source {
    int world;                // number of its branch
    char vehicle[BENCH_NAME]; // "": it is a file
    double t;                 // s
} bench_source;

typedef struct bench {
    atomic_int refs;
    char *text, *file;
    char name[BENCH_NAME]; // of the model
    bench_source source;
    bool concept;         // its text is one
    bool recorded;        // its states were read from a file up to its first entry after the start
    bench_entry *entries; // in order of time
    int entry_count;
    int y_count, output_count, rows, room;
    double *t, *y, *outputs; // of rows
    double *piece, *start;   // times at which the integration begins again, and the states there
    int piece_count;
    double end, row; // s
    int row_count;   // that was asked for; 0: the usual one
    // Of the last integration.
    char method[32];
    long steps;
    double seconds, drift;
    bool conserves, stopped; // it took too long for the bench
    char failed[300];        // why it ended early; "": it did not
} bench;

// NULL: see *error.
bench *bench_load(const char *path, const char *shown, mc_error *error);
bench *bench_open(const char *text, size_t length, const char *shown, mc_error *error);
// Of a file with other values from the start, another end (NAN: that of the file) and so many rows.
bench *bench_load_with(const char *path, const char *shown, const bench_entry *entries, int count,
                       double end, int rows, mc_error *error);
// A car that was taken off the road with these values.
bench *bench_from_car(const char *text, const bench_source *source, const bench_entry *entries,
                      int count, mc_error *error);
bench *bench_recorded(const char *path, const char *shown, mc_error *error);
// With further entries, and until `end` (NAN: as before). again: they replace those of the same
// name and instant.
bench *bench_change(const bench *from, const bench_entry *added, int count, bool again, double end,
                    mc_error *error);

// The same file with another text: entries of the start stay, those after it do not.
bench *bench_with_text(const bench *from, const char *text, double end, mc_error *error);
bool bench_is_concept(const bench *m);

bench *bench_hold(bench *m);
void bench_drop(bench *m); // NULL is allowed
const char *bench_name(const bench *m);
bench *bench_of(branch *b); // held; NULL: it has none

// A handle with the values of the start, and the state there before loops are closed; entries up to
// t.
struct mc_multibody *bench_make(const bench *m, double *y, mc_error *error);
bool bench_apply(const bench *m, struct mc_multibody *to, double *y, double after, double until,
                 mc_error *error);
// Generalised forces of the pushes that act at t, added to tau.
void bench_pushes(const bench *m, struct mc_multibody *of, double t, const double *y, double *tau);
int bench_row_at(const bench *m, double t); // the last one that is not after t

branch *bench_branch(bench *m, const char *name); // NULL: no memory; holds m
void bench_describe(branch *b);                   // its facts for pages, from its mechanism
