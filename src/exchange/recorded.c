// recorded.c - vehicles with a given motion as parts of a scenario.
#include "exchange/recorded.h"

#include "motorcade/laws.h"

#include <math.h>
#include <string.h>

#define NEAR 0.3        // m from the middle of a lane: a change begins and ends there
#define CHANGE_MAX 10.0 // s

static bool grow(xml_reader *r, void **list, int *room, size_t size)
{
    const int more = *room ? 2 * *room : 32;
    void *made = xml_alloc(r, more, size);
    if (made && *room)
        memcpy(made, *list, (size_t)*room * size);
    if (!made)
        return false;
    *list = made;
    *room = more;
    return true;
}

int recorded_lane(const graph_road *road, double station, double offset)
{
    int found = 0;
    for (int k = 1; k < road->lanes; k++)
        if (fabs(offset - graph_lane_offset(road, k, station)) <
            fabs(offset - graph_lane_offset(road, found, station)))
            found = k;
    return found;
}

// ---- changes of lanes ----

// From where the car leaves the middle of a lane to where it has come to that of the next.
static recorded_change change_at(const recorded_car *car, const graph_road *road, int i, int from,
                                 int to)
{
    int a = i, b = i;
    const recorded_state *s = car->states;
    while (a > 0 && s[i].t - s[a].t < 0.5 * CHANGE_MAX &&
           fabs(s[a].offset - graph_lane_offset(road, from, s[a].station)) > NEAR)
        a--;
    while (b + 1 < car->count && s[b].t - s[i].t < 0.5 * CHANGE_MAX &&
           fabs(s[b].offset - graph_lane_offset(road, to, s[b].station)) > NEAR)
        b++;
    return (recorded_change){.name = car->name,
                             .at = s[a].t,
                             .duration = fmax(s[b].t - s[a].t, 1.0),
                             .distance = fabs(graph_lane_offset(road, to, s[i].station) -
                                              graph_lane_offset(road, from, s[i].station)),
                             .lane = to};
}

static void find_changes(recorded_list *list, xml_reader *r, const graph_road *road,
                         const recorded_car *car)
{
    int lane = recorded_lane(road, car->states[0].station, car->states[0].offset);
    for (int i = 1; i < car->count; i++) {
        const int now = recorded_lane(road, car->states[i].station, car->states[i].offset);
        if (now == lane)
            continue;
        if (list->change_count == list->change_room &&
            !grow(r, (void **)&list->changes, &list->change_room, sizeof *list->changes))
            return;
        list->changes[list->change_count++] = change_at(car, road, i, lane, now);
        lane = now;
    }
}

void recorded_add(recorded_list *list, xml_reader *r, const graph_road *road,
                  const recorded_car *car)
{
    if (list->count == list->room &&
        !grow(r, (void **)&list->cars, &list->room, sizeof *list->cars))
        return;
    list->cars[list->count++] = *car;
    find_changes(list, r, road, car);
}

void recorded_print_limits(FILE *out, double distance, double duration)
{
    const double a = 10.0 / sqrt(3.0) * distance / (duration * duration);
    const double j = 60.0 * distance / (duration * duration * duration);
    fprintf(out,
            "lane_change: {max_lateral_acceleration: %.6g, max_lateral_jerk: %.6g, safe_braking: "
            "12, reaction: 0}",
            fmin(fmax(a, 0.05), 10.0), fmin(fmax(j, 0.05), 50.0));
}

// The first change of a car; NULL: it has none.
static const recorded_change *change_of(const recorded_list *list, const char *name)
{
    for (int k = 0; k < list->change_count; k++)
        if (list->changes[k].name == name)
            return &list->changes[k];
    return NULL;
}

void recorded_print_controllers(const recorded_list *list, FILE *out)
{
    for (int k = 0; k < list->count; k++) {
        const recorded_change *change = change_of(list, list->cars[k].name);
        fprintf(out, "  %s: {law: %s, manual: true", list->cars[k].name,
                mc_law_default(MC_LAW_ROLE_PROFILE));
        if (change) {
            fprintf(out, ", ");
            recorded_print_limits(out, change->distance, change->duration);
        }
        fprintf(out, "}\n");
    }
}

void recorded_print_models(const recorded_list *list, FILE *out)
{
    for (int k = 0; k < list->count; k++)
        fprintf(out,
                "  %s: {kind: %s, length: %.6g, width: %.6g, max_acceleration: 2, max_brake: "
                "2}\n",
                list->cars[k].name, document_car_kind(),
                fmin(fmax(list->cars[k].length, 0.5), 30.0),
                fmin(fmax(list->cars[k].width, 0.3), 5.0));
}

// m/s: as recorded, or by the stations around.
static double speed_at(const recorded_car *car, int i)
{
    const recorded_state *s = car->states;
    double v = s[i].v;
    if (isnan(v) && car->count > 1) {
        const int a = i > 0 ? i - 1 : 0, b = i + 1 < car->count ? i + 1 : i;
        v = (s[b].station - s[a].station) / (s[b].t - s[a].t);
    }
    return isnan(v) ? 0.0 : fmin(fmax(v, 0.0), 150.0);
}

// By how much the integral of the speeds, and the middle of the lane, miss the recording.
static void note_error(const recorded_car *car, xml_reader *r, const graph_road *road)
{
    double x = car->states[0].station, along = 0.0, across = 0.0;
    for (int i = 1; i < car->count; i++) {
        const recorded_state *s = &car->states[i];
        x += 0.5 * (speed_at(car, i - 1) + speed_at(car, i)) * (s->t - s[-1].t);
        along = fmax(along, fabs(x - s->station));
        const int lane = recorded_lane(road, s->station, s->offset);
        across = fmax(across, fabs(s->offset - graph_lane_offset(road, lane, s->station)));
    }
    if (along > 0.1 || across > 0.5)
        xml_note(
            r, car->node,
            "%s: its speeds lead to places within %.2g m of the recorded ones; it keeps to the "
            "middle of its lane, from which the recording is up to %.2g m away",
            car->name, along, across);
}

void recorded_print_vehicles(const recorded_list *list, xml_reader *r, const graph_road *road,
                             FILE *out)
{
    for (int k = 0; k < list->count; k++) {
        const recorded_car *car = &list->cars[k];
        const recorded_state *s = car->states;
        fprintf(out,
                "  - {name: %s, model: %s, controller: %s, x: %.9g, y: %.9g, lane: %d, v: %.9g",
                car->name, car->name, car->name, s->station, s->offset,
                recorded_lane(road, s->station, s->offset) + 1, speed_at(car, 0));
        if (s->t > 0.0)
            fprintf(out, ", from: %.9g", s->t);
        fprintf(out, ", profile: {table: [");
        for (int i = 0; i < car->count; i++)
            fprintf(out, "%s[%.9g, %.9g]", i ? ", " : "", car->states[i].t, speed_at(car, i));
        fprintf(out, "]}}\n");
        note_error(car, r, road);
    }
}

void recorded_print_events(const recorded_list *list, FILE *out)
{
    for (int k = 0; k < list->change_count; k++)
        fprintf(out, "%s  - {at: %.9g, vehicle: %s, driver_lane: %d}\n", k ? "" : "events:\n",
                list->changes[k].at, list->changes[k].name, list->changes[k].lane + 1);
}
