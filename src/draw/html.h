// html.h - what pages share: escaped text, numbers for readers, tables, the frame of a page.
//
// Pages are written to a FILE in memory. Nothing that comes from a file of the user's gets into a
// page but through html_text: it cannot open an element, an attribute or a script. Attributes are
// always within double quotes. A page needs nothing from elsewhere and runs no script.
#pragma once

#include <stdio.h>

void html_text(FILE *out, const char *text); // escaped; new lines and tabs stay
void html_print(FILE *out, const char *format, ...)
    __attribute__((format(printf, 2, 3))); // escaped

enum { HTML_NUMBER = 40 };

// A number as people write it: so many digits that count, a true minus sign, no power of ten
// between 0.0001 and 10 million, "–" for what is not known. Zeros at the end are kept where they
// are digits that count: 12.0 with three.
const char *html_number(double value, int digits, char buffer[HTML_NUMBER]);

// The same without trailing zeros, for values that were set: 0.5 and not 0.500.
const char *html_plain(double value, int digits, char buffer[HTML_NUMBER]);

// Head and foot of the page; title is plain text. Style and all are inside.
void html_page_begin(FILE *out, const char *title);
void html_page_end(FILE *out);

// A section with a heading; id is a word of ours.
void html_section_begin(FILE *out, const char *id, const char *heading);
void html_section_end(FILE *out);

// Cells of tables. unit "" or NULL: none; doc: shown when the pointer rests on it, "" or NULL:
// none.
void html_heading(FILE *out, const char *name, const char *unit, const char *doc, int is_number);
void html_cell(FILE *out, const char *text);
void html_cell_count(FILE *out, long count);

// Numbers of a column below each other: as many decimals for all as give the largest its digits;
// -1: each as html_number writes it.
int html_decimals(double largest, int digits);
void html_cell_fixed(FILE *out, double value, int decimals);
