// loads.c - impulses on bodies and along joints: gravity, gyroscopic torque, springs, dampers,
// formulas.
#include "impulses/engine.h"
#include "num/vec3.h"

#include <string.h>

static const double nothing[6];

void impulse_formulas(impulses *e, double t)
{
    if (!e->m.program)
        return;
    impulse_to_coordinates(e, e->y, e->known);
    e->known = true;
    memcpy(e->y + e->m.q_count + e->m.v_count, e->state + e->at_states,
           (size_t)e->m.state_count * sizeof *e->y);
    e->m.program(e->m.context, t, e->y, e->formula);
}

static void along_joint(impulses *e, int i, double h, bool again)
{
    const impulse_body *b = &e->m.bodies[i];
    impulse_link *l = &e->link[i];
    double force = b->formula >= 0 ? e->formula[b->formula] : b->load, rate;
    if (b->stiffness != 0.0 && !again)
        l->q = impulse_coordinate(e, i);
    if (b->stiffness != 0.0)
        force -= b->stiffness * (l->q - b->rest);
    if (b->damping != 0.0) {
        impulse_rates(e, i, l->V_mid, b->inboard < 0 ? nothing : e->link[b->inboard].V_mid, &rate);
        force -= b->damping * rate;
    }
    l->tau[0] = h * force;
}

// An impulse at a place of a body.
static void push(impulses *e, int body, const double arm[3], const double impulse[3])
{
    double turning[3];
    if (body < 0)
        return;
    vec3_cross(arm, impulse, turning);
    for (int k = 0; k < 3; k++) {
        e->link[body].p[k] += turning[k];
        e->link[body].p[3 + k] += impulse[k];
    }
}

// Arm from the mass centre and place of a point, world axes.
static void point_at(const impulses *e, const impulse_point *p, double arm[3], double at[3])
{
    if (p->body < 0) {
        memcpy(at, p->at, 3 * sizeof *at);
        memset(arm, 0, 3 * sizeof *at);
        return;
    }
    mat3_mul_vec(e->link[p->body].R, p->at, arm);
    for (int k = 0; k < 3; k++)
        at[k] = e->state[POSE * p->body + k] + arm[k];
}

static void force(impulses *e, const impulse_force *f, double h)
{
    double arm[3], at[3], value[3];
    const double *given = f->formula >= 0 ? e->formula + f->formula : f->value;
    if (f->at.body < 0)
        return;
    if (f->in_body)
        mat3_mul_vec(e->link[f->at.body].R, given, value);
    else
        memcpy(value, given, sizeof value);
    for (int k = 0; k < 3; k++)
        value[k] *= h;
    point_at(e, &f->at, arm, at);
    if (f->torque)
        for (int k = 0; k < 3; k++)
            e->link[f->at.body].p[k] += value[k];
    else
        push(e, f->at.body, arm, value);
}

void impulse_loads(impulses *e, double h, double ahead, bool again)
{
    e->bodies->begin_loads(e, h, again);
    e->bodies->bias(e, ahead);
    for (int i = 0; i < e->m.body_count; i++)
        if (e->m.bodies[i].has_load && e->m.bodies[i].joint != MB_FREE)
            along_joint(e, i, h, again);
    e->bodies->springs(e, h, again);
    for (int i = 0; i < e->m.force_count; i++)
        force(e, &e->m.forces[i], h);
    for (int c = 0; c < e->contact_count; c++) { // tyre springs
        const impulse_contact *k = &e->contact[c];
        if (k->pressed <= 0.0)
            continue;
        const int body = e->m.wheels[k->wheel].body;
        double arm[3], impulse[3];
        for (int x = 0; x < 3; x++) {
            arm[x] = k->at.point[x] - e->state[POSE * body + x];
            impulse[x] = h * k->pressed * k->at.normal[x];
        }
        push(e, body, arm, impulse);
    }
    for (int i = 0; i < e->m.body_count && e->m.settings.loads; i++)
        memcpy(e->link[i].own, e->link[i].p, sizeof e->link[i].own);
}
