// cut_in.h - how a car responds to another one that comes between it and the car in front.
//
// The gap jumps when a car cuts in, and a law that is linear in the gap would brake as if that were
// an emergency. It need not: the gap only has to open again. So while the car responds,
//
//   a_need = (v - v_front)^2/(2 (gap - distance))     while the gap closes, else 0
//   a = min(max(a_law, -max(braking, a_need) + min(a_front, 0)), a_safe)
//
// where a_law is what its law asks for, a_need what takes it to the speed of the new car in front
// before the gap is `distance`, and a_safe the largest acceleration with which it could still stop
// behind that car (avoid.h). It brakes comfortably, harder where the difference of speeds needs it,
// by as much as the car in front brakes, and as hard as it can where the braking bound asks for it.
#pragma once

#include <stdbool.h>

typedef struct cut_in {
    double law, braking, safe;  // m/s^2; braking: positive
    double gap, distance;       // m
    double v, v_front, a_front; // m/s, m/s, m/s^2
} cut_in;

// m/s^2. *content: the law asks for no more than that.
double cut_in_acceleration(const cut_in *now, bool *content);
