// derived.c - model to programs to numbers.
#include "support/derived.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

static void *memory(size_t count, size_t size)
{
    void *p = NULL;
    assert_int_equal(posix_memalign(&p, 64, (count + 8) * size), 0);
    memset(p, 0, (count + 8) * size);
    return p;
}

static void program(const derived *d, const expr_id *outputs, int count, expr_program **p,
                    expr_machine **machine, double **kept)
{
    mc_error error = {0};
    *p = expr_program_build(d->model.graph, outputs, NULL, count, &error);
    assert_non_null(*p);
    *machine = expr_machine_create(*p, &error);
    assert_non_null(*machine);
    *kept = memory((size_t)(*p)->kept_count, sizeof **kept);
}

void derived_make(derived *d, mb_form form)
{
    mc_error error = {0};
    mb_system *s = &d->system;
    if (mb_model_check(&d->model, &error) != MC_OK ||
        mb_derive(&d->model, form, s, &error) != MC_OK)
        fail_msg("%s: %s", d->model.name, error.text);
    assert_true(form == MB_FORM_CHEAPER || s->form == form);
    program(d, s->forward, s->v_count, &d->forward, &d->forward_machine, &d->forward_kept);
    program(d, s->rate, s->y_count, &d->rate, &d->rate_machine, &d->rate_kept);
    assert_int_equal(d->forward->variable_count, s->variable_count);
    const int a = expr_machine_work(d->forward_machine), b = expr_machine_work(d->rate_machine);
    d->work = memory((size_t)(a > b ? a : b), sizeof *d->work);
    d->x = memory((size_t)s->variable_count, sizeof *d->x);
    d->parameter = memory((size_t)d->forward->parameter_count, sizeof *d->parameter);
    for (int i = 0; i < d->forward->parameter_count; i++)
        for (int k = 0; k < d->model.parameter_count; k++)
            if (d->model.parameters[k].input == d->forward->parameter[i])
                d->parameter[i] = d->model.parameters[k].value;
    for (int i = 0; i < s->input_count; i++)
        d->x[mb_at_input(s) + i] = d->model.inputs[i].value;
    expr_machine_prepare(d->forward_machine, d->parameter, d->forward_kept, d->work);
    expr_machine_prepare(d->rate_machine, d->parameter, d->rate_kept, d->work);
}

void derived_free(derived *d)
{
    expr_machine_destroy(d->forward_machine);
    expr_machine_destroy(d->rate_machine);
    expr_program_destroy(d->forward);
    expr_program_destroy(d->rate);
    mb_system_free(&d->system);
    mb_model_free(&d->model);
    free(d->parameter), free(d->forward_kept), free(d->rate_kept), free(d->work), free(d->x);
}

void derived_forward(derived *d, double *vdot)
{
    expr_machine_run(d->forward_machine, d->x, d->forward_kept, vdot, d->work);
}

void derived_rate(derived *d, double *dy)
{
    expr_machine_run(d->rate_machine, d->x, d->rate_kept, dy, d->work);
}

void derived_values(const derived *d, const expr_id *nodes, int count, double *value)
{
    const expr_graph *g = d->model.graph;
    quad *input = memory((size_t)expr_input_count(g), sizeof *input);
    quad *all = memory(expr_node_count(g), sizeof *all);
    for (int i = 0; i < d->forward->variable_count; i++)
        input[d->forward->variable[i]] = d->x[i];
    for (int i = 0; i < d->forward->parameter_count; i++)
        input[d->forward->parameter[i]] = d->parameter[i];
    graph_values_quad(g, input, all);
    for (int i = 0; i < count; i++)
        value[i] = (double)all[nodes[i]];
    free(input);
    free(all);
}
