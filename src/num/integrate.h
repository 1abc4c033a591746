// integrate.h - fixed-step integrators for small systems.
//
// Explicit Runge-Kutta methods for y' = f(t, y), all driven by their Butcher table, and symplectic
// methods for q'' = a(t, q), all driven by their list of kicks and drifts. A method is a row of a
// table; one routine runs them all. Work arrays come from the caller: an advance allocates nothing.
//
//     const rk_kind *method = rk_kind_find("rk4");
//     double *work = ...;                                // rk_work_size(method, n) doubles
//     rk_advance(method, f, context, n, t, h, steps, y, work);
#pragma once

// dy = f(t, y), n values each.
typedef void integrate_rate(void *context, double t, const double *y, double *dy);

// ---- explicit Runge-Kutta --------------------------------------------------------------------

enum { RK_STAGE_MAX = 6 };

// k_i = f(t + c_i h, y + h sum over j < i of a_ij k_j),   y' = y + h sum of b_i k_i
typedef struct rk_kind {
    const char *name;
    const char *doc;
    int order, stages;
    double c[RK_STAGE_MAX], a[RK_STAGE_MAX][RK_STAGE_MAX - 1], b[RK_STAGE_MAX];
} rk_kind;

// All methods by rising order.
const rk_kind *rk_kind_at(int index);          // NULL past the end
const rk_kind *rk_kind_find(const char *name); // any case; NULL if unknown

int rk_work_size(const rk_kind *kind, int n); // in doubles

// Takes `steps` steps of h (which may be negative) from t; step i starts at t + i h.
void rk_advance(const rk_kind *kind, integrate_rate *rate, void *context, int n, double t, double h,
                int steps, double *y, double *work);

// y' = lambda y grows by R(h lambda) in a step.
double _Complex rk_stability(const rk_kind *kind, double _Complex z);

// Largest s such that |R| <= 1 on all of [-s, 0] (damping: h < s / rate), and on all of i [-s, s]
// (undamped oscillation: h < s / omega); 0 when there is none.
double rk_real_limit(const rk_kind *kind);
double rk_imaginary_limit(const rk_kind *kind);

// ---- symplectic ------------------------------------------------------------------------------

enum { SYMPLECTIC_PAIR_MAX = 7 };

// Compositions of two exact flows, in this order for i = 0, 1, ...:
//   kick   v += kick_i h a(t, q)
//   drift  q += drift_i h v,  t += drift_i h
// The energy error stays bounded as long as a is minus the slope of a potential; methods of even
// order are symmetric: a step of -h undoes a step of h.
typedef struct symplectic_kind {
    const char *name;
    const char *doc;
    int order, stages; // stages: looks at a in a step of a long run
    int pairs;         // kicks; the last drift is 0 in a symmetric method
    double kick[SYMPLECTIC_PAIR_MAX], drift[SYMPLECTIC_PAIR_MAX];
} symplectic_kind;

// All methods by rising order.
const symplectic_kind *symplectic_kind_at(int index);          // NULL past the end
const symplectic_kind *symplectic_kind_find(const char *name); // any case; NULL if unknown

int symplectic_work_size(const symplectic_kind *kind, int n); // in doubles

// As rk_advance for q'' = a(t, q): acceleration(context, t, q, a). q and v: n values. What is seen
// at the end of a step serves the next one too; nothing is kept from one call to the next.
void symplectic_advance(const symplectic_kind *kind, integrate_rate *acceleration, void *context,
                        int n, double t, double h, int steps, double *q, double *v, double *work);

// Largest s such that q'' = -omega^2 q stays bounded for every h omega < s.
double symplectic_limit(const symplectic_kind *kind);
