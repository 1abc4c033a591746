// integrate.c - the tables of methods and the two routines that run them.
#include "num/integrate.h"

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <strings.h>

static const rk_kind rk_kinds[] = {
    {.name = "euler",
     .doc = "Euler: the slope at the start",
     .order = 1,
     .stages = 1,
     .c = {0.0},
     .b = {1.0}},
    {.name = "midpoint",
     .doc = "the slope halfway",
     .order = 2,
     .stages = 2,
     .c = {0.0, 1.0 / 2},
     .a = {{0.0}, {1.0 / 2}},
     .b = {0.0, 1.0}},
    {.name = "heun",
     .doc = "mean of the slopes at both ends",
     .order = 2,
     .stages = 2,
     .c = {0.0, 1.0},
     .a = {{0.0}, {1.0}},
     .b = {1.0 / 2, 1.0 / 2}},
    {.name = "rk3",
     .doc = "Kutta's third order: Simpson's rule",
     .order = 3,
     .stages = 3,
     .c = {0.0, 1.0 / 2, 1.0},
     .a = {{0.0}, {1.0 / 2}, {-1.0, 2.0}},
     .b = {1.0 / 6, 2.0 / 3, 1.0 / 6}},
    {.name = "rk4",
     .doc = "the classical Runge-Kutta method",
     .order = 4,
     .stages = 4,
     .c = {0.0, 1.0 / 2, 1.0 / 2, 1.0},
     .a = {{0.0}, {1.0 / 2}, {0.0, 1.0 / 2}, {0.0, 0.0, 1.0}},
     .b = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}},
    {.name = "rk5",
     .doc = "the fifth-order method of Dormand and Prince",
     .order = 5,
     .stages = 6,
     .c = {0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0},
     .a = {{0.0},
           {1.0 / 5},
           {3.0 / 40, 9.0 / 40},
           {44.0 / 45, -56.0 / 15, 32.0 / 9},
           {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
           {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}},
     .b = {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}},
};
enum { RK_KIND_COUNT = sizeof rk_kinds / sizeof rk_kinds[0] };

const rk_kind *rk_kind_at(int index)
{
    return index >= 0 && index < RK_KIND_COUNT ? &rk_kinds[index] : NULL;
}

const rk_kind *rk_kind_find(const char *name)
{
    for (int i = 0; i < RK_KIND_COUNT; i++)
        if (strcasecmp(rk_kinds[i].name, name) == 0)
            return &rk_kinds[i];
    return NULL;
}

int rk_work_size(const rk_kind *kind, int n)
{
    return (kind->stages + 1) * n; // the stages' slopes and one point
}

void rk_advance(const rk_kind *kind, integrate_rate *rate, void *context, int n, double t, double h,
                int steps, double *y, double *work)
{
    double *point = work, *k = work + n; // k of stage i, component m is k[i * n + m]
    for (int step = 0; step < steps; step++) {
        const double start = t + step * h;
        for (int i = 0; i < kind->stages; i++) {
            for (int m = 0; m < n; m++) {
                double sum = 0.0;
                for (int j = 0; j < i; j++)
                    sum += kind->a[i][j] * k[j * n + m];
                point[m] = y[m] + h * sum;
            }
            rate(context, start + kind->c[i] * h, point, k + i * n);
        }
        for (int m = 0; m < n; m++) {
            double sum = 0.0;
            for (int i = 0; i < kind->stages; i++)
                sum += kind->b[i] * k[i * n + m];
            y[m] += h * sum;
        }
    }
}

// One step of h = 1 for y' = z y, y = 1: a polynomial in z.
double _Complex rk_stability(const rk_kind *kind, double _Complex z)
{
    double _Complex k[RK_STAGE_MAX], y = 1.0;
    for (int i = 0; i < kind->stages; i++) {
        double _Complex point = 1.0;
        for (int j = 0; j < i; j++)
            point += kind->a[i][j] * k[j];
        k[i] = z * point;
        y += kind->b[i] * k[i];
    }
    return y;
}

// The first s at which size(kind, s) exceeds 1, by steps and halving. Nearer to 0 than the start of
// the search the excess drowns in rounding; what exceeds 1 there already has the limit 0. size must
// grow without bound.
static double first_beyond_one(double (*size)(const void *kind, double s), const void *kind)
{
    const double start = 0.1, step = 1e-3, rounding = 1e-12;
    int i = 0;
    while (size(kind, start + i * step) <= 1.0 + rounding)
        i++;
    if (i == 0)
        return 0.0;
    double low = start + (i - 1) * step, high = start + i * step;
    for (int k = 0; k < 50; k++) {
        const double middle = 0.5 * (low + high);
        if (size(kind, middle) <= 1.0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double size_when_damped(const void *kind, double s)
{
    return cabs(rk_stability(kind, -s));
}

static double size_when_oscillating(const void *kind, double s)
{
    return cabs(rk_stability(kind, s * I));
}

double rk_real_limit(const rk_kind *kind)
{
    return first_beyond_one(size_when_damped, kind);
}

double rk_imaginary_limit(const rk_kind *kind)
{
    return first_beyond_one(size_when_oscillating, kind);
}

// Yoshida's weights: w1 = 1 / (2 - 2^(1/3)), w0 = 1 - 2 w1, each a Verlet step.
#define YOSHIDA_1 1.3512071919596578
#define YOSHIDA_0 (1.0 - 2.0 * YOSHIDA_1)

// Blanes and Moan (2002), Runge-Kutta-Nystrom, order 4 in six stages that begin with a kick: an
// error hundreds of times smaller than Yoshida's at the same number of evaluations.
#define BLANES_B1 0.0829844064174052
#define BLANES_B2 0.396309801498368
#define BLANES_B3 (-0.0390563049223486)
#define BLANES_B4 (1.0 - 2.0 * (BLANES_B1 + BLANES_B2 + BLANES_B3))
#define BLANES_A1 0.245298957184271
#define BLANES_A2 0.604872665711080
#define BLANES_A3 (0.5 - (BLANES_A1 + BLANES_A2))

static const symplectic_kind symplectic_kinds[] = {
    {.name = "symplectic_euler",
     .doc = "kick, then drift with the new speed",
     .order = 1,
     .stages = 1,
     .pairs = 1,
     .kick = {1.0},
     .drift = {1.0}},
    {.name = "verlet",
     .doc = "velocity Verlet: half a kick, drift, half a kick",
     .order = 2,
     .stages = 1,
     .pairs = 2,
     .kick = {0.5, 0.5},
     .drift = {1.0}},
    {.name = "yoshida4",
     .doc = "three Verlet steps, the middle one backward",
     .order = 4,
     .stages = 3,
     .pairs = 4,
     .kick = {0.5 * YOSHIDA_1, 0.5 * (YOSHIDA_1 + YOSHIDA_0), 0.5 * (YOSHIDA_1 + YOSHIDA_0),
              0.5 * YOSHIDA_1},
     .drift = {YOSHIDA_1, YOSHIDA_0, YOSHIDA_1}},
    {.name = "blanes_moan4",
     .doc = "Blanes and Moan's fourth-order method with a small error",
     .order = 4,
     .stages = 6,
     .pairs = 7,
     .kick = {BLANES_B1, BLANES_B2, BLANES_B3, BLANES_B4, BLANES_B3, BLANES_B2, BLANES_B1},
     .drift = {BLANES_A1, BLANES_A2, BLANES_A3, BLANES_A3, BLANES_A2, BLANES_A1}},
};
enum { SYMPLECTIC_KIND_COUNT = sizeof symplectic_kinds / sizeof symplectic_kinds[0] };

const symplectic_kind *symplectic_kind_at(int index)
{
    return index >= 0 && index < SYMPLECTIC_KIND_COUNT ? &symplectic_kinds[index] : NULL;
}

const symplectic_kind *symplectic_kind_find(const char *name)
{
    for (int i = 0; i < SYMPLECTIC_KIND_COUNT; i++)
        if (strcasecmp(symplectic_kinds[i].name, name) == 0)
            return &symplectic_kinds[i];
    return NULL;
}

int symplectic_work_size(const symplectic_kind *kind, int n)
{
    (void)kind; // one acceleration for all
    return n;
}

void symplectic_advance(const symplectic_kind *kind, integrate_rate *acceleration, void *context,
                        int n, double t, double h, int steps, double *q, double *v, double *work)
{
    bool seen = false; // work holds the acceleration here and now
    for (int step = 0; step < steps; step++) {
        double drifted = 0.0; // share of the step
        for (int i = 0; i < kind->pairs; i++) {
            if (!seen)
                acceleration(context, t + (step + drifted) * h, q, work);
            seen = true;
            for (int m = 0; m < n; m++)
                v[m] += kind->kick[i] * h * work[m];
            if (kind->drift[i] == 0.0)
                continue;
            for (int m = 0; m < n; m++)
                q[m] += kind->drift[i] * h * v[m];
            drifted += kind->drift[i];
            seen = false;
        }
    }
}

// Half the trace of the matrix of one step for q'' = -q: the eigenvalues are on the unit circle
// while it is within -1 and 1.
static double half_trace(const void *kind, double s)
{
    const symplectic_kind *k = kind;
    double q[2] = {1.0, 0.0}, v[2] = {0.0, 1.0};
    for (int i = 0; i < k->pairs; i++)
        for (int m = 0; m < 2; m++) {
            v[m] -= k->kick[i] * s * q[m];
            q[m] += k->drift[i] * s * v[m];
        }
    return fabs(0.5 * (q[0] + v[1]));
}

double symplectic_limit(const symplectic_kind *kind)
{
    return first_beyond_one(half_trace, kind);
}
