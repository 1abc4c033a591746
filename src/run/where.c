// where.c - stations and offsets of the cars on roads that are not straight; see where.h.
#include "run/where.h"

#include <math.h>
#include <string.h>

mc_status run_where_room(mc_run *r, mc_error *error)
{
    if (!r->road.net)
        return MC_OK;
    const size_t size = ((size_t)r->count + 1) * sizeof *r->where;
    r->where = arena_alloc(&r->memory, size);
    if (!r->where)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the run");
    memset(r->where, 0, size);
    const int paths = mc_road_path_count(&r->road);
    r->paths = arena_alloc(&r->memory, ((size_t)paths + 1) * sizeof *r->paths);
    if (!r->paths)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the run");
    for (int k = 0; k < paths; k++) {
        mc_road_path path;
        mc_road_path_at(&r->road, k, &path);
        r->paths[k] = (run_road_path){.straight = path.max_curvature == 0.0, .length = path.length};
    }
    mc_road_ramp ramp;
    for (int k = 0; mc_road_ramp_at(&r->road, k, &ramp); k++)
        r->paths[ramp.path].base = ramp.at - (ramp.on ? r->paths[ramp.path].length : 0.0);
    return MC_OK;
}

void run_where_start(const mc_run *r, const scenario_vehicle *v, mc_vehicle_start *start)
{
    double heading;
    if (!r->road.net)
        return;
    mc_road_place(&r->road, v->path, v->x, v->y, &start->x, &start->y, &heading);
    start->heading += heading;
}

void run_where_begin(mc_run *r, int slot)
{
    const scenario_vehicle *v = &r->s->vehicles[r->rare[slot].vehicle];
    if (r->where)
        r->where[slot] = (run_where){.path = v->path, .lane = v->lane, .station = v->x};
}

// ---- ramps ----

// The path of a car that comes to a place where two meet; *station: where to look on it.
static int next_path(const mc_run *r, int slot, const mc_road_point *at, double *station)
{
    mc_road_ramp ramp;
    for (int k = 0; mc_road_ramp_at(&r->road, k, &ramp); k++) {
        const run_road_path *path = &r->paths[ramp.path];
        const bool joins = ramp.on && at->path == ramp.path && at->station >= path->length;
        const bool leaves = !ramp.on && at->path == ramp.main && *station < ramp.at &&
                            at->station >= ramp.at && r->rare[slot].lane == ramp.lane;
        if (!joins && !leaves)
            continue;
        *station = joins ? at->station + path->base : at->station - path->base;
        return joins ? ramp.main : ramp.path;
    }
    return at->path;
}

// The lane of a path that a car comes to from another.
static int lane_on(const mc_run *r, int from, int to)
{
    mc_road_ramp ramp;
    for (int k = 0; mc_road_ramp_at(&r->road, k, &ramp); k++)
        if (ramp.on && ramp.path == from && ramp.main == to)
            return ramp.lane;
    return 0;
}

static void enter(mc_run *r, int slot, int from, int to)
{
    run_rare *rare = &r->rare[slot];
    rare->lane = lane_on(r, from, to);
    rare->path.from = rare->path.to = rare->path.left =
        -1; // a change of lanes ends with the path it was on
    r->car[slot].flags &= ~(unsigned)RUN_CHANGES;
}

// ---- turning motions ----

void run_where_turn(mc_run *r, int first, int count, mc_motion *motion, bool keep)
{
    for (int k = 0; k < count; k++) {
        const int slot = first + k;
        run_where *w = &r->where[slot];
        mc_motion *m = &motion[k];
        mc_road_point at;
        double station = w->station;
        mc_road_on(&r->road, w->path, m->x, m->y, station, &at);
        const int path = next_path(r, slot, &at, &station);
        if (path != at.path) {
            const int from = at.path;
            mc_road_on(&r->road, path, m->x, m->y, station, &at);
            if (keep)
                enter(r, slot, from, path);
        }
        if (keep)
            *w = (run_where){.path = at.path,
                             .lane = at.lane,
                             .straight = r->paths[at.path].straight,
                             .station = at.station,
                             .heading = at.heading,
                             .curvature = at.curvature,
                             .plane = *m};
        m->x = at.station + r->paths[at.path].base;
        m->y = at.offset;
        m->psi = remainder(m->psi - at.heading, 2.0 * M_PI);
    }
}

bool run_has_lane(const road *of, int path, int lane, double station)
{
    double width;
    return of->net ? !isnan(mc_road_lane_centre(of, path, lane, station, &width))
                   : lane < of->lane_count;
}

double run_lane_middle(const mc_run *r, int slot, int lane, double *width)
{
    double w = r->road.lane_width;
    const double middle = r->where ? mc_road_lane_centre(&r->road, r->where[slot].path, lane,
                                                         r->where[slot].station, &w)
                                   : road_lane_y(&r->road, lane);
    if (width)
        *width = w;
    return middle;
}

void run_where_ahead(const mc_run *r, int slot, int lane, double offset, double ahead,
                     double *aside, double *curvature)
{
    const run_where *w = &r->where[slot];
    double x, y, heading, width;
    const double station = w->station + ahead / (1.0 - w->curvature * r->motion[slot].y);
    double middle = mc_road_lane_centre(&r->road, w->path, lane, station, &width);
    if (isnan(middle)) // the lane ends before that
        middle = r->car[slot].lane_y;
    mc_road_place(&r->road, w->path, station, middle + offset, &x, &y, &heading);
    const double psi = w->plane.psi;
    *aside = -(x - w->plane.x) * sin(psi) + (y - w->plane.y) * cos(psi);
    mc_road_point there;
    mc_road_on(&r->road, w->path, x, y, station, &there);
    *curvature = there.curvature / (1.0 - there.curvature * (middle + offset));
}
