// step.c - one step of time: Verlet with joints, impacts at their instants, joints closed.
//
//     x_m = x_0 + h/2 V_0                                        half of the way
//     M (V_1 - V_0) = h f(x_m, V_m, t_m) + J' lambda             impulses in the middle
//     J V_1 + h/2 (dJ/dt V)_m = 0                                joints at the end of the step
//     x_1 = x_m + h/2 V_1                                        the other half
//
// with J in the middle. The term with dJ/dt moves the joints' rows to the end of the step: without
// it velocities would fit the joints half a step ago, and the scheme would be of first order. V_m
// is V_0 in a first pass, from which it becomes (V_0 + V_1)/2 for the second: forces that depend on
// velocities (dampers, gyroscopic torques) are of second order too. Contacts keep the forces of the
// last step in the first pass.
//
// After the step joints are open by O(h^3). Post-stabilization (Cline and Pai): the displacement
// that closes them, smallest in the kinetic energy it would have, with the matrix of the middle;
// repeated until they are closed to the tolerance.
#include "base/assert.h"
#include "base/cpu.h"
#include "impulses/engine.h"
#include "impulses/turn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double start_share = 1e-6; // of a step, in which a wheel that bounced is not looked at
enum { CLOSE_MAX = 12, ROOT_MAX = 60, IMPACTS_MAX = 200 };

static const impulse_bodies *const bodies[CPU_LEVEL_COUNT] = {
    [CPU_PLAIN] = &impulse_bodies_plain, [CPU_AVX2] = &impulse_bodies_avx2};
static const impulse_tree *const trees[CPU_LEVEL_COUNT] = {
    [CPU_PLAIN] = &impulse_tree_plain, [CPU_AVX2] = &impulse_tree_avx2};
static const impulse_dense *const denses[CPU_LEVEL_COUNT] = {
    [CPU_PLAIN] = &impulse_dense_plain, [CPU_AVX2] = &impulse_dense_avx2};

static const impulse_solver *const solvers[] = {&impulse_direct, &impulse_sequential};

const impulse_solver *impulse_solver_at(int index)
{
    return index >= 0 && index < (int)(sizeof solvers / sizeof solvers[0]) ? solvers[index] : NULL;
}

const char *impulse_solver_name(const impulse_solver *solver)
{
    return solver->name;
}

const char *impulse_solver_doc(const impulse_solver *solver)
{
    return solver->doc;
}

// ---- memory ------------------------------------------------------------------------------------

impulse_settings impulse_settings_default(void)
{
    return (impulse_settings){.friction = IMPULSE_CONE,
                              .iterations = 100,
                              .tolerance = 1e-8,
                              .closed = 2e-11,
                              .substeps = 1};
}

static void *array(impulses *e, int count, size_t size)
{
    void *made = arena_alloc(&e->memory, ((size_t)count + 8) * size);
    if (made)
        memset(made, 0, ((size_t)count + 8) * size);
    else
        e->report.singular = true; // stands for "no memory" until creation ends
    return made;
}

static double *doubles(impulses *e, int count)
{
    return array(e, count, sizeof(double));
}

// What impulses of `single` rows and of the contacts do to all.
static void make_responses(impulses *e, int single)
{
    e->response = array(e, single, sizeof *e->response);
    for (int r = 0; r < single && e->response; r++) {
        e->response[r].Y = doubles(e, e->freedom_count);
        e->response[r].Z = doubles(e, e->freedom_count);
        e->response[r].path = array(e, e->m.body_count, sizeof(int));
    }
    e->patch = array(e, e->contact_count, sizeof *e->patch);
    e->patch_sum = array(e, e->freedom_count, sizeof *e->patch_sum);
    for (int c = 0; c < e->contact_count && e->patch; c++) {
        e->patch[c].Y = array(e, e->freedom_count, sizeof *e->patch[c].Y);
        e->patch[c].Z = array(e, e->freedom_count, sizeof *e->patch[c].Z);
    }
}

static void make_room(impulses *e)
{
    const impulse_model *m = &e->m;
    const int rows = m->beside_count + m->motor_count + m->limit_count + 3 * e->contact_count;
    e->row_max = rows;
    e->link = array(e, m->body_count, sizeof *e->link);
    e->node = array(e, m->body_count, sizeof *e->node);
    e->diagonals = array(e, 3 * ((m->body_count + 3) / 4), sizeof *e->diagonals);
    for (int i = 0; i < m->body_count && e->diagonals; i++)
        for (int k = 0; k < 3; k++)
            e->diagonals[3 * (i / 4) + k][i % 4] = m->bodies[i].inertia[4 * k];
    e->state = doubles(e, e->state_count);
    e->before = doubles(e, e->state_count);
    e->y = doubles(e, m->q_count + m->v_count + m->state_count);
    e->formula = doubles(e, m->formula_count);
    e->span = array(e, m->spring_count, sizeof *e->span);
    e->begun = doubles(e, m->state_count);
    make_responses(e, rows - 3 * e->contact_count);
    e->along = doubles(e, m->beside_count * e->freedom_count);
    e->wide = (rows + 7) & ~3; // room for a vector behind the last
    e->W = doubles(e, rows * e->wide);
    e->F = doubles(e, m->beside_count * m->beside_count);
    e->C = doubles(e, m->beside_count * rows);
    e->stride = ((rows + 3) & ~3) + 4; // room for a vector behind the last
    e->L = doubles(e, e->stride * e->stride + 4);
    e->pivot = doubles(e, rows);
    e->free_row = array(e, rows, sizeof(int));
    e->run = array(e, rows, sizeof *e->run);
    e->ease = doubles(e, rows);
    e->residual = doubles(e, rows);
    e->past = doubles(e, rows);
    e->slips = array(e, rows, sizeof *e->slips);
    e->soft = doubles(e, 2 * rows);
    e->shift = doubles(e, rows);
    e->at_bound = array(e, rows, sizeof(bool));
    e->past_round = doubles(e, rows);
    e->newton = doubles(e, rows * e->stride);
    e->newton_right = doubles(e, rows);
    e->row_g = doubles(e, 6 * rows);
    e->row_h = doubles(e, m->pair_count > 0 ? 6 * rows : 0);
    e->row_other = array(e, rows, sizeof(int));
    e->placed_hull = array(e, m->pair_count > 0 ? 2 : 0, sizeof *e->placed_hull);
    e->pair_gap = doubles(e, m->pair_count);
    e->pair_floor = doubles(e, m->pair_count);
    e->lambda = doubles(e, rows);
    e->closing = doubles(e, rows);
    e->multiplier = doubles(e, m->beside_count);
    e->poses = doubles(e, POSE * m->body_count);
    e->right = doubles(e, rows);
    e->goal = doubles(e, rows);
    e->low = doubles(e, rows);
    e->high = doubles(e, rows);
    e->work = doubles(e, rows + e->freedom_count);
    e->row_body = array(e, rows, sizeof(int));
    e->row_along = array(e, rows, sizeof(bool));
    e->contact_of = array(e, rows, sizeof(int));
    e->slot = array(e, rows, sizeof(int));
    e->meet = array(e, m->wheel_count * m->wheel_count, sizeof(int));
    e->contact = array(e, e->contact_count, sizeof *e->contact);
}

// The body in which the ways inboard of two bodies meet; -1: none. Bodies stand inboard first.
static int meet_of(const impulses *e, int i, int j)
{
    while (i != j)
        if (i > j)
            i = e->m.bodies[i].inboard;
        else
            j = e->m.bodies[j].inboard;
    return i;
}

static void set_constants(impulses *e, impulse_body *b)
{
    const double *I = b->inertia;
    e->has_general = e->has_general || b->joint == MB_GENERAL;
    b->diagonal = I[1] == 0.0 && I[2] == 0.0 && I[5] == 0.0;
    for (int x = 0; x < 3; x++)
        for (int k = 0; k < 3; k++) {
            b->inboard_columns[3 * k + x] = b->inboard_axes[3 * x + k];
            b->body_columns[3 * k + x] = b->body_axes[3 * x + k];
        }
}

static void name_contacts(impulses *e)
{
    int c = 0;
    for (int w = 0; w < e->m.wheel_count; w++)
        for (int p = 0; p < e->m.wheels[w].planes; p++)
            e->contact[c++] = (impulse_contact){.wheel = w,
                                                .plane = p,
                                                .pair = -1,
                                                .body = e->m.wheels[w].body,
                                                .other = -1,
                                                .tyre = e->m.wheels[w].stiffness > 0.0,
                                                .row = -1};
    for (int i = 0; i < e->m.pair_count; i++)
        for (int p = 0; p < PAIR_POINTS; p++)
            e->contact[c++] = (impulse_contact){.wheel = -1,
                                                .plane = p,
                                                .pair = i,
                                                .body = e->m.pairs[i].body,
                                                .other = e->m.pairs[i].other,
                                                .row = -1};
}

impulses *impulses_create(const impulse_model *model, mc_error *error)
{
    impulses *e = calloc(1, sizeof *e);
    if (!e) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the engine");
        return NULL;
    }
    e->m = *model;
    e->bodies = bodies[cpu_level_best()];
    e->tree = trees[cpu_level_best()];
    e->dense = denses[cpu_level_best()];
    if (!e->m.ground.meet)
        e->m.ground = impulse_plane;
    for (int i = 0; i < model->body_count; i++) {
        set_constants(e, &e->m.bodies[i]);
        e->m.bodies[i].freedom = e->freedom_count;
        e->freedom_count += model->bodies[i].freedom_count;
    }
    for (int w = 0; w < model->wheel_count; w++)
        e->wheel_contact_count += model->wheels[w].planes;
    e->contact_count = e->wheel_contact_count + PAIR_POINTS * model->pair_count;
    e->at_angle = POSE * model->body_count;
    e->at_states = e->at_angle + model->body_count;
    e->at_row = e->at_states + model->state_count;
    e->at_contact = e->at_row + model->motor_count + model->limit_count;
    e->at_sum = e->at_contact + KEPT * e->contact_count;
    e->at_warm = e->at_sum + SUMS;
    e->solver = model->settings.solver ? model->settings.solver : solvers[0];
    const bool sequential = e->solver == &impulse_sequential;
    e->at_pair = e->at_warm + (sequential ? 6 * model->body_count + model->beside_count : 0);
    e->state_count = e->at_pair + PAIR_KEPT * model->pair_count;
    make_room(e);
    mc_status status = sequential ? impulse_sequence_make(e, array, error) : MC_OK;
    if (e->report.singular)
        status = mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the engine");
    if (status != MC_OK) {
        impulses_destroy(e);
        return NULL;
    }
    name_contacts(e);
    for (int i = 0; i < model->wheel_count; i++)
        for (int j = 0; j < model->wheel_count; j++)
            e->meet[i * model->wheel_count + j] =
                meet_of(e, model->wheels[i].body, model->wheels[j].body);
    return e;
}

void impulses_destroy(impulses *e)
{
    if (!e)
        return;
    arena_free(&e->memory);
    free(e);
}

// ---- parts of a step ---------------------------------------------------------------------------

static void move(impulses *e, double scale, bool of_links)
{
    e->known = false;
    e->bodies->move(e, scale, of_links);
}

static void turn(impulses *e, bool rows)
{
    e->placed = false;
    e->bodies->turn(e, rows);
}

static void keep_velocities(impulses *e)
{
    for (int i = 0; i < e->m.body_count; i++) {
        impulse_link *l = &e->link[i];
        memcpy(l->V_start, e->state + POSE * i + AT_V, sizeof l->V_start);
        memcpy(l->V_mid, l->V_start, sizeof l->V_mid);
    }
}

// The user's states, by their rates at the last formulas.
static void move_states(impulses *e, double h)
{
    for (int k = 0; k < e->m.state_count; k++)
        e->state[e->at_states + k] = e->begun[k] + h * e->formula[e->m.rate_formula + k];
}

// Velocities after h from those in V_start; ahead: s, from the geometry to the end of h.
static void kick(impulses *e, double t, double h, double ahead)
{
    memcpy(e->begun, e->state + e->at_states, (size_t)e->m.state_count * sizeof *e->begun);
    impulse_contacts_press(e);
    impulse_loads(e, h, ahead, false);
    impulse_contacts_warm(e, h);
    e->solver->velocities(e, h, ahead, false);
    e->bodies->middle(e);
    move_states(e, 0.5 * h);
    impulse_formulas(e, t + 0.5 * h);
    impulse_contacts_press(e);
    impulse_loads(e, h, ahead, true);
    e->solver->velocities(e, h, ahead, true);
    for (int i = 0; i < e->m.body_count; i++)
        memcpy(e->state + POSE * i + AT_V, e->link[i].V, sizeof e->link[i].V);
    move_states(e, h);
}

// What row r beside the tree does to a body is not the impulse through its joint in the tree.
static void take_push(impulses *e, int r, int k)
{
    const impulse_beside *row = &e->m.beside[r];
    const int body = row->push_body[k];
    const double *by = e->formula + row->push_formula + 6 * k;
    impulse_link *l = &e->link[body];
    double torque[3], force[3], centre[3], turned[3];
    mat3_mul_vec(l->R, by, torque);
    mat3_mul_vec(l->R, by + 3, force);
    mat3_mul_vec(l->R, e->m.bodies[body].com, centre);
    vec3_cross(centre, force, turned);
    for (int x = 0; x < 3; x++) {
        l->through[x] -= e->lambda[r] * (torque[x] - turned[x]);
        l->through[3 + x] -= e->lambda[r] * force[x];
    }
}

// The impulse through every joint, from outboard to inboard: what a body needs beyond the impulses
// on it, and what passes on through it. As mean forces, in the axes of the joint.
static void find_joint_loads(impulses *e, double h)
{
    if (!e->m.settings.loads)
        return;
    for (int i = 0; i < e->m.body_count; i++) {
        impulse_link *l = &e->link[i];
        mat3_mul_vec(l->inertia, l->V, l->through);
        for (int k = 0; k < 6; k++)
            l->through[k] = (k < 3 ? l->through[k] : e->m.bodies[i].mass * l->V[k]) - l->own[k];
    }
    for (int r = 0; r < e->bilateral_count; r++)
        for (int k = 0; k < e->m.beside[r].push_count; k++)
            take_push(e, r, k);
    for (int r = e->bilateral_count; r < e->row_count; r++)
        for (int k = 0; k < 6 && !e->row_along[r]; k++)
            e->link[e->row_body[r]].through[k] -= e->lambda[r] * e->row_g[6 * r + k];
    for (int r = e->bilateral_count; r < e->row_count && e->m.pair_count > 0; r++)
        for (int k = 0; k < 6 && e->row_other[r] >= 0; k++)
            e->link[e->row_other[r]].through[k] -= e->lambda[r] * e->row_h[6 * r + k];
    for (int i = e->m.body_count - 1; i >= 0; i--) {
        const impulse_body *b = &e->m.bodies[i];
        impulse_link *l = &e->link[i];
        double turned[3], torque[3];
        if (b->inboard >= 0) {
            double *to = e->link[b->inboard].through;
            vec3_cross(l->shift, l->through + 3, turned);
            for (int k = 0; k < 3; k++) {
                to[k] += l->through[k] + turned[k];
                to[3 + k] += l->through[3 + k];
            }
        }
        vec3_cross(l->arm, l->through + 3, turned);
        for (int k = 0; k < 3; k++)
            torque[k] = l->through[k] + turned[k];
        mat3_tmul_vec(l->P, l->through + 3, l->load);
        mat3_tmul_vec(l->P, torque, l->load + 3);
        for (int k = 0; k < 6; k++)
            l->load[k] /= h;
    }
}

void impulses_joint_load(const impulses *e, int i, double force_torque[6])
{
    memcpy(force_torque, e->link[i].load, sizeof e->link[i].load);
}

void impulses_wheel_force(const impulses *e, int wheel, double force[3])
{
    memset(force, 0, 3 * sizeof *force);
    for (int c = 0; c < e->contact_count; c++)
        for (int k = 0; k < 3 && e->contact[c].wheel == wheel; k++)
            force[k] += e->state[e->at_contact + KEPT * c + KEPT_FORCE + k];
}

void impulses_pair_force(const impulses *e, int pair, double force[3])
{
    const int first = e->wheel_contact_count + PAIR_POINTS * pair;
    memset(force, 0, 3 * sizeof *force);
    for (int c = first; c < first + PAIR_POINTS; c++)
        for (int k = 0; k < 3; k++)
            force[k] += e->state[e->at_contact + KEPT * c + KEPT_FORCE + k];
}

double impulses_multiplier(const impulses *e, int i)
{
    return e->multiplier[i];
}

// By how much joints are open at most at the places in the state, m; beta closes them.
static double look_open(impulses *e, double t)
{
    turn(e, e->bilateral_count > 0 || e->has_general);
    double open = e->bodies->open(e);
    if (e->bilateral_count > 0)
        impulse_formulas(e, t);
    for (int r = 0; r < e->bilateral_count; r++) {
        const impulse_beside *row = &e->m.beside[r];
        open = fmax(open, fabs(e->formula[row->formula + row->count + 2]));
    }
    return open;
}

static void close_joints(impulses *e, double t)
{
    e->report.corrections = 0;
    for (;;) {
        e->report.open = look_open(e, t);
        if (!(e->report.open > e->m.settings.closed) || e->report.corrections == CLOSE_MAX)
            return;
        e->solver->close(e);
        move(e, 1.0, true);
        e->report.corrections++;
    }
}

// The geometry in the middle of the step, and everything that follows from it alone.
static void prepare(impulses *e, double t, double h, int substeps)
{
    move(e, 0.5 * h, false);
    impulse_place(e);
    e->report.singular = !e->solver->begin(e);
    impulse_contacts_find(e);
    if (e->m.pair_count > 0)
        impulse_pairs_find(e, h);
    impulse_formulas(e, t + 0.5 * h);
    impulse_rows_make(e, h / substeps);
    e->solver->couple(e);
    if (impulse_rows_lift(e)) {
        move(e, 1.0, true);
        turn(e, true);
    }
}

// One step without events, from the state to the state.
static void advance(impulses *e, double h)
{
    const double t = e->state[e->at_sum + SUM_TIME];
    const int n = e->m.settings.substeps;
    const double s = h / n;
    keep_velocities(e);
    if (n > 1) { // springs and dampers in smaller steps, joints and contacts as in the middle
        double *poses = e->poses;
        memcpy(poses, e->state, (size_t)(POSE * e->m.body_count) * sizeof *poses);
        prepare(e, t, h, n);
        memcpy(e->state, poses, (size_t)(POSE * e->m.body_count) * sizeof *poses);
    } else {
        prepare(e, t, h, 1);
    }
    for (int k = 0; k < n; k++) {
        if (n > 1) {
            keep_velocities(e);
            move(e, 0.5 * s, false);
            turn(e, true);
            impulse_formulas(e, t + (k + 0.5) * s);
        }
        kick(e, t + k * s, s, (k + 1) * s - 0.5 * h);
        move(e, 0.5 * s, false);
    }
    for (int i = 0; i < e->m.body_count; i++)
        if (e->m.bodies[i].joint == MB_HINGE)
            e->state[e->at_angle + i] += h * e->link[i].u[0];
    impulse_contacts_keep(e, s);
    for (int r = e->bilateral_count; r < e->row_count; r++)
        if (e->slot[r] >= 0)
            e->state[e->at_row + e->slot[r]] = e->lambda[r] / s;
    for (int r = 0; r < e->bilateral_count; r++)
        e->multiplier[r] = e->lambda[r] / s;
    e->solver->keep(e, s);
    find_joint_loads(e, s);
    close_joints(e, t + h);
    e->state[e->at_sum + SUM_TIME] = t + h;
}

// ---- impacts -----------------------------------------------------------------------------------

static double kinetic(const impulses *e)
{
    double sum = 0.0;
    for (int i = 0; i < e->m.body_count; i++) {
        const double *V = e->state + POSE * i + AT_V;
        double spin[3];
        mat3_mul_vec(e->link[i].inertia, V, spin);
        sum += 0.5 * (vec3_dot(V, spin) + e->m.bodies[i].mass * vec3_dot(V + 3, V + 3));
    }
    return sum;
}

// Velocities jump where the bodies are.
static void impact(impulses *e, double h)
{
    const double t = e->state[e->at_sum + SUM_TIME];
    const double rest = 0.5 * h * vec3_norm(e->m.gravity); // a hop shorter than a step
    keep_velocities(e);
    impulse_place(e);
    e->report.singular = !e->solver->begin(e);
    impulse_contacts_join(e, 1e-9);
    impulse_contacts_find(e);
    if (e->m.pair_count > 0)
        impulse_pairs_find(e, 0.0);
    impulse_formulas(e, t);
    impulse_rows_make(e, h);
    e->solver->couple(e);
    static const double nothing[6];
    for (int i = 0; i < e->m.body_count; i++) {
        const int inboard = e->m.bodies[i].inboard;
        impulse_link *l = &e->link[i];
        memcpy(l->V, l->V_start, sizeof l->V);
        if (e->m.bodies[i].joint == MB_FREE)
            memcpy(l->u, l->V, sizeof l->u);
        else
            impulse_rates(e, i, l->V, inboard < 0 ? nothing : e->link[inboard].V, l->u);
    }
    const double before = kinetic(e);
    e->solver->impact(e, rest);
    for (int i = 0; i < e->m.body_count; i++)
        memcpy(e->state + POSE * i + AT_V, e->link[i].V, sizeof e->link[i].V);
    const double change = kinetic(e) - before;
    e->state[e->at_sum + (change > 0.0 ? SUM_GAINED : SUM_LOST)] += fabs(change);
    e->state[e->at_sum + SUM_IMPACTS] += 1.0;
    impulse_contacts_leave(e, fmax(0.5 * rest, 10.0 * e->m.settings.tolerance));
}

// The gap after a step of s from `before`.
static double gap_after(impulses *e, double s)
{
    memcpy(e->state, e->before, (size_t)e->state_count * sizeof *e->state);
    advance(e, s);
    return impulse_contacts_gap(e, 1.0);
}

// The step of at most h that ends where a wheel meets the ground: the root of the gap in the length
// of the step, near `when`. False: at the end of h it has not.
static bool advance_to_impact(impulses *e, double h, double when)
{
    double low = 0.0, high = h, above = 0.0, below = 0.0, at = fmin(when, h);
    if (when <= start_share * h) { // there already
        memcpy(e->state, e->before, (size_t)e->state_count * sizeof *e->state);
        return true;
    }
    // The way of the whole step and the steps that end on it differ a little: bracket the root.
    for (double by = 1e-6 * h;; by *= 8.0) {
        const double gap = gap_after(e, at);
        if (gap > 0.0)
            low = at, above = gap;
        else
            high = at, below = gap;
        if ((gap > 0.0 && at >= h) || (gap <= 0.0 && at <= start_share * h))
            return gap <= 0.0;
        if (above > 0.0 && high < INFINITY && below < 0.0)
            break;
        if (gap == 0.0)
            return true;
        at = gap > 0.0 ? fmin(h, at + by) : fmax(start_share * h, at - by);
    }
    for (int k = 0, last = 0; k < ROOT_MAX && high - low > 1e-15 * (1.0 + h); k++) { // Illinois
        at = low + (high - low) * above / (above - below);
        at = at > low && at < high ? at : 0.5 * (low + high);
        const double gap = gap_after(e, at);
        if (fabs(gap) < 1e-15)
            return true;
        if (gap > 0.0) {
            low = at, above = gap;
            below *= last > 0 ? 0.5 : 1.0;
            last = 1;
        } else {
            high = at, below = gap;
            above *= last < 0 ? 0.5 : 1.0;
            last = -1;
        }
    }
    return true;
}

mc_status impulses_step(impulses *e, double h, mc_error *error)
{
    const size_t size = (size_t)e->state_count * sizeof *e->state;
    const bool meets = e->m.wheel_count > 0 || e->m.pair_count > 0;
    double left = h;
    for (int hits = 0; left > 0.0; hits++) {
        double when;
        const double t = e->state[e->at_sum + SUM_TIME];
        if (meets)
            memcpy(e->before, e->state, size);
        advance(e, left);
        if (e->report.singular)
            return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                                "t = %.9g s: nothing with mass moves with a joint in this position",
                                t);
        if (!meets || !impulse_contacts_met(e, left, &when))
            break;
        if (!advance_to_impact(e, left, when))
            break;
        const double done = e->state[e->at_sum + SUM_TIME] - t;
        impact(e, h);
        left -= done;
        if (left < 1e-15 * h)
            break;
        if (hits == IMPACTS_MAX)
            return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                                "t = %.9g s: more than %d impacts within a step", t, IMPACTS_MAX);
    }
    double none[4] = {0};                                        // NAN where a number is not finite
    for (int k = 0; k + 4 <= POSE * e->m.body_count + 3; k += 4) // angles follow the places
        for (int x = 0; x < 4; x++)
            none[x] += 0.0 * e->state[k + x];
    const bool good = none[0] + none[1] + none[2] + none[3] == 0.0;
    for (int k = 0; !good && k < POSE * e->m.body_count; k++)
        if (!isfinite(e->state[k]))
            return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                                "t = %.9g s: the motion of %s is not finite", impulses_time(e),
                                e->m.bodies[k / POSE].name);
    return MC_OK;
}

// ---- state -------------------------------------------------------------------------------------

void impulses_start(impulses *e, double t, const double *y)
{
    memset(e->state, 0, (size_t)e->state_count * sizeof *e->state);
    impulse_from_coordinates(e, y);
    memcpy(e->state + e->at_states, y + e->m.q_count + e->m.v_count,
           (size_t)e->m.state_count * sizeof *y);
    e->state[e->at_sum + SUM_TIME] = t;
    impulse_place(e);
    impulse_contacts_join(e, 1e-9);
}

void impulses_read(impulses *e, double *y)
{
    impulse_place(e);
    impulse_to_coordinates(e, y, false);
    memcpy(y + e->m.q_count + e->m.v_count, e->state + e->at_states,
           (size_t)e->m.state_count * sizeof *y);
}

void impulses_body_place(const impulses *e, int i, double centre[3], double R[9])
{
    memcpy(centre, e->state + POSE * i, 3 * sizeof *centre);
    turn_matrix(e->state + POSE * i + AT_Q, R);
}

double impulses_time(const impulses *e)
{
    return e->state[e->at_sum + SUM_TIME];
}

const impulse_report *impulses_report_of(const impulses *e)
{
    impulse_report *r = (impulse_report *)&e->report;
    r->gained = e->state[e->at_sum + SUM_GAINED];
    r->lost = e->state[e->at_sum + SUM_LOST];
    r->impacts = (int)e->state[e->at_sum + SUM_IMPACTS];
    return r;
}

int impulses_state_count(const impulses *e)
{
    return e->state_count;
}

void impulses_save(const impulses *e, double *block)
{
    memcpy(block, e->state, (size_t)e->state_count * sizeof *block);
}

void impulses_restore(impulses *e, const double *block)
{
    memcpy(e->state, block, (size_t)e->state_count * sizeof *block);
    e->known = e->placed = false;
}
