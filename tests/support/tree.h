// tree.h - rigid bodies joined to a tree: what is handed to Motorcade and to other multibody
// programs alike, so that their accelerations can be compared.
//
// SI units; z up unless gravity says otherwise; quaternions are (w, x, y, z), unit. Every body has
// a frame whose origin is its joint. At q = 0 that frame sits at p with orientation r0, both in the
// parent's frame. Inertias are tensor elements about the centre of mass in the body's axes (Ixy is
// minus the product integral). The axis is a unit vector in the body's frame.
//
//   joint   q                                       v
//   free    origin in the world (3), quaternion     velocity of the origin in world axes (3),
//           body -> world (4)                       angular velocity in body axes (3)
//   hinge   angle, child = r0 rot(axis, q)          its rate
//   prism   origin = p + r0 axis q                  its rate
//   ball    quaternion child -> r0 (4)              angular velocity against the parent, child axes
//   fixed   none                                    none
//
// tau is dual to v: tau . v is a power. Gravity is no part of tau. qdd is dv/dt, component by
// component. q, v and tau stand in the order of the bodies. A parent stands before its children.
// Only children of the world can be free, and their p and r0 mean nothing.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TREE_BODY_MAX = 160, TREE_Q_MAX = 7 * TREE_BODY_MAX, TREE_V_MAX = 6 * TREE_BODY_MAX };

typedef enum tree_joint { TREE_FREE, TREE_FIXED, TREE_HINGE, TREE_PRISM, TREE_BALL } tree_joint;

typedef struct tree_body {
    char name[32];
    int parent; // -1: the world
    tree_joint joint;
    double p[3];       // m, joint in the parent's frame
    double r0[4];      // orientation at q = 0 in the parent's frame
    double axis[3];    // hinge and prism
    double mass;       // kg
    double com[3];     // m
    double inertia[6]; // kg m^2: Ixx Iyy Izz Ixy Ixz Iyz
    char axisymmetric; // 'x', 'y', 'z': mass and shape are round about this, which is the hinge; or
                       // 0
} tree_body;

// A spring-damper between a body and its parent, which a hinge joins.
typedef struct tree_spring {
    int body;
    double on_parent[3], on_body[3]; // m, its ends in the frames of the two
    double stiffness;                // N/m
    double damping;                  // N s/m
    double free_length;              // m
} tree_spring;

typedef struct tree_torque {
    int body;
    double value; // N m or N, on the joint of the body
} tree_torque;

typedef struct tree {
    char name[32];
    double gravity[3]; // m/s^2
    int body_count;
    tree_body body[TREE_BODY_MAX];
    int spring_count;
    tree_spring spring[TREE_BODY_MAX];
    int torque_count;
    tree_torque torque[TREE_BODY_MAX];
} tree;

// ---- where things stand in q and v -------------------------------------------------------------

int tree_joint_nq(tree_joint joint);
int tree_joint_nv(tree_joint joint);
int tree_nq(const tree *t);
int tree_nv(const tree *t);
int tree_q_offset(const tree *t, int body); // of the first value of the body's joint
int tree_v_offset(const tree *t, int body);

// ---- trees -------------------------------------------------------------------------------------

// A file of records as in tests/data/hmmwv10.model. False, with file:line and the reason on stderr.
bool tree_read(tree *t, const char *path);

tree tree_chain8(void); // 8 links in space, hinges with changing and skew axes, fixed to the world
tree tree_branched12(void); // 12 bodies; hinges, prisms and balls

// body_count from 1 to TREE_BODY_MAX: joints of all kinds, any place, any orientation, inertias
// that a real body can have. About half the trees have a free base. At least one degree of freedom.
tree tree_random(unsigned long long *seed, int body_count);

// ---- states ------------------------------------------------------------------------------------

// Unit quaternions, angles in -pi .. pi, speeds up to a few rad/s and m/s.
void tree_random_state(const tree *t, unsigned long long *seed, double *q, double *v);
void tree_random_forces(const tree *t, unsigned long long *seed, double *tau);

// tau of the springs and constant torques, nothing else.
void tree_forces(const tree *t, const double *q, const double *v, double *tau);

// ---- for who writes a tree for another program -------------------------------------------------

// Principal moments (kg m^2) and the quaternion principal axes -> body axes. Bodies without
// products of inertia keep their axes, to the last bit.
void tree_principal(const tree_body *body, double moment[3], double axes[4]);

void tree_rotation(const double quaternion[4], double r[9]); // row major, v_outer = r v_inner

// A model file of Motorcade. Springs and torques are not written.
void tree_write_yaml(const tree *t, FILE *file);

double tree_uniform(unsigned long long *seed, double low, double high);

#ifdef __cplusplus
}
#endif
