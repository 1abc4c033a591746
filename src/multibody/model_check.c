// model_check.c - what is wrong with a mechanism as a whole, before anything is derived.
//
// Whether every free motion moves some mass is decided on numbers, at the start: articulated
// inertias from the leaves to the ground (Featherstone), as spatial 6x6 matrices in world axes
// about the origin of the tree's first body. A joint with axes S and articulated inertia I has the
// pivot D = S' I S; what it passes on is I - I S D^-1 S' I. A pivot of D that is negligible
// relative to the inertia of the locked subtree means that the accelerations are not determined.
#include "multibody/model.h"

#include "num/dense.h"
#include "num/vec3.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct spatial {
    double m[6][6];
} spatial;

typedef struct pose {
    double at[3], turn[9];
} pose;

typedef struct checker {
    const mb_model *model;
    const double *value; // of every node
    int *order;          // bodies, every one after its inboard body
    pose *poses;         // of body frames, at the start
    spatial *locked, *moving;
    mc_error *error;
} checker;

#define BAD(c, line_number, ...)                                                                   \
    mc_error_set((c)->error, MC_BAD_INPUT, (c)->model->file, (line_number), 0, __VA_ARGS__)

// ---- names ----

typedef struct named {
    const char *name, *what;
    int line;
} named;

static int compare_named(const void *a, const void *b)
{
    const named *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

static mc_status check_names(checker *c)
{
    const mb_model *m = c->model;
    const int total = m->body_count + m->point_count + m->spring_count + m->force_count +
                      m->torque_count + m->closing_count + m->edge_count + m->constraint_count +
                      m->parameter_count + m->input_count + m->state_count + m->variable_count +
                      m->wheel_count + m->contact_count + m->limit_count + m->motor_count;
    named *all = calloc((size_t)total + 1, sizeof all[0]);
    if (!all)
        return mc_error_set(c->error, MC_NO_MEMORY, m->file, 0, 0, "no memory for the model");
    int n = 0;
#define COLLECT(list, count, word)                                                                 \
    for (int i = 0; i < m->count; i++) {                                                           \
        const named each = {m->list[i].name, word, m->list[i].line};                               \
        all[n++] = each;                                                                           \
    }
    COLLECT(bodies, body_count, "body")
    COLLECT(points, point_count, "point")
    COLLECT(springs, spring_count, "spring")
    COLLECT(forces, force_count, "force")
    COLLECT(torques, torque_count, "torque")
    COLLECT(edges, edge_count, "joint")
    if (m->edge_count == 0)
        COLLECT(closings, closing_count, "joint")
    COLLECT(constraints, constraint_count, "constraint")
    COLLECT(wheels, wheel_count, "wheel")
    COLLECT(contacts, contact_count, "contact")
    COLLECT(limits, limit_count, "limit")
    COLLECT(motors, motor_count, "motor")
    COLLECT(parameters, parameter_count, "parameter")
    COLLECT(inputs, input_count, "input")
    COLLECT(states, state_count, "state")
    COLLECT(variables, variable_count, "variable")
#undef COLLECT
    mc_status status = MC_OK;
    for (int i = 0; i < n && status == MC_OK; i++) {
        const char *why;
        const bool of_place = strcmp(all[i].what, "parameter") == 0 && strchr(all[i].name, '.');
        if (!of_place && !mb_name_valid(all[i].name, &why))
            status = BAD(c, all[i].line, "\"%.63s\" is not a valid name of a %s: %s", all[i].name,
                         all[i].what, why);
    }
    qsort(all, (size_t)n, sizeof all[0], compare_named);
    for (int i = 1; i < n && status == MC_OK; i++)
        if (strcmp(all[i - 1].name, all[i].name) == 0)
            status = BAD(c, all[i].line,
                         "the name \"%s\" of this %s is taken by the %s on line %d; a name is used "
                         "once in a model",
                         all[i].name, all[i].what, all[i - 1].what, all[i - 1].line);
    free(all);
    return status;
}

// ---- the tree ----

static mc_status name_cycle(checker *c, int begin)
{
    char text[300] = "";
    const mb_body *bodies = c->model->bodies;
    int b = begin;
    for (int i = 0; i < c->model->body_count; i++) // walk into the cycle
        b = bodies[b].inboard;
    const int first = b;
    do {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%.40s -> ", bodies[b].name);
        b = bodies[b].inboard;
    } while (b != first && strlen(text) < 200);
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s%.40s",
             b == first ? "" : "... -> ", bodies[first].name);
    return BAD(c, bodies[first].line,
               "the inboard bodies form a loop: %s; one of them must be attached to the ground or "
               "to a body outside the loop",
               text);
}

// Bodies in an order in which the inboard body comes first.
static mc_status order_bodies(checker *c)
{
    const mb_model *m = c->model;
    char *done = calloc((size_t)m->body_count + 1, 1);
    int *chain = malloc(((size_t)m->body_count + 1) * sizeof chain[0]);
    mc_status status = MC_OK;
    int n = 0;
    if (!done || !chain)
        status = mc_error_set(c->error, MC_NO_MEMORY, m->file, 0, 0, "no memory for the model");
    for (int i = 0; i < m->body_count && status == MC_OK; i++) {
        int length = 0;
        for (int b = i; b >= 0 && !done[b] && length <= m->body_count; b = m->bodies[b].inboard)
            chain[length < m->body_count ? length : m->body_count] = b, length++;
        if (length > m->body_count)
            status = name_cycle(c, i);
        while (status == MC_OK && length > 0) {
            done[chain[--length]] = 1;
            c->order[n++] = chain[length];
        }
    }
    free(done);
    free(chain);
    return status;
}

// ---- one body ----

static void inertia_of(const checker *c, const mb_body *body, double I[9])
{
    const expr_id *t = body->inertia;
    const double *v = c->value;
    const double full[9] = {v[t[0]], v[t[3]], v[t[4]], v[t[3]], v[t[1]],
                            v[t[5]], v[t[4]], v[t[5]], v[t[2]]};
    memcpy(I, full, sizeof full);
}

static mc_status check_inertia(checker *c, const mb_body *body)
{
    double I[9], p[3];
    inertia_of(c, body, I);
    for (int i = 0; i < 9; i++)
        if (!isfinite(I[i]))
            return BAD(c, body->line, "the inertia of %s is not a finite number", body->name);
    if (!dense_symmetric_eigen(3, I, p))
        return BAD(c, body->line, "the inertia of %s has no principal values", body->name);
    const double size = fmax(fabs(p[0]), fabs(p[2]));
    if (p[0] < -1e-6 * size)
        return BAD(c, body->line,
                   "the inertia of %s is not physical: its principal values %.6g, %.6g and %.6g kg "
                   "m^2 must not be negative",
                   body->name, p[0], p[1], p[2]);
    if (p[2] > (p[0] + p[1]) + 1e-6 * size)
        return BAD(c, body->line,
                   "the inertia of %s is not physical: of its principal values %.6g, %.6g and %.6g "
                   "kg m^2 the largest is above the sum of the others",
                   body->name, p[0], p[1], p[2]);
    return MC_OK;
}

static mc_status check_symmetry(checker *c, const mb_body *body)
{
    const int k = body->axisymmetric, i = (k + 1) % 3, j = (k + 2) % 3;
    if (k < 0)
        return MC_OK;
    double I[9];
    inertia_of(c, body, I);
    if (body->joint != MB_HINGE || fabs(body->axis[k]) < 1.0 - 1e-12)
        return BAD(c, body->line,
                   "%s cannot be axisymmetric about %c: its joint must be a hinge about %c",
                   body->name, "xyz"[k], "xyz"[k]);
    if (body->com[i] != EXPR_ZERO || body->com[j] != EXPR_ZERO)
        return BAD(c, body->line,
                   "%s cannot be axisymmetric about %c: its mass centre must be on that axis, with "
                   "0 for the other two parts of com",
                   body->name, "xyz"[k]);
    for (int n = 3; n < 6; n++)
        if (body->inertia[n] != EXPR_ZERO)
            return BAD(c, body->line,
                       "%s cannot be axisymmetric about %c: its products of inertia must be 0",
                       body->name, "xyz"[k]);
    if (fabs(I[4 * i] - I[4 * j]) > 1e-9 * fabs(I[4 * i]))
        return BAD(c, body->line,
                   "%s cannot be axisymmetric about %c: I%c%c = %.9g and I%c%c = %.9g kg m^2 must "
                   "be equal",
                   body->name, "xyz"[k], "xyz"[i], "xyz"[i], I[4 * i], "xyz"[j], "xyz"[j],
                   I[4 * j]);
    return MC_OK;
}

// Three angles are singular where the first and the third turn about the same line.
static mc_status check_sequence(checker *c, const mb_body *body)
{
    const bool free_euler = body->joint == MB_FREE && body->euler;
    const bool general = body->joint == MB_GENERAL && body->free[3] && body->free[5];
    if (!free_euler && !general)
        return MC_OK;
    double second = free_euler ? body->start_q[4] : c->value[body->held[4]];
    if (general && body->free[4]) {
        const int before = body->free[0] + body->free[1] + body->free[2] + body->free[3];
        second = body->start_q[before];
    }
    const int *s = body->sequence;
    const bool proper = s[0] == s[2];
    if (fabs(proper ? sin(second) : cos(second)) > 1e-6)
        return MC_OK;
    return BAD(c, body->line,
               "%s starts where its angles %c%c%c are singular: the second angle must not be %s; "
               "choose another sequence or start",
               body->name, "xyz"[s[0]], "xyz"[s[1]], "xyz"[s[2]],
               proper ? "0 or 180 deg" : "90 or -90 deg");
}

static mc_status check_start(checker *c, const mb_body *body)
{
    for (int k = 0; k < mb_coordinate_count(body); k++)
        if (!isfinite(body->start_q[k]))
            return BAD(c, body->line, "a start value of %s is not a finite number", body->name);
    for (int k = 0; k < mb_velocity_count(body); k++)
        if (!isfinite(body->start_v[k]))
            return BAD(c, body->line, "a start value of %s is not a finite number", body->name);
    if (body->joint == MB_BALL || (body->joint == MB_FREE && !body->euler)) {
        const double *q = body->start_q + (body->joint == MB_FREE ? 3 : 0);
        const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        if (fabs(norm - 1.0) > 1e-6)
            return BAD(c, body->line,
                       "the start quaternion of %s has the length %.9g, it must be 1", body->name,
                       norm);
    }
    return check_sequence(c, body);
}

static bool stands_at_zero(const mb_body *body)
{
    for (int i = 0; i < 9; i++)
        if ((i < 3 && body->at[i] != EXPR_ZERO) ||
            body->turn[i] != (i % 4 == 0 ? (expr_id)EXPR_ONE : (expr_id)EXPR_ZERO))
            return false;
    return true;
}

static mc_status check_body(checker *c, const mb_body *body)
{
    const double mass = c->value[body->mass];
    if (!(mass >= 0.0) || !isfinite(mass))
        return BAD(c, body->line, "the mass of %s is %.6g kg, it must not be negative", body->name,
                   mass);
    for (int k = 0; k < 3; k++)
        if (!isfinite(c->value[body->com[k]]) || !isfinite(c->value[body->at[k]]))
            return BAD(c, body->line, "a position of %s is not a finite number", body->name);
    for (int k = 0; k < 9; k++)
        if (!isfinite(c->value[body->turn[k]]))
            return BAD(c, body->line, "the orientation of %s is not a finite number", body->name);
    if (body->joint == MB_FREE && body->inboard >= 0)
        return BAD(c, body->line,
                   "%s has a free joint but is attached to %s: a free joint is to the ground",
                   body->name, c->model->bodies[body->inboard].name);
    if (body->joint == MB_FREE && !stands_at_zero(body))
        return BAD(
            c, body->line,
            "%s is free: its place is its start value (start: {x: ..., z: ...}), not \"at\" or "
            "\"orientation\"",
            body->name);
    const double length = vec3_norm(body->axis);
    if ((body->joint == MB_HINGE || body->joint == MB_PRISM) && !(fabs(length - 1.0) < 1e-9))
        return BAD(c, body->line, "the axis of %s has the length %.9g, it must be 1", body->name,
                   length);
    if (body->joint == MB_GENERAL && mb_coordinate_count(body) == 0)
        return BAD(c, body->line,
                   "the general joint of %s has no free coordinate; use a fixed joint", body->name);
    mc_status status = check_inertia(c, body);
    if (status == MC_OK)
        status = check_symmetry(c, body);
    return status == MC_OK ? check_start(c, body) : status;
}

// ---- poses and inertias at the start ----

static void turn_about(const double axis[3], double angle, double R[9])
{
    const double s = sin(angle), u = 1.0 - cos(angle);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int k = 3 - i - j;
            const double sign = (j - i + 3) % 3 == 1 ? -1.0 : 1.0;
            R[3 * i + j] = i == j ? 1.0 + u * (axis[i] * axis[i] - 1.0)
                                  : u * axis[i] * axis[j] + sign * s * axis[k];
        }
}

static void turn_by_quaternion(const double q[4], double R[9])
{
    const double half = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const double axis[3] = {half > 0.0 ? q[1] / half : 1.0, half > 0.0 ? q[2] / half : 0.0,
                            half > 0.0 ? q[3] / half : 0.0};
    turn_about(axis, 2.0 * atan2(half, q[0]), R);
}

static void turn_more(double R[9], const double by[9])
{
    double product[9];
    mat3_mul(R, by, product);
    memcpy(R, product, sizeof product);
}

// A column of S: turning about axis through the point at, or moving along it; world axes.
static void put_axis(double S[6], const double axis[3], const double at[3], bool turning)
{
    for (int i = 0; i < 3; i++) {
        S[i] = turning ? axis[i] : 0.0;
        S[3 + i] = axis[i];
    }
    if (turning)
        vec3_cross(at, axis, S + 3);
}

// The value of part i of a general hinge at the start.
static double part_value(const checker *c, const mb_body *body, int i)
{
    if (!body->free[i])
        return c->value[body->held[i]];
    int k = 0;
    for (int j = 0; j < i; j++)
        k += body->free[j];
    return body->start_q[k];
}

static void pose_general(const checker *c, const mb_body *body, pose *p, double S[6][6])
{
    double frame[9], local[3], move[3], column[3];
    int n = 0;
    memcpy(frame, p->turn, sizeof frame);
    for (int i = 0; i < 3; i++)
        local[i] = part_value(c, body, i);
    mat3_mul_vec(frame, local, move);
    for (int i = 0; i < 3; i++)
        p->at[i] += move[i];
    for (int i = 0; i < 6; i++) {
        const int a = i < 3 ? i : body->sequence[i - 3];
        const double unit[3] = {a == 0, a == 1, a == 2};
        mat3_mul_vec(p->turn, unit, column);
        if (body->free[i])
            put_axis(S[n++], column, p->at, i >= 3);
        if (i >= 3) {
            double R[9];
            turn_about(unit, part_value(c, body, i), R);
            turn_more(p->turn, R);
        }
    }
}

// The pose of a body after that of its inboard body, and the axes of its joint.
static void pose_body(checker *c, int b, double S[6][6])
{
    const mb_body *body = &c->model->bodies[b];
    pose *p = &c->poses[b];
    double local[3], R[9], column[3];
    *p = (pose){{0.0, 0.0, 0.0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    if (body->inboard >= 0) { // else: the tree's own origin
        *p = c->poses[body->inboard];
        for (int i = 0; i < 3; i++)
            local[i] = c->value[body->at[i]];
        mat3_mul_vec(p->turn, local, column);
        for (int i = 0; i < 3; i++)
            p->at[i] += column[i];
    }
    for (int i = 0; i < 9; i++)
        R[i] = c->value[body->turn[i]];
    turn_more(p->turn, R);
    const double *q = body->start_q;
    if (body->joint == MB_GENERAL)
        pose_general(c, body, p, S);
    if (body->joint == MB_HINGE || body->joint == MB_PRISM) {
        mat3_mul_vec(p->turn, body->axis, column);
        for (int i = 0; i < 3 && body->joint == MB_PRISM; i++)
            p->at[i] += q[0] * column[i];
        put_axis(S[0], column, p->at, body->joint == MB_HINGE);
        turn_about(body->axis, body->joint == MB_HINGE ? q[0] : 0.0, R);
        turn_more(p->turn, R);
    }
    if (body->joint == MB_BALL) {
        turn_by_quaternion(q, R);
        turn_more(p->turn, R);
    }
    if (body->joint == MB_FREE || body->joint == MB_BALL)
        for (int i = 0; i < mb_velocity_count(body); i++) {
            const bool turning = body->joint == MB_BALL || i >= 3;
            const double unit[3] = {i % 3 == 0, i % 3 == 1, i % 3 == 2};
            put_axis(S[i], unit, p->at, turning);
        }
    if (body->mounted) {
        for (int i = 0; i < 3; i++)
            local[i] = c->value[body->mount_at[i]];
        mat3_mul_vec(p->turn, local, column);
        for (int i = 0; i < 3; i++)
            p->at[i] += column[i];
        for (int i = 0; i < 9; i++)
            R[i] = c->value[body->mount_turn[i]];
        turn_more(p->turn, R);
    }
}

// Adds the inertia of the body itself: m, com c, I about com, in world axes about the origin.
static void add_body(const checker *c, int b, spatial *out)
{
    const mb_body *body = &c->model->bodies[b];
    const pose *p = &c->poses[b];
    const double m = c->value[body->mass];
    double com[3], r[3], I[9], half[9];
    for (int i = 0; i < 3; i++)
        com[i] = c->value[body->com[i]];
    mat3_mul_vec(p->turn, com, r);
    for (int i = 0; i < 3; i++)
        r[i] += p->at[i];
    inertia_of(c, body, I);
    mat3_mul(p->turn, I, half);
    const double rr = vec3_dot(r, r);
    const double cross[9] = {0.0, -r[2], r[1], r[2], 0.0, -r[0], -r[1], r[0], 0.0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double turned = vec3_dot(half + 3 * i, p->turn + 3 * j); // half times turn'
            out->m[i][j] += turned + m * ((i == j) * rr - r[i] * r[j]);
            out->m[i][3 + j] += m * cross[3 * i + j];
            out->m[3 + i][j] -= m * cross[3 * i + j];
            out->m[3 + i][3 + j] += (i == j) * m;
        }
}

// I - I S D^-1 S' I, one axis after the other. -1, or the axis whose pivot vanishes.
static int project(spatial *I, const spatial *locked, double S[6][6], int count)
{
    for (int k = 0; k < count; k++) {
        double U[6] = {0}, pivot = 0.0, size = 0.0;
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) {
                U[i] += I->m[i][j] * S[k][j];
                size += S[k][i] * locked->m[i][j] * S[k][j];
            }
        for (int i = 0; i < 6; i++)
            pivot += S[k][i] * U[i];
        if (!(pivot > 1e-10 * size))
            return k;
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++)
                I->m[i][j] -= U[i] * U[j] / pivot;
    }
    return -1;
}

static mc_status check_mass(checker *c)
{
    const mb_model *m = c->model;
    double S[6][6];
    for (int n = 0; n < m->body_count; n++) {
        pose_body(c, c->order[n], S);
        add_body(c, c->order[n], &c->locked[c->order[n]]);
        c->moving[c->order[n]] = c->locked[c->order[n]];
    }
    for (int n = m->body_count - 1; n >= 0; n--) {
        const int b = c->order[n];
        const mb_body *body = &m->bodies[b];
        pose_body(c, b, S);
        const int k = project(&c->moving[b], &c->locked[b], S, mb_velocity_count(body));
        if (k >= 0) {
            char name[96];
            mb_velocity_name(body, k, name);
            return BAD(c, body->line,
                       "nothing with mass moves with %s: give %s or a body on it mass or inertia, "
                       "or remove this freedom",
                       name, body->name);
        }
        for (int i = 0; i < 36 && body->inboard >= 0; i++) {
            (&c->locked[body->inboard].m[0][0])[i] += (&c->locked[b].m[0][0])[i];
            (&c->moving[body->inboard].m[0][0])[i] += (&c->moving[b].m[0][0])[i];
        }
    }
    return MC_OK;
}

// ---- the whole ----

static mc_status check_springs(checker *c)
{
    const mb_model *m = c->model;
    for (int i = 0; i < m->spring_count; i++) {
        const mb_spring *s = &m->springs[i];
        const mb_point *from = &m->points[s->from], *to = &m->points[s->to];
        bool same = from->body == to->body;
        for (int k = 0; k < 3; k++)
            same = same && c->value[from->at[k]] == c->value[to->at[k]];
        if (same)
            return BAD(c, s->line,
                       "the spring %s connects a point to itself (%s and %s): it has no direction",
                       s->name, from->name, to->name);
        if (from->body == to->body)
            return BAD(c, s->line, "the spring %s has both ends on %s and has no effect", s->name,
                       from->body < 0 ? "the ground" : m->bodies[from->body].name);
    }
    return MC_OK;
}

mc_status mb_model_check(const mb_model *model, mc_error *error)
{
    checker c = {.model = model, .error = error};
    if (model->body_count == 0)
        return BAD(&c, 0, "the model has no bodies");
    const size_t n = (size_t)model->body_count;
    arena scratch = {0};
    double *value = arena_alloc(&scratch, expr_node_count(model->graph) * sizeof value[0]);
    c.order = arena_alloc(&scratch, n * sizeof c.order[0]);
    c.poses = arena_alloc(&scratch, n * sizeof c.poses[0]);
    c.locked = arena_alloc(&scratch, n * sizeof c.locked[0]);
    c.moving = arena_alloc(&scratch, n * sizeof c.moving[0]);
    mc_status status = MC_OK;
    if (!value || !c.order || !c.poses || !c.locked || !c.moving)
        status = mc_error_set(error, MC_NO_MEMORY, model->file, 0, 0, "no memory for the model");
    if (status == MC_OK) {
        mb_model_values(model, value);
        c.value = value;
        status = check_names(&c);
    }
    if (status == MC_OK)
        status = order_bodies(&c);
    for (int i = 0; i < model->body_count && status == MC_OK; i++)
        status = check_body(&c, &model->bodies[i]);
    if (status == MC_OK)
        status = check_mass(&c);
    if (status == MC_OK)
        status = check_springs(&c);
    arena_free(&scratch);
    return status;
}
