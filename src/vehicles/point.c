// point.c - the type of a point car: it follows a desired acceleration, optionally with a lag.
#include "vehicles/car_spec.h"

static const mc_model_key keys[] = {
    {.name = "model",
     .form = MC_KEY_FORM_NUMBERS,
     .at = offsetof(car_spec, car.p),
     .rows = car_params,
     .count = CAR_PARAM_COUNT,
     .live = CAR_LIVE_POINT,
     .without = ~CAR_ROWS_POINT},
    CAR_SPEC_FILE_KEYS,
};

static void init(void *spec)
{
    car_defaults(&((car_spec *)spec)->car, NULL);
}

static void facts(const void *spec, mc_vehicle_facts *out)
{
    car_spec_facts(spec, out);
    out->immediate = ((const car_spec *)spec)->car.p[CAR_LAG] == 0.0;
    out->no_friction = "is a point car";
}

static bool any(const void *a, const void *b)
{
    (void)a, (void)b; // every parameter belongs to each car alone
    return true;
}

const mc_vehicle_type vehicle_point = {
    .name = "point",
    .doc = "a mass that follows the desired acceleration, with a lag; no pedals",
    .kind = &car_point_kind,
    .spec_size = sizeof(car_spec),
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .init = init,
    .load = car_spec_load,
    .check = car_spec_check,
    .facts = facts,
    .create = car_spec_create,
    .asks_road = true,
    .same_batch = any,
};
