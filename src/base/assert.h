// assert.h - mc_assert: a programmer's mistake, checked in every build.
#pragma once

#include <stdio.h>
#include <stdlib.h>

#define mc_assert(condition)                                                                       \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: broken promise: %s\n", __FILE__, __LINE__, #condition);        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)
