// truck14.h - the bodies and joints of models/truck14.yaml as a table, for other engines in maximal
// coordinates.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

enum { TRUCK14_BODIES = 14, TRUCK14_JOINTS = 13, TRUCK14_WHEELS = 6 };

typedef struct truck14_body {
    double mass, size[3], at[3]; // kg; m: of the box; mass centre at the start
    int wheel;                   // a cylinder about y, radius 0.5 m, width 0.3 m
} truck14_body;

typedef enum truck14_kind { TRUCK14_HINGE, TRUCK14_PRISM, TRUCK14_BALL } truck14_kind;

typedef struct truck14_joint {
    truck14_kind kind;
    int inboard, outboard;
    double at[3], axis[3];
    double stiffness, damping, preload, torque; // along it: preload - k x - c x' + torque
} truck14_joint;

extern const truck14_body truck14_bodies[TRUCK14_BODIES];
extern const truck14_joint truck14_joints[TRUCK14_JOINTS];

// Another engine: 1 ms steps, 20 iterations, one contact per wheel as a sphere.
typedef struct truck14_peer {
    const char *name;
    void *(*create)(void);
    void (*step)(void *peer, int count);
    double (*open)(void *peer);  // m, largest distance of the two halves of a hinge or ball
    double (*speed)(void *peer); // m/s, of the frame
    void (*destroy)(void *peer);
} truck14_peer;

extern const truck14_peer truck14_ode, truck14_bullet;

#ifdef __cplusplus
}
#endif
