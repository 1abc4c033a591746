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
    char text[4096];
    int length =
        snprintf(text, sizeof text,
                 "motorcade: scenario\n"
                 "time: {end: 1}\n"
                 "models:\n"
                 "  hmmwv: {kind: multibody, mechanism: ../models/hmmwv.yaml, length: 4.6, "
                 "width: 2.2, height: 1.8%s}\n"
                 "vehicles:\n",
                 keys);
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

mc_batch *hmmwv_batch(const scenario *s)
{
    int *vehicles = malloc((size_t)s->vehicle_count * sizeof *vehicles);
    assert_non_null(vehicles);
    for (int i = 0; i < s->vehicle_count; i++)
        vehicles[i] = i;
    mc_error error;
    char message[640];
    mc_batch *batch = multibody_vehicles_create(s, vehicles, s->vehicle_count, &error);
    free(vehicles);
    if (!batch)
        fail_msg("%s", mc_error_format(&error, message, sizeof message));
    return batch;
}

double hmmwv_books(const mc_batch *batch, int i)
{
    mc_energy e;
    batch->kind->energy(batch, i, &e);
    return e.kinetic + e.elastic + e.spring + e.gravity + e.damped + e.slipped + e.braked +
           e.dragged + e.crushed - e.driven;
}
