// impulses.c - a mechanism in the engine of impulses as a unit: wheels, limits and motors.
//
// Co-simulation in whole steps of the engine: the motion depends on what touched in the last step,
// so there is no model exchange. With the communication points as rows, the bits are those of
// `motorcade simulate`.
#include "fmu/model.h"

#include "mechanism/by_impulses.h"
#include "mechanism/mechanism.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct slot { // what a variable is
    mc_quantity quantity;
    int index;
    bool time;
} slot;

typedef struct impulse_unit {
    fmu_model base; // first
    mc_multibody *m;
    mc_simulate_options options;
    impulse_run run;
    slot *slots;
    double *start, *y, *out; // start values; state; outputs
    double time, begin;      // s, now; of step 0
    long long steps;
    bool made, stale;
} impulse_unit;

static impulse_unit *of(fmu_model *m)
{
    return (impulse_unit *)m;
}

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the unit");
}

// ---- values ------------------------------------------------------------------------------------

static int place(const impulse_unit *u, const slot *s)
{
    const mc_multibody_info *n = &u->m->info;
    return s->index + (s->quantity == MC_QUANTITY_COORDINATE ? 0
                       : s->quantity == MC_QUANTITY_VELOCITY ? n->q_count
                                                             : n->q_count + n->v_count);
}

static bool is_number(const slot *s) // a parameter or an input
{
    return s->quantity == MC_QUANTITY_PARAMETER || s->quantity == MC_QUANTITY_INPUT;
}

static double get(fmu_model *m, int variable)
{
    impulse_unit *u = of(m);
    const slot *s = &u->slots[variable];
    double value = NAN;
    if (s->time)
        return u->time;
    if (is_number(s)) {
        mc_multibody_get(u->m, m->variables[variable].name, &value, NULL);
        return value;
    }
    if (u->stale && u->made)
        impulse_run_row(&u->run, u->time, u->y, u->out);
    u->stale = u->stale && !u->made;
    return s->quantity == MC_QUANTITY_OUTPUT ? u->out[s->index]
           : u->made                         ? u->y[place(u, s)]
                                             : u->start[place(u, s)];
}

static mc_status set(fmu_model *m, int variable, double value, mc_error *error)
{
    impulse_unit *u = of(m);
    const slot *s = &u->slots[variable];
    if (!isfinite(value))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s must be a finite number",
                            m->variables[variable].name);
    u->stale = true;
    if (is_number(s))
        return mc_multibody_set(u->m, m->variables[variable].name, value, error);
    u->start[place(u, s)] = value;
    return MC_OK;
}

// ---- steps -------------------------------------------------------------------------------------

// Made again with the parameters and start values of now.
static mc_status initialize(fmu_model *m, double t, mc_error *error)
{
    impulse_unit *u = of(m);
    const mc_status status = mc_multibody_check(u->m, error);
    if (status != MC_OK)
        return status;
    if (u->made)
        impulse_run_free(&u->run);
    u->made = false;
    const mc_status made = impulse_run_make(u->m, &u->options, &u->run, error);
    if (made != MC_OK)
        return made;
    u->made = u->stale = true;
    u->time = u->begin = t;
    u->steps = 0;
    impulses_start(u->run.engine, t, u->start);
    return MC_OK;
}

static mc_status advance(fmu_model *m, double t_end, mc_error *error)
{
    impulse_unit *u = of(m);
    const double h = u->options.fixed_step;
    const double left = (t_end - u->time) / h, whole = round(left);
    if (fabs(left - whole) > 1e-6 || whole < 0.0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "a communication step of %g s is not a whole number of steps of %g s",
                            left * h, h);
    mc_status status = MC_OK;
    for (long long k = 0; k < (long long)whole && status == MC_OK; k++) {
        status = impulses_step(u->run.engine, h, error);
        u->run.stepped = true;
        u->steps++;
    }
    u->time = u->begin + (double)u->steps * h;
    u->stale = true;
    return status;
}

// ---- state -------------------------------------------------------------------------------------

static void save(fmu_model *m, bytes *out)
{
    impulse_unit *u = of(m);
    const int count = u->made ? impulses_state_count(u->run.engine) : 0;
    double *block = malloc(((size_t)count + 1) * sizeof *block);
    out->failed = out->failed || !block;
    if (!block)
        return;
    if (u->made)
        impulses_save(u->run.engine, block);
    const int stepped = u->run.stepped;
    bytes_put(out, &count, sizeof count);
    bytes_put(out, block, (size_t)count * sizeof *block);
    bytes_put(out, &stepped, sizeof stepped);
    bytes_put(out, &u->time, sizeof u->time);
    bytes_put(out, &u->begin, sizeof u->begin);
    bytes_put(out, &u->steps, sizeof u->steps);
    bytes_put(out, u->start, (size_t)u->m->info.y_count * sizeof *u->start);
    for (int i = 0; i < m->variable_count; i++)
        if (is_number(&u->slots[i])) {
            const double value = get(m, i);
            bytes_put(out, &value, sizeof value);
        }
    free(block);
}

static mc_status restore(fmu_model *m, bytes_reader *in, mc_error *error)
{
    impulse_unit *u = of(m);
    int count = 0, stepped = 0;
    double time, begin, *block = NULL;
    long long steps = 0;
    bool good = bytes_take(in, &count, sizeof count) && count >= 0 &&
                (size_t)count <= (in->size - in->at) / sizeof *block;
    block = good ? malloc(((size_t)count + 1) * sizeof *block) : NULL;
    good = block && bytes_take(in, block, (size_t)count * sizeof *block) &&
           bytes_take(in, &stepped, sizeof stepped) && bytes_take(in, &time, sizeof time) &&
           bytes_take(in, &begin, sizeof begin) && bytes_take(in, &steps, sizeof steps) &&
           bytes_take(in, u->start, (size_t)u->m->info.y_count * sizeof *u->start);
    for (int i = 0; i < m->variable_count && good; i++) {
        double value;
        if (is_number(&u->slots[i]))
            good = bytes_take(in, &value, sizeof value) &&
                   mc_multibody_set(u->m, m->variables[i].name, value, error) == MC_OK;
    }
    mc_status status = good ? initialize(m, begin, error)
                            : mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "the state is cut off");
    if (status == MC_OK && count > 0 && count != impulses_state_count(u->run.engine))
        status = mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "the state is of another unit");
    if (status == MC_OK && count > 0) {
        impulses_restore(u->run.engine, block);
        u->run.stepped = stepped;
        u->time = time;
        u->steps = steps;
    }
    free(block);
    return status;
}

// ---- lifetime ----------------------------------------------------------------------------------

static void close_unit(fmu_model *m)
{
    impulse_unit *u = of(m);
    if (u->made)
        impulse_run_free(&u->run);
    mc_multibody_free(u->m);
    free(u->slots);
    free(u);
}

static const fmu_kind kind = {.close = close_unit,
                              .get = get,
                              .set = set,
                              .initialize = initialize,
                              .advance = advance,
                              .save = save,
                              .restore = restore};

static fmu_variable *add(impulse_unit *u, slot s, const char *name, fmu_causality causality)
{
    mc_simulate_about about = {"", ""};
    slot *more = realloc(u->slots, ((size_t)u->base.variable_count + 1) * sizeof *more);
    if (!more)
        return NULL;
    u->slots = more;
    more[u->base.variable_count] = s;
    if (!s.time)
        mc_simulate_describe(u->m, s.quantity, s.index, &about);
    return fmu_model_add(&u->base, name, s.time ? "s" : about.unit, about.doc, causality);
}

static bool add_all(impulse_unit *u, mc_quantity quantity, fmu_causality causality)
{
    const char *name;
    for (int i = 0; (name = mc_multibody_name(u->m, quantity, i)); i++) {
        fmu_variable *v = add(u, (slot){quantity, i, false}, name, causality);
        if (!v)
            return false;
        v->exact = quantity != MC_QUANTITY_OUTPUT;
        if (v->exact)
            v->start = get(&u->base, u->base.variable_count - 1);
        if (quantity == MC_QUANTITY_PARAMETER) {
            v->min = u->m->model.parameters[i].min;
            v->max = u->m->model.parameters[i].max;
        }
    }
    return true;
}

static mc_status fill(impulse_unit *u, const fmu_settings *settings, mc_error *error)
{
    const mc_multibody_info *n = &u->m->info;
    const mb_model *model = &u->m->model;
    u->start = arena_alloc(&u->base.memory, ((size_t)n->y_count + 1) * sizeof *u->start);
    u->y = arena_alloc(&u->base.memory, ((size_t)n->y_count + 1) * sizeof *u->y);
    u->out = arena_alloc(&u->base.memory, ((size_t)n->output_count + 1) * sizeof *u->out);
    if (!u->start || !u->y || !u->out)
        return no_memory(error);
    mc_multibody_start(u->m, u->start);
    u->options = (mc_simulate_options){.end = u->base.end, .step = u->base.output};
    u->options.fixed_step = settings->fixed_step > 0.0         ? settings->fixed_step
                            : model->stepping.fixed_step > 0.0 ? model->stepping.fixed_step
                                                               : 1e-3;
    u->base.step = u->options.fixed_step;
    const mc_status status = initialize(&u->base, 0.0, error);
    if (status != MC_OK)
        return status;
    const bool good = add(u, (slot){.time = true}, "time", FMU_INDEPENDENT) &&
                      add_all(u, MC_QUANTITY_PARAMETER, FMU_PARAMETER) &&
                      add_all(u, MC_QUANTITY_INPUT, FMU_INPUT) &&
                      add_all(u, MC_QUANTITY_COORDINATE, FMU_OUTPUT) &&
                      add_all(u, MC_QUANTITY_VELOCITY, FMU_OUTPUT) &&
                      add_all(u, MC_QUANTITY_STATE, FMU_OUTPUT) &&
                      add_all(u, MC_QUANTITY_OUTPUT, FMU_OUTPUT);
    return good ? MC_OK : no_memory(error);
}

fmu_model *fmu_impulses_open(const fmu_settings *settings, const char *path, mc_error *error)
{
    const mc_multibody_options options = {.compile = MC_COMPILE_NEVER};
    impulse_unit *u = calloc(1, sizeof *u);
    if (!u) {
        no_memory(error);
        return NULL;
    }
    u->base.kind = &kind;
    u->base.why = "wheels, limits and motors act by impulses, step by step";
    u->m = mc_multibody_load(path, &options, error);
    if (u->m) {
        const mb_model *model = &u->m->model;
        u->base.name = u->m->info.name;
        u->base.doc = "mechanism in the engine of impulses of Motorcade";
        u->base.end = model->end > 0.0 ? model->end : 10.0;
        u->base.output = model->step > 0.0 ? model->step : u->base.end / 500.0;
        u->base.hash = bytes_hash(BYTES_HASH_START, u->m->text, strlen(u->m->text));
        if (fill(u, settings, error) == MC_OK)
            return &u->base;
    }
    fmu_model_close(&u->base);
    return NULL;
}
