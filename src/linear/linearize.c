// linearize.c - small motions of a mechanism about a state: matrices, eigenvalues, shapes.
#include "linear/linearize.h"

#include "num/dense.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Singular values below this share of the largest are zeros, when zero eigenvalues are counted.
static const double zero_share = 1e-12;

typedef struct builder {
    linear_place p;
    mc_linear *out;
    arena memory; // of the result
    mc_error *error;
} builder;

static mc_status no_memory(const builder *b)
{
    return mc_error_set(b->error, MC_NO_MEMORY, NULL, 0, 0, "no memory left to linearize");
}

// ---- names -------------------------------------------------------------------------------------

static bool name_entry(builder *b, int i, const char *name, const char *unit)
{
    b->out->name[i] = arena_copy_text(&b->memory, name, strlen(name));
    b->out->unit[i] = unit;
    return b->out->name[i];
}

static mc_status name_all(builder *b)
{
    const linear_place *p = &b->p;
    mc_linear *out = b->out;
    const int inputs = p->u_count - p->v_count;
    bool good = true;
    for (int j = 0; j < p->move_count; j++) {
        char name[128], force[160];
        const char *unit;
        linear_move_name(p->m, p->move[j], name, &unit);
        good = name_entry(b, j, name, unit) && good;
        good = name_entry(b, p->move_count + j,
                          mc_multibody_name(p->m, MC_QUANTITY_VELOCITY, p->move[j]),
                          mc_multibody_unit(p->m, MC_QUANTITY_VELOCITY, p->move[j])) &&
               good;
        snprintf(force, sizeof force, "force on %s", name);
        out->input_name[inputs + j] = arena_copy_text(&b->memory, force, strlen(force));
        good = out->input_name[inputs + j] && good;
    }
    for (int j = 0; j < p->state_free; j++)
        good = name_entry(b, 2 * p->move_count + j,
                          mc_multibody_name(p->m, MC_QUANTITY_STATE, p->free_state[j]), "") &&
               good;
    for (int j = 0; j < inputs; j++) {
        const char *name = mc_multibody_name(p->m, MC_QUANTITY_INPUT, j);
        out->input_name[j] = arena_copy_text(&b->memory, name, strlen(name));
        good = out->input_name[j] && good;
    }
    return good ? MC_OK : no_memory(b);
}

// ---- matrices ----------------------------------------------------------------------------------

// P = N^+ (d(N v)/dq N - N') for the free moves: how the directions of the coordinates turn under
// way. N' has the columns d(N e_j)/dq (N v), read from the Jacobian at v = e_j. Into rows and
// columns 0..move_count-1 of A; zero at rest.
static mc_status add_turning(builder *b, double t, const double *y)
{
    const linear_place *p = &b->p;
    const int q = p->q_count, v = p->v_count, n = b->out->count;
    const size_t rows = (size_t)p->y_count;
    arena memory = {0};
    double *at = linear_doubles(&memory, rows), *A = linear_doubles(&memory, rows * rows);
    double *square = linear_doubles(&memory, (size_t)v * (size_t)v);
    double *change = linear_doubles(&memory, (size_t)q),
           *solved = linear_doubles(&memory, (size_t)v);
    int *pivot = arena_alloc(&memory, ((size_t)v + 1) * sizeof *pivot);
    mc_status status = at && A && square && change && solved && pivot ? MC_OK : no_memory(b);
    for (int j = 0; status == MC_OK && j < v; j++)
        for (int i = 0; i < v; i++) {
            double sum = 0.0;
            for (int k = 0; k < q; k++)
                sum += linear_direction(p, i)[k] * linear_direction(p, j)[k];
            square[i + v * j] = sum;
        }
    if (status == MC_OK && !dense_factor(v, square, pivot))
        status = mc_error_set(b->error, MC_FAILED, NULL, 0, 0,
                              "the coordinates are singular here: two rotation axes coincide");
    for (int j = 0; status == MC_OK && j < p->move_count; j++) {
        memcpy(at, y, rows * sizeof *y);
        memset(at + q, 0, (size_t)v * sizeof *at);
        for (int i = 0; i < v; i++)
            at[q + i] = p->Z ? p->Z[i + v * j] : i == p->move[j];
        status = mc_multibody_jacobian(p->m, t, at, A, NULL, b->error);
        if (status != MC_OK)
            break;
        const double *along = linear_along(p, j);
        for (int i = 0; i < q; i++) {
            change[i] = 0.0;
            for (int k = 0; k < q; k++)
                change[i] += p->A[(size_t)i + rows * (size_t)k] * along[k] -
                             A[(size_t)i + rows * (size_t)k] * p->rate[k];
        }
        for (int i = 0; i < v; i++) {
            solved[i] = 0.0;
            for (int k = 0; k < q; k++)
                solved[i] += linear_direction(p, i)[k] * change[k];
        }
        dense_back(v, square, pivot, solved);
        for (int i = 0; i < p->move_count; i++)
            b->out->A[i + n * j] = solved[p->move[i]];
    }
    arena_free(&memory);
    return status;
}

// out: free rows of what a change dv of all velocities does to the rates.
static void by_velocities(linear_place *p, const double *dv, double *out)
{
    const size_t rows = (size_t)p->y_count;
    memset(p->column, 0, rows * sizeof *p->column);
    for (int k = 0; k < p->v_count; k++)
        for (size_t i = 0; i < rows && dv[k] != 0.0; i++)
            p->column[i] += p->A[i + rows * (size_t)(p->q_count + k)] * dv[k];
    linear_free_rows(p, p->column, out);
}

// Under way a move of positions turns the rows, and the dependent velocities follow: dv = Z dz' +
// Y dz.
static mc_status add_following(builder *b, double t, const double *y)
{
    linear_place *p = &b->p;
    mc_linear *out = b->out;
    const int n = out->count, f = p->move_count;
    const mb_row *row = linear_rows_velocity(p, t, y, true);
    if (row)
        return mc_error_set(b->error, MC_BAD_INPUT, p->m->model.file, row->line, 0,
                            "%s constrains a velocity: small motions are only known about a rest",
                            row->owner);
    double *Y = linear_doubles(&p->memory, (size_t)p->v_count * (size_t)f);
    double *change = linear_doubles(&p->memory, (size_t)p->rest_count);
    if (!Y || !change)
        return no_memory(b);
    const mc_status status = linear_rows_turn(p, t, y, Y, b->error);
    for (int j = 0; j < f && status == MC_OK; j++) {
        by_velocities(p, Y + (size_t)p->v_count * (size_t)j, change);
        for (int i = 0; i < p->rest_count; i++)
            out->A[f + i + n * j] += change[i];
    }
    return status;
}

static mc_status fill_matrices(builder *b, double t, const double *y)
{
    linear_place *p = &b->p;
    mc_linear *out = b->out;
    const int n = out->count, f = p->move_count, r = p->rest_count;
    const size_t rows = (size_t)p->y_count;
    double *J = linear_doubles(&p->memory, (size_t)r * (size_t)r);
    if (!J)
        return no_memory(b);
    linear_rest_jacobian(p, J);
    for (int j = 0; j < r; j++) // moves and states
        memcpy(out->A + f + (size_t)n * (size_t)(j < f ? j : f + j), J + (size_t)r * (size_t)j,
               (size_t)r * sizeof *J);
    for (int j = 0; j < f; j++) { // velocities
        double *column = out->A + (size_t)n * (size_t)(f + j);
        column[j] = 1.0;
        if (p->Z)
            by_velocities(p, p->Z + (size_t)p->v_count * (size_t)j, column + f);
        else
            linear_free_rows(p, p->A + rows * (size_t)(p->q_count + p->move[j]), column + f);
    }
    const int inputs = p->u_count - p->v_count;
    for (int j = 0; j < out->input_count; j++) {
        const int column = j < inputs ? j : inputs + p->move[j - inputs];
        linear_free_rows(p, p->B + rows * (size_t)column, out->B + f + (size_t)n * (size_t)j);
    }
    bool moves = false;
    for (int j = 0; j < p->v_count; j++)
        moves = moves || y[p->q_count + j] != 0.0;
    mc_status status = moves ? add_turning(b, t, y) : MC_OK;
    if (status == MC_OK && moves && p->rows)
        status = add_following(b, t, y);
    return status;
}

// ---- eigenvalues -------------------------------------------------------------------------------

// Number of zero eigenvalues. Zeros come in chains (a body that drifts has a place and a velocity),
// and rounding tears a chain of length k apart to circles of radius eps^(1/k), so their sizes say
// little. Instead: the null space of A is split off by an orthogonal change of basis, V' A V =
// [0 *; 0 A2], and the rest treated alike until it is regular.
static mc_status count_zeros(builder *b, int *zeros)
{
    const int n = b->out->count;
    arena memory = {0};
    const size_t square = (size_t)n * (size_t)n;
    double *A = linear_doubles(&memory, square), *copy = linear_doubles(&memory, square);
    double *V = linear_doubles(&memory, square), *value = linear_doubles(&memory, (size_t)n);
    double *work = linear_doubles(&memory, 8 * (size_t)n);
    mc_status status = A && copy && V && value && work ? MC_OK : no_memory(b);
    *zeros = 0;
    double scale = 0.0;
    if (status == MC_OK)
        memcpy(A, b->out->A, square * sizeof *A);
    for (int size = n; status == MC_OK && size > 0;) {
        memcpy(copy, A, (size_t)(size * size) * sizeof *A);
        if (!dense_singular(size, copy, value, V, work)) {
            status = mc_error_set(b->error, MC_FAILED, NULL, 0, 0,
                                  "cannot compute the singular values of A");
            break;
        }
        scale = fmax(scale, value[0]);
        int rank = 0;
        while (rank < size && value[rank] > zero_share * scale)
            rank++;
        if (rank == size)
            break;
        *zeros += size - rank;
        for (int j = 0; j < rank; j++) // copy = A V, the first `rank` columns
            for (int i = 0; i < size; i++) {
                double sum = 0.0;
                for (int k = 0; k < size; k++)
                    sum += A[i + size * k] * V[j + size * k];
                copy[i + size * j] = sum;
            }
        for (int j = 0; j < rank; j++)
            for (int i = 0; i < rank; i++) {
                double sum = 0.0;
                for (int k = 0; k < size; k++)
                    sum += V[i + size * k] * copy[k + size * j];
                A[i + rank * j] = sum;
            }
        size = rank;
    }
    arena_free(&memory);
    return status;
}

typedef struct place_in_order {
    double size;
    int first, column; // first: column of the first of the pair
} place_in_order;

// By size. A pair has one size to the bit and stays together, the one above the real axis first.
static int compare(const void *a, const void *b)
{
    const place_in_order *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return x->first != y->first ? x->first - y->first : x->column - y->column;
}

// Entry i of the vector of value k, as dense_eigen stores it.
static double complex entry(const double *vectors, const double *imaginary, int n, int k, int i)
{
    const size_t at = (size_t)i, size = (size_t)n, column = (size_t)k;
    if (imaginary[k] > 0.0)
        return vectors[at + size * column] + vectors[at + size * (column + 1)] * I;
    if (imaginary[k] < 0.0)
        return vectors[at + size * (column - 1)] - vectors[at + size * column] * I;
    return vectors[at + size * column];
}

static mc_linear_mode mode_of(double real, double imaginary, bool rigid)
{
    if (rigid)
        return (mc_linear_mode){.time_constant = INFINITY, .rigid = 1};
    const double size = hypot(real, imaginary);
    return (mc_linear_mode){.real = real,
                            .imaginary = imaginary,
                            .frequency = fabs(imaginary) / (2.0 * acos(-1.0)),
                            .damping = real != 0.0 ? -real / size : 0.0,
                            .time_constant = real != 0.0 ? -1.0 / real : INFINITY};
}

// Mode k of the result from column `from` of the eigenvectors.
static void put_mode(mc_linear *out, int k, int from, const double *imaginary, const double *left,
                     const double *right)
{
    const int n = out->count, f = out->position_count;
    double complex scale = 0.0;
    double total = 0.0;
    for (int pass = 0; pass < 2 && cabs(scale) == 0.0; pass++) // velocities only as a last resort
        for (int i = 0; i < n; i++) {
            const double complex x = entry(right, imaginary, n, from, i);
            // By a margin: of equals the first stays, whatever the rounding.
            if ((pass == 1 || i < f || i >= 2 * f) && cabs(x) > cabs(scale) * (1.0 + 1e-9))
                scale = x;
        }
    for (int i = 0; i < n; i++) {
        const size_t at = (size_t)i + (size_t)n * (size_t)k;
        const double complex x = entry(right, imaginary, n, from, i);
        const double complex w = entry(left, imaginary, n, from, i), shape = x / scale;
        out->shape_real[at] = creal(shape);
        out->shape_imaginary[at] = cimag(shape);
        out->left_real[at] = creal(w);
        out->left_imaginary[at] = cimag(w);
        out->share[at] = cabs(w) * cabs(x);
        total += out->share[at];
    }
    for (int i = 0; i < n; i++) {
        const size_t at = (size_t)i + (size_t)n * (size_t)k;
        // Of a chain of zeros left and right may have nothing in common: then by amplitude.
        out->share[at] = total > 1e-12 ? out->share[at] / total : 0.0;
    }
}

static mc_status find_modes(builder *b)
{
    mc_linear *out = b->out;
    const int n = out->count;
    const size_t square = (size_t)n * (size_t)n;
    arena memory = {0};
    double *A = linear_doubles(&memory, square), *left = linear_doubles(&memory, square);
    double *right = linear_doubles(&memory, square), *real = linear_doubles(&memory, (size_t)n);
    double *imaginary = linear_doubles(&memory, (size_t)n);
    double *work = linear_doubles(&memory, 8 * (size_t)n);
    place_in_order *order = arena_alloc(&memory, (size_t)n * sizeof *order);
    mc_status status =
        A && left && right && real && imaginary && work && order ? MC_OK : no_memory(b);
    if (status == MC_OK)
        status = count_zeros(b, &out->rigid_count);
    if (status == MC_OK) {
        memcpy(A, out->A, square * sizeof *A);
        if (!dense_eigen(n, A, real, imaginary, left, right, work))
            status = mc_error_set(b->error, MC_FAILED, NULL, 0, 0,
                                  "cannot compute the eigenvalues of A");
    }
    if (status == MC_OK) {
        for (int k = 0; k < n; k++)
            order[k] = (place_in_order){hypot(real[k], imaginary[k]), k - (imaginary[k] < 0.0), k};
        qsort(order, (size_t)n, sizeof *order, compare);
        for (int k = 0; k < n; k++) {
            const int from = order[k].column;
            out->modes[k] = mode_of(real[from], imaginary[from], k < out->rigid_count);
            put_mode(out, k, from, imaginary, left, right);
        }
    }
    arena_free(&memory);
    return status;
}

// ---- result ------------------------------------------------------------------------------------

static mc_status make_room(builder *b, double t, const double *y)
{
    const linear_place *p = &b->p;
    mc_linear *out = b->out;
    out->position_count = p->move_count;
    out->state_count = p->state_free;
    out->count = 2 * p->move_count + p->state_free;
    out->input_count = p->u_count - p->v_count + p->move_count;
    const size_t n = (size_t)out->count, u = (size_t)out->input_count;
    double **const squares[] = {&out->A,         &out->shape_real,     &out->shape_imaginary,
                                &out->left_real, &out->left_imaginary, &out->share};
    bool good = true;
    for (int k = 0; k < 6; k++)
        good = (*squares[k] = linear_doubles(&b->memory, n * n)) && good;
    out->B = linear_doubles(&b->memory, n * u);
    out->y = linear_doubles(&b->memory, (size_t)p->y_count);
    out->along = linear_doubles(&b->memory, (size_t)p->q_count * (size_t)p->move_count);
    out->modes = arena_alloc(&b->memory, (n + 1) * sizeof *out->modes);
    out->name = arena_alloc(&b->memory, (n + 1) * sizeof *out->name);
    out->unit = arena_alloc(&b->memory, (n + 1) * sizeof *out->unit);
    out->input_name = arena_alloc(&b->memory, (u + 1) * sizeof *out->input_name);
    if (!good || !out->B || !out->y || !out->along || !out->modes || !out->name || !out->unit ||
        !out->input_name)
        return no_memory(b);
    out->t = t;
    memcpy(out->y, y, (size_t)p->y_count * sizeof *y);
    return MC_OK;
}

// What is held, for later sensitivities.
static mc_status remember_held(builder *b)
{
    const linear_place *p = &b->p;
    int count = 0;
    const int states = p->state_count - p->state_free;
    const char **held =
        arena_alloc(&b->memory, ((size_t)p->held_count + (size_t)states + 1) * sizeof *held);
    if (!held)
        return no_memory(b);
    for (int j = 0; j < p->held_count; j++)
        held[count++] = mc_multibody_name(p->m, MC_QUANTITY_VELOCITY, p->held[j]);
    for (int j = 0, next = 0; j < p->state_count; j++)
        if (next < p->state_free && p->free_state[next] == j)
            next++;
        else
            held[count++] = mc_multibody_name(p->m, MC_QUANTITY_STATE, j);
    b->out->held = held;
    b->out->held_count = count;
    return MC_OK;
}

static mc_status check_closed(builder *b, double t, const double *y)
{
    const mc_multibody *m = b->p.m;
    const double gap = mc_multibody_gap(b->p.m, t, y);
    if (gap <= 1e-9)
        return MC_OK;
    return mc_error_set(b->error, MC_BAD_INPUT, m->model.file, 0, 0,
                        "the joints of %s are open by %.3g at this state: assemble it first",
                        m->model.name, gap);
}

mc_status mc_multibody_linearize(mc_multibody *m, double t, const double *y,
                                 const mc_linear_options *options, mc_linear *out, mc_error *error)
{
    mc_error own;
    builder b = {.out = out, .error = error ? error : &own};
    *out = (mc_linear){0};
    mc_status status = linear_open(&b.p, m, options ? options->hold : NULL,
                                   options ? options->hold_count : 0, b.error);
    if (status == MC_OK)
        status = remember_held(&b);
    if (status == MC_OK)
        status = check_closed(&b, t, y);
    if (status == MC_OK && options)
        status = linear_name(&b.p, options->moves, options->move_count, b.error);
    if (status == MC_OK)
        status = linear_start(&b.p, false, t, y, b.error);
    if (status == MC_OK)
        status = make_room(&b, t, y);
    if (status == MC_OK)
        status = name_all(&b);
    if (status == MC_OK) {
        mc_multibody_normalise(m, out->y);
        status = linear_evaluate(&b.p, t, out->y, b.error);
    }
    for (int j = 0; status == MC_OK && j < b.p.move_count; j++)
        memcpy(out->along + (size_t)j * (size_t)b.p.q_count, linear_along(&b.p, j),
               (size_t)b.p.q_count * sizeof *out->along);
    if (status == MC_OK)
        status = fill_matrices(&b, t, out->y);
    if (status == MC_OK)
        status = find_modes(&b);
    linear_close(&b.p);
    arena *kept = status == MC_OK ? malloc(sizeof *kept) : NULL;
    if (!kept) {
        arena_free(&b.memory);
        *out = (mc_linear){0};
        return status == MC_OK ? no_memory(&b) : status;
    }
    *kept = b.memory;
    out->memory = kept;
    return MC_OK;
}

void mc_linear_free(mc_linear *linear)
{
    if (!linear || !linear->memory)
        return;
    arena *memory = linear->memory;
    arena_free(memory);
    free(memory);
    *linear = (mc_linear){0};
}
