// detail.h - what --verbose and --debug print about a run, to stderr: results stay what they are.
#pragma once

#include "cli/options.h"
#include "motorcade/run.h"

typedef struct cli_detail {
    bool verbose; // what was read, and how it runs
    bool debug;   // that, and every parameter in force
} cli_detail;

// Rows of option tables, whose requests have a cli_detail called detail.
// clang-format off
#define CLI_DETAIL                                                                                 \
    {0, "verbose", NULL, "print what was read and how it runs", CLI_TO(detail.verbose)},           \
    {0, "debug", NULL, "the same, and every parameter of every vehicle", CLI_TO(detail.debug)}
// clang-format on

// The machine: version, vector code, threads (0: all cores).
void detail_machine(const cli_detail *detail, int threads);

void detail_run(const cli_detail *detail, const mc_scenario *scenario, const mc_run *run);

// The same of a scenario that another part will run: it is read for this.
mc_status detail_file(const cli_detail *detail, const char *path, mc_error *error);
