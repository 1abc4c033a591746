// xodr_strips.c - the lanes of an OpenDRIVE road.
//
// OpenDRIVE counts lanes by section, from the centre outwards. Here a lane is a strip along the
// whole path: lanes of two sections are the same strip where they are linked, or where a road has
// no links at all and their ids are equal. A lane that begins gets a strip of its own, right of the
// one that it lies beside.
#include "road_files/xodr_parts.h"

#include <math.h>
#include <string.h>

static bool is_drivable(const char *type)
{
    static const char *const types[] = {
        "driving", "entry", "exit", "onRamp",   "offRamp",  "connectingRamp", "bidirectional",
        "bus",     "taxi",  "HOV",  "slipLane", "mwyEntry", "mwyExit"};
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++)
        if (strcmp(type, types[k]) == 0)
            return true;
    return false;
}

static double lane_speed(xodr_reader *r, const xml_node *lane)
{
    const xml_node *speed = xml_first(lane, "speed");
    if (!speed)
        return NAN;
    const char *unit = xml_get(speed, "unit");
    const double factor = unit && strcmp(unit, "km/h") == 0  ? 1.0 / 3.6
                          : unit && strcmp(unit, "mph") == 0 ? 0.44704
                                                             : 1.0;
    if (xml_next(speed, "speed"))
        xml_note(&r->x, xml_next(speed, "speed"), "only the first speed of a lane is used");
    return xml_number(&r->x, speed, "max") * factor;
}

static void read_lane(xodr_reader *r, const xml_node *node, const xodr_section *section,
                      xodr_lane *out)
{
    const xml_node *link = xml_first(node, "link");
    const xml_node *before = xml_first(link, "predecessor"), *after = xml_first(link, "successor");
    *out = (xodr_lane){.id = xml_whole(&r->x, node, "id"),
                       .drive = is_drivable(xml_word(&r->x, node, "type")),
                       .before = before ? xml_whole(&r->x, before, "id") : 0,
                       .after = after ? xml_whole(&r->x, after, "id") : 0,
                       .speed = lane_speed(r, node),
                       .strip = -1};
    const road_polys width = xodr_polys(r, node, "width", "sOffset", section->from);
    out->width = width.p;
    out->width_count = width.count;
    if (r->x.status != MC_OK)
        return;
    if (width.count == 0)
        xml_reject(&r->x, node, "lane %d has no width%s", out->id,
                   xml_first(node, "border") ? "; widths by border are not read" : "");
    else if (width.p[0].at > section->from + 1e-6)
        xml_reject(&r->x, xml_first(node, "width"),
                   "the first width of lane %d begins at sOffset = %.9g m; expected 0", out->id,
                   width.p[0].at - section->from);
}

// Lanes -1, -2, ... of the right side, 1, 2, ... of the left one.
static void read_side(xodr_reader *r, const xml_node *node, bool left, xodr_section *section)
{
    const xml_node *side = xml_first(node, left ? "left" : "right");
    for (const xml_node *n = xml_first(side, "lane"); n; n = xml_next(n, "lane"))
        section->count++;
    if (section->count > ROAD_LANES_MAX) {
        xml_reject(&r->x, side, "%d lanes on one side; expected at most %d", section->count,
                   ROAD_LANES_MAX);
        return;
    }
    section->lanes = xml_alloc(&r->x, section->count, sizeof *section->lanes);
    for (const xml_node *n = xml_first(side, "lane"); n && r->x.status == MC_OK;
         n = xml_next(n, "lane")) {
        xodr_lane lane;
        read_lane(r, n, section, &lane);
        const int place = (left ? lane.id : -lane.id) - 1;
        if (r->x.status == MC_OK && (place < 0 || place >= section->count))
            xml_reject(&r->x, n, "lane %d on the %s; expected ids %s to %d without gaps", lane.id,
                       left ? "left" : "right", left ? "1" : "-1",
                       left ? section->count : -section->count);
        else if (r->x.status == MC_OK && section->lanes[place].width)
            xml_reject(&r->x, n, "lane %d is there twice", lane.id);
        else if (r->x.status == MC_OK)
            section->lanes[place] = lane;
        section->linked = section->linked || xml_first(n, "link");
    }
    // Outside of the last lane to drive on there is nothing to drive on.
    while (section->count > 0 && !section->lanes[section->count - 1].drive)
        section->count--;
}

// ---- strips ----

// Makes room for a new strip at `place`.
static void insert_strip(xodr_side *side, int section_count, int place)
{
    for (int i = 0; i < section_count; i++)
        for (int k = 0; k < side->sections[i].count; k++)
            if (side->sections[i].lanes[k].strip >= place)
                side->sections[i].lanes[k].strip++;
    side->strips++;
}

// The strip that lane k of section i continues; -1: none.
static int strip_before(const xodr_side *side, int i, int k)
{
    if (i == 0)
        return -1;
    const xodr_section *now = &side->sections[i], *before = &side->sections[i - 1];
    const xodr_lane *lane = &now->lanes[k];
    for (int j = 0; j < before->count; j++) {
        const xodr_lane *other = &before->lanes[j];
        const bool same = now->linked || before->linked
                              ? lane->before == other->id || other->after == lane->id
                              : lane->id == other->id;
        if (same)
            return other->strip;
    }
    return -1;
}

static void find_strips(xodr_reader *r, const xodr_road *way, xodr_side *side, bool left)
{
    for (int i = 0; i < way->section_count; i++) {
        xodr_section *section = &side->sections[i];
        int last = -1; // strip of the lane beside it
        for (int k = 0; k < section->count; k++) {
            int strip = strip_before(side, i, k);
            if (strip <= last) { // a new lane, or links that cross
                strip = last + 1;
                insert_strip(side, i + 1, strip);
            }
            section->lanes[k].strip = last = strip;
        }
        if (side->strips > ROAD_LANES_MAX) {
            xml_reject(&r->x, way->node, "road %.40s has more than %d lanes on its %s side",
                       way->id, ROAD_LANES_MAX, left ? "left" : "right");
            return;
        }
    }
}

static bool can_drive(const xodr_road *way, const xodr_side *side)
{
    for (int i = 0; i < way->section_count; i++)
        for (int k = 0; k < side->sections[i].count; k++)
            if (side->sections[i].lanes[k].drive)
                return true;
    return false;
}

void xodr_read_lanes(xodr_reader *r, xodr_road *way)
{
    const xml_node *lanes = xml_first(way->node, "lanes");
    for (const xml_node *n = xml_first(lanes, "laneSection"); n; n = xml_next(n, "laneSection"))
        way->section_count++;
    if (way->section_count == 0)
        xml_reject(&r->x, lanes ? lanes : way->node, "road %.40s has no laneSection", way->id);
    way->offset = xodr_polys(r, lanes, "laneOffset", "s", 0.0);
    for (int left = 0; left < 2 && r->x.status == MC_OK; left++) {
        xodr_side *side = &way->side[left];
        side->path = -1;
        side->sections = xml_alloc(&r->x, way->section_count, sizeof *side->sections);
        int i = 0;
        for (const xml_node *n = xml_first(lanes, "laneSection"); n && r->x.status == MC_OK;
             n = xml_next(n, "laneSection"), i++) {
            const xml_node *next = xml_next(n, "laneSection");
            xodr_section *section = &side->sections[i];
            section->from = xml_number(&r->x, n, "s");
            section->to = next ? xml_number(&r->x, next, "s") : way->length;
            if (r->x.status == MC_OK && !(section->from < section->to))
                xml_reject(&r->x, n,
                           "laneSection from %.9g to %.9g m; expected increasing stations "
                           "below the length of the road, %.9g m",
                           section->from, section->to, way->length);
            if (r->x.status == MC_OK && i == 0 && section->from != 0.0)
                xml_reject(&r->x, n, "the first laneSection begins at %.9g m; expected 0",
                           section->from);
            read_side(r, n, left, section);
        }
        if (r->x.status == MC_OK)
            find_strips(r, way, side, left);
        if (r->x.status == MC_OK && !can_drive(way, side))
            side->strips = 0;
    }
}

// ---- sections of a path ----

static double rate_of(const road_poly *p, double s)
{
    const double d = s - p->at;
    return p->b + d * (2.0 * p->c + d * 3.0 * p->e);
}

static const road_poly *record_at(const road_poly *p, int count, double s)
{
    int k = 0;
    while (k + 1 < count && p[k + 1].at <= s)
        k++;
    return &p[k];
}

// The cubic of a record between two stations, as the path counts them.
static road_poly part_of(const road_poly *p, double from, double to, bool left, double length,
                         double sign)
{
    const double a = left ? to : from, b = left ? from : to, turn = left ? -sign : sign;
    return road_poly_between(left ? length - to : from, left ? length - from : to,
                             sign * road_poly_value(p, a), sign * road_poly_value(p, b),
                             turn * rate_of(p, a), turn * rate_of(p, b));
}

road_polys xodr_reverse(xodr_reader *r, road_polys p, double length)
{
    road_poly *out = xml_alloc(&r->x, p.count, sizeof *out);
    for (int k = 0; out && k < p.count; k++) {
        const int from = p.count - 1 - k;
        const double to = from + 1 < p.count ? p.p[from + 1].at : length;
        const double begin = fmax(p.p[from].at, 0.0);
        out[k] = part_of(&p.p[from], begin, fmax(to, begin + 1e-3), true, length, -1.0);
    }
    return (road_polys){out, out ? p.count : 0};
}

static int add_break(double *at, int count, double s)
{
    int i = count;
    while (i > 0 && at[i - 1] > s)
        i--;
    if (i > 0 && s - at[i - 1] < 1e-6)
        return count;
    memmove(at + i + 1, at + i, (size_t)(count - i) * sizeof *at);
    at[i] = s;
    return count + 1;
}

// Stations at which a section, a width or the offset begins, and the end; *out: room for all.
static int find_breaks(xodr_reader *r, const xodr_road *way, const xodr_side *side, double **out)
{
    int room = way->section_count + way->offset.count + 2;
    for (int i = 0; i < way->section_count; i++)
        for (int k = 0; k < side->sections[i].count; k++)
            room += side->sections[i].lanes[k].width_count;
    double *at = *out = xml_alloc(&r->x, room, sizeof *at);
    if (!at)
        return 0;
    int n = add_break(at, 0, 0.0);
    for (int i = 0; i < way->section_count; i++) {
        const xodr_section *section = &side->sections[i];
        n = add_break(at, n, section->from);
        for (int k = 0; k < section->count; k++)
            for (int w = 0; w < section->lanes[k].width_count; w++)
                if (section->lanes[k].width[w].at < section->to)
                    n = add_break(at, n, section->lanes[k].width[w].at);
    }
    for (int k = 0; k < way->offset.count; k++)
        if (way->offset.p[k].at > 0.0 && way->offset.p[k].at < way->length)
            n = add_break(at, n, way->offset.p[k].at);
    while (n > 1 && at[n - 1] > way->length - 1e-6)
        n--;
    at[n] = way->length;
    return n;
}

static void fill_section(const xodr_road *way, const xodr_side *side, bool left, double from,
                         double to, road_section *out, road_lane *lanes)
{
    const double middle = 0.5 * (from + to), length = way->length;
    const xodr_section *section = side->sections;
    while (section + 1 < side->sections + way->section_count && section[1].from <= middle)
        section++;
    out->s = left ? length - to : from;
    if (way->offset.count) {
        const road_poly *record = record_at(way->offset.p, way->offset.count, middle);
        const road_poly p = part_of(record, from, to, left, length, left ? -1.0 : 1.0);
        out->a = p.a, out->b = p.b, out->c = p.c, out->e = p.e;
    }
    for (int k = 0; k < side->strips; k++)
        lanes[k] =
            (road_lane){.speed = NAN, .headway = NAN, .separation = NAN, .use = MC_ROAD_CLOSED};
    for (int k = 0; k < section->count; k++) {
        const xodr_lane *lane = &section->lanes[k];
        const road_poly *record = record_at(lane->width, lane->width_count, middle);
        const road_poly p = part_of(record, from, to, left, length, 1.0);
        lanes[lane->strip] = (road_lane){.a = p.a,
                                         .b = p.b,
                                         .c = p.c,
                                         .e = p.e,
                                         .speed = isnan(lane->speed) ? way->speed : lane->speed,
                                         .headway = NAN,
                                         .separation = NAN,
                                         .use = lane->drive ? MC_ROAD_ANY : MC_ROAD_CLOSED};
    }
    out->lane = lanes;
}

void xodr_make_lanes(xodr_reader *r, const xodr_road *way, bool left, road_lanes *out)
{
    const xodr_side *side = &way->side[left];
    double *at;
    const int n = find_breaks(r, way, side, &at), count = side->strips;
    road_section *sections = xml_alloc(&r->x, n, sizeof *sections);
    road_lane *lanes = xml_alloc(&r->x, n * count, sizeof *lanes);
    if (r->x.status != MC_OK)
        return;
    for (int i = 0; i < n; i++) {
        const int to = left ? n - 1 - i : i;
        fill_section(way, side, left, at[i], at[i + 1], &sections[to],
                     lanes + (size_t)to * (size_t)count);
    }
    *out = (road_lanes){count, sections, n, way->length};
}
