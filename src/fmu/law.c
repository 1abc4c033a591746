// law.c - a control law as a unit: signals in, desired acceleration out.
//
// A law without states is evaluated at the end of every step with the inputs of that step. One with
// states is taken through the step by the midpoint rule, as in a run: its inputs are the signals at
// the start of the step, and those named middle.* the same half a step later. Importers that do not
// know them leave `midpoint` false: then the inputs hold for the whole step.
#include "fmu/model.h"

#include "base/file.h"
#include "control/law.h"
#include "scenario/scenario.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 4 };

typedef struct slot { // what a variable is
    enum {
        SLOT_TIME,
        SLOT_NOW,
        SLOT_MIDDLE,
        SLOT_PARAM,
        SLOT_MIDPOINT,
        SLOT_ANSWER,
        SLOT_STATE
    } what;
    int index;
} slot;

typedef struct law_unit {
    fmu_model base;     // first
    scenario *scenario; // NULL: a law of the library
    const law_text *text;
    law *law;
    slot *slots;
    // x of law.h for one car: signals at the start, states, parameters; signals in the middle.
    double *x, middle[SIGNAL_COUNT], y[1 + LAW_STATE_MAX];
    double *lanes, *lane_middle, *lane_y, *work; // room for a block of four
    double time, midpoint;
} law_unit;

static law_unit *of(fmu_model *m)
{
    return (law_unit *)m;
}

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the unit");
}

// ---- values ------------------------------------------------------------------------------------

static double *place(law_unit *u, int variable)
{
    const slot *s = &u->slots[variable];
    switch (s->what) {
    case SLOT_TIME:
        return &u->time;
    case SLOT_NOW:
        return &u->x[s->index];
    case SLOT_MIDDLE:
        return &u->middle[s->index];
    case SLOT_PARAM:
        return &u->x[law_param_at(u->law) + s->index];
    case SLOT_MIDPOINT:
        return &u->midpoint;
    case SLOT_STATE:
        return &u->x[law_state_at(u->law) + s->index];
    default:
        return &u->y[0];
    }
}

static double get(fmu_model *m, int variable)
{
    return *place(of(m), variable);
}

static mc_status set(fmu_model *m, int variable, double value, mc_error *error)
{
    if (!isfinite(value))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s must be a finite number",
                            m->variables[variable].name);
    *place(of(m), variable) = value;
    return MC_OK;
}

// ---- steps -------------------------------------------------------------------------------------

static mc_status initialize(fmu_model *m, double t, mc_error *error)
{
    law_unit *u = of(m);
    (void)error;
    u->time = t;
    if (u->text->state_count > 0)
        law_start(u->law, u->x, u->x + law_state_at(u->law));
    law_run_one(u->law, u->x, u->y, u->work);
    return MC_OK;
}

// All lanes are the same car.
static void spread(const double *from, int count, double *to)
{
    for (int k = 0; k < count; k++)
        for (int lane = 0; lane < LANES; lane++)
            to[LANES * k + lane] = from[k];
}

static mc_status advance(fmu_model *m, double t_end, mc_error *error)
{
    law_unit *u = of(m);
    const int states = u->text->state_count, at = law_state_at(u->law);
    if (states == 0) {
        law_run_one(u->law, u->x, u->y, u->work);
    } else {
        spread(u->x, law_x_count(u->law), u->lanes);
        spread(u->middle, SIGNAL_COUNT, u->lane_middle);
        law_step(u->law, 1, m->length, u->lanes, u->midpoint != 0.0 ? u->lane_middle : NULL,
                 u->lane_y, u->work);
        for (int k = 0; k < states; k++)
            u->x[at + k] = u->lanes[LANES * (at + k)];
        for (int k = 0; k <= states; k++)
            u->y[k] = u->lane_y[LANES * k];
    }
    u->time = t_end;
    return isfinite(u->y[0])
               ? MC_OK
               : mc_error_set(error, MC_FAILED, NULL, 0, 0,
                              "the law gives no finite acceleration at t = %g s", t_end);
}

// ---- state -------------------------------------------------------------------------------------

static void save(fmu_model *m, bytes *out)
{
    law_unit *u = of(m);
    bytes_put(out, &u->time, sizeof u->time);
    bytes_put(out, &u->midpoint, sizeof u->midpoint);
    bytes_put(out, u->x, (size_t)law_x_count(u->law) * sizeof *u->x);
    bytes_put(out, u->middle, sizeof u->middle);
    bytes_put(out, u->y, sizeof u->y);
}

static mc_status restore(fmu_model *m, bytes_reader *in, mc_error *error)
{
    law_unit *u = of(m);
    const bool good = bytes_take(in, &u->time, sizeof u->time) &&
                      bytes_take(in, &u->midpoint, sizeof u->midpoint) &&
                      bytes_take(in, u->x, (size_t)law_x_count(u->law) * sizeof *u->x) &&
                      bytes_take(in, u->middle, sizeof u->middle) &&
                      bytes_take(in, u->y, sizeof u->y);
    return good ? MC_OK : mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "the state is cut off");
}

// ---- lifetime ----------------------------------------------------------------------------------

static void close_law(fmu_model *m)
{
    law_unit *u = of(m);
    law_destroy(u->law);
    if (u->scenario)
        scenario_free(u->scenario);
    free(u->slots);
    free(u->x);
    free(u->work);
    free(u);
}

static const fmu_kind kind = {.close = close_law,
                              .get = get,
                              .set = set,
                              .initialize = initialize,
                              .advance = advance,
                              .save = save,
                              .restore = restore};

static fmu_variable *add(law_unit *u, slot s, const char *name, const char *unit, const char *doc,
                         fmu_causality causality)
{
    slot *more = realloc(u->slots, ((size_t)u->base.variable_count + 1) * sizeof *more);
    if (!more)
        return NULL;
    u->slots = more;
    more[u->base.variable_count] = s;
    fmu_variable *v = fmu_model_add(&u->base, name, unit, doc ? doc : "", causality);
    if (v && (causality == FMU_INPUT || causality == FMU_PARAMETER)) {
        v->exact = true;
        v->start = *place(u, u->base.variable_count - 1);
    }
    return v;
}

static bool add_signals(law_unit *u, bool middle)
{
    char name[64], doc[256];
    for (int k = 0; k < SIGNAL_COUNT; k++) {
        const law_signal_row *row = &law_signals[k];
        if (!law_uses(u->law, k))
            continue;
        snprintf(name, sizeof name, "%s%s", middle ? "middle." : "", row->name);
        snprintf(doc, sizeof doc, "%s%s", row->doc, middle ? ", in the middle of the step" : "");
        if (!add(u, (slot){middle ? SLOT_MIDDLE : SLOT_NOW, k}, name, row->unit, doc, FMU_INPUT))
            return false;
    }
    return true;
}

static bool list(law_unit *u)
{
    const law_text *t = u->text;
    const bool states = t->state_count > 0;
    bool good = add(u, (slot){SLOT_TIME, 0}, "time", "s", "", FMU_INDEPENDENT) &&
                add(u, (slot){SLOT_ANSWER, 0}, "acceleration", "m/s^2", "desired", FMU_OUTPUT) &&
                add_signals(u, false) && (!states || add_signals(u, true));
    if (good && states) {
        fmu_variable *v = add(u, (slot){SLOT_MIDPOINT, 0}, "midpoint", "",
                              "the inputs middle.* are connected", FMU_PARAMETER);
        good = v != NULL;
        if (v)
            v->boolean = true;
    }
    for (int k = 0; k < t->param_count && good; k++) {
        const mc_param *row = &t->params[k];
        fmu_variable *v =
            add(u, (slot){SLOT_PARAM, k}, row->name, row->unit, row->doc, FMU_PARAMETER);
        good = v != NULL;
        if (v)
            v->tunable = true;
        if (v && v->start >= row->min && v->start <= row->max)
            v->min = row->min, v->max = row->max;
    }
    for (int k = 0; k < t->state_count && good; k++)
        good = add(u, (slot){SLOT_STATE, k}, t->states[k].rate.name, t->states[k].rate.unit,
                   "state of the law", FMU_OUTPUT);
    return good;
}

static mc_status find_text(law_unit *u, const fmu_settings *s, const char *path, const double **p,
                           mc_error *error)
{
    *p = NULL;
    if (s->law[0]) {
        u->text = law_find(s->law);
        return u->text ? MC_OK
                       : mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                      "unknown law \"%s\"; motorcade laws lists them", s->law);
    }
    arena text = {0};
    char *data;
    size_t size;
    mc_status status = file_read(&text, path, 0, &data, &size, error);
    if (status == MC_OK) {
        u->scenario = scenario_parse_bundle(data, size, path, error);
        status = u->scenario ? MC_OK : error->code;
    }
    arena_free(&text);
    for (int k = 0; status == MC_OK && k < u->scenario->controller_count; k++)
        if (strcmp(u->scenario->controllers[k].name, s->controller) == 0) {
            u->text = u->scenario->controllers[k].law;
            *p = u->scenario->controllers[k].law_p;
        }
    return status != MC_OK || u->text
               ? status
               : mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "no controller is called \"%s\"",
                              s->controller);
}

static mc_status make(law_unit *u, const double *p, const char *path, mc_error *error)
{
    u->law = law_compile(u->text, u->scenario ? path : NULL, EXPR_INTERPRET, error);
    if (!u->law)
        return error->code;
    const size_t x = (size_t)law_x_count(u->law), y = (size_t)law_y_count(u->law);
    u->x = calloc(x * (1 + LANES) + SIGNAL_COUNT * LANES + y * LANES, sizeof *u->x);
    if (!u->x || posix_memalign((void **)&u->work, 64, ((size_t)law_work(u->law) + 8) * 8) != 0)
        return no_memory(error);
    u->lanes = u->x + x;
    u->lane_middle = u->lanes + x * LANES;
    u->lane_y = u->lane_middle + SIGNAL_COUNT * LANES;
    for (int k = 0; k < u->text->param_count; k++) {
        const double value = p ? p[k] : u->text->params[k].fallback;
        u->x[law_param_at(u->law) + k] = isnan(value) ? 0.0 : value;
    }
    return MC_OK;
}

static unsigned long long hash_of(const law_unit *u)
{
    unsigned long long hash = BYTES_HASH_START;
    mc_law_line line;
    for (int k = 0; mc_law_line_at(u->text->name, k, &line); k++)
        hash = bytes_hash(hash, line.formula, strlen(line.formula));
    if (u->scenario)
        hash = bytes_hash(hash, u->scenario->text, strlen(u->scenario->text));
    return hash;
}

fmu_model *fmu_law_open(const fmu_settings *settings, const char *path, mc_error *error)
{
    law_unit *u = calloc(1, sizeof *u);
    const double *p;
    if (!u) {
        no_memory(error);
        return NULL;
    }
    u->base.kind = &kind;
    u->base.why = "a law answers once per control step";
    if (find_text(u, settings, path, &p, error) == MC_OK && make(u, p, path, error) == MC_OK) {
        u->base.name = settings->law[0] ? u->text->name : settings->controller;
        u->base.name = arena_copy_text(&u->base.memory, u->base.name, strlen(u->base.name));
        u->base.doc = u->text->doc;
        u->base.end = 60.0;
        u->base.output = 0.05;
        u->base.hash = hash_of(u);
        if (u->base.name && list(u))
            return &u->base;
        no_memory(error);
    }
    fmu_model_close(&u->base);
    return NULL;
}
