// sheet.h - the painted sheets of a kind of vehicle, drawn from their strokes
// (web/src/scene3d/sheet.ts).
#pragma once

#include "render/texture.h"

typedef struct sheet {
    texture colour; // white where the vehicle's own colour shows; sRGB
    texture data;   // r: mask of its paint, g: roughness, b: lamps
} sheet;

// kind: a name of the list `kinds`. false: no memory.
bool sheet_paint(arena *a, const char *kind, sheet *out);
// A road sign: two lines of white letters on green. wide: its width of its height.
bool sheet_sign(arena *a, float wide, const char *first, const char *second, sheet *out);
