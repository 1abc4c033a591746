// plan.c - the car with powertrain: what its actuators can do, what it shows, its kind.
#include "cars/batch.h"

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
        b->plan_block(b, i, taken, desired + (i - first), out + (i - first));
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
    CHANNEL_COUNT
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
};
_Static_assert(sizeof channels / sizeof channels[0] == CHANNEL_COUNT, "one row per channel");

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

const mc_vehicle_kind car_powertrain_kind = {
    .name = "powertrain",
    .advance = car_advance,
    .plan = car_plan,
    .channels = channels,
    .channel_count = CHANNEL_COUNT,
    .read_channels = read_channels,
    .fuel = fuel,
    CAR_SHARED,
};
