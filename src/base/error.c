// error.c - filling and formatting mc_error.
#include "motorcade/status.h"

#include <stdarg.h>
#include <stdio.h>

mc_status mc_error_set(mc_error *error, mc_status code, const char *file, int line, int column,
                       const char *format, ...)
{
    if (error) {
        error->code = code;
        error->line = line;
        error->column = column;
        snprintf(error->file, sizeof error->file, "%s", file ? file : "");
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return code;
}

const char *mc_error_format(const mc_error *error, char *buffer, int size)
{
    if (error->file[0] == '\0')
        snprintf(buffer, (size_t)size, "%s", error->text);
    else if (error->line <= 0)
        snprintf(buffer, (size_t)size, "%s: %s", error->file, error->text);
    else if (error->column <= 0)
        snprintf(buffer, (size_t)size, "%s:%d: %s", error->file, error->line, error->text);
    else
        snprintf(buffer, (size_t)size, "%s:%d:%d: %s", error->file, error->line, error->column,
                 error->text);
    return buffer;
}

int mc_status_exit_code(mc_status status)
{
    return status == MC_OK ? 0 : status == MC_BAD_INPUT ? 2 : 1;
}
