// test_planar.c - the planar car: order of accuracy, statics of the loads, the bicycle as its
// limit, hills, spins, standstill.
#include "base/gravity.h"
#include "cars/car.h"
#include "road/road.h"
#include "support/planar_car.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// Channels; load and use are four of each wheel apart.
enum { A_Y = 7, SPIN = 13, LOAD = 19, USE = 20, EACH = 4, CHANNELS = 64 };

static void drive(mc_batch *batch, const mc_inputs *in, double t)
{
    batch->kind->set_inputs(batch, 0, 1, in);
    for (int k = 0; k < (int)lround(t / 0.1); k++)
        batch->kind->advance(batch, 0, 1, 0.1);
}

static mc_motion motion_of(const mc_batch *batch)
{
    mc_motion m;
    batch->kind->motion(batch, 0, 1, &m);
    return m;
}

static double energy_error(const mc_batch *batch, const mc_energy *start)
{
    mc_energy e;
    batch->kind->energy(batch, 0, &e);
    return e.kinetic + e.gravity + e.slipped + e.braked + e.dragged - e.driven - start->kinetic -
           start->gravity;
}

// Halving the step divides the error by four, or sixteen.
static void order_of_accuracy(void **unused)
{
    (void)unused;
    enum { RUNS = 4 };
    for (int order = 2; order <= 4; order += 2) {
        mc_motion m[RUNS];
        double drift[RUNS];
        for (int k = 0; k < RUNS; k++) {
            const planar_model model = planar_car(NULL, order);
            mc_batch *batch = planar_batch_create(&model, 1, 1e-3 / (1 << k));
            mc_energy start;
            planar_batch_place(batch, 0, 0.0, 0.0, 0.3, 20.0);
            batch->kind->energy(batch, 0, &start);
            batch->kind->set_inputs(batch, 0, 1, &(mc_inputs){.brake = 0.3, .steer = 0.04});
            batch->kind->advance(batch, 0, 1, 1.0);
            m[k] = motion_of(batch);
            drift[k] = fabs(energy_error(batch, &start)) / start.kinetic;
            batch->kind->destroy(batch);
        }
        double error[RUNS - 1];
        for (int k = 0; k < RUNS - 1; k++)
            error[k] = fabs(m[k].y - m[RUNS - 1].y) + fabs(m[k].yaw_rate - m[RUNS - 1].yaw_rate);
        printf("order %d: errors %.1e %.1e %.1e, energy %.1e %.1e\n", order, error[0], error[1],
               error[2], drift[0], drift[1]);
        const double most = order == 2 ? 3.5 : 12.0; // the last run is no more than the reference
        assert_true(error[0] / error[1] > most);
        assert_true(drift[0] / drift[1] > most && drift[0] < (order == 2 ? 2e-5 : 1e-10));
    }
}

// Loads add up to the weight, and lean as statics says.
static void loads_are_static(void **unused)
{
    (void)unused;
    planar_model model = planar_car(NULL, 4.0);
    mc_batch *batch = planar_batch_create(&model, 1, 1e-3);
    const double weight = model.body[BODY_MASS] * GRAVITY, h = model.layout[LAYOUT_CG];
    const double length = model.axle[0] + model.axle[1];
    double c[CHANNELS];
    planar_batch_place(batch, 0, 0.0, 0.0, 0.0, 20.0);
    drive(batch, &(mc_inputs){.throttle = 0.2, .steer = 0.02}, 400.0);
    batch->kind->read_channels(batch, 0, c);
    assert_true(fabs(c[LOAD] + c[LOAD + EACH] + c[LOAD + 2 * EACH] + c[LOAD + 3 * EACH] - weight) <
                1e-9 * weight);
    const double moment =
        (c[LOAD + EACH] - c[LOAD]) * 0.5 * model.p[PLANAR_TRACK_FRONT] +
        (c[LOAD + 3 * EACH] - c[LOAD + 2 * EACH]) * 0.5 * model.p[PLANAR_TRACK_REAR];
    // The drag acts at the mass centre: what leans the car is the force of the tyres.
    const mc_motion m = motion_of(batch);
    const double drag = model.gear.drive[DRIVE_DRAG] * hypot(m.v, m.v_y);
    const double side = model.body[BODY_MASS] * c[A_Y] + drag * m.v_y;
    const double along = model.body[BODY_MASS] * (m.a - m.v_y * m.yaw_rate) + drag * m.v;
    const double front = (weight * model.axle[1] - h * along) / length;
    printf("roll moment %.3f N m, statics %.3f; front axle %.4f N, statics %.4f\n", moment,
           h * side, c[LOAD] + c[LOAD + EACH], front);
    assert_true(fabs(moment / (h * side) - 1.0) < 1e-6 && h * side > 1000.0);
    assert_true(fabs((c[LOAD] + c[LOAD + EACH]) / front - 1.0) < 1e-6);
    batch->kind->destroy(batch);
}

static double radius_of(const mc_motion m[3])
{
    const double ax = m[1].x - m[0].x, ay = m[1].y - m[0].y;
    const double bx = m[2].x - m[0].x, by = m[2].y - m[0].y;
    const double cx = bx - ax, cy = by - ay;
    return hypot(ax, ay) * hypot(bx, by) * hypot(cx, cy) / (2.0 * fabs(ax * by - ay * bx));
}

// A car with constant throttle and steering ends on a circle: lateral acceleration V^2/R.
static void steady_bend(void **unused)
{
    (void)unused;
    for (int order = 2; order <= 4; order += 2) {
        const planar_model model = planar_car(NULL, order);
        mc_batch *batch = planar_batch_create(&model, 1, 1e-3);
        const mc_inputs in = {.throttle = 0.1, .steer = 0.03};
        mc_motion m[3];
        double c[CHANNELS];
        planar_batch_place(batch, 0, 0.0, 0.0, 0.0, 15.0);
        drive(batch, &in, 400.0);
        for (int k = 0; k < 3; k++) {
            drive(batch, &in, 3.0);
            m[k] = motion_of(batch);
        }
        batch->kind->read_channels(batch, 0, c);
        const double v = hypot(m[2].v, m[2].v_y), slip = atan2(m[2].v_y, m[2].v);
        const double along = m[2].a - m[2].v_y * m[2].yaw_rate;
        const double to_centre = c[A_Y] * cos(slip) - along * sin(slip);
        const double expected = v * v / radius_of(m);
        printf("R = %.3f m: %.8f m/s^2, V^2/R %.8f\n", radius_of(m), to_centre, expected);
        assert_true(fabs(to_centre / expected - 1.0) < 1e-6 && expected > 0.5);
        batch->kind->destroy(batch);
    }
}

// ---- the bicycle as the limit ----

// Yaw rates after a step of the steering: the planar car, a bicycle with two of its tyres per axle.
static void respond(const planar_model *model, double steer, double v, int count, double *planar,
                    double *bicycle)
{
    car c;
    car_defaults(&c, &powertrain_converter);
    c.lateral = CAR_EXACT;
    memcpy(c.p, model->body, sizeof model->body); // mass to yaw inertia
    c.p[CAR_FRONT] = model->axle[0], c.p[CAR_REAR] = model->axle[1];
    c.p[CAR_CORNERING] = model->gear.tyre_p[1];
    mc_batch *four = planar_batch_create(model, 1, 2e-4), *two = car_batch_create(&c, 1, 1e-3);
    planar_batch_place(four, 0, 0.0, 0.0, 0.0, v);
    car_batch_place(two, 0, 0.0, 0.0, 0.0, v);
    for (int k = 0; k < count; k++) {
        mc_inputs in = {.steer = steer};
        mc_plan plan;
        mc_batch *both[2] = {four, two};
        for (int j = 0; j < 2; j++) { // both keep their speed
            const double want = 0.5 * (v - motion_of(both[j]).v);
            both[j]->kind->plan(both[j], 0, 1, &want, &plan);
            in.throttle = plan.throttle;
            both[j]->kind->set_inputs(both[j], 0, 1, &in);
            both[j]->kind->advance(both[j], 0, 1, 0.05);
        }
        planar[k] = motion_of(four).yaw_rate;
        bicycle[k] = motion_of(two).yaw_rate;
    }
    four->kind->destroy(four);
    two->kind->destroy(two);
}

// Linear tyres that build up their force at once, no load transfer: the same response.
static void without_load_transfer_it_is_a_bicycle(void **unused)
{
    (void)unused;
    enum { COUNT = 60 };
    planar_model model = planar_car(tyre_kind_find("linear"), 4.0);
    double four[COUNT], two[COUNT], worst = 0.0;
    model.layout[LAYOUT_CG] = 0.0;
    model.p[PLANAR_TRACK_FRONT] = model.p[PLANAR_TRACK_REAR] = 0.2;
    model.gear.tyre_p[2] = 3.0;  // friction: never reached
    model.gear.tyre_p[3] = 0.02; // relaxation length
    respond(&model, 0.01, 20.0, COUNT, four, two);
    for (int k = 0; k < COUNT; k++)
        worst = fmax(worst, fabs(four[k] - two[k]) / fabs(two[COUNT - 1]));
    printf("yaw rate %.6f and %.6f rad/s at the end, worst difference %.1e\n", four[COUNT - 1],
           two[COUNT - 1], worst);
    assert_true(two[COUNT - 1] > 0.03);
    assert_true(worst < 5e-3);
    assert_true(fabs(four[COUNT - 1] / two[COUNT - 1] - 1.0) < 1e-3);
}

// Brush tyres lose side force with load transfer: with the square of the height across the car,
// in proportion to it along. So the car of height 0 is the limit of low ones.
static void load_transfer_vanishes_with_the_height(void **unused)
{
    (void)unused;
    enum { COUNT = 100 };
    static const double heights[] = {0.0, 0.1, 0.2};
    double end[3];
    for (int k = 0; k < 3; k++) {
        planar_model model = planar_car(NULL, 4.0);
        double four[COUNT], two[COUNT];
        model.layout[LAYOUT_CG] = heights[k];
        model.p[PLANAR_ROLL_FRONT] = 1.0; // all of it in front: understeers
        respond(&model, 0.04, 20.0, COUNT, four, two);
        end[k] = four[COUNT - 1];
    }
    printf("yaw rate %.6f, %.6f, %.6f rad/s\n", end[0], end[1], end[2]);
    const double ratio = (end[0] - end[2]) / (end[0] - end[1]);
    assert_true(end[0] > end[1] && end[1] > end[2] && ratio > 2.0 && ratio < 4.0);
}

// ---- hills, ice, standstill ----

typedef struct hill {
    arena memory;
    road road;
} hill;

static void make_hill(hill *h, double degrees, const road_stretch *ice)
{
    mc_error error;
    const road_stretch grade = {-1e4, 1e4, degrees * 3.14159265358979 / 180.0, 1.0};
    *h = (hill){0};
    assert_int_equal(
        road_make(&h->memory, 1, 4.0, &grade, degrees != 0.0, ice, ice != NULL, &h->road, &error),
        MC_OK);
}

// On a hill of 15 degrees, heading anywhere, the brakes hold it for an hour: not a bit of its
// motion changes. Released, it rolls backwards and can be stopped again.
static void parked_on_a_hill(void **unused)
{
    (void)unused;
    hill h;
    make_hill(&h, 15.0, NULL);
    for (int order = 2; order <= 4; order += 2) {
        const planar_model model = planar_car(NULL, order);
        const mc_inputs parked = {.brake = 0.6, .steer = 0.1};
        mc_batch *batch = planar_batch_create(&model, 1, 1e-3);
        mc_energy start;
        batch->kind->set_road(batch, &h.road);
        planar_batch_place(batch, 0, 100.0, 0.0, 0.5, 0.0);
        batch->kind->energy(batch, 0, &start);
        drive(batch, &parked, 60.0);
        const mc_motion before = motion_of(batch);
        assert_true(hypot(before.x - 100.0, before.y) < 0.05);
        drive(batch, &parked, order == 2 ? 3600.0 : 60.0);
        const mc_motion after = motion_of(batch);
        assert_memory_equal(&before, &after, sizeof before);
        drive(batch, &(mc_inputs){.steer = 0.0}, 3.0);
        assert_true(motion_of(batch).v < -2.0);
        drive(batch, &(mc_inputs){.brake = 0.8}, 30.0);
        assert_true(fabs(motion_of(batch).v) < 1e-9);
        assert_true(fabs(energy_error(batch, &start)) < 5.0); // J, of 40 kJ
        batch->kind->destroy(batch);
    }
    arena_free(&h.memory);
}

// Hit on a corner at 25 m/s it spins more than once, slides backwards and stops.
static void spins_and_stops(void **unused)
{
    (void)unused;
    for (int order = 2; order <= 4; order += 2) {
        const planar_model model = planar_car(NULL, order);
        mc_batch *batch = planar_batch_create(&model, 1, 1e-3);
        double backwards = 0.0;
        mc_energy start;
        planar_batch_place(batch, 0, 0.0, 0.0, 0.0, 25.0);
        batch->kind->apply_impulse(batch, 0, (double[3]){-2.5, 0.0, 0.0},
                                   (double[3]){0.0, 9000.0, 0.0});
        batch->kind->energy(batch, 0, &start);
        for (int k = 0; k < 300; k++) {
            drive(batch, &(mc_inputs){.brake = k < 40 ? 0.0 : 0.5}, 0.1);
            backwards = fmin(backwards, motion_of(batch).v);
        }
        const mc_motion m = motion_of(batch);
        printf("turned by %.1f rad, backwards at %.1f m/s, energy %.1e\n", m.psi, backwards,
               energy_error(batch, &start) / start.kinetic);
        assert_true(fabs(m.psi) > 6.3 && backwards < -5.0);
        assert_true(fabs(m.v) < 1e-9 && fabs(m.v_y) < 1e-9 && fabs(m.yaw_rate) < 1e-9);
        assert_true(fabs(energy_error(batch, &start)) < 2e-4 * start.kinetic);
        batch->kind->destroy(batch);
    }
}

// On ice the wheels lock, and it stops with the friction of the road; the loads cannot help.
static void friction_of_the_road(void **unused)
{
    (void)unused;
    hill h;
    make_hill(&h, 0.0, &(road_stretch){-1e4, 1e4, 0.2, 1.0});
    planar_model model = planar_car(NULL, 2.0);
    model.gear.drive[DRIVE_DRAG] = 0.0;
    mc_batch *batch = planar_batch_create(&model, 1, 1e-3);
    double c[CHANNELS];
    batch->kind->set_road(batch, &h.road);
    planar_batch_place(batch, 0, 0.0, 0.0, 0.0, 20.0);
    drive(batch, &(mc_inputs){.brake = 0.8}, 2.0);
    const double before = motion_of(batch).v;
    batch->kind->read_channels(batch, 0, c);
    for (int q = 0; q < 4; q++)
        assert_true(fabs(c[SPIN + q]) < 0.01 && fabs(c[USE + EACH * q] - 1.0) < 1e-9);
    drive(batch, &(mc_inputs){.brake = 0.8}, 1.0);
    assert_true(fabs(before - motion_of(batch).v - 0.2 * GRAVITY) < 1e-6);
    batch->kind->destroy(batch);
    arena_free(&h.memory);
}

// ---- a law without states ----

// Side and longitudinal force by slip over speed: nothing limits the pole of the spin but 1/v.
static void slip_law(const double *p, int n, const mc_tyre_in *in, const double *x, double *drive_x,
                     const mc_tyre_out *out)
{
    (void)x, (void)drive_x;
    for (int i = 0; i < n; i++) {
        const double roll = fmax(fabs(in->v_x[i]), 0.5), limit = fmax(in->fz[i], 0.0);
        const double sx = p[0] * (in->v_roll[i] - in->v_x[i]) / roll,
                     sy = -p[0] * in->v_y[i] / roll;
        const double size = hypot(sx, sy), share = tanh(size / fmax(limit, 1.0));
        out->fx[i] = limit * share * sx / fmax(size, 1e-12);
        out->fy[i] = limit * share * sy / fmax(size, 1e-12);
    }
}

// Steps of 1 ms stay stable where the explicit spin has a pole of 14000 1/s.
static void law_without_states(void **unused)
{
    (void)unused;
    static const mc_param row[] = {{"c", "N", 90e3, 1e3, 1e6, "slip stiffness"}};
    static const mc_tyre law = {.size = sizeof law,
                                .name = "slip_only",
                                .doc = "of this test",
                                .params = row,
                                .param_count = 1,
                                .eval = {slip_law}};
    const planar_model model = planar_car(&law, 2.0);
    mc_batch *batch = planar_batch_create(&model, 1, 1e-3);
    double c[CHANNELS], rough = 0.0;
    planar_batch_place(batch, 0, 0.0, 0.0, 0.0, 3.0);
    drive(batch, &(mc_inputs){.steer = 0.1}, 0.1);
    for (int k = 0; k < 400; k++) {
        const double v = motion_of(batch).v;
        batch->kind->advance(batch, 0, 1, 0.01);
        rough = fmax(rough, fabs(motion_of(batch).v - v));
    }
    batch->kind->read_channels(batch, 0, c);
    const mc_motion m = motion_of(batch);
    printf("%.3f m/s after 4 s, wheels at %.3f m/s, largest change in 10 ms %.4f m/s\n", m.v,
           c[SPIN + 2] * 0.3, rough);
    assert_true(m.v > 0.0 && m.v < 6.0 && rough < 0.02);
    assert_true(fabs(c[SPIN + 3] * 0.3 - m.v - m.yaw_rate * 0.775) < 0.02);
    batch->kind->destroy(batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_of_accuracy),
        cmocka_unit_test(loads_are_static),
        cmocka_unit_test(steady_bend),
        cmocka_unit_test(without_load_transfer_it_is_a_bicycle),
        cmocka_unit_test(load_transfer_vanishes_with_the_height),
        cmocka_unit_test(parked_on_a_hill),
        cmocka_unit_test(spins_and_stops),
        cmocka_unit_test(friction_of_the_road),
        cmocka_unit_test(law_without_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
