// json_text.h - a JSON text as plain nodes.
//
// For JSON inside of other files, where lines may be of any length (yaml.h has limits on those) and
// whose places are offsets. Strict: one value, no comments, no trailing commas, each key once.
#pragma once

#include "base/arena.h"
#include "motorcade/status.h"

#include <stddef.h>

enum { JSON_DEPTH_MAX = 48, JSON_KEYS_MAX = 1000, JSON_NODES_MAX = 1 << 19 };

typedef enum json_kind {
    JSON_NOTHING, // null
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_TEXT,
    JSON_LIST,
    JSON_MAP
} json_kind;

typedef struct json_node {
    json_kind kind;
    int count;        // children
    size_t at;        // byte of the text
    double number;    // JSON_NUMBER
    const char *text; // JSON_TEXT, "" for the others; \u escapes of ASCII alone are replaced
    const char *key;  // in a map; NULL elsewhere
    struct json_node *first, *next;
} json_node;

// bytes need not end with '\0'. file: for messages, which name the byte.
mc_status json_text_parse(const char *bytes, size_t length, const char *file, arena *memory,
                          const json_node **root, mc_error *error);

const json_node *json_text_find(const json_node *map, const char *key); // NULL: none, or not a map
const json_node *json_text_item(const json_node *list, size_t index);   // NULL: none, or not a list
