// fuzz_results.c - any bytes as a results file: read or rejected, never a crash; what is read can
// be walked through, all of it.
#include "base/assert.h"
#include "fuzz/fuzz.h"
#include "hdf5/results_read.h"
#include "motorcade/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { NUMBERS_MAX = 1 << 20 }; // read of one table

static void read_tables(results_reader *r)
{
    mc_error error;
    for (int t = 0; t < results_reader_table_count(r); t++) {
        const results_shape *s = results_reader_table(r, t);
        for (int64_t c = 0; c < s->column_count; c++)
            mc_assert(s->columns[c] && s->units[c] && s->docs[c]);
        const int64_t width = s->column_count * (s->vehicle_count > 0 ? s->vehicle_count : 1);
        if (width > NUMBERS_MAX)
            continue;
        double *row = malloc((size_t)width * sizeof *row);
        mc_assert(row);
        const int64_t stride = s->row_count / 64 + 1;
        for (int64_t k = 0; k < s->row_count; k += stride) {
            const results_part part = {.row = k,
                                       .row_count = 1,
                                       .vehicle_count = s->vehicle_count,
                                       .column_count = s->column_count};
            if (results_read(r, t, &part, row, &error) != MC_OK) {
                mc_assert(error.code == MC_BAD_INPUT && strlen(error.text) > 8);
                break;
            }
        }
        free(row);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int fd = -1;
    static char path[64];
    if (fd < 0) {
        fd = memfd_create("results", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    mc_assert(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
    mc_error error = {0};
    results_reader *r = results_reader_open(path, &error);
    if (r)
        read_tables(r);
    else
        mc_assert(error.code == MC_BAD_INPUT && strlen(error.text) > 8);
    results_reader_free(r);
    mc_replay_free(mc_replay_load(path, NULL, &error));
    return 0;
}
