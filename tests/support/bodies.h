// bodies.h - a mechanism with every joint of the tree and every kind of load, and what may close
// loops in it: for tests that go body by body.
#pragma once

#define BODIES_MODEL                                                                               \
    "motorcade: multibody\n"                                                                       \
    "name: bodies\n"                                                                               \
    "gravity: [0.3, -0.2, -9.7]\n"                                                                 \
    "bodies:\n"                                                                                    \
    "  base: {joint: free, velocity: body, mass: 3, com: [0.1, 0, 0.05],\n"                        \
    "         inertia: [0.4, 0.5, 0.6, 0.01, 0.02, 0.03]}\n"                                       \
    "  a1: {inboard: base, joint: hinge, at: [0, 0.4, 0], axis: [1, 0.2, 0.1], mass: 1.2,\n"       \
    "       com: [0.3, 0.1, 0.05], inertia: [0.05, 0.06, 0.07], stiffness: 8, damping: 0.5,\n"     \
    "       rest: 0.1, load: 0.7 N*m*cos(2*a1.angle),\n"                                           \
    "       orientation: {sequence: zyx, angles: [20 deg, 0, 0]}}\n"                               \
    "  a2: {inboard: a1, joint: ball, at: [0.6, 0.1, 0.2], mass: 0.8, com: [0.2, -0.1, 0],\n"      \
    "       inertia: [0.03, 0.04, 0.05, 0.001, 0.002, -0.001]}\n"                                  \
    "  tip: {inboard: a2, joint: fixed, at: [0.1, 0, 0.1], mass: 0.3, com: [0.05, 0, 0],\n"        \
    "        inertia: [0.001, 0.002, 0.002], orientation: {sequence: xyz, angles: [0.3, 0, 0]}}\n" \
    "  b1: {inboard: base, joint: general, at: [0, -0.4, 0], free: [tx, ry, rz], sequence: zyx,\n" \
    "       held: {rx: 0.1, tz: 0.05 m}, mass: 1.1, com: [0.3, 0, 0.1],\n"                         \
    "       inertia: [0.05, 0.06, 0.07]}\n"                                                        \
    "  b2: {inboard: b1, joint: ball, at: [0.5, -0.1, 0.1], mass: 0.9, com: [0.2, 0.1, 0.1],\n"    \
    "       inertia: [0.03, 0.05, 0.04]}\n"                                                        \
    "  c1: {inboard: base, joint: general, at: [0.1, 0, 0.5], free: [rx, ry, rz], mass: 0.5,\n"    \
    "       com: [0, 0, 0.2], inertia: [0.02, 0.02, 0.01]}\n"                                      \
    "  disc: {inboard: base, joint: hinge, at: [-0.3, 0, 0], axis: -y, mass: 0.5,\n"               \
    "         inertia: [0.01, 0.02, 0.01], axisymmetric: y, damping: 0.2}\n"                       \
    "  slide: {inboard: base, joint: prism, at: [-0.5, 0, 0], axis: [0, 1, 1], mass: 0.4,\n"       \
    "          stiffness: 40, damping: 2, load: 3 N}\n"                                            \
    "  gate: {joint: hinge, at: [2, 0, 0], axis: z, mass: 2, com: [0.4, 0, 0],\n"                  \
    "         inertia: [0.1, 0.2, 0.2]}\n"                                                         \
    "  ball: {joint: free, angles: zyx, mass: 2, inertia: [0.02, 0.04, 0.02],\n"                   \
    "         start: {z: 0.25}}\n"                                                                 \
    "points:\n"                                                                                    \
    "  pa: {body: a2, at: [0.4, -0.1, 0.1]}\n"                                                     \
    "  pb: {body: b2, at: [0.5, 0.9, 0.2]}\n"                                                      \
    "  pc: {body: base, at: [1, 0.6, 0.3]}\n"                                                      \
    "  ps: {body: slide, at: [0.1, 0.2, 0]}\n"                                                     \
    "  pd: {body: disc, at: [0.1, 0, 0.1]}\n"                                                      \
    "  pt: {body: tip, at: [0.1, 0.1, 0]}\n"                                                       \
    "  pg: {body: gate, at: [0.8, 0, 0]}\n"                                                        \
    "  ground_point: {body: ground, at: [0, 2, 1]}\n"                                              \
    "springs:\n"                                                                                   \
    "  s1: {from: pt, to: ps, stiffness: 30, damping: 1, length: 0.5, force: 2 N*sin((3 "          \
    "rad/s)*t)}\n"                                                                                 \
    "  s2: {from: ground_point, to: pd, stiffness: 20, length: 1}\n"                               \
    "  s3: {from: pc, to: pg, damping: 3}\n"                                                       \
    "forces:\n"                                                                                    \
    "  f1: {point: pt, force: [1, 2, -0.5], in: body}\n"                                           \
    "  f2: {point: pb, force: [0.5, 0, 1.5 N*cos((1 rad/s)*t)]}\n"                                 \
    "  f3: {point: pd, force: [0.2, 0.3, 0.4]}\n"                                                  \
    "torques:\n"                                                                                   \
    "  n1: {body: c1, torque: [0.1, -0.2, 0.3], in: body}\n"                                       \
    "  n2: {body: disc, torque: [0.3, 0.2, 0.1]}\n"

static const char *const bodies_closed[] = {
    "",
    "joints: {j: {joint: ball, from: pa, to: pb}}\n",
    "joints: {j: {joint: hinge, from: pa, to: pb, axis: [1, 2, 0.5]}}\n",
    "joints: {j: {joint: hinge, from: pg, to: pb, axis: -z, to_axis: y}}\n",
    "joints: {j: {joint: prism, from: pa, to: pb, axis: [1, 2, 0.5]}}\n",
    "joints: {j: {joint: fixed, from: pb, to: pa}}\n",
    "joints: {j: {joint: cylinder, from: pa, to: pb, axis: y}}\n",
    "joints: {j: {joint: universal, from: pa, to: pb, axis: y, to_axis: z}}\n",
    "joints: {j: {joint: constant_velocity, from: pa, to: pb, axis: x}}\n",
    "joints: {j: {joint: distance, from: pa, to: pc, length: 0.2}}\n",
    "joints: {j: {joint: point_on_line, from: pa, to: pb, axis: x}}\n",
    "joints: {j: {joint: point_in_plane, from: pb, to: pa, axis: [1, 1, 1]}}\n",
    "joints: {j: {joint: gear, from: disc, to: a1, ratio: 0.5}}\n",
    "joints: {j: {joint: rack, from: disc, to: slide, radius: 0.1, offset: 0}}\n",
    "joints: {j: {joint: rolling, from: ball, to: ground, axis: y, to_axis: z, radius: 0.25}}\n",
    "joints: {j: {joint: general, from: pa, to: pb, free: [tx, rz]}}\n",
    "joints: {j: {joint: general, from: pa, to: pb, free: [tz, rx, rz], held: {ty: 0}}}\n",
    "joints: {j: {joint: general, from: pa, to: pb, free: [ry, rz], sequence: zyx}}\n",
    "joints: {j: {joint: general, from: pa, to: pb, free: [tx, rx, ry, rz], sequence: yzx}}\n",
    "joints: {j: {joint: general, from: pa, to: pb, free: [tx, ty, tz, ry], sequence: xyz}}\n",
    "constraints: {j: {position: pa.position.x - pc.position.x - 0.1 m*sin((2 rad/s)*t)}}\n",
    "constraints: {j: {position: 'dot(c1.z_axis, pb.position - pa.position) - reach'}}\n"
    "variables: {reach: 0.1*s1.length + 0.1 m*sin((1 rad/s)*t)}\n",
    "constraints: {j: {velocity: 'pb.velocity.y + 0.1 m*a2.omega.z - s1.rate - (0.2 m/s^2)*t'}}\n",
    "constraints: {j: {velocity: a1.angle_rate - 2*b1.rz_rate + base.wx},\n"
    "              k: {position: gate.angle - 0.3*sin((1 rad/s)*t)}}\n",
    "joints: {j: {joint: ball, from: pa, to: pb}, k: {joint: distance, from: pa, to: pc,\n"
    "         length: 0.2}, l: {joint: gear, from: a1, to: disc, ratio: 2},\n"
    "         n: {joint: hinge, from: pc, to: pg, axis: z}}\n"
    "constraints: {m: {velocity: slide.travel_rate - 0.1 m*disc.angle_rate}}\n",
};
enum { BODIES_CLOSED = sizeof bodies_closed / sizeof bodies_closed[0] };
