// figures.h - figures that sum up a platoon run, and conditions on them.
//
//     mc_figures_setup setup = mc_figures_defaults();
//     setup.count = 8, setup.length = length, setup.front = front, setup.step = 0.01;
//     mc_figures *f = mc_figures_create(&setup, &error);
//     while (...)
//         mc_figures_take(f, &row);                       // one row per record step, as it comes
//     printf("%g m\n", mc_figures_value(f, 2, MC_FIGURE_LARGEST_SPACING_ERROR));
//     mc_figures_destroy(f);
//
// The table mc_figure_table describes every figure once: reports, the manual, the columns of sweeps
// and the names in `expect:` are made from it. Figures belong to a car or to the whole run; those
// of a car also have a value for the run, combined over all cars as the table says.
//
// What is measured, and its limits:
// 1. Extremes are those of the rows. Integrals (rms, dose, gains) use the trapezoidal rule.
// 2. Spacing error is gap minus desired gap: positive when the car is too far behind. Its extremes
//    are those of the absolute value.
// 3. Time gap counts above 1 m/s. Time to collision and the deceleration it needs (DRAC) count
//    while the gap closes; a gap of zero or less gives 0 s and infinity.
// 4. Weighted acceleration: ISO 2631-1, x axis, weighting Wd as a filter that is exact for
//    accelerations that are linear between rows: 1 % at 0.055 / step, 10 % at 0.18 / step (5.5 Hz
//    and 18 Hz at 0.01 s). The car is assumed to have had its first acceleration forever before.
// 5. Gains compare a car with the one in front of it: L2 norm or maximum absolute value of the
//    change of speed since the first row, and of the spacing error. They show string stability only
//    when the platoon starts in its steady state and only the leader is disturbed. NAN: the car in
//    front did not change.
// 6. NAN: there is no such value: the gap of a leader, the fuel of a car that reports none.
//
// Nothing is allocated after mc_figures_create. The state is plain doubles: mc_figures_save and
// mc_figures_restore carry it through snapshots, bit for bit.
//
// Threads: figures and conditions are used by one thread at a time; several are independent.
#pragma once

#include "motorcade/param.h"
#include "motorcade/status.h"

#include <stdbool.h>
#include <stddef.h>

#include "motorcade/begin.h"

// ---- the table ---------------------------------------------------------------------------------

typedef enum mc_figure_id {
    MC_FIGURE_COLLISIONS,
    MC_FIGURE_COLLISION_ENERGY,
    MC_FIGURE_T,
    MC_FIGURE_LANE_CHANGES, // counted by the run: mc_figures_set_count
    MC_FIGURE_CUT_INS,
    MC_FIGURE_ENTERED,
    MC_FIGURE_LEFT,
    MC_FIGURE_WAITING,
    MC_FIGURE_CHECK_IN_REJECTED,
    MC_FIGURE_LARGEST_SPACING_ERROR, // from here on: of each car
    MC_FIGURE_RMS_SPACING_ERROR,
    MC_FIGURE_SMALLEST_GAP,
    MC_FIGURE_SMALLEST_TIME_GAP,
    MC_FIGURE_SMALLEST_TTC,
    MC_FIGURE_LARGEST_DRAC,
    MC_FIGURE_LARGEST_ACCELERATION,
    MC_FIGURE_LARGEST_JERK,
    MC_FIGURE_RMS_JERK,
    MC_FIGURE_LARGEST_LATERAL_ERROR,
    MC_FIGURE_WEIGHTED_ACCELERATION,
    MC_FIGURE_DOSE,
    MC_FIGURE_DISTANCE,
    MC_FIGURE_FUEL,
    MC_FIGURE_FUEL_PER_KM,
    MC_FIGURE_FUEL_PER_100KM,
    MC_FIGURE_FUEL_MPG,
    MC_FIGURE_MILEAGE,
    MC_FIGURE_GAIN_SPEED_L2,
    MC_FIGURE_GAIN_SPEED_MAX,
    MC_FIGURE_GAIN_ERROR_L2,
    MC_FIGURE_GAIN_ERROR_MAX,
    MC_FIGURE_X, // from here on: in the last row
    MC_FIGURE_V,
    MC_FIGURE_A,
    MC_FIGURE_GAP,
    MC_FIGURE_SPACING_ERROR,
    MC_FIGURE_COUNT
} mc_figure_id;

typedef enum mc_figure_over { // the value for the run
    MC_FIGURE_OVER_RUN,       // belongs to the run; cars have none
    MC_FIGURE_OVER_MAX,       // the largest of all cars
    MC_FIGURE_OVER_MIN,       // the smallest
    MC_FIGURE_OVER_SUM,       // of all cars
    MC_FIGURE_OVER_MEAN,      // of all cars
    MC_FIGURE_OVER_ALL,       // total fuel divided by total distance
    MC_FIGURE_OVER_NONE,      // only of a car
} mc_figure_over;

typedef struct mc_figure {
    const char *name; // in formulas: of the run `largest.jerk`, of a car `car3.largest.jerk`
    const char *unit; // "-": a pure number
    mc_figure_over over;
    const char *doc;
} mc_figure;

extern const mc_figure mc_figure_table[MC_FIGURE_COUNT];

mc_figure_id mc_figure_find(const char *name); // MC_FIGURE_COUNT: unknown

// ---- taking them -------------------------------------------------------------------------------

typedef struct mc_figures mc_figures;

typedef struct mc_figures_setup {
    int count;               // cars
    const double *length;    // m, count entries
    const int *front;        // count entries: the car in front, -1: none. Copied, as length
    double step;             // s, between rows; a row may come at another time, the last one mostly
    double fuel_density;     // kg/m^3
    double mileage_window;   // s, eq (13): T0
    double mileage_alpha;    // 1/s
    double mileage_min_fuel; // gal, eps
    double mileage_start;    // mpg, GM(0)
} mc_figures_setup;

mc_figures_setup mc_figures_defaults(void); // 745 kg/m^3; 100 s, 0.1 1/s, 1e-3 gal, 10 mpg

// NULL: see *error.
mc_figures *mc_figures_create(const mc_figures_setup *setup, mc_error *error);
void mc_figures_destroy(mc_figures *f);

typedef struct mc_figures_row { // arrays of one entry per car
    double t;                   // s, after that of the previous row
    const double *x, *v, *a;    // m (middle of the car), m/s, m/s^2
    const double *jerk;         // m/s^3; NULL: from the accelerations of two rows
    const double *gap;          // m, bumper to bumper; NULL: from x and the lengths
    const double *desired_gap;  // m, NAN: none; NULL: no car has one
    const double *fuel;         // kg burnt so far, NAN: no engine; NULL: no car has one
    const double *lateral;      // m, off its path; NAN: no law steers it; NULL: not known
} mc_figures_row;

void mc_figures_take(mc_figures *f, const mc_figures_row *row);

// The same for a whole run at once: rows in time order; value of car i in row r at [r * count + i].
void mc_figures_take_all(mc_figures *f, int rows, const double *t, const mc_figures_row *columns);

// One collision (not one micro-impact), and the mechanical energy it took from the cars, J.
void mc_figures_collide(mc_figures *f, double energy);

// The same as totals, for callers that count them (mc_collisions_from_impacts) in a growing list.
// count below 0: not known.
void mc_figures_set_collisions(mc_figures *f, int count, double energy);

// A figure from MC_FIGURE_LANE_CHANGES to MC_FIGURE_WAITING as the run has counted it so far
// (mc_run_counts_of); NAN until then.
void mc_figures_set_count(mc_figures *f, mc_figure_id figure, double count);
// How many times a car was not checked in so far; below 0: not known.
void mc_figures_set_check_in_rejected(mc_figures *f, int count);

// car -1: of the run. NAN: no such value.
double mc_figures_value(const mc_figures *f, int car, mc_figure_id figure);
// Over cars first .. first + count - 1 as the table says for the run: of a platoon. NAN for figures
// that belong only to the run.
double mc_figures_over(const mc_figures *f, int first, int count, mc_figure_id figure);

// The front car may change (lane change, a car that leaves); -1: none. Norms and extremes continue.
void mc_figures_set_front(mc_figures *f, int car, int front);

int mc_figures_size(const mc_figures *f); // doubles
void mc_figures_save(const mc_figures *f, double *out);
void mc_figures_restore(mc_figures *f, const double *in);

// ---- conditions --------------------------------------------------------------------------------
//
// `expect:` and `stop:` lines are formulas of figures that are true or not:
//
//     collisions == 0                      largest.spacing_error < 2 m
//     car3.smallest.ttc > 1.5 s            car8.v > 0.9*car1.v and t >= 60 s
//
// A formula that is a single comparison is reported with the values of both sides, any other with
// the values of all its names. A name without a value (NAN) makes a condition fail, whatever it
// says.

typedef struct mc_condition_line {
    const char *formula;
    const char *file; // for messages; NULL: none
    int line, column; // where the formula begins; false: unknown
} mc_condition_line;

typedef struct mc_conditions mc_conditions;

// Reads and checks; names: of the cars. NULL: *error says which name is unknown and what was meant.
// Texts are copied.
mc_conditions *mc_conditions_create(const mc_condition_line *lines, int line_count,
                                    const char *const *names, int name_count, mc_error *error);
void mc_conditions_destroy(mc_conditions *c);
int mc_conditions_count(const mc_conditions *c);

typedef struct mc_condition_result {
    bool holds;
    bool defined;   // false: a figure has no value in this run
    char text[400]; // "largest.spacing_error < 2 m: 3.41 m"
} mc_condition_result;

void mc_conditions_result(mc_conditions *c, int line, const mc_figures *f,
                          mc_condition_result *out);

// The first condition that holds by now, -1: none. Allocates nothing: for every record step.
int mc_conditions_first(mc_conditions *c, const mc_figures *f);

// How many of the conditions fail.
int mc_conditions_failed(mc_conditions *c, const mc_figures *f);

#include "motorcade/end.h"
