// plot.h - parts of mc_run_plot_write (include/motorcade/report.h).
#pragma once

#include "replay/recorded.h"
#include "motorcade/report.h"

typedef struct run_choice {
    int *quantities; // of the panels
    int quantity_count;
    int x_quantity; // -1: time
    int *cars;      // vehicles, from 0, in the order they were named
    int car_count;
    bool some;           // cars were not named, and there are too many for all
    int64_t first, rows; // between from and to
} run_choice;

// plot_choice.c: what the words mean in this run. Free it also after a failure.
mc_status run_choice_read(run_choice *c, recorded *r, const mc_run_plot *plot, mc_error *error);
void run_choice_free(run_choice *c);

// plot_csv.c: all rows, all digits. Columns: t, then car by car its quantities, those of x
// first, "name.quantity [unit]".
mc_status run_csv_write(recorded *r, const run_choice *c, const char *path, mc_error *error);

// plot_png.c: an SVG text as a PNG file, by rsvg-convert.
mc_status run_png_write(const char *path, const char *svg, size_t size, mc_error *error);
