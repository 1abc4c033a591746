// fuzz_driver.c - any bytes as the table of a driver: a scenario that names it is read or rejected
// with a place, never a crash.
#include "base/assert.h"
#include "fuzz/fuzz.h"
#include "scenario/scenario.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int fd = -1;
    static char text[300];
    if (fd < 0) {
        fd = memfd_create("driver", MFD_CLOEXEC);
        snprintf(text, sizeof text,
                 "motorcade: scenario\ntime: {end: 1}\nmodels: {car: powertrain}\n"
                 "vehicles: [{model: car, x: 0, driver: /proc/self/fd/%d}]\n",
                 fd);
    }
    mc_assert(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
    mc_error error = {0};
    scenario *s = scenario_parse(text, strlen(text), "s.yaml", &error);
    if (!s) {
        mc_assert(error.code == MC_BAD_INPUT && strlen(error.text) > 8 && error.file[0]);
        return 0;
    }
    const scenario_driver *d = s->vehicles[0].driver;
    mc_assert(d && d->count > 0);
    for (int k = 0; k < d->count; k++)
        mc_assert(isfinite(d->t[k]) && d->throttle[k] >= 0.0 && d->throttle[k] <= 1.0 &&
                  (k == 0 || d->t[k] > d->t[k - 1]));
    scenario_free(s);
    return 0;
}
