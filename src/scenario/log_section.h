// log_section.h - the section `log:` of a scenario file: commands of a live run, in the CSV form of
// its log (run/log_csv.h).
//
// A file with its log repeats a run: the scenario as it began, and what was done to it. The section
// is put into the text and taken out of it as lines, so the rest of the file keeps its comments. A
// text for which that does not work (a map in braces, say) is written again from its tree.
#pragma once

#include "base/arena.h"
#include "motorcade/status.h"

// The text of a scenario with this log instead of its own; "": without a log. In the arena. NULL:
// see *error.
const char *scenario_text_with_log(const char *text, const char *log, arena *memory,
                                   mc_error *error);
