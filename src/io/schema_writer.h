// schema_writer.h - JSON Schemas as text: elements in the order they are written, indented by two
// blanks; what belongs on one line stands between schema_open_line and schema_shut_line.
#pragma once

#include <stdbool.h>
#include <stdio.h>

typedef struct schema_writer {
    FILE *out;
    int depth;
    bool more; // something stands before, at this depth
    int flat;  // above 0: all on one line
} schema_writer;

// key NULL: an element of a list. bracket: '{' or '[', and its counterpart.
void schema_open(schema_writer *j, const char *key, char bracket);
void schema_shut(schema_writer *j, char bracket);
void schema_open_line(schema_writer *j, const char *key, char bracket);
void schema_shut_line(schema_writer *j, char bracket);

void schema_text(schema_writer *j, const char *key, const char *value);
void schema_word(schema_writer *j, const char *key, const char *literal); // true, false
void schema_number(schema_writer *j, const char *key, double value);
void schema_texts(schema_writer *j, const char *key, const char *const *words, int count);

// {"type": type} as an element of a list.
void schema_type(schema_writer *j, const char *type);
// {"enum": [...]} as an element of a list.
void schema_choice(schema_writer *j, const char *const *words, int count);
// {"$ref": "#/definitions/name"}
void schema_refer(schema_writer *j, const char *key, const char *name);
// "anyOf": [a number within limits, a text such as 65 mph: left open for more.
void schema_number_or_text(schema_writer *j, double min, double max);
