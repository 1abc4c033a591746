// file.c - temporary name, write, sync, rename.
#include "base/file.h"

#include "base/assert.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { BUFFER = 1 << 18, NAME_TRIES = 1000 };
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

// Opens a new file beside draft->target. The system applies the umask, which mkstemp would not.
static bool open_temporary(file_draft *draft)
{
    const char *slash = strrchr(draft->target, '/');
    const int folder_length = slash ? (int)(slash + 1 - draft->target) : 0;
    const char *name = draft->target + folder_length;
    for (int n = 0; n < NAME_TRIES; n++) {
        char *path = NULL; // the name is cut so that the addition fits the system's 255 bytes
        if (asprintf(&path, "%.*s%.200s.tmp-%ld-%d", folder_length, draft->target, name,
                     (long)getpid(), n) < 0) {
            errno = ENOMEM;
            return false;
        }
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

static void draft_free(file_draft *draft)
{
    if (draft->fd >= 0)
        close(draft->fd);
    free(draft->path);
    free(draft->target);
    *draft = (file_draft){.fd = -1};
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
        draft->fd = open(target, O_WRONLY | O_CLOEXEC);
    } else if (open_temporary(draft) && exists) {
        (void)!fchmod(draft->fd, status.st_mode & 0777); // not all file systems have modes
    }
    if (draft->fd < 0) {
        const int number = errno;
        char *folder = folder_of(target);
        draft_free(draft);
        mc_error_set(error, MC_IO, target, 0, 0, "cannot be made in folder \"%s\": %s",
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
    const bool in_place = !draft->path;
    const bool sync = !in_place && !draft->hasty;
    if (sync && fsync(draft->fd) != 0)
        status = write_error(error, draft->target);
    if (close(draft->fd) != 0 && status == MC_OK) // network file systems report here
        status = write_error(error, draft->target);
    draft->fd = -1;
    if (!in_place && status == MC_OK) {
        if (rename(draft->path, draft->target) != 0)
            status = write_error(error, draft->target);
        else if (sync)
            sync_folder(draft->target);
    }
    if (!in_place && status != MC_OK)
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

// Reads to the end. expected is a guess of the size; files that grow or do not know their size
// (pipes, /proc) are read in ever larger blocks, whose smaller forerunners stay in the arena.
static mc_status read_all(int fd, arena *a, const char *path, size_t expected, size_t limit,
                          char **data, size_t *size, mc_error *error)
{
    size_t room = (expected < limit ? expected : limit) + 1; // one more: to see the end, for '\0'
    char *block = arena_alloc(a, room);
    size_t used = 0;
    for (;;) {
        if (!block)
            return memory_error(error, path);
        const ssize_t done = read(fd, block + used, room - used);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return read_error(error, path);
        if (done == 0)
            break;
        used += (size_t)done;
        if (used > limit)
            return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                                "is larger than the %zu bytes that are allowed", limit);
        if (used == room) {
            room = room < limit / 2 ? 2 * room + 4096 : limit + 1;
            char *larger = arena_alloc(a, room);
            if (larger)
                memcpy(larger, block, used);
            block = larger;
        }
    }
    block[used] = '\0'; // used < room: the loop leaves no full block
    *data = block;
    *size = used;
    return MC_OK;
}

mc_status file_read(arena *a, const char *path, size_t limit, char **data, size_t *size,
                    mc_error *error)
{
    if (limit == 0)
        limit = FILE_READ_LIMIT;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
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
            mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "has %lld bytes; at most %zu are allowed",
                         (long long)file.st_size, limit);
    else
        status = read_all(fd, a, path, S_ISREG(file.st_mode) ? (size_t)file.st_size : 0, limit,
                          data, size, error);
    close(fd);
    return status;
}
