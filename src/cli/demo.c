// demo.c - `motorcade demo V N`: the demonstrations of the DYNAVIS report (section 3.1).
#include "cli/commands.h"
#include "cli/studio.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

typedef struct demo {
    const char *file, *with, *doc;
} demo;

static const demo demos[] = {
    {"demo1.yaml", NULL, "people in one lane, automatic cars in the other"},
    {"demo2.yaml", NULL, "one law, two sets of gains"},
    {"demo3.yaml", NULL, "adaptive, scheduled and fixed controllers side by side"},
    {"dynavis/demo4.dat", "dynavis/demo4.par", "an experiment: two cars, changing time headway"},
    {"dynavis/demo5.dat", "dynavis/demo5.par", "an experiment: four cars, constant distance"},
};
enum { DEMO_COUNT = sizeof demos / sizeof demos[0] };

typedef struct request {
    studio_request studio;
    const char *words[2];
    int word_count;
    bool help;
} request;

static mc_status take_word(void *place, const cli_option *option, const char *word, mc_error *error)
{
    request *r = place;
    (void)option;
    if (r->word_count == 2)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "unexpected \"%s\" after demo %s %s; usage: demo V N", word,
                            r->words[0], r->words[1]);
    r->words[r->word_count++] = word;
    return MC_OK;
}

static const cli_option options[] = {
    STUDIO_OPTIONS,
    CLI_HELP,
    CLI_EACH_WORD(CLI_BY_ALL(take_word)),
};

static void print_help(void)
{
    printf("usage: motorcade demo V N [OPTIONS]\n\n"
           "Opens the studio on demonstration N of the DYNAVIS report. V is the version of "
           "DYNAVIS, 1 or 2,\n"
           "or the letter v as in the report; version 1 opens with a bank of analog meters, "
           "version 2 with\n"
           "digital meters at the cars.\n\n");
    for (int k = 0; k < DEMO_COUNT; k++)
        printf("  %d  %s\n", k + 1, demos[k].doc);
    printf("\n");
    cli_print_options(options);
}

static mc_status choose(const request *r, int *number, mc_error *error)
{
    if (r->word_count < 2)
        return mc_error_set(
            error, MC_BAD_INPUT, NULL, 0, 0,
            "usage: demo V N, with version V 1, 2 or v and demonstration N 1 .. %d; -h lists them",
            DEMO_COUNT);
    const char *version = r->words[0];
    if (strcmp(version, "1") != 0 && strcmp(version, "2") != 0 && strcmp(version, "v") != 0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "version: found \"%s\", expected 1, 2 or v", version);
    return cli_integer("N", r->words[1], 1, DEMO_COUNT, number, error);
}

static mc_status find(const demo *d, mc_studio_options *o, char file[PATH_MAX], char with[PATH_MAX],
                      mc_error *error)
{
    if (!mc_studio_shipped(d->file, file, PATH_MAX) ||
        (d->with && !mc_studio_shipped(d->with, with, PATH_MAX)))
        return mc_error_set(error, MC_IO, NULL, 0, 0, "the shipped scenarios are not installed");
    o->file = file;
    o->with = d->with ? with : NULL;
    return MC_OK;
}

int cli_demo(int argc, char **argv)
{
    request r = {.studio = studio_request_default()};
    char file[PATH_MAX], with[PATH_MAX], what[32];
    int number = 0;
    mc_error error;
    mc_status status = cli_read(argc, argv, options, &r, &error);
    if (status == MC_OK && r.help) {
        print_help();
        return 0;
    }
    if (status == MC_OK)
        status = choose(&r, &number, &error);
    if (status == MC_OK)
        status = find(&demos[number - 1], &r.studio.options, file, with, &error);
    if (status != MC_OK)
        return cli_fail("motorcade demo", &error);
    // The two versions differ in their instruments; v is whichever the page showed last.
    r.studio.view = *r.words[0] == '1' ? "dynavis1" : *r.words[0] == '2' ? "dynavis2" : NULL;
    snprintf(what, sizeof what, "Demonstration %d", number);
    return studio_serve("motorcade demo", &r.studio, what);
}
