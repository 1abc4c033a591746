// conditions.c - comparisons to functions that rise through zero.
#include "equations/conditions.h"

#include <string.h>

static const double never = -1.0, always = 1.0;

// EXPR_NONE: the node is no condition.
static expr_id function_of(expr_graph *g, expr_id node)
{
    double value;
    if (expr_is_const(g, node, &value))
        return expr_const(g, value != 0.0 ? always : never);
    const expr_node n = *expr_node_at(g, node);
    if (n.op == EXPR_LESS || n.op == EXPR_LEQ)
        return expr_sub(g, n.b, n.a);
    if (n.op != EXPR_AND && n.op != EXPR_OR && n.op != EXPR_NOT)
        return EXPR_NONE;
    const expr_id a = function_of(g, n.a);
    if (a == EXPR_NONE || n.op == EXPR_NOT)
        return a == EXPR_NONE ? a : expr_neg(g, a);
    const expr_id b = function_of(g, n.b);
    if (b == EXPR_NONE)
        return b;
    return n.op == EXPR_AND ? expr_min(g, a, b) : expr_max(g, a, b);
}

// Loads as the multipliers give them.
static bool make_loads(mb_system *s)
{
    expr_graph *g = s->graph;
    s->load = arena_alloc(&s->memory, ((size_t)s->rows.load_count + 1) * sizeof *s->load);
    for (int i = 0; s->load && i < s->rows.load_count; i++) {
        s->load[i] = EXPR_ZERO;
        for (int r = 0; r < s->rows.kept_count; r++)
            s->load[i] = expr_add(g, s->load[i],
                                  expr_mul(g, s->rows.load[i].by[s->rows.kept[r]], s->lambda[r]));
    }
    return s->load != NULL;
}

// "Off when the load is below zero": the same holds for its impulse.
static void find_side(const mb_system *s, expr_id condition, const char *owner,
                      mb_switch_function *out)
{
    const expr_node *n = expr_node_at(s->graph, condition);
    out->load = -1;
    if (n->op != EXPR_LESS && n->op != EXPR_LEQ)
        return;
    for (int i = 0; i < s->rows.load_count; i++) {
        const expr_id load = s->load[i];
        if (load == EXPR_ZERO || strcmp(s->rows.load[i].owner, owner) != 0)
            continue;
        if ((n->a == load && n->b == EXPR_ZERO) || (n->b == load && n->a == EXPR_ZERO)) {
            out->load = i;
            out->sign = n->a == load ? -1.0 : 1.0;
        }
    }
}

static mc_status read_condition(mb_system *s, mb_scope *scope, const mb_formula *formula,
                                const char *key, const char *owner, expr_id *condition,
                                expr_id *function, mc_error *error)
{
    expr_value value;
    *function = expr_const(s->graph, never);
    *condition = EXPR_ZERO;
    if (!formula->text)
        return MC_OK;
    const mc_status status = mb_scope_formula(scope, formula, 1, (expr_unit){0}, &value, error);
    if (status != MC_OK)
        return status;
    *condition = value.v[0];
    *function = function_of(s->graph, value.v[0]);
    return *function != EXPR_NONE
               ? MC_OK
               : mc_error_set(error, MC_BAD_INPUT, s->model->file, formula->line, formula->column,
                              "%s of %s is no condition; expected a comparison such as a < b, or "
                              "several joined by and, or, not",
                              key, owner);
}

mc_status mb_conditions_make(mb_system *s, mb_scope *scope, mc_error *error)
{
    const char *owner;
    mc_status status = MC_OK;
    while (mb_switch_at(s->model, s->switch_count, NULL, NULL))
        s->switch_count++;
    s->switches = arena_alloc(&s->memory, ((size_t)s->switch_count + 1) * sizeof *s->switches);
    if (!make_loads(s) || !s->switches)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the conditions");
    mb_scope_loads(scope, &s->rows, s->load);
    for (int i = 0; i < s->switch_count && status == MC_OK; i++) {
        const mb_switch *change = mb_switch_at(s->model, i, &owner, NULL);
        expr_id condition, on, off;
        status =
            read_condition(s, scope, &change->on_when, "on_when", owner, &condition, &on, error);
        if (status == MC_OK)
            status = read_condition(s, scope, &change->off_when, "off_when", owner, &condition,
                                    &off, error);
        if (status != MC_OK)
            break;
        s->switches[i].function = change->off ? on : off;
        find_side(s, condition, owner, &s->switches[i]);
    }
    return status == MC_OK ? expr_graph_status(s->graph, error) : status;
}
