// exchange.c - files of other programs, for programs that use the library.
#include "motorcade/exchange.h"

#include "exchange/formats.h"

#include <stdlib.h>
#include <string.h>

#define ADDRESS(word) &exchange_##word,
static const exchange_format *const formats[] = {EXCHANGE_FORMATS(ADDRESS)};
enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

const exchange_format *exchange_format_at(int index)
{
    return index >= 0 && index < FORMAT_COUNT ? formats[index] : NULL;
}

bool mc_exchange_format_at(int index, mc_exchange_format_info *out)
{
    const exchange_format *f = exchange_format_at(index);
    if (f)
        *out = (mc_exchange_format_info){f->name, f->word, f->ending, f->doc};
    return f != NULL;
}

struct mc_exchange {
    document d;
};

// The format of a file by the element it begins with, or by its word.
static const exchange_format *find_format(const char *root, const char *word)
{
    for (int k = 0; k < FORMAT_COUNT; k++)
        if (word ? strcmp(formats[k]->word, word) == 0 : strcmp(formats[k]->root, root) == 0)
            return formats[k];
    return NULL;
}

bool mc_exchange_knows(const char *path)
{
    static const char *const endings[] = {".xml", ".sumocfg", ".xosc"};
    const size_t length = strlen(path);
    for (size_t k = 0; k < sizeof endings / sizeof endings[0]; k++) {
        const size_t size = strlen(endings[k]);
        if (length > size && strcmp(path + length - size, endings[k]) == 0)
            return true;
    }
    return false;
}

mc_status exchange_parse(document *d, const char *bytes, size_t size, const char *path,
                         const mc_exchange_options *options, mc_error *error)
{
    const xml_node *root;
    mc_status status = xml_parse(&d->memory, bytes, size, path, &root, error);
    if (status != MC_OK)
        return status;
    const exchange_format *format = find_format(root->name, options->format);
    if (!format && options->format)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "unknown format \"%.40s\"; expected sumo, sumocfg, commonroad or "
                            "openscenario",
                            options->format);
    if (!format || strcmp(format->root, root->name) != 0)
        return mc_error_set(error, MC_BAD_INPUT, path, root->line, root->column,
                            "found <%.40s>; expected <net> or <configuration> (SUMO), <commonRoad> "
                            "or <OpenSCENARIO>",
                            root->name);
    d->format = format->name;
    d->out = open_memstream(&d->text, &d->size);
    if (!d->out)
        return mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory left");
    status = format->read(d, path, root, options, error);
    const bool good = !ferror(d->out);
    if ((fclose(d->out) != 0 || !good) && status == MC_OK)
        status = mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory left");
    return status;
}

void document_free(document *d)
{
    free(d->text);
    arena_free(&d->memory);
    *d = (document){0};
}

mc_exchange *mc_exchange_read(const char *path, const mc_exchange_options *options, mc_error *error)
{
    static const mc_exchange_options defaults = {0};
    mc_exchange *e = calloc(1, sizeof *e);
    if (!e) {
        mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory left");
        return NULL;
    }
    const char *bytes;
    size_t size;
    if (document_read(&e->d, path, &bytes, &size, error) == MC_OK &&
        exchange_parse(&e->d, bytes, size, path, options ? options : &defaults, error) == MC_OK)
        return e;
    mc_exchange_free(e);
    return NULL;
}

void mc_exchange_free(mc_exchange *e)
{
    if (!e)
        return;
    document_free(&e->d);
    free(e);
}

const char *mc_exchange_text(const mc_exchange *e)
{
    return e->d.text;
}

size_t mc_exchange_size(const mc_exchange *e)
{
    return e->d.size;
}

const char *mc_exchange_format(const mc_exchange *e)
{
    return e->d.format;
}

bool mc_exchange_note(const mc_exchange *e, int index, const char **file, int *line,
                      const char **text)
{
    if (index < 0 || index >= e->d.note_count)
        return false;
    *file = e->d.notes[index].file;
    *line = e->d.notes[index].line;
    *text = e->d.notes[index].text;
    return true;
}
