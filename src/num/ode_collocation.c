// ode_collocation.c - matrices of a collocation method from its nodes; Newton's iteration.
#include "num/ode_collocation.h"

#include "base/assert.h"
#include "num/dense.h"

#include <complex.h>
#include <math.h>
#include <string.h>

// ---- the method --------------------------------------------------------------------------------

void ode_collocation_basis(const ode_collocation *method, double x, double *w)
{
    const double *c = method->c;
    for (int j = 0; j < method->stages; j++) {
        w[j] = x / c[j]; // the node 0
        for (int k = 0; k < method->stages; k++)
            if (k != j)
                w[j] *= (x - c[k]) / (c[j] - c[k]);
    }
}

// l_j'(c_i), where l_j vanishes at 0 and at every node but c_j.
static double basis_slope(int stages, const double *c, int j, int i)
{
    double slope = i == j ? 1.0 / c[j] : c[i] / c[j];
    for (int k = 0; k < stages; k++) {
        if (k == j)
            continue;
        if (i == j)
            slope += 1.0 / (c[j] - c[k]);
        else
            slope *= (k == i ? 1.0 : c[i] - c[k]) / (c[j] - c[k]);
    }
    return slope;
}

// Eigenvalues of M from its characteristic polynomial.
static void eigenvalues(ode_collocation *method)
{
    const double(*m)[ODE_STAGE_MAX] = (const double(*)[ODE_STAGE_MAX])method->m;
    const int s = method->stages;
    method->has_real = s != 2;
    method->has_pair = s != 1;
    if (s == 1) {
        method->gamma = m[0][0];
        return;
    }
    double sum = m[0][0] + m[1][1], product = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    if (s == 3) {
        const double minors =
            product + m[0][0] * m[2][2] - m[0][2] * m[2][0] + m[1][1] * m[2][2] - m[1][2] * m[2][1];
        const double determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                                   m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                                   m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
        sum += m[2][2];
        double x = sum; // above the root, where the cubic is convex: Newton comes down to it
        for (int i = 0; i < 60; i++)
            x -=
                (((x - sum) * x + minors) * x - determinant) / ((3.0 * x - 2.0 * sum) * x + minors);
        method->gamma = x;
        sum -= x;
        product = determinant / x;
    }
    const double square = product - 0.25 * sum * sum;
    mc_assert(square > 0.0); // true for Gauss and Radau nodes
    method->lambda = 0.5 * sum + sqrt(square) * I;
}

// v with (M - value) v = 0.
static void eigenvector(const ode_collocation *method, double _Complex value, double _Complex *v)
{
    const double(*m)[ODE_STAGE_MAX] = (const double(*)[ODE_STAGE_MAX])method->m;
    if (method->stages == 1) {
        v[0] = 1.0;
    } else if (method->stages == 2) {
        v[0] = m[0][1];
        v[1] = value - m[0][0];
    } else { // at right angles to two of the rows
        v[0] = m[0][1] * m[1][2] - m[0][2] * (m[1][1] - value);
        v[1] = m[0][2] * m[1][0] - (m[0][0] - value) * m[1][2];
        v[2] = (m[0][0] - value) * (m[1][1] - value) - m[0][1] * m[1][0];
    }
}

void ode_collocation_make(ode_collocation *method, int stages, const double *nodes)
{
    mc_assert(stages >= 1 && stages <= ODE_STAGE_MAX);
    *method = (ode_collocation){.stages = stages};
    memcpy(method->c, nodes, (size_t)stages * sizeof *nodes);
    for (int i = 0; i < stages; i++)
        for (int j = 0; j < stages; j++)
            method->m[i][j] = basis_slope(stages, nodes, j, i);
    eigenvalues(method);
    double _Complex v[ODE_STAGE_MAX];
    int column = 0;
    if (method->has_real) {
        eigenvector(method, method->gamma, v);
        for (int i = 0; i < stages; i++)
            method->t[i][column] = creal(v[i]);
        column++;
    }
    if (method->has_pair) {
        eigenvector(method, method->lambda, v);
        for (int i = 0; i < stages; i++) {
            method->t[i][column] = creal(v[i]);
            method->t[i][column + 1] = cimag(v[i]);
        }
    }
    for (int j = 0; j < stages; j++) { // column j of the inverse
        double a[ODE_STAGE_MAX * ODE_STAGE_MAX], b[ODE_STAGE_MAX] = {0.0};
        for (int i = 0; i < stages; i++)
            for (int k = 0; k < stages; k++)
                a[k * stages + i] = method->t[i][k];
        b[j] = 1.0;
        mc_assert(dense_solve(stages, a, b));
        for (int i = 0; i < stages; i++)
            method->t_inverse[i][j] = b[i];
    }
}

// ---- the stages --------------------------------------------------------------------------------

void ode_stages_layout(ode *o, ode_space *space, ode_stages *s)
{
    const size_t n = (size_t)o->problem.n, all = n * ODE_STAGE_MAX;
    s->jacobian = ode_space_doubles(space, n * n);
    s->real = ode_space_doubles(space, n * n);
    s->pair = ode_space_take(space, n * n, sizeof(double _Complex));
    s->right = ode_space_take(space, n, sizeof(double _Complex));
    s->real_pivot = ode_space_take(space, n, sizeof(int));
    s->pair_pivot = ode_space_take(space, n, sizeof(int));
    s->z = ode_space_doubles(space, all);
    s->old = ode_space_doubles(space, all);
    s->w = ode_space_doubles(space, all);
    s->f = ode_space_doubles(space, all);
    s->change = ode_space_doubles(space, all);
    s->point = ode_space_doubles(space, n);
    s->shifted = ode_space_doubles(space, n);
}

void ode_stages_reset(ode_stages *s)
{
    s->h_factored = s->h_old = 0.0;
}

ode_answer ode_stages_jacobian(ode *o, ode_stages *s, const double *dy, double h)
{
    s->h_factored = 0.0;
    return ode_jacobian_at(o, o->t, o->y, dy, h, s->point, s->shifted, s->jacobian);
}

bool ode_stages_factor(ode *o, ode_stages *s, double h)
{
    if (h == s->h_factored)
        return true;
    const int n = o->problem.n;
    const size_t size = (size_t)n * (size_t)n, next = (size_t)n + 1;
    s->h_factored = 0.0;
    if (s->method.has_real) {
        for (size_t i = 0; i < size; i++)
            s->real[i] = -s->jacobian[i];
        for (size_t i = 0; i < size; i += next)
            s->real[i] += s->method.gamma / h;
        o->report.factorizations++;
        if (!dense_factor(n, s->real, s->real_pivot))
            return false;
    }
    if (s->method.has_pair) {
        for (size_t i = 0; i < size; i++)
            s->pair[i] = -s->jacobian[i];
        for (size_t i = 0; i < size; i += next)
            s->pair[i] += s->method.lambda / h;
        o->report.factorizations++;
        if (!dense_factor_complex(n, s->pair, s->pair_pivot))
            return false;
    }
    s->h_factored = h;
    return true;
}

// out = matrix times in, both stages of n.
static void transform(int stages, int n, const double matrix[ODE_STAGE_MAX][ODE_STAGE_MAX],
                      const double *in, double *out)
{
    for (int i = 0; i < stages; i++)
        for (int k = 0; k < n; k++) {
            double sum = 0.0;
            for (int j = 0; j < stages; j++)
                sum += matrix[i][j] * in[j * n + k];
            out[i * n + k] = sum;
        }
}

void ode_stages_guess(const ode *o, ode_stages *s, double h)
{
    const int n = o->problem.n, stages = s->method.stages;
    double matrix[ODE_STAGE_MAX][ODE_STAGE_MAX] = {{0.0}}, end[ODE_STAGE_MAX];
    if (s->h_old != 0.0) {
        ode_collocation_basis(&s->method, 1.0, end);
        for (int i = 0; i < stages; i++) {
            ode_collocation_basis(&s->method, 1.0 + s->method.c[i] * h / s->h_old, matrix[i]);
            for (int j = 0; j < stages; j++)
                matrix[i][j] -= end[j];
        }
    }
    transform(stages, n, (const double(*)[ODE_STAGE_MAX])matrix, s->old, s->z);
    transform(stages, n, (const double(*)[ODE_STAGE_MAX])s->method.t_inverse, s->z, s->w);
}

// Solves for the change of w; the right sides T^-1 F - L w / h become the changes, in s->change.
static void solve(const ode *o, ode_stages *s, double h)
{
    const int n = o->problem.n;
    double *r = s->change;
    const double *w = s->w;
    transform(s->method.stages, n, (const double(*)[ODE_STAGE_MAX])s->method.t_inverse, s->f, r);
    if (s->method.has_real) {
        for (int i = 0; i < n; i++)
            r[i] -= s->method.gamma / h * w[i];
        dense_back(n, s->real, s->real_pivot, r);
        r += n, w += n;
    }
    if (s->method.has_pair) { // M (Re v, Im v) = ... makes w_2 - i w_3 the unknown of lambda
        for (int i = 0; i < n; i++) {
            const double _Complex unknown = w[i] - w[n + i] * I;
            s->right[i] = r[i] - r[n + i] * I - s->method.lambda / h * unknown;
        }
        dense_back_complex(n, s->pair, s->pair_pivot, s->right);
        for (int i = 0; i < n; i++) {
            r[i] = creal(s->right[i]);
            r[n + i] = -cimag(s->right[i]);
        }
    }
}

ode_answer ode_stages_iterate(ode *o, ode_stages *s, double h, const double *weight, double *norm,
                              int *worst)
{
    const int n = o->problem.n, stages = s->method.stages;
    o->report.iterations++;
    for (int i = 0; i < stages; i++) {
        for (int k = 0; k < n; k++)
            s->point[k] = o->y[k] + s->z[i * n + k];
        const ode_answer answer =
            ode_rate_at(o, o->t + s->method.c[i] * h, s->point, s->f + (ptrdiff_t)i * n);
        if (answer != ODE_OK)
            return answer;
    }
    solve(o, s, h);
    for (int i = 0; i < stages * n; i++)
        s->w[i] += s->change[i];
    // The change of z, in f, which is free now.
    transform(stages, n, (const double(*)[ODE_STAGE_MAX])s->method.t, s->change, s->f);
    transform(stages, n, (const double(*)[ODE_STAGE_MAX])s->method.t, s->w, s->z);
    double sum = 0.0, max = -1.0;
    for (int i = 0; i < stages; i++) {
        int at;
        const double *change = s->f + (ptrdiff_t)i * n, part = ode_norm(n, change, weight, &at);
        sum += part * part;
        if (fabs(change[at] * weight[at]) > max)
            max = fabs(change[at] * weight[at]), *worst = at;
    }
    *norm = sqrt(sum / stages);
    o->report.component = *worst;
    o->report.error = max;
    return ODE_OK;
}

void ode_stages_add(const ode *o, const ode_stages *s, const double *z, double x, double *y)
{
    const int n = o->problem.n;
    double l[ODE_STAGE_MAX];
    ode_collocation_basis(&s->method, x, l);
    for (int k = 0; k < n; k++) {
        double sum = 0.0;
        for (int j = 0; j < s->method.stages; j++)
            sum += l[j] * z[j * n + k];
        y[k] += sum;
    }
}

void ode_stages_accept(const ode *o, ode_stages *s, double h)
{
    memcpy(s->old, s->z, (size_t)(s->method.stages * o->problem.n) * sizeof *s->z);
    s->h_old = h;
}
