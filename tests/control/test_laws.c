// test_laws.c - every built-in law: tables and cards, steady states, signs, cars that follow, drive
// alone and catch up; the invariant of (7), bounds of the states, the adaptive law's argument.
#include "control/law.h"

#include "motorcade/laws.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { X_MAX = SIGNAL_COUNT + LAW_STATE_MAX + LAW_PARAM_MAX, Y_MAX = 1 + LAW_STATE_MAX };

// ---- one car under a law ---------------------------------------------------------------------

typedef struct rig { // a car whose acceleration is gain * desired + offset
    law *l;
    double x[X_MAX], y[Y_MAX];
    double *block, *work;
    double position, speed;
    double gain, offset, max, brake;
    double front_position, front_speed; // NAN: no vehicle
} rig;

static rig rig_make(const law_text *text)
{
    mc_error error = {0};
    rig r = {.l = law_compile(text, NULL, EXPR_INTERPRET, &error), .gain = 1.0, .max = 1e9};
    if (!r.l)
        fail_msg("%s: %s", text->name, error.text);
    r.brake = 1e9;
    r.block = aligned_alloc(32, 32 * (size_t)law_x_count(r.l));
    r.work = aligned_alloc(32, ((size_t)law_work(r.l) * 8 + 63) / 32 * 32);
    r.x[SIGNAL_DT] = 0.01;
    r.x[SIGNAL_HEADWAY] = 1.0;
    r.x[SIGNAL_DISTANCE] = 2.0;
    r.x[SIGNAL_V_SET] = 30.0;
    r.x[SIGNAL_PLACE] = 1.0;
    r.x[SIGNAL_FRESH] = 1.0;
    r.front_position = NAN;
    for (int i = 0; i < text->param_count; i++)
        r.x[law_param_at(r.l) + i] = text->params[i].fallback;
    return r;
}

static void rig_free(rig *r)
{
    law_destroy(r->l);
    free(r->block);
    free(r->work);
}

static double *param(rig *r, const char *name)
{
    const law_text *t = law_text_of(r->l);
    for (int i = 0; i < t->param_count; i++)
        if (strcmp(t->params[i].name, name) == 0)
            return &r->x[law_param_at(r->l) + i];
    fail_msg("law %s has no parameter %s", t->name, name);
    return NULL;
}

static double *state_of(rig *r, const char *name)
{
    const law_text *t = law_text_of(r->l);
    for (int i = 0; i < t->state_count; i++)
        if (strcmp(t->states[i].rate.name, name) == 0)
            return &r->x[law_state_at(r->l) + i];
    fail_msg("law %s has no state %s", t->name, name);
    return NULL;
}

static void evaluate(rig *r)
{
    double out[4 * Y_MAX];
    const int n = law_x_count(r->l), m = law_y_count(r->l);
    for (int i = 0; i < 4 * n; i++)
        r->block[i] = r->x[i / 4];
    law_run(r->l, 1, r->block, out, r->work);
    for (int i = 0; i < m; i++)
        r->y[i] = out[4 * i];
}

// Signals from the places of the two cars; the front's acceleration is given.
static void sense(rig *r, double a_front)
{
    double *x = r->x;
    const bool alone = isnan(r->front_position);
    x[SIGNAL_V] = r->speed;
    x[SIGNAL_GAP] = alone ? 1e6 : r->front_position - r->position;
    x[SIGNAL_V_FRONT] = x[SIGNAL_V_LEADER] = alone ? r->speed : r->front_speed;
    x[SIGNAL_A_FRONT] = x[SIGNAL_U_FRONT] = x[SIGNAL_A_LEADER] = alone ? 0.0 : a_front;
    x[SIGNAL_GAP_LEADER] = x[SIGNAL_GAP];
    x[SIGNAL_POSITION_ERROR] =
        alone ? 0.0 : x[SIGNAL_GAP] - x[SIGNAL_DISTANCE] - x[SIGNAL_HEADWAY] * r->speed;
    x[SIGNAL_SPEED_ERROR] = x[SIGNAL_V_FRONT] - r->speed;
}

static double clamped(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

// One step of Heun's method; x[SIGNAL_A] is what the car did in the step before.
static void step(rig *r, double a_front, double dt)
{
    const int first = law_state_at(r->l), count = law_y_count(r->l) - 1;
    double rate[LAW_STATE_MAX];
    sense(r, a_front);
    evaluate(r);
    const double before = r->speed;
    double a = clamped(r->gain * r->y[0] + r->offset, -r->brake, r->max);
    for (int i = 0; i < count; i++) {
        rate[i] = r->y[1 + i];
        r->x[first + i] += dt * rate[i];
    }
    r->position += dt * (r->speed + 0.5 * dt * a);
    r->speed += dt * a;
    if (!isnan(r->front_position)) {
        r->front_position += dt * (r->front_speed + 0.5 * dt * a_front);
        r->front_speed += dt * a_front;
    }
    sense(r, a_front);
    evaluate(r);
    for (int i = 0; i < count; i++)
        r->x[first + i] += 0.5 * dt * (r->y[1 + i] - rate[i]);
    const double a_end = clamped(r->gain * r->y[0] + r->offset, -r->brake, r->max);
    r->speed = before + 0.5 * dt * (a + a_end);
    if (r->speed < 0.0)
        r->speed = 0.0;
    r->x[SIGNAL_A] = 0.5 * (a + a_end);
}

static void begin(rig *r, double gap, double v, double v_front)
{
    r->position = 0.0;
    r->speed = v;
    r->front_position = gap;
    r->front_speed = v_front;
    r->x[SIGNAL_A] = 0.0;
    sense(r, 0.0);
    law_start(r->l, r->x, r->x + law_state_at(r->l));
}

static bool is(const law_text *t, const char *name)
{
    return strcmp(t->name, name) == 0;
}

static double steady_gap(const rig *r, double v)
{
    const law_text *t = law_text_of(r->l);
    const double *x = r->x;
    const double desired = x[SIGNAL_DISTANCE] + x[SIGNAL_HEADWAY] * v;
    if (is(t, "flatbed"))
        return x[SIGNAL_DISTANCE];
    return is(t, "idm") ? desired / sqrt(1.0 - pow(v / x[SIGNAL_V_SET], 4.0)) : desired;
}

// ---- tables ----------------------------------------------------------------------------------

static void tables_and_cards_are_whole(void **state)
{
    (void)state;
    int count = 0;
    for (const law_text *t; (t = law_at(count)); count++) {
        mc_law public;
        assert_ptr_equal(law_find(t->name), t);
        assert_true(mc_law_find(t->name, &public) && public.param_count == t->param_count);
        const char *const texts[] = {t->doc, t->card.equation, t->card.source, t->card.stability,
                                     t->card.limits};
        for (int i = 0; i < 5; i++)
            assert_true(texts[i] && strlen(texts[i]) > 10);
        assert_true(t->param_count <= LAW_PARAM_MAX && t->state_count <= LAW_STATE_MAX);
        for (int i = 0; i < t->param_count; i++) {
            const mc_param *p = &t->params[i];
            assert_true(p->min <= p->fallback && p->fallback <= p->max);
            assert_true(p->unit[0] && p->doc[0]);
            for (int s = 0; s < SIGNAL_COUNT; s++)
                assert_string_not_equal(p->name, law_signals[s].name);
        }
        mc_law_line line;
        int lines = 0;
        while (mc_law_line_at(t->name, lines, &line)) {
            assert_true(line.formula[0] && line.name[0]);
            lines++;
        }
        assert_int_equal(lines, public.line_count);
        assert_int_equal(line.kind, MC_LAW_LINE_ACCELERATION);
    }
    assert_int_equal(count, 13);
    assert_null(law_at(-1));
    assert_null(law_find("plattoon"));
}

static void signals_have_names_and_units(void **state)
{
    (void)state;
    for (int i = 0; i < SIGNAL_COUNT; i++) {
        mc_law_signal s;
        assert_true(mc_law_signal_at(i, &s) && s.name[0] && s.doc[0] && s.unit);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(s.name, law_signals[k].name);
    }
    assert_string_equal(law_signals[SIGNAL_USER_8].name, "user8");
    assert_string_equal(law_signals[SIGNAL_MASS].unit, "kg");
}

// ---- small motions ---------------------------------------------------------------------------

static void the_steady_state_is_steady(void **state)
{
    (void)state;
    for (int k = 0; law_at(k); k++) {
        rig r = rig_make(law_at(k));
        for (double v = 2.0; v < 30.0; v += 4.0) {
            r.x[SIGNAL_V_SET] = is(law_at(k), "cruise") ? v : 30.0;
            begin(&r, steady_gap(&r, v), v, v);
            evaluate(&r);
            for (int i = 0; i < law_y_count(r.l); i++)
                if (!(fabs(r.y[i]) < 1e-10))
                    fail_msg("%s at %g m/s: output %d is %g", law_at(k)->name, v, i, r.y[i]);
        }
        rig_free(&r);
    }
}

// What the law wants after a second in which nothing changes.
static double answer(rig *r, double gap, double v, double v_front)
{
    begin(r, steady_gap(r, v), v, v);
    sense(r, 0.0);
    r->front_position = gap;
    r->front_speed = v_front;
    sense(r, 0.0);
    for (int i = 0; i < 100; i++) {
        evaluate(r);
        for (int s = 1; s < law_y_count(r->l); s++)
            r->x[law_state_at(r->l) + s - 1] += 0.01 * r->y[s];
    }
    return r->y[0];
}

static void closer_and_slower_in_front_means_brake(void **state)
{
    (void)state;
    for (int k = 0; law_at(k); k++) {
        if (is(law_at(k), "cruise"))
            continue;
        rig r = rig_make(law_at(k));
        const double v = 20.0, gap = steady_gap(&r, v);
        const bool by_distance = !is(law_at(k), "pipes");
        assert_true(answer(&r, gap, v, v - 1.0) < -0.1);
        assert_true(answer(&r, gap, v, v + 1.0) > 0.05);
        if (by_distance) {
            assert_true(answer(&r, gap - 1.0, v, v) < -0.05);
            assert_true(answer(&r, gap + 1.0, v, v) > 0.05);
        }
        rig_free(&r);
    }
}

// ---- driving ---------------------------------------------------------------------------------

static void cars_follow_a_wavy_leader(void **state)
{
    (void)state;
    for (int k = 0; law_at(k); k++) {
        if (is(law_at(k), "cruise"))
            continue;
        rig r = rig_make(law_at(k));
        begin(&r, steady_gap(&r, 18.0), 18.0, 18.0);
        double min = 1e9;
        for (int i = 0; i < 12000; i++) {
            const double t = 0.01 * i;
            step(&r, t < 60.0 ? 0.8 * sin(0.4 * t) : 0.0, 0.01);
            min = fmin(min, r.front_position - r.position);
        }
        const double gap = r.front_position - r.position;
        assert_true(min > 0.5);
        assert_true(fabs(r.speed - r.front_speed) < 0.02);
        if (!is(law_at(k), "pipes"))
            assert_true(fabs(gap - steady_gap(&r, r.speed)) < 0.2);
        rig_free(&r);
    }
}

static void a_car_alone_takes_the_speed_command(void **state)
{
    (void)state;
    for (int k = 0; law_at(k); k++) {
        rig r = rig_make(law_at(k));
        r.max = 3.0;
        r.brake = 6.0;
        begin(&r, NAN, 10.0, 10.0);
        r.x[SIGNAL_V_SET] = 25.0;
        double max = 0.0;
        for (int i = 0; i < 12000; i++) {
            step(&r, 0.0, 0.01);
            max = fmax(max, r.speed);
        }
        if (!(fabs(r.speed - 25.0) < 0.05 && max < 26.5))
            fail_msg("%s: %g m/s at the end, at most %g", law_at(k)->name, r.speed, max);
        rig_free(&r);
    }
}

// 150 m behind: no car passes the speed allowed by much, none hits, all arrive.
static void a_car_far_behind_catches_up(void **state)
{
    (void)state;
    for (int k = 0; law_at(k); k++) {
        if (is(law_at(k), "cruise") || is(law_at(k), "pipes"))
            continue;
        rig r = rig_make(law_at(k));
        r.max = 3.0;
        r.brake = 8.0;
        begin(&r, 150.0, 15.0, 20.0);
        double min = 1e9, max = 0.0;
        for (int i = 0; i < 15000; i++) {
            step(&r, 0.0, 0.01);
            min = fmin(min, r.front_position - r.position);
            max = fmax(max, r.speed);
        }
        const double gap = r.front_position - r.position;
        if (!(min > 0.5 && max < 32.0 && fabs(gap - steady_gap(&r, 20.0)) < 0.3))
            fail_msg("%s: least gap %g, most speed %g, gap at the end %g", law_at(k)->name, min,
                     max, gap);
        rig_free(&r);
    }
}

// v - k gap does not change, whatever the leader does.
static void pipes_keeps_its_invariant(void **state)
{
    (void)state;
    rig r = rig_make(law_find("pipes"));
    begin(&r, 40.0, 15.0, 15.0);
    const double k = *param(&r, "k"), start = 15.0 - k * 40.0;
    for (int i = 0; i < 20000; i++) {
        const double t = 0.01 * i;
        step(&r, 1.5 * sin(0.5 * t) + (t > 100.0 && t < 105.0 ? -2.0 : 0.0), 0.01);
        assert_true(fabs(r.speed - k * (r.front_position - r.position) - start) < 1e-4);
    }
    rig_free(&r);
}

static void states_stay_within_their_bounds(void **state)
{
    (void)state;
    static const struct {
        const char *law, *state;
        double low, high;
    } rows[] = {
        {"platoon", "desired", -10.0, 5.0}, {"ploeg", "u", -10.0, 5.0},
        {"pid", "integral", -1.0, 1.0},     {"pid_scheduled", "integral", -1.0, 1.0},
        {"adaptive", "k1", 0.4, 3.6},       {"adaptive", "k2", 0.1, 0.9},
        {"adaptive", "k3", -1.5, 1.5},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        rig r = rig_make(law_find(rows[k].law));
        r.gain = 0.2; // a weak car on a slope, with a wild one in front
        r.offset = -0.5;
        begin(&r, 30.0, 20.0, 20.0);
        const double *value = state_of(&r, rows[k].state);
        for (int i = 0; i < 30000; i++) {
            step(&r, r.front_speed > 1.0 ? 4.0 * sin(0.003 * i) - 0.002 * r.front_speed : 1.0,
                 0.01);
            assert_true(isfinite(*value));
            assert_true(*value >= rows[k].low - 1e-9 && *value <= rows[k].high + 1e-9);
        }
        rig_free(&r);
    }
}

// ---- the adaptive law ------------------------------------------------------------------------

// A car that does 0.7 of what is asked less 0.3 m/s^2. The ideal gains are known, so V is; it
// falls.
static void adaptation_follows_its_argument(void **state)
{
    (void)state;
    rig r = rig_make(law_find("adaptive"));
    r.gain = 0.7;
    r.offset = -0.3;
    begin(&r, 27.0, 20.0, 20.0);
    const double a_model = *param(&r, "a_model"), k = *param(&r, "k");
    const double ideal[3] = {a_model / r.gain, a_model * k / r.gain, -r.offset / r.gain};
    const double *gain[3] = {state_of(&r, "k1"), state_of(&r, "k2"), state_of(&r, "k3")};
    const double gamma[3] = {*param(&r, "gamma1"), *param(&r, "gamma2"), *param(&r, "gamma3")};
    const double *v_model = state_of(&r, "v_model");
    double before = INFINITY, first = 0.0;
    for (int i = 0; i < 60000; i++) {
        step(&r, 0.0, 0.005);
        const double e = *v_model - r.speed;
        double V = 0.5 * e * e;
        for (int j = 0; j < 3; j++)
            V += 0.5 * r.gain * (*gain[j] - ideal[j]) * (*gain[j] - ideal[j]) / gamma[j];
        if (i == 0)
            first = V;
        assert_true(V <= before + 1e-6 * first);
        before = V;
    }
    assert_true(fabs(r.front_position - r.position - 22.0) < 0.05); // no error is left
    assert_true(fabs(r.speed - 20.0) < 1e-3);
    // Without adaptation 0.3 m/s^2 leave an error of 0.3/(0.7 a_model k) m.
    for (int j = 0; j < 3; j++)
        *param(&r, (const char *const[]){"gamma1", "gamma2", "gamma3"}[j]) = 0.0;
    begin(&r, 22.0, 20.0, 20.0);
    for (int i = 0; i < 60000; i++)
        step(&r, 0.0, 0.005);
    assert_true(fabs(r.front_position - r.position - 22.0 - 0.3 / (0.7 * a_model * k)) < 1e-6);
    rig_free(&r);
}

// The integral of pid removes the same error up to its bound; brake and acc leave it.
static void integrals_remove_a_steady_force(void **state)
{
    (void)state;
    static const struct {
        const char *law;
        double force, error; // m/s^2, m
    } rows[] = {
        {"pid", 0.4, 0.0},
        {"pid_scheduled", 0.4, 0.0},
        {"pid", 1.4, 0.4 / (1.6 * 0.25)}, // the integral stops at 1 m/s^2
        {"pid_scheduled", 1.4, 0.4 / (1.6 * 0.25)},
        {"acc", 0.4, 0.4 / 0.5},
        {"brake", 0.4, 0.4 / 0.25},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        rig r = rig_make(law_find(rows[k].law));
        r.offset = -rows[k].force;
        begin(&r, 22.0, 20.0, 20.0);
        for (int i = 0; i < 40000; i++)
            step(&r, 0.0, 0.01);
        assert_true(fabs(r.front_position - r.position - 22.0 - rows[k].error) < 1e-3);
        rig_free(&r);
    }
}

// Between the points of its table the scheduled PID is the fixed one with the gains in between.
static void the_schedule_is_linear(void **state)
{
    (void)state;
    rig fixed = rig_make(law_find("pid")), scheduled = rig_make(law_find("pid_scheduled"));
    *param(&fixed, "kp") = 0.4 * *param(&scheduled, "kp_10") + 0.6 * *param(&scheduled, "kp_20");
    *param(&fixed, "k") = *param(&scheduled, "k");
    *param(&fixed, "kd") = *param(&scheduled, "kd");
    begin(&fixed, 15.0, 16.0, 15.5);
    begin(&scheduled, 15.0, 16.0, 15.5);
    evaluate(&fixed);
    evaluate(&scheduled);
    assert_true(fabs(fixed.y[0]) > 0.1 && fabs(fixed.y[0] - scheduled.y[0]) < 1e-12);
    rig_free(&fixed);
    rig_free(&scheduled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_and_cards_are_whole),
        cmocka_unit_test(signals_have_names_and_units),
        cmocka_unit_test(the_steady_state_is_steady),
        cmocka_unit_test(closer_and_slower_in_front_means_brake),
        cmocka_unit_test(cars_follow_a_wavy_leader),
        cmocka_unit_test(a_car_alone_takes_the_speed_command),
        cmocka_unit_test(a_car_far_behind_catches_up),
        cmocka_unit_test(pipes_keeps_its_invariant),
        cmocka_unit_test(states_stay_within_their_bounds),
        cmocka_unit_test(adaptation_follows_its_argument),
        cmocka_unit_test(integrals_remove_a_steady_force),
        cmocka_unit_test(the_schedule_is_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
