// bicycle.c - the type of a car with engine, brake, steering and single-track lateral dynamics.
#include "base/gravity.h"
#include "reader/section.h"
#include "vehicles/car_spec.h"
#include "vehicles/gear.h"

#include <string.h>

static const char *const words[] = {"printed", "exact", "single_track"}; // from CAR_PRINTED on
_Static_assert(sizeof words / sizeof words[0] == CAR_LATERAL_COUNT - CAR_PRINTED, "a word each");

static const mc_model_key keys[] = {
    {.name = "model",
     .form = MC_KEY_FORM_NUMBERS,
     .at = offsetof(car_spec, car.p),
     .rows = car_params,
     .count = CAR_PARAM_COUNT,
     .live = CAR_LIVE_BICYCLE,
     .without = MC_LIVE(CAR_LAG)},
    {.name = "lateral",
     .form = MC_KEY_FORM_TEXT,
     .at = offsetof(car_spec, lateral),
     .doc = "lateral dynamics: exact (default), printed (eq 1 of DYNAVIS) or single_track"},
    CAR_SPEC_FILE_KEYS,
    GEAR_POWERTRAIN_KEY(car_spec, car.powertrain, car.powertrain_p, MC_LIVE_ALL),
};

static void init(void *spec)
{
    car *c = &((car_spec *)spec)->car;
    car_defaults(c, c->powertrain);
    c->lateral = CAR_EXACT;
}

static mc_status check(mc_section *section, void *out)
{
    car_spec *spec = out;
    car_lateral found = spec->lateral ? CAR_LATERAL_COUNT : CAR_EXACT;
    for (int k = CAR_PRINTED; spec->lateral && k < CAR_LATERAL_COUNT; k++)
        if (strcmp(spec->lateral, words[k - CAR_PRINTED]) == 0)
            found = (car_lateral)k;
    if (found == CAR_LATERAL_COUNT)
        return section_unknown(section, "lateral", "lateral dynamics", words,
                               CAR_LATERAL_COUNT - CAR_PRINTED);
    spec->car.lateral = found;
    return car_spec_check(section, out);
}

static void facts(const void *in, mc_vehicle_facts *out)
{
    const car_spec *spec = in;
    car_spec_facts(spec, out);
    out->pedals = true;
    if (spec->car.lateral == CAR_SINGLE_TRACK) { // stiffness in proportion to the loads of rest
        const double *p = spec->car.p;
        const double weight = p[CAR_MASS] * GRAVITY / (p[CAR_FRONT] + p[CAR_REAR]); // N/m
        out->stiff_front = p[CAR_LOAD_FRONT] * weight * p[CAR_REAR];
        out->stiff_rear = p[CAR_LOAD_REAR] * weight * p[CAR_FRONT];
    }
    if (spec->car.p[CAR_GRIP] == 0.0 && spec->car.lateral != CAR_SINGLE_TRACK) {
        out->no_friction = "has no grip limit";
        out->friction_hint = "set grip";
    }
}

static bool alike(const void *a, const void *b)
{
    const car *m = &((const car_spec *)a)->car, *n = &((const car_spec *)b)->car;
    return m->powertrain == n->powertrain && m->lateral == n->lateral;
}

static bool same_powertrain(const void *a, const void *b)
{
    return ((const car_spec *)a)->car.powertrain == ((const car_spec *)b)->car.powertrain;
}

const mc_vehicle_type vehicle_bicycle = {
    .name = "bicycle",
    .doc = "the same car with a steering and single-track lateral dynamics",
    .kind = &car_bicycle_kind,
    .spec_size = sizeof(car_spec),
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .init = init,
    .load = car_spec_load,
    .check = check,
    .facts = facts,
    .create = car_spec_create,
    .same_batch = alike,
    .asks_road = true,
    .same_state = same_powertrain,
};
