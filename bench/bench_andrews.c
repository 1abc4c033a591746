// bench_andrews.c - Andrews' squeezing mechanism for 0.03 s to 1e-8 rad: our integrator with
// projection against IDA on the same equations.
//
// IDA gets y' = f(y) with accelerations from the same compiled code (index 1, no projection). Each
// side runs with the loosest tolerance that reaches 1e-8 rad at the end, against a run at 1e-13.
#include "measure.h"

#include "motorcade/multibody.h"
#include "motorcade/simulate.h"
#include "verify/verify.h"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 64 };
static const double end = 0.03, allowed = 1e-8;
static char folder[] = "/tmp/motorcade_bench_XXXXXX";

static void fail(const char *what)
{
    fprintf(stderr, "bench_andrews: %s\n", what);
    exit(1);
}

typedef struct subject {
    mc_multibody *m;
    int n, q_count;
    double start[SIZE], best[SIZE]; // at the beginning and, to 1e-13, at the end
    double tolerance;
} subject;

// ---- ours --------------------------------------------------------------------------------------

static void ours(const subject *s, double tolerance, double *y)
{
    mc_error error;
    const mc_simulate_options options = {
        .end = end, .step = end, .rtol = tolerance, .atol = tolerance};
    const mc_simulate_output none = {0};
    memcpy(y, s->start, sizeof s->start);
    if (mc_simulate(s->m, &options, y, &none, NULL, NULL, &error) != MC_OK)
        fail(error.text);
}

// ---- IDA ---------------------------------------------------------------------------------------

static int residual(double t, N_Vector y, N_Vector dy, N_Vector out, void *context)
{
    const subject *s = context;
    double rate[SIZE];
    mc_multibody_rate(s->m, t, N_VGetArrayPointer(y), NULL, rate);
    for (int i = 0; i < s->n; i++)
        N_VGetArrayPointer(out)[i] = N_VGetArrayPointer(dy)[i] - rate[i];
    return 0;
}

static void ida(const subject *s, double tolerance, double *y)
{
    SUNContext context;
    if (SUNContext_Create(NULL, &context) != 0)
        fail("IDA: no memory");
    N_Vector state = N_VNew_Serial(s->n, context), rate = N_VNew_Serial(s->n, context);
    SUNMatrix matrix = SUNDenseMatrix(s->n, s->n, context);
    SUNLinearSolver solver = SUNLinSol_Dense(state, matrix, context);
    void *memory = IDACreate(context);
    double t = 0.0;
    memcpy(N_VGetArrayPointer(state), s->start, (size_t)s->n * sizeof *y);
    mc_multibody_rate(s->m, 0.0, s->start, NULL, N_VGetArrayPointer(rate));
    if (IDAInit(memory, residual, 0.0, state, rate) != IDA_SUCCESS ||
        IDASStolerances(memory, tolerance, tolerance) != IDA_SUCCESS ||
        IDASetUserData(memory, (void *)s) != IDA_SUCCESS ||
        IDASetLinearSolver(memory, solver, matrix) != IDA_SUCCESS ||
        IDASetMaxNumSteps(memory, 1000000) != IDA_SUCCESS ||
        IDASetStopTime(memory, end) != IDA_SUCCESS)
        fail("IDA cannot be set up");
    while (t < end)
        if (IDASolve(memory, end, &t, state, rate, IDA_NORMAL) < 0)
            fail("IDA gave up");
    memcpy(y, N_VGetArrayPointer(state), (size_t)s->n * sizeof *y);
    IDAFree(&memory);
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    N_VDestroy(state);
    N_VDestroy(rate);
    SUNContext_Free(&context);
}

// ---- tolerances and times ----------------------------------------------------------------------

typedef void runner(const subject *s, double tolerance, double *y);

static double error_of(const subject *s, const double *y)
{
    double worst = 0.0;
    for (int i = 0; i < s->q_count; i++)
        worst = fmax(worst, fabs(y[i] - s->best[i]));
    return worst;
}

static double find_tolerance(const subject *s, runner *run, const char *name)
{
    for (double tolerance = 1e-6; tolerance > 0.5e-13; tolerance *= 0.5) {
        double y[SIZE];
        run(s, tolerance, y);
        const double error = error_of(s, y);
        if (error <= allowed) {
            fprintf(stderr, "andrews: %s reaches %.1e rad with tolerance %.1e\n", name, error,
                    tolerance);
            return tolerance;
        }
    }
    fail("no tolerance reaches 1e-8 rad");
    return 0.0;
}

static double time_of(const subject *s, runner *run)
{
    double y[SIZE];
    const double begin = measure_cpu();
    run(s, s->tolerance, y);
    return measure_cpu() - begin;
}

static double time_ours(void *context)
{
    return time_of(context, ours);
}

static double time_ida(void *context)
{
    return time_of(context, ida);
}

static void remove_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0)
        fprintf(stderr, "bench_andrews: %s is left over\n", folder);
}

int main(void)
{
    char cache[96];
    if (!mkdtemp(folder))
        fail("cannot make a folder in /tmp");
    atexit(remove_folder);
    snprintf(cache, sizeof cache, "%s/cache", folder);
    setenv("MOTORCADE_CACHE", cache, 1);
    mc_error error;
    const mc_multibody_options options = {.compile = MC_COMPILE_WAIT};
    static subject s;
    s.m = mc_multibody_parse(verify_andrews.model, "andrews", &options, &error);
    if (!s.m)
        fail(error.text);
    s.n = mc_multibody_info_of(s.m)->y_count;
    s.q_count = mc_multibody_info_of(s.m)->q_count;
    mc_multibody_start(s.m, s.start);
    ours(&s, 1e-13, s.best);
    static subject theirs;
    s.tolerance = find_tolerance(&s, ours, "ours");
    theirs = s;
    theirs.tolerance = find_tolerance(&theirs, ida, "IDA");
    measure_side sides[] = {{time_ours, &s, 0.0}, {time_ida, &theirs, 0.0}};
    measure_pin(true);
    measure_sides(sides, 2, 21);
    measure_pin(false);
    measure_print("andrews_run", "ida", 1e3 * sides[0].seconds, 1e3 * sides[1].seconds, "ms", 1);
    mc_multibody_free(s.m);
    return 0;
}
