// sweep.h - the command `sweep` where something else plays the sweep: several processes.
#pragma once

#include "motorcade/sweep.h"

typedef struct cli_sweep_host {
    void *context;
    // Instead of mc_sweep_play, in the process that has the table.
    mc_status (*play)(void *context, mc_sweep *sweep, const mc_watch *watch, mc_error *error);
    // In the others, which only do runs.
    mc_status (*help)(void *context, const mc_sweep_request *request, mc_error *error);
} cli_sweep_host;

// The whole command; returns its exit code. host->play is not called when there is nothing to play.
int cli_sweep_hosted(int argc, char **argv, const cli_sweep_host *host);
// Reads the same words, prints nothing, and calls host->help.
mc_status cli_sweep_help(int argc, char **argv, const cli_sweep_host *host, mc_error *error);
