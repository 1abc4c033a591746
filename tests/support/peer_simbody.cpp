// peer_simbody.cpp - Simbody: articulated bodies, recursion in the tree.
//
// Where its conventions are not ours: a pin turns about z and a slider moves along x of frames that
// are turned here to suit; angular velocities of balls and free bodies are in the axes of the
// parent side, w_F = R w_child, so dw_F/dt = R dw_child/dt and tau_F = R tau_child; inertias are
// about the origin of the body; a free body has its rotation first. Joints that close loops are
// made of its constraints.
#include "support/peer_kind.h"

#include <Simbody.h>

#include <algorithm>
#include <exception>
#include <vector>

using namespace SimTK;

namespace
{

struct peer {
    MultibodySystem system;
    SimbodyMatterSubsystem matter{system};
    State state;
    Vec3 gravity;
    std::vector<tree_body> body;
    std::vector<MobilizedBodyIndex> index; // of every body
    Vector force, udot;
    Vector_<SpatialVec> body_force, body_acceleration;
};

Vec3 vec3(const double *x)
{
    return Vec3(x[0], x[1], x[2]);
}

Rotation rotation(const double *q)
{
    return Rotation(Quaternion(Vec4(q[0], q[1], q[2], q[3])));
}

MobilizedBody join(MobilizedBody &parent, const tree_body &b)
{
    const Vec3 com = vec3(b.com);
    const double *i = b.inertia;
    const Inertia central(i[0], i[1], i[2], i[3], i[4], i[5]);
    const Body::Rigid body(MassProperties(b.mass, com, central.shiftFromMassCenter(-com, b.mass)));
    const Rotation r0 = rotation(b.r0);
    const Vec3 p = vec3(b.p);
    switch (b.joint) {
    case TREE_FREE:
        return MobilizedBody::Free(parent, Transform(), body, Transform());
    case TREE_HINGE: {
        const Rotation align(UnitVec3(vec3(b.axis)), ZAxis);
        return MobilizedBody::Pin(parent, Transform(r0 * align, p), body, Transform(align));
    }
    case TREE_PRISM: {
        const Rotation align(UnitVec3(vec3(b.axis)), XAxis);
        return MobilizedBody::Slider(parent, Transform(r0 * align, p), body, Transform(align));
    }
    case TREE_BALL:
        return MobilizedBody::Ball(parent, Transform(r0, p), body, Transform());
    case TREE_FIXED:
        break;
    }
    return MobilizedBody::Weld(parent, Transform(r0, p), body, Transform());
}

void add_bodies(peer *p, const tree *t)
{
    p->gravity = vec3(t->gravity);
    p->body.assign(t->body, t->body + t->body_count);
    for (const tree_body &b : p->body) {
        MobilizedBody &parent =
            b.parent < 0 ? static_cast<MobilizedBody &>(p->matter.updGround())
                         : p->matter.updMobilizedBody(p->index[static_cast<size_t>(b.parent)]);
        p->index.push_back(join(parent, b).getMobilizedBodyIndex());
    }
}

void finish(peer *p)
{
    p->state = p->system.realizeTopology();
    p->system.realizeModel(p->state);
    p->force.resize(p->state.getNU());
    p->body_force.resize(p->matter.getNumBodies());
}

void *create(const tree *t)
{
    try {
        peer *p = new peer;
        add_bodies(p, t);
        finish(p);
        return p;
    } catch (const std::exception &e) {
        std::fprintf(stderr, "simbody: %s: %s\n", t->name, e.what());
        return nullptr;
    }
}

MobilizedBody &body_of(peer *p, int body)
{
    return body < 0 ? static_cast<MobilizedBody &>(p->matter.updGround())
                    : p->matter.updMobilizedBody(p->index[static_cast<size_t>(body)]);
}

// The axes stay parallel: two right angles.
void hold_axis(MobilizedBody &from, MobilizedBody &to, const UnitVec3 &axis, const UnitVec3 &other)
{
    const UnitVec3 first = axis.perp(), second(cross(axis, first));
    Constraint::ConstantAngle(from, first, to, other, Pi / 2);
    Constraint::ConstantAngle(from, second, to, other, Pi / 2);
}

void hold_ratio(peer *p, const closed_joint &j)
{
    const Array_<MobilizedBodyIndex> bodies{p->index[static_cast<size_t>(j.from)],
                                            p->index[static_cast<size_t>(j.to)]};
    const Array_<MobilizerQIndex> place{MobilizerQIndex(0), MobilizerQIndex(0)};
    Vector coefficients(3, 0.0);
    coefficients[0] = -j.value;
    coefficients[1] = 1.0;
    Constraint::CoordinateCoupler(p->matter, new Function::Linear(coefficients), bodies, place);
}

void close(peer *p, const closed_joint &j)
{
    MobilizedBody &from = body_of(p, j.from), &to = body_of(p, j.to);
    const Vec3 at = vec3(j.at), to_at = vec3(j.to_at);
    if (j.kind == CLOSED_GEAR || j.kind == CLOSED_RACK)
        return hold_ratio(p, j);
    if (j.kind == CLOSED_BALL || j.kind == CLOSED_HINGE || j.kind == CLOSED_UNIVERSAL)
        Constraint::Ball(from, at, to, to_at);
    if (j.kind == CLOSED_DISTANCE)
        Constraint::Rod(from, at, to, to_at, j.value);
    if (j.kind == CLOSED_FIXED)
        Constraint::Weld(from, Transform(at), to, Transform(to_at));
    if (j.kind == CLOSED_BALL || j.kind == CLOSED_DISTANCE || j.kind == CLOSED_FIXED)
        return;
    static const double parallel[4] = {1.0, 0.0, 0.0, 0.0};
    const UnitVec3 axis(vec3(j.axis)), other(vec3(j.to_axis));
    if (j.kind == CLOSED_PRISM || j.kind == CLOSED_CYLINDER || j.kind == CLOSED_POINT_ON_LINE)
        Constraint::PointOnLine(from, axis, at, to, to_at);
    if (j.kind == CLOSED_POINT_IN_PLANE)
        Constraint::PointInPlane(from, axis, dot(at, axis), to, to_at);
    if (j.kind == CLOSED_HINGE || j.kind == CLOSED_CYLINDER)
        hold_axis(from, to, axis, other);
    if (j.kind == CLOSED_UNIVERSAL)
        Constraint::ConstantAngle(from, axis, to, other, Pi / 2);
    if (j.kind == CLOSED_PRISM)
        Constraint::ConstantOrientation(from, rotation(parallel), to, rotation(parallel));
}

void *create_closed(const closed *c)
{
    try {
        peer *p = new peer;
        add_bodies(p, &c->tree);
        for (int k = 0; k < c->joint_count; k++)
            close(p, c->joint[k]);
        finish(p);
        return p;
    } catch (const std::exception &e) {
        std::fprintf(stderr, "simbody: %s: %s\n", c->tree.name, e.what());
        return nullptr;
    }
}

void destroy(void *handle)
{
    delete static_cast<peer *>(handle);
}

// Rotation child -> parent side of a ball or free joint.
Rotation turned(const tree_body &b, const double *q)
{
    return rotation(b.joint == TREE_FREE ? q + 3 : q);
}

void set_position(peer *p, const double *q)
{
    Vector &to = p->state.updQ();
    for (size_t i = 0; i < p->body.size(); i++) {
        const tree_body &b = p->body[i];
        const int n = tree_joint_nq(b.joint);
        if (n == 0)
            continue;
        const int at = p->matter.getMobilizedBody(p->index[i]).getFirstQIndex(p->state);
        // Free: ours is place and quaternion, theirs quaternion and place.
        const int shift = b.joint == TREE_FREE ? 3 : 0;
        for (int k = 0; k < n; k++)
            to[at + k] = q[(k + shift) % n];
        q += n;
    }
}

// Copies values dual to v or like v, ours -> theirs.
void set_velocity_like(const peer *p, const double *q, const double *v, Vector &to)
{
    for (size_t i = 0; i < p->body.size(); i++) {
        const tree_body &b = p->body[i];
        if (b.joint == TREE_FIXED)
            continue;
        const int at = p->matter.getMobilizedBody(p->index[i]).getFirstUIndex(p->state);
        if (b.joint == TREE_FREE || b.joint == TREE_BALL) {
            const int shift = b.joint == TREE_FREE ? 3 : 0;
            const Vec3 w = turned(b, q) * vec3(v + shift);
            for (int k = 0; k < 3; k++)
                to[at + k] = w[k];
            for (int k = 0; k < shift; k++)
                to[at + 3 + k] = v[k];
        } else {
            to[at] = v[0];
        }
        q += tree_joint_nq(b.joint);
        v += tree_joint_nv(b.joint);
    }
}

// Back again.
void get_velocity_like(const peer *p, const double *q, const Vector &from, double *v)
{
    for (size_t i = 0; i < p->body.size(); i++) {
        const tree_body &b = p->body[i];
        if (b.joint == TREE_FIXED)
            continue;
        const int at = p->matter.getMobilizedBody(p->index[i]).getFirstUIndex(p->state);
        if (b.joint == TREE_FREE || b.joint == TREE_BALL) {
            const int shift = b.joint == TREE_FREE ? 3 : 0;
            const Vec3 w = ~turned(b, q) * Vec3(from[at], from[at + 1], from[at + 2]);
            for (int k = 0; k < 3; k++)
                v[shift + k] = w[k];
            for (int k = 0; k < shift; k++)
                v[k] = from[at + 3 + k];
        } else {
            v[0] = from[at];
        }
        q += tree_joint_nq(b.joint);
        v += tree_joint_nv(b.joint);
    }
}

void set_all(peer *p, const double *q, const double *v, const double *tau)
{
    set_position(p, q);
    set_velocity_like(p, q, v, p->state.updU());
    set_velocity_like(p, q, tau, p->force);
    p->system.realize(p->state, Stage::Dynamics);
    p->body_force.setToZero();
    for (size_t i = 0; i < p->body.size(); i++)
        p->matter.addInStationForce(p->state, p->index[i], vec3(p->body[i].com),
                                    p->body[i].mass * p->gravity, p->body_force);
}

void accelerations(void *handle, const double *q, const double *v, const double *tau, double *qdd)
{
    peer *p = static_cast<peer *>(handle);
    set_all(p, q, v, tau);
    p->matter.calcAccelerationIgnoringConstraints(p->state, p->force, p->body_force, p->udot,
                                                  p->body_acceleration);
    get_velocity_like(p, q, p->udot, qdd);
}

void accelerations_closed(void *handle, const double *q, const double *v, const double *tau,
                          double *qdd)
{
    peer *p = static_cast<peer *>(handle);
    set_all(p, q, v, tau);
    p->matter.calcAcceleration(p->state, p->force, p->body_force, p->udot, p->body_acceleration);
    get_velocity_like(p, q, p->udot, qdd);
}

bool has_kind(closed_kind kind)
{
    return kind < CLOSED_CONSTANT_VELOCITY;
}

// Column k is M e_k. Unit vectors go through the change of axes both ways, as velocities and
// forces.
void mass(void *handle, const double *q, double *m)
{
    peer *p = static_cast<peer *>(handle);
    const int nv = p->state.getNU();
    std::vector<double> unit(static_cast<size_t>(nv)), column(static_cast<size_t>(nv));
    Vector rate(nv), product;
    set_position(p, q);
    p->system.realize(p->state, Stage::Position);
    for (int k = 0; k < nv; k++) {
        std::fill(unit.begin(), unit.end(), 0.0);
        unit[static_cast<size_t>(k)] = 1.0;
        set_velocity_like(p, q, unit.data(), rate);
        p->matter.multiplyByM(p->state, rate, product);
        get_velocity_like(p, q, product, column.data());
        for (int i = 0; i < nv; i++)
            m[i * nv + k] = column[static_cast<size_t>(i)];
    }
}

} // namespace

const peer_kind peer_simbody = {"Simbody", create, destroy, accelerations, mass};
const peer_closed_kind peer_simbody_closed = {"Simbody", has_kind, create_closed, destroy,
                                              accelerations_closed};

// ---- over time ---------------------------------------------------------------------------------

namespace
{

struct run : peer {
    GeneralForceSubsystem forces{system};
};

} // namespace

void *peer_simbody_run_create(const closed *c, const peer_run_load *load)
{
    try {
        run *r = new run;
        add_bodies(r, &c->tree);
        for (int k = 0; k < c->joint_count; k++)
            close(r, c->joint[k]);
        Force::TwoPointLinearSpring(r->forces, body_of(r, load->spring_body[0]),
                                    vec3(load->spring_at[0]), body_of(r, load->spring_body[1]),
                                    vec3(load->spring_at[1]), load->stiffness, load->length);
        Force::MobilityConstantForce(r->forces, body_of(r, load->driven), 0, load->load);
        finish(r);
        return r;
    } catch (const std::exception &e) {
        std::fprintf(stderr, "simbody: %s: %s\n", c->tree.name, e.what());
        return nullptr;
    }
}

void peer_simbody_run_destroy(void *handle)
{
    delete static_cast<run *>(handle);
}

bool peer_simbody_run(void *handle, const double *q, const double *v, double end, double accuracy,
                      double *q_end)
{
    run *r = static_cast<run *>(handle);
    const size_t count = r->body.size();
    try {
        set_position(r, q);
        set_velocity_like(r, q, v, r->state.updU());
        r->state.setTime(0.0);
        RungeKuttaMersonIntegrator integrator(r->system);
        integrator.setAccuracy(accuracy);
        integrator.initialize(r->state);
        while (integrator.getTime() < end)
            integrator.stepTo(end, end);
        for (size_t i = 0; i < count; i++)
            q_end[i] = r->matter.getMobilizedBody(r->index[i]).getOneQ(integrator.getState(), 0);
        return true;
    } catch (const std::exception &e) {
        std::fprintf(stderr, "simbody: %s\n", e.what());
        return false;
    }
}
