// matrices.c - B_q, B_p, T, B, BT and the kinematic equations.
#include "equations/matrices.h"

#include "equations/bodies.h"
#include "expr/differentiate.h"
#include "multibody/closing.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
    const mb_system *s;
    expr_graph *g;
    mb_bodies bodies;
    mb_matrices *out;
    expr_id *T, *V;      // 6 n x v, 6 n
    const char **v_name; // of T's columns
    const char **V_name; // of its rows
    bool no_memory;
    mc_error *error;
} work;

static void *room(work *w, size_t count, size_t size)
{
    void *p = arena_alloc(&w->out->memory, (count + 1) * size);
    w->no_memory = w->no_memory || !p;
    return p;
}

__attribute__((format(printf, 2, 3))) static const char *text(work *w, const char *format, ...)
{
    char made[200];
    va_list list;
    va_start(list, format);
    vsnprintf(made, sizeof made, format, list);
    va_end(list);
    const char *copy = arena_copy_text(&w->out->memory, made, strlen(made));
    w->no_memory = w->no_memory || !copy;
    return copy ? copy : "";
}

// A matrix of zeros with room for the names of its rows; NULL: no memory.
static mb_matrix *add_matrix(work *w, const char *name, int rows, int columns,
                             const char **column_name)
{
    mb_matrix *m = &w->out->matrix[w->out->count];
    *m = (mb_matrix){.name = name, .rows = rows, .columns = columns, .column_name = column_name};
    m->entry = room(w, (size_t)rows * (size_t)columns, sizeof *m->entry);
    m->row_name = room(w, (size_t)rows, sizeof *m->row_name);
    if (w->no_memory)
        return NULL;
    for (int i = 0; i < rows * columns; i++)
        m->entry[i] = EXPR_ZERO;
    w->out->count++;
    return m;
}

static const char **one_column(work *w, const char *name)
{
    const char **names = room(w, 1, sizeof *names);
    if (names)
        names[0] = name;
    return names;
}

// ---- names -----------------------------------------------------------------------------------

static void make_names(work *w)
{
    static const char *const words[] = {"wx", "wy", "wz", "vx", "vy", "vz"};
    const mb_system *s = w->s;
    const int count = s->model->body_count;
    w->v_name = room(w, (size_t)s->v_count, sizeof *w->v_name);
    w->V_name = room(w, 6 * (size_t)count, sizeof *w->V_name);
    for (int i = 0; i < count && !w->no_memory; i++) {
        char name[96];
        for (int k = 0; k < mb_velocity_count(&s->model->bodies[i]); k++) {
            mb_velocity_name(&s->model->bodies[i], k, name);
            w->v_name[s->links.body_v[i] + k] = text(w, "%s", name);
        }
        for (int k = 0; k < 6; k++)
            w->V_name[6 * i + k] = text(w, "%s.%s", s->model->bodies[i].name, words[k]);
    }
}

// ---- joints: (23), (27) ----------------------------------------------------------------------

static const char *rate_name(work *w, const mb_hinge *h, int i)
{
    return h->free[i] ? text(w, "%s.%s", h->name, h->word[i])
                      : text(w, "%s.held_%d", h->name, i + 1);
}

static void add_side(work *w, const mb_hinge *h, bool outboard)
{
    const int body = outboard ? h->outboard : h->inboard;
    if (body < 0 || w->no_memory)
        return;
    mb_matrix *m = add_matrix(w, text(w, "%s.%s", h->name, outboard ? "B_q" : "B_p"), 6, 6,
                              w->V_name + 6 * body);
    if (!m)
        return;
    memcpy(m->entry, outboard ? h->q : h->p, 36 * sizeof *m->entry);
    for (int i = 0; i < 6; i++)
        m->row_name[i] = rate_name(w, h, i);
}

// ---- V = T v: (20), (21), (28) ---------------------------------------------------------------

// One column of T below the body `top` (-1: all): what velocity v does to V of every body.
static void fill_column(const work *w, int v, int top, expr_id *column)
{
    const mb_system *s = w->s;
    for (int k = 0; k < s->model->body_count; k++) {
        const int body = s->links.order[k];
        const mb_hinge *h = &w->bodies.tree[body];
        expr_id *V = &column[6 * body];
        for (int i = 0; i < 6; i++)
            V[i] = EXPR_ZERO;
        if (body == top)
            continue;
        if (h->inboard >= 0)
            mb_hinge_carry(w->g, h, &column[6 * h->inboard], V);
        for (int j = 0; j < h->partial_count; j++)
            for (int i = 0; i < 3 && h->partial_velocity[j] == v; i++) {
                V[i] = expr_add(w->g, V[i], h->partial_spin[j].v[i]);
                V[3 + i] = expr_add(w->g, V[3 + i], h->partial_slide[j].v[i]);
            }
    }
}

static void make_transformation(work *w)
{
    const int n = w->s->v_count, rows = 6 * w->s->model->body_count;
    expr_id *column = calloc((size_t)rows + 1, sizeof *column);
    w->T = room(w, (size_t)rows * (size_t)n, sizeof *w->T);
    w->V = room(w, (size_t)rows, sizeof *w->V);
    w->no_memory = w->no_memory || !column;
    for (int i = 0; i < rows && !w->no_memory; i++)
        w->V[i] = EXPR_ZERO;
    for (int j = 0; j < n && !w->no_memory; j++) {
        fill_column(w, j, -1, column);
        for (int i = 0; i < rows; i++) {
            w->T[i * n + j] = column[i];
            w->V[i] = expr_add(w->g, w->V[i], expr_mul(w->g, column[i], w->s->links.v[j]));
        }
    }
    free(column);
}

static void add_transformation(work *w)
{
    const int n = w->s->v_count, rows = 6 * w->s->model->body_count;
    mb_matrix *T = add_matrix(w, "T", rows, n, w->v_name);
    if (T) {
        memcpy(T->entry, w->T, (size_t)(rows * n) * sizeof *T->entry);
        memcpy(T->row_name, w->V_name, (size_t)rows * sizeof *T->row_name);
    }
}

static void add_velocities(work *w)
{
    const int rows = 6 * w->s->model->body_count;
    mb_matrix *V = add_matrix(w, "V", rows, 1, one_column(w, "V"));
    if (V) {
        memcpy(V->entry, w->V, (size_t)rows * sizeof *V->entry);
        memcpy(V->row_name, w->V_name, (size_t)rows * sizeof *V->row_name);
    }
}

// ---- rows: (19), (22), (24), (30) to (32) ----------------------------------------------------

static mc_status add_rows(work *w)
{
    const mb_system *s = w->s;
    const mb_rows *rows = &s->rows;
    const int n = s->v_count, V = 6 * s->model->body_count;
    if (rows->count == 0)
        return MC_OK;
    mb_matrix *B = add_matrix(w, "B", rows->count, V, w->V_name);
    mb_matrix *BT = add_matrix(w, "BT", rows->count, n, w->v_name);
    mb_matrix *b = add_matrix(w, "b", rows->count, 1, one_column(w, "b"));
    mc_status status = w->no_memory ? MC_NO_MEMORY : MC_OK;
    for (int r = 0; r < rows->count && status == MC_OK; r++) {
        const mb_row *row = &rows->row[r];
        B->row_name[r] = BT->row_name[r] = b->row_name[r] =
            row->closing < 0 ? text(w, "%s", row->owner)
                             : text(w, "%s.%d", row->owner, row->part + 1);
        status = mb_body_row(&w->bodies.rows, r, true, &B->entry[r * V], w->error);
        expr_id sum = EXPR_ZERO;
        for (int k = 0; k < row->count; k++) {
            BT->entry[r * n + row->velocity[k]] = row->by[k];
            sum = expr_add(w->g, sum, expr_mul(w->g, row->by[k], s->links.v[row->velocity[k]]));
        }
        if (row->closing < 0) // only formulas speak of time
            b->entry[r] = expr_sub(w->g, sum, row->rate);
    }
    return status;
}

// ---- rates of coordinates: (25) --------------------------------------------------------------

// Row i of a joint: B_q V_n + B_p V_m.
static expr_id rate_of(const work *w, const mb_hinge *h, int i, const expr_id *V)
{
    expr_id sum = EXPR_ZERO;
    for (int k = 0; k < 6 && h->outboard >= 0; k++)
        sum = expr_add(w->g, sum, expr_mul(w->g, h->q[6 * i + k], V[6 * h->outboard + k]));
    for (int k = 0; k < 6 && h->inboard >= 0; k++)
        sum = expr_add(w->g, sum, expr_mul(w->g, h->p[6 * i + k], V[6 * h->inboard + k]));
    return sum;
}

static mc_status add_coordinate_rates(work *w)
{
    const mb_system *s = w->s;
    const int n = s->v_count;
    mb_matrix *m = add_matrix(w, "q_dot", s->q_count, 1, one_column(w, "q_dot"));
    expr_id *rate = calloc((size_t)n + 1, sizeof *rate);
    expr_id *N = calloc((size_t)(s->q_count * n) + 1, sizeof *N);
    mc_status status = m && rate && N ? MC_OK : MC_NO_MEMORY;
    for (int b = 0; b < s->model->body_count && status == MC_OK; b++)
        for (int i = 0; i < 6; i++)
            if (w->bodies.tree[b].velocity[i] >= 0)
                rate[w->bodies.tree[b].velocity[i]] = rate_of(w, &w->bodies.tree[b], i, w->V);
    if (status == MC_OK)
        status = expr_jacobian(w->g, s->rate, s->q_count, s->links.v_input, n, N, w->error);
    for (int i = 0; i < s->q_count && status == MC_OK; i++) {
        m->row_name[i] = text(w, "%s_dot", expr_input_name(w->g, s->links.q_input[i]));
        for (int k = 0; k < n; k++)
            m->entry[i] = expr_add(w->g, m->entry[i], expr_mul(w->g, N[i * n + k], rate[k]));
    }
    free(rate);
    free(N);
    return status;
}

// ---- cut joints: (29), (33) ------------------------------------------------------------------

static bool carries(const mb_model *m, int body, int other)
{
    for (; other >= 0; other = m->bodies[other].inboard)
        if (other == body)
            return true;
    return false;
}

// The nearest body that carries both; -1: the ground.
static int common_body(const mb_model *m, int a, int b)
{
    for (; a >= 0; a = m->bodies[a].inboard)
        if (carries(m, a, b))
            return a;
    return -1;
}

// What only the velocities between the common body and the two sides do: V of the common body
// falls out, because a joint does not notice that its loop moves as a whole.
static void add_cut(work *w, const mb_hinge *h)
{
    const mb_system *s = w->s;
    const mb_model *model = s->model;
    const int n = s->v_count, top = common_body(model, h->outboard, h->inboard);
    mb_matrix *m = add_matrix(w, text(w, "%s.C", h->name), 6, n, w->v_name);
    expr_id *column = calloc(6 * (size_t)model->body_count + 1, sizeof *column);
    w->no_memory = w->no_memory || !column;
    for (int b = 0; b < model->body_count && m && !w->no_memory; b++) {
        const bool inside = b != top &&
                            (carries(model, b, h->outboard) || carries(model, b, h->inboard)) &&
                            !(top >= 0 && carries(model, b, top));
        const int first = s->links.body_v[b];
        for (int j = first; inside && j < first + mb_velocity_count(&model->bodies[b]); j++) {
            fill_column(w, j, top, column);
            for (int i = 0; i < 6; i++)
                m->entry[i * n + j] = rate_of(w, h, i, column);
        }
    }
    for (int i = 0; i < 6 && m && !w->no_memory; i++)
        m->row_name[i] = rate_name(w, h, i);
    free(column);
}

static void add_cut_rates(work *w, const mb_matrix *const *C)
{
    const mb_system *s = w->s;
    const int n = s->v_count;
    int count = 0;
    for (int i = 0; i < s->model->closing_count; i++)
        for (int row = 0; row < 6 && C[i]; row++)
            count += w->bodies.closing[i].free[row];
    if (count == 0)
        return;
    mb_matrix *m = add_matrix(w, "cut_dot", count, 1, one_column(w, "cut_dot"));
    count = 0;
    for (int i = 0; i < s->model->closing_count && m && !w->no_memory; i++)
        for (int row = 0; row < 6 && C[i]; row++) {
            if (!w->bodies.closing[i].free[row])
                continue;
            m->row_name[count] = text(w, "%s_dot", C[i]->row_name[row]);
            for (int j = 0; j < n; j++)
                m->entry[count] = expr_add(w->g, m->entry[count],
                                           expr_mul(w->g, C[i]->entry[row * n + j], s->links.v[j]));
            count++;
        }
}

// ---- the whole -------------------------------------------------------------------------------

static mc_status make_all(work *w)
{
    const mb_model *model = w->s->model;
    const int closings = model->closing_count;
    w->out->matrix =
        room(w, (size_t)(2 * model->body_count + 3 * closings + 8), sizeof *w->out->matrix);
    const mb_matrix **C = calloc((size_t)closings + 1, sizeof *C);
    if (!C || w->no_memory) {
        free(C);
        return MC_NO_MEMORY;
    }
    make_names(w);
    make_transformation(w);
    for (int i = 0; i < model->body_count; i++)
        for (int k = 0; k < 2; k++)
            add_side(w, &w->bodies.tree[i], k == 0);
    for (int i = 0; i < closings && !w->no_memory; i++) {
        const mb_hinge *h = &w->bodies.closing[i];
        if (model->closings[i].kind->of_joints)
            continue;
        for (int k = 0; k < 2; k++)
            add_side(w, h, k == 0);
        C[i] = &w->out->matrix[w->out->count];
        add_cut(w, h);
    }
    mc_status status = MC_OK;
    if (!w->no_memory) {
        add_transformation(w);
        status = add_rows(w);
    }
    if (status == MC_OK && !w->no_memory) {
        add_velocities(w);
        status = add_coordinate_rates(w);
    }
    if (status == MC_OK && !w->no_memory)
        add_cut_rates(w, C);
    free(C);
    return w->no_memory ? MC_NO_MEMORY : status;
}

mc_status mb_matrices_make(const mb_system *s, mb_matrices *out, mc_error *error)
{
    work w = {.s = s, .g = s->graph, .out = out, .error = error};
    *out = (mb_matrices){0};
    mc_status status = mb_bodies_make(s, &w.bodies, error);
    if (status != MC_OK)
        return status;
    status = make_all(&w);
    mb_bodies_free(&w.bodies);
    if (status == MC_NO_MEMORY)
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the matrices");
    if (status == MC_OK)
        status = expr_graph_status(s->graph, error);
    if (status != MC_OK)
        mb_matrices_free(out);
    return status;
}

void mb_matrices_free(mb_matrices *m)
{
    arena_free(&m->memory);
    *m = (mb_matrices){0};
}
