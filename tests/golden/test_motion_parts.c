// test_motion_parts.c - what the shipped scenarios leave out moves as motion_parts.txt has it
// (support/motion_trace.h): every law, every tyre and powertrain under every kind of vehicle that
// can have it, steered and braked, every event, a driver's file.
#include "motorcade/laws.h"
#include "support/motion_rows.h"
#include "support/platoon.h"
#include "support/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void run_text(const motion_case *c, motion_trace *t)
{
    mc_scenario *s = platoon_scenario(c->detail);
    motion_scenario(t, s);
    mc_scenario_free(s);
}

// ---- laws --------------------------------------------------------------------------------------

// Names of cases are law_NAME.
static void run_law(const motion_case *c, motion_trace *t)
{
    char text[1024];
    snprintf(text, sizeof text,
             "motorcade: scenario\n"
             "seed: 3\n"
             "time: {end: 40, step: 0.05}\n"
             "road: {headway: 1, distance: 5, speed: 25}\n"
             "profiles: {way: {table: [[0, 20], [5, 20], [12, 27], [20, 27], [26, 14]]}}\n"
             "models: {town: powertrain, dot: {kind: point, lag: 0.3}}\n"
             "controllers: {own: {law: %s, sensor: {range_noise: 0.05}, radio: {delay: 0.1}}}\n"
             "platoons:\n"
             "  - leader: {model: town, profile: way}\n"
             "    cars:\n"
             "      - {model: town, name: town, count: 2, controller: own}\n"
             "      - {model: dot, name: plain, count: 2, controller: own}\n",
             (const char *)c->detail);
    mc_scenario *s = platoon_scenario(text);
    motion_scenario(t, s);
    mc_scenario_free(s);
}

// ---- wheels, tyres, powertrains ----------------------------------------------------------------

// Uphill onto a slippery stretch: throttle, a bend to either side, brakes to a stop.
#define DRIVEN_ROAD                                                                                \
    "motorcade: scenario\n"                                                                        \
    "time: {end: 12, step: 0.02}\n"                                                                \
    "road: {lanes: 3, grades: [{from: 60, to: 400, grade: 4 %, transition: 30}],"                  \
    " friction: [{from: 150, to: 190, mu: 0.5}]}\n"
#define DRIVEN_EVENTS                                                                              \
    "events:\n"                                                                                    \
    "  - {at: 0.5, vehicle: all, drive: {throttle: 0.7, acceleration: 2}}\n"                       \
    "  - {at: 3, vehicle: all, drive: {throttle: 0.3, steer: 0.02, acceleration: 0.5}}\n"          \
    "  - {at: 4.5, vehicle: all, drive: {steer: -0.02}}\n"                                         \
    "  - {at: 6, vehicle: all, drive: {brake: 0.6, acceleration: -5}}\n"                           \
    "  - {at: 11, vehicle: all, drive: {throttle: 0.4, acceleration: 1}}\n"

#define DRIVEN_CARS                                                                                \
    "vehicles:\n"                                                                                  \
    "  - {name: v1, model: m1, x: 0, lane: 1, v: 15}\n"                                            \
    "  - {name: v2, model: m2, x: 0, lane: 3, v: 15}\n"                                            \
    "  - {name: v3, model: m3, x: 20, lane: 2, v: 18}\n"                                           \
    "  - {name: v4, model: m4, x: 40, lane: 1, v: 20}\n"                                           \
    "  - {name: v5, model: m5, x: 40, lane: 3, v: 20}\n"                                           \
    "  - {name: v6, model: m6, x: 60, lane: 2, v: 22}\n"

static const char cars_text[] = //
    DRIVEN_ROAD                 //
    "models:\n"
    "  m1: point\n"
    "  m2: {kind: point, lag: 0.4}\n"
    "  m3: {kind: powertrain, grip: 0.8, brake_delay: 0.1}\n"
    "  m4: {kind: powertrain, powertrain: {kind: converter, as_printed: 1}}\n"
    "  m5: {kind: powertrain, powertrain: manifold, drag_continuous: 1}\n"
    "  m6: {kind: powertrain, powertrain: gears, mass: 1400}\n" //
    DRIVEN_CARS                                                 //
        DRIVEN_EVENTS;

static const char cosserat_text[] = //
    DRIVEN_ROAD                     //
    "models:\n"
    "  m1: {kind: cosserat, file: medusa/model.dat, tyre: brush}\n"
    "  m2: {like: m1, tyre: linear}\n"
    "  m3: {like: m1, tyre: calspan, number: 2}\n"
    "  m4: {like: m1, tyre: none}\n"
    "  m5: {like: m1, powertrain: manifold}\n"
    "  m6: {like: m1, powertrain: gears}\n" //
    DRIVEN_CARS                             //
        DRIVEN_EVENTS;

static const char multibody_text[] = //
    DRIVEN_ROAD                      //
    "models:\n"
    "  m1: {kind: multibody, mechanism: ../models/hmmwv.yaml, length: 4.6, width: 2.2,"
    " height: 1.8}\n"
    "  m2: {like: m1, tyre: linear}\n"
    "  m3: {like: m1, tyre: calspan}\n"
    "  m4: {like: m1, tyre: none}\n"
    "  m5: {like: m1, powertrain: manifold}\n"
    "  m6: {like: m1, powertrain: gears}\n" //
    DRIVEN_CARS                             //
        DRIVEN_EVENTS;

// The laws of curves over slip: three under each kind of vehicle that has tyres.
static const char curves_text[] = //
    DRIVEN_ROAD                   //
    "models:\n"
    "  m1: {kind: cosserat, file: medusa/model.dat, tyre: fiala}\n"
    "  m2: {like: m1, tyre: tmeasy}\n"
    "  m3: {like: m1, tyre: {kind: pac2002, file: ../models/passenger_245_40R18.tir}}\n"
    "  m4: {kind: multibody, mechanism: ../models/hmmwv.yaml, length: 4.6, width: 2.2,"
    " height: 1.8, tyre: pac89}\n"
    "  m5: {like: m4, tyre: tmeasy}\n"
    "  m6: {like: m4, tyre: {kind: pac2002, file: ../models/hmmwv_37x12.5R16.5.tir}}\n" //
    DRIVEN_CARS                                                                         //
        DRIVEN_EVENTS;

// ---- events ------------------------------------------------------------------------------------

static const char events_text[] =
    "motorcade: scenario\n"
    "seed: 5\n"
    "time: {end: 80, step: 0.05}\n"
    "road: {lanes: 2, headway: 1, distance: 5, speed: 22}\n"
    "models: {town: powertrain, dot: point}\n"
    "controllers:\n"
    "  follow: {law: acc, avoid: true, sensor: {range_noise: 0.1}}\n"
    "  cacc: {law: ploeg, radio: {delay: 0.1, loss: 0.2, timeout: 0.5}, fallback: {law: acc}}\n"
    "platoons:\n"
    "  - leader: {model: town, profile: moderate}\n"
    "    cars:\n"
    "      - {model: town, name: car, count: 3, controller: follow}\n"
    "      - {model: dot, name: plain, count: 2, controller: cacc}\n"
    "vehicles:\n"
    "  - {name: late, model: town, x: -100, lane: 2, v: 20, controller: follow, from: 15}\n"
    "events:\n"
    "  - {at: 4, until: 8, vehicle: car1, brake_lost: 0.3}\n"
    "  - {at: 9, until: 11, vehicle: car2, throttle_stuck: 0.2}\n"
    "  - {at: 12, until: 20, vehicle: car3, sensor_bias: 2, shape: sine 0.2 Hz}\n"
    "  - {at: 14, until: 22, vehicle: car1, sensor_noise: 0.3}\n"
    "  - {at: 16, until: 30, vehicle: plain1, radio_delay: 0.3}\n"
    "  - {at: 18, until: 32, vehicle: plain2, radio_loss: 1}\n"
    "  - {at: 24, vehicle: car2, push: 0.5, shape: sine 0.2 Hz for 10 s}\n"
    "  - {at: 26, vehicle: plain1, push: 0.3, shape: noise for 5 s}\n"
    "  - {at: 34, vehicle: [car1, car2], set: {mass: 2400, k1: 0.8, headway: 1.5}}\n"
    "  - {at: 38, headway: 1.4}\n"
    "  - {at: 40, distance: 8}\n"
    "  - {at: 44, speed: 18}\n"
    "  - {at: 50, vehicle: leader, profile: heavy}\n"
    "  - {at: 54, vehicle: car3, controller: cacc}\n"
    "  - {at: 60, vehicle: car2, drive: {brake: 0.2}}\n"
    "  - {at: 62, vehicle: car2, release: true}\n";

// Pedals and wheel from a table, for a leader of every kind.
static void run_driver(const motion_case *c, motion_trace *t)
{
    (void)c;
    mc_error error;
    char path[96];
    const run_folder folder = run_folder_make();
    run_put(&folder, "driver.csv",
            "t,throttle,brake,steer\n"
            "0,0.2,0,0\n2,0.6,0,0\n4,0.6,0,0.01\n6,0.3,0,-0.01\n7,0,0.4,0\n9,0,0,0\n12,0.5,0,0\n");
    run_copy(&folder, "model.dat", SOURCE_DIR "/scenarios/medusa/model.dat");
    run_copy(&folder, "hmmwv.yaml", SOURCE_DIR "/models/hmmwv.yaml");
    run_put(&folder, "driver.yaml",
            "motorcade: scenario\n"
            "time: {end: 12, step: 0.02}\n"
            "road: {lanes: 3}\n"
            "models:\n"
            "  town: powertrain\n"
            "  soft: {kind: cosserat, file: model.dat, tyre: brush}\n"
            "  bodies: {kind: multibody, mechanism: hmmwv.yaml, length: 4.6, width: 2.2,"
            " height: 1.8}\n"
            "controllers: {follow: {law: acc}}\n"
            "platoons:\n"
            "  - leader: {model: town, driver: driver.csv}\n"
            "    v: 18\n"
            "    cars: [{model: town, count: 2, controller: follow}]\n"
            "vehicles:\n"
            "  - {name: soft, model: soft, x: 0, lane: 2, v: 18, driver: driver.csv}\n"
            "  - {name: bodies, model: bodies, x: 0, lane: 3, v: 18, driver: driver.csv}\n");
    snprintf(path, sizeof path, "%s/driver.yaml", folder.path);
    mc_scenario *s = mc_scenario_load(path, &error);
    if (!s)
        fail_msg("%s:%d: %s", error.file, error.line, error.text);
    motion_scenario(t, s);
    mc_scenario_free(s);
    run_folder_remove(&folder);
}

// ---- the list ----------------------------------------------------------------------------------

static const motion_case written[] = {
    {"driven_cars", run_text, cars_text},
    {"driven_cosserat", run_text, cosserat_text},
    {"driven_multibody", run_text, multibody_text},
    {"driven_curves", run_text, curves_text},
    {"events", run_text, events_text},
    {"driver", run_driver, NULL},
};
enum { WRITTEN = sizeof written / sizeof written[0], LAWS_MAX = 64 };

int main(int argc, char **argv)
{
    static motion_case cases[WRITTEN + LAWS_MAX];
    static char names[LAWS_MAX][64];
    int count = 0;
    mc_law law;
    for (; count < WRITTEN; count++)
        cases[count] = written[count];
    for (int k = 0; k < LAWS_MAX && mc_law_at(k, &law); k++, count++) {
        snprintf(names[k], sizeof names[k], "law_%s", law.name);
        cases[count] = (motion_case){names[k], run_law, law.name};
    }
    return motion_main(argc, argv, "parts", cases, count);
}
