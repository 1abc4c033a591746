// shape.c - shapes of bodies: numbers of the file, or those of a body of even density.
//
// From mass m and principal moments I a box with the sides
//
//     a_x^2 = 6 (I_yy + I_zz - I_xx)/m     and so on,
//
// has the same inertia; a wheel with the moments I about its axis and J across a cylinder with
//
//     r^2 = 2 I/m,   h^2 = 12 J/m - 3 r^2.
#include "multibody/shape.h"

#include "num/dense.h"
#include "num/vec3.h"

#include <math.h>
#include <string.h>

const char *const mb_shape_names[MC_SHAPE_COUNT] = {
    [MC_SHAPE_BOX] = "box",     [MC_SHAPE_CYLINDER] = "cylinder", [MC_SHAPE_BEAM] = "beam",
    [MC_SHAPE_PANEL] = "panel", [MC_SHAPE_WHEEL] = "wheel",       [MC_SHAPE_MESH] = "mesh",
};
const char *const mb_finish_names[MC_SHAPE_FINISH_COUNT] = {
    [MC_SHAPE_FINISH_PAINT] = "paint",   [MC_SHAPE_FINISH_STEEL] = "steel",
    [MC_SHAPE_FINISH_DARK] = "dark",     [MC_SHAPE_FINISH_GLASS] = "glass",
    [MC_SHAPE_FINISH_RUBBER] = "rubber",
};

static const double DENSITY = 1000.0; // kg/m3, of a mass without inertia
static const double THIN = 0.04;      // of the longest side: thinner is not seen

void mb_quaternion_of(const double x[3], const double y[3], const double z[3], double out[4])
{
    const double squares[4] = {1.0 + x[0] + y[1] + z[2], 1.0 + x[0] - y[1] - z[2],
                               1.0 - x[0] + y[1] - z[2], 1.0 - x[0] - y[1] + z[2]};
    int largest = 0;
    for (int k = 1; k < 4; k++)
        largest = squares[k] > squares[largest] ? k : largest;
    const double sums[4][4] = {
        {squares[0], y[2] - z[1], z[0] - x[2], x[1] - y[0]},
        {y[2] - z[1], squares[1], x[1] + y[0], z[0] + x[2]},
        {z[0] - x[2], x[1] + y[0], squares[2], y[2] + z[1]},
        {x[1] - y[0], z[0] + x[2], y[2] + z[1], squares[3]},
    };
    const double scale = copysign(0.5 / sqrt(squares[largest]), sums[largest][0]);
    for (int k = 0; k < 4; k++)
        out[k] = scale * sums[largest][k];
}

static void turn_to(const double z[3], const double near_y[3], double out[4])
{
    double x[3], y[3];
    vec3_cross(near_y, z, x);
    const double length = sqrt(vec3_dot(x, x));
    for (int k = 0; k < 3; k++)
        x[k] /= length;
    vec3_cross(z, x, y);
    mb_quaternion_of(x, y, z, out);
}

// ---- by mass and inertia ----

static void not_too_thin(double size[3])
{
    const double least = fmax(THIN * fmax(size[0], fmax(size[1], size[2])), 1e-4);
    for (int k = 0; k < 3; k++)
        size[k] = fmax(size[k], least);
}

static void round_of(double mass, const double inertia[6], int axis, mc_part_shape *out)
{
    const double square = 2.0 * inertia[axis] / mass;
    const double height = 12.0 * inertia[(axis + 1) % 3] / mass - 3.0 * square;
    double z[3] = {0.0}, y[3] = {0.0};
    z[axis] = 1.0, y[(axis + 2) % 3] = 1.0;
    turn_to(z, y, out->turn);
    out->kind = MC_SHAPE_CYLINDER;
    out->size[0] = out->size[1] = 2.0 * sqrt(square);
    out->size[2] = sqrt(fmax(height, 0.0));
}

// Axes that are already principal keep their names: the box does not turn.
static void box_of(double mass, const double inertia[6], mc_part_shape *out)
{
    double axes[9] = {inertia[0], inertia[3], inertia[4], inertia[3], inertia[1],
                      inertia[5], inertia[4], inertia[5], inertia[2]};
    double value[3] = {inertia[0], inertia[1], inertia[2]};
    const bool turned = inertia[3] != 0.0 || inertia[4] != 0.0 || inertia[5] != 0.0;
    if (turned && dense_symmetric_eigen(3, axes, value)) {
        double z[3];
        vec3_cross(axes, axes + 3, z); // a right-handed set
        mb_quaternion_of(axes, axes + 3, z, out->turn);
    }
    const double sum = value[0] + value[1] + value[2];
    for (int k = 0; k < 3; k++)
        out->size[k] = sqrt(fmax(6.0 * (sum - 2.0 * value[k]) / mass, 0.0));
}

static bool made(const mb_model *model, const mb_body *b, mc_part_shape *out)
{
    const double mass = mb_model_value(model, model->graph, b->mass);
    double inertia[6], largest = 0.0;
    if (!(mass > 0.0))
        return false;
    *out = (mc_part_shape){.kind = MC_SHAPE_BOX, .made = true, .turn = {1.0}};
    for (int k = 0; k < 3; k++)
        out->at[k] = mb_model_value(model, model->graph, b->com[k]);
    for (int k = 0; k < 6; k++) {
        inertia[k] = mb_model_value(model, model->graph, b->inertia[k]);
        largest = fmax(largest, inertia[k]);
    }
    if (!(largest > 0.0))
        out->size[0] = out->size[1] = out->size[2] = cbrt(mass / DENSITY);
    else if (b->axisymmetric >= 0)
        round_of(mass, inertia, b->axisymmetric, out);
    else
        box_of(mass, inertia, out);
    not_too_thin(out->size);
    out->finish = b->axisymmetric >= 0 ? MC_SHAPE_FINISH_DARK : MC_SHAPE_FINISH_PAINT;
    return true;
}

// ---- by the file ----

static void values(const mb_model *model, const expr_id *from, int count, double *out)
{
    for (int k = 0; k < count; k++)
        out[k] = mb_model_value(model, model->looks, from[k]);
}

// Along z from one end to the other, its height as nearly upwards as that allows.
static void lay_beam(const mb_model *model, const mb_shape *s, mc_part_shape *out)
{
    double end[2][3], z[3], square = 0.0;
    values(model, s->points[0], 3, end[0]);
    values(model, s->points[1], 3, end[1]);
    for (int k = 0; k < 3; k++) {
        out->at[k] = 0.5 * (end[0][k] + end[1][k]);
        z[k] = end[1][k] - end[0][k];
        square += z[k] * z[k];
    }
    out->size[2] = sqrt(square);
    for (int k = 0; k < 3 && square > 0.0; k++)
        z[k] /= out->size[2];
    const bool steep = fabs(z[2]) > 0.99;
    if (square > 0.0)
        turn_to(z, (const double[3]){steep ? 1.0 : 0.0, 0.0, steep ? 0.0 : 1.0}, out->turn);
}

bool mb_shape_at(const mb_model *model, int body, int i, mc_part_shape *out)
{
    if (body < 0 || body >= model->body_count || i < 0)
        return false;
    const mb_body *b = &model->bodies[body];
    if (b->shape_count == 0)
        return i == 0 && made(model, b, out);
    if (i >= b->shape_count)
        return false;
    const mb_shape *s = &b->shapes[i];
    *out = (mc_part_shape){.kind = s->kind, .finish = s->finish, .round = s->round, .turn = {1.0}};
    values(model, s->size, 3, out->size);
    if (s->kind == MC_SHAPE_BEAM) {
        lay_beam(model, s, out);
    } else {
        double R[9];
        values(model, s->at, 3, out->at);
        values(model, s->turn, 9, R);
        mb_quaternion_of((const double[3]){R[0], R[3], R[6]}, (const double[3]){R[1], R[4], R[7]},
                         (const double[3]){R[2], R[5], R[8]}, out->turn);
        out->point_count = s->point_count;
        out->face_count = s->face_count;
    }
    for (int k = 0; k < 3; k++)
        out->size[k] = fmax(out->size[k], 1e-6);
    return true;
}

void mb_shape_mesh(const mb_model *model, int body, int i, double *points, int *faces)
{
    if (body < 0 || body >= model->body_count || i < 0 || i >= model->bodies[body].shape_count)
        return;
    const mb_shape *s = &model->bodies[body].shapes[i];
    if (s->kind == MC_SHAPE_BEAM)
        return;
    for (int k = 0; points && k < s->point_count; k++)
        values(model, s->points[k], 3, points + 3 * k);
    if (faces && s->face_count)
        memcpy(faces, s->faces, (size_t)s->face_count * sizeof s->faces[0]);
}
