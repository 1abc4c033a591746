// solids.c - the shapes of bodies as convex solids.
//
// Boxes, beams and panels are what they are. A cylinder (also a wheel, a round beam) is a prism
// with ROUND_SIDES sides within it, and round where it meets the ground. A mesh is its convex hull.
#include "mechanism/solids.h"

#include "num/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUND_SIDES = 24 };

typedef struct cloud { // corners, axes of the shape
    double (*point)[3];
    int count;
} cloud;

static void add(cloud *c, double x, double y, double z)
{
    const double at[3] = {x, y, z};
    memcpy(c->point[c->count++], at, sizeof at);
}

static void add_box(cloud *c, const double size[3])
{
    for (int k = 0; k < 8; k++)
        add(c, (k & 1 ? 0.5 : -0.5) * size[0], (k & 2 ? 0.5 : -0.5) * size[1],
            (k & 4 ? 0.5 : -0.5) * size[2]);
}

static void add_prism(cloud *c, const double size[3])
{
    for (int k = 0; k < 2 * ROUND_SIDES; k++) {
        const double angle = (k / 2) * (2.0 * M_PI / ROUND_SIDES);
        add(c, 0.5 * size[0] * cos(angle), 0.5 * size[1] * sin(angle),
            (k % 2 ? 0.5 : -0.5) * size[2]);
    }
}

// The corners of a panel on both of its sides: its points are those of the middle.
static void thicken(cloud *c, double thickness)
{
    const int count = c->count;
    double normal[3] = {0};
    for (int k = 2; k < count; k++) {
        double u[3], v[3], n[3];
        for (int x = 0; x < 3; x++) {
            u[x] = c->point[k - 1][x] - c->point[0][x];
            v[x] = c->point[k][x] - c->point[0][x];
        }
        vec3_cross(u, v, n);
        for (int x = 0; x < 3; x++)
            normal[x] += n[x];
    }
    const double length = vec3_norm(normal);
    for (int k = 0; k < count && length > 0.0; k++)
        for (int x = 0; x < 3; x++) {
            const double half = 0.5 * thickness * normal[x] / length, at = c->point[k][x];
            c->point[k][x] = at - half;
            c->point[count + k][x] = at + half;
        }
    c->count = length > 0.0 ? 2 * count : count;
}

static void set_rims(const mc_part_shape *shape, const double R[9], const double centre[3],
                     impulse_shape *out)
{
    out->round = true;
    out->rim = 0.5 * shape->size[0];
    for (int x = 0; x < 3; x++) {
        out->axis[x] = R[3 * x + 2];
        for (int end = 0; end < 2; end++)
            out->end[end][x] = centre[x] + (end - 0.5) * shape->size[2] * out->axis[x];
    }
}

mc_status solid_of_shape(const mc_multibody *m, int body, int i, const double com[3], int line,
                         impulse_shape *out, mc_error *error)
{
    mc_part_shape shape;
    double R[9], centre[3];
    *out = (impulse_shape){0};
    if (!mc_multibody_shape(m, body, i, &shape))
        return MC_OK;
    cloud c = {.point = calloc(2 * ((size_t)shape.point_count + ROUND_SIDES), sizeof *c.point)};
    if (!c.point)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the mechanism");
    const bool round = shape.kind == MC_SHAPE_CYLINDER || shape.kind == MC_SHAPE_WHEEL ||
                       (shape.kind == MC_SHAPE_BEAM && shape.round);
    if (round) {
        add_prism(&c, shape.size);
    } else if (shape.point_count == 0) {
        add_box(&c, shape.size);
    } else {
        mc_multibody_shape_mesh(m, body, i, c.point[0], NULL);
        c.count = shape.point_count;
        if (shape.kind == MC_SHAPE_PANEL)
            thicken(&c, shape.size[2]);
    }
    mat3_of_quaternion(shape.turn, R);
    for (int x = 0; x < 3; x++)
        centre[x] = shape.at[x] - com[x];
    for (int k = 0; k < c.count; k++) {
        double moved[3];
        mat3_mul_vec(R, c.point[k], moved);
        for (int x = 0; x < 3; x++)
            c.point[k][x] = moved[x] + centre[x];
    }
    if (round)
        set_rims(&shape, R, centre, out);
    const bool made = hull_make((const double(*)[3])c.point, c.count, &out->hull);
    free(c.point);
    if (made)
        return MC_OK;
    return mc_error_set(error, MC_BAD_INPUT, m->model.file, line, 0,
                        "a %s of body %s cannot touch: its corners lie in a plane, or there are "
                        "more than %d; expected a convex solid",
                        mc_shape_kind_name((int)shape.kind), m->model.bodies[body].name,
                        HULL_POINTS_MAX);
}
