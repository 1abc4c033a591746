// load.c - what the studio costs: a frame, ten thousand cars live, fifty pages; ten thousand cars
// opened, edited, seen in the past, ended.
//
// Processor time of the whole process, so that other work on the machine does not count. Pages are
// tests/support/hub_page.c: they fetch, decode and acknowledge every frame, on the main thread,
// whose time is taken off. `ninja -C build studio_load && build/tests/studio_load`; figures are in
// docs/performance.md.
#include "support/hub_page.h"

#include "studio/history/frame.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double clock_of(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double behind_pages(void) // s of all threads but this one
{
    return clock_of(CLOCK_PROCESS_CPUTIME_ID) - clock_of(CLOCK_THREAD_CPUTIME_ID);
}

// Platoons of powertrain cars on four lanes; the file's path.
static const char *write_scenario(int cars)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/motorcade-load-%d.yaml", cars);
    FILE *out = fopen(path, "w");
    if (!out)
        exit(1);
    const int platoons = cars >= 400 ? 40 : 4, each = cars / platoons;
    fprintf(out, "motorcade: scenario\nname: many\ntime: {end: 600, step: 0.01, record: 0.1}\n"
                 "road: {lanes: 4, headway: 1.2, distance: 2}\nmodels: {car: {kind: powertrain}}\n"
                 "controllers: {follow: acc}\nplatoons:\n");
    for (int k = 0; k < platoons; k++)
        fprintf(out,
                "  - {lane: %d, x: %d, v: 20, leader: {model: car, name: l%d, profile: 20}, "
                "cars: [{model: car, name: c%d_, count: %d, controller: follow}]}\n",
                k % 4 + 1, -(k / 4) * each * 45, k, k, each - 1);
    fclose(out);
    return path;
}

// Time to pack a frame of several hundred cars with all fields.
static void load_pack(int cars)
{
    roster *who = roster_create(cars, 0);
    void *memory = calloc(1, history_row_size(who));
    history_row row = history_row_place(memory, who);
    for (int c = 0; c < cars; c++)
        row.x[c] = 12.0 * c;
    row.who = who;
    double best = INFINITY;
    size_t size = 0;
    for (int k = 0; k < 200; k++) {
        frame_buffer buffer = {0};
        const double began = clock_of(CLOCK_THREAD_CPUTIME_ID);
        frame_pack(&buffer, &row, &(frame_spec){.mask = 0xffff, .step = 0.01});
        best = fmin(best, clock_of(CLOCK_THREAD_CPUTIME_ID) - began);
        size = buffer.size;
        free(buffer.data);
    }
    printf("pack %d cars, 16 fields, %zu bytes: %.3f ms\n", cars, size, 1e3 * best);
    free(memory);
    roster_drop(who);
}

// Plays for some seconds; s of processor time behind the pages for a simulated second.
static double play(hub *h, int count, double seconds, double *reached)
{
    static test_page pages[64];
    for (int k = 0; k < count; k++) {
        test_page_open(&pages[k], h);
        test_page_tell(&pages[k], "{\"kind\": \"subscribe\", \"rate\": 60}");
    }
    test_page_tell(&pages[0], "{\"kind\": \"time\", \"t\": 0, \"playing\": true, \"live\": true}");
    double first = NAN, last = NAN, cpu = 0.0;
    for (const double until = clock_of(CLOCK_MONOTONIC) + seconds;
         clock_of(CLOCK_MONOTONIC) < until;) {
        for (int k = 0; k < count; k++) {
            test_page_fetch(&pages[k]);
            if (k == 0 && pages[0].frame_count) {
                last = pages[0].frames[pages[0].frame_count - 1].t;
                if (isnan(first)) {
                    first = last;
                    cpu = behind_pages();
                }
            }
            test_page_clear(&pages[k]);
            json_array_clear(pages[k].texts);
        }
        usleep(2000);
        test_page_tell(&pages[0],
                       "{\"kind\": \"time\", \"t\": 0, \"playing\": true, \"live\": true}");
    }
    cpu = behind_pages() - cpu;
    test_page_tell(&pages[0], "{\"kind\": \"time\", \"t\": 0, \"playing\": false, \"live\": true}");
    for (int k = 0; k < count; k++)
        test_page_close(&pages[k]);
    *reached = (last - first) / seconds;
    return cpu / (last - first);
}

static void load_live(int cars, int pages, double seconds)
{
    mc_studio_options o = {.file = write_scenario(cars), .threads = 1};
    mc_error error;
    hub *h = hub_create(&o, &table_of_requests, test_hub_wake, NULL, &error);
    if (!h) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    double reached;
    const double cost = play(h, pages, seconds, &reached);
    printf("%d cars, %d page%s: %.4f s of processor a simulated second, %.2f of real time\n", cars,
           pages, pages > 1 ? "s" : "", cost, reached);
    fflush(stdout);
    hub_destroy(h);
    unlink(o.file);
}

// Processor time of one request while nothing runs.
static void load_request(test_page *asks, const char *what, const char *text)
{
    const double began = clock_of(CLOCK_MONOTONIC), cpu = behind_pages();
    json_t *answer = strstr(text, "\"seek\"") ? NULL : test_page_ask(asks, "%s", text);
    if (!answer)
        test_page_ask_frames(asks, "%s", text);
    printf("  %-24s %.3f s of processor, %.3f s%s%s\n", what, behind_pages() - cpu,
           clock_of(CLOCK_MONOTONIC) - began, answer ? ", " : "",
           answer ? test_text(answer, "kind") : "");
    fflush(stdout);
    json_decref(answer);
    test_page_clear(asks);
    json_array_clear(asks->texts);
}

static void load_edits(int cars)
{
    mc_studio_options o = {.file = write_scenario(cars), .threads = 1};
    mc_error error;
    test_page page;
    double began = clock_of(CLOCK_PROCESS_CPUTIME_ID), reached;
    hub *h = hub_create(&o, &table_of_requests, test_hub_wake, NULL, &error);
    if (!h)
        exit(1);
    printf("%d cars\n  %-24s %.3f s of processor\n", cars, "opened",
           clock_of(CLOCK_PROCESS_CPUTIME_ID) - began);
    play(h, 1, 4, &reached);
    test_page_open(&page, h);
    static const char *const requests[][2] = {
        {"mass of a car", "{\"kind\": \"set\", \"vehicle\": \"c3_5\", \"param\": \"mass\", "
                          "\"value\": 1500}"},
        {"gain of all", "{\"kind\": \"set\", \"controller\": \"follow\", \"param\": \"k2\", "
                        "\"value\": 1.2}"},
        {"hill", "{\"kind\": \"grades\", \"grades\": [{\"from\": 100, \"to\": 400, \"grade\": "
                 "0.05}]}"},
        {"car added", "{\"kind\": \"car\", \"op\": \"add\", \"model\": \"car\", "
                      "\"controller\": \"follow\", \"beside\": \"c39_249\"}"},
        {"car added, no room", "{\"kind\": \"car\", \"op\": \"add\", \"model\": \"car\", "
                               "\"controller\": \"follow\", \"beside\": \"c3_5\"}"},
        {"car removed", "{\"kind\": \"car\", \"op\": \"remove\", \"vehicle\": \"c3_7\"}"},
        {"law", "{\"kind\": \"car\", \"op\": \"law\", \"controller\": \"follow\", \"name\": "
                "\"pid\"}"},
        {"card", "{\"kind\": \"card\", \"vehicle\": \"c3_5\"}"},
        {"seek over five edits", "{\"kind\": \"seek\", \"t\": 1.9}"},
        {"branch at the end", "{\"kind\": \"branch\"}"},
        {"undone", "{\"kind\": \"undo\"}"},
    };
    for (size_t k = 0; k < sizeof requests / sizeof requests[0]; k++)
        load_request(&page, requests[k][0], requests[k][1]);
    test_page_close(&page);
    began = clock_of(CLOCK_PROCESS_CPUTIME_ID);
    hub_destroy(h);
    printf("  %-24s %.3f s of processor\n", "ended", clock_of(CLOCK_PROCESS_CPUTIME_ID) - began);
    unlink(o.file);
}

int main(void)
{
    load_pack(300);
    load_pack(10000);
    load_edits(10000);
    load_live(10000, 1, 8);
    for (int k = 0; k < 3; k++) {
        load_live(300, 1, 6);
        load_live(300, 50, 6);
    }
    return 0;
}
