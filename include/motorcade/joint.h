// joint.h - the contract between a mechanism and a kind of joint, and how to add a kind of your
// own.
//
// A joint holds two frames, one on the body `from`, one on the body `to`. A kind says what it holds
// by rows, each a number that must stay zero. With d from the origin on `from` to that on `to`, p
// and u fixed on `from`, s on `to`:
//
//     point        d = 0: three rows
//     slide        u . d = value
//     direction    p . s = value
//     directions   p1 . s1 = p2 . s2
//     distance     |d| = length
//
// The mechanism derives everything else from them: velocities, accelerations, loads, code.
//
//     static const mc_joint_kind planar = {         // rows: a function that calls those below
//         .size = sizeof(mc_joint_kind), .name = "planar", .doc = "slides and turns on a plane",
//         .rows = rows, .axes = 1,
//     };
//     mc_joint_register(&planar, &error);           // then mechanism files may say  joint: planar
//
// A kind from outside closes loops: it stands under `joints` of a mechanism file. It cannot be the
// joint of a body, nor be chosen for the tree of a graph: there a joint is a sequence of links with
// coordinates of its own, and the recursion over links is a part of the library.
//
// Threads: rows is called by several threads at once, each with another mc_joint.
// mc_joint_register may be called by any thread; files that are read afterwards know the kind.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "motorcade/begin.h"

typedef struct mc_joint mc_joint; // a joint of a mechanism on its way to rows

// A number that the joint needs; a key of it in the file. Its value is a formula of parameters.
typedef struct mc_joint_value {
    const char *key;
    const char *unit; // "m", "rad"; "": none
    const char *doc;
    bool needed; // else 0 when it is not given
} mc_joint_value;

// What is left free, for the joint's own coordinates (`derive --matrices`).
typedef enum mc_joint_turns {
    MC_JOINT_TURNS_FREELY, // as a ball
    MC_JOINT_TURNS_NOT,
    MC_JOINT_TURNS_ABOUT_AXIS,
    MC_JOINT_TURNS_AS_CROSS, // axis of `from` and to_axis of `to`, perpendicular
    MC_JOINT_TURNS_GENERAL,  // of the library's own
} mc_joint_turns;

typedef enum mc_joint_slides {
    MC_JOINT_SLIDES_NOT,
    MC_JOINT_SLIDES_ALONG_AXIS,
    MC_JOINT_SLIDES_ACROSS_AXIS,
    MC_JOINT_SLIDES_FREELY, // what holds it holds no travel by itself
} mc_joint_slides;

enum { MC_JOINT_VALUE_MAX = 4 };

typedef struct mc_joint_kind {
    // ---- required ----
    size_t size;      // sizeof(mc_joint_kind); of the library's own kinds 0
    const char *name; // the word used in a mechanism file: small letters, digits, "_"
    const char *doc;  // one line for the manual
    // Adds the rows of one joint, always the same ones in the same order. Called several times for
    // a joint.
    void (*rows)(mc_joint *joint);

    // ---- optional ----
    int axes; // 0: none, 1: axis, which to_axis has too unless it is given, 2: both needed
    mc_joint_value value[MC_JOINT_VALUE_MAX]; // key NULL: no more
    mc_joint_turns turns;
    mc_joint_slides slides;
} mc_joint_kind;

// Adds a kind, which must live as long as the program. MC_BAD_INPUT: it breaks a rule above, or its
// name is taken.
mc_status mc_joint_register(const mc_joint_kind *kind, mc_error *error);

// Kind number `index`: those of the library in the order of the manual, then those that were added.
// NULL past the last.
const mc_joint_kind *mc_joint_kind_at(int index);

// ---- what rows() finds -------------------------------------------------------------------------

typedef enum mc_joint_side { MC_JOINT_FROM, MC_JOINT_TO } mc_joint_side;

typedef struct mc_joint_vector { // constant, on a frame of the joint
    mc_joint_side side;
    double part[3]; // in the axes of the joint on that side
} mc_joint_vector;

// Unit vector along `axis` or `to_axis` of the file.
mc_joint_vector mc_joint_axis(const mc_joint *joint, mc_joint_side side);
// Two unit vectors perpendicular to a unit vector and to each other.
void mc_joint_across(mc_joint_vector n, mc_joint_vector across[2]);

typedef struct mc_joint_formula { // a number in the equations
    uint32_t node;
} mc_joint_formula;

mc_joint_formula mc_joint_number(mc_joint *joint, double value);
mc_joint_formula mc_joint_value_at(mc_joint *joint, int k); // of value[k] of the kind
mc_joint_formula mc_joint_sum(mc_joint *joint, mc_joint_formula a, mc_joint_formula b);
mc_joint_formula mc_joint_product(mc_joint *joint, mc_joint_formula a, mc_joint_formula b);
mc_joint_formula mc_joint_cosine(mc_joint *joint, mc_joint_formula angle);

// ---- rows --------------------------------------------------------------------------------------

// A vector on the wrong side is reported with the joint's line when the mechanism is derived.
void mc_joint_point(mc_joint *joint);
void mc_joint_slide(mc_joint *joint, mc_joint_vector u, mc_joint_formula value);
void mc_joint_direction(mc_joint *joint, mc_joint_vector p, mc_joint_vector s,
                        mc_joint_formula value);
void mc_joint_directions(mc_joint *joint, mc_joint_vector p1, mc_joint_vector s1,
                         mc_joint_vector p2, mc_joint_vector s2);
void mc_joint_distance(mc_joint *joint, mc_joint_formula length);

#include "motorcade/end.h"
