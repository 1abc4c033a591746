// fuzz.h - the entry point of a fuzz target: any bytes in, no crash, no broken promise.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Returns 0. Called many times in one process: keep no state, free everything.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
