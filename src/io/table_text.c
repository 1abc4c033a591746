// table_text.c - data.asc and CSV.
#include "io/table_text.h"

#include "base/file.h"
#include "io/decimal.h"

#include <stdlib.h>
#include <string.h>

struct table_text {
    file_writer *out;
    int64_t column_count;
    int digits; // after the point; 0: CSV
    char separator;
    decimal_table decimals;
};

static table_text *open_table(const char *path, int64_t column_count, int digits, char separator,
                              mc_error *error)
{
    if (column_count < 1) {
        mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "a table needs at least one column");
        return NULL;
    }
    table_text *table = malloc(sizeof *table);
    if (!table) {
        mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory left");
        return NULL;
    }
    table->out = file_writer_open(path, error);
    if (!table->out) {
        free(table);
        return NULL;
    }
    table->column_count = column_count;
    table->digits = digits;
    table->separator = separator;
    decimal_init(&table->decimals);
    return table;
}

table_text *table_text_open_asc(const char *path, int64_t column_count, int digits, mc_error *error)
{
    if (digits < 1 || digits > DECIMAL_DIGITS_MAX) {
        mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "%d digits after the point; expected 1 to %d",
                     digits, DECIMAL_DIGITS_MAX);
        return NULL;
    }
    return open_table(path, column_count, digits, ' ', error);
}

// A field of RFC 4180: in quotes, which are doubled inside, when it holds a comma, a quote or a
// line break. Blanks at its ends are quoted too: some readers drop them.
static void write_field(file_writer *out, const char *text)
{
    const size_t length = strlen(text);
    const bool blank = length > 0 && (text[0] == ' ' || text[length - 1] == ' ');
    if (!blank && !strpbrk(text, ",\"\r\n")) {
        file_write(out, text, length);
        return;
    }
    file_write(out, "\"", 1);
    for (const char *c = text; *c; c++) {
        if (*c == '"')
            file_write(out, "\"", 1);
        file_write(out, c, 1);
    }
    file_write(out, "\"", 1);
}

table_text *table_text_open_csv(const char *path, int64_t column_count, const char *const *names,
                                mc_error *error)
{
    table_text *table = open_table(path, column_count, 0, ',', error);
    for (int64_t i = 0; table && i < column_count; i++) {
        if (i > 0)
            file_write(table->out, ",", 1);
        write_field(table->out, names[i]);
    }
    if (table)
        file_write(table->out, "\n", 1);
    return table;
}

mc_status table_text_row(table_text *table, const double *values, mc_error *error)
{
    for (int64_t i = 0; i < table->column_count; i++) {
        char *room = file_reserve(table->out, DECIMAL_SIZE + 1);
        const int length = table->digits
                               ? decimal_e(&table->decimals, room, values[i], table->digits)
                               : decimal_g17(&table->decimals, room, values[i]);
        room[length] = i + 1 < table->column_count ? table->separator : '\n';
        file_advance(table->out, (size_t)length + 1);
    }
    return file_writer_check(table->out, error);
}

mc_status table_text_close(table_text *table, mc_error *error)
{
    const mc_status status = file_writer_commit(table->out, error);
    free(table);
    return status;
}

void table_text_abandon(table_text *table)
{
    file_writer_abandon(table->out);
    free(table);
}

void table_text_hasty(table_text *table)
{
    file_writer_hasty(table->out);
}
