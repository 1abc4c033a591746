// test_matrices.c - the paper's matrices: B_q, B_p, T, B and B T against differences of positions,
// the reduction of cut joints to their common body, B V = b along a run, and the kinematic
// equations (25) and (33) integrated beside one.
#include "expr/interpret.h"
#include "mechanism/mechanism.h"
#include "multibody/closing.h"
#include "support/bodies.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Y_MAX = 120, OUT_MAX = 400, CUT_MAX = 24, NODE_MAX = 100000 };
static const double time_of_test = 0.3;

static mc_multibody *load(int k)
{
    char text[6000];
    mc_error error = {0};
    const mc_multibody_options options = {.compile = MC_COMPILE_NEVER};
    snprintf(text, sizeof text, "%s%s", BODIES_MODEL, bodies_closed[k]);
    mc_multibody *m = mc_multibody_parse(text, "test", &options, &error);
    if (!m)
        fail_msg("line %d: %s\nof\n%s", error.line, error.text, bodies_closed[k]);
    return m;
}

static void state_near(mc_multibody *m, unsigned long long seed, double *y)
{
    const mc_multibody_info *info = mc_multibody_info_of(m);
    mc_error error = {0};
    mc_multibody_start(m, y);
    for (int i = 0; i < info->q_count + info->v_count; i++)
        y[i] +=
            i < info->q_count ? sample_uniform(&seed, -0.15, 0.15) : sample_uniform(&seed, -1, 1);
    mc_multibody_normalise(m, y);
    if (mc_multibody_assemble(m, time_of_test, y, &error) != MC_OK)
        fail_msg("%s", error.text);
}

static mc_matrix find(const mc_multibody *m, const char *owner, const char *word)
{
    char name[96];
    mc_matrix matrix;
    snprintf(name, sizeof name, "%s%s%s", owner, *owner ? "." : "", word);
    for (int i = 0; mc_multibody_matrix(m, i, &matrix); i++)
        if (strcmp(matrix.name, name) == 0)
            return matrix;
    return (mc_matrix){0};
}

static void matrices_at(mc_multibody *m, double t, const double *y)
{
    mc_error error = {0};
    if (mc_multibody_matrices(m, t, y, &error) != MC_OK)
        fail_msg("%s", error.text);
}

// q moved by h along q' = N v with the velocities v.
static void move(mc_multibody *m, const double *y, const double *v, double h, double *to)
{
    const mc_multibody_info *info = mc_multibody_info_of(m);
    double with[Y_MAX], dy[Y_MAX];
    memcpy(with, y, (size_t)info->y_count * sizeof *y);
    memcpy(with + info->q_count, v, (size_t)info->v_count * sizeof *v);
    mc_multibody_rate(m, time_of_test, with, NULL, dy);
    memcpy(to, y, (size_t)info->y_count * sizeof *y);
    for (int i = 0; i < info->q_count; i++)
        to[i] += h * dy[i];
}

// ---- poses -----------------------------------------------------------------------------------

typedef struct pose {
    double p[3], R[9]; // rows
} pose;

static void pose_of(const double *kin, int body, pose *out)
{
    *out = (pose){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    if (body < 0)
        return;
    memcpy(out->p, &kin[18 * body], sizeof out->p);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out->R[3 * i + j] = kin[18 * body + 3 + 3 * j + i];
}

static void multiply(const double *a, bool transposed, const double *b, double *out)
{
    double to[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            to[3 * i + j] = 0.0;
            for (int k = 0; k < 3; k++)
                to[3 * i + j] += (transposed ? a[3 * k + i] : a[3 * i + k]) * b[3 * k + j];
        }
    memcpy(out, to, sizeof to);
}

static void times(const double *a, bool transposed, const double *b, double *out)
{
    double to[3];
    for (int i = 0; i < 3; i++) {
        to[i] = 0.0;
        for (int k = 0; k < 3; k++)
            to[i] += (transposed ? a[3 * k + i] : a[3 * i + k]) * b[k];
    }
    memcpy(out, to, sizeof to);
}

// The turn about a unit vector.
static void about(const double axis[3], double angle, double out[9])
{
    const double c = cos(angle), s = sin(angle);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = (i == j ? c : 0.0) + (1 - c) * axis[i] * axis[j];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[3 * j + i] += s * axis[k];
        out[3 * i + j] -= s * axis[k];
    }
}

// Angular velocity in the axes of R from R' dR/dt.
static void spin_of(const double *R, const double *rate, double w[3])
{
    double S[9];
    multiply(R, true, rate, S);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        w[i] = 0.5 * (S[3 * k + j] - S[3 * j + k]);
    }
}

static void kinematics(mc_multibody *m, const double *y, double *kin)
{
    assert_int_equal(mc_multibody_kinematics(m, time_of_test, y, kin, NULL), MC_OK);
}

// ---- T: (21) ---------------------------------------------------------------------------------

static void transformation(void **state)
{
    (void)state;
    double worst = 0.0, y[Y_MAX], moved[Y_MAX], kin[3][OUT_MAX];
    for (int k = 0; k < BODIES_CLOSED; k += 6) {
        mc_multibody *m = load(k);
        const mc_multibody_info *info = mc_multibody_info_of(m);
        const double h = 1e-5;
        state_near(m, 3 + (unsigned)k, y);
        matrices_at(m, time_of_test, y);
        const mc_matrix T = find(m, "", "T");
        assert_int_equal(T.rows, 6 * info->body_count);
        assert_int_equal(T.columns, info->v_count);
        kinematics(m, y, kin[2]);
        for (int j = 0; j < T.columns; j++) {
            double v[Y_MAX] = {0};
            v[j] = 1.0;
            for (int side = 0; side < 2; side++) {
                move(m, y, v, side ? h : -h, moved);
                kinematics(m, moved, kin[side]);
            }
            for (int b = 0; b < info->body_count; b++) {
                pose ends[2], here;
                double rate[9], w[3], slide[3];
                pose_of(kin[2], b, &here);
                for (int side = 0; side < 2; side++)
                    pose_of(kin[side], b, &ends[side]);
                for (int i = 0; i < 9; i++)
                    rate[i] = (ends[1].R[i] - ends[0].R[i]) / (2 * h);
                spin_of(here.R, rate, w);
                for (int i = 0; i < 3; i++)
                    slide[i] = (ends[1].p[i] - ends[0].p[i]) / (2 * h);
                times(here.R, true, slide, slide);
                for (int i = 0; i < 3; i++) {
                    worst = fmax(worst, fabs(w[i] - T.value[(6 * b + i) * T.columns + j]));
                    worst = fmax(worst, fabs(slide[i] - T.value[(6 * b + 3 + i) * T.columns + j]));
                }
            }
        }
        mc_multibody_free(m);
    }
    print_message("T: %.2g from differences of positions\n", worst);
    assert_true(worst > 0.0 && worst <= 1e-7);
}

// ---- B_q, B_p: (23), (27) --------------------------------------------------------------------

typedef struct sides { // of a joint
    const char *name;
    int n, m;
    double at[3]; // the joint's point on n
    double from_at[3], from[9], to[9];
} sides;

static sides sides_of(const mc_multibody *m, const double *value, int joint)
{
    const mb_model *model = &m->model;
    sides s = {.from = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .to = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    if (joint < model->body_count) {
        s.name = model->bodies[joint].name;
        s.n = joint, s.m = model->bodies[joint].inboard;
        return s;
    }
    const mb_closing *c = &model->closings[joint - model->body_count];
    s.name = c->name;
    s.n = c->to.body, s.m = c->from.body;
    for (int i = 0; i < 3; i++) {
        s.at[i] = value[c->to.at[i]];
        s.from_at[i] = value[c->from.at[i]];
    }
    for (int i = 0; i < 9; i++) {
        s.from[i] = value[c->from.turn[i]];
        s.to[i] = value[c->to.turn[i]];
    }
    return s;
}

static void *model_values(const mc_multibody *m)
{
    double *value = calloc(expr_node_count(m->model.graph) + 1, sizeof *value);
    assert_non_null(value);
    mb_model_values(&m->model, value);
    return value;
}

// A pose moved by h times part k of a twist in its own axes.
static pose nudge(pose at, int k, double h)
{
    double axis[3] = {0}, turn[9], step[3];
    axis[k % 3] = 1.0;
    if (k < 3) {
        about(axis, h, turn);
        multiply(at.R, false, turn, at.R);
        return at;
    }
    times(at.R, false, axis, step);
    for (int i = 0; i < 3; i++)
        at.p[i] += h * step[i];
    return at;
}

// The place of the joint's point of n in m, and the turn of n in m.
static void relative(const sides *s, const pose *n, const pose *m, double place[3], double C[9])
{
    double world[3];
    times(n->R, false, s->at, world);
    for (int i = 0; i < 3; i++)
        world[i] += n->p[i] - m->p[i];
    times(m->R, true, world, place);
    multiply(m->R, true, n->R, C);
}

// Largest difference of the entries of one joint from differences of relative poses; what a row
// looks at (a direction) is taken from the row.
static double joint_off(const sides *s, const pose *n, const pose *m, const mc_matrix *B_q,
                        const mc_matrix *B_p)
{
    const double h = 1e-5;
    double worst = 0.0;
    for (int side = 0; side < 2; side++) {
        const mc_matrix *B = side ? B_p : B_q;
        if (!B->value)
            continue;
        for (int k = 0; k < 6; k++) {
            double place[3][3], C[3][9], rate[9], w[3];
            for (int end = 0; end < 3; end++) {
                const double step = (end - 1) * h;
                const pose on = side ? *n : nudge(*n, k, step), in = side ? nudge(*m, k, step) : *m;
                relative(s, &on, &in, place[end], C[end]);
            }
            for (int i = 0; i < 9; i++)
                rate[i] = (C[2][i] - C[0][i]) / (2 * h);
            spin_of(C[1], rate, w);
            for (int row = 0; row < 6; row++) {
                const double *q = B_q->value ? &B_q->value[6 * row] : NULL;
                double expected = 0.0, u[3] = {0};
                for (int i = 0; i < 3 && q; i++)
                    u[i] = row < 3 ? q[i] : q[3 + i];
                if (!q && row >= 3) // n is the ground
                    for (int i = 0; i < 3; i++)
                        u[i] = -B_p->value[6 * row + 3 + i];
                else if (row >= 3)
                    times(C[1], false, u, u);
                for (int i = 0; i < 3; i++)
                    expected += u[i] * (row < 3 ? w[i] : (place[2][i] - place[0][i]) / (2 * h));
                if (q || row >= 3)
                    worst = fmax(worst, fabs(expected - B->value[6 * row + k]));
            }
        }
    }
    return worst;
}

static void joint_matrices(void **state)
{
    (void)state;
    double worst = 0.0, free_rates = 0.0, held_rates = 0.0, y[Y_MAX], kin[OUT_MAX];
    int joints = 0;
    for (int k = 0; k < BODIES_CLOSED; k++) {
        mc_multibody *m = load(k);
        const mb_model *model = &m->model;
        const mb_system *s = &m->system;
        double *value = model_values(m);
        state_near(m, 5 + (unsigned)k, y);
        matrices_at(m, time_of_test, y);
        kinematics(m, y, kin);
        const mc_matrix V = find(m, "", "V");
        const int first = k == 0 ? 0 : model->body_count; // the tree is the same
        for (int i = first; i < model->body_count + model->closing_count; i++) {
            if (i >= model->body_count && model->closings[i - model->body_count].kind->of_joints)
                continue;
            const sides at = sides_of(m, value, i);
            const mc_matrix B_q = find(m, at.name, "B_q"), B_p = find(m, at.name, "B_p");
            pose n, in;
            pose_of(kin, at.n, &n);
            pose_of(kin, at.m, &in);
            worst = fmax(worst, joint_off(&at, &n, &in, &B_q, &B_p));
            joints++;
            // (25): free rates are the velocities, the others are zero
            for (int row = 0, v = -1; row < 6 && i < model->body_count; row++) {
                double rate = 0.0;
                for (int j = 0; j < 6; j++) {
                    rate += B_q.value[6 * row + j] * V.value[6 * at.n + j];
                    rate += B_p.value ? B_p.value[6 * row + j] * V.value[6 * at.m + j] : 0.0;
                }
                v = -1;
                for (int j = 0; j < mb_velocity_count(&model->bodies[i]); j++) {
                    char name[96];
                    mb_velocity_name(&model->bodies[i], j, name);
                    const size_t length = strlen(B_q.row_names[row]);
                    const char *rest = name + length;
                    const bool same = strncmp(name, B_q.row_names[row], length) == 0 &&
                                      (!*rest || strcmp(rest, "_rate") == 0);
                    const bool base = model->bodies[i].joint == MB_FREE && row >= 3 && j == row - 3;
                    if (same || base)
                        v = s->q_count + s->links.body_v[i] + j;
                }
                if (v >= 0)
                    free_rates = fmax(free_rates, fabs(rate - y[v]));
                else
                    held_rates = fmax(held_rates, fabs(rate));
                if ((v < 0) != (strstr(B_q.row_names[row], ".held_") != NULL))
                    fail_msg("%s is not a velocity", B_q.row_names[row]);
            }
        }
        free(value);
        mc_multibody_free(m);
    }
    print_message("B_q, B_p of %d joints: %.2g from differences; free rates %.2g, held %.2g\n",
                  joints, worst, free_rates, held_rates);
    assert_true(joints > 25 && worst > 0.0 && worst <= 1e-7);
    assert_true(free_rates <= 1e-12 && held_rates <= 1e-12);
}

// ---- B and B T: (19), (22), (24), (30) to (32) -----------------------------------------------

typedef struct rows_of {
    expr_program *program;
    expr_machine *machine;
    double *kept, *work;
} rows_of;

// Of every row e, or e' where there is no e.
static rows_of open_rows(const mc_multibody *m)
{
    const mb_system *s = &m->system;
    expr_id *nodes = calloc((size_t)s->rows.count + 1, sizeof *nodes);
    mc_error error = {0};
    for (int r = 0; r < s->rows.count; r++)
        nodes[r] = s->rows.row[r].e == EXPR_NONE ? s->rows.row[r].rate : s->rows.row[r].e;
    rows_of o = {.program = expr_program_build(s->graph, nodes, NULL, s->rows.count, &error)};
    assert_non_null(o.program);
    o.machine = expr_machine_create(o.program, &error);
    assert_non_null(o.machine);
    o.kept = calloc((size_t)o.program->kept_count + 8, sizeof *o.kept);
    o.work = aligned_alloc(64, ((size_t)expr_machine_work(o.machine) / 8 + 2) * 64);
    expr_machine_prepare(o.machine, m->parameter, o.kept, o.work);
    free(nodes);
    return o;
}

static void run_rows(const rows_of *o, mc_multibody *m, const double *y, double *out)
{
    multibody_set_state(m, time_of_test, y);
    expr_machine_run(o->machine, m->x, o->kept, out, o->work);
}

static void close_rows(rows_of *o)
{
    expr_machine_destroy(o->machine);
    expr_program_destroy(o->program);
    free(o->kept);
    free(o->work);
}

static void global_rows(void **state)
{
    (void)state;
    double differences = 0.0, product = 0.0, balance = 0.0, y[Y_MAX], moved[Y_MAX];
    int rows = 0;
    for (int k = 1; k < BODIES_CLOSED; k++) {
        mc_multibody *m = load(k);
        const mb_system *s = &m->system;
        const double h = 1e-5;
        state_near(m, 9 + (unsigned)k, y);
        matrices_at(m, time_of_test, y);
        const mc_matrix B = find(m, "", "B"), T = find(m, "", "T"), BT = find(m, "", "BT");
        const mc_matrix V = find(m, "", "V"), b = find(m, "", "b");
        rows_of o = open_rows(m);
        double e[2][80];
        rows += B.rows;
        for (int j = 0; j < T.columns; j++) {
            for (int side = 0; side < 2; side++) {
                double v[Y_MAX] = {0};
                v[j] = 1.0;
                move(m, y, v, side ? h : -h, moved);
                if (s->rows.row[0].e == EXPR_NONE) // by the velocity itself
                    memcpy(moved, y, sizeof moved);
                if (s->rows.row[0].e == EXPR_NONE)
                    moved[s->q_count + j] += side ? h : -h;
                run_rows(&o, m, moved, e[side]);
            }
            for (int r = 0; r < B.rows; r++) {
                double sum = 0.0;
                for (int i = 0; i < B.columns; i++)
                    sum += B.value[r * B.columns + i] * T.value[i * T.columns + j];
                product = fmax(product, fabs(sum - BT.value[r * T.columns + j]));
                // rows of positions and of velocities do not stand in one formula here
                if ((s->rows.row[r].e == EXPR_NONE) == (s->rows.row[0].e == EXPR_NONE))
                    differences = fmax(differences, fabs(sum - (e[1][r] - e[0][r]) / (2 * h)));
            }
        }
        for (int r = 0; r < B.rows; r++) {
            double sum = 0.0, size = 1.0;
            for (int i = 0; i < B.columns; i++) {
                sum += B.value[r * B.columns + i] * V.value[i];
                size += fabs(B.value[r * B.columns + i] * V.value[i]);
            }
            balance = fmax(balance, fabs(sum - b.value[r]) / size);
        }
        close_rows(&o);
        mc_multibody_free(m);
    }
    print_message("%d rows: B T %.2g from differences of positions, %.2g from the compact rows; "
                  "B V - b %.2g\n",
                  rows, differences, product, balance);
    assert_true(differences > 0.0 && differences <= 1e-7);
    assert_true(product <= 1e-12 && balance <= 1e-12);
}

// ---- reduction to the common body: (28), (29) ------------------------------------------------

// Solves A x = b, A of six rows, with pivots.
static void solve6(const double *A, const double *b, double *x)
{
    double M[6][7];
    for (int i = 0; i < 6; i++) {
        memcpy(M[i], &A[6 * i], 6 * sizeof **M);
        M[i][6] = b[i];
    }
    for (int k = 0; k < 6; k++) {
        int best = k;
        for (int i = k + 1; i < 6; i++)
            best = fabs(M[i][k]) > fabs(M[best][k]) ? i : best;
        for (int j = 0; j < 7; j++) {
            const double swap = M[k][j];
            M[k][j] = M[best][j];
            M[best][j] = swap;
        }
        assert_true(fabs(M[k][k]) > 1e-6);
        for (int i = 0; i < 6; i++)
            for (int j = 6; j >= k && i != k; j--)
                M[i][j] -= M[k][j] * (M[i][k] / M[k][k]);
    }
    for (int i = 0; i < 6; i++)
        x[i] = M[i][6] / M[i][i];
}

// V of `body` where the common body moves with `top_V` and the joints with their rates (28).
static void reduce(const mc_multibody *m, int body, int top, const double *top_V,
                   const double *rates, double *V)
{
    if (body == top || body < 0) {
        memcpy(V, top_V, 6 * sizeof *V);
        return;
    }
    const mb_body *b = &m->model.bodies[body];
    const mc_matrix B_q = find(m, b->name, "B_q"), B_p = find(m, b->name, "B_p");
    double inboard[6], right[6];
    reduce(m, b->inboard, top, top_V, rates, inboard);
    for (int i = 0; i < 6; i++) {
        right[i] = rates[6 * body + i];
        for (int j = 0; j < 6 && B_p.value; j++)
            right[i] -= B_p.value[6 * i + j] * inboard[j];
    }
    solve6(B_q.value, right, V);
}

static bool carries(const mb_model *m, int body, int other)
{
    for (; other >= 0; other = m->bodies[other].inboard)
        if (other == body)
            return true;
    return body < 0;
}

static void rates_of_joint(const sides *s, const mc_multibody *m, const double *V_n,
                           const double *V_m, double *out)
{
    const mc_matrix B_q = find(m, s->name, "B_q"), B_p = find(m, s->name, "B_p");
    for (int i = 0; i < 6; i++) {
        out[i] = 0.0;
        for (int j = 0; j < 6; j++) {
            out[i] += B_q.value ? B_q.value[6 * i + j] * V_n[j] : 0.0;
            out[i] += B_p.value ? B_p.value[6 * i + j] * V_m[j] : 0.0;
        }
    }
}

static void common_body(void **state)
{
    (void)state;
    double whole = 0.0, inside = 0.0, y[Y_MAX];
    int cuts = 0;
    for (int k = 1; k < BODIES_CLOSED; k++) {
        mc_multibody *m = load(k);
        const mb_model *model = &m->model;
        const mb_system *s = &m->system;
        double *value = model_values(m);
        state_near(m, 13 + (unsigned)k, y);
        matrices_at(m, time_of_test, y);
        for (int c = 0; c < model->closing_count; c++) {
            if (model->closings[c].kind->of_joints)
                continue;
            const sides at = sides_of(m, value, model->body_count + c);
            int top = at.n;
            while (top >= 0 && !carries(model, top, at.m))
                top = model->bodies[top].inboard;
            double rates[6 * 16] = {0}, none[6] = {0}, V_n[6], V_m[6], out[6];
            // B_Sigma: the loop as a whole does not move the joint
            for (int j = 0; j < 6 && top >= 0; j++) {
                double unit[6] = {0};
                unit[j] = 1.0;
                reduce(m, at.n, top, unit, rates, V_n);
                reduce(m, at.m, top, unit, rates, V_m);
                rates_of_joint(&at, m, V_n, V_m, out);
                for (int i = 0; i < 6; i++)
                    whole = fmax(whole, fabs(out[i]));
            }
            // the collected rates of the joints inside the loop
            for (int b = 0; b < model->body_count; b++) {
                const mc_matrix B_q = find(m, model->bodies[b].name, "B_q");
                const mc_matrix V = find(m, "", "V"), B_p = find(m, model->bodies[b].name, "B_p");
                for (int row = 0; row < 6; row++) {
                    rates[6 * b + row] = 0.0;
                    for (int j = 0; j < 6; j++) {
                        rates[6 * b + row] += B_q.value[6 * row + j] * V.value[6 * b + j];
                        if (B_p.value)
                            rates[6 * b + row] +=
                                B_p.value[6 * row + j] * V.value[6 * model->bodies[b].inboard + j];
                    }
                }
            }
            reduce(m, at.n, top, none, rates, V_n);
            reduce(m, at.m, top, none, rates, V_m);
            rates_of_joint(&at, m, V_n, V_m, out);
            const mc_matrix C = find(m, at.name, "C");
            for (int i = 0; i < 6; i++) {
                double sum = 0.0;
                for (int j = 0; j < C.columns; j++)
                    sum += C.value[i * C.columns + j] * y[s->q_count + j];
                inside = fmax(inside, fabs(sum - out[i]));
            }
            cuts++;
        }
        free(value);
        mc_multibody_free(m);
    }
    print_message("%d cut joints by (28), (29): B_Sigma %.2g, collected rates %.2g\n", cuts, whole,
                  inside);
    assert_true(cuts >= 18 && whole <= 1e-12 && inside <= 1e-12);
}

// ---- (25) and (33) beside a run --------------------------------------------------------------

typedef struct beside {
    mc_multibody *m;
    int y_count, q_count, cut_count;
} beside;

// y', q' by (25), rates of cut joints by (33).
static void beside_rate(const beside *b, double t, const double *y, double *out)
{
    mc_multibody_rate(b->m, t, y, NULL, out);
    matrices_at(b->m, t, y);
    const mc_matrix q = find(b->m, "", "q_dot"), cut = find(b->m, "", "cut_dot");
    memcpy(out + b->y_count, q.value, (size_t)b->q_count * sizeof *out);
    if (cut.value)
        memcpy(out + b->y_count + b->q_count, cut.value, (size_t)cut.rows * sizeof *out);
}

// Turn of a joint: quaternion rate for what turns freely, from the state z of four numbers.
static void quaternion_rate(const double *z, const double *w, double *out)
{
    out[0] = -0.5 * (z[1] * w[0] + z[2] * w[1] + z[3] * w[2]);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[1 + i] = 0.5 * (z[0] * w[i] + z[1 + j] * w[k] - z[1 + k] * w[j]);
    }
}

static void quaternion_turn(const double *q, double *R)
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double made[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(R, made, sizeof made);
}

// Turn and travel of the first joint beside the tree: axes on `to` in those on `from`.
static void joint_pose(mc_multibody *m, const sides *s, const double *y, double P[9], double at[3])
{
    double kin[OUT_MAX], C[9];
    pose n, in;
    kinematics(m, y, kin);
    pose_of(kin, s->n, &n);
    pose_of(kin, s->m, &in);
    relative(s, &n, &in, at, C);
    multiply(C, false, s->to, C);
    multiply(s->from, true, C, P);
    for (int i = 0; i < 3; i++)
        at[i] -= s->from_at[i];
    times(s->from, true, at, at);
}

static void sequence_turn(const int *sequence, const double *angle, double *R)
{
    const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    memcpy(R, one, sizeof one);
    for (int i = 0; i < 3; i++) {
        double axis[3] = {0}, next[9];
        axis[sequence[i]] = 1.0;
        about(axis, angle[i], next);
        multiply(R, false, next, R);
    }
}

// The angles of a sequence near those given, by Newton's method on the turn that is left.
static void find_angles(const int *sequence, const bool *free, const double *P, double *angle)
{
    for (int step = 0; step < 40; step++) {
        double R[9], left[3] = {0}, J[3][3], rest[9];
        sequence_turn(sequence, angle, R);
        multiply(R, true, P, rest);
        for (int i = 0; i < 3; i++)
            left[i] = 0.5 * (rest[3 * ((i + 2) % 3) + (i + 1) % 3] -
                             rest[3 * ((i + 1) % 3) + (i + 2) % 3]);
        for (int k = 0; k < 3; k++) { // axis of angle k in the last frame
            double axis[3] = {0}, after[9], zero[3] = {0};
            axis[sequence[k]] = 1.0;
            for (int i = k + 1; i < 3; i++)
                zero[i] = angle[i];
            sequence_turn(sequence, zero, after);
            times(after, true, axis, J[k]);
        }
        // least squares over the free ones by small relaxed steps
        for (int k = 0; k < 3; k++)
            if (free[k])
                angle[k] += 0.5 * (J[k][0] * left[0] + J[k][1] * left[1] + J[k][2] * left[2]);
    }
}

// Where the joint should be after its own coordinates moved by z from P0, at0.
static void predict(const mb_closing *joint, const double *P0, const double *at0, const double *z,
                    const double *z0, const double *value, double *P, double *at)
{
    double turn[9];
    memcpy(at, at0, 3 * sizeof *at);
    memcpy(P, P0, 9 * sizeof *P);
    const mb_closing_kind *kind = joint->kind;
    int used = 0;
    if (kind->is.turns == MC_JOINT_TURNS_FREELY) {
        quaternion_turn(z, turn);
        multiply(P0, false, turn, P);
        used = 4;
    } else if (kind->is.turns == MC_JOINT_TURNS_ABOUT_AXIS) {
        about(joint->to.axis, z[used++], turn);
        multiply(P0, false, turn, P);
    } else if (kind->is.turns == MC_JOINT_TURNS_AS_CROSS) {
        about(joint->from.axis, z[0], turn);
        multiply(turn, false, P0, P);
        about(joint->to.axis, z[1], turn);
        multiply(P, false, turn, P);
        used = 2;
    } else if (kind->is.turns == MC_JOINT_TURNS_GENERAL) {
        double angle[3];
        for (int i = 0; i < 3; i++)
            angle[i] = joint->free[3 + i] ? z0[i] + z[used++] : value[joint->held[3 + i]];
        sequence_turn(joint->sequence, angle, P);
    }
    if (kind->general || kind->is.slides == MC_JOINT_SLIDES_FREELY) {
        for (int i = 0; i < 3; i++)
            if (!kind->general || joint->free[i])
                at[i] += z[used++];
    } else if (kind->is.slides == MC_JOINT_SLIDES_ALONG_AXIS) {
        for (int i = 0; i < 3; i++)
            at[i] += z[used] * joint->from.axis[i];
    } else if (kind->is.slides ==
               MC_JOINT_SLIDES_ACROSS_AXIS) { // joints of this kind here: oblique axes
        double u[2][3];
        mb_close_across(joint->from.axis, u[0], u[1]);
        for (int i = 0; i < 3; i++)
            at[i] += z[used] * u[0][i] + z[used + 1] * u[1][i];
    }
}

enum { Z = CUT_MAX + 4 };

// One step of the classical method of y, q by (25), and the coordinates z of the first cut joint.
static void step(const beside *b, bool ball, double t, double h, double *x)
{
    const int cut = b->y_count + b->q_count, total = cut + Z;
    static const double nodes[] = {0.0, 0.5, 0.5, 1.0}, weights[] = {1, 2, 2, 1};
    double k[2 * Y_MAX + Z], at[2 * Y_MAX + Z], sum[2 * Y_MAX + Z] = {0};
    memset(k, 0, sizeof k);
    for (int stage = 0; stage < 4; stage++) {
        double rates[2 * Y_MAX + Z] = {0};
        for (int i = 0; i < total; i++)
            at[i] = x[i] + nodes[stage] * h * k[i];
        beside_rate(b, t + nodes[stage] * h, at, rates);
        memset(k, 0, sizeof k);
        memcpy(k, rates, (size_t)cut * sizeof *k);
        if (ball) {
            quaternion_rate(at + cut, rates + cut, k + cut);
            memcpy(k + cut + 4, rates + cut + 3, (size_t)(b->cut_count - 3) * sizeof *k);
        } else {
            memcpy(k + cut, rates + cut, (size_t)b->cut_count * sizeof *k);
        }
        for (int i = 0; i < total; i++)
            sum[i] += weights[stage] * k[i];
    }
    for (int i = 0; i < total; i++)
        x[i] += h / 6.0 * sum[i];
}

static void beside_a_run(void **state)
{
    (void)state;
    double tree = 0.0, cut = 0.0, balance = 0.0;
    int runs = 0;
    for (int k = 1; k < BODIES_CLOSED; k++) {
        mc_multibody *m = load(k);
        const mb_model *model = &m->model;
        const mc_multibody_info *info = mc_multibody_info_of(m);
        double x[2 * Y_MAX + Z] = {0}, P0[9], at0[3], z0[3] = {0};
        double *value = model_values(m);
        state_near(m, 21 + (unsigned)k, x);
        matrices_at(m, time_of_test, x);
        beside b = {m, info->y_count, info->q_count, find(m, "", "cut_dot").rows};
        const bool cuts = model->closing_count > 0 && !model->closings[0].kind->of_joints;
        const bool ball = cuts && model->closings[0].kind->is.turns == MC_JOINT_TURNS_FREELY;
        memcpy(x + b.y_count, x, (size_t)b.q_count * sizeof *x);
        sides s = {0};
        if (cuts) {
            const mb_closing *joint = &model->closings[0];
            s = sides_of(m, value, model->body_count);
            joint_pose(m, &s, x, P0, at0);
            for (int i = 0; i < 3 && joint->kind->general; i++)
                z0[i] = joint->free[3 + i] ? 0.0 : value[joint->held[3 + i]];
            if (joint->kind->general)
                find_angles(joint->sequence, joint->free + 3, P0, z0);
            x[b.y_count + b.q_count] = ball ? 1.0 : 0.0;
        }
        const double h = 1e-3;
        enum { STEPS = 150 };
        for (int i = 0; i < STEPS; i++) {
            const double t = time_of_test + i * h;
            step(&b, ball, t, h, x);
            if (i % 10 == 9) { // B T q' = b on the constraints
                double y[Y_MAX];
                memcpy(y, x, (size_t)b.y_count * sizeof *y);
                mc_multibody_project(m, t + h, y);
                matrices_at(m, t + h, y);
                const mc_matrix BT = find(m, "", "BT"), right = find(m, "", "b");
                for (int r = 0; r < BT.rows; r++) {
                    double sum = -right.value[r], size = 1.0;
                    for (int j = 0; j < BT.columns; j++) {
                        sum += BT.value[r * BT.columns + j] * y[b.q_count + j];
                        size += fabs(BT.value[r * BT.columns + j] * y[b.q_count + j]);
                    }
                    balance = fmax(balance, fabs(sum) / size);
                }
            }
        }
        for (int i = 0; i < b.q_count; i++)
            tree = fmax(tree, fabs(x[i] - x[b.y_count + i]));
        if (cuts) {
            double P[9], at[3], expected[9], there[3];
            joint_pose(m, &s, x, P, at);
            predict(&model->closings[0], P0, at0, x + b.y_count + b.q_count, z0, value, expected,
                    there);
            double off = 0.0;
            for (int i = 0; i < 9; i++)
                off = fmax(off, fabs(P[i] - expected[i]));
            for (int i = 0; i < 3; i++)
                off = fmax(off, fabs(at[i] - there[i]));
            if (!(off <= 1e-10))
                fail_msg("%s: (33) off by %.3g", bodies_closed[k], off);
            cut = fmax(cut, off);
            runs++;
        }
        free(value);
        mc_multibody_free(m);
    }
    print_message("beside a run: (25) %.2g, (33) of %d joints %.2g, B T q' - b %.2g\n", tree, runs,
                  cut, balance);
    assert_true(tree <= 1e-10 && runs >= 16 && cut > 0.0 && balance <= 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transformation), cmocka_unit_test(joint_matrices),
        cmocka_unit_test(global_rows),    cmocka_unit_test(common_body),
        cmocka_unit_test(beside_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
