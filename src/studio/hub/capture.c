// capture.c - rosters, rows, and what happened on the way.
#include "studio/hub/capture.h"

#include "motorcade/event.h"
#include "studio/hub/inside.h"
#include "studio/history/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HIT_SHOWN 0.5    // s, for which a car is marked as hit
enum { HASH_CARS = 64 }; // with more cars the hash of every row would cost too much

// ---- who is there ----

// Numbers of a row about how it stands; 0: nothing is known of its wheels.
static int gear_numbers(const mc_run *run, int v)
{
    mc_wheel wheel[MC_WHEEL_MAX];
    const int wheels = mc_run_wheels(run, v, wheel);
    return wheels > 0 && wheel[0].radius > 0.0 ? HISTORY_STAND + HISTORY_WHEEL * wheels : 0;
}

static roster *make_roster(hub *h, const mc_run *run)
{
    const int n = mc_run_vehicle_count(run);
    int bodies = 0;
    for (int v = 0; v < n && bodies < HISTORY_BODIES_MAX; v++) {
        mc_run_vehicle_info info;
        mc_run_vehicle(run, v, &info);
        bodies += info.deformable;
    }
    roster *who = roster_create(n, bodies);
    for (int v = 0, b = 0; who && v < n; v++) {
        mc_run_vehicle_info info;
        mc_run_vehicle(run, v, &info);
        const int id = registry_number(&h->names, info.name);
        who->name[v] = strdup(info.name);
        if (id < 0 || !who->name[v]) {
            roster_drop(who);
            return NULL;
        }
        who->id[v] = (uint32_t)id;
        who->platoon[v] = info.platoon;
        who->length[v] = info.length;
        who->middle[v] = mc_run_middle(run, v);
        const int channels = mc_run_channels(run, v, &who->channels[v]);
        who->channel_at[v + 1] = who->channel_at[v] + (n <= HISTORY_CHANNEL_CARS ? channels : 0);
        who->gear_at[v + 1] =
            who->gear_at[v] + (n <= HISTORY_CHANNEL_CARS ? gear_numbers(run, v) : 0);
        if (info.deformable && b < bodies)
            who->body[b++] = v;
    }
    return who;
}

static bool same_roster(const roster *a, const mc_run *run)
{
    if (a->count != mc_run_vehicle_count(run))
        return false;
    for (int v = 0; v < a->count; v++) {
        const mc_channel *channels;
        mc_run_vehicle_info info;
        mc_run_channels(run, v, &channels);
        mc_run_vehicle(run, v, &info);
        if (strcmp(a->name[v], info.name) != 0 || channels != a->channels[v] ||
            a->platoon[v] != info.platoon || a->length[v] != info.length ||
            a->middle[v] != mc_run_middle(run, v))
            return false;
    }
    return true;
}

// Semi-axes and height at rest: those of the same car before, else those it has now.
static void take_rest(const branch *b, const roster *before, roster *who)
{
    int *was = before ? roster_match(before, who) : NULL;
    for (int c = 0; c < who->count; c++) {
        mc_ellipsoid e;
        if (who->gear_at[c + 1] == who->gear_at[c])
            continue;
        mc_run_surface(b->run, c, &e);
        who->rest_z[c] = was && was[c] >= 0 ? before->rest_z[was[c]] : (float)e.centre[2];
    }
    free(was);
    for (int i = 0; i < who->body_count; i++) {
        mc_ellipsoid e;
        mc_run_surface(b->run, who->body[i], &e);
        for (int k = 0; k < 3; k++)
            who->rest[i][k] = (float)sqrt(e.axes[k] * e.axes[k] + e.axes[3 + k] * e.axes[3 + k] +
                                          e.axes[6 + k] * e.axes[6 + k]);
        for (int old = 0; before && old < before->body_count; old++)
            if (before->id[before->body[old]] == who->id[who->body[i]])
                memcpy(who->rest[i], before->rest[old], sizeof who->rest[i]);
    }
}

static car_memory *move_memory(const branch *b, const roster *before, const roster *who)
{
    car_memory *cars = calloc((size_t)who->count + 1, sizeof *cars);
    int *old = before ? roster_match(before, who) : NULL;
    for (int c = 0; cars && c < who->count; c++) {
        cars[c] = (car_memory){.brake_time = -INFINITY, .push_time = -INFINITY};
        if (old && old[c] >= 0)
            cars[c] = b->cars[old[c]];
    }
    free(old);
    return cars;
}

void capture_take_memory(branch *b, const branch *from)
{
    int *old = roster_match(from->who, b->who);
    for (int c = 0; old && c < b->who->count; c++)
        if (old[c] >= 0)
            b->cars[c] = from->cars[old[c]];
    free(old);
}

bool capture_roster(hub *h, branch *b)
{
    if (!b->run || (b->who && same_roster(b->who, b->run)))
        return true;
    roster *who = make_roster(h, b->run);
    if (!who)
        return false;
    take_rest(b, b->who, who);
    const size_t size = history_row_size(who);
    car_memory *cars = move_memory(b, b->who, who);
    void *scratch = malloc(size + 1);
    if (!cars || !scratch) {
        free(cars);
        free(scratch);
        roster_drop(who);
        return false;
    }
    roster_drop(b->who);
    free(b->cars);
    free(b->scratch);
    b->who = who;
    b->cars = cars;
    b->scratch = scratch;
    b->scratch_size = size;
    b->now = history_row_place(scratch, who);
    b->now_valid = false;
    return true;
}

// ---- the instant shown ----

static void read_bodies(const branch *b, const history_row *row)
{
    for (int i = 0; i < b->who->body_count; i++) {
        const int c = b->who->body[i];
        mc_ellipsoid e;
        mc_run_surface(b->run, c, &e);
        float *out = row->body + (size_t)i * HISTORY_BODY;
        out[0] = (float)(e.centre[0] - row->middle[c]);
        out[1] = (float)e.centre[1];
        out[2] = (float)e.centre[2];
        for (int k = 0; k < 9; k++)
            out[3 + k] = (float)e.axes[k];
    }
}

// The stored row before t, of the same vehicles: what its wheels had turned by holds whatever was
// undone, branched off or sought since.
static bool row_before(branch *b, double t, history_view *view, history_row *out)
{
    if (!history_look(&b->past, view))
        return false;
    const int row = history_view_at(view, t) - 1;
    if (row < 0)
        return false;
    *out = history_view_row(view, row);
    return out->who->count == b->who->count &&
           out->who->gear_at[out->who->count] == b->who->gear_at[b->who->count];
}

// The angles of wheels are no states: their rates, which are, are summed from row to row.
static float turned(const float *before, double dt, double rate)
{
    if (!before)
        return 0.0f;
    const double turn = 2.0 * acos(-1.0);
    const double angle =
        (double)before[WHEEL_ANGLE] + 0.5 * dt * ((double)before[WHEEL_RATE] + rate);
    return (float)(angle - turn * floor(angle / turn));
}

static void read_stand(const branch *b, const history_row *row, int c, const history_row *before)
{
    const int wheels =
        (b->who->gear_at[c + 1] - b->who->gear_at[c] - HISTORY_STAND) / HISTORY_WHEEL;
    float *out = row->gear + b->who->gear_at[c];
    mc_wheel wheel[MC_WHEEL_MAX];
    mc_ellipsoid e;
    mc_run_surface(b->run, c, &e);
    const int count = mc_run_wheels(b->run, c, wheel);
    const double *a = e.axes;
    out[0] = (float)e.centre[2] - b->who->rest_z[c];
    out[1] = (float)atan2(-a[6], hypot(a[0], a[3]));
    out[2] =
        (float)atan2(a[7] * hypot(a[2], hypot(a[5], a[8])), a[8] * hypot(a[1], hypot(a[4], a[7])));
    out += HISTORY_STAND;
    for (int w = 0; w < wheels && w < count; w++, out += HISTORY_WHEEL) {
        const float *old = before ? before->gear + (out - row->gear) : NULL;
        out[WHEEL_LIFT] = (float)wheel[w].lift;
        out[WHEEL_STEER] = (float)wheel[w].steer;
        out[WHEEL_ANGLE] = turned(old, before ? row->t - before->t : 0.0, wheel[w].spin);
        out[WHEEL_RATE] = (float)wheel[w].spin;
    }
}

static void read_gear(branch *b, const history_row *row)
{
    if (b->who->gear_at[b->who->count] == 0)
        return;
    history_view view = {0};
    history_row before;
    const bool known = row_before(b, row->t, &view, &before);
    for (int c = 0; c < b->who->count; c++)
        if (b->who->gear_at[c + 1] > b->who->gear_at[c])
            read_stand(b, row, c, known ? &before : NULL);
    history_view_end(&view);
}

static void read_channels(const branch *b, const history_row *row)
{
    for (int c = 0; c < b->who->count && b->who->channel_at[b->who->count] > 0; c++) {
        double value[128];
        const int count = b->who->channel_at[c + 1] - b->who->channel_at[c];
        mc_run_read_channels(b->run, c, value);
        for (int k = 0; k < count; k++)
            row->channel[b->who->channel_at[c] + k] = (float)value[k];
    }
}

static void mark_hits(const branch *b, const history_row *row)
{
    const double t = row->t;
    for (int k = b->impact_count - 1; k >= 0 && b->contacts[k].t >= t - HIT_SHOWN; k--)
        for (int c = 0; c < b->who->count && b->contacts[k].t <= t; c++)
            if (b->who->id[c] == b->contacts[k].id || b->who->id[c] == b->contacts[k].id2)
                row->status[c] |= MC_CAR_STATUS_HIT;
}

// The vehicles as the run shows them.
static void read_row(branch *b, const history_row *to)
{
    mc_row row = {.middle = to->middle, .target = to->target, .status = to->status};
    memcpy(row.value, to->value, sizeof to->value);
    mc_run_read_row(b->run, &row);
    mark_hits(b, to);
    read_bodies(b, to);
    read_channels(b, to);
    read_gear(b, to);
}

bool capture_look(hub *h, branch *b)
{
    if (!b->run)
        return false;
    if (b->now_valid)
        return true;
    if (!capture_roster(h, b))
        return false;
    b->now.t = mc_run_time(b->run);
    b->now.hash = 0;
    read_row(b, &b->now);
    b->now_valid = true;
    return true;
}

// ---- events ----

static void note(hub *h, branch *b, double t, const char *type, const char *vehicle,
                 const char *other, double value, const char *text)
{
    branch_event e = {.t = t, .type = type, .value = value};
    snprintf(e.vehicle, sizeof e.vehicle, "%s", vehicle);
    snprintf(e.other, sizeof e.other, "%s", other);
    snprintf(e.text, sizeof e.text, "%s", text);
    event_add(h, b, &e);
}

// Pedals of leaders and of cars driven by hand: pressed again after a second without. A car without
// pedals brakes below -1 m/s^2.
static void note_pedals(hub *h, branch *b, int c)
{
    car_memory *m = &b->cars[c];
    const double t = b->now.t;
    const float brake = b->now.value[MC_FIELD_BRAKE][c], push = b->now.value[MC_FIELD_THROTTLE][c];
    const float a = b->now.value[MC_FIELD_A][c];
    const bool pedals = !isnan(b->now.value[MC_FIELD_N][c]);
    const bool brakes = pedals ? brake > 0.05f : a < -1.0f;
    const bool pushes = pedals ? push > 0.5f : a > 1.0f;
    if (brakes && !m->braked && t - m->brake_time > 1.0) {
        char text[96];
        snprintf(text, sizeof text, "%s brakes, %.2f m/s^2", b->who->name[c], (double)a);
        note(h, b, t, "brake", b->who->name[c], "", (double)a, text);
    }
    if (pushes && !m->pushed && t - m->push_time > 1.0) {
        char text[96];
        snprintf(text, sizeof text, "%s accelerates, %.2f m/s^2", b->who->name[c], (double)a);
        note(h, b, t, "throttle", b->who->name[c], "", (double)a, text);
    }
    m->braked = brakes;
    m->pushed = pushes;
    if (brakes)
        m->brake_time = t;
    if (pushes)
        m->push_time = t;
}

// Whether something that happened is an entry of the log, which has its event already.
static bool logged(const branch *b, const mc_happened *e)
{
    for (int k = 0; k < b->log_count; k++)
        if (fabs(b->log[k].t - e->time) < HISTORY_SAME && strcmp(b->log[k].event, e->name) == 0)
            return true;
    return false;
}

void capture_happened(hub *h, branch *b, const mc_happened *e)
{
    char text[160];
    if (strcmp(e->name, "drive") == 0)
        return;
    const mc_event_sentence *s = mc_event_sentence_find(e->name);
    const bool words = s && s->words && e->value >= 0.0 && e->value < s->word_count;
    snprintf(text, sizeof text, "%.60s%s%.30s%s%.60s", e->vehicle_name,
             e->vehicle_name[0] ? ": " : "", e->name, words ? ": " : "",
             words ? s->words[(int)e->value] : "");
    note(h, b, e->time, event_type(e->name), e->vehicle_name, "", e->value, text);
}

// Whether what happened is part of the description of a world: its road, platoons, drivers.
static bool is_described(const mc_happened *e)
{
    static const char *const names[] = {"ersc",   "section", "checked_in", "checked_out",
                                        "joined", "left",    "split",      "merge"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (strcmp(e->name, names[k]) == 0)
            return true;
    return false;
}

// What the run says has happened: events of the scenario, radios that fell silent.
static void note_happened(hub *h, branch *b)
{
    const int count = mc_run_happened_count(b->run);
    if (b->happened_seen > count)
        b->happened_seen = count;
    for (; b->happened_seen < count; b->happened_seen++) {
        mc_happened e;
        if (!mc_run_happened_at(b->run, b->happened_seen, &e))
            continue;
        b->stale = b->stale || is_described(&e);
        if (!logged(b, &e))
            capture_happened(h, b, &e);
    }
}

// ---- impacts ----

static bool room_for_impact(branch *b)
{
    if (b->impact_count < b->impact_room)
        return true;
    const int room = b->impact_room ? 2 * b->impact_room : 64;
    branch_impact *impacts = realloc(b->impacts, (size_t)room * sizeof *impacts);
    if (impacts)
        b->impacts = impacts;
    frame_contact *contacts =
        impacts ? realloc(b->contacts, (size_t)room * sizeof *contacts) : NULL;
    if (contacts) {
        b->contacts = contacts;
        b->impact_room = room;
    }
    return contacts;
}

// True: it is the first of a collision of its pair.
static bool add_impact(branch *b, const mc_impact *i, const impact_party party[2])
{
    const uint32_t id = party[0].id, id2 = party[1].id;
    bool first = true;
    pthread_mutex_lock(&b->lock);
    for (int k = b->impact_count - 1; k >= 0 && i->time - b->impacts[k].impact.time < 0.25; k--)
        first = first && !(b->impacts[k].impact.a == (int)id && b->impacts[k].impact.b == (int)id2);
    if (room_for_impact(b)) {
        branch_impact *to = &b->impacts[b->impact_count];
        to->impact = *i;
        to->impact.a = (int)id;
        to->impact.b = (int)id2;
        for (int k = 0; k < 2; k++) {
            to->mass[k] = party[k].mass;
            snprintf(to->name[k], NAME_SIZE, "%s", party[k].name);
        }
        b->contacts[b->impact_count++] =
            (frame_contact){.t = i->time,
                            .id = id,
                            .id2 = id2,
                            .point = {i->point[0], i->point[1], i->point[2]},
                            .normal = {i->normal[0], i->normal[1], i->normal[2]},
                            .impulse = (float)i->impulse,
                            .closing = (float)i->closing};
    }
    pthread_mutex_unlock(&b->lock);
    return first;
}

void capture_impact(hub *h, branch *b, const mc_impact *i, const impact_party party[2])
{
    char text[160];
    if (!add_impact(b, i, party))
        return;
    snprintf(text, sizeof text, "Collision, %.50s into %.50s, %.2f m/s", party[1].name,
             party[0].name, i->closing);
    note(h, b, i->time, "collision", party[1].name, party[0].name, i->closing, text);
}

static void note_impacts(hub *h, branch *b)
{
    int count;
    const mc_impact *impacts = mc_run_impacts(b->run, &count);
    if (b->impacts_seen > count) // they are counted from 0 in another version
        b->impacts_seen = 0;
    for (; b->impacts_seen < count; b->impacts_seen++) {
        const mc_impact *i = &impacts[b->impacts_seen];
        if (i->a < 0 || i->b >= b->who->count)
            continue;
        const impact_party party[2] = {
            {b->who->id[i->a], b->who->name[i->a], mc_run_mass(b->run, i->a)},
            {b->who->id[i->b], b->who->name[i->b], mc_run_mass(b->run, i->b)}};
        mc_impact told;
        mc_run_unroll(b->run, i, &told);
        capture_impact(h, b, &told, party);
    }
}

// ---- rows ----

bool capture_row(hub *h, branch *b)
{
    note_impacts(h, b);
    note_happened(h, b);
    b->now_valid = false;
    if (!capture_look(h, b))
        return false;
    for (int c = 0; c < b->who->count; c++)
        if (b->now.status[c] & (MC_CAR_STATUS_LEADER | MC_CAR_STATUS_BY_HAND))
            note_pedals(h, b, c);
    if (b->who->count <= HASH_CARS)
        b->now.hash = mc_run_hash(b->run);
    history_row row = history_reserve(&b->past, b->who);
    if (!row.middle)
        return false;
    memcpy(row.middle, b->scratch, b->scratch_size);
    history_publish(&b->past, b->now.t, b->now.hash);
    return true;
}

bool capture_instants(hub *h, branch *b)
{
    const int count = mc_run_instant_count(b->run);
    if (count == 0 || mc_run_vehicle_count(b->run) > MC_INSTANT_VEHICLES)
        return true;
    if (!capture_roster(h, b))
        return false;
    note_impacts(h, b);
    bool good = true;
    double last = b->end; // rows are at other instants, in order
    for (int k = 0; k < count && good; k++) {
        const double t = mc_run_instant_time(b->run, k);
        if (t <= last + HISTORY_SAME || t >= mc_run_time(b->run) - HISTORY_SAME)
            continue;
        history_row row = history_reserve(&b->instants, b->who);
        good = row.middle;
        if (!good)
            break;
        mc_run_instant_show(b->run, k);
        row.t = last = t;
        read_row(b, &row);
        history_publish(&b->instants, t, 0);
    }
    mc_run_instant_leave(b->run);
    return good;
}

void capture_forget(branch *b, double t)
{
    history_cut(&b->past, t);
    history_cut(&b->instants, t);
    b->packed_to = fmin(b->packed_to, t);
    pthread_mutex_lock(&b->lock);
    int kept = 0;
    for (int k = 0; k < b->event_count; k++)
        // Those of the log at t are noted again when its entries are given again.
        if (b->events[k].t <= t + (b->events[k].event[0] ? -HISTORY_SAME : HISTORY_SAME))
            b->events[kept++] = b->events[k];
    b->event_count = kept;
    while (b->impact_count > 0 && b->impacts[b->impact_count - 1].impact.time > t + HISTORY_SAME)
        b->impact_count--;
    pthread_mutex_unlock(&b->lock);
    for (int c = 0; b->who && c < b->who->count; c++) {
        car_memory *m = &b->cars[c];
        if (m->brake_time > t)
            m->brake_time = -INFINITY;
        if (m->push_time > t)
            m->push_time = -INFINITY;
    }
}
