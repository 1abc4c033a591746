// test_closed.c - a mechanism with loops as a vehicle: the HMMWV with its wishbones and its rack.
#include "mechanical/batch.h"

#include "motorcade/world.h"
#include "num/vec3.h"
#include "support/block.h"
#include "support/hmmwv.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double loop_size = 0.5; // m, of a corner

static scenario *closed_scenario(const char *keys, int count, double v)
{
    return hmmwv_scenario_of("hmmwv_loops.yaml", keys, count, v);
}

// How far the loops of vehicle i are open, m.
static double gap(const mc_batch *batch, int i)
{
    const multibody_batch *b = (const multibody_batch *)batch;
    return mc_multibody_gap(b->mechanism.multibody, 0.0, b->vehicles[i].z);
}

static double read(const mc_batch *b, int i, const char *name)
{
    double values[64];
    b->kind->read_channels(b, i, values);
    for (int k = 0; k < b->kind->channel_count; k++)
        if (strcmp(b->kind->channels[k].name, name) == 0)
            return values[k];
    fail_msg("there is no channel %s", name);
    return 0.0;
}

static mc_motion motion(const mc_batch *b, int i)
{
    mc_motion m;
    b->kind->motion(b, i, 1, &m);
    return m;
}

// Heading of a wheel in the chassis, rad.
static double wheel_angle(const mc_batch *batch, int i, int w)
{
    const multibody_batch *b = (const multibody_batch *)batch;
    vehicle *v = &b->vehicles[i];
    double axle[3];
    vehicle_see(b, v, v->z);
    vehicle_look(b, v, v->z);
    mat3_tmul_vec(v->look + LOOK_TURN, v->see + SEE_WHEEL + w * SEE_EACH + SEE_AXLE, axle);
    return atan2(-axle[0], axle[1]);
}

static void rests_on_its_tyres(void **unused)
{
    (void)unused;
    scenario *s = closed_scenario("", 1, 0.0);
    mc_batch *b = hmmwv_batch(s);
    const multibody_batch *own = (const multibody_batch *)b;
    const double front = read(b, 0, "fz_lf"), rear = read(b, 0, "fz_lr");
    printf("loads %.3f and %.3f N, pitch %.4g rad, loops open by %.2g m, rack %.5f m/rad, step "
           "%.3g ms\n",
           front, rear, read(b, 0, "pitch"), gap(b, 0), own->rack, 1e3 * own->bound);
    assert_true(fabs(b->kind->mass(b, 0) - 2573.138) < 1e-9);
    assert_true(fabs(2.0 * (front + rear) - 2573.138 * 9.81) < 1e-5);
    assert_true(fabs(front - 6500.85) < 0.005 * 6500.85);
    assert_true(gap(b, 0) < 1e-14);
    assert_true(fabs(read(b, 0, "roll")) < 1e-10);
    const mc_inputs stop = {.brake = 1.0}; // against the creeping engine
    b->kind->set_inputs(b, 0, 1, &stop);
    b->kind->advance(b, 0, 1, 4.0);
    printf("4 s later %.3g N more\n", read(b, 0, "fz_lf") - front);
    assert_true(fabs(read(b, 0, "fz_lf") - front) < 1.0);
    b->kind->destroy(b);
    scenario_free(s);
}

// A hard drive with pedals and steering: the loops stay closed, the energy balance closes.
static void stays_closed_and_keeps_its_balance(void **unused)
{
    (void)unused;
    scenario *s = closed_scenario("", 1, 20.0);
    double drift[2];
    for (int run = 0; run < 2; run++) {
        mc_batch *b = hmmwv_batch(s);
        b->kind->limit_step(b, run ? 5e-4 : 1e-3);
        const double before = hmmwv_balance(b, 0);
        double open = 0.0;
        for (int k = 0; k < 200; k++) {
            const mc_inputs in = {.throttle = k < 60 ? 0.8 : 0.0,
                                  .brake = k > 120 ? 0.6 : 0.0,
                                  .steer = 0.06 * sin(0.05 * k)};
            b->kind->set_inputs(b, 0, 1, &in);
            b->kind->advance(b, 0, 1, 0.01);
            open = fmax(open, gap(b, 0));
        }
        drift[run] = fabs(hmmwv_balance(b, 0) - before);
        printf("open by %.2g m, balance off by %.3g J of %.3g\n", open, drift[run], before);
        assert_true(open <= 1e-12 * loop_size);
        assert_true(drift[run] < 1e-8 * fabs(before));
        b->kind->destroy(b);
    }
    assert_true(drift[1] < 0.2 * drift[0]);
    scenario_free(s);
}

// A step of the steering goes through the rack: the wheels turn, the inner more than the outer, and
// the car turns about as the lumped one does, whose tyres are steered directly.
static void steers_through_its_rack(void **unused)
{
    (void)unused;
    scenario *s[2] = {closed_scenario("", 1, 12.0), hmmwv_scenario("", 1, 12.0)};
    double rate[2];
    for (int k = 0; k < 2; k++) {
        mc_batch *b = hmmwv_batch(s[k]);
        const mc_inputs in = {.throttle = 0.15, .steer = 0.08};
        b->kind->set_inputs(b, 0, 1, &in);
        b->kind->advance(b, 0, 1, 3.0);
        rate[k] = motion(b, 0).yaw_rate / motion(b, 0).v;
        if (k == 0) {
            const double left = wheel_angle(b, 0, 0), right = wheel_angle(b, 0, 1);
            printf("wheels at %.4f and %.4f rad for 0.08, rear %.4f\n", left, right,
                   wheel_angle(b, 0, 2));
            assert_true(fabs(0.5 * (left + right) - 0.08) < 0.01);
            assert_true(gap(b, 0) <= 1e-12 * loop_size);
        }
        b->kind->destroy(b);
        scenario_free(s[k]);
    }
    printf("curvature %.5f, lumped %.5f 1/m\n", rate[0], rate[1]);
    assert_true(rate[0] > 0.0 && fabs(rate[0] - rate[1]) < 0.25 * rate[1]);
}

// ---- hits ----

static void add(mc_world *world, mc_batch *batch, int index)
{
    mc_error error;
    int id;
    if (index == 0)
        assert_int_equal(mc_world_give(world, batch, &error), MC_OK);
    assert_int_equal(mc_world_add(world, batch, index, &id, &error), MC_OK);
}

// Largest change of the horizontal momentum of a pair in one impact, relative.
static double momentum_lost(const mc_world *world, int *count)
{
    const mc_impact *impacts = mc_world_impacts(world, count);
    double worst = 0.0;
    for (int k = 0; k < *count; k++) {
        double change[2] = {0.0, 0.0}, size = 0.0;
        for (int side = 0; side < 2; side++) {
            const double *before = impacts[k].velocity_before[side];
            const double *after = impacts[k].velocity_after[side];
            mc_batch *b;
            int i;
            mc_world_vehicle(world, side ? impacts[k].b : impacts[k].a, &b, &i);
            const double mass = b->kind->mass(b, i);
            for (int c = 0; c < 2; c++)
                change[c] += mass * (after[c] - before[c]);
            size += mass * hypot(before[0], before[1]);
        }
        worst = fmax(worst, hypot(change[0], change[1]) / size);
    }
    return worst;
}

static unsigned long long crash(int threads, bool wall)
{
    mc_error error;
    mc_world_options o = mc_world_defaults();
    o.threads = threads;
    o.restitution = 0.2;
    o.friction = 0.3;
    o.resting_guard = wall ? 0.0 : 2e-3;
    mc_world *world = mc_world_create(&o, &error);
    scenario *s = closed_scenario("", wall ? 1 : 2, 15.0);
    mc_batch *cars = hmmwv_batch(s);
    multibody_batch *own = (multibody_batch *)cars;
    vehicle_place(own, 0, 0.0, 0.2, 0.05, 15.0);
    add(world, cars, 0);
    const block_model heavy = {1e6, 1e9, {1.0, 20.0, 5.0}, 0.0};
    mc_batch *block = wall ? block_batch_create(&heavy, 1) : NULL;
    if (wall) {
        block_batch_place(block, 0, 5.0, 0.0, 0.0, 0.0, 0.0, 0.0);
        add(world, block, 0);
    } else {
        vehicle_place(own, 1, 7.0, -0.3, 0.4, 2.0);
        add(world, cars, 1);
    }
    assert_int_equal(mc_world_start(world, NULL, NULL, &error), MC_OK);
    double open = 0.0;
    for (int k = 0; k < 40; k++) {
        assert_int_equal(mc_world_advance(world, 0.01, &error), MC_OK);
        for (int i = 0; i < (wall ? 1 : 2); i++)
            open = fmax(open, gap(cars, i));
    }
    int impacts;
    const double lost = momentum_lost(world, &impacts);
    printf("%s: %d impacts, open by %.2g m, momentum kept to %.2g, v %.3f\n", wall ? "wall" : "car",
           impacts, open, lost, motion(cars, 0).v);
    assert_true(impacts > 0);
    assert_true(open <= 1e-12 * loop_size);
    assert_true(lost <= 1e-12);
    const unsigned long long hash = mc_world_hash(world);
    mc_world_destroy(world);
    scenario_free(s);
    return hash;
}

static void hits_a_wall(void **unused)
{
    (void)unused;
    crash(1, true);
}

static void hits_another_car(void **unused)
{
    (void)unused;
    const unsigned long long one = crash(1, false);
    assert_true(crash(3, false) == one);
}

// ---- state ----

static void resumes_to_the_same_bits(void **unused)
{
    (void)unused;
    scenario *s = closed_scenario("", 2, 18.0);
    mc_batch *b = hmmwv_batch(s), *other = hmmwv_batch(s);
    const int size = b->kind->save_size(b);
    double *kept = calloc(3 * (size_t)size, sizeof *kept), *x = kept + size, *y = x + size;
    assert_non_null(kept);
    b->kind->set_inputs(b, 0, 1, &(mc_inputs){.brake = 0.3, .steer = 0.05});
    b->kind->advance(b, 0, 1, 0.1);
    assert_true(b->kind->set_param(b, 0, "mass", 3000.0));
    assert_true(b->kind->set_param(b, 0, "tie_fl.length", 0.388));
    assert_true(b->kind->set_param(b, 0, "c_front", 15000.0));
    assert_true(!b->kind->set_param(b, 0, "c_front", -1.0));
    b->kind->save(b, 0, kept);
    b->kind->advance(b, 0, 1, 0.1);
    b->kind->save(b, 0, x);
    other->kind->restore(other, 1, kept);
    other->kind->advance(other, 1, 1, 0.1);
    other->kind->save(other, 1, y);
    assert_memory_equal(x, y, sizeof(double) * (size_t)size);
    free(kept);
    b->kind->destroy(b);
    other->kind->destroy(other);
    scenario_free(s);
}

static void what_cannot_drive_is_said(void **unused)
{
    (void)unused;
    static const struct {
        const char *old, *new, *message;
    } bad[] = {
        {"\njoints:\n", "\nconstraints: {c: {position: rack.travel - 1 mm}}\njoints:\n",
         "constraint c cannot act on a vehicle; joints between bodies can"},
        {"    mass: 23.965\n", "    mass: 23.965\n    load: 3 N*m\n",
         "the load of lower_fl cannot act on a vehicle; a vehicle gets its loads from its wheels, "
         "engine and brakes"},
    };
    char *text = calloc(1, 1 << 16), *changed = calloc(1, 1 << 16);
    assert_true(text && changed);
    FILE *f = fopen(SOURCE_DIR "/models/hmmwv_loops.yaml", "rb");
    assert_non_null(f);
    assert_true(fread(text, 1, (1 << 16) - 1, f) > 0);
    fclose(f);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        const mc_multibody_options never = {.compile = MC_COMPILE_NEVER};
        const char *at = strstr(text, bad[k].old);
        assert_non_null(at);
        snprintf(changed, 1 << 16, "%.*s%s%s", (int)(at - text), text, bad[k].new,
                 at + strlen(bad[k].old));
        mc_error error;
        mechanism m;
        mc_multibody *multibody = mc_multibody_parse(changed, "bad.yaml", &never, &error);
        if (!multibody)
            fail_msg("%d: %s", error.line, error.text);
        assert_int_equal(mechanism_make(multibody, &m, &error), MC_BAD_INPUT);
        assert_string_equal(error.text, bad[k].message);
    }
    free(text);
    free(changed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rests_on_its_tyres),
        cmocka_unit_test(stays_closed_and_keeps_its_balance),
        cmocka_unit_test(steers_through_its_rack),
        cmocka_unit_test(hits_a_wall),
        cmocka_unit_test(hits_another_car),
        cmocka_unit_test(resumes_to_the_same_bits),
        cmocka_unit_test(what_cannot_drive_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
