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
    const double *p = ((const car_spec *)spec)->car.p;
    car_spec_facts(spec, out);
    // It rolls without side slip: the single-track car with its mass centre over a rear axle that
    // does not slip. Its front axle gives the yaw rate the same time constant at this speed.
    static const double speed = 20.0; // m/s
    out->front = CAR_POINT_WHEELBASE * p[CAR_LENGTH];
    out->rear = 0.0;
    out->stiff_front = p[CAR_YAW_INERTIA] * speed / (CAR_POINT_GUIDED * out->front * out->front);
    out->stiff_rear = 1e7 * p[CAR_MASS];
    out->immediate = p[CAR_LAG] == 0.0;
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
