// hmmwv.c - mechanisms on wheels for tests.
#include "support/hmmwv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FILE_NAME SOURCE_DIR "/scenarios/test.yaml"

scenario *hmmwv_scenario(const char *keys, int count, double v)
{
    return hmmwv_scenario_of("hmmwv.yaml", keys, count, v);
}

scenario *hmmwv_scenario_of(const char *file, const char *keys, int count, double v)
{
    char text[4096];
    int length = snprintf(text, sizeof text,
                          "motorcade: scenario\n"
                          "time: {end: 1}\n"
                          "models:\n"
                          "  hmmwv: {kind: multibody, mechanism: ../models/%s, length: 4.6, "
                          "width: 2.2, height: 1.8%s}\n"
                          "vehicles:\n",
                          file, keys);
    for (int i = 0; i < count; i++)
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "  - {model: hmmwv, name: h%d, x: %d, v: %g}\n", i, -20 * i, v);
    mc_error error;
    char message[640];
    scenario *s = scenario_parse(text, (size_t)length, FILE_NAME, &error);
    if (!s)
        fail_msg("%s", mc_error_format(&error, message, sizeof message));
    return s;
}

mc_batch *hmmwv_try(const scenario *s, mc_error *error)
{
    enum { MAX = 64 };
    mc_vehicle_start starts[MAX] = {{0}};
    assert_true(s->vehicle_count <= MAX);
    for (int i = 0; i < s->vehicle_count; i++) {
        const scenario_vehicle *v = &s->vehicles[i];
        starts[i] = (mc_vehicle_start){
            .spec = s->models[0].spec, .x = v->x, .y = v->y, .heading = v->heading, .v = v->v};
    }
    const mc_vehicle_setup setup = {.size = sizeof setup, .step = s->step, .max_step = 1e-3};
    return s->models[0].type->create(starts, s->vehicle_count, &setup, error);
}

mc_batch *hmmwv_batch(const scenario *s)
{
    mc_error error;
    char message[640];
    mc_batch *batch = hmmwv_try(s, &error);
    if (!batch)
        fail_msg("%s", mc_error_format(&error, message, sizeof message));
    return batch;
}

double hmmwv_balance(const mc_batch *batch, int i)
{
    mc_energy e;
    batch->kind->energy(batch, i, &e);
    return e.kinetic + e.elastic + e.spring + e.gravity + e.damped + e.slipped + e.braked +
           e.dragged + e.crushed - e.driven;
}
