// test_write.c - DYNAVIS data files written: they read back the same, or are rejected when they
// would not; scenarios and CSV made from them.
#include "motorcade/dynavis.h"
#include "support/run.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mc_error error;
static char path_buffer[200];

static const char *in(const run_folder *folder, const char *name)
{
    snprintf(path_buffer, sizeof path_buffer, "%s/%s", folder->path, name);
    return path_buffer;
}

static void need_ok(mc_status status)
{
    if (status != MC_OK)
        fail_msg("%s", error.text);
}

enum { CARS = 6, FRAMES = 50 };

// Frames with awkward numbers, for any number of cars.
static mc_dynavis_frame *random_frames(unsigned long long seed, bool changing)
{
    mc_dynavis_frame *frames = calloc(FRAMES, sizeof *frames);
    double t = -3.0;
    for (int f = 0; f < FRAMES; f++) {
        mc_dynavis_frame *frame = &frames[f];
        t += sample_uniform(&seed, 1e-9, 0.3);
        frame->t = t;
        frame->car_count = changing ? (int)(sample_random(&seed) % (CARS + 1)) : CARS;
        frame->cars = calloc(CARS, sizeof *frame->cars);
        for (int k = 0; k < 3; k++) {
            frame->time_headway[k] = sample_uniform(&seed, 0.0, 3.0);
            frame->fixed_headway[k] = sample_uniform(&seed, 0.0, 30.0);
        }
        for (int i = 0; i < frame->car_count; i++)
            frame->cars[i] = (mc_dynavis_car){.id = 10 * i + 3,
                                              .x = sample_uniform(&seed, -1e3, 1e5),
                                              .y = sample_uniform(&seed, -8.0, 1.0),
                                              .v_x = sample_uniform(&seed, -1e-300, 40.0),
                                              .v_y = sample_uniform(&seed, -1.0, 1.0),
                                              .a = 1e-7 * sample_uniform(&seed, -1.0, 1.0),
                                              .jerk = sample_uniform(&seed, -9.0, 9.0)};
    }
    return frames;
}

static void free_frames(mc_dynavis_frame *frames)
{
    for (int f = 0; f < FRAMES; f++)
        free(frames[f].cars);
    free(frames);
}

static void write_all(const char *path, const mc_dynavis_params *params,
                      const mc_dynavis_frame *frames)
{
    error = (mc_error){0};
    mc_dynavis_writer *writer = mc_dynavis_writer_open(path, params, &error);
    assert_non_null(writer);
    for (int f = 0; f < FRAMES; f++)
        need_ok(mc_dynavis_writer_write(writer, &frames[f], &error));
    need_ok(mc_dynavis_writer_close(writer, &error));
}

static mc_dynavis_data *read_back(const run_folder *folder, const char *data, const char *par)
{
    mc_dynavis_params params;
    need_ok(mc_dynavis_params_read(in(folder, par), 2, &params, &error));
    mc_dynavis_data *d = mc_dynavis_data_load(in(folder, data), &params, NULL, &error);
    if (!d)
        fail_msg("%s", error.text);
    return d;
}

static void test_reads_back_the_same(void **state)
{
    (void)state;
    run_folder folder = run_folder_make();
    mc_dynavis_frame *frames = random_frames(1, true);
    mc_dynavis_params params;
    mc_dynavis_params_defaults(2, &params);
    params.value[MC_DYNAVIS_PARAM_TIME_HEADWAY_2] = 0.1 + 0.2;
    write_all(in(&folder, "run.dat"), &params, frames);
    assert_false(run_exists(&folder, "run.dat.par"));
    mc_dynavis_data *d = read_back(&folder, "run.dat", "run.par");
    for (int i = 0; i < MC_DYNAVIS_PARAM_COUNT; i++)
        assert_true(d->params.value[i] == params.value[i]);
    assert_int_equal(d->frame_count, FRAMES);
    for (int f = 0; f < FRAMES; f++) {
        const mc_dynavis_frame *a = &frames[f], *b = &d->frames[f];
        assert_true(a->t == b->t && a->car_count == b->car_count);
        assert_true(a->time_headway[0] == b->time_headway[0]);
        assert_true(a->fixed_headway[0] == b->fixed_headway[0]);
        for (int i = 0; i < a->car_count; i++) {
            const mc_dynavis_car *x = &a->cars[i], *y = &b->cars[i];
            assert_int_equal(x->id, y->id);
            assert_true(x->x == y->x && x->y == y->y && x->v_x == y->v_x && x->v_y == y->v_y);
            assert_true(x->a == y->a && x->jerk == y->jerk);
        }
    }
    // Written again, the same bytes.
    mc_dynavis_writer *writer = mc_dynavis_writer_open(in(&folder, "again"), &d->params, &error);
    for (int f = 0; f < FRAMES; f++)
        need_ok(mc_dynavis_writer_write(writer, &d->frames[f], &error));
    need_ok(mc_dynavis_writer_close(writer, &error));
    for (int k = 0; k < 2; k++) {
        size_t sizes[2];
        char *one = run_get(&folder, k ? "run.par" : "run.dat", &sizes[0]);
        char *two = run_get(&folder, k ? "again.par" : "again", &sizes[1]);
        assert_int_equal(sizes[0], sizes[1]);
        assert_memory_equal(one, two, sizes[0]);
        free(one);
        free(two);
    }
    mc_dynavis_data_free(d);
    free_frames(frames);
    run_folder_remove(&folder);
}

// Every layout a parameter file can ask for: all flags, all numbers of lanes. What is in the file
// comes back; positions by sums to rounding.
static void test_every_layout(void **state)
{
    (void)state;
    run_folder folder = run_folder_make();
    mc_dynavis_frame *frames = random_frames(2, false);
    static const int flags[] = {MC_DYNAVIS_PARAM_TIME_HEADWAY_GIVEN,
                                MC_DYNAVIS_PARAM_FIXED_HEADWAY_GIVEN,
                                MC_DYNAVIS_PARAM_RELATIVE_X,
                                MC_DYNAVIS_PARAM_RELATIVE_Y,
                                MC_DYNAVIS_PARAM_VELOCITY_Y,
                                MC_DYNAVIS_PARAM_ACCELERATION,
                                MC_DYNAVIS_PARAM_JERK,
                                MC_DYNAVIS_PARAM_SAME_LEADER,
                                MC_DYNAVIS_PARAM_CAR_COUNT_GIVEN,
                                MC_DYNAVIS_PARAM_CAR_ID_GIVEN};
    enum { FLAGS = sizeof flags / sizeof flags[0] };
    unsigned long long seed = 9;
    for (int trial = 0; trial < 60; trial++) {
        const int lanes = trial % 3 + 1, each = CARS / lanes;
        const unsigned long long bits = sample_random(&seed);
        mc_dynavis_params params;
        mc_dynavis_params_defaults(2, &params);
        params.value[MC_DYNAVIS_PARAM_LANES] = lanes;
        params.value[MC_DYNAVIS_PARAM_CARS] = each;
        for (int k = 0; k < FLAGS; k++)
            params.value[flags[k]] = (double)(bits >> k & 1);
        params.value[MC_DYNAVIS_PARAM_POSITION_Y_GIVEN] = params.value[MC_DYNAVIS_PARAM_RELATIVE_Y];
        const bool same = params.value[MC_DYNAVIS_PARAM_SAME_LEADER] != 0.0;
        const bool ids = params.value[MC_DYNAVIS_PARAM_CAR_ID_GIVEN] != 0.0;
        const bool relative = params.value[MC_DYNAVIS_PARAM_RELATIVE_X] != 0.0;
        for (int f = 0; f < FRAMES; f++)
            for (int i = 0; i < CARS; i++) {
                mc_dynavis_car *c = &frames[f].cars[i];
                c->y = -3.4 * (i / each) +
                       (params.value[MC_DYNAVIS_PARAM_RELATIVE_Y] != 0.0 ? 0.25 : 0.0);
                if (same && i % each == 0) {
                    c->x = frames[f].cars[0].x;
                    c->v_x = frames[f].cars[0].v_x;
                }
            }
        write_all(in(&folder, "x.dat"), &params, frames);
        mc_dynavis_data *d = read_back(&folder, "x.dat", "x.par");
        assert_int_equal(d->frame_count, FRAMES);
        for (int f = 0; f < FRAMES; f++)
            for (int i = 0; i < CARS; i++) {
                const mc_dynavis_car *x = &frames[f].cars[i], *y = &d->frames[f].cars[i];
                const bool copy = same && i > 0 && i % each == 0;
                assert_int_equal(y->platoon, i / each + 1);
                assert_int_equal(y->id, !ids   ? i + 1
                                        : copy ? frames[f].cars[0].id + 1000 * (i / each)
                                               : x->id);
                assert_true(fabs(x->y - y->y) < 1e-14 && x->v_x == y->v_x);
                if (relative && i % each != 0) // distances, not places
                    assert_true(fabs((x[-1].x - x->x) - (y[-1].x - y->x)) < 1e-9);
                if (!relative)
                    assert_true(x->x == y->x);
                if (params.value[MC_DYNAVIS_PARAM_ACCELERATION] != 0.0 && !copy)
                    assert_true(x->a == y->a);
                assert_int_equal(isnan(y->jerk), params.value[MC_DYNAVIS_PARAM_JERK] == 0.0);
            }
        mc_dynavis_data_free(d);
    }
    free_frames(frames);
    run_folder_remove(&folder);
}

static void rejected(mc_dynavis_writer *writer, const mc_dynavis_frame *frame, const char *message)
{
    error = (mc_error){0};
    assert_int_equal(mc_dynavis_writer_write(writer, frame, &error), MC_BAD_INPUT);
    if (!strstr(error.text, message))
        fail_msg("found: %s\nexpected: %s", error.text, message);
}

static void test_rejects_what_it_cannot_say(void **state)
{
    (void)state;
    run_folder folder = run_folder_make();
    mc_dynavis_params params;
    mc_dynavis_params_defaults(2, &params);
    params.value[MC_DYNAVIS_PARAM_LANES] = 2;
    params.value[MC_DYNAVIS_PARAM_CARS] = 1;
    params.value[MC_DYNAVIS_PARAM_RELATIVE_Y] = params.value[MC_DYNAVIS_PARAM_POSITION_Y_GIVEN] = 0;
    params.value[MC_DYNAVIS_PARAM_SAME_LEADER] = 1;
    mc_dynavis_car cars[3] = {{.id = 1, .x = 5.0, .v_x = 9.0}, {.id = 2, .x = 5.0, .v_x = 9.0}};
    cars[1].y = -3.4;
    mc_dynavis_frame frame = {.t = 1.0, .car_count = 2, .cars = cars};
    mc_dynavis_writer *writer = mc_dynavis_writer_open(in(&folder, "x.dat"), &params, &error);
    assert_non_null(writer);
    need_ok(mc_dynavis_writer_write(writer, &frame, &error));
    rejected(writer, &frame, "frame at t = 1 s is not after that at 1 s");
    frame.t = 2.0;
    frame.car_count = 3;
    rejected(writer, &frame, "frame at t = 2 s has 3 cars; the parameters allow multiples of 2");
    frame.car_count = 2;
    cars[0].jerk = NAN;
    rejected(writer, &frame,
             "frame at t = 2 s: the jerk of car 1 is nan; expected -100000000 .. 100000000");
    cars[0].jerk = 0.0;
    cars[1].x = 6.0;
    rejected(writer, &frame, "car 2: differs from the first car; SamePlatoonLeader = 1");
    cars[1].x = 5.0;
    cars[0].y = 0.1;
    rejected(writer, &frame,
             "car 1: is not in the centre of its platoon's lane; RelPosition_Y = 0");
    cars[0].y = 0.0;
    frame.t = INFINITY;
    rejected(writer, &frame, "the time is inf; expected -1000000000 .. 1000000000");
    frame.t = 2.0;
    need_ok(mc_dynavis_writer_write(writer, &frame, &error)); // it can continue
    need_ok(mc_dynavis_writer_close(writer, &error));
    mc_dynavis_data *d = read_back(&folder, "x.dat", "x.par");
    assert_int_equal(d->frame_count, 2);
    mc_dynavis_data_free(d);
    run_folder_remove(&folder);
}

static void test_whole_or_not_at_all(void **state)
{
    (void)state;
    run_folder folder = run_folder_make();
    mc_dynavis_params params;
    mc_dynavis_params_defaults(2, &params);
    mc_dynavis_car car = {.id = 1};
    char *before = run_listing(&folder, false);
    const mc_dynavis_frame frame = {.car_count = 1, .cars = &car};
    mc_dynavis_writer *writer = mc_dynavis_writer_open(in(&folder, "x.dat"), &params, &error);
    need_ok(mc_dynavis_writer_write(writer, &frame, &error));
    mc_dynavis_writer_abandon(writer);
    char *after = run_listing(&folder, false);
    assert_string_equal(after, before);
    free(before);
    free(after);
    assert_null(mc_dynavis_writer_open(in(&folder, "no/x.dat"), &params, &error));
    assert_int_equal(error.code, MC_IO);
    assert_null(mc_dynavis_writer_open(in(&folder, "x.par"), &params, &error));
    assert_non_null(strstr(error.text, "a data file cannot be called *.par"));
    params.value[MC_DYNAVIS_PARAM_RELATIVE_X] = 1;
    params.value[MC_DYNAVIS_PARAM_VELOCITY_X] = 0;
    assert_null(mc_dynavis_writer_open(in(&folder, "x.dat"), &params, &error));
    assert_non_null(strstr(error.text, "Velocity_X must be 1"));
    run_folder_remove(&folder);
}

// A continued run: the last line of one file is the first of the next.
static void test_resumes_from_the_last_line(void **state)
{
    (void)state;
    run_folder folder = run_folder_make();
    mc_dynavis_frame *frames = random_frames(4, false);
    mc_dynavis_params params;
    mc_dynavis_params_defaults(2, &params);
    write_all(in(&folder, "one.dat"), &params, frames);
    mc_dynavis_data *one = read_back(&folder, "one.dat", "one.par");
    mc_dynavis_writer *writer = mc_dynavis_writer_open(in(&folder, "two.dat"), &params, &error);
    need_ok(mc_dynavis_writer_write(writer, mc_dynavis_data_last(one), &error));
    need_ok(mc_dynavis_writer_close(writer, &error));
    mc_dynavis_data *two = read_back(&folder, "two.dat", "two.par");
    assert_int_equal(two->frame_count, 1);
    for (int i = 0; i < CARS; i++) {
        const mc_dynavis_car *a = &frames[FRAMES - 1].cars[i];
        const mc_dynavis_car *b = &mc_dynavis_data_last(two)->cars[i];
        assert_true(a->x == b->x && a->v_x == b->v_x && a->a == b->a && a->jerk == b->jerk);
    }
    mc_dynavis_data_free(one);
    mc_dynavis_data_free(two);
    free_frames(frames);
    run_folder_remove(&folder);
}

// ---- scenario ----

static char *scenario_of(const run_folder *folder, const mc_dynavis_scenario *s)
{
    error = (mc_error){0};
    need_ok(mc_dynavis_write_scenario(in(folder, "s.yaml"), s, &error));
    size_t size;
    return run_get(folder, "s.yaml", &size);
}

static void has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in\n%s", part, text);
}

static void test_scenario(void **state)
{
    (void)state;
    run_folder folder = run_folder_make();
    mc_dynavis_params params;
    mc_dynavis_params_defaults(2, &params);
    // Two lanes, one car between them, in any order.
    const char text[] = "5 0 1.5 4 1 100 0 20 0 0 0 2 70 0.1 21 0 0 0 3 95 -3.4 22 0 0 0 "
                        "4 60 -3.5 23 0 0 0 5 80 -1.5 24 0 0 0\n";
    mc_dynavis_data *d = mc_dynavis_data_parse(text, strlen(text), "d", &params, NULL, &error);
    assert_non_null(d);
    mc_dynavis_model *models;
    int count;
    need_ok(mc_dynavis_models_read(SOURCE_DIR "/scenarios/dynavis/cars.models", &models, &count,
                                   &error));
    mc_dynavis_scenario s = {.params = &params, .data = d, .models = models, .model_count = count};
    char *yaml = scenario_of(&folder, &s);
    has(yaml, "motorcade: scenario\n");
    has(yaml, "time: {end: 300, step: 0.05}\n");
    has(yaml, "road: {lanes: 3, lane_width: 3.4, headway: 1, distance: 0.5, speed: 20}\n");
    has(yaml, "  follow1: {law: pid, headway: 1.5, distance: 4}\n");
    has(yaml, "  follow2: {law: pid, headway: 1, distance: 0.5}\n");
    has(yaml, "  - lane: 1\n    x: 100\n    v: 20\n"
              "    leader: {name: car1, model: ford_escort_4_s, profile: 20}\n    cars:\n"
              "      - {name: car5, model: ");
    has(yaml, "  - lane: 2\n    x: 95\n    v: 22\n");
    has(yaml, "{name: car5, model: ford_escort_4_s, controller: follow1, spacing: 15.6566");
    has(yaml,
        ", v: 24, y: -1.5}\n      - {name: car2, model: ford_escort_4_s, controller: follow1, "
        "spacing: 5.6566");
    has(yaml, ", v: 21, y: 0.1}\n");
    has(yaml, "events:\n  - {at: 0, vehicle: car5, lane: 1}\n");
    has(yaml, "  nissan_sentra_4_s:\n    doc: \"Nissan Sentra 4 (S)\"\n    kind: powertrain\n"
              "    mass: 2545 lb\n    length: 170 in\n    width: 66 in\n    max_speed: 90 mph\n"
              "    max_acceleration: 0.4\n    max_brake: 0.6\n    powertrain: {kind: converter, "
              "power_scale: 0.52381, engine_scale: 0.347826} # 110 hp, 1.6 l\n");
    free(yaml);
    s.model = "all";
    yaml = scenario_of(&folder, &s);
    // 10 m less half of 171 and of 219 in.
    has(yaml, "{name: car2, model: lincoln_town_car_v8_l, controller: follow1, spacing: 5.047");
    has(yaml, "{name: car4, model: nissan_sentra_4_s, ");
    free(yaml);
    s.model = "nissan sentra 4 (s)";
    yaml = scenario_of(&folder, &s);
    has(yaml, "{name: car1, model: nissan_sentra_4_s, ");
    free(yaml);
    s.model = "Nisan Sentra 4 (S)";
    assert_int_equal(mc_dynavis_write_scenario(in(&folder, "t.yaml"), &s, &error), MC_BAD_INPUT);
    assert_string_equal(error.text,
                        "the car file has no model \"Nisan Sentra 4 (S)\"; did you mean "
                        "\"Nissan Sentra 4 (S)\"");
    s.model = NULL;
    s.frame = 2;
    assert_int_equal(mc_dynavis_write_scenario(in(&folder, "t.yaml"), &s, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "unknown frame 2; the data file has 1 .. 1");
    assert_false(run_exists(&folder, "t.yaml"));
    free(models);
    mc_dynavis_data_free(d);
    run_folder_remove(&folder);
}

// SamePlatoonLeader: the leaders of the other platoons are driven as the first one.
static void test_scenario_same_leader(void **state)
{
    (void)state;
    run_folder folder = run_folder_make();
    static const char items[] = "Lanes=2\nCars=2\nSamePlatoonLeader=1\nNcars_given=0\n"
                                "RelPosition_Y=0\nVelocity_Y=0\nAccel_avail=0\nJerk_avail=0\n"
                                "Time_Headway_given=0\nFixed_Headway_given=0\n";
    static const char line[] = "0 1 100 20 2 70 20 3 60 20\n";
    mc_dynavis_params params;
    need_ok(mc_dynavis_params_parse(items, strlen(items), "p", 2, &params, &error));
    mc_dynavis_data *d = mc_dynavis_data_parse(line, strlen(line), "d", &params, NULL, &error);
    if (!d)
        fail_msg("%s", error.text);
    mc_dynavis_model *models;
    int count;
    need_ok(mc_dynavis_models_read(SOURCE_DIR "/scenarios/dynavis/cars.models", &models, &count,
                                   &error));
    const mc_dynavis_scenario s = {
        .params = &params, .data = d, .models = models, .model_count = count};
    char *yaml = scenario_of(&folder, &s);
    has(yaml, "  - lane: 1\n    x: 100\n    v: 20\n    leader: {name: car1,");
    has(yaml, "  - lane: 2\n    x: 100\n    v: 20\n    leads_as: 1\n    leader: {name: car1001,");
    free(yaml);
    free(models);
    mc_dynavis_data_free(d);
    run_folder_remove(&folder);
}

static void test_scenario_rejected(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"2 0 1 4 1 100 0 20 0 0 0 2 97 0 21 0 0 0\n",
         "line 1 of the data file: cars 1 and 2 overlap: their centres are 3 m apart, half their "
         "lengths 5.563 m"},
        {"1 0 1 4 1 100 0 -2 0 0 0\n", "line 1 of the data file: car 1 drives at -2 m/s; a "
                                       "scenario expects 0 .. 150 m/s at the start"},
        {"1 0 1 4 1 100 0 2 0 0 0\n\n0 1 1 4\n", "line 3 of the data file: the frame has no cars"},
    };
    run_folder folder = run_folder_make();
    mc_dynavis_params params;
    mc_dynavis_params_defaults(2, &params);
    for (int k = 0; k < 3; k++) {
        const char *text = cases[k].text;
        mc_dynavis_data *d = mc_dynavis_data_parse(text, strlen(text), "d", &params, NULL, &error);
        const mc_dynavis_scenario s = {.params = &params, .data = d};
        assert_int_equal(mc_dynavis_write_scenario(in(&folder, "s"), &s, &error), MC_BAD_INPUT);
        assert_string_equal(error.text, cases[k].message);
        mc_dynavis_data_free(d);
    }
    run_folder_remove(&folder);
}

// A name that YAML would misread, and two that become the same word.
static void test_scenario_names(void **state)
{
    (void)state;
    run_folder folder = run_folder_make();
    mc_dynavis_params params;
    mc_dynavis_params_defaults(2, &params);
    const char text[] = "208 \"GTi\": 2530 171 67 100 .5 .6 127 1.8\n"
                        "A-1: 2530 171 67 100 .5 .6 127 1.8\nA 1: 2530 171 67 100 .5 .6 127 1.8\n"
                        "\xC3\xA9: 2530 171 67 100 .5 .6 127 1.8\n";
    mc_dynavis_model *models;
    int count;
    need_ok(mc_dynavis_models_parse(text, strlen(text), "c", &models, &count, &error));
    const mc_dynavis_scenario s = {.params = &params, .models = models, .model_count = count};
    char *yaml = scenario_of(&folder, &s);
    has(yaml, "  car208_gti:\n    doc: \"208 ?GTi?\"\n");
    has(yaml, "  a_1:\n    doc: \"A-1\"\n");
    has(yaml, "  a_1_2:\n    doc: \"A 1\"\n");
    has(yaml, "  car:\n    doc: \"\?\?\"\n");
    free(yaml);
    free(models);
    run_folder_remove(&folder);
}

static void test_csv(void **state)
{
    (void)state;
    run_folder folder = run_folder_make();
    const char par[] = "Time_Headway_given=0\nFixed_Headway_given=0\nRelPosition_Y=0\n"
                       "Velocity_Y=0\nAccel_avail=0\nJerk_avail=0\n";
    const char text[] = "2 0 4 100 20 5 80.5 10\n1 0.5 5 81 11\n2 1 4 120 20 5 82 12\n";
    mc_dynavis_params params;
    need_ok(mc_dynavis_params_parse(par, strlen(par), "p", 2, &params, &error));
    mc_dynavis_data *d = mc_dynavis_data_parse(text, strlen(text), "d", &params, NULL, &error);
    assert_non_null(d);
    need_ok(mc_dynavis_data_write_csv(in(&folder, "out"), d, &error));
    need_ok(
        mc_dynavis_data_write_csv(in(&folder, "out"), d, &error)); // the folder is there already
    size_t size;
    char *csv = run_get(&folder, "out/car5.csv", &size);
    assert_string_equal(csv, "t,x,y,v,v_y,a,jerk,lane\n0,80.5,0,10,0,nan,nan,1\n"
                             "0.5,81,0,11,0,nan,nan,1\n1,82,0,12,0,nan,nan,1\n");
    free(csv);
    csv = run_get(&folder, "out/car4_2.csv", &size); // it comes again
    assert_string_equal(csv, "t,x,y,v,v_y,a,jerk,lane\n1,120,0,20,0,nan,nan,1\n");
    free(csv);
    assert_int_equal(mc_dynavis_data_write_csv(in(&folder, "no/out"), d, &error), MC_IO);
    mc_dynavis_data_free(d);
    run_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_back_the_same),
        cmocka_unit_test(test_every_layout),
        cmocka_unit_test(test_rejects_what_it_cannot_say),
        cmocka_unit_test(test_whole_or_not_at_all),
        cmocka_unit_test(test_resumes_from_the_last_line),
        cmocka_unit_test(test_scenario),
        cmocka_unit_test(test_scenario_same_leader),
        cmocka_unit_test(test_scenario_rejected),
        cmocka_unit_test(test_scenario_names),
        cmocka_unit_test(test_csv),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
