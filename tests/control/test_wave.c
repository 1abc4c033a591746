// test_wave.c - shapes of disturbances: words and values.
#include "control/wave.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static wave of(const char *shape, double amplitude, double since)
{
    wave w;
    mc_error error;
    assert_int_equal(wave_parse(shape, &w, &error), MC_OK);
    w.amplitude = amplitude, w.since = since;
    return w;
}

static void near_to(double a, double b)
{
    assert_true(fabs(a - b) < 1e-12);
}

static void values(void **unused)
{
    (void)unused;
    wave w = of("", 2.0, 10.0);
    assert_true(wave_plain(&w));
    near_to(wave_at(&w, 10.0, 0.0), 2.0);
    near_to(wave_at(&w, 1e5, 0.0), 2.0);
    w = of("step for 5 s", 2.0, 10.0);
    assert_false(wave_plain(&w));
    near_to(wave_at(&w, 14.999, 0.0), 2.0);
    near_to(wave_at(&w, 15.0, 0.0), 0.0);
    w = of("for 5", 2.0, 10.0);
    near_to(wave_at(&w, 16.0, 0.0), 0.0);
    w = of("sine 0.25 Hz", 3.0, 10.0); // a quarter of its period is 1 s
    near_to(wave_at(&w, 10.0, 0.0), 0.0);
    near_to(wave_at(&w, 11.0, 0.0), 3.0);
    near_to(wave_at(&w, 13.0, 0.0), -3.0);
    w = of("sine 0.25Hz for 2s", 3.0, 10.0);
    near_to(wave_at(&w, 11.0, 0.0), 3.0);
    near_to(wave_at(&w, 12.5, 0.0), 0.0);
    w = of("noise", 0.5, 0.0);
    near_to(wave_at(&w, 1.0, -1.5), -0.75);
    w.amplitude = 0.0;
    near_to(wave_at(&w, 1.0, -1.5), 0.0);
}

static void wrong_words(void **unused)
{
    (void)unused;
    static const char *const wrong[] = {
        "square",
        "sine",
        "sine x",
        "sine -1 Hz",
        "sine 0 Hz",
        "sine 200 Hz",
        "sine 0.2 kHz",
        "noise 3",
        "for",
        "for -1 s",
        "for 5 min",
        "sine 0.2 Hz for 5 s more",
        "for nan s",
        "sine inf Hz",
        "step step",
        "0.5",
        "sine 0.2 Hz for 5 s and a text that is longer than any shape can be, by far"};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        wave w;
        mc_error error = {0};
        if (wave_parse(wrong[k], &w, &error) != MC_BAD_INPUT || !error.text[0])
            fail_msg("\"%s\" is taken", wrong[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(wrong_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
