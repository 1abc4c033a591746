// sample_run.c - cars that follow each other, written as a run writes them.
#include "support/sample_run.h"

#include "hdf5/results.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { X, Y, PSI, V, A, JERK, THROTTLE, BRAKE, STEER, N, GAP, ERROR, A_DESIRED, FUEL, QUANTITIES };

static const results_column motion_columns[QUANTITIES] = {
    [X] = {"x", "m", "mass centre along the road"},
    [Y] = {"y", "m", "mass centre across the road, left positive"},
    [PSI] = {"psi", "rad", "heading"},
    [V] = {"v", "m/s", "speed"},
    [A] = {"a", "m/s^2", "acceleration"},
    [JERK] = {"jerk", "m/s^3", "rate of the acceleration"},
    [THROTTLE] = {"throttle", "-", "0 closed, 1 open"},
    [BRAKE] = {"brake", "-", "0 free, 1 full"},
    [STEER] = {"steer", "rad", "angle of the steered wheels"},
    [N] = {"n", "rpm", "engine speed"},
    [GAP] = {"gap", "m", "bumper to bumper"},
    [ERROR] = {"spacing_error", "m", "gap minus the desired gap"},
    [A_DESIRED] = {"a_desired", "m/s^2", "acceleration the law asks for"},
    [FUEL] = {"fuel", "g", "burnt since the start"},
};

static const results_column vehicle_columns[] = {{"platoon", "-", "from 0"},
                                                 {"length", "m", "of its box"}};

static const results_column time_column = {"t", "s", "simulated time"};

static const results_column event_columns[] = {{"t", "s", ""},
                                               {"kind", "-", "see event_kinds"},
                                               {"vehicle", "-", "from 0, -1: none"},
                                               {"value", "", ""}};

static const results_column impact_columns[] = {
    {"t", "s", ""},
    {"a", "-", "vehicle, from 0"},
    {"b", "-", ""},
    {"x", "m", ""},
    {"y", "m", ""},
    {"z", "m", ""},
    {"nx", "-", ""},
    {"ny", "-", ""},
    {"nz", "-", ""},
    {"closing", "m/s", ""},
    {"impulse", "N s", ""},
    {"kinetic_a_before", "J", ""},
    {"kinetic_b_before", "J", ""},
    {"kinetic_a_after", "J", ""},
    {"kinetic_b_after", "J", ""},
    {"vibration", "J", "gained by the vibration of both"},
    {"damped", "J", "given to the dampers"}};

static const results_column figure_columns[] = {
    {"largest_spacing_error", "m", "farthest from 0, at any step"},
    {"smallest_gap", "m", "bumper to bumper, at any step"},
    {"ride_rms", "m/s^2", "weighted acceleration, ISO 2631"}};

static const results_column run_figure_columns[] = {{"fuel_total", "g", "of all cars"},
                                                    {"collisions", "-", "number"}};

#define COUNT(list) ((int64_t)(sizeof(list) / sizeof(list)[0]))

static void must(mc_status status, const mc_error *error)
{
    if (status != MC_OK)
        fail_msg("the sample could not be written: %s", error->text);
}

static int add(results *r, const char *name, const results_column *columns, int64_t column_count,
               int64_t vehicles, int64_t rows, bool events)
{
    mc_error error;
    int index;
    const results_table table = {name, columns, column_count, vehicles, rows, events};
    must(results_add_table(r, &table, &index, &error), &error);
    return index;
}

static void put_text(results *r, const char *name, const char *text)
{
    mc_error error;
    must(results_set_text(r, name, text, &error), &error);
}

// The lines of a text as a list.
static void put_list(results *r, const char *name, const char *lines)
{
    mc_error error;
    char *text = strdup(lines);
    const char *words[20000];
    int count = 0;
    for (char *at = text, *word; (word = strsep(&at, "\n")) && (at || *word);)
        words[count++] = word;
    must(results_set_list(r, name, words, count, &error), &error);
    free(text);
}

static const char usual_scenario[] = "name: eight in a row\n"
                                     "# gaps < 1 s & jerk > 2 are \"bad\"\n"
                                     "vehicles:\n  - {model: town_car, count: 8}\n";

static void put_texts(results *r, const sample_run *s, int cars)
{
    char *names = NULL, *models = NULL, *controllers = NULL;
    size_t size;
    FILE *out[3] = {open_memstream(&names, &size), open_memstream(&models, &size),
                    open_memstream(&controllers, &size)};
    for (int i = 0; i < cars; i++) {
        fprintf(out[0], "car%d\n", i + 1);
        fprintf(out[1], i % 2 ? "town_car (powertrain)\n" : "block (cosserat)\n");
        fprintf(out[2], i ? "platoon_law\n" : "leader\n");
    }
    for (int k = 0; k < 3; k++)
        fclose(out[k]);
    put_text(r, "kind", "run");
    put_text(r, "name", s->name ? s->name : "Eight in a row");
    put_text(r, "doc", "A leader drives in waves; one car loses its brakes.");
    put_text(r, "scenario", s->scenario ? s->scenario : usual_scenario);
    put_text(r, "scenario_file", "scenarios/eight.yaml");
    put_list(r, "vehicle_names", s->vehicle_names ? s->vehicle_names : names);
    put_list(r, "vehicle_models", models);
    put_list(r, "vehicle_controllers", controllers);
    put_list(r, "event_kinds", "brake_lost\nheadway\nmode_switch");
    put_list(r, "expect",
             s->no_crash || s->crash_expected
                 ? "holds\tlargest_spacing_error < 5 m\t3.1875 m\n"
                 : "holds\tlargest_spacing_error < 5 m\t3.1875 m\n"
                   "fails\tcollisions == 0\tcollisions = 1 > 0 & \"bad\"\n");
    put_text(r, "versions", "1 at 0 s: as in the file");
    put_text(r, "command", "motorcade run scenarios/eight.yaml -o run.h5");
    put_text(r, "version", "0.1.0");
    put_text(r, "hash", "9f4e1c77a0b2d355");
    free(names);
    free(models);
    free(controllers);
}

// ---- motion ----

static const double length = 4.5, distance = 3.0, headway = 0.5, dt = 0.05;

static double leader_speed(double t)
{
    return t < 40.0 ? 20.0 + 1.5 * sin(0.4 * t)
                    : fmax(20.0 + 1.5 * sin(16.0) - 4.0 * (t - 40.0), 6.0);
}

static void begin(double *row, int cars)
{
    for (int i = 0; i < cars; i++) {
        double *q = row + (size_t)i * QUANTITIES;
        memset(q, 0, QUANTITIES * sizeof *q);
        q[X] = -(double)i * (length + distance + headway * 20.0);
        q[Y] = 1.8;
        q[V] = 20.0;
        q[THROTTLE] = 0.2;
        q[N] = 2400.0;
    }
}

static void step(double *row, int cars, double t, bool crash)
{
    for (int i = cars - 1; i >= 0; i--) { // from the rear: the car in front is still at t
        double *q = row + (size_t)i * QUANTITIES;
        const double *f = q - QUANTITIES, a = q[A];
        const double gap = i ? f[X] - q[X] - length : NAN;
        const double error = gap - distance - headway * q[V];
        double desired =
            i ? 0.25 * error + 0.9 * (f[V] - q[V]) : (leader_speed(t + dt) - leader_speed(t)) / dt;
        if (crash && i == 4 && t >= 40.0)
            desired = fmax(desired, -0.4); // no brakes
        if (crash && i == 4 && t > 44.2)
            desired = 3.0 * (row[3 * QUANTITIES + V] - q[V]);
        q[X] += dt * q[V];
        q[V] = fmax(q[V] + dt * q[A], 0.0);
        q[A] += dt * (desired - q[A]) / 0.4;
        q[JERK] = (q[A] - a) / dt;
        q[THROTTLE] = fmin(fmax(0.2 + 0.15 * desired, 0.0), 1.0);
        q[BRAKE] = fmin(fmax(-0.12 * desired, 0.0), 1.0);
        q[N] = 900.0 + 75.0 * q[V];
        q[A_DESIRED] = desired;
        q[FUEL] += dt * (0.3 + 2.0 * q[THROTTLE]);
    }
}

static void write_motion(results *r, int time_table, int motion_table, int cars, int rows,
                         bool crash)
{
    mc_error error;
    double *row = calloc((size_t)cars * QUANTITIES, sizeof *row);
    double *out = calloc((size_t)cars * QUANTITIES, sizeof *out);
    assert_true(row && out);
    begin(row, cars);
    for (int k = 0; k < rows; k++) {
        const double t = dt * k;
        memcpy(out, row, (size_t)cars * QUANTITIES * sizeof *out);
        for (int i = 0; i < cars; i++) {
            double *q = out + (size_t)i * QUANTITIES;
            q[GAP] = i ? q[X - QUANTITIES] - q[X] - length : NAN;
            q[ERROR] = i ? q[GAP] - distance - headway * q[V] : NAN;
            if (i > 0) {
                q[GAP] = fmax(q[GAP], 0.9);
                q[ERROR] = fmax(fmin(q[ERROR], 2.5), -2.5);
            }
        }
        if (k == 600 && cars >= 7) { // t = 30 s
            out[2 * QUANTITIES + JERK] = SAMPLE_JERK;
            out[5 * QUANTITIES + ERROR] = SAMPLE_SPACING_ERROR;
            out[6 * QUANTITIES + GAP] = SAMPLE_GAP;
        }
        must(results_write(r, motion_table, out, &error), &error);
        must(results_write(r, time_table, &t, &error), &error);
        step(row, cars, t, crash);
    }
    free(row);
    free(out);
}

static void write_crash(results *r, int events, int impacts)
{
    mc_error error;
    const double event_rows[][4] = {{10.0, 1, -1, 0.5}, {40.0, 0, 4, 0.0}, {41.0, 2, 2, 1.0}};
    for (int i = 0; i < 3; i++)
        must(results_write(r, events, event_rows[i], &error), &error);
    const double share[3] = {0.5, 0.3, 0.2};
    for (int i = 0; i < 3; i++) {
        // b, the car behind, has the larger number: the normal from a to b points backwards
        const double row[COUNT(impact_columns)] = {44.125 + 0.02 * i,
                                                   3,
                                                   4,
                                                   812.5,
                                                   1.8,
                                                   0.6,
                                                   -1,
                                                   0,
                                                   0,
                                                   SAMPLE_CLOSING - 2.0 * i,
                                                   share[i] * SAMPLE_IMPULSE,
                                                   120e3 + 4e3 * i,
                                                   260e3 - 8e3 * i,
                                                   124e3 + 4e3 * i,
                                                   252e3 - 8e3 * i,
                                                   2500.0 * share[i],
                                                   800.0 * share[i]};
        must(results_write(r, impacts, row, &error), &error);
    }
}

static void write_vehicles(results *r, int vehicles, int cars, int platoons)
{
    mc_error error;
    double *row = calloc((size_t)cars * COUNT(vehicle_columns), sizeof *row);
    assert_non_null(row);
    for (int i = 0; i < cars; i++) {
        row[2 * i] = i * platoons / cars;
        row[2 * i + 1] = length;
    }
    must(results_write(r, vehicles, row, &error), &error);
    free(row);
}

static void write_figures(results *r, int figures, int run_figures, int cars, bool crash)
{
    mc_error error;
    double *row = calloc((size_t)cars * 3, sizeof *row);
    assert_non_null(row);
    for (int i = 0; i < cars; i++) {
        row[3 * i] = i == 5 ? SAMPLE_SPACING_ERROR : 0.125 * (i + 1);
        row[3 * i + 1] = i ? 9.0 + 0.0625 * i : NAN;
        row[3 * i + 2] = 0.3 + 0.01 * i;
    }
    const double whole[2] = {987.5, crash};
    must(results_write(r, figures, row, &error), &error);
    must(results_write(r, run_figures, whole, &error), &error);
    free(row);
}

void sample_run_write(const char *path, const sample_run *s)
{
    mc_error error;
    const int cars = s->cars > 0 ? s->cars : 8, rows = s->rows > 0 ? s->rows : 1201;
    const int declared = s->segment > 0 ? s->segment : rows;
    const bool crash = !s->bare && !s->no_crash && cars >= 5;
    results *r = results_new(path, &error);
    assert_non_null(r);
    const int time = add(r, "time", &time_column, 1, 0, declared, false);
    const int motion = add(r, "motion", motion_columns, QUANTITIES, cars, declared, false);
    int events = -1, impacts = -1, figures = -1, run_figures = -1, vehicles = -1;
    if (!s->bare) {
        vehicles = add(r, "vehicles", vehicle_columns, COUNT(vehicle_columns), cars, 1, true);
        events = add(r, "events", event_columns, COUNT(event_columns), 0, 2, true);
        impacts = add(r, "impacts", impact_columns, COUNT(impact_columns), 0, 2, true);
        figures = add(r, "figures", figure_columns, COUNT(figure_columns), cars, 1, true);
        run_figures =
            add(r, "run_figures", run_figure_columns, COUNT(run_figure_columns), 0, 1, true);
        put_texts(r, s, cars);
    }
    must(results_create(r, &error), &error);
    if (!s->bare)
        write_vehicles(r, vehicles, cars, s->platoons > 0 ? s->platoons : 1);
    write_motion(r, time, motion, cars, rows, crash);
    if (crash)
        write_crash(r, events, impacts);
    if (!s->bare)
        write_figures(r, figures, run_figures, cars, crash);
    if (!s->unfinished)
        must(results_finish(r, &error), &error);
    results_free(r);
}
