// registry.h - a list of kinds of one sort: those of the library, then those added from outside.
//
//     #define ADDRESS(word) &tyre_##word,
//     static const void *const built_in[] = {TYRE_KINDS(ADDRESS)};
//     static registry kinds = REGISTRY("tyre", built_in);
//
// A row is a constant that lives as long as the program; nothing is ever taken out. So a pointer to
// a row stays good, and looking at the list needs no lock. The list is the one thing in the library
// that belongs to the process and not to a handle: what a word in a file means must not depend on
// who reads it.
//
// Threads: rows may be added and looked up by any thread at any time.
#pragma once

#include "motorcade/param.h"
#include "motorcade/status.h"

#include <pthread.h>
#include <stdatomic.h>

enum { REGISTRY_MAX = 64, REGISTRY_NAME_MAX = 32 }; // rows from outside; letters of a name

typedef struct registry {
    const char *what; // "tyre", for messages
    const void *const *built_in;
    int built_in_count;
    pthread_mutex_t lock; // of who adds
    atomic_int count;     // of rows from outside
    const void *added[REGISTRY_MAX];
} registry;

#define REGISTRY(word, rows)                                                                       \
    {                                                                                              \
        .what = (word), .built_in = (rows), .built_in_count = sizeof(rows) / sizeof((rows)[0]),    \
        .lock = PTHREAD_MUTEX_INITIALIZER                                                          \
    }

const void *registry_at(const registry *r, int index); // NULL past the last

// What every row from outside must have, before it is added. size: of the row as the caller knows
// it; expected: as the library does. name_at gives the names that are taken, NULL past the last.
mc_status registry_check(const registry *r, size_t size, size_t expected, const char *name,
                         const char *doc, const char *(*name_at)(int index), mc_error *error);
// The same of rows of parameters: names, units, ranges, defaults in them.
mc_status registry_check_rows(const registry *r, const char *name, const mc_param *rows, int count,
                              int max, mc_error *error);
// "tyre NAME: TEXT".
mc_status registry_reject(const registry *r, const char *name, mc_error *error, const char *format,
                          ...) __attribute__((format(printf, 4, 5)));

mc_status registry_add(registry *r, const char *name, const void *row, mc_error *error);
