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

extern const peer_closed_kind peer_simbody_closed, peer_mujoco_closed;

extern const peer_kind peer_mujoco, peer_simbody, peer_bullet, peer_dart;

#ifdef __cplusplus
}
#endif
