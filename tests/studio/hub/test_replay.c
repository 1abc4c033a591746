// Recordings of every kind as worlds of the hub.
#include "motorcade/dynavis.h"
#include "motorcade/record.h"
#include "motorcade/replay.h"
#include "studio/hub/page.h"
#include "studio/hub/upload.h"
#include "support/hub_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define assert_near(a, b, by) assert_true(fabs((double)(a) - (double)(b)) <= (by))

static char folder[] = "/tmp/motorcade-test-replay-XXXXXX";

static const char scenario[] =
    "motorcade: scenario\nname: short\ntime: {end: 4, step: 0.02, record: 0.04}\n"
    "road: {lanes: 2, headway: 1, distance: 2}\nmodels: {town: {kind: powertrain}}\n"
    "controllers: {follow: acc}\n"
    "platoons: [{leader: {model: town, profile: moderate}, cars: [{model: town, controller: "
    "follow, count: 2}]}]\n";

static const char *in_folder(const char *name)
{
    static char path[4][256];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static void write_file(const char *name, const char *text)
{
    FILE *out = fopen(in_folder(name), "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    fclose(out);
}

static mc_run *short_run(void)
{
    mc_error error;
    mc_scenario *s = mc_scenario_parse(scenario, sizeof scenario - 1, NULL, &error);
    assert_non_null(s);
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = 1}, &error);
    mc_scenario_free(s);
    assert_non_null(run);
    return run;
}

// The run as results, CSV and DYNAVIS files.
static int record_all(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    char h5[256], csv[256], dat[256];
    snprintf(h5, sizeof h5, "%s/run.h5", folder);
    snprintf(csv, sizeof csv, "%s/csv", folder);
    snprintf(dat, sizeof dat, "%s/run.dat", folder);
    mc_error error = {0};
    mc_run *run = short_run();
    mc_recording *rec =
        mc_recording_open(run, &(mc_record_output){.hdf5 = h5, .csv = csv, .dynavis = dat}, &error);
    if (!rec)
        fail_msg("%s", error.text);
    assert_int_equal(mc_recording_play(rec, NULL, &error), MC_OK);
    assert_int_equal(mc_recording_close(rec, &error), MC_OK);
    mc_run_destroy(run);
    return 0;
}

static int remove_all(void **state)
{
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

// The row of a recording at t, against the run itself. x is of the middle of the car.
static void compare(const mc_replay *r, double x_by, double v_by, bool pedals)
{
    mc_error error;
    const mc_replay_info *info = mc_replay_info_of(r);
    assert_int_equal(info->car_count, 3);
    assert_int_equal(info->row_count, 101);
    mc_run *run = short_run();
    for (int row = 0; row < info->row_count; row += 25) {
        while (mc_run_time(run) < mc_replay_time(r, row) - 1e-6)
            assert_int_equal(mc_run_step(run, &error), MC_OK);
        for (int c = 0; c < 3; c++) {
            mc_run_view view;
            mc_run_look(run, c, &view);
            assert_near(mc_replay_row(r, row, MC_FIELD_MIDDLE)[c], view.motion.x, x_by);
            assert_near(mc_replay_row(r, row, MC_FIELD_V)[c], view.motion.v, v_by);
            assert_near(mc_replay_row(r, row, MC_FIELD_A)[c], view.motion.a, v_by);
            if (pedals)
                assert_near(mc_replay_row(r, row, MC_FIELD_THROTTLE)[c], view.inputs.throttle,
                            v_by);
            if (pedals && c > 0)
                assert_near(mc_replay_row(r, row, MC_FIELD_TARGET)[c] -
                                mc_replay_row(r, row, MC_FIELD_MIDDLE)[c],
                            view.error, 1e-9);
        }
    }
    mc_run_destroy(run);
}

static mc_replay *open_replay(const char *name, const char *with)
{
    mc_error error = {0};
    mc_replay *r = mc_replay_load(in_folder(name), with ? in_folder(with) : NULL, &error);
    if (!r)
        fail_msg("%s: %s", name, error.text);
    return r;
}

static void formats_equal_the_run(void **state)
{
    (void)state;
    mc_replay *r = open_replay("run.h5", NULL);
    assert_string_equal(mc_replay_info_of(r)->kind, "results");
    assert_string_equal(mc_replay_info_of(r)->title, "short");
    mc_replay_car car;
    mc_replay_car_at(r, 2, &car);
    assert_string_equal(car.name, "car2");
    assert_string_equal(car.controller, "follow");
    assert_near(car.length, 5.5626, 1e-9);
    compare(r, 0.0, 0.0, true);
    mc_replay_free(r);
    r = open_replay("csv", NULL);
    assert_string_equal(mc_replay_info_of(r)->kind, "CSV");
    mc_replay_car_at(r, 0, &car);
    assert_string_equal(car.name, "car1"); // by name: the leader comes last
    mc_replay_free(r);
    r = open_replay("run.dat", "run.par");
    assert_string_equal(mc_replay_info_of(r)->kind, "DYNAVIS");
    compare(r, 1e-9, 1e-9, false);
    mc_replay_free(r);
}

// What is missing is estimated: a parabola gives its derivatives back.
static void missing_rates_are_estimated(void **state)
{
    (void)state;
    FILE *out = fopen(in_folder("parabola.csv"), "w");
    assert_non_null(out);
    fprintf(out, "t,x\n");
    double t = 0.0;
    for (int k = 0; k < 200; k++) {
        fprintf(out, "%.17g,%.17g\n", t, 3.0 + 20.0 * t + 0.75 * t * t);
        t += 0.02 + 0.01 * (k % 3); // uneven steps
    }
    fclose(out);
    mc_replay *r = open_replay("parabola.csv", NULL);
    const mc_replay_info *info = mc_replay_info_of(r);
    assert_int_equal(info->row_count, 200);
    assert_string_equal(info->note, "speed estimated, acceleration estimated, jerk estimated");
    for (int row = 0; row < 200; row += 20) {
        const double at = mc_replay_time(r, row);
        assert_near(mc_replay_row(r, row, MC_FIELD_V)[0], 20.0 + 1.5 * at, 1e-6);
        assert_near(mc_replay_row(r, row, MC_FIELD_A)[0], 1.5, 1e-4);
        assert_near(mc_replay_row(r, row, MC_FIELD_JERK)[0], 0.0, 1e-2);
    }
    assert_near(mc_replay_time(r, 4) - mc_replay_time(r, 3), 0.02, 1e-12);
    assert_near(mc_replay_time(r, 5) - mc_replay_time(r, 4), 0.03, 1e-12);
    mc_replay_free(r);
}

static void medusa_files(void **state)
{
    (void)state;
    // Two vehicles with velocities and energies: 1 + 24 n + n columns.
    FILE *out = fopen(in_folder("data.asc"), "w");
    for (int row = 0; row < 30; row++) {
        const double t = 0.01 * row;
        fprintf(out, "%.6e", t);
        for (int v = 0; v < 2; v++) // position, directors turned by 0.1 rad
            fprintf(out, " %.6e %.6e 0.0e0 %.6e %.6e 0.0e0 %.6e %.6e 0.0e0 0.0e0 0.0e0 1.0e0",
                    10.0 * v + 20.0 * t, 1.0 * v, cos(0.1), sin(0.1), -sin(0.1), cos(0.1));
        for (int v = 0; v < 2; v++)
            fprintf(out, " %.6e %.6e 0.0e0 0.0e0 0.0e0 0.0e0 0.0e0 0.0e0 0.0e0 0.0e0 0.0e0 0.0e0",
                    20.0 * cos(0.1), 20.0 * sin(0.1));
        fprintf(out, " 4.0e5 4.0e5\n");
    }
    fclose(out);
    mc_replay *r = open_replay("data.asc", NULL);
    const mc_replay_info *info = mc_replay_info_of(r);
    assert_string_equal(info->kind, "data.asc");
    assert_int_equal(info->car_count, 2);
    assert_true(info->poses && !info->impacts);
    assert_near(mc_replay_row(r, 10, MC_FIELD_MIDDLE)[1], 12.0, 1e-5);
    assert_near(mc_replay_row(r, 10, MC_FIELD_PSI)[1], 0.1, 1e-6);
    assert_near(mc_replay_row(r, 10, MC_FIELD_V)[1], 20.0, 1e-4);
    assert_near(mc_replay_poses(r, 10)[MC_REPLAY_POSE + 3 + 4], cos(0.1), 1e-6);
    mc_replay_free(r);
}

// The figure `collisions` of the first world: NAN is null.
static double collisions_of(test_page *p)
{
    json_t *a = test_page_ask(p, "{\"kind\": \"figures\", \"worlds\": [0]}"), *row;
    size_t k;
    double found = -1.0;
    json_array_foreach(json_object_get(a, "rows"), k, row)
    {
        const json_t *value = json_array_get(json_object_get(row, "values"), 0);
        if (strcmp(test_text(row, "name"), "collisions") == 0)
            found = json_is_number(value) ? json_number_value(value) : NAN;
    }
    json_decref(a);
    return found;
}

// The results of MEDUSA's own crash: the studio shows the collisions, yaw and deformation of the
// run, and the cars one behind the other.
static void medusa_results_show_the_crash(void **state)
{
    (void)state;
    char command[1200];
    mc_error error = {0};
    snprintf(command, sizeof command,
             "cd '%s' && cp " SOURCE_DIR "/scenarios/medusa/*.dat . && "
             "sed -i '0,/Y  *0.0/s//Y 0.6/; s/24.4444/30/' platoon.dat && " MOTORCADE_BINARY
             " medusa -t4 --hdf5 crash.h5 --quiet",
             folder);
    assert_int_equal(system(command), 0);
    mc_replay *r = mc_replay_load(in_folder("crash.h5"), NULL, &error);
    assert_non_null(r);
    int impacts;
    mc_replay_impacts(r, &impacts);
    assert_true(impacts > 0 && mc_replay_info_of(r)->poses);
    const int rows = mc_replay_info_of(r)->row_count;
    double yaw = 0.0, stretch = 0.0;
    for (int row = 0; row < rows; row++) {
        const double *pose = mc_replay_poses(r, row);
        yaw = fmax(yaw, fabs(mc_replay_row(r, row, MC_FIELD_PSI)[0]));
        const double length = sqrt(pose[3] * pose[3] + pose[4] * pose[4] + pose[5] * pose[5]);
        stretch = fmax(stretch, fabs(length - 1.0));
    }
    assert_true(yaw > 1e-4 && stretch > 1e-4);
    mc_replay_free(r);
    hub *h = test_hub(in_folder("crash.h5"), false);
    test_page p;
    json_t *welcome = test_page_hello(&p, h, NULL);
    const json_t *world = json_array_get(json_object_get(welcome, "worlds"), 0);
    const json_t *cars = json_object_get(world, "vehicles");
    assert_true(json_array_size(cars) >= 2);
    for (size_t k = 0; k < json_array_size(cars); k++) {
        assert_true(json_is_true(json_object_get(json_array_get(cars, k), "deformable")));
        assert_int_equal((int)test_number(json_array_get(cars, k), "place"), (int)k);
    }
    json_decref(welcome);
    json_t *a = test_page_ask(&p, "{\"kind\": \"collision\", \"world\": 0}");
    const size_t collisions = json_array_size(json_object_get(a, "collisions"));
    assert_true(collisions > 0 && collisions_of(&p) == (double)collisions);
    json_decref(a);
    // Energies and speeds of single vehicles are not in the file: the lists of them are empty.
    a = test_page_ask(&p, "{\"kind\": \"collision\", \"world\": 0, \"index\": 0}");
    static const char *const lists[] = {"cars", "ledger", "points"};
    for (int k = 0; k < 3; k++) {
        const json_t *list = json_object_get(json_object_get(a, "collision"), lists[k]);
        assert_true(json_is_array(list) && json_array_size(list) == 0);
    }
    assert_true(json_array_size(json_object_get(json_object_get(a, "collision"), "force")) > 0);
    json_decref(a);
    test_page_clear(&p);
    assert_true(test_page_ask_frames(&p, "{\"kind\": \"rows\", \"from\": 0, \"to\": 4, \"bodies\": "
                                         "true, \"fields\": [\"middle\", \"psi\"]}") > 1);
    assert_true(p.frames[p.frame_count - 1].block_count >= 2);
    test_page_close(&p);
    hub_destroy(h);
    // data.asc does not say who hit whom: that is not the same as no collision.
    h = test_hub(in_folder("data.asc"), false);
    test_page_open(&p, h);
    assert_true(isnan(collisions_of(&p)));
    test_page_close(&p);
    hub_destroy(h);
}

static void wrong_files_are_rejected(void **state)
{
    (void)state;
    static const char *const wrong[][3] = {
        {"empty.csv", "t,x\n", "the file has no rows"},
        {"head.csv", "time,place\n1,2\n",
         "the header needs the columns t and x; y, v, a, jerk, ... are optional"},
        {"word.csv", "t,x\n0,1\n1,two\n", "\"two\" is not a number"},
        {"more.csv", "t,x\n0,1,2\n", "the line has more values than the header"},
        {"less.csv", "t,x,y\n0,1\n", "the line has 2 values, the header 3 names"},
        {"back.csv", "t,x\n1,1\n0.5,2\n", "the time is not after that of the previous row"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        mc_error error = {0};
        write_file(wrong[k][0], wrong[k][1]);
        assert_null(mc_replay_load(in_folder(wrong[k][0]), NULL, &error));
        assert_string_equal(error.text, wrong[k][2]);
    }
    mc_error error = {0};
    assert_null(mc_replay_load(in_folder("nowhere.h5"), NULL, &error));
    assert_string_equal(error.text, "cannot read the file");
    write_file("broken.h5", "\x89HDF\r\n\x1a\n and no more");
    assert_null(mc_replay_load(in_folder("broken.h5"), NULL, &error));
}

// ---- bounds ----

// data.asc of many cars or many rows.
static void write_asc(const char *name, int rows, int cars)
{
    FILE *out = fopen(in_folder(name), "w");
    assert_non_null(out);
    for (int k = 0; k < rows; k++) {
        fprintf(out, "%.4e", 0.01 * k);
        for (int c = 0; c < cars; c++)
            fprintf(out, " %de0 0e0 0e0 1e0 0e0 0e0 0e0 1e0 0e0 0e0 0e0 1e0", k - 10 * c);
        fputs("\n", out);
    }
    fclose(out);
}

static hub *recorded_hub(const char *name)
{
    mc_error error;
    const mc_studio_options options = {.file = in_folder(name), .threads = 1};
    hub *h = hub_create(&options, &table_of_requests, test_hub_wake, NULL, &error);
    if (!h)
        fail_msg("%s", error.text);
    return h;
}

static json_t *ask_series(test_page *p, int cars, bool twice)
{
    json_t *body = json_object(), *vehicles = json_array(), *fields = json_array();
    for (int c = 0; c < cars; c++)
        json_array_append_new(vehicles, json_sprintf("vehicle%d", c / (twice ? 2 : 1) + 1));
    for (int f = 0; f < MC_FIELD_FRAME_COUNT; f++)
        json_array_append_new(fields, json_string(mc_field_table[f].name));
    json_object_set_new(body, "kind", json_string("series"));
    json_object_set_new(body, "points", json_integer(20000));
    json_object_set_new(body, "vehicles", vehicles);
    json_object_set_new(body, "fields", fields);
    char *text = json_dumps(body, 0);
    json_t *answer = test_page_ask(p, "%s", text);
    free(text);
    json_decref(body);
    return answer;
}

static void curves_have_a_bound(void **state)
{
    (void)state;
    const int cars = 400 / MC_FIELD_FRAME_COUNT,
              rows = 8000000 / (cars * MC_FIELD_FRAME_COUNT) + 10;
    write_asc("long.asc", rows, cars);
    hub *h = recorded_hub("long.asc");
    test_page p;
    test_page_open(&p, h);
    json_t *a = ask_series(&p, cars, false);
    assert_string_equal(test_text(a, "kind"), "refused");
    assert_non_null(strstr(test_text(a, "reason"), "more than 8000000 values"));
    json_decref(a);
    a = ask_series(&p, cars, true); // the same cars named twice: half as many curves
    assert_string_equal(test_text(a, "kind"), "done");
    assert_int_equal(json_object_size(json_object_get(a, "values")),
                     (cars + 1) / 2 * MC_FIELD_FRAME_COUNT);
    const size_t points = json_array_size(json_object_get(a, "t"));
    assert_true(points > 1000 &&
                points * (size_t)((cars + 1) / 2 * MC_FIELD_FRAME_COUNT) <= 500000);
    json_decref(a);
    test_page_close(&p);
    hub_destroy(h);
}

static void answers_of_many_cars_have_a_bound(void **state)
{
    (void)state;
    write_asc("wide.asc", 120, 2000);
    hub *h = recorded_hub("wide.asc");
    test_page p;
    test_page_open(&p, h);
    test_page_clear(&p);
    const int count = test_page_ask_frames(&p, "{\"kind\": \"rows\", \"from\": 0, \"to\": 10}");
    const size_t row = 2000 * 4 * (MC_FIELD_FRAME_COUNT + 2);
    assert_true((size_t)count * row <= 8 << 20 && (size_t)(count + 2) * row > 8 << 20);
    assert_near(p.frames[p.frame_count - count].t, 0.0, 1e-9); // both ends
    assert_near(p.frames[p.frame_count - 1].t, 1.19, 1e-9);
    assert_null(page_closing(p.page));
    // Exports of any size come in pieces: together they are all rows, each once.
    static const char *const kinds[] = {"csv", "dynavis"};
    for (int k = 0; k < 2; k++) {
        size_t lines = 0, pieces = 0;
        for (double from = 0.0; isfinite(from); pieces++) {
            json_t *a = test_page_ask(&p, "{\"kind\": \"export\", \"what\": \"%s\"%s%.17g}",
                                      kinds[k], pieces ? ", \"from\": " : ", \"world\": ", from);
            const char *text = test_text(a, "text");
            assert_true(strlen(text) < 12 << 20);
            for (const char *c = text; (c = strchr(c, '\n')); c++)
                lines++;
            json_t *next = json_object_get(a, "next");
            from = json_is_number(next) ? json_number_value(next) : NAN;
            json_decref(a);
        }
        assert_true(pieces >= 2);
        assert_int_equal(lines, k == 0 ? 2 + 120 * 2000 : 120); // CSV: units and names first
    }
    test_page_close(&p);
    hub_destroy(h);
}

// ---- DYNAVIS: what a file says of its cars ----

static const char *const demo1 = SOURCE_DIR "/scenarios/demo1.yaml";

static mc_run *demo1_run(void)
{
    mc_error error;
    mc_scenario *s = mc_scenario_load(demo1, &error);
    assert_non_null(s);
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = 1}, &error);
    mc_scenario_free(s);
    assert_non_null(run);
    return run;
}

// Two platoons of eight, each with its own headway and distance: the errors of the replay are those
// of the run. drivers: also of the platoon whose law keeps no spacing.
static void compare_demo1(const char *name, double end, double by, bool drivers)
{
    mc_error error;
    mc_replay *r = open_replay(name, NULL);
    const mc_replay_info *info = mc_replay_info_of(r);
    mc_run *run = demo1_run();
    assert_int_equal(info->car_count, 16);
    int rows = 0;
    for (int row = 0; row < info->row_count && mc_replay_time(r, row) <= end; row += 10, rows++) {
        while (mc_run_time(run) < mc_replay_time(r, row) - 1e-6)
            assert_int_equal(mc_run_step(run, &error), MC_OK);
        for (int c = 0; c < 16; c++) {
            mc_run_view view;
            mc_replay_car car;
            mc_run_look(run, c, &view);
            mc_replay_car_at(r, c, &car);
            assert_int_equal(car.platoon, c / 8);
            assert_near(car.length, 5.56, 1e-9);
            const double target = mc_replay_row(r, row, MC_FIELD_TARGET)[c];
            assert_int_equal(isnan(target), c % 8 == 0);
            mc_run_vehicle_info vehicle;
            mc_run_vehicle(run, c, &vehicle);
            if (c % 8 != 0 && (drivers || strcmp(vehicle.law, "pipes") != 0))
                assert_near(target - mc_replay_row(r, row, MC_FIELD_MIDDLE)[c], view.error, by);
        }
    }
    assert_true(rows > 5);
    mc_run_destroy(run);
    mc_replay_free(r);
}

static void dynavis_files_keep_platoons(void **state)
{
    (void)state;
    mc_error error = {0};
    mc_run *run = demo1_run();
    const mc_record_output output = {.dynavis = in_folder("two.dat"), .end = 40};
    mc_recording *rec = mc_recording_open(run, &output, &error);
    if (!rec)
        fail_msg("%s", error.text);
    assert_int_equal(mc_recording_play(rec, NULL, &error), MC_OK);
    assert_int_equal(mc_recording_close(rec, &error), MC_OK);
    mc_run_destroy(run);
    compare_demo1("two.dat", 40.0, 1e-9, true);
}

static void put_text(const char *name, const char *text)
{
    FILE *out = fopen(in_folder(name), "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static void exported_worlds_keep_platoons(void **state)
{
    (void)state;
    hub *h = test_hub(demo1, false);
    test_page p;
    test_page_open(&p, h);
    test_page_tell(&p, "{\"kind\": \"time\", \"t\": 0, \"playing\": true, \"live\": true, "
                       "\"rate\": 200}");
    const double end = test_page_wait_end(&p, 0, 30.0);
    json_t *a = test_page_ask(&p, "{\"kind\": \"export\", \"what\": \"dynavis\"}");
    assert_string_equal(test_text(a, "kind"), "done");
    put_text("world.dat", test_text(a, "text"));
    put_text("world.par", test_text(json_object_get(a, "with"), "text"));
    json_decref(a);
    test_page_close(&p);
    hub_destroy(h);
    compare_demo1("world.dat", end, 5e-3, false); // rows have seven digits
}

// The shipped experiments were made with cars of 5 m: at the start, where they drive as they are
// to, there is no error but noise. Their gains are measured, though there is no law.
static void shipped_recordings_are_measured(void **state)
{
    (void)state;
    static const struct {
        const char *data, *params;
        int cars;
    } demos[] = {{"demo4.dat", "demo4.par", 2}, {"demo5.dat", "demo5.par", 4}};
    for (int k = 0; k < 2; k++) {
        char data[300], params[300];
        mc_error error = {0};
        snprintf(data, sizeof data, SOURCE_DIR "/scenarios/dynavis/%s", demos[k].data);
        snprintf(params, sizeof params, SOURCE_DIR "/scenarios/dynavis/%s", demos[k].params);
        mc_replay *r = mc_replay_load(data, params, &error);
        assert_non_null(r);
        double mean = 0.0;
        for (int row = 0; row < 40; row++)
            mean += (mc_replay_row(r, row, MC_FIELD_TARGET)[1] -
                     mc_replay_row(r, row, MC_FIELD_MIDDLE)[1]) /
                    40.0;
        assert_near(mean, 0.0, 0.15);
        mc_replay_free(r);
        hub *h = test_hub(data, false); // with the parameters beside it
        assert_non_null(h);
        test_page p;
        test_page_open(&p, h);
        json_t *a = test_page_ask(&p, "{\"kind\": \"string\", \"worlds\": [0], \"from\": 0, "
                                      "\"to\": 50, \"t\": 20}");
        assert_string_equal(test_text(a, "kind"), "done");
        const json_t *world = json_array_get(json_object_get(a, "worlds"), 0);
        const json_t *measured = json_object_get(world, "measured");
        assert_int_equal(json_array_size(measured), demos[k].cars - 1);
        assert_true(json_is_true(json_object_get(world, "enough")));
        assert_string_equal(test_text(world, "verdict"), "unknown");
        const double gain = test_number(json_array_get(measured, 0), "l2");
        assert_true(gain > 0.5 && gain < 2.0);
        json_decref(a);
        test_page_close(&p);
        hub_destroy(h);
    }
}

static bool uploads(hub *h, char key[33])
{
    static const char text[] = "t,x,v\n0,0,10\n1,10,10\n2,20,10\n";
    mc_error error;
    const bool good =
        upload_add(h, "drive.csv", strdup(text), sizeof text - 1, key, &error) == MC_OK;
    if (!good)
        assert_string_equal(error.text, "64 uploads are already waiting to be opened, the maximum");
    return good;
}

static void uploads_have_a_bound(void **state)
{
    (void)state;
    hub *h = recorded_hub("run.h5");
    test_page p;
    char key[33], last[33];
    mc_error error;
    test_page_open(&p, h);
    assert_int_equal(upload_add(h, "none.csv", NULL, 0, key, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "\"none.csv\" is empty");
    for (int k = 0; k < 64; k++)
        assert_true(uploads(h, key));
    assert_false(uploads(h, last));
    json_t *a =
        test_page_ask(&p, "{\"kind\": \"open\", \"upload\": \"%s\", \"beside\": true}", key);
    assert_string_equal(test_text(a, "kind"), "done");
    json_decref(a);
    a = test_page_ask(&p, "{\"kind\": \"open\", \"upload\": \"%s\", \"beside\": true}", key);
    assert_string_equal(test_text(a, "reason"), "no upload has this key");
    json_decref(a);
    assert_true(uploads(h, last)); // its place is free
    assert_false(uploads(h, key));
    // A file that is named twice: what was taken is gone.
    a = test_page_ask(&p,
                      "{\"kind\": \"open\", \"upload\": \"%s\", \"beside\": true, \"with\": "
                      "[\"%s\"]}",
                      last, last);
    assert_string_equal(test_text(a, "reason"), "entry 1 of with is not an upload");
    json_decref(a);
    a = test_page_ask(&p, "{\"kind\": \"open\", \"upload\": \"%s\", \"beside\": true}", last);
    assert_string_equal(test_text(a, "reason"), "no upload has this key");
    json_decref(a);
    assert_true(uploads(h, last));
    test_page_close(&p); // the last page: they can no longer be opened
    for (int k = 0; k < 64; k++)
        assert_true(uploads(h, key));
    hub_destroy(h);
}

// A recording whose scenario says which file it came from and names a file beside it: the file is
// not opened, and what is shown is what the recording itself holds.
static void a_recording_opens_no_other_file(void **state)
{
    (void)state;
    static const char driven[] =
        "motorcade: scenario\nname: driven\ntime: {end: 1, step: 0.02}\n"
        "models: {town: {kind: powertrain}}\n"
        "vehicles: [{name: one, model: town, x: 0, v: 10, driver: pedals.csv}]\n";
    write_file("pedals.csv", "t,throttle,brake,steer\n0,0.2,0,0\n1,0.2,0,0\n");
    write_file("driven.yaml", driven);
    mc_error error = {0};
    mc_scenario *s = mc_scenario_load(in_folder("driven.yaml"), &error);
    if (!s)
        fail_msg("%s", error.text);
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = 1}, &error);
    mc_scenario_free(s);
    assert_non_null(run);
    mc_recording *rec =
        mc_recording_open(run, &(mc_record_output){.hdf5 = in_folder("driven.h5")}, &error);
    assert_non_null(rec);
    assert_int_equal(mc_recording_play(rec, NULL, &error), MC_OK);
    assert_int_equal(mc_recording_close(rec, &error), MC_OK);
    mc_run_destroy(run);
    write_file("pedals.csv", "nothing that could be read\n");
    mc_replay *r = open_replay("driven.h5", NULL);
    mc_replay_car car;
    mc_replay_car_at(r, 0, &car);
    assert_int_equal(mc_replay_info_of(r)->car_count, 1);
    assert_string_equal(mc_replay_info_of(r)->note, "");
    assert_near(car.length, 5.5626, 1e-9);
    mc_replay_free(r);
}

// A recording is a world like any other: rows, curves, frames; it cannot be changed.
static void a_recording_is_a_world(void **state)
{
    (void)state;
    mc_error error = {0};
    const char *const folders[] = {folder};
    mc_studio_options o = {
        .file = in_folder("run.h5"), .threads = 1, .folders = folders, .folder_count = 1};
    hub *h = hub_create(&o, &table_of_requests, test_hub_wake, NULL, &error);
    if (!h)
        fail_msg("%s", error.text);
    test_page p;
    json_t *w = test_page_hello(&p, h, NULL);
    const json_t *world = json_array_get(json_object_get(w, "worlds"), 0);
    assert_string_equal(test_text(world, "kind"), "replay");
    assert_near(test_number(world, "end"), 4.0, 1e-9);
    assert_int_equal(json_array_size(json_object_get(world, "vehicles")), 3);
    json_decref(w);
    assert_int_equal(test_page_ask_frames(&p, "{\"kind\": \"rows\", \"from\": 0, \"to\": 4}"), 101);
    mc_run *run = short_run();
    while (mc_run_time(run) < p.frames[50].t - 1e-6)
        mc_run_step(run, &error);
    mc_run_view view;
    mc_run_look(run, 2, &view);
    assert_near(p.frames[50].value[3][2], (float)view.motion.v, 0.0);
    mc_run_destroy(run);
    static const char *const rejected[][2] = {
        {"{\"kind\": \"set\", \"vehicle\": \"car1\", \"param\": \"k1\", \"value\": 1}",
         "world 0 is a recording: it cannot be changed"},
        {"{\"kind\": \"seek\", \"t\": 1}", "world 0 is a recording: it has no state, only rows"},
        {"{\"kind\": \"branch\", \"at\": 1}", "world 0 is a recording: it has no state, only rows"},
        {"{\"kind\": \"export\", \"what\": \"scenario\"}",
         "world 0 is a recording: it has no scenario and no log"},
        {"{\"kind\": \"row\", \"row\": 1}",
         "world 0 is a recording: its rows are those of the file"},
    };
    for (size_t k = 0; k < sizeof rejected / sizeof rejected[0]; k++) {
        json_t *a = test_page_ask(&p, "%s", rejected[k][0]);
        assert_string_equal(test_text(a, "reason"), rejected[k][1]);
        json_decref(a);
    }
    json_t *a = test_page_ask(&p, "{\"kind\": \"open\", \"file\": \"run.dat\", \"beside\": true}");
    assert_int_equal((int)test_number(a, "world"), 1);
    json_decref(a);
    char key[33];
    const char text[] = "t,x,v\n0,0,10\n1,10,10\n2,20,10\n";
    assert_int_equal(upload_add(h, "drive.csv", strdup(text), sizeof text - 1, key, &error), MC_OK);
    a = test_page_ask(&p, "{\"kind\": \"open\", \"upload\": \"%s\", \"beside\": true}", key);
    assert_int_equal((int)test_number(a, "world"), 2);
    json_decref(a);
    a = test_page_ask(&p, "{\"kind\": \"series\", \"worlds\": [2], \"vehicles\": [\"drive\"], "
                          "\"fields\": [\"x\"]}");
    assert_int_equal(json_array_size(json_object_get(json_object_get(a, "values"), "2/drive/x")),
                     3);
    json_decref(a);
    test_page_close(&p);
    hub_destroy(h);
}

// A car with two stops, every tenth of a second: it brakes at 3 s and at 8 s.
static void two_stops(hub *h, char key[33])
{
    char text[8192], *at = text;
    at += sprintf(at, "t,x,v,a\n");
    double x = 0.0, v = 20.0;
    for (int k = 0; k <= 120; k++) {
        const double t = 0.1 * k, a = (t > 2.95 && t < 4.95) || (t > 7.95 && t < 8.95) ? -2.0 : 0.0;
        at += sprintf(at, "%.1f,%.6f,%.6f,%.1f\n", t, x, v, a);
        x += 0.1 * v + 0.005 * a, v += 0.1 * a;
    }
    mc_error error;
    assert_int_equal(upload_add(h, "stops.csv", strdup(text), strlen(text), key, &error), MC_OK);
}

// The message that tells a world with that offset.
static json_t *world_told(test_page *p, double offset)
{
    for (int k = 0; k < 20; k++) {
        json_t *m = test_page_wait(p, "world");
        if (test_number(json_object_get(m, "world"), "offset") == offset)
            return m;
        json_decref(m);
    }
    fail_msg("no world was told with the offset %g s", offset);
    return NULL;
}

// A recording next to a run is moved in time: rows, curves, ends and marks move with it, by the
// same amount and to the bit; a run cannot be moved.
static void a_recording_moves_in_time(void **state)
{
    (void)state;
    hub *h = test_hub("two_gains.yaml", false);
    test_page p;
    char key[33];
    test_page_open(&p, h);
    two_stops(h, key);
    json_t *a =
        test_page_ask(&p, "{\"kind\": \"open\", \"upload\": \"%s\", \"beside\": true}", key);
    const int world = (int)test_number(a, "world");
    json_decref(a);
    a = test_page_ask(&p, "{\"kind\": \"events\", \"world\": %d}", world);
    double brakes[2] = {NAN, NAN};
    const json_t *list = json_object_get(a, "events");
    for (size_t k = 0, n = 0; k < json_array_size(list) && n < 2; k++)
        if (strcmp(test_text(json_array_get(list, k), "type"), "brake") == 0)
            brakes[n++] = test_number(json_array_get(list, k), "t");
    assert_near(brakes[0], 3.0, 1e-9);
    assert_near(brakes[1], 8.0, 1e-9);
    json_decref(a);
    test_page_clear(&p);
    const int rows = test_page_ask_frames(
        &p, "{\"kind\": \"rows\", \"world\": %d, \"from\": 0, \"to\": 12}", world);
    assert_int_equal(rows, 121);
    const double x40 = p.frames[40].x[0];

    a = test_page_ask(
        &p, "{\"kind\": \"worlds\", \"op\": \"shift\", \"world\": %d, \"offset\": 2.25}", world);
    assert_near(test_number(a, "offset"), 2.25, 0.0);
    json_decref(a);
    json_t *m = test_page_wait(&p, "rewritten");
    assert_true(test_number(m, "from") < 0.0);
    json_decref(m);
    m = world_told(&p, 2.25);
    const json_t *w = json_object_get(m, "world");
    assert_near(test_number(w, "start"), 2.25, 1e-12);
    assert_near(test_number(w, "end"), 14.25, 1e-12);
    json_decref(m);
    test_page_clear(&p);
    assert_int_equal(
        test_page_ask_frames(
            &p, "{\"kind\": \"rows\", \"world\": %d, \"from\": 2.25, \"to\": 14.25}", world),
        121);
    assert_near(p.frames[40].t, 6.25, 1e-12);
    assert_true(p.frames[40].x[0] == x40);
    a = test_page_ask(&p,
                      "{\"kind\": \"series\", \"worlds\": [%d], \"vehicles\": [\"stops\"], "
                      "\"fields\": [\"x\"], \"from\": 0, \"to\": 20, \"points\": 400}",
                      world);
    assert_near(json_number_value(json_array_get(json_object_get(a, "t"), 0)), 2.25, 1e-9);
    json_decref(a);
    a = test_page_ask(&p, "{\"kind\": \"events\", \"world\": %d}", world);
    list = json_object_get(a, "events");
    assert_near(test_number(json_array_get(list, 0), "t"), 5.25, 1e-9);
    json_decref(a);
    // Offsets are from the file's own times, so 0 is back.
    json_decref(test_page_ask(
        &p, "{\"kind\": \"worlds\", \"op\": \"shift\", \"world\": %d, \"offset\": 0}", world));
    m = world_told(&p, 0.0);
    assert_near(test_number(json_object_get(m, "world"), "start"), 0.0, 1e-12);
    json_decref(m);
    static const char *const rejected[][2] = {
        {"{\"kind\": \"worlds\", \"op\": \"shift\", \"world\": 0, \"offset\": 1}",
         "only a recording can be moved in time"},
        {"{\"kind\": \"worlds\", \"op\": \"shift\", \"world\": 1}", "offset is missing"},
        {"{\"kind\": \"worlds\", \"op\": \"shift\", \"world\": 1, \"offset\": 2e6}",
         "offset is 2e+06, expected -1e+06 .. 1e+06"},
        {"{\"kind\": \"worlds\", \"op\": \"shift\", \"world\": 1, \"offset\": \"x\"}", "offset"},
    };
    for (size_t k = 0; k < sizeof rejected / sizeof rejected[0]; k++) {
        a = test_page_ask(&p, "%s", rejected[k][0]);
        if (strncmp(test_text(a, "reason"), rejected[k][1], strlen(rejected[k][1])) != 0)
            fail_msg("%s", test_text(a, "reason"));
        json_decref(a);
    }
    test_page_close(&p);
    hub_destroy(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_equal_the_run),
        cmocka_unit_test(missing_rates_are_estimated),
        cmocka_unit_test(medusa_files),
        cmocka_unit_test(medusa_results_show_the_crash),
        cmocka_unit_test(wrong_files_are_rejected),
        cmocka_unit_test(a_recording_is_a_world),
        cmocka_unit_test(a_recording_moves_in_time),
        cmocka_unit_test(a_recording_opens_no_other_file),
        cmocka_unit_test(curves_have_a_bound),
        cmocka_unit_test(answers_of_many_cars_have_a_bound),
        cmocka_unit_test(dynavis_files_keep_platoons),
        cmocka_unit_test(exported_worlds_keep_platoons),
        cmocka_unit_test(shipped_recordings_are_measured),
        cmocka_unit_test(uploads_have_a_bound),
    };
    return cmocka_run_group_tests(tests, record_all, remove_all);
}
