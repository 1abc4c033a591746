// body.c - the planar car as a rigid body in the plane with an ellipsoid around it.
#include "planar/batch.h"

#include "base/gravity.h"

#include <math.h>

// Tyres push with less than so many times their load, whatever their law.
#define FRICTION_MAX 3.5

typedef struct pose {
    double x, y, cosine, sine, u, w, r;
    double v_x, v_y; // m/s, world
} pose;

static pose pose_of(const planar_batch *b, int i)
{
    const double *z = planar_values(b, i), psi = z[PLANAR_LANES * VALUE_PSI];
    pose s = {.x = z[PLANAR_LANES * VALUE_X],
              .y = z[PLANAR_LANES * VALUE_Y],
              .cosine = cos(psi),
              .sine = sin(psi),
              .u = z[PLANAR_LANES * VALUE_U],
              .w = z[PLANAR_LANES * VALUE_W],
              .r = z[PLANAR_LANES * VALUE_R]};
    s.v_x = s.cosine * s.u - s.sine * s.w;
    s.v_y = s.sine * s.u + s.cosine * s.w;
    return s;
}

void planar_surface(const mc_batch *batch, int i, mc_ellipsoid *out)
{
    const planar_batch *b = planar_of(batch);
    const double *body = b->model.body;
    const double length = 0.5 * body[BODY_LENGTH], width = 0.5 * body[BODY_WIDTH];
    const pose s = pose_of(b, i);
    *out = (mc_ellipsoid){{s.x, s.y, 0.0},
                          {s.cosine * length, -s.sine * width, 0.0, s.sine * length,
                           s.cosine * width, 0.0, 0.0, 0.0, 0.5 * body[BODY_HEIGHT]}};
}

void planar_reach(const mc_batch *batch, int i, mc_reach *out)
{
    const planar_batch *b = planar_of(batch);
    const planar_constants *c = &b->constants;
    const double *body = b->model.body;
    const double radius = 0.5 * fmax(body[BODY_LENGTH], fmax(body[BODY_WIDTH], body[BODY_HEIGHT]));
    const pose s = pose_of(b, i);
    const double speed2 = s.u * s.u + s.w * s.w;
    const double push = FRICTION_MAX * GRAVITY; // m/s^2, of all tyres
    const double arm =
        fmax(hypot(c->wheel_x[0], c->wheel_y[0]), hypot(c->wheel_x[2], c->wheel_y[2]));
    *out = (mc_reach){{s.x, s.y, 0.0},
                      {s.v_x, s.v_y, 0.0},
                      radius,
                      radius * fabs(s.r),
                      push * (1.0 + c->mass * arm * radius / c->inertia) + GRAVITY +
                          b->gear.drag * speed2 / c->mass + s.r * s.r * radius};
}

void planar_point_velocity(const mc_batch *batch, int i, const double point[3], double out[3])
{
    const pose s = pose_of(planar_of(batch), i);
    out[0] = s.v_x - s.r * (point[1] - s.y);
    out[1] = s.v_y + s.r * (point[0] - s.x);
    out[2] = 0.0;
}

// M dv = J in the plane, I dr = (p - c) x J; the road takes the vertical part.
void planar_impulse_response(const mc_batch *batch, int i, const double point[3],
                             const double impulse[3], const double seen[3], double out[3])
{
    const planar_batch *b = planar_of(batch);
    const double *z = planar_values(b, i);
    const double x = z[PLANAR_LANES * VALUE_X], y = z[PLANAR_LANES * VALUE_Y];
    const double turn =
        ((point[0] - x) * impulse[1] - (point[1] - y) * impulse[0]) / b->constants.inertia;
    out[0] = impulse[0] / b->constants.mass - turn * (seen[1] - y);
    out[1] = impulse[1] / b->constants.mass + turn * (seen[0] - x);
    out[2] = 0.0;
}

void planar_apply_impulse(mc_batch *batch, int i, const double point[3], const double impulse[3])
{
    const planar_batch *b = planar_of(batch);
    const pose s = pose_of(b, i);
    double *z = planar_values(b, i), *in = planar_inputs(b, i);
    const double dx = impulse[0] / b->constants.mass, dy = impulse[1] / b->constants.mass;
    z[PLANAR_LANES * VALUE_U] += s.cosine * dx + s.sine * dy;
    z[PLANAR_LANES * VALUE_W] += s.cosine * dy - s.sine * dx;
    z[PLANAR_LANES * VALUE_R] +=
        ((point[0] - s.x) * impulse[1] - (point[1] - s.y) * impulse[0]) / b->constants.inertia;
    for (int k = 0; k < 3; k++)
        in[PLANAR_LANES * (INPUT_GIVEN + k)] += impulse[k];
}

void planar_energy(const mc_batch *batch, int i, mc_energy *out)
{
    const planar_batch *b = planar_of(batch);
    const pose s = pose_of(b, i);
    double spin = 0.0; // (rad/s)^2
    for (int q = 0; q < PLANAR_WHEELS; q++) {
        const double w =
            planar_values(b, i)[PLANAR_LANES * (VALUE_WHEEL + PLANAR_WHEELS * WHEEL_SPIN + q)];
        spin += w * w;
    }
    *out = (mc_energy){.kinetic =
                           0.5 * (b->constants.mass * (s.u * s.u + s.w * s.w) +
                                  b->constants.inertia * s.r * s.r + b->gear.wheel.inertia * spin),
                       .gravity = *planar_sum(b, i, SUM_GRAVITY),
                       .slipped = *planar_sum(b, i, SUM_SLIPPED),
                       .braked = *planar_sum(b, i, SUM_BRAKED),
                       .dragged = *planar_sum(b, i, SUM_DRAGGED),
                       .driven = *planar_sum(b, i, SUM_DRIVEN)};
}

void planar_momentum(const mc_batch *batch, int i, double out[3])
{
    const planar_batch *b = planar_of(batch);
    const pose s = pose_of(b, i);
    out[0] = b->constants.mass * s.v_x;
    out[1] = b->constants.mass * s.v_y;
    out[2] = 0.0;
}

// All that acted on the car but other vehicles (road, air, gravity on a hill), by balance.
void planar_road_impulse(const mc_batch *batch, int i, double out[3])
{
    const double *in = planar_inputs(planar_of(batch), i);
    planar_momentum(batch, i, out);
    for (int k = 0; k < 3; k++)
        out[k] -= in[PLANAR_LANES * (INPUT_GIVEN + k)];
}
