// road_file.c - roads from files, for programs that use the library.
#include "motorcade/road_file.h"

#include "base/file.h"
#include "road/network.h"
#include "road_files/crg.h"
#include "road_files/xodr.h"
#include "road_files/xodr_write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct mc_road_file {
    arena memory;
    road road;
    char format[32];
    const crg_surface *crg; // NULL: the file is OpenDRIVE
    xodr_notes notes;
};

static bool ends(const char *path, const char *with)
{
    const size_t length = strlen(path), size = strlen(with);
    return length > size && strcasecmp(path + length - size, with) == 0;
}

// The reference line of a surface: headings hold in the middle of steps, and turn evenly between.
static mc_status line_of(arena *memory, const crg_surface *crg, road_plan *plan, mc_error *error)
{
    const int rows = crg->surface.rows, count = crg->straight ? 1 : rows;
    const double step = crg->surface.step;
    road_piece *pieces = arena_alloc(memory, (size_t)count * sizeof *pieces);
    if (!pieces)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left");
    if (crg->straight)
        pieces[0] = (road_piece){step * (rows - 1), 0.0, 0.0};
    for (int i = 0; i < count && !crg->straight; i++) {
        const bool end = i == 0 || i == rows - 1;
        const double turn =
            end ? 0.0 : remainder(crg->heading[i + 1] - crg->heading[i], 2.0 * M_PI);
        pieces[i] = (road_piece){end ? 0.5 * step : step, turn / step, turn / step};
    }
    plan->pieces = pieces;
    plan->piece_count = count;
    return MC_OK;
}

static mc_status make_crg(mc_road_file *f, const char *bytes, size_t size, const char *path,
                          mc_error *error)
{
    crg_surface *crg = arena_alloc(&f->memory, sizeof *crg);
    if (!crg)
        return mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory left");
    mc_status status = crg_parse(&f->memory, bytes, size, path, crg, error);
    if (status != MC_OK)
        return status;
    f->crg = crg;
    const road_surface *s = &crg->surface;
    const double width = s->v[s->columns - 1] - s->v[0];
    snprintf(f->format, sizeof f->format, "OpenCRG %s", crg->form);
    if (crg->unread[0]) {
        f->notes.count = 1;
        snprintf(f->notes.text[0], sizeof f->notes.text[0], "not read: %.180s", crg->unread);
    }
    road_plan plan = {.lane_count = 1, .lane_width = width, .surface = s};
    road_fault fault;
    mc_error own = {0};
    status = line_of(&f->memory, crg, &plan, error);
    if (status == MC_OK &&
        road_make(&f->memory, 1, width, NULL, 0, NULL, 0, &f->road, &own) != MC_OK)
        status = mc_error_set(error, own.code, path, 0, 0, "%s", own.text);
    if (status == MC_OK &&
        road_network_make(&f->memory, &plan, &f->road, &f->road.net, &fault, &own) != MC_OK)
        status = mc_error_set(error, own.code, path, 0, 0, "%s", own.text);
    return status;
}

typedef struct folder {
    arena *memory;
    const char *of; // the file whose folder it is
} folder;

// A file that an OpenDRIVE file names, from the folder of that.
static bool take_file(void *context, const char *name, const char **bytes, size_t *size,
                      const char **path, mc_error *error)
{
    const folder *f = context;
    const char *slash = strrchr(f->of, '/');
    char text[4096];
    const int length =
        snprintf(text, sizeof text, "%.*s%s",
                 slash && name[0] != '/' ? (int)(slash + 1 - f->of) : 0, f->of, name);
    *path = arena_copy_text(f->memory, text, strlen(text));
    char *data = NULL;
    if (!*path || length >= (int)sizeof text)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "its name is too long") == MC_OK;
    const mc_status status = file_read(f->memory, *path, (size_t)1 << 28, &data, size, error);
    *bytes = data;
    return status == MC_OK;
}

mc_road_file *mc_road_file_read(const char *path, mc_error *error)
{
    mc_road_file *f = calloc(1, sizeof *f);
    char *bytes;
    size_t size;
    if (!f) {
        mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory left");
        return NULL;
    }
    mc_status status = file_read(&f->memory, path, (size_t)1 << 28, &bytes, &size, error);
    if (status == MC_OK && ends(path, ".xodr")) {
        snprintf(f->format, sizeof f->format, "OpenDRIVE");
        f->road.friction.fallback = 1.0;
        folder here = {&f->memory, path};
        const xodr_files files = {&here, take_file};
        status = xodr_parse_with(&f->memory, bytes, size, path, &files, &f->road, NULL, &f->notes,
                                 error);
    } else if (status == MC_OK && ends(path, ".crg")) {
        status = make_crg(f, bytes, size, path, error);
    } else if (status == MC_OK) {
        status = mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                              "not a road; expected a name that ends with .xodr or .crg");
    }
    if (status == MC_OK)
        return f;
    mc_road_file_free(f);
    return NULL;
}

void mc_road_file_free(mc_road_file *f)
{
    if (!f)
        return;
    arena_free(&f->memory);
    free(f);
}

const mc_road *mc_road_file_road(const mc_road_file *f)
{
    return &f->road;
}

const char *mc_road_file_format(const mc_road_file *f)
{
    return f->format;
}

bool mc_road_file_note(const mc_road_file *f, int index, int *line, const char **text)
{
    if (index < 0 || index >= f->notes.count)
        return false;
    *line = f->notes.line[index];
    *text = f->notes.text[index];
    return true;
}

// ---- writing ----

static mc_status write_text(const char *path, char *text, size_t size, mc_error *error)
{
    if (!text)
        return mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory for the file");
    file_writer *out = file_writer_open(path, error);
    if (out)
        file_write(out, text, size);
    free(text);
    return out ? file_writer_commit(out, error) : error->code;
}

static const road_surface *surface_of(const road *r)
{
    return r && r->net ? r->net->branches[0].surface : NULL;
}

// A surface without a grid, or made of several, as heights every `step` m under the lanes.
static mc_status sample_surface(arena *memory, const road *r, double length, double step,
                                road_surface *out, mc_error *error)
{
    const road_surface *s = surface_of(r);
    const road_branch *main = &r->net->branches[0];
    double edge[ROAD_LANES_MAX + 1];
    road_lanes_edges(&main->lanes, 0.0, edge);
    const double right = edge[main->lanes.count] - 2.0, width = edge[0] + 2.0 - right;
    const double rows = ceil(length / step) + 1.0, columns = ceil(width / step) + 1.0;
    if (!(rows * columns <= 5e7))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "the surface would have %.3g heights; expected at most 5e7, with a "
                            "larger step or a shorter length",
                            rows * columns);
    double *v = arena_alloc(memory, (size_t)columns * sizeof *v);
    double *z = arena_alloc(memory, (size_t)(rows * columns) * sizeof *z), zu, zv;
    if (!v || !z)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the surface");
    for (int k = 0; k < (int)columns; k++)
        v[k] = right + step * k;
    for (int i = 0; i < (int)rows; i++)
        for (int k = 0; k < (int)columns; k++)
            road_surface_at(s, step * i, v[k], &z[(size_t)i * (size_t)columns + (size_t)k], &zu,
                            &zv);
    *out = (road_surface){.rows = (int)rows,
                          .columns = (int)columns,
                          .step = step,
                          .v = v,
                          .z = z,
                          .border_u = ROAD_BORDER_KEEP,
                          .border_v = ROAD_BORDER_KEEP};
    return MC_OK;
}

// The surface of a road along the line of its main path: a polygon whose sides have the heading of
// the line at their middle.
static mc_status make_surface(arena *memory, const road *r, double length, double step,
                              crg_surface *out, mc_error *error)
{
    const road_surface *s = surface_of(r);
    *out = (crg_surface){.straight = true};
    if (!s)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "the road has no surface to write as OpenCRG");
    if (s->terrain || s->shape || s->clipped) {
        const mc_status status = sample_surface(memory, r, length, step, &out->surface, error);
        if (status != MC_OK)
            return status;
    } else {
        out->surface = *s;
    }
    const road_path *path = &r->net->branches[0].path;
    const int rows = out->surface.rows;
    double *heading = arena_alloc(memory, (size_t)rows * sizeof *heading);
    double *place = arena_alloc(memory, 2 * sizeof *place);
    if (!heading || !place)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the surface");
    for (int i = 0; i < rows; i++) {
        const double u = out->surface.from + out->surface.step * ((i ? i : 1) - 0.5);
        heading[i] = road_path_place(path, u, 0.0).heading;
        out->straight = out->straight && heading[i] == heading[0];
    }
    const road_pose start = road_path_place(path, out->surface.from, 0.0);
    place[0] = start.x, place[1] = start.y;
    out->x = &place[0], out->y = &place[1];
    out->heading = heading;
    return MC_OK;
}

static mc_status write_surface(const crg_surface *crg, const char *path,
                               const mc_road_write_options *options, mc_error *error)
{
    crg_form form;
    size_t size = 0;
    if (!crg_form_of(options->form ? options->form : "KDBI", &form))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "form \"%.20s\"; expected KRBI, KDBI, LRFI or LDFI", options->form);
    char *text = crg_text(crg, form, options->title ? options->title : path, &size);
    return write_text(path, text, size, error);
}

static double main_length(const road *r, const mc_road_write_options *options)
{
    mc_road_path main;
    mc_road_path_at(r, 0, &main);
    const double given = options->length > 0.0 ? options->length : 1000.0;
    return isfinite(main.length) ? main.length : given;
}

static mc_status write_xodr(const road *r, const char *path, const mc_road_write_options *options,
                            const crg_surface *crg, mc_error *error)
{
    char beside[4096];
    const double length = main_length(r, options);
    xodr_write_options o = {.length = length};
    if (crg) {
        snprintf(beside, sizeof beside, "%.*s.crg", (int)(strlen(path) - strlen(".xodr")), path);
        const char *slash = strrchr(beside, '/');
        o.surface = slash ? slash + 1 : beside;
        o.surface_from = fmax(crg->surface.from, 0.0);
        o.surface_to = length;
        const mc_status status = write_surface(crg, beside, options, error);
        if (status != MC_OK)
            return status;
    }
    xml_notes *notes = calloc(1, sizeof *notes);
    size_t size = 0;
    char *text =
        notes ? xodr_text(r, options->title ? options->title : path, &o, notes, &size) : NULL;
    const mc_status status = write_text(path, text, size, error);
    for (int k = 0; status == MC_OK && options->note && k < notes->count; k++)
        options->note(options->context, notes->text[k]);
    free(notes);
    return status;
}

static mc_status write_road(const road *r, const crg_surface *own, const char *path,
                            const mc_road_write_options *options, mc_error *error)
{
    static const mc_road_write_options defaults = {0};
    options = options ? options : &defaults;
    const bool xodr = ends(path, ".xodr");
    if (!xodr && !ends(path, ".crg"))
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                            "not a road; expected a name that ends with .xodr or .crg");
    arena memory = {0};
    crg_surface crg;
    const double step = options->step > 0.0 ? options->step : 0.1;
    const bool surface = !xodr || surface_of(r);
    mc_status status = MC_OK;
    if (own)
        crg = *own;
    else if (surface)
        status = make_surface(&memory, r, main_length(r, options), step, &crg, error);
    if (status == MC_OK)
        status = xodr ? write_xodr(r, path, options, surface ? &crg : NULL, error)
                      : write_surface(&crg, path, options, error);
    arena_free(&memory);
    return status;
}

mc_status mc_road_write(const mc_road *of, const char *path, const mc_road_write_options *options,
                        mc_error *error)
{
    return write_road(of, NULL, path, options, error);
}

mc_status mc_road_file_write(const mc_road_file *file, const char *path,
                             const mc_road_write_options *options, mc_error *error)
{
    return write_road(&file->road, file->crg, path, options, error);
}
