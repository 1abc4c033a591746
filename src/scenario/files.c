// files.c - contents of files with a count of their users.
#include "scenario/files.h"

#include "base/bytes.h"
#include "base/file.h"

#include <stdlib.h>
#include <string.h>

// Path and contents in one block behind the struct.
static scenario_file *make(const char *path, const char *data, size_t size)
{
    const size_t name = strlen(path) + 1;
    scenario_file *file = malloc(sizeof *file + name + size + 1);
    if (!file)
        return NULL;
    char *text = (char *)(file + 1);
    memcpy(text, path, name);
    memcpy(text + name, data, size + 1);
    file->is = (mc_file){text, text + name, size, bytes_hash(BYTES_HASH_START, data, size)};
    atomic_init(&file->users, 1);
    return file;
}

scenario_file *scenario_file_read(const char *path, size_t limit, mc_error *error)
{
    arena memory = {0};
    char *data;
    size_t size;
    scenario_file *file = NULL;
    if (file_read(&memory, path, limit, &data, &size, error) == MC_OK) {
        file = make(path, data, size);
        if (!file)
            mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory for this file");
    }
    arena_free(&memory);
    return file;
}

scenario_file *scenario_file_keep(scenario_file *file)
{
    atomic_fetch_add(&file->users, 1);
    return file;
}

void scenario_file_release(scenario_file *file)
{
    if (atomic_fetch_sub(&file->users, 1) == 1)
        free(file);
}
