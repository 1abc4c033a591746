// frame.h - rows packed for the wire: the binary frames of docs/protocol.md.
//
// Pure functions; any thread.
#pragma once

#include "studio/history/history.h"

enum frame_flag {
    FRAME_LIVE = 1,
    FRAME_EXACT = 2,
    FRAME_PARTIAL = 4,
    FRAME_ANSWER = 8,
    FRAME_LAST = 16,
    FRAME_INSTANT = 32, // of a collision, within a step
};

enum {
    FRAME_CELL = 500,    // m, windows are widened to multiples of it
    FRAME_HEADROOM = 32, // bytes before the frames of a buffer, for the network
};

typedef struct frame_contact { // an impact that is still to be seen
    double t;                  // s
    uint32_t id, id2;
    double point[3], normal[3]; // m, world
    float impulse, closing;     // N s, m/s
} frame_contact;

#define FRAME_CONTACT_AGE 0.5 // s

typedef struct frame_spec { // what is to be packed
    uint32_t seq;
    int branch;
    unsigned flags;
    double step;   // s
    uint32_t mask; // bits by mc_field
    bool windowed;
    double from, to; // m
    bool bodies;
    const frame_contact *contacts; // in order of time, all of the branch
    int contact_count;
} frame_spec;

// Appends a frame to a buffer that grows; false: no memory.
typedef struct frame_buffer {
    uint8_t *data; // FRAME_HEADROOM bytes of room first
    size_t size, room;
} frame_buffer;
bool frame_pack(frame_buffer *out, const history_row *row, const frame_spec *spec);
size_t frame_size_max(const history_row *row, const frame_spec *spec); // bytes it can take

// Bit of a field by its name; -1: there is none.
int frame_field(const char *name);
