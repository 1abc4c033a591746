// test_vehicle.c - mechanisms as vehicles: what they must have, parameters, delay,
// memory, and hits between different kinds.
#include "mechanical/batch.h"

#include "cars/car.h"
#include "cosserat/batch.h"
#include "motorcade/run.h"
#include "motorcade/world.h"
#include "support/hmmwv.h"
#include "support/sample.h"

#include <malloc.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- what a mechanism must have ----

static char *file_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *text = calloc(1, 1 << 16);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 16) - 1, f) > 0);
    fclose(f);
    return text;
}

// The text with the first `old` replaced.
static char *with(const char *text, const char *old, const char *new)
{
    const char *at = strstr(text, old);
    assert_non_null(at);
    char *out = calloc(1, (1 << 16) + 512);
    assert_non_null(out);
    memcpy(out, text, (size_t)(at - text));
    strcat(out, new);
    strcat(out, at + strlen(old));
    return out;
}

#define HINT                                                                                       \
    "; a mechanism becomes a vehicle by a free body chassis and four hinges wheel_fl, wheel_fr, "  \
    "wheel_rl, wheel_rr about y (more axles: wheel_1l, wheel_1r, wheel_2l and so on)"
#define LOADS "; a vehicle gets its loads from its wheels, engine and brakes"

static const struct {
    const char *old, *new, *message;
} bad_mechanisms[] = {
    {"  wheel_rr:\n", "  wheel_r2:\n", "bad.yaml: wheel_rr is missing" HINT},
    {"    axis: y\n    axisymmetric: y\n", "    axis: -y\n    axisymmetric: y\n",
     "bad.yaml:118: wheel_fl does not turn about y" HINT},
    {"    axis: y\n    axisymmetric: y\n", "    axis: z\n",
     "bad.yaml:118: wheel_fl does not turn about y" HINT},
    {"  wheel_fl:\n    inboard: arm_fl\n", "  wheel_fl:\n    inboard: ground\n",
     "bad.yaml:118: wheel_fl is not connected to the chassis" HINT},
    {"    joint: free\n", "    joint: free\n    angles: zyx\n",
     "bad.yaml:28: chassis is turned by angles, not by a quaternion" HINT},
    {"    joint: free\n", "    joint: prism\n    axis: z\n",
     "bad.yaml:28: chassis is not free" HINT},
    {"\npoints:", "  other:\n    joint: free\n    mass: 1\n    inertia: [1, 1, 1]\n\npoints:",
     "bad.yaml:154: other is a second free body" HINT},
    {"    inertia: [wheel_across, wheel_spin + shaft_spin, wheel_across]\n",
     "    inertia: [wheel_across, wheel_spin + shaft_spin, wheel_across]\n    load: 3 N*m\n",
     "bad.yaml:126:11: the load of wheel_fl cannot act on a vehicle" LOADS},
    {"\nsprings:", "\nforces:\n  pull: {point: strut_fl_top, force: [1 N, 0, 0]}\n\nsprings:",
     "bad.yaml:166: force pull cannot act on a vehicle" LOADS},
    {"\nsprings:", "\ntorques:\n  twist: {body: chassis, torque: [1 N*m, 0, 0]}\n\nsprings:",
     "bad.yaml:166: torque twist cannot act on a vehicle" LOADS},
    {"gravity: [0, 0, -9.81]", "gravity: [1, 0, -9.81]",
     "bad.yaml: gravity of a vehicle must be [0, 0, g]: the road gives the slope"},
};

static void wrong_mechanisms_are_named(void **unused)
{
    (void)unused;
    char *text = file_text(SOURCE_DIR "/models/hmmwv.yaml");
    for (size_t k = 0; k < sizeof bad_mechanisms / sizeof bad_mechanisms[0]; k++) {
        char *changed = with(text, bad_mechanisms[k].old, bad_mechanisms[k].new), message[640];
        const mc_multibody_options never = {.compile = MC_COMPILE_NEVER};
        mc_error error;
        mechanism m;
        mc_multibody *multibody = mc_multibody_parse(changed, "bad.yaml", &never, &error);
        if (!multibody)
            fail_msg("%s: %s", bad_mechanisms[k].new,
                     mc_error_format(&error, message, sizeof message));
        assert_int_equal(mechanism_make(multibody, &m, &error), MC_BAD_INPUT);
        assert_string_equal(mc_error_format(&error, message, sizeof message),
                            bad_mechanisms[k].message);
        free(changed);
    }
    free(text);
}

// ---- keys of a model ----

static const struct {
    const char *keys, *message; // behind the place of the message
} bad_keys[] = {
    {"drive: {max_brkae: 1}",
     "\"drive\" of a model has no key \"max_brkae\"; did you mean max_brake?"},
    {"drive: {max_brake: 9}", "max_brake"},
    {"drive: {wheel_inertia: 2}",
     "the wheel_inertia of a multibody model comes from its mechanism"},
    {"drive: {max_brake: 1}, max_brake: 0.5",
     "max_brake is given twice: in the model and in its drive"},
    {"tyre: bruhs", "did you mean brush?"},
    {"tyre: {kind: brush, A0: 1}", "a tyre has no key \"A0\""},
    {"tyre: {friction: -1}", "friction"},
    {"wheels: {stiffnes: 3}",
     "\"wheels\" of a model has no key \"stiffnes\"; did you mean stiffness?"},
    {"wheels: {radius: 0 m}", "radius"},
    {"wheels: {stiffness: 3 m}", "stiffness"},
    {"mass: 2000", "the mass of a multibody model comes from its mechanism"},
};

static void wrong_keys_are_named(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof bad_keys / sizeof bad_keys[0]; k++) {
        char text[1024], message[640];
        const int length = snprintf(text, sizeof text,
                                    "motorcade: scenario\ntime: {end: 1}\nmodels:\n"
                                    "  h: {kind: multibody, mechanism: ../models/hmmwv.yaml, %s}\n"
                                    "vehicles: [{model: h, x: 0}]\n",
                                    bad_keys[k].keys);
        mc_error error;
        scenario *s =
            scenario_parse(text, (size_t)length, SOURCE_DIR "/scenarios/test.yaml", &error);
        if (s)
            fail_msg("%s was taken", bad_keys[k].keys);
        mc_error_format(&error, message, sizeof message);
        if (!strstr(message, bad_keys[k].message) || error.line != 4 || error.column < 50)
            fail_msg("%s: %s", bad_keys[k].keys, message);
    }
}

static void kinds_without_wheels_have_no_tyres(void **unused)
{
    (void)unused;
    static const char *const keys[] = {"drive: {drag: 0}", "tyre: brush", "wheels: {radius: 0.4}"};
    for (int k = 0; k < 3; k++) {
        char text[512];
        const int length = snprintf(text, sizeof text,
                                    "motorcade: scenario\ntime: {end: 1}\nmodels:\n"
                                    "  h: {kind: powertrain, %s}\nvehicles: [{model: h, x: 0}]\n",
                                    keys[k]);
        mc_error error;
        assert_null(scenario_parse(text, (size_t)length, "test.yaml", &error));
        assert_non_null(strstr(error.text, "a powertrain model has no "));
    }
}

// A car too soft for its weight is rejected, with its file.
static void a_car_that_cannot_stand_is_rejected(void **unused)
{
    (void)unused;
    scenario *s = hmmwv_scenario(", wheels: {stiffness: 10000}", 1, 0.0);
    mc_error error;
    assert_null(hmmwv_try(s, &error));
    if (!strstr(error.text, "at rest wheel_fl would compress its tyre by 0.6"))
        fail_msg("%s", error.text);
    assert_non_null(strstr(error.file, "hmmwv.yaml"));
    scenario_free(s);
}

// ---- parameters, delay, memory ----

static void parameters_change_one_vehicle(void **unused)
{
    (void)unused;
    scenario *s = hmmwv_scenario("", 2, 10.0);
    mc_batch *b = hmmwv_batch(s);
    const mc_vehicle_kind *kind = b->kind;
    const double before = kind->mass(b, 0);
    assert_true(kind->set_param(b, 0, "mass", before + 300.0));
    assert_true(fabs(kind->mass(b, 0) - before - 300.0) < 1e-9);
    assert_true(kind->mass(b, 1) == before);
    assert_true(kind->set_param(b, 0, "chassis.mass", 2086.52));
    assert_true(fabs(kind->mass(b, 0) - before) < 1e-9);
    assert_true(kind->set_param(b, 1, "k_front", 2e5));
    assert_true(kind->set_param(b, 1, "max_brake", 0.5));
    assert_false(kind->set_param(b, 1, "max_brake", 50.0));
    assert_false(kind->set_param(b, 1, "c_front", -1.0)); // below its min
    assert_false(kind->set_param(b, 1, "mass", 100.0));   // less than the wheels
    assert_false(kind->set_param(b, 1, "k_middle", 1.0));
    assert_false(kind->set_param(b, 1, "k_front", NAN));
    assert_true(kind->mass(b, 1) == before);
    // A heavier car presses harder: after some seconds its wheels carry it.
    assert_true(kind->set_param(b, 0, "mass", before + 300.0));
    kind->advance(b, 0, 2, 5.0);
    double values[2][32], sum[2] = {0.0, 0.0};
    for (int i = 0; i < 2; i++) {
        kind->read_channels(b, i, values[i]);
        for (int k = 0; k < kind->channel_count; k++)
            sum[i] += strncmp(kind->channels[k].name, "fz_", 3) == 0 ? values[i][k] : 0.0;
    }
    assert_true(fabs(sum[0] - (before + 300.0) * 9.81) < 1.0);
    assert_true(fabs(sum[1] - before * 9.81) < 1.0);
    kind->destroy(b);
    scenario_free(s);
}

// What was changed is part of the state: another batch that loads it continues in the same way.
static void saved_states_hold_parameters(void **unused)
{
    (void)unused;
    scenario *s = hmmwv_scenario("", 1, 20.0);
    mc_batch *b = hmmwv_batch(s), *other = hmmwv_batch(s);
    double state[256], a[256], c[256];
    assert_true(b->kind->set_param(b, 0, "mass", 3000.0));
    assert_true(b->kind->set_param(b, 0, "k_rear", 4e5));
    assert_true(b->kind->set_param(b, 0, "drag", 2.0));
    b->kind->set_inputs(b, 0, 1, &(mc_inputs){.brake = 0.4, .steer = 0.02});
    b->kind->advance(b, 0, 1, 0.1);
    b->kind->save(b, 0, state);
    other->kind->restore(other, 0, state);
    b->kind->advance(b, 0, 1, 0.2);
    other->kind->advance(other, 0, 1, 0.2);
    b->kind->save(b, 0, a);
    other->kind->save(other, 0, c);
    assert_memory_equal(a, c, sizeof(double) * (size_t)b->kind->save_size(b));
    assert_true(other->kind->mass(other, 0) == b->kind->mass(b, 0));
    assert_true(fabs(other->kind->mass(other, 0) - 3000.0) < 1e-9);
    b->kind->destroy(b);
    other->kind->destroy(other);
    scenario_free(s);
}

// A command that is on its way acts when its time has come, however advance is cut.
static void brakes_wait_for_their_delay(void **unused)
{
    (void)unused;
    scenario *s = hmmwv_scenario(", drive: {brake_delay: 0.1}", 2, 20.0);
    mc_batch *b = hmmwv_batch(s);
    const mc_inputs in[2] = {{.brake = 0.5}, {.brake = 0.5}};
    double values[32];
    b->kind->set_inputs(b, 0, 2, in);
    b->kind->advance(b, 0, 2, 0.09);
    b->kind->read_channels(b, 0, values);
    assert_true(values[2] == 0.0);
    b->kind->advance(b, 0, 1, 0.11);
    b->kind->read_channels(b, 0, values);
    assert_true(fabs(values[2] - 0.5 * (1.0 - exp(-5.0 * 0.1))) < 1e-9); // eq 2, closed form
    double state[256], again[256];
    assert_true(b->kind->save_size(b) <= 256);
    b->kind->save(b, 1, state);
    b->kind->advance(b, 1, 1, 0.05);
    b->kind->save(b, 1, again);
    b->kind->restore(b, 1, state);
    b->kind->advance(b, 1, 1, 0.05);
    b->kind->save(b, 1, state);
    assert_memory_equal(state, again, sizeof(double) * (size_t)b->kind->save_size(b));
    b->kind->destroy(b);
    scenario_free(s);
}

static void nothing_is_allocated_while_driving(void **unused)
{
    (void)unused;
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    skip(); // their allocators count differently
#else
    scenario *s = hmmwv_scenario("", 1, 20.0);
    mc_batch *b = hmmwv_batch(s);
    multibody_batch *own = (multibody_batch *)b;
    mc_multibody_wait(own->mechanism.multibody); // the compilers work in the background
    expr_kernel_wait(own->mechanism.see.kernel);
    expr_kernel_wait(own->mechanism.look.kernel);
    const struct mallinfo2 before = mallinfo2();
    mc_motion m;
    mc_plan plan;
    for (int k = 0; k < 20; k++) {
        b->kind->set_inputs(b, 0, 1, &(mc_inputs){.throttle = 0.3, .steer = 0.01});
        b->kind->advance(b, 0, 1, 0.01);
        b->kind->motion(b, 0, 1, &m);
        b->kind->plan(b, 0, 1, &(double){0.5}, &plan);
        b->kind->apply_impulse(b, 0, (const double[]){m.x, 0.0, 1.0},
                               (const double[]){100.0, 0.0, 0.0});
    }
    const struct mallinfo2 after = mallinfo2();
    assert_true(after.uordblks == before.uordblks);
    b->kind->destroy(b);
    scenario_free(s);
#endif
}

// ---- hits between kinds ----

static void add(mc_world *world, mc_batch *batch)
{
    mc_error error;
    int id;
    assert_int_equal(mc_world_give(world, batch, &error), MC_OK);
    assert_int_equal(mc_world_add(world, batch, 0, &id, &error), MC_OK);
}

static mc_batch *make_car(double x, double v)
{
    car c;
    car_defaults(&c, powertrain_kind_at(0));
    mc_batch *batch = car_batch_create(&c, 1, 0.01);
    car_batch_place(batch, 0, x, 0.3, 0.0, v);
    return batch;
}

// A mechanism runs into a car with a powertrain, that into a deformable one.
static mc_world *crash(int threads, const scenario *s)
{
    mc_error error;
    mc_world_options o = mc_world_defaults();
    o.threads = threads;
    o.restitution = 0.3;
    o.friction = 0.4;
    mc_world *world = mc_world_create(&o, &error);
    cosserat_model soft = sample_model_at_rest(1);
    soft.gear.driven = true;
    add(world, hmmwv_batch(s)); // at x = 0
    add(world, make_car(6.0, 15.0));
    mc_batch *batch = cosserat_batch_create(&soft, 1, COSSERAT_EXPONENTIAL, o.step);
    cosserat_batch_place(batch, 0, 11.0, -0.2, 0.0, 5.0, 0.0, 0);
    add(world, batch);
    assert_int_equal(mc_world_start(world, NULL, NULL, &error), MC_OK);
    for (int k = 0; k < 8; k++)
        if (mc_world_advance(world, 0.05, &error) != MC_OK)
            fail_msg("%s", error.text);
    return world;
}

// Horizontal momentum before and after the impacts from k on that share an instant: a car between
// two others may be hit on both sides at once. Gives their number.
static int across(const mc_world *world, const mc_impact *impacts, int count, int k,
                  double change[2], double *size)
{
    bool seen[3] = {false, false, false};
    int n = 0;
    change[0] = change[1] = *size = 0.0;
    for (; k + n < count && impacts[k + n].time == impacts[k].time; n++)
        for (int side = 0; side < 2; side++) {
            const mc_impact *i = &impacts[k + n];
            const int id = side ? i->b : i->a;
            const double *before = i->velocity_before[side], *after = i->velocity_after[side];
            mc_batch *batch;
            int index;
            mc_world_vehicle(world, id, &batch, &index);
            const double mass = batch->kind->mass(batch, index);
            for (int c = 0; c < 2 && !seen[id]; c++)
                change[c] += mass * (after[c] - before[c]);
            *size += seen[id] ? 0.0 : mass * hypot(before[0], before[1]);
            seen[id] = true;
        }
    return n;
}

static void hits_keep_horizontal_momentum(void **unused)
{
    (void)unused;
    scenario *s = hmmwv_scenario("", 1, 25.0);
    mc_world *world = crash(1, s);
    int count, mixed = 0;
    const mc_impact *impacts = mc_world_impacts(world, &count);
    double worst = 0.0, change[2], size;
    for (int k = 0; k < count; k += across(world, impacts, count, k, change, &size)) {
        across(world, impacts, count, k, change, &size);
        mixed += impacts[k].a == 0;
        worst = fmax(worst, hypot(change[0], change[1]) / size);
    }
    printf("%d impacts, %d of the mechanism; momentum kept to %.2g\n", count, mixed, worst);
    assert_true(mixed > 0 && count > mixed);
    assert_true(worst < 1e-12);
    mc_world *other = crash(3, s);
    assert_true(mc_world_hash(world) == mc_world_hash(other));
    mc_world_destroy(world);
    mc_world_destroy(other);
    scenario_free(s);
}

// ---- a platoon of four kinds ----

static mc_run *start(const mc_scenario *s, int threads)
{
    mc_error error;
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = threads}, &error);
    if (!run)
        fail_msg("%s", error.text);
    return run;
}

static void steps(mc_run *run, int count)
{
    mc_error error;
    for (int k = 0; k < count; k++)
        if (mc_run_step(run, &error) != MC_OK)
            fail_msg("%s", error.text);
}

static void a_mixed_platoon_repeats_to_the_bit(void **unused)
{
    (void)unused;
    enum { STEPS = 200 };
    mc_error error;
    mc_scenario *s = mc_scenario_load(SOURCE_DIR "/scenarios/mixed.yaml", &error);
    if (!s)
        fail_msg("%s", error.text);
    mc_run *one = start(s, 1), *three = start(s, 3), *resumed = start(s, 2);
    mc_snapshot half;
    steps(one, STEPS / 2);
    assert_int_equal(mc_run_save(one, &half, &error), MC_OK);
    steps(one, STEPS / 2);
    steps(three, STEPS);
    assert_int_equal(mc_run_restore(resumed, &half, &error), MC_OK);
    steps(resumed, STEPS / 2);
    assert_true(mc_run_hash(one) == mc_run_hash(three));
    assert_true(mc_run_hash(one) == mc_run_hash(resumed));
    for (int v = 1; v < mc_run_vehicle_count(one); v++) {
        mc_run_view view;
        mc_run_look(one, v, &view);
        assert_true(fabs(view.error) < 0.2 && view.hits == 0);
    }
    mc_snapshot_free(&half);
    mc_run_destroy(one);
    mc_run_destroy(three);
    mc_run_destroy(resumed);
    mc_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_mechanisms_are_named),
        cmocka_unit_test(wrong_keys_are_named),
        cmocka_unit_test(kinds_without_wheels_have_no_tyres),
        cmocka_unit_test(a_car_that_cannot_stand_is_rejected),
        cmocka_unit_test(parameters_change_one_vehicle),
        cmocka_unit_test(saved_states_hold_parameters),
        cmocka_unit_test(brakes_wait_for_their_delay),
        cmocka_unit_test(nothing_is_allocated_while_driving),
        cmocka_unit_test(hits_keep_horizontal_momentum),
        cmocka_unit_test(a_mixed_platoon_repeats_to_the_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
