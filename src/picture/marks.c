// marks.c - see marks.h.
#include "picture/marks.h"

#include "render/look.h"

#include <math.h>
#include <pango/pangocairo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CARDS_MAX = 64 };
typedef struct rect {
    double x, y, w, h;
} rect;

struct marks {
    image *m;
    const camera *view;
    cairo_surface_t *surface;
    cairo_t *c;
    PangoFontMap *fonts; // our own: threads share nothing
    PangoLayout *layout;
    const char *theme;
    double unit; // px of the height of a small text
    rect card[CARDS_MAX];
    int count;
};

static const float *ink(const marks *k, const char *name)
{
    char entry[32];
    snprintf(entry, sizeof entry, "%s/%s", k->theme, name);
    return look_of("ink", entry, 3);
}

static void set_ink(const marks *k, const float c[3], double alpha)
{
    cairo_set_source_rgba(k->c, (double)c[0], (double)c[1], (double)c[2], alpha);
}

marks *marks_open(image *m, const camera *view, bool dark)
{
    marks *k = calloc(1, sizeof *k);
    if (!k)
        return NULL;
    *k = (marks){.m = m, .view = view, .theme = dark ? "evening" : "day"};
    k->unit = fmax(9.0, 12.5 * m->height / 900.0);
    k->surface = cairo_image_surface_create_for_data((unsigned char *)m->pixel, CAIRO_FORMAT_RGB24,
                                                     m->width, m->height, 4 * m->width);
    k->c = cairo_create(k->surface);
    k->fonts = pango_cairo_font_map_new();
    PangoContext *context = pango_font_map_create_context(k->fonts);
    pango_cairo_context_set_resolution(context, 72.0);
    k->layout = pango_layout_new(context);
    g_object_unref(context);
    return k;
}

void marks_close(marks *k)
{
    if (!k)
        return;
    g_object_unref(k->layout);
    g_object_unref(k->fonts);
    cairo_destroy(k->c);
    cairo_surface_finish(k->surface);
    cairo_surface_destroy(k->surface);
    free(k);
}

// Sets a text and returns its width; size: of its letters, in units.
static double set_text(marks *k, const char *text, double size, bool bold, double *height)
{
    PangoFontDescription *font = pango_font_description_new();
    pango_font_description_set_family(font, "Inter, DejaVu Sans, sans-serif");
    pango_font_description_set_weight(font, bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    pango_font_description_set_absolute_size(font, size * k->unit * PANGO_SCALE);
    pango_layout_set_font_description(k->layout, font);
    pango_font_description_free(font);
    pango_layout_set_text(k->layout, text, -1);
    PangoRectangle box;
    pango_layout_get_extents(k->layout, NULL, &box);
    if (height)
        *height = (double)box.height / PANGO_SCALE;
    return (double)box.width / PANGO_SCALE;
}

static void put_text(marks *k, double x, double y, const char *text, double size, bool bold,
                     const float colour[3])
{
    set_text(k, text, size, bold, NULL);
    set_ink(k, colour, 1.0);
    cairo_move_to(k->c, x, y);
    pango_cairo_show_layout(k->c, k->layout);
}

static void put_box(marks *k, const rect *r)
{
    const double q = 0.45 * k->unit;
    for (int pass = 0; pass < 2; pass++) {
        const double over = pass ? 0.0 : 1.0;
        cairo_new_sub_path(k->c);
        cairo_arc(k->c, r->x + r->w - q, r->y + q + over, q, -M_PI / 2, 0);
        cairo_arc(k->c, r->x + r->w - q, r->y + r->h - q + over, q, 0, M_PI / 2);
        cairo_arc(k->c, r->x + q, r->y + r->h - q + over, q, M_PI / 2, M_PI);
        cairo_arc(k->c, r->x + q, r->y + q + over, q, M_PI, 1.5 * M_PI);
        cairo_close_path(k->c);
        if (pass)
            set_ink(k, ink(k, "surface"), 0.95);
        else
            cairo_set_source_rgba(k->c, 0.0, 0.0, 0.0, 0.18);
        cairo_fill(k->c);
    }
}

static bool is_free(const marks *k, const rect *r)
{
    const double gap = 0.25 * k->unit;
    for (int i = 0; i < k->count; i++) {
        const rect *o = &k->card[i];
        if (r->x < o->x + o->w + gap && o->x < r->x + r->w + gap && r->y < o->y + o->h + gap &&
            o->y < r->y + r->h + gap)
            return false;
    }
    return true;
}

void marks_card(marks *k, vec at, const char *name, const float colour[3], const char *value)
{
    double x, y, h;
    if (k->count == CARDS_MAX || !camera_pixel(k->view, at, &x, &y) || x < 0.0 || y < 0.0 ||
        x >= k->m->width || y >= k->m->height)
        return;
    const double pad = 0.6 * k->unit, wide = set_text(k, name, 1.0, true, &h);
    const double more = *value ? set_text(k, value, 1.0, false, NULL) + 0.5 * k->unit : 0.0;
    rect r = {0, 0, wide + more + 2.0 * pad, h + 0.7 * pad};
    r.x = fmin(fmax(x - 0.5 * r.w, 2.0), k->m->width - r.w - 2.0);
    r.y = y - 2.2 * k->unit - r.h;
    for (int i = 0; i < 7 && !is_free(k, &r); i++)
        r.y -= r.h + 0.3 * k->unit;
    if (r.y < 2.0 || !is_free(k, &r))
        return;
    k->card[k->count++] = r;
    set_ink(k, ink(k, "ink2"), 0.8);
    cairo_set_line_width(k->c, 0.08 * k->unit);
    cairo_move_to(k->c, x, r.y + r.h);
    cairo_line_to(k->c, x, y);
    cairo_stroke(k->c);
    put_box(k, &r);
    put_text(k, r.x + pad, r.y + 0.35 * pad, name, 1.0, true, colour);
    if (*value)
        put_text(k, r.x + pad + wide + 0.5 * k->unit, r.y + 0.35 * pad, value, 1.0, false,
                 ink(k, "ink"));
}

// Seen from e, the contour of x = c + A u, |u| = 1, is where u . w = 1 with w = A^-1 (e - c): a
// circle of the unit sphere about w / |w|^2, of radius sqrt(1 - 1 / |w|^2).
void marks_ellipsoid(marks *k, vec middle, const float axes[9], bool dashed)
{
    enum { POINTS = 96 };
    const vec a = {axes[0], axes[3], axes[6]}, b = {axes[1], axes[4], axes[7]},
              c = {axes[2], axes[5], axes[8]}, e = vec_sub(k->view->eye, middle);
    const float volume = vec_dot(a, vec_cross(b, c));
    if (!(fabsf(volume) > 1e-9f))
        return;
    const vec w = {vec_dot(e, vec_cross(b, c)) / volume, vec_dot(e, vec_cross(c, a)) / volume,
                   vec_dot(e, vec_cross(a, b)) / volume};
    const float square = vec_dot(w, w);
    if (!(square > 1.0f))
        return; // seen from inside
    const vec n = vec_unit(w);
    const vec p = vec_unit(vec_cross(n, fabsf(n.z) < 0.9f ? (vec){0, 0, 1} : (vec){1, 0, 0}));
    const vec q = vec_cross(n, p);
    const float radius = sqrtf(1.0f - 1.0f / square);
    const double dash[2] = {0.5 * k->unit, 0.4 * k->unit};
    for (int i = 0; i < POINTS; i++) {
        const float t = 6.2831853f * (float)i / POINTS;
        vec u = vec_scale(w, 1.0f / square);
        u = vec_along(u, p, radius * cosf(t));
        u = vec_along(u, q, radius * sinf(t));
        const vec x = vec_along(vec_along(vec_along(middle, a, u.x), b, u.y), c, u.z);
        double px, py;
        if (!camera_pixel(k->view, x, &px, &py))
            continue;
        if (i)
            cairo_line_to(k->c, px, py);
        else
            cairo_move_to(k->c, px, py);
    }
    cairo_close_path(k->c);
    set_ink(k, ink(k, "ink"), 0.75);
    cairo_set_line_width(k->c, 0.1 * k->unit);
    cairo_set_dash(k->c, dash, dashed ? 2 : 0, 0.0);
    cairo_stroke(k->c);
    cairo_set_dash(k->c, dash, 0, 0.0);
}

void marks_centre(marks *k, vec at)
{
    static const double ink[3] = {0.753, 0.078, 0.235};
    double x, y;
    if (!camera_pixel(k->view, at, &x, &y))
        return;
    const double radius = 0.95 * k->unit;
    for (int q = 0; q < 4; q++) {
        const bool red = q & 1;
        cairo_move_to(k->c, x, y);
        cairo_arc(k->c, x, y, radius, 0.5 * M_PI * q, 0.5 * M_PI * (q + 1));
        cairo_close_path(k->c);
        cairo_set_source_rgb(k->c, red ? ink[0] : 1.0, red ? ink[1] : 1.0, red ? ink[2] : 1.0);
        cairo_fill(k->c);
    }
    cairo_set_source_rgb(k->c, ink[0], ink[1], ink[2]);
    cairo_set_line_width(k->c, 0.16 * k->unit);
    cairo_arc(k->c, x, y, radius, 0.0, 2.0 * M_PI);
    cairo_stroke(k->c);
}

void marks_clock(marks *k, const char *text, const char *what)
{
    double h, small;
    const double pad = 0.9 * k->unit, wide = set_text(k, text, 1.5, true, &h);
    const double other = *what ? set_text(k, what, 0.95, false, &small) : (small = 0.0);
    rect r = {0, 0, fmax(wide, other) + 2.0 * pad, h + small + 1.2 * pad};
    r.x = k->m->width - r.w - 1.2 * k->unit;
    r.y = k->m->height - r.h - 1.2 * k->unit;
    put_box(k, &r);
    put_text(k, r.x + r.w - pad - wide, r.y + 0.6 * pad, text, 1.5, true, ink(k, "ink"));
    if (*what)
        put_text(k, r.x + r.w - pad - other, r.y + 0.6 * pad + h, what, 0.95, false,
                 ink(k, "ink2"));
}

void marks_legend(marks *k, const char *title, double high, const char *unit,
                  void colour(double share, float out[3]))
{
    double h;
    const double pad = 0.9 * k->unit, bar = 15.0 * k->unit;
    set_text(k, title, 0.95, true, &h);
    rect r = {0, 0, bar + 2.0 * pad, 2.0 * h + 1.1 * k->unit + 1.4 * pad};
    r.x = k->m->width - r.w - 1.2 * k->unit;
    r.y = 1.2 * k->unit;
    put_box(k, &r);
    put_text(k, r.x + pad, r.y + 0.6 * pad, title, 0.95, true, ink(k, "ink"));
    const double y = r.y + 0.6 * pad + h + 0.25 * k->unit;
    cairo_pattern_t *p = cairo_pattern_create_linear(r.x + pad, 0, r.x + pad + bar, 0);
    for (int i = 0; i <= 16; i++) {
        float c[3];
        colour(i / 16.0, c);
        cairo_pattern_add_color_stop_rgb(p, i / 16.0, (double)sky_to_srgb(c[0]),
                                         (double)sky_to_srgb(c[1]), (double)sky_to_srgb(c[2]));
    }
    cairo_set_source(k->c, p);
    cairo_rectangle(k->c, r.x + pad, y, bar, 0.6 * k->unit);
    cairo_fill(k->c);
    cairo_pattern_destroy(p);
    for (int i = 0; i < 3; i++) {
        char text[64];
        snprintf(text, sizeof text, "%.3g%s%s", 0.5 * i * high, *unit ? " " : "", unit);
        const double wide = set_text(k, text, 0.95, false, NULL);
        put_text(k, r.x + pad + 0.5 * i * (bar - wide), y + 0.75 * k->unit, text, 0.95, false,
                 ink(k, "ink2"));
    }
}

void marks_table(marks *k, const char *title, const char *const (*row)[2], int count)
{
    double h, wide = set_text(k, title, 1.05, true, &h);
    const double pad = 0.9 * k->unit, line = 1.35 * k->unit;
    for (int i = 0; i < count; i++)
        wide = fmax(wide, set_text(k, row[i][0], 0.95, false, NULL) + 2.0 * k->unit +
                              set_text(k, row[i][1], 0.95, true, NULL));
    rect r = {1.2 * k->unit, 1.2 * k->unit, wide + 2.0 * pad, h + count * line + 1.5 * pad};
    put_box(k, &r);
    k->card[k->count++] = r;
    put_text(k, r.x + pad, r.y + 0.6 * pad, title, 1.05, true, ink(k, "ink"));
    for (int i = 0; i < count; i++) {
        const double y = r.y + 0.75 * pad + h + i * line;
        put_text(k, r.x + pad, y, row[i][0], 0.95, false, ink(k, "ink2"));
        const double own = set_text(k, row[i][1], 0.95, true, NULL);
        put_text(k, r.x + r.w - pad - own, y, row[i][1], 0.95, true, ink(k, "ink"));
    }
}
