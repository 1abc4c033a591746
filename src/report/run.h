// run.h - what a report knows of a run, gathered before a word is written.
//
// Order: report_happened_read (events, collisions), report_measure (one walk through all rows:
// extremes, gains, maps), report_choose (which cars are shown), report_curves (a second walk). The
// writers, tables.c and plots.c, only read.
#pragma once

#include "replay/happened.h"
#include "report/curve.h"
#include "motorcade/collisions.h"

#include <stdio.h>

enum {
    REPORT_CARS_MAX = 12,  // shown each by its own curve and row; beyond that a choice
    REPORT_LINES_MAX = 24, // in the diagram of places over time
    REPORT_MAP_COLUMNS = 220,
    REPORT_MAP_ROWS = 90,
    REPORT_MAPS_MAX = 3,
    REPORT_CURVES_MAX = 144, // of a mechanism
};

// ---- what happened ----

typedef struct report_event {
    double t;                 // s
    int number;               // of its kind; -1: not a kind of the list
    const char *kind, *words; // words: the kind without '_'
    int vehicle;              // -1: none
    double value;
    int order; // in the file
} report_event;

typedef enum report_energy_when { ENERGY_SUM, ENERGY_BEFORE, ENERGY_AFTER } report_energy_when;

typedef struct report_energy { // a column of the impacts in J
    const char *name, *doc;
    report_energy_when when; // of the collision: all impacts, before the first, after the last
    int64_t column;
    int64_t less; // column that is taken off; -1: none
} report_energy;

typedef struct report_happened {
    report_event *events; // in order of time
    int event_count;
    bool has_events, has_impacts; // the tables are there
    const char *const *kinds, **kind_words;
    int kind_count;
    mc_collision *collisions; // in order of time
    int collision_count, impact_count;
    report_energy *energies;
    int energy_count;
    double *energy;   // J, [collision][energy]
    int64_t left_out; // rows that name no vehicle or are beyond what is read
} report_happened;

// ---- what was measured ----

typedef struct report_extreme {
    double low, low_t, high, high_t; // NAN: never a number
    double first, last;              // of its numbers
} report_extreme;

typedef struct report_map {
    int quantity;
    double *values; // [row][column], first car in the first row
} report_map;

typedef struct report_run {
    recorded record;
    bool mechanism; // of `motorcade simulate`: no vehicles on a road, but one mechanism
    report_happened happened;
    report_extreme *extremes; // [vehicle][quantity of motion]
    // String stability: of each car's acceleration, from the start to gain_end.
    double gain_end;
    const char *gain_end_why;  // "collision", "fault"
    double *a_square, *a_peak; // m²/s⁴ s, m/s²
    double *gain_2, *gain_max; // against the car in front in the platoon; NAN: none
    // Of all cars together, by piece of the time: [quantity][2][bucket]; lowest, highest.
    int bucket_count;
    int64_t bucket_rows;
    double *bucket_t, *band;
    report_map maps[REPORT_MAPS_MAX];
    int map_count, map_rows, map_columns;
    int *chosen; // vehicles shown, in order
    int chosen_count;
    report_curve *curves;
    int curve_count;
} report_run;

void report_run_free(report_run *r);

mc_status report_happened_read(report_run *r, mc_error *error); // happened.c
mc_status report_measure(report_run *r, mc_error *error);       // measure.c
mc_status report_choose(report_run *r, mc_error *error);
mc_status report_curves(report_run *r, mc_error *error);

// A quantity of the table motion; -1: there is none.
int report_motion(const report_run *r, const char *quantity);
const report_extreme *report_extreme_of(const report_run *r, int vehicle, const char *quantity);
// The car ahead in the same platoon, -1: none.
int report_ahead(const report_run *r, int vehicle);

// ---- figures the run has worked out itself ----

typedef struct report_figures {
    const results_shape *shape;
    double *values; // the last row, [vehicle][figure] or [figure]; to be freed
} report_figures;

// Figures in numbers; shape NULL: the file has none, or it cannot be read.
report_figures report_figures_read(report_run *r, const char *table, bool of_vehicles);

// A name for readers: blanks for '_' and '.'.
enum { REPORT_WORDS = 120 };
const char *report_words(const char *name, char out[REPORT_WORDS]);

// ---- writers ----

void report_write_happened(FILE *out, const report_run *r); // happened_text.c
void report_write_collisions(FILE *out, const report_run *r);
void report_write_figures(FILE *out, report_run *r); // tables.c
void report_write_expectations(FILE *out, report_run *r);
void report_write_vehicles(FILE *out, report_run *r);
mc_status report_write_plots(FILE *out, report_run *r, mc_error *error); // plots.c
mc_status report_write_gains(FILE *out, report_run *r, mc_error *error);
mc_status report_write_ledger(FILE *out, report_run *r, mc_error *error);
mc_status report_write_mechanism(FILE *out, report_run *r, mc_error *error); // mechanism.c

// plots.c: a figure goes into the page, and its text is freed; one that cannot be drawn
// (MC_BAD_INPUT) leaves the reason.
mc_status report_put_figure(FILE *out, mc_status status, char *text, size_t size, mc_error *error);

// "holds" and "fails" among the expectations; the rest is neither.
void report_count_expectations(const report_run *r, int *holds, int *fails, int *others);
