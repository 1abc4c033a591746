// closed.h - a tree of rigid bodies and joints that close loops of it: what is handed to Motorcade
// and to other multibody programs alike.
//
// All bodies of a random one have parallel axes at q = 0, where every loop is closed.
#pragma once

#include "support/tree.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum closed_kind {
    CLOSED_BALL,
    CLOSED_HINGE,
    CLOSED_PRISM,
    CLOSED_FIXED,
    CLOSED_CYLINDER,
    CLOSED_UNIVERSAL,
    CLOSED_DISTANCE,
    CLOSED_POINT_ON_LINE,
    CLOSED_POINT_IN_PLANE,
    CLOSED_GEAR, // of the angles of two hinges
    CLOSED_RACK, // of a hinge and a prism
    // Other programs have none of these:
    CLOSED_CONSTANT_VELOCITY,
    CLOSED_GENERAL, // free: one travel, one angle
    CLOSED_ROLLING, // a disc of `from` on a plane of `to`
    CLOSED_KINDS,
} closed_kind;

typedef struct closed_joint {
    closed_kind kind;
    int from, to;           // bodies; -1: the world
    double at[3], to_at[3]; // m, in the frames of the two
    double axis[3];         // unit, in the frame of `from`; of a plane its normal
    double to_axis[3];      // unit, in the frame of `to`
    double value;           // length, ratio, radius
} closed_joint;

enum { CLOSED_JOINT_MAX = 128 };

typedef struct closed {
    tree tree;
    int joint_count;
    closed_joint joint[CLOSED_JOINT_MAX];
} closed;

const char *closed_kind_name(closed_kind kind); // as in model files
int closed_kind_rows(closed_kind kind);

// 1 to 6 loops, one closed by a joint of the kind `first`, the others by any.
void closed_random(unsigned long long *seed, int loops, closed_kind first, closed *out);
// Loops of hinges with parallel axes, some closed by other joints: most rows of each follow from
// others.
void closed_random_planar(unsigned long long *seed, int loops, closed *out);

bool closed_has(const closed *c, closed_kind kind);

// A model file of Motorcade.
void closed_write_yaml(const closed *c, FILE *file);

#ifdef __cplusplus
}
#endif
