// linearize_sensitivity.c - sensitivity of eigenvalues to a parameter.
//
// With left and right eigenvectors, d(lambda) = w^H dA v / (w^H v). dA is taken along the direction
// in which the parameter p moves by 1, the state by dy and the holding forces by dtau: a symbolic
// derivative of the Jacobian's graph, made in a graph of its own. At a rest the state moves so that
// it stays one: J dz = -d(rate)/dp in the free rows, dtau_h = -W_hh^-1 (d(v'_h)/dp + A_h T dz), in
// the directions that nothing determines not at all. Closed mechanisms: by differences, below.
#include "linear/linearize.h"

#include "expr/differentiate.h"
#include "expr/interpret.h"
#include "num/dense.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct changes {
    linear_place p;
    const mc_linear *at;
    mc_error *error;
    expr_graph *graph;
    int columns;    // y_count + held_count: y, tau_h
    int first_move; // input of the graph: motion of y, then of tau_h
    int entry_count;
    int *entry_at;    // row + y_count * column of each derivative that is not zero
    expr_id *outputs; // y_count: d(rate)/dp; then the entries
    expr_program *program;
    expr_machine *machine;
    double *x, *kept, *work, *result;
    double *by_p; // y_count
    double *dA;   // y_count x columns
    double *dz;   // rest_count
    double *dG;   // rest_count x held_count
} changes;

static mc_status no_memory(const changes *c)
{
    return mc_error_set(c->error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for sensitivities");
}

// ---- derivation --------------------------------------------------------------------------------

// The rates in a graph of their own, with as many inputs in the same order, and those of the
// direction behind them.
static mc_status copy_rates(changes *c, expr_id *rate)
{
    const expr_graph *from = c->p.m->system.graph;
    const int count = expr_input_count(from);
    const uint32_t nodes = expr_node_count(from);
    expr_id *inputs = arena_alloc(&c->p.memory, ((size_t)count + 1) * sizeof *inputs);
    expr_id *memo = malloc(((size_t)nodes + 1) * sizeof *memo);
    c->graph = expr_graph_create();
    if (!inputs || !memo || !c->graph) {
        free(memo);
        return no_memory(c);
    }
    for (uint32_t k = 0; k < nodes; k++)
        memo[k] = EXPR_NONE;
    for (int i = 0; i < count; i++)
        inputs[i] = expr_input(c->graph, expr_input_name(from, i), expr_input_class(from, i));
    for (int i = 0; i < c->p.y_count; i++)
        rate[i] = expr_copy(c->graph, from, c->p.m->system.rate[i], inputs, memo);
    free(memo);
    c->first_move = count;
    for (int j = 0; j < c->columns; j++)
        expr_input(c->graph, "direction", EXPR_VARIABLE);
    return expr_graph_status(c->graph, c->error);
}

// Input of the graph that column j of the Jacobian belongs to.
static int column_input(const changes *c, int j)
{
    const expr_program *any = c->p.m->code[MULTIBODY_RATE].program;
    const mb_system *s = &c->p.m->system;
    return any->variable[j < c->p.y_count ? j : mb_at_tau(s) + c->p.held[j - c->p.y_count]];
}

static mc_status differentiate(changes *c, int parameter_input, const expr_id *rate)
{
    const int y = c->p.y_count, inputs = expr_input_count(c->graph);
    expr_id *seed = arena_alloc(&c->p.memory, ((size_t)inputs + 1) * sizeof *seed); // zeros
    int *by = arena_alloc(&c->p.memory, ((size_t)c->columns + 1) * sizeof *by);
    const size_t capacity = (size_t)y * (size_t)c->columns;
    c->outputs = arena_alloc(&c->p.memory, ((size_t)y + capacity + 1) * sizeof *c->outputs);
    c->entry_at = arena_alloc(&c->p.memory, (capacity + 1) * sizeof *c->entry_at);
    if (!seed || !by || !c->outputs || !c->entry_at)
        return no_memory(c);
    seed[parameter_input] = EXPR_ONE;
    expr_direction *alone = expr_direction_create(c->graph, seed);
    for (int j = 0; j < c->columns; j++) {
        by[j] = column_input(c, j);
        seed[by[j]] = expr_input_node(c->graph, c->first_move + j);
    }
    expr_direction *all = expr_direction_create(c->graph, seed);
    mc_status status = alone && all ? MC_OK : no_memory(c);
    expr_id *J = c->outputs + y;
    if (status == MC_OK)
        status = expr_jacobian(c->graph, rate, y, by, c->columns, J, c->error);
    for (int i = 0; status == MC_OK && i < y; i++)
        c->outputs[i] = expr_along(alone, rate[i]);
    for (int i = 0; status == MC_OK && i < y; i++)
        for (int j = 0; j < c->columns; j++) {
            const expr_id change = expr_along(all, J[i * c->columns + j]);
            if (change != EXPR_ZERO) {
                c->entry_at[c->entry_count] = i + y * j;
                J[c->entry_count++] = change; // never ahead of what is read
            }
        }
    expr_direction_destroy(alone);
    expr_direction_destroy(all);
    return status == MC_OK ? expr_graph_status(c->graph, c->error) : status;
}

static mc_status make_program(changes *c, int parameter_input)
{
    expr_id *rate = arena_alloc(&c->p.memory, ((size_t)c->p.y_count + 1) * sizeof *rate);
    if (!rate)
        return no_memory(c);
    mc_status status = copy_rates(c, rate);
    if (status == MC_OK)
        status = differentiate(c, parameter_input, rate);
    if (status != MC_OK)
        return status;
    c->program =
        expr_program_build(c->graph, c->outputs, NULL, c->p.y_count + c->entry_count, c->error);
    if (!c->program)
        return c->error->code;
    c->machine = expr_machine_create(c->program, c->error);
    if (!c->machine)
        return c->error->code;
    arena *memory = &c->p.memory;
    c->x = linear_doubles(memory, (size_t)c->program->variable_count);
    c->kept = linear_doubles(memory, (size_t)c->program->kept_count);
    c->work = linear_doubles(memory, (size_t)expr_machine_work(c->machine));
    c->result = linear_doubles(memory, (size_t)c->program->output_count);
    if (!c->x || !c->kept || !c->work || !c->result)
        return no_memory(c);
    // All variables but the direction stand as in the mechanism.
    memcpy(c->x, c->p.m->x, (size_t)c->p.m->system.variable_count * sizeof *c->x);
    memcpy(c->x, c->at->y, (size_t)c->p.y_count * sizeof *c->x);
    c->x[mb_at_time(&c->p.m->system)] = c->at->t;
    memcpy(c->x + mb_at_tau(&c->p.m->system), c->p.tau, (size_t)c->p.v_count * sizeof *c->x);
    expr_machine_prepare(c->machine, c->p.m->parameter, c->kept, c->work);
    return MC_OK;
}

// ---- values ------------------------------------------------------------------------------------

static void evaluate(changes *c)
{
    expr_machine_run(c->machine, c->x, c->kept, c->result, c->work);
    memcpy(c->by_p, c->result, (size_t)c->p.y_count * sizeof *c->by_p);
    memset(c->dA, 0, (size_t)c->p.y_count * (size_t)c->columns * sizeof *c->dA);
    for (int k = 0; k < c->entry_count; k++)
        c->dA[c->entry_at[k]] = c->result[c->p.y_count + k];
}

// out (y_count) = A T e_j, e_j a free move or state.
static void times_direction(const changes *c, const double *A, int j, double *out)
{
    const linear_place *p = &c->p;
    const size_t y = (size_t)p->y_count;
    memset(out, 0, y * sizeof *out);
    if (j >= p->move_count) {
        const int column = p->q_count + p->v_count + p->free_state[j - p->move_count];
        memcpy(out, A + y * (size_t)column, y * sizeof *out);
        return;
    }
    const double *along = linear_direction(p, p->move[j]);
    for (int k = 0; k < p->q_count; k++)
        for (size_t i = 0; i < y && along[k] != 0.0; i++)
            out[i] += A[i + y * (size_t)k] * along[k];
}

// How the rest moves with the parameter: into the direction of the program.
static mc_status follow_rest(changes *c, const char *parameter)
{
    linear_place *p = &c->p;
    const int n = p->rest_count, y = p->y_count;
    const size_t square = (size_t)n * (size_t)n;
    double *J = linear_doubles(&p->memory, square), *copy = linear_doubles(&p->memory, square);
    double *r = linear_doubles(&p->memory, (size_t)n);
    double *work = linear_doubles(&p->memory, 8 * (size_t)n);
    double *change = linear_doubles(&p->memory, (size_t)y);
    if (!J || !copy || !r || !work || !change)
        return no_memory(c);
    linear_rest_jacobian(p, J);
    memcpy(copy, J, square * sizeof *J);
    linear_free_rows(p, c->by_p, r);
    for (int i = 0; i < n; i++)
        c->dz[i] = -r[i];
    int rank;
    if (!dense_least_squares(n, copy, c->dz, 1e-12, &rank, work))
        return mc_error_set(c->error, MC_FAILED, NULL, 0, 0,
                            "cannot compute how the equilibrium depends on %s", parameter);
    double left = 0.0, size = 0.0;
    for (int i = 0; i < n; i++) {
        double sum = r[i];
        for (int k = 0; k < n; k++)
            sum += J[i + n * k] * c->dz[k];
        left = fmax(left, fabs(sum));
        size = fmax(size, fabs(r[i]));
    }
    if (left > 1e-6 * size)
        return mc_error_set(c->error, MC_FAILED, NULL, 0, 0,
                            "no equilibrium when %s changes; use --at start to keep the state",
                            parameter);
    double *direction = c->x + c->p.m->system.variable_count;
    memcpy(change, c->by_p, (size_t)y * sizeof *change);
    double *column = p->column;
    for (int j = 0; j < n; j++) {
        times_direction(c, p->A, j, column);
        for (int i = 0; i < y; i++)
            change[i] += column[i] * c->dz[j];
        for (int k = 0; k < p->q_count && j < p->move_count; k++)
            direction[k] += linear_direction(p, p->move[j])[k] * c->dz[j];
        if (j >= p->move_count)
            direction[p->row[j]] += c->dz[j];
    }
    for (int j = 0; j < p->held_count; j++)
        column[j] = -change[p->q_count + p->held[j]];
    if (p->held_count > 0)
        dense_back(p->held_count, p->factors, p->pivot, column);
    memcpy(direction + y, column, (size_t)p->held_count * sizeof *column);
    return MC_OK;
}

// dG = (dW_fh - G dW_hh) W_hh^-1, row by row.
static void change_holding(changes *c)
{
    const linear_place *p = &c->p;
    const int h = p->held_count, n = p->rest_count;
    for (int i = 0; i < n && h > 0; i++) {
        for (int j = 0; j < h; j++) {
            const double *dW = c->dA + (size_t)p->y_count * (size_t)(p->y_count + j);
            p->column[j] = dW[p->row[i]];
            for (int k = 0; k < h; k++)
                p->column[j] -= p->G[i + n * k] * dW[p->q_count + p->held[k]];
        }
        dense_back(h, p->factors, p->pivot, p->column);
        for (int j = 0; j < h; j++)
            c->dG[i + n * j] = p->column[j];
    }
}

// Rows of dA of the small motions below the first position_count, which do not change. X is a
// column of the Jacobian in the directions of the small motions, dX its change.
static void put_column(const changes *c, const double *X, const double *dX, double *out)
{
    const linear_place *p = &c->p;
    linear_free_rows(p, dX, out);
    for (int i = 0; i < p->rest_count; i++)
        for (int j = 0; j < p->held_count; j++)
            out[i] -= c->dG[i + p->rest_count * j] * X[p->q_count + p->held[j]];
}

static mc_status change_of_A(changes *c, double *out)
{
    const linear_place *p = &c->p;
    const int n = c->at->count, f = p->move_count;
    const size_t y = (size_t)p->y_count;
    double *X = linear_doubles(&c->p.memory, y), *dX = linear_doubles(&c->p.memory, y);
    if (!X || !dX)
        return no_memory(c);
    for (int j = 0; j < p->rest_count; j++) {
        times_direction(c, p->A, j, X);
        times_direction(c, c->dA, j, dX);
        if (j < f) { // + A dN
            const double *turned = c->dA + y * (size_t)(p->q_count + p->move[j]);
            for (int k = 0; k < p->q_count; k++)
                for (size_t i = 0; i < y && turned[k] != 0.0; i++)
                    dX[i] += p->A[i + y * (size_t)k] * turned[k];
        }
        put_column(c, X, dX, out + f + (size_t)n * (size_t)(j < f ? j : f + j));
    }
    for (int j = 0; j < f; j++) {
        const size_t column = y * (size_t)(p->q_count + p->move[j]);
        put_column(c, p->A + column, c->dA + column, out + f + (size_t)n * (size_t)(f + j));
    }
    return MC_OK;
}

// d(lambda) = w^H dA v / (w^H v)
static double complex change_of_mode(const mc_linear *at, int k, const double *dA)
{
    const size_t n = (size_t)at->count, column = n * (size_t)k;
    double complex above = 0.0, below = 0.0;
    double size = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double complex w = at->left_real[column + i] - at->left_imaginary[column + i] * I;
        const double complex v = at->shape_real[column + i] + at->shape_imaginary[column + i] * I;
        double complex sum = 0.0;
        for (size_t j = 0; j < n; j++)
            sum +=
                dA[i + n * j] * (at->shape_real[column + j] + at->shape_imaginary[column + j] * I);
        above += w * sum;
        below += w * v;
        size += cabs(w) * cabs(v);
    }
    if (at->modes[k].rigid || cabs(below) < 1e-9 * size)
        return (double)NAN + (double)NAN * I;
    return above / below;
}

// ---- entry -------------------------------------------------------------------------------------

static mc_status find_parameter(changes *c, const char *name, int *input)
{
    const mc_multibody *m = c->p.m;
    mc_quantity quantity;
    int i;
    const mc_status status = mc_multibody_find(m, name, &quantity, &i, c->error);
    if (status != MC_OK)
        return status;
    if (quantity == MC_QUANTITY_PARAMETER)
        *input = m->model.parameters[i].input;
    else if (quantity == MC_QUANTITY_INPUT)
        *input = m->code[MULTIBODY_RATE].program->variable[mb_at_input(&m->system) + i];
    else
        return mc_error_set(c->error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s is computed; sensitivities are by parameters and inputs", name);
    return MC_OK;
}

// ---- closed mechanisms -------------------------------------------------------------------------

// A at a value of the parameter, in the moves of `at`.
static mc_status matrix_at(changes *c, const char *parameter, double value, bool at_equilibrium,
                           double *A)
{
    mc_multibody *m = c->p.m;
    const mc_linear *at = c->at;
    double y[c->p.y_count + 1];
    memcpy(y, at->y, (size_t)c->p.y_count * sizeof *y);
    mc_status status = mc_multibody_set(m, parameter, value, c->error);
    if (status == MC_OK && at_equilibrium) {
        const mc_equilibrium_options rest = {
            .t = at->t, .hold = at->held, .hold_count = at->held_count, .tolerance = 1e-8};
        status = mc_multibody_equilibrium(m, y, &rest, NULL, c->error);
    } else if (status == MC_OK) { // the moves stay, the others follow
        const char *names[c->p.v_count + 1];
        for (int j = 0; j < at->position_count; j++)
            names[j] = at->name[at->position_count + j];
        for (int j = 0; j < at->held_count; j++)
            names[at->position_count + j] = at->held[j];
        linear_place p;
        status = linear_open(&p, m, names, at->position_count + at->held_count, c->error);
        if (status == MC_OK && p.rows && !linear_rows_close(&p, at->t, y))
            status = mc_error_set(c->error, MC_FAILED, NULL, 0, 0,
                                  "the loops do not close when %s changes", parameter);
        linear_close(&p);
    }
    mc_linear moved = {0};
    const mc_linear_options same = {.hold = at->held,
                                    .hold_count = at->held_count,
                                    .moves = at->name + at->position_count,
                                    .move_count = at->position_count};
    if (status == MC_OK)
        status = mc_multibody_linearize(m, at->t, y, &same, &moved, c->error);
    if (status == MC_OK)
        memcpy(A, moved.A, (size_t)at->count * (size_t)at->count * sizeof *A);
    mc_linear_free(&moved);
    return status;
}

// The way a closed state follows a parameter is found by solving for it, and loads of wheels have
// no symbols: dA by differences of fourth order.
static mc_status compute_closed(changes *c, const char *parameter, bool at_equilibrium,
                                double *real, double *imaginary)
{
    static const double weight[4] = {1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0};
    const size_t square = (size_t)c->at->count * (size_t)c->at->count;
    double *A = linear_doubles(&c->p.memory, square), *dA = linear_doubles(&c->p.memory, square);
    double value = 0.0;
    int input = 0;
    mc_status status = find_parameter(c, parameter, &input);
    if (status == MC_OK)
        status = mc_multibody_get(c->p.m, parameter, &value, c->error);
    if (status == MC_OK && (!A || !dA))
        status = no_memory(c);
    if (status != MC_OK)
        return status;
    mb_model *model = &c->p.m->model;
    mb_parameter *row = NULL;
    for (int i = 0; i < model->parameter_count; i++)
        row = model->parameters[i].input == input ? &model->parameters[i] : row;
    const double h = 1e-3 * (value != 0.0 ? fabs(value) : 1.0);
    const double min = row ? row->min : 0.0, max = row ? row->max : 0.0;
    if (row)
        row->min = row->max = 0.0; // a step may leave the range
    for (int k = 0; k < 4 && status == MC_OK; k++) {
        status = matrix_at(c, parameter, value + (k < 2 ? k - 2 : k - 1) * h, at_equilibrium, A);
        for (size_t i = 0; i < square && status == MC_OK; i++)
            dA[i] += weight[k] / h * A[i];
    }
    mc_multibody_set(c->p.m, parameter, value, NULL);
    if (row)
        row->min = min, row->max = max;
    for (int k = 0; status == MC_OK && k < c->at->count; k++) {
        const double complex change = change_of_mode(c->at, k, dA);
        real[k] = creal(change);
        imaginary[k] = cimag(change);
    }
    return status;
}

static mc_status compute(changes *c, const char *parameter, bool at_equilibrium, double *real,
                         double *imaginary)
{
    const linear_place *p = &c->p;
    const size_t y = (size_t)p->y_count, n = (size_t)c->at->count;
    int input = 0;
    mc_status status = find_parameter(c, parameter, &input);
    if (status == MC_OK)
        status = linear_evaluate(&c->p, c->at->t, c->at->y, c->error);
    c->columns = p->y_count + p->held_count;
    c->by_p = linear_doubles(&c->p.memory, y);
    c->dA = linear_doubles(&c->p.memory, y * (size_t)c->columns);
    c->dz = linear_doubles(&c->p.memory, (size_t)p->rest_count);
    c->dG = linear_doubles(&c->p.memory, (size_t)p->rest_count * (size_t)p->held_count);
    double *dA = linear_doubles(&c->p.memory, n * n);
    if (status == MC_OK && (!c->by_p || !c->dA || !c->dz || !c->dG || !dA))
        status = no_memory(c);
    if (status == MC_OK)
        status = make_program(c, input);
    if (status != MC_OK)
        return status;
    evaluate(c);
    if (at_equilibrium) {
        status = follow_rest(c, parameter);
    } else if (p->held_count > 0) { // the state stays, the forces that hold it do not
        double *column = c->x + p->m->system.variable_count + y;
        for (int j = 0; j < p->held_count; j++)
            column[j] = -c->by_p[p->q_count + p->held[j]];
        dense_back(p->held_count, p->factors, p->pivot, column);
    }
    if (status != MC_OK)
        return status;
    evaluate(c);
    change_holding(c);
    status = change_of_A(c, dA);
    for (int k = 0; status == MC_OK && k < c->at->count; k++) {
        const double complex change = change_of_mode(c->at, k, dA);
        real[k] = creal(change);
        imaginary[k] = cimag(change);
    }
    return status;
}

mc_status mc_multibody_sensitivity(mc_multibody *m, const mc_linear *at, const char *parameter,
                                   bool at_equilibrium, double *real, double *imaginary,
                                   mc_error *error)
{
    mc_error own;
    changes c = {.at = at, .error = error ? error : &own};
    mc_status status = linear_open(&c.p, m, at->held, at->held_count, c.error);
    if (status == MC_OK)
        status = linear_start(&c.p, false, at->t, at->y, c.error);
    if (status == MC_OK && (c.p.rows || c.p.wheels))
        status = compute_closed(&c, parameter, at_equilibrium, real, imaginary);
    else if (status == MC_OK)
        status = compute(&c, parameter, at_equilibrium, real, imaginary);
    expr_machine_destroy(c.machine);
    expr_program_destroy(c.program);
    expr_graph_destroy(c.graph);
    linear_close(&c.p);
    return status;
}
