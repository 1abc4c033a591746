// steer.c - where a car is relative to its path, and how it steers.
#include "run/steer.h"

#include "motorcade/observe.h"
#include "num/minmax.h"
#include "run/control.h"
#include "run/watch.h"
#include "run/where.h"

#include <math.h>
#include <string.h>

enum { X_MAX = STEERING_SIGNAL_COUNT + LAW_STATE_MAX + LAW_PARAM_MAX };

unsigned run_steer_needs_of(const law *l)
{
    unsigned needs = 0;
    for (int k = STEERING_AHEAD; k <= STEERING_CURVATURE_AHEAD; k++)
        needs |= law_uses(l, k) ? RUN_STEER_AHEAD : 0u;
    for (int k = STEERING_WHEELBASE; k <= STEERING_TURN_SLIP; k++)
        needs |= law_uses(l, k) ? RUN_STEER_TURN : 0u;
    for (int k = STEERING_GAIN_OFFSET; k <= STEERING_GAIN_HEADING_RATE; k++)
        needs |= law_uses(l, k) ? RUN_STEER_GAINS : 0u;
    for (int k = STEERING_USER_1; k <= STEERING_USER_8; k++)
        needs |= law_uses(l, k) ? RUN_STEER_USER : 0u;
    needs |= law_uses(l, STEERING_ASIDE_AHEAD) ? RUN_STEER_ASIDE : 0u;
    needs |= law_uses(l, STEERING_TURN_SLIP) ? RUN_STEER_SLIP : 0u;
    return needs;
}

static const run_law *law_of(const mc_run *r, int slot)
{
    return &r->laws[r->controllers[r->car[slot].controller].law[RUN_STEERING]];
}

// ---- the path ----

// Where the path of a slot is at a time, in the axes of the road.
static lane_point path_at(const mc_run *r, int slot, double t)
{
    const run_path *p = &r->rare[slot].path;
    if (p->to < 0)
        return (lane_point){r->car[slot].lane_y, 0.0, 0.0};
    lane_point at = lane_curve_at(&p->curve, t);
    const double middle = run_lane_middle(r, slot, p->to, NULL);
    at.d += isnan(middle) ? r->car[slot].lane_y : middle;
    return at;
}

double mc_run_lateral_error(const mc_run *r, int vehicle)
{
    const int slot = r->slot[vehicle];
    const run_car *c = &r->car[slot];
    if (c->controller < 0 || c->flags & RUN_HAND)
        return NAN;
    return r->motion[slot].y - path_at(r, slot, run_time(r)).d;
}

// ---- signals ----

// The point of the path that the law looks at, `ahead` metres from the car, at the speed it has.
static void look_ahead(const mc_run *r, int slot, const run_law *l, double t, double y, double psi,
                       double v, double *x)
{
    const double *p = run_law_params(r, slot, RUN_STEERING);
    const double time = l->look_ahead >= 0 ? p[l->look_ahead] : 0.0;
    const double least = l->min_look_ahead >= 0 ? p[l->min_look_ahead] : 0.0;
    const double speed = num_max(fabs(v), 1.0), ahead = num_max(least, time * fabs(v));
    x[STEERING_AHEAD] = ahead;
    if (!r->where && !(l->needs & RUN_STEER_ASIDE)) {
        const run_path *path = &r->rare[slot].path;
        const double bend = path->to < 0 ? 0.0 : lane_curve_bend(&path->curve, t + ahead / speed);
        x[STEERING_CURVATURE_AHEAD] = bend / (speed * speed);
        return;
    }
    const lane_point there = path_at(r, slot, t + ahead / speed);
    if (r->where) {
        const run_path *path = &r->rare[slot].path;
        const int lane = path->to >= 0 ? path->to : r->rare[slot].lane;
        const double offset =
            path->to >= 0 ? lane_curve_at(&path->curve, t + ahead / speed).d : 0.0;
        run_where_ahead(r, slot, lane, offset, ahead, &x[STEERING_ASIDE_AHEAD],
                        &x[STEERING_CURVATURE_AHEAD]);
        x[STEERING_CURVATURE_AHEAD] += there.bend / (speed * speed);
        return;
    }
    x[STEERING_ASIDE_AHEAD] = (there.d - y) * cos(psi) - ahead * sin(psi);
    x[STEERING_CURVATURE_AHEAD] = there.bend / (speed * speed);
}

static void tell_car(const mc_run *r, int slot, unsigned needs, double v, double *x)
{
    const steering_vehicle car = steering_vehicle_of(r->facts[slot]);
    x[STEERING_WHEELBASE] = car.front + car.rear;
    x[STEERING_FRONT] = car.front;
    x[STEERING_REAR] = car.rear;
    const double next =
        needs & RUN_STEER_AHEAD ? x[STEERING_CURVATURE_AHEAD] : x[STEERING_CURVATURE];
    x[STEERING_TURN_GAIN] = steering_turn_gain(&car, v, next);
    if (needs & RUN_STEER_SLIP)
        x[STEERING_TURN_SLIP] = steering_turn_slip(&car, v, x[STEERING_CURVATURE]);
    if (needs & RUN_STEER_GAINS)
        steering_gains_look(&r->gains[slot], v, &x[STEERING_GAIN_OFFSET]);
}

void run_steer_signals(const mc_run *r, int slot, double ahead, double x[STEERING_SIGNAL_COUNT])
{
    const mc_motion *m = &r->motion[slot];
    const run_law *l = law_of(r, slot);
    const double t = run_time(r) + ahead, v = m->v + ahead * m->a;
    const double across = m->v * sin(m->psi) + m->v_y * cos(m->psi);
    // The heading of the road turns, too, with the curvature of the car's own strip.
    const double bend =
        r->where ? r->where[slot].curvature / (1.0 - r->where[slot].curvature * m->y) : 0.0;
    const double y = m->y + ahead * across;
    const double psi = m->psi + ahead * (r->where ? m->yaw_rate - m->v * bend : m->yaw_rate);
    const lane_point path = path_at(r, slot, t);
    const double speed = num_max(fabs(v), 1.0);
    x[STEERING_T] = t;
    x[STEERING_DT] = r->s->step;
    x[STEERING_V] = v;
    x[STEERING_V_Y] = m->v_y;
    x[STEERING_YAW_RATE] = m->yaw_rate;
    x[STEERING_STEER] = r->inputs[slot].steer;
    x[STEERING_OFFSET] = y - path.d;
    x[STEERING_HEADING] = psi - (path.rate == 0.0 ? 0.0 : atan(path.rate / speed));
    x[STEERING_CURVATURE] = bend + path.bend / (speed * speed);
    if (l->needs & RUN_STEER_AHEAD)
        look_ahead(r, slot, l, t, y, psi, v, x);
    if (l->needs & (RUN_STEER_TURN | RUN_STEER_GAINS))
        tell_car(r, slot, l->needs, v, x);
    if (l->needs & RUN_STEER_USER)
        memcpy(&x[STEERING_USER_1], r->rare[slot].user, sizeof r->rare[slot].user);
}

// ---- the law ----

// A law with states: a block of four lanes, each of which is this car.
static double step_states(mc_run *r, int slot, const run_law *l)
{
    _Alignas(64) double block[X_MAX * 4], middle[STEERING_SIGNAL_COUNT * 4];
    _Alignas(64) double y[(1 + LAW_STATE_MAX) * 4], work[RUN_LAW_WORK_MAX];
    double x[X_MAX] = {0}, later[STEERING_SIGNAL_COUNT] = {0};
    double *own = run_law_states(r, slot, RUN_STEERING);
    run_steer_signals(r, slot, 0.0, x);
    run_steer_signals(r, slot, 0.5 * r->s->step, later);
    memcpy(&x[l->state_at], own, (size_t)(l->state_count + l->param_count) * sizeof *x);
    for (int k = 0; k < l->x_count; k++)
        for (int lane = 0; lane < 4; lane++)
            block[4 * k + lane] = x[k];
    for (int k = 0; k < STEERING_SIGNAL_COUNT; k++)
        for (int lane = 0; lane < 4; lane++)
            middle[4 * k + lane] = later[k];
    law_step(l->law, 1, r->s->step, block, middle, y, work);
    for (int k = 0; k < l->state_count; k++)
        own[k] = block[4 * (l->state_at + k)];
    return y[0];
}

static double steer_alone(mc_run *r, int slot, const run_law *l)
{
    if (l->state_count > 0)
        return step_states(r, slot, l);
    _Alignas(64) double x[X_MAX], work[RUN_LAW_WORK_MAX];
    double answer;
    memset(x, 0, sizeof x);
    run_steer_signals(r, slot, 0.5 * r->s->step, x);
    memcpy(&x[l->param_at], run_law_params(r, slot, RUN_STEERING),
           (size_t)l->param_count * sizeof *x);
    law_run_one(l->law, x, &answer, work);
    return answer;
}

// Two to four cars with one law without states; lanes after the last repeat it.
static void steer_four(mc_run *r, const int *slots, int count, const run_law *l)
{
    _Alignas(64) double x[X_MAX * 4], y[4], work[RUN_LAW_WORK_MAX];
    const bool plain = !r->where && !(l->needs & ~(unsigned)(RUN_STEER_AHEAD | RUN_STEER_TURN));
    int four[4];
    for (int lane = 0; lane < 4; lane++)
        four[lane] = slots[lane < count ? lane : count - 1];
    if (plain)
        r->steer(r, four, l, x);
    for (int lane = 0; lane < 4; lane++) {
        const double *p = run_law_params(r, four[lane], RUN_STEERING);
        double signals[STEERING_SIGNAL_COUNT];
        if (!plain)
            run_steer_signals(r, four[lane], 0.5 * r->s->step, signals);
        for (int k = 0; !plain && k < l->used_count; k++)
            x[4 * l->used[k] + lane] = signals[l->used[k]];
        for (int k = 0; k < l->param_count; k++)
            x[4 * (l->param_at + k) + lane] = p[k];
    }
    law_run(l->law, 1, x, y, work);
    for (int lane = 0; lane < count; lane++)
        r->inputs[slots[lane]].steer = y[lane];
}

void run_steer(mc_run *r, const int *slots, int count)
{
    for (int k = 0, end; k < count; k = end) {
        const run_law *l = law_of(r, slots[k]);
        for (end = k + 1; end < count && end < k + 4 && law_of(r, slots[end]) == l;)
            end++;
        if (l->state_count == 0 && end > k + 1) {
            steer_four(r, &slots[k], end - k, l);
            continue;
        }
        for (int n = k; n < end; n++)
            r->inputs[slots[n]].steer = steer_alone(r, slots[n], l);
    }
}

// ---- gains ----

mc_status run_steer_room(mc_run *r, mc_error *error)
{
    unsigned needs = 0;
    for (int k = 0; k < r->s->controller_count; k++)
        needs |= r->laws[r->controllers[k].law[RUN_STEERING]].needs;
    if (!(needs & RUN_STEER_GAINS))
        return MC_OK;
    const size_t size = ((size_t)r->count + 1) * sizeof *r->gains;
    r->gains = arena_alloc(&r->memory, size);
    if (!r->gains)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the run");
    memset(r->gains, 0, size);
    return MC_OK;
}

static void weights_of(const mc_run *r, int slot, double weights[3])
{
    static const char *const names[3] = {"weight_offset", "weight_heading", "weight_steer"};
    const law_text *text = law_of(r, slot)->text;
    const double *p = run_law_params(r, slot, RUN_STEERING);
    for (int k = 0; k < 3; k++) {
        const int at = steering_param(text, names[k]);
        weights[k] = at >= 0 ? p[at] : 1.0;
    }
}

static bool like(const mc_run *r, int a, int b)
{
    double p[3], q[3];
    if (a < 0 || r->car[a].controller < 0 || !(law_of(r, a)->needs & RUN_STEER_GAINS) ||
        r->s->vehicles[r->rare[a].vehicle].model != r->s->vehicles[r->rare[b].vehicle].model)
        return false;
    weights_of(r, a, p);
    weights_of(r, b, q);
    return memcmp(p, q, sizeof p) == 0;
}

void run_steer_prepare(mc_run *r, int slot)
{
    if (!r->gains || r->car[slot].controller < 0 || !(law_of(r, slot)->needs & RUN_STEER_GAINS))
        return;
    if (like(r, slot - 1, slot) && r->gains[slot - 1].gain[0][0] != 0.0) {
        r->gains[slot] = r->gains[slot - 1];
        return;
    }
    double weights[3];
    weights_of(r, slot, weights);
    const scenario_vehicle *vehicle = &r->s->vehicles[r->rare[slot].vehicle];
    const steering_vehicle car = steering_vehicle_of(&r->s->models[vehicle->model].facts);
    steering_gains_make(&car, weights, &r->gains[slot]);
}

// ---- changing lanes ----

// Farther from its path than any law lets it drift: it was pushed, or begins there.
static bool is_astray(const mc_run *r, int slot)
{
    const double astray = 0.5; // m
    return fabs(r->motion[slot].y - path_at(r, slot, run_time(r)).d) > astray;
}

// The lane beside its own that a car off the middle is partly in; -1: none.
static int lane_astray(const mc_run *r, int slot)
{
    const int lane = r->rare[slot].lane + (r->motion[slot].y > r->car[slot].lane_y ? -1 : 1);
    return lane >= 0 && lane < r->road.lane_count ? lane : -1;
}

bool run_lane_change(mc_run *r, int slot, int lane)
{
    run_rare *rare = &r->rare[slot];
    run_path *p = &rare->path;
    const bool astray = is_astray(r, slot);
    if (p->to >= 0 ? p->to == lane : rare->lane == lane && !astray)
        return false;
    const double t = run_time(r);
    lane_point now = path_at(r, slot, t);
    if (astray) { // the curve begins where the car is, as it moves
        const mc_motion *m = &r->motion[slot];
        now = (lane_point){m->y, m->v * sin(m->psi) + m->v_y * cos(m->psi), 0.0};
    }
    now.d -= run_lane_middle(r, slot, lane, NULL);
    p->curve = lane_curve_make(r->s->controllers[r->car[slot].controller].lane_change, t, now);
    p->from = rare->lane != lane ? rare->lane // that it is partly in
              : p->to >= 0       ? p->to
                                 : lane_astray(r, slot);
    p->to = lane;
    run_list_insert(&run_watch_lists(r)->changes, slot);
    r->car[slot].flags |= RUN_CHANGES;
    r->changing = true;
    r->ordered = false;
    return true;
}

int run_lane_arrive(mc_run *r)
{
    enum { AHEAD = 8 }; // cars whose memory is asked for ahead of its use
    const double t = run_time(r);
    run_list *l = &run_watch_lists(r)->changes;
    int arrived = 0, kept = 0;
    for (int k = 0; k < l->count; k++) {
        const int slot = l->slots[k];
        if (k + AHEAD < l->count)
            run_fetch_path(r, l->slots[k + AHEAD]);
        run_car *c = &r->car[slot];
        run_rare *rare = &r->rare[slot];
        const lane_curve *curve = &rare->path.curve;
        const bool there = t >= curve->start + curve->duration && rare->lane == rare->path.to;
        if (c->flags & RUN_CHANGES && !there) {
            l->slots[kept++] = slot;
            continue;
        }
        l->has[slot] = 0;
        if (!(c->flags & RUN_CHANGES)) // its path has ended
            continue;
        r->arrived[arrived++] = (run_place){slot, rare->path.from};
        rare->path.to = rare->path.from = -1;
        c->flags &= ~(unsigned)RUN_CHANGES;
        c->flags |= RUN_CALM | RUN_SETTLES;
    }
    l->count = kept;
    r->changing = kept > 0;
    return arrived;
}
