// percentiles.c - how the figures of a sweep are distributed over its runs.
#include "motorcade/sweep.h"

#include "base/file.h"
#include "sweep/axis.h"
#include "sweep/plan.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Finite values of a figure in order; NULL: none, or no memory.
static double *sorted(const mc_sweep_table *t, mc_figure_id figure, int *count)
{
    double *values = malloc((size_t)t->row_count * sizeof *values + 1);
    *count = 0;
    for (int k = 0; values && k < t->row_count; k++)
        if (isfinite(t->rows[k].value[figure]))
            values[(*count)++] = t->rows[k].value[figure];
    if (values && *count > 0)
        qsort(values, (size_t)*count, sizeof *values, ascending);
    return values;
}

// Value number share (n - 1), counted from 0, linear between two.
static double at_share(const double *values, int count, double share)
{
    const double place = fmin(fmax(share, 0.0), 1.0) * (count - 1);
    const int below = (int)fmin(floor(place), count - 1), above = below + (below < count - 1);
    return values[below] + (place - below) * (values[above] - values[below]);
}

double mc_sweep_percentile(const mc_sweep_table *t, mc_figure_id figure, double share)
{
    int count;
    double *values = sorted(t, figure, &count);
    const double value = values && count > 0 ? at_share(values, count, share) : NAN;
    free(values);
    return value;
}

mc_status mc_sweep_write_percentiles(const char *table, const char *path, mc_error *error)
{
    static const int percents[] = {1, 5, 25, 50, 75, 95, 99};
    enum { COUNT = sizeof percents / sizeof percents[0] };
    mc_sweep_table *t = mc_sweep_table_load(table, error);
    if (!t)
        return error->code;
    file_writer *out = file_writer_open(path, error);
    if (out) {
        file_print(out, "figure,unit,runs");
        for (int k = 0; k < COUNT; k++)
            file_print(out, ",p%d", percents[k]);
        file_print(out, "\n");
    }
    for (int id = 0; out && id < MC_FIGURE_COUNT; id++) {
        int count = 0;
        double *values =
            sweep_figure_of_run((mc_figure_id)id) ? sorted(t, (mc_figure_id)id, &count) : NULL;
        char number[SWEEP_NUMBER_SIZE];
        if (count > 0) {
            file_print(out, "%s,%s,%d", mc_figure_table[id].name, mc_figure_table[id].unit, count);
            for (int k = 0; k < COUNT; k++)
                file_print(out, ",%s",
                           sweep_number(at_share(values, count, percents[k] / 100.0), number));
            file_print(out, "\n");
        }
        free(values);
    }
    mc_sweep_table_free(t);
    return out ? file_writer_commit(out, error) : error->code;
}
