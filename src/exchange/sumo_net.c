// sumo_net.c - SUMO networks (.net.xml) and configurations (.sumocfg).
//
// Read are edges with their lanes (shape, width, speed, which vehicles may use them) and
// connections with the lanes inside of junctions. Junctions, traffic lights, crossings, and edges
// that are not part of the road are listed.
#include "exchange/formats.h"
#include "exchange/sumo.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 3.2 // m, of a lane without a width

bool sumo_time(const char *text, double *out)
{
    char copy[64], *rest;
    if (text_to_double(text, out))
        return isfinite(*out) && fabs(*out) < 1e7;
    if (strlen(text) >= sizeof copy || !strchr(text, ':'))
        return false;
    strcpy(copy, text);
    double sum = 0.0, part;
    for (char *word = strtok_r(copy, ":", &rest); word; word = strtok_r(NULL, ":", &rest)) {
        if (!text_to_double(word, &part) || !(part >= 0.0 && part < 1e6))
            return false;
        sum = 60.0 * sum + part;
    }
    *out = sum;
    return sum < 1e7;
}

// ---- lanes ----

// "x,y x,y,z ..."
static const polyline_point *read_shape(xml_reader *r, const xml_node *lane, int *count)
{
    const char *text = xml_word(r, lane, "shape");
    int room = 1;
    for (const char *c = text; *c; c++)
        room += *c == ' ';
    polyline_point *out = xml_alloc(r, room, sizeof *out);
    *count = 0;
    for (const char *c = text; out && *c && r->status == MC_OK;) {
        char *end;
        const double x = strtod(c, &end);
        const bool comma = end > c && *end == ',';
        const char *second = comma ? end + 1 : end;
        const double y = comma ? strtod(second, &end) : 0.0;
        if (!comma || end == second || !isfinite(x) || !isfinite(y) || fabs(x) > 1e8 ||
            fabs(y) > 1e8 || (*end && *end != ' ' && *end != ',')) {
            xml_reject(r, lane, "shape has \"%.30s\"; expected points x,y with blanks between them",
                       c);
            return NULL;
        }
        out[(*count)++] = (polyline_point){x, y};
        c = end + strcspn(end, " ");
        c += strspn(c, " ");
    }
    if (r->status == MC_OK && *count < 2)
        xml_reject(r, lane, "shape has %d point%s; expected at least 2", *count,
                   *count == 1 ? "" : "s");
    return out;
}

static bool has_word(const char *list, const char *word)
{
    const size_t size = strlen(word);
    for (const char *at = list; at && (at = strstr(at, word)); at += size)
        if ((at == list || at[-1] == ' ') && (at[size] == '\0' || at[size] == ' '))
            return true;
    return false;
}

// Whether cars may use a lane.
static bool is_for_cars(const xml_node *lane)
{
    const char *allow = xml_get(lane, "allow"), *disallow = xml_get(lane, "disallow");
    if (allow && allow[0])
        return has_word(allow, "all") || has_word(allow, "passenger") ||
               has_word(allow, "private") || has_word(allow, "truck") || has_word(allow, "hov");
    return !disallow || !(has_word(disallow, "all") || has_word(disallow, "passenger"));
}

static int count_lanes(const xml_node *edge)
{
    int count = 0;
    for (const xml_node *n = xml_first(edge, "lane"); n; n = xml_next(n, "lane"))
        count += is_for_cars(n);
    return count;
}

// Lanes of the file are counted from the right, 0 first.
static void read_lanes(xml_reader *r, const xml_node *edge, graph_edge *out)
{
    int i = out->lane_count, index = 0;
    for (const xml_node *n = xml_first(edge, "lane"); n && r->status == MC_OK;
         n = xml_next(n, "lane"), index++) {
        if (r->status == MC_OK && xml_whole(r, n, "index") != index)
            xml_reject(r, n, "lane has the index %.20s; expected %d, counted from 0 at the right",
                       xml_word(r, n, "index"), index);
        if (!is_for_cars(n))
            continue;
        graph_lane *l = &out->lanes[--i];
        l->id = xml_word(r, n, "id");
        l->width = xml_number_or(r, n, "width", WIDTH);
        l->speed = xml_number(r, n, "speed");
        l->line = read_shape(r, n, &l->count);
        const double length = xml_number(r, n, "length");
        if (r->status == MC_OK && !(l->width >= 0.5 && l->width <= 20.0))
            xml_reject(r, n, "width is %.6g m; expected 0.5 .. 20 m", l->width);
        if (r->status == MC_OK && !(l->speed > 0.0 && l->speed <= 1000.0))
            xml_reject(r, n, "speed is %.6g m/s; expected above 0", l->speed);
        if (r->status == MC_OK && !(length > 0.0 && length <= 1e6))
            xml_reject(r, n, "length is %.6g m; expected above 0 and at most 1e6 m", length);
        l->speed = fmin(l->speed, 150.0);
        out->length = length;
    }
}

static bool is_normal(const xml_node *edge)
{
    const char *function = xml_get(edge, "function");
    return !function || strcmp(function, "normal") == 0 || strcmp(function, "connector") == 0;
}

static void read_edges(xml_reader *r, const xml_node *root, graph *out)
{
    int count = 0;
    for (const xml_node *n = xml_first(root, "edge"); n; n = xml_next(n, "edge"))
        count += is_normal(n) && count_lanes(n) > 0;
    out->edges = xml_alloc(r, count, sizeof *out->edges);
    if (r->status != MC_OK || !text_index_make(r->memory, count, &out->by_id))
        return;
    for (const xml_node *n = xml_first(root, "edge"); n && r->status == MC_OK;
         n = xml_next(n, "edge")) {
        if (!is_normal(n))
            continue;
        const int lanes = count_lanes(n);
        if (lanes == 0) {
            xml_note(r, n, "edge %.60s is not read: it is not for cars", xml_word(r, n, "id"));
            continue;
        }
        graph_edge *e = &out->edges[out->edge_count];
        *e = (graph_edge){.id = xml_word(r, n, "id"), .node = n, .lane_count = lanes};
        e->lanes = xml_alloc(r, lanes, sizeof *e->lanes);
        if (r->status != MC_OK)
            return;
        const int same = text_index_put(&out->by_id, e->id, out->edge_count);
        if (same >= 0)
            xml_reject(r, n, "two edges have the id \"%.60s\"; the other is on line %d", e->id,
                       out->edges[same].node->line);
        read_lanes(r, n, e);
        out->edge_count++;
    }
    if (r->status == MC_OK && out->edge_count == 0)
        xml_reject(r, root, "the network has no edge for cars");
}

// ---- connections ----

// The lane of an edge by its index in the file; -1: it is not for cars; -2: there is none.
static int lane_at(const graph_edge *e, int index)
{
    int k = 0, left = e->lane_count;
    for (const xml_node *n = xml_first(e->node, "lane"); n; n = xml_next(n, "lane"), k++) {
        left -= is_for_cars(n);
        if (k == index)
            return is_for_cars(n) ? left : -1;
    }
    return -2;
}

typedef struct inner { // lanes inside of junctions, and all edges, by their ids
    text_index lanes, edges;
    const xml_node **node;
} inner;

static bool find_inner(xml_reader *r, const xml_node *root, inner *out)
{
    int lanes = 0, edges = 0;
    for (const xml_node *e = xml_first(root, "edge"); e; e = xml_next(e, "edge"), edges++)
        for (const xml_node *n = xml_first(e, "lane"); n; n = xml_next(n, "lane"))
            lanes++;
    out->node = xml_alloc(r, lanes, sizeof *out->node);
    if (!out->node || !text_index_make(r->memory, lanes, &out->lanes) ||
        !text_index_make(r->memory, edges, &out->edges))
        return false;
    int k = 0;
    for (const xml_node *e = xml_first(root, "edge"); e; e = xml_next(e, "edge")) {
        const char *edge = xml_get(e, "id");
        if (edge)
            text_index_put(&out->edges, edge, 0);
        for (const xml_node *n = is_normal(e) ? NULL : xml_first(e, "lane"); n;
             n = xml_next(n, "lane")) {
            const char *id = xml_get(n, "id");
            out->node[k] = n;
            if (id)
                text_index_put(&out->lanes, id, k);
            k++;
        }
    }
    return true;
}

static int end_of(xml_reader *r, const graph *g, const xml_node *node, const char *which,
                  const char *lane_key, int *lane)
{
    const char *id = xml_word(r, node, which);
    const int index = xml_whole(r, node, lane_key);
    const int edge = graph_edge_of(g, id);
    if (r->status != MC_OK || edge < 0)
        return -1;
    *lane = lane_at(&g->edges[edge], index);
    if (*lane == -2)
        xml_reject(r, node, "%s is %d; edge \"%.60s\" has no such lane", lane_key, index, id);
    return *lane < 0 ? -1 : edge;
}

static void read_connections(xml_reader *r, const xml_node *root, graph *out)
{
    int count = 0;
    for (const xml_node *n = xml_first(root, "connection"); n; n = xml_next(n, "connection"))
        count++;
    out->links = xml_alloc(r, count, sizeof *out->links);
    inner all = {0};
    if (r->status != MC_OK || !find_inner(r, root, &all))
        return;
    for (const xml_node *n = xml_first(root, "connection"); n && r->status == MC_OK;
         n = xml_next(n, "connection")) {
        const char *via = xml_get(n, "via"), *from = xml_word(r, n, "from"),
                   *to = xml_word(r, n, "to");
        if (r->status != MC_OK || from[0] == ':' || to[0] == ':')
            continue;
        graph_link l = {0};
        l.from = end_of(r, out, n, "from", "fromLane", &l.from_lane);
        l.to = end_of(r, out, n, "to", "toLane", &l.to_lane);
        if (r->status != MC_OK)
            return;
        if (l.from < 0 || l.to < 0) {
            const char *missing = text_index_get(&all.edges, from) < 0 ? from : to;
            if (text_index_get(&all.edges, missing) < 0)
                xml_reject(r, n, "a connection to edge \"%.60s\", which does not exist", missing);
            continue;
        }
        const int lane = via ? text_index_get(&all.lanes, via) : -1;
        if (via && lane < 0)
            xml_reject(r, n, "via is \"%.60s\"; there is no such lane", via);
        if (lane >= 0)
            l.via = read_shape(r, all.node[lane], &l.via_count);
        out->links[out->link_count++] = l;
    }
}

void sumo_read_net(xml_reader *r, const xml_node *root, graph *out)
{
    static const char *const passed_over[] = {"tlLogic", "roundabout", "prohibition", "neigh",
                                              "split",   "stopOffset", "poi",         "poly"};
    const char *hand = xml_get(root, "lefthand");
    *out = (graph){0};
    if (hand && strcmp(hand, "true") == 0)
        xml_reject(r, root, "left-hand traffic is not read; expected lanes counted from the right");
    read_edges(r, root, out);
    read_connections(r, root, out);
    if (r->status == MC_OK)
        xml_note_unread(r, root, passed_over, (int)(sizeof passed_over / sizeof passed_over[0]));
}

// ---- the scenario ----

// Edges that are not part of the road, and junctions whose rules do not count.
static void note_left_out(xml_reader *r, const xml_node *root, const graph_road *road)
{
    const graph *g = road->g;
    int count = 0, rules = 0;
    const xml_node *first = NULL;
    for (int i = 0; i < g->edge_count; i++) {
        graph_place place;
        if (graph_find(road, i, 0, 0.0, &place) || graph_exit_of(road, i) >= 0)
            continue;
        first = first ? first : g->edges[i].node;
        if (++count <= 10)
            xml_note(r, g->edges[i].node, "edge %.60s is not part of the road", g->edges[i].id);
    }
    if (count > 10)
        xml_note(r, first, "%d more edges are not part of the road", count - 10);
    const xml_node *junction = NULL;
    for (const xml_node *n = xml_first(root, "junction"); n; n = xml_next(n, "junction")) {
        const char *type = xml_get(n, "type");
        if (type && strcmp(type, "internal") != 0 && strcmp(type, "dead_end") != 0) {
            junction = junction ? junction : n;
            rules++;
        }
    }
    if (rules)
        xml_note(r, junction, "right of way at %d junction%s is not read: lanes merge by gaps",
                 rules, rules == 1 ? "" : "s");
    if (road->error > 1e-3)
        xml_note(r, NULL, "the line of the road follows the shapes within %.2g m", road->error);
}

static int start_edge(xml_reader *r, const xml_node *root, const graph *g, const char *through)
{
    if (!through)
        return -1;
    const int edge = graph_edge_of(g, through);
    if (edge < 0)
        xml_reject(r, root, "there is no edge \"%.60s\" for the road to go through", through);
    return edge;
}

mc_status sumo_write_scenario(document *d, const char *path, const xml_node *root,
                              const mc_exchange_options *options, const sumo_scenario *s,
                              mc_error *error)
{
    xml_notes *notes = arena_alloc(&d->memory, sizeof *notes);
    if (!notes)
        return mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory left");
    xml_reader r = {.memory = &d->memory, .file = path, .error = error, .notes = notes};
    graph *g = xml_alloc(&r, 1, sizeof *g);
    if (strcmp(root->name, "net") != 0)
        xml_reject(&r, root, "found <%.40s>, expected <net>", root->name);
    if (r.status == MC_OK)
        sumo_read_net(&r, root, g);
    const int start = r.status == MC_OK ? start_edge(&r, root, g, options->through) : -1;
    graph_road *road = r.status == MC_OK ? graph_make_road(&r, d, g, start) : NULL;
    if (!road)
        return r.status;
    note_left_out(&r, root, road);
    document_take_notes(d, &r);
    char commands[64];
    snprintf(commands, sizeof commands, "  end: %.9g\n", road->path.length);
    fprintf(d->out, "motorcade: scenario\nname: ");
    document_quote(d->out, path);
    fprintf(d->out, "\n");
    graph_print_road(road, d->out, commands);
    return sumo_write_traffic(d, road, s, error);
}

static mc_status read_net(document *d, const char *path, const xml_node *root,
                          const mc_exchange_options *options, mc_error *error)
{
    const sumo_scenario s = {.routes = options->routes,
                             .begin = NAN,
                             .end = options->end > 0.0 ? options->end : NAN,
                             .step = NAN};
    return sumo_write_scenario(d, path, root, options, &s, error);
}

const exchange_format exchange_sumo_net = {
    .name = "SUMO network",
    .word = "sumo",
    .ending = ".net.xml",
    .root = "net",
    .doc = "a chain of edges with lanes and ramps; --routes: its vehicles",
    .read = read_net,
};

// ---- configurations ----

// The value of an option, in whatever section it is; NULL: it has none.
static const xml_node *option_of(const xml_node *node, const char *name, const char *other)
{
    for (const xml_node *n = node->first; n; n = n->next) {
        const xml_node *found = strcmp(n->name, name) == 0 || strcmp(n->name, other) == 0
                                    ? n
                                    : option_of(n, name, other);
        if (found)
            return found;
    }
    return NULL;
}

static double time_option(xml_reader *r, const xml_node *root, const char *name)
{
    const xml_node *n = option_of(root, name, name);
    double value = NAN;
    if (n && !sumo_time(xml_word(r, n, "value"), &value))
        xml_reject(r, n, "%s is \"%.40s\"; expected a time in s", name, xml_word(r, n, "value"));
    return value;
}

static mc_status read_config(document *d, const char *path, const xml_node *root,
                             const mc_exchange_options *options, mc_error *error)
{
    xml_notes *notes = arena_alloc(&d->memory, sizeof *notes);
    if (!notes)
        return mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory left");
    xml_reader r = {.memory = &d->memory, .file = path, .error = error, .notes = notes};
    const xml_node *net = option_of(root, "net-file", "net"),
                   *routes = option_of(root, "route-files", "routes"),
                   *more = option_of(root, "additional-files", "additional");
    if (!net)
        xml_reject(&r, root, "the configuration names no net-file");
    sumo_scenario s = {.routes = options->routes,
                       .begin = time_option(&r, root, "begin"),
                       .end = time_option(&r, root, "end"),
                       .step = time_option(&r, root, "step-length")};
    if (options->end > 0.0)
        s.end = options->end;
    if (routes && !s.routes) {
        s.routes = xml_word(&r, routes, "value");
        s.routes_of = path;
    }
    if (more)
        xml_note(&r, more, "additional files (%.80s) are not read", xml_word(&r, more, "value"));
    const char *file = net ? xml_word(&r, net, "value") : "";
    if (r.status != MC_OK)
        return r.status;
    document_take_notes(d, &r);
    const char *net_path = document_beside(d, path, file), *bytes;
    size_t size;
    const xml_node *net_root;
    mc_status status = document_read(d, net_path, &bytes, &size, error);
    if (status == MC_OK)
        status = xml_parse(&d->memory, bytes, size, net_path, &net_root, error);
    return status == MC_OK ? sumo_write_scenario(d, net_path, net_root, options, &s, error)
                           : status;
}

const exchange_format exchange_sumo_config = {
    .name = "SUMO configuration",
    .word = "sumocfg",
    .ending = ".sumocfg",
    .root = "configuration",
    .doc = "network, routes and times that it names",
    .read = read_config,
};
