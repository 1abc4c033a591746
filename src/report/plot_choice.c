// plot_choice.c - names of quantities, cars and times to numbers of the record.
#include "report/plot.h"

#include "base/text.h"
#include "motorcade/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CARS_USUAL = 24, WORD = 128 };

static mc_status no_memory(const recorded *r, mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, r->path, 0, 0, "no memory left");
}

// The next word of a list with commas, without blanks around it; moves *list on. False at the end.
static bool next_word(const char **list, char word[WORD])
{
    if (!*list)
        return false;
    const char *begin = *list;
    const size_t whole = strcspn(begin, ",");
    *list = begin[whole] == ',' ? begin + whole + 1 : NULL;
    size_t length = whole;
    while (length > 0 && (*begin == ' ' || *begin == '\t'))
        begin++, length--;
    while (length > 0 && (begin[length - 1] == ' ' || begin[length - 1] == '\t'))
        length--;
    snprintf(word, WORD, "%.*s", (int)(length < WORD ? length : WORD - 1), begin);
    return true;
}

// ---- quantities ----

static mc_status unknown_quantity(const recorded *r, const char *option, const char *word,
                                  mc_error *error)
{
    const char **names = calloc((size_t)r->quantity_count + 1, sizeof *names);
    if (!names)
        return no_memory(r, error);
    char list[300] = "";
    size_t n = 0;
    names[0] = "t";
    for (int i = 0; i < r->quantity_count; i++) {
        names[i + 1] = r->quantities[i].name;
        if (n < sizeof list - 1)
            n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", i ? ", " : "", names[i + 1]);
    }
    const bool x = strcmp(option, "--x") == 0;
    const char *near = text_nearest(word, names + (x ? 0 : 1), r->quantity_count + x);
    mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                 "option %s: the run has no quantity \"%s\"%s%s; it has %s%s%s", option, word,
                 near ? ", did you mean " : "", near ? near : "", x ? "t, " : "", list,
                 n >= sizeof list ? "..." : "");
    free(names);
    return MC_BAD_INPUT;
}

static mc_status read_quantities(run_choice *c, const recorded *r, const mc_run_plot *plot,
                                 mc_error *error)
{
    char word[WORD];
    c->quantities = calloc(MC_PLOT_PANEL_MAX, sizeof *c->quantities);
    if (!c->quantities)
        return no_memory(r, error);
    for (const char *list = plot->y; next_word(&list, word);) {
        const int q = recorded_find(r, word);
        if (q < 0)
            return unknown_quantity(r, "--y", word, error);
        for (int i = 0; i < c->quantity_count; i++)
            if (c->quantities[i] == q)
                return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                    "option --y: \"%s\" is given twice", word);
        if (c->quantity_count == MC_PLOT_PANEL_MAX)
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "option --y: more than %d quantities; draw them in several plots",
                                MC_PLOT_PANEL_MAX);
        c->quantities[c->quantity_count++] = q;
    }
    c->x_quantity = -1;
    if (plot->x && strcmp(plot->x, "t") != 0) {
        c->x_quantity = recorded_find(r, plot->x);
        if (c->x_quantity < 0)
            return unknown_quantity(r, "--x", plot->x, error);
    }
    return MC_OK;
}

// ---- cars ----

static mc_status add_car(run_choice *c, const recorded *r, int vehicle, mc_error *error)
{
    for (int i = 0; i < c->car_count; i++)
        if (c->cars[i] == vehicle)
            return MC_OK; // 1-4,2 is 1-4
    if (c->car_count == MC_PLOT_CURVE_MAX)
        return mc_error_set(
            error, MC_BAD_INPUT, NULL, 0, 0,
            "option --cars: more than %d cars, too many for one plot; choose fewer of the %d",
            MC_PLOT_CURVE_MAX, r->vehicle_count);
    c->cars[c->car_count++] = vehicle;
    return MC_OK;
}

static int find_name(const recorded *r, const char *word)
{
    for (int i = 0; i < r->vehicle_count; i++)
        if (strcmp(r->names[i], word) == 0)
            return i;
    return -1;
}

// "3" or "3-8": two numbers, the same twice for one. False: neither.
static bool read_range(const char *word, int range[2])
{
    char copy[WORD];
    snprintf(copy, sizeof copy, "%s", word);
    char *dash = strchr(copy + (copy[0] != '\0'), '-');
    if (dash)
        *dash = '\0';
    if (!text_to_int(copy, &range[0]))
        return false;
    range[1] = range[0];
    return !dash || text_to_int(dash + 1, &range[1]);
}

static mc_status add_word(run_choice *c, const recorded *r, const char *word, mc_error *error)
{
    const int named = find_name(r, word);
    int range[2];
    if (named >= 0)
        return add_car(c, r, named, error);
    if (!read_range(word, range)) {
        const char *near = text_nearest(word, r->names, r->vehicle_count);
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                            "option --cars: the run has no car \"%s\"%s%s; expected numbers 1 to "
                            "%d, ranges (1-4) or names",
                            word, near ? ", did you mean " : "", near ? near : "",
                            r->vehicle_count);
    }
    if (range[0] > range[1])
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "option --cars: the range \"%s\" is reversed; write %d-%d", word,
                            range[1], range[0]);
    if (range[0] < 1 || range[1] > r->vehicle_count)
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                            "option --cars: \"%s\" is out of range; the run has cars 1 to %d", word,
                            r->vehicle_count);
    mc_status status = MC_OK;
    for (int v = range[0]; v <= range[1] && status == MC_OK; v++)
        status = add_car(c, r, v - 1, error);
    return status;
}

static mc_status read_cars(run_choice *c, const recorded *r, const mc_run_plot *plot,
                           mc_error *error)
{
    char word[WORD];
    mc_status status = MC_OK;
    c->cars = calloc(MC_PLOT_CURVE_MAX, sizeof *c->cars);
    if (!c->cars)
        return no_memory(r, error);
    if (plot->cars) {
        for (const char *list = plot->cars; status == MC_OK && next_word(&list, word);)
            status = add_word(c, r, word, error);
        return status;
    }
    const int n = r->vehicle_count;
    c->some = n > CARS_USUAL;
    c->car_count = c->some ? CARS_USUAL : n;
    for (int i = 0; i < c->car_count; i++)
        c->cars[i] = c->some ? (int)((long)i * (n - 1) / (CARS_USUAL - 1)) : i;
    return MC_OK;
}

// ---- times ----

static mc_status read_times(run_choice *c, const recorded *r, const mc_run_plot *plot,
                            mc_error *error)
{
    const double start = r->time[0], end = r->time[r->row_count - 1];
    const double from = isnan(plot->from) ? start : plot->from;
    const double to = isnan(plot->to) ? end : plot->to;
    if (from > to)
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                            "no time between %g s and %g s; the run goes from %g s to %g s", from,
                            to, start, end);
    c->first = recorded_row_at(r, from);
    c->rows = recorded_row_at(r, nextafter(to, HUGE_VAL)) - c->first;
    if (c->rows < 1)
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                            "no row between %g s and %g s; the run goes from %g s to %g s", from,
                            to, start, end);
    return MC_OK;
}

mc_status run_choice_read(run_choice *c, recorded *r, const mc_run_plot *plot, mc_error *error)
{
    *c = (run_choice){.x_quantity = -1};
    mc_status status = read_quantities(c, r, plot, error);
    if (status == MC_OK)
        status = read_cars(c, r, plot, error);
    return status == MC_OK ? read_times(c, r, plot, error) : status;
}

void run_choice_free(run_choice *c)
{
    free(c->quantities);
    free(c->cars);
    *c = (run_choice){0};
}
