// zip.h - a ZIP archive, written and read.
//
// Written: deflated by zlib, one date for all entries, so that the same contents give the same
// bytes. Read: stored and deflated entries, each checked against its sum. Rejected: names that are
// absolute or climb out of the archive, encryption, archives beyond 4 GB (ZIP64), sizes beyond the
// limits below, which are known before memory is taken.
#pragma once

#include "base/arena.h"
#include "motorcade/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { ZIP_ENTRY_MAX = 256 << 20, ZIP_ENTRIES_MAX = 20000 };

typedef struct zip_entry {
    const char *name;
    const void *data; // not compressed
    size_t size;
} zip_entry;

mc_status zip_write(const char *path, const zip_entry *entries, int count, mc_error *error);

// All entries except folders, in the arena.
mc_status zip_read(arena *memory, const char *path, zip_entry **entries, int *count,
                   mc_error *error);
// The same of an archive in memory; path: for messages.
mc_status zip_parse(arena *memory, const void *bytes, size_t size, const char *path,
                    zip_entry **entries, int *count, mc_error *error);
