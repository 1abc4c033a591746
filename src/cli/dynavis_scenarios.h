// dynavis_scenarios.h - the two benches of the DYNAVIS report as scenarios.
#pragma once

#include "motorcade/studio.h"

// Four cars: two pairs behind leaders that drive alike; the second of the first pair is heavier
// than its controller believes. models: a car file, its first car is driven; NULL: the usual car.
mc_status dynavis_write_identification(const char *path, double end, const char *models,
                                       mc_error *error);

// Two platoons of cars/2 each, which differ in the hysteresis between throttle and brake.
mc_status dynavis_write_mileage(const char *path, double end, int cars, const char *models,
                                mc_error *error);

// The mileage of every car of that scenario over time, mpg, as CSV.
mc_status dynavis_save_mileage(mc_studio *studio, int cars, const char *path, mc_error *error);
