// section.h - cross sections of beams: area and moments about the centroid.
//
// Width is along u, height along v; the beam's curve runs through the centroid.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>

typedef enum section_number { // of a section, m
    SECTION_WIDTH,
    SECTION_HEIGHT,
    SECTION_THICKNESS,
    SECTION_RADIUS,
    SECTION_AREA,     // m2
    SECTION_MOMENT_U, // m4, int v^2 dA
    SECTION_MOMENT_V, // m4, int u^2 dA
    SECTION_NUMBER_COUNT,
} section_number;

typedef struct concept_section {
    double area;
    double uu, vv;          // int u^2, int v^2 dA; products are zero by symmetry
    double uuu, uvv;        // third moments that symmetry in v leaves
    double low[2], high[2]; // outline, for pictures and dimensions
} concept_section;

typedef struct section_kind {
    const char *name, *doc;
    unsigned needs; // bits of section_number
    // false: the wall is too thick. Ranges were checked.
    bool (*make)(const double number[SECTION_NUMBER_COUNT], concept_section *out);
} section_kind;

extern const char *const section_number_names[SECTION_NUMBER_COUNT];
extern const char *const section_number_units[SECTION_NUMBER_COUNT];

const section_kind *section_kind_at(int i); // NULL past the last
