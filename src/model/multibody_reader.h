// multibody_reader.h - what the files of the mechanism reader share: multibody_values.c takes
// single values from nodes, multibody_bodies.c bodies, multibody_yaml.c the rest.
//
// The first failure is kept as reader.status; later calls do no harm and need no check.
#pragma once

#include "io/yaml.h"
#include "model/multibody_yaml.h"

enum { PLACE_SIZE = 96 };

typedef struct multibody_later { // a number known when all parameters are
    expr_id node;
    double *target;
} multibody_later;

typedef struct multibody_reader {
    mb_model *model;
    mc_error *error;
    mc_status status;
    expr_unit *units; // of the parameters
    int parameter_room, later_count, later_room;
    multibody_later *later;
    arena scratch;
} multibody_reader;

// Refuses something at the place of a node.
void reader_refuse(multibody_reader *r, const yaml_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void reader_no_memory(multibody_reader *r);

// Zeroed memory that lives as long as the model.
void *reader_alloc(multibody_reader *r, int count, size_t size);

// Checks that node is a map and has only keys of the section, for this joint (-1: no body).
bool reader_check_keys(multibody_reader *r, const yaml_node *map, multibody_section section,
                       int joint);

// The value of a key; NULL when it is not there.
const yaml_node *reader_get(multibody_reader *r, const yaml_node *map, const char *key);
const yaml_node *reader_need(multibody_reader *r, const yaml_node *map, const char *key,
                             multibody_section section);
expr_unit reader_unit(multibody_section section, const char *key, int joint);

// A list of least .. most elements.
bool reader_is_list(multibody_reader *r, const yaml_node *node, int least, int most);
const char *reader_text(multibody_reader *r,
                        const yaml_node *node);                     // a word or text; "" on failure
const char *reader_name(multibody_reader *r, const yaml_node *key); // checked name of something

// Index of a word in a list, -1 and a refusal with the list when it is not there.
int reader_choice(multibody_reader *r, const yaml_node *node, const char *const *words, int count);

// Three different-neighbour axes such as zyx; false and a refusal when it is none.
bool reader_sequence(multibody_reader *r, const yaml_node *node, int sequence[3]);

// How a literal number that is not zero is kept.
typedef enum literal { LITERAL_PARAMETER, LITERAL_CONSTANT } literal;

// A number or a formula of parameters. place: name of the parameter a literal becomes.
expr_id reader_number(multibody_reader *r, const yaml_node *node, expr_unit unit, literal kind,
                      const char *unit_text, const char *place);
double reader_literal(multibody_reader *r, const yaml_node *node, expr_unit unit);

// *target gets the value of a number or formula when the whole file is read.
void reader_value_later(multibody_reader *r, const yaml_node *node, expr_unit unit, double *target);

// A new parameter; its node.
expr_id reader_parameter(multibody_reader *r, const char *name, double value, expr_unit unit,
                         const char *unit_text, const char *doc, int line);

mb_formula reader_formula(multibody_reader *r, const yaml_node *node);
mb_vector_formula reader_vector_formula(multibody_reader *r, const yaml_node *node);

// "there is no point "topp"; did you mean top?"
void reader_unknown(multibody_reader *r, const yaml_node *node, const char *what,
                    const char *const *names, int count);

// Index of a body by name, -1: ground; refuses an unknown one with the nearest.
int reader_body_index(multibody_reader *r, const yaml_node *node);

void reader_bodies(multibody_reader *r, const yaml_node *bodies);
