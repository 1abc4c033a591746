// xodr_parts.h - what the files of the OpenDRIVE reader share: xodr.c reads the roads, xodr_line.c
// their lines and profiles, xodr_strips.c their lanes, xodr_links.c where they meet.
#pragma once

#include "io/xml_reader.h"
#include "road/network.h"
#include "road_files/xodr.h"

typedef struct xodr_lane {
    int id;
    bool drive;             // a lane to drive on
    const road_poly *width; // `at`: stations
    int width_count;
    int before, after; // ids of the linked lanes; 0: none
    double speed;      // m/s; NAN: none
    int strip;         // of the path
} xodr_lane;

typedef struct xodr_section {
    double from, to;  // m
    xodr_lane *lanes; // of one side, from the centre outwards
    int count;
    bool linked; // some lane has a link
} xodr_section;

typedef struct xodr_side { // right, or left
    xodr_section *sections;
    int strips; // 0: no lanes to drive on
    int path;   // -1: none
} xodr_side;

typedef struct xodr_road {
    const xml_node *node;
    const char *id, *name;
    double length; // m
    bool in_junction;
    const road_piece *pieces;
    int piece_count;
    road_pose start;
    road_polys elevation, bank, offset;
    int section_count;
    double speed;      // m/s, of its type; NAN: none
    xodr_side side[2]; // right, left
} xodr_road;

typedef struct xodr_reader {
    xml_reader x;
    const xodr_files *files; // NULL: none are opened
    xodr_road *roads;
    int road_count;
} xodr_reader;

struct xodr_index {
    const xodr_road *roads;
    int road_count;
};

// Cubics a, b, c, d of elements `name`, in order of the attribute `key`, which counts from `from`.
road_polys xodr_polys(xodr_reader *r, const xml_node *parent, const char *name, const char *key,
                      double from);

void xodr_read_line(xodr_reader *r, xodr_road *way);
// The slope of the elevation, in the direction of the side.
void xodr_make_slope(xodr_reader *r, const xodr_road *way, bool left, road *out);

void xodr_read_lanes(xodr_reader *r, xodr_road *way);
void xodr_make_lanes(xodr_reader *r, const xodr_road *way, bool left, road_lanes *out);
// Cubics of the station, of the other direction and with the other sign.
road_polys xodr_reverse(xodr_reader *r, road_polys p, double length);

// Surfaces that lie on the road, as the path sees them; NULL: none.
const road_surface *xodr_make_surface(xodr_reader *r, const xodr_road *way, bool left);

void xodr_read_links(xodr_reader *r, const xml_node *root, road_network *net);
