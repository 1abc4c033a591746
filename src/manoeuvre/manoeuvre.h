// manoeuvre.h - inside of a test: a kind of manoeuvre drives scenarios on a bench and measures.
//
// A kind is a row of the table in manoeuvre.c: its description and a function that fills the
// figures. It drives as often as it needs; steering and acceleration are formulas of time and of
// the signals of laws, so a drive is a scenario like any other.
#pragma once

#include "motorcade/manoeuvre.h"

enum { MANOEUVRE_CONE_MAX = 400, MANOEUVRE_TEXT = 8000 };

typedef struct manoeuvre_bench {
    const mc_manoeuvre *is;
    const char *model, *path;
    double p[MC_MANOEUVRE_PARAM_MAX];
    double figure[MC_MANOEUVRE_FIGURE_MAX];
    double length, width, middle; // m, of the outline, and from the mass centre to its middle
    char text[MANOEUVRE_TEXT];    // of the last scenario
    mc_manoeuvre_row *rows;
    int row_count;
    mc_manoeuvre_cone cones[MANOEUVRE_CONE_MAX];
    int cone_count;
} manoeuvre_bench;

typedef struct manoeuvre_drive {
    double speed, end;        // m/s at the start, s
    const char *steering;     // value of the key `steering`
    const char *acceleration; // formula
    const char *friction;     // stretches of the road; NULL: dry
} manoeuvre_drive;

// Drives, and fills the rows: one per control step of 0.01 s, the first at the start.
mc_status manoeuvre_drive_on(manoeuvre_bench *b, const manoeuvre_drive *drive, mc_error *error);

typedef struct manoeuvre_kind {
    mc_manoeuvre is;
    mc_status (*measure)(manoeuvre_bench *b, mc_error *error);
} manoeuvre_kind;

extern const manoeuvre_kind manoeuvre_iso4138, manoeuvre_iso7401, manoeuvre_sine_with_dwell,
    manoeuvre_fishhook, manoeuvre_brake_in_turn, manoeuvre_iso3888_1, manoeuvre_iso3888_2,
    manoeuvre_split_mu;

#define MANOEUVRE_COUNT_OF(rows) ((int)(sizeof(rows) / sizeof(rows)[0]))

// Largest size over the rows from number `from` on: of the side slip, rad, above a speed, and of
// the lateral acceleration, m/s^2.
double manoeuvre_largest_slip(const manoeuvre_bench *b, int from, double above);
double manoeuvre_largest_a_y(const manoeuvre_bench *b, int from);
// The way from row `from` until the car stands, m, and the row in which it does; NAN: it does not.
double manoeuvre_stop(const manoeuvre_bench *b, int from, int *row);
// m/s: along the way of the mass centre.
double manoeuvre_speed(const mc_manoeuvre_row *row);
// Holds a speed, m/s^2: the value of `acceleration`.
void manoeuvre_hold(double speed, char out[120]);
