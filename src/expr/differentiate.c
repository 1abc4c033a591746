// differentiate.c - forward derivatives with memory, and sparse Jacobians.
#include "expr/differentiate.h"

#include "base/assert.h"
#include "expr/function.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

struct expr_direction {
    expr_graph *graph;
    expr_id *seed;
    int seed_count;
    expr_id *rate;         // of each node; EXPR_NONE: not taken yet
    unsigned char *needed; // marks of one call
    uint32_t capacity;     // of both
};

expr_direction *expr_direction_create(expr_graph *g, const expr_id *seed)
{
    const int count = expr_input_count(g);
    expr_direction *d = calloc(1, sizeof *d);
    expr_id *copy = malloc(((size_t)count + 1) * sizeof *copy);
    if (!d || !copy) {
        free(d);
        free(copy);
        return NULL;
    }
    if (count)
        memcpy(copy, seed, (size_t)count * sizeof *copy);
    *d = (expr_direction){.graph = g, .seed = copy, .seed_count = count};
    return d;
}

void expr_direction_destroy(expr_direction *d)
{
    if (!d)
        return;
    free(d->seed);
    free(d->rate);
    free(d->needed);
    free(d);
}

static bool reserve(expr_direction *d, uint32_t count)
{
    if (count <= d->capacity)
        return true;
    const uint32_t capacity = count + count / 2;
    expr_id *rate = realloc(d->rate, capacity * sizeof *rate);
    if (rate)
        d->rate = rate;
    unsigned char *needed = realloc(d->needed, capacity);
    if (needed)
        d->needed = needed;
    if (!rate || !needed)
        return false;
    memset(rate + d->capacity, 0xff, (capacity - d->capacity) * sizeof *rate);
    memset(needed + d->capacity, 0, capacity - d->capacity);
    d->capacity = capacity;
    return true;
}

// Rate of node `id` when its children move at da, db, dc.
static expr_id rate_of(expr_graph *g, expr_id id, expr_id da, expr_id db, expr_id dc)
{
    const expr_node n = *expr_node_at(g, id);
    switch ((expr_op)n.op) {
    case EXPR_NEG:
        return expr_neg(g, da);
    case EXPR_ADD:
        return expr_add(g, da, db);
    case EXPR_SUB:
        return expr_sub(g, da, db);
    case EXPR_MUL:
        if (n.a == n.b)
            return expr_mul(g, expr_mul(g, expr_const(g, 2.0), n.a), da);
        return expr_add(g, expr_mul(g, da, n.b), expr_mul(g, n.a, db));
    case EXPR_DIV: // (da - (a/b) db) / b
        return expr_div(g, expr_sub(g, da, expr_mul(g, id, db)), n.b);
    case EXPR_SQRT: // finite at 0: sqrt(max(x, 0)) has a slope where the clamp is closed
        return expr_div(g, expr_mul(g, expr_const(g, 0.5), da),
                        expr_max(g, id, expr_const(g, DBL_MIN)));
    case EXPR_ABS:
        return expr_select(g, expr_less(g, n.a, EXPR_ZERO), expr_neg(g, da), da);
    case EXPR_MIN:
        return expr_select(g, expr_less(g, n.a, n.b), da, db);
    case EXPR_MAX:
        return expr_select(g, expr_less(g, n.b, n.a), da, db);
    case EXPR_SELECT:
        return expr_select(g, n.a, db, dc);
    case EXPR_CALL: {
        const expr_function_row *row = expr_function_at((int)n.c);
        expr_id sum = EXPR_ZERO;
        if (da != EXPR_ZERO)
            sum = expr_mul(g, row->derivative(g, id, n.a, n.b, 0), da);
        if (row->arity == 2 && db != EXPR_ZERO)
            sum = expr_add(g, sum, expr_mul(g, row->derivative(g, id, n.a, n.b, 1), db));
        return sum;
    }
    default: // floor and truths: flat between their jumps
        return EXPR_ZERO;
    }
}

static expr_id rate_at(const expr_direction *d, expr_id id)
{
    return id == EXPR_NONE ? EXPR_ZERO : d->rate[id];
}

expr_id expr_along(expr_direction *d, expr_id id)
{
    expr_graph *g = d->graph;
    if (!reserve(d, expr_node_count(g)))
        return EXPR_NONE;
    if (d->rate[id] != EXPR_NONE)
        return d->rate[id];
    // Mark what is needed and not known, from the node down to the inputs.
    d->needed[id] = 1;
    expr_id lowest = id;
    for (expr_id i = id + 1; i-- > lowest;) {
        if (!d->needed[i])
            continue;
        const expr_node *n = expr_node_at(g, i);
        if (n->op <= EXPR_INPUT)
            continue;
        const expr_id child[3] = {n->a, n->b, n->op == EXPR_SELECT ? n->c : EXPR_NONE};
        for (int k = 0; k < 3; k++)
            if (child[k] != EXPR_NONE && d->rate[child[k]] == EXPR_NONE) {
                d->needed[child[k]] = 1;
                lowest = child[k] < lowest ? child[k] : lowest;
            }
    }
    for (expr_id i = lowest; i <= id; i++) {
        if (!d->needed[i])
            continue;
        d->needed[i] = 0;
        const expr_node n = *expr_node_at(g, i);
        if (n.op == EXPR_CONST) {
            d->rate[i] = EXPR_ZERO;
            continue;
        }
        if (n.op == EXPR_INPUT) {
            d->rate[i] = (int)n.a < d->seed_count ? d->seed[n.a] : EXPR_ZERO;
            continue;
        }
        const expr_id da = rate_at(d, n.a), db = rate_at(d, n.b);
        const expr_id dc = n.op == EXPR_SELECT ? rate_at(d, n.c) : EXPR_ZERO;
        d->rate[i] = da == EXPR_ZERO && db == EXPR_ZERO && dc == EXPR_ZERO
                         ? EXPR_ZERO
                         : rate_of(g, i, da, db, dc);
    }
    return d->rate[id];
}

mc_status expr_jacobian(expr_graph *g, const expr_id *outputs, int output_count, const int *inputs,
                        int input_count, expr_id *out, mc_error *error)
{
    const int all = expr_input_count(g);
    expr_id *seed = calloc((size_t)all + 1, sizeof *seed); // EXPR_ZERO
    if (!seed)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a Jacobian");
    for (int j = 0; j < input_count; j++) {
        seed[inputs[j]] = EXPR_ONE;
        expr_direction *d = expr_direction_create(g, seed);
        seed[inputs[j]] = EXPR_ZERO;
        if (!d) {
            free(seed);
            return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a Jacobian");
        }
        for (int i = 0; i < output_count; i++)
            out[i * input_count + j] = expr_along(d, outputs[i]);
        expr_direction_destroy(d);
    }
    free(seed);
    for (int k = 0; k < output_count * input_count; k++)
        if (out[k] == EXPR_NONE)
            return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a Jacobian");
    return expr_graph_status(g, error);
}
