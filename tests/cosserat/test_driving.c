// test_driving.c - the deformable vehicle with wheels, brakes and an engine: closed forms,
// energy balance, CVODE, and what the contract asks of a driven kind.
#include "cosserat/batch.h"
#include "cosserat/equilibrium.h"
#include "parts/suspension_linear.h"
#include "parts/tyre_formula.h"
#include "road/road.h"
#include "support/reference.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

static const double g = 9.81;

// ---- a small engine: force follows the throttle with a lag -------------------------------------

enum { ENGINE_MAX, ENGINE_LAG, ENGINE_PARAMS };
static const mc_param engine_params[] = {
    [ENGINE_MAX] = {"max_force", "N", 6000.0, 0.0, 1e5, "force at full throttle"},
    [ENGINE_LAG] = {"lag", "s", 0.2, 0.01, 10.0, "lag of the force"},
};

static void engine_eval(const double *p, int n, const powertrain_in *in, const double *x,
                        double *dx, const powertrain_out *out)
{
    for (int i = 0; i < n; i++) {
        const double max = p[ENGINE_MAX * n + i], lag = p[ENGINE_LAG * n + i];
        dx[i] = (in->throttle[i] * max - x[i]) / lag;
        out->force[i] = x[i];
        out->fuel[i] = 1e-7 * x[i];
        out->input_power[i] = x[i] * in->v[i];
        out->rpm[i] = 600.0 + 50.0 * fabs(in->v[i]);
        out->region[i] = 0.0;
    }
}

static double engine_step(const double *p)
{
    return p[ENGINE_LAG];
}

static void engine_settle(const double *p, double v, double throttle, double *x)
{
    (void)v;
    x[0] = throttle * p[ENGINE_MAX];
}

static double engine_invert(const double *p, double v, double force)
{
    (void)v;
    return fmin(fmax(force / p[ENGINE_MAX], 0.0), 1.0);
}

static const powertrain_kind engine = {.name = "test",
                                       .doc = "force with lag",
                                       .params = engine_params,
                                       .param_count = ENGINE_PARAMS,
                                       .state_count = 1,
                                       .eval = {engine_eval, engine_eval},
                                       .step_bound = engine_step,
                                       .settle = engine_settle,
                                       .invert = engine_invert};

// ---- cars --------------------------------------------------------------------------------------

static cosserat_model driven_model(const char *tyre)
{
    cosserat_model model = sample_model_at_rest(1);
    model.gear.tyre = tyre_kind_find(tyre);
    tyre_defaults(model.gear.tyre, model.gear.tyre_p);
    model.gear.driven = true;
    model.gear.powertrain = &engine;
    for (int k = 0; k < ENGINE_PARAMS; k++)
        model.gear.powertrain_p[k] = engine_params[k].fallback;
    return model;
}

static mc_batch *make(const cosserat_model *model, int count, double step, double speed)
{
    mc_batch *b = cosserat_batch_create(model, count, COSSERAT_EXPONENTIAL, step);
    assert_non_null(b);
    for (int i = 0; i < count; i++)
        cosserat_batch_place(b, i, 0.0, 3.0 * i, 0.0, speed, 0.0, 0);
    return b;
}

static void control(mc_batch *b, double throttle, double brake, double steer)
{
    const mc_inputs in = {throttle, brake, steer, 0.0};
    for (int i = 0; i < b->count; i++)
        b->kind->set_inputs(b, i, 1, &in);
}

static mc_motion look(const mc_batch *b, int i)
{
    mc_motion m;
    b->kind->motion(b, i, 1, &m);
    return m;
}

static double channel(const mc_batch *b, int i, const char *name)
{
    double value[32];
    assert_true(b->kind->channel_count <= 32);
    b->kind->read_channels(b, i, value);
    for (int k = 0; k < b->kind->channel_count; k++)
        if (strcmp(b->kind->channels[k].name, name) == 0)
            return value[k];
    fail_msg("no channel %s", name);
    return NAN;
}

static double total(const mc_batch *b, int i) // J, must not change
{
    mc_energy e;
    b->kind->energy(b, i, &e);
    return e.kinetic + e.elastic + e.spring + e.gravity + e.damped + e.slipped + e.braked +
           e.dragged + e.crushed - e.driven;
}

static const char *const laws[] = {"brush", "linear", "calspan"};

// ---- braking -----------------------------------------------------------------------------------

// 30 m/s to rest with half and full brake: the car stops, rocks on its treads, and stays. Its
// acceleration never jumps.
static void brakes_to_rest_and_stays(void **unused)
{
    (void)unused;
    for (int k = 0; k < 4; k++) {
        const cosserat_model model =
            driven_model(laws[(k + 1) / 2]); // brush, linear twice, calspan
        mc_batch *b = make(&model, 1, 1e-3, 30.0);
        control(b, 0.0, k ? 1.0 : 0.5, 0.0);
        double farthest = 0.0, jump = 0.0, before = look(b, 0).a;
        for (int i = 0; i < 11000; i++) {
            b->kind->advance(b, 0, 1, 1e-3);
            const mc_motion m = look(b, 0);
            farthest = fmax(farthest, m.x);
            if (m.v < 25.0) // the lag of the brake is behind us
                jump = fmax(jump, fabs(m.a - before));
            before = m.a;
        }
        mc_motion m = look(b, 0);
        assert_true(fabs(m.v) < 1e-3);
        assert_true(farthest - m.x < (k ? 0.04 : 0.02)); // elastic rebound, m
        assert_true(jump < 0.3);                         // m/s^2 in a millisecond
        b->kind->limit_step(b, 2.4e-3);
        b->kind->advance(b, 0, 1, 25.0);
        const double rest = look(b, 0).x;
        b->kind->advance(b, 0, 1, 10.0);
        m = look(b, 0);
        assert_true(fabs(m.x - rest) < 1e-10 && fabs(m.v) < 1e-10);
        assert_true(fabs(rest - farthest) < 0.04);
        b->kind->destroy(b);
    }
}

// All wheels locked on a road of friction 0.3, no drag: the way is v^2 / (2 mu g).
static void locked_wheels_slide_by_the_closed_form(void **unused)
{
    (void)unused;
    const road slippery = {.lane_count = 1, .lane_width = 3.4, .friction = {.fallback = 0.3}};
    for (int k = 0; k < 2; k++) {
        cosserat_model model = driven_model(laws[k]);
        model.gear.drive[DRIVE_DRAG] = model.gear.drive[DRIVE_ROLL] = 0.0;
        mc_batch *b = make(&model, 1, 1e-3, 30.0);
        b->kind->set_road(b, &slippery);
        control(b, 0.0, 1.0, 0.0);
        b->kind->advance(b, 0, 1, 3.0); // locked, and done pitching
        for (int q = 0; q < 4; q++)
            assert_true(fabs(channel(b, 0, (const char *[]){"w_lf", "w_rf", "w_lr", "w_rr"}[q])) <
                        1e-3);
        const mc_motion start = look(b, 0);
        assert_true(start.v > 20.0);
        double x = start.x;
        for (mc_motion m = start; m.v > 0.0; m = look(b, 0)) {
            x = m.x;
            b->kind->advance(b, 0, 1, 1e-3);
        }
        const double way = start.v * start.v / (2.0 * 0.3 * g);
        assert_true(fabs((x - start.x) / way - 1.0) < 1e-4);
        b->kind->destroy(b);
    }
}

// Ice in front only lets the front wheels lock, and the car turns less than its steering says.
static void friction_belongs_to_the_place(void **unused)
{
    (void)unused;
    const double x[2] = {40.0, 41.0}, mu[2] = {1.0, 0.1};
    const road icy = {.lane_count = 1, .friction = {x, mu, 2, 1.0}};
    cosserat_model model = driven_model("brush");
    mc_batch *b = make(&model, 1, 1e-3, 20.0);
    b->kind->set_road(b, &icy);
    control(b, 0.0, 0.4, 0.0);
    double min = 0.0;
    while (look(b, 0).x < 39.0) {
        b->kind->advance(b, 0, 1, 0.01);
        min = fmin(min, look(b, 0).a);
    }
    assert_true(fabs(min + 0.4 * g) < 0.5);
    assert_true(channel(b, 0, "w_lf") > 10.0);
    while (look(b, 0).x < 45.0)
        b->kind->advance(b, 0, 1, 0.01);
    b->kind->advance(b, 0, 1, 0.3);
    assert_true(fabs(channel(b, 0, "w_lf")) < 0.1);
    assert_true(fabs(look(b, 0).a + 0.1 * g) < 0.3);
    b->kind->destroy(b);
}

// ---- slopes ------------------------------------------------------------------------------------

// Half a minute on 15 degrees with the brake on, uphill and downhill: no motion once at rest.
static void stands_on_a_slope(void **unused)
{
    (void)unused;
    for (int k = 0; k < 3; k++) {
        const double at[1] = {0.0}, slope[1] = {(k == 1 ? -15.0 : 15.0) * 3.14159265358979 / 180.0};
        const road hill = {
            .lane_count = 1, .slope = {at, slope, 1, 0.0}, .friction = {.fallback = 1}};
        cosserat_model model = driven_model(laws[k]);
        model.gear.powertrain = NULL;
        mc_batch *b = make(&model, 1, 2.4e-3, 0.0);
        b->kind->set_road(b, &hill);
        control(b, 0.0, 1.0, 0.0);
        b->kind->advance(b, 0, 1, 40.0);
        const double rest = look(b, 0).x;
        b->kind->advance(b, 0, 1, 30.0);
        assert_true(fabs(look(b, 0).x - rest) < 1e-10); // an hour: below 1e-8 m; 1 mm is allowed
        assert_true(fabs(look(b, 0).v) < 1e-10);
        control(b, 0.0, 0.0, 0.0); // let go: it rolls, downhill
        b->kind->advance(b, 0, 1, 3.0);
        const double m = 1573.0, spin = 4.0 * 1.2 / 0.09, v = look(b, 0).v;
        assert_true(k == 1 ? v > 0.0 : v < 0.0);
        const double roll = 0.01 * m * g * cos(slope[0]), pull = m * g * fabs(sin(slope[0]));
        const double fastest = (pull - roll) / (m + spin) * 3.0;
        assert_true(fabs(v) < fastest && fabs(v) > 0.6 * fastest); // the brake took 0.2 s to open
        b->kind->destroy(b);
    }
}

// A parked car on a slope is kicked: it shifts a little, the chassis vibrates, and it stands again.
// Bristles that slip under every load would let it wander as long as it shakes.
static void kicked_car_stays_parked(void **unused)
{
    (void)unused;
    const double at[1] = {0.0}, slope[1] = {0.26};
    const road hill = {.lane_count = 1, .slope = {at, slope, 1, 0.0}, .friction = {.fallback = 1}};
    cosserat_model model = driven_model("brush");
    model.gear.powertrain = NULL;
    mc_batch *b = make(&model, 1, 2.4e-3, 0.0);
    b->kind->set_road(b, &hill);
    control(b, 0.0, 1.0, 0.0);
    b->kind->advance(b, 0, 1, 25.0);
    const double before = look(b, 0).x, kick[3] = {-300.0, 100.0, 50.0}; // N s, downhill
    mc_ellipsoid e;
    b->kind->surface(b, 0, &e);
    const double point[3] = {e.centre[0] + 1.4, e.centre[1] + 0.3, e.centre[2] + 0.2};
    b->kind->apply_impulse(b, 0, point, kick);
    assert_true(look(b, 0).v < -0.1);
    b->kind->advance(b, 0, 1, 25.0);
    const double after = look(b, 0).x;
    assert_true(fabs(after - before) < 3e-3);
    b->kind->advance(b, 0, 1, 25.0);
    assert_true(fabs(look(b, 0).x - after) < 1e-7 && fabs(look(b, 0).v) < 1e-9);
    b->kind->destroy(b);
}

// A constant force uphill: (m + 4 J/R^2) v' = F - m g sin - roll - drag, at this instant.
static void climbs_with_what_the_engine_gives(void **unused)
{
    (void)unused;
    const double at[1] = {0.0}, slope[1] = {0.05};
    const road hill = {.lane_count = 1, .slope = {at, slope, 1, 0.0}, .friction = {.fallback = 1}};
    const cosserat_model model = driven_model("brush");
    mc_batch *b = make(&model, 1, 1e-3, 10.0);
    b->kind->set_road(b, &hill);
    control(b, 0.5, 0.0, 0.0);
    b->kind->advance(b, 0, 1, 8.0);
    const mc_motion m = look(b, 0);
    const double mass = 1573.0, inertia = mass + 4.0 * 1.2 / 0.09;
    const double force =
        3000.0 - mass * g * sin(0.05) - 0.01 * mass * g * cos(0.05) - 0.4 * m.v * m.v;
    assert_true(fabs(m.a - force / inertia) < 2e-3);
    assert_true(fabs(channel(b, 0, "n") - (600.0 + 50.0 * m.v)) < 20.0);
    assert_true(channel(b, 0, "fuel") > 0.9e-7 * 3000.0 * 7.0);
    b->kind->destroy(b);
}

// ---- energy balance ----------------------------------------------------------------------------

// Drives off, steers a little, brakes: on a hill with a crest. What the energy is off by.
static double ledger(double step, double *scale)
{
    const double at[4] = {0.0, 40.0, 60.0, 100.0}, slope[4] = {0.0, 0.06, 0.06, -0.04};
    const road hill = {.lane_count = 1, .slope = {at, slope, 4, 0.0}, .friction = {.fallback = 1}};
    cosserat_model model = driven_model("brush");
    model.p[COSSERAT_B] = 1.45;
    mc_batch *b = make(&model, 1, step, 15.0);
    b->kind->set_road(b, &hill);
    const double start = total(b, 0);
    control(b, 0.6, 0.0, 0.01);
    b->kind->advance(b, 0, 1, 2.0);
    control(b, 0.0, 0.3, -0.01);
    b->kind->advance(b, 0, 1, 2.0);
    mc_energy e;
    b->kind->energy(b, 0, &e);
    assert_true(e.driven > 5e4 && e.braked > 5e4 && e.dragged > 1e3 && e.slipped > 100.0);
    assert_true(e.damped > 1.0);
    *scale = e.kinetic;
    const double off = total(b, 0) - start;
    b->kind->destroy(b);
    return off;
}

static void energy_ledger_closes(void **unused)
{
    (void)unused;
    double kinetic;
    const double coarse = fabs(ledger(2e-3, &kinetic)), fine = fabs(ledger(1e-3, &kinetic));
    const double finer = fabs(ledger(5e-4, &kinetic));
    assert_true(coarse < 1e-8 * kinetic);
    assert_true(log2(coarse / fine) > 3.0 && log2(fine / finer) > 3.0);
    assert_true(finer < 1e-11 * kinetic);
}

// Momentum: what the road, the slope and the air gave, and the weight of level ground.
static void momentum_balances(void **unused)
{
    (void)unused;
    const double at[2] = {0.0, 50.0}, slope[2] = {0.0, 0.1};
    const road hill = {
        .lane_count = 1, .slope = {at, slope, 2, 0.0}, .friction = {.fallback = 0.8}};
    const cosserat_model model = driven_model("calspan");
    mc_batch *b = make(&model, 1, 1e-3, 20.0);
    b->kind->set_road(b, &hill);
    double before[3], after[3], impulse[3];
    b->kind->momentum(b, 0, before);
    control(b, 0.3, 0.0, 0.01);
    b->kind->advance(b, 0, 1, 1.0);
    control(b, 0.0, 0.9, 0.0);
    b->kind->advance(b, 0, 1, 1.0);
    b->kind->momentum(b, 0, after);
    b->kind->road_impulse(b, 0, impulse);
    const double weight[3] = {0.0, 0.0, -1573.0 * g * 2.0};
    for (int j = 0; j < 3; j++)
        assert_true(fabs(after[j] - before[j] - impulse[j] - weight[j]) < 1e-7);
    b->kind->destroy(b);
}

// ---- accuracy ----------------------------------------------------------------------------------

typedef struct peer {
    mc_batch *b;
    double state[COSSERAT_SAVE_MAX];
} peer;

static void peer_rate(void *context, double t, const double *y, double *dy)
{
    peer *p = context;
    (void)t;
    memcpy(p->state, y, sizeof *y * (size_t)cosserat_batch_value_count(p->b));
    p->b->kind->restore(p->b, 0, p->state);
    cosserat_batch_rate(p->b, 0, dy);
}

// The exponential scheme with wheels, brake and engine against CVODE on the same equations.
static void agrees_with_cvode(void **unused)
{
    (void)unused;
    cosserat_model model = driven_model("brush");
    model.suspension_p[LINEAR_LIFT_OFF] = 0.0;
    mc_batch *b = make(&model, 1, 2.5e-4, 12.0), *same = make(&model, 1, 2.5e-4, 12.0);
    peer p = {.b = same};
    double y[COSSERAT_SAVE_MAX], z[COSSERAT_SAVE_MAX];
    control(b, 0.5, 0.2, 0.02);
    b->kind->save(b, 0, p.state);
    memcpy(z, p.state, sizeof z);
    b->kind->advance(b, 0, 1, 0.25);
    b->kind->save(b, 0, y);
    const int n = cosserat_batch_value_count(b);
    assert_int_equal(reference_integrate(peer_rate, &p, n, z, 0.0, 0.25, 1e-11), 0);
    for (int k = 0; k < VALUE_W; k++)
        assert_true(fabs(y[k] - z[k]) < 1e-9);
    for (int k = VALUE_TYRE; k < n - SUM_MAX; k++)
        assert_true(fabs(y[k] - z[k]) < 1e-8 * fmax(1.0, fabs(z[k])));
    b->kind->destroy(b);
    same->kind->destroy(same);
}

// The scheme with wheels is stable at the step the batch allows itself, at every speed.
static void stable_at_its_own_step(void **unused)
{
    (void)unused;
    const double speeds[] = {1.0, 15.0, 60.0};
    for (int k = 0; k < 3; k++) {
        const cosserat_model model = driven_model(laws[k]);
        const double radius =
            cosserat_spectral_radius(&model, COSSERAT_EXPONENTIAL, 2.5e-3, speeds[k]);
        assert_true(radius < 1.0 + 1e-6);
    }
}

// ---- the contract ------------------------------------------------------------------------------

static void motion_is_that_of_the_mass_centre(void **unused)
{
    (void)unused;
    cosserat_model model = driven_model("brush");
    model.p[COSSERAT_B] = 1.45;
    mc_batch *b = make(&model, 1, 5e-4, 15.0);
    cosserat_batch_place(b, 0, 5.0, 2.0, 0.3, 15.0, 0.0, 0);
    mc_motion m = look(b, 0);
    assert_true(fabs(m.psi - 0.3) < 1e-12 && fabs(m.v - 15.0) < 1e-12 && fabs(m.v_y) < 1e-12);
    assert_true(m.x == 5.0 && m.y == 2.0 && m.yaw_rate == 0.0);
    control(b, 0.5, 0.0, 0.02);
    b->kind->advance(b, 0, 1, 1.0);
    const double h = 1e-4;
    const mc_motion before = look(b, 0);
    b->kind->limit_step(b, h);
    b->kind->advance(b, 0, 1, h);
    m = look(b, 0);
    assert_true(m.yaw_rate > 0.05 && m.psi > 0.31);
    assert_true(fabs((m.psi - before.psi) / h - 0.5 * (m.yaw_rate + before.yaw_rate)) < 1e-4);
    const double along = (m.v - before.v) / h - m.v_y * m.yaw_rate; // turning axes
    assert_true(fabs(along - 0.5 * (m.a + before.a)) < 1e-3);
    b->kind->destroy(b);
}

// Feed-forward: what plan() answers gives the acceleration asked for, once settled.
static void plan_gives_what_is_desired(void **unused)
{
    (void)unused;
    const cosserat_model model = driven_model("brush");
    const double desired[] = {1.5, 0.4, -2.0, -5.0};
    for (int k = 0; k < 4; k++) {
        mc_batch *b = make(&model, 1, 1e-3, 15.0);
        mc_plan plan;
        for (int i = 0; i < 200; i++) {
            b->kind->plan(b, 0, 1, &desired[k], &plan);
            control(b, desired[k] > plan.coast ? plan.throttle : 0.0,
                    desired[k] > plan.coast ? 0.0 : plan.brake, 0.0);
            b->kind->advance(b, 0, 1, 0.01);
        }
        assert_true(fabs(look(b, 0).a - desired[k]) < 0.02 * fabs(desired[k]) + 0.02);
        b->kind->destroy(b);
    }
    mc_batch *b = make(&model, 1, 1e-3, 15.0);
    mc_plan plan;
    b->kind->plan(b, 0, 1, &desired[0], &plan);
    b->kind->advance(b, 0, 1, 1.0);
    assert_true(fabs(look(b, 0).a / plan.coast - 1.0) < 0.05);
    mc_batch *still = make(&model, 1, 1e-3, 1e-9); // stands but for rounding
    still->kind->plan(still, 0, 1, &desired[0], &plan);
    assert_true(plan.coast == 0.0);
    assert_true(fabs(plan.throttle * 6000.0 - (1573.0 + 4.0 * 1.2 / 0.09) * desired[0] -
                     0.01 * 1573.0 * g) < 1e-6);
    still->kind->destroy(still);
    const double never[2] = {100.0, -100.0};
    b->kind->plan(b, 0, 1, &never[0], &plan);
    assert_true(plan.throttle == 1.0 && plan.brake == 0.0);
    b->kind->plan(b, 0, 1, &never[1], &plan);
    assert_true(plan.throttle == 0.0 && plan.brake == 1.0);
    b->kind->destroy(b);
}

// Lag and delay of the brake: 1 - exp(-5 (t - 0.1)), to the delay's own instant.
static void brake_force_lags_and_delays(void **unused)
{
    (void)unused;
    for (int delayed = 0; delayed < 2; delayed++) {
        cosserat_model model = driven_model("brush");
        model.gear.drive[DRIVE_BRAKE_DELAY] = delayed ? 0.103 : 0.0;
        mc_batch *b = make(&model, 3, 1e-3, 20.0);
        control(b, 0.0, 0.8, 0.0);
        for (int i = 1; i <= 50; i++) {
            b->kind->advance(b, 0, 3, 0.01);
            const double since = fmax(0.01 * i - model.gear.drive[DRIVE_BRAKE_DELAY], 0.0);
            assert_true(fabs(channel(b, i % 3, "brake_force") - 0.8 * (1.0 - exp(-5.0 * since))) <
                        1e-9);
        }
        b->kind->destroy(b);
    }
}

// restore(save()) gives the same bits, in another place of another batch, moved in other company.
static void state_is_whole_and_alone(void **unused)
{
    (void)unused;
    cosserat_model model = driven_model("calspan");
    model.gear.drive[DRIVE_BRAKE_DELAY] = 0.05;
    mc_batch *b = make(&model, 7, 1e-3, 20.0), *other = make(&model, 3, 1e-3, 5.0);
    for (int i = 0; i < 7; i++) {
        const mc_inputs in = {0.1 * i, i % 3 ? 0.0 : 0.5, 0.005 * i, 0.0};
        b->kind->set_inputs(b, i, 1, &in);
    }
    b->kind->advance(b, 0, 7, 0.03); // commands are on their way
    double state[COSSERAT_SAVE_MAX], again[COSSERAT_SAVE_MAX];
    const int n = b->kind->save_size(b);
    assert_in_range(n, 60, 256);
    for (int i = 0; i < 7; i++) {
        b->kind->save(b, i, state);
        other->kind->restore(other, 1, state);
        other->kind->advance(other, 1, 1, 0.05);
        double moved[COSSERAT_SAVE_MAX];
        b->kind->advance(b, i, 1, 0.05);
        b->kind->save(b, i, moved);
        other->kind->save(other, 1, again);
        assert_memory_equal(moved, again, sizeof *state * (size_t)n);
        b->kind->restore(b, i, state);
        b->kind->save(b, i, again);
        assert_memory_equal(state, again, sizeof *state * (size_t)n);
    }
    for (int i = 0; i < 7; i++) // all together or alone
        b->kind->save(b, i, state);
    mc_batch *alone = make(&model, 1, 1e-3, 0.0);
    b->kind->save(b, 3, state);
    alone->kind->restore(alone, 0, state);
    b->kind->advance(b, 0, 7, 0.2);
    alone->kind->advance(alone, 0, 1, 0.2);
    b->kind->save(b, 3, state);
    alone->kind->save(alone, 0, again);
    assert_memory_equal(state, again, sizeof *state * (size_t)n);
    b->kind->destroy(b);
    other->kind->destroy(other);
    alone->kind->destroy(alone);
}

static void parameters_change_while_it_runs(void **unused)
{
    (void)unused;
    const cosserat_model model = driven_model("brush");
    mc_batch *b = make(&model, 1, 1e-3, 10.0), *two = make(&model, 2, 1e-3, 10.0);
    assert_false(two->kind->set_param(two, 0, "mass", 2000.0)); // shared by the batch
    assert_false(b->kind->set_param(b, 0, "colour", 1.0));
    assert_false(b->kind->set_param(b, 0, "mass", -1.0));
    assert_false(b->kind->set_param(b, 0, "drag", NAN));
    assert_false(b->kind->set_param(b, 0, "wheel_radius", 0.4)); // its state would not fit
    control(b, 0.5, 0.0, 0.0);
    b->kind->advance(b, 0, 1, 3.0);
    const double light = look(b, 0).a;
    assert_true(b->kind->set_param(b, 0, "Mass", 2000.0));
    assert_true(b->kind->mass(b, 0) == 2000.0);
    assert_true(b->kind->set_param(b, 0, "drag", 0.0) && b->kind->set_param(b, 0, "roll", 0.0));
    b->kind->advance(b, 0, 1, 3.0);
    assert_true(fabs(look(b, 0).a - 3000.0 / (2000.0 + 4.0 * 1.2 / 0.09)) < 5e-3);
    assert_true(look(b, 0).a < light);
    mc_plan plan; // the maker's mass
    const double desired = 1.0;
    b->kind->plan(b, 0, 1, &desired, &plan);
    assert_true(fabs(plan.throttle * 6000.0 - (1573.0 + 4.0 * 1.2 / 0.09)) < 1e-6);
    assert_true(b->kind->set_param(b, 0, "max_brake", 0.0)); // brakes lost
    const double before = look(b, 0).v;
    control(b, 0.0, 1.0, 0.0);
    b->kind->advance(b, 0, 1, 2.0);
    assert_true(look(b, 0).v > before); // the engine's lag, then nothing
    b->kind->destroy(b);
    two->kind->destroy(two);
}

// A user's law without states, C s up to friction, on all wheels: braking and steering by it.
static void drives_on_a_law_of_formulas(void **unused)
{
    (void)unused;
    static const mc_param params[] = {{"C", "N", 80e3, 1e3, 1e6, "slip stiffness"}};
    static const tyre_formula_line share[] = {
        {"share", "-", "min(1, mu*fz/max(C*hypot(slip_x, slip_y), 1e-9 N))", 0, 0}};
    const tyre_formula_text text = {.name = "mine",
                                    .params = params,
                                    .param_count = 1,
                                    .variables = share,
                                    .variable_count = 1,
                                    .fx = {"fx", "N", "C*slip_x*share", 0, 0},
                                    .fy = {"fy", "N", "C*slip_y*share", 0, 0}};
    mc_error error;
    tyre_formula *law = tyre_formula_create(&text, NULL, EXPR_INTERPRET, &error);
    assert_non_null(law);
    cosserat_model model = driven_model("brush");
    model.p[COSSERAT_B] = 1.45;
    model.gear.drive[DRIVE_DRAG] = model.gear.drive[DRIVE_ROLL] = 0.0;
    model.gear.tyre = tyre_formula_kind(law);
    tyre_defaults(model.gear.tyre, model.gear.tyre_p);
    mc_batch *b = make(&model, 2, 5e-4, 25.0);
    control(b, 0.0, 0.3, 0.005);
    b->kind->advance(b, 0, 2, 2.0);
    const mc_motion m = look(b, 1);
    // The spin of the wheels is braked too: m + 4 J/R^2.
    assert_true(fabs(m.a + 0.3 * g * 1573.0 / (1573.0 + 4.0 * 1.2 / 0.09)) < 0.05);
    assert_true(m.yaw_rate > 0.02);
    b->kind->destroy(b);
    tyre_formula_destroy(law);
}

// Without a drive: steering only, as in the report.
static void rolls_freely_without_drive(void **unused)
{
    (void)unused;
    const cosserat_model model = sample_model_at_rest(1);
    mc_batch *b = make(&model, 1, 5e-4, 10.0), *steered = make(&model, 1, 5e-4, 10.0);
    const double at[1] = {0.0}, slope[1] = {0.1};
    const road hill = {.lane_count = 1, .slope = {at, slope, 1, 0.0}, .friction = {.fallback = 1}};
    cosserat_batch_place(steered, 0, 0.0, 0.0, 0.0, 10.0, 0.01, 0);
    control(b, 1.0, 1.0, 0.01);
    b->kind->set_road(b, &hill);
    b->kind->advance(b, 0, 1, 1.0);
    steered->kind->advance(steered, 0, 1, 1.0);
    double x[COSSERAT_SAVE_MAX], y[COSSERAT_SAVE_MAX];
    b->kind->save(b, 0, x);
    steered->kind->save(steered, 0, y);
    assert_int_equal(b->kind->save_size(b), cosserat_batch_value_count(b) + 2 + 6); // parameters
    assert_memory_equal(x, y, sizeof *x * (size_t)b->kind->save_size(b));
    for (int k = 0; strcmp(b->kind->channels[k].name, "friction_use") != 0; k++) // no drive
        assert_true(channel(b, 0, b->kind->channels[k].name) == 0.0);
    assert_true(channel(b, 0, "load_lf") > 1000.0 && channel(b, 0, "use_lf") < 0.5);
    assert_string_equal(b->kind->channels[0].name, "n");
    b->kind->destroy(b);
    steered->kind->destroy(steered);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brakes_to_rest_and_stays),
        cmocka_unit_test(locked_wheels_slide_by_the_closed_form),
        cmocka_unit_test(friction_belongs_to_the_place),
        cmocka_unit_test(stands_on_a_slope),
        cmocka_unit_test(kicked_car_stays_parked),
        cmocka_unit_test(climbs_with_what_the_engine_gives),
        cmocka_unit_test(energy_ledger_closes),
        cmocka_unit_test(momentum_balances),
        cmocka_unit_test(agrees_with_cvode),
        cmocka_unit_test(stable_at_its_own_step),
        cmocka_unit_test(motion_is_that_of_the_mass_centre),
        cmocka_unit_test(plan_gives_what_is_desired),
        cmocka_unit_test(brake_force_lags_and_delays),
        cmocka_unit_test(state_is_whole_and_alone),
        cmocka_unit_test(parameters_change_while_it_runs),
        cmocka_unit_test(drives_on_a_law_of_formulas),
        cmocka_unit_test(rolls_freely_without_drive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
