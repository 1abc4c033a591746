// test_linear.c - linear models of vehicles: a lag in closed form, and the answer of engines
// and brakes to a small step as they simulate it themselves.
#include "run/run.h"
#include "support/platoon.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char text[] =
    "motorcade: scenario\n"
    "time: {end: 60, step: 0.05}\n"
    "road: {lanes: 3, grades: [{from: 0, to: 400, grade: 3 %, transition: 200}]}\n"
    "models:\n"
    "  dot: {kind: point, lag: 0.4}\n"
    "  town: {kind: powertrain, brake_delay: 0.15}\n"
    "  intake: {kind: powertrain, powertrain: manifold}\n"
    "  soft: {kind: cosserat, file: medusa/model.dat, tyre: brush}\n"
    "  hmmwv: {kind: multibody, mechanism: ../models/hmmwv.yaml, length: 4.6, width: 2.2, height: "
    "1.8}\n"
    "controllers: {keep: {law: cruise}}\n"
    "vehicles:\n"
    "  - {name: lag, model: dot, x: 100, v: 20, controller: keep}\n"
    "  - {name: town, model: town, x: 1000, v: 22, controller: keep}\n"
    "  - {name: intake, model: intake, x: 2000, v: 22, controller: keep}\n"
    "  - {name: hill, model: intake, x: 130, lane: 2, v: 15, controller: keep}\n"
    "  - {name: soft, model: soft, x: 3000, v: 20, controller: keep}\n"
    "  - {name: hmmwv, model: hmmwv, x: 4000, v: 20, controller: keep}\n";

static mc_run_linear_model linear(mc_run *run, const char *name, mc_run_input input)
{
    mc_error error;
    mc_run_linear_model m;
    const unsigned long long before = mc_run_hash(run);
    if (mc_run_linear(run, mc_run_find(run, name), input, &m, &error) != MC_OK)
        fail_msg("%s: %s", name, error.text);
    assert_true(mc_run_hash(run) == before);
    return m;
}

// v / u = 1 / (s (1 + T s)).
static void a_lag_has_its_closed_form(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_scenario(text);
    mc_run *run = platoon_run(s, 1);
    platoon_steps(run, 20);
    const mc_run_linear_model m = linear(run, "lag", MC_RUN_INPUT_ACCELERATION);
    assert_int_equal(m.order, 2);
    assert_true(fabs(m.pole_real[0]) < 1e-6 && fabs(m.pole_real[1] + 2.5) < 1e-6);
    assert_true(m.pole_imaginary[0] == 0.0 && m.delay == 0.0);
    for (double w = 0.01; w < 100.0; w *= 3.0) {
        double re, im;
        mc_run_linear_response(&m, w, &re, &im);
        const double size = 1.0 / (w * sqrt(1.0 + 0.16 * w * w));
        const double phase = -0.5 * 3.14159265358979324 - atan(0.4 * w);
        assert_true(fabs(hypot(re, im) / size - 1.0) < 1e-4);
        assert_true(fabs(atan2(im, re) - phase) < 1e-4 ||
                    fabs(atan2(im, re) - phase - 2.0 * 3.14159265358979324) < 1e-4);
    }
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// Speed after a step of the pedal: what the vehicle does with and without it, over its size.
static double step_of_vehicle(mc_run *run, const char *name, mc_run_input input, double u,
                              double size, double duration)
{
    mc_batch *batch;
    int i;
    double state[WORLD_STATE_MAX], v[2];
    const int vehicle = mc_run_find(run, name);
    mc_world_vehicle(run->world, vehicle, &batch, &i);
    batch->kind->save(batch, i, state);
    for (int k = 0; k < 2; k++) {
        mc_inputs in = run->inputs[run->slot[vehicle]];
        if (input == MC_RUN_INPUT_BRAKE)
            in.brake = u + k * size;
        else
            in.throttle = u + k * size;
        mc_motion m;
        batch->kind->restore(batch, i, state);
        batch->kind->set_inputs(batch, i, 1, &in);
        batch->kind->advance(batch, i, 1, duration);
        batch->kind->motion(batch, i, 1, &m);
        v[k] = m.v;
    }
    batch->kind->restore(batch, i, state);
    return (v[1] - v[0]) / size;
}

// The same of the model, by small steps of the fourth order.
static double step_of_model(const mc_run_linear_model *m, double duration)
{
    const int n = m->order, steps = (int)ceil(fmax(duration - m->delay, 0.0) / 5e-5);
    const double h = steps > 0 ? (duration - m->delay) / steps : 0.0;
    double x[MC_RUN_LINEAR_MAX] = {0}, k[4][MC_RUN_LINEAR_MAX], v = 0.0;
    for (int s = 0; s < steps; s++) {
        for (int stage = 0; stage < 4; stage++) {
            const double c = stage == 0 ? 0.0 : stage == 3 ? h : 0.5 * h;
            for (int i = 0; i < n; i++) {
                k[stage][i] = m->B[i];
                for (int j = 0; j < n; j++)
                    k[stage][i] +=
                        m->A[i * n + j] * (x[j] + (stage > 0 ? c * k[stage - 1][j] : 0.0));
            }
        }
        for (int i = 0; i < n; i++)
            x[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    }
    for (int i = 0; i < n; i++)
        v += m->C[i] * x[i];
    return v;
}

static void models_answer_like_their_vehicles(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        mc_run_input input;
        double tolerance; // the vehicle moves away from where the model was made
    } cases[] = {{"town", MC_RUN_INPUT_THROTTLE, 0.01}, {"intake", MC_RUN_INPUT_THROTTLE, 0.01},
                 {"hill", MC_RUN_INPUT_THROTTLE, 0.05}, {"town", MC_RUN_INPUT_BRAKE, 0.01},
                 {"soft", MC_RUN_INPUT_THROTTLE, 0.02}, {"hmmwv", MC_RUN_INPUT_THROTTLE, 0.05},
                 {"soft", MC_RUN_INPUT_BRAKE, 0.05},    {"hmmwv", MC_RUN_INPUT_BRAKE, 0.05}};
    mc_scenario *s = platoon_scenario(text);
    mc_run *run = platoon_run(s, 1);
    platoon_steps(run, 200); // at rest with itself
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const mc_run_linear_model m = linear(run, cases[c].name, cases[c].input);
        assert_true(m.order >= 2);
        for (double t = 0.25; t < 2.5; t *= 2.0) {
            const double theirs = step_of_vehicle(run, cases[c].name, cases[c].input, m.u, 1e-3, t);
            const double ours = step_of_model(&m, t);
            if (!(fabs(ours - theirs) < cases[c].tolerance * fabs(theirs) + 1e-6))
                fail_msg("%s, input %d, after %g s: %.6g, the vehicle %.6g (order %d)",
                         cases[c].name, (int)cases[c].input, t, ours, theirs, m.order);
        }
    }
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static void wrong_inputs_are_rejected(void **unused)
{
    (void)unused;
    mc_error error;
    mc_run_linear_model m;
    mc_scenario *s = platoon_scenario(text);
    mc_run *run = platoon_run(s, 1);
    assert_int_equal(mc_run_linear(run, 0, MC_RUN_INPUT_BRAKE, &m, &error), MC_BAD_INPUT);
    assert_string_equal(error.text,
                        "lag is a point car: it has no pedals; its input is an acceleration");
    assert_int_equal(mc_run_linear(run, 1, MC_RUN_INPUT_ACCELERATION, &m, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "town has pedals: its input is the throttle or the brake");
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// Every state of every type has a name of its own and a unit; the HMMWV has a model, too.
static void states_have_names(void **unused)
{
    (void)unused;
    static const struct {
        const char *car, *first, *unit;
        mc_run_input input;
    } cases[] = {
        {"lag", "v", "m/s", MC_RUN_INPUT_ACCELERATION},
        {"town", "n", "rpm", MC_RUN_INPUT_THROTTLE},
        {"intake", "manifold_pressure", "-", MC_RUN_INPUT_THROTTLE},
        {"soft", "w_lf", "rad/s", MC_RUN_INPUT_THROTTLE},
        {"soft", "brake_force", "-", MC_RUN_INPUT_BRAKE},
        {"hmmwv", "n", "rpm", MC_RUN_INPUT_THROTTLE},
    };
    mc_scenario *s = platoon_scenario(text);
    mc_run *run = platoon_run(s, 1);
    platoon_steps(run, 100);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const mc_run_linear_model m = linear(run, cases[k].car, cases[k].input);
        bool found = false;
        assert_true(m.order > 0);
        for (int j = 0; j < m.order; j++) {
            found = found || (strcmp(m.state[j].name, cases[k].first) == 0 &&
                              strcmp(m.state[j].unit, cases[k].unit) == 0);
            if (!m.state[j].unit[0] || m.state[j].name[0] == 'x')
                fail_msg("%s: state %d is \"%s\" in \"%s\"", cases[k].car, j, m.state[j].name,
                         m.state[j].unit);
            assert_true(m.size[j] > 0.0 && isfinite(m.value[j]));
            for (int i = 0; i < j; i++)
                assert_string_not_equal(m.state[i].name, m.state[j].name);
        }
        if (!found)
            fail_msg("%s has no state %s", cases[k].car, cases[k].first);
    }
    mc_run_destroy(run);
    mc_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lag_has_its_closed_form),
        cmocka_unit_test(models_answer_like_their_vehicles),
        cmocka_unit_test(wrong_inputs_are_rejected),
        cmocka_unit_test(states_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
