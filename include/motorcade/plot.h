// plot.h - curves and matrices as SVG figures.
//
//     const mc_plot_curve curves[] = {
//         {.label = "front", .unit = "rad", .x = t, .y = q1, .count = n},
//         {.label = "rear", .unit = "rad", .x = t, .y = q2, .count = n},
//     };
//     const mc_plot_panel panel = {.y = {.label = "Pitch"}, .curves = curves, .curve_count = 2};
//     const mc_plot plot = {.title = "Speed bump", .x = {.label = "Time", .unit = "s"},
//                           .panels = &panel, .panel_count = 1};
//     mc_status status = mc_plot_write("bump.svg", &plot, &error);
//
// Panels are stacked and share the x axis. Names of curves are to the right, in the order in which
// the curves end there; nothing covers the curves.
//
// What is drawn:
// 1. A y that is NAN is a gap. On a logarithmic axis a 0 is a gap too, and a note counts them: an
//    error that starts at 0 is common. A negative value there is an error of the caller.
// 2. Of a long curve whose x never decreases, each pixel column keeps its first, smallest, largest
//    and last value: 100,000 points take about 30 kB, and no peak is lost. Where x goes back and
//    forth, points closer than a third of a pixel to the previous one are left out, but never
//    extremes.
// 3. A curve that is constant to 1e-12 of its size is drawn flat, not as magnified rounding.
// 4. Where values differ by less than 1e-5 of their size, the axis shows the difference to a round
//    number, and its name says which.
//
// The file is self-contained: no fonts, styles or scripts from elsewhere, no ids, so that several
// figures can be in one HTML page. It follows the light or dark setting of the reader; a page with
// its own setting can override the variables --mc-* of the class mc-figure. Programs without
// support for CSS variables show it light. Same input, same bytes. Texts are UTF-8; NULL is "".
//
// Threads: functions keep nothing between calls and may be called from any thread.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>
#include <stddef.h>

#include "motorcade/begin.h"

// ---- curves ----

typedef enum mc_plot_style {
    MC_PLOT_STYLE_LINE,
    MC_PLOT_STYLE_POINTS, // a mark at every point, another shape for each curve
    MC_PLOT_STYLE_STEPS,  // y holds from its x to the next
    MC_PLOT_STYLE_COUNT,
} mc_plot_style;

typedef struct mc_plot_curve {
    const char *label;
    const char *unit;    // of y; shown on the axis when all curves of the panel have the same
    const double *x, *y; // count values; x finite, y finite or NAN, not all NAN
    int count;           // at least 1
    mc_plot_style style;
    // 1..MC_PLOT_COLOUR_COUNT; 0: by its place in the panel. Curves in an order (the cars of a
    // platoon) take MC_PLOT_RAMP + k, k from 0 to MC_PLOT_RAMP_COUNT - 1, dark to light.
    int colour;
    bool dashed; // whatever its colour
} mc_plot_curve;

// A dashed line across all panels: an instant at which something happened. Names are above the
// first panel as far as they fit.
typedef struct mc_plot_mark {
    double x; // finite; not drawn outside of the axis
    const char *label;
    bool strong; // in a colour, and its name goes before others
} mc_plot_mark;

typedef struct mc_plot_axis {
    const char *label;
    const char *unit;
    double low, high; // the ends; both 0: to fit the curves
    bool logarithmic;
} mc_plot_axis;

enum {
    MC_PLOT_COLOUR_COUNT = 9,
    MC_PLOT_RAMP = 100,
    MC_PLOT_RAMP_COUNT = 12,
    MC_PLOT_CURVE_MAX = 36, // in a panel
    MC_PLOT_PANEL_MAX = 24, // in a plot
};

typedef struct mc_plot_panel {
    mc_plot_axis y; // without a label: that of the only curve; without a unit: that of the curves
    const mc_plot_curve *curves;
    int curve_count; // at least 1
    double height;   // px, of the axes; 0: by the number of panels; more when the names need it
} mc_plot_panel;

typedef struct mc_plot {
    const char *title;
    const char *caption; // a line below the title
    mc_plot_axis x;
    const mc_plot_panel *panels;
    int panel_count; // at least 1
    double width;    // px, 300 to 4000; 0: 900
    // x is a real part and y an imaginary part, both linear: lines of equal damping ratio, and the
    // unstable half plane shaded.
    bool complex_plane;
    const mc_plot_mark *marks; // in order of x
    int mark_count;
} mc_plot;

// MC_BAD_INPUT names the panel or curve that cannot be drawn.
mc_status mc_plot_write(const char *path, const mc_plot *plot, mc_error *error);

// The same bytes in memory, '\0' at the end, for a page that holds the figure; to be freed with
// free(). size may be NULL.
mc_status mc_plot_text(const mc_plot *plot, char **text, size_t *size, mc_error *error);

// Groups curves by unit, units in the order of their first curve, and makes one panel per unit: the
// quick way from a list of names to a plot. Returns the number of panels. panels: room for count.
int mc_plot_by_unit(mc_plot_curve *curves, int count, mc_plot_panel *panels);

// ---- bars ----

typedef struct mc_plot_series {
    const char *label;
    const double *values; // one per place; NAN: no bar
    int colour;           // as of curves; 0: by its place in the list
} mc_plot_series;

typedef struct mc_plot_bars {
    const char *title, *caption;
    mc_plot_axis x, y;        // x: only its label; y: linear, ends 0 and 0 to fit the bars
    const char *const *names; // below each place, as far as they have room; NULL: numbers from 1
    int count;                // places, 1 to MC_PLOT_BAR_MAX
    const mc_plot_series *series;
    int series_count; // 1 to MC_PLOT_COLOUR_COUNT
    bool stacked;     // series of a place on top of each other (values not below 0), not beside
    double base;      // where bars begin; 0 when stacked
    bool shade_above; // what is above base is shaded: too much
    double width;     // px, as of plots
} mc_plot_bars;

enum { MC_PLOT_BAR_MAX = 2000 };

mc_status mc_plot_bars_text(const mc_plot_bars *bars, char **text, size_t *size, mc_error *error);

// ---- maps ----

typedef struct mc_plot_heat {
    const char *title, *caption;
    mc_plot_axis x, y;           // linear, with both ends
    mc_plot_axis value;          // linear; ends 0 and 0: to fit the values
    int column_count, row_count; // 1 to MC_PLOT_HEAT_MAX
    const double *values; // [row][column], the first row at the low end of y; NAN: left blank
    bool diverging;       // blue to orange, white at 0; the ends lie evenly about 0
    double width, height; // px, height of the axes; 0: 900 and 320
} mc_plot_heat;

enum { MC_PLOT_HEAT_MAX = 2000 };

// Values are shown by 16 colours (17 about a middle), with a scale at the right.
mc_status mc_plot_heat_text(const mc_plot_heat *heat, char **text, size_t *size, mc_error *error);

// ---- matrices ----

typedef enum mc_plot_entry {
    MC_PLOT_ENTRY_ZERO,     // blank
    MC_PLOT_ENTRY_CONSTANT, // light square
    MC_PLOT_ENTRY_VARYING,  // dark square
    MC_PLOT_ENTRY_COUNT,
} mc_plot_entry;

typedef struct mc_plot_matrix {
    const char *title;
    int row_count, column_count;      // at least 1, at most MC_PLOT_MATRIX_MAX
    const unsigned char *entries;     // mc_plot_entry of row i, column j at i * column_count + j
    const char *const *row_labels;    // NULL: numbers from 1
    const char *const *column_labels; // NULL: numbers from 1
} mc_plot_matrix;

enum { MC_PLOT_MATRIX_MAX = 20000 };

// Which entries are zero, constant, varying, with their numbers. Matrices are placed side by side
// as far as they fit. Labels are left out where squares are too small for them; of a matrix too
// large for a mark each, a mark stands for a block of entries and shows the strongest of them.
mc_status mc_plot_matrix_write(const char *path, const char *title, const mc_plot_matrix *matrices,
                               int matrix_count, mc_error *error);
mc_status mc_plot_matrix_text(const char *title, const mc_plot_matrix *matrices, int matrix_count,
                              char **text, size_t *size, mc_error *error);

void mc_plot_matrix_counts(const mc_plot_matrix *matrix, long counts[MC_PLOT_ENTRY_COUNT]);

// ---- the numbers behind it, for callers that draw by other means ----

typedef struct mc_plot_scale {
    double low, high;       // values at the ends
    double low_px, high_px; // where these are
    bool logarithmic;
    double offset; // what the numbers on the axis are less than the values; 0 mostly
} mc_plot_scale;

double mc_plot_px(const mc_plot_scale *scale, double value);

// Multiples of 1, 2 or 5 times a power of ten between low and high, both included: the finest such
// step that gives at most `max` ticks (2 to 100). Returns their number; ticks has room for max.
int mc_plot_ticks(double low, double high, int max, double *ticks);

typedef struct mc_plot_layout {
    double width, height;               // px, of the whole
    mc_plot_scale x;                    // of all panels
    mc_plot_scale y[MC_PLOT_PANEL_MAX]; // low_px is the bottom of the panel, high_px the top
} mc_plot_layout;

// MC_BAD_INPUT as mc_plot_write.
mc_status mc_plot_layout_find(const mc_plot *plot, mc_plot_layout *out, mc_error *error);

#include "motorcade/end.h"
