// network.c - a plan to paths, and what a point of them is like.
#include "road/network.h"

#include "road/terrain.h"

#include <math.h>

// ---- making ----

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the road");
}

// Offset of the right edge of the lanes that go through.
static double outer_edge(const road_branch *main, int through, double s)
{
    double edge[ROAD_LANES_MAX + 1];
    road_lanes_edges(&main->lanes, s, edge);
    return edge[through];
}

// How far the left edge of the ramp is from the lanes of the main road, at a station of the ramp.
static double gap_at(const road_branch *main, const road_branch *ramp, int through, double s,
                     double hint, double *station)
{
    double edge[ROAD_LANES_MAX + 1];
    road_lanes_edges(&ramp->lanes, s, edge);
    const road_pose pose = road_path_place(&ramp->path, s, edge[0]);
    road_foot foot;
    road_path_project(&main->path, pose.x, pose.y, hint, &foot);
    *station = foot.station;
    return outer_edge(main, through, foot.station) - foot.offset;
}

mc_status road_find_nose(const road_branch *main, const road_branch *ramp, int through, bool on,
                         mc_road_ramp *out, mc_error *error)
{
    const double length = ramp->path.length, step = fmin(0.5, 0.01 * length);
    double near = 0.0, station = out->at; // distance from where they meet
    for (double far = step;; far += step) {
        far = fmin(far, length);
        const double s = on ? length - far : far;
        const double gap = gap_at(main, ramp, through, s, station, &station);
        if (gap < -0.5)
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "the ramp crosses the lanes of the road at its station %.6g m; "
                                "expected one that stays to the right",
                                s);
        if (gap >= ROAD_NOSE) {
            double low = near, high = far;
            for (int k = 0; k < 50; k++) {
                const double middle = 0.5 * (low + high), at = on ? length - middle : middle;
                if (gap_at(main, ramp, through, at, station, &out->nose) >= ROAD_NOSE)
                    high = middle;
                else
                    low = middle;
            }
            out->ramp_nose = on ? length - high : high;
            return MC_OK;
        }
        if (far >= length)
            break;
        near = far;
    }
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "the ramp stays within %g m of the road on all of its %.6g m; expected one "
                        "that leaves it",
                        ROAD_NOSE, length);
}

// The additional lane of a ramp on the main road.
static road_lane_stretch lane_of(const road_ramp *ramp, int lane)
{
    const double extent = ramp->length + ramp->taper;
    return (road_lane_stretch){.lane = lane,
                               .from = ramp->on ? ramp->at : ramp->at - extent,
                               .to = ramp->on ? ramp->at + extent : ramp->at,
                               .width = ramp->width,
                               .in = ramp->on ? 0.0 : ramp->taper,
                               .out = ramp->on ? ramp->taper : 0.0,
                               .speed = NAN,
                               .headway = NAN,
                               .separation = NAN,
                               .use = -1,
                               .enter = -1};
}

static mc_status check_ramp(const road_plan *plan, double length, int k, mc_error *error)
{
    const road_ramp *ramp = &plan->ramps[k];
    const road_lane_stretch own = lane_of(ramp, 0);
    if (ramp->at < 0.0 || ramp->at > length)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "ramp %s is at %.9g m; expected 0 .. %.9g m, the length of the road",
                            ramp->name, ramp->at, length);
    if (own.from < 0.0 || own.to > length)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "the %s lane of ramp %s goes from %.9g to %.9g m; expected within 0 .. "
                            "%.9g m, the length of the road",
                            ramp->on ? "acceleration" : "deceleration", ramp->name, own.from,
                            own.to, length);
    for (int j = 0; j < k; j++) {
        const road_lane_stretch other = lane_of(&plan->ramps[j], 0);
        if (fmax(own.from, other.from) < fmin(own.to, other.to))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "the lanes of ramps %s and %s overlap from %.9g to %.9g m",
                                plan->ramps[j].name, ramp->name, fmax(own.from, other.from),
                                fmin(own.to, other.to));
    }
    return MC_OK;
}

// The pose that makes the pieces of a ramp end at `end`.
static road_pose start_for(road_pose end, const road_piece *pieces, int count)
{
    const road_pose from = road_pieces_end((road_pose){0}, pieces, count);
    const double heading = end.heading - from.heading, c = cos(heading), s = sin(heading);
    return (road_pose){end.x - c * from.x + s * from.y, end.y - s * from.x - c * from.y, heading};
}

static double height_on(const road_branch *main, const road *along, double s, double offset)
{
    const double across = cos(road_slope(along, s)) * sin(road_polys_value(&main->bank, s));
    return road_height(along, s) + offset * across;
}

static mc_status make_ramp(arena *memory, const road_plan *plan, const road *along,
                           const road_branch *main, int index, road_branch *out, mc_road_ramp *info,
                           mc_error *error)
{
    const road_ramp *ramp = &plan->ramps[index];
    const int lane = plan->lane_count;
    mc_road_lane meets;
    road_lanes_look(&main->lanes, lane, ramp->on ? ramp->at : nextafter(ramp->at, 0.0), &meets);
    const road_pose joint = road_path_place(&main->path, ramp->at, meets.centre);
    const road_pose start = ramp->on ? start_for(joint, ramp->pieces, ramp->piece_count) : joint;
    road *own = arena_alloc(memory, sizeof *own);
    if (!own)
        return no_memory(error);
    *out = (road_branch){.name = ramp->name, .bank = ramp->bank, .along = own};
    int bad;
    mc_status status =
        road_path_make(memory, start, ramp->pieces, ramp->piece_count, false, &out->path, error);
    if (status == MC_OK)
        status = road_lanes_make(memory, 1, 1, ramp->width, out->path.length, NULL, 0, &out->lanes,
                                 &bad, error);
    if (status == MC_OK)
        status =
            road_make(memory, 1, ramp->width, ramp->grades, ramp->grade_count, NULL, 0, own, error);
    if (status != MC_OK)
        return status;
    const double end = ramp->on ? out->path.length : 0.0;
    out->base = height_on(main, along, ramp->at, meets.centre) - road_height(own, end);
    const road_lane_stretch on_main = lane_of(ramp, lane);
    *info = (mc_road_ramp){.name = ramp->name,
                           .on = ramp->on,
                           .connector = ramp->connector,
                           .path = index + 1,
                           .lane = lane,
                           .from = on_main.from,
                           .to = on_main.to,
                           .at = ramp->at,
                           .speed = ramp->speed};
    return road_find_nose(main, out, lane, ramp->on, info, error);
}

static mc_status make_main(arena *memory, const road_plan *plan, road_branch *out,
                           road_fault *fault, mc_error *error)
{
    const bool straight = plan->piece_count == 0;
    road_piece *endless = arena_alloc(memory, sizeof *endless);
    const int extra = plan->ramp_count > 0, count = plan->stretch_count + plan->ramp_count;
    road_lane_stretch *all = arena_alloc(memory, (size_t)count * sizeof *all);
    if (!endless || !all)
        return no_memory(error);
    *endless = (road_piece){ROAD_ENDLESS, 0.0, 0.0};
    *out = (road_branch){
        .name = "main", .bank = plan->bank, .surface = plan->surface, .endless = straight};
    *fault = (road_fault){ROAD_FAULT_LINE, 0};
    mc_status status =
        road_path_make(memory, (road_pose){0}, straight ? endless : plan->pieces,
                       straight ? 1 : plan->piece_count, plan->closed, &out->path, error);
    for (int k = 0; k < plan->stretch_count; k++)
        all[k] = plan->stretches[k];
    for (int k = 0; k < plan->ramp_count && status == MC_OK; k++) {
        *fault = (road_fault){ROAD_FAULT_RAMP, k};
        all[plan->stretch_count + k] = lane_of(&plan->ramps[k], plan->lane_count);
        status = check_ramp(plan, out->path.length, k, error);
    }
    if (status != MC_OK)
        return status;
    int bad = -1;
    status = road_lanes_make(memory, plan->lane_count + extra, plan->lane_count, plan->lane_width,
                             out->path.length, all, count, &out->lanes, &bad, error);
    *fault = bad < 0                     ? (road_fault){ROAD_FAULT_LINE, 0}
             : bad < plan->stretch_count ? (road_fault){ROAD_FAULT_STRETCH, bad}
                                         : (road_fault){ROAD_FAULT_RAMP, bad - plan->stretch_count};
    return status;
}

mc_status road_network_make(arena *memory, const road_plan *plan, const road *along,
                            const road_network **out, road_fault *fault, mc_error *error)
{
    road_network *net = arena_alloc(memory, sizeof *net);
    road_branch *branches = arena_alloc(memory, (size_t)(plan->ramp_count + 1) * sizeof *branches);
    mc_road_ramp *ramps = arena_alloc(memory, (size_t)plan->ramp_count * sizeof *ramps);
    if (!net || !branches || !ramps)
        return no_memory(error);
    mc_status status = make_main(memory, plan, &branches[0], fault, error);
    for (int k = 0; k < plan->ramp_count && status == MC_OK; k++) {
        *fault = (road_fault){ROAD_FAULT_RAMP, k};
        status =
            make_ramp(memory, plan, along, &branches[0], k, &branches[k + 1], &ramps[k], error);
    }
    *net = (road_network){branches, plan->ramp_count + 1, ramps, plan->ramp_count};
    *out = net;
    return status;
}

// ---- what a point is like ----

// How much shorter a way beside the line is than the line: 1 - k y, away from the centre of a bend.
static double shrunk(const mc_road_point *p)
{
    static const double least = 0.1;
    return fmax(1.0 - p->curvature * p->offset, least);
}

// From along the line and across it to x and y of the plane.
static void to_plane(const mc_road_point *p, double along, double across, double *x, double *y)
{
    const double c = cos(p->heading), s = sin(p->heading);
    *x = c * along - s * across;
    *y = s * along + c * across;
}

// The pull of gravity, minus the gradient of the height z = h(s) + y cos(grade) sin(bank).
static void pull(mc_road_point *out, const road_branch *branch, const road *along, double cg,
                 double sg, double cb, double sb)
{
    static const double steepest = 0.99; // of a place near the centre of a bend
    const double s = out->station, bank_rate = road_polys_rate(&branch->bank, s);
    double twist = 0.0; // of cos(grade) sin(bank), 1/m
    if (branch->bank.count > 0)
        twist = cg * cb * bank_rate - sg * sb * road_slope_rate(along, s);
    double up = (sg + out->offset * twist) / shrunk(out), across = cg * sb;
    const double size = sqrt(up * up + across * across);
    if (size > steepest) {
        up *= steepest / size;
        across *= steepest / size;
    }
    to_plane(out, -up, -across, &out->gravity[0], &out->gravity[1]);
    out->gravity[2] = -sqrt(1.0 - up * up - across * across);
}

static void tilt(mc_road_point *out, const road_branch *branch, const road *of)
{
    const double cg = cos(out->grade), sg = sin(out->grade);
    const double cb = cos(out->bank), sb = sin(out->bank);
    pull(out, branch, of, cg, sg, cb, sb);
    // Along the line, across it and normal: turned by the grade, then by the bank about the line.
    const double along[3] = {cg, 0.0, sg}, across[3] = {-sg * sb, cb, cg * sb};
    out->normal[0] = -sg * cb;
    out->normal[1] = -sb;
    out->normal[2] = cg * cb;
    out->height += out->offset * across[2];
    double z, zu, zv;
    if (!branch->surface ||
        !road_surface_at(branch->surface, out->station, out->offset, &z, &zu, &zv))
        return;
    const double shorter = 1.0 / sqrt(1.0 + zu * zu + zv * zv);
    out->bump = z;
    to_plane(out, zu / shrunk(out), zv, &out->bump_x, &out->bump_y);
    out->height -= z * out->gravity[2];
    for (int i = 0; i < 3; i++)
        out->normal[i] = (out->normal[i] - zu * along[i] - zv * across[i]) * shorter;
}

static void answer(const road *r, int path, const road_foot *foot, mc_road_point *out)
{
    const road_branch *branch = &r->net->branches[path];
    const road *along = branch->along ? branch->along : r;
    const double s = foot->station;
    out->station = s;
    out->offset = foot->offset;
    out->heading = foot->heading;
    out->curvature = foot->curvature;
    out->grade = road_slope(along, s);
    out->bank = road_polys_value(&branch->bank, s);
    out->height = branch->base + road_height(along, s);
    out->normal[0] = out->normal[1] = 0.0;
    out->normal[2] = 1.0;
    out->friction = road_friction_at(along, s, foot->offset);
    out->lane = road_lanes_find(&branch->lanes, s, foot->offset);
    out->path = path;
    out->gravity[0] = out->gravity[1] = 0.0;
    out->gravity[2] = -1.0;
    out->bump = out->bump_x = out->bump_y = 0.0;
    if (branch->surface && branch->surface->terrain) {
        terrain_point ground;
        terrain_at(branch->surface->terrain, s, foot->offset, &ground);
        out->friction *= ground.friction / branch->surface->terrain->reference;
    }
    if (out->grade != 0.0 || branch->bank.count > 0 || branch->surface)
        tilt(out, branch, along);
}

void mc_road_stand(const mc_road *r, double heading, double radius, double width,
                   mc_road_point *point)
{
    const road_branch *branch = r && r->net ? &r->net->branches[point->path] : NULL;
    if (!branch || !branch->surface || !branch->surface->terrain || !isfinite(point->station) ||
        !isfinite(point->offset))
        return;
    double z, rise[2];
    terrain_stand(branch->surface->terrain, point->station, point->offset, heading - point->heading,
                  radius, width, &z, rise);
    point->bump = z;
    to_plane(point, rise[0] / shrunk(point), rise[1], &point->bump_x, &point->bump_y);
}

void road_network_on(const road *r, int path, double x, double y, double hint, mc_road_point *out)
{
    road_foot foot;
    road_path_project(&r->net->branches[path].path, x, y, hint, &foot);
    answer(r, path, &foot, out);
}

// How far a place is beside the lanes of a path; beyond its ends, from its end.
static double beside(const road_branch *branch, const road_foot *foot)
{
    double edge[ROAD_LANES_MAX + 1];
    road_lanes_edges(&branch->lanes, foot->station, edge);
    const double left = foot->offset - edge[0], right = edge[branch->lanes.count] - foot->offset;
    const double across = fmax(fmax(left, right), 0.0), s = foot->station;
    const double along = fmax(fmax(-s, s - branch->path.length), 0.0);
    return hypot(across, along);
}

void road_network_at(const road *r, double x, double y, double hint, mc_road_point *out)
{
    const road_network *net = r->net;
    road_foot foot;
    road_path_project(&net->branches[0].path, x, y, hint, &foot);
    answer(r, 0, &foot, out);
    if (net->branch_count == 1 || (!isnan(hint) && out->lane >= 0))
        return;
    double best = beside(&net->branches[0], &foot);
    int found = 0;
    for (int k = 0; k < net->branch_count && (best > 0.0 || k == 0); k++) {
        road_foot other;
        road_path_project(&net->branches[k].path, x, y, NAN, &other);
        const double distance = beside(&net->branches[k], &other);
        if (distance < best || k == 0) {
            best = distance;
            foot = other;
            found = k;
        }
    }
    answer(r, found, &foot, out);
}

bool road_has_relief(const road *r)
{
    bool found = !road_is_level(r) || r->friction.count > 0;
    for (int k = 0; r->net && k < r->net->branch_count; k++) {
        const road_branch *b = &r->net->branches[k];
        found = found || b->bank.count > 0 || b->surface ||
                (b->along && (!road_is_level(b->along) || b->along->friction.count > 0));
    }
    return found;
}
