// xodr_links.c - where the paths of an OpenDRIVE file meet.
//
// A path of the right side of a road is driven towards its end, where the road has its successor;
// one of the left side towards its start, where the predecessor is. A link leads from the end of a
// path to the start of another: of the right side of a road that is met at its start, of the left
// side of one that is met at its end.
#include "road_files/xodr_parts.h"

#include <math.h>
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

static void add(links *l, int from, int to, int lane)
{
    if (from < 0 || to < 0 || l->r->status != MC_OK)
        return;
    for (int i = 0; i < l->count; i++)
        if (l->list[i].path == from && l->list[i].main == to)
            return;
    if (l->count == l->room) {
        const int room = l->room ? 2 * l->room : 32;
        mc_road_ramp *more = xodr_alloc(l->r, room, sizeof *more);
        if (!more)
            return;
        if (l->count)
            memcpy(more, l->list, (size_t)l->count * sizeof *more);
        l->list = more;
        l->room = room;
    }
    l->list[l->count++] = (mc_road_ramp){.name = l->net->branches[from].name,
                                         .on = true,
                                         .path = from,
                                         .main = to,
                                         .lane = lane,
                                         .speed = NAN};
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
        const char *id = xodr_text(l->r, to, "elementId"), *at = xml_get(to, "contactPoint");
        const xodr_road *other = find_road(l, id);
        if (!other) {
            xodr_reject(l->r, to, "road %.40s is linked to road \"%.40s\", which does not exist",
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
    const char *id = xodr_text(r, junction, "id");
    for (const xml_node *n = xml_first(junction, "connection"); n && r->status == MC_OK;
         n = xml_next(n, "connection")) {
        const char *in = xml_get(n, "incomingRoad"), *by = xml_get(n, "connectingRoad");
        const char *at = xml_get(n, "contactPoint");
        const xodr_road *from = find_road(l, in), *to = find_road(l, by);
        if (!in || !by) {
            xodr_note(r, n, "a connection without incomingRoad and connectingRoad is not read");
            continue;
        }
        if (!from || !to) {
            xodr_reject(r, n,
                        "a connection from road \"%.40s\" to road \"%.40s\"; %.40s does not "
                        "exist",
                        in, by, from ? by : in);
            return;
        }
        const bool end = at && strcmp(at, "end") == 0;
        const xml_node *lane = xml_first(n, "laneLink");
        bool left = false;
        const int path = path_into(from, id, &left);
        add(l, path, to->side[end].path, lane ? strip_of(to, end, xodr_whole(r, lane, "to")) : 0);
    }
}

void xodr_read_links(xodr_reader *r, const xml_node *root, road_network *net)
{
    links l = {.r = r, .net = net};
    for (int i = 0; i < r->road_count && r->status == MC_OK; i++)
        read_road_links(&l, &r->roads[i]);
    for (const xml_node *n = xml_first(root, "junction"); n && r->status == MC_OK;
         n = xml_next(n, "junction"))
        read_junction(&l, n);
    net->ramps = l.list;
    net->ramp_count = l.count;
}
