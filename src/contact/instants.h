// instants.h - states of the vehicles of a cluster at instants of their contact, for pictures.
//
// A contact has instants of its own: its impacts, and the ends of the windows between them, at
// most some tens of microseconds apart. They are thinned by time: it is cut into cells, and of each
// cell the first impact and the first end of a window are kept. So the number of instants is
// bounded, and memory is given once, by the caller.
#pragma once

#include <stddef.h>

typedef enum contact_instant_kind {
    CONTACT_INSTANT_IMPACT, // just after an exchange of impulses
    CONTACT_INSTANT_WINDOW, // at an end of a window
    CONTACT_INSTANT_KINDS
} contact_instant_kind;

typedef struct contact_instants {
    double *time;   // s, one per instant, rising
    double *states; // size doubles per instant
    size_t size;
    int room, count;                         // room 0: none are kept
    double from, cell;                       // s: where the cells begin, and how long they are
    long long filled[CONTACT_INSTANT_KINDS]; // the last cell that has one, plus 1; 0: none yet
} contact_instants;

// Cells that a duration can touch, times the kinds: room that is always enough.
int contact_instants_max(double duration, double cell);

// Where the states of this instant are to be written; NULL: it is not kept. Times must not fall; an
// instant at the time of the last one replaces it.
double *contact_instants_add(contact_instants *i, double time, contact_instant_kind kind);
