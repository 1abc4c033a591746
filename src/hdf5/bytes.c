// bytes.c - bounded reads of an HDF5 file.
#include "hdf5/bytes.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

mc_status hdf5_bytes_open(hdf5_file *f, const char *path, mc_error *error)
{
    struct stat status;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a FIFO must not hold us up
    const bool known = fd >= 0 && fstat(fd, &status) == 0;
    *f = (hdf5_file){.fd = fd, .budget = HDF5_BUDGET};
    if (known && S_ISREG(status.st_mode) && status.st_size > 0) {
        f->size = (uint64_t)status.st_size;
        return MC_OK;
    }
    const int reason = errno;
    hdf5_bytes_close(f);
    if (!known)
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "cannot be read: %s",
                            strerror(reason));
    if (!S_ISREG(status.st_mode))
        return mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "cannot be read: it is %s",
                            S_ISDIR(status.st_mode) ? "a folder" : "not a file");
    return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                        "is empty; expected a results file (run.h5)");
}

void hdf5_bytes_close(hdf5_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    f->fd = -1;
}

bool hdf5_wrong(hdf5_file *f, const char *reason)
{
    if (!f->reason)
        f->reason = reason;
    return false;
}

bool hdf5_foreign(hdf5_file *f, const char *reason)
{
    f->foreign = !f->reason;
    return hdf5_wrong(f, reason);
}

bool hdf5_bytes_copy(hdf5_file *f, uint64_t address, uint64_t size, void *out)
{
    if (address > f->size || size > f->size - address)
        return hdf5_wrong(f, "an address lies beyond the end of the file");
    return file_read_at(f->fd, out, (size_t)size, (int64_t)address) ||
           hdf5_wrong(f, errno ? strerror(errno) : "the file became shorter");
}

bool hdf5_bytes_spend(hdf5_file *f, uint64_t size)
{
    if (size > f->budget)
        return hdf5_wrong(f, "its structures and texts take more than 160 MB");
    f->budget -= size;
    return true;
}

void *hdf5_memory(hdf5_file *f, arena *memory, uint64_t size)
{
    // An arena rounds up; and what costs no bytes costs a step, so counting bounds both.
    void *out = hdf5_bytes_spend(f, size + 64) ? arena_alloc(memory, (size_t)size) : NULL;
    if (!out && !f->reason) {
        f->out_of_memory = true;
        hdf5_wrong(f, "no memory left");
    }
    return out;
}

unsigned char *hdf5_bytes_take(hdf5_file *f, arena *memory, uint64_t address, uint64_t size)
{
    if (size > HDF5_BLOCK_MAX || address > f->size || size > f->size - address) {
        hdf5_wrong(f, "a structure lies beyond the end of the file");
        return NULL;
    }
    unsigned char *out = hdf5_memory(f, memory, size);
    return out && hdf5_bytes_copy(f, address, size, out) ? out : NULL;
}

const unsigned char *hdf5_skip(hdf5_cursor *c, uint64_t bytes)
{
    if (c->failed || bytes > (uint64_t)(c->end - c->at)) {
        c->failed = true;
        return NULL;
    }
    const unsigned char *from = c->at;
    c->at += bytes;
    return from;
}

uint64_t hdf5_number(hdf5_cursor *c, int bytes)
{
    const unsigned char *from = hdf5_skip(c, (uint64_t)bytes);
    uint64_t value = 0;
    for (int i = bytes - 1; from && i >= 0; i--)
        value = value << 8 | from[i];
    return value;
}
