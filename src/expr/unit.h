// unit.h - dimensions of quantities, for the check of formulas.
//
// A dimension is known or not: a bare number fits everywhere, "2 m" does not fit "3 s". Angles have
// no dimension. Exponents are kept in sixths, so that roots stay exact.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct expr_unit {
    bool known;
    int8_t length, mass, time; // exponents of m, kg, s, times 6
} expr_unit;

// Reads "N", "m/s^2", "N*m", "kg m^2", "deg", "km/h", "1/s", "-". factor: SI value of one such
// unit. False: not a unit; *bad is then the offset of what is not understood.
bool expr_unit_read(const char *text, int length, expr_unit *unit, double *factor, int *bad);

bool expr_unit_fits(expr_unit a, expr_unit b);      // equal, or one is not known
void expr_unit_short(expr_unit unit, char out[48]); // "N", or "kg m/s^3"; "": not known
void expr_unit_print(expr_unit unit, char out[48]); // "kg m/s^2 (N)"; "-": no dimension
