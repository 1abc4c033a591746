// test_motion_mechanisms.c - all shipped mechanisms by the usual integrator, and one by each, move
// as motion_mechanisms.txt has it (support/motion_trace.h).
#include "mechanism/mechanism.h"
#include "motorcade/simulate.h"
#include "support/motion_trace.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { METHODS_MAX = 32, COLUMNS_MAX = 512 };

typedef struct mechanism {
    char name[64], path[512];
    mc_method method;
} mechanism;

// Columns of a row by name: the order of names, not that of the file.
typedef struct columns {
    const mc_multibody *m;
    const char *names[COLUMNS_MAX];
    mc_simulate_column column[COLUMNS_MAX];
    int count;
} columns;

typedef struct rows {
    motion_trace *trace;
    columns states, outputs;
} rows;

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_names(columns *c, mc_quantity quantity)
{
    const char *name;
    for (int i = 0; (name = mc_multibody_name(c->m, quantity, i)); i++) {
        assert_true(c->count < COLUMNS_MAX);
        c->names[c->count++] = name;
    }
}

static void find_columns(columns *c)
{
    mc_error error;
    qsort((void *)c->names, (size_t)c->count, sizeof c->names[0], by_name);
    for (int i = 0; i < c->count; i++)
        if (mc_simulate_column_find(c->m, c->names[i], &c->column[i], &error) != MC_OK)
            fail_msg("%s", error.text);
}

static void put_row(void *context, double t, const double *y, const double *outputs)
{
    const rows *r = context;
    motion_put(r->trace, STATES, t);
    for (int i = 0; i < r->states.count; i++)
        motion_put(r->trace, STATES,
                   mc_simulate_value(r->states.m, r->states.column[i], y, outputs));
    for (int i = 0; i < r->outputs.count; i++)
        motion_put(r->trace, OUTPUTS,
                   mc_simulate_value(r->outputs.m, r->outputs.column[i], y, outputs));
    motion_row_end(r->trace);
}

static void run(const motion_case *c, motion_trace *t)
{
    const mechanism *detail = c->detail;
    mc_error error;
    mc_multibody *m = mc_multibody_load(
        detail->path, &(mc_multibody_options){.compile = MC_COMPILE_NEVER}, &error);
    if (!m)
        fail_msg("%s:%d: %s", error.file, error.line, error.text);
    rows r = {t, {.m = m}, {.m = m}};
    add_names(&r.states, MC_QUANTITY_COORDINATE);
    add_names(&r.states, MC_QUANTITY_VELOCITY);
    add_names(&r.states, MC_QUANTITY_STATE);
    add_names(&r.outputs, MC_QUANTITY_OUTPUT);
    find_columns(&r.states);
    find_columns(&r.outputs);
    double *y = calloc((size_t)mc_multibody_info_of(m)->y_count, sizeof *y);
    assert_non_null(y);
    mc_multibody_start(m, y);
    mc_simulate_options o = mc_simulate_defaults(m);
    o.method = detail->method.name;
    if (!detail->method.adaptive)
        o.fixed_step = 1e-3;
    if (m->model.stepping.engine && strcmp(m->model.stepping.engine, "impulses") == 0)
        o.method = NULL, o.fixed_step = 0.0; // that engine has one method
    motion_rows(t, mc_simulate_row_count(&o));
    if (mc_simulate(m, &o, y, &(mc_simulate_output){.row = put_row, .context = &r}, NULL, NULL,
                    &error) != MC_OK)
        fail_msg("%s", error.text);
    free(y);
    mc_multibody_free(m);
}

// All mechanisms by the default method, then the quarter car, which has states, inputs and a road,
// by every method.
static int list(const glob_t *files, mechanism *out)
{
    int count = 0;
    mc_method method;
    mc_error error;
    if (mc_method_find("dop853", &method, &error) != MC_OK)
        return 0;
    for (size_t k = 0; k < files->gl_pathc; k++, count++) {
        const char *file = strrchr(files->gl_pathv[k], '/') + 1;
        out[count].method = method;
        snprintf(out[count].path, sizeof out[count].path, "%s", files->gl_pathv[k]);
        snprintf(out[count].name, sizeof out[count].name, "%.*s",
                 (int)(strlen(file) - strlen(".yaml")), file);
    }
    for (int k = 0; k < METHODS_MAX && mc_method_at(k, &method); k++, count++) {
        out[count].method = method;
        snprintf(out[count].path, sizeof out[count].path, SOURCE_DIR "/models/quarter_car.yaml");
        snprintf(out[count].name, sizeof out[count].name, "quarter_car_%s", method.name);
    }
    return count;
}

int main(int argc, char **argv)
{
    glob_t found;
    if (glob(SOURCE_DIR "/models/*.yaml", 0, NULL, &found) != 0)
        return 1;
    const size_t capacity = found.gl_pathc + METHODS_MAX;
    mechanism *all = calloc(capacity, sizeof *all);
    motion_case *cases = calloc(capacity, sizeof *cases);
    int code = 1;
    if (all && cases) {
        const int count = list(&found, all);
        for (int k = 0; k < count; k++)
            cases[k] = (motion_case){all[k].name, run, &all[k]};
        code = motion_main(argc, argv, "mechanisms", cases, count);
    }
    free(all);
    free(cases);
    globfree(&found);
    return code;
}
