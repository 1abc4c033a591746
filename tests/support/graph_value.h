// graph_value.h - the value of a node of a graph, by the plainest means: a walk over its nodes with
// libm. An oracle for everything that reads, differentiates, runs or prints graphs.
#pragma once

#include "expr/graph.h"

__extension__ typedef __float128 quad;

// inputs: one value for each input of the graph. Work memory is allocated; aborts when there is
// none.
double graph_value(const expr_graph *g, expr_id id, const double *inputs);

// The same with 113 bits: constants of the graph are taken as they are, everything else is good to
// about 1e-33.
quad graph_value_quad(const expr_graph *g, expr_id id, const quad *inputs);

// Of all nodes at once: expr_node_count values. Much faster when many nodes are needed.
void graph_values_quad(const expr_graph *g, const quad *inputs, quad *value);
