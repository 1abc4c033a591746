// test_read_bad.c - mechanism files that are wrong: each small edit of a good one, its
// message.
#include "mechanism_file/read.h"
#include "motorcade/multibody.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Line numbers matter.
#define MODEL                                                                                      \
    "motorcade: multibody\n"                                                                       \
    "name: cart\n"                                                                                 \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "parameters:\n"                                                                                \
    "  k_front: 20 kN/m\n"                                                                         \
    "  c_front: {value: 1500 N*s/m, doc: \"damper\", min: 0}\n"                                    \
    "inputs:\n"                                                                                    \
    "  push: {value: 0, unit: N}\n"                                                                \
    "bodies:\n"                                                                                    \
    "  cart:\n"                                                                                    \
    "    inboard: ground\n"                                                                        \
    "    joint: free\n"                                                                            \
    "    mass: 100\n"                                                                              \
    "    com: [0.1, 0, 0]\n"                                                                       \
    "    inertia: [10, 12, 14]\n"                                                                  \
    "    start: {vx: 5}\n"                                                                         \
    "  arm:\n"                                                                                     \
    "    inboard: cart\n"                                                                          \
    "    joint: hinge\n"                                                                           \
    "    at: [1, 0, 0]\n"                                                                          \
    "    axis: y\n"                                                                                \
    "    mass: 5 kg\n"                                                                             \
    "    com: [0, 0, -0.5]\n"                                                                      \
    "    inertia: [0.4, 0.4, 0.01]\n"                                                              \
    "    stiffness: 30\n"                                                                          \
    "  wheel:\n"                                                                                   \
    "    inboard: arm\n"                                                                           \
    "    joint: hinge\n"                                                                           \
    "    axis: y\n"                                                                                \
    "    axisymmetric: y\n"                                                                        \
    "    mass: 3\n"                                                                                \
    "    inertia: [0.1, 0.2, 0.1]\n"                                                               \
    "    load: push*0.3 m\n"                                                                       \
    "points:\n"                                                                                    \
    "  top: {body: cart, at: [1, 0, 0.4]}\n"                                                       \
    "  low: {body: arm, at: [0, 0, -1]}\n"                                                         \
    "springs:\n"                                                                                   \
    "  strut: {from: top, to: low, stiffness: k_front, damping: c_front, length: 0.5}\n"           \
    "forces:\n"                                                                                    \
    "  drag: {point: top, force: [-2*cart.vx, 0, 0], in: world}\n"                                 \
    "torques:\n"                                                                                   \
    "  twist: {body: arm, torque: [0, 1, 0], in: body}\n"                                          \
    "states:\n"                                                                                    \
    "  lag: {start: 0, unit: N, rate: (push - lag)/0.2 s}\n"                                       \
    "variables:\n"                                                                                 \
    "  speed: norm(cart.velocity)\n"                                                               \
    "simulate: {end: 5 s, step: 1 ms}\n"

#define WHEEL                                                                                      \
    "joint: hinge\n    axis: y\n    axisymmetric: y\n    mass: 3\n    inertia: [0.1, 0.2, 0.1]\n " \
    "   load: push*0.3 m"
#define GENERAL "joint: general\n    "
#define LETTERS "a name has letters, digits and \"_\", and does not begin with a digit"
#define X100                                                                                       \
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" \
    "xxxxxxxx"

typedef struct edit {
    const char *find, *replace; // the first place of find
    const char *message;
} edit;

static const edit edits[] = {

    // the head
    {"motorcade: multibody\n", "",
     "m.yaml:1:1: expected \"motorcade: multibody\" as the first key"},
    {"motorcade: multibody", "motorcade: medusa",
     "m.yaml:1:12: found \"medusa\", expected multibody"},
    {MODEL, "- a\n- b\n", "m.yaml:1:1: expected \"motorcade: multibody\" as the first key"},
    {MODEL, "motorcade: multibody\n",
     "m.yaml:1:1: the model needs the key bodies (the rigid bodies, in the order of the states)"},
    {"name: cart", "nmae: cart", "m.yaml:2:1: the model has no key \"nmae\"; did you mean name?"},
    {"simulate:", "simulation:",
     "m.yaml:47:1: the model has no key \"simulation\"; did you mean simulate?"},
    {"name: cart", "name: ../x", "m.yaml:2:7: \"../x\" is not a valid name: " LETTERS},
    {"gravity: [0, 0, -9.81]", "gravity: -9.81",
     "m.yaml:3:10: found \"-9.81\", expected a list of 3"},
    {"gravity: [0, 0, -9.81]", "gravity: [0, -9.81]",
     "m.yaml:3:10: found a list of 2, expected a list of 3"},
    {"-9.81]", "-9.81 m]", "m.yaml:3:18: the result has the unit m, expected m/s^2"},
    {"-9.81]", "{}]", "m.yaml:3:17: found a map, expected a number"},

    // YAML itself
    {"mass: 5 kg", "mass: &m 5 kg",
     "m.yaml:22:11: anchors (&name) and aliases (*name) are not supported; repeat the value, or "
     "make it a parameter"},
    {MODEL, "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n",
     "m.yaml:1:4: anchors (&name) and aliases (*name) are not supported; repeat the value, or make "
     "it a parameter"},
    {"mass: 5 kg", "mass: !!float 5",
     "m.yaml:22:11: tags (!) are not supported; write the plain value"},
    {"    mass: 5 kg", "\tmass: 5 kg",
     "m.yaml:22:1: found a tab; indent with blanks, tabs are not allowed anywhere"},
    {"mass: 5 kg", "mass: 5 kg\n    mass: 6",
     "m.yaml:23:5: key \"mass\" is already in this map, at line 22, column 5"},
    {"  low: {", "  top: {",
     "m.yaml:36:3: key \"top\" is already in this map, at line 35, column 3"},
    {"  arm:", "  cart:", "m.yaml:17:3: key \"cart\" is already in this map, at line 10, column 3"},

    // names
    {"  k_front: 20", "  sin: 20",
     "m.yaml:5:3: \"sin\" is not a valid name: it is the name of a function"},
    {"  k_front: 20", "  \"a; rm -rf /\": 20",
     "m.yaml:5:4: \"a; rm -rf /\" is not a valid name: " LETTERS},
    {"  k_front: 20", "  ../x: 20", "m.yaml:5:3: \"../x\" is not a valid name: " LETTERS},
    {"  k_front: 20", "  " X100 X100 X100 ": 20",
     "m.yaml:5:3: \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\" is not a valid name: a name "
     "has at most 63 letters"},
    {"  k_front: 20", "  \"\": 20", "m.yaml:5:4: \"\" is not a valid name: " LETTERS},
    {"  k_front: 20",
     "  k\xC3"
     "\xA9"
     ": 20",
     "m.yaml:5:3: \"k\xC3\xA9\" is not a valid name: " LETTERS},
    {"  k_front: 20", "  2k: 20", "m.yaml:5:3: \"2k\" is not a valid name: " LETTERS},
    {"  k_front: 20", "  k front: 20", "m.yaml:5:3: \"k front\" is not a valid name: " LETTERS},
    {"  k_front: 20", "  cart.mass: 20",
     "m.yaml:5:3: \"cart.mass\" is not a valid name: dots separate a body from its parts"},
    {"  k_front: 20", "  time: 20",
     "m.yaml:5:3: \"time\" is not a valid name: it is a reserved word"},
    {"  wheel:\n", "  ground:\n",
     "m.yaml:26:3: \"ground\" is not a valid name: it is a reserved word"},
    {"  speed: norm", "  \"x\\ny\": norm", "m.yaml:46:4: \"x y\" is not a valid name: " LETTERS},
    {"  wheel:\n", "  \"${HOME}\":\n", "m.yaml:26:4: \"${HOME}\" is not a valid name: " LETTERS},
    {"  drag: {", "  arm: {",
     "m.yaml:40: the name \"arm\" of this force is taken by the body on line 17; a name is used "
     "once in a model"},
    {"points:\n  top: {body: cart, at: [1, 0, 0.4]}\n  low: {body: arm, at: [0, 0, -1]}\n", "",
     "m.yaml:35:17: unknown point \"top\"; the model has none"},
    {"  lag: {", "  push: {",
     "m.yaml:44: the name \"push\" of this state is taken by the input on line 8; a name is used "
     "once in a model"},
    {"  strut: {", "  k_front: {",
     "m.yaml:38: the name \"k_front\" of this spring is taken by the parameter on line 5; a name "
     "is used once in a model"},
    {"  strut: {", "  pi: {",
     "m.yaml:38:3: \"pi\" is not a valid name: it is a constant of formulas"},

    // parameters and inputs
    {"20 kN/m", "soft",
     "m.yaml:5:12: found \"soft\", expected a number, with a unit if it has one"},
    {"20 kN/m", "[20]",
     "m.yaml:5:12: found a list, expected a parameter as a map of keys: value, unit, doc, min, "
     "max"},
    {"20 kN/m", "", "m.yaml:5:3: found nothing, expected a number"},
    {"20 kN/m", "2*10 kN/m",
     "m.yaml:5:12: found \"2*10 kN/m\", expected a number, with a unit if it has one"},
    {"20 kN/m", "20 kX/m", "m.yaml:5:15: \"kX\" is not a unit, did you mean \"km\"?"},
    {"20 kN/m", "nan", "m.yaml:5:12: found \"nan\", expected a number, with a unit if it has one"},
    {"20 kN/m", "1e999", "m.yaml:5:12: the number is too large, expected at most 1.79e308"},
    {"value: 1500", "valeu: 1500",
     "m.yaml:6:13: a parameter has no key \"valeu\"; did you mean value?"},
    {"value: 1500 N*s/m, ", "",
     "m.yaml:6:3: a parameter needs the key value (a number, with its unit if it has one)"},
    {"min: 0", "min: 2000", "m.yaml:6:20: c_front is 1500, below its min 2000"},
    {"min: 0", "min: 0 kg", "m.yaml:6:52: the result has the unit kg, expected kg/s (N s/m)"},
    {"unit: N}", "unit: Newton}",
     "m.yaml:8:26: \"Newton\" is not a unit (N, kN/m, N*m*s, deg, km/h, - ...)"},
    {"value: 0, unit: N", "value: 3 m, unit: N",
     "m.yaml:8:17: the result has the unit m, expected kg m/s^2 (N)"},

    // bodies
    {"inboard: cart", "inboard: crat", "m.yaml:18:14: unknown body \"crat\"; did you mean cart?"},
    {"inboard: cart", "inboard: truck",
     "m.yaml:18:14: unknown body \"truck\"; expected one of: ground, cart, arm, wheel"},
    {"inboard: ground", "inboard: wheel",
     "m.yaml:10: the inboard bodies form a loop: cart -> wheel -> arm -> cart; one of them must be "
     "attached to the ground or to a body outside the loop"},
    {"    inboard: cart\n", "    inboard: wheel\n",
     "m.yaml:26: the inboard bodies form a loop: wheel -> arm -> wheel; one of them must be "
     "attached to the ground or to a body outside the loop"},
    {"    inboard: cart\n", "    inboard: arm\n",
     "m.yaml:17: the inboard bodies form a loop: arm -> arm; one of them must be attached to the "
     "ground or to a body outside the loop"},
    {"joint: hinge\n    at", "joint: hing\n    at",
     "m.yaml:19:12: found \"hing\", expected one of free, fixed, hinge, prism, ball, general"},
    {"    joint: hinge\n    at", "    at",
     "m.yaml:17:3: a body needs the key joint (free, fixed, hinge, prism, ball or general), or no "
     "body has one and all joints are under joints"},
    {"    axis: y\n    mass: 5", "    mass: 5",
     "m.yaml:17:3: a hinge needs the key axis (x, y, z, -x, -y, -z or three numbers)"},
    {"axis: y\n    mass: 5", "axis: w\n    mass: 5",
     "m.yaml:21:11: found \"w\", expected one of x, y, z, -x, -y, -z"},
    {"axis: y\n    mass: 5", "axis: [0, 0, 0]\n    mass: 5",
     "m.yaml:21:11: the axis is zero, it must have a direction"},
    {"axis: y\n    mass: 5", "axis: [0, 1]\n    mass: 5",
     "m.yaml:21:11: found a list of 2, expected a list of 3"},
    {"axis: y\n    mass: 5", "axis: [k_front, 1, 0]\n    mass: 5",
     "m.yaml:21:12: found \"k_front\", expected a number, with a unit if it has one"},
    {"mass: 100", "masss: 100", "m.yaml:13:5: a body has no key \"masss\"; did you mean mass?"},
    {"mass: 100", "axis: x",
     "m.yaml:13:5: a body with a free joint has no key axis; it is for hinge, prism"},
    {"stiffness: 30", "angles: zyx",
     "m.yaml:25:5: a body with a hinge joint has no key angles; it is for free"},
    {"mass: 100", "mass: -100", "m.yaml:10: the mass of cart is -100 kg, it must not be negative"},
    {"mass: 100", "mass: 100 m", "m.yaml:13:11: the result has the unit m, expected kg"},
    {"mass: 100", "mass: k_frnt",
     "m.yaml:13:11: unknown name \"k_frnt\"; did you mean \"k_front\"?"},
    {"mass: 100", "mass: k_front",
     "m.yaml:13:11: the result has the unit kg/s^2 (N/m), expected kg"},
    {"mass: 100", "mass: 100 +",
     "m.yaml:13:16: the formula ends, expected a number, a name or \"(\""},
    {"mass: 100", "mass: {a: 1}", "m.yaml:13:11: found a map, expected a number"},
    {"mass: 100", "mass:", "m.yaml:13:5: found nothing, expected a number"},
    {"mass: 100", "mass: cart.vx", "m.yaml:13:11: unknown name \"cart.vx\""},
    {"com: [0.1, 0, 0]", "com: 0.1", "m.yaml:14:10: found \"0.1\", expected a list of 3"},
    {"com: [0.1, 0, 0]", "com: [0.1, 0, 0, 0]",
     "m.yaml:14:10: found a list of 4, expected a list of 3"},
    {"com: [0.1, 0, 0]", "com: [0.1, 0, up]", "m.yaml:14:19: unknown name \"up\""},
    {"[10, 12, 14]", "[10, 12]", "m.yaml:15:14: found a list of 2, expected a list of 3 or 6"},
    {"[10, 12, 14]", "[10, 12, 14, 0]",
     "m.yaml:15:14: found a list of 4, expected a list of 3 or 6"},
    {"[10, 12, 14]", "[10, 12, 30]",
     "m.yaml:10: the inertia of cart is not physical: of its principal values 10, 12 and 30 kg m^2 "
     "the largest is above the sum of the others"},
    {"[10, 12, 14]", "[10, 12, 14, 20, 0, 0]",
     "m.yaml:10: the inertia of cart is not physical: its principal values -9.02498, 14 and 31.025 "
     "kg m^2 must not be negative"},
    {"[10, 12, 14]", "[-1, 12, 14]",
     "m.yaml:10: the inertia of cart is not physical: its principal values -1, 12 and 14 kg m^2 "
     "must not be negative"},
    {"mass: 3\n    inertia: [0.1, 0.2, 0.1]", "mass: 0",
     "m.yaml:26: nothing with mass moves with wheel.angle_rate: give wheel or a body on it mass or "
     "inertia, or remove this freedom"},
    {"mass: 3\n    inertia: [0.1, 0.2, 0.1]", "mass: 3",
     "m.yaml:26: nothing with mass moves with wheel.angle_rate: give wheel or a body on it mass or "
     "inertia, or remove this freedom"},
    {"mass: 5 kg\n    com: [0, 0, -0.5]\n    inertia: [0.4, 0.4, 0.01]\n    stiffness: 30\n  "
     "wheel:\n    inboard: arm\n    joint: hinge\n    axis: y",
     "mass: 0\n  wheel:\n    inboard: arm\n    joint: hinge\n    axis: y",
     "m.yaml:17: nothing with mass moves with arm.angle_rate: give arm or a body on it mass or "
     "inertia, or remove this freedom"},
    {"joint: free", "joint: fixed",
     "m.yaml:16:5: a body with a fixed joint has no key start; it is for free, hinge, prism, ball, "
     "general"},
    {"joint: hinge\n    at: [1, 0, 0]\n    axis: y\n    mass: 5 kg\n    com: [0, 0, -0.5]\n    "
     "inertia: [0.4, 0.4, 0.01]\n    stiffness: 30",
     "joint: free\n    mass: 5",
     "m.yaml:17: arm has a free joint but is attached to cart: a free joint is to the ground"},
    {"joint: hinge\n    at: [1, 0, 0]\n    axis: y\n    mass: 5 kg\n    com: [0, 0, -0.5]\n    "
     "inertia: [0.4, 0.4, 0.01]\n    stiffness: 30",
     "joint: prism\n    axis: z\n    stiffness: 3 N*m",
     "m.yaml:21:16: the result has the unit kg m^2/s^2 (N m), expected kg/s^2 (N/m)"},
    {"[0.1, 0.2, 0.1]", "[0.1, 0.2, 0.15]",
     "m.yaml:26: wheel cannot be axisymmetric about y: Izz = 0.15 and Ixx = 0.1 kg m^2 must be "
     "equal"},
    {"[0.1, 0.2, 0.1]", "[0.2, 0.2, 0.2, 0.01, 0, 0]",
     "m.yaml:26: wheel cannot be axisymmetric about y: its products of inertia must be 0"},
    {"axisymmetric: y", "axisymmetric: x",
     "m.yaml:26: wheel cannot be axisymmetric about x: its joint must be a hinge about x"},
    {"axisymmetric: y", "axisymmetric: y\n    com: [0, 0, 0.1]",
     "m.yaml:26: wheel cannot be axisymmetric about y: its mass centre must be on that axis, with "
     "0 for the other two parts of com"},
    {"axisymmetric: y", "axisymmetric: true",
     "m.yaml:30:19: found \"true\", expected one of x, y, z"},
    {"at: [1, 0, 0]", "at: [1, 0, 0]\n    orientation: [1, 1, 0, 0]",
     "m.yaml:21:18: the quaternion has the length 1.41421356, it must be 1"},
    {"at: [1, 0, 0]", "at: [1, 0, 0]\n    orientation: {sequence: zzx, angles: [0, 0, 0]}",
     "m.yaml:21:29: \"zzx\" is not a sequence of angles; expected three letters x, y, z, "
     "neighbours different, such as zyx or zxz"},
    {"at: [1, 0, 0]", "at: [1, 0, 0]\n    orientation: {sequence: zyx}",
     "m.yaml:21:5: an orientation needs the key angles (three numbers)"},
    {"at: [1, 0, 0]", "at: [1, 0, 0]\n    orientation: {sequence: zyx, angles: [1 m, 0, 0]}",
     "m.yaml:21:43: the result has the unit m, expected a dimensionless number"},
    {"joint: free", "joint: free\n    angles: xyw",
     "m.yaml:13:13: \"xyw\" is not a sequence of angles; expected three letters x, y, z, "
     "neighbours different, such as zyx or zxz"},
    {"joint: free", "joint: free\n    angles: zxz",
     "m.yaml:10: cart starts where its angles zxz are singular: the second angle must not be 0 or "
     "180 deg; choose another sequence or start"},
    {"joint: free\n    mass: 100\n    com: [0.1, 0, 0]\n    inertia: [10, 12, 14]\n    start: {vx: "
     "5}",
     "joint: free\n    mass: 100\n    angles: zyx\n    inertia: [10, 12, 14]\n    start: {ry: -90 "
     "deg}",
     "m.yaml:10: cart starts where its angles zyx are singular: the second angle must not be 90 or "
     "-90 deg; choose another sequence or start"},
    {"joint: free", "joint: free\n    velocity: wheel",
     "m.yaml:13:15: found \"wheel\", expected one of world, body"},
    {"start: {vx: 5}", "start: {speed: 5}",
     "m.yaml:16:13: found \"speed\", expected one of x, y, z, qw, qx, qy, qz, vx, vy, vz, wx, wy, "
     "wz"},
    {"start: {vx: 5}", "start: {qx: 0.1}",
     "m.yaml:10: the start quaternion of cart has the length 1.00498756, it must be 1"},
    {"start: {vx: 5}", "start: {vx: 5 m}", "m.yaml:16:17: the result has the unit m, expected m/s"},
    {"start: {vx: 5}", "start: [5]",
     "m.yaml:16:12: expected a map of start values such as {vx: 0}"},

    // general joints
    {"joint: hinge\n    axis: y\n    axisymmetric: y", "joint: general",
     "m.yaml:31:5: a body with a general joint has no key load; it is for hinge, prism"},
    {WHEEL, "joint: general",
     "m.yaml:26:3: a general joint needs the key free (the coordinates that move: some of tx ty tz "
     "rx ry rz)"},
    {WHEEL, GENERAL "free: tx", "m.yaml:29:11: found \"tx\", expected a list of 1 to 6"},
    {WHEEL, GENERAL "mass: 1\n    inertia: [1, 1, 1]\n    sequence: zxz\n    free: [rz, rx, rz2]",
     "m.yaml:26: wheel starts where its angles zxz are singular: the second angle must not be 0 or "
     "180 deg; choose another sequence or start"},
    {WHEEL, GENERAL "free: [tx, sx]",
     "m.yaml:29:16: found \"sx\", expected one of tx, ty, tz, rx, ry, rz"},
    {WHEEL, GENERAL "free: [tx, tx]", "m.yaml:29:16: tx is listed twice"},
    {WHEEL, GENERAL "free: [tx, rz]\n    held: {tx: 1}",
     "m.yaml:30:12: tx is free and cannot also be held"},
    {WHEEL, GENERAL "free: []\n    mass: 1",
     "m.yaml:26: the general joint of wheel has no free coordinate; use a fixed joint"},
    {WHEEL, GENERAL "free: [tx, rz]\n    held: {ry: 1 m}",
     "m.yaml:30:16: the result has the unit m, expected a dimensionless number"},
    {WHEEL, GENERAL "free: [tx, ty]\n    sequence: zxz\n    held: {ry: 1}",
     "m.yaml:31:12: found \"ry\", expected one of tx, ty, tz, rz, rx, rz2"},

    // the rest
    {"body: cart, at: [1, 0, 0.4]", "body: kart, at: [1, 0, 0.4]",
     "m.yaml:35:15: unknown body \"kart\"; did you mean cart?"},
    {"body: cart, at: [1, 0, 0.4]", "body: cart",
     "m.yaml:35:3: a point needs the key at (in the frame of that body)"},
    {"body: cart, at: [1, 0, 0.4]", "body: cart, at: [1, 0, 4 kg]",
     "m.yaml:35:32: the result has the unit kg, expected m"},
    {"{body: cart, at: [1, 0, 0.4]}", "[1, 0, 0.4]",
     "m.yaml:35:8: found a list, expected a point as a map of keys: body, at"},
    {"from: top", "from: topp", "m.yaml:38:17: unknown point \"topp\"; did you mean top?"},
    {"from: top", "from: bottom",
     "m.yaml:38:17: unknown point \"bottom\"; expected one of: top, low"},
    {"from: top, ", "", "m.yaml:38:3: a spring needs the key from (a point)"},
    {"to: low", "to: top",
     "m.yaml:38: the spring strut connects a point to itself (top and top): it has no direction"},
    {"to: low", "to: low, mass: 3",
     "m.yaml:38:31: a spring has no key \"mass\"; expected one of: from, to, stiffness, damping, "
     "length, "
     "force"},
    {"damping: c_front", "damping: k_front",
     "m.yaml:38:60: the result has the unit kg/s^2 (N/m), expected kg/s (N s/m)"},
    {"length: 0.5", "length: 0.5 s", "m.yaml:38:77: the result has the unit s, expected m"},
    {"in: world", "in: space", "m.yaml:40:53: found \"space\", expected one of world, body"},
    {"point: top", "point: cart",
     "m.yaml:40:17: unknown point \"cart\"; expected one of: top, low"},
    {"[-2*cart.vx, 0, 0]", "[1, 0]", "m.yaml:40:29: found a list of 2, expected a list of 3"},
    {"force: [-2*cart.vx, 0, 0], ", "",
     "m.yaml:40:3: a force needs the key force (three formulas, or one that gives a vector)"},
    {"body: arm, torque", "body: ground, torque",
     "m.yaml:42:17: a torque on the ground has no effect; expected a body"},
    {"torque: [0, 1, 0]", "torque: {x: 1}", "m.yaml:42:30: found a map, expected a list of 3"},
    {"rate: (push - lag)/0.2 s", "rate: ", "m.yaml:44:28: found nothing, expected one value"},
    {", rate: (push - lag)/0.2 s", "",
     "m.yaml:44:3: a state needs the key rate (formula: its time derivative)"},
    {"start: 0, unit: N", "start: 1 m, unit: N",
     "m.yaml:44:16: the result has the unit m, expected kg m/s^2 (N)"},
    {"norm(cart.velocity)", "[a, b]", "m.yaml:46:10: found a list, expected one value"},
    {"  speed: norm(cart.velocity)", "  - speed",
     "m.yaml:46:3: expected a map of variables, each \"name: ...\""},
    {"end: 5 s", "end: -5 s", "m.yaml:47:17: end is -5 s, it must be above 0"},
    {"end: 5 s", "end: 5 m", "m.yaml:47:17: the result has the unit m, expected s"},
    {"end: 5 s", "stop: 5 s", "m.yaml:47:12: simulate has no key \"stop\"; did you mean step?"},
};

static void each_mistake_is_named(void **state)
{
    (void)state;
    static const char good[] = MODEL;
    mb_model model;
    mc_error error = {0};
    assert_int_equal(mechanism_parse(good, strlen(good), "m.yaml", &model, &error), MC_OK);
    mb_model_free(&model);
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        const edit *e = &edits[i];
        const char *place = strstr(good, e->find);
        assert_non_null(place);
        char *text, message[1200];
        assert_true(asprintf(&text, "%.*s%s%s", (int)(place - good), good, e->replace,
                             place + strlen(e->find)) >= 0);
        error = (mc_error){0};
        const mc_status status = mechanism_parse(text, strlen(text), "m.yaml", &model, &error);
        free(text);
        if (status == MC_OK)
            fail_msg("accepted: %s", e->replace);
        assert_string_equal(mc_error_format(&error, message, sizeof message), e->message);
        assert_int_equal(status, MC_BAD_INPUT);
        assert_null(model.graph); // nothing is left
        assert_int_equal(model.body_count, 0);
    }
}

static void a_missing_file_is_named(void **state)
{
    (void)state;
    mb_model model;
    mc_error error = {0};
    assert_int_equal(mechanism_read("/nonexistent/x.yaml", &model, &error), MC_BAD_INPUT);
    assert_string_equal(error.file, "/nonexistent/x.yaml");
    assert_null(model.graph);
}

// Two sliders in a row along z, only the outer one with mass: the inner one's acceleration is not
// determined, though mass moves with it.
static void a_mass_that_two_sliders_share(void **state)
{
    (void)state;
    static const char *const axes[] = {"z", "x"};
    for (int i = 0; i < 2; i++) {
        char text[400];
        mb_model model;
        mc_error error = {0};
        snprintf(text, sizeof text,
                 "motorcade: multibody\nbodies:\n  inner: {joint: prism, axis: z}\n"
                 "  outer: {inboard: inner, joint: prism, axis: %s, mass: 1}\n",
                 axes[i]);
        const mc_status status = mechanism_parse(text, strlen(text), "m.yaml", &model, &error);
        assert_int_equal(status, i == 0 ? MC_BAD_INPUT : MC_OK);
        if (i == 0)
            assert_string_equal(error.text,
                                "nothing with mass moves with inner.travel_rate: give inner or a "
                                "body on it mass or inertia, or remove this freedom");
        else
            mb_model_free(&model);
    }
}

// ---- joints beside the tree ----

#define LOOP                                                                                       \
    "motorcade: multibody\n"                                                                       \
    "gravity: [0, -9.81, 0]\n"                                                                     \
    "bodies:\n"                                                                                    \
    "  crank: {joint: hinge, axis: z, mass: 1, com: [0.5, 0, 0], inertia: [0, 0.1, 0.1]}\n"        \
    "  slider: {joint: prism, axis: x, mass: 1}\n"                                                 \
    "  ball: {joint: ball, mass: 1, com: [0.2, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"                 \
    "points:\n"                                                                                    \
    "  end: {body: crank, at: [1, 0, 0]}\n"                                                        \
    "joints:\n"

static const struct {
    const char *text, *message;
} loops[] = {
    {"  j: {from: end, to: slider}\n",
     "m.yaml:10:3: a joint needs the key joint (the kind: see the list of joints)"},
    {"  j: {joint: hinj, from: end, to: slider}\n",
     "m.yaml:10:14: found \"hinj\", expected one of fixed, hinge, prism, ball, general, cylinder, "
     "universal, constant_velocity, distance, point_on_line, point_in_plane, gear, rack, rolling"},
    {"  j: {joint: ball, to: slider}\n",
     "m.yaml:10:3: a joint needs the key from (a body, a point or ground)"},
    {"  j: {joint: ball, from: end}\n",
     "m.yaml:10:3: a joint needs the key to (a body, a point or ground)"},
    {"  j: {joint: ball, from: end, to: slidr}\n",
     "m.yaml:10:35: unknown body \"slidr\"; did you mean slider?"},
    {"  j: {joint: ball, from: end, at: [0, 0, 0], to: slider}\n",
     "m.yaml:10:35: end is a point and has its place already"},
    {"  j: {joint: ball, from: crank, at: [0, 0], to: slider}\n",
     "m.yaml:10:37: found a list of 2, expected a list of 3"},
    {"  j: {joint: ball, from: crank, at: [0, 0, 1 kg], to: slider}\n",
     "m.yaml:10:44: the result has the unit kg, expected m"},
    {"  j: {joint: ball, from: end, to: crank}\n",
     "m.yaml:10:3: joint j has both sides on crank and holds nothing"},
    {"  j: {joint: ball, from: ground, to: ground}\n",
     "m.yaml:10:3: joint j has both sides on the ground and holds nothing"},
    {"  j: {joint: hinge, from: end, to: slider}\n",
     "m.yaml:10:3: a hinge joint needs the key axis (x, y, z, -x, -y, -z or three numbers)"},
    {"  j: {joint: hinge, from: end, to: slider, axis: w}\n",
     "m.yaml:10:50: found \"w\", expected one of x, y, z, -x, -y, -z"},
    {"  j: {joint: hinge, from: end, to: slider, axis: [0, 0, 0]}\n",
     "m.yaml:10:50: the axis is zero, it must have a direction"},
    {"  j: {joint: ball, from: end, to: slider, axis: z}\n",
     "m.yaml:10:49: a ball joint has no axis"},
    {"  j: {joint: universal, from: end, to: slider, axis: z}\n",
     "m.yaml:10:3: a universal joint needs the key to_axis"},
    {"  j: {joint: distance, from: end, to: slider}\n",
     "m.yaml:10:3: a distance joint needs the key length (of the rod)"},
    {"  j: {joint: distance, from: end, to: slider, length: 1 s}\n",
     "m.yaml:10:55: the result has the unit s, expected m"},
    {"  j: {joint: ball, from: end, to: slider, length: 1}\n",
     "m.yaml:10:51: a ball joint has no length"},
    {"  j: {joint: gear, from: crank, to: ball, ratio: 2}\n",
     "m.yaml:10:3: a gear joins two bodies that each have one coordinate: a hinge or a prism"},
    {"  j: {joint: gear, from: crank, to: slider}\n",
     "m.yaml:10:3: a gear joint needs the key ratio (angle of to per angle of from)"},
    {"  j: {joint: rack, from: crank, to: slider, ratio: 2}\n",
     "m.yaml:10:52: a rack joint has no ratio"},
    {"  j: {joint: ball, from: end, to: slider, free: [tx]}\n",
     "m.yaml:10:49: a ball joint has no free"},
    {"  j: {joint: general, from: end, to: slider}\n",
     "m.yaml:10:3: a general joint needs the key free (the coordinates that move: some of tx ty tz "
     "rx ry rz)"},
    {"  j: {joint: general, from: end, to: slider, free: [tx, tx]}\n",
     "m.yaml:10:57: tx is listed twice"},
    {"  j: {joint: general, from: end, to: slider, free: [tx], held: {tx: 1}}\n",
     "m.yaml:10:65: tx is free and cannot also be held"},
    {"  j: {joint: ball, frm: end, to: slider}\n",
     "m.yaml:10:20: a joint has no key \"frm\"; did you mean from?"},
    {"  crank: {joint: ball, from: end, to: slider}\n",
     "m.yaml:10: the name \"crank\" of this joint is taken by the body on line 4; a name is used "
     "once in a model"},
    {"  j: {joint: ball, from: end, to: slider}\nkeep: crank.angle\n",
     "m.yaml:11:7: expected a list such as [crank.angle]"},
    {"  j: {joint: ball, from: end, to: slider}\nkeep: [crank.angel]\n",
     "m.yaml:11:8: no coordinate or velocity has the name \"crank.angel\"; expected one such as "
     "BODY.angle or BODY.angle_rate"},
    {"  j: {joint: ball, from: end, to: slider}\nloads: crank\n",
     "m.yaml:11:8: expected a list of bodies such as [arm, wheel], or all"},
    {"  j: {joint: ball, from: end, to: slider}\nloads: [crank, crnk]\n",
     "m.yaml:11:16: unknown body \"crnk\"; did you mean crank?"},
    {"  j: {joint: ball, from: end, to: slider}\nloads: [crank, crank]\n",
     "m.yaml:11:16: crank is asked for twice"},
    {"  j: {joint: ball, from: end, to: slider}\nloads: [ground]\n",
     "m.yaml:11:9: the ground hangs on no joint; expected a body"},
    {"  j: {joint: ball, from: end, to: slider}\nloads: [j]\n",
     "m.yaml:11:9: j stands under joints and always gives its loads; expected bodies, for the "
     "joints on which they hang"},
    {"  j: {joint: ball, from: end, to: slider}\nconstraints: {c: {}}\n",
     "m.yaml:11:15: a constraint has either the key position or the key velocity"},
    {"  j: {joint: ball, from: end, to: slider}\nconstraints: {c: {position: 1, velocity: 2}}\n",
     "m.yaml:11:15: a constraint has either the key position or the key velocity"},
    {"  j: {joint: ball, from: end, to: slider}\nconstraints: {c: {postion: 1}}\n",
     "m.yaml:11:19: a constraint has no key \"postion\"; did you mean position?"},
};

static void each_mistake_of_a_joint_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof loops / sizeof loops[0]; i++) {
        char text[2000], message[1200];
        mb_model model;
        mc_error error = {0};
        snprintf(text, sizeof text, "%s%s", LOOP, loops[i].text);
        const mc_status status = mechanism_parse(text, strlen(text), "m.yaml", &model, &error);
        if (status == MC_OK)
            fail_msg("accepted: %s", loops[i].text);
        assert_string_equal(mc_error_format(&error, message, sizeof message), loops[i].message);
        assert_int_equal(status, MC_BAD_INPUT);
    }
}

// ---- what shows when the equations are derived ----

#define DERIVED                                                                                    \
    "motorcade: multibody\n"                                                                       \
    "bodies:\n"                                                                                    \
    "  crank: {joint: hinge, axis: z, mass: 1, com: [0.5, 0, 0], inertia: [0, 0.1, 0.1]}\n"        \
    "  rod: {inboard: crank, joint: hinge, at: [1, 0, 0], axis: z, mass: 3, com: [1, 0, 0],\n"     \
    "    inertia: [0, 1, 1]}\n"                                                                    \
    "  slider: {joint: prism, axis: x, mass: 2, start: {travel: 3}}\n"                             \
    "points:\n"                                                                                    \
    "  end: {body: rod, at: [2, 0, 0]}\n"                                                          \
    "joints:\n"
#define HELD "  j: {joint: point_on_line, from: slider, to: end, axis: z}\n"

static const struct {
    const char *text, *message;
} derived[] = {
    {"  j: {joint: distance, from: end, to: ground, length: 5 m}\n",
     "m.yaml:10: joint j cannot close: it stays open by 2 m at the nearest position found"},
    {"  j: {joint: ball, from: rod, at: [9, 0, 0], to: ground}\n",
     "m.yaml:10: joint j cannot close: it stays open by 10 m at the nearest position found"},
    {"  j: {joint: ball, from: end, to: slider, to_at: [0, 4, 0]}\n",
     "m.yaml:10: joint j cannot close: it stays open by 1.06 m at the nearest position found"},
    {"  j: {joint: distance, from: end, to: slider, length: 1 kg}\n",
     "m.yaml:10:55: the result has the unit kg, expected m"},
    {HELD "constraints: {c: {position: crank.angel}}\n",
     "m.yaml:11:29: unknown name \"crank.angel\"; did you mean \"crank.angle\"?"},
    {HELD "constraints: {c: {position: crank.angle + slider.travel}}\n",
     "m.yaml:11:41: cannot add a dimensionless number and m"},
    {HELD
     "constraints: {c: {position: crank.angle - 10 deg}, d: {position: crank.angle - 20 deg}}\n",
     "m.yaml:11: constraint d cannot close: it stays open by 0.0873 (its own unit) at the nearest "
     "position found"},
    {HELD
     "constraints: {c: {velocity: crank.angle_rate - 1}, d: {velocity: crank.angle_rate - 2}}\n",
     "m.yaml:11: constraint c cannot have the velocities asked for: 0.5 per s is left"},
    {HELD "constraints: {c: {position: slider.travel - 7 m}}\n",
     "m.yaml:10: joint j cannot close: it stays open by 2 m at the nearest position found"},
    {HELD "constraints: {c: {position: t}}\n",
     "m.yaml:11: constraint c holds nothing: its formula does not depend on a coordinate"},
    {HELD "constraints: {c: {velocity: crank.angle_rate^2}}\n",
     "m.yaml:11:29: constraint c: the formula is not linear in the velocities; expected a sum of "
     "velocities, each times a formula of positions"},
    {HELD "constraints: {c: {velocity: slider.travel}}\n",
     "m.yaml:11: constraint c holds nothing: its formula does not depend on a velocity"},
    {HELD "constraints: {c: {position: end.position}}\n",
     "m.yaml:11:29: the result is a vector, expected a scalar"},
    {HELD "constraints: {c: {position: crank.angle, on_when: crank.angle}}\n",
     "m.yaml:11:51: on_when of c is no condition; expected a comparison such as a < b, or several "
     "joined by and, or, not"},
    {HELD "constraints: {c: {position: crank.angle, on_when: crank.angle < 1 m}}\n",
     "m.yaml:11:63: cannot compare a dimensionless number and m"},
    {HELD "constraints: {c: {position: crank.angle, on_when: crnk.angle < 1}}\n",
     "m.yaml:11:51: unknown name \"crnk.angle\"; did you mean \"crank.angle\"?"},
    {HELD "constraints: {c: {position: crank.angle, off_when: d.load < 0}}\n",
     "m.yaml:11:52: unknown name \"d.load\""},
    {HELD "constraints: {c: {position: crank.angle, off_when: c.load < 2 N}}\n",
     "m.yaml:11:59: cannot compare kg m^2/s^2 (N m) and kg m/s^2 (N)"},
    {HELD "constraints: {c: {position: crank.angle, off_when: c.load == 0}}\n",
     "m.yaml:11:52: off_when of c is no condition; expected a comparison such as a < b, or several "
     "joined by and, or, not"},
    {HELD "constraints: {c: {position: crank.angle, of_when: c.load < 0}}\n",
     "m.yaml:11:42: a constraint has no key \"of_when\"; did you mean on_when?"},
    {HELD "constraints: {c: {position: crank.angle, on_when: end.position < 0}}\n",
     "m.yaml:11:51: what is compared is a vector, expected a scalar"},
    {HELD "constraints: {c: {position: crank.angle - c.load}}\n",
     "m.yaml:11:43: unknown name \"c.load\""},
    {"  j: {joint: ball, from: end, to: slider, off_when: j.force_w > 3 N}\n",
     "m.yaml:10:53: unknown name \"j.force_w\""},
    {"  j: {joint: ball, from: end, to: slider, off_when: j.force_x > 3 m}\n",
     "m.yaml:10:63: cannot compare kg m/s^2 (N) and m"},
    {HELD "keep: [crank.angle, rod.angle, slider.travel]\nconstraints: {c: {position: crank.angle "
          "- 0.3}}\n",
     "m.yaml:12: constraint c cannot close: it stays open by 0.3 (its own unit) at the nearest "
     "position found"},
};

static void each_mistake_of_a_constraint_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof derived / sizeof derived[0]; i++) {
        char text[2000], message[1200];
        mc_error error = {0};
        snprintf(text, sizeof text, "%s%s", DERIVED, derived[i].text);
        mc_multibody *m = mc_multibody_parse(text, "m.yaml", NULL, &error);
        if (m)
            fail_msg("accepted: %s", derived[i].text);
        assert_string_equal(mc_error_format(&error, message, sizeof message), derived[i].message);
        assert_int_equal(error.code, MC_BAD_INPUT);
    }
}

// ---- graphs ----

#define TWO                                                                                        \
    "motorcade: multibody\n"                                                                       \
    "bodies:\n"                                                                                    \
    "  u: {mass: 1, com: [0, 0, -1]}\n"                                                            \
    "  v: {mass: 1, com: [0, 0, -1]}\n"                                                            \
    "joints:\n"                                                                                    \
    "  a: {joint: hinge, from: ground, to: u, axis: y}\n"
#define B "  b: {joint: hinge, from: u, at: [0, 0, -1], to: v, axis: y}\n"

static const struct {
    const char *text, *message;
} graphs[] = {
    {TWO,
     "m.yaml:4:3: no joint names body v; give it one under joints, or a position or start if it "
     "is free"},
    {TWO "  b: {joint: hinge, from: u, to: u, axis: y}\n",
     "m.yaml:7:3: joint b has both sides on u and holds nothing"},
    {TWO "  b: {joint: hinge, from: ground, to: ground, axis: y}\n",
     "m.yaml:7:3: joint b has both sides on the ground and holds nothing"},
    {TWO "  b: {joint: hing, from: u, to: v, axis: y}\n",
     "m.yaml:7:14: found \"hing\", expected one of fixed, hinge, prism, ball, general, cylinder, "
     "universal, constant_velocity, distance, point_on_line, point_in_plane, gear, rack, rolling"},
    {TWO "  b: {joint: hinge, from: u, to: w, axis: y}\n",
     "m.yaml:7:34: unknown body \"w\"; expected one of: ground, u, v"},
    {TWO "  b: {joint: ball, from: u, to: v, stiffness: 3}\n",
     "m.yaml:7:36: a ball joint has no stiffness; it is for hinge, prism"},
    {TWO "  b: {joint: hinge, from: u, to: v, axis: y, stiffness: 3 N/m}\n",
     "m.yaml:7:57: the result has the unit kg/s^2 (N/m), expected kg m^2/s^2 (N m)"},
    {TWO "  b: {joint: fixed, from: u, to: v, start: {angle: 1}}\n",
     "m.yaml:7:37: a fixed joint has no start: it has no coordinate"},
    {TWO "  b: {joint: hinge, from: u, to: v, axis: y, start: {travel: 1}}\n",
     "m.yaml:7:54: found \"travel\", expected one of angle, angle_rate"},
    {TWO B "  g: {joint: gear, from: a, to: u, ratio: 2}\n",
     "m.yaml:8:33: unknown hinge or prism \"u\"; expected one of: a, b"},
    {TWO B "cut: b\n", "m.yaml:8:6: expected a list of joints such as [pin]"},
    {TWO B "cut: [c]\n", "m.yaml:8:7: unknown joint \"c\"; expected one of: a, b"},
    {TWO B "cut: [b]\nvariables: {x: b.angle}\n",
     "m.yaml:8:7: joint b cannot be cut: the file uses its coordinate, or gives it a start value, "
     "spring, damper or load"},
    {TWO B "  c: {joint: hinge, from: v, at: [0, 0, -1], to: ground, axis: y}\nvariables: {x: "
           "a.angle + b.angle + c.angle}\n",
     "m.yaml:8:3: joint c closes a loop of joints whose coordinates the file uses, or gives start "
     "values, springs, dampers or loads: at least one joint of a loop must have none of these, so "
     "that it can be cut"},
    {"motorcade: multibody\nbodies:\n  u: {mass: 1, inboard: ground}\njoints: {a: {joint: ball, "
     "from: "
     "ground, to: u}}\n",
     "m.yaml:3:16: a body without a joint has no key inboard: in a graph all joints are under "
     "joints, with what belongs to them"},
    {"motorcade: multibody\nbodies:\n  u: {joint: hinge, axis: y, mass: 1, position: [0, 0, 1]}\n",
     "m.yaml:3:39: a body with a joint has no key position; it is for bodies of a graph, without "
     "the "
     "keys joint and inboard"},
    {"motorcade: multibody\nbodies:\n  u: {joint: hinge, axis: y, mass: 1, com: [1, 0, 0]}\ncut: "
     "[a]\n",
     "m.yaml:4:1: only a graph has the key cut: the bodies of this file have joints of their own"},
    {"motorcade: multibody\nbodies:\n  u: {mass: 1, com: [1, 0, 0], start: {vx: 1}}\njoints: {a: "
     "{joint: "
     "ball, from: ground, to: u}}\n",
     "m.yaml:3:32: u hangs on joint a: give its start values there; only a body that no joint "
     "connects to the ground has its own"},
    {"motorcade: multibody\nbodies:\n  u: {mass: 1, inertia: [1, 1, 1]}\njoints: {a: {joint: "
     "general, from: "
     "u, to: ground, free: [tx, ry]}}\n",
     "m.yaml:4: joint a is general and can only be passed from u to ground; swap the two and its "
     "coordinates, or cut it"},
    {TWO "  u: {joint: hinge, from: u, to: v, axis: y}\n",
     "m.yaml:7: the name \"u\" of this joint is taken by the body on line 3; a name is used once "
     "in "
     "a model"},
};

static void each_mistake_of_a_graph_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof graphs / sizeof graphs[0]; i++) {
        char message[1200];
        mb_model model;
        mc_error error = {0};
        const char *text = graphs[i].text;
        const mc_status status = mechanism_parse(text, strlen(text), "m.yaml", &model, &error);
        if (status == MC_OK)
            fail_msg("accepted: %s", text);
        assert_string_equal(mc_error_format(&error, message, sizeof message), graphs[i].message);
        assert_int_equal(status, MC_BAD_INPUT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mistake_is_named),
        cmocka_unit_test(each_mistake_of_a_joint_is_named),
        cmocka_unit_test(each_mistake_of_a_constraint_is_named),
        cmocka_unit_test(each_mistake_of_a_graph_is_named),
        cmocka_unit_test(a_missing_file_is_named),
        cmocka_unit_test(a_mass_that_two_sliders_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
