// fuzz_edit.c - any bytes as an edit of a run in progress: accepted or rejected, never a crash. A
// version that results is a scenario file that reads back as the same; the run continues with it.
#include "base/assert.h"
#include "fuzz/fuzz.h"
#include "motorcade/run.h"
#include "scenario/handle.h"

#include <stdlib.h>
#include <string.h>

static const char text[] = "motorcade: scenario\n"
                           "time: {end: 60, step: 0.05}\n"
                           "road: {lanes: 2, headway: 1, distance: 5}\n"
                           "models: {town: point, dot: point}\n"
                           "profiles: {slow: 12}\n"
                           "controllers:\n"
                           "  cacc: {law: ploeg, radio: {delay: 0.1}, fallback: {law: acc}}\n"
                           "  follow: {law: acc}\n"
                           "platoons:\n"
                           "  - leader: {model: town, profile: moderate}\n"
                           "    x: 300\n"
                           "    cars:\n"
                           "      - {model: town, count: 2, controller: cacc}\n"
                           "      - {model: dot, name: point, controller: follow}\n"
                           "vehicles: [{model: dot, name: slow, count: 2, x: 500, lane: 2, v: 9}]\n"
                           "events: [{at: 0.1, vehicle: [car1, point], brake_lost: 0.5}]\n"
                           "set: [follow.headway=1.2]\n";

static void check_again(const mc_run *run)
{
    mc_error error = {0};
    const mc_scenario *now = mc_run_scenario(run);
    mc_scenario *again = scenario_version_of(now, mc_scenario_text(now), &error);
    mc_assert(again);
    const mc_scenario_info *a = mc_scenario_info_of(now), *b = mc_scenario_info_of(again);
    mc_assert(a->vehicle_count == b->vehicle_count && a->step == b->step && a->end == b->end);
    for (int k = 0; k < a->vehicle_count; k++)
        mc_assert(
            strcmp(scenario_of(now)->vehicles[k].name, scenario_of(again)->vehicles[k].name) == 0);
    mc_scenario_free(again);
}

// Making a run takes longer than an edit: one that has rejected all so far is used again.
static mc_run *make(void)
{
    mc_error error = {0};
    mc_scenario *s = mc_scenario_parse(text, sizeof text - 1, NULL, &error);
    mc_assert(s);
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = 1, .interpret = true}, &error);
    mc_scenario_free(s);
    mc_assert(run);
    for (int k = 0; k < 3; k++)
        mc_assert(mc_run_step(run, &error) == MC_OK);
    return run;
}

FUZZ_KEEPS_SOMETHING

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static mc_run *run;
    mc_error error = {0};
    char *edit = malloc(size + 1);
    mc_assert(edit);
    memcpy(edit, data, size);
    edit[size] = '\0';
    if (!run)
        run = make();
    const unsigned long long before = mc_run_hash(run);
    const mc_status status = mc_run_edit(run, edit, &error);
    if (status != MC_OK) {
        mc_assert(error.code == status && strlen(error.text) > 10);
        mc_assert(mc_run_hash(run) == before && mc_run_log_count(run) == 0);
    } else {
        check_again(run);
        for (int k = 0; k < 2 && mc_run_step(run, &error) == MC_OK; k++)
            ;
        mc_run_destroy(run);
        run = NULL;
    }
    free(edit);
    return 0;
}
