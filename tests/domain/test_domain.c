// test_domain.c - a run cut into domains: the hash of the whole run, whatever the cut; collisions
// across cuts; what cannot be cut is rejected with its place.
//
// The domains are threads of this process: MPI is not needed for what is tested here.
#include "support/platoon.h"

#include "domain/domain.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { DOMAINS_MAX = 4, PEERS_MAX = DOMAINS_MAX };

// ---- a link between threads ----

typedef struct shared {
    int count;
    pthread_barrier_t barrier;
    domain_peer *peers[DOMAINS_MAX];
    int peer_count[DOMAINS_MAX];
    double value[DOMAINS_MAX];
    // a message between two domains that wait for each other
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const void *bytes[DOMAINS_MAX][DOMAINS_MAX];
} shared;

typedef struct member {
    shared *all;
    int rank;
    const mc_scenario *scenario;
    int halo;
    double end;
    bool created, narrow;
    mc_status status;
    mc_error error;
    domain_sum sum;
    int copies;
} member;

static void exchange(void *context, domain_peer *peers, int count)
{
    const member *m = context;
    shared *all = m->all;
    all->peers[m->rank] = peers;
    all->peer_count[m->rank] = count;
    pthread_barrier_wait(&all->barrier);
    for (int k = 0; k < count; k++)
        for (int j = 0; j < all->peer_count[peers[k].rank]; j++) {
            const domain_peer *from = &all->peers[peers[k].rank][j];
            if (from->rank == m->rank) {
                assert_int_equal(from->send_count, peers[k].receive_count);
                memcpy(peers[k].in, from->out, (size_t)from->send_count * sizeof *from->out);
            }
        }
    pthread_barrier_wait(&all->barrier);
}

static void tell(void *context, domain_peer *peers, int count)
{
    const member *m = context;
    shared *all = m->all;
    pthread_barrier_wait(&all->barrier);
    for (int k = 0; k < count; k++)
        for (int j = 0; j < all->peer_count[peers[k].rank]; j++) {
            const domain_peer *from = &all->peers[peers[k].rank][j];
            if (from->rank == m->rank) {
                assert_true(from->tell_size <= peers[k].told_room);
                peers[k].told_size = from->tell_size;
                memcpy(peers[k].told, from->tell, (size_t)from->tell_size * sizeof *from->tell);
            }
        }
    pthread_barrier_wait(&all->barrier);
}

static double worst(void *context, double value)
{
    const member *m = context;
    m->all->value[m->rank] = value;
    pthread_barrier_wait(&m->all->barrier);
    double all = value;
    for (int k = 0; k < m->all->count; k++)
        all = m->all->value[k] > all ? m->all->value[k] : all;
    pthread_barrier_wait(&m->all->barrier);
    return all;
}

static void hand(void *context, int from, int to, void *bytes, int size)
{
    const member *m = context;
    shared *all = m->all;
    if (m->rank != from && m->rank != to)
        return;
    pthread_mutex_lock(&all->lock);
    const void **place = &all->bytes[from][to];
    if (m->rank == from) {
        *place = bytes;
        pthread_cond_broadcast(&all->changed);
        while (*place)
            pthread_cond_wait(&all->changed, &all->lock);
    } else {
        while (!*place)
            pthread_cond_wait(&all->changed, &all->lock);
        memcpy(bytes, *place, (size_t)size);
        *place = NULL;
        pthread_cond_broadcast(&all->changed);
    }
    pthread_mutex_unlock(&all->lock);
}

static void *live(void *context)
{
    member *m = context;
    const domain_link link = {m, m->rank, m->all->count, exchange, tell, worst, hand};
    const mc_run_options options = {.threads = 1, .interpret = true};
    domain *d = domain_create(m->scenario, &options, m->halo, &link, &m->error);
    m->created = d != NULL;
    m->status = d ? domain_play(d, m->end, &m->narrow, &m->error) : m->error.code;
    m->copies = d ? domain_copy_count(d) : 0;
    if (m->status == MC_OK)
        m->status = domain_sum_up(d, &m->sum, &m->error);
    domain_destroy(d);
    return NULL;
}

static void live_all(const mc_scenario *s, int count, int halo, double end, member out[DOMAINS_MAX])
{
    shared all = {.count = count};
    pthread_t threads[DOMAINS_MAX];
    pthread_barrier_init(&all.barrier, NULL, (unsigned)count);
    pthread_mutex_init(&all.lock, NULL);
    pthread_cond_init(&all.changed, NULL);
    for (int k = 0; k < count; k++) {
        out[k] = (member){.all = &all, .rank = k, .scenario = s, .halo = halo, .end = end};
        assert_int_equal(pthread_create(&threads[k], NULL, live, &out[k]), 0);
    }
    for (int k = 0; k < count; k++)
        pthread_join(threads[k], NULL);
    pthread_cond_destroy(&all.changed);
    pthread_mutex_destroy(&all.lock);
    pthread_barrier_destroy(&all.barrier);
}

// ---- runs ----

static domain_sum whole(const mc_scenario *s, double end, double step)
{
    mc_error error;
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = 1, .interpret = true}, &error);
    assert_non_null(run);
    for (long long last = (long long)floor(end / step + 0.5); mc_run_step_count(run) < last;)
        if (mc_run_step(run, &error) != MC_OK)
            fail_msg("%s", error.text);
    domain_sum sum = {.hash = mc_run_hash(run), .smallest_gap = HUGE_VAL};
    for (int v = 0; v < mc_run_vehicle_count(run); v++) {
        mc_run_view view;
        mc_run_look(run, v, &view);
        sum.speed += view.motion.v;
        sum.hits += view.hits;
        sum.smallest_gap = fmin(sum.smallest_gap, view.gap);
    }
    mc_run_destroy(run);
    return sum;
}

static void same_as_whole(const mc_scenario *s, int count, int halo, double end, double step)
{
    member all[DOMAINS_MAX];
    const domain_sum expected = whole(s, end, step);
    live_all(s, count, halo, end, all);
    for (int k = 0; k < count; k++) {
        if (all[k].status != MC_OK)
            fail_msg("domain %d of %d: %s", k, count, all[k].error.text);
        assert_true(all[k].copies > 0);
    }
    const domain_sum *got = &all[0].sum;
    assert_int_equal(got->hits, expected.hits);
    assert_true(got->speed == expected.speed);
    assert_true(got->smallest_gap == expected.smallest_gap);
    assert_true(got->hash == expected.hash);
}

// Platoons with radios to leaders and to cars ahead and behind, noise and losses, of two types in
// three lanes, listed neither in the order of the road nor of the lanes.
static const char mixed[] =
    "motorcade: scenario\nseed: 11\ntime: {end: 8, step: 0.02}\n"
    "road: {lanes: 3, speed: 30, grades: [{from: 100, to: 300, grade: 4 %}]}\n"
    "profiles: {wave: {formula: \"22 + 3*sin(0.9*t)\"}}\n"
    "models: {car: {kind: powertrain}, slow: {like: car, mass: 2600}, dot: {kind: point, mass: "
    "900}}\n"
    "controllers:\n"
    "  led: {law: consensus, radio: {delay: 0.06, loss: 0.2},"
    " listen: [front, leader, 2, 3, behind], sensor: {range_noise: 0.05}}\n"
    "  calm: {law: acc, headway: 1, avoid: true}\n"
    "platoons:\n"
    "  - {leader: {model: car, name: a0, profile: wave},"
    " cars: [{model: car, name: a, count: 18, controller: led}]}\n"
    "  - {lane: 3, x: 150, leader: {model: dot, name: b0, profile: wave},"
    " cars: [{model: slow, name: b, count: 9, controller: calm},"
    " {model: dot, name: bb, count: 4, controller: led}]}\n"
    "  - {lane: 2, x: 60, leader: {model: car, name: c0, profile: wave},"
    " cars: [{model: car, name: c, count: 12, controller: calm}]}\n"
    "events:\n"
    "  - {at: 1, vehicle: a9, radio_loss: 0.6}\n"
    "  - {at: 2, vehicle: c6, push: -2}\n"
    "  - {at: 3, speed: 18}\n"
    "  - {at: 3, until: 4, vehicle: b5, controller: led}\n";

static void has_the_hash_of_the_whole(void **state)
{
    (void)state;
    mc_scenario *s = platoon_scenario(mixed);
    same_as_whole(s, 2, 8, 8.0, 0.02);
    same_as_whole(s, 3, 2, 8.0, 0.02);
    same_as_whole(s, 4, 1, 8.0, 0.02);
    mc_scenario_free(s);
}

// Cars that steer, through a curve, past one obstacle and into another.
static const char bend[] =
    "motorcade: scenario\nseed: 3\ntime: {end: 7, step: 0.02}\n"
    "road: {lanes: 2, speed: 22, line: [{straight: 60}, {clothoid: 40, to_radius: 150},"
    " {arc: 120, radius: 150}, {clothoid: 60}, {straight: 600}]}\n"
    "models: {car: {kind: bicycle}, dot: {kind: point, mass: 900}}\n"
    "controllers: {calm: {law: acc, headway: 1}}\n"
    "obstacles:\n"
    "  - {name: post, shape: cylinder, x: 140, y: 4, length: 0.4}\n"
    "  - {name: block, shape: box, x: 220, y: 0, length: 2, width: 1, height: 1}\n"
    "platoons:\n"
    "  - {leader: {model: car, name: a0, profile: 22}, x: 90,"
    " cars: [{model: car, name: a, count: 7, controller: calm},"
    " {model: dot, name: b, count: 4, controller: calm}]}\n";

static void drives_through_curves(void **state)
{
    (void)state;
    mc_scenario *s = platoon_scenario(bend);
    assert_true(whole(s, 6.6, 0.02).hits > 0);
    same_as_whole(s, 2, 4, 6.6, 0.02);
    same_as_whole(s, 3, 2, 6.6, 0.02);
    mc_scenario_free(s);
}

// The middle of the platoon, where it is cut, runs into cars that stop.
static const char crash[] =
    "motorcade: scenario\ntime: {end: 9, step: 0.02}\nroad: {headway: 0.4, distance: 3}\n"
    "profiles: {stop: {table: [[0, 25], [1, 25], [4, 0], [9, 0]]}}\n"
    "models: {car: {kind: powertrain, brake_delay: 0.1}}\n"
    "controllers: {follow: {law: acc, headway: 0.4}}\n"
    "platoons: [{leader: {model: car, name: a0, profile: stop},"
    " cars: [{model: car, name: a, count: 15, controller: follow}]}]\n"
    "events: [{at: 1, vehicle: a7, brake_lost: 0}, {at: 1, vehicle: a8, brake_lost: 0.1}]\n";

static void collides_across_a_cut(void **state)
{
    (void)state;
    mc_scenario *s = platoon_scenario(crash);
    assert_true(whole(s, 9.0, 0.02).hits > 0);
    same_as_whole(s, 2, 8, 9.0, 0.02);
    same_as_whole(s, 4, 2, 9.0, 0.02);
    mc_scenario_free(s);
}

// Collisions split the steps of cars beside them: with several lanes that is rejected, not wrong.
static void stops_at_a_collision_beside_other_lanes(void **state)
{
    (void)state;
    char text[sizeof crash + 200];
    member all[DOMAINS_MAX];
    const char *rest = strstr(crash, "platoons: [");
    snprintf(text, sizeof text,
             "%.*splatoons: [{lane: 2, leader: {model: car, name: b0, profile: 25}}, %s",
             (int)(rest - crash), crash, rest + strlen("platoons: ["));
    char *line = strstr(text, "road: {");
    memmove(line + 16, line + 7, strlen(line + 7) + 1);
    memcpy(line + 7, "lanes: 2,", 9);
    mc_scenario *s = platoon_scenario(text);
    live_all(s, 2, 8, 9.0, all);
    bool said = false;
    for (int k = 0; k < 2; k++) {
        assert_int_equal(all[k].status, MC_FAILED);
        assert_false(all[k].narrow);
        said = said || strstr(all[k].error.text, "cars collided, with cars in several lanes");
    }
    assert_true(said);
    mc_scenario_free(s);
}

static void rejected(const char *text, const char *message)
{
    member all[DOMAINS_MAX];
    mc_scenario *s = platoon_scenario(text);
    live_all(s, 2, 8, 1.0, all);
    for (int k = 0; k < 2; k++) {
        assert_false(all[k].created);
        assert_int_equal(all[k].status, MC_BAD_INPUT);
        if (!strstr(all[k].error.text, message))
            fail_msg("\"%s\" is not in \"%s\"", message, all[k].error.text);
    }
    mc_scenario_free(s);
}

#define CARS                                                                                       \
    "models: {car: {kind: powertrain}}\n"                                                          \
    "controllers: {follow: {law: acc, headway: 1}}\n"                                              \
    "platoons: [{leader: {model: car, name: a0, profile: 20},"                                     \
    " cars: [{model: car, name: a, count: 3, controller: follow}]}]\n"

static void rejects_what_cannot_be_cut(void **state)
{
    (void)state;
    rejected("motorcade: scenario\ntime: {end: 8, step: 0.02}\nroad: {lanes: 2}\n" CARS
             "events: [{at: 1, vehicle: a1, lane: 2}]\n",
             "this kind of event: not supported in a run on several processes");
    rejected("motorcade: scenario\ntime: {end: 8, step: 0.02}\n" CARS "expect: [collisions == 0]\n",
             "the section expect: not supported");
    rejected("motorcade: scenario\ntime: {end: 8, step: 0.02}\n" CARS
             "events: [{at: 1, vehicle: a1, force: 100}]\n",
             "this kind of event");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_the_hash_of_the_whole),
        cmocka_unit_test(drives_through_curves),
        cmocka_unit_test(collides_across_a_cut),
        cmocka_unit_test(stops_at_a_collision_beside_other_lanes),
        cmocka_unit_test(rejects_what_cannot_be_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
