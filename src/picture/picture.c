// picture.c - results of any kind as a picture; see motorcade/render.h.
#include "base/text.h"
#include "hdf5/results_read.h"
#include "motorcade/multibody.h"
#include "motorcade/render.h"
#include "picture/aim.h"
#include "picture/bench.h"
#include "picture/traffic.h"

#include <math.h>
#include <string.h>

enum { SIDE_MIN = 64, SIDE_MAX = 8192 };

mc_render_options mc_render_defaults(void)
{
    return (mc_render_options){.at = NAN,
                               .width = 1440,
                               .height = 900,
                               .theme = "day",
                               .magnify = 1.0,
                               .amplitude = 0.1,
                               .from = {NAN, NAN, NAN},
                               .look = {NAN, NAN, NAN}};
}

const char *mc_render_camera(int index)
{
    return index >= 0 && index < AIM_COUNT ? aim_names[index] : NULL;
}

static mc_status check(const mc_render_options *o, mc_error *error)
{
    if (o->width < SIDE_MIN || o->width > SIDE_MAX || o->height < SIDE_MIN || o->height > SIDE_MAX)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "a picture of %d x %d pixels: expected %d to %d on each side", o->width,
                            o->height, SIDE_MIN, SIDE_MAX);
    if (strcmp(o->theme, "day") != 0 && strcmp(o->theme, "evening") != 0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "unknown theme \"%.40s\"; expected day or evening", o->theme);
    if (isinf(o->at))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "the instant must be finite");
    bool placed = true;
    double way = 0.0;
    for (int k = 0; k < 3; k++) {
        placed = placed && isfinite(o->from[k]) && isfinite(o->look[k]);
        way += fabs(o->from[k] - o->look[k]);
    }
    if (o->camera && strcmp(o->camera, "free") == 0 && !(placed && way > 0.0))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "the camera \"free\" needs two different places, --from X,Y,Z and "
                            "--look X,Y,Z");
    if (!(isfinite(o->magnify) && o->magnify >= 0.0 && isfinite(o->amplitude)))
        return mc_error_set(
            error, MC_BAD_INPUT, NULL, 0, 0,
            "magnification and amplitude must be finite, and the former not negative");
    if (!(isfinite(o->lift) && o->lift >= 0.0))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "the height of the lifted parts must be finite and not negative");
    if (o->rest && (o->mode || !isnan(o->at)))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "--rest is a position of its own: expected without --mode and --at");
    return MC_OK;
}

// Whether a file has the motion of a mechanism.
static bool is_mechanism(const char *path)
{
    mc_error error;
    results_reader *file = results_reader_open(path, &error);
    const char *kind = file ? results_reader_text(file, "kind") : NULL;
    const bool yes = (kind && strcmp(kind, "simulate") == 0) || mc_multibody_is_model(path);
    results_reader_free(file);
    return yes;
}

static mc_status draw_traffic(const char *results, const mc_render_options *o, image *out,
                              mc_error *error)
{
    traffic t;
    if (o->rest || o->loads || o->lift > 0.0)
        return mc_error_set(error, MC_BAD_INPUT, results, 0, 0,
                            "--rest, --loads and --lift are for mechanisms; this is a recording of "
                            "vehicles");
    mc_status status = traffic_open(&t, results, o, error);
    if (status == MC_OK)
        status = traffic_draw(&t, out, error);
    traffic_close(&t);
    return status;
}

mc_status mc_render_write(const char *results, const char *png, const mc_render_options *options,
                          mc_error *error)
{
    const mc_render_options o = options ? *options : mc_render_defaults();
    image drawn = {0};
    mc_status status = check(&o, error);
    if (status != MC_OK)
        return status;
    status = is_mechanism(results) ? bench_draw(results, &o, &drawn, error)
                                   : draw_traffic(results, &o, &drawn, error);
    if (status == MC_OK)
        status = image_write_png(&drawn, png, error);
    image_free(&drawn);
    return status;
}
