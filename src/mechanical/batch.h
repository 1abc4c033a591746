// batch.h - inside of a batch of mechanisms on wheels, shared by its files: rate.c has the
// equations, place.c rest and step bound, vehicle.c the contract.
//
// State z of a vehicle, all doubles:
//
//   y       of the mechanism: coordinates, velocities, states of the user
//   wheels  twist of the brakes, states of the tyres, each for all wheels: parts/wheel.h without
//           the spin, which is the mechanism's own
//   extra   brake force over its maximum, states of the powertrain
//   sums    as in parts/running_gear.h; SUM_GRAVITY holds only the work against gravity that leans
//   stored  what springs by formula took, if there are any
#pragma once

#include "base/arena.h"
#include "mechanical/mechanism.h"
#include "mechanical/vehicle.h"
#include "parts/brake.h"
#include "parts/running_gear.h"
#include "road/road.h"

typedef enum vehicle_part { // programs of the mechanism, each with kept values of its own
    PART_RATE,
    PART_FORWARD,
    PART_SEE,
    PART_LOOK,
    PART_TURN,    // closed mechanisms only, as
    PART_PROJECT, // the next
    PART_COUNT
} vehicle_part;

typedef struct vehicle {
    running_gear gear;
    gear_constants drive;
    double *engine_p;
    double mass;                   // kg
    double *parameter;             // of the mechanism
    double *kept[PART_COUNT];      // what prepare left
    double *x, *work;              // variables and memory of the programs
    double *see, *look, *dv;       // their values; changes of velocity
    double *out;                   // values of the mechanism's own programs
    double *z, *middle, *k[4];     // state, stages of the step
    double throttle, brake, steer; // inputs; brake: the command that has arrived
    double path, station;          // of the road, if it was told (else -1); near the vehicle, m
    double *line;                  // commands on their way to the brakes; NULL: no delay
    double *room;                  // for packs: block.h
} vehicle;

typedef struct multibody_batch {
    mc_batch base; // first: the world sees only this
    arena memory;
    mechanism mechanism;
    const struct block_code *code; // block.h
    double half[3];                // m, semi-axes of the surface
    double centre[3];              // m, of the surface in the chassis
    double gravity;                // m/s^2
    double ground; // m, height of the road: the mass centre rests at 0, as in the other kinds
    double rack;   // m/rad, travel of the rack per angle of the front wheels; 0: no rack steers
    const road *road;
    bool relief;                        // the road must be asked place by place
    double step, bound;                 // s, longest inner step; what is stable
    int y_count, v_count, q_count;      // of the mechanism
    int wheel_states;                   // of one wheel, without its spin
    int at_extra, at_sums, value_count; // places in z
    int at_stored; // J, in springs by formula since the start; 0: there are none
    vehicle *vehicles;
    double *rest; // z of a vehicle that stands at the origin
} multibody_batch;

// What acts at an instant, apart from the rates.
typedef struct acting {
    double force[3]; // N, road, drag and the lean of gravity; level gravity is not in it
    gear_wheels wheels;
    double tyre_energy;      // J, in the vertical springs
    double station, pull[3]; // on relief: m, unit vector of gravity, at the mass centre
} acting;

void vehicle_prepare(const multibody_batch *b, vehicle *v); // after a change of parameters
void vehicle_see(const multibody_batch *b, vehicle *v, const double *z);  // v->see
void vehicle_look(const multibody_batch *b, vehicle *v, const double *z); // v->look

// Loads and rates of wheels, engine, brake and sums; generalised forces go to v->x. dz gets
// everything but y'. Leaves v->see.
void vehicle_act(const multibody_batch *b, vehicle *v, const double *z, double *dz, acting *out);
void vehicle_rate(const multibody_batch *b, vehicle *v, const double *z, double *dz); // all of z'
void vehicle_advance(const multibody_batch *b, vehicle *v, double duration);

// Coordinates and velocities of z back onto the loops; nothing for a tree.
void vehicle_close(const multibody_batch *b, vehicle *v, double *z);

// v->dv = M^-1 tau, within the loops: what a generalised impulse does.
void vehicle_push(const multibody_batch *b, vehicle *v, const double *tau);

// Generalised forces among the variables, v_count of them.
static inline double *vehicle_tau(const multibody_batch *b, const vehicle *v)
{
    return v->x + mb_at_tau(&b->mechanism.multibody->system);
}

// What blocks of vehicles do as rate.c does it: a program of the mechanism; the ground under a
// wheel with these values of `see`, steer: what its axle has not been turned by; acceleration of
// gravity beside its level part, where there is no relief; and how many steps a duration takes.
const expr_kernel *vehicle_kernel(const multibody_batch *b, vehicle_part part);
void vehicle_ask_wheel(const multibody_batch *b, const vehicle *v, const double *see, double steer,
                       double station, mc_road_point *p);
void vehicle_lean(const multibody_batch *b, double x, double lean[3]);
int vehicle_steps(const multibody_batch *b, double duration);
enum { CLOSE_STEPS_MAX = 6 }; // of Newton's method, for positions on the loops

// Finds b->rest with the first vehicle; sets the step bound. An error says why it cannot stand.
mc_status vehicle_find_rest(multibody_batch *b, mc_error *error);
void vehicle_find_station(const multibody_batch *b, vehicle *v); // where to look for it next
void vehicle_station_at(const multibody_batch *b, vehicle *v, double x, double y);
void vehicle_place(multibody_batch *b, int i, double x, double y, double heading, double speed);
