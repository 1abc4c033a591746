// sumo.h - SUMO as a peer: cars on one long edge, where it is fastest: no junction, no output, no
// check for collisions, one thread. Its start-up is excluded: the result is the difference between
// a short and a long run.
#pragma once

#include <stdbool.h>

typedef struct sumo {
    const char *model;  // its car-following model
    const char *folder; // of its files
    int count, lanes;
    double step, spacing; // s; m between two cars of a lane
    double limit;         // m/s, of the road
    int short_steps, long_steps;
    // The desired speed of car k, and the speed it starts with, m/s.
    double (*desired)(int k);
    double (*start)(int k);
    char net[256], routes[256];
    double short_best, long_best; // CPU s
} sumo;

// Writes its files and checks a run; false: there is no SUMO.
bool sumo_start(sumo *s);

void sumo_measure(sumo *s); // both runs once

double sumo_changes(const sumo *s); // lane changes in the measured steps, of all cars

double sumo_end(sumo *s); // vehicle-steps per CPU second, by the best runs
