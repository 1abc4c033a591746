// cut.h - a scenario cut into domains: which domain has which cars, and copies of which others.
//
// Cars are sorted along the road and cut into stretches of equal numbers. A domain moves with its
// cars. It has copies of the cars of others that its own cars hear or may touch:
// 1. in each lane, the `halo` cars ahead of its first and behind its last one;
// 2. in each platoon that is cut, the leader, and as many cars ahead and behind as any controller
//    of the scenario listens to, without gaps.
//
// Every process makes the same cut from the same scenario: nothing is sent for it.
#pragma once

#include "scenario/scenario.h"

typedef struct domain_copy { // a car of domain `from` that domain `to` has a copy of
    int from, to, vehicle;
} domain_copy;

typedef struct domain_cut {
    int count;           // of domains
    int *owner;          // by vehicle
    domain_copy *copies; // in order of from, to, vehicle
    int copy_count, copy_room;
    int hops; // times that a platoon passes from one domain to another, at most
} domain_cut;

// MC_BAD_INPUT: the scenario has something that cannot be cut; the message names it and its place.
mc_status domain_check(const scenario *s, mc_error *error);

mc_status domain_cut_make(domain_cut *cut, const scenario *s, int count, int halo, mc_error *error);
void domain_cut_free(domain_cut *cut);
