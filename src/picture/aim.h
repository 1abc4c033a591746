// aim.h - where a picture of vehicles is taken from (web/src/scene3d/camera3d.ts).
#pragma once

#include "picture/fleet.h"

typedef enum aim_camera {
    AIM_PLATOON,
    AIM_CHASE,
    AIM_CONTACT,
    AIM_DRIVER,
    AIM_TOP,
    AIM_FREE,
    AIM_COUNT
} aim_camera;
extern const char *const aim_names[AIM_COUNT];

typedef struct aim {
    aim_camera camera;
    int subject;           // of the frame
    const mc_impact *hit;  // AIM_CONTACT
    double from[3], at[3]; // AIM_FREE: m along the road, to the left, above it
    int width, height;
} aim;

// The camera, and what is looked at with its distance, for shadows.
camera aim_place(const fleet *f, const frame *now, const aim *a, vec *focus);
