// graph.c - a graph of lanes to one road with ramps.
#include "exchange/graph.h"

#include <math.h>
#include <stdlib.h>

#define JOINT 50.0        // m, of a ramp that is drawn again where it meets the road
#define RAMP_LENGTH 800.0 // m, of a ramp that is read at most
#define RAMP_TURN 0.7     // rad, at a junction where a ramp ends and a street begins
#define RAMP_LANE 20.0    // m, of its lane at least

int graph_edge_of(const graph *g, const char *id)
{
    return text_index_get(&g->by_id, id);
}

int graph_chain_place(const graph_road *road, int edge)
{
    for (int i = 0; i < road->chain_count; i++)
        if (road->chain[i] == edge)
            return i;
    return -1;
}

// ---- the chain ----

static double end_heading(const graph_edge *e)
{
    const graph_lane *l = &e->lanes[0];
    return atan2(l->line[l->count - 1].y - l->line[l->count - 2].y,
                 l->line[l->count - 1].x - l->line[l->count - 2].x);
}

static double start_heading(const graph_edge *e)
{
    const graph_lane *l = &e->lanes[0];
    return atan2(l->line[1].y - l->line[0].y, l->line[1].x - l->line[0].x);
}

// Links by the edge that they leave, or come to.
static void sort_links(xml_reader *r, const graph *g, bool leave, int **first, int **list)
{
    int *begin = xml_alloc(r, g->edge_count + 2, sizeof *begin);
    int *sorted = xml_alloc(r, g->link_count, sizeof *sorted);
    if (r->status != MC_OK)
        return;
    for (int k = 0; k < g->link_count; k++)
        begin[(leave ? g->links[k].from : g->links[k].to) + 2]++;
    for (int i = 0; i < g->edge_count; i++)
        begin[i + 2] += begin[i + 1];
    for (int k = 0; k < g->link_count; k++)
        sorted[begin[(leave ? g->links[k].from : g->links[k].to) + 1]++] = k;
    *first = begin;
    *list = sorted;
}

static int links_between(const graph *g, int from, int to)
{
    int count = 0;
    for (int k = g->first_out[from]; k < g->first_out[from + 1]; k++)
        count += g->links[g->out[k]].to == to;
    return count;
}

// The edge after (or before) one: that with most links, of several the straightest; -1: none.
static int next_edge(const graph *g, int edge, bool forward, const bool *used)
{
    int found = -1, most = 0;
    double least = HUGE_VAL;
    const int *first = forward ? g->first_out : g->first_in;
    for (int k = first[edge]; k < first[edge + 1]; k++) {
        const graph_link *l = &g->links[forward ? g->out[k] : g->in[k]];
        const int other = forward ? l->to : l->from;
        if (used[other])
            continue;
        const int count = links_between(g, l->from, l->to);
        const double turn = fabs(remainder(
            start_heading(&g->edges[l->to]) - end_heading(&g->edges[l->from]), 2.0 * M_PI));
        if (count > most || (count == most && turn < least - 1e-9))
            found = other, most = count, least = turn;
    }
    return found;
}

static int widest_edge(const graph *g)
{
    int found = 0;
    for (int i = 1; i < g->edge_count; i++)
        if (g->edges[i].length * g->edges[i].lane_count >
            g->edges[found].length * g->edges[found].lane_count)
            found = i;
    return found;
}

static void make_chain(xml_reader *r, graph_road *road, int start)
{
    const graph *g = road->g;
    bool *used = xml_alloc(r, g->edge_count, sizeof *used);
    if (!used)
        return;
    int *back = xml_alloc(r, GRAPH_CHAIN_MAX, sizeof *back), count = 0;
    if (!back)
        return;
    used[start] = true;
    for (int e = start; (e = next_edge(g, e, false, used)) >= 0 && count < GRAPH_CHAIN_MAX / 2;) {
        used[e] = true;
        back[count++] = e;
    }
    while (count > 0)
        road->chain[road->chain_count++] = back[--count];
    road->chain[road->chain_count++] = start;
    for (int e = start;
         (e = next_edge(g, e, true, used)) >= 0 && road->chain_count < GRAPH_CHAIN_MAX;) {
        used[e] = true;
        road->chain[road->chain_count++] = e;
    }
}

// ---- strips ----

static void insert_strip(graph_road *road, int upto, int at)
{
    for (int i = 0; i <= upto; i++)
        for (int k = 0; k < road->g->edges[road->chain[i]].lane_count; k++)
            if (road->strip[i][k] >= at)
                road->strip[i][k]++;
    road->lanes++;
}

// The strip that is linked to a lane from the edge before, of several the leftmost; -1: none.
static int strip_before(const graph_road *road, int i, int lane)
{
    const graph *g = road->g;
    int found = -1;
    const int edge = road->chain[i];
    for (int k = g->first_in[edge]; i > 0 && k < g->first_in[edge + 1]; k++) {
        const graph_link *l = &g->links[g->in[k]];
        if (l->from != road->chain[i - 1] || l->to_lane != lane)
            continue;
        const int strip = road->strip[i - 1][l->from_lane];
        found = found < 0 || strip < found ? strip : found;
    }
    return found;
}

static void make_strips(xml_reader *r, graph_road *road)
{
    for (int i = 0; i < road->chain_count && r->status == MC_OK; i++) {
        const graph_edge *e = &road->g->edges[road->chain[i]];
        road->strip[i] = xml_alloc(r, e->lane_count, sizeof *road->strip[i]);
        if (r->status != MC_OK)
            return;
        for (int k = 0; k < e->lane_count; k++)
            road->strip[i][k] = -1;
        int last = -1;
        for (int k = 0; k < e->lane_count; k++) {
            int strip = strip_before(road, i, k);
            if (strip <= last) {
                strip = last + 1;
                insert_strip(road, i, strip);
            }
            road->strip[i][k] = last = strip;
        }
        if (road->lanes > 60)
            xml_reject(r, e->node, "the road has more than 60 lanes from here on");
    }
}

// The first and last edge of the chain with a strip, and whether it is the rightmost on all.
static bool extent_of(const graph_road *road, int strip, int *first, int *last)
{
    bool rightmost = true;
    *first = -1;
    for (int i = 0; i < road->chain_count; i++) {
        const graph_edge *e = &road->g->edges[road->chain[i]];
        for (int k = 0; k < e->lane_count; k++)
            if (road->strip[i][k] == strip) {
                *first = *first < 0 ? i : *first;
                *last = i;
                rightmost = rightmost && k == e->lane_count - 1 && e->lane_count > 1;
            }
    }
    return rightmost && *first >= 0;
}

// A link between the rightmost lane of an edge of the chain and an edge outside of it; NULL: none.
static const graph_link *side_link(const graph_road *road, int i, bool in)
{
    const graph *g = road->g;
    const int edge = road->chain[i], lane = g->edges[edge].lane_count - 1;
    const int *first = in ? g->first_in : g->first_out;
    for (int k = first[edge]; k < first[edge + 1]; k++) {
        const graph_link *l = &g->links[in ? g->in[k] : g->out[k]];
        if ((in ? l->to_lane : l->from_lane) == lane &&
            graph_chain_place(road, in ? l->from : l->to) < 0)
            return l;
    }
    return NULL;
}

typedef struct side { // the lane of a ramp, or of two
    int first, last;  // of the chain
    const graph_link *in, *out;
} side;

// The strips that are lanes of ramps get the number -1, the others are counted again.
static int find_sides(graph_road *road, side *sides)
{
    int count = 0, lanes = 0;
    for (int strip = 0; strip < road->lanes; strip++) {
        int first = -1, last = -1, number = lanes;
        const bool rightmost = extent_of(road, strip, &first, &last);
        if (first < 0)
            continue;
        const graph_link *in = first > 0 ? side_link(road, first, true) : NULL;
        const graph_link *out = last + 1 < road->chain_count ? side_link(road, last, false) : NULL;
        const bool on_the_way = first > 0 && last + 1 < road->chain_count;
        if (rightmost && on_the_way && (in || out) && count < GRAPH_RAMPS_MAX / 2) {
            sides[count++] = (side){first, last, in, out};
            number = -1;
        }
        lanes += number >= 0;
        for (int i = 0; i < road->chain_count; i++)
            for (int k = 0; k < road->g->edges[road->chain[i]].lane_count; k++)
                if (road->strip[i][k] == strip)
                    road->strip[i][k] = number < 0 ? -1000 : -1 - number;
    }
    for (int i = 0; i < road->chain_count; i++)
        for (int k = 0; k < road->g->edges[road->chain[i]].lane_count; k++)
            road->strip[i][k] = road->strip[i][k] == -1000 ? -1 : -1 - road->strip[i][k];
    road->lanes = lanes;
    return count;
}

// ---- the line ----

static int lane_of_strip(const graph_road *road, int i, int strip)
{
    for (int k = 0; k < road->g->edges[road->chain[i]].lane_count; k++)
        if (road->strip[i][k] == strip)
            return k;
    return -1;
}

// m, how far the middle of a lane of the road is right of the line on an edge of the chain: the
// right edge of the first lane and the left edges of the others keep their places.
static double right_of_line(const graph_road *road, int i, int strip)
{
    double right = 0.0;
    for (int k = 0; k < strip; k++)
        right += k == 0 || lane_of_strip(road, i, k) >= 0 ? road->width : 0.0;
    return right;
}

// The strip that is on most edges, of several the first.
static int common_strip(const graph_road *road)
{
    int found = 0, most = -1;
    for (int strip = 0; strip < road->lanes; strip++) {
        int count = 0;
        for (int i = 0; i < road->chain_count; i++)
            count += lane_of_strip(road, i, strip) >= 0;
        if (count > most)
            found = strip, most = count;
    }
    return found;
}

static const graph_link *link_of(const graph *g, int from, int to, int from_lane)
{
    for (int k = g->first_out[from]; k < g->first_out[from + 1]; k++) {
        const graph_link *l = &g->links[g->out[k]];
        if (l->to == to && l->from_lane == from_lane)
            return l;
    }
    return NULL;
}

typedef struct points {
    polyline_point *p;
    int count;
} points;

static void append(points *out, const polyline_point *p, int count, double left)
{
    if (count < 2)
        return;
    polyline_shift(p, count, left, out->p + out->count);
    out->count += count;
}

static int count_points(const graph *g)
{
    int count = 0;
    for (int i = 0; i < g->edge_count; i++)
        for (int k = 0; k < g->edges[i].lane_count; k++)
            count += g->edges[i].lanes[k].count;
    for (int k = 0; k < g->link_count; k++)
        count += g->links[k].via_count;
    return count;
}

// The points of the line, edge by edge; begin[i], end[i]: where those of an edge are.
static points collect_line(xml_reader *r, const graph_road *road, int *begin, int *end)
{
    const graph *g = road->g;
    points out = {xml_alloc(r, count_points(g) + 2, sizeof *out.p), 0};
    const int usual = common_strip(road);
    for (int i = 0; out.p && i < road->chain_count; i++) {
        int strip = usual, lane = lane_of_strip(road, i, strip);
        for (int k = 0; lane < 0 && k < road->lanes; k++)
            lane = lane_of_strip(road, i, strip = k);
        lane = lane < 0 ? 0 : lane;
        const graph_lane *l = &g->edges[road->chain[i]].lanes[lane];
        const double left = right_of_line(road, i, strip);
        begin[i] = out.count;
        append(&out, l->line, l->count, left);
        end[i] = out.count - 1;
        const graph_link *link =
            i + 1 < road->chain_count ? link_of(g, road->chain[i], road->chain[i + 1], lane) : NULL;
        if (link && link->via)
            append(&out, link->via, link->via_count, left);
    }
    return out;
}

static void make_line(xml_reader *r, graph_road *road)
{
    int *begin = xml_alloc(r, 2 * road->chain_count, sizeof *begin);
    int *end = begin ? begin + road->chain_count : NULL;
    const points line = begin ? collect_line(r, road, begin, end) : (points){0};
    const xml_node *node = road->g->edges[road->chain[0]].node;
    polyline_fit fit;
    mc_error error = {0};
    if (r->status != MC_OK)
        return;
    if (!polyline_follow(r->memory, line.p, line.count, road->speed, NAN, NAN, &fit)) {
        xml_reject(r, node, "the lanes of the road have no length");
        return;
    }
    if (!(fit.length <= 1e6)) {
        xml_reject(r, node, "the road is %.4g m long; expected at most 1e6 m", fit.length);
        return;
    }
    if (fit.curvature > 0.2) {
        xml_reject(r, node,
                   "the road turns with a radius of %.3g m; expected at least 5 m, so that it can "
                   "be driven on",
                   1.0 / fit.curvature);
        return;
    }
    if (fit.curvature * road->speed * road->speed > 4.0)
        xml_note(r, NULL, "the road turns with a radius of %.4g m, which is tight for %.3g m/s",
                 1.0 / fit.curvature, road->speed);
    road->error = fit.error;
    if (road_path_make(r->memory, fit.start, fit.pieces, fit.count, false, &road->path, &error) !=
        MC_OK) {
        xml_reject(r, node, "%s", error.text);
        return;
    }
    double hint = 0.0;
    for (int i = 0; i < road->chain_count; i++) {
        road_foot foot;
        const polyline_point a = line.p[begin[i]], b = line.p[end[i]];
        road_path_project(&road->path, a.x, a.y, hint, &foot);
        road->begin[i] = i ? fmax(foot.station, road->begin[i - 1]) : 0.0;
        road_path_project(&road->path, b.x, b.y,
                          hint + polyline_length(&line.p[begin[i]], end[i] - begin[i] + 1), &foot);
        hint = foot.station;
        road->end[i] =
            i + 1 < road->chain_count ? fmax(foot.station, road->begin[i]) : road->path.length;
    }
}

double graph_lane_offset(const graph_road *road, int lane, double station)
{
    int i = 0;
    while (i + 1 < road->chain_count && road->begin[i + 1] <= station)
        i++;
    return -right_of_line(road, i, lane);
}

// ---- ramps ----

// The edges of a ramp from the chain outwards, and the lane of each.
static int walk_ramp(const graph_road *road, const graph_link *link, bool on, int *edges,
                     int *lanes)
{
    const graph *g = road->g;
    int count = 0, edge = on ? link->from : link->to, lane = on ? link->from_lane : link->to_lane;
    double length = 0.0;
    while (count < GRAPH_RAMP_EDGES_MAX && length < RAMP_LENGTH) {
        edges[count] = edge;
        lanes[count++] = lane;
        length += g->edges[edge].length;
        const graph_link *next = NULL;
        const int *first = on ? g->first_in : g->first_out;
        for (int k = first[edge]; k < first[edge + 1] && !next; k++) {
            const graph_link *l = &g->links[on ? g->in[k] : g->out[k]];
            const int other = on ? l->from : l->to;
            bool seen = graph_chain_place(road, other) >= 0;
            for (int i = 0; i < count; i++)
                seen = seen || edges[i] == other;
            const double turn = remainder(
                start_heading(&g->edges[l->to]) - end_heading(&g->edges[l->from]), 2.0 * M_PI);
            if ((on ? l->to_lane : l->from_lane) == lane && !seen && fabs(turn) < RAMP_TURN)
                next = l;
        }
        if (!next)
            break;
        edge = on ? next->from : next->to;
        lane = on ? next->from_lane : next->to_lane;
    }
    return count;
}

// Near the joint the shapes of junctions turn within metres: one arc takes their place.
static void clear_joint(points *line, bool on)
{
    const int last = line->count - 1;
    const double total = polyline_length(line->p, line->count);
    double way = 0.0;
    int kept = 0;
    for (int i = 0; i <= last; i++) {
        way += i ? hypot(line->p[i].x - line->p[i - 1].x, line->p[i].y - line->p[i - 1].y) : 0.0;
        const double from_joint = on ? total - way : way;
        if (i == 0 || i == last || from_joint > fmin(JOINT, 0.4 * total))
            line->p[kept++] = line->p[i];
    }
    line->count = kept;
}

// The line of a ramp in the direction of travel; its stations go to begin.
static bool ramp_line(xml_reader *r, const graph_road *road, const graph_link *link, bool on,
                      graph_ramp *out)
{
    const graph *g = road->g;
    int edges[GRAPH_RAMP_EDGES_MAX], lanes[GRAPH_RAMP_EDGES_MAX];
    const int count = walk_ramp(road, link, on, edges, lanes);
    int room = link->via_count;
    for (int i = 0; i < count; i++) {
        const graph_link *to_next =
            i + 1 < count
                ? link_of(g, edges[on ? i + 1 : i], edges[on ? i : i + 1], lanes[on ? i + 1 : i])
                : NULL;
        room += g->edges[edges[i]].lanes[lanes[i]].count + (to_next ? to_next->via_count : 0);
    }
    points line = {xml_alloc(r, room, sizeof *line.p), 0};
    if (!line.p)
        return false;
    if (!on && link->via)
        append(&line, link->via, link->via_count, 0.0);
    for (int n = 0; n < count; n++) {
        const int i = on ? count - 1 - n : n;
        const graph_lane *l = &g->edges[edges[i]].lanes[lanes[i]];
        out->edges[n] = edges[i];
        out->begin[n] = polyline_length(line.p, line.count);
        append(&line, l->line, l->count, 0.0);
        const int next = on ? i - 1 : i + 1;
        const graph_link *between =
            next >= 0 && next < count ? link_of(g, edges[i], edges[next], lanes[i]) : NULL;
        if (between && between->via)
            append(&line, between->via, between->via_count, 0.0);
        if (g->edges[edges[i]].lane_count > 1)
            xml_note(r, g->edges[edges[i]].node,
                     "edge %.60s: a ramp has one lane; the others of its %d lanes are not read",
                     g->edges[edges[i]].id, g->edges[edges[i]].lane_count);
    }
    out->edge_count = count;
    if (on && link->via)
        append(&line, link->via, link->via_count, 0.0);
    const double heading = road_path_place(&road->path, out->at, 0.0).heading;
    clear_joint(&line, on);
    polyline_fit fit;
    if (!polyline_follow(r->memory, line.p, line.count, out->speed, on ? NAN : heading,
                         on ? heading : NAN, &fit))
        return false;
    out->total = fit.length;
    if (fit.curvature > 0.2)
        return false;
    out->pieces = fit.pieces;
    out->piece_count = fit.count;
    // It has to be right of the road some way off.
    road_foot foot;
    const polyline_point far = on ? line.p[0] : line.p[line.count - 1];
    road_path_project(&road->path, far.x, far.y, NAN, &foot);
    return foot.offset < graph_lane_offset(road, road->lanes - 1, out->at) - 1.5 * road->width;
}

static void add_ramp(xml_reader *r, document *d, graph_road *road, const graph_link *link, bool on,
                     double from, double to)
{
    const graph *g = road->g;
    const graph_edge *edge = &g->edges[on ? link->from : link->to];
    graph_ramp *out = &road->ramps[road->ramp_count];
    const double extent = to - from;
    *out = (graph_ramp){.on = on, .at = on ? from : to};
    out->taper = fmin(60.0, 0.25 * extent);
    out->length = extent - out->taper;
    out->width = edge->lanes[0].width;
    out->speed = edge->lanes[0].speed;
    out->name = document_name_of(d, edge->id);
    if (extent < RAMP_LANE)
        xml_note(r, edge->node, "edge %.60s is not read: its lane beside the road has only %.3g m",
                 edge->id, extent);
    else if (!ramp_line(r, road, link, on, out))
        xml_note(r, edge->node,
                 "edge %.60s is not read: a ramp has to be right of the road, with radii of 5 m "
                 "and more",
                 edge->id);
    else
        road->ramp_count++;
}

static void make_ramps(xml_reader *r, document *d, graph_road *road, const side *sides, int count)
{
    for (int k = 0; k < count && r->status == MC_OK; k++) {
        const side *s = &sides[k];
        const double from = road->begin[s->first];
        const double to = s->out ? road->end[s->last] : road->begin[s->last + 1];
        const double middle = 0.5 * (from + to);
        if (s->in && s->out)
            xml_note(r, road->g->edges[road->chain[s->first]].node,
                     "edge %.60s: its right lane belongs half to the on-ramp and half to the "
                     "off-ramp",
                     road->g->edges[road->chain[s->first]].id);
        if (s->in)
            add_ramp(r, d, road, s->in, true, from, s->out ? middle : to);
        if (s->out)
            add_ramp(r, d, road, s->out, false, s->in ? middle : from, to);
    }
}

// ---- all of it ----

static void measure_lanes(graph_road *road)
{
    double area = 0.0, length = 0.0;
    road->speed = NAN;
    for (int i = 0; i < road->chain_count; i++) {
        const graph_edge *e = &road->g->edges[road->chain[i]];
        for (int k = 0; k < e->lane_count; k++) {
            area += e->lanes[k].width * e->length;
            length += e->length;
            road->speed = fmax(road->speed, e->lanes[k].speed);
        }
    }
    road->width = fmin(fmax(round(1000.0 * area / length) / 1000.0, 1.0), 20.0);
}

graph_road *graph_make_road(xml_reader *r, document *d, graph *g, int start)
{
    sort_links(r, g, true, &g->first_out, &g->out);
    sort_links(r, g, false, &g->first_in, &g->in);
    graph_road *road = xml_alloc(r, 1, sizeof *road);
    side *sides = xml_alloc(r, GRAPH_RAMPS_MAX, sizeof *sides);
    if (r->status != MC_OK)
        return NULL;
    road->g = g;
    make_chain(r, road, start < 0 ? widest_edge(g) : start);
    make_strips(r, road);
    if (r->status != MC_OK)
        return NULL;
    measure_lanes(road);
    const int count = find_sides(road, sides);
    make_line(r, road);
    if (r->status == MC_OK)
        make_ramps(r, d, road, sides, count);
    return r->status == MC_OK ? road : NULL;
}

bool graph_find(const graph_road *road, int edge, int lane, double distance, graph_place *out)
{
    const int i = graph_chain_place(road, edge);
    const double share = road->g->edges[edge].length > 0.0
                             ? fmin(fmax(distance / road->g->edges[edge].length, 0.0), 1.0)
                             : 0.0;
    if (i >= 0) {
        const int strip = road->strip[i][lane];
        *out = (graph_place){-1, strip < 0 ? road->lanes : strip,
                             road->begin[i] + share * (road->end[i] - road->begin[i])};
        return true;
    }
    for (int k = 0; k < road->ramp_count; k++) {
        const graph_ramp *ramp = &road->ramps[k];
        for (int n = 0; n < ramp->edge_count; n++)
            if (ramp->edges[n] == edge && ramp->on) {
                *out = (graph_place){k, 0, fmin(ramp->begin[n] + distance, ramp->total)};
                return true;
            }
    }
    return false;
}

int graph_exit_of(const graph_road *road, int edge)
{
    for (int k = 0; k < road->ramp_count; k++)
        for (int n = 0; n < road->ramps[k].edge_count; n++)
            if (!road->ramps[k].on && road->ramps[k].edges[n] == edge)
                return k;
    return -1;
}
