// values.c - the scenario of one run of many.
//
// Parsed for every run, as sweeps do: setting numbers in a scenario that was used before could
// leave something of the run before. It takes about as long as a second of eight cars.
#include "runs/values.h"

#include "scenario/handle.h"
#include "scenario/set.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SET_SIZE = 512 };

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the runs");
}

static mc_status check_name(const char *name, mc_error *error)
{
    if (strlen(name) < SET_SIZE - 40 && !strchr(name, '='))
        return MC_OK;
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "\"%.60s\" is no name of a value; expected one such as follow.headway",
                        name);
}

static mc_status print_set(const char *name, double value, char text[SET_SIZE], mc_error *error)
{
    if (!isfinite(value))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s is %g, expected a finite number",
                            name, value);
    snprintf(text, SET_SIZE, "%s=%.17g", name, value);
    return MC_OK;
}

static scenario *parse(const runs_values *v, mc_error *error)
{
    return scenario_parse_version(scenario_of(v->base), v->text, strlen(v->text), false, error);
}

static scenario *parse_with(const runs_values *v, const double *values, mc_error *error)
{
    scenario *s = parse(v, error);
    for (int k = 0; s && k < v->count; k++) {
        char text[SET_SIZE];
        if (print_set(v->names[k], values[k], text, error) != MC_OK ||
            scenario_set(s, text, error) != MC_OK) {
            scenario_free(s);
            return NULL;
        }
    }
    return s;
}

mc_scenario *runs_values_scenario(const runs_values *v, const double *values, bool exported,
                                  mc_error *error)
{
    if (v->count == 0)
        return scenario_keep(v->base);
    if (!exported)
        return scenario_wrap(parse_with(v, values, error), error);
    mc_scenario *s = scenario_wrap(parse(v, error), error);
    for (int k = 0; s && k < v->count; k++) {
        char text[SET_SIZE];
        if (print_set(v->names[k], values[k], text, error) != MC_OK ||
            mc_scenario_set(s, text, error) != MC_OK) {
            mc_scenario_free(s);
            return NULL;
        }
    }
    return s;
}

mc_status runs_values_make(runs_values *v, const mc_runs_request *request, mc_error *error)
{
    *v = (runs_values){.base = scenario_keep(request->scenario), .count = request->name_count};
    const char *text = mc_scenario_text(request->scenario);
    v->text = arena_copy_text(&v->memory, text, strlen(text));
    v->names = arena_alloc(&v->memory, (size_t)v->count * sizeof *v->names + 8);
    if (!v->text || !v->names)
        return no_memory(error);
    mc_status status = MC_OK;
    for (int k = 0; k < v->count && status == MC_OK; k++) {
        v->names[k] = arena_copy_text(&v->memory, request->names[k], strlen(request->names[k]));
        status = v->names[k] ? check_name(v->names[k], error) : no_memory(error);
    }
    return status;
}

void runs_values_free(runs_values *v)
{
    mc_scenario_free(v->base);
    arena_free(&v->memory);
    *v = (runs_values){0};
}
