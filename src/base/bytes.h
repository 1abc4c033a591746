// bytes.h - a block of bytes that is written piece by piece and read back in the same order.
//
// For snapshots: plain structs go in as they are and come out with the same bits. A reader knows
// where the block ends: a short or damaged one makes bytes_take fail, and everything after it.
//
//     bytes b = {0};
//     bytes_put(&b, &time, sizeof time);       // errors are kept in b.failed
//     bytes_reader r = bytes_read(b.data, b.size);
//     if (!bytes_take(&r, &time, sizeof time)) ...
//     bytes_free(&b);
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct bytes {
    unsigned char *data;
    size_t size, room;
    bool failed; // no memory: what was put is not complete
} bytes;

void bytes_put(bytes *b, const void *data, size_t size);
void bytes_free(bytes *b);

typedef struct bytes_reader {
    const unsigned char *data;
    size_t size, at;
    bool failed;
} bytes_reader;

bytes_reader bytes_read(const void *data, size_t size);
bool bytes_take(bytes_reader *r, void *data, size_t size);
bool bytes_take_equal(bytes_reader *r, const void *data, size_t size); // takes, and compares

// FNV-1a, piece by piece: start with BYTES_HASH_START.
#define BYTES_HASH_START 1469598103934665603ULL
unsigned long long bytes_hash(unsigned long long hash, const void *data, size_t size);
