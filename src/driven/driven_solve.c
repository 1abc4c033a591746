// driven_solve.c - positions, forces and rates of a driven mechanism.
//
// Positions follow the path: a step along the tangent, then Newton's method on all rows. A step
// whose correction is not small beside it is halved: it would jump to another way of closing, or
// there is none.
//
// What is free (directions Z) settles by r(z) = Z' v' = 0, v' under the forces that hold all
// drives. J = dr/dz by differences of closed positions; steps (I/h - J) dz = r as in thick oil, h
// growing as |r| falls until they are Newton's, as in linear/equilibrium.c.
#include "driven/driven.h"

#include "num/dense.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double long_step = 0.1;        // rad or m, of one step along the path
static const double short_step = 1e-9;      // of the whole way: it cannot continue
static const double depends = 1e-8;         // of a row's own length: what is left of it
static const double difference = 1e-6;      // rad or m
static const double rest_tolerance = 1e-10; // of the accelerations without the forces that hold

// ---- directions --------------------------------------------------------------------------------

static double dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

// Takes what is in `basis` (count vectors) out of a, twice against rounding; the length left.
static double take_out(const double *basis, int count, double *a, int n)
{
    for (int twice = 0; twice < 2; twice++)
        for (int j = 0; j < count; j++) {
            const double part = dot(basis + j * n, a, n);
            for (int k = 0; k < n; k++)
                a[k] -= part * basis[j * n + k];
        }
    return sqrt(dot(a, a, n));
}

int driven_directions(mc_driven *d, const double *x)
{
    const int n = d->m->system.v_count, m = d->rows.count;
    double basis[n * n + 1], left[n + 1];
    int rank = 0, redundant = -1;
    memcpy(d->A, mb_assembly_matrix(d->assembly, x), (size_t)(m * n) * sizeof *d->A);
    for (int r = 0; r < m; r++) {
        memcpy(left, d->A + r * n, (size_t)n * sizeof *left);
        const double length = sqrt(dot(left, left, n)), rest = take_out(basis, rank, left, n);
        if (rank < n && rest > depends * length) {
            for (int k = 0; k < n; k++)
                basis[rank * n + k] = left[k] / rest;
            rank++;
        } else if (r >= d->own_count && redundant < 0) {
            redundant = r;
        }
    }
    // The rest of the space, from the unit vector of which most is left each time.
    d->free_count = n - rank;
    for (; rank < n; rank++) {
        double most = 0.0;
        int best = 0;
        for (int k = 0; k < n; k++) {
            memset(left, 0, sizeof left);
            left[k] = 1.0;
            const double rest = take_out(basis, rank, left, n);
            if (rest > most * (1.0 + 1e-9)) {
                most = rest;
                best = k;
            }
        }
        memset(left, 0, sizeof left);
        left[best] = 1.0;
        const double rest = take_out(basis, rank, left, n);
        for (int k = 0; k < n; k++)
            basis[rank * n + k] = left[k] / rest;
    }
    memcpy(d->Z, basis + (n - d->free_count) * n, (size_t)(d->free_count * n) * sizeof *d->Z);
    return redundant;
}

// ---- forces ------------------------------------------------------------------------------------

// v' of the mechanism under tau, from the variables in d->x.
static void accelerations(mc_driven *d, const double *tau, double *vdot)
{
    const mb_system *s = &d->m->system;
    double dy[s->y_count + 1];
    memcpy(d->m->x + mb_at_input(s), d->x + mb_at_input(s), (size_t)s->input_count * sizeof *d->x);
    mc_multibody_rate(d->m, d->x[mb_at_time(s)], d->x, tau, dy);
    memcpy(vdot, dy + s->q_count, (size_t)s->v_count * sizeof *vdot);
}

// The items with rows of their own; `item` gets them.
static int pushing(const mc_driven *d, int *item)
{
    int count = 0;
    for (int i = 0; i < d->item_count; i++)
        if (d->item[i].what == DRIVEN_ROW)
            item[count++] = i;
    return count;
}

// tau of all forces mu.
static void add_up(mc_driven *d)
{
    const int n = d->m->system.v_count;
    memset(d->tau, 0, (size_t)n * sizeof *d->tau);
    for (int i = 0; i < d->item_count; i++)
        for (int k = 0; d->item[i].what == DRIVEN_ROW && k < n; k++)
            d->tau[k] += d->mu[i] * d->A[d->item[i].row * n + k];
}

// D v'(mu) + bias = 0: (D P D') mu = -bias - D v'(0), P what a unit of a generalised force does;
// again with what is left, since P comes from differences.
bool driven_forces(mc_driven *d)
{
    const int n = d->m->system.v_count;
    int item[d->item_count + 1];
    const int count = pushing(d, item);
    memset(d->mu, 0, (size_t)d->item_count * sizeof *d->mu);
    add_up(d);
    accelerations(d, d->tau, d->vdot);
    double bias[d->item_count + 1];
    memset(bias, 0, sizeof bias);
    if (d->timed) {
        driven_run(d, &d->bias);
        memcpy(bias, d->bias.out, (size_t)d->item_count * sizeof *bias);
    }
    double G[count * count + 1], work[8 * count + 8], right[count + 1], scale[count + 1];
    for (int j = 0; j < count; j++) {
        double *push = d->push + item[j] * n, *row = d->A + d->item[item[j]].row * n;
        accelerations(d, row, push);
        for (int k = 0; k < n; k++)
            push[k] -= d->vdot[k];
        const double own = dot(row, push, n);
        scale[j] = own > 0.0 ? 1.0 / sqrt(own) : 0.0;
    }
    for (int again = 0; again < 3; again++) {
        int rank;
        for (int i = 0; i < count; i++) {
            const double *row = d->A + d->item[item[i]].row * n;
            for (int j = 0; j < count; j++)
                G[j * count + i] = scale[i] * scale[j] * dot(row, d->push + item[j] * n, n);
            right[i] = -scale[i] * (bias[item[i]] + dot(row, d->vdot, n));
        }
        if (count && !dense_least_squares(count, G, right, 1e-12, &rank, work))
            return false;
        for (int j = 0; j < count; j++)
            d->mu[item[j]] += scale[j] * right[j];
        add_up(d);
        accelerations(d, d->tau, d->vdot);
    }
    for (int k = 0; k < n; k++)
        if (!isfinite(d->vdot[k]))
            return false;
    return true;
}

// ---- equilibrium -------------------------------------------------------------------------------

// r = Z' v' with directions Z, at the position in d->x.
static bool residual(mc_driven *d, const double *Z, int count, double *r)
{
    const int n = d->m->system.v_count;
    memcpy(d->A, mb_assembly_matrix(d->assembly, d->x), (size_t)(d->rows.count * n) * sizeof *d->A);
    if (!driven_forces(d))
        return false;
    for (int j = 0; j < count; j++)
        r[j] = dot(Z + j * n, d->vdot, n);
    return true;
}

static double largest_of(const double *a, int n)
{
    double largest = 0.0;
    for (int k = 0; k < n; k++)
        largest = fmax(largest, fabs(a[k]));
    return largest;
}

// The residual at a position near by: moved along p, the drives by `by` of their speeds.
static bool residual_at(mc_driven *d, const double *p, double by, const double *Z, int count,
                        double *r)
{
    const mb_system *s = &d->m->system;
    double kept[d->x_count + 1];
    memcpy(kept, d->x, (size_t)d->x_count * sizeof *kept);
    mb_assembly_move(d->assembly, d->x, p);
    for (int i = 0; i < d->item_count; i++) {
        d->x[d->at_target + i] += by * d->x[d->at_speed + i];
        if (d->item[i].what == DRIVEN_INPUT)
            d->x[mb_at_input(s) + d->item[i].input] = d->x[d->at_target + i];
        d->x[d->at_speed + i] = 0.0;
    }
    const bool good = mb_assembly_close_near(d->assembly, d->x) && residual(d, Z, count, r);
    memcpy(d->x, kept, (size_t)d->x_count * sizeof *kept);
    return good;
}

// J = dr/dz, column major, by central differences.
static bool find_jacobian(mc_driven *d, const double *Z, int count, double *J)
{
    const int n = d->m->system.v_count;
    double p[n + 1], above[count + 1], below[count + 1];
    for (int j = 0; j < count; j++) {
        for (int side = 0; side < 2; side++) {
            for (int k = 0; k < n; k++)
                p[k] = (side ? -difference : difference) * Z[j * n + k];
            if (!residual_at(d, p, 0.0, Z, count, side ? below : above))
                return false;
        }
        for (int i = 0; i < count; i++)
            J[j * count + i] = (above[i] - below[i]) / (2.0 * difference);
    }
    return true;
}

// 1 / (the fastest growth that J has), INFINITY when nothing grows.
static double growth_time(const double *J, int n)
{
    double copy[n * n + 1], real[n + 1], imaginary[n + 1], fastest = 0.0, size = 0.0;
    memcpy(copy, J, (size_t)(n * n) * sizeof *copy);
    if (!dense_eigenvalues(n, copy, real, imaginary))
        return INFINITY;
    for (int i = 0; i < n; i++) {
        fastest = fmax(fastest, real[i]);
        size = fmax(size, hypot(real[i], imaginary[i]));
    }
    return fastest > 1e-6 * size ? 1.0 / fastest : INFINITY;
}

// (I/h - J) dz = r, in the sense of least squares: what nothing pushes does not move.
static bool oil_step(const double *J, const double *r, double h, int n, double *dz)
{
    double M[n * n + 1], work[8 * n + 8];
    int rank;
    for (int k = 0; k < n * n; k++)
        M[k] = -J[k] + (k % (n + 1) == 0 ? 1.0 / h : 0.0);
    memcpy(dz, r, (size_t)n * sizeof *dz);
    return dense_least_squares(n, M, dz, 1e-10, &rank, work);
}

bool driven_settle(mc_driven *d)
{
    enum { ITERATIONS = 60 };
    const int n = d->m->system.v_count;
    double r[n + 1], dz[n + 1], p[n + 1], J[n * n + 1], Z[n * n + 1], free_fall[n + 1];
    double kept[d->x_count + 1], h = 0.0, before = INFINITY;
    for (int i = 0; i < d->item_count; i++)
        d->x[d->at_speed + i] = 0.0;
    memset(d->x + d->m->system.q_count, 0, (size_t)n * sizeof *d->x);
    driven_directions(d, d->x);
    const int count = d->free_count;
    accelerations(d, NULL, free_fall);
    const double small = rest_tolerance * fmax(largest_of(free_fall, n), 1.0);
    memcpy(kept, d->x, (size_t)d->x_count * sizeof *kept);
    for (int i = 0; i < ITERATIONS; i++) {
        driven_directions(d, d->x);
        memcpy(Z, d->Z, (size_t)(count * n) * sizeof *Z);
        if (d->free_count != count || !residual(d, Z, count, r))
            return false;
        const double size = largest_of(r, count);
        d->rest = size;
        if (size <= small)
            return true;
        if (size > 2.0 * before) { // back, with less oil
            memcpy(d->x, kept, (size_t)d->x_count * sizeof *kept);
            h /= 8.0;
            before = INFINITY;
            continue;
        }
        if (!find_jacobian(d, Z, count, J))
            return false;
        h = h == 0.0 ? 0.1 / size : h * fmin(10.0, fmax(0.5, 2.0 * before / fmax(size, 1e-300)));
        if (!(h < 1e12))
            h = 1e12;
        h = fmin(h, 0.5 * growth_time(J, count));
        if (!oil_step(J, r, h, count, dz))
            return false;
        const double share = fmin(1.0, long_step / fmax(largest_of(dz, count), 1e-300));
        memset(p, 0, sizeof p);
        for (int j = 0; j < count; j++)
            for (int k = 0; k < n; k++)
                p[k] += share * dz[j] * Z[j * n + k];
        memcpy(kept, d->x, (size_t)d->x_count * sizeof *kept);
        before = size;
        mb_assembly_move(d->assembly, d->x, p);
        if (!mb_assembly_close_near(d->assembly, d->x)) {
            memcpy(d->x, kept, (size_t)d->x_count * sizeof *kept);
            h /= 16.0;
            before = INFINITY;
        }
    }
    return false;
}

// ---- the path ----------------------------------------------------------------------------------

static void set_drives(mc_driven *d, const double *target, double t)
{
    const mb_system *s = &d->m->system;
    for (int i = 0; i < d->drive_count; i++) {
        d->x[d->at_target + i] = target[i];
        if (d->item[i].what == DRIVEN_INPUT)
            d->x[mb_at_input(s) + d->item[i].input] = target[i];
    }
    d->x[mb_at_time(s)] = t;
}

// Velocities that the rows ask for, the smallest ones.
static void close_rates(mc_driven *d, const double *speed)
{
    const mb_system *s = &d->m->system;
    for (int i = 0; i < d->item_count; i++)
        d->x[d->at_speed + i] = speed && i < d->drive_count ? speed[i] : 0.0;
    memset(d->x + s->q_count, 0, (size_t)s->v_count * sizeof *d->x);
    mb_assembly_close_near(d->assembly, d->x);
    memcpy(d->along, d->x + s->q_count, (size_t)s->v_count * sizeof *d->along);
}

void driven_along(mc_driven *d, const double *speed)
{
    const mb_system *s = &d->m->system;
    const int n = s->v_count;
    close_rates(d, speed);
    if (d->timed)
        return;
    memset(d->x + s->q_count, 0, (size_t)n * sizeof *d->x);
    driven_directions(d, d->x);
    const int count = d->free_count;
    if (count == 0 || d->geometry)
        return;
    // J dz = -dr/ds along the path.
    double Z[n * n + 1], J[n * n + 1], above[n + 1], below[n + 1], p[n + 1], dz[n + 1];
    const double by = difference / fmax(largest_of(d->along, n), 1e-300);
    const double step = fmin(by, difference / fmax(fabs(speed[0]), 1e-300));
    memcpy(Z, d->Z, (size_t)(count * n) * sizeof *Z);
    for (int side = 0; side < 2; side++) {
        const double h = side ? -step : step;
        for (int k = 0; k < n; k++)
            p[k] = h * d->along[k];
        if (!residual_at(d, p, h, Z, count, side ? below : above))
            return;
    }
    for (int j = 0; j < count; j++)
        dz[j] = (above[j] - below[j]) / (2.0 * step);
    for (int i = 0; i < d->item_count; i++)
        d->x[d->at_speed + i] = 0.0;
    if (!find_jacobian(d, Z, count, J) || !oil_step(J, dz, INFINITY, count, p))
        return;
    for (int j = 0; j < count; j++)
        for (int k = 0; k < n; k++)
            d->along[k] += p[j] * Z[j * n + k];
}

// Where the path ends, and what keeps it from continuing to `target`.
static mc_status stuck(mc_driven *d, const double *target, double t, bool open, mc_error *error)
{
    const driven_item *first = &d->item[0];
    const char *gap_unit;
    char at[200];
    if (d->timed)
        snprintf(at, sizeof at, "t = %.9g s", d->x[mb_at_time(&d->m->system)]);
    else
        snprintf(at, sizeof at, "%s = %.9g%s%s", first->name, d->x[d->at_target],
                 first->unit[0] ? " " : "", first->unit);
    if (!open)
        return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                            "no equilibrium found at or next to %s: an acceleration of %.3g m/s^2 "
                            "or rad/s^2 is left; hold what nothing supports, or ask for geometry "
                            "alone",
                            at, d->rest);
    int worst = 0;
    mc_error unused;
    set_drives(d, target, t);
    mb_assembly_close(d->assembly, d->x, &unused);
    const double gap = mb_assembly_gap(d->assembly, d->x, &worst);
    gap_unit = d->rows.row[worst].length ? "m" : d->rows.row[worst].closing >= 0 ? "rad" : "";
    return mc_error_set(
        error, MC_FAILED, NULL, 0, 0,
        "%s: the mechanism cannot continue (a toggle, or the end of its way); at the "
        "next value %s stays open by %.3g%s%s",
        at, d->rows.row[worst].owner, gap, gap_unit[0] ? " " : "", gap_unit);
}

// One step of the path, `share` of the velocities along it; false: it must be shorter. *open:
// joints do not close.
static bool step(mc_driven *d, const double *target, double t, double share, bool *open)
{
    const mb_system *s = &d->m->system;
    const int n = s->v_count;
    double p[n + 1], old_q[s->q_count + 1], predicted[s->q_count + 1];
    memcpy(old_q, d->x, sizeof *old_q * (size_t)s->q_count);
    for (int k = 0; k < n; k++)
        p[k] = share * d->along[k];
    *open = true;
    if (largest_of(p, n) > long_step)
        return false;
    mb_assembly_move(d->assembly, d->x, p);
    memcpy(predicted, d->x, sizeof *predicted * (size_t)s->q_count);
    set_drives(d, target, t);
    memset(d->x + s->q_count, 0, (size_t)n * sizeof *d->x);
    if (!mb_assembly_close_near(d->assembly, d->x))
        return false;
    double gone = 0.0, corrected = 0.0;
    for (int k = 0; k < s->q_count; k++) {
        gone = fmax(gone, fabs(predicted[k] - old_q[k]));
        corrected = fmax(corrected, fabs(d->x[k] - predicted[k]));
    }
    if (corrected > (share > 0.0 ? 0.3 * gone + 1e-9 : long_step))
        return false;
    *open = false;
    d->steps++;
    return d->geometry || d->timed || d->free_count == 0 || driven_settle(d);
}

mc_status driven_advance(mc_driven *d, const double *target, double t, mc_error *error)
{
    const mb_system *s = &d->m->system;
    const double t0 = d->x[mb_at_time(s)];
    double from[d->drive_count + 1], to[d->drive_count + 1], speed[d->drive_count + 1];
    double kept[d->x_count + 1];
    for (int i = 0; i < d->drive_count; i++) {
        from[i] = d->x[d->at_target + i];
        speed[i] = target[i] - from[i];
    }
    const double scale = d->timed ? t - t0 : 1.0; // a motion that begins elsewhere: no tangent
    double done = 0.0, share = 1.0;
    while (done < 1.0) {
        bool open = false;
        share = fmin(share, 1.0 - done);
        close_rates(d, speed);
        memcpy(kept, d->x, (size_t)d->x_count * sizeof *kept);
        const double next = done + share >= 1.0 ? 1.0 : done + share;
        for (int i = 0; i < d->drive_count; i++)
            to[i] = next == 1.0 ? target[i] : from[i] + next * speed[i];
        if (step(d, to, next == 1.0 ? t : t0 + next * (t - t0), scale * share, &open)) {
            done = next;
            share *= 2.0;
            continue;
        }
        memcpy(d->x, kept, (size_t)d->x_count * sizeof *kept);
        if (share < short_step)
            return stuck(d, target, t, open, error);
        share /= 4.0;
    }
    memset(d->x + s->q_count, 0, (size_t)s->v_count * sizeof *d->x);
    return MC_OK;
}
