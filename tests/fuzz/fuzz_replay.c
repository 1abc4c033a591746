// fuzz_replay.c - any bytes as a recording in text: CSV, data.asc, DYNAVIS data. Read or rejected,
// never a crash; what is read can be looked at row by row. Results files: fuzz_results.c.
#include "base/assert.h"
#include "fuzz/fuzz.h"
#include "motorcade/replay.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int fd = -1;
    static char path[64];
    if (fd < 0) {
        fd = memfd_create("recording", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    if (size > 1 << 16 || (size > 4 && memcmp(data, "\x89HDF", 4) == 0))
        return 0;
    mc_assert(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
    mc_error error = {0};
    mc_replay *r = mc_replay_load(path, NULL, &error);
    if (!r) {
        mc_assert(error.code == MC_BAD_INPUT && strlen(error.text) > 8);
        return 0;
    }
    const mc_replay_info *info = mc_replay_info_of(r);
    mc_assert(info->row_count > 0 && info->car_count > 0);
    for (int row = 0; row < info->row_count; row++) {
        const double t = mc_replay_time(r, row);
        mc_assert(row == 0 || t >= mc_replay_time(r, row - 1));
    }
    mc_replay_free(r);
    return 0;
}
