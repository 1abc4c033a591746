// process.h - the process of a unit: started, asked, ended.
#pragma once

#include "base/bytes.h"
#include "motorcade/status.h"
#include "unit/wire.h"

typedef struct unit_process unit_process;

typedef struct unit_part { // of the body of a call
    const void *data;
    size_t size;
} unit_part;

// name: of the unit, for messages; limit: s, that a call may take.
unit_process *unit_process_start(const char *name, double limit, mc_error *error);
void unit_process_end(unit_process *p); // kills it; NULL is allowed

// The answer replaces what `answer` has. what: "in a step at t = 3 s", for messages.
mc_status unit_process_call(unit_process *p, wire_call call, const unit_part *parts, int part_count,
                            bytes *answer, const char *what, mc_error *error);
