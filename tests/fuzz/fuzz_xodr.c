// fuzz_xodr.c - OpenDRIVE files: what is read answers, what is not says where.
#include "base/assert.h"
#include "fuzz/fuzz.h"
#include "road/network.h"
#include "road_files/xodr.h"

#include <math.h>
#include <string.h>

static void check_road(const road *r)
{
    for (int k = 0; k < mc_road_path_count(r); k++) {
        mc_road_path path;
        mc_assert(mc_road_path_at(r, k, &path));
        mc_assert(path.length > 0.0 && path.lane_count >= 1 && path.lane_count <= ROAD_LANES_MAX);
        for (int i = 0; i <= 4; i++) {
            const double s = 0.25 * i * path.length;
            double x, y, heading;
            mc_road_point p;
            mc_road_place(r, k, s, 1.0, &x, &y, &heading);
            mc_road_on(r, k, x, y, i % 2 ? s : NAN, &p);
            mc_assert(isfinite(x) && isfinite(y) && isfinite(heading));
            mc_assert(isfinite(p.station) && isfinite(p.offset) && isfinite(p.grade));
            mc_assert(p.lane >= -1 && p.lane < path.lane_count && p.path == k);
        }
    }
    mc_road_ramp ramp;
    for (int k = 0; mc_road_ramp_at(r, k, &ramp); k++)
        mc_assert(ramp.path >= 0 && ramp.path < mc_road_path_count(r) && ramp.main >= 0 &&
                  ramp.main < mc_road_path_count(r) && ramp.lane >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    arena memory = {0};
    road out = {.friction.fallback = 1.0};
    xodr_notes notes;
    mc_error error = {0};
    const mc_status status =
        xodr_parse(&memory, (const char *)data, size, "fuzz.xodr", &out, &notes, &error);
    if (status == MC_OK)
        check_road(&out);
    else
        mc_assert(status == MC_BAD_INPUT && error.line >= 1 && error.column >= 1 &&
                  strlen(error.text) > 5);
    mc_assert(notes.count >= 0 && notes.count <= XODR_NOTES_MAX);
    arena_free(&memory);
    return 0;
}
