// test_saved.c - what is saved is what runs. Random sessions in the studio: gains, hills, laws,
// cars that come and go, hands, faults, branches, undone and moved changes. Then every world is
// saved as a scenario with its log, as a log, as a state, and as checkpoints of the saved scenario;
// each is run from its start or resumed, by the code of `motorcade run` and by the studio, and must
// end with the hash of the world.
#include "motorcade/record.h"
#include "support/hub_page.h"
#include "support/run.h"
#include "support/series.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// A car joins by itself, something happens by itself, and a driver's file is named.
static const char scenario_text[] =
    "motorcade: scenario # for sessions\n"
    "name: Sessions\n"
    "time: {end: 6, step: 0.02, record: 0.04}\n"
    "road: {lanes: 2, headway: 0.5, distance: 3}\n"
    "models:\n"
    "  town: {kind: powertrain}\n"
    "  heavy: {like: town, mass: 2600}\n"
    "  dot: {kind: point, lag: 0.2}\n"
    "profiles: {slow: 14, wave: {formula: 20 + 3*sin(2*t)}}\n"
    "estimators: {weigh: {method: mass}, squares: {method: mass_squares}}\n"
    "controllers: # two laws\n"
    "  follow: {law: platoon, k1: 0.8, k2: 2, k3: 4}\n"
    "  radio: {law: ploeg, radio: {delay: 0.06, loss: 0.1}, fallback: {law: acc}}\n"
    "platoons:\n"
    "  - leader: {model: town, profile: wave}\n"
    "    cars:\n"
    "      - {model: town, name: car, count: 2, controller: follow}\n"
    "      - {model: dot, name: small, controller: radio}\n"
    "  - {leader: {model: town, name: second, profile: wave}, lane: 2, x: 200,\n"
    "     cars: [{model: heavy, name: beside, controller: follow}]}\n"
    "vehicles:\n"
    "  - {model: town, name: pedals, lane: 2, x: -60, v: 18, driver: pedals.csv}\n"
    "  - {model: dot, name: late, lane: 2, x: 60, v: 20, controller: follow, from: 0.9}\n"
    "events:\n"
    "  - {at: 0.7, until: 1.9, vehicle: car1, sensor_bias: 0.6}\n"
    "  - {at: 1.3, vehicle: small, controller: follow}\n"
    "expect: collisions < 1000\n";

typedef struct session {
    uint64_t seed;
    run_folder folder;
    hub *h;
    test_page p;
    double t;       // s, how far it was played
    int world;      // the newest one
    int done, kept; // requests; those that were carried out
} session;

static unsigned pick(session *s, unsigned count)
{
    s->seed = s->seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(s->seed >> 33) % count;
}

static double between(session *s, double from, double to)
{
    return from + (to - from) * pick(s, 100001) / 1e5;
}

#define ONE_OF(s, list) (list)[pick(s, sizeof(list) / sizeof *(list))]

// ---- a session ----

static void ask(session *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Adds `world` and, now and then, `at`, an instant of the past: then it branches off.
static void ask(session *s, const char *format, ...)
{
    char text[2000], at[64] = "";
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (pick(s, 9) == 0)
        snprintf(at, sizeof at, ", \"at\": %.3f", between(s, 0.0, s->t));
    json_t *a = test_page_ask(&s->p, "{\"world\": %d%s, %s}", (int)pick(s, (unsigned)s->world + 1),
                              at, text);
    s->done++;
    s->kept += strcmp(test_text(a, "kind"), "done") == 0;
    if (json_is_true(json_object_get(a, "branched")))
        s->world = (int)test_number(a, "world");
    json_decref(a);
}

static void play(session *s, double by)
{
    if (s->t + by > 5.0) // a world at its end sends no clock
        return;
    s->t += by;
    test_page_tell(&s->p, "{\"kind\": \"time\", \"t\": 0, \"playing\": true, \"live\": true, "
                          "\"rate\": 40}");
    double end = test_page_wait_end(&s->p, 0, s->t);
    test_page_tell(&s->p, "{\"kind\": \"time\", \"t\": 0, \"playing\": false, \"live\": true, "
                          "\"rate\": 1}");
    for (bool running = true; running;) {
        json_t *clock = test_page_wait(&s->p, "clock");
        assert_non_null(clock);
        running = json_is_true(json_object_get(clock, "running"));
        end = test_number(json_array_get(json_object_get(clock, "worlds"), 0), "end");
        json_decref(clock);
    }
    s->t = end;
}

static const char *const cars[] = {"leader", "car1", "car2",   "small", "pedals",
                                   "late",   "car3", "second", "beside"};
static const char *const controllers[] = {"follow", "radio"};

static void set_number(session *s)
{
    static const char *const gains[] = {"k1", "k2", "k3", "headway", "user1"};
    static const char *const params[] = {"mass", "headway", "distance", "speed", "k2", "lag"};
    if (pick(s, 2))
        ask(s, "\"kind\": \"set\", \"controller\": \"%s\", \"param\": \"%s\", \"value\": %.17g",
            ONE_OF(s, controllers), ONE_OF(s, gains), between(s, 0.3, 4.0));
    else if (pick(s, 8) == 0)
        ask(s, "\"kind\": \"set\", \"vehicle\": \"car1\", \"param\": \"headway\", \"value\": null");
    else
        ask(s, "\"kind\": \"set\", \"vehicle\": \"%s\", \"param\": \"%s\", \"value\": %.17g",
            ONE_OF(s, cars), ONE_OF(s, params),
            pick(s, 3) ? between(s, 0.5, 3.0) : between(s, 1000.0, 3000.0));
}

static void command_road(session *s)
{
    static const char *const names[] = {"headway", "distance", "speed"};
    const unsigned k = pick(s, 3);
    ask(s, "\"kind\": \"road\", \"%s\": %.17g", names[k],
        k == 2 ? between(s, 10.0, 25.0) : between(s, 0.3, 2.0));
}

static void break_something(session *s)
{
    static const char *const plain[] = {"brake_lost", "throttle_stuck", "radio_loss", "radio_delay",
                                        "sensor_noise"};
    static const char *const shaped[] = {"push", "sensor_bias"};
    static const char *const shapes[] = {"step", "sine 0.4 Hz", "noise for 0.5 s"};
    if (pick(s, 2))
        ask(s, "\"kind\": \"fault\", \"vehicle\": \"%s\", \"event\": \"%s\", \"value\": %.17g",
            ONE_OF(s, cars), ONE_OF(s, plain), between(s, 0.0, 1.0));
    else
        ask(s,
            "\"kind\": \"fault\", \"vehicle\": \"%s\", \"event\": \"%s\", \"value\": %.17g, "
            "\"shape\": \"%s\"",
            ONE_OF(s, cars), ONE_OF(s, shaped), between(s, -1.0, 1.0), ONE_OF(s, shapes));
}

static void push_from_outside(session *s)
{
    static const char *const shapes[] = {"step", "sine 0.4 Hz", "noise for 0.5 s"};
    ask(s,
        "\"kind\": \"fault\", \"vehicle\": \"%s\", \"event\": \"force\", \"value\": %.17g, "
        "\"shape\": \"%s\"",
        ONE_OF(s, cars), between(s, -2000.0, 2000.0), ONE_OF(s, shapes));
}

static void share_leaders(session *s)
{
    static const char *const leaders[] = {"leader", "second"};
    ask(s, "\"kind\": \"lead\", \"vehicle\": \"%s\", \"platoon\": %u", ONE_OF(s, leaders),
        pick(s, 3));
}

static void estimate(session *s)
{
    static const char *const names[] = {"weigh", "squares", "none"};
    if (pick(s, 4) == 0)
        ask(s, "\"kind\": \"edit\", \"edit\": {\"braking_step\": %g}", pick(s, 2) ? 0.005 : 0.01);
    else
        ask(s, "\"kind\": \"estimator\", \"vehicle\": \"%s\", \"estimator\": \"%s\"",
            ONE_OF(s, cars), ONE_OF(s, names));
}

static void drive(session *s)
{
    const char *car = ONE_OF(s, cars);
    const int world = (int)pick(s, (unsigned)s->world + 1);
    for (unsigned k = 0, count = 1 + pick(s, 3); k < count; k++) {
        test_page_tell(&s->p,
                       "{\"kind\": \"drive\", \"world\": %d, \"vehicle\": \"%s\", \"throttle\": "
                       "%.17g, \"brake\": %.17g, \"steer\": 0, \"acceleration\": %.17g}",
                       world, car, between(s, 0.0, 1.0), pick(s, 2) ? 0.0 : between(s, 0.0, 0.5),
                       between(s, -2.0, 2.0));
        play(s, 0.15);
    }
    test_page_tell(&s->p, "{\"kind\": \"release\", \"world\": %d, \"vehicle\": \"%s\"}", world,
                   car);
}

static void change_cars(session *s)
{
    static const char *const models[] = {"town", "heavy", "dot"};
    static const char *const where[] = {"front", "behind"};
    switch (pick(s, 5)) {
    case 0:
    case 1:
        ask(s,
            "\"kind\": \"car\", \"op\": \"add\", \"model\": \"%s\", \"controller\": \"%s\", "
            "\"beside\": \"%s\", \"where\": \"%s\"",
            ONE_OF(s, models), ONE_OF(s, controllers), ONE_OF(s, cars), ONE_OF(s, where));
        break;
    case 2:
        ask(s, "\"kind\": \"car\", \"op\": \"remove\", \"vehicle\": \"%s\"", ONE_OF(s, cars));
        break;
    case 3:
        ask(s, "\"kind\": \"car\", \"op\": \"controller\", \"vehicle\": \"%s\", \"name\": \"%s\"",
            ONE_OF(s, cars), ONE_OF(s, controllers));
        break;
    default:
        ask(s,
            "\"kind\": \"car\", \"op\": \"profile\", \"vehicle\": \"leader\", \"name\": \"slow\"");
    }
}

static void change_law(session *s)
{
    static const char *const laws[] = {"acc", "platoon", "idm", "ploeg"};
    if (pick(s, 2))
        ask(s, "\"kind\": \"car\", \"op\": \"law\", \"controller\": \"%s\", \"name\": \"%s\"",
            ONE_OF(s, controllers), ONE_OF(s, laws));
    else
        ask(s,
            "\"kind\": \"law\", \"controller\": \"%s\", \"text\": \"c := %.3f [1/s]\\n# own\\na = "
            "c*(v_front - v)\"",
            ONE_OF(s, controllers), between(s, 0.2, 1.0));
}

static void change_scenario(session *s)
{
    switch (pick(s, 4)) {
    case 0:
        ask(s,
            "\"kind\": \"grades\", \"grades\": [{\"from\": %.1f, \"to\": %.1f, \"grade\": %.17g}]",
            between(s, 0.0, 40.0), between(s, 60.0, 120.0), between(s, -0.05, 0.05));
        break;
    case 1:
        ask(s, "\"kind\": \"step\", \"step\": %g", pick(s, 2) ? 0.01 : 0.02);
        break;
    case 2:
        ask(s, "\"kind\": \"edit\", \"edit\": {\"road\": {\"lanes\": 3}}");
        break;
    default:
        ask(s, "\"kind\": \"end\", \"end\": %g", 6.0 + pick(s, 3));
    }
}

static void rewrite(session *s)
{
    const int index = (int)pick(s, 6);
    switch (pick(s, 4)) {
    case 0:
        ask(s, "\"kind\": \"log_remove\", \"index\": %d", index);
        break;
    case 1:
        ask(s, "\"kind\": \"log_move\", \"index\": %d, \"t\": %.3f", index, between(s, 0.0, s->t));
        break;
    case 2:
        ask(s, "\"kind\": \"undo\"");
        break;
    default:
        ask(s, "\"kind\": \"redo\"");
    }
}

static void act(session *s)
{
    static void (*const acts[])(session *) = {
        set_number, set_number,      command_road,      break_something, drive,
        drive,      change_cars,     change_cars,       change_law,      rewrite,
        estimate,   change_scenario, push_from_outside, share_leaders,   estimate};
    acts[pick(s, sizeof acts / sizeof acts[0])](s);
}

// ---- what was saved ----

typedef struct saved { // of one world
    int world;
    double t;
    unsigned long long hash;
} saved;

static void put_export(session *s, int world, const char *what, const char *name, const char *with)
{
    json_t *a = test_page_ask(&s->p, "{\"kind\": \"export\", \"what\": \"%s\", \"world\": %d}",
                              what, world);
    if (strcmp(test_text(a, "kind"), "done") != 0)
        fail_msg("%s of world %d: %s", what, world, test_text(a, "reason"));
    run_put(&s->folder, name, test_text(a, "text"));
    if (with)
        run_put(&s->folder, with, test_text(json_object_get(a, "with"), "text"));
    json_decref(a);
}

static mc_run *load(session *s, const char *name, const char *log)
{
    char path[200];
    mc_error error = {0};
    snprintf(path, sizeof path, "%s/%s", s->folder.path, name);
    mc_scenario *scenario = mc_scenario_load(path, &error);
    mc_run *run =
        scenario
            ? mc_run_create(scenario, &(mc_run_options){.threads = 1, .interpret = true}, &error)
            : NULL;
    snprintf(path, sizeof path, "%s/%s", s->folder.path, log ? log : "");
    if (!run || (log && mc_run_follow_log(run, path, &error) != MC_OK))
        fail_msg("%s:%d: %s", error.file, error.line, error.text);
    mc_scenario_free(scenario);
    return run;
}

// As `motorcade run --end T --checkpoint FILE [--resume FILE]` does it.
static void play_to(session *s, mc_run *run, double end, const char *resume, const char *checkpoint)
{
    char from[200], to[200];
    mc_error error = {0};
    snprintf(from, sizeof from, "%s/%s", s->folder.path, resume ? resume : "");
    snprintf(to, sizeof to, "%s/%s", s->folder.path, checkpoint ? checkpoint : "");
    const mc_record_output output = {.end = end, .checkpoint = checkpoint ? to : NULL};
    mc_recording *rec = mc_recording_open(run, &output, &error);
    if (!rec || (resume && mc_recording_resume(rec, from, &error) != MC_OK) ||
        mc_recording_play(rec, NULL, &error) != MC_OK)
        fail_msg("%s:%d: %s", error.file, error.line, error.text);
    mc_recording_abandon(rec);
}

static void same(const session *s, long i, const saved *w, const mc_run *run, const char *how)
{
    if (mc_run_hash(run) != w->hash || fabs(mc_run_time(run) - w->t) > 1e-9)
        fail_msg("case %ld, world %d: %s ends at %.9g s with %016llx, the world at %.9g s with "
                 "%016llx; see %s",
                 i, w->world, how, mc_run_time(run), mc_run_hash(run), w->t, w->hash,
                 s->folder.path);
}

// The saved scenario, from its start and from checkpoints; then the log with the scenario it began
// with.
static void check_world(session *s, long i, const saved *w)
{
    mc_run *run = load(s, "scenario.yaml", NULL);
    play_to(s, run, w->t, NULL, NULL);
    same(s, i, w, run, "the scenario");
    mc_run_destroy(run);
    if (w->t > 0.1) {
        const double middle = fmax(0.04, between(s, 0.0, w->t));
        run = load(s, "scenario.yaml", NULL);
        play_to(s, run, middle, NULL, "middle.state");
        mc_run_destroy(run);
        run = load(s, "scenario.yaml", NULL);
        play_to(s, run, w->t, "middle.state", NULL);
        same(s, i, w, run, "the checkpoint");
        mc_run_destroy(run);
    }
    run = load(s, "start.yaml", "log.csv");
    play_to(s, run, w->t, NULL, NULL);
    same(s, i, w, run, "the log");
    mc_run_destroy(run);
}

// In a studio of its own: simulated to the instant, where the hash is compared.
static void check_state(session *s, long i, const saved *w)
{
    char path[200];
    snprintf(path, sizeof path, "%s/saved.mcstate", s->folder.path);
    hub *h = test_hub(path, false);
    assert_non_null(h);
    test_page p;
    test_page_open(&p, h);
    json_t *a = test_page_ask(&p, "{\"kind\": \"export\", \"what\": \"state\", \"world\": 0}");
    json_t *again = json_loads(test_text(a, "text"), 0, NULL);
    if (strtoull(test_text(again, "hash"), NULL, 16) != w->hash ||
        fabs(test_number(again, "t") - w->t) > 1e-9)
        fail_msg("case %ld, world %d: the state leads to %s at %.9g s; %016llx at %.9g s was saved",
                 i, w->world, test_text(again, "hash"), test_number(again, "t"), w->hash, w->t);
    json_decref(again);
    json_decref(a);
    test_page_close(&p);
    hub_destroy(h);
}

// False: there is no such world any more.
static bool save_world(session *s, int world, saved *out)
{
    json_t *a =
        test_page_ask(&s->p, "{\"kind\": \"export\", \"what\": \"state\", \"world\": %d}", world);
    json_t *state = json_loads(test_text(a, "text"), 0, NULL);
    *out = (saved){world, test_number(state, "t"), strtoull(test_text(state, "hash"), NULL, 16)};
    const bool there = state;
    if (there) {
        run_put(&s->folder, "saved.mcstate", test_text(a, "text"));
        put_export(s, world, "scenario", "scenario.yaml", NULL);
        put_export(s, world, "log", "log.csv", "start.yaml");
    }
    json_decref(state);
    json_decref(a);
    return there;
}

typedef struct tally {
    uint64_t seed;
    int requests, taken, worlds, commands;
} tally;

static void one_session(tally *k, long i)
{
    session s = {.seed = k->seed, .folder = run_folder_make()};
    char path[200];
    run_put(&s.folder, "session.yaml", scenario_text);
    run_put(&s.folder, "pedals.csv", "t,throttle,brake\n0,0.3,0\n2,0,0.1\n3,0.2,0\n");
    snprintf(path, sizeof path, "%s/session.yaml", s.folder.path);
    s.h = test_hub(path, false);
    assert_non_null(s.h);
    test_page_open(&s.p, s.h);
    for (unsigned n = 0, count = 6 + pick(&s, 10); n < count; n++) {
        if (pick(&s, 3))
            play(&s, between(&s, 0.02, 0.5));
        act(&s);
    }
    for (int world = 0; world <= s.world; world++) {
        saved w;
        if (!save_world(&s, world, &w))
            continue;
        check_world(&s, i, &w);
        check_state(&s, i, &w);
        k->worlds++;
    }
    test_page_close(&s.p);
    hub_destroy(s.h);
    run_folder_remove(&s.folder);
    k->requests += s.done, k->taken += s.kept;
    k->seed = s.seed;
}

static void saved_worlds_are_the_worlds(void **unused)
{
    (void)unused;
    tally k = {.seed = 20261117};
    series all = series_open("saved worlds", 200, &k, sizeof k);
    for (long i; series_next(&all, &i);)
        one_session(&k, i);
    printf("%ld sessions, %d worlds, %d requests, %d carried out\n", all.count, k.worlds,
           k.requests, k.taken);
    assert_true(k.worlds >= all.count && k.taken > 2 * all.count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saved_worlds_are_the_worlds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
