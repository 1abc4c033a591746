// crg.h - uneven surfaces from OpenCRG files (.crg).
//
// A header of text in sections, each begun by a line with `$`, then rows of numbers along a
// reference line: text (LRFI, LDFI) or big-endian binary (KRBI, KDBI), single (R) or double (D)
// precision. The surface is
//
//   z(u, v) = z of the reference line + banking v + grid, bilinear between rows and columns
//
// u along the reference line, v left of it. The line is a polygon: heading i leads from point i - 1
// to point i. A scenario lays u and v along the line of its road: station and offset.
#pragma once

#include "base/arena.h"
#include "motorcade/status.h"
#include "road/surface.h"

#include <stdbool.h>

typedef struct crg_surface {
    road_surface surface;  // reference line and banking included
    char form[5];          // of the payload: KRBI, ...
    bool straight;         // the reference line
    const double *x, *y;   // m, of its points, one per row
    const double *heading; // rad, of the line up to each; [0] as [1]
    char unread[200];      // keywords that were passed over, "a, b"; "": none
} crg_surface;

// Arrays live in the arena. file stands for the bytes in messages.
mc_status crg_parse(arena *memory, const char *bytes, size_t size, const char *file,
                    crg_surface *out, mc_error *error);

// u and v of a place, from a u near it; NAN: of all. Between two points u is shared out by the
// distances from the lines through them that halve the angle of the polygon, so it is continuous.
void crg_uv(const crg_surface *c, double x, double y, double hint, double *u, double *v);
