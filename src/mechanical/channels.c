// channels.c - output channels of a mechanism on wheels.
//
// Rows must outlive every batch, so they are all written down: those of two axles that go by their
// names, and those of numbered axles, of which a vehicle has as many as it has wheels.
#include "mechanical/channels.h"

#include "mechanical/batch.h"

#include <math.h>

#define ENGINE_ROWS                                                                                \
    {"n", "rpm", "engine speed"}, {"fuel", "kg", "fuel used since the start"},                     \
        {"brake_force", "-", "brake force over its maximum, after delay and lag"},                 \
    {                                                                                              \
        "force", "N", "of the engine at the wheels"                                                \
    }
#define CHASSIS_ROWS                                                                               \
    {"pitch", "rad", "of the chassis, nose down positive"},                                        \
    {                                                                                              \
        "roll", "rad", "of the chassis, right side down positive"                                  \
    }

const mc_channel channels_named[CHANNELS_NAMED] = {
    ENGINE_ROWS,
    {"w_lf", "rad/s", "spin of the left front wheel"},
    {"w_rf", "rad/s", "spin of the right front wheel"},
    {"w_lr", "rad/s", "spin of the left rear wheel"},
    {"w_rr", "rad/s", "spin of the right rear wheel"},
    {"fz_lf", "N", "load of the left front wheel"},
    {"fz_rf", "N", "load of the right front wheel"},
    {"fz_lr", "N", "load of the left rear wheel"},
    {"fz_rr", "N", "load of the right rear wheel"},
    CHASSIS_ROWS,
};

#define AXLE(number)                                                                               \
    {"w_" #number "l", "rad/s", "spin of the left wheel of axle " #number},                        \
        {"fz_" #number "l", "N", "load of the left wheel of axle " #number},                       \
        {"w_" #number "r", "rad/s", "spin of the right wheel of axle " #number},                   \
    {                                                                                              \
        "fz_" #number "r", "N", "load of the right wheel of axle " #number                         \
    }

const mc_channel channels_numbered[CHANNELS_NUMBERED(GEAR_AXLE_MAX)] = {
    ENGINE_ROWS, CHASSIS_ROWS, AXLE(1), AXLE(2), AXLE(3),
    AXLE(4),     AXLE(5),      AXLE(6), AXLE(7), AXLE(8),
};

void channels_read(const mc_batch *batch, int i, double *out)
{
    const multibody_batch *b = (const multibody_batch *)batch;
    const bool numbered = b->mechanism.numbered;
    const int wheels = b->mechanism.wheel_count;
    vehicle *v = &b->vehicles[i];
    acting now;
    vehicle_look(b, v, v->z);
    vehicle_act(b, v, v->z, v->k[0], &now);
    out[0] = now.wheels.rpm;
    out[1] = v->z[b->at_sums + SUM_FUEL];
    out[2] = v->z[b->at_extra + EXTRA_BRAKE];
    out[3] = now.wheels.engine_force;
    const double *turn = v->look + LOOK_TURN;
    double *chassis = out + (numbered ? 4 : 4 + 2 * wheels);
    chassis[0] = atan2(-turn[6], hypot(turn[0], turn[3]));
    chassis[1] = atan2(turn[7], turn[8]);
    for (int w = 0; w < wheels; w++) {
        out[numbered ? 6 + 2 * w : 4 + w] = v->z[b->q_count + b->mechanism.spin[w]];
        out[numbered ? 7 + 2 * w : 4 + wheels + w] = now.wheels.fz[w];
    }
}
