// tyre_brush_lanes.c - the brush tyre and the linear tyre over a batch of wheels.
#include "parts/tyre_brush.h"

static inline void eval(deflection_shape shape, const double *p, int n, const tyre_in *in,
                        const double *x, double *drive, const tyre_out *out)
{
    const lanes zero = lanes_set(0.0), one = lanes_set(1.0);
    const lanes friction = lanes_set(p[BRUSH_FRICTION]);
    deflection_wheel w = {.stiffness_x = lanes_set(p[BRUSH_STIFFNESS_X]),
                          .stiffness_y = lanes_set(p[BRUSH_STIFFNESS_Y])};
    for (int i = 0; i < n; i += LANES) {
        const lanes road = in->mu ? lanes_load(in->mu + i) : one;
        w.limit = lanes_max(friction * road * lanes_load(in->fz + i), zero);
        deflection_load(in, x, n, i, &w);
        const deflection_result r =
            deflection_eval(shape, p[BRUSH_RELAXATION], p[BRUSH_DAMPING], &w);
        deflection_store(&r, n, i, drive, out);
    }
}

void LANES_NAME(brush_eval)(const double *p, int n, const tyre_in *in, const double *x,
                            double *drive, const tyre_out *out)
{
    eval(DEFLECTION_BRUSH, p, n, in, x, drive, out);
}

void LANES_NAME(linear_eval)(const double *p, int n, const tyre_in *in, const double *x,
                             double *drive, const tyre_out *out)
{
    eval(DEFLECTION_LINEAR, p, n, in, x, drive, out);
}
