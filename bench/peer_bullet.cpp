// peer_bullet.cpp - Bullet's btMultiBody: the articulated body algorithm, in double precision.
//
// Its link frames sit at the centre of mass along principal axes; here P turns principal axes into
// those of the body. The base carries velocities of its centre of mass, all in world axes. A tree
// whose first body is free has that as its base; any other hangs from a base fixed to the world.
#include "support/peer_kind.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>

#include <cstdio>
#include <memory>
#include <vector>

#ifndef BT_USE_DOUBLE_PRECISION
#error "the double precision build of Bullet is meant: pkg-config bullet-float64"
#endif

namespace
{

struct link {
    tree_body body;
    btVector3 com;
    btQuaternion axes; // P
    btVector3 weight;  // N, world
};

struct peer {
    std::vector<link> links; // one per body
    std::unique_ptr<btMultiBody> tree;
    int free_base; // 1: body 0 is the base, body i is link i - 1; 0: body i is link i
    btAlignedObjectArray<btScalar> scratch_r;
    btAlignedObjectArray<btVector3> scratch_v;
    btAlignedObjectArray<btMatrix3x3> scratch_m;
};

btVector3 vec3(const double *x)
{
    return btVector3(x[0], x[1], x[2]);
}

btQuaternion quaternion(const double *q)
{
    return btQuaternion(q[1], q[2], q[3], q[0]);
}

btVector3 principal_moments(const tree_body &b, btQuaternion *axes)
{
    double moment[3], q[4];
    tree_principal(&b, moment, q);
    *axes = quaternion(q);
    return vec3(moment);
}

void set_up_link(peer *p, int body)
{
    const link &l = p->links[static_cast<size_t>(body)];
    const tree_body &b = l.body;
    const int at = body - p->free_base, parent = b.parent < 0 ? -1 : b.parent - p->free_base;
    btQuaternion axes, parent_axes = btQuaternion::getIdentity();
    btVector3 parent_com(0, 0, 0);
    const btVector3 moment = principal_moments(b, &axes);
    if (b.parent >= 0) {
        parent_axes = p->links[static_cast<size_t>(b.parent)].axes;
        parent_com = p->links[static_cast<size_t>(b.parent)].com;
    }
    const btQuaternion turn = axes.inverse() * quaternion(b.r0).inverse() * parent_axes;
    const btVector3 pivot = quatRotate(parent_axes.inverse(), vec3(b.p) - parent_com);
    const btVector3 com = quatRotate(axes.inverse(), l.com);
    const btVector3 axis = quatRotate(axes.inverse(), vec3(b.axis));
    switch (b.joint) {
    case TREE_HINGE:
        p->tree->setupRevolute(at, b.mass, moment, parent, turn, axis, pivot, com, true);
        break;
    case TREE_PRISM:
        p->tree->setupPrismatic(at, b.mass, moment, parent, turn, axis, pivot, com, true);
        break;
    case TREE_BALL:
        p->tree->setupSpherical(at, b.mass, moment, parent, turn, pivot, com, true);
        break;
    default:
        p->tree->setupFixed(at, b.mass, moment, parent, turn, pivot, com, true);
    }
}

void *create(const tree *t)
{
    for (int i = 0; i < t->body_count; i++)
        if ((i > 0 && t->body[i].joint == TREE_FREE) ||
            (i > 0 && t->body[i].parent < 0 && t->body[0].joint == TREE_FREE)) {
            std::fprintf(stderr, "bullet: %s: one free body, the base of all others\n", t->name);
            return nullptr;
        }
    peer *p = new peer;
    p->free_base = t->body[0].joint == TREE_FREE;
    for (int i = 0; i < t->body_count; i++) {
        link l = {t->body[i], vec3(t->body[i].com), {}, t->body[i].mass * vec3(t->gravity)};
        principal_moments(l.body, &l.axes);
        p->links.push_back(l);
    }
    btQuaternion axes;
    const btVector3 moment = principal_moments(t->body[0], &axes);
    p->tree = std::make_unique<btMultiBody>(t->body_count - p->free_base, t->body[0].mass, moment,
                                            !p->free_base, false);
    for (int i = p->free_base; i < t->body_count; i++)
        set_up_link(p, i);
    p->tree->finalizeMultiDof();
    p->tree->setLinearDamping(0.0);
    p->tree->setAngularDamping(0.0);
    return p;
}

void destroy(void *handle)
{
    delete static_cast<peer *>(handle);
}

// What a free body is given and gives: world axes, at the centre of mass.
struct base {
    btQuaternion turn; // body -> world
    btVector3 com, omega;
};

base set_base(peer *p, const double *q, const double *v, const double *tau)
{
    const link &l = p->links[0];
    btMultiBody &m = *p->tree;
    base b;
    b.turn = quaternion(q + 3);
    b.com = quatRotate(b.turn, l.com);
    b.omega = quatRotate(b.turn, vec3(v + 3));
    m.setBasePos(vec3(q) + b.com);
    m.setWorldToBaseRot((b.turn * l.axes).inverse());
    m.setBaseVel(vec3(v) + b.omega.cross(b.com));
    m.setBaseOmega(b.omega);
    m.addBaseForce(vec3(tau) + l.weight);
    m.addBaseTorque(quatRotate(b.turn, vec3(tau + 3)) - b.com.cross(vec3(tau)));
    return b;
}

void set_link(peer *p, int body, const double *q, const double *v, const double *tau)
{
    const link &l = p->links[static_cast<size_t>(body)];
    const int at = body - p->free_base;
    btMultiBody &m = *p->tree;
    m.addLinkForce(at, l.weight);
    if (l.body.joint == TREE_BALL) {
        const btQuaternion inverse = l.axes.inverse(), turn = inverse * quaternion(q) * l.axes;
        const btVector3 omega = quatRotate(inverse, vec3(v)),
                        force = quatRotate(inverse, vec3(tau));
        const double place[4] = {turn.x(), turn.y(), turn.z(), turn.w()};
        const double rate[3] = {omega.x(), omega.y(), omega.z()};
        m.setJointPosMultiDof(at, place);
        m.setJointVelMultiDof(at, rate);
        for (int k = 0; k < 3; k++)
            m.addJointTorqueMultiDof(at, k, force[k]);
    } else if (l.body.joint != TREE_FIXED) {
        m.setJointPos(at, q[0]);
        m.setJointVel(at, v[0]);
        m.addJointTorque(at, tau[0]);
    }
}

void accelerations(void *handle, const double *q, const double *v, const double *tau, double *qdd)
{
    peer *p = static_cast<peer *>(handle);
    const int count = static_cast<int>(p->links.size());
    base b = {};
    p->tree->clearForcesAndTorques();
    if (p->free_base) {
        b = set_base(p, q, v, tau);
        q += 7, v += 6, tau += 6;
    }
    for (int i = p->free_base; i < count; i++) {
        const tree_joint joint = p->links[static_cast<size_t>(i)].body.joint;
        set_link(p, i, q, v, tau);
        q += tree_joint_nq(joint), v += tree_joint_nv(joint), tau += tree_joint_nv(joint);
    }
    // A step of no length: velocities stay, accelerations are left in the second half of scratch_r.
    p->tree->computeAccelerationsArticulatedBodyAlgorithmMultiDof(
        0.0, p->scratch_r, p->scratch_v, p->scratch_m, false, false, false);
    const btScalar *out = &p->scratch_r[p->tree->getNumDofs()];
    if (p->free_base) {
        const btVector3 turn = vec3(out), at_com = vec3(out + 3);
        const btVector3 place = at_com - turn.cross(b.com) - b.omega.cross(b.omega.cross(b.com));
        const btVector3 own = quatRotate(b.turn.inverse(), turn);
        for (int k = 0; k < 3; k++)
            qdd[k] = place[k], qdd[3 + k] = own[k];
        qdd += 6;
    }
    out += 6;
    for (int i = p->free_base; i < count; i++) {
        const link &l = p->links[static_cast<size_t>(i)];
        const int n = tree_joint_nv(l.body.joint);
        if (n == 3) {
            const btVector3 turn = quatRotate(l.axes, vec3(out));
            for (int k = 0; k < 3; k++)
                qdd[k] = turn[k];
        } else if (n == 1) {
            qdd[0] = out[0];
        }
        qdd += n, out += n;
    }
}

} // namespace

const peer_kind peer_bullet = {"Bullet", create, destroy, accelerations, nullptr};
