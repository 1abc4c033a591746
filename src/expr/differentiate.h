// differentiate.h - derivatives of graphs, by dependency lists.
//
// Every derivative is again a node of the same graph, simplified and shared like all others. Only
// nodes that depend on a seeded input are visited (the paper's lists Theta and Omega): a derivative
// that vanishes costs nothing and is EXPR_ZERO.
//
// abs, min, max, floor and selects are differentiated side by side; at the kink the derivative is
// that of the side the value is taken from.
#pragma once

#include "expr/graph.h"

// Derivative along a direction: input i moves at the rate seed[i] (EXPR_ZERO: it stands still).
// One object serves many nodes: what was differentiated once is kept.
typedef struct expr_direction expr_direction;

// seed: expr_input_count(g) nodes, copied. NULL: no memory.
expr_direction *expr_direction_create(expr_graph *g, const expr_id *seed);
void expr_direction_destroy(expr_direction *d);
expr_id expr_along(expr_direction *d, expr_id id);

// Sparse Jacobian of m outputs by n inputs: entry (i, j) at out[i * n + j], EXPR_ZERO where none.
mc_status expr_jacobian(expr_graph *g, const expr_id *outputs, int output_count, const int *inputs,
                        int input_count, expr_id *out, mc_error *error);
