// plain.h - numbers as text, whatever the locale of the host program.
//
// printf and strtod write and expect the decimal comma of the locale that the host has set, and a
// library cannot set it back. So every file of the library is compiled with this header in front
// (CMakeLists.txt, no_locale), which replaces those of the C library by functions of the
// same names and arguments: they work in the C locale, of the calling thread only, and leave
// the locale as it was. Tests and the command do not get it: they are host programs.
#pragma once

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define PLAIN_FORMAT(text, first) __attribute__((format(printf, text, first)))
int plain_snprintf(char *out, size_t size, const char *format, ...) PLAIN_FORMAT(3, 4);
int plain_vsnprintf(char *out, size_t size, const char *format, va_list list) PLAIN_FORMAT(3, 0);
int plain_sprintf(char *out, const char *format, ...) PLAIN_FORMAT(2, 3);
int plain_asprintf(char **out, const char *format, ...) PLAIN_FORMAT(2, 3);
int plain_vasprintf(char **out, const char *format, va_list list) PLAIN_FORMAT(2, 0);
int plain_fprintf(FILE *out, const char *format, ...) PLAIN_FORMAT(2, 3);
int plain_vfprintf(FILE *out, const char *format, va_list list) PLAIN_FORMAT(2, 0);
int plain_sscanf(const char *text, const char *format, ...) __attribute__((format(scanf, 2, 3)));
double plain_strtod(const char *text, char **end);

#undef snprintf
#undef vsnprintf
#undef sprintf
#undef asprintf
#undef vasprintf
#undef fprintf
#undef vfprintf
#undef sscanf
#undef strtod
#define snprintf plain_snprintf
#define vsnprintf plain_vsnprintf
#define sprintf plain_sprintf
#define asprintf plain_asprintf
#define vasprintf plain_vasprintf
#define fprintf plain_fprintf
#define vfprintf plain_vfprintf
#define sscanf plain_sscanf
#define strtod plain_strtod
