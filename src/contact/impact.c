// impact.c - Moreau's impact law.
#include "contact/impact.h"

#include "base/assert.h"
#include "num/dense.h"
#include "num/vec3.h"

#include <math.h>

enum { ROUNDS = 64, SWEEPS = 1000 };

double impact_closing(const impact_contact *c)
{
    double v_a[3], v_b[3];
    c->a.batch->kind->point_velocity(c->a.batch, c->a.index, c->point_a, v_a);
    c->b.batch->kind->point_velocity(c->b.batch, c->b.index, c->point_b, v_b);
    return c->normal[0] * (v_b[0] - v_a[0]) + c->normal[1] * (v_b[1] - v_a[1]) +
           c->normal[2] * (v_b[2] - v_a[2]);
}

void impact_note(const impact_contact *contact, double velocity[2][3], mc_energy energy[2])
{
    const impact_body *side[2] = {&contact->a, &contact->b};
    for (int k = 0; k < 2; k++) {
        const mc_vehicle_kind *kind = side[k]->batch->kind;
        const double mass = kind->mass(side[k]->batch, side[k]->index);
        kind->momentum(side[k]->batch, side[k]->index, velocity[k]);
        for (int j = 0; j < 3; j++)
            velocity[k][j] /= mass;
        kind->energy(side[k]->batch, side[k]->index, &energy[k]);
    }
}

// n_k . (velocity change of `body` at contact k for a unit impulse at contact l), sign of k's side.
static double response(const impact_body *body, int id, const impact_contact *k,
                       const impact_contact *l)
{
    const double *seen = id == k->id_a ? k->point_a : k->point_b;
    const double *point = id == l->id_a ? l->point_a : l->point_b;
    const double side_k = id == k->id_a ? -1.0 : 1.0, side_l = id == l->id_a ? -1.0 : 1.0;
    const double impulse[3] = {side_l * l->normal[0], side_l * l->normal[1], side_l * l->normal[2]};
    double dv[3];
    body->batch->kind->impulse_response(body->batch, body->index, point, impulse, seen, dv);
    return side_k * vec3_dot(k->normal, dv);
}

static double coupling(const impact_contact *k, const impact_contact *l)
{
    double sum = 0.0;
    if (k->id_a == l->id_a || k->id_a == l->id_b)
        sum += response(&k->a, k->id_a, k, l);
    if (k->id_b == l->id_a || k->id_b == l->id_b)
        sum += response(&k->b, k->id_b, k, l);
    return sum;
}

// Solves w x = -u over the contacts with x > 0; keeps x when that makes one negative.
static void polish(int n, const double *w, const double *u, double *x)
{
    int active[IMPACT_MAX], count = 0;
    double a[IMPACT_MAX * IMPACT_MAX], y[IMPACT_MAX];
    for (int k = 0; k < n; k++)
        if (x[k] > 0.0)
            active[count++] = k;
    for (int i = 0; i < count; i++) {
        y[i] = -u[active[i]];
        for (int j = 0; j < count; j++)
            a[count * j + i] = w[active[i] * n + active[j]];
    }
    bool good = count > 0 && dense_solve(count, a, y);
    for (int i = 0; i < count && good; i++)
        good = y[i] > 0.0;
    for (int i = 0; i < count && good; i++)
        x[active[i]] = y[i];
}

// 0 <= x perp u + w x >= 0 for a symmetric positive definite w: projected Gauss-Seidel finds who
// takes part, a direct solution of those makes it exact.
static void complementarity(int n, const double *w, const double *u, double *x)
{
    for (int k = 0; k < n; k++)
        x[k] = 0.0;
    if (n == 1) {
        x[0] = fmax(0.0, -u[0] / w[0]);
        return;
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double change = 0.0, size = 0.0;
        for (int k = 0; k < n; k++) {
            double residual = u[k];
            for (int l = 0; l < n; l++)
                residual += w[k * n + l] * x[l];
            const double next = fmax(0.0, x[k] - residual / w[k * n + k]);
            change = fmax(change, fabs(next - x[k]));
            size = fmax(size, next);
            x[k] = next;
        }
        if (change <= 1e-10 * size)
            break;
    }
    polish(n, w, u, x);
}

static void apply(const impact_contact *c, double impulse)
{
    double on_b[3], on_a[3];
    for (int j = 0; j < 3; j++) {
        on_b[j] = impulse * c->normal[j];
        on_a[j] = -on_b[j];
    }
    c->a.batch->kind->apply_impulse(c->a.batch, c->a.index, c->point_a, on_a);
    c->b.batch->kind->apply_impulse(c->b.batch, c->b.index, c->point_b, on_b);
}

int impact_solve(impact_contact *contacts, int count, double restitution)
{
    mc_assert(count > 0 && count <= IMPACT_MAX);
    double w[IMPACT_MAX * IMPACT_MAX], u[IMPACT_MAX], x[IMPACT_MAX];
    double fastest = 0.0;
    for (int k = 0; k < count; k++) {
        u[k] = contacts[k].closing = impact_closing(&contacts[k]);
        contacts[k].impulse = 0.0;
        fastest = fmax(fastest, fabs(u[k]));
        for (int l = 0; l < count; l++)
            w[k * count + l] = coupling(&contacts[k], &contacts[l]);
    }
    int round = 0;
    for (; round < ROUNDS; round++) {
        bool closing = false;
        for (int k = 0; k < count; k++)
            closing = closing || u[k] < -1e-14 * fastest;
        if (!closing)
            break;
        complementarity(count, w, u, x);
        for (int k = 0; k < count; k++)
            contacts[k].impulse += (1.0 + restitution) * x[k];
        for (int k = 0; k < count; k++)
            for (int l = 0; l < count; l++)
                u[k] += w[k * count + l] * (1.0 + restitution) * x[l];
    }
    for (int k = 0; k < count; k++)
        if (contacts[k].impulse > 0.0)
            apply(&contacts[k], contacts[k].impulse);
    return round;
}
