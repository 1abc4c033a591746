// roll_lanes.c - one step of cars that drive straight ahead; Runge-Kutta of order four.
//
// Most cars are on a level road, faster than 2 m/s, below their top speed and without a grip limit.
// What is left out here is exactly 0 or 1 in the step of step_lanes.c, so the bits are the same.
//
// The powertrain of most cars is built into the step, so that a stage stays in registers. Other
// kinds are called through arrays.
#include "cars/block_lanes.h"
#include "parts/powertrain_built_in.h"

typedef struct rolling { // four cars
    lanes h, u, fb;      // at the start
    lanes v, brake;      // at a stage
    lanes rate, fb_rate;
    lanes engine[POWERTRAIN_STATE_MAX], engine_rate[POWERTRAIN_STATE_MAX];
    lanes drive, fuel, region; // of the powertrain at a stage
    lanes sum, fb_sum, x_sum, engine_sum[POWERTRAIN_STATE_MAX];
    lanes driven, braked, dragged, fuel_sum;
    lanes outer, inner; // see step_lanes.c
    lanes first_region;
    lanes held[BUILT_IN_HELD];
} rolling;

// The sum of the stages so far and this one.
INLINE lanes add(int stage, lanes w, lanes a, lanes sum)
{
    return stage == 0 ? w * a : lanes_fma(w, a, sum);
}

// ---- powertrains ----

INLINE void ask_built_in(const car_kernel *k, int first, rolling *f, int wide, bool edge)
{
    for (int g = first; g < first + wide; g++, f++) {
        built_in_out out;
        built_in_eval(k->p, CAR_BLOCK, LANES * g, f->held, f->v, f->engine, edge, &out);
        for (int n = 0; n < BUILT_IN_STATES; n++)
            f->engine_rate[n] = out.rate[n];
        f->drive = out.force;
        f->fuel = out.fuel;
        f->region = out.region;
    }
}

INLINE void ask_other(const car_kernel *k, rolling *f, int wide, int states, bool edge)
{
    _Alignas(64) double x[CAR_BLOCK * POWERTRAIN_STATE_MAX] = {0.0};
    _Alignas(64) double dx[CAR_BLOCK * POWERTRAIN_STATE_MAX];
    _Alignas(64) double v[CAR_BLOCK], drive[CAR_BLOCK], fuel[CAR_BLOCK], region[CAR_BLOCK];
    const powertrain_in in = {.v = v, .held = k->held};
    const powertrain_out out = {.force = drive, .fuel = fuel, .region = edge ? region : NULL};
    for (int g = 0; g < wide; g++) {
        lanes_store(v + LANES * g, f[g].v);
        for (int n = 0; n < states; n++)
            put(x, n, g, f[g].engine[n]);
    }
    k->eval(k->p, CAR_BLOCK, &in, x, dx, &out);
    for (int g = 0; g < wide; g++) {
        f[g].drive = lanes_load(drive + LANES * g);
        f[g].fuel = lanes_load(fuel + LANES * g);
        if (edge)
            f[g].region = lanes_load(region + LANES * g);
        for (int n = 0; n < states; n++)
            f[g].engine_rate[n] = value(dx, n, g);
    }
}

// ---- a step ----

static const double part[4] = {0.0, 0.5, 0.5, 1.0}; // of the step, up to a stage
static const double weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};

INLINE void begin(const car_kernel *k, int g, const double *from, rolling *f, bool built_in)
{
    if (built_in)
        built_in_hold(k->p, CAR_BLOCK, LANES * g, input(k, INPUT_THROTTLE, g), f->held);
    f->h = step_length(k, g);
    f->u = value(from, VALUE_U, g);
    f->fb = value(from, VALUE_FORCE, g);
}

// State at a stage: start + part h rate.
INLINE void stage_of(rolling *f, const double *from, int g, int stage, int states)
{
    const lanes along = lanes_set(part[stage]) * f->h;
    f->v = stage == 0 ? f->u : lanes_fma(along, f->rate, f->u);
    f->brake = stage == 0 ? f->fb : lanes_fma(along, f->fb_rate, f->fb);
    for (int n = 0; n < states; n++) {
        const lanes start = value(from, VALUE_ENGINE + n, g);
        f->engine[n] = stage == 0 ? start : lanes_fma(along, f->engine_rate[n], start);
    }
}

// Rates at a stage, into the sums.
INLINE void rates(const car_kernel *k, int g, rolling *f, int stage, int states)
{
    const lanes w = lanes_set(weight[stage]), v = f->v, spin = f->engine_rate[0];
    const lanes drag =
        lanes_fma(lanes_fma(constant(k, CONSTANT_DRAG_2, g), v, constant(k, CONSTANT_DRAG_1, g)), v,
                  constant(k, CONSTANT_DRAG_0, g));
    f->rate = (f->drive - f->brake - drag) * constant(k, CONSTANT_MASS_INVERSE, g);
    f->fb_rate = constant(k, CONSTANT_BRAKE_RATE, g) * (input(k, INPUT_COMMAND, g) - f->brake);
    f->sum = add(stage, w, f->rate, f->sum);
    f->fb_sum = add(stage, w, f->fb_rate, f->fb_sum);
    f->x_sum = add(stage, w, v, f->x_sum);
    f->driven = add(stage, w * f->drive, v, f->driven);
    f->braked = add(stage, w * f->brake, v, f->braked);
    f->dragged = add(stage, w * drag, v, f->dragged);
    f->fuel_sum = add(stage, w, f->fuel, f->fuel_sum);
    for (int n = 0; n < states; n++)
        f->engine_sum[n] = add(stage, w, f->engine_rate[n], f->engine_sum[n]);
    f->outer = stage == 0 ? spin : stage == 3 ? f->outer + spin : f->outer - spin;
    if (stage == 0)
        f->first_region = f->region;
    else if (stage == 1)
        f->inner = -spin;
    else if (stage == 2)
        f->inner = f->inner + spin;
}

// Keeps what the end of the step writes over.
INLINE void keep(const double *from, double *kept, int g, int states)
{
    static const int rows[] = {VALUE_X,       VALUE_U,      VALUE_FORCE,
                               VALUE_A,       VALUE_DRIVEN, VALUE_BRAKED,
                               VALUE_DRAGGED, VALUE_FUEL,   VALUE_DISTANCE};
#pragma GCC unroll 9
    for (int n = 0; n < (int)(sizeof rows / sizeof rows[0]); n++)
        put(kept, rows[n], g, value(from, rows[n], g));
    for (int n = 0; n < states; n++)
        put(kept, VALUE_ENGINE + n, g, value(from, VALUE_ENGINE + n, g));
}

// The rest of a block, of which keep() took what was written over.
static void keep_rest(const double *from, double *kept, int states)
{
    static const int rows[] = {VALUE_Y,       VALUE_PSI,   VALUE_W,       VALUE_R,
                               VALUE_SLIPPED, VALUE_STEER, VALUE_STATION, VALUE_PATH};
    for (int g = 0; g < WIDE; g++) {
        for (int n = 0; n < (int)(sizeof rows / sizeof rows[0]); n++)
            put(kept, rows[n], g, value(from, rows[n], g));
        for (int n = states; n < POWERTRAIN_STATE_MAX; n++)
            put(kept, VALUE_ENGINE + n, g, value(from, VALUE_ENGINE + n, g));
    }
}

// Writes the end of the step; says which cars it does not hold for.
INLINE int end(car_kernel *k, int g, const double *from, double *to, const rolling *f, int states)
{
    const lanes h = f->h, u = lanes_fma(h, f->sum, f->u);
    if (k->kept)
        keep(from, k->kept, g, states);
    put(to, VALUE_U, g, u);
    put(to, VALUE_A, g, f->rate);
    put(to, VALUE_FORCE, g, settled(lanes_fma(h, f->fb_sum, f->fb), 1e-9));
    put_sum(from, to, VALUE_X, g, h, f->x_sum);
    put_sum(from, to, VALUE_DISTANCE, g, h, f->x_sum);
    put_sum(from, to, VALUE_DRIVEN, g, h, f->driven);
    put_sum(from, to, VALUE_BRAKED, g, h, f->braked);
    put_sum(from, to, VALUE_DRAGGED, g, h, f->dragged);
    put_sum(from, to, VALUE_FUEL, g, h, f->fuel_sum);
    for (int n = 0; n < states; n++)
        put_sum(from, to, VALUE_ENGINE + n, g, h, f->engine_sum[n]);
    lanes_store(k->mode + LANES * g, lanes_set(1.0));
    const lanes bend = lanes_max(lanes_abs(f->outer), lanes_abs(f->inner));
    const lanes_mask broken =
        (lanes_mask)(f->region != f->first_region) | (lanes_mask)(u <= lanes_set(SLOW));
    return bits(broken) | bits((lanes_mask)(bend * h > lanes_set(LIVELY))) << CAR_BLOCK;
}

INLINE int step(car_kernel *k, const double *from, double *to, const int wide, const bool built_in)
{
    const int states = built_in ? BUILT_IN_STATES : k->states;
    rolling f[WIDE] = {{.h = lanes_set(0.0)}};
    for (int g = 0; g < wide; g++)
        begin(k, g, from, &f[g], built_in);
#pragma GCC unroll 4
    for (int stage = 0; stage < 4; stage++) {
        const bool edge = stage == 0 || stage == 3; // regions are compared from end to end
        for (int g = 0; g < wide; g++)
            stage_of(&f[g], from, g, stage, states);
        if (built_in)
            ask_built_in(k, 0, f, wide, edge);
        else
            ask_other(k, f, wide, states, edge);
        for (int g = 0; g < wide; g++)
            rates(k, g, &f[g], stage, states);
    }
    int found = 0;
    for (int g = 0; g < wide; g++)
        found |= end(k, g, from, to, &f[g], states) << (LANES * g);
    return found;
}

#if !defined LANES_WIDE
// Each instruction of a small batch is used once per step, so the fours are processed in a loop:
// code size matters, since the code must be fetched again each time. Three fours are enough to keep
// the processor busy during the dependency chain of one of them.
void LANES_NAME(car_roll_two)(car_kernel *k, double *values, car_kernel *more, double *more_values,
                              int found[2])
{
    enum { FOURS = 3 };
    car_kernel second; // the second four of the whole block as the first of another
    second.p = k->p + LANES;
    second.constants = k->constants + LANES;
    second.inputs = k->inputs + LANES;
    second.kept = k->kept + LANES;
    second.h = k->h;
    second.cars = k->cars - LANES;
    second.each = false;
    car_kernel *const kernel[FOURS] = {k, &second, more};
    double *const four[FOURS] = {values, values + LANES, more_values};
    rolling f[FOURS];
#pragma GCC unroll 1
    for (int i = 0; i < FOURS; i++)
        begin(kernel[i], 0, four[i], &f[i], true);
#pragma GCC unroll 4
    for (int stage = 0; stage < 4; stage++) {
        const bool edge = stage == 0 || stage == 3;
#pragma GCC unroll 1
        for (int i = 0; i < FOURS; i++) {
            stage_of(&f[i], four[i], 0, stage, BUILT_IN_STATES);
            ask_built_in(kernel[i], 0, &f[i], 1, edge);
            rates(kernel[i], 0, &f[i], stage, BUILT_IN_STATES);
        }
    }
    int answer[FOURS];
#pragma GCC unroll 1
    for (int i = 0; i < FOURS; i++)
        answer[i] = end(kernel[i], 0, four[i], four[i], &f[i], BUILT_IN_STATES);
    found[0] = answer[0] | answer[1] << LANES;
    found[1] = answer[2];
    if (found[0])
        keep_rest(values, k->kept, BUILT_IN_STATES);
    if (found[1])
        keep_rest(more_values, more->kept, BUILT_IN_STATES);
}
#endif

int LANES_NAME(car_roll)(car_kernel *k, const double *from, double *to)
{
    if (!k->built_in)
        car_kernel_hold(k);
    const int found = !k->built_in       ? step(k, from, to, WIDE, false)
                      : k->used >> LANES ? step(k, from, to, WIDE, true)
                                         : step(k, from, to, 1, true);
    if (found && k->kept)
        keep_rest(from, k->kept, k->states);
    return found;
}
