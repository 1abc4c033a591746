// bench.h - the picture of a mechanism: bodies, joints, springs on a studio floor
// (web/src/mechanism/stage.ts).
#pragma once

#include "motorcade/render.h"
#include "render/image.h"

mc_status bench_draw(const char *results, const mc_render_options *o, image *out, mc_error *error);
