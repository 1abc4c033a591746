// changes.h - changes of worlds, all on the simulation thread.
//
// A change names a world and an instant. At the live end it happens at the next step; before it a
// branch is made that starts there with the change. What was done is kept to be undone.
#pragma once

#include "studio/requests.h"

typedef struct change {
    world *world;        // where it happens
    bool branched;       // that world is new and not in the hub's list yet
    double at;           // s
    const char *vehicle; // that came with it; NULL: none
    const char *note;    // what is to be said of it in the answer; NULL: nothing
} change;

// Reads `world` and `at` of the request; text says what is done. False: refused.
bool change_begin(request *r, const char *text, change *out);
bool change_begin_at(request *r, world *w, double at, const char *text, change *out);
// Gives the command or edit. False: refused, and the change is over.
bool change_give(request *r, change *c, const log_entry *entry);
void change_abandon(change *c);
// Puts a branch into the list, notes the change for undo (entry NULL: only a branch can be undone),
// tells all pages. False: refused, there is no room for another world.
bool change_end(request *r, change *c, const log_entry *entry, const char *text);
// The same of several commands that were given at once; they are undone at once.
bool change_end_all(request *r, change *c, const log_entry *entries, int count, const char *text);
void change_tell(request *r, const change *c, const char *text); // to the other pages
// The answer of a change that ended.
void change_answer(request *r, const change *c);

void undo_push(hub *h, const undo_step *step);

// One edit, from the request to its answer. Takes the edit.
void edit_do(request *r, json_t *edit, const char *text);
// The same of a change that has begun: an edit that is made from what is there is made from
// c->world, which stands at the instant of the change.
void edit_give(request *r, change *c, json_t *edit, const char *text);
// All of a controller but its law, as a scenario has it.
json_t *edit_controller(const mc_run_controller_info *c);

// request_controller.c: law, linear, listen, radio of a controller. False: op is none of these.
bool controller_change(request *r, const char *op);
