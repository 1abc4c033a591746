// page_file.c - files of the page.
#include "studio/net/page_file.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MAX = 64 << 20 }; // bytes of a file from a folder

static const char *real_path(const char *path)
{
    return strcmp(path, "/") == 0 ? "/index.html" : path;
}

const page_file *page_file_find(const char *path)
{
    path = real_path(path);
    for (int i = 0; i < page_file_count; i++)
        if (strcmp(path, page_files[i].path) == 0)
            return &page_files[i];
    return NULL;
}

const char *page_file_type(const char *path)
{
    static const struct {
        const char *ending, *type;
    } types[] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".mjs", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".json", "application/json"},
        {".map", "application/json"},
        {".webmanifest", "application/manifest+json"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".ico", "image/x-icon"},
        {".woff2", "font/woff2"},
        {".woff", "font/woff"},
        {".txt", "text/plain; charset=utf-8"},
    };
    const char *point = strrchr(real_path(path), '.');
    for (size_t k = 0; point && k < sizeof types / sizeof types[0]; k++)
        if (strcmp(point, types[k].ending) == 0)
            return types[k].type;
    return "application/octet-stream";
}

// Every part is letters, digits, '.', '-' and '_' and does not begin with a point.
static bool path_is_plain(const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
    int parts = 0;
    for (const char *at = path; *at; parts++) {
        if (*at++ != '/' || *at == '.' || parts == 8)
            return false;
        const size_t length = strspn(at, plain);
        if (length == 0 || length > 100)
            return false;
        at += length;
    }
    return parts > 0;
}

bool page_file_read(const char *folder, const char *path, uint8_t **bytes, size_t *length)
{
    char name[PATH_MAX], inside[PATH_MAX], real[PATH_MAX];
    path = real_path(path);
    if (!path_is_plain(path) ||
        snprintf(name, sizeof name, "%s%s", folder, path) >= (int)sizeof name ||
        !realpath(folder, inside) || !realpath(name, real))
        return false;
    const size_t stem = strlen(inside); // no link leads out of the folder
    if (strncmp(real, inside, stem) != 0 || real[stem] != '/')
        return false;
    const int fd = open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    if (fd < 0)
        return false;
    uint8_t *out = NULL;
    size_t got = 0;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= FILE_MAX &&
        (out = malloc((size_t)status.st_size + 1)) != NULL)
        for (ssize_t n; got < (size_t)status.st_size; got += (size_t)n)
            if ((n = read(fd, out + got, (size_t)status.st_size - got)) <= 0)
                break;
    close(fd);
    *bytes = out;
    *length = got;
    return out != NULL;
}

mc_status page_file_check_folder(const char *folder, mc_error *error)
{
    uint8_t *bytes;
    size_t length;
    if (!page_file_read(folder, "/", &bytes, &length))
        return mc_error_set(error, MC_BAD_INPUT, folder, 0, 0,
                            "not a folder of the page: it has no readable index.html");
    free(bytes);
    return MC_OK;
}
