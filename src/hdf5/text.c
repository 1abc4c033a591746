// text.c - strings, measured before they are read.
#include "hdf5/text.h"

#include <stdlib.h>
#include <string.h>

// A global heap (III.E), kept while strings of it follow each other.
typedef struct heap {
    hdf5_file *f;
    arena memory;
    uint64_t address;
    const unsigned char *objects, *end;
} heap;

static bool heap_open(heap *h, uint64_t address)
{
    enum { HEAD = 16 };
    unsigned char head[HEAD];
    if (h->objects && h->address == address)
        return true;
    arena_free(&h->memory);
    h->objects = NULL;
    if (!hdf5_bytes_copy(h->f, address, HEAD, head))
        return false;
    hdf5_cursor c = {head + 8, head + HEAD, false};
    const uint64_t size = hdf5_number(&c, 8);
    if (memcmp(head, "GCOL", 4) != 0 || size < HEAD)
        return hdf5_wrong(h->f, "the heap of a text is not where it says");
    h->objects = hdf5_bytes_take(h->f, &h->memory, address + HEAD, size - HEAD);
    h->end = h->objects ? h->objects + (size - HEAD) : NULL;
    h->address = address;
    return h->objects != NULL;
}

// The bytes of object `number` of the heap; NULL: see the file's reason.
static const unsigned char *heap_find(heap *h, uint64_t number, uint64_t size)
{
    hdf5_cursor c = {h->objects, h->end, false};
    for (uint64_t steps = 0; !c.failed && c.end - c.at >= 16; steps++) {
        const uint64_t here = hdf5_number(&c, 2);
        hdf5_skip(&c, 6); // links to it
        const uint64_t bytes = hdf5_number(&c, 8);
        const unsigned char *data = c.at;
        if (here == 0)
            break; // the rest is free
        if (here == number && bytes >= size && bytes <= (uint64_t)(c.end - c.at))
            return data;
        if (bytes > (uint64_t)(c.end - c.at) || !hdf5_skip(&c, (bytes + 7) / 8 * 8) ||
            !hdf5_bytes_spend(h->f, 1))
            break;
    }
    hdf5_wrong(h->f, "a text is not in its heap");
    return NULL;
}

// ---- strings in memory ----

// A reference to a string of variable length: 4 bytes length, 8 bytes heap, 4 bytes number.
enum { REFERENCE = 16 };

static const char *follow(heap *h, arena *memory, const unsigned char *reference)
{
    hdf5_cursor c = {reference, reference + REFERENCE, false};
    const uint64_t size = hdf5_number(&c, 4), address = hdf5_number(&c, 8);
    const uint64_t number = hdf5_number(&c, 4);
    if (size == 0 || address == 0 || address == HDF5_NOWHERE)
        return "";
    const unsigned char *from = heap_open(h, address) ? heap_find(h, number, size) : NULL;
    char *copy = from ? hdf5_memory(h->f, memory, size + 1) : NULL;
    return copy ? memcpy(copy, from, (size_t)size) : NULL;
}

static uint64_t measure(const hdf5_type *type, const unsigned char *values, uint64_t count)
{
    uint64_t bytes = count;
    for (uint64_t i = 0; i < count && type->class == HDF5_VARIABLE; i++) {
        hdf5_cursor c = {values + i * REFERENCE, values + (i + 1) * REFERENCE, false};
        bytes += hdf5_number(&c, 4);
    }
    return type->class == HDF5_VARIABLE ? bytes : count * type->size;
}

static bool take_texts(hdf5_file *f, arena *memory, const hdf5_type *type,
                       const unsigned char *values, int64_t count, hdf5_texts *out)
{
    const uint64_t bytes = measure(type, values, (uint64_t)count);
    if (bytes > HDF5_TEXT_MAX) {
        out->too_long = bytes;
        return true;
    }
    const char **words = hdf5_memory(f, memory, (uint64_t)count * sizeof *words);
    heap h = {.f = f};
    bool good = words != NULL;
    for (int64_t i = 0; good && i < count; i++) {
        const unsigned char *value = values + (uint64_t)i * type->size;
        if (type->class == HDF5_VARIABLE) {
            words[i] = follow(&h, memory, value);
        } else {
            const uint64_t size = strnlen((const char *)value, type->size);
            char *copy = hdf5_memory(f, memory, size + 1);
            words[i] = copy ? memcpy(copy, value, (size_t)size) : NULL;
        }
        good = words[i] != NULL;
    }
    arena_free(&h.memory);
    if (good)
        *out = (hdf5_texts){words, count, 0};
    return good;
}

// ---- where they come from ----

static bool are_texts(const hdf5_type *type, const hdf5_space *space, int64_t limit)
{
    return (type->class == HDF5_STRING || type->class == HDF5_VARIABLE) && space->rank >= 0 &&
           space->count >= 1 && space->count <= (uint64_t)limit;
}

bool hdf5_text_attribute(hdf5_file *f, arena *memory, const hdf5_attribute *attribute,
                         int64_t limit, hdf5_texts *out)
{
    *out = (hdf5_texts){0};
    if (!are_texts(&attribute->type, &attribute->space, limit))
        return true;
    return take_texts(f, memory, &attribute->type, attribute->data, (int64_t)attribute->space.count,
                      out);
}

bool hdf5_text_dataset(hdf5_file *f, arena *memory, const hdf5_object *object, int64_t limit,
                       hdf5_texts *out)
{
    *out = (hdf5_texts){0};
    const uint64_t count = object->space.count, size = object->type.size;
    if (!are_texts(&object->type, &object->space, limit) || size > HDF5_TEXT_MAX / count)
        return true;
    hdf5_table t;
    bool good = hdf5_table_open(&t, f, object);
    if (good && hdf5_table_whole(&t)) {
        unsigned char *values = hdf5_bytes_spend(f, count * size) ? malloc(count * size) : NULL;
        const hdf5_part all = {.row_count = t.shape[0],
                               .row_stride = 1,
                               .middle_count = t.shape[1],
                               .column_count = t.shape[2]};
        good = values && hdf5_table_raw(&t, &all, values) &&
               take_texts(f, memory, &t.type, values, (int64_t)count, out);
        free(values);
    }
    hdf5_table_close(&t);
    return good || hdf5_wrong(f, "no memory left");
}
