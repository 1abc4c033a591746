// peer_simbody.cpp - Simbody: articulated bodies, recursion in the tree.
//
// Where its conventions are not ours: a pin turns about z and a slider moves along x of frames that
// are turned here to suit; angular velocities of balls and free bodies are in the axes of the
// parent side, w_F = R w_child, so dw_F/dt = R dw_child/dt and tau_F = R tau_child; inertias are
// about the origin of the body; a free body has its rotation first.
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

void *create(const tree *t)
{
    try {
        peer *p = new peer;
        p->gravity = vec3(t->gravity);
        p->body.assign(t->body, t->body + t->body_count);
        for (const tree_body &b : p->body) {
            MobilizedBody &parent =
                b.parent < 0 ? static_cast<MobilizedBody &>(p->matter.updGround())
                             : p->matter.updMobilizedBody(p->index[static_cast<size_t>(b.parent)]);
            p->index.push_back(join(parent, b).getMobilizedBodyIndex());
        }
        p->state = p->system.realizeTopology();
        p->system.realizeModel(p->state);
        p->force.resize(p->state.getNU());
        p->body_force.resize(p->matter.getNumBodies());
        return p;
    } catch (const std::exception &e) {
        std::fprintf(stderr, "simbody: %s: %s\n", t->name, e.what());
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

void accelerations(void *handle, const double *q, const double *v, const double *tau, double *qdd)
{
    peer *p = static_cast<peer *>(handle);
    set_position(p, q);
    set_velocity_like(p, q, v, p->state.updU());
    set_velocity_like(p, q, tau, p->force);
    p->system.realize(p->state, Stage::Dynamics);
    p->body_force.setToZero();
    for (size_t i = 0; i < p->body.size(); i++)
        p->matter.addInStationForce(p->state, p->index[i], vec3(p->body[i].com),
                                    p->body[i].mass * p->gravity, p->body_force);
    p->matter.calcAccelerationIgnoringConstraints(p->state, p->force, p->body_force, p->udot,
                                                  p->body_acceleration);
    get_velocity_like(p, q, p->udot, qdd);
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
