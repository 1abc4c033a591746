// plan.c - the car with powertrain: what its actuators can do, what it shows, its kind.
#include "cars/batch.h"

#include <math.h>

void car_plan(const mc_batch *batch, int first, int count, const double *desired, mc_plan *out)
{
    enum { FOUR = 4 };
    const car_batch *b = car_look(batch);
    const int end = first + count, skip = first % FOUR;
    int i = first;
    if (skip > 0) { // the first four are not asked for as a whole
        double some_desired[FOUR] = {0.0};
        mc_plan some[FOUR];
        const int used = count < FOUR - skip ? count : FOUR - skip;
        for (int l = 0; l < used; l++)
            some_desired[skip + l] = desired[l];
        b->plan_block(b, first - skip, skip + used, some_desired, some);
        for (int l = 0; l < used; l++)
            out[l] = some[skip + l];
        i += used;
    }
    for (int taken; i < end; i += taken) {
        taken = end - i <= CAR_PLAN_MAX ? end - i : CAR_BLOCK;
        car_plan_block *plan = b->plan_block;
        const int blocks = (end - i) / CAR_BLOCK;
        if (b->plan_whole && end - i > CAR_PLAN_MAX && i % CAR_BLOCK == 0) {
            taken = CAR_BLOCK * (blocks < CAR_PLAN_BLOCKS ? blocks : CAR_PLAN_BLOCKS);
            plan = b->plan_whole;
        }
        plan(b, i, taken, desired + (i - first), out + (i - first));
    }
}

// ---- channels ----

enum {
    CHANNEL_N,
    CHANNEL_FORCE,
    CHANNEL_BRAKE_FORCE,
    CHANNEL_FUEL,
    CHANNEL_FUEL_RATE,
    CHANNEL_RATIO,
    CHANNEL_INPUT_POWER,
    CHANNEL_DISTANCE,
    CHANNEL_COUNT,
    CHANNEL_STEER = CHANNEL_COUNT, // the bicycle only, from here on
    CHANNEL_YAW_RATE,
    CHANNEL_SIDE_SLIP,
    CHANNEL_A_Y,
    CHANNEL_SLIP_FRONT,
    CHANNEL_SLIP_REAR,
    CHANNEL_COUNT_BICYCLE
};

static const mc_channel channels[] = {
    [CHANNEL_N] = {"n", "rpm", "engine speed"},
    [CHANNEL_FORCE] = {"force", "N", "of the powertrain at the wheels"},
    [CHANNEL_BRAKE_FORCE] = {"brake_force", "N", "the brake can give now"},
    [CHANNEL_FUEL] = {"fuel", "kg", "burnt since the start"},
    [CHANNEL_FUEL_RATE] = {"fuel_rate", "kg/s", "burnt now"},
    [CHANNEL_RATIO] = {"ratio", "rpm s/m", "turbine or clutch speed over road speed: the gear"},
    [CHANNEL_INPUT_POWER] = {"engine_power", "W", "indicated power of the engine"},
    [CHANNEL_DISTANCE] = {"distance", "m", "driven since the start"},
    [CHANNEL_STEER] = {"steer_angle", "rad", "of the front wheels, after lag and limits"},
    [CHANNEL_YAW_RATE] = {"yaw_rate", "rad/s", "left positive"},
    [CHANNEL_SIDE_SLIP] = {"side_slip", "rad", "angle from the heading to the velocity"},
    [CHANNEL_A_Y] = {"a_y", "m/s^2", "lateral acceleration, left positive"},
    [CHANNEL_SLIP_FRONT] = {"slip_front", "rad", "slip angle of the front axle"},
    [CHANNEL_SLIP_REAR] = {"slip_rear", "rad", "slip angle of the rear axle"},
};
_Static_assert(sizeof channels / sizeof channels[0] == CHANNEL_COUNT_BICYCLE, "a row per channel");

static void read_channels(const mc_batch *batch, int i, double *out)
{
    const car_batch *b = car_look(batch);
    const double *value = car_values(b, i);
    double x[POWERTRAIN_STATE_MAX];
    for (int k = 0; k < POWERTRAIN_STATE_MAX; k++)
        x[k] = value[CAR_BLOCK * (VALUE_ENGINE + k)];
    powertrain_values now;
    powertrain_look(b->powertrain, b->cars[i].powertrain_p,
                    car_inputs(b, i)[CAR_BLOCK * INPUT_THROTTLE], value[CAR_BLOCK * VALUE_U], x,
                    &now);
    out[CHANNEL_N] = x[0];
    out[CHANNEL_FORCE] = now.force;
    out[CHANNEL_BRAKE_FORCE] = value[CAR_BLOCK * VALUE_FORCE];
    out[CHANNEL_FUEL] = value[CAR_BLOCK * VALUE_FUEL];
    out[CHANNEL_FUEL_RATE] = now.fuel;
    out[CHANNEL_RATIO] = now.ratio;
    out[CHANNEL_INPUT_POWER] = now.input_power;
    out[CHANNEL_DISTANCE] = value[CAR_BLOCK * VALUE_DISTANCE];
}

static double fuel(const mc_batch *batch, int i)
{
    return car_values(car_look(batch), i)[CAR_BLOCK * VALUE_FUEL];
}

static double lateral_acceleration(const mc_batch *batch, int i)
{
    const car_batch *b = car_look(batch);
    const double *value = car_values(b, i);
    double a, a_w;
    car_rates(b, i, &a, &a_w);
    return a_w + value[CAR_BLOCK * VALUE_U] * value[CAR_BLOCK * VALUE_R];
}

const mc_vehicle_kind car_powertrain_kind = {
    .name = "powertrain",
    .advance = car_advance,
    .plan = car_plan,
    .channels = channels,
    .channel_count = CHANNEL_COUNT,
    .read_channels = read_channels,
    .fuel = fuel,
    .lateral_acceleration = lateral_acceleration,
    CAR_SHARED,
};

// ---- bicycles ----

// Positive where the tyre pushes to the left; a car at rest has none.
static double slip_angle(double along, double across)
{
    return along == 0.0 && across == 0.0 ? 0.0 : -atan2(across, fabs(along));
}

static void read_bicycle_channels(const mc_batch *batch, int i, double *out)
{
    const car_batch *b = car_look(batch);
    const double *value = car_values(b, i), *p = b->cars[i].p;
    const double u = value[CAR_BLOCK * VALUE_U], w = value[CAR_BLOCK * VALUE_W];
    const double r = value[CAR_BLOCK * VALUE_R], steer = value[CAR_BLOCK * VALUE_STEER];
    const double front = w + p[CAR_FRONT] * r, c = cos(steer), s = sin(steer);
    double a, a_w;
    read_channels(batch, i, out);
    car_rates(b, i, &a, &a_w);
    out[CHANNEL_STEER] = steer;
    out[CHANNEL_YAW_RATE] = r;
    out[CHANNEL_SIDE_SLIP] = u == 0.0 && w == 0.0 ? 0.0 : atan2(w, u);
    out[CHANNEL_A_Y] = a_w + u * r;
    out[CHANNEL_SLIP_FRONT] = slip_angle(u * c + front * s, front * c - u * s);
    out[CHANNEL_SLIP_REAR] = slip_angle(u, w - p[CAR_REAR] * r);
}

const mc_vehicle_kind car_bicycle_kind = {
    .name = "bicycle",
    .advance = car_advance,
    .plan = car_plan,
    .channels = channels,
    .channel_count = CHANNEL_COUNT_BICYCLE,
    .read_channels = read_bicycle_channels,
    .fuel = fuel,
    .lateral_acceleration = lateral_acceleration,
    CAR_SHARED,
};
