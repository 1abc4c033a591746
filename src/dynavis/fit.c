// fit.c - derivatives of measured signals over uneven steps.
//
// At a sample, the polynomial of degree d = r + 1 (2 for r = 0) that fits its neighbours in least
// squares, and its derivative r there (Savitzky and Golay 1964, here for any steps). With u = (t -
// t_i)/half the polynomials that are orthogonal over the samples follow from Forsythe's recurrence,
//     p_(k+1) = (u - alpha_k) p_k - beta_k p_(k-1),
//     alpha_k = <u p_k, p_k>/<p_k, p_k>,  beta_k = <p_k, p_k>/<p_(k-1), p_(k-1)>,
// the fit is sum c_k p_k with c_k = <f, p_k>/<p_k, p_k>, and the derivatives at u = 0 from
//     p_(k+1)^(r) = r p_k^(r-1) - alpha_k p_k^(r) - beta_k p_(k-1)^(r).
// No matrix is formed, so the degree costs no digits.
//
// With dense even samples of half span T, r = 1 passes a motion of frequency w by the factor
//     3 (sin(wT) - wT cos(wT))/(wT)^3 = 1 - (wT)^2/10 + ...
// which is 0.707 at wT = 1.815; white noise s of the signal becomes, with 2m + 1 samples of step h,
//     s sqrt(3/(m (m + 1)(2m + 1)))/h.
#include "dynavis/data.h"

#include <math.h>

enum { ORDER_MAX = 3 };
static const double distinct = 1e-20; // mean square of p_k below which it is rounding

typedef struct span {
    int first, count;
} span;

// The samples near number i: those within half of it, the span shifted inwards at the ends of the
// record; then the nearest ones until there are enough, or no more than allowed.
static span find_span(int n, const double *t, int i, int min, double half, span before)
{
    double low = t[i] - half, high = t[i] + half;
    if (low < t[0])
        high = fmin(high + (t[0] - low), t[n - 1]);
    if (high > t[n - 1])
        low -= high - t[n - 1];
    int first = before.first, end = before.first + before.count;
    while (first < i && t[first] < low)
        first++;
    end = end > i + 1 ? end : i + 1;
    while (end < n && t[end] <= high && end - i < MC_DYNAVIS_FIT_MAX)
        end++;
    while (end - first < min && (first > 0 || end < n)) {
        const bool left = end == n || (first > 0 && t[i] - t[first - 1] <= t[end] - t[i]);
        first -= left;
        end += !left;
    }
    while (end - first > MC_DYNAVIS_FIT_MAX) {
        const bool left = t[i] - t[first] > t[end - 1] - t[i];
        first += left;
        end -= !left;
    }
    return (span){first, end - first};
}

// Derivative r at t = t0 of the fit of degree d to n samples.
static double fit(int n, const double *t, const double *f, double t0, double scale, int r, int d)
{
    double u[MC_DYNAVIS_FIT_MAX], p[MC_DYNAVIS_FIT_MAX], q[MC_DYNAVIS_FIT_MAX]; // p_k, p_(k-1)
    double p0[ORDER_MAX + 1] = {1.0}, q0[ORDER_MAX + 1] = {0.0}; // their derivatives at u = 0
    double norm_before = 1.0, sum = 0.0;
    for (int j = 0; j < n; j++) {
        u[j] = (t[j] - t0) / scale;
        p[j] = 1.0;
        q[j] = 0.0;
    }
    for (int k = 0;; k++) {
        double norm = 0.0, moment = 0.0, product = 0.0;
        for (int j = 0; j < n; j++) {
            norm += p[j] * p[j];
            moment += u[j] * p[j] * p[j];
            product += f[j] * p[j];
        }
        if (norm <= distinct * n) // samples too near to each other for more degrees
            return k > r ? sum / pow(scale, r) : NAN;
        sum += product / norm * p0[r];
        if (k == d)
            return sum / pow(scale, r);
        const double beta = k > 0 ? norm / norm_before : 0.0;
        norm_before = norm;
        const double alpha = moment / norm;
        for (int j = 0; j < n; j++) {
            const double higher = (u[j] - alpha) * p[j] - beta * q[j];
            q[j] = p[j];
            p[j] = higher;
        }
        for (int s = r; s >= 0; s--) {
            const double higher = (s > 0 ? s * p0[s - 1] : 0.0) - alpha * p0[s] - beta * q0[s];
            q0[s] = p0[s];
            p0[s] = higher;
        }
    }
}

void dynavis_derivative(int n, const double *t, const double *f, int r, double half, double *out)
{
    const int best = r == 0 ? 2 : r + 1;
    const int degree = best < n ? best : n - 1;
    const int min = degree + 3 < n ? degree + 3 : n;
    span s = {0, 0};
    for (int i = 0; i < n; i++) {
        if (degree < r) {
            out[i] = NAN;
            continue;
        }
        s = find_span(n, t, i, min, half, s);
        // A scale of the span keeps the recurrence from over- and underflow.
        const double scale = fmax(t[i] - t[s.first], t[s.first + s.count - 1] - t[i]);
        const double value = fit(s.count, t + s.first, f + s.first, t[i], scale, r, degree);
        out[i] = isfinite(value) ? value : NAN; // steps near the smallest number
    }
}
