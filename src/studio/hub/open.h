// open.h - files become branches.
//
// A file is read on the answers thread, however long that takes; the simulation thread then puts it
// into the hub's list. A scenario from a page can name no other files.
#pragma once

#include "studio/hub/branch.h"

typedef struct opened { // a file that was read, not yet a branch
    mc_run *run;
    branch *branch; // ready, with its history (of a recording); or NULL
    char *title, *file;
    bool beside;
    double t;                // s, of a saved state: simulated to there
    unsigned long long hash; // of the state there
    log_entry *script;       // its commands
    int script_count;
} opened;

// What a file is, by the end of its name in either case.
bool open_ends_in(const char *name, const char *end);
bool open_is_scenario(const char *name); // .yaml, .yml
bool open_is_state(const char *name);    // .mcstate

// How a platoon of MEDUSA is to run: words of mc_medusa_live and of schemes; "": as usual.
typedef struct open_choice {
    const char *scheme, *contact, *equilibrium;
} open_choice;
// A platoon file of MEDUSA as a running world. with: its model file; NULL: the one beside it,
// NAME.dat of NAME_platoon.dat or model.dat.
// bundle: both came from a page.
opened *open_medusa(hub *h, const char *path, const char *with, const open_choice *choice,
                    bool bundle, const char *shown, mc_error *error);

// By the end of the name that is shown, a platoon of MEDUSA by its first word; NULL: see *error.
// with: a file that belongs to it, or NULL.
opened *open_path(hub *h, const char *path, const char *with, const char *shown, mc_error *error);
opened *open_text(hub *h, const char *text, size_t length, const char *shown, mc_error *error);
opened *open_scenario(hub *h, mc_scenario *s, const char *shown, mc_error *error); // takes s
// The commands of the run's log become the script of the new branch, which gives them when their
// step comes: changes in between do not cut them off.
bool open_take_script(opened *o, mc_error *error); // false: no memory
struct bench;
// Takes m. NULL: see *error.
opened *open_bench(struct bench *m, const char *shown, mc_error *error);
opened *open_recording(hub *h, const char *path, const char *with, const char *shown,
                       mc_error *error);
// Whether a file is in one of the folders given at start; so is all the user opens with the studio.
bool open_allowed(hub *h, const char *path);

void opened_free(opened *o);
void opened_make_place(hub *h,
                       opened *o); // simulation thread, before it: says whether it stands beside
bool opened_install(hub *h, opened *o, int *number, mc_error *error); // simulation thread; takes it
