// document.h - a file of another program on its way to a scenario: what is written so far, the
// names that are taken, and notes about what was not read.
#pragma once

#include "io/xml_reader.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct document_note {
    const char *file;
    int line; // 0: none
    const char *text;
} document_note;

typedef struct document_name {
    const char *from, *to; // as in the file; as in the scenario
} document_name;

typedef struct document_file { // known by its contents
    const char *path, *bytes;
    size_t size;
} document_file;

typedef struct document {
    arena memory;
    const document_file *given; // files that are not opened; NULL: none
    int given_count;
    const char *format; // "SUMO", ...
    FILE *out;          // the scenario
    char *text;         // of it, once closed
    size_t size;
    document_note *notes;
    int note_count, note_room;
    document_name *names; // a hash table
    int name_count, name_room;
} document;

void document_free(document *d);

// The bytes of a file, which live as long as the document.
mc_status document_read(document *d, const char *path, const char **bytes, size_t *size,
                        mc_error *error);
// `name` as seen from the folder of the file `of`. Lives in the memory of the document.
const char *document_beside(document *d, const char *of, const char *name);

// Takes over the notes of a reader, which are about its file.
void document_take_notes(document *d, const xml_reader *r);

// A name for the scenario: letters, digits and _, different from all others. The same text gives
// the same name again.
const char *document_name_of(document *d, const char *text);

// The vehicle type of cars whose dynamics are not given: the simplest, first of the list.
const char *document_car_kind(void);

// A text in double quotes, as in YAML.
void document_quote(FILE *out, const char *text);
