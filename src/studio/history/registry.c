// registry.c - numbers for the names of vehicles: the same for the same name, as long as the hub
// lives.
#include "studio/history/registry.h"

#include <stdlib.h>
#include <string.h>

static size_t hash(const char *name)
{
    uint64_t h = 1469598103934665603u; // FNV-1a
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 1099511628211u;
    return (size_t)h;
}

bool registry_begin(registry *r)
{
    *r = (registry){0};
    return pthread_mutex_init(&r->lock, NULL) == 0;
}

void registry_end(registry *r)
{
    for (int k = 0; k < r->count; k++)
        free(r->name[k]);
    free(r->name);
    free(r->slot);
    pthread_mutex_destroy(&r->lock);
}

// Room for one more: names double, slots stay at most half full.
static bool grow(registry *r)
{
    if (r->count < r->room)
        return true;
    const int room = r->room ? 2 * r->room : 256;
    const size_t slots = 4 * (size_t)room;
    char **name = realloc(r->name, (size_t)room * sizeof *name);
    if (name)
        r->name = name;
    int *slot = name ? malloc(slots * sizeof *slot) : NULL;
    if (!slot)
        return false;
    for (size_t k = 0; k < slots; k++)
        slot[k] = -1;
    for (int k = 0; k < r->count; k++) {
        size_t at = hash(r->name[k]) % slots;
        while (slot[at] >= 0)
            at = (at + 1) % slots;
        slot[at] = k;
    }
    free(r->slot);
    r->slot = slot;
    r->slots = slots;
    r->room = room;
    return true;
}

static int find(registry *r, const char *name)
{
    if (!grow(r))
        return -1;
    size_t at = hash(name) % r->slots;
    for (; r->slot[at] >= 0; at = (at + 1) % r->slots)
        if (strcmp(r->name[r->slot[at]], name) == 0)
            return r->slot[at];
    char *copy = strdup(name);
    if (!copy)
        return -1;
    r->slot[at] = r->count;
    r->name[r->count] = copy;
    return r->count++;
}

int registry_number(registry *r, const char *name)
{
    pthread_mutex_lock(&r->lock);
    const int number = find(r, name);
    pthread_mutex_unlock(&r->lock);
    return number;
}
