// event.h - what happened in a branch, as pages list it.
#pragma once

#include "studio/hub/log_entry.h"

#include <jansson.h>

typedef struct hub hub;
typedef struct branch branch;

typedef struct branch_event {
    double t;
    const char *type;
    char vehicle[NAME_SIZE], other[NAME_SIZE];
    char text[160];
    double value;
    char event[32], target[NAME_SIZE]; // of the log entry it came from; "": none
    unsigned long long param;          // hash of its parameter
} branch_event;

// Notes an event, and tells all pages of it once the branch is in the hub's list. By the thread
// that owns the branch.
void event_add(hub *h, branch *b, const branch_event *event);
void event_note_entry(hub *h, branch *b, const log_entry *e,
                      const char *text); // text NULL: its own

// Any thread.
const char *event_type(const char *name); // of an event of a run: "fault", "edit", "command" ...
int event_entry(const log_entry *log, int count, const branch_event *e); // -1: none of them
json_t *event_json(const branch_event *e, int log);
