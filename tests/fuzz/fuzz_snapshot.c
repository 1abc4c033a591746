// fuzz_snapshot.c - any bytes as the snapshot of a run: accepted or rejected, never a crash. A run
// that rejects it continues from where it was.
//
// The first byte says what the rest is: 0, a whole snapshot; otherwise changes to a good one, each
// three bytes of offset and one of value. A checksum does not protect against a crafted file.
//
// One car with an engine: most of the time goes into the tables of an engine whose parameters were
// damaged.
#include "base/assert.h"
#include "fuzz/fuzz.h"
#include "motorcade/run.h"
#include "scenario/handle.h"
#include "scenario/scenario.h"

#include <stdlib.h>
#include <string.h>

static const char text[] = "motorcade: scenario\n"
                           "time: {end: 60, step: 0.05}\n"
                           "road: {lanes: 2, headway: 0.5, distance: 2}\n"
                           "models:\n"
                           "  town_car: {brake_delay: 0.2}\n"
                           "  dot: {kind: point, lag: 0.2}\n"
                           "controllers:\n"
                           "  cacc: {law: ploeg, radio: {delay: 0.1, loss: 0.1}, fallback: {law: "
                           "acc}, listen: [front, leader]}\n"
                           "  follow: {law: acc, sensor: {delay: 0.1, range_noise: 0.1}}\n"
                           "platoons:\n"
                           "  - leader: {model: dot, profile: heavy}\n"
                           "    cars:\n"
                           "      - {model: town_car, name: car1, controller: cacc}\n"
                           "      - {model: dot, name: point, controller: follow}\n"
                           "vehicles: [{model: dot, name: obstacle, lane: 1, x: 12, v: 0}]\n"
                           "events: [{at: 0.5, vehicle: car1, drive: {brake: 0.4}}]\n";

static void steps(mc_run *run, int count)
{
    mc_error error;
    for (int k = 0; k < count && mc_run_step(run, &error) == MC_OK; k++)
        ;
}

static mc_snapshot damaged(const mc_run *run, const uint8_t *data, size_t size)
{
    mc_error error;
    mc_snapshot out = {NULL, 0};
    if (size > 0 && data[0] == 0) {
        out = (mc_snapshot){malloc(size), size - 1};
        mc_assert(out.data);
        memcpy(out.data, data + 1, size - 1);
        return out;
    }
    mc_assert(mc_run_save(run, &out, &error) == MC_OK);
    unsigned char *bytes = out.data;
    enum { CHANGES_MAX = 8 };
    for (size_t k = 1; k + 4 <= size && k < 4 * CHANGES_MAX; k += 4) {
        const size_t place = (size_t)data[k] << 16 | (size_t)data[k + 1] << 8 | data[k + 2];
        bytes[place % out.size] = data[k + 3];
    }
    if (size % 4 == 2) // cut short too
        out.size = out.size * data[size - 1] / 256;
    return out;
}

static mc_run *make(mc_snapshot *good)
{
    static mc_scenario *s; // of the run, for good
    mc_error error = {0};
    s = scenario_wrap(scenario_parse(text, strlen(text), NULL, &error), &error);
    mc_assert(s);
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = 1}, &error);
    mc_assert(run);
    steps(run, 30); // the obstacle has been hit
    mc_assert(mc_run_save(run, good, &error) == MC_OK);
    return run;
}

FUZZ_KEEPS_SOMETHING

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static mc_run *run; // making it takes long; it is put back to the same state every time
    static mc_snapshot good;
    mc_error error = {0};
    if (!run)
        run = make(&good);
    else
        mc_assert(mc_run_restore(run, &good, &error) == MC_OK);
    mc_snapshot snapshot = damaged(run, data, size);
    const unsigned long long hash = mc_run_hash(run);
    if (mc_run_restore(run, &snapshot, &error) == MC_OK) {
        for (int v = 0; v < mc_run_vehicle_count(run); v++) {
            mc_run_view view;
            mc_run_look(run, v, &view);
        }
        steps(run, 1);
    } else {
        mc_assert(error.text[0] && mc_run_hash(run) == hash);
    }
    mc_snapshot_free(&snapshot);
    return 0;
}
