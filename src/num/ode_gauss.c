// ode_gauss.c - Gauss' collocation methods at a fixed step.
//
// With s stages of order 2 s. Symplectic and symmetric: the energy error of a conservative system
// stays bounded, quadratic invariants (length of a quaternion) are kept to rounding. A-stable, but
// stiff modes are not damped: they ring with the sign changing from step to step. For that, radau5.
//
// The equations of a step are solved to rounding, whatever the tolerance: what is left would add up
// and make the energy drift. So Newton continues until its change stops decreasing.
#include "num/ode_collocation.h"
#include "num/ode_kinds.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

typedef struct gauss_nodes {
    int stages;
    double c[ODE_STAGE_MAX];
} gauss_nodes;

// Zeros of the Legendre polynomials on 0 .. 1: 1/2 -+ sqrt(3)/6; 1/2 -+ sqrt(15)/10, 1/2.
static const gauss_nodes nodes2 = {1, {0.5}};
static const gauss_nodes nodes4 = {2, {0.21132486540518712, 0.7886751345948129}};
static const gauss_nodes nodes6 = {3, {0.1127016653792583, 0.5, 0.8872983346207417}};

typedef struct gauss_own {
    ode_stages stages;
    double *rate, *weight; // n
    bool fresh;            // the Jacobian is that of the present step
    bool renew;            // the next step needs a new one
} gauss_own;

static void layout(ode *o, ode_space *space)
{
    const size_t n = (size_t)o->problem.n;
    gauss_own *own = ode_space_take(space, 1, sizeof *own), places = {0};
    ode_stages_layout(o, space, &places.stages);
    places.rate = ode_space_doubles(space, n);
    places.weight = ode_space_doubles(space, n);
    if (own) {
        *own = places;
        const gauss_nodes *nodes = o->kind.table;
        ode_collocation_make(&own->stages.method, nodes->stages, nodes->c);
    }
    o->own = own;
}

static ode_trouble start(ode *o, double t_end)
{
    (void)t_end;
    gauss_own *own = o->own;
    ode_stages_reset(&own->stages);
    own->renew = true;
    return ODE_NO_TROUBLE;
}

// Iterates to rounding; the answer is that of the rate.
static ode_answer converge(ode *o, gauss_own *own, double h, bool *converged)
{
    // Changes are measured against the size of each state, or the size where atol takes over. A
    // change that no longer decreases below `small` is rounding; above, it has not converged.
    const double small = 1e-9;
    enum { ITERATIONS = 40, FEW = 10 };
    double before = INFINITY;
    ode_stages_guess(o, &own->stages, h);
    for (int k = 1; k <= ITERATIONS; k++) {
        double norm;
        int worst;
        const ode_answer answer =
            ode_stages_iterate(o, &own->stages, h, own->weight, &norm, &worst);
        if (answer != ODE_OK)
            return answer;
        if (norm <= 2.0 * DBL_EPSILON || (norm < small && norm >= before)) {
            own->renew = k > FEW;
            *converged = true;
            return ODE_OK;
        }
        if (!(norm < 2.0 * before))
            break;
        before = norm;
    }
    return ODE_OK;
}

static ode_answer new_jacobian(ode *o, gauss_own *own, double h)
{
    ode_answer answer = ode_rate_at(o, o->t, o->y, own->rate);
    if (answer == ODE_OK)
        answer = ode_stages_jacobian(o, &own->stages, own->rate, h);
    own->fresh = true;
    own->renew = false;
    return answer;
}

static ode_trouble advance(ode *o, double h)
{
    gauss_own *own = o->own;
    own->fresh = false;
    ode_weights(o, 1.0, 1.0 / o->options.rtol, o->y, o->y, own->weight);
    for (;;) {
        ode_answer answer = ODE_OK;
        if (own->renew)
            answer = new_jacobian(o, own, h);
        if (answer != ODE_OK)
            return ode_trouble_of(o, answer);
        bool converged = false;
        if (ode_stages_factor(o, &own->stages, h))
            answer = converge(o, own, h, &converged);
        if (converged)
            break;
        if (answer == ODE_FAILED || (own->fresh && answer != ODE_OK))
            return ode_trouble_of(o, answer);
        if (own->fresh)
            return ODE_NEWTON_FAILED;
        o->report.rejected++; // again, with a fresh Jacobian and without a guess
        own->renew = true;
        own->stages.h_old = 0.0;
    }
    ode_stages_add(o, &own->stages, own->stages.z, 1.0, o->y);
    ode_stages_accept(o, &own->stages, h);
    return ODE_NO_TROUBLE;
}

static const ode_method method = {.layout = layout, .start = start, .advance = advance};

const ode_kind ode_gauss2 = {.name = "gauss2",
                             .doc = "implicit midpoint rule, symplectic",
                             .order = 2,
                             .implicit = true,
                             .method = &method,
                             .table = &nodes2};
const ode_kind ode_gauss4 = {.name = "gauss4",
                             .doc = "Gauss' method with two stages, implicit, symplectic",
                             .order = 4,
                             .implicit = true,
                             .method = &method,
                             .table = &nodes4};
const ode_kind ode_gauss6 = {.name = "gauss6",
                             .doc = "Gauss' method with three stages, implicit, symplectic",
                             .order = 6,
                             .implicit = true,
                             .method = &method,
                             .table = &nodes6};
