// log_entry.h - a command or an edit, kept apart from a run.
//
// Plain data: of the thread that has it.
#pragma once

#include "motorcade/run.h"
#include "studio/hub/limits.h"

typedef struct log_entry {
    double t;
    long long step; // of a script: given at this step; 0: at its time
    char event[32], vehicle[NAME_SIZE], by[NAME_SIZE];
    char *param; // "" allowed; owned
    double value;
    mc_inputs inputs;
} log_entry;

bool log_entry_copy(log_entry *to, const log_entry *from); // false: no memory
void log_entry_free(log_entry *e);
void log_entry_free_all(log_entry *entries, int count); // and the list
bool log_entry_same(const log_entry *a, const log_entry *b);
