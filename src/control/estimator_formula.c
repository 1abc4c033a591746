// estimator_formula.c - the user's own estimator; see estimator_formula.h.
#include "control/estimator_formula.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORK_MAX = 16384, X_MAX = ESTIMATOR_SIGNAL_COUNT + LAW_STATE_MAX + LAW_PARAM_MAX };
_Static_assert((int)ESTIMATOR_SIGNAL_COUNT <= (int)SIGNAL_COUNT, "signals of a law");
_Static_assert((int)LAW_PARAM_MAX <= (int)ESTIMATOR_PARAM_MAX, "parameters of a law");

// Of the state: at work or not, the estimate, the last measurements, then the states.
enum { AT_ACTIVE, AT_VALUE, AT_LAST, AT_STATES = AT_LAST + ESTIMATOR_SIGNAL_COUNT };
_Static_assert((int)AT_STATES + (int)LAW_STATE_MAX <= (int)ESTIMATOR_STATE_MAX, "the state fits");

struct estimator_formula {
    const estimator_text *text;
    law_vocabulary words, active_words;
    law_text active_text;
    law *law, *active; // active NULL: always
    estimator_kind kind;
};

typedef struct room { // of one call, on its stack
    _Alignas(64) double x[X_MAX * 4];
    _Alignas(64) double middle[ESTIMATOR_SIGNAL_COUNT * 4];
    _Alignas(64) double y[(1 + LAW_STATE_MAX) * 4];
    _Alignas(64) double work[WORK_MAX];
} room;

static const estimator_formula *own(const estimator_kind *kind)
{
    return kind->context;
}

static bool is_active(const estimator_formula *e, const double *p, const double *in, room *r)
{
    double y;
    if (!e->active)
        return true;
    memcpy(r->x, in, ESTIMATOR_SIGNAL_COUNT * sizeof *in);
    memcpy(r->x + law_param_at(e->active), p, (size_t)e->active_text.param_count * sizeof *p);
    law_run_one(e->active, r->x, &y, r->work);
    return y > 0.0;
}

// Signals, states and parameters of one car, one behind the other.
static void fill_one(const estimator_formula *e, const double *p, const double *in,
                     const double *states, double *x)
{
    memcpy(x, in, ESTIMATOR_SIGNAL_COUNT * sizeof *in);
    memcpy(x + law_state_at(e->law), states, (size_t)e->text->law.state_count * sizeof *states);
    memcpy(x + law_param_at(e->law), p, (size_t)e->text->law.param_count * sizeof *p);
}

static double value_now(const estimator_formula *e, const double *p, const double *in,
                        const double *state, room *r)
{
    fill_one(e, p, in, state + AT_STATES, r->x);
    law_run_one(e->law, r->x, r->y, r->work);
    return r->y[0];
}

static void start(const estimator_kind *kind, const double *p, const double *in, double *state)
{
    const estimator_formula *e = own(kind);
    room r;
    memset(state, 0, (size_t)kind->state_count * sizeof *state);
    fill_one(e, p, in, state + AT_STATES, r.x);
    law_start(e->law, r.x, state + AT_STATES);
    memcpy(state + AT_LAST, in, ESTIMATOR_SIGNAL_COUNT * sizeof *in);
    state[AT_VALUE] = value_now(e, p, in, state, &r);
}

// Activation: some states begin again.
static void restart(const estimator_formula *e, const double *p, const double *in, double *state,
                    room *r)
{
    double fresh[LAW_STATE_MAX] = {0};
    fill_one(e, p, in, state + AT_STATES, r->x);
    law_start(e->law, r->x, fresh);
    for (int k = 0; k < e->text->law.state_count; k++)
        if (e->text->restart >> k & 1)
            state[AT_STATES + k] = fresh[k];
}

// A block of four lanes of which each is this car.
static void advance(const estimator_formula *e, const double *p, const double *in, double dt,
                    double *state, room *r)
{
    const int count = law_x_count(e->law), at = law_state_at(e->law);
    const double *last = state + AT_LAST;
    double one[X_MAX];
    fill_one(e, p, last, state + AT_STATES, one);
    for (int s = 0; s < count; s++)
        for (int lane = 0; lane < 4; lane++)
            r->x[4 * s + lane] = one[s];
    for (int s = 0; s < ESTIMATOR_SIGNAL_COUNT; s++)
        for (int lane = 0; lane < 4; lane++)
            r->middle[4 * s + lane] = 0.5 * (last[s] + in[s]);
    law_step(e->law, 1, dt, r->x, r->middle, r->y, r->work);
    for (int k = 0; k < e->text->law.state_count; k++)
        state[AT_STATES + k] = r->x[4 * (at + k)];
}

static void step(const estimator_kind *kind, const double *p, const double *in, double dt,
                 double *state)
{
    const estimator_formula *e = own(kind);
    room r;
    const bool active = is_active(e, p, in, &r);
    if (active && state[AT_ACTIVE] == 0.0)
        restart(e, p, in, state, &r);
    else if (active)
        advance(e, p, in, dt, state, &r);
    state[AT_ACTIVE] = active;
    memcpy(state + AT_LAST, in, ESTIMATOR_SIGNAL_COUNT * sizeof *in);
    state[AT_VALUE] = value_now(e, p, in, state, &r);
}

static void read(const estimator_kind *kind, const double *p, const double *state,
                 estimator_result *out)
{
    (void)p;
    bool finite = isfinite(state[AT_VALUE]);
    for (int k = 0; k < own(kind)->text->law.state_count; k++)
        finite = finite && isfinite(state[AT_STATES + k]);
    *out = (estimator_result){.value = state[AT_VALUE],
                              .band = NAN,
                              .active = state[AT_ACTIVE] != 0.0,
                              .claimed = true,
                              .finite = finite};
}

static mc_status compile(estimator_formula *e, const char *file, expr_compile how, mc_error *error)
{
    const law_text *t = &e->text->law;
    e->law = law_compile_words(t, &e->words, file, how, error);
    if (!e->law)
        return error->code;
    if (e->text->active.formula) {
        e->active_text = (law_text){.name = t->name,
                                    .doc = "",
                                    .acceleration = e->text->active,
                                    .params = t->params,
                                    .param_count = t->param_count,
                                    .line = t->line,
                                    .column = t->column};
        e->active = law_compile_words(&e->active_text, &e->active_words, file, how, error);
        if (!e->active)
            return error->code;
    }
    if (law_work(e->law) > WORK_MAX || (e->active && law_work(e->active) > WORK_MAX))
        return mc_error_set(error, MC_BAD_INPUT, file, t->line, t->column,
                            "estimator %s is too long: it needs %d intermediate values, expected "
                            "at most %d",
                            t->name, law_work(e->law), WORK_MAX);
    return MC_OK;
}

static unsigned needs_of(const estimator_formula *e)
{
    unsigned needs = 0;
    for (int s = 0; s < ESTIMATOR_SIGNAL_COUNT; s++)
        if (law_uses(e->law, s) || (e->active && law_uses(e->active, s)))
            needs |= 1u << s;
    return needs;
}

estimator_formula *estimator_formula_create(const estimator_text *text, const char *file,
                                            expr_compile how, mc_error *error)
{
    mc_error unused;
    error = error ? error : &unused;
    estimator_formula *e = calloc(1, sizeof *e);
    if (!e) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for an estimator");
        return NULL;
    }
    e->text = text;
    e->words = (law_vocabulary){estimator_signals, ESTIMATOR_SIGNAL_COUNT, "estimate", text->unit};
    e->active_words = (law_vocabulary){estimator_signals, ESTIMATOR_SIGNAL_COUNT, "active", ""};
    if (compile(e, file, how, error) != MC_OK) {
        estimator_formula_destroy(e);
        return NULL;
    }
    e->kind = (estimator_kind){.name = text->law.name,
                               .doc = text->law.doc,
                               .parameter = text->parameter,
                               .unit = text->unit,
                               .params = text->law.params,
                               .param_count = text->law.param_count,
                               .state_count = AT_STATES + text->law.state_count,
                               .needs = needs_of(e),
                               .context = e,
                               .start = start,
                               .step = step,
                               .read = read};
    return e;
}

void estimator_formula_destroy(estimator_formula *e)
{
    if (!e)
        return;
    law_destroy(e->law);
    law_destroy(e->active);
    free(e);
}

const estimator_kind *estimator_formula_kind(const estimator_formula *e)
{
    return &e->kind;
}
