// report.h - a results file as one page, as a PDF, or as plots.
//
// Files of `motorcade run`, `motorcade medusa` and `motorcade simulate` (docs/results.md), also
// those of Motorcade 0.1.
//
// The page is self-contained HTML: style, pictures (SVG), tables; no script, nothing from
// elsewhere, so that it can be sent, kept and printed. It shows what the file contains and says
// what it does not: only the tables "time" and "motion" are required. Up to 12 cars have their own
// curves; of more cars the first, the last and the worst are selected, along with the range and
// maps of all. Same file, same bytes: it contains no date. Texts of the file (a scenario, names)
// are shown, never obeyed.
//
// A path that ends in .pdf gives the same content as a PDF on A4, set with the fonts of the
// machine; .html, .htm and a name without ending give the page, other endings are MC_BAD_INPUT.
//
// A run that is still in progress, or was killed, is shown up to its last valid row.
//
// Threads: functions keep nothing between calls and may be called from any thread. They read a
// results file: see record.h.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>
#include <stddef.h>

#include "motorcade/begin.h"

mc_status mc_report_write(const char *run, const char *path, mc_error *error);

// The bytes of the page in memory, '\0' at the end; to be freed with free(). size may be NULL.
mc_status mc_report_text(const char *run, char **text, size_t *size, mc_error *error);

// Quantities of a run as curves, one panel per quantity, one curve per car.
typedef struct mc_run_plot {
    const char *y;    // names of quantities with commas between them: "v,a"
    const char *x;    // "t" or the name of a quantity; NULL: "t"
    const char *cars; // numbers from 1, ranges and names: "1-4,8,truck"; NULL: all, of more than 24
                      // some of them evenly
    double from, to;  // s; NAN: from the first row, to the last
    const char *title; // NULL: the name of the run
    bool lanes;        // one quantity, with a panel for each lane; a mark where a car comes into it
} mc_run_plot;

// Writes what is named, each file whole or not at all: an SVG picture, a PNG picture (by the
// program rsvg-convert, Debian package librsvg2-bin), a CSV table with all rows and digits. NULL:
// not written. An unknown quantity or car is MC_BAD_INPUT, with the nearest known one.
mc_status mc_run_plot_write(const char *run, const mc_run_plot *plot, const char *svg,
                            const char *png, const char *csv, mc_error *error);

#include "motorcade/end.h"
