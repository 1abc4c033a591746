// vehicles.c - platoons and single vehicles, repeated as often as they are asked for.
#include "scenario/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- names ----

// The name of one of several: base and the next number for it, over the whole file.
const char *scenario_numbered(scenario_reader *r, const char *base)
{
    int k = 0;
    while (k < r->base_count && strcmp(r->bases[k].name, base) != 0)
        k++;
    if (k == r->base_count) {
        if (!SCENARIO_GROW(r, r->bases, r->base_count, r->base_room))
            return "";
        r->bases[r->base_count++] = (scenario_base){base, 0};
    }
    char text[96];
    snprintf(text, sizeof text, "%.63s%d", base, ++r->bases[k].used);
    return reader_copy(&r->base, text);
}

typedef struct by_name {
    const char *name;
    int index;
} by_name;

static int compare_names(const void *a, const void *b)
{
    const by_name *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

// Sorts the names for look-up; rejects duplicates.
static void sort_names(scenario_reader *r)
{
    const scenario *s = r->s;
    const size_t count = (size_t)s->vehicle_count;
    by_name *list = arena_alloc(&r->scratch, count * sizeof list[0]);
    r->by_name = arena_alloc(&r->scratch, count * sizeof r->by_name[0]);
    r->by_name_index = arena_alloc(&r->scratch, count * sizeof r->by_name_index[0]);
    if (!list || !r->by_name || !r->by_name_index) {
        reader_no_memory(&r->base);
        return;
    }
    for (int i = 0; i < s->vehicle_count; i++)
        list[i] = (by_name){s->vehicles[i].name, i};
    qsort(list, count, sizeof list[0], compare_names);
    for (int i = 0; i < s->vehicle_count; i++) {
        r->by_name[i] = list[i].name;
        r->by_name_index[i] = list[i].index;
        if (strcmp(list[i].name, "all") == 0) {
            const scenario_place place = s->vehicles[list[i].index].place;
            const yaml_node node = {.line = place.line, .column = place.column};
            reader_reject(&r->base, &node,
                          "a vehicle cannot be called all: events mean every vehicle by it");
            return;
        }
        if (i > 0 && strcmp(list[i].name, list[i - 1].name) == 0) {
            const scenario_place first = s->vehicles[list[i - 1].index].place;
            const scenario_place place = s->vehicles[list[i].index].place;
            const yaml_node node = {.line = place.line, .column = place.column};
            reader_reject(&r->base, &node, "two vehicles are called %s; the other is on line %d",
                          list[i].name, first.line);
            return;
        }
    }
}

// ---- one vehicle ----

// A million vehicles take gigabytes: not for files that may come from a network.
enum { LOCAL_VEHICLES_MAX = 1000000 };

scenario_vehicle *scenario_add_vehicle(scenario_reader *r, const yaml_node *node)
{
    scenario *s = r->s;
    const int max = s->in_file && !s->bundle ? LOCAL_VEHICLES_MAX : SCENARIO_VEHICLES_MAX;
    if (s->vehicle_count == max)
        reader_reject(&r->base, node, "a scenario has at most %d vehicles", max);
    if (!SCENARIO_GROW(r, s->vehicles, s->vehicle_count, r->vehicle_room))
        return NULL;
    return &s->vehicles[s->vehicle_count++];
}

static double optional(scenario_reader *r, const yaml_node *map, scenario_section section,
                       const char *key)
{
    return scenario_key_find(section, key) ? scenario_number(r, map, section, key) : NAN;
}

static double profile_start(scenario_reader *r, const yaml_node *node, int index)
{
    profile_run *run = profile_prepare(&r->s->profiles[index], r->s->file, r->base.error);
    if (!run) {
        r->base.status = r->base.error->code;
        return 0.0;
    }
    const double v = profile_speed(run, 0.0, NULL);
    profile_destroy(run);
    if (!(v >= 0.0 && v <= 150.0))
        reader_reject(&r->base, node, "the profile starts at %.6g m/s; expected 0 .. 150 m/s", v);
    return v;
}

// The vehicle and its driver: the keys that all sections have. The start speed is that of the
// profile if there is one.
static scenario_vehicle read_common(scenario_reader *r, const yaml_node *map,
                                    scenario_section section, const char *name)
{
    scenario_vehicle v = {.controller = -1,
                          .profile = -1,
                          .platoon = -1,
                          .estimator = -1,
                          .exit = -1,
                          .source = -1,
                          .v = NAN};
    v.name = name;
    v.place = scenario_place_of(map);
    v.model = scenario_model_index(r, scenario_need(r, map, section, "model"));
    const yaml_node *controller = reader_get(&r->base, map, "controller");
    const yaml_node *speeds = reader_get(&r->base, map, "profile");
    const yaml_node *driver = reader_get(&r->base, map, "driver");
    if (driver && (speeds || controller))
        reader_reject(&r->base, driver->key,
                      "a vehicle has a driver or follows a %s, not both; use an event to hand over",
                      speeds ? "profile" : "controller");
    if (controller)
        v.controller = scenario_controller_index(r, controller);
    if (speeds)
        v.profile = scenario_profile_index(r, speeds, name);
    if (driver)
        v.driver = scenario_read_driver(r, driver);
    if (speeds && r->base.status == MC_OK)
        v.v = profile_start(r, speeds, v.profile);
    const yaml_node *estimator = reader_get(&r->base, map, "estimator");
    const yaml_node *image = reader_get(&r->base, map, "image_of");
    if (estimator)
        v.estimator = scenario_estimator_index(r, estimator);
    if (image)
        v.image_of = reader_text(&r->base, image);
    v.headway = optional(r, map, section, "headway");
    v.distance = optional(r, map, section, "distance");
    v.from = scenario_number(r, map, section, "from");
    for (int i = 0; i < 8; i++) {
        char key[] = "user1";
        key[4] = (char)('1' + i);
        v.user[i] = scenario_number(r, map, section, key);
    }
    return v;
}

static const char *read_name(scenario_reader *r, const yaml_node *map, const char *fallback)
{
    const yaml_node *node = reader_get(&r->base, map, "name");
    return node ? scenario_name(r, node) : fallback;
}

int scenario_read_lane(scenario_reader *r, const yaml_node *map, scenario_section section)
{
    const int lane = scenario_whole(r, map, section, "lane"), count = r->s->road.lane_count;
    if (r->base.status == MC_OK && lane > count)
        reader_reject(&r->base, yaml_find(map, "lane"), "lane is %d; the road has %d lane%s", lane,
                      count, count == 1 ? " (road: lanes)" : "s");
    return lane - 1;
}

// The path of a ramp by its name.
int scenario_read_ramp(scenario_reader *r, const yaml_node *map, const char *key)
{
    const yaml_node *node = reader_get(&r->base, map, key);
    if (!node)
        return 0;
    const char *word = reader_text(&r->base, node), *names[64];
    int count = 0;
    mc_road_ramp ramp;
    for (; count < 64 && mc_road_ramp_at(&r->s->road, count, &ramp); count++) {
        names[count] = ramp.name;
        if (r->base.status == MC_OK && strcmp(ramp.name, word) == 0)
            return ramp.path;
    }
    if (r->base.status == MC_OK && count == 0)
        reader_reject(&r->base, node, "the road has no ramps (road: ramps)");
    else if (r->base.status == MC_OK)
        reader_unknown(&r->base, node, "ramp", names, count);
    return 0;
}

int scenario_exit_index(scenario_reader *r, const yaml_node *node)
{
    const char *word = reader_text(&r->base, node), *names[64];
    int count = 0;
    mc_road_ramp ramp;
    if (r->base.status != MC_OK)
        return -1;
    for (int k = 0; mc_road_ramp_at(&r->s->road, k, &ramp); k++) {
        if (!ramp.on && strcmp(ramp.name, word) == 0)
            return k;
        if (!ramp.on && count < 64)
            names[count++] = ramp.name;
    }
    if (count == 0)
        reader_reject(&r->base, node, "the road has no off-ramps (road: ramps)");
    else
        reader_unknown(&r->base, node, "off-ramp", names, count);
    return -1;
}

// m, offset of the middle of the lane of a vehicle.
double scenario_lane_middle(const scenario *s, const scenario_vehicle *v)
{
    double width;
    const double middle =
        s->road.net ? mc_road_lane_centre(&s->road, v->path, v->lane, v->x, &width) : NAN;
    return isnan(middle) ? -v->lane * s->road.lane_width : middle;
}

static double half_length(const scenario *s, const scenario_vehicle *v)
{
    return 0.5 * s->models[v->model].facts.length;
}

double scenario_desired_gap(const scenario *s, const scenario_vehicle *v)
{
    const scenario_controller *c = v->controller >= 0 ? &s->controllers[v->controller] : NULL;
    const double headway = !isnan(v->headway)        ? v->headway
                           : c && !isnan(c->headway) ? c->headway
                                                     : s->headway;
    const double distance = !isnan(v->distance)        ? v->distance
                            : c && !isnan(c->distance) ? c->distance
                                                       : s->distance;
    return distance + headway * fabs(v->v);
}

// Puts v behind the car in front, at the gap of the key spacing or at the desired gap.
static void put_behind(scenario_reader *r, const yaml_node *map, scenario_section section,
                       const scenario_vehicle *front, scenario_vehicle *v)
{
    const double given = scenario_number(r, map, section, "spacing");
    const double gap = isnan(given) ? scenario_desired_gap(r->s, v) : given;
    v->x = front->x - half_length(r->s, front) - gap - half_length(r->s, v);
}

// ---- platoons ----

static void need_driver(scenario_reader *r, const yaml_node *map, const scenario_vehicle *v,
                        const char *what, const char *keys)
{
    if (v->controller < 0 && v->profile < 0 && !v->driver)
        reader_reject(&r->base, map->key ? map->key : map, "%s needs one of the keys %s", what,
                      keys);
}

// Where a car of a platoon is across the road: y decides the lane, the platoon stays its own.
static void read_aside(scenario_reader *r, const yaml_node *map, scenario_section section,
                       scenario_vehicle *v)
{
    const double y = scenario_number(r, map, section, "y");
    v->heading = scenario_number(r, map, section, "heading");
    if (isnan(y) || r->base.status != MC_OK)
        return;
    v->y = y;
    double nearest = HUGE_VAL;
    for (int lane = 0; lane < r->s->road.lane_count; lane++) {
        const scenario_vehicle there = {.lane = lane, .path = v->path, .x = v->x};
        const double aside = fabs(y - scenario_lane_middle(r->s, &there));
        if (aside < nearest)
            nearest = aside, v->lane = lane;
    }
}

static void read_leader(scenario_reader *r, const yaml_node *platoon, bool only)
{
    const yaml_node *map = scenario_need(r, platoon, SECTION_PLATOON, "leader");
    if (!map || !scenario_check_keys(r, map, SECTION_LEADER, NULL, 0))
        return;
    const bool named = reader_get(&r->base, map, "name") != NULL;
    const char *name = named  ? read_name(r, map, "")
                       : only ? "leader"
                              : scenario_numbered(r, "leader");
    scenario_vehicle v = read_common(r, map, SECTION_LEADER, name);
    v.leads_as = scenario_whole(r, platoon, SECTION_PLATOON, "leads_as");
    need_driver(r, map, &v, "a leader", "profile, controller, driver");
    const double speed = scenario_number(r, platoon, SECTION_PLATOON, "v");
    if (!isnan(speed))
        v.v = speed;
    else if (isnan(v.v))
        v.v = v.driver ? 0.0 : r->s->speed;
    v.platoon = r->s->platoon_count;
    v.lane = scenario_read_lane(r, platoon, SECTION_PLATOON);
    v.x = scenario_number(r, platoon, SECTION_PLATOON, "x");
    v.y = scenario_lane_middle(r->s, &v);
    read_aside(r, map, SECTION_LEADER, &v);
    scenario_vehicle *made = r->base.status == MC_OK ? scenario_add_vehicle(r, map) : NULL;
    if (made)
        *made = v;
}

// lead: the speed, lane and y of the platoon.
static void read_cars(scenario_reader *r, const yaml_node *map, const scenario_vehicle *lead)
{
    if (!scenario_check_keys(r, map, SECTION_CARS, NULL, 0))
        return;
    const bool several = reader_get(&r->base, map, "count") || !reader_get(&r->base, map, "name");
    const char *base = read_name(r, map, "car");
    const int count = scenario_whole(r, map, SECTION_CARS, "count");
    scenario_vehicle v = read_common(r, map, SECTION_CARS, base);
    need_driver(r, map, &v, "a car of a platoon", "controller, driver");
    const double speed = scenario_number(r, map, SECTION_CARS, "v");
    v.v = isnan(speed) ? lead->v : speed;
    v.at_its_speed = v.from > 0.0 && isnan(speed);
    const double x = scenario_number(r, map, SECTION_CARS, "x");
    v.behind = v.from > 0.0 && isnan(x);
    if (r->base.status == MC_OK && !isnan(x) && count > 1)
        reader_reject(&r->base, yaml_find(map, "x"),
                      "x is only for a single car; several cars of a platoon are placed by the key "
                      "spacing");
    for (int k = 0; k < count && r->base.status == MC_OK; k++) {
        scenario_vehicle *made = scenario_add_vehicle(r, map);
        if (!made)
            return;
        const scenario_vehicle *front = made - 1; // the leader at least
        v.name = several ? scenario_numbered(r, base) : base;
        v.platoon = front->platoon;
        v.number = front->number + 1;
        v.lane = lead->lane;
        v.y = lead->y;
        while (v.from == 0.0 && front->from > 0.0 && front->number > 0)
            front--; // who joins later leaves no gap at the start
        if (isnan(x))
            put_behind(r, map, SECTION_CARS, front, &v);
        else
            v.x = x;
        read_aside(r, map, SECTION_CARS, &v);
        *made = v;
    }
}

static void read_platoon(scenario_reader *r, const yaml_node *map, bool only)
{
    int count;
    if (!scenario_check_keys(r, map, SECTION_PLATOON, NULL, 0))
        return;
    read_leader(r, map, only);
    if (r->base.status != MC_OK)
        return;
    scenario_vehicle lead = r->s->vehicles[r->s->vehicle_count - 1];
    lead.lane = scenario_read_lane(r, map, SECTION_PLATOON); // whatever lane the leader is in
    lead.y = scenario_lane_middle(r->s, &lead);
    const yaml_node *n = scenario_elements(r, map, "cars", YAML_SEQUENCE, &count);
    for (; n && r->base.status == MC_OK; n = n->next)
        read_cars(r, n, &lead);
    r->s->platoon_count++;
}

// ---- single vehicles ----

static void read_vehicle(scenario_reader *r, const yaml_node *map)
{
    if (!scenario_check_keys(r, map, SECTION_VEHICLE, NULL, 0))
        return;
    const bool several = reader_get(&r->base, map, "count") || !reader_get(&r->base, map, "name");
    const char *base = read_name(r, map, "car");
    const int count = scenario_whole(r, map, SECTION_VEHICLE, "count");
    scenario_vehicle v = read_common(r, map, SECTION_VEHICLE, base);
    const double speed = scenario_number(r, map, SECTION_VEHICLE, "v");
    if (!isnan(speed))
        v.v = speed;
    else if (isnan(v.v))
        v.v = v.controller >= 0 ? r->s->speed : 0.0;
    v.lane = scenario_read_lane(r, map, SECTION_VEHICLE);
    v.path = scenario_read_ramp(r, map, "ramp");
    const yaml_node *exit = reader_get(&r->base, map, "exit");
    v.exit = exit ? scenario_exit_index(r, exit) : -1;
    v.x = scenario_number(r, map, SECTION_VEHICLE, "x");
    const double y = scenario_number(r, map, SECTION_VEHICLE, "y");
    v.y = isnan(y) ? scenario_lane_middle(r->s, &v) : y;
    v.heading = scenario_number(r, map, SECTION_VEHICLE, "heading");
    v.waits = scenario_flag(r, map, "waits", false);
    if (v.waits && v.controller < 0 && r->base.status == MC_OK)
        reader_reject(&r->base, yaml_find(map, "waits"),
                      "a vehicle that waits for room needs a controller");
    for (int k = 0; k < count && r->base.status == MC_OK; k++) {
        scenario_vehicle *made = scenario_add_vehicle(r, map);
        if (!made)
            return;
        v.name = several ? scenario_numbered(r, base) : base;
        if (k > 0)
            put_behind(r, map, SECTION_VEHICLE, made - 1, &v);
        *made = v;
    }
}

static void check_images(scenario_reader *r)
{
    for (int i = 0; i < r->s->vehicle_count && r->base.status == MC_OK; i++) {
        const scenario_vehicle *v = &r->s->vehicles[i];
        if (!v->image_of)
            continue;
        const yaml_node at = {.kind = YAML_SCALAR,
                              .text = (char *)v->image_of,
                              .line = v->place.line,
                              .column = v->place.column};
        if (scenario_vehicle_index(r, &at) == i)
            reader_reject(&r->base, &at, "%s cannot be an image of itself", v->name);
    }
}

void scenario_read_vehicles(scenario_reader *r, const yaml_node *root)
{
    int platoons, vehicles;
    const yaml_node *n = scenario_elements(r, root, "platoons", YAML_SEQUENCE, &platoons);
    int nameless = 0;
    for (const yaml_node *p = n; p; p = p->next) {
        const yaml_node *leader = yaml_find(p, "leader");
        nameless += leader && !yaml_find(leader, "name");
    }
    for (; n && r->base.status == MC_OK; n = n->next)
        read_platoon(r, n, nameless == 1);
    n = scenario_elements(r, root, "vehicles", YAML_SEQUENCE, &vehicles);
    for (; n && r->base.status == MC_OK; n = n->next)
        read_vehicle(r, n);
    scenario_read_sources(r, root);
    for (int v = 0; v < r->s->vehicle_count; v++)
        r->s->vehicles[v].index = v;
    if (r->base.status == MC_OK && r->s->vehicle_count == 0)
        reader_reject(&r->base, root,
                      "the scenario has no vehicle; expected platoons, vehicles or sources");
    int later = 0;
    while (later < r->s->vehicle_count && r->s->vehicles[later].from > 0.0)
        later++;
    if (r->base.status == MC_OK && later == r->s->vehicle_count && !r->under_way)
        reader_reject(
            &r->base, root,
            "no vehicle is present at the start: at least one must not have the key from");
    if (r->base.status == MC_OK)
        sort_names(r);
    if (r->base.status == MC_OK)
        check_images(r);
}
