// test_instants.c - instants of a contact are thinned by time, and never outgrow their room.
#include "contact/instants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROOM = 40 };
static double times[ROOM], states[ROOM];

static contact_instants make(double cell, int room)
{
    return (contact_instants){
        .time = times, .states = states, .size = 1, .room = room, .from = 1.0, .cell = cell};
}

static void one_of_a_kind_per_cell(void **unused)
{
    (void)unused;
    contact_instants i = make(0.1, ROOM);
    double *to = contact_instants_add(&i, 1.01, CONTACT_INSTANT_WINDOW);
    assert_true(to == states);
    *to = 1.0;
    assert_null(contact_instants_add(&i, 1.02, CONTACT_INSTANT_WINDOW));
    assert_true(contact_instants_add(&i, 1.03, CONTACT_INSTANT_IMPACT) == states + 1);
    assert_null(contact_instants_add(&i, 1.09, CONTACT_INSTANT_IMPACT));
    assert_true(contact_instants_add(&i, 1.11, CONTACT_INSTANT_WINDOW) == states + 2);
    assert_int_equal(i.count, 3);
    assert_true(times[0] == 1.01 && times[1] == 1.03 && times[2] == 1.11 && states[0] == 1.0);
}

// What is known of an instant last counts: a second impact at the same time.
static void the_same_time_replaces(void **unused)
{
    (void)unused;
    contact_instants i = make(0.1, ROOM);
    *contact_instants_add(&i, 1.05, CONTACT_INSTANT_IMPACT) = 1.0;
    *contact_instants_add(&i, 1.05, CONTACT_INSTANT_IMPACT) = 2.0;
    assert_true(i.count == 1 && states[0] == 2.0);
}

// Room by contact_instants_max is enough for the densest instants; less is never exceeded.
static void room_is_enough_and_kept(void **unused)
{
    (void)unused;
    for (int given = 0; given < 2; given++) {
        const int room = given ? 7 : contact_instants_max(0.95, 0.1);
        assert_true(room <= ROOM);
        contact_instants i = make(0.1, room);
        int impacts = 0, windows = 0;
        for (int k = 0; k < 950; k++) {
            const double t = 1.03 + 0.001 * k;
            windows += contact_instants_add(&i, t, CONTACT_INSTANT_WINDOW) != NULL;
            impacts += contact_instants_add(&i, t + 0.0005, CONTACT_INSTANT_IMPACT) != NULL;
        }
        assert_int_equal(i.count, impacts + windows);
        if (given)
            assert_int_equal(i.count, room);
        else
            assert_true(impacts == 10 && windows == 10);
        for (int k = 1; k < i.count; k++)
            assert_true(times[k] > times[k - 1]);
    }
    contact_instants none = make(0.1, 0);
    assert_null(contact_instants_add(&none, 1.0, CONTACT_INSTANT_IMPACT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_of_a_kind_per_cell),
        cmocka_unit_test(the_same_time_replaces),
        cmocka_unit_test(room_is_enough_and_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
