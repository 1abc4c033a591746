// emit_plan.h - what the emitters of all languages share: which instructions matter, where the code
// is cut, which values cross a cut, what everything is called, and the walk over it.
//
// A value that crosses a cut has a slot in the work array. A slot is free again for values made in
// a piece after the last one that reads it, so the array stays about as long as the largest number
// of values that are alive at a cut.
#pragma once

#include "codegen/emit.h"
#include "expr/function.h"

// A set of words; letters of both cases are the same (Fortran).
typedef struct emit_words {
    char **word; // open addressing, NULL: free
    size_t capacity, count;
} emit_words;

typedef struct emit_names {
    emit_words taken;
    char **variable, **parameter; // of x[i] and p[i]
} emit_names;

// name: the prefix; its functions' names are taken. False: no memory.
bool emit_names_create(emit_names *n, const expr_program *p, const char *name);
void emit_names_destroy(emit_names *n);

enum { EMIT_NAME_SIZE = 80 };

typedef struct emit_plan {
    const expr_program *program;
    const expr_part *part;
    const emit_names *names;  // NULL: plain
    char *const *in_name;     // of this part's inputs; NULL: plain
    bool *live;               // [instruction] some output depends on it
    bool *used;               // [temporary] read by a live instruction or an output
    int *maker;               // [temporary] instruction that writes it
    int *piece_of;            // [temporary] piece in which it is written
    int *slot;                // [temporary] place in the work array, -1: stays in its piece
    int *first_output;        // [temporary] first output that is this value, -1: none
    int *next_output;         // [output] next output with the same value, -1: none
    int *seen_temp, *seen_in; // last piece that has read it in
    int *begin;               // [piece_count + 1] first instruction of a piece
    int in_count, piece_count, slot_count;
    bool uses_in, uses_kept, uses_functions; // by the part as a whole
} emit_plan;

mc_status emit_plan_create(emit_plan *plan, const expr_program *p, const expr_part *part,
                           const emit_names *names, int piece, mc_error *error);
void emit_plan_destroy(emit_plan *plan);

// What a language does on the walk through a piece, in the order of the code.
typedef struct emit_visitor {
    void *context;
    // An input or a value of an earlier piece is first used here.
    void (*bring)(void *context, expr_operand value);
    void (*compute)(void *context, const expr_instruction *i);
    // count live instructions, all SINCOS or all CALLs of one function.
    void (*call)(void *context, const expr_instruction *const *i, int count);
    void (*keep)(void *context, uint32_t temp, int slot); // used by a later piece
    void (*output)(void *context, int output, expr_operand value);
} emit_visitor;

// False: no memory.
bool emit_walk(emit_plan *plan, int piece, const emit_visitor *visitor);

// Name of a temporary: its label and number, or "t" and number.
void emit_temp_name(const emit_plan *plan, uint32_t temp, char out[EMIT_NAME_SIZE]);

// Sine and cosine are both calls of sincos; else the row of the list of emit_function_at.
typedef struct emit_function {
    const char *field;  // of expr_functions
    int function;       // expr_function; -1: sincos
    int arity, results; //
} emit_function;

extern const emit_function emit_functions[]; // in the order of expr_functions
extern const int emit_function_count;
const emit_function *emit_function_of(const expr_instruction *i);

// Adds a format in which $a, $b and $c stand for operands, written by `operand`.
void emit_substitute(expr_text *t, const char *format, const expr_instruction *i,
                     void (*operand)(void *context, expr_text *t, expr_operand value),
                     void *context);

// Adds free text as comment lines that start with `lead`: printable ASCII, no comment mark, no
// backslash, no trigraph, at most 100 columns.
void emit_comment(expr_text *t, const char *lead, const char *text);

// The languages.
mc_status emit_c(const expr_program *p, const expr_emit_options *o, const char *name, int piece,
                 expr_text *out, mc_error *error);
mc_status emit_fortran(const expr_program *p, const expr_emit_options *o, const char *name,
                       int piece, expr_text *out, mc_error *error);
