// fuzz.h - the entry point of a fuzz target: any bytes in, no crash, no broken promise.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Returns 0. Called many times in one process: free everything, but keep what takes long to make.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Called once, before libFuzzer reads its options.
int LLVMFuzzerInitialize(int *argc, char ***argv);

// For targets that keep something from one input to the next: libFuzzer would take it for a leak,
// run the input a second time and look through all memory. LeakSanitizer still looks at the end.
#define FUZZ_KEEPS_SOMETHING                                                                       \
    int LLVMFuzzerInitialize(int *argc, char ***argv)                                              \
    {                                                                                              \
        static char option[] = "-detect_leaks=0", *all[64];                                        \
        int count = 0;                                                                             \
        all[count++] = (*argv)[0];                                                                 \
        all[count++] = option; /* first, so that the user's own comes later and wins */            \
        for (int k = 1; k < *argc && count < 63; k++)                                              \
            all[count++] = (*argv)[k];                                                             \
        *argc = count;                                                                             \
        *argv = all;                                                                               \
        return 0;                                                                                  \
    }
