// cli.h - what the tests of commands share: a folder, and `motorcade` called in it.
#pragma once

#include "support/run.h"

extern run_folder folder; // from cli_set_up to cli_tear_down

int cli_set_up(void **state); // for cmocka; a set-up of its own calls it first
int cli_tear_down(void **state);
const char *cli_path(const char *name); // of a file in the folder, until the next call
void cli_copy_medusa(void);             // model.dat and platoon.dat of the manual

// `motorcade ARGUMENTS`, whatever comes of it.
run_result cli_run(const char *arguments);
// The same, to end well; returns what was printed, to be freed.
char *cli_done(const char *arguments);
// The same without a word on standard error.
char *cli_printed(const char *arguments);
// Must be rejected: the exit code, nothing on standard output, only the message on standard
// error...
void cli_rejected(const char *arguments, int code, const char *message);
// ... or among other words.
void cli_rejected_with(const char *arguments, int code, const char *part);

void cli_has(const char *text, const char *part);
void cli_same_files(const char *a, const char *b); // in the folder, byte by byte, not empty
void cli_near(double value, double expected, double tolerance);
