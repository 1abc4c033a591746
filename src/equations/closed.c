// closed.c - the two forms of closed mechanisms.
#include "equations/closed.h"

#include "equations/ldl.h"
#include "num/order.h"

#include <stdlib.h>
#include <string.h>

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the loops");
}

static const mb_row *kept_row(const mb_rows *rows, int r)
{
    return &rows->row[rows->kept[r]];
}

// ---- the descriptor form ---------------------------------------------------------------------

// A free base has velocities in body axes there, and its acceleration is that without gravity.
void mb_closed_row(const mb_system *s, int r, expr_id *A, expr_id *bias)
{
    expr_graph *g = s->graph;
    const mb_row *row = &s->rows.row[r];
    memset(A, 0, (size_t)s->v_count * sizeof *A); // EXPR_ZERO
    for (int k = 0; k < row->count; k++)
        A[row->velocity[k]] = row->by[k];
    *bias = row->bias;
    for (int i = 0; i < s->links.link_count; i++) {
        const mb_link *link = &s->links.links[i];
        if (link->motion != MB_FLOATING)
            continue;
        const expr_id *v = &s->links.v[link->v];
        const mb_vec by = {{A[link->v], A[link->v + 1], A[link->v + 2]}};
        mb_vec gravity = {{s->model->gravity[0], s->model->gravity[1], s->model->gravity[2]}};
        if (s->model->bodies[link->body].quasi_velocity) {
            const mb_vec w = {{v[3], v[4], v[5]}}, velocity = {{v[0], v[1], v[2]}};
            gravity =
                mb_vec_sub(g, mb_mat_back(g, &link->R, gravity), mb_vec_cross(g, w, velocity));
        } else {
            const mb_vec turned = mb_mat_back(g, &link->R, by);
            memcpy(&A[link->v], turned.v, sizeof turned.v);
        }
        *bias = expr_add(g, *bias, mb_vec_dot(g, by, gravity));
    }
}

typedef struct descriptor {
    int n, m;
    expr_id *K;    // (n + m) square
    expr_id *bias; // m
    int *order;
} descriptor;

static void free_descriptor(descriptor *d)
{
    free(d->K);
    free(d->bias);
    free(d->order);
}

static bool make_descriptor(const mb_system *s, const mb_rows *rows, const expr_id *M,
                            descriptor *d)
{
    const int n = s->v_count, m = rows->kept_count, size = n + m;
    *d = (descriptor){.n = n, .m = m};
    d->K = calloc((size_t)size * (size_t)size + 1, sizeof *d->K);
    d->bias = calloc((size_t)m + 1, sizeof *d->bias);
    d->order = calloc((size_t)size + 1, sizeof *d->order);
    bool *pattern = calloc((size_t)size * (size_t)size + 1, 1);
    bool good = d->K && d->bias && d->order && pattern;
    if (good) {
        for (int i = 0; i < n; i++)
            memcpy(&d->K[i * size], &M[i * n], (size_t)n * sizeof *M);
        for (int r = 0; r < m; r++) {
            expr_id *A = &d->K[(n + r) * size];
            mb_closed_row(s, rows->kept[r], A, &d->bias[r]);
            for (int k = 0; k < n; k++)
                d->K[k * size + n + r] = A[k];
        }
        for (int i = 0; i < size * size; i++)
            pattern[i] = d->K[i] != EXPR_ZERO;
        good = order_descriptor(n, m, pattern, d->order);
    }
    free(pattern);
    return good;
}

// Internal accelerations or changes to those of the model.
static void to_model(const mb_system *s, const expr_id *x, bool acceleration, expr_id *out)
{
    memcpy(out, x, (size_t)s->v_count * sizeof *out);
    for (int i = 0; i < s->links.link_count; i++) {
        const mb_link *link = &s->links.links[i];
        if (link->motion != MB_FLOATING)
            continue;
        const mb_vec a = {{x[link->v], x[link->v + 1], x[link->v + 2]}};
        if (acceleration) {
            mb_base_acceleration(&s->links, link, a, out);
        } else if (!s->model->bodies[link->body].quasi_velocity) {
            const mb_vec turned = mb_mat_times(s->graph, &link->R, a);
            memcpy(&out[link->v], turned.v, sizeof turned.v);
        }
    }
}

// right: n values of the equations of motion (NULL: zero), then m of the rows.
static mc_status solve_descriptor(const mb_system *s, const mb_rows *rows, const expr_id *M,
                                  const expr_id *right, const expr_id *row_right, expr_id *x,
                                  expr_id *lambda, mb_pivot *pivot, mc_error *error)
{
    descriptor d;
    mc_status status = MC_OK;
    if (!make_descriptor(s, rows, M, &d)) {
        free_descriptor(&d);
        return no_memory(error);
    }
    const int size = d.n + d.m;
    expr_id *b = calloc((size_t)size + 1, sizeof *b), *all = calloc((size_t)size + 1, sizeof *all);
    if (b && all) {
        if (right)
            memcpy(b, right, (size_t)d.n * sizeof *b);
        for (int r = 0; r < d.m; r++)
            b[d.n + r] = row_right ? row_right[r] : expr_neg(s->graph, d.bias[r]);
        status = mb_ldl_solve_descriptor(s->graph, d.n, d.m, d.K, b, d.order, all, pivot, error);
        to_model(s, all, right != NULL, x);
        for (int r = 0; lambda && r < d.m; r++) // K has A' lambda on the left
            lambda[r] = expr_neg(s->graph, all[d.n + r]);
    } else {
        status = no_memory(error);
    }
    free(b);
    free(all);
    free_descriptor(&d);
    return status;
}

// ---- the recursive form ----------------------------------------------------------------------

typedef struct operational {
    int n, m;
    expr_id *Y; // m x n: response to each row
    expr_id *S; // m x m: A Y'
} operational;

static void free_operational(operational *o)
{
    free(o->Y);
    free(o->S);
}

static expr_id times_row(expr_graph *g, const mb_row *row, const expr_id *x)
{
    expr_id sum = EXPR_ZERO;
    for (int k = 0; k < row->count; k++)
        sum = expr_add(g, sum, expr_mul(g, row->by[k], x[row->velocity[k]]));
    return sum;
}

static mc_status make_operational(const mb_system *s, const mb_rows *rows, const mb_articulated *a,
                                  operational *o, mc_error *error)
{
    const int n = s->v_count, m = rows->kept_count;
    *o = (operational){.n = n, .m = m};
    o->Y = calloc((size_t)(n * m) + 1, sizeof *o->Y);
    o->S = calloc((size_t)(m * m) + 1, sizeof *o->S);
    expr_id *tau = calloc((size_t)n + 1, sizeof *tau);
    mc_status status = o->Y && o->S && tau ? MC_OK : no_memory(error);
    for (int r = 0; r < m && status == MC_OK; r++) {
        const mb_row *row = kept_row(rows, r);
        memset(tau, 0, (size_t)n * sizeof *tau); // EXPR_ZERO
        for (int k = 0; k < row->count; k++)
            tau[row->velocity[k]] = row->by[k];
        status = mb_articulated_response(a, tau, &o->Y[r * n], error);
    }
    for (int r = 0; r < m && status == MC_OK; r++)
        for (int c = r; c < m; c++)
            o->S[r * m + c] = o->S[c * m + r] =
                times_row(s->graph, kept_row(rows, r), &o->Y[c * n]);
    free(tau);
    return status;
}

// x += Y lambda with A x = right afterwards.
static mc_status solve_operational(const mb_system *s, const mb_rows *rows, const mb_articulated *a,
                                   const expr_id *right, expr_id *x, expr_id *lambda,
                                   mb_pivot *pivot, mc_error *error)
{
    expr_graph *g = s->graph;
    operational o;
    mc_status status = make_operational(s, rows, a, &o, error);
    expr_id *b = calloc((size_t)o.m + 1, sizeof *b), *load = calloc((size_t)o.m + 1, sizeof *load);
    if (status == MC_OK && (!b || !load))
        status = no_memory(error);
    if (status == MC_OK) {
        for (int r = 0; r < o.m; r++)
            b[r] = expr_sub(g, right[r], times_row(g, kept_row(rows, r), x));
        status = mb_ldl_solve_rows(g, o.m, o.S, b, load, pivot, error);
    }
    for (int k = 0; k < o.n && status == MC_OK; k++)
        for (int r = 0; r < o.m; r++)
            x[k] = expr_add(g, x[k], expr_mul(g, o.Y[r * o.n + k], load[r]));
    if (status == MC_OK && lambda)
        memcpy(lambda, load, (size_t)o.m * sizeof *lambda);
    free(b);
    free(load);
    free_operational(&o);
    return status;
}

// ---- both ------------------------------------------------------------------------------------

mc_status mb_closed_accelerations(const mb_system *s, mb_form form, const mb_loads *loads,
                                  expr_id *vdot, expr_id *lambda, mb_pivot *pivot, mc_error *error)
{
    const mb_rows *rows = &s->rows;
    if (form == MB_FORM_LAGRANGE) {
        mb_lagrange_result made;
        mc_status status = mb_lagrange_assemble(&s->links, loads, &made, error);
        if (status == MC_OK)
            status =
                solve_descriptor(s, rows, made.M, made.right, NULL, vdot, lambda, pivot, error);
        mb_lagrange_free(&made);
        return status;
    }
    mb_articulated *a = mb_articulated_create(&s->links, loads, vdot, error);
    expr_id *right = calloc((size_t)rows->kept_count + 1, sizeof *right);
    mc_status status = a && right ? MC_OK : no_memory(error);
    for (int r = 0; r < rows->kept_count && status == MC_OK; r++)
        right[r] = expr_neg(s->graph, kept_row(rows, r)->bias);
    if (status == MC_OK)
        status = solve_operational(s, rows, a, right, vdot, lambda, pivot, error);
    free(right);
    mb_articulated_destroy(a);
    return status;
}

mc_status mb_closed_change(const mb_system *s, mb_form form, const expr_id *right, expr_id *x,
                           mc_error *error)
{
    const mb_rows *rows = &s->rows;
    mb_loads nothing;
    expr_id *unused = calloc((size_t)s->v_count + 1, sizeof *unused);
    mc_status status = unused && mb_loads_create(&s->links, &nothing) ? MC_OK : no_memory(error);
    if (status != MC_OK) {
        free(unused);
        return status;
    }
    if (form == MB_FORM_LAGRANGE) {
        mb_lagrange_result made;
        status = mb_lagrange_assemble(&s->links, &nothing, &made, error);
        if (status == MC_OK)
            status = solve_descriptor(s, rows, made.M, NULL, right, x, NULL, NULL, error);
        mb_lagrange_free(&made);
    } else {
        mb_articulated *a = mb_articulated_create(&s->links, &nothing, unused, error);
        memset(x, 0, (size_t)s->v_count * sizeof *x); // EXPR_ZERO
        status = a ? solve_operational(s, rows, a, right, x, NULL, NULL, error) : MC_NO_MEMORY;
        mb_articulated_destroy(a);
    }
    mb_loads_free(&nothing);
    free(unused);
    return status;
}
