// assembly.c - loops closed on numbers.
#include "equations/assembly.h"

#include "num/dense.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS_MAX = 100, HALVED_MAX = 12, NEARER_MAX = 20, POSITIONS = 4 };

// Coordinates without a start value count this much when distances are weighed.
static const double light = 0.1;
static const double step_max = 0.4;       // rad or m, of one iteration
static const double rank_relative = 1e-8; // of a row's own length
static const double open_max = 1e-9;      // m or rad: closed

struct mb_assembly {
    const mb_system *s;
    const mb_rows *rows;
    expr_program *program;
    expr_machine *machine;
    double *kept, *work, *out;
    double *room; // v_count: how easily a coordinate moves, 1/weight; 0: not at all
    double *hold; // v_count: the same for velocities
    double *A;    // m x n by rows, dense
    double *e, *gap, *rate;
    double *square, *right, *scratch; // of the least squares
    int size;
    double *parameter; // as prepared
    double *usual;     // variables at a position like any other; NULL: not known
};

// ---- values ----------------------------------------------------------------------------------

// Outputs: e, gap, rate of each row; A's entries row by row; q' of each coordinate.
static mc_status build(mb_assembly *a, mc_error *error)
{
    const mb_system *s = a->s;
    const mb_rows *rows = a->rows;
    int count = 3 * rows->count + s->q_count;
    for (int r = 0; r < rows->count; r++)
        count += rows->row[r].count;
    expr_id *outputs = calloc((size_t)count + 1, sizeof *outputs);
    if (!outputs)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the loops");
    int n = 0;
    for (int r = 0; r < rows->count; r++) {
        const mb_row *row = &rows->row[r];
        outputs[n++] = row->e == EXPR_NONE ? EXPR_ZERO : row->e;
        outputs[n++] = row->e == EXPR_NONE ? EXPR_ZERO : row->gap;
        outputs[n++] = row->rate;
        for (int k = 0; k < row->count; k++)
            outputs[n++] = row->by[k];
    }
    memcpy(outputs + n, s->rate, (size_t)s->q_count * sizeof *outputs);
    a->program = expr_program_build(s->graph, outputs, NULL, count, error);
    free(outputs);
    a->machine = a->program ? expr_machine_create(a->program, error) : NULL;
    if (!a->machine)
        return error->code;
    a->parameter = calloc((size_t)a->program->parameter_count + 1, sizeof *a->parameter);
    a->kept = calloc((size_t)a->program->kept_count + 8, sizeof *a->kept);
    a->out = calloc((size_t)count + 8, sizeof *a->out);
    a->work = aligned_alloc(64, ((size_t)expr_machine_work(a->machine) / 8 + 2) * 64);
    return a->parameter && a->kept && a->out && a->work
               ? MC_OK
               : mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the loops");
}

static void evaluate(mb_assembly *a, const double *x)
{
    const mb_rows *rows = a->rows;
    const int n = a->s->v_count;
    expr_machine_run(a->machine, x, a->kept, a->out, a->work);
    memset(a->A, 0, (size_t)(rows->count * n) * sizeof *a->A);
    const double *at = a->out;
    for (int r = 0; r < rows->count; r++) {
        const mb_row *row = &rows->row[r];
        a->e[r] = *at++;
        a->gap[r] = *at++;
        a->rate[r] = *at++;
        for (int k = 0; k < row->count; k++)
            a->A[r * n + row->velocity[k]] = *at++;
    }
}

const double *mb_assembly_matrix(mb_assembly *a, const double *x)
{
    evaluate(a, x);
    return a->A;
}

void mb_assembly_rates(mb_assembly *a, double *x, const double *p, double *rate)
{
    const mb_system *s = a->s;
    double v[s->v_count + 1];
    memcpy(v, x + s->q_count, (size_t)s->v_count * sizeof *v);
    memcpy(x + s->q_count, p, (size_t)s->v_count * sizeof *p);
    expr_machine_run(a->machine, x, a->kept, a->out, a->work);
    memcpy(x + s->q_count, v, (size_t)s->v_count * sizeof *v);
    memcpy(rate, a->out + a->program->output_count - s->q_count, (size_t)s->q_count * sizeof *rate);
}

void mb_assembly_move(mb_assembly *a, double *x, const double *p)
{
    const mb_system *s = a->s;
    double rate[s->q_count + 1];
    mb_assembly_rates(a, x, p, rate);
    for (int i = 0; i < s->q_count; i++)
        x[i] += rate[i];
    for (int b = 0; b < s->model->body_count; b++) {
        const mb_body *body = &s->model->bodies[b];
        const bool base = body->joint == MB_FREE && !body->euler;
        double *q = x + s->links.body_q[b] + (base ? 3 : 0), sum = 0.0;
        for (int k = 0; (base || body->joint == MB_BALL) && k < 4; k++)
            sum += q[k] * q[k];
        for (int k = 0; k < 4 && sum > 0.0; k++)
            q[k] /= sqrt(sum);
    }
}

double mb_assembly_gap(mb_assembly *a, const double *x, int *at)
{
    return mb_assembly_gap_of(a, x, NULL, at);
}

double mb_assembly_gap_of(mb_assembly *a, const double *x, const char *owner, int *at)
{
    double largest = 0.0;
    evaluate(a, x);
    for (int r = 0; r < a->rows->count; r++)
        if ((!owner || strcmp(a->rows->row[r].owner, owner) == 0) &&
            !(fabs(a->gap[r]) <= largest)) {
            largest = fabs(a->gap[r]);
            if (at)
                *at = r;
        }
    return largest;
}

// ---- nearest ---------------------------------------------------------------------------------

static double length_of(const mb_assembly *a, int r)
{
    const int n = a->s->v_count;
    double sum = 0.0;
    for (int k = 0; k < n; k++)
        sum += a->A[r * n + k] * a->A[r * n + k];
    return sqrt(sum);
}

// A row shorter than this has no entries but rounding: that of a direction in a planar loop, where
// the axis is not along a coordinate.
static double shortest(const mb_assembly *a)
{
    double longest = 0.0;
    for (int r = 0; r < a->rows->count; r++)
        longest = fmax(longest, length_of(a, r));
    return 1e-13 * longest;
}

// The x of least weighed length with A (x + from) = right: x = W (A W)^+ (right - A from).
// False: LAPACK failed.
static bool nearest(mb_assembly *a, const double *room, const double *right, const double *from,
                    bool positions, double *x)
{
    const int n = a->s->v_count, m = a->rows->count, size = a->size;
    memset(a->square, 0, (size_t)size * (size_t)size * sizeof *a->square);
    memset(a->right, 0, (size_t)size * sizeof *a->right);
    const double least = shortest(a);
    for (int r = 0; r < m; r++) {
        if (positions && a->rows->row[r].e == EXPR_NONE)
            continue;
        double b = right[r], length = 0.0;
        for (int k = 0; k < n; k++) {
            const double entry = a->A[r * n + k];
            length += entry * entry * room[k] * room[k];
            b -= from ? entry * from[k] : 0.0;
        }
        length = sqrt(length);
        if (!(length > 0.0) || length_of(a, r) <= least)
            continue;
        for (int k = 0; k < n; k++)
            a->square[k * size + r] = a->A[r * n + k] * room[k] / length;
        a->right[r] = b / length;
    }
    int rank;
    if (!dense_least_squares(size, a->square, a->right, 1e-10, &rank, a->scratch))
        return false;
    for (int k = 0; k < n; k++)
        x[k] = room[k] * a->right[k];
    return true;
}

static mc_status cannot_close(const mb_assembly *a, int row, double gap, mc_error *error)
{
    const mb_row *r = &a->rows->row[row];
    return mc_error_set(
        error, MC_BAD_INPUT, a->s->model->file, r->line, 0,
        "%s %s cannot close: it stays open by %.3g %s at the nearest position found",
        r->closing >= 0 ? "joint" : "constraint", r->owner, gap,
        r->length         ? "m"
        : r->closing >= 0 ? "rad"
                          : "(its own unit)");
}

// Newton on the constraints: each step the smallest that closes them to first order. Steps that are
// long are cut; one that opens more than it closes is halved.
static bool close_gaps(mb_assembly *a, double *x, double *gone)
{
    const int n = a->s->v_count, m = a->rows->count;
    double step[n + 1], minus[m + 1], kept[a->s->q_count + 1];
    double gap = mb_assembly_gap(a, x, NULL);
    int halved = 0;
    for (int i = 0; i < ITERATIONS_MAX && isfinite(gap); i++) {
        for (int r = 0; r < m; r++)
            minus[r] = -a->e[r];
        if (!nearest(a, a->room, minus, NULL, true, step))
            return false;
        double largest = 0.0;
        for (int k = 0; k < n; k++)
            largest = fmax(largest, fabs(step[k]));
        if (gap < 1e-13 || largest < 1e-15)
            return true;
        double scale = largest > step_max ? step_max / largest : 1.0;
        memcpy(kept, x, (size_t)a->s->q_count * sizeof *kept);
        double now = INFINITY;
        for (halved = 0; halved < HALVED_MAX && !(now < gap); halved++, scale *= 0.5) {
            double part[n + 1];
            memcpy(x, kept, (size_t)a->s->q_count * sizeof *kept);
            for (int k = 0; k < n; k++)
                part[k] = scale * step[k];
            mb_assembly_move(a, x, part);
            now = mb_assembly_gap(a, x, NULL);
        }
        if (!(now < gap)) { // as near as it gets
            memcpy(x, kept, (size_t)a->s->q_count * sizeof *kept);
            mb_assembly_gap(a, x, NULL);
            return true;
        }
        for (int k = 0; k < n; k++)
            gone[k] += 2.0 * scale * step[k];
        gap = now;
    }
    return isfinite(gap);
}

static double weighed(const mb_assembly *a, const double *p)
{
    double sum = 0.0;
    for (int k = 0; k < a->s->v_count; k++)
        sum += a->room[k] > 0.0 ? p[k] * p[k] / (a->room[k] * a->room[k]) : 0.0;
    return sum;
}

// Closes the gaps, then goes back towards the start as far as the constraints allow: steps along
// them, closed again, as long as the distance falls.
static bool close_positions(mb_assembly *a, double *x)
{
    const int n = a->s->v_count, m = a->rows->count, q = a->s->q_count;
    double gone[n + 1], trial[n + 1], back[n + 1], step[n + 1], zero[m + 1], kept[q + 1];
    memset(gone, 0, sizeof gone);
    memset(zero, 0, sizeof zero);
    if (!close_gaps(a, x, gone))
        return false;
    for (int i = 0; i < NEARER_MAX; i++) {
        if (mb_assembly_gap(a, x, NULL) > open_max)
            return true; // cannot close; said elsewhere
        for (int k = 0; k < n; k++)
            back[k] = a->room[k] > 0.0 ? -gone[k] : 0.0;
        if (!nearest(a, a->room, zero, back, true, step))
            return false;
        memcpy(kept, x, (size_t)q * sizeof *kept);
        memcpy(trial, gone, sizeof trial);
        for (int k = 0; k < n; k++) {
            step[k] += back[k];
            trial[k] += step[k];
        }
        mb_assembly_move(a, x, step);
        if (!close_gaps(a, x, trial) || !(weighed(a, trial) < 0.999 * weighed(a, gone)) ||
            mb_assembly_gap(a, x, NULL) > open_max) {
            memcpy(x, kept, (size_t)q * sizeof *kept);
            return true;
        }
        memcpy(gone, trial, sizeof gone);
    }
    return true;
}

static bool close_velocities(mb_assembly *a, double *x)
{
    const int n = a->s->v_count, m = a->rows->count;
    double step[n + 1], minus[m + 1];
    for (int i = 0; i < 2; i++) {
        evaluate(a, x);
        for (int r = 0; r < m; r++)
            minus[r] = -a->rate[r];
        if (!nearest(a, a->hold, minus, NULL, false, step))
            return false;
        for (int k = 0; k < n; k++)
            x[a->s->q_count + k] += step[k];
    }
    return true;
}

mc_status mb_assembly_close(mb_assembly *a, double *x, mc_error *error)
{
    int worst = 0;
    const bool done = close_positions(a, x);
    const double gap = mb_assembly_gap(a, x, &worst);
    if (!done || !(gap <= open_max))
        return cannot_close(a, worst, gap, error);
    double largest = 0.0;
    bool good = close_velocities(a, x);
    evaluate(a, x);
    for (int r = 0; r < a->rows->count; r++)
        if (!(fabs(a->rate[r]) <= largest)) {
            largest = fabs(a->rate[r]);
            worst = r;
        }
    good = good && largest <= 1e-7;
    const mb_row *row = &a->rows->row[worst];
    return good ? MC_OK
                : mc_error_set(error, MC_BAD_INPUT, a->s->model->file, row->line, 0,
                               "%s %s cannot have the velocities asked for: %.3g per s is left",
                               row->closing >= 0 ? "joint" : "constraint", row->owner, largest);
}

bool mb_assembly_close_near(mb_assembly *a, double *x)
{
    double gone[a->s->v_count + 1];
    memset(gone, 0, sizeof gone);
    return close_gaps(a, x, gone) && mb_assembly_gap(a, x, NULL) <= open_max &&
           close_velocities(a, x);
}

// ---- rank ------------------------------------------------------------------------------------

// Takes row `best` out of all rows not taken yet (Gram-Schmidt, twice against rounding).
static void take_out(const mb_assembly *a, int best, const bool *taken)
{
    const int n = a->s->v_count;
    const double *q = &a->A[best * n];
    double norm = 0.0;
    for (int k = 0; k < n; k++)
        norm += q[k] * q[k];
    for (int r = 0; r < a->rows->count; r++)
        for (int twice = 0; twice < 2 && !taken[r] && norm > 0.0; twice++) {
            double dot = 0.0;
            for (int k = 0; k < n; k++)
                dot += a->A[r * n + k] * q[k];
            for (int k = 0; k < n; k++)
                a->A[r * n + k] -= dot / norm * q[k];
        }
}

// Adds to `acts` the rows that do not depend on those that act already, the most independent first.
static void add_independent(mb_assembly *a, const double *x, bool *acts)
{
    const int n = a->s->v_count, m = a->rows->count;
    double length[m + 1];
    bool taken[m + 1];
    evaluate(a, x);
    const double least = shortest(a);
    for (int r = 0; r < m; r++) {
        const double own = length_of(a, r);
        length[r] = own > least ? own * own : 0.0;
        taken[r] = false;
    }
    for (int r = 0; r < m; r++)
        if (acts[r]) {
            taken[r] = true;
            take_out(a, r, taken);
        }
    for (int best = 0; best >= 0;) {
        double most = rank_relative * rank_relative;
        best = -1;
        for (int r = 0; r < m; r++) {
            double left = 0.0;
            for (int k = 0; k < n; k++)
                left += a->A[r * n + k] * a->A[r * n + k];
            if (!taken[r] && length[r] > 0.0 && left / length[r] > most * (1.0 + 1e-6)) {
                best = r;
                most = left / length[r];
            }
        }
        if (best >= 0) {
            acts[best] = taken[best] = true;
            take_out(a, best, taken);
        }
    }
}

// A position near x, on the constraints: a step across them, then closed. The step is the same at
// every run. False: nothing can move.
static bool wander(mb_assembly *a, const double *x, int number, double *out)
{
    const int n = a->s->v_count;
    double step[n + 1], minus[a->rows->count + 1];
    uint64_t seed = 88172645463325252u + (uint64_t)number * 2654435761u;
    memcpy(out, x, (size_t)a->s->variable_count * sizeof *out);
    for (int k = 0; k < n; k++) {
        seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
        step[k] = 0.04 * ((double)(seed >> 11) / 9007199254740992.0 - 0.5);
    }
    evaluate(a, x);
    double across[n + 1];
    memset(minus, 0, sizeof minus);
    if (!nearest(a, a->hold, minus, step, false, across))
        return false;
    for (int k = 0; k < n; k++)
        step[k] += across[k];
    mb_assembly_move(a, out, step);
    return close_positions(a, out) && mb_assembly_gap(a, out, NULL) <= open_max;
}

mc_status mb_assembly_choose(mb_assembly *a, mb_rows *rows, const double *x, mc_error *error)
{
    const int m = rows->count;
    double *other = calloc((size_t)a->s->variable_count + 1, sizeof *other);
    bool *acts = calloc((size_t)m + 1, sizeof *acts);
    rows->kept = arena_alloc(&rows->memory, ((size_t)m + 1) * sizeof *rows->kept);
    a->usual = calloc((size_t)a->s->variable_count + 8, sizeof *a->usual);
    rows->live = arena_alloc(&rows->memory, ((size_t)m + 1) * sizeof *rows->live);
    if (!other || !acts || !rows->kept || !rows->live || !a->usual) {
        free(other);
        free(acts);
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the loops");
    }
    // The first position that can be reached decides; at the others it is asked whether a row left
    // out is needed after all.
    int asked = 0;
    for (int k = 0; k < POSITIONS; k++)
        if (wander(a, x, k, other)) {
            add_independent(a, other, acts);
            if (asked++ == 0)
                memcpy(a->usual, other, (size_t)a->s->variable_count * sizeof *other);
        }
    if (asked == 0) {
        add_independent(a, x, acts);
        memcpy(a->usual, x, (size_t)a->s->variable_count * sizeof *x);
    }
    rows->kept_count = 0;
    for (int r = 0; r < m; r++) {
        if (acts[r])
            rows->kept[rows->kept_count++] = r;
        if (rows->row[r].count > 0)
            rows->live[rows->live_count++] = r;
    }
    rows->sharing = rows->live_count > rows->kept_count;
    free(other);
    free(acts);
    return MC_OK;
}

// ---- lifetime --------------------------------------------------------------------------------

static void weigh(mb_assembly *a)
{
    const mb_system *s = a->s;
    for (int b = 0; b < s->model->body_count; b++) {
        const mb_body *body = &s->model->bodies[b];
        for (int k = 0; k < mb_velocity_count(body); k++) {
            const int at = s->links.body_v[b] + k;
            a->room[at] = body->keep[k] ? 0.0 : body->given[k] ? 1.0 : 1.0 / light;
            a->hold[at] = body->keep_rate[k] ? 0.0 : 1.0;
        }
    }
}

void mb_assembly_release(mb_assembly *a)
{
    for (int k = 0; k < a->s->v_count; k++)
        a->room[k] = a->hold[k] = 1.0;
}

mb_assembly *mb_assembly_create(const mb_system *s, const mb_rows *rows, mc_error *error)
{
    mb_assembly *a = calloc(1, sizeof *a);
    if (!a) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the loops");
        return NULL;
    }
    const size_t n = (size_t)s->v_count, m = (size_t)rows->count;
    a->s = s;
    a->rows = rows;
    a->size = (int)(n > m ? n : m);
    const size_t size = (size_t)a->size;
    a->room = calloc(n + 1, sizeof *a->room);
    a->hold = calloc(n + 1, sizeof *a->hold);
    a->A = calloc(m * n + 1, sizeof *a->A);
    a->e = calloc(3 * m + 1, sizeof *a->e);
    a->square = calloc(size * size + 1, sizeof *a->square);
    a->right = calloc(size + 1, sizeof *a->right);
    a->scratch = calloc(8 * size + 1, sizeof *a->scratch);
    mc_status status = MC_OK;
    if (!a->room || !a->hold || !a->A || !a->e || !a->square || !a->right || !a->scratch)
        status = mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the loops");
    a->gap = a->e + m;
    a->rate = a->gap + m;
    if (status == MC_OK)
        status = build(a, error);
    if (status != MC_OK) {
        mb_assembly_destroy(a);
        return NULL;
    }
    weigh(a);
    return a;
}

void mb_assembly_prepare(mb_assembly *a, const double *parameter)
{
    memcpy(a->parameter, parameter, (size_t)a->program->parameter_count * sizeof *parameter);
    expr_machine_prepare(a->machine, parameter, a->kept, a->work);
}

void mb_assembly_destroy(mb_assembly *a)
{
    if (!a)
        return;
    expr_machine_destroy(a->machine);
    expr_program_destroy(a->program);
    free(a->parameter);
    free(a->usual);
    free(a->kept);
    free(a->work);
    free(a->out);
    free(a->room);
    free(a->hold);
    free(a->A);
    free(a->e);
    free(a->square);
    free(a->right);
    free(a->scratch);
    free(a);
}

mc_status mb_assembly_values(mb_assembly *a, const expr_id *node, int count, double *value,
                             mc_error *error)
{
    expr_program *p = expr_program_build(a->s->graph, node, NULL, count, error);
    expr_machine *machine = p ? expr_machine_create(p, error) : NULL;
    double *kept = p ? calloc((size_t)p->kept_count + 8, sizeof *kept) : NULL;
    double *work =
        machine ? aligned_alloc(64, ((size_t)expr_machine_work(machine) / 8 + 2) * 64) : NULL;
    mc_status status = MC_OK;
    if (kept && work) {
        expr_machine_prepare(machine, a->parameter, kept, work);
        expr_machine_run(machine, a->usual, kept, value, work);
    } else {
        status = mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the loops");
    }
    free(kept);
    free(work);
    expr_machine_destroy(machine);
    expr_program_destroy(p);
    return status;
}

const double *mb_assembly_usual(const mb_assembly *a)
{
    return a->usual;
}
