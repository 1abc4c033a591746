// The trucks over a bump by both engines: halving the step changes the peak acceleration of the
// driver's seat by less than 1 %, and the engines differ by at most three times that change while
// no wheel lifts off. Both have the same tyres, which slip a little.
#include "motorcade/concept.h"
#include "motorcade/simulate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { ROWS_MAX = 2000 };
static const double row_step = 4e-3;

typedef struct ride { // rows of a run
    double z[ROWS_MAX], least;
    int count, seat, normal[8], wheels;
} ride;

static void take(void *context, double t, const double *y, const double *outputs)
{
    ride *r = context;
    (void)y;
    if (r->count < ROWS_MAX)
        r->z[r->count++] = outputs[r->seat];
    for (int k = 0; k < r->wheels && t > 0.0; k++)
        r->least = fmin(r->least, outputs[r->normal[k]]);
}

// The terrain of a test: one parabolic bump, level under the start.
static void write_bump(char path[40], double length, double height)
{
    const double a = 8.0 * height / (length * length);
    strcpy(path, "/tmp/motorcade_bump_XXXXXX");
    const int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *out = fdopen(file, "w");
    fprintf(out,
            "motorcade: terrain\nterrain:\n  features:\n    - terms: [{at: 0, power: 2, scale: "
            "%.17g}, {at: %.17g, power: 2, scale: %.17g}, {at: %.17g, power: 2, scale: %.17g}, "
            "{at: %.17g, power: 2, scale: %.17g}]\n      from: 0.8\n",
            a, length / 4, -2.0 * a, 0.75 * length, 2.0 * a, length, -a);
    assert_int_equal(fclose(out), 0);
}

static char *mechanism(const char *file, double speed, const char *terrain)
{
    mc_error error = {0};
    mc_concept *c = mc_concept_load(file, &error);
    if (!c)
        fail_msg("%s", error.text);
    const mc_concept_ride o = {.speed = speed, .terrain = terrain};
    char *text = mc_concept_ride_mechanism(c, &o, &error);
    if (!text)
        fail_msg("%s", error.text);
    mc_concept_free(c);
    return text;
}

static void run(const char *text, const char *engine, double end, double step, double friction,
                double slip, ride *out)
{
    mc_error error = {0};
    mc_simulate_column column;
    mc_multibody *m = mc_multibody_parse(text, "ride", NULL, &error);
    if (!m)
        fail_msg("%s", error.text);
    double *y = calloc((size_t)mc_multibody_info_of(m)->y_count, sizeof *y);
    *out = (ride){.least = INFINITY};
    mc_multibody_start(m, y);
    const char *name;
    for (int i = 0; (name = mc_multibody_name(m, MC_QUANTITY_OUTPUT, i)); i++)
        if (strstr(name, ".normal"))
            out->normal[out->wheels++] = i;
    char word[64];
    for (int i = 0; i < out->wheels; i++) {
        name = mc_multibody_name(m, MC_QUANTITY_OUTPUT, out->normal[i]);
        snprintf(word, sizeof word, "%.*s.friction", (int)strcspn(name, "."), name);
        assert_int_equal(mc_multibody_set(m, word, friction, &error), MC_OK);
        snprintf(word, sizeof word, "%.*s.slip", (int)strcspn(name, "."), name);
        assert_int_equal(mc_multibody_set(m, word, slip, &error), MC_OK);
    }
    assert_int_equal(mc_simulate_column_find(m, "driver_seat.z", &column, &error), MC_OK);
    out->seat = column.index;
    const bool impulses = strcmp(engine, "impulses") == 0;
    const mc_simulate_options o = {.end = end,
                                   .step = row_step,
                                   .engine = engine,
                                   .method = impulses ? NULL : "rk4",
                                   .fixed_step = step};
    const mc_simulate_output output = {.row = take, .context = out};
    if (mc_simulate(m, &o, y, &output, NULL, NULL, &error) != MC_OK)
        fail_msg("%s", error.text);
    free(y);
    mc_multibody_free(m);
}

// m/s^2, largest and smallest vertical acceleration of the seat.
static void peaks(const ride *r, double out[2])
{
    out[0] = -INFINITY, out[1] = INFINITY;
    for (int i = 1; i + 1 < r->count; i++) {
        const double a = (r->z[i + 1] - 2.0 * r->z[i] + r->z[i - 1]) / (row_step * row_step);
        out[0] = fmax(out[0], a);
        out[1] = fmin(out[1], a);
    }
}

static char *with_keys(const char *text)
{
    // The wheels get the keys that the test changes.
    char *out = calloc(2 * strlen(text) + 1, 1), *to = out;
    for (const char *at = text; *at;) {
        const char *end = strchr(at, '\n');
        const int length = end ? (int)(end - at) : (int)strlen(at);
        if (strncmp(at, "  tyre_", 7) == 0 && at[length - 1] == '}')
            to += sprintf(to, "%.*s, friction: 0.8, slip: 0.05}\n", length - 1, at);
        else
            to += sprintf(to, "%.*s\n", length, at);
        at += length + (end != NULL);
    }
    return out;
}

static void compare(const char *file, double speed, double length, double height, double end)
{
    static ride r;
    char path[40];
    double coarse[2], fine[2], derived[2];
    write_bump(path, length, height);
    char *plain = mechanism(file, speed, path), *text = with_keys(plain);
    run(text, "impulses", end, 2e-3, 0.8, 0.05, &r);
    peaks(&r, coarse);
    run(text, "impulses", end, 1e-3, 0.8, 0.05, &r);
    assert_true(r.least > 0.0);
    peaks(&r, fine);
    run(text, "equations", end, 1e-4, 0.8, 0.05, &r);
    assert_true(r.least > 0.0);
    peaks(&r, derived);
    for (int k = 0; k < 2; k++) {
        const double change = fabs(fine[k] - coarse[k]);
        print_message("%s: %.6f, step halved %.6f, equations %.6f\n", file, coarse[k], fine[k],
                      derived[k]);
        assert_true(change < 0.01 * fabs(fine[k]));
        assert_true(fabs(fine[k] - derived[k]) <= 3.0 * change);
    }
    unlink(path);
    free(plain);
    free(text);
}

static void test_class_7_over_a_bump(void **state)
{
    (void)state;
    compare(SOURCE_DIR "/concepts/truck_11t.yaml", 2.0, 1.2, 0.12, 1.2);
}

// Its struts scrub: the slip of the tyres matters.
static void test_class_3_over_a_bump(void **state)
{
    (void)state;
    compare(SOURCE_DIR "/concepts/truck_5t.yaml", 4.0, 2.5, 0.05, 1.0);
}

// A truck that stands stays where the equilibrium is, whatever the step.
static void test_standing(void **state)
{
    (void)state;
    static ride r;
    char *plain = mechanism(SOURCE_DIR "/concepts/truck_5t.yaml", 0.0, NULL);
    char *text = with_keys(plain);
    run(text, "impulses", 0.4, 2e-3, 0.8, 0.02, &r);
    for (int i = 0; i < r.count; i++)
        assert_true(fabs(r.z[i] - r.z[0]) < 2e-4);
    free(plain);
    free(text);
}

static void place(void *context, double t, const double *y, const double *outputs)
{
    (void)t, (void)outputs;
    *(double *)context = y[0]; // of the chassis, x
}

// A ride keeps the speed that is asked for, on level ground as on a terrain that is level, by both
// engines: tyres roll over the height of their hubs.
static void test_speed(void **state)
{
    (void)state;
    char path[40];
    write_bump(path, 2.0, 1e-9);
    for (int k = 0; k < 4; k++) {
        mc_error error = {0};
        char *text = mechanism(SOURCE_DIR "/concepts/truck_5t.yaml", 8.0, k < 2 ? NULL : path);
        mc_multibody *m = mc_multibody_parse(text, "ride", NULL, &error);
        const mc_simulate_options o = {
            .end = 0.5, .step = 0.5, .engine = k % 2 ? "impulses" : "equations"};
        double y[200], x = NAN;
        assert_non_null(m);
        assert_true(mc_multibody_info_of(m)->y_count <= 200);
        mc_multibody_start(m, y);
        const double from = y[0];
        const mc_simulate_output output = {.row = place, .context = &x};
        if (mc_simulate(m, &o, y, &output, NULL, NULL, &error) != MC_OK)
            fail_msg("%s", error.text);
        const double speed = (x - from) / 0.5;
        print_message("%s, %s: %.4f m/s\n", o.engine, k < 2 ? "level" : "terrain", speed);
        assert_true(fabs(speed - 8.0) < 0.04);
        mc_multibody_free(m);
        free(text);
    }
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_class_7_over_a_bump),
        cmocka_unit_test(test_class_3_over_a_bump),
        cmocka_unit_test(test_standing),
        cmocka_unit_test(test_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
