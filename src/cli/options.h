// options.h - command lines from one table: reading, storing, help text and error messages.
//
// Short options take their value without a space (-t10), as in the MEDUSA manual; long ones after
// '=' or as the next word (--digits 9). A value called " N", with a blank, may follow its letter as
// the next word too (-m 1). No value is empty.
//
// A row says where its value goes: CLI_TO(member), for a number with its range CLI_WITHIN, or by a
// function of the command CLI_BY. Words that are not options go where the last row says:
//
//     typedef struct request { // the name the macros know
//         const char *file, *output;
//         int threads;
//         bool help;
//     } request;
//     static const cli_option options[] = {
//         {'o', "output", " FILE", "file to write", CLI_TO(output)},
//         {0, "threads", "N", "threads to use", CLI_WITHIN(threads, 1, 1024)},
//         CLI_HELP,
//         CLI_ONE_WORD(file, "one file at a time: \"%s\" after \"%s\""),
//     };
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_option cli_option;

// Stores the value of an option, NULL for a flag, at its place in the request. Fills *error and
// returns MC_BAD_INPUT to reject it.
typedef mc_status cli_take(void *place, const cli_option *option, const char *value,
                           mc_error *error);

struct cli_option {
    char letter;       // 0: none
    const char *name;  // long name without dashes; NULL: none
    const char *value; // what the value is called in the help, NULL for a flag
    const char *doc;
    cli_take *take;
    size_t place;    // of what `take` fills, from the start of the request
    double min, max; // of a number; max: the largest count of a cli_words
};

enum { CLI_WORDS_MAX = 256 };

typedef struct cli_words { // of an option that may be repeated
    const char *word[CLI_WORDS_MAX];
    int count;
} cli_words;

cli_take cli_take_text;    // const char *
cli_take cli_take_number;  // double
cli_take cli_take_integer; // int; 1 for a flag
cli_take cli_take_flag;    // bool
cli_take cli_take_words;   // cli_words
cli_take cli_take_one;     // const char *, given at most once
cli_take cli_take_none;    // rejects every word
cli_take cli_take_compile; // mc_compile: now, background or never

#define CLI_WITHIN(member, low, high)                                                              \
    _Generic(((request *)0)->member,                                                               \
        const char *: cli_take_text,                                                               \
        double: cli_take_number,                                                                   \
        int: cli_take_integer,                                                                     \
        bool: cli_take_flag,                                                                       \
        cli_words: cli_take_words),                                                                \
        offsetof(request, member), low, high
#define CLI_TO(member) CLI_WITHIN(member, 0, 0)
#define CLI_BY(take, member) take, offsetof(request, member), 0, 0
#define CLI_BY_ALL(take) take, 0, 0, 0 // its place is the whole request
// Versions of clang-format disagree about braces in macros.
// clang-format off
#define CLI_HELP {'h', "help", NULL, "print this list", CLI_TO(help)}

// Last rows. text: the error message; its first %s is the word, the second the one before.
#define CLI_ONE_WORD(member, text) {0, NULL, NULL, text, CLI_BY(cli_take_one, member)}
#define CLI_NO_WORD(text) {0, NULL, NULL, text, CLI_BY_ALL(cli_take_none)}
#define CLI_EACH_WORD(take) {0, NULL, NULL, NULL, take}
// clang-format on

mc_status cli_read(int argc, char **argv, const cli_option *options, void *request,
                   mc_error *error);

void cli_print_option(const cli_option *option);
void cli_print_options(const cli_option *options);

// Values: the whole text must be a number in the range; the message names option and range.
mc_status cli_number(const char *option, const char *text, double min, double max, double *value,
                     mc_error *error);
mc_status cli_integer(const char *option, const char *text, int min, int max, int *value,
                      mc_error *error);

// Prints a warning to stderr when a name of an option is that of version 0.1, which is still read.
void cli_warn_renamed(const char *name);

// NAME=NUMBER of an option that may be repeated.
enum { CLI_SETTINGS_MAX = 32 };
typedef struct cli_settings {
    char text[CLI_SETTINGS_MAX][64];
    const char *names[CLI_SETTINGS_MAX]; // into text
    double values[CLI_SETTINGS_MAX];
    int count;
} cli_settings;
// example: for the message, "k1=1".
mc_status cli_add_setting(cli_settings *settings, const char *example, int max, const char *value,
                          mc_error *error);

// Prints "file:line:column: text" or "program: text" to stderr, below it the excerpt and a caret if
// the error has them; returns the exit code.
int cli_fail(const char *program, const mc_error *error);

// "out/run.h5" -> "out/run.svg"; freed by the caller; NULL: no memory.
char *cli_name_beside(const char *path, const char *ending);

// Fails when a file of that name could not be made or replaced; leaves nothing behind.
mc_status cli_check_writable(const char *path, mc_error *error);

// The words of a command after its name, for the record; freed by the caller; NULL: no memory.
char *cli_command_text(const char *name, int argc, char **argv);
