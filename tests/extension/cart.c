// cart.c - a vehicle type outside of the library: a rigid cart on runners, pushed along its
// heading.
//
//   along    m u' = throttle F - brake B tanh(u / 0.1 m/s) - m g sin(grade), at most friction m g
//   across   the runners take what slides sideways within 50 ms
//   turning  and turn it within 50 ms to where they point: turn = u steer / 3 m
#include <motorcade/vehicle_type.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MASS, LENGTH, WIDTH, FORCE, BRAKE, PARAM_COUNT };

typedef struct cart { // the spec: what a model of a scenario says
    double p[PARAM_COUNT];
} cart;

static const mc_param rows[] = {
    [MASS] = {"mass", "kg", 800.0, 10.0, 1e5, "of all of it"},
    [LENGTH] = {"length", "m", 3.0, 0.5, 30.0, "bumper to bumper"},
    [WIDTH] = {"width", "m", 1.6, 0.3, 5.0, "maximum width"},
    [FORCE] = {"push", "N", 2000.0, 0.0, 1e6, "at full throttle"},
    [BRAKE] = {"stop", "N", 5000.0, 0.0, 1e6, "at full brake"},
};

static const mc_model_key keys[] = {
    {.name = "model",
     .form = MC_KEY_FORM_NUMBERS,
     .at = offsetof(cart, p),
     .rows = rows,
     .count = PARAM_COUNT,
     .live = MC_LIVE(MASS) | MC_LIVE(FORCE) | MC_LIVE(BRAKE)},
};

// ---- a batch ----

enum { X, Y, PSI, V_X, V_Y, TURN, THROTTLE, PEDAL, STEER, ROAD, DRIVEN = ROAD + 3, TAKEN, STATE };
#define G 9.81 // m/s^2

typedef struct cart_batch {
    mc_batch base; // first: the world sees only this
    const mc_road *road;
    cart *carts;
    double (*state)[STATE];
} cart_batch;

static const cart_batch *look(const mc_batch *batch)
{
    return (const cart_batch *)batch;
}

static double inertia(const cart *c)
{
    return c->p[MASS] * (c->p[LENGTH] * c->p[LENGTH] + c->p[WIDTH] * c->p[WIDTH]) / 12.0;
}

// Force along the heading without the hill, N: what the road can hold of what the pedals ask for.
static double push(const cart *c, const double *s, double u, const mc_road_point *at)
{
    const double asked = s[THROTTLE] * c->p[FORCE] - s[PEDAL] * c->p[BRAKE] * tanh(u / 0.1);
    const double limit = at->friction * c->p[MASS] * G * cos(at->grade);
    return fmin(fmax(asked, -limit), limit);
}

static void step(const cart_batch *b, int i, double h)
{
    const cart *c = &b->carts[i];
    double *s = b->state[i];
    mc_road_point at;
    mc_road_at(b->road, s[X], s[Y], NAN, &at);
    const double cosine = cos(s[PSI]), sine = sin(s[PSI]), keep = exp(-h / 0.05);
    const double u = cosine * s[V_X] + sine * s[V_Y], w = cosine * s[V_Y] - sine * s[V_X];
    const double force = push(c, s, u, &at), hill = -c->p[MASS] * G * sin(at.grade);
    const double faster = u + (force + cosine * hill) / c->p[MASS] * h, slower = w * keep;
    const double before[2] = {s[V_X], s[V_Y]}, turned = s[TURN];
    s[V_X] = cosine * faster - sine * slower;
    s[V_Y] = sine * faster + cosine * slower;
    s[TURN] = keep * s[TURN] + (1.0 - keep) * faster * s[STEER] / 3.0;
    s[X] += 0.5 * (before[0] + s[V_X]) * h;
    s[Y] += 0.5 * (before[1] + s[V_Y]) * h;
    s[PSI] += s[TURN] * h;
    const double work = force * 0.5 * (u + faster) * h;
    s[DRIVEN] += fmax(work, 0.0);
    s[TAKEN] += fmax(-work, 0.0) + 0.5 * c->p[MASS] * (w * w - slower * slower) +
                0.5 * inertia(c) * (turned * turned - s[TURN] * s[TURN]);
    for (int k = 0; k < 2; k++)
        s[ROAD + k] += c->p[MASS] * (s[V_X + k] - before[k]);
}

static void advance(mc_batch *batch, int first, int count, double duration)
{
    const int steps = (int)ceil(duration / 1e-3);
    for (int i = first; i < first + count; i++)
        for (int k = 0; k < steps; k++)
            step(look(batch), i, duration / steps);
}

static void set_inputs(mc_batch *batch, int first, int count, const mc_inputs *in)
{
    for (int k = 0; k < count; k++) {
        double *s = look(batch)->state[first + k];
        s[THROTTLE] = fmin(fmax(in[k].throttle, 0.0), 1.0);
        s[PEDAL] = fmin(fmax(in[k].brake, 0.0), 1.0);
        s[STEER] = in[k].steer;
    }
}

static void motion(const mc_batch *batch, int first, int count, mc_motion *out)
{
    const cart_batch *b = look(batch);
    for (int k = 0; k < count; k++) {
        const cart *c = &b->carts[first + k];
        const double *s = b->state[first + k], cosine = cos(s[PSI]), sine = sin(s[PSI]);
        const double u = cosine * s[V_X] + sine * s[V_Y];
        mc_road_point at;
        mc_road_at(b->road, s[X], s[Y], NAN, &at);
        out[k] = (mc_motion){.x = s[X],
                             .y = s[Y],
                             .psi = s[PSI],
                             .v = u,
                             .v_y = cosine * s[V_Y] - sine * s[V_X],
                             .yaw_rate = s[TURN],
                             .a = push(c, s, u, &at) / c->p[MASS] - cosine * G * sin(at.grade)};
    }
}

static void plan(const mc_batch *batch, int first, int count, const double *desired, mc_plan *out)
{
    for (int k = 0; k < count; k++) {
        const cart *c = &look(batch)->carts[first + k];
        const double force = c->p[MASS] * desired[k];
        out[k] = (mc_plan){.throttle = fmin(fmax(force / c->p[FORCE], 0.0), 1.0),
                           .brake = fmin(fmax(-force / c->p[BRAKE], 0.0), 1.0),
                           .coast = 0.0};
    }
}

static void set_road(mc_batch *batch, const mc_road *road)
{
    ((cart_batch *)batch)->road = road;
}

static const mc_channel channels[] = {{"n", "rpm", "engine speed: it has none"}};

static void read_channels(const mc_batch *batch, int i, double *out)
{
    (void)batch, (void)i;
    out[0] = 0.0;
}

static int row_of(const char *name)
{
    int k = 0;
    while (k < PARAM_COUNT && strcmp(rows[k].name, name) != 0)
        k++;
    return k;
}

static bool set_param(mc_batch *batch, int i, const char *name, double value)
{
    const int k = row_of(name);
    if (k == PARAM_COUNT || !(keys[0].live >> k & 1) || !(value >= rows[k].min) ||
        !(value <= rows[k].max))
        return false;
    look(batch)->carts[i].p[k] = value;
    return true;
}

static bool get_param(const mc_batch *batch, int i, const char *name, double *value)
{
    const int k = row_of(name);
    if (k < PARAM_COUNT)
        *value = look(batch)->carts[i].p[k];
    return k < PARAM_COUNT;
}

// ---- contact ----

static void surface(const mc_batch *batch, int i, mc_ellipsoid *out)
{
    const double *p = look(batch)->carts[i].p, *s = look(batch)->state[i];
    const double a = 0.5 * p[LENGTH], b = 0.5 * p[WIDTH], cosine = cos(s[PSI]), sine = sin(s[PSI]);
    *out = (mc_ellipsoid){
        .centre = {s[X], s[Y], 0.0},
        .axes = {cosine * a, -sine * b, 0.0, sine * a, cosine * b, 0.0, 0.0, 0.0, 0.5}};
}

static void reach(const mc_batch *batch, int i, mc_reach *out)
{
    const double *p = look(batch)->carts[i].p, *s = look(batch)->state[i];
    const double size = 0.5 * fmax(p[LENGTH], p[WIDTH]), speed = hypot(s[V_X], s[V_Y]);
    *out = (mc_reach){.centre = {s[X], s[Y], 0.0},
                      .velocity = {s[V_X], s[V_Y], 0.0},
                      .radius = size,
                      .spread = size * (fabs(s[TURN]) + speed),
                      .acceleration = 30.0 + 40.0 * speed + (p[FORCE] + p[BRAKE]) / p[MASS]};
}

static void point_velocity(const mc_batch *batch, int i, const double point[3], double out[3])
{
    const double *s = look(batch)->state[i];
    out[0] = s[V_X] - s[TURN] * (point[1] - s[Y]);
    out[1] = s[V_Y] + s[TURN] * (point[0] - s[X]);
    out[2] = 0.0;
}

static double turn_by(const mc_batch *batch, int i, const double point[3], const double impulse[3])
{
    const double *s = look(batch)->state[i];
    return ((point[0] - s[X]) * impulse[1] - (point[1] - s[Y]) * impulse[0]) /
           inertia(&look(batch)->carts[i]);
}

static void impulse_response(const mc_batch *batch, int i, const double point[3],
                             const double impulse[3], const double seen[3], double out[3])
{
    const double *s = look(batch)->state[i], m = look(batch)->carts[i].p[MASS];
    const double turn = turn_by(batch, i, point, impulse);
    out[0] = impulse[0] / m - turn * (seen[1] - s[Y]);
    out[1] = impulse[1] / m + turn * (seen[0] - s[X]);
    out[2] = 0.0; // the road holds it down
}

static void apply_impulse(mc_batch *batch, int i, const double point[3], const double impulse[3])
{
    double *s = look(batch)->state[i];
    s[TURN] += turn_by(batch, i, point, impulse);
    s[V_X] += impulse[0] / look(batch)->carts[i].p[MASS];
    s[V_Y] += impulse[1] / look(batch)->carts[i].p[MASS];
    s[ROAD + 2] -= impulse[2];
}

static double contact_window(const mc_batch *batch)
{
    (void)batch;
    return 0.01;
}

// ---- state and energy balance ----

static int save_size(const mc_batch *batch)
{
    (void)batch;
    return STATE + PARAM_COUNT; // what set_param changes is part of it
}

static void save(const mc_batch *batch, int i, double *out)
{
    memcpy(out, look(batch)->state[i], STATE * sizeof *out);
    memcpy(out + STATE, look(batch)->carts[i].p, PARAM_COUNT * sizeof *out);
}

static void restore(mc_batch *batch, int i, const double *in)
{
    memcpy(look(batch)->state[i], in, STATE * sizeof *in);
    memcpy(look(batch)->carts[i].p, in + STATE, PARAM_COUNT * sizeof *in);
}

static void energy(const mc_batch *batch, int i, mc_energy *out)
{
    const cart *c = &look(batch)->carts[i];
    const double *s = look(batch)->state[i];
    mc_road_point at;
    mc_road_at(look(batch)->road, s[X], s[Y], NAN, &at);
    *out = (mc_energy){.kinetic = 0.5 * c->p[MASS] * (s[V_X] * s[V_X] + s[V_Y] * s[V_Y]) +
                                  0.5 * inertia(c) * s[TURN] * s[TURN],
                       .gravity = c->p[MASS] * G * at.height,
                       .braked = s[TAKEN],
                       .driven = s[DRIVEN]};
}

static void momentum(const mc_batch *batch, int i, double out[3])
{
    const double *s = look(batch)->state[i], m = look(batch)->carts[i].p[MASS];
    out[0] = m * s[V_X], out[1] = m * s[V_Y], out[2] = 0.0;
}

static void road_impulse(const mc_batch *batch, int i, double out[3])
{
    memcpy(out, look(batch)->state[i] + ROAD, 3 * sizeof *out);
}

static double mass(const mc_batch *batch, int i)
{
    return look(batch)->carts[i].p[MASS];
}

static double gravity(const mc_batch *batch)
{
    (void)batch;
    return 0.0; // the road carries it
}

static void destroy(mc_batch *batch)
{
    cart_batch *b = (cart_batch *)batch;
    free(b->carts);
    free(b->state);
    free(b);
}

static const mc_vehicle_kind kind = {
    .name = "cart",
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
    .set_param = set_param,
    .get_param = get_param,
};

// ---- the type ----

static void facts(const void *spec, mc_vehicle_facts *out)
{
    const double *p = ((const cart *)spec)->p;
    *out = (mc_vehicle_facts){.length = p[LENGTH],
                              .width = p[WIDTH],
                              .height = 1.0,
                              .mass = p[MASS],
                              .nominal_mass = p[MASS],
                              .max_acceleration = p[FORCE] / p[MASS],
                              .max_brake = p[BRAKE] / p[MASS],
                              .pedals = true};
}

static mc_batch *create(const mc_vehicle_start *starts, int count, const mc_vehicle_setup *setup,
                        mc_error *error)
{
    cart_batch *b = calloc(1, sizeof *b);
    if (b) {
        b->base = (mc_batch){&kind, count};
        b->road = setup->road;
        b->carts = calloc((size_t)count, sizeof *b->carts);
        b->state = calloc((size_t)count, sizeof *b->state);
    }
    if (!b || !b->carts || !b->state) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the carts");
        if (b)
            destroy(&b->base);
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        const mc_vehicle_start *at = &starts[i];
        const double state[STATE] = {at->x, at->y, at->heading, at->v * cos(at->heading),
                                     at->v * sin(at->heading)};
        b->carts[i] = *(const cart *)at->spec;
        memcpy(b->state[i], state, sizeof state);
    }
    return &b->base;
}

static bool same_batch(const void *a, const void *b)
{
    (void)a, (void)b; // every cart has its own numbers
    return true;
}

extern const mc_vehicle_type cart_type;
const mc_vehicle_type cart_type = {
    .size = sizeof(mc_vehicle_type),
    .kind_size = sizeof(mc_vehicle_kind),
    .name = "cart",
    .doc = "a rigid cart on runners",
    .kind = &kind,
    .spec_size = sizeof(cart),
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .facts = facts,
    .create = create,
    .same_batch = same_batch,
    .look = "box",
};
