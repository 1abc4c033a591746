// yaml.h - a YAML file as plain nodes, every one with its place.
//
// libfyaml reads the text; this wrapper keeps what engineers' files need and rejects the rest, each
// with file:line:column: more than YAML_FILE_MAX bytes, text that is not UTF-8, control characters
// and tabs, a second document, anchors and aliases (never followed), tags, directives, keys that
// are not words, a key written twice in one map (both places are named), deeper nesting, longer
// lines, more keys in one map or more values than the limits below. Nothing is written to standard
// error.
//
// All scalars are text; what is a number is for the reader to say. A value left out ("mass:") is a
// scalar with empty text that is not quoted.
//
//     const yaml_node *root;
//     if (yaml_parse(bytes, length, "car.yaml", &memory, &root, &error) != MC_OK)
//         return error.code;
//     for (const yaml_node *n = root->first; n; n = n->next)
//         printf("%d: %s\n", n->line, n->key->text);
#pragma once

#include "base/arena.h"
#include "motorcade/status.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    YAML_FILE_MAX = 8 << 20,    // bytes
    YAML_DEPTH_MAX = 64,        // lists and maps inside each other
    YAML_KEYS_MAX = 10000,      // in one map
    YAML_NODES_MAX = 1 << 20,   // keys and values in all
    YAML_LINE_MAX = 1 << 16,    // bytes
    YAML_BLANK_LINES_MAX = 100, // in a row
};

typedef enum yaml_kind { YAML_SCALAR, YAML_SEQUENCE, YAML_MAPPING } yaml_kind;

typedef struct yaml_node {
    yaml_kind kind;
    bool quoted;      // scalar in quotes, or a block of lines
    int line, column; // of its first character, from 1; column in bytes; quotes are not counted
    int count;        // children
    const char *text; // scalar, ends with '\0'; "" for the others
    const struct yaml_node *key;   // of a value in a map; NULL elsewhere
    const struct yaml_node *first; // child
    const struct yaml_node *next;  // sibling, in the order of the file
} yaml_node;

// The document in bytes [0, length). file: name for messages. The nodes live in the arena and need
// neither bytes nor file. A file without a value is rejected.
mc_status yaml_parse(const char *bytes, size_t length, const char *file, arena *memory,
                     const yaml_node **root, mc_error *error);

// The value of a key of a map; NULL: no such key, or not a map.
const yaml_node *yaml_find(const yaml_node *map, const char *key);

// Gives the key of a value another word, which must live as long as the tree: for keys that were
// renamed. Lines and columns stay those of the file.
void yaml_rename_key(const yaml_node *value, const char *key);

enum { YAML_QUOTE_SIZE = 48 };

// Text for a message: on one line, shortened with "..." if long; returns buffer.
const char *yaml_quote(const char *text, char buffer[YAML_QUOTE_SIZE]);
