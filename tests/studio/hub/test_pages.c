// Several pages on one hub: slow ones, many, driving, coming back; the log of a live run.
#include "motorcade/run.h"
#include "studio/hub/inside.h"
#include "studio/hub/intake.h"
#include "support/hub_page.h"
#include "support/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define assert_near(a, b, by) assert_true(fabs((double)(a) - (double)(b)) <= (by))

static hub *h;

static int start(void **state)
{
    (void)state;
    h = test_hub("two_gains.yaml", false);
    return h ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    hub_destroy(h);
    return 0;
}

static void wait_for(double seconds)
{
    nanosleep(&(struct timespec){.tv_sec = (time_t)seconds,
                                 .tv_nsec = (long)(1e9 * (seconds - floor(seconds)))},
              NULL);
}

static void play(test_page *p, bool on, double rate)
{
    test_page_tell(p,
                   "{\"kind\": \"time\", \"t\": 0, \"playing\": %s, \"live\": true, \"rate\": %g}",
                   on ? "true" : "false", rate);
}

static uint64_t hash_at(test_page *p, double t)
{
    test_page_clear(p);
    assert_int_equal(test_page_ask_frames(p, "{\"kind\": \"seek\", \"world\": 0, \"t\": %.17g}", t),
                     1);
    return p->frames[p->frame_count - 1].hash;
}

// A page that neither reads nor acknowledges gets at most two frames per world; others continue.
static void a_slow_page_holds_up_nobody(void **state)
{
    (void)state;
    test_page slow, good;
    test_page_open(&slow, h);
    test_page_open(&good, h);
    slow.acknowledge = false;
    json_decref(test_page_ask(&slow, "{\"kind\": \"subscribe\", \"rate\": 100}"));
    json_decref(test_page_ask(&good, "{\"kind\": \"subscribe\", \"rate\": 100}"));
    play(&good, true, 5);
    for (int k = 0; k < 400 && slow.frame_count < 2; k++) {
        test_page_fetch(&slow);
        wait_for(0.002);
    }
    play(&good, true, 20);
    test_page_wait_end(&good, 0, 20.0);
    test_page_fetch(&slow);
    assert_int_equal(slow.frame_count, 2);
    assert_true(good.frame_count > 20);
    // After an acknowledgement it gets the newest one, not what it missed.
    const double seen = slow.frames[1].t;
    test_page_tell(&slow, "{\"kind\": \"ack\", \"world\": 0, \"seq\": %u}", slow.frames[1].seq);
    for (int k = 0; k < 200 && slow.frame_count < 3; k++) {
        test_page_fetch(&slow);
        wait_for(0.005);
    }
    assert_true(slow.frame_count >= 3);
    assert_true(slow.frames[2].t > seen + 5.0);
    test_page_close(&slow);
    test_page_close(&good);
}

// What waits for a page is bounded: then it is to be closed.
static void a_page_that_does_not_read_is_closed(void **state)
{
    (void)state;
    test_page p, other;
    test_page_open(&p, h);
    test_page_open(&other, h);
    play(&other, true, 100);
    test_page_wait_end(&other, 0, 60.0);
    play(&other, false, 1);
    for (int k = 0; k < 400 && !page_closing(p.page); k++) {
        test_page_tell(&p,
                       "{\"id\": %d, \"kind\": \"rows\", \"world\": 0, \"from\": 0, \"to\": 60, "
                       "\"most\": 2000}",
                       k + 1);
        wait_for(0.03);
    }
    assert_non_null(page_closing(p.page));
    assert_string_equal(page_closing(p.page), "the page does not read: 16 MB are waiting for it");
    assert_null(page_closing(other.page));
    assert_false(intake_take(p.page, "{\"kind\": \"log\"}", 15));
    test_page_close(&p);
    test_page_close(&other);
}

static double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Frames of the same number are the same, and there is one number for all of them at a tick of the
// clock: pages that came at other times are not due at other times.
static void fifty_pages_see_the_same(void **state)
{
    (void)state;
    enum { PAGES = 50, RATE = 30 };
    static test_page pages[PAGES];
    uint32_t first = UINT32_MAX, last = 0;
    for (int k = 0; k < PAGES; k++) {
        test_page_open(&pages[k], h);
        json_decref(test_page_ask(&pages[k], "{\"kind\": \"subscribe\", \"rate\": %d}", RATE));
    }
    const double began = clock_now();
    play(&pages[0], true, 5);
    for (int turn = 0; turn < 100; turn++) {
        for (int k = 0; k < PAGES; k++)
            test_page_fetch(&pages[k]);
        wait_for(0.005);
    }
    const double took = clock_now() - began;
    play(&pages[0], false, 1);
    for (int k = 0; k < PAGES; k++) {
        assert_true(pages[k].frame_count >= 5);
        for (int i = 0; i < pages[k].frame_count; i++) {
            const uint32_t seq = pages[k].frames[i].seq;
            first = seq < first && pages[k].frames[i].t > 0.0 ? seq : first;
            last = seq > last ? seq : last;
        }
        const test_frame *own = &pages[k].frames[pages[k].frame_count - 1];
        for (int i = 0; i < pages[0].frame_count; i++) {
            const test_frame *f = &pages[0].frames[i];
            if (f->seq == own->seq)
                assert_true(f->t == own->t && f->n == own->n &&
                            memcmp(f->x, own->x, f->n * sizeof *f->x) == 0);
        }
    }
    assert_true(last - first <= RATE * took + 2.0);
    for (int k = 0; k < PAGES; k++)
        test_page_close(&pages[k]);
}

// A car belongs to one page; after two seconds of silence it returns to its law.
static void pedals_belong_to_one_page(void **state)
{
    (void)state;
    test_page a, b;
    test_page_open(&a, h);
    test_page_open(&b, h);
    play(&a, true, 1);
    test_page_tell(&a,
                   "{\"kind\": \"drive\", \"world\": 0, \"vehicle\": \"leader\", \"brake\": 0.4}");
    json_t *m = test_page_wait(&b, "world"); // who drives is told
    const json_t *leader =
        json_array_get(json_object_get(json_object_get(m, "world"), "vehicles"), 0);
    assert_string_equal(test_text(leader, "driven"), "Ann");
    json_decref(m);
    m = test_page_ask(&b, "{\"kind\": \"drive\", \"vehicle\": \"leader\", \"throttle\": 0.5}");
    assert_string_equal(test_text(m, "reason"), "leader is driven by Ann");
    json_decref(m);
    for (int k = 0; k < 30; k++) { // the newest of many wins
        test_page_tell(&a, "{\"kind\": \"drive\", \"vehicle\": \"leader\", \"brake\": %g}",
                       0.4 + 0.01 * k);
        wait_for(0.002);
    }
    wait_for(0.2);
    json_t *log = test_page_ask(&a, "{\"kind\": \"log\", \"world\": 0}");
    const json_t *entries = json_object_get(log, "entries");
    const size_t count = json_array_size(entries);
    assert_true(count >= 2 && count <= 31);
    assert_string_equal(test_text(json_array_get(entries, count - 1), "event"), "drive");
    json_decref(log);
    bool released = false;
    for (int k = 0; k < 40 && !released; k++) {
        wait_for(0.1);
        play(&a, true, 1);
        log = test_page_ask(&a, "{\"kind\": \"log\", \"world\": 0}");
        const json_t *list = json_object_get(log, "entries");
        const json_t *last = json_array_get(list, json_array_size(list) - 1);
        released = strcmp(test_text(last, "event"), "release") == 0;
        json_decref(log);
    }
    assert_true(released);
    // Now the other one may.
    bool driven = false;
    for (int k = 0; k < 40 && !driven; k++) {
        test_page_tell(&b, "{\"kind\": \"drive\", \"vehicle\": \"leader\", \"throttle\": 0.5}");
        wait_for(0.05);
        log = test_page_ask(&b, "{\"kind\": \"log\", \"world\": 0}");
        const json_t *list = json_object_get(log, "entries");
        const json_t *last = json_array_get(list, json_array_size(list) - 1);
        driven = strcmp(test_text(last, "event"), "drive") == 0;
        json_decref(log);
    }
    assert_true(driven);
    test_page_close(&a);
    test_page_close(&b);
}

// Everything that was done live, repeated from the log: the same state to the bit.
static void the_log_repeats_a_live_run(void **state)
{
    (void)state;
    test_page p;
    test_page_open(&p, h);
    play(&p, true, 10);
    const char *const changes[] = {
        "{\"kind\": \"set\", \"controller\": \"follow\", \"param\": \"k3\", \"value\": 2}",
        "{\"kind\": \"road\", \"headway\": 0.6}",
        "{\"kind\": \"fault\", \"vehicle\": \"car2\", \"event\": \"brake_lost\", \"value\": 0.5}",
        "{\"kind\": \"grades\", \"grades\": [{\"from\": 100, \"to\": 400, \"grade\": 0.03}]}",
        ("{\"kind\": \"law\", \"controller\": \"follow\", \"text\": \"kp := 0.3 [1/s^2]\\nkd := "
         "0.8 "
         "[1/s]\\na = kp*(gap - distance - headway*v) + kd*(v_front - v)\"}"),
        "{\"kind\": \"car\", \"op\": \"remove\", \"vehicle\": \"car5\"}",
        "{\"kind\": \"car\", \"op\": \"model\", \"vehicle\": \"car3\", \"name\": \"heavy\"}",
    };
    for (size_t k = 0; k < sizeof changes / sizeof changes[0]; k++) {
        json_t *a = test_page_ask(&p, "%s", changes[k]);
        if (strcmp(test_text(a, "kind"), "done") != 0)
            fail_msg("%s: %s", changes[k], test_text(a, "reason"));
        json_decref(a);
        test_page_tell(&p, "{\"kind\": \"drive\", \"vehicle\": \"leader\", \"brake\": %g}",
                       0.05 * (double)(k % 3));
        wait_for(0.05);
    }
    test_page_tell(&p, "{\"kind\": \"release\", \"vehicle\": \"leader\"}");
    wait_for(0.1);
    play(&p, false, 1);
    wait_for(0.2);
    json_t *clock = NULL;
    do {
        json_decref(clock);
        clock = test_page_wait(&p, "clock");
    } while (json_is_true(json_object_get(clock, "running")));
    const double end = test_number(json_array_get(json_object_get(clock, "worlds"), 0), "end");
    json_decref(clock);
    const uint64_t live = hash_at(&p, end);
    json_t *log = test_page_ask(&p, "{\"kind\": \"export\", \"what\": \"log\"}");
    char path[] = "/tmp/motorcade-test-log-XXXXXX";
    const int fd = mkstemp(path);
    const char *text = test_text(log, "text");
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    json_decref(log);
    mc_error error = {0};
    mc_scenario *s = mc_scenario_load(SOURCE_DIR "/scenarios/two_gains.yaml", &error);
    mc_run *run = mc_run_create(s, NULL, &error);
    assert_non_null(run);
    assert_int_equal(mc_run_follow_log(run, path, &error), MC_OK);
    while (mc_run_time(run) < end - 1e-6)
        assert_int_equal(mc_run_step(run, &error), MC_OK);
    assert_true(mc_run_hash(run) == live);
    mc_run_destroy(run);
    mc_scenario_free(s);
    unlink(path);
    test_page_close(&p);
}

// A page that was reloaded comes back where it was.
static void a_page_comes_back(void **state)
{
    (void)state;
    test_page p, q;
    json_t *w = test_page_hello(&p, h, NULL);
    char key[64];
    snprintf(key, sizeof key, "%s", test_text(w, "key"));
    assert_true(json_is_false(json_object_get(w, "resumed")));
    json_decref(w);
    test_page_tell(&p, "{\"kind\": \"time\", \"t\": 12.5, \"playing\": false, \"live\": false, "
                       "\"rate\": 2, \"select\": \"car6\", \"world\": 0, \"ui\": {\"zoom\": 3}}");
    test_page_close(&p);
    w = test_page_hello(&q, h, key);
    assert_true(json_is_true(json_object_get(w, "resumed")));
    const json_t *place = json_object_get(w, "place");
    assert_near(test_number(place, "t"), 12.5, 0.0);
    assert_near(test_number(place, "rate"), 2.0, 0.0);
    assert_string_equal(test_text(place, "select"), "car6");
    assert_near(test_number(json_object_get(place, "ui"), "zoom"), 3.0, 0.0);
    json_decref(w);
    test_page_close(&q);
    w = test_page_hello(&q, h, "00000000000000000000000000000000");
    assert_true(json_is_false(json_object_get(w, "resumed")));
    json_decref(w);
    test_page_close(&q);
}

// Dear questions of one page: no more than 16 wait, and a page that comes does not wait for them.
static void one_page_does_not_take_all(void **state)
{
    (void)state;
    enum { ASKED = 40 };
    test_page greedy, other;
    test_page_open(&greedy, h);
    for (int k = 0; k < ASKED; k++)
        test_page_tell(&greedy, "{\"id\": %d, \"kind\": \"identify\", \"params\": {}, \"seed\": 1}",
                       1000 + k);
    test_page_open(&other, h); // hello goes first
    test_page_fetch(&greedy);
    int answered = 0, rejected = 0;
    size_t k;
    json_t *m;
    json_array_foreach(greedy.texts, k, m)
    {
        answered += strcmp(test_text(m, "kind"), "done") == 0;
        if (strcmp(test_text(m, "kind"), "refused") == 0) {
            assert_string_equal(test_text(m, "reason"),
                                "too many requests in progress: 16 wait for their answers");
            rejected++;
        }
    }
    assert_true(rejected > 0 && answered + rejected < ASKED);
    // When the page is gone no work is done for it any more.
    test_page_close(&greedy);
    m = test_page_ask(&other, "{\"kind\": \"log\", \"world\": 0}");
    assert_string_equal(test_text(m, "kind"), "done");
    json_decref(m);
    test_page_close(&other);
}

// Of many seeks of a page the newest is carried out; each has an answer.
static void the_newest_seek_wins(void **state)
{
    (void)state;
    enum { SEEKS = 15, FIRST = 500 };
    test_page p;
    test_page_open(&p, h);
    play(&p, true, 50);
    const double end = test_page_wait_end(&p, 0, 10.0);
    play(&p, false, 1);
    test_page_clear(&p);
    for (int k = 0; k < SEEKS; k++)
        test_page_tell(&p, "{\"id\": %d, \"kind\": \"seek\", \"world\": 0, \"t\": %.17g}",
                       FIRST + k, end * (k + 1) / (SEEKS + 1));
    int overtaken = 0, answers = 0;
    bool newest = false;
    for (int turn = 0; turn < 2000 && overtaken + answers < SEEKS; turn++) {
        test_page_fetch(&p);
        size_t k;
        json_t *m;
        overtaken = answers = 0;
        json_array_foreach(p.texts, k, m) if (strcmp(test_text(m, "kind"), "refused") == 0)
        {
            assert_string_equal(test_text(m, "reason"), "superseded by a newer seek");
            overtaken++;
        }
        for (int f = 0; f < p.frame_count; f++) {
            answers += p.frames[f].seq >= FIRST && p.frames[f].seq < FIRST + SEEKS;
            newest = newest || p.frames[f].seq == FIRST + SEEKS - 1;
        }
        wait_for(0.005);
    }
    assert_int_equal(overtaken + answers, SEEKS);
    assert_true(newest);
    test_page_close(&p);
}

// A page that may only look neither starts nor stops the clock.
static void lookers_do_not_drive_the_clock(void **state)
{
    (void)state;
    test_page p, looker = {0};
    test_page_open(&p, h);
    play(&p, false, 1);
    looker.page = page_join(h, true);
    looker.texts = json_array();
    test_page_tell(&looker, "{\"id\": 1, \"kind\": \"hello\", \"version\": 1}");
    json_decref(test_page_wait(&looker, "welcome"));
    wait_for(0.1);
    json_decref(test_page_ask(&p, "{\"kind\": \"branch\", \"world\": 0}")); // a mark in time
    json_t *before = test_page_wait(&p, "clock");
    json_decref(before);
    play(&looker, true, 100);
    wait_for(0.3);
    play(&p, false, 1);
    json_t *b = test_page_ask(&p, "{\"kind\": \"branch\", \"world\": 0}");
    const double at = test_number(b, "at");
    wait_for(0.3);
    json_t *c = test_page_ask(&p, "{\"kind\": \"branch\", \"world\": 0}");
    assert_true(test_number(c, "at") == at);
    json_decref(b);
    json_decref(c);
    test_page_close(&looker);
    test_page_close(&p);
}

// Worlds are rejected before anything is done for them: the 65th, and when memory is used up.
static void worlds_are_bounded(void **state)
{
    (void)state;
    test_page p;
    test_page_open(&p, h);
    play(&p, false, 1);
    json_t *a;
    atomic_store(&h->max_memory, 1);
    a = test_page_ask(&p, "{\"kind\": \"branch\", \"world\": 0}");
    assert_non_null(strstr(test_text(a, "reason"), "the key frames of 1 worlds take"));
    json_decref(a);
    atomic_store(&h->max_memory, (size_t)1 << 30);
    int made = 1;
    for (int k = 0; k < 70; k++) {
        if (k % 40 == 39) // sixty requests a second
            wait_for(1.05);
        a = test_page_ask(&p, "{\"kind\": \"branch\", \"world\": 0}");
        made += strcmp(test_text(a, "kind"), "done") == 0;
        if (made == 64 && strcmp(test_text(a, "kind"), "refused") == 0)
            assert_string_equal(test_text(a, "reason"),
                                "there are already 64 worlds; remove one first");
        json_decref(a);
    }
    assert_int_equal(made, 64);
    test_page_close(&p);
}

// A change of the road does not send the list of vehicles again; a change of a vehicle does, whole.
static void vehicles_are_told_when_they_change(void **state)
{
    (void)state;
    test_page p;
    test_page_open(&p, h);
    play(&p, false, 1);
    json_decref(test_page_ask(&p, "{\"kind\": \"road\", \"speed\": 21}"));
    json_t *m = test_page_wait(&p, "world"), *w = json_object_get(m, "world");
    assert_true(test_number(json_object_get(w, "road"), "speed") == 21.0);
    assert_null(json_object_get(w, "vehicles"));
    json_decref(m);
    json_decref(
        test_page_ask(&p, "{\"kind\": \"car\", \"op\": \"remove\", \"vehicle\": \"car4\"}"));
    play(&p, true, 1);
    bool told = false;
    for (int k = 0; k < 5 && !told; k++) {
        m = test_page_wait(&p, "world");
        const json_t *list = json_object_get(json_object_get(m, "world"), "vehicles");
        told = json_array_size(list) == 7;
        json_decref(m);
    }
    assert_true(told);
    test_page q;
    m = test_page_hello(&q, h, NULL);
    w = json_array_get(json_object_get(m, "worlds"), 0);
    assert_int_equal(json_array_size(json_object_get(w, "vehicles")), 7);
    assert_true(test_number(json_object_get(w, "road"), "speed") == 21.0);
    json_decref(m);
    test_page_close(&q);
    test_page_close(&p);
}

// Two cars enter by flow and one leaves at the end of the road: no page asks for that.
static const char flow_text[] = "motorcade: scenario\n"
                                "time: {end: 60, step: 0.05}\n"
                                "road: {speed: 20, end: 300}\n"
                                "models: {car: point}\n"
                                "controllers: {driver: {law: idm, headway: 1.2, distance: 2}}\n"
                                "vehicles: [{model: car, name: first, x: 200, v: 20,\n"
                                "            controller: driver}]\n"
                                "sources: [{name: new, flow: 1200, from: 1, until: 8, model: car,\n"
                                "           controller: driver, v: 20}]\n";

static bool lists(const json_t *vehicles, const char *name)
{
    size_t k;
    json_t *v;
    json_array_foreach(vehicles, k, v) if (strcmp(test_text(v, "name"), name) == 0) return true;
    return false;
}

static int start_flow(void **state)
{
    static run_folder folder;
    char path[200];
    folder = run_folder_make();
    run_put(&folder, "flow.yaml", flow_text);
    snprintf(path, sizeof path, "%s/flow.yaml", folder.path);
    h = test_hub(path, false);
    *state = &folder;
    return h ? 0 : -1;
}

static int stop_flow(void **state)
{
    hub_destroy(h);
    run_folder_remove(*state);
    return 0;
}

static void cars_that_come_and_go_by_themselves_are_told(void **state)
{
    (void)state;
    test_page p;
    test_page_open(&p, h);
    play(&p, true, 20);
    test_page_wait_end(&p, 0, 20.0); // the world has not ended: that would be told anyway
    play(&p, false, 1);
    bool came = false, left = false;
    test_page_fetch(&p);
    size_t k;
    json_t *m;
    json_array_foreach(p.texts, k, m)
    {
        const json_t *list = json_object_get(json_object_get(m, "world"), "vehicles");
        if (strcmp(test_text(m, "kind"), "world") != 0 || !list)
            continue;
        came = came || lists(list, "new1");
        left = came && !lists(list, "first");
    }
    assert_true(came);
    assert_true(left);
    test_page_close(&p);
}

// A line of a text up to a column, which is not part of it.
static void columns_before(const char *text, int line, const char *column, char *out, size_t size)
{
    for (; line > 1 && text; line--)
        text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL;
    assert_non_null(text);
    snprintf(out, size, "%.*s", (int)strcspn(text, "\n"), text);
    char *end = column ? strstr(out, column) : NULL;
    assert_true(!column || end);
    if (end)
        *end = '\0';
}

// A car in the studio has the columns of `motorcade run --csv`, in their order: path where there
// are ramps, what the ERSC says where there is one.
static void csv_has_the_columns_of_the_command(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"merge.yaml", "guest", ",lane,path,fuel"},
        {"ersc.yaml", "ann", ",lane,checked_in,warnings,blind_spot,fuel"},
        {"lane_change.yaml", "guest", ",a_y,lane,fuel"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        h = test_hub(cases[k][0], false);
        assert_non_null(h);
        test_page p;
        test_page_open(&p, h);
        json_t *a = test_page_ask(
            &p, "{\"kind\": \"export\", \"what\": \"csv\", \"vehicle\": \"%s\"}", cases[k][1]);
        char live[600], command[600];
        columns_before(test_text(a, "text"), 2, NULL, live, sizeof live);
        assert_non_null(strstr(live, cases[k][2]));
        columns_before(test_text(a, "text"), 2, ",fuel", live, sizeof live);
        json_decref(a);
        test_page_close(&p);
        hub_destroy(h);

        run_folder folder = run_folder_make();
        char call[400], name[100];
        snprintf(call, sizeof call, "run %s/scenarios/%s --end 0.1 --csv rows -q", SOURCE_DIR,
                 cases[k][0]);
        run_result r = run(&folder, MOTORCADE_BINARY, call);
        run_result_free(&r);
        snprintf(name, sizeof name, "rows/%s.csv", cases[k][1]);
        char *text = run_get(&folder, name, NULL);
        columns_before(text, 1, NULL, command, sizeof command);
        command[strlen(live)] = '\0'; // then channels of its type
        assert_string_equal(live, command);
        free(text);
        run_folder_remove(&folder);
    }
}

// Who follows a page is told every report of its playhead, and when it leaves; others are not.
static void a_page_follows_another(void **state)
{
    (void)state;
    test_page ann, ben, eve;
    test_page_open(&ann, h);
    test_page_open(&ben, h);
    test_page_open(&eve, h);
    json_decref(test_page_ask(&ann, "{\"kind\": \"name\", \"name\": \"Ann\"}"));
    json_t *a = test_page_ask(&ben, "{\"kind\": \"pages\"}");
    assert_int_equal(json_array_size(json_object_get(a, "pages")), 0); // no page has reported yet
    json_decref(a);
    play(&ann, false, 1);
    json_t *m = test_page_wait(&ben, "pages");
    assert_int_equal((int)test_number(m, "count"), 1);
    json_decref(m);
    play(&ben, false, 1);
    play(&eve, false, 1);
    a = test_page_ask(&ben, "{\"kind\": \"pages\"}");
    const json_t *list = json_object_get(a, "pages");
    assert_int_equal(json_array_size(list), 2); // not itself
    int number = 0;
    for (size_t k = 0; k < 2; k++)
        if (strcmp(test_text(json_array_get(list, k), "name"), "Ann") == 0)
            number = (int)test_number(json_array_get(list, k), "page");
    assert_true(number > 0);
    json_decref(a);
    a = test_page_ask(&ben, "{\"kind\": \"follow\", \"page\": %d}", number);
    assert_string_equal(test_text(a, "name"), "Ann");
    json_decref(a);
    test_page_tell(&ann, "{\"kind\": \"time\", \"t\": 3.5, \"playing\": true, \"live\": false, "
                         "\"rate\": -2, \"select\": \"car3\", \"world\": 0}");
    m = test_page_wait(&ben, "place");
    assert_near(test_number(m, "t"), 3.5, 0.0);
    assert_near(test_number(m, "rate"), -2.0, 0.0);
    assert_string_equal(test_text(m, "select"), "car3");
    assert_true(json_is_true(json_object_get(m, "playing")));
    assert_true(json_is_false(json_object_get(m, "gone")));
    json_decref(m);
    // Itself, none, a page that does not exist, no number: rejected; 0 ends it.
    static const char *const wrong[] = {"7000", "-1", "\"Ann\"", "null"};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        a = test_page_ask(&ben, "{\"kind\": \"follow\", \"page\": %s}", wrong[k]);
        assert_string_equal(test_text(a, "kind"), "refused");
        json_decref(a);
    }
    a = test_page_ask(&ann, "{\"kind\": \"follow\", \"page\": %d}", number);
    assert_non_null(strstr(test_text(a, "reason"), "cannot be followed"));
    json_decref(a);
    a = test_page_ask(&ann, "{\"kind\": \"name\", \"name\": \"  \"}");
    assert_string_equal(test_text(a, "kind"), "refused");
    json_decref(a);
    test_page_close(&ann);
    m = test_page_wait(&ben, "place");
    assert_true(json_is_true(json_object_get(m, "gone")));
    json_decref(m);
    test_page_fetch(&eve);
    size_t k;
    json_t *text;
    json_array_foreach(eve.texts, k, text)
        assert_string_not_equal(test_text(text, "kind"), "place");
    test_page_close(&eve);
    test_page_close(&ben);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_slow_page_holds_up_nobody, start, stop),
        cmocka_unit_test_setup_teardown(a_page_that_does_not_read_is_closed, start, stop),
        cmocka_unit_test_setup_teardown(fifty_pages_see_the_same, start, stop),
        cmocka_unit_test_setup_teardown(pedals_belong_to_one_page, start, stop),
        cmocka_unit_test_setup_teardown(the_log_repeats_a_live_run, start, stop),
        cmocka_unit_test_setup_teardown(one_page_does_not_take_all, start, stop),
        cmocka_unit_test_setup_teardown(the_newest_seek_wins, start, stop),
        cmocka_unit_test_setup_teardown(lookers_do_not_drive_the_clock, start, stop),
        cmocka_unit_test_setup_teardown(worlds_are_bounded, start, stop),
        cmocka_unit_test_setup_teardown(vehicles_are_told_when_they_change, start, stop),
        cmocka_unit_test_setup_teardown(cars_that_come_and_go_by_themselves_are_told, start_flow,
                                        stop_flow),
        cmocka_unit_test(csv_has_the_columns_of_the_command),
        cmocka_unit_test_setup_teardown(a_page_comes_back, start, stop),
        cmocka_unit_test_setup_teardown(a_page_follows_another, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
