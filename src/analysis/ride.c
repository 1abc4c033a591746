// ride.c - what columns of a run come to: extremes, mean, r.m.s.
#include "analysis/series.h"

#include <math.h>
#include <stdlib.h>

static const mc_analysis_parameter parameters[] = {
    {"column", MC_ANALYSIS_FORM_TEXTS, "", NULL, 0, 0,
     "of the file, or of a run of the mechanism; may be repeated", true},
    {"derivative", MC_ANALYSIS_FORM_WHOLE, "", "0", 0, 2,
     "of the columns: 1 of velocities, 2 of positions gives accelerations", false},
    {"set", MC_ANALYSIS_FORM_TEXTS, "", NULL, 0, 0, "mechanism: NAME=VALUE", false},
};

static void add_column(analysis *a, const char *column)
{
    analysis_series s;
    analysis_series_read(a, column, &s);
    if (a->status != MC_OK)
        return;
    analysis_differentiate(&s, (int)analysis_number(a, "derivative"));
    double low = HUGE_VAL, high = -HUGE_VAL, mean = 0.0, square = 0.0, low_at = 0.0, high_at = 0.0;
    for (int k = 0; k < s.count; k++) {
        if (s.x[k] < low)
            low = s.x[k], low_at = k / s.rate;
        if (s.x[k] > high)
            high = s.x[k], high_at = k / s.rate;
        mean += s.x[k] / s.count;
    }
    for (int k = 0; k < s.count; k++)
        square += (s.x[k] - mean) * (s.x[k] - mean) / s.count;
    const double row[] = {low, low_at, high, high_at, mean, sqrt(square)};
    analysis_row(a, column, row);
    free(s.x);
}

static void run(analysis *a)
{
    const char *column;
    analysis_table(a, "ride", "lowest|at [s]|highest|at [s]|mean|r.m.s. about it");
    for (int k = 0; a->status == MC_OK && (column = analysis_text_at(a, "column", k)); k++)
        add_column(a, column);
}

const analysis_kind analysis_ride = {
    {"ride", "a run of a mechanism, or results: extremes, mean and r.m.s. of columns", true, true,
     parameters, sizeof parameters / sizeof parameters[0], false},
    run};
