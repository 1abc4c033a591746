// loops.c - mechanisms with loops on numbers: accelerations, projection, assembly.
//
// The straight-line code has fixed pivots. Where rows nearly depend on each other (a mechanism in
// line, a toggle) its margin says so, and singular.c takes over.
#include "mechanism/mechanism.h"
#include "equations/assembly.h"
#include "equations/closed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Below: singular.c. Rows that are left out could take over long before the others fail.
static const double margin_min = 1e-6, margin_min_sharing = 1e-3;
enum { STEPS_MAX = 6 }; // of a projection

static bool is_safe(const mc_multibody *m, double margin)
{
    return margin >= (m->system.rows.sharing ? margin_min_sharing : margin_min);
}

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the loops");
}

// ---- programs --------------------------------------------------------------------------------

// Outputs with the multipliers and the margin after them.
static mc_status build_with(mc_multibody *m, multibody_part part, const expr_id *nodes, int count,
                            const expr_id *lambda, expr_id margin, const char *const *names,
                            mc_error *error)
{
    const int rows = lambda ? m->system.rows.kept_count : 0, total = count + rows + 1;
    expr_id *all = malloc((size_t)total * sizeof *all);
    const char **words = malloc((size_t)total * sizeof *words);
    char(*made)[32] = calloc((size_t)rows + 1, sizeof *made);
    mc_status status = all && words && made ? MC_OK : no_memory(error);
    if (status == MC_OK) {
        memcpy(all, nodes, (size_t)count * sizeof *all);
        for (int i = 0; i < count; i++)
            words[i] = names[i];
        for (int r = 0; r < rows; r++) {
            snprintf(made[r], sizeof made[r], "lambda%d", r);
            all[count + r] = lambda[r];
            words[count + r] = made[r];
        }
        all[total - 1] = margin;
        words[total - 1] = "margin";
        status = multibody_build(m, part, all, total, words, error);
    }
    free(all);
    free(words);
    free(made);
    return status;
}

static mc_status build_projection(mc_multibody *m, mc_error *error)
{
    const mb_system *s = &m->system;
    const int n = s->v_count;
    expr_id *all = malloc((2 * (size_t)n + 1) * sizeof *all);
    if (!all)
        return no_memory(error);
    memcpy(all, s->move, (size_t)n * sizeof *all);
    memcpy(all + n, s->settle, (size_t)n * sizeof *all);
    all[2 * n] = s->margin;
    const mc_status status = multibody_build(m, MULTIBODY_PROJECT, all, 2 * n + 1, NULL, error);
    free(all);
    return status;
}

static mc_status build_descriptor(mc_multibody *m, multibody_part part,
                                  const mb_lagrange_result *from, mc_error *error)
{
    const mb_system *s = &m->system;
    const int n = s->v_count, rows = s->rows.live_count;
    int count = n * n + n + rows * (n + DESCRIPTOR_ROW);
    const int bases = count;
    for (int i = 0; i < s->links.link_count; i++)
        count += s->links.links[i].motion == MB_FLOATING ? DESCRIPTOR_BASE : 0;
    expr_id *all = malloc(((size_t)count + 1) * sizeof *all);
    if (!all)
        return no_memory(error);
    memcpy(all, from->M, (size_t)(n * n) * sizeof *all);
    memcpy(all + n * n, from->right, (size_t)n * sizeof *all);
    expr_id *at = all + n * n + n;
    for (int r = 0; r < rows; r++, at += n + DESCRIPTOR_ROW) {
        const mb_row *row = &s->rows.row[s->rows.live[r]];
        mb_closed_row(s, s->rows.live[r], at, &at[n]);
        at[n + 1] = row->e == EXPR_NONE ? EXPR_ZERO : row->e;
        at[n + 2] = row->rate;
    }
    at = all + bases;
    for (int i = 0; i < s->links.link_count; i++)
        if (s->links.links[i].motion == MB_FLOATING) {
            memcpy(at, s->links.links[i].R.m, 9 * sizeof *at);
            memcpy(at + 9, s->model->gravity, 3 * sizeof *at);
            at += DESCRIPTOR_BASE;
        }
    const mc_status status = multibody_build(m, part, all, count, NULL, error);
    free(all);
    return status;
}

mc_status multibody_loops_build(mc_multibody *m, const char *const *names, mc_error *error)
{
    const mb_system *s = &m->system;
    mc_status status = build_with(m, MULTIBODY_FORWARD, s->forward, s->v_count, s->forward_lambda,
                                  s->forward_margin, names + s->q_count, error);
    if (status == MC_OK)
        status = build_with(m, MULTIBODY_RATE, s->rate, s->y_count, NULL, s->margin, names, error);
    if (status == MC_OK)
        status = multibody_build(m, MULTIBODY_LAMBDA, s->lambda, s->rows.kept_count, NULL, error);
    if (status == MC_OK)
        status = build_projection(m, error);
    if (status == MC_OK)
        status = build_descriptor(m, MULTIBODY_FORWARD_DESCRIPTOR, &s->descriptor[0], error);
    if (status == MC_OK)
        status = build_descriptor(m, MULTIBODY_RATE_DESCRIPTOR, &s->descriptor[1], error);
    return status;
}

// ---- accelerations ---------------------------------------------------------------------------

// Runs a part; the margin.
static double run_part(mc_multibody *m, multibody_part part)
{
    multibody_code *code = multibody_use(m, part);
    expr_kernel_run(code->kernel, m->x, code->kept, code->result, code->work);
    return code->result[code->program->output_count - 1];
}

void multibody_loops_run(mc_multibody *m, multibody_part part, double *out, double *lambda)
{
    const mb_system *s = &m->system;
    const bool forward = part == MULTIBODY_FORWARD;
    const int count = forward ? s->v_count : s->y_count;
    const double margin = run_part(m, part);
    const multibody_code *code = &m->code[part];
    memcpy(out, code->result, (size_t)count * sizeof *out);
    if (lambda)
        memcpy(lambda, code->result + count, (size_t)s->rows.kept_count * sizeof *lambda);
    if (!is_safe(m, margin))
        multibody_loops_singular(m,
                                 forward ? MULTIBODY_FORWARD_DESCRIPTOR : MULTIBODY_RATE_DESCRIPTOR,
                                 forward ? out : out + s->q_count, lambda);
}

void multibody_loops_lambda(mc_multibody *m, double *lambda)
{
    if (m->system.rows.kept_count == 0)
        return;
    const multibody_code *rate = &m->code[MULTIBODY_RATE];
    if (is_safe(m, rate->result[rate->program->output_count - 1])) {
        multibody_code *code = multibody_use(m, MULTIBODY_LAMBDA);
        expr_kernel_run(code->kernel, m->x, code->kept, lambda, code->work);
    } else {
        double vdot[m->system.v_count + 1];
        multibody_loops_singular(m, MULTIBODY_RATE_DESCRIPTOR, vdot, lambda);
    }
}

void multibody_loops_run_lanes(mc_multibody *m, int block_count, double *vdot)
{
    const mb_system *s = &m->system;
    multibody_code *code = multibody_use(m, MULTIBODY_FORWARD);
    const int count = code->program->output_count, variables = code->program->variable_count;
    for (int b = 0; b < block_count; b++) {
        const double *x = m->x_lanes + (size_t)b * 4 * (size_t)variables;
        double *to = vdot + (size_t)b * 4 * (size_t)s->v_count;
        expr_kernel_run_lanes(code->kernel, 1, x, code->kept, code->result, code->work);
        memcpy(to, code->result, 4 * (size_t)s->v_count * sizeof *to);
        for (int lane = 0; lane < 4; lane++) {
            if (is_safe(m, code->result[4 * (count - 1) + lane]))
                continue;
            double one[s->v_count + 1];
            for (int i = 0; i < variables; i++)
                m->x[i] = x[4 * i + lane];
            multibody_loops_singular(m, MULTIBODY_FORWARD_DESCRIPTOR, one, NULL);
            for (int i = 0; i < s->v_count; i++)
                to[4 * i + lane] = one[i];
        }
    }
}

// ---- projection ------------------------------------------------------------------------------

// x: the step of positions or of velocities from the state in m->x.
static void change(mc_multibody *m, int which, double *x)
{
    const int n = m->system.v_count;
    multibody_code *code = multibody_use(m, MULTIBODY_PROJECT);
    expr_kernel_run(code->kernel, m->x, code->kept, code->result, code->work);
    if (is_safe(m, code->result[2 * n]))
        memcpy(x, code->result + which * n, (size_t)n * sizeof *x);
    else
        multibody_loops_singular_change(m, which, x);
}

void multibody_loops_move(mc_multibody *m, const double *p, double *y)
{
    mb_assembly_prepare(m->system.assembly, m->parameter);
    memcpy(m->x, y, (size_t)m->system.y_count * sizeof *y);
    mb_assembly_move(m->system.assembly, m->x, p);
    memcpy(y, m->x, (size_t)m->system.q_count * sizeof *y);
}

void multibody_loops_project(mc_multibody *m, double t, double *y)
{
    const mb_system *s = &m->system;
    const int n = s->v_count;
    double step[n + 1], before = INFINITY;
    for (int i = 0; i < STEPS_MAX; i++) {
        double largest = 0.0;
        multibody_set_state(m, t, y);
        change(m, 0, step);
        for (int k = 0; k < n; k++)
            largest = fmax(largest, fabs(step[k]));
        if (!isfinite(largest) || !(largest < before))
            break;
        mb_assembly_move(s->assembly, m->x, step);
        memcpy(y, m->x, (size_t)s->q_count * sizeof *y);
        before = largest;
        if (largest < 1e-15)
            break;
    }
    multibody_set_state(m, t, y);
    change(m, 1, step);
    for (int k = 0; k < n && isfinite(step[k]); k++)
        y[s->q_count + k] += step[k];
}

double multibody_loops_energy(mc_multibody *m, double t, const double *y)
{
    double energy;
    multibody_set_state(m, t, y);
    multibody_code *code = multibody_use(m, MULTIBODY_ENERGY);
    expr_kernel_run(code->kernel, m->x, code->kept, &energy, code->work);
    return energy;
}

void mc_multibody_project(mc_multibody *m, double t, double *y)
{
    mc_multibody_normalise(m, y);
    if (m->system.rows.count == 0)
        return;
    mb_assembly_prepare(m->system.assembly, m->parameter);
    multibody_loops_project(m, t, y);
}

mc_status mc_multibody_assemble(mc_multibody *m, double t, double *y, mc_error *error)
{
    mc_error own;
    mc_multibody_normalise(m, y);
    if (m->system.rows.count == 0)
        return MC_OK;
    mb_assembly_prepare(m->system.assembly, m->parameter);
    multibody_set_state(m, t, y);
    const mc_status status = mb_assembly_close(m->system.assembly, m->x, error ? error : &own);
    if (status == MC_OK)
        memcpy(y, m->x, (size_t)m->system.y_count * sizeof *y);
    return status;
}

double mc_multibody_gap(mc_multibody *m, double t, const double *y)
{
    if (m->system.rows.count == 0)
        return 0.0;
    mb_assembly_prepare(m->system.assembly, m->parameter);
    multibody_set_state(m, t, y);
    return mb_assembly_gap(m->system.assembly, m->x, NULL);
}

bool mc_multibody_row(const mc_multibody *m, int i, mc_constraint_row *out)
{
    const mb_rows *rows = &m->system.rows;
    if (i < 0 || i >= rows->count)
        return false;
    *out = (mc_constraint_row){.owner = rows->row[i].owner, .part = rows->row[i].part};
    for (int r = 0; r < rows->kept_count; r++)
        out->acts = out->acts || rows->kept[r] == i;
    return true;
}
