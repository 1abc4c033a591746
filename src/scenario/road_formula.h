// road_formula.h - the profile of a road as a formula of the station s.
//
//     road: {profile: {parameters: {A: 3 m, wave: 400 m}, z: "A*sin(2*pi*s/wave)", to: 5 km}}
//
//   height z(s)      slope = asin(dz/ds): s runs along the road, not along a level line
//   grade(s)         slope in rad
//
// The formula is differentiated symbolically, once for the slope of a height and once for the
// derivative of the slope, and is sampled by the interpreter when the scenario is read and when one
// of its numbers is set; vehicles drive on the curve of road/curve.h.
#pragma once

#include "base/arena.h"
#include "control/law.h"
#include "motorcade/param.h"
#include "road/road.h"

typedef struct road_formula road_formula;

// height: the formula (text->acceleration) is z; else the slope. Texts must outlive it. NULL: see
// *error, which names file, line and column.
road_formula *road_formula_create(const law_text *text, bool height, const char *file,
                                  mc_error *error);
void road_formula_destroy(road_formula *f);

// What can be set: the parameters and where the formula applies.
typedef struct road_formula_numbers {
    const mc_param *params;
    int param_count;
    double *p;         // of the parameters
    double *from, *to; // m
} road_formula_numbers;
road_formula_numbers road_formula_numbers_of(road_formula *f);

// Samples it from .. to with the numbers as they are now and gives the road that slope.
mc_status road_formula_apply(const road_formula *f, arena *memory, road *out, mc_error *error);

// "z = A*sin(2*pi*s/wave)"; lives as long as the formula.
const char *road_formula_text(const road_formula *f);
