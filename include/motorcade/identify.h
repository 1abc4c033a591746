// identify.h - the DYNAVIS report's bench for the identification of a car's mass: four cars in two
// lanes (section 3.2, eqs 9 to 12).
//
//     double p[MC_IDENTIFY_PARAM_COUNT];
//     mc_identify_defaults(p);
//     p[MC_IDENTIFY_PARAM_TRUE] = 2400.0;
//     mc_identify_run run;
//     mc_status status = mc_identify_bench(p, 1, &run, &error);
//     printf("%g +- %g kg\n", run.end.mass, run.end.band);
//     mc_identify_run_free(&run);
//
// Leaders 1 and 3 drive the same speed: brake, V = speed - deceleration t + wave sin(wave_rate t),
// then accelerate back, hold, brake again. Car 2, of the true mass, follows car 1: by throttle, and
// by the brake law (9) when its desired acceleration is below that of the coasting car (with
// hysteresis). Car 4 follows car 3 with the estimated mass; while car 2 brakes, car 4 is the model
// (11) of the observer. Estimates are made only while car 2 brakes. Recursive least squares runs in
// parallel with the observer on the same measurements.
//
// The estimators' inputs can be wrong: drive and drag force by a bias, the speed by noise.
//
// Threads: functions keep nothing between calls and may be called from any thread.
#pragma once

#include "motorcade/param.h"
#include "motorcade/status.h"

#include <stdbool.h>

#include "motorcade/begin.h"

enum mc_identify_param {
    MC_IDENTIFY_PARAM_TRUE,
    MC_IDENTIFY_PARAM_LATER,
    MC_IDENTIFY_PARAM_CHANGE,
    MC_IDENTIFY_PARAM_START,
    MC_IDENTIFY_PARAM_START_ERROR,
    MC_IDENTIFY_PARAM_NOMINAL,
    MC_IDENTIFY_PARAM_K1,
    MC_IDENTIFY_PARAM_K2,
    MC_IDENTIFY_PARAM_HEADWAY,
    MC_IDENTIFY_PARAM_GAMMA_1,
    MC_IDENTIFY_PARAM_GAMMA_2,
    MC_IDENTIFY_PARAM_SPEED,
    MC_IDENTIFY_PARAM_DECELERATION,
    MC_IDENTIFY_PARAM_WAVE,
    MC_IDENTIFY_PARAM_WAVE_RATE,
    MC_IDENTIFY_PARAM_BRAKE,
    MC_IDENTIFY_PARAM_RELEASE,
    MC_IDENTIFY_PARAM_DURATION,
    MC_IDENTIFY_PARAM_STEP,
    MC_IDENTIFY_PARAM_RECORD,
    MC_IDENTIFY_PARAM_IDLE_FORCE,
    MC_IDENTIFY_PARAM_FORCE_ERROR,
    MC_IDENTIFY_PARAM_DRIVE_BIAS,
    MC_IDENTIFY_PARAM_DRAG_BIAS,
    MC_IDENTIFY_PARAM_NOISE,
    MC_IDENTIFY_PARAM_WINDOW,
    MC_IDENTIFY_PARAM_FORGET,
    MC_IDENTIFY_PARAM_FINE,
    MC_IDENTIFY_PARAM_COUNT
};
extern const mc_param mc_identify_params[MC_IDENTIFY_PARAM_COUNT];

void mc_identify_defaults(double p[MC_IDENTIFY_PARAM_COUNT]);

typedef struct mc_identify_row {
    double t;                        // s
    double v_leader, v, v_model;     // m/s: cars 1 and 3, car 2, car 4
    double distance, distance_model; // m: from 1 to 2, from 3 to 4
    double braking;                  // 1: car 2 brakes, the estimators are at work
    double mass_true;                // kg
    double mass, band;               // kg, observer
    double squares, squares_band;    // kg, least squares; NAN: nothing known
    double excitation;               // m/s^2, rms of known force / mass over the window
    double memory;                   // -, what is left of the start
    double claimed, squares_claimed;
} mc_identify_row;

typedef struct mc_identify_run {
    mc_identify_row *rows; // every `record` seconds, and the last
    int row_count;
    mc_identify_row end;
    double force_band; // kg, the part of the band that is due to drive and drag force
    bool limited;      // the observer ended at the end of its range
    // Gains: ratio gamma2/gamma1 and its bounds, s/kg. safe is for the true mass.
    double ratio, safe, convergent;
} mc_identify_run;

// seed: of the noise. MC_BAD_INPUT names the parameter that is out of range.
mc_status mc_identify_bench(const double p[MC_IDENTIFY_PARAM_COUNT], unsigned long long seed,
                            mc_identify_run *run, mc_error *error);
void mc_identify_run_free(mc_identify_run *run);

// The same bench driven by hand: instead of the script the leaders start at `speed` and take these
// accelerations, each from its time on; their speed stays within 0 and 100 m/s. The mass of car 2
// is the last one given that is not 0.
typedef struct mc_identify_hand {
    double t;            // s, not falling from one to the next
    double acceleration; // m/s^2, of leaders 1 and 3
    double mass;         // kg; 0: as before
} mc_identify_hand;

mc_status mc_identify_drive(const double p[MC_IDENTIFY_PARAM_COUNT], const mc_identify_hand *hands,
                            int hand_count, unsigned long long seed, mc_identify_run *run,
                            mc_error *error);

// The same bench with many seeds.
typedef struct mc_identify_noise {
    int runs;
    int claimed, squares_claimed; // runs that end with a claim
    double bias, spread;          // kg, mean and standard deviation of estimate minus truth
    double squares_bias, squares_spread;
    double within, squares_within; // -, share of the runs whose band holds the true mass
} mc_identify_noise;

mc_status mc_identify_study(const double p[MC_IDENTIFY_PARAM_COUNT], int runs,
                            mc_identify_noise *out, mc_error *error);

#include "motorcade/end.h"
