// options.c - reading a command line.
#include "cli/options.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

static mc_status unknown(const char *word, const cli_option *options, int option_count,
                         mc_error *error)
{
    const char *known[64];
    char names[64][40];
    int count = 0;
    for (int k = 0; k < option_count && count < 64; k++)
        if (options[k].name) {
            snprintf(names[count], sizeof names[count], "--%s", options[k].name);
            known[count] = names[count];
            count++;
        }
    char name[40];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    const char *near = word[1] == '-' ? text_nearest(name, known, count) : NULL;
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "unknown option \"%s\"%s%s; -h lists them",
                        name, near ? ", did you mean " : "", near ? near : "");
}

static mc_status take_long(int argc, char **argv, int *at, const cli_option *options,
                           int option_count, cli_take *take, void *context, mc_error *error)
{
    const char *word = argv[*at] + 2;
    const size_t length = strcspn(word, "=");
    for (int k = 0; k < option_count; k++) {
        const cli_option *o = &options[k];
        if (!o->name || strlen(o->name) != length || strncmp(o->name, word, length) != 0)
            continue;
        const char *value = word[length] == '=' ? word + length + 1 : NULL;
        if (!o->value && value)
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "option --%s takes no value",
                                o->name);
        if (o->value && !value) {
            if (*at + 1 >= argc)
                return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                    "option --%s needs a value: %s", o->name, o->value);
            value = argv[++*at];
        }
        return take(context, k, value, error);
    }
    return unknown(argv[*at], options, option_count, error);
}

static mc_status take_short(const char *word, const cli_option *options, int option_count,
                            cli_take *take, void *context, mc_error *error)
{
    for (int k = 0; k < option_count; k++) {
        const cli_option *o = &options[k];
        if (!o->letter || o->letter != word[1])
            continue;
        if (!o->value && word[2] != '\0')
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "option -%c takes no value, found \"%s\"", o->letter, word);
        if (o->value && word[2] == '\0')
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "option -%c needs a value right after it, without a space: -%c%s",
                                o->letter, o->letter, o->value);
        return take(context, k, o->value ? word + 2 : NULL, error);
    }
    return unknown(word, options, option_count, error);
}

mc_status cli_read(int argc, char **argv, const cli_option *options, int option_count,
                   cli_take *take, cli_take_word *take_word, void *context, mc_error *error)
{
    mc_status status = MC_OK;
    for (int i = 1; i < argc && status == MC_OK; i++) {
        const char *word = argv[i];
        if (word[0] == '-' && word[1] == '-' && word[2] != '\0')
            status = take_long(argc, argv, &i, options, option_count, take, context, error);
        else if (word[0] == '-' && word[1] != '\0')
            status = take_short(word, options, option_count, take, context, error);
        else
            status = take_word(context, word, error);
    }
    return status;
}

void cli_print_options(const cli_option *options, int option_count)
{
    for (int k = 0; k < option_count; k++) {
        const cli_option *o = &options[k];
        char left[64];
        if (o->letter)
            snprintf(left, sizeof left, "-%c%s%s%s", o->letter, o->value ? o->value : "",
                     o->name ? ", --" : "", o->name ? o->name : "");
        else
            snprintf(left, sizeof left, "--%s%s%s", o->name, o->value ? " " : "",
                     o->value ? o->value : "");
        printf("%-24s %s\n", left, o->doc);
    }
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

int cli_fail(const char *program, const mc_error *error)
{
    char line[1024];
    mc_error_format(error, line, sizeof line);
    if (error->file[0] == '\0')
        fprintf(stderr, "%s: %s\n", program, line);
    else
        fprintf(stderr, "%s\n", line);
    return mc_status_exit_code(error->code);
}
