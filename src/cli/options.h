// options.h - command lines from one table: reading, storing, help text and error messages.
//
// Short options take their value without a space (-t10), as in the MEDUSA manual; long ones after
// '=' or as the next word (--digits 9). A value called " N", with a blank, may follow its letter as
// the next word too (-m 1). No value is empty.
//
// A row says where its value goes: CLI_TO(member), for a number with its range CLI_WITHIN, or by a
// function of the command CLI_BY. Words that are no options go where the last row says:
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
// returns MC_BAD_INPUT to refuse.
typedef mc_status cli_take(void *place, const cli_option *option, const char *value,
                           mc_error *error);

struct cli_option {
    char letter;       // 0: none
    const char *name;  // long name without dashes; NULL: none
    const char *value; // what the value is called in the help, NULL for a flag
    const char *doc;
    cli_take *take;
    size_t place;    // of what `take` fills, from the start of the request
    double min, max; // of a number; max: the most words of a cli_words
};

enum { CLI_WORDS_MOST = 256 };

typedef struct cli_words { // of an option that may be repeated
    const char *word[CLI_WORDS_MOST];
    int count;
} cli_words;

cli_take cli_take_text;    // const char *
cli_take cli_take_number;  // double
cli_take cli_take_integer; // int; 1 for a flag
cli_take cli_take_flag;    // bool
cli_take cli_take_words;   // cli_words
cli_take cli_take_one;     // const char *, given once
cli_take cli_take_none;    // refuses

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
#define CLI_HELP                                                                                   \
    {                                                                                              \
        'h', "help", NULL, "prints this list", CLI_TO(help)                                        \
    }

// Last rows. text: the refusal; its first %s is the word, the second the one before.
#define CLI_ONE_WORD(member, text)                                                                 \
    {                                                                                              \
        0, NULL, NULL, text, CLI_BY(cli_take_one, member)                                          \
    }
#define CLI_NO_WORD(text)                                                                          \
    {                                                                                              \
        0, NULL, NULL, text, CLI_BY_ALL(cli_take_none)                                             \
    }
#define CLI_EACH_WORD(take)                                                                        \
    {                                                                                              \
        0, NULL, NULL, NULL, take                                                                  \
    }

mc_status cli_read(int argc, char **argv, const cli_option *options, void *request,
                   mc_error *error);

void cli_print_option(const cli_option *option);
void cli_print_options(const cli_option *options);

// Values: the whole text must be a number in the range; the message names option and range.
mc_status cli_number(const char *option, const char *text, double min, double max, double *value,
                     mc_error *error);
mc_status cli_integer(const char *option, const char *text, int min, int max, int *value,
                      mc_error *error);

// NAME=NUMBER of an option that may be repeated.
enum { CLI_SETTINGS_MOST = 32 };
typedef struct cli_settings {
    char text[CLI_SETTINGS_MOST][64];
    const char *names[CLI_SETTINGS_MOST]; // into text
    double values[CLI_SETTINGS_MOST];
    int count;
} cli_settings;
// example: for the message, "k1=1".
mc_status cli_add_setting(cli_settings *settings, const char *example, int most, const char *value,
                          mc_error *error);

// Prints "file:line:column: text" or "program: text" to stderr, below it the excerpt and a caret if
// the error has them; returns the exit code.
int cli_fail(const char *program, const mc_error *error);

// Whether two names lead to one file, which may not exist yet. Devices and pipes are no files.
bool cli_same_file(const char *a, const char *b);

// Files of a command, those it reads first: no output may take the place of an input or of another
// output. A path is NULL when the option is not given.
typedef struct cli_file {
    const char *option, *path;
} cli_file;
mc_status cli_check_outputs(const cli_file *files, int input_count, int count, mc_error *error);

// "out/run.h5" -> "out/run.svg"; freed by the caller; NULL: no memory.
char *cli_name_beside(const char *path, const char *ending);

// Fails when a file of that name could not be made or replaced; leaves nothing behind.
mc_status cli_check_writable(const char *path, mc_error *error);

// The words of a command after its name, for the record; freed by the caller; NULL: no memory.
char *cli_command_text(const char *name, int argc, char **argv);
