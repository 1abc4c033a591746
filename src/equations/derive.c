// derive.c - model -> links -> loads -> accelerations -> rates, energies and outputs.
#include "equations/derive.h"

#include "expr/program.h"
#include "equations/assembly.h"
#include "equations/closed.h"
#include "equations/conditions.h"
#include "equations/embedded.h"
#include "multibody/scope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
    mb_system *s;
    mb_frames *frames;
    mb_scope *scope;
    mb_loads loads;
    expr_id time, *states, *inputs, *tau;
    mc_error *error;
} work;

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the equations");
}

// ---- variables -------------------------------------------------------------------------------

static void *nodes(mb_system *s, int count)
{
    return arena_alloc(&s->memory, ((size_t)count + 1) * sizeof(expr_id));
}

static bool add_variables(work *w)
{
    mb_system *s = w->s;
    const mb_model *m = s->model;
    w->states = nodes(s, m->state_count);
    w->inputs = nodes(s, m->input_count);
    w->tau = nodes(s, s->v_count);
    s->forward = nodes(s, s->v_count);
    s->rate = nodes(s, s->y_count);
    s->variable = nodes(s, m->variable_count);
    s->variable_unit =
        arena_alloc(&s->memory, ((size_t)m->variable_count + 1) * sizeof *s->variable_unit);
    s->spring_length = nodes(s, m->spring_count);
    s->spring_force = nodes(s, m->spring_count);
    s->joint_load = nodes(s, m->body_count);
    s->point = nodes(s, 3 * m->point_count);
    s->force = arena_alloc(&s->memory, ((size_t)m->force_count + 1) * sizeof *s->force);
    s->torque = arena_alloc(&s->memory, ((size_t)m->torque_count + 1) * sizeof *s->torque);
    if (!w->states || !w->inputs || !w->tau || !s->forward || !s->rate || !s->variable ||
        !s->variable_unit || !s->spring_length || !s->spring_force || !s->joint_load || !s->point ||
        !s->force || !s->torque)
        return false;
    for (int i = 0; i < m->state_count; i++)
        w->states[i] = expr_input(s->graph, m->states[i].name, EXPR_VARIABLE);
    w->time = expr_input(s->graph, "t", EXPR_VARIABLE);
    for (int i = 0; i < m->input_count; i++)
        w->inputs[i] = expr_input(s->graph, m->inputs[i].name, EXPR_VARIABLE);
    char name[104];
    for (int i = 0; i < m->body_count; i++)
        for (int k = 0; k < mb_velocity_count(&m->bodies[i]); k++) {
            char velocity[96];
            mb_velocity_name(&m->bodies[i], k, velocity);
            snprintf(name, sizeof name, "tau.%s", velocity);
            w->tau[s->links.body_v[i] + k] = expr_input(s->graph, name, EXPR_VARIABLE);
        }
    s->time = w->time, s->states = w->states, s->inputs = w->inputs;
    s->variable_count = s->y_count + 1 + s->input_count + s->v_count;
    return true;
}

// ---- loads -----------------------------------------------------------------------------------

static void add_tau(work *w, int v, expr_id value)
{
    w->loads.tau[v] = expr_add(w->s->graph, w->loads.tau[v], value);
}

// A wrench on a body: torque about the point p, force at p; link axes, p in the link.
static void add_wrench(work *w, int body, mb_vec p, mb_vec torque, mb_vec force)
{
    expr_graph *g = w->s->graph;
    const mb_place *place = &w->s->links.bodies[body];
    if (place->rotor >= 0) { // what turns it about its own axis
        const mb_rotor *rotor = &w->s->links.rotors[place->rotor];
        const mb_vec arm = mb_vec_sub(g, p, place->at);
        const mb_vec about = mb_vec_add(g, torque, mb_vec_cross(g, arm, force));
        add_tau(w, rotor->v, mb_vec_dot(g, rotor->axis, about));
    }
    if (place->link < 0)
        return;
    mb_vec *n = &w->loads.torque[place->link], *f = &w->loads.force[place->link];
    *n = mb_vec_add(g, *n, mb_vec_add(g, torque, mb_vec_cross(g, p, force)));
    *f = mb_vec_add(g, *f, force);
}

static mc_status read_vector(work *w, const mb_vector_formula *value, expr_unit unit, mb_vec *out)
{
    expr_value read;
    if (value->size == 1) {
        const mc_status status =
            mb_scope_formula(w->scope, &value->part[0], 3, unit, &read, w->error);
        for (int i = 0; i < 3; i++)
            out->v[i] = read.v[i];
        return status;
    }
    for (int i = 0; i < 3; i++) {
        const mc_status status =
            mb_scope_formula(w->scope, &value->part[i], 1, unit, &read, w->error);
        if (status != MC_OK)
            return status;
        out->v[i] = read.v[0];
    }
    return MC_OK;
}

// Components in the world or in a body's axes to link axes.
static mb_vec to_link(work *w, int body, mb_frame frame, mb_vec a)
{
    const mb_place *place = &w->s->links.bodies[body];
    if (frame == MB_BODY)
        return mb_mat_times(w->s->graph, &place->turn, a);
    return mb_mat_back(w->s->graph, mb_frames_turn(w->frames, place->link), a);
}

static mc_status add_forces(work *w)
{
    const mb_model *m = w->s->model;
    for (int i = 0; i < m->force_count; i++) {
        const mb_point *point = &m->points[m->forces[i].point];
        mb_vec force, p;
        const mc_status status = read_vector(w, &m->forces[i].value, mb_unit(1, 1, -2), &force);
        if (status != MC_OK)
            return status;
        w->s->force[i] = force;
        if (point->body < 0)
            continue; // the ground does not mind
        mb_frames_on_link(w->frames, point->body, point->at, &p);
        add_wrench(w, point->body, p, mb_vec_zero(),
                   to_link(w, point->body, m->forces[i].frame, force));
    }
    for (int i = 0; i < m->torque_count; i++) {
        mb_vec torque;
        const mc_status status = read_vector(w, &m->torques[i].value, mb_unit(2, 1, -2), &torque);
        if (status != MC_OK)
            return status;
        w->s->torque[i] = torque;
        const int body = m->torques[i].body;
        if (body >= 0)
            add_wrench(w, body, w->s->links.bodies[body].at,
                       to_link(w, body, m->torques[i].frame, torque), mb_vec_zero());
    }
    return MC_OK;
}

// Spring and damper of a joint, and the load along it.
static mc_status add_joint_loads(work *w, int i)
{
    expr_graph *g = w->s->graph;
    const mb_body *body = &w->s->model->bodies[i];
    if (body->joint != MB_HINGE && body->joint != MB_PRISM)
        return MC_OK;
    const int v = w->s->links.body_v[i];
    const expr_id q = w->s->links.q[w->s->links.body_q[i]], rate = w->s->links.v[v];
    const expr_id stretch = expr_sub(g, q, body->rest);
    add_tau(w, v, expr_neg(g, expr_mul(g, body->stiffness, stretch)));
    add_tau(w, v, expr_neg(g, expr_mul(g, body->damping, rate)));
    const expr_id energy =
        expr_mul(g, expr_mul(g, expr_const(g, 0.5), body->stiffness), expr_square(g, stretch));
    w->s->potential = expr_add(g, w->s->potential, energy);
    if (!body->load.text)
        return MC_OK;
    expr_value load;
    const mc_status status = mb_scope_formula(
        w->scope, &body->load, 1, mb_unit(body->joint == MB_HINGE ? 2 : 1, 1, -2), &load, w->error);
    if (status == MC_OK) {
        add_tau(w, v, load.v[0]);
        w->s->joint_load[i] = load.v[0];
    }
    return status;
}

// f = -(k (L - L0) + c L') + formula along the line acts on the velocities between its ends only:
// tau_j = f dL/dv_j.
static mc_status add_spring(work *w, int i)
{
    expr_graph *g = w->s->graph;
    const mb_spring *spring = &w->s->model->springs[i];
    const mb_span *span;
    expr_id length, rate, *by;
    mc_status status = mb_scope_spring(w->scope, i, &length, &rate, &span, &by, w->error);
    if (status != MC_OK)
        return status;
    const expr_id stretch = expr_sub(g, length, spring->length);
    expr_id force = expr_neg(g, expr_add(g, expr_mul(g, spring->stiffness, stretch),
                                         expr_mul(g, spring->damping, rate)));
    if (spring->force.text) {
        expr_value extra;
        status = mb_scope_formula(w->scope, &spring->force, 1, mb_unit(1, 1, -2), &extra, w->error);
        if (status != MC_OK)
            return status;
        force = expr_add(g, force, extra.v[0]);
    }
    w->s->spring_length[i] = length;
    w->s->spring_force[i] = force;
    const expr_id energy =
        expr_mul(g, expr_mul(g, expr_const(g, 0.5), spring->stiffness), expr_square(g, stretch));
    w->s->potential = expr_add(g, w->s->potential, energy);
    for (int k = 0; k < span->count; k++)
        add_tau(w, span->velocity[k], expr_mul(g, force, by[k]));
    return MC_OK;
}

static mc_status add_loads(work *w)
{
    const mb_model *m = w->s->model;
    mc_status status = MC_OK;
    for (int i = 0; status == MC_OK && i < m->body_count; i++)
        status = add_joint_loads(w, i);
    for (int i = 0; status == MC_OK && i < m->spring_count; i++)
        status = add_spring(w, i);
    return status == MC_OK ? add_forces(w) : status;
}

// ---- q' = N(q) v -----------------------------------------------------------------------------

static void quaternion_rates(expr_graph *g, const expr_id q[4], mb_vec w, expr_id out[4])
{
    const expr_id half = expr_const(g, 0.5);
    const mb_vec u = {{q[1], q[2], q[3]}};
    const mb_vec turn = mb_vec_add(g, mb_vec_scale(g, q[0], w), mb_vec_cross(g, u, w));
    out[0] = expr_neg(g, expr_mul(g, half, mb_vec_dot(g, u, w)));
    for (int k = 0; k < 3; k++)
        out[1 + k] = expr_mul(g, half, turn.v[k]);
}

// Rates of Euler angles from the spin in body axes, for any sequence: the spin turned back by the
// third angle is d a1' + e_2 a2' + e_3 a3' with d = R2' e_1; d has no part along e_2.
static void euler_rates(expr_graph *g, const int axes[3], const expr_id a[3], mb_vec w,
                        expr_id out[3])
{
    const mb_mat R2 = mb_mat_axis(g, axes[1], a[1]), R3 = mb_mat_axis(g, axes[2], a[2]);
    const mb_vec back = mb_mat_times(g, &R3, w);
    const mb_vec d = mb_mat_back(g, &R2, mb_vec_unit(axes[0]));
    const int other = 3 - axes[1] - axes[2];
    out[0] = expr_div(g, back.v[other], d.v[other]);
    out[1] = back.v[axes[1]];
    out[2] = expr_sub(g, back.v[axes[2]], expr_mul(g, d.v[axes[2]], out[0]));
}

static void coordinate_rates(mb_system *s, int i)
{
    expr_graph *g = s->graph;
    const mb_body *body = &s->model->bodies[i];
    const expr_id *q = &s->links.q[s->links.body_q[i]], *v = &s->links.v[s->links.body_v[i]];
    expr_id *out = &s->rate[s->links.body_q[i]];
    if (body->joint == MB_BALL) {
        quaternion_rates(g, q, (mb_vec){{v[0], v[1], v[2]}}, out);
    } else if (body->joint == MB_FREE) {
        mb_vec velocity = {{v[0], v[1], v[2]}};
        if (body->quasi_velocity)
            velocity = mb_mat_times(g, &s->links.links[s->links.bodies[i].link].R, velocity);
        memcpy(out, velocity.v, sizeof velocity.v);
        const mb_vec spin = {{v[3], v[4], v[5]}};
        if (body->euler)
            euler_rates(g, body->sequence, q + 3, spin, out + 3);
        else
            quaternion_rates(g, q + 3, spin, out + 3);
    } else {
        for (int k = 0; k < mb_coordinate_count(body); k++)
            out[k] = v[k];
    }
}

// ---- energies --------------------------------------------------------------------------------

// T = m v.v / 2 + v . (w x h) + w . I_o w / 2 of each link at its origin, J sigma^2 / 2 of rotors.
static void add_energies(work *w)
{
    mb_system *s = w->s;
    expr_graph *g = s->graph;
    const expr_id half = expr_const(g, 0.5);
    const mb_vec gravity = {{s->model->gravity[0], s->model->gravity[1], s->model->gravity[2]}};
    for (int i = 0; i < s->links.link_count; i++) {
        const mb_link *link = &s->links.links[i];
        const mb_mat *R = mb_frames_turn(w->frames, i);
        const mb_vec spin = mb_frames_spin(w->frames, i), v = mb_frames_velocity(w->frames, i);
        const mb_vec whirl = mb_mat_times(g, R, mb_vec_cross(g, spin, link->moment));
        expr_id T = expr_mul(g, half, expr_mul(g, link->mass, mb_vec_dot(g, v, v)));
        T = expr_add(g, T, mb_vec_dot(g, v, whirl));
        T = expr_add(g, T,
                     expr_mul(g, half, mb_vec_dot(g, spin, mb_mat_times(g, &link->inertia, spin))));
        s->kinetic = expr_add(g, s->kinetic, T);
        const mb_vec weight =
            mb_vec_add(g, mb_vec_scale(g, link->mass, mb_frames_origin(w->frames, i)),
                       mb_mat_times(g, R, link->moment));
        s->potential = expr_sub(g, s->potential, mb_vec_dot(g, gravity, weight));
    }
    for (int k = 0; k < s->links.rotor_count; k++) {
        const mb_rotor *rotor = &s->links.rotors[k];
        const expr_id sigma = expr_add(
            g, rotor->rate, mb_vec_dot(g, rotor->axis, mb_frames_spin(w->frames, rotor->link)));
        s->kinetic = expr_add(g, s->kinetic,
                              expr_mul(g, half, expr_mul(g, rotor->J, expr_square(g, sigma))));
    }
}

// ---- accelerations ---------------------------------------------------------------------------

static mc_status count_flops(mb_system *s, const expr_id *vdot, int count, int *flops,
                             mc_error *error)
{
    expr_program *p = expr_program_build(s->graph, vdot, NULL, count, error);
    if (!p)
        return error ? error->code : MC_NO_MEMORY;
    *flops = expr_part_count(&p->run).flops;
    expr_program_destroy(p);
    return MC_OK;
}

// Forward equations in the forms that come into question; the one taken stays in s->forward.
static mc_status choose_form(work *w, mb_form form)
{
    mb_system *s = w->s;
    mb_loads outside;
    if (!mb_loads_create(&s->links, &outside))
        return no_memory(w->error);
    memcpy(outside.tau, w->tau, (size_t)s->v_count * sizeof *outside.tau);
    mc_status status = MC_OK;
    expr_id *other = nodes(s, s->v_count);
    if (!other)
        status = no_memory(w->error);
    if (form == MB_FORM_EMBEDDED)
        form = MB_FORM_RECURSIVE; // without loops the same
    const bool lagrange =
        form == MB_FORM_LAGRANGE || (form == MB_FORM_CHEAPER && s->v_count <= MB_LAGRANGE_TRIED);
    if (status == MC_OK && form != MB_FORM_LAGRANGE) {
        status = mb_recursive(&s->links, &outside, s->forward, w->error);
        if (status == MC_OK)
            status = count_flops(s, s->forward, s->v_count, &s->flops[MB_FORM_RECURSIVE], w->error);
        s->form = MB_FORM_RECURSIVE;
    }
    if (status == MC_OK && lagrange) {
        status = mb_lagrange(&s->links, &outside, other, &s->lagrange, w->error);
        if (status == MC_OK)
            status = count_flops(s, other, s->v_count, &s->flops[MB_FORM_LAGRANGE], w->error);
        if (status == MC_OK && (form == MB_FORM_LAGRANGE ||
                                s->flops[MB_FORM_LAGRANGE] < s->flops[MB_FORM_RECURSIVE])) {
            s->form = MB_FORM_LAGRANGE;
            memcpy(s->forward, other, (size_t)s->v_count * sizeof *other);
        }
    }
    mb_loads_free(&outside);
    return status;
}

// ---- loops ------------------------------------------------------------------------------------

// The variables of every program at the model's start; the parameters' values in their order.
static void start_values(const mb_system *s, double *x, double *parameter)
{
    const mb_model *m = s->model;
    for (int b = 0; b < m->body_count; b++) {
        memcpy(x + s->links.body_q[b], m->bodies[b].start_q,
               (size_t)mb_coordinate_count(&m->bodies[b]) * sizeof *x);
        memcpy(x + s->q_count + s->links.body_v[b], m->bodies[b].start_v,
               (size_t)mb_velocity_count(&m->bodies[b]) * sizeof *x);
    }
    for (int i = 0; i < m->state_count; i++)
        x[s->q_count + s->v_count + i] = m->states[i].start;
    x[mb_at_time(s)] = m->start;
    for (int i = 0; i < m->input_count; i++)
        x[mb_at_input(s) + i] = m->inputs[i].value;
    for (int i = 0, n = 0; i < expr_input_count(s->graph); i++)
        if (expr_input_class(s->graph, i) == EXPR_PARAMETER) {
            for (int k = 0; k < m->parameter_count; k++)
                if (m->parameters[k].input == i)
                    parameter[n] = m->parameters[k].value;
            n++;
        }
}

// Closes the loops at the start of the model, which then is where they close, and finds the rows
// that act.
static mc_status close_start(work *w)
{
    mb_system *s = w->s;
    mb_model *m = s->model;
    double *x = calloc((size_t)s->variable_count + 8, sizeof *x);
    double *parameter = calloc((size_t)m->parameter_count + 8, sizeof *parameter);
    s->assembly = mb_assembly_create(s, &s->rows, w->error);
    mc_status status = x && parameter ? MC_OK : no_memory(w->error);
    if (status == MC_OK && !s->assembly)
        status = w->error->code;
    if (status == MC_OK) {
        start_values(s, x, parameter);
        mb_assembly_prepare(s->assembly, parameter);
        status = mb_assembly_close(s->assembly, x, w->error);
    }
    if (status == MC_OK)
        status = mb_assembly_choose(s->assembly, &s->rows, x, w->error);
    for (int b = 0; status == MC_OK && b < m->body_count; b++) {
        memcpy(m->bodies[b].start_q, x + s->links.body_q[b],
               (size_t)mb_coordinate_count(&m->bodies[b]) * sizeof *x);
        memcpy(m->bodies[b].start_v, x + s->q_count + s->links.body_v[b],
               (size_t)mb_velocity_count(&m->bodies[b]) * sizeof *x);
    }
    free(x);
    free(parameter);
    return status;
}

// min of pivot / max(alone, a hundredth of what it is at the start).
static mc_status make_margin(work *w, const mb_pivot *pivot, expr_id *out)
{
    mb_system *s = w->s;
    expr_graph *g = s->graph;
    const int m = s->rows.kept_count;
    expr_id *alone = nodes(s, m);
    double *value = arena_alloc(&s->memory, ((size_t)m + 1) * sizeof *value);
    if (!alone || !value)
        return no_memory(w->error);
    for (int r = 0; r < m; r++)
        alone[r] = pivot[r].alone;
    const mc_status status = mb_assembly_values(s->assembly, alone, m, value, w->error);
    *out = EXPR_ONE;
    for (int r = 0; r < m && status == MC_OK; r++) {
        const expr_id most = expr_max(g, alone[r], expr_const(g, 0.01 * value[r]));
        *out = expr_min(g, *out, expr_div(g, pivot[r].pivot, most));
    }
    return status;
}

static mc_status make_rows(work *w)
{
    mb_system *s = w->s;
    mc_status status =
        mb_rows_make(&s->links, s->rate, w->frames, w->scope, w->time, &s->rows, w->error);
    if (status != MC_OK || s->rows.count == 0)
        return status;
    s->forward_lambda = nodes(s, s->rows.count);
    s->lambda = nodes(s, s->rows.count);
    s->move = nodes(s, s->v_count);
    s->settle = nodes(s, s->v_count);
    if (!s->forward_lambda || !s->lambda || !s->move || !s->settle)
        return no_memory(w->error);
    return close_start(w);
}

static mc_status closed_form(work *w, mb_form form, const mb_loads *loads, expr_id *vdot,
                             expr_id *lambda, mb_pivot *pivot, bool *possible)
{
    *possible = true;
    return form == MB_FORM_EMBEDDED
               ? mb_embedded(w->s, loads, vdot, lambda, pivot, possible, w->error)
               : mb_closed_accelerations(w->s, form, loads, vdot, lambda, pivot, w->error);
}

// As choose_form, with loops: accelerations and multipliers together are what is counted.
static mc_status choose_closed_form(work *w, mb_form form)
{
    mb_system *s = w->s;
    const int count = s->v_count + s->rows.kept_count;
    mb_loads outside;
    expr_id *all = nodes(s, count);
    mb_pivot *pivot = arena_alloc(&s->memory, ((size_t)count + 1) * sizeof *pivot);
    if (!all || !pivot || !mb_loads_create(&s->links, &outside))
        return no_memory(w->error);
    memcpy(outside.tau, w->tau, (size_t)s->v_count * sizeof *outside.tau);
    mc_status status = MC_OK;
    s->form = MB_FORM_CHEAPER;
    for (mb_form k = MB_FORM_LAGRANGE; k <= MB_FORM_EMBEDDED && status == MC_OK; k++) {
        bool possible = true;
        if (form != MB_FORM_CHEAPER && form != k)
            continue;
        status = closed_form(w, k, &outside, all, all + s->v_count, pivot, &possible);
        if (!possible && form == k && status == MC_OK)
            status = mc_error_set(w->error, MC_BAD_INPUT, s->model->file, 0, 0,
                                  "the form with independent speeds does not support constraints, "
                                  "gears, racks, rolling discs and free bodies inside loops");
        if (!possible)
            continue;
        if (status == MC_OK)
            status = count_flops(s, all, count, &s->flops[k], w->error);
        if (status == MC_OK && (s->form == MB_FORM_CHEAPER || s->flops[k] < s->flops[s->form])) {
            s->form = k;
            memcpy(s->forward, all, (size_t)s->v_count * sizeof *all);
            memcpy(s->forward_lambda, all + s->v_count, (size_t)s->rows.kept_count * sizeof *all);
            status = make_margin(w, pivot, &s->forward_margin);
        }
    }
    if (status == MC_OK)
        status = mb_lagrange_assemble(&s->links, &outside, &s->descriptor[0], w->error);
    mb_loads_free(&outside);
    return status;
}

// A step of Newton's method back to the constraints: positions by -e, velocities by -e'.
static mc_status add_projection(work *w)
{
    mb_system *s = w->s;
    expr_graph *g = s->graph;
    const int m = s->rows.kept_count;
    expr_id *right = nodes(s, m);
    if (!right)
        return no_memory(w->error);
    for (int r = 0; r < m; r++) {
        const expr_id e = s->rows.row[s->rows.kept[r]].e;
        right[r] = e == EXPR_NONE ? EXPR_ZERO : expr_neg(g, e);
    }
    const mb_form form = s->form == MB_FORM_EMBEDDED ? MB_FORM_RECURSIVE : s->form;
    mc_status status = mb_closed_change(s, form, right, s->move, w->error);
    for (int r = 0; r < m; r++)
        right[r] = expr_neg(g, s->rows.row[s->rows.kept[r]].rate);
    if (status == MC_OK)
        status = mb_closed_change(s, form, right, s->settle, w->error);
    return status;
}

static mc_status add_closed_rates(work *w)
{
    mb_system *s = w->s;
    mb_pivot *pivot = arena_alloc(&s->memory, ((size_t)s->rows.count + 1) * sizeof *pivot);
    if (!pivot)
        return no_memory(w->error);
    bool possible;
    mc_status status =
        closed_form(w, s->form, &w->loads, s->rate + s->q_count, s->lambda, pivot, &possible);
    if (status == MC_OK)
        status = make_margin(w, pivot, &s->margin);
    if (status == MC_OK)
        status = mb_lagrange_assemble(&s->links, &w->loads, &s->descriptor[1], w->error);
    return status == MC_OK ? add_projection(w) : status;
}

static mc_status add_rates(work *w)
{
    mb_system *s = w->s;
    const mb_model *m = s->model;
    for (int i = 0; s->rows.count == 0 && i < m->body_count; i++)
        coordinate_rates(s, i);
    memcpy(w->loads.tau, w->tau, (size_t)s->v_count * sizeof *w->loads.tau);
    mc_status status = add_loads(w);
    expr_id *vdot = s->rate + s->q_count;
    if (status == MC_OK && s->rows.count > 0)
        status = add_closed_rates(w);
    else if (status == MC_OK)
        status = s->form == MB_FORM_LAGRANGE
                     ? mb_lagrange(&s->links, &w->loads, vdot, NULL, w->error)
                     : mb_recursive(&s->links, &w->loads, vdot, w->error);
    for (int i = 0; status == MC_OK && i < m->state_count; i++) {
        expr_unit unit = m->states[i].unit;
        unit.time = (int8_t)(unit.time - 6);
        expr_value rate;
        status = mb_scope_formula(w->scope, &m->states[i].rate, 1, unit, &rate, w->error);
        s->rate[s->q_count + s->v_count + i] = rate.v[0];
    }
    return status;
}

// In the order of the file, before anything that uses them.
static mc_status add_user_variables(work *w)
{
    mb_system *s = w->s;
    const mb_model *m = s->model;
    for (int i = 0; i < m->variable_count; i++) {
        expr_value value;
        const mc_status status = mb_scope_variable(w->scope, i, &value, w->error);
        if (status != MC_OK)
            return status;
        if (value.size != 1)
            return mc_error_set(w->error, MC_BAD_INPUT, m->file, m->variables[i].value.line,
                                m->variables[i].value.column,
                                "variable %s is a vector; take a component (.x .y .z) or norm()",
                                m->variables[i].name);
        s->variable[i] = value.v[0];
        s->variable_unit[i] = value.unit;
    }
    return MC_OK;
}

static mc_status add_outputs(work *w)
{
    mb_system *s = w->s;
    const mb_model *m = s->model;
    add_energies(w);
    for (int i = 0; i < m->point_count; i++) {
        const mb_vec p = mb_frames_point(w->frames, m->points[i].body, m->points[i].at);
        memcpy(&s->point[3 * i], p.v, sizeof p.v);
    }
    return expr_graph_status(s->graph, w->error);
}

// ---- names in emitted code -------------------------------------------------------------------

static void label(mb_system *s)
{
    char name[120];
    for (int i = 0; i < s->model->body_count; i++)
        for (int k = 0; k < mb_velocity_count(&s->model->bodies[i]); k++) {
            char velocity[96];
            mb_velocity_name(&s->model->bodies[i], k, velocity);
            snprintf(name, sizeof name, "%s_dot", velocity);
            expr_label(s->graph, s->forward[s->links.body_v[i] + k], name);
        }
}

// forward_only: the equations of motion under tau and gravity, nothing else.
static mc_status derive(mb_model *model, mb_form form, bool forward_only, mb_system *out,
                        mc_error *error)
{
    *out = (mb_system){.model = model, .graph = model->graph};
    work w = {.s = out, .error = error};
    mc_status status = mb_links_make(model, &out->links, error);
    if (status != MC_OK)
        return status;
    out->q_count = out->links.q_count;
    out->v_count = out->links.v_count;
    out->state_count = model->state_count;
    out->input_count = model->input_count;
    out->y_count = out->q_count + out->v_count + out->state_count;
    w.frames = mb_frames_create(&out->links);
    if (!w.frames || !add_variables(&w) || !mb_loads_create(&out->links, &w.loads))
        status = no_memory(error);
    if (status == MC_OK) {
        w.scope = mb_scope_create(&out->links, w.frames, w.time, w.states, w.inputs);
        const bool closed = model->closing_count + model->constraint_count > 0;
        for (int i = 0; closed && i < model->body_count; i++)
            coordinate_rates(out, i); // rows need them
        status = w.scope ? make_rows(&w) : no_memory(error);
    }
    if (status == MC_OK)
        status = out->rows.count > 0 ? choose_closed_form(&w, form) : choose_form(&w, form);
    if (status == MC_OK && !forward_only)
        status = add_user_variables(&w);
    if (status == MC_OK && !forward_only)
        status = add_rates(&w);
    if (status == MC_OK && !forward_only)
        status = mb_conditions_make(out, w.scope, error);
    if (status == MC_OK && !forward_only)
        status = add_outputs(&w);
    if (status == MC_OK && !forward_only)
        label(out);
    mb_scope_destroy(w.scope);
    mb_frames_destroy(w.frames);
    mb_loads_free(&w.loads);
    if (status != MC_OK)
        mb_system_free(out);
    return status;
}

mc_status mb_derive(mb_model *model, mb_form form, mb_system *out, mc_error *error)
{
    mc_error own;
    return derive(model, form, false, out, error ? error : &own);
}

mc_status mb_derive_cost(mb_model *model, mb_form form, int *flops, mc_error *error)
{
    mb_system s;
    const mc_status status = derive(model, form, true, &s, error);
    *flops = 0;
    if (status == MC_OK) {
        *flops = s.flops[s.form];
        mb_system_free(&s);
    }
    return status;
}

void mb_system_free(mb_system *s)
{
    mb_links_free(&s->links);
    mb_lagrange_free(&s->lagrange);
    for (int k = 0; k < 2; k++)
        mb_lagrange_free(&s->descriptor[k]);
    mb_assembly_destroy(s->assembly);
    mb_rows_free(&s->rows);
    arena_free(&s->memory);
    *s = (mb_system){0};
}
