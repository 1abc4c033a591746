// mechanism.c - names that make a vehicle of a mechanism; programs of its wheels.
#include "mechanical/mechanism.h"

#include "expr/differentiate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the vehicle");
}

// ---- what it must have ----

static mc_status reject(const mb_model *model, int line, mc_error *error, const char *name,
                        const char *what)
{
    return mc_error_set(error, MC_BAD_INPUT, model->file, line, 0, "%s %s; %s", name, what,
                        "a mechanism becomes a vehicle by a free body chassis and four hinges "
                        "wheel_fl, wheel_fr, wheel_rl, wheel_rr about y (more axles: wheel_1l, "
                        "wheel_1r, wheel_2l and so on)");
}

static int find_body(const mb_model *model, const char *name)
{
    for (int i = 0; i < model->body_count; i++)
        if (strcmp(model->bodies[i].name, name) == 0)
            return i;
    return -1;
}

static mc_status find_wheel(mechanism *m, const char *name, mc_error *error)
{
    const mb_model *model = &m->multibody->model;
    const int body = find_body(model, name), w = m->wheel_count;
    if (body < 0)
        return reject(model, 0, error, name, "is missing");
    const mb_body *b = &model->bodies[body];
    if (b->joint != MB_HINGE)
        return reject(model, b->line, error, b->name, "is not on a hinge");
    if (b->axis[1] != 1.0)
        return reject(model, b->line, error, b->name, "does not turn about y");
    int inboard = b->inboard;
    while (inboard >= 0 && inboard != m->chassis)
        inboard = model->bodies[inboard].inboard;
    if (inboard < 0)
        return reject(model, b->line, error, b->name, "is not connected to the chassis");
    m->wheel[w] = body;
    m->spin[w] = m->multibody->system.links.body_v[body];
    m->wheel_count++;
    return MC_OK;
}

typedef char wheel_name[16];

static void name_wheel(int axle, int side, wheel_name out)
{
    snprintf(out, sizeof(wheel_name), "wheel_%d%c", axle + 1, "lr"[side]);
}

// Axles 1 to n, from the front; a wheel behind a gap in the numbers would turn without a tyre.
static mc_status find_numbered(mechanism *m, mc_error *error)
{
    const mb_model *model = &m->multibody->model;
    wheel_name name;
    int axles = 0;
    for (int w = 0; w < 2 * 9; w++) {
        name_wheel(w / 2, w % 2, name);
        axles = find_body(model, name) >= 0 ? w / 2 + 1 : axles;
    }
    if (axles > GEAR_AXLE_MAX) {
        name_wheel(GEAR_AXLE_MAX, 0, name);
        return reject(model, 0, error, name, "is on one axle too many: expected at most eight");
    }
    mc_status status = MC_OK;
    for (int w = 0; w < 2 * (axles < 2 ? 2 : axles) && status == MC_OK; w++) {
        name_wheel(w / 2, w % 2, name);
        status = find_wheel(m, name, error);
    }
    return status;
}

static mc_status find_wheels(mechanism *m, mc_error *error)
{
    static const char *const of_two_axles[] = {"wheel_fl", "wheel_fr", "wheel_rl", "wheel_rr"};
    m->numbered = find_body(&m->multibody->model, "wheel_1l") >= 0;
    if (m->numbered)
        return find_numbered(m, error);
    mc_status status = MC_OK;
    for (int w = 0; w < 4 && status == MC_OK; w++)
        status = find_wheel(m, of_two_axles[w], error);
    return status;
}

static bool is_rack(const mb_body *body)
{
    return body->joint == MB_PRISM && strcmp(body->name, "rack") == 0;
}

// Loads of the mechanism itself would be missing from the energy balance; that of a rack is in it,
// with the engine.
static mc_status check_loads(const mb_model *model, mc_error *error)
{
    static const char hint[] = "a vehicle gets its loads from its wheels, engine and brakes";
    if (model->force_count > 0)
        return mc_error_set(error, MC_BAD_INPUT, model->file, model->forces[0].line, 0,
                            "force %s cannot act on a vehicle; %s", model->forces[0].name, hint);
    if (model->torque_count > 0)
        return mc_error_set(error, MC_BAD_INPUT, model->file, model->torques[0].line, 0,
                            "torque %s cannot act on a vehicle; %s", model->torques[0].name, hint);
    if (model->constraint_count > 0)
        return mc_error_set(error, MC_BAD_INPUT, model->file, model->constraints[0].line, 0,
                            "constraint %s cannot act on a vehicle; joints between bodies can",
                            model->constraints[0].name);
    const char *owner;
    int line;
    if (mb_switch_at(model, 0, &owner, &line))
        return mc_error_set(error, MC_BAD_INPUT, model->file, line, 0,
                            "joint %s has a condition; on a vehicle joints always act", owner);
    for (int i = 0; i < model->body_count; i++)
        if (model->bodies[i].load.text && !is_rack(&model->bodies[i]))
            return mc_error_set(error, MC_BAD_INPUT, model->file, model->bodies[i].load.line,
                                model->bodies[i].load.column,
                                "the load of %s cannot act on a vehicle; %s", model->bodies[i].name,
                                hint);
    return MC_OK;
}

static mc_status check(mechanism *m, mc_error *error)
{
    const mb_model *model = &m->multibody->model;
    m->chassis = find_body(model, "chassis");
    if (m->chassis < 0)
        return reject(model, 0, error, "chassis", "is missing");
    const mb_body *b = &model->bodies[m->chassis];
    if (b->joint != MB_FREE)
        return reject(model, b->line, error, b->name, "is not free");
    if (b->euler)
        return reject(model, b->line, error, b->name, "is turned by angles, not by a quaternion");
    for (int i = 0; i < model->body_count; i++)
        if (model->bodies[i].joint == MB_FREE && i != m->chassis)
            return reject(model, model->bodies[i].line, error, model->bodies[i].name,
                          "is a second free body");
    mc_status status = check_loads(model, error);
    if (status == MC_OK)
        status = find_wheels(m, error);
    m->closed = model->closing_count > 0;
    m->rack = -1;
    const int rack = find_body(model, "rack");
    for (int i = 0; rack >= 0 && is_rack(&model->bodies[rack]) && i < model->input_count; i++)
        if (strcmp(model->inputs[i].name, "rack_to") == 0)
            m->rack = mb_at_input(&m->multibody->system) + i;
    double g;
    for (int k = 0; k < 2 && status == MC_OK; k++)
        if (!expr_is_const(model->graph, model->gravity[k], &g) || g != 0.0)
            status = mc_error_set(error, MC_BAD_INPUT, model->file, 0, 0,
                                  "gravity of a vehicle must be [0, 0, g]: the road gives the "
                                  "slope");
    return status;
}

// ---- nodes ----

static void put(expr_id *out, mb_vec a)
{
    memcpy(out, a.v, sizeof a.v);
}

// Sums of mass times place and of mass times velocity.
static void whole(const mb_links *links, mb_frames *frames, expr_id *mass, mb_vec *moment,
                  mb_vec *momentum)
{
    expr_graph *g = links->graph;
    *mass = EXPR_ZERO;
    *moment = *momentum = mb_vec_zero();
    for (int i = 0; i < links->link_count; i++) {
        const mb_link *link = &links->links[i];
        const mb_mat *R = mb_frames_turn(frames, i);
        const mb_vec whirl =
            mb_mat_times(g, R, mb_vec_cross(g, mb_frames_spin(frames, i), link->moment));
        *mass = expr_add(g, *mass, link->mass);
        *moment = mb_vec_add(g, *moment, mb_vec_scale(g, link->mass, mb_frames_origin(frames, i)));
        *moment = mb_vec_add(g, *moment, mb_mat_times(g, R, link->moment));
        *momentum =
            mb_vec_add(g, *momentum, mb_vec_scale(g, link->mass, mb_frames_velocity(frames, i)));
        *momentum = mb_vec_add(g, *momentum, whirl);
    }
}

// Whether a force is a formula of positions alone: what it takes is stored.
static bool is_stored(const mb_system *s, expr_id force, mc_error *error)
{
    expr_id by[s->v_count + 1];
    if (expr_jacobian(s->graph, &force, 1, s->links.v_input, s->v_count, by, error) != MC_OK)
        return false;
    for (int j = 0; j < s->v_count; j++)
        if (by[j] != EXPR_ZERO)
            return false;
    return true;
}

// Powers into dampers and springs. Of a spring: what stiffness takes is potential energy, what its
// damping takes is damped, and a formula is either; of joints damping times rate squared, and the
// load of a rack.
static bool spring_powers(const mb_system *s, expr_id *out, expr_id *stored, expr_id *steered,
                          bool *stores, mc_error *error)
{
    expr_graph *g = s->graph;
    expr_id *seed = calloc((size_t)expr_input_count(g) + 1, sizeof *seed); // all EXPR_ZERO
    if (!seed)
        return false;
    for (int i = 0; i < s->q_count; i++)
        seed[s->links.q_input[i]] = s->rate[i];
    expr_direction *time = expr_direction_create(g, seed);
    free(seed);
    if (!time)
        return false;
    *out = *stored = *steered = EXPR_ZERO;
    for (int i = 0; i < s->model->spring_count; i++) {
        const mb_spring *spring = &s->model->springs[i];
        const expr_id stretch = expr_sub(g, s->spring_length[i], spring->length);
        const expr_id force =
            expr_add(g, s->spring_force[i], expr_mul(g, spring->stiffness, stretch));
        if (spring->force.text && is_stored(s, force, error)) {
            const expr_id rate = expr_along(time, s->spring_length[i]);
            *stored = expr_sub(g, *stored, expr_mul(g, force, rate));
            *stores = true;
            continue;
        }
        *out = expr_sub(g, *out, expr_mul(g, force, expr_along(time, s->spring_length[i])));
    }
    for (int i = 0; i < s->model->body_count; i++) {
        const mb_body *b = &s->model->bodies[i];
        if (b->joint != MB_HINGE && b->joint != MB_PRISM)
            continue;
        const expr_id rate = s->links.v[s->links.body_v[i]];
        *out = expr_add(g, *out, expr_mul(g, b->damping, expr_square(g, rate)));
        *steered = expr_add(g, *steered, expr_mul(g, s->joint_load[i], rate));
    }
    expr_direction_destroy(time);
    return true;
}

static void wheel_nodes(const mechanism *m, mb_frames *frames, int w, expr_id *out)
{
    static const expr_id origin[3] = {EXPR_ZERO, EXPR_ZERO, EXPR_ZERO};
    const mb_model *model = &m->multibody->model;
    const mb_body *body = &model->bodies[m->wheel[w]];
    expr_graph *g = model->graph;
    mb_mat turn = mb_frames_body_turn(frames, body->inboard), joint;
    memcpy(joint.m, body->turn, sizeof joint.m);
    turn = mb_mat_mul(g, &turn, &joint);
    if (body->mounted) {
        memcpy(joint.m, body->mount_turn, sizeof joint.m);
        turn = mb_mat_mul(g, &turn, &joint);
    }
    put(out + SEE_PLACE, mb_frames_point(frames, m->wheel[w], origin));
    put(out + SEE_VELOCITY, mb_frames_point_velocity(frames, m->wheel[w], origin));
    put(out + SEE_SPIN, mb_frames_body_spin(frames, body->inboard));
    put(out + SEE_AXLE, mb_mat_column(&turn, 1));
}

// ---- programs ----

// Values and the partial velocities of `rows` as one program.
static mc_status build(mc_multibody *multibody, const expr_id *values, int value_count,
                       const expr_id *rows, int row_count, mechanism_program *out, mc_error *error)
{
    const mb_system *s = &multibody->system;
    const size_t capacity = (size_t)row_count * (size_t)s->v_count + 1;
    expr_id *by = malloc(capacity * sizeof *by),
            *all = malloc((capacity + (size_t)value_count) * sizeof *all);
    out->row = malloc(capacity * sizeof *out->row);
    out->velocity = malloc(capacity * sizeof *out->velocity);
    out->value_count = value_count;
    mc_status status = by && all && out->row && out->velocity ? MC_OK : no_memory(error);
    if (status == MC_OK && row_count > 0)
        status = expr_jacobian(s->graph, rows, row_count, s->links.v_input, s->v_count, by, error);
    if (status == MC_OK) {
        memcpy(all, values, (size_t)value_count * sizeof *all);
        for (size_t k = 0; k + 1 < capacity; k++)
            if (by[k] != EXPR_ZERO) {
                out->row[out->partial_count] = (int)k / s->v_count;
                out->velocity[out->partial_count] = (int)k % s->v_count;
                all[value_count + out->partial_count++] = by[k];
            }
        status = expr_graph_status(s->graph, error);
    }
    if (status == MC_OK) {
        out->program =
            expr_program_build(s->graph, all, NULL, value_count + out->partial_count, error);
        status = out->program ? MC_OK : error->code;
    }
    if (status == MC_OK) {
        out->kernel = expr_kernel_create(out->program, EXPR_COMPILE_BACKGROUND, error);
        status = out->kernel ? MC_OK : error->code;
    }
    free(by);
    free(all);
    return status;
}

static mc_status make_see(mechanism *m, expr_id mass, mb_vec moment, mb_vec momentum,
                          mb_frames *frames, mc_error *error)
{
    expr_id values[SEE_MAX], rows[LOAD_MAX];
    expr_graph *g = m->multibody->system.graph;
    put(values + SEE_CENTRE, mb_vec_scale(g, expr_div(g, EXPR_ONE, mass), moment));
    put(values + SEE_MOMENTUM, momentum);
    put(rows + LOAD_ALL, momentum);
    if (!spring_powers(&m->multibody->system, &values[SEE_DAMPED], &values[SEE_STORED],
                       &values[SEE_STEERED], &m->stores, error))
        return no_memory(error);
    for (int w = 0; w < m->wheel_count; w++) {
        expr_id *at = values + SEE_WHEEL + w * SEE_EACH, *row = rows + LOAD_WHEEL + w * LOAD_EACH;
        wheel_nodes(m, frames, w, at);
        memcpy(row + LOAD_FORCE, at + SEE_VELOCITY, 3 * sizeof *row);
        memcpy(row + LOAD_TORQUE, at + SEE_SPIN, 3 * sizeof *row);
    }
    return build(m->multibody, values, SEE_WHEEL + m->wheel_count * SEE_EACH, rows,
                 LOAD_WHEEL + m->wheel_count * LOAD_EACH, &m->see, error);
}

static mc_status make_look(mechanism *m, expr_id mass, mb_vec moment, mb_frames *frames,
                           mc_error *error)
{
    static const expr_id origin[3] = {EXPR_ZERO, EXPR_ZERO, EXPR_ZERO};
    const mb_system *s = &m->multibody->system;
    const mb_vec gravity = {{s->model->gravity[0], s->model->gravity[1], s->model->gravity[2]}};
    const mb_mat turn = mb_frames_body_turn(frames, m->chassis);
    expr_id values[LOOK_COUNT], rows[PUSH_COUNT];
    values[LOOK_MASS] = mass;
    values[LOOK_KINETIC] = s->kinetic;
    values[LOOK_POTENTIAL] = s->potential;
    values[LOOK_LEVEL] = expr_neg(s->graph, mb_vec_dot(s->graph, gravity, moment));
    put(values + LOOK_GRAVITY, gravity);
    put(values + LOOK_PLACE, mb_frames_point(frames, m->chassis, origin));
    memcpy(values + LOOK_TURN, turn.m, sizeof turn.m);
    put(values + LOOK_VELOCITY, mb_frames_point_velocity(frames, m->chassis, origin));
    put(values + LOOK_SPIN, mb_frames_body_spin(frames, m->chassis));
    memcpy(rows, values + LOOK_VELOCITY, 3 * sizeof *rows);
    memcpy(rows + 3, values + LOOK_SPIN, 3 * sizeof *rows);
    return build(m->multibody, values, LOOK_COUNT, rows, PUSH_COUNT, &m->look, error);
}

mc_status mechanism_make(mc_multibody *multibody, mechanism *out, mc_error *error)
{
    *out = (mechanism){.multibody = multibody};
    mb_frames *frames = NULL;
    mc_status status = check(out, error);
    if (status == MC_OK) {
        frames = mb_frames_create(&multibody->system.links);
        status = frames ? MC_OK : no_memory(error);
    }
    if (status == MC_OK) {
        expr_id mass;
        mb_vec moment, momentum;
        whole(&multibody->system.links, frames, &mass, &moment, &momentum);
        status = make_see(out, mass, moment, momentum, frames, error);
        if (status == MC_OK)
            status = make_look(out, mass, moment, frames, error);
        if (status == MC_OK && out->closed)
            status = build(multibody, multibody->system.rate, multibody->system.q_count, NULL, 0,
                           &out->turn, error);
    }
    mb_frames_destroy(frames);
    if (status == MC_OK) { // kernels are made by their first use: now, while one thread is here
        multibody_use(multibody, MULTIBODY_RATE);
        multibody_use(multibody, MULTIBODY_FORWARD);
        if (out->closed)
            multibody_use(multibody, MULTIBODY_PROJECT);
    } else {
        mechanism_free(out);
    }
    return status;
}

static void program_free(mechanism_program *p)
{
    expr_kernel_destroy(p->kernel);
    expr_program_destroy(p->program);
    free(p->row);
    free(p->velocity);
}

void mechanism_free(mechanism *m)
{
    program_free(&m->see);
    program_free(&m->look);
    program_free(&m->turn);
    mc_multibody_free(m->multibody);
    *m = (mechanism){0};
}

void mechanism_load(const mechanism_program *p, const double *values, const double *load,
                    double *tau)
{
    for (int k = 0; k < p->partial_count; k++)
        tau[p->velocity[k]] += values[p->value_count + k] * load[p->row[k]];
}
