// replay.c - runs a fuzz target over files, without a fuzzer: replay file-or-folder ...
//
// Fails when it is given nothing, when a file cannot be read, or when a folder is empty: a corpus
// that was lost must not pass.
#include "base/arena.h"
#include "base/file.h"
#include "fuzz/fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool run_file(const char *path)
{
    arena memory = {0};
    mc_error error = {0};
    char *data, text[1024];
    size_t size;
    const bool read = file_read(&memory, path, 0, &data, &size, &error) == MC_OK;
    if (read) {
        // A block of its own and of the exact size: a sanitizer sees what is read past its end.
        uint8_t *copy = malloc(size ? size : 1);
        if (copy) {
            memcpy(copy, data, size);
            LLVMFuzzerTestOneInput(copy, size);
        }
        free(copy);
    } else {
        fprintf(stderr, "%s\n", mc_error_format(&error, text, sizeof text));
    }
    arena_free(&memory);
    return read;
}

static int visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

// Returns how many files were run, -1 when one could not be.
static int run(const char *path)
{
    struct dirent **entries;
    const int entry_count = scandir(path, &entries, visible, alphasort);
    if (entry_count < 0) // not a folder
        return run_file(path) ? 1 : -1;
    int count = 0;
    for (int i = 0; i < entry_count; i++) {
        char *inside;
        const int length = asprintf(&inside, "%s/%s", path, entries[i]->d_name);
        count = count >= 0 && length >= 0 && run_file(inside) ? count + 1 : -1;
        if (length >= 0)
            free(inside);
        free(entries[i]);
    }
    free(entries);
    return count;
}

int main(int argument_count, char **arguments)
{
    int total = 0;
    for (int i = 1; i < argument_count; i++) {
        const int count = run(arguments[i]);
        if (count <= 0) {
            fprintf(stderr, "%s: no files could be run\n", arguments[i]);
            return 1;
        }
        total += count;
    }
    if (total == 0)
        fprintf(stderr, "replay: no files given\n");
    else
        printf("%d files\n", total);
    return total == 0;
}
