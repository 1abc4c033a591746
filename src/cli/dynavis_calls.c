// dynavis_calls.c - the calls of the DYNAVIS report (appendices B and C), answered by the studio.
//
//     dynavis1 [-d] data-file parameter-file
//     dynavis2 [-v][-d][-h] [-n cars] [-f data] [-m frames] [-p parameters] [-t font] [-r ramps]
//              [-c cars]
//     dynavisiden ...   the same; four cars, one of unknown mass
//     dynavis-gas ...   the same and -g; two platoons, 2, 4, 6 or 8 cars
//     demo V N          demonstration N of the report
//
// A data file is replayed, or with Simulation = 1 in its parameters a simulation continues from its
// last line; without one a simulation is started. The scenario or complete parameter file written
// for that is in a temporary folder that is removed at the end.
#include "cli/commands.h"
#include "cli/guard.h"
#include "cli/dynavis_scenarios.h"
#include "cli/studio.h"
#include "motorcade/dynavis.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum call_kind { CALL_MAIN, CALL_IDENTIFY, CALL_GAS } call_kind;

typedef struct call {
    const char *name, *usage, *doc;
    const char *letters; // options it knows, beside those of the studio
    call_kind kind;
    int version;      // of DYNAVIS, for the parameters
    const char *view; // word of the page's address (web/src/base/opening.ts)
} call;

static const call calls[] = {
    {"dynavis1", "[-d] DATA PARAM", "Replays a data file, or continues from it (Simulation = 1).",
     "dh", CALL_MAIN, 1, "dynavis1"},
    {"dynavis2", "[-v] [-d] [-n N] [-f DATA] [-m N] [-p PARAM] [-t FONT] [-r RAMPS] [-c CARS]",
     "Replays a data file, or simulates cars on three lanes.", "vdhnfmptrc", CALL_MAIN, 2,
     "dynavis2"},
    {"dynavisiden", "[-v] [-d] [-f DATA] [-m N] [-p PARAM] [-t FONT] [-r RAMPS] [-c CARS]",
     "The mass identification bench: two pairs of cars, with leaders that drive alike.",
     "vdhnfmptrc", CALL_IDENTIFY, 2, "identify"},
    {"dynavis-gas",
     "[-v] [-d] [-g] [-n 2|4|6|8] [-f DATA] [-m N] [-p PARAM] [-t FONT] [-r RAMPS] [-c CARS]",
     "The gas mileage bench: two platoons that differ in how readily they brake.", "vdhgnfmptrc",
     CALL_GAS, 2, "mileage"},
};

enum { FONT_LENGTH = 100 };

typedef struct request {
    const call *call;
    studio_request studio;
    const char *data, *params_file, *ramps_file, *models_file, *font;
    int cars, memory;
    bool verbose, debug, save_gas, help;
    char folder[PATH_MAX];                             // "": none was made
    char view[3 * FONT_LENGTH + 32];                   // of the page's address
    char scenario[PATH_MAX + 32], with[PATH_MAX + 32]; // files in it; "": none
    mc_dynavis_params params;
} request;

// ---- the command line ----

static mc_status wrong(mc_error *error, const request *r, const char *what)
{
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s; usage: %s %s", what, r->call->name,
                        r->call->usage);
}

static mc_status set_once(const char **file, const char *name, const request *r, mc_error *error)
{
    if (*file)
        return wrong(error, r, "the same file is given twice");
    *file = name;
    return MC_OK;
}

static mc_status take_file(void *place, const cli_option *option, const char *value,
                           mc_error *error)
{
    const char *request_start = (const char *)place - option->place;
    return set_once(place, value, (const request *)request_start, error);
}

static mc_status take_word(void *place, const cli_option *option, const char *word, mc_error *error)
{
    request *r = place;
    (void)option;
    if (r->call->version != 1)
        return wrong(error, r, "unexpected file name; files are given by options");
    return set_once(r->data ? &r->params_file : &r->data, word, r, error);
}

static const cli_option options[] = {
    STUDIO_OPTIONS,
    {'v', NULL, NULL, "print what was read", CLI_TO(verbose)},
    {'d', NULL, NULL, "print the scenario or the parameters used", CLI_TO(debug)},
    {'n', NULL, " N", "number of cars when there is no data file (default: 4)",
     CLI_WITHIN(cars, 1, 1000)},
    {'f', NULL, " FILE", "data file to replay, or with Simulation = 1 to continue from",
     CLI_BY(take_file, data)},
    {'m', NULL, " N", "end of a simulation, in 1000 frames of 0.05 s (6)",
     CLI_WITHIN(memory, 1, 1000000)},
    {'p', NULL, " FILE", "parameter file: the fields of the data file",
     CLI_BY(take_file, params_file)},
    {'t', NULL, " FONT", "font of the page, for example Courier; used if the browser has it",
     CLI_TO(font)},
    {'r', NULL, " FILE", "ramp file", CLI_BY(take_file, ramps_file)},
    {'c', NULL, " FILE", "car model file, for simulations", CLI_BY(take_file, models_file)},
    {'g', NULL, NULL, "save the gas mileage at the end: gas_mileage.csv", CLI_TO(save_gas)},
    CLI_HELP,
    CLI_EACH_WORD(CLI_BY_ALL(take_word)),
};
enum { OPTION_COUNT = sizeof options / sizeof options[0] - 1 };

static mc_status reject(void *place, const cli_option *option, const char *value, mc_error *error)
{
    char what[40];
    (void)value;
    snprintf(what, sizeof what, "unknown option -%c", option->letter);
    return wrong(error, place, what);
}

// Options that do not belong to this call are rejected.
static mc_status read_words(int argc, char **argv, request *r, mc_error *error)
{
    cli_option own[OPTION_COUNT + 1];
    memcpy(own, options, sizeof options);
    for (int k = 0; k < OPTION_COUNT; k++)
        if (own[k].letter && !strchr(r->call->letters, own[k].letter))
            own[k].take = reject, own[k].place = 0;
    return cli_read(argc, argv, own, r, error);
}

static void print_help(const call *c)
{
    printf("usage: motorcade %s %s [OPTIONS]\n\n"
           "%s Opens the studio on it; the report's appendices B and C\n"
           "explain the call, docs/dynavis.md the files.\n\n",
           c->name, c->usage, c->doc);
    for (int k = 0; k < OPTION_COUNT; k++)
        if (options[k].letter && strchr(c->letters, options[k].letter))
            cli_print_option(&options[k]);
    for (int k = 0; k < OPTION_COUNT; k++)
        if (!options[k].letter) // how it is served
            cli_print_option(&options[k]);
}

static mc_status check(const request *r, mc_error *error)
{
    if (r->call->version == 1 && !(r->data && r->params_file))
        return wrong(error, r, "expected a data file and a parameter file");
    if (r->params_file && !r->data)
        return wrong(error, r, "option -p describes a data file: add -f DATA");
    if (r->cars && r->data)
        return wrong(error, r, "option -n: only without a data file (-f)");
    if (r->call->kind == CALL_GAS && r->cars && (r->cars > 8 || r->cars % 2 != 0))
        return wrong(error, r, "option -n: expected 2, 4, 6 or 8");
    if (r->font && (!r->font[0] || strlen(r->font) > FONT_LENGTH))
        return wrong(error, r, "option -t: expected the name of a font, at most 100 characters");
    if (r->save_gas && r->data)
        return wrong(error, r,
                     "option -g: only for a simulation; a data file (-f) has no fuel data");
    cli_guard g = {0};
    cli_guard_reads(&g, "-c", r->models_file);
    cli_guard_reads(&g, "-r", r->ramps_file);
    cli_guard_writes(&g, "-g", r->save_gas ? "gas_mileage.csv" : NULL);
    return cli_guard_check(&g, error);
}

// ---- what is opened ----

// The font is a word of the page's address, so all but letters, digits and hyphens is escaped.
static void make_view(request *r)
{
    size_t used =
        (size_t)snprintf(r->view, sizeof r->view, "%s%s", r->call->view, r->font ? "&font=" : "");
    for (const char *c = r->font; c && *c; c++) {
        const bool plain = (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') ||
                           (*c >= 'A' && *c <= 'Z') || *c == '-';
        used += (size_t)snprintf(r->view + used, sizeof r->view - used, plain ? "%c" : "%%%02X",
                                 (unsigned char)*c);
    }
    r->studio.view = r->view;
}

static mc_status make_folder(request *r, mc_error *error)
{
    const char *place = getenv("TMPDIR");
    snprintf(r->folder, sizeof r->folder, "%s/motorcade-XXXXXX",
             place && place[0] ? place : "/tmp");
    if (mkdtemp(r->folder))
        return MC_OK;
    const mc_status status = mc_error_set(error, MC_IO, r->folder, 0, 0,
                                          "cannot create a folder for temporary files here");
    r->folder[0] = '\0';
    return status;
}

static void remove_folder(const request *r)
{
    if (r->scenario[0])
        unlink(r->scenario);
    if (r->with[0])
        unlink(r->with);
    if (r->folder[0])
        rmdir(r->folder);
}

// A simulation: from the last line of the data, or from DYNAVIS's own start.
static mc_status make_simulation(request *r, const mc_dynavis_data *data,
                                 const mc_dynavis_model *models, int model_count, mc_error *error)
{
    const double end = (r->memory ? r->memory : 6) * 1000 * 0.05;
    snprintf(r->scenario, sizeof r->scenario, "%s/%s.yaml", r->folder, r->call->name);
    if (!data && r->call->kind == CALL_IDENTIFY)
        return dynavis_write_identification(r->scenario, end, r->models_file, error);
    if (!data && r->call->kind == CALL_GAS)
        return dynavis_write_mileage(r->scenario, end, r->cars ? r->cars : 4, r->models_file,
                                     error);
    const mc_dynavis_scenario scenario = {
        .params = &r->params,
        .data = data,
        .models = models,
        .model_count = model_count,
        .model = models ? "all" : NULL,
        .ramps = r->ramps_file,
        .car_count = data      ? 0
                     : r->cars ? r->cars
                               : 4,
        .end = end,
        .source = r->data,
    };
    return mc_dynavis_write_scenario(r->scenario, &scenario, error);
}

static mc_status make_replay(request *r, mc_error *error)
{
    snprintf(r->with, sizeof r->with, "%s/parameters.par", r->folder);
    r->studio.options.file = r->data;
    r->studio.options.with = r->with;
    return mc_dynavis_params_write(r->with, &r->params, error); // with all that is assumed
}

static void print_read(const request *r, const mc_dynavis_data *data, int model_count,
                       int ramp_count)
{
    if (!r->verbose)
        return;
    if (data)
        printf("%s: %d frames, t = %g .. %g s, %d .. %d cars\n", r->data, data->frame_count,
               data->frames[0].t, mc_dynavis_data_last(data)->t, data->min_cars, data->max_cars);
    for (int k = 0; data && k < data->note_count; k++)
        printf("  note: %s\n", data->notes[k]);
    if (r->models_file)
        printf("%s: %d car models\n", r->models_file, model_count);
    if (r->ramps_file)
        printf("%s: %d ramps\n", r->ramps_file, ramp_count);
}

static void print_file(const char *path)
{
    char line[1024];
    FILE *in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in))
        fputs(line, stdout);
    if (in)
        fclose(in);
}

static mc_status prepare(request *r, mc_error *error)
{
    mc_dynavis_model *models = NULL;
    mc_dynavis_ramp *ramps = NULL;
    mc_dynavis_data *data = NULL;
    int model_count = 0, ramp_count = 0;
    mc_dynavis_params_defaults(r->call->version, &r->params);
    mc_status status = make_folder(r, error);
    if (status == MC_OK && r->params_file)
        status = mc_dynavis_params_read(r->params_file, r->call->version, &r->params, error);
    if (status == MC_OK && r->models_file)
        status = mc_dynavis_models_read(r->models_file, &models, &model_count, error);
    if (status == MC_OK && r->ramps_file)
        status = mc_dynavis_ramps_read(r->ramps_file, &ramps, &ramp_count, error);
    if (status == MC_OK && r->data &&
        !(data = mc_dynavis_data_load(r->data, &r->params, NULL, error)))
        status = error->code;
    const bool replay = r->data && r->params.value[MC_DYNAVIS_PARAM_SIMULATION] == 0.0;
    if (status == MC_OK)
        print_read(r, data, model_count, ramp_count);
    if (status == MC_OK && replay)
        status = make_replay(r, error);
    else if (status == MC_OK)
        status = make_simulation(r, data, models, model_count, error);
    if (status == MC_OK && !replay)
        r->studio.options.file = r->scenario;
    if (status == MC_OK && r->debug)
        print_file(replay ? r->with : r->scenario);
    mc_dynavis_data_free(data);
    free(models);
    free(ramps);
    return status;
}

static mc_status save_mileage(mc_studio *studio, void *context, mc_error *error)
{
    const request *r = context;
    const mc_status status =
        dynavis_save_mileage(studio, r->cars ? r->cars : 4, "gas_mileage.csv", error);
    if (status == MC_OK)
        printf("gas_mileage.csv: the gas mileage of every car\n");
    return status;
}

static int run_call(const call *c, int argc, char **argv)
{
    char program[64];
    snprintf(program, sizeof program, "motorcade %s", c->name);
    request *r = calloc(1, sizeof *r);
    if (!r) {
        fprintf(stderr, "%s: no memory\n", program);
        return 1;
    }
    r->call = c;
    r->studio = studio_request_default();
    mc_error error;
    mc_status status = read_words(argc, argv, r, &error);
    const bool help = status == MC_OK && r->help;
    if (help)
        print_help(c);
    if (status == MC_OK && !help)
        status = check(r, &error);
    if (status == MC_OK && !help)
        status = prepare(r, &error);
    int code = 0;
    r->studio.at_end = r->save_gas ? save_mileage : NULL;
    r->studio.context = r;
    make_view(r);
    if (status != MC_OK)
        code = cli_fail(program, &error);
    else if (!help)
        code = studio_serve(program, &r->studio, c->name);
    remove_folder(r);
    free(r);
    return code;
}

int cli_dynavis1(int argc, char **argv)
{
    return run_call(&calls[0], argc, argv);
}

int cli_dynavis2(int argc, char **argv)
{
    return run_call(&calls[1], argc, argv);
}

int cli_dynavisiden(int argc, char **argv)
{
    return run_call(&calls[2], argc, argv);
}

int cli_dynavis_gas(int argc, char **argv)
{
    return run_call(&calls[3], argc, argv);
}
