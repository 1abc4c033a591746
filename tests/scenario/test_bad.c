// test_bad.c - scenario files that are wrong: each small edit of a good one, its message.
#include "scenario/scenario.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Line numbers matter.
#define SCENARIO                                                                                   \
    "motorcade: scenario\n"                                                                        \
    "name: test\n"                                                                                 \
    "seed: 3\n"                                                                                    \
    "time: {end: 60 s, step: 0.05, record: 0.1}\n"                                                 \
    "road:\n"                                                                                      \
    "  lanes: 2\n"                                                                                 \
    "  grades:\n"                                                                                  \
    "    - {from: 500, to: 1500, grade: 4 %, transition: 50}\n"                                    \
    "    - {from: 2 km, to: 3 km, grade: -3 deg}\n"                                                \
    "  friction: [{from: 100, to: 200, mu: 0.3}]\n"                                                \
    "  headway: 1 s\n"                                                                             \
    "  distance: 5\n"                                                                              \
    "  speed: 65 mph\n"                                                                            \
    "contact: {restitution: 0.3}\n"                                                                \
    "profiles:\n"                                                                                  \
    "  ramp: {table: [[0, 20], [10, 25]], period: 40}\n"                                           \
    "  waves: {formula: \"20 + 3*sin(0.5*t)\"}\n"                                                  \
    "models:\n"                                                                                    \
    "  town_car: {kind: powertrain, mass: 4055 lb, powertrain: {kind: converter, idle_angle: "     \
    "8}}\n"                                                                                        \
    "  heavy: {like: town_car, mass: 2400}\n"                                                      \
    "  dot: {kind: point, length: 4.5, lag: 0.2}\n"                                                \
    "controllers:\n"                                                                               \
    "  follow:\n"                                                                                  \
    "    law: platoon\n"                                                                           \
    "    k1: 1\n"                                                                                  \
    "    headway: 1.2\n"                                                                           \
    "    fallback: {law: acc}\n"                                                                   \
    "    radio: {delay: 0.1, loss: 10 %}\n"                                                        \
    "    listen: [front, leader, 2]\n"                                                             \
    "    avoid: true\n"                                                                            \
    "  own:\n"                                                                                     \
    "    law:\n"                                                                                   \
    "      parameters: {kp: 0.3, kd: {value: 0.8, unit: 1/s}}\n"                                   \
    "      states: {z: {rate: gap - needed, unit: m*s}}\n"                                         \
    "      variables: {needed: distance + headway*v}\n"                                            \
    "      acceleration: kp*(gap - needed) + kd*(v_front - v) + 0.01*z\n"                          \
    "  pd:\n"                                                                                      \
    "    linear: {inputs: [gap - distance, v_front - v], A: [[-1]], B: [[1, 0]], C: [0.1], D: "    \
    "[0.2, 0.5]}\n"                                                                                \
    "platoons:\n"                                                                                  \
    "  - lane: 1\n"                                                                                \
    "    leader: {model: town_car, profile: ramp}\n"                                               \
    "    cars:\n"                                                                                  \
    "      - {model: heavy, controller: follow, count: 3}\n"                                       \
    "      - {model: dot, controller: own, name: last, spacing: 20}\n"                             \
    "vehicles:\n"                                                                                  \
    "  - {model: dot, x: 300, lane: 2, name: wreck}\n"                                             \
    "  - {model: dot, x: 200, lane: 2, controller: pd, v: 10}\n"                                   \
    "events:\n"                                                                                    \
    "  - {at: 20, until: 30, vehicle: car3, brake_lost: 0}\n"                                      \
    "  - {at: 10, vehicle: [car1, car2], set: {mass: 2000, k1: 2}}\n"                              \
    "  - {at: 5, headway: 2}\n"                                                                    \
    "  - {at: 30, vehicle: last, drive: {brake: 1}}\n"                                             \
    "record: {channels: [n]}\n"                                                                    \
    "stop: collisions > 2\n"                                                                       \
    "expect: [\"collisions == 0\", \"largest.spacing_error < 2 m\"]\n"

typedef struct edit {
    const char *find, *replace; // the first place of find
    const char *message;
} edit;

static const edit edits[] = {
    {"motorcade: scenario\n", "", "s.yaml:1:1: expected \"motorcade: scenario\" as the first key"},
    {"motorcade: scenario", "motorcade: multibody",
     "s.yaml:1:12: found \"multibody\", expected scenario"},
    {SCENARIO, "- a\n- b\n", "s.yaml:1:1: expected \"motorcade: scenario\" as the first key"},
    {SCENARIO, "", "s.yaml:1:1: the file is empty"},
    {"name: test", "nmae: test",
     "s.yaml:2:1: the scenario has no key \"nmae\"; did you mean name?"},
    {"name: test", "name: [a, b]", "s.yaml:2:7: found a list, expected one value"},
    {"seed: 3", "seed: 1.5", "s.yaml:3:7: seed is 1.5; it must be a whole number"},
    {"seed: 3", "seed: -1", "s.yaml:3:7: seed is -1; expected 0 .. 9e+15"},
    {"seed: 3", "seed: many",
     "s.yaml:3:7: found \"many\", expected a number, with a unit if it has one"},
    {"time: {end: 60 s, step: 0.05, record: 0.1}\n", "",
     "s.yaml:1:1: the scenario needs the key time (duration and steps)"},
    {"time: {end: 60 s, step: 0.05, record: 0.1}", "time: 60",
     "s.yaml:4:7: found \"60\", expected time as a map of keys: end, step, record, braking_step"},
    {"end: 60 s, ", "", "s.yaml:4:1: time needs the key end (last instant)"},
    {"end: 60 s", "end: 60 m", "s.yaml:4:13: end has the unit m, expected s"},
    {"end: 60 s", "end: -1", "s.yaml:4:13: end is -1 s; expected 1e-06 .. 1e+07 s"},
    {"end: 60 s", "end: ", "s.yaml:4:8: found nothing, expected a number"},
    {"end: 60 s", "end: 60 sec", "s.yaml:4:16: \"sec\" is not a unit"},
    {"end: 60 s", "end: 0.01", "s.yaml:4:13: end is 0.01 s, expected at least one step, 0.05 s"},
    {"step: 0.05", "stepp: 0.05", "s.yaml:4:19: time has no key \"stepp\"; did you mean step?"},
    {"step: 0.05", "step: 0", "s.yaml:4:25: step is 0 s; expected 1e-05 .. 1 s"},
    {"record: 0.1", "record: 0.12",
     "s.yaml:4:39: record is 0.12 s, not a whole number of steps of 0.05 s; nearest is 0.1 s"},
    {"record: 0.1", "record: 0.01",
     "s.yaml:4:39: record is 0.01 s, not a whole number of steps of 0.05 s; nearest is 0.05 s"},
    {"lanes: 2", "lanes: 0", "s.yaml:6:10: lanes is 0; expected 1 .. 64"},
    {"lanes: 2", "lanes: 2.5", "s.yaml:6:10: lanes is 2.5; it must be a whole number"},
    {"lanes: 2", "lanes: two",
     "s.yaml:6:10: found \"two\", expected a number, with a unit if it has one"},
    {"to: 1500", "to: 400", "s.yaml:8:23: to is 400 m, expected more than from, 500 m"},
    {"to: 1500", "to: 2500",
     "s.yaml:9:7: a grade 2000 .. 3000 m overlaps that of 500 .. 2500 m on line 8"},
    {"transition: 50", "transition: 600",
     "s.yaml:8:53: transition is 600 m; the stretch is 1000 m long, so at most 500 m"},
    {"grade: 4 %", "grade: 4", "s.yaml:8:36: grade is 4 rad; expected -0.8 .. 0.8 rad"},
    {"grade: 4 %, ", "",
     "s.yaml:8:7: a grade needs the key grade (uphill positive: an angle, or rise over run such as "
     "4 %)"},
    {"grade: 4 %", "slope: 4 %",
     "s.yaml:8:29: a grade has no key \"slope\"; expected one of: from, to, grade, transition"},
    {"mu: 0.3", "mu: -0.3", "s.yaml:10:39: mu is -0.3; expected 0.001 .. 2"},
    {"mu: 0.3", "mu: 30 m", "s.yaml:10:39: mu has the unit m, expected a dimensionless number"},
    {"mu: 0.3", "mu: 0.3, mu_right: 3", "s.yaml:10:54: mu_right is 3; expected 0.001 .. 2"},
    {"mu: 0.3", "mu: 0.3, divide: 1",
     "s.yaml:10:52: divide needs mu_right, the friction beyond it"},
    {"mu: 0.3", "mu: 0.3, mu_right: 0.1, seam: 0",
     "s.yaml:10:65: seam is 0 m; expected 0.001 .. 100 m"},
    {"friction: [{from: 100, to: 200, mu: 0.3}]", "friction: 0.3",
     "s.yaml:10:13: found \"0.3\", expected a list of friction, each \"- key: ...\""},
    {"speed: 65 mph", "speed: 65 kg", "s.yaml:13:10: speed has the unit kg, expected m/s"},
    {"speed: 65 mph", "speed: 650 mph",
     "s.yaml:13:10: speed is 290.576 m/s; expected 0 .. 150 m/s"},
    {"restitution: 0.3", "restitution: 1.5", "s.yaml:14:24: restitution is 1.5; expected 0 .. 1"},
    {"restitution: 0.3", "resitution: 0.3",
     "s.yaml:14:11: contact has no key \"resitution\"; did you mean restitution?"},
    {"ramp: {table: [[0, 20], [10, 25]], period: 40}", "ramp: medium",
     "s.yaml:16:9: unknown profile \"medium\"; expected one of: light, moderate, heavy, local, "
     "local_as_printed"},
    {"ramp: {table: [[0, 20], [10, 25]], period: 40}", "ramp: {period: 40}",
     "s.yaml:16:9: a profile has either a table or a formula"},
    {"[10, 25]", "[0, 25]", "s.yaml:16:28: time is 0 s, expected after the previous 0 s"},
    {"[10, 25]", "[10, 25, 3]", "s.yaml:16:27: found a list of 3, expected a list of 2"},
    {"[10, 25]", "[10, -25]", "s.yaml:16:32: speed is -25 m/s; expected 0 .. 150 m/s"},
    {"[10, 25]", "10", "s.yaml:16:27: found \"10\", expected a list of 2"},
    {"period: 40", "period: 4", "s.yaml:16:46: period is 4 s, shorter than the table, 10 s"},
    {"20 + 3*sin(0.5*t)", "20 + 3*sin(0.5*x)", "s.yaml:17:36: unknown name \"x\""},
    {"20 + 3*sin(0.5*t)", "20 + 3*sin(0.5*t",
     "s.yaml:17:37: the formula ends, expected \")\" for the \"(\" in column 31"},
    {"20 + 3*sin(0.5*t)", "20 [m] + 3*t", "s.yaml:17:21: the result has the unit m, expected m/s"},
    {"waves: {", "wa ves: {",
     "s.yaml:17:3: \"wa ves\" is not a valid name: expected a letter, then letters, digits, \"_\" "
     "and \"-\", at most 63 characters"},
    {"kind: powertrain, ", "kind: powertrian, ",
     "s.yaml:19:20: found \"powertrian\", expected one of point, powertrain, bicycle, planar, "
     "cosserat, multibody, fmu"},
    {"mass: 4055 lb", "mass: 4055 ft", "s.yaml:19:38: mass has the unit m, expected kg"},
    {"mass: 4055 lb", "mass: 40 lb",
     "s.yaml:19:38: mass is 18.1436948 kg; expected 100 .. 100000 kg"},
    {"mass: 4055 lb", "mas: 4055 lb",
     "s.yaml:19:32: a model has no key \"mas\"; did you mean mass?"},
    {"kind: converter", "kind: convertor",
     "s.yaml:19:66: unknown powertrain \"convertor\"; did you mean converter?"},
    {"idle_angle: 8", "idle: 8",
     "s.yaml:19:77: a powertrain has no key \"idle\"; did you mean idle_angle?"},
    {"kind: powertrain, ", "kind: bicycle, lateral: exakt, ",
     "s.yaml:19:38: unknown lateral dynamics \"exakt\"; did you mean exact?"},
    {"like: town_car", "like: twn_car",
     "s.yaml:20:17: unknown model \"twn_car\"; did you mean town_car?"},
    {"like: town_car", "like: dot2",
     "s.yaml:20:17: unknown model \"dot2\"; expected one of: town_car"},
    {"lag: 0.2", "drag_0: 20",
     "s.yaml:21:35: a point model has no key drag_0; it is for kind powertrain, bicycle"},
    {"lag: 0.2", "powertrain: converter",
     "s.yaml:21:35: a point model has no key powertrain; it is for kind powertrain, bicycle, "
     "planar, cosserat, multibody"},
    {"lag: 0.2", "file: model.dat",
     "s.yaml:21:35: a point model has no key file; it is for kind cosserat"},
    {"dot: {kind: point, length: 4.5, lag: 0.2}", "dot: {kind: cosserat}",
     "s.yaml:21:3: a cosserat model needs the key file, a model file such as model.dat"},
    {"dot: {kind: point, length: 4.5, lag: 0.2}", "dot: {kind: multibody}",
     "s.yaml:21:3: a multibody model needs the key mechanism, the file of a mechanism"},
    {"dot: {kind: point, length: 4.5, lag: 0.2}", "dot: {kind: multibody, mechanism: nowhere.yaml}",
     "s.yaml:21:37: cannot read the file nowhere.yaml"},
    {"dot: {kind: point", "2dot: {kind: point",
     "s.yaml:21:3: \"2dot\" is not a valid name: expected a letter, then letters, digits, \"_\" "
     "and \"-\", at most 63 characters"},
    {"  heavy:", "  town_car:",
     "s.yaml:20:3: key \"town_car\" is already in this map, at line 19, column 3"},
    {"law: platoon", "law: plattoon",
     "s.yaml:24:10: unknown law \"plattoon\"; did you mean platoon?"},
    {"    law: platoon\n", "",
     "s.yaml:23:3: a controller needs the key law (a law by name, or your own; its parameters are "
     "keys next to it) or linear"},
    {"    k1: 1\n", "    k7: 1\n", "s.yaml:25:5: a controller has no key \"k7\"; did you mean k1?"},
    {"    k1: 1\n", "    k1: 1 m\n", "s.yaml:25:9: k1 has the unit m, expected 1/s^3"},
    {"fallback: {law: acc}", "fallback: {law: ack}",
     "s.yaml:27:21: unknown law \"ack\"; did you mean acc?"},
    {"fallback: {law: acc}", "fallback: {k1: 3}",
     "s.yaml:27:5: a fallback needs the key law (a law by name, or your own; its parameters are "
     "keys next to it)"},
    {"loss: 10 %", "loss: 110 %", "s.yaml:28:31: loss is 1.1; expected 0 .. 1"},
    {"loss: 10 %", "los: 10 %", "s.yaml:28:25: a radio has no key \"los\"; did you mean loss?"},
    {"delay: 0.1", "delay: 0.1 m", "s.yaml:28:20: delay has the unit m, expected s"},
    {"listen: [front, leader, 2]", "listen: [front, leader, 0]",
     "s.yaml:29:29: found \"0\", expected front, behind, leader, or the number of places ahead "
     "(negative: behind; -1000 .. 1000, not 0)"},
    {"listen: [front, leader, 2]", "listen: [front, 1]", "s.yaml:29:21: \"1\" is listed twice"},
    {"listen: [front, leader, 2]", "listen: [frnt]",
     "s.yaml:29:14: found \"frnt\", expected front, behind, leader, or the number of places ahead "
     "(negative: behind; -1000 .. 1000, not 0)"},
    {"avoid: true", "avoid: maybe",
     "s.yaml:30:12: found \"maybe\", expected one of true, false, yes, no"},
    {"headway: 1.2", "headway: 0.8",
     "s.yaml:23:3: follow has a headway of 0.8 s, less than the 1 s commanded by the roadway; "
     "expected at least the commanded value"},
    {"headway: 1.2", "distance: 4",
     "s.yaml:23:3: follow has a distance of 4 m, less than the 5 m commanded by the roadway; "
     "expected at least the commanded value"},
    {"parameters: {kp: 0.3,", "parameters: {headway: 0.3,",
     "s.yaml:33:20: a parameter cannot be called headway: that is a key of every controller"},
    {"parameters: {kp: 0.3,", "parameters: {kp: {value: 0.3, max: 0.2},",
     "s.yaml:33:32: kp is 0.3, above its max 0.2"},
    {"unit: 1/s}", "unit: 1/sec}",
     "s.yaml:33:52: \"1/sec\" is not a unit (N, kN/m, N*m*s, deg, km/h, - ...)"},
    {"rate: gap - needed", "rat: gap - needed",
     "s.yaml:34:20: a state has no key \"rat\"; did you mean rate?"},
    {"rate: gap - needed", "rate: gap - needd",
     "s.yaml:34:32: unknown name \"needd\"; did you mean \"needed\"?"},
    {"distance + headway*v", "distance + headway", "s.yaml:35:36: cannot add m and s"},
    {"      acceleration: kp*(gap - needed) + kd*(v_front - v) + 0.01*z\n", "",
     "s.yaml:32:5: a law needs the key acceleration (desired acceleration, m/s^2)"},
    {"kp*(gap - needed) + kd", "kp*(gap - needed) + * kd",
     "s.yaml:36:41: found \"*\", expected a number, a name or \"(\""},
    {"    law:\n      parameters", "    law: platoon\n    linear:\n      parameters",
     "s.yaml:33:5: a controller has the key law or linear, not both"},
    {"A: [[-1]]", "A: [[-1, 0]]", "s.yaml:38:57: row 1 of A has 2 numbers, expected 1"},
    {"B: [[1, 0]], ", "", "s.yaml:38:5: a linear controller needs the key B (states by inputs)"},
    {"C: [0.1]", "C: [0.1, 3]", "s.yaml:38:80: row 1 of C has 2 numbers, expected 1"},
    {"D: [0.2, 0.5]", "D: [0.2, x]",
     "s.yaml:38:96: found \"x\", expected a number, with a unit if it has one"},
    {"inputs: [gap - distance, v_front - v]", "inputs: [gap - distanc, v_front - v]",
     "s.yaml:38:22: unknown name \"distanc\"; did you mean \"distance\"?"},
    {"inputs: [gap - distance, v_front - v]", "inputs: gap",
     "s.yaml:38:22: found \"gap\", expected a list of 1 to 16"},
    {"  - lane: 1\n", "  - lane: 3\n", "s.yaml:40:11: lane is 3; the road has 2 lanes"},
    {"  - lane: 1\n", "  - lane: 0\n", "s.yaml:40:11: lane is 0; expected 1 .. 64"},
    {"    leader: {model: town_car, profile: ramp}\n", "",
     "s.yaml:40:5: a platoon needs the key leader (the first car)"},
    {"model: town_car, profile", "modl: town_car, profile",
     "s.yaml:41:14: a leader has no key \"modl\"; did you mean model?"},
    {"model: town_car, profile", "model: towncar, profile",
     "s.yaml:41:21: unknown model \"towncar\"; did you mean town_car?"},
    {"profile: ramp}", "profile: rampp}",
     "s.yaml:41:40: unknown profile \"rampp\"; did you mean ramp?"},
    {"profile: ramp}", "profile: -20}", "s.yaml:41:40: speed is -20 m/s; expected 0 .. 150 m/s"},
    {"kind: converter, idle_angle: 8", "kind: gears, peak_power_rpm: 2500",
     "s.yaml:19:59: peak_power_rpm is 2500 rpm, expected above peak_torque_rpm, 3000 rpm"},
    {"kind: converter, idle_angle: 8", "kind: gears, gear_3: 1.5",
     "s.yaml:19:59: gear_3 is 1.5, expected below gear_2, 1.47"},
    {"kind: converter, idle_angle: 8", "kind: gears, gear_6: 0.5",
     "s.yaml:19:59: there is gear_6 but no gear_5"},
    {"lag: 0.2", "car: Ford",
     "s.yaml:21:35: car needs the key car_file, the file that contains it"},
    {"lag: 0.2", "car_file: nowhere.models", "s.yaml:21:45: cannot read the file nowhere.models"},
    {"lag: 0.2", "car_file: " SOURCE_DIR "/scenarios/dynavis/cars.models,\n    car: Ford Escort 4",
     "s.yaml:22:10: unknown car \"Ford Escort 4\"; did you mean Ford Escort 4 (S)?"},
    {"profile: ramp}", "profile: {formula: 0 - 5}}",
     "s.yaml:41:40: the profile starts at -5 m/s; expected 0 .. 150 m/s"},
    {", profile: ramp}", "}",
     "s.yaml:41:5: a leader needs one of the keys profile, controller, driver"},
    {"profile: ramp}", "profile: ramp, driver: inputs.csv}",
     "s.yaml:41:46: a vehicle has a driver or follows a profile, not both; use an event to hand "
     "over"},
    {"profile: ramp}", "driver: no_such_file.csv}",
     "s.yaml:41:39: cannot read the file no_such_file.csv"},
    {"controller: follow, count", "controller: folow, count",
     "s.yaml:43:36: unknown controller \"folow\"; did you mean follow?"},
    {"controller: follow, count", "count",
     "s.yaml:43:9: a car of a platoon needs one of the keys controller, driver"},
    {"count: 3", "count: 0", "s.yaml:43:51: count is 0; expected 1 .. 100000"},
    {"count: 3", "count: 1000000", "s.yaml:43:51: count is 1000000; expected 1 .. 100000"},
    {"count: 3", "name: last",
     "s.yaml:44:9: two vehicles are called last; the other is on line 43"},
    {"spacing: 20", "spacing: -2", "s.yaml:44:60: spacing is -2 m; expected 0.01 .. 100000 m"},
    {"spacing: 20", "y: left",
     "s.yaml:44:54: found \"left\", expected a number, with a unit if it has "
     "one"},
    {"spacing: 20", "y: -2e9", "s.yaml:44:54: y is -2e+09 m; expected -1e+07 .. 1e+07 m"},
    {"spacing: 20", "heading: 7", "s.yaml:44:60: heading is 7 rad; expected -6.3 .. 6.3 rad"},
    {"count: 3}", "count: 3, x: 20}",
     "s.yaml:43:57: x is only for a single car; several cars of a platoon are placed by the key "
     "spacing"},
    {"profile: ramp}", "profile: ramp, lane: 2}",
     "s.yaml:41:46: a leader has no key \"lane\"; expected one of: model, name, profile, "
     "controller, driver, headway, distance, y, heading, from, estimator, image_of, user1, user2, "
     "user3, user4, user5, user6, user7, user8"},
    {"spacing: 20", "spacing: 0", "s.yaml:44:60: spacing is 0 m; expected 0.01 .. 100000 m"},
    {"spacing: 20", "headway: 0.5",
     "s.yaml:44:9: last has a headway of 0.5 s, less than the 1 s commanded by the roadway; "
     "expected at least the commanded value"},
    {"x: 200, lane: 2", "x: 298, lane: 2",
     "s.yaml:47:5: car4 and wreck overlap at the start: the gap is -2.5 m (mass centres at x = 298 "
     "and 300 m, lengths 4.5 and 4.5 m)"},
    {"x: 200, lane: 2", "x: -30, lane: 1",
     "s.yaml:43:9: car1 and car4 overlap at the start: the gap is -0.4687 m (mass centres at x = "
     "-34.5626 and -30 m, lengths 5.563 and 4.5 m)"},
    {"x: 200, lane: 2", "lane: 2",
     "s.yaml:47:5: a vehicle needs the key x (of the mass centre; of the first with count)"},
    {"x: 200, lane: 2", "x: far, lane: 2",
     "s.yaml:47:21: found \"far\", expected a number, with a unit if it has one"},
    {"name: wreck", "name: car1",
     "s.yaml:46:5: two vehicles are called car1; the other is on line 43"},
    {"name: wreck", "name: a.b",
     "s.yaml:46:41: \"a.b\" is not a valid name: dots separate a vehicle from its channels"},
    {"name: wreck", "heading: 700 deg",
     "s.yaml:46:44: heading is 12.2173048 rad; expected -6.3 .. 6.3 rad"},
    {"brake_lost: 0", "brake_lost: 2", "s.yaml:49:52: brake_lost is 2; expected 0 .. 1"},
    {"brake_lost: 0", "break_lost: 0",
     "s.yaml:49:40: an event has no key \"break_lost\"; did you mean brake_lost?"},
    {"brake_lost: 0", "brake_lost: 0, radio_loss: 1",
     "s.yaml:49:55: an event has one action, found brake_lost and radio_loss; write two events"},
    {", brake_lost: 0", "",
     "s.yaml:49:5: an event needs one of the keys brake_lost, throttle_stuck, sensor_bias, "
     "sensor_noise, radio_delay, radio_loss, push, force, set, headway, distance, speed, "
     "profile, controller, estimator, drive, release, leads_as, lane, exit, driver_lane, section, "
     "ersc, check_in, check_out, join, leave, split, merge, accelerate"},
    {"brake_lost: 0", "push: 30", "s.yaml:49:46: push is 30 m/s^2; expected -20 .. 20 m/s^2"},
    {"brake_lost: 0", "push: 1, shape: square",
     "s.yaml:49:56: shape is \"square\"; expected step, sine F Hz (up to 100) or noise, optionally "
     "followed by for T s"},
    {"brake_lost: 0", "push: 1, shape: sine 0 Hz",
     "s.yaml:49:56: shape is \"sine 0 Hz\"; expected step, sine F Hz (up to 100) or noise, "
     "optionally followed by for T s"},
    {"brake_lost: 0", "brake_lost: 0, shape: noise",
     "s.yaml:49:55: brake_lost has no shape; only force, push and sensor_bias have one"},
    {"vehicle: car3, ", "",
     "s.yaml:49:5: the event brake_lost needs the key vehicle (a vehicle, a list of them, or all)"},
    {"vehicle: car3", "vehicle: car33",
     "s.yaml:49:34: unknown vehicle \"car33\"; did you mean car3?"},
    {"vehicle: car3", "vehicle: cr3", "s.yaml:49:34: unknown vehicle \"cr3\"; did you mean car3?"},
    {"until: 30", "until: 10", "s.yaml:49:21: until is 10 s, expected after at, 20 s"},
    {"at: 20, ", "", "s.yaml:49:5: an event needs the key at (when it happens)"},
    {"at: 20", "at: 20 m", "s.yaml:49:10: at has the unit m, expected s"},
    {"{mass: 2000, k1: 2}", "{mas: 2000, k1: 2}",
     "s.yaml:50:43: unknown parameter of car1 \"mas\"; did you mean mass?"},
    {"{mass: 2000, k1: 2}", "{mass: 2, k1: 2}",
     "s.yaml:50:49: mass is 2 kg; expected 100 .. 100000 kg"},
    {"{mass: 2000, k1: 2}", "{mass: 2000, kp: 2}",
     "s.yaml:50:55: unknown parameter of car1 \"kp\"; did you mean k1?"},
    {"set: {mass: 2000, k1: 2}", "set: mass",
     "s.yaml:50:42: found \"mass\", expected a map such as {mass: 2400}"},
    {"{at: 5, headway: 2}", "{at: 5, headway: 2, vehicle: car1}",
     "s.yaml:51:25: headway is a roadway command to all vehicles; for one vehicle use set: "
     "{headway: ...}"},
    {"{at: 5, headway: 2}", "{at: 5, profile: rump, vehicle: car1}",
     "s.yaml:51:22: unknown profile \"rump\"; did you mean ramp?"},
    {"{at: 5, headway: 2}", "{at: 5, controller: owm, vehicle: car1}",
     "s.yaml:51:25: unknown controller \"owm\"; did you mean own?"},
    {"{brake: 1}", "{break: 1}",
     "s.yaml:52:37: drive has no key \"break\"; expected one of: throttle, brake, steer, "
     "acceleration"},
    {"{brake: 1}", "{brake: 3}", "s.yaml:52:44: brake is 3; expected 0 .. 1"},
    {"channels: [n]", "channels: [n, n]", "s.yaml:53:24: channel n is listed twice"},
    {"channels: [n]", "chanels: [n]",
     "s.yaml:53:10: record has no key \"chanels\"; did you mean channels?"},
    {"stop: collisions > 2", "stop: collisions >",
     "s.yaml:54:19: the formula ends, expected a number, a name or \"(\""},
    {"stop: collisions > 2", "stop: {collisions: 2}",
     "s.yaml:54:7: found a map, expected a list of conditions, such as collisions == 0"},
    {"collisions == 0", "collisions = 0", "s.yaml:55:22: found \"=\": write == to compare"},
    {"collisions == 0", "collisions == 0 +",
     "s.yaml:55:28: the formula ends, expected a number, a name or \"(\""},
    {"set: {mass: 2000, k1: 2}}\n  - {at: 5, headway: 2}",
     "set: {headway: 0.5}}\n  - {at: 5, speed: 20}",
     "s.yaml:50:52: headway is 0.5 s, less than the 1 s commanded by the roadway; expected at "
     "least the commanded value"},
    {"lag: 0.2", "grip: 0.9",
     "s.yaml:21:35: a point model has no key grip; it is for kind powertrain, bicycle"},
    {"dot: {kind: point, length: 4.5, lag: 0.2}", "dot: {lag: 0.2}",
     "s.yaml:21:9: a powertrain model has no key lag; it is for kind point"},
    {"length: 4.5", "length: 0.1", "s.yaml:21:30: length is 0.1 m; expected 0.5 .. 30 m"},
    {"lag: 0.2", "max_acceleration: 30 m",
     "s.yaml:21:53: max_acceleration has the unit m, expected m/s^2"},
    {"  pd:\n    linear:", "  pd: {law: acc, like: absent}\n  pe:\n    linear:",
     "s.yaml:37:24: unknown controller \"absent\"; expected one of: follow, own"},
    {"  pd:\n", "  pd: acc\n  pd:\n",
     "s.yaml:38:3: key \"pd\" is already in this map, at line 37, column 3"},
    {"avoid: true", "inner: {max_jrk: 2}",
     "s.yaml:30:13: inner has no key \"max_jrk\"; did you mean max_jerk?"},
    {"avoid: true", "sensor: {reach: 0}", "s.yaml:30:21: reach is 0 m; expected 1 .. 1e+06 m"},
    {"spacing: 20", "user9: 1",
     "s.yaml:44:51: a car of a platoon has no key \"user9\"; did you mean user1?"},
    {"spacing: 20", "user1: a",
     "s.yaml:44:58: found \"a\", expected a number, with a unit if it has one"},
    {"record: {channels: [n]}", "record: [n]",
     "s.yaml:53:9: found a list, expected record as a map of keys: channels"},
    {"brake_lost: 0", "throttle_stuck: -1", "s.yaml:49:56: throttle_stuck is -1; expected 0 .. 1"},
    {"brake_lost: 0", "release: no", "s.yaml:49:49: release must be true or omitted"},
    {"brake_lost: 0", "radio_loss: ", "s.yaml:49:40: found nothing, expected a number"},
    {"at: 20, until: 30, vehicle: car3", "at: 20, until: 30, vehicle: {a: 1}",
     "s.yaml:49:34: found a map, expected one value"},
    {"    listen: [front, leader, 2]\n", "    listen: [1, 2, 3, 4, 5, 6, 7, 8, 9]\n",
     "s.yaml:29:38: a controller listens to at most 8 cars and the leader"},
};

static char *edited(const edit *e)
{
    const char *at = strstr(SCENARIO, e->find);
    assert_non_null(at);
    const size_t size = strlen(SCENARIO) + strlen(e->replace) + 1;
    char *text = malloc(size);
    assert_non_null(text);
    snprintf(text, size, "%.*s%s%s", (int)(at - SCENARIO), SCENARIO, e->replace,
             at + strlen(e->find));
    return text;
}

static void test_the_scenario_is_good(void **state)
{
    (void)state;
    mc_error error = {0};
    scenario *s = scenario_parse(SCENARIO, strlen(SCENARIO), "s.yaml", &error);
    assert_string_equal(error.text, "");
    assert_non_null(s);
    assert_int_equal(s->vehicle_count, 7);
    assert_int_equal(s->warning_count, 3); // the friction of its road is nothing to three models
    scenario_free(s);
}

static void test_every_mistake_has_its_message(void **state)
{
    (void)state;
    char got[1024];
    int failed = 0;
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        char *text = edited(&edits[i]);
        mc_error error = {0};
        scenario *s = scenario_parse(text, strlen(text), "s.yaml", &error);
        mc_error_format(&error, got, sizeof got);
        if (s || error.code != MC_BAD_INPUT || strcmp(got, edits[i].message) != 0) {
            print_error("edit %zu, \"%s\" to \"%s\":\n  expected %s\n  found    %s\n", i,
                        edits[i].find, edits[i].replace, edits[i].message,
                        s ? "nothing wrong" : got);
            failed++;
        }
        scenario_free(s);
        free(text);
    }
    assert_int_equal(failed, 0);
}

static void test_the_line_is_quoted(void **state)
{
    (void)state;
    static const edit e = {"lanes: 2", "lanes: 0", ""};
    mc_error error = {0};
    char *text = edited(&e);
    assert_null(scenario_parse(text, strlen(text), "s.yaml", &error));
    assert_string_equal(error.excerpt, "  lanes: 0");
    assert_int_equal(error.caret, 10);
    free(text);
}

// Without a file there is no folder in which others could be looked for.
static void test_text_alone_names_no_files(void **state)
{
    (void)state;
    static const edit e = {"profile: ramp}", "driver: /dev/null}", ""};
    mc_error error = {0};
    char *text = edited(&e);
    assert_null(scenario_parse(text, strlen(text), NULL, &error));
    assert_string_equal(error.text, "a scenario that is not in a file cannot name other files");
    free(text);
}

// Any cut of a good file is read or rejected with a place, never a crash.
static void test_every_cut_is_answered(void **state)
{
    (void)state;
    int good = 0;
    for (size_t length = 0; length < strlen(SCENARIO); length++) {
        mc_error error = {0};
        scenario *s = scenario_parse(SCENARIO, length, "s.yaml", &error);
        good += s != NULL;
        assert_true(s || (error.code == MC_BAD_INPUT && error.line > 0 && error.text[0]));
        scenario_free(s);
    }
    assert_true(good > 0); // what is behind the vehicles may be left out
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_scenario_is_good),
        cmocka_unit_test(test_every_mistake_has_its_message),
        cmocka_unit_test(test_the_line_is_quoted),
        cmocka_unit_test(test_text_alone_names_no_files),
        cmocka_unit_test(test_every_cut_is_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
