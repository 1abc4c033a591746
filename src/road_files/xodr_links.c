// xodr_links.c - where the paths of an OpenDRIVE file meet.
//
// A path of the right side of a road is driven towards its end, where the road has its successor;
// one of the left side towards its start, where the predecessor is. A link leads from the end of a
// path to the start of another: of the right side of a road that is met at its start, of the left
// side of one that is met at its end.
#include "road_files/xodr_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct links {
    xodr_reader *r;
    road_network *net;
    mc_road_ramp *list;
    int count, room;
} links;

static const xodr_road *find_road(const links *l, const char *id)
{
    for (int i = 0; id && i < l->r->road_count; i++)
        if (strcmp(l->r->roads[i].id, id) == 0)
            return &l->r->roads[i];
    return NULL;
}

// The strip of a lane at the start of a path; 0 if it has none there.
static int strip_of(const xodr_road *way, bool left, int id)
{
    const xodr_side *side = &way->side[left];
    const xodr_section *section = &side->sections[left ? way->section_count - 1 : 0];
    for (int k = 0; k < section->count; k++)
        if (section->lanes[k].id == id)
            return section->lanes[k].strip;
    return 0;
}

static void put(links *l, const mc_road_ramp *link)
{
    if (l->count == l->room) {
        const int room = l->room ? 2 * l->room : 32;
        mc_road_ramp *more = xml_alloc(&l->r->x, room, sizeof *more);
        if (!more)
            return;
        if (l->count)
            memcpy(more, l->list, (size_t)l->count * sizeof *more);
        l->list = more;
        l->room = room;
    }
    l->list[l->count++] = *link;
}

static void add(links *l, int from, int to, int lane)
{
    if (from < 0 || to < 0 || l->r->x.status != MC_OK)
        return;
    for (int i = 0; i < l->count; i++)
        if (l->list[i].path == from && l->list[i].main == to)
            return;
    put(l, &(mc_road_ramp){.name = l->net->branches[from].name,
                           .on = true,
                           .path = from,
                           .main = to,
                           .lane = lane,
                           .speed = NAN});
}

// The lane linked to that of the innermost lane at the end of a path.
static int linked_lane(const xodr_road *from, bool left)
{
    const xodr_section *section = &from->side[left].sections[left ? 0 : from->section_count - 1];
    for (int k = 0; k < section->count; k++) {
        const int id = left ? section->lanes[k].before : section->lanes[k].after;
        if (section->lanes[k].drive && id != 0)
            return id;
    }
    return 0;
}

static void read_road_links(links *l, const xodr_road *way)
{
    const xml_node *link = xml_first(way->node, "link");
    for (int left = 0; left < 2 && link; left++) {
        const xml_node *to = xml_first(link, left ? "predecessor" : "successor");
        const char *type = to ? xml_get(to, "elementType") : NULL;
        if (!type || strcmp(type, "road") != 0)
            continue;
        const char *id = xml_word(&l->r->x, to, "elementId"), *at = xml_get(to, "contactPoint");
        const xodr_road *other = find_road(l, id);
        if (!other) {
            xml_reject(&l->r->x, to, "road %.40s is linked to road \"%.40s\", which does not exist",
                       way->id, id);
            return;
        }
        const bool there = at && strcmp(at, "end") == 0;
        add(l, way->side[left].path, other->side[there].path,
            strip_of(other, there, linked_lane(way, left)));
    }
}

// Which of its paths leads into the junction.
static int path_into(const xodr_road *way, const char *junction, bool *left)
{
    const xml_node *link = xml_first(way->node, "link");
    for (int side = 0; side < 2 && link; side++) {
        const xml_node *to = xml_first(link, side ? "predecessor" : "successor");
        const char *type = to ? xml_get(to, "elementType") : NULL;
        const char *id = to ? xml_get(to, "elementId") : NULL;
        if (type && id && strcmp(type, "junction") == 0 && strcmp(id, junction) == 0) {
            *left = side;
            return way->side[side].path;
        }
    }
    return -1;
}

static void read_junction(links *l, const xml_node *junction)
{
    xodr_reader *r = l->r;
    const char *id = xml_word(&r->x, junction, "id");
    for (const xml_node *n = xml_first(junction, "connection"); n && r->x.status == MC_OK;
         n = xml_next(n, "connection")) {
        const char *in = xml_get(n, "incomingRoad"), *by = xml_get(n, "connectingRoad");
        const char *at = xml_get(n, "contactPoint");
        const xodr_road *from = find_road(l, in), *to = find_road(l, by);
        if (!in || !by) {
            xml_note(&r->x, n, "a connection without incomingRoad and connectingRoad is not read");
            continue;
        }
        if (!from || !to) {
            xml_reject(&r->x, n,
                       "a connection from road \"%.40s\" to road \"%.40s\"; %.40s does not "
                       "exist",
                       in, by, from ? by : in);
            return;
        }
        const bool end = at && strcmp(at, "end") == 0;
        const xml_node *lane = xml_first(n, "laneLink");
        bool left = false;
        const int path = path_into(from, id, &left);
        add(l, path, to->side[end].path,
            lane ? strip_of(to, end, xml_whole(&r->x, lane, "to")) : 0);
    }
}

// ---- ramps along a road, written by xodr_write.c ----

static void read_ramp(links *l, const xodr_road *way, const xml_node *node)
{
    xodr_reader *r = l->r;
    char kind[4], main[40];
    int lane, connector;
    mc_road_ramp out = {.path = way->side[0].path};
    if (sscanf(xml_word(&r->x, node, "value"), "%3s %39s %d %lf %lf %lf %lf %d", kind, main, &lane,
               &out.at, &out.from, &out.to, &out.speed, &connector) != 8) {
        xml_reject(&r->x, node,
                   "motorcade.ramp is \"%.60s\"; expected on or off, road, lane, at, from, to, "
                   "speed and 0 or 1",
                   xml_word(&r->x, node, "value"));
        return;
    }
    const xodr_road *to = find_road(l, main);
    out.main = to ? to->side[0].path : -1;
    out.on = strcmp(kind, "on") == 0;
    out.lane = lane;
    out.connector = connector != 0;
    out.speed = out.speed >= 0.0 && out.speed <= 150.0 ? out.speed : NAN;
    const road_branch *branches = l->net->branches;
    if (out.main < 0 || out.path < 0 || lane < 1 || lane >= branches[out.main].lanes.count ||
        !(out.from < out.to && out.at >= out.from && out.at <= out.to && out.from >= -0.01 &&
          out.to <= branches[out.main].path.length + 0.01)) {
        xml_reject(&r->x, node, "motorcade.ramp: road %.40s has no lane %d from %.6g to %.6g m",
                   main, lane + 1, out.from, out.to);
        return;
    }
    out.name = branches[out.path].name;
    mc_error error = {0};
    if (road_find_nose(&branches[out.main], &branches[out.path], lane, out.on, &out, &error) !=
        MC_OK)
        xml_reject(&r->x, node, "%s", error.text);
    put(l, &out);
}

static void read_ramps(links *l, const xodr_road *way)
{
    for (const xml_node *n = xml_first(way->node, "userData"); n && l->r->x.status == MC_OK;
         n = xml_next(n, "userData")) {
        const char *code = xml_get(n, "code");
        if (code && strcmp(code, "motorcade.ramp") == 0)
            read_ramp(l, way, n);
    }
}

void xodr_read_links(xodr_reader *r, const xml_node *root, road_network *net)
{
    links l = {.r = r, .net = net};
    for (int i = 0; i < r->road_count && r->x.status == MC_OK; i++)
        read_road_links(&l, &r->roads[i]);
    for (const xml_node *n = xml_first(root, "junction"); n && r->x.status == MC_OK;
         n = xml_next(n, "junction"))
        read_junction(&l, n);
    for (int i = 0; i < r->road_count && r->x.status == MC_OK; i++)
        read_ramps(&l, &r->roads[i]);
    net->ramps = l.list;
    net->ramp_count = l.count;
}
