// read.h - terrain as a map of YAML: for the key `terrain` of scenarios and of mechanism files.
//
//     terrain:
//       features:
//         - {terms: [{at: 0, power: 1, scale: 0.1}, {at: 1, power: 1, scale: -0.1}], from: 20}
//         - {class: C, seed: 3}
//       friction: 0.9
//       spots: [{from: 40, to: 42, friction: 0.2}]
//
// The keys are rows of one table, from which messages, schemas and the manual are made. Features
// are summed; each has one key that says of what kind it is.
#pragma once

#include "io/schema_writer.h"
#include "reader/reader.h"
#include "road/terrain.h"

typedef enum terrain_section {
    TERRAIN_TOP,
    TERRAIN_FEATURE,
    TERRAIN_TERM,
    TERRAIN_SPOT,
    TERRAIN_SECTION_COUNT,
} terrain_section;

typedef enum terrain_form { // how a value is written
    TERRAIN_NUMBER,
    TERRAIN_WHOLE,
    TERRAIN_FLAG,
    TERRAIN_TEXT,
    TERRAIN_FORMULA,
    TERRAIN_ROWS,  // a list of rows of two or three numbers
    TERRAIN_WORD,  // a side
    TERRAIN_CLASS, // A .. H
    TERRAIN_SHAPE, // the name of a closed form
    TERRAIN_LIST,  // of maps of a section
} terrain_form;

typedef struct terrain_key {
    terrain_section section;
    const char *name;
    terrain_form form;
    terrain_section sub;
    const char *unit;
    double fallback, min, max;
    const char *doc;
} terrain_key;

const terrain_key *terrain_key_at(int i);
const char *terrain_section_name(terrain_section section);

// Another file that the map names: its bytes and its name; false: rejected already.
typedef struct terrain_files {
    void *context;
    bool (*take)(void *context, const yaml_node *node, const char **bytes, size_t *size,
                 const char **path);
} terrain_files;

// The terrain of a map, in the memory of the reader; NULL: rejected. files NULL: it may name none.
const road_terrain *terrain_read(reader *r, const yaml_node *map, const terrain_files *files);

// Definitions terrain, terrain_feature, terrain_term and terrain_spot of a JSON Schema.
void terrain_write_schema(schema_writer *j);
