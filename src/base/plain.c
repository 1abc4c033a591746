// plain.c - the C locale for the time of a call.
#include "base/plain.h"

#undef snprintf
#undef vsnprintf
#undef sprintf
#undef asprintf
#undef vasprintf
#undef fprintf
#undef vfprintf
#undef sscanf
#undef strtod

#include <locale.h>

// The locale of the thread before. With glibc the C locale is a constant object: nothing is made.
static locale_t begin(void)
{
    return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

static void end(locale_t before)
{
    uselocale(before);
}

int plain_vsnprintf(char *out, size_t size, const char *format, va_list list)
{
    const locale_t before = begin();
    const int length = vsnprintf(out, size, format, list);
    end(before);
    return length;
}

int plain_vasprintf(char **out, const char *format, va_list list)
{
    const locale_t before = begin();
    const int length = vasprintf(out, format, list);
    end(before);
    return length;
}

int plain_vfprintf(FILE *out, const char *format, va_list list)
{
    const locale_t before = begin();
    const int length = vfprintf(out, format, list);
    end(before);
    return length;
}

int plain_snprintf(char *out, size_t size, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int length = plain_vsnprintf(out, size, format, list);
    va_end(list);
    return length;
}

int plain_sprintf(char *out, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const locale_t before = begin();
    const int length = vsprintf(out, format, list);
    end(before);
    va_end(list);
    return length;
}

int plain_asprintf(char **out, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int length = plain_vasprintf(out, format, list);
    va_end(list);
    return length;
}

int plain_fprintf(FILE *out, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int length = plain_vfprintf(out, format, list);
    va_end(list);
    return length;
}

int plain_sscanf(const char *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const locale_t before = begin();
    const int count = vsscanf(text, format, list);
    end(before);
    va_end(list);
    return count;
}

double plain_strtod(const char *text, char **end_of_number)
{
    return strtod_l(text, end_of_number, newlocale(LC_ALL_MASK, "C", (locale_t)0));
}
