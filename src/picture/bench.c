// bench.c - see bench.h.
#include "picture/bench.h"

#include "picture/aim.h"
#include "picture/loads.h"
#include "picture/marks.h"
#include "picture/posed.h"
#include "picture/parts.h"
#include "render/look.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float FOV = 0.56f;                    // rad, 32 degrees
static const float AZIMUTH = -0.9f, HEIGHT = 0.3f; // rad, of the camera
static const vec LAMP = {-0.30f, 0.26f, 1.0f};

static void set_light(scene *s, bool dark)
{
    const vec day[2] = {{0.871f, 0.890f, 0.914f}, {0.820f, 0.847f, 0.882f}};
    const vec evening[2] = {{0.145f, 0.173f, 0.212f}, {0.098f, 0.122f, 0.153f}};
    s->studio = true;
    for (int k = 0; k < 2; k++)
        s->background[k] = dark ? evening[k] : day[k];
    if (!sky_studio(&s->memory, &s->light, LAMP))
        s->failed = true;
    if (dark)
        s->light.exposure = 0.75f;
}

// The terrain of the mechanism about the focus; finer along the road.
static void add_terrain(const mc_multibody *of, float x0, float y0, float wide, mesh *m)
{
    enum { ALONG = 600, ACROSS = 24 };
    for (int i = 0; i <= ALONG; i++)
        for (int j = 0; j <= ACROSS; j++) {
            // Close to the focus equal steps, farther away longer ones.
            const float u = 2.0f * (float)i / ALONG - 1.0f, v = 2.0f * (float)j / ACROSS - 1.0f;
            const float x = x0 + wide * (0.15f * u + 0.85f * u * u * u * u * u);
            const float y = y0 + wide * (0.15f * v + 0.85f * v * v * v);
            double z[3];
            mc_multibody_ground(of, x, y, z);
            const float steep = sqrtf(1.0f + (float)(z[1] * z[1] + z[2] * z[2]));
            const mesh_corner c = {{x, y, (float)z[0]},
                                   {-(float)z[1] / steep, -(float)z[2] / steep, 1.0f / steep},
                                   {0},
                                   {x, y, 0, 0}};
            mesh_add(m, &c);
        }
    for (int i = 0; i < ALONG; i++)
        for (int j = 0; j < ACROSS; j++) {
            const int a = i * (ACROSS + 1) + j, b = a + ACROSS + 1;
            mesh_quad(m, a, b, b + 1, a + 1);
        }
}

static void add_floor(scene *s, const mc_multibody *of, const parts_box *box, bool dark)
{
    const float size = vec_length(vec_sub(box->high, box->low)), wide = 30.0f * size;
    mesh *m = scene_mesh(s);
    static const float at[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    double height[3];
    const bool terrain = mc_multibody_ground(of, 0.0, 0.0, height);
    if (terrain)
        add_terrain(of, s->focus.x, s->focus.y, wide, m);
    for (int k = 0; k < 4 && !terrain; k++) {
        const float x = s->focus.x + wide * at[k][0], y = s->focus.y + wide * at[k][1];
        const mesh_corner c = {{x, y, box->low.z}, {0, 0, 1}, {0}, {x, y, 0, 0}};
        mesh_add(m, &c);
    }
    if (!terrain)
        mesh_quad(m, 0, 1, 2, 3);
    mesh_close(m);
    scene_draw *d = scene_add(s, m, SCENE_FLOOR);
    const float spacing = powf(10.0f, roundf(log10f(size / 4.0f)));
    d->roughness = spacing * (size / spacing > 8.0f ? 2.0f : size / spacing < 3.0f ? 0.5f : 1.0f);
    for (int k = 0; k < 3; k++)
        d->colour[k] = dark ? 0.185f + 0.02f * (float)k : 0.972f;
}

// From the front right, back until all of it is in the picture.
static mc_status look_at(scene *s, const mc_render_options *o, const parts_box *box,
                         mc_error *error)
{
    const char *name = o->camera ? o->camera : "";
    const bool top = strcmp(name, "top") == 0, by_hand = strcmp(name, "free") == 0;
    if (*name && !top && !by_hand)
        return mc_error_set(
            error, MC_BAD_INPUT, NULL, 0, 0,
            "the camera \"%.40s\" is for vehicles on a road; a mechanism has top and free", name);
    s->focus = vec_scale(vec_add(box->low, box->high), 0.5f);
    const float radius = fmaxf(0.5f * vec_length(vec_sub(box->high, box->low)), 1e-3f);
    s->reach = 1.9f * radius;
    if (by_hand) {
        const vec eye = {(float)o->from[0], (float)o->from[1], (float)o->from[2]};
        const vec at = {(float)o->look[0], (float)o->look[1], (float)o->look[2]};
        s->view = camera_look(eye, at, FOV, o->width, o->height);
        return MC_OK;
    }
    const float height = top ? 1.5707f : HEIGHT, azimuth = top ? 3.14159f : AZIMUTH;
    for (float far = 1.2f * radius;; far *= 1.03f) {
        const vec way = {cosf(height) * cosf(azimuth), cosf(height) * sinf(azimuth), sinf(height)};
        s->view = camera_look(vec_along(s->focus, way, far), s->focus, FOV, o->width, o->height);
        s->view.near = 0.01f * radius;
        bool all = true;
        for (int k = 0; k < 8 && all; k++) {
            double x, y;
            const vec p = {k & 1 ? box->high.x : box->low.x, k & 2 ? box->high.y : box->low.y,
                           k & 4 ? box->high.z : box->low.z};
            all = camera_pixel(&s->view, p, &x, &y) && fabs(2.0 * x / o->width - 1.0) < 0.92 &&
                  fabs(2.0 * y / o->height - 1.0) < 0.86;
        }
        if (all || far > 40.0f * radius)
            return MC_OK;
    }
}

enum { ROWS = 6 };
typedef struct table {
    char value[ROWS][64];
    const char *row[ROWS][2];
    int count;
} table;

static char *add_row(table *t, const char *name) // where its value goes
{
    t->row[t->count][0] = name;
    t->row[t->count][1] = t->value[t->count];
    return t->value[t->count++];
}

static void fill(table *t, const posed *k, const mc_render_options *o, double mass)
{
    const mc_multibody_info *info = mc_multibody_info_of(k->m);
    if (k->rest) {
        const mc_linear_mode *mode = &k->linear.modes[o->mode - 1];
        snprintf(add_row(t, "Mode"), 64, "%d of %d", o->mode, k->linear.count);
        snprintf(add_row(t, "Frequency"), 64, "%.4g Hz", mode->frequency);
        snprintf(add_row(t, "Damping ratio"), 64, "%.3g", mode->damping);
        snprintf(add_row(t, "Amplitude"), 64, "%g m or rad", o->amplitude);
    } else {
        if (k->still)
            snprintf(add_row(t, "Position"), 64, "at rest");
        else
            snprintf(add_row(t, "Time"), 64, "%.4g s", k->t);
        snprintf(add_row(t, "Bodies"), 64, "%d", info->body_count);
        snprintf(add_row(t, "Coordinates"), 64, "%d", info->q_count);
        if (mass > 0.0)
            snprintf(add_row(t, "Mass"), 64, "%.5g kg", mass);
    }
    if (o->lift > 0.0)
        snprintf(add_row(t, "Body lifted by"), 64, "%g m", o->lift);
}

static mc_status write_words(const posed *k, const mc_render_options *o, const scene *s,
                             const loads *l, image *out, mc_error *error)
{
    const bool dark = strcmp(o->theme, "evening") == 0;
    table t = {.count = 0};
    if (!o->labels)
        return MC_OK;
    marks *m = marks_open(out, &s->view, dark);
    if (!m)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the labels");
    double mass;
    const vec centre = parts_centre(k, &mass);
    fill(&t, k, o, mass);
    marks_table(m, mc_multibody_info_of(k->m)->name, (const char *const(*)[2])t.row, t.count);
    if (mass > 0.0 && o->loads)
        marks_centre(m, centre);
    loads_words(l, m, dark);
    marks_close(m);
    return MC_OK;
}

mc_status bench_draw(const char *results, const mc_render_options *o, image *out, mc_error *error)
{
    posed k;
    scene s = {0};
    parts_box box;
    loads forces = {0};
    const bool dark = strcmp(o->theme, "evening") == 0;
    mc_status status = posed_open(&k, results, o, error);
    if (status == MC_OK && !scene_begin(&s, "day", 0.0f))
        status = mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the picture");
    if (status == MC_OK) {
        set_light(&s, dark);
        status = parts_draw(&s, &k, dark, (float)o->lift, &box, error);
    }
    if (status == MC_OK)
        status = look_at(&s, o, &box, error);
    if (status == MC_OK) {
        const float size = vec_length(vec_sub(box.high, box.low));
        add_floor(&s, k.m, &box, dark);
        if (o->loads && !loads_find(&forces, &k, size))
            s.failed = true;
        loads_draw(&forces, &s, size, dark);
        status = image_draw(&s, o->threads, out, error);
    }
    if (status == MC_OK && (status = write_words(&k, o, &s, &forces, out, error)) != MC_OK)
        image_free(out);
    loads_free(&forces);
    scene_end(&s);
    posed_close(&k);
    return status;
}
