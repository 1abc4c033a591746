// parse.h - formulas in ordinary notation, read into a graph.
//
//     2.5 kN * (1 - v/30 m/s)^2 + if(gap < 1 m, 4000, 0)
//     clamp(k*(L - L0) + c*rate, 0, 20e3)         table(v; 0, 0; 10, 3.5; 30, 4)
//     [0, 0, -m*g] + cross(a, b)                   norm(p.position - q.position)
//
// Operators by rising strength: or; and; not; < <= > >= == !=; + -; * /; unary -; ^ (to the right).
// A number may be followed by a unit, after a blank or not; units are converted to SI. A value is a
// scalar or a vector of three; + - act on equals, * scales a vector; dot, cross, norm, component
// by .x .y .z. `if(c, a, b)`, min, max, tables and comparisons become selects: both sides are
// evaluated, nothing branches. Names are words joined by points: wheel_fl.angle.
//
// The names a formula may use are given by the caller. Dimensions are checked where they are known
// (unit.h). An error names file, line and column, quotes the line and puts a caret under the place.
#pragma once

#include "expr/graph.h"
#include "expr/unit.h"

typedef struct expr_value {
    expr_id v[3];
    int size; // 1 or 3
    expr_unit unit;
} expr_value;

typedef struct expr_scope {
    expr_graph *graph;
    void *context;
    // False: no such name.
    bool (*resolve)(void *context, const char *name, expr_value *out);
    // All names, for "did you mean": name number i, NULL past the end. May be NULL.
    const char *(*name_at)(void *context, int i);
} expr_scope;

typedef struct expr_source {
    const char *text; // the formula, ends with '\0'
    const char *file; // "" or NULL: not from a file
    int line, column; // where text begins in the file; 0: unknown
} expr_source;

// Reads one formula. want_size 0: scalar or vector, else that; want_unit: what the result is used
// as (known = false: anything).
mc_status expr_parse(const expr_scope *scope, const expr_source *source, int want_size,
                     expr_unit want_unit, expr_value *out, mc_error *error);

// Whether a formula is only one number with an optional unit: then its SI value.
mc_status expr_parse_number(const expr_source *source, expr_unit want_unit, double *value,
                            bool *is_number, mc_error *error);

// Whether word can be the name of something: letters, digits, '_', joined by points, not a
// function, operator word or constant of the language, at most 63 long.
bool expr_name_valid(const char *word, const char **why);
