// registry.h - numbers for the names of vehicles, from 0 in the order they were first asked for.
//
// One thread begins and ends it; any thread asks.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct registry {
    pthread_mutex_t lock;
    char **name; // by number
    int count, room;
    int *slot; // hash table of numbers; -1: free
    size_t slots;
} registry;

bool registry_begin(registry *r);
void registry_end(registry *r);
int registry_number(registry *r, const char *name); // any thread; -1: no memory
