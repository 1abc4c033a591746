// test_tyre.c - tyre laws from outside: what is rejected, and that one is known afterwards.
#include "parts/tyre.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void eval(const double *p, int n, const mc_tyre_in *in, const double *x, double *drive,
                 const mc_tyre_out *out)
{
    (void)x, (void)drive;
    for (int i = 0; i < n; i++) {
        out->fx[i] = 0.0;
        out->fy[i] = -p[0] * in->v_y[i];
    }
}

static double rate(const double *p, int k)
{
    (void)p, (void)k;
    return 1.0;
}

static mc_status load(const mc_tyre_file *file, void *context, mc_error *error)
{
    (void)file, (void)context, (void)error;
    return MC_OK;
}

static const mc_param rows[] = {{"grip", "N s/m", 5.0, 0.0, 10.0, "force over speed"},
                                {"other", "-", 1.0, 0.0, 2.0, "nothing"}};
static const mc_param wrong_default[] = {{"grip", "N", 50.0, 0.0, 10.0, "force"}};
static const mc_param twice[] = {{"grip", "N", 1.0, 0.0, 10.0, "force"},
                                 {"Grip", "N", 1.0, 0.0, 10.0, "force"}};
static const mc_param no_doc[] = {{"grip", "N", 1.0, 0.0, 10.0, ""}};
static const mc_tyre_state states[] = {{"z", "m", true}};

#define GOOD                                                                                       \
    .size = sizeof(mc_tyre), .name = "outside", .doc = "a law of this test", .eval = {eval},       \
    .params = rows, .param_count = 2

static const mc_tyre good = {GOOD};
static const mc_tyre other_half = {.eval = {eval}, .params = twice, .param_count = 2};

static void rejected(void **state)
{
    (void)state;
    static const struct {
        mc_tyre tyre;
        const char *text;
    } wrong[] = {
        {{.size = 8, .name = "old", .doc = "d", .eval = {eval}}, "another version"},
        {{.size = sizeof(mc_tyre), .doc = "d", .eval = {eval}}, "tyre without a name: its name is"},
        {{.size = sizeof(mc_tyre), .name = "Big", .doc = "d", .eval = {eval}},
         "lower-case letters"},
        {{.size = sizeof(mc_tyre), .name = "9th", .doc = "d", .eval = {eval}}, "starting with a"},
        {{.size = sizeof(mc_tyre), .name = "a_word_of_more_than_thirty_two_letters", .doc = "d"},
         "at most 32"},
        {{.size = sizeof(mc_tyre), .name = "brush", .doc = "d", .eval = {eval}},
         "tyre brush: the name is already in use"},
        {{.size = sizeof(mc_tyre), .name = "mute", .doc = "", .eval = {eval}}, "it has no doc"},
        {{.size = sizeof(mc_tyre), .name = "idle", .doc = "d"}, "no eval for any processor"},
        {{.size = sizeof(mc_tyre), .name = "idle", .doc = "d", .eval = {NULL, eval}},
         "no eval for any processor"},
        {{.size = sizeof(mc_tyre),
          .name = "many",
          .doc = "d",
          .eval = {eval},
          .param_count = 49,
          .params = rows},
         "49 parameters, expected 0 .. 48"},
        {{.size = sizeof(mc_tyre),
          .name = "none_given",
          .doc = "d",
          .eval = {eval},
          .param_count = 1},
         "1 parameters, expected 0 .. 0"},
        {{.size = sizeof(mc_tyre),
          .name = "range",
          .doc = "d",
          .eval = {eval},
          .params = wrong_default,
          .param_count = 1},
         "the default of grip is 50, outside its range 0 .. 10"},
        {{.size = sizeof(mc_tyre),
          .name = "twice",
          .doc = "d",
          .eval = {eval},
          .params = twice,
          .param_count = 2},
         "two parameters Grip"},
        {{.size = sizeof(mc_tyre),
          .name = "mute",
          .doc = "d",
          .eval = {eval},
          .params = no_doc,
          .param_count = 1},
         "parameter 0 has no name, unit or doc"},
        {{GOOD, .state_count = 4, .states = states, .state_rate = rate}, "4 states, expected 0"},
        {{GOOD, .state_count = 1, .states = states}, "no rows or no state_rate"},
        {{GOOD, .driven = &other_half}, "two parameters Grip"},
        {{GOOD, .load = load, .context_size = 8}, "no context without a file"},
        {{GOOD, .load = load, .context = rows}, "no context_size or"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        mc_error error = {0};
        assert_int_equal(mc_tyre_register(&wrong[k].tyre, &error), MC_BAD_INPUT);
        if (!strstr(error.text, wrong[k].text))
            fail_msg("%s\n  expected: %s", error.text, wrong[k].text);
    }
}

static void known(void **state)
{
    (void)state;
    mc_error error;
    int count = 0;
    while (tyre_kind_at(count))
        count++;
    assert_null(tyre_kind_find("outside"));
    assert_int_equal(mc_tyre_register(&good, &error), MC_OK);
    assert_ptr_equal(tyre_kind_find("Outside"), &good);
    assert_ptr_equal(mc_tyre_at(count), &good);
    assert_null(mc_tyre_at(count + 1));
    assert_null(mc_tyre_at(-1));
    // One function serves every processor.
    assert_true(tyre_eval_at(&good, CPU_AVX2) == eval && tyre_eval_at(&good, CPU_PLAIN) == eval);
    assert_int_equal(mc_tyre_register(&good, &error), MC_BAD_INPUT);
    assert_ptr_equal(tyre_default_for_spin(), tyre_kind_find("brush")); // the list begins as before
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rejected), cmocka_unit_test(known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
