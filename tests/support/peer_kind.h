// peer_kind.h - other multibody programs behind one interface: accelerations of a tree, in the
// order and the axes of support/tree.h.
//
// Each is told nothing but what the tree says, and does nothing but forward dynamics: no contact,
// no limits, no sensors. peer_mujoco and peer_simbody are for tests and benchmarks and take any
// tree. peer_bullet and peer_dart (bench/) are for benchmarks; Bullet takes one base, free or
// fixed.
#pragma once

#include "support/closed.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct peer_kind {
    const char *name;               // for messages and tables
    void *(*create)(const tree *t); // NULL, with the reason on stderr, when it cannot; keeps no t
    void (*destroy)(void *peer);    // NULL is allowed

    void (*accelerations)(void *peer, const double *q, const double *v, const double *tau,
                          double *qdd);

    // The mass matrix, nv x nv, whole. NULL for peers of benchmarks.
    void (*mass)(void *peer, const double *q, double *m);
} peer_kind;

// The same for closed mechanisms, with the joints that they have; the state must be closed.
typedef struct peer_closed_kind {
    const char *name;
    bool (*has)(closed_kind kind);
    void *(*create)(const closed *c);
    void (*destroy)(void *peer);
    void (*accelerations)(void *peer, const double *q, const double *v, const double *tau,
                          double *qdd);
} peer_closed_kind;

// A closed mechanism over time by Simbody's own integrator (Runge-Kutta-Merson, projected), with a
// spring between two points and a load on the coordinate of a body's joint; all joints hinges or
// prisms, no gravity.
typedef struct peer_run_load {
    int spring_body[2]; // -1: the world
    double spring_at[2][3];
    double stiffness, length;
    int driven; // body
    double load;
} peer_run_load;

void *peer_simbody_run_create(const closed *c, const peer_run_load *load); // NULL: it cannot
void peer_simbody_run_destroy(void *run);
// From q, v at t = 0 to q at the end. False: it gave up.
bool peer_simbody_run(void *run, const double *q, const double *v, double end, double accuracy,
                      double *q_end);

extern const peer_closed_kind peer_simbody_closed, peer_mujoco_closed;

extern const peer_kind peer_mujoco, peer_simbody, peer_bullet, peer_dart;

#ifdef __cplusplus
}
#endif
