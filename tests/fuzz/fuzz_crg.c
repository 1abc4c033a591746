// fuzz_crg.c - OpenCRG files: what is read has finite heights, what is not says where.
#include "base/assert.h"
#include "fuzz/fuzz.h"
#include "road_files/crg.h"

#include <math.h>
#include <string.h>

static void check_surface(const crg_surface *c)
{
    const road_surface *s = &c->surface;
    mc_assert(s->rows >= 2 && s->columns >= 2 && s->step > 0.0);
    for (int i = 0; i < 5; i++) {
        const double u = s->from + s->step * s->rows * (0.3 * i - 0.1), v = s->v[0] + 0.7 * i;
        double z, zu, zv, back_u, back_v;
        if (road_surface_at(s, u, v, &z, &zu, &zv))
            mc_assert(!isnan(z));
        crg_uv(c, c->x[i % s->rows], c->y[i % s->rows] + 0.1, i % 2 ? u : NAN, &back_u, &back_v);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    arena memory = {0};
    crg_surface c;
    mc_error error = {0};
    const mc_status status = crg_parse(&memory, (const char *)data, size, "fuzz.crg", &c, &error);
    if (status == MC_OK)
        check_surface(&c);
    else
        mc_assert(status == MC_BAD_INPUT && error.line >= 1 && error.column >= 1 &&
                  strlen(error.text) > 5);
    arena_free(&memory);
    return 0;
}
