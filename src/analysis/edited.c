// edited.c - numbers of a concept file changed for an analysis.
#include "analysis/edited.h"

#include "base/file.h"
#include "motorcade/concept_edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILE_MAX = 8 << 20 };

typedef struct search {
    const char *name;
    size_t head; // length of its first key, with the dot
    bool found;
} search;

static void look(void *context, const mc_concept_value *value)
{
    search *s = context;
    s->found = s->found || strncmp(value->path, s->name, s->head) == 0;
}

// Whether NAME of a value NAME=... begins with a key of the file.
static bool is_place(const char *text, const char *file, const char *value)
{
    const size_t equals = strcspn(value, "="), head = strcspn(value, ".") + 1;
    search s = {.name = value, .head = head};
    if (value[equals] == '=' && head < equals)
        mc_concept_values(text, file, look, &s, NULL);
    return s.found;
}

static void write_copy(analysis *a, edited *e, const char *text)
{
    const char *folder = getenv("TMPDIR");
    snprintf(e->path, sizeof e->path, "%.32s/motorcade_XXXXXX.yaml", folder ? folder : "/tmp");
    const int fd = mkstemps(e->path, 5);
    FILE *out = fd >= 0 ? fdopen(fd, "wb") : NULL;
    const bool written = out && fputs(text, out) >= 0;
    if (fd < 0)
        e->path[0] = '\0';
    if (!out || fclose(out) != 0 || !written)
        a->status = mc_error_set(a->error, MC_IO, NULL, 0, 0,
                                 "cannot write a copy of %.200s to the folder for temporary files",
                                 e->file);
    else
        a->file = e->path;
}

// Values of `set` that are places become changes, the others stay in the list.
static int split(analysis *a, edited *e, const char *text, arena *memory,
                 mc_concept_change *changes)
{
    int count = 0, kept = 0;
    for (int k = 0; k < a->value_count; k++) {
        const mc_analysis_value *v = &a->values[k];
        if (strcmp(v->name, "set") != 0 || !is_place(text, a->file, v->text)) {
            e->values[kept++] = *v;
            continue;
        }
        const size_t n = strcspn(v->text, "=");
        changes[count++] =
            (mc_concept_change){arena_copy_text(memory, v->text, n), v->text + n + 1};
    }
    a->values = e->values;
    a->value_count = kept;
    return count;
}

void edited_open(analysis *a, edited *e)
{
    bool sets = false;
    *e = (edited){.file = a->file};
    for (int k = 0; k < a->value_count; k++)
        sets = sets || strcmp(a->values[k].name, "set") == 0;
    if (!sets || !mc_concept_is_file(a->file))
        return;
    arena memory = {0};
    char *text;
    size_t length;
    const size_t count = (size_t)a->value_count + 1;
    e->values = calloc(count, sizeof *e->values);
    mc_concept_change *changes = calloc(count, sizeof *changes);
    if (!e->values || !changes)
        analysis_no_memory(a);
    else
        a->status = file_read(&memory, a->file, FILE_MAX, &text, &length, a->error);
    char *copy = a->status == MC_OK ? arena_copy_text(&memory, text, length) : NULL;
    const int edits = copy ? split(a, e, copy, &memory, changes) : 0;
    if (edits > 0) {
        char *changed = mc_concept_edit(copy, a->file, changes, edits, a->error);
        if (changed)
            write_copy(a, e, changed);
        else
            a->status = a->error->code;
        free(changed);
    }
    free(changes);
    arena_free(&memory);
}

void edited_close(analysis *a, edited *e)
{
    if (e->path[0] && a->status != MC_OK && strcmp(a->error->file, e->path) == 0)
        snprintf(a->error->file, sizeof a->error->file, "%s", e->file);
    if (e->path[0])
        unlink(e->path);
    a->file = e->file;
    free(e->values);
}
