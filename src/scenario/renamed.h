// renamed.h - names of 0.1 in a scenario: one warning for the whole of it.
#pragma once

#include "scenario/scenario.h"

// Takes note of an old name that was read; place: of line 0 when it is not in the file. False: no
// memory.
bool scenario_note_renamed(scenario *s, const char *old, scenario_place place);

// The same of those noted last, whose place was not known then.
bool scenario_place_renamed(scenario *s, scenario_place place);

int scenario_warning_count(const scenario *s);
const char *scenario_warning_at(const scenario *s, int index); // NULL past the last
