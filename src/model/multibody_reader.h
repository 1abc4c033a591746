// multibody_reader.h - what the files of the mechanism reader share: multibody_values.c takes
// single values from nodes, multibody_bodies.c bodies, multibody_yaml.c the rest.
//
// The first failure is kept as base.status; later calls do no harm and need no check.
#pragma once

#include "model/multibody_yaml.h"
#include "model/reader.h"

enum { PLACE_SIZE = 96 };

typedef struct multibody_later { // a number known when all parameters are
    expr_id node;
    double *target;
} multibody_later;

typedef struct multibody_reader {
    reader base;
    mb_model *model;
    expr_unit *units; // of the parameters
    int parameter_room, later_count, later_room;
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

// Three different-neighbour axes such as zyx; false and a refusal when it is none.
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

// Index of a body by name, -1: ground; refuses an unknown one with the nearest.
int multibody_body_index(multibody_reader *r, const yaml_node *node);

void multibody_bodies(multibody_reader *r, const yaml_node *bodies);
