// report.c - `motorcade report run.h5 [-o run.html]`.
#include "cli/commands.h"
#include "cli/options.h"
#include "motorcade/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const program = "motorcade report";

typedef struct request {
    const char *run, *output;
    bool help;
} request;

static const cli_option options[] = {
    {'o', "output", " FILE", "page to write (default: run.html beside run.h5)", CLI_TO(output)},
    CLI_HELP,
    CLI_ONE_WORD(run, "one results file at a time: found \"%s\" after \"%s\""),
};

static int write_report(const request *r)
{
    mc_error error;
    char *own = r->output ? NULL : cli_name_beside(r->run, ".html");
    const char *output = r->output ? r->output : own;
    mc_status status = MC_OK;
    if (!output)
        status = mc_error_set(&error, MC_NO_MEMORY, NULL, 0, 0, "no memory left");
    else if (cli_same_file(r->run, output))
        status = mc_error_set(&error, MC_BAD_INPUT, NULL, 0, 0,
                              "\"%s\" would be written over by its own report; choose another name "
                              "with -o",
                              r->run);
    else
        status = mc_report_write(r->run, output, &error);
    if (status == MC_OK && strcmp(output, "/dev/stdout") != 0)
        printf("report: %s\n", output);
    const int code = status == MC_OK ? 0 : cli_fail(program, &error);
    free(own);
    return code;
}

int cli_report(int argc, char **argv)
{
    request r = {0};
    mc_error error;
    if (cli_read(argc, argv, options, &r, &error) != MC_OK)
        return cli_fail(program, &error);
    if (r.help) {
        printf(
            "usage: motorcade report RUN.h5 [-o FILE.html]\n\n"
            "One HTML page of a run: what happened, figures, plots, collisions, the scenario and\n"
            "how to reproduce it. Everything is inside the file; it can be sent and printed.\n\n");
        cli_print_options(options);
        return 0;
    }
    if (!r.run) {
        mc_error_set(&error, MC_BAD_INPUT, NULL, 0, 0,
                     "no results file given; try: motorcade report run.h5 (`motorcade report -h` "
                     "explains)");
        return cli_fail(program, &error);
    }
    return write_report(&r);
}
