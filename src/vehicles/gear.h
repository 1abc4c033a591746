// gear.h - keys of models that have a running gear (parts/running_gear.h), for the rows of types.
#pragma once

#include "cars/car.h"
#include "parts/running_gear.h"
#include "vehicles/types.h"

// kind and p: members of the spec.
// clang-format off
#define GEAR_POWERTRAIN_KEY(spec, kind, p, live_rows)                                              \
    {.name = "powertrain", .form = (mc_key_form)KEY_POWERTRAIN, .at = offsetof(spec, kind),        \
     .values = offsetof(spec, p), .live = (live_rows),                                             \
     .doc = "engine and gears; a word names the kind with its defaults"}

// gear: member of the spec; file_rows: rows of the drive that come from the file of the model. The
// maximum deceleration is one number with two keys: max_brake of the model and of its drive.
#define GEAR_KEYS(spec, gear, file_rows)                                                           \
    GEAR_POWERTRAIN_KEY(spec, gear.powertrain, gear.powertrain_p, 0),                              \
    {.name = "drive", .form = MC_KEY_FORM_MAP, .at = offsetof(spec, gear.drive),                   \
     .rows = drive_params, .count = DRIVE_PARAM_COUNT, .live = DRIVE_LIVE,                         \
     .from_file = (file_rows),                                                                     \
     .doc = "wheels, brakes, shares of the axles, drag"},                                          \
    {.form = MC_KEY_FORM_NUMBERS, .at = offsetof(spec, gear.drive[DRIVE_BRAKE_MAX]),               \
     .rows = &car_params[CAR_BRAKE_MAX], .count = 1},                                              \
    {.name = "tyre", .form = MC_KEY_FORM_TYRE, .at = offsetof(spec, gear.tyre),                    \
     .values = offsetof(spec, gear.tyre_p),                                                        \
     .doc = "law of the tyres; a word names the law with its defaults"}

// What control laws are told of a vehicle that is not a car.
#define GEAR_TOLD_KEYS(spec, acceleration, nominal)                                                \
    {.name = "model", .form = MC_KEY_FORM_NUMBERS, .at = offsetof(spec, acceleration),             \
     .rows = &car_params[CAR_ACCELERATION_MAX], .count = 1, .live = MC_LIVE(0)},                   \
    {.name = "model", .form = MC_KEY_FORM_NUMBERS, .at = offsetof(spec, nominal),                  \
     .rows = &car_params[CAR_NOMINAL_MASS], .count = 1}
// clang-format on

// Rejects a maximum deceleration that is given twice.
mc_status gear_check(mc_section *section, void *spec);
