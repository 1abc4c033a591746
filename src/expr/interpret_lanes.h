// interpret_lanes.h - bytecode of the interpreter, shared by translator and runner.
//
// A frame is the work memory of one evaluation, seen as bytes. From its start:
//     shared   constants, then prepared values: one for all lanes
//     inputs   variables (prepare: parameters)
//     slots    temporaries; a slot is used again when its value is no longer needed
//     gather   arguments and results of grouped calls
// A step names its operands by their offset in the frame, so it need not know what they are. How
// large a value is depends on the width: one double; one block of four lanes; or four blocks, done
// in one go so that the cost of finding the next step is shared by 16 lanes.
#pragma once

#include "expr/function.h"

typedef enum machine_width {
    MACHINE_ONE,
    MACHINE_BLOCK,
    MACHINE_BLOCKS,
    MACHINE_WIDTHS
} machine_width;

enum {
    MACHINE_BLOCKS_COUNT = 4, // blocks done in one go
    MACHINE_CALL_MAX = 16,    // calls gathered at most
    MACHINE_END = EXPR_OP_COUNT,
    MACHINE_OP_COUNT,
};

// A shared value is 4 lanes wide at every width but MACHINE_ONE, and the same four lanes are used
// for all blocks; what differs from block to block is marked by MACHINE_MOVES added to its offset.
enum { MACHINE_MOVES = 1 };

// Steps with the same operation stand together as far as the program allows, and the first of them
// says how many: one branch then serves them all. For the same reason a b, a + b and a - b are
// written a b + (-0), a 1 + b and b (-1) + a, which have the same bits: nearly all of a program is
// then one operation.
//
// A call is a head (count, to: function) followed by count steps that hold its operands.
typedef struct machine_step {
    uint16_t op;          // expr_op but ADD, SUB, MUL; or MACHINE_END
    uint16_t count;       // of equal operations from here on; of a call: how many
    uint32_t to, a, b, c; // offsets in bytes
} machine_step;

typedef struct machine_part {
    int constant_count, kept_count, input_count, slot_count, output_count;
    const double *constants;
    machine_step *code[MACHINE_WIDTHS];
    uint32_t *output[MACHINE_WIDTHS]; // offsets of the outputs
    uint32_t gather[MACHINE_WIDTHS];  // offset of the gather area
} machine_part;

typedef void machine_run_one(const machine_part *part, const expr_functions *f, const double *x,
                             const double *k, double *y, double *work);
typedef void machine_run_lanes(const machine_part *part, const expr_functions *f, int block_count,
                               const double *x, const double *k, double *y, double *work);

extern machine_run_one machine_run_one_plain;
extern machine_run_lanes machine_run_lanes_plain;
#if defined __x86_64__
extern machine_run_one machine_run_one_avx2;
extern machine_run_lanes machine_run_lanes_avx2;
#endif
