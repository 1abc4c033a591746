// shape.h - what the bodies of a mechanism look like: as the file says, or by mass and inertia.
#pragma once

#include "multibody/model.h"

extern const char *const mb_shape_names[MC_SHAPE_COUNT];
extern const char *const mb_finish_names[MC_SHAPE_FINISH_COUNT];

// Shape i of a body with the parameters as they are; false: no more.
bool mb_shape_at(const mb_model *model, int body, int i, mc_part_shape *out);
void mb_shape_mesh(const mb_model *model, int body, int i, double *points, int *faces);

// The quaternion (w, x, y, z) of a turn whose columns are x, y, z; w >= 0.
void mb_quaternion_of(const double x[3], const double y[3], const double z[3], double out[4]);
