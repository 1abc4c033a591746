// motion_trace.h - the motion of a run as a few hashes, held to a committed table of them.
//
// A case is something that moves: a scenario, a crash, a mechanism. It is run once per processor
// level, and every row of it gives its numbers, one by one and in a stated order, to groups:
// motion, inputs, ... A group is one FNV-1a over the bits of its numbers; it is noted after the
// first row and after 10, 50 and 100 % of the rows, so that a table of hashes says when a run went
// another way, and in what.
//
// The level that this processor runs is compared to the last row. The plain one, where there is a
// better one, is compared as far as 10 %: it is the same source, and takes twice the time. In
// `make campaign` (series.h) it is compared to the last row, too.
//
//     static void run(const motion_case *c, motion_trace *t)
//     {
//         motion_rows(t, 2);
//         for (int k = 0; motion_more(t); k++) {
//             motion_put(t, MOTION, x[k]);
//             motion_row_end(t);
//         }
//     }
//     int main(int argc, char **argv)
//     {
//         const motion_case cases[] = {{"two_rows", run, NULL}};
//         return motion_main(argc, argv, "example", cases, 1);
//     }
//
// Tables are tests/golden/motion_NAME.txt. Without arguments cases are compared with their table;
// --write rewrites it, for a change that is meant to change numbers.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum motion_group {
    MOTION,   // t; of each vehicle x, y, psi, v, v_y, yaw_rate, a
    INPUTS,   // throttle, brake, steer, acceleration
    CONTROL,  // jerk, desired acceleration, gap, error, front, leader, lane, hits
    CHANNELS, // engine speed, fuel, spin of wheels, ...
    BALANCE,  // energies, momentum, what the road gave
    BODY,     // centre and axes of the outer surface
    IMPACTS,  // time, duration, a, b, closing, impulse, losses
    STATES,   // of a mechanism: t, coordinates, velocities, the user's states
    OUTPUTS,  // of a mechanism: formulas, energies, springs, points
    MOTION_GROUPS
} motion_group;

enum { MOTION_CHECKS = 4 };

typedef struct motion_trace {
    long long rows, row; // of the whole; done
    int checks;          // of MOTION_CHECKS to be compared
    int impacts;         // so far
    struct {
        unsigned long long count; // of numbers
        uint64_t hash, at[MOTION_CHECKS];
    } group[MOTION_GROUPS];
} motion_trace;

void motion_rows(motion_trace *t, long long rows); // how many the whole has; first of all
void motion_put(motion_trace *t, motion_group group, double number);
void motion_row_end(motion_trace *t);
bool motion_more(const motion_trace *t); // false: no further row is compared, if it comes or not

typedef struct motion_case {
    const char *name; // one word
    void (*run)(const struct motion_case *c, motion_trace *t);
    const void *detail; // for run
} motion_case;

int motion_main(int argc, char **argv, const char *table, const motion_case *cases, int count);
