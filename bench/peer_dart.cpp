// peer_dart.cpp - DART: articulated bodies in generalised coordinates.
//
// Where its conventions are not ours: rotations are rotation vectors; a free body has its angular
// velocity first, and its velocity v_b in body axes: v_w = R v_b, a_w = R (dv_b/dt + w x v_b).
#include "support/peer_kind.h"

#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/WeldJoint.hpp>

#include <cmath>
#include <cstdio>
#include <exception>
#include <vector>

using namespace dart::dynamics;

namespace
{

struct joint {
    tree_joint kind;
    int at; // of its first degree of freedom in the skeleton
};

struct peer {
    SkeletonPtr skeleton;
    std::vector<joint> joints;
    Eigen::VectorXd position, velocity, force;
};

Eigen::Vector3d vec3(const double *x)
{
    return Eigen::Vector3d(x[0], x[1], x[2]);
}

Eigen::Matrix3d rotation(const double *q)
{
    return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
}

Eigen::Vector3d rotation_vector(const double *q)
{
    const double sign = q[0] < 0.0 ? -1.0 : 1.0;
    const Eigen::Vector3d side = sign * vec3(q + 1);
    const double sine = side.norm();
    if (sine < 1e-150)
        return Eigen::Vector3d::Zero();
    return 2.0 * std::atan2(sine, sign * q[0]) / sine * side;
}

template <class type>
Joint *add(const SkeletonPtr &skeleton, BodyNode *parent,
           const typename type::Properties &properties)
{
    return skeleton->createJointAndBodyNodePair<type>(parent, properties).first;
}

Joint *join(const SkeletonPtr &skeleton, BodyNode *parent, const tree_body &b)
{
    Joint::Properties common;
    common.mName = std::string("joint of ") + b.name;
    if (b.joint != TREE_FREE) {
        common.mT_ParentBodyToJoint.linear() = rotation(b.r0);
        common.mT_ParentBodyToJoint.translation() = vec3(b.p);
    }
    switch (b.joint) {
    case TREE_FREE: {
        FreeJoint::Properties properties;
        static_cast<Joint::Properties &>(properties) = common;
        return add<FreeJoint>(skeleton, parent, properties);
    }
    case TREE_BALL: {
        BallJoint::Properties properties;
        static_cast<Joint::Properties &>(properties) = common;
        return add<BallJoint>(skeleton, parent, properties);
    }
    case TREE_HINGE: {
        RevoluteJoint::Properties properties;
        static_cast<Joint::Properties &>(properties) = common;
        properties.mAxis = vec3(b.axis).normalized();
        return add<RevoluteJoint>(skeleton, parent, properties);
    }
    case TREE_PRISM: {
        PrismaticJoint::Properties properties;
        static_cast<Joint::Properties &>(properties) = common;
        properties.mAxis = vec3(b.axis).normalized();
        return add<PrismaticJoint>(skeleton, parent, properties);
    }
    case TREE_FIXED:
        break;
    }
    WeldJoint::Properties properties;
    static_cast<Joint::Properties &>(properties) = common;
    return add<WeldJoint>(skeleton, parent, properties);
}

void *create(const tree *t)
{
    try {
        peer *p = new peer;
        std::vector<BodyNode *> nodes;
        p->skeleton = Skeleton::create(t->name);
        p->skeleton->setGravity(vec3(t->gravity));
        for (int i = 0; i < t->body_count; i++) {
            const tree_body &b = t->body[i];
            const double *in = b.inertia;
            Joint *made =
                join(p->skeleton, b.parent < 0 ? nullptr : nodes[static_cast<size_t>(b.parent)], b);
            nodes.push_back(made->getChildBodyNode());
            Eigen::Matrix3d inertia;
            inertia << in[0], in[3], in[4], in[3], in[1], in[5], in[4], in[5], in[2];
            nodes.back()->setName(b.name);
            nodes.back()->setInertia(Inertia(b.mass, vec3(b.com), inertia));
            p->joints.push_back({b.joint, 0});
        }
        for (size_t i = 0; i < nodes.size(); i++)
            if (p->joints[i].kind != TREE_FIXED)
                p->joints[i].at =
                    static_cast<int>(nodes[i]->getParentJoint()->getIndexInSkeleton(0));
        const auto n = static_cast<Eigen::Index>(p->skeleton->getNumDofs());
        p->position = p->velocity = p->force = Eigen::VectorXd::Zero(n);
        return p;
    } catch (const std::exception &e) {
        std::fprintf(stderr, "dart: %s: %s\n", t->name, e.what());
        return nullptr;
    }
}

void destroy(void *handle)
{
    delete static_cast<peer *>(handle);
}

void set_joint(peer *p, const joint &j, const double *q, const double *v, const double *tau)
{
    switch (j.kind) {
    case TREE_FREE: {
        const Eigen::Matrix3d inverse = rotation(q + 3).transpose();
        p->position.segment<3>(j.at) = rotation_vector(q + 3);
        p->position.segment<3>(j.at + 3) = vec3(q);
        p->velocity.segment<3>(j.at) = vec3(v + 3);
        p->velocity.segment<3>(j.at + 3) = inverse * vec3(v);
        p->force.segment<3>(j.at) = vec3(tau + 3);
        p->force.segment<3>(j.at + 3) = inverse * vec3(tau);
        break;
    }
    case TREE_BALL:
        p->position.segment<3>(j.at) = rotation_vector(q);
        p->velocity.segment<3>(j.at) = vec3(v);
        p->force.segment<3>(j.at) = vec3(tau);
        break;
    case TREE_HINGE:
    case TREE_PRISM:
        p->position[j.at] = q[0];
        p->velocity[j.at] = v[0];
        p->force[j.at] = tau[0];
        break;
    case TREE_FIXED:
        break;
    }
}

void accelerations(void *handle, const double *q, const double *v, const double *tau, double *qdd)
{
    peer *p = static_cast<peer *>(handle);
    const double *place = q;
    for (const joint &j : p->joints) {
        set_joint(p, j, place, v, tau);
        place += tree_joint_nq(j.kind), v += tree_joint_nv(j.kind), tau += tree_joint_nv(j.kind);
    }
    p->skeleton->setPositions(p->position);
    p->skeleton->setVelocities(p->velocity);
    p->skeleton->setForces(p->force);
    p->skeleton->computeForwardDynamics();
    const Eigen::VectorXd out = p->skeleton->getAccelerations();
    for (const joint &j : p->joints) {
        const int n = tree_joint_nv(j.kind);
        Eigen::Map<Eigen::VectorXd> to(qdd, n);
        if (j.kind == TREE_FREE) {
            const Eigen::Vector3d omega = p->velocity.segment<3>(j.at);
            const Eigen::Vector3d speed = p->velocity.segment<3>(j.at + 3);
            to.tail<3>() = out.segment<3>(j.at);
            to.head<3>() = rotation(q + 3) * (out.segment<3>(j.at + 3) + omega.cross(speed));
        } else if (n > 0) {
            to = out.segment(j.at, n);
        }
        q += tree_joint_nq(j.kind), qdd += n;
    }
}

} // namespace

const peer_kind peer_dart = {"DART", create, destroy, accelerations, nullptr};
