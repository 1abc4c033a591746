// tree_lanes.c - the joints of the tree, eliminated exactly: from impulses to velocities in time
// linear in the number of bodies.
//
// For every body M V = p + w - (w of its outboard bodies), with w the impulse through its joint,
// and
//
//     V = X V_m + S u + beta,    S' w = tau
//
// where X V_m is the inboard body's velocity at this body's mass centre. Going inboard, w = A V - p
// with A and p of everything outboard; then with U = A S and D = (S' U)^-1
//
//     u = D (tau + S' p - U' (X V_m + beta))
//     w = (A - U D U') X V_m - (p - A beta - U D (tau + S' p - U' beta))
//
// which are A and p of the inboard body, moved to its mass centre. Everything is in world axes, so
// that X is a shift alone. A free body has S = 1: its A is factored by Cholesky. What the joints
// add by themselves, beta, is carried outboard first, V_b = X V_b,m + beta; with p - M V_b in place
// of p the rest is solved for V - V_b without any beta.
//
// A row g' V of the velocities through these joints responds to an impulse along another one by
//
//     sum over bodies  Y_a' D Y_b,    Y = S' g there, g moved inboard by g - U D Y
//
// so only bodies inboard of both take part.
//
// Six numbers are two vectors here, turning and travel, three of four lanes each.
#include "impulses/engine.h"
#include "impulses/three.h"
#include "num/vec3.h"

#include <math.h>
#include <string.h>

static inline lanes cross(lanes a, lanes b)
{
    return turned(minus(turned(a), b, a * turned(b)));
}

static inline double dot(const impulse_four a[2], lanes turn, lanes travel)
{
    return sum_of(lanes_fma(a[0], turn, a[1] * travel));
}

// ---- factor ------------------------------------------------------------------------------------

// A = L L' of a free body; false: it has no mass. L by rows in U, with 1 / L_kk on the diagonal.
static bool cholesky(const double *A, double L[6][6])
{
#pragma GCC unroll 6
    for (int i = 0; i < 6; i++)
#pragma GCC unroll 6
        for (int j = 0; j <= i; j++) {
            double sum = A[6 * i + j];
#pragma GCC unroll 6
            for (int k = 0; k < j; k++)
                sum -= L[i][k] * L[j][k];
            if (i == j && !(sum > 0.0))
                return false;
            L[i][j] = i == j ? 1.0 / sqrt(sum) : sum * L[j][j];
        }
    return true;
}

// Inverse of a symmetric positive matrix of n <= 6 rows.
static bool invert(int n, const double *a, double *out)
{
    double L[6][6], inverse[6][6] = {{0}};
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = a[6 * i + j];
            for (int k = 0; k < j; k++)
                sum -= L[i][k] * L[j][k];
            if (i == j && !(sum > 0.0))
                return false;
            L[i][j] = i == j ? 1.0 / sqrt(sum) : sum * L[j][j];
        }
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double sum = i == j ? 1.0 : 0.0;
            for (int k = j; k < i; k++)
                sum -= L[i][k] * inverse[k][j];
            inverse[i][j] = sum * L[i][i];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = i > j ? i : j; k < n; k++)
                sum += inverse[k][i] * inverse[k][j];
            out[6 * i + j] = sum;
        }
    return true;
}

// U = A S, a column for each free velocity; D.
static bool free_directions(impulse_link *l, impulse_node *node, int n)
{
    double a[36];
    for (int k = 0; k < n; k++) {
        const double *s = l->S[k];
        lanes turn = lanes_set(s[0]) * node->A[0][0], travel = lanes_set(s[0]) * node->A[0][1];
        for (int y = 1; y < 6; y++) {
            turn = lanes_fma(lanes_set(s[y]), node->A[y][0], turn);
            travel = lanes_fma(lanes_set(s[y]), node->A[y][1], travel);
        }
        node->S[k][0] = three(s), node->S[k][1] = three(s + 3);
        node->U[k][0] = turn, node->U[k][1] = travel;
    }
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            a[6 * j + k] = dot(node->S[j], node->U[k][0], node->U[k][1]);
    if (n != 1)
        return invert(n, a, l->D);
    l->D[0] = 1.0 / a[0];
    return a[0] > 0.0;
}

// A - U D U'
static void without(const impulse_link *l, const impulse_node *node, int n, lanes a[6][2])
{
    for (int x = 0; x < 6; x++)
        a[x][0] = node->A[x][0], a[x][1] = node->A[x][1];
    for (int j = 0; j < n; j++) {
        lanes turn = lanes_set(l->D[6 * j]) * node->U[0][0];
        lanes travel = lanes_set(l->D[6 * j]) * node->U[0][1];
        for (int k = 1; k < n; k++) {
            turn = lanes_fma(lanes_set(l->D[6 * j + k]), node->U[k][0], turn);
            travel = lanes_fma(lanes_set(l->D[6 * j + k]), node->U[k][1], travel);
        }
        for (int x = 0; x < 6; x++) {
            const lanes f = lanes_set(node->U[j][x / 3][x % 3]);
            a[x][0] = minus(f, turn, a[x][0]);
            a[x][1] = minus(f, travel, a[x][1]);
        }
    }
}

// [d]x m, by its rows.
static inline void cross_rows(const double d[3], const lanes m[3], lanes out[3])
{
    const lanes x = lanes_set(d[0]), y = lanes_set(d[1]), z = lanes_set(d[2]);
    out[0] = minus(z, m[1], y * m[2]);
    out[1] = minus(x, m[2], z * m[0]);
    out[2] = minus(y, m[0], x * m[1]);
}

// The inertia a = [A B; B' C] of a body at its mass centre, added to that of the inboard one, d
// from there: with X = [d]x, E = B + X C,
//     [A + X B' - E X, E; E', C]
static void add_inboard(impulse_node *to, lanes a[6][2], const double d[3])
{
    const lanes C[3] = {a[3][1], a[4][1], a[5][1]}, B[3] = {a[3][0], a[4][0], a[5][0]};
    const lanes by = three(d);
    lanes XC[3], XB[3];
    cross_rows(d, C, XC);
    cross_rows(d, B, XB);
    for (int i = 0; i < 3; i++) {
        const lanes E = a[i][1] + XC[i];
        to->A[i][0] += a[i][0] + XB[i] - cross(E, by);
        to->A[i][1] += E;
        to->A[3 + i][0] += B[i] - cross(C[i], by);
        to->A[3 + i][1] += C[i];
    }
}

static void begin_inertia(const impulse_body *b, const impulse_link *l, impulse_node *node)
{
    const lanes zero = lanes_set(0.0);
    for (int i = 0; i < 3; i++) {
        node->A[i][0] = three(l->inertia + 3 * i);
        node->A[i][1] = node->A[3 + i][0] = zero;
    }
    node->A[3][1] = (lanes){b->mass, 0.0, 0.0, 0.0};
    node->A[4][1] = (lanes){0.0, b->mass, 0.0, 0.0};
    node->A[5][1] = (lanes){0.0, 0.0, b->mass, 0.0};
}

static bool factor_free(impulse_link *l, const impulse_node *node)
{
    double A[36];
    for (int x = 0; x < 6; x++)
        for (int y = 0; y < 6; y++)
            A[6 * x + y] = node->A[x][y / 3][y % 3];
    return cholesky(A, l->U);
}

static bool factor(impulses *e)
{
    bool good = true;
    for (int i = 0; i < e->m.body_count; i++)
        begin_inertia(&e->m.bodies[i], &e->link[i], &e->node[i]);
    for (int i = e->m.body_count - 1; i >= 0; i--) {
        const impulse_body *b = &e->m.bodies[i];
        impulse_link *l = &e->link[i];
        impulse_node *node = &e->node[i];
        if (b->joint == MB_FREE) {
            good = factor_free(l, node) && good;
            continue;
        }
        good = free_directions(l, node, b->freedom_count) && good;
        if (b->inboard < 0)
            continue;
        lanes a[6][2];
        if (b->freedom_count == 1) // most: without loops
            without(l, node, 1, a);
        else
            without(l, node, b->freedom_count, a);
        add_inboard(&e->node[b->inboard], a, l->shift);
    }
    return good;
}

// ---- solve -------------------------------------------------------------------------------------

// x = (L L')^-1 b
static void forward(const double *L, const double *b, double *x)
{
#pragma GCC unroll 6
    for (int i = 0; i < 6; i++) {
        double sum = b[i];
#pragma GCC unroll 6
        for (int k = 0; k < i; k++)
            sum -= L[6 * i + k] * x[k];
        x[i] = sum * L[7 * i];
    }
}

static void backward(const double *L, const double *b, double *x)
{
#pragma GCC unroll 6
    for (int i = 5; i >= 0; i--) {
        double sum = b[i];
#pragma GCC unroll 6
        for (int k = i + 1; k < 6; k++)
            sum -= L[6 * k + i] * x[k];
        x[i] = sum * L[7 * i];
    }
}

// What joints add by themselves, outboard, and its momentum taken off.
static void carry_bias(impulses *e)
{
    for (int i = 0; i < e->m.body_count; i++) {
        const impulse_body *b = &e->m.bodies[i];
        const impulse_link *l = &e->link[i];
        impulse_node *node = &e->node[i];
        lanes turn = three(l->p), travel = three(l->p + 3);
        if (b->joint == MB_FREE) {
            node->bias[0] = node->bias[1] = lanes_set(0.0);
        } else {
            lanes w = three(l->beta), v = three(l->beta + 3);
            if (b->inboard >= 0) {
                const impulse_four *from = e->node[b->inboard].bias;
                w += from[0];
                v += from[1] + cross(from[0], three(l->shift));
            }
            node->bias[0] = w, node->bias[1] = v;
            for (int k = 0; k < 3; k++)
                turn = minus(lanes_set(w[k]), three(l->inertia + 3 * k), turn);
            travel = minus(lanes_set(b->mass), v, travel);
        }
        node->p[0] = turn, node->p[1] = travel;
    }
}

static void go_inboard(impulse_link *l, impulse_node *node, int n, impulse_node *inboard)
{
    lanes turn = node->p[0], travel = node->p[1];
    double z[6];
    for (int k = 0; k < n; k++)
        z[k] = l->tau[k] + dot(node->S[k], node->p[0], node->p[1]);
    for (int j = 0; j < n; j++) {
        double f = l->D[6 * j] * z[0];
        for (int k = 1; k < n; k++)
            f += l->D[6 * j + k] * z[k];
        l->y[j] = f;
        turn = minus(lanes_set(f), node->U[j][0], turn);
        travel = minus(lanes_set(f), node->U[j][1], travel);
    }
    if (!inboard)
        return;
    inboard->p[0] += turn + cross(three(l->shift), travel);
    inboard->p[1] += travel;
}

// V and u from y, D times the impulse along the joint, and the velocity of the inboard body.
static void go_outboard(impulse_link *l, impulse_node *node, int n, const impulse_node *inboard)
{
    lanes turn = lanes_set(0.0), travel = turn;
    double left[6];
    if (inboard) {
        turn = inboard->V[0];
        travel = inboard->V[1] + cross(turn, three(l->shift));
    }
    for (int k = 0; k < n; k++)
        left[k] = dot(node->U[k], turn, travel);
    for (int j = 0; j < n; j++) {
        double u = l->y[j];
        for (int k = 0; k < n; k++)
            u -= l->D[6 * j + k] * left[k];
        l->u[j] = u;
        turn = lanes_fma(lanes_set(u), node->S[j][0], turn);
        travel = lanes_fma(lanes_set(u), node->S[j][1], travel);
    }
    node->V[0] = turn, node->V[1] = travel;
}

static void solve_free(impulse_link *l, impulse_node *node)
{
    double p[6], half[6], V[8] = {0};
    put_three(node->p[0], p);
    put_three(node->p[1], p + 3);
    forward(l->U[0], p, half);
    backward(l->U[0], half, V);
    memcpy(l->u, V, sizeof l->u);
    node->V[0] = three(V), node->V[1] = three(V + 3);
}

static void solve(impulses *e)
{
    const impulse_body *bodies = e->m.bodies;
    carry_bias(e);
    for (int i = e->m.body_count - 1; i >= 0; i--) {
        const int n = bodies[i].freedom_count, m = bodies[i].inboard;
        impulse_node *inboard = m < 0 ? NULL : &e->node[m];
        if (n == 1)
            go_inboard(&e->link[i], &e->node[i], 1, inboard);
        else if (bodies[i].joint != MB_FREE)
            go_inboard(&e->link[i], &e->node[i], n, inboard);
    }
    for (int i = 0; i < e->m.body_count; i++) {
        const int n = bodies[i].freedom_count, m = bodies[i].inboard;
        impulse_link *l = &e->link[i];
        impulse_node *node = &e->node[i];
        const impulse_node *inboard = m < 0 ? NULL : &e->node[m];
        if (bodies[i].joint == MB_FREE)
            solve_free(l, node);
        else if (n == 1)
            go_outboard(l, node, 1, inboard);
        else
            go_outboard(l, node, n, inboard);
        put_three(node->V[0] + node->bias[0], l->V);
        put_three(node->V[1] + node->bias[1], l->V + 3);
    }
}

// ---- rows --------------------------------------------------------------------------------------

// One body of a row: Y and Z from g and tau; what passes inboard.
static void respond_at(const impulses *e, impulse_response *r, int i, const double *tau, lanes g[2])
{
    const impulse_body *b = &e->m.bodies[i];
    const impulse_link *l = &e->link[i];
    const impulse_node *node = &e->node[i];
    const int n = b->freedom_count;
    double *Y = r->Y + b->freedom, *Z = r->Z + b->freedom;
    if (b->joint == MB_FREE) {
        double at[6];
        put_three(g[0], at);
        put_three(g[1], at + 3);
        forward(l->U[0], at, Y);
        memcpy(Z, Y, 6 * sizeof *Z);
        return;
    }
    for (int k = 0; k < n; k++)
        Y[k] = dot(node->S[k], g[0], g[1]) + (tau ? tau[k] : 0.0);
    for (int j = 0; j < n; j++) {
        Z[j] = 0.0;
        for (int k = 0; k < n; k++)
            Z[j] += l->D[6 * j + k] * Y[k];
        g[0] = minus(lanes_set(Z[j]), node->U[j][0], g[0]);
        g[1] = minus(lanes_set(Z[j]), node->U[j][1], g[1]);
    }
    g[0] += cross(three(l->shift), g[1]);
}

// An impulse along the only freedom of a body.
static void respond_freedom(impulses *e, impulse_response *r, int body)
{
    static const double one[1] = {1.0};
    lanes g[2] = {lanes_set(0.0), lanes_set(0.0)};
    r->path_count = 0;
    for (int i = body; i >= 0; i = e->m.bodies[i].inboard) {
        r->path[r->path_count++] = i;
        respond_at(e, r, i, i == body ? one : NULL, g);
    }
}

static void respond_along(impulses *e, impulse_response *r, const double *tau)
{
    for (int i = 0; i < e->m.body_count; i++)
        e->node[i].p[0] = e->node[i].p[1] = lanes_set(0.0);
    r->path_count = 0;
    for (int i = e->m.body_count - 1; i >= 0; i--) {
        const impulse_body *b = &e->m.bodies[i];
        lanes g[2] = {e->node[i].p[0], e->node[i].p[1]};
        r->path[r->path_count++] = i;
        if (b->joint == MB_FREE) {
            g[0] += three(tau + b->freedom);
            g[1] += three(tau + b->freedom + 3);
        }
        respond_at(e, r, i, tau + b->freedom, g);
        if (b->inboard >= 0) {
            e->node[b->inboard].p[0] += g[0];
            e->node[b->inboard].p[1] += g[1];
        }
    }
}

// Both lists run inboard, so by falling numbers.
static double couple(const impulses *e, const impulse_response *a, const impulse_response *b)
{
    double sum = 0.0;
    for (int i = 0, j = 0; i < a->path_count && j < b->path_count;) {
        const int at = a->path[i], other = b->path[j];
        if (at > other) {
            i++;
        } else if (at < other) {
            j++;
        } else {
            const impulse_body *body = &e->m.bodies[at];
            for (int k = 0; k < body->freedom_count; k++)
                sum += a->Y[body->freedom + k] * b->Z[body->freedom + k];
            i++, j++;
        }
    }
    return sum;
}

// ---- rows of contacts --------------------------------------------------------------------------

// One body with n free velocities on the way of the rows g inboard.
static inline void respond_through(const impulse_link *l, const impulse_node *node, int n,
                                   impulse_four *Y, impulse_four *Z, lanes at[6])
{
    for (int k = 0; k < n; k++) {
        const double *S = l->S[k];
        lanes even = lanes_set(S[0]) * at[0], odd = lanes_set(S[1]) * at[1];
        even = lanes_fma(lanes_set(S[2]), at[2], even);
        odd = lanes_fma(lanes_set(S[3]), at[3], odd);
        even = lanes_fma(lanes_set(S[4]), at[4], even);
        Y[k] = even + lanes_fma(lanes_set(S[5]), at[5], odd);
    }
    for (int j = 0; j < n; j++) {
        lanes z = lanes_set(l->D[6 * j]) * Y[0];
        for (int k = 1; k < n; k++)
            z = lanes_fma(lanes_set(l->D[6 * j + k]), Y[k], z);
        Z[j] = z;
        const double *turn = (const double *)&node->U[j][0], *travel = turn + LANES;
        for (int x = 0; x < 3; x++) {
            at[x] = minus(lanes_set(turn[x]), z, at[x]);
            at[3 + x] = minus(lanes_set(travel[x]), z, at[3 + x]);
        }
    }
    const lanes X = lanes_set(l->shift[0]), Yd = lanes_set(l->shift[1]);
    const lanes Zd = lanes_set(l->shift[2]);
    at[0] = minus(Zd, at[4], lanes_fma(Yd, at[5], at[0]));
    at[1] = minus(X, at[5], lanes_fma(Zd, at[3], at[1]));
    at[2] = minus(Yd, at[3], lanes_fma(X, at[4], at[2]));
}

// One body on the way of the rows of a contact: Y and Z from `at`, which becomes what passes
// inboard.
static inline void respond_body(const impulses *e, impulse_patch *p, int i, lanes at[6])
{
    const impulse_body *b = &e->m.bodies[i];
    const impulse_link *l = &e->link[i];
    impulse_four *Y = p->Y + b->freedom, *Z = p->Z + b->freedom;
    if (b->joint != MB_FREE) {
        respond_through(l, &e->node[i], b->freedom_count, Y, Z, at);
        return;
    }
    for (int j = 0; j < 6; j++) {
        lanes left = at[j];
        for (int k = 0; k < j; k++)
            left = minus(lanes_set(l->U[j][k]), Y[k], left);
        Y[j] = Z[j] = left * lanes_set(l->U[j][j]);
    }
}

// The ways inboard of both bodies of a pair, by falling numbers; where they meet they are one.
typedef struct way {
    int i, j;
} way;

static inline int way_at(way w)
{
    return w.i > w.j ? w.i : w.j;
}

static inline way way_next(const impulses *e, way w)
{
    const int at = way_at(w);
    return (way){w.i == at ? e->m.bodies[at].inboard : w.i,
                 w.j == at ? e->m.bodies[at].inboard : w.j};
}

static inline way way_of(const impulse_patch *p)
{
    return (way){p->body, p->other};
}

static void respond_pair(impulses *e, impulse_patch *p, const impulse_four g[6],
                         const impulse_four h[6])
{
    lanes at[2][6];
    for (int x = 0; x < 6; x++)
        at[0][x] = g[x], at[1][x] = h[x];
    for (way w = way_of(p); way_at(w) >= 0; w = way_next(e, w)) {
        const int second = w.j > w.i;
        if (w.i == w.j)
            for (int x = 0; x < 6; x++) { // of here on they are one
                at[0][x] += at[1][x];
                at[1][x] = lanes_set(0.0);
            }
        respond_body(e, p, way_at(w), at[second]);
    }
}

static void respond_patch(impulses *e, impulse_patch *p, const impulse_four g[6])
{
    lanes at[6];
    for (int x = 0; x < 6; x++)
        at[x] = g[x];
    for (int i = p->body; i >= 0; i = e->m.bodies[i].inboard) {
        const impulse_body *b = &e->m.bodies[i];
        const impulse_link *l = &e->link[i];
        impulse_four *Y = p->Y + b->freedom, *Z = p->Z + b->freedom;
        if (b->joint == MB_FREE) {
#pragma GCC unroll 6
            for (int j = 0; j < 6; j++) {
                lanes left = at[j];
#pragma GCC unroll 6
                for (int k = 0; k < j; k++)
                    left = minus(lanes_set(l->U[j][k]), Y[k], left);
                Y[j] = Z[j] = left * lanes_set(l->U[j][j]);
            }
            return;
        }
        if (b->freedom_count == 1)
            respond_through(l, &e->node[i], 1, Y, Z, at);
        else
            respond_through(l, &e->node[i], b->freedom_count, Y, Z, at);
    }
}

static void couple_row(const impulses *e, const impulse_response *a, const impulse_patch *b,
                       impulse_four *out)
{
    lanes all = lanes_set(0.0);
    way w = way_of(b);
    for (int i = 0, at; i < a->path_count && (at = way_at(w)) >= 0;) {
        if (a->path[i] > at) {
            i++;
        } else if (a->path[i] < at) {
            w = way_next(e, w);
        } else {
            const impulse_body *body = &e->m.bodies[at];
            for (int k = body->freedom; k < body->freedom + body->freedom_count; k++)
                all = lanes_fma(lanes_set(a->Y[k]), b->Z[k], all);
            i++, w = way_next(e, w);
        }
    }
    *out = all;
}

// Adds n free velocities to a row of a with those of b.
static inline void couple_at(const impulse_four *Y, const impulse_four *Z, int n, lanes out[3])
{
    const double *y = (const double *)Y;
    for (int k = 0; k < n; k++, y += LANES) {
        const lanes z = Z[k];
        for (int x = 0; x < 3; x++)
            out[x] = lanes_fma(lanes_set(y[x]), z, out[x]);
    }
}

// A row of a with those of b: from where their ways inboard meet.
static inline void couple_two(const impulses *e, const impulse_patch *a, const impulse_patch *b,
                              lanes out[3])
{
    const impulse_body *bodies = e->m.bodies;
    lanes all[3] = {lanes_set(0.0), lanes_set(0.0), lanes_set(0.0)};
    for (int i = e->meet[a->wheel * e->m.wheel_count + b->wheel]; i >= 0; i = bodies[i].inboard) {
        const impulse_four *Y = a->Y + bodies[i].freedom, *Z = b->Z + bodies[i].freedom;
        if (bodies[i].freedom_count == 6)
            couple_at(Y, Z, 6, all);
        else if (bodies[i].freedom_count == 1)
            couple_at(Y, Z, 1, all);
        else
            couple_at(Y, Z, bodies[i].freedom_count, all);
    }
    out[0] = all[0], out[1] = all[1], out[2] = all[2];
}

// The same where one of them is of a pair.
static void couple_pair(const impulses *e, const impulse_patch *a, const impulse_patch *b,
                        lanes out[3])
{
    out[0] = out[1] = out[2] = lanes_set(0.0);
    for (way v = way_of(a), w = way_of(b); way_at(v) >= 0 && way_at(w) >= 0;) {
        const int i = way_at(v), j = way_at(w);
        const impulse_body *body = &e->m.bodies[i];
        if (i == j)
            couple_at(a->Y + body->freedom, b->Z + body->freedom, body->freedom_count, out);
        v = i >= j ? way_next(e, v) : v;
        w = j >= i ? way_next(e, w) : w;
    }
}

// Vectors are stored whole: what they write beside their three columns comes later, or is room.
static void couple_patches(impulses *e)
{
    const int n = e->wide;
    for (int c = 0; c < e->patch_count; c++)
        for (int d = 0; d <= c; d++) {
            const int i = e->patch[c].row, j = e->patch[d].row;
            double *down = e->W + i * n + j, *across = e->W + j * n + i;
            lanes block[4] = {lanes_set(0.0), lanes_set(0.0), lanes_set(0.0), lanes_set(0.0)};
            if (e->patch[c].wheel >= 0) // those of wheels come first
                couple_two(e, &e->patch[c], &e->patch[d], block);
            else
                couple_pair(e, &e->patch[c], &e->patch[d], block);
            for (int x = 0; x < 3; x++)
                lanes_store_anywhere(down + x * n, block[x]);
            if (c == d) {
                down[1] = down[n], down[2] = down[2 * n], down[n + 2] = down[2 * n + 1];
                continue;
            }
            lanes_turn(block);
            for (int x = 0; x < 3; x++)
                lanes_store_anywhere(across + x * n, block[x]);
        }
}

// ---- impulses of rows --------------------------------------------------------------------------

// Z of rows summed, weighted with lambda.
static void sum_rows(const impulses *e, int count, const double *lambda, double *to)
{
    memset(to, 0, (size_t)e->freedom_count * sizeof *to);
    for (int r = 0; r < count && r < e->single_count; r++) {
        const double l = lambda[r], *Z = e->response[r].Z;
        for (int k = 0; k < e->response[r].path_count && l != 0.0; k++) {
            const impulse_body *b = &e->m.bodies[e->response[r].path[k]];
            for (int j = b->freedom; j < b->freedom + b->freedom_count; j++)
                to[j] += l * Z[j];
        }
    }
    if (count != e->row_count || e->patch_count == 0)
        return;
    impulse_four *all = e->patch_sum; // contacts side by side, summed last
    memset(all, 0, (size_t)e->freedom_count * sizeof *all);
    for (int c = 0; c < e->patch_count; c++) {
        const impulse_patch *p = &e->patch[c];
        const lanes l = {lambda[p->row], lambda[p->row + 1], lambda[p->row + 2], 0.0};
        for (way w = way_of(p); way_at(w) >= 0; w = way_next(e, w)) {
            const impulse_body *b = &e->m.bodies[way_at(w)];
            for (int j = b->freedom; j < b->freedom + b->freedom_count; j++)
                all[j] = lanes_fma(l, p->Z[j], all[j]);
        }
    }
    for (int j = 0; j < e->freedom_count; j++)
        to[j] += sum_of(all[j]);
}

// u = along - D U' X dV_m of a body with n free velocities; V and u move by it.
static inline void apply_at(impulse_link *l, impulse_node *node, int n, const double *along,
                            lanes turn, lanes travel)
{
    double left[6];
    for (int k = 0; k < n; k++)
        left[k] = dot(node->U[k], turn, travel);
    for (int j = 0; j < n; j++) {
        double u = along[j];
        for (int k = 0; k < n; k++)
            u -= l->D[6 * j + k] * left[k];
        l->u[j] += u;
        turn = lanes_fma(lanes_set(u), node->S[j][0], turn);
        travel = lanes_fma(lanes_set(u), node->S[j][1], travel);
    }
    node->V[0] = turn, node->V[1] = travel;
    put_three(three(l->V) + turn, l->V);
    put_three(three(l->V + 3) + travel, l->V + 3);
}

static void apply(impulses *e, int count, const double *lambda)
{
    double *along = e->work;
    sum_rows(e, count, lambda, along);
    for (int i = 0; i < e->m.body_count; i++) {
        const impulse_body *b = &e->m.bodies[i];
        impulse_link *l = &e->link[i];
        impulse_node *node = &e->node[i];
        const double *of = along + b->freedom;
        lanes turn = lanes_set(0.0), travel = turn;
        if (b->joint == MB_FREE) {
            double dV[8] = {0};
            backward(l->U[0], of, dV);
            for (int k = 0; k < 6; k++)
                l->u[k] += dV[k];
            apply_at(l, node, 0, of, three(dV), three(dV + 3));
            continue;
        }
        if (b->inboard >= 0) {
            turn = e->node[b->inboard].V[0];
            travel = e->node[b->inboard].V[1] + cross(turn, three(l->shift));
        }
        if (b->freedom_count == 1)
            apply_at(l, node, 1, of, turn, travel);
        else
            apply_at(l, node, b->freedom_count, of, turn, travel);
    }
}

const impulse_tree LANES_NAME(impulse_tree) = {.factor = factor,
                                               .solve = solve,
                                               .respond_freedom = respond_freedom,
                                               .respond_along = respond_along,
                                               .respond_patch = respond_patch,
                                               .respond_pair = respond_pair,
                                               .couple = couple,
                                               .couple_row = couple_row,
                                               .couple_patches = couple_patches,
                                               .apply = apply};
