// linearize_rows.c - what joints beside the tree and constraints leave free.
//
// With M = L L', every row c of C = [A; held] is turned, b = L^-1 c, made of length 1 and taken out
// of those behind it, the longest of what is left first; a row of which nothing is left follows
// from the others. What the unit vectors have beside them is the null space, orthonormal: V, and
// Z = L^-T V has C Z = 0, Z' M Z = 1. To name the moves, velocities are taken by the kinetic energy
// that is left of theirs (a ball's last: an angle says more), and Z is divided by its rows there.
#include "linear/linearize.h"

#include "num/dense.h"

#include <math.h>
#include <string.h>

static const double rank_share = 1e-8; // of a row's length
static const double closed = 1e-14;    // m or rad, the last step of closing
static const double ball_weight = 0.01;
enum { STEPS_MAX = 30 };

typedef struct linear_rows {
    int size;              // of the least squares
    double *M, *A, *e;     // L after factoring; row_count x v_count; e of each row
    double *rate;          // e'
    double *basis;         // v_count x v_count, row by row: of C, then of the null space
    double *left;          // rows being worked on
    double *square, *work; // size x size
    double *right;
    int *pivot;
    bool found;
} linear_rows;

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the loops");
}

mc_status linear_rows_open(linear_place *p, mc_error *error)
{
    arena *a = &p->memory;
    const size_t n = (size_t)p->v_count, m = (size_t)p->m->system.rows.live_count;
    linear_rows *w = p->rows = arena_alloc(a, sizeof *w);
    if (!w)
        return no_memory(error);
    *w = (linear_rows){.size = (int)(m + 2 * n)};
    const size_t size = (size_t)w->size;
    p->row_count = (int)m;
    w->M = linear_doubles(a, n * n);
    w->A = linear_doubles(a, m * n);
    w->e = linear_doubles(a, m);
    w->rate = linear_doubles(a, m);
    w->basis = linear_doubles(a, n * n);
    w->left = linear_doubles(a, size * n);
    w->square = linear_doubles(a, size * size);
    w->work = linear_doubles(a, 8 * size);
    w->right = linear_doubles(a, size);
    w->pivot = arena_alloc(a, (n + 1) * sizeof *w->pivot);
    p->Z = linear_doubles(a, n * n);
    p->L = linear_doubles(a, n * n);
    p->D = linear_doubles(a, (size_t)p->q_count * n);
    return w->M && w->A && w->e && w->rate && w->basis && w->left && w->square && w->work &&
                   w->right && w->pivot && p->Z && p->L && p->D
               ? MC_OK
               : no_memory(error);
}

// ---- values ------------------------------------------------------------------------------------

// x of a floating base from body axes to the velocities of the model, where those are the world's.
static void to_world(const mb_system *s, const double *base, double *x, int stride)
{
    for (int i = 0; i < s->links.link_count; i++) {
        const mb_link *link = &s->links.links[i];
        if (link->motion != MB_FLOATING)
            continue;
        double *at = x + link->v * stride;
        const double b[3] = {at[0], at[stride], at[2 * stride]};
        if (!s->model->bodies[link->body].quasi_velocity)
            for (int k = 0; k < 3; k++)
                at[k * stride] =
                    base[3 * k] * b[0] + base[3 * k + 1] * b[1] + base[3 * k + 2] * b[2];
        base += DESCRIPTOR_BASE;
    }
}

// M, A, e and e' at a state, in the velocities of the model.
static void take_values(linear_place *p, double t, const double *y)
{
    mc_multibody *m = p->m;
    const mb_system *s = &m->system;
    linear_rows *w = p->rows;
    const int n = p->v_count;
    multibody_set_state(m, t, y);
    multibody_code *code = multibody_use(m, MULTIBODY_RATE_DESCRIPTOR);
    expr_kernel_run(code->kernel, m->x, code->kept, code->result, code->work);
    const double *row = code->result + n * n + n;
    const double *base = row + p->row_count * (n + DESCRIPTOR_ROW);
    memcpy(w->M, code->result, (size_t)(n * n) * sizeof *w->M);
    for (int k = 0; k < n; k++)
        to_world(s, base, w->M + k * n, 1);
    for (int k = 0; k < n; k++)
        to_world(s, base, w->M + k, n);
    for (int r = 0; r < p->row_count; r++, row += n + DESCRIPTOR_ROW) {
        memcpy(w->A + r * n, row, (size_t)n * sizeof *row);
        to_world(s, base, w->A + r * n, 1);
        w->e[r] = row[n + 1];
        w->rate[r] = row[n + 2];
    }
}

// M becomes L, below the diagonal. weight: the square roots of its diagonal before.
static void factor(int n, double *M, double *weight)
{
    for (int j = 0; j < n; j++)
        weight[j] = sqrt(M[j * (n + 1)]);
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double sum = M[i * n + j];
            for (int k = 0; k < j; k++)
                sum -= M[i * n + k] * M[j * n + k];
            M[i * n + j] = i == j ? sqrt(sum) : sum / M[j * (n + 1)];
        }
}

static void turn(int n, const double *L, double *x) // L x = b
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= L[i * n + k] * x[k];
        x[i] /= L[i * (n + 1)];
    }
}

static void turn_back(int n, const double *L, double *x) // L' x = b
{
    for (int i = n; i-- > 0;) {
        for (int k = i + 1; k < n; k++)
            x[i] -= L[k * n + i] * x[k];
        x[i] /= L[i * (n + 1)];
    }
}

// ---- bases -------------------------------------------------------------------------------------

static double square_of(const double *x, int n)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++)
        sum += x[k] * x[k];
    return sum;
}

static void take_out(int n, const double *unit, double *x)
{
    double dot = 0.0;
    for (int k = 0; k < n; k++)
        dot += unit[k] * x[k];
    for (int k = 0; k < n; k++)
        x[k] -= dot * unit[k];
}

// Adds to the basis, of `have` vectors, at most `most` of `count` rows of length n, the one with
// most left of it first; chosen: their numbers in that order. Returns how many. The rows are left
// as what remains of them.
static int add_rows(int n, double *rows, int count, double least, int most, double *basis, int have,
                    int *chosen)
{
    int added = 0;
    for (int r = 0; r < count; r++)
        for (int twice = 0; twice < 2; twice++)
            for (int b = 0; b < have; b++)
                take_out(n, basis + b * n, rows + r * n);
    while (added < most && have + added < n) {
        int best = -1;
        double length = least * least;
        for (int r = 0; r < count; r++) {
            const double now = square_of(rows + r * n, n);
            if (now > length * (1.0 + 1e-6)) // of equals the first stays, whatever the rounding
                best = r, length = now;
        }
        if (best < 0)
            break;
        double *unit = basis + (have + added) * n;
        memcpy(unit, rows + best * n, (size_t)n * sizeof *unit);
        for (int b = 0; b < have + added; b++)
            take_out(n, basis + b * n, unit);
        const double size = sqrt(square_of(unit, n));
        for (int k = 0; k < n; k++)
            unit[k] /= size;
        chosen[added++] = best;
        for (int r = 0; r < count; r++)
            for (int twice = 0; twice < 2; twice++)
                take_out(n, unit, rows + r * n);
        memset(rows + best * n, 0, (size_t)n * sizeof *rows);
    }
    return added;
}

// Row r of C, turned and of length 1, with its scale.
static double turned_row(const linear_place *p, int r, double *out)
{
    const linear_rows *w = p->rows;
    const int n = p->v_count;
    memset(out, 0, (size_t)n * sizeof *out);
    if (r < p->row_count)
        memcpy(out, w->A + r * n, (size_t)n * sizeof *out);
    else
        out[p->held[r - p->row_count]] = 1.0;
    turn(n, w->M, out);
    const double size = sqrt(square_of(out, n));
    for (int k = 0; k < n && size > 0.0; k++)
        out[k] /= size;
    return size > 0.0 ? 1.0 / size : 0.0;
}

// The velocities that name the moves: those with most kinetic energy of their own, in order.
static void name_moves(linear_place *p, double *weight, int count)
{
    linear_rows *w = p->rows;
    const mb_model *m = &p->m->model;
    const int n = p->v_count;
    for (int b = 0; b < m->body_count; b++)
        for (int k = 0; k < 3 && m->bodies[b].joint == MB_BALL; k++)
            weight[p->m->system.links.body_v[b] + k] *= ball_weight;
    int chosen[n + 1];
    double of_moves[count * count + 1];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < count; j++)
            w->left[i * count + j] = weight[i] * p->Z[i + n * j];
    p->move_count = add_rows(count, w->left, n, 1e-9, count, of_moves, 0, chosen);
    bool taken[n + 1];
    memset(taken, 0, sizeof taken);
    for (int j = 0; j < p->move_count; j++)
        taken[chosen[j]] = true;
    for (int i = 0, j = 0; i < n; i++)
        if (taken[i])
            p->move[j++] = i;
}

// Z divided by its rows of the moves: Z Z_m^-1.
static bool divide(linear_place *p)
{
    linear_rows *w = p->rows;
    const int n = p->v_count, d = p->move_count;
    double row[d + 1];
    for (int j = 0; j < d; j++) // transposed: one row of Z at a time is solved for
        for (int i = 0; i < d; i++)
            w->square[j + d * i] = p->Z[p->move[i] + n * j];
    if (!dense_factor(d, w->square, w->pivot))
        return false;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < d; j++)
            row[j] = p->Z[i + n * j];
        dense_back(d, w->square, w->pivot, row);
        for (int j = 0; j < d; j++)
            p->Z[i + n * j] = fabs(row[j]) < 1e-14 ? 0.0 : row[j];
    }
    for (int j = 0; j < d; j++)
        for (int i = 0; i < d; i++)
            p->Z[p->move[i] + n * j] = i == j;
    return true;
}

// ---- moves -------------------------------------------------------------------------------------

// Held velocities that follow from the rows and the others held need no force.
static void keep_held(linear_place *p, int count, const int *chosen)
{
    bool keep[p->v_count + 1];
    memset(keep, 0, sizeof keep);
    for (int k = 0; k < count; k++)
        keep[chosen[k]] = true;
    int kept = 0;
    for (int k = 0; k < p->held_count; k++)
        if (keep[k])
            p->held[kept++] = p->held[k];
    p->held_count = kept;
}

mc_status linear_rows_find(linear_place *p, double t, const double *y, mc_error *error)
{
    linear_rows *w = p->rows;
    const int n = p->v_count, held = p->held_count;
    double weight[n + 1];
    int chosen[w->size + 1];
    take_values(p, t, y);
    factor(n, w->M, weight);
    for (int r = 0; r < p->row_count + held; r++)
        turned_row(p, r, w->left + r * n);
    // In a position like any other that many rows act.
    const int rank = p->m->system.rows.kept_count;
    int have = add_rows(n, w->left, p->row_count, rank_share, rank, w->basis, 0, chosen);
    if (have < rank)
        return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                            "%s is in a singular position: its constraints leave %d more "
                            "direction%s free than elsewhere",
                            p->m->model.name, rank - have, rank - have == 1 ? "" : "s");
    const int more = add_rows(n, w->left + p->row_count * n, held, w->found ? 0.0 : rank_share,
                              held, w->basis, have, chosen);
    if (!w->found)
        keep_held(p, more, chosen);
    have += more;
    memset(w->left, 0, (size_t)(n * n) * sizeof *w->left);
    for (int k = 0; k < n; k++)
        w->left[k * (n + 1)] = 1.0;
    add_rows(n, w->left, n, 1e-9, n - have, w->basis, have, chosen);
    for (int j = 0; j < n - have; j++) {
        memcpy(p->Z + n * j, w->basis + (have + j) * n, (size_t)n * sizeof *p->Z);
        turn_back(n, w->M, p->Z + n * j);
        for (int k = 0; k < p->held_count; k++)
            p->Z[p->held[k] + n * j] = 0.0;
    }
    if (!w->found && p->weighed)
        p->move_count = n - have;
    else if (!w->found && !p->given)
        name_moves(p, weight, n - have);
    w->found = true;
    if (p->move_count != n - have && p->given)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s has %d independent motion%s here, and %d velocit%s given to name "
                            "them",
                            p->m->model.name, n - have, n - have == 1 ? "" : "s", p->move_count,
                            p->move_count == 1 ? "y was" : "ies were");
    if (p->move_count != n - have)
        return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                            "the motions of %s cannot be told apart here", p->m->model.name);
    return MC_OK;
}

// dz = Z' M dv, with M = L L'.
static void weigh(linear_place *p)
{
    const linear_rows *w = p->rows;
    const int n = p->v_count;
    for (int j = 0; j < p->move_count; j++) {
        double half[n + 1];
        for (int k = 0; k < n; k++) {
            half[k] = 0.0;
            for (int i = k; i < n; i++)
                half[k] += w->M[i * n + k] * p->Z[i + n * j];
        }
        for (int i = 0; i < n; i++) {
            p->L[j * n + i] = 0.0;
            for (int k = 0; k <= i; k++)
                p->L[j * n + i] += w->M[i * n + k] * half[k];
        }
    }
}

mc_status linear_rows_moves(linear_place *p, mc_error *error)
{
    const int n = p->v_count;
    if (p->weighed)
        weigh(p);
    else if (!divide(p))
        return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                            "the motions of %s cannot be told apart here", p->m->model.name);
    memset(p->D, 0, (size_t)p->q_count * (size_t)p->move_count * sizeof *p->D);
    for (int j = 0; j < p->move_count; j++)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < p->q_count && p->Z[i + n * j] != 0.0; k++)
                p->D[k + p->q_count * j] += linear_direction(p, i)[k] * p->Z[i + n * j];
    return MC_OK;
}

// ---- closing -----------------------------------------------------------------------------------

// The smallest dv, weighed by M, with A dv = right; what is held stays. M is factored.
static bool smallest(linear_place *p, const double *right, double *dv)
{
    linear_rows *w = p->rows;
    const int n = p->v_count, count = p->row_count + p->held_count, size = count > n ? count : n;
    double row[n + 1];
    memset(w->square, 0, (size_t)size * (size_t)size * sizeof *w->square);
    memset(w->right, 0, (size_t)size * sizeof *w->right);
    for (int r = 0; r < count; r++) {
        const double scale = turned_row(p, r, row);
        for (int k = 0; k < n; k++)
            w->square[r + size * k] = row[k];
        w->right[r] = r < p->row_count ? scale * right[r] : 0.0;
    }
    int rank;
    if (!dense_least_squares(size, w->square, w->right, rank_share, &rank, w->work))
        return false;
    memcpy(dv, w->right, (size_t)n * sizeof *dv);
    turn_back(n, w->M, dv);
    for (int k = 0; k < p->held_count; k++)
        dv[p->held[k]] = 0.0;
    return true;
}

bool linear_rows_close(linear_place *p, double t, double *y)
{
    linear_rows *w = p->rows;
    const int n = p->v_count;
    double weight[n + 1], minus[p->row_count + 1], step[n + 1], before = INFINITY;
    for (int i = 0; i < STEPS_MAX; i++) {
        double largest = 0.0;
        take_values(p, t, y);
        factor(n, w->M, weight);
        for (int r = 0; r < p->row_count; r++)
            minus[r] = -w->e[r];
        if (!smallest(p, minus, step))
            return false;
        for (int k = 0; k < n; k++)
            largest = fmax(largest, fabs(step[k]));
        if (!isfinite(largest) || (largest < 1e-9 && largest >= before))
            break;
        multibody_loops_move(p->m, step, y);
        before = largest;
        if (largest < closed)
            break;
    }
    return mc_multibody_gap(p->m, t, y) <= 1e-9;
}

// ---- velocities --------------------------------------------------------------------------------

// e' of every row, h along move j: five points make the derivative of fourth order.
static void rates_along(linear_place *p, double t, const double *y, int j, double h, double *out)
{
    double at[p->y_count + 1], step[p->v_count + 1];
    for (int i = 0; i < p->v_count; i++)
        step[i] = h * p->Z[i + p->v_count * j];
    memcpy(at, y, (size_t)p->y_count * sizeof *at);
    multibody_loops_move(p->m, step, at);
    take_values(p, t, at);
    memcpy(out, p->rows->rate, (size_t)p->row_count * sizeof *out);
}

mc_status linear_rows_turn(linear_place *p, double t, const double *y, double *Y, mc_error *error)
{
    const double h = 1e-3;
    linear_rows *w = p->rows;
    const int n = p->v_count, m = p->row_count;
    double far[m + 1], near[m + 1], sum[m + 1], weight[n + 1];
    for (int j = 0; j < p->move_count; j++) {
        memset(sum, 0, sizeof sum);
        for (int side = -1; side <= 1; side += 2) {
            rates_along(p, t, y, j, side * h, near);
            rates_along(p, t, y, j, side * 2.0 * h, far);
            for (int r = 0; r < m; r++) // minus the derivative
                sum[r] -= side * (8.0 * near[r] - far[r]) / (12.0 * h);
        }
        take_values(p, t, y);
        factor(n, w->M, weight);
        double *dv = Y + (size_t)n * (size_t)j, at[p->move_count + 1];
        if (!smallest(p, sum, dv))
            return mc_error_set(error, MC_FAILED, NULL, 0, 0, "cannot solve for the velocities");
        for (int i = 0; i < p->move_count; i++)
            at[i] = dv[p->move[i]];
        for (int i = 0; i < p->move_count; i++) // the moves themselves stay
            for (int k = 0; k < n; k++)
                dv[k] -= p->Z[k + n * i] * at[i];
    }
    return MC_OK;
}

const mb_row *linear_rows_velocity(linear_place *p, double t, const double *y, bool any)
{
    const mb_rows *rows = &p->m->system.rows;
    take_values(p, t, y);
    for (int r = 0; r < p->row_count; r++) {
        const mb_row *row = &rows->row[rows->live[r]];
        if (row->e == EXPR_NONE && (any || fabs(p->rows->rate[r]) > 1e-12))
            return row;
    }
    return NULL;
}
