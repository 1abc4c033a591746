// graph_start.c - coordinates of a graph's tree at the start, from where the bodies are.
//
// From the roots outwards: of a joint whose outer body the file places, the coordinates that bring
// it nearest; of any other, its start values. What does not fit is left to the assembly.
#include "mechanism_file/reader.h"

#include "num/vec3.h"

#include <math.h>
#include <string.h>

typedef struct pose {
    double at[3], turn[9]; // columns of turn: axes of the frame
} pose;

static pose then(const pose *a, const double at[3], const double turn[9])
{
    pose out;
    mat3_mul_vec(a->turn, at, out.at);
    for (int i = 0; i < 3; i++)
        out.at[i] += a->at[i];
    mat3_mul(a->turn, turn, out.turn);
    return out;
}

static void values_of(const double *value, const expr_id *node, int count, double *out)
{
    for (int i = 0; i < count; i++)
        out[i] = value[node[i]];
}

static void turn_about(const double axis[3], double angle, double R[9])
{
    const double s = sin(angle), u = 1.0 - cos(angle);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double sign = (j - i + 3) % 3 == 1 ? -1.0 : 1.0;
            R[3 * i + j] = i == j ? 1.0 + u * (axis[i] * axis[i] - 1.0)
                                  : u * axis[i] * axis[j] + sign * s * axis[3 - i - j];
        }
}

// The largest part first, for safety near half a turn.
static void quaternion_of(const double R[9], double q[4])
{
    const double trace = R[0] + R[4] + R[8];
    const double square[4] = {1.0 + trace, 1.0 - trace + 2.0 * R[0], 1.0 - trace + 2.0 * R[4],
                              1.0 - trace + 2.0 * R[8]}; // 4 q^2
    int k = 0;
    for (int i = 1; i < 4; i++)
        if (square[i] > square[k])
            k = i;
    const double part[4][4] = {
        {square[0], R[7] - R[5], R[2] - R[6], R[3] - R[1]},
        {R[7] - R[5], square[1], R[1] + R[3], R[2] + R[6]},
        {R[2] - R[6], R[1] + R[3], square[2], R[5] + R[7]},
        {R[3] - R[1], R[2] + R[6], R[5] + R[7], square[3]},
    };
    const double size = 2.0 * sqrt(square[k]), sign = part[k][0] < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 4; i++)
        q[i] = sign * part[k][i] / size;
}

static void turn_by(const double q[4], double R[9])
{
    const double half = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const double axis[3] = {half > 0.0 ? q[1] / half : 1.0, half > 0.0 ? q[2] / half : 0.0,
                            half > 0.0 ? q[3] / half : 0.0};
    turn_about(axis, 2.0 * atan2(half, q[0]), R);
}

// The pose of the moving frame in the fixed one of a joint.
static pose moved(const mb_body *body, const double *value)
{
    pose p = {{0.0, 0.0, 0.0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    const double *q = body->start_q;
    if (body->joint == MB_HINGE)
        turn_about(body->axis, q[0], p.turn);
    for (int i = 0; i < 3 && body->joint == MB_PRISM; i++)
        p.at[i] = q[0] * body->axis[i];
    if (body->joint == MB_BALL)
        turn_by(q, p.turn);
    if (body->joint == MB_FREE) {
        memcpy(p.at, q, sizeof p.at);
        turn_by(q + 3, p.turn);
    }
    for (int i = 0, k = 0; i < 6 && body->joint == MB_GENERAL; i++) {
        const double part = body->free[i] ? q[k++] : value[body->held[i]];
        const int a = i < 3 ? i : body->sequence[i - 3];
        const double unit[3] = {a == 0, a == 1, a == 2}, zero[3] = {0};
        double R[9];
        if (i < 3) {
            p.at[i] = part;
            continue;
        }
        turn_about(unit, part, R);
        p = then(&p, zero, R);
    }
    return p;
}

// Coordinates nearest to a pose of the moving frame.
static void fit(mb_body *body, const pose *p)
{
    const double *R = p->turn, *n = body->axis;
    double w[3] = {R[7] - R[5], R[2] - R[6], R[3] - R[1]}, Rn[3];
    mat3_mul_vec(R, n, Rn);
    if (body->joint == MB_HINGE) // 2 sin n and 1 + 2 cos of a turn about n
        body->start_q[0] = atan2(vec3_dot(n, w), R[0] + R[4] + R[8] - vec3_dot(n, Rn));
    if (body->joint == MB_PRISM)
        body->start_q[0] = vec3_dot(n, p->at);
    if (body->joint == MB_BALL)
        quaternion_of(R, body->start_q);
    if (body->joint == MB_FREE) {
        memcpy(body->start_q, p->at, sizeof p->at);
        quaternion_of(R, body->start_q + 3);
    }
    for (int i = 0, k = 0; i < 3 && body->joint == MB_GENERAL; i++)
        if (body->free[i])
            body->start_q[k++] = p->at[i];
}

// Where body b is, after its inboard body.
static void place(multibody_reader *r, const double *value, pose *poses, int b)
{
    mb_body *body = &r->model->bodies[b];
    const multibody_graph_body *given = &r->graph->bodies[b];
    pose base = {{0.0, 0.0, 0.0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    pose mount = base, target = base;
    double at[3], turn[9];
    if (body->inboard >= 0)
        base = poses[body->inboard];
    values_of(value, body->at, 3, at);
    values_of(value, body->turn, 9, turn);
    base = then(&base, at, turn);
    if (body->mounted) {
        values_of(value, body->mount_at, 3, mount.at);
        values_of(value, body->mount_turn, 9, mount.turn);
    }
    memcpy(target.at, given->at, sizeof target.at);
    values_of(value, given->turn, 9, target.turn);
    if ((given->placed || given->turned) && !r->graph->start_given[b]) {
        // base X mount = target: X = base' target mount'
        double back[9], local[3], step[3];
        pose X;
        for (int i = 0; i < 9; i++)
            back[i] = mount.turn[3 * (i % 3) + i / 3];
        mat3_mul(target.turn, back, turn);
        mat3_mul_vec(turn, mount.at, step);
        for (int i = 0; i < 3; i++)
            local[i] = target.at[i] - step[i] - base.at[i];
        mat3_tmul_vec(base.turn, local, X.at);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                X.turn[3 * i + j] = 0.0;
                for (int k = 0; k < 3; k++)
                    X.turn[3 * i + j] += base.turn[3 * k + i] * turn[3 * k + j];
            }
        fit(body, &X);
        for (int k = 0; k < mb_velocity_count(body); k++)
            body->given[k] = true;
    }
    const pose X = moved(body, value), joint = then(&base, X.at, X.turn);
    poses[b] = then(&joint, mount.at, mount.turn);
}

void multibody_graph_start(multibody_reader *r, const double *value)
{
    const mb_model *m = r->model;
    pose *poses = arena_alloc(&r->scratch, ((size_t)m->body_count + 1) * sizeof poses[0]);
    bool *done = arena_alloc(&r->scratch, (size_t)m->body_count + 1);
    if (!poses || !done) {
        reader_no_memory(&r->base);
        return;
    }
    memset(done, 0, (size_t)m->body_count + 1);
    for (int count = 0; count < m->body_count;)
        for (int b = 0; b < m->body_count; b++)
            if (!done[b] && (m->bodies[b].inboard < 0 || done[m->bodies[b].inboard])) {
                place(r, value, poses, b);
                done[b] = true;
                count++;
            }
}
