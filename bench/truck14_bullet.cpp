// truck14_bullet.cpp - truck14 in Bullet: btDiscreteDynamicsWorld, sequential impulses, 20
// iterations, 1 ms, double precision.
#include "truck14.h"

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <memory>
#include <vector>

#ifndef BT_USE_DOUBLE_PRECISION
#error "the double precision build of Bullet is meant: pkg-config bullet-float64"
#endif

namespace
{

struct peer {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> joints;
    btVector3 anchor[TRUCK14_JOINTS][2]; // in the frames of the bodies
    ~peer()
    {
        for (auto &j : joints)
            world.removeConstraint(j.get());
        for (auto &b : bodies)
            world.removeRigidBody(b.get());
    }
};

btVector3 vec3(const double *x)
{
    return btVector3(x[0], x[1], x[2]);
}

btRigidBody *add_body(peer *p, double mass, btCollisionShape *shape, btVector3 inertia,
                      btVector3 at, int group, int with)
{
    p->shapes.emplace_back(shape);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
    info.m_startWorldTransform.setOrigin(at);
    info.m_friction = 0.8;
    p->bodies.emplace_back(new btRigidBody(info));
    p->bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    p->world.addRigidBody(p->bodies.back().get(), group, with);
    return p->bodies.back().get();
}

// A frame whose axis `k` is the given one.
btTransform frame(const btRigidBody &body, const double *at, const double *axis, int k)
{
    const btVector3 a = vec3(axis), b = std::fabs(a.x()) < 0.5 ? btVector3(1, 0, 0).cross(a)
                                                               : btVector3(0, 1, 0).cross(a);
    const btVector3 c = a.cross(b);
    const btVector3 columns[3] = {k == 0 ? a : b, k == 0 ? b : c, k == 0 ? c : a};
    btMatrix3x3 turn(columns[0].x(), columns[1].x(), columns[2].x(), columns[0].y(), columns[1].y(),
                     columns[2].y(), columns[0].z(), columns[1].z(), columns[2].z());
    return body.getWorldTransform().inverse() * btTransform(turn, vec3(at));
}

void add_joint(peer *p, int i)
{
    const truck14_joint &j = truck14_joints[i];
    btRigidBody &a = *p->bodies[static_cast<size_t>(j.inboard)];
    btRigidBody &b = *p->bodies[static_cast<size_t>(j.outboard)];
    const btVector3 at = vec3(j.at);
    p->anchor[i][0] = a.getWorldTransform().inverse() * at;
    p->anchor[i][1] = b.getWorldTransform().inverse() * at;
    btTypedConstraint *made = nullptr;
    if (j.kind == TRUCK14_HINGE)
        made = new btHingeConstraint(a, b, frame(a, j.at, j.axis, 2), frame(b, j.at, j.axis, 2));
    else if (j.kind == TRUCK14_BALL)
        made = new btPoint2PointConstraint(a, b, p->anchor[i][0], p->anchor[i][1]);
    else {
        btSliderConstraint *s = new btSliderConstraint(a, b, frame(a, j.at, j.axis, 0),
                                                       frame(b, j.at, j.axis, 0), true);
        s->setLowerLinLimit(1); // no limits of travel
        s->setUpperLinLimit(-1);
        s->setLowerAngLimit(0); // and no turning
        s->setUpperAngLimit(0);
        made = s;
    }
    p->joints.emplace_back(made);
    p->world.addConstraint(made, true);
}

void *create()
{
    peer *p = new peer;
    const double up[3] = {0, 0, 1};
    p->world.setGravity(btVector3(0, 0, -9.81));
    p->world.getSolverInfo().m_numIterations = 20;
    for (int i = 0; i < TRUCK14_BODIES; i++) {
        const truck14_body &b = truck14_bodies[i];
        const double *s = b.size, m = b.mass;
        if (b.wheel) {
            const double across = m / 12 * (3 * 0.25 + 0.09);
            add_body(p, m, new btSphereShape(0.5), btVector3(across, m * 0.125, across), vec3(b.at),
                     1, 2);
        } else {
            add_body(p, m, new btBoxShape(btVector3(s[0] / 2, s[1] / 2, s[2] / 2)),
                     btVector3(m / 12 * (s[1] * s[1] + s[2] * s[2]),
                               m / 12 * (s[0] * s[0] + s[2] * s[2]),
                               m / 12 * (s[0] * s[0] + s[1] * s[1])),
                     vec3(b.at), 4, 0);
        }
    }
    for (int i = 0; i < TRUCK14_JOINTS; i++)
        add_joint(p, i);
    btRigidBody *ground = add_body(p, 0, new btStaticPlaneShape(vec3(up), 0), btVector3(0, 0, 0),
                                   btVector3(0, 0, 0), 2, 1);
    ground->setFriction(1.0); // frictions multiply
    return p;
}

void push(peer *p)
{
    for (int i = 0; i < TRUCK14_JOINTS; i++) {
        const truck14_joint &j = truck14_joints[i];
        btRigidBody &a = *p->bodies[static_cast<size_t>(j.inboard)];
        btRigidBody &b = *p->bodies[static_cast<size_t>(j.outboard)];
        const btVector3 axis = a.getWorldTransform().getBasis() * vec3(j.axis);
        if (j.kind == TRUCK14_PRISM) {
            const btVector3 from = a.getWorldTransform() * p->anchor[i][0];
            const btVector3 to = b.getWorldTransform() * p->anchor[i][1];
            const btVector3 arm_a = from - a.getWorldTransform().getOrigin();
            const btVector3 arm_b = to - b.getWorldTransform().getOrigin();
            const double x = axis.dot(to - from);
            const double v =
                axis.dot(b.getVelocityInLocalPoint(arm_b) - a.getVelocityInLocalPoint(arm_a));
            const btVector3 f = axis * (j.preload - j.stiffness * x - j.damping * v);
            b.applyForce(f, arm_b);
            a.applyForce(-f, arm_a);
        } else if (j.kind == TRUCK14_HINGE && (j.stiffness > 0 || j.torque > 0)) {
            double x = 0;
            if (j.stiffness > 0)
                x = static_cast<btHingeConstraint *>(p->joints[static_cast<size_t>(i)].get())
                        ->getHingeAngle();
            const double v = axis.dot(b.getAngularVelocity() - a.getAngularVelocity());
            const btVector3 t = axis * (j.torque - j.stiffness * x - j.damping * v);
            b.applyTorque(t);
            a.applyTorque(-t);
        }
    }
}

void step(void *data, int count)
{
    peer *p = static_cast<peer *>(data);
    for (int k = 0; k < count; k++) {
        push(p);
        p->world.stepSimulation(1e-3, 0);
    }
}

double open(void *data)
{
    const peer *p = static_cast<peer *>(data);
    double most = 0;
    for (int i = 0; i < TRUCK14_JOINTS; i++) {
        const truck14_joint &j = truck14_joints[i];
        if (j.kind == TRUCK14_PRISM)
            continue;
        const btVector3 a =
            p->bodies[static_cast<size_t>(j.inboard)]->getWorldTransform() * p->anchor[i][0];
        const btVector3 b =
            p->bodies[static_cast<size_t>(j.outboard)]->getWorldTransform() * p->anchor[i][1];
        most = std::max(most, static_cast<double>((a - b).length()));
    }
    return most;
}

double speed(void *data)
{
    return static_cast<peer *>(data)->bodies[0]->getLinearVelocity().x();
}

void destroy(void *data)
{
    delete static_cast<peer *>(data);
}

} // namespace

extern "C" const truck14_peer truck14_bullet = {"bullet", create, step, open, speed, destroy};
