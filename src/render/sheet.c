// sheet.c - strokes of the look, drawn by cairo; see sheet.h.
#include "render/sheet.h"

#include "render/look.h"

#include <cairo.h>
#include <stdio.h>
#include <string.h>

enum { FILL = 1, STROKE, GRADIENT, TEXT }; // as in web/scripts/look.ts

static void colour(cairo_t *c, const float *v)
{
    cairo_set_source_rgba(c, v[0], v[1], v[2], v[3]);
}

static const float *trace(cairo_t *c, const float *at)
{
    const int n = (int)*at++;
    cairo_new_path(c);
    for (int k = 0; k < n; k++, at += 2)
        cairo_line_to(c, at[0], at[1]);
    return at;
}

static const float *fill(cairo_t *c, const float *at)
{
    colour(c, at);
    at = trace(c, at + 4);
    cairo_close_path(c);
    cairo_fill(c);
    return at;
}

static const float *stroke(cairo_t *c, const float *at)
{
    colour(c, at);
    cairo_set_line_width(c, at[4]);
    at = trace(c, at + 5);
    cairo_stroke(c);
    return at;
}

static const float *gradient(cairo_t *c, const float *at)
{
    cairo_pattern_t *p = cairo_pattern_create_linear(at[4], at[5], at[6], at[7]);
    cairo_pattern_add_color_stop_rgba(p, 0.0, at[8], at[9], at[10], at[11]);
    cairo_pattern_add_color_stop_rgba(p, 1.0, at[12], at[13], at[14], at[15]);
    cairo_set_source(c, p);
    cairo_rectangle(c, at[0], at[1], at[2], at[3]);
    cairo_fill(c);
    cairo_pattern_destroy(p);
    return at + 16;
}

// Centred at its place.
static const float *text(cairo_t *c, const float *at)
{
    char word[64];
    const int n = (int)at[7] < 63 ? (int)at[7] : 63;
    for (int k = 0; k < n; k++)
        word[k] = (char)at[8 + k];
    word[n] = '\0';
    colour(c, at);
    cairo_select_font_face(c, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD);
    cairo_set_font_size(c, at[4]);
    cairo_text_extents_t e;
    cairo_text_extents(c, word, &e);
    cairo_move_to(c, (double)at[5] - e.x_bearing - 0.5 * e.width,
                  (double)at[6] - e.y_bearing - 0.5 * e.height);
    cairo_show_text(c, word);
    cairo_new_path(c);
    return at + 8 + (int)at[7];
}

// The pixels of a surface, as a texture of its size.
static bool keep(cairo_surface_t *surface, texture *out)
{
    const int size = cairo_image_surface_get_width(surface);
    cairo_surface_flush(surface);
    const bool good = cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS;
    const unsigned char *row = cairo_image_surface_get_data(surface);
    const int stride = cairo_image_surface_get_stride(surface);
    for (int y = 0; good && y < size; y++, row += stride)
        for (int x = 0; x < size; x++) {
            uint32_t p;
            memcpy(&p, row + 4 * x, sizeof p);
            uint8_t *q = out->level[0] + 4 * ((size_t)y * (size_t)size + (size_t)x);
            q[0] = (uint8_t)(p >> 16), q[1] = (uint8_t)(p >> 8), q[2] = (uint8_t)p, q[3] = 255;
        }
    if (good)
        texture_shrink(out);
    return good;
}

static bool play(arena *a, const char *name, texture *out)
{
    look_array strokes;
    if (!look_find(name, &strokes))
        return false;
    const float *at = strokes.data, *end = at + strokes.count;
    const int size = (int)*at++;
    if (!texture_make(a, size, false, out))
        return false;
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, size, size);
    cairo_t *c = cairo_create(surface);
    cairo_set_line_join(c, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(c, CAIRO_LINE_CAP_ROUND);
    while (at < end) {
        const int what = (int)*at++;
        at = what == FILL     ? fill(c, at)
             : what == STROKE ? stroke(c, at)
             : what == TEXT   ? text(c, at)
                              : gradient(c, at);
    }
    cairo_destroy(c);
    const bool good = keep(surface, out);
    cairo_surface_destroy(surface);
    return good;
}

bool sheet_paint(arena *a, const char *kind, sheet *out)
{
    char name[64];
    snprintf(name, sizeof name, "%s/colour", kind);
    if (!play(a, name, &out->colour))
        return false;
    snprintf(name, sizeof name, "%s/data", kind);
    return play(a, name, &out->data);
}

// A line of letters about the middle (0, 0), not wider than most.
static void letters(cairo_t *c, const char *word, double size, double most)
{
    cairo_text_extents_t e;
    cairo_select_font_face(c, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD);
    cairo_set_font_size(c, size);
    cairo_text_extents(c, word, &e);
    if (e.width > most) {
        cairo_set_font_size(c, size * most / e.width);
        cairo_text_extents(c, word, &e);
    }
    cairo_move_to(c, -e.x_bearing - 0.5 * e.width, -e.y_bearing - 0.5 * e.height);
    cairo_show_text(c, word);
}

bool sheet_sign(arena *a, float wide, const char *first, const char *second, sheet *out)
{
    enum { SIZE = 256, PLAIN = 8 };
    if (!texture_make(a, SIZE, false, &out->colour) || !texture_make(a, PLAIN, false, &out->data))
        return false;
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, SIZE, SIZE);
    cairo_t *c = cairo_create(surface);
    cairo_scale(c, SIZE / (double)wide, SIZE); // the height is 1
    cairo_set_source_rgb(c, 0.055, 0.36, 0.22);
    cairo_paint(c);
    cairo_set_source_rgb(c, 0.95, 0.96, 0.95);
    cairo_set_line_width(c, 0.035);
    cairo_rectangle(c, 0.05, 0.05, (double)wide - 0.1, 0.9);
    cairo_stroke(c);
    for (int k = 0; k < 2; k++) {
        cairo_save(c);
        cairo_translate(c, 0.5 * (double)wide, k ? 0.68 : 0.3);
        letters(c, k ? second : first, k == (wide > 1.0f) ? 0.24 : 0.4, 0.74 * (double)wide);
        cairo_restore(c);
    }
    cairo_destroy(c);
    bool good = keep(surface, &out->colour);
    cairo_surface_destroy(surface);
    surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, PLAIN, PLAIN);
    c = cairo_create(surface);
    cairo_set_source_rgb(c, 0.0, 0.6, 0.0); // no paint of a vehicle, dull, no lamps
    cairo_paint(c);
    cairo_destroy(c);
    good = keep(surface, &out->data) && good;
    cairo_surface_destroy(surface);
    return good;
}
