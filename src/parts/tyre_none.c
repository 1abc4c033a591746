// tyre_none.c - a wheel without side force: ice, or a test of conservation.
#include "parts/tyre.h"

static void eval(const double *p, int n, const tyre_in *in, const double *x, double *drive,
                 const tyre_out *out)
{
    (void)p, (void)in, (void)x, (void)drive;
    for (int i = 0; i < n; i++)
        out->fx[i] = out->fy[i] = 0.0;
}

const tyre_kind tyre_none = {
    .name = "none",
    .doc = "no side force",
    .eval = {eval, eval},
};
