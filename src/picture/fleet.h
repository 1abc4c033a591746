// fleet.h - the vehicles of a picture: bodies of their kind and size, wheels, lamps, the dark under
// them (web/src/scene3d/fleet3d.ts, bodies3d.ts, lamps3d.ts).
#pragma once

#include "motorcade/scenario.h"
#include "picture/frame.h"
#include "picture/ground.h"
#include "render/scene.h"

enum { FLEET_LEVELS = 3, FLEET_KINDS = 8, FLEET_PAINTS = 9, FLEET_LOOKS = 64 };

typedef struct fleet_kind {
    char name[16];
    bool ready;          // its meshes and sheets are made
    const float *size;   // m: length, width, height, heights of head and tail lamps
    const float *wheel;  // m: radius, width, rim, track
    const float *wheels; // of each: x, y, steered
    int wheel_count;
    mesh *level[FLEET_LEVELS], *wheel_shape;
    sheet sheets;
} fleet_kind;

typedef struct fleet_look { // what the vehicles of a model are drawn as
    char model[64];
    double length, width, height; // m: where the model does not say, its size does
    int kind;                     // -1: a box, or its own
    mesh *own;                    // of a file; NULL: none
    float own_size[3];            // m
} fleet_look;

typedef struct fleet {
    scene *s;
    const ground *g;
    fleet_kind kind[FLEET_KINDS];
    int kind_count;
    mesh *brick, *square;
    const float *paints; // of the theme: four platoons, five of other traffic; linear
    bool evening;
    double t;
    double magnify; // of deformation
    double strain;  // at the end of the colour scale; 0: no colours
    double impulse; // N s per metre of arrow, of fleet_impacts; 0: none is drawn
    struct fleet_look look[FLEET_LOOKS];
    int look_count;
    const mc_scenario *scenario; // what models look like, where obstacles are; NULL: not known
    int skip;                    // number of the vehicle that is not drawn; -1: none
} fleet;

bool fleet_begin(fleet *f, scene *s, const ground *g, const char *theme);
// What a vehicle is drawn as, by the name of its model, then by its size.
int fleet_kind_of(const fleet *f, const mc_replay_car *car);
int fleet_kind_named(const fleet *f, const char *name); // -1: unknown
// The same with the key `look` of its model in the scenario, kept for the next one; looks.c.
fleet_look *fleet_look_of(fleet *f, const mc_replay_car *car);
// Obstacles of the scenario: walls, poles.
void fleet_obstacles(fleet *f);
void fleet_paint(const fleet *f, const mc_replay_car *car, int number, float out[3]); // linear
// All vehicles; the scene's camera is set. false: no memory.
bool fleet_draw(fleet *f, const frame *now);
// Arrows of the newest impact of every pair within 0.3 s before the frame.
void fleet_impacts(fleet *f, const frame *now, const mc_impact *impacts, int count);

// What a driver sees of the car around the eyes of the scene's camera (web/src/scene3d/cabin3d.ts).
void fleet_cabin(fleet *f, const frame_car *car);

// Where a vehicle is: the middle of its box on the road.
ground_spot fleet_spot(const fleet *f, const frame_car *car);
// The eight corners of a vehicle's box, in the picture.
void fleet_box(const fleet *f, const frame_car *car, vec out[8]);
// The ellipsoid of a deformable vehicle: its middle; its semi-axes as columns (row major), as it is
// drawn and without strain.
vec fleet_ellipsoid(const fleet *f, const frame_car *car, float axes[9], float resting[9]);
// Height of a contact above the road, m, when its z counts from where mass centres rest.
float fleet_touch(const frame *now, const mc_impact *i);
