// edit.h - another version of a scenario: one edit, as a YAML map in one line or a JSON
// object (motorcade/scenario.h lists what it may say).
//
// The edit is done on the text of the scenario, as a tree; the result is written, read again with
// all checks, and is a scenario file of its own. So a version can be shared, and an edit can do
// nothing that a file could not say. Vehicles of a repeated group become entries of their own with
// the same names as soon as an edit speaks of one.
//
// Edits cannot name files: they may come from a network.
#pragma once

#include "scenario/scenario.h"

// at: s, when added cars join; 0: they are there from the start. sets: numbers by name that were
// given to the scenario after it was read. NULL: see *error; a message begins with the edit's key.
scenario *scenario_edit(const scenario *s, const char *const *sets, int set_count, double at,
                        const char *edit, mc_error *error);

// The text of a scenario with such numbers in it; in the arena. NULL: no memory.
const char *scenario_text_with(const scenario *s, const char *const *sets, int set_count,
                               arena *memory);
