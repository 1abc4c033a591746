// wiring.h - which variables of a unit are connected to what, by name.
//
// The caller has words: signals it can give and values it reads. A variable of the unit with the
// name of a word is connected to it; `connect` gives other names, "gap = sensor.distance". Inputs
// that no word matches keep the start values of the unit. `set` gives start values of parameters
// and of everything else that may be set, "k1 = 0.4".
#pragma once

#include "unit/package.h"

typedef struct unit_pair { // NAME = VALUE
    const char *name, *value;
} unit_pair;

typedef struct unit_pairs {
    const unit_pair *pair;
    int count;
} unit_pairs;

typedef struct unit_word {
    const char *name;
    bool needed; // of values that are read: a unit without it is rejected
} unit_word;

typedef struct unit_port {
    const unit_variable *variable;
    int word;
} unit_port;

typedef struct unit_preset {
    const unit_variable *variable;
    double value;
} unit_preset;

typedef struct unit_wiring {
    unit_package *package;
    // Each in the order of their words. Begins are set once, before the unit is initialized.
    unit_port *inputs, *outputs, *begins;
    unit_preset *starts;
    int input_count, output_count, begin_count, start_count;
    double limit; // s, that a call may take
} unit_wiring;

typedef struct unit_words {
    const unit_word *inputs, *outputs, *begins;
    int input_count, output_count, begin_count;
} unit_words;

// "a = b, c = d" as pairs, in the arena; NULL or "": none. Commas within brackets belong to names.
mc_status unit_pairs_read(arena *memory, const char *text, unit_pairs *out, mc_error *error);

// Everything lives in the arena. MC_BAD_INPUT: a name is unknown, a word is missing.
mc_status unit_wire(arena *memory, unit_package *package, const unit_words *words,
                    const unit_pairs *connect, const unit_pairs *set, unit_wiring *out,
                    mc_error *error);
