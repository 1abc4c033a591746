// zip.c - see zip.h. Numbers are as in PKWARE's APPNOTE: local headers with their data, the central
// directory, its end.
#include "io/zip.h"

#include "base/file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    LOCAL_SIZE = 30,
    CENTRAL_SIZE = 46,
    END_SIZE = 22,
    COMMENT_MAX = 65535,
    DEFLATED = 8,
    LEVEL = 4,           // 6 takes more than twice as long for 3 % less
    VERSION = 20,        // 2.0: deflate
    DATE = (1 << 5) | 1, // 1980-01-01
    MODE_SHIFT = 16,
    MADE_BY_UNIX = 3 << 8,
};
static const uint32_t local_mark = 0x04034b50, central_mark = 0x02014b50, end_mark = 0x06054b50;

// ---- writing -----------------------------------------------------------------------------------

static unsigned char *put2(unsigned char *at, uint32_t value)
{
    at[0] = (unsigned char)value;
    at[1] = (unsigned char)(value >> 8);
    return at + 2;
}

static unsigned char *put4(unsigned char *at, uint32_t value)
{
    return put2(put2(at, value & 0xffff), value >> 16);
}

typedef struct packed {
    unsigned char *data;
    uint32_t size, sum, offset;
} packed;

// Raw deflate, as archives have it.
static mc_status pack(const zip_entry *e, packed *out, mc_error *error)
{
    z_stream z = {0};
    if (e->size > ZIP_ENTRY_MAX)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s: too large for an archive",
                            e->name);
    out->sum = (uint32_t)crc32(0, e->data, (uInt)e->size);
    const uLong room = compressBound((uLong)e->size) + 64;
    out->data = malloc(room);
    if (!out->data ||
        deflateInit2(&z, LEVEL, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory to pack %s", e->name);
    z.next_in = (Bytef *)(uintptr_t)e->data; // zlib does not write to it
    z.avail_in = (uInt)e->size;
    z.next_out = out->data;
    z.avail_out = (uInt)room;
    const int end = deflate(&z, Z_FINISH);
    out->size = (uint32_t)z.total_out;
    deflateEnd(&z);
    return end == Z_STREAM_END
               ? MC_OK
               : mc_error_set(error, MC_FAILED, NULL, 0, 0, "cannot pack %s", e->name);
}

// What local headers and the directory share, from the version needed on.
static unsigned char *put_common(unsigned char *at, const zip_entry *e, const packed *p)
{
    at = put2(at, VERSION);
    at = put2(at, 0);
    at = put2(at, DEFLATED);
    at = put2(at, 0);
    at = put2(at, DATE);
    at = put4(at, p->sum);
    at = put4(at, p->size);
    at = put4(at, (uint32_t)e->size);
    at = put2(at, (uint32_t)strlen(e->name));
    return put2(at, 0);
}

static void write_local(file_writer *out, const zip_entry *e, const packed *p)
{
    unsigned char head[LOCAL_SIZE];
    put_common(put4(head, local_mark), e, p);
    file_write(out, head, sizeof head);
    file_write(out, e->name, strlen(e->name));
    file_write(out, p->data, p->size);
}

static void write_central(file_writer *out, const zip_entry *e, const packed *p)
{
    unsigned char head[CENTRAL_SIZE], *at = put2(put4(head, central_mark), MADE_BY_UNIX | VERSION);
    at = put_common(at, e, p);
    at = put2(at, 0);                               // comment
    at = put2(at, 0);                               // disk
    at = put2(at, 0);                               // internal attributes
    at = put4(at, (uint32_t)0100755 << MODE_SHIFT); // a file that may be run: libraries are
    put4(at, p->offset);
    file_write(out, head, sizeof head);
    file_write(out, e->name, strlen(e->name));
}

static void write_end(file_writer *out, int count, uint32_t offset, uint32_t size)
{
    unsigned char end[END_SIZE], *at = put4(end, end_mark);
    at = put4(at, 0); // disks
    at = put2(at, (uint32_t)count);
    at = put2(at, (uint32_t)count);
    at = put4(at, size);
    at = put4(at, offset);
    put2(at, 0);
    file_write(out, end, sizeof end);
}

static mc_status write_all(const char *path, const zip_entry *entries, packed *all, int count,
                           mc_error *error)
{
    file_writer *out = file_writer_open(path, error);
    if (!out)
        return error->code;
    uint32_t offset = 0, size = 0;
    for (int i = 0; i < count; i++) {
        all[i].offset = offset;
        write_local(out, &entries[i], &all[i]);
        offset += LOCAL_SIZE + (uint32_t)strlen(entries[i].name) + all[i].size;
    }
    for (int i = 0; i < count; i++) {
        write_central(out, &entries[i], &all[i]);
        size += CENTRAL_SIZE + (uint32_t)strlen(entries[i].name);
    }
    write_end(out, count, offset, size);
    return file_writer_commit(out, error);
}

mc_status zip_write(const char *path, const zip_entry *entries, int count, mc_error *error)
{
    packed *all = calloc((size_t)count + 1, sizeof *all);
    mc_status status =
        all ? MC_OK : mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the archive");
    for (int i = 0; i < count && status == MC_OK; i++)
        status = pack(&entries[i], &all[i], error);
    if (status == MC_OK)
        status = write_all(path, entries, all, count, error);
    for (int i = 0; all && i < count; i++)
        free(all[i].data);
    free(all);
    return status;
}

// ---- reading -----------------------------------------------------------------------------------

static uint32_t take2(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8;
}

static uint32_t take4(const unsigned char *at)
{
    return take2(at) | take2(at + 2) << 16;
}

typedef struct reader {
    arena *memory;
    const unsigned char *data;
    size_t size;
    const char *path;
    mc_error *error;
} reader;

static mc_status bad(const reader *r, const char *what)
{
    return mc_error_set(r->error, MC_BAD_INPUT, r->path, 0, 0, "not a sound ZIP archive: %s", what);
}

static bool is_inside(const char *name)
{
    if (name[0] == '/' || name[0] == '\0' || strchr(name, '\\'))
        return false;
    for (const char *at = name; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || at[2] == '\0'))
            return false;
    }
    return true;
}

static mc_status unpack(reader *r, const unsigned char *from, uint32_t packed_size, uint32_t method,
                        unsigned char *to, uint32_t size)
{
    if (method == 0) {
        if (packed_size != size)
            return bad(r, "a stored entry with two sizes");
        memcpy(to, from, size);
        return MC_OK;
    }
    z_stream z = {.next_in = (Bytef *)(uintptr_t)from,
                  .avail_in = packed_size,
                  .next_out = to,
                  .avail_out = size};
    if (method != DEFLATED)
        return bad(r, "a method of compression that is neither stored nor deflated");
    if (inflateInit2(&z, -MAX_WBITS) != Z_OK)
        return mc_error_set(r->error, MC_NO_MEMORY, r->path, 0, 0, "no memory to unpack");
    const int end = inflate(&z, Z_FINISH);
    const bool whole = end == Z_STREAM_END && z.total_out == size;
    inflateEnd(&z);
    return whole ? MC_OK : bad(r, "an entry cannot be unpacked");
}

// The entry of the directory at `at`, which has CENTRAL_SIZE bytes at least; *next: behind it.
static mc_status read_entry(reader *r, size_t at, zip_entry *out, size_t *next)
{
    const unsigned char *c = r->data + at;
    const uint32_t method = take2(c + 10), sum = take4(c + 16), packed_size = take4(c + 20),
                   size = take4(c + 24), name = take2(c + 28), offset = take4(c + 42);
    *next = at + CENTRAL_SIZE + name + take2(c + 30) + take2(c + 32);
    if (take4(c) != central_mark || *next > r->size)
        return bad(r, "its directory is damaged");
    if (take2(c + 8) & 1)
        return bad(r, "it is encrypted");
    if (size > ZIP_ENTRY_MAX)
        return bad(r, "an entry is too large");
    char *text = arena_copy_text(r->memory, (const char *)c + CENTRAL_SIZE, name);
    unsigned char *data = arena_alloc(r->memory, (size_t)size + 1);
    if (!text || !data)
        return mc_error_set(r->error, MC_NO_MEMORY, r->path, 0, 0, "no memory to unpack");
    if (strlen(text) != name || !is_inside(text))
        return bad(r, "an entry has a name that is not allowed");
    *out = (zip_entry){text, data, size};
    if ((size_t)offset + LOCAL_SIZE > r->size || take4(r->data + offset) != local_mark)
        return bad(r, "an entry is not where the directory says");
    const size_t from =
        (size_t)offset + LOCAL_SIZE + take2(r->data + offset + 26) + take2(r->data + offset + 28);
    if (from + packed_size > r->size)
        return bad(r, "it is cut off");
    const mc_status status = unpack(r, r->data + from, packed_size, method, data, size);
    if (status == MC_OK && crc32(0, data, size) != sum)
        return bad(r, "the sum of an entry is wrong");
    return status;
}

// Offset of the end of the directory; SIZE_MAX: none.
static size_t find_end(const reader *r)
{
    if (r->size < END_SIZE)
        return SIZE_MAX;
    for (size_t back = END_SIZE; back <= r->size && back <= END_SIZE + COMMENT_MAX; back++)
        if (take4(r->data + r->size - back) == end_mark)
            return r->size - back;
    return SIZE_MAX;
}

mc_status zip_parse(arena *memory, const void *bytes, size_t size, const char *path,
                    zip_entry **entries, int *count, mc_error *error)
{
    reader r = {.memory = memory, .data = bytes, .size = size, .path = path, .error = error};
    mc_status status = MC_OK;
    const size_t end = find_end(&r);
    if (end == SIZE_MAX)
        return bad(&r, "it has no directory");
    const uint32_t total = take2(r.data + end + 10);
    size_t at = take4(r.data + end + 16);
    if (total > ZIP_ENTRIES_MAX)
        return bad(&r, "it has too many entries");
    *entries = arena_alloc(memory, ((size_t)total + 1) * sizeof **entries);
    if (!*entries)
        return mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory to unpack");
    *count = 0;
    for (uint32_t i = 0; i < total && status == MC_OK; i++) {
        if (at + CENTRAL_SIZE > r.size)
            return bad(&r, "its directory is cut off");
        zip_entry *e = &(*entries)[*count];
        status = read_entry(&r, at, e, &at);
        *count += status == MC_OK && e->name[strlen(e->name) - 1] != '/';
    }
    return status;
}

mc_status zip_read(arena *memory, const char *path, zip_entry **entries, int *count,
                   mc_error *error)
{
    char *data;
    size_t size;
    const mc_status status = file_read(memory, path, 0, &data, &size, error);
    return status == MC_OK ? zip_parse(memory, data, size, path, entries, count, error) : status;
}
