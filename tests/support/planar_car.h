// planar_car.h - planar cars for tests: the defaults of the vehicle type, with another tyre.
#pragma once

#include "vehicles/planar.h"

// tyre: NULL, the usual one. order: of the steps.
static inline planar_model planar_car(const tyre_kind *tyre, double order)
{
    planar_spec spec;
    vehicle_spec_init(&vehicle_planar, &spec);
    spec.model.p[PLANAR_ORDER] = order;
    if (tyre) {
        spec.model.gear.tyre = tyre;
        tyre_defaults(tyre, spec.model.gear.tyre_p);
    }
    return spec.model;
}
