// wide.c - asking the processor for AVX-512.
#include "base/wide.h"
#include "base/cpu.h"

#include <stdlib.h>
#include <string.h>

bool cpu_is_wide(void)
{
    const char *choice = getenv("MOTORCADE_CPU");
    if (choice && strcmp(choice, "avx2") == 0)
        return false;
#if defined __x86_64__
    return cpu_level_best() == CPU_AVX2 && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}
