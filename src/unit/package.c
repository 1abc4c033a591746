// package.c - see package.h.
#include "unit/package.h"

#include "io/zip.h"

#include <ftw.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct unit_package {
    arena memory;
    const void *bytes;
    size_t size;
    const char *path;
    char binary[256]; // its entry in the archive
    unit_description description;
    atomic_int owners;
    pthread_mutex_t lock; // of what follows
    char folder[64], library[WIRE_PATH];
    bool unpacked;
};

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the unit");
}

// The binary for this machine; binaries of others are named when there is none.
static mc_status find_binary(unit_package *p, const zip_entry *entries, int count, mc_error *error)
{
    const unit_description *d = &p->description;
    bool other = false, any = false;
    snprintf(p->binary, sizeof p->binary, "binaries/%s/%.200s.so",
             d->version == 2 ? "linux64" : "x86_64-linux", d->identifier);
    for (int k = 0; k < count; k++) {
        if (strcmp(entries[k].name, p->binary) == 0)
            return entries[k].size >= 4 && memcmp(entries[k].data, "\177ELF", 4) == 0
                       ? MC_OK
                       : mc_error_set(error, MC_BAD_INPUT, p->path, 0, 0,
                                      "%s is not a library for Linux", p->binary);
        other = other || strncmp(entries[k].name, "binaries/", 9) == 0;
        any = any || strncmp(entries[k].name, "sources/", 8) == 0;
    }
    return mc_error_set(error, MC_BAD_INPUT, p->path, 0, 0, "no %s in it%s", p->binary,
                        other ? "; its binaries are for other systems"
                        : any ? "; it has sources only"
                              : "");
}

static mc_status check(unit_package *p, mc_error *error)
{
    arena room = {0};
    zip_entry *entries;
    int count, found = -1;
    char file[WIRE_PATH];
    mc_status status = zip_parse(&room, p->bytes, p->size, p->path, &entries, &count, error);
    for (int k = 0; status == MC_OK && k < count; k++)
        if (strcmp(entries[k].name, "modelDescription.xml") == 0)
            found = k;
    if (status == MC_OK && found < 0)
        status = mc_error_set(error, MC_BAD_INPUT, p->path, 0, 0, "no modelDescription.xml in it");
    if (status == MC_OK) {
        snprintf(file, sizeof file, "%.900s/modelDescription.xml", p->path);
        const zip_entry *e = &entries[found];
        status = unit_description_read(&p->memory, e->data, e->size, file, &p->description, error);
    }
    if (status == MC_OK)
        status = find_binary(p, entries, count, error);
    arena_free(&room);
    return status;
}

unit_package *unit_package_open(const void *bytes, size_t size, const char *path, mc_error *error)
{
    unit_package *p = calloc(1, sizeof *p);
    if (!p) {
        no_memory(error);
        return NULL;
    }
    p->bytes = bytes;
    p->size = size;
    atomic_init(&p->owners, 1);
    pthread_mutex_init(&p->lock, NULL);
    p->path = arena_copy_text(&p->memory, path, strlen(path));
    if (!p->path)
        no_memory(error);
    else if (check(p, error) == MC_OK)
        return p;
    unit_package_close(p);
    return NULL;
}

unit_package *unit_package_share(unit_package *p)
{
    atomic_fetch_add(&p->owners, 1);
    return p;
}

static int remove_one(const char *path, const struct stat *what, int kind, struct FTW *where)
{
    (void)what, (void)kind, (void)where;
    return remove(path);
}

static void remove_folder(unit_package *p)
{
    if (p->folder[0])
        nftw(p->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    p->folder[0] = '\0';
}

void unit_package_close(unit_package *p)
{
    if (!p || atomic_fetch_sub(&p->owners, 1) > 1)
        return;
    remove_folder(p);
    pthread_mutex_destroy(&p->lock);
    arena_free(&p->memory);
    free(p);
}

const unit_description *unit_package_description(const unit_package *p)
{
    return &p->description;
}

const char *unit_package_name(const unit_package *p)
{
    const char *slash = strrchr(p->path, '/');
    return slash ? slash + 1 : p->path;
}

// ---- unpacking ---------------------------------------------------------------------------------

static mc_status write_entry(const unit_package *p, const zip_entry *e, mc_error *error)
{
    char path[2 * WIRE_PATH];
    const int length = snprintf(path, sizeof path, "%s/%s", p->folder, e->name);
    if (length >= (int)sizeof path)
        return mc_error_set(error, MC_BAD_INPUT, p->path, 0, 0, "an entry has too long a name");
    for (char *at = strchr(path + strlen(p->folder) + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
    FILE *out = fopen(path, "wbe");
    const bool good = out && fwrite(e->data, 1, e->size, out) == e->size;
    return (out ? fclose(out) == 0 : false) && good
               ? MC_OK
               : mc_error_set(error, MC_IO, p->path, 0, 0, "cannot unpack %s to %s", e->name,
                              p->folder);
}

static mc_status unpack(unit_package *p, mc_error *error)
{
    arena room = {0};
    zip_entry *entries;
    int count = 0;
    snprintf(p->folder, sizeof p->folder, "/tmp/motorcade-unit-%d-XXXXXX", (int)getpid());
    if (!mkdtemp(p->folder)) {
        p->folder[0] = '\0';
        return mc_error_set(error, MC_IO, p->path, 0, 0, "cannot make a folder in /tmp");
    }
    mc_status status = zip_parse(&room, p->bytes, p->size, p->path, &entries, &count, error);
    for (int k = 0; k < count && status == MC_OK; k++)
        if (strncmp(entries[k].name, "binaries/", 9) == 0 ||
            strncmp(entries[k].name, "resources/", 10) == 0)
            status = write_entry(p, &entries[k], error);
    arena_free(&room);
    if (status != MC_OK)
        remove_folder(p);
    snprintf(p->library, sizeof p->library, "%s/%s", p->folder, p->binary);
    p->unpacked = status == MC_OK;
    return status;
}

mc_status unit_package_unpack(unit_package *p, const char **folder, const char **library,
                              mc_error *error)
{
    pthread_mutex_lock(&p->lock);
    const mc_status status = p->unpacked ? MC_OK : unpack(p, error);
    pthread_mutex_unlock(&p->lock);
    *folder = p->folder;
    *library = p->library;
    return status;
}
