// sample_run.h - a results file of a platoon, made by hdf5/results.h, with known extremes.
//
// Cars in a row follow the car in front: a_i = 0.25 e + 0.9 (v_front - v), with a lag of 0.4 s;
// the first one drives 20 m/s + 1.5 sin(0.4 t), and brakes at 40 s. When asked for, car 5 loses its
// brakes at 40 s and, rather than that the cars' meeting is simulated, rows of impacts are written
// for what would be it. Extremes are put into single rows, so that they are known to the last bit.
#pragma once

#include <stdbool.h>

typedef struct sample_run {
    int cars;                                    // 0: 8
    int rows;                                    // 0: 1201, every 0.05 s
    int segment;                                 // rows declared; 0: all
    bool bare;                                   // only the tables time and motion, no texts
    bool no_crash;                               // tables of events and impacts exist and are empty
    bool crash_expected;                         // nothing says that it must not happen
    bool unfinished;                             // left as a kill would leave it
    const char *name, *scenario, *vehicle_names; // NULL: usual ones
    int platoons;                                // 0: 1
} sample_run;

// Extremes that are put in; cars from 1.
#define SAMPLE_JERK (-17.35)          // m/s^3, car 3
#define SAMPLE_SPACING_ERROR (3.1875) // m, car 6
#define SAMPLE_GAP (0.8125)           // m, car 7
#define SAMPLE_CLOSING (6.25)         // m/s, car 5 into car 4 at 44.125 s
#define SAMPLE_IMPULSE (7375.0)       // N s, in three micro-impacts

void sample_run_write(const char *path, const sample_run *sample); // fails the test when it fails
