// shipped.c - see shipped.h. CMakeLists.txt defines the folders:
//
//   MOTORCADE_DATA_FROM_BIN, MOTORCADE_DATA_FROM_LIB   from the program, from the shared library
//   MOTORCADE_SOURCE_DIR, MOTORCADE_DATA_DIR           of the build
#include "base/shipped.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_in(const char *folder, const char *name, char *path, size_t size)
{
    return snprintf(path, size, "%s/%s", folder, name) < (int)size && access(path, R_OK) == 0;
}

// In the folder `data`, relative to that of `file`.
static bool is_beside(const char *file, const char *data, const char *name, char *path, size_t size)
{
    char real[PATH_MAX], folder[2 * PATH_MAX];
    if (!realpath(file, real))
        return false;
    *strrchr(real, '/') = '\0';
    snprintf(folder, sizeof folder, "%s/%s", real, data);
    return realpath(folder, real) && is_in(real, name, path, size);
}

// The file that holds this code: the shared library, or the program.
static bool is_beside_library(const char *name, char *path, size_t size)
{
    static const char here;
    Dl_info info;
    return dladdr(&here, &info) && info.dli_fname &&
           is_beside(info.dli_fname, MOTORCADE_DATA_FROM_LIB, name, path, size);
}

bool shipped_path(const char *name, char *path, size_t size)
{
    return is_beside("/proc/self/exe", MOTORCADE_DATA_FROM_BIN, name, path, size) ||
           is_beside_library(name, path, size) || is_in(MOTORCADE_SOURCE_DIR, name, path, size) ||
           is_in(MOTORCADE_DATA_DIR, name, path, size);
}
