// road_file.c - roads from files, for programs that use the library.
#include "motorcade/road_file.h"

#include "base/file.h"
#include "road/network.h"
#include "road_files/crg.h"
#include "road_files/xodr.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct mc_road_file {
    arena memory;
    road road;
    char format[32];
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
        status = xodr_parse(&f->memory, bytes, size, path, &f->road, &f->notes, error);
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
