// wire.h - messages between a run and the process in which a unit runs.
//
// Both are on one machine and of one build, so that structs go over the socket as they are: a head,
// then `size` bytes. The run asks, the host (src/unit_host) answers every call once, and ends when
// the socket is closed.
//
//     call           body                                         answer
//     WIRE_OPEN      wire_open, then wire_variable[] of inputs,    nothing
//                    outputs, starts
//     WIRE_BEGIN     t, values of starts, values of inputs         values of outputs
//     WIRE_STEP      t, length, values of inputs                   values of outputs
//     WIRE_SAVE      nothing                                       the state as bytes
//     WIRE_RESTORE   the state as bytes                            values of outputs
//     WIRE_CLOSE     nothing                                       nothing
#pragma once

#include <stdint.h>

enum { WIRE_SOCKET = 3, WIRE_PATH = 1024, WIRE_TEXT = 1024, WIRE_TOKEN = 512 };
static const uint32_t WIRE_MARK = 0x6d637531; // "mcu1"
static const uint64_t WIRE_SIZE_MAX = 256u << 20;

typedef enum wire_call {
    WIRE_OPEN = 1,
    WIRE_BEGIN,
    WIRE_STEP,
    WIRE_SAVE,
    WIRE_RESTORE,
    WIRE_CLOSE,
} wire_call;

typedef enum wire_answer {
    WIRE_DONE,
    WIRE_FAILED, // the body says why
} wire_answer;

typedef struct wire_head {
    uint32_t mark, what; // wire_call, wire_answer
    uint64_t size;       // of the body
} wire_head;

// Types of variables, whatever the version of FMI; on the wire all are doubles.
typedef enum wire_type {
    WIRE_FLOAT64, // Real of FMI 2.0
    WIRE_FLOAT32,
    WIRE_INT8,
    WIRE_UINT8,
    WIRE_INT16,
    WIRE_UINT16,
    WIRE_INT32, // Integer of FMI 2.0; Enumeration of both but 64 bits in 3.0
    WIRE_UINT32,
    WIRE_INT64,
    WIRE_UINT64,
    WIRE_BOOLEAN,
    WIRE_OTHER, // text, binary, clocks: cannot be connected
} wire_type;

typedef struct wire_variable {
    uint32_t reference, type;
} wire_variable;

typedef struct wire_open {
    int32_t version;  // of FMI: 2 or 3
    int32_t exchange; // model exchange: the host integrates
    int32_t input_count, output_count, start_count;
    char library[WIRE_PATH], resources[WIRE_PATH];
    char folder[WIRE_PATH]; // of the unpacked unit: removed when the run was killed
    char token[WIRE_TOKEN], name[128];
} wire_open;
