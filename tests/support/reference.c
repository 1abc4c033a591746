// reference.c - a thin wrapper of CVODE.
#include "support/reference.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <string.h>

typedef struct call {
    reference_rate *rate;
    void *context;
} call;

static int right_side(realtype t, N_Vector y, N_Vector dy, void *data)
{
    const call *c = data;
    c->rate(c->context, t, NV_DATA_S(y), NV_DATA_S(dy));
    return 0;
}

int reference_integrate(reference_rate *rate, void *context, int n, double *y, double t0, double t1,
                        double atol)
{
    call c = {rate, context};
    SUNContext sun;
    if (SUNContext_Create(NULL, &sun) != 0)
        return 1;
    N_Vector state = N_VNew_Serial(n, sun);
    memcpy(NV_DATA_S(state), y, (size_t)n * sizeof *y);
    void *cvode = CVodeCreate(CV_ADAMS, sun);
    SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(state, 0, sun);
    int failed = CVodeInit(cvode, right_side, t0, state) != CV_SUCCESS ||
                 CVodeSStolerances(cvode, 1e-12, atol) != CV_SUCCESS ||
                 CVodeSetUserData(cvode, &c) != CV_SUCCESS ||
                 CVodeSetNonlinearSolver(cvode, solver) != CV_SUCCESS ||
                 CVodeSetMaxNumSteps(cvode, 100000000) != CV_SUCCESS ||
                 CVodeSetStopTime(cvode, t1) != CV_SUCCESS;
    realtype reached = t0;
    while (!failed && reached < t1)
        failed = CVode(cvode, t1, state, &reached, CV_NORMAL) < 0;
    memcpy(y, NV_DATA_S(state), (size_t)n * sizeof *y);
    CVodeFree(&cvode);
    SUNNonlinSolFree(solver);
    N_VDestroy(state);
    SUNContext_Free(&sun);
    return failed;
}
