// reader.h - what the files of the mechanism reader share: read_values.c takes single values from
// nodes, read_bodies.c bodies, read.c the rest.
//
// The first failure is kept as base.status; later calls do no harm and need no check.
#pragma once

#include "mechanism_file/read.h"
#include "reader/reader.h"

enum { PLACE_SIZE = 96 };

typedef struct multibody_later { // a number known when all parameters are
    expr_id node;
    double *target;
} multibody_later;

struct multibody_graph;

typedef struct multibody_reader {
    reader base;
    struct multibody_graph *graph; // NULL: the file gives a tree
    const mechanism_tree *tree;    // of a graph; NULL: a first guess
    mb_model *model;
    expr_unit *units; // of the parameters
    int parameter_room, later_count, later_room, switch_count;
    multibody_later *later;
    arena scratch;
} multibody_reader;

// Checks that node is a map and has only keys of the section, for this joint (-1: no body).
bool multibody_check_keys(multibody_reader *r, const yaml_node *map, multibody_section section,
                          int joint);

const yaml_node *multibody_need(multibody_reader *r, const yaml_node *map, const char *key,
                                multibody_section section);
expr_unit multibody_unit(multibody_section section, const char *key, int joint);

const char *multibody_name(multibody_reader *r, const yaml_node *key); // checked name of something

// Three axes, neighbours different, such as zyx; false and an error otherwise.
bool multibody_sequence(multibody_reader *r, const yaml_node *node, int sequence[3]);

// How a literal number that is not zero is kept.
typedef enum literal { LITERAL_PARAMETER, LITERAL_CONSTANT } literal;

// A number or a formula of parameters. place: name of the parameter a literal becomes.
expr_id multibody_number(multibody_reader *r, const yaml_node *node, expr_unit unit, literal kind,
                         const char *unit_text, const char *place);

// *target gets the value of a number or formula when the whole file is read.
void multibody_value_later(multibody_reader *r, const yaml_node *node, expr_unit unit,
                           double *target);

// A new parameter; its node.
expr_id multibody_parameter(multibody_reader *r, const char *name, double value, expr_unit unit,
                            const char *unit_text, const char *doc, int line);

mb_formula multibody_formula(multibody_reader *r, const yaml_node *node);
mb_vector_formula multibody_vector_formula(multibody_reader *r, const yaml_node *node);

// Index of a body by name, -1: ground; rejects an unknown one with the nearest name.
int multibody_body_index(multibody_reader *r, const yaml_node *node);

// A direction: x, -z and so on, or three numbers; made unit.
void multibody_axis(multibody_reader *r, const yaml_node *node, double axis[3]);
// An orientation, as of the key `orientation`: rows of the matrix.
void multibody_orientation(multibody_reader *r, const yaml_node *node, expr_id turn[9]);
// Keys free, sequence and held of a map, for something called name.
void multibody_general(multibody_reader *r, const yaml_node *map, const char *name, int sequence[3],
                       bool free[6], expr_id held[6]);

void multibody_bodies(multibody_reader *r, const yaml_node *root, const yaml_node *bodies);

void multibody_start(multibody_reader *r, const yaml_node *map, mb_body *body);

// read_shapes.c: the key shape of every body, when the rest is read.
void multibody_shapes(multibody_reader *r, const yaml_node *root);
// read_ground.c
void multibody_wheel(multibody_reader *r, const yaml_node *node, mb_wheel *out);
void multibody_contact(multibody_reader *r, const yaml_node *node, mb_contact *out);
// When shapes are read: what every pair of bodies that touch needs.
void multibody_contacts_check(multibody_reader *r, const yaml_node *root);
void multibody_terrain(multibody_reader *r, const yaml_node *root);
void multibody_limit(multibody_reader *r, const yaml_node *node, mb_limit *out);
void multibody_motor(multibody_reader *r, const yaml_node *node, mb_motor *out);
void multibody_stepping(multibody_reader *r, const yaml_node *map, mb_stepping *out);

// read_joints.c
// Keys on_when and off_when of a map.
void multibody_switch(multibody_reader *r, const yaml_node *map, mb_switch *out);
void multibody_joints(multibody_reader *r, const yaml_node *root);
// A joint with its two sides; on a body of a graph too.
void multibody_joint(multibody_reader *r, const yaml_node *map, mb_closing *out);

// ---- graph.c: all joints under `joints`, none at the bodies ----

typedef struct multibody_graph_body {
    bool placed, turned; // has the key position, orientation
    double at[3];
    expr_id turn[9];
    const yaml_node *start;
} multibody_graph_body;

typedef struct multibody_graph_joint {
    mb_closing closing;
    const yaml_node *map;
    expr_id stiffness, damping, rest;
    mb_formula load;
    int joined[2]; // gear, rack: the joints whose coordinates they hold
} multibody_graph_joint;

typedef struct multibody_graph {
    multibody_graph_body *bodies;
    multibody_graph_joint *joints;
    int joint_count;
    bool *start_given; // by body: the file has a start value of its coordinates
} multibody_graph;

// Whether the file is a graph; then the reader has room for it.
void multibody_graph_begin(multibody_reader *r, const yaml_node *root);
void multibody_graph_body_read(multibody_reader *r, const yaml_node *map, int index);
// Reads the joints and chooses the tree.
void multibody_graph_joints(multibody_reader *r, const yaml_node *root);
// Start values from where the bodies are. value: of every node.
void multibody_graph_start(multibody_reader *r, const double *value);
void multibody_keep(multibody_reader *r, const yaml_node *root);
void multibody_loads(multibody_reader *r, const yaml_node *root);
