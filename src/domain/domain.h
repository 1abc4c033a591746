// domain.h - one run on several processes, each with a stretch of the traffic.
//
// A domain is a run of its own cars and of copies of others (cut.h). All domains step together. In
// each step every car decides; then the domains tell each other what the cars decided of which
// others have copies (64 bytes each); then all move. A copy is given the decision of the original
// and so moves as it does, to the bit, and what it sends and shows to others is the same.
//
// Contact: a cluster of cars that may touch is solved as a whole in every domain that has one of
// its members, from the same states by the same operations. A copy may also be hit by a car that
// its domain does not have: after each step the domains therefore tell each other the states of
// copied cars that were hit. That is enough unless such a collision reaches, within the step, a
// car of the domain. Each message has the place and speed of the original: where a copy differs in
// a single bit, that has happened. Then all domains end with `narrow`, and the run must be repeated
// with more copies.
//
// Sums over all cars, and the hash of the state, are passed from domain to domain in the order of
// the cars: the result does not depend on the cut. The hash is mc_run_hash of the whole run.
//
// What is not supported is rejected by domain_check; a change of the order of cars ends the run
// with a message.
#pragma once

#include "domain/cut.h"
#include "motorcade/run.h"

typedef struct domain_word { // what a domain tells of a car in a step
    double state;            // domain_state of the sender
    double x, v;             // m, m/s, at the start of the step
    mc_inputs inputs;
    double desired; // m/s^2; while a run is made: its station in the platoon, m
} domain_word;

typedef struct domain_peer { // a domain with which cars are exchanged
    int rank;
    int *send, *receive; // slots: own cars that it has copies of; copies of its cars
    int send_count, receive_count;
    domain_word *out, *in; // of as many
    // States of cars that were hit: what is told to the peer, and by it. Rooms for all cars.
    double *tell, *told;
    int tell_size, told_size, tell_room, told_room;
} domain_peer;

// How domains reach each other. All call the same functions in the same order.
typedef struct domain_link {
    void *context;
    int rank, count;
    // Sends `out` of every peer and fills `in`.
    void (*exchange)(void *context, domain_peer *peers, int count);
    // Sends `tell` of every peer, of tell_size; fills `told` and told_size.
    void (*tell)(void *context, domain_peer *peers, int count);
    double (*worst)(void *context, double value); // the largest value of all
    // Copies bytes of domain `from` to domain `to`; both differ. Others do nothing.
    void (*hand)(void *context, int from, int to, void *bytes, int size);
} domain_link;

typedef struct domain_sum { // of all cars; only domain 0 knows it
    unsigned long long hash;
    long long hits;      // collisions count for both cars
    double speed;        // m/s, sum in the order of the cars
    double smallest_gap; // m; HUGE_VAL: no car has another in front
} domain_sum;

typedef struct domain domain;

// Its part of the run. NULL: see *error; an error of another domain: its text is "".
domain *domain_create(const mc_scenario *given, const mc_run_options *options, int halo,
                      const domain_link *link, mc_error *error);
void domain_destroy(domain *d); // may be NULL

// From the start to `end` s. The same status in all domains; if one fails, others have the text "".
// *narrow: the halo was too narrow, and the result is of no use.
mc_status domain_play(domain *d, double end, bool *narrow, mc_error *error);

mc_status domain_sum_up(domain *d, domain_sum *sum, mc_error *error);
int domain_copy_count(const domain *d); // copies that it has of others
