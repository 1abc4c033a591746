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
//
// Versions: an edit makes another scenario from one, which stays as it is. What an edit may say is
// in docs/scenarios.md; in short, a map in YAML's flow style or a JSON object, with one or more of
//
//     {add: {model: heavy, controller: follow, lane: 2, x: 300, v: 25}}     name: made up; profile
//     {add: {model: heavy, controller: follow, platoon: car3}}              behind car3
//     {remove: car3}
//     {vehicle: car3, model: heavy}                                         or a list of vehicles
//     {vehicle: leader, profile: heavy}   {vehicle: car3, controller: other}
//     {controllers: {follow: {law: pipes, tau: 1}}}                         models, profiles too
//     {grades: [{from: 500, to: 900, grade: 4 %}]}   {friction: [...]}   {road: {lanes: 3}}
//     {step: 0.001}   {end: 600}   {set: follow.k1=0.8}
//
// An edit cannot name a file: edits may come from a network.
#pragma once

#include "motorcade/param.h"
#include "motorcade/status.h"

#include <stddef.h>

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mc_scenario mc_scenario;

typedef struct mc_scenario_info {
    const char *file;         // as it was named
    const char *name, *doc;   // doc: "" if there is none
    double end, step, record; // s
    int vehicle_count, platoon_count, model_count, controller_count, event_count;
    int lane_count;
    int warning_count;
} mc_scenario_info;

mc_scenario *mc_scenario_load(const char *path, mc_error *error); // NULL: see *error
// The same from memory. path names it in messages, and its folder is where the files it names are
// looked for; NULL: it may name none.
mc_scenario *mc_scenario_parse(const char *text, size_t length, const char *path, mc_error *error);
// Runs made of a scenario keep what they need of it: it may be freed before them.
void mc_scenario_free(mc_scenario *s);

// A scenario file that gives this scenario: the text that was read, or, after edits and
// mc_scenario_set, one that was written from it (without its comments). Lives as long as s; until
// the next mc_scenario_set.
const char *mc_scenario_text(const mc_scenario *s);

// Another version; NULL: see *error, which names the edit and what is allowed. at: the time from
// which on cars that the edit adds are there, s; 0 or NAN: from the start, where they must not
// stand in another car.
mc_scenario *mc_scenario_edit(const mc_scenario *s, const char *edit, mc_error *error);
mc_scenario *mc_scenario_edit_at(const mc_scenario *s, double at, const char *edit,
                                 mc_error *error);

// Another value of a number, NAME=VALUE: "mass=2400 kg" (every model and law that has it),
// "follow.k1=0.8" (one model, controller or vehicle), "road.speed=25", "time.end=30". Before runs
// are made from the scenario.
mc_status mc_scenario_set(mc_scenario *s, const char *text, mc_error *error);

const mc_scenario_info *mc_scenario_info_of(const mc_scenario *s);
const char *mc_scenario_warning(const mc_scenario *s, int i); // "file:line:column: text"; NULL: end

// Tables of parameters of everything a scenario is made of, for help and forms; laws have theirs in
// laws.h. They live as long as the program.
typedef struct mc_table {
    const char *name;  // "car", "converter", "inner", "radio", "road", ...
    const char *title; // "a model", "powertrain converter", ...: for people
    const mc_param *rows;
    int count;
} mc_table;
int mc_table_at(int index, mc_table *out); // 0: past the end, *out is untouched

// The JSON Schema of scenario files.
mc_status mc_scenario_write_schema(FILE *out, mc_error *error);

#ifdef __cplusplus
}
#endif
