// dynavis.c - `motorcade dynavis [DATA [PARAM]] ...`: the files of DYNAVIS.
#include "cli/commands.h"
#include "cli/guard.h"
#include "cli/options.h"
#include "motorcade/dynavis.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct request {
    const char *params_file, *data_file, *cars_file, *ramps_file, *yaml, *csv, *data_out, *model;
    int car_count, memory, version, frame;
    double window;
    bool check, help;
    mc_dynavis_params params;
    mc_dynavis_data *data;
    mc_dynavis_model *models;
    mc_dynavis_ramp *ramps;
    int model_count, ramp_count;
} request;

static mc_status take_data(void *place, const cli_option *option, const char *word, mc_error *error)
{
    const char **data_file = place;
    (void)option;
    if (*data_file)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "more than one data file: \"%s\" after \"%s\"", word, *data_file);
    *data_file = word;
    return MC_OK;
}

// The data file, then the parameter file: the command line of DYNAVIS version 1.
static mc_status take_word(void *place, const cli_option *option, const char *word, mc_error *error)
{
    request *r = place;
    (void)option;
    if (r->data_file && r->params_file)
        return mc_error_set(
            error, MC_BAD_INPUT, NULL, 0, 0,
            "unexpected \"%s\" after the data file \"%s\" and the parameter file \"%s\"", word,
            r->data_file, r->params_file);
    *(r->data_file ? &r->params_file : &r->data_file) = word;
    return MC_OK;
}

static const cli_option options[] = {
    {'p', "parameters", " FILE",
     "parameter file: fields of the data file (default: all); -p is optional", CLI_TO(params_file)},
    {'f', "data", " FILE", "data file; -f is optional", CLI_BY(take_data, data_file)},
    {'c', "cars", " FILE", "car file: models of cars", CLI_TO(cars_file)},
    {'r', "ramps", " FILE", "ramp file", CLI_TO(ramps_file)},
    {'n', "number", " N", "number of cars when there is no data file (default: 4)",
     CLI_WITHIN(car_count, 1, 1000)},
    {'m', "memory", " N", "end of the scenario, in 1000 frames of 0.05 s",
     CLI_WITHIN(memory, 1, 1000000)},
    {0, "program", "N", "DYNAVIS version whose defaults apply: 1 or 2 (default: 2)",
     CLI_WITHIN(version, 1, 2)},
    {0, "window", "S", "half the width of the window for estimates, s (default: 0.5)",
     CLI_WITHIN(window, 1e-3, 1e3)},
    {0, "check", NULL, "print what the files contain (default when nothing is written)",
     CLI_TO(check)},
    {0, "yaml", "FILE", "write a scenario that continues from the last line", CLI_TO(yaml)},
    {0, "frame", "N", "begin the scenario at line N of the data, with its leader",
     CLI_WITHIN(frame, 1, 1000000000)},
    {0, "model", "NAME", "car model for all cars (default: the first); all: each in turn",
     CLI_TO(model)},
    {0, "csv", "DIR", "write one CSV per car: t,x,y,v,v_y,a,jerk,lane", CLI_TO(csv)},
    {0, "dynavis", "FILE", "write a data file with all fields, and its parameter file next to it",
     CLI_TO(data_out)},
    CLI_HELP,
    CLI_EACH_WORD(CLI_BY_ALL(take_word)),
};

// ---- checks and reading ----

static mc_status need(bool condition, const char *text, mc_error *error)
{
    return condition ? MC_OK : mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s", text);
}

static mc_status check_files(const request *r, mc_error *error)
{
    char beside[4096] = "";
    if (r->data_out && mc_dynavis_param_path(r->data_out, beside, sizeof beside, error) != MC_OK)
        return MC_BAD_INPUT;
    cli_guard g = {0};
    cli_guard_reads(&g, "-p", r->params_file);
    cli_guard_reads(&g, "-f", r->data_file);
    cli_guard_reads(&g, "-c", r->cars_file);
    cli_guard_reads(&g, "-r", r->ramps_file);
    cli_guard_writes(&g, "--yaml", r->yaml);
    cli_guard_writes(&g, "--dynavis", r->data_out);
    cli_guard_writes(&g, "--dynavis", r->data_out ? beside : NULL);
    cli_guard_writes_into(&g, "--csv", r->csv);
    return cli_guard_check(&g, error);
}

static mc_status check_request(const request *r, mc_error *error)
{
    const bool any = r->data_file || r->params_file || r->cars_file || r->ramps_file || r->yaml;
    mc_status status = need(any, "no file given; `motorcade dynavis -h` explains", error);
    if (status == MC_OK)
        status = need(r->data_file || !(r->csv || r->data_out || r->frame),
                      "--csv, --dynavis and --frame need a data file (-f FILE)", error);
    if (status == MC_OK)
        status = need(!r->data_file || !r->car_count,
                      "option -n: only without a data file, which has its own cars", error);
    if (status == MC_OK)
        status = need(r->cars_file || !r->model, "--model needs a car file (-c FILE)", error);
    if (status == MC_OK)
        status =
            need(r->yaml || !(r->model || r->frame || r->memory || r->car_count),
                 "options --model, --frame, -m and -n set up a scenario: add --yaml FILE", error);
    return status == MC_OK ? check_files(r, error) : status;
}

// A data file that cannot be read without parameters, which lie beside it.
static void hint_at_parameters(const request *r, mc_error *error)
{
    char beside[256];
    mc_error ignored;
    const size_t used = strlen(error->text);
    if (!r->params_file && error->line > 0 &&
        mc_dynavis_param_path(r->data_file, beside, sizeof beside, &ignored) == MC_OK &&
        access(beside, R_OK) == 0)
        snprintf(error->text + used, sizeof error->text - used,
                 "; did you mean to read it with -p %s?", beside);
}

static mc_status read_files(request *r, mc_error *error)
{
    mc_status status = MC_OK;
    mc_dynavis_params_defaults(r->version, &r->params);
    if (r->params_file)
        status = mc_dynavis_params_read(r->params_file, r->version, &r->params, error);
    if (status == MC_OK && r->cars_file)
        status = mc_dynavis_models_read(r->cars_file, &r->models, &r->model_count, error);
    if (status == MC_OK && r->ramps_file)
        status = mc_dynavis_ramps_read(r->ramps_file, &r->ramps, &r->ramp_count, error);
    if (status == MC_OK && r->data_file) {
        const mc_dynavis_options how = {.window = r->window};
        r->data = mc_dynavis_data_load(r->data_file, &r->params, &how, error);
        status = r->data ? MC_OK : error->code;
        if (status != MC_OK)
            hint_at_parameters(r, error);
    }
    return status;
}

// ---- what the files hold ----

static void print_params(const request *r)
{
    if (!r->params_file)
        return;
    int given = 0;
    for (int i = 0; i < MC_DYNAVIS_PARAM_COUNT; i++)
        given += r->params.line[i] > 0;
    printf("%s: %d items given, %d with the defaults of version %d\n", r->params_file, given,
           MC_DYNAVIS_PARAM_COUNT - given, r->version);
}

static void print_data(const request *r)
{
    const mc_dynavis_data *data = r->data;
    static const char *const source[] = {"read", "computed", "estimated", "not known"};
    const mc_dynavis_frame *first = data->frames, *last = mc_dynavis_data_last(data);
    double min = INFINITY, max = 0.0;
    for (int f = 1; f < data->frame_count; f++) {
        min = fmin(min, first[f].t - first[f - 1].t);
        max = fmax(max, first[f].t - first[f - 1].t);
    }
    printf("%s: %d line%s, t = %g .. %g s", r->data_file, data->frame_count,
           data->frame_count == 1 ? "" : "s", first->t, last->t);
    if (data->frame_count > 1)
        printf(", steps of %.4g .. %.4g s", min, max);
    printf("\n  cars: %d", data->min_cars);
    if (data->max_cars > data->min_cars)
        printf(" .. %d a line, %d tracks", data->max_cars, data->track_count);
    printf("\n  x %s, y %s, speed %s, lateral speed %s, acceleration %s, jerk %s\n",
           source[data->x], source[data->y], source[data->v_x], source[data->v_y], source[data->a],
           source[data->jerk]);
    printf("  %s\n", data->method);
    for (int k = 0; k < data->note_count; k++)
        printf("  note: %s\n", data->notes[k]);
    printf("  last line, from which a run continues:\n");
    printf("  %8s %8s %5s %12s %9s %9s %9s %9s\n", "car", "platoon", "lane", "x m", "y m", "v m/s",
           "v_y m/s", "a m/s^2");
    for (int i = 0; i < last->car_count && i < 12; i++) {
        const mc_dynavis_car *car = &last->cars[i];
        printf("  %8d %8d %5d %12.3f %9.3f %9.3f %9.3f %9.3f\n", car->id, car->platoon, car->lane,
               car->x, car->y, car->v_x, car->v_y, car->a);
    }
    if (last->car_count > 12)
        printf("  ... and %d more\n", last->car_count - 12);
}

static void print_rest(const request *r)
{
    if (r->cars_file)
        printf("%s: %d car model%s\n", r->cars_file, r->model_count,
               r->model_count == 1 ? "" : "s");
    for (int k = 0; k < r->model_count; k++)
        printf("  %-28s %7.1f kg  %.3f x %.3f m  %.1f m/s  %.1f kW\n", r->models[k].name,
               r->models[k].si[MC_DYNAVIS_MODEL_WEIGHT], r->models[k].si[MC_DYNAVIS_MODEL_LENGTH],
               r->models[k].si[MC_DYNAVIS_MODEL_WIDTH], r->models[k].si[MC_DYNAVIS_MODEL_SPEED],
               r->models[k].si[MC_DYNAVIS_MODEL_POWER] / 1000.0);
    if (r->ramps_file)
        printf("%s: %d ramp%s\n", r->ramps_file, r->ramp_count, r->ramp_count == 1 ? "" : "s");
    for (int k = 0; k < r->ramp_count; k++)
        printf("  %-28s %9.1f m  %s%s\n", r->ramps[k].name, r->ramps[k].x,
               r->ramps[k].on ? "on" : "off", r->ramps[k].connector ? ", connector" : "");
}

// ---- what is written ----

static mc_status write_yaml(const request *r, mc_error *error)
{
    char source[512];
    const char *const names[] = {r->data_file, r->params_file, r->cars_file, r->ramps_file};
    source[0] = '\0';
    for (int k = 0; k < 4; k++)
        if (names[k]) {
            const size_t used = strlen(source);
            snprintf(source + used, sizeof source - used, "%s%s", used ? ", " : "", names[k]);
        }
    const mc_dynavis_scenario scenario = {
        .params = &r->params,
        .data = r->data,
        .frame = r->frame,
        .models = r->models,
        .model_count = r->model_count,
        .model = r->model,
        .ramps = r->ramps_file,
        .car_count = r->car_count     ? r->car_count
                     : r->params_file ? 0
                                      : 4,
        .end = r->memory * 1000.0 * 0.05,
        .source = source[0] ? source : NULL,
    };
    return mc_dynavis_write_scenario(r->yaml, &scenario, error);
}

// Fields that are not known for every car in every frame are left out of a data file.
static void leave_out_unknown(const mc_dynavis_data *data, mc_dynavis_params *params)
{
    static const struct {
        enum mc_dynavis_param item;
        size_t offset;
        const char *name;
    } fields[] = {
        {MC_DYNAVIS_PARAM_VELOCITY_X, offsetof(mc_dynavis_car, v_x), "the longitudinal speed"},
        {MC_DYNAVIS_PARAM_VELOCITY_Y, offsetof(mc_dynavis_car, v_y), "the lateral speed"},
        {MC_DYNAVIS_PARAM_ACCELERATION, offsetof(mc_dynavis_car, a), "the acceleration"},
        {MC_DYNAVIS_PARAM_JERK, offsetof(mc_dynavis_car, jerk), "the jerk"},
    };
    for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) {
        bool known = true;
        for (int f = 0; f < data->frame_count; f++)
            for (int i = 0; i < data->frames[f].car_count; i++) {
                const char *car = (const char *)&data->frames[f].cars[i];
                known = known && isfinite(*(const double *)(car + fields[k].offset));
            }
        params->value[fields[k].item] = known;
        if (!known)
            printf("%s is not known for all cars: omitted\n", fields[k].name);
    }
}

// All that is known; with one lane, in the layout that needs no parameter file.
static mc_status write_data(const request *r, mc_error *error)
{
    const mc_dynavis_data *data = r->data;
    mc_dynavis_params params;
    mc_dynavis_params_defaults(2, &params);
    const int lanes = (int)data->params.value[MC_DYNAVIS_PARAM_LANES];
    params.value[MC_DYNAVIS_PARAM_LANES] = lanes; // for its headways
    params.value[MC_DYNAVIS_PARAM_CARS] = data->max_cars > 0 ? data->max_cars / lanes : 1;
    for (int k = MC_DYNAVIS_PARAM_TIME_HEADWAY; k <= MC_DYNAVIS_PARAM_FIXED_HEADWAY_3; k++)
        params.value[k] = data->params.value[k];
    params.value[MC_DYNAVIS_PARAM_CAR_LENGTH] = data->params.value[MC_DYNAVIS_PARAM_CAR_LENGTH];
    leave_out_unknown(data, &params);
    mc_dynavis_writer *writer = mc_dynavis_writer_open(r->data_out, &params, error);
    if (!writer)
        return error->code;
    mc_status status = MC_OK;
    for (int f = 0; f < data->frame_count && status == MC_OK; f++)
        status = mc_dynavis_writer_write(writer, &data->frames[f], error);
    if (status == MC_OK)
        return mc_dynavis_writer_close(writer, error);
    mc_dynavis_writer_abandon(writer);
    return status;
}

static mc_status act(const request *r, mc_error *error)
{
    mc_status status = MC_OK;
    if (r->check || !(r->yaml || r->csv || r->data_out)) {
        print_params(r);
        if (r->data)
            print_data(r);
        print_rest(r);
    }
    if (r->yaml)
        status = write_yaml(r, error); // first: only this can still find fault with the data
    if (status == MC_OK && r->csv)
        status = mc_dynavis_data_write_csv(r->csv, r->data, error);
    if (status == MC_OK && r->data_out)
        status = write_data(r, error);
    return status;
}

static void print_help(void)
{
    printf("usage: motorcade dynavis [DATA [PARAM]] [-c CARS] [-r RAMPS] [OPTIONS]\n\n"
           "Reads DYNAVIS files, computes the fields missing from the data file, prints what the\n"
           "files contain, and writes them as a scenario, as CSV or as a complete data file.\n\n");
    cli_print_options(options);
}

int cli_dynavis(int argc, char **argv)
{
    const char *const program = "motorcade dynavis";
    request r = {.version = 2};
    mc_error error;
    mc_status status = cli_read(argc, argv, options, &r, &error);
    if (status == MC_OK && r.help) {
        print_help();
        return 0;
    }
    if (status == MC_OK)
        status = check_request(&r, &error);
    if (status == MC_OK)
        status = read_files(&r, &error);
    if (status == MC_OK)
        status = act(&r, &error);
    mc_dynavis_data_free(r.data);
    free(r.models);
    free(r.ramps);
    return status == MC_OK ? 0 : cli_fail(program, &error);
}
