// stability_steering.c - `motorcade stability --steering NAME`: does a steering law keep its car on
// the path?
#include "base/file.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "motorcade/lateral.h"
#include "motorcade/laws.h"
#include "motorcade/plot.h"
#include "motorcade/run.h"
#include "motorcade/vehicle_type.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define GRAVITY_STANDARD 9.80665 // m/s^2, of the limit of the map

typedef struct request {
    mc_lateral_options o;
    cli_settings set;
    const char *steering, *model, *scenario, *vehicle, *svg, *map, *csv;
    double radius;
    bool help;
} request;

static mc_status take_set(void *place, const cli_option *option, const char *value, mc_error *error)
{
    (void)option;
    return cli_add_setting(place, "k=1", CLI_SETTINGS_MAX, value, error);
}

static const cli_option options[] = {
    {0, "steering", "NAME", "steering law; \"own\": that of the vehicle's controller",
     CLI_TO(steering)},
    {0, "set", "NAME=VALUE", "parameter of the law, SI; may be repeated", CLI_BY(take_set, set)},
    {0, "model", "MODEL",
     "a model as in a scenario: a type, or a map with its keys (default: the type of models "
     "that do not say)",
     CLI_TO(model)},
    {0, "scenario", "FILE", "take the vehicle from a scenario instead", CLI_TO(scenario)},
    {0, "vehicle", "NAME", "which one (default: the first with a controller)", CLI_TO(vehicle)},
    {0, "speed", "V", "speed [m/s] (default: 20)", CLI_WITHIN(o.speed, 0.5, 100.0)},
    {0, "radius", "R", "of a steady left turn [m] (default: straight ahead)",
     CLI_WITHIN(radius, 5.0, 1e9)},
    {0, "friction", "MU", "of the road (default: 1)", CLI_WITHIN(o.friction, 0.01, 3.0)},
    {0, "coast", NULL, "the engine neither drives nor brakes, so the tyres have all their friction",
     CLI_TO(o.coast)},
    {0, "svg", "FILE", "draw gain and phase over frequency", CLI_TO(svg)},
    {0, "map", "FILE",
     "draw the largest real part over speed 5 - 60 m/s, turns up to 0.7 of the friction and "
     "friction 0.2 - 1",
     CLI_TO(map)},
    {0, "csv", "FILE", "write all points of that map", CLI_TO(csv)},
    CLI_HELP,
    CLI_NO_WORD("unexpected \"%s\"; give the steering law as --steering NAME"),
};

static const char *model_of(const request *r)
{
    return r->scenario ? r->scenario : r->model ? r->model : mc_vehicle_type_default()->name;
}

// ---- the vehicle -------------------------------------------------------------------------------

static mc_scenario *open_scenario(const request *r, mc_error *error)
{
    char text[2000];
    if (r->scenario)
        return mc_scenario_load(r->scenario, error);
    const int length =
        snprintf(text, sizeof text,
                 "motorcade: scenario\ntime: {end: 1}\nmodels: {car: %s}\n"
                 "controllers: {keep: {law: %s}}\n"
                 "vehicles: [{model: car, name: car, x: 0, v: 20, controller: keep}]\n",
                 model_of(r), mc_law_default(MC_LAW_ROLE_PROFILE));
    if (length < 0 || (size_t)length >= sizeof text) {
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "--model is too long");
        return NULL;
    }
    return mc_scenario_parse(text, (size_t)length, "--model", error);
}

static int find_vehicle(const request *r, const mc_scenario *s, mc_error *error)
{
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = 1, .interpret = true}, error);
    if (!run)
        return -1;
    int found = -1;
    mc_run_vehicle_info info;
    for (int k = 0; !r->vehicle && found < 0 && k < mc_run_vehicle_count(run); k++) {
        mc_run_vehicle(run, k, &info);
        if (info.controller[0])
            found = k;
    }
    if (r->vehicle)
        found = mc_run_find(run, r->vehicle);
    if (found < 0)
        mc_error_set(error, MC_BAD_INPUT, r->scenario, 0, 0,
                     r->vehicle ? "there is no vehicle \"%s\"" : "no vehicle has a controller%s",
                     r->vehicle ? r->vehicle : "");
    mc_run_destroy(run);
    return found;
}

// ---- one point ---------------------------------------------------------------------------------

static void print_point(const request *r, const mc_lateral_result *v)
{
    printf("steering law %s", v->law);
    for (int i = 0; i < r->set.count; i++)
        printf(", %s = %g", r->set.names[i], r->set.values[i]);
    printf("\n  %s at %g m/s, ", model_of(r), r->o.speed);
    if (r->o.curvature != 0.0)
        printf("radius %g m (%.4g m/s^2)", r->radius, r->o.speed * r->o.speed / r->radius);
    else
        printf("straight ahead");
    printf(", friction %g%s\n\n", r->o.friction,
           v->friction_matters ? "" : " (which does nothing to this type)");
    if (r->o.curvature != 0.0)
        printf("steady      steering angle %.6g rad, side slip %.4g rad, offset %.4g m\n", v->steer,
               v->side_slip, v->offset);
    if (!isnan(v->front_use))
        printf("tyres       use %.0f %% of the friction in front, %.0f %% in the rear\n",
               100.0 * v->front_use, 100.0 * v->rear_use);
    printf("poles, 1/s ");
    for (int i = 0, printed = 0; i < v->pole_count; i++) {
        if (v->pole_imaginary[i] < 0.0)
            continue;
        printf(printed++ ? ", %.4g" : " %.4g", v->pole_real[i]);
        if (v->pole_imaginary[i] > 0.0)
            printf(" +- %.4gi", v->pole_imaginary[i]);
    }
    printf("\n");
    if (v->largest >= 0.0) {
        printf("unstable: the car does not stay on its path\n");
        return;
    }
    printf("loop        crosses gain 1 at %.4g rad/s, phase margin %.3g deg, ", v->crossover,
           v->phase_margin * 180.0 / PI);
    if (isnan(v->gain_margin))
        printf("any gain margin\n");
    else
        printf("gain margin %.3g\n", v->gain_margin);
    if (r->o.curvature == 0.0) {
        printf("string      %s behind a car whose path is followed: |G| is at most %.6g, ",
               v->string_stable ? "stable" : "unstable", v->peak);
        if (v->peak_frequency > 0.0)
            printf("at %.4g rad/s\n", v->peak_frequency);
        else
            printf("for w -> 0\n");
    }
}

static void print_table(const mc_lateral *l, bool straight)
{
    static const double steps[] = {1.0, 2.0, 5.0};
    printf("\n   w rad/s     |loop|   phase deg%s\n", straight ? "        |G|   phase deg" : "");
    for (int i = 0; i < 10; i++) {
        const double w = steps[i % 3] * pow(10.0, i / 3 - 1);
        double phase, follows;
        const double size = mc_lateral_loop(l, w, &phase);
        printf("%10g %10.6f %11.2f", w, size, phase * 180.0 / PI);
        if (straight) {
            const double g = mc_lateral_gain(l, w, &follows);
            printf(" %10.6f %11.2f", g, follows * 180.0 / PI);
        }
        putchar('\n');
    }
}

static mc_status draw(const request *r, const mc_lateral *l, mc_error *error)
{
    enum { POINTS = 500 };
    static double w[POINTS], size[2][POINTS], phase[POINTS];
    const bool straight = r->o.curvature == 0.0;
    double turn = 0.0;
    for (int i = 0; i < POINTS; i++) {
        double now;
        w[i] = pow(10.0, -1.0 + 3.0 * i / (POINTS - 1));
        size[0][i] = mc_lateral_loop(l, w[i], &now);
        size[1][i] = mc_lateral_gain(l, w[i], NULL);
        now *= 180.0 / PI;
        if (i > 0) // without jumps of a turn
            turn += 360.0 * round((phase[i - 1] - now - turn) / 360.0);
        phase[i] = now + turn;
    }
    const mc_plot_curve gains[] = {
        {.label = "open loop", .unit = "-", .x = w, .y = size[0], .count = POINTS},
        {.label = "path to car", .unit = "-", .x = w, .y = size[1], .count = POINTS},
    };
    const mc_plot_curve phases[] = {
        {.label = "open loop", .unit = "deg", .x = w, .y = phase, .count = POINTS},
    };
    const mc_plot_panel panels[] = {
        {.y = {.label = "Gain", .unit = "-", .logarithmic = 1},
         .curves = gains,
         .curve_count = straight ? 2 : 1},
        {.y = {.label = "Phase", .unit = "deg"}, .curves = phases, .curve_count = 1},
    };
    char title[120], caption[200];
    snprintf(title, sizeof title, "Steering law %s", mc_lateral_result_of(l)->law);
    snprintf(caption, sizeof caption, "%.60s, %g m/s, friction %g", model_of(r), r->o.speed,
             r->o.friction);
    const mc_plot plot = {.title = title,
                          .caption = caption,
                          .x = {.label = "Frequency", .unit = "rad/s", .logarithmic = 1},
                          .panels = panels,
                          .panel_count = 2};
    return mc_plot_write(r->svg, &plot, error);
}

static mc_status answer_point(const request *r, const mc_scenario *s, int vehicle, mc_error *error)
{
    mc_lateral *l = mc_lateral_create(s, vehicle, &r->o, error);
    if (!l)
        return error->code;
    mc_status status = r->svg ? draw(r, l, error) : MC_OK;
    if (status == MC_OK) {
        print_point(r, mc_lateral_result_of(l));
        print_table(l, r->o.curvature == 0.0);
        if (r->svg)
            printf("\nwrote %s\n", r->svg);
    }
    mc_lateral_destroy(l);
    return status;
}

// ---- the map -----------------------------------------------------------------------------------

enum { SPEEDS = 23, SHARES = 8, FRICTIONS = 5 };

typedef struct map {
    double largest[FRICTIONS][SHARES][SPEEDS]; // 1/s; NAN: no steady turn
    double offset[FRICTIONS][SHARES][SPEEDS];  // m
    double use[2][FRICTIONS][SHARES][SPEEDS];  // -, of the friction, front and rear
} map;

static double speed_of(int k)
{
    return 5.0 + 2.5 * k;
}

static double share_of(int k) // v^2/R over friction times g
{
    return 0.1 * k;
}

static double friction_of(int k)
{
    return 0.2 * (k + 1);
}

static const double TIGHTEST = 0.1; // 1/m: turns below R = 10 m are left out

static double curvature_of(int f, int j, int k)
{
    return share_of(j) * friction_of(f) * GRAVITY_STANDARD / (speed_of(k) * speed_of(k));
}

static mc_status fill(const request *r, const mc_scenario *s, int vehicle, map *m, mc_error *error)
{
    mc_lateral_options o = r->o;
    o.poles_only = true;
    for (int f = 0; f < FRICTIONS; f++)
        for (int j = 0; j < SHARES; j++)
            for (int k = 0; k < SPEEDS; k++) {
                o.friction = friction_of(f);
                o.speed = speed_of(k);
                o.curvature = curvature_of(f, j, k);
                m->largest[f][j][k] = m->offset[f][j][k] = NAN;
                m->use[0][f][j][k] = m->use[1][f][j][k] = NAN;
                if (o.curvature > TIGHTEST)
                    continue;
                mc_lateral *l = mc_lateral_create(s, vehicle, &o, error);
                if (!l && error->code != MC_FAILED)
                    return error->code;
                if (l) {
                    m->largest[f][j][k] = mc_lateral_result_of(l)->largest;
                    m->offset[f][j][k] = mc_lateral_result_of(l)->offset;
                    m->use[0][f][j][k] = mc_lateral_result_of(l)->front_use;
                    m->use[1][f][j][k] = mc_lateral_result_of(l)->rear_use;
                }
                mc_lateral_destroy(l);
            }
    return MC_OK;
}

static void print_map(const map *m)
{
    static const int columns[] = {0, 2, 6, 10, 14, 18, 22};
    int count = 0, unstable = 0, none = 0;
    double worst = -HUGE_VAL;
    int at[3] = {0};
    for (int f = 0; f < FRICTIONS; f++)
        for (int j = 0; j < SHARES; j++)
            for (int k = 0; k < SPEEDS; k++) {
                const double v = m->largest[f][j][k];
                if (isnan(v)) {
                    none += curvature_of(f, j, k) <= TIGHTEST;
                    continue;
                }
                count++, unstable += v >= 0.0;
                if (v > worst)
                    worst = v, at[0] = f, at[1] = j, at[2] = k;
            }
    printf("largest real part, 1/s, over all turns with v^2/R <= 0.7 friction g, R >= 10 m\n\n "
           "friction");
    for (int c = 0; c < 7; c++)
        printf("%6g m/s", speed_of(columns[c]));
    for (int f = 0; f < FRICTIONS; f++) {
        printf("\n%9g", friction_of(f));
        for (int c = 0; c < 7; c++) {
            double max = -HUGE_VAL;
            for (int j = 0; j < SHARES; j++)
                max = isnan(m->largest[f][j][columns[c]]) ? max
                                                          : fmax(max, m->largest[f][j][columns[c]]);
            printf("%10.4f", max);
        }
    }
    printf("\n\n%s: %d of %d points unstable, %d without a steady turn\n",
           unstable ? "not stable everywhere"
           : none   ? "stable in every steady turn that there is"
                    : "stable everywhere",
           unstable, count, none);
    printf("the largest is %.4g 1/s, at %g m/s, friction %g, ", worst, speed_of(at[2]),
           friction_of(at[0]));
    if (at[1])
        printf("R = %.4g m\n", 1.0 / curvature_of(at[0], at[1], at[2]));
    else
        printf("straight ahead\n");
}

static mc_status write_points(const char *path, const map *m, mc_error *error)
{
    file_writer *out = file_writer_open(path, error);
    if (!out)
        return error->code;
    file_print(out, "friction,share,speed [m/s],curvature [1/m],largest [1/s],offset [m],"
                    "front_use,rear_use\n");
    for (int f = 0; f < FRICTIONS; f++)
        for (int j = 0; j < SHARES; j++)
            for (int k = 0; k < SPEEDS; k++)
                file_print(out, "%g,%g,%g,%.9g,%.9g,%.9g,%.9g,%.9g\n", friction_of(f), share_of(j),
                           speed_of(k), curvature_of(f, j, k), m->largest[f][j][k],
                           m->offset[f][j][k], m->use[0][f][j][k], m->use[1][f][j][k]);
    return file_writer_commit(out, error);
}

static mc_status draw_map(const request *r, const map *m, const char *law, mc_error *error)
{
    static double values[SHARES * SPEEDS];
    for (int j = 0; j < SHARES; j++)
        for (int k = 0; k < SPEEDS; k++) {
            double max = -HUGE_VAL;
            for (int f = 0; f < FRICTIONS; f++)
                if (!isnan(m->largest[f][j][k]))
                    max = fmax(max, m->largest[f][j][k]);
            values[j * SPEEDS + k] = isfinite(max) ? max : (double)NAN;
        }
    char title[160];
    snprintf(title, sizeof title, "Steering law %s, %.60s: largest real part of the closed loop",
             law, model_of(r));
    const mc_plot_heat heat = {
        .title = title,
        .caption = "Largest of friction 0.2, 0.4 .. 1; below 0 the car stays on its path",
        .x = {.label = "Speed", .unit = "m/s", .low = 3.75, .high = 61.25},
        .y = {.label = "v^2/(R friction g)", .unit = "-", .low = -0.05, .high = 0.75},
        .value = {.label = "Real part", .unit = "1/s"},
        .column_count = SPEEDS,
        .row_count = SHARES,
        .values = values,
        .diverging = true,
    };
    char *text;
    size_t size;
    mc_status status = mc_plot_heat_text(&heat, &text, &size, error);
    if (status != MC_OK)
        return status;
    file_writer *out = file_writer_open(r->map, error);
    if (out)
        file_write(out, text, size);
    free(text);
    return out ? file_writer_commit(out, error) : error->code;
}

static mc_status answer_map(const request *r, const mc_scenario *s, int vehicle, mc_error *error)
{
    map *m = malloc(sizeof *m);
    if (!m)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a map");
    mc_status status = fill(r, s, vehicle, m, error);
    if (status == MC_OK && r->map)
        status = draw_map(r, m, r->o.law ? r->o.law : "of the controller", error);
    if (status == MC_OK && r->csv)
        status = write_points(r->csv, m, error);
    if (status == MC_OK) {
        print_map(m);
        if (r->map)
            printf("\nwrote %s\n", r->map);
        if (r->csv)
            printf("%swrote %s\n", r->map ? "" : "\n", r->csv);
    }
    free(m);
    return status;
}

// ---- the command -------------------------------------------------------------------------------

static mc_status answer(request *r, mc_error *error)
{
    if (r->model && r->scenario)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "--model and --scenario exclude each other");
    if (r->vehicle && !r->scenario)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "--vehicle needs --scenario");
    r->o.law = strcmp(r->steering, "own") == 0 ? NULL : r->steering;
    r->o.curvature = isnan(r->radius) ? 0.0 : 1.0 / r->radius;
    r->o.set_names = r->set.names;
    r->o.set_values = r->set.values;
    r->o.set_count = r->set.count;
    mc_scenario *s = open_scenario(r, error);
    if (!s)
        return error->code;
    const int vehicle = find_vehicle(r, s, error);
    mc_status status = vehicle < 0        ? error->code
                       : r->map || r->csv ? answer_map(r, s, vehicle, error)
                                          : answer_point(r, s, vehicle, error);
    mc_scenario_free(s);
    return status;
}

int cli_stability_steering(int argc, char **argv)
{
    const char *const program = "motorcade stability";
    request r = {.o = mc_lateral_defaults(), .radius = NAN};
    mc_error error = {0};
    if (cli_read(argc, argv, options, &r, &error) != MC_OK)
        return cli_fail(program, &error);
    if (r.help) {
        printf("usage: motorcade stability --steering NAME [OPTIONS]\n\n"
               "Tells whether a steering law keeps its car on the path: poles, margins, the gain "
               "from the\npath to the car, for a car at constant speed, straight ahead or in a "
               "steady turn.\n\n");
        cli_print_options(options);
        return 0;
    }
    return answer(&r, &error) == MC_OK ? 0 : cli_fail(program, &error);
}
