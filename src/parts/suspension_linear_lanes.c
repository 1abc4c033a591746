// suspension_linear_lanes.c - linear springs and dampers of a batch of wheels.
#include "parts/suspension_built_in.h"
#include "parts/suspension_linear.h"

void LANES_NAME(suspension_linear_eval)(const double *p, int n, const suspension_in *in,
                                        const suspension_out *out)
{
    const suspension_wide w = suspension_widen(p[LINEAR_LIFT_OFF] > 0.0);
    for (int i = 0; i < n; i += LANES) {
        lanes lost;
        const lanes force =
            suspension_four(&w, lanes_load(in->stiffness + i), lanes_load(in->damping + i),
                            lanes_load(in->stretch + i), lanes_load(in->rate + i), &lost);
        lanes_store(out->force + i, force);
        lanes_store(out->lost + i, lost);
    }
}
