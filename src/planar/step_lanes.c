// step_lanes.c - time steps of four planar cars; model.h has their equations.
//
// Order 2 takes two evaluations (Verwer and others 1999, ROS2), with A an approximation of the
// Jacobian of which only the diagonal is kept:
//
//     (1 - g h A) k1 = f(y)
//     (1 - g h A) k2 = f(y + h k1) - 2 k1,        y+ = y + h (3/2 k1 + 1/2 k2),  g = 1 - 1/sqrt(2)
//
// It is of order two for any A, so A may be rough: the spin of the wheels against a rolling tyre,
// -R^2/J dfx/ds, the decay of tyre states and of the brake force; 0 for all else, where the step is
// Heun's. A wheel on a law without states has the pole R^2 C/(J v), 7000 1/s at 1 m/s: explicit
// steps of 1 ms would blow up. Where such a tyre slides the true pole is smaller and A is too
// large, which costs accuracy, not stability. Order 4 is the classical Runge-Kutta method.
//
// The road is looked at once per step, under the place that the vehicle has half way through; the
// angle of the steering is exact at every stage (parts/steering.h).
#include "base/gravity.h"
#include "num/lanes.h"
#include "parts/running_gear_lanes.h"
#include "planar/batch.h"

_Static_assert((int)LANES == (int)PLANAR_LANES, "a block is one set of lanes");

#define ROS_GAMMA 0.29289321881345254 // 1 - 1/sqrt(2)

typedef struct tilt { // what the road does to four vehicles, over a step
    lanes g_x, g_y;   // m/s^2, along the road's axes x and y
    lanes normal;     // m/s^2
    const double *mu; // NULL: 1
} tilt;

typedef struct step_state {
    const planar_kernel *k;
    int extra, sum, kept; // places
    lanes throttle, command;
    tilt road;
    planar_view *view;
} step_state;

// ---- road ----

// Friction under the wheels of one lane.
static void friction_at(const planar_kernel *k, const lanes *z, lanes c, lanes s, int l,
                        double path, double hint, double *mu)
{
    for (int q = 0; q < PLANAR_WHEELS; q++) {
        const double x = k->constants->wheel_x[q], y = k->constants->wheel_y[q];
        mc_road_point p;
        road_under(k->gear->road, path, z[VALUE_X][l] + c[l] * x - s[l] * y,
                   z[VALUE_Y][l] + s[l] * x + c[l] * y, hint, &p);
        mu[LANES * q + l] = p.friction;
    }
}

static void look_at_road(const planar_kernel *k, lanes *z, int kept, double h, double *mu,
                         tilt *out)
{
    *out = (tilt){.g_x = lanes_set(0.0), .g_y = lanes_set(0.0), .normal = lanes_set(GRAVITY)};
    if (k->level && k->dry)
        return;
    lanes s, c;
    lanes_sincos(z[VALUE_PSI], &s, &c);
    const lanes half = lanes_set(0.5 * h);
    const lanes x = lanes_fma(half, c * z[VALUE_U] - s * z[VALUE_W], z[VALUE_X]);
    const lanes y = lanes_fma(half, s * z[VALUE_U] + c * z[VALUE_W], z[VALUE_Y]);
    for (int l = 0; l < LANES; l++) {
        mc_road_point p;
        const double path = z[kept + KEPT_PATH][l];
        road_under(k->gear->road, path, x[l], y[l], z[kept + KEPT_STATION][l], &p);
        z[kept + KEPT_STATION][l] = p.station;
        if (!k->level) {
            out->g_x[l] = GRAVITY * p.gravity[0];
            out->g_y[l] = GRAVITY * p.gravity[1];
            out->normal[l] = -GRAVITY * p.gravity[2];
        }
        if (!k->dry)
            friction_at(k, z, c, s, l, path, p.station, mu);
    }
    if (!k->dry)
        out->mu = mu;
}

// ---- rates ----

// Loads of the wheels, N.
static inline void loads(const planar_constants *c, const step_state *t, const lanes *z, double *fz)
{
    const lanes zero = lanes_set(0.0), half = lanes_set(0.5);
    const lanes moment = lanes_set(c->mass * c->cg_height); // times acceleration: N m
    const lanes weight = lanes_set(c->mass) * t->road.normal;
    const lanes front = lanes_fma(weight, lanes_set(c->rear), -(moment * z[VALUE_LEAN_X])) *
                        lanes_set(1.0 / (c->front + c->rear));
    lanes axle[2];
    axle[0] = lanes_max(lanes_min(front, weight), zero);
    axle[1] = weight - axle[0];
    for (int a = 0; a < 2; a++) {
        const lanes each = half * axle[a];
        const lanes shift =
            lanes_set(0.5 * c->roll_share[a] / c->half_tracks[a]) * moment * z[VALUE_LEAN_Y];
        const lanes moved = lanes_max(lanes_min(shift, each), -each);
        lanes_store(fz + LANES * (2 * a), each - moved);
        lanes_store(fz + LANES * (2 * a + 1), each + moved);
    }
}

// Velocities of the contact points in the axes of the wheels.
static inline void contact(const planar_constants *c, const lanes *z, lanes steer_c, lanes steer_s,
                           planar_view *v)
{
    for (int q = 0; q < PLANAR_WHEELS; q++) {
        const lanes along = lanes_fma(lanes_set(-c->wheel_y[q]), z[VALUE_R], z[VALUE_U]);
        const lanes across = lanes_fma(lanes_set(c->wheel_x[q]), z[VALUE_R], z[VALUE_W]);
        const bool steered = q < 2;
        lanes_store(v->v_x + LANES * q, steered ? along * steer_c + across * steer_s : along);
        lanes_store(v->v_y + LANES * q, steered ? across * steer_c - along * steer_s : across);
    }
}

typedef struct body_force { // of the wheels on the body, in its axes
    lanes x, y, turn;       // N, N, N m
    lanes power;            // W, of the road at the contact points
} body_force;

static inline body_force collect(const planar_constants *c, lanes steer_c, lanes steer_s,
                                 const planar_view *v)
{
    const lanes zero = lanes_set(0.0);
    body_force f = {zero, zero, zero, zero};
    for (int q = 0; q < PLANAR_WHEELS; q++) {
        const lanes fx = lanes_load(v->fx + LANES * q), fy = lanes_load(v->fy + LANES * q);
        const bool steered = q < 2;
        const lanes x = steered ? fx * steer_c - fy * steer_s : fx;
        const lanes y = steered ? fx * steer_s + fy * steer_c : fy;
        f.x = f.x + x;
        f.y = f.y + y;
        f.turn = f.turn + (lanes_set(c->wheel_x[q]) * y - lanes_set(c->wheel_y[q]) * x);
        f.power = lanes_fma(fx, lanes_load(v->v_x + LANES * q), f.power);
        f.power = lanes_fma(fy, lanes_load(v->v_y + LANES * q), f.power);
    }
    return f;
}

// Rates of all integrated values at a state z.
static inline void rates(const step_state *t, lanes angle, const lanes *z, lanes *rate)
{
    const planar_kernel *k = t->k;
    const planar_constants *c = k->constants;
    planar_view *v = t->view;
    lanes steer_s, steer_c, s, co, turned, *sum = rate + t->sum;
    lanes_sincos(angle, &steer_s, &steer_c);
    lanes_sincos(z[VALUE_PSI], &s, &co);
    loads(c, t, z, v->fz);
    contact(c, z, steer_c, steer_s, v);
    const gear_contact_lanes at = {v->fz, v->v_x, v->v_y, v->fx, v->fy};
    gear_turn_lanes(k->gear, 2, k->wheel_states, t->throttle, t->command, z + VALUE_WHEEL,
                    t->road.mu, &at, rate + VALUE_WHEEL, sum, &turned);
    for (int n = 0; n < k->wheel_states; n++)
        for (int q = 0; q < PLANAR_WHEELS && k->decay[n] > 0.0; q++) {
            const int at_n = VALUE_WHEEL + PLANAR_WHEELS * n + q;
            rate[at_n] = lanes_fma(lanes_set(-k->decay[n]), z[at_n], rate[at_n]);
        }
    const int brake = t->extra + EXTRA_BRAKE;
    rate[brake] = lanes_fma(lanes_set(-k->gear->brake_rate), z[brake], rate[brake]);

    const body_force f = collect(c, steer_c, steer_s, v);
    const lanes u = z[VALUE_U], w = z[VALUE_W], r = z[VALUE_R];
    const lanes mass_inverse = lanes_set(1.0 / c->mass), mass = lanes_set(c->mass);
    const lanes speed = lanes_sqrt(lanes_fma(u, u, w * w)), drag = lanes_set(k->gear->drag) * speed;
    const lanes g_u = lanes_fma(t->road.g_x, co, t->road.g_y * s);
    const lanes g_w = lanes_fma(t->road.g_y, co, -(t->road.g_x * s));
    const lanes a_x = f.x * mass_inverse, a_y = f.y * mass_inverse;
    const lanes slowed = drag * mass_inverse;
    const lanes along = a_x - slowed * u + g_u, across = a_y - slowed * w + g_w;
    rate[VALUE_X] = u * co - w * s;
    rate[VALUE_Y] = u * s + w * co;
    rate[VALUE_PSI] = r;
    rate[VALUE_U] = lanes_fma(w, r, along);
    rate[VALUE_W] = lanes_fma(-u, r, across);
    rate[VALUE_R] = f.turn * lanes_set(1.0 / c->inertia);
    rate[VALUE_LEAN_X] = lanes_set(c->lean_rate) * (a_x - z[VALUE_LEAN_X]);
    rate[VALUE_LEAN_Y] = lanes_set(c->lean_rate) * (a_y - z[VALUE_LEAN_Y]);
    lanes_store(v->a_x, along);
    lanes_store(v->a_y, across);
    for (int j = 0; j < 3; j++) // momentum is balanced without a sum, body.c
        sum[SUM_IMPULSE + j] = lanes_set(0.0);
    sum[SUM_DAMPED] = lanes_set(0.0);
    sum[SUM_SLIPPED] = turned - f.power;
    sum[SUM_DRAGGED] = lanes_fma(drag, speed * speed, sum[SUM_DRAGGED]);
    sum[SUM_GRAVITY] = -(mass * lanes_fma(g_u, u, g_w * w));
}

// ---- steps ----

// -h A of the spins, from the speed of the wheels over the road.
static inline void spin_stiffness(const step_state *t, const lanes *z, lanes h, lanes *out)
{
    const planar_constants *c = t->k->constants;
    const wheel_model *wheel = &t->k->gear->wheel;
    const lanes rate = lanes_set(c->spin_slope * wheel->radius * wheel->radius / wheel->inertia);
    for (int q = 0; q < PLANAR_WHEELS; q++) {
        const lanes along = lanes_fma(lanes_set(-c->wheel_y[q]), z[VALUE_R], z[VALUE_U]);
        const lanes speed = lanes_max(lanes_abs(along), lanes_set(0.1));
        out[q] = c->by_speed ? h * rate * lanes_set(SLOPE_SPEED) / speed : h * rate;
    }
}

static inline void step_two(const step_state *t, const lanes angle[3], double h_step, lanes *z)
{
    const planar_kernel *k = t->k;
    const int wheels = PLANAR_WHEELS * k->wheel_states, count = t->kept;
    const lanes one = lanes_set(1.0), two = lanes_set(2.0), h = lanes_set(h_step);
    lanes first[VALUE_MAX], second[VALUE_MAX], trial[VALUE_MAX], gain[VALUE_MAX];
    for (int n = 0; n < count; n++)
        gain[n] = one;
    spin_stiffness(t, z, h, gain + VALUE_WHEEL + PLANAR_WHEELS * WHEEL_SPIN);
    for (int q = 0; q < PLANAR_WHEELS; q++) {
        lanes *g = &gain[VALUE_WHEEL + PLANAR_WHEELS * WHEEL_SPIN + q];
        *g = one / lanes_fma(lanes_set(ROS_GAMMA), *g, one);
    }
    for (int n = WHEEL_TYRE; n < k->wheel_states; n++)
        for (int q = 0; q < PLANAR_WHEELS; q++)
            gain[VALUE_WHEEL + PLANAR_WHEELS * n + q] =
                lanes_set(1.0 / (1.0 + ROS_GAMMA * h_step * k->decay[n]));
    gain[VALUE_WHEEL + wheels + EXTRA_BRAKE] =
        lanes_set(1.0 / (1.0 + ROS_GAMMA * h_step * k->gear->brake_rate));
    rates(t, angle[0], z, first);
    for (int n = 0; n < count; n++) {
        first[n] = first[n] * gain[n];
        trial[n] = lanes_fma(h, first[n], z[n]);
    }
    rates(t, angle[2], trial, second);
    for (int n = 0; n < count; n++) {
        const lanes k2 = (second[n] - two * first[n]) * gain[n];
        const lanes mean = lanes_fma(lanes_set(1.5), first[n], lanes_set(0.5) * k2);
        z[n] = lanes_fma(h, mean, z[n]);
    }
}

static inline void step_four(const step_state *t, const lanes angle[3], double h_step, lanes *z)
{
    static const double part[4] = {0.0, 0.5, 0.5, 1.0};
    static const double weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    const int count = t->kept;
    lanes rate[VALUE_MAX], trial[VALUE_MAX], mean[VALUE_MAX];
    for (int stage = 0; stage < 4; stage++) {
        const lanes along = lanes_set(part[stage] * h_step);
        for (int n = 0; n < count && stage > 0; n++)
            trial[n] = lanes_fma(along, rate[n], z[n]);
        rates(t, angle[(stage + 1) / 2], stage > 0 ? trial : z, rate);
        for (int n = 0; n < count; n++) {
            const lanes w = lanes_set(weight[stage]);
            mean[n] = stage > 0 ? lanes_fma(w, rate[n], mean[n]) : w * rate[n];
        }
    }
    for (int n = 0; n < count; n++)
        z[n] = lanes_fma(lanes_set(h_step), mean[n], z[n]);
}

// Angle at the start, in the middle and at the end of the step.
static inline void steer(const steering *s, lanes now, lanes command, double h, lanes angle[3])
{
    angle[0] = angle[1] = angle[2] = now;
    for (int l = 0; l < LANES; l++)
        if (now[l] != command[l]) {
            double over[3];
            steering_over(s, now[l], command[l], h, over);
            for (int n = 0; n < 3; n++)
                angle[n][l] = over[n];
        }
}

static inline lanes limited(const steering *s, lanes command)
{
    return lanes_max(lanes_min(command, lanes_set(s->max)), lanes_set(-s->max));
}

static step_state begin(const planar_kernel *k, const double *inputs, planar_view *view)
{
    return (step_state){.k = k,
                        .extra = planar_extra_place(k),
                        .sum = planar_sum_place(k),
                        .kept = planar_kept_place(k),
                        .throttle = lanes_load(inputs + LANES * INPUT_THROTTLE),
                        .command = lanes_load(inputs + LANES * INPUT_BRAKE),
                        .view = view};
}

void LANES_NAME(planar_advance)(const planar_kernel *k, double *values, const double *inputs,
                                int steps, double h)
{
    const unsigned before = lanes_flush_begin();
    planar_view view;
    step_state t = begin(k, inputs, &view);
    const steering *s = &k->constants->steering;
    const lanes command = limited(s, lanes_load(inputs + LANES * INPUT_STEER));
    const int count = t.kept + KEPT_COUNT;
    lanes z[VALUE_MAX], angle[3];
    for (int n = 0; n < count; n++)
        z[n] = lanes_load(values + LANES * n);
    for (int i = 0; i < steps; i++) {
        look_at_road(k, z, t.kept, h, view.mu, &t.road);
        steer(s, z[t.kept + KEPT_STEER], command, h, angle);
        if (k->constants->fourth)
            step_four(&t, angle, h, z);
        else
            step_two(&t, angle, h, z);
        z[t.kept + KEPT_STEER] = angle[2];
        z[t.kept + KEPT_A] = lanes_fma(z[VALUE_W], z[VALUE_R], lanes_load(view.a_x));
    }
    for (int n = 0; n < count; n++)
        lanes_store(values + LANES * n, z[n]);
    lanes_flush_end(before);
}

void LANES_NAME(planar_look)(const planar_kernel *k, const double *values, const double *inputs,
                             planar_view *out)
{
    step_state t = begin(k, inputs, out);
    lanes z[VALUE_MAX], rate[VALUE_MAX];
    for (int n = 0; n < t.kept + KEPT_COUNT; n++)
        z[n] = lanes_load(values + LANES * n);
    for (int i = 0; i < PLANAR_WHEELS * LANES; i++)
        out->mu[i] = 1.0;
    look_at_road(k, z, t.kept, 0.0, out->mu, &t.road);
    rates(&t, z[t.kept + KEPT_STEER], z, rate);
}
