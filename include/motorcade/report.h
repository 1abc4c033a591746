// report.h - a run's results file as one page, or as plots.
//
// The page is HTML with everything inside: style, pictures (SVG), tables; no script, nothing from
// elsewhere, so that it can be sent, kept and printed. It shows what the file holds and says what
// it does not: only the tables "time" and "motion" must be there. Up to 12 cars have their own
// curves; of more cars the first, the last and the worst are chosen, with the range of all and maps
// of all beside them. Same file, same bytes: there is no date in it. Texts of the file (a
// scenario, names) are shown, never obeyed.
//
// A run that is still on, or was killed, is shown up to its last right row.
#pragma once

#include "motorcade/status.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

mc_status mc_report_write(const char *run, const char *path, mc_error *error);

// The same bytes in memory, '\0' at the end; to be freed with free(). size may be NULL.
mc_status mc_report_text(const char *run, char **text, size_t *size, mc_error *error);

// Quantities of a run as curves, one panel a quantity, one curve a car.
typedef struct mc_run_plot {
    const char *y;    // names of quantities with commas between them: "v,a"
    const char *x;    // "t" or the name of a quantity; NULL: "t"
    const char *cars; // numbers from 1, ranges and names: "1-4,8,truck"; NULL: all, of more than 24
                      // some of them evenly
    double from, to;  // s; NAN: from the first row, to the last
    const char *title; // NULL: the name of the run
} mc_run_plot;

// Writes what is named, each file whole or not at all: an SVG picture, a PNG picture (by the
// program rsvg-convert, Debian package librsvg2-bin), a CSV table with all rows and digits. NULL:
// not wanted. What is not known (a quantity, a car) is MC_BAD_INPUT, with the nearest known one.
mc_status mc_run_plot_write(const char *run, const mc_run_plot *plot, const char *svg,
                            const char *png, const char *csv, mc_error *error);

#ifdef __cplusplus
}
#endif
