// group.c - symbol tables: a tree of nodes of links, whose names stand in a heap.
//
// A tree can be wrong in every way: nodes that are their own children, levels that do not fall,
// branches that share a leaf a million times. Levels must fall by one, and every node is paid for
// from the file's budget, so a walk ends.
#include "hdf5/group.h"

#include <stdlib.h>
#include <string.h>

enum { LEVELS_MAX = 16, LINKS_MAX = 1 << 16 };

typedef struct walk {
    hdf5_file *f;
    arena *memory;
    const unsigned char *heap; // names, each with its '\0'
    uint64_t heap_size;
    hdf5_link *links;
    int count, room;
} walk;

// A local heap (III.D): all names of the group.
static bool read_heap(walk *w, uint64_t address)
{
    unsigned char head[32];
    if (!hdf5_bytes_copy(w->f, address, sizeof head, head))
        return false;
    hdf5_cursor c = {head + 8, head + sizeof head, false};
    w->heap_size = hdf5_number(&c, 8);
    hdf5_skip(&c, 8); // the list of what is free
    if (memcmp(head, "HEAP", 4) != 0)
        return hdf5_wrong(w->f, "the names of a group are not where it says");
    w->heap = hdf5_bytes_take(w->f, w->memory, hdf5_number(&c, 8), w->heap_size);
    return w->heap != NULL;
}

static bool add_link(walk *w, hdf5_cursor entry)
{
    const uint64_t name_at = hdf5_number(&entry, 8), address = hdf5_number(&entry, 8);
    const uint64_t kind = hdf5_number(&entry, 4);
    const void *end = NULL;
    if (name_at < w->heap_size)
        end = memchr(w->heap + name_at, '\0', (size_t)(w->heap_size - name_at));
    if (!end || w->count == LINKS_MAX)
        return hdf5_wrong(w->f, end ? "a group has too many names" : "a name of a group is cut");
    if (w->count == w->room) {
        const int larger = w->room > 0 ? 2 * w->room : 64;
        hdf5_link *made = hdf5_memory(w->f, w->memory, (uint64_t)larger * sizeof *made);
        if (made && w->count > 0)
            memcpy(made, w->links, (size_t)w->count * sizeof *made);
        w->links = made;
        w->room = larger;
    }
    if (!w->links)
        return false;
    w->links[w->count++] = (hdf5_link){.name = (const char *)w->heap + name_at,
                                       .elsewhere = kind == 2, // a soft link
                                       .address = address};
    return true;
}

// A symbol table node (III.C).
static bool read_leaf(walk *w, uint64_t address)
{
    enum { HEAD = 8, ENTRY = 40 };
    unsigned char head[HEAD];
    if (!hdf5_bytes_copy(w->f, address, HEAD, head))
        return false;
    hdf5_cursor c = {head + 6, head + HEAD, false};
    const uint64_t count = hdf5_number(&c, 2);
    if (memcmp(head, "SNOD", 4) != 0)
        return hdf5_wrong(w->f, "a node of a group is not where it says");
    const unsigned char *entries = hdf5_bytes_take(w->f, w->memory, address + HEAD, count * ENTRY);
    bool good = entries != NULL;
    for (uint64_t i = 0; good && i < count; i++)
        good = add_link(w, (hdf5_cursor){entries + i * ENTRY, entries + (i + 1) * ENTRY, false});
    return good;
}

// A node of the tree (III.A.1) and all below it.
static bool read_node(walk *w, uint64_t address, int level)
{
    enum { HEAD = 24, STEP = 16, KEY = 8 };
    unsigned char head[HEAD];
    if (!hdf5_bytes_copy(w->f, address, HEAD, head))
        return false;
    const uint64_t count = (uint64_t)head[6] | (uint64_t)head[7] << 8;
    if (memcmp(head, "TREE", 4) != 0 || head[4] != 0 || head[5] >= LEVELS_MAX ||
        (level >= 0 && head[5] != level))
        return hdf5_wrong(w->f, "the tree of a group is not one that HDF5 writes");
    const unsigned char *steps = hdf5_bytes_take(w->f, w->memory, address + HEAD, count * STEP);
    bool good = steps != NULL;
    for (uint64_t i = 0; good && i < count; i++) {
        hdf5_cursor c = {steps + i * STEP + KEY, steps + (i + 1) * STEP, false};
        const uint64_t child = hdf5_number(&c, 8);
        good = head[5] == 0 ? read_leaf(w, child) : read_node(w, child, head[5] - 1);
    }
    return good;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const hdf5_link *)a)->name, ((const hdf5_link *)b)->name);
}

bool hdf5_group_links(hdf5_file *f, arena *memory, const hdf5_object *group, hdf5_link **links,
                      int *count)
{
    walk w = {.f = f, .memory = memory, .links = group->links, .count = group->link_count};
    if (group->tree != HDF5_NOWHERE) {
        w.count = 0;
        if (!read_heap(&w, group->heap) || !read_node(&w, group->tree, -1))
            return false;
    }
    if (w.count > 1)
        qsort(w.links, (size_t)w.count, sizeof *w.links, by_name);
    *links = w.links;
    *count = w.count;
    return true;
}

const hdf5_link *hdf5_group_find(const hdf5_link *links, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(links[i].name, name) == 0)
            return &links[i];
    return NULL;
}
