// embedded_group.c - groups of links that loops tie together: how they move, and their rows.
//
// The equations are at the top of embedded.c.
#include "equations/assembly.h"
#include "equations/embedded_inside.h"
#include "equations/partition.h"

#include <string.h>

void *embedded_room(embedded_work *w, int count, size_t size)
{
    void *p = arena_alloc(&w->memory, ((size_t)count + 1) * size);
    w->no_memory = w->no_memory || !p;
    if (p)
        memset(p, 0, ((size_t)count + 1) * size); // EXPR_ZERO
    return p;
}

// ---- groups ------------------------------------------------------------------------------------

static int find(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static int body_link(const embedded_work *w, int body)
{
    return body < 0 ? -1 : w->links->bodies[body].link;
}

// All links between link and top join one set.
static void join_path(const mb_links *s, int *parent, bool *tied, int link, int top, int *with)
{
    for (; link != top; link = s->links[link].inboard) {
        tied[link] = true;
        if (*with >= 0)
            parent[find(parent, link)] = find(parent, *with);
        *with = link;
    }
}

// Sets of links whose loops share one; their roots are made equal by taking in more.
static void find_sets(embedded_work *w, int *parent, bool *tied)
{
    const mb_links *s = w->links;
    const mb_model *m = w->s->model;
    for (int i = 0; i < s->link_count; i++)
        parent[i] = i;
    for (int k = 0; k < m->closing_count; k++) {
        const int a = body_link(w, m->closings[k].from.body),
                  b = body_link(w, m->closings[k].to.body);
        int with = -1;
        const int top = mb_links_common(s, a, b);
        join_path(s, parent, tied, a, top, &with);
        join_path(s, parent, tied, b, top, &with);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < s->link_count; i++)
            for (int j = 0; j < i; j++) {
                if (!tied[i] || !tied[j] || find(parent, i) != find(parent, j))
                    continue;
                const int a = s->links[i].inboard, b = s->links[j].inboard;
                const bool inside_a = a >= 0 && tied[a] && find(parent, a) == find(parent, i);
                const bool inside_b = b >= 0 && tied[b] && find(parent, b) == find(parent, i);
                if (inside_a || inside_b || a == b)
                    continue;
                int with = i;
                const int top = mb_links_common(s, a, b);
                join_path(s, parent, tied, a, top, &with);
                join_path(s, parent, tied, b, top, &with);
                changed = true;
            }
    }
}

static void add_member(embedded_work *w, embedded_group *g, int link)
{
    const mb_link *l = &w->links->links[link];
    embedded_member *m = &g->members[g->count];
    w->place[link] = g->count++;
    *m = (embedded_member){.link = link, .in = -1, .first = g->columns};
    const bool inside = l->inboard >= 0 && w->of[l->inboard] == w->of[link];
    if (inside)
        m->in = w->place[l->inboard];
    else
        g->root = l->inboard;
    m->alone = !inside && (l->motion == MB_REVOLUTE || l->motion == MB_SLIDING);
    m->count = l->v_count;
    g->columns += l->v_count;
    w->impossible = w->impossible || l->motion == MB_FLOATING;
}

void embedded_make_groups(embedded_work *w)
{
    const mb_links *s = w->links;
    const int n = s->link_count;
    int *parent = embedded_room(w, n, sizeof *parent),
        *number = embedded_room(w, n, sizeof *number);
    bool *tied = embedded_room(w, n, sizeof *tied);
    w->of = embedded_room(w, n, sizeof *w->of);
    w->place = embedded_room(w, n, sizeof *w->place);
    w->groups = embedded_room(w, n, sizeof *w->groups);
    if (w->no_memory)
        return;
    find_sets(w, parent, tied);
    for (int i = 0; i < n; i++)
        number[i] = -1;
    for (int i = 0; i < n; i++) {
        w->of[i] = -1;
        if (!tied[i])
            continue;
        const int set = find(parent, i);
        if (number[set] < 0) {
            number[set] = w->group_count++;
            w->groups[number[set]].members = embedded_room(w, n, sizeof(embedded_member));
        }
        w->of[i] = number[set];
        if (!w->no_memory)
            add_member(w, &w->groups[number[set]], i);
    }
}

bool embedded_has_children(const embedded_work *w, int link)
{
    for (int i = 0; i < w->links->link_count; i++)
        if (w->links->links[i].inboard == link && (w->of[i] < 0 || w->of[i] != w->of[link]))
            return true;
    return false;
}

// ---- kinematics --------------------------------------------------------------------------------

static mb_vec root_spin(const embedded_work *w, const embedded_group *g)
{
    return g->root >= 0 ? w->arms[g->root].spin : mb_vec_zero();
}

mb_vec embedded_swing(const embedded_work *w, embedded_member *m, mb_vec in_link, mb_vec r)
{
    expr_graph *e = w->g;
    const mb_link *l = &w->links->links[m->link];
    if (mb_vec_is_zero(r))
        return r;
    if (m->alone && l->motion == MB_REVOLUTE) { // towards its axis
        const mb_vec still = mb_vec_scale(e, in_link.v[l->axis], mb_mat_column(&l->turn, l->axis));
        return mb_vec_scale(e, expr_square(e, l->rate), mb_vec_sub(e, still, r));
    }
    if (!m->psi_made) {
        const mb_vec b = m->turning;
        m->psi = mb_mat_spin_square(e, m->w);
        m->psi.m[1] = expr_sub(e, m->psi.m[1], b.v[2]);
        m->psi.m[2] = expr_add(e, m->psi.m[2], b.v[1]);
        m->psi.m[3] = expr_add(e, m->psi.m[3], b.v[2]);
        m->psi.m[5] = expr_sub(e, m->psi.m[5], b.v[0]);
        m->psi.m[6] = expr_sub(e, m->psi.m[6], b.v[1]);
        m->psi.m[7] = expr_add(e, m->psi.m[7], b.v[0]);
        m->psi_made = true;
    }
    return mb_mat_times(e, &m->psi, r);
}

mb_vec embedded_bias(const embedded_work *w, const embedded_group *g, embedded_member *m,
                     mb_vec in_link, mb_vec r)
{
    expr_graph *e = w->g;
    const mb_vec seen = mb_vec_add(e, m->going, embedded_swing(w, m, in_link, r));
    if (g->root < 0)
        return seen;
    const mb_vec v = mb_vec_add(e, m->v, mb_vec_cross(e, m->w, r));
    const mb_vec at = mb_vec_add(e, m->o, r), spin = root_spin(w, g);
    if (mb_vec_is_zero(v))
        return mb_vec_add(e, seen, mb_arm_whirl(e, &w->arms[g->root], at));
    const mb_vec twice = mb_vec_scale(e, expr_const(e, 2.0), v); // W x (W x r + 2 v)
    const mb_vec moved = mb_vec_add(e, mb_vec_cross(e, spin, at), twice);
    return mb_vec_add(e, seen, mb_vec_cross(e, spin, moved));
}

mb_vec embedded_turned(const embedded_work *w, const embedded_member *m, mb_vec r)
{
    expr_graph *e = w->g;
    const mb_link *l = &w->links->links[m->link];
    bool varies = false;
    for (int i = 0; i < 3; i++)
        varies = varies || expr_node_at(e, r.v[i])->varies;
    if (varies || m->in >= 0 || l->motion != MB_REVOLUTE)
        return mb_mat_times(e, &m->T, r);
    const int j = (l->axis + 1) % 3, k = (l->axis + 2) % 3;
    const mb_vec still = mb_vec_scale(e, r.v[l->axis], mb_mat_column(&l->turn, l->axis));
    mb_vec flat = r, across = mb_vec_zero();
    flat.v[l->axis] = EXPR_ZERO;
    across.v[j] = expr_neg(e, r.v[k]);
    across.v[k] = r.v[j];
    const mb_vec by_cos = mb_mat_times(e, &l->turn, flat);
    const mb_vec by_sin = mb_mat_times(e, &l->turn, across);
    return mb_vec_add(e, still,
                      mb_vec_add(e, mb_vec_scale(e, expr_cos(e, l->angle), by_cos),
                                 mb_vec_scale(e, expr_sin(e, l->angle), by_sin)));
}

// Spin, place and bias of a member from those of its inboard link.
static void place_member(embedded_work *w, embedded_group *g, embedded_member *m)
{
    expr_graph *e = w->g;
    const mb_link *l = &w->links->links[m->link];
    embedded_member *in = m->in >= 0 ? &g->members[m->in] : NULL;
    const mb_vec spin = root_spin(w, g);
    m->T = in ? mb_mat_mul(e, &in->T, &l->R) : l->R;
    m->r = in ? embedded_turned(w, in, l->r) : l->r;
    m->o = in ? mb_vec_add(e, in->o, m->r) : m->r;
    m->w = in ? in->w : mb_vec_zero();
    m->turning = in ? in->turning : mb_vec_zero();
    m->v = m->going = mb_vec_zero();
    if (in) {
        m->v = mb_vec_add(e, in->v, mb_vec_cross(e, in->w, m->r));
        m->going = mb_vec_add(e, in->going, embedded_swing(w, in, l->r, m->r));
    }
    if (l->motion == MB_SPHERICAL) {
        const expr_id *v = &w->links->v[l->v];
        m->w = mb_vec_add(e, m->w, mb_mat_times(e, &m->T, (mb_vec){{v[0], v[1], v[2]}}));
        m->turning = mb_vec_zero();
    } else {
        m->axis = mb_mat_column(in ? &m->T : &l->turn, l->axis);
        const mb_vec step = mb_vec_scale(e, l->rate, m->axis);
        const mb_vec turned = mb_vec_cross(e, m->w, step);
        if (l->motion == MB_REVOLUTE) {
            m->w = mb_vec_add(e, m->w, step);
            m->turning = mb_vec_add(e, m->turning, turned);
        } else {
            m->v = mb_vec_add(e, m->v, step);
            m->going = mb_vec_add(e, m->going, mb_vec_scale(e, expr_const(e, 2.0), turned));
        }
    }
    m->W = mb_vec_add(e, spin, m->w);
    m->beta = mb_vec_add(e, m->turning, mb_vec_cross(e, spin, m->w));
}

static void find_partials(embedded_work *w, embedded_group *g, embedded_member *m)
{
    expr_graph *e = w->g;
    const mb_link *l = &w->links->links[m->link];
    const embedded_member *in = m->in >= 0 ? &g->members[m->in] : NULL;
    m->Wp = embedded_room(w, g->columns, sizeof *m->Wp);
    m->Op = embedded_room(w, g->columns, sizeof *m->Op);
    if (w->no_memory)
        return;
    for (int c = 0; in && c < g->columns; c++) {
        if (l->motion != MB_SPHERICAL)
            m->Wp[c] = in->Wp[c];
        m->Op[c] = mb_vec_add(e, in->Op[c], mb_vec_cross(e, in->Wp[c], m->r));
    }
    for (int k = 0; k < m->count; k++) {
        mb_vec *to = l->motion == MB_SLIDING ? m->Op : m->Wp;
        to[m->first + k] =
            l->motion == MB_SPHERICAL ? mb_vec_unit(k) : mb_vec_add(e, to[m->first + k], m->axis);
    }
}

// ---- rows --------------------------------------------------------------------------------------

typedef struct end {    // of a joint
    embedded_member *m; // NULL: on the root
    mb_vec p, arm;      // from the root's origin; from the member's
    mb_vec in_link;     // the latter in link axes
    mb_mat turn;        // axes of the body
} end;

static end find_end(embedded_work *w, const embedded_group *g, const mb_mount *mount)
{
    expr_graph *e = w->g;
    const mb_vec at = {{mount->at[0], mount->at[1], mount->at[2]}};
    const int link = body_link(w, mount->body);
    const mb_place *place = mount->body >= 0 ? &w->links->bodies[mount->body] : NULL;
    const mb_vec in_link = place ? mb_vec_add(e, place->at, mb_mat_times(e, &place->turn, at)) : at;
    end out = {.p = in_link, .in_link = in_link, .turn = place ? place->turn : mb_mat_identity()};
    if (link == g->root)
        return out;
    out.m = &g->members[w->place[link]];
    out.arm = embedded_turned(w, out.m, in_link);
    out.p = mb_vec_add(e, out.m->o, out.arm);
    out.turn = mb_mat_mul(e, &out.m->T, &out.turn);
    return out;
}

// Velocity, and acceleration bias, of an end, seen from the root.
static void move_end(embedded_work *w, const end *at, mb_vec *rate, mb_vec *bias)
{
    expr_graph *e = w->g;
    *rate = *bias = mb_vec_zero();
    if (!at->m)
        return;
    *rate = mb_vec_add(e, at->m->v, mb_vec_cross(e, at->m->w, at->arm));
    *bias = mb_vec_add(e, at->m->going, embedded_swing(w, at->m, at->in_link, at->arm));
}

static void add_end(const end *at, expr_graph *e, int columns, expr_id sign, mb_pair *pair)
{
    for (int c = 0; at->m && c < columns; c++) {
        const mb_vec move = mb_vec_add(e, at->m->Op[c], mb_vec_cross(e, at->m->Wp[c], at->arm));
        pair->span.velocity[pair->span.count] = c;
        pair->span.partial[pair->span.count] = mb_vec_scale(e, sign, move);
        pair->spin[pair->span.count++] = at->m->Wp[c];
    }
}

// All rows of a joint; those that act go to the group.
static void close_joint(embedded_work *w, int closing)
{
    expr_graph *e = w->g;
    const mb_closing *joint = &w->s->model->closings[closing];
    const int a = body_link(w, joint->from.body), b = body_link(w, joint->to.body);
    const int top = mb_links_common(w->links, a, b), inside = a != top ? a : b;
    if (inside == top) { // both on one link: rows of constants
        w->impossible = true;
        return;
    }
    embedded_group *g = &w->groups[w->of[inside]];
    const end from = find_end(w, g, &joint->from), to = find_end(w, g, &joint->to);
    mb_pair pair = {.from = from.turn, .to = to.turn};
    pair.span.velocity = embedded_room(w, 2 * g->columns, sizeof *pair.span.velocity);
    pair.span.partial = embedded_room(w, 2 * g->columns, sizeof *pair.span.partial);
    pair.spin = embedded_room(w, 2 * g->columns, sizeof *pair.spin);
    if (w->no_memory)
        return;
    add_end(&to, e, g->columns, EXPR_ONE, &pair);
    pair.from_first = pair.span.count;
    add_end(&from, e, g->columns, expr_const(e, -1.0), &pair);
    pair.span.d = mb_vec_sub(e, to.p, from.p);
    mb_vec rate[2], bias[2];
    move_end(w, &from, &rate[0], &bias[0]);
    move_end(w, &to, &rate[1], &bias[1]);
    const mb_vec still = mb_vec_zero();
    const mb_pair_motion motion = {
        .spin = {from.m ? from.m->w : still, to.m ? to.m->w : still},
        .turn_bias = {from.m ? from.m->turning : still, to.m ? to.m->turning : still},
        .rate = mb_vec_sub(e, rate[1], rate[0]),
        .bias = mb_vec_sub(e, bias[1], bias[0]),
        .axes = top == g->root ? mb_mat_identity() : g->members[w->place[top]].T};
    mb_rows made = {0};
    const mc_status status = mb_rows_close(&w->s->links, closing, &pair, &motion, &made);
    w->no_memory = status == MC_NO_MEMORY;
    w->impossible = status != MC_OK;
    for (int r = 0; r < w->s->rows.kept_count && !w->impossible; r++) {
        const mb_row *row = &w->s->rows.row[w->s->rows.kept[r]];
        if (row->closing != closing || row->part >= made.count)
            continue;
        const mb_row *own = &made.row[row->part];
        for (int k = 0; k < own->count; k++) {
            expr_id *entry = &g->A[g->rows * g->columns + own->velocity[k]];
            *entry = expr_add(e, *entry, own->by[k]);
        }
        g->bias[g->rows] = own->bias;
        g->row[g->rows++] = r;
    }
    mb_rows_free(&made);
}

// ---- elimination of the rows -------------------------------------------------------------------

static bool choose_pivots(embedded_work *w, embedded_group *g)
{
    const int m = g->rows, n = g->columns;
    double *a = embedded_room(w, m * n, sizeof *a);
    bool *dependent = embedded_room(w, n, sizeof *dependent);
    bool *moves = embedded_room(w, g->count * n, sizeof *moves);
    if (w->no_memory)
        return false;
    const mc_status status = mb_assembly_values(w->s->assembly, g->A, m * n, a, w->error);
    w->no_memory = status == MC_NO_MEMORY;
    if (status != MC_OK)
        return false;
    for (int k = 0; k < g->count; k++)
        for (int c = 0; c < n; c++)
            moves[k * n + c] =
                !mb_vec_is_zero(g->members[k].Wp[c]) || !mb_vec_is_zero(g->members[k].Op[c]);
    mb_partition p = {.rows = m,
                      .columns = n,
                      .A = a,
                      .link_count = g->count,
                      .moves = moves,
                      .dependent = dependent,
                      .pivot_row = g->pivot_row,
                      .pivot_column = g->pivot_column};
    if (!mb_partition_find(&p)) {
        w->no_memory = p.no_memory;
        return false;
    }
    for (int c = 0; c < n; c++)
        if (!dependent[c])
            g->independent[g->free_count++] = c;
    return true;
}

enum { FACTORS = 4 };

// The factors of a product, smallest first, and its sign; 0: more than FACTORS.
static int factors_of(const expr_graph *e, expr_id id, int count, expr_id factor[FACTORS],
                      bool *minus)
{
    const expr_node *n = expr_node_at(e, id);
    if (n->op == EXPR_NEG) {
        *minus = !*minus;
        return factors_of(e, n->a, count, factor, minus);
    }
    if (n->op == EXPR_MUL) {
        count = factors_of(e, n->a, count, factor, minus);
        return count ? factors_of(e, n->b, count, factor, minus) : 0;
    }
    if (count == FACTORS)
        return 0;
    int at = count;
    for (; at > 0 && factor[at - 1] > id; at--)
        factor[at] = factor[at - 1];
    factor[at] = id;
    return count + 1;
}

// a - f b. Two rows of a ball joint leave nothing of the third by the spin of a ball's link,
// because p x is singular: then a and f b have the same factors in another order.
static expr_id reduced(expr_graph *e, expr_id a, expr_id f, expr_id b)
{
    const expr_id other = expr_mul(e, f, b);
    expr_id of_a[FACTORS], of_b[FACTORS];
    bool minus = false; // of one and not of the other
    const int count = factors_of(e, a, 0, of_a, &minus);
    if (count > 1 && count == factors_of(e, other, 0, of_b, &minus) && !minus &&
        memcmp(of_a, of_b, (size_t)count * sizeof *of_a) == 0)
        return EXPR_ZERO;
    return expr_sub(e, a, other);
}

// The rows eliminated on nodes, then x_D = X z + x0 from the last to the first.
static void eliminate_rows(embedded_work *w, embedded_group *g)
{
    expr_graph *e = w->g;
    const int m = g->rows, n = g->columns;
    bool *done = embedded_room(w, m, sizeof *done);
    if (w->no_memory)
        return;
    for (int step = 0; step < m; step++) {
        const int p = g->pivot_row[step], c = g->pivot_column[step];
        done[p] = true;
        g->inverse[step] = expr_div(e, EXPR_ONE, g->A[p * n + c]);
        for (int r = 0; r < m; r++) {
            if (done[r] || g->A[r * n + c] == EXPR_ZERO)
                continue;
            const expr_id f = expr_mul(e, g->A[r * n + c], g->inverse[step]);
            g->factor[r * m + step] = f;
            for (int k = 0; k < n; k++)
                g->A[r * n + k] =
                    k == c ? EXPR_ZERO : reduced(e, g->A[r * n + k], f, g->A[p * n + k]);
            g->bias[r] = expr_sub(e, g->bias[r], expr_mul(e, f, g->bias[p]));
        }
    }
    for (int i = 0; i < g->free_count; i++)
        g->X[g->independent[i] * g->free_count + i] = EXPR_ONE;
    for (int step = m; step-- > 0;) {
        const int p = g->pivot_row[step], c = g->pivot_column[step];
        const expr_id minus = expr_neg(e, g->inverse[step]);
        expr_id sum = g->bias[p];
        for (int k = 0; k < n; k++)
            if (k != c)
                sum = expr_add(e, sum, expr_mul(e, g->A[p * n + k], g->x0[k]));
        g->x0[c] = expr_mul(e, minus, sum);
        for (int i = 0; i < g->free_count; i++) {
            sum = EXPR_ZERO;
            for (int k = 0; k < n; k++)
                if (k != c)
                    sum =
                        expr_add(e, sum, expr_mul(e, g->A[p * n + k], g->X[k * g->free_count + i]));
            g->X[c * g->free_count + i] = expr_mul(e, minus, sum);
        }
    }
}

static void group_rooms(embedded_work *w, embedded_group *g, int rows)
{
    const int n = g->columns;
    g->row = embedded_room(w, rows, sizeof *g->row);
    g->A = embedded_room(w, rows * n, sizeof *g->A);
    g->bias = embedded_room(w, rows, sizeof *g->bias);
    g->x0 = embedded_room(w, n, sizeof *g->x0);
    g->factor = embedded_room(w, rows * rows, sizeof *g->factor);
    g->pivot_row = embedded_room(w, rows, sizeof *g->pivot_row);
    g->pivot_column = embedded_room(w, rows, sizeof *g->pivot_column);
    g->inverse = embedded_room(w, rows, sizeof *g->inverse);
    g->independent = embedded_room(w, n, sizeof *g->independent);
    g->X = embedded_room(w, n * n, sizeof *g->X);
    g->tau = embedded_room(w, n, sizeof *g->tau);
    g->M = embedded_room(w, n * n, sizeof *g->M);
    g->H = embedded_room(w, 6 * n, sizeof *g->H);
    g->t = embedded_room(w, n, sizeof *g->t);
    g->share = embedded_room(w, n * (n + 6), sizeof *g->share);
    g->rest = embedded_room(w, n, sizeof *g->rest);
}

// Kinematics of all groups, links inboard first.
void embedded_move_all(embedded_work *w)
{
    for (int i = 0; i < w->links->link_count && !w->no_memory; i++) {
        if (w->of[i] < 0) {
            mb_arm_move_out(w->links, w->arms, i);
            continue;
        }
        embedded_group *g = &w->groups[w->of[i]];
        embedded_member *m = &g->members[w->place[i]];
        place_member(w, g, m);
        find_partials(w, g, m);
        w->arms[i].spin =
            embedded_has_children(w, i) ? mb_mat_back(w->g, &m->T, m->W) : mb_vec_zero();
    }
}

void embedded_close_all(embedded_work *w)
{
    for (int k = 0; k < w->group_count && !w->no_memory; k++)
        group_rooms(w, &w->groups[k], w->s->rows.kept_count);
    for (int k = 0; k < w->s->model->closing_count && !w->no_memory && !w->impossible; k++)
        close_joint(w, k);
    for (int k = 0; k < w->group_count && !w->no_memory && !w->impossible; k++) {
        if (choose_pivots(w, &w->groups[k]))
            eliminate_rows(w, &w->groups[k]);
        else
            w->impossible = true;
    }
}
