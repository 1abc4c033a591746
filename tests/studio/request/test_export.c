// test_export.c - a world exported as a DYNAVIS file: the headways of its lanes.
#include "motorcade/dynavis.h"
#include "support/hub_page.h"
#include "support/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static run_folder folder;

static const char *in_folder(const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", folder.path, name);
    return path;
}

// Two platoons: one keeps the gap of its controller, the other is driven without regard to it.
static const char text[] =
    "motorcade: scenario\ntime: {end: 30, step: 0.05}\n"
    "road: {lanes: 2, headway: 1.4, distance: 7}\n"
    "models: {car: point}\n"
    "controllers: {follow: {law: acc, headway: 2, distance: 9}, alone: {law: cruise}}\n"
    "platoons:\n"
    "  - {lane: 1, leader: {model: car, profile: moderate}, cars: [{model: car, count: 3, "
    "controller: follow}]}\n"
    "  - {lane: 2, leader: {model: car, profile: 20}, cars: [{model: car, count: 3, controller: "
    "alone}]}\n";

static void lanes_without_followers_have_the_headway_of_the_road(void **state)
{
    (void)state;
    mc_error error;
    folder = run_folder_make();
    run_put(&folder, "two.yaml", text);
    hub *h = test_hub(in_folder("two.yaml"), false);
    assert_non_null(h);
    test_page p;
    test_page_open(&p, h);
    test_page_tell(&p, "{\"kind\": \"time\", \"t\": 0, \"playing\": true, \"live\": true, "
                       "\"rate\": 200}");
    assert_true(test_page_wait_end(&p, 0, 20.0) >= 20.0);
    json_t *a = test_page_ask(&p, "{\"kind\": \"export\", \"what\": \"dynavis\"}");
    assert_string_equal(test_text(a, "kind"), "done");
    run_put(&folder, "two.dat", test_text(a, "text"));
    run_put(&folder, "two.par", test_text(json_object_get(a, "with"), "text"));
    json_decref(a);
    test_page_close(&p);
    hub_destroy(h);

    mc_dynavis_params params;
    char data[200];
    snprintf(data, sizeof data, "%s", in_folder("two.dat"));
    if (mc_dynavis_params_read(in_folder("two.par"), 2, &params, &error) != MC_OK)
        fail_msg("%s", error.text);
    mc_dynavis_data *file = mc_dynavis_data_load(data, &params, NULL, &error);
    if (!file)
        fail_msg("%s", error.text);
    const mc_dynavis_frame *last = mc_dynavis_data_last(file);
    assert_true(fabs(last->time_headway[0] - 2.0) < 0.01);
    assert_true(fabs(last->fixed_headway[0] - 9.0) < 0.2);
    assert_true(fabs(last->time_headway[1] - 1.4) < 1e-9);
    assert_true(fabs(last->fixed_headway[1] - 7.0) < 1e-9);
    mc_dynavis_data_free(file);
    run_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_without_followers_have_the_headway_of_the_road),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
