// test_mechanism.c - the vehicle bench: every shipped mechanism is read, moved and analysed; poses
// and modes are those of closed forms.
#include "support/hub_page.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static hub *h;
static test_page p;

static int begin(void **state)
{
    (void)state;
    static const char *const folders[] = {SOURCE_DIR "/models", SOURCE_DIR "/scenarios"};
    mc_studio_options o = {.file = SOURCE_DIR "/scenarios/two_gains.yaml",
                           .folders = folders,
                           .folder_count = 2,
                           .paused = true,
                           .threads = 1};
    mc_error error = {0};
    h = hub_create(&o, &table_of_requests, test_hub_wake, NULL, &error);
    assert_non_null(h);
    test_page_open(&p, h);
    return 0;
}

static int end(void **state)
{
    (void)state;
    test_page_close(&p);
    hub_destroy(h);
    return 0;
}

static int sign_of(char c)
{
    static const char signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(signs, c);
    return at && c ? (int)(at - signs) : 0;
}

// The numbers of a text in base64; to be freed.
static double *numbers(const json_t *answer, const char *name, size_t *count)
{
    const char *text = test_text(answer, name);
    const size_t length = strlen(text);
    unsigned char *out = calloc(length + 8, 1);
    assert_non_null(out);
    for (size_t k = 0; k + 3 < length; k += 4) {
        const unsigned all = (unsigned)sign_of(text[k]) << 18 |
                             (unsigned)sign_of(text[k + 1]) << 12 |
                             (unsigned)sign_of(text[k + 2]) << 6 | (unsigned)sign_of(text[k + 3]);
        out[k / 4 * 3] = (unsigned char)(all >> 16);
        out[k / 4 * 3 + 1] = (unsigned char)(all >> 8);
        out[k / 4 * 3 + 2] = (unsigned char)all;
    }
    const char *equal = strchr(text, '=');
    const size_t padding = equal ? length - (size_t)(equal - text) : 0;
    *count = (length / 4 * 3 - padding) / sizeof(double);
    return (double *)(void *)out;
}

static double largest_change(const double *rows, size_t row_count, size_t width)
{
    double largest = 0.0;
    for (size_t k = width; k < row_count * width; k++)
        largest = fmax(largest, fabs(rows[k] - rows[k % width]));
    return largest;
}

// Quaternions have length 1, everything is finite, and something moves.
static void check_poses(const json_t *answer, bool moves)
{
    size_t count, times;
    double *poses = numbers(answer, "poses", &count);
    const size_t bodies = json_array_size(json_object_get(answer, "bodies"));
    times = (size_t)test_number(answer, "rows");
    assert_true(bodies > 0 && count == times * bodies * 7);
    for (size_t k = 0; k < count; k += 7) {
        double square = 0.0;
        for (int j = 3; j < 7; j++)
            square += poses[k + (size_t)j] * poses[k + (size_t)j];
        assert_true(fabs(square - 1.0) < 1e-9 && isfinite(poses[k] + poses[k + 1] + poses[k + 2]));
    }
    if (moves)
        assert_true(largest_change(poses, times, bodies * 7) > 1e-6);
    free(poses);
}

static void every_model_opens(void **state)
{
    (void)state;
    struct dirent **entries;
    int opened = 0;
    const int count = scandir(SOURCE_DIR "/models", &entries, NULL, alphasort);
    assert_true(count > 0);
    for (int k = 0; k < count; k++) {
        const char *name = entries[k]->d_name, *dot = strrchr(name, '.');
        if (dot && strcmp(dot, ".yaml") == 0) {
            json_t *a = test_page_ask(
                &p, "{\"kind\": \"mechanism\", \"file\": \"models/%s\", \"rows\": 20}", name);
            if (strcmp(test_text(a, "kind"), "done") != 0)
                fail_msg("%s: %s", name, test_text(a, "reason"));
            const bool rests = strcmp(name, "iltis.yaml") == 0 || strncmp(name, "ride_", 5) == 0;
            check_poses(a, !rests);
            json_decref(a);
            opened++;
        }
        free(entries[k]);
    }
    free(entries);
    assert_true(opened >= 12);
}

// The pendulum begins at 90 degrees and is there again after its period.
static void pendulum(void **state)
{
    (void)state;
    json_t *a = test_page_ask(&p, "{\"kind\": \"mechanism\", \"file\": \"pendulum.yaml\", "
                                  "\"end\": 2.3678419475762373, \"rows\": 100}");
    size_t count;
    double *poses = numbers(a, "poses", &count), *places = numbers(a, "places", &count);
    const double half = sqrt(0.5);
    assert_true(count == 3 * 101);
    assert_true(fabs(poses[3] - half) < 1e-12 && fabs(poses[5] - half) < 1e-12); // about y
    assert_true(fabs(places[0] + 1.0) < 1e-12 && fabs(places[2]) < 1e-12);
    assert_true(fabs(places[150] - 1.0) < 1e-5);                             // half a period
    assert_true(fabs(places[300] + 1.0) < 1e-5 && fabs(places[302]) < 1e-5); // a whole one
    free(poses);
    free(places);
    json_decref(a);
}

static void values_are_set(void **state)
{
    (void)state;
    json_t *a = test_page_ask(&p, "{\"kind\": \"modes\", \"file\": \"pendulum.yaml\", "
                                  "\"values\": {\"length\": \"2 m\", \"rod.angle\": 0}, "
                                  "\"mode\": 1, \"amplitude\": 0.2}");
    const json_t *mode = json_array_get(json_object_get(a, "modes"), 0);
    assert_true(json_is_true(json_object_get(a, "rest")));
    assert_true(fabs(test_number(mode, "frequency") - sqrt(9.81 / 2.0) / (2.0 * acos(-1.0))) <
                1e-9);
    size_t count;
    double *places = numbers(a, "places", &count);
    assert_true(count == 3 * 24);
    assert_true(fabs(places[0] - -2.0 * sin(0.2)) < 1e-9); // angle 0.2 at phase 0
    assert_true(fabs(places[3 * 12] - 2.0 * sin(0.2)) < 1e-9);
    free(places);
    json_decref(a);
}

// A car without tyres on its wheels: they carry its weight, both sides the same; what has no wheels
// cannot stand.
static void cars_stand_on_wheels(void **state)
{
    (void)state;
    json_t *a = test_page_ask(&p, "{\"kind\": \"rest\", \"file\": \"hmmwv.yaml\", \"stand\": true, "
                                  "\"end\": 0.01, \"rows\": 1}");
    assert_true(json_is_true(json_object_get(a, "rest")));
    const json_t *loads = json_object_get(a, "loads");
    double load[4], sum = 0.0;
    assert_int_equal(json_array_size(loads), 4);
    for (size_t k = 0; k < 4; k++)
        sum += load[k] = test_number(json_array_get(loads, k), "force");
    // chassis, steering, four arms, four wheels (models/hmmwv.yaml)
    const double weight = 9.81 * (2086.52 + 5.286 + 4.0 * (49.228 + 71.105));
    assert_true(fabs(sum - weight) < 1e-6 * weight);
    assert_true(fabs(load[0] - load[1]) < 1e-6 * weight && fabs(load[2] - load[3]) < 1e-6 * weight);
    json_decref(a);
    a = test_page_ask(&p, "{\"kind\": \"rest\", \"file\": \"pendulum.yaml\", \"stand\": true}");
    assert_true(json_is_false(json_object_get(a, "rest")));
    assert_non_null(strstr(test_text(a, "why"), "three wheels"));
    json_decref(a);
}

// A mode of a mechanism with loops keeps them closed: a link of the four-bar keeps its length.
static void modes_keep_loops_closed(void **state)
{
    (void)state;
    json_t *a = test_page_ask(
        &p, "{\"kind\": \"modes\", \"file\": \"four_bar.yaml\", \"mode\": 1, \"amplitude\": 0.3}");
    if (strcmp(test_text(a, "kind"), "done") != 0)
        fail_msg("%s", test_text(a, "reason"));
    check_poses(a, true);
    json_decref(a);
}

static void wrong_requests(void **state)
{
    (void)state;
    static const struct {
        const char *ask, *reason;
    } cases[] = {
        {"{\"kind\": \"mechanism\"}", "file"},
        {"{\"kind\": \"mechanism\", \"file\": \"nothing.yaml\"}", "no mechanism in the folders"},
        {"{\"kind\": \"mechanism\", \"file\": \"scenarios/two_gains.yaml\"}",
         "no mechanism in the folders"},
        {"{\"kind\": \"mechanism\", \"file\": \"../src/base/text.c\"}",
         "no mechanism in the folders"},
        {"{\"kind\": \"mechanism\", \"file\": \"pendulum.yaml\", \"end\": -1}", "end"},
        {"{\"kind\": \"mechanism\", \"file\": \"pendulum.yaml\", \"rows\": 1e9}", "rows"},
        {"{\"kind\": \"mechanism\", \"file\": \"pendulum.yaml\", \"values\": 3}",
         "values must be an object"},
        {"{\"kind\": \"mechanism\", \"file\": \"pendulum.yaml\", \"values\": {\"lenght\": 1}}",
         "length"},
        {"{\"kind\": \"mechanism\", \"file\": \"pendulum.yaml\", \"values\": {\"length\": []}}",
         "must be a number or a text"},
        {"{\"kind\": \"mechanism\", \"file\": \"pendulum.yaml\", \"values\": {\"length\": \"2 "
         "kg\"}}",
         "length"},
        {"{\"kind\": \"modes\", \"file\": \"pendulum.yaml\", \"mode\": 99}",
         "mode is 99, expected 1 .. 2"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        json_t *a = test_page_ask(&p, "%s", cases[k].ask);
        if (strcmp(test_text(a, "kind"), "refused") != 0 ||
            !strstr(test_text(a, "reason"), cases[k].reason))
            fail_msg("%s: %s", cases[k].ask, test_text(a, "reason"));
        json_decref(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_model_opens),    cmocka_unit_test(pendulum),
        cmocka_unit_test(values_are_set),       cmocka_unit_test(modes_keep_loops_closed),
        cmocka_unit_test(cars_stand_on_wheels), cmocka_unit_test(wrong_requests),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
