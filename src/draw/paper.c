// paper.c - A4 sheets by cairo, Pango and librsvg.
#include "draw/paper.h"

#include "motorcade/version.h"

#include <cairo-pdf.h>
#include <librsvg/rsvg.h>
#include <pango/pangocairo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct paper {
    FILE *out;
    char *bytes;
    size_t size;
    cairo_surface_t *surface;
    cairo_t *cairo;
    PangoFontMap *fonts; // our own: threads share nothing
    PangoLayout *layout;
    int number;
    char title[200];
};

static cairo_status_t write_bytes(void *closure, const unsigned char *data, unsigned length)
{
    return fwrite(data, 1, length, closure) == length ? CAIRO_STATUS_SUCCESS
                                                      : CAIRO_STATUS_WRITE_ERROR;
}

paper *paper_open(const char *title, mc_error *error)
{
    paper *p = calloc(1, sizeof *p);
    if (p)
        p->out = open_memstream(&p->bytes, &p->size);
    if (!p || !p->out) {
        free(p);
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the pages");
        return NULL;
    }
    snprintf(p->title, sizeof p->title, "%s", title);
    p->number = 1;
    p->surface =
        cairo_pdf_surface_create_for_stream(write_bytes, p->out, PAPER_WIDTH, PAPER_HEIGHT);
    cairo_pdf_surface_restrict_to_version(p->surface, CAIRO_PDF_VERSION_1_4);
    cairo_pdf_surface_set_metadata(p->surface, CAIRO_PDF_METADATA_TITLE, title);
    cairo_pdf_surface_set_metadata(p->surface, CAIRO_PDF_METADATA_CREATOR, "Motorcade " MC_VERSION);
    cairo_pdf_surface_set_metadata(p->surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
    p->cairo = cairo_create(p->surface);
    p->fonts = pango_cairo_font_map_new();
    PangoContext *context = pango_font_map_create_context(p->fonts);
    // Widths as on paper, whatever the screen would round to.
    pango_cairo_context_set_resolution(context, 72.0);
    pango_context_set_round_glyph_positions(context, FALSE);
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    pango_cairo_context_set_font_options(context, options);
    cairo_font_options_destroy(options);
    p->layout = pango_layout_new(context);
    g_object_unref(context);
    return p;
}

char *paper_close(paper *p, size_t *size, mc_error *error)
{
    paper_turn(p);
    cairo_destroy(p->cairo);
    cairo_surface_finish(p->surface);
    const cairo_status_t status = cairo_surface_status(p->surface);
    cairo_surface_destroy(p->surface);
    g_object_unref(p->layout);
    g_object_unref(p->fonts);
    const bool good = fclose(p->out) == 0 && status == CAIRO_STATUS_SUCCESS;
    char *bytes = p->bytes;
    *size = p->size;
    free(p);
    if (good)
        return bytes;
    mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "the pages could not be made: %s",
                 cairo_status_to_string(status));
    free(bytes);
    return NULL;
}

// ---- text ----

static void set_text(paper *p, const char *markup, const paper_style *style, double width)
{
    PangoFontDescription *font = pango_font_description_new();
    pango_font_description_set_family(font, style->mono ? "DejaVu Sans Mono, monospace"
                                                        : "DejaVu Sans, sans-serif");
    pango_font_description_set_weight(font, style->bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    pango_font_description_set_absolute_size(font, style->size * PANGO_SCALE);
    pango_layout_set_font_description(p->layout, font);
    pango_font_description_free(font);
    pango_layout_set_attributes(p->layout, NULL); // of the text before
    char *text = NULL;
    PangoAttrList *attributes = NULL;
    if (pango_parse_markup(markup, -1, 0, &attributes, &text, NULL, NULL)) {
        // Without ligatures: readers of PDF search for letters.
        pango_attr_list_insert(attributes, pango_attr_font_features_new("liga=0, clig=0"));
        pango_layout_set_text(p->layout, text, -1);
        pango_layout_set_attributes(p->layout, attributes);
        pango_attr_list_unref(attributes);
        g_free(text);
    } else {
        pango_layout_set_text(p->layout, markup, -1);
    }
    pango_layout_set_width(p->layout, width < 0.0 ? -1 : (int)(width * PANGO_SCALE));
    pango_layout_set_wrap(p->layout, PANGO_WRAP_WORD_CHAR);
    pango_layout_set_alignment(p->layout,
                               style->align == PAPER_RIGHT ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT);
}

static void set_colour(paper *p, unsigned colour)
{
    cairo_set_source_rgb(p->cairo, (colour >> 16) / 255.0, ((colour >> 8) & 255) / 255.0,
                         (colour & 255) / 255.0);
}

static double layout_height(const paper *p, double *width)
{
    PangoRectangle box;
    pango_layout_get_extents(p->layout, NULL, &box);
    if (width)
        *width = (double)box.width / PANGO_SCALE;
    return (double)box.height / PANGO_SCALE;
}

double paper_text(paper *p, const char *markup, const paper_style *style, double x, double y,
                  double width, bool draw)
{
    set_text(p, markup, style, width);
    const double height = layout_height(p, NULL);
    if (draw) {
        set_colour(p, style->colour);
        cairo_move_to(p->cairo, x, y);
        pango_cairo_show_layout(p->cairo, p->layout);
    }
    return height;
}

void paper_text_width(paper *p, const char *markup, const paper_style *style, double *natural,
                      double *word)
{
    set_text(p, markup, style, -1.0);
    layout_height(p, natural);
    pango_layout_set_width(p->layout, 0); // as narrow as the longest word
    pango_layout_set_wrap(p->layout, PANGO_WRAP_WORD);
    layout_height(p, word);
}

// ---- drawing ----

void paper_box(paper *p, double x, double y, double width, double height, double radius,
               unsigned colour)
{
    const double quarter = 1.5707963267948966;
    cairo_t *c = p->cairo;
    cairo_new_path(c);
    if (radius > 0.0) {
        cairo_arc(c, x + width - radius, y + radius, radius, -quarter, 0.0);
        cairo_arc(c, x + width - radius, y + height - radius, radius, 0.0, quarter);
        cairo_arc(c, x + radius, y + height - radius, radius, quarter, 2.0 * quarter);
        cairo_arc(c, x + radius, y + radius, radius, 2.0 * quarter, 3.0 * quarter);
        cairo_close_path(c);
    } else {
        cairo_rectangle(c, x, y, width, height);
    }
    set_colour(p, colour);
    cairo_fill(c);
}

static RsvgHandle *read_picture(const char *svg, mc_error *error)
{
    GError *failure = NULL;
    RsvgHandle *handle =
        rsvg_handle_new_from_data((const unsigned char *)svg, strlen(svg), &failure);
    if (!handle)
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "a picture could not be read: %s",
                     failure->message);
    g_clear_error(&failure);
    return handle;
}

mc_status paper_picture_size(const char *svg, double *width, double *height, mc_error *error)
{
    RsvgHandle *handle = read_picture(svg, error);
    if (!handle)
        return MC_BAD_INPUT;
    const bool known = rsvg_handle_get_intrinsic_size_in_pixels(handle, width, height);
    g_object_unref(handle);
    return known && *width > 0.0 && *height > 0.0
               ? MC_OK
               : mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "a picture has no size");
}

mc_status paper_picture(paper *p, const char *svg, double x, double y, double width, double height,
                        mc_error *error)
{
    RsvgHandle *handle = read_picture(svg, error);
    if (!handle)
        return MC_BAD_INPUT;
    const RsvgRectangle place = {x, y, width, height};
    GError *failure = NULL;
    const bool good = rsvg_handle_render_document(handle, p->cairo, &place, &failure);
    if (!good)
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "a picture could not be drawn: %s",
                     failure ? failure->message : "no reason given");
    g_clear_error(&failure);
    g_object_unref(handle);
    return good ? MC_OK : MC_BAD_INPUT;
}

// ---- sheets ----

void paper_turn(paper *p)
{
    const double y = PAPER_HEIGHT - 28.0, width = PAPER_WIDTH - 2.0 * PAPER_MARGIN;
    const paper_style left = {.size = 7.0, .colour = 0x5d6874},
                      right = {.size = 7.0, .colour = 0x5d6874, .align = PAPER_RIGHT};
    char number[16], *title = g_markup_escape_text(p->title, -1);
    snprintf(number, sizeof number, "%d", p->number);
    paper_text(p, title, &left, PAPER_MARGIN, y, width - 40.0, true);
    paper_text(p, number, &right, PAPER_MARGIN, y, width, true);
    g_free(title);
    cairo_show_page(p->cairo);
    p->number++;
}

int paper_number(const paper *p)
{
    return p->number;
}

void paper_bookmark(paper *p, const char *text, double y)
{
    char place[64];
    snprintf(place, sizeof place, "page=%d pos=[%d %d]", p->number, (int)PAPER_MARGIN, (int)y);
    cairo_pdf_surface_add_outline(p->surface, CAIRO_PDF_OUTLINE_ROOT, text, place, 0);
}
