// object.c - the superblock, object headers and their messages.
//
// A header is a list of messages in one or more blocks. They are gathered first, then each kind
// that matters here is read by its own function; the others are skipped.
#include "hdf5/object.h"

#include <string.h>

enum {
    BLOCKS_MAX = 1024,      // of one header
    MESSAGES_MAX = 1 << 16, //
    SUPERBLOCK_BYTES = 100,
};

// Types of messages (IV.A.2).
enum {
    MESSAGE_SPACE = 0x1,
    MESSAGE_LINK_INFO = 0x2,
    MESSAGE_TYPE = 0x3,
    MESSAGE_LINK = 0x6,
    MESSAGE_EXTERNAL = 0x7,
    MESSAGE_LAYOUT = 0x8,
    MESSAGE_FILTERS = 0xb,
    MESSAGE_ATTRIBUTE = 0xc,
    MESSAGE_CONTINUATION = 0x10,
    MESSAGE_SYMBOL_TABLE = 0x11,
    MESSAGE_ATTRIBUTE_INFO = 0x15,
};
enum { FLAG_SHARED = 2 }; // the message stands elsewhere

typedef struct reader {
    hdf5_file *f;
    arena *memory;
    hdf5_object *out;
    int attribute_room, link_room;
} reader;

// ---- superblock (II.A) ----

bool hdf5_object_root(hdf5_file *f, bool *is_hdf5, uint64_t *address)
{
    static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    unsigned char block[SUPERBLOCK_BYTES] = {0};
    const uint64_t there = f->size < sizeof block ? f->size : sizeof block;
    if (!hdf5_bytes_copy(f, 0, there, block))
        return false;
    *is_hdf5 = memcmp(block, signature, sizeof signature) == 0;
    if (!*is_hdf5)
        return false;
    hdf5_cursor c = {block + sizeof signature, block + there, false};
    const uint64_t version = hdf5_number(&c, 1);
    if (version > 1)
        return hdf5_foreign(f, "it has the layout of a later HDF5 (superblock 2 or above), which "
                               "Motorcade does not write; the program h5repack makes an older one");
    hdf5_skip(&c, 4); // versions of parts, which have none but 0
    if (hdf5_number(&c, 1) != 8 || hdf5_number(&c, 1) != 8)
        return hdf5_wrong(f, "its addresses have not 8 bytes");
    hdf5_skip(&c, version == 1 ? 13 : 9); // sizes of trees, flags
    const uint64_t base = hdf5_number(&c, 8);
    hdf5_skip(&c, 8);
    const uint64_t end = hdf5_number(&c, 8);
    hdf5_skip(&c, 16); // driver; name of the root
    *address = hdf5_number(&c, 8);
    if (c.failed || end > f->size)
        return hdf5_wrong(f, "truncated file");
    return base == 0 || hdf5_wrong(f, "its addresses do not count from its start");
}

// ---- parts of messages ----

// IEEE numbers only: sign, exponent and fraction from the highest bit down.
static bool is_ieee(hdf5_cursor c, uint64_t bits, uint32_t size)
{
    const uint64_t offset = hdf5_number(&c, 2), precision = hdf5_number(&c, 2);
    const uint64_t exponent_at = hdf5_number(&c, 1), exponent_bits = hdf5_number(&c, 1);
    const uint64_t fraction_at = hdf5_number(&c, 1), fraction_bits = hdf5_number(&c, 1);
    const uint64_t bias = hdf5_number(&c, 4), sign_at = bits >> 8 & 0xff;
    const bool twofold = size == 8;
    return !c.failed && (size == 4 || size == 8) && offset == 0 && precision == 8 * size &&
           fraction_at == 0 && fraction_bits == (twofold ? 52 : 23) &&
           exponent_at == fraction_bits && exponent_bits == (twofold ? 11 : 8) &&
           bias == (twofold ? 1023 : 127) && sign_at == 8 * size - 1 && !(bits & 0x40);
}

// A datatype (IV.A.2.d).
static bool read_type(reader *r, hdf5_cursor c, hdf5_type *type)
{
    const uint64_t what = hdf5_number(&c, 1), bits = hdf5_number(&c, 3);
    *type = (hdf5_type){.size = (uint32_t)hdf5_number(&c, 4), .big_endian = bits & 1};
    if (c.failed || type->size == 0)
        return hdf5_wrong(r->f, "a type of values has no size");
    const uint32_t size = type->size;
    switch (what & 0xf) {
    case 0: {
        const uint64_t offset = hdf5_number(&c, 2), precision = hdf5_number(&c, 2);
        type->is_signed = bits & 8;
        if ((size == 1 || size == 2 || size == 4 || size == 8) && offset == 0 &&
            precision == 8 * size)
            type->class = HDF5_INTEGER;
        break;
    }
    case 1:
        type->class = is_ieee(c, bits, size) ? HDF5_FLOAT : HDF5_OTHER;
        break;
    case 3:
        type->class = HDF5_STRING;
        break;
    case 9:
        type->class = (bits & 0xf) == 1 && size == 16 ? HDF5_VARIABLE : HDF5_OTHER;
        break;
    default:
        break;
    }
    return true;
}

// A dataspace (IV.A.2.b).
static bool read_space(reader *r, hdf5_cursor c, hdf5_space *space)
{
    const uint64_t version = hdf5_number(&c, 1), rank = hdf5_number(&c, 1);
    hdf5_number(&c, 1);
    const uint64_t kind = version == 2 ? hdf5_number(&c, 1) : rank > 0;
    if (version == 1)
        hdf5_skip(&c, 5);
    *space = (hdf5_space){.rank = (int)rank, .shape = {1, 1, 1}, .count = 1};
    if (version < 1 || version > 2 || rank > 32)
        return hdf5_wrong(r->f, "a shape is not one that HDF5 writes");
    for (uint64_t i = 0; i < rank; i++) {
        const uint64_t n = hdf5_number(&c, 8);
        if (i < HDF5_RANK_MAX)
            space->shape[i] = n;
        if (__builtin_mul_overflow(space->count, n, &space->count) || space->count > INT64_MAX)
            return hdf5_wrong(r->f, "a shape has more values than can be counted");
    }
    if (rank > HDF5_RANK_MAX || kind > 1)
        space->rank = -1;
    return !c.failed || hdf5_wrong(r->f, "a shape is cut short");
}

static const char *copy_name(reader *r, const unsigned char *from, uint64_t size)
{
    char *name = from ? hdf5_memory(r->f, r->memory, size + 1) : NULL;
    return name ? memcpy(name, from, (size_t)size) : NULL;
}

// One more element of an array in the arena that doubles; NULL: no memory.
static void *one_more(reader *r, void *array, int count, int *room, size_t size)
{
    if (count < *room)
        return array;
    const int larger = *room > 0 ? 2 * *room : 8;
    void *made = hdf5_memory(r->f, r->memory, (uint64_t)larger * size);
    if (made && count > 0)
        memcpy(made, array, (size_t)count * size);
    *room = larger;
    return made;
}

static uint64_t round_up(uint64_t size, bool padded)
{
    return padded ? (size + 7) / 8 * 8 : size;
}

// ---- messages ----

static bool attribute_message(reader *r, hdf5_cursor c)
{
    const uint64_t version = hdf5_number(&c, 1), flags = hdf5_number(&c, 1);
    const uint64_t name_size = hdf5_number(&c, 2), type_size = hdf5_number(&c, 2);
    const uint64_t space_size = hdf5_number(&c, 2);
    if (version < 1 || version > 3 || c.failed)
        return hdf5_wrong(r->f, "an attribute is not one that HDF5 writes");
    if (version > 1 && flags != 0)
        return true; // of a type that stands elsewhere: none of ours
    if (version == 3)
        hdf5_skip(&c, 1); // the name's character set
    const bool padded = version == 1;
    const unsigned char *name = hdf5_skip(&c, round_up(name_size, padded));
    const unsigned char *type = hdf5_skip(&c, round_up(type_size, padded));
    const unsigned char *space = hdf5_skip(&c, round_up(space_size, padded));
    if (c.failed)
        return hdf5_wrong(r->f, "an attribute is cut short");
    hdf5_attribute a = {.name = copy_name(r, name, name_size), .data = c.at};
    uint64_t bytes;
    if (!a.name || !read_type(r, (hdf5_cursor){type, type + type_size, false}, &a.type) ||
        !read_space(r, (hdf5_cursor){space, space + space_size, false}, &a.space))
        return false;
    if (__builtin_mul_overflow(a.space.count, (uint64_t)a.type.size, &bytes) ||
        !hdf5_skip(&c, bytes))
        return hdf5_wrong(r->f, "an attribute has fewer values than it says");
    hdf5_object *out = r->out;
    out->attributes = one_more(r, out->attributes, out->attribute_count, &r->attribute_room,
                               sizeof *out->attributes);
    if (!out->attributes)
        return false;
    out->attributes[out->attribute_count++] = a;
    return true;
}

static bool link_message(reader *r, hdf5_cursor c)
{
    const uint64_t version = hdf5_number(&c, 1), flags = hdf5_number(&c, 1);
    const uint64_t kind = flags & 8 ? hdf5_number(&c, 1) : 0;
    hdf5_skip(&c, (flags & 4 ? 8 : 0) + (flags & 0x10 ? 1 : 0));
    const uint64_t size = hdf5_number(&c, 1 << (flags & 3));
    const unsigned char *name = hdf5_skip(&c, size);
    hdf5_link link = {.elsewhere = kind != 0, .name = copy_name(r, name, name ? size : 0)};
    link.address = kind == 0 ? hdf5_number(&c, 8) : HDF5_NOWHERE;
    if (version != 1 || c.failed || !link.name)
        return hdf5_wrong(r->f, "a link is not one that HDF5 writes");
    hdf5_object *out = r->out;
    out->links = one_more(r, out->links, out->link_count, &r->link_room, sizeof *out->links);
    if (!out->links)
        return false;
    out->links[out->link_count++] = link;
    return true;
}

static bool layout_message(reader *r, hdf5_cursor c)
{
    hdf5_object *out = r->out;
    const uint64_t version = hdf5_number(&c, 1), kind = hdf5_number(&c, 1);
    if (out->layout == HDF5_EXTERNAL)
        return true;
    out->layout = version == 4 && kind == 3 ? HDF5_VIRTUAL : HDF5_LATER_LAYOUT;
    if (version != 3)
        return true;
    if (kind == 0) {
        out->layout = HDF5_COMPACT;
        out->size = hdf5_number(&c, 2);
        out->compact = hdf5_skip(&c, out->size);
    } else if (kind == 1) {
        out->layout = HDF5_CONTIGUOUS;
        out->address = hdf5_number(&c, 8);
        out->size = hdf5_number(&c, 8);
    } else if (kind == 2) {
        out->layout = HDF5_CHUNKED;
        const uint64_t rank = hdf5_number(&c, 1); // with one for the bytes of a value
        out->address = hdf5_number(&c, 8);
        for (int i = 0; i < HDF5_RANK_MAX; i++)
            out->chunk[i] = 1;
        out->size = rank; // compared with the shape when all messages are there
        for (uint64_t i = 0; i + 1 < rank && i < HDF5_RANK_MAX; i++)
            out->chunk[i] = hdf5_number(&c, 4);
    }
    return !c.failed || hdf5_wrong(r->f, "the place of a table is cut short");
}

static bool filter_message(reader *r, hdf5_cursor c)
{
    hdf5_object *out = r->out;
    const uint64_t version = hdf5_number(&c, 1), count = hdf5_number(&c, 1);
    if (version < 1 || version > 2)
        return hdf5_wrong(r->f, "the filters of a table are not ones that HDF5 writes");
    hdf5_skip(&c, version == 1 ? 6 : 0);
    for (uint64_t i = 0; i < count && !c.failed; i++) {
        const uint64_t id = hdf5_number(&c, 2);
        const uint64_t name = version == 1 || id >= 256 ? hdf5_number(&c, 2) : 0;
        hdf5_skip(&c, 2);
        const uint64_t values = hdf5_number(&c, 2);
        hdf5_skip(&c, round_up(name, version == 1));
        hdf5_skip(&c, 4 * (values + (version == 1 && values % 2 == 1)));
        const bool known = id == HDF5_DEFLATE || id == HDF5_SHUFFLE;
        if (known && out->filter_count < HDF5_FILTERS_MAX)
            out->filters[out->filter_count++] = (hdf5_filter)id;
        else
            out->unknown_filter = true;
    }
    return !c.failed || hdf5_wrong(r->f, "the filters of a table are cut short");
}

// Links or attributes of a later HDF5 stand in a heap of their own, which is not read here.
static bool info_message(reader *r, hdf5_cursor c, uint64_t order_bytes)
{
    hdf5_skip(&c, 1);
    hdf5_skip(&c, hdf5_number(&c, 1) & 1 ? order_bytes : 0);
    return hdf5_number(&c, 8) == HDF5_NOWHERE ||
           hdf5_foreign(r->f, "it holds links or attributes in the layout of a later HDF5, which "
                              "Motorcade does not write");
}

static bool take_message(reader *r, uint64_t kind, uint64_t flags, hdf5_cursor c)
{
    hdf5_object *out = r->out;
    if (flags & FLAG_SHARED) {
        if (kind == MESSAGE_TYPE)
            out->type = (hdf5_type){.class = HDF5_OTHER, .size = 1};
        return true;
    }
    switch (kind) {
    case MESSAGE_SPACE:
        return read_space(r, c, &out->space);
    case MESSAGE_TYPE:
        return read_type(r, c, &out->type);
    case MESSAGE_LAYOUT:
        return layout_message(r, c);
    case MESSAGE_FILTERS:
        return filter_message(r, c);
    case MESSAGE_ATTRIBUTE:
        return attribute_message(r, c);
    case MESSAGE_LINK:
        return link_message(r, c);
    case MESSAGE_EXTERNAL:
        out->layout = HDF5_EXTERNAL;
        return true;
    case MESSAGE_LINK_INFO:
        return info_message(r, c, 8);
    case MESSAGE_ATTRIBUTE_INFO:
        return info_message(r, c, 2);
    case MESSAGE_SYMBOL_TABLE:
        out->tree = hdf5_number(&c, 8);
        out->heap = hdf5_number(&c, 8);
        return !c.failed || hdf5_wrong(r->f, "a group is cut short");
    default:
        return true;
    }
}

// ---- the header (IV.A.1.a) ----

typedef struct block {
    uint64_t address, size;
} block;

// All messages of one block; continuations are added to the list.
static bool read_block(reader *r, block b, block *blocks, int *block_count, int *message_count)
{
    const unsigned char *bytes = hdf5_bytes_take(r->f, r->memory, b.address, b.size);
    if (!bytes)
        return false;
    hdf5_cursor c = {bytes, bytes + b.size, false};
    while (c.end - c.at >= 8) {
        const uint64_t kind = hdf5_number(&c, 2), size = hdf5_number(&c, 2);
        const uint64_t flags = hdf5_number(&c, 1);
        hdf5_skip(&c, 3);
        const unsigned char *data = hdf5_skip(&c, size);
        if (!data || ++*message_count > MESSAGES_MAX)
            return hdf5_wrong(r->f, "a message runs past its header");
        hdf5_cursor message = {data, data + size, false};
        if (kind == MESSAGE_CONTINUATION) {
            const uint64_t address = hdf5_number(&message, 8), more = hdf5_number(&message, 8);
            if (message.failed || *block_count == BLOCKS_MAX)
                return hdf5_wrong(r->f, "a header has too many blocks");
            blocks[(*block_count)++] = (block){address, more};
        } else if (!take_message(r, kind, flags, message)) {
            return false;
        }
    }
    return true;
}

// What only all messages together can say.
static bool check_dataset(reader *r)
{
    hdf5_object *out = r->out;
    if (out->layout == HDF5_NO_DATA)
        return true;
    if (out->type.size == 0)
        return hdf5_wrong(r->f, "a table has no type of values");
    if (out->layout != HDF5_CHUNKED || out->space.rank <= 0)
        return true;
    if (out->size != (uint64_t)out->space.rank + 1)
        return hdf5_wrong(r->f, "the chunks of a table have not its dimensions");
    for (int i = 0; i < HDF5_RANK_MAX; i++)
        if (out->chunk[i] == 0)
            return hdf5_wrong(r->f, "a table has chunks of nothing");
    return true;
}

bool hdf5_object_read(hdf5_file *f, arena *memory, uint64_t address, hdf5_object *out)
{
    unsigned char head[16];
    *out = (hdf5_object){.tree = HDF5_NOWHERE, .heap = HDF5_NOWHERE, .space = {.rank = -1}};
    if (!hdf5_bytes_spend(f, sizeof head) || !hdf5_bytes_copy(f, address, sizeof head, head))
        return false;
    hdf5_cursor c = {head, head + sizeof head, false};
    const uint64_t version = hdf5_number(&c, 1);
    if (memcmp(head, "OHDR", 4) == 0)
        return hdf5_foreign(f, "it holds objects in the layout of a later HDF5, which Motorcade "
                               "does not write; the program h5repack makes an older one");
    if (version != 1)
        return hdf5_wrong(f, "an object has no header");
    hdf5_skip(&c, 7); // numbers of messages and of links to it
    block blocks[BLOCKS_MAX] = {{address + 16, hdf5_number(&c, 4)}};
    int block_count = 1, message_count = 0;
    reader r = {.f = f, .memory = memory, .out = out};
    for (int i = 0; i < block_count; i++)
        if (!read_block(&r, blocks[i], blocks, &block_count, &message_count))
            return false;
    return check_dataset(&r);
}

const hdf5_attribute *hdf5_object_attribute(const hdf5_object *object, const char *name)
{
    for (int i = 0; i < object->attribute_count; i++)
        if (strcmp(object->attributes[i].name, name) == 0)
            return &object->attributes[i];
    return NULL;
}
