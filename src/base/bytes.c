// bytes.c - a growing block of bytes.
#include "base/bytes.h"

#include <stdlib.h>
#include <string.h>

void bytes_put(bytes *b, const void *data, size_t size)
{
    if (b->failed || size == 0)
        return;
    if (b->room - b->size < size) {
        const size_t room = 2 * b->room + size + 256;
        unsigned char *grown = realloc(b->data, room);
        if (!grown) {
            b->failed = true;
            return;
        }
        b->data = grown;
        b->room = room;
    }
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

void bytes_free(bytes *b)
{
    free(b->data);
    *b = (bytes){0};
}

bytes_reader bytes_read(const void *data, size_t size)
{
    return (bytes_reader){.data = data, .size = size};
}

bool bytes_take(bytes_reader *r, void *data, size_t size)
{
    if (r->failed || r->size - r->at < size) {
        r->failed = true;
        return false;
    }
    if (size > 0)
        memcpy(data, r->data + r->at, size);
    r->at += size;
    return true;
}

bool bytes_take_equal(bytes_reader *r, const void *data, size_t size)
{
    if (r->failed || r->size - r->at < size || memcmp(r->data + r->at, data, size) != 0)
        r->failed = true;
    else
        r->at += size;
    return !r->failed;
}

unsigned long long bytes_hash(unsigned long long hash, const void *data, size_t size)
{
    const unsigned char *piece = data;
    for (size_t k = 0; k < size; k++)
        hash = (hash ^ piece[k]) * 1099511628211ULL;
    return hash;
}
