// parts.c - what a mechanism is made of, for those who draw it.
#include "mechanism/mechanism.h"
#include "multibody/closing.h"
#include "multibody/shape.h"

static double value_of(const mc_multibody *m, expr_id id)
{
    return mb_model_value(&m->model, m->model.graph, id);
}

// Quaternion of a turn that the file gives.
static void frame_of(const mc_multibody *m, const expr_id turn[9], double out[4])
{
    double R[9];
    for (int k = 0; k < 9; k++)
        R[k] = value_of(m, turn[k]);
    mb_quaternion_of((const double[3]){R[0], R[3], R[6]}, (const double[3]){R[1], R[4], R[7]},
                     (const double[3]){R[2], R[5], R[8]}, out);
}

static const char *name_of(const mc_multibody *m, int body)
{
    return body < 0 ? NULL : m->model.bodies[body].name;
}

bool mc_multibody_body(const mc_multibody *m, int i, mc_part_body *out)
{
    if (i < 0 || i >= m->model.body_count)
        return false;
    const mb_body *b = &m->model.bodies[i];
    *out = (mc_part_body){.name = b->name,
                          .inboard = name_of(m, b->inboard),
                          .joint = mb_joint_names[b->joint],
                          .mass = value_of(m, b->mass),
                          .round = b->axisymmetric};
    frame_of(m, b->turn, out->frame);
    for (int k = 0; k < 3; k++) {
        out->at[k] = value_of(m, b->at[k]);
        out->axis[k] = b->joint == MB_HINGE || b->joint == MB_PRISM ? b->axis[k] : 0.0;
        out->centre[k] = value_of(m, b->com[k]);
    }
    out->stiffness = value_of(m, b->stiffness);
    out->damping = value_of(m, b->damping);
    for (int k = 0; k < 6; k++)
        out->inertia[k] = value_of(m, b->inertia[k]);
    return true;
}

bool mc_multibody_point(const mc_multibody *m, int i, mc_part_point *out)
{
    if (i < 0 || i >= m->model.point_count)
        return false;
    const mb_point *p = &m->model.points[i];
    *out = (mc_part_point){p->name, name_of(m, p->body)};
    return true;
}

bool mc_multibody_spring(const mc_multibody *m, int i, mc_part_spring *out)
{
    if (i < 0 || i >= m->model.spring_count)
        return false;
    const mb_spring *s = &m->model.springs[i];
    *out = (mc_part_spring){s->name,
                            m->model.points[s->from].name,
                            m->model.points[s->to].name,
                            value_of(m, s->length),
                            value_of(m, s->stiffness),
                            value_of(m, s->damping),
                            s->force.text != NULL};
    return true;
}

bool mc_multibody_joint(const mc_multibody *m, int i, mc_part_joint *out)
{
    if (i < 0 || i >= m->model.closing_count)
        return false;
    const mb_closing *c = &m->model.closings[i];
    *out = (mc_part_joint){.name = c->name,
                           .kind = c->kind->is.name,
                           .from = name_of(m, c->from.body),
                           .to = name_of(m, c->to.body)};
    out->frame[0] = 1.0;
    if (c->kind->of_joints)
        return true;
    frame_of(m, c->from.turn, out->frame);
    for (int k = 0; k < 3; k++) {
        out->at[k] = value_of(m, c->from.at[k]);
        out->to_at[k] = value_of(m, c->to.at[k]);
        out->axis[k] = c->kind->is.axes > 0 ? c->from.axis[k] : 0.0;
    }
    return true;
}

bool mc_multibody_shape(const mc_multibody *m, int body, int i, mc_part_shape *out)
{
    return mb_shape_at(&m->model, body, i, out);
}

void mc_multibody_shape_mesh(const mc_multibody *m, int body, int i, double *points, int *faces)
{
    mb_shape_mesh(&m->model, body, i, points, faces);
}

const char *mc_shape_kind_name(int kind)
{
    return kind >= 0 && kind < MC_SHAPE_COUNT ? mb_shape_names[kind] : NULL;
}

const char *mc_shape_finish_name(int finish)
{
    return finish >= 0 && finish < MC_SHAPE_FINISH_COUNT ? mb_finish_names[finish] : NULL;
}
