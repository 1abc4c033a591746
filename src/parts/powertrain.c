// powertrain.c - the list of powertrains, and what all kinds share for one vehicle.
#include "parts/powertrain.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <strings.h>

#define ADDRESS(word) &powertrain_##word,
#define ADDRESS_CHOSEN(word, role) ADDRESS(word)
#define SKIP(word)
#define BY_ROLE(word, role) [MC_POWERTRAIN_ROLE_##role] = &powertrain_##word,
static const powertrain_kind *const kinds[] = {POWERTRAIN_KINDS(ADDRESS, ADDRESS_CHOSEN)};
static const powertrain_kind *const defaults[MC_POWERTRAIN_ROLE_COUNT] = {
    POWERTRAIN_KINDS(SKIP, BY_ROLE)};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0], LANES_AT_ONCE = 4 };

const powertrain_kind *powertrain_kind_at(int index)
{
    return index >= 0 && index < KIND_COUNT ? kinds[index] : NULL;
}

const powertrain_kind *powertrain_kind_find(const char *name)
{
    for (int i = 0; i < KIND_COUNT; i++)
        if (strcasecmp(kinds[i]->name, name) == 0)
            return kinds[i];
    return NULL;
}

const powertrain_kind *powertrain_default(mc_powertrain_role role)
{
    return defaults[role];
}

void powertrain_defaults(const powertrain_kind *kind, double p[POWERTRAIN_PARAM_MAX])
{
    for (int i = 0; i < POWERTRAIN_PARAM_MAX; i++)
        p[i] = i < kind->param_count ? kind->params[i].fallback : 0.0;
}

static void spread(const double *values, int count, double *out)
{
    for (int k = 0; k < count; k++)
        for (int i = 0; i < LANES_AT_ONCE; i++)
            out[LANES_AT_ONCE * k + i] = values[k];
}

void powertrain_look(const powertrain_kind *kind, const double *p, double throttle, double v,
                     const double *x, powertrain_values *out)
{
    enum { N = LANES_AT_ONCE };
    _Alignas(32) double wide_p[N * POWERTRAIN_PARAM_MAX], wide_x[N * POWERTRAIN_STATE_MAX];
    _Alignas(32) double rate[N * POWERTRAIN_STATE_MAX];
    _Alignas(32) double wide_throttle[N], wide_v[N], result[6][N];
    spread(p, kind->param_count, wide_p);
    spread(x, kind->state_count, wide_x);
    spread(&throttle, 1, wide_throttle);
    spread(&v, 1, wide_v);
    const powertrain_in in = {.throttle = wide_throttle, .v = wide_v};
    const powertrain_out o = {.force = result[0],
                              .fuel = result[1],
                              .input_power = result[2],
                              .shaft_power = result[3],
                              .ratio = result[4],
                              .region = result[5]};
    kind->eval[CPU_PLAIN](wide_p, N, &in, wide_x, rate, &o);
    *out = (powertrain_values){.force = result[0][0],
                               .fuel = result[1][0],
                               .input_power = result[2][0],
                               .shaft_power = result[3][0],
                               .ratio = result[4][0],
                               .region = result[5][0]};
    for (int k = 0; k < kind->state_count; k++)
        out->rate[k] = rate[N * k];
}

double powertrain_steady_force(const powertrain_kind *kind, const double *p, double v,
                               double throttle)
{
    double x[POWERTRAIN_STATE_MAX];
    powertrain_values values;
    kind->settle(p, v, throttle, x);
    powertrain_look(kind, p, throttle, v, x, &values);
    return values.force;
}

void powertrain_state_name(const powertrain_kind *kind, int k, mc_state_name *out)
{
    const bool named = k > 0 && kind->states;
    snprintf(out->name, sizeof out->name, "%s",
             k == 0  ? "n"
             : named ? kind->states[k - 1].name
                     : "");
    snprintf(out->unit, sizeof out->unit, "%s",
             k == 0  ? "rpm"
             : named ? kind->states[k - 1].unit
                     : "");
}
