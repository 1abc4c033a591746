// obstacle.h - bodies that stand still whatever hits them, of any convex shape.
//
// Obstacles are a kind of vehicle without motion: an infinite mass that takes impulses and adds
// them up as its state. So they take part in clusters, snapshots and hashes as vehicles do. In a
// world they must come after all vehicles: a pair is then a vehicle and an obstacle, in this order;
// two obstacles never touch.
//
// Kinematic kinds move in the plane and meet the section of a shape with it, others meet all of it.
#pragma once

#include "contact/convex.h"
#include "contact/impact.h"
#include "motorcade/param.h"

typedef enum obstacle_shape {
    OBSTACLE_BOX,
    OBSTACLE_CYLINDER, // upright, without ends: a pole, a pier
    OBSTACLE_ELLIPSOID,
    OBSTACLE_PRISM, // a polygon, upright
    OBSTACLE_SHAPES
} obstacle_shape;
extern const char *const obstacle_shape_name[OBSTACLE_SHAPES];

enum {               // rows of obstacle_params
    OBSTACLE_LENGTH, // m, along its heading; of a cylinder: its diameter
    OBSTACLE_WIDTH,  // m, across
    OBSTACLE_HEIGHT, // m
    OBSTACLE_Z,      // m, of its middle over the plane of the mass centres
    OBSTACLE_RESTITUTION,
    OBSTACLE_FRICTION,
    OBSTACLE_PARAM_COUNT
};
extern const mc_param obstacle_params[OBSTACLE_PARAM_COUNT];

enum { OBSTACLE_POLYGON_MAX = CONVEX_POINTS_MAX / 2 };

typedef struct obstacle { // as described
    obstacle_shape shape;
    double x, y, heading;           // m, rad, in the plane
    double p[OBSTACLE_PARAM_COUNT]; // restitution, friction: NAN: those of the world
    int point_count;                // of a prism: corners of its base, own axes; their hull counts
    double point[OBSTACLE_POLYGON_MAX][2];
} obstacle;

// All parameters at their fallbacks: a box of 1 m.
obstacle obstacle_default(void);

extern const mc_vehicle_kind obstacle_kind;
mc_batch *obstacle_batch_create(const obstacle *obstacles, int count); // NULL: no memory

static inline bool obstacle_is(const impact_body *body)
{
    return body->batch->kind == &obstacle_kind;
}

// Gap of a surface and an obstacle; result as ellipsoid_gap_find, the surface is 1.
void obstacle_gap(const impact_body *body, const ellipsoid *surface, int warm,
                  ellipsoid_gap *result);
// Replaces restitution and friction of a law by its own, where it has some.
void obstacle_law(const impact_body *body, impact_law *law);
