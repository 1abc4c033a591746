// brake.c - delay of the brake.
//
// The line: [0] how many commands are on their way, then pairs of time to go (s) and value, the
// oldest first.
#include "parts/brake.h"

#include "base/assert.h"

#include <math.h>
#include <string.h>

// Times to go that differ by less are the same: rounding of sums of steps.
#define SOON 1e-9

void brake_line_push(double line[BRAKE_LINE_SIZE], double value, double delay, double *command)
{
    mc_assert(delay >= 0.0);
    const int count = (int)line[0];
    if (delay <= SOON && count == 0) {
        *command = value;
        return;
    }
    const double last = count > 0 ? line[2 * count] : *command;
    if (value == last)
        return;
    const int place = count < BRAKE_LINE_MAX ? count : BRAKE_LINE_MAX - 1;
    if (count < BRAKE_LINE_MAX) {
        line[1 + 2 * place] = delay;
        line[0] = count + 1;
    }
    line[2 + 2 * place] = value;
}

double brake_line_next(const double line[BRAKE_LINE_SIZE])
{
    return line[0] > 0.0 ? line[1] : HUGE_VAL;
}

void brake_line_pass(double line[BRAKE_LINE_SIZE], double t, double *command)
{
    int count = (int)line[0];
    for (int i = 0; i < count; i++)
        line[1 + 2 * i] -= t;
    while (count > 0 && line[1] <= SOON) {
        *command = line[2];
        count--;
        memmove(line + 1, line + 3, sizeof *line * (size_t)(2 * count));
        line[1 + 2 * count] = line[2 + 2 * count] = 0.0; // places not in use are zero
    }
    line[0] = count;
}

void brake_line_restore(double line[BRAKE_LINE_SIZE], const double saved[BRAKE_LINE_SIZE])
{
    memcpy(line, saved, BRAKE_LINE_SIZE * sizeof *line);
    if (!(line[0] >= 0.0 && line[0] <= BRAKE_LINE_MAX && line[0] == floor(line[0])))
        line[0] = 0.0;
}
