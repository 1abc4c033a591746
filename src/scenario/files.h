// files.h - files named by a scenario: read once, kept with it, shared with its later versions.
//
// A scenario consists of its text and of the files it names: mechanisms, car and model files,
// driver commands. Each is read when a key first names it, and its bytes stay with the scenario. A
// version made from a scenario takes the files it names from there. So runs, branches and edits
// open nothing, whatever happens on the disk meanwhile, and hashes of the contents tell whether two
// scenarios are the same.
#pragma once

#include "motorcade/vehicle_type.h"

#include <stdatomic.h>

typedef struct scenario_file {
    mc_file is;
    atomic_int users; // scenarios that hold it, on any thread
} scenario_file;

// The file with one user; NULL: see *error. limit: bytes, as in file_read.
scenario_file *scenario_file_read(const char *path, size_t limit, mc_error *error);
scenario_file *scenario_file_keep(scenario_file *file); // one user more
void scenario_file_release(scenario_file *file);        // one user less; the last one frees it
