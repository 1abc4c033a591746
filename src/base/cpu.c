// cpu.c - asking the processor.
#include "base/cpu.h"

#include <stdlib.h>
#include <string.h>

cpu_level cpu_level_best(void)
{
    const char *choice = getenv("MOTORCADE_CPU");
    if (choice && strcmp(choice, "plain") == 0)
        return CPU_PLAIN;
#if defined __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return CPU_AVX2;
#endif
    return CPU_PLAIN;
}
