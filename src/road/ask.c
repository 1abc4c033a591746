// ask.c - the public questions about paths, lanes and ramps.
#include "road/network.h"

#include <math.h>
#include <string.h>

static const road_branch *branch_of(const mc_road *r, int path)
{
    return r && r->net && path >= 0 && path < r->net->branch_count ? &r->net->branches[path] : NULL;
}

void mc_road_place(const mc_road *r, int path, double station, double offset, double *x, double *y,
                   double *heading)
{
    const road_branch *branch = branch_of(r, path);
    const road_pose pose = branch ? road_path_place(&branch->path, station, offset)
                                  : (road_pose){station, offset, 0.0};
    *x = pose.x;
    *y = pose.y;
    *heading = pose.heading;
}

int mc_road_lane_count(const mc_road *r, int path)
{
    const road_branch *branch = branch_of(r, path);
    if (branch)
        return branch->lanes.count;
    return r && !r->net && path == 0 ? r->lane_count : 0;
}

bool mc_road_lane_at(const mc_road *r, int path, int lane, double station, mc_road_lane *out)
{
    const road_branch *branch = branch_of(r, path);
    if (branch)
        return road_lanes_look(&branch->lanes, lane, station, out);
    const bool there = lane >= 0 && lane < mc_road_lane_count(r, path);
    *out = (mc_road_lane){.centre = there ? road_lane_y(r, lane) : NAN,
                          .width = there ? r->lane_width : 0.0,
                          .speed = NAN,
                          .headway = NAN,
                          .separation = NAN};
    return there;
}

bool mc_road_section_at(const mc_road *r, int path, int index, double *station)
{
    const road_branch *branch = branch_of(r, path);
    if (!branch || index < 0 || index >= branch->lanes.section_count)
        return false;
    *station = branch->lanes.sections[index].s;
    return true;
}

double mc_road_lane_centre(const mc_road *r, int path, int lane, double station, double *width)
{
    mc_road_lane found;
    const bool there = mc_road_lane_at(r, path, lane, station, &found);
    *width = there ? found.width : 0.0;
    return there ? found.centre : NAN;
}

static bool has_rules(const road_lane *l, bool through)
{
    const bool ends = l->a <= 0.0 || l->b != 0.0 || l->c != 0.0 || l->e != 0.0;
    return (through && ends) || l->use != MC_ROAD_ANY || l->enter != MC_ROAD_ANY ||
           !isnan(l->speed) || !isnan(l->headway) || !isnan(l->separation);
}

bool road_has_rules(const road *r)
{
    for (int b = 0; r->net && b < r->net->branch_count; b++) {
        const road_lanes *l = &r->net->branches[b].lanes;
        for (int k = 0; k < l->section_count; k++)
            for (int lane = 0; lane < l->count; lane++)
                if (has_rules(&l->sections[k].lane[lane], b == 0 && lane < r->lane_count))
                    return true;
    }
    return false;
}

double road_next_section(const road *r, int path, double station)
{
    const road_branch *branch = branch_of(r, path);
    for (int k = 0; branch && k < branch->lanes.section_count; k++)
        if (branch->lanes.sections[k].s > station)
            return branch->lanes.sections[k].s;
    return HUGE_VAL;
}

int mc_road_path_count(const mc_road *r)
{
    return r && r->net ? r->net->branch_count : 1;
}

bool mc_road_path_at(const mc_road *r, int path, mc_road_path *out)
{
    *out = (mc_road_path){.name = "main", .length = HUGE_VAL, .line_count = 1};
    out->lane_count = mc_road_lane_count(r, path);
    const road_branch *branch = branch_of(r, path);
    if (!branch)
        return path == 0;
    *out = (mc_road_path){.name = branch->name,
                          .length = branch->endless ? HUGE_VAL : branch->path.length,
                          .closed = branch->path.closed,
                          .lane_count = branch->lanes.count,
                          .turn = branch->path.end.heading - branch->path.start.heading};
    for (int k = 0; k < branch->path.piece_count; k++) {
        const road_piece *p = &branch->path.pieces[k];
        out->max_curvature = fmax(out->max_curvature, fmax(fabs(p->k0), fabs(p->k1)));
        if (p->k0 != p->k1)
            out->clothoid_count++;
        else if (p->k0 != 0.0)
            out->arc_count++;
        else
            out->line_count++;
    }
    return true;
}

int mc_road_ramp_count(const mc_road *r)
{
    return r && r->net ? r->net->ramp_count : 0;
}

static bool same_line(const road_path *a, const road_path *b)
{
    bool same = a->piece_count == b->piece_count && a->start.x == b->start.x &&
                a->start.y == b->start.y && a->start.heading == b->start.heading;
    for (int k = 0; same && k < a->piece_count; k++) {
        const road_piece *p = &a->pieces[k], *q = &b->pieces[k];
        same = p->length == q->length && p->k0 == q->k0 && p->k1 == q->k1;
    }
    return same;
}

int road_same_ramp(const road *a, int k, const road *b)
{
    const mc_road_ramp *p = &a->net->ramps[k];
    for (int j = 0; j < mc_road_ramp_count(b); j++) {
        const mc_road_ramp *q = &b->net->ramps[j];
        // The noses depend on the widths of the lanes.
        const bool alike = p->on == q->on && p->main == q->main && p->lane == q->lane &&
                           p->from == q->from && p->to == q->to && p->at == q->at &&
                           p->nose == q->nose && p->ramp_nose == q->ramp_nose;
        if (alike && strcmp(p->name, q->name) == 0 &&
            same_line(&a->net->branches[p->path].path, &b->net->branches[q->path].path))
            return j;
    }
    return -1;
}

bool mc_road_ramp_at(const mc_road *r, int ramp, mc_road_ramp *out)
{
    if (ramp < 0 || ramp >= mc_road_ramp_count(r))
        return false;
    *out = r->net->ramps[ramp];
    return true;
}

double mc_road_path_base(const mc_road *r, int path)
{
    for (int k = 0; k < mc_road_ramp_count(r); k++) {
        const mc_road_ramp *ramp = &r->net->ramps[k];
        if (ramp->path == path)
            return ramp->at - (ramp->on ? r->net->branches[path].path.length : 0.0);
    }
    return 0.0;
}
