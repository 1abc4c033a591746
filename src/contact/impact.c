// impact.c - Moreau's law without friction; with friction the responses as numbers for cone.h.
#include "contact/impact.h"

#include "base/assert.h"
#include "num/dense.h"
#include "num/vec3.h"

#include <math.h>
#include <string.h>

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

static void apply(const impact_contact *c)
{
    double on_b[3], on_a[3];
    for (int j = 0; j < 3; j++) {
        on_b[j] = c->impulse * c->normal[j];
        if (c->tangential[j] != 0.0)
            on_b[j] += c->tangential[j];
        on_a[j] = -on_b[j];
    }
    c->a.batch->kind->apply_impulse(c->a.batch, c->a.index, c->point_a, on_a);
    c->b.batch->kind->apply_impulse(c->b.batch, c->b.index, c->point_b, on_b);
}

static int solve_smooth(impact_contact *contacts, int count, double restitution)
{
    double w[IMPACT_MAX * IMPACT_MAX], u[IMPACT_MAX], x[IMPACT_MAX];
    double fastest = 0.0;
    for (int k = 0; k < count; k++) {
        u[k] = contacts[k].closing;
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
        for (int k = 0; k < count; k++) {
            contacts[k].impulse += (1.0 + restitution) * x[k];
            // Impulse times mean velocity; x was made so that u becomes -e u.
            contacts[k].restitution_loss -= 0.5 * (1.0 - restitution * restitution) * x[k] * u[k];
        }
        for (int k = 0; k < count; k++)
            for (int l = 0; l < count; l++)
                u[k] += w[k * count + l] * (1.0 + restitution) * x[l];
    }
    return round;
}

// ---- with friction ----

// Rows: the normal and two tangents, world components.
static void frame_of(const double normal[3], double frame[9])
{
    int smallest = 0;
    for (int j = 1; j < 3; j++)
        smallest = fabs(normal[j]) < fabs(normal[smallest]) ? j : smallest;
    double axis[3] = {0.0, 0.0, 0.0};
    axis[smallest] = 1.0;
    memcpy(frame, normal, 3 * sizeof *frame);
    vec3_cross(normal, axis, frame + 3);
    const double length = vec3_norm(frame + 3);
    for (int j = 0; j < 3; j++)
        frame[3 + j] /= length;
    vec3_cross(normal, frame + 3, frame + 6);
}

// Adds to the 3x3 block (k, l) of w what `body` answers.
static void add_response(const impact_body *body, int id, const impact_contact *k,
                         const impact_contact *l, const double frame_k[9], const double frame_l[9],
                         double *w, int stride)
{
    const double *seen = id == k->id_a ? k->point_a : k->point_b;
    const double *point = id == l->id_a ? l->point_a : l->point_b;
    const double sign = (id == k->id_a) == (id == l->id_a) ? 1.0 : -1.0;
    for (int j = 0; j < 3; j++) {
        double dv[3];
        body->batch->kind->impulse_response(body->batch, body->index, point, frame_l + 3 * j, seen,
                                            dv);
        for (int i = 0; i < 3; i++)
            w[i * stride + j] += sign * vec3_dot(frame_k + 3 * i, dv);
    }
}

static int solve_rough(impact_contact *contacts, int count, const impact_law *law)
{
    double w[9 * IMPACT_MAX * IMPACT_MAX], u[3 * IMPACT_MAX], frame[IMPACT_MAX][9];
    const int stride = 3 * count;
    memset(w, 0, (size_t)stride * (size_t)stride * sizeof *w);
    for (int k = 0; k < count; k++) {
        const impact_contact *c = &contacts[k];
        double v_a[3], v_b[3];
        frame_of(c->normal, frame[k]);
        c->a.batch->kind->point_velocity(c->a.batch, c->a.index, c->point_a, v_a);
        c->b.batch->kind->point_velocity(c->b.batch, c->b.index, c->point_b, v_b);
        const double v[3] = {v_b[0] - v_a[0], v_b[1] - v_a[1], v_b[2] - v_a[2]};
        for (int i = 0; i < 3; i++)
            u[3 * k + i] = vec3_dot(frame[k] + 3 * i, v);
    }
    for (int k = 0; k < count; k++)
        for (int l = 0; l < count; l++) {
            const impact_contact *c = &contacts[k], *d = &contacts[l];
            double *block = w + 3 * k * stride + 3 * l;
            if (c->id_a == d->id_a || c->id_a == d->id_b)
                add_response(&c->a, c->id_a, c, d, frame[k], frame[l], block, stride);
            if (c->id_b == d->id_a || c->id_b == d->id_b)
                add_response(&c->b, c->id_b, c, d, frame[k], frame[l], block, stride);
        }
    cone_result result;
    cone_impact(count, w, law->friction, law->restitution, u, &result);
    for (int k = 0; k < count; k++) {
        impact_contact *c = &contacts[k];
        const double *p = &result.p[3 * k];
        c->impulse = p[0];
        for (int j = 0; j < 3; j++)
            c->tangential[j] = p[1] * frame[k][3 + j] + p[2] * frame[k][6 + j];
        c->friction_loss = result.friction_loss[k];
        c->restitution_loss = result.restitution_loss[k];
    }
    return result.rounds;
}

int impact_solve(impact_contact *contacts, int count, const impact_law *law)
{
    mc_assert(count > 0 && count <= IMPACT_MAX);
    for (int k = 0; k < count; k++) {
        contacts[k].closing = impact_closing(&contacts[k]);
        contacts[k].impulse = contacts[k].friction_loss = contacts[k].restitution_loss = 0.0;
        memset(contacts[k].tangential, 0, sizeof contacts[k].tangential);
    }
    const int rounds = law->friction > 0.0 ? solve_rough(contacts, count, law)
                                           : solve_smooth(contacts, count, law->restitution);
    for (int k = 0; k < count; k++)
        if (contacts[k].impulse > 0.0)
            apply(&contacts[k]);
    return rounds;
}
