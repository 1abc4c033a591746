// cpu.h - which build of the vector code this processor can run.
//
// Vector code (*_lanes.c) is built once for every level; a kind lists one function per level and
// the choice is made when a batch is made. All levels without fused multiply-add give one set of
// bits, all with it another.
#pragma once

typedef enum cpu_level { CPU_PLAIN, CPU_AVX2, CPU_LEVEL_COUNT } cpu_level;

// The highest level this processor has; the environment variable MOTORCADE_CPU=plain lowers it.
cpu_level cpu_level_best(void);
