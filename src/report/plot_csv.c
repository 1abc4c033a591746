// plot_csv.c - the rows of a plot as a table.
#include "report/plot.h"

#include "draw/svg.h"
#include "base/file.h"

#include <math.h>
#include <string.h>

typedef struct csv_walk {
    const recorded *record;
    const run_choice *choice;
    file_writer *out;
} csv_walk;

// In double quotes where the name needs them; a line stays a line.
static void write_name(file_writer *out, const char *car, const recorded_quantity *q)
{
    char text[512];
    snprintf(text, sizeof text, q->file_unit[0] ? "%.300s.%.100s [%.60s]" : "%.300s.%.100s", car,
             q->name, q->file_unit);
    const bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    file_print(out, quoted ? ",\"" : ",");
    for (const char *c = text; *c; c++)
        file_print(out, *c == '"' ? "\"\"" : "%c", *c == '\n' || *c == '\r' ? ' ' : *c);
    if (quoted)
        file_print(out, "\"");
}

static void write_number(file_writer *out, double value)
{
    if (isnan(value)) // printf may give it a sign
        file_print(out, ",nan");
    else
        file_print(out, ",%.17g", value);
}

static mc_status write_block(void *context, const recorded_block *b, mc_error *error)
{
    const csv_walk *w = context;
    const run_choice *c = w->choice;
    for (int64_t i = 0; i < b->count; i++) {
        file_print(w->out, "%.17g", b->time[i]);
        for (int k = 0; k < c->car_count; k++) {
            if (c->x_quantity >= 0)
                write_number(w->out, recorded_value(b, i, c->cars[k],
                                                    &w->record->quantities[c->x_quantity]));
            for (int q = 0; q < c->quantity_count; q++)
                write_number(w->out, recorded_value(b, i, c->cars[k],
                                                    &w->record->quantities[c->quantities[q]]));
        }
        file_print(w->out, "\n");
    }
    return file_writer_check(w->out, error);
}

mc_status run_csv_write(recorded *r, const run_choice *c, const char *path, mc_error *error)
{
    csv_walk w = {r, c, file_writer_open(path, error)};
    if (!w.out)
        return error->code;
    int low = r->vehicle_count, high = 0;
    const svg_locale locale = svg_locale_begin();
    file_print(w.out, "t [s]");
    for (int k = 0; k < c->car_count; k++) {
        const int v = c->cars[k];
        low = v < low ? v : low;
        high = v > high ? v : high;
        if (c->x_quantity >= 0)
            write_name(w.out, r->names[v], &r->quantities[c->x_quantity]);
        for (int q = 0; q < c->quantity_count; q++)
            write_name(w.out, r->names[v], &r->quantities[c->quantities[q]]);
    }
    file_print(w.out, "\n");
    unsigned tables = c->x_quantity >= 0 ? 1u << r->quantities[c->x_quantity].table : 0;
    for (int q = 0; q < c->quantity_count; q++)
        tables |= 1u << r->quantities[c->quantities[q]].table;
    const recorded_part part = {c->first, c->rows, low, high - low + 1, tables};
    const mc_status status = recorded_walk(r, &part, write_block, &w, error);
    svg_locale_end(locale);
    if (status == MC_OK)
        return file_writer_commit(w.out, error);
    file_writer_abandon(w.out);
    return status;
}
