// roster.h - the vehicles of a row: who the columns of its arrays are.
//
// A roster changes when cars come or go: another one is made then. It is filled by the thread that
// makes it and never changed once it is shared; any thread holds and reads it.
#pragma once

#include "motorcade/vehicle_model.h"

#include <stdatomic.h>
#include <stdint.h>

typedef struct roster { // immutable, shared
    atomic_int refs;
    int count;
    uint32_t *id; // of the studio: the same for the same name in all branches
    char **name;
    int *platoon;     // from 0, its cars from front to back one after the other; -1: none
    double *length;   // m
    double *middle;   // m, of the car's box ahead of its mass centre
    int body_count;   // deformable vehicles whose bodies are kept
    int *body;        // their columns
    float (*rest)[3]; // m, semi-axes of their undeformed bodies
    // The vehicles' own channels: those of column c stand at channel_at[c] .. channel_at[c + 1].
    // All zero: they are not kept.
    int *channel_at;             // count + 1
    const mc_channel **channels; // by column
    // How vehicles with wheels stand on them, in the same way: HISTORY_STAND numbers and then
    // HISTORY_WHEEL for each wheel (history.h).
    int *gear_at;  // count + 1
    float *rest_z; // m, by column: height of the middle of its outline when it came
} roster;

roster *roster_create(int count, int body_count);
roster *roster_hold(roster *r);
void roster_drop(roster *r);                        // NULL is allowed
int roster_find(const roster *r, const char *name); // column; -1: not there
// The column in `before` of every column of `who`, -1: missing; by ids, so that ten thousand are
// found at once. To be freed; NULL: no memory.
int *roster_match(const roster *before, const roster *who);
