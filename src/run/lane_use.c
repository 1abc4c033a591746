// lane_use.c - rules of lanes, and how cars obey them; see lane_use.h.
#include "run/lane_use.h"

#include "run/ersc.h"
#include "run/event.h"
#include "run/traffic.h"
#include "run/where.h"
#include "scenario/section_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double COMFORT = 1.5;      // m/s^2, braking down to a lower speed ahead
static const double HARDEST = 3.0;      // m/s^2, where that was noticed late
static const double SPEED_GAIN = 0.5;   // 1/s, as for the roadway's speed
static const double NOTICE_TIME = 12.0; // s, how far ahead a car looks at its lane
static const double NOTICE_MIN = 100.0; // m
static const double STOP_MARGIN = 3.0;  // m, before the end of a lane

// ---- rules ----

void run_lane_use_prepare(mc_run *r)
{
    const bool was = r->ruled;
    r->ruled = r->rule_count > 0 || r->ersc > 0 || road_has_rules(&r->road);
    for (int slot = 0; !r->ruled && was && slot < r->count; slot++) {
        r->rare[slot].ordered = (run_ordered){NAN, NAN, NAN, HUGE_VAL};
        r->rare[slot].ersc.flashes = r->rare[slot].ersc.warned = 0;
        r->rare[slot].ersc.blind[0] = r->rare[slot].ersc.blind[1] = -1;
    }
    if (was && !r->ruled)
        run_refresh_commands(r);
}

int run_path_of(const mc_run *r, int slot)
{
    return r->where ? r->where[slot].path : 0;
}

double run_station_of(const mc_run *r, int slot)
{
    return r->where ? r->where[slot].station : r->motion[slot].x;
}

static void put_rule(const run_rule *rule, mc_road_lane *out)
{
    if (rule->use >= 0)
        out->use = (mc_road_use)rule->use;
    if (rule->enter >= 0)
        out->enter = (mc_road_use)rule->enter;
    out->speed = isnan(rule->speed) ? out->speed : rule->speed;
    out->headway = isnan(rule->headway) ? out->headway : rule->headway;
    out->separation = isnan(rule->separation) ? out->separation : rule->separation;
}

bool run_lane_rule(const mc_run *r, int path, int lane, double station, mc_road_lane *out)
{
    if (!mc_road_lane_at(&r->road, path, lane, station, out))
        return false;
    for (int k = 0; path == 0 && k < r->rule_count; k++)
        if (r->rules[k].lane == lane && station >= r->rules[k].from && station < r->rules[k].to)
            put_rule(&r->rules[k], out);
    if (path == 0 && lane < ersc_level_at(r->ersc)->automated_lanes) {
        out->use = out->use == MC_ROAD_ANY ? MC_ROAD_AUTOMATED : out->use;
        out->enter = out->enter == MC_ROAD_ANY ? MC_ROAD_AUTOMATED : out->enter;
    }
    return true;
}

// m, where the rules of a path may change next.
static double next_change(const mc_run *r, int path, double station)
{
    double next = road_next_section(&r->road, path, station);
    for (int k = 0; path == 0 && k < r->rule_count; k++) {
        const double ends[2] = {r->rules[k].from, r->rules[k].to};
        for (int e = 0; e < 2; e++)
            if (ends[e] > station)
                next = fmin(next, ends[e]);
    }
    return next;
}

// ---- who may ----

bool run_is_automatic(const mc_run *r, int slot)
{
    const run_car *c = &r->car[slot];
    return c->controller >= 0 && !(c->flags & (RUN_HAND | RUN_DRIVER_FILE)) &&
           !r->s->controllers[c->controller].manual &&
           (r->ersc == 0 || r->rare[slot].ersc.checked_in);
}

bool run_lane_allows(const mc_run *r, int slot, int use)
{
    return use == MC_ROAD_ANY || (use == MC_ROAD_AUTOMATED && run_is_automatic(r, slot)) ||
           (use == MC_ROAD_MANUAL && !run_is_automatic(r, slot));
}

bool run_lane_open(const mc_run *r, int slot, int lane, char *text, size_t size)
{
    static const char *const why[] = {
        [MC_ROAD_ANY] = "open",
        [MC_ROAD_AUTOMATED] = "for automated vehicles",
        [MC_ROAD_MANUAL] = "for manual vehicles",
        [MC_ROAD_CLOSED] = "closed",
    };
    mc_road_lane there;
    const double station = run_station_of(r, slot);
    const bool exists = run_lane_rule(r, run_path_of(r, slot), lane, station, &there);
    if (exists && run_lane_allows(r, slot, (int)there.use) &&
        run_lane_allows(r, slot, (int)there.enter))
        return true;
    if (!text)
        return false;
    if (!exists) {
        snprintf(text, size, "there is no lane %d at %.1f m", lane + 1, station);
        return false;
    }
    const bool use = !run_lane_allows(r, slot, (int)there.use);
    const bool checked = r->ersc > 0 && !r->rare[slot].ersc.checked_in;
    snprintf(text, size, "lane %d is %s%s at %.1f m%s", lane + 1,
             use ? "" : "to be entered only if ", why[use ? there.use : there.enter], station,
             checked ? ", and it is not checked in" : "");
    return false;
}

// ---- commands ----

double run_commanded_headway(const mc_run *r, int slot, bool *commanded)
{
    const double own = r->rare[slot].ordered.headway;
    const int controller = r->car[slot].controller;
    const bool bound = controller < 0 || !r->s->controllers[controller].manual;
    *commanded = bound && (r->headway_commanded || !isnan(own));
    return isnan(own) || !bound ? r->headway : own;
}

double run_commanded_speed(const mc_run *r, int slot)
{
    const double own = r->rare[slot].ordered.speed;
    return isnan(own) ? r->speed : own;
}

// The first car of a platoon, and a car in none, keep the separation from the car in front.
static double separation_of(const mc_run *r, int slot)
{
    const run_car *c = &r->car[slot];
    const double desired = r->rare[slot].ordered.separation;
    if (isnan(desired) || c->leader != slot || c->front < 0)
        return 0.0;
    return desired - c->headway * r->motion[slot].v;
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

// ---- what is ahead ----

static mobil_car judged(const mc_run *r, int slot)
{
    const run_car *c = &r->car[slot];
    return (mobil_car){.v = r->motion[slot].v,
                       .v_set = c->v_set > 0.0 ? c->v_set : r->motion[slot].v,
                       .headway = c->headway,
                       .distance = STOP_MARGIN,
                       .length = c->nose - c->tail};
}

// m/s^2, to be at speed v after a distance: braking begins when that takes COMFORT.
static double slow_down(double v_now, double v, double distance)
{
    if (v_now <= v)
        return HUGE_VAL;
    const double room = fmax(distance, 0.2 * v_now); // it need not be exact at the very place
    const double needed = (v * v - v_now * v_now) / (2.0 * room);
    return needed > -COMFORT ? HUGE_VAL : fmax(needed, -HARDEST);
}

// A lane beside a car that it may use here and at a station ahead; -1: none.
static int way_out(const mc_run *r, int slot, double ahead)
{
    const int lane = r->rare[slot].lane, path = run_path_of(r, slot);
    for (int side = 1; side >= -1; side -= 2) { // to the right first
        mc_road_lane there;
        if (lane + side < r->road.lane_count && run_lane_open(r, slot, lane + side, NULL, 0) &&
            run_lane_rule(r, path, lane + side, ahead, &there) &&
            run_lane_allows(r, slot, (int)there.use))
            return lane + side;
    }
    return -1;
}

// A car that cannot stay in its lane is sent to another one.
static void leave_lane(mc_run *r, int slot, double ahead)
{
    const run_path *p = &r->rare[slot].path;
    if (p->wait >= 0 || p->to >= 0 || r->car[slot].controller < 0 ||
        r->car[slot].flags & (RUN_HAND | RUN_DRIVER_FILE | RUN_STEERED))
        return;
    run_wait_for(r, slot, way_out(r, slot, ahead));
    r->traffic = r->traffic || p->wait >= 0;
}

// Looks along the lane of a car: lower speeds, and where it may not continue.
static double look_ahead(mc_run *r, int slot, const mc_road_lane *here)
{
    const run_rare *rare = &r->rare[slot];
    const double v = r->motion[slot].v, start = run_station_of(r, slot);
    const double end = start + fmax(NOTICE_MIN, NOTICE_TIME * v);
    const int path = run_path_of(r, slot);
    const bool own = path == 0 && rare->lane < r->road.lane_count; // not the lane of a ramp
    double limit = HUGE_VAL;
    if (own && !run_lane_allows(r, slot, (int)here->use))
        leave_lane(r, slot, start);
    for (double s = next_change(r, path, start); s < end; s = next_change(r, path, s)) {
        mc_road_lane there;
        const bool exists = run_lane_rule(r, path, rare->lane, s + 1e-6, &there);
        const double distance = s - start - r->car[slot].nose;
        if (exists && !isnan(there.speed))
            limit = fmin(limit, slow_down(v, there.speed, distance));
        if (!own || (exists && run_lane_allows(r, slot, (int)there.use)))
            continue;
        leave_lane(r, slot, s + 1e-6);
        if ((!exists || there.use == MC_ROAD_CLOSED) && rare->path.to < 0) {
            const mobil_car car = judged(r, slot);
            limit = fmin(limit, mobil_acceleration(&car, distance, 0.0));
        }
        break;
    }
    return limit;
}

// ---- each step ----

static mc_status note_lane(mc_run *r, int slot, bool wrong, mc_error *error)
{
    run_rare *rare = &r->rare[slot];
    if (wrong == (rare->ersc.flashes != 0))
        return MC_OK;
    rare->ersc.flashes = wrong;
    const int lane = rare->path.to >= 0 ? rare->path.to : rare->lane;
    const bool unchecked = r->ersc > 0 && !rare->ersc.checked_in;
    return run_note(r,
                    !wrong      ? EVENT_LANE_ALLOWED
                    : unchecked ? EVENT_NOT_CHECKED_IN
                                : EVENT_WRONG_LANE,
                    rare->vehicle, lane + 1.0, error);
}

// Whether a car is, in part, in a lane that it may not use.
static bool is_wrong(const mc_run *r, int slot)
{
    const run_rare *rare = &r->rare[slot];
    const int path = run_path_of(r, slot);
    const double station = run_station_of(r, slot), y = r->motion[slot].y;
    const double half = 0.5 * r->s->models[r->s->vehicles[rare->vehicle].model].facts.width;
    mc_road_lane there;
    if (path != 0)
        return false;
    for (int lane = rare->lane - 1; lane <= rare->lane + 1; lane++) {
        if (!run_lane_rule(r, path, lane, station, &there) ||
            run_lane_allows(r, slot, (int)there.use))
            continue;
        const double inside = 0.5 * there.width + half - fabs(y - there.centre);
        if (lane == rare->lane || lane == rare->path.to || inside > 0.05)
            return true;
    }
    return false;
}

static void obey(mc_run *r, int slot)
{
    run_rare *rare = &r->rare[slot];
    mc_road_lane here;
    run_ordered now = {NAN, NAN, NAN, HUGE_VAL};
    const bool exists =
        run_lane_rule(r, run_path_of(r, slot), rare->lane, run_station_of(r, slot), &here);
    if (exists) {
        now = (run_ordered){here.speed, here.headway, here.separation, HUGE_VAL};
        now.limit = look_ahead(r, slot, &here);
    }
    const bool changed = !same(now.speed, rare->ordered.speed) ||
                         !same(now.headway, rare->ordered.headway) ||
                         !same(now.separation, rare->ordered.separation);
    rare->ordered = now;
    if (changed || !isnan(now.separation))
        run_refresh_car(r, slot);
    if (!isnan(now.separation) && run_is_automatic(r, slot))
        r->car[slot].distance = fmax(r->car[slot].distance, separation_of(r, slot));
}

mc_status run_lane_use(mc_run *r, mc_error *error)
{
    mc_status status = MC_OK;
    for (int v = 0; v < r->count && status == MC_OK; v++) {
        obey(r, r->slot[v]);
        status = note_lane(r, r->slot[v], is_wrong(r, r->slot[v]), error);
    }
    return status == MC_OK && r->ersc > 0 ? run_ersc_watch(r, error) : status;
}

double run_lane_limit(const mc_run *r, int slot, double want)
{
    const run_rare *rare = &r->rare[slot];
    const double v = r->motion[slot].v;
    if (rare->ersc.checked_in)
        want = fmax(want, -r->s->ersc.p[ERSC_BRAKING]);
    want = fmin(want, rare->ordered.limit);
    if (!isnan(rare->ordered.speed) && r->car[slot].flags & RUN_OBEYS_SPEED &&
        run_is_automatic(r, slot))
        want = fmin(want, fmax(SPEED_GAIN * (rare->ordered.speed - v), -HARDEST));
    return want;
}

// ---- commands ----

// A car that could not stop before a lane that is closed, or that is in it.
static mc_status check_closing(const mc_run *r, const run_rule *rule, mc_error *error)
{
    for (int v = 0; v < r->count; v++) {
        const int slot = r->slot[v];
        const run_rare *rare = &r->rare[slot];
        const run_car *c = &r->car[slot];
        const double nose = run_station_of(r, slot) + c->nose, tail = nose - c->nose + c->tail;
        mc_road_lane now;
        if (run_path_of(r, slot) != 0 || tail >= rule->to ||
            (rare->lane != rule->lane && rare->path.to != rule->lane) ||
            (run_lane_rule(r, 0, rule->lane, fmax(nose, rule->from), &now) &&
             now.use == MC_ROAD_CLOSED))
            continue;
        const double braking =
            c->controller < 0
                ? lane_change_params[LANE_CHANGE_SAFE_BRAKING].fallback
                : r->s->controllers[c->controller].lane_change[LANE_CHANGE_SAFE_BRAKING];
        const double speed = r->motion[slot].v, room = rule->from - nose;
        const double needed = speed * speed / (2.0 * braking) + STOP_MARGIN;
        const char *name = mc_run_vehicle_name(r, v);
        if (room < 0.0)
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "lane %d cannot be closed from %.9g to %.9g m: %s is in it at "
                                "%.1f m",
                                rule->lane + 1, rule->from, rule->to, name, nose);
        if (room < needed)
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "lane %d cannot be closed from %.9g to %.9g m: %s at %.1f m needs "
                                "%.1f m to stop with %g m/s^2 and has %.1f m",
                                rule->lane + 1, rule->from, rule->to, name, nose, needed, braking,
                                room);
    }
    return MC_OK;
}

// The rule of the same stretch takes the new values; else it is one more.
static mc_status add_rule(mc_run *r, const run_rule *rule, mc_error *error)
{
    int k = 0;
    while (k < r->rule_count && !(r->rules[k].lane == rule->lane &&
                                  r->rules[k].from == rule->from && r->rules[k].to == rule->to))
        k++;
    if (k == RUN_RULES_MAX)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "a run has at most %d sections by commands", RUN_RULES_MAX);
    if (k == r->rule_count) {
        r->rules[r->rule_count++] = *rule;
        return MC_OK;
    }
    run_rule merged = r->rules[k]; // the newest holds: it goes to the end
    if (rule->use >= 0)
        merged.use = rule->use;
    if (rule->enter >= 0)
        merged.enter = rule->enter;
    merged.speed = isnan(rule->speed) ? merged.speed : rule->speed;
    merged.headway = isnan(rule->headway) ? merged.headway : rule->headway;
    merged.separation = isnan(rule->separation) ? merged.separation : rule->separation;
    for (; k + 1 < r->rule_count; k++)
        r->rules[k] = r->rules[k + 1];
    r->rules[k] = merged;
    return MC_OK;
}

static mc_status make_rule(const mc_run *r, const char *text, run_rule *rule, mc_error *error)
{
    road_lane_stretch s;
    mc_status status = scenario_section_parse(text, &s, error);
    if (status == MC_OK && s.lane >= r->road.lane_count)
        status =
            mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "there is no lane %d; the road has %d",
                         s.lane + 1, r->road.lane_count);
    if (status != MC_OK)
        return status;
    *rule = (run_rule){.lane = s.lane,
                       .use = s.use,
                       .enter = s.enter,
                       .from = s.from,
                       .to = s.to,
                       .speed = s.speed,
                       .headway = s.headway,
                       .separation = s.separation};
    return rule->use == MC_ROAD_CLOSED ? check_closing(r, rule, error) : MC_OK;
}

mc_status run_section_check(const mc_run *r, const char *text, mc_error *error)
{
    run_rule unused;
    return make_rule(r, text, &unused, error);
}

mc_status run_section(mc_run *r, const char *text, mc_error *error)
{
    run_rule rule;
    mc_status status = make_rule(r, text, &rule, error);
    if (status == MC_OK)
        status = add_rule(r, &rule, error);
    run_lane_use_prepare(r);
    return status;
}

// ---- edits ----

mc_status run_lanes_kept(const mc_run *old, const mc_run *fresh, mc_error *error)
{
    for (int v = 0; v < old->count; v++) {
        const int slot = old->slot[v], lane = old->rare[slot].lane;
        const int now = mc_run_find(fresh, mc_run_vehicle_name(old, v));
        const double station = run_station_of(old, slot);
        const int path = run_path_of(old, slot);
        mc_road_lane before, after;
        if (now < 0 || path != 0 || lane >= old->road.lane_count ||
            !run_lane_rule(old, 0, lane, station, &before))
            continue;
        const bool there =
            lane < fresh->road.lane_count && run_lane_rule(fresh, 0, lane, station, &after);
        const bool closed = there && after.use == MC_ROAD_CLOSED && before.use != MC_ROAD_CLOSED;
        if (!there || closed)
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "%s drives in lane %d at %.1f m, which %s there",
                                mc_run_vehicle_name(old, v), lane + 1, station,
                                closed ? "would be closed" : "would not exist");
    }
    return MC_OK;
}

// ---- seen from outside ----

static const char *word(int use)
{
    return use < 0 ? "" : scenario_road_uses[use];
}

bool mc_run_section_at(const mc_run *r, int index, mc_run_section *out)
{
    int given;
    const road_lane_stretch *sections = scenario_stretches(r->s, &given);
    if (index < 0 || index >= given + r->rule_count)
        return false;
    if (index < given) {
        const road_lane_stretch *s = &sections[index];
        *out = (mc_run_section){s->lane,  s->from,    s->to,         word(s->use), word(s->enter),
                                s->speed, s->headway, s->separation, false};
        return true;
    }
    const run_rule *s = &r->rules[index - given];
    *out = (mc_run_section){s->lane,  s->from,    s->to,         word(s->use), word(s->enter),
                            s->speed, s->headway, s->separation, true};
    return true;
}
