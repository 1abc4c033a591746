// set.h - sets a parameter of a scenario by name: for options and sweeps.
//
//     mass=2400 kg          of every model that has it, of every law that has it
//     town_car.mass=2400    of one model, controller or vehicle
//     truck.drive.drag=0.6  of one of its maps
//     follow.k1=0.8
//     car3.headway=1.2
//     road.speed=25         roadway commands: headway, distance, speed
//     time.end=30           end, step, record
//     seed=7                of all noise and loss
//
// Cars of a platoon that start at their desired gap are moved to the new desired gap. Values are
// checked against the tables; nothing is changed if one is rejected.
#pragma once

#include "scenario/scenario.h"

// text: NAME=VALUE, the value optionally with a unit.
mc_status scenario_set(scenario *s, const char *text, mc_error *error);

// The same; *unit: that of the number, "-" or "" when it has none.
mc_status scenario_set_unit(scenario *s, const char *text, const char **unit, mc_error *error);

// Many of them, of a scenario with many vehicles: the cars are put in their places at the close.
// NULL: see *error.
typedef struct scenario_setter scenario_setter;
scenario_setter *scenario_setter_open(scenario *s, mc_error *error);
mc_status scenario_setter_add(scenario_setter *setter, const char *text, const char **unit,
                              mc_error *error);
void scenario_setter_close(scenario_setter *setter);
