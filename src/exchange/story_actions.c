// story_actions.c - positions and private actions of OpenSCENARIO.
#include "exchange/storyboard.h"

#include <math.h>
#include <string.h>

#define HARDEST 18.0 // m/s^2, for speeds that are to change at once

int story_entity_of(story *s, const xml_node *node, const char *name)
{
    for (int k = 0; k < s->entity_count; k++)
        if (strcmp(s->entities[k].id, name) == 0)
            return k;
    xml_reject(&s->r, node, "%.40s refers to entity \"%.60s\", which does not exist", node->name,
               name);
    return -1;
}

double story_lane_middle(const story *s, int lane, double station)
{
    double width;
    return mc_road_lane_centre(s->road, 0, lane, station, &width);
}

// ---- positions ----

static bool lane_position(story *s, const xml_node *n, story_place *out)
{
    const char *id = xml_word(&s->r, n, "roadId");
    const int lane = xml_whole(&s->r, n, "laneId");
    const double at = xml_number(&s->r, n, "s"), offset = xml_number_or(&s->r, n, "offset", 0.0);
    int path = 0;
    if (s->r.status != MC_OK)
        return false;
    if (!xodr_find_lane(s->index, id, lane, at, &path, &out->lane, &out->station)) {
        xml_reject(&s->r, n,
                   "there is no lane %d to drive on at s = %.6g m of road \"%.40s\" in the road "
                   "network",
                   lane, at, id);
        return false;
    }
    out->offset = lane > 0 ? -offset : offset;
    out->main = path == 0;
    return true;
}

// The nearest lane to a place of the plane.
static bool plane_position(story *s, double x, double y, story_place *out)
{
    mc_road_point p;
    mc_road_on(s->road, 0, x, y, NAN, &p);
    *out = (story_place){.main = p.lane >= 0, .lane = p.lane, .station = p.station};
    if (p.lane >= 0)
        out->offset = p.offset - story_lane_middle(s, p.lane, p.station);
    return true;
}

static bool road_position(story *s, const xml_node *n, story_place *out)
{
    const char *id = xml_word(&s->r, n, "roadId");
    const double at = xml_number(&s->r, n, "s"), t = xml_number(&s->r, n, "t");
    bool along;
    const char *main = xodr_road_of(s->index, 0, &along);
    if (s->r.status != MC_OK)
        return false;
    *out = (story_place){.main = false};
    if (!main || strcmp(main, id) != 0)
        return true;
    double x, y, heading;
    mc_road_path path;
    mc_road_path_at(s->road, 0, &path);
    mc_road_place(s->road, 0, along ? at : path.length - at, along ? t : -t, &x, &y, &heading);
    return plane_position(s, x, y, out);
}

static bool relative_position(story *s, const xml_node *n, double t, bool lanes, story_place *out)
{
    const int of = story_entity_of(s, n, xml_word(&s->r, n, "entityRef"));
    if (of < 0)
        return false;
    const story_entity *e = &s->entities[of];
    if (!e->placed) {
        xml_reject(&s->r, n, "entity \"%.60s\" has no position yet", e->id);
        return false;
    }
    const double ds = xml_number(&s->r, n, lanes ? "ds" : "dx");
    const double side = lanes ? 0.0 : xml_number(&s->r, n, "dy");
    const int beside = lanes ? xml_whole(&s->r, n, "dLane") : 0;
    *out = (story_place){.main = true,
                         .lane = e->lane - beside,
                         .station = plan_place(&e->plan, t) - e->middle + ds,
                         .offset = lanes ? xml_number_or(&s->r, n, "offset", 0.0) : 0.0};
    if (!lanes) {
        double x, y, heading;
        const double centre = story_lane_middle(s, e->lane, out->station);
        mc_road_place(s->road, 0, out->station, centre + side, &x, &y, &heading);
        return plane_position(s, x, y, out);
    }
    if (s->r.status == MC_OK && (out->lane < 0 || out->lane >= mc_road_lane_count(s->road, 0)))
        xml_reject(&s->r, n, "there is no lane %d beside that of \"%.60s\"", beside, e->id);
    return s->r.status == MC_OK;
}

bool story_position(story *s, const xml_node *position, double t, story_place *out)
{
    const xml_node *n = position ? position->first : NULL;
    *out = (story_place){0};
    if (!n) {
        if (position)
            xml_reject(&s->r, position,
                       "Position has no element; expected LanePosition, "
                       "RoadPosition, WorldPosition, RelativeLanePosition or "
                       "RelativeObjectPosition");
        return false;
    }
    if (strcmp(n->name, "LanePosition") == 0)
        return lane_position(s, n, out);
    if (strcmp(n->name, "RoadPosition") == 0)
        return road_position(s, n, out);
    if (strcmp(n->name, "WorldPosition") == 0) {
        const double x = xml_number(&s->r, n, "x"), y = xml_number(&s->r, n, "y");
        return s->r.status == MC_OK && plane_position(s, x, y, out);
    }
    if (strcmp(n->name, "RelativeLanePosition") == 0)
        return relative_position(s, n, t, true, out);
    if (strcmp(n->name, "RelativeObjectPosition") == 0)
        return relative_position(s, n, t, false, out);
    xml_note(&s->r, n, "%.40s is not read", n->name);
    return false;
}

// ---- dynamics ----

typedef struct dynamics {
    bool step;
    plan_shape shape;
    double value;
    enum { BY_TIME, BY_RATE, BY_DISTANCE } by;
} dynamics;

static dynamics read_dynamics(story *s, const xml_node *n)
{
    dynamics d = {.value = xml_number(&s->r, n, "value")};
    const char *shape = xml_word(&s->r, n, "dynamicsShape"),
               *by = xml_word(&s->r, n, "dynamicsDimension");
    d.step = strcmp(shape, "step") == 0;
    d.shape = strcmp(shape, "cubic") == 0        ? PLAN_CUBIC
              : strcmp(shape, "sinusoidal") == 0 ? PLAN_SINE
                                                 : PLAN_LINEAR;
    if (strcmp(by, "rate") == 0)
        d.value = fabs(d.value); // the target says in which direction
    d.by = strcmp(by, "rate") == 0 ? BY_RATE : strcmp(by, "distance") == 0 ? BY_DISTANCE : BY_TIME;
    if (s->r.status == MC_OK && !d.step && d.shape == PLAN_LINEAR && strcmp(shape, "linear") != 0)
        xml_reject(&s->r, n,
                   "dynamicsShape is \"%.40s\"; expected linear, cubic, sinusoidal or step", shape);
    if (s->r.status == MC_OK && d.by == BY_TIME && strcmp(by, "time") != 0)
        xml_reject(&s->r, n, "dynamicsDimension is \"%.40s\"; expected time, rate or distance", by);
    if (s->r.status == MC_OK && !d.step && !(d.value > 0.0 && d.value < 1e6))
        xml_reject(&s->r, n, "value is %.6g; expected above 0", d.value);
    return d;
}

// ---- speed ----

static double target_speed(story *s, const xml_node *target, double t)
{
    const xml_node *absolute = xml_first(target, "AbsoluteTargetSpeed"),
                   *relative = xml_first(target, "RelativeTargetSpeed");
    double v = 0.0;
    if (absolute) {
        v = xml_number(&s->r, absolute, "value");
    } else if (relative) {
        const int of = story_entity_of(s, relative, xml_word(&s->r, relative, "entityRef"));
        const double value = xml_number(&s->r, relative, "value");
        const char *type = xml_get(relative, "speedTargetValueType");
        const double other = of >= 0 ? plan_speed(&s->entities[of].plan, t) : 0.0;
        v = type && strcmp(type, "factor") == 0 ? other * value : other + value;
    } else if (target) {
        xml_reject(&s->r, target,
                   "SpeedActionTarget has no AbsoluteTargetSpeed or "
                   "RelativeTargetSpeed");
    }
    if (s->r.status == MC_OK && !(v >= 0.0 && v <= 150.0))
        xml_reject(&s->r, target, "the speed is to be %.6g m/s; expected 0 .. 150 m/s", v);
    return v;
}

void story_speed_action(story *s, const xml_node *action, int entity, double t, double *done)
{
    const xml_node *how = xml_need(&s->r, action, "SpeedActionDynamics"),
                   *target = xml_need(&s->r, action, "SpeedActionTarget");
    story_entity *e = &s->entities[entity];
    if (!how || !target)
        return;
    const dynamics d = read_dynamics(s, how);
    const double v = target_speed(s, target, t), before = plan_speed(&e->plan, t);
    double duration = d.step || d.by == BY_TIME ? d.value
                      : d.by == BY_RATE ? plan_duration_by_rate(v - before, d.value, d.shape)
                                        : 2.0 * d.value / fmax(v + before, 0.1);
    if (d.step) {
        duration = fabs(v - before) / HARDEST;
        if (t > 0.0 && duration > 0.0)
            xml_note(&s->r, how, "%.40s: a speed cannot jump; it changes within %.2g s", e->name,
                     duration);
    }
    *done = t + duration;
    if (s->r.status == MC_OK &&
        !plan_change(s->r.memory, &e->plan, t, v, duration, d.step ? PLAN_LINEAR : d.shape))
        s->r.status = mc_error_set(s->r.error, MC_NO_MEMORY, s->r.file, 0, 0, "no memory left");
}

// ---- lanes ----

static int target_lane(story *s, const xml_node *target, int entity, double t)
{
    const story_entity *e = &s->entities[entity];
    const xml_node *absolute = xml_first(target, "AbsoluteTargetLane"),
                   *relative = xml_first(target, "RelativeTargetLane");
    const xml_node *n = absolute ? absolute : relative;
    int lane = -1;
    if (absolute) {
        bool along;
        int path = 0;
        double station;
        mc_road_path main;
        const char *way = xodr_road_of(s->index, 0, &along);
        mc_road_path_at(s->road, 0, &main);
        const double x = fmin(fmax(plan_place(&e->plan, t), 0.0), main.length);
        const int id = xml_whole(&s->r, absolute, "value");
        if (!way ||
            !xodr_find_lane(s->index, way, id, along ? x : main.length - x, &path, &lane, &station))
            lane = -1;
        if (path != 0) {
            xml_note(&s->r, absolute, "%.40s stays in its lane: lane %d is driven the other way",
                     e->name, id);
            return e->lane;
        }
    } else if (relative) {
        const int of = story_entity_of(s, relative, xml_word(&s->r, relative, "entityRef"));
        lane = of >= 0 ? s->entities[of].lane - xml_whole(&s->r, relative, "value") : -1;
        if (s->r.status == MC_OK && (lane < 0 || lane >= mc_road_lane_count(s->road, 0))) {
            xml_note(&s->r, relative, "%.40s stays in its lane: the main road has none there",
                     e->name);
            return e->lane;
        }
    } else if (target) {
        xml_reject(&s->r, target,
                   "LaneChangeTarget has no AbsoluteTargetLane or "
                   "RelativeTargetLane");
        return -1;
    }
    if (s->r.status == MC_OK && n && (lane < 0 || lane >= mc_road_lane_count(s->road, 0)))
        xml_reject(&s->r, n, "lane %.20s of the main road does not exist where %.40s is, at %.6g m",
                   xml_word(&s->r, n, "value"), e->name, plan_place(&e->plan, t));
    return lane;
}

void story_lane_action(story *s, const xml_node *action, int entity, double t, double *done)
{
    const xml_node *how = xml_need(&s->r, action, "LaneChangeActionDynamics"),
                   *target = xml_need(&s->r, action, "LaneChangeTarget");
    story_entity *e = &s->entities[entity];
    if (!how || !target)
        return;
    const dynamics d = read_dynamics(s, how);
    const int lane = target_lane(s, target, entity, t);
    if (s->r.status != MC_OK)
        return;
    const double x = plan_place(&e->plan, t);
    const double from = story_lane_middle(s, e->lane, x), to = story_lane_middle(s, lane, x);
    const double width = isfinite(from - to) ? fabs(from - to) : 3.5;
    double duration = d.by == BY_TIME       ? d.value
                      : d.by == BY_DISTANCE ? d.value / fmax(plan_speed(&e->plan, t), 0.1)
                                            : plan_duration_by_rate(width, d.value, d.shape);
    duration = d.step ? 1.0 : fmin(fmax(duration, 1.0), 60.0);
    if (d.step)
        xml_note(&s->r, how, "%.40s: a lane change takes time; it takes 1 s", e->name);
    if (xml_get(action, "targetLaneOffset"))
        xml_note(&s->r, action, "targetLaneOffset is not read");
    *done = t + duration;
    if (lane != e->lane && s->change_count < STORY_EVENTS_MAX)
        s->changes[s->change_count++] = (story_change){entity, lane, t, duration, width};
    e->lane = lane;
}

// ---- synchronize ----

// The speed in the middle of the time that is left: d = T (v0 + 2 vm + v1)/4.
void story_synchronize(story *s, const xml_node *action, int entity, double t, double *done)
{
    story_entity *e = &s->entities[entity];
    const int master = story_entity_of(s, action, xml_word(&s->r, action, "masterEntityRef"));
    const xml_node *there = xml_need(&s->r, action, "TargetPositionMaster"),
                   *here = xml_need(&s->r, action, "TargetPosition"),
                   *final = xml_first(action, "FinalSpeed");
    story_place a, b;
    if (master >= 0 && !s->entities[master].placed)
        xml_note(&s->r, action, "%.40s cannot be synchronized: its master is not on the road",
                 e->name);
    if (master < 0 || !s->entities[master].placed || !there || !here ||
        !story_position(s, there, t, &a) || !story_position(s, here, t, &b))
        return;
    const story_entity *m = &s->entities[master];
    const plan_sum arrives = {.a = &m->plan, .constant = a.station + m->middle, .place_a = -1.0};
    const double when = plan_first(&arrives, t), left = when - t;
    const double v0 = plan_speed(&e->plan, t),
                 way = b.station + e->middle - plan_place(&e->plan, t);
    if (!(left > 0.1 && left < 1e4) || !(way > 0.0)) {
        xml_note(&s->r, action, "%.40s cannot be synchronized: %s", e->name,
                 way > 0.0 ? "the master does not reach its position" : "it has passed its own");
        return;
    }
    const xml_node *absolute = xml_first(final, "AbsoluteSpeed"),
                   *relative = xml_first(final, "RelativeSpeedToMaster");
    double v1 = 2.0 * way / left - v0; // without: one even acceleration
    if (absolute)
        v1 = xml_number(&s->r, absolute, "value");
    else if (relative)
        v1 = plan_speed(&m->plan, when) + xml_number(&s->r, relative, "value");
    const double middle = 0.5 * (4.0 * way / left - v0 - v1);
    if (s->r.status != MC_OK)
        return;
    if (!(middle >= 0.0 && middle <= 150.0 && v1 >= 0.0 && v1 <= 150.0)) {
        xml_note(&s->r, action,
                 "%.40s cannot be synchronized: it would drive %.4g m/s on %.4g m in %.4g s",
                 e->name, middle, way, left);
        return;
    }
    if (!plan_change(s->r.memory, &e->plan, t, middle, 0.5 * left, PLAN_LINEAR) ||
        !plan_change(s->r.memory, &e->plan, t + 0.5 * left, v1, 0.5 * left, PLAN_LINEAR))
        s->r.status = mc_error_set(s->r.error, MC_NO_MEMORY, s->r.file, 0, 0, "no memory left");
    *done = when;
}
