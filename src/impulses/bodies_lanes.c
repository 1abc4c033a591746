// bodies_lanes.c - what is done to every body alone, in vectors of four lanes: motion, turns,
// inertias, momentum, what joints add by themselves, how far they are open.
//
// Motion, turns and inertias take four bodies at a time, a lane each. The rest takes three numbers
// of a body in one vector. The operations are those of turn.h and joints.c in their order, without
// fused ones: the same bits.
#include "impulses/engine.h"
#include "impulses/three.h"
#include "impulses/turn.h"

#include <math.h>
#include <string.h>

// ---- three numbers -----------------------------------------------------------------------------

static inline lanes turned_back(lanes a) // z x y
{
    return __builtin_shufflevector(a, a, 2, 0, 1, 3);
}

static inline lanes cross(lanes a, lanes b)
{
    return turned(a * turned(b) - turned(a) * b);
}

static inline double dot(lanes a, lanes b)
{
    const lanes c = a * b;
    return c[0] + c[1] + c[2];
}

// A matrix by its columns, times x.
static inline lanes times(const impulse_four m[3], const double x[3])
{
    return m[0] * lanes_set(x[0]) + m[1] * lanes_set(x[1]) + m[2] * lanes_set(x[2]);
}

// A symmetric matrix, times x.
static inline lanes symmetric_times(const double m[9], lanes x)
{
    return three(m) * lanes_set(x[0]) + three(m + 3) * lanes_set(x[1]) +
           three(m + 6) * lanes_set(x[2]);
}

// ---- four bodies -------------------------------------------------------------------------------

static inline void load_four(const double *const at[LANES], lanes out[LANES])
{
    for (int b = 0; b < LANES; b++)
        out[b] = lanes_load_anywhere(at[b]);
    lanes_turn(out);
}

static inline void store_four(lanes a[LANES], double *const at[LANES])
{
    lanes_turn(a);
    for (int b = 0; b < LANES; b++)
        lanes_store_anywhere(at[b], a[b]);
}

// q turned by r: turn_by of four. False: a rotation is too large for the series.
static inline bool turn_four(lanes q[4], const lanes r[3])
{
    const lanes one = lanes_set(1.0), two = lanes_set(0.5);
    const lanes half = lanes_set(0.25) * (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    if (lanes_bits(half < lanes_set(1e-4)) != 15)
        return false;
    const lanes c =
        one - half * (two - half * (lanes_set(1.0 / 24.0) - half * lanes_set(1.0 / 720.0)));
    const lanes s =
        two * (one - half * (lanes_set(1.0 / 6.0) -
                             half * (lanes_set(1.0 / 120.0) - half * lanes_set(1.0 / 5040.0))));
    const lanes x = s * r[0], y = s * r[1], z = s * r[2];
    const lanes a = c * q[0] - x * q[1] - y * q[2] - z * q[3];
    const lanes b = c * q[1] + x * q[0] + y * q[3] - z * q[2];
    const lanes d = c * q[2] + y * q[0] + z * q[1] - x * q[3];
    const lanes f = c * q[3] + z * q[0] + x * q[2] - y * q[1];
    const lanes unit = lanes_set(1.5) - two * (a * a + b * b + d * d + f * f);
    q[0] = unit * a, q[1] = unit * b, q[2] = unit * d, q[3] = unit * f;
    return true;
}

static void move_four(double *const pose[LANES], const double *const V[LANES], double scale)
{
    const lanes by = lanes_set(scale);
    const double *from[LANES], *turn[LANES];
    double *to[LANES];
    lanes first[LANES], second[LANES], c[LANES], q[LANES]; // wx wy wz vx; wz vx vy vz
    for (int b = 0; b < LANES; b++)
        from[b] = V[b] + 2, turn[b] = to[b] = pose[b] + AT_Q;
    load_four(V, first);
    load_four(from, second);
    load_four((const double *const *)pose, c);
    load_four(turn, q);
    const lanes r[3] = {by * first[0], by * first[1], by * second[0]};
    for (int k = 0; k < 3; k++)
        c[k] += by * second[1 + k];
    if (!turn_four(q, r)) {
        for (int b = 0; b < LANES; b++) {
            const double alone[3] = {r[0][b], r[1][b], r[2][b]};
            double at[4] = {q[0][b], q[1][b], q[2][b], q[3][b]};
            turn_by(at, alone);
            for (int k = 0; k < 4; k++)
                q[k][b] = at[k];
        }
    }
    store_four(c, pose);
    store_four(q, to); // after that: the fourth of c is the first of it
}

// Places by scale V, of the links or of the state.
static void move(impulses *e, double scale, bool of_links)
{
    const int n = e->m.body_count;
    double spare[LANES][POSE + 3] = {{0}};
    for (int i = 0; i < n; i += LANES) {
        double *pose[LANES];
        const double *V[LANES];
        for (int b = 0; b < LANES; b++) {
            pose[b] = i + b < n ? e->state + POSE * (i + b) : spare[b];
            V[b] = i + b >= n ? spare[b] + AT_V : of_links ? e->link[i + b].V : pose[b] + AT_V;
        }
        move_four(pose, V, scale);
    }
}

// Rows and columns of the turns of four bodies, 9 entries in `R`.
static inline void turns(const impulses *e, int i, int count, lanes R[9])
{
    static const double upright[POSE] = {0, 0, 0, 1};
    const double *at[LANES];
    lanes q[LANES];
    for (int b = 0; b < LANES; b++)
        at[b] = (b < count ? e->state + POSE * (i + b) : upright) + AT_Q;
    load_four(at, q);
    const lanes w = q[0], x = q[1], y = q[2], z = q[3], one = lanes_set(1.0), two = lanes_set(2.0);
    const lanes xx = two * x * x, yy = two * y * y, zz = two * z * z;
    const lanes xy = two * x * y, xz = two * x * z, yz = two * y * z;
    const lanes wx = two * w * x, wy = two * w * y, wz = two * w * z;
    R[0] = one - yy - zz, R[1] = xy - wz, R[2] = xz + wy;
    R[3] = xy + wz, R[4] = one - xx - zz, R[5] = yz - wx;
    R[6] = xz - wy, R[7] = yz + wx, R[8] = one - xx - yy;
}

// Three entries of each of up to four bodies.
static inline void put_entries(lanes a, lanes b, lanes c, int count, double *const to[LANES])
{
    lanes all[LANES] = {a, b, c, lanes_set(0.0)};
    lanes_turn(all);
    for (int k = 0; k < count; k++)
        lanes_store_anywhere(to[k], all[k]);
}

static inline void put_turns(impulses *e, int i, int count, const lanes R[9], bool rows)
{
    for (int k = 0; k < 3; k++) {
        double *row[LANES], *column[LANES];
        for (int b = 0; b < count; b++) {
            row[b] = e->link[i + b].R + 3 * k; // the fourth is overwritten, or to spare
            column[b] = (double *)&e->link[i + b].turn[k];
        }
        if (rows)
            put_entries(R[3 * k], R[3 * k + 1], R[3 * k + 2], count, row);
        put_entries(R[k], R[3 + k], R[6 + k], count, column);
    }
}

static void turn(impulses *e, bool rows)
{
    const int n = e->m.body_count;
    for (int i = 0; i < n; i += LANES) {
        const int count = n - i < LANES ? n - i : LANES;
        lanes R[9];
        turns(e, i, count, R);
        if (rows)
            put_turns(e, i, count, R, true);
        else
            put_turns(e, i, count, R, false);
    }
}

static inline lanes dot_of(const lanes *a, const lanes *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// R I R' of four bodies with diagonal I; others one by one.
static void place(impulses *e)
{
    const int n = e->m.body_count;
    for (int i = 0; i < n; i += LANES) {
        const int count = n - i < LANES ? n - i : LANES;
        lanes R[9], half[9], out[6];
        const impulse_four *I = e->diagonals + 3 * (i / LANES);
        double *to[3][LANES];
        turns(e, i, count, R);
        put_turns(e, i, count, R, true);
        for (int b = 0; b < count; b++)
            for (int k = 0; k < 3; k++)
                to[k][b] = e->link[i + b].inertia + 3 * k;
        for (int k = 0; k < 9; k++)
            half[k] = R[k] * I[k % 3];
        out[0] = dot_of(half, R), out[1] = dot_of(half, R + 3), out[2] = dot_of(half, R + 6);
        out[3] = dot_of(half + 3, R + 3), out[4] = dot_of(half + 3, R + 6);
        out[5] = dot_of(half + 6, R + 6);
        put_entries(out[0], out[1], out[2], count, to[0]);
        put_entries(out[1], out[3], out[4], count, to[1]);
        put_entries(out[2], out[4], out[5], count, to[2]);
        for (int b = 0; b < count; b++)
            if (!e->m.bodies[i + b].diagonal)
                turn_inertia(e->m.bodies[i + b].inertia, e->link[i + b].R, e->link[i + b].inertia);
    }
}

// ---- joints ------------------------------------------------------------------------------------

static const impulse_four upright[3] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};

// Arms, shifts and free motions of hinges, prisms, balls and fixed joints.
static void joints(impulses *e)
{
    for (int i = 0; i < e->m.body_count; i++) {
        const impulse_body *b = &e->m.bodies[i];
        impulse_link *l = &e->link[i];
        if (b->joint == MB_GENERAL || e->m.settings.loads) {
            impulse_place_joint(e, i);
            continue;
        }
        const impulse_four *in = b->inboard < 0 ? upright : e->link[b->inboard].turn;
        const lanes arm = -times(l->turn, b->on_body);
        lanes shift = three(e->state + POSE * i);
        if (b->inboard >= 0)
            shift -= three(e->state + POSE * b->inboard);
        put_three(arm, l->arm);
        put_three(shift, l->shift);
        if (b->joint == MB_HINGE || b->joint == MB_PRISM) {
            const bool turns = b->joint == MB_HINGE;
            const lanes axis = times(in, b->axis_on_inboard), zero = lanes_set(0.0);
            put_three(turns ? axis : zero, l->S[0]);
            put_three(turns ? cross(axis, arm) : axis, l->S[0] + 3);
        } else if (b->joint == MB_BALL) {
            for (int k = 0; k < 3; k++) {
                const lanes axis = times(l->turn, b->body_columns + 3 * k);
                put_three(axis, l->S[k]);
                put_three(cross(axis, arm), l->S[k] + 3);
            }
        }
    }
}

// ---- velocities --------------------------------------------------------------------------------

static void middle(impulses *e)
{
    const lanes half = lanes_set(0.5);
    for (int i = 0; i < e->m.body_count; i++) {
        impulse_link *l = &e->link[i];
        double *V = e->state + POSE * i + AT_V;
        for (int k = 0; k <= 2; k += 2) { // six numbers by two vectors that overlap
            const lanes m =
                half * (lanes_load_anywhere(l->V_start + k) + lanes_load_anywhere(l->V + k));
            lanes_store_anywhere(l->V_mid + k, m);
            lanes_store_anywhere(V + k, m);
        }
    }
}

// ---- loads -------------------------------------------------------------------------------------

// M V + h (m g; -w x I w), w in the middle of the step.
static void begin_loads(impulses *e, double h, bool again)
{
    const lanes by = lanes_set(h), g = three(e->m.gravity);
    for (int i = 0; i < e->m.body_count; i++) {
        impulse_link *l = &e->link[i];
        const lanes w = three(l->V_mid);
        if (!again) {
            const lanes mass = lanes_set(e->m.bodies[i].mass);
            put_three(symmetric_times(l->inertia, three(l->V_start)), l->begun);
            put_three(mass * (three(l->V_start + 3) + by * g), l->begun + 3);
        }
        put_three(three(l->begun) - by * cross(w, symmetric_times(l->inertia, w)), l->p);
        put_three(three(l->begun + 3), l->p + 3);
    }
}

// impulse_bias of hinges, balls and prisms over `ahead`; the others there.
static void bias(impulses *e, double ahead)
{
    static const double nothing[8];
    const lanes by = lanes_set(ahead), zero = lanes_set(0.0);
    for (int i = 0; i < e->m.body_count; i++) {
        const impulse_body *b = &e->m.bodies[i];
        impulse_link *l = &e->link[i];
        const double *inboard = b->inboard < 0 ? nothing : e->link[b->inboard].V_mid;
        if (b->joint == MB_FREE)
            continue;
        if (b->joint == MB_GENERAL) {
            impulse_bias(e, i, l->V_mid, inboard, l->beta);
            for (int k = 0; k < 6; k++)
                l->beta[k] *= ahead;
            continue;
        }
        const lanes w = three(l->V_mid), m = three(inboard), arm = three(l->arm);
        const lanes from = three(l->shift) - arm;
        const lanes carried = cross(m, from), swung = cross(w, arm);
        lanes turning = zero, travel = zero;
        if (b->joint == MB_HINGE || b->joint == MB_BALL) {
            turning = cross(m, w - m);
        } else if (b->joint == MB_PRISM) {
            const lanes rate = three(l->V_mid + 3) - three(inboard + 3) - carried - swung,
                        S = three(l->S[0] + 3);
            travel = lanes_set(dot(S, rate)) * S;
        }
        const lanes out = cross(m, carried + lanes_set(2.0) * travel);
        put_three(by * turning, l->beta);
        put_three(by * (out + (cross(turning, arm) + cross(w, swung))), l->beta + 3);
    }
}

// ---- springs -----------------------------------------------------------------------------------

// Arm of a point from its mass centre; its place.
static inline lanes place_of(const impulses *e, const impulse_point *p, lanes *arm)
{
    if (p->body < 0) {
        *arm = lanes_set(0.0);
        return (lanes){p->at[0], p->at[1], p->at[2], 0.0};
    }
    *arm = times(e->link[p->body].turn, p->at);
    return three(e->state + POSE * p->body) + *arm;
}

static inline lanes velocity_of(const impulses *e, int body, lanes arm)
{
    const double *V = body < 0 ? NULL : e->link[body].V_mid;
    return V ? cross(three(V), arm) + three(V + 3) : lanes_set(0.0);
}

// Whole vectors: what was stored a moment ago is loaded again.
static inline void push(impulses *e, int body, lanes arm, lanes impulse)
{
    if (body < 0)
        return;
    impulse_four *sum = e->link[body].sprung;
    sum[0] += cross(arm, impulse);
    sum[1] += impulse;
}

// -(stiffness (L - length) + damping L') + formula pushes the two points of a spring apart.
static void springs(impulses *e, double h, bool again)
{
    for (int i = 0; i < e->m.body_count && e->m.spring_count > 0; i++)
        e->link[i].sprung[0] = e->link[i].sprung[1] = lanes_set(0.0);
    for (int i = 0; i < e->m.spring_count; i++) {
        const impulse_spring *s = &e->m.springs[i];
        impulse_span *span = &e->span[i];
        if (!again) {
            lanes from, to;
            const lanes at = place_of(e, &s->from, &from);
            const lanes d = place_of(e, &s->to, &to) - at;
            span->arm[0] = from, span->arm[1] = to, span->d = d;
            span->length = sqrt(dot(d, d));
        }
        const double scale = span->length > 0.0 ? 1.0 / span->length : 0.0;
        const lanes d = span->d, from = span->arm[0], to = span->arm[1];
        double force;
        if (s->formula >= 0) {
            force = e->formula[s->formula];
        } else {
            const lanes v = velocity_of(e, s->to.body, to) - velocity_of(e, s->from.body, from);
            force = -(s->stiffness * (span->length - s->length) +
                      s->damping * dot(lanes_set(scale) * d, v));
        }
        const lanes impulse = d * lanes_set(h * force * scale);
        push(e, s->to.body, to, impulse);
        push(e, s->from.body, from, -impulse);
    }
    for (int i = 0; i < e->m.body_count && e->m.spring_count > 0; i++) {
        impulse_link *l = &e->link[i];
        put_three(three(l->p) + l->sprung[0], l->p);
        put_three(three(l->p + 3) + l->sprung[1], l->p + 3);
    }
}

// ---- open joints -------------------------------------------------------------------------------

// The small turn of a fixed or prismatic joint.
static inline lanes small_turn(const impulse_body *b, const impulse_four *in,
                               const impulse_four *on)
{
    lanes first = lanes_set(0.0), second = first;
    for (int k = 0; k < 3; k++) {
        const lanes P = times(in, b->inboard_columns + 3 * k);
        const lanes Q = times(on, b->body_columns + 3 * k);
        const lanes a = turned(P) * turned_back(Q), c = turned_back(P) * turned(Q);
        first = k == 0 ? a : first + a;
        second = k == 0 ? c : second + c;
    }
    return lanes_set(0.5) * (first - second);
}

// impulse_open of all joints into beta; the largest.
static double open_joints(impulses *e)
{
    double most = 0.0;
    for (int i = 0; i < e->m.body_count; i++) {
        const impulse_body *b = &e->m.bodies[i];
        impulse_link *l = &e->link[i];
        if (b->joint == MB_GENERAL || b->joint == MB_FREE) {
            most = fmax(most, impulse_open(e, i, l->beta));
            continue;
        }
        const impulse_four *in = b->inboard < 0 ? upright : e->link[b->inboard].turn;
        const lanes own = three(e->state + POSE * i), to = times(l->turn, b->on_body);
        lanes inboard = times(in, b->on_inboard), turn_by_it = lanes_set(0.0);
        if (b->inboard >= 0)
            inboard += three(e->state + POSE * b->inboard);
        lanes gap = own + to - inboard;
        if (b->joint == MB_HINGE)
            turn_by_it = cross(times(in, b->axis_on_inboard), times(l->turn, b->axis_on_body));
        else if (b->joint != MB_BALL)
            turn_by_it = small_turn(b, in, l->turn);
        if (b->joint == MB_PRISM) {
            const lanes axis = times(in, b->axis_on_inboard);
            gap -= lanes_set(dot(axis, gap)) * axis;
        }
        put_three(-turn_by_it, l->beta);
        put_three(-gap + cross(turn_by_it, to), l->beta + 3);
        const double a = sqrt(dot(gap, gap)), c = sqrt(dot(turn_by_it, turn_by_it));
        most = a > most ? a : most;
        most = c > most ? c : most;
    }
    return most;
}

const impulse_bodies LANES_NAME(impulse_bodies) = {move,        turn,    place, joints,     middle,
                                                   begin_loads, springs, bias,  open_joints};
