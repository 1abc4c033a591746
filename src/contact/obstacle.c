// obstacle.c - obstacles behind the contract of vehicle kinds.
#include "contact/obstacle.h"

#include "num/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const obstacle_shape_name[OBSTACLE_SHAPES] = {
    [OBSTACLE_BOX] = "box",
    [OBSTACLE_CYLINDER] = "cylinder",
    [OBSTACLE_ELLIPSOID] = "ellipsoid",
    [OBSTACLE_PRISM] = "prism",
};

const mc_param obstacle_params[OBSTACLE_PARAM_COUNT] = {
    [OBSTACLE_LENGTH] = {"length", "m", 1.0, 0.01, 1000.0,
                         "along its heading; of a cylinder: the diameter"},
    [OBSTACLE_WIDTH] = {"width", "m", 1.0, 0.01, 1000.0, "across; not of a cylinder"},
    [OBSTACLE_HEIGHT] = {"height", "m", 2.0, 0.01, 100.0, "not of a cylinder, which has no ends"},
    [OBSTACLE_Z] = {"z", "m", 0.0, -100.0, 100.0,
                    "of its middle over the plane of the mass centres"},
    [OBSTACLE_RESTITUTION] = {"restitution", "-", NAN, 0.0, 1.0,
                              "of impacts with it; default: that of contacts between vehicles"},
    [OBSTACLE_FRICTION] = {"friction", "-", NAN, 0.0, 10.0,
                           "of its surface; default: that of contacts between vehicles"},
};

obstacle obstacle_default(void)
{
    obstacle o = {.shape = OBSTACLE_BOX};
    for (int k = 0; k < OBSTACLE_PARAM_COUNT; k++)
        o.p[k] = obstacle_params[k].fallback;
    return o;
}

// ---- a batch ----

typedef struct body {
    obstacle o;
    mc_ellipsoid around; // of an ellipsoid its surface, of others one that holds it
    double centre[3];
    double radius; // m, of a sphere about that centre
    int count;     // of corners; 0: none
    double corner[3 * CONVEX_POINTS_MAX];
    double given[3]; // N s, impulses since the start: the state
} body;

typedef struct obstacle_batch {
    mc_batch base;
    body *bodies;
} obstacle_batch;

static body *at(const mc_batch *batch, int i)
{
    return &((const obstacle_batch *)batch)->bodies[i];
}

static void add_corners(body *b, double x, double y, double half)
{
    const double c = cos(b->o.heading), s = sin(b->o.heading);
    for (int side = -1; side <= 1; side += 2) {
        double *p = b->corner + 3 * b->count++;
        p[0] = b->o.x + c * x - s * y;
        p[1] = b->o.y + s * x + c * y;
        p[2] = b->o.p[OBSTACLE_Z] + side * half;
    }
}

static void shape_body(body *b)
{
    const obstacle *o = &b->o;
    const double l = 0.5 * o->p[OBSTACLE_LENGTH], h = 0.5 * o->p[OBSTACLE_HEIGHT];
    const double w = o->shape == OBSTACLE_CYLINDER ? l : 0.5 * o->p[OBSTACLE_WIDTH];
    const double c = cos(o->heading), s = sin(o->heading);
    double size[3] = {l, w, h};
    b->centre[0] = o->x, b->centre[1] = o->y, b->centre[2] = o->p[OBSTACLE_Z];
    if (o->shape == OBSTACLE_BOX)
        for (int k = 0; k < 4; k++)
            add_corners(b, k % 2 ? l : -l, k / 2 ? w : -w, h);
    for (int k = 0; k < o->point_count && o->shape == OBSTACLE_PRISM; k++)
        add_corners(b, o->point[k][0], o->point[k][1], h);
    if (o->shape == OBSTACLE_PRISM) {
        b->centre[0] = b->centre[1] = 0.0;
        for (int k = 0; k < b->count; k++)
            for (int j = 0; j < 2; j++)
                b->centre[j] += b->corner[3 * k + j] / b->count;
    }
    // Cylinders have no ends: a sphere as high as any vehicle.
    b->radius = o->shape == OBSTACLE_CYLINDER ? hypot(l, 10.0) : fmax(l, fmax(w, h));
    for (int k = 0; k < b->count; k++) {
        double d[3];
        for (int j = 0; j < 3; j++)
            d[j] = b->corner[3 * k + j] - b->centre[j];
        b->radius = fmax(b->radius, vec3_norm(d));
    }
    if (b->count > 0)
        size[0] = size[1] = size[2] = b->radius;
    b->around = (mc_ellipsoid){
        {b->centre[0], b->centre[1], b->centre[2]},
        {c * size[0], -s * size[1], 0.0, s * size[0], c * size[1], 0.0, 0.0, 0.0, size[2]}};
}

mc_batch *obstacle_batch_create(const obstacle *obstacles, int count)
{
    obstacle_batch *b = calloc(1, sizeof *b);
    body *bodies = calloc((size_t)count, sizeof *bodies);
    if (!b || !bodies) {
        free(b);
        free(bodies);
        return NULL;
    }
    b->base = (mc_batch){&obstacle_kind, count};
    b->bodies = bodies;
    for (int i = 0; i < count; i++) {
        bodies[i].o = obstacles[i];
        shape_body(&bodies[i]);
    }
    return &b->base;
}

// ---- contact ----

void obstacle_gap(const impact_body *where, const ellipsoid *surface, int warm,
                  ellipsoid_gap *result)
{
    const body *b = at(where->batch, where->index);
    if (b->o.shape == OBSTACLE_CYLINDER)
        convex_cylinder_gap(surface, b->o.x, b->o.y, 0.5 * b->o.p[OBSTACLE_LENGTH], warm, result);
    else if (b->o.shape == OBSTACLE_ELLIPSOID)
        ellipsoid_gap_find(surface, &b->around, warm, result);
    else
        convex_hull_gap(surface, b->corner, b->count, b->centre, result);
}

void obstacle_law(const impact_body *where, impact_law *law)
{
    const double *p = at(where->batch, where->index)->o.p;
    if (!isnan(p[OBSTACLE_RESTITUTION]))
        law->restitution = p[OBSTACLE_RESTITUTION];
    if (!isnan(p[OBSTACLE_FRICTION]))
        law->friction = p[OBSTACLE_FRICTION];
}

// ---- the contract ----

static void advance(mc_batch *batch, int first, int count, double duration)
{
    (void)batch, (void)first, (void)count, (void)duration;
}

static void surface(const mc_batch *batch, int i, mc_ellipsoid *out)
{
    *out = at(batch, i)->around;
}

static void reach(const mc_batch *batch, int i, mc_reach *out)
{
    const body *b = at(batch, i);
    *out = (mc_reach){.radius = b->radius};
    memcpy(out->centre, b->centre, sizeof out->centre);
}

static void point_velocity(const mc_batch *batch, int i, const double point[3], double out[3])
{
    (void)batch, (void)i, (void)point;
    memset(out, 0, 3 * sizeof *out);
}

static void impulse_response(const mc_batch *batch, int i, const double point[3],
                             const double impulse[3], const double seen[3], double out[3])
{
    (void)batch, (void)i, (void)point, (void)impulse, (void)seen;
    memset(out, 0, 3 * sizeof *out);
}

static void apply_impulse(mc_batch *batch, int i, const double point[3], const double impulse[3])
{
    (void)point;
    for (int j = 0; j < 3; j++)
        at(batch, i)->given[j] += impulse[j];
}

static int save_size(const mc_batch *batch)
{
    (void)batch;
    return 3;
}

static void save(const mc_batch *batch, int i, double *out)
{
    memcpy(out, at(batch, i)->given, sizeof at(batch, i)->given);
}

static void restore(mc_batch *batch, int i, const double *in)
{
    memcpy(at(batch, i)->given, in, sizeof at(batch, i)->given);
}

static void energy(const mc_batch *batch, int i, mc_energy *out)
{
    (void)batch, (void)i;
    *out = (mc_energy){0};
}

static void momentum(const mc_batch *batch, int i, double out[3])
{
    (void)batch, (void)i;
    memset(out, 0, 3 * sizeof *out);
}

// What the ground takes so that it stands still.
static void road_impulse(const mc_batch *batch, int i, double out[3])
{
    for (int j = 0; j < 3; j++)
        out[j] = -at(batch, i)->given[j];
}

static double mass(const mc_batch *batch, int i)
{
    (void)batch, (void)i;
    return HUGE_VAL;
}

static double gravity(const mc_batch *batch)
{
    (void)batch;
    return 0.0;
}

static double contact_window(const mc_batch *batch)
{
    (void)batch;
    return 0.002;
}

static void destroy(mc_batch *batch)
{
    free(((obstacle_batch *)batch)->bodies);
    free(batch);
}

const mc_vehicle_kind obstacle_kind = {
    .name = "obstacle",
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
};
