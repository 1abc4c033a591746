// lateral.c - a steering law around a car in a steady turn; include/motorcade/lateral.h is the
// manual.
//
// q = (e, psi, x, z). The law's signals are functions of q, s = S q about the steady state, and the
// law gives delta and z' as J s, so that the closed loop is one matrix. What the path does to the
// signals on a straight road, y_p(t) = exp(jwt):
//     offset -1,  heading -jw/v,  curvature -w^2/v^2,  aside_ahead e^(jwT),
//     curvature_ahead -w^2/v^2 e^(jwT),          T = ahead/v
#include "motorcade/lateral.h"

#include "base/text.h"
#include "control/steering.h"
#include "linear/turn.h"
#include "num/dense.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    X_MAX = STEERING_SIGNAL_COUNT + LAW_STATE_MAX + LAW_PARAM_MAX,
    Y_MAX = 1 + LAW_STATE_MAX,
    Q_MAX = 2 + MC_RUN_LINEAR_MAX + LAW_STATE_MAX,
};
_Static_assert((int)Q_MAX <= (int)MC_LATERAL_POLE_MAX, "room for all poles");

struct mc_lateral {
    const law_text *text;
    law *law;
    steering_vehicle car;
    double p[LAW_PARAM_MAX];
    double path;  // 1/m, curvature of the path
    double ahead; // m
    linear_turn turn;
    double x[X_MAX], jacobian[Y_MAX * X_MAX]; // of the law, at the steady state
    int n, states;                            // size of q; states of the law
    double A[Q_MAX * Q_MAX];                  // closed loop, row by row
    double input[Q_MAX];                      // by which delta acts on q
    double delta[Q_MAX];                      // what the law asks for over q
    mc_lateral_result result;
};

mc_lateral_options mc_lateral_defaults(void)
{
    return (mc_lateral_options){.speed = 20.0, .friction = 1.0};
}

// ---- signals of the law ----

// The point of the path that is looked at, to the left of the car's axis (run/where.c).
static double aside(const mc_lateral *l, double e, double psi)
{
    const double k = l->path, turned = l->ahead * k / (1.0 - k * e);
    if (k == 0.0)
        return -l->ahead * sin(psi) - e * cos(psi);
    return -sin(turned) / k * sin(psi) + ((1.0 - cos(turned)) / k - e) * cos(psi);
}

static double own_curvature(const mc_lateral *l, double e)
{
    return l->path / (1.0 - l->path * e);
}

// The path is that of which the car's way, at offset e, has the curvature of the turn.
static void set_offset(mc_lateral *l, double e)
{
    const double psi = -atan2(l->turn.v_y, l->turn.speed);
    l->path = l->turn.curvature / (1.0 + l->turn.curvature * e);
    l->x[STEERING_OFFSET] = e;
    l->x[STEERING_HEADING] = psi;
    l->x[STEERING_CURVATURE] = own_curvature(l, e);
    l->x[STEERING_AHEAD] = l->ahead;
    l->x[STEERING_ASIDE_AHEAD] = aside(l, e, psi);
    l->x[STEERING_CURVATURE_AHEAD] = l->path;
}

static double param(const mc_lateral *l, const char *name, double otherwise)
{
    const int k = steering_param(l->text, name);
    return k >= 0 ? l->p[k] : otherwise;
}

static mc_status set_signals(mc_lateral *l, mc_error *error)
{
    const double v = l->turn.speed;
    double *x = l->x;
    l->ahead = fmax(param(l, "min_look_ahead", 0.0), param(l, "look_ahead", 0.0) * v);
    x[STEERING_DT] = 0.01;
    x[STEERING_V] = v;
    x[STEERING_V_Y] = l->turn.v_y;
    x[STEERING_YAW_RATE] = l->turn.yaw_rate;
    x[STEERING_STEER] = l->turn.steer;
    x[STEERING_WHEELBASE] = l->car.front + l->car.rear;
    x[STEERING_FRONT] = l->car.front;
    x[STEERING_REAR] = l->car.rear;
    x[STEERING_TURN_GAIN] = steering_turn_gain(&l->car, v, l->turn.curvature);
    x[STEERING_TURN_SLIP] = steering_turn_slip(&l->car, v, l->turn.curvature);
    bool gains = false;
    for (int k = STEERING_GAIN_OFFSET; k <= STEERING_GAIN_HEADING_RATE; k++)
        gains = gains || law_uses(l->law, k);
    if (gains) {
        const double weights[3] = {param(l, "weight_offset", 1.0), param(l, "weight_heading", 1.0),
                                   param(l, "weight_steer", 1.0)};
        steering_gains made;
        if (!steering_gains_make(&l->car, weights, &made))
            return mc_error_set(error, MC_FAILED, NULL, 0, 0, "no optimal gains were found");
        steering_gains_look(&made, v, &x[STEERING_GAIN_OFFSET]);
    }
    memcpy(&x[law_param_at(l->law)], l->p, (size_t)l->text->param_count * sizeof *x);
    return MC_OK;
}

static void run_law_at(const mc_lateral *l, double *work, double *y)
{
    law_run_one(l->law, l->x, y, work);
    y[0] -= l->turn.steer;
}

// The offset and the states of the law at which it asks for the angle of the turn: Newton's method.
static mc_status settle_law(mc_lateral *l, double *work, mc_error *error)
{
    const int m = 1 + l->states, n = law_x_count(l->law), at = law_state_at(l->law);
    double y[Y_MAX], a[Y_MAX * Y_MAX], room[8 * Y_MAX], residual = HUGE_VAL;
    set_offset(l, 0.0);
    law_start(l->law, l->x, l->x + at);
    for (int round = 0; round < 60; round++) {
        run_law_at(l, work, y);
        residual = 0.0;
        for (int i = 0; i < m; i++)
            residual = fmax(residual, isfinite(y[i]) ? fabs(y[i]) : HUGE_VAL);
        const mc_status status = law_jacobian(l->law, l->x, l->jacobian, error);
        if (status != MC_OK)
            return status;
        if (residual < 1e-12 || !isfinite(residual))
            break;
        const double e = l->x[STEERING_OFFSET], h = 1e-5;
        double up[X_MAX], down[X_MAX];
        set_offset(l, e + h);
        memcpy(up, l->x, sizeof up);
        set_offset(l, e - h);
        memcpy(down, l->x, sizeof down);
        set_offset(l, e);
        for (int i = 0; i < m; i++) {
            const double *J = l->jacobian + (size_t)i * (size_t)n;
            a[i] = 0.0;
            for (int k = STEERING_OFFSET; k <= STEERING_CURVATURE_AHEAD; k++)
                a[i] += J[k] * (up[k] - down[k]) / (2.0 * h);
            for (int k = 1; k < m; k++)
                a[i + k * m] = J[at + k - 1];
        }
        int rank;
        if (!dense_least_squares(m, a, y, 1e-12, &rank, room))
            break;
        set_offset(l, fmax(fmin(e - y[0], e + 5.0), e - 5.0)); // 5 m at a time: laws have kinks
        for (int k = 1; k < m; k++)
            l->x[at + k - 1] -= y[k];
    }
    if (residual < 1e-9)
        return MC_OK;
    return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                        "law %s does not hold a turn with curvature %.6g 1/m at %.6g m/s",
                        l->text->name, l->turn.curvature, l->turn.speed);
}

// ---- the loop ----

// Row i of the law (0: steer) over q.
static void law_row(const mc_lateral *l, int i, double *row)
{
    const double *J = l->jacobian + (size_t)i * (size_t)law_x_count(l->law);
    const double e = l->x[STEERING_OFFSET], psi = l->x[STEERING_HEADING], h = 1e-5;
    const int n = l->turn.plant.order;
    row[0] =
        J[STEERING_OFFSET] +
        J[STEERING_CURVATURE] * (own_curvature(l, e + h) - own_curvature(l, e - h)) / (2.0 * h) +
        J[STEERING_ASIDE_AHEAD] * (aside(l, e + h, psi) - aside(l, e - h, psi)) / (2.0 * h);
    row[1] = J[STEERING_HEADING] +
             J[STEERING_ASIDE_AHEAD] * (aside(l, e, psi + h) - aside(l, e, psi - h)) / (2.0 * h);
    for (int k = 0; k < n; k++)
        row[2 + k] = J[STEERING_V_Y] * l->turn.lateral.C[0][k] +
                     J[STEERING_YAW_RATE] * l->turn.lateral.C[1][k];
    for (int k = 0; k < l->states; k++)
        row[2 + n + k] = J[law_state_at(l->law) + k];
}

static mc_status close_loop(mc_lateral *l, mc_error *error)
{
    const linear_turn *t = &l->turn;
    const int n = t->plant.order, all = 2 + n + l->states;
    const double psi = l->x[STEERING_HEADING], u = t->speed, k = l->path;
    const double bend = 1.0 - k * l->x[STEERING_OFFSET];
    const double s_rate = (u * cos(psi) - t->v_y * sin(psi)) / bend; // m/s, along the path
    const double own = 1.0 - l->jacobian[STEERING_STEER]; // of a law that reads its last angle
    double row[Q_MAX];
    if (!(fabs(own) > 1e-9))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "law %s repeats its last angle: it has no linear model", l->text->name);
    l->n = all;
    double *A = l->A;
    A[1] = u * cos(psi) - t->v_y * sin(psi); // e'
    A[all] = -k * k * s_rate / bend;         // psi'
    A[all + 1] = k * (u * sin(psi) + t->v_y * cos(psi)) / bend;
    for (int j = 0; j < n; j++) {
        A[2 + j] = cos(psi) * t->lateral.C[0][j];
        A[all + 2 + j] = t->lateral.C[1][j] + k * sin(psi) / bend * t->lateral.C[0][j];
        for (int i = 0; i < n; i++)
            A[(2 + i) * all + 2 + j] = t->plant.A[i * n + j];
        l->input[2 + j] = t->plant.B[j];
    }
    law_row(l, 0, l->delta);
    for (int j = 0; j < all; j++)
        l->delta[j] /= own;
    for (int i = 0; i < l->states; i++) {
        law_row(l, 1 + i, row);
        const double again =
            l->jacobian[(size_t)(1 + i) * (size_t)law_x_count(l->law) + STEERING_STEER];
        for (int j = 0; j < all; j++)
            A[(2 + n + i) * all + j] = row[j] + again * l->delta[j];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < all; j++)
            A[(2 + i) * all + j] += l->input[2 + i] * l->delta[j];
    for (int i = 0; i < all * all; i++)
        if (!isfinite(A[i]))
            return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                                "law %s: a derivative at the steady state is not finite",
                                l->text->name);
    return MC_OK;
}

// ---- responses ----

// row . (jw - A)^-1 column, A less input delta' where open.
static double complex respond(const mc_lateral *l, double w, bool open, const double *row,
                              const double complex *column)
{
    double complex a[Q_MAX * Q_MAX], x[Q_MAX], sum = 0.0;
    int pivot[Q_MAX];
    const int n = l->n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            a[j * n + i] =
                (i == j ? w * I : 0.0) - l->A[i * n + j] + (open ? l->input[i] * l->delta[j] : 0.0);
        x[i] = column[i];
    }
    if (!dense_factor_complex(n, a, pivot))
        return NAN;
    dense_back_complex(n, a, pivot, x);
    for (int i = 0; i < n; i++)
        sum += row[i] * x[i];
    return sum;
}

static double complex loop_at(const mc_lateral *l, double w)
{
    double complex column[Q_MAX];
    for (int i = 0; i < l->n; i++)
        column[i] = l->input[i];
    return -respond(l, w, true, l->delta, column);
}

// What the path does to row i of the law, at its own frequency.
static double complex path_row(const mc_lateral *l, int i, double w)
{
    const double *J = l->jacobian + (size_t)i * (size_t)law_x_count(l->law);
    const double v = l->turn.speed;
    const double complex bend = -w * w / (v * v), later = cexp(I * w * l->ahead / v);
    return -J[STEERING_OFFSET] - J[STEERING_HEADING] * I * w / v + J[STEERING_CURVATURE] * bend +
           J[STEERING_ASIDE_AHEAD] * later + J[STEERING_CURVATURE_AHEAD] * bend * later;
}

static double complex follow_at(const mc_lateral *l, double w)
{
    double complex column[Q_MAX] = {0};
    double row[Q_MAX] = {1.0}; // e, which is y of the car where the path is straight
    const int n = l->turn.plant.order;
    const double complex steer = path_row(l, 0, w) / (1.0 - l->jacobian[STEERING_STEER]);
    for (int k = 0; k < n; k++)
        column[2 + k] = l->input[2 + k] * steer;
    for (int k = 0; k < l->states; k++)
        column[2 + n + k] =
            path_row(l, 1 + k, w) +
            l->jacobian[(size_t)(1 + k) * (size_t)law_x_count(l->law) + STEERING_STEER] * steer;
    return respond(l, w, false, row, column);
}

double mc_lateral_gain(const mc_lateral *l, double w, double *phase)
{
    if (l->turn.curvature != 0.0)
        return NAN;
    const double complex g = follow_at(l, w);
    if (phase)
        *phase = carg(g);
    return cabs(g);
}

double mc_lateral_loop(const mc_lateral *l, double w, double *phase)
{
    const double complex g = loop_at(l, w);
    if (phase)
        *phase = carg(g);
    return cabs(g);
}

static void multiply(int n, const double *a, const double *b, double *out)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            out[i * n + j] = sum;
        }
}

// exp(a t) by its series at a time so short that it converges fast, then squared.
static void exponential(int n, const double *a, double t, double *out)
{
    double short_a[Q_MAX * Q_MAX], term[Q_MAX * Q_MAX] = {0}, next[Q_MAX * Q_MAX], norm = 0.0;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += fabs(a[i * n + j] * t);
        norm = fmax(norm, sum);
    }
    const int squares = norm > 0.25 ? (int)ceil(log2(norm / 0.25)) : 0;
    for (int i = 0; i < n * n; i++)
        short_a[i] = ldexp(a[i] * t, -squares);
    for (int i = 0; i < n; i++)
        term[i * n + i] = 1.0;
    memcpy(out, term, (size_t)(n * n) * sizeof *out);
    for (int k = 1; k <= 14; k++) { // 0.25^15/15! is below 1e-21
        multiply(n, term, short_a, next);
        for (int i = 0; i < n * n; i++) {
            term[i] = next[i] / k;
            out[i] += term[i];
        }
    }
    for (int k = 0; k < squares; k++) {
        multiply(n, out, out, next);
        memcpy(out, next, (size_t)(n * n) * sizeof *out);
    }
}

// The state that a push to the left changes is v_y, by that name.
double mc_lateral_push(const mc_lateral *l, double t)
{
    const mc_run_linear_model *p = &l->turn.plant;
    double out[Q_MAX * Q_MAX], sum = 0.0;
    exponential(l->n, l->A, t, out);
    for (int k = 0; k < p->order; k++)
        if (strcmp(p->state[k].name, "v_y") == 0)
            sum += out[2 + k] / p->size[k];
    return sum;
}

// ---- verdicts ----

static mc_status find_poles(mc_lateral *l, mc_error *error)
{
    double a[Q_MAX * Q_MAX];
    mc_lateral_result *r = &l->result;
    memcpy(a, l->A, (size_t)(l->n * l->n) * sizeof *a);
    if (!dense_eigenvalues(l->n, a, r->pole_real, r->pole_imaginary))
        return mc_error_set(error, MC_FAILED, NULL, 0, 0, "cannot compute the poles");
    r->pole_count = l->n;
    for (int i = 1; i < l->n; i++)
        for (int j = i; j > 0 && (r->pole_real[j] > r->pole_real[j - 1] ||
                                  (r->pole_real[j] == r->pole_real[j - 1] &&
                                   r->pole_imaginary[j] > r->pole_imaginary[j - 1]));
             j--) {
            const double re = r->pole_real[j], im = r->pole_imaginary[j];
            r->pole_real[j] = r->pole_real[j - 1], r->pole_imaginary[j] = r->pole_imaginary[j - 1];
            r->pole_real[j - 1] = re, r->pole_imaginary[j - 1] = im;
        }
    r->largest = r->pole_real[0];
    return MC_OK;
}

enum { POINTS = 1200 };

static double frequency(int k)
{
    return pow(10.0, -2.0 + 4.5 * k / (POINTS - 1)); // 0.01 to 316 rad/s
}

// Where the gain crosses 1, and the phase -180 degrees; between two points by a straight line.
static void find_margins(mc_lateral *l)
{
    mc_lateral_result *r = &l->result;
    double complex before = loop_at(l, frequency(0));
    for (int k = 1; k < POINTS; k++) {
        const double complex now = loop_at(l, frequency(k));
        const double a = log(cabs(before)), b = log(cabs(now));
        if ((a > 0.0) != (b > 0.0)) {
            const double share = a / (a - b);
            const double complex at = before + share * (now - before);
            const double margin = fabs(remainder(carg(at) + M_PI, 2.0 * M_PI));
            r->phase_margin = isnan(r->phase_margin) ? margin : fmin(r->phase_margin, margin);
            r->crossover = frequency(k - 1) * pow(frequency(k) / frequency(k - 1), share);
        }
        if ((cimag(before) > 0.0) != (cimag(now) > 0.0)) {
            const double share = cimag(before) / (cimag(before) - cimag(now));
            const double real = creal(before) + share * (creal(now) - creal(before));
            if (real < 0.0 && real > -1.0 && !(-1.0 / real > r->gain_margin))
                r->gain_margin = -1.0 / real;
        }
        before = now;
    }
}

static void find_peak(mc_lateral *l)
{
    mc_lateral_result *r = &l->result;
    int best = 0;
    r->peak = 1.0, r->peak_frequency = 0.0; // for w -> 0 the car is on the path
    for (int k = 0; k < POINTS; k++) {
        const double g = cabs(follow_at(l, frequency(k)));
        if (g > r->peak)
            r->peak = g, best = k;
    }
    if (best > 0) { // golden section between the neighbours
        double low = frequency(best - 1), high = frequency(best + 1 < POINTS ? best + 1 : best);
        for (int k = 0; k < 60; k++) {
            const double a = high - 0.6180339887498949 * (high - low);
            const double b = low + 0.6180339887498949 * (high - low);
            if (cabs(follow_at(l, a)) > cabs(follow_at(l, b)))
                high = b;
            else
                low = a;
        }
        r->peak_frequency = 0.5 * (low + high);
        r->peak = fmax(r->peak, cabs(follow_at(l, r->peak_frequency)));
    }
    r->string_stable = r->peak <= 1.0 + 1e-6;
}

// ---- making ----

static mc_status set_param(mc_lateral *l, const char *name, double value, mc_error *error)
{
    const char *names[LAW_PARAM_MAX];
    const law_text *t = l->text;
    for (int k = 0; k < t->param_count; k++) {
        const mc_param *row = &t->params[k];
        names[k] = row->name;
        if (strcasecmp(row->name, name) != 0)
            continue;
        if (!(value >= row->min && value <= row->max))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "%s = %.9g: %s of law %s must be in %.9g .. %.9g %s", row->name,
                                value, row->doc, t->name, row->min, row->max, row->unit);
        l->p[k] = value;
        return MC_OK;
    }
    const char *near = text_nearest(name, names, t->param_count);
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "law %s has no parameter \"%s\"%s%s; `motorcade laws %s` lists them",
                        t->name, name, near ? ", did you mean " : "", near ? near : "", t->name);
}

// The law by name with its defaults, or that of the controller as it is.
static mc_status choose_law(mc_lateral *l, const scenario *s, int vehicle,
                            const mc_lateral_options *o, mc_error *error)
{
    const int c = s->vehicles[vehicle].controller;
    if (o->law) {
        const char *names[64];
        int count = 0;
        for (; count < 64 && steering_at(count); count++)
            names[count] = steering_at(count)->name;
        l->text = steering_find(o->law);
        const char *near = text_nearest(o->law, names, count);
        if (!l->text)
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "unknown steering law \"%s\"%s%s; `motorcade laws` lists them",
                                o->law, near ? ", did you mean " : "", near ? near : "");
        for (int k = 0; k < l->text->param_count; k++)
            l->p[k] = l->text->params[k].fallback;
    } else if (c >= 0) {
        l->text = s->controllers[c].steering;
        memcpy(l->p, s->controllers[c].steering_p, (size_t)l->text->param_count * sizeof *l->p);
    } else {
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s has no controller, so no steering law", s->vehicles[vehicle].name);
    }
    mc_status status = MC_OK;
    for (int k = 0; k < o->set_count && status == MC_OK; k++)
        status = set_param(l, o->set_names[k], o->set_values[k], error);
    return status;
}

static mc_status check_number(const char *name, double value, double min, double max,
                              const char *unit, mc_error *error)
{
    if (value >= min && value <= max)
        return MC_OK;
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s is %.9g, expected %.9g .. %.9g %s",
                        name, value, min, max, unit);
}

static mc_status analyse(mc_lateral *l, bool poles_only, mc_error *error)
{
    double *work = aligned_alloc(32, ((size_t)law_work(l->law) * sizeof(double) + 63) / 32 * 32);
    mc_lateral_result *r = &l->result;
    if (!work)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory to analyse a law");
    mc_status status = set_signals(l, error);
    if (status == MC_OK)
        status = settle_law(l, work, error);
    free(work);
    if (status == MC_OK)
        status = close_loop(l, error);
    if (status == MC_OK)
        status = find_poles(l, error);
    if (status != MC_OK)
        return status;
    r->law = l->text->name;
    r->steer = l->turn.steer;
    r->offset = l->x[STEERING_OFFSET];
    r->side_slip = atan2(l->turn.v_y, l->turn.speed);
    r->front_use = l->turn.use[0];
    r->rear_use = l->turn.use[1];
    r->crossover = r->phase_margin = r->gain_margin = r->peak = r->peak_frequency = NAN;
    if (r->largest >= 0.0 || poles_only)
        return MC_OK;
    find_margins(l);
    if (l->turn.curvature == 0.0)
        find_peak(l);
    return MC_OK;
}

mc_lateral *mc_lateral_create(const mc_scenario *scenario_handle, int vehicle,
                              const mc_lateral_options *o, mc_error *error)
{
    const scenario *s = scenario_of(scenario_handle);
    mc_lateral *l = calloc(1, sizeof *l);
    mc_error own = {0};
    error = error ? error : &own;
    if (!l) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory to analyse a law");
        return NULL;
    }
    const scenario_model *model = &s->models[s->vehicles[vehicle].model];
    l->car = steering_vehicle_of(&model->facts);
    l->result.friction_matters = !model->facts.no_friction;
    mc_status status = choose_law(l, s, vehicle, o, error);
    if (status == MC_OK)
        status = check_number("speed", o->speed, 0.5, 100.0, "m/s", error);
    if (status == MC_OK)
        status = check_number("curvature", o->curvature, -0.2, 0.2, "1/m", error);
    if (status == MC_OK)
        status = check_number("friction", o->friction, 0.01, 3.0, "-", error);
    if (status == MC_OK) {
        l->law = law_compile_words(l->text, &steering_words, s->file, EXPR_INTERPRET, error);
        status = l->law ? MC_OK : error->code;
    }
    if (status == MC_OK) {
        l->states = law_y_count(l->law) - 1;
        status = linear_turn_find(model, &l->car, o->speed, o->curvature, o->friction, o->coast,
                                  &l->turn, error);
    }
    if (status == MC_OK)
        status = analyse(l, o->poles_only, error);
    if (status == MC_OK)
        return l;
    mc_lateral_destroy(l);
    return NULL;
}

void mc_lateral_destroy(mc_lateral *l)
{
    if (l)
        law_destroy(l->law);
    free(l);
}

const mc_lateral_result *mc_lateral_result_of(const mc_lateral *l)
{
    return &l->result;
}
