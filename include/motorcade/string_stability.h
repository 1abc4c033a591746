// string_stability.h - does a disturbance grow from car to car?
//
//     mc_stability_options o = mc_stability_defaults();
//     o.law = "platoon";
//     o.headway = 0.3;
//     mc_stability *s = mc_stability_create(&o, &error);
//     const mc_stability_result *r = mc_stability_result_of(s);
//     printf("peak %g at %g rad/s\n", r->peak, r->peak_frequency);
//     mc_stability_destroy(s);
//
// The law is differentiated symbolically at its steady state (speed, steady gap). The car is
// a' = (u - a)/lag, with u the desired acceleration, or a = u without lag. All cars are alike. G(s)
// is the transfer function from the motion of the car in front to that of the car behind it
// (position to position, speed to speed, spacing error to spacing error). Radio signals (a_front,
// u_front, the leader's motion, mean errors) are late by `delay`; range and range rate are not. A
// law that listens to the leader has a second function G_leader; differences between neighbours
// still propagate by G alone.
//
//   L2          the energy of a disturbance does not grow when |G(jw)| <= 1 for all w
//   L-infinity  its peak does not grow when the integral of |g(t)| is at most 1, where g is the
//               impulse response of G
//
// Valid for small motions: brake and engine limits, and the laws' own limits, are not included.
//
// Threads: an analysis is used by one thread at a time, one of a run not while the run is stepped.
// Several analyses are independent.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>

#include "motorcade/begin.h"

typedef struct mc_stability_options { // mc_stability_defaults() fills it
    const char *law;                  // name of a built-in law
    const char *const *set_names;     // parameters of the law that are not the default
    const double *set_values;
    int set_count;
    double speed;       // m/s, of the steady state; default 20
    double headway;     // s; default 1
    double distance;    // m, gap at rest; default 2
    double v_set;       // m/s, speed command; NAN: 120 km/h, or a third above speed
    double lag;         // s, of the cars; default 0
    double delay;       // s, of the radio; default 0
    bool listen_leader; // consensus: the leader as well as the car in front; default 0
    int place;          // of the car in the platoon, for laws that use it; default 2
} mc_stability_options;

mc_stability_options mc_stability_defaults(void);

typedef enum mc_stability_verdict {
    MC_STABILITY_VERDICT_STABLE,       // the norm is at most 1
    MC_STABILITY_VERDICT_UNSTABLE,     // the norm is above 1
    MC_STABILITY_VERDICT_CAR_UNSTABLE, // a car behind a steady one does not settle: no gain exists
} mc_stability_verdict;

typedef struct mc_stability_mode {
    double real, imaginary; // 1/s, eigenvalue of the motion of one car
} mc_stability_mode;

typedef struct mc_stability_result {
    mc_stability_verdict l2, l_infinity;
    double gap;            // m, steady
    double zero_gain;      // |G| for w -> 0
    double peak;           // max |G(jw)|, w > 0 or -> 0
    double peak_frequency; // rad/s; 0: the maximum is the limit w -> 0
    double l1;             // integral of |g|, bound of the L-infinity gain; NAN: car unstable
    bool leader;           // the law listens to the leader
    double leader_peak;    // max |motion/motion of the leader| over cars 1 .. 20; else NAN
    const mc_stability_mode *modes; // of a car behind a steady one, by falling real part
    int mode_count;
    int neutral_count; // modes with eigenvalue 0: a gap or gain that may have any value
} mc_stability_result;

typedef struct mc_stability mc_stability;

// NULL: see *error. MC_BAD_INPUT: unknown law or parameter, value out of range, no steady state.
mc_stability *mc_stability_create(const mc_stability_options *options, mc_error *error);
// The same for a car of a run as it is now: its law (built-in or user-defined), gains, headway,
// distance, radio delay, place, at its speed (at least 1 m/s). tried: parameters used instead of
// its own; "headway" and "distance" may be among them. NULL: see *error; the car has no controller,
// ... Freed before the next edit, adoption or restore of the run.
struct mc_run;
mc_stability *mc_stability_create_for_run(const struct mc_run *run, int vehicle,
                                          const char *const *tried, const double *values,
                                          int tried_count, mc_error *error);
void mc_stability_destroy(mc_stability *s);
const mc_stability_result *mc_stability_result_of(const mc_stability *s);
// s, the min headway that is L2 string stable, all else being equal, to six digits. NAN: the law
// does not use headway, or none up to 10 s is stable. Searched from the given headway downwards or
// upwards; for a law that is stable in several ranges, the end of one. Takes a few milliseconds.
double mc_stability_min_headway(const mc_stability *s);
// |G| and its phase (rad; may be NULL) at w > 0 rad/s.
double mc_stability_gain(const mc_stability *s, double w, double *phase);
double mc_stability_gain_leader(const mc_stability *s, double w, double *phase);

// ---- measured gains --------------------------------------------------------------------------

typedef enum mc_stability_about { // what counts as no disturbance
    MC_STABILITY_ABOUT_ZERO,      // spacing errors
    MC_STABILITY_ABOUT_START, // value at the first row of the window: speeds after steady driving
    MC_STABILITY_ABOUT_MEAN,  // mean over the window: speeds of an oscillation
} mc_stability_about;

typedef struct mc_stability_gains {  // of one car against the one in front
    double l2, l_infinity;           // NAN: the car in front did not move
    double size_l2, size_l_infinity; // of the car itself: root mean square, max
} mc_stability_gains;

// t: row_count rising times, s. y[i]: row_count values of car i, the car in front first. Rows with
// from <= t <= to count (at least two). gains: car_count; those of car 0 are NAN, its sizes not.
// Integrals by the trapezoidal rule: a window of whole periods gives an oscillation's gain.
mc_status mc_stability_measure(const double *t, int row_count, const double *const *y,
                               int car_count, double from, double to, mc_stability_about about,
                               mc_stability_gains *gains, mc_error *error);

#include "motorcade/end.h"
