// What a hub rejects, and with which message; the state of the simulation is unchanged.
#include "studio/hub/intake.h"
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

typedef struct rejection {
    const char *request, *reason;
} rejection;

static const rejection rejections[] = {
    {"{\"x\": 1}", "kind is missing: expected a text"},
    {"{\"kind\": 7}", "kind is missing: expected a text"},
    {"{\"kind\": \"branhc\"}", "unknown request \"branhc\"; did you mean branch?"},
    {"{\"kind\": \"zzzzzzzzzz\"}", "unknown request \"zzzzzzzzzz\""},
    {"{\"kind\": \"hello\"}", "version is missing: expected a number, 0 .. 1e+06"},
    {"{\"kind\": \"hello\", \"version\": 2}",
     "this server supports version 1, the page uses version 2"},
    {"{\"kind\": \"time\", \"playing\": true}", "t is missing: expected a number, -1e+09 .. 1e+09"},
    {"{\"kind\": \"time\", \"t\": \"now\"}", "t is a text, expected a number"},
    {"{\"kind\": \"time\", \"t\": 0, \"playing\": 1}",
     "playing is a number, expected true or false"},
    {"{\"kind\": \"time\", \"t\": 0, \"ui\": 5}", "ui must be an object"},
    {"{\"kind\": \"subscribe\", \"fields\": [\"v\", \"w\"]}", "unknown field \"w\""},
    {"{\"kind\": \"subscribe\", \"fields\": \"x\"}", "fields is a text, expected a list of names"},
    {"{\"kind\": \"subscribe\", \"rate\": 1000}", "rate is 1000, expected 0.1 .. 240"},
    {"{\"kind\": \"subscribe\", \"window\": [5, 1]}",
     "window must be [from, to] in m with from < to, or null"},
    {"{\"kind\": \"ack\", \"world\": 0}", "seq is missing: expected a number, 0 .. 4.29497e+09"},
    {"{\"kind\": \"rows\", \"world\": 9, \"from\": 0, \"to\": 1}", "unknown world 9"},
    {"{\"kind\": \"rows\", \"world\": \"main\", \"from\": 0, \"to\": 1}",
     "world is a text, expected a number"},
    {"{\"kind\": \"rows\", \"from\": 0, \"to\": 1, \"most\": 5000}",
     "most is 5000, expected 1 .. 2000"},
    {"{\"kind\": \"rows\", \"from\": 0}", "to is missing: expected a number, -1e+09 .. 1e+09"},
    {"{\"kind\": \"seek\"}", "t is missing: expected a number, -1e+09 .. 1e+09"},
    {"{\"kind\": \"series\", \"fields\": [\"v\"]}", "vehicles must be a list of names"},
    {"{\"kind\": \"series\", \"vehicles\": [\"car1\"], \"fields\": [1]}",
     "fields must be a list of names"},
    {"{\"kind\": \"series\", \"vehicles\": [\"car1\"], \"fields\": [\"speed\"]}",
     "car1 has no quantity \"speed\"; expected a field of frames, x, spacing_error, time_gap, ttc "
     "or one of its channels"},
    {"{\"kind\": \"series\", \"worlds\": [3], \"vehicles\": [\"car1\"], \"fields\": [\"v\"]}",
     "unknown world: entry 1"},
    {"{\"kind\": \"track\", \"measure\": \"fun\"}",
     "measure is \"fun\"; expected spacing_error, jerk, energy, ttc"},
    {"{\"kind\": \"set\", \"param\": \"k3\", \"value\": 1}",
     "expected either vehicle or controller"},
    {"{\"kind\": \"set\", \"vehicle\": \"car1\", \"value\": 1}",
     "param is missing: expected a text"},
    {"{\"kind\": \"set\", \"vehicle\": \"car1\", \"param\": \"k3\"}",
     "value is missing: expected a number, -1e+300 .. 1e+300"},
    {"{\"kind\": \"set\", \"vehicle\": \"car99\", \"param\": \"k3\", \"value\": 1}",
     "unknown vehicle \"car99\""},
    {"{\"kind\": \"road\"}", "nothing is commanded; expected headway, distance or speed"},
    {"{\"kind\": \"road\", \"headway\": 1, \"speed\": 2}",
     "only one command is expected: found headway and speed"},
    {"{\"kind\": \"road\", \"headway\": -1}", "headway is -1, expected 0 .. 60 s"},
    {"{\"kind\": \"fault\", \"vehicle\": \"car1\", \"event\": \"explode\"}",
     "unknown fault \"explode\"; expected brake_lost, throttle_stuck, sensor_bias, sensor_noise, "
     "radio_delay, radio_loss, push or force"},
    {"{\"kind\": \"fault\", \"vehicle\": \"car1\", \"event\": \"brake_lost\", \"value\": 3}",
     "brake_lost is 3, expected 0 .. 1"},
    {"{\"kind\": \"drive\", \"vehicle\": \"car1\", \"throttle\": 2}",
     "throttle is 2, expected 0 .. 1"},
    {"{\"kind\": \"drive\", \"throttle\": 0.2}", "vehicle is missing: expected a text"},
    {"{\"kind\": \"drive\", \"vehicle\": \"bus\"}", "unknown vehicle \"bus\" in world 0"},
    {"{\"kind\": \"release\", \"vehicle\": \"car1\"}", "car1 is not driven by this page"},
    {"{\"kind\": \"car\", \"op\": \"paint\"}",
     "op is \"paint\"; expected add, remove, model, controller, profile, own, law, linear, "
     "listen, inner, radio, sensor, avoid, fallback"},
    {"{\"kind\": \"car\", \"op\": \"own\", \"vehicle\": \"bus\"}", "unknown vehicle \"bus\""},
    {"{\"kind\": \"car\", \"op\": \"own\", \"vehicle\": \"car1\", \"name\": \"follow\"}",
     "there is already a controller \"follow\""},
    {"{\"kind\": \"road\", \"headway\": 1, \"lane\": 2}",
     "a command of the roadway is for all lanes; for a lane use section with lane, from, to and "
     "headway"},
    {"{\"kind\": \"car\", \"op\": \"remove\", \"vehicle\": \"bus\"}",
     "unknown vehicle \"bus\" in world 0"},
    {"{\"kind\": \"car\", \"op\": \"add\", \"model\": \"heavy\", \"beside\": \"car1\", \"where\": "
     "\"above\"}",
     "where is \"above\"; expected front, behind"},
    {"{\"kind\": \"grades\", \"grades\": 5}", "grades must be a list of at most 1000 hills, "
                                              "[{\"from\", \"to\", \"grade\", \"transition\"}]"},
    {"{\"kind\": \"grades\", \"grades\": [{\"from\": 1}]}",
     "hill 1 needs the numbers from, to, grade (rad)"},
    {"{\"kind\": \"law\", \"controller\": \"absent\", \"text\": \"a = 0\"}",
     "unknown controller \"absent\""},
    {"{\"kind\": \"law\", \"controller\": \"follow\", \"text\": \"a = 0*vv\"}",
     "unknown name \"vv\"; did you mean \"v\"?"},
    {"{\"kind\": \"law_check\", \"text\": \"b = 1\"}",
     "the desired acceleration is missing: a = formula"},
    {"{\"kind\": \"law_check\", \"text\": \"a ~ 1\"}", "an equals sign is missing: name = formula"},
    {"{\"kind\": \"step\", \"step\": 0}", "step is 0, expected 1e-06 .. 10"},
    {"{\"kind\": \"worlds\", \"op\": \"remove\", \"world\": 0}",
     "the main world cannot be removed; make another one main first"},
    {"{\"kind\": \"worlds\", \"op\": \"eat\"}",
     "op is \"eat\"; expected rename, remove, discard, main, shift"},
    {"{\"kind\": \"log_remove\", \"index\": 0}",
     "unknown entry 0 of the log; it has 0, numbered from 0"},
    {"{\"kind\": \"undo\"}", "nothing to undo"},
    {"{\"kind\": \"redo\"}", "nothing to redo"},
    {"{\"kind\": \"card\", \"vehicle\": \"bus\"}", "no simulated vehicle \"bus\" in world 0"},
    {"{\"kind\": \"string\", \"try\": 3}", "try must be an object, {\"k3\": 1.6}"},
    {"{\"kind\": \"collision\", \"index\": 2}",
     "unknown collision 2; there are 0, numbered from 0"},
    {"{\"kind\": \"identify\", \"params\": {\"weight\": 1}}",
     "the bench has no parameter \"weight\""},
    {"{\"kind\": \"sweep\", \"vary\": []}",
     "vary must be a list of 1 to 4 axes, such as \"mass=1200:2400:200\""},
    {"{\"kind\": \"sweep_stop\", \"sweep\": 4}", "unknown sweep 4"},
    {"{\"kind\": \"open\"}", "expected one of file, upload, text"},
    {"{\"kind\": \"open\", \"file\": \"/etc/passwd\"}",
     "\"/etc/passwd\" is in none of the folders given at start"},
    {"{\"kind\": \"open\", \"upload\": \"00\"}", "no upload has this key"},
    {"{\"kind\": \"export\", \"what\": \"soul\"}",
     "what is \"soul\"; expected scenario, log, state, results, csv, dynavis"},
};
enum { REJECTIONS = sizeof rejections / sizeof rejections[0] };

static uint64_t hash_now(test_page *p)
{
    test_page_clear(p);
    assert_int_equal(test_page_ask_frames(p, "{\"kind\": \"seek\", \"world\": 0, \"t\": 0}"), 1);
    return p->frames[p->frame_count - 1].hash;
}

static void wrong_requests_are_rejected(void **state)
{
    (void)state;
    hub *h = test_hub("two_gains.yaml", false);
    assert_non_null(h);
    test_page p;
    test_page_open(&p, h);
    const uint64_t before = hash_now(&p);
    for (int k = 0; k < REJECTIONS; k++) {
        if (k % 30 == 29) { // sixty a second are allowed
            test_page_close(&p);
            test_page_open(&p, h);
        }
        json_t *a = test_page_ask(&p, "%s", rejections[k].request);
        if (strcmp(test_text(a, "reason"), rejections[k].reason) != 0)
            fail_msg("%s\n  found: %s (%s)\n  expected: %s", rejections[k].request,
                     test_text(a, "reason"), test_text(a, "kind"), rejections[k].reason);
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
    test_page p = {.page = page_join(h, false), .texts = json_array()};
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
        assert_true(intake_take(p.page, texts[k], strlen(texts[k])));
        json_t *a = test_page_wait(&p, "refused");
        assert_true(test_text(a, "reason")[0]);
        json_decref(a);
    }
    test_page_tell(&p, "{\"kind\": \"log\"}");
    json_t *a = test_page_wait(&p, "refused");
    assert_string_equal(test_text(a, "reason"), "the first request must be hello");
    json_decref(a);
    char *giant = malloc(70000);
    memset(giant, ' ', 70000);
    assert_true(intake_take(p.page, giant, 70000));
    a = test_page_wait(&p, "refused");
    assert_string_equal(test_text(a, "reason"),
                        "the request has 70000 bytes, expected at most 65536");
    json_decref(a);
    memset(giant, '[', 60000); // depth
    assert_true(intake_take(p.page, giant, 60000));
    a = test_page_wait(&p, "refused");
    assert_string_equal(test_text(a, "reason"), "a request must be a JSON object");
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
        open = intake_take(p.page, "{\"kind\": \"log\"}", 15);
    assert_false(open);
    assert_true(sent >= 599 && sent <= 601);
    assert_string_equal(page_closing(p.page), "too many requests");
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
        assert_string_equal(test_text(a, "reason"), "this page is read-only");
        json_decref(a);
    }
    test_page_close(&p);
    hub_destroy(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_requests_are_rejected),
        cmocka_unit_test(what_is_no_request),
        cmocka_unit_test(too_many_requests),
        cmocka_unit_test(a_page_that_may_only_look),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
