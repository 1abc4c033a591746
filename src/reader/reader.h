// reader.h - what readers of the user's YAML files share: failures with their place, words, lists,
// numbers with units, and hints for words that are not known.
//
// The first failure is kept as status; later calls do no harm and need no check.
#pragma once

#include "base/arena.h"
#include "expr/unit.h"
#include "io/yaml.h"

typedef struct reader {
    arena *memory;    // of what is read
    const char *file; // for messages
    const char *what; // the whole that is read, for messages: "model", "scenario"
    mc_error *error;
    mc_status status;
} reader;

// Reports an error at the place of a node.
void reader_reject(reader *r, const yaml_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void reader_no_memory(reader *r);

// Zeroed memory that lives as long as the result; NULL: no memory, which is then the status.
void *reader_alloc(reader *r, int count, size_t size);

// The value of a key; NULL if missing.
const yaml_node *reader_get(const reader *r, const yaml_node *map, const char *key);

// A list of min .. max elements.
bool reader_is_list(reader *r, const yaml_node *node, int min, int max);
bool reader_is_empty(const yaml_node *node);                   // nothing after the colon
const char *reader_text(reader *r, const yaml_node *node);     // a word or text; "" on failure
const char *reader_copy(reader *r, const char *text);          // "" on failure
const char *reader_found(const yaml_node *node, char out[80]); // "a list", "\"word\"", "nothing"

// Index of a word in a list; -1 and an error with the list if missing.
int reader_choice(reader *r, const yaml_node *node, const char *const *words, int count);

// A literal number in SI, with its unit if it has one.
double reader_literal(reader *r, const yaml_node *node, expr_unit unit);
// Whether a scalar is a literal number; then its value. A wrong unit is an error.
bool reader_is_literal(reader *r, const yaml_node *node, expr_unit unit, double *value);
const char *reader_behind_number(const char *text); // where a unit begins; the final '\0': nowhere
expr_unit reader_unit_of(const char *text, double *factor); // of a table's unit; not known for ""

typedef struct reader_quantity {
    double value; // SI
    expr_unit unit;
    const char *text; // SI unit
} reader_quantity;

// A unit of the key unit: the quantity one of it is; NULL: 1 without dimension.
reader_quantity reader_read_unit(reader *r, const yaml_node *node);
// A literal number with its unit behind it, or in the key unit. node NULL: 0.
reader_quantity reader_read_quantity(reader *r, const yaml_node *node, const yaml_node *unit);

// "unknown point "topp"; did you mean top?"
void reader_unknown(reader *r, const yaml_node *node, const char *what, const char *const *names,
                    int count);
// "a body has no key "mas"; did you mean mass?"
void reader_unknown_key(reader *r, const yaml_node *key, const char *what, const char *const *words,
                        int count);
// "found "3", expected a body as a map of keys: ..." unless it is a map.
bool reader_is_map(reader *r, const yaml_node *node, const char *what, const char *const *words,
                   int count);
void reader_join(char *out, size_t size, const char *const *words, int count); // a, b, c
