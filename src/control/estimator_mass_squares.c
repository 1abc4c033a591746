// estimator_mass_squares.c - the mass of a braking car by recursive least squares (identify.h).
#include "control/estimator.h"
#include "control/identify.h"

#include <math.h>
#include <string.h>

enum { FIRST = IDENTIFY_FORCE_ERROR, PARAMS = IDENTIFY_NOMINAL - FIRST };
enum { DOUBLES = sizeof(identify_squares) / sizeof(double) };
_Static_assert(sizeof(identify_squares) == DOUBLES * sizeof(double), "the state is doubles");
_Static_assert((int)DOUBLES <= (int)ESTIMATOR_STATE_MAX, "the state fits");

static void complete(const double *p, double all[IDENTIFY_PARAM_COUNT])
{
    memset(all, 0, IDENTIFY_PARAM_COUNT * sizeof *all); // those of the observer
    memcpy(all + FIRST, p, PARAMS * sizeof *p);
}

static void start(const estimator_kind *kind, const double *p, const double *in, double *state)
{
    (void)kind, (void)p, (void)in;
    identify_squares s;
    identify_squares_start(&s);
    memcpy(state, &s, sizeof s);
}

static void step(const estimator_kind *kind, const double *p, const double *in, double dt,
                 double *state)
{
    (void)kind;
    double all[IDENTIFY_PARAM_COUNT];
    const identify_sample now = {.v = in[ESTIMATOR_V],
                                 .brake = in[ESTIMATOR_BRAKE_FORCE],
                                 .drag = -in[ESTIMATOR_COAST_FORCE]};
    identify_squares s;
    memcpy(&s, state, sizeof s);
    complete(p, all);
    if (in[ESTIMATOR_BRAKING] == 0.0)
        identify_squares_off(&s);
    else if (s.active == 0.0)
        identify_squares_on(&s, &now);
    else
        identify_squares_step(all, &s, &now, dt);
    memcpy(state, &s, sizeof s);
}

static void read(const estimator_kind *kind, const double *p, const double *state,
                 estimator_result *out)
{
    (void)kind;
    double all[IDENTIFY_PARAM_COUNT];
    identify_squares s;
    memcpy(&s, state, sizeof s);
    complete(p, all);
    const identify_result r = identify_squares_read(all, &s);
    *out = (estimator_result){.value = r.mass,
                              .band = isnan(r.mass) ? NAN : r.band,
                              .active = s.active != 0.0,
                              .claimed = r.claimed,
                              .finite = true};
}

const estimator_kind estimator_mass_squares = {
    .name = "mass_squares",
    .doc = "mass of a braking car: recursive least squares",
    .parameter = "mass",
    .unit = "kg",
    .params = identify_params + FIRST,
    .param_count = PARAMS,
    .state_count = DOUBLES,
    .needs = 1u << ESTIMATOR_BRAKE_FORCE | 1u << ESTIMATOR_COAST_FORCE,
    .start = start,
    .step = step,
    .read = read,
};
