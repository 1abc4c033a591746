// unit_table.h - the rows of the table of units, and arithmetic of dimensions; for the reader of
// formulas.
#pragma once

#include "expr/unit.h"

// One unit is numerator / denominator m^length kg^mass s^time.
typedef struct expr_unit_row {
    const char *name;
    double numerator, denominator;
    int8_t length, mass, time; // whole exponents
    const char *doc;
} expr_unit_row;

const expr_unit_row *expr_unit_at(int i);                          // NULL past the end
const expr_unit_row *expr_unit_find(const char *word, int length); // NULL: not the word of a unit

// As expr_unit_read, with the factor as a quotient: value * numerator / denominator is rounded less
// than value * factor.
bool expr_unit_ratio(const char *text, int length, expr_unit *unit, double *numerator,
                     double *denominator, int *bad);

#define EXPR_UNIT_UNKNOWN ((expr_unit){false, 0, 0, 0})
#define EXPR_UNIT_PLAIN ((expr_unit){true, 0, 0, 0}) // no dimension

expr_unit expr_unit_product(expr_unit a, expr_unit b, int sign); // a b, or a / b for sign -1
expr_unit expr_unit_power(expr_unit a, double power); // not known where the result is not in sixths
bool expr_unit_is_plain(expr_unit unit);              // not known, or without dimension
