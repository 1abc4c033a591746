// xml.c - XML elements by Expat.
#include "io/xml.h"

#include <expat.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct builder {
    arena *memory;
    const char *file;
    mc_error *error;
    mc_status status;
    XML_Parser parser;
    xml_node *root, *open;
    int depth, count;
    char *text; // since the last tag
    size_t text_size, text_room;
} builder;

static int line_of(const builder *b)
{
    const unsigned long line = XML_GetCurrentLineNumber(b->parser);
    return line < INT_MAX ? (int)line : INT_MAX;
}

static int column_of(const builder *b)
{
    const unsigned long column = XML_GetCurrentColumnNumber(b->parser);
    return column < INT_MAX - 1 ? (int)column + 1 : INT_MAX;
}

static void stop(builder *b, mc_status status, const char *text)
{
    if (b->status == MC_OK)
        b->status = mc_error_set(b->error, status, b->file, line_of(b), column_of(b), "%s", text);
    XML_StopParser(b->parser, XML_FALSE);
}

static void add_attributes(builder *b, xml_node *node, const char **list)
{
    int n = 0;
    while (list[2 * n])
        n++;
    xml_attribute *out = arena_alloc(b->memory, (size_t)n * sizeof *out);
    for (int i = 0; out && i < n; i++) {
        out[i].name = arena_copy_text(b->memory, list[2 * i], strlen(list[2 * i]));
        out[i].value = arena_copy_text(b->memory, list[2 * i + 1], strlen(list[2 * i + 1]));
        if (!out[i].name || !out[i].value)
            out = NULL;
    }
    if (!out)
        stop(b, MC_NO_MEMORY, "no memory left");
    node->attributes = out;
    node->attribute_count = out ? n : 0;
}

static void XMLCALL begin(void *context, const char *name, const char **attributes)
{
    builder *b = context;
    if (b->status != MC_OK)
        return;
    if (++b->depth > XML_DEPTH_MAX) {
        stop(b, MC_BAD_INPUT, "elements are nested more than 64 deep");
        return;
    }
    if (++b->count > XML_NODES_MAX) {
        stop(b, MC_BAD_INPUT, "more than 4000000 elements");
        return;
    }
    xml_node *node = arena_alloc(b->memory, sizeof *node);
    const char *copy = arena_copy_text(b->memory, name, strlen(name));
    if (!node || !copy) {
        stop(b, MC_NO_MEMORY, "no memory left");
        return;
    }
    *node = (xml_node){
        .name = copy, .line = line_of(b), .column = column_of(b), .text = "", .parent = b->open};
    b->text_size = 0;
    add_attributes(b, node, attributes);
    if (!b->open)
        b->root = node;
    else if (b->open->last)
        b->open->last->next = node;
    else
        b->open->first = node;
    if (b->open)
        b->open->last = node;
    b->open = node;
}

static void XMLCALL characters(void *context, const char *text, int length)
{
    builder *b = context;
    const size_t size = (size_t)length;
    if (b->status != MC_OK || !b->open || b->open->first)
        return;
    if (b->text_size + size > b->text_room) {
        const size_t room = 2 * (b->text_size + size) + 256;
        char *more = realloc(b->text, room);
        if (!more) {
            stop(b, MC_NO_MEMORY, "no memory left");
            return;
        }
        b->text = more;
        b->text_room = room;
    }
    memcpy(b->text + b->text_size, text, size);
    b->text_size += size;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// The text of the element that ends, if it is not blank.
static void keep_text(builder *b)
{
    size_t from = 0, to = b->text_size;
    while (from < to && is_blank(b->text[from]))
        from++;
    while (to > from && is_blank(b->text[to - 1]))
        to--;
    if (to == from || b->open->first)
        return;
    const char *copy = arena_copy_text(b->memory, b->text + from, to - from);
    if (copy)
        b->open->text = copy;
    else
        stop(b, MC_NO_MEMORY, "no memory left");
}

static void XMLCALL end(void *context, const char *name)
{
    builder *b = context;
    (void)name;
    if (b->status != MC_OK)
        return;
    keep_text(b);
    b->text_size = 0;
    b->depth--;
    b->open = b->open->parent;
}

static void XMLCALL doctype(void *context, const char *name, const char *system, const char *public,
                            int internal)
{
    (void)name, (void)system, (void)public, (void)internal;
    stop(context, MC_BAD_INPUT, "a document type is not read; expected a file without <!DOCTYPE");
}

mc_status xml_parse(arena *memory, const char *bytes, size_t size, const char *file,
                    const xml_node **root, mc_error *error)
{
    *root = NULL;
    builder b = {.memory = memory, .file = file, .error = error};
    if (size > INT_MAX)
        return mc_error_set(error, MC_BAD_INPUT, file, 0, 0, "the file is larger than 2 GB");
    b.parser = XML_ParserCreate(NULL);
    if (!b.parser)
        return mc_error_set(error, MC_NO_MEMORY, file, 0, 0, "no memory left");
    XML_SetUserData(b.parser, &b);
    XML_SetElementHandler(b.parser, begin, end);
    XML_SetCharacterDataHandler(b.parser, characters);
    XML_SetStartDoctypeDeclHandler(b.parser, doctype);
    XML_SetParamEntityParsing(b.parser, XML_PARAM_ENTITY_PARSING_NEVER);
    if (XML_Parse(b.parser, bytes, (int)size, XML_TRUE) != XML_STATUS_OK && b.status == MC_OK)
        b.status =
            mc_error_set(error, MC_BAD_INPUT, file, line_of(&b), column_of(&b),
                         "not well-formed XML: %s", XML_ErrorString(XML_GetErrorCode(b.parser)));
    XML_ParserFree(b.parser);
    free(b.text);
    *root = b.root;
    return b.status;
}

const char *xml_get(const xml_node *node, const char *attribute)
{
    for (int i = 0; i < node->attribute_count; i++)
        if (strcmp(node->attributes[i].name, attribute) == 0)
            return node->attributes[i].value;
    return NULL;
}

static const xml_node *named(const xml_node *n, const char *name)
{
    while (n && strcmp(n->name, name) != 0)
        n = n->next;
    return n;
}

const xml_node *xml_first(const xml_node *node, const char *name)
{
    return node ? named(node->first, name) : NULL;
}

const xml_node *xml_next(const xml_node *node, const char *name)
{
    return named(node->next, name);
}
