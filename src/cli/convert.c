// convert.c - `motorcade convert FILE -o OUT`: files of other programs in and out.
#include "base/file.h"
#include "cli/commands.h"
#include "cli/guard.h"
#include "cli/options.h"
#include "motorcade/exchange.h"
#include "motorcade/road_file.h"
#include "motorcade/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const program = "motorcade convert";

typedef struct request {
    const char *file, *output, *from, *to, *routes, *through, *form;
    double end, length, step, every;
    bool quiet, help;
} request;

static const cli_option options[] = {
    {'o', "output", " FILE", "file to write; its ending says what", CLI_TO(output)},
    {0, "from", "WORD",
     "format of FILE: sumo, sumocfg, commonroad, openscenario (default: by its contents)",
     CLI_TO(from)},
    {0, "to", "WORD", "format of the file to write (default: by its ending)", CLI_TO(to)},
    {0, "routes", "FILES", "SUMO: routes of the vehicles, with commas between several files",
     CLI_TO(routes)},
    {0, "through", "ID", "edge (SUMO) or lanelet (CommonRoad) that the road goes through",
     CLI_TO(through)},
    {0, "end", "S", "duration of the run, s (default: as in the file)", CLI_WITHIN(end, 0.1, 1e6)},
    {0, "length", "M", "OpenDRIVE, OpenCRG: length of a road without an end (default 1000)",
     CLI_WITHIN(length, 1.0, 1e6)},
    {0, "form", "WORD", "OpenCRG: numbers as KRBI, KDBI, LRFI or LDFI (default KDBI)",
     CLI_TO(form)},
    {0, "step", "M", "OpenCRG: metres between heights of terrain (default 0.1)",
     CLI_WITHIN(step, 1e-3, 100.0)},
    {0, "every", "S", "fcd, csv: seconds between rows (default: all of them)",
     CLI_WITHIN(every, 1e-4, 1e5)},
    {'q', "quiet", NULL, "do not list what was not read", CLI_TO(quiet)},
    CLI_HELP,
    CLI_ONE_WORD(file, "one file at a time: \"%s\" after \"%s\""),
};

// ---- what to write ----

typedef struct target {
    const char *word, *ending;
    const char *doc;
    mc_status (*write)(const request *r, mc_error *error);
} target;

static void tell(void *context, const char *text)
{
    const request *r = context;
    if (!r->quiet)
        printf("note: %s\n", text);
}

static bool ends(const char *path, const char *with)
{
    const size_t length = strlen(path), size = strlen(with);
    return length > size && strcmp(path + length - size, with) == 0;
}

static mc_status check_guard(const request *r, const mc_scenario *s, mc_error *error)
{
    cli_guard g = {0};
    cli_guard_reads(&g, "the file to convert", r->file);
    cli_guard_reads_scenario(&g, s);
    cli_guard_reads(&g, "--routes", r->routes && !strchr(r->routes, ',') ? r->routes : NULL);
    cli_guard_writes(&g, "-o", r->output);
    return cli_guard_check(&g, error);
}

static mc_status write_road(const request *r, mc_error *error)
{
    const mc_road_write_options o = {.title = r->file,
                                     .length = r->length,
                                     .form = r->form,
                                     .step = r->step,
                                     .note = tell,
                                     .context = (void *)r};
    if (ends(r->file, ".xodr") || ends(r->file, ".crg")) {
        mc_road_file *f = mc_road_file_read(r->file, error);
        mc_status status = f ? check_guard(r, NULL, error) : error->code;
        int line;
        const char *text;
        for (int k = 0; f && !r->quiet && mc_road_file_note(f, k, &line, &text); k++)
            printf("%s:%d: %s\n", r->file, line, text);
        if (status == MC_OK)
            status = mc_road_file_write(f, r->output, &o, error);
        mc_road_file_free(f);
        return status;
    }
    mc_scenario *s = mc_scenario_load(r->file, error);
    mc_status status = s ? check_guard(r, s, error) : error->code;
    if (status == MC_OK)
        status = mc_road_write(mc_scenario_road(s), r->output, &o, error);
    mc_scenario_free(s);
    return status;
}

static mc_status write_motion(const request *r, mc_fcd_form form, mc_error *error)
{
    const mc_status status = check_guard(r, NULL, error);
    return status == MC_OK ? mc_fcd_write(r->file, r->output, form, r->every, error) : status;
}

static mc_status write_fcd(const request *r, mc_error *error)
{
    return write_motion(r, MC_FCD_XML, error);
}

static mc_status write_csv(const request *r, mc_error *error)
{
    return write_motion(r, MC_FCD_CSV, error);
}

static void print_notes(const mc_exchange *e)
{
    const char *file, *text;
    int line;
    for (int k = 0; mc_exchange_note(e, k, &file, &line, &text); k++)
        if (line > 0)
            printf("%s:%d: %s\n", file, line, text);
        else
            printf("%s: %s\n", file, text);
}

// The text is a scenario that can be read; if it is not, that is told and nothing is written.
static mc_status check_text(const mc_exchange *e, const request *r, mc_error *error)
{
    mc_scenario *s = mc_scenario_parse(mc_exchange_text(e), mc_exchange_size(e), r->output, error);
    if (s && !r->quiet) {
        const mc_scenario_info *n = mc_scenario_info_of(s);
        printf("%s: %s; %d vehicle%s, %d lane%s, %g s\n", r->output, mc_exchange_format(e),
               n->vehicle_count, n->vehicle_count == 1 ? "" : "s", n->lane_count,
               n->lane_count == 1 ? "" : "s", n->end);
    }
    mc_scenario_free(s);
    return s ? MC_OK : error->code;
}

static mc_status write_scenario(const request *r, mc_error *error)
{
    char *folder = strdup(r->output), *slash = folder ? strrchr(folder, '/') : NULL;
    if (!folder)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left");
    *(slash ? slash : folder) = '\0';
    const mc_exchange_options o = {.format = r->from,
                                   .routes = r->routes,
                                   .through = r->through,
                                   .folder = folder,
                                   .end = r->end};
    mc_exchange *e = mc_exchange_read(r->file, &o, error);
    mc_status status = e ? check_guard(r, NULL, error) : error->code;
    if (e && !r->quiet)
        print_notes(e);
    if (status == MC_OK)
        status = check_text(e, r, error);
    file_writer *out = status == MC_OK ? file_writer_open(r->output, error) : NULL;
    if (out) {
        file_write(out, mc_exchange_text(e), mc_exchange_size(e));
        status = file_writer_commit(out, error);
    } else if (status == MC_OK) {
        status = error->code;
    }
    mc_exchange_free(e);
    free(folder);
    return status;
}

static const target targets[] = {
    {"scenario", ".yaml", "a scenario, from a SUMO, CommonRoad or OpenSCENARIO file",
     write_scenario},
    {"opendrive", ".xodr", "the road of a scenario or of a road file", write_road},
    {"opencrg", ".crg", "the surface of a road", write_road},
    {"fcd", ".xml", "the motion of a results file, as SUMO's --fcd-output", write_fcd},
    {"csv", ".csv", "the same as a table", write_csv},
};
enum { TARGET_COUNT = sizeof targets / sizeof targets[0] };

static const target *find_target(const request *r)
{
    for (int k = 0; k < TARGET_COUNT; k++)
        if (r->to ? strcmp(r->to, targets[k].word) == 0 : ends(r->output, targets[k].ending))
            return &targets[k];
    return NULL;
}

static void print_help(void)
{
    printf(
        "usage: motorcade convert FILE -o OUT [OPTIONS]\n\n"
        "Reads roads and traffic of other programs into a scenario, and writes roads and motion\n"
        "for them. What is not read is listed. OUT is one of\n\n");
    for (int k = 0; k < TARGET_COUNT; k++)
        printf("  %-6s %-13s %s\n", targets[k].ending, targets[k].word, targets[k].doc);
    printf("\nFILE for a scenario is one of\n\n");
    mc_exchange_format_info f;
    for (int k = 0; mc_exchange_format_at(k, &f); k++)
        printf("  %-9s %-13s %s\n", f.ending, f.word, f.doc);
    printf("\n");
    cli_print_options(options);
}

int cli_convert(int argc, char **argv)
{
    request r = {0};
    mc_error error;
    if (cli_read(argc, argv, options, &r, &error) != MC_OK)
        return cli_fail(program, &error);
    if (r.help) {
        print_help();
        return 0;
    }
    if (!r.file || !r.output) {
        mc_error_set(&error, MC_BAD_INPUT, NULL, 0, 0,
                     "no file to %s; `motorcade convert -h` explains",
                     r.file ? "write (-o)" : "convert");
        return cli_fail(program, &error);
    }
    const target *t = find_target(&r);
    if (!t) {
        mc_error_set(&error, MC_BAD_INPUT, NULL, 0, 0,
                     "%s \"%.100s\" is unknown; expected .yaml, .xodr, .crg, .xml (fcd) or .csv",
                     r.to ? "the format" : "the ending of", r.to ? r.to : r.output);
        return cli_fail(program, &error);
    }
    const mc_status status = t->write(&r, &error);
    return status == MC_OK ? 0 : cli_fail(program, &error);
}
