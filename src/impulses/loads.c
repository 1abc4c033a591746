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
    impulse_to_coordinates(e, e->y);
    memcpy(e->y + e->m.q_count + e->m.v_count, e->state + e->at_states,
           (size_t)e->m.state_count * sizeof *e->y);
    e->m.program(e->m.context, t, e->y, e->formula);
}

// M V + h (m g; -w x I w), w in the middle of the step.
static void begin_body(impulses *e, int i, double h)
{
    const impulse_body *b = &e->m.bodies[i];
    impulse_link *l = &e->link[i];
    double spin[3], gyroscopic[3];
    mat3_mul_vec(l->inertia, l->V_mid, spin);
    vec3_cross(l->V_mid, spin, gyroscopic);
    mat3_mul_vec(l->inertia, l->V_start, spin);
    for (int k = 0; k < 3; k++) {
        l->p[k] = spin[k] - h * gyroscopic[k];
        l->p[3 + k] = b->mass * (l->V_start[3 + k] + h * e->m.gravity[k]);
    }
}

static void along_joint(impulses *e, int i, double h)
{
    const impulse_body *b = &e->m.bodies[i];
    impulse_link *l = &e->link[i];
    double force = b->formula >= 0 ? e->formula[b->formula] : b->load, rate;
    if (b->stiffness != 0.0)
        force -= b->stiffness * (impulse_coordinate(e, i) - b->rest);
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

// Arm from the mass centre, place and velocity of a point, world axes.
static void point_at(const impulses *e, const impulse_point *p, double arm[3], double at[3],
                     double velocity[3])
{
    if (p->body < 0) {
        memcpy(at, p->at, 3 * sizeof *at);
        memset(velocity, 0, 3 * sizeof *at);
        memset(arm, 0, 3 * sizeof *at);
        return;
    }
    const impulse_link *l = &e->link[p->body];
    mat3_mul_vec(l->R, p->at, arm);
    vec3_cross(l->V_mid, arm, velocity);
    for (int k = 0; k < 3; k++) {
        at[k] = e->state[POSE * p->body + k] + arm[k];
        velocity[k] += l->V_mid[3 + k];
    }
}

// -(stiffness (L - length) + damping L') + formula pushes the two points apart.
static void spring(impulses *e, const impulse_spring *s, double h)
{
    double arm[2][3], at[2][3], v[2][3], d[3];
    point_at(e, &s->from, arm[0], at[0], v[0]);
    point_at(e, &s->to, arm[1], at[1], v[1]);
    for (int k = 0; k < 3; k++)
        d[k] = at[1][k] - at[0][k];
    const double length = vec3_norm(d), scale = length > 0.0 ? 1.0 / length : 0.0;
    double rate = 0.0;
    for (int k = 0; k < 3; k++)
        rate += scale * d[k] * (v[1][k] - v[0][k]);
    const double force = s->formula >= 0
                             ? e->formula[s->formula]
                             : -(s->stiffness * (length - s->length) + s->damping * rate);
    for (int k = 0; k < 3; k++)
        d[k] *= h * force * scale;
    push(e, s->to.body, arm[1], d);
    for (int k = 0; k < 3; k++)
        d[k] = -d[k];
    push(e, s->from.body, arm[0], d);
}

static void force(impulses *e, const impulse_force *f, double h)
{
    double arm[3], at[3], v[3], value[3];
    const double *given = f->formula >= 0 ? e->formula + f->formula : f->value;
    if (f->at.body < 0)
        return;
    if (f->in_body)
        mat3_mul_vec(e->link[f->at.body].R, given, value);
    else
        memcpy(value, given, sizeof value);
    for (int k = 0; k < 3; k++)
        value[k] *= h;
    point_at(e, &f->at, arm, at, v);
    if (f->torque)
        for (int k = 0; k < 3; k++)
            e->link[f->at.body].p[k] += value[k];
    else
        push(e, f->at.body, arm, value);
}

void impulse_loads(impulses *e, double h, double ahead)
{
    for (int i = 0; i < e->m.body_count; i++) {
        const impulse_body *b = &e->m.bodies[i];
        impulse_link *l = &e->link[i];
        begin_body(e, i, h);
        if (b->joint == MB_FREE)
            continue;
        impulse_bias(e, i, l->V_mid, b->inboard < 0 ? nothing : e->link[b->inboard].V_mid, l->beta);
        for (int k = 0; k < 6; k++)
            l->beta[k] *= ahead;
        if (b->has_load)
            along_joint(e, i, h);
    }
    for (int i = 0; i < e->m.spring_count; i++)
        spring(e, &e->m.springs[i], h);
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
