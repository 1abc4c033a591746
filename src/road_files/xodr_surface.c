// xodr_surface.c - surface/CRG of an OpenDRIVE road: OpenCRG files laid along its reference line.
//
// Mode attached: the grid of the file, without the line, slope and banking that it has of its own,
// counts on top of the road:
//
//   orientation same       s = sStart + sOffset + (u - start of u),   t = v + tOffset
//   orientation opposite   s = sEnd - sOffset - (u - start of u),     t = tOffset - v
//   height                 zOffset + zScale grid, for sStart <= s <= sEnd
#include "road_files/crg.h"
#include "road_files/xodr_parts.h"

#include <stdio.h>
#include <string.h>

typedef struct attachment { // of a file to a road
    const xml_node *node;
    double from, to;                              // m, stations
    double s_offset, t_offset, z_offset, z_scale; // m, m, m, -
    bool opposite;
} attachment;

static bool is_word(const xml_node *node, const char *attribute, const char *word)
{
    const char *text = xml_get(node, attribute);
    return text && strcmp(text, word) == 0;
}

// false: it cannot be laid over the road, and a note says why.
static bool read_attachment(xodr_reader *r, const xodr_road *way, const xml_node *n,
                            attachment *out)
{
    const char *mode = xml_word(&r->x, n, "mode"), *direction = xml_word(&r->x, n, "orientation");
    *out = (attachment){.node = n,
                        .from = xml_number(&r->x, n, "sStart"),
                        .to = xml_number(&r->x, n, "sEnd"),
                        .s_offset = xml_number_or(&r->x, n, "sOffset", 0.0),
                        .t_offset = xml_number_or(&r->x, n, "tOffset", 0.0),
                        .z_offset = xml_number_or(&r->x, n, "zOffset", 0.0),
                        .z_scale = xml_number_or(&r->x, n, "zScale", 1.0),
                        .opposite = strcmp(direction, "opposite") == 0};
    if (r->x.status != MC_OK)
        return false;
    if (!out->opposite && strcmp(direction, "same") != 0)
        xml_reject(&r->x, n, "orientation is \"%.40s\"; expected same or opposite", direction);
    if (!(out->from >= 0.0 && out->from < out->to && out->to <= way->length + 0.01))
        xml_reject(&r->x, n,
                   "the surface goes from %.9g to %.9g m; expected increasing stations of the "
                   "road, 0 .. %.9g m",
                   out->from, out->to, way->length);
    if (is_word(n, "purpose", "friction")) {
        xml_note(&r->x, n, "a surface for friction is not read");
        return false;
    }
    if (strcmp(mode, "genuine") == 0 || strcmp(mode, "global") == 0) {
        xml_note(&r->x, n, "a surface of mode %s is not read; attached is", mode);
        return false;
    }
    if (strcmp(mode, "attached0") == 0 && (way->elevation.count || way->bank.count))
        xml_note(&r->x, n, "mode attached0: the elevation of the road counts as well");
    else if (strcmp(mode, "attached") != 0 && strcmp(mode, "attached0") != 0)
        xml_reject(&r->x, n, "mode is \"%.40s\"; expected attached, attached0, genuine or global",
                   mode);
    return r->x.status == MC_OK;
}

// The grid of the file as the path counts station and offset.
static void lay(xodr_reader *r, const xodr_road *way, bool left, const attachment *a,
                const crg_surface *crg, road_surface *out)
{
    const road_surface *g = &crg->surface;
    const int rows = g->rows, columns = g->columns;
    double *v = xml_alloc(&r->x, columns, sizeof *v);
    double *z = xml_alloc(&r->x, rows, (size_t)columns * sizeof *z);
    if (r->x.status != MC_OK)
        return;
    const bool turned = a->opposite != left; // rows and columns in the other order
    const double start =
        a->opposite ? a->to - a->s_offset - g->step * (rows - 1) : a->from + a->s_offset;
    for (int k = 0; k < columns; k++) {
        const int from = turned ? columns - 1 - k : k;
        const double t = (a->opposite ? -g->v[from] : g->v[from]) + a->t_offset;
        v[k] = left ? -t : t;
    }
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < columns; k++) {
            const int row = turned ? rows - 1 - i : i, column = turned ? columns - 1 - k : k;
            const double own = crg->rise[row] + crg->bank[row] * g->v[column];
            z[(size_t)i * (size_t)columns + (size_t)k] =
                a->z_offset +
                a->z_scale * (g->z[(size_t)row * (size_t)columns + (size_t)column] - own);
        }
    *out = *g;
    out->v = v;
    out->z = z;
    out->from = left ? way->length - start - g->step * (rows - 1) : start;
    out->border_offset_u *= a->z_scale;
    out->border_offset_v *= a->z_scale;
    out->smooth_from = turned ? g->smooth_to : g->smooth_from;
    out->smooth_to = turned ? g->smooth_from : g->smooth_to;
    out->clipped = true;
    out->clip_from = left ? way->length - a->to : a->from;
    out->clip_to = left ? way->length - a->from : a->to;
}

static bool read_grid(xodr_reader *r, const attachment *a, crg_surface *out)
{
    const char *name = xml_word(&r->x, a->node, "file"), *bytes, *path;
    size_t size;
    if (!r->files) {
        xml_note(&r->x, a->node, "surface %.100s is not read: files of files are not opened here",
                 name);
        return false;
    }
    mc_error error = {0};
    if (!r->files->take(r->files->context, name, &bytes, &size, &path, &error)) {
        xml_reject(&r->x, a->node, "surface %.100s: %.250s", name, error.text);
        return false;
    }
    if (crg_parse(r->x.memory, bytes, size, path, out, &error) != MC_OK) {
        r->x.status = error.code;
        if (r->x.error)
            *r->x.error = error;
        return false;
    }
    return true;
}

const road_surface *xodr_make_surface(xodr_reader *r, const xodr_road *way, bool left)
{
    const xml_node *surface = xml_first(way->node, "surface");
    road_surface *first = NULL, *last = NULL;
    for (const xml_node *n = xml_first(surface, "CRG"); n && r->x.status == MC_OK;
         n = xml_next(n, "CRG")) {
        attachment a;
        crg_surface crg;
        // Notes are those of the first path of the road only.
        xml_notes *notes = r->x.notes, none = {0};
        if (left && way->side[0].strips)
            r->x.notes = &none;
        const bool good = read_attachment(r, way, n, &a) && read_grid(r, &a, &crg);
        r->x.notes = notes;
        road_surface *one = good ? xml_alloc(&r->x, 1, sizeof *one) : NULL;
        if (!one)
            continue;
        lay(r, way, left, &a, &crg, one);
        if (last)
            last->next = one;
        else
            first = one;
        last = one;
    }
    return r->x.status == MC_OK ? first : NULL;
}
