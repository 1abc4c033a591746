// test_axles.c - mechanisms on any number of axles.
#include "mechanical/batch.h"
#include "support/hmmwv.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// A scenario of one car of the mechanism in this file, at v m/s; keys: further ones of the model.
static scenario *one_car(const char *path, const char *keys, double v)
{
    char text[2048], message[640];
    const int length = snprintf(text, sizeof text,
                                "motorcade: scenario\ntime: {end: 1}\nmodels:\n"
                                "  m: {kind: multibody, mechanism: %s, length: 4.6, width: 2.2, "
                                "height: 1.8%s}\n"
                                "vehicles: [{model: m, x: 0, v: %g}]\n",
                                path, keys, v);
    mc_error error;
    scenario *s = scenario_parse(text, (size_t)length, SOURCE_DIR "/tests/data/test.yaml", &error);
    if (!s)
        fail_msg("%s", mc_error_format(&error, message, sizeof message));
    return s;
}

static double value_of(const mc_batch *b, const char *name)
{
    double values[64];
    b->kind->read_channels(b, 0, values);
    for (int k = 0; k < b->kind->channel_count; k++)
        if (strcmp(b->kind->channels[k].name, name) == 0)
            return values[k];
    fail_msg("there is no channel %s", name);
    return 0.0;
}

// The file with its wheels named by the numbers of their axles.
static void number_wheels(const char *path, const char *out)
{
    static const char *const names[][2] = {{"wheel_fl", "wheel_1l"},
                                           {"wheel_fr", "wheel_1r"},
                                           {"wheel_rl", "wheel_2l"},
                                           {"wheel_rr", "wheel_2r"}};
    FILE *from = fopen(path, "r"), *to = fopen(out, "w");
    assert_true(from && to);
    char line[1024];
    while (fgets(line, sizeof line, from)) {
        for (int k = 0; k < 4; k++) {
            char *at = strstr(line, names[k][0]);
            if (at)
                memcpy(at, names[k][1], strlen(names[k][1]));
        }
        fputs(line, to);
    }
    fclose(from);
    fclose(to);
}

// Axles by number or by name: the same car to the last bit.
static void two_numbered_axles_are_front_and_rear(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/motorcade_axles_XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/numbered.yaml", folder);
    number_wheels(SOURCE_DIR "/models/hmmwv.yaml", path);
    scenario *s[2] = {one_car(SOURCE_DIR "/models/hmmwv.yaml", "", 20.0), one_car(path, "", 20.0)};
    double state[2][256];
    int size = 0;
    for (int k = 0; k < 2; k++) {
        mc_batch *b = hmmwv_batch(s[k]);
        size = b->kind->save_size(b);
        assert_true(size <= 256);
        b->kind->set_inputs(b, 0, 1, &(mc_inputs){.brake = 0.4, .steer = 0.03});
        b->kind->advance(b, 0, 1, 0.5);
        b->kind->save(b, 0, state[k]);
        assert_true(value_of(b, k ? "fz_1l" : "fz_lf") > value_of(b, k ? "fz_2l" : "fz_lr"));
        b->kind->destroy(b);
        scenario_free(s[k]);
    }
    assert_memory_equal(state[0], state[1], (size_t)size * sizeof(double));
    unlink(path);
    rmdir(folder);
}

static void six_wheels_carry_a_truck(void **unused)
{
    (void)unused;
    scenario *s = one_car("truck.yaml", "", 0.0);
    mc_batch *b = hmmwv_batch(s);
    static const char *const wheels[] = {"fz_1l", "fz_1r", "fz_2l", "fz_2r", "fz_3l", "fz_3r"};
    static const double x[] = {2.9, -1.1, -2.4};
    double sum = 0.0, moment = 0.0;
    for (int w = 0; w < 6; w++) {
        sum += value_of(b, wheels[w]);
        moment += x[w / 2] * value_of(b, wheels[w]);
    }
    const double weight = b->kind->mass(b, 0) * 9.81;
    // The struts and wheels have their weight below them: only the chassis is balanced at x = 0,
    // but for its pitch.
    const double below = 2.0 * 140.0 * 9.81 * (x[0] + x[1] + x[2]);
    assert_true(fabs(b->kind->mass(b, 0) - 9840.0) < 1e-9);
    assert_true(fabs(sum - weight) < 1e-6 * weight);
    assert_true(fabs(moment - below) < 0.02 * weight);
    assert_int_equal(b->kind->channel_count, 7 + 5 * 6);
    b->kind->destroy(b);
    scenario_free(s);
}

// Each axle brakes by its share, and the plan knows the spin of all wheels.
static void a_truck_brakes_as_planned(void **unused)
{
    (void)unused;
    scenario *s = one_car("truck.yaml",
                          ", drive: {drag: 0, roll: 0, brake_front: 0.4, brake_rate: 1000}", 20.0);
    mc_batch *b = hmmwv_batch(s);
    const gear_constants *d = &((multibody_batch *)b)->vehicles[0].drive;
    assert_int_equal(d->axle_count, 3);
    assert_true(fabs(d->axle[1].brake_torque / d->axle[0].brake_torque - 0.75) < 1e-12);
    assert_true(d->axle[2].brake_torque == d->axle[1].brake_torque);
    const double balance = hmmwv_balance(b, 0);
    mc_plan plan;
    mc_motion before, after;
    b->kind->motion(b, 0, 1, &before);
    b->kind->plan(b, 0, 1, &(double){-2.0}, &plan);
    b->kind->set_inputs(b, 0, 1, &(mc_inputs){.brake = plan.brake});
    b->kind->advance(b, 0, 1, 1.0); // the nose dives and comes to rest
    b->kind->motion(b, 0, 1, &before);
    b->kind->advance(b, 0, 1, 3.0);
    b->kind->motion(b, 0, 1, &after);
    const double a = (after.v - before.v) / 3.0;
    if (!(fabs(a + 2.0) < 0.01))
        fail_msg("planned -2 m/s^2, came to %.4f", a);
    assert_true(fabs(after.y) < 1e-6);
    assert_true(fabs(hmmwv_balance(b, 0) - balance) < 1e-5 * balance);
    b->kind->destroy(b);
    scenario_free(s);
}

static void a_gap_in_the_axles_is_named(void **unused)
{
    (void)unused;
    char text[1 << 13] = {0}, message[640];
    FILE *f = fopen(SOURCE_DIR "/tests/data/truck.yaml", "rb");
    assert_non_null(f);
    assert_true(fread(text, 1, sizeof text - 1, f) > 0);
    fclose(f);
    for (char *at; (at = strstr(text, "wheel_2r:"));)
        memcpy(at, "wheel_4r:", 9);
    const mc_multibody_options never = {.compile = MC_COMPILE_NEVER};
    mc_error error;
    mechanism m;
    mc_multibody *multibody = mc_multibody_parse(text, "gap.yaml", &never, &error);
    assert_non_null(multibody);
    assert_int_equal(mechanism_make(multibody, &m, &error), MC_BAD_INPUT);
    mc_error_format(&error, message, sizeof message);
    if (!strstr(message, "gap.yaml: wheel_2r is missing; a mechanism becomes a vehicle by "))
        fail_msg("%s", message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_numbered_axles_are_front_and_rear),
        cmocka_unit_test(six_wheels_carry_a_truck),
        cmocka_unit_test(a_truck_brakes_as_planned),
        cmocka_unit_test(a_gap_in_the_axles_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
