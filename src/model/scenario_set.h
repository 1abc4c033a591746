// scenario_set.h - another value of one number of a scenario, by name: for options and sweeps.
//
//     mass=2400 kg          of every model that has it, of every law that has it
//     town_car.mass=2400    of one model, controller or vehicle
//     follow.k1=0.8
//     car3.headway=1.2
//     road.speed=25         roadway commands: headway, distance, speed
//     time.end=30           end, step, record
//     seed=7                of all noise and loss
//
// Cars of a platoon that stand at their wanted gap at the start are put at the new wanted gap.
// Values are checked against the tables; nothing is changed when one is refused.
#pragma once

#include "model/scenario.h"

// text: NAME=VALUE, the value with a unit if wanted.
mc_status scenario_set(scenario *s, const char *text, mc_error *error);

// The same; *unit: that of the number, "-" or "" when it has none.
mc_status scenario_set_unit(scenario *s, const char *text, const char **unit, mc_error *error);
