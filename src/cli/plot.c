// plot.c - `motorcade plot run.h5 --y v,a`.
#include "cli/commands.h"
#include "cli/guard.h"
#include "cli/options.h"
#include "motorcade/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const program = "motorcade plot";

#define UNNAMED "*" // a file named after the run

typedef struct request {
    const char *run, *svg, *png, *csv;
    mc_run_plot plot;
    bool help;
} request;

static const cli_option options[] = {
    {0, "y", "NAMES", "quantities, one panel each: v or v,a,gap (mandatory)", CLI_TO(plot.y)},
    {0, "x", "NAME", "quantity on the horizontal axis (default: t, time)", CLI_TO(plot.x)},
    {0, "cars", "LIST", "numbers from 1, ranges, names: 1-4,8,truck (default: all)",
     CLI_TO(plot.cars)},
    {0, "lanes", NULL, "one quantity in one panel per lane: --y x --lanes is a time-space diagram",
     CLI_TO(plot.lanes)},
    {0, "from", "S", "first instant, s (default: the first row)",
     CLI_WITHIN(plot.from, -1e12, 1e12)},
    {0, "to", "S", "last instant, s (default: the last row)", CLI_WITHIN(plot.to, -1e12, 1e12)},
    {0, "title", "TEXT", "title of the picture (default: the name of the run)", CLI_TO(plot.title)},
    {'o', "output", " FILE", "picture to write, SVG (default: RUN.svg)", CLI_TO(svg)},
    {0, "png", "[FILE]", "the same as PNG (needs rsvg-convert); RUN.png without a name",
     CLI_TO(png)},
    {0, "csv", "FILE", "the numbers, all rows and digits", CLI_TO(csv)},
    CLI_HELP,
    CLI_ONE_WORD(run, "only one results file is expected: found \"%s\" after \"%s\""),
};

static mc_status check_request(const request *r, mc_error *error)
{
    if (!r->run)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "no results file given; try: motorcade plot run.h5 --y v (`motorcade "
                            "plot -h` explains)");
    if (!r->plot.y)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "no quantity given; add --y NAMES, for example --y v,a");
    return MC_OK;
}

static void say(const char *what, const char *path)
{
    if (path && strcmp(path, "/dev/stdout") != 0)
        printf("%s: %s\n", what, path);
}

// Quantities that are named as in version 0.1.
static void warn_renamed(const mc_run_plot *plot)
{
    char word[64];
    for (const char *at = plot->y; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at, ","), at);
        cli_warn_renamed(word);
    }
    if (plot->x)
        cli_warn_renamed(plot->x);
}

static int write_plot(const request *r)
{
    mc_error error;
    char *own = r->svg || r->png || r->csv ? NULL : cli_name_beside(r->run, ".svg");
    char *own_png = r->png && strcmp(r->png, UNNAMED) == 0 ? cli_name_beside(r->run, ".png") : NULL;
    const char *svg = own ? own : r->svg, *png = own_png ? own_png : r->png;
    const char *const taken[] = {r->svg, r->png, r->csv};
    cli_guard g = {0};
    cli_guard_reads_results(&g, "the results file it is made of", r->run);
    cli_guard_writes(&g, r->svg ? "-o" : "the picture", svg);
    cli_guard_writes(&g, "--png", png);
    cli_guard_writes(&g, "--csv", r->csv);
    mc_status status = cli_guard_check(&g, &error);
    if (status == MC_OK)
        status = mc_run_plot_write(r->run, &r->plot, svg, png, r->csv, &error);
    bool quiet = false; // standard output holds a file
    for (int i = 0; i < 3; i++)
        quiet = quiet || (taken[i] && strcmp(taken[i], "/dev/stdout") == 0);
    if (status == MC_OK)
        warn_renamed(&r->plot);
    if (status == MC_OK && !quiet) {
        say("picture", svg);
        say("picture", png);
        say("table", r->csv);
    }
    free(own);
    free(own_png);
    return status == MC_OK ? 0 : cli_fail(program, &error);
}

// Reads the words with "--png" alone made "--png=" UNNAMED: the word behind it is its file when it
// is neither an option nor a run. room: argc words.
static mc_status read_words(int argc, char **argv, char **room, request *r, mc_error *error)
{
    static char alone[] = "--png=" UNNAMED;
    for (int i = 0; i < argc; i++) {
        const char *next = i + 1 < argc ? argv[i + 1] : NULL;
        const size_t length = next ? strlen(next) : 0;
        const bool file =
            next && next[0] != '-' && !(length > 3 && strcmp(next + length - 3, ".h5") == 0);
        room[i] = i > 0 && strcmp(argv[i], "--png") == 0 && !file ? alone : argv[i];
    }
    return cli_read(argc, room, options, r, error);
}

int cli_plot(int argc, char **argv)
{
    request r = {.plot = {.from = NAN, .to = NAN}};
    mc_error error;
    char **room = malloc(((size_t)argc + 1) * sizeof *room);
    if (!room)
        return 1;
    const mc_status status = read_words(argc, argv, room, &r, &error);
    free(room);
    if (status != MC_OK)
        return cli_fail(program, &error);
    if (r.help) {
        printf("usage: motorcade plot RUN.h5 --y NAMES [OPTIONS]\n\n"
               "Plots quantities of a results file (run, medusa, simulate) as curves, one per car. "
               "For an\n"
               "unknown name it lists the quantities of the file.\n\n");
        cli_print_options(options);
        return 0;
    }
    return check_request(&r, &error) == MC_OK ? write_plot(&r) : cli_fail(program, &error);
}
