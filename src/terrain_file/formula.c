// formula.c - ground by a formula.
#include "terrain_file/formula.h"

#include "expr/differentiate.h"
#include "expr/interpret.h"
#include "expr/parse.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { WORK_MAX = 2048, KEPT_MAX = 256, CODE_MAX = 1024 };

typedef struct formula {
    expr_graph *graph;
    expr_program *program;
    expr_machine *machine;
    double kept[KEPT_MAX];
    double steepest;
    expr_value x, y; // while it is read
} formula;

static void formula_at(const void *data, double x, double y, bool after, double out[3])
{
    (void)after;
    const formula *f = data;
    _Alignas(32) double work[WORK_MAX];
    const double in[2] = {x, y};
    expr_machine_run(f->machine, in, f->kept, out, work);
}

static double formula_next(const void *data, double x)
{
    (void)data, (void)x;
    return HUGE_VAL;
}

static double formula_largest(const void *data, double from, double to)
{
    (void)data, (void)from, (void)to;
    return HUGE_VAL;
}

static double formula_across(const void *data, double from, double to)
{
    (void)from, (void)to;
    return ((const formula *)data)->steepest;
}

const terrain_kind terrain_formula_kind = {"formula",       formula_at,     formula_next,
                                           formula_largest, formula_across, NULL};

static bool resolve(void *context, const char *name, expr_value *out)
{
    const formula *f = context;
    const bool x = strcmp(name, "x") == 0, y = strcmp(name, "y") == 0;
    if (x || y)
        *out = x ? f->x : f->y;
    return x || y;
}

static const char *name_at(void *context, int i)
{
    (void)context;
    return i == 0 ? "x" : i == 1 ? "y" : NULL;
}

static void destroy(void *context)
{
    formula *f = context;
    expr_machine_destroy(f->machine);
    expr_program_destroy(f->program);
    expr_graph_destroy(f->graph);
}

static mc_status build(reader *r, const yaml_node *node, formula *f, mc_error *error)
{
    double factor;
    const expr_unit metre = reader_unit_of("m", &factor);
    expr_value z;
    f->graph = expr_graph_create();
    if (!f->graph)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a formula");
    f->x = (expr_value){{expr_input(f->graph, "x", EXPR_VARIABLE)}, 1, metre};
    f->y = (expr_value){{expr_input(f->graph, "y", EXPR_VARIABLE)}, 1, metre};
    const expr_scope scope = {f->graph, f, resolve, name_at};
    const expr_source source = {node->text, r->file, node->line, node->column};
    const int inputs[2] = {0, 1};
    mc_status status = expr_parse(&scope, &source, 1, metre, &z, error);
    expr_id out[3];
    if (status == MC_OK) {
        out[0] = z.v[0];
        status = expr_jacobian(f->graph, out, 1, inputs, 2, out + 1, error);
    }
    if (status == MC_OK)
        status = expr_graph_status(f->graph, error);
    if (status != MC_OK)
        return status;
    if (out[2] == EXPR_ZERO)
        f->steepest = 0.0;
    f->program = expr_program_build(f->graph, out, NULL, 3, error);
    if (f->program && f->program->run.count <= CODE_MAX)
        f->machine = expr_machine_create(f->program, error);
    if (f->machine && expr_machine_work(f->machine) <= WORK_MAX &&
        f->program->kept_count <= KEPT_MAX) {
        _Alignas(32) double work[WORK_MAX];
        expr_machine_prepare(f->machine, NULL, f->kept, work);
        return MC_OK;
    }
    return f->program ? mc_error_set(error, MC_BAD_INPUT, r->file, node->line, node->column,
                                     "the formula takes %d operations with its slopes; expected "
                                     "at most %d",
                                     f->program->run.count, CODE_MAX)
                      : MC_NO_MEMORY;
}

const void *terrain_formula_read(reader *r, const yaml_node *node, double steepest)
{
    formula *f = reader_alloc(r, 1, sizeof *f);
    if (r->status != MC_OK || reader_text(r, node)[0] == '\0' || r->status != MC_OK)
        return NULL;
    f->steepest = steepest;
    if (!arena_on_free(r->memory, destroy, f)) {
        reader_no_memory(r);
        return NULL;
    }
    mc_error error = {0};
    const mc_status status = build(r, node, f, &error);
    if (status != MC_OK) {
        r->status = status;
        *r->error = error;
        return NULL;
    }
    return f;
}
