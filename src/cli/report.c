// report.c - `motorcade report run.h5 [-o run.html|run.pdf]`.
#include "cli/commands.h"
#include "cli/guard.h"
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
    {'o', "output", " FILE",
     "page (.html) or PDF (.pdf) to write (default: run.html next to run.h5)", CLI_TO(output)},
    CLI_HELP,
    CLI_ONE_WORD(run, "only one results file is expected: found \"%s\" after \"%s\""),
};

static int write_report(const request *r)
{
    mc_error error;
    char *own = r->output ? NULL : cli_name_beside(r->run, ".html");
    const char *output = r->output ? r->output : own;
    cli_guard g = {0};
    cli_guard_reads_results(&g, "the results file it is made of", r->run);
    cli_guard_writes(&g, r->output ? "-o" : "the report", output);
    mc_status status = output ? cli_guard_check(&g, &error)
                              : mc_error_set(&error, MC_NO_MEMORY, NULL, 0, 0, "no memory left");
    if (status == MC_OK)
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
        printf("usage: motorcade report RUN.h5 [-o FILE.html|FILE.pdf]\n\n"
               "Writes a results file (run, medusa, simulate) as one HTML page: summary, figures, "
               "plots,\n"
               "collisions, the scenario and how to reproduce it. The page needs no other file; it "
               "can\n"
               "be sent and printed. As a PDF it is laid out on A4.\n\n");
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
