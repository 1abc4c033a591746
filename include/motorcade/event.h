// event.h - what can happen to a vehicle or to the roadway during a run: one row per kind.
//
// A scenario's `events:`, the commands of a live run, logs, results files, reports and the studio
// all name events by the words of this table. To add a kind see docs/extend.md.
//
//     const mc_event_kind *kind;
//     for (int i = 0; (kind = mc_event_kind_at(i)); i++)
//         puts(kind->name);
//
// Threads: the table is constant; any thread may read it.
#pragma once

#include "motorcade/param.h"

#include <stdbool.h>

#include "motorcade/begin.h"

// How a report says it: "car3 does", then, where there is a value, `before` value x scale `unit`.
// With words: `before` and word number value.
typedef struct mc_event_sentence {
    const char *does;
    const char *before; // NULL: the value is not told
    double scale;
    const char *unit;
    const char *const *words; // NULL: the value is a number
    int word_count;
} mc_event_sentence;

typedef struct mc_event_kind {
    const char *name;      // the word of a scenario
    const char *label;     // for a form; NULL: not a fault
    const mc_param *value; // unit, range and meaning of its number; NULL: it takes none, or a name
    bool roadway;          // happens to the roadway, else to a vehicle
    bool fault;            // may end after a time
    const char *end_name;  // of what happens then: "brake_lost_ends"; NULL: not a fault
    bool optional;         // its number may be left out
    bool shaped;           // may have a shape over time: "sine 0.2 Hz for 5 s"
    mc_event_sentence begins, ends;
} mc_event_kind;

// Kinds in the order of the manual, faults first; NULL past the last.
const mc_event_kind *mc_event_kind_at(int index);
const mc_event_kind *mc_event_kind_find(const char *name); // NULL: unknown

// Names of all that can happen, as results files number it: the kinds, what happens by itself
// (radio_silent, lane_begins, check_in_refused, ...), the ends of faults. NULL: past the last.
const char *mc_event_name(int number);

// The sentence of an event by the name it has in a results file: a kind, a kind with "_ends", or
// what happens by itself (radio_silent, lane_begins, ...). NULL: none is known.
const mc_event_sentence *mc_event_sentence_find(const char *name);

#include "motorcade/end.h"
