// singular.c - accelerations of mechanisms with loops where rank is nearly lost, by dense algebra.
//
//     v' = v'_0 + L^-T z,   v'_0 = M^-1 Q,   M = L L',   (A L^-T) z = -bias - A v'_0 = b, |z| least
//
// by singular values: A L^-T = U S V', z = V c, s c = U' b. Where a singular value s vanishes, so
// does its part of b, and c is the limit of their quotient. That follows from the next derivative
// of the rows along the motion, which must be zero as well,
//
//     u . d/dt (A v' + bias) = s (..) + u . D(v') = 0,     D: d/dt at constant v', linear in v'
//
// For small s both conditions are met in the sense of least squares, with weights that turn from
// the first to the second: on the constraints they agree to s times the rate of v', beside them
// neither blows up. So a mechanism passes a singular position on the branch it came on.
//
// All rows take part, those that are left out elsewhere as well: where two rows say the same, which
// of them is the better one changes along the motion (Bricard's mechanism).
#include "base/assert.h"
#include "mechanism/mechanism.h"
#include "equations/assembly.h"
#include "num/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Relative to the largest singular value.
static const double weak = 1e-3;             // below: both conditions
static const double weak_weight = 1e-4;      // where they weigh alike
static const double project_relative = 1e-6; // below: left to a projection further on
static const double negligible = 1e-12;      // length of a row that is zero but for rounding
static const double time_step = 1e-5;        // s, of the differences along the motion

typedef struct singular {
    int n, rows, size;
    int rank;                       // away from singular positions
    double *M, *right, *row, *base; // as the program gives them; M becomes L
    double *usual;                  // length of each row of A L^-T at a position like any other
    double *scale, *square, *U, *value, *Vt, *work;
    double *store;
} singular;

// ---- values ----------------------------------------------------------------------------------

// M = L L', by rows, in place below the diagonal.
//
// Not by LAPACK: dpotrf divides the matrix into blocks, each build of LAPACK in its own way. From
// four speeds on the last bits, and with them the state hash, would depend on the machine.
static void cholesky(int n, double *M)
{
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double sum = M[i * n + j];
            for (int k = 0; k < j; k++)
                sum -= M[i * n + k] * M[j * n + k];
            M[i * n + j] = i == j ? sqrt(sum) : sum / M[j * n + j];
        }
}

static void forward_solve(int n, const double *L, double *x) // L x = b
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= L[i * n + k] * x[k];
        x[i] /= L[i * n + i];
    }
}

static void back_solve(int n, const double *L, double *x) // L' x = b
{
    for (int i = n; i-- > 0;) {
        for (int k = i + 1; k < n; k++)
            x[i] -= L[k * n + i] * x[k];
        x[i] /= L[i * n + i];
    }
}

static const double *row_of(const singular *d, int r)
{
    return d->row + r * (d->n + DESCRIPTOR_ROW);
}

// A row of A L^-T; its length.
static double turned_row(const singular *d, int r, double *B)
{
    double length = 0.0;
    memcpy(B, row_of(d, r), (size_t)d->n * sizeof *B);
    forward_solve(d->n, d->M, B);
    for (int k = 0; k < d->n; k++)
        length += B[k] * B[k];
    return sqrt(length);
}

static void take_values(mc_multibody *m, multibody_part part, singular *d)
{
    multibody_code *code = multibody_use(m, part);
    expr_kernel_run(code->kernel, m->x, code->kept, code->result, code->work);
    d->M = code->result;
    d->right = d->M + d->n * d->n;
    d->row = d->right + d->n;
    d->base = d->row + d->rows * (d->n + DESCRIPTOR_ROW);
}

static singular *make(const mb_system *s)
{
    singular *d = calloc(1, sizeof *d);
    mc_assert(d);
    *d = (singular){.n = s->v_count, .rows = s->rows.live_count, .rank = s->rows.kept_count};
    d->size = d->n > d->rows ? d->n : d->rows;
    const size_t size = (size_t)d->size;
    d->store = calloc(3 * size * size + 11 * size + 1, sizeof *d->store);
    mc_assert(d->store);
    d->square = d->store;
    d->U = d->square + size * size;
    d->Vt = d->U + size * size;
    d->value = d->Vt + size * size;
    d->usual = d->value + size;
    d->scale = d->usual + size;
    d->work = d->scale + size;
    return d;
}

// Lengths of the rows where nothing is special.
static void take_usual(mc_multibody *m, singular *d)
{
    const size_t size = (size_t)m->system.variable_count * sizeof(double);
    double here[m->system.variable_count + 1], B[d->n + 1];
    memcpy(here, m->x, size);
    memcpy(m->x, mb_assembly_usual(m->system.assembly), size);
    take_values(m, MULTIBODY_RATE_DESCRIPTOR, d);
    cholesky(d->n, d->M);
    for (int r = 0; r < d->rows; r++)
        d->usual[r] = turned_row(d, r, B);
    memcpy(m->x, here, size);
}

static singular *evaluate(mc_multibody *m, multibody_part part)
{
    if (!m->singular) {
        m->singular = make(&m->system);
        take_usual(m, m->singular);
    }
    singular *d = m->singular;
    take_values(m, part, d);
    cholesky(d->n, d->M);
    memset(d->square, 0, (size_t)d->size * (size_t)d->size * sizeof *d->square);
    double B[d->n + 1], length[d->rows + 1], longest = 0.0;
    for (int r = 0; r < d->rows; r++) {
        length[r] = fmax(turned_row(d, r, B), d->usual[r]);
        longest = fmax(longest, length[r]);
    }
    for (int r = 0; r < d->rows; r++) {
        turned_row(d, r, B);
        d->scale[r] = length[r] > negligible * longest ? 1.0 / length[r] : 0.0;
        for (int k = 0; k < d->n; k++)
            d->square[k * d->size + r] = B[k] * d->scale[r];
    }
    const bool good = dense_svd(d->size, d->square, d->U, d->value, d->Vt, d->work);
    mc_assert(good || !isfinite(d->M[0])); // of finite numbers it exists
    return d;
}

// u_k . b of scaled rows.
static double along_row(const singular *d, int k, const double *b)
{
    double sum = 0.0;
    for (int r = 0; r < d->rows; r++)
        sum += d->U[k * d->size + r] * d->scale[r] * b[r];
    return sum;
}

// x += c L^-T v_k
static void add_direction(const singular *d, int k, double c, double *x)
{
    double z[d->n + 1];
    for (int i = 0; i < d->n; i++)
        z[i] = c * d->Vt[i * d->size + k];
    back_solve(d->n, d->M, z);
    for (int i = 0; i < d->n; i++)
        x[i] += z[i];
}

// Internal accelerations or changes of velocity to those of the model (forms.h), for a free base.
static void to_model(const mc_multibody *m, const singular *d, bool acceleration, double *x)
{
    const mb_system *s = &m->system;
    const double *base = d->base;
    for (int i = 0; i < s->links.link_count; i++) {
        const mb_link *link = &s->links.links[i];
        const mb_body *body = &s->model->bodies[link->body];
        if (link->motion != MB_FLOATING)
            continue;
        const double *R = base, *g = base + 9;
        double *a = &x[link->v], out[3];
        base += DESCRIPTOR_BASE;
        const double *v = m->x + s->q_count + link->v, *w = v + 3;
        for (int k = 0; k < 3; k++) {
            const int j = (k + 1) % 3, l = (k + 2) % 3;
            if (body->quasi_velocity) {
                out[k] = a[k];
                if (acceleration)
                    out[k] += R[k] * g[0] + R[3 + k] * g[1] + R[6 + k] * g[2] -
                              (w[j] * v[l] - w[l] * v[j]);
            } else {
                out[k] = R[3 * k] * a[0] + R[3 * k + 1] * a[1] + R[3 * k + 2] * a[2];
                out[k] += acceleration ? g[k] : 0.0;
            }
        }
        memcpy(a, out, sizeof out);
    }
}

// ---- weak directions -------------------------------------------------------------------------

// A a + bias of every row, at the state h further along the motion with the acceleration of the
// model `model_a`, for the internal acceleration a held constant.
static void rows_along(mc_multibody *m, multibody_part part, const double *here, double h,
                       const double *model_a, const double *a, double *out)
{
    const mb_system *s = &m->system;
    double p[s->v_count + 1];
    memcpy(m->x, here, (size_t)s->variable_count * sizeof *here);
    for (int i = 0; i < s->v_count; i++) {
        p[i] = h * (here[s->q_count + i] + 0.5 * h * model_a[i]);
        m->x[s->q_count + i] += h * model_a[i];
    }
    mb_assembly_move(s->assembly, m->x, p);
    m->x[mb_at_time(s)] += h;
    singular moved = *m->singular;
    take_values(m, part, &moved);
    for (int r = 0; r < moved.rows; r++) {
        const double *row = row_of(&moved, r);
        out[r] = row[moved.n];
        for (int k = 0; k < moved.n; k++)
            out[r] += row[k] * a[k];
    }
}

// u_i . D(a) for the weak directions first .. rank.
static void next_derivative(mc_multibody *m, multibody_part part, const double *here, int first,
                            const double *model_a, const double *a, double *out)
{
    const singular *d = m->singular;
    double less[d->rows + 1], more[d->rows + 1];
    rows_along(m, part, here, time_step, model_a, a, more);
    rows_along(m, part, here, -time_step, model_a, a, less);
    for (int r = 0; r < d->rows; r++)
        more[r] = (more[r] - less[r]) / (2.0 * time_step);
    for (int i = first; i < d->rank; i++)
        out[i - first] = along_row(d, i, more);
}

// c of the weak directions: rows [f S; G / |G|] c = [f U' b; -D(a) / |G|], f = S / weight^2 where
// that is more than 1 / weight, so that the second condition fades as (weight / s)^4.
static void solve_weak(mc_multibody *m, multibody_part part, int first, const double *b, double *a)
{
    singular *d = m->singular;
    const mb_system *s = &m->system;
    const int w = d->rank - first;
    const size_t wide = (size_t)(2 * w);
    double *G = calloc(wide * wide + 3 * wide + 8 * wide + 1, sizeof *G);
    mc_assert(G);
    double *right = G + wide * wide, *at = right + wide, *with = at + wide, *work = with + wide;
    double here[s->variable_count + 1], other[d->n + 1], model_a[d->n + 1];
    // The factors of here: the differences run the program again.
    double *L = malloc((size_t)(d->n * d->n) * sizeof *L);
    mc_assert(L);
    memcpy(L, d->M, (size_t)(d->n * d->n) * sizeof *L);
    double base[64];
    const int bases = (int)(d->M + m->code[part].program->output_count - d->base);
    mc_assert(bases <= 64);
    memcpy(base, d->base, (size_t)bases * sizeof *base);
    memcpy(here, m->x, (size_t)s->variable_count * sizeof *here);
    singular kept = *d;
    kept.M = L;
    kept.base = base;
    memcpy(model_a, a, (size_t)d->n * sizeof *a);
    to_model(m, &kept, true, model_a);
    next_derivative(m, part, here, first, model_a, a, at);
    double norm = 0.0;
    for (int j = 0; j < w; j++) {
        memcpy(m->x, here, (size_t)s->variable_count * sizeof *here);
        memcpy(other, a, (size_t)d->n * sizeof *a);
        add_direction(&kept, first + j, 1.0, other);
        memcpy(model_a, other, (size_t)d->n * sizeof *other);
        to_model(m, &kept, true, model_a);
        next_derivative(m, part, here, first, model_a, other, with);
        for (int i = 0; i < w; i++) {
            G[(size_t)j * wide + (size_t)(w + i)] = with[i] - at[i];
            norm = fmax(norm, fabs(with[i] - at[i]));
        }
    }
    memcpy(m->x, here, (size_t)s->variable_count * sizeof *here);
    for (int i = 0; i < w; i++) {
        const double size = d->value[first + i] / (weak_weight * d->value[0]);
        const double factor = fmax(size, 1.0);
        G[(size_t)i * wide + (size_t)i] = factor * size;
        right[i] = factor * along_row(d, first + i, b) / (weak_weight * d->value[0]);
        right[w + i] = norm > 0.0 ? -at[i] / norm : 0.0;
        for (int j = 0; j < w && norm > 0.0; j++)
            G[(size_t)j * wide + (size_t)(w + i)] /= norm;
    }
    int rank;
    if (dense_least_squares(2 * w, G, right, 1e-10, &rank, work))
        for (int j = 0; j < w; j++)
            add_direction(&kept, first + j, right[j], a);
    free(G);
    free(L);
    // What the program left belongs to the last difference: run it here again.
    take_values(m, part, d);
    cholesky(d->n, d->M);
}

// ---- what is asked ---------------------------------------------------------------------------

// B lambda = z = L' x with the columns of B = (A L^-T)' of the rows that act, by least squares.
// False: these rows alone do not give z.
static bool by_acting(const mc_multibody *m, singular *d, const double *x, double *lambda)
{
    const mb_rows *rows = &m->system.rows;
    const size_t size = (size_t)d->size;
    double z[d->n + 1], whole = 0.0, left = 0.0;
    memset(d->square, 0, size * size * sizeof *d->square);
    for (int r = 0, k = 0; r < d->rows && k < d->rank; r++)
        if (rows->live[r] == rows->kept[k])
            turned_row(d, r, d->square + (size_t)k++ * size);
    memset(d->value, 0, size * sizeof *d->value);
    for (int i = 0; i < d->n; i++)
        for (int k = i; k < d->n; k++)
            d->value[i] += d->M[k * d->n + i] * x[k];
    memcpy(z, d->value, (size_t)d->n * sizeof *z);
    memcpy(d->U, d->square, size * size * sizeof *d->U);
    for (int k = 0; k < d->rank; k++)
        lambda[k] = NAN;
    int rank;
    if (!dense_least_squares(d->size, d->square, d->value, 1e-10, &rank, d->work))
        return false;
    memcpy(lambda, d->value, (size_t)d->rank * sizeof *lambda);
    for (int i = 0; i < d->n; i++) {
        double rest = z[i];
        for (int k = 0; k < d->rank; k++)
            rest -= d->U[(size_t)k * size + (size_t)i] * lambda[k];
        whole += z[i] * z[i];
        left += rest * rest;
    }
    return left <= 1e-18 * whole;
}

// lambda with (A L^-T)' lambda = L' (v' - v'_0). Where the rows that act have lost rank and others
// hold in their place, all share by least norm: U S^-1 V' of scaled rows.
static void multipliers(const mc_multibody *m, singular *d, const double *a, const double *free_a,
                        double *lambda)
{
    double x[d->n + 1], shared[d->rows + 1];
    for (int i = 0; i < d->n; i++)
        x[i] = a[i] - free_a[i];
    memset(shared, 0, sizeof shared);
    for (int k = 0; k < d->rank && d->value[k] > 1e-12 * d->value[0]; k++) {
        double part = 0.0;
        for (int i = 0; i < d->n; i++)
            for (int j = i; j < d->n; j++)
                part += d->Vt[i * d->size + k] * d->M[j * d->n + i] * x[j];
        for (int r = 0; r < d->rows; r++)
            shared[r] += d->U[k * d->size + r] * d->scale[r] * part / d->value[k];
    }
    if (by_acting(m, d, x, lambda))
        return;
    const mb_rows *rows = &m->system.rows;
    for (int r = 0, k = 0; r < d->rows && k < d->rank; r++)
        if (rows->live[r] == rows->kept[k])
            lambda[k++] = shared[r];
}

void multibody_loops_singular(mc_multibody *m, multibody_part part, double *vdot, double *lambda)
{
    singular *d = evaluate(m, part);
    double b[d->rows + 1], free_a[d->n + 1];
    memcpy(free_a, d->right, (size_t)d->n * sizeof *free_a);
    forward_solve(d->n, d->M, free_a);
    back_solve(d->n, d->M, free_a);
    memcpy(vdot, free_a, (size_t)d->n * sizeof *vdot);
    for (int r = 0; r < d->rows; r++) {
        const double *row = row_of(d, r);
        b[r] = -row[d->n];
        for (int k = 0; k < d->n; k++)
            b[r] -= row[k] * free_a[k];
    }
    int strong = 0;
    for (; strong < d->rank && d->value[strong] > weak * d->value[0]; strong++)
        add_direction(d, strong, along_row(d, strong, b) / d->value[strong], vdot);
    if (strong < d->rank)
        solve_weak(m, part, strong, b, vdot);
    if (lambda)
        multipliers(m, d, vdot, free_a, lambda);
    to_model(m, d, true, vdot);
}

double multibody_loops_rank(mc_multibody *m, multibody_part part)
{
    const singular *d = evaluate(m, part);
    return d->value[d->rank - 1] / d->value[0];
}

void multibody_loops_singular_change(mc_multibody *m, int which, double *x)
{
    singular *d = evaluate(m, MULTIBODY_RATE_DESCRIPTOR);
    double b[d->rows + 1];
    for (int r = 0; r < d->rows; r++)
        b[r] = -row_of(d, r)[d->n + 1 + which];
    memset(x, 0, (size_t)d->n * sizeof *x);
    for (int k = 0; k < d->rank && d->value[k] > project_relative * d->value[0]; k++)
        add_direction(d, k, along_row(d, k, b) / d->value[k], x);
    to_model(m, d, false, x);
}

// With A' Lambda = M dv: B Lambda = L' dv, the columns of B those of L^-1 A' of the rows that act.
void multibody_loops_impulse(mc_multibody *m, double *dv, double *impulse)
{
    singular *d = evaluate(m, MULTIBODY_RATE_DESCRIPTOR);
    double b[d->rows + 1];
    for (int r = 0; r < d->rows; r++)
        b[r] = -row_of(d, r)[d->n + 2];
    memset(dv, 0, (size_t)d->n * sizeof *dv);
    for (int k = 0; k < d->rank && d->value[k] > project_relative * d->value[0]; k++)
        add_direction(d, k, along_row(d, k, b) / d->value[k], dv);
    by_acting(m, d, dv, impulse);
    to_model(m, d, false, dv);
}

void multibody_loops_singular_free(mc_multibody *m)
{
    if (m->singular)
        free(m->singular->store);
    free(m->singular);
    m->singular = NULL;
}
