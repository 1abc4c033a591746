// watch.c - a flag that ends a long computation.
#include "motorcade/watch.h"

#include <stdatomic.h>

bool mc_watch_flag(void *context)
{
    _Static_assert(sizeof(atomic_int) == sizeof(int), "a plain int of another language");
    return atomic_load_explicit((atomic_int *)context, memory_order_relaxed) != 0;
}
