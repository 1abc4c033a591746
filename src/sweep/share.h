// share.h - a sweep whose runs are shared out among processes.
//
// One process keeps the journal. It hands out runs, does some itself, and adds the rows that others
// send. The others are helpers: they open the same sweep without a journal and do runs until there
// are none left. How they talk to each other is not known here.
//
// A row depends on its run alone, and the table is sorted by run: who did which does not show.
#pragma once

#include "motorcade/sweep.h"

enum { SWEEP_ROW_SIZE = 4096 }; // bytes of a row at most, with its newline

// ---- the process with the journal, made by mc_sweep_open ----

mc_status sweep_begin(mc_sweep *sweep, const mc_watch *watch, mc_error *error);
// Up to `max` of the runs that are missing, in order; 0: none are left, or a stop was requested.
// Any thread.
int sweep_hand_out(mc_sweep *sweep, int max, const int **runs);
int sweep_left(const mc_sweep *sweep); // runs not handed out yet; any thread
// Does what is not handed out to others, on its own threads; returns when nothing is left.
mc_status sweep_work(mc_sweep *sweep, mc_error *error);
// A row that was done elsewhere; any thread.
mc_status sweep_add(mc_sweep *sweep, int run, const char *row, int length, mc_error *error);
void sweep_fail(mc_sweep *sweep, mc_status status, const mc_error *error); // any thread
// Sorts the table when all rows are present.
mc_status sweep_finish(mc_sweep *sweep, mc_error *error);

// ---- helpers ----

typedef struct sweep_desk { // where runs come from and rows go to; called by several threads
    void *context;
    int (*next)(void *context); // number of a run to do; -1: none left
    mc_status (*take)(void *context, int run, const char *row, int length, mc_error *error);
} sweep_desk;

// The sweep of a request; its table is not opened. Only for the functions below and
// mc_sweep_close.
mc_sweep *sweep_open_helper(const mc_sweep_request *request, mc_error *error);
// Equal in processes whose rows belong to one table. 0: no memory.
unsigned long long sweep_identity(const mc_sweep *sweep);
mc_status sweep_do(mc_sweep *sweep, int run, char row[SWEEP_ROW_SIZE], int *length,
                   mc_error *error);
// Does runs until the desk has none left, on the threads of the request.
mc_status sweep_help(mc_sweep *sweep, const sweep_desk *desk, const mc_watch *watch,
                     mc_error *error);
