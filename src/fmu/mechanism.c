// mechanism.c - a mechanism as a unit: its equations for model exchange, and for co-simulation any
// integrator of num/ode.h.
//
// Values in co-simulation are those of a row of `motorcade simulate`: of the state moved onto its
// constraints, beside the one the integrator continues from. With a fixed step the bits are the
// same.
//
// Model exchange. Quaternions and loops drift from their constraints in the importer's steps. Where
// the drift of an accepted step exceeds projection_tolerance, an event is asked for, in which the
// states are moved back. With the tolerance 0 that is done after every step, as by Motorcade.
#include "fmu/model.h"

#include "base/file.h"
#include "codegen/kernel.h"
#include "expr/differentiate.h"
#include "mechanism/mechanism.h"
#include "motorcade/linear.h"
#include "num/ode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double default_rtol = 1e-9, default_projection = 1e-9;
enum { SWITCHES_MAX = 1000 }; // in a step of co-simulation

typedef struct slot { // what a variable is
    mc_quantity quantity;
    int index;
    enum { SLOT_VALUE, SLOT_RATE, SLOT_INDICATOR, SLOT_PROJECTION, SLOT_TIME } what;
} slot;

typedef struct mechanism {
    fmu_model base; // first
    fmu_settings settings;
    mc_multibody *m;
    slot *slots;
    multibody_switching switching;
    ode *integrator;
    double t;
    double *y, *row;              // state; as it is shown
    double *dy, *out, *value;     // rates, outputs, of switches
    double *before;               // of switches at the last accepted state
    bool stale;                   // row, dy, out, value are older than the state
    bool dirty;                   // a start value or parameter changed: initialize again
    bool placed;                  // the importer gave coordinates: it does not begin at rest
    bool restart;                 // the integrator must forget its history
    double projection;            // tolerance
    double *jacobian, *by_input;  // A, B
    expr_program *output_program; // derivatives of outputs that are not zero
    expr_kernel *output_kernel;
    double *output_kept, *output_work, *output_value;
    int *output_at, output_count; // place of each: output * columns + column
} mechanism;

static mechanism *of(fmu_model *m)
{
    return (mechanism *)m;
}

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the unit");
}

// ---- values ------------------------------------------------------------------------------------

static void refresh(mechanism *u)
{
    if (!u->stale)
        return;
    mc_multibody *now = u->switching.now;
    memcpy(u->row, u->y, (size_t)u->m->info.y_count * sizeof *u->y);
    if (u->base.shows_rows)
        mc_multibody_project(now, u->t, u->row);
    mc_multibody_rate(now, u->t, u->row, NULL, u->dy);
    mc_multibody_outputs(now, u->t, u->row, u->out);
    if (u->m->system.switch_count > 0)
        multibody_switching_look(&u->switching, u->t, u->row, u->value);
    u->stale = false;
}

static double get(fmu_model *m, int variable)
{
    mechanism *u = of(m);
    const slot *s = &u->slots[variable];
    const mc_multibody_info *n = &u->m->info;
    double value = NAN;
    if (s->what == SLOT_TIME)
        return u->t;
    if (s->what == SLOT_PROJECTION)
        return u->projection;
    if (s->quantity == MC_QUANTITY_PARAMETER || s->quantity == MC_QUANTITY_INPUT) {
        mc_multibody_get(u->m, m->variables[variable].name, &value, NULL);
        return value;
    }
    refresh(u);
    if (s->what == SLOT_INDICATOR)
        return u->value[s->index];
    const int at = s->quantity == MC_QUANTITY_COORDINATE ? s->index
                   : s->quantity == MC_QUANTITY_VELOCITY ? n->q_count + s->index
                                                         : n->q_count + n->v_count + s->index;
    if (s->what == SLOT_RATE)
        return u->dy[at];
    return s->quantity == MC_QUANTITY_OUTPUT ? u->out[s->index] : u->row[at];
}

static mc_status set(fmu_model *m, int variable, double value, mc_error *error)
{
    mechanism *u = of(m);
    const slot *s = &u->slots[variable];
    const mc_multibody_info *n = &u->m->info;
    const char *name = m->variables[variable].name;
    u->stale = true;
    if (s->what == SLOT_PROJECTION) {
        u->projection = value;
        return MC_OK;
    }
    if (!isfinite(value))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s must be a finite number", name);
    if (s->quantity == MC_QUANTITY_PARAMETER) {
        u->dirty = true;
        return mc_multibody_set(u->m, name, value, error);
    }
    if (s->quantity == MC_QUANTITY_INPUT) {
        double old;
        mc_multibody_get(u->m, name, &old, NULL);
        if (old == value)
            return MC_OK;
        u->restart = true;
        const mc_status status = mc_multibody_set(u->m, name, value, error);
        return status == MC_OK && u->switching.now && u->switching.now != u->m
                   ? mc_multibody_set(u->switching.now, name, value, error)
                   : status;
    }
    u->dirty = true;
    u->placed = u->placed || s->quantity == MC_QUANTITY_COORDINATE;
    u->y[s->index + (s->quantity == MC_QUANTITY_COORDINATE ? 0
                     : s->quantity == MC_QUANTITY_VELOCITY ? n->q_count
                                                           : n->q_count + n->v_count)] = value;
    return MC_OK;
}

// Where a run begins at rest, as of `motorcade simulate`: from the drawn places and the parameters
// as they are now, so that initializing again changes nothing.
static mc_status settle(mechanism *u, mc_error *error)
{
    const mc_multibody_info *n = &u->m->info;
    if (u->placed || !u->m->model.from_rest)
        return MC_OK;
    mc_multibody_start(u->m, u->row);
    memcpy(u->y, u->row, (size_t)n->q_count * sizeof *u->y);
    return mc_multibody_settle(u->m, u->y, error);
}

static mc_status initialize(fmu_model *m, double t, mc_error *error)
{
    mechanism *u = of(m);
    u->stale = true;
    if (!u->dirty && t == u->t)
        return MC_OK;
    u->t = t;
    mc_status status = mc_multibody_check(u->m, error);
    if (status == MC_OK)
        status = settle(u, error);
    if (status == MC_OK)
        status = multibody_switching_start(&u->switching, t, u->y, error);
    u->dirty = false;
    u->stale = u->restart = true;
    if (status == MC_OK && u->m->system.switch_count > 0)
        multibody_switching_look(&u->switching, t, u->y, u->before);
    return status;
}

// ---- co-simulation -----------------------------------------------------------------------------

static ode_answer rate(void *context, double t, const double *y, double *dy)
{
    mechanism *u = context;
    mc_multibody_rate(u->switching.now, t, y, NULL, dy);
    return ODE_OK;
}

static ode_answer jacobian(void *context, double t, const double *y, double *matrix)
{
    mechanism *u = context;
    return mc_multibody_jacobian(u->switching.now, t, y, matrix, NULL, NULL) == MC_OK ? ODE_OK
                                                                                      : ODE_FAILED;
}

static void project(void *context, double t, double *y, bool step)
{
    mechanism *u = context;
    (void)step;
    mc_multibody_project(u->switching.now, t, y);
}

static void look(void *context, double t, const double *y, double *value)
{
    multibody_switching_look(&((mechanism *)context)->switching, t, y, value);
}

static mc_status make_integrator(mechanism *u, mc_error *error)
{
    ode_kind kind;
    const char *method = u->settings.method[0] ? u->settings.method : "dop853";
    if (!ode_kind_find(method, &kind))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "unknown method \"%s\"", method);
    if (!kind.adaptive && !(u->settings.fixed_step > 0.0))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "method %s has a fixed step: expected its length", kind.name);
    ode_options settings = ode_options_default();
    settings.rtol = settings.atol = u->settings.rtol > 0.0 ? u->settings.rtol : default_rtol;
    settings.step = kind.adaptive ? 0.0 : u->settings.fixed_step;
    settings.steps_max = 0;
    const int switches = u->m->system.switch_count;
    const ode_problem problem = {.n = u->m->info.y_count,
                                 .context = u,
                                 .rate = rate,
                                 .jacobian = kind.implicit ? jacobian : NULL,
                                 .project = project,
                                 .event = switches > 0 ? look : NULL,
                                 .event_count = switches};
    u->integrator = ode_create(&kind, &problem, &settings, error);
    return u->integrator ? MC_OK : error->code;
}

static mc_status advance(fmu_model *m, double t_end, mc_error *error)
{
    mechanism *u = of(m);
    const size_t size = (size_t)u->m->info.y_count * sizeof *u->y;
    mc_status status = u->integrator ? MC_OK : make_integrator(u, error);
    if (status == MC_OK && u->restart)
        status = ode_start(u->integrator, u->t, u->y, error);
    u->restart = false;
    u->stale = true;
    for (int k = 0; status == MC_OK; k++) {
        status = ode_run(u->integrator, t_end, NULL, 0, NULL, NULL, error);
        u->t = ode_time(u->integrator);
        memcpy(u->y, ode_state(u->integrator), size);
        if (status != MC_OK || !ode_events_of(u->integrator))
            break;
        if (k == SWITCHES_MAX)
            return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                                "joints switched more than %d times in a step, at t = %.9g s", k,
                                u->t);
        status =
            multibody_switching_at(&u->switching, u->t, u->y, ode_events_of(u->integrator), error);
        if (status == MC_OK)
            status = ode_start(u->integrator, u->t, u->y, error);
    }
    return status;
}

// ---- model exchange ----------------------------------------------------------------------------

static void set_time(fmu_model *m, double t)
{
    of(m)->stale = of(m)->stale || of(m)->t != t;
    of(m)->t = t;
}

static void get_states(fmu_model *m, double *x)
{
    memcpy(x, of(m)->y, (size_t)m->state_count * sizeof *x);
}

static void set_states(fmu_model *m, const double *x)
{
    memcpy(of(m)->y, x, (size_t)m->state_count * sizeof *x);
    of(m)->stale = of(m)->restart = true;
}

static void rates(fmu_model *m, double *dx)
{
    refresh(of(m));
    memcpy(dx, of(m)->dy, (size_t)m->state_count * sizeof *dx);
}

static void indicators(fmu_model *m, double *values)
{
    refresh(of(m));
    memcpy(values, of(m)->value, (size_t)m->event_count * sizeof *values);
}

// How far the state is from its constraints: the largest change by a projection, into row.
static double drift(mechanism *u)
{
    double largest = 0.0;
    memcpy(u->row, u->y, (size_t)u->m->info.y_count * sizeof *u->y);
    u->stale = true;
    mc_multibody_project(u->switching.now, u->t, u->row);
    for (int i = 0; i < u->m->info.y_count; i++)
        largest = fmax(largest, fabs(u->row[i] - u->y[i]) / fmax(1.0, fabs(u->y[i])));
    return largest;
}

static bool completed(fmu_model *m)
{
    mechanism *u = of(m);
    return m->completes && (u->projection == 0.0 || drift(u) > u->projection);
}

static mc_status event(fmu_model *m, bool *states_changed, mc_error *error)
{
    mechanism *u = of(m);
    bool risen[MB_SWITCHES_MAX] = {0}, any = false;
    *states_changed = false;
    if (m->completes) {
        *states_changed = drift(u) > 0.0;
        memcpy(u->y, u->row, (size_t)m->state_count * sizeof *u->y);
    }
    if (m->event_count > 0) {
        multibody_switching_look(&u->switching, u->t, u->y, u->value);
        for (int i = 0; i < m->event_count; i++)
            any |= risen[i] = u->before[i] < 0.0 && u->value[i] >= 0.0;
    }
    mc_status status = MC_OK;
    if (any) {
        *states_changed = true;
        status = multibody_switching_at(&u->switching, u->t, u->y, risen, error);
    }
    u->stale = u->restart = true;
    if (m->event_count > 0)
        multibody_switching_look(&u->switching, u->t, u->y, u->before);
    return status;
}

// ---- directional derivatives -------------------------------------------------------------------

// Derivatives of the outputs by states and inputs, as a program of their own.
static mc_status derive_outputs(mechanism *u, mc_error *error)
{
    mb_system *s = &u->m->system;
    const int rows = u->m->output_count, columns = s->y_count + s->input_count;
    const expr_program *p = u->m->code[MULTIBODY_RATE].program;
    arena *memory = &u->base.memory;
    expr_id *all = arena_alloc(memory, ((size_t)rows * (size_t)columns + 1) * sizeof *all);
    int *inputs = arena_alloc(memory, ((size_t)columns + 1) * sizeof *inputs);
    u->output_at = arena_alloc(memory, ((size_t)rows * (size_t)columns + 1) * sizeof(int));
    if (!all || !inputs || !u->output_at)
        return no_memory(error);
    for (int j = 0; j < columns; j++) // time is not among them
        inputs[j] = p->variable[j < s->y_count ? j : j + 1];
    mc_status status =
        expr_jacobian(s->graph, u->m->output_node, rows, inputs, columns, all, error);
    if (status != MC_OK)
        return status;
    for (int k = 0; k < rows * columns; k++)
        if (all[k] != EXPR_ZERO) {
            all[u->output_count] = all[k];
            u->output_at[u->output_count++] = k;
        }
    u->output_program = expr_program_build(s->graph, all, NULL, u->output_count, error);
    if (!u->output_program)
        return error->code;
    u->output_kernel = expr_kernel_create(u->output_program, EXPR_INTERPRET, error);
    if (!u->output_kernel)
        return error->code;
    u->output_kept = arena_alloc(memory, ((size_t)u->output_program->kept_count + 8) * 8);
    u->output_work = arena_alloc(memory, ((size_t)expr_kernel_work(u->output_kernel) + 8) * 8);
    u->output_value = arena_alloc(memory, ((size_t)u->output_count + 8) * 8);
    return u->output_kept && u->output_work && u->output_value ? MC_OK : no_memory(error);
}

// Column of a known variable in the matrices; -1: none.
static int column_of(const mechanism *u, int variable)
{
    const mc_multibody_info *n = &u->m->info;
    const slot *s = &u->slots[variable];
    if (s->what != SLOT_VALUE)
        return -1;
    switch (s->quantity) {
    case MC_QUANTITY_COORDINATE:
        return s->index;
    case MC_QUANTITY_VELOCITY:
        return n->q_count + s->index;
    case MC_QUANTITY_STATE:
        return n->q_count + n->v_count + s->index;
    case MC_QUANTITY_INPUT:
        return n->y_count + s->index;
    default:
        return -1;
    }
}

// Fills A, B and the derivatives of the outputs at the present state.
static mc_status fill_matrices(mechanism *u, mc_error *error)
{
    mc_multibody *m = u->m;
    if (u->switching.now != m)
        return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                            "directional derivatives are those of the joints that act at first");
    refresh(u);
    mc_status status = mc_multibody_jacobian(m, u->t, u->row, u->jacobian, u->by_input, error);
    if (status == MC_OK && !u->output_program)
        status = derive_outputs(u, error);
    if (status != MC_OK)
        return status;
    expr_kernel_prepare(u->output_kernel, m->parameter, u->output_kept, u->output_work);
    expr_kernel_run(u->output_kernel, m->x, u->output_kept, u->output_value, u->output_work);
    return MC_OK;
}

static double entry(const mechanism *u, int unknown, int column)
{
    const int n = u->m->info.y_count, columns = n + u->m->info.input_count;
    const slot *s = &u->slots[unknown];
    if (s->what == SLOT_RATE) {
        const int row = unknown - u->base.first_rate;
        return column < n ? u->jacobian[row + n * column] : u->by_input[row + n * (column - n)];
    }
    if (s->what == SLOT_VALUE && s->quantity != MC_QUANTITY_OUTPUT)
        return column_of(u, unknown) == column; // a state
    for (int k = 0; k < u->output_count; k++)
        if (u->output_at[k] == s->index * columns + column)
            return u->output_value[k];
    return 0.0;
}

static mc_status directional(fmu_model *m, const int *unknown, int unknown_count, const int *known,
                             int known_count, const double *seed, double *sensitivity,
                             mc_error *error)
{
    mechanism *u = of(m);
    const mc_status status = fill_matrices(u, error);
    for (int i = 0; i < unknown_count && status == MC_OK; i++) {
        sensitivity[i] = 0.0;
        for (int k = 0; k < known_count; k++) {
            const int column = column_of(u, known[k]);
            if (column < 0)
                return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s is no state and no input",
                                    m->variables[known[k]].name);
            sensitivity[i] += entry(u, unknown[i], column) * seed[k];
        }
    }
    return status;
}

// ---- state -------------------------------------------------------------------------------------

// The integrator's history is not part of it: it is forgotten on both sides, so that the steps
// after a restore are those after the save.
static void save(fmu_model *m, bytes *out)
{
    mechanism *u = of(m);
    const mb_system *s = &u->m->system;
    const int parameters = u->m->code[MULTIBODY_FORWARD].program->parameter_count;
    const uint64_t on = u->switching.now ? u->switching.now->on : u->m->on;
    u->restart = true;
    bytes_put(out, &u->t, sizeof u->t);
    bytes_put(out, u->y, (size_t)s->y_count * sizeof *u->y);
    bytes_put(out, u->before, (size_t)s->switch_count * sizeof *u->before);
    bytes_put(out, &on, sizeof on);
    bytes_put(out, u->switching.shift, sizeof u->switching.shift);
    bytes_put(out, u->m->x + mb_at_input(s), (size_t)s->input_count * sizeof(double));
    bytes_put(out, u->m->parameter, (size_t)parameters * sizeof(double));
    bytes_put(out, &u->projection, sizeof u->projection);
    bytes_put(out, &u->dirty, sizeof u->dirty);
    bytes_put(out, &u->placed, sizeof u->placed);
}

static mc_status restore(fmu_model *m, bytes_reader *in, mc_error *error)
{
    mechanism *u = of(m);
    const mb_system *s = &u->m->system;
    const int parameters = u->m->code[MULTIBODY_FORWARD].program->parameter_count;
    uint64_t on = 0;
    bytes_take(in, &u->t, sizeof u->t);
    bytes_take(in, u->y, (size_t)s->y_count * sizeof *u->y);
    bytes_take(in, u->before, (size_t)s->switch_count * sizeof *u->before);
    bytes_take(in, &on, sizeof on);
    bytes_take(in, u->switching.shift, sizeof u->switching.shift);
    bytes_take(in, u->m->x + mb_at_input(s), (size_t)s->input_count * sizeof(double));
    bytes_take(in, u->m->parameter, (size_t)parameters * sizeof(double));
    bytes_take(in, &u->projection, sizeof u->projection);
    bytes_take(in, &u->dirty, sizeof u->dirty);
    bytes_take(in, &u->placed, sizeof u->placed);
    if (in->failed)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "the state is cut off");
    multibody_parameters_changed(u->m);
    for (int i = 0; i < u->m->model.parameter_count; i++) {
        mb_parameter *p = &u->m->model.parameters[i];
        mc_multibody_get(u->m, p->name, &p->value, NULL);
    }
    u->stale = u->restart = true;
    return multibody_switching_to(&u->switching, on, u->t, u->y, error);
}

// ---- lifetime ----------------------------------------------------------------------------------

static void close_mechanism(fmu_model *m)
{
    mechanism *u = of(m);
    expr_kernel_destroy(u->output_kernel);
    expr_program_destroy(u->output_program);
    ode_free(u->integrator);
    mc_multibody_free(u->m);
    free(u->slots);
    free(u);
}

static const fmu_kind kind = {.close = close_mechanism,
                              .get = get,
                              .set = set,
                              .initialize = initialize,
                              .advance = advance,
                              .save = save,
                              .restore = restore,
                              .set_time = set_time,
                              .get_states = get_states,
                              .set_states = set_states,
                              .rates = rates,
                              .indicators = indicators,
                              .completed = completed,
                              .event = event,
                              .directional = directional};

// Adds a variable and what it is.
static fmu_variable *add(mechanism *u, slot s, const char *name, fmu_causality causality)
{
    mc_simulate_about about = {0};
    char doc[200] = "";
    if (s.what != SLOT_PROJECTION && s.what != SLOT_INDICATOR && s.what != SLOT_TIME)
        mc_simulate_describe(u->m, s.quantity, s.index, &about);
    if (s.what == SLOT_RATE) {
        snprintf(doc, sizeof doc, "rate of %s", mc_multibody_name(u->m, s.quantity, s.index));
        snprintf(about.unit, sizeof about.unit, "%s", ""); // of a state / s: not written down
    }
    slot *more = realloc(u->slots, ((size_t)u->base.variable_count + 1) * sizeof *more);
    if (!more)
        return NULL;
    u->slots = more;
    more[u->base.variable_count] = s;
    return fmu_model_add(&u->base, name, about.unit, doc[0] ? doc : about.doc, causality);
}

static bool add_values(mechanism *u, mc_quantity quantity, fmu_causality causality)
{
    const char *name;
    for (int i = 0; (name = mc_multibody_name(u->m, quantity, i)); i++) {
        fmu_variable *v = add(u, (slot){quantity, i, SLOT_VALUE}, name, causality);
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

static bool add_rates(mechanism *u, mc_quantity quantity)
{
    const char *name;
    char text[128];
    for (int i = 0; (name = mc_multibody_name(u->m, quantity, i)); i++) {
        snprintf(text, sizeof text, "der(%s)", name);
        fmu_variable *v = add(u, (slot){quantity, i, SLOT_RATE}, text, FMU_LOCAL);
        if (!v)
            return false;
        v->derivative_of = u->base.first_state + (u->base.variable_count - 1 - u->base.first_rate);
    }
    return true;
}

static bool add_switches(mechanism *u)
{
    const char *name;
    char text[128];
    u->base.first_indicator = u->base.variable_count;
    for (int i = 0; mb_switch_at(&u->m->model, i, &name, NULL); i++) {
        snprintf(text, sizeof text, "switch(%s)", name);
        fmu_variable *v = add(u, (slot){.index = i, .what = SLOT_INDICATOR}, text, FMU_LOCAL);
        if (!v)
            return false;
        v->doc = "switches on or off where it rises through zero";
        v->indicator = true;
    }
    return true;
}

static bool add_projection(mechanism *u)
{
    fmu_variable *v =
        add(u, (slot){.what = SLOT_PROJECTION}, "projection_tolerance", FMU_PARAMETER);
    if (!v)
        return false;
    v->doc = "model exchange: drift from the constraints at which states are moved back; 0: after "
             "every step";
    v->exact = true;
    v->start = default_projection;
    v->max = 1.0;
    return true;
}

static bool list(mechanism *u)
{
    fmu_model *b = &u->base;
    const mc_multibody_info *n = &u->m->info;
    fmu_variable *time = add(u, (slot){.what = SLOT_TIME}, "time", FMU_INDEPENDENT);
    if (!time)
        return false;
    time->unit = "s";
    bool good = add_values(u, MC_QUANTITY_PARAMETER, FMU_PARAMETER);
    if (b->completes)
        good = good && add_projection(u);
    good = good && add_values(u, MC_QUANTITY_INPUT, FMU_INPUT);
    b->first_state = b->variable_count;
    b->state_count = n->y_count;
    good = good && add_values(u, MC_QUANTITY_COORDINATE, FMU_OUTPUT) &&
           add_values(u, MC_QUANTITY_VELOCITY, FMU_OUTPUT) &&
           add_values(u, MC_QUANTITY_STATE, FMU_OUTPUT);
    b->first_rate = b->variable_count;
    good = good && add_rates(u, MC_QUANTITY_COORDINATE) && add_rates(u, MC_QUANTITY_VELOCITY) &&
           add_rates(u, MC_QUANTITY_STATE);
    return good && add_switches(u) && add_values(u, MC_QUANTITY_OUTPUT, FMU_OUTPUT);
}

static bool has_quaternions(const mc_multibody *m, double *y)
{
    bool any = false;
    for (int b = 0; b < m->model.body_count; b++)
        any = any || multibody_quaternion(m, y, b);
    return any;
}

static mc_status check(const mechanism *u, mc_error *error)
{
    const mb_model *model = &u->m->model;
    if (u->m->info.y_count == 0)
        return mc_error_set(error, MC_BAD_INPUT, model->file, 0, 0, "%s has no moving parts",
                            u->m->info.name);
    return MC_OK;
}

static mc_status fill(mechanism *u, mc_error *error)
{
    const mc_multibody_info *n = &u->m->info;
    const int switches = u->m->system.switch_count;
    const size_t y = (size_t)n->y_count + 1;
    double **arrays[] = {&u->y,     &u->row,    &u->dy,       &u->out,
                         &u->value, &u->before, &u->jacobian, &u->by_input};
    const size_t sizes[] = {y,
                            y,
                            y,
                            (size_t)n->output_count + 1,
                            MB_SWITCHES_MAX,
                            MB_SWITCHES_MAX,
                            y * y,
                            y * (size_t)(n->input_count + n->v_count + 1)};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if (!(*arrays[k] = arena_alloc(&u->base.memory, sizes[k] * sizeof(double))))
            return no_memory(error);
    mc_multibody_start(u->m, u->y);
    u->switching = (multibody_switching){.m = u->m, .row_step = u->base.output};
    u->projection = default_projection;
    u->dirty = u->stale = true;
    u->base.completes = u->m->system.rows.count > 0 || has_quaternions(u->m, u->y) || switches > 0;
    u->base.event_count = switches;
    const mc_status status = initialize(&u->base, 0.0, error);
    return status == MC_OK && !list(u) ? no_memory(error) : status;
}

fmu_model *fmu_mechanism_open(const fmu_settings *settings, const char *path, mc_error *error)
{
    const mc_multibody_options options = {.compile = MC_COMPILE_NEVER};
    mechanism *u = calloc(1, sizeof *u);
    if (!u) {
        no_memory(error);
        return NULL;
    }
    u->base.kind = &kind;
    u->base.why = "";
    u->settings = *settings;
    u->m = mc_multibody_load(path, &options, error);
    if (u->m && u->m->model.wheel_count + u->m->model.contact_count + u->m->model.limit_count +
                        u->m->model.motor_count >
                    0) {
        fmu_model_close(&u->base);
        return fmu_impulses_open(settings, path, error);
    }
    if (u->m && check(u, error) == MC_OK) {
        const mb_model *model = &u->m->model;
        u->base.name = u->m->info.name;
        u->base.doc = "mechanism, equations of motion derived by Motorcade";
        u->base.end = model->end > 0.0 ? model->end : 10.0;
        u->base.output = model->step > 0.0 ? model->step : u->base.end / 500.0;
        u->base.hash = bytes_hash(BYTES_HASH_START, u->m->text, strlen(u->m->text));
        if (fill(u, error) == MC_OK)
            return &u->base;
    }
    fmu_model_close(&u->base);
    return NULL;
}
