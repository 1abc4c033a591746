// domain.c - a run of a stretch of the traffic; see domain.h.
#include "domain/domain.h"

#include "base/bytes.h"
#include "run/adopt.h"
#include "run/build.h"
#include "run/control.h"
#include "run/flow.h"
#include "run/run.h"
#include "run/where.h"
#include "scenario/handle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// In order of importance: a domain that fails may do so because a halo is too narrow.
typedef enum domain_state {
    DOMAIN_FINE,
    DOMAIN_FOLLOWS, // another one is not fine
    DOMAIN_FAILED,
    DOMAIN_NARROW,
} domain_state;

struct domain {
    domain_link link;
    domain_cut cut;
    const scenario *whole;
    mc_run *run;
    int *slot; // by vehicle of the whole run; -1: not here
    int *key;  // back, for run->key
    domain_peer *peers;
    int peer_count;
    int *memory;        // slots of all peers
    domain_word *words; // of all peers
    double *kept;       // states of the copies at the start of a step
    double *told;       // rooms of all peers
    int *hits;          // by slot, at the start of a step
    bool *near;         // by slot: in this step it may have touched another car
    int stride, copy_count;
    domain_state state;
    mc_error error;     // of DOMAIN_FAILED
    domain_state worst; // of all domains
    bool met;           // in this step
    long long sorts;
    bool several_lanes; // have cars
};

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the domain");
}

// ---- peers ----

static domain_peer *peer_of(domain *d, int rank)
{
    for (int k = 0; k < d->peer_count; k++)
        if (d->peers[k].rank == rank)
            return &d->peers[k];
    d->peers[d->peer_count] = (domain_peer){.rank = rank};
    return &d->peers[d->peer_count++];
}

// Counts, or with `fill` lists, the cars that go each way. Both sides list them in one order.
static void list_copies(domain *d, bool fill)
{
    for (int k = 0; k < d->cut.copy_count; k++) {
        const domain_copy *c = &d->cut.copies[k];
        if (c->from == d->link.rank) {
            domain_peer *p = peer_of(d, c->to);
            if (fill)
                p->send[p->send_count] = d->slot[c->vehicle];
            p->send_count++;
        } else if (c->to == d->link.rank) {
            domain_peer *p = peer_of(d, c->from);
            if (fill)
                p->receive[p->receive_count] = d->slot[c->vehicle];
            p->receive_count++;
        }
    }
}

// A collision also splits the steps of cars beside it. In another lane these may be cars of which
// the domain has no copies, since lanes move past each other.
static const char COLLIDED[] = "cars collided, with cars in several lanes";

static mc_status reject_step(const char *what, double time, mc_error *error)
{
    return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                        "at t = %g s %s, which is not supported in a run on several processes; use "
                        "`motorcade run`",
                        time, what);
}

static mc_batch *batch_of(const mc_run *r, int slot, int *index)
{
    mc_batch *batch;
    mc_world_vehicle(r->world, r->rare[slot].vehicle, &batch, index);
    return batch;
}

enum { DOUBLE = sizeof(double) };

// Doubles that tell of a car that was hit: its number in the list, its hits, its motion, its state.
static int told_size(const mc_run *r, int slot)
{
    int index;
    const mc_batch *batch = batch_of(r, slot, &index);
    const size_t where = r->where ? sizeof(run_where) : 0;
    return 2 + (int)((sizeof(mc_motion) + where) / DOUBLE) + batch->kind->save_size(batch);
}

static mc_status make_rooms(domain *d, mc_error *error)
{
    size_t total = 0;
    for (int k = 0; k < d->peer_count; k++) {
        domain_peer *p = &d->peers[k];
        for (int j = 0; j < p->send_count; j++)
            p->tell_room += told_size(d->run, p->send[j]);
        for (int j = 0; j < p->receive_count; j++)
            p->told_room += told_size(d->run, p->receive[j]);
        total += (size_t)(p->tell_room + p->told_room);
    }
    d->told = malloc((total + 1) * sizeof *d->told);
    d->hits = calloc((size_t)d->run->count + 1, sizeof *d->hits);
    d->near = calloc((size_t)d->run->count + 1, sizeof *d->near);
    if (!d->told || !d->hits || !d->near)
        return no_memory(error);
    double *room = d->told;
    for (int k = 0; k < d->peer_count; k++) {
        domain_peer *p = &d->peers[k];
        p->tell = room, p->told = room + p->tell_room;
        room = p->told + p->told_room;
    }
    return MC_OK;
}

static mc_status make_peers(domain *d, mc_error *error)
{
    d->peers = calloc((size_t)d->link.count + 1, sizeof *d->peers);
    if (!d->peers)
        return no_memory(error);
    list_copies(d, false);
    size_t total = 0;
    for (int k = 0; k < d->peer_count; k++) {
        total += (size_t)(d->peers[k].send_count + d->peers[k].receive_count);
        d->copy_count += d->peers[k].receive_count;
    }
    for (int k = 0; k < d->run->batch_count; k++) {
        const mc_batch *b = d->run->batches[k].batch;
        const int size = b->kind->save_size(b);
        d->stride = size > d->stride ? size : d->stride;
    }
    d->memory = malloc((total + 1) * sizeof *d->memory);
    d->words = calloc(total + 1, sizeof *d->words);
    d->kept = malloc(((size_t)d->copy_count * (size_t)d->stride + 1) * sizeof *d->kept);
    if (!d->memory || !d->words || !d->kept)
        return no_memory(error);
    int *slots = d->memory;
    domain_word *words = d->words;
    for (int k = 0; k < d->peer_count; k++) {
        domain_peer *p = &d->peers[k];
        p->send = slots, p->receive = slots + p->send_count;
        p->out = words, p->in = words + p->send_count;
        slots = p->receive + p->receive_count;
        words = p->in + p->receive_count;
        p->send_count = p->receive_count = 0;
    }
    list_copies(d, true);
    return make_rooms(d, error);
}

// ---- the run of a domain ----

static bool is_own(const domain *d, int vehicle)
{
    return d->cut.owner[vehicle] == d->link.rank;
}

static mc_run *make_run(const domain *d, const mc_scenario *given, const bool *there,
                        const mc_run_options *options, mc_error *error)
{
    scenario *own = run_copy_some(d->whole, there), *kept = own ? run_copy_scenario(own) : NULL;
    if (!kept) {
        free(own);
        no_memory(error);
        return NULL;
    }
    mc_run *r = run_create(own, own, options, RUN_AT_START, error);
    const run_version first = {.given = scenario_keep(given), .own = kept};
    if (!r || run_version_add(r, &first, error) != MC_OK) {
        mc_scenario_free(first.given);
        free(kept);
        mc_run_destroy(r);
        return NULL;
    }
    if (run_flow_begin(r, error) != MC_OK) {
        mc_run_destroy(r);
        return NULL;
    }
    return r;
}

// What the scenario does not show as plainly as the run that is made from it.
static mc_status check_run(const domain *d, mc_error *error)
{
    const mc_run *r = d->run;
    const char *what = r->ramps                      ? "a road with ramps"
                       : r->lap > 0.0                ? "a circuit"
                       : r->ruled                    ? "rules of lanes"
                       : r->traffic || r->changing   ? "cars that change lanes"
                       : r->shifting || r->regrouped ? "platoons that form or split"
                                                     : NULL;
    return what ? mc_error_set(error, MC_BAD_INPUT, d->whole->file, 0, 0,
                               "%s: not supported in a run on several processes; use "
                               "`motorcade run`",
                               what)
                : MC_OK;
}

static mc_status make(domain *d, const mc_scenario *given, const mc_run_options *options, int halo,
                      mc_error *error)
{
    const size_t n = (size_t)d->whole->vehicle_count;
    mc_status status = domain_check(d->whole, error);
    if (status == MC_OK && d->link.count > d->whole->vehicle_count)
        status = mc_error_set(error, MC_BAD_INPUT, d->whole->file, 0, 0,
                              "%d processes for %d vehicles; expected at least one vehicle each",
                              d->link.count, d->whole->vehicle_count);
    if (status == MC_OK)
        status = domain_cut_make(&d->cut, d->whole, d->link.count, halo, error);
    if (status != MC_OK)
        return status;
    bool *there = calloc(n + 1, sizeof *there);
    d->slot = malloc((n + 1) * sizeof *d->slot);
    d->key = malloc((n + 1) * sizeof *d->key);
    if (!there || !d->slot || !d->key) {
        free(there);
        return no_memory(error);
    }
    for (size_t v = 0; v < n; v++)
        there[v] = is_own(d, (int)v);
    for (int k = 0; k < d->cut.copy_count; k++)
        if (d->cut.copies[k].to == d->link.rank)
            there[d->cut.copies[k].vehicle] = true;
    d->run = make_run(d, given, there, options, error);
    for (int v = 0, part = 0; d->run && v < (int)n; v++) {
        d->slot[v] = there[v] ? d->run->slot[part++] : -1;
        if (there[v])
            d->key[d->slot[v]] = v;
    }
    free(there);
    if (!d->run)
        return error->code;
    d->run->key = d->key;
    status = check_run(d, error);
    return status == MC_OK ? make_peers(d, error) : status;
}

// ---- stations ----

// How far a car is behind its leader when all touch is a sum along the platoon: domains continue
// the sums of others, from hop to hop.
static void add_stations(domain *d)
{
    mc_run *r = d->run;
    for (int v = 1; v < d->whole->vehicle_count; v++) {
        const int slot = d->slot[v], ahead = d->slot[v - 1];
        if (!is_own(d, v) || ahead < 0 || r->rare[slot].number == 0 || r->rare[slot].platoon < 0 ||
            r->rare[ahead].platoon != r->rare[slot].platoon)
            continue;
        r->rare[slot].station = r->rare[ahead].station + r->car[slot].nose - r->car[ahead].tail;
    }
}

static void exchange_stations(domain *d)
{
    for (int k = 0; k < d->peer_count; k++)
        for (int j = 0; j < d->peers[k].send_count; j++)
            d->peers[k].out[j].desired = d->run->rare[d->peers[k].send[j]].station;
    d->link.exchange(d->link.context, d->peers, d->peer_count);
    for (int k = 0; k < d->peer_count; k++)
        for (int j = 0; j < d->peers[k].receive_count; j++)
            d->run->rare[d->peers[k].receive[j]].station = d->peers[k].in[j].desired;
}

// Laws whose states start from what they see of their platoons start again.
static void begin_laws(domain *d)
{
    mc_run *r = d->run;
    for (int slot = 0; slot < r->count; slot++)
        for (run_side side = 0; r->car[slot].controller >= 0 && side < RUN_SIDES; side++)
            if (r->controllers[r->car[slot].controller].law[side] >= 0)
                run_law_begin(r, slot, side);
}

static void make_stations(domain *d)
{
    for (int k = 0; k < d->cut.hops; k++) {
        exchange_stations(d);
        add_stations(d);
    }
    if (d->cut.hops > 0) {
        exchange_stations(d);
        begin_laws(d);
    }
}

// ---- the step ----

// A copy decides as all cars do, from less than its original knows: that is undone.
static void keep_copies(domain *d)
{
    double *to = d->kept;
    for (int k = 0; k < d->peer_count; k++)
        for (int j = 0; j < d->peers[k].receive_count; j++, to += d->stride) {
            int index;
            const mc_batch *batch = batch_of(d->run, d->peers[k].receive[j], &index);
            batch->kind->save(batch, index, to);
        }
}

static void exchange(domain *d)
{
    const mc_run *r = d->run;
    for (int k = 0; k < d->peer_count; k++)
        for (int j = 0; j < d->peers[k].send_count; j++) {
            const int slot = d->peers[k].send[j];
            d->peers[k].out[j] = (domain_word){d->state, r->motion[slot].x, r->motion[slot].v,
                                               r->inputs[slot], r->car[slot].inner.desired};
        }
    d->link.exchange(d->link.context, d->peers, d->peer_count);
    d->met = true;
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

// A copy differs from its original.
static void note_difference(domain *d)
{
    d->state = d->several_lanes ? DOMAIN_FAILED : DOMAIN_NARROW;
    if (d->several_lanes)
        reject_step(COLLIDED, mc_run_time(d->run), &d->error);
}

// Whether all senders are fine, and copies are where their originals are.
static void compare(domain *d)
{
    for (int k = 0; k < d->peer_count && d->state == DOMAIN_FINE; k++)
        for (int j = 0; j < d->peers[k].receive_count && d->state == DOMAIN_FINE; j++) {
            const domain_word *w = &d->peers[k].in[j];
            const mc_motion *m = &d->run->motion[d->peers[k].receive[j]];
            if (w->state != DOMAIN_FINE)
                d->state = DOMAIN_FOLLOWS;
            else if (!same_bits(w->x, m->x) || !same_bits(w->v, m->v))
                note_difference(d);
        }
}

static mc_status meet(void *context, mc_error *error)
{
    domain *d = context;
    mc_run *r = d->run;
    const double *kept = d->kept;
    exchange(d);
    compare(d);
    d->worst = (domain_state)d->link.worst(d->link.context, d->state);
    if (d->worst != DOMAIN_FINE)
        return mc_error_set(error, MC_FAILED, NULL, 0, 0, "%s", "");
    for (int k = 0; k < d->peer_count; k++)
        for (int j = 0; j < d->peers[k].receive_count; j++, kept += d->stride) {
            const int slot = d->peers[k].receive[j];
            const domain_word *w = &d->peers[k].in[j];
            int index;
            mc_batch *batch = batch_of(r, slot, &index);
            batch->kind->restore(batch, index, kept);
            r->inputs[slot] = w->inputs;
            r->car[slot].inner.desired = w->desired;
            batch->kind->set_inputs(batch, index, 1, &r->inputs[slot]);
        }
    return MC_OK;
}

// ---- cars that were hit ----

static void put(double **to, const void *data, size_t size)
{
    memcpy(*to, data, size);
    *to += size / DOUBLE;
}

static void get(const double **from, void *data, size_t size)
{
    memcpy(data, *from, size);
    *from += size / DOUBLE;
}

// Cars whose steps may have been split because another one is near, although none hit them.
static void find_near(domain *d)
{
    const mc_world *w = d->run->world;
    memset(d->near, 0, (size_t)d->run->count * sizeof *d->near);
    for (int k = 0; k < w->pair_count; k++) {
        const contact_pair *p = &w->pairs[k];
        if (!p->active && p->next_check > w->time + d->run->s->step)
            continue;
        d->near[d->run->slot[p->a]] = true;
        if (p->b < d->run->count) // not an obstacle
            d->near[d->run->slot[p->b]] = true;
    }
}

static void tell_hits(domain *d)
{
    const mc_run *r = d->run;
    find_near(d);
    for (int k = 0; k < d->peer_count; k++) {
        domain_peer *p = &d->peers[k];
        double *to = p->tell;
        for (int j = 0; j < p->send_count && d->state == DOMAIN_FINE; j++) {
            const int slot = p->send[j];
            int index;
            if (r->rare[slot].hits == d->hits[slot] && !d->near[slot])
                continue;
            const mc_batch *batch = batch_of(r, slot, &index);
            *to++ = j;
            *to++ = r->rare[slot].hits;
            put(&to, &r->motion[slot], sizeof r->motion[slot]);
            if (r->where)
                put(&to, &r->where[slot], sizeof r->where[slot]);
            batch->kind->save(batch, index, to);
            to += batch->kind->save_size(batch);
        }
        p->tell_size = (int)(to - p->tell);
    }
    d->link.tell(d->link.context, d->peers, d->peer_count);
}

// A copy that another car hit where it is not known here. One that was hit here too, by whatever
// this domain has, may have passed on what was wrong.
static void correct(domain *d, int slot, const double **from, int hits)
{
    mc_run *r = d->run;
    int index;
    mc_batch *batch = batch_of(r, slot, &index);
    mc_motion motion;
    const double *at = *from;
    get(&at, &motion, sizeof motion);
    *from += told_size(r, slot) - 2;
    if (memcmp(&motion, &r->motion[slot], sizeof motion) == 0)
        return;
    if (r->rare[slot].hits != d->hits[slot]) {
        note_difference(d);
        return;
    }
    r->motion[slot] = motion;
    if (r->where)
        get(&at, &r->where[slot], sizeof r->where[slot]);
    batch->kind->restore(batch, index, at);
    if (hits == r->rare[slot].hits)
        return;
    r->rare[slot].hits = d->hits[slot] = hits;
    // Its pairs are looked at again, as those of any car that was hit.
    r->world->hit_stamp[r->rare[slot].vehicle] = r->world->chunk_number;
    r->world->due = -HUGE_VAL;
}

static void take_hits(domain *d)
{
    for (int k = 0; k < d->peer_count; k++) {
        const domain_peer *p = &d->peers[k];
        const double *from = p->told, *end = from + p->told_size;
        while (from < end && d->state == DOMAIN_FINE) {
            const int slot = p->receive[(int)from[0]], hits = (int)from[1];
            from += 2;
            correct(d, slot, &from, hits);
        }
    }
    for (int slot = 0; d->run->world->impact_count > 0 && slot < d->run->count; slot++)
        d->hits[slot] = d->run->rare[slot].hits;
}

static double agree(void *context, double value)
{
    const domain *d = context;
    return d->link.worst(d->link.context, value);
}

static mc_status check_step(const domain *d, double time, mc_error *error)
{
    if (d->run->sorts != d->sorts)
        return reject_step("cars changed their order or left their lanes", time, error);
    if (d->several_lanes && d->run->world->impact_count > 0)
        return reject_step(COLLIDED, time, error);
    return MC_OK;
}

// All domains leave a step in which one is not fine at the same point: where they meet.
static void step(domain *d)
{
    mc_error error;
    const double time = mc_run_time(d->run);
    mc_status status = MC_OK;
    d->met = false;
    if (d->state == DOMAIN_FINE) {
        keep_copies(d);
        status = mc_run_step(d->run, &error);
        if (status == MC_OK)
            status = check_step(d, time, &error);
        if (status != MC_OK && d->state == DOMAIN_FINE && d->worst == DOMAIN_FINE) {
            d->state = DOMAIN_FAILED;
            d->error = error;
        }
    }
    if (!d->met) {
        exchange(d);
        d->worst = (domain_state)d->link.worst(d->link.context, d->state);
    }
    if (d->worst != DOMAIN_FINE)
        return;
    tell_hits(d);
    take_hits(d);
}

mc_status domain_play(domain *d, double end, bool *narrow, mc_error *error)
{
    const long long last = (long long)floor(end / d->run->s->step + 0.5);
    d->sorts = d->run->sorts;
    for (int v = 1; v < d->whole->vehicle_count; v++)
        d->several_lanes |= d->whole->vehicles[v].lane != d->whole->vehicles[0].lane;
    d->worst = DOMAIN_FINE;
    for (long long k = 0; k < last && d->worst == DOMAIN_FINE; k++)
        step(d);
    if (d->worst == DOMAIN_FINE) { // what moved last is compared, too
        exchange(d);
        compare(d);
        d->worst = (domain_state)d->link.worst(d->link.context, d->state);
    }
    *narrow = d->worst == DOMAIN_NARROW;
    if (d->worst == DOMAIN_FINE)
        return MC_OK;
    if (*narrow)
        return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                            "a collision reaches past the halo at t = %g s", mc_run_time(d->run));
    if (d->state == DOMAIN_FAILED)
        *error = d->error;
    else
        mc_error_set(error, MC_FAILED, NULL, 0, 0, "%s", "");
    return error->code;
}

// ---- creation ----

domain *domain_create(const mc_scenario *given, const mc_run_options *options, int halo,
                      const domain_link *link, mc_error *error)
{
    domain *d = calloc(1, sizeof *d);
    mc_status status = MC_OK;
    if (d) {
        d->link = *link;
        d->whole = scenario_of(given);
        status = make(d, given, options, halo, error);
    } else {
        status = no_memory(error);
    }
    if (link->worst(link->context, status != MC_OK) > 0.0) {
        if (status == MC_OK)
            mc_error_set(error, MC_FAILED, NULL, 0, 0, "%s", "");
        domain_destroy(d);
        return NULL;
    }
    make_stations(d);
    d->run->meet = meet;
    d->run->meet_context = d;
    d->run->world->agree = agree;
    d->run->world->agree_context = d;
    return d;
}

void domain_destroy(domain *d)
{
    if (!d)
        return;
    mc_run_destroy(d->run);
    domain_cut_free(&d->cut);
    free(d->slot);
    free(d->key);
    free(d->peers);
    free(d->memory);
    free(d->words);
    free(d->kept);
    free(d->told);
    free(d->hits);
    free(d->near);
    free(d);
}

int domain_copy_count(const domain *d)
{
    return d->copy_count;
}

// ---- sums over all cars ----

typedef void add_car(const domain *d, int vehicle, domain_sum *sum);

static void add_motion(const domain *d, int vehicle, domain_sum *sum)
{
    const mc_run *r = d->run;
    const int slot = d->slot[vehicle];
    double state[WORLD_STATE_MAX];
    int index;
    const mc_batch *batch = batch_of(r, slot, &index);
    batch->kind->save(batch, index, state);
    sum->hash =
        bytes_hash(sum->hash, state, sizeof(double) * (size_t)batch->kind->save_size(batch));
    sum->speed += r->motion[slot].v;
    sum->hits += r->rare[slot].hits;
    mc_run_view view;
    mc_run_look(r, r->rare[slot].vehicle, &view);
    sum->smallest_gap = fmin(sum->smallest_gap, view.gap); // NAN: no car in front
}

static void add_inputs(const domain *d, int vehicle, domain_sum *sum)
{
    const int slot = d->slot[vehicle];
    sum->hash = bytes_hash(sum->hash, &d->run->inputs[slot], sizeof d->run->inputs[slot]);
}

static void add_law(const domain *d, int vehicle, domain_sum *sum)
{
    const size_t stride = (size_t)d->run->law_stride;
    sum->hash = bytes_hash(sum->hash, d->run->law_memory + (size_t)d->slot[vehicle] * stride,
                           stride * sizeof *d->run->law_memory);
}

static void add_inner(const domain *d, int vehicle, domain_sum *sum)
{
    const inner_state *inner = &d->run->car[d->slot[vehicle]].inner;
    sum->hash = bytes_hash(sum->hash, inner, sizeof *inner);
}

// Obstacles are the last bodies of the world, and the same in every domain.
static void add_obstacles(const domain *d, domain_sum *sum)
{
    const mc_world *w = d->run->world;
    double state[WORLD_STATE_MAX];
    for (int id = d->run->count; id < w->vehicle_count; id++) {
        mc_batch *batch = w->body[id].batch;
        batch->kind->save(batch, w->body[id].index, state);
        sum->hash =
            bytes_hash(sum->hash, state, sizeof(double) * (size_t)batch->kind->save_size(batch));
    }
}

// The sum goes from domain to domain along the order: it is at *at, and then at the last one.
static void pass(domain *d, const int *vehicle_at, add_car *add, int *at, domain_sum *sum)
{
    for (int k = 0; k < d->whole->vehicle_count; k++) {
        const int vehicle = vehicle_at ? vehicle_at[k] : k, owner = d->cut.owner[vehicle];
        if (owner != *at)
            d->link.hand(d->link.context, *at, owner, sum, sizeof *sum);
        *at = owner;
        if (owner == d->link.rank)
            add(d, vehicle, sum);
    }
}

mc_status domain_sum_up(domain *d, domain_sum *sum, mc_error *error)
{
    const size_t n = (size_t)d->whole->vehicle_count;
    int at = 0;
    int *slot = malloc((2 * n + 1) * sizeof *slot), *vehicle_at = slot ? slot + n : NULL;
    if (d->link.worst(d->link.context, slot == NULL) > 0.0) {
        free(slot);
        return no_memory(error);
    }
    run_slots(d->whole, slot, vehicle_at);
    *sum = (domain_sum){.hash = BYTES_HASH_START, .smallest_gap = HUGE_VAL};
    pass(d, NULL, add_motion, &at, sum); // in the order of mc_run_hash
    if (at == d->link.rank)
        add_obstacles(d, sum);
    if (at == d->link.rank)
        sum->hash = bytes_hash(sum->hash, &d->run->step, sizeof d->run->step);
    pass(d, vehicle_at, add_inputs, &at, sum);
    pass(d, vehicle_at, add_law, &at, sum);
    pass(d, vehicle_at, add_inner, &at, sum);
    if (at != 0)
        d->link.hand(d->link.context, at, 0, sum, sizeof *sum);
    free(slot);
    return MC_OK;
}
