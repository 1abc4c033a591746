// impact.h - simultaneous impacts between vehicles of any kind.
//
// Each contact k has a normal n_k and a closing speed u_k = n_k . (v_b - v_a) < 0. Impulses L_k >=
// 0 along the normals change the closing speeds by W L, W_kl = n_k . (response at k to n_l at l).
// Moreau's law with restitution e:  L = (1 + e) L0,  where  0 <= L0  perp  u + W L0 >= 0.
// Since L0'(u + W L0) = 0, e = 1 keeps the energy exactly; equal and opposite impulses at one point
// keep momentum. Separating contacts that this makes close are hit again in a further round.
#pragma once

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
    double closing; // out: n . (v_b - v_a) before, m/s; < 0 when closing
    double impulse; // out: N s, on b along the normal, on a against it
} impact_contact;

enum { IMPACT_MAX = 64 }; // contacts solved at one instant; more are taken in groups of this many

// Solves and applies the impulses. Contacts must be in order of (id_a, id_b). Returns rounds used.
int impact_solve(impact_contact *contacts, int count, double restitution);

// Velocities of the mass centres and energies of both bodies, for the record of an impact.
void impact_note(const impact_contact *contact, double velocity[2][3], mc_energy energy[2]);

// n . (v_b - v_a) of the material points in contact, now.
double impact_closing(const impact_contact *contact);
