// keys.h - the keys of scenario files: one table for reader, messages, schema and manual.
//
// A section is a kind of map of the file. Some sections also take every name of a table of
// parameters: a controller those of its law. The keys of a model are those of its vehicle type
// (model_keys.h).
#pragma once

#include "motorcade/param.h"

#include <stdbool.h>

typedef enum scenario_section {
    SECTION_TOP,
    SECTION_TIME,
    SECTION_ROAD,
    SECTION_ROAD_PROFILE,
    SECTION_GRADE,
    SECTION_FRICTION,
    SECTION_ROAD_LINE,
    SECTION_BANK,
    SECTION_ROAD_SECTION,
    SECTION_RAMP,
    SECTION_ERSC,
    SECTION_CONTACT,
    SECTION_OBSTACLE,
    SECTION_PROFILE,
    SECTION_MODEL,
    SECTION_POWERTRAIN,
    SECTION_TYRE,
    SECTION_TYRE_LAW,
    SECTION_TYRE_STATE,
    SECTION_CONTROLLER,
    SECTION_FALLBACK,
    SECTION_LAW,
    SECTION_STEERING,
    SECTION_STEERING_LAW,
    SECTION_PARAMETER,
    SECTION_STATE,
    SECTION_LINEAR,
    SECTION_INNER,
    SECTION_RADIO,
    SECTION_SENSOR,
    SECTION_AVOID,
    SECTION_LANE_CHANGE,
    SECTION_FMU,
    SECTION_ESTIMATOR,
    SECTION_ESTIMATOR_METHOD,
    SECTION_PLATOON,
    SECTION_LEADER,
    SECTION_CARS,
    SECTION_VEHICLE,
    SECTION_SOURCE,
    SECTION_EVENT,
    SECTION_DRIVE,
    SECTION_RECORD,
    SECTION_COUNT,
} scenario_section;

typedef enum scenario_type { // what follows the colon
    TYPE_NUMBER,             // with a unit if it has one
    TYPE_WHOLE,              // a whole number
    TYPE_TEXT,
    TYPE_FLAG,     // true or false
    TYPE_FORMULA,  // see docs/formulas.md
    TYPE_TEXTS,    // one text or a list of them
    TYPE_MATRIX,   // a list of rows of numbers
    TYPE_MAP,      // of the keys of `sub`
    TYPE_NAMED,    // a map from names to maps of `sub`
    TYPE_LIST,     // a list of maps of `sub`
    TYPE_FORMULAS, // a map from names to formulas
    TYPE_VALUES,   // a map from names to numbers
    TYPE_PROFILE,  // a profile: a word, a speed or a map of `sub`
    TYPE_LAW,      // a law: a word or a map of `sub`
    TYPE_TERRAIN,  // a map of terrain_file/read.h
    TYPE_LISTEN,   // a list of front, behind, leader and whole numbers
} scenario_type;

typedef struct scenario_key {
    scenario_section section;
    const char *name;
    scenario_type type;
    bool needed;
    scenario_section sub; // of TYPE_MAP, TYPE_NAMED, TYPE_LIST
    const char *unit;     // of a number; "": not a number
    double fallback;      // of a number that is left out; NAN: see doc
    double min, max;
    const char *doc;
} scenario_key;

const scenario_key *scenario_key_at(int i); // NULL past the last
const scenario_key *scenario_key_find(scenario_section section, const char *name); // NULL: none

// What a map of the section is called in messages and in the manual: "a model", "an event".
const char *scenario_section_name(scenario_section section);

// Parameters that are keys of the section too; NULL: none, or they depend on the file (law,
// powertrain).
const mc_param *scenario_section_params(scenario_section section, int *count);
