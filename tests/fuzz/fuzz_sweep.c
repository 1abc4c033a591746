// fuzz_sweep.c - any bytes as the table of a sweep: read or rejected, never a crash; what is read
// has the rows it says it has.
//
// Rows carry a checksum, which a fuzzer does not guess: the last value of each whole row is
// replaced by the right one if the input begins with '+', so that what is behind the check is
// reached too.
#include "base/assert.h"
#include "fuzz/fuzz.h"
#include "motorcade/sweep.h"
#include "sweep/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CHECK = 8 };

static void repair(char *text, size_t size)
{
    for (char *row = text, *end; (end = memchr(row, '\n', size - (size_t)(row - text)));
         row = end + 1) {
        const long length = end - row - CHECK - 1;
        if (length > 0 && row[0] != '#' && row[length] == ',') {
            char check[CHECK + 1];
            snprintf(check, sizeof check, "%08x", sweep_row_check(row, (int)length));
            memcpy(row + length + 1, check, CHECK);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int fd = -1;
    static char path[64];
    if (fd < 0) {
        fd = memfd_create("sweep", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    const bool repaired = size > 0 && data[0] == '+';
    const size_t length = size - repaired;
    char *text = malloc(size + 1);
    mc_assert(text);
    memcpy(text, data + repaired, length);
    if (repaired)
        repair(text, length);
    mc_assert(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, text, length, 0) == (ssize_t)length);
    free(text);
    mc_error error = {0};
    mc_sweep_table *t = mc_sweep_table_load(path, &error);
    if (!t)
        mc_assert(error.code == MC_BAD_INPUT && strlen(error.text) > 8);
    for (int k = 0; t && k < t->row_count; k++)
        mc_assert(t->rows[k].run >= 0 && t->rows[k].run < t->run_count && t->rows[k].ended);
    mc_sweep_table_free(t);
    return 0;
}
