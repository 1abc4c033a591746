// svg.h - what drawings share: text as XML, round numbers, the theme of figures, axes and paths.
//
// Figures are written to a FILE in memory (open_memstream) and go to disk as a whole; the crash
// picture writes to a file_writer. So helpers either write to a FILE or hand out small pieces.
#pragma once

#include "motorcade/plot.h"

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>

#define SVG_INK "#1d2733"
#define SVG_FAINT "#66717d"

// ---- text (svg.c) ----

enum { SVG_PIECE = 8 };

// The next character of *text as XML, without a final '\0'; moves *text on. Returns its length, 0
// at the end. Invalid bytes become a question mark, control characters a blank.
int svg_text_next(const char **text, char piece[SVG_PIECE]);

void svg_text(FILE *out, const char *text);
int svg_text_length(const char *text);                // in characters
double svg_text_width(const char *text, double size); // px, a guess on the wide side: fonts differ

// Coordinates with at most two decimals, no zeros at the end.
const char *svg_px(double value, char buffer[32]);

// Numbers have a point whatever the program's locale.
typedef struct svg_locale {
    locale_t plain, old;
} svg_locale;

svg_locale svg_locale_begin(void);
void svg_locale_end(svg_locale locale);

// ---- numbers (svg.c) ----

// The largest of 1, 2, 5 times a power of ten that is not above x > 0.
double svg_round_down(double x);

// The smallest of 1, 1.5, 2, 3, 4, 5, 6, 8, 10 times a power of ten that is not below x > 0.
double svg_round_up(double x);

// ---- figures (svg.c) ----

static const double svg_title_size = 19.0, svg_caption_size = 14.0; // px, font sizes

static const double svg_tick_size = 14.0, svg_name_size = 15.0; // of axes
static const double svg_tick_length = 5.0;

// Opens the element, with style, paper, title and caption. NULL texts are left out.
void svg_figure_begin(FILE *out, double width, double height, const char *title,
                      const char *caption);
void svg_figure_end(FILE *out);
double svg_figure_head(const char *title, const char *caption); // px, down to what follows

// Rows of colours, for figures that need them: classes mc-r0, mc-r1, ... of lines in an order,
// mc-s0 ... of a map from little to much, mc-d0 ... of a map around a middle.
typedef enum svg_ramp { SVG_RAMP_LINES, SVG_RAMP_SEQUENCE, SVG_RAMP_DIVERGING } svg_ramp;
enum { SVG_SEQUENCE_COUNT = 16, SVG_DIVERGING_COUNT = 17, SVG_RAMP_KINDS = 3 };
void svg_ramp_style(FILE *out, svg_ramp ramp); // after svg_figure_begin
// The light values of all variables of the theme, as declarations: for a page that is always light.
void svg_theme_light(FILE *out);

// A part of a path, from (x, y) by (dx, dy).
void svg_stroke(FILE *out, double x, double y, double dx, double dy);

// text at (x, y) in a class of the theme ("mc-ink", "mc-faint"), cut when wider than `max` px.
void svg_label(FILE *out, double x, double y, double size, const char *anchor, const char *class,
               double max, const char *text);

// Puts the bytes in the file, whole or not at all, and frees them.
mc_status svg_save(const char *path, char *text, size_t size, mc_error *error);

// ---- axes (plot_axis.c) ----

enum { AXIS_TICK_MAX = 100 };

typedef struct axis_tick {
    double px;
    bool major;
    char text[32];  // "" without a label
    char power[16]; // raised behind it
} axis_tick;

// Ends of an axis that holds low..high with `room` of their distance beyond them: never empty, and
// an offset where the distance is small. low_px and high_px are not touched.
void axis_fit(mc_plot_scale *scale, double low, double high, double room);

// Ticks for an axis of at most `max` labels.
int axis_ticks(const mc_plot_scale *scale, int max, axis_tick ticks[AXIS_TICK_MAX]);

double axis_tick_width(const axis_tick *tick, double size);
void axis_tick_text(FILE *out, const axis_tick *tick, double size);

int axis_y_labels(const mc_plot_scale *y); // as many as have room

// Grid, axes, ticks and their numbers; `part` selects those of x.
typedef enum axis_x_part { AXIS_X_NONE, AXIS_X_GRID, AXIS_X_NUMBERS } axis_x_part;
void axis_write(FILE *out, const mc_plot_scale *x, const mc_plot_scale *y, axis_x_part part);

// ---- paths (plot_path.c) ----

// Is there something to draw at point i, a finite y and on a logarithmic axis one above 0?
bool path_shows(const mc_plot_curve *curve, const mc_plot_scale *y, int i);

// The value of attribute d. mark: number of the shape, for points.
void path_write(FILE *out, const mc_plot_curve *curve, const mc_plot_scale *x,
                const mc_plot_scale *y, int mark);

// One mark, as path_write draws them.
void path_mark(FILE *out, int mark, double x, double y);
