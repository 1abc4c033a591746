// beam.h - a section swept along a curve, normal to it.
//
// The section's height direction v is the part of `up` across the tangent T, its width direction u
// = v x T. With the curvature k = dT/ds an element at h = u e_u + v e_v from the curve has the
// volume (1 - k . h) dA ds, so that
//
//     dV = A ds,   int h = -J k,   int h h' = J - (third moments) k,
//
// which is the solid itself, not a thin rod: a ring of round section has m (R^2 + 3/4 a^2) about
// its axis. Corners of a polyline are butt joints.
#pragma once

#include "shape/curve.h"
#include "shape/skin.h"
#include "shape/section.h"

// Volume moments (density 1) and length. up: a unit vector nowhere along the curve.
concept_moments beam_moments(const concept_curve *curve, const concept_section *section,
                             const double up[3], double *length);
void beam_skin(const concept_curve *curve, const concept_section *section, const double up[3],
               concept_mesh *out);
// The smallest sine of the angle between the curve and up, on its pieces' middles and ends.
double beam_up_sine(const concept_curve *curve, const double up[3]);
// The smallest 1 - k . h: not above 0 where the section is wider than the bend.
double beam_tightness(const concept_curve *curve, const concept_section *section,
                      const double up[3]);
