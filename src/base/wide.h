// wide.h - whether this processor has AVX-512.
//
// The kernels that most vehicles go through are then run eight lanes at a time instead of four,
// with the bits of CPU_AVX2 (base/cpu.h).
#pragma once

#include <stdbool.h>

bool cpu_is_wide(void); // MOTORCADE_CPU=avx2 or plain in the environment: false
