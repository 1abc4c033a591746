// tree.c - the joints of the tree, eliminated exactly: from impulses to velocities in time linear
// in the number of bodies.
//
// For every body M V = p + w - (w of its outboard bodies), with w the impulse through its joint,
// and
//
//     V = X V_m + S u + beta,    S' w = tau
//
// where X V_m is the inboard body's velocity at this body's mass centre. Going inboard, w = A V - p
// with A and p of everything outboard; then with U = A S and D = (S' U)^-1
//
//     u = D (tau + S' p - U' (X V_m + beta))
//     w = (A - U D U') X V_m - (p - A beta - U D (tau + S' p - U' beta))
//
// which are A and p of the inboard body, moved to its mass centre. Everything is in world axes, so
// that X is a shift alone. A free body has S = 1: its A is factored by Cholesky. What the joints add
// by themselves, beta, is carried outboard first, V_b = X V_b,m + beta; with p - M V_b in place of
// p the rest is solved for V - V_b without any beta.
//
// A row g' V of the velocities through these joints responds to an impulse along another one by
//
//     sum over bodies  Y_a' D Y_b,    Y = S' g there, g moved inboard by g - U D Y
//
// so only bodies inboard of both take part.
#include "impulses/engine.h"
#include "num/vec3.h"

#include <math.h>
#include <string.h>

// ---- factor ---------------------------------------------------------------------------------------

static double dot6(const double *a, const double *b)
{
    return (a[0] * b[0] + a[2] * b[2] + a[4] * b[4]) + (a[1] * b[1] + a[3] * b[3] + a[5] * b[5]);
}

// A = L L' of a free body; false: it has no mass. L by rows in U, with 1 / L_kk on the diagonal.
static bool cholesky(const double *A, double L[6][6])
{
    for (int i = 0; i < 6; i++)
        for (int j = 0; j <= i; j++) {
            double sum = A[6 * i + j];
            for (int k = 0; k < j; k++)
                sum -= L[i][k] * L[j][k];
            if (i == j && !(sum > 0.0))
                return false;
            L[i][j] = i == j ? 1.0 / sqrt(sum) : sum * L[j][j];
        }
    return true;
}

// Inverse of a symmetric positive matrix of n <= 6 rows.
static bool invert(int n, const double *a, double *out)
{
    double L[6][6], inverse[6][6] = {{0}};
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = a[6 * i + j];
            for (int k = 0; k < j; k++)
                sum -= L[i][k] * L[j][k];
            if (i == j && !(sum > 0.0))
                return false;
            L[i][j] = i == j ? 1.0 / sqrt(sum) : sum * L[j][j];
        }
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double sum = i == j ? 1.0 : 0.0;
            for (int k = j; k < i; k++)
                sum -= L[i][k] * inverse[k][j];
            inverse[i][j] = sum * L[i][i];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = i > j ? i : j; k < n; k++)
                sum += inverse[k][i] * inverse[k][j];
            out[6 * i + j] = sum;
        }
    return true;
}

// out = A s, A symmetric: by its rows, so that sums do not wait for each other.
static void times(const double *restrict A, const double *restrict s, double *restrict out)
{
    for (int x = 0; x < 6; x++)
        out[x] = A[x] * s[0];
    for (int y = 1; y < 6; y++)
        for (int x = 0; x < 6; x++)
            out[x] += A[6 * y + x] * s[y];
}

static bool free_directions(impulse_link *l, int n)
{
    double a[36];
    for (int k = 0; k < n; k++)
        times(l->A, l->S[k], l->U[k]);
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            a[6 * j + k] = dot6(l->S[j], l->U[k]);
    if (n != 1)
        return invert(n, a, l->D);
    l->D[0] = 1.0 / a[0];
    return a[0] > 0.0;
}

// B d x of a 3x3 block with columns of a 6x6 matrix: out = B [d]x.
static void times_cross(const double *B, int stride, const double d[3], double out[9])
{
    for (int i = 0; i < 3; i++) {
        const double x = B[stride * i], y = B[stride * i + 1], z = B[stride * i + 2];
        out[3 * i] = y * d[2] - z * d[1];
        out[3 * i + 1] = z * d[0] - x * d[2];
        out[3 * i + 2] = x * d[1] - y * d[0];
    }
}

// The inertia a of a body at its mass centre, added to that of the inboard one, d from there:
//     [A B; B' C] -> [A + B D + (E D)' .. ; ..],   D = -[d]x, E = B + D' C
static void add_inboard(double *to, const double *a, const double d[3])
{
    double CX[9], E[9], BX[9], EX[9];
    times_cross(a + 21, 6, d, CX); // C [d]x; D' C = [d]x C = -(C [d]x)'
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            E[3 * i + j] = a[6 * i + 3 + j] - CX[3 * j + i];
    times_cross(a + 3, 6, d, BX);
    times_cross(E, 3, d, EX);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            to[6 * i + j] += a[6 * i + j] - BX[3 * j + i] - EX[3 * i + j];
            to[6 * i + 3 + j] += E[3 * i + j];
            to[6 * (3 + j) + i] += E[3 * i + j];
            to[6 * (3 + i) + 3 + j] += a[6 * (3 + i) + 3 + j];
        }
}

// A - U D U', where the joint is free in one direction, and in any number.
static void without_one(const impulse_link *l, double *restrict a)
{
    const double *restrict U = l->U[0], *restrict A = l->A;
    for (int x = 0; x < 6; x++) {
        const double f = l->D[0] * U[x];
        for (int y = 0; y < 6; y++)
            a[6 * x + y] = A[6 * x + y] - f * U[y];
    }
}

static void without(const impulse_link *l, int n, double *a)
{
    memcpy(a, l->A, sizeof l->A);
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            for (int x = 0; x < 6; x++) {
                const double f = l->D[6 * j + k] * l->U[j][x];
                for (int y = 0; y < 6; y++)
                    a[6 * x + y] -= f * l->U[k][y];
            }
}

static void begin_inertia(const impulse_body *b, impulse_link *l)
{
    double *A = l->A;
    memset(A, 0, sizeof l->A);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            A[6 * i + j] = l->inertia[3 * i + j];
        A[7 * (3 + i)] = b->mass;
    }
}

bool impulse_factor(impulses *e)
{
    bool good = true;
    for (int i = 0; i < e->m.body_count; i++)
        begin_inertia(&e->m.bodies[i], &e->link[i]);
    for (int i = e->m.body_count - 1; i >= 0; i--) {
        const impulse_body *b = &e->m.bodies[i];
        impulse_link *l = &e->link[i];
        if (b->joint == MB_FREE) {
            good = cholesky(l->A, l->U) && good;
            continue;
        }
        const int n = b->freedom_count;
        good = free_directions(l, n) && good;
        if (b->inboard < 0)
            continue;
        double a[36];
        if (n == 1)
            without_one(l, a);
        else
            without(l, n, a);
        add_inboard(e->link[b->inboard].A, a, l->shift);
    }
    return good;
}

// ---- solve -------------------------------------------------------------------------------------

// An impulse at the mass centre of a body, at that of the inboard one.
static void move_inboard(const double d[3], const double p[6], double out[6])
{
    out[0] = p[0] + d[1] * p[5] - d[2] * p[4];
    out[1] = p[1] + d[2] * p[3] - d[0] * p[5];
    out[2] = p[2] + d[0] * p[4] - d[1] * p[3];
    out[3] = p[3], out[4] = p[4], out[5] = p[5];
}

static void move_outboard(const double d[3], const double V[6], double out[6])
{
    out[0] = V[0], out[1] = V[1], out[2] = V[2];
    out[3] = V[3] + V[1] * d[2] - V[2] * d[1];
    out[4] = V[4] + V[2] * d[0] - V[0] * d[2];
    out[5] = V[5] + V[0] * d[1] - V[1] * d[0];
}

// x = (L L')^-1 b
static void forward(const double *L, const double *b, double *x)
{
    for (int i = 0; i < 6; i++) {
        double sum = b[i];
        for (int k = 0; k < i; k++)
            sum -= L[6 * i + k] * x[k];
        x[i] = sum * L[7 * i];
    }
}

static void backward(const double *L, const double *b, double *x)
{
    for (int i = 5; i >= 0; i--) {
        double sum = b[i];
        for (int k = i + 1; k < 6; k++)
            sum -= L[6 * k + i] * x[k];
        x[i] = sum * L[7 * i];
    }
}

// What joints add by themselves, outboard, and its momentum taken off.
static void carry_bias(impulses *e)
{
    for (int i = 0; i < e->m.body_count; i++) {
        const impulse_body *b = &e->m.bodies[i];
        impulse_link *l = &e->link[i];
        double spin[3];
        if (b->joint == MB_FREE) {
            memset(l->V_bias, 0, sizeof l->V_bias);
            continue;
        }
        if (b->inboard >= 0) {
            move_outboard(l->shift, e->link[b->inboard].V_bias, l->V_bias);
            for (int x = 0; x < 6; x++)
                l->V_bias[x] += l->beta[x];
        } else {
            memcpy(l->V_bias, l->beta, sizeof l->V_bias);
        }
        mat3_mul_vec(l->inertia, l->V_bias, spin);
        for (int k = 0; k < 3; k++) {
            l->p[k] -= spin[k];
            l->p[3 + k] -= b->mass * l->V_bias[3 + k];
        }
    }
}

// The two ways with one free direction.
static void go_inboard_one(impulse_link *l, impulse_link *inboard)
{
    const double y = l->tau[0] + dot6(l->S[0], l->p), f = l->D[0] * y;
    double with[6], moved[6];
    l->y[0] = f;
    if (!inboard)
        return;
    for (int x = 0; x < 6; x++)
        with[x] = l->p[x] - f * l->U[0][x];
    move_inboard(l->shift, with, moved);
    for (int x = 0; x < 6; x++)
        inboard->p[x] += moved[x];
}

static void go_outboard_one(impulse_link *l, const impulse_link *inboard)
{
    double V[6] = {0};
    if (inboard)
        move_outboard(l->shift, inboard->V, V);
    const double u = l->y[0] - l->D[0] * dot6(l->U[0], V);
    l->u[0] = u;
    for (int x = 0; x < 6; x++)
        l->V[x] = V[x] + u * l->S[0][x];
}

static void go_inboard(impulse_link *l, int n, impulse_link *inboard)
{
    double with[6], moved[6], z[6];
    for (int k = 0; k < n; k++)
        z[k] = l->tau[k] + dot6(l->S[k], l->p);
    memcpy(with, l->p, sizeof with);
    for (int j = 0; j < n; j++) {
        double f = 0.0;
        for (int k = 0; k < n; k++)
            f += l->D[6 * j + k] * z[k];
        l->y[j] = f;
        for (int x = 0; x < 6; x++)
            with[x] -= f * l->U[j][x];
    }
    if (!inboard)
        return;
    move_inboard(l->shift, with, moved);
    for (int x = 0; x < 6; x++)
        inboard->p[x] += moved[x];
}

// V and u from y, D times the impulse along the joint, and the velocity of the inboard body.
static void go_outboard(impulse_link *l, int n, const impulse_link *inboard)
{
    double V[6] = {0}, left[6];
    if (inboard)
        move_outboard(l->shift, inboard->V, V);
    for (int k = 0; k < n; k++)
        left[k] = dot6(l->U[k], V);
    for (int j = 0; j < n; j++) {
        double u = l->y[j];
        for (int k = 0; k < n; k++)
            u -= l->D[6 * j + k] * left[k];
        l->u[j] = u;
    }
    memcpy(l->V, V, sizeof V);
    for (int j = 0; j < n; j++)
        for (int x = 0; x < 6; x++)
            l->V[x] += l->u[j] * l->S[j][x];
}

void impulse_solve(impulses *e)
{
    const impulse_body *bodies = e->m.bodies;
    carry_bias(e);
    for (int i = e->m.body_count - 1; i >= 0; i--) {
        const int n = bodies[i].freedom_count, m = bodies[i].inboard;
        impulse_link *inboard = m < 0 ? NULL : &e->link[m];
        if (n == 1)
            go_inboard_one(&e->link[i], inboard);
        else if (bodies[i].joint != MB_FREE)
            go_inboard(&e->link[i], n, inboard);
    }
    for (int i = 0; i < e->m.body_count; i++) {
        const int n = bodies[i].freedom_count, m = bodies[i].inboard;
        impulse_link *l = &e->link[i];
        const impulse_link *inboard = m < 0 ? NULL : &e->link[m];
        if (bodies[i].joint == MB_FREE) {
            double half[6];
            forward(l->U[0], l->p, half);
            backward(l->U[0], half, l->V);
            memcpy(l->u, l->V, sizeof l->V);
        } else if (n == 1) {
            go_outboard_one(l, inboard);
        } else {
            go_outboard(l, n, inboard);
        }
    }
    for (int i = 0; i < e->m.body_count; i++)
        for (int x = 0; x < 6; x++)
            e->link[i].V[x] += e->link[i].V_bias[x];
}

// ---- rows --------------------------------------------------------------------------------------

// One body of a row: Y and Z from g and tau; what passes inboard.
static void respond_at(const impulses *e, impulse_response *r, int i, const double *tau,
                       double g[6])
{
    const impulse_body *b = &e->m.bodies[i];
    const impulse_link *l = &e->link[i];
    double *Y = r->Y + b->freedom, *Z = r->Z + b->freedom, with[6];
    if (b->joint == MB_FREE) {
        forward(l->U[0], g, Y);
        memcpy(Z, Y, 6 * sizeof *Z);
        return;
    }
    if (b->freedom_count == 1) {
        Y[0] = dot6(l->S[0], g) + (tau ? tau[0] : 0.0);
        Z[0] = l->D[0] * Y[0];
        for (int x = 0; x < 6; x++)
            with[x] = g[x] - Z[0] * l->U[0][x];
        move_inboard(l->shift, with, g);
        return;
    }
    for (int k = 0; k < b->freedom_count; k++)
        Y[k] = dot6(l->S[k], g) + (tau ? tau[k] : 0.0);
    memcpy(with, g, sizeof with);
    for (int j = 0; j < b->freedom_count; j++) {
        Z[j] = 0.0;
        for (int k = 0; k < b->freedom_count; k++)
            Z[j] += l->D[6 * j + k] * Y[k];
        for (int x = 0; x < 6; x++)
            with[x] -= Z[j] * l->U[j][x];
    }
    move_inboard(l->shift, with, g);
}

void impulse_respond(impulses *e, impulse_response *r, int body, const double g[6])
{
    double with[6];
    memcpy(with, g, sizeof with);
    r->path_count = 0;
    for (int i = body; i >= 0; i = e->m.bodies[i].inboard) {
        r->path[r->path_count++] = i;
        respond_at(e, r, i, NULL, with);
    }
}

void impulse_respond_along(impulses *e, impulse_response *r, const double *tau)
{
    for (int i = 0; i < e->m.body_count; i++)
        memset(e->link[i].p, 0, sizeof e->link[i].p);
    r->path_count = 0;
    for (int i = e->m.body_count - 1; i >= 0; i--) {
        const impulse_body *b = &e->m.bodies[i];
        double g[6];
        memcpy(g, e->link[i].p, sizeof g);
        r->path[r->path_count++] = i;
        if (b->joint == MB_FREE)
            for (int k = 0; k < 6; k++)
                g[k] += tau[b->freedom + k];
        respond_at(e, r, i, tau + b->freedom, g);
        for (int k = 0; k < 6 && b->inboard >= 0; k++)
            e->link[b->inboard].p[k] += g[k];
    }
}

// Both lists run inboard, so by falling numbers.
double impulse_couple(const impulses *e, const impulse_response *a, const impulse_response *b)
{
    double sum = 0.0;
    for (int i = 0, j = 0; i < a->path_count && j < b->path_count;) {
        const int at = a->path[i], other = b->path[j];
        if (at > other) {
            i++;
        } else if (at < other) {
            j++;
        } else {
            const impulse_body *body = &e->m.bodies[at];
            for (int k = 0; k < body->freedom_count; k++)
                sum += a->Y[body->freedom + k] * b->Z[body->freedom + k];
            i++, j++;
        }
    }
    return sum;
}

// The same for the three rows of two contacts each, whose paths are alike: out[3 i + j].
void impulse_couple_three(const impulses *e, const impulse_response *a, const impulse_response *b,
                          double out[9])
{
    memset(out, 0, 9 * sizeof *out);
    for (int i = 0, j = 0; i < a->path_count && j < b->path_count;) {
        const int at = a->path[i], other = b->path[j];
        if (at > other) {
            i++;
        } else if (at < other) {
            j++;
        } else {
            const impulse_body *body = &e->m.bodies[at];
            for (int k = body->freedom; k < body->freedom + body->freedom_count; k++) {
                const double Z[3] = {b[0].Z[k], b[1].Z[k], b[2].Z[k]};
                for (int x = 0; x < 3; x++)
                    for (int y = 0; y < 3; y++)
                        out[3 * x + y] += a[x].Y[k] * Z[y];
            }
            i++, j++;
        }
    }
}

// Z of rows summed, weighted with lambda.
static void sum_rows(const impulses *e, int first, int count, const double *lambda, double *sum)
{
    memset(sum, 0, (size_t)e->freedom_count * sizeof *sum);
    for (int r = first; r < first + count; r++) {
        const double l = lambda[r], *Z = e->response[r].Z;
        for (int k = 0; k < e->response[r].path_count && l != 0.0; k++) {
            const impulse_body *b = &e->m.bodies[e->response[r].path[k]];
            if (b->freedom_count == 1) {
                sum[b->freedom] += l * Z[b->freedom];
                continue;
            }
            for (int j = b->freedom; j < b->freedom + b->freedom_count; j++)
                sum[j] += l * Z[j];
        }
    }
}

// u = sum - D U' X dV_m of a body; dV: X dV_m, then its own.
static void respond_outboard(const impulse_body *b, impulse_link *l, const double *sum, double *dV)
{
    if (b->freedom_count == 1) {
        const double u = sum[0] - l->D[0] * dot6(l->U[0], dV);
        l->u[0] += u;
        for (int x = 0; x < 6; x++)
            dV[x] += u * l->S[0][x];
        return;
    }
    double left[6];
    for (int k = 0; k < b->freedom_count; k++)
        left[k] = dot6(l->U[k], dV);
    for (int j = 0; j < b->freedom_count; j++) {
        double u = sum[j];
        for (int k = 0; k < b->freedom_count; k++)
            u -= l->D[6 * j + k] * left[k];
        l->u[j] += u;
        for (int x = 0; x < 6; x++)
            dV[x] += u * l->S[j][x];
    }
}

void impulse_apply(impulses *e, int first, int count, const double *lambda)
{
    double *sum = e->work;
    sum_rows(e, first, count, lambda, sum);
    for (int i = 0; i < e->m.body_count; i++) {
        const impulse_body *b = &e->m.bodies[i];
        impulse_link *l = &e->link[i];
        double dV[6] = {0};
        if (b->joint == MB_FREE) {
            backward(l->U[0], sum + b->freedom, dV);
            for (int k = 0; k < 6; k++)
                l->u[k] += dV[k];
        } else {
            if (b->inboard >= 0)
                move_outboard(l->shift, e->link[b->inboard].dV, dV);
            respond_outboard(b, l, sum + b->freedom, dV);
        }
        for (int x = 0; x < 6; x++) {
            l->dV[x] = dV[x];
            l->V[x] += dV[x];
        }
    }
}
