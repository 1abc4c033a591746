// world.h - vehicles of any kinds moving together, and hitting each other.
//
// Life of a world: create, add vehicles (their order is their id, from 0), start, advance again and
// again, read what is wanted between calls, destroy. A world has one owner thread; it uses its own
// threads inside. Same input, same bits, whatever the number of threads.
#pragma once

#include "motorcade/status.h"
#include "motorcade/vehicle_model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mc_world mc_world;

typedef enum mc_contact_law {
    MC_CONTACT_IMPULSES, // the default: micro-impacts at the exact instants, nothing to tune
    MC_CONTACT_PENALTY,  // the published multipliers (eq 1.45), corrected
    MC_CONTACT_NONE,     // vehicles pass through each other
} mc_contact_law;

typedef struct mc_world_options {
    int threads; // 0: all cores
    mc_contact_law contact;
    double step; // s, the vehicles' own inner step; contact details scale with it
    // 0: off. Otherwise the step is halved wherever the books (energy and all that left the
    // vehicles) would drift by more than this share of its kinetic energy per second.
    double energy_tolerance;
    // Of MC_CONTACT_IMPULSES: each micro-impact, whatever deforms besides.
    double restitution; // 0..1; 1, the default: impacts take no energy. Raised in overlap
    double friction;    // >= 0, between surfaces; 0, the default: they are smooth
    // Vehicles that lie against each other exchange impulses this often, s, and one mc_impact
    // stands for the whole contact; 0, the default: as often as the contact details ask for, each
    // noted.
    double resting_guard;
    // Of MC_CONTACT_PENALTY only. The report does not give these: they are choices.
    double penalty_stiffness;     // N/m, growth of the contact force with overlap
    double penalty_smallest_step; // s, a step that ends in contact is halved until below this
    int penalty_held_steps;       // steps before the step may grow again
} mc_world_options;

mc_world_options mc_world_defaults(void);

// One exchange of impulses between two vehicles.
typedef struct mc_impact {
    double time;             // s
    double duration;         // s; 0 for an impulse, else the time in contact
    int a, b;                // vehicle ids, a < b
    double point[3];         // m, on the surface of a
    double normal[3];        // from a to b
    double closing;          // m/s, speed at which the surfaces meet, > 0
    double impulse;          // N s, on b along the normal, on a against it
    double tangential[3];    // N s, world, friction on b; a gets the opposite
    double friction_loss;    // J, taken by friction
    double restitution_loss; // J, taken by restitution below 1
    double gap;              // m, at that instant
    double velocity_before[2][3], velocity_after[2][3]; // m/s, mass centres of a and b
    mc_energy before[2], after[2];                      // of a and b
} mc_impact;

mc_world *mc_world_create(const mc_world_options *options, mc_error *error); // NULL on failure

// Hands a batch to the world, which destroys it at the end; when this fails it stays the caller's.
// Its vehicles are not in the world yet. Before start only.
mc_status mc_world_give(mc_world *world, mc_batch *batch, mc_error *error);

// Adds vehicle `index` of a batch given before; *id is the number it gets.
mc_status mc_world_add(mc_world *world, mc_batch *batch, int index, int *id, mc_error *error);

// Checks that no two vehicles overlap; on a breach *a and *b (may be NULL) name them.
mc_status mc_world_start(mc_world *world, int *a, int *b, mc_error *error);

// Moves everything on by duration. Fails when a number is no longer finite, naming vehicle and
// time.
mc_status mc_world_advance(mc_world *world, double duration, mc_error *error);

// To be called after vehicles were changed from outside (restore, apply_impulse on a batch):
// forgets what the world knew of who can touch whom.
mc_status mc_world_refresh(mc_world *world, mc_error *error);

double mc_world_time(const mc_world *world);
int mc_world_vehicle_count(const mc_world *world);
void mc_world_vehicle(const mc_world *world, int id, mc_batch **batch, int *index);

// Impacts since the start, in order of time; valid until the next advance.
const mc_impact *mc_world_impacts(const mc_world *world, int *count);

// FNV-1a over the state of every vehicle in order of id.
unsigned long long mc_world_hash(const mc_world *world);

void mc_world_destroy(mc_world *world);

#ifdef __cplusplus
}
#endif
