// check.c - `motorcade check FILE...`: checks scenarios without running them.
#include "cli/commands.h"
#include "cli/options.h"
#include "motorcade/run.h"
#include "motorcade/scenario.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct request {
    const char **files;
    int file_count;
    bool quiet, schema, help;
} request;

static mc_status take_word(void *place, const cli_option *option, const char *word, mc_error *error)
{
    request *r = place;
    (void)option, (void)error;
    r->files[r->file_count++] = word; // there is room for every word
    return MC_OK;
}

static const cli_option options[] = {
    {'q', "quiet", NULL, "print only what is wrong", CLI_TO(quiet)},
    {0, "schema", NULL, "print the JSON Schema of scenario files", CLI_TO(schema)},
    CLI_HELP,
    CLI_EACH_WORD(CLI_BY_ALL(take_word)),
};

static const char *plural(int count)
{
    return count == 1 ? "" : "s";
}

// The log of a scenario is read by a run: cars and controllers it names are those of the run.
static mc_status check_log(const mc_scenario *s, int *commands, mc_error *error)
{
    if (!mc_scenario_info_of(s)->has_log)
        return MC_OK;
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = 1, .interpret = true}, error);
    if (!run)
        return error->code;
    *commands = mc_run_log_count(run);
    mc_run_destroy(run);
    return MC_OK;
}

// Warnings and one line. The exit code of this file.
static int check_file(const request *r, const char *program, const char *path)
{
    mc_error error;
    mc_scenario *s = mc_scenario_load(path, &error);
    if (!s)
        return cli_fail(program, &error);
    const mc_scenario_info *n = mc_scenario_info_of(s);
    int commands = 0;
    if (check_log(s, &commands, &error) != MC_OK) {
        mc_scenario_free(s);
        return cli_fail(program, &error);
    }
    char log[64] = "";
    if (n->has_log)
        snprintf(log, sizeof log, ", a log of %d command%s", commands, plural(commands));
    for (int i = 0; i < n->warning_count; i++)
        fprintf(stderr, "%s (warning)\n", mc_scenario_warning(s, i));
    if (!r->quiet)
        printf("%s: %d vehicle%s, %d model%s, %d controller%s, %d event%s%s, %g s in steps of %g "
               "s%s\n",
               path, n->vehicle_count, plural(n->vehicle_count), n->model_count,
               plural(n->model_count), n->controller_count, plural(n->controller_count),
               n->event_count, plural(n->event_count), log, n->end, n->step,
               n->warning_count ? "" : ": good");
    mc_scenario_free(s);
    return 0;
}

static int run(const request *r, const char *program)
{
    mc_error error;
    int code = 0;
    if (r->schema) {
        if (mc_scenario_write_schema(stdout, &error) != MC_OK)
            return cli_fail(program, &error);
        if (r->file_count == 0)
            return 0;
    }
    if (r->file_count == 0) {
        mc_error_set(&error, MC_BAD_INPUT, NULL, 0, 0,
                     "no scenario file given; expected one or more, or --schema");
        return cli_fail(program, &error);
    }
    for (int i = 0; i < r->file_count; i++) {
        const int one = check_file(r, program, r->files[i]);
        code = one > code ? one : code;
    }
    return code;
}

int cli_check(int argc, char **argv)
{
    const char *const program = "motorcade check";
    mc_error error;
    request r = {.files = calloc((size_t)argc + 1, sizeof r.files[0])};
    int code = 0;
    if (!r.files) {
        mc_error_set(&error, MC_NO_MEMORY, NULL, 0, 0, "no memory for %d names", argc);
        return cli_fail(program, &error);
    }
    if (cli_read(argc, argv, options, &r, &error) != MC_OK) {
        code = cli_fail(program, &error);
    } else if (r.help) {
        printf(
            "usage: motorcade check SCENARIO.yaml ...\n\n"
            "Checks scenarios without running them: units, ranges, names, formulas, overlapping\n"
            "cars. Prints warnings and one line per file. Exit code 0: all are good, 2: at least\n"
            "one is not.\n\n");
        cli_print_options(options);
    } else {
        code = run(&r, program);
    }
    free(r.files);
    return code;
}
