// Tests of concepts that are edited: what follows from a text does not depend on the way to it.
#include "motorcade/concept_edit.h"
#include "motorcade/concept_live.h"
#include "motorcade/suspension_rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static char *file_text(const char *name)
{
    char path[300];
    snprintf(path, sizeof path, SOURCE_DIR "/concepts/%s", name);
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    char *text = calloc(1, 1 << 16);
    assert_true(fread(text, 1, (1 << 16) - 1, in) > 0);
    fclose(in);
    return text;
}

static char *edited(const char *text, const char *path, const char *value)
{
    const mc_concept_change change = {path, value};
    mc_error error = {0};
    char *out = mc_concept_edit(text, "test.yaml", &change, 1, &error);
    if (!out)
        fail_msg("%s: %s", path, error.text);
    return out;
}

static double cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Two ways to a text: edited, and taken by a fresh one.
static void compare(mc_concept_live *live, const char *text, bool derived)
{
    mc_error error = {0};
    mc_concept_state a, b;
    mc_concept_live *fresh = mc_concept_live_create(&error);
    const double begun = cpu();
    assert_int_equal(mc_concept_live_take(live, text, "test.yaml", &a, &error), MC_OK);
    const double took = cpu() - begun;
    assert_int_equal(mc_concept_live_take(fresh, text, "test.yaml", &b, &error), MC_OK);
    print_message("%s in %.0f ms of processor time\n", a.derived ? "derived" : "taken", 1e3 * took);
    assert_int_equal(a.derived, derived);
    assert_true(b.derived);
    assert_true(a.loaded && b.loaded && a.linear && b.linear);
    for (int k = 0; k < a.loads.axle_count; k++)
        assert_true(fabs(a.loads.load[k] / b.loads.load[k] - 1.0) < 1e-9);
    assert_int_equal(a.linear->count, b.linear->count);
    for (int k = 0; k < a.linear->count; k++)
        if (!a.linear->modes[k].rigid)
            assert_true(fabs(a.linear->modes[k].frequency - b.linear->modes[k].frequency) <
                        1e-6 * (1.0 + b.linear->modes[k].frequency));
    mc_concept_live_free(fresh);
}

static void test_follows(void **state)
{
    (void)state;
    static const struct {
        const char *path, *value;
        bool derived;
    } edits[] = {
        {"assemblies.frame.components.engine.mass", "260 kg", false},
        {"assemblies.frame.components.engine.at.0", "-0.05", false},
        {"axles.rear.spring.stiffness", "40 kN/m", false},
        {"axles.front.hardpoints.upper_ball.2", "0.63", false},
        {"axles.front.wheel.tyre.stiffness", "250 kN/m", false},
        {"road.bumps.speed_bumps.height", "60 mm", false},
        {"road.bumps.speed_bumps.length", "1 m", true}, // inside of a formula
    };
    mc_error error = {0};
    mc_concept_live *live = mc_concept_live_create(&error);
    char *text = file_text("pickup.yaml");
    compare(live, text, true);
    for (size_t k = 0; k < sizeof edits / sizeof edits[0]; k++) {
        char *next = edited(text, edits[k].path, edits[k].value);
        free(text);
        text = next;
        compare(live, text, edits[k].derived);
    }
    free(text);
    mc_concept_live_free(live);
}

static void test_texts(void **state)
{
    (void)state;
    char *text = file_text("pickup.yaml");
    // Only the value changes.
    char *heavier = edited(text, "assemblies.frame.components.gearbox.mass", "100 kg");
    assert_int_equal(strlen(heavier), strlen(text) + 1);
    assert_non_null(strstr(heavier, "# All numbers are chosen"));
    char *back = edited(heavier, "assemblies.frame.components.gearbox.mass", "95 kg");
    assert_string_equal(back, text);
    // Added and removed, in flow and in block maps.
    char *more = edited(text, "assemblies.frame.components.winch",
                        "{box: [0.3, 0.4, 0.2], at: [0.7, 0, 0.6], mass: 30 kg}");
    char *fewer = edited(more, "assemblies.frame.components.winch", NULL);
    assert_string_equal(fewer, text);
    char *point = edited(text, "points.driver_seat.at.2", "1.0");
    char *stop = edited(text, "axles.rear.spring.stop_stiffness", "200 kN/m");
    char *gone = edited(stop, "axles.rear.spring.stop_stiffness", NULL);
    assert_string_equal(gone, text);
    // What the reader has against it, at its place.
    mc_error error = {0};
    const mc_concept_change wrong = {"axles.front.spring.stiffness", "90 kg"};
    assert_null(mc_concept_edit(text, "test.yaml", &wrong, 1, &error));
    assert_true(error.line > 0 && strstr(error.text, "kg"));
    const mc_concept_change nowhere = {"axles.middle.spring.stiffness", "9"};
    assert_null(mc_concept_edit(text, "test.yaml", &nowhere, 1, &error));
    assert_non_null(strstr(error.text, "axles.middle"));
    char *const all[] = {text, heavier, back, more, fewer, point, stop, gone};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        free(all[k]);
}

static double wheel_rate(const char *text, const char *axle, double wheel[3])
{
    mc_error error = {0};
    mc_concept *c = mc_concept_parse(text, "test.yaml", &error);
    const mc_suspension_options o = {.axle = axle, .from = -0.02, .to = 0.02, .row_count = 9};
    mc_suspension_curves s;
    mc_concept_dimensions d;
    double rate = NAN;
    assert_non_null(c);
    mc_concept_measure(c, &d);
    wheel[0] = d.axle[1].x, wheel[1] = d.axle[1].track, wheel[2] = d.axle[1].radius;
    assert_int_equal(mc_suspension_measure(c, &o, &s, &error), MC_OK);
    for (int k = 0; k < s.column_count; k++)
        if (strcmp(s.column[k].name, "wheel_rate") == 0)
            rate = s.value[4 * s.column_count + k];
    mc_suspension_curves_free(&s);
    mc_concept_free(c);
    return rate;
}

static void count_line(void *context, const char *line)
{
    print_message("    %s\n", line);
    ++*(int *)context;
}

static void test_templates(void **state)
{
    (void)state;
    char *text = file_text("pickup.yaml");
    double wheel[3], now[3];
    const double rate = wheel_rate(text, "rear", wheel);
    mc_concept_template t;
    for (int i = 0; mc_concept_template_at(i, &t); i++) {
        mc_error error = {0};
        int lost = 0;
        print_message("%s\n", t.name);
        char *other = mc_concept_change_template(text, "test.yaml", "rear", t.name, count_line,
                                                 &lost, &error);
        if (strcmp(t.name, "walking_tandem") == 0) {
            assert_null(other);
            assert_non_null(strstr(error.text, "two axles"));
            continue;
        }
        if (!other)
            fail_msg("%s: %s", t.name, error.text);
        assert_true(fabs(wheel_rate(other, "rear", now) / rate - 1.0) < 1e-3);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(now[k] - wheel[k]) < 1e-12);
        assert_true(lost > 0 || strcmp(t.name, "live_axle_leaf") == 0);
        free(other);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_follows),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_templates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
