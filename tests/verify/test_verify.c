// test_verify.c - the benchmarks hold; a wrong reference, a wrong model or a run that fails is
// seen.
#include "verify/elliptic.h"
#include "verify/verify.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g, expected %.17g", value, expected);
}

// ---- digits ------------------------------------------------------------------------------------

static void digits(void **state)
{
    (void)state;
    assert_near(mc_verify_digits(1.001, 1.0), 3.0, 1e-9);
    assert_near(mc_verify_digits(-2000.02, -2000.0), 5.0, 1e-9);
    assert_near(mc_verify_digits(1e-7, 0.0), 7.0, 1e-9); // absolute
    assert_near(mc_verify_digits(1.0e-20 + 1e-24, 1e-20), 4.0, 1e-6);
    assert_true(mc_verify_digits(3.5, 3.5) == 16.0);
    assert_true(mc_verify_digits(0.0, 0.0) == 16.0);
    assert_true(mc_verify_digits(1e-30, 0.0) == 16.0);
    assert_true(mc_verify_digits(1.0, -1.0) == 0.0); // wrong sign, wrong by far, no number
    assert_true(mc_verify_digits(1e9, 1.0) == 0.0);
    assert_true(mc_verify_digits(5.0, 0.0) == 0.0);
    assert_true(mc_verify_digits(NAN, 1.0) == 0.0);
    assert_true(mc_verify_digits(1.0, NAN) == 0.0);
    assert_true(mc_verify_digits(INFINITY, 1.0) == 0.0);
}

// ---- the table ---------------------------------------------------------------------------------

static void names(void **state)
{
    (void)state;
    mc_error error;
    int count = 0;
    for (; mc_verify_at(count); count++) {
        const mc_verify_benchmark *b = mc_verify_at(count);
        assert_int_equal(mc_verify_find(b->name, &error), count);
        assert_true(strlen(b->doc) > 0 && strlen(b->source) > 0);
        assert_null(strpbrk(b->name, ",./ "));
    }
    assert_int_equal(count, 18);
    assert_null(mc_verify_at(-1));
    assert_int_equal(mc_verify_find("pendulm", &error), -1);
    assert_int_equal(error.code, MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "did you mean pendulum"));
    assert_int_equal(mc_verify_find("", &error), -1);
    mc_verify_summary summary;
    assert_int_equal(mc_verify_run(count, NULL, NULL, &summary, &error), MC_BAD_INPUT);
    assert_int_equal(mc_verify_run(-1, NULL, NULL, &summary, &error), MC_BAD_INPUT);
}

// What one run reported.
typedef struct tally {
    int count, failed;
    char last_failed[96];
    double fewest_to_spare; // digits found less digits required
} tally;

static void count(void *context, const mc_verify_result *result)
{
    tally *t = context;
    t->count++;
    assert_null(strpbrk(result->quantity, ",\"\n")); // may stand in a CSV file
    assert_true(result->digits == mc_verify_digits(result->value, result->reference));
    t->fewest_to_spare = fmin(t->fewest_to_spare, result->digits - result->required);
    if (!result->pass) {
        t->failed++;
        snprintf(t->last_failed, sizeof t->last_failed, "%s", result->quantity);
    }
}

static void all_hold(void **state)
{
    (void)state;
    for (int i = 0; mc_verify_at(i); i++) {
        mc_verify_summary summary;
        mc_error error;
        tally t = {.fewest_to_spare = HUGE_VAL};
        if (mc_verify_run(i, count, &t, &summary, &error) != MC_OK)
            fail_msg("%s: %s", mc_verify_at(i)->name, error.text);
        if (t.failed > 0)
            fail_msg("%s: %s", mc_verify_at(i)->name, t.last_failed);
        printf("%-16s %3d numbers, %.1f digits to spare, drift %.1e, %.3f s\n",
               mc_verify_at(i)->name, t.count, t.fewest_to_spare, summary.drift, summary.seconds);
        assert_true(t.count >= 3);
        assert_int_equal(summary.checks, t.count);
        assert_int_equal(summary.failed, 0);
        assert_true(summary.seconds > 0.0);
        // Vehicles on a road have no energy to keep, nor has what is moved from outside. 40 windows
        // pass singular positions at a tolerance of 1e-9.
        const char *name = mc_verify_at(i)->name;
        if (strcmp(name, "medusa-print") == 0 || strcmp(name, "car-axis") == 0 ||
            strcmp(name, "iltis") == 0)
            assert_true(isnan(summary.drift));
        else
            assert_true(summary.drift < (strcmp(name, "windows") == 0 ? 1e-7 : 1e-10));
    }
}

// ---- what must be seen -------------------------------------------------------------------------

enum { CHECKS_MAX = 40 };

static tally run_row(const verify_benchmark *row)
{
    mc_verify_summary summary;
    mc_error error;
    tally t = {.fewest_to_spare = HUGE_VAL};
    if (verify_run(row, count, &t, &summary, &error) != MC_OK)
        fail_msg("%s", error.text);
    assert_int_equal(summary.checks, t.count);
    assert_int_equal(summary.failed, t.failed);
    return t;
}

// Every reference in turn, wrong in its ninth digit: that one fails and no other.
static void wrong_reference(void **state)
{
    (void)state;
    static const verify_benchmark *const rows[] = {&verify_pendulum, &verify_governor};
    for (int r = 0; r < 2; r++)
        for (int i = 0; i < rows[r]->check_count; i++) {
            verify_check checks[CHECKS_MAX];
            assert_in_range(rows[r]->check_count, 1, CHECKS_MAX);
            memcpy(checks, rows[r]->check, (size_t)rows[r]->check_count * sizeof *checks);
            checks[i].reference *= 1.0 + 2e-9;
            verify_benchmark row = *rows[r];
            row.check = checks;
            const tally t = run_row(&row);
            assert_int_equal(t.count, rows[r]->check_count + 1);
            assert_int_equal(t.failed, 1);
            assert_non_null(strstr(t.last_failed, checks[i].quantity));
        }
}

static void wrong_model(void **state)
{
    (void)state;
    char text[1000];
    snprintf(text, sizeof text, "%s", verify_pendulum.model);
    char *g = strstr(text, "9.81");
    assert_non_null(g);
    memcpy(g, "9.82", 4);
    verify_benchmark row = verify_pendulum;
    row.model = text;
    const tally t = run_row(&row);
    assert_int_equal(t.failed, row.check_count); // all but the energy, which is kept there too
}

static void poor_integration(void **state)
{
    (void)state;
    verify_benchmark row = verify_pendulum;
    row.method = "dopri5";
    row.tolerance = 1e-4;
    const tally t = run_row(&row);
    assert_true(t.failed > row.check_count / 2);
    assert_string_equal(t.last_failed, "energy drift");
}

static mc_status note_some(verify_sink *sink, mc_error *error)
{
    (void)error;
    verify_note(sink, 1.0 + 1e-6, 1.0, 5.9, "good %d", 1);
    verify_note(sink, 1.0 + 1e-6, 1.0, 6.1, "bad %d", 2);
    verify_note(sink, NAN, 0.0, 0.0001, "bad %d", 3);
    verify_note_print(sink, -0.0369189397, "-3.691894e-02", "good %d", 4);
    verify_note_print(sink, -0.0369189497, "-3.691894e-02", "bad %d", 5); // its last digit
    return MC_OK;
}

static void note_of_a_run(void *context, const mc_verify_result *result)
{
    int *seen = context;
    assert_int_equal(result->pass, strstr(result->quantity, "good") != NULL);
    assert_string_equal(result->benchmark, "notes");
    ++*seen;
}

static void notes(void **state)
{
    (void)state;
    const verify_benchmark row = {.text = {"notes", "", ""}, .run = note_some};
    mc_verify_summary summary;
    int seen = 0;
    assert_int_equal(verify_run(&row, note_of_a_run, &seen, &summary, NULL), MC_OK);
    assert_int_equal(seen, 5);
    assert_int_equal(summary.failed, 3);
    assert_true(isnan(summary.drift));
}

static void cannot_be_run(void **state)
{
    (void)state;
    static const verify_check no_quantity[] = {{"tip.w", 1.0, 0.0, 9.0}};
    static const verify_check no_zero[] = {{"rod.angle", VERIFY_PERIOD, 1.0, 9.0}};
    static const char standing[] = "motorcade: multibody\nbodies:\n  rod: {joint: hinge, axis: z, "
                                   "mass: 1, com: [1, 0, 0], start: {angle: 1, angle_rate: 1}}\n";
    verify_benchmark rows[4];
    for (int i = 0; i < 4; i++)
        rows[i] = verify_pendulum;
    rows[0].model = "motorcade: multibody\nbodies: {rod: {joint: hinge, mass: -1}}\n";
    rows[1].method = "dop854";
    rows[2].check = no_quantity;
    rows[3].check = no_zero;
    rows[3].model = standing;
    rows[2].check_count = rows[3].check_count = 1;
    for (int i = 0; i < 4; i++) {
        mc_verify_summary summary;
        mc_error error = {0};
        assert_int_not_equal(verify_run(&rows[i], NULL, NULL, &summary, &error), MC_OK);
        assert_true(strlen(error.text) > 0);
        assert_int_equal(summary.failed, 0);
    }
}

// ---- the references ----------------------------------------------------------------------------

// Values at half a quarter period and the two limits; Abramowitz and Stegun, 16.5, 16.6, 17.3.
static void elliptic_identities(void **state)
{
    (void)state;
    assert_near(elliptic_quarter(0.0), 1.57079632679489662, 1e-15);
    assert_near(elliptic_quarter(0.5), 1.85407467730137192, 1e-15);
    assert_near(elliptic_quarter(0.9), 2.57809211334817319, 1e-15);
    for (double m = 0.05; m < 1.0; m += 0.1) {
        const double k1 = sqrt(1.0 - m), quarter = elliptic_quarter(m);
        const elliptic half = elliptic_functions(0.5 * quarter, m);
        assert_near(half.sn, 1.0 / sqrt(1.0 + k1), 4e-16);
        assert_near(half.cn, sqrt(k1 / (1.0 + k1)), 4e-16);
        assert_near(half.dn, sqrt(k1), 4e-16);
        const elliptic later = elliptic_functions(0.3 + 2.0 * quarter, m); // half a period on
        const elliptic now = elliptic_functions(0.3, m);
        assert_near(later.sn, -now.sn, 2e-15);
        assert_near(later.cn, -now.cn, 2e-15);
        assert_near(later.dn, now.dn, 2e-15);
        // d sn/du = cn dn
        const double h = 1e-3;
        const double slope =
            (8.0 * (elliptic_functions(0.3 + h, m).sn - elliptic_functions(0.3 - h, m).sn) -
             (elliptic_functions(0.3 + 2.0 * h, m).sn - elliptic_functions(0.3 - 2.0 * h, m).sn)) /
            (12.0 * h);
        assert_near(slope, now.cn * now.dn, 1e-11);
    }
    const elliptic e = elliptic_functions(5.3, 0.7); // mpmath, 30 digits
    assert_near(e.sn, -0.849066102115244562582552, 2e-16);
    assert_near(e.cn, -0.528286621294563064320557, 2e-16);
    assert_near(e.dn, 0.703818675489062001524322, 2e-16);
    assert_near(elliptic_functions(1.3, 0.0).sn, sin(1.3), 4e-16);
    assert_near(elliptic_functions(1.3, 1.0 - 1e-15).sn, tanh(1.3), 1e-14);
    assert_near(elliptic_functions(1.3, 1.0 - 1e-15).cn, 1.0 / cosh(1.3), 1e-14);
}

// The table of A01 again: sin(theta/2) = k cd(t sqrt(g/L)), k = sin 45 deg.
static void pendulum_table(void **state)
{
    (void)state;
    assert_near(verify_pendulum.check[0].reference, 4.0 * elliptic_quarter(0.5) / sqrt(9.81),
                1e-15);
    for (int i = 1; i < verify_pendulum.check_count; i++) {
        const verify_check *c = &verify_pendulum.check[i];
        const elliptic e = elliptic_functions(sqrt(9.81) * c->time, 0.5);
        const double s = sqrt(0.5) * e.cn / e.dn;
        const double expected =
            c->quantity[4] == 'x' ? -2.0 * s * sqrt(1.0 - s * s) : 2.0 * s * s - 1.0;
        assert_near(c->reference, expected, 0.6e-12); // of twelve decimals
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digits),
        cmocka_unit_test(names),
        cmocka_unit_test(all_hold),
        cmocka_unit_test(wrong_reference),
        cmocka_unit_test(wrong_model),
        cmocka_unit_test(poor_integration),
        cmocka_unit_test(notes),
        cmocka_unit_test(cannot_be_run),
        cmocka_unit_test(elliptic_identities),
        cmocka_unit_test(pendulum_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
