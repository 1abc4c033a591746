// cone.h - impacts with Coulomb friction and restitution, as a problem of numbers alone.
//
// Contact k has a frame (normal, two tangents). u holds the relative velocities of all contacts, p
// their impulses: three entries per contact, the normal one first. Impulses change velocities by w
// p; w is symmetric and positive semidefinite. mu: friction; e: restitution.
//
// The law has two phases, as Poisson's:
//   compression  p1: every contact inelastic with Coulomb friction. v1 = u + w p1 and for each k
//                    0 <= p1_N  perp  v1_N >= 0,   |p1_T| <= mu p1_N,
//                    p1_T = -mu p1_N v1_T / |v1_T|  where v1_T is not 0.
//   expansion    p2: p2_N = e p1_N is restored, and p2_T in the disc |p2_T| <= mu p2_N minimizes
//                    the energy. v2 = v1 + w p2. This is Coulomb's law again: where v2_T is
//                    not 0, p2_T opposes it with all that is allowed; else the contact sticks.
//
// Energy never grows. An impulse p changes it by p'u + p'w p / 2. In compression v1'p1 = -D with
// D = sum mu p1_N |v1_T| >= 0, so the change is -D - Q/2, Q = p1'w p1 >= 0. In expansion p2 = e p1
// is allowed and would change it by -e D + e^2 Q/2; what is least is not more. So altogether
//     change <= -(1 + e) D - (1 - e^2) Q/2 <= 0.
// The argument needs only p1 in its cones and v1'p1 <= 0, and p2 not worse than e p1; the solvers
// keep both at every sweep, so an iteration that ends early costs accuracy and no energy.
// Newton's law, v2_N = -e u_N, has no such bound: with friction it can create energy.
//
// Where friction does not matter (mu = 0) this is Moreau's law p = (1 + e) p1. A contact may slip
// back in expansion (reverse slip). Within a phase the slip has the direction of its end; slip that
// reverses within a phase is not followed. Contacts that close after expansion are hit
// again in a further round; the last round allowed is inelastic and leaves none closing.
//
// Limits: several contacts are solved by sweeps. Friction far above 1 with strong coupling can have
// several solutions or a slow search; then some closing speed may be left, which the caller meets
// again as a new impact.
#pragma once

enum {
    CONE_MAX = 64,    // contacts at one instant
    CONE_SWEEPS = 500 // most sweeps of one phase
};

typedef struct cone_result {
    double p[3 * CONE_MAX];            // N s, whole impulses
    double friction_loss[CONE_MAX];    // J, minus the work of the tangential impulses
    double restitution_loss[CONE_MAX]; // J, minus the work of the normal impulses
    int rounds;
} cone_result;

// n contacts; w: 3n x 3n, row major; u: before, becomes after. The losses of all contacts add up to
// the energy lost.
void cone_impact(int n, const double *w, double mu, double e, double *u, cone_result *out);

// Compression alone: p from w, u. Returns the sweeps used.
int cone_compress(int n, const double *w, double mu, const double *u, double *p);
