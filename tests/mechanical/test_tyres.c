// test_tyres.c - mechanisms on every tyre law: energy balance with camber and aligning moment,
// straight driving.
#include "mechanical/batch.h"
#include "parts/tyre.h"
#include "support/hmmwv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FILE_OF_TYRE SOURCE_DIR "/models/hmmwv_37x12.5R16.5.tir"

static const char *const tyres[] = {"fiala", "tmeasy", "pac89",
                                    "{kind: calspan, A3: 2.29, K1: -1.71e-5, K2: 1.71e-5}",
                                    "{kind: pac2002, file: " FILE_OF_TYRE "}"};
enum { TYRES = sizeof tyres / sizeof tyres[0] };

static scenario *make(const char *model, int tyre, double v)
{
    char keys[500];
    snprintf(keys, sizeof keys, ", tyre: %s", tyres[tyre]);
    return hmmwv_scenario_of(model, keys, 1, v);
}

// Pedals and steering: what the tyres take, with their moments, is what the mechanism loses.
static void keeps_its_balance(void **state)
{
    (void)state;
    for (int t = 0; t < TYRES; t++) {
        scenario *s = make("hmmwv_loops.yaml", t, 20.0);
        mc_batch *b = hmmwv_batch(s);
        b->kind->limit_step(b, 5e-4);
        const double before = hmmwv_balance(b, 0);
        double moment = 0.0, camber = 0.0;
        for (int k = 0; k < 100; k++) {
            const mc_inputs in = {.throttle = k < 40 ? 0.8 : 0.0,
                                  .brake = k > 70 ? 0.6 : 0.0,
                                  .steer = 0.06 * sin(0.05 * k)};
            b->kind->set_inputs(b, 0, 1, &in);
            b->kind->advance(b, 0, 1, 0.01);
        }
        multibody_batch *own = (multibody_batch *)b;
        vehicle *v = &own->vehicles[0];
        acting now;
        double dz[400];
        assert_true(own->value_count <= 400);
        vehicle_act(own, v, v->z, dz, &now);
        for (int w = 0; w < 4; w++) {
            moment = fmax(moment, fabs(now.wheels.mz[w]));
            camber = fmax(camber, fabs(now.wheels.camber[w]));
        }
        const double drift = fabs(hmmwv_balance(b, 0) - before) / fabs(before);
        print_message("%s: balance off by %.2g, moments to %.3g N m, camber to %.3g rad\n",
                      tyres[t], drift, moment, camber);
        assert_true(drift < 1e-9);
        assert_true(moment > 1.0 && camber > 1e-3);
        b->kind->destroy(b);
        scenario_free(s);
    }
}

// Left and right are mirror images: braking on a straight road stays on it.
static void drives_straight(void **state)
{
    (void)state;
    for (int t = 0; t < TYRES; t++) {
        scenario *s = make("hmmwv.yaml", t, 20.0);
        mc_batch *b = hmmwv_batch(s);
        const mc_inputs in = {.brake = 0.4};
        mc_motion m;
        b->kind->set_inputs(b, 0, 1, &in);
        b->kind->motion(b, 0, 1, &m);
        const double before = m.y;
        b->kind->advance(b, 0, 1, 3.0);
        b->kind->motion(b, 0, 1, &m);
        if (!(fabs(m.y - before) < 1e-6 && m.v < 15.0))
            fail_msg("%s: %g m aside at %g m/s", tyres[t], m.y - before, m.v);
        b->kind->destroy(b);
        scenario_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keeps_its_balance),
                                       cmocka_unit_test(drives_straight)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
