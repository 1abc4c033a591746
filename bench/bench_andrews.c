// bench_andrews.c - Andrews' squeezing mechanism for 0.03 s to 1e-8 rad: our integrator with
// projection against IDA on the same equations, and against Simbody with its own.
//
// IDA gets y' = f(y) with accelerations from the same compiled code (index 1, no projection).
// Simbody gets the bodies, the spring and the drive, and two rows for each pin; its integrator is
// Runge-Kutta-Merson with projection. Each side runs with the loosest tolerance that reaches 1e-8
// rad at the end, against a run of ours at 1e-13.
#include "measure.h"

#include "motorcade/multibody.h"
#include "motorcade/simulate.h"
#include "support/closed_model.h"
#include "support/peer_kind.h"
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
    void *simbody;
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

// ---- Simbody -----------------------------------------------------------------------------------

// The bodies of the model with pins; each pin holds its point on a line along z.
static void *simbody_create(void)
{
    mc_error error;
    static closed c;
    const mc_multibody_options options = {.compile = MC_COMPILE_NEVER};
    mc_multibody *m = mc_multibody_parse(verify_andrews_pins.model, "andrews", &options, &error);
    if (!m)
        fail(error.text);
    if (!closed_of_model(m, &c))
        fail("Simbody: a joint that it does not have");
    mc_multibody_free(m);
    for (int k = 0; k < c.joint_count; k++)
        c.joint[k].kind = CLOSED_POINT_ON_LINE;
    const peer_run_load load = {.spring_body = {-1, 2}, // C on the ground, D on K3
                                .spring_at = {{0.014, 0.072, 0.0}, {0.02, -0.018, 0.0}},
                                .stiffness = 4530.0,
                                .length = 0.07785,
                                .driven = 0,
                                .load = 0.033};
    void *peer = peer_simbody_run_create(&c, &load);
    if (!peer)
        fail("Simbody cannot be set up");
    return peer;
}

static void simbody(const subject *s, double tolerance, double *y)
{
    if (!peer_simbody_run(s->simbody, s->start, s->start + s->q_count, end, tolerance, y))
        fail("Simbody gave up");
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

static double time_simbody(void *context)
{
    return time_of(context, simbody);
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
    static subject by_ida, by_simbody;
    s.simbody = simbody_create();
    s.tolerance = find_tolerance(&s, ours, "ours");
    by_ida = by_simbody = s;
    by_ida.tolerance = find_tolerance(&by_ida, ida, "IDA");
    by_simbody.tolerance = find_tolerance(&by_simbody, simbody, "Simbody");
    measure_side sides[] = {
        {time_ours, &s, 0.0}, {time_ida, &by_ida, 0.0}, {time_simbody, &by_simbody, 0.0}};
    measure_pin(true);
    measure_sides(sides, 3, 21);
    measure_pin(false);
    measure_print("andrews_run", "ida", 1e3 * sides[0].seconds, 1e3 * sides[1].seconds, "ms", 1);
    measure_print("andrews_run", "simbody", 1e3 * sides[0].seconds, 1e3 * sides[2].seconds, "ms",
                  1);
    peer_simbody_run_destroy(s.simbody);
    mc_multibody_free(s.m);
    return 0;
}
