// xodr_write.h - a road as an OpenDRIVE file.
//
// Every path becomes a road with lanes on its right side only, in the order of the paths: pieces of
// its line as line, arc and spiral, height as cubics, bank as superelevation, the left edge of lane
// 1 as laneOffset, one laneSection per section. A strip that has no width somewhere is written with
// the width 0, so that it is the same lane before and after.
//
// OpenDRIVE joins roads at their ends only. A ramp that meets the main road somewhere along it is a
// road of its own, and an element userData of code motorcade.ramp says where; xodr.c reads it back.
#pragma once

#include "io/xml_reader.h"
#include "motorcade/road.h"

#include <stddef.h>

typedef struct xodr_write_options {
    double length;       // m, of a road without an end
    const char *surface; // name of the OpenCRG file of the main road's surface; NULL: none
    double surface_from, surface_to; // m, stations it lies over
} xodr_write_options;

// The file, complete. To be freed; NULL: no memory. notes: what has no place in the format.
char *xodr_text(const mc_road *road, const char *name, const xodr_write_options *options,
                xml_notes *notes, size_t *size);
