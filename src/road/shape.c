// shape.c - the list of surfaces by closed forms.
#include "road/shape.h"

#include <math.h>
#include <stddef.h>

enum { SLOPE_ALONG, SLOPE_ACROSS, SLOPE_COUNT };
static const mc_param slope_params[SLOPE_COUNT] = {
    [SLOPE_ALONG] = {"along", "-", 0.0, -0.5, 0.5, "rise over length along the road"},
    [SLOPE_ACROSS] = {"across", "-", 0.0, -0.5, 0.5, "rise over length to the left"},
};

static void slope_at(const double *p, double u, double v, double *z, double *zu, double *zv)
{
    *z = p[SLOPE_ALONG] * u + p[SLOPE_ACROSS] * v;
    *zu = p[SLOPE_ALONG];
    *zv = p[SLOPE_ACROSS];
}

enum { WAVES_HEIGHT, WAVES_LENGTH, WAVES_COUNT, WAVES_FROM, WAVES_ANGLE, WAVES_PARAM_COUNT };
static const mc_param waves_params[WAVES_PARAM_COUNT] = {
    [WAVES_HEIGHT] = {"height", "m", 0.05, -1.0, 1.0, "from valley to crest; negative: holes"},
    [WAVES_LENGTH] = {"wavelength", "m", 5.0, 0.1, 1e4, "from crest to crest"},
    [WAVES_COUNT] = {"count", "-", 0.0, 0.0, 1e9, "how many; 0: without an end"},
    [WAVES_FROM] = {"from", "m", 0.0, -1e6, 1e6, "where they begin"},
    [WAVES_ANGLE] = {"angle", "rad", 0.0, -1.6, 1.6, "of their direction to the road, to the left"},
};
_Static_assert((int)WAVES_PARAM_COUNT <= (int)ROAD_SHAPE_PARAM_MAX, "room for parameters");

static void waves_at(const double *p, double u, double v, double *z, double *zu, double *zv)
{
    const double c = cos(p[WAVES_ANGLE]), s = sin(p[WAVES_ANGLE]);
    const double w = u * c + v * s - p[WAVES_FROM], number = 2.0 * M_PI / p[WAVES_LENGTH];
    *z = *zu = *zv = 0.0;
    if (w < 0.0 || (p[WAVES_COUNT] > 0.0 && w > floor(p[WAVES_COUNT]) * p[WAVES_LENGTH]))
        return;
    const double rise = 0.5 * p[WAVES_HEIGHT] * number * sin(number * w);
    *z = 0.5 * p[WAVES_HEIGHT] * (1.0 - cos(number * w));
    *zu = rise * c;
    *zv = rise * s;
}

static const road_shape shapes[] = {
    {"slope", slope_params, SLOPE_COUNT, slope_at},
    {"waves", waves_params, WAVES_PARAM_COUNT, waves_at},
};

const road_shape *road_shape_at(int index)
{
    return index >= 0 && index < (int)(sizeof shapes / sizeof shapes[0]) ? &shapes[index] : NULL;
}
