// pages.c - large pages by madvise.
#include "base/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { LINE = 64, LARGE = 1 << 21, FROM = 1 << 19 };

static size_t whole(size_t size, size_t unit)
{
    return (size + unit - 1) / unit * unit;
}

void *pages_alloc(size_t *size)
{
    if (*size > SIZE_MAX / 2)
        return NULL;
    if (*size < FROM) {
        *size = whole(*size + 1, LINE); // at least one
        return aligned_alloc(LINE, *size);
    }
    *size = whole(*size, LARGE);
    void *block = aligned_alloc(LARGE, *size);
#if defined MADV_HUGEPAGE
    if (block)
        madvise(block, *size, MADV_HUGEPAGE); // a hint: small pages do, too
#endif
    return block;
}
