// allocations.c - loaded in front of a program (LD_PRELOAD): the k-th allocation fails.
//
// FAULT_AT     k, counted from 1; 0 or absent: none fails
// FAULT_COUNT  file that gets the number of allocations when the program ends
//
// Allocations count whose caller is the program or a library that reports a failure. GLib and what
// is built on it end the process by design when memory runs out, and the HDF5 library (1.10) and
// libfyaml (0.7) follow null pointers: their allocations do not count.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

enum { RANGES_MAX = 64 };
static struct {
    size_t start, end;
} range[RANGES_MAX]; // code whose allocations count
static int range_count;
static bool ready;
static atomic_long calls;
static long fault_at;
static char count_path[512];

static int add_ranges(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size, (void)context;
    static const char *const counted[] = {"libjansson", "libwebsockets"};
    bool counts = info->dlpi_name[0] == '\0'; // the program
    for (size_t k = 0; k < sizeof counted / sizeof counted[0]; k++)
        counts |= strstr(info->dlpi_name, counted[k]) != NULL;
    for (int k = 0; counts && k < info->dlpi_phnum && range_count < RANGES_MAX; k++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[k];
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
            continue;
        range[range_count].start = info->dlpi_addr + p->p_vaddr;
        range[range_count++].end = info->dlpi_addr + p->p_vaddr + p->p_memsz;
    }
    return 0;
}

__attribute__((constructor)) static void start(void)
{
    const char *at = getenv("FAULT_AT"), *path = getenv("FAULT_COUNT");
    fault_at = at ? atol(at) : 0;
    snprintf(count_path, sizeof count_path, "%s", path ? path : "");
    unsetenv("LD_PRELOAD"); // not for the programs that this one starts
    dl_iterate_phdr(add_ranges, NULL);
    ready = true;
}

__attribute__((destructor)) static void finish(void)
{
    char text[32];
    const int file = count_path[0] ? open(count_path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    const int length = snprintf(text, sizeof text, "%ld\n", atomic_load(&calls));
    if (file >= 0 && write(file, text, (size_t)length) == length)
        close(file);
}

static bool fails(const void *caller)
{
    if (!ready)
        return false;
    const size_t place = (size_t)caller;
    for (int k = 0; k < range_count; k++)
        if (place >= range[k].start && place < range[k].end) {
            if (atomic_fetch_add(&calls, 1) + 1 != fault_at)
                return false;
            errno = ENOMEM;
            return true;
        }
    return false;
}

#define CALLER __builtin_return_address(0)

void *malloc(size_t size)
{
    return fails(CALLER) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(CALLER) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails(CALLER) ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(CALLER) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    if (fails(CALLER))
        return ENOMEM;
    *out = __libc_memalign(alignment, size);
    return *out ? 0 : ENOMEM;
}

char *strdup(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = fails(CALLER) ? NULL : __libc_malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

char *strndup(const char *text, size_t length)
{
    const size_t size = strnlen(text, length);
    char *copy = fails(CALLER) ? NULL : __libc_malloc(size + 1);
    if (copy) {
        memcpy(copy, text, size);
        copy[size] = '\0';
    }
    return copy;
}
