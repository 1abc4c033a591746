// profile.h - speed of a leader over time: named traffic cycles, tables, formulas.
//
//     const profile p = {.kind = PROFILE_FORMULA, .formula = "20 [m/s] + 0.1 [m/s^2]*t"};
//     profile_run *r = profile_prepare(&p, NULL, &error);
//     const double v = profile_speed(r, t, &rate);
//     profile_destroy(r);
//
// A profile is a pure function of time. Outside its points a table keeps the speed of the nearest
// one, unless it has a period.
#pragma once

#include "codegen/kernel.h"
#include "motorcade/status.h"

typedef enum profile_kind {
    PROFILE_LIGHT,            // 29 m/s
    PROFILE_MODERATE,         // 13.4 .. 23.8 m/s, period 40 s
    PROFILE_HEAVY,            // 4.5 .. 13.4 m/s, period 40 s
    PROFILE_LOCAL,            // 0 .. 18 m/s with stops, period 45 s
    PROFILE_LOCAL_AS_PRINTED, // the same with its jump of 0.5 m/s
    PROFILE_TABLE,            // linear between points
    PROFILE_FORMULA,          // of t
    PROFILE_KIND_COUNT
} profile_kind;
extern const char *const profile_names[PROFILE_KIND_COUNT];

typedef struct profile {
    profile_kind kind;
    const double *t, *v; // PROFILE_TABLE: s, m/s
    int count;
    double period;       // s, PROFILE_TABLE: repeats; 0: does not
    const char *formula; // PROFILE_FORMULA, with its place for messages
    int line, column;
} profile;

typedef struct profile_run profile_run; // ready to evaluate; by one thread at a time
// NULL: see *error. Arrays and texts of p must outlive it.
profile_run *profile_prepare(const profile *p, const char *file, mc_error *error);
void profile_destroy(profile_run *r);
// Speed, m/s, and its rate, m/s^2 (to the right at a kink), at time t.
double profile_speed(const profile_run *r, double t, double *rate);
// The same at t = first + steps step, for a caller that asks for steps + 1, + 2, ... next: a
// formula is evaluated for several instants at once. Any other order is correct too, and the bits
// are those of profile_speed.
enum { PROFILE_AHEAD = 32 };
double profile_speed_ahead(profile_run *r, double first, double step, double steps, double *rate);
