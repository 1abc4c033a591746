// marks.h - words over a picture: cards with names, a clock, a legend.
#pragma once

#include "render/image.h"

typedef struct marks marks;

// dark: in the evening. NULL: no memory.
marks *marks_open(image *m, const camera *view, bool dark);
void marks_close(marks *k);

// A card above a place, with a line down to it: a name in this colour (sRGB) and a value after it;
// "": none. Cards do not cover each other: one that finds no room is left out.
void marks_card(marks *k, vec at, const char *name, const float colour[3], const char *value);
// The contour of an ellipsoid, semi-axes as columns (row major), dashed or not.
void marks_ellipsoid(marks *k, vec middle, const float axes[9], bool dashed);
// A mass centre: a quartered disc over everything.
void marks_centre(marks *k, vec at);
// A card in the lower right corner: large text, and what it is.
void marks_clock(marks *k, const char *text, const char *what);
// A legend of colours (linear) in the upper right corner, from 0 to high.
void marks_legend(marks *k, const char *title, double high, const char *unit,
                  void colour(double share, float out[3]));
// Lines of name and value in the upper left corner; the first line is the title.
void marks_table(marks *k, const char *title, const char *const (*row)[2], int count);
