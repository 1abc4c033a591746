// connection.h - kinds of connections: edges of the graph.
//
// A row says which keys a kind has and needs; the reader, the schema and the manual follow. A kind
// of joint has the name that mechanism files use.
#pragma once

#include "concept/concept.h"

typedef enum connection_key {
    CONNECTION_PARTS,
    CONNECTION_AT,
    CONNECTION_TO_AT,
    CONNECTION_AXIS,
    CONNECTION_TO_AXIS,
    CONNECTION_STIFFNESS,
    CONNECTION_STIFFNESS_3, // key stiffness, three numbers
    CONNECTION_DAMPING,
    CONNECTION_DAMPING_3,
    CONNECTION_REST,
    CONNECTION_LENGTH,
    CONNECTION_LOAD_AT_DESIGN, // key preload
    CONNECTION_CURVE,
    CONNECTION_MIN,
    CONNECTION_MAX,
    CONNECTION_LOAD,
    CONNECTION_STATE,
    CONNECTION_ANGLE,
    CONNECTION_FREE,
    CONNECTION_KEY_COUNT,
} connection_key;

typedef struct connection_kind {
    const char *name, *doc;
    concept_class class;
    const char *joint; // of the mechanism; NULL: none
    unsigned keys;     // bits of connection_key that it may have,
    unsigned needs;    // and must have
    bool in_tree;      // can be the joint of a body
    int velocities;    // in the tree
} connection_kind;

extern const char *const connection_key_names[CONNECTION_KEY_COUNT];

const connection_kind *connection_kind_at(int i); // NULL past the last
const connection_kind *connection_kind_find(const char *name);
