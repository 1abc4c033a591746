// brake.h - from brake pedal to brake force: pure delay, then lag (DYNAVIS report, eq 2).
//
//     fb' = -rate fb + rate f_cmd(t - delay)          rate = 5 1/s in the report
//
// Here is the delay; the lag is a state of the vehicle, and what the wheels make of the force,
// lock-up and holding, is in wheel.h.
//
// Commands on their way are kept in a line of plain doubles that a vehicle saves with its state:
//
//     double line[BRAKE_LINE_SIZE], command = 0.0;     // all zero: nothing is on its way
//     brake_line_push(line, 0.7, 0.1, &command);       // the pedal, 0.1 s before it acts
//     while (left > 0.0) {                             // move on by `left` seconds
//         const double t = fmin(left, brake_line_next(line));
//         integrate(fb, command, t);
//         brake_line_pass(line, t, &command);
//         left -= t;
//     }
#pragma once

// Rows of mc_param for whatever has brakes: a running gear and the cars of platoons describe them
// once. Arguments are what must differ, see docs/design.md.
// clang-format off
#define BRAKE_MAX_ROW(fallback, min)                                                               \
    {"max_brake", "g", fallback, min, 5.0,                                                         \
     "maximum deceleration by the brakes at nominal mass: brake 1"}
#define BRAKE_RATE_ROW                                                                             \
    {"brake_rate", "1/s", 5.0, 0.1, 1e3, "at which the brake force follows its command"}
#define BRAKE_DELAY_ROW(max)                                                                       \
    {"brake_delay", "s", 0.0, 0.0, max, "pure delay of the brake command; 0: none"}
// clang-format on

// Commands that can be on their way at once. A command equal to the one before it takes no place.
// When all places are taken, a new command replaces the youngest one on its way: it acts early by
// less than the time between two commands.
enum { BRAKE_LINE_MAX = 32, BRAKE_LINE_SIZE = 1 + 2 * BRAKE_LINE_MAX };

// A new command now; delay 0: *command changes at once.
void brake_line_push(double line[BRAKE_LINE_SIZE], double value, double delay, double *command);

double brake_line_next(const double line[BRAKE_LINE_SIZE]); // s to the next change; HUGE_VAL: none

// Time passes, at most to the next change; a command that arrives goes to *command.
void brake_line_pass(double line[BRAKE_LINE_SIZE], double t, double *command);

// A line as it was saved; a count of commands that cannot be is taken as none.
void brake_line_restore(double line[BRAKE_LINE_SIZE], const double saved[BRAKE_LINE_SIZE]);
