// test_lane_keeping.c - planar cars at 30 m/s through a clothoid of 120 m into a bend of R = 300 m,
// with the tyres and the steering laws that come with the program.
#include "support/platoon.h"

#include "motorcade/observe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#define FILE_OF(name) "{kind: pac2002, file: " SOURCE_DIR "/models/" name "}"

typedef struct drive {
    double offset; // m, largest from the middle of the lane
    double steady; // m, the same, at the end
    double jerk;   // m/s^3, largest over 0.1 s
} drive;

static drive drive_through(const char *tyre, const char *law)
{
    enum { STEPS = 2400, WINDOW = 10 };
    char text[1200];
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 30, step: 0.01, record: 0.1}\n"
             "road: {lanes: 1, speed: 30, line: [{straight: 300}, {clothoid: 120, to_radius: 300}, "
             "{arc: 700, radius: 300}]}\nmodels: {car: {kind: planar, tyre: %s}}\n"
             "controllers: {hold: {law: acc, headway: 1.2, steering: %s}}\n"
             "vehicles: [{model: car, name: one, x: 100, v: 30, controller: hold}]\n",
             tyre, law);
    mc_scenario *s = platoon_scenario(text);
    mc_run *run = platoon_run(s, 1);
    drive out = {0};
    double before[WINDOW] = {0};
    for (int k = 0; k < STEPS; k++) {
        double value[MC_FIELD_COUNT];
        platoon_steps(run, 1);
        mc_run_read_fields(run, 0, value, NULL);
        out.steady = fabs(mc_run_lateral_error(run, 0));
        out.offset = fmax(out.offset, out.steady);
        if (k >= 100)
            out.jerk = fmax(out.jerk, fabs(value[MC_FIELD_A_Y] - before[k % WINDOW]) / 0.1);
        before[k % WINDOW] = value[MC_FIELD_A_Y];
    }
    printf("%-12s %-70s offset %.3f m, steady %.3f m, jerk %.2f m/s^3\n", law, tyre, out.offset,
           out.steady, out.jerk);
    mc_run_destroy(run);
    mc_scenario_free(s);
    return out;
}

// Tyres that fit the car: every law that knows the car.
static void the_lane_is_kept(void **state)
{
    (void)state;
    static const char *const tyres[] = {"{kind: brush}", "{kind: linear}",
                                        FILE_OF("passenger_245_40R18.tir")};
    static const char *const laws[] = {"preview", "stanley", "lqr"};
    for (int t = 0; t < 3; t++)
        for (int l = 0; l < 3; l++) {
            const drive d = drive_through(tyres[t], laws[l]);
            if (!(d.offset < 0.1 && d.jerk < 1.0))
                fail_msg("%s, %s: %g m, %g m/s^3", tyres[t], laws[l], d.offset, d.jerk);
        }
}

// Tyres that are too soft for it, far from linear at 0.3 g: optimal gains still hold the line.
static void soft_tyres_are_kept_by_lqr(void **state)
{
    (void)state;
    static const char *const tyres[] = {"{kind: fiala}", "{kind: tmeasy}", "{kind: pac89}",
                                        "{kind: calspan}", FILE_OF("hmmwv_37x12.5R16.5.tir")};
    for (int t = 0; t < 5; t++) {
        const drive d = drive_through(tyres[t], "lqr");
        if (!(d.offset < 0.1 && d.jerk < 1.1))
            fail_msg("%s: %g m, %g m/s^3", tyres[t], d.offset, d.jerk);
    }
    assert_true(drive_through("{kind: calspan}", "preview").steady < 0.1);
    assert_true(drive_through("{kind: fiala}", "preview").steady < 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lane_is_kept),
        cmocka_unit_test(soft_tyres_are_kept_by_lqr),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
