// alone.c - what static libraries inside the binary of a unit ask of others that stay outside.
//
// LAPACK is Fortran: it joins words through Fortran's run-time library, and stops the program
// through xerbla on a wrong argument. libfyaml is not compiled for shared objects and reaches for
// stdin, stdout and stderr directly; the linker (--wrap) turns these into the pointers below.
#include <stdio.h>
#include <string.h>

extern FILE *__real_stdin, *__real_stdout, *__real_stderr;
extern FILE *__wrap_stdin, *__wrap_stdout, *__wrap_stderr;
FILE *__wrap_stdin, *__wrap_stdout, *__wrap_stderr;

__attribute__((constructor)) static void take_streams(void)
{
    __wrap_stdin = __real_stdin;
    __wrap_stdout = __real_stdout;
    __wrap_stderr = __real_stderr;
}

void _gfortran_concat_string(size_t size, char *to, size_t first_size, const char *first,
                             size_t second_size, const char *second);
void xerbla_(const char *routine, const int *argument, size_t routine_size);

static size_t put(char *to, size_t at, size_t size, const char *from, size_t count)
{
    const size_t fits = count < size - at ? count : size - at;
    memcpy(to + at, from, fits);
    return at + fits;
}

// Padded with blanks.
void _gfortran_concat_string(size_t size, char *to, size_t first_size, const char *first,
                             size_t second_size, const char *second)
{
    size_t at = put(to, 0, size, first, first_size);
    at = put(to, at, size, second, second_size);
    memset(to + at, ' ', size - at);
}

// A wrong argument is a programmer's mistake; the caller sees it in `info`.
void xerbla_(const char *routine, const int *argument, size_t routine_size)
{
    (void)routine, (void)argument, (void)routine_size;
}
