// identify.h - the mass of a car found while it brakes: the adaptive observer of the DYNAVIS report
// (eqs 9 to 12) and recursive least squares beside it.
//
//     identify_start(p, &s);
//     each control step:
//         if (braking && !s.active)
//             identify_on(&s, &sample, sample.v, sample.brake);
//         else if (!braking)
//             identify_off(&s);
//         else
//             identify_step(p, &s, &sample, dt);
//         identify_result r = identify_read(p, &s);
//
// The observer. A model with the estimated mass 1/q runs beside the car. With e = V - V^ and
// eb = fb - fb^ the brake law, which both share, drops out, and what is left of (10) to (12) is
//     V^' = F^ q,   eb' = -b eb + b K e,   q' = F^ (gamma1 e - gamma2 eb),
//     F^ = Fd - f3(V) - fb + eb,   K = M0 (k1 + k2 h),   b = 5 1/s.
// So it needs speed, brake force and the small forces Fd (idle drive) and f3 (drag), and works with
// any brake law. It is safe (a Lyapunov function falls) for gamma2/gamma1 < 1/(b M + K), converges
// up to 1/K (the path from e to q is strictly positive real), and can diverge above.
//
// Scheme: Runge-Kutta of order four, measurements in straight lines between control steps: second
// order in the step. A step is cut so that rate times step stays below 0.5.
//
// The band. Three sets of sensitivities run along: of (V^, eb, q) to a relative error of the drive
// force, of the drag force, and of the start. To first order the estimate then is off by at most
//     M start_error s_start + M f / (1 - f) + |M - M slow|,   f = d (s_drive + s_drag),
// where d = force_error / (1 - force_error): forces that are wrong by a share of the true ones are
// wrong by d of what was told; f / (1 - f) because 1/M is off by the share f, the last term for an
// estimate that still moves: M slow follows M over the window. The errors of the forces are taken
// as constant in proportion. An error of the brake force is not in the band: a brake force that is
// p percent too large makes the mass p percent too large.
//
// No claim without excitation: `claimed` is false until the known forces have changed the speed
// enough (rms of F/M over the window), little of the start is left, and the estimate is at rest;
// and never with gains beyond the bound of convergence.
//
// Least squares. V = c + (integral of F)/M within each braking, with forgetting; the noise of the
// speed is on the left side, so it does not bias the mass. The band is 1.96 standard deviations
// from the residuals (white noise) plus the errors of the forces. Earlier brakings count as long as
// they agree with the present one: a car that has been loaded in between is noticed once the
// present braking alone has enough excitation.
//
// States are doubles only and can be saved as they are.
#pragma once

#include "motorcade/param.h"

#include <stdbool.h>

enum identify_param {
    // Of the observer.
    IDENTIFY_START, // kg, first estimate; 0: the nominal mass
    IDENTIFY_START_ERROR,
    IDENTIFY_K1,         // 1/s
    IDENTIFY_K2,         // 1/s^2
    IDENTIFY_HEADWAY,    // s, h
    IDENTIFY_BRAKE_RATE, // 1/s, b
    IDENTIFY_MEMORY,     // -
    // Of both.
    IDENTIFY_FORCE_ERROR,
    IDENTIFY_MASS_MIN, // kg, the estimate is kept between these
    IDENTIFY_MASS_MAX,
    IDENTIFY_WINDOW,     // s
    IDENTIFY_EXCITATION, // m/s^2
    // Of least squares.
    IDENTIFY_FORGET, // s
    // Of the observer: what a car of a scenario knows by itself.
    IDENTIFY_NOMINAL, // kg, M0
    IDENTIFY_GAMMA_1, // s^2/(kg m)^2
    IDENTIFY_GAMMA_2, // s^3/(kg^3 m^2)
    IDENTIFY_PARAM_COUNT
};
extern const mc_param identify_params[IDENTIFY_PARAM_COUNT];

typedef struct identify_sample { // as known to the car
    double v;                    // m/s
    double brake;                // N, brake force fb
    double drive;                // N, estimated drive force Fd, positive forward
    double drag;                 // N, estimated drag f3(V), positive backward
} identify_sample;

// ---- gains -------------------------------------------------------------------------------------

typedef struct identify_gains {
    double ratio;      // s/kg, gamma2 / gamma1
    double safe;       // s/kg, below: safe for that mass
    double convergent; // s/kg, below: convergent
} identify_gains;

identify_gains identify_gains_of(const double *p, double mass);

// How wrong drive and drag force may be in proportion to what is told.
double identify_force_error(const double *p);

// ---- adaptive observer -------------------------------------------------------------------------

enum { IDENTIFY_Y = 12 }; // V^, eb, q, and their sensitivities to drive, drag and start

typedef struct identify_state {
    double y[IDENTIFY_Y];
    double active; // 1 while the car brakes
    identify_sample last;
    double excitation; // (m/s^2)^2, mean square of F/M over the window
    double slow;       // kg, the estimate, delayed by the window
    double limited;    // 1: the estimate stands at an end of its range
    double time;       // s of braking
} identify_state;

void identify_start(const double *p, identify_state *s);

// Braking begins: the model starts from speed v_hat and brake force brake_hat, in general those of
// the sample.
void identify_on(identify_state *s, const identify_sample *now, double v_hat, double brake_hat);
void identify_off(identify_state *s);

// dt later; between, the sample has moved in a straight line.
void identify_step(const double *p, identify_state *s, const identify_sample *now, double dt);

typedef struct identify_result {
    double mass;       // kg
    double band;       // kg, half its width
    double excitation; // m/s^2, rms of F/M over the window (least squares: m/s, spread of speed)
    double memory;     // -, how much of a relative error of the start is left
    double force;      // kg, the part of the band that is due to drive and drag
    bool limited;      // at an end of the range: the gains or the forces cannot be right
    bool claimed;      // the numbers above mean something
} identify_result;

identify_result identify_read(const double *p, const identify_state *s);

// ---- recursive least squares -------------------------------------------------------------------

// Sums of weights w, of w I, w I I, ...; I: integral of the known force, V: speed, D, G: integrals
// of drive and drag, all counted from the last sample so that sums stay small.
typedef struct identify_sums {
    double n, i, ii, v, iv, vv, d, id, g, ig; // weights w
    double n2, i2, ii2;                       // weights w^2, for the covariance
} identify_sums;

typedef struct identify_squares {
    identify_sums now;                    // of this braking
    double n, ii, iv, vv, id, ig, spread; // of all earlier ones, about their own means
    double brakings;                      // of them
    double active;
    identify_sample last;
} identify_squares;

void identify_squares_start(identify_squares *s);
void identify_squares_on(identify_squares *s, const identify_sample *now);
void identify_squares_off(identify_squares *s);
void identify_squares_step(const double *p, identify_squares *s, const identify_sample *now,
                           double dt);
identify_result identify_squares_read(const double *p,
                                      const identify_squares *s); // mass may be NAN
