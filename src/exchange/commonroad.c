// commonroad.c - CommonRoad scenarios (XML, 2020a).
//
// Lanelets side by side are an edge of the graph; the road is the chain through the start of the
// planning problem. Dynamic obstacles with a trajectory follow its speed over time and change lanes
// when it does; static ones are obstacles; the planning problem is the vehicle `ego`.
#include "exchange/formats.h"
#include "exchange/graph.h"
#include "exchange/recorded.h"
#include "motorcade/laws.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct lanelet {
    const xml_node *node;
    const char *id;
    graph_lane lane;
    int edge, place; // of the graph
} lanelet;

typedef struct reader {
    xml_reader r;
    document *d;
    lanelet *lanelets;
    int count;
    text_index by_id;
    graph g;
    graph_road *road;
    double step; // s, of a time step of the file
    double end;  // s
    recorded_list cars;
    FILE *obstacles; // their text
    int static_count;
} reader;

// ---- values ----

// exact, or the middle of an interval.
static double value_of(reader *c, const xml_node *n)
{
    const xml_node *exact = xml_first(n, "exact"), *from = xml_first(n, "intervalStart"),
                   *to = xml_first(n, "intervalEnd");
    if (exact)
        return xml_text_number(&c->r, exact);
    if (!from || !to) {
        xml_reject(&c->r, n, "%.40s has no exact, and not both of intervalStart and intervalEnd",
                   n->name);
        return 0.0;
    }
    return 0.5 * (xml_text_number(&c->r, from) + xml_text_number(&c->r, to));
}

static double child_value(reader *c, const xml_node *n, const char *name, double fallback)
{
    const xml_node *child = xml_first(n, name);
    return child ? value_of(c, child) : fallback;
}

static polyline_point point_of(reader *c, const xml_node *n)
{
    const xml_node *x = xml_need(&c->r, n, "x"), *y = xml_need(&c->r, n, "y");
    if (!x || !y)
        return (polyline_point){0};
    const polyline_point p = {xml_text_number(&c->r, x), xml_text_number(&c->r, y)};
    if (c->r.status == MC_OK && !(fabs(p.x) < 1e8 && fabs(p.y) < 1e8))
        xml_reject(&c->r, n, "the point %.6g, %.6g is too far away; expected within 1e8 m", p.x,
                   p.y);
    return p;
}

// ---- lanelets ----

static polyline_point *bound_of(reader *c, const xml_node *n, const char *name, int *count)
{
    const xml_node *bound = xml_need(&c->r, n, name);
    *count = 0;
    for (const xml_node *p = xml_first(bound, "point"); p; p = xml_next(p, "point"))
        (*count)++;
    polyline_point *out = xml_alloc(&c->r, *count, sizeof *out);
    int i = 0;
    for (const xml_node *p = xml_first(bound, "point"); p && c->r.status == MC_OK;
         p = xml_next(p, "point"))
        out[i++] = point_of(c, p);
    if (c->r.status == MC_OK && *count < 2)
        xml_reject(&c->r, bound, "%s has %d point%s; expected at least 2", name, *count,
                   *count == 1 ? "" : "s");
    return out;
}

// m/s, of the signs that a lanelet refers to; NAN: none.
static double sign_speed(reader *c, const xml_node *root, const xml_node *node)
{
    double speed = NAN;
    for (const xml_node *ref = xml_first(node, "trafficSignRef"); ref;
         ref = xml_next(ref, "trafficSignRef")) {
        const char *id = xml_word(&c->r, ref, "ref");
        for (const xml_node *s = xml_first(root, "trafficSign"); s;
             s = xml_next(s, "trafficSign")) {
            const char *own = xml_get(s, "id");
            const xml_node *e =
                own && strcmp(own, id) == 0 ? xml_first(s, "trafficSignElement") : NULL;
            const xml_node *kind = xml_first(e, "trafficSignID"),
                           *value = xml_first(e, "additionalValue");
            if (kind && value &&
                (strcmp(kind->text, "274") == 0 || strcmp(kind->text, "R2-1") == 0))
                speed = xml_text_number(&c->r, value);
        }
    }
    const xml_node *limit = xml_first(node, "speedLimit");
    return limit ? xml_text_number(&c->r, limit) : speed;
}

static void read_lanelet(reader *c, const xml_node *root, const xml_node *n, lanelet *out)
{
    int left_count, right_count;
    *out = (lanelet){.node = n, .id = xml_word(&c->r, n, "id"), .edge = -1};
    polyline_point *left = bound_of(c, n, "leftBound", &left_count);
    const polyline_point *right = bound_of(c, n, "rightBound", &right_count);
    if (c->r.status != MC_OK)
        return;
    if (left_count != right_count) {
        xml_reject(&c->r, n,
                   "lanelet %.40s has %d points on its left and %d on its right; expected "
                   "the same number",
                   out->id, left_count, right_count);
        return;
    }
    double width = 0.0;
    for (int i = 0; i < left_count; i++) {
        width += hypot(left[i].x - right[i].x, left[i].y - right[i].y) / left_count;
        left[i] = (polyline_point){0.5 * (left[i].x + right[i].x), 0.5 * (left[i].y + right[i].y)};
    }
    out->lane = (graph_lane){.id = out->id,
                             .line = left,
                             .count = left_count,
                             .width = width,
                             .speed = sign_speed(c, root, n)};
    if (!(width >= 0.5 && width <= 20.0))
        xml_reject(&c->r, n, "lanelet %.40s is %.4g m wide; expected 0.5 .. 20 m", out->id, width);
    if (!(polyline_length(left, left_count) > 0.1))
        xml_reject(&c->r, n, "lanelet %.40s has no length", out->id);
}

static int lanelet_of(reader *c, const xml_node *n)
{
    const char *id = xml_word(&c->r, n, "ref");
    const int found = text_index_get(&c->by_id, id);
    if (found < 0)
        xml_reject(&c->r, n, "%.40s refers to lanelet \"%.40s\", which does not exist", n->name,
                   id);
    return found;
}

// The lanelet beside one, driven in the same direction; -1: none.
static int beside(reader *c, const lanelet *l, const char *side)
{
    const xml_node *n = xml_first(l->node, side);
    const char *direction = n ? xml_get(n, "drivingDir") : NULL;
    return n && direction && strcmp(direction, "same") == 0 ? lanelet_of(c, n) : -1;
}

static void read_lanelets(reader *c, const xml_node *root)
{
    for (const xml_node *n = xml_first(root, "lanelet"); n; n = xml_next(n, "lanelet"))
        c->count++;
    c->lanelets = xml_alloc(&c->r, c->count, sizeof *c->lanelets);
    if (c->count == 0)
        xml_reject(&c->r, root, "the scenario has no lanelet");
    if (c->r.status != MC_OK || !text_index_make(c->r.memory, c->count, &c->by_id))
        return;
    int i = 0;
    for (const xml_node *n = xml_first(root, "lanelet"); n && c->r.status == MC_OK;
         n = xml_next(n, "lanelet"), i++) {
        read_lanelet(c, root, n, &c->lanelets[i]);
        if (c->r.status == MC_OK && text_index_put(&c->by_id, c->lanelets[i].id, i) >= 0)
            xml_reject(&c->r, n, "two lanelets have the id \"%.40s\"", c->lanelets[i].id);
    }
}

// ---- the graph ----

// Lanelets from the leftmost to the right are an edge.
static void make_edges(reader *c)
{
    c->g.edges = xml_alloc(&c->r, c->count, sizeof *c->g.edges);
    if (!c->g.edges || !text_index_make(c->r.memory, c->count, &c->g.by_id))
        return;
    for (int i = 0; i < c->count && c->r.status == MC_OK; i++) {
        int first = i, count = 0;
        for (int k, steps = 0; (k = beside(c, &c->lanelets[first], "adjacentLeft")) >= 0; first = k)
            if (++steps > 60) {
                xml_reject(&c->r, c->lanelets[i].node,
                           "lanelet %.40s is beside itself, or one of more than 60",
                           c->lanelets[i].id);
                return;
            }
        if (c->r.status != MC_OK || c->lanelets[first].edge >= 0)
            continue;
        graph_edge *e = &c->g.edges[c->g.edge_count];
        graph_lane *lanes = xml_alloc(&c->r, 64, sizeof *lanes);
        for (int k = first; k >= 0 && c->r.status == MC_OK && count < 62;
             k = beside(c, &c->lanelets[k], "adjacentRight")) {
            if (c->lanelets[k].edge >= 0)
                break;
            c->lanelets[k].edge = c->g.edge_count;
            c->lanelets[k].place = count;
            lanes[count++] = c->lanelets[k].lane;
        }
        if (c->r.status != MC_OK)
            return;
        *e = (graph_edge){.id = c->lanelets[first].id,
                          .node = c->lanelets[first].node,
                          .lanes = lanes,
                          .lane_count = count,
                          .length = polyline_length(lanes[0].line, lanes[0].count)};
        text_index_put(&c->g.by_id, e->id, c->g.edge_count++);
    }
}

static void make_links(reader *c)
{
    int count = 0;
    for (int i = 0; i < c->count; i++)
        for (const xml_node *n = xml_first(c->lanelets[i].node, "successor"); n;
             n = xml_next(n, "successor"))
            count++;
    c->g.links = xml_alloc(&c->r, count, sizeof *c->g.links);
    for (int i = 0; i < c->count && c->r.status == MC_OK; i++) {
        const lanelet *from = &c->lanelets[i];
        for (const xml_node *n = xml_first(from->node, "successor"); n && c->r.status == MC_OK;
             n = xml_next(n, "successor")) {
            const int k = lanelet_of(c, n);
            if (k < 0 || c->lanelets[k].edge < 0 || from->edge < 0 ||
                c->lanelets[k].edge == from->edge)
                continue;
            c->g.links[c->g.link_count++] = (graph_link){.from = from->edge,
                                                         .from_lane = from->place,
                                                         .to = c->lanelets[k].edge,
                                                         .to_lane = c->lanelets[k].place};
        }
    }
}

// The edge whose lanes pass nearest to a point.
static int nearest_edge(const graph *g, polyline_point p)
{
    int found = -1;
    double best = HUGE_VAL;
    for (int i = 0; i < g->edge_count; i++)
        for (int k = 0; k < g->edges[i].lane_count; k++)
            for (int n = 0; n + 1 < g->edges[i].lanes[k].count; n++) {
                const polyline_point a = g->edges[i].lanes[k].line[n],
                                     b = g->edges[i].lanes[k].line[n + 1];
                const double x = b.x - a.x, y = b.y - a.y, size = x * x + y * y;
                const double share = ((p.x - a.x) * x + (p.y - a.y) * y) / fmax(size, 1e-12);
                const double s = fmin(fmax(share, 0.0), 1.0);
                const double away = hypot(p.x - a.x - s * x, p.y - a.y - s * y);
                if (away < best)
                    best = away, found = i;
            }
    return found;
}

// ---- states ----

static bool read_state(reader *c, const xml_node *n, recorded_state *out)
{
    const xml_node *position = xml_need(&c->r, n, "position"), *time = xml_need(&c->r, n, "time");
    const xml_node *point = position ? xml_first(position, "point") : NULL;
    if (!position || !time)
        return false;
    if (!point) {
        xml_reject(&c->r, position, "position is no point; expected <point>");
        return false;
    }
    const polyline_point at = point_of(c, point);
    const double orientation = child_value(c, n, "orientation", 0.0);
    road_foot foot;
    road_path_project(&c->road->path, at.x, at.y, NAN, &foot);
    *out = (recorded_state){.t = c->step * value_of(c, time),
                            .station = foot.station,
                            .offset = foot.offset,
                            .heading = remainder(orientation - foot.heading, 2.0 * M_PI),
                            .v = child_value(c, n, "velocity", NAN)};
    if (c->r.status == MC_OK && !(out->t >= 0.0 && out->t <= 1e6))
        xml_reject(&c->r, time, "the time is step %.6g; expected 0 or more", out->t / c->step);
    return c->r.status == MC_OK;
}

// Whether a place is on the road, or near enough to matter.
static bool is_near(const reader *c, const recorded_state *s, double more)
{
    const double right =
        graph_lane_offset(c->road, c->road->lanes - 1, s->station) - 0.5 * c->road->width;
    return s->station >= 0.0 && s->station <= c->road->path.length && s->offset >= right - more &&
           s->offset <= 0.5 * c->road->width + more;
}

// Length and width of a shape, m.
static bool read_shape(reader *c, const xml_node *obstacle, double *length, double *width)
{
    const xml_node *shape = xml_need(&c->r, obstacle, "shape");
    const xml_node *box = xml_first(shape, "rectangle"), *circle = xml_first(shape, "circle");
    *length = *width = NAN;
    if (box) {
        const xml_node *l = xml_need(&c->r, box, "length"), *w = xml_need(&c->r, box, "width");
        *length = l ? xml_text_number(&c->r, l) : NAN;
        *width = w ? xml_text_number(&c->r, w) : NAN;
    } else if (circle) {
        const xml_node *radius = xml_need(&c->r, circle, "radius");
        *length = *width = radius ? 2.0 * xml_text_number(&c->r, radius) : NAN;
    } else if (shape) {
        xml_note(&c->r, shape, "the shape of obstacle %.40s is no rectangle or circle: not read",
                 xml_word(&c->r, obstacle, "id"));
        return false;
    }
    if (c->r.status == MC_OK && !(*length > 0.0 && *width > 0.0 && *length < 1000.0))
        xml_reject(&c->r, shape, "a shape of %.4g by %.4g m; expected above 0", *length, *width);
    return c->r.status == MC_OK;
}

// ---- obstacles ----

static void read_static(reader *c, const xml_node *n)
{
    recorded_state s;
    double length, width;
    const char *id = xml_word(&c->r, n, "id");
    const xml_node *state = xml_need(&c->r, n, "initialState");
    if (!state || !read_shape(c, n, &length, &width) || !read_state(c, state, &s))
        return;
    if (!is_near(c, &s, 10.0)) {
        xml_note(&c->r, n, "static obstacle %.40s is not on the road: not read", id);
        return;
    }
    char name[64];
    snprintf(name, sizeof name, "obstacle %.50s", id);
    fprintf(c->obstacles,
            "  - {name: %s, x: %.9g, y: %.9g, heading: %.9g, length: %.6g, width: "
            "%.6g}\n",
            document_name_of(c->d, name), s.station, s.offset, s.heading, length, width);
    c->static_count++;
}

static void read_dynamic(reader *c, const xml_node *n)
{
    recorded_state first;
    recorded_car car = {.name = document_name_of(c->d, xml_word(&c->r, n, "id"))};
    const char *id = xml_word(&c->r, n, "id");
    const xml_node *state = xml_need(&c->r, n, "initialState"),
                   *trajectory = xml_first(n, "trajectory");
    if (!state || !read_shape(c, n, &car.length, &car.width) || !read_state(c, state, &first))
        return;
    if (!is_near(c, &first, 0.0) || fabs(first.heading) > 0.5 * M_PI) {
        xml_note(&c->r, n, "obstacle %.40s does not drive along the road: not read", id);
        return;
    }
    if (xml_first(n, "occupancySet"))
        xml_note(&c->r, n, "obstacle %.40s: its occupancySet is not read; it keeps its speed", id);
    int count = 1;
    for (const xml_node *s = xml_first(trajectory, "state"); s; s = xml_next(s, "state"))
        count++;
    car.states = xml_alloc(&c->r, count, sizeof *car.states);
    if (!car.states)
        return;
    car.states[car.count++] = first;
    for (const xml_node *s = xml_first(trajectory, "state"); s && c->r.status == MC_OK;
         s = xml_next(s, "state")) {
        recorded_state *one = &car.states[car.count];
        if (!read_state(c, s, one))
            return;
        if (!(one->t > one[-1].t)) {
            xml_reject(&c->r, s, "obstacle %.40s: the state at %.6g s comes after that at %.6g s",
                       id, one->t, one[-1].t);
            return;
        }
        if (!is_near(c, one, 10.0)) {
            xml_note(&c->r, s, "obstacle %.40s leaves the road at %.4g s; it drives on", id,
                     one->t);
            break;
        }
        car.count++;
    }
    c->end = fmax(c->end, car.states[car.count - 1].t);
    car.node = n;
    recorded_add(&c->cars, &c->r, c->road, &car);
}

// ---- the planning problem ----

static void read_ego(reader *c, const xml_node *n, FILE *out)
{
    const xml_node *state = xml_need(&c->r, n, "initialState"),
                   *goal = xml_need(&c->r, n, "goalState");
    recorded_state s;
    if (!state || !goal || !read_state(c, state, &s))
        return;
    if (!is_near(c, &s, 2.0)) {
        xml_reject(&c->r, state,
                   "the planning problem does not begin on the road: %.4g m beside it",
                   fabs(s.offset));
        return;
    }
    const double v = isnan(s.v) ? 0.0 : s.v, goal_speed = child_value(c, goal, "velocity", NAN);
    const xml_node *time = xml_first(goal, "time"), *upto = xml_first(time, "intervalEnd");
    if (upto)
        c->end = fmax(c->end, c->step * xml_text_number(&c->r, upto));
    fprintf(out,
            "  - {name: ego, model: ego, controller: ego, x: %.9g, y: %.9g, lane: %d, heading: "
            "%.6g, v: %.9g}\n",
            s.station, s.offset, recorded_lane(c->road, s.station, s.offset) + 1, s.heading,
            fmax(v, 0.0));
    fprintf(c->d->out, "  ego: {law: %s, headway: 1.2, distance: 2, speed: %.6g, avoid: true%s}\n",
            mc_law_default(MC_LAW_ROLE_DRIVER),
            fmin(fmax(isnan(goal_speed) ? v : goal_speed, 1.0), 150.0),
            c->road->lanes > 1 ? ", lane_change: {free: true}" : "");
    xml_note(&c->r, goal,
             "the goal of planning problem %.40s is not a condition of the run; ego drives at %s",
             xml_word(&c->r, n, "id"),
             isnan(goal_speed) ? "its first speed" : "the speed of the goal");
}

// ---- the scenario ----

static void read_road(reader *c, const xml_node *root, const char *through)
{
    read_lanelets(c, root);
    if (c->r.status == MC_OK)
        make_edges(c);
    if (c->r.status == MC_OK)
        make_links(c);
    if (c->r.status != MC_OK)
        return;
    int start = -1;
    const xml_node *problem = xml_first(root, "planningProblem");
    const xml_node *place =
        xml_first(xml_first(xml_first(problem, "initialState"), "position"), "point");
    if (through) {
        const int lane = text_index_get(&c->by_id, through);
        start = lane >= 0 ? c->lanelets[lane].edge : -1;
        if (lane < 0)
            xml_reject(&c->r, root, "there is no lanelet \"%.60s\" for the road to go through",
                       through);
    } else if (place) {
        start = nearest_edge(&c->g, point_of(c, place));
    }
    c->road = c->r.status == MC_OK ? graph_make_road(&c->r, c->d, &c->g, start) : NULL;
    if (!c->road)
        return;
    int left_out = 0;
    const xml_node *first = NULL;
    for (int i = 0; i < c->g.edge_count; i++) {
        graph_place any;
        if (graph_find(c->road, i, 0, 0.0, &any) || graph_exit_of(c->road, i) >= 0)
            continue;
        first = first ? first : c->g.edges[i].node;
        left_out += c->g.edges[i].lane_count;
    }
    if (left_out)
        xml_note(&c->r, first, "%d lanelet%s not part of the road", left_out,
                 left_out == 1 ? " is" : "s are");
    if (c->road->error > 1e-3)
        xml_note(&c->r, NULL, "the line of the road follows the lanelets within %.2g m",
                 c->road->error);
}

static void check_version(reader *c, const xml_node *root)
{
    const char *version = xml_word(&c->r, root, "commonRoadVersion");
    if (c->r.status == MC_OK && strcmp(version, "2020a") != 0)
        xml_reject(&c->r, root, "commonRoadVersion is \"%.20s\"; expected 2020a", version);
    c->step = xml_number(&c->r, root, "timeStepSize");
    if (c->r.status == MC_OK && !(c->step > 0.0 && c->step <= 10.0))
        xml_reject(&c->r, root, "timeStepSize is %.6g s; expected above 0 and at most 10 s",
                   c->step);
}

static void write_rest(reader *c, const xml_node *root, const mc_exchange_options *options,
                       FILE *vehicles, char **text)
{
    FILE *out = c->d->out;
    for (const xml_node *n = xml_first(root, "staticObstacle"); n && c->r.status == MC_OK;
         n = xml_next(n, "staticObstacle"))
        read_static(c, n);
    for (const xml_node *n = xml_first(root, "dynamicObstacle"); n && c->r.status == MC_OK;
         n = xml_next(n, "dynamicObstacle"))
        read_dynamic(c, n);
    const xml_node *problem = xml_first(root, "planningProblem");
    fprintf(out, "controllers:\n");
    recorded_print_controllers(&c->cars, out);
    if (problem && c->r.status == MC_OK)
        read_ego(c, problem, vehicles);
    else if (c->cars.count == 0 && c->r.status == MC_OK)
        xml_reject(&c->r, root, "no vehicle is on the road, and there is no planningProblem");
    if (problem && xml_next(problem, "planningProblem"))
        xml_note(&c->r, xml_next(problem, "planningProblem"),
                 "only the first planning problem is read");
    fclose(vehicles);
    if (c->r.status != MC_OK)
        return;
    fprintf(out, "models:\n");
    if (problem)
        fprintf(out, "  ego: {kind: %s, length: 4.508, width: 1.61, mass: 1093.3}\n",
                document_car_kind());
    recorded_print_models(&c->cars, out);
    fprintf(out, "vehicles:\n%s", *text ? *text : "");
    recorded_print_vehicles(&c->cars, &c->r, c->road, out);
    recorded_print_events(&c->cars, out);
    const double end = options->end > 0.0 ? options->end : fmax(c->end, 1.0);
    fprintf(out, "time: {end: %.9g, step: %.9g}\n", end, fmin(c->step, 0.05));
}

static mc_status read(document *d, const char *path, const xml_node *root,
                      const mc_exchange_options *options, mc_error *error)
{
    static const char *const passed_over[] = {"trafficLight", "intersection", "phantomObstacle",
                                              "environmentObstacle", "stopLine"};
    xml_notes *notes = arena_alloc(&d->memory, sizeof *notes);
    if (!notes)
        return mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory left");
    reader c = {.r = {.memory = &d->memory, .file = path, .error = error, .notes = notes}, .d = d};
    check_version(&c, root);
    if (c.r.status == MC_OK)
        read_road(&c, root, options->through);
    if (c.r.status != MC_OK)
        return c.r.status;
    const char *name = xml_get(root, "benchmarkID");
    fprintf(d->out, "motorcade: scenario\nname: ");
    document_quote(d->out, name && name[0] ? name : path);
    fprintf(d->out, "\n");
    graph_print_road(c.road, d->out, "");
    char *text = NULL, *obstacles = NULL;
    size_t size, obstacles_size;
    FILE *vehicles = open_memstream(&text, &size);
    c.obstacles = open_memstream(&obstacles, &obstacles_size);
    if (vehicles && c.obstacles)
        write_rest(&c, root, options, vehicles, &text);
    if (c.obstacles)
        fclose(c.obstacles);
    if (c.static_count && obstacles && c.r.status == MC_OK)
        fprintf(d->out, "obstacles:\n%s", obstacles);
    free(text);
    free(obstacles);
    if (c.r.status == MC_OK)
        xml_note_unread(&c.r, root, passed_over, (int)(sizeof passed_over / sizeof passed_over[0]));
    document_take_notes(d, &c.r);
    return c.r.status;
}

const exchange_format exchange_commonroad = {
    .name = "CommonRoad",
    .word = "commonroad",
    .ending = ".xml",
    .root = "commonRoad",
    .doc = "lanelets along one road, recorded obstacles, the planning problem as vehicle ego",
    .read = read,
};
