// xodr.c - an OpenDRIVE file to a road.
#include "road_files/xodr_parts.h"

#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- values ----

void xodr_reject(xodr_reader *r, const xml_node *node, const char *format, ...)
{
    if (r->status != MC_OK)
        return;
    char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    r->status = mc_error_set(r->error, MC_BAD_INPUT, r->file, node->line, node->column, "%s", text);
}

void xodr_note(xodr_reader *r, const xml_node *node, const char *format, ...)
{
    xodr_notes *notes = r->notes;
    if (notes->count == XODR_NOTES_MAX || r->status != MC_OK)
        return;
    va_list list;
    va_start(list, format);
    vsnprintf(notes->text[notes->count], sizeof notes->text[0], format, list);
    va_end(list);
    notes->line[notes->count++] = node->line;
}

void *xodr_alloc(xodr_reader *r, int count, size_t size)
{
    void *memory = arena_alloc(r->memory, (size_t)count * size);
    if (!memory && r->status == MC_OK)
        r->status = mc_error_set(r->error, MC_NO_MEMORY, r->file, 0, 0, "no memory left");
    return memory;
}

const char *xodr_text(xodr_reader *r, const xml_node *node, const char *attribute)
{
    const char *text = xml_get(node, attribute);
    if (!text)
        xodr_reject(r, node, "%.40s has no attribute %s", node->name, attribute);
    return text ? text : "";
}

double xodr_number_or(xodr_reader *r, const xml_node *node, const char *attribute, double fallback)
{
    const char *text = xml_get(node, attribute);
    double value = fallback;
    if (text && (!text_to_double(text, &value) || !isfinite(value) || fabs(value) > 1e15)) {
        xodr_reject(r, node, "%.40s: %s is \"%.40s\"; expected a number", node->name, attribute,
                    text);
        return fallback;
    }
    return value;
}

double xodr_number(xodr_reader *r, const xml_node *node, const char *attribute)
{
    xodr_text(r, node, attribute);
    return xodr_number_or(r, node, attribute, 0.0);
}

int xodr_whole(xodr_reader *r, const xml_node *node, const char *attribute)
{
    int value = 0;
    const char *text = xodr_text(r, node, attribute);
    if (r->status == MC_OK && (!text_to_int(text, &value) || abs(value) > 10000))
        xodr_reject(r, node, "%.40s: %s is \"%.40s\"; expected a whole number", node->name,
                    attribute, text);
    return value;
}

road_polys xodr_polys(xodr_reader *r, const xml_node *parent, const char *name, const char *key,
                      double from)
{
    int count = 0;
    for (const xml_node *n = xml_first(parent, name); n; n = xml_next(n, name))
        count++;
    road_poly *out = count ? xodr_alloc(r, count, sizeof *out) : NULL;
    int i = 0;
    for (const xml_node *n = xml_first(parent, name); n && r->status == MC_OK;
         n = xml_next(n, name), i++) {
        out[i] = (road_poly){.at = from + xodr_number(r, n, key),
                             .a = xodr_number(r, n, "a"),
                             .b = xodr_number(r, n, "b"),
                             .c = xodr_number(r, n, "c"),
                             .e = xodr_number(r, n, "d")};
        if (r->status == MC_OK && i > 0 && !(out[i].at > out[i - 1].at))
            xodr_reject(r, n, "%s at %.9g m comes after that at %.9g m; expected increasing %s",
                        name, out[i].at - from, out[i - 1].at - from, key);
    }
    return (road_polys){out, r->status == MC_OK ? count : 0};
}

// ---- roads ----

static double speed_of(xodr_reader *r, const xml_node *speed)
{
    if (!speed)
        return NAN;
    const char *max = xml_get(speed, "max"), *unit = xml_get(speed, "unit");
    if (max && (strcmp(max, "no limit") == 0 || strcmp(max, "undefined") == 0))
        return NAN;
    const double value = xodr_number(r, speed, "max");
    const double factor = !unit || strcmp(unit, "m/s") == 0 ? 1.0
                          : strcmp(unit, "mph") == 0        ? 0.44704
                                                            : 1.0 / 3.6;
    return value * factor;
}

static void read_road(xodr_reader *r, const xml_node *node, xodr_road *out)
{
    *out = (xodr_road){.node = node, .id = xodr_text(r, node, "id")};
    const char *name = xml_get(node, "name"), *junction = xml_get(node, "junction");
    out->name = name && name[0] ? name : out->id;
    out->in_junction = junction && strcmp(junction, "-1") != 0;
    out->length = xodr_number(r, node, "length");
    const xml_node *type = xml_first(node, "type");
    out->speed = type ? speed_of(r, xml_first(type, "speed")) : NAN;
    if (type && xml_next(type, "type"))
        xodr_note(r, xml_next(type, "type"),
                  "road %.40s: only its first type is used, for the speed", out->id);
    if (r->status != MC_OK)
        return;
    xodr_read_line(r, out);
    out->elevation = xodr_polys(r, xml_first(node, "elevationProfile"), "elevation", "s", 0.0);
    out->bank = xodr_polys(r, xml_first(node, "lateralProfile"), "superelevation", "s", 0.0);
    xodr_read_lanes(r, out);
}

static void read_roads(xodr_reader *r, const xml_node *root)
{
    for (const xml_node *n = xml_first(root, "road"); n; n = xml_next(n, "road"))
        r->road_count++;
    r->roads = xodr_alloc(r, r->road_count, sizeof *r->roads);
    int i = 0;
    for (const xml_node *n = xml_first(root, "road"); n && r->status == MC_OK;
         n = xml_next(n, "road"), i++) {
        read_road(r, n, &r->roads[i]);
        for (int k = 0; k < i && r->status == MC_OK; k++)
            if (strcmp(r->roads[k].id, r->roads[i].id) == 0)
                xodr_reject(r, n, "two roads have the id \"%.40s\"; the other is on line %d",
                            r->roads[i].id, r->roads[k].node->line);
    }
    if (r->status == MC_OK && r->road_count == 0)
        xodr_reject(r, root, "the file has no road");
}

// ---- paths ----

static const char *branch_name(xodr_reader *r, const xodr_road *way, bool left)
{
    char text[128];
    const int length = snprintf(text, sizeof text, "%.80s%s", way->name, left ? " left" : "");
    const char *copy = arena_copy_text(r->memory, text, (size_t)length);
    return copy ? copy : "";
}

// A road that is its own successor, and comes back to its start.
static bool is_circuit(const xodr_road *way)
{
    const xml_node *to = xml_first(xml_first(way->node, "link"), "successor");
    const char *id = to ? xml_get(to, "elementId") : NULL;
    const char *type = to ? xml_get(to, "elementType") : NULL;
    if (!id || !type || strcmp(type, "road") != 0 || strcmp(id, way->id) != 0)
        return false;
    const road_pose end = road_pieces_end(way->start, way->pieces, way->piece_count);
    const double turn = remainder(end.heading - way->start.heading, 2.0 * M_PI);
    return hypot(end.x - way->start.x, end.y - way->start.y) < ROAD_CLOSE &&
           fabs(turn) < ROAD_CLOSE;
}

static void make_branch(xodr_reader *r, const xodr_road *way, bool left, const road *along,
                        road_branch *out)
{
    road_piece *pieces = xodr_alloc(r, way->piece_count, sizeof *pieces);
    road *own = xodr_alloc(r, 1, sizeof *own);
    if (r->status != MC_OK)
        return;
    road_pose start = way->start;
    for (int k = 0; k < way->piece_count; k++)
        pieces[k] =
            left ? road_piece_reversed(way->pieces[way->piece_count - 1 - k]) : way->pieces[k];
    if (left) {
        start = road_pieces_end(way->start, way->pieces, way->piece_count);
        start.heading += M_PI;
    }
    *out = (road_branch){.name = branch_name(r, way, left),
                         .bank = left ? xodr_reverse(r, way->bank, way->length) : way->bank};
    mc_error error = {0};
    if (road_path_make(r->memory, start, pieces, way->piece_count, is_circuit(way), &out->path,
                       &error) != MC_OK)
        xodr_reject(r, way->node, "road %.40s: %s", way->id, error.text);
    *own =
        (road){.lane_count = 1, .lane_width = 1.0, .friction.fallback = along->friction.fallback};
    xodr_make_slope(r, way, left, own);
    xodr_make_lanes(r, way, left, &out->lanes);
    out->along = own;
    out->base =
        way->elevation.count ? road_polys_value(&way->elevation, left ? way->length : 0.0) : 0.0;
}

// The longest road with lanes to drive on, outside of junctions if there is one.
static int find_main(const xodr_reader *r)
{
    int found = -1;
    for (int pass = 0; pass < 2 && found < 0; pass++)
        for (int i = 0; i < r->road_count; i++) {
            const xodr_road *way = &r->roads[i];
            if ((way->side[0].strips || way->side[1].strips) && (pass || !way->in_junction) &&
                (found < 0 || way->length > r->roads[found].length))
                found = i;
        }
    return found;
}

static void make_network(xodr_reader *r, const xml_node *root, road *out)
{
    const int main = find_main(r);
    if (main < 0) {
        xodr_reject(r, root, "no road has lanes to drive on");
        return;
    }
    road_branch *branches = xodr_alloc(r, 2 * r->road_count, sizeof *branches);
    road_network *net = xodr_alloc(r, 1, sizeof *net);
    int n = 0;
    for (int k = 0; k < r->road_count && r->status == MC_OK; k++) {
        xodr_road *way = &r->roads[(main + k) % r->road_count];
        for (int left = 0; left < 2 && r->status == MC_OK; left++) {
            way->side[left].path = way->side[left].strips ? n : -1;
            if (way->side[left].strips)
                make_branch(r, way, left, out, &branches[n++]);
        }
    }
    if (r->status != MC_OK)
        return;
    for (int k = n - 1; k >= 0; k--) // heights count from the start of the main road
        branches[k].base -= branches[0].base;
    out->curve = branches[0].along->curve;
    branches[0].along = NULL;
    *net = (road_network){.branches = branches, .branch_count = n};
    xodr_read_links(r, root, net);
    mc_road_lane first;
    out->lane_count = branches[0].lanes.count;
    for (int k = 0; k < out->lane_count; k++)
        if (road_lanes_look(&branches[0].lanes, k, 0.0, &first)) {
            out->lane_width = first.width;
            break;
        }
    out->net = net;
}

// ---- what is not read ----

static const char *const passed_over[] = {
    "objects",       "signals",  "surface",  "railroad", "shape",  "crossfall",   "roadMark",
    "border",        "height",   "material", "access",   "rule",   "controller",  "station",
    "junctionGroup", "userData", "include",  "bridge",   "tunnel", "dataQuality",
};
enum { PASSED_OVER = sizeof passed_over / sizeof passed_over[0] };

typedef struct tally {
    int count[PASSED_OVER];
    const xml_node *first[PASSED_OVER];
} tally;

static void count_unread(const xml_node *node, tally *t)
{
    for (const xml_node *n = node->first; n; n = n->next) {
        for (int k = 0; k < PASSED_OVER; k++)
            if (strcmp(n->name, passed_over[k]) == 0 && t->count[k]++ == 0)
                t->first[k] = n;
        count_unread(n, t);
    }
}

static void note_unread(xodr_reader *r, const xml_node *root)
{
    tally t = {0};
    count_unread(root, &t);
    for (int k = 0; k < PASSED_OVER; k++)
        if (t.count[k])
            xodr_note(r, t.first[k], "%s is not read (%d element%s)", passed_over[k], t.count[k],
                      t.count[k] == 1 ? "" : "s");
}

mc_status xodr_parse(arena *memory, const char *bytes, size_t size, const char *file, road *out,
                     xodr_notes *notes, mc_error *error)
{
    const xml_node *root;
    notes->count = 0;
    xodr_reader r = {.memory = memory, .file = file, .error = error, .notes = notes};
    r.status = xml_parse(memory, bytes, size, file, &root, error);
    if (r.status != MC_OK)
        return r.status;
    if (strcmp(root->name, "OpenDRIVE") != 0)
        xodr_reject(&r, root, "found <%.40s>, expected <OpenDRIVE>", root->name);
    if (r.status == MC_OK)
        read_roads(&r, root);
    if (r.status == MC_OK)
        make_network(&r, root, out);
    if (r.status == MC_OK)
        note_unread(&r, root);
    return r.status;
}
