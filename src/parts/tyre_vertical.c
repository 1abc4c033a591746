// tyre_vertical.c - load of a tyre from the height of its hub.
#include "parts/tyre_vertical.h"

#include <math.h>

const mc_param vertical_params[VERTICAL_PARAM_COUNT] = {
    [VERTICAL_RADIUS] = {"radius", "m", 0.4699, 0.05, 2.0, "hub to road without load"},
    [VERTICAL_STIFFNESS] = {"stiffness", "N/m", 326332.0, 1e3, 1e8, "vertical, of each tyre"},
    [VERTICAL_DAMPING] = {"damping", "N s/m", 7500.0, 0.0, 1e6, "vertical, of each tyre"},
};

vertical_force vertical_at(const double p[VERTICAL_PARAM_COUNT], double z, double z_rate)
{
    const double d = p[VERTICAL_RADIUS] - z, spring = p[VERTICAL_STIFFNESS] * d;
    if (!(d > 0.0))
        return (vertical_force){0};
    const double fz = fmax(spring - p[VERTICAL_DAMPING] * z_rate, 0.0);
    return (vertical_force){.fz = fz, .energy = 0.5 * spring * d, .lost = (spring - fz) * z_rate};
}
