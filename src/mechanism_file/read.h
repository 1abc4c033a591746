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
// messages, the JSON Schema and the manual are made. docs/modelling.md explains the whole dialect.
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
    MULTIBODY_SHAPE,
    MULTIBODY_POINT,
    MULTIBODY_SPRING,
    MULTIBODY_FORCE,
    MULTIBODY_TORQUE,
    MULTIBODY_JOINT,
    MULTIBODY_CONSTRAINT,
    MULTIBODY_STATE,
    MULTIBODY_WHEEL,
    MULTIBODY_CONTACT,
    MULTIBODY_LIMIT,
    MULTIBODY_MOTOR,
    MULTIBODY_SIMULATE,
    MULTIBODY_SECTION_COUNT,
} multibody_section;

// How the value of a key is written.
enum {
    VALUE_NUMBER,         // a number, with its unit if it has one, or a formula
    VALUE_TEXT,           // a word or text
    VALUE_KIND,           // one of multibody_kind_words
    VALUE_TREE_JOINT,     // one of mb_joint_names
    VALUE_JOINT,          // a kind of joint beside the tree
    VALUE_FRAME,          // one of multibody_frame_words
    VALUE_XYZ,            // x, y or z
    VALUE_AXIS,           // one of multibody_axis_words, or three numbers
    VALUE_VECTOR,         // three numbers
    VALUE_INERTIA,        // three to six numbers
    VALUE_VECTOR_FORMULA, // three numbers, or one formula
    VALUE_ORIENTATION,    // a quaternion, or a map
    VALUE_NAMES,          // a list of words
    VALUE_NAMES_OR_ALL,   // the same, or one of multibody_all_words
    VALUE_VALUES,         // a map from names to numbers
    VALUE_FORMULAS,       // a map from names of the user to formulas
    VALUE_SIMULATE,       // a map
    VALUE_SHAPES,         // a map of the section shape, or a list of them
    VALUE_SHAPE_KIND,     // one of mb_shape_names
    VALUE_FINISH,         // one of mb_finish_names
    VALUE_PLACES,         // a list of vectors
    VALUE_TRIANGLES,      // a list of three numbers of points each
    VALUE_PAIR,           // a list of two words
    VALUE_PLANES,         // 1 .. 5
    VALUE_COUNT,          // a whole number above 0
    VALUE_ENGINE,         // one of multibody_engine_words
    VALUE_FROM,           // one of multibody_from_words
    VALUE_TERRAIN,        // a map of terrain_file
    VALUE_FRICTION,       // one of multibody_friction_words
    VALUE_SOLVER,         // one of multibody_solver_words
    VALUE_EACH,           // + s: a map from names of the user to maps of section s
};
extern const char *const multibody_kind_words[1];
extern const char *const multibody_all_words[1];
extern const char *const multibody_engine_words[2];
extern const char *const multibody_friction_words[2];
extern const char *const multibody_solver_words[2];
extern const char *const multibody_from_words[2];
extern const char *const multibody_frame_words[2], *const multibody_axis_words[6];

// Among the joints of multibody_key: bodies of a graph, which have none.
enum { MULTIBODY_GRAPH = MB_JOINT_COUNT };

typedef struct multibody_key {
    multibody_section section;
    const char *name;
    const char *unit; // of the number it takes; "": no number, or any
    const char *doc;
    unsigned joints; // bodies: bit j for joint j that may have it, shapes: bit k for kind k; 0: all
    int value;       // how it is written
    bool needed;
} multibody_key;

const multibody_key *multibody_key_at(int i); // NULL past the last

// What a map of the section is called in messages and in the manual: "a body", "a spring".
const char *multibody_section_name(multibody_section section);

// Which joints of a graph are in the tree, by edge of the model; which free bodies their trees hang
// on, by body.
typedef struct mechanism_tree {
    bool *in_tree, *root;
} mechanism_tree;

// As mechanism_parse, with the tree of a graph; NULL: a first guess. MC_BAD_INPUT with line 0: no
// such tree.
mc_status mechanism_parse_tree(const char *bytes, size_t length, const char *name,
                               const mechanism_tree *tree, mb_model *out, mc_error *error);

// Reads and checks a model. On failure *out is empty; else mb_model_free frees what is in it.
mc_status mechanism_read(const char *path, mb_model *out, mc_error *error);
mc_status mechanism_parse(const char *bytes, size_t length, const char *name, mb_model *out,
                          mc_error *error);
