// block_lanes.c - wheels, loads and stages of four mechanisms on wheels: the equations of rate.c.
//
// Nothing is fused and sums have the order of rate.c and running_gear.c, because a vehicle alone
// goes through those; functions of libm are called lane by lane for the same reason. A change there
// is a change here.
#include "mechanical/block.h"
#include "num/lanes.h"

#include <math.h>
#include <string.h>

_Static_assert((int)LANES == (int)BLOCK, "a block is one vector");

static inline lanes at(const double *a, int s)
{
    return lanes_load(a + LANES * s);
}

static inline void put(double *a, int s, lanes value)
{
    lanes_store(a + LANES * s, value);
}

static inline void take_three(const double *a, int s, lanes out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = at(a, s + k);
}

static inline lanes dot(const lanes a[3], const lanes b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline lanes each_hypot(lanes a, lanes b)
{
    lanes out;
    for (int l = 0; l < LANES; l++)
        out[l] = hypot(a[l], b[l]);
    return out;
}

// ---- wheels ------------------------------------------------------------------------------------

typedef struct contact { // of one wheel, as in rate.c
    lanes slope[2], e_x[3], e_y[3];
    lanes turn_x[3], turn_y[3];
} contact;

typedef struct wheels { // as gear_wheels: number k of wheel i is at [k * count + i]
    int count;
    _Alignas(32) double fz[GEAR_WHEEL_MAX * LANES], v_x[GEAR_WHEEL_MAX * LANES];
    _Alignas(32) double v_y[GEAR_WHEEL_MAX * LANES], camber[GEAR_WHEEL_MAX * LANES];
    _Alignas(32) double side[GEAR_WHEEL_MAX * LANES];
    _Alignas(32) double x[GEAR_WHEEL_MAX * WHEEL_STATE_MAX * LANES];
    _Alignas(32) double rate[GEAR_WHEEL_MAX * WHEEL_STATE_MAX * LANES];
    _Alignas(32) double fx[GEAR_WHEEL_MAX * LANES], fy[GEAR_WHEEL_MAX * LANES];
    _Alignas(32) double mz[GEAR_WHEEL_MAX * LANES], v_roll[GEAR_WHEEL_MAX * LANES];
    _Alignas(32) double drive[GEAR_WHEEL_MAX * LANES], torque[GEAR_WHEEL_MAX * LANES];
    _Alignas(32) double brake_max[GEAR_WHEEL_MAX * LANES], hold_max[GEAR_WHEEL_MAX * LANES];
} wheels;

static inline void lever(lanes rho, const lanes e[3], const lanes axle[3], lanes out[3])
{
    out[0] = rho * e[1], out[1] = -rho * e[0], out[2] = lanes_set(0.0);
    const lanes along = dot(out, axle);
    for (int k = 0; k < 3; k++)
        out[k] = out[k] - along * axle[k];
}

// Where a wheel stands and how it moves there.
static inline void find_contact(const multibody_batch *b, const block *k, const block_ground *g,
                                int i, contact *to, wheels *w, lanes *lost)
{
    const double *see = k->see + LANES * (SEE_WHEEL + i * SEE_EACH);
    const double *p = k->vehicle[0]->gear.vertical;
    const lanes zero = lanes_set(0.0), c = lanes_load(k->cosine), s = lanes_load(k->sine);
    lanes axle[3], hub[3], spin[3];
    take_three(see, SEE_AXLE, axle);
    take_three(see, SEE_VELOCITY, hub);
    take_three(see, SEE_SPIN, spin);
    const lanes size = each_hypot(axle[0], axle[1]), x = axle[1] / size, y = -axle[0] / size;
    const bool steered = i < 2 && b->mechanism.rack < 0;
    const lanes rho = at(see, SEE_PLACE + 2) - lanes_set(b->ground) - at(g->bump, i);
    to->slope[0] = at(g->slope_x, i), to->slope[1] = at(g->slope_y, i);
    to->e_x[0] = steered ? c * x - s * y : x;
    to->e_x[1] = steered ? s * x + c * y : y;
    to->e_x[2] = to->e_y[2] = zero;
    to->e_y[0] = -to->e_x[1], to->e_y[1] = to->e_x[0];
    lever(rho, to->e_x, axle, to->turn_x);
    lever(rho, to->e_y, axle, to->turn_y);
    for (int j = 0; j < 3; j++)
        to->turn_x[j] = to->turn_x[j] - lanes_set(k->vehicle[0]->drive.radius) * axle[j];
    put(w->v_x, i, dot(to->e_x, hub) + dot(to->turn_x, spin));
    put(w->v_y, i, dot(to->e_y, hub) + dot(to->turn_y, spin));

    const lanes rate = hub[2] - to->slope[0] * hub[0] - to->slope[1] * hub[1];
    const lanes d = lanes_set(p[VERTICAL_RADIUS]) - rho;
    const lanes spring = lanes_set(p[VERTICAL_STIFFNESS]) * d;
    const lanes fz = lanes_max(spring - lanes_set(p[VERTICAL_DAMPING]) * rate, zero);
    put(w->fz, i, lanes_select(d > zero, fz, zero));
    *lost = *lost + lanes_select(d > zero, (spring - fz) * rate, zero);
    for (int l = 0; l < LANES; l++)
        w->camber[LANES * i + l] = asin(fmax(-1.0, fmin(axle[2][l], 1.0)));
}

static inline void take_states(const multibody_batch *b, const double *z, wheels *w)
{
    for (int i = 0; i < w->count; i++)
        put(w->x, i, at(z, b->q_count + b->mechanism.spin[i]));
    memcpy(w->x + LANES * WHEEL_TWIST * w->count, z + LANES * b->y_count,
           (size_t)(LANES * b->wheel_states * w->count) * sizeof *z);
}

static inline void give_rates(const multibody_batch *b, const gear_constants *d, const wheels *w,
                              double *dz)
{
    for (int k = 0; k < b->wheel_states; k++) {
        const lanes decay = lanes_set(wheel_rate(&d->wheel, WHEEL_TWIST + k));
        for (int i = 0; i < w->count; i++) {
            const int from = (WHEEL_TWIST + k) * w->count + i;
            put(dz, b->y_count + k * w->count + i, at(w->rate, from) - decay * at(w->x, from));
        }
    }
}

// As gear_turn; the rate of the fuel.
static inline lanes turn(const gear_constants *d, const block *k, const double *extra,
                         double *extra_rate, const double *mu, wheels *w)
{
    lanes roll = lanes_set(0.0), force = roll, fuel = roll, unused[3];
    for (int i = 0; i < w->count; i++)
        roll = roll + lanes_set(d->axle[i / 2].engine_share * d->radius) * at(w->x, i);
    const powertrain_in in = {.throttle = k->throttle, .v = (const double *)&roll};
    const powertrain_out out = {.force = (double *)&force,
                                .fuel = (double *)&fuel,
                                .input_power = (double *)&unused[0],
                                .rpm = (double *)&unused[1],
                                .region = (double *)&unused[2]};
    if (d->engine)
        d->engine(d->engine_p, LANES, &in, extra + LANES * EXTRA_ENGINE,
                  extra_rate + LANES * EXTRA_ENGINE, &out);
    const lanes brake = lanes_max(at(extra, EXTRA_BRAKE), lanes_set(0.0));
    for (int i = 0; i < w->count; i++) {
        const lanes held = lanes_set(d->axle[i / 2].brake_torque) * brake;
        put(w->brake_max, i, held);
        put(w->drive, i, lanes_set(d->axle[i / 2].engine_share * d->radius) * force);
        put(w->hold_max, i, held + lanes_set(d->roll * d->radius) * at(w->fz, i));
        put(w->side, i, lanes_set(gear_side[i]));
    }
    d->eval(&d->wheel, LANES * w->count,
            &(wheel_in){.fz = w->fz,
                        .v_x = w->v_x,
                        .v_y = w->v_y,
                        .mu = mu,
                        .drive = w->drive,
                        .brake = w->hold_max,
                        .camber = w->camber,
                        .side = w->side},
            w->x, w->rate,
            &(wheel_out){
                .fx = w->fx, .fy = w->fy, .brake = w->torque, .v_roll = w->v_roll, .mz = w->mz});
    return fuel;
}

// ---- everything --------------------------------------------------------------------------------

static inline void act_on_all(const block *k, const block_ground *g, lanes *all, lanes force[3],
                              lanes sum[SUM_MAX])
{
    const vehicle *v = k->vehicle[0];
    const lanes mass = lanes_set(v->mass), drag = lanes_set(v->drive.drag), zero = lanes_set(0.0);
    lanes p[3], lean[3], velocity[3];
    take_three(k->see, SEE_MOMENTUM, p);
    take_three(g->lean, 0, lean);
    for (int j = 0; j < 3; j++)
        velocity[j] = p[j] / mass;
    const lanes speed = each_hypot(velocity[0], velocity[1]);
    for (int j = 0; j < 3; j++) {
        const lanes dragged = j < 2 ? -drag * speed * velocity[j] : zero;
        all[j] = lean[j] + dragged / mass;
        force[j] = mass * all[j];
    }
    sum[SUM_DRAGGED] = sum[SUM_DRAGGED] + drag * speed * speed * speed;
    sum[SUM_GRAVITY] = -dot(lean, p);
}

// Loads of a wheel, its aligning moment with them.
static inline void act_on_wheel(const block *k, const wheels *w, int i, const contact *to,
                                lanes *load, lanes force[3], lanes sum[SUM_MAX])
{
    const lanes fx = at(w->fx, i), fy = at(w->fy, i), fz = at(w->fz, i), mz = at(w->mz, i);
    for (int j = 0; j < 3; j++) {
        load[LOAD_FORCE + j] = fx * to->e_x[j] + fy * to->e_y[j];
        load[LOAD_TORQUE + j] = fx * to->turn_x[j] + fy * to->turn_y[j];
    }
    load[LOAD_FORCE + 2] = load[LOAD_FORCE + 2] + fz;
    for (int j = 0; j < 2; j++)
        load[LOAD_FORCE + j] = load[LOAD_FORCE + j] - fz * to->slope[j];
    for (int j = 0; j < 3; j++)
        force[j] = force[j] + load[LOAD_FORCE + j];

    const lanes_mask aligned = mz != lanes_set(0.0);
    if (lanes_bits(aligned) == 0)
        return;
    const double *see = k->see + LANES * (SEE_WHEEL + i * SEE_EACH);
    lanes axle[3], spin[3];
    take_three(see, SEE_AXLE, axle);
    take_three(see, SEE_SPIN, spin);
    const lanes about[3] = {-axle[2] * axle[0], -axle[2] * axle[1],
                            lanes_set(1.0) - axle[2] * axle[2]};
    for (int j = 0; j < 3; j++)
        load[LOAD_TORQUE + j] =
            lanes_select(aligned, load[LOAD_TORQUE + j] + mz * about[j], load[LOAD_TORQUE + j]);
    sum[SUM_SLIPPED] =
        lanes_select(aligned, sum[SUM_SLIPPED] - mz * dot(about, spin), sum[SUM_SLIPPED]);
}

// As gear_sum, but for the fuel.
static inline void add_work(const gear_constants *d, const wheels *w, lanes sum[SUM_MAX])
{
    for (int i = 0; i < w->count; i++) {
        const lanes spin = at(w->x, i), lost = at(w->torque, i) * spin;
        const lanes held = at(w->brake_max, i) / lanes_max(at(w->hold_max, i), lanes_set(1e-9));
        sum[SUM_DRIVEN] = sum[SUM_DRIVEN] + at(w->drive, i) * spin;
        sum[SUM_BRAKED] = sum[SUM_BRAKED] + lost * held;
        sum[SUM_DRAGGED] = sum[SUM_DRAGGED] + lost * (lanes_set(1.0) - held);
        sum[SUM_SLIPPED] =
            sum[SUM_SLIPPED] - (at(w->fx, i) * (at(w->v_x, i) - lanes_set(d->radius) * spin) +
                                at(w->fy, i) * at(w->v_y, i));
    }
}

// Generalised forces of the loads.
static inline void push(const multibody_batch *b, const block *k, const lanes *load,
                        const wheels *w)
{
    const mechanism *m = &b->mechanism;
    const double *partial = k->see + LANES * m->see.value_count;
    const lanes radius = lanes_set(k->vehicle[0]->drive.radius);
    double *tau = k->x + LANES * mb_at_tau(&m->multibody->system);
    memset(tau, 0, (size_t)(LANES * b->v_count) * sizeof *tau);
    for (int j = 0; j < m->see.partial_count; j++) {
        const int to = m->see.velocity[j];
        put(tau, to, at(tau, to) + at(partial, j) * load[m->see.row[j]]);
    }
    for (int i = 0; i < w->count; i++) {
        const lanes torque = at(w->drive, i) - at(w->torque, i) - radius * at(w->fx, i);
        put(tau, m->spin[i], at(tau, m->spin[i]) + torque);
    }
}

static void act(const multibody_batch *b, block *k, const block_ground *g, const double *z,
                double *dz)
{
    const gear_constants *d = &k->vehicle[0]->drive;
    const double *extra = z + LANES * b->at_extra;
    contact to[GEAR_WHEEL_MAX];
    wheels w;
    lanes load[LOAD_MAX], force[3], sum[SUM_MAX];
    w.count = b->mechanism.wheel_count;
    for (int j = 0; j < SUM_MAX; j++)
        sum[j] = lanes_set(0.0);
    take_states(b, z, &w);
    for (int i = 0; i < w.count; i++)
        find_contact(b, k, g, i, &to[i], &w, &sum[SUM_DAMPED]);
    const lanes fuel = turn(d, k, extra, dz + LANES * b->at_extra, g->mu, &w);
    give_rates(b, d, &w, dz);
    put(dz, b->at_extra + EXTRA_BRAKE,
        lanes_set(d->brake_rate) * (lanes_load(k->brake) - at(extra, EXTRA_BRAKE)));
    act_on_all(k, g, load + LOAD_ALL, force, sum);
    for (int i = 0; i < w.count; i++)
        act_on_wheel(k, &w, i, &to[i], load + LOAD_WHEEL + i * LOAD_EACH, force, sum);
    sum[SUM_FUEL] = fuel;
    add_work(d, &w, sum);
    sum[SUM_DAMPED] = sum[SUM_DAMPED] + at(k->see, SEE_DAMPED);
    if (b->mechanism.rack >= 0)
        sum[SUM_DRIVEN] = sum[SUM_DRIVEN] + at(k->see, SEE_STEERED);
    if (b->at_stored > 0)
        put(dz, b->at_stored, at(k->see, SEE_STORED));
    for (int j = 0; j < 3; j++)
        sum[SUM_IMPULSE + j] = force[j];
    for (int j = 0; j < SUM_MAX; j++)
        put(dz, b->at_sums + j, sum[j]);
    push(b, k, load, &w);
}

// ---- integration -------------------------------------------------------------------------------

static void reach(int count, const block *k, double part, const double *rate, double *out)
{
    const lanes h = lanes_set(part) * lanes_load(k->h);
    for (int s = 0; s < count; s++)
        put(out, s, at(k->z, s) + h * at(rate, s));
}

static void finish(int count, block *k)
{
    const lanes h = lanes_load(k->h) / lanes_set(6.0), two = lanes_set(2.0);
    for (int s = 0; s < count; s++)
        put(k->z, s,
            at(k->z, s) +
                h * (at(k->k[0], s) + two * (at(k->k[1], s) + at(k->k[2], s)) + at(k->k[3], s)));
}

static void largest(int count, const double *a, double out[BLOCK])
{
    lanes max = lanes_set(0.0);
    for (int s = 0; s < count; s++) {
        const lanes value = at(a, s), size = lanes_abs(value);
        max = lanes_select((size > max) | (value != value), size, max);
    }
    lanes_store(out, max);
}

static void add(int count, const bool which[BLOCK], const double *a, double *z)
{
    const lanes_mask mask = {-(long long)which[0], -(long long)which[1], -(long long)which[2],
                             -(long long)which[3]};
    for (int s = 0; s < count; s++)
        put(z, s, lanes_select(mask, at(z, s) + at(a, s), at(z, s)));
}

const block_code LANES_NAME(block_code) = {
    .act = act, .reach = reach, .finish = finish, .largest = largest, .add = add};
