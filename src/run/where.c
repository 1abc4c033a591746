// where.c - stations and offsets of the cars on roads that are not straight; see where.h.
#include "run/where.h"

#include <math.h>
#include <string.h>

mc_status run_where_room(mc_run *r, mc_error *error)
{
    if (!r->road.net && !r->s->paths_kept)
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
        if (k == 0 && path.closed)
            r->lap = path.length;
        r->paths[k] = (run_road_path){.straight = path.max_curvature == 0.0,
                                      .length = path.length,
                                      .base = mc_road_path_base(&r->road, k)};
    }
    return MC_OK;
}

void run_where_start(const mc_run *r, const scenario_vehicle *v, mc_vehicle_start *start)
{
    double heading;
    if (!r->road.net || v->path < 0)
        return;
    mc_road_place(&r->road, v->path, v->x, v->y, &start->x, &start->y, &heading);
    start->heading += heading;
}

void run_where_tell(const mc_run *r, int slot)
{
    mc_batch *batch;
    int index;
    mc_world_vehicle(r->world, r->rare[slot].vehicle, &batch, &index);
    if (batch->kind->set_path)
        batch->kind->set_path(batch, index, r->where[slot].elder ? -1 : r->where[slot].path,
                              r->where[slot].station);
}

void run_where_begin(mc_run *r, int slot)
{
    const scenario_vehicle *v = &r->s->vehicles[r->rare[slot].vehicle];
    if (!r->where)
        return;
    r->where[slot] =
        (run_where){.path = v->path < 0 ? 0 : v->path, .lane = v->lane, .station = v->x};
    run_where_tell(r, slot);
}

// ---- roads of earlier versions ----

const road *run_elder_road(const mc_run *r, int slot)
{
    const run_past *past = r->elders ? r->elders : &r->past;
    return &scenario_of(past->versions[r->where[slot].elder - 1].given)->road;
}

static run_road_path path_of(const mc_run *r, int slot, int path)
{
    if (!r->where[slot].elder)
        return r->paths[path];
    const road *on = run_elder_road(r, slot);
    mc_road_path is;
    mc_road_path_at(on, path, &is);
    run_road_path out = {.straight = is.max_curvature == 0.0, .length = is.length};
    mc_road_ramp ramp;
    for (int k = 0; mc_road_ramp_at(on, k, &ramp); k++)
        if (ramp.path == path)
            out.base = ramp.at - (ramp.on ? out.length : 0.0);
    return out;
}

// Whether a car is on a ramp, or in its lane beside the road.
static bool is_on(const mc_run *r, int slot, const mc_road_ramp *ramp)
{
    const run_where *w = &r->where[slot];
    const run_rare *rare = &r->rare[slot];
    const bool in_lane = rare->lane == ramp->lane || rare->path.from == ramp->lane;
    return w->path == ramp->path || (w->path == ramp->main && in_lane && ramp->to > ramp->from &&
                                     w->station >= ramp->from && w->station <= ramp->to);
}

int run_where_next(const mc_run *old, int slot, const road *fresh, int *path)
{
    const road *on = run_road_of(old, slot);
    const run_where *w = &old->where[slot];
    const int elder = w->elder ? w->elder : old->past.version + 1;
    mc_road_ramp ramp;
    *path = w->path;
    for (int k = 0; mc_road_ramp_at(on, k, &ramp); k++) {
        if (!is_on(old, slot, &ramp))
            continue;
        const int same = road_same_ramp(on, k, fresh);
        if (same < 0)
            return elder;
        if (w->path == ramp.path && mc_road_ramp_at(fresh, same, &ramp))
            *path = ramp.path;
        return 0;
    }
    return *path < mc_road_path_count(fresh) ? 0 : elder;
}

// ---- ramps ----

// The path of a car that comes to a place where two meet; *station: where to look on it.
static int next_path(const mc_run *r, int slot, const road *on, const mc_road_point *at,
                     double *station)
{
    mc_road_ramp ramp;
    for (int k = 0; mc_road_ramp_at(on, k, &ramp); k++) {
        if (at->path != (ramp.on ? ramp.path : ramp.main))
            continue;
        const run_road_path path = path_of(r, slot, ramp.path);
        const bool joins = ramp.on && at->station >= path.length;
        const bool leaves = !ramp.on && *station < ramp.at && at->station >= ramp.at &&
                            r->rare[slot].lane == ramp.lane;
        if (!joins && !leaves)
            continue;
        *station = joins ? at->station + path.base : at->station - path.base;
        return joins ? ramp.main : ramp.path;
    }
    return at->path;
}

// The lane of a path that a car comes to from another.
static int lane_on(const road *on, int from, int to)
{
    mc_road_ramp ramp;
    for (int k = 0; mc_road_ramp_at(on, k, &ramp); k++)
        if (ramp.on && ramp.path == from && ramp.main == to)
            return ramp.lane;
    return 0;
}

static void enter(mc_run *r, int slot, int from, int to)
{
    run_rare *rare = &r->rare[slot];
    rare->lane = lane_on(run_road_of(r, slot), from, to);
    // A change of lanes ends with the path it was on.
    rare->path.from = rare->path.to = rare->path.left = -1;
    r->car[slot].flags &= ~(unsigned)RUN_CHANGES;
}

// A car on the road of an earlier version is in a lane that goes through, and not leaving its ramp.
static bool has_finished(const mc_run *r, int slot, const mc_road_point *at)
{
    const run_rare *rare = &r->rare[slot];
    const int lanes = r->road.lane_count;
    return at->path == 0 && rare->lane < lanes && rare->path.from < lanes;
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
        mc_road_on(run_road_of(r, slot), w->path, m->x, m->y, station, &at);
        const int path = next_path(r, slot, run_road_of(r, slot), &at, &station);
        bool enters = path != at.path;
        if (enters) {
            const int from = at.path;
            mc_road_on(run_road_of(r, slot), path, m->x, m->y, station, &at);
            if (keep)
                enter(r, slot, from, path);
        }
        if (keep && w->elder && has_finished(r, slot, &at)) {
            w->elder = 0;
            enters = true;
            mc_road_on(&r->road, 0, m->x, m->y, at.station, &at);
        }
        const run_road_path is = path_of(r, slot, at.path);
        // Where the line begins again the station jumps by its length.
        const int lap = r->lap > 0.0 && at.path == 0
                            ? w->lap - (int)lround((at.station - station) / r->lap)
                            : w->lap;
        if (keep)
            *w = (run_where){.path = at.path,
                             .lane = at.lane,
                             .straight = is.straight,
                             .elder = w->elder,
                             .lap = lap,
                             .station = at.station,
                             .heading = at.heading,
                             .curvature = at.curvature,
                             .plane = *m};
        if (keep && enters)
            run_where_tell(r, slot);
        m->x = at.station + is.base;
        if (r->lap > 0.0)
            m->x += lap * r->lap;
        m->y = at.offset;
        m->psi = remainder(m->psi - at.heading, 2.0 * M_PI);
    }
}

void run_where_unroll(const mc_run *r, int slot, double place[3], double *vectors, int count)
{
    if (!r->where)
        return;
    const run_where *w = &r->where[slot];
    mc_road_point at;
    mc_road_on(&r->road, w->path, place[0], place[1], w->station, &at);
    const double c = cos(at.heading), s = sin(at.heading);
    place[0] = at.station + r->paths[at.path].base;
    place[1] = at.offset;
    for (int k = 0; k < count; k++) {
        double *v = vectors + 3 * k;
        const double x = v[0], y = v[1];
        v[0] = c * x + s * y;
        v[1] = c * y - s * x;
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
    const double middle = r->where ? mc_road_lane_centre(run_road_of(r, slot), r->where[slot].path,
                                                         lane, r->where[slot].station, &w)
                                   : road_lane_y(&r->road, lane);
    if (width)
        *width = w;
    return middle;
}

void run_where_ahead(const mc_run *r, int slot, int lane, double offset, double ahead,
                     double *aside, double *curvature)
{
    const run_where *w = &r->where[slot];
    const road *on = run_road_of(r, slot);
    double x, y, heading, width;
    double station = w->station + ahead / (1.0 - w->curvature * r->motion[slot].y);
    if (r->lap > 0.0 && w->path == 0 && station >= r->lap)
        station -= r->lap;
    double middle = mc_road_lane_centre(on, w->path, lane, station, &width);
    if (isnan(middle)) // the lane ends before that
        middle = r->car[slot].lane_y;
    mc_road_place(on, w->path, station, middle + offset, &x, &y, &heading);
    const double psi = w->plane.psi;
    *aside = -(x - w->plane.x) * sin(psi) + (y - w->plane.y) * cos(psi);
    mc_road_point there;
    mc_road_on(on, w->path, x, y, station, &there);
    *curvature = there.curvature / (1.0 - there.curvature * (middle + offset));
}
