// suspension_rig.h - a suspension of a concept on a rig: what its wheels do over travel or
// steering.
//
//     mc_concept *truck = mc_concept_load("concepts/truck_5t.yaml", &error);
//     mc_suspension_options o = {.axle = "front", .from = -0.1, .to = 0.1, .row_count = 21};
//     mc_suspension_curves curves;
//     if (mc_suspension_measure(truck, &o, &curves, &error) == MC_OK)
//         printf("%g %s\n", curves.value[0], curves.column[0].unit); // row 0, column 0
//     mc_suspension_curves_free(&curves);
//     mc_concept_free(truck);
//
// The chassis is fixed. Both wheels of an axle, or all of a tandem, go through the same travel (or
// opposite ones: roll); of a steered axle the rack can be moved instead. Everything is quasi-static
// and closes to rounding. Columns are those of the left wheel (of a tandem: the front one). Signs:
// travel up, camber with the top outwards, toe-in, x forwards and y outwards positive.
//
// Threads: a concept may be measured by any number of threads at once; curves belong to the caller.
#pragma once

#include "motorcade/concept.h"

#include "motorcade/begin.h"

typedef enum mc_suspension_motion {
    MC_SUSPENSION_PARALLEL,
    MC_SUSPENSION_OPPOSITE, // the right wheel goes down as the left one goes up
    MC_SUSPENSION_STEER,    // the rack moves, the wheels keep their height
    MC_SUSPENSION_MOTION_COUNT,
} mc_suspension_motion;

typedef struct mc_suspension_options {
    const char *axle; // NULL: the first
    mc_suspension_motion motion;
    double from, to; // m, travel of the left wheel from where it is drawn, or of the rack; both 0:
                     // -0.1 to 0.1
    int row_count;   // 0: 21
} mc_suspension_options;

typedef struct mc_suspension_column {
    char name[40];
    const char *unit, *doc;
} mc_suspension_column;

enum { MC_SUSPENSION_COLUMN_MAX = 24 };

typedef struct mc_suspension_curves {
    char axle[64];
    const char *suspension; // its template
    mc_suspension_motion motion;
    int row_count, column_count;
    mc_suspension_column column[MC_SUSPENSION_COLUMN_MAX]; // the first is what is driven
    double *value;                                         // row by row; NAN: not defined there
    double gap; // m or rad, the largest opening of a joint
} mc_suspension_curves;

mc_status mc_suspension_measure(const mc_concept *c, const mc_suspension_options *options,
                                mc_suspension_curves *out, mc_error *error);
void mc_suspension_curves_free(mc_suspension_curves *curves);

#include "motorcade/end.h"
