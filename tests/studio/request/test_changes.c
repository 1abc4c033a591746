// Changes at rest, in the past and at the end: what they are made from, and what becomes of them.
#include "motorcade/observe.h"
#include "motorcade/timeline.h"
#include "support/hub_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define assert_near(a, b, by) assert_true(fabs((double)(a) - (double)(b)) <= (by))

static hub *h;
static test_page p;
static double reached; // s, how far it came

static int start(void **state)
{
    (void)state;
    h = test_hub("two_gains.yaml", false);
    if (!h)
        return -1;
    test_page_open(&p, h);
    reached = 0.0;
    return 0;
}

static int stop(void **state)
{
    (void)state;
    test_page_close(&p);
    hub_destroy(h);
    return 0;
}

static json_t *done(json_t *answer)
{
    if (strcmp(test_text(answer, "kind"), "done") != 0)
        fail_msg("rejected: %s", test_text(answer, "reason"));
    return answer;
}

static void do_it(const char *request)
{
    json_decref(done(test_page_ask(&p, "%s", request)));
}

// Simulates to t, and a little in any case, then rests; where it rests.
static double play_to(double t)
{
    return reached = test_page_play_to(&p, 0, fmax(t, reached + 0.1));
}

// The world as the hub describes it to a page that comes now; the welcome is kept in *whole.
static const json_t *world_now(int number, json_t **whole)
{
    test_page q;
    *whole = test_page_hello(&q, h, NULL);
    test_page_close(&q);
    const json_t *list = json_object_get(*whole, "worlds");
    for (size_t k = 0; k < json_array_size(list); k++)
        if ((int)test_number(json_array_get(list, k), "world") == number)
            return json_array_get(list, k);
    fail_msg("unknown world %d", number);
    return NULL;
}

static double gain_now(int number, const char *name)
{
    json_t *whole;
    const json_t *list = json_object_get(world_now(number, &whole), "controllers");
    double value = NAN;
    for (size_t k = 0; k < json_array_size(list); k++)
        if (strcmp(test_text(json_array_get(list, k), "name"), "follow") == 0)
            value = test_number(json_object_get(json_array_get(list, k), "gains"), name);
    json_decref(whole);
    return value;
}

static uint32_t id_of(int number, const char *name)
{
    json_t *whole;
    const json_t *list = json_object_get(world_now(number, &whole), "vehicles");
    double id = NAN;
    for (size_t k = 0; k < json_array_size(list); k++)
        if (strcmp(test_text(json_array_get(list, k), "name"), name) == 0)
            id = test_number(json_array_get(list, k), "id");
    json_decref(whole);
    if (isnan(id))
        fail_msg("there is no car %s in world %d", name, number);
    return (uint32_t)id;
}

// Where a car stands at an instant, m.
static double place(int number, const char *name, double t)
{
    const uint32_t id = id_of(number, name);
    test_page_clear(&p);
    assert_int_equal(
        test_page_ask_frames(&p, "{\"kind\": \"seek\", \"world\": %d, \"t\": %.17g}", number, t),
        1);
    const test_frame *f = &p.frames[p.frame_count - 1];
    const int k = test_frame_find(f, id);
    if (k < 0)
        fail_msg("%s is missing at %g s", name, t);
    assert_non_null(f->x);
    return f->x[k];
}

static json_t *add(const char *beside, const char *where, double at)
{
    char instant[40] = "";
    if (!isnan(at))
        snprintf(instant, sizeof instant, ", \"at\": %.17g", at);
    return done(test_page_ask(&p,
                              "{\"kind\": \"car\", \"op\": \"add\", \"model\": \"town_car\", "
                              "\"controller\": \"follow\", \"beside\": \"%s\", \"where\": "
                              "\"%s\"%s}",
                              beside, where, instant));
}

#define BY_ITSELF                                                                                  \
    "it drives by itself: leader leads its platoon by its profile; give leader a controller, and " \
    "it follows the new car"

// A car added in the past stands beside the car as it was then, not as it is now.
static void a_car_in_the_past_stands_where_it_was_asked_for(void **state)
{
    (void)state;
    play_to(20.0);
    json_t *a = add("leader", "front", 5.0);
    const int branch = (int)test_number(a, "world");
    const double at = test_number(a, "at");
    assert_true(branch > 0);
    const double ahead = place(branch, test_text(a, "vehicle"), at) - place(branch, "leader", at);
    if (!(ahead > 4.0 && ahead < 40.0))
        fail_msg("%g m in front of the leader", ahead);
    assert_string_equal(test_text(a, "text"), BY_ITSELF);
    json_decref(a);
}

// The same of what a controller is made from.
static void a_law_of_the_past_keeps_the_gains_of_the_past(void **state)
{
    (void)state;
    play_to(5.0);
    do_it("{\"kind\": \"set\", \"controller\": \"follow\", \"param\": \"k3\", \"value\": 2}");
    play_to(10.0);
    assert_true(gain_now(0, "k3") == 2.0);
    json_t *a = done(test_page_ask(&p, "{\"kind\": \"car\", \"op\": \"listen\", \"controller\": "
                                       "\"follow\", \"listen\": [\"front\", 2], \"at\": 2}"));
    const int branch = (int)test_number(a, "world");
    json_decref(a);
    json_t *log = test_page_ask(&p, "{\"kind\": \"log\", \"world\": %d}", branch);
    const json_t *entry = json_array_get(json_object_get(log, "entries"), 0);
    if (!strstr(test_text(entry, "param"), "\"k3\":4"))
        fail_msg("%s", test_text(entry, "param"));
    json_decref(log);
}

// At rest: what was set for the coming step is in the controller that an edit says again.
static void an_edit_keeps_what_was_set_for_the_same_step(void **state)
{
    (void)state;
    do_it("{\"kind\": \"set\", \"controller\": \"follow\", \"param\": \"k3\", \"value\": 2}");
    do_it("{\"kind\": \"car\", \"op\": \"listen\", \"controller\": \"follow\", \"listen\": "
          "[\"front\", 2]}");
    assert_true(gain_now(0, "k3") == 2.0);
    play_to(0.1);
    assert_true(gain_now(0, "k3") == 2.0);
}

// In the platoon of the scenario, 0.3 s apart, there is no room: the new car comes all the same.
static void a_car_comes_where_there_is_room(void **state)
{
    (void)state;
    const double t = play_to(3.0);
    json_t *a = add("car3", "behind", NAN);
    assert_string_equal(test_text(a, "text"), "no room behind car3: place it behind car7");
    const double behind = place(0, "car7", t) - place(0, test_text(a, "vehicle"), t);
    if (!(behind > 4.0 && behind < 20.0))
        fail_msg("%g m behind car7", behind);
    json_decref(a);
    a = add("car3", "front", NAN);
    assert_string_equal(test_text(a, "text"),
                        "no room in front of car3: place it in front of leader; " BY_ITSELF);
    const double ahead = place(0, test_text(a, "vehicle"), t) - place(0, "leader", t);
    if (!(ahead > 4.0 && ahead < 40.0))
        fail_msg("%g m in front of the leader", ahead);
    json_decref(a);
    a = add("leader", "front", NAN); // where one stands already
    assert_string_equal(test_text(a, "text"),
                        "no room in front of leader: place it in front of car9");
    json_decref(a);
    play_to(t + 1.0);
    json_t *whole;
    const json_t *w = world_now(0, &whole);
    assert_string_equal(test_text(w, "state"), "running");
    assert_int_equal(json_array_size(json_object_get(w, "vehicles")), 11);
    json_decref(whole);
    // Other errors are rejected for their own reason.
    a = test_page_ask(&p, "{\"kind\": \"car\", \"op\": \"add\", \"model\": \"town_caar\", "
                          "\"controller\": \"follow\", \"beside\": \"car3\"}");
    assert_string_equal(test_text(a, "kind"), "refused");
    assert_non_null(strstr(test_text(a, "reason"), "town_car"));
    json_decref(a);
}

static int log_count(int number)
{
    json_t *a = done(test_page_ask(&p, "{\"kind\": \"log\", \"world\": %d}", number));
    const int count = (int)json_array_size(json_object_get(a, "entries"));
    json_decref(a);
    return count;
}

// Undo at rest leaves the other commands of that instant where they were: before what comes next.
static void undo_at_rest_keeps_the_order(void **state)
{
    (void)state;
    play_to(1.0);
    do_it("{\"kind\": \"set\", \"controller\": \"follow\", \"param\": \"k1\", \"value\": 0.5}");
    do_it("{\"kind\": \"set\", \"controller\": \"follow\", \"param\": \"k3\", \"value\": 2}");
    do_it("{\"kind\": \"undo\"}");
    assert_true(gain_now(0, "k1") == 0.5);
    assert_true(gain_now(0, "k3") == 4.0);
    do_it("{\"kind\": \"set\", \"controller\": \"follow\", \"param\": \"k1\", \"value\": 0.9}");
    assert_int_equal(log_count(0), 2);
    play_to(2.0);
    assert_true(gain_now(0, "k1") == 0.9);
    assert_int_equal(log_count(0), 2);
}

// A removed world comes back as it was; only then its own changes are undone.
static void a_removed_world_comes_back(void **state)
{
    (void)state;
    const double t = play_to(1.0);
    json_t *a = done(test_page_ask(&p,
                                   "{\"kind\": \"set\", \"controller\": \"follow\", \"param\": "
                                   "\"k3\", \"value\": 2, \"at\": %.17g}",
                                   0.5 * t));
    const int branch = (int)test_number(a, "world");
    json_decref(a);
    play_to(t + 1.0);
    json_decref(done(
        test_page_ask(&p, "{\"kind\": \"worlds\", \"op\": \"remove\", \"world\": %d}", branch)));
    a = test_page_ask(&p, "{\"kind\": \"log\", \"world\": %d}", branch);
    assert_string_equal(test_text(a, "kind"), "refused");
    json_decref(a);
    do_it("{\"kind\": \"undo\"}");
    assert_int_equal(log_count(branch), 1);
    play_to(t + 2.0); // it is simulated on, level with the others
    assert_true(gain_now(branch, "k3") == 2.0);
    do_it("{\"kind\": \"redo\"}");
    do_it("{\"kind\": \"undo\"}");
    assert_int_equal(log_count(branch), 1);
    do_it("{\"kind\": \"undo\"}"); // the change that made it
    a = test_page_ask(&p, "{\"kind\": \"log\", \"world\": %d}", branch);
    assert_string_equal(test_text(a, "kind"), "refused");
    json_decref(a);
    assert_true(gain_now(0, "k3") == 4.0);
}

// A number of a car, from its card.
static double number_of(int world, const char *vehicle, const char *group, const char *param)
{
    double value = NAN;
    json_t *a = done(test_page_ask(&p, "{\"kind\": \"card\", \"world\": %d, \"vehicle\": \"%s\"}",
                                   world, vehicle));
    size_t i, k;
    json_t *g, *row;
    json_array_foreach(json_object_get(a, "groups"), i,
                       g) if (strcmp(test_text(g, "group"), group) == 0)
        json_array_foreach(json_object_get(g, "rows"), k,
                           row) if (strcmp(test_text(row, "name"), param) == 0) value =
            test_number(row, "value");
    json_decref(a);
    return value;
}

static void masses(int world, double car2, double car3, double car4, double car5)
{
    const char *const names[] = {"car2", "car3", "car4", "car5"};
    const double want[] = {car2, car3, car4, car5};
    for (int k = 0; k < 4; k++)
        assert_near(number_of(world, names[k], "model", "mass"), want[k], 1e-9);
}

// One number of three cars: taken together, undone and done again together, in one branch.
static void several_cars_are_set_at_once(void **state)
{
    (void)state;
#define THREE                                                                                      \
    "{\"kind\": \"set\", \"vehicles\": [\"car2\", \"car3\", \"car5\"], \"param\": "                \
    "\"model.mass\", "
    const double t = play_to(1.0), m = number_of(0, "car4", "model", "mass");
    do_it(THREE "\"value\": 2100}");
    assert_int_equal(log_count(0), 3);
    play_to(t + 1.0);
    masses(0, 2100, 2100, m, 2100);
    do_it("{\"kind\": \"undo\"}");
    assert_int_equal(log_count(0), 0);
    play_to(t + 2.0);
    masses(0, m, m, m, m);
    do_it("{\"kind\": \"redo\"}");
    assert_int_equal(log_count(0), 3);
    play_to(t + 3.0);
    masses(0, 2100, 2100, m, 2100);
    do_it("{\"kind\": \"undo\"}");
    play_to(t + 4.0); // however slow the machine: t + 0.5 is in the past

    json_t *a = done(test_page_ask(&p, THREE "\"value\": 1500, \"at\": %.17g}", t + 0.5));
    assert_true(json_is_true(json_object_get(a, "branched")));
    const int branch = (int)test_number(a, "world");
    json_decref(a);
    assert_int_equal(log_count(branch), 3);
    json_t *whole;
    assert_string_equal(test_text(world_now(branch, &whole), "change"), "mass of 3 cars = 1500");
    json_decref(whole);
    masses(branch, 1500, 1500, m, 1500);
    do_it("{\"kind\": \"undo\"}"); // the branch goes
    a = test_page_ask(&p, "{\"kind\": \"log\", \"world\": %d}", branch);
    assert_string_equal(test_text(a, "kind"), "refused");
    json_decref(a);
    do_it("{\"kind\": \"redo\"}"); // and comes again with all three
    assert_int_equal(log_count(branch), 3);
    masses(branch, 1500, 1500, m, 1500);

    static const char *const wrong[][2] = {
        {"{\"kind\": \"set\", \"vehicles\": [], \"param\": \"mass\", \"value\": 1}",
         "vehicles must be a list of 1 to 64 names"},
        {"{\"kind\": \"set\", \"vehicles\": \"car2\", \"param\": \"mass\", \"value\": 1}",
         "vehicles must be a list of 1 to 64 names"},
        {"{\"kind\": \"set\", \"vehicles\": [\"car2\", 3], \"param\": \"mass\", \"value\": 1}",
         "vehicles must be a list of names, each once"},
        {"{\"kind\": \"set\", \"vehicles\": [\"car2\", \"car2\"], \"param\": \"mass\", \"value\": "
         "1}",
         "vehicles must be a list of names, each once"},
        {"{\"kind\": \"set\", \"vehicles\": [\"car2\", \"bus\"], \"param\": \"mass\", \"value\": "
         "1900}",
         "\"bus\" has no parameter \"mass\""},
        {"{\"kind\": \"set\", \"vehicles\": [\"car2\"], \"param\": \"wings\", \"value\": 2}",
         "\"car2\" has no parameter \"wings\""},
        {"{\"kind\": \"set\", \"vehicles\": [\"car2\"], \"param\": \"model.length\", \"value\": 4}",
         "model.length of \"car2\" cannot be set during a run"},
        {THREE "\"value\": -1}", "model.mass is -1, expected"},
        {THREE "\"value\": null}", "value"},
        {THREE "\"world\": 77}", "value"},
    };
    const int entries = log_count(0);
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        a = test_page_ask(&p, "%s", wrong[k][0]);
        if (strcmp(test_text(a, "kind"), "refused") != 0 ||
            strncmp(test_text(a, "reason"), wrong[k][1], strlen(wrong[k][1])) != 0)
            fail_msg("%s: %s", wrong[k][0], test_text(a, "reason"));
        json_decref(a);
    }
    assert_int_equal(log_count(0), entries);
}

// A branch made where there are edits has them once, whatever is undone in it.
static void a_branch_has_inherited_edits_once(void **state)
{
    (void)state;
    const double t = play_to(1.0);
    do_it("{\"kind\": \"step\", \"step\": 0.02}");
    do_it("{\"kind\": \"set\", \"controller\": \"follow\", \"param\": \"k1\", \"value\": 0.5}");
    play_to(t + 2.0);
    json_t *a = done(test_page_ask(
        &p,
        "{\"kind\": \"set\", \"controller\": \"follow\", \"param\": \"k3\", \"value\": 2, \"at\": "
        "%.17g}",
        t));
    const int branch = (int)test_number(a, "world");
    json_decref(a);
    assert_int_equal(log_count(branch), 3);
    test_page_wait_end(&p, branch, t + 1.9);
    do_it("{\"kind\": \"set\", \"world\": 1, \"controller\": \"follow\", \"param\": \"k2\", "
          "\"value\": 3}");
    do_it("{\"kind\": \"undo\"}");
    assert_int_equal(log_count(branch), 3);
    do_it("{\"kind\": \"log_remove\", \"world\": 1, \"index\": 2}"); // its own change
    test_page_wait_end(&p, branch, t + 1.9);
    assert_int_equal(log_count(branch), 2);
    assert_true(gain_now(branch, "k1") == 0.5);
    assert_true(gain_now(branch, "k3") == 4.0);
    a = test_page_ask(&p, "{\"kind\": \"log_remove\", \"world\": 1, \"index\": 0}");
    assert_string_equal(test_text(a, "kind"), "refused");
    assert_non_null(strstr(test_text(a, "reason"), "change it there"));
    json_decref(a);
    assert_int_equal(log_count(branch), 2);
}

// A command to a car that an earlier entry no longer brings leaves the log, and pages hear of it.
static void what_makes_no_sense_is_dropped_and_told(void **state)
{
    (void)state;
    play_to(1.0);
    json_decref(add("car7", "behind", NAN));
    const double t = play_to(2.0);
    do_it("{\"kind\": \"fault\", \"vehicle\": \"car8\", \"event\": \"brake_lost\", \"value\": "
          "0.5}");
    play_to(t + 1.0);
    assert_int_equal(log_count(0), 2);
    do_it("{\"kind\": \"log_remove\", \"index\": 0}");
    bool told = false;
    for (int k = 0; k < 10 && !told; k++) {
        json_t *changed = test_page_wait(&p, "changed");
        if (!test_text(changed, "kind")[0])
            fail_msg("pages are not told");
        told = strstr(test_text(changed, "text"), "skipped: brake_lost of car8");
        json_decref(changed);
    }
    assert_true(told);
    assert_int_equal(log_count(0), 0);
}

// An ended world that gets a later end continues; at the end a page that plays is told how.
static void a_later_end_resumes(void **state)
{
    (void)state;
    do_it("{\"kind\": \"end\", \"end\": 2}");
    test_page_tell(&p, "{\"kind\": \"time\", \"t\": 0, \"playing\": true, \"live\": true, "
                       "\"rate\": 100}");
    bool told = false;
    for (int k = 0; k < 50 && !told; k++) {
        json_t *clock = test_page_wait(&p, "clock");
        if (!test_text(clock, "kind")[0])
            fail_msg("no clock says that the end is reached");
        told = strstr(test_text(clock, "notice"), "later end");
        json_decref(clock);
    }
    assert_true(told);
    json_t *whole;
    const json_t *w = world_now(0, &whole);
    assert_string_equal(test_text(w, "state"), "ended");
    assert_non_null(strstr(test_text(w, "message"), "2 s"));
    json_decref(whole);
    do_it("{\"kind\": \"end\", \"end\": 4}");
    test_page_tell(&p, "{\"kind\": \"time\", \"t\": 0, \"playing\": true, \"live\": true, "
                       "\"rate\": 100}");
    assert_true(test_page_wait_end(&p, 0, 3.9) >= 3.9);
}

// Pedals at rest: the newest of a step are kept, not all of them.
static void pedals_at_rest_are_one_entry(void **state)
{
    (void)state;
    const double t = play_to(1.0);
    do_it("{\"kind\": \"set\", \"controller\": \"follow\", \"param\": \"k3\", \"value\": 2}");
    for (int k = 1; k <= 50; k++) {
        test_page_tell(&p,
                       "{\"kind\": \"drive\", \"world\": 0, \"vehicle\": \"car2\", \"throttle\": "
                       "%g, \"brake\": 0}",
                       0.01 * k);
        usleep(5000);
    }
    json_t *a = done(test_page_ask(&p, "{\"kind\": \"log\", \"world\": 0}"));
    const json_t *entries = json_object_get(a, "entries");
    assert_int_equal(json_array_size(entries), 2);
    assert_non_null(strstr(test_text(json_array_get(entries, 1), "text"), "throttle 0.50"));
    json_decref(a);
    test_page_tell(&p, "{\"kind\": \"release\", \"world\": 0, \"vehicle\": \"car2\"}");
    usleep(200000);
    assert_int_equal(log_count(0), 3);
    play_to(t + 0.5);
    assert_int_equal(log_count(0), 3);
}

static void write_file(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

// The log and the scenario that comes with it give the same bits in a run of their own.
static void a_log_comes_with_its_scenario(void **state)
{
    (void)state;
    play_to(1.0);
    json_decref(add("car7", "behind", NAN));
    do_it("{\"kind\": \"step\", \"step\": 0.02}");
    play_to(2.0);
    do_it("{\"kind\": \"set\", \"controller\": \"follow\", \"param\": \"k3\", \"value\": 2}");
    const double t = play_to(3.0);
    test_page_clear(&p);
    assert_int_equal(
        test_page_ask_frames(&p, "{\"kind\": \"seek\", \"world\": 0, \"t\": %.17g}", t), 1);
    const uint64_t hash = p.frames[p.frame_count - 1].hash;
    json_t *a = done(test_page_ask(&p, "{\"kind\": \"export\", \"what\": \"log\"}"));
    const json_t *with = json_object_get(a, "with");
    char log[] = "/tmp/motorcade-log-XXXXXX";
    close(mkstemp(log));
    write_file(log, test_text(a, "text"));
    mc_error error;
    const char *text = test_text(with, "text");
    mc_scenario *s = mc_scenario_parse(text, strlen(text), NULL, &error);
    assert_non_null(s);
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = 1}, &error);
    assert_non_null(run);
    assert_int_equal(mc_run_follow_log(run, log, &error), MC_OK);
    while (mc_run_time(run) < t - 1e-6)
        assert_int_equal(mc_run_step(run, &error), MC_OK);
    assert_true(mc_run_hash(run) == hash);
    mc_run_destroy(run);
    mc_scenario_free(s);
    json_decref(a);
    unlink(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_car_in_the_past_stands_where_it_was_asked_for, start,
                                        stop),
        cmocka_unit_test_setup_teardown(a_law_of_the_past_keeps_the_gains_of_the_past, start, stop),
        cmocka_unit_test_setup_teardown(an_edit_keeps_what_was_set_for_the_same_step, start, stop),
        cmocka_unit_test_setup_teardown(a_car_comes_where_there_is_room, start, stop),
        cmocka_unit_test_setup_teardown(undo_at_rest_keeps_the_order, start, stop),
        cmocka_unit_test_setup_teardown(a_removed_world_comes_back, start, stop),
        cmocka_unit_test_setup_teardown(several_cars_are_set_at_once, start, stop),
        cmocka_unit_test_setup_teardown(a_branch_has_inherited_edits_once, start, stop),
        cmocka_unit_test_setup_teardown(what_makes_no_sense_is_dropped_and_told, start, stop),
        cmocka_unit_test_setup_teardown(a_later_end_resumes, start, stop),
        cmocka_unit_test_setup_teardown(pedals_at_rest_are_one_entry, start, stop),
        cmocka_unit_test_setup_teardown(a_log_comes_with_its_scenario, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
