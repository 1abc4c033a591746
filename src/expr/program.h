// program.h - a graph's outputs as straight-line code: what is run, printed and counted.
//
// A program has two parts. `prepare` computes from the parameters everything that does not vary,
// once per change of a parameter; `run` computes the outputs from the variables and what prepare
// left. Both are lists of instructions without loop or branch; each writes one value (SINCOS two)
// that is never overwritten. Products that are used once, by a sum, are fused with it.
//
//     parameters p --prepare--> prepared k        variables x, k --run--> outputs y
//
// The list fixes the order of operations and where they are fused; all ways to run it (interpreter,
// emitted C, vector code) give the same bits on one processor level.
#pragma once

#include "expr/graph.h"

// An operand: where a value is found.
typedef enum expr_place {
    EXPR_AT_NONE,
    EXPR_AT_CONST, // constants[index]
    EXPR_AT_IN,    // run: variable x[index]; prepare: parameter p[index]
    EXPR_AT_KEPT,  // run only: prepared k[index]
    EXPR_AT_TEMP,  // temporary value index
} expr_place;

typedef struct expr_operand {
    uint32_t place : 3;
    uint32_t index : 29;
} expr_operand;

typedef struct expr_instruction {
    uint8_t op;       // expr_op; CALL, SINCOS: see function
    uint8_t function; // of a CALL: expr_function
    uint16_t group;   // SINCOS and CALL: this many instructions, this one included, follow each
                      // other with the same function and do not depend on each other; else 0
    uint32_t to;      // temporary written; SINCOS writes the sine to `to`, the cosine to `to` + 1
    expr_operand a, b, c;
    expr_id node; // the node it computes, for labels; EXPR_NONE: none
} expr_instruction;

typedef struct expr_part {
    expr_instruction *code;
    int count;
    int temp_count;       // temporaries
    expr_operand *output; // run: output_count; prepare: kept_count
    int output_count;
} expr_part;

// Work of one evaluation. A fused operation counts as two flops (mul and add).
typedef struct expr_count {
    int add, mul, div, sqrt;    // flops; add includes subtractions and explicit negations
    int fused;                  // of these, pairs done by one instruction
    int select, compare, other; // min, max, abs, floor count as other
    int sincos, call;           // calls of functions; sincos apart from the others
    int flops;                  // add + mul + div + sqrt
} expr_count;

typedef struct expr_program {
    const expr_graph *graph; // names and labels; must outlive the program
    double *constants;
    int constant_count;
    int *variable;  // variable_count input indices of the graph: x[i] is input variable[i]
    int *parameter; // parameter_count: p[i] is input parameter[i]
    int variable_count, parameter_count, kept_count, output_count;
    expr_part prepare, run;
    char (*output_name)[64]; // output_count
} expr_program;

// x and p list all variables and all parameters of the graph, used or not, in the order in which
// they were added. names may be NULL (then "y0", ...). NULL: see *error.
expr_program *expr_program_build(const expr_graph *g, const expr_id *outputs,
                                 const char *const *names, int output_count, mc_error *error);
void expr_program_destroy(expr_program *p);

expr_count expr_part_count(const expr_part *part);

// Hash of everything that decides the results (not of labels).
uint64_t expr_program_hash(const expr_program *p);
