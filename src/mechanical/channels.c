// channels.c - output channels of a mechanism on wheels.
//
// Rows must outlive every batch, so they are all written down: those of two axles that go by their
// names, and those of numbered axles, of which a vehicle has as many as it has wheels.
#include "mechanical/channels.h"

#include "mechanical/batch.h"
#include "parts/wheel_channels.h"

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
    CHASSIS_ROWS,
    WHEEL_USE_ROW,
    {"w_lf", "rad/s", "spin of the left front wheel"},
    WHEEL_ROWS("fz", "lf", "left front"),
    {"w_rf", "rad/s", "spin of the right front wheel"},
    WHEEL_ROWS("fz", "rf", "right front"),
    {"w_lr", "rad/s", "spin of the left rear wheel"},
    WHEEL_ROWS("fz", "lr", "left rear"),
    {"w_rr", "rad/s", "spin of the right rear wheel"},
    WHEEL_ROWS("fz", "rr", "right rear"),
};

#define AXLE(number)                                                                               \
    {"w_" #number "l", "rad/s", "spin of the left wheel of axle " #number},                        \
        WHEEL_ROWS("fz", #number "l", "axle " #number " left"),                                    \
        {"w_" #number "r", "rad/s", "spin of the right wheel of axle " #number},                   \
        WHEEL_ROWS("fz", #number "r", "axle " #number " right")

const mc_channel channels_numbered[CHANNELS_NUMBERED(GEAR_AXLE_MAX)] = {
    ENGINE_ROWS, CHASSIS_ROWS, WHEEL_USE_ROW, AXLE(1), AXLE(2), AXLE(3),
    AXLE(4),     AXLE(5),      AXLE(6),       AXLE(7), AXLE(8),
};
enum { AT_CHASSIS = 4, AT_USE = 6, AT_WHEEL = 7, EACH = 1 + WHEEL_ROW_COUNT };
_Static_assert(AT_WHEEL + 4 * EACH == (int)CHANNELS_NAMED, "one row per channel");

// ---- wheels ----

// What acts now; leaves v->look and v->see.
static vehicle *look(const mc_batch *batch, int i, acting *now)
{
    const multibody_batch *b = (const multibody_batch *)batch;
    vehicle *v = &b->vehicles[i];
    vehicle_look(b, v, v->z);
    vehicle_act(b, v, v->z, v->k[0], now);
    return v;
}

// Unit vector of the heading: that of the chassis in the plane.
static void heading_of(const vehicle *v, double d[2])
{
    const double *turn = v->look + LOOK_TURN, size = hypot(turn[0], turn[3]);
    d[0] = turn[0] / size, d[1] = turn[3] / size;
}

static int wheels_of(const multibody_batch *b, const vehicle *v, const acting *now, mc_wheel *out)
{
    const gear_wheels *w = &now->wheels;
    const double *centre = v->see + SEE_CENTRE;
    double d[2];
    heading_of(v, d);
    for (int q = 0; q < w->count; q++) {
        const double *see = v->see + SEE_WHEEL + q * SEE_EACH, *axle = see + SEE_AXLE;
        const double x = see[SEE_PLACE] - centre[0], y = see[SEE_PLACE + 1] - centre[1];
        // The axle points to the left: the wheel's plane is a quarter turn from it. Without a rack
        // the contact alone is steered.
        const double turned =
            atan2(-(d[0] * axle[0] + d[1] * axle[1]), d[0] * axle[1] - d[1] * axle[0]);
        out[q] =
            (mc_wheel){.x = d[0] * x + d[1] * y,
                       .y = d[0] * y - d[1] * x,
                       .steer = turned + (q < 2 && b->mechanism.rack < 0 ? v->steer : 0.0),
                       .fx = w->fx[q],
                       .fy = w->fy[q],
                       .fz = w->fz[q],
                       .mu = w->mu[q],
                       .radius = v->gear.vertical[VERTICAL_RADIUS],
                       .lift = see[SEE_PLACE + 2] - b->ground - v->gear.vertical[VERTICAL_RADIUS],
                       .spin = v->z[b->q_count + b->mechanism.spin[q]]};
    }
    return w->count;
}

int channels_wheels(const mc_batch *batch, int i, mc_wheel *out)
{
    acting now;
    const vehicle *v = look(batch, i, &now);
    return wheels_of((const multibody_batch *)batch, v, &now, out);
}

double channels_lateral_acceleration(const mc_batch *batch, int i)
{
    acting now;
    const vehicle *v = look(batch, i, &now);
    double d[2];
    heading_of(v, d);
    return (d[0] * now.force[1] - d[1] * now.force[0]) / v->mass;
}

// ---- channels ----

void channels_read(const mc_batch *batch, int i, double *out)
{
    const multibody_batch *b = (const multibody_batch *)batch;
    acting now;
    mc_wheel wheel[MC_WHEEL_MAX];
    const vehicle *v = look(batch, i, &now);
    const int wheels = wheels_of(b, v, &now, wheel);
    out[0] = now.wheels.rpm;
    out[1] = v->z[b->at_sums + SUM_FUEL];
    out[2] = v->z[b->at_extra + EXTRA_BRAKE];
    out[3] = now.wheels.engine_force;
    const double *turn = v->look + LOOK_TURN;
    out[AT_CHASSIS] = atan2(-turn[6], hypot(turn[0], turn[3]));
    out[AT_CHASSIS + 1] = atan2(turn[7], turn[8]);
    out[AT_USE] = wheel_channels_all(wheel, wheels);
    for (int w = 0; w < wheels; w++) {
        out[AT_WHEEL + EACH * w] = v->z[b->q_count + b->mechanism.spin[w]];
        wheel_channels_one(&wheel[w], out + AT_WHEEL + EACH * w + 1);
    }
}
