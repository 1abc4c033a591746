// read.h - mechanisms from YAML files.
//
//     motorcade: multibody
//     bodies:
//       arm:
//         joint: hinge
//         axis: y
//         mass: 1 kg
//         com: [0, 0, -1]
//
// The keys, their units and what they mean are rows of one table, multibody_keys, from which
// messages and the manual are made. docs/modelling.md explains the whole dialect.
//
// Numbers: a literal that is not zero becomes a parameter named after its place (arm.mass,
// arm.com.z, strut.stiffness, gravity.z); a literal zero is structure; a formula of parameters is
// allowed in its place. Axes, orientations and start values make no parameters. Formulas of motion
// (load, force, torque, rate, variables) are kept as text with their place.
#pragma once

#include "multibody/model.h"

// Maps of the file and the keys they may have.
typedef enum multibody_section {
    MULTIBODY_TOP,
    MULTIBODY_PARAMETER,
    MULTIBODY_INPUT,
    MULTIBODY_BODY,
    MULTIBODY_ORIENTATION,
    MULTIBODY_POINT,
    MULTIBODY_SPRING,
    MULTIBODY_FORCE,
    MULTIBODY_TORQUE,
    MULTIBODY_JOINT,
    MULTIBODY_CONSTRAINT,
    MULTIBODY_STATE,
    MULTIBODY_SIMULATE,
    MULTIBODY_SECTION_COUNT,
} multibody_section;

typedef struct multibody_key {
    multibody_section section;
    const char *name;
    const char *unit; // of the number it takes; "": no number, or any
    const char *doc;
    unsigned joints; // bodies: bit j for joint j that may have it; 0: all
} multibody_key;

const multibody_key *multibody_key_at(int i); // NULL past the last

// What a map of the section is called in messages and in the manual: "a body", "a spring".
const char *multibody_section_name(multibody_section section);

// Reads and checks a model. On failure *out is empty; else mb_model_free frees what is in it.
mc_status mechanism_read(const char *path, mb_model *out, mc_error *error);
mc_status mechanism_parse(const char *bytes, size_t length, const char *name, mb_model *out,
                          mc_error *error);
