// xodr.c - an OpenDRIVE file to a road.
#include "road_files/xodr_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- values ----

road_polys xodr_polys(xodr_reader *r, const xml_node *parent, const char *name, const char *key,
                      double from)
{
    int count = 0;
    for (const xml_node *n = xml_first(parent, name); n; n = xml_next(n, name))
        count++;
    road_poly *out = count ? xml_alloc(&r->x, count, sizeof *out) : NULL;
    int i = 0;
    for (const xml_node *n = xml_first(parent, name); n && r->x.status == MC_OK;
         n = xml_next(n, name), i++) {
        out[i] = (road_poly){.at = from + xml_number(&r->x, n, key),
                             .a = xml_number(&r->x, n, "a"),
                             .b = xml_number(&r->x, n, "b"),
                             .c = xml_number(&r->x, n, "c"),
                             .e = xml_number(&r->x, n, "d")};
        if (r->x.status == MC_OK && i > 0 && !(out[i].at > out[i - 1].at))
            xml_reject(&r->x, n, "%s at %.9g m comes after that at %.9g m; expected increasing %s",
                       name, out[i].at - from, out[i - 1].at - from, key);
    }
    return (road_polys){out, r->x.status == MC_OK ? count : 0};
}

// ---- roads ----

static double speed_of(xodr_reader *r, const xml_node *speed)
{
    if (!speed)
        return NAN;
    const char *max = xml_get(speed, "max"), *unit = xml_get(speed, "unit");
    if (max && (strcmp(max, "no limit") == 0 || strcmp(max, "undefined") == 0))
        return NAN;
    const double value = xml_number(&r->x, speed, "max");
    const double factor = !unit || strcmp(unit, "m/s") == 0 ? 1.0
                          : strcmp(unit, "mph") == 0        ? 0.44704
                                                            : 1.0 / 3.6;
    return value * factor;
}

static void read_road(xodr_reader *r, const xml_node *node, xodr_road *out)
{
    *out = (xodr_road){.node = node, .id = xml_word(&r->x, node, "id")};
    const char *name = xml_get(node, "name"), *junction = xml_get(node, "junction");
    out->name = name && name[0] ? name : out->id;
    out->in_junction = junction && strcmp(junction, "-1") != 0;
    out->length = xml_number(&r->x, node, "length");
    const xml_node *type = xml_first(node, "type");
    out->speed = type ? speed_of(r, xml_first(type, "speed")) : NAN;
    if (type && xml_next(type, "type"))
        xml_note(&r->x, xml_next(type, "type"),
                 "road %.40s: only its first type is used, for the speed", out->id);
    if (r->x.status != MC_OK)
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
    r->roads = xml_alloc(&r->x, r->road_count, sizeof *r->roads);
    int i = 0;
    for (const xml_node *n = xml_first(root, "road"); n && r->x.status == MC_OK;
         n = xml_next(n, "road"), i++) {
        read_road(r, n, &r->roads[i]);
        for (int k = 0; k < i && r->x.status == MC_OK; k++)
            if (strcmp(r->roads[k].id, r->roads[i].id) == 0)
                xml_reject(&r->x, n, "two roads have the id \"%.40s\"; the other is on line %d",
                           r->roads[i].id, r->roads[k].node->line);
    }
    if (r->x.status == MC_OK && r->road_count == 0)
        xml_reject(&r->x, root, "the file has no road");
}

// ---- paths ----

static const char *branch_name(xodr_reader *r, const xodr_road *way, bool left)
{
    char text[128];
    const int length = snprintf(text, sizeof text, "%.80s%s", way->name, left ? " left" : "");
    const char *copy = arena_copy_text(r->x.memory, text, (size_t)length);
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
    road_piece *pieces = xml_alloc(&r->x, way->piece_count, sizeof *pieces);
    road *own = xml_alloc(&r->x, 1, sizeof *own);
    if (r->x.status != MC_OK)
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
    if (road_path_make(r->x.memory, start, pieces, way->piece_count, is_circuit(way), &out->path,
                       &error) != MC_OK)
        xml_reject(&r->x, way->node, "road %.40s: %s", way->id, error.text);
    *own =
        (road){.lane_count = 1, .lane_width = 1.0, .friction.fallback = along->friction.fallback};
    xodr_make_slope(r, way, left, own);
    xodr_make_lanes(r, way, left, &out->lanes);
    out->surface = xodr_make_surface(r, way, left);
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
        xml_reject(&r->x, root, "no road has lanes to drive on");
        return;
    }
    road_branch *branches = xml_alloc(&r->x, 2 * r->road_count, sizeof *branches);
    road_network *net = xml_alloc(&r->x, 1, sizeof *net);
    int n = 0;
    for (int k = 0; k < r->road_count && r->x.status == MC_OK; k++) {
        xodr_road *way = &r->roads[(main + k) % r->road_count];
        for (int left = 0; left < 2 && r->x.status == MC_OK; left++) {
            way->side[left].path = way->side[left].strips ? n : -1;
            if (way->side[left].strips)
                make_branch(r, way, left, out, &branches[n++]);
        }
    }
    if (r->x.status != MC_OK)
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
    "objects", "signals",       "railroad", "shape",  "crossfall", "roadMark",
    "border",  "height",        "material", "access", "rule",      "controller",
    "station", "junctionGroup", "include",  "bridge", "tunnel",    "dataQuality",
};

// userData of other programs.
static void note_user_data(xodr_reader *r, const xml_node *node, int *count, const xml_node **first)
{
    for (const xml_node *n = node->first; n; n = n->next) {
        const char *code = strcmp(n->name, "userData") == 0 ? xml_get(n, "code") : NULL;
        if (strcmp(n->name, "userData") == 0 && (!code || strncmp(code, "motorcade.", 10) != 0) &&
            (*count)++ == 0)
            *first = n;
        note_user_data(r, n, count, first);
    }
    if (!node->parent && *count)
        xml_note(&r->x, *first, "userData is not read (%d element%s)", *count,
                 *count == 1 ? "" : "s");
}

mc_status xodr_parse_with(arena *memory, const char *bytes, size_t size, const char *file,
                          const xodr_files *files, road *out, const xodr_index **index,
                          xodr_notes *notes, mc_error *error)
{
    const xml_node *root;
    *notes = (xodr_notes){0};
    xodr_reader r = {.x = {.memory = memory, .file = file, .error = error, .notes = notes},
                     .files = files};
    r.x.status = xml_parse(memory, bytes, size, file, &root, error);
    if (r.x.status != MC_OK)
        return r.x.status;
    if (strcmp(root->name, "OpenDRIVE") != 0)
        xml_reject(&r.x, root, "found <%.40s>, expected <OpenDRIVE>", root->name);
    if (r.x.status == MC_OK)
        read_roads(&r, root);
    if (r.x.status == MC_OK)
        make_network(&r, root, out);
    if (r.x.status == MC_OK)
        xml_note_unread(&r.x, root, passed_over, (int)(sizeof passed_over / sizeof passed_over[0]));
    int count = 0;
    const xml_node *first = NULL;
    if (r.x.status == MC_OK)
        note_user_data(&r, root, &count, &first);
    xodr_index *made = index ? xml_alloc(&r.x, 1, sizeof *made) : NULL;
    if (made) {
        *made = (xodr_index){r.roads, r.road_count};
        *index = made;
    }
    return r.x.status;
}

mc_status xodr_parse(arena *memory, const char *bytes, size_t size, const char *file, road *out,
                     xodr_notes *notes, mc_error *error)
{
    return xodr_parse_with(memory, bytes, size, file, NULL, out, NULL, notes, error);
}

bool xodr_find_lane(const xodr_index *index, const char *id, int lane, double s, int *path,
                    int *strip, double *station)
{
    const bool left = lane > 0;
    for (int i = 0; i < index->road_count; i++) {
        const xodr_road *way = &index->roads[i];
        const xodr_side *side = &way->side[left];
        if (strcmp(way->id, id) != 0)
            continue;
        if (side->path < 0 || lane == 0 || !(s >= 0.0 && s <= way->length))
            return false;
        const xodr_section *section = side->sections;
        while (section + 1 < side->sections + way->section_count && section[1].from <= s)
            section++;
        const int place = (left ? lane : -lane) - 1;
        if (place >= section->count || !section->lanes[place].drive)
            return false;
        *path = side->path;
        *strip = section->lanes[place].strip;
        *station = left ? way->length - s : s;
        return true;
    }
    return false;
}

const char *xodr_road_of(const xodr_index *index, int path, bool *along)
{
    for (int i = 0; i < index->road_count; i++)
        for (int left = 0; left < 2; left++)
            if (index->roads[i].side[left].path == path) {
                *along = !left;
                return index->roads[i].id;
            }
    return NULL;
}
