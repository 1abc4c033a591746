// export_results.h - a branch as a results file, the one that `motorcade run -o` writes.
#pragma once

#include "motorcade/run.h"

// The run from its start to where it is, simulated again from its scenario and its log and
// recorded; bounded in work and size. Returns the file in base64, to be freed; NULL: see *error.
// folder: for a temporary file.
char *export_results(const mc_run *run, const char *folder, mc_error *error);
