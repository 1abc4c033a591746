// paper.h - sheets of A4: text, boxes and pictures at places, as a PDF in memory.
//
// Lengths are points, 1/72 inch; y grows downwards from the top of the sheet. Text is set by Pango,
// pictures (SVG) are drawn by librsvg as vectors. Same calls, same bytes on the same machine: the
// PDF has no date. Fonts are embedded; which one "sans-serif" is, the machine says.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>
#include <stddef.h>

#define PAPER_WIDTH 595.28
#define PAPER_HEIGHT 841.89
#define PAPER_MARGIN 42.0

typedef struct paper paper;

typedef struct paper_style {
    double size; // pt
    bool bold, mono;
    unsigned colour; // 0xRRGGBB
    enum { PAPER_LEFT, PAPER_RIGHT } align;
} paper_style;

paper *paper_open(const char *title, mc_error *error);

// Ends the PDF. Its bytes, to be freed with free(); NULL with the reason in error. Frees p.
char *paper_close(paper *p, size_t *size, mc_error *error);

// Pango markup, wrapped at `width`; its height. draw: false only measures.
double paper_text(paper *p, const char *markup, const paper_style *style, double x, double y,
                  double width, bool draw);

// Widths of text that is not wrapped, and of its longest word.
void paper_text_width(paper *p, const char *markup, const paper_style *style, double *natural,
                      double *word);

void paper_box(paper *p, double x, double y, double width, double height, double radius,
               unsigned colour);

// The size of a picture in px; MC_BAD_INPUT when it cannot be read.
mc_status paper_picture_size(const char *svg, double *width, double *height, mc_error *error);
mc_status paper_picture(paper *p, const char *svg, double x, double y, double width, double height,
                        mc_error *error);

// Ends the sheet, with a foot; the next call begins another.
void paper_turn(paper *p);
int paper_number(const paper *p); // of the sheet, from 1

// An entry of the table of contents that readers of PDF show.
void paper_bookmark(paper *p, const char *text, double y);
