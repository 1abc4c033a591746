// picture.h - a crash scene as one SVG file, from above and from the side.
//
// Each vehicle is the exact outline of its deformed ellipsoid with the deformation magnified: axes
// shown = rest + magnification (axes - rest), about the true centre. The undeformed outline is
// dashed, colour is elastic energy, arrows show velocity relative to the mean of all vehicles (from
// above only), stars are contacts with their impulses. Windows, lamps and wheels are not part of
// the model: they show which way a vehicle points.
//
// The file is self-contained: no fonts, styles or scripts from elsewhere.
//
// Threads: functions keep nothing between calls and may be called from any thread.
#pragma once

#include "motorcade/status.h"
#include "motorcade/vehicle_model.h"

#include "motorcade/begin.h"

typedef struct mc_picture_vehicle {
    mc_ellipsoid surface; // m, world, as it is
    double rest_axes[9];  // m, axes of the undeformed ellipsoid in the same orientation
    double heading;       // rad, where the front points: 0 along x, positive to the left
    double velocity[3];   // m/s, of the mass centre
    double elastic;       // J
    char label[16];       // UTF-8; "": its place in the list, from 1
} mc_picture_vehicle;

typedef struct mc_picture_impact {
    int a, b;         // places in the list of vehicles, from 0; -1: not in the picture
    double time;      // s; the point moves with a and b to the time of the picture
    double point[3];  // m, world
    double normal[3]; // unit, from a to b
    double impulse;   // N s, on b along the normal, on a against it
} mc_picture_impact;

typedef struct mc_picture {
    const char *title; // UTF-8; NULL: none
    double time;       // s
    double magnification;
    double z_road;      // m
    double max_elastic; // J, at the end of the colour scale; 0: a round number for these vehicles
    const mc_picture_vehicle *vehicles;
    int vehicle_count; // at least 1
    const mc_picture_impact *impacts;
    int impact_count;
} mc_picture;

// MC_BAD_INPUT names the vehicle or impact that cannot be drawn.
mc_status mc_picture_write(const char *path, const mc_picture *picture, mc_error *error);

// ---- the numbers behind it, for callers that draw by other means ----

typedef enum mc_picture_view {
    MC_PICTURE_VIEW_TOP,  // u = x, v = y
    MC_PICTURE_VIEW_SIDE, // u = x, v = z
    MC_PICTURE_VIEW_COUNT,
} mc_picture_view;

typedef struct mc_picture_ellipse {
    double centre[2]; // m, (u, v)
    double semi[2];   // m, the larger first
    double angle;     // rad, of the larger from u towards v
    double extent[2]; // m, half of the width along u, half of the height along v
} mc_picture_ellipse;

void mc_picture_shown_axes(const mc_picture_vehicle *vehicle, double magnification, double out[9]);

// Outline of { centre + axes s, |s| <= 1 } in a view.
void mc_picture_outline(const double centre[3], const double axes[9], mc_picture_view view,
                        mc_picture_ellipse *out);

typedef struct mc_picture_layout {
    double width, height; // px, of the whole
    double scale;         // px/m, of both views
    double semi;          // px, larger semi-axis from above of the smallest vehicle, undeformed
    struct {
        double top, bottom; // px, of the strip that holds the view; y goes down
        double u_px, v_px;  // px, where u = 0 and v = 0 are
    } view[MC_PICTURE_VIEW_COUNT];
    double legend_top;       // px
    double velocity_mean[3]; // m/s
    double velocity_scale;   // px per m/s; 0: all move alike
    double impulse_scale;    // px per N s; 0: no impulse
    double velocity_key;     // m/s, round number for the legend
    double impulse_key;      // N s
    double length_key;       // m
    double max_elastic;      // J, at the end of the colour scale
} mc_picture_layout;

void mc_picture_layout_find(const mc_picture *picture, mc_picture_layout *out);

// Colour of a share 0..1 of max_elastic, sRGB 0..255. Lightness falls evenly with the share.
void mc_picture_colour(double share, unsigned char rgb[3]);

#include "motorcade/end.h"
