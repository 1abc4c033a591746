// steer.h - every car keeps its path: where it is relative to it, its steering law, and the curve
// from one lane to another.
//
// The path of a car is the middle of its lane, or the curve to another lane that it is on
// (control/lane_change.h).
#pragma once

#include "run/run.h"
#include "run/where.h"

#include <math.h>
#include <string.h>

// What a steering law reads that costs something to make.
enum run_steer_needs {
    RUN_STEER_AHEAD = 1,
    RUN_STEER_TURN = 2,
    RUN_STEER_GAINS = 4,
    RUN_STEER_ASIDE = 8, // where the point ahead is
    RUN_STEER_SLIP = 16, // of the steady turn
    RUN_STEER_USER = 32,
};
unsigned run_steer_needs_of(const law *l);

// Steering angles of some slots of a tile in the coming step by their laws, into their inputs. The
// states of the laws move on.
void run_steer(mc_run *r, const int *slots, int count);
// A car that has changed lanes is straight again, and steers no more, when it is this near to the
// middle of its lane and moves aside this slowly: less than any sensor shows, and six seconds after
// the end of the curve instead of twelve. What is left is then exactly 0.
static const double SETTLED_NEAR = 1e-3; // m
static const double SETTLED_SLOW = 1e-3; // m/s, across the road, and of it along the car's axle
static const double SETTLED_TURN = 1e-4; // rad/s
// The same for vehicles that cannot be straightened: what is left dies out by itself.
static const double STEER_NEAR = 1e-6;  // m
static const double STEER_AHEAD = 1e-8; // rad, m/s, rad/s

// Whether a car is not straight in its lane. Asked of every car in every step: most are exactly so,
// and one look at the bits of three numbers, whose sign does not matter, is enough.
static inline bool run_aside(const run_car *c, const mc_motion *m)
{
    unsigned long long psi, v_y, yaw_rate;
    memcpy(&psi, &m->psi, sizeof psi);
    memcpy(&v_y, &m->v_y, sizeof v_y);
    memcpy(&yaw_rate, &m->yaw_rate, sizeof yaw_rate);
    const bool ahead = !((psi | v_y | yaw_rate) << 1);
    if (ahead && m->y == c->lane_y)
        return false;
    if (!(c->flags & RUN_CALM))
        return true;
    const double off = fabs(m->y - c->lane_y);
    if (ahead)
        return off > SETTLED_NEAR;
    return off > STEER_NEAR || fabs(m->psi) > STEER_AHEAD || fabs(m->v_y) > STEER_AHEAD ||
           fabs(m->yaw_rate) > STEER_AHEAD;
}
// Whether a car that settles in its lane is as good as straight.
static inline bool run_settled(const run_car *c, const mc_motion *m)
{
    return fabs(m->y - c->lane_y) <= SETTLED_NEAR && fabs(m->yaw_rate) <= SETTLED_TURN &&
           fabs(m->v_y) <= SETTLED_SLOW && fabs(m->v * m->psi + m->v_y) <= SETTLED_SLOW;
}
// Whether the law must be asked: those of the library give 0 to a car that is where it should be.
static inline bool run_steers(const mc_run *r, int slot)
{
    return r->car[slot].flags & (RUN_STEERS | RUN_CHANGES) ||
           run_aside(&r->car[slot], &r->motion[slot]) || (r->where && !r->where[slot].straight);
}
// Asks for the memory of a car's path ahead of its use.
static inline void run_fetch_path(const mc_run *r, int slot)
{
    const char *rare = (const char *)&r->rare[slot];
    __builtin_prefetch(rare);
    __builtin_prefetch(rare + 64);
}
// Signals of its law `ahead` seconds from now (steering.h).
void run_steer_signals(const mc_run *r, int slot, double ahead, double x[STEERING_SIGNAL_COUNT]);
// The same of four cars half a step from now, into signal k of car l at x[4 k + l], on a straight
// road; of laws that need no more than RUN_STEER_AHEAD and RUN_STEER_TURN. The same bits.
run_steer_four run_steer_four_plain, run_steer_four_avx2;
// Optimal gains of a slot whose law reads them, after a change of controller or weights.
void run_steer_prepare(mc_run *r, int slot);
mc_status run_steer_room(mc_run *r, mc_error *error); // when the run is made

// Sends a car with a controller to a lane, from where it is; one that is on its way turns to it.
// A car that is far from its path goes from where it is, also back to the middle of its own lane.
// False: it drives there already.
bool run_lane_change(mc_run *r, int slot, int lane);
// Cars that have arrived keep their lane. True: there are some, and the order changes.
int run_lane_arrive(mc_run *r);
