// test_bench.c - mechanisms as worlds: opened, branched, changed again, pushed, run on, read back.
#include "support/hub_page.h"

#include "base/base64.h"
#include "motorcade/simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static hub *h;
static test_page p;
static const char recording[] = "test_bench.h5";

static int begin(void **state)
{
    (void)state;
    static const char *const folders[] = {SOURCE_DIR "/models", SOURCE_DIR "/scenarios", "."};
    mc_studio_options o = {.file = SOURCE_DIR "/models/pendulum.yaml",
                           .folders = folders,
                           .folder_count = 3,
                           .paused = true,
                           .threads = 1};
    mc_error error = {0};
    h = hub_create(&o, &table_of_requests, test_hub_wake, NULL, &error);
    if (!h)
        fail_msg("%s", error.text);
    test_page_open(&p, h);
    return 0;
}

static int end(void **state)
{
    (void)state;
    test_page_close(&p);
    hub_destroy(h);
    unlink(recording);
    return 0;
}

static json_t *ask(const char *text)
{
    json_t *a = test_page_ask(&p, "%s", text);
    if (strcmp(test_text(a, "kind"), "done") != 0)
        fail_msg("%s: %s", text, test_text(a, "reason"));
    return a;
}

static json_t *run_of(int world)
{
    char text[80];
    snprintf(text, sizeof text, "{\"kind\": \"mechanism\", \"world\": %d}", world);
    return ask(text);
}

static int world_of(json_t *a)
{
    const int world = (int)test_number(a, "world");
    json_decref(a);
    return world;
}

// The last number of a list in base64.
static double *numbers(const json_t *a, const char *name, size_t *count)
{
    const char *text = test_text(a, name);
    static const char signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const size_t length = strlen(text);
    unsigned char *out = calloc(length + 8, 1);
    unsigned bits = 0, held = 0;
    size_t n = 0;
    for (size_t k = 0; k < length && text[k] != '='; k++) {
        held = held << 6 | (unsigned)(strchr(signs, text[k]) - signs);
        bits += 6;
        if (bits >= 8)
            out[n++] = (unsigned char)(held >> (bits -= 8));
    }
    *count = n / sizeof(double);
    return (double *)(void *)out;
}

static bool same(const json_t *a, const json_t *b, const char *name)
{
    return strcmp(test_text(a, name), test_text(b, name)) == 0;
}

// Doubling the length at 2 s is a branch; the same again with another value changes that branch;
// and the same entries from the start give the same bits.
static void branches(void **state)
{
    (void)state;
    const int one =
        world_of(ask("{\"kind\": \"mechanism_change\", \"world\": 0, \"at\": 2, \"values\": "
                     "{\"length\": 2}}"));
    assert_true(one > 0);
    json_t *main = run_of(0), *branch = run_of(one);
    size_t n, m;
    double *a = numbers(main, "places", &n), *b = numbers(branch, "places", &m);
    assert_true(n == m && n > 300);
    assert_true(fabs(a[3 * 40] - b[3 * 40]) < 1e-9); // 1 s
    assert_true(fabs(hypot(b[n - 3], b[n - 1]) - 2.0) < 1e-9);
    assert_true(fabs(hypot(a[n - 3], a[n - 1]) - 1.0) < 1e-9);
    free(a);
    free(b);
    char text[200];
    snprintf(
        text, sizeof text,
        "{\"kind\": \"mechanism_change\", \"world\": %d, \"at\": 2, \"again\": true, \"values\": "
        "{\"length\": 3}}",
        one);
    assert_int_equal(world_of(ask(text)), one);
    json_t *changed = run_of(one);
    assert_false(same(changed, branch, "poses"));
    const int two =
        world_of(ask("{\"kind\": \"mechanism_change\", \"world\": 0, \"at\": 2, \"values\": "
                     "{\"length\": 3}}"));
    json_t *again = run_of(two);
    assert_true(same(changed, again, "poses") && same(changed, again, "t"));
    json_decref(main);
    json_decref(branch);
    json_decref(changed);
    json_decref(again);
}

// A constant force F sideways at the tip of a pendulum at rest: the work of F is the energy gained.
static void a_push_does_its_work(void **state)
{
    (void)state;
    const int still = world_of(ask("{\"kind\": \"mechanism_change\", \"world\": 0, \"values\": "
                                   "{\"rod.angle\": 0}}"));
    char text[300];
    snprintf(text, sizeof text,
             "{\"kind\": \"mechanism_change\", \"world\": %d, \"at\": 1, \"pushes\": [{\"t\": 1, "
             "\"body\": \"rod\", \"at\": [0, 0, -1], \"force\": [2, 0, 0]}, {\"t\": 1.5, \"body\": "
             "\"rod\", \"at\": [0, 0, -1], \"force\": [0, 0, 0]}]}",
             still);
    const int pushed = world_of(ask(text));
    json_t *a = run_of(pushed);
    size_t n, rows, width;
    double *t = numbers(a, "t", &rows), *x = numbers(a, "places", &n),
           *v = numbers(a, "values", &width);
    width /= rows;
    size_t energy = 0;
    const json_t *columns = json_object_get(a, "columns");
    for (size_t k = 0; k < json_array_size(columns); k++)
        if (strcmp(test_text(json_array_get(columns, k), "name"), "energy.total") == 0)
            energy = k;
    double at_end = NAN;
    for (size_t k = 0; k < rows; k++)
        if (fabs(t[k] - 1.5) < 1e-9)
            at_end = x[3 * k];
    const double gained = v[(rows - 1) * width + energy] - v[energy];
    assert_true(at_end > 0.1);
    assert_true(fabs(gained - 2.0 * at_end) < 1e-6);
    assert_int_equal(json_array_size(json_object_get(a, "entries")), 3);
    free(t);
    free(x);
    free(v);
    json_decref(a);
}

static void runs_on(void **state)
{
    (void)state;
    const int world = world_of(ask("{\"kind\": \"mechanism_change\", \"world\": 0, \"end\": 12}"));
    json_t *a = run_of(world);
    assert_true(fabs(test_number(json_object_get(a, "report"), "time") - 12.0) < 1e-9);
    json_decref(a);
}

// A results file of simulate is the motion that was recorded, and can be branched.
static void a_recording(void **state)
{
    (void)state;
    mc_error error = {0};
    mc_multibody *m = mc_multibody_load(SOURCE_DIR "/models/double_pendulum.yaml", NULL, &error);
    assert_non_null(m);
    double y[4];
    mc_multibody_start(m, y);
    assert_int_equal(mc_simulate_set(m, y, "lower", "0.9 m", &error), MC_OK);
    const mc_simulate_options o = {.end = 2.0, .step = 0.05};
    assert_int_equal(
        mc_simulate(m, &o, y, &(mc_simulate_output){.hdf5 = recording}, NULL, NULL, &error), MC_OK);
    y[0] = NAN;
    mc_multibody_free(m);
    json_t *opened = ask("{\"kind\": \"open\", \"file\": \"test_bench.h5\", \"beside\": true}");
    const int world = world_of(opened);
    json_t *a = run_of(world);
    assert_true(json_is_true(json_object_get(json_object_get(a, "report"), "recorded")));
    size_t n;
    double *t = numbers(a, "t", &n);
    assert_true(n == 41 && fabs(t[40] - 2.0) < 1e-12);
    free(t);
    double *x =
        numbers(a, "places", &n); // the tip is where the recorded state and parameter put it
    double *pose = numbers(a, "poses", &n);
    const size_t last = 40;
    const double dx = x[3 * last] - pose[(last * 2 + 1) * 7],
                 dz = x[3 * last + 2] - pose[(last * 2 + 1) * 7 + 2];
    assert_true(fabs(hypot(dx, dz) - 0.9) < 1e-9);
    free(x);
    free(pose);
    json_decref(a);
    char text[200];
    snprintf(
        text, sizeof text,
        "{\"kind\": \"mechanism_change\", \"world\": %d, \"at\": 1, \"values\": {\"m_lower\": 2}}",
        world);
    a = run_of(world_of(ask(text)));
    assert_true(fabs(test_number(json_object_get(a, "report"), "time") - 2.0) < 1e-9);
    json_decref(a);
}

static void rejections(void **state)
{
    (void)state;
    static const struct {
        const char *ask, *reason;
    } cases[] = {
        {"{\"kind\": \"mechanism_change\", \"world\": 0, \"at\": 1, \"values\": {\"rod.angle\": "
         "0}}",
         "rod.angle"},
        {"{\"kind\": \"mechanism_change\", \"world\": 0, \"values\": {\"lenth\": 0}}", "length"},
        {"{\"kind\": \"mechanism_change\", \"world\": 0, \"values\": {\"bob\": -1}}", "mass"},
        {"{\"kind\": \"mechanism_change\", \"world\": 0, \"pushes\": [{\"body\": 3}]}", "body"},
        {"{\"kind\": \"mechanism_change\", \"world\": 0, \"pushes\": [{\"body\": \"rod\", \"at\": "
         "[0, 0], "
         "\"force\": [0, 0, 0]}]}",
         "three numbers"},
        {"{\"kind\": \"travel\", \"world\": 0, \"drive\": \"rod.angel\", \"from\": 0, \"to\": 1}",
         "rod.angle"},
        {"{\"kind\": \"rest\", \"world\": 0, \"hold\": [\"nothing\"]}", "nothing"},
        {"{\"kind\": \"mechanism\", \"world\": 99}", "99"},
        {"{\"kind\": \"open\", \"text\": \"motorcade: multibody\\nbodies: {a: {joint: pin}}\", "
         "\"name\": "
         "\"x.yaml\"}",
         "expected one of free"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        json_t *a = test_page_ask(&p, "%s", cases[k].ask);
        if (strcmp(test_text(a, "kind"), "refused") != 0 ||
            !strstr(test_text(a, "reason"), cases[k].reason))
            fail_msg("%s: %s", cases[k].ask, test_text(a, "reason"));
        json_decref(a);
    }
}

// The tip of a pendulum taken through its angle is on its circle.
static void travel(void **state)
{
    (void)state;
    json_t *a = ask(
        "{\"kind\": \"travel\", \"world\": 0, \"drive\": \"rod.angle\", \"from\": -1, \"to\": 1, "
        "\"rows\": 5}");
    size_t n;
    double *x = numbers(a, "places", &n);
    assert_true(n == 15);
    for (int k = 0; k < 5; k++) {
        const double angle = -1.0 + 0.5 * k;
        assert_true(fabs(x[3 * k] + sin(angle)) < 1e-9 && fabs(x[3 * k + 2] + cos(angle)) < 1e-9);
    }
    free(x);
    json_decref(a);
    a = ask("{\"kind\": \"rest\", \"world\": 0}");
    assert_true(json_is_true(json_object_get(a, "rest")));
    json_decref(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branches),   cmocka_unit_test(a_push_does_its_work),
        cmocka_unit_test(runs_on),    cmocka_unit_test(a_recording),
        cmocka_unit_test(rejections), cmocka_unit_test(travel),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
