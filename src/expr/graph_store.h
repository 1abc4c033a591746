// graph_store.h - inside of a graph, for graph.c and simplify.c only.
#pragma once

#include "base/arena.h"
#include "expr/graph.h"

typedef struct expr_input_row {
    const char *name;
    expr_class class;
    expr_id node;
} expr_input_row;

struct expr_graph {
    expr_node *nodes;
    const char **labels; // one a node, NULL: none
    uint32_t count, capacity, limit;
    uint32_t *slots; // open addressing; EXPR_NONE: empty
    uint32_t slot_mask;
    expr_input_row *inputs;
    int input_count, input_capacity;
    arena text;
    mc_status status;
};

// The node, created if missing. Fields that do not apply must be EXPR_NONE and 0.
expr_id expr_store(expr_graph *g, expr_node node);
