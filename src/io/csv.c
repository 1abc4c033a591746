// csv.c - the reader: one pass to count, one to convert.
#include "io/csv.h"

#include "base/file.h"
#include "base/text.h"

#include <string.h>

typedef struct reader {
    arena *a;
    const char *name;
    mc_error *error;
    csv *out;
    int line;
} reader;

static mc_status fail(const reader *r, const char *line_start, const char *at, const char *what,
                      const char *shown)
{
    const int column = at ? (int)(at - line_start) + 1 : 0;
    if (shown)
        return mc_error_set(r->error, MC_BAD_INPUT, r->name, r->line, column, what, shown);
    return mc_error_set(r->error, MC_BAD_INPUT, r->name, r->line, column, "%s", what);
}

// Next line as a string; NULL at the end. The line end becomes '\0'.
static char *next_line(char **at, char *end)
{
    if (*at >= end)
        return NULL;
    char *line = *at;
    char *stop = memchr(line, '\n', (size_t)(end - line));
    if (!stop)
        stop = end;
    *at = stop + 1;
    if (stop > line && stop[-1] == '\r')
        stop[-1] = '\0';
    *stop = '\0';
    return line;
}

static bool is_empty(const char *line)
{
    line += strspn(line, " \t");
    return !*line || *line == '#';
}

// Cuts the next cell out of a line: its text without blanks and quotes, '\0' at its end.
static char *next_cell(char **at)
{
    char *cell = *at + strspn(*at, " \t");
    char *stop = cell;
    if (*cell == '"') {
        cell++;
        stop = strchr(cell, '"');
        if (!stop)
            return NULL;
        *stop++ = '\0';
        stop += strspn(stop, " \t");
        if (*stop && *stop != ',')
            return NULL;
        *at = *stop ? stop + 1 : NULL;
        return cell;
    }
    stop += strcspn(stop, ",");
    *at = *stop ? stop + 1 : NULL;
    *stop = '\0';
    for (char *last = stop; last > cell && (last[-1] == ' ' || last[-1] == '\t');)
        *--last = '\0';
    return cell;
}

static mc_status read_header(reader *r, char *line)
{
    const char *start = line;
    int count = 1;
    for (const char *c = line; *c; c++)
        count += *c == ',';
    if (count > CSV_COLUMN_MAX)
        return fail(r, start, NULL, "more than 10000 columns", NULL);
    if (count == 1 && strchr(line, ';'))
        return fail(r, start, strchr(line, ';'),
                    "columns are separated by commas here, not by semicolons", NULL);
    r->out->names = arena_alloc(r->a, (size_t)count * sizeof *r->out->names);
    if (!r->out->names)
        return mc_error_set(r->error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the table");
    for (char *at = line; at;) {
        char *before = at;
        char *cell = next_cell(&at);
        if (!cell)
            return fail(r, start, before, "a quoted name must end with \" before the comma", NULL);
        if (!*cell)
            return fail(r, start, cell, "a column without a name", NULL);
        if (strlen(cell) > CSV_NAME_MAX)
            return fail(r, start, cell, "a name of more than 120 characters", NULL);
        for (int k = 0; k < r->out->column_count; k++)
            if (strcmp(r->out->names[k], cell) == 0)
                return fail(r, start, cell, "two columns are called \"%s\"", cell);
        r->out->names[r->out->column_count] = arena_copy_text(r->a, cell, strlen(cell));
        if (!r->out->names[r->out->column_count++])
            return mc_error_set(r->error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the table");
    }
    return MC_OK;
}

static mc_status read_row(reader *r, char *line, double *values)
{
    const char *start = line;
    char *at = line;
    const int columns = r->out->column_count;
    for (int k = 0; k < columns; k++) {
        if (!at)
            return mc_error_set(r->error, MC_BAD_INPUT, r->name, r->line, 0,
                                "%d values, but the header names %d columns", k, columns);
        char *before = at;
        char *cell = next_cell(&at);
        if (!cell || !text_to_double(cell, &values[k])) {
            char shown[48];
            const char *text = cell ? cell : before;
            const size_t length = strlen(text);
            memcpy(shown, text, length < 40 ? length + 1 : 40);
            if (length >= 40)
                memcpy(shown + 37, "...", 4);
            return mc_error_set(r->error, MC_BAD_INPUT, r->name, r->line, (int)(text - start) + 1,
                                "column %s: \"%s\" is not a number (12, -0.5, 1.2e-3)",
                                r->out->names[k], shown);
        }
    }
    if (at)
        return mc_error_set(r->error, MC_BAD_INPUT, r->name, r->line, (int)(at - start) + 1,
                            "more values than the %d columns of the header (a decimal comma?)",
                            columns);
    return MC_OK;
}

mc_status csv_parse(arena *a, char *bytes, size_t size, const char *name, csv *out, mc_error *error)
{
    *out = (csv){0};
    reader r = {a, name, error, out, 0};
    if (memchr(bytes, '\0', size))
        return mc_error_set(error, MC_BAD_INPUT, name, 0, 0,
                            "not a text file: it contains a zero byte");
    int lines = 1;
    for (size_t k = 0; k < size; k++)
        lines += bytes[k] == '\n';
    char *at = bytes, *end = bytes + size, *line;
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
        at += 3; // the mark some spreadsheets begin with
    do {
        line = next_line(&at, end);
        r.line++;
    } while (line && is_empty(line));
    if (!line)
        return mc_error_set(
            error, MC_BAD_INPUT, name, 0, 0,
            "the file is empty; expected a header line with the names of the columns");
    mc_status status = read_header(&r, line);
    if (status != MC_OK)
        return status;
    const size_t rows = (size_t)(lines - r.line) + 1;
    out->values = arena_alloc(a, rows * (size_t)out->column_count * sizeof *out->values);
    out->line = arena_alloc(a, rows * sizeof *out->line);
    if (!out->values || !out->line)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the table");
    while (status == MC_OK && (line = next_line(&at, end))) {
        r.line++;
        if (is_empty(line))
            continue;
        out->line[out->row_count] = r.line;
        status =
            read_row(&r, line, out->values + (size_t)out->row_count * (size_t)out->column_count);
        out->row_count++;
    }
    return status;
}

mc_status csv_read(arena *a, const char *path, csv *out, mc_error *error)
{
    char *bytes;
    size_t size;
    const mc_status status = file_read(a, path, 0, &bytes, &size, error);
    return status == MC_OK ? csv_parse(a, bytes, size, path, out, error) : status;
}
