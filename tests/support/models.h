// models.h - what models of a scenario hold, by their type, for tests.
#pragma once

#include "scenario/scenario.h"
#include "vehicles/car_spec.h"
#include "vehicles/cosserat.h"
#include "vehicles/multibody.h"

static inline car *model_car(const scenario *s, int model) // of a point or powertrain model
{
    return &((car_spec *)s->models[model].spec)->car;
}

static inline cosserat_spec *model_cosserat(const scenario *s, int model)
{
    return s->models[model].spec;
}

static inline multibody_spec *model_multibody(const scenario *s, int model)
{
    return s->models[model].spec;
}
