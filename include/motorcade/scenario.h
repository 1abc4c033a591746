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
// The format is that of docs/scenarios.md. Names of other files are relative to its folder. They
// are read with the scenario, which keeps their contents: runs and edited versions open nothing.
//
// Versions: an edit makes another scenario from one, which stays as it is. What an edit may say is
// in docs/scenarios.md; in short, a map in YAML's flow style or a JSON object, with one or more of
//
//     {add: {model: heavy, controller: follow, lane: 2, x: 300, v: 25}}     name: made up; profile
//     {add: {model: heavy, controller: follow, platoon: car3}}              behind car3
//     {add: {model: heavy, controller: follow, ramp: Vermont, v: 15}}       from an on-ramp
//     {remove: car3}
//     {vehicle: car3, model: heavy}                                         or a list of vehicles
//     {vehicle: leader, profile: heavy}   {vehicle: car3, controller: other}
//     {controllers: {follow: {law: pipes, tau: 1}}}                         models, profiles too
//     {grades: [{from: 500, to: 900, grade: 4 %}]}   {friction: [...]}   {road: {lanes: 3}}
//     {obstacles: [{name: wall, x: 120, width: 8}]}  all of them: the old list goes
//     {step: 0.001}   {end: 600}   {set: follow.k1=0.8}
//
// An edit cannot name a file: edits may come from a network.
//
// Threads: only mc_scenario_set changes a scenario. Threads may share one, read it, edit it into
// other versions and create runs from it; it is reference-counted, so it may be freed in any
// thread.
#pragma once

#include "motorcade/param.h"
#include "motorcade/status.h"

#include <stdbool.h>
#include <stddef.h>

#include <stdio.h>

#include "motorcade/begin.h"

typedef struct mc_scenario mc_scenario;

typedef struct mc_scenario_info {
    const char *file;         // as it was named
    const char *name, *doc;   // doc: "" if there is none
    double end, step, record; // s
    int vehicle_count, platoon_count, model_count, controller_count, event_count;
    int lane_count;
    int warning_count;
    bool has_log; // commands of a live run are in it
} mc_scenario_info;

mc_scenario *mc_scenario_load(const char *path, mc_error *error); // NULL: see *error
// The same from memory. path names it in messages, and its folder is where the files it names are
// looked for; NULL: it may name none.
mc_scenario *mc_scenario_parse(const char *text, size_t length, const char *path, mc_error *error);
// Of files that came together, possibly from a network: the files it names are looked for in the
// folder of path alone, by their names without folders.
mc_scenario *mc_scenario_parse_bundle(const char *text, size_t length, const char *path,
                                      mc_error *error);
// Runs made of a scenario keep what they need of it: it may be freed before them.
void mc_scenario_free(mc_scenario *s);

// A scenario file that gives this scenario: the text that was read, or, after edits and
// mc_scenario_set, one that was written from it (without its comments). Lives as long as s; until
// the next mc_scenario_set.
const char *mc_scenario_text(const mc_scenario *s);

// A file the scenario names, as it was when the scenario was read.
typedef struct mc_scenario_file {
    const char *path;
    unsigned long long hash; // of its contents
} mc_scenario_file;
bool mc_scenario_file_at(const mc_scenario *s, int index,
                         mc_scenario_file *out); // false: past the end

// Another version; NULL: see *error, which names the edit and what is allowed. at: the time at
// which cars added by the edit appear, s; 0 or NAN: at the start, where they must not overlap
// another car. The version has no section `log`: that is what was done to the version before.
mc_scenario *mc_scenario_edit(const mc_scenario *s, const char *edit, mc_error *error);
mc_scenario *mc_scenario_edit_at(const mc_scenario *s, double at, const char *edit,
                                 mc_error *error);

// Another value of a number, NAME=VALUE: "mass=2400 kg" (every model and law that has it),
// "follow.k1=0.8" (one model, controller or vehicle), "road.speed=25", "time.end=30". Before runs
// are made from the scenario.
mc_status mc_scenario_set(mc_scenario *s, const char *text, mc_error *error);

const mc_scenario_info *mc_scenario_info_of(const mc_scenario *s);
// Its road (road.h), which lives as long as the scenario.
const struct mc_road *mc_scenario_road(const mc_scenario *s);
// The DYNAVIS ramp file that its ramps come from, byte for byte; NULL: they come from none.
const char *mc_scenario_ramp_lines(const mc_scenario *s, size_t *size);
// The lists of its road as they are written, for editors that change an entry and give the whole
// list back as an edit: {"sections": [...], "ramps": [...]}, JSON. To be freed; NULL: no memory.
char *mc_scenario_road_json(const mc_scenario *s);
const char *mc_scenario_warning(const mc_scenario *s, int i); // "file:line:column: text"; NULL: end
// Paths of the files it names (mechanisms, car files, drivers), from the working directory. NULL:
// end.
const char *mc_scenario_file_name(const mc_scenario *s, int i);

// A formula of `expect:` or `stop:`, and its position in the file.
typedef struct mc_scenario_line {
    const char *formula;
    int line, column;
} mc_scenario_line;
int mc_scenario_expect_at(const mc_scenario *s, int index, mc_scenario_line *out); // 0: past the
int mc_scenario_stop_at(const mc_scenario *s, int index, mc_scenario_line *out);   // end
// Channels that `record:` names; NULL: past the last. None: all are recorded.
const char *mc_scenario_channel_at(const mc_scenario *s, int index);

// Tables of parameters of everything a scenario is made of, for help and forms; laws have theirs in
// laws.h. They live as long as the program.
typedef struct mc_table {
    const char *name;  // "road", "inner", "radio", of a vehicle type or a powertrain its name, ...
    const char *group; // of mc_run_param that has its rows; "": none
    const char *title; // "the road", "a powertrain", ...: for people
    const mc_param *rows;
    int count;
} mc_table;
bool mc_table_at(int index, mc_table *out); // false: past the end, *out is untouched

// The JSON Schema of scenario files.
mc_status mc_scenario_write_schema(FILE *out, mc_error *error);

#include "motorcade/end.h"
