// stand.h - a mechanism with wheels stands on them.
#pragma once

#include "studio/request/bench.h"

enum { STAND_WHEELS = 16 };

typedef struct standing {
    int count;                       // wheels
    const char *wheel[STAND_WHEELS]; // bodies
    double load[STAND_WHEELS];       // N, of the road on each, up
    double residual;                 // m/s2 or rad/s2: the largest acceleration left
} standing;

// Every wheel is held at its height and does not turn; the free body keeps its place in the plane
// and its yaw. Everything else settles under springs, loads and gravity: w->y becomes that state.
// MC_FAILED: it does not settle, or cannot stand (no free body, fewer than three wheels); see
// w->error.
mc_status stand_on_wheels(bench_work *w, standing *out);
