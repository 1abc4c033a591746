// xml_reader.h - values of XML elements: attributes and texts as numbers and words, what is wrong
// with its place, and notes about what of a file was not read.
//
// The first failure is kept as status; later calls do no harm.
#pragma once

#include "io/xml.h"

enum { XML_NOTES_MAX = 100 };

typedef struct xml_notes { // what was left out or changed
    int count;
    int more; // that found no room
    int line[XML_NOTES_MAX];
    char text[XML_NOTES_MAX][200];
} xml_notes;

typedef struct xml_reader {
    arena *memory;
    const char *file; // stands for the bytes in messages
    mc_error *error;
    mc_status status;
    xml_notes *notes;
} xml_reader;

void xml_reject(xml_reader *r, const xml_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// node NULL: without a line.
void xml_note(xml_reader *r, const xml_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void *xml_alloc(xml_reader *r, int count, size_t size); // NULL: status says so

// Attributes. Without `_or` they must be there.
const char *xml_word(xml_reader *r, const xml_node *node, const char *attribute);
double xml_number(xml_reader *r, const xml_node *node, const char *attribute);
double xml_number_or(xml_reader *r, const xml_node *node, const char *attribute, double fallback);
int xml_whole(xml_reader *r, const xml_node *node, const char *attribute); // within +-10000

// The text of an element as a number.
double xml_text_number(xml_reader *r, const xml_node *node);
// A child that must be there; NULL: it is not, and status says so.
const xml_node *xml_need(xml_reader *r, const xml_node *node, const char *child);

// Notes, one for each of these names, how many elements below node have it.
void xml_note_unread(xml_reader *r, const xml_node *node, const char *const *names, int count);
