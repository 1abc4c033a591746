// road_ramps.c - the ramps of a DYNAVIS ramp file as ramps of the road.
//
// The file says where they are; their shape is chosen here. A plain ramp turns by 15 degrees with
// radii of 150 m and more, a connector by 95 degrees at 120 m; their design speeds are 20 and
// 18 m/s. The lane of a ramp takes the road up to the next ramp that needs it, at most 260 m. The
// text is kept as it is, so that it can be written back byte for byte.
#include "motorcade/dynavis.h"
#include "road/network.h"
#include "scenario/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double max_extent = 260.0, min_extent = 20.0, max_taper = 60.0; // m
enum { RAMP_FILE_MAX = 1 << 20 };                                            // bytes

static const road_piece plain_on[] = {{80, 0, 0}, {40, 0, -1.0 / 150}, {40, -1.0 / 150, 0}};
static const road_piece plain_off[] = {{40, 0, -1.0 / 150}, {40, -1.0 / 150, 0}, {80, 0, 0}};
static const road_piece connector_on[] = {
    {50, 0, 0}, {50, 0, -1.0 / 120}, {150, -1.0 / 120, -1.0 / 120}, {50, -1.0 / 120, 0}};
static const road_piece connector_off[] = {
    {50, 0, -1.0 / 120}, {150, -1.0 / 120, -1.0 / 120}, {50, -1.0 / 120, 0}, {50, 0, 0}};

// Length of road that the lane of ramp k may take; *by: the ramp that limits it, -1: none. Two
// ramps of one kind share no road; an on-ramp before an off-ramp shares what is between them.
static double extent_of(const mc_dynavis_ramp *ramps, int count, int k, int *by)
{
    const mc_dynavis_ramp *own = &ramps[k];
    double extent = own->on ? max_extent : fmin(max_extent, own->x);
    *by = -1;
    for (int i = 0; i < count; i++) {
        const double apart = own->on ? ramps[i].x - own->x : own->x - ramps[i].x;
        const bool same = ramps[i].on == own->on;
        const double room = same ? apart : 0.5 * apart;
        if (i != k && (apart > 0.0 || (apart == 0.0 && same)) && room < extent)
            extent = room, *by = i;
    }
    return extent;
}

static road_ramp shape_of(const mc_dynavis_ramp *ramp, double extent, double lane_width)
{
    const double taper = fmin(max_taper, 0.25 * extent);
    const bool link = ramp->connector;
    road_ramp out = {.on = ramp->on,
                     .connector = link,
                     .at = ramp->x,
                     .length = extent - taper,
                     .taper = taper,
                     .width = lane_width,
                     .speed = link ? 18.0 : 20.0,
                     .piece_count = link ? 4 : 3};
    out.pieces =
        link ? (ramp->on ? connector_on : connector_off) : (ramp->on ? plain_on : plain_off);
    return out;
}

// One place for both forms of the text: that of the key, with the line of the file.
static void reject(scenario_reader *r, const yaml_node *node, int line, const char *text)
{
    reader_reject(&r->base, node, "line %d of the ramps: %s", line, text);
}

static void make_ramps(scenario_reader *r, const yaml_node *node, const mc_dynavis_ramp *ramps,
                       int count, road_plan *plan)
{
    road_ramp *out = reader_alloc(&r->base, count, sizeof *out);
    char text[300];
    for (int k = 0; k < count && r->base.status == MC_OK; k++) {
        int by;
        const double extent = extent_of(ramps, count, k, &by);
        for (int i = 0; i < k && r->base.status == MC_OK; i++)
            if (strcmp(ramps[i].name, ramps[k].name) == 0) {
                snprintf(text, sizeof text, "ramp %s is already on line %d", ramps[k].name,
                         ramps[i].line);
                reject(r, node, ramps[k].line, text);
            }
        if (r->base.status == MC_OK && extent < min_extent) {
            snprintf(text, sizeof text,
                     "ramp %s at %.6g m has %.4g m of road for its lane%s%s; expected at least "
                     "%g m",
                     ramps[k].name, ramps[k].x, fmax(extent, 0.0),
                     by < 0 ? ", from the start of the road" : ", because of ",
                     by < 0 ? "" : ramps[by].name, min_extent);
            reject(r, node, ramps[k].line, text);
        }
        if (r->base.status != MC_OK)
            return;
        out[k] = shape_of(&ramps[k], extent, plan->lane_width);
        out[k].name = reader_copy(&r->base, ramps[k].name);
    }
    plan->ramps = out;
    plan->ramp_count = count;
}

bool scenario_read_ramp_lines(scenario_reader *r, const yaml_node *map, road_plan *plan)
{
    static const char *const keys[] = {"ramp_lines", "ramp_file", "ramps"};
    const yaml_node *given[3];
    for (int k = 0; k < 3; k++)
        given[k] = yaml_find(map, keys[k]);
    const yaml_node *node = given[0] ? given[0] : given[1];
    if (!node)
        return false;
    for (int k = given[0] ? 1 : 2; k < 3; k++)
        if (given[k])
            reader_reject(&r->base, given[k]->key, "the road has %s and %s; expected one of them",
                          node->key->text, keys[k]);
    const mc_file *file =
        given[0] || r->base.status != MC_OK ? NULL : scenario_take_file(r, node, RAMP_FILE_MAX);
    const char *text = given[0] ? reader_text(&r->base, node) : file ? file->bytes : "";
    if (r->base.status != MC_OK)
        return true;
    r->s->ramp_lines = text;
    r->s->ramp_lines_size = given[0] ? strlen(text) : file->size;
    mc_dynavis_ramp *ramps;
    int count;
    mc_error error = {0};
    if (mc_dynavis_ramps_parse(text, r->s->ramp_lines_size, file ? file->path : "ramp_lines",
                               &ramps, &count, &error) == MC_OK)
        make_ramps(r, node, ramps, count, plan);
    else if (file)
        r->base.status = error.code, *r->base.error = error;
    else
        reject(r, node, error.line, error.text);
    free(ramps);
    return true;
}
