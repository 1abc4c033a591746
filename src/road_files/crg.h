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
    const double *rise;    // m, height of its points, part of the surface
    const double *bank;    // -, banking there, part of the surface
    char unread[200];      // keywords that were passed over, "a, b"; "": none
} crg_surface;

// Arrays live in the arena. file stands for the bytes in messages.
mc_status crg_parse(arena *memory, const char *bytes, size_t size, const char *file,
                    crg_surface *out, mc_error *error);

// The forms of the numbers in a file.
typedef struct crg_form {
    bool binary; // big-endian; else text
    bool wide;   // double precision (text: 20 columns); else single (10 columns)
    bool padded; // every row begins on a record of 80 bytes, or on a line
} crg_form;
// By its word, such as LDFI; false: it is none.
bool crg_form_of(const char *word, crg_form *out);

// The file of a surface with a grid, complete: its heights hold everything, so the reference line
// of the file is level. To be freed; NULL: no memory. x, y, heading of *crg may be NULL: straight.
char *crg_text(const crg_surface *crg, crg_form form, const char *comment, size_t *size);

// u and v of a place, from a u near it; NAN: of all. Between two points u is shared out by the
// distances from the lines through them that halve the angle of the polygon, so it is continuous.
void crg_uv(const crg_surface *c, double x, double y, double hint, double *u, double *v);
