// road_file.h - roads and surfaces from files: read, described, drawn, sampled, written.
//
//     mc_road_file *file = mc_road_file_read("town.xodr", &error);
//     if (file)
//         mc_road_draw(mc_road_file_road(file), "the town", "town.svg", &error);
//     mc_road_file_free(file);
//
// The format follows from the ending: .xodr is OpenDRIVE, .crg OpenCRG. The road of an OpenCRG file
// has the file's reference line and surface, and one lane of its width. mc_scenario_road
// (scenario.h) is the road of a scenario.
//
// Threads: a file that was read never changes; any number of threads may use it.
#pragma once

#include "motorcade/road.h"
#include "motorcade/status.h"

#include "motorcade/begin.h"

typedef struct mc_road_file mc_road_file;

// NULL: see *error, which has the place.
mc_road_file *mc_road_file_read(const char *path, mc_error *error);
void mc_road_file_free(mc_road_file *file); // NULL: nothing to do

const mc_road *mc_road_file_road(const mc_road_file *file); // lives as long as the file
const char *mc_road_file_format(const mc_road_file *file);  // "OpenDRIVE", "OpenCRG LRFI", ...

// What was left out or changed, with the line of the file; false: past the last.
bool mc_road_file_note(const mc_road_file *file, int index, int *line, const char **text);

// How far the ends of a path are apart, m: small where a circuit closes.
double mc_road_gap(const mc_road *road, int path);

// The plan view as SVG: lanes, reference lines, ramps, a scale.
mc_status mc_road_draw(const mc_road *road, const char *title, const char *path, mc_error *error);

// A row every `step` m of every path: path, station, x, y, heading, curvature, grade, bank, height,
// friction, and the edges of its lanes, as CSV.
mc_status mc_road_sample(const mc_road *road, double step, const char *path, mc_error *error);

// Writes a road as OpenDRIVE, or its surface as OpenCRG, by the ending of path: .xodr or .crg. An
// OpenDRIVE file of a road with a surface gets an OpenCRG file next to it, of the same name.
// Missing options have their defaults.
typedef struct mc_road_write_options {
    const char *title; // NULL: the name of the file
    double length;     // m, of a road without an end; 0: 1000
    const char *form;  // of the numbers of a surface: KRBI, KDBI, LRFI, LDFI; NULL: KDBI
    double step;       // m, between heights of a surface that is not a grid; 0: 0.1
    void (*note)(void *context, const char *text); // told what has no place in the format
    void *context;
} mc_road_write_options;
mc_status mc_road_write(const mc_road *road, const char *path, const mc_road_write_options *options,
                        mc_error *error);
// The same of a file: an OpenCRG file keeps its reference line.
mc_status mc_road_file_write(const mc_road_file *file, const char *path,
                             const mc_road_write_options *options, mc_error *error);

#include "motorcade/end.h"
