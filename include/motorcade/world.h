// world.h - vehicles of any kinds moving together, and hitting each other.
//
// Life of a world: create, add vehicles (their order is their id, from 0), start, advance
// repeatedly, read results between calls, destroy. Same input, same bits, whatever the number of
// threads.
//
// Threads: a world is used by one thread at a time; it uses threads of its own inside. Worlds are
// independent.
#pragma once

#include "motorcade/impact.h"
#include "motorcade/status.h"
#include "motorcade/vehicle_model.h"

#include "motorcade/begin.h"

typedef struct mc_world mc_world;

typedef enum mc_contact_law {
    MC_CONTACT_LAW_IMPULSES, // the default: micro-impacts at the exact instants, nothing to tune
    MC_CONTACT_LAW_PENALTY,  // the published multipliers (eq 1.45), corrected
    MC_CONTACT_LAW_NONE,     // vehicles pass through each other
} mc_contact_law;

typedef struct mc_world_options {
    int threads; // 0: all cores
    mc_contact_law contact;
    double step; // s, the vehicles' own inner step; contact details scale with it
    // 0: off. Otherwise the step is halved wherever the energy balance (energy plus all that left
    // the vehicles) would drift by more than this fraction of the kinetic energy per second.
    double energy_tolerance;
    // Of MC_CONTACT_LAW_IMPULSES: of each micro-impact, in addition to any deformation.
    double restitution; // 0..1; 1, the default: impacts take no energy. Raised in overlap
    double friction;    // >= 0, between surfaces; 0, the default: they are smooth
    // Vehicles resting against each other exchange impulses at this interval, s, and one mc_impact
    // stands for the whole contact; 0, the default: as often as the contact details require, each
    // recorded.
    double resting_guard;
    // Of MC_CONTACT_LAW_PENALTY only. The report does not give these: they are choices.
    double penalty_stiffness;     // N/m, growth of the contact force with overlap
    double penalty_smallest_step; // s, a step that ends in contact is halved until below this
    int penalty_held_steps;       // steps before the step may grow again
} mc_world_options;

mc_world_options mc_world_defaults(void);

mc_world *mc_world_create(const mc_world_options *options, mc_error *error); // NULL on failure

// Gives a batch to the world, which destroys it at the end; on failure it stays the caller's. Its
// vehicles are not in the world yet. Before start only.
mc_status mc_world_give(mc_world *world, mc_batch *batch, mc_error *error);

// Adds vehicle `index` of a batch given before; *id is the number it gets.
mc_status mc_world_add(mc_world *world, mc_batch *batch, int index, int *id, mc_error *error);

// Checks that no two vehicles overlap; if two do, *a and *b (may be NULL) name them.
mc_status mc_world_start(mc_world *world, int *a, int *b, mc_error *error);

// Advances everything by duration. Fails when a number is no longer finite, naming vehicle and
// time.
mc_status mc_world_advance(mc_world *world, double duration, mc_error *error);

// To be called after vehicles were changed from outside (restore, apply_impulse on a batch):
// forgets which vehicles can touch.
mc_status mc_world_refresh(mc_world *world, mc_error *error);

double mc_world_time(const mc_world *world);
int mc_world_vehicle_count(const mc_world *world);
void mc_world_vehicle(const mc_world *world, int id, mc_batch **batch, int *index);

// Impacts since the start, in order of time; valid until the next advance.
const mc_impact *mc_world_impacts(const mc_world *world, int *count);

// FNV-1a over the state of every vehicle in order of id.
unsigned long long mc_world_hash(const mc_world *world);

void mc_world_destroy(mc_world *world);

#include "motorcade/end.h"
