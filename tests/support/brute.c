// brute.c - positions, derivatives, T and V, and one dense solution.
#include "support/brute.h"

#include "base/assert.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void brute_begin(brute *b, int n, const double gravity[3])
{
    mc_assert(n <= BRUTE_MAX);
    *b = (brute){.g = expr_graph_create(), .n = n};
    memcpy(b->gravity, gravity, sizeof b->gravity);
    expr_id still[3 * BRUTE_MAX], moving[3 * BRUTE_MAX];
    for (int i = 0; i < n; i++) {
        char name[3][16];
        for (int k = 0; k < 3; k++)
            snprintf(name[k], sizeof name[k], "q%d%.*s", i, k, "dd");
        b->q[i] = expr_input(b->g, name[0], EXPR_VARIABLE);
        b->qd[i] = expr_input(b->g, name[1], EXPR_VARIABLE);
        b->qdd[i] = expr_input(b->g, name[2], EXPR_VARIABLE);
        still[3 * i] = moving[3 * i] = b->qd[i];
        still[3 * i + 1] = still[3 * i + 2] = moving[3 * i + 2] = EXPR_ZERO;
        moving[3 * i + 1] = b->qdd[i];
    }
    b->rate = expr_direction_create(b->g, still);
    b->rate2 = expr_direction_create(b->g, moving);
}

void brute_end(brute *b)
{
    expr_direction_destroy(b->rate);
    expr_direction_destroy(b->rate2);
    expr_graph_destroy(b->g);
    free(b->momentum);
    free(b->mass);
    free(b->bias);
    free(b->by);
    free(b->udot);
}

// ---- frames ------------------------------------------------------------------------------------

brute_frame brute_ground(void)
{
    return (brute_frame){.R = {EXPR_ONE, 0, 0, 0, EXPR_ONE, 0, 0, 0, EXPR_ONE}};
}

static void times(expr_graph *g, const expr_id A[9], const expr_id B[9], expr_id out[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            expr_id sum = EXPR_ZERO;
            for (int k = 0; k < 3; k++)
                sum = expr_add(g, sum, expr_mul(g, A[3 * i + k], B[3 * k + j]));
            out[3 * i + j] = sum;
        }
}

brute_frame brute_slide(brute *b, brute_frame f, const double axis[3], expr_id travel)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const expr_id step = expr_mul(b->g, expr_const(b->g, axis[k]), travel);
            f.r[i] = expr_add(b->g, f.r[i], expr_mul(b->g, f.R[3 * i + k], step));
        }
    return f;
}

brute_frame brute_move(brute *b, brute_frame f, const double by[3])
{
    return brute_slide(b, f, by, EXPR_ONE);
}

// Rodrigues: 1 + sin K + (1 - cos) K K.
brute_frame brute_turn(brute *b, brute_frame f, const double a[3], expr_id angle)
{
    expr_graph *g = b->g;
    const double K[9] = {0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0};
    const expr_id s = expr_sin(g, angle), c1 = expr_sub(g, EXPR_ONE, expr_cos(g, angle));
    expr_id R[9], product[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double square = 0.0;
            for (int k = 0; k < 3; k++)
                square += K[3 * i + k] * K[3 * k + j];
            const expr_id even = expr_mul(g, expr_const(g, square), c1);
            const expr_id odd = expr_mul(g, expr_const(g, K[3 * i + j]), s);
            R[3 * i + j] = expr_add(g, i == j ? EXPR_ONE : EXPR_ZERO, expr_add(g, even, odd));
        }
    times(g, f.R, R, product);
    memcpy(f.R, product, sizeof product);
    return f;
}

brute_frame brute_orient(brute *b, brute_frame f, const double p[4])
{
    double axis[3] = {p[1], p[2], p[3]};
    const double s = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    if (s == 0.0)
        return f;
    for (int k = 0; k < 3; k++)
        axis[k] /= s;
    return brute_turn(b, f, axis, expr_const(b->g, 2.0 * atan2(s, p[0])));
}

// ---- velocities and energies -------------------------------------------------------------------

// w from W = R' dR/dt.
static void spin_of(brute *b, const expr_id R[9], expr_id w[3])
{
    expr_graph *g = b->g;
    expr_id transposed[9], dot[9], W[9];
    for (int i = 0; i < 9; i++) {
        transposed[i] = R[3 * (i % 3) + i / 3];
        dot[i] = expr_along(b->rate, R[i]);
    }
    times(g, transposed, dot, W);
    w[0] = W[7], w[1] = W[2], w[2] = W[3];
}

void brute_body(brute *b, const brute_frame *f, double mass, const double com[3], const double J[6])
{
    expr_graph *g = b->g;
    const brute_frame at = brute_move(b, *f, com);
    const double tensor[9] = {J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2]};
    expr_id w[3], T = EXPR_ZERO;
    spin_of(b, f->R, w);
    for (int i = 0; i < 3; i++) {
        const expr_id v = expr_along(b->rate, at.r[i]);
        T = expr_add(g, T, expr_mul(g, expr_const(g, mass), expr_mul(g, v, v)));
        for (int k = 0; k < 3; k++)
            T = expr_add(g, T,
                         expr_mul(g, expr_const(g, tensor[3 * i + k]), expr_mul(g, w[i], w[k])));
        b->V = expr_sub(g, b->V, expr_mul(g, expr_const(g, mass * b->gravity[i]), at.r[i]));
    }
    b->T = expr_add(g, b->T, expr_mul(g, expr_const(g, 0.5), T));
}

void brute_observe(brute *b, expr_id u)
{
    mc_assert(b->u_count < b->n);
    b->u[b->u_count++] = u;
}

void brute_observe_origin(brute *b, const brute_frame *f)
{
    for (int i = 0; i < 3; i++)
        brute_observe(b, expr_along(b->rate, f->r[i]));
}

void brute_observe_spin(brute *b, const brute_frame *from, const brute_frame *f)
{
    expr_id R[9], back[9], w[3];
    memcpy(R, f->R, sizeof R);
    if (from) {
        for (int i = 0; i < 9; i++)
            back[i] = from->R[3 * (i % 3) + i / 3];
        times(b->g, back, f->R, R);
    }
    spin_of(b, R, w);
    for (int k = 0; k < 3; k++)
        brute_observe(b, w[k]);
}

// ---- equations ---------------------------------------------------------------------------------

static expr_id *nodes(int count)
{
    expr_id *p = calloc((size_t)count, sizeof *p);
    mc_assert(p);
    return p;
}

static void derive(brute *b)
{
    const int n = b->n;
    expr_graph *g = b->g;
    int at_q[BRUTE_MAX], at_qd[BRUTE_MAX];
    mc_assert(b->u_count == n);
    for (int i = 0; i < n; i++)
        at_q[i] = 3 * i, at_qd[i] = 3 * i + 1;
    b->momentum = nodes(n), b->mass = nodes(n * n), b->bias = nodes(n), b->by = nodes(n * n);
    b->udot = nodes(n);
    mc_error error = {0};
    expr_id slope[2 * BRUTE_MAX];
    const expr_id energies[2] = {b->T, b->V};
    mc_status status = expr_jacobian(g, &b->T, 1, at_qd, n, b->momentum, &error);
    status |= expr_jacobian(g, energies, 2, at_q, n, slope, &error);
    status |= expr_jacobian(g, b->momentum, n, at_qd, n, b->mass, &error);
    status |= expr_jacobian(g, b->u, n, at_qd, n, b->by, &error);
    for (int i = 0; i < n; i++) {
        const expr_id change = expr_sub(g, expr_along(b->rate, b->momentum[i]), slope[i]);
        b->bias[i] = expr_add(g, change, slope[n + i]);
        b->udot[i] = expr_along(b->rate2, b->u[i]);
    }
    mc_assert(status == MC_OK && expr_graph_status(g, &error) == MC_OK);
}

// A x = b by elimination with row exchanges; b becomes x.
static void solve(int n, quad *A, quad *b)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if ((A[i * n + k] < 0 ? -A[i * n + k] : A[i * n + k]) >
                (A[best * n + k] < 0 ? -A[best * n + k] : A[best * n + k]))
                best = i;
        for (int j = 0; j < n; j++) {
            const quad keep = A[k * n + j];
            A[k * n + j] = A[best * n + j];
            A[best * n + j] = keep;
        }
        const quad keep = b[k];
        b[k] = b[best];
        b[best] = keep;
        for (int i = k + 1; i < n; i++) {
            const quad factor = A[i * n + k] / A[k * n + k];
            for (int j = k; j < n; j++)
                A[i * n + j] -= factor * A[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = n; k-- > 0;) {
        for (int j = k + 1; j < n; j++)
            b[k] -= A[k * n + j] * b[j];
        b[k] /= A[k * n + k];
    }
}

void brute_solve(brute *b, const double *q, const double *qd, const double *tau, double *u,
                 double *udot)
{
    if (!b->mass)
        derive(b);
    const int n = b->n;
    quad *value = malloc(expr_node_count(b->g) * sizeof *value);
    quad input[3 * BRUTE_MAX], A[BRUTE_MAX * BRUTE_MAX], x[BRUTE_MAX];
    mc_assert(value);
    for (int i = 0; i < n; i++)
        input[3 * i] = q[i], input[3 * i + 1] = qd[i], input[3 * i + 2] = 0;
    graph_values_quad(b->g, input, value);
    for (int i = 0; i < n; i++) {
        u[i] = (double)value[b->u[i]];
        x[i] = -value[b->bias[i]];
        for (int j = 0; j < n; j++) {
            A[i * n + j] = value[b->mass[i * n + j]];
            x[i] += value[b->by[j * n + i]] * tau[j];
        }
    }
    solve(n, A, x);
    for (int i = 0; i < n; i++)
        input[3 * i + 2] = x[i];
    graph_values_quad(b->g, input, value);
    for (int i = 0; i < n; i++)
        udot[i] = (double)value[b->udot[i]];
    free(value);
}

void brute_rotation(brute *b, const brute_frame *f, const double *q, double R[9])
{
    quad input[3 * BRUTE_MAX] = {0};
    for (int i = 0; i < b->n; i++)
        input[3 * i] = q[i];
    for (int k = 0; k < 9; k++)
        R[k] = (double)graph_value_quad(b->g, f->R[k], input);
}
