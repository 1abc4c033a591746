// drive.h - hands on the pedals: one page per car, released after two seconds of silence.
//
// The transport keeps the newest input of a page; the simulation thread carries it out once per
// turn, so that two hundred per second cost no more than one.
#pragma once

#include "motorcade/run.h"
#include "studio/hub/limits.h"

#include <jansson.h>

typedef struct hub hub;

typedef struct drive_command { // of a page, under hub.lock
    bool fresh, release;
    int branch;
    double at; // s; NAN: the live end
    char vehicle[NAME_SIZE];
    mc_inputs inputs;
    json_int_t id;
} drive_command;

typedef struct driver { // whose hands are on a car; of the simulation thread
    int page;
    char name[NAME_SIZE];
    int branch;
    char vehicle[NAME_SIZE];
    int from_branch; // branch that the page names; that of the car was forked from it
    mc_inputs inputs;
    double last; // s of the clock
} driver;

// Of the simulation thread.
void drive_pedals(hub *h, bool fresh); // fresh: pages may have new inputs
driver *drive_find(const hub *h, int branch_number,
                   const char *vehicle); // NULL: not driven by hand
