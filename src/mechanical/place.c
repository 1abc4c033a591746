// place.c - the rest position of a vehicle, its longest stable step, and placing it.
//
// Rest is found by Newton's method on the accelerations of the standing mechanism with nothing but
// gravity, springs and the vertical springs of the tyres. The unknowns are small motions along the
// velocities; those that change nothing (along the road, about the vertical, turns of the wheels)
// get the shortest answer, none.
#include "mechanical/batch.h"

#include "num/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- rest ----

// Accelerations of the standing mechanism on springs that also pull.
static void stand(const multibody_batch *b, vehicle *v, const double *y, double *vdot)
{
    double load[LOAD_MAX] = {0.0}, *tau = vehicle_tau(b, v), *dz = v->k[0];
    vehicle_see(b, v, y);
    for (int w = 0; w < b->mechanism.wheel_count; w++)
        load[LOAD_WHEEL + w * LOAD_EACH + 2] =
            v->gear.vertical[VERTICAL_STIFFNESS] *
            (v->gear.vertical[VERTICAL_RADIUS] - v->see[SEE_WHEEL + w * SEE_EACH + 2]);
    memset(tau, 0, (size_t)b->v_count * sizeof *tau);
    mechanism_load(&b->mechanism.see, v->see, load, tau);
    const multibody_code *code = &b->mechanism.multibody->code[MULTIBODY_RATE];
    expr_kernel_run(code->kernel, v->x, v->kept[PART_RATE], dz, v->work); // a margin fits behind
    memcpy(vdot, dz + b->q_count, (size_t)b->v_count * sizeof *vdot);
}

// Moves the coordinates of y, which stands, by a small motion along the velocities.
static void shift(const multibody_batch *b, vehicle *v, const double *motion, double *y)
{
    memcpy(v->x, y, (size_t)b->y_count * sizeof *y);
    memcpy(v->x + b->q_count, motion, (size_t)b->v_count * sizeof *y);
    const multibody_code *code = &b->mechanism.multibody->code[MULTIBODY_RATE];
    expr_kernel_run(code->kernel, v->x, v->kept[PART_RATE], v->k[0], v->work);
    for (int i = 0; i < b->q_count; i++)
        y[i] += v->k[0][i];
    mc_multibody_normalise(b->mechanism.multibody, y);
}

static double largest(const double *a, int count)
{
    double max = 0.0;
    for (int i = 0; i < count; i++)
        max = fabs(a[i]) > max || isnan(a[i]) ? fabs(a[i]) : max;
    return max;
}

// Motion j of what can move, of size h: along velocity j, of closed mechanisms what a force along
// it does, which keeps the loops closed.
static void motion_along(const multibody_batch *b, vehicle *v, const double *y, int j, double h,
                         double *motion)
{
    const int n = b->v_count;
    memset(motion, 0, (size_t)n * sizeof *motion);
    motion[j] = h;
    if (!b->mechanism.closed)
        return;
    memcpy(v->z, y, (size_t)b->y_count * sizeof *y);
    motion[j] = 1.0;
    vehicle_push(b, v, motion);
    const double scale = largest(v->dv, n);
    for (int i = 0; i < n; i++)
        motion[i] = scale > 0.0 ? h / scale * v->dv[i] : 0.0;
}

// d(vdot)/d(motions), column major, by central differences.
static void differentiate(const multibody_batch *b, vehicle *v, const double *y, double *a,
                          double *room)
{
    const double h = 1e-5;
    const int n = b->v_count;
    double *motion = room, *moved = room + n, *back = moved + b->y_count;
    for (int j = 0; j < n; j++) {
        for (int side = 0; side < 2; side++) {
            memcpy(moved, y, (size_t)b->y_count * sizeof *y);
            motion_along(b, v, y, j, side ? -h : h, motion);
            shift(b, v, motion, moved);
            stand(b, v, moved, side ? back : a + n * j);
        }
        for (int i = 0; i < n; i++)
            a[n * j + i] = (a[n * j + i] - back[i]) / (2.0 * h);
    }
}

static bool newton(const multibody_batch *b, vehicle *v, double *y, double *left)
{
    enum { ROUNDS = 40 };
    const size_t n = (size_t)b->v_count;
    double *a = malloc((n * n + 20 * n + 4 * (size_t)b->y_count) * sizeof *a);
    if (!a)
        return false;
    double *answer = a + n * n, *work = answer + n, *room = work + 8 * n, before = HUGE_VAL;
    for (int round = 0; round < ROUNDS; round++) {
        int rank;
        stand(b, v, y, answer);
        *left = largest(answer, b->v_count);
        if (!(*left < 1e6) || (*left < 1e-9 && *left >= before)) // lost, or no better than rounding
            break;
        before = *left;
        differentiate(b, v, y, a, room);
        if (!dense_least_squares(b->v_count, a, answer, 1e-7, &rank, work))
            break;
        const double far = largest(answer, b->v_count), max = 0.2; // m or rad at a time
        for (size_t i = 0; i < n; i++)
            answer[i] *= far > max ? -max / far : -1.0;
        if (b->mechanism.closed) { // the sum of the motions
            double *motion = room, *sum = room + n;
            memset(sum, 0, n * sizeof *sum);
            for (size_t j = 0; j < n; j++) {
                motion_along(b, v, y, (int)j, 1.0, motion);
                for (size_t i = 0; i < n; i++)
                    sum[i] += answer[j] * motion[i];
            }
            memcpy(answer, sum, n * sizeof *sum);
        }
        shift(b, v, answer, y);
        vehicle_close(b, v, y);
    }
    free(a);
    return true;
}

// ---- steering ----

// Mean heading of the front axles in the chassis, rad.
static double steered_angle(const multibody_batch *b, vehicle *v, const double *y)
{
    double sum = 0.0;
    vehicle_see(b, v, y);
    vehicle_look(b, v, y);
    const double *turn = v->look + LOOK_TURN;
    for (int w = 0; w < 2; w++) {
        const double *axle = v->see + SEE_WHEEL + w * SEE_EACH + SEE_AXLE;
        const double x = turn[0] * axle[0] + turn[3] * axle[1] + turn[6] * axle[2];
        const double across = turn[1] * axle[0] + turn[4] * axle[1] + turn[7] * axle[2];
        sum += 0.5 * atan2(-x, across);
    }
    return sum;
}

// Travel of the rack per angle of the wheels: from two more rests, the rack a little to each side.
static mc_status find_ratio(multibody_batch *b, mc_error *error)
{
    const double travel = 0.01;
    vehicle *v = b->vehicles;
    double *y = malloc(((size_t)b->y_count + 1) * sizeof *y), left, angle[2] = {0.0, 0.0};
    if (!y)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the vehicle");
    bool good = true;
    for (int side = 0; side < 2; side++) {
        memcpy(y, b->rest, (size_t)b->y_count * sizeof *y);
        v->x[b->mechanism.rack] = side ? travel : -travel;
        good = newton(b, v, y, &left) && left < 1e-6 && good;
        angle[side] = steered_angle(b, v, y);
    }
    v->x[b->mechanism.rack] = 0.0;
    free(y);
    b->rack = 2.0 * travel / (angle[1] - angle[0]);
    if (good && fabs(b->rack) < 10.0)
        return MC_OK;
    return mc_error_set(error, MC_BAD_INPUT, b->mechanism.multibody->model.file, 0, 0,
                        "the rack does not steer the front wheels: 10 mm turn them by %.3g rad",
                        0.5 * (angle[1] - angle[0]));
}

// ---- step ----

// Largest eigenvalue of all rates except the sums, about z.
static double greatest(const multibody_batch *b, vehicle *v, const double *z)
{
    const int n = b->at_sums;
    const double h = 1e-7;
    double *a = malloc(((size_t)n * (size_t)n + 3 * (size_t)n) * sizeof *a), max = HUGE_VAL;
    if (!a)
        return max;
    double *real = a + n * n, *imaginary = real + n;
    for (int j = 0; j < n; j++) {
        memcpy(v->middle, z, (size_t)b->value_count * sizeof *z);
        v->middle[j] = z[j] + h;
        vehicle_rate(b, v, v->middle, v->k[0]);
        v->middle[j] = z[j] - h;
        vehicle_rate(b, v, v->middle, v->k[1]);
        for (int i = 0; i < n; i++)
            a[n * j + i] = (v->k[0][i] - v->k[1][i]) / (2.0 * h);
    }
    if (dense_eigenvalues(n, a, real, imaginary)) {
        max = 0.0;
        for (int i = 0; i < n; i++)
            max = fmax(max, hypot(real[i], imaginary[i]));
    }
    free(a);
    return max;
}

// Standing with the brakes on, rolling freely, and what the parts say of sliding and of the engine.
static void find_bound(multibody_batch *b)
{
    static const double fast = 70.0; // m/s
    vehicle *v = b->vehicles;
    const double load = v->mass * b->gravity / b->mechanism.wheel_count;
    const wheel_model *w = &v->drive.wheel;
    vehicle_place(b, 0, 0.0, 0.0, 0.0, 0.0);
    v->z[b->at_extra + EXTRA_BRAKE] = v->brake = 1.0;
    double max = fmax(greatest(b, v, v->z), WHEEL_RATE_MAX);
    vehicle_place(b, 0, 0.0, 0.0, 0.0, fast);
    max = fmax(max, greatest(b, v, v->z));
    if (w->tyre->stiffness)
        max = fmax(max, w->tyre->stiffness(w->tyre, w->tyre_p, load, fast));
    b->bound = 2.5 / max;
    if (v->gear.powertrain)
        b->bound = fmin(b->bound, v->gear.powertrain->step_bound(v->gear.powertrain_p));
}

mc_status vehicle_find_rest(multibody_batch *b, mc_error *error)
{
    vehicle *v = b->vehicles;
    const char *file = b->mechanism.multibody->model.file;
    double *y = b->rest, left = HUGE_VAL, height = 0.0;
    const double sink =
        v->mass * b->gravity / (b->mechanism.wheel_count * v->gear.vertical[VERTICAL_STIFFNESS]);
    mc_multibody_start(b->mechanism.multibody, y);
    const mc_status closed = mc_multibody_assemble(b->mechanism.multibody, 0.0, y, error);
    if (closed != MC_OK)
        return closed;
    memset(y + b->q_count, 0, (size_t)b->v_count * sizeof *y);
    vehicle_see(b, v, y);
    for (int w = 0; w < b->mechanism.wheel_count; w++)
        height += 1.0 / b->mechanism.wheel_count * v->see[SEE_WHEEL + w * SEE_EACH + 2];
    y[b->mechanism.multibody->system.links.body_q[b->mechanism.chassis] + 2] +=
        v->gear.vertical[VERTICAL_RADIUS] - sink - height;
    if (!newton(b, v, y, &left))
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the vehicle");
    if (!(left < 1e-6))
        return mc_error_set(error, MC_BAD_INPUT, file, 0, 0,
                            "the vehicle does not come to rest on its tyres: accelerations of %.3g "
                            "remain; check its springs and their start",
                            left);
    vehicle_see(b, v, y);
    for (int w = 0; w < b->mechanism.wheel_count; w++) {
        const double deep =
            v->gear.vertical[VERTICAL_RADIUS] - v->see[SEE_WHEEL + w * SEE_EACH + 2];
        if (!(deep > 0.0 && deep < v->gear.vertical[VERTICAL_RADIUS]))
            return mc_error_set(error, MC_BAD_INPUT, file, 0, 0,
                                "at rest %s would compress its tyre by %.3g m of its radius %.3g m",
                                b->mechanism.multibody->model.bodies[b->mechanism.wheel[w]].name,
                                deep, v->gear.vertical[VERTICAL_RADIUS]);
    }
    const mc_status status = b->mechanism.rack >= 0 ? find_ratio(b, error) : MC_OK;
    if (status != MC_OK)
        return status;
    vehicle_see(b, v, y);
    b->ground = -v->see[SEE_CENTRE + 2];
    y[b->mechanism.multibody->system.links.body_q[b->mechanism.chassis] + 2] += b->ground;
    find_bound(b);
    return MC_OK;
}

// ---- placing ----

// The chassis turned about the vertical and moved so that the mass centre is over (x, y).
static void place_chassis(const multibody_batch *b, vehicle *v, double x, double y, double heading)
{
    const mechanism *m = &b->mechanism;
    double *at = v->z + m->multibody->system.links.body_q[m->chassis], *q = at + 3;
    const double c = cos(heading), s = sin(heading), cw = cos(0.5 * heading),
                 sw = sin(0.5 * heading);
    vehicle_see(b, v, v->z);
    const double dx = at[0] - v->see[SEE_CENTRE], dy = at[1] - v->see[SEE_CENTRE + 1];
    at[0] = x + c * dx - s * dy;
    at[1] = y + s * dx + c * dy;
    const double turned[4] = {cw * q[0] - sw * q[3], cw * q[1] - sw * q[2], cw * q[2] + sw * q[1],
                              cw * q[3] + sw * q[0]};
    memcpy(q, turned, sizeof turned);
}

void vehicle_place(multibody_batch *b, int i, double x, double y, double heading, double speed)
{
    vehicle *v = &b->vehicles[i];
    const mechanism *m = &b->mechanism;
    memcpy(v->z, b->rest, (size_t)b->value_count * sizeof *v->z);
    place_chassis(b, v, x, y, heading);
    double *velocity = v->z + b->q_count + m->multibody->system.links.body_v[m->chassis];
    vehicle_look(b, v, v->z);
    const double *turn = v->look + LOOK_TURN;
    const double along[3] = {speed * cos(heading), speed * sin(heading), 0.0};
    const bool own_axes = m->multibody->model.bodies[m->chassis].quasi_velocity;
    for (int k = 0; k < 3; k++)
        velocity[k] = own_axes ? turn[k] * along[0] + turn[3 + k] * along[1] : along[k];
    for (int w = 0; w < b->mechanism.wheel_count; w++)
        v->z[b->q_count + m->spin[w]] = speed / v->drive.radius;
    v->throttle = v->brake = v->steer = 0.0;
    v->path = -1.0;
    v->station = b->relief ? NAN : 0.0;
    if (b->relief) { // on the surface that is under its mass centre
        mc_road_point p;
        vehicle_find_station(b, v);
        mc_road_at(b->road, x, y, v->station, &p);
        v->z[m->multibody->system.links.body_q[m->chassis] + 2] += p.bump;
    }
    if (v->gear.powertrain)
        v->gear.powertrain->settle(v->gear.powertrain_p, speed, 0.0,
                                   v->z + b->at_extra + EXTRA_ENGINE);
    if (v->line)
        memset(v->line, 0, BRAKE_LINE_SIZE * sizeof *v->line);
}
