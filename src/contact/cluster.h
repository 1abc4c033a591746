// cluster.h - vehicles that may touch, moved together through their impacts.
//
// Within a window short against the vibrations every vehicle is moved alone; then each pair is
// asked for its next impact (crossing.h). The earliest is carried out: the vehicles that touch at
// that instant are brought there, impulses are exchanged (impact.h), and they continue from there.
// So the motion of a vehicle is only cut where it is hit, and the cost of an impact does not depend
// on the size of the cluster's motion.
//
// A pair is not hit twice within `guard` seconds: bodies that are pressed together bounce at most
// at that rate, by ever smaller jumps, each of which keeps energy and momentum. The overlap this
// allows is of the order of (pressing acceleration) guard^2. Restitution below 1 would let it grow,
// so a hit in overlap bounces a little more, never more than restitution 1.
#pragma once

#include "contact/crossing.h"
#include "contact/impact.h"
#include "contact/instants.h"
#include "motorcade/impact.h"

typedef struct contact_pair { // lives as long as the two are near each other
    int a, b;                 // vehicle ids, a < b
    ellipsoid_gap near;       // last answer
    int warm;                 // near.normal can start the next search
    double last_impact;       // s, world time; -HUGE_VAL: none yet
    double last_closing;      // m/s, then
    double next_check;        // s, world time before which they cannot touch
    bool active;              // may touch in this chunk
} contact_pair;

typedef struct cluster_settings {
    impact_law law; // of each micro-impact
    double guard;   // s
    // Bodies that lie against each other: a pair that met more slowly than resting_speed is not hit
    // again for resting_guard. 0: no difference is made.
    double resting_speed, resting_guard; // m/s, s
    double window_max;                   // s
    double touch_tolerance;              // m, gaps below it at an instant are hit together
    double tolerance;                    // m, how exactly a time of impact is found
    double slowest_impact;               // m/s, closing speeds below it are rounding
    // Instants are kept of a collision, not of bodies at rest: from an impact faster than
    // instant_speed on, and as long as the last one is at most instant_quiet old.
    double instant_speed, instant_quiet; // m/s, s
} cluster_settings;

typedef struct cluster_search { // next impact of a pair in this window
    bool found;
    crossing_sample at;
} cluster_search;

typedef struct cluster {
    const impact_body *body; // by vehicle id
    int *slot;               // by vehicle id: place in members
    int *members;            // vehicle ids
    int member_count;
    contact_pair **pairs; // in order of (a, b)
    int pair_count;
    // Work space, given by the caller: stride doubles a member each.
    double *base, *end;
    int stride;
    double *base_time;      // s within the window, one per member
    cluster_search *search; // one per pair
    bool collides;          // an impact fast enough for instants is recent
    // Result: impacts in order of time. The array is grown with realloc and belongs to the caller.
    mc_impact *impacts;
    int impact_count, impact_capacity;
    bool out_of_memory;
    contact_instants instants; // states of all members, stride doubles each; the caller gives room
} cluster;

// Gap of a pair where the vehicles are now, and its rate.
void contact_pair_look(contact_pair *pair, const impact_body *body, double *gap, double *rate);

// A time, s, within which the two cannot touch, from how far they reach; 0 when they may touch at
// once. Looks closely (contact_pair_look) only when their spheres promise less than `enough`.
double contact_pair_safe_time(contact_pair *pair, const impact_body *body, const mc_reach *a,
                              const mc_reach *b, double enough);

// Moves all members on by duration seconds from world time `time`.
void cluster_advance(cluster *c, const cluster_settings *settings, double time, double duration);
