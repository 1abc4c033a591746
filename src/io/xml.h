// xml.h - the elements of an XML file with their attributes, texts and places.
//
// The syntax is read by Expat. Of the text between tags only that of elements without other
// elements inside is kept. A document type, and with it every entity of its own, is rejected, so
// nothing outside of the file is ever looked at.
#pragma once

#include "base/arena.h"
#include "motorcade/status.h"

typedef struct xml_attribute {
    const char *name, *value;
} xml_attribute;

typedef struct xml_node {
    const char *name;
    int line, column; // of its '<', from 1
    const xml_attribute *attributes;
    int attribute_count;
    const char *text;              // without blanks around it; "": none, or it has elements
    struct xml_node *first, *next; // its first element, and the next one beside it
    struct xml_node *last, *parent;
} xml_node;

enum { XML_DEPTH_MAX = 64, XML_NODES_MAX = 4000000 };

// file stands for the bytes in messages. *root lives in the arena.
mc_status xml_parse(arena *memory, const char *bytes, size_t size, const char *file,
                    const xml_node **root, mc_error *error);

const char *xml_get(const xml_node *node, const char *attribute);  // NULL: it has none
const xml_node *xml_first(const xml_node *node, const char *name); // NULL: none
const xml_node *xml_next(const xml_node *node, const char *name);  // after node, beside it
