// test_studio.c - `motorcade studio`, the calls of DYNAVIS and `motorcade demo`: the real command
// with its real hub, asked over real sockets.
#include "support/run.h"
#include "support/studio_client.h"

#include <jansson.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define TEN "abcdefghij"
#define FONT_OF_101 TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN "k"

static char answer[1 << 16];
static client_frame frame;

typedef struct served {
    run_process process;
    char said[8192]; // up to the address
    int port;
} served;

// Starts it and waits until it says where it is.
static served serve(const run_folder *folder, const char *arguments)
{
    served s;
    char words[1024];
    snprintf(words, sizeof words, "%s --no-open --port 0", arguments);
    s.process = run_start(folder, MOTORCADE_BINARY, words);
    const double limit = run_clock() + 30.0;
    do {
        run_sleep(0.02);
        const ssize_t n = pread(s.process.out, s.said, sizeof s.said - 1, 0);
        s.said[n > 0 ? n : 0] = '\0';
    } while (!strstr(s.said, "Press Ctrl-C to stop.") && !run_is_over(&s.process) &&
             run_clock() < limit);
    const char *address = strstr(s.said, " is at http://");
    if (!address) {
        const run_result r = run_wait(&s.process);
        fail_msg("%s: %s%s", arguments, r.out, r.err);
    }
    s.port = atoi(strchr(address + 14, ':') + 1);
    return s;
}

static run_result finish(served *s, int signal)
{
    kill(s->process.id, signal);
    return run_wait(&s->process);
}

// The next message of that kind, to be freed.
static json_t *hear(int fd, const char *kind)
{
    while (client_frame_read(fd, &frame)) {
        json_t *object = frame.opcode == 1 ? json_loads((const char *)frame.bytes, 0, NULL) : NULL;
        const char *its_kind = json_string_value(json_object_get(object, "kind"));
        if (its_kind && strcmp(its_kind, kind) == 0)
            return object;
        json_decref(object);
    }
    fail_msg("no %s came", kind);
    return NULL;
}

static json_t *greet(int fd)
{
    client_say(fd, "{\"id\": 1, \"kind\": \"hello\", \"version\": 1, \"name\": \"test\"}");
    return hear(fd, "welcome");
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static size_t vehicles_of(const json_t *welcome)
{
    const json_t *world = json_array_get(json_object_get(welcome, "worlds"), 0);
    return json_array_size(json_object_get(world, "vehicles"));
}

// Starts it, checks title and number of cars, and ends it by Ctrl-C.
static void opens(const char *arguments, const char *title, size_t cars)
{
    const run_folder folder = run_folder_make();
    served s = serve(&folder, arguments);
    const int fd = client_page(s.port);
    json_t *welcome = greet(fd);
    assert_string_equal(text_of(welcome, "title"), title);
    assert_int_equal(vehicles_of(welcome), cars);
    json_decref(welcome);
    run_result r = finish(&s, SIGINT);
    assert_int_equal(r.code, 0);
    assert_string_equal(r.err, "");
    char reason[128];
    assert_int_equal(client_close_code(fd, reason, sizeof reason), 1001);
    close(fd);
    run_result_free(&r);
    run_folder_remove(&folder);
}

static void test_studio(void **state)
{
    (void)state;
    opens("studio", "Two gains, one leader", 8);
    opens("studio " SOURCE_DIR "/scenarios/hill.yaml --threads 1 --paused", "hill", 6);
}

static void test_page_and_term(void **state)
{
    (void)state;
    const run_folder folder = run_folder_make();
    served s = serve(&folder, "studio --page " SOURCE_DIR "/web/dist");
    char request[128];
    snprintf(request, sizeof request, "GET / HTTP/1.1\r\nHost: localhost:%d\r\n\r\n", s.port);
    assert_int_equal(client_ask(s.port, request, answer, sizeof answer), 200);
    assert_non_null(strstr(answer, "text/html"));
    assert_null(strstr(s.said, "token"));
    run_result r = finish(&s, SIGTERM);
    assert_int_equal(r.code, 0);
    run_result_free(&r);
    run_folder_remove(&folder);
}

static void test_token(void **state)
{
    (void)state;
    const run_folder folder = run_folder_make();
    served s = serve(&folder, "studio --address 0.0.0.0");
    char *token = strstr(s.said, "/?token=");
    assert_non_null(token);
    assert_non_null(strstr(s.said, "which contains the token"));
    char request[256];
    snprintf(request, sizeof request, "GET / HTTP/1.1\r\nHost: localhost:%d\r\n\r\n", s.port);
    assert_int_equal(client_ask(s.port, request, answer, sizeof answer), 403);
    snprintf(request, sizeof request, "GET %.40s HTTP/1.1\r\nHost: localhost:%d\r\n\r\n", token,
             s.port);
    assert_int_equal(client_ask(s.port, request, answer, sizeof answer), 200);
    run_result r = finish(&s, SIGINT);
    assert_int_equal(r.code, 0);
    run_result_free(&r);
    run_folder_remove(&folder);
}

static void test_dynavis(void **state)
{
    (void)state;
#define FILES SOURCE_DIR "/scenarios/dynavis/"
    opens("dynavis2", "dynavis2", 4);
    opens("dynavis2 -n 7 -m 1 -t fixed -c " FILES "cars.models -r " FILES "freeway.ramps",
          "dynavis2", 7);
    opens("dynavisiden -n 9", "mass identification", 4);
    opens("dynavis-gas -n 6", "gas mileage", 6);
    opens("demo v 1", "manual and automatic", 16);
    opens("demo 2 3", "adaptive, scheduled, fixed", 15);
    opens("demo v 4", "demo4.dat", 2);
    opens("demo 1 5", "demo5.dat", 4);
    opens("dynavis1 " FILES "demo5.dat " FILES "demo5.par", "demo5.dat", 4);
    opens("dynavis2 -f " FILES "demo4.dat -p " FILES "demo4.par", "demo4.dat", 2);
}

// Each program opens the page on its own instruments; -t is the page's font.
static void test_views(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *address;
    } calls[] = {
        {"dynavis1 " FILES "demo5.dat " FILES "demo5.par", "/#dynavis1\n"},
        {"dynavis2", "/#dynavis2\n"},
        {"dynavis2 -t Courier", "/#dynavis2&font=Courier\n"},
        {"dynavis2 -t a&b=\"", "/#dynavis2&font=a%26b%3D%22\n"},
        {"dynavisiden -t 9x15", "/#identify&font=9x15\n"},
        {"dynavis-gas", "/#mileage\n"},
        {"demo 1 2", "/#dynavis1\n"},
        {"demo 2 2", "/#dynavis2\n"},
        {"demo v 2", "/\n"},
    };
    const run_folder folder = run_folder_make();
    for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) {
        served s = serve(&folder, calls[k].arguments);
        if (!strstr(s.said, calls[k].address))
            fail_msg("%s: %s", calls[k].arguments, s.said);
        run_result r = finish(&s, SIGINT);
        assert_int_equal(r.code, 0);
        run_result_free(&r);
    }
    run_folder_remove(&folder);
}

static void test_verbose(void **state)
{
    (void)state;
    const run_folder folder = run_folder_make();
    served s = serve(&folder, "studio " SOURCE_DIR "/scenarios/hill.yaml --verbose --threads 2");
    run_result r = finish(&s, SIGINT);
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.err, "threads: 2\n"));
    assert_non_null(strstr(r.err, "van1: model van (powertrain)"));
    assert_null(strstr(r.err, "mass ="));
    run_result_free(&r);
    run_folder_remove(&folder);
}

// DYNAVIS 1 has as many cars in every frame.
static void test_version_1_has_no_ncars(void **state)
{
    (void)state;
    const run_folder folder = run_folder_make();
    run_put(&folder, "a.par", "Lanes= 1\nCars= 2\nNcars_given= 1\n");
    run_put(&folder, "a.dat", "2 0 1 0.5 1 100 0 20 0 0 0 2 60 0 21 0 0 0\n");
    run_result r = run(&folder, MOTORCADE_BINARY, "dynavis1 a.dat a.par --no-open --port 0");
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(r.err, "a.par:3"));
    assert_non_null(strstr(r.err, "Ncars_given"));
    run_result_free(&r);
    run_folder_remove(&folder);
}

// A data file whose parameters ask for a simulation is continued from its last line.
static void test_dynavis_resumes(void **state)
{
    (void)state;
    const run_folder folder = run_folder_make();
    run_put(&folder, "start.par", "Lanes= 1\nCars= 2\nSimulation= 1\n");
    run_put(&folder, "start.dat", "2 0 1 0.5 1 100 0 20 0 0 0 2 60 0 21 0 0 0\n");
    served s = serve(&folder, "dynavis2 -v -d -f start.dat -p start.par");
    assert_non_null(strstr(s.said, "start.dat: 1 frames, t = 0 .. 0 s, 2 .. 2 cars"));
    assert_non_null(strstr(s.said, "leader: {name: car1"));
    const int fd = client_page(s.port);
    json_t *welcome = greet(fd);
    assert_int_equal(vehicles_of(welcome), 2);
    json_decref(welcome);
    close(fd);
    run_result r = finish(&s, SIGINT);
    assert_int_equal(r.code, 0);
    run_result_free(&r);
    run_folder_remove(&folder);
}

static void test_gas_is_saved(void **state)
{
    (void)state;
    const run_folder folder = run_folder_make();
    served s = serve(&folder, "dynavis-gas -g -n 2");
    const int fd = client_page(s.port);
    json_decref(greet(fd));
    client_say(fd,
               "{\"kind\": \"time\", \"t\": 0, \"playing\": true, \"live\": true, \"rate\": 50, "
               "\"select\": \"\", \"world\": 0, \"ui\": {}}");
    double end = 0.0;
    while (end < 20.0) { // of simulated time
        json_t *clock = hear(fd, "clock");
        const json_t *world = json_array_get(json_object_get(clock, "worlds"), 0);
        end = json_number_value(json_object_get(world, "end"));
        json_decref(clock);
    }
    run_result r = finish(&s, SIGINT);
    close(fd);
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.out, "gas_mileage.csv"));
    char *csv = run_get(&folder, "gas_mileage.csv", NULL);
    assert_int_equal(strncmp(csv, "t s,eager1 mpg,calm1 mpg\n", 25), 0);
    double t, eager, calm, last = -1.0;
    int rows = 0;
    for (char *line = strchr(csv, '\n'); line && line[1]; line = strchr(line + 1, '\n'))
        if (sscanf(line + 1, "%lf,%lf,%lf", &t, &eager, &calm) == 3) {
            assert_true(t > last && eager > 2.5 && eager < 70.0);
            assert_true(calm == eager); // leaders drive alike
            last = t;
            rows++;
        }
    assert_true(rows > 100 && last > 15.0);
    free(csv);
    run_result_free(&r);
    run_folder_remove(&folder);
}

static void test_wrong_calls(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *message;
    } calls[] = {
        {"studio none.yaml", "none.yaml"},
        {"studio a.yaml b.yaml", "only one file is expected"},
        {"studio --port 70000", "0 .. 65535"},
        {"studio --port x", "0 .. 65535"},
        {"studio --prot 1", "did you mean --port"},
        {"studio --with x.par", "only together with a file it belongs to"},
        {"studio --folder /nonexistent", "no readable folder"},
        {"studio --token short", "8 .. 128"},
        {"studio --address 256.1.1.1", "256.1.1.1"},
        {"studio --page /nonexistent", "index.html"},
        {"studio --threads 0", "1 .. 1024"},
        {"dynavis1", "dynavis1 [-d] DATA PARAM"},
        {"dynavis1 only.dat", "expected a data file and a parameter file"},
        {"dynavis1 a b c", "given twice"},
        {"dynavis1 -v a b", "unknown option -v"},
        {"dynavis2 a.dat", "unexpected file name; files are given by options"},
        {"dynavis2 -g", "unknown option -g"},
        {"dynavis2 -n 0", "1 .. 1000"},
        {"dynavis2 -n", "needs a value"},
        {"dynavis2 -m 0", "1 .. 1000000"},
        {"dynavis2 -p a.par", "add -f DATA"},
        {"dynavis2 -n 3 -f a.dat", "without a data file"},
        {"dynavis2 -f none.dat", "none.dat"},
        {"dynavis2 -c none.models", "none.models"},
        {"dynavis2 -r none.ramps", "none.ramps"},
        {"dynavis2 -x", "unknown option"},
        {"dynavis2 -t", "needs a value"},
        {"dynavis2 -t " FONT_OF_101, "at most 100 characters"},
        {"dynavis-gas -n 5", "2, 4, 6 or 8"},
        {"dynavis-gas -n 10", "2, 4, 6 or 8"},
        {"dynavis-gas -g -f a.dat", "no fuel"},
        {"demo", "demo V N"},
        {"demo 1", "demo V N"},
        {"demo 3 1", "1, 2 or v"},
        {"demo v 6", "1 .. 5"},
        {"demo v x", "1 .. 5"},
        {"demo v 1 2", "demo V N"},
    };
    const run_folder folder = run_folder_make();
    for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) {
        run_result r = run(&folder, MOTORCADE_BINARY, calls[k].arguments);
        if (r.code != 2 || !strstr(r.err, calls[k].message))
            fail_msg("%s: code %d, %s", calls[k].arguments, r.code, r.err);
        run_result_free(&r);
    }
    char *listing = run_listing(&folder, false);
    assert_null(strstr(listing, "motorcade-")); // nothing is left behind
    free(listing);
    run_folder_remove(&folder);
}

// Where there is a screen the page is opened, and once only.
static void test_browser(void **state)
{
    (void)state;
    const run_folder folder = run_folder_make();
    char path[4096];
    const char *before = getenv("PATH");
    run_put(&folder, "xdg-open", "#!/bin/sh\necho \"$@\" >>opened\n");
    snprintf(path, sizeof path, "%s/xdg-open", folder.path);
    assert_int_equal(chmod(path, 0755), 0);
    snprintf(path, sizeof path, "%s:%s", folder.path, before);
    char *old = strdup(before);
    setenv("PATH", path, 1);
    setenv("DISPLAY", ":99", 1);
    run_process process = run_start(&folder, MOTORCADE_BINARY, "studio --port 0");
    for (int k = 0; k < 200 && !run_exists(&folder, "opened"); k++)
        run_sleep(0.05);
    run_sleep(0.3);
    kill(process.id, SIGINT);
    run_result r = run_wait(&process);
    setenv("PATH", old, 1);
    unsetenv("DISPLAY");
    free(old);
    assert_int_equal(r.code, 0);
    char *opened = run_get(&folder, "opened", NULL);
    assert_int_equal(strncmp(opened, "http://127.0.0.1:", 17), 0);
    assert_ptr_equal(strchr(opened, '\n'), opened + strlen(opened) - 1);
    assert_non_null(strstr(r.out, "Press Ctrl-C to stop."));
    free(opened);
    run_result_free(&r);
    run_folder_remove(&folder);
}

static void test_port_in_use(void **state)
{
    (void)state;
    const run_folder folder = run_folder_make();
    served s = serve(&folder, "studio");
    char arguments[64];
    snprintf(arguments, sizeof arguments, "studio --no-open --port %d", s.port);
    run_result second = run(&folder, MOTORCADE_BINARY, arguments);
    assert_int_equal(second.code, 1);
    assert_non_null(strstr(second.err, "is already in use"));
    run_result_free(&second);
    run_result r = finish(&s, SIGINT);
    assert_int_equal(r.code, 0);
    run_result_free(&r);
    run_folder_remove(&folder);
}

static void test_help(void **state)
{
    (void)state;
    static const char *const commands[] = {"studio",      "dynavis1",    "dynavis2",
                                           "dynavisiden", "dynavis-gas", "demo"};
    const run_folder folder = run_folder_make();
    for (size_t k = 0; k < sizeof commands / sizeof commands[0]; k++) {
        char arguments[64];
        snprintf(arguments, sizeof arguments, "%s -h", commands[k]);
        run_result r = run(&folder, MOTORCADE_BINARY, arguments);
        assert_int_equal(r.code, 0);
        assert_non_null(strstr(r.out, commands[k]));
        assert_non_null(strstr(r.out, "--no-open"));
        run_result_free(&r);
    }
    run_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_studio),
        cmocka_unit_test(test_page_and_term),
        cmocka_unit_test(test_token),
        cmocka_unit_test(test_dynavis),
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_verbose),
        cmocka_unit_test(test_version_1_has_no_ncars),
        cmocka_unit_test(test_dynavis_resumes),
        cmocka_unit_test(test_gas_is_saved),
        cmocka_unit_test(test_wrong_calls),
        cmocka_unit_test(test_port_in_use),
        cmocka_unit_test(test_help),
        cmocka_unit_test(test_browser),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
