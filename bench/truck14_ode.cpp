// truck14_ode.cpp - truck14 in the Open Dynamics Engine: QuickStep, 20 iterations, 1 ms.
#include "truck14.h"

#include <ode/ode.h>

#include <algorithm>
#include <cmath>

namespace
{

struct peer {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID body[TRUCK14_BODIES];
    dJointID joint[TRUCK14_JOINTS];
};

void touch(void *data, dGeomID a, dGeomID b)
{
    peer *p = static_cast<peer *>(data);
    if (dGeomGetBody(a) && dGeomGetBody(b))
        return; // wheels touch the ground only
    dContact contact;
    if (dCollide(a, b, 1, &contact.geom, sizeof contact) == 0)
        return;
    contact.surface.mode = dContactApprox1;
    contact.surface.mu = 0.8;
    dJointAttach(dJointCreateContact(p->world, p->contacts, &contact), dGeomGetBody(a),
                 dGeomGetBody(b));
}

void add_joint(peer *p, int i)
{
    const truck14_joint &j = truck14_joints[i];
    const dBodyID one = p->body[j.outboard], two = p->body[j.inboard];
    switch (j.kind) {
    case TRUCK14_HINGE:
        p->joint[i] = dJointCreateHinge(p->world, nullptr);
        dJointAttach(p->joint[i], one, two);
        dJointSetHingeAnchor(p->joint[i], j.at[0], j.at[1], j.at[2]);
        dJointSetHingeAxis(p->joint[i], j.axis[0], j.axis[1], j.axis[2]);
        break;
    case TRUCK14_PRISM:
        p->joint[i] = dJointCreateSlider(p->world, nullptr);
        dJointAttach(p->joint[i], one, two);
        dJointSetSliderAxis(p->joint[i], j.axis[0], j.axis[1], j.axis[2]);
        break;
    case TRUCK14_BALL:
        p->joint[i] = dJointCreateBall(p->world, nullptr);
        dJointAttach(p->joint[i], one, two);
        dJointSetBallAnchor(p->joint[i], j.at[0], j.at[1], j.at[2]);
        break;
    }
}

void *create()
{
    dInitODE2(0);
    peer *p = new peer;
    p->world = dWorldCreate();
    p->space = dSimpleSpaceCreate(nullptr);
    p->contacts = dJointGroupCreate(0);
    dWorldSetGravity(p->world, 0, 0, -9.81);
    dWorldSetQuickStepNumIterations(p->world, 20);
    dCreatePlane(p->space, 0, 0, 1, 0);
    for (int i = 0; i < TRUCK14_BODIES; i++) {
        const truck14_body &b = truck14_bodies[i];
        dMass mass;
        p->body[i] = dBodyCreate(p->world);
        dBodySetPosition(p->body[i], b.at[0], b.at[1], b.at[2]);
        if (b.wheel)
            dMassSetCylinderTotal(&mass, b.mass, 2, 0.5, 0.3);
        else
            dMassSetBoxTotal(&mass, b.mass, b.size[0], b.size[1], b.size[2]);
        dBodySetMass(p->body[i], &mass);
        if (b.wheel)
            dGeomSetBody(dCreateSphere(p->space, 0.5), p->body[i]);
    }
    for (int i = 0; i < TRUCK14_JOINTS; i++)
        add_joint(p, i);
    return p;
}

void push(const peer *p)
{
    for (int i = 0; i < TRUCK14_JOINTS; i++) {
        const truck14_joint &j = truck14_joints[i];
        if (j.kind == TRUCK14_PRISM) {
            const double x = dJointGetSliderPosition(p->joint[i]);
            const double v = dJointGetSliderPositionRate(p->joint[i]);
            dJointAddSliderForce(p->joint[i], j.preload - j.stiffness * x - j.damping * v);
        } else if (j.kind == TRUCK14_HINGE && (j.stiffness > 0 || j.torque > 0)) {
            const double x = dJointGetHingeAngle(p->joint[i]);
            const double v = dJointGetHingeAngleRate(p->joint[i]);
            dJointAddHingeTorque(p->joint[i], j.torque - j.stiffness * x - j.damping * v);
        }
    }
}

void step(void *data, int count)
{
    peer *p = static_cast<peer *>(data);
    for (int k = 0; k < count; k++) {
        push(p);
        dSpaceCollide(p->space, p, touch);
        dWorldQuickStep(p->world, 1e-3);
        dJointGroupEmpty(p->contacts);
    }
}

double open(void *data)
{
    const peer *p = static_cast<peer *>(data);
    double most = 0;
    for (int i = 0; i < TRUCK14_JOINTS; i++) {
        dVector3 a = {0}, b = {0};
        if (truck14_joints[i].kind == TRUCK14_HINGE) {
            dJointGetHingeAnchor(p->joint[i], a);
            dJointGetHingeAnchor2(p->joint[i], b);
        } else if (truck14_joints[i].kind == TRUCK14_BALL) {
            dJointGetBallAnchor(p->joint[i], a);
            dJointGetBallAnchor2(p->joint[i], b);
        }
        most = std::max(most, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
    }
    return most;
}

double speed(void *data)
{
    return dBodyGetLinearVel(static_cast<peer *>(data)->body[0])[0];
}

void destroy(void *data)
{
    peer *p = static_cast<peer *>(data);
    dJointGroupDestroy(p->contacts);
    dSpaceDestroy(p->space);
    dWorldDestroy(p->world);
    delete p;
    dCloseODE();
}

} // namespace

extern "C" const truck14_peer truck14_ode = {"ode", create, step, open, speed, destroy};
