// tir.h - the syntax of tyre property files (.tir): sections, keys, values; no meaning.
//
//     [LONGITUDINAL_COEFFICIENTS]      $ a comment
//     PCX1 = 1.6411                    ! another
//     TYRESIDE = 'LEFT'
//
// A file is read line by line. A line is empty, a section, a key with its number or text, or a row
// of something else (the tables of some sections), which the caller may skip or reject. '$' and '!'
// begin a comment that ends with the line, also after a value. Texts are between quotes, ' or ", or
// a word.
// Lines end with LF, CR LF or CR; a UTF-8 byte order mark at the start is skipped.
//
//     tir_reader r;
//     tir_line line;
//     tir_begin(&r, text, size);
//     while (tir_next(&r, &line))
//         if (line.kind == TIR_NUMBER) use(line.name, line.number);
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { TIR_NAME_SIZE = 64, TIR_VALUE_SIZE = 96 };

typedef enum tir_kind {
    TIR_SECTION, // name
    TIR_NUMBER,  // name, number, value: as written
    TIR_TEXT,    // name, value: without its quotes, or a word that is not a number
    TIR_ROW,     // anything else; value: what is wrong with it as a key
} tir_kind;

typedef struct tir_line {
    tir_kind kind;
    char name[TIR_NAME_SIZE];   // as written; "" of a row. A longer one makes the line a row
    char value[TIR_VALUE_SIZE]; // shortened with "..." when long
    double number;
    int line, column; // of its first character, from 1
    int value_column; // of the value
} tir_line;

typedef struct tir_reader {
    const char *text;
    size_t size, next;
    int line;
} tir_reader;

void tir_begin(tir_reader *r, const char *text, size_t size);
bool tir_next(tir_reader *r, tir_line *out); // false: the end
