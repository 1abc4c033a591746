// test_cut.c - which domain has which cars, and copies of which others.
#include "support/platoon.h"

#include "domain/cut.h"
#include "scenario/handle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// A platoon of eight in one lane, cut in two: a0 .. a3 and a4 .. a7.
static void cut_of(const char *controller, int halo, domain_cut *cut, mc_scenario **s)
{
    char text[600];
    mc_error error;
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 1, step: 0.05}\nmodels: {car: {kind: point}}\n"
             "controllers: {follow: %s}\n"
             "platoons: [{leader: {model: car, name: a0, profile: 20},"
             " cars: [{model: car, name: a, count: 7, controller: follow}]}]\n",
             controller);
    *s = platoon_scenario(text);
    assert_int_equal(domain_check(scenario_of(*s), &error), MC_OK);
    assert_int_equal(domain_cut_make(cut, scenario_of(*s), 2, halo, &error), MC_OK);
    for (int v = 0; v < 8; v++)
        assert_int_equal(cut->owner[v], v / 4);
    assert_int_equal(cut->hops, 1);
}

static void copies(const char *controller, int halo, const domain_copy *expected, int count)
{
    domain_cut cut;
    mc_scenario *s;
    cut_of(controller, halo, &cut, &s);
    assert_int_equal(cut.copy_count, count);
    for (int k = 0; k < count; k++) {
        assert_int_equal(cut.copies[k].from, expected[k].from);
        assert_int_equal(cut.copies[k].to, expected[k].to);
        assert_int_equal(cut.copies[k].vehicle, expected[k].vehicle);
    }
    domain_cut_free(&cut);
    mc_scenario_free(s);
}

// The car in front of the cut and the leader ahead; the car behind it, which may run into the last.
static void has_copies_of_what_is_heard_or_near(void **state)
{
    (void)state;
    const domain_copy near[] = {{0, 1, 0}, {0, 1, 3}, {1, 0, 4}};
    copies("{law: acc, headway: 1}", 1, near, 3);
    const domain_copy wider[] = {{0, 1, 0}, {0, 1, 2}, {0, 1, 3}, {1, 0, 4}, {1, 0, 5}};
    copies("{law: acc, headway: 1}", 2, wider, 5);
    const domain_copy heard[] = {{0, 1, 0}, {0, 1, 1}, {0, 1, 2}, {0, 1, 3}, {1, 0, 4}};
    copies("{law: consensus, listen: [front, 3]}", 1, heard, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(has_copies_of_what_is_heard_or_near)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
