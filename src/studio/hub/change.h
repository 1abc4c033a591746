// change.h - a change of a branch at an instant: at the live end it happens at the next step;
// before it a branch is forked that starts there with the change. What was done is kept to be
// undone.
//
// All of the simulation thread.
#pragma once

#include "studio/hub/branch.h"
#include "studio/hub/request.h"

typedef struct change {
    branch *branch;      // where it happens
    bool branched;       // that branch is new and not in the hub's list yet
    double at;           // s
    const char *vehicle; // that came with it; NULL: none
    const char *note;    // what is to be said of it in the answer; NULL: nothing
} change;

// Waits until a branch that is still being simulated has reached an instant. False: r->again, or
// answered with an error, since that takes too long.
bool change_wait(request *r, branch *b, double at);
// text says what is done; at NAN: the live end. False: rejected, or r->again.
bool change_begin(request *r, branch *b, double at, const char *text, change *out);
// Gives the command or edit. False: rejected, and the change is over.
bool change_give(request *r, change *c, const log_entry *entry);
void change_abandon(change *c);
// Puts a branch into the list, notes the change for undo (entry NULL: only a fork can be undone),
// tells all pages. False: rejected, there is no room for another branch.
bool change_end(request *r, change *c, const log_entry *entry, const char *text);
// The same of several commands that were given at once; they are undone at once.
bool change_end_all(request *r, change *c, const log_entry *entries, int count, const char *text);
void change_tell(request *r, const change *c, const char *text); // to the other pages
void change_answer(request *r, const change *c);                 // of a change that ended
