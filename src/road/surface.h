// surface.h - an uneven surface: heights over a grid along and across a reference line.
//
//   u     along, from `from` in steps of `step`;  v across, left positive
//   z     bilinear between the rows and columns of the grid
//
// What is beyond the grid is decided by a border mode per direction, what a missing cell is by the
// reader: cells are finite here. A surface may be a closed form instead (shape.h), without a grid,
// or terrain (terrain.h), whose grids and forms are layers of it. One that is laid over a part of a
// road ends there, and another one may follow.
#pragma once

#include "road/shape.h"

#include <stdbool.h>

typedef enum road_border {
    ROAD_BORDER_NONE,    // no height there
    ROAD_BORDER_ZERO,    // 0
    ROAD_BORDER_KEEP,    // as at the edge
    ROAD_BORDER_REPEAT,  // again from the other edge
    ROAD_BORDER_REFLECT, // mirrored
} road_border;

typedef struct road_surface {
    int rows, columns;
    double from, step; // m, of u
    const double *v;   // m, of the columns, increasing
    const double *z;   // m, row by row
    road_border border_u, border_v;
    double border_offset_u, border_offset_v; // m, added to the height beyond the grid
    double smooth_from, smooth_to;           // m, over which the height comes and goes at the ends
    const road_shape *shape;                 // NULL: the grid
    double shape_p[ROAD_SHAPE_PARAM_MAX];
    const struct road_terrain *terrain; // NULL: the grid or the shape
    bool clipped;                       // it lies from clip_from to clip_to of u only
    double clip_from, clip_to;          // m
    const struct road_surface *next;    // where this one is clipped; NULL: none
} road_surface;

// Height and its derivatives along u and v; false: there is none (border none), and all are 0.
bool road_surface_at(const road_surface *s, double u, double v, double *z, double *zu, double *zv);
