// pages.h - memory for large arrays that every step goes through.
//
// A processor finds the pages of a few megabytes in tables that it keeps; ten thousand cars take
// more. Pages of 2 MB instead of 4 kB cost 500 times fewer entries there. Where the system has none
// to give, the pages are small ones: only time differs.
#pragma once

#include <stddef.h>

// Memory aligned to 64 bytes, not zeroed; on large pages from about half a megabyte on, and then as
// much larger as these are. *size: what was asked for, out: what there is. NULL: there is none.
// free() frees it.
void *pages_alloc(size_t *size);
