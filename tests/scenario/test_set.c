// test_set.c - numbers of a scenario by name: who is meant, units, ranges, all or nothing.
#include "scenario/set.h"
#include "support/models.h"

#include "base/bytes.h"
#include "scenario/scenario.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <cmocka.h>

static const char text[] = "motorcade: scenario\n"
                           "time: {end: 10, step: 0.05, record: 0.1}\n"
                           "road: {headway: 0.8, distance: 4, speed: 25}\n"
                           "models:\n"
                           "  town_car: powertrain\n"
                           "  van: {mass: 2400, powertrain: gears}\n"
                           "  dot: point\n"
                           "controllers:\n"
                           "  follow: {law: acc}\n"
                           "  tight: {law: platoon, k1: 2, headway: 1, radio: {delay: 0.1}}\n"
                           "platoons:\n"
                           "  - leader: {model: town_car, profile: moderate}\n"
                           "    cars:\n"
                           "      - {model: town_car, name: car, count: 2, controller: follow}\n"
                           "      - {model: van, name: van, controller: tight}\n"
                           "      - {model: dot, name: point, controller: follow, spacing: 30}\n";

static scenario *make(void)
{
    mc_error error;
    scenario *s = scenario_parse(text, sizeof text - 1, NULL, &error);
    if (!s)
        fail_msg("%s", error.text);
    return s;
}

static void set(scenario *s, const char *what)
{
    mc_error error;
    if (scenario_set(s, what, &error) != MC_OK)
        fail_msg("%s: %s", what, error.text);
}

static double param(const double *values, const mc_param *params, int count, const char *name)
{
    for (int k = 0; k < count; k++)
        if (strcmp(params[k].name, name) == 0)
            return values[k];
    fail_msg("no parameter %s", name);
    return NAN;
}

static double law_param(const scenario *s, int controller, const char *name)
{
    const scenario_controller *c = &s->controllers[controller];
    return param(c->law_p, c->law->params, c->law->param_count, name);
}

// A bare name means all that have it, a name with an owner one of them.
static void who_is_meant(void **unused)
{
    (void)unused;
    scenario *s = make();
    set(s, "mass=2000");
    for (int k = 0; k < 3; k++)
        assert_true(model_car(s, k)->p[CAR_MASS] == 2000.0);
    set(s, "van.mass=3000");
    assert_true(model_car(s, 0)->p[CAR_MASS] == 2000.0 && model_car(s, 1)->p[CAR_MASS] == 3000.0);
    set(s, "k1=0.7"); // of both laws
    assert_true(law_param(s, 0, "k1") == 0.7 && law_param(s, 1, "k1") == 0.7);
    set(s, "tight.k1=1.5");
    assert_true(law_param(s, 0, "k1") == 0.7 && law_param(s, 1, "k1") == 1.5);
    set(s, "van.final_drive=4");
    assert_true(param(model_car(s, 1)->powertrain_p, model_car(s, 1)->powertrain->params,
                      model_car(s, 1)->powertrain->param_count, "final_drive") == 4.0);
    set(s, "follow.hysteresis=0.3");
    assert_true(s->controllers[0].inner[INNER_HYSTERESIS] == 0.3);
    assert_true(s->controllers[1].inner[INNER_HYSTERESIS] != 0.3);
    set(s, "tight.loss=0.4");
    assert_true(s->controllers[1].link[LINK_LOSS] == 0.4 && s->controllers[0].link[LINK_LOSS] == 0);
    set(s, "reach=90");
    assert_true(s->controllers[0].sensor[SENSOR_REACH] == 90.0);
    set(s, "seed=42");
    assert_true(s->seed == 42);
    set(s, "car2.user3=-7");
    assert_true(s->vehicles[2].user[2] == -7.0 && s->vehicles[1].user[2] != -7.0);
    set(s, "time.end=30");
    set(s, "time.record=0.2");
    assert_true(s->end == 30.0 && s->record == 0.2);
    set(s, "road.speed=31");
    assert_true(s->speed == 31.0);
    scenario_free(s);
}

static void units(void **unused)
{
    (void)unused;
    scenario *s = make();
    set(s, "mass=2.4 t");
    assert_true(fabs(model_car(s, 0)->p[CAR_MASS] - 2400.0) < 1e-9);
    set(s, "van.mass=4055 lb");
    assert_true(fabs(model_car(s, 1)->p[CAR_MASS] - 4055.0 * 0.45359237) < 1e-9);
    set(s, "road.speed=90 km/h");
    assert_true(fabs(s->speed - 25.0) < 1e-12);
    set(s, "tight.delay=150 ms");
    assert_true(fabs(s->controllers[1].link[LINK_DELAY] - 0.15) < 1e-15);
    set(s, "tight.loss=20 %");
    assert_true(fabs(s->controllers[1].link[LINK_LOSS] - 0.2) < 1e-15);
    set(s, "town_car.max_brake=0.5"); // its table is in g
    assert_true(model_car(s, 0)->p[CAR_BRAKE_MAX] == 0.5);
    const char *unit = NULL;
    mc_error error;
    assert_int_equal(scenario_set_unit(s, "mass=1800", &unit, &error), MC_OK);
    assert_string_equal(unit, "kg");
    scenario_free(s);
}

// Cars stand at the gap they are to keep, also behind a changed headway; one with `spacing` stays.
static void places_follow(void **unused)
{
    (void)unused;
    scenario *s = make();
    const double own = s->vehicles[4].x;
    const double gap = s->vehicles[0].x - s->vehicles[1].x - 0.5 * model_car(s, 0)->p[CAR_LENGTH] -
                       0.5 * model_car(s, 0)->p[CAR_LENGTH];
    assert_true(fabs(gap - 4.0 - 0.8 * s->vehicles[1].v) < 1e-9);
    set(s, "follow.headway=1.5");
    const double wider = s->vehicles[0].x - s->vehicles[1].x - model_car(s, 0)->p[CAR_LENGTH];
    assert_true(fabs(wider - 4.0 - 1.5 * s->vehicles[1].v) < 1e-9);
    assert_true(s->vehicles[4].x == own);
    set(s, "car2.x=-200");
    assert_true(s->vehicles[2].x == -200.0);
    scenario_free(s);
}

static const struct {
    const char *set, *message;
} wrong[] = {
    {"mass", "\"mass\": expected NAME=VALUE, for example mass=2400"},
    {"=3", "\"=3\": expected NAME=VALUE, for example mass=2400"},
    {"mass=", "\"mass=\": expected NAME=VALUE, for example mass=2400"},
    {"", "\"\": expected NAME=VALUE, for example mass=2400"},
    {"mass=heavy", "\"mass=heavy\": the value is not a number"},
    {"mass=1e9", "\"mass=1e9\": mass must be in 100 .. 100000 kg"},
    {"mass=nan", "\"mass=nan\": the value is not a number"},
    {"mess=3", "no model or controller has a parameter \"mess\"; did you mean mass"},
    {"van.k1=3", "\"van\" has no parameter \"k1\""},
    {"absent.mass=3", "\"absent\" has no parameter \"mass\""},
    {"time.length=3", "\"time\" has no parameter \"length\""},
    {"road.lanes=3", "\"road\" has no parameter \"lanes\""},
    {"time.step=0", "\"time.step=0\": step must be in 1e-05 .. 1 s"},
    {"follow.headway=0.5",
     "\"follow.headway=0.5\": headway must be in 0.8 .. 60 s; the roadway commands at least 0.8 s"},
    {"car1.distance=2",
     "\"car1.distance=2\": distance must be in 4 .. 1000 m; the roadway commands at least 4 m"},
    {"loss=1.2", "\"loss=1.2\": loss must be in 0 .. 1"},
    {"seed=1.5", "\"seed=1.5\": seed must be a whole number"},
    {"seed=-1", "\"seed=-1\": seed must be in 0 .. 9e+15"},
    {"car1.v=200", "\"car1.v=200\": v must be in -100 .. 150 m/s"},
};

// Every number a setting can reach.
static unsigned long long fingerprint(const scenario *s)
{
    unsigned long long hash = BYTES_HASH_START;
    hash = bytes_hash(hash, &s->seed, sizeof s->seed);
    hash = bytes_hash(hash, &s->end, sizeof s->end);
    hash = bytes_hash(hash, &s->step, sizeof s->step);
    hash = bytes_hash(hash, &s->record, sizeof s->record);
    hash = bytes_hash(hash, &s->headway, sizeof s->headway);
    hash = bytes_hash(hash, &s->distance, sizeof s->distance);
    hash = bytes_hash(hash, &s->speed, sizeof s->speed);
    for (int k = 0; k < s->model_count; k++) {
        hash = bytes_hash(hash, s->models[k].spec, s->models[k].type->spec_size);
    }
    for (int k = 0; k < s->controller_count; k++) {
        const scenario_controller *c = &s->controllers[k];
        hash = bytes_hash(hash, c->law_p, (size_t)c->law->param_count * sizeof *c->law_p);
        hash = bytes_hash(hash, c->inner, sizeof c->inner);
        hash = bytes_hash(hash, c->link, sizeof c->link);
        hash = bytes_hash(hash, c->sensor, sizeof c->sensor);
        hash = bytes_hash(hash, &c->headway, sizeof c->headway);
        hash = bytes_hash(hash, &c->distance, sizeof c->distance);
    }
    for (int k = 0; k < s->vehicle_count; k++) {
        hash = bytes_hash(hash, &s->vehicles[k].x, sizeof s->vehicles[k].x);
        hash = bytes_hash(hash, &s->vehicles[k].v, sizeof s->vehicles[k].v);
        hash = bytes_hash(hash, &s->vehicles[k].headway, sizeof s->vehicles[k].headway);
    }
    return hash;
}

static void wrong_settings_change_nothing(void **unused)
{
    (void)unused;
    scenario *s = make();
    const unsigned long long before = fingerprint(s);
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        mc_error error = {0};
        assert_int_equal(scenario_set(s, wrong[k].set, &error), MC_BAD_INPUT);
        if (strcmp(error.text, wrong[k].message) != 0)
            fail_msg("%s: %s", wrong[k].set, error.text);
        assert_true(fingerprint(s) == before);
    }
    mc_error error = {0};
    char longest[400] = "x.";
    memset(longest + 2, 'a', 300);
    strcpy(longest + 302, "=1");
    assert_int_equal(scenario_set(s, longest, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "the name is too long"));
    // acc allows k1 = 0, platoon does not: neither is changed.
    assert_int_equal(scenario_set(s, "k1=0", &error), MC_BAD_INPUT);
    assert_true(fingerprint(s) == before);
    set(s, "follow.k1=0");
    assert_true(fingerprint(s) != before && law_param(s, 0, "k1") == 0.0);
    scenario_free(s);
}

static const char *setting_of(int k)
{
    return k % 7 == 3   ? "x=-5000"
           : k % 7 == 5 ? "user1=3"
           : k % 2      ? "headway=1.5"
                        : "distance=7.25";
}

// A scenario of `cars` cars with `sets` settings in its list `set:`, or in none.
static scenario *make_long(int cars, int sets, bool listed)
{
    char *file = NULL;
    size_t size;
    FILE *out = open_memstream(&file, &size);
    assert_non_null(out);
    fprintf(out,
            "motorcade: scenario\ntime: {end: 1, step: 0.05}\nmodels: {dot: point}\n"
            "controllers: {follow: acc}\nplatoons: [{leader: {model: dot, profile: moderate}, "
            "cars: [{model: dot, controller: follow, count: %d}]}]\n",
            cars);
    for (int k = 0; k < sets && listed; k++)
        fprintf(out, "%s  - car%d.%s\n", k ? "" : "set:\n", 1 + 11 * k % cars, setting_of(k));
    fclose(out);
    mc_error error;
    scenario *s = scenario_parse(file, size, NULL, &error);
    if (!s)
        fail_msg("%s", error.text);
    free(file);
    return s;
}

// A list gives what one after the other gives.
static void a_list_of_settings(void **state)
{
    (void)state;
    scenario *all = make_long(100, 60, true), *each = make_long(100, 0, false);
    for (int k = 0; k < 60; k++) {
        char one[64];
        snprintf(one, sizeof one, "car%d.%s", 1 + 11 * k % 100, setting_of(k));
        set(each, one);
    }
    for (int k = 0; k < all->vehicle_count; k++)
        assert_true(all->vehicles[k].x == each->vehicles[k].x);
    assert_string_equal(all->changes, each->changes);
    scenario_free(all);
    scenario_free(each);
}

// The time does not grow with their product: 9,000 settings of 99,999 cars took a minute and 1 GB.
static void many_settings_of_many_cars(void **state)
{
    (void)state;
    const clock_t begun = clock();
    scenario_free(make_long(99998, 9000, true));
    const double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    struct rusage used;
    assert_int_equal(getrusage(RUSAGE_SELF, &used), 0);
    print_message("%.2f s, %ld MB\n", seconds, used.ru_maxrss / 1024);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    assert_true(seconds < 5.0 && used.ru_maxrss < 256 * 1024);
#endif
}

// ---- road, contact, events ----

static const char parts_text[] =
    "motorcade: scenario\n"
    "time: {end: 10, step: 0.05}\n"
    "road:\n"
    "  grades: [{from: 500, to: 900, grade: 4 %}, {from: 100, to: 300, grade: 2 %}]\n"
    "  friction: [{from: 0, to: 50, mu: 0.5}, {from: 60, to: 90, mu: 0.6, mu_right: 0.3}]\n"
    "contact: {friction: 0.1}\n"
    "models: {car: powertrain}\n"
    "controllers: {f: {law: acc}}\n"
    "platoons:\n"
    "  - leader: {model: car, profile: 20}\n"
    "    cars: [{model: car, name: car, count: 2, controller: f}]\n"
    "events:\n"
    "  - {at: 5, vehicle: all, push: 0.5}\n"
    "  - {at: 2, vehicle: car1, set: {mass: 2400}}\n"
    "  - {at: 1, headway: 2}\n"
    "  - {at: 3, until: 4, vehicle: car2, drive: {throttle: 0.3}}\n";

static const scenario_event *entry(const scenario *s, int number)
{
    for (int k = 0; k < s->event_count; k++)
        if (s->events[k].entry == number)
            return &s->events[k];
    fail_msg("no event %d", number);
    return NULL;
}

static void rejected_part(scenario *s, const char *what, const char *says)
{
    mc_error error = {0};
    assert_int_equal(scenario_set(s, what, &error), MC_BAD_INPUT);
    if (!strstr(error.text, says))
        fail_msg("%s: %s", what, error.text);
}

static void road_contact_and_events_have_names(void **unused)
{
    (void)unused;
    mc_error error;
    scenario *s = scenario_parse(parts_text, sizeof parts_text - 1, NULL, &error);
    if (!s)
        fail_msg("%s", error.text);
    set(s, "grade2.grade=6 %");
    assert_true(fabs(road_slope(&s->road, 700.0) - atan(0.06)) < 1e-15);
    assert_true(fabs(road_slope(&s->road, 200.0) - atan(0.02)) < 1e-15);
    set(s, "road.grade=0.01 rad");
    assert_true(road_slope(&s->road, 700.0) == 0.01 && road_slope(&s->road, 200.0) == 0.01);
    set(s, "grade1.to=400 m");
    assert_true(road_slope(&s->road, 350.0) == 0.01);
    set(s, "friction1.mu=30%");
    assert_true(road_friction(&s->road, 25.0) == 0.3);
    set(s, "friction2.mu_right=0.2");
    assert_true(road_friction_at(&s->road, 75.0, -1.0) == 0.2);
    set(s, "friction2.divide=-2");
    assert_true(road_friction_at(&s->road, 75.0, -1.0) == 0.6);
    set(s, "contact.friction=0.4");
    set(s, "contact.restitution=0.5");
    assert_true(s->contact_friction == 0.4 && s->contact_restitution == 0.5);
    set(s, "event1.push=1.5");
    int pushed = 0;
    for (int k = 0; k < s->event_count; k++)
        pushed += s->events[k].entry == 1 && s->events[k].value == 1.5;
    assert_int_equal(pushed, 3); // of all cars
    set(s, "event2.mass=2.6 t");
    assert_true(fabs(entry(s, 2)->value - 2600.0) < 1e-9);
    set(s, "event3.headway=3");
    set(s, "event3.at=7");
    set(s, "event4.throttle=0.6");
    assert_true(entry(s, 3)->value == 3.0 && entry(s, 4)->inputs.throttle == 0.6);
    for (int k = 1; k < s->event_count; k++) // in order of time still
        assert_true(s->events[k].at >= s->events[k - 1].at);
    rejected_part(s, "event9.push=1", "\"event9\" has no parameter \"push\"");
    rejected_part(s, "event1.push=50", "must be in -20 .. 20");
    rejected_part(s, "event2.push=1", "has no parameter");
    rejected_part(s, "grade3.grade=0", "has no parameter");
    rejected_part(s, "contact.friction=-1", "must be in 0 .. 10");
    rejected_part(s, "grade1.to=600", "then overlap");
    set(s, "grade1.to=400 m");
    rejected_part(s, "event4.until=2", "expected after 3 s");
    scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_is_meant),
        cmocka_unit_test(units),
        cmocka_unit_test(places_follow),
        cmocka_unit_test(wrong_settings_change_nothing),
        cmocka_unit_test(a_list_of_settings),
        cmocka_unit_test(many_settings_of_many_cars),
        cmocka_unit_test(road_contact_and_events_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
