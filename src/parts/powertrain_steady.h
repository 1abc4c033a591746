// powertrain_steady.h - steady states of an engine, and the throttle for a force, by search: for
// kinds of powertrains without a closed form.
//
// Both are searches for a zero, one inside of the other, about 200 evaluations per vehicle. Those
// of up to four vehicles go side by side through the lanes of one evaluation, each at its own pace
// and with the bits it has alone.
#pragma once

#include "parts/powertrain.h"

// All other states as they settle at an engine speed x[0].
typedef void powertrain_others(const double *p, double throttle, double *x);

// Engine speed at which state 0 stands still, all other states as `others` sets them (NULL: there
// are none): the highest between 20 and 20000 rpm.
void powertrain_settle_speed(const powertrain_kind *kind, const double *p, double v,
                             double throttle, powertrain_others *others, double *x);

// `invert` of any kind by bisection, to rounding: the steady force grows with the throttle.
double powertrain_invert(const powertrain_kind *kind, const double *p, double v, double force);

typedef struct powertrain_inverse { // of one vehicle
    const double *p;
    double v, force;                     // m/s, N
    double throttle;                     // found: as of invert
    double closed[POWERTRAIN_STATE_MAX]; // states as of settle with closed throttle
} powertrain_inverse;

// settle with closed throttle, and invert, of `count` vehicles.
void powertrain_invert_some(const powertrain_kind *kind, int count, powertrain_inverse *all);
