// traffic.h - the picture of a recording of vehicles.
#pragma once

#include "motorcade/render.h"
#include "motorcade/scenario.h"
#include "picture/aim.h"
#include "render/image.h"

typedef struct traffic { // a picture in the making
    const char *path;
    const mc_render_options *o;
    mc_replay *r;
    mc_scenario *scenario; // NULL: the recording has none
    frame frame;
    const mc_impact *impacts, *hit; // hit: nearest in time
    int impact_count;
    aim aim;
    ground ground;
    scene scene;
    fleet fleet;
} traffic;

// Reads the instant and puts it in place. To be closed, also after a failure. *o stays with it.
mc_status traffic_open(traffic *s, const char *results, const mc_render_options *o,
                       mc_error *error);
mc_status traffic_draw(traffic *s, image *out, mc_error *error);
void traffic_close(traffic *s);
