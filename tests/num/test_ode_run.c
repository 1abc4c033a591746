// test_ode_run.c - the promises of ode.h, kept by every method of its table: rows, stopping,
// resuming, going back, failures with their place, counts, projection, no allocation, same bits.
#include "num/ode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// q'' = -q; counts its calls, remembers the farthest time, fails on demand.
typedef struct swing {
    double wall; // from here on the rate is `answer`, or not a number when that is ODE_OK
    ode_answer answer;
    double farthest, nearest; // times asked for
    long rates, jacobians;
    double jacobian_scale; // 1: right; 0: zero; -1: wrong sign
} swing;

static swing free_swing(void)
{
    return (swing){
        .wall = INFINITY, .farthest = -INFINITY, .nearest = INFINITY, .jacobian_scale = 1.0};
}

static ode_answer swing_rate(void *context, double t, const double *y, double *dy)
{
    swing *s = context;
    s->rates++;
    s->farthest = fmax(s->farthest, t);
    s->nearest = fmin(s->nearest, t);
    dy[0] = y[1];
    dy[1] = t >= s->wall ? NAN : -y[0];
    return t >= s->wall ? s->answer : ODE_OK;
}

static ode_answer swing_jacobian(void *context, double t, const double *y, double *j)
{
    (void)t, (void)y;
    swing *s = context;
    s->jacobians++;
    for (int i = 0; i < 4; i++)
        assert_true(j[i] == 0.0);
    j[1] = -s->jacobian_scale;
    j[2] = s->jacobian_scale;
    return ODE_OK;
}

static ode_options options_for(const ode_kind *kind)
{
    ode_options options = ode_options_default();
    options.rtol = options.atol = 1e-8;
    options.step = kind->adaptive ? 0.0 : 0.01;
    return options;
}

static ode *make(const ode_kind *kind, swing *s)
{
    static const char *const names[] = {"angle", "speed"};
    const ode_problem p = {.n = 2, .context = s, .rate = swing_rate, .name = names};
    const ode_options options = options_for(kind);
    mc_error error = {0};
    ode *o = ode_create(kind, &p, &options, &error);
    if (!o)
        print_message("%s\n", error.text);
    assert_non_null(o);
    const double y[2] = {1.0, 0.0};
    assert_int_equal(ode_start(o, 0.0, y, &error), MC_OK);
    return o;
}

// ---- table -------------------------------------------------------------------------------------

static void table_is_sane(void **state)
{
    (void)state;
    ode_kind kind, found, other;
    int count = 0;
    for (; ode_kind_at(count, &kind); count++) {
        assert_true(strlen(kind.name) > 0 && strlen(kind.doc) > 0 && kind.order >= 1);
        for (int j = 0; j < count; j++)
            assert_true(ode_kind_at(j, &other) && strcmp(other.name, kind.name) != 0);
        char shout[32];
        snprintf(shout, sizeof shout, "%s", kind.name);
        for (char *c = shout; *c; c++)
            *c = (char)(*c >= 'a' && *c <= 'z' ? *c - 32 : *c);
        assert_true(ode_kind_find(shout, &found) && strcmp(found.name, kind.name) == 0);
    }
    assert_int_equal(count, 14);
    assert_false(ode_kind_at(-1, &kind));
    assert_false(ode_kind_find("rk", &kind));
    assert_false(ode_kind_find("", &kind));
}

// ---- rows --------------------------------------------------------------------------------------

typedef struct sheet {
    double t[64], y[64][2];
    int rows, stop_after; // 0: never
} sheet;

static bool write_row(void *context, double t, const double *y)
{
    sheet *s = context;
    assert_true(s->rows < 64);
    s->t[s->rows] = t;
    memcpy(s->y[s->rows++], y, sizeof s->y[0]);
    return s->rows != s->stop_after;
}

static double accuracy(const ode_kind *kind)
{
    return kind->order == 1 ? 0.2 : kind->adaptive || kind->order >= 4 ? 1e-5 : 1e-3;
}

// Rows at uneven times, twice the same, start and end included; each once, in order, right.
static void rows_are_where_asked(void **state)
{
    (void)state;
    static const double times[] = {0.0, 1e-7, 0.3, 0.3, 1.0 / 3, 0.9999, 2.0, 2.00001, 3.5};
    enum { COUNT = sizeof times / sizeof times[0] };
    ode_kind kind;
    for (int i = 0; ode_kind_at(i, &kind); i++) {
        swing s = free_swing();
        ode *o = make(&kind, &s);
        sheet rows = {0};
        assert_int_equal(ode_run(o, 3.5, times, COUNT, write_row, &rows, NULL), MC_OK);
        assert_int_equal(rows.rows, COUNT);
        for (int r = 0; r < COUNT; r++) {
            assert_true(rows.t[r] == times[r]);
            assert_true(fabs(rows.y[r][0] - cos(times[r])) < accuracy(&kind));
            assert_true(fabs(rows.y[r][1] + sin(times[r])) < accuracy(&kind));
        }
        assert_memory_equal(rows.y[COUNT - 1], ode_state(o), sizeof rows.y[0]);
        assert_true(ode_time(o) == 3.5 && ode_report_of(o)->time == 3.5);
        assert_true(s.farthest <= 3.5 && s.nearest >= 0.0);
        assert_int_equal(ode_report_of(o)->rates, s.rates);
        assert_int_equal(ode_report_of(o)->status, MC_OK);
        ode_free(o);
    }
}

static void stopping_and_going_on(void **state)
{
    (void)state;
    static const double times[] = {0.5, 1.0, 1.5};
    ode_kind kind;
    for (int i = 0; ode_kind_at(i, &kind); i++) {
        swing s = free_swing();
        ode *o = make(&kind, &s);
        sheet rows = {.stop_after = 2};
        mc_error error = {0};
        assert_int_equal(ode_run(o, 2.0, times, 3, write_row, &rows, &error), MC_INTERRUPTED);
        assert_int_equal(rows.rows, 2);
        assert_non_null(strstr(error.text, "t = 1 s"));
        assert_true(ode_time(o) >= 1.0 && ode_time(o) <= 2.0);
        assert_int_equal(ode_run(o, 2.0, NULL, 0, NULL, NULL, &error), MC_OK);
        assert_int_equal(ode_run(o, 2.0, NULL, 0, NULL, NULL, &error), MC_OK); // nothing left
        assert_int_equal(ode_run(o, 3.0, NULL, 0, NULL, NULL, &error), MC_OK);
        assert_true(ode_time(o) == 3.0);
        assert_true(fabs(ode_state(o)[0] - cos(3.0)) < accuracy(&kind));
        ode_free(o);
    }
}

// There and back again, rows on the way back included.
static void backwards(void **state)
{
    (void)state;
    static const double times[] = {2.0, 1.25, -0.5};
    ode_kind kind;
    for (int i = 0; ode_kind_at(i, &kind); i++) {
        swing s = free_swing();
        ode *o = make(&kind, &s);
        assert_int_equal(ode_run(o, 2.0, NULL, 0, NULL, NULL, NULL), MC_OK);
        sheet rows = {0};
        assert_int_equal(ode_run(o, -0.5, times, 3, write_row, &rows, NULL), MC_OK);
        for (int r = 0; r < 3; r++)
            assert_true(fabs(rows.y[r][0] - cos(times[r])) < accuracy(&kind));
        assert_true(s.nearest >= -0.5 && ode_time(o) == -0.5);
        ode_free(o);
    }
}

static void times_out_of_order(void **state)
{
    (void)state;
    static const double bad[][2] = {{1.0, 0.5}, {-0.1, 1.0}, {1.0, 2.5}, {NAN, 1.0}};
    ode_kind kind;
    assert_true(ode_kind_find("dopri5", &kind));
    swing s = free_swing();
    ode *o = make(&kind, &s);
    for (int i = 0; i < 4; i++) {
        sheet rows = {0};
        mc_error error = {0};
        assert_int_equal(ode_run(o, 2.0, bad[i], 2, write_row, &rows, &error), MC_BAD_INPUT);
        assert_non_null(strstr(error.text, "output time"));
        assert_int_equal(rows.rows, 0);
    }
    ode_free(o);
}

// ---- options -----------------------------------------------------------------------------------

static void bad_options(void **state)
{
    (void)state;
    ode_kind fixed, free_step;
    assert_true(ode_kind_find("rk4", &fixed) && ode_kind_find("radau5", &free_step));
    const ode_options good = ode_options_default();
    const double bad_each[2] = {1e-9, -1.0};
    ode_options o[8] = {good, good, good, good, good, good, good, good};
    static const char *const word[8] = {"relative", "absolute", "state 1", "step",
                                        "step",     "longest",  "steps",   "relative"};
    o[0].rtol = 0.0, o[1].atol = -1.0, o[2].atol_each = bad_each, o[3].step = -1.0;
    o[4].step = NAN, o[5].step_max = -1.0, o[6].steps_max = -1, o[7].rtol = NAN;
    swing s = free_swing();
    const ode_problem p = {.n = 2, .context = &s, .rate = swing_rate};
    for (int i = 0; i < 8; i++) {
        mc_error error = {0};
        assert_null(ode_create(&free_step, &p, &o[i], &error));
        assert_int_equal(error.code, MC_BAD_INPUT);
        assert_non_null(strstr(error.text, word[i]));
    }
    mc_error error = {0};
    assert_null(ode_create(&fixed, &p, &good, &error)); // no step given
    assert_non_null(strstr(error.text, "rk4: step 0 s"));
    ode *made = ode_create(&free_step, &p, &good, &error);
    const double y[2] = {1.0, INFINITY};
    assert_int_equal(ode_start(made, 0.0, y, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "state 1"));
    ode_free(made);
    ode_free(NULL);
}

// A longest step is kept: at least that many steps. A tolerance of its own for each state counts.
static void step_max_and_atol_each(void **state)
{
    (void)state;
    ode_kind kind;
    for (int i = 0; ode_kind_at(i, &kind); i++) {
        if (!kind.adaptive)
            continue;
        swing s = free_swing();
        const ode_problem p = {.n = 2, .context = &s, .rate = swing_rate};
        ode_options options = options_for(&kind);
        options.rtol = options.atol = 1e-3;
        options.step_max = 0.01;
        ode *o = ode_create(&kind, &p, &options, NULL);
        const double y[2] = {1.0, 0.0};
        ode_start(o, 0.0, y, NULL);
        assert_int_equal(ode_run(o, 2.0, NULL, 0, NULL, NULL, NULL), MC_OK);
        assert_true(ode_report_of(o)->steps >= 200 && ode_report_of(o)->steps < 300);
        ode_free(o);

        const double loose[2] = {1e-2, 1e-2}, tight[2] = {1e-2, 1e-9};
        long steps[2];
        for (int k = 0; k < 2; k++) {
            options.step_max = 0.0;
            options.rtol = 1e-10;
            options.atol_each = k ? tight : loose;
            o = ode_create(&kind, &p, &options, NULL);
            ode_start(o, 0.0, y, NULL);
            assert_int_equal(ode_run(o, 10.0, NULL, 0, NULL, NULL, NULL), MC_OK);
            steps[k] = ode_report_of(o)->steps;
            ode_free(o);
        }
        assert_true(steps[1] > 2 * steps[0]);
    }
}

// ---- failures ----------------------------------------------------------------------------------

// The rate turns to nan at t = 1.5: the run fails there, says so, and keeps the last good state.
static void rate_not_finite(void **state)
{
    (void)state;
    ode_kind kind;
    for (int i = 0; ode_kind_at(i, &kind); i++) {
        swing s = free_swing();
        s.wall = 1.5;
        ode *o = make(&kind, &s);
        mc_error error = {0};
        assert_int_equal(ode_run(o, 3.0, NULL, 0, NULL, NULL, &error), MC_FAILED);
        const ode_report *r = ode_report_of(o);
        if (r->trouble != ODE_RATE_NOT_FINITE || !strstr(error.text, "(speed)"))
            print_message("%s\n", error.text);
        assert_int_equal(r->trouble, ODE_RATE_NOT_FINITE);
        assert_int_equal(r->status, MC_FAILED);
        assert_true(r->time >= 1.5 && r->time <= 1.5 + 0.011);
        assert_int_equal(r->component, 1);
        assert_non_null(strstr(error.text, kind.name));
        assert_non_null(strstr(error.text, "rate not finite at t = 1.5"));
        assert_non_null(strstr(error.text, "(speed)"));
        assert_true(ode_time(o) <= 1.5 && ode_time(o) > 1.3); // some never look at the end
        assert_true(fabs(ode_state(o)[0] - cos(ode_time(o))) < accuracy(&kind));
        // With the wall removed, it continues from there.
        s.wall = INFINITY;
        assert_int_equal(ode_run(o, 3.0, NULL, 0, NULL, NULL, &error), MC_OK);
        assert_true(fabs(ode_state(o)[0] - cos(3.0)) < accuracy(&kind));
        ode_free(o);
    }
}

static void rate_rejects(void **state)
{
    (void)state;
    ode_kind kind;
    for (int i = 0; ode_kind_at(i, &kind); i++)
        for (int start = 0; start < 2; start++) {
            swing s = free_swing();
            s.wall = start ? 0.0 : 1.5;
            s.answer = ODE_FAILED;
            ode *o = make(&kind, &s);
            mc_error error = {0};
            assert_int_equal(ode_run(o, 3.0, NULL, 0, NULL, NULL, &error), MC_FAILED);
            if (ode_report_of(o)->trouble != ODE_RATE_REJECTED)
                print_message("%s\n", error.text);
            assert_int_equal(ode_report_of(o)->trouble, ODE_RATE_REJECTED);
            assert_non_null(strstr(error.text, "could not be computed"));
            assert_int_equal(ode_report_of(o)->component, -1);
            ode_free(o);
        }
}

// y' = y^2 from 1 has a pole at t = 1: every adaptive method names that time.
static ode_answer pole_rate(void *context, double t, const double *y, double *dy)
{
    (void)context, (void)t;
    dy[0] = 0.0;
    dy[1] = y[1] * y[1];
    return ODE_OK;
}

static void a_pole(void **state)
{
    (void)state;
    ode_kind kind;
    for (int i = 0; ode_kind_at(i, &kind); i++) {
        if (!kind.adaptive)
            continue;
        ode_options options = options_for(&kind);
        options.steps_max = 100000;
        ode *o = ode_create(&kind, &(ode_problem){.n = 2, .rate = pole_rate}, &options, NULL);
        const double y[2] = {1.0, 1.0};
        mc_error error = {0};
        ode_start(o, 0.0, y, NULL);
        assert_int_equal(ode_run(o, 2.0, NULL, 0, NULL, NULL, &error), MC_FAILED);
        const ode_report *r = ode_report_of(o);
        print_message("%s\n", error.text);
        assert_true(fabs(r->time - 1.0) < 1e-4);
        assert_true(r->trouble == ODE_STEP_TOO_SMALL || r->trouble == ODE_RATE_NOT_FINITE ||
                    r->trouble == ODE_NEWTON_FAILED);
        assert_int_equal(r->component, 1);
        assert_true(strlen(error.text) > 40);
        ode_free(o);
    }
}

static void too_many_steps(void **state)
{
    (void)state;
    ode_kind kind;
    for (int i = 0; ode_kind_at(i, &kind); i++) {
        swing s = free_swing();
        ode_options options = options_for(&kind);
        options.steps_max = 10;
        ode *o = ode_create(&kind, &(ode_problem){.n = 2, .context = &s, .rate = swing_rate},
                            &options, NULL);
        const double y[2] = {1.0, 0.0};
        mc_error error = {0};
        ode_start(o, 0.0, y, NULL);
        assert_int_equal(ode_run(o, 100.0, NULL, 0, NULL, NULL, &error), MC_FAILED);
        assert_int_equal(ode_report_of(o)->trouble, ODE_TOO_MANY_STEPS);
        assert_non_null(strstr(error.text, "too many steps"));
        // The last step may bring several rejections with it.
        assert_true(ode_report_of(o)->steps <= 10 && ode_report_of(o)->steps >= 3);
        ode_free(o);
    }
}

// The trouble of a rate that jumps between +-1e6 at every look: nothing can converge.
static ode_answer wild_rate(void *context, double t, const double *y, double *dy)
{
    (void)t, (void)y;
    long *calls = context;
    dy[0] = ++*calls % 2 ? 1e6 : -1e6;
    return ODE_OK;
}

static void newton_fails(void **state)
{
    (void)state;
    static const char *const names[] = {"gauss2", "gauss4", "gauss6", "radau5"};
    for (int i = 0; i < 4; i++) {
        ode_kind kind;
        assert_true(ode_kind_find(names[i], &kind));
        long calls = 0;
        const ode_options options = options_for(&kind);
        ode *o = ode_create(&kind, &(ode_problem){.n = 1, .context = &calls, .rate = wild_rate},
                            &options, NULL);
        const double y = 1.0;
        mc_error error = {0};
        ode_start(o, 1.0, &y, NULL);
        assert_int_equal(ode_run(o, 3.0, NULL, 0, NULL, NULL, &error), MC_FAILED);
        const ode_report *r = ode_report_of(o);
        if (r->trouble != ODE_NEWTON_FAILED && r->trouble != ODE_STEP_TOO_SMALL)
            print_message("%s\n", error.text);
        assert_true(r->trouble == ODE_NEWTON_FAILED ||
                    (kind.adaptive && r->trouble == ODE_STEP_TOO_SMALL));
        assert_non_null(strstr(error.text, "at t = 1"));
        assert_int_equal(r->component, 0);
        ode_free(o);
    }
}

// ---- Jacobian ----------------------------------------------------------------------------------

// The caller's function is used, each call counted; a wrong one costs work but not accuracy.
static void jacobians_right_and_wrong(void **state)
{
    (void)state;
    static const double scales[] = {1.0, 0.0, -1.0};
    ode_kind kind;
    int checked = 0;
    for (int i = 0; ode_kind_at(i, &kind); i++) {
        long work[3] = {0};
        for (int k = 0; k < 3; k++) {
            swing s = free_swing();
            s.jacobian_scale = scales[k];
            const ode_problem p = {
                .n = 2, .context = &s, .rate = swing_rate, .jacobian = swing_jacobian};
            const ode_options options = options_for(&kind);
            ode *o = ode_create(&kind, &p, &options, NULL);
            const double y[2] = {1.0, 0.0};
            mc_error error = {0};
            ode_start(o, 0.0, y, NULL);
            assert_int_equal(ode_run(o, 5.0, NULL, 0, NULL, NULL, &error), MC_OK);
            assert_true(fabs(ode_state(o)[0] - cos(5.0)) < accuracy(&kind));
            const ode_report *r = ode_report_of(o);
            assert_int_equal(r->jacobians, s.jacobians);
            assert_int_equal(r->rates, s.rates);
            assert_true(kind.implicit == (r->jacobians > 0));
            assert_true(kind.implicit == (r->factorizations > 0));
            work[k] = r->rates;
            ode_free(o);
        }
        if (kind.implicit) {
            assert_true(work[2] > work[0]);
            checked++;
        }
    }
    assert_int_equal(checked, 5);
}

// ---- projection --------------------------------------------------------------------------------

// A quaternion turned at a constant rate about z, q' = q w / 2; the rate adds a little growth that
// only the projection takes away again.
static ode_answer turn_rate(void *context, double t, const double *q, double *dq)
{
    (void)context, (void)t;
    const double half = 0.5;
    dq[0] = -half * q[3], dq[1] = half * q[2], dq[2] = -half * q[1], dq[3] = half * q[0];
    for (int i = 0; i < 4; i++)
        dq[i] += 1e-6 * q[i];
    return ODE_OK;
}

static void normalise(void *context, double t, double *q, bool step)
{
    (void)t, (void)step;
    ++*(long *)context;
    const double scale = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++)
        q[i] *= scale;
}

static bool is_unit(void *context, double t, const double *q)
{
    (void)t;
    double *worst = context;
    *worst = fmax(*worst, fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0));
    return true;
}

static void projection(void **state)
{
    (void)state;
    double times[40];
    for (int i = 0; i < 40; i++)
        times[i] = 0.25 * (i + 1);
    ode_kind kind;
    for (int i = 0; ode_kind_at(i, &kind); i++) {
        long calls = 0;
        const ode_problem p = {.n = 4, .context = &calls, .rate = turn_rate, .project = normalise};
        const ode_options options = options_for(&kind);
        ode *o = ode_create(&kind, &p, &options, NULL);
        const double q[4] = {1.0, 0.0, 0.0, 0.0};
        double worst = 0.0;
        ode_start(o, 0.0, q, NULL);
        assert_int_equal(ode_run(o, 10.0, times, 40, is_unit, &worst, NULL), MC_OK);
        assert_true(worst < 1e-15 * 4);
        const bool inside = strcmp(kind.name, "cvode-adams") != 0;
        assert_true(calls >= 40 + (inside ? ode_report_of(o)->steps : 0));
        const double *end = ode_state(o);
        assert_true(fabs(end[0] - cos(5.0)) < accuracy(&kind));
        assert_true(fabs(end[3] - sin(5.0)) < accuracy(&kind));
        ode_free(o);
    }
}

// ---- memory and bits ---------------------------------------------------------------------------

// Thirty coupled masses: enough for a block allocated by a step to be seen.
enum { CHAIN = 60 };

static ode_answer chain_rate(void *context, double t, const double *y, double *dy)
{
    (void)context, (void)t;
    for (int i = 0; i < CHAIN / 2; i++) {
        const double left = i > 0 ? y[i - 1] : 0.0, right = i + 1 < CHAIN / 2 ? y[i + 1] : 0.0;
        dy[i] = y[CHAIN / 2 + i];
        dy[CHAIN / 2 + i] = 400.0 * (left - 2.0 * y[i] + right) - 0.5 * y[CHAIN / 2 + i];
    }
    return ODE_OK;
}

static void no_allocation(void **state)
{
    (void)state;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    double y[CHAIN] = {1.0};
    ode_kind kind;
    for (int i = 0; ode_kind_at(i, &kind); i++) {
        if (strncmp(kind.name, "cvode", 5) == 0)
            continue;
        ode_options options = options_for(&kind);
        options.step = kind.adaptive ? 0.0 : 0.001;
        ode *o = ode_create(&kind, &(ode_problem){.n = CHAIN, .rate = chain_rate}, &options, NULL);
        assert_non_null(o);
        const struct mallinfo2 before = mallinfo2();
        const mc_status a = ode_start(o, 0.0, y, NULL);
        const mc_status b = ode_run(o, 0.5, NULL, 0, NULL, NULL, NULL);
        const struct mallinfo2 after = mallinfo2();
        assert_true(a == MC_OK && b == MC_OK);
        assert_true(after.uordblks == before.uordblks && after.hblks == before.hblks);
        ode_free(o);
    }
#endif
}

// Two runs, one of them after something else in the same object, end in the same bits.
static void same_bits(void **state)
{
    (void)state;
    double y[CHAIN] = {1.0};
    ode_kind kind;
    for (int i = 0; ode_kind_at(i, &kind); i++) {
        ode_options options = options_for(&kind);
        options.step = kind.adaptive ? 0.0 : 0.001;
        const ode_problem p = {.n = CHAIN, .rate = chain_rate};
        ode *a = ode_create(&kind, &p, &options, NULL), *b = ode_create(&kind, &p, &options, NULL);
        ode_start(a, 0.0, y, NULL);
        assert_int_equal(ode_run(a, 0.5, NULL, 0, NULL, NULL, NULL), MC_OK);
        double other[CHAIN] = {0.0, 3.0};
        ode_start(b, 7.0, other, NULL);
        assert_int_equal(ode_run(b, 7.2, NULL, 0, NULL, NULL, NULL), MC_OK);
        ode_start(b, 0.0, y, NULL);
        assert_int_equal(ode_run(b, 0.5, NULL, 0, NULL, NULL, NULL), MC_OK);
        assert_true(fabs(ode_state(a)[0]) > 1e-6 && ode_state(a)[0] != 1.0);
        assert_memory_equal(ode_state(a), ode_state(b), sizeof y);
        assert_int_equal(ode_report_of(a)->rates, ode_report_of(b)->rates);
        ode_free(a);
        ode_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_is_sane),
        cmocka_unit_test(rows_are_where_asked),
        cmocka_unit_test(stopping_and_going_on),
        cmocka_unit_test(backwards),
        cmocka_unit_test(times_out_of_order),
        cmocka_unit_test(bad_options),
        cmocka_unit_test(step_max_and_atol_each),
        cmocka_unit_test(rate_not_finite),
        cmocka_unit_test(rate_rejects),
        cmocka_unit_test(a_pole),
        cmocka_unit_test(too_many_steps),
        cmocka_unit_test(newton_fails),
        cmocka_unit_test(jacobians_right_and_wrong),
        cmocka_unit_test(projection),
        cmocka_unit_test(no_allocation),
        cmocka_unit_test(same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
