// csv.c - rows of one object as text.
#include "record/csv.h"

#include "io/table_text.h"

#include <stdlib.h>
#include <string.h>

struct record_csv {
    table_text *text;
    int column_count;
    double row[]; // t and the columns
};

record_csv *record_csv_open(const char *path, const results_column *columns, int column_count,
                            mc_error *error)
{
    const size_t n = (size_t)column_count + 1;
    record_csv *csv = calloc(1, sizeof *csv + n * sizeof csv->row[0]);
    const char **names = malloc(n * sizeof *names);
    if (csv && names) {
        csv->column_count = column_count;
        names[0] = "t";
        for (int k = 0; k < column_count; k++)
            names[k + 1] = columns[k].name;
        csv->text = table_text_open_csv(path, (int64_t)n, names, error);
    } else {
        mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory left");
    }
    free(names);
    if (csv && csv->text) {
        table_text_hasty(csv->text); // there is one per vehicle, and a sync takes 10 ms
        return csv;
    }
    free(csv);
    return NULL;
}

mc_status record_csv_row(record_csv *csv, double time, const double *values, mc_error *error)
{
    csv->row[0] = time;
    memcpy(csv->row + 1, values, (size_t)csv->column_count * sizeof *values);
    return table_text_row(csv->text, csv->row, error);
}

mc_status record_csv_close(record_csv *csv, bool keep, mc_error *error)
{
    mc_status status = MC_OK;
    if (!csv)
        return MC_OK;
    if (keep)
        status = table_text_close(csv->text, error);
    else
        table_text_abandon(csv->text);
    free(csv);
    return status;
}
