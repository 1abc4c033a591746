// check.c - `motorcade check FILE...`: checks scenarios and mechanisms without running them.
#include "cli/commands.h"
#include "cli/options.h"
#include "motorcade/concept.h"
#include "motorcade/exchange.h"
#include "motorcade/multibody.h"
#include "motorcade/run.h"
#include "motorcade/scenario.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct request {
    const char **files;
    int file_count;
    bool quiet, schema, model_schema, concept_schema, help;
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
    {0, "model-schema", NULL, "print the JSON Schema of mechanism files", CLI_TO(model_schema)},
    {0, "concept-schema", NULL, "print the JSON Schema of concept files", CLI_TO(concept_schema)},
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

// Loops close at the start, and the equations give finite rates there.
static mc_status check_start(mc_multibody *m, mc_error *error)
{
    const mc_multibody_info *n = mc_multibody_info_of(m);
    double *y = calloc(2 * (size_t)n->y_count + 1, sizeof *y), *dy = y + n->y_count;
    if (!y)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for %s", n->name);
    mc_multibody_start(m, y);
    mc_status status = mc_multibody_assemble(m, 0.0, y, error);
    if (status == MC_OK)
        mc_multibody_rate(m, 0.0, y, NULL, dy);
    for (int i = 0; i < n->y_count && status == MC_OK; i++)
        if (!isfinite(dy[i])) {
            const int v = i - n->q_count;
            const char *name = v < 0 ? mc_multibody_name(m, MC_QUANTITY_COORDINATE, i)
                               : v < n->v_count
                                   ? mc_multibody_name(m, MC_QUANTITY_VELOCITY, v)
                                   : mc_multibody_name(m, MC_QUANTITY_STATE, v - n->v_count);
            status = mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                  "%s: at the start the rate of %s is not a finite number", n->name,
                                  name);
        }
    free(y);
    return status;
}

// A mechanism: read, derived, assembled. One line; the exit code of this file.
static int check_model(const request *r, const char *program, const char *path)
{
    mc_error error;
    const mc_multibody_options interpreted = {.compile = MC_COMPILE_NEVER};
    mc_multibody *m = mc_multibody_load(path, &interpreted, &error);
    if (!m || check_start(m, &error) != MC_OK) {
        mc_multibody_free(m);
        return cli_fail(program, &error);
    }
    const mc_multibody_info *n = mc_multibody_info_of(m);
    const int freedoms = n->v_count - n->row_count;
    char rows[96] = "";
    if (n->row_count + n->left_out_count > 0)
        snprintf(rows, sizeof rows, ", %d row%s of constraint, %d redundant", n->row_count,
                 plural(n->row_count), n->left_out_count);
    if (!r->quiet)
        printf("%s: %d bod%s, %d degree%s of freedom%s, %d state%s, %d input%s, %d parameter%s: "
               "good\n",
               path, n->body_count, n->body_count == 1 ? "y" : "ies", freedoms, plural(freedoms),
               rows, n->y_count, plural(n->y_count), n->input_count, plural(n->input_count),
               n->parameter_count, plural(n->parameter_count));
    mc_multibody_free(m);
    return 0;
}

// A scenario: warnings and one line. The exit code of this file.
static int check_scenario(const request *r, const char *program, const char *path)
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

// A file of another program: what is not read of it, and the scenario that it becomes.
static int check_exchange(const request *r, const char *program, const char *path)
{
    mc_error error;
    mc_exchange *e = mc_exchange_read(path, NULL, &error);
    mc_scenario *s =
        e ? mc_scenario_parse(mc_exchange_text(e), mc_exchange_size(e), path, &error) : NULL;
    if (!s) {
        mc_exchange_free(e);
        return cli_fail(program, &error);
    }
    const char *file, *text;
    int line, count = 0;
    for (; mc_exchange_note(e, count, &file, &line, &text); count++)
        if (line > 0)
            fprintf(stderr, "%s:%d: %s (warning)\n", file, line, text);
        else
            fprintf(stderr, "%s: %s (warning)\n", file, text);
    const mc_scenario_info *n = mc_scenario_info_of(s);
    if (!r->quiet)
        printf("%s: %s; %d vehicle%s, %d lane%s, %d event%s, %g s%s\n", path, mc_exchange_format(e),
               n->vehicle_count, plural(n->vehicle_count), n->lane_count, plural(n->lane_count),
               n->event_count, plural(n->event_count), n->end, count ? "" : ": good");
    mc_scenario_free(s);
    mc_exchange_free(e);
    return 0;
}

static int run(const request *r, const char *program)
{
    mc_error error;
    int code = 0;
    if (r->schema && mc_scenario_write_schema(stdout, &error) != MC_OK)
        return cli_fail(program, &error);
    if (r->model_schema && mc_multibody_write_schema(stdout, &error) != MC_OK)
        return cli_fail(program, &error);
    if (r->concept_schema && mc_concept_write_schema(stdout, &error) != MC_OK)
        return cli_fail(program, &error);
    if ((r->schema || r->model_schema || r->concept_schema) && r->file_count == 0)
        return 0;
    if (r->file_count == 0) {
        mc_error_set(&error, MC_BAD_INPUT, NULL, 0, 0,
                     "no file given; expected scenarios, mechanisms or concepts, --schema, "
                     "--model-schema or --concept-schema");
        return cli_fail(program, &error);
    }
    for (int i = 0; i < r->file_count; i++) {
        const char *path = r->files[i];
        const int one = mc_exchange_knows(path)       ? check_exchange(r, program, path)
                        : mc_multibody_is_model(path) ? check_model(r, program, path)
                                                      : check_scenario(r, program, path);
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
            "usage: motorcade check SCENARIO.yaml ...\n"
            "       motorcade check MODEL.yaml ...\n"
            "       motorcade check FILE.net.xml FILE.sumocfg FILE.xosc ...\n\n"
            "Checks scenarios without running them: units, ranges, names, formulas, overlapping\n"
            "cars. Of a mechanism it derives the equations and closes the loops. Of a file of\n"
            "another program it lists what `motorcade convert` does not read. Prints warnings\n"
            "and one line per file. Exit code 0: all are good, 2: at least one is not.\n\n");
        cli_print_options(options);
    } else {
        code = run(&r, program);
    }
    free(r.files);
    return code;
}
