// test_kinds.c - the tables of events: complete, and every fault undoes what it did.
#include "event/event.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static fault_state sound_car(void)
{
    fault_state s = {.brake_left = 1.0, .throttle_stuck = NAN};
    s.link[LINK_DELAY] = 0.05;
    s.sensor[SENSOR_RANGE_BIAS] = 0.25;
    return s;
}

static void every_kind_has_its_words(void **unused)
{
    (void)unused;
    const mc_event_kind *kind;
    int count = 0;
    for (; (kind = mc_event_kind_at(count)); count++) {
        assert_non_null(kind->name);
        assert_non_null(kind->begins.does);
        assert_ptr_equal(mc_event_kind_find(kind->name), kind);
        assert_ptr_equal(mc_event_sentence_find(kind->name), &kind->begins);
        assert_int_equal(kind->fault, count < EVENT_FAULT_COUNT);
        if (!kind->fault)
            continue;
        assert_string_equal(kind->value->name, kind->name);
        assert_true(kind->value->min < kind->value->max);
        assert_non_null(kind->label);
        assert_non_null(kind->ends.does);
        assert_string_equal(kind->end_name, event_name(EVENT_ENDS + count));
        assert_ptr_equal(mc_event_sentence_find(kind->end_name), &kind->ends);
    }
    assert_int_equal(count, EVENT_KIND_COUNT);
    assert_null(mc_event_kind_at(-1));
    assert_null(mc_event_kind_find("explode"));
    assert_null(mc_event_sentence_find("explode_ends"));
    assert_string_equal(mc_event_sentence_find("radio_silent")->does, "hears no radio");
}

static void no_name_stands_twice(void **unused)
{
    (void)unused;
    for (int a = 0; a < EVENT_HAPPENED_COUNT; a++)
        for (int b = 0; b < a; b++)
            assert_string_not_equal(event_name(a), event_name(b));
}

// Whatever a fault changes is as before when it is over; inside another one, as that one left it.
static void an_end_undoes_a_fault(void **unused)
{
    (void)unused;
    mc_error error;
    for (int k = 0; k < EVENT_FAULT_COUNT; k++) {
        const fault_kind *kind = &event_faults[k];
        const double middle = 0.5 * (event_rows[k].min + event_rows[k].max) + 0.125;
        for (int outer = 0; outer < 2; outer++) {
            fault_state s = sound_car();
            const fault_act first = {.value = middle + 0.125, .now = 1.0, .throttle = 0.4};
            if (outer)
                assert_int_equal(kind->begin(&s, &first, &error), MC_OK);
            const fault_state was = s;
            fault_act act = {.value = middle, .now = 2.0, .throttle = 0.4};
            const double before = kind->before(&s, &act);
            assert_int_equal(kind->begin(&s, &act, &error), MC_OK);
            assert_memory_not_equal(&s, &was, sizeof s);
            act.value = before, act.now = 3.0;
            assert_int_equal((kind->end ? kind->end : kind->begin)(&s, &act, &error), MC_OK);
            s.push.since = was.push.since; // of a push that is plain, or over
            s.force.size.since = was.force.size.since;
            s.gap_wave.since = was.gap_wave.since;
            assert_memory_equal(&s, &was, sizeof s);
        }
    }
}

static void a_shape_is_checked(void **unused)
{
    (void)unused;
    mc_error error;
    for (int k = 0; k < EVENT_FAULT_COUNT; k++) {
        fault_state s = sound_car();
        const fault_act act = {.value = 0.5, .shape = "sawtooth"};
        const mc_status status = event_faults[k].begin(&s, &act, &error);
        assert_int_equal(status, event_kinds[k].shaped ? MC_BAD_INPUT : MC_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_its_words),
        cmocka_unit_test(no_name_stands_twice),
        cmocka_unit_test(an_end_undoes_a_fault),
        cmocka_unit_test(a_shape_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
