// glb.h - the triangles of a binary glTF 2.0 file (.glb).
//
// What a picture of a vehicle needs and nothing else: the triangles of the default scene in the
// axes of vehicles (x forward, y left, z up; glTF: z forward, x left, y up), with normals and the
// base colour of their material. Textures, animations, skins and cameras are passed over. Rejected,
// each with its reason: another format than GLB 2.0, a file that is cut off, broken JSON,
// references,
// accessors and views out of bounds, numbers that are not finite, anything outside of the file,
// required extensions, sparse accessors, and more triangles than GLB_TRIANGLES_MAX, which are
// counted before memory is taken for them.
#pragma once

#include "base/arena.h"
#include "motorcade/status.h"

#include <stddef.h>

enum {
    GLB_FILE_MAX = 16 << 20,   // bytes
    GLB_TRIANGLES_MAX = 50000, // in all, every use of a mesh counted
    GLB_NODES_MAX = 10000,     // visited, every use counted
};

typedef struct glb_mesh {
    int count;             // triangles
    float *position;       // m, 9 per triangle: three corners
    float *normal;         // the same; of length 1
    float *colour;         // 3 per triangle, linear; white where `painted`
    _Bool *painted;        // its material has a name that contains "paint"
    float low[3], high[3]; // m, of the box around all corners
} glb_mesh;

// The arrays live in the arena.
mc_status glb_parse(const char *bytes, size_t size, const char *file, arena *memory, glb_mesh *out,
                    mc_error *error);
