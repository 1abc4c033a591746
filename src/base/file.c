// file.c - a file without a name, written, synced, and put in its place.
#include "base/file.h"

#include "base/assert.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

enum {
    BUFFER = 1 << 18,
    NAME_TRIES = 1000,
    PIPE_WAIT_MS = 5000, // for the other end of a pipe
    PIPE_PAUSE_MS = 20,
};
#define STREAM_LIMIT ((size_t)64 << 20) // bytes of a pipe or device, which may have no end
_Static_assert((int)BUFFER >= (int)FILE_RESERVE_MAX, "a reservation fits an empty buffer");

static mc_status write_error(mc_error *error, const char *name)
{
    const int number = errno;
    return mc_error_set(error, MC_IO, name, 0, 0, "cannot be written: %s", strerror(number));
}

static mc_status memory_error(mc_error *error, const char *name)
{
    return mc_error_set(error, MC_NO_MEMORY, name, 0, 0, "no memory left");
}

// The folder part of path, to be freed; NULL when there is no memory.
static char *folder_of(const char *path)
{
    char *copy = strdup(path);
    char *folder = copy ? strdup(dirname(copy)) : NULL;
    free(copy);
    return folder;
}

int64_t file_free_space(const char *path)
{
    char *folder = folder_of(path);
    struct statvfs system;
    const bool known = folder && statvfs(folder, &system) == 0;
    free(folder);
    uint64_t bytes = 0;
    if (!known || __builtin_mul_overflow(system.f_bavail, system.f_frsize, &bytes))
        return -1;
    return bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes;
}

bool file_write_at(int fd, const void *data, size_t size, int64_t offset)
{
    const char *from = data;
    while (size > 0) {
        const ssize_t done = pwrite(fd, from, size, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            errno = done == 0 ? ENOSPC : errno;
            return false;
        }
        from += done;
        offset += done;
        size -= (size_t)done;
    }
    return true;
}

bool file_read_at(int fd, void *data, size_t size, int64_t offset)
{
    char *to = data;
    while (size > 0) {
        const ssize_t done = pread(fd, to, size, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            errno = done == 0 ? 0 : errno;
            return false;
        }
        to += done;
        offset += done;
        size -= (size_t)done;
    }
    return true;
}

// ---- draft ----

// A temporary name beside draft->target, number n of this process; NULL: no memory.
static char *temporary_name(const file_draft *draft, int n)
{
    const char *slash = strrchr(draft->target, '/');
    const int folder_length = slash ? (int)(slash + 1 - draft->target) : 0;
    char *path = NULL; // the name is cut so that the addition fits the system's 255 bytes
    if (asprintf(&path, "%.*s%.200s.tmp-%ld-%d", folder_length, draft->target,
                 draft->target + folder_length, (long)getpid(), n) < 0) {
        errno = ENOMEM;
        return NULL;
    }
    return path;
}

static void path_of_descriptor(int fd, char path[64])
{
    snprintf(path, 64, "/proc/self/fd/%d", fd);
}

// A new file without a name in the folder of draft->target. Not every file system has such files,
// and /proc is needed to name one.
static bool open_nameless(file_draft *draft)
{
    char *folder = folder_of(draft->target), own[64];
    draft->fd = folder ? open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666) : -1;
    free(folder);
    path_of_descriptor(draft->fd, own);
    if (draft->fd >= 0 && access(own, F_OK) != 0) {
        close(draft->fd);
        draft->fd = -1;
    }
    return draft->fd >= 0;
}

// Opens a new file beside draft->target. The system applies the umask, which mkstemp would not.
static bool open_temporary(file_draft *draft)
{
    if (open_nameless(draft))
        return true;
    for (int n = 0; n < NAME_TRIES; n++) {
        char *path = temporary_name(draft, n);
        if (!path)
            return false;
        draft->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (draft->fd >= 0) {
            draft->path = path;
            return true;
        }
        const int number = errno;
        free(path);
        errno = number;
        if (number != EEXIST)
            return false;
    }
    return false;
}

// Gives a nameless file its target's name; where that is taken a temporary one, to be renamed.
static bool name_it(file_draft *draft, bool *named)
{
    char own[64];
    path_of_descriptor(draft->fd, own);
    *named = linkat(AT_FDCWD, own, AT_FDCWD, draft->target, AT_SYMLINK_FOLLOW) == 0;
    if (*named)
        return true;
    for (int n = 0; n < NAME_TRIES && errno == EEXIST; n++) {
        char *path = temporary_name(draft, n);
        if (path && linkat(AT_FDCWD, own, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0) {
            draft->path = path;
            return true;
        }
        const int number = errno;
        free(path);
        errno = number;
    }
    return false;
}

static void draft_free(file_draft *draft)
{
    if (draft->fd >= 0)
        close(draft->fd);
    free(draft->path);
    free(draft->target);
    *draft = (file_draft){.fd = -1};
}

static void sleep_briefly(void)
{
    nanosleep(&(struct timespec){.tv_nsec = PIPE_PAUSE_MS * 1000000L}, NULL);
}

static bool set_blocking(int fd)
{
    const int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) == 0;
}

// A device, or a pipe whose reader may come a little later but must come.
static int open_device(const char *path, bool pipe)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    for (int wait = 0; pipe && fd < 0 && errno == ENXIO && wait < PIPE_WAIT_MS;
         wait += PIPE_PAUSE_MS) {
        sleep_briefly();
        fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    }
    if (fd >= 0 && !set_blocking(fd)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

mc_status file_draft_open(file_draft *draft, const char *target, mc_error *error)
{
    *draft = (file_draft){.fd = -1};
    const size_t length = strlen(target);
    if (length == 0 || target[length - 1] == '/')
        return mc_error_set(error, MC_IO, target, 0, 0, "is not the name of a file");
    struct stat status;
    const bool exists = stat(target, &status) == 0;
    if (exists && S_ISDIR(status.st_mode))
        return mc_error_set(error, MC_IO, target, 0, 0, "is a folder, not a file");
    if (exists && faccessat(AT_FDCWD, target, W_OK, AT_EACCESS) != 0)
        return write_error(error, target);
    draft->target = exists && S_ISREG(status.st_mode) ? realpath(target, NULL) : strdup(target);
    if (!draft->target)
        return errno == ENOMEM ? memory_error(error, target) : write_error(error, target);
    if (exists && !S_ISREG(status.st_mode)) {
        draft->in_place = true;
        draft->fd = open_device(target, S_ISFIFO(status.st_mode));
    } else if (open_temporary(draft) && exists) {
        (void)!fchmod(draft->fd, status.st_mode & 0777); // not all file systems have modes
    }
    if (draft->fd < 0) {
        const int number = errno;
        if (draft->in_place) {
            draft_free(draft);
            return mc_error_set(error, MC_IO, target, 0, 0, "cannot be written: %s",
                                number == ENXIO ? "no program reads this pipe" : strerror(number));
        }
        char *folder = folder_of(target);
        draft_free(draft);
        mc_error_set(error, MC_IO, target, 0, 0, "cannot be created in folder \"%s\": %s",
                     folder ? folder : "", strerror(number));
        free(folder);
        return MC_IO;
    }
    return MC_OK;
}

// Makes the new name itself last. Not every file system can; the file is right all the same.
static void sync_folder(const char *path)
{
    char *folder = folder_of(path);
    const int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        (void)!fsync(fd);
        close(fd);
    }
    free(folder);
}

mc_status file_draft_commit(file_draft *draft, mc_error *error)
{
    mc_status status = MC_OK;
    const bool sync = !draft->in_place && !draft->hasty;
    bool named = draft->in_place;
    if (sync && fsync(draft->fd) != 0)
        status = write_error(error, draft->target);
    if (status == MC_OK && !named && !draft->path && !name_it(draft, &named))
        status = write_error(error, draft->target);
    if (close(draft->fd) != 0 && status == MC_OK) // network file systems report here
        status = write_error(error, draft->target);
    draft->fd = -1;
    if (!named && status == MC_OK && rename(draft->path, draft->target) != 0)
        status = write_error(error, draft->target);
    if (sync && status == MC_OK)
        sync_folder(draft->target);
    if (draft->path && status != MC_OK)
        unlink(draft->path);
    draft_free(draft);
    return status;
}

void file_draft_abandon(file_draft *draft)
{
    if (draft->path)
        unlink(draft->path);
    draft_free(draft);
}

// ---- writer ----

struct file_writer {
    file_draft draft;
    char *name; // as the caller wrote it, for messages
    mc_error error;
    size_t used;
    char buffer[BUFFER];
};

file_writer *file_writer_open(const char *target, mc_error *error)
{
    file_writer *writer = malloc(sizeof *writer);
    char *name = strdup(target);
    if (!writer || !name) {
        memory_error(error, target);
    } else {
        writer->name = name;
        writer->error.code = MC_OK;
        writer->used = 0;
        if (file_draft_open(&writer->draft, target, error) == MC_OK)
            return writer;
    }
    free(writer);
    free(name);
    return NULL;
}

void file_writer_hasty(file_writer *writer)
{
    writer->draft.hasty = true;
}

mc_status file_writer_flush(file_writer *writer)
{
    const char *from = writer->buffer;
    while (writer->used > 0 && writer->error.code == MC_OK) {
        const ssize_t done = write(writer->draft.fd, from, writer->used);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            write_error(&writer->error, writer->name);
            break;
        }
        from += done;
        writer->used -= (size_t)done;
    }
    writer->used = 0; // after an error the rest is dropped
    return writer->error.code;
}

char *file_reserve(file_writer *writer, size_t size)
{
    mc_assert(size <= FILE_RESERVE_MAX);
    if (BUFFER - writer->used < size)
        file_writer_flush(writer);
    return writer->buffer + writer->used;
}

void file_advance(file_writer *writer, size_t size)
{
    mc_assert(size <= BUFFER - writer->used);
    writer->used += size;
}

void file_write(file_writer *writer, const void *data, size_t size)
{
    const char *from = data;
    while (size > 0) {
        if (writer->used == BUFFER)
            file_writer_flush(writer);
        const size_t room = BUFFER - writer->used;
        const size_t part = size < room ? size : room;
        memcpy(writer->buffer + writer->used, from, part);
        writer->used += part;
        from += part;
        size -= part;
    }
}

void file_print(file_writer *writer, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    char *room = file_reserve(writer, FILE_RESERVE_MAX);
    const int length = vsnprintf(room, FILE_RESERVE_MAX, format, arguments);
    char *longer = NULL;
    if (length >= 0 && length < FILE_RESERVE_MAX) {
        writer->used += (size_t)length;
    } else if (length >= 0 && vasprintf(&longer, format, again) == length) {
        file_write(writer, longer, (size_t)length);
        free(longer);
    } else if (writer->error.code == MC_OK) {
        memory_error(&writer->error, writer->name);
    }
    va_end(again);
    va_end(arguments);
}

mc_status file_writer_check(const file_writer *writer, mc_error *error)
{
    if (writer->error.code != MC_OK && error)
        *error = writer->error;
    return writer->error.code;
}

static void writer_free(file_writer *writer)
{
    free(writer->name);
    free(writer);
}

mc_status file_writer_commit(file_writer *writer, mc_error *error)
{
    file_writer_flush(writer);
    mc_status status = file_writer_check(writer, error);
    if (status == MC_OK)
        status = file_draft_commit(&writer->draft, error);
    else
        file_draft_abandon(&writer->draft);
    writer_free(writer);
    return status;
}

void file_writer_abandon(file_writer *writer)
{
    file_draft_abandon(&writer->draft);
    writer_free(writer);
}

// ---- reading ----

static mc_status read_error(mc_error *error, const char *path)
{
    const int number = errno;
    const mc_status code = number == EIO ? MC_IO : MC_BAD_INPUT;
    return mc_error_set(error, code, path, 0, 0, "cannot be read: %s", strerror(number));
}

// Reads a plain file of a size; what is added to it meanwhile is left out.
static mc_status read_file(int fd, arena *a, const char *path, size_t expected, char **data,
                           size_t *size, mc_error *error)
{
    *data = arena_alloc(a, expected + 1); // zeroed: a '\0' at the end
    *size = 0;
    if (!*data)
        return memory_error(error, path);
    while (*size < expected) {
        const ssize_t done = read(fd, *data + *size, expected - *size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return read_error(error, path);
        if (done == 0)
            break;
        *size += (size_t)done;
    }
    return MC_OK;
}

// The first bytes of a pipe or device; -1: see errno. A pipe not yet opened for writing
// reads as if it were at its end, so it is given some time.
static ssize_t read_first(int fd, char *block, size_t size)
{
    for (int wait = 0;; wait += PIPE_PAUSE_MS) {
        const ssize_t done = read(fd, block, size);
        struct pollfd ended = {.fd = fd, .events = POLLIN};
        if (done > 0 || (done < 0 && errno != EINTR))
            return done;
        if (done == 0 && poll(&ended, 1, 0) > 0 && (ended.revents & POLLHUP))
            return 0; // a writer was there
        if (done == 0 && wait >= PIPE_WAIT_MS) {
            errno = ENXIO;
            return -1;
        }
        sleep_briefly();
    }
}

// Reads a pipe or a device, whose size is not known, to its end.
static mc_status read_stream(int fd, arena *a, const char *path, size_t limit, bool pipe,
                             char **data, size_t *size, mc_error *error)
{
    size_t room = 1 << 16, used = 0;
    char *block = malloc(room);
    ssize_t done = block && pipe ? read_first(fd, block, room) : 1;
    mc_status status = MC_OK;
    if (!block)
        return memory_error(error, path);
    if (done < 0 && errno == ENXIO)
        status = mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                              "cannot be read: no program writes to this pipe");
    else if ((done < 0 && errno != EAGAIN) || !set_blocking(fd))
        status = read_error(error, path);
    used = pipe && done > 0 ? (size_t)done : 0;
    while (status == MC_OK && done != 0) {
        if (used == room) {
            room *= 2;
            char *larger = realloc(block, room);
            status = larger ? MC_OK : memory_error(error, path);
            block = larger ? larger : block;
            continue;
        }
        done = read(fd, block + used, room - used);
        if (done < 0 && errno != EINTR)
            status = read_error(error, path);
        used += done > 0 ? (size_t)done : 0;
        if (used > limit)
            status = mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                                  "is larger than the maximum of %zu bytes", limit);
    }
    *data = status == MC_OK ? arena_copy_text(a, block, used) : NULL;
    *size = used;
    free(block);
    return status == MC_OK && !*data ? memory_error(error, path) : status;
}

mc_status file_read(arena *a, const char *path, size_t limit, char **data, size_t *size,
                    mc_error *error)
{
    if (limit == 0)
        limit = FILE_READ_LIMIT;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe must not hold us up
    if (fd < 0)
        return read_error(error, path);
    struct stat file;
    mc_status status = MC_OK;
    if (fstat(fd, &file) != 0)
        status = read_error(error, path);
    else if (S_ISDIR(file.st_mode))
        status = mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "is a folder, not a file");
    else if (S_ISREG(file.st_mode) && (uint64_t)file.st_size > limit)
        status =
            mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "has %lld bytes; expected at most %zu",
                         (long long)file.st_size, limit);
    else if (S_ISREG(file.st_mode) && file.st_size > 0)
        status = read_file(fd, a, path, (size_t)file.st_size, data, size, error);
    else // files of /proc have no size
        status = read_stream(fd, a, path, limit < STREAM_LIMIT ? limit : STREAM_LIMIT,
                             S_ISFIFO(file.st_mode), data, size, error);
    close(fd);
    return status;
}
