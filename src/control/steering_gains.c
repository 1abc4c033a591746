// steering_gains.c - steady turns and optimal gains of single-track models.
#include "control/steering_gains.h"

#include "base/gravity.h"
#include "num/dense.h"
#include "num/minmax.h"

#include <math.h>
#include <string.h>

enum { N = 4 };

static const double speeds[STEERING_SPEEDS] = {1.0,  1.5,  2.0,  3.0,  4.0,  6.0,  8.0,  11.0,
                                               15.0, 20.0, 25.0, 30.0, 36.0, 44.0, 55.0, 70.0};

steering_vehicle steering_vehicle_of(const mc_vehicle_facts *facts)
{
    const bool known = facts->front > 0.0 && facts->rear >= 0.0;
    steering_vehicle car = {.front = known ? facts->front : 1.5,
                            .rear = known ? facts->rear : 1.5,
                            .mass = facts->mass,
                            .inertia = facts->yaw_inertia,
                            .stiff_front = facts->stiff_front,
                            .stiff_rear = facts->stiff_rear,
                            .turns = known && facts->turn_front[0] > 0.0 ? facts : NULL};
    if (!(car.inertia > 0.0))
        car.inertia = car.mass * car.front * car.rear;
    if (!(car.stiff_front > 0.0) || !(car.stiff_rear > 0.0)) {
        // Neutral: both axles slip by a tenth of a radian at 1 g.
        const double share = 10.0 * car.mass * GRAVITY / (car.front + car.rear);
        car.stiff_front = share * car.rear;
        car.stiff_rear = share * car.front;
    }
    return car;
}

// Slip angle over lateral acceleration; beyond the table, its last value.
static double slip_of(const double *table, double a)
{
    const double at = num_min(fabs(a) / MC_TURN_STEP, MC_TURN_COUNT - 1.0);
    const int k = (int)num_min(at, MC_TURN_COUNT - 2.0);
    return table[k] + (at - k) * (table[k + 1] - table[k]);
}

double steering_turn_gain(const steering_vehicle *c, double v, double curvature)
{
    const double L = c->front + c->rear, a = v * v * curvature;
    if (c->turns)
        return L + (slip_of(c->turns->turn_front, a) - slip_of(c->turns->turn_rear, a)) * v * v;
    return L + c->mass / L * (c->rear / c->stiff_front - c->front / c->stiff_rear) * v * v;
}

double steering_turn_slip(const steering_vehicle *c, double v, double curvature)
{
    if (c->turns)
        return c->rear - slip_of(c->turns->turn_rear, v * v * curvature) * v * v;
    return c->rear - c->front * c->mass * v * v / ((c->front + c->rear) * c->stiff_rear);
}

void steering_error_model(const steering_vehicle *c, double v, double A[16], double B[4])
{
    const double sum = c->stiff_front + c->stiff_rear;
    const double turn = c->rear * c->stiff_rear - c->front * c->stiff_front;
    const double roll = c->front * c->front * c->stiff_front + c->rear * c->rear * c->stiff_rear;
    const double m = c->mass, I = c->inertia;
    const double rows[16] = {
        0.0,       1.0,
        0.0,       0.0, //
        0.0,       -sum / (m * v),
        sum / m,   turn / (m * v), //
        0.0,       0.0,
        0.0,       1.0, //
        0.0,       turn / (I * v),
        -turn / I, -roll / (I * v), //
    };
    memcpy(A, rows, sizeof rows);
    B[0] = B[2] = 0.0;
    B[1] = c->stiff_front / m;
    B[3] = c->front * c->stiff_front / I;
}

// ---- small matrices, row by row ----

static void multiply(const double *a, const double *b, double *out)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0.0;
            for (int k = 0; k < N; k++)
                sum += a[i * N + k] * b[k * N + j];
            out[i * N + j] = sum;
        }
}

static void transpose(const double *a, double *out)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            out[j * N + i] = a[i * N + j];
}

// out = a^-1 b. LAPACK's columns are our rows: it factors a', and x' a' = b' is solved row by row.
static bool divide(const double *a, const double *b, double *out)
{
    double factors[N * N], column[N];
    int pivot[N];
    transpose(a, factors);
    if (!dense_factor(N, factors, pivot))
        return false;
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++)
            column[i] = b[i * N + j];
        dense_back(N, factors, pivot, column);
        for (int i = 0; i < N; i++)
            out[i * N + j] = column[i];
    }
    return true;
}

static void add_identity(double *a)
{
    for (int i = 0; i < N; i++)
        a[i * N + i] += 1.0;
}

// ---- the Riccati equation ----

// The Cayley transform of (A, G, H) with shift s, from which doubling starts:
//   W = A_s' + H A_s^-1 G,  E = I + 2 s W^-T,  G_0 = 2 s A_s^-1 G W^-1,  H_0 = 2 s W^-1 H A_s^-1
// where A_s = A - s I.
static bool transform(const double *A, double s, double *E, double *G, double *H)
{
    double As[16], AsT[16], by_G[16], W[16], WT[16], inverse[16], one[16] = {0}, t[16];
    add_identity(one);
    memcpy(As, A, sizeof As);
    for (int i = 0; i < N; i++)
        As[i * N + i] -= s;
    transpose(As, AsT);
    if (!divide(As, G, by_G))
        return false;
    multiply(H, by_G, W);
    for (int i = 0; i < N * N; i++)
        W[i] += AsT[i];
    transpose(W, WT);
    if (!divide(WT, one, E))
        return false;
    for (int i = 0; i < N * N; i++)
        E[i] *= 2.0 * s;
    add_identity(E);
    if (!divide(W, one, inverse))
        return false;
    multiply(by_G, inverse, G);
    if (!divide(AsT, H, t)) // (H A_s^-1)' = A_s^-T H, since H is symmetric
        return false;
    transpose(t, As);
    multiply(inverse, As, H);
    for (int i = 0; i < N * N; i++)
        G[i] *= 2.0 * s, H[i] *= 2.0 * s;
    return true;
}

// One step: E <- E (I + G H)^-1 E, G <- G + E (I + G H)^-1 G E', H <- H + E' H (I + G H)^-1 E.
static bool double_up(double *E, double *G, double *H, double *change)
{
    double M[16], by_E[16], by_G[16], ET[16], t[16], u[16];
    multiply(G, H, M);
    add_identity(M);
    if (!divide(M, E, by_E) || !divide(M, G, by_G))
        return false;
    transpose(E, ET);
    multiply(H, by_E, t);
    multiply(ET, t, u);
    double largest = 0.0, moved = 0.0;
    for (int i = 0; i < N * N; i++) {
        H[i] += u[i];
        largest = fmax(largest, fabs(H[i]));
        moved = fmax(moved, fabs(u[i]));
    }
    multiply(by_G, ET, t);
    multiply(E, t, u);
    for (int i = 0; i < N * N; i++)
        G[i] += u[i];
    multiply(E, by_E, t);
    memcpy(E, t, sizeof t);
    *change = moved / largest;
    return isfinite(*change);
}

bool steering_gains_at(const steering_vehicle *car, const double weights[3], double v,
                       double gain[4])
{
    double A[16], B[4], E[16], G[16], H[16] = {0}, change = 1.0;
    steering_error_model(car, v, A, B);
    H[0] = weights[0];
    H[10] = weights[1];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            G[i * N + j] = B[i] * B[j] / weights[2];
    if (!transform(A, 10.0, E, G, H))
        return false;
    for (int k = 0; k < 60 && change > 1e-15; k++)
        if (!double_up(E, G, H, &change))
            return false;
    for (int j = 0; j < N; j++) {
        gain[j] = 0.0;
        for (int i = 0; i < N; i++)
            gain[j] += B[i] * H[i * N + j] / weights[2];
    }
    return isfinite(gain[0] + gain[1] + gain[2] + gain[3]);
}

bool steering_gains_make(const steering_vehicle *car, const double weights[3], steering_gains *out)
{
    bool good = true;
    for (int k = 0; k < STEERING_SPEEDS; k++)
        good = steering_gains_at(car, weights, speeds[k], out->gain[k]) && good;
    return good;
}

void steering_gains_look(const steering_gains *g, double v, double gain[4])
{
    v = fmin(fmax(fabs(v), speeds[0]), speeds[STEERING_SPEEDS - 1]);
    int k = 0;
    while (k < STEERING_SPEEDS - 2 && v > speeds[k + 1])
        k++;
    const double share = (v - speeds[k]) / (speeds[k + 1] - speeds[k]);
    for (int i = 0; i < 4; i++)
        gain[i] = g->gain[k][i] + share * (g->gain[k + 1][i] - g->gain[k][i]);
}
