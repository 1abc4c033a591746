// picture.c - `motorcade picture run.h5 [--at T] [--camera NAME] [-o run.png]`.
#include "cli/commands.h"
#include "cli/guard.h"
#include "cli/options.h"
#include "motorcade/render.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const program = "motorcade picture";

typedef struct request {
    const char *run, *output;
    mc_render_options o;
    double at;
    const char *camera, *vehicle, *theme, *model, *size, *from, *look;
    double magnify, amplitude, lift;
    int mode, threads;
    bool strain, labels, rest, loads, help;
} request;

static mc_status take_size(void *place, const cli_option *option, const char *value,
                           mc_error *error)
{
    request *r = place;
    char *end;
    const long width = strtol(value, &end, 10);
    const long height = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
    if (*end || width < 64 || width > 8192 || height < 64 || height > 8192)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "--%s %.40s: expected WIDTHxHEIGHT in pixels, each 64 .. 8192, such as "
                            "1440x900",
                            option->name, value);
    r->o.width = (int)width;
    r->o.height = (int)height;
    return MC_OK;
}

static mc_status take_place(const cli_option *option, const char *value, double out[3],
                            mc_error *error)
{
    const char *at = value;
    for (int k = 0; k < 3; k++) {
        char *end;
        out[k] = strtod(at, &end);
        if (end == at || !isfinite(out[k]) || *end != (k < 2 ? ',' : '\0'))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "--%s %.40s: expected three numbers X,Y,Z in m, such as 120,-8,3",
                                option->name, value);
        at = end + 1;
    }
    return MC_OK;
}

static mc_status take_from(void *place, const cli_option *option, const char *value,
                           mc_error *error)
{
    return take_place(option, value, ((request *)place)->o.from, error);
}

static mc_status take_look(void *place, const cli_option *option, const char *value,
                           mc_error *error)
{
    return take_place(option, value, ((request *)place)->o.look, error);
}

static const cli_option options[] = {
    {0, "at", "T",
     "instant [s], between rows too (default: the last row; of the camera contact the first "
     "collision)",
     CLI_WITHIN(at, -1e12, 1e12)},
    {0, "camera", "NAME", "platoon (default), chase, contact, driver, top or free", CLI_TO(camera)},
    {0, "vehicle", "NAME", "the camera's vehicle (default: the first; that of the contact)",
     CLI_TO(vehicle)},
    {0, "from", "X,Y,Z", "camera free: the eye [m], along the road, to the left, above it",
     CLI_BY_ALL(take_from)},
    {0, "look", "X,Y,Z", "camera free: what it looks at [m]", CLI_BY_ALL(take_look)},
    {0, "size", "WxH", "pixels (default: 1440x900)", CLI_BY_ALL(take_size)},
    {0, "theme", "NAME", "day (default) or evening", CLI_TO(theme)},
    {0, "labels", NULL, "names and speeds of vehicles, the time", CLI_TO(labels)},
    {0, "magnify", "N", "deformation is drawn N times as large (default: 1)",
     CLI_WITHIN(magnify, 0, 1000)},
    {0, "strain", NULL, "deformable vehicles in colours of their strain, with a legend",
     CLI_TO(strain)},
    {0, "mode", "K", "of a mechanism: its mode K, from 1, about the equilibrium",
     CLI_WITHIN(mode, 1, 10000)},
    {0, "amplitude", "A", "of the mode: largest coordinate, m or rad (default: 0.1)",
     CLI_WITHIN(amplitude, -100, 100)},
    {0, "rest", NULL, "of a mechanism: its position of rest, on its wheels if no tyres carry it",
     CLI_TO(rest)},
    {0, "loads", NULL, "of a mechanism: forces of springs, and at rest of the road, as arrows",
     CLI_TO(loads)},
    {0, "lift", "H", "of a mechanism: what is of glass is drawn H m higher (default: 0)",
     CLI_WITHIN(lift, 0, 100)},
    {0, "model", "FILE", "the mechanism's file (default: as simulate was called)", CLI_TO(model)},
    {0, "threads", "N", "threads to use (default: one per core); same pixels",
     CLI_WITHIN(threads, 1, 1024)},
    {'o', "output", " FILE", "picture to write (default: run.png next to run.h5)", CLI_TO(output)},
    CLI_HELP,
    CLI_ONE_WORD(run, "only one results file is expected: found \"%s\" after \"%s\""),
};

static void print_help(void)
{
    printf("usage: motorcade picture RUN.h5 [--at T] [--camera NAME] [OPTIONS]\n\n"
           "Draws an instant of a results file (run, medusa, simulate) in three dimensions and\n"
           "writes it as PNG, in the look of the studio's 3-D view. It needs no browser and no\n"
           "display.\n\n");
    cli_print_options(options);
}

static int write_picture(request *r)
{
    mc_error error;
    char *own = r->output ? NULL : cli_name_beside(r->run, ".png");
    const char *output = r->output ? r->output : own;
    cli_guard g = {0};
    cli_guard_reads_results(&g, "the results file it is made of", r->run);
    cli_guard_writes(&g, r->output ? "-o" : "the picture", output);
    mc_status status = output ? cli_guard_check(&g, &error)
                              : mc_error_set(&error, MC_NO_MEMORY, NULL, 0, 0, "no memory left");
    if (status == MC_OK)
        status = mc_render_write(r->run, output, &r->o, &error);
    if (status == MC_OK && strcmp(output, "/dev/stdout") != 0)
        printf("picture: %s\n", output);
    const int code = status == MC_OK ? 0 : cli_fail(program, &error);
    free(own);
    return code;
}

int cli_picture(int argc, char **argv)
{
    mc_error error;
    request r = {.o = mc_render_defaults(), .at = NAN, .theme = "day"};
    r.magnify = r.o.magnify;
    r.amplitude = r.o.amplitude;
    if (cli_read(argc, argv, options, &r, &error) != MC_OK)
        return cli_fail(program, &error);
    if (r.help) {
        print_help();
        return 0;
    }
    if (!r.run) {
        mc_error_set(&error, MC_BAD_INPUT, NULL, 0, 0,
                     "no results file given; try: motorcade picture run.h5 (`motorcade picture -h` "
                     "explains)");
        return cli_fail(program, &error);
    }
    r.o.at = r.at;
    r.o.camera = r.camera ? r.camera : isfinite(r.o.from[0]) ? "free" : NULL;
    r.o.vehicle = r.vehicle;
    r.o.theme = r.theme;
    r.o.magnify = r.magnify;
    r.o.strain = r.strain;
    r.o.labels = r.labels;
    r.o.mode = r.mode;
    r.o.amplitude = r.amplitude;
    r.o.rest = r.rest;
    r.o.loads = r.loads;
    r.o.lift = r.lift;
    r.o.model = r.model;
    r.o.threads = r.threads;
    return write_picture(&r);
}
