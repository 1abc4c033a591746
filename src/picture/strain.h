// strain.h - a deformed body as an affine image (web/src/scene3d/strain.ts).
//
// The directors are the columns of F = R U: R turns, U strains. Magnified by k the picture is
// R + k (F - R). Matrices are row major.
#pragma once

void strain_of_directors(const double pose[12], double f[9]);
void strain_rotation(const double f[9], double r[9]); // R, by Higham's iteration
void strain_magnified(const double f[9], const double r[9], double k, double out[9]);
// Equivalent strain, sqrt(2/3 e : e), e the deviator of Green's strain (F'F - 1)/2; the same at
// every place of a body that deforms affinely.
double strain_equivalent(const double f[9]);
// A round number at the end of a scale, not below the largest strain shown and close to it.
double strain_scale_end(double largest);
// Colour of a share 0 .. 1 of the scale, linear.
void strain_colour(double share, float out[3]);
