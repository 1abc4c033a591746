// What a hub refuses, and what it says then; the state of the simulation stays as it was.
#include "support/hub_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct refusal {
    const char *request, *reason;
} refusal;

static const refusal refusals[] = {
    {"{\"x\": 1}", "kind is missing: a text"},
    {"{\"kind\": 7}", "kind is missing: a text"},
    {"{\"kind\": \"branhc\"}", "there is no request \"branhc\"; did you mean branch?"},
    {"{\"kind\": \"zzzzzzzzzz\"}", "there is no request \"zzzzzzzzzz\""},
    {"{\"kind\": \"hello\"}", "version is missing: a number, 0 .. 1e+06"},
    {"{\"kind\": \"hello\", \"version\": 2}", "this server speaks version 1, the page version 2"},
    {"{\"kind\": \"time\", \"playing\": true}", "t is missing: a number, -1e+09 .. 1e+09"},
    {"{\"kind\": \"time\", \"t\": \"now\"}", "t is a text, it must be a number"},
    {"{\"kind\": \"time\", \"t\": 0, \"playing\": 1}",
     "playing is a number, it must be true or false"},
    {"{\"kind\": \"time\", \"t\": 0, \"ui\": 5}", "ui must be an object"},
    {"{\"kind\": \"subscribe\", \"fields\": [\"x\", \"w\"]}", "there is no field \"w\""},
    {"{\"kind\": \"subscribe\", \"fields\": \"x\"}",
     "fields is a text, it must be a list of names"},
    {"{\"kind\": \"subscribe\", \"rate\": 1000}", "rate is 1000, allowed is 0.1 .. 240"},
    {"{\"kind\": \"subscribe\", \"window\": [5, 1]}",
     "window is [from, to] in m with from < to, or null"},
    {"{\"kind\": \"ack\", \"world\": 0}", "seq is missing: a number, 0 .. 4.29497e+09"},
    {"{\"kind\": \"rows\", \"world\": 9, \"from\": 0, \"to\": 1}", "there is no world 9"},
    {"{\"kind\": \"rows\", \"world\": \"main\", \"from\": 0, \"to\": 1}",
     "world is a text, it must be a number"},
    {"{\"kind\": \"rows\", \"from\": 0, \"to\": 1, \"most\": 5000}",
     "most is 5000, allowed is 1 .. 2000"},
    {"{\"kind\": \"rows\", \"from\": 0}", "to is missing: a number, -1e+09 .. 1e+09"},
    {"{\"kind\": \"seek\"}", "t is missing: a number, -1e+09 .. 1e+09"},
    {"{\"kind\": \"series\", \"fields\": [\"v\"]}", "vehicles must be a list of names"},
    {"{\"kind\": \"series\", \"vehicles\": [\"car1\"], \"fields\": [1]}",
     "fields must be a list of names"},
    {"{\"kind\": \"series\", \"vehicles\": [\"car1\"], \"fields\": [\"speed\"]}",
     "car1 has no quantity \"speed\"; there are the fields of frames, error, time_gap, ttc and its "
     "channels"},
    {"{\"kind\": \"series\", \"worlds\": [3], \"vehicles\": [\"car1\"], \"fields\": [\"v\"]}",
     "there is no such world: entry 1"},
    {"{\"kind\": \"track\", \"measure\": \"fun\"}",
     "measure is \"fun\"; allowed is error, jerk, energy, ttc"},
    {"{\"kind\": \"set\", \"param\": \"k3\", \"value\": 1}", "say either vehicle or controller"},
    {"{\"kind\": \"set\", \"vehicle\": \"car1\", \"value\": 1}", "param is missing: a text"},
    {"{\"kind\": \"set\", \"vehicle\": \"car1\", \"param\": \"k3\"}",
     "value is missing: a number, -1e+300 .. 1e+300"},
    {"{\"kind\": \"set\", \"vehicle\": \"car99\", \"param\": \"k3\", \"value\": 1}",
     "there is no vehicle \"car99\""},
    {"{\"kind\": \"road\"}", "what is commanded? headway, distance or speed"},
    {"{\"kind\": \"road\", \"headway\": 1, \"speed\": 2}",
     "one command at a time: headway or speed"},
    {"{\"kind\": \"road\", \"headway\": -1}", "headway is -1, allowed is 0 .. 60 s"},
    {"{\"kind\": \"fault\", \"vehicle\": \"car1\", \"event\": \"explode\"}",
     "\"explode\" is no fault; there are brake_lost, throttle_stuck, sensor_bias, sensor_noise, "
     "radio_delay, radio_loss and push"},
    {"{\"kind\": \"fault\", \"vehicle\": \"car1\", \"event\": \"brake_lost\", \"value\": 3}",
     "brake_lost is 3, allowed is 0 .. 1 -"},
    {"{\"kind\": \"drive\", \"vehicle\": \"car1\", \"throttle\": 2}",
     "throttle is 2, allowed is 0 .. 1"},
    {"{\"kind\": \"drive\", \"throttle\": 0.2}", "vehicle is missing: a text"},
    {"{\"kind\": \"drive\", \"vehicle\": \"bus\"}", "there is no vehicle \"bus\" in world 0"},
    {"{\"kind\": \"release\", \"vehicle\": \"car1\"}", "car1 is not driven by this page"},
    {"{\"kind\": \"car\", \"op\": \"paint\"}",
     "op is \"paint\"; allowed is add, remove, model, controller, profile, law, linear, listen, "
     "inner, radio, sensor, avoid, fallback"},
    {"{\"kind\": \"car\", \"op\": \"remove\", \"vehicle\": \"bus\"}",
     "there is no vehicle \"bus\" in world 0"},
    {"{\"kind\": \"car\", \"op\": \"add\", \"model\": \"heavy\", \"beside\": \"car1\", \"where\": "
     "\"above\"}",
     "where is \"above\"; allowed is front, behind"},
    {"{\"kind\": \"grades\", \"grades\": 5}", "grades must be a list of at most 1000 hills, "
                                              "[{\"from\", \"to\", \"grade\", \"transition\"}]"},
    {"{\"kind\": \"grades\", \"grades\": [{\"from\": 1}]}",
     "hill 1 needs the numbers from, to, grade (rad)"},
    {"{\"kind\": \"law\", \"controller\": \"nobody\", \"text\": \"a = 0\"}",
     "there is no controller \"nobody\""},
    {"{\"kind\": \"law\", \"controller\": \"follow\", \"text\": \"a = 0*vv\"}",
     "unknown name \"vv\", did you mean \"v\"?"},
    {"{\"kind\": \"law_check\", \"text\": \"b = 1\"}",
     "the wanted acceleration is missing: a = formula"},
    {"{\"kind\": \"law_check\", \"text\": \"a ~ 1\"}", "an equals sign is missing: name = formula"},
    {"{\"kind\": \"step\", \"step\": 0}", "step is 0, allowed is 1e-06 .. 10"},
    {"{\"kind\": \"worlds\", \"op\": \"remove\", \"world\": 0}",
     "the main world stays; make another one main first"},
    {"{\"kind\": \"worlds\", \"op\": \"eat\"}",
     "op is \"eat\"; allowed is rename, remove, main, shift"},
    {"{\"kind\": \"log_remove\", \"index\": 0}",
     "there is no entry 0 in the log; it has 0, counted from 0"},
    {"{\"kind\": \"undo\"}", "there is nothing to undo"},
    {"{\"kind\": \"redo\"}", "there is nothing to do again"},
    {"{\"kind\": \"card\", \"vehicle\": \"bus\"}",
     "there is no vehicle \"bus\" that is simulated in world 0"},
    {"{\"kind\": \"string\", \"try\": 3}", "try must be an object, {\"k3\": 1.6}"},
    {"{\"kind\": \"collision\", \"index\": 2}",
     "there is no collision 2; there are 0, counted from 0"},
    {"{\"kind\": \"identify\", \"params\": {\"weight\": 1}}",
     "the bench has no parameter \"weight\""},
    {"{\"kind\": \"sweep\", \"vary\": []}",
     "vary must be a list of 1 to 4 axes, such as \"mass=1200:2400:200\""},
    {"{\"kind\": \"sweep_stop\", \"sweep\": 4}", "there is no sweep 4"},
    {"{\"kind\": \"open\"}", "say one of file, upload, text"},
    {"{\"kind\": \"open\", \"file\": \"/etc/passwd\"}",
     "\"/etc/passwd\" is in none of the folders given at start"},
    {"{\"kind\": \"open\", \"upload\": \"00\"}", "there is no upload of that key"},
    {"{\"kind\": \"export\", \"what\": \"soul\"}",
     "what is \"soul\"; allowed is scenario, log, state, csv, dynavis"},
};
enum { REFUSALS = sizeof refusals / sizeof refusals[0] };

static uint64_t hash_now(test_page *p)
{
    test_page_clear(p);
    assert_int_equal(test_page_ask_frames(p, "{\"kind\": \"seek\", \"world\": 0, \"t\": 0}"), 1);
    return p->frames[p->frame_count - 1].hash;
}

static void wrong_requests_are_refused(void **state)
{
    (void)state;
    hub *h = test_hub("two_gains.yaml", false);
    assert_non_null(h);
    test_page p;
    test_page_open(&p, h);
    const uint64_t before = hash_now(&p);
    for (int k = 0; k < REFUSALS; k++) {
        if (k % 30 == 29) { // sixty a second are allowed
            test_page_close(&p);
            test_page_open(&p, h);
        }
        json_t *a = test_page_ask(&p, "%s", refusals[k].request);
        if (strcmp(test_text(a, "reason"), refusals[k].reason) != 0)
            fail_msg("%s\n  said: %s (%s)\n  wanted: %s", refusals[k].request,
                     test_text(a, "reason"), test_text(a, "kind"), refusals[k].reason);
        assert_string_equal(test_text(a, "kind"), "refused");
        json_decref(a);
    }
    assert_true(hash_now(&p) == before);
    test_page_close(&p);
    hub_destroy(h);
}

static void what_is_no_request(void **state)
{
    (void)state;
    hub *h = test_hub("two_gains.yaml", false);
    test_page p = {.page = hub_join(h, false), .texts = json_array()};
    const char *const texts[] = {"",
                                 "{",
                                 "[]",
                                 "7",
                                 "\"hello\"",
                                 "{\"id\": -1, \"kind\": \"log\"}",
                                 "{\"id\": 1.5, \"kind\": \"log\"}",
                                 "\xff\xfe",
                                 "{\"kind\": \"log\"} x",
                                 "{\"kind\": \"log\", \"kind\": \"log\"}"};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        assert_true(hub_take(p.page, texts[k], strlen(texts[k])));
        json_t *a = test_page_wait(&p, "refused");
        assert_true(test_text(a, "reason")[0]);
        json_decref(a);
    }
    test_page_tell(&p, "{\"kind\": \"log\"}");
    json_t *a = test_page_wait(&p, "refused");
    assert_string_equal(test_text(a, "reason"), "the first request is hello");
    json_decref(a);
    char *giant = malloc(70000);
    memset(giant, ' ', 70000);
    assert_true(hub_take(p.page, giant, 70000));
    a = test_page_wait(&p, "refused");
    assert_string_equal(test_text(a, "reason"),
                        "a request has at most 65536 bytes, this one 70000");
    json_decref(a);
    memset(giant, '[', 60000); // depth
    assert_true(hub_take(p.page, giant, 60000));
    a = test_page_wait(&p, "refused");
    assert_string_equal(test_text(a, "reason"), "a request is a JSON object");
    json_decref(a);
    free(giant);
    test_page_close(&p);
    hub_destroy(h);
}

static void too_many_requests(void **state)
{
    (void)state;
    hub *h = test_hub("two_gains.yaml", false);
    test_page p;
    test_page_open(&p, h);
    bool open = true;
    int sent = 0;
    for (; sent < 700 && open; sent++)
        open = hub_take(p.page, "{\"kind\": \"log\"}", 15);
    assert_false(open);
    assert_true(sent >= 599 && sent <= 601);
    assert_string_equal(hub_page_closing(p.page), "too many requests");
    json_t *a = test_page_wait(&p, "refused"); // of this second, or under way
    assert_int_equal(strncmp(test_text(a, "reason"), "too many requests", 17), 0);
    json_decref(a);
    a = test_page_wait(&p, "bye");
    assert_string_equal(test_text(a, "reason"), "too many requests");
    json_decref(a);
    test_page_close(&p);
    hub_destroy(h);
}

static void a_page_that_may_only_look(void **state)
{
    (void)state;
    hub *h = test_hub("two_gains.yaml", true);
    test_page p;
    test_page_open(&p, h);
    const char *const changes[] = {"{\"kind\": \"set\"}",
                                   "{\"kind\": \"drive\", \"vehicle\": \"car1\"}",
                                   "{\"kind\": \"branch\"}", "{\"kind\": \"undo\"}",
                                   "{\"kind\": \"open\", \"file\": \"demo.yaml\"}"};
    for (size_t k = 0; k < sizeof changes / sizeof changes[0]; k++) {
        json_t *a = test_page_ask(&p, "%s", changes[k]);
        assert_string_equal(test_text(a, "reason"), "this page may look, not change");
        json_decref(a);
    }
    test_page_close(&p);
    hub_destroy(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_requests_are_refused),
        cmocka_unit_test(what_is_no_request),
        cmocka_unit_test(too_many_requests),
        cmocka_unit_test(a_page_that_may_only_look),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
