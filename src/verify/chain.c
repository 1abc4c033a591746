// chain.c - pendulums in a row: small swings by closed forms, large ones by their energy.
//
// n equal point masses on massless rods of length L, swinging by little: the squares of the
// frequencies are g/L times the zeros of the Laguerre polynomial L_n. For two unlike masses
//     m1 l1 l2 w^4 - (m1 + m2) g (l1 + l2) w^2 + (m1 + m2) g^2 = 0.
// Large swings are chaotic; there the energy must stay.
#include "verify/verify.h"
#include "num/dense.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHAIN_MAX = 12 };
static const double gravity = 9.81;

// ---- the model ---------------------------------------------------------------------------------

// Link i hangs on the one before and starts at angle `start` (rad) of it.
static void write_chain(char *text, size_t size, int n, const double *mass, const double *length,
                        double start)
{
    int at = snprintf(text, size, "motorcade: multibody\nname: chain\nbodies:\n");
    for (int i = 0; i < n; i++) {
        at += snprintf(text + at, size - (size_t)at, "  rod%d: {joint: hinge, axis: y, ", i + 1);
        if (i > 0)
            at += snprintf(text + at, size - (size_t)at, "inboard: rod%d, at: [0, 0, %.17g], ", i,
                           -length[i - 1]);
        at += snprintf(text + at, size - (size_t)at,
                       "mass: %.17g, com: [0, 0, %.17g], start: {angle: %.17g}}\n", mass[i],
                       -length[i], i == 0 ? start : 0.1 * start);
    }
}

// ---- frequencies -------------------------------------------------------------------------------

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The n circular frequencies of the hanging chain, ascending, from the eigenvalues of its Jacobian:
// pairs +-iw. *damping: the largest real part that was found, which should be none.
static mc_status swing_frequencies(mc_multibody *m, double *frequency, double *damping,
                                   mc_error *error)
{
    const int y_count = mc_multibody_info_of(m)->y_count;
    double y[2 * CHAIN_MAX] = {0}, a[4 * CHAIN_MAX * CHAIN_MAX];
    double real[2 * CHAIN_MAX], imaginary[2 * CHAIN_MAX];
    const mc_status status = mc_multibody_jacobian(m, 0.0, y, a, NULL, error);
    if (status != MC_OK)
        return status;
    if (!dense_eigenvalues(y_count, a, real, imaginary))
        return mc_error_set(error, MC_FAILED, NULL, 0, 0, "eigenvalues did not converge");
    int count = 0;
    *damping = 0.0;
    for (int i = 0; i < y_count; i++) {
        *damping = fmax(*damping, fabs(real[i]));
        if (imaginary[i] > 0.0 && count < y_count / 2)
            frequency[count++] = imaginary[i];
    }
    if (2 * count != y_count)
        return mc_error_set(error, MC_FAILED, NULL, 0, 0, "found %d frequencies, expected %d",
                            count, y_count / 2);
    qsort(frequency, (size_t)count, sizeof *frequency, ascending);
    return MC_OK;
}

static mc_status check_frequencies(verify_sink *sink, int n, const double *mass,
                                   const double *length, const double *expected, mc_error *error)
{
    char text[200 * CHAIN_MAX];
    write_chain(text, sizeof text, n, mass, length, 0.0);
    const mc_multibody_options options = {.compile = MC_COMPILE_NEVER};
    mc_multibody *m = mc_multibody_parse(text, "chain", &options, error);
    if (!m)
        return error->code;
    double frequency[CHAIN_MAX], damping = NAN;
    const mc_status status = swing_frequencies(m, frequency, &damping, error);
    mc_multibody_free(m);
    for (int i = 0; i < n && status == MC_OK; i++)
        verify_note(sink, frequency[i], expected[i], 10.0, "%d rods: frequency %d", n, i + 1);
    if (status == MC_OK)
        verify_note(sink, damping, 0.0, 10.0, "%d rods: damping", n);
    return status;
}

// ---- closed forms ------------------------------------------------------------------------------

// (k + 1) L_{k+1} = (2k + 1 - x) L_k - k L_{k-1}
static long double laguerre(int n, long double x)
{
    long double before = 0.0L, value = 1.0L;
    for (int k = 0; k < n; k++) {
        const long double next = ((2 * k + 1 - x) * value - k * before) / (k + 1);
        before = value;
        value = next;
    }
    return value;
}

// Zeros of L_n, ascending: each lies alone between two neighbours among 0, the zeros of L_{n-1} and
// 4n.
static void laguerre_zeros(int n, long double *zero)
{
    long double fence[CHAIN_MAX + 2];
    for (int degree = 1; degree <= n; degree++) {
        fence[0] = 0.0L;
        memcpy(fence + 1, zero, (size_t)(degree - 1) * sizeof *zero);
        fence[degree] = 4.0L * degree;
        for (int i = 0; i < degree; i++) {
            long double low = fence[i], high = fence[i + 1];
            const bool falls = i % 2 == 0; // L_n(0) = 1
            for (int k = 0; k < 80; k++) {
                const long double middle = 0.5L * (low + high);
                *((laguerre(degree, middle) > 0.0L) == falls ? &low : &high) = middle;
            }
            zero[i] = 0.5L * (low + high);
        }
    }
}

// ---- large swings ------------------------------------------------------------------------------

static mc_status check_energy(verify_sink *sink, int n, const double *mass, const double *length,
                              double digits, mc_error *error)
{
    char text[200 * CHAIN_MAX], quantity[40];
    write_chain(text, sizeof text, n, mass, length, 1.5707963267948966);
    verify_motion motion;
    mc_status status = verify_motion_open(&motion, text, "chain", "dop853", 1e-13, error);
    if (status != MC_OK)
        return status;
    status = verify_motion_to(&motion, 10.0, error);
    snprintf(quantity, sizeof quantity, "%d rods: energy drift", n);
    if (status == MC_OK)
        verify_motion_note_drift(sink, &motion, digits, quantity);
    verify_motion_close(&motion);
    return status;
}

static mc_status run_double(verify_sink *sink, mc_error *error)
{
    static const double mass[2] = {1.2, 0.9}, length[2] = {1.0, 0.8};
    const double sum = mass[0] + mass[1], a = mass[0] * length[0] * length[1];
    const double b = sum * gravity * (length[0] + length[1]), c = sum * gravity * gravity;
    const double high = (b + sqrt(b * b - 4.0 * a * c)) / (2.0 * a); // w^2
    const double expected[2] = {sqrt(c / (a * high)), sqrt(high)};
    const mc_status status = check_frequencies(sink, 2, mass, length, expected, error);
    return status == MC_OK ? check_energy(sink, 2, mass, length, 10.0, error) : status;
}

static mc_status run_n(verify_sink *sink, mc_error *error)
{
    static const double rod = 0.5; // m
    double mass[CHAIN_MAX], length[CHAIN_MAX];
    for (int i = 0; i < CHAIN_MAX; i++) {
        mass[i] = 0.7;
        length[i] = rod;
    }
    mc_status status = MC_OK;
    for (int n = 2; n <= CHAIN_MAX && status == MC_OK; n++) {
        long double zero[CHAIN_MAX];
        double expected[CHAIN_MAX];
        laguerre_zeros(n, zero);
        for (int i = 0; i < n; i++)
            expected[i] = (double)sqrtl((long double)gravity / (long double)rod * zero[i]);
        status = check_frequencies(sink, n, mass, length, expected, error);
    }
    for (int n = 2; n <= 8 && status == MC_OK; n += 2)
        status = check_energy(sink, n, mass, length, 10.0, error);
    return status;
}

const verify_benchmark verify_double_pendulum = {
    .text = {"double-pendulum",
             "two unlike point masses: small-swing frequencies; energy over 10 s",
             "closed form (Lagrange); conservation of energy"},
    .run = run_double,
};

const verify_benchmark verify_n_pendulum = {
    .text = {"n-pendulum", "2 to 12 equal point masses in a row: frequencies; energy over 10 s",
             "zeros of Laguerre polynomials (D. Bernoulli, Euler); conservation of energy"},
    .run = run_n,
};
