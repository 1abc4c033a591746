// test_saved.c - what is saved is what runs. Random sessions in the studio: gains, hills, laws,
// cars that come and go, hands, faults, branches, undone and moved changes; on a road with a bend
// and ramps also lanes, steering, levels of the ERSC, manoeuvres of platoons, sources, edits of
// ramps and obstacles. Then every world is saved as a scenario with its log, as a log, as a state,
// and as checkpoints of the saved scenario; each is run from its start or resumed, by the code of
// `motorcade run` and by the studio, and must end with the hash of the world.
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

// Three lanes through a bend, with cars that enter by flow and leave at the ends of the roads. Two
// platoons drive in the automated lane, one behind the other; drivers with and without check-in are
// beside them.
static const char lateral_text[] =
    "motorcade: scenario # for sessions across the road\n"
    "name: Lateral sessions\n"
    "time: {end: 18, step: 0.04, record: 0.2}\n"
    "road:\n"
    "  lanes: 3\n"
    "  lane_width: 3.6\n"
    "  speed: 24\n"
    "  headway: 0.8\n"
    "  distance: 2\n"
    "  line: [{straight: 150}, {clothoid: 60, to_radius: 400}, {arc: 150, radius: 400},\n"
    "         {clothoid: 60}, {straight: 400}]\n"
    "  ersc: {level: 4, controller: cruise}\n"
    "  sections: [{lane: 3, from: 300, to: 500, speed: 20}]\n"
    "  ramps:\n"
    "    - {name: In, kind: \"on\", at: 180, length: 150, speed: 18,\n"
    "       line: [{arc: 80, radius: -200}, {straight: 60}]}\n"
    "    - {name: Out, kind: \"off\", at: 590, length: 120, speed: 16,\n"
    "       line: [{straight: 60}, {arc: 80, radius: -200}]}\n"
    "models:\n"
    "  car: bicycle\n"
    "  four: planar\n"
    "  dot: {kind: point, lag: 0.2}\n"
    "  town: {kind: powertrain}\n"
    "profiles: {slow: 14, wave: {formula: 20 + 2*sin(0.6*t)}}\n"
    "controllers:\n"
    "  follow: {law: platoon, headway: 0.8, distance: 3, steering: preview}\n"
    "  cruise: {law: acc, headway: 1, distance: 4, avoid: true, lane_change: {free: true}}\n"
    "  human: {law: idm, headway: 1.1, distance: 2, speed: 23, manual: true,\n"
    "          steering: stanley, lane_change: {free: true, pause: 2}}\n"
    "platoons:\n"
    "  - {lane: 1, x: 190, leader: {model: car, profile: wave},\n"
    "     cars: [{model: car, name: car, count: 2, controller: follow}]}\n"
    "  - {lane: 1, x: 90, leader: {model: town, name: second, profile: 20},\n"
    "     cars: [{model: dot, name: after, controller: follow}]}\n"
    "vehicles:\n"
    "  - {model: car, name: ann, lane: 2, x: 120, v: 21, controller: human}\n"
    "  - {model: four, name: bob, lane: 2, x: 60, v: 20, controller: human}\n"
    "  - {model: dot, name: cy, lane: 3, x: 430, v: 20, controller: human, exit: Out}\n"
    "  - {model: car, name: guest, ramp: In, x: 40, v: 15, controller: human}\n"
    "  - {model: dot, name: late, ramp: In, x: 5, v: 15, controller: human, from: 6}\n"
    "sources:\n"
    "  - {name: right, flow: 900, lane: 3, mix: {dot: 0.7, car: 0.3}, controller: human, v: 19,\n"
    "     exits: {Out: 0.4}}\n"
    "  - {name: in, flow: 600, ramp: In, model: dot, controller: human, v: 15, x: 0}\n"
    "events:\n"
    "  - {at: 1, vehicle: ann, check_in: true}\n"
    "  - {at: 4, until: 9, vehicle: bob, sensor_bias: 0.5}\n"
    "  - {at: 7, vehicle: bob, lane: 3}\n"
    "expect: collisions < 1000\n";

typedef struct session session;

typedef struct family { // of sessions
    const char *text;   // scenario
    double last;        // s, that is played at most: a world at its end sends no clock
    double play;        // s, that is played at once at most
    const char *const *cars, *const *controllers;
    unsigned car_count, controller_count;
    void (*const *acts)(session *);
    unsigned act_count;
} family;

struct session {
    const family *of;
    uint64_t seed;
    run_folder folder;
    hub *h;
    test_page p;
    double t;       // s, how far it was played
    int world;      // the newest one
    int done, kept; // requests; those that were carried out
    FILE *told;     // session.txt: what was asked, for who looks into a failure
};

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
    const int world = (int)pick(s, (unsigned)s->world + 1);
    json_t *a = test_page_ask(&s->p, "{\"world\": %d%s, %s}", world, at, text);
    const bool done = strcmp(test_text(a, "kind"), "done") == 0;
    s->done++;
    s->kept += done;
    fprintf(s->told, "%.3f s, world %d%s: %s\n    %s %s\n", s->t, world, at, text,
            done ? "done" : "rejected", test_text(a, done ? "text" : "reason"));
    if (json_is_true(json_object_get(a, "branched")))
        s->world = (int)test_number(a, "world");
    json_decref(a);
}

static void play(session *s, double by)
{
    if (s->t + by > s->of->last)
        return;
    s->t += by;
    test_page_tell(&s->p, "{\"kind\": \"time\", \"t\": 0, \"playing\": true, \"live\": true, "
                          "\"rate\": 40}");
    double end = test_page_wait_end(&s->p, 0, s->t);
    if (!(end >= s->t))
        fail_msg("world 0 stays at %.3f s, before %.3f s; see %s", end, s->t, s->folder.path);
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

static const char *any_car(session *s)
{
    return s->of->cars[pick(s, s->of->car_count)];
}

static const char *any_controller(session *s)
{
    return s->of->controllers[pick(s, s->of->controller_count)];
}

static void set_number(session *s)
{
    static const char *const gains[] = {"k1", "k2", "k3", "headway", "user1"};
    static const char *const params[] = {"mass", "headway", "distance", "speed", "k2", "lag"};
    if (pick(s, 2))
        ask(s, "\"kind\": \"set\", \"controller\": \"%s\", \"param\": \"%s\", \"value\": %.17g",
            any_controller(s), ONE_OF(s, gains), between(s, 0.3, 4.0));
    else if (pick(s, 8) == 0)
        ask(s, "\"kind\": \"set\", \"vehicle\": \"car1\", \"param\": \"headway\", \"value\": null");
    else
        ask(s, "\"kind\": \"set\", \"vehicle\": \"%s\", \"param\": \"%s\", \"value\": %.17g",
            any_car(s), ONE_OF(s, params),
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
            any_car(s), ONE_OF(s, plain), between(s, 0.0, 1.0));
    else
        ask(s,
            "\"kind\": \"fault\", \"vehicle\": \"%s\", \"event\": \"%s\", \"value\": %.17g, "
            "\"shape\": \"%s\"",
            any_car(s), ONE_OF(s, shaped), between(s, -1.0, 1.0), ONE_OF(s, shapes));
}

static void push_from_outside(session *s)
{
    static const char *const shapes[] = {"step", "sine 0.4 Hz", "noise for 0.5 s"};
    ask(s,
        "\"kind\": \"fault\", \"vehicle\": \"%s\", \"event\": \"force\", \"value\": %.17g, "
        "\"shape\": \"%s\"",
        any_car(s), between(s, -2000.0, 2000.0), ONE_OF(s, shapes));
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
        ask(s, "\"kind\": \"estimator\", \"vehicle\": \"%s\", \"estimator\": \"%s\"", any_car(s),
            ONE_OF(s, names));
}

// Inputs up to these, each held for a while.
static void drive_with(session *s, double throttle, double brake, double steer, double a,
                       double held)
{
    const char *car = any_car(s);
    const int world = (int)pick(s, (unsigned)s->world + 1);
    for (unsigned k = 0, count = 1 + pick(s, 3); k < count; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "{\"kind\": \"drive\", \"world\": %d, \"vehicle\": \"%s\", \"throttle\": %.17g, "
                 "\"brake\": %.17g, \"steer\": %.17g, \"acceleration\": %.17g}",
                 world, car, between(s, 0.0, throttle), pick(s, 2) ? 0.0 : between(s, 0.0, brake),
                 between(s, -steer, steer), between(s, -a, a));
        fprintf(s->told, "%.3f s: %s\n", s->t, text);
        test_page_tell(&s->p, "%s", text);
        play(s, held);
    }
    fprintf(s->told, "%.3f s: release\n", s->t);
    test_page_tell(&s->p, "{\"kind\": \"release\", \"world\": %d, \"vehicle\": \"%s\"}", world,
                   car);
}

static void drive(session *s)
{
    drive_with(s, 1.0, 0.5, 0.0, 2.0, 0.15);
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
            ONE_OF(s, models), any_controller(s), any_car(s), ONE_OF(s, where));
        break;
    case 2:
        ask(s, "\"kind\": \"car\", \"op\": \"remove\", \"vehicle\": \"%s\"", any_car(s));
        break;
    case 3:
        ask(s, "\"kind\": \"car\", \"op\": \"controller\", \"vehicle\": \"%s\", \"name\": \"%s\"",
            any_car(s), any_controller(s));
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
            any_controller(s), ONE_OF(s, laws));
    else
        ask(s,
            "\"kind\": \"law\", \"controller\": \"%s\", \"text\": \"c := %.3f [1/s]\\n# own\\na = "
            "c*(v_front - v)\"",
            any_controller(s), between(s, 0.2, 1.0));
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

// ---- across the road ----

static void change_lane(session *s)
{
    ask(s, "\"kind\": \"%s\", \"vehicle\": \"%s\", \"lane\": %u",
        pick(s, 3) ? "lane" : "driver_lane", any_car(s), 1 + pick(s, 4));
}

static void check(session *s)
{
    if (pick(s, 3) == 0)
        ask(s, "\"kind\": \"ersc\", \"level\": %u", pick(s, 5));
    else
        ask(s, "\"kind\": \"%s\", \"vehicle\": \"%s\"", pick(s, 3) ? "check_in" : "check_out",
            any_car(s));
}

static void change_rules(session *s)
{
    static const char *const uses[] = {"any", "automated", "manual", "closed"};
    const double from = between(s, 100.0, 600.0), to = from + between(s, 20.0, 200.0);
    switch (pick(s, 3)) {
    case 0:
        ask(s,
            "\"kind\": \"section\", \"lane\": %u, \"from\": %.17g, \"to\": %.17g, \"%s\": \"%s\"",
            1 + pick(s, 3), from, to, pick(s, 2) ? "use" : "enter", ONE_OF(s, uses));
        break;
    case 1:
        ask(s,
            "\"kind\": \"section\", \"lane\": %u, \"from\": %.17g, \"to\": %.17g, \"speed\": %.17g",
            1 + pick(s, 3), from, to, between(s, 12.0, 28.0));
        break;
    default:
        ask(s,
            "\"kind\": \"section\", \"lane\": %u, \"from\": %.17g, \"to\": %.17g, \"headway\": "
            "%.17g, \"separation\": %.17g",
            1 + pick(s, 3), from, to, between(s, 0.6, 2.0), between(s, 20.0, 60.0));
    }
}

static void manoeuvre(session *s)
{
    switch (pick(s, 5)) {
    case 0:
    case 1:
        ask(s, "\"kind\": \"join\", \"vehicle\": \"%s\", \"platoon\": %u", any_car(s),
            1 + pick(s, 3));
        break;
    case 2:
        ask(s, "\"kind\": \"leave\", \"vehicle\": \"%s\", \"lane\": %u", any_car(s),
            1 + pick(s, 3));
        break;
    case 3:
        ask(s, "\"kind\": \"split\", \"vehicle\": \"%s\", \"gap\": %.17g", any_car(s),
            between(s, 10.0, 60.0));
        break;
    default:
        ask(s, "\"kind\": \"merge\", \"vehicle\": \"%s\"", pick(s, 2) ? "second" : any_car(s));
    }
}

static void steer(session *s)
{
    drive_with(s, 0.6, 0.3, 0.03, 1.0, 0.4);
}

#define ON_RAMP                                                                                    \
    "{\"name\": \"In\", \"kind\": \"on\", \"at\": 180, \"length\": %.17g, \"speed\": %.17g, "      \
    "\"line\": [{\"arc\": 80, \"radius\": -200}, {\"straight\": 60}]}"
#define OFF_RAMP                                                                                   \
    "{\"name\": \"%s\", \"kind\": \"off\", \"at\": %.17g, \"length\": 120, \"speed\": 16, "        \
    "\"line\": [{\"straight\": 60}, {\"arc\": 80, \"radius\": -200}]}"

static void change_road(session *s)
{
    const double length = between(s, 120.0, 165.0), speed = between(s, 14.0, 22.0);
    switch (pick(s, 6)) {
    case 0: // other ramps at the same places
        ask(s, "\"kind\": \"edit\", \"edit\": {\"road\": {\"ramps\": [" ON_RAMP ", " OFF_RAMP "]}}",
            length, speed, "Out", 590.0);
        break;
    case 1: // a third one
        ask(s,
            "\"kind\": \"edit\", \"edit\": {\"road\": {\"ramps\": [" ON_RAMP ", " OFF_RAMP
            ", " OFF_RAMP "]}}",
            length, speed, "Out", 590.0, "Far", 780.0);
        break;
    case 2: // one less: rejected while vehicles are to come from it or to leave there
        ask(s, "\"kind\": \"edit\", \"edit\": {\"road\": {\"ramps\": [" ON_RAMP "]}}", length,
            speed);
        break;
    case 3:
        ask(s,
            "\"kind\": \"edit\", \"edit\": {\"obstacles\": [{\"name\": \"pole\", \"shape\": "
            "\"cylinder\", \"x\": %.17g, \"y\": %.17g, \"length\": 0.4}, {\"name\": \"wall\", "
            "\"x\": "
            "%.17g, \"y\": 3, \"length\": 4, \"width\": 0.4, \"heading\": 0.1}]}",
            between(s, 250.0, 600.0), between(s, -12.0, 3.0), between(s, 250.0, 600.0));
        break;
    case 4:
        ask(s, "\"kind\": \"edit\", \"edit\": {\"road\": {\"lanes\": %u}}", 3 + pick(s, 2));
        break;
    default:
        ask(s,
            "\"kind\": \"edit\", \"edit\": {\"add\": {\"model\": \"%s\", \"controller\": "
            "\"human\", "
            "\"ramp\": \"In\", \"x\": %.17g, \"v\": 15}}",
            pick(s, 2) ? "car" : "dot", between(s, 0.0, 60.0));
    }
}

// ---- families ----

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char *const along_cars[] = {"leader", "car1", "car2",   "small", "pedals",
                                         "late",   "car3", "second", "beside"};
static const char *const along_controllers[] = {"follow", "radio"};
static void (*const along_acts[])(session *) = {
    set_number, set_number,      command_road,      break_something, drive,
    drive,      change_cars,     change_cars,       change_law,      rewrite,
    estimate,   change_scenario, push_from_outside, share_leaders,   estimate};
static const family along = {.text = scenario_text,
                             .last = 5.0,
                             .play = 0.5,
                             .cars = along_cars,
                             .controllers = along_controllers,
                             .car_count = COUNT(along_cars),
                             .controller_count = COUNT(along_controllers),
                             .acts = along_acts,
                             .act_count = COUNT(along_acts)};

static const char *const across_cars[] = {"leader", "car1",   "car2",   "second", "after", "ann",
                                          "ann",    "bob",    "bob",    "cy",     "guest", "guest",
                                          "late",   "right1", "right2", "in1",    "in2",   "car3"};
static const char *const across_controllers[] = {"follow", "cruise", "human"};
static void (*const across_acts[])(session *) = {
    change_lane, change_lane,  change_lane, check,        check,           check,
    manoeuvre,   manoeuvre,    manoeuvre,   change_rules, change_rules,    steer,
    steer,       change_road,  change_road, change_road,  rewrite,         rewrite,
    set_number,  command_road, change_law,  change_cars,  break_something, share_leaders};
static const family across = {.text = lateral_text,
                              .last = 15.0,
                              .play = 2.0,
                              .cars = across_cars,
                              .controllers = across_controllers,
                              .car_count = COUNT(across_cars),
                              .controller_count = COUNT(across_controllers),
                              .acts = across_acts,
                              .act_count = COUNT(across_acts)};

static void act(session *s)
{
    s->of->acts[pick(s, s->of->act_count)](s);
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

static void one_session(const family *of, tally *k, long i)
{
    session s = {.of = of, .seed = k->seed, .folder = run_folder_make()};
    char path[200];
    run_put(&s.folder, "session.yaml", of->text);
    run_put(&s.folder, "pedals.csv", "t,throttle,brake\n0,0.3,0\n2,0,0.1\n3,0.2,0\n");
    snprintf(path, sizeof path, "%s/session.yaml", s.folder.path);
    s.h = test_hub(path, false);
    snprintf(path, sizeof path, "%s/session.txt", s.folder.path);
    s.told = fopen(path, "w");
    assert_true(s.h && s.told);
    setvbuf(s.told, NULL, _IOLBF, 0);
    test_page_open(&s.p, s.h);
    for (unsigned n = 0, count = 6 + pick(&s, 10); n < count; n++) {
        if (pick(&s, 3))
            play(&s, between(&s, 0.02, of->play));
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
    fclose(s.told);
    run_folder_remove(&s.folder);
    k->requests += s.done, k->taken += s.kept;
    k->seed = s.seed;
}

static void run_family(const family *of, const char *name, long sessions)
{
    tally k = {.seed = 20261117};
    series all = series_open(name, sessions, &k, sizeof k);
    for (long i; series_next(&all, &i);)
        one_session(of, &k, i);
    printf("%ld sessions, %d worlds, %d requests, %d carried out\n", all.count, k.worlds,
           k.requests, k.taken);
    assert_true(k.worlds >= all.count && k.taken > 2 * all.count);
}

static void saved_worlds_are_the_worlds(void **unused)
{
    (void)unused;
    run_family(&along, "saved worlds", 200);
}

static void saved_lateral_worlds_are_the_worlds(void **unused)
{
    (void)unused;
    run_family(&across, "saved lateral worlds", 150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saved_worlds_are_the_worlds),
        cmocka_unit_test(saved_lateral_worlds_are_the_worlds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
