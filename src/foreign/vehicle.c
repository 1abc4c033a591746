// vehicle.c - see vehicle.h.
//
// Where the unit is told where it starts (its variables start.x ..), its motion is taken as it is.
// Otherwise it starts at a place of its own, and its plane is moved so that this place is the one
// of the scenario:
//     x = x0 + cos(turn) (X - X0) - sin(turn) (Y - Y0),   psi = Psi + turn.
#include "foreign/vehicle.h"

#include "base/gravity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const unit_word inputs[] = {{"throttle", false},     {"brake", false}, {"steer", false},
                                   {"acceleration", false}, {"grade", false}, {"bank", false},
                                   {"friction", false}};
static const unit_word outputs[] = {{"x", true},  {"y", true},    {"psi", true},
                                    {"v", true},  {"v_y", false}, {"yaw_rate", false},
                                    {"a", false}, {"n", false}};
static const unit_word begins[] = {
    {"start.x", false}, {"start.y", false}, {"start.psi", false}, {"start.v", false}};
_Static_assert(sizeof inputs / sizeof *inputs == FOREIGN_INPUT_COUNT, "one word per input");
_Static_assert(sizeof outputs / sizeof *outputs == FOREIGN_OUTPUT_COUNT, "one word per output");
_Static_assert(sizeof begins / sizeof *begins == FOREIGN_BEGIN_COUNT, "one word per start");

const unit_words foreign_words = {
    inputs, outputs, begins, FOREIGN_INPUT_COUNT, FOREIGN_OUTPUT_COUNT, FOREIGN_BEGIN_COUNT};

typedef struct value {      // of one vehicle; doubles alone: its state
    mc_motion from, to;     // at the start and the end of the control step
    double length, done;    // s, of the step, and of it so far
    double n;               // rpm
    double off[3], push[3]; // m, m, rad and their rates: by impulses in this step
    double hits;
    double begun;    // the unit runs
    double frame[5]; // X0, Y0 of the unit, x0, y0 here, turn
    mc_inputs inputs;
    double given[3];       // N s, by impulses since the start
    double first[2];       // m/s, velocity at the start
    double driven, braked; // J
} value;
enum { VALUES = sizeof(value) / sizeof(double) };

typedef struct body {
    foreign_car car;
    value now;
    unit_instance *unit;
} body;

typedef struct foreign_batch {
    mc_batch base;
    const mc_road *road;
    body *bodies;
} foreign_batch;

static body *at(const mc_batch *batch, int i)
{
    return &((const foreign_batch *)batch)->bodies[i];
}

// ---- motion within a step ----------------------------------------------------------------------

static void world_velocity(const mc_motion *m, double out[2])
{
    out[0] = m->v * cos(m->psi) - m->v_y * sin(m->psi);
    out[1] = m->v * sin(m->psi) + m->v_y * cos(m->psi);
}

// Cubic with the values and rates at both ends of a step of length h, at share s.
static double between(double a, double da, double b, double db, double h, double s)
{
    const double t = 1.0 - s;
    return t * t * (1.0 + 2.0 * s) * a + s * s * (1.0 + 2.0 * t) * b +
           h * s * t * (t * da - s * db);
}

static mc_motion motion_of(const value *v)
{
    mc_motion m = v->to;
    const double h = v->length, s = h > 0.0 ? v->done / h : 1.0;
    if (s < 1.0 - 1e-9) {
        double a[2], b[2];
        world_velocity(&v->from, a);
        world_velocity(&v->to, b);
        m.x = between(v->from.x, a[0], v->to.x, b[0], h, s);
        m.y = between(v->from.y, a[1], v->to.y, b[1], h, s);
        m.psi = between(v->from.psi, v->from.yaw_rate, v->to.psi, v->to.yaw_rate, h, s);
        m.v = v->from.v + s * (v->to.v - v->from.v);
        m.v_y = v->from.v_y + s * (v->to.v_y - v->from.v_y);
        m.yaw_rate = v->from.yaw_rate + s * (v->to.yaw_rate - v->from.yaw_rate);
    } else if (s > 1.0 + 1e-9) { // past the step: nothing more is known
        double b[2];
        world_velocity(&v->to, b);
        m.x += (v->done - h) * b[0];
        m.y += (v->done - h) * b[1];
        m.psi += (v->done - h) * v->to.yaw_rate;
    }
    if (v->hits > 0.0) {
        m.x += v->off[0], m.y += v->off[1], m.psi += v->off[2];
        m.v += cos(m.psi) * v->push[0] + sin(m.psi) * v->push[1];
        m.v_y += cos(m.psi) * v->push[1] - sin(m.psi) * v->push[0];
        m.yaw_rate += v->push[2];
    }
    return m;
}

static void advance(mc_batch *batch, int first, int count, double duration)
{
    for (int i = first; i < first + count; i++) {
        value *v = &at(batch, i)->now;
        v->done += duration;
        for (int k = 0; k < 3; k++)
            v->off[k] += duration * v->push[k];
    }
}

// ---- the unit ----------------------------------------------------------------------------------

static void fill_inputs(const foreign_batch *b, const body *o, const mc_motion *m, double *out)
{
    mc_road_point p;
    mc_road_at(b->road, m->x, m->y, NAN, &p);
    const double all[FOREIGN_INPUT_COUNT] = {
        [FOREIGN_THROTTLE] = o->now.inputs.throttle,
        [FOREIGN_BRAKE] = o->now.inputs.brake,
        [FOREIGN_STEER] = o->now.inputs.steer,
        [FOREIGN_ACCELERATION] = o->now.inputs.acceleration,
        [FOREIGN_GRADE] = p.grade,
        [FOREIGN_BANK] = p.bank,
        [FOREIGN_FRICTION] = p.friction,
    };
    for (int k = 0; k < o->car.wiring->input_count; k++)
        out[k] = all[o->car.wiring->inputs[k].word];
}

static void fill_begins(const body *o, double *out)
{
    const double all[FOREIGN_BEGIN_COUNT] = {o->car.x, o->car.y, o->car.heading, o->car.v};
    for (int k = 0; k < o->car.wiring->begin_count; k++)
        out[k] = all[o->car.wiring->begins[k].word];
}

// What the unit said, in the plane of the run; before: the motion a step ago, for what it does not
// say.
static mc_motion take_motion(body *o, const double *values, const mc_motion *before, double step)
{
    double all[FOREIGN_OUTPUT_COUNT] = {0};
    bool has[FOREIGN_OUTPUT_COUNT] = {false};
    const double *f = o->now.frame;
    for (int k = 0; k < o->car.wiring->output_count; k++) {
        all[o->car.wiring->outputs[k].word] = values[k];
        has[o->car.wiring->outputs[k].word] = true;
    }
    mc_motion m = {.x = all[FOREIGN_X],
                   .y = all[FOREIGN_Y],
                   .psi = all[FOREIGN_PSI],
                   .v = all[FOREIGN_V],
                   .v_y = has[FOREIGN_V_Y] ? all[FOREIGN_V_Y] : 0.0};
    if (f[0] != f[2] || f[1] != f[3] || f[4] != 0.0) {
        const double dx = m.x - f[0], dy = m.y - f[1];
        m.x = f[2] + cos(f[4]) * dx - sin(f[4]) * dy;
        m.y = f[3] + sin(f[4]) * dx + cos(f[4]) * dy;
        m.psi += f[4];
    }
    const double turn = 2.0 * M_PI * round((m.psi - before->psi) / (2.0 * M_PI));
    if (turn != 0.0)
        m.psi -= turn;
    m.yaw_rate = has[FOREIGN_YAW_RATE] ? all[FOREIGN_YAW_RATE]
                 : step > 0.0          ? (m.psi - before->psi) / step
                                       : 0.0;
    m.a = has[FOREIGN_A] ? all[FOREIGN_A] : step > 0.0 ? (m.v - before->v) / step : 0.0;
    o->now.n = has[FOREIGN_N] ? all[FOREIGN_N] : 0.0;
    return m;
}

static mc_status begin(foreign_batch *b, body *o, double t, mc_error *error)
{
    double in[FOREIGN_INPUT_COUNT], out[FOREIGN_OUTPUT_COUNT], start[FOREIGN_BEGIN_COUNT];
    fill_inputs(b, o, &o->now.to, in);
    fill_begins(o, start);
    const mc_status status = unit_begin(o->unit, t, start, in, out, error);
    if (status != MC_OK)
        return status;
    memset(o->now.frame, 0, sizeof o->now.frame);
    const mc_motion m = take_motion(o, out, &o->now.to, 0.0), was = o->now.to;
    const double frame[5] = {m.x, m.y, was.x, was.y, was.psi - m.psi};
    // A vehicle that settles on its springs may come to rest a hair beside its start.
    static const double close = 1e-6; // m, rad
    if (fabs(m.x - was.x) > close || fabs(m.y - was.y) > close || fabs(frame[4]) > close)
        memcpy(o->now.frame, frame, sizeof frame);
    o->now.begun = 1.0;
    o->now.to = take_motion(o, out, &was, 0.0);
    return MC_OK;
}

static void book(body *o)
{
    const mc_motion *a = &o->now.from, *b = &o->now.to;
    const double work =
        0.5 * o->car.mass * (b->v * b->v + b->v_y * b->v_y - a->v * a->v - a->v_y * a->v_y);
    *(work > 0.0 ? &o->now.driven : &o->now.braked) += fabs(work);
}

static mc_status exchange(mc_batch *batch, int i, double t, double step, mc_error *error)
{
    foreign_batch *b = (foreign_batch *)batch;
    body *o = at(batch, i);
    value *v = &o->now;
    double in[FOREIGN_INPUT_COUNT], out[FOREIGN_OUTPUT_COUNT];
    if (v->hits > 0.0)
        return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                            "it was hit before t = %g s, and a vehicle that an FMU moves cannot be "
                            "pushed",
                            t);
    mc_status status = v->begun == 0.0 ? begin(b, o, t, error) : MC_OK;
    if (status != MC_OK)
        return status;
    const mc_motion now = v->to;
    fill_inputs(b, o, &now, in);
    status = unit_step(o->unit, t, step, in, out, error);
    if (status != MC_OK)
        return status;
    v->from = now;
    v->to = take_motion(o, out, &now, step);
    v->length = step;
    v->done = 0.0;
    book(o);
    return MC_OK;
}

static mc_status outside_save(const mc_batch *batch, int i, void **data, size_t *size,
                              mc_error *error)
{
    const body *o = at(batch, i);
    bytes state = {0};
    *data = NULL;
    *size = 0;
    if (o->now.begun == 0.0)
        return MC_OK;
    const mc_status status = unit_save(o->unit, &state, error);
    *data = state.data;
    *size = state.size;
    return status;
}

static mc_status outside_restore(mc_batch *batch, int i, const void *data, size_t size,
                                 mc_error *error)
{
    body *o = at(batch, i);
    double in[FOREIGN_INPUT_COUNT] = {0}, out[FOREIGN_OUTPUT_COUNT], start[FOREIGN_BEGIN_COUNT];
    unit_instance *fresh = unit_start(o->car.wiring, "vehicle", error);
    if (!fresh)
        return error->code;
    mc_status status = MC_OK;
    fill_begins(o, start);
    if (o->now.begun != 0.0)
        status = unit_begin(fresh, 0.0, start, in, out, error);
    if (status == MC_OK && o->now.begun != 0.0)
        status = unit_restore(fresh, data, size, out, error);
    if (status != MC_OK) {
        unit_release(fresh);
        return status;
    }
    unit_release(o->unit);
    o->unit = fresh;
    return MC_OK;
}

static void outside_take(mc_batch *to, int j, const mc_batch *from, int i)
{
    unit_instance *shared = unit_share(at(from, i)->unit);
    unit_release(at(to, j)->unit);
    at(to, j)->unit = shared;
}

// ---- the body ----------------------------------------------------------------------------------

static double inertia(const foreign_car *c)
{
    return c->mass * (c->length * c->length + c->width * c->width) / 12.0;
}

static void surface(const mc_batch *batch, int i, mc_ellipsoid *out)
{
    const body *o = at(batch, i);
    const mc_motion m = motion_of(&o->now);
    const double c = cos(m.psi), s = sin(m.psi), l = 0.5 * o->car.length, w = 0.5 * o->car.width;
    *out = (mc_ellipsoid){{m.x, m.y, 0.0},
                          {c * l, -s * w, 0.0, s * l, c * w, 0.0, 0.0, 0.0, 0.5 * o->car.height}};
}

// Bounds from the step that is known: how far the cubic can be from a straight line.
static void reach(const mc_batch *batch, int i, mc_reach *out)
{
    const body *o = at(batch, i);
    const value *v = &o->now;
    const mc_motion m = motion_of(v);
    double velocity[2], a[2], b[2];
    world_velocity(&m, velocity);
    world_velocity(&v->from, a);
    world_velocity(&v->to, b);
    const double radius = 0.5 * fmax(o->car.length, fmax(o->car.width, o->car.height)),
                 h = fmax(v->length, 1e-6);
    // Second derivatives of the cubic are largest at its ends.
    double bend = 0.0;
    for (int k = 0; k < 2 && v->length > 0.0; k++) {
        const double jump = k ? v->to.y - v->from.y : v->to.x - v->from.x;
        bend += fmax(fabs(6.0 * jump / h - 4.0 * a[k] - 2.0 * b[k]),
                     fabs(6.0 * jump / h - 2.0 * a[k] - 4.0 * b[k])) /
                h;
    }
    const double spin = fmax(fabs(v->from.yaw_rate), fabs(v->to.yaw_rate)) + fabs(v->push[2]);
    const double usual = 2.0 * GRAVITY + fabs(m.v * spin) + radius * spin * spin;
    *out = (mc_reach){{m.x, m.y, 0.0},
                      {velocity[0], velocity[1], 0.0},
                      radius,
                      radius * fabs(m.yaw_rate),
                      fmax(bend, usual)};
}

static void point_velocity(const mc_batch *batch, int i, const double point[3], double out[3])
{
    const mc_motion m = motion_of(&at(batch, i)->now);
    world_velocity(&m, out);
    out[0] -= m.yaw_rate * (point[1] - m.y);
    out[1] += m.yaw_rate * (point[0] - m.x);
    out[2] = 0.0;
}

static void impulse_response(const mc_batch *batch, int i, const double point[3],
                             const double impulse[3], const double seen[3], double out[3])
{
    const body *o = at(batch, i);
    const mc_motion m = motion_of(&o->now);
    const double turn =
        ((point[0] - m.x) * impulse[1] - (point[1] - m.y) * impulse[0]) / inertia(&o->car);
    out[0] = impulse[0] / o->car.mass - turn * (seen[1] - m.y);
    out[1] = impulse[1] / o->car.mass + turn * (seen[0] - m.x);
    out[2] = 0.0;
}

static void apply_impulse(mc_batch *batch, int i, const double point[3], const double impulse[3])
{
    body *o = at(batch, i);
    const mc_motion m = motion_of(&o->now);
    for (int k = 0; k < 3; k++)
        o->now.given[k] += impulse[k];
    o->now.push[0] += impulse[0] / o->car.mass;
    o->now.push[1] += impulse[1] / o->car.mass;
    o->now.push[2] +=
        ((point[0] - m.x) * impulse[1] - (point[1] - m.y) * impulse[0]) / inertia(&o->car);
    o->now.hits += 1.0;
}

static int save_size(const mc_batch *batch)
{
    (void)batch;
    return VALUES;
}

static void save(const mc_batch *batch, int i, double *out)
{
    memcpy(out, &at(batch, i)->now, sizeof(value));
}

static void restore(mc_batch *batch, int i, const double *in)
{
    memcpy(&at(batch, i)->now, in, sizeof(value));
}

static void energy(const mc_batch *batch, int i, mc_energy *out)
{
    const body *o = at(batch, i);
    const mc_motion m = motion_of(&o->now);
    *out = (mc_energy){.kinetic = 0.5 * (o->car.mass * (m.v * m.v + m.v_y * m.v_y) +
                                         inertia(&o->car) * m.yaw_rate * m.yaw_rate),
                       .driven = o->now.driven,
                       .braked = o->now.braked};
}

static void momentum(const mc_batch *batch, int i, double out[3])
{
    const mc_motion m = motion_of(&at(batch, i)->now);
    world_velocity(&m, out);
    out[0] *= at(batch, i)->car.mass;
    out[1] *= at(batch, i)->car.mass;
    out[2] = 0.0;
}

// Whatever the unit does to its speed, it does by the road.
static void road_impulse(const mc_batch *batch, int i, double out[3])
{
    const body *o = at(batch, i);
    momentum(batch, i, out);
    for (int k = 0; k < 2; k++)
        out[k] -= o->car.mass * o->now.first[k] + o->now.given[k];
    out[2] = -o->now.given[2];
}

static double mass(const mc_batch *batch, int i)
{
    return at(batch, i)->car.mass;
}

static double gravity(const mc_batch *batch)
{
    (void)batch;
    return GRAVITY;
}

static double contact_window(const mc_batch *batch)
{
    (void)batch;
    return 0.01;
}

static void destroy(mc_batch *batch)
{
    foreign_batch *b = (foreign_batch *)batch;
    for (int i = 0; i < batch->count; i++)
        unit_release(b->bodies[i].unit);
    free(b->bodies);
    free(b);
}

// ---- driving -----------------------------------------------------------------------------------

static void set_inputs(mc_batch *batch, int first, int count, const mc_inputs *in)
{
    for (int k = 0; k < count; k++)
        at(batch, first + k)->now.inputs = in[k];
}

static void motion(const mc_batch *batch, int first, int count, mc_motion *out)
{
    for (int k = 0; k < count; k++)
        out[k] = motion_of(&at(batch, first + k)->now);
}

// The unit says nothing about its pedals: shares of what it is capable of. The inner loop learns
// the rest.
static void plan(const mc_batch *batch, int first, int count, const double *desired, mc_plan *out)
{
    for (int k = 0; k < count; k++) {
        const foreign_car *c = &at(batch, first + k)->car;
        out[k] = (mc_plan){.throttle = fmin(fmax(desired[k] / c->max_acceleration, 0.0), 1.0),
                           .brake = fmin(fmax(-desired[k] / c->max_brake, 0.0), 1.0)};
    }
}

static void set_road(mc_batch *batch, const mc_road *road)
{
    ((foreign_batch *)batch)->road = road;
}

static const mc_channel channels[] = {{"n", "rpm", "engine speed, where the unit says it"}};

static void read_channels(const mc_batch *batch, int i, double *out)
{
    out[0] = at(batch, i)->now.n;
}

const mc_vehicle_kind foreign_kind = {
    .name = "fmu",
    .advance = advance,
    .surface = surface,
    .reach = reach,
    .point_velocity = point_velocity,
    .impulse_response = impulse_response,
    .apply_impulse = apply_impulse,
    .save_size = save_size,
    .save = save,
    .restore = restore,
    .energy = energy,
    .momentum = momentum,
    .road_impulse = road_impulse,
    .mass = mass,
    .gravity = gravity,
    .contact_window = contact_window,
    .destroy = destroy,
    .set_inputs = set_inputs,
    .motion = motion,
    .plan = plan,
    .set_road = set_road,
    .channels = channels,
    .channel_count = 1,
    .read_channels = read_channels,
    .exchange = exchange,
    .outside_save = outside_save,
    .outside_restore = outside_restore,
    .outside_take = outside_take,
};

mc_batch *foreign_vehicles_create(const foreign_car *cars, int count, const mc_road *road, double t,
                                  mc_error *error)
{
    foreign_batch *b = calloc(1, sizeof *b);
    body *bodies = calloc((size_t)count, sizeof *bodies);
    if (!b || !bodies) {
        free(b);
        free(bodies);
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the vehicles");
        return NULL;
    }
    *b = (foreign_batch){{&foreign_kind, count}, road, bodies};
    for (int i = 0; i < count; i++) {
        const foreign_car *c = &cars[i];
        bodies[i].car = *c;
        bodies[i].now.from = bodies[i].now.to =
            (mc_motion){.x = c->x, .y = c->y, .psi = c->heading, .v = c->v};
        world_velocity(&bodies[i].now.to, bodies[i].now.first);
        bodies[i].unit = unit_start(c->wiring, "vehicle", error);
        if (!bodies[i].unit || (!c->restored && begin(b, &bodies[i], t, error) != MC_OK)) {
            destroy(&b->base);
            return NULL;
        }
    }
    return &b->base;
}
