// turn_lanes.c - one step of bicycles that turn, at speeds where nothing of them is kinematic;
// Runge-Kutta of order four.
//
// As roll_lanes.c is for cars that drive straight ahead: the powertrain is built into the step, and
// what is left out is exactly 0 or 1 in the step of step_lanes.c on a level road, below the top
// speed and without a grip limit, so the bits are the same.
#include "cars/block_lanes.h"
#include "cars/lateral_lanes.h"
#include "parts/powertrain_built_in.h"
#include "parts/steering.h"

typedef struct turn { // x, y, psi, u, w, r, brake force, engine speed
    lanes x, y, psi, u, w, r, fb, n;
} turn;

typedef struct turn_sums {
    lanes driven, braked, dragged, fuel, distance, slipped;
} turn_sums;

typedef struct turning { // four cars
    turn start, rate, sum;
    turn_sums sums;
    lanes h, mass_inverse;
    lanes angle[3], sine[3], cosine[3]; // of the wheels, at the start, in the middle, at the end
    lanes held[BUILT_IN_HELD];
    lanes region, outer, inner; // see step_lanes.c
    lanes_mask changed;
} turning;

// ---- steering ----

// Angles of four cars one by one, as step_lanes.c does.
static void steer_singly(const car_kernel *k, int g, lanes now, lanes command, lanes h,
                         lanes angle[3])
{
    for (int l = 0; l < LANES; l++) {
        const int at = LANES * g + l;
        const steering s = {k->constants[CAR_BLOCK * CONSTANT_STEER_LAG + at],
                            k->constants[CAR_BLOCK * CONSTANT_STEER_RATE + at],
                            k->constants[CAR_BLOCK * CONSTANT_STEER_MAX + at]};
        double over[3] = {now[l], now[l], now[l]};
        const double to = steering_command(&s, command[l]);
        if (now[l] != to)
            steering_over(&s, now[l], to, h[l], over);
        angle[0][l] = over[0], angle[1][l] = over[1], angle[2][l] = over[2];
    }
}

// Angles over the step. Wheels that lag alike and are below their maximum rate, as nearly always,
// share the exponential function.
INLINE void steer_four(const car_kernel *k, int g, lanes now, lanes h, lanes angle[3])
{
    const lanes max = constant(k, CONSTANT_STEER_MAX, g), lag = constant(k, CONSTANT_STEER_LAG, g);
    const lanes linear = constant(k, CONSTANT_STEER_RATE, g) * lag;
    const lanes command = input(k, INPUT_STEER, g), to = lanes_min(lanes_max(command, -max), max);
    const lanes error = to - now, size = lanes_abs(error);
    if (k->each || !(lag[0] > 0.0) ||
        bits((lanes_mask)(lag != lanes_set(lag[0])) | (lanes_mask)(size > linear))) {
        steer_singly(k, g, now, command, h, angle);
        return;
    }
    const lanes_mask left = (lanes_mask)(error < lanes_set(0.0));
    const double fade[2] = {exp(-(0.5 * k->h) / lag[0]), exp(-k->h / lag[0])};
    angle[0] = now;
    for (int n = 0; n < 2; n++) {
        const lanes rest = size * lanes_set(fade[n]);
        const lanes at = to - lanes_select(left, -rest, rest);
        angle[n + 1] = lanes_select((lanes_mask)(rest < lanes_set(1e-12)), to, at);
    }
}

// ---- a step ----

INLINE void begin(const car_kernel *k, int g, const double *from, turning *f)
{
    const lanes zero = lanes_set(0.0);
    built_in_hold(k->p, CAR_BLOCK, LANES * g, input(k, INPUT_THROTTLE, g), f->held);
    f->start =
        (turn){value(from, VALUE_X, g),     value(from, VALUE_Y, g),     value(from, VALUE_PSI, g),
               value(from, VALUE_U, g),     value(from, VALUE_W, g),     value(from, VALUE_R, g),
               value(from, VALUE_FORCE, g), value(from, VALUE_ENGINE, g)};
    f->sum = (turn){zero, zero, zero, zero, zero, zero, zero, zero};
    f->sums = (turn_sums){zero, zero, zero, zero, zero, zero};
    f->outer = f->inner = zero;
    f->h = step_length(k, g);
    f->mass_inverse = constant(k, CONSTANT_MASS_INVERSE, g);
    steer_four(k, g, value(from, VALUE_STEER, g), f->h, f->angle);
    for (int n = 0; n < 3; n++)
        lanes_sincos(f->angle[n], &f->sine[n], &f->cosine[n]);
}

// State at a stage: start + part h rate.
INLINE turn stage_of(const turning *f, lanes part)
{
    return (turn){
        lanes_fma(part, f->rate.x, f->start.x),     lanes_fma(part, f->rate.y, f->start.y),
        lanes_fma(part, f->rate.psi, f->start.psi), lanes_fma(part, f->rate.u, f->start.u),
        lanes_fma(part, f->rate.w, f->start.w),     lanes_fma(part, f->rate.r, f->start.r),
        lanes_fma(part, f->rate.fb, f->start.fb),   lanes_fma(part, f->rate.n, f->start.n)};
}

INLINE void add(turning *f, lanes w)
{
    f->sum.x = lanes_fma(w, f->rate.x, f->sum.x);
    f->sum.y = lanes_fma(w, f->rate.y, f->sum.y);
    f->sum.psi = lanes_fma(w, f->rate.psi, f->sum.psi);
    f->sum.u = lanes_fma(w, f->rate.u, f->sum.u);
    f->sum.w = lanes_fma(w, f->rate.w, f->sum.w);
    f->sum.r = lanes_fma(w, f->rate.r, f->sum.r);
    f->sum.fb = lanes_fma(w, f->rate.fb, f->sum.fb);
    f->sum.n = lanes_fma(w, f->rate.n, f->sum.n);
}

INLINE lateral_car bicycle_at(const car_kernel *k, int g, const turning *f, int at, const turn *s,
                              lanes a, const bool single)
{
    const lanes mass = constant(k, CONSTANT_MASS, g);
    lateral_car c = {.u = s->u,
                     .w = s->w,
                     .r = s->r,
                     .steer = f->angle[at],
                     .sine = f->sine[at],
                     .cosine = f->cosine[at],
                     .front = constant(k, CONSTANT_FRONT, g),
                     .rear = constant(k, CONSTANT_REAR, g),
                     .mass_inverse = f->mass_inverse,
                     .inertia_inverse = constant(k, CONSTANT_INERTIA_INVERSE, g),
                     .c_front = constant(k, CONSTANT_AXLE_FRONT, g),
                     .c_rear = constant(k, CONSTANT_AXLE_REAR, g),
                     .below = constant(k, CONSTANT_BELOW, g)};
    if (single) {
        c.lean = a * constant(k, CONSTANT_CG_HEIGHT, g) * lanes_set(1.0 / GRAVITY);
        c.weight = mass * lanes_set(GRAVITY);
    }
    return c;
}

// Energy totals at a stage; what the tyres took is work put in less what the motion gained.
INLINE void book(const car_kernel *k, int g, turning *f, const turn *s, const built_in_out *engine,
                 lanes drag, lanes force, lanes speed, lanes w)
{
    const lanes zero = lanes_set(0.0);
    f->sums.driven = lanes_fma(w * engine->force, speed, f->sums.driven);
    f->sums.braked = lanes_fma(w * s->fb, speed, f->sums.braked);
    f->sums.dragged = lanes_fma(w * drag, speed, f->sums.dragged);
    f->sums.fuel = lanes_fma(w, engine->fuel, f->sums.fuel);
    f->sums.distance = lanes_fma(w, lanes_abs(s->u), f->sums.distance);
    const lanes moved = lanes_fma(s->u, f->rate.u, s->w * f->rate.w);
    const lanes gained = lanes_fma(constant(k, CONSTANT_MASS, g), moved,
                                   constant(k, CONSTANT_INERTIA, g) * s->r * f->rate.r);
    const lanes_mask slips = (lanes_mask)(s->w != zero) | (lanes_mask)(s->r != zero) |
                             (lanes_mask)(f->angle[0] != zero) | (lanes_mask)(f->angle[2] != zero);
    const lanes lost = lanes_select(slips, force * speed - gained, zero);
    f->sums.slipped = lanes_fma(w, lanes_max(lost, zero), f->sums.slipped);
    f->sums.driven = lanes_fma(w, lanes_max(-lost, zero), f->sums.driven);
}

INLINE void rates(const car_kernel *k, int g, turning *f, int stage, const turn *s, lanes w,
                  const car_lateral form)
{
    const bool linear = form != CAR_EXACT, single = form == CAR_SINGLE_TRACK;
    built_in_out engine;
    built_in_eval(k->p, CAR_BLOCK, LANES * g, f->held, s->u, &s->n, stage == 0 || stage == 3,
                  &engine);
    const lanes drag =
        lanes_fma(lanes_fma(constant(k, CONSTANT_DRAG_2, g), s->u, constant(k, CONSTANT_DRAG_1, g)),
                  s->u, constant(k, CONSTANT_DRAG_0, g));
    const lanes force = engine.force - s->fb - drag, a = force * f->mass_inverse;
    const lateral_car c = bicycle_at(k, g, f, (stage + 1) / 2, s, a, single);
    const lateral_forces tyres = linear ? forces_linear(&c, single) : forces_exact(&c);
    const lateral_rates o = lateral_rates_of(&c, &tyres, lanes_set(1.0), linear, true);
    lanes sine, cosine, u, side, r;
    lanes_sincos(s->psi, &sine, &cosine);
    lateral_join(&c, &o, a, lanes_set(0.0), lanes_set(0.0), lanes_set(1.0), true, &u, &side, &r);
    f->rate = (turn){s->u * cosine - s->w * sine,
                     s->u * sine + s->w * cosine,
                     s->r,
                     u,
                     side,
                     r,
                     constant(k, CONSTANT_BRAKE_RATE, g) * (input(k, INPUT_COMMAND, g) - s->fb),
                     engine.rate[0]};
    book(k, g, f, s, &engine, drag, force, linear ? tyres.speed : s->u, w);
    if (stage == 0)
        f->region = engine.region;
    else if (stage == 3)
        f->changed = (lanes_mask)(f->region != engine.region);
    const lanes spin = engine.rate[0];
    f->outer = stage == 0 || stage == 3 ? f->outer + spin : f->outer - spin;
    if (stage == 1)
        f->inner = f->inner - spin;
    else if (stage == 2)
        f->inner = f->inner + spin;
}

// Writes the end of the step; says which cars it does not hold for.
INLINE int end(car_kernel *k, int g, const double *from, double *to, const turning *f)
{
    const lanes h = f->h, zero = lanes_set(0.0);
    const lanes u = lanes_fma(h, f->sum.u, f->start.u);
    const lanes w = settled(lanes_fma(h, f->sum.w, f->start.w), 1e-13);
    const lanes r = settled(lanes_fma(h, f->sum.r, f->start.r), 1e-13);
    const lanes psi = lanes_fma(h, f->sum.psi, f->start.psi);
    const lanes_mask turns =
        (lanes_mask)(w != zero) | (lanes_mask)(r != zero) | (lanes_mask)(f->angle[2] != zero);
    put(to, VALUE_X, g, lanes_fma(h, f->sum.x, f->start.x));
    put(to, VALUE_Y, g, lanes_fma(h, f->sum.y, f->start.y));
    put(to, VALUE_PSI, g, lanes_select(turns, psi, settled(psi, STRAIGHT_AHEAD)));
    put(to, VALUE_U, g, u);
    put(to, VALUE_W, g, w);
    put(to, VALUE_R, g, r);
    put(to, VALUE_FORCE, g, settled(lanes_fma(h, f->sum.fb, f->start.fb), 1e-9));
    put(to, VALUE_ENGINE, g, lanes_fma(h, f->sum.n, f->start.n));
    put(to, VALUE_A, g, f->rate.u);
    put(to, VALUE_STEER, g, f->angle[2]);
    put_sum(from, to, VALUE_SLIPPED, g, h, f->sums.slipped);
    put_sum(from, to, VALUE_DRIVEN, g, h, f->sums.driven);
    put_sum(from, to, VALUE_BRAKED, g, h, f->sums.braked);
    put_sum(from, to, VALUE_DRAGGED, g, h, f->sums.dragged);
    put_sum(from, to, VALUE_FUEL, g, h, f->sums.fuel);
    put_sum(from, to, VALUE_DISTANCE, g, h, f->sums.distance);
    lanes_store(k->side + LANES * g, f->rate.w);
    lanes_store(k->mode + LANES * g, lanes_set(1.0));
    const lanes bend = lanes_max(lanes_abs(f->outer), lanes_abs(f->inner));
    const lanes_mask broken = f->changed | (lanes_mask)(u <= lanes_set(SLOW));
    return bits(broken) | bits((lanes_mask)(bend * h > lanes_set(LIVELY))) << CAR_BLOCK;
}

INLINE int step(car_kernel *k, const double *from, double *to, const car_lateral form)
{
    static const double part[4] = {0.0, 0.5, 0.5, 1.0};
    static const double weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    const int wide = k->used >> LANES ? WIDE : 1;
    int found = 0;
#pragma GCC unroll 1
    for (int g = 0; g < wide; g++) {
        turning f;
        begin(k, g, from, &f);
#pragma GCC unroll 4
        for (int stage = 0; stage < 4; stage++) {
            const turn s = stage == 0 ? f.start : stage_of(&f, lanes_set(part[stage]) * f.h);
            rates(k, g, &f, stage, &s, lanes_set(weight[stage]), form);
            add(&f, lanes_set(weight[stage]));
        }
        found |= end(k, g, from, to, &f) << (LANES * g);
    }
    return found;
}

int LANES_NAME(car_turn)(car_kernel *k, const double *from, double *to)
{
    if (k->kept)
        memcpy(k->kept, from, sizeof(double) * CAR_BLOCK * VALUE_COUNT);
    return k->lateral == CAR_EXACT     ? step(k, from, to, CAR_EXACT)
           : k->lateral == CAR_PRINTED ? step(k, from, to, CAR_PRINTED)
                                       : step(k, from, to, CAR_SINGLE_TRACK);
}
