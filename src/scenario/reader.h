// reader.h - what the files of the scenario reader share: values.c takes single values from
// nodes, roads.c the road, models.c types of vehicles, controllers.c and laws.c control laws and
// tyre laws, estimators.c estimators,
// vehicles.c platoons, events.c what happens, check.c looks at the whole, scenario.c reads the
// rest.
//
// The first failure is kept as base.status; later calls do no harm and need no check.
#pragma once

#include "reader/reader.h"
#include "road/lanes.h"
#include "scenario/keys.h"
#include "scenario/scenario.h"

typedef struct scenario_base { // a name that is numbered, and how far
    const char *name;
    int used;
} scenario_base;

typedef struct scenario_reader {
    reader base;
    scenario *s;
    arena scratch;
    const scenario *of; // the version before, whose files are used again; NULL: none
    bool under_way;     // for a resumed run: positions at the start no longer matter
    const char *folder; // of the file, with its slash; "": the working directory. NULL: no file may
                        // be opened
    const scenario_driver *drivers; // read so far
    int file_room;
    int profile_room, vehicle_room, event_room, warning_room, tyre_room;
    scenario_base *bases; // of names of vehicles
    int base_count, base_room;
    const char **by_name; // names of vehicles, sorted: place in it belongs to by_name_index
    int *by_name_index;
    struct settable *settable;  // names that events can set
    struct handover *handovers; // events that give a vehicle another controller or estimator
    int handover_count, handover_room;
    int *last_handover;                     // of each vehicle; -1: none
    bool headway_changes, distance_changes; // events change the roadway's commands
} scenario_reader;

// ---- values ----

// Checks that map is one and has only keys of the section, or of params (NULL: those of
// scenario_section_params).
bool scenario_check_keys(scenario_reader *r, const yaml_node *map, scenario_section section,
                         const mc_param *params, int param_count);
const yaml_node *scenario_need(scenario_reader *r, const yaml_node *map, scenario_section section,
                               const char *key);

// The number of a key, or its fallback; in the unit of the table, within its range.
double scenario_number(scenario_reader *r, const yaml_node *map, scenario_section section,
                       const char *key);
int scenario_whole(scenario_reader *r, const yaml_node *map, scenario_section section,
                   const char *key);
// The unit of a table and one of it in SI. In tables of cars g is that of free fall, not grams.
expr_unit scenario_unit(const char *unit, double *factor);

// Whether text is a number followed by a percent sign; then its fraction.
bool scenario_percent(const char *text, double *value);
// One number against a row: p gives unit and range. percent: as a fraction.
double scenario_value(scenario_reader *r, const yaml_node *node, const mc_param *p);
bool scenario_flag(scenario_reader *r, const yaml_node *map, const char *key, bool fallback);
// Every key of map that is a name of params, into values.
void scenario_params(scenario_reader *r, const yaml_node *map, const mc_param *params, int count,
                     double *values);

// Checked names: of what formulas can speak of, and of anything else.
const char *scenario_name(scenario_reader *r, const yaml_node *key);
const char *scenario_label(scenario_reader *r, const yaml_node *key);
scenario_place scenario_place_of(const yaml_node *node);
// Another file that the scenario names, which keeps it; limit: bytes, as in file_read. NULL on
// failure.
// road_ramps.c: ramps of a road by the keys ramp_file and ramp_lines; false: it has neither.
struct road_plan;
bool scenario_read_ramp_lines(scenario_reader *r, const yaml_node *map, struct road_plan *plan);
const mc_file *scenario_take_file(scenario_reader *r, const yaml_node *node, size_t limit);

// Makes room for one more in a growing array of the arena; false: no memory.
bool scenario_grow(scenario_reader *r, void **array, int count, int *room, size_t size);
#define SCENARIO_GROW(r, array, count, room)                                                       \
    scenario_grow(r, (void **)&(array), count, &(room), sizeof *(array))

// Keys of a map that had another name in 0.1 get that of today, unless the map knows them by the
// old one. Both names in one map are rejected.
typedef bool scenario_knows(const void *context, const char *key);
void scenario_rename_keys(scenario_reader *r, const yaml_node *map, scenario_knows *knows,
                          const void *context);

void scenario_warn(scenario_reader *r, scenario_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The elements of a section that is a map of names or a list; NULL: none.
const yaml_node *scenario_elements(scenario_reader *r, const yaml_node *map, const char *key,
                                   yaml_kind kind, int *count);

// Index of the named item; -1 and an error with the nearest name if there is none.
int scenario_model_index(scenario_reader *r, const yaml_node *node);
int scenario_controller_index(scenario_reader *r, const yaml_node *node);
int scenario_estimator_index(scenario_reader *r, const yaml_node *node);
int scenario_vehicle_index(scenario_reader *r, const yaml_node *node);
// A profile by name, a traffic, a speed or a map: -1 on failure. name: of what is made here.
int scenario_profile_index(scenario_reader *r, const yaml_node *node, const char *name);

// ---- sections ----

void scenario_read_road(scenario_reader *r, const yaml_node *root);
void scenario_read_obstacles(scenario_reader *r, const yaml_node *root);
// Rules of a lane; lanes: of the road.
void scenario_read_section(scenario_reader *r, const yaml_node *map, int lanes,
                           road_lane_stretch *out);
void scenario_read_profiles(scenario_reader *r, const yaml_node *root);
void scenario_read_models(scenario_reader *r, const yaml_node *root);
void scenario_read_controllers(scenario_reader *r, const yaml_node *root);
void scenario_read_ersc(scenario_reader *r, const yaml_node *root); // knows the controllers
void scenario_read_estimators(scenario_reader *r, const yaml_node *root);
void scenario_read_vehicles(scenario_reader *r, const yaml_node *root);
// Vehicles that enter by flow, after the others.
void scenario_read_sources(scenario_reader *r, const yaml_node *root);
// For both: one more vehicle (NULL on failure), a name with the next number, the lane and the path
// of the ramp that a map gives, m of the middle of a vehicle's lane.
scenario_vehicle *scenario_add_vehicle(scenario_reader *r, const yaml_node *node);
const char *scenario_numbered(scenario_reader *r, const char *base);
int scenario_read_lane(scenario_reader *r, const yaml_node *map, scenario_section section);
int scenario_read_ramp(scenario_reader *r, const yaml_node *map, const char *key);
// The number of an off-ramp by its name; -1: none, or on failure.
int scenario_exit_index(scenario_reader *r, const yaml_node *node);
double scenario_lane_middle(const scenario *s, const scenario_vehicle *v);
// What the driver of a file does, read once for all vehicles; NULL on failure.
const scenario_driver *scenario_read_driver(scenario_reader *r, const yaml_node *node);
// Vehicles that have a profile and nothing else to drive them get the law cruise.
void scenario_drive_profiles(scenario_reader *r);
void scenario_sort_events(scenario *s); // by time; those of one instant as in the file
void scenario_read_events(scenario_reader *r, const yaml_node *root);

// The parts of a text that all laws have, of a map of `section`; its parameters are keys of `owner`
// too, its result is the key `result`.
void scenario_law_text(scenario_reader *r, const yaml_node *map, scenario_section section,
                       scenario_section owner, const char *result, law_text *text);
// A line of a law that is not among them, such as active; node NULL: none.
law_line scenario_law_line(scenario_reader *r, const char *name, const yaml_node *node);
// A message about node, at its own place if it has one.
void scenario_reject_by(scenario_reader *r, const yaml_node *node, const mc_error *error);
// The user's own law, or matrices; NULL on failure.
const law_text *scenario_own_law(scenario_reader *r, const yaml_node *map, const char *name);
const law_text *scenario_own_steering(scenario_reader *r, const yaml_node *map, const char *name);
const law_text *scenario_linear_law(scenario_reader *r, const yaml_node *map, const char *name);
// The unit of a controller, kept by the scenario; NULL on failure.
const scenario_fmu *scenario_read_unit(scenario_reader *r, const yaml_node *node);
// The unit of a powertrain; the same.
const scenario_fmu *scenario_read_powertrain_unit(scenario_reader *r, const yaml_node *node);
// The user's own tyre law, kept by the scenario; NULL on failure.
const tyre_kind *scenario_own_tyre(scenario_reader *r, const yaml_node *map);

// ---- the whole ----

// What a car wants to keep from the one in front, bumper to bumper at its speed, m.
double scenario_desired_gap(const scenario *s, const scenario_vehicle *v);
void scenario_check_whole(scenario_reader *r);
