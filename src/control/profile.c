// profile.c - speed profiles.
#include "control/profile.h"

#include "expr/differentiate.h"
#include "expr/parse.h"
#include "num/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const profile_names[PROFILE_KIND_COUNT] = {
    "light", "moderate", "heavy", "local", "local_as_printed", "table", "formula"};

struct profile_run {
    profile p;
    expr_graph *graph;
    expr_program *program;
    expr_kernel *kernel;
    double *work;  // of the kernel; behind it what it prepared
    int work_size; // doubles
    // Answers of a formula for moments to come: see profile_speed_ahead.
    _Alignas(32) double known_t[PROFILE_AHEAD], known[2 * PROFILE_AHEAD];
    int known_count, at; // at: the last one asked for
};

typedef struct time_scope {
    expr_id t;
} time_scope;

static bool resolve(void *context, const char *name, expr_value *out)
{
    if (strcmp(name, "t") != 0)
        return false;
    int bad;
    double factor;
    *out = (expr_value){.v = {((time_scope *)context)->t}, .size = 1};
    return expr_unit_read("s", 1, &out->unit, &factor, &bad);
}

static const char *name_at(void *context, int i)
{
    (void)context;
    return i == 0 ? "t" : NULL;
}

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a speed profile");
}

// Speed and its rate as a program of t.
static mc_status prepare_formula(profile_run *r, const char *file, mc_error *error)
{
    r->graph = expr_graph_create();
    if (!r->graph)
        return no_memory(error);
    time_scope scope = {expr_input(r->graph, "t", EXPR_VARIABLE)};
    const expr_scope names = {r->graph, &scope, resolve, name_at};
    const expr_source source = {r->p.formula, file, r->p.line, r->p.column};
    expr_unit speed;
    double factor;
    int bad;
    expr_unit_read("m/s", 3, &speed, &factor, &bad);
    expr_value value = {0};
    mc_status status = expr_parse(&names, &source, 1, speed, &value, error);
    expr_id outputs[2] = {value.v[0], EXPR_ZERO};
    if (status == MC_OK)
        status = expr_jacobian(r->graph, outputs, 1, (const int[]){0}, 1, &outputs[1], error);
    if (status != MC_OK)
        return status;
    r->program = expr_program_build(r->graph, outputs, NULL, 2, error);
    r->kernel = r->program ? expr_kernel_create(r->program, EXPR_INTERPRET, error) : NULL;
    if (!r->kernel)
        return error->code;
    r->work_size = (expr_kernel_work(r->kernel) + 3) / 4 * 4;
    const size_t count = (size_t)(r->work_size + r->program->kept_count + 4);
    r->work = aligned_alloc(32, (count * sizeof(double) + 31) / 32 * 32);
    if (!r->work)
        return no_memory(error);
    expr_kernel_prepare(r->kernel, NULL, r->work + r->work_size, r->work);
    return MC_OK;
}

profile_run *profile_prepare(const profile *p, const char *file, mc_error *error)
{
    profile_run *r = aligned_alloc(_Alignof(profile_run), sizeof *r);
    if (!r) {
        no_memory(error);
        return NULL;
    }
    *r = (profile_run){.p = *p};
    if (p->kind == PROFILE_FORMULA && prepare_formula(r, file, error) != MC_OK) {
        profile_destroy(r);
        return NULL;
    }
    return r;
}

void profile_destroy(profile_run *r)
{
    if (!r)
        return;
    expr_kernel_destroy(r->kernel);
    expr_program_destroy(r->program);
    expr_graph_destroy(r->graph);
    free(r->work);
    free(r);
}

// mean - swing cos(2 pi t / 40 s)
static double wave(double mean, double swing, double t, double *rate)
{
    const double omega = 6.283185307179586 / 40.0;
    *rate = swing * omega * sin(omega * t);
    return mean - swing * cos(omega * t);
}

// One cycle of 45 s: up at 1 m/s^2 for 18 s, steady for 10 s, down to rest in 7 s, 10 s of rest. As
// printed the way down has 2.5 m/s^2 and ends with a jump of 0.5 m/s.
static double local(double t, double slope, double *rate)
{
    const double cycle = t - 45.0 * floor(t / 45.0);
    *rate = cycle < 18.0 ? 1.0 : cycle < 28.0 || cycle >= 35.0 ? 0.0 : -slope;
    if (cycle < 18.0)
        return cycle;
    if (cycle < 28.0)
        return 18.0;
    return cycle < 35.0 ? 18.0 - slope * (cycle - 28.0) : 0.0;
}

static double from_table(const profile *p, double t, double *rate)
{
    if (p->period > 0.0)
        t -= p->period * floor(t / p->period);
    const table points = {.x = p->t, .y = p->v, .count = p->count, .outside = TABLE_CLAMP};
    return table_value(&points, t, rate, NULL);
}

double profile_speed(const profile_run *r, double t, double *rate)
{
    double unused;
    rate = rate ? rate : &unused;
    switch (r->p.kind) {
    case PROFILE_MODERATE:
        return wave(18.6, 5.2, t, rate);
    case PROFILE_HEAVY:
        return wave(8.95, 4.45, t, rate);
    case PROFILE_LOCAL:
        return local(t, 18.0 / 7.0, rate);
    case PROFILE_LOCAL_AS_PRINTED:
        return local(t, 2.5, rate);
    case PROFILE_TABLE:
        return from_table(&r->p, t, rate);
    case PROFILE_FORMULA: {
        double out[2];
        expr_kernel_run(r->kernel, &t, r->work + r->work_size, out, r->work);
        *rate = out[1];
        return out[0];
    }
    default:
        *rate = 0.0;
        return 29.0; // light traffic
    }
}

// A formula takes as long for four moments as for one: an instruction fills four lanes.
static void learn(profile_run *r, double first, double step, double steps)
{
    double y[2 * PROFILE_AHEAD] __attribute__((aligned(32)));
    enum { LANE_COUNT = 4 };
    for (int k = 0; k < PROFILE_AHEAD; k++)
        r->known_t[k] = first + (steps + k) * step;
    expr_kernel_run_lanes(r->kernel, PROFILE_AHEAD / LANE_COUNT, r->known_t, r->work + r->work_size,
                          y, r->work);
    for (int k = 0; k < PROFILE_AHEAD; k++) {
        const double *block = y + k / LANE_COUNT * 2 * LANE_COUNT;
        r->known[2 * k] = block[k % LANE_COUNT];
        r->known[2 * k + 1] = block[LANE_COUNT + k % LANE_COUNT];
    }
    r->known_count = PROFILE_AHEAD;
    r->at = 0;
}

double profile_speed_ahead(profile_run *r, double first, double step, double steps, double *rate)
{
    const double t = first + steps * step;
    if (r->p.kind != PROFILE_FORMULA)
        return profile_speed(r, t, rate);
    // The same again, for another car; or the next one.
    if (r->at < r->known_count && r->known_t[r->at] != t)
        r->at++;
    if (r->at >= r->known_count || r->known_t[r->at] != t)
        learn(r, first, step, steps);
    const double *found = &r->known[2 * r->at];
    *rate = found[1];
    return found[0];
}
