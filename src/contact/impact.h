// impact.h - simultaneous impacts between vehicles of any kind.
//
// Each contact k has a normal n_k and a closing speed u_k = n_k . (v_b - v_a) < 0. Without friction
// impulses L_k >= 0 along the normals change the closing speeds by W L, W_kl = n_k . (response at k
// to n_l at l). Moreau's law with restitution e:
//     L = (1 + e) L0,  where  0 <= L0  perp  u + W L0 >= 0.
// Since L0'(u + W L0) = 0, e = 1 keeps the energy exactly. Separating contacts that this makes
// close are hit again in a further round.
//
// With friction the impulse of a contact is a vector in the cone |L_T| <= friction L_N. cone.h has
// the law, which is the one above where friction is 0, and why it never creates energy. Kinds need
// not move along all axes: a direction in which nothing gives way gets no tangential impulse.
//
// Equal and opposite impulses keep momentum whatever the law.
#pragma once

#include "contact/cone.h"
#include "contact/ellipsoid.h"

#include <stdbool.h>

typedef struct impact_body {
    mc_batch *batch;
    int index;
} impact_body;

typedef struct impact_contact {
    impact_body a, b;
    int id_a, id_b;   // tell bodies apart; a < b
    double normal[3]; // unit, from a to b
    double point_a[3], point_b[3];
    double closing;          // out: n . (v_b - v_a) before, m/s; < 0 when closing
    double impulse;          // out: N s, on b along the normal, on a against it
    double tangential[3];    // out: N s, world, on b; a gets the opposite
    double friction_loss;    // out: J, taken by friction
    double restitution_loss; // out: J, taken by restitution below 1
} impact_contact;

typedef struct impact_law {
    double restitution; // 0..1
    double friction;    // >= 0
} impact_law;

enum {
    IMPACT_MAX = CONE_MAX
}; // contacts solved at one instant; more are taken in groups of this many

// Solves and applies the impulses. Contacts must be in order of (id_a, id_b). Returns rounds used.
int impact_solve(impact_contact *contacts, int count, const impact_law *law);

// Velocities of the mass centres and energies of both bodies, for the record of an impact.
void impact_note(const impact_contact *contact, double velocity[2][3], mc_energy energy[2]);

// n . (v_b - v_a) of the material points in contact, now.
double impact_closing(const impact_contact *contact);
