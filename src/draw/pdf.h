// pdf.h - a page of html.h as a PDF on A4.
//
// The same content in the same order, laid out for paper: tables are as wide as a sheet and repeat
// their heads, figures stay vectors, sections are bookmarks. What the page keeps closed (long lists
// of all cars, models) is named and not printed.
#pragma once

#include "motorcade/status.h"

#include <stddef.h>

// html: a whole page. The bytes of the PDF, to be freed with free(); NULL: error says why.
char *pdf_from_html(const char *html, const char *title, size_t *size, mc_error *error);
