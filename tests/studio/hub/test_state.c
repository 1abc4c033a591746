// A world saved as a state and resumed: the same to the bit.
#include "studio/hub/upload.h"
#include "support/hub_page.h"
#include "support/run.h"

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

static void ask_done(test_page *p, const char *request)
{
    json_t *a = test_page_ask(p, "%s", request);
    if (strcmp(test_text(a, "kind"), "done") != 0)
        fail_msg("%s: %s", request, test_text(a, "reason"));
    json_decref(a);
}

// Plays on for at least 0.5 s, then rests.
static void play(test_page *p)
{
    static double t; // how far it came
    t += 0.5;
    test_page_tell(p, "{\"kind\": \"time\", \"t\": 0, \"playing\": true, \"live\": true, "
                      "\"rate\": 20}");
    t = test_page_wait_end(p, 0, t);
    test_page_tell(p, "{\"kind\": \"time\", \"t\": 0, \"playing\": false, \"live\": true, "
                      "\"rate\": 1}");
    for (bool running = true; running;) {
        json_t *clock = test_page_wait(p, "clock");
        running = json_is_true(json_object_get(clock, "running"));
        t = test_number(json_array_get(json_object_get(clock, "worlds"), 0), "end");
        json_decref(clock);
    }
}

static uint64_t hash_at(test_page *p, double t)
{
    test_page_clear(p);
    assert_int_equal(test_page_ask_frames(p, "{\"kind\": \"seek\", \"world\": 0, \"t\": %.17g}", t),
                     1);
    return p->frames[p->frame_count - 1].hash;
}

static void write_file(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static void resumes_to_the_same_bits(void **state)
{
    (void)state;
    hub *h = test_hub("two_gains.yaml", false);
    test_page p;
    test_page_open(&p, h);
    play(&p);
    ask_done(&p,
             "{\"kind\": \"set\", \"controller\": \"follow\", \"param\": \"k3\", \"value\": 2}");
    ask_done(&p, "{\"kind\": \"car\", \"op\": \"add\", \"model\": \"town_car\", \"controller\": "
                 "\"follow\", \"beside\": \"car7\", \"where\": \"behind\"}");
    play(&p);
    ask_done(&p, "{\"kind\": \"step\", \"step\": 0.02}");
    play(&p);
    ask_done(&p, "{\"kind\": \"car\", \"op\": \"law\", \"controller\": \"follow\", \"name\": "
                 "\"acc\"}");
    ask_done(&p, "{\"kind\": \"fault\", \"vehicle\": \"car2\", \"event\": \"brake_lost\", "
                 "\"value\": 0.3}");
    play(&p);
    // One that changes the state at the very instant that is saved.
    ask_done(&p, "{\"kind\": \"car\", \"op\": \"remove\", \"vehicle\": \"car1\"}");
    json_t *log = test_page_ask(&p, "{\"kind\": \"log\", \"world\": 0}");
    json_t *a = test_page_ask(&p, "{\"kind\": \"export\", \"what\": \"state\", \"world\": 0}");
    assert_string_equal(test_text(a, "kind"), "done");
    assert_non_null(strstr(test_text(a, "name"), ".mcstate"));
    json_t *saved = json_loads(test_text(a, "text"), 0, NULL);
    const double t = test_number(saved, "t");
    const uint64_t hash = hash_at(&p, t);
    assert_true(strtoull(test_text(saved, "hash"), NULL, 16) == hash);
    char path[] = "/tmp/motorcade-state-XXXXXX.mcstate";
    close(mkstemps(path, 8));
    write_file(path, test_text(a, "text"));
    json_decref(a);
    json_decref(saved);
    test_page_close(&p);
    hub_destroy(h);

    h = test_hub(path, false);
    assert_non_null(h);
    test_page_open(&p, h);
    test_page_wait_end(&p, 0, t - 1e-6);
    assert_true(hash_at(&p, t) == hash);
    bool said = false;
    for (int tries = 0; !said && tries < 100; tries++) {
        a = test_page_ask(&p, "{\"kind\": \"events\", \"world\": 0}");
        const json_t *events = json_object_get(a, "events");
        for (size_t k = 0; k < json_array_size(events); k++)
            said = said || strstr(test_text(json_array_get(events, k), "text"), "bit-identical");
        json_decref(a);
        usleep(20000);
    }
    assert_true(said);
    a = test_page_ask(&p, "{\"kind\": \"log\", \"world\": 0}");
    const json_t *before = json_object_get(log, "entries"), *after = json_object_get(a, "entries");
    assert_int_equal(json_array_size(before), 6);
    assert_int_equal(json_array_size(after), 6);
    for (size_t k = 0; k < 6; k++) {
        const json_t *one = json_array_get(before, k), *other = json_array_get(after, k);
        assert_true(fabs(test_number(one, "t") - test_number(other, "t")) < 1e-9);
        assert_string_equal(test_text(one, "event"), test_text(other, "event"));
    }
    json_decref(a);
    json_decref(log);
    test_page_close(&p);
    hub_destroy(h);
    unlink(path);
}

// A scenario that names another file resumes where the file is found, and only there.
static void names_other_files(void **state)
{
    (void)state;
    hub *h = test_hub("demo.yaml", false);
    test_page p;
    test_page_open(&p, h);
    json_t *a = test_page_ask(&p, "{\"kind\": \"export\", \"what\": \"state\", \"world\": 0}");
    assert_string_equal(test_text(a, "kind"), "done");
    json_t *saved = json_loads(test_text(a, "text"), 0, NULL);
    char path[] = "/tmp/motorcade-state-XXXXXX.mcstate";
    close(mkstemps(path, 8));
    write_file(path, test_text(a, "text"));
    char key[33];
    mc_error error;
    const char *text = test_text(a, "text");
    assert_int_equal(upload_add(h, "x.mcstate", strdup(text), strlen(text), key, &error), MC_OK);
    json_decref(a);
    a = test_page_ask(&p, "{\"kind\": \"open\", \"upload\": \"%s\"}", key); // no folder: rejected
    assert_string_equal(test_text(a, "kind"), "refused");
    assert_non_null(strstr(test_text(a, "reason"), "demo.yaml: which cannot be opened from here"));
    json_decref(a);
    test_page_close(&p);
    hub_destroy(h);
    h = test_hub(path, false); // by the user himself
    assert_non_null(h);
    hub_destroy(h);

    json_object_set_new(saved, "path", json_string(SOURCE_DIR "/scenarios/mixed.yaml"));
    char *changed = json_dumps(saved, 0);
    write_file(path, changed);
    free(changed);
    json_decref(saved);
    const mc_studio_options options = {.file = path, .threads = 1};
    assert_null(hub_create(&options, &table_of_requests, test_hub_wake, NULL, &error));
    assert_non_null(strstr(error.text, "mixed.yaml: the text there has changed since"));
    unlink(path);
}

// A file that the scenario names was changed since: the message names it.
static void a_changed_file_is_named(void **state)
{
    (void)state;
    const run_folder folder = run_folder_make();
    char scenario[200], saved[200];
    run_put(&folder, "s.yaml",
            "motorcade: scenario\n"
            "time: {end: 4, step: 0.05}\n"
            "models: {town: powertrain}\n"
            "vehicles: [{model: town, name: car1, x: 0, v: 15, driver: pedals.csv}]\n");
    run_put(&folder, "pedals.csv", "t,throttle,brake\n0,0.2,0\n1,0,0.4\n");
    snprintf(scenario, sizeof scenario, "%s/s.yaml", folder.path);
    snprintf(saved, sizeof saved, "%s/s.mcstate", folder.path);
    hub *h = test_hub(scenario, false);
    test_page p;
    test_page_open(&p, h);
    json_t *a = test_page_ask(&p, "{\"kind\": \"export\", \"what\": \"state\", \"world\": 0}");
    write_file(saved, test_text(a, "text"));
    json_decref(a);
    test_page_close(&p);
    hub_destroy(h);
    h = test_hub(saved, false);
    assert_non_null(h);
    hub_destroy(h);
    run_put(&folder, "pedals.csv", "t,throttle,brake\n0,0.2,0\n1,0,0.5\n");
    mc_error error = {0};
    const mc_studio_options options = {.file = saved, .threads = 1};
    assert_null(hub_create(&options, &table_of_requests, test_hub_wake, NULL, &error));
    assert_non_null(strstr(error.text, "pedals.csv of the scenario has changed since"));
    run_folder_remove(&folder);
}

static void wrong_ones_are_rejected(void **state)
{
    (void)state;
#define GOOD "\"scenario\": \"x\", \"log\": \"\", \"t\": 1"
    static const char *const wrong[] = {
        "",
        "{",
        "[]",
        "{}",
        "{\"motorcade\": \"results\"}",
        "{\"motorcade\": \"state\", \"version\": 2, " GOOD "}",
        "{\"motorcade\": \"state\", \"version\": 1, \"log\": \"\", \"t\": 1}",
        "{\"motorcade\": \"state\", \"version\": 1, \"scenario\": \"x\", \"t\": 1}",
        "{\"motorcade\": \"state\", \"version\": 1, \"scenario\": \"x\", \"log\": \"\", \"t\": "
        "-1}",
        "{\"motorcade\": \"state\", \"version\": 1, " GOOD "}", // no scenario
        "{\"motorcade\": \"state\", \"version\": 1, \"scenario\": \"motorcade: scenario\\ntime: "
        "{end: 1}\\nmodels: {car: point}\\nvehicles: [{model: car}]\\n\", \"log\": \"what is "
        "this\\n\", \"t\": 1}",
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        char path[] = "/tmp/motorcade-state-XXXXXX.mcstate";
        close(mkstemps(path, 8));
        write_file(path, wrong[k]);
        hub *h = test_hub(path, false);
        if (h)
            fail_msg("accepted: %s", wrong[k]);
        unlink(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_other_files),
        cmocka_unit_test(a_changed_file_is_named),
        cmocka_unit_test(resumes_to_the_same_bits),
        cmocka_unit_test(wrong_ones_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
