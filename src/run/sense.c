// sense.c - what a car knows of itself and of others.
#include "run/sense.h"
#include "run/where.h"

#include "num/minmax.h"

#include <math.h>
#include <string.h>

// Signals are made in two ways from one text; each must be compiled for itself.
#define ALWAYS_INLINE inline __attribute__((always_inline))

// Acceleration of a slot now. A held one is that of the middle of the last step: the line through
// it and the one before gives it now.
static double acceleration_of(const mc_run *r, int slot)
{
    const run_car *c = &r->car[slot];
    const double a = r->motion[slot].a;
    return c->flags & RUN_HELD ? a + 0.5 * (a - c->a_before) : a;
}

// What a slot sends at the start of this step. Its desired acceleration is known for the middle of
// the last step and the one before: extrapolate linearly to now.
static inline run_message message_of(const mc_run *r, int slot)
{
    const mc_motion *m = &r->motion[slot];
    const run_car *c = &r->car[slot];
    const double change = c->desired - c->desired_before;
    const double dt = r->s->step;
    return (run_message){m->x,
                         m->v,
                         acceleration_of(r, slot),
                         (m->a - c->a_before) / dt,
                         c->desired + 0.5 * change,
                         change / dt};
}

run_message run_message_of(const mc_run *r, int slot)
{
    return message_of(r, slot);
}

static const run_message *history_at(const mc_run *r, long long step, int slot)
{
    const long long first = r->step - r->history_count + 1;
    step = step < first ? first : step;
    step = step < 0 ? 0 : step;
    return &r->history[(step % r->history_count) * r->count + slot];
}

static long long steps_of(const mc_run *r, double delay)
{
    return (long long)floor(delay / r->s->step + 0.5);
}

// The message of `sender` that reaches `slot` in this step, if one does.
static void listen(mc_run *r, int slot, int k, int sender)
{
    run_rare *rare = &r->rare[slot];
    const long long sent = r->step - steps_of(r, rare->fault.link[LINK_DELAY]);
    if (sender < 0 || sent < 0)
        return;
    const double chance =
        noise_uniform(r->s->seed, run_key(r, sender), run_key(r, slot), (unsigned long long)sent);
    if (chance >= rare->fault.link[LINK_LOSS])
        rare->heard[k] = (run_heard){(double)sent, *history_at(r, sent, sender)};
}

void run_radio(mc_run *r)
{
    if (r->history_count == 0)
        return;
    for (int slot = 0; slot < r->count; slot++)
        r->history[(r->step % r->history_count) * r->count + slot] = message_of(r, slot);
    for (int slot = 0; slot < r->count; slot++) {
        run_rare *rare = &r->rare[slot];
        // Of a perfect radio too: should it get worse, the last message is known.
        if (rare->front_heard != r->car[slot].front) { // another car is in front now
            rare->front_heard = r->car[slot].front;
            rare->heard[0].step = -1.0;
        }
        listen(r, slot, 0, r->car[slot].front);
        for (int k = 1; k < rare->listen_count; k++)
            listen(r, slot, k, rare->listen[k]);
    }
}

bool run_fresh(const mc_run *r, int slot)
{
    const run_car *c = &r->car[slot];
    const run_rare *rare = &r->rare[slot];
    const bool front = c->front >= 0 && c->flags & RUN_HEARS_FRONT;
    if (!front && rare->listen_count == 1) // no car to hear: silent if there is a car to follow
        return c->front < 0;
    if (!(c->flags & RUN_HEARS_BADLY))
        return true;
    // Silence counts from the last message, or from the start.
    const double longest = floor(rare->fault.link[LINK_TIMEOUT] / r->s->step * (1.0 + 1e-9));
    for (int k = front ? 0 : 1; k < rare->listen_count; k++)
        if ((double)r->step - fmax(rare->heard[k].step, 0.0) > longest)
            return false;
    return true;
}

// The newest message heard from listener's k-th car, or its true one by a perfect radio; false:
// none was ever heard.
static inline bool heard(const mc_run *r, int slot, int k, int sender, run_message *out)
{
    const unsigned flags = r->car[slot].flags;
    if (k == 0 && !(flags & RUN_HEARS_FRONT))
        return false;
    if (!(flags & RUN_HEARS_BADLY)) {
        *out = message_of(r, sender);
        return true;
    }
    const run_heard *h = &r->rare[slot].heard[k];
    if (h->step < 0.0)
        return false;
    *out = h->message;
    return true;
}

// Gap and speed of the car in front as an imperfect sensor sees them.
static void sense_badly(const mc_run *r, int slot, double *gap, double *v_front)
{
    const run_rare *rare = &r->rare[slot];
    const int front = r->car[slot].front;
    const double *p = rare->fault.sensor;
    const long long late = steps_of(r, p[SENSOR_DELAY]);
    if (late > 0) {
        const run_message *own = history_at(r, r->step - late, slot);
        const run_message *other = history_at(r, r->step - late, front);
        *gap = r->lap > 0.0
                   ? run_apart(r, own->x, other->x) + r->car[front].tail - r->car[slot].nose
                   : other->x + r->car[front].tail - own->x - r->car[slot].nose;
        *v_front = other->v;
    }
    const unsigned who = run_key(r, slot);
    const unsigned long long when = (unsigned long long)r->step;
    *gap += p[SENSOR_RANGE_BIAS];
    if (rare->fault.gap_wave.amplitude != 0.0)
        *gap += wave_at(&rare->fault.gap_wave, run_time(r),
                        noise_normal(r->s->seed, who, 0xfffffff2u, when));
    *v_front += p[SENSOR_SPEED_BIAS];
    if (p[SENSOR_RANGE_NOISE] > 0.0)
        *gap += p[SENSOR_RANGE_NOISE] * noise_normal(r->s->seed, who, 0xfffffff0u, when);
    if (p[SENSOR_SPEED_NOISE] > 0.0)
        *v_front += p[SENSOR_SPEED_NOISE] * noise_normal(r->s->seed, who, 0xfffffff1u, when);
}

typedef struct senses { // where the signals of a car go: signal k at [stride k]
    double *now;        // NULL: not needed
    double *middle;
    int stride;
} senses;

// Value now and in the middle of the step of something that moves at rate and change of rate.
static ALWAYS_INLINE void move(senses to, int k, double ahead, double value, double rate,
                               double change)
{
    if (to.now)
        to.now[k * to.stride] = value;
    to.middle[k * to.stride] = value + ahead * (rate + 0.5 * ahead * change);
}

static ALWAYS_INLINE void stay(senses to, int k, double value)
{
    if (to.now)
        to.now[k * to.stride] = value;
    to.middle[k * to.stride] = value;
}

static ALWAYS_INLINE void sense_nobody(const mc_motion *own, double ahead, senses to)
{
    stay(to, SIGNAL_GAP, RUN_NOBODY);
    move(to, SIGNAL_V_FRONT, ahead, own->v, own->a, 0.0);
    stay(to, SIGNAL_A_FRONT, 0.0);
    stay(to, SIGNAL_U_FRONT, 0.0);
}

// ---- fixed obstacles ----

// Half of what an obstacle takes along the road and across it, m.
static void extent_of(const obstacle *o, double *along, double *across)
{
    const double c = fabs(cos(o->heading)), s = fabs(sin(o->heading));
    double length = 0.5 * o->p[OBSTACLE_LENGTH], width = 0.5 * o->p[OBSTACLE_WIDTH];
    if (o->shape == OBSTACLE_CYLINDER)
        width = length;
    for (int k = 0; o->shape == OBSTACLE_PRISM && k < o->point_count; k++) {
        length = fmax(k ? length : 0.0, fabs(o->point[k][0]));
        width = fmax(k ? width : 0.0, fabs(o->point[k][1]));
    }
    *along = c * length + s * width;
    *across = s * length + c * width;
}

// m, from the nose of a car on the main road to the nearest obstacle in the strip that it drives
// along; that of no vehicle if there is none. An obstacle above or below the cars is not in their
// way.
static double obstacle_ahead(const mc_run *r, int slot)
{
    const scenario *s = r->s;
    const mc_motion *own = &r->motion[slot];
    const double half = 0.5 * s->models[s->vehicles[r->rare[slot].vehicle].model].facts.width;
    double nearest = RUN_NOBODY;
    if (r->where && r->where[slot].path != 0)
        return RUN_NOBODY;
    for (int k = 0; k < s->obstacle_count; k++) {
        const obstacle *o = &s->obstacles[k].o;
        const bool tall =
            o->shape == OBSTACLE_CYLINDER || fabs(o->p[OBSTACLE_Z]) < 0.5 * o->p[OBSTACLE_HEIGHT];
        const double apart = run_apart(r, own->x, o->x);
        double along, across;
        extent_of(o, &along, &across);
        if (tall && apart > 0.0 && fabs(o->y - own->y) < half + across)
            nearest = fmin(nearest, apart - along - r->car[slot].nose);
    }
    return nearest;
}

// Whether an obstacle is nearer than the car in front; then that is what is seen: a thing at rest.
static bool sense_obstacle(const mc_run *r, int slot, double ahead, senses to)
{
    const run_car *c = &r->car[slot];
    const mc_motion *own = &r->motion[slot];
    double gap = obstacle_ahead(r, slot), v = 0.0;
    if (!(gap < (c->front < 0 ? RUN_NOBODY : run_gap(r, slot))) || gap > c->reach)
        return false;
    if (c->flags & RUN_SHIFTS)
        gap -= r->rare[slot].shift.d, v -= r->rare[slot].shift.rate;
    move(to, SIGNAL_GAP, ahead, gap, v - own->v, -own->a);
    stay(to, SIGNAL_V_FRONT, v);
    stay(to, SIGNAL_A_FRONT, 0.0);
    stay(to, SIGNAL_U_FRONT, 0.0);
    return true;
}

static ALWAYS_INLINE void sense_front(const mc_run *r, int slot, unsigned needs, double ahead,
                                      senses to)
{
    const run_car *c = &r->car[slot];
    const mc_motion *own = &r->motion[slot];
    if (r->s->obstacle_count > 0 && sense_obstacle(r, slot, ahead, to))
        return;
    if (c->front < 0) {
        sense_nobody(own, ahead, to);
        return;
    }
    const mc_motion *front = &r->motion[c->front];
    double gap = run_gap(r, slot), v_front = front->v;
    // Speeds are extrapolated with the true accelerations; noise is not extrapolated.
    double a_front = front->a, a_own = own->a;
    if (c->flags & RUN_SENSES_BADLY) {
        sense_badly(r, slot, &gap, &v_front);
        a_front = a_own = 0.0;
    }
    if (gap > c->reach) {
        sense_nobody(own, ahead, to);
        return;
    }
    const run_shift *shift = c->flags & RUN_SHIFTS ? &r->rare[slot].shift : NULL;
    if (shift)
        gap -= shift->d, v_front -= shift->rate, a_front -= shift->bend;
    move(to, SIGNAL_GAP, ahead, gap, v_front - own->v, a_front - a_own);
    move(to, SIGNAL_V_FRONT, ahead, v_front, a_front, 0.0);
    if (needs & RUN_NEEDS_RADIO) {
        run_message m = {0}; // not heard: its acceleration is not known, 0 is the best guess
        heard(r, slot, 0, c->front, &m);
        if (shift)
            m.a -= shift->bend, m.u -= shift->bend;
        move(to, SIGNAL_A_FRONT, ahead, m.a, m.jerk, 0.0);
        move(to, SIGNAL_U_FRONT, ahead, m.u, m.u_rate, 0.0);
    }
}

// Means over the linked cars: how far the ego vehicle is behind its desired place relative to each.
static void sense_linked(const mc_run *r, int slot, double ahead, senses to)
{
    const run_rare *rare = &r->rare[slot];
    const mc_motion *own = &r->motion[slot];
    const double headway = r->car[slot].headway, distance = r->car[slot].distance;
    double position = 0.0, speed = 0.0, change = 0.0, closing = 0.0;
    int count = 0;
    for (int k = 0; k < rare->listen_count; k++) {
        const int other = k == 0 ? r->car[slot].front : rare->listen[k];
        if (other < 0)
            continue;
        run_message m;
        if (!heard(r, slot, k, other, &m))
            continue;
        const run_rare *them = &r->rare[other];
        // A car in front that belongs to another platoon, or to none, is one place ahead.
        const bool ours = rare->platoon >= 0 && them->platoon == rare->platoon;
        const int places = ours ? rare->number - them->number : 1;
        double touching =
            ours ? rare->station - them->station : r->car[slot].nose - r->car[other].tail;
        if (r->shifting && ours) {
            touching += rare->shift.all - them->shift.all;
            m.v -= rare->shift.all_rate - them->shift.all_rate;
        }
        position += run_apart(r, own->x, m.x) - touching - places * (distance + headway * own->v);
        speed += m.v - own->v;
        closing += m.v - own->v - places * headway * own->a;
        change += m.a - own->a;
        count++;
    }
    const double share = count ? 1.0 / count : 0.0;
    move(to, SIGNAL_POSITION_ERROR, ahead, share * position, share * closing, share * change);
    move(to, SIGNAL_SPEED_ERROR, ahead, share * speed, share * change, 0.0);
}

static void sense_leader(const mc_run *r, int slot, double ahead, senses to)
{
    const int leader = r->car[slot].leader;
    const run_rare *rare = &r->rare[slot];
    const mc_motion *own = &r->motion[slot];
    // Not heard, or the car itself: it is taken to drive as the listener does.
    run_message m = {.x = own->x + rare->station, .v = own->v, .a = own->a};
    for (int k = 1; k < rare->listen_count && leader != slot; k++)
        if (rare->listen[k] == leader)
            heard(r, slot, k, leader, &m);
    if (r->shifting && leader != slot)
        m.x -= rare->shift.all, m.v -= rare->shift.all_rate;
    move(to, SIGNAL_GAP_LEADER, ahead, run_apart(r, own->x, m.x) - rare->station, m.v - own->v,
         m.a - own->a);
    move(to, SIGNAL_V_LEADER, ahead, m.v, m.a, 0.0);
    move(to, SIGNAL_A_LEADER, ahead, leader == slot ? 0.0 : m.a, m.jerk, 0.0);
}

static void sense_far(const mc_run *r, int slot, double ahead, senses to)
{
    const run_rare *rare = &r->rare[slot];
    stay(to, SIGNAL_PLACE, rare->number);
    stay(to, SIGNAL_MASS, rare->mass);
    for (int k = 0; k < 8; k++)
        stay(to, SIGNAL_USER_1 + k, rare->user[k]);
    sense_leader(r, slot, ahead, to);
    sense_linked(r, slot, ahead, to);
}

static ALWAYS_INLINE void make_signals(const mc_run *r, int slot, unsigned needs, double dt,
                                       senses to)
{
    const run_car *c = &r->car[slot];
    const mc_motion *own = &r->motion[slot];
    const double ahead = 0.5 * dt;
    sense_front(r, slot, needs, ahead, to);
    move(to, SIGNAL_V, ahead, own->v, own->a, 0.0);
    stay(to, SIGNAL_HEADWAY, c->headway);
    stay(to, SIGNAL_DISTANCE, c->distance);
    stay(to, SIGNAL_V_SET, c->v_set);
    if (to.now)
        to.now[SIGNAL_V_SET * to.stride] = c->v_set - ahead * c->v_set_rate;
    if (needs == 0)
        return;
    if (needs & RUN_NEEDS_A)
        move(to, SIGNAL_A, ahead, acceleration_of(r, slot), (own->a - c->a_before) / dt, 0.0);
    if (needs & RUN_NEEDS_RATE)
        stay(to, SIGNAL_V_SET_RATE, c->v_set_rate);
    if (needs & RUN_NEEDS_OTHERS) {
        move(to, SIGNAL_T, ahead, run_time(r), 1.0, 0.0);
        stay(to, SIGNAL_DT, dt);
        move(to, SIGNAL_X, ahead, own->x, own->v, own->a);
        stay(to, SIGNAL_FRESH, c->flags & RUN_FALLEN_BACK ? 0.0 : 1.0);
        stay(to, SIGNAL_LENGTH, c->nose - c->tail);
    }
    if (needs & RUN_NEEDS_LINKED && c->flags & RUN_LISTENS)
        sense_far(r, slot, ahead, to);
}

void run_signals(const mc_run *r, int slot, double now[SIGNAL_COUNT], double middle[SIGNAL_COUNT])
{
    make_signals(r, slot, RUN_NEEDS_ALL, r->s->step, (senses){now, middle, 1});
}

void run_signals_one(const mc_run *r, int slot, unsigned needs, double *x)
{
    make_signals(r, slot, needs, r->s->step, (senses){NULL, x, 1});
}

void run_signals_middle(const mc_run *r, const run_group *g, int from, int count, double *x)
{
    const run_law *l = g->law;
    x += from / 4 * l->x_count * 4;
    for (int m = 0; m < count; m++)
        make_signals(r, run_member(g, from + m), l->needs, r->s->step,
                     (senses){NULL, x + m / 4 * l->x_count * 4 + m % 4, 4});
}

// Gap, speed and acceleration of what is in front, as it is.
static void sense_true(const mc_run *r, int slot, double *gap, double *v_front, double *a_front)
{
    const run_car *c = &r->car[slot];
    const unsigned special = RUN_SENSES_BADLY | RUN_SHIFTS | RUN_HEARS_FRONT;
    if (r->s->obstacle_count == 0 && !(c->flags & special)) { // most cars, in a hurry
        const double true_gap = c->front < 0 ? HUGE_VAL : run_gap(r, slot);
        const bool seen = true_gap <= c->reach;
        *gap = seen ? true_gap : RUN_NOBODY;
        *v_front = r->motion[seen ? c->front : slot].v;
        *a_front = 0.0;
        return;
    }
    double now[SIGNAL_COUNT], middle[SIGNAL_COUNT];
    sense_front(r, slot, RUN_NEEDS_ALL, 0.0, (senses){now, middle, 1});
    if (c->flags & RUN_SHIFTS && now[SIGNAL_GAP] < 0.5 * RUN_NOBODY) { // the true gap counts
        const run_shift *shift = &r->rare[slot].shift;
        now[SIGNAL_GAP] += shift->d, now[SIGNAL_V_FRONT] += shift->rate;
        now[SIGNAL_A_FRONT] += shift->bend;
    }
    *gap = now[SIGNAL_GAP], *v_front = now[SIGNAL_V_FRONT], *a_front = now[SIGNAL_A_FRONT];
}

double run_avoid(const mc_run *r, int slot)
{
    const run_car *c = &r->car[slot];
    double p[AVOID_PARAM_COUNT], v = r->motion[slot].v, gap, v_front, a_front;
    memcpy(p, r->s->controllers[c->controller].avoid_p, sizeof p);
    p[AVOID_BRAKE] = num_min(p[AVOID_BRAKE], -c->min_a);
    sense_true(r, slot, &gap, &v_front, &a_front);
    avoid_ahead(p, num_max(r->motion[slot].a, c->inner.desired), a_front, &gap, &v, &v_front);
    const double limit = avoid_limit(p, gap, v, v_front, a_front, c->max_a);
    if (p[AVOID_DELAY] == 0.0)
        return limit;
    // What is under way must not differ much from the last command, which stands for it above.
    return num_min(limit, c->inner.desired + r->s->step * p[AVOID_BRAKE] / p[AVOID_DELAY]);
}
