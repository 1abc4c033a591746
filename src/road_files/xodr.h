// xodr.h - roads from OpenDRIVE files (.xodr).
//
// Read are: planView (line, arc, spiral, poly3, paramPoly3), elevation, superelevation, laneOffset,
// lane sections with widths, types, links and speed, surfaces of OpenCRG files that are attached,
// links between roads and the connections of junctions. What else a file has is counted and named
// in notes.
//
// Every road becomes a path for the lanes of its right side and, driven in the other direction, one
// for those of its left side, if it has lanes to drive on there. Path 0 is the longest of them that
// is not in a junction. Lanes of other types, such as a median, between lanes to drive on are kept,
// closed; those outside of them are left out. Stations are those of the file.
#pragma once

#include "base/arena.h"
#include "io/xml_reader.h"
#include "motorcade/status.h"
#include "road/road.h"

enum { XODR_NOTES_MAX = XML_NOTES_MAX };
typedef xml_notes xodr_notes;

// Where the files that a file names come from. false: *error has the text.
typedef struct xodr_files {
    void *context;
    bool (*take)(void *context, const char *name, const char **bytes, size_t *size,
                 const char **path, mc_error *error);
} xodr_files;

// Which lane of a path a lane of the file is. Lives in the arena.
typedef struct xodr_index xodr_index;
// false: there is no such road, or no lane to drive on with that id at that station. *station: of
// the path, which a left lane drives the other way.
bool xodr_find_lane(const xodr_index *index, const char *id, int lane, double s, int *path,
                    int *strip, double *station);
// The id of the road of a path and whether it is driven along it.
const char *xodr_road_of(const xodr_index *index, int path, bool *along);

// The road of a file, with its network; friction is that of *out before. Lives in the arena.
mc_status xodr_parse(arena *memory, const char *bytes, size_t size, const char *file, road *out,
                     xodr_notes *notes, mc_error *error);
// The same with the files that it names, NULL: they are not opened, and with an index, NULL: none.
mc_status xodr_parse_with(arena *memory, const char *bytes, size_t size, const char *file,
                          const xodr_files *files, road *out, const xodr_index **index,
                          xodr_notes *notes, mc_error *error);
