// manoeuvre.h - standard driving manoeuvres: each a scenario made from a few parameters, and the
// figures of a vehicle in it.
//
//     mc_manoeuvre_options options = {.model = "planar"};
//     mc_manoeuvre_test *t = mc_manoeuvre_run(mc_manoeuvre_find("iso7401"), &options, &error);
//     printf("%g\n", mc_manoeuvre_value(t, 0));
//     mc_manoeuvre_free(t);
//
// The vehicle is a model as in a scenario, of any type. Steering angles are those of the steered
// wheels. The scenario that was driven last is a text that `motorcade run` drives again.
//
// Threads: a test is used by one thread at a time; several are independent.
#pragma once

#include "motorcade/param.h"
#include "motorcade/status.h"

#include <stdbool.h>

#include "motorcade/begin.h"

enum { MC_MANOEUVRE_PARAM_MAX = 16, MC_MANOEUVRE_FIGURE_MAX = 16 };

typedef struct mc_manoeuvre_figure {
    const char *name, *unit, *doc;
} mc_manoeuvre_figure;

typedef struct mc_manoeuvre {
    const char *name, *doc;
    const char *source; // where it comes from, and what of it is a default of this program
    const mc_param *params;
    int param_count;
    const mc_manoeuvre_figure *figures;
    int figure_count;
    bool straight; // the car is to stay on a straight course: its offset is of interest
} mc_manoeuvre;

const mc_manoeuvre *mc_manoeuvre_at(int index); // NULL: past the last
const mc_manoeuvre *mc_manoeuvre_find(const char *name);

typedef struct mc_manoeuvre_options {
    const char *model; // as the value of a model in a scenario; NULL: the default type
    const char *path;  // whose folder the files it names are looked for in; NULL: it names none
    const char *const *set_names; // parameters that are not the default
    const double *set_values;
    int set_count;
} mc_manoeuvre_options;

typedef struct mc_manoeuvre_row {
    double t;                // s
    double x, y, psi;        // m, m, rad: mass centre
    double v, v_y, yaw_rate; // m/s along the heading, m/s to the left, rad/s
    double a_y;              // m/s^2, to the left of the heading
    double steer;            // rad, commanded
} mc_manoeuvre_row;

typedef struct mc_manoeuvre_cone {
    double x, y; // m
    bool hit;
} mc_manoeuvre_cone;

typedef struct mc_manoeuvre_test mc_manoeuvre_test;

// NULL: see *error. MC_BAD_INPUT: unknown parameter, value out of range, wrong model.
mc_manoeuvre_test *mc_manoeuvre_run(const mc_manoeuvre *manoeuvre,
                                    const mc_manoeuvre_options *options, mc_error *error);
void mc_manoeuvre_free(mc_manoeuvre_test *test);
double mc_manoeuvre_value(const mc_manoeuvre_test *test, int figure); // NAN: there is none
double mc_manoeuvre_param(const mc_manoeuvre_test *test, int param);  // in force
const char *mc_manoeuvre_scenario(const mc_manoeuvre_test *test);     // driven last
const mc_manoeuvre_row *mc_manoeuvre_rows(const mc_manoeuvre_test *test, int *count);
const mc_manoeuvre_cone *mc_manoeuvre_cones(const mc_manoeuvre_test *test, int *count);

#include "motorcade/end.h"
