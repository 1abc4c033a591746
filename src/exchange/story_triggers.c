// story_triggers.c - events of OpenSCENARIO in the order in which their triggers are met.
#include "exchange/storyboard.h"

#include <math.h>
#include <string.h>

typedef struct story_event {
    const xml_node *node, *act, *group;
    const char *name;
    double start, done; // s; HUGE_VAL: not yet
    bool dead;          // its trigger is not read
} story_event;

typedef struct player {
    story *s;
    story_event *events;
    int count;
} player;

static bool is(const xml_node *n, const char *name)
{
    return n && strcmp(n->name, name) == 0;
}

// ---- conditions ----

typedef enum rule { BELOW, ABOVE, EQUAL } rule;

static rule rule_of(story *s, const xml_node *n)
{
    const char *text = xml_word(&s->r, n, "rule");
    if (strcmp(text, "lessThan") == 0 || strcmp(text, "lessOrEqual") == 0)
        return BELOW;
    if (strcmp(text, "greaterThan") == 0 || strcmp(text, "greaterOrEqual") == 0)
        return ABOVE;
    if (strcmp(text, "equalTo") != 0)
        xml_reject(&s->r, n, "rule is \"%.40s\"; expected lessThan, greaterThan or equalTo", text);
    return EQUAL;
}

// The first time at which quantity - value has the sign of the rule. The sum: quantity - value.
static double first_by_rule(plan_sum sum, rule by, double from)
{
    if (by == ABOVE || by == EQUAL) {
        sum.constant = -sum.constant;
        sum.place_a = -sum.place_a, sum.place_b = -sum.place_b;
        sum.speed_a = -sum.speed_a, sum.speed_b = -sum.speed_b;
    }
    return plan_first(&sum, from);
}

static double value_time(player *p, const xml_node *n, double from)
{
    story *s = p->s;
    const xml_node *time = xml_first(n, "SimulationTimeCondition"),
                   *state = xml_first(n, "StoryboardElementStateCondition");
    if (time) {
        const double value = xml_number(&s->r, time, "value");
        const rule r = rule_of(s, time);
        return r == BELOW ? (from < value ? from : HUGE_VAL) : fmax(value, from);
    }
    if (state) {
        const char *name = xml_word(&s->r, state, "storyboardElementRef"),
                   *reached = xml_word(&s->r, state, "state");
        const bool start =
            strcmp(reached, "startTransition") == 0 || strcmp(reached, "runningState") == 0;
        for (int k = 0; k < p->count; k++) {
            const char *own = p->events[k].name;
            const xml_node *action = xml_first(p->events[k].node, "Action");
            const char *of_action = action ? xml_get(action, "name") : NULL;
            if ((own && strcmp(own, name) == 0) || (of_action && strcmp(of_action, name) == 0))
                return fmax(from, start ? p->events[k].start : p->events[k].done);
        }
    }
    return NAN;
}

// What is taken off the distance of two middles: half of both lengths, or what reference points are
// apart from them.
static double gap_of(const xml_node *n, const story_entity *a, const story_entity *b, double sign)
{
    const char *free = xml_get(n, "freespace");
    return free && strcmp(free, "true") == 0 ? 0.5 * (a->length + b->length)
                                             : sign * (b->middle - a->middle);
}

// Of the distance to another entity, along the road.
static double distance_time(story *s, const xml_node *n, const story_entity *e, double from,
                            double by_speed)
{
    const int of = story_entity_of(s, n, xml_word(&s->r, n, "entityRef"));
    const double value = xml_number(&s->r, n, "value");
    const rule r = rule_of(s, n);
    if (s->r.status != MC_OK || !s->entities[of].placed)
        return HUGE_VAL;
    const story_entity *other = &s->entities[of];
    const double way = plan_place(&other->plan, from) - plan_place(&e->plan, from);
    const double sign = way < 0.0 ? -1.0 : 1.0;
    const plan_sum sum = {.a = &other->plan,
                          .b = &e->plan,
                          .constant = -gap_of(n, e, other, sign) - (by_speed > 0.0 ? 0.0 : value),
                          .place_a = sign,
                          .place_b = -sign,
                          .speed_b = by_speed > 0.0 ? -value : 0.0,
                          .speed_a = by_speed > 1.0 ? value : 0.0};
    return first_by_rule(sum, r, from);
}

// Of one entity; NAN: its kind is not read.
static double entity_time(story *s, const xml_node *n, const story_entity *e, double from)
{
    const xml_node *c = n->first;
    story_place place;
    if (is(c, "TraveledDistanceCondition")) {
        const plan_sum sum = {
            .a = &e->plan, .constant = e->start + xml_number(&s->r, c, "value"), .place_a = -1.0};
        return plan_first(&sum, from);
    }
    if (is(c, "SpeedCondition")) {
        const plan_sum sum = {
            .a = &e->plan, .constant = -xml_number(&s->r, c, "value"), .speed_a = 1.0};
        return first_by_rule(sum, rule_of(s, c), from);
    }
    if (is(c, "ReachPositionCondition") || is(c, "DistanceCondition")) {
        const double value =
            xml_number(&s->r, c, is(c, "DistanceCondition") ? "value" : "tolerance");
        if (!story_position(s, xml_need(&s->r, c, "Position"), from, &place))
            return NAN;
        const plan_sum sum = {
            .a = &e->plan, .constant = place.station + e->middle - value, .place_a = -1.0};
        return first_by_rule(sum, is(c, "DistanceCondition") ? rule_of(s, c) : BELOW, from);
    }
    if (is(c, "RelativeDistanceCondition")) {
        const char *type = xml_word(&s->r, c, "relativeDistanceType");
        return strcmp(type, "lateral") == 0 ? NAN : distance_time(s, c, e, from, 0.0);
    }
    if (is(c, "TimeHeadwayCondition"))
        return distance_time(s, c, e, from, 1.0);
    if (is(c, "TimeToCollisionCondition")) {
        const xml_node *target =
            xml_first(xml_first(c, "TimeToCollisionConditionTarget"), "EntityRef");
        if (!target)
            return NAN;
        const int of = story_entity_of(s, target, xml_word(&s->r, target, "entityRef"));
        const double value = xml_number(&s->r, c, "value");
        if (of < 0 || rule_of(s, c) != BELOW)
            return NAN;
        if (!s->entities[of].placed)
            return HUGE_VAL;
        const story_entity *other = &s->entities[of];
        const plan_sum sum = {.a = &other->plan,
                              .b = &e->plan,
                              .constant = -gap_of(c, e, other, 1.0),
                              .place_a = 1.0,
                              .place_b = -1.0,
                              .speed_a = value,
                              .speed_b = -value};
        return plan_first(&sum, from);
    }
    return NAN;
}

static double by_entity_time(story *s, const xml_node *n, double from)
{
    const xml_node *who = xml_need(&s->r, n, "TriggeringEntities"),
                   *what = xml_need(&s->r, n, "EntityCondition");
    const char *how = who ? xml_get(who, "triggeringEntitiesRule") : NULL;
    const bool all = how && strcmp(how, "all") == 0;
    double found = all ? from : HUGE_VAL;
    if (!who || !what)
        return HUGE_VAL;
    if (!what->first) {
        xml_reject(&s->r, what, "EntityCondition is empty");
        return HUGE_VAL;
    }
    for (const xml_node *e = xml_first(who, "EntityRef"); e && s->r.status == MC_OK;
         e = xml_next(e, "EntityRef")) {
        const int k = story_entity_of(s, e, xml_word(&s->r, e, "entityRef"));
        if (k < 0)
            return HUGE_VAL;
        const double t =
            s->entities[k].placed ? entity_time(s, what, &s->entities[k], from) : HUGE_VAL;
        if (isnan(t))
            return NAN;
        found = all ? fmax(found, t) : fmin(found, t);
    }
    return found;
}

// NAN: a condition is of a kind that is not read; *bad: it.
static double condition_time(player *p, const xml_node *c, double from, const xml_node **bad)
{
    const xml_node *value = xml_first(c, "ByValueCondition"),
                   *by = xml_first(c, "ByEntityCondition");
    const double delay = xml_number_or(&p->s->r, c, "delay", 0.0);
    const double t = value ? value_time(p, value, from) : by ? by_entity_time(p->s, by, from) : NAN;
    if (isnan(t))
        *bad = c;
    return t + fmax(delay, 0.0);
}

// When a trigger is met from a time on: all conditions of one of its groups.
static double trigger_time(player *p, const xml_node *trigger, double from, const xml_node **bad)
{
    if (!trigger || !trigger->first)
        return from;
    double first = HUGE_VAL;
    for (const xml_node *g = xml_first(trigger, "ConditionGroup"); g;
         g = xml_next(g, "ConditionGroup")) {
        double all = from;
        for (const xml_node *c = xml_first(g, "Condition"); c; c = xml_next(c, "Condition")) {
            const double t = condition_time(p, c, from, bad);
            all = isnan(t) ? HUGE_VAL : fmax(all, t);
        }
        first = fmin(first, all);
    }
    return first;
}

// ---- events ----

static void add_event(player *p, const xml_node *act, const xml_node *group, const xml_node *event)
{
    if (p->count == STORY_EVENTS_MAX) {
        xml_reject(&p->s->r, event, "more than %d events", STORY_EVENTS_MAX);
        return;
    }
    p->events[p->count++] = (story_event){.node = event,
                                          .act = act,
                                          .group = group,
                                          .name = xml_get(event, "name"),
                                          .start = HUGE_VAL,
                                          .done = HUGE_VAL};
}

static void collect(player *p, const xml_node *storyboard)
{
    for (const xml_node *tale = xml_first(storyboard, "Story"); tale;
         tale = xml_next(tale, "Story"))
        for (const xml_node *act = xml_first(tale, "Act"); act; act = xml_next(act, "Act"))
            for (const xml_node *group = xml_first(act, "ManeuverGroup"); group;
                 group = xml_next(group, "ManeuverGroup"))
                for (const xml_node *m = xml_first(group, "Maneuver"); m;
                     m = xml_next(m, "Maneuver"))
                    for (const xml_node *e = xml_first(m, "Event"); e; e = xml_next(e, "Event"))
                        add_event(p, act, group, e);
}

static void act_on(story *s, const xml_node *action, int entity, double t, double *done)
{
    const xml_node *private = xml_first(action, "PrivateAction");
    const xml_node *along = xml_first(private, "LongitudinalAction"),
                   *across = xml_first(private, "LateralAction");
    const xml_node *speed = xml_first(along, "SpeedAction"),
                   *lane = xml_first(across, "LaneChangeAction"),
                   *together = xml_first(private, "SynchronizeAction");
    if (speed) {
        story_speed_action(s, speed, entity, t, done);
    } else if (lane) {
        story_lane_action(s, lane, entity, t, done);
    } else if (together) {
        story_synchronize(s, together, entity, t, done);
    } else {
        const xml_node *n = private ? private : action;
        const xml_node *inner = n->first ? n->first : n;
        inner = (along || across) && inner->first ? inner->first : inner;
        xml_note(&s->r, inner, "%.60s is not read", inner->name);
    }
}

static void carry_out(player *p, story_event *e, double t)
{
    story *s = p->s;
    e->start = e->done = t;
    const xml_node *actors = xml_first(e->group, "Actors");
    bool any = false;
    for (const xml_node *who = xml_first(actors, "EntityRef"); who && s->r.status == MC_OK;
         who = xml_next(who, "EntityRef")) {
        const int k = story_entity_of(s, who, xml_word(&s->r, who, "entityRef"));
        if (k < 0 || !s->entities[k].placed)
            continue;
        any = true;
        for (const xml_node *a = xml_first(e->node, "Action"); a && s->r.status == MC_OK;
             a = xml_next(a, "Action")) {
            double done = t;
            act_on(s, a, k, t, &done);
            e->done = fmax(e->done, done);
        }
    }
    if (!any)
        xml_note(&s->r, e->node, "event %.60s has no actor on the road", e->name ? e->name : "");
    s->last = fmax(s->last, e->done);
}

// The next event and its time; NULL: none.
static story_event *next_event(player *p, double now, double *when)
{
    story_event *found = NULL;
    *when = HUGE_VAL;
    for (int k = 0; k < p->count && p->s->r.status == MC_OK; k++) {
        story_event *e = &p->events[k];
        if (e->start < HUGE_VAL || e->dead)
            continue;
        const xml_node *bad = NULL;
        const double act = trigger_time(p, xml_first(e->act, "StartTrigger"), now, &bad);
        const double t = act < HUGE_VAL
                             ? trigger_time(p, xml_first(e->node, "StartTrigger"), act, &bad)
                             : HUGE_VAL;
        if (bad && t == HUGE_VAL) {
            const xml_node *n = bad->first && bad->first->last ? bad->first->last : bad;
            n = n->first ? n->first : n;
            xml_note(&p->s->r, bad, "event %.40s does not happen: %.60s is not read",
                     e->name ? e->name : "", n->name);
            e->dead = true;
        }
        if (t < *when)
            *when = t, found = e;
    }
    return found;
}

static void read_stop(player *p, const xml_node *storyboard)
{
    const xml_node *bad = NULL, *stop = xml_first(storyboard, "StopTrigger");
    if (!stop || !stop->first)
        return;
    const double t = trigger_time(p, stop, 0.0, &bad);
    if (bad)
        xml_note(&p->s->r, bad, "a condition of the StopTrigger is not read");
    if (t > 0.0 && t < 1e6)
        p->s->end = t;
}

void story_play(story *s, const xml_node *storyboard)
{
    player p = {.s = s, .events = xml_alloc(&s->r, STORY_EVENTS_MAX, sizeof *p.events)};
    s->changes = xml_alloc(&s->r, STORY_EVENTS_MAX, sizeof *s->changes);
    if (s->r.status != MC_OK)
        return;
    collect(&p, storyboard);
    double now = 0.0, when;
    for (story_event *e; (e = next_event(&p, now, &when)) && s->r.status == MC_OK;) {
        now = when;
        carry_out(&p, e, when);
    }
    for (int k = 0; k < p.count && s->r.status == MC_OK; k++)
        if (p.events[k].start == HUGE_VAL && !p.events[k].dead)
            xml_note(&s->r, p.events[k].node, "event %.60s does not happen: its trigger is not met",
                     p.events[k].name ? p.events[k].name : "");
    if (s->r.status == MC_OK)
        read_stop(&p, storyboard);
}
