// car.c - parameters of cars; making and placing a batch.
#include "cars/batch.h"

#include "base/assert.h"
#include "base/pages.h"
#include "base/wide.h"
#include "parts/brake.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const mc_param car_params[CAR_PARAM_COUNT] = {
    [CAR_MASS] = {"mass", "kg", 1839.317, 100.0, 1e5, "true mass"},
    [CAR_LENGTH] = {"length", "m", 5.5626, 0.5, 30.0, "bumper to bumper"},
    [CAR_WIDTH] = {"width", "m", 1.9558, 0.3, 5.0, "overall width"},
    [CAR_HEIGHT] = {"height", "m", 1.44, 0.3, 5.0, "overall height"},
    [CAR_YAW_INERTIA] = {"yaw_inertia", "kg m^2", 3400.0, 10.0, 1e6, "about the vertical axis"},
    [CAR_LAG] = {"lag", "s", 0.0, 0.0, 10.0,
                 "point car: time constant of the response to the desired acceleration; 0: none"},
    [CAR_ACCELERATION_MAX] = {"max_acceleration", "g", 0.6, 0.01, 5.0,
                              "maximum acceleration a controller may command"},
    [CAR_BRAKE_MAX] = BRAKE_MAX_ROW(0.8, 0.01),
    [CAR_DECELERATION_MAX] = {"max_deceleration", "g", 5.0, 0.01, 5.0,
                              "maximum deceleration a controller may command, at most max_brake"},
    [CAR_SPEED_MAX] = {"max_speed", "m/s", 67.056, 1.0, 200.0,
                       "top speed: the engine is cut over the last 0.5 m/s"},
    [CAR_NOMINAL_MASS] = {"nominal_mass", "kg", NAN, 100.0, 1e5,
                          "mass assumed by the manufacturer; default: the true mass at the start"},
    [CAR_FRONT] = {"front", "m", 1.43, 0.1, 15.0, "mass centre to front axle"},
    [CAR_REAR] = {"rear", "m", 1.55, 0.1, 15.0, "mass centre to rear axle"},
    [CAR_CORNERING] = {"cornering", "N/rad", 45000.0, 100.0, 1e6,
                       "cornering stiffness of one tyre; an axle has two"},
    [CAR_GRIP] = {"grip", "-", 0.0, 0.0, 5.0,
                  "maximum horizontal force over weight on a road of friction 1; 0: no limit"},
    [CAR_DRAG_0] = {"drag_0", "N", 22.46, 0.0, 1e5, "drag = drag_0 + drag_1 V + drag_2 V^2"},
    [CAR_DRAG_1] = {"drag_1", "N s/m", 2.146, 0.0, 1e4, "linear in speed"},
    [CAR_DRAG_2] = {"drag_2", "N s^2/m^2", 0.5067, 0.0, 1e3, "aerodynamic drag"},
    [CAR_DRAG_CONTINUOUS] = {"drag_continuous", "-", 0.0, 0.0, 1.0,
                             "0: 500.1 V up to 0.4 m/s as printed, with a jump; 1: without the "
                             "jump"},
    [CAR_BRAKE_RATE] = BRAKE_RATE_ROW,
    [CAR_BRAKE_DELAY] = BRAKE_DELAY_ROW(2.0),
    [CAR_KINEMATIC_BELOW] = {"kinematic_below", "m/s", 0.5, 0.05, 1e3,
                             "bicycle: below it the wheels roll without side slip; blended up to "
                             "twice that speed"},
    [CAR_LOAD_FRONT] = {"stiffness_front", "1/rad", 21.92, 0.1, 1e3,
                        "bicycle, single_track: cornering stiffness over load of the front axle"},
    [CAR_LOAD_REAR] = {"stiffness_rear", "1/rad", 21.92, 0.1, 1e3,
                       "bicycle, single_track: cornering stiffness over load of the rear axle"},
    [CAR_CG_HEIGHT] = {"cg_height", "m", 0.55, 0.0, 3.0, "height of the mass centre"},
    [CAR_STEER_LAG] = {"steer_lag", "s", 0.05, 0.0, 5.0, "time constant of the steering; 0: none"},
    [CAR_STEER_RATE] = {"steer_rate", "rad/s", 1.0, 1e-3, 1e9,
                        "maximum rate of the steering angle"},
    [CAR_STEER_MAX] = {"max_steer", "rad", 0.6, 0.0, 1.4, "maximum steering angle of the wheels"},
};

void car_defaults(car *c, const powertrain_kind *powertrain)
{
    *c = (car){.powertrain = powertrain};
    for (int k = 0; k < CAR_PARAM_COUNT; k++)
        c->p[k] = car_params[k].fallback;
    if (powertrain)
        powertrain_defaults(powertrain, c->powertrain_p);
}

// ---- constants ----

// m/s, the slowest speed at which an axle of a bicycle slips.
static double slip_speed_min(car_lateral lateral, const double *p)
{
    return lateral == CAR_PRINTED ? TURN_SPEED_MIN : p[CAR_KINEMATIC_BELOW];
}

// 1/s, the rates of side slip and yaw together are at most their sum; at 1 m/s for bicycles, at the
// minimum speed of slip angles for the car of the report.
static double turn_rate(const car_batch *b, const double *p)
{
    const double arms = p[CAR_FRONT] * p[CAR_FRONT] + p[CAR_REAR] * p[CAR_REAR];
    const double load = fmax(p[CAR_LOAD_FRONT], p[CAR_LOAD_REAR]) * p[CAR_MASS] * GRAVITY;
    double axle = b->lateral == CAR_SINGLE_TRACK ? load : 2.0 * p[CAR_CORNERING];
    if (b->lateral == CAR_REPORT)
        axle /= TURN_SPEED_MIN;
    return 2.0 * axle / p[CAR_MASS] + axle * arms / p[CAR_YAW_INERTIA];
}

// Explicit Runge-Kutta of order four is stable up to 2.78 / rate. The lateral rates of bicycles
// fall with speed: their share of the bound is that of the speed of the step (advance.c).
static double longest_step(car_batch *b, int i)
{
    const double *p = b->cars[i].p;
    if (!b->powertrain)
        return 0.02;
    const double turn = turn_rate(b, p);
    b->slip[i] = (car_slip){2.5 / turn, slip_speed_min(b->lateral, p)};
    const double engine = b->powertrain->step_bound(b->cars[i].powertrain_p);
    const double others = fmin(engine, 2.5 / p[CAR_BRAKE_RATE]);
    return b->lateral == CAR_REPORT ? fmin(others, 2.5 / turn) : others;
}

static bool same_rows(const double *a, const double *b, int rows)
{
    for (int k = 0; k < CAR_BLOCK * rows; k++)
        if (memcmp(&a[k], &b[k], sizeof *a) != 0)
            return false;
    return true;
}

static bool is_even(const double *rows, int count)
{
    for (int k = 0; k < count; k++)
        for (int l = 1; l < CAR_BLOCK; l++)
            if (memcmp(&rows[CAR_BLOCK * k], &rows[CAR_BLOCK * k + l], sizeof *rows) != 0)
                return false;
    return true;
}

// Looks for a block of like cars among the last ones that are their own.
static void find_alike(car_batch *b)
{
    enum { LOOKED_AT = 8 };
    const int params = b->powertrain ? b->powertrain->param_count : 0;
    int own[LOOKED_AT], count = 0;
    for (int block = 0; block < b->places / CAR_BLOCK; block++) {
        const int at = CAR_BLOCK * block;
        const double *constants = car_place(b->constants, CONSTANT_COUNT, at);
        const double *p = car_place(b->p, params, at);
        b->even[block] = is_even(constants, CONSTANT_COUNT) && is_even(p, params);
        for (int k = count - 1; b->even[block] && k >= 0 && k >= count - LOOKED_AT; k--) {
            const int other = CAR_BLOCK * own[k % LOOKED_AT];
            if (same_rows(constants, car_place(b->constants, CONSTANT_COUNT, other),
                          CONSTANT_COUNT) &&
                same_rows(p, car_place(b->p, params, other), params)) {
                b->alike[block] = other / CAR_BLOCK;
                break;
            }
        }
        if (b->even[block] && b->alike[block] == block)
            own[count++ % LOOKED_AT] = block;
    }
}

// The block of a car that changes is like no other any more.
static void set_apart(car_batch *b, int block)
{
    for (int k = 0; k < b->places / CAR_BLOCK; k++)
        if (b->alike[k] == block)
            b->alike[k] = k; // its own constants are the same
    b->alike[block] = block;
    b->even[block] = false;
}

void car_prepare(car_batch *b, int i)
{
    const double *p = b->cars[i].p;
    const double at_slow = p[CAR_DRAG_0] + SLOW * (p[CAR_DRAG_1] + SLOW * p[CAR_DRAG_2]);
    const double constants[CONSTANT_COUNT] = {
        [CONSTANT_MASS] = p[CAR_MASS],
        [CONSTANT_MASS_INVERSE] = 1.0 / p[CAR_MASS],
        [CONSTANT_INERTIA_INVERSE] = 1.0 / p[CAR_YAW_INERTIA],
        [CONSTANT_DRAG_0] = p[CAR_DRAG_0],
        [CONSTANT_DRAG_1] = p[CAR_DRAG_1],
        [CONSTANT_DRAG_2] = p[CAR_DRAG_2],
        [CONSTANT_DRAG_SLOW] = p[CAR_DRAG_CONTINUOUS] > 0.5 ? at_slow / SLOW : 500.1,
        [CONSTANT_BRAKE_RATE] = p[CAR_BRAKE_RATE],
        [CONSTANT_SPEED_MAX] = p[CAR_SPEED_MAX],
        [CONSTANT_FRONT] = p[CAR_FRONT],
        [CONSTANT_REAR] = p[CAR_REAR],
        [CONSTANT_STIFFNESS] = 2.0 * p[CAR_CORNERING],
        [CONSTANT_GRIP] = p[CAR_GRIP] > 0.0 ? p[CAR_GRIP] * p[CAR_MASS] * GRAVITY : NO_GRIP_LIMIT,
        [CONSTANT_BRAKE_MAX] = p[CAR_BRAKE_MAX] * GRAVITY * p[CAR_NOMINAL_MASS],
        [CONSTANT_BRAKE_DELAY] = p[CAR_BRAKE_DELAY],
        [CONSTANT_NOMINAL] = p[CAR_NOMINAL_MASS],
        [CONSTANT_RADIUS] = 0.5 * fmax(p[CAR_LENGTH], fmax(p[CAR_WIDTH], p[CAR_HEIGHT])),
        [CONSTANT_ACCELERATION] = 20.0 + GRAVITY * (p[CAR_BRAKE_MAX] + p[CAR_ACCELERATION_MAX]),
        [CONSTANT_BELOW] = p[CAR_KINEMATIC_BELOW],
        [CONSTANT_AXLE_FRONT] =
            b->lateral == CAR_SINGLE_TRACK ? p[CAR_LOAD_FRONT] : 2.0 * p[CAR_CORNERING],
        [CONSTANT_AXLE_REAR] =
            b->lateral == CAR_SINGLE_TRACK ? p[CAR_LOAD_REAR] : 2.0 * p[CAR_CORNERING],
        [CONSTANT_CG_HEIGHT] = p[CAR_CG_HEIGHT],
        [CONSTANT_INERTIA] = p[CAR_YAW_INERTIA],
        [CONSTANT_STEER_LAG] = p[CAR_STEER_LAG],
        [CONSTANT_STEER_RATE] = p[CAR_STEER_RATE],
        [CONSTANT_STEER_MAX] = p[CAR_STEER_MAX],
    };
    if (b->even[i / CAR_BLOCK])
        set_apart(b, i / CAR_BLOCK);
    double *out = car_place(b->constants, CONSTANT_COUNT, i);
    for (int k = 0; k < CONSTANT_COUNT; k++)
        out[CAR_BLOCK * k] = constants[k];
    b->limit[i] = longest_step(b, i);
    b->bound = fmin(b->bound, b->limit[i]);
    b->slip_bound = b->lateral == CAR_REPORT ? HUGE_VAL : fmin(b->slip_bound, b->slip[i].time);
    if (!b->powertrain)
        return;
    double *powertrain_p = car_place(b->p, b->powertrain->param_count, i);
    for (int k = 0; k < b->powertrain->param_count; k++)
        powertrain_p[CAR_BLOCK * k] = b->cars[i].powertrain_p[k];
}

// ---- closed throttle ----

void car_coast_fill(car_batch *b, int i, int place)
{
    double *table = b->coast + (size_t)place * COAST_POINTS;
    for (int k = 0; k < COAST_POINTS; k++)
        table[k] =
            powertrain_steady_force(b->powertrain, b->cars[i].powertrain_p, COAST_STEP * k, 0.0);
    b->coast_place[i] = place;
}

enum { TABLES_LOOKED_AT = 32 };

// Cars with the same powertrain share a table: looks among the last ones that have their own, a
// ring of which *count were put in.
static void find_coast(car_batch *b, int i, int own[TABLES_LOOKED_AT], int *count)
{
    for (int k = *count - 1; k >= 0 && k >= *count - TABLES_LOOKED_AT; k--) {
        const int other = own[k % TABLES_LOOKED_AT];
        if (memcmp(b->cars[other].powertrain_p, b->cars[i].powertrain_p,
                   sizeof b->cars[i].powertrain_p) == 0) {
            b->coast_place[i] = other;
            return;
        }
    }
    own[(*count)++ % TABLES_LOOKED_AT] = i;
    car_coast_fill(b, i, i);
}

// ---- a batch ----

static double *blocks_of(size_t blocks, int values)
{
    size_t size = blocks * CAR_BLOCK * (size_t)values * sizeof(double);
    double *out = pages_alloc(&size);
    if (out)
        memset(out, 0, size);
    return out;
}

static const mc_vehicle_kind *kind_of(const car *c)
{
    mc_assert(c->powertrain || c->lateral == CAR_REPORT);
    if (c->lateral != CAR_REPORT)
        return &car_bicycle_kind;
    return c->powertrain ? &car_powertrain_kind : &car_point_kind;
}

// Kernels for eight cars at a time.
static void choose_wide(car_batch *b)
{
    b->roll_kernel = car_roll_avx512;
    b->turn_kernel = car_turn_avx512;
    b->plan_whole = b->powertrain && b->powertrain->built_in ? car_plan_block_avx512 : NULL;
}

mc_batch *car_batch_create(const car *cars, int count, double step)
{
    mc_assert(count > 0 && step > 0.0);
    car_batch *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    const cpu_level cpu = cpu_level_best();
    const powertrain_kind *powertrain = cars[0].powertrain;
    b->base = (mc_batch){kind_of(&cars[0]), count};
    b->powertrain = powertrain;
    b->lateral = cars[0].lateral;
    b->step = step;
    b->bound = b->slip_bound = HUGE_VAL;
    b->step_two = cpu == CPU_AVX2 ? car_step_two_avx2 : car_step_two_plain;
    b->step_kernel = cpu == CPU_AVX2 ? car_step_avx2 : car_step_plain;
    b->roll_kernel = cpu == CPU_AVX2 ? car_roll_avx2 : car_roll_plain;
    b->turn_kernel = cpu == CPU_AVX2 ? car_turn_avx2 : car_turn_plain;
    b->busy = cpu == CPU_AVX2 ? car_busy_avx2 : car_busy_plain;
    b->set_four = cpu == CPU_AVX2 ? car_set_four_avx2 : car_set_four_plain;
    b->motion_four = cpu == CPU_AVX2 ? car_motion_four_avx2 : car_motion_four_plain;
    b->plan_block = cpu == CPU_AVX2 ? car_plan_block_avx2 : car_plan_block_plain;
    if (powertrain) {
        b->hold = powertrain->hold[cpu];
        b->eval = powertrain->eval[cpu];
        b->plan = powertrain->plan[cpu];
    }
    if (cpu_is_wide())
        choose_wide(b);
    const size_t blocks = ((size_t)count + CAR_BLOCK - 1) / CAR_BLOCK, n = blocks * CAR_BLOCK;
    b->cars = calloc(n, sizeof *b->cars);
    b->places = (int)n;
    b->coast_place = calloc(n, sizeof *b->coast_place);
    b->coast = calloc(powertrain ? 2 * n * COAST_POINTS : 1, sizeof *b->coast);
    b->alike = calloc(blocks, sizeof *b->alike);
    b->even = calloc(blocks, sizeof *b->even);
    b->limit = calloc(n, sizeof *b->limit);
    b->slip = calloc(n, sizeof *b->slip);
    b->queue = calloc(n * QUEUE_PLACES, sizeof *b->queue);
    b->values = blocks_of(blocks, VALUE_COUNT);
    b->inputs = blocks_of(blocks, INPUT_COUNT);
    b->constants = blocks_of(blocks, CONSTANT_COUNT);
    b->p = blocks_of(blocks, powertrain ? powertrain->param_count : 1);
    if (!b->cars || !b->coast || !b->coast_place || !b->limit || !b->slip || !b->queue ||
        !b->values || !b->inputs || !b->constants || !b->p || !b->alike || !b->even) {
        car_destroy(&b->base);
        return NULL;
    }
    for (size_t k = 0; k < blocks; k++)
        b->alike[k] = (int)k;
    int own_tables[TABLES_LOOKED_AT], table_count = 0;
    for (size_t i = 0; i < n; i++) { // the unused places hold a car too: no lane is ever undefined
        b->cars[i] = cars[i < (size_t)count ? i : 0];
        mc_assert(b->cars[i].powertrain == powertrain && b->cars[i].lateral == b->lateral);
        if (isnan(b->cars[i].p[CAR_NOMINAL_MASS]))
            b->cars[i].p[CAR_NOMINAL_MASS] = b->cars[i].p[CAR_MASS];
        car_prepare(b, (int)i);
        if (powertrain)
            find_coast(b, (int)i, own_tables, &table_count);
        car_batch_place(&b->base, (int)i, 0.0, 0.0, 0.0, 0.0);
    }
    find_alike(b);
    return &b->base;
}

void car_batch_put(mc_batch *batch, int i, double x, double y, double heading, double speed,
                   double a)
{
    const car_batch *b = car_look(batch);
    double *value = car_values(b, i), *input = car_inputs(b, i);
    for (int k = 0; k < VALUE_COUNT; k++)
        value[CAR_BLOCK * k] = 0.0;
    for (int k = 0; k < INPUT_COUNT; k++)
        input[CAR_BLOCK * k] = 0.0;
    value[CAR_BLOCK * VALUE_X] = x;
    value[CAR_BLOCK * VALUE_Y] = y;
    value[CAR_BLOCK * VALUE_PSI] = heading;
    value[CAR_BLOCK * VALUE_U] = speed;
    value[CAR_BLOCK * VALUE_A] = a;
    value[CAR_BLOCK * VALUE_PATH] = -1.0;
    if (b->lateral != CAR_REPORT || b->relief) {
        mc_road_point at;
        mc_road_at(b->road, x, y, NAN, &at);
        value[CAR_BLOCK * VALUE_STATION] = at.station;
    }
    input[CAR_BLOCK * INPUT_GIVEN] = b->cars[i].p[CAR_MASS] * speed * cos(heading);
    input[CAR_BLOCK * (INPUT_GIVEN + 1)] = b->cars[i].p[CAR_MASS] * speed * sin(heading);
}

// The engine of car i settled for a speed on a level road. Cars mostly come in rows that are alike:
// what the last one settled to is taken again.
static const car_settled *settle(car_batch *b, int i, double speed)
{
    car_settled *last = &b->settled;
    const car *c = &b->cars[i];
    if (last->valid && last->speed == speed && memcmp(last->of.p, c->p, sizeof c->p) == 0 &&
        memcmp(last->of.powertrain_p, c->powertrain_p, sizeof c->powertrain_p) == 0)
        return last;
    mc_plan plan = {0}; // the throttle that keeps the speed; a standing car idles
    if (speed > SLOW)
        car_plan(&b->base, i, 1, &(double){0.0}, &plan);
    *last = (car_settled){.valid = true, .of = *c, .speed = speed, .throttle = plan.throttle};
    b->powertrain->settle(c->powertrain_p, speed, plan.throttle, last->x);
    return last;
}

void car_batch_place(mc_batch *batch, int i, double x, double y, double heading, double speed)
{
    car_batch *b = car_own(batch);
    double *value = car_values(b, i);
    car_batch_put(batch, i, x, y, heading, speed, 0.0);
    if (!b->powertrain)
        return;
    const car_settled *engine = settle(b, i, speed);
    for (int k = 0; k < b->powertrain->state_count; k++)
        value[CAR_BLOCK * (VALUE_ENGINE + k)] = engine->x[k];
    car_inputs(b, i)[CAR_BLOCK * INPUT_THROTTLE] = engine->throttle;
    double unused;
    car_rates(b, i, &value[CAR_BLOCK * VALUE_A], &unused);
}

void car_destroy(mc_batch *batch)
{
    car_batch *b = car_own(batch);
    void *const arrays[] = {b->cars,   b->coast,  b->coast_place, b->limit, b->slip,  b->queue,
                            b->values, b->inputs, b->constants,   b->p,     b->alike, b->even};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        free(arrays[k]);
    free(b);
}
