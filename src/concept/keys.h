// keys.h - the keys of concept files: one table, from which messages, ranges, the JSON Schema and
// the manual are made.
#pragma once

#include <stdbool.h>

typedef enum concept_section_id {
    CONCEPT_TOP,
    CONCEPT_MATERIAL,
    CONCEPT_ASSEMBLY,
    CONCEPT_BEAM,
    CONCEPT_SECTION,
    CONCEPT_PANEL,
    CONCEPT_COMPONENT,
    CONCEPT_CYLINDER,
    CONCEPT_EXTRUSION,
    CONCEPT_MESH,
    CONCEPT_TANK,
    CONCEPT_BUILD_OUT,
    CONCEPT_CONNECTION,
    CONCEPT_POINT,
    CONCEPT_AXLE,
    CONCEPT_LINK, // part of a template
    CONCEPT_SPRING,
    CONCEPT_DAMPER,
    CONCEPT_WHEEL,
    CONCEPT_TYRE,
    CONCEPT_RACK,
    CONCEPT_DRIVE,
    CONCEPT_SIMULATE,
    CONCEPT_ROAD,
    CONCEPT_BUMP,
    CONCEPT_SECTION_COUNT,
} concept_section_id;

enum { // how the value of a key is written
    CONCEPT_NUMBER,
    CONCEPT_TEXT,
    CONCEPT_WORD,         // one of `words`
    CONCEPT_FLAG,         // true or false
    CONCEPT_VECTOR,       // three numbers
    CONCEPT_AXIS,         // x, -y, ..., or three numbers
    CONCEPT_NUMBERS,      // three numbers, or six
    CONCEPT_POINTS,       // list of places
    CONCEPT_PAIRS,        // list of two curves or list of pairs of numbers
    CONCEPT_TURN,         // quaternion or {sequence, angles}
    CONCEPT_NAMES,        // list of names, or all
    CONCEPT_ANY,          // as the kind says
    CONCEPT_MAP = 32,     // + section: a map
    CONCEPT_EACH = 64,    // + section: a map from names of the user to maps
    CONCEPT_VALUES = 128, // map from names of the template to something
};

typedef struct concept_key {
    concept_section_id section;
    const char *name;
    const char *unit; // "": no number, or any
    const char *doc;
    int value;
    bool needed;
    double min, max; // of a number, SI; both 0: any
} concept_key;

const concept_key *concept_key_at(int i); // NULL past the last
const concept_key *concept_key_find(concept_section_id section, const char *name);
const char *concept_section_name(concept_section_id section); // "a beam"
