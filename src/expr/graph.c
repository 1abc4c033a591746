// graph.c - the store of nodes: each expression once. simplify.c has the constructors.
#include "expr/graph.h"

#include "base/arena.h"
#include "base/assert.h"
#include "expr/graph_store.h"

#include <stdlib.h>
#include <string.h>

enum { NODE_LIMIT = 16 << 20, FIRST_CAPACITY = 1024 };

expr_graph *expr_graph_create(void)
{
    expr_graph *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->limit = NODE_LIMIT;
    expr_const(g, 0.0);
    expr_const(g, 1.0);
    if (g->status != MC_OK) {
        expr_graph_destroy(g);
        return NULL;
    }
    return g;
}

void expr_graph_destroy(expr_graph *g)
{
    if (!g)
        return;
    free(g->nodes);
    free(g->labels);
    free(g->slots);
    free(g->inputs);
    arena_free(&g->text);
    free(g);
}

mc_status expr_graph_status(const expr_graph *g, mc_error *error)
{
    if (g->status == MC_NO_MEMORY)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the equations");
    if (g->status != MC_OK)
        return mc_error_set(error, g->status, NULL, 0, 0,
                            "the equations have more than %u terms; this model is too large for "
                            "this form",
                            g->limit);
    return MC_OK;
}

void expr_graph_limit(expr_graph *g, uint32_t nodes)
{
    g->limit = nodes;
}

uint32_t expr_node_count(const expr_graph *g)
{
    return g->count;
}

const expr_node *expr_node_at(const expr_graph *g, expr_id id)
{
    mc_assert(id < g->count);
    return &g->nodes[id];
}

// ---- the hash table --------------------------------------------------------------------------

static uint64_t hash_node(const expr_node *n)
{
    uint64_t bits;
    memcpy(&bits, &n->value, sizeof bits);
    uint64_t h = n->op;
    // The number first: short ones differ in their upper bits only, which need a second round to
    // reach the lower ones that the table goes by.
    const uint64_t words[4] = {bits, n->a, n->b, n->c};
    for (int k = 0; k < 4; k++) {
        h = (h ^ words[k]) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return h;
}

static bool same_node(const expr_node *x, const expr_node *y)
{
    return x->op == y->op && x->a == y->a && x->b == y->b && x->c == y->c &&
           memcmp(&x->value, &y->value, sizeof x->value) == 0;
}

static void fail(expr_graph *g, mc_status status)
{
    if (g->status == MC_OK)
        g->status = status;
}

// Room for one more node, and a table at most half full.
static bool grow(expr_graph *g)
{
    if (g->count >= g->limit) {
        fail(g, MC_FAILED);
        return false;
    }
    if (g->count < g->capacity)
        return true;
    const uint32_t capacity = g->capacity ? 2 * g->capacity : FIRST_CAPACITY;
    expr_node *nodes = realloc(g->nodes, capacity * sizeof *nodes);
    if (nodes)
        g->nodes = nodes;
    const char **labels = realloc(g->labels, capacity * sizeof *labels);
    if (labels)
        g->labels = labels;
    uint32_t *slots = malloc((size_t)4 * capacity * sizeof *slots);
    if (!nodes || !labels || !slots) {
        free(slots);
        fail(g, MC_NO_MEMORY);
        return false;
    }
    free(g->slots);
    g->slots = slots;
    g->slot_mask = 4 * capacity - 1;
    g->capacity = capacity;
    memset(slots, 0xff, (size_t)4 * capacity * sizeof *slots);
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t s = (uint32_t)hash_node(&g->nodes[i]) & g->slot_mask;
        while (slots[s] != EXPR_NONE)
            s = (s + 1) & g->slot_mask;
        slots[s] = i;
    }
    return true;
}

expr_id expr_store(expr_graph *g, expr_node node)
{
    if (g->status != MC_OK || !grow(g))
        return EXPR_ZERO;
    uint32_t s = (uint32_t)hash_node(&node) & g->slot_mask;
    for (; g->slots[s] != EXPR_NONE; s = (s + 1) & g->slot_mask)
        if (same_node(&g->nodes[g->slots[s]], &node))
            return g->slots[s];
    const expr_id child[3] = {node.a, node.b, node.op == EXPR_CALL ? EXPR_NONE : node.c};
    if (node.op > EXPR_INPUT)
        for (int k = 0; k < 3; k++)
            if (child[k] != EXPR_NONE && g->nodes[child[k]].varies)
                node.varies = 1;
    g->slots[s] = g->count;
    g->labels[g->count] = NULL;
    g->nodes[g->count] = node;
    return g->count++;
}

// ---- inputs and names ------------------------------------------------------------------------

expr_id expr_input(expr_graph *g, const char *name, expr_class class)
{
    if (g->status != MC_OK)
        return EXPR_ZERO;
    if (g->input_count == g->input_capacity) {
        const int capacity = g->input_capacity ? 2 * g->input_capacity : 64;
        expr_input_row *inputs = realloc(g->inputs, (size_t)capacity * sizeof *inputs);
        if (!inputs) {
            fail(g, MC_NO_MEMORY);
            return EXPR_ZERO;
        }
        g->inputs = inputs;
        g->input_capacity = capacity;
    }
    const char *copy = arena_copy_text(&g->text, name, strlen(name));
    if (!copy) {
        fail(g, MC_NO_MEMORY);
        return EXPR_ZERO;
    }
    const expr_id id = expr_store(g, (expr_node){.op = EXPR_INPUT,
                                                 .varies = class == EXPR_VARIABLE,
                                                 .a = (expr_id)g->input_count,
                                                 .b = EXPR_NONE,
                                                 .c = EXPR_NONE});
    if (g->status == MC_OK)
        g->inputs[g->input_count++] = (expr_input_row){copy, class, id};
    return id;
}

int expr_input_count(const expr_graph *g)
{
    return g->input_count;
}

const char *expr_input_name(const expr_graph *g, int input)
{
    if (g->status != MC_OK) // then inputs may be missing; expr_status tells
        return "";
    mc_assert(input >= 0 && input < g->input_count);
    return g->inputs[input].name;
}

expr_class expr_input_class(const expr_graph *g, int input)
{
    if (g->status != MC_OK)
        return EXPR_VARIABLE;
    mc_assert(input >= 0 && input < g->input_count);
    return g->inputs[input].class;
}

expr_id expr_input_node(const expr_graph *g, int input)
{
    if (g->status != MC_OK)
        return EXPR_ZERO;
    mc_assert(input >= 0 && input < g->input_count);
    return g->inputs[input].node;
}

int expr_node_input(const expr_graph *g, expr_id id)
{
    const expr_node *n = expr_node_at(g, id);
    return n->op == EXPR_INPUT ? (int)n->a : -1;
}

void expr_label(expr_graph *g, expr_id id, const char *label)
{
    const expr_node *n = expr_node_at(g, id);
    if (n->op <= EXPR_INPUT || g->labels[id])
        return;
    g->labels[id] = arena_copy_text(&g->text, label, strlen(label));
}

const char *expr_label_of(const expr_graph *g, expr_id id)
{
    mc_assert(id < g->count);
    return g->labels[id];
}

// ---- copies ----------------------------------------------------------------------------------

static expr_id rebuild(expr_graph *g, const expr_node *n, expr_id a, expr_id b, expr_id c)
{
    switch ((expr_op)n->op) {
    case EXPR_CONST:
        return expr_const(g, n->value);
    case EXPR_NEG:
        return expr_neg(g, a);
    case EXPR_ADD:
        return expr_add(g, a, b);
    case EXPR_SUB:
        return expr_sub(g, a, b);
    case EXPR_MUL:
        return expr_mul(g, a, b);
    case EXPR_DIV:
        return expr_div(g, a, b);
    case EXPR_SQRT:
        return expr_sqrt(g, a);
    case EXPR_ABS:
        return expr_abs(g, a);
    case EXPR_FLOOR:
        return expr_floor(g, a);
    case EXPR_MIN:
        return expr_min(g, a, b);
    case EXPR_MAX:
        return expr_max(g, a, b);
    case EXPR_LESS:
        return expr_less(g, a, b);
    case EXPR_LEQ:
        return expr_leq(g, a, b);
    case EXPR_EQUAL:
        return expr_equal(g, a, b);
    case EXPR_AND:
        return expr_and(g, a, b);
    case EXPR_OR:
        return expr_or(g, a, b);
    case EXPR_NOT:
        return expr_not(g, a);
    case EXPR_SELECT:
        return expr_select(g, a, b, c);
    case EXPR_CALL:
        return expr_call(g, (int)n->c, a, b);
    default:
        mc_assert(false); // programs only
        return EXPR_ZERO;
    }
}

// Children come before their node, so one pass over the nodes below `id` suffices; what `id` does
// not need is passed over by the marks.
expr_id expr_copy(expr_graph *g, const expr_graph *from, expr_id id, const expr_id *inputs,
                  expr_id *memo)
{
    if (memo[id] != EXPR_NONE)
        return memo[id];
    unsigned char *needed = calloc((size_t)id + 1, 1);
    if (!needed) {
        fail(g, MC_NO_MEMORY);
        return EXPR_ZERO;
    }
    needed[id] = 1;
    for (expr_id i = id + 1; i-- > 0;) {
        const expr_node *n = &from->nodes[i];
        if (!needed[i] || n->op <= EXPR_INPUT || memo[i] != EXPR_NONE)
            continue;
        needed[n->a] = 1;
        if (n->b != EXPR_NONE)
            needed[n->b] = 1;
        if (n->op == EXPR_SELECT)
            needed[n->c] = 1;
    }
    for (expr_id i = 0; i <= id; i++) {
        if (!needed[i] || memo[i] != EXPR_NONE)
            continue;
        const expr_node n = from->nodes[i];
        if (n.op == EXPR_INPUT) {
            memo[i] = inputs[n.a];
            continue;
        }
        const bool leaf = n.op == EXPR_CONST;
        memo[i] =
            rebuild(g, &n, leaf ? EXPR_NONE : memo[n.a], n.b == EXPR_NONE ? EXPR_NONE : memo[n.b],
                    n.op == EXPR_SELECT ? memo[n.c] : EXPR_NONE);
        if (from->labels[i])
            expr_label(g, memo[i], from->labels[i]);
    }
    free(needed);
    return memo[id];
}
