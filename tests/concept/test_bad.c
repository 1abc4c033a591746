// test_bad.c - concept files that are wrong: each small edit of a good one, and its message.
#include "motorcade/concept.h"
#include "motorcade/multibody.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Line numbers matter.
static const char good[] =
    "motorcade: concept\n"                         // 1
    "name: cart\n"                                 // 2
    "materials: {alloy: {density: 2800 kg/m^3}}\n" // 3
    "assemblies:\n"                                // 4
    "  frame:\n"                                   // 5
    "    material: steel\n"                        // 6
    "    beams:\n"                                 // 7
    "      rail: {polyline: [[1, 0.4, 0.5], [-2, 0.4, 0.5]], section: {kind: box, width: 0.06, "
    "height: 0.1, thickness: 0.004}, mirror: true}\n" // 8
    "      hoop: {arc: [[0, -0.4, 0.5], [0, 0, 1.1], [0, 0.4, 0.5]], section: {kind: tube, radius: "
    "0.02, thickness: 0.002}, material: alloy}\n" // 9
    "    panels:\n"                               // 10
    "      floor: {polygon: [[1, -0.4, 0.5], [1, 0.4, 0.5], [-2, 0.4, 0.5], [-2, -0.4, 0.5]], "
    "thickness: 2 mm}\n"                                                                      // 11
    "    components:\n"                                                                       // 12
    "      engine: {box: [0.5, 0.4, 0.4], at: [0.5, 0, 0.7], mass: 100 kg}\n"                 // 13
    "      lid: {box: [0.5, 0.5, 0.02], at: [-1, 0, 0.8], mass: 5, role: structural}\n"       // 14
    "      driver: {occupant: 80, at: [-0.6, 0, 0.7]}\n"                                      // 15
    "      fuel: {tank: {size: [0.4, 0.4, 0.3], level: 0.5, empty: 5}, at: [-1.6, 0, 0.7]}\n" // 16
    "      ballast: {cylinder: {radius: 0.1, length: 0.3}, at: [-1.8, 0, 0.6], mass: 20}\n"   // 17
    "      block: {mesh: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], triangles: [[0, "
    "2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}, mass: 3}\n" // 18
    "    connections:\n"                                   // 19
    "      welds: {joint: rigid, parts: [floor, rail_l, rail_r, hoop, engine, driver, fuel, "
    "ballast, "
    "block]}\n" // 20
    "      lid_hinge: {joint: closure, from: floor, to: lid, at: [-0.75, 0, 0.8], axis: y, state: "
    "shut}\n"                                                                       // 21
    "  seat:\n"                                                                     // 22
    "    components:\n"                                                             // 23
    "      pan: {box: [0.5, 0.5, 0.1], at: [-0.6, 0, 0.6], mass: 12}\n"             // 24
    "connections:\n"                                                                // 25
    "  guide: {joint: prism, from: frame, to: seat, at: [-0.6, 0, 0.6], axis: z}\n" // 26
    "  mount: {joint: spring, from: frame, at: [-0.6, 0, 0.5], to: seat, to_at: [-0.6, 0, 0.6], "
    "stiffness: 40 kN/m, preload: 118}\n" // 27
    "axles:\n"                            // 28
    "  front:\n"                          // 29
    "    template: trailing_arm\n"        // 30
    "    chassis: frame\n"                // 31
    "    hardpoints: {wheel: [0.8, 0.6, 0.3], pivot: [1.2, 0.45, 0.35], spring_top: [0.8, 0.45, "
    "0.7], spring_bottom: [0.8, 0.45, 0.33]}\n"                                      // 32
    "    parts: {arm: {mass: 6}}\n"                                                  // 33
    "    spring: {stiffness: 20 kN/m, preload: 800}\n"                               // 34
    "    damper: {damping: 1000}\n"                                                  // 35
    "    wheel: {radius: 0.3, width: 0.15, mass: 12, tyre: {stiffness: 150 kN/m}}\n" // 36
    "  rear:\n"                                                                      // 37
    "    template: trailing_arm\n"                                                   // 38
    "    chassis: frame\n"                                                           // 39
    "    hardpoints: {wheel: [-1.6, 0.6, 0.3], pivot: [-1.2, 0.45, 0.35], spring_top: [-1.6, 0.45, "
    "0.7], spring_bottom: [-1.6, 0.45, 0.33]}\n"                                      // 40
    "    parts: {arm: {mass: 6}}\n"                                                   // 41
    "    spring: {stiffness: 20 kN/m, preload: 800}\n"                                // 42
    "    wheel: {radius: 0.3, width: 0.15, mass: 12, tyre: {stiffness: 150 kN/m}}\n"; // 43

static const struct {
    const char *from, *to;
    int line, column;
    const char *text;
} cases[] = {
    // keys, words, units, ranges
    {"motorcade: concept", "motorcade: concpt", 1, 12, "found \"concpt\", expected concept"},
    {"name: cart", "nam: cart", 2, 1, "the concept has no key \"nam\"; did you mean name?"},
    {"name: cart", "name: 3cart", 2, 7,
     "\"3cart\" cannot be a name: expected up to 39 letters, digits and _, a letter first"},
    {"density: 2800 kg/m^3", "density: 2800 kg/m", 3, 30,
     "the result has the unit kg/m, expected kg/m^3"},
    {"density: 2800 kg/m^3", "density: 0", 3, 30, "density is 0, expected 1 to 30000 kg/m^3"},
    {"  frame:\n", "  ground:\n", 5, 3, "\"ground\" cannot be a name: it has a meaning of its own"},
    {"material: steel", "material: steal", 6, 15,
     "unknown material \"steal\"; did you mean steel?"},
    {"    material: steel\n", "", 7, 7,
     "rail has no mass: give it material or mass, or the assembly a material"},
    {"polyline: [[1, 0.4, 0.5], [-2, 0.4, 0.5]]", "polyline: [[1, 0.4, 0.5]]", 8, 24,
     "found a list of 1, expected a list of 2 to 1000"},
    {"polyline: [[1, 0.4, 0.5], [-2, 0.4, 0.5]]", "polyline: [[1, 0.4, 0.5], [1, 0.4, 0.5]]", 8, 24,
     "two points of the curve in a row are the same; the curve stands still there"},
    {"polyline: [[1, 0.4, 0.5], [-2, 0.4, 0.5]]", "polyline: [[1, 0.4, 0.5], [-2, -0.4, 0.5]]", 8,
     7, "rail is mirrored but reaches y = -0.429 m: give the left one, y above 0"},
    {"polyline: [[1, 0.4, 0.5], [-2, 0.4, 0.5]]",
     "spline: [[1, 0.4, 0.5], [0, 0.4, 0.5], [-2, 0.4, 0.5]]", 8, 22,
     "found a list of 3, expected a list of 4 to 1000"},
    {"polyline: [[1, 0.4, 0.5], [-2, 0.4, 0.5]], ", "", 8, 7,
     "a curve is missing: expected polyline, arc or spline"},
    {"kind: box, width: 0.06", "kind: boks, width: 0.06", 8, 73,
     "found \"boks\", expected one of solid, round, tube, box, channel, i, given"},
    {"kind: box, width: 0.06, ", "kind: box, ", 8, 73, "a box section needs the key width"},
    {"height: 0.1, thickness: 0.004", "height: 0.1, thickness: 0.04", 8, 115,
     "the wall is 0.04 m thick: more than the box section has room for"},
    {"height: 0.1, thickness: 0.004", "height: 0.1, radius: 0.1, thickness: 0.004", 8, 104,
     "a box section has no radius"},
    {"[0, 0, 1.1]", "[0, 0, 0.5]", 9, 19,
     "the three points of an arc are in line; expected start, a point between, end"},
    {"    components:\n      engine:", "    mirror: true\n    components:\n      engine:", 8, 123,
     "rail is mirrored twice: its assembly is mirrored already"},
    {"material: alloy}", "material: alloy, up: y}", 9, 141,
     "the curve runs along up somewhere, and the section has no height direction there; choose "
     "another up"},
    {"thickness: 2 mm", "thickness: 2 kg", 11, 101, "the result has the unit kg, expected m"},
    {"[-2, 0.4, 0.5], [-2, -0.4, 0.5]], thickness", "[-2, 0.4, 0.9], [-2, -0.4, 0.5]], thickness",
     11, 24, "the corners are up to 0.194 m out of their plane"},
    {"polygon: [[1, -0.4, 0.5], [1, 0.4, 0.5], [-2, 0.4, 0.5], [-2, -0.4, 0.5]]",
     "patch: [[1, -0.4, 0.5], [1, 0.4, 0.5]]", 11, 22, "found a list of 2, expected a list of 16"},
    {"box: [0.5, 0.4, 0.4]", "box: [0.5, 0, 0.4]", 13, 21,
     "a length is 0 m; the volume would be 0"},
    {"box: [0.5, 0.4, 0.4]", "box: [0.5, 0.4]", 13, 21, "found a list of 2, expected a list of 3"},
    {"mass: 100 kg", "mass: 100 kg, material: steel", 13, 71,
     "a part has mass or material; here are both"},
    {"mass: 100 kg", "mass: 0", 13, 63, "the mass is 0 kg, expected above 0"},
    {"mass: 100 kg", "mass: 100 kg, build_out: {mass: -200}", 13, 82,
     "build_out leaves the mass -100 kg; expected above 0"},
    {"mass: 100 kg", "mass: 100 kg, inertia: [1, 2, 9]", 13, 80,
     "no body has the inertia 1, 2, 9 kg m^2: each must be above 0 and none above the sum of the "
     "others"},
    {"mass: 100 kg", "mass: 100 kg, ellipsoid: [1, 1, 1]", 13, 71,
     "a component has one shape; here are box and ellipsoid"},
    {"role: structural", "role: strctural", 14, 69,
     "found \"strctural\", expected one of structural, inertia_only, ignored"},
    {"role: structural", "role: ignored", 21, 52, "lid is ignored and cannot be connected"},
    {"occupant: 80", "occupant: 800", 15, 26, "occupant is 800, expected 1 to 300 kg"},
    {"level: 0.5", "level: 50", 16, 51, "level is 50, expected 0 to 1"},
    {"level: 0.5, empty: 5", "level: 0", 16, 14,
     "an empty tank without a mass; give it the key empty"},
    {"radius: 0.1, length: 0.3", "radius: 0.1, inner: 0.1, length: 0.3", 17, 48,
     "the bore, 0.1 m, is not smaller than the radius, 0.1 m; the volume would be 0"},
    {"[1, 2, 3]]}", "[1, 3, 2]]}", 18, 89,
     "the triangles are not closed: the edge from vertex 2 to 1 occurs 2 times and back 0 times; "
     "expected once each"},
    {"[1, 2, 3]]}", "[1, 2, 4]]}", 18, 130, "there is no vertex 4; they are 0 to 3"},
    {"fuel, ballast, block]", "fuel, block]", 17, 7,
     "frame.ballast is not connected to anything that leads to frame.rail_l; add a connection"},
    {"fuel, ballast, block]", "fuel, ballst, block]", 20, 88,
     "unknown part or assembly \"ballst\"; did you mean ballast?"},
    {"rail_l, rail_r", "rail, rail_r", 20, 44,
     "rail is mirrored: name rail_l or rail_r, or mirror this too"},
    {"from: floor, to: lid", "from: floor, to: floor", 21, 52, "floor is connected to itself"},
    {"state: shut", "state: ajar", 21, 94, "found \"ajar\", expected one of shut, open"},
    {"guide: {joint: prism", "guide: {joint: prismatic", 26, 18,
     "found \"prismatic\", expected one of rigid, closure, spring, damper, limit, bushing, motor, "
     "hinge, prism, ball, general, cylinder, universal, constant_velocity, distance, "
     "point_on_line, point_in_plane"},
    {"axis: z}", "axis: z, to_at: [0, 0, 0]}", 26, 77, "a prism connection has no key to_at"},
    {"at: [-0.6, 0, 0.6], axis: z}", "at: [-0.6, 0, 0.6]}", 26, 3,
     "a prism connection needs the key axis (x, -y, ... or three numbers)"},
    {"axis: z}", "axis: [0, 0, 0]}", 26, 74, "the axis is zero, it must have a direction"},
    {"  guide: {joint: prism, from: frame", "  guide: {joint: prism, from: wheel", 26, 31,
     "unknown part or assembly \"wheel\"; did you mean wheel_fl?"},
    {"  guide: {joint: prism, from: frame, to: seat",
     "  guide: {joint: hinge, from: frame.floor, to: frame.rail_l", 26, 3,
     "guide connects two parts of one body, chassis: rigid connections unite them"},
    {"to_at: [-0.6, 0, 0.6]", "to_at: [-0.6, 0, 0.5]", 27, 3,
     "both ends of mount are at the same place: it has no direction"},
    {"stiffness: 40 kN/m, preload: 118", "stiffness: 40 kN, preload: 118", 27, 103,
     "the result has the unit kg m/s^2 (N), expected kg/s^2 (N/m)"},
    {"stiffness: 40 kN/m, preload: 118", "stiffness: 40 kN/m, preload: 118, length: 0.3", 27, 112,
     "a spring has length or preload; here are both"},
    {"stiffness: 40 kN/m, preload: 118", "min: 0.1", 27, 3,
     "the spring mount has neither stiffness nor curve nor damping"},
    {"template: trailing_arm", "template: trailing", 30, 15,
     "found \"trailing\", expected one of double_wishbone, macpherson, swing_arm, trailing_arm, "
     "dependent_swing_arm, live_axle_leaf, live_axle_links, live_axle_longitudinal, "
     "walking_tandem, generalized_independent, generalized_dependent"},
    {"chassis: frame", "chassis: fram", 31, 14,
     "unknown part or assembly \"fram\"; did you mean frame?"},
    {"pivot: [1.2, 0.45, 0.35], ", "", 29, 3,
     "trailing_arm needs the hardpoint pivot (arm on the chassis)"},
    {"pivot: [1.2, 0.45, 0.35], ", "pivit: [1.2, 0.45, 0.35], ", 32, 42,
     "unknown hardpoint of trailing_arm \"pivit\"; did you mean pivot?"},
    {"wheel: [0.8, 0.6, 0.3]", "wheel: [0.8, -0.6, 0.3]", 32, 25,
     "the wheel is at y = -0.6 m: give the left side, y above 0"},
    {"wheel: [0.8, 0.6, 0.3]", "wheel: [-1.8, 0.6, 0.3]", 37, 3,
     "the wheels of rear are at x = -1.6 m, not behind those of front at -1.8 m: give axles from "
     "the front to the rear"},
    {"parts: {arm: {mass: 6}}", "parts: {arm: {}}", 33, 13,
     "a link needs the key mass (of the part)"},
    {"parts: {arm: {mass: 6}}", "parts: {}", 29, 3,
     "trailing_arm needs the mass of arm, under parts"},
    {"spring: {stiffness: 20 kN/m, preload: 800}", "spring: {stiffness: 0, preload: 800}", 34, 25,
     "a spring of stiffness 0 carries nothing: the axle cannot reach equilibrium"},
    {"spring: {stiffness: 20 kN/m, preload: 800}", "spring: {stiffness: 20 kN/m}", 34, 5,
     "a spring needs either length or preload"},
    {"spring: {stiffness: 20 kN/m, preload: 800}",
     "spring: {curve: [[0, 0], [0.1, 900], [0.05, 1000]], length: 0.4}", 34, 43,
     "0.05 follows 0.1: the first numbers must increase"},
    {"spring: {stiffness: 20 kN/m, preload: 800}",
     "spring: {stiffness: 20 kN/m, preload: 800, min: 0.4, max: 0.3}", 34, 63,
     "the longest length, 0.3 m, is not above the shortest, 0.4 m"},
    {"spring_bottom: [0.8, 0.45, 0.33]", "spring_bottom: [0.8, 0.45, 0.7]", 29, 3,
     "the ends of spring_fl coincide: it has no direction"},
    {"damper: {damping: 1000}", "damper: {damping: -1000}", 35, 23,
     "damping is -1000, expected 0 to 100000000 N*s/m"},
    {"damper: {damping: 1000}", "steered: true", 35, 5,
     "trailing_arm has no tie rods and cannot be steered by a rack"},
    {"damper: {damping: 1000}", "camber: [[0, 0], [0.1, 0.1]]", 35, 5,
     "trailing_arm has no key camber: its links decide that"},
    {"damper: {damping: 1000}", "rack: {mass: 3}", 35, 5, "only a steered axle has a rack"},
    {"radius: 0.3, width: 0.15, mass: 12", "radius: 0.3, width: 0.15, mass: 12, inertia: [1, 3]",
     36, 58,
     "no wheel has the inertia 1 across and 3 about its axle: expected above 0, and the second at "
     "most twice the first"},
    {"radius: 0.3, width: 0.15, mass: 12", "radius: 0.3, width: 0.15, mass: 12, dual: 0.1", 36, 55,
     "dual wheels 0.1 m apart overlap: they are 0.15 m wide"},
    {"radius: 0.3, width: 0.15, mass: 12", "radius: 0.3, mass: 12", 36, 5,
     "a wheel needs the key width (of one tyre)"},
    // the drive
    {"name: cart", "drive: {gears: [3, 1]}", 2, 1, "a drive needs curve or wheel_torque"},
    {"name: cart", "drive: {wheel_torque: 500 N*m}", 2, 1,
     "no axle is driven: expected \"driven: true\" under one of the axles"},
    {"name: cart", "drive: {wheel_torque: 500 N*m, gears: [3, 0]}", 2, 43,
     "a gear of 0; expected a ratio above 0, below 1000"},
    {"name: cart", "drive: {curve: [[2000 rpm, 90], [1000 rpm, 80]]}", 2, 34,
     "104.719755 follows 209.43951: the first numbers must increase"},
    {"name: cart", "drive: {curve: [[1000 rpm, -5], [2000 rpm, 80]]}", 2, 16,
     "104.719755 rad/s, -5 N m: expected neither below 0"},
    {"mirror: true}", "mirror: maybe}", 8, 131, "found \"maybe\", expected one of false, true"},
};

static char *edited(const char *from, const char *to)
{
    const char *at = strstr(good, from);
    const size_t size = sizeof good + strlen(to) + 1;
    char *text = calloc(1, size);
    if (!at)
        fail_msg("the good file has no \"%s\"", from);
    snprintf(text, size, "%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
    return text;
}

static void good_file(void **state)
{
    (void)state;
    mc_error error = {0};
    const mc_multibody_options interpreted = {.compile = MC_COMPILE_NEVER};
    mc_multibody *m = mc_multibody_parse(good, "cart.yaml", &interpreted, &error);
    if (!m)
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    mc_multibody_free(m);
}

static void messages(void **state)
{
    (void)state;
    int wrong = 0;
    assert_true(sizeof cases / sizeof cases[0] >= 40);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = edited(cases[i].from, cases[i].to);
        mc_error error = {0};
        mc_concept *c = mc_concept_parse(text, "cart.yaml", &error);
        char *mechanism = c ? mc_concept_mechanism(c, NULL, &error) : NULL;
        if (mechanism || error.line != cases[i].line || error.column != cases[i].column ||
            strcmp(error.text, cases[i].text) != 0) {
            print_error("%s -> %s\n  %d:%d: %s\n  expected %d:%d: %s\n", cases[i].from, cases[i].to,
                        error.line, error.column, mechanism ? "nothing wrong" : error.text,
                        cases[i].line, cases[i].column, cases[i].text);
            wrong++;
        }
        free(mechanism);
        mc_concept_free(c);
        free(text);
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(good_file), cmocka_unit_test(messages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
