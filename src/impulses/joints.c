// joints.c - joints on numbers: where they are, which motions they leave free, how far they are
// open, and the coordinates of the mechanism from places of bodies and back.
//
// With P the axes of the joint on the inboard body and Q those on the body, columns in the world,
// d from the joint's point on the inboard body to that on the body, and r from there to the mass
// centre, every joint is
//
//     P'Q = turn of the joint,   P'd = travel of the joint
//     w_n = w_m + sum a_k u_k
//     v_n = v_m + w_m x (c_n - r - c_m) + sum t_k u_k + w_n x r
//
// with the axes a_k and directions t_k of its free velocities u_k.
#include "impulses/engine.h"
#include "impulses/turn.h"

#include <string.h>

static const double ground_pose[POSE] = {0, 0, 0, 1};
static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const double nothing[6];
static const double full_turn = 6.283185307179586; // rad

static const double *pose(const impulses *e, int i)
{
    return i < 0 ? ground_pose : e->state + POSE * i;
}

static const double *turn_of(const impulses *e, int i)
{
    return i < 0 ? identity : e->link[i].R;
}

void turn_angles(const double R[9], const int s[3], double angle[3])
{
    const int i = s[0], j = s[1];
    const bool cyclic = (i + 1) % 3 == j;
    const int k = 3 - i - j;
    const double sign = cyclic ? 1.0 : -1.0;
    if (s[2] == i) { // as zxz: R_ii = cos b
        const double across = hypot(R[3 * i + j], R[3 * i + k]);
        angle[1] = atan2(across, R[4 * i]);
        angle[0] = atan2(R[3 * j + i], -sign * R[3 * k + i]);
        angle[2] = atan2(R[3 * i + j], sign * R[3 * i + k]);
    } else { // as xyz: R_ik = sign sin b
        const double across = hypot(R[3 * i + i], R[3 * i + j]);
        angle[1] = atan2(sign * R[3 * i + k], across);
        angle[0] = atan2(-sign * R[3 * j + k], R[3 * k + k]);
        angle[2] = atan2(-sign * R[3 * i + j], R[3 * i + i]);
    }
}

// ---- places ------------------------------------------------------------------------------------

static void add_turning(impulse_link *l, int k, const double a[3])
{
    memcpy(l->S[k], a, 3 * sizeof *a);
    vec3_cross(a, l->arm, l->S[k] + 3);
}

static void add_travel(impulse_link *l, int k, const double t[3])
{
    memset(l->S[k], 0, 3 * sizeof *t);
    memcpy(l->S[k] + 3, t, 3 * sizeof *t);
}

// The axes of the three angles of a general joint, world, columns of `axes`; the angles.
static void general_axes(const double P[9], const double Q[9], const impulse_body *b,
                         double angle[3], double axes[9])
{
    double turn[9], so_far[9], next[9], about[9];
    mat3_tmul(P, Q, turn);
    turn_angles(turn, b->sequence, angle);
    memcpy(so_far, P, sizeof so_far);
    for (int k = 0; k < 3; k++) {
        for (int x = 0; x < 3; x++)
            axes[3 * x + k] = so_far[3 * x + b->sequence[k]];
        turn_about(b->sequence[k], angle[k], about);
        mat3_mul(so_far, about, next);
        memcpy(so_far, next, sizeof so_far);
    }
}

static void axes_on_body(const impulses *e, int i, double Q[9])
{
    mat3_mul(e->link[i].R, e->m.bodies[i].body_axes, Q);
}

static void column(const double M[9], int k, double out[3])
{
    for (int x = 0; x < 3; x++)
        out[x] = M[3 * x + k];
}

void impulse_general_axes(const impulses *e, int i, double axes[9])
{
    double Q[9], angle[3];
    axes_on_body(e, i, Q);
    general_axes(e->link[i].P, Q, &e->m.bodies[i], angle, axes);
}

static void free_motions(impulses *e, int i)
{
    const impulse_body *b = &e->m.bodies[i];
    impulse_link *l = &e->link[i];
    double a[3];
    switch (b->joint) {
    case MB_HINGE:
        mat3_mul_vec(turn_of(e, b->inboard), b->axis_on_inboard, a);
        add_turning(l, 0, a);
        return;
    case MB_PRISM:
        mat3_mul_vec(turn_of(e, b->inboard), b->axis_on_inboard, a);
        add_travel(l, 0, a);
        return;
    case MB_BALL: {
        double Q[9];
        axes_on_body(e, i, Q);
        for (int k = 0; k < 3; k++) {
            column(Q, k, a);
            add_turning(l, k, a);
        }
        return;
    }
    case MB_GENERAL: {
        double Q[9];
        int used = 0;
        axes_on_body(e, i, Q);
        general_axes(l->P, Q, b, l->angle, l->axes);
        for (int k = 0; k < 6; k++)
            if (b->free[k]) {
                column(k < 3 ? l->P : l->axes, k % 3, a);
                if (k < 3)
                    add_travel(l, used++, a);
                else
                    add_turning(l, used++, a);
            }
        return;
    }
    default: // fixed; a free body needs none
        return;
    }
}

// The joint's points and axes.
static void place_joint(impulses *e, int i)
{
    const impulse_body *b = &e->m.bodies[i];
    impulse_link *l = &e->link[i];
    const double *c = pose(e, i), *inboard = pose(e, b->inboard);
    double on_body[3];
    if (b->joint == MB_GENERAL || e->m.settings.loads)
        mat3_mul(turn_of(e, b->inboard), b->inboard_axes, l->P);
    mat3_mul_vec(l->R, b->on_body, on_body);
    for (int k = 0; k < 3; k++) {
        l->arm[k] = -on_body[k];
        l->shift[k] = c[k] - inboard[k];
    }
}

void impulse_place_joint(impulses *e, int i)
{
    place_joint(e, i);
    free_motions(e, i);
}

void impulse_place(impulses *e)
{
    e->bodies->place(e);
    e->bodies->joints(e);
    e->placed = true;
}

// ---- velocities --------------------------------------------------------------------------------

// Velocity of the joint's point on the body as seen from the inboard body.
static void slide(const impulse_link *l, const double *own, const double *inboard, double out[3])
{
    double from[3], turned[3], carried[3];
    for (int k = 0; k < 3; k++)
        from[k] = l->shift[k] - l->arm[k];
    vec3_cross(inboard, from, carried);
    vec3_cross(own, l->arm, turned);
    for (int k = 0; k < 3; k++)
        out[k] = own[3 + k] - inboard[3 + k] - carried[k] - turned[k];
}

void impulse_rates(const impulses *e, int i, const double *own, const double *inboard, double *u)
{
    const impulse_body *b = &e->m.bodies[i];
    const impulse_link *l = &e->link[i];
    double turning[3], rate[3];
    for (int k = 0; k < 3; k++)
        turning[k] = own[k] - inboard[k];
    switch (b->joint) {
    case MB_HINGE:
        u[0] = vec3_dot(l->S[0], turning);
        return;
    case MB_PRISM:
        slide(l, own, inboard, rate);
        u[0] = vec3_dot(l->S[0] + 3, rate);
        return;
    case MB_BALL:
        for (int k = 0; k < 3; k++)
            u[k] = vec3_dot(l->S[k], turning);
        return;
    case MB_GENERAL: {
        double axes[9], travel[3];
        int used = 0;
        if (e->placed)
            memcpy(axes, l->axes, sizeof axes);
        else
            impulse_general_axes(e, i, axes);
        slide(l, own, inboard, rate);
        mat3_tmul_vec(l->P, rate, travel);
        mat3_solve(axes, turning, rate);
        for (int k = 0; k < 6; k++)
            if (b->free[k])
                u[used++] = k < 3 ? travel[k] : rate[k - 3];
        return;
    }
    default:
        return;
    }
}

// d/dt of the two lines at the top without u':
//     w' = sum (w_k x a_k) u_k,   w_k of the frame in which a_k is fixed
//     v' = w_m x (w_m x b) + 2 w_m x (sum t_k u_k) + w' x r + w_n x (w_n x r),   b = c_n - r - c_m
void impulse_bias(const impulses *e, int i, const double *own, const double *inboard, double out[6])
{
    const impulse_body *b = &e->m.bodies[i];
    const impulse_link *l = &e->link[i];
    double turning[3], from[3], one[3], two[3], travel[3] = {0};
    for (int k = 0; k < 3; k++) {
        turning[k] = own[k] - inboard[k];
        from[k] = l->shift[k] - l->arm[k];
        out[k] = 0.0;
    }
    if (b->joint == MB_GENERAL) {
        double u[6], so_far[3];
        int used = 0;
        impulse_rates(e, i, own, inboard, u);
        memcpy(so_far, inboard, sizeof so_far);
        for (int k = 0; k < 6; k++) {
            if (!b->free[k])
                continue;
            const double *S = l->S[used], rate = u[used++];
            if (k >= 3)
                vec3_cross(so_far, S, one);
            for (int x = 0; x < 3; x++)
                if (k < 3)
                    travel[x] += rate * S[3 + x];
                else
                    out[x] += rate * one[x], so_far[x] += rate * S[x];
        }
    } else if (b->joint == MB_HINGE || b->joint == MB_BALL) {
        vec3_cross(inboard, turning, out);
    } else if (b->joint == MB_PRISM) {
        double u;
        impulse_rates(e, i, own, inboard, &u);
        for (int x = 0; x < 3; x++)
            travel[x] = u * l->S[0][3 + x];
    }
    vec3_cross(inboard, from, one);
    for (int k = 0; k < 3; k++)
        one[k] += 2.0 * travel[k];
    vec3_cross(inboard, one, out + 3);
    vec3_cross(own, l->arm, one);
    vec3_cross(own, one, two);
    vec3_cross(out, l->arm, one);
    for (int k = 0; k < 3; k++)
        out[3 + k] += one[k] + two[k];
}

// ---- how far it is open ------------------------------------------------------------------------

// From here on the turns R are those of the places in the state, and the joint's axes and points
// follow from them: what `impulse_place` left otherwise may be that of the middle of a step.

static void axes_on_inboard(const impulses *e, int i, double P[9])
{
    const impulse_body *b = &e->m.bodies[i];
    mat3_mul(turn_of(e, b->inboard), b->inboard_axes, P);
}

// From the joint's point on the inboard body to that on the body.
static void apart(const impulses *e, int i, double gap[3])
{
    const impulse_body *b = &e->m.bodies[i];
    const double *own = pose(e, i), *inboard = pose(e, b->inboard);
    double from[3], to[3];
    mat3_mul_vec(turn_of(e, b->inboard), b->on_inboard, from);
    mat3_mul_vec(e->link[i].R, b->on_body, to);
    for (int k = 0; k < 3; k++)
        gap[k] = own[k] + to[k] - (inboard[k] + from[k]);
}

static void general_errors(const impulses *e, int i, double turn[3], double gap[3])
{
    const impulse_body *b = &e->m.bodies[i];
    double P[9], Q[9], angle[3], axes[9], travel[3];
    axes_on_inboard(e, i, P);
    axes_on_body(e, i, Q);
    general_axes(P, Q, b, angle, axes);
    mat3_tmul_vec(P, gap, travel);
    for (int k = 0; k < 3; k++) {
        travel[k] = b->free[k] ? 0.0 : travel[k] - b->held[k];
        angle[k] = b->free[3 + k] ? 0.0 : remainder(angle[k] - b->held[3 + k], full_turn);
    }
    mat3_mul_vec(axes, angle, turn);
    mat3_mul_vec(P, travel, gap);
}

// turn: rotation from where the body should be to where it is; gap: the same of the joint's point.
static void errors(const impulses *e, int i, double turn[3], double gap[3])
{
    const impulse_body *b = &e->m.bodies[i];
    double one[3], two[3];
    memset(turn, 0, 3 * sizeof *turn);
    apart(e, i, gap);
    if (b->joint == MB_BALL)
        return;
    if (b->joint == MB_GENERAL) {
        general_errors(e, i, turn, gap);
        return;
    }
    mat3_mul_vec(turn_of(e, b->inboard), b->axis_on_inboard, one);
    if (b->joint == MB_HINGE) {
        mat3_mul_vec(e->link[i].R, b->axis_on_body, two);
        vec3_cross(one, two, turn);
        return;
    }
    double P[9], Q[9]; // fixed, prism: the small turn Q P'
    axes_on_inboard(e, i, P);
    axes_on_body(e, i, Q);
    turn[0] = 0.5 * (vec3_dot(Q + 6, P + 3) - vec3_dot(Q + 3, P + 6));
    turn[1] = 0.5 * (vec3_dot(Q, P + 6) - vec3_dot(Q + 6, P));
    turn[2] = 0.5 * (vec3_dot(Q + 3, P) - vec3_dot(Q, P + 3));
    const double along = b->joint == MB_PRISM ? vec3_dot(one, gap) : 0.0;
    for (int k = 0; k < 3; k++)
        gap[k] -= along * one[k];
}

// The body turns by -turn and its point moves by -gap.
double impulse_open(const impulses *e, int i, double close[6])
{
    const impulse_body *b = &e->m.bodies[i];
    double turn[3], gap[3], moved[3], to[3];
    memset(close, 0, 6 * sizeof *close);
    if (b->joint == MB_FREE)
        return 0.0;
    errors(e, i, turn, gap);
    mat3_mul_vec(e->link[i].R, b->on_body, to);
    vec3_cross(turn, to, moved);
    for (int k = 0; k < 3; k++) {
        close[k] = -turn[k];
        close[3 + k] = -gap[k] + moved[k];
    }
    const double a = vec3_norm(gap), c = vec3_norm(turn);
    return a > c ? a : c; // a radian counts as a metre
}

// ---- coordinates -------------------------------------------------------------------------------

double impulse_coordinate(const impulses *e, int i)
{
    const impulse_body *b = &e->m.bodies[i];
    const double *inboard = turn_of(e, b->inboard);
    if (b->joint == MB_PRISM) {
        double gap[3], a[3];
        apart(e, i, gap);
        mat3_mul_vec(inboard, b->axis_on_inboard, a);
        return vec3_dot(a, gap);
    }
    double body[3], first[3], second[3];
    mat3_mul_vec(e->link[i].R, b->across_on_body, body);
    mat3_mul_vec(inboard, b->across_on_inboard[0], first);
    mat3_mul_vec(inboard, b->across_on_inboard[1], second);
    const double angle = atan2(vec3_dot(second, body), vec3_dot(first, body));
    const double tracked = e->state[e->at_angle + i];
    return angle + full_turn * floor((tracked - angle) / full_turn + 0.5);
}

static void joint_coordinates(const impulses *e, int i, double *q)
{
    const impulse_body *b = &e->m.bodies[i];
    double P[9], Q[9], turn[9], angle[3], gap[3], travel[3];
    if (b->joint == MB_HINGE || b->joint == MB_PRISM) {
        q[0] = impulse_coordinate(e, i);
        return;
    }
    axes_on_inboard(e, i, P);
    axes_on_body(e, i, Q);
    mat3_tmul(P, Q, turn);
    if (b->joint == MB_BALL) {
        double next[4], same = 0.0;
        turn_quaternion(turn, next);
        for (int k = 0; k < 4; k++)
            same += q[k] * next[k];
        for (int k = 0; k < 4; k++) // of the two quaternions the one nearer to that before
            q[k] = same < 0.0 ? -next[k] : next[k];
    } else if (b->joint == MB_GENERAL) {
        if (e->placed)
            memcpy(angle, e->link[i].angle, sizeof angle);
        else
            turn_angles(turn, b->sequence, angle);
        apart(e, i, gap);
        mat3_tmul_vec(P, gap, travel);
        for (int k = 0, used = 0; k < 6; k++)
            if (b->free[k])
                q[used++] = k < 3 ? travel[k] : angle[k - 3];
    }
}

static void read_free(const impulses *e, int i, double *q, double *v)
{
    const impulse_body *b = &e->m.bodies[i];
    const impulse_link *l = &e->link[i];
    const double *own = e->state + POSE * i, *V = own + AT_V;
    double centre[3], turned[3], at[3];
    mat3_mul_vec(l->R, b->com, centre);
    vec3_cross(V, centre, turned);
    for (int k = 0; k < 3; k++) {
        q[k] = own[k] - centre[k];
        at[k] = V[3 + k] - turned[k];
    }
    if (b->euler)
        turn_angles(l->R, b->sequence, q + 3);
    else
        memcpy(q + 3, own + AT_Q, 4 * sizeof *q);
    if (b->quasi_velocity)
        mat3_tmul_vec(l->R, at, v);
    else
        memcpy(v, at, sizeof at);
    mat3_tmul_vec(l->R, V, v + 3);
}

void impulse_to_coordinates(impulses *e, double *y, bool velocities)
{
    for (int i = 0; i < e->m.body_count; i++) {
        const impulse_body *b = &e->m.bodies[i];
        double *q = y + b->q, *v = y + e->m.q_count + b->v;
        if (b->joint == MB_FREE) {
            read_free(e, i, q, v);
            continue;
        }
        if (!velocities)
            joint_coordinates(e, i, q);
        impulse_rates(e, i, pose(e, i) + AT_V,
                      b->inboard < 0 ? nothing : pose(e, b->inboard) + AT_V, v);
    }
}

// The turn and travel of the joint at coordinates q.
static void joint_turn(const impulse_body *b, const double *q, double turn[9], double travel[3])
{
    memcpy(turn, identity, 9 * sizeof *turn);
    memset(travel, 0, 3 * sizeof *travel);
    if (b->joint == MB_HINGE)
        turn_about_vector(b->axis, q[0], turn);
    else if (b->joint == MB_BALL)
        turn_matrix(q, turn);
    else if (b->joint == MB_PRISM)
        for (int k = 0; k < 3; k++)
            travel[k] = q[0] * b->axis[k];
    else if (b->joint == MB_GENERAL)
        for (int k = 0, used = 0; k < 6; k++) {
            const double value = b->free[k] ? q[used++] : b->held[k];
            double about[9], next[9];
            if (k < 3) {
                travel[k] = value;
                continue;
            }
            turn_about(b->sequence[k - 3], value, about);
            mat3_mul(turn, about, next);
            memcpy(turn, next, sizeof next);
        }
}

static void start_free(impulses *e, int i, const double *q, const double *v)
{
    const impulse_body *b = &e->m.bodies[i];
    double *own = e->state + POSE * i, *V = own + AT_V, R[9], centre[3], turned[3];
    if (b->euler) {
        double about[9], next[9];
        memcpy(R, identity, sizeof R);
        for (int k = 0; k < 3; k++) {
            turn_about(b->sequence[k], q[3 + k], about);
            mat3_mul(R, about, next);
            memcpy(R, next, sizeof R);
        }
        turn_quaternion(R, own + AT_Q);
    } else {
        memcpy(own + AT_Q, q + 3, 4 * sizeof *q);
    }
    turn_matrix(own + AT_Q, R);
    mat3_mul_vec(R, b->com, centre);
    mat3_mul_vec(R, v + 3, V);
    if (b->quasi_velocity)
        mat3_mul_vec(R, v, V + 3);
    else
        memcpy(V + 3, v, 3 * sizeof *v);
    vec3_cross(V, centre, turned);
    for (int k = 0; k < 3; k++) {
        own[k] = q[k] + centre[k];
        V[3 + k] += turned[k];
    }
}

void impulse_from_coordinates(impulses *e, const double *y)
{
    e->placed = e->known = false;
    for (int i = 0; i < e->m.body_count; i++) {
        const impulse_body *b = &e->m.bodies[i];
        impulse_link *l = &e->link[i];
        const double *q = y + b->q, *v = y + e->m.q_count + b->v;
        double *own = e->state + POSE * i;
        if (b->joint == MB_FREE) {
            start_free(e, i, q, v);
            turn_matrix(own + AT_Q, l->R);
            place_joint(e, i);
            continue;
        }
        const double *inboard = pose(e, b->inboard);
        const double *V = b->inboard < 0 ? nothing : inboard + AT_V;
        double turn[9], travel[3], Q[9], R[9], at[3], moved[3], arm[3], P[9], carried[3];
        joint_turn(b, q, turn, travel);
        mat3_mul(turn_of(e, b->inboard), b->inboard_axes, P);
        mat3_mul(P, turn, Q);
        mat3_mult(Q, b->body_axes, R);
        turn_quaternion(R, own + AT_Q);
        turn_matrix(own + AT_Q, l->R);
        mat3_mul_vec(turn_of(e, b->inboard), b->on_inboard, at);
        mat3_mul_vec(P, travel, moved);
        mat3_mul_vec(l->R, b->on_body, arm);
        for (int k = 0; k < 3; k++)
            own[k] = inboard[k] + at[k] + moved[k] - arm[k];
        place_joint(e, i);
        free_motions(e, i);
        vec3_cross(V, l->shift, carried);
        for (int k = 0; k < 3; k++) {
            own[AT_V + k] = V[k];
            own[AT_V + 3 + k] = V[3 + k] + carried[k];
        }
        for (int k = 0; k < b->freedom_count; k++)
            for (int x = 0; x < 6; x++)
                own[AT_V + x] += v[k] * l->S[k][x];
        if (b->joint == MB_HINGE)
            e->state[e->at_angle + i] = q[0];
    }
}
