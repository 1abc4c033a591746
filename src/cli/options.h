// options.h - command lines from one table: reading, help text and error messages.
//
// Short options take their value without a space (-t10), as in the MEDUSA manual; long ones after
// '=' or as the next word (--digits 9). A value called " N", with a blank, may follow its letter as
// the next word too (-m 1). Words that are not options are collected as files. No value is empty.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>

typedef struct cli_option {
    char letter;       // 0: none
    const char *name;  // long name without dashes; NULL: none
    const char *value; // what the value is called in the help, NULL for a flag
    const char *doc;
} cli_option;

// Called for every option found: `option` is its row, value NULL for a flag. Fills *error and
// returns MC_BAD_INPUT to refuse.
typedef mc_status cli_take(void *context, int option, const char *value, mc_error *error);
// Called for every other word.
typedef mc_status cli_take_word(void *context, const char *word, mc_error *error);

mc_status cli_read(int argc, char **argv, const cli_option *options, int option_count,
                   cli_take *take, cli_take_word *take_word, void *context, mc_error *error);

void cli_print_options(const cli_option *options, int option_count);

// Values: the whole text must be a number in the range; the message names option and range.
mc_status cli_number(const char *option, const char *text, double min, double max, double *value,
                     mc_error *error);
mc_status cli_integer(const char *option, const char *text, int min, int max, int *value,
                      mc_error *error);

// Prints "file:line:column: text" or "program: text" to stderr, below it the excerpt and a caret if
// the error has them; returns the exit code.
int cli_fail(const char *program, const mc_error *error);

// Whether two names lead to one file, which may not exist yet. Devices and pipes are no files.
bool cli_same_file(const char *a, const char *b);

// Fails when a file of that name could not be made or replaced; leaves nothing behind.
mc_status cli_check_writable(const char *path, mc_error *error);

// The words of a command after its name, for the record; freed by the caller; NULL: no memory.
char *cli_command_text(const char *name, int argc, char **argv);
