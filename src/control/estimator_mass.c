// estimator_mass.c - the mass of a braking car by eqs (9) to (12) of the DYNAVIS report.
//
// The observer of identify.h on a car of a run. Its gains gamma1 and gamma2 are the car's user1 and
// user2, as in the report; a gain below 0 counts as 0. Drive force minus drag is what the car's own
// maps say of coasting, so the error that the band allows for is one of both together.
#include "control/estimator.h"
#include "control/identify.h"

#include <math.h>
#include <string.h>

typedef struct mass_state {
    identify_state observer;
    double of_car[IDENTIFY_PARAM_COUNT - IDENTIFY_NOMINAL]; // as last told
} mass_state;
enum { PARAMS = IDENTIFY_FORGET }; // those of the observer and of both
enum { DOUBLES = sizeof(mass_state) / sizeof(double) };
_Static_assert(sizeof(mass_state) == DOUBLES * sizeof(double), "the state is doubles");
_Static_assert((int)DOUBLES <= (int)ESTIMATOR_STATE_MAX, "the state fits");
_Static_assert((int)PARAMS <= (int)ESTIMATOR_PARAM_MAX, "the parameters fit");

static void take_car(const double *in, mass_state *s)
{
    s->of_car[0] = in[ESTIMATOR_MASS];
    s->of_car[IDENTIFY_GAMMA_1 - IDENTIFY_NOMINAL] = fmax(in[ESTIMATOR_USER_1], 0.0);
    s->of_car[IDENTIFY_GAMMA_2 - IDENTIFY_NOMINAL] = fmax(in[ESTIMATOR_USER_1 + 1], 0.0);
}

static void complete(const double *p, const mass_state *s, double all[IDENTIFY_PARAM_COUNT])
{
    memcpy(all, p, PARAMS * sizeof *p);
    all[IDENTIFY_FORGET] = 0.0; // of least squares only
    memcpy(all + IDENTIFY_NOMINAL, s->of_car, sizeof s->of_car);
}

static identify_sample sample_of(const double *in)
{
    return (identify_sample){.v = in[ESTIMATOR_V],
                             .brake = in[ESTIMATOR_BRAKE_FORCE],
                             .drag = -in[ESTIMATOR_COAST_FORCE]};
}

static void start(const estimator_kind *kind, const double *p, const double *in, double *state)
{
    (void)kind;
    double all[IDENTIFY_PARAM_COUNT];
    mass_state s = {0};
    take_car(in, &s);
    complete(p, &s, all);
    identify_start(all, &s.observer);
    memcpy(state, &s, sizeof s);
}

static void step(const estimator_kind *kind, const double *p, const double *in, double dt,
                 double *state)
{
    (void)kind;
    double all[IDENTIFY_PARAM_COUNT];
    const identify_sample now = sample_of(in);
    mass_state s;
    memcpy(&s, state, sizeof s);
    take_car(in, &s);
    complete(p, &s, all);
    if (in[ESTIMATOR_BRAKING] == 0.0)
        identify_off(&s.observer);
    else if (s.observer.active == 0.0)
        identify_on(&s.observer, &now, now.v, now.brake);
    else
        identify_step(all, &s.observer, &now, dt);
    memcpy(state, &s, sizeof s);
}

static void read(const estimator_kind *kind, const double *p, const double *state,
                 estimator_result *out)
{
    (void)kind;
    double all[IDENTIFY_PARAM_COUNT];
    mass_state s;
    memcpy(&s, state, sizeof s);
    complete(p, &s, all);
    const identify_result r = identify_read(all, &s.observer);
    *out = (estimator_result){.value = r.mass,
                              .band = r.band,
                              .active = s.observer.active != 0.0,
                              .claimed = r.claimed,
                              .finite = true};
}

const estimator_kind estimator_mass = {
    .name = "mass",
    .doc = "mass of a braking car: adaptive observer, eqs (9) to (12); user1, user2 are its gains",
    .parameter = "mass",
    .unit = "kg",
    .params = identify_params,
    .param_count = PARAMS,
    .user = {&identify_params[IDENTIFY_GAMMA_1], &identify_params[IDENTIFY_GAMMA_2]},
    .state_count = DOUBLES,
    .needs = 1u << ESTIMATOR_BRAKE_FORCE | 1u << ESTIMATOR_COAST_FORCE,
    .start = start,
    .step = step,
    .read = read,
};
