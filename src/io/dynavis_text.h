// dynavis_text.h - the syntax shared by the files of DYNAVIS: lines of words between blanks.
//
// A line ends with LF, CR LF or CR; a UTF-8 byte order mark at the start is skipped. A word is what
// stands between blanks and tabs. A cursor stands on one line; dynavis_text_line goes to the next
// that has a word, dynavis_text_word takes the next word of it. Words need not be text: messages
// show other bytes as '?'.
//
// The first failure is written to the mc_error, with file, line, column and an excerpt of the line.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct dynavis_word {
    const char *text; // in the file; not ended by '\0'
    size_t length;
    int column; // from 1, in bytes
} dynavis_word;

typedef struct dynavis_text {
    const char *file;
    const char *bytes;
    size_t length;
    mc_error *error;
    int line;          // from 1
    size_t begin, end; // of the line, without what ends it
    size_t at;         // where the next word is looked for
    size_t next;       // where the next line begins
} dynavis_text;

enum { DYNAVIS_FILE_MAX = 1 << 30 }; // bytes; lines and columns then fit an int

// Stands before the first line. bytes need not end with '\0'.
mc_status dynavis_text_begin(dynavis_text *text, const char *file, const char *bytes, size_t length,
                             mc_error *error);

// To the next line that has a word; false at the end of the file. comments: lines whose first word
// begins with '#' are passed over.
bool dynavis_text_line(dynavis_text *text, bool comments);

bool dynavis_text_word(dynavis_text *text, dynavis_word *word); // false at the end of the line
int dynavis_text_rest(const dynavis_text *text);                // number of words not yet taken

// The word as a number; false when it is none.
bool dynavis_word_number(const dynavis_word *word, double *value);
bool dynavis_word_is(const dynavis_word *word, const char *known); // in any case

enum { DYNAVIS_QUOTE_SIZE = 48 };
// For a message, shortened with "..." if long; returns buffer.
const char *dynavis_quote(const char *bytes, size_t length, char buffer[DYNAVIS_QUOTE_SIZE]);

// MC_BAD_INPUT at a column of the current line.
mc_status dynavis_text_blame(dynavis_text *text, int column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Copies a name to out, which has room for size bytes; a longer one and control characters are
// rejected.
mc_status dynavis_text_name(dynavis_text *text, const char *name, size_t length, char *out,
                            size_t size);
int dynavis_text_end_column(const dynavis_text *text); // just behind the last word of the line
