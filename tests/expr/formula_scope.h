// formula_scope.h - a scope for tests of formulas: a few scalars and vectors with and without unit.
#pragma once

#include "expr/parse.h"
#include "expr/unit.h"

#include <stdbool.h>
#include <string.h>

// Input i of the graph is component i % 3 of entry i / 3: every name has room for a vector.
static const struct {
    const char *name, *unit; // "": not known
    int size;
    double value[3];
} formula_names[] = {
    {"x", "", 1, {1.5, 0.0, 0.0}},
    {"y", "", 1, {-0.75, 0.0, 0.0}},
    {"z", "", 1, {3.25, 0.0, 0.0}},
    {"v", "m/s", 1, {20.0, 0.0, 0.0}},
    {"gap", "m", 1, {0.4, 0.0, 0.0}},
    {"mass", "kg", 1, {1200.0, 0.0, 0.0}},
    {"m", "kg", 1, {800.0, 0.0, 0.0}},
    {"wheel_fl.angle", "rad", 1, {0.1, 0.0, 0.0}},
    {"p.position", "m", 3, {1.0, -2.0, 4.0}},
    {"q.position", "m", 3, {0.5, 3.0, -1.0}},
    {"force", "N", 3, {100.0, 200.0, -300.0}},
    {"n", "", 3, {0.0, 0.6, 0.8}},
};
enum { FORMULA_NAMES = sizeof formula_names / sizeof formula_names[0] };

static inline bool formula_resolve(void *context, const char *name, expr_value *out)
{
    const expr_graph *g = context;
    for (int i = 0; i < FORMULA_NAMES; i++)
        if (strcmp(formula_names[i].name, name) == 0) {
            double factor;
            int bad;
            *out = (expr_value){.size = formula_names[i].size};
            for (int k = 0; k < out->size; k++)
                out->v[k] = expr_input_node(g, 3 * i + k);
            const char *unit = formula_names[i].unit;
            if (unit[0])
                expr_unit_read(unit, (int)strlen(unit), &out->unit, &factor, &bad);
            return true;
        }
    return false;
}

static inline const char *formula_name_at(void *context, int i)
{
    (void)context;
    return i < FORMULA_NAMES ? formula_names[i].name : NULL;
}

static inline expr_graph *formula_graph(void)
{
    expr_graph *g = expr_graph_create();
    for (int i = 0; g && i < 3 * FORMULA_NAMES; i++)
        expr_input(g, formula_names[i / 3].name, EXPR_VARIABLE);
    return g;
}

static inline expr_scope formula_scope(expr_graph *g)
{
    return (expr_scope){g, g, formula_resolve, formula_name_at};
}

static inline void formula_inputs(double inputs[3 * FORMULA_NAMES])
{
    for (int i = 0; i < 3 * FORMULA_NAMES; i++)
        inputs[i] = formula_names[i / 3].value[i % 3];
}
