// file.h - files that are written completely or not at all.
//
// A file is made without a name in the folder of its target, written, synced, and renamed over
// the target in one step. Until then the target keeps what it had; after a failure, an abandon or
// a kill nothing is left behind. Where a file system has no files without names (O_TMPFILE), it has
// a temporary one, "run.csv.tmp-<pid>-<n>", which a kill leaves.
//
//     file_writer *out = file_writer_open("report.txt", &error);
//     if (!out)
//         return error.code;
//     file_print(out, "%d vehicles\n", count); // errors are kept until the commit
//     return file_writer_commit(out, &error);
//
// Lifetime:
// 1. Every draft or writer that was opened is ended exactly once, by commit or by abandon; both
//    free it, also when the commit fails.
// 2. A commit that fails has left the target as it was.
// 3. A symbolic link is followed: its target is replaced, the link stays. The mode of a file that
//    is replaced is kept; a file without write permission is not replaced.
// 4. A device or a pipe (/dev/null, /dev/stdout) is written in place, and there is nothing to undo.
//    A pipe that no program reads within 5 s is an error.
#pragma once

#include "base/arena.h"
#include "motorcade/status.h"

#include <stdbool.h>
#include <stdint.h>

// A file without its final name, to be written through its descriptor.
typedef struct file_draft {
    char *target;  // the name it will get, symbolic links followed
    char *path;    // the temporary name; NULL: none
    int fd;        // open for reading and writing (a device: for writing)
    bool in_place; // a device or a pipe: there is nothing to rename
    bool hasty;    // set it to leave out the sync: then the file is safe from a kill of the process
                   // but not from a loss of power
} file_draft;

mc_status file_draft_open(file_draft *draft, const char *target, mc_error *error);
mc_status file_draft_commit(file_draft *draft, mc_error *error); // sync, name
void file_draft_abandon(file_draft *draft);                      // remove

// Buffered text. The first error is kept and everything after it is dropped, so that a row of
// calls needs one check.
typedef struct file_writer file_writer;

file_writer *file_writer_open(const char *target, mc_error *error); // NULL: see *error
void file_write(file_writer *writer, const void *data, size_t size);
void file_print(file_writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));
void file_writer_hasty(file_writer *writer);      // no sync at the commit, see file_draft
mc_status file_writer_flush(file_writer *writer); // to the temporary file
mc_status file_writer_check(const file_writer *writer, mc_error *error); // the error kept so far
mc_status file_writer_commit(file_writer *writer, mc_error *error);
void file_writer_abandon(file_writer *writer);

// Room for size bytes (at most FILE_RESERVE_MAX) that the caller fills; file_advance then says how
// many of them it used. The pointer is good until the next call with this writer.
enum { FILE_RESERVE_MAX = 4096 };
char *file_reserve(file_writer *writer, size_t size);
void file_advance(file_writer *writer, size_t size);

// The whole file, followed by a '\0' that is not counted, in the arena. limit: bytes, 0 means
// FILE_READ_LIMIT. A file that is missing, a folder, not readable or larger is MC_BAD_INPUT. So is
// a pipe that no program writes to within 5 s; of pipes and devices at most 64 MB are read.
#define FILE_READ_LIMIT ((size_t)1 << 30)
mc_status file_read(arena *a, const char *path, size_t limit, char **data, size_t *size,
                    mc_error *error);

// All of data at an offset of the file; false with errno set when that cannot be done.
bool file_write_at(int fd, const void *data, size_t size, int64_t offset);
bool file_read_at(int fd, void *data, size_t size,
                  int64_t offset); // false, errno 0: file too short

// Bytes that can still be written in the folder of path; -1 when the system does not say.
int64_t file_free_space(const char *path);
