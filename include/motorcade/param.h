// param.h - one row per parameter; readers, range checks, manuals and forms are made from the rows.
//
// Threads: rows of the library's own tables are constant and may be read from any thread.
#pragma once

typedef struct mc_param {
    const char *name; // the word a user writes
    const char *unit; // SI, "-" for a pure number
    double fallback;  // value when the user gives none; NAN: the user must give one
    double min, max;  // allowed range, both ends included
    const char *doc;  // one line for the manual
} mc_param;
