// test_relief.c - every vehicle type on roads with curves, hills, bank and friction: the work
// against gravity is weight times height, a bend banked for its speed needs no side force, brakes
// end at the friction of the road, a vehicle feels the path it was told.
#include "support/platoon.h"

#include "base/gravity.h"
#include "motorcade/observe.h"
#include "run/run.h"
#include "run/where.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

enum { TYPES = 6, POINT = 0, RUBS = 1 }; // types from RUBS on have tyres
static const char *const type[TYPES] = {
    "point",
    "{kind: powertrain, grip: 1}",
    "{kind: bicycle, grip: 1}",
    "planar",
    "{kind: cosserat, file: pileup/model.dat}",
    "{kind: multibody, mechanism: ../models/hmmwv.yaml, length: 4.6, width: 2.2}"};

static mc_scenario *scene(const char *way, const char *model, double v, double step)
{
    char text[1600];
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 90, step: %g}\n"
             "road: {lanes: 2, lane_width: 3.6, speed: 40, %s}\nmodels: {car: %s}\n"
             "controllers: {follow: {law: acc, headway: 1.2, steering: lqr}}\n"
             "platoons: [{lane: 2, x: 50, leader: {model: car, name: car, controller: follow, "
             "profile: %g}, cars: []}]\n",
             step, way, model, v);
    return platoon_scenario(text);
}

// m, of the plane of the road under the car.
static double height(const mc_run *r)
{
    const run_where *w = &r->where[0];
    mc_road_point p;
    mc_road_on(&r->road, w->path, w->plane.x, w->plane.y, w->station, &p);
    return p.height + p.bump * p.gravity[2];
}

static double mass(const mc_run *r)
{
    mc_batch *batch;
    int index;
    mc_world_vehicle(r->world, 0, &batch, &index);
    return batch->kind->mass(batch, index);
}

static double total(const mc_energy *e)
{
    return e->kinetic + e->elastic + e->spring + e->gravity + e->damped + e->slipped + e->braked +
           e->dragged + e->crushed - e->driven;
}

// Up and down in bends to both sides, banked, in the outer or inner lane: the balance closes, and
// what is booked as energy in gravity is weight times the height of the road.
static void climbs_what_it_climbs(void **unused)
{
    (void)unused;
    static const char *const way =
        "line: [{straight: 60}, {clothoid: 60, to_radius: 90}, {arc: 100, radius: 90}, {clothoid: "
        "120, to_radius: -120}, {arc: 400, radius: -120}], grades: [{from: 80, to: 300, grade: 6 "
        "%, transition: 40}, {from: 320, to: 600, grade: -4 %, transition: 40}], bank: [{from: 90, "
        "to: 240, bank: -5 %, transition: 50}, {from: 300, to: 640, bank: 4 %, transition: 60}]";
    for (int k = 0; k < TYPES; k++) {
        mc_scenario *s = scene(way, type[k], 14.0, 0.02);
        mc_run *run = platoon_run(s, 1);
        mc_energy start, now;
        mc_run_energy(run, 0, &start);
        const double from = height(run), weight = mass(run) * GRAVITY;
        double worst = 0.0, highest = 0.0, apart = 0.0;
        for (int n = 0; n < 160; n++) {
            platoon_steps(run, 10);
            mc_run_energy(run, 0, &now);
            worst = fmax(worst, fabs(total(&now) - total(&start)));
            const double climbed = weight * (height(run) - from);
            highest = fmax(highest, climbed);
            apart = fmax(apart, fabs(now.gravity - start.gravity - climbed));
        }
        printf("%.14s: climbs %.0f J, balance %.1e of it, booked as gravity to %.1e\n", type[k],
               highest, worst / highest, apart / highest);
        assert_true(platoon_view(run, "car").motion.x > 450.0 && highest > 10.0 * weight);
        // Two types integrate work: their bodies pitch, heave and roll on their springs, too.
        const double near = k < 4 ? 1e-3 : 1e-2;
        if (!(worst < 1e-3 * highest && apart < near * highest))
            fail_msg("%s: balance %g, gravity %g of %g J", type[k], worst, apart, highest);
        mc_run_destroy(run);
        mc_scenario_free(s);
    }
}

// R = 200 m at 14 m/s on a lane whose middle is 3.6 m outside: with v^2/R = g tan(bank) tyres push
// neither way, so they lose nothing; on a level road they do.
static void balanced_bank(void **unused)
{
    (void)unused;
    const double v = 14.0, R = 203.6, bank = asin(v * v / R / GRAVITY);
    for (int k = RUBS; k < TYPES; k++) {
        double lost[2], side[2];
        for (int banked = 0; banked < 2; banked++) {
            char way[400];
            snprintf(way, sizeof way,
                     "line: [{straight: 60}, {clothoid: 120, to_radius: 200}, {arc: 1200, radius: "
                     "200}], bank: [{from: 50, to: 1380, bank: %.17g, transition: 130}]",
                     banked ? -bank : -1e-9);
            mc_scenario *s = scene(way, type[k], v, 0.02);
            mc_run *run = platoon_run(s, 1);
            mc_energy before, after;
            platoon_steps(run, 2000);
            mc_run_energy(run, 0, &before);
            platoon_steps(run, 500);
            mc_run_energy(run, 0, &after);
            lost[banked] = after.slipped - before.slipped;
            const mc_motion m = platoon_view(run, "car").motion;
            side[banked] = m.v_y / m.v;
            assert_true(m.x > 500.0 && fabs(m.y + 3.6) < 0.8);
            if (k == 1) { // Fr = M (v^2/R + g sin(bank)) lf/L = -2C (v_y - lr r)/v
                const double lf = 1.43, lr = 1.55, c = 2.0 * 45000.0, at = 200.0 - m.y;
                const double push =
                    1839.317 * (m.v * m.v / at - (banked ? GRAVITY * sin(bank) : 0.0));
                const double v_y = lr * m.yaw_rate - push * lf / (lf + lr) * m.v / c;
                assert_true(fabs(m.v_y - v_y) < 1e-4);
            }
            mc_run_destroy(run);
            mc_scenario_free(s);
        }
        printf("%.14s: tyres lose %.1f J in 10 s on the level, %.3f J banked; slip %.4f, %.4f\n",
               type[k], lost[0], lost[1], side[0], side[1]);
        // Drive and rolling resistance cost some slip along the road, in either case.
        if (!(lost[0] > 0.0 && lost[1] < 0.2 * lost[0]))
            fail_msg("%s: %g J, banked %g J", type[k], lost[0], lost[1]);
    }
}

// Full brake where only the station says that the road is slippery.
static void brakes_by_friction(void **unused)
{
    (void)unused;
    static const char *const way =
        "line: [{straight: 60}, {clothoid: 60, to_radius: 400}, {arc: 900, radius: 400}], "
        "friction: [{from: 200, to: 900, mu: 0.3, transition: 5}]";
    for (int k = RUBS; k < TYPES; k++) {
        mc_scenario *s = scene(way, type[k], 15.0, 0.02);
        mc_run *run = platoon_run(s, 1);
        while (platoon_view(run, "car").motion.x < 215.0)
            platoon_steps(run, 1);
        const mc_run_view at = platoon_view(run, "car");
        const mc_inputs hands = {.brake = 1.0, .steer = at.inputs.steer};
        const double v = at.motion.v;
        platoon_command(run, &(mc_command){.event = "drive", .vehicle = "car", .inputs = hands});
        platoon_steps(run, 100);
        const double slowed = (v - platoon_view(run, "car").motion.v) / 2.0 / GRAVITY;
        printf("%.14s: brakes at %.3f g\n", type[k], slowed);
        if (!(slowed > 0.15 && slowed < 0.34))
            fail_msg("%s: brakes at %g g", type[k], slowed);
        mc_run_destroy(run);
        mc_scenario_free(s);
    }
}

// A car on the ramp, where the lanes of the road begin: the road alone would take it for one of its
// own; told its path, the car feels the slope of the ramp.
static void knows_its_path(void **unused)
{
    (void)unused;
    for (int k = RUBS; k < TYPES; k++) {
        char text[1600];
        snprintf(text, sizeof text,
                 "motorcade: scenario\ntime: {end: 20, step: 0.02}\n"
                 "road: {lanes: 1, lane_width: 3.6, line: [{straight: 800}], ramps: [{name: in, "
                 "kind: on, at: 400, length: 150, line: [{straight: 200}, {arc: 40, radius: -150}, "
                 "{straight: 60}], grades: [{from: 1, to: 299, grade: 5 %%, transition: 1}]}]}\n"
                 "models: {car: %s}\nvehicles: [{model: car, name: car, ramp: in, x: 280, y: 2, "
                 "v: 10}]\n",
                 type[k]);
        mc_scenario *s = platoon_scenario(text);
        mc_run *run = platoon_run(s, 1);
        mc_road_point p;
        const mc_motion *at = &run->where[0].plane;
        mc_road_at(&run->road, at->x, at->y, NAN, &p);
        assert_int_equal(run->where[0].path, 1);
        assert_int_equal(p.path, 0); // not told
        mc_energy start, now;
        mc_run_energy(run, 0, &start);
        platoon_steps(run, 20); // 4 m up
        mc_run_energy(run, 0, &now);
        const double climbed = (now.gravity - start.gravity) / mass(run) / GRAVITY;
        assert_int_equal(run->where[0].path, 1);
        if (!(climbed > 0.15 && climbed < 0.25))
            fail_msg("%s climbs %g m", type[k], climbed);
        platoon_steps(run, 200); // on the acceleration lane: level
        assert_int_equal(run->where[0].path, 0);
        mc_run_energy(run, 0, &start);
        platoon_steps(run, 20);
        mc_run_energy(run, 0, &now);
        assert_true(fabs(now.gravity - start.gravity) < 0.005 * mass(run) * GRAVITY);
        mc_run_destroy(run);
        mc_scenario_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(climbs_what_it_climbs),
        cmocka_unit_test(balanced_bank),
        cmocka_unit_test(brakes_by_friction),
        cmocka_unit_test(knows_its_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
