// string_stability.h - does a disturbance grow from car to car?
//
//     mc_string_options o = mc_string_options_default();
//     o.law = "platoon";
//     o.headway = 0.3;
//     mc_string *s = mc_string_analyse(&o, &error);
//     const mc_string_result *r = mc_string_result_of(s);
//     printf("peak %g at %g rad/s\n", r->peak, r->peak_frequency);
//     mc_string_free(s);
//
// The law is differentiated symbolically at its steady state (speed, steady gap); the car is
// a' = (wanted - a)/lag, or a = wanted without lag. All cars are alike. G(s) leads from the motion
// of the car in front to the own motion (position to position, speed to speed, spacing error to
// spacing error). What comes by radio (a_front, u_front, the leader's motion, mean errors) is late
// by `delay`; range and range rate are not. A law that listens to the leader has a second function
// G_leader; differences between neighbours still pass on by G alone.
//
//   L2          the energy of a disturbance does not grow when |G(jw)| <= 1 for all w
//   L-infinity  its greatest value does not grow when the integral of |g(t)| is at most 1, g the
//               impulse response of G
//
// Holds for small motions: limits of brakes and engines, and the laws' own bounds, are not in it.
#pragma once

#include "motorcade/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mc_string_options { // mc_string_options_default() fills it
    const char *law;               // name of a built-in law
    const char *const *set_names;  // parameters of the law that are not the default
    const double *set_values;
    int set_count;
    double speed;      // m/s, of the steady state; default 20
    double headway;    // s; default 1
    double distance;   // m, gap at rest; default 2
    double v_set;      // m/s, speed command; NAN: 120 km/h, or a third above speed
    double lag;        // s, of the cars; default 0
    double delay;      // s, of the radio; default 0
    int listen_leader; // consensus: the leader beside the car in front; default 0
    int place;         // of the car in the platoon, for laws that use it; default 2
} mc_string_options;

mc_string_options mc_string_options_default(void);

typedef enum mc_string_verdict {
    MC_STRING_STABLE,       // the norm is at most 1
    MC_STRING_UNSTABLE,     // the norm is above 1
    MC_STRING_CAR_UNSTABLE, // a car behind a steady one does not settle: no gain exists
} mc_string_verdict;

typedef struct mc_string_mode {
    double real, imaginary; // 1/s, eigenvalue of the own motion
} mc_string_mode;

typedef struct mc_string_result {
    mc_string_verdict l2, l_infinity;
    double gap;            // m, steady
    double zero_gain;      // |G| for w -> 0
    double peak;           // greatest |G(jw)|, w > 0 or -> 0
    double peak_frequency; // rad/s; 0: the greatest value is the limit w -> 0
    double l1;             // integral of |g|, bound of the L-infinity gain; NAN: car unstable
    int leader;            // the law listens to the leader
    double leader_peak;    // greatest |motion/motion of the leader| over cars 1 .. 20; else NAN
    const mc_string_mode *modes; // of a car behind a steady one, by falling real part
    int mode_count;
    int neutral_count; // modes with eigenvalue 0: a gap or gain that may have any value
} mc_string_result;

typedef struct mc_string mc_string;

// NULL: see *error. MC_BAD_INPUT: unknown law or parameter, value out of range, no steady state.
mc_string *mc_string_analyse(const mc_string_options *options, mc_error *error);
// The same for a car of a run as it is now: its law (the user's own too), gains, headway, distance,
// radio delay, place, at its speed (at least 1 m/s). tried: parameters to be taken in the place of
// its own; "headway" and "distance" may be among them. NULL: see *error; the car has no controller,
// ... Freed before the next edit, adoption or restore of the run.
struct mc_run;
mc_string *mc_string_analyse_run(const struct mc_run *run, int vehicle, const char *const *tried,
                                 const double *values, int tried_count, mc_error *error);
void mc_string_free(mc_string *s);
const mc_string_result *mc_string_result_of(const mc_string *s);
// s, the least headway that is L2 string stable with all else the same, to six digits. NAN: the law
// does not use headway, or none up to 10 s is stable. Searched from the given headway downwards or
// upwards; a law that is stable in several ranges gives the end of one. Takes some milliseconds.
double mc_string_least_headway(const mc_string *s);
// |G| and its phase (rad; may be NULL) at w > 0 rad/s.
double mc_string_gain(const mc_string *s, double w, double *phase);
double mc_string_gain_leader(const mc_string *s, double w, double *phase);

// ---- measured gains --------------------------------------------------------------------------

typedef enum mc_string_about { // what counts as no disturbance
    MC_STRING_ABOUT_ZERO,      // spacing errors
    MC_STRING_ABOUT_START,     // value at the first row of the window: speeds after steady driving
    MC_STRING_ABOUT_MEAN,      // mean over the window: speeds of an oscillation
} mc_string_about;

typedef struct mc_string_gains {     // of one car against the one in front
    double l2, l_infinity;           // NAN: the car in front did not move
    double size_l2, size_l_infinity; // of the car itself: root of the mean square, greatest value
} mc_string_gains;

// t: row_count rising times, s. y[i]: row_count values of car i, the car in front first. Rows with
// from <= t <= to count (at least two). gains: car_count; those of car 0 are NAN, its sizes not.
// Integrals by the trapezoidal rule: a window of whole periods gives an oscillation's gain.
mc_status mc_string_measure(const double *t, int row_count, const double *const *y, int car_count,
                            double from, double to, mc_string_about about, mc_string_gains *gains,
                            mc_error *error);

#ifdef __cplusplus
}
#endif
