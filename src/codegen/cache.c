// cache.c - entries of the folder of compiled programs: found, checked, made, removed.
#include "codegen/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { STALE_SECONDS = 3600, NAME_ROOM = 320 };

// FNV-1a with 128 bits.
cache_key cache_key_of(const void *bytes, size_t size)
{
    __extension__ typedef unsigned __int128 wide;
    const wide prime = ((wide)1 << 88) + 0x13b;
    wide hash = ((wide)0x6c62272e07bb0142 << 64) + 0x62b821756295c58d;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * prime;
    cache_key key;
    snprintf(key.hex, sizeof key.hex, "%016llx%016llx", (unsigned long long)(hash >> 64),
             (unsigned long long)hash);
    return key;
}

// ---- the folder --------------------------------------------------------------------------------

static mc_status reject(mc_error *error, const char *folder, const char *why)
{
    return mc_error_set(error, MC_IO, folder, 0, 0,
                        "cache of compiled programs: %s; MOTORCADE_CACHE can name another folder",
                        why);
}

// Creates all missing folders of the path. False: see errno.
static bool make_folders(char *path)
{
    for (char *p = path + 1; *p; p++) {
        if (*p != '/')
            continue;
        *p = '\0';
        const bool made = mkdir(path, 0700) == 0 || errno == EEXIST || errno == EROFS ||
                          errno == EACCES || errno == EPERM; // then the last mkdir will say so
        *p = '/';
        if (!made)
            return false;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

static bool choose_folder(char *out, size_t size)
{
    const char *const named = getenv("MOTORCADE_CACHE"), *const xdg = getenv("XDG_CACHE_HOME");
    const char *const home = getenv("HOME");
    int length;
    if (named && named[0] != '\0')
        length = snprintf(out, size, "%s", named);
    else if (xdg && xdg[0] == '/')
        length = snprintf(out, size, "%s/motorcade", xdg);
    else if (home && home[0] == '/' && access(home, X_OK) == 0) // a home is not made here
        length = snprintf(out, size, "%s/.cache/motorcade", home);
    else
        return false;
    return length > 0 && (size_t)length < size;
}

mc_status cache_open(cache *c, mc_error *error)
{
    char path[CACHE_PATH_MAX];
    if (!choose_folder(path, sizeof path))
        return reject(
            error, NULL,
            "no folder is known (HOME is not set or does not exist, or the name is too long)");
    if (!make_folders(path))
        return reject(error, path, strerror(errno));
    char *const absolute = realpath(path, NULL);
    if (!absolute || strlen(absolute) >= sizeof c->folder) {
        free(absolute);
        return reject(error, path, "its path cannot be resolved");
    }
    memcpy(c->folder, absolute, strlen(absolute) + 1);
    free(absolute);

    struct stat about;
    if (stat(c->folder, &about) != 0)
        return reject(error, c->folder, strerror(errno));
    if (!S_ISDIR(about.st_mode))
        return reject(error, c->folder, "this is not a folder");
    if (about.st_uid != geteuid())
        return reject(error, c->folder, "the folder belongs to another user");
    if (about.st_mode & (S_IWGRP | S_IWOTH))
        return reject(error, c->folder, "other users may write to the folder (chmod 700 fixes it)");
    if (access(c->folder, R_OK | W_OK | X_OK) != 0)
        return reject(error, c->folder, strerror(errno));
    return MC_OK;
}

// ---- files -------------------------------------------------------------------------------------

static void join(char out[CACHE_FILE_MAX + NAME_ROOM], const char *folder, const char *name)
{
    snprintf(out, CACHE_FILE_MAX + NAME_ROOM, "%s/%s", folder, name);
}

bool cache_write_file(const char *folder, const char *name, const void *data, size_t size)
{
    char path[CACHE_FILE_MAX + NAME_ROOM];
    join(path, folder, name);
    FILE *const f = fopen(path, "wxe");
    if (!f)
        return false;
    const bool written = size == 0 || fwrite(data, 1, size, f) == size;
    return fclose(f) == 0 && written;
}

// All of a regular file of this user; NULL: not there, not ours, or not readable.
static char *read_whole(const char *folder, const char *name, size_t *size)
{
    char path[CACHE_FILE_MAX + NAME_ROOM];
    join(path, folder, name);
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return NULL;
    struct stat about;
    char *data = NULL;
    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() &&
        about.st_size >= 0)
        data = malloc((size_t)about.st_size + 1);
    size_t done = 0;
    while (data && done < (size_t)about.st_size) {
        const ssize_t got = read(fd, data + done, (size_t)about.st_size - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            free(data);
            data = NULL;
            break;
        }
        done += (size_t)got;
    }
    close(fd);
    if (data)
        data[done] = '\0';
    *size = done;
    return data;
}

// Removes a folder and the plain files in it; with keep, only files that are not in the list.
static void remove_files(const char *folder, const char *const *keep, int keep_count)
{
    DIR *const dir = opendir(folder);
    if (!dir)
        return;
    for (const struct dirent *e; (e = readdir(dir)) != NULL;) {
        bool kept = strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0;
        for (int i = 0; i < keep_count; i++)
            kept = kept || strcmp(e->d_name, keep[i]) == 0;
        if (!kept)
            unlinkat(dirfd(dir), e->d_name, 0);
    }
    closedir(dir);
}

void cache_abandon(const char *draft)
{
    remove_files(draft, NULL, 0);
    rmdir(draft);
}

// ---- entries -----------------------------------------------------------------------------------

static void entry_path(const cache *c, cache_key key, char out[CACHE_FILE_MAX])
{
    snprintf(out, CACHE_FILE_MAX, "%s/%s", c->folder, key.hex);
}

static void sum_text(const void *object, size_t size, char out[80])
{
    snprintf(out, 80, "%zu %s\n", size, cache_key_of(object, size).hex);
}

static bool same_source(const char *entry, const void *source, size_t size)
{
    size_t have_size = 0;
    char *const have = read_whole(entry, "source", &have_size);
    const bool same = have && have_size == size && memcmp(have, source, size) == 0;
    free(have);
    return same;
}

static bool object_whole(const char *entry)
{
    size_t object_size = 0, sum_size = 0;
    char *const object = read_whole(entry, "kernel.so", &object_size);
    char *const sum = read_whole(entry, "sum", &sum_size);
    char want[80];
    sum_text(object ? object : "", object_size, want);
    const bool whole = object && sum && strcmp(sum, want) == 0;
    free(object);
    free(sum);
    return whole;
}

bool cache_find(const cache *c, cache_key key, const void *source, size_t size,
                char object[CACHE_FILE_MAX])
{
    char entry[CACHE_FILE_MAX];
    entry_path(c, key, entry);
    if (!same_source(entry, source, size) || !object_whole(entry))
        return false;
    utimensat(AT_FDCWD, entry, NULL, 0);
    const int length = snprintf(object, CACHE_FILE_MAX, "%s/%s/kernel.so", c->folder, key.hex);
    return length > 0 && length < CACHE_FILE_MAX;
}

mc_status cache_draft(const cache *c, char draft[CACHE_FILE_MAX], mc_error *error)
{
    snprintf(draft, CACHE_FILE_MAX, "%s/tmp-XXXXXX", c->folder);
    if (!mkdtemp(draft))
        return reject(error, c->folder, strerror(errno));
    return MC_OK;
}

// Renames an entry first, so that no other process sees half of it.
void cache_remove(const cache *c, cache_key key)
{
    char entry[CACHE_FILE_MAX], aside[CACHE_FILE_MAX];
    entry_path(c, key, entry);
    if (cache_draft(c, aside, NULL) != MC_OK)
        return;
    if (rename(entry, aside) != 0) { // an empty folder may be replaced
        struct stat about;
        if (lstat(entry, &about) == 0 && !S_ISDIR(about.st_mode))
            unlink(entry);
    }
    cache_abandon(aside);
}

mc_status cache_commit(const cache *c, const char *draft, cache_key key, const void *source,
                       size_t size, mc_error *error)
{
    static const char *const keep[] = {"source", "sum", "kernel.so"};
    char entry[CACHE_FILE_MAX], object[CACHE_FILE_MAX], sum[80];
    entry_path(c, key, entry);
    size_t object_size = 0;
    char *const bytes = read_whole(draft, "kernel.so", &object_size);
    if (!bytes)
        return reject(error, draft, "the compiler produced no object file");
    sum_text(bytes, object_size, sum);
    free(bytes);
    remove_files(draft, keep, 3);
    if (!cache_write_file(draft, "source", source, size) ||
        !cache_write_file(draft, "sum", sum, strlen(sum)))
        return reject(error, draft, strerror(errno));

    for (int attempt = 0; attempt < 3; attempt++) {
        if (rename(draft, entry) == 0)
            return MC_OK;
        if (cache_find(c, key, source, size, object)) { // another process was first
            cache_abandon(draft);
            return MC_OK;
        }
        cache_remove(c, key);
    }
    return reject(error, entry, strerror(errno));
}

// ---- keeping it small --------------------------------------------------------------------------

typedef struct old_entry {
    cache_key key;
    struct timespec used;
    long long bytes;
} old_entry;

static int older_first(const void *a, const void *b)
{
    const struct timespec x = ((const old_entry *)a)->used, y = ((const old_entry *)b)->used;
    if (x.tv_sec != y.tv_sec)
        return x.tv_sec < y.tv_sec ? -1 : 1;
    return (x.tv_nsec > y.tv_nsec) - (x.tv_nsec < y.tv_nsec);
}

static long long bytes_of(const char *folder)
{
    static const char *const names[] = {"source", "kernel.so"};
    long long bytes = 0;
    for (int i = 0; i < 2; i++) {
        char path[CACHE_FILE_MAX + NAME_ROOM];
        struct stat about;
        join(path, folder, names[i]);
        if (lstat(path, &about) == 0)
            bytes += (long long)about.st_size;
    }
    return bytes;
}

// One name of the folder: an entry is added to the list, what a killed process left is removed.
static bool look_at(const cache *c, const char *name, old_entry **list, int *count)
{
    char path[CACHE_FILE_MAX + 256];
    snprintf(path, sizeof path, "%s/%s", c->folder, name);
    struct stat about;
    const bool entry = strlen(name) == 32 && strspn(name, "0123456789abcdef") == 32;
    const bool draft = strncmp(name, "tmp-", 4) == 0;
    if ((!entry && !draft) || lstat(path, &about) != 0 || !S_ISDIR(about.st_mode))
        return true;
    if (draft) {
        if (time(NULL) - about.st_mtime > STALE_SECONDS)
            cache_abandon(path);
        return true;
    }
    if ((*count & (*count - 1)) == 0) { // room doubles at powers of two
        old_entry *const more = realloc(*list, (size_t)(2 * *count + 1) * sizeof **list);
        if (!more)
            return false;
        *list = more;
    }
    old_entry *const e = &(*list)[(*count)++];
    memcpy(e->key.hex, name, sizeof e->key.hex);
    e->used = about.st_mtim;
    e->bytes = bytes_of(path);
    return true;
}

void cache_trim(const cache *c, int count, long long bytes)
{
    DIR *const dir = opendir(c->folder);
    if (!dir)
        return;
    old_entry *list = NULL;
    int have = 0;
    for (const struct dirent *e; (e = readdir(dir)) != NULL;)
        if (!look_at(c, e->d_name, &list, &have))
            break;
    closedir(dir);

    long long total = 0;
    for (int i = 0; i < have; i++)
        total += list[i].bytes;
    if (have > 0)
        qsort(list, (size_t)have, sizeof *list, older_first);
    for (int i = 0; i < have && (have - i > count || total > bytes); i++) {
        cache_remove(c, list[i].key);
        total -= list[i].bytes;
    }
    free(list);
}
