// functions_lanes.h - the function tables of the processor levels (functions_lanes.c).
#pragma once

#include "base/cpu.h"
#include "expr/function.h"

extern const expr_functions expr_functions_plain;
#if defined __x86_64__
extern const expr_functions expr_functions_avx2;
extern const expr_functions expr_functions_avx512; // the same bits, fastest for n a multiple of 8
#endif

const expr_functions *expr_functions_of(cpu_level level);
