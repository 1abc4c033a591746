// status.h - how the library says that something went wrong.
//
// Functions that can fail because of user input or of the machine return an mc_status and fill in
// an mc_error. Nothing in the library prints or exits. A programmer's mistake (an index out of
// range, a NULL where none is allowed) is an assertion instead.
//
// Threads: functions touch nothing but their arguments and may be called from any thread.
#pragma once

#include "motorcade/begin.h"

typedef enum mc_status {
    MC_OK = 0,
    MC_BAD_INPUT,   // what the user wrote is wrong: file, option, value
    MC_FAILED,      // the run itself failed: numbers not finite, no convergence
    MC_IO,          // the system failed: file not writable, disk full
    MC_NO_MEMORY,   // allocation failed
    MC_INTERRUPTED, // stopped on request; what was written is valid
} mc_status;

typedef struct mc_error {
    mc_status code;
    char file[256];    // "" when the error is not about a file
    int line;          // from 1; 0 when it has no place
    int column;        // from 1, counted in bytes; 0 when it has no place
    char text[512];    // what is wrong and what is allowed, without place or newline
    char excerpt[160]; // the line of the place, shortened with "..." when long; "": none
    int caret;         // place in excerpt: from 1, counted in bytes; 0 when there is no excerpt
    int vehicle;       // number in the world of the vehicle it is about, from 1; 0: none
} mc_error;

// Fills *error (which may be NULL) and returns code, so that `return mc_error_set(...)` reads well.
// file may be NULL; line and column may be 0. There is no excerpt then.
mc_status mc_error_set(mc_error *error, mc_status code, const char *file, int line, int column,
                       const char *format, ...) __attribute__((format(printf, 6, 7)));

// Adds to *error (which may be NULL) the line of text around the byte at offset as its excerpt: at
// most 100 bytes, with blanks for tabs and ? for other control characters. An offset behind the end
// means the end.
void mc_error_quote(mc_error *error, const char *text, int offset);

// Writes "file:line:column: text" or "vehicle N: text", leaving out what is not known, into buffer;
// returns buffer.
const char *mc_error_format(const mc_error *error, char *buffer, int size);

// The exit code of the command for a status: 0 ok, 2 bad input, 1 everything else.
int mc_status_exit_code(mc_status status);

#include "motorcade/end.h"
