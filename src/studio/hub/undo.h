// undo.h - what was changed, to be undone and redone: of all pages, last first.
//
// All on the simulation thread. studio/request/undo.c walks through it.
#pragma once

#include "studio/hub/branch.h"
#include "studio/hub/log_entry.h"

typedef struct hub hub;

typedef enum undo_kind { UNDO_FORK, UNDO_LOG, UNDO_GONE } undo_kind;

typedef struct undo_step {
    undo_kind kind;
    int branch;           // that was made, that was removed, or whose log was changed
    branch *gone;         // removed, with its run and its past; NULL: it is in the list
    int parent;           // of a fork
    double at;            // of a fork
    char name[NAME_SIZE]; // of a fork
    bool removed, added;  // of a log: the entry before, the entry after
    log_entry before, after;
    char text[160], by[NAME_SIZE];
    int group; // steps of one number are taken back together; 0: alone
} undo_step;

void undo_push(hub *h, const undo_step *step); // takes what it points to

void undo_forget(hub *h, int number); // all steps that concern a branch which is gone for good

// Removed branches take memory: the oldest goes for good, with all steps that concern it. False:
// there is none.
bool undo_forget_oldest(hub *h);
size_t undo_memory(const hub *h); // of removed branches, bytes
void undo_clear(hub *h);
