// yaml_tree.h - a YAML document that can be changed and written again.
//
// Nodes are made from those of yaml.h and live in an arena. What is written reads back as the same
// keys and texts in the same order; comments and line breaks of the original are not kept. Texts
// that were quoted stay quoted, since a reader may make a difference.
//
//     yaml_tree *root = yaml_tree_copy(&memory, node);
//     yaml_tree_set(&memory, yaml_tree_get(root, "time"), "step", yaml_tree_text(&memory, "0.01"));
//     const char *text = yaml_tree_write(&memory, root);
//
// Calls that make something return NULL when there is no memory, and take NULL for a node that
// could not be made: only the last result needs a check.
#pragma once

#include "io/yaml.h"

typedef struct yaml_tree {
    yaml_kind kind;
    bool quoted;
    const char *key;  // in a map; NULL elsewhere
    const char *text; // of a scalar
    struct yaml_tree *first, *next;
} yaml_tree;

yaml_tree *yaml_tree_copy(arena *memory, const yaml_node *node); // deep, without the node's key
yaml_tree *yaml_tree_clone(arena *memory, const yaml_tree *node);
yaml_tree *yaml_tree_text(arena *memory, const char *text); // a scalar
yaml_tree *yaml_tree_quoted(arena *memory, const char *text);
yaml_tree *yaml_tree_number(arena *memory, double value); // reads back as the same bits
yaml_tree *yaml_tree_new(yaml_kind kind, arena *memory);  // an empty list or map

yaml_tree *yaml_tree_get(const yaml_tree *map, const char *key); // NULL: not there, or not a map
// Sets the key of a map to value, replacing the old one, else at the end; takes it over. False: no
// memory.
bool yaml_tree_set(arena *memory, yaml_tree *map, const char *key, yaml_tree *value);
void yaml_tree_remove(yaml_tree *map, const char *key);
// Puts value behind a child of a list; NULL: at its beginning.
bool yaml_tree_insert(yaml_tree *list, yaml_tree *behind, yaml_tree *value);
bool yaml_tree_append(yaml_tree *list, yaml_tree *value);
void yaml_tree_take_out(yaml_tree *parent, const yaml_tree *child);

const char *yaml_tree_write(arena *memory, const yaml_tree *root);
