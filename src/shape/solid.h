// solid.h - solids with closed forms, centred at the origin with their axes along x, y, z: volume
// moments (density 1) and skin.
#pragma once

#include "shape/skin.h"

concept_moments solid_box(const double size[3]);                            // full lengths
concept_moments solid_cylinder(double radius, double inner, double length); // about x
concept_moments solid_ellipsoid(const double size[3]);                      // full lengths

void solid_box_skin(const double size[3], concept_mesh *out);
void solid_cylinder_skin(double radius, double inner, double length, concept_mesh *out);
void solid_ellipsoid_skin(const double size[3], concept_mesh *out);

// A polygon in a plane, moved along `along`: corners in space, in order; a closed skin. The
// polygon need not be convex. Signed volume: negative when the corners run the other way.
void solid_extrusion_skin(const double (*corner)[3], int count, const double along[3],
                          concept_mesh *out);
