// graph.h - lanes of another program as a graph, and the one road that is made of it.
//
// An edge is a bundle of lanes side by side, driven in one direction, from the left. A link leads
// from a lane to a lane of another edge. The road is a chain of edges: from one on, forwards and
// backwards, each time to the edge that most lanes lead to, of several the one with the smallest
// turn. A lane that is linked to one of the next edge is the same lane of the road.
//
//     ramp edge   ---\             /---- ramp edge
//     lane beside     ====     ====
//     chain       =========================
//
// A rightmost lane that begins where an edge from outside of the chain leads into it, and ends on
// the way, is the acceleration lane of an on-ramp; one that begins on the way, and ends where an
// edge leaves the chain, the deceleration lane of an off-ramp; one that does both is shared by two
// ramps. Other edges are not part of the road.
#pragma once

#include "exchange/document.h"
#include "exchange/index.h"
#include "exchange/polyline.h"
#include "road/path.h"

typedef struct graph_lane {
    const char *id;
    const polyline_point *line; // its middle, in the direction of travel
    int count;
    double width, speed; // m, m/s; NAN: no limit
} graph_lane;

typedef struct graph_edge {
    const char *id;
    const xml_node *node; // for messages
    graph_lane *lanes;    // from the left
    int lane_count;
    double length; // m, as stations of the file count
} graph_edge;

typedef struct graph_link {
    int from, from_lane, to, to_lane; // lanes from the left
    const polyline_point *via;        // between them; NULL: none
    int via_count;
} graph_link;

typedef struct graph {
    graph_edge *edges;
    int edge_count;
    graph_link *links;
    int link_count;
    text_index by_id; // of the edges
    // Filled by graph_make_road: links that leave edge i are out[first_out[i]] ..
    // out[first_out[i + 1]] of the links, those that come to it are in[...] likewise.
    int *first_out, *out, *first_in, *in;
} graph;

enum { GRAPH_CHAIN_MAX = 2000, GRAPH_RAMPS_MAX = 100, GRAPH_RAMP_EDGES_MAX = 20 };

typedef struct graph_ramp {
    const char *name;
    bool on;
    double at, length, taper; // m, as in a scenario
    double width, speed;      // m, m/s; NAN: none
    const road_piece *pieces;
    int piece_count;
    double total;                       // m, length of its line
    int edges[GRAPH_RAMP_EDGES_MAX];    // in the direction of travel
    double begin[GRAPH_RAMP_EDGES_MAX]; // m, stations of the ramp
    int edge_count;
} graph_ramp;

typedef struct graph_road {
    const graph *g;
    int chain[GRAPH_CHAIN_MAX];                          // edges
    double begin[GRAPH_CHAIN_MAX], end[GRAPH_CHAIN_MAX]; // m, their stations
    int *strip[GRAPH_CHAIN_MAX]; // of the lanes of each: lane of the road, from 0 at the left; -1:
                                 // the lane of a ramp
    int chain_count;
    int lanes;           // that go through
    double width, speed; // m, m/s: of lanes; the highest limit, NAN: none
    road_path path;
    double error; // m, by which the line misses the points of the file
    graph_ramp ramps[GRAPH_RAMPS_MAX];
    int ramp_count;
} graph_road;

// The road from an edge on; NULL: r->status says why. start: -1: the edge with the largest area.
graph_road *graph_make_road(xml_reader *r, document *d, graph *g, int start);

// The key `road` of the scenario, with its lines. commands: further keys, such as "headway: 1".
void graph_print_road(const graph_road *road, FILE *out, const char *commands);

typedef struct graph_place {
    int ramp;       // -1: the main road
    int lane;       // from 0 at the left; of a ramp 0
    double station; // m
} graph_place;
// A place on a lane, by its distance from the start of the edge; false: the edge is not part of the
// road.
bool graph_find(const graph_road *road, int edge, int lane, double distance, graph_place *out);
// The off-ramp that an edge belongs to; -1: none.
int graph_exit_of(const graph_road *road, int edge);
// Whether an edge is one of the chain, and which.
int graph_chain_place(const graph_road *road, int edge);
// The edge with an id; -1: none.
int graph_edge_of(const graph *g, const char *id);
// m, offset of the middle of a lane from the line at a station.
double graph_lane_offset(const graph_road *road, int lane, double station);
