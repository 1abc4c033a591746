// render.h - results in three dimensions, as a PNG file: the studio's 3-D view without a browser.
//
//     mc_render_options o = mc_render_defaults();
//     o.at = 18.25;
//     o.camera = "contact";
//     mc_render_write("run.h5", "crash.png", &o, &error);
//
// Results of every kind: runs of scenarios, MEDUSA runs, other recordings (replay.h), mechanisms of
// `motorcade simulate`. It needs no display and no graphics card: triangles are drawn by the
// program itself. Same results, same options, same pixels, for any number of threads; texts are
// drawn with the fonts of the system.
//
// Threads: functions keep nothing between calls and may be called from any thread.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>

#include "motorcade/begin.h"

typedef struct mc_render_options {
    double at;           // s; NAN: of the camera "contact" the first collision, else the last row
    const char *camera;  // of mc_render_camera; NULL: platoon
    int width, height;   // px
    const char *theme;   // "day", "evening"
    const char *vehicle; // the camera's; NULL: that of the contact, else the first one
    double from[3],
        look[3];       // camera "free": the eye and what it looks at: m along the road, to the
                       // left, above it; of a mechanism world axes
    double magnify;    // of deformation; 1: as it is
    bool strain;       // colours of deformable bodies
    bool labels;       // names and speeds
    const char *model; // file of the mechanism; NULL: as `simulate` was called
    int mode;          // of a mechanism: this one instead of a row, from 1; 0: none
    double amplitude;  // of the mode: largest coordinate, m or rad
    bool rest;         // of a mechanism: its position of rest instead of a row
    bool loads;        // of a mechanism: forces as arrows
    double lift;       // m, of a mechanism: its glass is drawn this much higher
    int threads;       // 0: one per core
} mc_render_options;

mc_render_options mc_render_defaults(void);

const char *mc_render_camera(int index); // NULL: past the last

// MC_BAD_INPUT: what cannot be shown (an instant outside of the recording, an unknown vehicle), and
// what is expected.
mc_status mc_render_write(const char *results, const char *png, const mc_render_options *options,
                          mc_error *error);

#include "motorcade/end.h"
