// options.c - what can be asked of the studio before it starts; also of a library without one.
#include "motorcade/studio.h"

#include "base/shipped.h"

#include <limits.h>
#include <stdio.h>

mc_studio_options mc_studio_defaults(void)
{
    return (mc_studio_options){.address = "127.0.0.1", .port = 8080};
}

bool mc_studio_shipped(const char *name, char *path, size_t size)
{
    char file[PATH_MAX];
    return snprintf(file, sizeof file, "scenarios%s%s", name[0] ? "/" : "", name) <
               (int)sizeof file &&
           shipped_path(file, path, size);
}
