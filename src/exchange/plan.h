// plan.h - vehicles that drive as they are told: speeds that are linear in time between knots, so
// that places are known in advance, and so are the times at which they meet conditions.
//
//   v(t)   linear between knots, constant after the last
//   s(t)   its integral from the start
//
// Between two neighbouring knots of all vehicles a distance, a speed, a headway times a speed and
// any sum of them is a polynomial of second degree, so the first time at which it falls to 0 is
// found without steps of time.
#pragma once

#include "base/arena.h"

#include <stdbool.h>

typedef struct plan {
    double *t, *v, *s; // s, m/s, m: of the knots
    int count, room;
} plan;

bool plan_start(arena *memory, plan *p, double s, double v); // false: no memory
// Of a plan that was not started both are 0.
double plan_speed(const plan *p, double t);
double plan_place(const plan *p, double t);

typedef enum plan_shape { PLAN_LINEAR, PLAN_CUBIC, PLAN_SINE } plan_shape;
// From t on, instead of what was planned there: to the speed v within duration. false: no memory.
bool plan_change(arena *memory, plan *p, double t, double v, double duration, plan_shape shape);
// The duration for a rate (m/s^2) that is not exceeded, or for a distance (m).
double plan_duration_by_rate(double change, double rate, plan_shape shape);

// At least 0 of: a + b t + place (s_a - s_b) + speed (k_a v_a + k_b v_b).
typedef struct plan_sum {
    const plan *a, *b; // b NULL: none
    double constant;   // m
    double place_a, place_b;
    double speed_a, speed_b; // s
} plan_sum;
// The first time from `from` on at which the sum is at most 0; HUGE_VAL: never.
double plan_first(const plan_sum *sum, double from);
