// advance.c - moves cars with powertrain; cuts steps where the equations have a kink.
#include "cars/batch.h"

#include <math.h>
#include <string.h>

enum { SPLITS = 12, PASSES = 5, HALVES_MAX = 16, LIVELY_BIT = 1 << CAR_BLOCK };

static const double INSTANT = 1e-9; // s

// ---- blocks ----

// Room for a block that holds one car eight times.
typedef struct lone_block {
    _Alignas(64) double values[CAR_BLOCK * VALUE_COUNT];
    _Alignas(64) double inputs[CAR_BLOCK * INPUT_COUNT];
    _Alignas(64) double constants[CAR_BLOCK * CONSTANT_COUNT];
    _Alignas(64) double p[CAR_BLOCK * POWERTRAIN_PARAM_MAX];
    _Alignas(64) double held[CAR_BLOCK * POWERTRAIN_HELD_MAX];
    car_kernel kernel;
} lone_block;

static void spread(const double *lane, int count, double *out)
{
    for (int k = 0; k < count; k++) {
        const double value = lane[CAR_BLOCK * k];
#pragma GCC unroll 8
        for (int l = 0; l < CAR_BLOCK; l++)
            out[CAR_BLOCK * k + l] = value;
    }
}

static void set_step(car_kernel *k, double h)
{
    k->h = h;
    k->each = false;
}

// A kernel for one block; held has room for what hold() makes.
static void prepare_kernel(const car_batch *b, const double *inputs, const double *constants,
                           const double *p, double *held, car_kernel *k)
{
    k->roll = b->roll_kernel;
    k->turn = b->turn_kernel;
    k->eval = b->eval;
    k->built_in = b->powertrain->built_in;
    k->states = b->powertrain->state_count;
    k->lateral = b->lateral;
    k->p = p;
    k->hold = b->hold;
    k->held = held;
    k->has_held = false;
    k->kept = NULL;
    k->constants = constants;
    k->inputs = inputs;
    k->road = b->road;
    k->relief = b->relief;
    k->used = (1 << CAR_BLOCK) - 1;
    k->cars = CAR_BLOCK;
}

// values: of car i, value k at [8 k].
static void make_lone(const car_batch *b, int i, const double *values, lone_block *one)
{
    spread(values, VALUE_COUNT, one->values);
    spread(car_inputs(b, i), INPUT_COUNT, one->inputs);
    const int like = b->alike[i / CAR_BLOCK];
    if (b->even[like]) { // any lane has the constants of this car
        prepare_kernel(b, one->inputs, car_constants(b, like * CAR_BLOCK),
                       car_engine_p(b, like * CAR_BLOCK), one->held, &one->kernel);
        return;
    }
    spread(car_constants(b, i), CONSTANT_COUNT, one->constants);
    spread(car_engine_p(b, i), b->powertrain->param_count, one->p);
    prepare_kernel(b, one->inputs, one->constants, one->p, one->held, &one->kernel);
}

// ---- kinks ----

// Finds how far the car of a lone block goes without a change of its equations: eight places at
// once, five times, so to h / 59049. Returns the first place behind the change.
static double find_change(const car_batch *b, lone_block *one, double left)
{
    double trial[CAR_BLOCK * VALUE_COUNT] __attribute__((aligned(64)));
    double calm = 0.0, changed = left;
    for (int pass = 0; pass < PASSES; pass++) {
        const double width = changed - calm;
        one->kernel.each = true;
        for (int l = 0; l < CAR_BLOCK; l++)
            one->kernel.own[l] = calm + width * (l + 1) / (CAR_BLOCK + 1);
        memcpy(trial, one->values, sizeof trial);
        const int broken = b->step_kernel(&one->kernel, one->values, trial);
        int first = 0;
        while (first < CAR_BLOCK && !(broken >> first & 1))
            first++;
        if (first > 0)
            calm = one->kernel.own[first - 1];
        if (first < CAR_BLOCK)
            changed = one->kernel.own[first];
    }
    return changed;
}

static int try_step(const car_batch *b, lone_block *one, double h, double *trial)
{
    set_step(&one->kernel, h);
    memcpy(trial, one->values, sizeof one->values);
    return b->step_kernel(&one->kernel, one->values, trial);
}

// One step of the car of a lone block: halved while its engine is lively, cut at every change of
// its equations. A car that has come to rest stands still exactly.
static void careful_step(const car_batch *b, lone_block *one, double h)
{
    double trial[CAR_BLOCK * VALUE_COUNT] __attribute__((aligned(64)));
    double left = h, longest = h;
    for (int split = 0; left > 0.0;) {
        double part = fmin(left, longest);
        const int found = try_step(b, one, part, trial);
        if (found >= LIVELY_BIT && longest > h / HALVES_MAX) {
            longest = 0.5 * part;
            continue;
        }
        if (found % LIVELY_BIT != 0 && split++ < SPLITS) {
            part = find_change(b, one, part);
            try_step(b, one, part, trial);
        }
        for (int l = 0; l < CAR_BLOCK; l++)
            if (one->kernel.mode[l] * trial[CAR_BLOCK * VALUE_U + l] < 0.0)
                trial[CAR_BLOCK * VALUE_U + l] = 0.0;
        memcpy(one->values, trial, sizeof trial);
        left = part < left ? left - part : 0.0;
    }
}

// ---- ranges ----

static int steps_of(const car_batch *b, int i, double duration)
{
    double longest = b->step < b->limit[i] ? b->step : b->limit[i];
    if (b->lateral != CAR_REPORT) { // at the slowest speed to which it could brake on the way
        const double speed = fabs(car_values(b, i)[CAR_BLOCK * VALUE_U]) - BRAKES_MAX * duration;
        const double from = b->slip[i].from, slip = b->slip[i].time * (speed > from ? speed : from);
        longest = slip < longest ? slip : longest;
    }
    if (duration <= longest)
        return 1;
    // As few equal steps as the longest step allows; a hair of slack so that 20 x 0.0005 is 20.
    return (int)ceil(duration / longest * (1.0 - 1e-12));
}

// Moves car i by itself, cut where a brake command comes through.
static void advance_alone(const car_batch *b, int i, double duration)
{
    lone_block one;
    double *value = car_values(b, i), *input = car_inputs(b, i);
    const double end = input[CAR_BLOCK * INPUT_CLOCK] + duration;
    double left = duration;
    for (bool more = true; more;) {
        car_take_command(b, i);
        double piece = left, until = end;
        more = false;
        if (input[CAR_BLOCK * INPUT_QUEUED] > 0.0) {
            const double due = b->queue[(size_t)i * QUEUE_PLACES].due;
            if (due < end - INSTANT) {
                piece = due - input[CAR_BLOCK * INPUT_CLOCK];
                until = due;
                more = true;
            }
        }
        make_lone(b, i, value, &one);
        const int steps = steps_of(b, i, piece);
        for (int k = 0; k < steps; k++)
            careful_step(b, &one, piece / steps);
        for (int k = 0; k < VALUE_COUNT; k++)
            value[CAR_BLOCK * k] = one.values[CAR_BLOCK * k];
        input[CAR_BLOCK * INPUT_CLOCK] = until;
        left -= piece;
    }
}

// Does the step of car i again from `before`, alone. Seldom, and with much room on the stack.
static __attribute__((noinline)) void
repeat_carefully(const car_batch *b, int i, const double *before, double *values, double h)
{
    lone_block one;
    make_lone(b, i, before, &one);
    careful_step(b, &one, h);
    for (int k = 0; k < VALUE_COUNT; k++)
        values[CAR_BLOCK * k] = one.values[CAR_BLOCK * k];
}

// Has no car of the block a command under way?
static inline bool none_under_way(const double *input)
{
    const double *waiting = input + CAR_BLOCK * INPUT_QUEUED;
    return ((waiting[0] + waiting[1]) + (waiting[2] + waiting[3])) +
               ((waiting[4] + waiting[5]) + (waiting[6] + waiting[7])) ==
           0.0;
}

// Can the block of car `first` be moved as one? Only when no command comes through on the way and
// all take as many steps.
static __attribute__((noinline)) bool look_for_one(const car_batch *b, int first, double duration,
                                                   int *steps)
{
    const double *input = car_inputs(b, first);
    *steps = steps_of(b, first, duration);
    for (int l = 0; l < CAR_BLOCK; l++) {
        if ((b->bound < b->step || b->lateral != CAR_REPORT) &&
            steps_of(b, first + l, duration) != *steps)
            return false;
        if (input[CAR_BLOCK * INPUT_QUEUED + l] > 0.0) {
            car_take_command(b, first + l);
            const double due = b->queue[(size_t)(first + l) * QUEUE_PLACES].due;
            if (input[CAR_BLOCK * INPUT_QUEUED + l] > 0.0 &&
                due < input[CAR_BLOCK * INPUT_CLOCK + l] + duration - INSTANT)
                return false;
        }
    }
    return true;
}

// Are all cars of the block faster than `speed`?
static inline bool all_faster(const double *values, double speed)
{
    const double *u = values + CAR_BLOCK * VALUE_U;
    bool all = true;
    for (int l = 0; l < CAR_BLOCK; l++)
        all &= u[l] > speed;
    return all;
}

typedef struct common_steps { // of every car that is faster than `above`
    int count;                // 0: they differ
    double above;             // m/s; no bicycle slips so quickly that it needs more steps
} common_steps;

static common_steps steps_of_all(const car_batch *b, int first, double duration)
{
    if (b->bound < b->step)
        return (common_steps){0, 0.0};
    if (b->lateral == CAR_REPORT)
        return (common_steps){steps_of(b, first, duration), -HUGE_VAL};
    // A hair faster, so that the rounding of either side does not matter.
    const double above = (duration / b->slip_bound + BRAKES_MAX * duration) * (1.0 + 1e-9);
    return (common_steps){duration <= b->step ? 1 : 0, above};
}

// The same as look_for_one; common: what is known of all.
static inline bool moves_as_one(const car_batch *b, int first, double duration, common_steps common,
                                int *steps)
{
    *steps = common.count;
    return (common.count > 0 && none_under_way(car_inputs(b, first)) &&
            (common.above < 0.0 || all_faster(car_values(b, first), common.above))) ||
           look_for_one(b, first, duration, steps);
}

// Asks for the memory of the block of car `first` ahead of its use.
static void fetch(const car_batch *b, int first)
{
    enum { LINE = 8 }; // doubles
    const double *values = car_values(b, first), *inputs = car_inputs(b, first);
    for (int k = 0; k < VALUE_STEER * CAR_BLOCK; k += LINE) // what all cars need
        __builtin_prefetch(values + k, 1);
    for (int k = 0; k < INPUT_COUNT * CAR_BLOCK; k += LINE)
        __builtin_prefetch(inputs + k, 1);
    if (b->even[first / CAR_BLOCK])
        return; // their constants are those of other cars, too
    const double *constants = car_constants(b, first);
    for (int k = 0; k < CONSTANT_BELOW * CAR_BLOCK; k += LINE)
        __builtin_prefetch(constants + k, 0);
}

typedef struct moving { // a block on its way
    _Alignas(64) double before[CAR_BLOCK * VALUE_COUNT];
    _Alignas(64) double held[CAR_BLOCK * POWERTRAIN_HELD_MAX];
    double *values, *inputs;
    car_kernel kernel;
} moving;

static inline void begin_block(const car_batch *b, int first, double h, moving *m)
{
    m->values = car_values(b, first);
    m->inputs = car_inputs(b, first);
    prepare_kernel(b, m->inputs, car_constants(b, first), car_engine_p(b, first), m->held,
                   &m->kernel);
    set_step(&m->kernel, h);
    const int left = b->base.count - first;
    if (left < CAR_BLOCK) { // unused places stand still
        m->kernel.used = (1 << left) - 1;
        m->kernel.cars = left;
    }
    m->kernel.kept = m->before;
}

static inline void after_step(const car_batch *b, int first, int found, double h, moving *m)
{
    for (int l = 0; found != 0 && l < CAR_BLOCK; l++)
        if ((found | found >> CAR_BLOCK) >> l & 1)
            repeat_carefully(b, first + l, m->before + l, m->values + l, h);
}

static inline void end_block(double duration, moving *m)
{
    double *clock = m->inputs + CAR_BLOCK * INPUT_CLOCK;
    for (int l = 0; l < CAR_BLOCK; l++)
        clock[l] += duration;
}

static void advance_block(const car_batch *b, int first, double duration, int steps)
{
    moving m;
    const double h = duration / steps;
    begin_block(b, first, h, &m);
    for (int k = 0; k < steps; k++)
        after_step(b, first, b->step_kernel(&m.kernel, m.values, m.values), h, &m);
    end_block(duration, &m);
}

// ---- bicycles ----

// Few cars turn at a time, and a block that has one of them would not roll. So these are taken out
// of their blocks and moved together; every car has the same bits in any company.
typedef struct gathered {
    lone_block block; // of up to eight different cars
    _Alignas(64) double before[CAR_BLOCK * VALUE_COUNT];
    int who[CAR_BLOCK], count;
    double h; // s, step of all
} gathered;

static void copy_lane(const double *from, int count, double *to)
{
    for (int k = 0; k < count; k++)
        to[CAR_BLOCK * k] = from[CAR_BLOCK * k];
}

// All values of a car; unrolled, since every car that turns goes this way twice per step.
static inline void copy_values(const double *from, double *to)
{
#pragma GCC unroll 32
    for (int k = 0; k < VALUE_COUNT; k++)
        to[CAR_BLOCK * k] = from[CAR_BLOCK * k];
}

// What a step reads and writes of a car that turns.
static void put_lane(const car_batch *b, int i, lone_block *to, int n)
{
    static const int held[] = {INPUT_THROTTLE, INPUT_STEER, INPUT_COMMAND};
    const double *inputs = car_inputs(b, i);
    copy_values(car_values(b, i), to->values + n);
    for (size_t k = 0; k < sizeof held / sizeof held[0]; k++)
        to->inputs[CAR_BLOCK * held[k] + n] = inputs[CAR_BLOCK * held[k]];
}

// Constants and parameters of gathered cars: those of one block if all are like its cars.
static void prepare_gathered(const car_batch *b, gathered *g)
{
    lone_block *to = &g->block;
    const int like = b->alike[g->who[0] / CAR_BLOCK];
    bool same = b->even[like];
    for (int n = 1; n < g->count; n++)
        same = same && b->alike[g->who[n] / CAR_BLOCK] == like;
    if (same) {
        prepare_kernel(b, to->inputs, car_constants(b, like * CAR_BLOCK),
                       car_engine_p(b, like * CAR_BLOCK), to->held, &to->kernel);
        return;
    }
    for (int n = 0; n < CAR_BLOCK; n++) {
        const int i = g->who[n < g->count ? n : 0];
        copy_lane(car_constants(b, i), CONSTANT_COUNT, to->constants + n);
        copy_lane(car_engine_p(b, i), b->powertrain->param_count, to->p + n);
    }
    prepare_kernel(b, to->inputs, to->constants, to->p, to->held, &to->kernel);
}

static void move_gathered(const car_batch *b, gathered *g)
{
    lone_block *to = &g->block;
    if (g->count == 0)
        return;
    for (int n = g->count; n < CAR_BLOCK; n++) // no place is undefined
        put_lane(b, g->who[0], to, n);
    prepare_gathered(b, g);
    set_step(&to->kernel, g->h);
    to->kernel.used = (1 << g->count) - 1;
    to->kernel.cars = g->count;
    to->kernel.kept = g->before;
    const int found = b->step_kernel(&to->kernel, to->values, to->values);
    for (int n = 0; n < g->count; n++) {
        if ((found | found >> CAR_BLOCK) >> n & 1)
            repeat_carefully(b, g->who[n], g->before + n, to->values + n, g->h);
        copy_values(to->values + n, car_values(b, g->who[n]));
    }
    g->count = 0;
}

// One step of a block of bicycles: those that roll at once, the others when eight are together.
static void advance_bicycles(const car_batch *b, int first, double h, gathered *g)
{
    enum { MANY = 6 }; // to take them out and put them back would cost more
    moving m;
    begin_block(b, first, h, &m);
    const int busy = b->busy(&m.kernel, m.values);
    if (busy == 0 || __builtin_popcount((unsigned)busy) >= MANY) {
        after_step(b, first, b->step_kernel(&m.kernel, m.values, m.values), h, &m);
        end_block(h, &m);
        return;
    }
    int taken[CAR_BLOCK], count = 0;
    for (int l = 0; l < CAR_BLOCK; l++)
        if (busy >> l & 1)
            taken[count++] = first + l;
    if (g->count + count > CAR_BLOCK || g->h != h)
        move_gathered(b, g);
    g->h = h;
    for (int n = 0; n < count; n++) {
        put_lane(b, taken[n], &g->block, g->count);
        g->who[g->count++] = taken[n];
    }
    m.kernel.used &= ~busy;
    const int found = b->roll_kernel(&m.kernel, m.values, m.values);
    after_step(b, first, found & (m.kernel.used | m.kernel.used << CAR_BLOCK), h, &m);
    end_block(h, &m);
}

// ---- all ----

// The last whole block and the few cars behind it: alone these would take nearly as long as it.
static void advance_two(const car_batch *b, int first, double duration, int steps)
{
    moving m[2];
    const double h = duration / steps;
    begin_block(b, first, h, &m[0]);
    begin_block(b, first + CAR_BLOCK, h, &m[1]);
    for (int k = 0; k < steps; k++) {
        int found[2];
        b->step_two(&m[0].kernel, m[0].values, &m[1].kernel, m[1].values, found);
        after_step(b, first, found[0], h, &m[0]);
        after_step(b, first + CAR_BLOCK, found[1], h, &m[1]);
    }
    end_block(duration, &m[0]);
    end_block(duration, &m[1]);
}

void car_advance(mc_batch *batch, int first, int count, double duration)
{
    enum { FEW = 64, AHEAD = 2 * CAR_BLOCK }; // cars that stay in the nearest cache; on their way
    const car_batch *b = car_look(batch);
    if (count <= 0 || duration <= 0.0)
        return;
    const int end = first + count;
    gathered few;
    few.count = 0;
    few.h = duration;
    const common_steps common = steps_of_all(b, first, duration);
    for (int i = first; i < end;) {
        // The unused places of the last block belong to no car: a range that ends the batch takes
        // them.
        const bool whole = i % CAR_BLOCK == 0 && (i + CAR_BLOCK <= end || end == batch->count);
        int steps;
        if (whole && b->places > FEW && i + AHEAD < b->places)
            fetch(b, i + AHEAD);
        const int rest = end - i - CAR_BLOCK;
        int steps_rest;
        const bool one = whole && moves_as_one(b, i, duration, common, &steps);
        if (one && end == batch->count && rest > 0 && rest <= CAR_BLOCK / 2 &&
            moves_as_one(b, i + CAR_BLOCK, duration, common, &steps_rest) && steps == steps_rest) {
            advance_two(b, i, duration, steps);
            i += 2 * CAR_BLOCK;
        } else if (one && steps == 1 && b->lateral != CAR_REPORT) {
            advance_bicycles(b, i, duration, &few);
            i += CAR_BLOCK;
        } else if (one) {
            advance_block(b, i, duration, steps);
            i += CAR_BLOCK;
        } else {
            advance_alone(b, i, duration);
            i++;
        }
    }
    move_gathered(b, &few);
}

void car_rates(const car_batch *b, int i, double *u_rate, double *w_rate)
{
    lone_block one;
    double trial[CAR_BLOCK * VALUE_COUNT] __attribute__((aligned(64)));
    make_lone(b, i, car_values(b, i), &one);
    set_step(&one.kernel, 0.0);
    one.kernel.side[0] = 0.0;
    memcpy(trial, one.values, sizeof trial);
    b->step_kernel(&one.kernel, one.values, trial);
    *u_rate = trial[CAR_BLOCK * VALUE_A];
    *w_rate = one.kernel.side[0];
}
