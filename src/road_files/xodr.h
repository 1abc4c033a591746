// xodr.h - roads from OpenDRIVE files (.xodr).
//
// Read are: planView (line, arc, spiral, poly3, paramPoly3), elevation, superelevation, laneOffset,
// lane sections with widths, types, links and speed, links between roads and the connections of
// junctions. What else a file has is counted and named in notes.
//
// Every road becomes a path for the lanes of its right side and, driven in the other direction, one
// for those of its left side, if it has lanes to drive on there. Path 0 is the longest of them that
// is not in a junction. Lanes of other types, such as a median, between lanes to drive on are kept,
// closed; those outside of them are left out. Stations are those of the file.
#pragma once

#include "base/arena.h"
#include "motorcade/status.h"
#include "road/road.h"

enum { XODR_NOTES_MAX = 40 };

typedef struct xodr_notes { // what was left out or changed
    int count;
    int line[XODR_NOTES_MAX];
    char text[XODR_NOTES_MAX][200];
} xodr_notes;

// The road of a file, with its network; friction is that of *out before. Lives in the arena.
mc_status xodr_parse(arena *memory, const char *bytes, size_t size, const char *file, road *out,
                     xodr_notes *notes, mc_error *error);
