// scenario.h - scenarios: road, vehicles, controllers, events, read from a YAML file and checked.
//
//     mc_error error;
//     mc_scenario *s = mc_scenario_load("scenarios/brake_loss.yaml", &error);
//     if (!s)
//         return error.code;                       // file, line, column and what is wrong
//     for (int i = 0; i < mc_scenario_info_of(s)->warning_count; i++)
//         puts(mc_scenario_warning(s, i));
//     mc_scenario_free(s);
//
// The format is that of docs/scenarios.md. Other files it names are looked for from its folder.
#pragma once

#include "motorcade/status.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mc_scenario mc_scenario;

typedef struct mc_scenario_info {
    const char *name, *doc;   // doc: "" if there is none
    double end, step, record; // s
    int vehicle_count, platoon_count, model_count, controller_count, event_count;
    int lane_count;
    int warning_count;
} mc_scenario_info;

mc_scenario *mc_scenario_load(const char *path, mc_error *error); // NULL: see *error
void mc_scenario_free(mc_scenario *s);

// Another value of a number, NAME=VALUE: "mass=2400 kg" (every model and law that has it),
// "follow.k1=0.8" (one model, controller or vehicle), "road.speed=25", "time.end=30". Before runs
// are made from the scenario.
mc_status mc_scenario_set(mc_scenario *s, const char *text, mc_error *error);

const mc_scenario_info *mc_scenario_info_of(const mc_scenario *s);
const char *mc_scenario_vehicle_name(const mc_scenario *s, int i); // NULL past the last
const char *mc_scenario_warning(const mc_scenario *s, int i); // "file:line:column: text"; NULL: end

// The JSON Schema of scenario files.
mc_status mc_scenario_write_schema(FILE *out, mc_error *error);

#ifdef __cplusplus
}
#endif
