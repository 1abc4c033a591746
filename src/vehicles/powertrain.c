// powertrain.c - the type of a car with engine, brake, drag and two axles.
#include "vehicles/car_spec.h"
#include "vehicles/gear.h"

static const mc_model_key keys[] = {
    {.name = "model",
     .form = MC_KEY_FORM_NUMBERS,
     .at = offsetof(car_spec, car.p),
     .rows = car_params,
     .count = CAR_PARAM_COUNT,
     .live = CAR_LIVE,
     .without = MC_LIVE(CAR_LAG) | CAR_ROWS_BICYCLE},
    CAR_SPEC_FILE_KEYS,
    GEAR_POWERTRAIN_KEY(car_spec, car.powertrain, car.powertrain_p, MC_LIVE_ALL),
};

static void init(void *spec)
{
    car *c = &((car_spec *)spec)->car;
    car_defaults(c, c->powertrain);
}

static void facts(const void *spec, mc_vehicle_facts *out)
{
    car_spec_facts(spec, out);
    out->pedals = true;
    if (((const car_spec *)spec)->car.p[CAR_GRIP] == 0.0) {
        out->no_friction = "has no grip limit";
        out->friction_hint = "set grip";
    }
}

static bool same_powertrain(const void *a, const void *b)
{
    return ((const car_spec *)a)->car.powertrain == ((const car_spec *)b)->car.powertrain;
}

const mc_vehicle_type vehicle_powertrain = {
    .name = "powertrain",
    .doc = "a car with engine, gears, brake, drag and two axles",
    .kind = &car_powertrain_kind,
    .spec_size = sizeof(car_spec),
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .init = init,
    .load = car_spec_load,
    .check = car_spec_check,
    .facts = facts,
    .create = car_spec_create,
    .asks_road = true,
    .same_batch = same_powertrain,
    .same_state = same_powertrain,
};
