// fuzz_log.c - any bytes as a log of commands: accepted or rejected, never a crash; what is
// accepted can be run.
#include "base/assert.h"
#include "fuzz/fuzz.h"
#include "motorcade/run.h"
#include "scenario/handle.h"
#include "scenario/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char text[] = "motorcade: scenario\n"
                           "time: {end: 60, step: 0.05}\n"
                           "road: {headway: 1, distance: 5}\n"
                           "models: {town_car: point, dot: point}\n"
                           "profiles: {slow: 12}\n"
                           "controllers:\n"
                           "  cacc: {law: ploeg, radio: {delay: 0.1}, fallback: {law: acc}}\n"
                           "  follow: {law: acc}\n"
                           "platoons:\n"
                           "  - leader: {model: town_car, profile: moderate}\n"
                           "    cars:\n"
                           "      - {model: town_car, name: car1, controller: cacc}\n"
                           "      - {model: dot, name: point, controller: follow}\n";

// Making a run takes longer than reading a log: one that has rejected all so far is used again.
static mc_run *make(void)
{
    mc_error error = {0};
    mc_scenario *s = scenario_wrap(scenario_parse(text, strlen(text), NULL, &error), &error);
    mc_assert(s);
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = 1, .interpret = true}, &error);
    mc_assert(run);
    mc_scenario_free(s); // the run keeps it
    return run;
}

FUZZ_KEEPS_SOMETHING

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int fd = -1;
    static char path[64];
    static mc_run *run;
    if (fd < 0) {
        fd = memfd_create("log", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    if (!run)
        run = make();
    mc_assert(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
    mc_error error = {0};
    const unsigned long long hash = mc_run_hash(run);
    const mc_status status = mc_run_follow_log(run, path, &error);
    if (status != MC_OK)
        mc_assert(error.code == MC_BAD_INPUT && strlen(error.text) > 10 &&
                  mc_run_log_count(run) == 0 && mc_run_hash(run) == hash);
    if (status != MC_OK || mc_run_log_count(run) == 0)
        return 0;
    for (int k = 0; k < 3 && mc_run_step(run, &error) == MC_OK; k++)
        ;
    mc_run_destroy(run);
    run = NULL;
    return 0;
}
