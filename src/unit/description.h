// description.h - modelDescription.xml of a unit of FMI 2.0 or 3.0, read and checked.
//
// What an importer relies on must be there and make sense: the version, the interface for
// co-simulation, names and value references of variables, their start values. The rest of the
// schema is not looked at.
#pragma once

#include "base/arena.h"
#include "motorcade/status.h"
#include "unit/wire.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum unit_causality {
    UNIT_PARAMETER,
    UNIT_INPUT,
    UNIT_OUTPUT,
    UNIT_LOCAL, // and everything else that cannot be set
} unit_causality;

typedef struct unit_variable {
    const char *name, *unit, *doc; // ""
    unsigned reference;
    wire_type type;
    unit_causality causality;
    bool exact;      // has a start value that may be set
    bool array;      // has dimensions: cannot be connected
    double start;    // NAN: none
    double min, max; // equal: no range
} unit_variable;

typedef struct unit_description {
    int version;                   // of FMI: 2 or 3
    bool exchange;                 // for model exchange only, of 3.0
    const char *name, *identifier; // of the model; of its binary
    const char *token;             // guid, instantiationToken
    bool serializes;               // its state can be saved as bytes
    bool any_step;                 // communication steps may differ in length
    double step;                   // s, that communication steps must be multiples of; 0: none
    unit_variable *variables;
    int variable_count;
} unit_description;

// file: for messages. Everything lives in the arena.
mc_status unit_description_read(arena *memory, const char *bytes, size_t size, const char *file,
                                unit_description *out, mc_error *error);

const unit_variable *unit_variable_find(const unit_description *d, const char *name); // NULL: none
