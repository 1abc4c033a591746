// test_edit.c - edits: what they produce, that the text reads back as the same, what is rejected.
#include "scenario/edit.h"
#include "support/models.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char base[] = "motorcade: scenario\n"
                           "name: base\n"
                           "time: {end: 60, step: 0.05, record: 0.1}\n"
                           "road: {lanes: 2, headway: 1, distance: 5}\n"
                           "profiles: {slow: {table: [[0, 12], [10, 20]]}}\n"
                           "models:\n"
                           "  town: {kind: powertrain, mass: 1500}\n"
                           "  heavy: {like: town, mass: 2500}\n"
                           "  dot: point\n"
                           "controllers:\n"
                           "  follow: {law: platoon, k1: 1}  # a comment\n"
                           "  other: {law: acc}\n"
                           "platoons:\n"
                           "  - leader: {model: town, profile: moderate}\n"
                           "    x: 300\n"
                           "    cars:\n"
                           "      - {model: town, controller: follow, count: 3}\n"
                           "      - {model: dot, controller: other, count: 2, spacing: 12}\n"
                           "vehicles:\n"
                           "  - {model: dot, x: 500, lane: 2, v: 10, count: 2, name: slow}\n"
                           "events:\n"
                           "  - {at: 5, vehicle: car2, set: {mass: 1800}}\n"
                           "  - {at: 6, vehicle: [car2, car3], brake_lost: 0.5}\n"
                           "expect: [\"collisions == 0\"]\n";

static scenario *parse(const char *text)
{
    mc_error error;
    scenario *s = scenario_parse(text, strlen(text), "base.yaml", &error);
    if (!s)
        fail_msg("%s:%d: %s\n%s", error.file, error.line, error.text, text);
    return s;
}

static scenario *edited_at(const char *edit, double at)
{
    mc_error error;
    scenario *s = parse(base), *made = scenario_edit(s, NULL, 0, at, edit, &error);
    if (!made)
        fail_msg("%s: %s", edit, error.text);
    scenario_free(s);
    return made;
}

static int find(const scenario *s, const char *name)
{
    for (int v = 0; v < s->vehicle_count; v++)
        if (strcmp(s->vehicles[v].name, name) == 0)
            return v;
    return -1;
}

static const scenario_vehicle *get(const scenario *s, const char *name)
{
    assert_true(find(s, name) >= 0);
    return &s->vehicles[find(s, name)];
}

static const scenario_controller *controller(const scenario *s, const char *name)
{
    for (int k = 0; k < s->controller_count; k++)
        if (strcmp(s->controllers[k].name, name) == 0)
            return &s->controllers[k];
    fail_msg("no controller %s", name);
    return NULL;
}

// The text of a version, read as a file, has the same vehicles and the same text.
static void check_text(scenario *s, double at)
{
    scenario *again;
    mc_error error;
    if (at > 0.0)
        again = scenario_parse_version(s, s->text, strlen(s->text), true, &error);
    else
        again = parse(s->text);
    assert_non_null(again);
    assert_int_equal(again->vehicle_count, s->vehicle_count);
    for (int v = 0; v < s->vehicle_count; v++) {
        const scenario_vehicle *a = &s->vehicles[v], *b = &again->vehicles[v];
        assert_string_equal(a->name, b->name);
        assert_true(a->x == b->x && a->v == b->v && a->lane == b->lane && a->from == b->from);
        assert_int_equal(a->model, b->model);
        assert_int_equal(a->controller, b->controller);
        assert_int_equal(a->platoon, b->platoon);
    }
    assert_int_equal(again->event_count, s->event_count);
    // Written again it is the same.
    arena memory = {0};
    assert_string_equal(scenario_text_with(again, NULL, 0, &memory), s->text);
    arena_free(&memory);
    scenario_free(again);
}

static void cars_are_added(void **unused)
{
    (void)unused;
    scenario *s = edited_at("{add: {model: heavy, controller: other, lane: 2, x: 100, v: 25}}", 0);
    const scenario_vehicle *v = get(s, "car6"); // car1 .. car5 are taken
    assert_true(v->x == 100.0 && v->v == 25.0 && v->lane == 1 && v->from == 0.0);
    assert_string_equal(s->models[v->model].name, "heavy");
    assert_int_equal(v->platoon, -1);
    assert_int_equal(s->vehicle_count, 9);
    check_text(s, 0);
    scenario_free(s);
    // Under way it may stand where another car stood at the start.
    s = edited_at("{\"add\": {\"name\": \"late\", \"model\": \"dot\", \"x\": 300, \"v\": 3}}",
                  12.5);
    assert_true(get(s, "late")->from == 12.5);
    check_text(s, 12.5);
    check_text(s, 0); // and a file may say so: it is absent at the start
    scenario_free(s);
    // Behind a car of a platoon, from which the others keep their places.
    scenario *plain = parse(base);
    s = edited_at("{add: [{model: town, controller: follow, platoon: car2, name: a},"
                  " {model: town, controller: follow, platoon: leader, name: b, x: 7, v: 8}]}",
                  0.1 + 0.2);
    const char *const order[] = {"leader", "b", "car1", "car2", "a", "car3", "car4", "car5"};
    for (int k = 0; k < 8; k++) {
        assert_string_equal(s->vehicles[k].name, order[k]);
        assert_int_equal(s->vehicles[k].number, k);
        assert_int_equal(s->vehicles[k].platoon, 0);
        if (order[k][1])
            assert_true(get(plain, order[k])->x == s->vehicles[k].x);
    }
    assert_true(get(s, "a")->behind && get(s, "a")->at_its_speed && get(s, "a")->from == 0.1 + 0.2);
    assert_true(!get(s, "b")->behind && get(s, "b")->x == 7.0 && get(s, "b")->v == 8.0);
    check_text(s, 1);
    scenario_free(s);
    // A platoon of its own, and a car that joins it in the same edit.
    s = edited_at(
        "{add: [{model: town, profile: moderate, platoon: new, name: lead2, x: -900, v: 12},"
        " {model: town, controller: follow, platoon: lead2, name: c}]}",
        2.0);
    assert_int_equal(get(s, "lead2")->platoon, 1);
    assert_int_equal(get(s, "c")->platoon, 1);
    assert_true(get(s, "lead2")->x == -900.0 && get(s, "lead2")->from == 2.0);
    assert_true(get(s, "c")->behind);
    check_text(s, 2);
    scenario_free(s);
    scenario_free(plain);
}

static void cars_are_removed(void **unused)
{
    (void)unused;
    scenario *plain = parse(base);
    scenario *s = edited_at("{remove: car3}", 0);
    assert_int_equal(find(s, "car3"), -1);
    assert_int_equal(s->vehicle_count, 7);
    assert_true(get(s, "car2")->x == get(plain, "car2")->x); // in front of it nothing changes
    assert_true(get(s, "slow2")->x == get(plain, "slow2")->x);
    assert_int_equal(s->event_count, 2); // of the second event one vehicle is left
    check_text(s, 0);
    scenario_free(s);
    s = edited_at("{remove: car2}", 3);
    assert_int_equal(s->event_count, 1);
    assert_int_equal(s->events[0].vehicle, find(s, "car3"));
    scenario_free(s);
    // The first car behind a leader that goes is the leader, where it was.
    s = edited_at("{remove: leader}", 0);
    assert_true(get(s, "car1")->x == get(plain, "car1")->x);
    assert_true(get(s, "car1")->v == get(plain, "car1")->v);
    assert_int_equal(get(s, "car1")->number, 0);
    assert_int_equal(get(s, "car2")->number, 1);
    assert_string_equal(s->controllers[get(s, "car1")->controller].name, "follow");
    check_text(s, 0);
    scenario_free(s);
    s = edited_at("{remove: [leader, car1, car2, car3, car4, car5, slow1]}", 0);
    assert_int_equal(s->vehicle_count, 1);
    assert_int_equal(s->platoon_count, 0);
    assert_string_equal(s->vehicles[0].name, "slow2");
    check_text(s, 0);
    scenario_free(s);
    scenario_free(plain);
}

static void cars_are_changed(void **unused)
{
    (void)unused;
    scenario *plain = parse(base);
    scenario *s = edited_at("{vehicle: car2, model: heavy}", 0);
    assert_string_equal(s->models[get(s, "car2")->model].name, "heavy");
    assert_string_equal(s->models[get(s, "car1")->model].name, "town");
    for (int v = 0; v < s->vehicle_count; v++) { // the models are as long as each other
        assert_string_equal(s->vehicles[v].name, plain->vehicles[v].name);
        assert_true(s->vehicles[v].x == plain->vehicles[v].x);
    }
    check_text(s, 0);
    scenario_free(s);
    s = edited_at("{vehicle: [car1, car3], controller: other}", 0);
    assert_string_equal(s->controllers[get(s, "car1")->controller].name, "other");
    assert_string_equal(s->controllers[get(s, "car2")->controller].name, "follow");
    assert_string_equal(s->controllers[get(s, "car3")->controller].name, "other");
    scenario_free(s);
    s = edited_at("{vehicle: leader, profile: heavy}", 0);
    assert_int_equal(s->profiles[get(s, "leader")->profile].kind, PROFILE_HEAVY);
    check_text(s, 0);
    scenario_free(s);
    s = edited_at("{vehicle: leader, profile: none, controller: other, model: dot}", 0);
    assert_int_equal(get(s, "leader")->profile, -1);
    check_text(s, 0);
    scenario_free(s);
    scenario_free(plain);
}

static void parts_are_changed(void **unused)
{
    (void)unused;
    scenario *s = edited_at("{controllers: {follow: {law: acc, headway: 1.5}, mine: {law: {"
                            "parameters: {k: '0.5 [1/s]'}, acceleration: 'k*(v_front - v)'}}},"
                            " vehicle: car1, controller: mine}",
                            0);
    assert_string_equal(controller(s, "follow")->law->name, "acc");
    assert_true(controller(s, "follow")->headway == 1.5);
    assert_true(controller(s, "mine")->law_p[0] == 0.5);
    check_text(s, 0);
    scenario_free(s);
    s = edited_at("{models: {bus: {like: heavy, mass: 9000}}, vehicle: car1, model: bus}", 0);
    assert_true(model_car(s, get(s, "car1")->model)->p[CAR_MASS] == 9000.0);
    check_text(s, 0);
    scenario_free(s);
    s = edited_at("{grades: [{from: 500, to: 900, grade: 4 %}], friction: [{from: 0, to: 9, mu: "
                  "0.5}], road: {lanes: 3, speed: 25}}",
                  0);
    assert_int_equal(s->road.lane_count, 3);
    assert_true(s->speed == 25.0 && s->speed_commanded && s->headway == 1.0);
    assert_int_equal(s->grade_count, 1);
    assert_true(fabs(road_slope(&s->road, 700.0) - atan(0.04)) < 1e-12);
    assert_true(road_friction(&s->road, 5.0) == 0.5);
    check_text(s, 0);
    scenario_free(s);
    s = edited_at("{grades: []}", 0);
    assert_int_equal(s->grade_count, 0);
    scenario_free(s);
    s = edited_at("{step: 0.001, end: 600}", 0);
    assert_true(s->step == 0.001 && s->end == 600.0 && s->record == 0.1);
    check_text(s, 0);
    scenario_free(s);
    s = edited_at("{step: 30 ms}", 0); // rows stay a whole number of steps apart
    assert_true(s->step == 0.03 && fabs(s->record - 0.09) < 1e-15);
    scenario_free(s);
    s = edited_at("{profiles: {slow: 9}, vehicle: leader, profile: slow}", 0);
    assert_true(get(s, "leader")->v == 9.0);
    scenario_free(s);
}

// What was set by name stays in later versions, until just that is changed otherwise.
static void numbers_by_name_stay(void **unused)
{
    (void)unused;
    mc_error error;
    scenario *s = edited_at("{set: mass=2000 kg}", 0);
    for (int k = 0; k < s->model_count; k++)
        assert_true(model_car(s, k)->p[CAR_MASS] == 2000.0);
    check_text(s, 0);
    scenario *next =
        scenario_edit(s, NULL, 0, 0.0, "{models: {heavy: {like: town, mass: 3000}}}", &error);
    assert_non_null(next);
    assert_true(model_car(next, 0)->p[CAR_MASS] == 2000.0);
    assert_true(model_car(next, 1)->p[CAR_MASS] == 3000.0);
    scenario_free(s);
    scenario_free(next);
    const char *const sets[] = {"follow.k1=0.8", "time.end=30", "follow.k1=0.7"};
    s = parse(base);
    next =
        scenario_edit(s, sets, 3, 0.0, "{end: 40, set: [road.speed=20, car2.headway=2]}", &error);
    if (!next)
        fail_msg("%s", error.text);
    assert_true(next->end == 40.0 && next->speed == 20.0 && get(next, "car2")->headway == 2.0);
    const scenario_controller *c = controller(next, "follow");
    for (int k = 0; k < c->law->param_count; k++)
        if (strcmp(c->law->params[k].name, "k1") == 0)
            assert_true(c->law_p[k] == 0.7);
    assert_null(strstr(next->text, "k1=0.8"));
    check_text(next, 0);
    scenario_free(s);
    scenario_free(next);
}

// Every entry is looked up on a copy of the scenario, so their number is bounded.
static void many_numbers_are_rejected(void **unused)
{
    (void)unused;
    for (int count = 64; count <= 65; count++) {
        char edit[2048] = "{set: [";
        for (int k = 0; k < count; k++)
            snprintf(edit + strlen(edit), sizeof edit - strlen(edit), "%sfollow.k1=0.%d",
                     k ? ", " : "", 100 + k);
        strcat(edit, "]}");
        mc_error error = {0};
        scenario *s = parse(base), *next = scenario_edit(s, NULL, 0, 0.0, edit, &error);
        if (count == 64) {
            assert_non_null(next);
            assert_non_null(strstr(next->text, "follow.k1=0.163")); // the last one
            assert_null(strstr(next->text, "follow.k1=0.162"));
        } else {
            assert_null(next);
            assert_non_null(strstr(error.text, "more than 64 entries"));
        }
        scenario_free(s);
        scenario_free(next);
    }
}

// ---- what is rejected ----

typedef struct wrong_edit {
    const char *edit, *message;
} wrong_edit;

static const wrong_edit wrong[] = {
    {"{remove: car9}", "edit:1:10: unknown vehicle \"car9\"; did you mean car1?"},
    {"{remove: car33}", "edit:1:10: unknown vehicle \"car33\"; did you mean car3?"},
    {"{remove: {name: car3}}",
     "edit:1:10: found a map, expected the name of a car or a list of names"},
    {"{vehicle: car3}", "edit:1:2: vehicle also needs one of the keys model, controller, profile"},
    {"{vehicle: car9, model: heavy}", "edit:1:11: unknown vehicle \"car9\"; did you mean car1?"},
    {"{vehicle: car3, model: tank}",
     "edit: unknown model \"tank\"; expected one of: town, heavy, dot"},
    {"{vehicle: car3, controller: folow}",
     "edit: unknown controller \"folow\"; did you mean follow?"},
    {"{vehicle: car3, profile: heavy}",
     "edit: a car of a platoon has no key \"profile\"; expected one of: model, controller, "
     "driver, count, name, spacing, v, from, x, y, heading, headway, distance, estimator, "
     "image_of, user1, "
     "user2, user3, "
     "user4, user5, user6, user7, user8"},
    {"{model: heavy}",
     "edit:1:2: model needs the key vehicle, for example {vehicle: car3, model: ...}"},
    {"{add: {controller: follow, x: 10}}", "edit: a vehicle needs the key model (one of models)"},
    {"{add: {model: heavy, controller: follow}}",
     "edit: a vehicle needs the key x (of the mass centre; of the first with count)"},
    {"{add: {model: heavy, x: 300, lane: 1}}",
     "edit: leader and car6 overlap at the start: the gap is -5.563 m (mass centres at x "
     "= 300 and 300 m, lengths 5.563 and 5.563 m)"},
    {"{add: {model: heavy, x: 10, lane: 5}}", "edit: lane is 5; the road has 2 lanes"},
    {"{add: {name: car3, model: heavy, x: 10}}", "edit:1:14: a vehicle car3 already exists"},
    {"{add: {model: heavy, x: 10, colour: red}}",
     "edit:1:29: an added car has no key \"colour\"; expected one of: name, model, controller, "
     "profile, "
     "lane, ramp, x, y, v, heading, platoon, headway, distance, user1, user2, user3, user4, user5, "
     "user6, user7, user8"},
    {"{add: {model: heavy, controller: follow, platoon: slow1}}",
     "edit:1:51: slow1 is not in a platoon, so no car can join it"},
    {"{add: {model: heavy, controller: follow, platoon: car3, lane: 2}}",
     "edit:1:57: a car that joins a platoon drives in its lane: remove the key lane"},
    {"{add: heavy}", "edit:1:7: found \"heavy\", expected an added car as a map of keys: name, "
                     "model, controller, profile, lane, ramp, x, y, v, heading, platoon, headway, "
                     "distance, user1, user2, user3, user4, user5, user6, user7, user8"},
    {"{add: {model: heavy, driver: /etc/passwd, x: 10}}",
     "edit:1:22: an edit cannot name files: the key driver is only for scenario files"},
    {"{models: {bus: {kind: multibody, mechanism: /etc/passwd}}}",
     "edit:1:34: an edit cannot name files: the key mechanism is only for scenario files"},
    {"{models: {bus: {kind: cosserat, file: model.dat}}}",
     "edit:1:33: an edit cannot name files: the key file is only for scenario files"},
    {"{models: {bus: {car_file: cars.txt}}}",
     "edit:1:17: an edit cannot name files: the key car_file is only for scenario files"},
    {"{models: {town: {kind: powertrain, mass: -5}}}",
     "edit: mass is -5 kg; expected 100 .. 100000 kg"},
    {"{models: {bus: {like: buss}}}",
     "edit: unknown model \"buss\"; expected one of: town, heavy, dot"},
    {"{models: []}", "edit:1:10: models needs a map of names, such as {models: {name: {...}}}"},
    {"{controllers: {follow: {law: nothing}}}",
     "edit: unknown law \"nothing\"; expected one of: pipes, platoon, pid, pid_scheduled, "
     "adaptive, "
     "brake, cruise, acc, path_cacc, ploeg, consensus, flatbed, idm"},
    {"{controllers: {follow: {law: {acceleration: 'v_frnt - v'}}}}",
     "edit: unknown name \"v_frnt\"; did you mean \"v_front\"?"},
    {"{controllers: {follow: {law: platoon, k1: 1 m}}}", "edit: k1 has the unit m, expected 1/s^3"},
    {"{controllers: {follow: {law: acc, headway: 0.5}}}",
     "edit: follow has a headway of 0.5 s, less than the 1 s commanded by the roadway; expected at "
     "least the commanded value"},
    {"{profiles: {slow: {table: [[0, 12], [0, 13]]}}}",
     "edit: time is 0 s, expected after the previous 0 s"},
    {"{grades: {from: 0}}",
     "edit:1:10: grades needs a list of stretches, [{from: .., to: .., ...}]"},
    {"{grades: [{from: 0, to: 100, grade: 5}]}", "edit: grade is 5 rad; expected -0.8 .. 0.8 rad"},
    {"{grades: [{from: 0, to: 100, grade: 3 %}, {from: 50, to: 200, grade: 1 %}]}",
     "edit: a grade 50 .. 200 m overlaps that of 0 .. 100 m"},
    {"{friction: [{from: 0, to: 100}]}",
     "edit: a stretch of friction needs the key mu (friction relative to the dry road)"},
    {"{road: {lanes: 0}}", "edit: lanes is 0; expected 1 .. 64"},
    {"{road: {lane: 3}}", "edit: the road has no key \"lane\"; did you mean lanes?"},
    {"{road: 3}", "edit:1:8: road needs a map of its keys, such as {road: {lanes: 3}}"},
    {"{step: 0}", "edit:1:8: step is 0 s; expected 1e-05 .. 1 s"},
    {"{step: 2}", "edit:1:8: step is 2 s; expected 1e-05 .. 1 s"},
    {"{step: fast}", "edit:1:8: found \"fast\", expected a number, with a unit if it has one"},
    {"{end: -1}", "edit:1:7: end is -1 s; expected 1e-06 .. 1e+07 s"},
    {"{set: mass}", "edit:1:7: set: \"mass\": expected NAME=VALUE, for example mass=2400"},
    {"{set: follow.k9=1}", "edit:1:7: set: \"follow\" has no parameter \"k9\"; did you mean k1"},
    {"{set: follow.k1=abc}", "edit:1:7: set: \"follow.k1=abc\": the value is not a number"},
    {"{set: {follow: 1}}", "edit:1:7: found a map, expected \"NAME=VALUE\" or a list of them"},
    {"{foo: 1}",
     "edit:1:2: an edit has no key \"foo\"; expected one of: add, remove, vehicle, model, "
     "controller, profile, controllers, models, profiles, grades, friction, road, step, "
     "end, set, estimators, braking_step, obstacles"},
    {"{}", "edit:1:1: the edit is empty"},
    {"[1, 2]", "edit:1:1: found a list, expected an edit as a map of keys: add, remove, vehicle, "
               "model, controller, profile, controllers, models, profiles, grades, friction, road, "
               "step, end, set, estimators, braking_step, obstacles"},
    {"remove", "edit:1:1: found \"remove\", expected an edit as a map of keys: add, remove, "
               "vehicle, model, controller, profile, controllers, models, profiles, grades, "
               "friction, road, step, end, set, estimators, braking_step, obstacles"},
    {"{remove: car3", "edit:1:14: expected a comma or a closing } in a map { ... }"},
    {"{remove: car3, remove: car4}",
     "edit:1:16: key \"remove\" is already in this map, at line 1, column 2"},
    {"{remove: [leader, car1, car2, car3, car4, car5, slow1, slow2]}",
     "edit: the scenario has no vehicle; expected platoons, vehicles or sources"},
};

static void wrong_edits_are_rejected(void **unused)
{
    (void)unused;
    scenario *s = parse(base);
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        mc_error error = {0};
        scenario *made = scenario_edit(s, NULL, 0, 0.0, wrong[k].edit, &error);
        if (made)
            fail_msg("%s was taken", wrong[k].edit);
        char text[1024];
        mc_error_format(&error, text, sizeof text);
        assert_string_equal(text, wrong[k].message);
        assert_int_equal(error.code, MC_BAD_INPUT);
    }
    scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cars_are_added),           cmocka_unit_test(cars_are_removed),
        cmocka_unit_test(cars_are_changed),         cmocka_unit_test(parts_are_changed),
        cmocka_unit_test(numbers_by_name_stay),     cmocka_unit_test(many_numbers_are_rejected),
        cmocka_unit_test(wrong_edits_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
