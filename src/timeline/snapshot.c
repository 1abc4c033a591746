// snapshot.c - all of a run's state as bytes, and back.
//
// What is state: the world, every car's side of control, the states and gains of its law, messages
// under way, roadway commands, the number of the step. The scenario and the log are not: they are
// what the run is made from.
#include "timeline/snapshot.h"

#include "run/adopt.h"
#include "run/braking_step.h"
#include "run/build.h"
#include "run/estimate.h"
#include "run/flow.h"
#include "run/force.h"
#include "run/lane_use.h"
#include "run/lead.h"
#include "run/order.h"
#include "run/steer.h"
#include "run/unit.h"
#include "run/where.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char MAGIC[16] = "motorcade run 7";

// Which scenario: its text, and the contents of every file it names.
static void put_scenario(const scenario *s, bytes *out)
{
    const unsigned long long text = scenario_text_hash(s);
    bytes_put(out, &text, sizeof text);
    bytes_put(out, &s->file_count, sizeof s->file_count);
    for (int k = 0; k < s->file_count; k++)
        bytes_put(out, &s->files[k]->is.hash, sizeof s->files[k]->is.hash);
}

static void put(const mc_run *r, bytes *out)
{
    const size_t n = (size_t)r->count;
    bytes_put(out, MAGIC, sizeof MAGIC);
    bytes_put(out, &r->past.version, sizeof r->past.version);
    bytes_put(out, &r->count, sizeof r->count);
    bytes_put(out, &r->law_stride, sizeof r->law_stride);
    put_scenario(r->s, out);
    bytes_put(out, &r->step, sizeof r->step);
    bytes_put(out, &r->zero_step, sizeof r->zero_step);
    bytes_put(out, &r->zero_time, sizeof r->zero_time);
    const int braking_step = r->braking_step;
    bytes_put(out, &braking_step, sizeof braking_step);
    bytes_put(out, &r->next_join, sizeof r->next_join);
    bytes_put(out, &r->counts, sizeof r->counts);
    bytes_put(out, &r->fate_count, sizeof r->fate_count);
    bytes_put(out, r->fate, (size_t)r->fate_count);
    const int begun = r->begun;
    bytes_put(out, &begun, sizeof begun);
    bytes_put(out, &r->carried, sizeof r->carried);
    bytes_put(out, &r->headway, sizeof r->headway);
    bytes_put(out, &r->distance, sizeof r->distance);
    bytes_put(out, &r->speed, sizeof r->speed);
    const int commanded = r->headway_commanded + 2 * r->distance_commanded + 4 * r->speed_commanded;
    bytes_put(out, &commanded, sizeof commanded);
    bytes_put(out, &r->ersc, sizeof r->ersc);
    const int regrouped = r->regrouped;
    bytes_put(out, &regrouped, sizeof regrouped);
    bytes_put(out, &r->platoons, sizeof r->platoons);
    bytes_put(out, &r->rule_count, sizeof r->rule_count);
    bytes_put(out, r->rules, (size_t)r->rule_count * sizeof *r->rules);
    bytes_put(out, r->before, (size_t)r->s->event_count * sizeof *r->before);
    bytes_put(out, &r->impact_seen, sizeof r->impact_seen);
    bytes_put(out, &r->past.happened_count, sizeof r->past.happened_count);
    bytes_put(out, r->car, n * sizeof *r->car);
    bytes_put(out, r->rare, n * sizeof *r->rare);
    bytes_put(out, r->inputs, n * sizeof *r->inputs);
    bytes_put(out, r->motion, n * sizeof *r->motion);
    if (r->where)
        bytes_put(out, r->where, n * sizeof *r->where);
    bytes_put(out, r->law_memory, n * (size_t)r->law_stride * sizeof *r->law_memory);
    if (r->mileage)
        bytes_put(out, r->mileage, n * sizeof *r->mileage);
    bytes_put(out, &r->estimate_count, sizeof r->estimate_count);
    if (r->estimate_count > 0)
        bytes_put(out, r->estimates, (size_t)r->estimate_count * sizeof *r->estimates);
    bytes_put(out, &r->history_count, sizeof r->history_count);
    bytes_put(out, r->history, n * (size_t)r->history_count * sizeof *r->history);
}

mc_status run_save(const mc_run *r, bytes *out, mc_error *error)
{
    out->size = 0;
    out->failed = false;
    put(r, out);
    const mc_status status = run_unit_save(r, out, error);
    return status == MC_OK ? world_save(r->world, out, error) : status;
}

mc_status mc_run_save(const mc_run *r, mc_snapshot *out, mc_error *error)
{
    bytes b = {0};
    const mc_status status = run_save(r, &b, error);
    if (status != MC_OK) {
        bytes_free(&b);
        return status;
    }
    *out = (mc_snapshot){b.data, b.size};
    return MC_OK;
}

void mc_snapshot_free(mc_snapshot *snapshot)
{
    free(snapshot->data);
    *snapshot = (mc_snapshot){0};
}

static bool sound_delay(double delay) // s: no event and no controller may ask for more
{
    return delay >= 0.0 && delay <= 10.0;
}

// Lanes of ramps are numbered after those that go through.
static int lane_limit(const mc_run *r)
{
    return r->road.net ? 64 : r->road.lane_count;
}

static bool sound_path(const mc_run *r, int slot)
{
    const run_path *p = &r->rare[slot].path;
    const bool changes = r->car[slot].flags & RUN_CHANGES;
    const run_where *w = r->where ? &r->where[slot] : NULL;
    const bool known = !w || (w->elder >= 0 && w->elder <= r->past.version && w->path >= 0 &&
                              w->path < mc_road_path_count(run_road_of(r, slot)));
    const int lanes = lane_limit(r);
    return known && r->rare[slot].exit >= -1 && r->rare[slot].exit < mc_road_ramp_count(&r->road) &&
           p->from >= -1 && p->from < lanes && p->to >= -1 && p->to < lanes && p->wait >= -1 &&
           p->wait < lanes && changes == (p->to >= 0) && (!changes || r->car[slot].controller >= 0);
}

static bool sound_ersc(const mc_run *r, int slot)
{
    const run_ersc *e = &r->rare[slot].ersc;
    const run_car *c = &r->car[slot];
    return e->blind[0] >= -1 && e->blind[0] < r->count && e->blind[1] >= -1 &&
           e->blind[1] < r->count && e->driver >= RUN_DRIVER_MODEL &&
           e->driver <= RUN_DRIVER_BY_FILE && e->controller >= -1 &&
           e->controller < r->s->controller_count && (!e->checked_in || c->controller >= 0) &&
           (e->driver != RUN_DRIVER_BY_FILE || r->s->vehicles[r->rare[slot].vehicle].driver);
}

// What a damaged snapshot could turn into a wild pointer.
static bool sound_car(const mc_run *r, int slot)
{
    const run_car *c = &r->car[slot];
    const run_rare *rare = &r->rare[slot];
    const bool driven = r->s->vehicles[rare->vehicle].driver;
    const bool falls = c->controller >= 0 && r->controllers[c->controller].law[RUN_FALLBACK] >= 0;
    bool good = c->front >= -1 && c->front < r->count && c->leader >= 0 && c->leader < r->count &&
                rare->profile >= -1 && rare->profile < r->s->profile_count && rare->lane >= 0 &&
                rare->lane < lane_limit(r) && sound_path(r, slot) && sound_ersc(r, slot) &&
                rare->listen_count >= 1 && rare->listen_count <= RUN_LISTEN_MAX &&
                rare->platoon >= -1 && rare->platoon < r->platoons &&
                rare->shift.platoon < r->platoons && rare->shift.beside >= 0 &&
                rare->shift.beside <= r->count && rare->number >= 0 && rare->leads_as >= 0 &&
                rare->leads_as <= r->s->platoon_count && rare->number < r->count &&
                rare->hits >= 0 && rare->hits < INT_MAX / 2;
    good = good && sound_delay(rare->fault.sensor[SENSOR_DELAY]) &&
           sound_delay(rare->fault.link[LINK_DELAY]) &&
           (rare->fault.sensor[SENSOR_DELAY] == 0.0 || r->history_count > 0);
    good = good && (!(c->flags & (RUN_HAS_FALLBACK | RUN_FALLEN_BACK)) || falls) &&
           (!(c->flags & RUN_DRIVER_FILE) || driven) &&
           (!(c->flags & RUN_STEERED) || rare->ersc.driver != RUN_DRIVER_MODEL);
    for (int k = 1; good && k < rare->listen_count; k++)
        good = rare->listen[k] >= 0 && rare->listen[k] < r->count;
    return good;
}

static bool sound(const mc_run *r)
{
    for (int k = 0; k < r->count; k++) {
        const int controller = r->car[k].controller, vehicle = r->rare[k].vehicle;
        if (vehicle < 0 || vehicle >= r->count || r->slot[vehicle] != k || controller < -1 ||
            controller >= r->s->controller_count || !sound_car(r, k))
            return false;
    }
    return r->step >= 0 && r->step < 1LL << 52 && r->impact_seen >= 0 && r->zero_step >= 0 &&
           r->zero_step <= r->step && fabs(r->zero_time) < 1e12 && !isnan(r->next_join) &&
           r->carried >= 0;
}

// A bool with other bits than those of false and true must not even be looked at.
static bool sound_bools(const run_rare *rare, size_t count)
{
    static const bool no = false, yes = true;
    for (size_t k = 0; k < count; k++)
        if (memcmp(&rare[k].fallen_back, &no, sizeof no) != 0 &&
            memcmp(&rare[k].fallen_back, &yes, sizeof yes) != 0)
            return false;
    return true;
}

static bool take_braking_step(mc_run *r, bytes_reader *in)
{
    int braking;
    return bytes_take(in, &braking, sizeof braking) && (braking == 0 || braking == 1) &&
           run_use_braking_step(r, braking);
}

// What became of the vehicles of the version as read.
static bool take_fates(mc_run *r, bytes_reader *in)
{
    mc_error unused;
    if (!r->fate && run_flow_begin(r, &unused) != MC_OK)
        return false;
    bool good = bytes_take(in, &r->counts, sizeof r->counts) &&
                bytes_take_equal(in, &r->fate_count, sizeof r->fate_count) &&
                bytes_take(in, r->fate, (size_t)r->fate_count);
    for (int v = 0; good && v < r->fate_count; v++)
        good = r->fate[v] <= RUN_GONE;
    for (int v = 0; good && v < r->count; v++)
        good = r->fate[r->s->vehicles[v].index] == RUN_HERE;
    return good;
}

// The ERSC, and rules of lanes that were changed.
static bool take_rules(mc_run *r, bytes_reader *in)
{
    int regrouped;
    if (!bytes_take(in, &r->ersc, sizeof r->ersc) || r->ersc < 0 || r->ersc > ERSC_LEVEL_MAX ||
        !bytes_take(in, &regrouped, sizeof regrouped) || regrouped < 0 || regrouped > 1 ||
        !bytes_take(in, &r->platoons, sizeof r->platoons) || r->platoons < r->s->platoon_count ||
        r->platoons > 1000000 || !bytes_take(in, &r->rule_count, sizeof r->rule_count) ||
        r->rule_count < 0 || r->rule_count > RUN_RULES_MAX ||
        !bytes_take(in, r->rules, (size_t)r->rule_count * sizeof *r->rules))
        return false;
    r->regrouped = regrouped;
    for (int k = 0; k < r->rule_count; k++) {
        const run_rule *rule = &r->rules[k];
        if (rule->lane < 0 || rule->lane >= r->road.lane_count || rule->use < -1 ||
            rule->use > MC_ROAD_CLOSED || rule->enter < -1 || rule->enter > MC_ROAD_CLOSED ||
            !(rule->from < rule->to))
            return false;
    }
    return true;
}

static bool take_estimates(mc_run *r, bytes_reader *in)
{
    int count;
    if (!bytes_take(in, &count, sizeof count) || count < 0 || count > r->count ||
        (size_t)count > (in->size - in->at) / sizeof *r->estimates || !run_estimate_room(r, count))
        return false;
    r->estimate_count = count;
    return (count == 0 || bytes_take(in, r->estimates, (size_t)count * sizeof *r->estimates)) &&
           run_estimate_sound(r);
}

// As many steps as the snapshot keeps.
static bool take_history(mc_run *r, bytes_reader *in)
{
    int count;
    const size_t n = (size_t)r->count;
    mc_error unused;
    if (!bytes_take(in, &count, sizeof count) || count < 0 ||
        (n > 0 && (size_t)count > (in->size - in->at) / (n * sizeof *r->history)))
        return false;
    if (count > r->history_count && run_keep_history(r, (count - 1) * r->s->step, &unused) != MC_OK)
        return false;
    r->history_count = count;
    return bytes_take(in, r->history, n * (size_t)count * sizeof *r->history);
}

static mc_status damaged(mc_error *error)
{
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "the snapshot is damaged or belongs to another scenario");
}

// The scenario of the snapshot is that of the run; a file that was changed since is named.
static mc_status take_scenario(const scenario *s, bytes_reader *in, mc_error *error)
{
    const unsigned long long text = scenario_text_hash(s);
    if (!bytes_take_equal(in, &text, sizeof text) ||
        !bytes_take_equal(in, &s->file_count, sizeof s->file_count))
        return damaged(error);
    for (int k = 0; k < s->file_count; k++)
        if (!bytes_take_equal(in, &s->files[k]->is.hash, sizeof s->files[k]->is.hash))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "the file %.300s of the scenario has changed since this state was "
                                "saved; restore it to resume",
                                s->files[k]->is.path);
    return MC_OK;
}

static mc_status restore(mc_run *r, const mc_snapshot *snapshot, mc_error *error)
{
    const size_t n = (size_t)r->count;
    int happened, version, begun = 0, commanded = 0;
    bytes_reader in = bytes_read(snapshot->data, snapshot->size);
    if (!bytes_take_equal(&in, MAGIC, sizeof MAGIC) || !bytes_take(&in, &version, sizeof version) ||
        !bytes_take_equal(&in, &r->count, sizeof r->count) ||
        !bytes_take_equal(&in, &r->law_stride, sizeof r->law_stride))
        return damaged(error);
    mc_status status = take_scenario(r->s, &in, error);
    if (status != MC_OK)
        return status;
    const bool good =
        bytes_take(&in, &r->step, sizeof r->step) &&
        bytes_take(&in, &r->zero_step, sizeof r->zero_step) &&
        bytes_take(&in, &r->zero_time, sizeof r->zero_time) && take_braking_step(r, &in) &&
        bytes_take(&in, &r->next_join, sizeof r->next_join) && take_fates(r, &in) &&
        bytes_take(&in, &begun, sizeof begun) && bytes_take(&in, &r->carried, sizeof r->carried) &&
        bytes_take(&in, &r->headway, sizeof r->headway) &&
        bytes_take(&in, &r->distance, sizeof r->distance) &&
        bytes_take(&in, &r->speed, sizeof r->speed) &&
        bytes_take(&in, &commanded, sizeof commanded) && take_rules(r, &in) &&
        bytes_take(&in, r->before, (size_t)r->s->event_count * sizeof *r->before) &&
        bytes_take(&in, &r->impact_seen, sizeof r->impact_seen) &&
        bytes_take(&in, &happened, sizeof happened) &&
        bytes_take(&in, r->car, n * sizeof *r->car) &&
        bytes_take(&in, r->rare, n * sizeof *r->rare) &&
        bytes_take(&in, r->inputs, n * sizeof *r->inputs) &&
        bytes_take(&in, r->motion, n * sizeof *r->motion) &&
        (!r->where || bytes_take(&in, r->where, n * sizeof *r->where)) &&
        bytes_take(&in, r->law_memory, n * (size_t)r->law_stride * sizeof *r->law_memory) &&
        (!r->mileage || bytes_take(&in, r->mileage, n * sizeof *r->mileage)) &&
        take_estimates(r, &in) && take_history(r, &in);
    if (!good || !sound_bools(r->rare, n) || !sound(r))
        return damaged(error);
    bytes_reader units;
    if (!run_unit_skip(r, &in, &units))
        return damaged(error);
    status = world_restore(r->world, &in, error);
    if (status == MC_OK)
        status = run_unit_restore(r, &units, error);
    if (status != MC_OK)
        return status;
    if (in.at != in.size || r->impact_seen > r->world->impact_count)
        return damaged(error);
    if (happened >= 0 && happened < r->past.happened_count) // what came after has not happened yet
        r->past.happened_count = happened;
    r->begun = begun;
    r->headway_commanded = commanded & 1;
    r->distance_commanded = commanded & 2;
    r->speed_commanded = commanded & 4;
    r->grouped = false;
    run_profile_slots(r);
    run_leads(r);
    run_forces(r);
    run_order_restore(r);
    r->changing = r->responding = false;
    for (int slot = 0; r->where && slot < r->count; slot++)
        r->ramps = r->ramps || r->where[slot].elder > 0;
    run_lane_use_prepare(r);
    r->shifting = false;
    r->traffic = r->ramps;
    for (int slot = 0; slot < r->count; slot++) {
        run_wait_for(r, slot, r->rare[slot].path.wait);
        run_respond(r, slot, (run_response)r->rare[slot].responds);
        r->changing = r->changing || r->car[slot].flags & RUN_CHANGES;
        r->responding = r->responding || r->rare[slot].responds != RUN_AT_EASE;
        r->traffic = r->traffic || r->car[slot].flags & RUN_DECIDES ||
                     r->rare[slot].path.wait >= 0 || r->rare[slot].exit >= 0;
        r->car[slot].flags &= ~(unsigned)RUN_YIELDS; // asked for again when the step begins
        r->shifting = r->shifting || r->car[slot].flags & RUN_SHIFTS ||
                      r->rare[slot].shift.manoeuvre != RUN_NO_MANOEUVRE ||
                      r->rare[slot].shift.fresh || run_time(r) < r->rare[slot].shift.until;
        run_steer_prepare(r, slot);
    }
    return MC_OK;
}

// The version of a snapshot, if the run knows it; -1: it does not, or it is not a snapshot.
static int version_of(const mc_run *r, const mc_snapshot *snapshot)
{
    int version;
    bytes_reader in = bytes_read(snapshot->data, snapshot->size);
    const bool good = bytes_take_equal(&in, MAGIC, sizeof MAGIC) &&
                      bytes_take(&in, &version, sizeof version) && version >= 0 &&
                      version < r->past.version_count;
    return good ? version : -1;
}

mc_status run_restore(mc_run *r, const mc_snapshot *snapshot, mc_error *error)
{
    const int version = version_of(r, snapshot);
    if (version < 0)
        return damaged(error);
    if (version != r->past.version) {
        const mc_status status = run_use_version(r, version, error);
        if (status != MC_OK)
            return status;
    }
    return restore(r, snapshot, error);
}

// All or nothing: if the snapshot is rejected, the run continues from where it was.
mc_status mc_run_restore(mc_run *r, const mc_snapshot *snapshot, mc_error *error)
{
    mc_snapshot before;
    mc_status status = mc_run_save(r, &before, error);
    if (status != MC_OK)
        return status;
    status = run_restore(r, snapshot, error);
    if (status != MC_OK) {
        mc_error second; // what the run was a moment ago it can be again
        run_restore(r, &before, &second);
    }
    mc_snapshot_free(&before);
    return status;
}

unsigned long long mc_run_hash(const mc_run *r)
{
    unsigned long long hash = mc_world_hash(r->world);
    hash = bytes_hash(hash, &r->step, sizeof r->step);
    hash = bytes_hash(hash, r->inputs, (size_t)r->count * sizeof *r->inputs);
    hash = bytes_hash(hash, r->law_memory,
                      (size_t)r->count * (size_t)r->law_stride * sizeof *r->law_memory);
    for (int slot = 0; slot < r->count; slot++)
        hash = bytes_hash(hash, &r->car[slot].inner, sizeof r->car[slot].inner);
    if (r->estimate_count > 0)
        hash = bytes_hash(hash, r->estimates, (size_t)r->estimate_count * sizeof *r->estimates);
    return hash;
}
