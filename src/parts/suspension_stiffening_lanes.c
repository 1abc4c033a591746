// suspension_stiffening_lanes.c - springs that harden and dampers that resist rebound, in batches.
#include "num/lanes.h"
#include "parts/suspension_stiffening.h"

#include <math.h>

void LANES_NAME(suspension_stiffening_eval)(const double *p, int n, const suspension_in *in,
                                            const suspension_out *out)
{
    const lanes one = lanes_set(1.0), hardening = lanes_set(p[STIFFENING_HARDENING]);
    const lanes asymmetry = lanes_set(p[STIFFENING_ASYMMETRY]);
    const lanes v_square = lanes_set(p[STIFFENING_V_REF] * p[STIFFENING_V_REF]);
    const lanes least = lanes_set(p[STIFFENING_LIFT_OFF] > 0.0 ? 0.0 : -HUGE_VAL);
    for (int i = 0; i < n; i += LANES) {
        const lanes s = lanes_load(in->stretch + i), v = lanes_load(in->rate + i);
        const lanes spring =
            -(lanes_load(in->stiffness + i) * s * lanes_fma(hardening, s * s, one));
        const lanes skew = lanes_fma(asymmetry, v / lanes_sqrt(lanes_fma(v, v, v_square)), one);
        const lanes damper = -(lanes_load(in->damping + i) * v * skew);
        const lanes force = lanes_max(spring + damper, least);
        lanes_store(out->force + i, force);
        lanes_store(out->lost + i, (lanes_max(spring, least) - force) * v);
    }
}
