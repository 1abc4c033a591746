// string_stability_model.c - a law and a car, linearized at the steady state.
#include "linear/string_stability.h"

#include "num/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { X_MAX = SIGNAL_COUNT + LAW_STATE_MAX + LAW_PARAM_MAX, Y_MAX = 1 + LAW_STATE_MAX };

typedef struct point { // where the law is looked at
    const law *l;
    const string_setting *setting;
    double weight_front, weight_leader; // in the mean errors
    double x[X_MAX], jacobian[Y_MAX * X_MAX];
    double *block, *work; // for law_run
} point;

// ---- the steady state ------------------------------------------------------------------------

// Cars at equal gaps and equal speed.
static void set_gap(point *p, double gap)
{
    const string_setting *s = p->setting;
    const double error = gap - s->distance - s->headway * s->speed;
    p->x[SIGNAL_GAP] = gap;
    p->x[SIGNAL_GAP_LEADER] = s->place * gap;
    p->x[SIGNAL_POSITION_ERROR] = (p->weight_front + p->weight_leader * s->place) * error;
}

static void set_signals(point *p)
{
    const string_setting *s = p->setting;
    double *x = p->x;
    x[SIGNAL_DT] = 0.01;
    x[SIGNAL_V] = x[SIGNAL_V_FRONT] = x[SIGNAL_V_LEADER] = s->speed;
    x[SIGNAL_PLACE] = s->place;
    x[SIGNAL_HEADWAY] = s->headway;
    x[SIGNAL_DISTANCE] = s->distance;
    x[SIGNAL_V_SET] = s->v_set;
    x[SIGNAL_FRESH] = 1.0;
    x[SIGNAL_LENGTH] = 5.0;
    x[SIGNAL_MASS] = 1500.0;
}

static void run(point *p, double *y)
{
    double block[4 * Y_MAX];
    const int n = law_x_count(p->l), m = law_y_count(p->l);
    for (int i = 0; i < 4 * n; i++)
        p->block[i] = p->x[i / 4];
    law_run(p->l, 1, p->block, block, p->work);
    for (int i = 0; i < m; i++)
        y[i] = block[4 * i];
}

// Newton on gap and states from one start; what is not determined stays near it (least squares).
static mc_status newton(point *p, double gap, bool *found, mc_error *error)
{
    const int m = law_y_count(p->l), n = law_x_count(p->l), at = law_state_at(p->l);
    const double place = p->setting->place;
    double y[Y_MAX], a[Y_MAX * Y_MAX], work[8 * Y_MAX], residual = INFINITY;
    set_gap(p, gap);
    law_start(p->l, p->x, p->x + at);
    for (int round = 0; round < 60; round++) {
        run(p, y);
        residual = 0.0;
        for (int i = 0; i < m; i++)
            residual = fmax(residual, isfinite(y[i]) ? fabs(y[i]) : INFINITY);
        if (residual < 1e-11 || !isfinite(residual))
            break;
        const mc_status status = law_jacobian(p->l, p->x, p->jacobian, error);
        if (status != MC_OK)
            return status;
        for (int i = 0; i < m; i++) {
            const double *J = p->jacobian + (size_t)i * (size_t)n;
            a[i] = J[SIGNAL_GAP] + place * J[SIGNAL_GAP_LEADER] +
                   (p->weight_front + place * p->weight_leader) * J[SIGNAL_POSITION_ERROR];
            for (int k = 1; k < m; k++)
                a[i + k * m] = J[at + k - 1];
        }
        int rank;
        if (!dense_least_squares(m, a, y, 1e-12, &rank, work))
            break;
        set_gap(p, p->x[SIGNAL_GAP] - y[0]);
        for (int k = 1; k < m; k++)
            p->x[at + k - 1] -= y[k];
    }
    *found = residual < 1e-8 && p->x[SIGNAL_GAP] > 0.0 && p->x[SIGNAL_GAP] < SIGNAL_GAP_NONE;
    return MC_OK;
}

// Laws have kinks (bounds while catching up), so several starts are tried.
static mc_status settle(point *p, mc_error *error)
{
    const string_setting *s = p->setting;
    const double desired = s->distance + s->headway * s->speed;
    const double starts[] = {desired,       s->distance,   1.0,           2.0 * desired,
                             0.5 * desired, 4.0 * desired, 0.2 * desired, 20.0 * desired};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        bool found = false;
        const mc_status status = newton(p, fmax(starts[i], 0.01), &found, error);
        if (status != MC_OK || found)
            return status;
    }
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "law %s has no steady gap at speed %.6g m/s with headway %.6g s, distance "
                        "%.6g m, v_set %.6g m/s",
                        law_text_of(p->l)->name, s->speed, s->headway, s->distance, s->v_set);
}

static mc_status check_follows(const law *l, mc_error *error)
{
    static const int front[] = {SIGNAL_GAP,     SIGNAL_V_FRONT,        SIGNAL_A_FRONT,
                                SIGNAL_U_FRONT, SIGNAL_POSITION_ERROR, SIGNAL_SPEED_ERROR};
    for (size_t i = 0; i < sizeof front / sizeof front[0]; i++)
        if (law_uses(l, front[i]))
            return MC_OK;
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "law %s ignores the car in front: nothing propagates from car to car",
                        law_text_of(l)->name);
}

// ---- matrices --------------------------------------------------------------------------------

// One row of the law's derivatives, sorted by what the signals are made of.
typedef struct row {
    double x, v, a;
    const double *states;
    double b[STRING_SOURCE_COUNT][2][4]; // by w, w', w'', w''' of source, at once and late
} row;

static row row_of(const point *p, int i)
{
    const string_setting *s = p->setting;
    const double *J = p->jacobian + (size_t)i * (size_t)law_x_count(p->l);
    const double position = J[SIGNAL_POSITION_ERROR], speed = J[SIGNAL_SPEED_ERROR];
    const double front = p->weight_front, leader = p->weight_leader;
    row r = {
        .x = J[SIGNAL_X] - J[SIGNAL_GAP] - J[SIGNAL_GAP_LEADER] - position,
        .v = J[SIGNAL_V] - position * s->headway * (front + leader * s->place) - speed,
        .a = J[SIGNAL_A],
        .states = J + law_state_at(p->l),
    };
    double *at_once = r.b[STRING_FRONT][0], *late = r.b[STRING_FRONT][1];
    at_once[0] = J[SIGNAL_GAP];
    at_once[1] = J[SIGNAL_V_FRONT];
    late[0] = front * position;
    late[1] = front * speed;
    late[2] = J[SIGNAL_A_FRONT] + J[SIGNAL_U_FRONT];
    late[3] = s->lag * J[SIGNAL_U_FRONT]; // desired = a + lag a'
    late = r.b[STRING_LEADER][1];
    late[0] = J[SIGNAL_GAP_LEADER] + leader * position;
    late[1] = J[SIGNAL_V_LEADER] + leader * speed;
    late[2] = J[SIGNAL_A_LEADER];
    return r;
}

typedef struct inputs {
    double b[STRING_SOURCE_COUNT][2][4][STRING_MODEL_MAX];
} inputs;

// Row `to` of A and b gets factor times the law's row; its acceleration is state 2, or, without
// lag, taken from the row of the desired acceleration (NULL: this is that row itself).
static void put_row(string_model *m, inputs *in, int to, const row *r, double factor, bool lag,
                    const row *desired, int state_count)
{
    const int n = m->n, first = lag ? 3 : 2;
    m->A[to] += factor * r->x;
    m->A[to + n] += factor * r->v;
    if (lag)
        m->A[to + 2 * n] += factor * r->a;
    for (int k = 0; k < state_count; k++)
        m->A[to + (first + k) * n] += factor * r->states[k];
    for (int i = 0; i < STRING_SOURCE_COUNT * 2 * 4; i++)
        in->b[i / 8][i / 4 % 2][i % 4][to] += factor * r->b[i / 8][i / 4 % 2][i % 4];
    if (!lag && desired && r->a != 0.0) // a = desired/(1 - its own share of a)
        put_row(m, in, to, desired, factor * r->a / (1.0 - desired->a), false, NULL, state_count);
}

static void multiply_add(const string_model *m, const double *b, double *c) // c = b + A c
{
    double sum[STRING_MODEL_MAX];
    for (int i = 0; i < m->n; i++) {
        sum[i] = b[i];
        for (int j = 0; j < m->n; j++)
            sum[i] += m->A[i + j * m->n] * c[j];
    }
    memcpy(c, sum, sizeof *c * (size_t)m->n);
}

static mc_status build(const point *p, string_model *m, mc_error *error)
{
    const int states = law_y_count(p->l) - 1;
    const double lag = p->setting->lag;
    const row desired = row_of(p, 0);
    static const inputs none;
    inputs in = none;
    m->n = (lag > 0.0 ? 3 : 2) + states;
    m->A[0 + m->n] = 1.0; // x' = v
    if (lag > 0.0) {
        m->A[1 + 2 * m->n] = 1.0;        // v' = a
        m->A[2 + 2 * m->n] = -1.0 / lag; // a' = (desired - a)/lag
        put_row(m, &in, 2, &desired, 1.0 / lag, true, NULL, states);
    } else {
        if (!(fabs(1.0 - desired.a) > 1e-9))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "law %s: the desired acceleration follows the measured one with "
                                "gain 1; without lag the two are indistinguishable",
                                law_text_of(p->l)->name);
        put_row(m, &in, 1, &desired, 1.0 / (1.0 - desired.a), false, NULL, states);
    }
    for (int k = 0; k < states; k++) {
        const row rate = row_of(p, 1 + k);
        put_row(m, &in, m->n - states + k, &rate, 1.0, lag > 0.0, &desired, states);
    }
    for (int i = 0; i < STRING_SOURCE_COUNT * 2; i++) {
        double *c = m->B[i / 2][i % 2];
        memcpy(c, in.b[i / 2][i % 2][3], sizeof *c * (size_t)m->n);
        multiply_add(m, in.b[i / 2][i % 2][2], c);
        multiply_add(m, in.b[i / 2][i % 2][1], c);
        m->D[i / 2][i % 2] = c[0];
        multiply_add(m, in.b[i / 2][i % 2][0], c);
    }
    for (int i = 0; i < m->n * m->n; i++)
        if (!isfinite(m->A[i]))
            return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                                "law %s: a derivative at the steady state is not finite",
                                law_text_of(p->l)->name);
    return MC_OK;
}

mc_status string_model_make(const law *l, const double *parameters, const string_setting *setting,
                            string_model *out, mc_error *error)
{
    const bool listens = setting->listen_leader;
    point p = {.l = l,
               .setting = setting,
               .weight_front = listens ? 0.5 : 1.0,
               .weight_leader = listens ? 0.5 : 0.0};
    const size_t n = (size_t)law_x_count(l);
    p.block = aligned_alloc(32, 4 * n * sizeof(double));
    p.work = aligned_alloc(32, ((size_t)law_work(l) * sizeof(double) + 63) / 32 * 32);
    mc_status status = MC_NO_MEMORY;
    if (p.block && p.work) {
        set_signals(&p);
        const int at = law_param_at(l);
        memcpy(p.x + at, parameters, sizeof(double) * (n - (size_t)at));
        status = check_follows(l, error);
        if (status == MC_OK)
            status = settle(&p, error);
    } else {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left to linearize a law");
    }
    if (status == MC_OK)
        status = law_jacobian(l, p.x, p.jacobian, error);
    *out = (string_model){.delay = setting->delay,
                          .gap = p.x[SIGNAL_GAP],
                          .leader = law_uses(l, SIGNAL_GAP_LEADER) ||
                                    law_uses(l, SIGNAL_V_LEADER) || law_uses(l, SIGNAL_A_LEADER) ||
                                    (listens && (law_uses(l, SIGNAL_POSITION_ERROR) ||
                                                 law_uses(l, SIGNAL_SPEED_ERROR)))};
    if (status == MC_OK)
        status = build(&p, out, error);
    free(p.block);
    free(p.work);
    return status;
}
