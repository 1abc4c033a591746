// body.c - what all cars share: a rigid body in the plane with an ellipsoid around it.
#include "cars/batch.h"

#include <math.h>
#include <string.h>

typedef struct pose {
    double x, y, cosine, sine, u, w, r;
    double v_x, v_y; // m/s, world
} pose;

static pose pose_of(const car_batch *b, int i)
{
    const double *value = car_values(b, i), psi = value[CAR_BLOCK * VALUE_PSI];
    pose s = {.x = value[CAR_BLOCK * VALUE_X],
              .y = value[CAR_BLOCK * VALUE_Y],
              .cosine = 1.0,
              .u = value[CAR_BLOCK * VALUE_U],
              .w = value[CAR_BLOCK * VALUE_W],
              .r = value[CAR_BLOCK * VALUE_R]};
    if (psi != 0.0) {
        s.cosine = cos(psi);
        s.sine = sin(psi);
    }
    s.v_x = s.cosine * s.u - s.sine * s.w;
    s.v_y = s.sine * s.u + s.cosine * s.w;
    return s;
}

void car_surface(const mc_batch *batch, int i, mc_ellipsoid *out)
{
    const car_batch *b = car_look(batch);
    const double *p = b->cars[i].p;
    const double length = 0.5 * p[CAR_LENGTH], width = 0.5 * p[CAR_WIDTH];
    const pose s = pose_of(b, i);
    *out = (mc_ellipsoid){{s.x, s.y, 0.0},
                          {s.cosine * length, -s.sine * width, 0.0, s.sine * length,
                           s.cosine * width, 0.0, 0.0, 0.0, 0.5 * p[CAR_HEIGHT]}};
}

// What the tyres of a bicycle add: slip angles are no larger than a right angle, and as steep as
// the forms are they grow no faster than the stiffness over the slowest speed.
static double bicycle_acceleration(const car_batch *b, int i, const pose *s)
{
    const double *p = b->cars[i].p, *value = car_values(b, i);
    const double *constant = car_constants(b, i);
    const double arm = fmax(p[CAR_FRONT], p[CAR_REAR]), half = 0.5 * p[CAR_LENGTH];
    const double load = b->lateral == CAR_SINGLE_TRACK ? 2.0 * p[CAR_MASS] * GRAVITY : 1.0;
    const double c = load * fmax(constant[CAR_BLOCK * CONSTANT_AXLE_FRONT],
                                 constant[CAR_BLOCK * CONSTANT_AXLE_REAR]);
    const double speed = fmax(hypot(s->u, s->w), p[CAR_KINEMATIC_BELOW]);
    const double steer =
        fmax(fabs(value[CAR_BLOCK * VALUE_STEER]),
             fmin(fabs(car_inputs(b, i)[CAR_BLOCK * INPUT_STEER]), p[CAR_STEER_MAX]));
    double axles = 2.0 * c * fmin((fabs(s->w) + arm * fabs(s->r)) / speed + steer, 1.6);
    if (p[CAR_GRIP] > 0.0)
        axles = fmin(axles, p[CAR_GRIP] * p[CAR_MASS] * GRAVITY);
    // Rolling wheels turn the car with the steering: r' = (u' tan + u steer_rate / cos^2)/L.
    const double slow = fmin(speed, 2.0 * p[CAR_KINEMATIC_BELOW]),
                 length = p[CAR_FRONT] + p[CAR_REAR];
    const double guide =
        (fabs(s->w) + half * fabs(s->r) + half * slow * tan(steer) / length) / SLIDE_TIME;
    return axles / p[CAR_MASS] + axles * arm * half / p[CAR_YAW_INERTIA] + s->r * s->r * half +
           (speed < 2.0 * p[CAR_KINEMATIC_BELOW] ? guide : 0.0) +
           half * slow * fmin(p[CAR_STEER_RATE], 1.0) * 35.0 / length;
}

// Bound of the acceleration of any point: brake, engine, tyres. Without a grip limit the tyres give
// what eq 1 asks for, which grows with the slip angles of both axles.
static double max_acceleration(const car_batch *b, int i, const pose *s)
{
    const double *p = b->cars[i].p;
    const double *constant = car_constants(b, i);
    double max = constant[CAR_BLOCK * CONSTANT_ACCELERATION];
    if (b->lateral != CAR_REPORT)
        return max + bicycle_acceleration(b, i, s);
    if (s->w != 0.0 || s->r != 0.0 || car_inputs(b, i)[CAR_BLOCK * INPUT_STEER] != 0.0) {
        const double arm = fmax(p[CAR_FRONT], p[CAR_REAR]), half = 0.5 * p[CAR_LENGTH];
        const double speed =
            fabs(s->w) + arm * fabs(s->r) + fabs(s->u * car_inputs(b, i)[CAR_BLOCK * INPUT_STEER]);
        double axles = 4.0 * p[CAR_CORNERING] * speed / fmax(fabs(s->u), TURN_SPEED_MIN);
        if (p[CAR_GRIP] > 0.0)
            axles = fmin(axles, p[CAR_GRIP] * p[CAR_MASS] * GRAVITY);
        max += axles / p[CAR_MASS] + axles * arm * half / p[CAR_YAW_INERTIA] + fabs(s->u * s->r) +
               s->r * s->r * half;
    }
    return max;
}

void car_reach(const mc_batch *batch, int i, mc_reach *out)
{
    const car_batch *b = car_look(batch);
    const double *constant = car_constants(b, i), *value = car_values(b, i);
    const double radius = constant[CAR_BLOCK * CONSTANT_RADIUS];
    if (value[CAR_BLOCK * VALUE_PSI] == 0.0 && value[CAR_BLOCK * VALUE_W] == 0.0 &&
        value[CAR_BLOCK * VALUE_R] == 0.0 && car_inputs(b, i)[CAR_BLOCK * INPUT_STEER] == 0.0 &&
        value[CAR_BLOCK * VALUE_STEER] == 0.0) {
        *out = (mc_reach){{value[CAR_BLOCK * VALUE_X], value[CAR_BLOCK * VALUE_Y], 0.0},
                          {value[CAR_BLOCK * VALUE_U], 0.0, 0.0},
                          radius,
                          0.0,
                          constant[CAR_BLOCK * CONSTANT_ACCELERATION]};
        return;
    }
    const pose s = pose_of(b, i);
    *out = (mc_reach){{s.x, s.y, 0.0},
                      {s.v_x, s.v_y, 0.0},
                      radius,
                      radius * fabs(s.r),
                      max_acceleration(b, i, &s)};
}

void car_point_velocity(const mc_batch *batch, int i, const double point[3], double out[3])
{
    const pose s = pose_of(car_look(batch), i);
    out[0] = s.v_x - s.r * (point[1] - s.y);
    out[1] = s.v_y + s.r * (point[0] - s.x);
    out[2] = 0.0;
}

// M dv = J in the plane, I dr = (p - c) x J; the road takes the vertical part.
void car_impulse_response(const mc_batch *batch, int i, const double point[3],
                          const double impulse[3], const double seen[3], double out[3])
{
    const car_batch *b = car_look(batch);
    const double *value = car_values(b, i), *p = b->cars[i].p;
    const double x = value[CAR_BLOCK * VALUE_X], y = value[CAR_BLOCK * VALUE_Y];
    const double turn =
        ((point[0] - x) * impulse[1] - (point[1] - y) * impulse[0]) / p[CAR_YAW_INERTIA];
    out[0] = impulse[0] / p[CAR_MASS] - turn * (seen[1] - y);
    out[1] = impulse[1] / p[CAR_MASS] + turn * (seen[0] - x);
    out[2] = 0.0;
}

void car_apply_impulse(mc_batch *batch, int i, const double point[3], const double impulse[3])
{
    const car_batch *b = car_look(batch);
    const double *p = b->cars[i].p;
    const pose s = pose_of(b, i);
    double *value = car_values(b, i), *input = car_inputs(b, i);
    const double dx = impulse[0] / p[CAR_MASS], dy = impulse[1] / p[CAR_MASS];
    value[CAR_BLOCK * VALUE_U] += s.cosine * dx + s.sine * dy;
    value[CAR_BLOCK * VALUE_W] += s.cosine * dy - s.sine * dx;
    value[CAR_BLOCK * VALUE_R] +=
        ((point[0] - s.x) * impulse[1] - (point[1] - s.y) * impulse[0]) / p[CAR_YAW_INERTIA];
    for (int k = 0; k < 3; k++)
        input[CAR_BLOCK * (INPUT_GIVEN + k)] += impulse[k];
}

double car_road_height(const car_batch *b, int i, double *station)
{
    const double *value = car_values(b, i);
    *station = value[CAR_BLOCK * VALUE_STATION];
    if (!b->relief)
        return road_height(b->road, value[CAR_BLOCK * VALUE_X]);
    mc_road_point p;
    road_under(b->road, value[CAR_BLOCK * VALUE_PATH], value[CAR_BLOCK * VALUE_X],
               value[CAR_BLOCK * VALUE_Y], *station, &p);
    *station = p.station;
    return p.height + p.bump * p.gravity[2];
}

void car_energy(const mc_batch *batch, int i, mc_energy *out)
{
    const car_batch *b = car_look(batch);
    const double *value = car_values(b, i), *p = b->cars[i].p;
    const double u = value[CAR_BLOCK * VALUE_U], w = value[CAR_BLOCK * VALUE_W];
    const double r = value[CAR_BLOCK * VALUE_R];
    double unused;
    *out =
        (mc_energy){.kinetic = 0.5 * (p[CAR_MASS] * (u * u + w * w) + p[CAR_YAW_INERTIA] * r * r),
                    .gravity = p[CAR_MASS] * GRAVITY * car_road_height(b, i, &unused),
                    .slipped = value[CAR_BLOCK * VALUE_SLIPPED],
                    .braked = value[CAR_BLOCK * VALUE_BRAKED],
                    .dragged = value[CAR_BLOCK * VALUE_DRAGGED],
                    .driven = value[CAR_BLOCK * VALUE_DRIVEN]};
}

void car_momentum(const mc_batch *batch, int i, double out[3])
{
    const car_batch *b = car_look(batch);
    const pose s = pose_of(b, i);
    out[0] = b->cars[i].p[CAR_MASS] * s.v_x;
    out[1] = b->cars[i].p[CAR_MASS] * s.v_y;
    out[2] = 0.0;
}

// All that acted on the car but other vehicles (road, air, gravity on a hill), by balance.
void car_road_impulse(const mc_batch *batch, int i, double out[3])
{
    const double *input = car_inputs(car_look(batch), i);
    car_momentum(batch, i, out);
    for (int k = 0; k < 3; k++)
        out[k] -= input[CAR_BLOCK * (INPUT_GIVEN + k)];
}

double car_mass(const mc_batch *batch, int i)
{
    return car_look(batch)->cars[i].p[CAR_MASS];
}

double car_gravity(const mc_batch *batch)
{
    (void)batch;
    return GRAVITY;
}

// Nothing vibrates; a touch of two rigid ellipsoids is found over times in which they turn little.
double car_contact_window(const mc_batch *batch)
{
    (void)batch;
    return 0.002;
}

void car_straighten(mc_batch *batch, int i)
{
    const car_batch *b = car_look(batch);
    const double *p = b->cars[i].p;
    double *value = car_values(b, i);
    const double w = value[CAR_BLOCK * VALUE_W], r = value[CAR_BLOCK * VALUE_R];
    value[CAR_BLOCK * VALUE_SLIPPED] += 0.5 * (p[CAR_MASS] * w * w + p[CAR_YAW_INERTIA] * r * r);
    value[CAR_BLOCK * VALUE_PSI] = value[CAR_BLOCK * VALUE_W] = value[CAR_BLOCK * VALUE_R] = 0.0;
    value[CAR_BLOCK * VALUE_STEER] = 0.0;
}

static mc_motion motion_of(const car_batch *b, int i)
{
    const double *value = car_values(b, i);
    return (mc_motion){.x = value[CAR_BLOCK * VALUE_X],
                       .y = value[CAR_BLOCK * VALUE_Y],
                       .psi = value[CAR_BLOCK * VALUE_PSI],
                       .v = value[CAR_BLOCK * VALUE_U],
                       .v_y = value[CAR_BLOCK * VALUE_W],
                       .yaw_rate = value[CAR_BLOCK * VALUE_R],
                       .a = value[CAR_BLOCK * VALUE_A]};
}

void car_motion(const mc_batch *batch, int first, int count, mc_motion *out)
{
    enum { FOUR = 4 };
    const car_batch *b = car_look(batch);
    const int end = first + count;
    for (int i = first; i < end;) {
        const int left = end - i;
        if (i % FOUR == 0 && left > 1) {
            b->motion_four(b, i, left < FOUR ? left : FOUR, out + (i - first));
            i += FOUR;
        } else {
            out[i - first] = motion_of(b, i);
            i++;
        }
    }
}
