// panel.h - surfaces with a thickness: plane polygons, ruled surfaces between two curves, bicubic
// Bezier patches.
//
// The mass lies on the middle surface, t per area, and the thickness adds int z^2 = t^3/12 along
// the normal, which is exact for a plane panel. A bent one is off by (t/R)^2.
#pragma once

#include "shape/curve.h"
#include "shape/skin.h"

typedef enum panel_kind { PANEL_POLYGON, PANEL_RULED, PANEL_PATCH, PANEL_KIND_COUNT } panel_kind;
extern const char *const panel_kind_names[PANEL_KIND_COUNT];

typedef struct concept_panel {
    panel_kind kind;
    const double (*point)[3]; // corners of a polygon; 16 control points of a patch, row by row
    int count;
    concept_curve edge[2]; // ruled: from the first to the second, both from t = 0 to 1
    double thickness;      // m
} concept_panel;

// Volume moments (density 1) and area of one side.
concept_moments panel_moments(const concept_panel *panel, double *area);
void panel_skin(const concept_panel *panel, concept_mesh *out);
// Distance of the corners of a polygon from their plane, m.
double panel_flatness(const concept_panel *panel);
