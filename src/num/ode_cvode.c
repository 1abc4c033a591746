// ode_cvode.c - CVODE of SUNDIALS: multistep methods of variable order, the reference of the
// others.
//
// cvode: backward differences of orders 1 to 5, Newton with a dense direct solver. cvode-adams:
// Adams' methods of orders 1 to 12 with fixed-point iteration, no linear algebra. The library takes
// one step at a time; rows come from its own interpolant.
#include "num/ode_kinds.h"
#include "num/ode_method.h"

#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <math.h>
#include <string.h>

typedef struct cvode_own {
    SUNContext context;
    void *cvode;
    N_Vector y, atol, work, weight;
    SUNMatrix matrix;             // Newton only
    SUNLinearSolver linear;       // Newton only
    SUNNonlinearSolver nonlinear; // fixed point only
    bool rate_failed;             // the last call of the rate
    ode_answer cause; // since the last step that moved the time: worst answer of the rate
    int stuck;        // steps in a row that hardly moved the time
} cvode_own;

static void layout(ode *o, ode_space *space)
{
    o->own = ode_space_take(space, 1, sizeof(cvode_own));
}

// SUNDIALS wants 0: good, positive: try a shorter step, negative: stop.
static int code(ode *o, ode_answer answer)
{
    cvode_own *own = o->own;
    own->rate_failed = answer != ODE_OK;
    if (answer > own->cause)
        own->cause = answer;
    return answer == ODE_OK ? 0 : answer == ODE_RETRY ? 1 : -1;
}

static int rate(realtype t, N_Vector y, N_Vector dy, void *data)
{
    ode *o = data;
    return code(o, ode_rate_at(o, t, NV_DATA_S(y), NV_DATA_S(dy)));
}

// CVODE's dense matrices are column major without gaps, as ours.
static int jacobian(realtype t, N_Vector y, N_Vector dy, SUNMatrix matrix, void *data, N_Vector a,
                    N_Vector b, N_Vector c)
{
    (void)c;
    ode *o = data;
    return code(o, ode_jacobian_at(o, t, NV_DATA_S(y), NV_DATA_S(dy), 0.0, NV_DATA_S(a),
                                   NV_DATA_S(b), SM_DATA_D(matrix)));
}

// correction: what has to be added to y. The error estimate is left as it is.
static int correct(realtype t, N_Vector y, N_Vector correction, realtype tolerance, N_Vector error,
                   void *data)
{
    (void)tolerance, (void)error;
    ode *o = data;
    const size_t n = (size_t)o->problem.n;
    double *moved = NV_DATA_S(correction);
    memcpy(moved, NV_DATA_S(y), n * sizeof *moved);
    o->problem.project(o->problem.context, t, moved, true);
    for (size_t i = 0; i < n; i++)
        moved[i] -= NV_DATA_S(y)[i];
    return 0;
}

// The messages of the library: ode_report says it in our words.
static void silent(int error, const char *module, const char *function, char *text, void *data)
{
    (void)error, (void)module, (void)function, (void)text, (void)data;
}

static void close_library(ode *o)
{
    cvode_own *own = o->own;
    if (own->cvode)
        CVodeFree(&own->cvode);
    if (own->nonlinear)
        SUNNonlinSolFree(own->nonlinear);
    if (own->linear)
        SUNLinSolFree(own->linear);
    if (own->matrix)
        SUNMatDestroy(own->matrix);
    N_Vector vectors[] = {own->y, own->atol, own->work, own->weight};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (vectors[i])
            N_VDestroy(vectors[i]);
    if (own->context)
        SUNContext_Free(&own->context);
}

// The solver of the equations of a step. False: no memory.
static bool open_solver(ode *o, cvode_own *own)
{
    const int n = o->problem.n;
    if (!o->kind.implicit) {
        own->nonlinear = SUNNonlinSol_FixedPoint(own->y, 0, own->context);
        return own->nonlinear && CVodeSetNonlinearSolver(own->cvode, own->nonlinear) == CV_SUCCESS;
    }
    own->matrix = SUNDenseMatrix(n, n, own->context);
    if (!own->matrix)
        return false;
    own->linear = SUNLinSol_Dense(own->y, own->matrix, own->context);
    return own->linear &&
           CVodeSetLinearSolver(own->cvode, own->linear, own->matrix) == CV_SUCCESS &&
           CVodeSetJacFn(own->cvode, jacobian) == CV_SUCCESS &&
           (!o->problem.project || CVodeSetProjFn(own->cvode, correct) == CV_SUCCESS) &&
           (!o->problem.project || CVodeSetProjErrEst(own->cvode, SUNFALSE) == CV_SUCCESS);
}

static mc_status open_library(ode *o, mc_error *error)
{
    cvode_own *own = o->own;
    const int n = o->problem.n;
    bool good = SUNContext_Create(NULL, &own->context) == 0;
    if (good) {
        own->y = N_VNew_Serial(n, own->context);
        own->atol = N_VNew_Serial(n, own->context);
        own->work = N_VNew_Serial(n, own->context);
        own->weight = N_VNew_Serial(n, own->context);
        own->cvode = CVodeCreate(o->kind.implicit ? CV_BDF : CV_ADAMS, own->context);
    }
    good = good && own->y && own->atol && own->work && own->weight && own->cvode;
    if (good) {
        N_VConst(0.0, own->y);
        memcpy(NV_DATA_S(own->atol), o->atol, (size_t)n * sizeof *o->atol);
        good = CVodeSetErrHandlerFn(own->cvode, silent, NULL) == CV_SUCCESS &&
               CVodeInit(own->cvode, rate, 0.0, own->y) == CV_SUCCESS &&
               CVodeSVtolerances(own->cvode, o->options.rtol, own->atol) == CV_SUCCESS &&
               CVodeSetUserData(own->cvode, o) == CV_SUCCESS &&
               CVodeSetMaxHnilWarns(own->cvode, -1) == CV_SUCCESS &&
               CVodeSetMaxStep(own->cvode, o->options.step_max) == CV_SUCCESS &&
               open_solver(o, own);
    }
    return good ? MC_OK
                : mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0,
                               "%s: SUNDIALS could not be set up for %d states", o->kind.name, n);
}

static ode_trouble start(ode *o, double t_end)
{
    (void)t_end;
    cvode_own *own = o->own;
    memcpy(NV_DATA_S(own->y), o->y, (size_t)o->problem.n * sizeof *o->y);
    own->rate_failed = false;
    own->cause = ODE_OK;
    own->stuck = 0;
    if (CVodeReInit(own->cvode, o->t, own->y) != CV_SUCCESS ||
        CVodeSetInitStep(own->cvode, copysign(o->options.step, o->forward)) != CV_SUCCESS)
        return ODE_LIBRARY_FAILED;
    return ODE_NO_TROUBLE;
}

// The state with the largest estimated error, from the library.
static void find_worst(ode *o, cvode_own *own)
{
    if (CVodeGetEstLocalErrors(own->cvode, own->work) != CV_SUCCESS ||
        CVodeGetErrWeights(own->cvode, own->weight) != CV_SUCCESS)
        return;
    int worst;
    ode_norm(o->problem.n, NV_DATA_S(own->work), NV_DATA_S(own->weight), &worst);
    ode_note_error(o, NV_DATA_S(own->work), NV_DATA_S(own->weight), worst);
}

static ode_trouble trouble_of(const ode *o, const cvode_own *own, int flag)
{
    switch (flag) {
    case CV_RHSFUNC_FAIL:
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR:
        return ode_trouble_of(o, ODE_FAILED);
    case CV_CONV_FAILURE:
    case CV_LSETUP_FAIL:
    case CV_LSOLVE_FAIL:
        return own->rate_failed ? ode_trouble_of(o, ODE_FAILED) : ODE_NEWTON_FAILED;
    case CV_ERR_FAILURE:
    case CV_TOO_MUCH_ACC:
        return ODE_STEP_TOO_SMALL;
    default:
        return ODE_LIBRARY_FAILED;
    }
}

// The library counts since its own start, which may be after a change of direction.
static void take_counts(ode *o, cvode_own *own, const long before[3])
{
    long errors = 0, solves = 0, setups = 0, iterations = 0;
    CVodeGetNumErrTestFails(own->cvode, &errors);
    CVodeGetNumStepSolveFails(own->cvode, &solves);
    CVodeGetNumLinSolvSetups(own->cvode, &setups);
    CVodeGetNumNonlinSolvIters(own->cvode, &iterations);
    o->report.rejected += errors + solves - before[0];
    o->report.factorizations += setups - before[1];
    o->report.iterations += iterations - before[2];
    CVodeGetLastStep(own->cvode, &o->report.step);
}

// CVODE would continue forever with steps too small to advance the time. A few are normal at the
// start.
static ode_trouble progress(ode *o, cvode_own *own, double t_end)
{
    if (o->t == t_end || !ode_step_vanishes(o, o->report.step)) {
        own->stuck = 0;
        own->cause = ODE_OK;
        return ODE_NO_TROUBLE;
    }
    return ++own->stuck < 100 ? ODE_NO_TROUBLE : ode_too_small(o, own->cause);
}

static ode_trouble step(ode *o, double t_end)
{
    cvode_own *own = o->own;
    long errors = 0, solves = 0, before[3] = {0};
    CVodeGetNumErrTestFails(own->cvode, &errors);
    CVodeGetNumStepSolveFails(own->cvode, &solves);
    before[0] = errors + solves;
    CVodeGetNumLinSolvSetups(own->cvode, &before[1]);
    CVodeGetNumNonlinSolvIters(own->cvode, &before[2]);

    if (CVodeSetStopTime(own->cvode, t_end) != CV_SUCCESS)
        return ODE_LIBRARY_FAILED;
    realtype t = o->t;
    const int flag = CVode(own->cvode, t_end, own->y, &t, CV_ONE_STEP);
    take_counts(o, own, before);
    find_worst(o, own);
    if (flag < 0)
        return trouble_of(o, own, flag);
    if (own->cause == ODE_FAILED) // the fixed-point solver tries on
        return ode_trouble_of(o, ODE_FAILED);
    memcpy(o->y, NV_DATA_S(own->y), (size_t)o->problem.n * sizeof *o->y);
    o->t_old = o->t;
    o->t = flag == CV_TSTOP_RETURN ? t_end : t;
    if (o->problem.project && o->t == t_end) // backward differences were projected already
        o->problem.project(o->problem.context, o->t, o->y, !o->kind.implicit);
    o->report.steps++;
    return progress(o, own, t_end);
}

static ode_trouble dense(ode *o, double t, double *y)
{
    cvode_own *own = o->own;
    if (CVodeGetDky(own->cvode, t, 0, own->work) != CV_SUCCESS)
        return ODE_LIBRARY_FAILED;
    memcpy(y, NV_DATA_S(own->work), (size_t)o->problem.n * sizeof *y);
    return ODE_NO_TROUBLE;
}

static const ode_method method = {.layout = layout,
                                  .open = open_library,
                                  .close = close_library,
                                  .start = start,
                                  .step = step,
                                  .dense = dense};

const ode_kind ode_cvode = {.name = "cvode",
                            .doc = "SUNDIALS: backward differences, implicit, for stiff models",
                            .order = 5,
                            .adaptive = true,
                            .implicit = true,
                            .method = &method};
const ode_kind ode_cvode_adams = {.name = "cvode-adams",
                                  .doc = "SUNDIALS: Adams' methods, for models that are not stiff",
                                  .order = 12,
                                  .adaptive = true,
                                  .method = &method};
