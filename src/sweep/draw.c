// draw.c - the table of a sweep as a picture: curves over one axis, maps over two.
#include "motorcade/sweep.h"

#include "base/arena.h"
#include "base/text.h"
#include "draw/svg.h"
#include "motorcade/plot.h"
#include "sweep/axis.h"
#include "sweep/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIGURES_MAX = 12, CELLS_UNEVEN = 720 };

typedef struct drawing {
    const mc_sweep_table *table;
    mc_figure_id figures[FIGURES_MAX];
    int figure_count;
    char caption[400];
    arena memory;
} drawing;

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the picture");
}

// ---- what is drawn ----

mc_status mc_sweep_check_figure(const char *name, mc_error *error)
{
    const mc_figure_id id = mc_figure_find(name);
    if (id != MC_FIGURE_COUNT && sweep_figure_of_run(id))
        return MC_OK;
    if (id != MC_FIGURE_COUNT)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "the figure \"%s\" is for single cars; a sweep needs one of the run",
                            name);
    const char *known[MC_FIGURE_COUNT];
    int count = 0;
    for (int k = 0; k < MC_FIGURE_COUNT; k++)
        if (sweep_figure_of_run((mc_figure_id)k))
            known[count++] = mc_figure_table[k].name;
    const char *near = text_nearest(name, known, count);
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "unknown figure \"%.80s\"%s%s", name,
                        near ? ", did you mean " : "; docs/figures.md lists them",
                        near ? near : "");
}

static bool any_value(const mc_sweep_table *t, mc_figure_id id, double above)
{
    for (int k = 0; k < t->row_count; k++)
        if (isfinite(t->rows[k].value[id]) && t->rows[k].value[id] > above)
            return true;
    return false;
}

static mc_status choose(drawing *d, const char *const *names, int count, mc_error *error)
{
    if (count > FIGURES_MAX)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "a picture has at most %d figures",
                            FIGURES_MAX);
    for (int k = 0; k < count; k++) {
        const mc_status status = mc_sweep_check_figure(names[k], error);
        if (status != MC_OK)
            return status;
        d->figures[d->figure_count] = mc_figure_find(names[k]);
        d->figure_count += any_value(d->table, d->figures[d->figure_count], -INFINITY);
    }
    if (count == 0) {
        if (any_value(d->table, MC_FIGURE_LARGEST_SPACING_ERROR, -INFINITY))
            d->figures[d->figure_count++] = MC_FIGURE_LARGEST_SPACING_ERROR;
        if (any_value(d->table, MC_FIGURE_COLLISIONS, 0.0) || d->figure_count == 0)
            d->figures[d->figure_count++] = MC_FIGURE_COLLISIONS;
    }
    if (d->figure_count == 0 || !any_value(d->table, d->figures[0], -INFINITY))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "nothing to draw: no run has a value of %s",
                            count ? names[0] : "largest.spacing_error or collisions");
    return MC_OK;
}

// Which runs are on it, and what blanks mean.
static void write_caption(drawing *d)
{
    const mc_sweep_table *t = d->table;
    int failed = 0, infinite = 0, used;
    for (int k = 0; k < t->row_count; k++) {
        failed += isnan(t->rows[k].failed);
        for (int i = 0; i < d->figure_count; i++)
            infinite += isinf(t->rows[k].value[d->figures[i]]) != 0;
    }
    char number[SWEEP_NUMBER_SIZE];
    used = snprintf(d->caption, sizeof d->caption, "%d run%s", t->run_count,
                    t->run_count == 1 ? "" : "s");
    if (t->row_count < t->run_count)
        used += snprintf(d->caption + used, sizeof d->caption - (size_t)used, ", %d missing",
                         t->run_count - t->row_count);
    if (failed > 0)
        used += snprintf(d->caption + used, sizeof d->caption - (size_t)used,
                         ", %d failed and left blank", failed);
    if (infinite > 0)
        used += snprintf(d->caption + used, sizeof d->caption - (size_t)used,
                         ", %d values infinite and left blank", infinite);
    if (t->random > 0 && t->axis_count > 1)
        used += snprintf(d->caption + used, sizeof d->caption - (size_t)used,
                         "; random points, other axes vary too");
    for (int k = 2; k < t->axis_count && t->random == 0 && used < 300; k++)
        used += snprintf(d->caption + used, sizeof d->caption - (size_t)used, "%s%.60s = %s %s",
                         k == 2 ? "; shown: " : ", ", t->axes[k].name,
                         sweep_number(t->axes[k].values[0], number), t->axes[k].unit);
}

static double drawn(double value)
{
    return isfinite(value) ? value : NAN;
}

// ---- curves ----

static int by_first_axis(const void *a, const void *b)
{
    const mc_sweep_row *const *x = a, *const *y = b;
    const double p = (*x)->axis[0], q = (*y)->axis[0];
    return p != q ? (p > q) - (p < q) : ((*x)->run > (*y)->run) - ((*x)->run < (*y)->run);
}

static mc_status draw_curves(drawing *d, const char *svg, mc_error *error)
{
    const mc_sweep_table *t = d->table;
    const size_t rows = (size_t)t->row_count, figures = (size_t)d->figure_count;
    const mc_sweep_row **order = arena_alloc(&d->memory, rows * sizeof *order);
    double *x = arena_alloc(&d->memory, rows * sizeof *x);
    double *y = arena_alloc(&d->memory, rows * figures * sizeof *y);
    mc_plot_curve *curves = arena_alloc(&d->memory, figures * sizeof *curves);
    mc_plot_panel *panels = arena_alloc(&d->memory, figures * sizeof *panels);
    if (!order || !x || !y || !curves || !panels)
        return no_memory(error);
    bool gaps = false;
    for (size_t k = 0; k < rows; k++)
        order[k] = &t->rows[k];
    qsort(order, rows, sizeof *order, by_first_axis);
    for (size_t k = 0; k < rows; k++) {
        x[k] = order[k]->axis[0];
        for (size_t i = 0; i < figures; i++) {
            y[i * rows + k] = drawn(order[k]->value[d->figures[i]]);
            gaps = gaps || isnan(y[i * rows + k]);
        }
    }
    const bool points = t->random > 0 || rows < 3 || (gaps && rows <= 60);
    for (size_t i = 0; i < figures; i++) {
        const mc_figure *f = &mc_figure_table[d->figures[i]];
        curves[i] = (mc_plot_curve){.label = f->name,
                                    .unit = strcmp(f->unit, "-") == 0 ? "" : f->unit,
                                    .x = x,
                                    .y = y + i * rows,
                                    .count = t->row_count,
                                    .style = points ? MC_PLOT_STYLE_POINTS : MC_PLOT_STYLE_LINE};
        panels[i] = (mc_plot_panel){.curves = &curves[i], .curve_count = 1};
    }
    const mc_plot plot = {.title = t->title,
                          .caption = d->caption,
                          .x = {.label = t->axes[0].name, .unit = t->axes[0].unit},
                          .panels = panels,
                          .panel_count = d->figure_count};
    return mc_plot_write(svg, &plot, error);
}

// ---- maps ----

// Where the values of an axis lie on a map: cells of one size, or many small ones where the
// distances differ, each for the value that is nearest.
typedef struct side {
    double low, high; // the ends
    int cells;
    int *value; // of each cell: place in the axis
} side;

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int place_of(const mc_sweep_axis *axis, double value)
{
    int k = 0;
    while (axis->values[k] != value)
        k++;
    return k;
}

static bool make_side(drawing *d, const mc_sweep_axis *axis, side *s)
{
    const int n = axis->count;
    double *sorted = arena_alloc(&d->memory, (size_t)n * sizeof *sorted);
    if (!sorted)
        return false;
    memcpy(sorted, axis->values, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, compare_doubles);
    const double range = sorted[n - 1] - sorted[0];
    const double alone = fmax(0.5 * fabs(sorted[0]), 0.5);
    s->low = sorted[0] - (n > 1 ? 0.5 * (sorted[1] - sorted[0]) : alone);
    s->high = sorted[n - 1] + (n > 1 ? 0.5 * (sorted[n - 1] - sorted[n - 2]) : alone);
    bool even = true;
    for (int k = 1; k < n; k++)
        even = even && fabs(sorted[k] - sorted[0] - range * k / (n - 1)) < 1e-6 * range / n;
    s->cells = even ? n : CELLS_UNEVEN;
    s->value = arena_alloc(&d->memory, (size_t)s->cells * sizeof *s->value);
    for (int k = 0, near = 0; s->value && k < s->cells; k++) {
        const double at = s->low + (s->high - s->low) * (k + 0.5) / s->cells;
        while (near + 1 < n && fabs(sorted[near + 1] - at) < fabs(sorted[near] - at))
            near++;
        s->value[k] = place_of(axis, sorted[even ? k : near]);
    }
    return s->value != NULL;
}

// Values of a figure at all places of the first two axes, the others at their first value.
static double *take_grid(drawing *d, mc_figure_id id)
{
    const mc_sweep_table *t = d->table;
    const int columns = t->axes[0].count, rows = t->axes[1].count;
    const size_t count = (size_t)columns * (size_t)rows;
    double *grid = arena_alloc(&d->memory, count * sizeof *grid);
    for (size_t k = 0; grid && k < count; k++)
        grid[k] = NAN;
    int stride = 1; // runs from one value of the second axis to the next
    for (int k = 2; k < t->axis_count; k++)
        stride *= t->axes[k].count;
    for (int k = 0; grid && k < t->row_count; k++)
        if (t->rows[k].run % stride == 0) {
            const int place = t->rows[k].run / stride;
            grid[(size_t)(place % rows) * (size_t)columns + (size_t)(place / rows)] =
                drawn(t->rows[k].value[id]);
        }
    return grid;
}

static mc_status draw_map(drawing *d, mc_figure_id id, char **text, size_t *size, mc_error *error)
{
    const mc_sweep_table *t = d->table;
    side x, y;
    for (int k = 0; k < 2; k++)
        if (t->axes[k].count > MC_PLOT_HEAT_MAX)
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "%s has %d values; a map shows at most %d", t->axes[k].name,
                                t->axes[k].count, MC_PLOT_HEAT_MAX);
    double *grid = take_grid(d, id);
    if (!grid || !make_side(d, &t->axes[0], &x) || !make_side(d, &t->axes[1], &y))
        return no_memory(error);
    double *cells = arena_alloc(&d->memory, (size_t)x.cells * (size_t)y.cells * sizeof *cells);
    if (!cells)
        return no_memory(error);
    for (int i = 0; i < y.cells; i++)
        for (int k = 0; k < x.cells; k++)
            cells[(size_t)i * (size_t)x.cells + (size_t)k] =
                grid[(size_t)y.value[i] * (size_t)t->axes[0].count + (size_t)x.value[k]];
    const mc_figure *f = &mc_figure_table[id];
    char title[300];
    snprintf(title, sizeof title, "%s: %s", t->title, f->doc);
    const mc_plot_heat heat = {
        .title = title,
        .caption = d->caption,
        .x = {.label = t->axes[0].name, .unit = t->axes[0].unit, .low = x.low, .high = x.high},
        .y = {.label = t->axes[1].name, .unit = t->axes[1].unit, .low = y.low, .high = y.high},
        .value = {.label = f->name, .unit = f->unit},
        .column_count = x.cells,
        .row_count = y.cells,
        .values = cells};
    return mc_plot_heat_text(&heat, text, size, error);
}

static double attribute(const char *svg, const char *name)
{
    const char *at = strstr(svg, name);
    return at ? strtod(at + strlen(name), NULL) : 0.0;
}

// Maps below each other: each a figure of its own inside of one.
static mc_status stack(char **maps, int count, char **text, size_t *size, mc_error *error)
{
    FILE *out = open_memstream(text, size);
    if (!out)
        return no_memory(error);
    const svg_locale locale = svg_locale_begin();
    double width = 0.0, height = 0.0;
    for (int k = 0; k < count; k++) {
        width = fmax(width, attribute(maps[k], " width=\""));
        height += attribute(maps[k], " height=\"");
    }
    char w[32], h[32];
    svg_px(width, w);
    svg_px(height, h);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %s %s\" width=\"%s\" "
            "height=\"%s\">\n",
            w, h, w, h);
    double top = 0.0;
    for (int k = 0; k < count; k++) {
        fprintf(out, "<svg y=\"%s\"%s", svg_px(top, h), maps[k] + strlen("<svg"));
        top += attribute(maps[k], " height=\"");
    }
    fputs("</svg>\n", out);
    svg_locale_end(locale);
    const bool good = !ferror(out);
    if (fclose(out) == 0 && good)
        return MC_OK;
    free(*text);
    return no_memory(error);
}

static mc_status draw_maps(drawing *d, const char *svg, mc_error *error)
{
    char *maps[FIGURES_MAX] = {NULL}, *text = NULL;
    size_t size = 0;
    mc_status status = MC_OK;
    for (int k = 0; k < d->figure_count && status == MC_OK; k++)
        status = draw_map(d, d->figures[k], &maps[k], &size, error);
    if (status == MC_OK && d->figure_count > 1) {
        status = stack(maps, d->figure_count, &text, &size, error);
    } else if (status == MC_OK) {
        text = maps[0];
        maps[0] = NULL;
    }
    for (int k = 0; k < d->figure_count; k++)
        free(maps[k]);
    return status == MC_OK ? svg_save(svg, text, size, error) : status;
}

mc_status mc_sweep_draw(const char *table, const char *const *figures, int figure_count,
                        const char *svg, mc_error *error)
{
    mc_error own;
    error = error ? error : &own;
    mc_sweep_table *t = mc_sweep_table_load(table, error);
    if (!t)
        return error->code;
    drawing d = {.table = t};
    mc_status status = choose(&d, figures, figure_count, error);
    if (status == MC_OK) {
        write_caption(&d);
        status = t->axis_count == 1 || t->random > 0 ? draw_curves(&d, svg, error)
                                                     : draw_maps(&d, svg, error);
    }
    arena_free(&d.memory);
    mc_sweep_table_free(t);
    return status;
}
