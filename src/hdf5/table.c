// table.c - chunks found, unpacked and taken apart.
#include "hdf5/table.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    LEVELS_MAX = 16,
    BLOCK_BYTES = 1 << 20,      // of values in one piece that are read together
    CHUNK_BYTES_MAX = 16 << 20, // unpacked; Motorcade writes 256 kB
};

// ---- the index of chunks ----

typedef struct found { // a chunk, in the order of the tree
    hdf5_chunk chunk;
    uint64_t number;
} found;

typedef struct walk {
    hdf5_table *t;
    int rank;
    uint64_t expected;
    found *list;
    uint64_t count, room;
} walk;

// Values of a rank-2 dataset have one in the middle.
static int axis(int rank, int i)
{
    return rank == 2 && i == 1 ? 2 : i;
}

// The number of the chunk that starts at the given offsets; false: there is none.
static bool chunk_number(const walk *w, hdf5_cursor *c, uint64_t *number)
{
    uint64_t place[3] = {0, 0, 0};
    for (int i = 0; i < w->rank; i++) {
        const uint64_t offset = hdf5_number(c, 8), size = w->t->chunk[axis(w->rank, i)];
        place[axis(w->rank, i)] = offset / size;
        if (offset % size != 0 || offset / size >= w->t->chunks[axis(w->rank, i)])
            return false;
    }
    *number = (place[0] * w->t->chunks[1] + place[1]) * w->t->chunks[2] + place[2];
    return !c->failed;
}

static bool add_chunk(walk *w, hdf5_cursor *key, uint64_t address)
{
    hdf5_file *f = w->t->file;
    found next = {.chunk = {.address = address}};
    next.chunk.size = (uint32_t)hdf5_number(key, 4);
    next.chunk.skipped = (uint32_t)hdf5_number(key, 4);
    if (!chunk_number(w, key, &next.number) || w->count == w->expected)
        return hdf5_wrong(f, "a chunk lies outside of its table");
    if (address > f->size || next.chunk.size > f->size - address)
        return hdf5_wrong(f, "a chunk lies beyond the end of the file");
    if (w->count == w->room) {
        w->room = w->room > 0 ? 2 * w->room : 64;
        found *larger = reallocarray(w->list, w->room, sizeof *larger);
        if (!larger) {
            f->out_of_memory = true;
            return hdf5_wrong(f, "no memory left");
        }
        w->list = larger;
    }
    w->list[w->count++] = next;
    w->t->stored += next.chunk.size;
    return true;
}

// A node of the tree of chunks (III.A.1) and all below it: keys and children alternate.
static bool read_node(walk *w, uint64_t address, int level)
{
    enum { HEAD = 24 };
    hdf5_file *f = w->t->file;
    unsigned char head[HEAD];
    if (!hdf5_bytes_copy(f, address, HEAD, head))
        return false;
    const uint64_t count = (uint64_t)head[6] | (uint64_t)head[7] << 8;
    if (memcmp(head, "TREE", 4) != 0 || head[4] != 1 || head[5] >= LEVELS_MAX ||
        (level >= 0 && head[5] != level))
        return hdf5_wrong(f, "the tree of a table is not one that HDF5 writes");
    const uint64_t key = 8 + 8 * ((uint64_t)w->rank + 1), step = key + 8;
    arena memory = {0};
    const unsigned char *steps = hdf5_bytes_take(f, &memory, address + HEAD, count * step);
    bool good = steps != NULL;
    for (uint64_t i = 0; good && i < count; i++) {
        hdf5_cursor c = {steps + i * step, steps + i * step + key, false};
        hdf5_cursor after = {c.end, c.end + 8, false};
        const uint64_t child = hdf5_number(&after, 8);
        good = head[5] == 0 ? add_chunk(w, &c, child) : read_node(w, child, head[5] - 1);
    }
    arena_free(&memory);
    return good;
}

// Makes the index of what was found, if that is everything, each once.
static bool make_index(walk *w)
{
    hdf5_table *t = w->t;
    t->index = w->count == w->expected ? calloc(w->count + 1, sizeof *t->index) : NULL;
    if (!t->index)
        return true; // not whole
    for (uint64_t i = 0; i < w->count; i++)
        t->index[i].address = HDF5_NOWHERE;
    for (uint64_t i = 0; i < w->count; i++) {
        hdf5_chunk *chunk = &t->index[w->list[i].number];
        if (chunk->address != HDF5_NOWHERE)
            return hdf5_wrong(t->file, "a table has a chunk twice");
        *chunk = w->list[i].chunk;
    }
    return true;
}

static bool find_chunks(hdf5_table *t, int rank)
{
    walk w = {.t = t, .rank = rank};
    uint64_t unused;
    if (__builtin_mul_overflow(t->chunks[0], t->chunks[1], &w.expected) ||
        __builtin_mul_overflow(w.expected, t->chunks[2], &w.expected) ||
        __builtin_mul_overflow(w.expected, sizeof(found), &unused))
        return hdf5_wrong(t->file, "a table has more chunks than can be counted");
    const bool good =
        (t->address == HDF5_NOWHERE || read_node(&w, t->address, -1)) && make_index(&w);
    free(w.list);
    return good;
}

// ---- opening ----

// Values in one piece are read by blocks of whole rows, or by parts of wide rows.
static void choose_blocks(hdf5_table *t)
{
    uint64_t left = BLOCK_BYTES / t->type.size;
    for (int i = 2; i >= 0; i--) {
        left = left < 1 ? 1 : left;
        t->chunk[i] = left < t->shape[i] ? left : t->shape[i];
        t->chunk[i] = t->chunk[i] < 1 ? 1 : t->chunk[i];
        left = t->chunk[i] == t->shape[i] ? left / t->chunk[i] : 1;
    }
}

static bool take_places(hdf5_table *t, const hdf5_object *object)
{
    const int rank = object->space.rank;
    for (int i = 0; i < 3; i++)
        t->shape[i] = t->chunk[i] = 1;
    for (int i = 0; i < rank; i++) {
        t->shape[axis(rank, i)] = object->space.shape[i];
        t->chunk[axis(rank, i)] = object->chunk[i];
    }
    if (t->layout != HDF5_CHUNKED)
        choose_blocks(t);
    t->chunk_bytes = t->type.size;
    for (int i = 0; i < 3; i++) {
        t->chunks[i] = t->shape[i] / t->chunk[i] + (t->shape[i] % t->chunk[i] != 0);
        if (__builtin_mul_overflow(t->chunk_bytes, t->chunk[i], &t->chunk_bytes) ||
            t->chunk_bytes > CHUNK_BYTES_MAX)
            return hdf5_wrong(t->file, "a table has chunks of more than 16 MB");
    }
    return true;
}

bool hdf5_table_open(hdf5_table *t, hdf5_file *file, const hdf5_object *object)
{
    *t = (hdf5_table){.file = file,
                      .layout = object->layout,
                      .type = object->type,
                      .address = object->address,
                      .compact = object->compact,
                      .filter_count = object->filter_count};
    memcpy(t->filters, object->filters, sizeof t->filters);
    uint64_t bytes;
    if (object->space.rank < 0)
        return hdf5_wrong(file, "a table has more than three dimensions");
    if (__builtin_mul_overflow(object->space.count, (uint64_t)t->type.size, &bytes) ||
        bytes > INT64_MAX)
        return hdf5_wrong(file, "a table has more bytes than can be counted");
    if (!take_places(t, object))
        return false;
    if (object->unknown_filter)
        return hdf5_foreign(file, "a table is packed in a way that Motorcade does not use");
    switch (t->layout) {
    case HDF5_COMPACT:
        t->stored = object->size;
        return true;
    case HDF5_CONTIGUOUS: {
        const bool there = object->address <= file->size;
        const uint64_t max = there ? file->size - object->address : 0;
        t->stored = object->size < max ? object->size : max;
        return true;
    }
    case HDF5_CHUNKED:
        return find_chunks(t, object->space.rank);
    default:
        return hdf5_wrong(file, "a table has no values that can be read");
    }
}

void hdf5_table_close(hdf5_table *t)
{
    for (int i = 0; i < HDF5_CHUNKS_KEPT; i++)
        free(t->kept[i]);
    free(t->index);
    free(t->packed);
    *t = (hdf5_table){0};
}

bool hdf5_table_whole(const hdf5_table *t)
{
    if (t->layout == HDF5_CHUNKED)
        return t->index != NULL;
    return t->shape[0] * t->shape[1] * t->shape[2] * t->type.size <= t->stored;
}

// ---- unpacking ----

static bool inflate_to(hdf5_file *f, const unsigned char *from, uint64_t size, unsigned char *out,
                       uint64_t out_size)
{
    uLongf made = (uLongf)out_size;
    return (uncompress(out, &made, from, (uLong)size) == Z_OK && made == out_size) ||
           hdf5_wrong(f, "a chunk cannot be inflated");
}

// Bytes of one place of all values stood together.
static void unshuffle(const unsigned char *from, uint64_t bytes, uint32_t size, unsigned char *out)
{
    const uint64_t count = bytes / size;
    for (uint32_t k = 0; k < size; k++)
        for (uint64_t i = 0; i < count; i++)
            out[i * size + k] = from[k * count + i];
}

static unsigned char *room_for(hdf5_table *t, unsigned char **buffer, uint64_t size)
{
    if (!*buffer)
        *buffer = malloc((size_t)size);
    if (!*buffer) {
        t->file->out_of_memory = true;
        hdf5_wrong(t->file, "no memory left");
    }
    return *buffer;
}

// A packed chunk: filters are undone from the last to the first. `packed` has two halves, so that
// each step goes from one to the other, and the last one to out.
static bool unpack(hdf5_table *t, const hdf5_chunk *chunk, unsigned char *out)
{
    hdf5_file *f = t->file;
    hdf5_filter steps[HDF5_FILTERS_MAX];
    int step_count = 0;
    for (int i = t->filter_count - 1; i >= 0; i--)
        if (!(chunk->skipped >> i & 1))
            steps[step_count++] = t->filters[i];
    if (step_count == 0)
        return chunk->size == t->chunk_bytes ? hdf5_bytes_copy(f, chunk->address, chunk->size, out)
                                             : hdf5_wrong(f, "a chunk has not its size");
    // Deflate makes nothing much larger; HDF5 leaves it out where it does.
    const uint64_t room = t->chunk_bytes + 4096;
    if (chunk->size > room)
        return hdf5_wrong(f, "a chunk is larger than its values");
    if (!room_for(t, &t->packed, 2 * room) ||
        !hdf5_bytes_copy(f, chunk->address, chunk->size, t->packed))
        return false;
    unsigned char *from = t->packed, *other = t->packed + room;
    uint64_t size = chunk->size;
    for (int i = 0; i < step_count; i++) {
        unsigned char *to = i + 1 == step_count ? out : other;
        if (steps[i] == HDF5_DEFLATE && !inflate_to(f, from, size, to, t->chunk_bytes))
            return false;
        if (steps[i] == HDF5_SHUFFLE && size != t->chunk_bytes)
            return hdf5_wrong(f, "a chunk has not its size");
        if (steps[i] == HDF5_SHUFFLE)
            unshuffle(from, size, t->type.size, to);
        size = t->chunk_bytes;
        other = from;
        from = to;
    }
    return true;
}

// Values in one piece: the rows of a block, whose values stand one row after the other. A block is
// whole rows, or a part of one row.
static bool read_block(hdf5_table *t, const uint64_t place[3], unsigned char *out)
{
    uint64_t first = 0, last = 0; // values
    for (int i = 0; i < 3; i++) {
        const uint64_t start = place[i] * t->chunk[i];
        const uint64_t n = t->shape[i] - start < t->chunk[i] ? t->shape[i] - start : t->chunk[i];
        first = first * t->shape[i] + start;
        last = last * t->shape[i] + start + n - 1;
    }
    const uint64_t size = t->type.size;
    if ((last + 1) * size > t->stored)
        return hdf5_wrong(t->file, "a table has fewer values than it says");
    if (t->layout == HDF5_CONTIGUOUS)
        return hdf5_bytes_copy(t->file, t->address + first * size, (last - first + 1) * size, out);
    memcpy(out, t->compact + first * size, (size_t)((last - first + 1) * size));
    return true;
}

// The unpacked chunk at a place; NULL: see the file's reason.
static const unsigned char *get_chunk(hdf5_table *t, const uint64_t place[3])
{
    const uint64_t number = (place[0] * t->chunks[1] + place[1]) * t->chunks[2] + place[2];
    const uint64_t slot = number % (t->chunk_bytes > BLOCK_BYTES ? 1 : HDF5_CHUNKS_KEPT);
    if (t->kept[slot] && t->kept_number[slot] == number)
        return t->kept[slot];
    t->kept_number[slot] = UINT64_MAX;
    if (!room_for(t, &t->kept[slot], t->chunk_bytes))
        return NULL;
    const bool good = t->layout == HDF5_CHUNKED ? unpack(t, &t->index[number], t->kept[slot])
                                                : read_block(t, place, t->kept[slot]);
    if (!good)
        return NULL;
    t->kept_number[slot] = number;
    return t->kept[slot];
}

// ---- values ----

double hdf5_value(const hdf5_type *type, const unsigned char *from)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < type->size; i++)
        bits = bits << 8 | from[type->big_endian ? i : type->size - 1 - i];
    if (type->class == HDF5_FLOAT && type->size == 4) {
        const uint32_t half = (uint32_t)bits;
        float value;
        memcpy(&value, &half, sizeof value);
        return (double)value;
    }
    if (type->class == HDF5_FLOAT) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    const int unused = 64 - 8 * (int)type->size;
    return type->is_signed ? (double)((int64_t)(bits << unused) >> unused) : (double)bits;
}

static bool as_in_memory(const hdf5_type *type)
{
    return type->class == HDF5_FLOAT && type->size == 8 && !type->big_endian &&
           __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}

// count values that stand together.
static void put_values(const hdf5_type *type, bool raw, const unsigned char *from, uint64_t count,
                       unsigned char *out)
{
    if (raw || as_in_memory(type)) {
        memcpy(out, from, (size_t)(count * type->size));
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        const double value = hdf5_value(type, from + i * type->size);
        memcpy(out + i * sizeof value, &value, sizeof value);
    }
}

// ---- reading ----

typedef struct range {
    uint64_t first, end;
} range;

// What [first, first + count) and chunk number `place` of an axis have in common.
static range common(uint64_t first, uint64_t count, uint64_t place, uint64_t size)
{
    const uint64_t start = place * size, end = start + size;
    return (range){first > start ? first : start, first + count < end ? first + count : end};
}

// Copies what the part wants of one chunk: rows k, k + 1, ... of the part are in it.
static void take_part(const hdf5_table *t, const hdf5_part *p, bool raw, const uint64_t place[3],
                      const unsigned char *values, range rows, unsigned char *out)
{
    const range middle = common(p->middle, p->middle_count, place[1], t->chunk[1]);
    const range column = common(p->column, p->column_count, place[2], t->chunk[2]);
    const uint64_t out_size = raw ? t->type.size : sizeof(double);
    for (uint64_t k = rows.first; k < rows.end; k++) {
        const uint64_t row = p->row + k * p->row_stride - place[0] * t->chunk[0];
        for (uint64_t m = middle.first; m < middle.end; m++) {
            const uint64_t from = (row * t->chunk[1] + m - place[1] * t->chunk[1]) * t->chunk[2] +
                                  column.first - place[2] * t->chunk[2];
            const uint64_t to =
                (k * p->middle_count + m - p->middle) * p->column_count + column.first - p->column;
            put_values(&t->type, raw, values + from * t->type.size, column.end - column.first,
                       out + to * out_size);
        }
    }
}

static bool read_part(hdf5_table *t, const hdf5_part *p, bool raw, unsigned char *out)
{
    if (p->row_count == 0 || p->middle_count == 0 || p->column_count == 0)
        return true;
    if (!hdf5_table_whole(t) && t->layout == HDF5_CHUNKED)
        return hdf5_wrong(t->file, "a table lacks chunks");
    uint64_t place[3];
    for (uint64_t k = 0; k < p->row_count;) {
        place[0] = (p->row + k * p->row_stride) / t->chunk[0];
        const uint64_t left = (place[0] + 1) * t->chunk[0] - (p->row + k * p->row_stride);
        const uint64_t n = (left - 1) / p->row_stride + 1;
        const range rows = {k, n < p->row_count - k ? k + n : p->row_count};
        for (place[1] = p->middle / t->chunk[1];
             place[1] * t->chunk[1] < p->middle + p->middle_count; place[1]++)
            for (place[2] = p->column / t->chunk[2];
                 place[2] * t->chunk[2] < p->column + p->column_count; place[2]++) {
                const unsigned char *values = get_chunk(t, place);
                if (!values)
                    return false;
                take_part(t, p, raw, place, values, rows, out);
            }
        k = rows.end;
    }
    return true;
}

bool hdf5_table_read(hdf5_table *t, const hdf5_part *part, double *out)
{
    if (t->type.class != HDF5_FLOAT && t->type.class != HDF5_INTEGER)
        return hdf5_wrong(t->file, "a table does not hold numbers");
    return read_part(t, part, false, (unsigned char *)out);
}

bool hdf5_table_raw(hdf5_table *t, const hdf5_part *part, unsigned char *out)
{
    return read_part(t, part, true, out);
}
