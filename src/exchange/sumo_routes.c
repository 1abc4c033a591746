// sumo_routes.c - SUMO vehicles (.rou.xml): types, routes, vehicles, trips and flows.
//
// A vehicle type becomes a point and a controller, a vehicle or trip a vehicle that waits for room
// from its departure on, a flow one source per lane. Times count from the first departure. A route
// has to begin on the road or on one of its on-ramps, and to end on the road or on an off-ramp.
#include "exchange/sumo.h"

#include "base/text.h"
#include "motorcade/laws.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GRAVITY 9.81
#define RUN_MAX 3600.0 // s, of a run without an end in the files
#define AFTER 60.0     // s, of a run after the last departure

// What SUMO takes a vehicle class to be, where a type does not say.
typedef struct class_row {
    const char *name;
    double length, width, height, gap; // m
    double max_speed;                  // m/s
    double accel, decel;               // m/s^2
    double mass;                       // kg
    const char *look;
} class_row;
static const class_row classes[] = {
    {"passenger", 5.0, 1.8, 1.5, 2.5, 55.56, 2.6, 4.5, 1500.0, "car"},
    {"truck", 7.1, 2.4, 2.4, 2.5, 36.11, 1.3, 4.0, 12000.0, "truck"},
    {"trailer", 16.5, 2.55, 4.0, 2.5, 36.11, 1.0, 4.0, 15000.0, "truck"},
    {"bus", 12.0, 2.5, 3.4, 2.5, 23.61, 1.2, 4.0, 7500.0, "van"},
    {"coach", 14.0, 2.6, 4.0, 2.5, 27.78, 2.0, 4.0, 12000.0, "van"},
    {"delivery", 6.5, 2.16, 2.86, 2.5, 55.56, 2.6, 4.5, 5000.0, "van"},
    {"motorcycle", 2.2, 0.9, 1.5, 2.5, 55.56, 6.0, 10.0, 200.0, "box"},
    {"emergency", 6.5, 2.16, 2.86, 2.5, 55.56, 2.6, 4.5, 5000.0, "van"},
};

typedef struct type {
    const char *id, *name;
    const xml_node *node;
    const class_row *row;
    double length, width, height, mass, gap, max_speed, accel, decel, tau, factor;
    const char *law;
    bool automated, used;
} type;

typedef struct trip { // a vehicle, or a flow
    const xml_node *node;
    const char *name;
    int type;
    double depart, until; // s
    double flow;          // 1/h; NAN: a vehicle
    bool even;            // a flow without chance
    graph_place place;
    double x, v; // m, m/s
    int exit;    // ramp of the road; -1: none
    bool later;  // another one starts in its place
} trip;

typedef struct traffic {
    xml_reader r;
    document *d;
    const graph_road *road;
    type *types;
    int type_count, type_room;
    trip *trips;
    int trip_count, trip_room;
    const xml_node **routes;
    int route_count, route_room;
    text_index ids; // of the vehicles and flows of a file: their lines
    int turn;       // the next lane, where any will do
    int left_out;   // vehicles
    const xml_node *left_out_first;
} traffic;

#define GROW(t, list, count, room)                                                                 \
    ((count) < (room) || grow(t, (void **)&(list), &(room), sizeof(list)[0]))

static bool grow(traffic *t, void **list, int *room, size_t size)
{
    const int more = *room ? 2 * *room : 64;
    void *made = xml_alloc(&t->r, more, size);
    if (made && *room)
        memcpy(made, *list, (size_t)*room * size);
    if (!made)
        return false;
    *list = made;
    *room = more;
    return true;
}

// ---- types ----

static const class_row *class_of(const char *name)
{
    for (size_t k = 0; name && k < sizeof classes / sizeof classes[0]; k++)
        if (strcmp(classes[k].name, name) == 0)
            return &classes[k];
    return &classes[0];
}

static double positive(traffic *t, const xml_node *n, const char *key, double fallback, double min,
                       double max)
{
    const double value = xml_number_or(&t->r, n, key, fallback);
    if (t->r.status == MC_OK && !(value >= min && value <= max))
        xml_reject(&t->r, n, "%s is %.9g; expected %.6g .. %.6g", key, value, min, max);
    return value;
}

static double factor_of(traffic *t, const xml_node *n)
{
    const char *text = xml_get(n, "speedFactor");
    double value = 1.0;
    if (!text || text_to_double(text, &value))
        return value;
    if (strncmp(text, "norm", 4) == 0 && strchr(text, '(')) {
        value = strtod(strchr(text, '(') + 1, NULL);
        xml_note(&t->r, n, "speedFactor %.40s: its mean, %.4g, is used", text, value);
    } else {
        xml_reject(&t->r, n, "speedFactor is \"%.40s\"; expected a number or norm(..)", text);
    }
    return value > 0.0 && value < 5.0 ? value : 1.0;
}

static const char *law_of(traffic *t, const xml_node *n, bool *automated)
{
    const char *model = xml_get(n, "carFollowModel");
    *automated = model && (strcmp(model, "ACC") == 0 || strcmp(model, "CACC") == 0);
    const char *law = mc_law_default(*automated ? MC_LAW_ROLE_AUTOMATED : MC_LAW_ROLE_DRIVER);
    if (model && strncmp(model, "IDM", 3) != 0 && strcmp(model, "ACC") != 0)
        xml_note(&t->r, n,
                 "carFollowModel %.40s: the law %s drives with its headway, gap and "
                 "accelerations",
                 model, law);
    return law;
}

static void add_type(traffic *t, const xml_node *n, const char *id)
{
    static const char *const read[] = {
        "id",    "vClass",   "length",      "width",   "height",      "mass",           "minGap",
        "tau",   "accel",    "decel",       "sigma",   "speedFactor", "carFollowModel", "maxSpeed",
        "color", "guiShape", "probability", "speedDev"};
    if (!GROW(t, t->types, t->type_count, t->type_room))
        return;
    static const xml_node none = {.name = "vType", .line = 1, .column = 1};
    const xml_node *from = n ? n : &none;
    const class_row *c = class_of(xml_get(from, "vClass"));
    type *out = &t->types[t->type_count];
    *out = (type){.id = id, .node = n, .row = c};
    out->length = positive(t, from, "length", c->length, 0.5, 30.0);
    out->width = positive(t, from, "width", c->width, 0.3, 5.0);
    out->height = positive(t, from, "height", c->height, 0.3, 5.0);
    out->mass = positive(t, from, "mass", c->mass, 100.0, 1e5);
    out->gap = positive(t, from, "minGap", c->gap, 0.0, 1000.0);
    out->max_speed = positive(t, from, "maxSpeed", c->max_speed, 0.1, 1000.0);
    out->accel = positive(t, from, "accel", c->accel, 0.1, 40.0);
    out->decel = positive(t, from, "decel", c->decel, 0.1, 40.0);
    out->tau = positive(t, from, "tau", 1.0, 0.0, 60.0);
    out->factor = factor_of(t, from);
    out->law = law_of(t, from, &out->automated);
    char name[64];
    snprintf(name, sizeof name, "type %.50s", id);
    out->name = document_name_of(t->d, name) + strlen("type_");
    for (int k = 0; k < from->attribute_count; k++) {
        bool known = false;
        for (size_t i = 0; i < sizeof read / sizeof read[0]; i++)
            known = known || strcmp(from->attributes[k].name, read[i]) == 0;
        if (!known)
            xml_note(&t->r, n, "vType %.40s: %.40s is not read", id, from->attributes[k].name);
    }
    t->type_count++;
}

static int type_of(traffic *t, const xml_node *n, const char *id)
{
    for (int k = 0; k < t->type_count; k++)
        if (strcmp(t->types[k].id, id) == 0)
            return k;
    if (strcmp(id, "DEFAULT_VEHTYPE") == 0) {
        add_type(t, NULL, id);
        return t->type_count - 1;
    }
    xml_reject(&t->r, n, "type is \"%.60s\"; there is no such vType before it", id);
    return 0;
}

// ---- routes ----

static const xml_node *route_of(traffic *t, const xml_node *n)
{
    const xml_node *own = xml_first(n, "route");
    const char *id = xml_get(n, "route");
    if (own || !id)
        return own;
    for (int k = 0; k < t->route_count; k++) {
        const char *name = xml_get(t->routes[k], "id");
        if (name && strcmp(name, id) == 0)
            return t->routes[k];
    }
    xml_reject(&t->r, n, "route is \"%.60s\"; there is no such route before it", id);
    return NULL;
}

static int edge_of(traffic *t, const xml_node *n, const char *id)
{
    const int edge = graph_edge_of(t->road->g, id);
    if (edge < 0)
        xml_reject(&t->r, n, "edge \"%.60s\" is not in the network", id);
    return edge;
}

// First and last edge of a route or of a trip; false: it leaves the road in between.
static bool ends_of(traffic *t, const xml_node *n, int *first, int *last)
{
    const xml_node *route = route_of(t, n);
    *first = *last = -1;
    if (t->r.status != MC_OK)
        return false;
    if (!route) {
        const char *from = xml_get(n, "from"), *to = xml_get(n, "to");
        if (!from || !to)
            xml_reject(&t->r, n, "%.40s has no route, and not both of from and to", n->name);
        else
            *first = edge_of(t, n, from), *last = edge_of(t, n, to);
        return t->r.status == MC_OK;
    }
    const char *text = xml_word(&t->r, route, "edges");
    char *copy = arena_copy_text(t->r.memory, text, strlen(text)), *rest;
    bool whole = true;
    for (char *word = copy ? strtok_r(copy, " ", &rest) : NULL; word && t->r.status == MC_OK;
         word = strtok_r(NULL, " ", &rest)) {
        *last = edge_of(t, route, word);
        graph_place place;
        if (*last >= 0 && !graph_find(t->road, *last, 0, 0.0, &place) &&
            graph_exit_of(t->road, *last) < 0)
            whole = false;
        *first = *first < 0 ? *last : *first;
    }
    if (t->r.status == MC_OK && *first < 0)
        xml_reject(&t->r, route, "edges of the route are empty");
    return whole && t->r.status == MC_OK;
}

// ---- where and how a vehicle starts ----

static bool is_one_of(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(text, *words) == 0)
            return true;
    return false;
}

// The lane of an edge, from the left.
static int depart_lane(traffic *t, const xml_node *n, const graph_edge *edge)
{
    static const char *const any[] = {"random", "free", "allowed", NULL};
    static const char *const right[] = {"first", "best", "best_prob", NULL};
    const char *text = xml_get(n, "departLane");
    int index = 0;
    if (text && is_one_of(text, any))
        index = t->turn++ % edge->lane_count;
    else if (text && !is_one_of(text, right) && (!text_to_int(text, &index) || index < 0))
        xml_reject(&t->r, n,
                   "departLane is \"%.40s\"; expected a number, first, best, free, allowed or "
                   "random",
                   text);
    if (t->r.status == MC_OK && index >= edge->lane_count)
        xml_reject(&t->r, n, "departLane is %d; edge \"%.60s\" has %d lane%s for cars", index,
                   edge->id, edge->lane_count, edge->lane_count == 1 ? "" : "s");
    return edge->lane_count - 1 - index;
}

// m, of the front.
static double depart_front(traffic *t, const xml_node *n, const graph_edge *edge, double length)
{
    static const char *const base[] = {"base", "free", "random", "random_free",
                                       "last", "stop", NULL};
    const char *text = xml_get(n, "departPos");
    double at = length;
    if (text && !is_one_of(text, base) && !text_to_double(text, &at))
        xml_reject(&t->r, n, "departPos is \"%.40s\"; expected a number, base, free or random",
                   text);
    at = at < 0.0 ? edge->length + at : at;
    if (t->r.status == MC_OK && !(at >= 0.0 && at <= edge->length))
        xml_reject(&t->r, n, "departPos is %.6g m; edge \"%.60s\" is %.6g m long", at, edge->id,
                   edge->length);
    return at;
}

static double depart_speed(traffic *t, const xml_node *n, double limit)
{
    static const char *const full[] = {"max",    "desired", "speedLimit", "avg",
                                       "random", "last",    NULL};
    const char *text = xml_get(n, "departSpeed");
    double v = 0.0;
    if (text && is_one_of(text, full))
        return limit;
    if (text && (!text_to_double(text, &v) || !(v >= 0.0)))
        xml_reject(&t->r, n, "departSpeed is \"%.40s\"; expected a number, max or desired", text);
    return fmin(v, limit);
}

// false: it does not begin and end on the road; it is counted.
static bool place_trip(traffic *t, const xml_node *n, trip *out)
{
    int first, last;
    const bool whole = ends_of(t, n, &first, &last);
    if (t->r.status != MC_OK)
        return false;
    graph_place end;
    out->exit = graph_exit_of(t->road, last);
    const bool stays = out->exit < 0 && graph_chain_place(t->road, last) >= 0;
    const graph_edge *edge = &t->road->g->edges[first];
    const type *own = &t->types[out->type];
    const int lane = depart_lane(t, n, edge);
    const double front = depart_front(t, n, edge, own->length);
    if (t->r.status != MC_OK)
        return false;
    if (!whole || (!stays && out->exit < 0) ||
        !graph_find(t->road, first, lane, front - 0.5 * own->length, &out->place)) {
        t->left_out_first = t->left_out_first ? t->left_out_first : n;
        t->left_out++;
        return false;
    }
    if (stays && graph_find(t->road, last, 0, 0.0, &end) &&
        graph_chain_place(t->road, last) + 1 < t->road->chain_count)
        xml_note(&t->r, n, "%.40s ends on the way; it drives on to the end of the road", out->name);
    out->x = out->place.station;
    out->v = depart_speed(t, n, fmin(own->max_speed, edge->lanes[lane].speed * own->factor));
    return t->r.status == MC_OK;
}

// ---- vehicles, trips, flows ----

static trip *new_trip(traffic *t, const xml_node *n)
{
    if (!GROW(t, t->trips, t->trip_count, t->trip_room))
        return NULL;
    const char *id = xml_word(&t->r, n, "id"), *of = xml_get(n, "type");
    trip *out = &t->trips[t->trip_count];
    *out = (trip){.node = n, .flow = NAN, .exit = -1};
    out->type = type_of(t, n, of ? of : "DEFAULT_VEHTYPE");
    out->name = document_name_of(t->d, id);
    const int line = text_index_put(&t->ids, id, n->line);
    if (line >= 0)
        xml_reject(&t->r, n, "two vehicles or flows have the id \"%.60s\"; the other is on line %d",
                   id, line);
    return t->r.status == MC_OK ? out : NULL;
}

static double time_of(traffic *t, const xml_node *n, const char *key, double fallback)
{
    const char *text = xml_get(n, key);
    double value = fallback;
    if (text && !sumo_time(text, &value))
        xml_reject(&t->r, n, "%s is \"%.40s\"; expected a time in s", key, text);
    return value;
}

static void add_vehicle(traffic *t, const xml_node *n)
{
    trip *out = new_trip(t, n);
    if (!out)
        return;
    xml_word(&t->r, n, "depart");
    out->depart = time_of(t, n, "depart", 0.0);
    out->until = out->depart;
    if (xml_first(n, "stop"))
        xml_note(&t->r, xml_first(n, "stop"), "%.40s: its stops are not read", out->name);
    if (t->r.status == MC_OK && place_trip(t, n, out)) {
        t->types[out->type].used = true;
        t->trip_count++;
    }
}

// Vehicles per hour of a flow.
static double flow_of(traffic *t, const xml_node *n, double begin, double *end, bool *even)
{
    const char *period = xml_get(n, "period");
    const bool chance = xml_get(n, "probability") || (period && strncmp(period, "exp(", 4) == 0);
    const double number = xml_number_or(&t->r, n, "number", NAN);
    double flow = NAN;
    *even = !chance;
    if (xml_get(n, "probability"))
        flow = 3600.0 * xml_number(&t->r, n, "probability");
    else if (chance)
        flow = 3600.0 * strtod(period + 4, NULL);
    else if (period)
        flow = 3600.0 / xml_number(&t->r, n, "period");
    else if (xml_get(n, "vehsPerHour"))
        flow = xml_number(&t->r, n, "vehsPerHour");
    else if (xml_get(n, "perHour"))
        flow = xml_number(&t->r, n, "perHour");
    else if (!isnan(number))
        flow = 3600.0 * number / (*end - begin);
    if (t->r.status == MC_OK && !(flow > 0.0 && flow <= 1e6))
        xml_reject(&t->r, n,
                   "flow %.40s has %.4g vehicles per hour; expected one of vehsPerHour, period, "
                   "probability and number",
                   xml_word(&t->r, n, "id"), flow);
    if (!isnan(number) && flow > 0.0)
        *end = fmin(*end, begin + 3600.0 * (number - 0.5) / flow);
    return flow;
}

static void add_flow(traffic *t, const xml_node *n, double run_end)
{
    trip *out = new_trip(t, n);
    if (!out)
        return;
    out->depart = time_of(t, n, "begin", 0.0);
    const double given = time_of(t, n, "end", isnan(run_end) ? out->depart + RUN_MAX : run_end);
    out->until = given;
    if (t->r.status == MC_OK && !(out->until > out->depart))
        xml_reject(&t->r, n, "flow %.40s ends at %.6g s; expected after its begin, %.6g s",
                   out->name, out->until, out->depart);
    out->flow = flow_of(t, n, out->depart, &out->until, &out->even);
    const char *lane = xml_get(n, "departLane");
    const bool spread = lane && (strcmp(lane, "random") == 0 || strcmp(lane, "free") == 0 ||
                                 strcmp(lane, "allowed") == 0);
    const trip first = *out;
    int first_edge, last_edge;
    if (t->r.status != MC_OK)
        return;
    ends_of(t, n, &first_edge, &last_edge);
    if (t->r.status != MC_OK)
        return;
    const int lanes = spread ? t->road->g->edges[first_edge].lane_count : 1;
    for (int k = 0; k < lanes && t->r.status == MC_OK; k++) {
        if (!GROW(t, t->trips, t->trip_count, t->trip_room))
            return;
        trip *one = &t->trips[t->trip_count];
        *one = first;
        one->flow = first.flow / lanes;
        one->depart = first.depart + (first.even ? 3600.0 / first.flow * k : 0.0);
        if (!place_trip(t, n, one))
            continue;
        char name[96];
        snprintf(name, sizeof name, "%s lane %d", first.name, k + 1);
        one->name = lanes > 1 ? document_name_of(t->d, name) : first.name;
        t->types[one->type].used = true;
        t->trip_count++;
    }
}

static void read_routes(traffic *t, const xml_node *root, const sumo_scenario *s)
{
    static const char *const passed_over[] = {
        "person",   "personFlow", "container", "containerFlow",    "vTypeDistribution",
        "interval", "ride",       "walk",      "routeDistribution"};
    int count = 0;
    for (const xml_node *n = root->first; n; n = n->next)
        count++;
    if (!text_index_make(t->r.memory, count, &t->ids))
        return;
    for (const xml_node *n = root->first; n && t->r.status == MC_OK; n = n->next) {
        if (strcmp(n->name, "vType") == 0) {
            add_type(t, n, xml_word(&t->r, n, "id"));
        } else if (strcmp(n->name, "route") == 0) {
            if (GROW(t, t->routes, t->route_count, t->route_room))
                t->routes[t->route_count++] = n;
            xml_word(&t->r, n, "edges");
        } else if (strcmp(n->name, "vehicle") == 0 || strcmp(n->name, "trip") == 0) {
            add_vehicle(t, n);
        } else if (strcmp(n->name, "flow") == 0) {
            add_flow(t, n, s->end);
        }
    }
    if (t->left_out)
        xml_note(
            &t->r, t->left_out_first,
            "%d vehicle%s or flows are not read: their routes do not begin and end on the road "
            "or its ramps",
            t->left_out, t->left_out == 1 ? "" : "s");
    t->left_out = 0;
    if (t->r.status == MC_OK)
        xml_note_unread(&t->r, root, passed_over,
                        (int)(sizeof passed_over / sizeof passed_over[0]));
}

// ---- writing ----

static int compare_trips(const void *a, const void *b)
{
    const trip *x = a, *y = b;
    if (x->depart != y->depart)
        return x->depart < y->depart ? -1 : 1;
    return (x->node->line > y->node->line) - (x->node->line < y->node->line);
}

static void print_models(const traffic *t, FILE *out)
{
    fprintf(out, "models:\n");
    for (int k = 0; k < t->type_count; k++) {
        const type *y = &t->types[k];
        if (y->used)
            fprintf(out,
                    "  %s: {kind: %s, look: %s, length: %.6g, width: %.6g, height: %.6g, mass: "
                    "%.9g, max_acceleration: %.6g, max_brake: %.6g}\n",
                    y->name, document_car_kind(), y->row->look, y->length, y->width, y->height,
                    y->mass, fmin(fmax(y->accel / GRAVITY, 0.01), 5.0),
                    fmin(fmax(2.0 * y->decel / GRAVITY, 0.01), 5.0));
    }
}

static void print_controllers(const traffic *t, FILE *out)
{
    fprintf(out, "controllers:\n");
    for (int k = 0; k < t->type_count; k++) {
        const type *y = &t->types[k];
        if (!y->used)
            continue;
        const double limit = isnan(t->road->speed) ? 40.0 : t->road->speed * y->factor;
        fprintf(out, "  drive_%s: {law: %s, headway: %.6g, distance: %.6g, speed: %.6g", y->name,
                y->law, y->tau, y->gap, fmin(fmin(limit, y->max_speed), 150.0));
        if (!y->automated)
            fprintf(out, ", max_acceleration: %.6g, brake_comfort: %.6g, manual: true",
                    fmin(y->accel, 10.0), fmin(y->decel, 10.0));
        fprintf(out, "%s}\n", t->road->lanes > 1 ? ", lane_change: {free: true}" : "");
    }
}

static void print_place(const traffic *t, FILE *out, const trip *p)
{
    if (p->place.ramp >= 0)
        fprintf(out, ", ramp: %s", t->road->ramps[p->place.ramp].name);
    else
        fprintf(out, ", lane: %d", p->place.lane + 1);
    fprintf(out, ", x: %.9g, v: %.6g", p->x, p->v);
}

static void print_vehicles(const traffic *t, FILE *out, double zero)
{
    bool any = false;
    for (int k = 0; k < t->trip_count; k++) {
        const trip *p = &t->trips[k];
        if (!isnan(p->flow))
            continue;
        fprintf(out, "%s  - {name: %s, model: %s, controller: drive_%s", any ? "" : "vehicles:\n",
                p->name, t->types[p->type].name, t->types[p->type].name);
        any = true;
        print_place(t, out, p);
        const double from = fmax(p->depart - zero, p->later ? 0.1 : 0.0);
        if (from > 0.0)
            fprintf(out, ", from: %.9g, waits: true", from);
        if (p->exit >= 0)
            fprintf(out, ", exit: %s", t->road->ramps[p->exit].name);
        fprintf(out, "}\n");
    }
}

static void print_sources(const traffic *t, FILE *out, double zero)
{
    bool any = false;
    for (int k = 0; k < t->trip_count; k++) {
        const trip *p = &t->trips[k];
        if (isnan(p->flow))
            continue;
        const double flow = fmin(fmax(p->flow, 0.1), 10000.0);
        fprintf(out,
                "%s  - {name: %s, model: %s, controller: drive_%s, flow: %.9g, min_headway: "
                "%.9g",
                any ? "" : "sources:\n", p->name, t->types[p->type].name, t->types[p->type].name,
                flow, p->even ? fmin(3600.0 / flow * (1.0 - 1e-9), 60.0) : 0.0);
        any = true;
        print_place(t, out, p);
        fprintf(out, ", from: %.9g, until: %.9g", p->depart - zero, p->until - zero);
        if (p->exit >= 0)
            fprintf(out, ", exits: {%s: 1}", t->road->ramps[p->exit].name);
        fprintf(out, "}\n");
    }
}

// Vehicles that start in each other's places at the same time: the later ones wait.
static void find_later(traffic *t)
{
    for (int k = 0; k < t->trip_count; k++)
        for (int i = k - 1; i >= 0 && t->trips[i].depart == t->trips[k].depart; i--) {
            const trip *a = &t->trips[i];
            trip *b = &t->trips[k];
            const double room = 0.5 * (t->types[a->type].length + t->types[b->type].length) + 1.0;
            if (a->place.ramp == b->place.ramp && a->place.lane == b->place.lane &&
                fabs(a->x - b->x) < room)
                b->later = true;
        }
}

static void print_traffic(traffic *t, FILE *out, const sumo_scenario *s)
{
    double zero = HUGE_VAL, last = 0.0;
    qsort(t->trips, (size_t)t->trip_count, sizeof *t->trips, compare_trips);
    for (int k = 0; k < t->trip_count; k++) {
        zero = fmin(zero, t->trips[k].depart);
        last = fmax(last, t->trips[k].until);
    }
    find_later(t);
    double end = (isnan(s->end) ? fmin(last + AFTER, zero + RUN_MAX) : s->end) - zero;
    end = end > 0.1 ? end : AFTER;
    const double step = isnan(s->step) ? 0.1 : fmin(fmax(s->step, 1e-3), 0.1);
    if (zero != 0.0)
        xml_note(&t->r, t->trips[0].node, "times count from the first departure, at %.6g s", zero);
    fprintf(out, "time: {end: %.9g, step: %.6g}\n", end, step);
    print_models(t, out);
    print_controllers(t, out);
    print_vehicles(t, out, zero);
    print_sources(t, out, zero);
}

static mc_status read_file(traffic *t, const char *path, const sumo_scenario *s)
{
    const char *bytes;
    size_t size;
    const xml_node *root;
    t->r.file = path;
    t->r.status = document_read(t->d, path, &bytes, &size, t->r.error);
    if (t->r.status == MC_OK)
        t->r.status = xml_parse(t->r.memory, bytes, size, path, &root, t->r.error);
    if (t->r.status == MC_OK && strcmp(root->name, "routes") != 0 &&
        strcmp(root->name, "additional") != 0)
        xml_reject(&t->r, root, "found <%.40s>, expected <routes>", root->name);
    if (t->r.status == MC_OK)
        read_routes(t, root, s);
    document_take_notes(t->d, &t->r);
    return t->r.status;
}

// One car, where the files have none.
static void add_sample(traffic *t)
{
    static const xml_node none = {.name = "vehicle", .line = 1, .column = 1};
    if (!GROW(t, t->trips, t->trip_count, t->trip_room))
        return;
    add_type(t, NULL, "DEFAULT_VEHTYPE");
    t->types[t->type_count - 1].used = true;
    t->trips[t->trip_count++] = (trip){.node = &none,
                                       .name = "car",
                                       .type = t->type_count - 1,
                                       .flow = NAN,
                                       .exit = -1,
                                       .until = AFTER,
                                       .place = {-1, t->road->lanes - 1, 0.0},
                                       .x = 10.0,
                                       .v = isnan(t->road->speed) ? 20.0 : t->road->speed};
    xml_note(&t->r, NULL, "no vehicle was read: one car drives along the road");
}

mc_status sumo_write_traffic(document *d, const graph_road *road, const sumo_scenario *s,
                             mc_error *error)
{
    xml_notes *notes = arena_alloc(&d->memory, sizeof *notes);
    if (!notes)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left");
    traffic t = {.r = {.memory = &d->memory, .file = "", .error = error, .notes = notes},
                 .d = d,
                 .road = road};
    const char *list = s->routes ? s->routes : "";
    char *copy = arena_copy_text(&d->memory, list, strlen(list)), *rest;
    for (char *word = copy ? strtok_r(copy, ", ", &rest) : NULL; word && t.r.status == MC_OK;
         word = strtok_r(NULL, ", ", &rest))
        read_file(&t, s->routes_of ? document_beside(d, s->routes_of, word) : word, s);
    if (t.r.status == MC_OK && t.trip_count == 0)
        add_sample(&t);
    if (t.r.status == MC_OK)
        print_traffic(&t, d->out, s);
    document_take_notes(d, &t.r);
    return t.r.status;
}
