// test_loops.c - joints beside the tree: rows against differences, forms against each other, gaps
// over time, rows that follow from others, positions where rank is lost.
#include "motorcade/multibody.h"
#include "motorcade/simulate.h"

#include "expr/interpret.h"
#include "mechanism/mechanism.h"
#include "equations/assembly.h"
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

// Two arms on a free body, a hinge and a ball each, that meet in one point at the start; what holds
// them together there is to be filled in.
#define ARMS                                                                                       \
    "motorcade: multibody\n"                                                                       \
    "name: arms\n"                                                                                 \
    "bodies:\n"                                                                                    \
    "  base: {joint: free, mass: 3, com: [0.1, 0, 0.05], inertia: [0.4, 0.5, 0.6]}\n"              \
    "  a1: {inboard: base, joint: hinge, at: [0, 0.4, 0], axis: [1, 0.2, 0.1], mass: 1.2,\n"       \
    "       com: [0.3, 0.1, 0.05], inertia: [0.05, 0.06, 0.07]}\n"                                 \
    "  a2: {inboard: a1, joint: ball, at: [0.6, 0.1, 0.2], mass: 0.8, com: [0.2, -0.1, 0],\n"      \
    "       inertia: [0.03, 0.04, 0.05, 0.001, 0.002, -0.001]}\n"                                  \
    "  b1: {inboard: base, joint: hinge, at: [0, -0.4, 0], axis: z, mass: 1.1,\n"                  \
    "       com: [0.3, 0, 0.1], inertia: [0.05, 0.06, 0.07]}\n"                                    \
    "  b2: {inboard: b1, joint: ball, at: [0.5, -0.1, 0.1], mass: 0.9, com: [0.2, 0.1, 0.1],\n"    \
    "       inertia: [0.03, 0.05, 0.04]}\n"                                                        \
    "  disc: {inboard: base, joint: hinge, at: [-0.3, 0, 0], axis: y, mass: 0.5,\n"                \
    "         inertia: [0.01, 0.02, 0.01]}\n"                                                      \
    "  slide: {inboard: base, joint: prism, at: [-0.5, 0, 0], axis: [0, 1, 1], mass: 0.4}\n"       \
    "  roller: {joint: free, mass: 2, inertia: [0.02, 0.04, 0.02], start: {z: 0.25}}\n"            \
    "points:\n"                                                                                    \
    "  pa: {body: a2, at: [0.4, -0.1, 0.1]}\n" /* base: 1, 0.4, 0.3 */                             \
    "  pb: {body: b2, at: [0.5, 0.9, 0.2]}\n"                                                      \
    "  pc: {body: base, at: [1, 0.6, 0.3]}\n"

static const char *const joints[] = {
    "joints: {j: {joint: ball, from: pa, to: pb}}\n",
    "joints: {j: {joint: hinge, from: pa, to: pb, axis: [1, 2, 0.5]}}\n",
    "joints: {j: {joint: prism, from: pa, to: pb, axis: [1, 2, 0.5]}}\n",
    "joints: {j: {joint: fixed, from: pb, to: pa}}\n",
    "joints: {j: {joint: cylinder, from: pa, to: pb, axis: y}}\n",
    "joints: {j: {joint: universal, from: pa, to: pb, axis: y, to_axis: z}}\n",
    "joints: {j: {joint: constant_velocity, from: pa, to: pb, axis: x}}\n",
    "joints: {j: {joint: distance, from: pa, to: pc, length: 0.2}}\n",
    "joints: {j: {joint: point_on_line, from: pa, to: pb, axis: x}}\n",
    "joints: {j: {joint: point_in_plane, from: pb, to: pa, axis: [1, 1, 1]}}\n",
    "joints: {j: {joint: gear, from: disc, to: a1, ratio: 0.5}}\n",
    "joints: {j: {joint: rack, from: disc, to: slide, radius: 0.1, offset: 0}}\n",
    "joints: {j: {joint: rolling, from: roller, to: ground, axis: y, to_axis: z, radius: 0.25}}\n",
    "joints: {j: {joint: general, from: pa, to: pb, free: [tx, rz]}}\n",
    "joints: {j: {joint: general, from: pa, to: pb, free: [tz, rx, rz], held: {ty: 0}}}\n",
    "joints: {j: {joint: general, from: pa, to: pb, free: [rx, ry]}}\n",
    "joints: {j: {joint: general, from: pa, to: pb, free: [ry, rz], sequence: zyx}}\n",
    "joints: {j: {joint: general, from: pa, to: pb, free: [tx, ty, tz, ry], sequence: xyz}}\n",
    "constraints: {j: {position: pa.position.x - pc.position.x - 0.1 m*sin((2 rad/s)*t)}}\n",
    "constraints: {j: {velocity: a1.angle_rate - 2*b1.angle_rate}}\n",
    // A loop on a1 inside the one on the base: rows in the axes of a1.
    "joints: {j: {joint: ball, from: pa, to: pb}, k: {joint: ball, from: a1, to: a2,\n"
    "         at: [0.8, 0.2, 0.3], to_at: [0.2, 0.1, 0.1]}}\n",
    "joints: {j: {joint: ball, from: pa, to: pb}, k: {joint: distance, from: pa, to: pc,\n"
    "         length: 0.2}, l: {joint: gear, from: a1, to: disc, ratio: 2}}\n"
    "constraints: {m: {velocity: slide.travel_rate - 0.1 m*disc.angle_rate}}\n",
};
enum { JOINTS = sizeof joints / sizeof joints[0] };

static mc_multibody *load(const char *text, mc_form form)
{
    mc_error error = {0};
    const mc_multibody_options options = {.form = form, .compile = MC_COMPILE_NEVER};
    mc_multibody *m = mc_multibody_parse(text, "test", &options, &error);
    if (!m)
        fail_msg("%s\nof\n%s", error.text, text);
    return m;
}

static mc_multibody *load_arms(int k, mc_form form)
{
    char text[4000];
    snprintf(text, sizeof text, "%s%s", ARMS, joints[k]);
    return load(text, form);
}

// A state near the start, with every velocity; consistent where `closed`.
static void state_near(mc_multibody *m, unsigned long long seed, bool closed, double *y)
{
    const mc_multibody_info *info = mc_multibody_info_of(m);
    mc_multibody_start(m, y);
    for (int i = 0; i < info->q_count + info->v_count; i++)
        y[i] += i < info->q_count ? sample_uniform(&seed, -0.1, 0.1) : sample_uniform(&seed, -1, 1);
    mc_multibody_normalise(m, y);
    mc_error error = {0};
    if (closed && mc_multibody_assemble(m, 0.3, y, &error) != MC_OK)
        fail_msg("line %d: %s", error.line, error.text);
}

// ---- rows --------------------------------------------------------------------------------------

typedef struct rows_of {
    expr_program *program;
    expr_machine *machine;
    double *kept, *work, *out;
} rows_of;

// Of every row e, e', e''; then A v with A's own entries.
static rows_of open_rows(const mc_multibody *m)
{
    const mb_system *s = &m->system;
    const int count = s->rows.count;
    expr_id *nodes = calloc(4 * (size_t)count, sizeof *nodes);
    mc_error error = {0};
    for (int r = 0; r < count; r++) {
        const mb_row *row = &s->rows.row[r];
        expr_id sum = EXPR_ZERO;
        for (int k = 0; k < row->count; k++)
            sum = expr_add(s->graph, sum,
                           expr_mul(s->graph, row->by[k], s->links.v[row->velocity[k]]));
        nodes[4 * r] = row->e == EXPR_NONE ? EXPR_ZERO : row->e;
        nodes[4 * r + 1] = row->rate;
        nodes[4 * r + 2] = row->bias;
        nodes[4 * r + 3] = sum;
    }
    rows_of o = {.program = expr_program_build(s->graph, nodes, NULL, 4 * count, &error)};
    assert_non_null(o.program);
    o.machine = expr_machine_create(o.program, &error);
    assert_non_null(o.machine);
    o.kept = calloc((size_t)o.program->kept_count + 8, sizeof *o.kept);
    o.work = aligned_alloc(64, ((size_t)expr_machine_work(o.machine) / 8 + 2) * 64);
    o.out = calloc(4 * (size_t)count + 8, sizeof *o.out);
    expr_machine_prepare(o.machine, m->parameter, o.kept, o.work);
    free(nodes);
    return o;
}

static void close_rows(rows_of *o)
{
    expr_machine_destroy(o->machine);
    expr_program_destroy(o->program);
    free(o->kept);
    free(o->work);
    free(o->out);
}

// Rows at the state moved by h along q' at constant v.
static void rows_at(mc_multibody *m, rows_of *o, const double *y, double h, double *out)
{
    const mb_system *s = &m->system;
    double moved[s->y_count + 1], dy[s->y_count + 1];
    mc_multibody_rate(m, 0.3, y, NULL, dy);
    memcpy(moved, y, (size_t)s->y_count * sizeof *y);
    for (int i = 0; i < s->q_count; i++)
        moved[i] += h * dy[i];
    multibody_set_state(m, 0.3 + h, moved);
    expr_machine_run(o->machine, m->x, o->kept, out, o->work);
}

static void rows_are_derivatives_of_positions(void **state)
{
    (void)state;
    const double h = 1e-5;
    double worst_rate = 0.0, worst_bias = 0.0;
    for (int k = 0; k < JOINTS; k++) {
        mc_multibody *m = load_arms(k, MC_FORM_CHEAPER);
        const mb_system *s = &m->system;
        const int count = s->rows.count;
        rows_of o = open_rows(m);
        assert_true(count > 0);
        double y[s->y_count + 1], at[4 * count], less[4 * count], more[4 * count];
        for (unsigned long long seed = 1; seed <= 5; seed++) {
            state_near(m, seed, false, y);
            rows_at(m, &o, y, 0.0, at);
            rows_at(m, &o, y, -h, less);
            rows_at(m, &o, y, h, more);
            for (int r = 0; r < count; r++) {
                const double rate = (more[4 * r] - less[4 * r]) / (2 * h);
                const double bias = (more[4 * r + 1] - less[4 * r + 1]) / (2 * h);
                if (s->rows.row[r].e != EXPR_NONE)
                    worst_rate = fmax(worst_rate, fabs(at[4 * r + 1] - rate));
                worst_bias = fmax(worst_bias, fabs(at[4 * r + 2] - bias));
                if (k != 18) // A v is all of e' where time does not appear
                    assert_true(fabs(at[4 * r + 3] - at[4 * r + 1]) < 1e-12);
                if (fabs(at[4 * r + 2] - bias) > 1e-5 ||
                    (s->rows.row[r].e != EXPR_NONE && fabs(at[4 * r + 1] - rate) > 1e-7))
                    fail_msg("%srow %d: e' %.12g, by differences %.12g; e'' %.12g, %.12g",
                             joints[k], r, at[4 * r + 1], rate, at[4 * r + 2], bias);
            }
        }
        close_rows(&o);
        mc_multibody_free(m);
    }
    print_message("e' to %.1e, e'' to %.1e of differences\n", worst_rate, worst_bias);
}

// ---- forms -------------------------------------------------------------------------------------

static double relative(const double *a, const double *b, int count)
{
    double worst = 0.0, scale = 1e-3;
    for (int i = 0; i < count; i++) {
        worst = fmax(worst, fabs(a[i] - b[i]));
        scale = fmax(scale, fabs(a[i]));
    }
    return worst / scale;
}

static void forms_agree(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int k = 0; k < JOINTS; k++) {
        mc_multibody *a = load_arms(k, MC_FORM_LAGRANGE), *b = load_arms(k, MC_FORM_RECURSIVE);
        const mb_system *s = &a->system;
        const int n = s->v_count, m = s->rows.kept_count;
        assert_int_equal(m, b->system.rows.kept_count);
        assert_true(m > 0);
        double y[s->y_count + 1], tau[n], va[n], vb[n], vc[n], la[m], lb[m], lc[m];
        for (unsigned long long seed = 1; seed <= 10; seed++) {
            unsigned long long other = seed + 100;
            state_near(a, seed, true, y);
            for (int i = 0; i < n; i++)
                tau[i] = sample_uniform(&other, -5, 5);
            multibody_set_state(a, 0.3, y);
            multibody_set_state(b, 0.3, y);
            mc_multibody_multipliers(a, y, y + s->q_count, tau, va, la);
            mc_multibody_multipliers(b, y, y + s->q_count, tau, vb, lb);
            multibody_loops_singular(a, MULTIBODY_FORWARD_DESCRIPTOR, vc, lc);
            const double off = fmax(fmax(relative(va, vb, n), relative(la, lb, m)),
                                    fmax(relative(va, vc, n), relative(la, lc, m)));
            if (off > 1e-11)
                fail_msg("%s: forms differ by %.2g", joints[k], off);
            worst = fmax(worst, off);
        }
        mc_multibody_free(a);
        mc_multibody_free(b);
    }
    print_message("descriptor, operational and dense algebra agree to %.1e\n", worst);
}

static void independent_speeds_agree(void **state)
{
    (void)state;
    double worst = 0.0;
    int tried = 0;
    for (int k = 0; k < JOINTS; k++) {
        char text[4000];
        mc_error error = {0};
        const mc_multibody_options options = {.form = MC_FORM_INDEPENDENT,
                                              .compile = MC_COMPILE_NEVER};
        snprintf(text, sizeof text, "%s%s", ARMS, joints[k]);
        mc_multibody *b = mc_multibody_parse(text, "test", &options, &error);
        if (!b) {
            assert_non_null(
                strstr(error.text, "the form with independent speeds does not support"));
            continue;
        }
        mc_multibody *a = load_arms(k, MC_FORM_RECURSIVE);
        const mb_system *s = &a->system;
        const int n = s->v_count, m = s->rows.kept_count;
        double y[s->y_count + 1], tau[n], va[n], vb[n], la[m], lb[m];
        tried++;
        for (unsigned long long seed = 1; seed <= 10; seed++) {
            unsigned long long other = seed + 100;
            state_near(a, seed, true, y);
            for (int i = 0; i < n; i++)
                tau[i] = sample_uniform(&other, -5, 5);
            mc_multibody_multipliers(a, y, y + s->q_count, tau, va, la);
            mc_multibody_multipliers(b, y, y + s->q_count, tau, vb, lb);
            const double off = fmax(relative(va, vb, n), relative(la, lb, m));
            if (!(off < 1e-11))
                fail_msg("%s: forms differ by %.2g, accelerations by %.2g", joints[k], off,
                         relative(va, vb, n));
            worst = fmax(worst, off);
        }
        mc_multibody_free(a);
        mc_multibody_free(b);
    }
    assert_true(tried >= 15);
    print_message("independent speeds agree to %.1e in %d mechanisms\n", worst, tried);
}

static void lanes_give_the_same(void **state)
{
    (void)state;
    mc_multibody *m = load_arms(JOINTS - 1, MC_FORM_CHEAPER);
    const mb_system *s = &m->system;
    const int nq = s->q_count, nv = s->v_count;
    double y[4][s->y_count + 1], one[4][nv], tau[nv];
    double *q = malloc(4 * (size_t)nq * sizeof *q), *v = malloc(4 * (size_t)nv * sizeof *v);
    double *t = calloc(4 * (size_t)nv, sizeof *t), *out = malloc(4 * (size_t)nv * sizeof *out);
    memset(tau, 0, sizeof tau);
    for (int lane = 0; lane < 4; lane++) {
        state_near(m, (unsigned long long)lane + 1, true, y[lane]);
        mc_multibody_accelerations(m, y[lane], y[lane] + nq, tau, one[lane]);
        for (int i = 0; i < nq; i++)
            q[4 * i + lane] = y[lane][i];
        for (int i = 0; i < nv; i++)
            v[4 * i + lane] = y[lane][nq + i];
    }
    mc_multibody_accelerations_lanes(m, 1, q, v, t, out);
    for (int lane = 0; lane < 4; lane++)
        for (int i = 0; i < nv; i++)
            assert_memory_equal(&out[4 * i + lane], &one[lane][i], sizeof(double));
    free(q);
    free(v);
    free(t);
    free(out);
    mc_multibody_free(m);
}

// ---- over time ---------------------------------------------------------------------------------

typedef struct largest {
    mc_multibody *m;
    double gap;
} largest;

static void look_at_gap(void *context, double t, const double *y, const double *outputs)
{
    (void)outputs;
    largest *l = context;
    l->gap = fmax(l->gap, mc_multibody_gap(l->m, t, y));
}

static void every_method_keeps_loops_closed(void **state)
{
    (void)state;
    mc_method method;
    for (int i = 0; mc_method_at(i, &method); i++)
        for (int k = 0; k < JOINTS; k += 5) {
            mc_multibody *m = load_arms(k, MC_FORM_CHEAPER);
            double y[m->system.y_count + 1];
            mc_simulate_options options = {.end = 0.4, .step = 0.02, .method = method.name};
            if (method.adaptive)
                options.rtol = 1e-7;
            else
                options.fixed_step = 1e-3;
            largest l = {m, 0.0};
            const mc_simulate_output output = {.row = look_at_gap, .context = &l};
            mc_error error = {0};
            state_near(m, 3, true, y);
            if (mc_simulate(m, &options, y, &output, NULL, NULL, &error) != MC_OK)
                fail_msg("%s by %s: %s", joints[k], method.name, error.text);
            if (!(l.gap < 1e-12))
                fail_msg("%s by %s: open by %.2g", joints[k], method.name, l.gap);
            mc_multibody_free(m);
        }
}

// ---- rows that follow from others --------------------------------------------------------------

#define FOUR_BAR(extra)                                                                            \
    "motorcade: multibody\n"                                                                       \
    "gravity: [0, -9.81, 0]\n"                                                                     \
    "bodies:\n"                                                                                    \
    "  crank: {joint: hinge, axis: z, mass: 1, com: [0.5, 0, 0], inertia: [0, 0.1, 0.1],\n"        \
    "          start: {angle: 90 deg}}\n"                                                          \
    "  coupler: {inboard: crank, joint: hinge, at: [1, 0, 0], axis: z, mass: 3,\n"                 \
    "            com: [1.5, 0, 0], inertia: [0, 2, 2], start: {angle: -60 deg}}\n"                 \
    "  rocker: {joint: hinge, at: [3, 0, 0], axis: z, mass: 2, com: [1.2, 0, 0],\n"                \
    "           inertia: [0, 1, 1], start: {angle: 100 deg}}\n"                                    \
    "keep: [crank.angle]\n"                                                                        \
    "joints:\n"                                                                                    \
    "  pin: {joint: hinge, from: coupler, at: [3, 0, 0], to: rocker, to_at: [2.5, 0, 0],\n"        \
    "        axis: z}\n" extra

static void planar_loop_has_two_rows(void **state)
{
    (void)state;
    mc_multibody *m = load(FOUR_BAR(""), MC_FORM_CHEAPER);
    const mc_multibody_info *info = mc_multibody_info_of(m);
    mc_constraint_row row;
    assert_int_equal(info->row_count, 2);
    assert_int_equal(info->left_out_count, 3);
    for (int i = 0; i < 5; i++) {
        assert_true(mc_multibody_row(m, i, &row));
        assert_string_equal(row.owner, "pin");
        assert_int_equal(row.acts, i < 2);
    }
    assert_false(mc_multibody_row(m, 5, &row));
    double y[8];
    mc_multibody_start(m, y);
    assert_true(fabs(y[0] - 1.5707963267948966) < 1e-12); // kept
    assert_true(mc_multibody_gap(m, 0.0, y) < 1e-14);
    mc_multibody_free(m);
    // The same pin twice holds no more than once.
    m = load(FOUR_BAR("  again: {joint: hinge, from: coupler, at: [3, 0, 0], to: rocker,\n"
                      "          to_at: [2.5, 0, 0], axis: z}\n"),
             MC_FORM_CHEAPER);
    assert_int_equal(mc_multibody_info_of(m)->row_count, 2);
    mc_multibody_free(m);
}

static void what_cannot_close_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *want;
    } cases[] = {
        {FOUR_BAR("  rod: {joint: distance, from: coupler, to: ground, length: 50 mm}\n"),
         "joint rod cannot close"},
        {FOUR_BAR("constraints: {c: {position: crank.angle - 10 deg}}\n"),
         "constraint c cannot close"},
        {FOUR_BAR("  far: {joint: ball, from: rocker, at: [9, 0, 0], to: ground}\n"),
         "joint far cannot close: it stays open by"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mc_error error = {0};
        assert_null(mc_multibody_parse(cases[i].text, "test", NULL, &error));
        assert_int_equal(error.code, MC_BAD_INPUT);
        if (!strstr(error.text, cases[i].want))
            fail_msg("\"%s\" does not say \"%s\"", error.text, cases[i].want);
        assert_true(error.line > 0);
    }
}

// ---- rank that is lost -------------------------------------------------------------------------

// Two windows (IFToMM A02, N = 2) started near the position in which all links lie in a line.
#define WINDOW                                                                                     \
    "motorcade: multibody\n"                                                                       \
    "gravity: [0, -9.81, 0]\n"                                                                     \
    "parameters: {off: 0 rad}\n"                                                                   \
    "bodies:\n"                                                                                    \
    "  p0: {joint: hinge, axis: z, mass: 1, com: [0, 0.5, 0], inertia: [0.1, 0, 0.1],\n"           \
    "       start: {angle: -90 deg, angle_rate: -5}}\n"                                            \
    "  p1: {joint: hinge, at: [1, 0, 0], axis: z, mass: 1, com: [0, 0.5, 0],\n"                    \
    "       inertia: [0.1, 0, 0.1], start: {angle: -90 deg, angle_rate: -5}}\n"                    \
    "  b0: {inboard: p0, joint: hinge, at: [0, 1, 0], axis: z, mass: 1, com: [0.5, 0, 0],\n"       \
    "       inertia: [0, 0.1, 0.1], start: {angle: 90 deg, angle_rate: 5}}\n"                      \
    "joints:\n"                                                                                    \
    "  pin: {joint: hinge, from: b0, at: [1, 0, 0], to: p1, to_at: [0, 1, 0], axis: z}\n"

static void singular_starts_are_passed(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int i = 0; i < 50; i++) {
        const double off = i == 0 ? 0.0 : 1e-12 * pow(10.0, 8.0 * (i - 1) / 48.0); // .. 1e-4 rad
        mc_multibody *m = load(WINDOW, MC_FORM_CHEAPER);
        double y[m->system.y_count + 1];
        const double way[] = {off, off, -off};
        mc_error error = {0};
        mc_multibody_start(m, y);
        for (int k = 0; k < 3; k++)
            y[k] += way[k];
        const mc_simulate_options options = {.end = 0.3, .step = 0.1, .rtol = 1e-8};
        const mc_status status = mc_simulate(m, &options, y, NULL, NULL, NULL, &error);
        if (status != MC_OK && off >= 1e-9)
            fail_msg("from %g rad: %s", off, error.text);
        if (status == MC_OK) {
            for (int k = 0; k < 6; k++)
                assert_true(isfinite(y[k]));
            // On the branch of the parallelogram the two posts stay parallel.
            worst = fmax(worst, fabs(y[0] - y[1]));
            if (off >= 1e-9)
                assert_true(fabs(y[0] - y[1]) < 1e-6);
        }
        mc_multibody_free(m);
    }
    print_message("posts parallel to %.1e rad after the singular position\n", worst);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_derivatives_of_positions),
        cmocka_unit_test(forms_agree),
        cmocka_unit_test(independent_speeds_agree),
        cmocka_unit_test(lanes_give_the_same),
        cmocka_unit_test(every_method_keeps_loops_closed),
        cmocka_unit_test(planar_loop_has_two_rows),
        cmocka_unit_test(what_cannot_close_is_named),
        cmocka_unit_test(singular_starts_are_passed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
