// crash_picture.c - from a run to an mc_picture.
#include "cli/crash_picture.h"

#include "motorcade/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double NEAR = 40.0;     // m, what is farther away is not drawn
static const double RECENT = 0.02;   // s, impacts within this of the moment are drawn
static const double SHOWN_MAX = 0.1; // largest shown change of an axis, of its length

// The largest of 1, 2, 5, 10, ... that shows no axis changed by more than SHOWN_MAX.
static double round_magnification(const mc_picture_vehicle *vehicles, int count)
{
    double max = 1e-12;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            double change = 0.0, length = 0.0;
            for (int j = 0; j < 3; j++) {
                const double rest = vehicles[i].rest_axes[3 * j + k];
                change += pow(vehicles[i].surface.axes[3 * j + k] - rest, 2);
                length += rest * rest;
            }
            max = fmax(max, sqrt(change / length));
        }
    double factor = 1.0;
    for (int k = 0; factor * (k % 3 == 1 ? 2.5 : 2.0) * max <= SHOWN_MAX && factor < 1e6; k++)
        factor *= k % 3 == 1 ? 2.5 : 2.0;
    return factor;
}

static int worst_deformed(const mc_medusa_moment *m, int count)
{
    int found = 0;
    for (int i = 1; i < count; i++)
        if (m->vehicle_elastic[i] > m->vehicle_elastic[found])
            found = i;
    return found;
}

// The vehicles near the most deformed one; place[id] is where each stands in the list, or -1.
static int gather_vehicles(const mc_medusa_moment *m, int count, mc_picture_vehicle *out,
                           int *place)
{
    const double *centre = m->surface[worst_deformed(m, count)].centre;
    int taken = 0;
    for (int i = 0; i < count; i++) {
        const double *c = m->surface[i].centre;
        place[i] = -1;
        if (hypot(c[0] - centre[0], c[1] - centre[1]) > NEAR)
            continue;
        mc_picture_vehicle *v = &out[taken];
        *v = (mc_picture_vehicle){
            .surface = m->surface[i], .heading = m->heading[i], .elastic = m->vehicle_elastic[i]};
        memcpy(v->rest_axes, m->rest_axes + 9 * (size_t)i, sizeof v->rest_axes);
        memcpy(v->velocity, m->velocity + 3 * (size_t)i, sizeof v->velocity);
        snprintf(v->label, sizeof v->label, "%d", i + 1);
        place[i] = taken++;
    }
    return taken;
}

static int gather_impacts(const mc_medusa *run, double time, const int *place,
                          mc_picture_impact *out, int out_max)
{
    int count, taken = 0;
    const mc_impact *impacts = mc_world_impacts(mc_medusa_world(run), &count);
    for (int k = 0; k < count && taken < out_max; k++) {
        const mc_impact *i = &impacts[k];
        const int b = i->b < mc_medusa_vehicle_count(run) ? place[i->b] : -1; // an obstacle
        if (fabs(i->time - time) > RECENT || (place[i->a] < 0 && b < 0))
            continue;
        mc_picture_impact *p = &out[taken++];
        *p = (mc_picture_impact){.a = place[i->a], .b = b, .time = i->time, .impulse = i->impulse};
        memcpy(p->point, i->point, sizeof p->point);
        memcpy(p->normal, i->normal, sizeof p->normal);
    }
    return taken;
}

mc_status crash_picture_write(const char *path, const mc_medusa *run, mc_error *error)
{
    enum { IMPACTS = 64 };
    const mc_medusa_moment *m = mc_medusa_greatest_deformation(run);
    const int count = mc_medusa_vehicle_count(run);
    mc_picture_vehicle *vehicles = calloc((size_t)count, sizeof *vehicles);
    int *place = calloc((size_t)count, sizeof *place);
    mc_picture_impact impacts[IMPACTS];
    mc_status status = MC_NO_MEMORY;
    if (vehicles && place && m->surface) {
        const int taken = gather_vehicles(m, count, vehicles, place);
        double z_road = HUGE_VAL;
        for (int i = 0; i < taken; i++) {
            const double *rest = vehicles[i].rest_axes;
            z_road =
                fmin(z_road, vehicles[i].surface.centre[2] -
                                 sqrt(rest[6] * rest[6] + rest[7] * rest[7] + rest[8] * rest[8]));
        }
        const mc_picture picture = {
            .title = "Moment of maximum deformation",
            .time = m->time,
            .magnification = round_magnification(vehicles, taken),
            .z_road = z_road,
            .vehicles = vehicles,
            .vehicle_count = taken,
            .impacts = impacts,
            .impact_count = gather_impacts(run, m->time, place, impacts, IMPACTS),
        };
        status = mc_picture_write(path, &picture, error);
    } else {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the picture");
    }
    free(vehicles);
    free(place);
    return status;
}
