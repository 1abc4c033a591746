// document.c - notes, names and files of a conversion.
#include "exchange/document.h"

#include "base/file.h"
#include "motorcade/vehicle_type.h"
#include "multibody/model.h"

#include <ctype.h>
#include <string.h>

mc_status document_read(document *d, const char *path, const char **bytes, size_t *size,
                        mc_error *error)
{
    for (int k = 0; k < d->given_count; k++)
        if (strcmp(d->given[k].path, path) == 0) {
            *bytes = d->given[k].bytes;
            *size = d->given[k].size;
            return MC_OK;
        }
    char *data = NULL;
    const mc_status status = file_read(&d->memory, path, (size_t)1 << 28, &data, size, error);
    *bytes = data;
    return status;
}

const char *document_beside(document *d, const char *of, const char *name)
{
    const char *slash = strrchr(of, '/');
    char text[4096];
    snprintf(text, sizeof text, "%.*s%s", slash && name[0] != '/' ? (int)(slash + 1 - of) : 0, of,
             name);
    const char *copy = arena_copy_text(&d->memory, text, strlen(text));
    return copy ? copy : name;
}

static void add_note(document *d, const char *file, int line, const char *text)
{
    if (d->note_count == d->note_room) {
        const int room = d->note_room ? 2 * d->note_room : 64;
        document_note *more = arena_alloc(&d->memory, (size_t)room * sizeof *more);
        if (!more)
            return;
        if (d->note_count)
            memcpy(more, d->notes, (size_t)d->note_count * sizeof *more);
        d->notes = more;
        d->note_room = room;
    }
    const char *copy = arena_copy_text(&d->memory, text, strlen(text));
    if (copy)
        d->notes[d->note_count++] = (document_note){file, line, copy};
}

void document_take_notes(document *d, const xml_reader *r)
{
    for (int k = 0; k < r->notes->count; k++)
        add_note(d, r->file, r->notes->line[k], r->notes->text[k]);
    if (r->notes->more) {
        char text[64];
        snprintf(text, sizeof text, "and %d more", r->notes->more);
        add_note(d, r->file, 0, text);
    }
    r->notes->count = r->notes->more = 0;
}

// ---- names ----

static unsigned hash_of(const char *text)
{
    unsigned hash = 2166136261u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

// The entry of a text, or the free one for it. by_to: looks for what names are called in the
// scenario, which is in the second half of the table.
static document_name *entry_of(document_name *table, int room, const char *text, bool by_to)
{
    unsigned at = hash_of(text) % (unsigned)room;
    for (;; at = (at + 1) % (unsigned)room) {
        document_name *one = &table[at + (by_to ? (unsigned)room : 0)];
        const char *key = by_to ? one->to : one->from;
        if (!key || strcmp(key, text) == 0)
            return one;
    }
}

static bool grow_names(document *d)
{
    if (2 * (d->name_count + 1) <= d->name_room)
        return true;
    const int room = d->name_room ? 2 * d->name_room : 256;
    document_name *more = arena_alloc(&d->memory, 2 * (size_t)room * sizeof *more);
    if (!more)
        return false;
    for (int k = 0; k < d->name_room; k++) {
        const document_name *one = &d->names[k];
        if (one->from) {
            *entry_of(more, room, one->from, false) = *one;
            *entry_of(more, room, one->to, true) = *one;
        }
    }
    d->names = more;
    d->name_room = room;
    return true;
}

const char *document_name_of(document *d, const char *text)
{
    if (!grow_names(d))
        return "car";
    document_name *one = entry_of(d->names, d->name_room, text, false);
    if (one->from)
        return one->to;
    char name[64], unique[80];
    int n = 0;
    if (!isalpha((unsigned char)text[0]))
        name[n++] = 'v';
    for (const char *c = text; *c && n < 40; c++)
        name[n++] = isalnum((unsigned char)*c) ? *c : '_';
    name[n] = '\0';
    const char *why;
    const bool taken = strcmp(name, "all") == 0 || !mb_name_valid(name, &why);
    snprintf(unique, sizeof unique, "%s%s", name, taken ? "_" : "");
    for (int k = 2; entry_of(d->names, d->name_room, unique, true)->to; k++)
        snprintf(unique, sizeof unique, "%s_%d", name, k);
    const document_name made = {arena_copy_text(&d->memory, text, strlen(text)),
                                arena_copy_text(&d->memory, unique, strlen(unique))};
    if (!made.from || !made.to)
        return "car";
    *one = made;
    *entry_of(d->names, d->name_room, made.to, true) = made;
    d->name_count++;
    return made.to;
}

const char *document_car_kind(void)
{
    return mc_vehicle_type_at(0)->name;
}

void document_quote(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 32 || c == 127)
            fputc(' ', out);
        else
            fputc(c, out);
    }
    fputc('"', out);
}
