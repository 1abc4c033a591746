// publish.h - frames of the live end for pages.
//
// A page gets frames at ticks of the clock, 1 / rate apart: those of one rate are due together,
// whenever they came. A frame is packed once for a tick and shared; a page that was not ready for
// it gets the same one later, until the next tick.
//
// All of the simulation thread.
#pragma once

#include "studio/hub/message.h"

typedef struct hub hub;

typedef struct packed { // a frame for a tick of the clock, shared between pages
    int slot, number;   // of the branch
    uint32_t version;   // of its list of vehicles
    double rate;        // ticks per second
    int64_t tick;
    uint32_t mask;
    bool windowed, bodies;
    double from, to;
    uint32_t seq;
    unsigned long long instant;
    message *message; // NULL: it could not be packed
} packed;

enum { MAX_PACKED = 64 };

void publish_frames(hub *h); // those that are due
void publish_end(hub *h);    // drops what is packed
