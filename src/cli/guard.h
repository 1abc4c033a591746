// guard.h - no command writes over what it reads, nor one output over another.
//
//     cli_guard g = {0};
//     cli_guard_reads(&g, "the scenario", r.scenario);
//     cli_guard_reads_scenario(&g, scenario); // what it names
//     cli_guard_writes(&g, "-o", r.output);
//     cli_guard_writes_into(&g, "--csv", r.csv);
//     status = cli_guard_check(&g, &error);
//
// Files are compared, not names: by device and inode, so that symbolic and hard links and any
// spelling of a path are seen, and by resolved path where a file does not exist yet. Devices and
// pipes are no files. A path of NULL is an option that is not given. Paths must live until the
// check.
//
// A label that starts with '-' is an option, and is shown as "the file read by --models"; others
// are shown as they are.
#pragma once

#include "motorcade/scenario.h"
#include "motorcade/status.h"

#include <stdbool.h>
#include <sys/types.h>

typedef enum cli_guard_use {
    CLI_GUARD_FILE,
    CLI_GUARD_RESULTS, // with the further files of a results file: run.0001.h5, run.impacts.0001.h5
    CLI_GUARD_FOLDER,  // CSV files in it, of any name
} cli_guard_use;

typedef struct cli_guarded {
    const char *label, *path;
    cli_guard_use use;
    bool written, named; // named: by the scenario
    bool exists;         // as a plain file, this one:
    dev_t device;
    ino_t inode;
} cli_guarded;

typedef struct cli_guard {
    cli_guarded *files;
    int count;
    bool failed; // no memory
} cli_guard;

void cli_guard_reads(cli_guard *g, const char *label, const char *path);
void cli_guard_reads_results(cli_guard *g, const char *label, const char *path);
void cli_guard_reads_scenario(cli_guard *g, const mc_scenario *scenario); // NULL is allowed
void cli_guard_writes(cli_guard *g, const char *label, const char *path);
void cli_guard_writes_results(cli_guard *g, const char *label, const char *path);
void cli_guard_writes_into(cli_guard *g, const char *label, const char *folder);

mc_status cli_guard_check(cli_guard *g, mc_error *error); // and frees it

bool cli_guard_same(const char *a, const char *b); // one file, which may not exist yet
