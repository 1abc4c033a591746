// page_tree.h - a page that html.h wrote, as a tree: for writers of other formats.
//
// Reads what our own pages contain, not HTML at large: elements are closed, attributes are in
// double quotes, and text is escaped. An element that has no counterpart elsewhere is still a node.
#pragma once

#include "base/arena.h"

#include <stdbool.h>

typedef struct page_node {
    const char *tag;         // "" for text
    const char *class;       // "" for none
    const char *text;        // of a text or a picture (svg), still escaped; "" else
    bool open;               // attribute of details
    struct page_node *child; // the first
    struct page_node *next;  // sibling
} page_node;

// The node "body"; NULL: no memory left, or not such a page.
page_node *page_tree_read(arena *memory, const char *html);

// What is inside as Pango markup: escaped text, with b and small; blanks joined unless `as_is`.
// NULL: no memory left.
char *page_tree_markup(arena *memory, const page_node *node, bool as_is);

// The first child, or its child and so on, with that tag; NULL: none.
const page_node *page_tree_find(const page_node *node, const char *tag);
