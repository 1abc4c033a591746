// options.c - reading a command line.
#include "cli/options.h"

#include "base/file.h"
#include "base/renamed.h"
#include "base/text.h"
#include "motorcade/multibody.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// What the value is called, without the blank that says how it may be written.
static const char *value_name(const cli_option *option)
{
    return option->value + (option->value[0] == ' ');
}

static bool is_last(const cli_option *option)
{
    return !option->letter && !option->name;
}

static mc_status unknown(const char *word, const cli_option *options, mc_error *error)
{
    const char *known[64];
    char names[64][40];
    int count = 0;
    for (const cli_option *o = options; !is_last(o) && count < 64; o++)
        if (o->name) {
            snprintf(names[count], sizeof names[count], "--%s", o->name);
            known[count] = names[count];
            count++;
        }
    char name[40];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    const char *near = word[1] == '-' ? text_nearest(name, known, count) : NULL;
    char other_case[3] = "-";
    for (const cli_option *o = options; !is_last(o) && word[1] != '-'; o++)
        if (o->letter && tolower(o->letter) == tolower((unsigned char)word[1])) {
            other_case[1] = o->letter;
            near = other_case;
        }
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "unknown option \"%s\"%s%s; -h lists them",
                        name, near ? ", did you mean " : "", near ? near : "");
}

static mc_status store(const cli_option *option, void *request, const char *value, mc_error *error)
{
    return option->take((char *)request + option->place, option, value, error);
}

static mc_status take_long(int argc, char **argv, int *at, const cli_option *options, void *request,
                           mc_error *error)
{
    const char *word = argv[*at] + 2;
    const size_t length = strcspn(word, "=");
    for (const cli_option *o = options; !is_last(o); o++) {
        if (!o->name || strlen(o->name) != length || strncmp(o->name, word, length) != 0)
            continue;
        const char *value = word[length] == '=' ? word + length + 1 : NULL;
        if (!o->value && value)
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "option --%s takes no value",
                                o->name);
        if (o->value && !value && *at + 1 < argc)
            value = argv[++*at];
        if (o->value && (!value || value[0] == '\0'))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "option --%s needs a value: %s",
                                o->name, value_name(o));
        return store(o, request, value, error);
    }
    return unknown(argv[*at], options, error);
}

static mc_status take_short(int argc, char **argv, int *at, const cli_option *options,
                            void *request, mc_error *error)
{
    const char *word = argv[*at];
    for (const cli_option *o = options; !is_last(o); o++) {
        if (!o->letter || o->letter != word[1])
            continue;
        if (!o->value && word[2] != '\0')
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "option -%c takes no value, found \"%s\"; letters are not combined",
                                o->letter, word);
        const char *value = o->value ? word + 2 : NULL;
        const bool spaced = o->value && o->value[0] == ' ';
        if (spaced && value[0] == '\0' && *at + 1 < argc)
            value = argv[++*at];
        if (value && value[0] == '\0')
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                spaced
                                    ? "option -%c needs a value: -%c%s"
                                    : "option -%c needs a value right after it, without a space: "
                                      "-%c%s",
                                o->letter, o->letter, o->value);
        return store(o, request, value, error);
    }
    return unknown(word, options, error);
}

mc_status cli_read(int argc, char **argv, const cli_option *options, void *request, mc_error *error)
{
    const cli_option *last = options;
    while (!is_last(last))
        last++;
    mc_status status = MC_OK;
    for (int i = 1; i < argc && status == MC_OK; i++) {
        const char *word = argv[i];
        if (word[0] == '-' && word[1] == '-' && word[2] != '\0')
            status = take_long(argc, argv, &i, options, request, error);
        else if (word[0] == '-' && word[1] != '\0')
            status = take_short(argc, argv, &i, options, request, error);
        else
            status = store(last, request, word, error);
    }
    return status;
}

void cli_print_option(const cli_option *o)
{
    char left[64];
    if (o->letter)
        snprintf(left, sizeof left, "-%c%s%s%s", o->letter, o->value ? o->value : "",
                 o->name ? ", --" : "", o->name ? o->name : "");
    else
        snprintf(left, sizeof left, "--%s%s%s", o->name, o->value ? " " : "",
                 o->value ? value_name(o) : "");
    printf("%-24s %s\n", left, o->doc);
}

void cli_print_options(const cli_option *options)
{
    for (; !is_last(options); options++)
        cli_print_option(options);
}

// ---- values ------------------------------------------------------------------------------------

// "-t" or "--digits", for messages.
static const char *name_of(const cli_option *option, char name[40])
{
    if (is_last(option))
        snprintf(name, 40, "files");
    else if (option->letter)
        snprintf(name, 40, "-%c", option->letter);
    else
        snprintf(name, 40, "--%s", option->name);
    return name;
}

mc_status cli_take_text(void *place, const cli_option *option, const char *value, mc_error *error)
{
    (void)option, (void)error;
    *(const char **)place = value;
    return MC_OK;
}

mc_status cli_take_number(void *place, const cli_option *option, const char *value, mc_error *error)
{
    char name[40];
    return cli_number(name_of(option, name), value, option->min, option->max, place, error);
}

mc_status cli_take_integer(void *place, const cli_option *option, const char *value,
                           mc_error *error)
{
    char name[40];
    if (value)
        return cli_integer(name_of(option, name), value, (int)option->min, (int)option->max, place,
                           error);
    *(int *)place = 1;
    return MC_OK;
}

mc_status cli_take_flag(void *place, const cli_option *option, const char *value, mc_error *error)
{
    (void)option, (void)value, (void)error;
    *(bool *)place = true;
    return MC_OK;
}

mc_status cli_take_words(void *place, const cli_option *option, const char *value, mc_error *error)
{
    char name[40];
    cli_words *words = place;
    if (words->count == (int)option->max)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s: more than %d given",
                            name_of(option, name), words->count);
    words->word[words->count++] = value;
    return MC_OK;
}

mc_status cli_take_one(void *place, const cli_option *option, const char *value, mc_error *error)
{
    const char **word = place;
    if (*word)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, option->doc, value, *word);
    *word = value;
    return MC_OK;
}

mc_status cli_take_none(void *place, const cli_option *option, const char *value, mc_error *error)
{
    (void)place;
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, option->doc, value);
}

mc_status cli_take_compile(void *place, const cli_option *option, const char *value,
                           mc_error *error)
{
    static const char *const names[] = {"now", "background", "never"};
    static const mc_compile when[] = {MC_COMPILE_WAIT, MC_COMPILE_BACKGROUND, MC_COMPILE_NEVER};
    (void)option;
    for (int k = 0; k < 3; k++)
        if (strcmp(value, names[k]) == 0) {
            *(mc_compile *)place = when[k];
            return MC_OK;
        }
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "option --compile: found \"%.60s\", expected now, background or never",
                        value);
}

mc_status cli_number(const char *option, const char *text, double min, double max, double *value,
                     mc_error *error)
{
    double number;
    if (!text_to_double(text, &number))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "option %s: found \"%s\", expected a number", option, text);
    if (!(number >= min && number <= max))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "option %s: %s is out of range, expected %g .. %g", option, text, min,
                            max);
    *value = number;
    return MC_OK;
}

mc_status cli_integer(const char *option, const char *text, int min, int max, int *value,
                      mc_error *error)
{
    int number;
    if (!text_to_int(text, &number) || number < min || number > max)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "option %s: found \"%s\", expected a whole number within %d .. %d",
                            option, text, min, max);
    *value = number;
    return MC_OK;
}

void cli_warn_renamed(const char *name)
{
    char text[200];
    const int index = renamed_index(name);
    if (index >= 0)
        fprintf(stderr, "warning: %s\n", renamed_text(1u << index, text, sizeof text));
}

mc_status cli_add_setting(cli_settings *settings, const char *example, int max, const char *value,
                          mc_error *error)
{
    const char *equals = strchr(value, '=');
    const size_t length = equals ? (size_t)(equals - value) : 0;
    if (length == 0 || length >= sizeof settings->text[0] || !equals[1])
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "option --set: found \"%s\", expected NAME=VALUE (--set %s)", value,
                            example);
    if (settings->count == max)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "option --set: given more than %d times", max);
    const int i = settings->count++;
    memcpy(settings->text[i], value, length);
    settings->names[i] = settings->text[i];
    cli_warn_renamed(settings->text[i]);
    char option[80];
    snprintf(option, sizeof option, "--set %s", settings->text[i]);
    return cli_number(option, equals + 1, -1e9, 1e9, &settings->values[i], error);
}

int cli_fail(const char *program, const mc_error *error)
{
    char line[1024];
    mc_error_format(error, line, sizeof line);
    if (error->file[0] == '\0')
        fprintf(stderr, "%s: %s\n", program, line);
    else
        fprintf(stderr, "%s\n", line);
    if (error->caret > 0) {
        int blanks = 0; // one a character, not one a byte: the caret stands below its place
        for (int i = 0; i < error->caret - 1; i++)
            blanks += ((unsigned char)error->excerpt[i] & 0xc0) != 0x80;
        fprintf(stderr, "    %s\n    %*s^\n", error->excerpt, blanks, "");
    }
    return mc_status_exit_code(error->code);
}

char *cli_name_beside(const char *path, const char *ending)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    if (!dot || (slash && dot < slash) || dot == (slash ? slash + 1 : path))
        dot = path + strlen(path);
    char *made = NULL;
    return asprintf(&made, "%.*s%s", (int)(dot - path), path, ending) < 0 ? NULL : made;
}

mc_status cli_check_writable(const char *path, mc_error *error)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return MC_OK; // a pipe's reader would take the check for the end
    file_draft draft;
    const mc_status opened = file_draft_open(&draft, path, error);
    if (opened == MC_OK)
        file_draft_abandon(&draft);
    return opened;
}

char *cli_command_text(const char *name, int argc, char **argv)
{
    size_t size = strlen(name) + 1;
    for (int i = 1; i < argc; i++)
        size += strlen(argv[i]) + 1;
    char *text = calloc(size, 1);
    if (text)
        strcpy(text, name);
    for (int i = 1; text && i < argc; i++) {
        strcat(text, " ");
        strcat(text, argv[i]);
    }
    return text;
}
