// rate.c - equations of a mechanism on wheels, and their integration.
//
// A wheel touches the road below its hub, at r = (0, 0, -rho) from it, rho the height of the hub.
// e_x is across axle and vertical, in front turned by the steering angle, e_y to its left. With the
// spin w of the wheel against its carrier, w_c the spin of the carrier, a the axle and R the
// effective radius, the force fx e_x + fy e_y + fz e_z at the hub and the torque
//
//     T = (r x F) less its part along a, - R fx a
//
// act on the wheel. Their power is fx (v_x - R w) + fy v_y + fz v_z with
//
//     v_x = e_x . v + (r x e_x)' . w_c - R a . w_c,   v_y = e_y . v + (r x e_y)' . w_c
//
// (' : less the part along a), so these are the velocities the tyre is told, and what it takes is
// what the mechanism loses. The aligning moment of the tyre turns the carrier about the vertical,
// also less its part along a. Engine and brake act between wheel and carrier. Gravity leans with
// the road, drag acts at the mass centre.
//
// A road with curves and relief is asked under the mass centre and under every hub. Where its
// surface is z over the plane there, with the slopes (a, b), rho is that much shorter, at the rate
// v_z - a v_x - b v_y of the hub, and the road pushes through the hub along (-a, -b, 1): power is
// fz times that rate. What tyres push along the road is taken along the plane: an error of second
// order in the slope.
//
// A mechanism with a rack is steered through it: the steering angle, times a ratio that is found at
// rest, is where the rack is told to go, and the wheels turn with their carriers.
//
// Loops: an impulse answers by the same equations as a force, so what it does stays within them;
// after every step positions and velocities are projected onto them.
#include "mechanical/batch.h"

#include "num/vec3.h"

#include <math.h>
#include <string.h>

// ---- programs of the mechanism ----

const expr_kernel *vehicle_kernel(const multibody_batch *b, vehicle_part part)
{
    const mechanism *m = &b->mechanism;
    switch (part) {
    case PART_RATE:
        return m->multibody->code[MULTIBODY_RATE].kernel;
    case PART_FORWARD:
        return m->multibody->code[MULTIBODY_FORWARD].kernel;
    case PART_SEE:
        return m->see.kernel;
    case PART_TURN:
        return m->turn.kernel;
    case PART_PROJECT:
        return m->multibody->code[MULTIBODY_PROJECT].kernel;
    default:
        return m->look.kernel;
    }
}

void vehicle_prepare(const multibody_batch *b, vehicle *v)
{
    for (int k = 0; k < (b->mechanism.closed ? PART_COUNT : PART_TURN); k++)
        expr_kernel_prepare(vehicle_kernel(b, (vehicle_part)k), v->parameter, v->kept[k], v->work);
}

static void run(const multibody_batch *b, vehicle *v, vehicle_part part, double *out)
{
    expr_kernel_run(vehicle_kernel(b, part), v->x, v->kept[part], out, v->work);
}

// Of closed mechanisms the equations end with loads and margins, which are not asked for.
static void run_first(const multibody_batch *b, vehicle *v, vehicle_part part, int count,
                      double *out)
{
    run(b, v, part, b->mechanism.closed ? v->out : out);
    if (b->mechanism.closed)
        memcpy(out, v->out, (size_t)count * sizeof *out);
}

static void set_y(const multibody_batch *b, vehicle *v, const double *y)
{
    memcpy(v->x, y, (size_t)b->y_count * sizeof *y);
}

void vehicle_see(const multibody_batch *b, vehicle *v, const double *z)
{
    set_y(b, v, z);
    run(b, v, PART_SEE, v->see);
}

void vehicle_look(const multibody_batch *b, vehicle *v, const double *z)
{
    set_y(b, v, z);
    run(b, v, PART_LOOK, v->look);
}

// Forward dynamics are linear in tau beside gravity. tau is scaled up by a power of two until
// gravity is small against it, so that the difference loses nothing.
void vehicle_push(const multibody_batch *b, vehicle *v, const double *tau)
{
    double *at = vehicle_tau(b, v), *still = v->middle, largest = 0.0;
    for (int j = 0; j < b->v_count; j++)
        largest = fmax(largest, fabs(tau[j]));
    if (!(largest > 0.0)) {
        memset(v->dv, 0, (size_t)b->v_count * sizeof *v->dv);
        return;
    }
    int exponent;
    frexp(largest, &exponent);
    const double scale = ldexp(1.0, 40 - exponent);
    memcpy(v->x, v->z, (size_t)b->q_count * sizeof *v->x);
    memset(v->x + b->q_count, 0, (size_t)b->v_count * sizeof *v->x);
    memset(at, 0, (size_t)b->v_count * sizeof *at);
    run_first(b, v, PART_FORWARD, b->v_count, still);
    for (int j = 0; j < b->v_count; j++)
        at[j] = scale * tau[j];
    run_first(b, v, PART_FORWARD, b->v_count, v->dv);
    for (int j = 0; j < b->v_count; j++)
        v->dv[j] = (v->dv[j] - still[j]) / scale;
}

// ---- loops ----

static double largest_of(const double *a, int count)
{
    double max = 0.0;
    for (int i = 0; i < count; i++)
        max = fabs(a[i]) > max || isnan(a[i]) ? fabs(a[i]) : max;
    return max;
}

// Newton's method with the smallest changes, weighed by M, as src/mechanism/loops.c does it. Where
// the equations fail, the state stays as it is.
void vehicle_close(const multibody_batch *b, vehicle *v, double *z)
{
    const int n = b->v_count, q = b->q_count;
    double before = HUGE_VAL;
    for (int k = 0; k < CLOSE_STEPS_MAX && b->mechanism.closed; k++) {
        set_y(b, v, z);
        run(b, v, PART_PROJECT, v->out);
        const double far = largest_of(v->out, n);
        if (!(far < before))
            break;
        memcpy(v->x + q, v->out, (size_t)n * sizeof *z);
        run(b, v, PART_TURN, v->out);
        for (int i = 0; i < q; i++)
            z[i] += v->out[i];
        mc_multibody_normalise(b->mechanism.multibody, z);
        before = far;
        if (far < 1e-15)
            break;
    }
    if (!b->mechanism.closed)
        return;
    set_y(b, v, z);
    run(b, v, PART_PROJECT, v->out);
    if (largest_of(v->out + n, n) < HUGE_VAL)
        for (int i = 0; i < n; i++)
            z[q + i] += v->out[n + i];
}

// ---- road ----

// The road under the mass centre.
static void ask_road(const multibody_batch *b, const vehicle *v, acting *out)
{
    mc_road_point p;
    road_under(b->road, v->path, v->see[SEE_CENTRE], v->see[SEE_CENTRE + 1], v->station, &p);
    out->station = p.station;
    memcpy(out->pull, p.gravity, sizeof out->pull);
}

void vehicle_find_station(const multibody_batch *b, vehicle *v)
{
    vehicle_see(b, v, v->z);
    vehicle_station_at(b, v, v->see[SEE_CENTRE], v->see[SEE_CENTRE + 1]);
}

void vehicle_station_at(const multibody_batch *b, vehicle *v, double x, double y)
{
    mc_road_point p;
    road_under(b->road, v->path, x, y, v->station, &p);
    v->station = p.station;
}

// ---- wheels ----

typedef struct contact {   // of one wheel
    double bump, slope[2]; // m, -: of the surface under it
    double rho, e_x[3], e_y[3];
    double turn_x[3], turn_y[3]; // of the carrier per unit of fx and fy, N m
} contact;

// (r x e) less its part along the axle.
static void lever(double rho, const double e[3], const double axle[3], double out[3])
{
    out[0] = rho * e[1], out[1] = -rho * e[0], out[2] = 0.0;
    const double along = vec3_dot(out, axle);
    for (int k = 0; k < 3; k++)
        out[k] -= along * axle[k];
}

static void find_contact(const vehicle *v, int w, double ground, bool by_rack, double c, double s,
                         contact *at, gear_wheels *out)
{
    const double *see = v->see + SEE_WHEEL + w * SEE_EACH, *axle = see + SEE_AXLE;
    const double size = hypot(axle[0], axle[1]), x = axle[1] / size, y = -axle[0] / size;
    const bool steered = w < 2 && !by_rack; // a rack has turned the axle already
    at->rho = see[SEE_PLACE + 2] - ground - at->bump;
    at->e_x[0] = steered ? c * x - s * y : x;
    at->e_x[1] = steered ? s * x + c * y : y;
    at->e_x[2] = at->e_y[2] = 0.0;
    at->e_y[0] = -at->e_x[1], at->e_y[1] = at->e_x[0];
    lever(at->rho, at->e_x, axle, at->turn_x);
    lever(at->rho, at->e_y, axle, at->turn_y);
    for (int k = 0; k < 3; k++)
        at->turn_x[k] -= v->drive.radius * axle[k];
    out->v_x[w] = vec3_dot(at->e_x, see + SEE_VELOCITY) + vec3_dot(at->turn_x, see + SEE_SPIN);
    out->v_y[w] = vec3_dot(at->e_y, see + SEE_VELOCITY) + vec3_dot(at->turn_y, see + SEE_SPIN);
}

// States of the wheels from z: their spins are velocities of the mechanism.
static void take_states(const multibody_batch *b, const double *z, gear_wheels *w)
{
    const int count = w->count, stride = gear_stride(count);
    for (int i = 0; i < count; i++)
        w->x[i] = z[b->q_count + b->mechanism.spin[i]];
    for (int k = 0; k < b->wheel_states; k++)
        memcpy(w->x + (WHEEL_TWIST + k) * stride, z + b->y_count + k * count,
               (size_t)count * sizeof *z);
}

static void give_rates(const multibody_batch *b, const gear_constants *d, const gear_wheels *w,
                       double *dz)
{
    const int count = w->count, stride = gear_stride(count);
    for (int k = 0; k < b->wheel_states; k++) {
        const double decay = wheel_rate(&d->wheel, WHEEL_TWIST + k);
        const int at = (WHEEL_TWIST + k) * stride;
        for (int i = 0; i < count; i++)
            dz[b->y_count + k * count + i] = w->rate[at + i] - decay * w->x[at + i];
    }
}

void vehicle_ask_wheel(const multibody_batch *b, const vehicle *v, const double *see, double steer,
                       double station, mc_road_point *p)
{
    const double *axle = see + SEE_AXLE;
    road_under(b->road, v->path, see[SEE_PLACE], see[SEE_PLACE + 1], station, p);
    mc_road_stand(b->road, atan2(-axle[0], axle[1]) + steer, v->gear.vertical[VERTICAL_RADIUS], 0.0,
                  p);
}

// Forces of the tyres and rates of wheels and engine.
static void turn_wheels(const multibody_batch *b, vehicle *v, const double *z, double *dz,
                        contact at[GEAR_WHEEL_MAX], acting *out)
{
    const gear_constants *d = &v->drive;
    const double *extra = z + b->at_extra, c = cos(v->steer), s = sin(v->steer);
    const road *r = b->road;
    const bool slippery = !b->relief && r && (r->friction.count > 0 || r->friction.fallback != 1.0);
    gear_wheels *w = &out->wheels;
    w->count = b->mechanism.wheel_count;
    take_states(b, z, w);
    out->tyre_energy = 0.0;
    for (int i = 0; i < w->count; i++) {
        const double *see = v->see + SEE_WHEEL + i * SEE_EACH, *hub = see + SEE_VELOCITY;
        mc_road_point p = {.friction = slippery ? road_friction(r, see[SEE_PLACE]) : 1.0};
        if (b->relief)
            vehicle_ask_wheel(b, v, see, i < 2 && b->mechanism.rack < 0 ? v->steer : 0.0,
                              out->station, &p);
        at[i].bump = p.bump, at[i].slope[0] = p.bump_x, at[i].slope[1] = p.bump_y;
        find_contact(v, i, b->ground, b->mechanism.rack >= 0, c, s, &at[i], w);
        const double rate = hub[2] - p.bump_x * hub[0] - p.bump_y * hub[1];
        const vertical_force up = vertical_at(v->gear.vertical, at[i].rho, rate);
        w->fz[i] = up.fz;
        out->tyre_energy += up.energy;
        dz[b->at_sums + SUM_DAMPED] += up.lost;
        w->mu[i] = p.friction;
        w->camber[i] = asin(fmax(-1.0, fmin(see[SEE_AXLE + 2], 1.0)));
    }
    gear_turn(d, v->throttle, extra[EXTRA_BRAKE], extra + EXTRA_ENGINE,
              dz + b->at_extra + EXTRA_ENGINE, w);
    give_rates(b, d, w, dz);
    dz[b->at_extra + EXTRA_BRAKE] = d->brake_rate * (v->brake - extra[EXTRA_BRAKE]);
}

// ---- everything ----

void vehicle_lean(const multibody_batch *b, double x, double lean[3])
{
    const double slope = road_slope(b->road, x), half = sin(0.5 * slope);
    lean[0] = -b->gravity * sin(slope);
    lean[1] = 0.0;
    lean[2] = 2.0 * b->gravity * half * half; // 1 - cos
}

// Tilted gravity and drag, as an acceleration of everything; added to the force and the energy
// balance.
static void act_on_all(const multibody_batch *b, const vehicle *v, double *all, double *sums,
                       acting *out)
{
    const double *p = v->see + SEE_MOMENTUM, drag = v->drive.drag;
    const double velocity[3] = {p[0] / v->mass, p[1] / v->mass, p[2] / v->mass};
    const double speed = hypot(velocity[0], velocity[1]);
    double lean[3] = {0.0, 0.0, 0.0}; // m/s^2, beside level gravity
    if (b->relief) {
        for (int k = 0; k < 3; k++)
            lean[k] = b->gravity * (out->pull[k] + (k == 2 ? 1.0 : 0.0));
    } else if (!road_is_level(b->road)) {
        vehicle_lean(b, v->see[SEE_CENTRE], lean);
    }
    for (int k = 0; k < 3; k++) {
        const double dragged = k < 2 ? -drag * speed * velocity[k] : 0.0;
        all[k] = lean[k] + dragged / v->mass;
        out->force[k] = v->mass * all[k];
    }
    sums[SUM_DRAGGED] += drag * speed * speed * speed;
    sums[SUM_GRAVITY] = -vec3_dot(lean, p);
}

static void act_on_wheel(const gear_wheels *w, int i, const contact *at, double *load, acting *out)
{
    for (int j = 0; j < 3; j++) {
        load[LOAD_FORCE + j] = w->fx[i] * at->e_x[j] + w->fy[i] * at->e_y[j];
        load[LOAD_TORQUE + j] = w->fx[i] * at->turn_x[j] + w->fy[i] * at->turn_y[j];
    }
    load[LOAD_FORCE + 2] += w->fz[i];
    for (int j = 0; j < 2; j++)
        load[LOAD_FORCE + j] -= w->fz[i] * at->slope[j];
    for (int j = 0; j < 3; j++)
        out->force[j] += load[LOAD_FORCE + j];
}

// The aligning moment, and what it takes.
static void align_wheel(const vehicle *v, const gear_wheels *w, int i, double *load, double *sums)
{
    const double *see = v->see + SEE_WHEEL + i * SEE_EACH, *axle = see + SEE_AXLE;
    const double turn[3] = {-axle[2] * axle[0], -axle[2] * axle[1], 1.0 - axle[2] * axle[2]};
    for (int j = 0; j < 3; j++)
        load[LOAD_TORQUE + j] += w->mz[i] * turn[j];
    sums[SUM_SLIPPED] -= w->mz[i] * vec3_dot(turn, see + SEE_SPIN);
}

void vehicle_act(const multibody_batch *b, vehicle *v, const double *z, double *dz, acting *out)
{
    contact at[GEAR_WHEEL_MAX];
    double load[LOAD_MAX], *sums = dz + b->at_sums, *tau = vehicle_tau(b, v);
    const gear_wheels *w = &out->wheels;
    memset(sums, 0, SUM_MAX * sizeof *sums);
    if (b->mechanism.rack >= 0)
        v->x[b->mechanism.rack] = b->rack * v->steer;
    vehicle_see(b, v, z);
    if (b->relief)
        ask_road(b, v, out);
    turn_wheels(b, v, z, dz, at, out);
    act_on_all(b, v, load + LOAD_ALL, sums, out);
    for (int i = 0; i < w->count; i++) {
        double *each = load + LOAD_WHEEL + i * LOAD_EACH;
        act_on_wheel(w, i, &at[i], each, out);
        if (w->mz[i] != 0.0)
            align_wheel(v, w, i, each, sums);
    }
    gear_sum(&v->drive, w, sums);
    sums[SUM_DAMPED] += v->see[SEE_DAMPED];
    if (b->mechanism.rack >= 0)
        sums[SUM_DRIVEN] += v->see[SEE_STEERED];
    if (b->at_stored > 0)
        dz[b->at_stored] = v->see[SEE_STORED];
    memcpy(sums + SUM_IMPULSE, out->force, sizeof out->force);
    memset(tau, 0, (size_t)b->v_count * sizeof *tau);
    mechanism_load(&b->mechanism.see, v->see, load, tau);
    for (int i = 0; i < w->count; i++)
        tau[b->mechanism.spin[i]] += w->drive[i] - w->torque[i] - v->drive.radius * w->fx[i];
}

void vehicle_rate(const multibody_batch *b, vehicle *v, const double *z, double *dz)
{
    acting unused;
    vehicle_act(b, v, z, dz, &unused);
    run_first(b, v, PART_RATE, b->y_count, dz);
}

// ---- integration ----

// out = z + h k
static void reach_out(int count, const double *z, double h, const double *k, double *out)
{
    for (int i = 0; i < count; i++)
        out[i] = z[i] + h * k[i];
}

// The classical fourth-order step.
static void step(const multibody_batch *b, vehicle *v, double h)
{
    const int n = b->value_count;
    vehicle_rate(b, v, v->z, v->k[0]);
    reach_out(n, v->z, 0.5 * h, v->k[0], v->middle);
    vehicle_rate(b, v, v->middle, v->k[1]);
    reach_out(n, v->z, 0.5 * h, v->k[1], v->middle);
    vehicle_rate(b, v, v->middle, v->k[2]);
    reach_out(n, v->z, h, v->k[2], v->middle);
    vehicle_rate(b, v, v->middle, v->k[3]);
    for (int i = 0; i < n; i++)
        v->z[i] += h / 6.0 * (v->k[0][i] + 2.0 * (v->k[1][i] + v->k[2][i]) + v->k[3][i]);
    mc_multibody_normalise(b->mechanism.multibody, v->z);
    vehicle_close(b, v, v->z);
    if (b->relief)
        vehicle_find_station(b, v);
}

// As few equal steps as the longest step allows; a hair of slack so that 20 x 0.0005 is 20 steps.
int vehicle_steps(const multibody_batch *b, double duration)
{
    return (int)ceil(duration / b->step * (1.0 - 1e-12));
}

static void advance_whole(const multibody_batch *b, vehicle *v, double duration)
{
    const int steps = vehicle_steps(b, duration);
    for (int k = 0; k < steps; k++)
        step(b, v, duration / steps);
}

void vehicle_advance(const multibody_batch *b, vehicle *v, double duration)
{
    for (double left = duration; left > 0.0;) { // cut where a command reaches the brakes
        const double part = v->line ? fmin(left, brake_line_next(v->line)) : left;
        advance_whole(b, v, part);
        if (v->line)
            brake_line_pass(v->line, part, &v->brake);
        left -= part;
    }
}
