// check.c - what only the whole scenario shows: cars that overlap at the start, headways
// against those of the roadway.
#include "scenario/reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 3, 4))) static void
reject_at(scenario_reader *r, scenario_place place, const char *format, ...)
{
    const yaml_node node = {.line = place.line, .column = place.column};
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    reader_reject(&r->base, &node, "%s", text);
}

// ---- overlaps ----

// The outline of a vehicle: a rectangle along its heading.
typedef struct box {
    double x, y, c, s; // m, m; cosine and sine of the heading
    double half[2];    // m, length and width
    double reach;      // m, along x
    int vehicle;
} box;

static box box_of(const scenario *s, int i)
{
    const scenario_vehicle *v = &s->vehicles[i];
    const mc_vehicle_facts *facts = &s->models[v->model].facts;
    double x = v->x, y = v->y, of_road = 0.0;
    if (s->road.net) // in the plane, where cars of different paths can meet
        mc_road_place(&s->road, v->path, v->x, v->y, &x, &y, &of_road);
    const double heading = of_road + v->heading;
    box b = {x, y, cos(heading), sin(heading), .vehicle = i};
    b.half[0] = 0.5 * facts->length;
    b.half[1] = 0.5 * facts->width;
    b.reach = fabs(b.c) * b.half[0] + fabs(b.s) * b.half[1];
    return b;
}

// Gap between the shadows of two boxes along an axis of a; below 0: they overlap there.
static double gap_along(const box *a, const box *b, int axis)
{
    const double u = axis == 0 ? a->c : -a->s, v = axis == 0 ? a->s : a->c;
    const double along = fabs(b->c * u + b->s * v), across = fabs(b->c * v - b->s * u);
    const double distance = fabs((b->x - a->x) * u + (b->y - a->y) * v);
    return distance - a->half[axis] - along * b->half[0] - across * b->half[1];
}

// Two rectangles are apart if their projections on an axis of one of them are. Returns the largest
// of the four gaps: they overlap if it is below 0.
static double gap_of(const box *a, const box *b)
{
    return fmax(fmax(gap_along(a, b, 0), gap_along(a, b, 1)),
                fmax(gap_along(b, a, 0), gap_along(b, a, 1)));
}

static const double ROUNDING = 1e-9; // m, as that of the world: bumper to bumper is no overlap

static int compare_boxes(const void *a, const void *b)
{
    const box *p = a, *q = b;
    const double x = p->x - p->reach, y = q->x - q->reach;
    if (x != y)
        return x < y ? -1 : 1;
    return (p->vehicle > q->vehicle) - (p->vehicle < q->vehicle);
}

static void reject_overlap(scenario_reader *r, const box *a, const box *b)
{
    const scenario *s = r->s;
    const box *front = a->x > b->x ? a : b, *rear = front == a ? b : a;
    const scenario_vehicle *f = &s->vehicles[front->vehicle], *v = &s->vehicles[rear->vehicle];
    const double gap = front->x - front->reach - rear->x - rear->reach;
    reject_at(r, v->place,
              "%s and %s overlap at the start: the gap is %.4g m (mass centres at x = %.9g and "
              "%.9g m, lengths %.4g and %.4g m)",
              v->name, f->name, gap, v->x, f->x, 2.0 * rear->half[0], 2.0 * front->half[0]);
}

static void check_overlaps(scenario_reader *r)
{
    box *boxes = arena_alloc(&r->scratch, (size_t)r->s->vehicle_count * sizeof boxes[0]);
    if (!boxes) {
        reader_no_memory(&r->base);
        return;
    }
    int there = 0;
    for (int i = 0; i < r->s->vehicle_count; i++)
        if (r->s->vehicles[i].from == 0.0)
            boxes[there++] = box_of(r->s, i);
    const int count = there;
    qsort(boxes, (size_t)count, sizeof boxes[0], compare_boxes);
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++) {
            if (boxes[j].x - boxes[j].reach > boxes[i].x + boxes[i].reach)
                break;
            if (gap_of(&boxes[i], &boxes[j]) < -ROUNDING) {
                reject_overlap(r, &boxes[i], &boxes[j]);
                return;
            }
        }
}

// ---- leaders ----

// Vehicles stand platoon by platoon, then the single ones.
int scenario_leader(const scenario *s, int platoon)
{
    int low = 0, high = s->vehicle_count;
    while (low < high) {
        const int middle = (low + high) / 2, own = s->vehicles[middle].platoon;
        if (own >= 0 && own < platoon)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->vehicle_count && platoon >= 0 && s->vehicles[low].platoon == platoon ? low : -1;
}

bool scenario_may_lead_as(const scenario *s, int vehicle, int platoon, char *text, size_t size)
{
    const scenario_vehicle *v = &s->vehicles[vehicle];
    const int other = scenario_leader(s, platoon - 1);
    text[0] = '\0';
    if (v->platoon < 0 || v->number != 0)
        snprintf(text, size, "%s does not lead a platoon", v->name);
    else if (platoon != 0 && other < 0)
        snprintf(text, size, "unknown platoon %d; expected 1 .. %d, or 0", platoon,
                 s->platoon_count);
    else if (platoon == v->platoon + 1)
        snprintf(text, size, "%s leads platoon %d itself; expected the number of another platoon",
                 v->name, platoon);
    else if (platoon != 0 && s->vehicles[other].model != v->model)
        snprintf(text, size,
                 "%s is of model %s, %s of model %s; the pedals of one would not move the other "
                 "alike: expected one model",
                 v->name, s->models[v->model].name, s->vehicles[other].name,
                 s->models[s->vehicles[other].model].name);
    return text[0] == '\0';
}

static void check_leads(scenario_reader *r)
{
    const scenario *s = r->s;
    char text[200];
    for (int i = 0; i < s->vehicle_count && r->base.status == MC_OK; i++) {
        const scenario_vehicle *v = &s->vehicles[i];
        if (v->leads_as == 0)
            continue;
        if (!scenario_may_lead_as(s, i, v->leads_as, text, sizeof text)) {
            reject_at(r, v->place, "%s", text);
            return;
        }
        const int next = s->vehicles[scenario_leader(s, v->leads_as - 1)].leads_as;
        if (next != 0)
            reject_at(r, v->place,
                      "platoon %d leads as platoon %d does; expected one that leads by "
                      "itself",
                      v->leads_as, next);
    }
}

// ---- headways ----

// Cars under automatic control obey the roadway: they may keep more distance, not less.
static void check_desired(scenario_reader *r, scenario_place place, const char *name,
                          const char *what, const char *unit, double desired, double command)
{
    if (!isnan(desired) && desired < command)
        reject_at(r, place,
                  "%s has a %s of %.9g %s, less than the %.9g %s commanded by the roadway; "
                  "expected at least the commanded value",
                  name, what, desired, unit, command, unit);
}

static void check_headways(scenario_reader *r)
{
    const scenario *s = r->s;
    for (int i = 0; i < s->controller_count; i++) {
        const scenario_controller *c = &s->controllers[i];
        if (r->s->headway_commanded)
            check_desired(r, c->place, c->name, "headway", "s", c->headway, s->headway);
        if (r->s->distance_commanded)
            check_desired(r, c->place, c->name, "distance", "m", c->distance, s->distance);
    }
    for (int i = 0; i < s->vehicle_count; i++) {
        const scenario_vehicle *v = &s->vehicles[i];
        if (r->s->headway_commanded)
            check_desired(r, v->place, v->name, "headway", "s", v->headway, s->headway);
        if (r->s->distance_commanded)
            check_desired(r, v->place, v->name, "distance", "m", v->distance, s->distance);
    }
}

// A desired gap that is a fraction of a car's length was probably meant as a distance between
// centres or front bumpers. Reported once per model.
static void warn_of_gaps(scenario_reader *r)
{
    const scenario *s = r->s;
    scenario_place last = {0, 0};
    for (int i = 0; i < s->vehicle_count; i++) {
        const scenario_vehicle *v = &s->vehicles[i];
        const double gap = scenario_desired_gap(s, v);
        const double length = s->models[v->model].facts.length;
        if (v->controller < 0 || v->number == 0 || gap >= 0.25 * length ||
            (v->place.line == last.line && v->place.column == last.column))
            continue;
        last = v->place;
        scenario_warn(r, v->place,
                      "%s would follow at %.3g m, bumper to bumper, at %.4g m/s, but is %.3g m "
                      "long: headway and distance do not include the vehicle length",
                      v->name, gap, v->v, length);
    }
}

// ---- lanes ----

static void warn_of_sides(scenario_reader *r)
{
    const scenario *s = r->s;
    const double left = 0.5 * s->road.lane_width;
    const double right = -(s->road.lane_count - 0.5) * s->road.lane_width;
    for (int i = 0; i < s->vehicle_count; i++) {
        const scenario_vehicle *v = &s->vehicles[i];
        if (v->y > left || v->y < right)
            scenario_warn(r, v->place,
                          "%s is off the road: y is %.4g m, lanes extend from %.4g to %.4g m",
                          v->name, v->y, right, left);
    }
}

static void warn_of_unused(scenario_reader *r)
{
    const scenario *s = r->s;
    bool *used = arena_alloc(&r->scratch, (size_t)s->controller_count + 1);
    if (!used) {
        reader_no_memory(&r->base);
        return;
    }
    for (int i = 0; i < s->vehicle_count; i++)
        if (s->vehicles[i].controller >= 0)
            used[s->vehicles[i].controller] = true;
    for (int i = 0; i < s->event_count; i++)
        if (s->events[i].kind == EVENT_CONTROLLER)
            used[(int)s->events[i].value] = true;
    if (s->ersc.controller >= 0)
        used[s->ersc.controller] = true;
    for (int i = 0; i < s->controller_count; i++)
        if (!used[i])
            scenario_warn(r, s->controllers[i].place, "controller %s is not used by any vehicle",
                          s->controllers[i].name);
}

// What vehicle types that know straight roads only do not feel.
static void warn_of_curves(scenario_reader *r)
{
    const scenario *s = r->s;
    char names[200] = "";
    const mc_vehicle_type *type;
    for (int i = 0; (type = mc_vehicle_type_at(i)); i++)
        if (type->asks_road && strlen(names) + strlen(type->name) + 3 < sizeof names)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s",
                     names[0] ? ", " : "", type->name);
    for (int i = 0; i < s->model_count && s->road.net && road_has_relief(&s->road); i++)
        if (!s->models[i].type->asks_road)
            scenario_warn(r, s->models[i].place,
                          "model %s is a %s, which does not feel the slope, bank and friction of a "
                          "road with curves; these do: %s",
                          s->models[i].name, s->models[i].type->name, names);
}

// Road friction that a model ignores.
static void warn_of_friction(scenario_reader *r)
{
    const scenario *s = r->s;
    for (int i = 0; i < s->model_count && s->road.friction.count > 0; i++) {
        const scenario_model *m = &s->models[i];
        const char *hint = m->facts.friction_hint;
        if (m->facts.no_friction)
            scenario_warn(r, m->place, "%s %s: road friction has no effect%s%s", m->name,
                          m->facts.no_friction, hint ? "; " : "", hint ? hint : "");
    }
}

// ---- drivers ----

static void check_drivers(scenario_reader *r)
{
    const scenario *s = r->s;
    for (int i = 0; i < s->vehicle_count; i++) {
        const scenario_vehicle *v = &s->vehicles[i];
        const scenario_model *m = &s->models[v->model];
        if (v->driver && !m->facts.pedals)
            reject_at(r, v->place,
                      "%s is a %s car: it has no pedals, so it cannot have a driver file", v->name,
                      m->type->name);
    }
}

void scenario_check_whole(scenario_reader *r)
{
    check_headways(r);
    check_drivers(r);
    check_leads(r);
    if (r->base.status == MC_OK && !r->under_way)
        check_overlaps(r);
    if (r->base.status != MC_OK)
        return;
    warn_of_gaps(r);
    warn_of_sides(r);
    warn_of_unused(r);
    warn_of_friction(r);
    warn_of_curves(r);
}
