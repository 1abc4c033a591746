// fuzz_log.c - any bytes as a log of commands: taken or refused, never a crash; what is taken can
// be run.
#include "base/assert.h"
#include "fuzz/fuzz.h"
#include "model/scenario.h"
#include "motorcade/run.h"
#include "sim/scenario.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char text[] = "motorcade: scenario\n"
                           "time: {end: 60, step: 0.05}\n"
                           "road: {headway: 1, distance: 5}\n"
                           "models: {town_car: powertrain, dot: point}\n"
                           "profiles: {slow: 12}\n"
                           "controllers:\n"
                           "  cacc: {law: ploeg, radio: {delay: 0.1}, fallback: {law: acc}}\n"
                           "  follow: {law: acc}\n"
                           "platoons:\n"
                           "  - leader: {model: town_car, profile: moderate}\n"
                           "    cars:\n"
                           "      - {model: town_car, name: car1, controller: cacc}\n"
                           "      - {model: dot, name: point, controller: follow}\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/tmp/motorcade_fuzz_log_XXXXXX";
    const int file = mkstemp(path);
    mc_assert(file >= 0 && write(file, data, size) == (ssize_t)size);
    close(file);
    mc_error error = {0};
    mc_scenario *s = scenario_wrap(scenario_parse(text, strlen(text), NULL, &error), &error);
    mc_assert(s);
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = 1, .interpret = true}, &error);
    mc_assert(run);
    const mc_status status = mc_run_follow_log(run, path, &error);
    if (status != MC_OK)
        mc_assert(error.code == MC_BAD_INPUT && strlen(error.text) > 10);
    for (int k = 0; k < 8 && mc_run_step(run, &error) == MC_OK; k++)
        ;
    unlink(path);
    mc_run_destroy(run);
    mc_scenario_free(s);
    return 0;
}
