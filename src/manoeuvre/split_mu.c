// split_mu.c - braking straight on with the wheels of each side on another friction.
//
// The left wheels run on one friction and the right wheels on another; the divide is under the
// middle of the car. Brakes press alike on both sides, so the forces differ and turn the car
// towards the side that grips: the moment is half the track times their difference, and the driver
// steers against it. The steering angle that this needs, and the way that the car leaves its
// course by, are the price of the stopping distance.
#include "manoeuvre/manoeuvre.h"

#include "base/gravity.h"

#include <math.h>
#include <stdio.h>

enum { SPEED, LEFT, RIGHT, BRAKE, DRIVER, PARAMS };

static const mc_param split_params[PARAMS] = {
    [SPEED] = {"speed", "m/s", 22.222222222222221, 2.0, 80.0, "before braking"},
    [LEFT] = {"left", "-", 0.8, 0.02, 2.0, "friction under the left wheels"},
    [RIGHT] = {"right", "-", 0.3, 0.02, 2.0, "friction under the right wheels"},
    [BRAKE] = {"deceleration", "m/s^2", 4.0, 0.1, 20.0, "asked for, from the start of braking"},
    [DRIVER] = {"driver", "-", 1.0, 0.0, 1.0, "1: steers to stay on course; 0: holds the wheel"},
};

static const mc_manoeuvre_figure split_figures[] = {
    {"distance", "m", "until the car stands; NAN: it does not in time"},
    {"deceleration", "m/s^2", "mean over that distance: v^2/(2 s)"},
    {"efficiency", "-", "that over the mean friction of both sides times g"},
    {"yaw_acceleration", "rad/s^2", "largest size in the first half second of braking"},
    {"largest.yaw_rate", "rad/s", "largest size of the yaw rate"},
    {"largest.offset", "m", "largest size of the offset from the course"},
    {"offset", "m", "where the car stands; towards the left positive"},
    {"heading", "rad", "where the car stands"},
    {"largest.steer", "rad", "steering angle needed, above 3 m/s: its largest size"},
    {"largest.side_slip", "rad", "largest side slip while braking, above 3 m/s"},
};

static const double BEGIN = 1.0; // s, of braking

static mc_status measure(manoeuvre_bench *b, mc_error *error)
{
    char brake[200], friction[200];
    const double speed = b->p[SPEED], mean = 0.5 * (b->p[LEFT] + b->p[RIGHT]);
    snprintf(brake, sizeof brake, "if(t < %.17g, 2 [1/s]*(%.17g [m/s] - v), -%.17g [m/s^2])", BEGIN,
             speed, b->p[BRAKE]);
    snprintf(friction, sizeof friction, "[{from: -1000, to: 1e5, mu: %.17g, mu_right: %.17g}]",
             b->p[LEFT], b->p[RIGHT]);
    // Twice the time that the slippery side, or what is asked for, would take.
    const double slowest = fmin(b->p[BRAKE], GRAVITY * fmin(b->p[LEFT], b->p[RIGHT]));
    const manoeuvre_drive drive = {
        .speed = speed,
        .end = BEGIN + ceil(2.0 * speed / slowest) + 2.0,
        .steering = b->p[DRIVER] > 0.5 ? "preview" : "{law: {steer: \"0\"}}",
        .acceleration = brake,
        .friction = friction,
    };
    const mc_status status = manoeuvre_drive_on(b, &drive, error);
    if (status != MC_OK)
        return status;
    const int begin = (int)lround(BEGIN * 100.0);
    const mc_manoeuvre_row *start = &b->rows[begin];
    int last;
    double *f = b->figure;
    f[0] = manoeuvre_stop(b, begin, &last);
    f[1] = manoeuvre_speed(start) * manoeuvre_speed(start) / (2.0 * f[0]);
    f[2] = f[1] / (mean * GRAVITY);
    f[3] = f[4] = f[5] = f[8] = 0.0;
    for (int k = begin + 1; k <= last; k++) {
        const mc_manoeuvre_row *row = &b->rows[k];
        if (row->t < BEGIN + 0.5)
            f[3] = fmax(f[3], fabs(row->yaw_rate - row[-1].yaw_rate) / (row->t - row[-1].t));
        f[4] = fmax(f[4], fabs(row->yaw_rate));
        f[5] = fmax(f[5], fabs(row->y));
        if (manoeuvre_speed(row) > 3.0)
            f[8] = fmax(f[8], fabs(row->steer));
    }
    f[6] = b->rows[last].y;
    f[7] = b->rows[last].psi;
    f[9] = manoeuvre_largest_slip(b, begin, 3.0);
    b->row_count = last + 1;
    return MC_OK;
}

const manoeuvre_kind manoeuvre_split_mu = {
    .is = {.name = "split_mu",
           .doc = "braking with the wheels of each side on another friction",
           .source = "after ISO 14512, which was not read: all numbers are defaults",
           .params = split_params,
           .param_count = PARAMS,
           .figures = split_figures,
           .figure_count = MANOEUVRE_COUNT_OF(split_figures),
           .straight = true},
    .measure = measure,
};
