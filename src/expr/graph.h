// graph.h - formulas as a graph in which every expression exists once.
//
// A node is an operation on earlier nodes; asking for an expression that is already there gives the
// node that is there (hash-consing), so common subexpressions are shared by construction and
// equality is equality of numbers. Nodes stand in the order they were made: children come first.
//
// The constructors simplify as they build: constants fold, zeros and ones vanish, signs move
// outwards, integer powers become products, sin^2 + cos^2 is 1 and sines and cosines of sums are
// recognized (parallel axes). 0 times x is 0 whatever x is: expressions are taken to be finite. The
// sign of a zero is not kept: x - 1 may be -0 at x = 1.
//
//     expr_graph *g = expr_graph_create();
//     expr_id m = expr_input(g, "mass", EXPR_PARAMETER);
//     expr_id v = expr_input(g, "v", EXPR_VARIABLE);
//     expr_id energy = expr_mul(g, expr_const(g, 0.5), expr_mul(g, m, expr_mul(g, v, v)));
//
// Truth is a number: comparisons give 1 or 0, and what is not 0 is true.
//
// Memory: a graph that cannot grow, or would exceed its limit of nodes, remembers that; from then
// on every constructor gives EXPR_ZERO, and expr_graph_status says what happened. So a long
// derivation needs one check at its end.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t expr_id;
enum { EXPR_ZERO = 0, EXPR_ONE = 1 }; // nodes of every graph
#define EXPR_NONE UINT32_MAX

typedef enum expr_op {
    EXPR_CONST,  // value
    EXPR_INPUT,  // a: index of the input
    EXPR_NEG,    // -a
    EXPR_ADD,    // a + b
    EXPR_SUB,    // a - b
    EXPR_MUL,    // a b
    EXPR_DIV,    // a / b
    EXPR_SQRT,   // rounded correctly
    EXPR_ABS,    // |a|
    EXPR_FLOOR,  // largest integer <= a
    EXPR_MIN,    // a < b ? a : b
    EXPR_MAX,    // a > b ? a : b
    EXPR_LESS,   // a < b
    EXPR_LEQ,    // a <= b
    EXPR_EQUAL,  // a == b
    EXPR_AND,    // a != 0 && b != 0
    EXPR_OR,     // a != 0 || b != 0
    EXPR_NOT,    // a == 0
    EXPR_SELECT, // a != 0 ? b : c; both sides are evaluated
    EXPR_CALL,   // function c of a, or of a and b
    // Made by expr_program only, never nodes of a graph:
    EXPR_FMA,    // a b + c, one rounding
    EXPR_FMS,    // a b - c
    EXPR_FNMA,   // c - a b
    EXPR_SINCOS, // two results
    EXPR_OP_COUNT,
} expr_op;

typedef struct expr_node {
    uint8_t op;      // expr_op
    uint8_t varies;  // depends on a variable, not on parameters and constants alone
    uint16_t spare;  //
    expr_id a, b, c; // children; EXPR_NONE where there is none
    double value;    // of a constant
} expr_node;

// A parameter may change between runs, a variable at every evaluation.
typedef enum expr_class { EXPR_PARAMETER, EXPR_VARIABLE } expr_class;

typedef struct expr_graph expr_graph;

expr_graph *expr_graph_create(void); // NULL: no memory
void expr_graph_destroy(expr_graph *g);

// MC_OK, or MC_NO_MEMORY / MC_FAILED (more nodes than the limit) with a text.
mc_status expr_graph_status(const expr_graph *g, mc_error *error);
void expr_graph_limit(expr_graph *g, uint32_t nodes); // default 16 million

uint32_t expr_node_count(const expr_graph *g);
const expr_node *expr_node_at(const expr_graph *g, expr_id id); // good until the next constructor

// ---- inputs and names ------------------------------------------------------------------------

// Adds an input; the name is copied and need not be unique here. Gives its node.
expr_id expr_input(expr_graph *g, const char *name, expr_class class);
int expr_input_count(const expr_graph *g);
const char *expr_input_name(const expr_graph *g, int input);
expr_class expr_input_class(const expr_graph *g, int input);
expr_id expr_input_node(const expr_graph *g, int input);
int expr_node_input(const expr_graph *g, expr_id id); // index of an input node, -1: other node

// A word for the reader of emitted code; the first one given stays. Constants and inputs take none.
void expr_label(expr_graph *g, expr_id id, const char *label);
const char *expr_label_of(const expr_graph *g, expr_id id); // NULL: none

// ---- constructors ----------------------------------------------------------------------------

expr_id expr_const(expr_graph *g, double value);
bool expr_is_const(const expr_graph *g, expr_id id, double *value); // value may be NULL

expr_id expr_neg(expr_graph *g, expr_id a);
expr_id expr_add(expr_graph *g, expr_id a, expr_id b);
expr_id expr_sub(expr_graph *g, expr_id a, expr_id b);
expr_id expr_mul(expr_graph *g, expr_id a, expr_id b);
expr_id expr_div(expr_graph *g, expr_id a, expr_id b);
expr_id expr_sqrt(expr_graph *g, expr_id a);
expr_id expr_square(expr_graph *g, expr_id a);
expr_id expr_power_int(expr_graph *g, expr_id a, int n); // products; n < 0: one division
expr_id expr_power(expr_graph *g, expr_id a, expr_id b); // whole and half exponents as products
expr_id expr_abs(expr_graph *g, expr_id a);
expr_id expr_floor(expr_graph *g, expr_id a);
expr_id expr_min(expr_graph *g, expr_id a, expr_id b);
expr_id expr_max(expr_graph *g, expr_id a, expr_id b);
expr_id expr_less(expr_graph *g, expr_id a, expr_id b);
expr_id expr_leq(expr_graph *g, expr_id a, expr_id b);
expr_id expr_equal(expr_graph *g, expr_id a, expr_id b);
expr_id expr_and(expr_graph *g, expr_id a, expr_id b);
expr_id expr_or(expr_graph *g, expr_id a, expr_id b);
expr_id expr_not(expr_graph *g, expr_id a);
expr_id expr_select(expr_graph *g, expr_id condition, expr_id yes, expr_id no);
expr_id expr_sin(expr_graph *g, expr_id a);
expr_id expr_cos(expr_graph *g, expr_id a);
// function: row of the table in function.h; b is EXPR_NONE for functions of one argument.
expr_id expr_call(expr_graph *g, int function, expr_id a, expr_id b);

// The node `id` of graph `from` rebuilt in g, with its inputs replaced: input i of `from` becomes
// inputs[i]. memo: expr_node_count(from) entries, EXPR_NONE where not yet copied.
expr_id expr_copy(expr_graph *g, const expr_graph *from, expr_id id, const expr_id *inputs,
                  expr_id *memo);
