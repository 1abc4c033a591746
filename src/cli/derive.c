// derive.c - `motorcade derive MODEL.yaml -o FILE`, `motorcade derive MODEL.yaml --report`,
// `motorcade derive MODEL.yaml --matrices`.
#include "base/text.h"
#include "cli/commands.h"
#include "cli/guard.h"
#include "cli/matrices.h"
#include "cli/model_options.h"
#include "cli/options.h"
#include "motorcade/multibody.h"
#include "motorcade/plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    model_request model;
    const char *output, *svg;
    bool fortran, simd, loads, kinematics, joint_loads, matrices, report, help;
} request;

static mc_status take_language(void *place, const cli_option *option, const char *value,
                               mc_error *error)
{
    (void)option;
    if (strcmp(value, "c") != 0 && strcmp(value, "fortran") != 0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "option --lang: found \"%s\", expected c or fortran", value);
    *(bool *)place = *value == 'f';
    return MC_OK;
}

static const cli_option options[] = {
    {'o', "output", " FILE", "source file to write", CLI_TO(output)},
    {0, "lang", "NAME", "c (default) or fortran", CLI_BY(take_language, fortran)},
    {0, "simd", NULL, "C for blocks of four states at once", CLI_TO(simd)},
    {0, "form", "NAME", "lagrange, recursive or independent (default: the cheaper)", MODEL_FORM},
    {0, "with-loads", NULL, "write y' with springs, loads and formulas, not forward dynamics alone",
     CLI_TO(loads)},
    {0, "kinematics", NULL, "write positions, orientations and velocities of bodies and points",
     CLI_TO(kinematics)},
    {0, "joint-loads", NULL, "write force and torque of every joint of the tree",
     CLI_TO(joint_loads)},
    {0, "matrices", NULL, "write B_q, B_p, T, B, BT and rates; without -o print them at the start",
     CLI_TO(matrices)},
    {0, "set", "NAME=VALUE", "set a parameter, or with --matrices a start value; may be repeated",
     MODEL_SET},
    {0, "report", NULL, "print degrees of freedom, matrices, operations, times", CLI_TO(report)},
    {0, "svg", "FILE",
     "pictures of T, M and its factor (with --report), or of the matrices (with --matrices)",
     CLI_TO(svg)},
    CLI_HELP,
    MODEL_FILE,
};

// ---- report ----------------------------------------------------------------------------------

static void print_operations(const char *what, const mc_operations *n)
{
    printf("  %-22s %6d flops = %d add + %d mul + %d div + %d sqrt (%d pairs fused), %d sincos, "
           "%d other calls\n",
           what, n->flops, n->add, n->mul, n->div, n->sqrt, n->fused, n->sincos, n->call);
}

static void print_structure(const mc_multibody *m)
{
    mc_structure s;
    for (int which = 0; mc_multibody_structure(m, which, &s); which++) {
        int count[3] = {0};
        const int all = s.rows * s.columns;
        for (int i = 0; i < all; i++)
            count[s.entry[i]]++;
        static const char *const meaning[] = {"velocities of the links by v", "mass matrix",
                                              "factor of M, elimination order"};
        printf("  %s %3d x %-3d  %5d zero, %4d constant, %4d varying   (%s)\n", s.name, s.rows,
               s.columns, count[0], count[1], count[2], meaning[which]);
        if (s.columns > 40 || which == 0)
            continue;
        for (int i = 0; i < s.rows; i++) {
            printf("      ");
            for (int j = 0; j < s.columns; j++)
                putchar(".co"[s.entry[i * s.columns + j]]);
            putchar('\n');
        }
    }
}

// Rows of every joint and constraint: + acts, - follows from others.
static void print_loops(const mc_multibody *m)
{
    const mc_multibody_info *n = mc_multibody_info_of(m);
    const char *owner = "";
    mc_constraint_row row;
    if (n->row_count == 0)
        return;
    printf("\nloops: %d velocities, %d rows that act, %d that follow from them\n", n->v_count,
           n->row_count, n->left_out_count);
    for (int i = 0; mc_multibody_row(m, i, &row); i++) {
        if (strcmp(owner, row.owner) != 0)
            printf("%s  %-20s ", *owner ? "\n" : "", row.owner);
        owner = row.owner;
        putchar(row.acts ? '+' : '-');
    }
    putchar('\n');
}

static const char *why(const mc_graph_joint *j)
{
    return j->cannot        ? "a kind that only closes loops"
           : j->pinned      ? "the file uses its coordinate"
           : j->cut_by_file ? "the file cuts it"
           : j->other_flops ? ""
           : j->in_tree     ? "no loop passes it"
                            : "";
}

// The joints of a graph: the tree, the cuts, why, and what another choice costs.
static void print_graph(const mc_multibody *m)
{
    mc_graph g;
    mc_graph_joint j;
    if (!mc_multibody_graph(m, &g))
        return;
    printf("\ngraph: %d joints, %d of them cut; ", g.joint_count, g.cut_count);
    if (g.root_count)
        printf("%s is free; ", g.root);
    printf("%s%d spanning tree%s derived: %d flops taken, at most %d\n", g.all ? "all " : "",
           g.derived, g.derived == 1 ? "" : "s", g.flops, g.worst_flops);
    for (int i = 0; mc_multibody_graph_joint(m, i, &j); i++) {
        char other[64] = "";
        if (j.other_flops)
            snprintf(other, sizeof other, "%s %d flops (%+.1f %%)",
                     j.in_tree ? "cut:" : "in the tree:", j.other_flops,
                     100.0 * (j.other_flops - g.flops) / g.flops);
        printf("  %-16s %-14s %-12s %s %-12s  %-4s  %s%s\n", j.name, j.kind, j.from,
               !j.in_tree   ? "--"
               : j.reversed ? "<-"
                            : "->",
               j.to, j.in_tree ? "tree" : "cut", other, why(&j));
    }
}

static void print_report(const mc_multibody *m)
{
    static const char *const forms[] = {"", "lagrange", "recursive", "independent"};
    const mc_multibody_info *n = mc_multibody_info_of(m);
    printf("%s: %d bodies, %d degrees of freedom (%d coordinates), %d states of the user, %d "
           "inputs, %d parameters\n",
           n->name, n->body_count, n->v_count - n->row_count, n->q_count, n->state_count,
           n->input_count, n->parameter_count);
    print_graph(m);
    print_loops(m);
    printf("\nform: %s", forms[n->form]);
    for (int k = MC_FORM_LAGRANGE; k <= MC_FORM_INDEPENDENT; k++)
        if (n->flops_of_form[k])
            printf("%s %s %d flops", k == MC_FORM_LAGRANGE ? ";" : ",", forms[k],
                   n->flops_of_form[k]);
    printf("\n\noperations\n");
    print_operations("prepare (once)", &n->prepare);
    print_operations("forward dynamics", &n->forward);
    print_operations("rates with all loads", &n->rate);
    printf("\nstages of the forward dynamics\n");
    mc_stage stage;
    for (int k = 0; mc_multibody_stage(m, k, &stage); k++)
        printf("  %-30s %12.6g operations\n", stage.name, stage.operations);
    mc_structure s;
    if (mc_multibody_structure(m, 0, &s)) {
        printf("\nmatrices (. zero, c constant, o varying)\n");
        print_structure(m);
    }
    printf("\ntime  read %.1f ms, derive %.1f ms\n", 1e3 * n->seconds_read,
           1e3 * n->seconds_derive);
}

static mc_status write_pictures(const request *r, const mc_multibody *m, mc_error *error)
{
    mc_plot_matrix matrix[3];
    const mc_multibody_info *n = mc_multibody_info_of(m);
    const char **names = calloc((size_t)n->v_count + 1, sizeof *names);
    if (!names)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the picture");
    for (int i = 0; i < n->v_count; i++)
        names[i] = mc_multibody_name(m, MC_QUANTITY_VELOCITY, i);
    int count = 0;
    mc_structure s;
    for (; mc_multibody_structure(m, count, &s); count++)
        matrix[count] = (mc_plot_matrix){.title = s.name,
                                         .row_count = s.rows,
                                         .column_count = s.columns,
                                         .entries = s.entry,
                                         .row_labels = count == 1 ? names : NULL,
                                         .column_labels = count < 2 ? names : NULL};
    char title[160];
    snprintf(title, sizeof title, "%s: velocity transformation T, mass matrix M, factor L",
             n->name);
    mc_status status = MC_OK;
    if (count == 0)
        status =
            mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                         "%s has %d velocities: T and M need --form lagrange", n->name, n->v_count);
    else
        status = mc_plot_matrix_write(r->svg, title, matrix, count, error);
    free(names);
    return status;
}

// ---- matrices --------------------------------------------------------------------------------

// At the start, with what --set changes of it, where loops close.
static mc_status show_matrices(const request *r, mc_multibody *m, mc_error *error)
{
    double *y = calloc((size_t)mc_multibody_info_of(m)->y_count + 1, sizeof *y);
    if (!y)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the matrices");
    mc_multibody_start(m, y);
    mc_status status = model_apply_sets(&r->model, m, y, error);
    if (status == MC_OK)
        status = mc_multibody_assemble(m, 0.0, y, error);
    if (status == MC_OK)
        status = mc_multibody_matrices(m, 0.0, y, error);
    if (status == MC_OK && r->svg)
        status = matrices_draw(m, r->svg, error);
    if (status == MC_OK && !r->output)
        matrices_print(m);
    free(y);
    return status;
}

// ---- the command -----------------------------------------------------------------------------

static mc_status check(const request *r, const char *program, mc_error *error)
{
    const mc_status status = model_need_file(&r->model, program, error);
    if (status != MC_OK)
        return status;
    if (r->loads + r->kinematics + r->joint_loads + r->matrices > 1)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "only one of --with-loads, --kinematics, --joint-loads and --matrices "
                            "can be given: each says what the code computes");
    if (!r->output && !r->report && !r->matrices)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "nothing to do; expected -o FILE for the code, --report or --matrices");
    if (r->fortran && r->simd)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "option --simd: only for C, not --lang fortran");
    if (r->svg && r->report == r->matrices)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "option --svg needs %s of --report and --matrices",
                            r->report ? "only one" : "one");
    cli_guard g = {0};
    cli_guard_reads(&g, "the model", r->model.file);
    cli_guard_writes(&g, "-o", r->output);
    cli_guard_writes(&g, "--svg", r->svg);
    return cli_guard_check(&g, error);
}

int cli_derive(int argc, char **argv)
{
    const char *const program = "motorcade derive";
    request r = {0};
    mc_error error;
    if (cli_read(argc, argv, options, &r, &error) != MC_OK)
        return cli_fail(program, &error);
    if (r.help) {
        printf(
            "usage: motorcade derive MODEL.yaml -o FILE [OPTIONS]\n"
            "       motorcade derive MODEL.yaml --report [--svg FILE]\n"
            "       motorcade derive MODEL.yaml --matrices [--svg FILE]\n\n"
            "Derives the equations of motion and writes them as straight-line source code, with\n"
            "the model's names and without loops or branches.\n\n");
        cli_print_options(options);
        return 0;
    }
    if (check(&r, program, &error) != MC_OK)
        return cli_fail(program, &error);
    r.model.options.compile = MC_COMPILE_NEVER;
    const mc_language language = r.fortran ? MC_LANGUAGE_FORTRAN
                                 : r.simd  ? MC_LANGUAGE_C_LANES
                                           : MC_LANGUAGE_C;
    const mc_code code = r.loads         ? MC_CODE_RATE
                         : r.kinematics  ? MC_CODE_KINEMATICS
                         : r.joint_loads ? MC_CODE_JOINT_LOADS
                         : r.matrices    ? MC_CODE_MATRICES
                                         : MC_CODE_FORWARD;
    mc_multibody *m = r.matrices ? mc_multibody_load(r.model.file, &r.model.options, &error)
                                 : model_open(&r.model, &error);
    if (!m)
        return cli_fail(program, &error);
    mc_status status = MC_OK;
    if (r.output)
        status = mc_multibody_write_code(m, language, code, r.output, &error);
    if (status == MC_OK && r.matrices)
        status = show_matrices(&r, m, &error);
    else if (status == MC_OK && r.svg)
        status = write_pictures(&r, m, &error);
    if (status == MC_OK && r.report)
        print_report(m);
    mc_multibody_free(m);
    return status == MC_OK ? 0 : cli_fail(program, &error);
}
