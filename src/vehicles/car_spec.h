// car_spec.h - the model of a point car, of a car with powertrain and of a bicycle: a car,
// optionally from a DYNAVIS file.
#pragma once

#include "cars/car.h"
#include "vehicles/types.h"

typedef struct car_spec {
    car car;
    const mc_file *file; // of cars; NULL: none
    const char *name;    // which of them; NULL: the first
    const char *lateral; // of a bicycle: the word; NULL: the usual one
} car_spec;

// clang-format off
#define CAR_SPEC_FILE_KEYS                                                                         \
    {.name = "car_file", .form = MC_KEY_FORM_FILE, .at = offsetof(car_spec, file),                 \
     .doc = "a car file of DYNAVIS; keys next to it override its values"},                         \
    {.name = "car", .form = MC_KEY_FORM_TEXT, .at = offsetof(car_spec, name),                      \
     .doc = "which car of that file; default: the first"}
// clang-format on

mc_status car_spec_load(mc_section *section, void *spec); // of that file
mc_status car_spec_check(mc_section *section, void *spec);
void car_spec_facts(const car_spec *spec, mc_vehicle_facts *out);
mc_batch *car_spec_create(const mc_vehicle_start *starts, int count, const mc_vehicle_setup *setup,
                          mc_error *error);
