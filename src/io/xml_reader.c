// xml_reader.c - values of XML elements, and notes about what was not read.
#include "io/xml_reader.h"

#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void xml_reject(xml_reader *r, const xml_node *node, const char *format, ...)
{
    if (r->status != MC_OK)
        return;
    char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    r->status = mc_error_set(r->error, MC_BAD_INPUT, r->file, node->line, node->column, "%s", text);
}

void xml_note(xml_reader *r, const xml_node *node, const char *format, ...)
{
    xml_notes *notes = r->notes;
    if (r->status != MC_OK)
        return;
    if (notes->count == XML_NOTES_MAX) {
        notes->more++;
        return;
    }
    va_list list;
    va_start(list, format);
    vsnprintf(notes->text[notes->count], sizeof notes->text[0], format, list);
    va_end(list);
    notes->line[notes->count++] = node ? node->line : 0;
}

void *xml_alloc(xml_reader *r, int count, size_t size)
{
    void *memory = arena_alloc(r->memory, (size_t)count * size);
    if (!memory && r->status == MC_OK)
        r->status = mc_error_set(r->error, MC_NO_MEMORY, r->file, 0, 0, "no memory left");
    return memory;
}

const char *xml_word(xml_reader *r, const xml_node *node, const char *attribute)
{
    const char *text = xml_get(node, attribute);
    if (!text)
        xml_reject(r, node, "%.40s has no attribute %s", node->name, attribute);
    return text ? text : "";
}

double xml_number_or(xml_reader *r, const xml_node *node, const char *attribute, double fallback)
{
    const char *text = xml_get(node, attribute);
    double value = fallback;
    if (text && (!text_to_double(text, &value) || !isfinite(value) || fabs(value) > 1e15)) {
        xml_reject(r, node, "%.40s: %s is \"%.40s\"; expected a number", node->name, attribute,
                   text);
        return fallback;
    }
    return value;
}

double xml_number(xml_reader *r, const xml_node *node, const char *attribute)
{
    xml_word(r, node, attribute);
    return xml_number_or(r, node, attribute, 0.0);
}

int xml_whole(xml_reader *r, const xml_node *node, const char *attribute)
{
    int value = 0;
    const char *text = xml_word(r, node, attribute);
    if (r->status == MC_OK && (!text_to_int(text, &value) || value > 10000 || value < -10000))
        xml_reject(r, node, "%.40s: %s is \"%.40s\"; expected a whole number", node->name,
                   attribute, text);
    return r->status == MC_OK ? value : 0;
}

double xml_text_number(xml_reader *r, const xml_node *node)
{
    double value = 0.0;
    if (!text_to_double(node->text, &value) || !isfinite(value) || fabs(value) > 1e15) {
        xml_reject(r, node, "%.40s is \"%.40s\"; expected a number", node->name, node->text);
        return 0.0;
    }
    return value;
}

const xml_node *xml_need(xml_reader *r, const xml_node *node, const char *child)
{
    const xml_node *found = xml_first(node, child);
    if (!found && node)
        xml_reject(r, node, "%.40s has no element %s", node->name, child);
    return found;
}

// ---- what is not read ----

typedef struct tally {
    int count;
    const xml_node *first;
} tally;

static void count_unread(const xml_node *node, const char *const *names, int count, tally *t)
{
    for (const xml_node *n = node->first; n; n = n->next) {
        for (int k = 0; k < count; k++)
            if (strcmp(n->name, names[k]) == 0 && t[k].count++ == 0)
                t[k].first = n;
        count_unread(n, names, count, t);
    }
}

void xml_note_unread(xml_reader *r, const xml_node *node, const char *const *names, int count)
{
    tally *t = xml_alloc(r, count, sizeof *t);
    if (!t)
        return;
    count_unread(node, names, count, t);
    for (int k = 0; k < count; k++)
        if (t[k].count)
            xml_note(r, t[k].first, "%s is not read (%d element%s)", names[k], t[k].count,
                     t[k].count == 1 ? "" : "s");
}
