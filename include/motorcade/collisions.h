// collisions.h - micro-impacts combined into collisions, and written to files.
//
// A crash of two deformable cars is a few micro-impacts about 10 ms apart. Those of the same pair
// that follow each other within a quiet time are one collision.
//
//     int impact_count, count;
//     const mc_impact *impacts = mc_world_impacts(world, &impact_count);
//     mc_collision *collisions;
//     if (mc_collisions_from_impacts(impacts, impact_count, MC_COLLISIONS_QUIET, &collisions,
//                                    &count, &error) == MC_OK)
//         status = mc_collisions_write("crash.csv", collisions, count, &error);
//     free(collisions);
//
// What is measured, and its limits:
// 1. Speeds are those of the mass centres along the normal of the first micro-impact, just before
//    it and just after the last.
// 2. Energies are those of the two vehicles just before the first and just after the last
//    micro-impact. In a pile-up they include what other vehicles did to the two in between, so a
//    sum over collisions counts that twice; mc_collisions_total does not.
// 3. Vibration decays after the last micro-impact; `damped` ends there too.
//
// Threads: functions keep nothing between calls and may be called from any thread.
#pragma once

#include "motorcade/status.h"
#include "motorcade/world.h"

#include <stdbool.h>
#include <stdio.h>

#include "motorcade/begin.h"

#define MC_COLLISIONS_QUIET 0.25 // s, the default quiet time

typedef struct mc_collision {
    int a, b;                      // vehicle ids from 0, a < b
    int impact_count;              // micro-impacts
    double first, last;            // s, times of the first and the last micro-impact
    double closing;                // m/s, speed at which the surfaces meet at the first, > 0
    double relative_before;        // m/s, mass centre of b relative to a; < 0: they approach
    double relative_after;         // m/s, > 0: they separate
    double restitution;            // -relative_after / relative_before; NAN when that is about 0
    double impulse;                // N s, sum over the micro-impacts
    double impulse_largest;        // N s, of one micro-impact
    double tangential[3];          // N s, world, friction on b: sum over the micro-impacts
    double tangential_size;        // N s, its size
    double normal[3];              // unit, from a to b: direction of the whole impulse
    double point[3];               // m, world, of the first micro-impact, on the surface of a
    mc_energy before[2], after[2]; // J, of a and b
    double energy_before;          // J, of both: kinetic, elastic, spring and gravity
    double energy_after;           // J
    double vibration;              // J, gained by the vibration of both
    double damped;                 // J, dissipated by the dampers of both in the meantime
    double slipped;                // J, dissipated by slipping tyres of both in the meantime
    double crushed;                // J, absorbed by permanent deformation of both in the meantime
    double friction_loss;          // J, taken by friction between the two
    double restitution_loss;       // J, taken by restitution below 1 between the two
} mc_collision;

// Collisions in order of their first contact, then of the pair, in memory the caller frees with
// free (NULL when there are none). Impacts may come in any order. Two that are exactly `quiet`
// apart (s, >= 0) belong together. n log n in the number of impacts.
mc_status mc_collisions_from_impacts(const mc_impact *impacts, int count, double quiet,
                                     mc_collision **out, int *out_count, mc_error *error);

// Sums that count every joule once: a vehicle in several collisions at a time is seen from the
// first contact to the last.
typedef struct mc_collision_totals {
    int collision_count, impact_count;
    double vibration, damped, slipped, crushed, friction_loss, restitution_loss; // J
} mc_collision_totals;

mc_status mc_collisions_total(const mc_collision *collisions, int count, mc_collision_totals *out,
                              mc_error *error);

// What is written of a collision, in this order; the CSV header, the JSON keys, the table and the
// manual come from here. Vehicles are numbered from 1 in everything that is written.
typedef struct mc_collision_column {
    const char *name; // the JSON key; the CSV header is "name [unit]", or the name alone
    const char *unit; // "" for a count or a ratio
    const char *doc;
    const char *heading; // in the printed table; NULL: not there
    int width, decimals; // of the printed table
    bool is_int;         // at offset is an int, otherwise a double
    size_t offset;       // in mc_collision
} mc_collision_column;

const mc_collision_column *mc_collision_columns(int *count);
double mc_collision_value(const mc_collision *collision, const mc_collision_column *column);

// Files are written whole or not at all. Numbers as "%.17g"; what is not finite is "nan" or "inf"
// in CSV and null in JSON. JSON: {"columns": [{name, unit, doc}], "collisions": [{...}]}.
mc_status mc_collisions_write_csv(const char *path, const mc_collision *collisions, int count,
                                  mc_error *error);
mc_status mc_collisions_write_json(const char *path, const mc_collision *collisions, int count,
                                   mc_error *error);
// A name that ends in .json gets JSON, any other CSV.
mc_status mc_collisions_write(const char *path, const mc_collision *collisions, int count,
                              mc_error *error);

// A table for a terminal of 100 columns with at most row_max rows (< 0: all) and a line of totals.
mc_status mc_collisions_print(FILE *out, const mc_collision *collisions, int count, int row_max,
                              mc_error *error);

#include "motorcade/end.h"
