// plot.c - quantities of a run as curves: the picture, and where it goes.
#include "report/plot.h"

#include "report/run.h"
#include "draw/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MARKS_MAX = 40, LABEL = 160 };
enum { LANES_MAX = 9, ENTRIES_MAX = 400 }; // panels of lanes: 0 (ramps) to 8; marks of one

typedef struct picture {
    report_run *run;
    const run_choice *choice;
    report_curve *data; // [quantity][car]
    mc_plot_curve *curves;
    mc_plot_panel *panels;
    char labels[MC_PLOT_PANEL_MAX][LABEL];
    mc_plot_mark marks[MARKS_MAX];
    int mark_count;
    int lane;        // 1 + the quantity lane: panels are lanes; 0: panels are quantities
    int row_count;   // rows of data: lanes or quantities
    int panel_count; // of those that have numbers
    double entry_x[LANES_MAX][ENTRIES_MAX], entry_y[LANES_MAX][ENTRIES_MAX];
} picture;

// "gap: bumper to bumper".
static const char *axis_label(const recorded_quantity *q, char label[LABEL])
{
    // The text after a semicolon explains the numbers of a table, not a curve.
    const int length = (int)fmin((double)strcspn(q->doc, ";"), 100.0);
    snprintf(label, LABEL, "%.50s%s%.*s", q->name, q->doc[0] ? ": " : "", length, q->doc);
    return label;
}

static bool has_numbers(const report_curve *c)
{
    for (int i = 0; i < c->count; i++)
        if (!isnan(c->y[i]))
            return true;
    return false;
}

// Where the curves of a lane begin after a gap, cars come into it. Returns their number.
static int find_entries(picture *p, int lane)
{
    const int cars = p->choice->car_count;
    int count = 0;
    for (int k = 0; k < cars; k++) {
        const report_curve *data = &p->data[lane * cars + k];
        for (int i = 1; i < data->count && count < ENTRIES_MAX; i++)
            if (isnan(data->y[i - 1]) && !isnan(data->y[i])) {
                p->entry_x[lane][count] = data->x[i];
                p->entry_y[lane][count++] = data->y[i];
            }
    }
    return count;
}

static void name_lane(char label[LABEL], int lane, const char *quantity)
{
    if (lane == 0)
        snprintf(label, LABEL, "ramps: %.50s", quantity);
    else
        snprintf(label, LABEL, "lane %d: %.50s", lane, quantity);
}

// One panel for a lane that a car is in; none for others.
static void fill_lane(picture *p, int lane)
{
    const recorded *r = &p->run->record;
    const run_choice *c = p->choice;
    const recorded_quantity *q = &r->quantities[c->quantities[0]];
    mc_plot_curve *curves = p->curves + lane * (c->car_count + 1);
    int count = 0;
    for (int k = 0; k < c->car_count; k++) {
        const report_curve *data = &p->data[lane * c->car_count + k];
        const int step = c->car_count > 1 ? k * (MC_PLOT_RAMP_COUNT - 1) / (c->car_count - 1) : 0;
        if (has_numbers(data))
            curves[count++] = (mc_plot_curve){.label = r->names[c->cars[k]],
                                              .unit = q->unit,
                                              .x = data->x,
                                              .y = data->y,
                                              .count = data->count,
                                              .colour = MC_PLOT_RAMP + step};
    }
    if (count == 0)
        return;
    const int entries = find_entries(p, lane);
    if (entries > 0)
        curves[count++] = (mc_plot_curve){.label = "comes into the lane",
                                          .unit = q->unit,
                                          .x = p->entry_x[lane],
                                          .y = p->entry_y[lane],
                                          .count = entries,
                                          .style = MC_PLOT_STYLE_POINTS,
                                          .colour = 1};
    name_lane(p->labels[p->panel_count], lane, q->name);
    p->panels[p->panel_count] =
        (mc_plot_panel){.y = {.label = p->labels[p->panel_count], .unit = q->unit},
                        .curves = curves,
                        .curve_count = count};
    p->panel_count++;
}

// All lanes have the same axis: what is level with something is beside it.
static void share_axis(picture *p)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int k = 0; k < p->row_count * p->choice->car_count; k++)
        for (int i = 0; i < p->data[k].count; i++) {
            const double y = p->data[k].y[i];
            low = y < low ? y : low;
            high = y > high ? y : high;
        }
    for (int k = 0; k < p->panel_count && low < high; k++)
        p->panels[k].y.low = low, p->panels[k].y.high = high;
}

static mc_status fill_panel(picture *p, int index, mc_error *error)
{
    if (p->lane) {
        fill_lane(p, index);
        return MC_OK;
    }
    const recorded *r = &p->run->record;
    const run_choice *c = p->choice;
    const recorded_quantity *q = &r->quantities[c->quantities[index]];
    mc_plot_curve *curves = p->curves + index * c->car_count;
    p->panel_count++;
    int count = 0;
    for (int k = 0; k < c->car_count; k++) {
        const report_curve *data = &p->data[index * c->car_count + k];
        const int step = c->car_count > 1 ? k * (MC_PLOT_RAMP_COUNT - 1) / (c->car_count - 1) : 0;
        if (has_numbers(data))
            curves[count++] = (mc_plot_curve){.label = r->names[c->cars[k]],
                                              .unit = q->unit,
                                              .x = data->x,
                                              .y = data->y,
                                              .count = data->count,
                                              .colour = MC_PLOT_RAMP + step};
    }
    p->panels[index] =
        (mc_plot_panel){.y = {.label = axis_label(q, p->labels[index]), .unit = q->unit},
                        .curves = curves,
                        .curve_count = count};
    if (count > 0)
        return MC_OK;
    return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                        "\"%s\" has no number for the chosen cars and times%s", q->name,
                        strcmp(q->name, "gap") == 0 ? ": no car is in front of them" : "");
}

static void add_marks(picture *p)
{
    const report_happened *h = &p->run->happened;
    for (int i = 0; i < h->collision_count && i < MARKS_MAX && p->choice->x_quantity < 0; i++)
        p->marks[p->mark_count++] = (mc_plot_mark){h->collisions[i].first, "collision", 1};
}

static mc_status collect(picture *p, mc_error *error)
{
    const run_choice *c = p->choice;
    const int n = p->row_count * c->car_count;
    p->data = calloc((size_t)n, sizeof *p->data);
    p->curves = calloc((size_t)(n + p->row_count), sizeof *p->curves);
    p->panels = calloc((size_t)p->row_count, sizeof *p->panels);
    if (!p->data || !p->curves || !p->panels)
        return mc_error_set(error, MC_NO_MEMORY, p->run->record.path, 0, 0, "no memory left");
    for (int i = 0; i < n; i++)
        p->data[i] = (report_curve){.vehicle = c->cars[i % c->car_count],
                                    .quantity = c->quantities[p->lane ? 0 : i / c->car_count],
                                    .minus = -1,
                                    .where = p->lane,
                                    .where_is = p->lane ? i / c->car_count : 0.0,
                                    .x_quantity = c->x_quantity};
    return curves_collect(&p->run->record, c->first, c->rows, p->data, n, error);
}

// The picture as text, to be freed.
static mc_status draw(picture *p, const mc_run_plot *request, char **text, size_t *size,
                      mc_error *error)
{
    const recorded *r = &p->run->record;
    const run_choice *c = p->choice;
    const char *name = results_reader_text(r->file, "name");
    char caption[160] = "", label[LABEL];
    *text = NULL;
    mc_status status = collect(p, error);
    for (int i = 0; i < p->row_count && status == MC_OK; i++)
        status = fill_panel(p, i, error);
    if (status == MC_OK && p->panel_count == 0)
        status = mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                              "\"%s\" has no number for the chosen cars and times in any lane",
                              r->quantities[c->quantities[0]].name);
    if (status != MC_OK)
        return status;
    if (p->lane)
        share_axis(p);
    add_marks(p);
    size_t n = 0;
    if (c->some)
        n += (size_t)snprintf(caption, sizeof caption, "%d of %d cars", c->car_count,
                              r->vehicle_count);
    const int64_t stride = (c->rows + CURVE_POINTS - 1) / CURVE_POINTS;
    if (c->x_quantity >= 0 && stride > 1)
        snprintf(caption + n, sizeof caption - n, "%sone row of %lld", n ? ", " : "",
                 (long long)stride);
    const recorded_quantity *x = c->x_quantity >= 0 ? &r->quantities[c->x_quantity] : NULL;
    const mc_plot plot = {
        .title = request->title ? request->title
                 : name         ? name
                                : "",
        .caption = caption,
        .x = {.label = x ? axis_label(x, label) : "Time", .unit = x ? x->unit : "s"},
        .panels = p->panels,
        .panel_count = p->panel_count,
        .marks = p->marks,
        .mark_count = p->mark_count};
    return mc_plot_text(&plot, text, size, error);
}

// Panels are quantities, or the lanes of one.
static mc_status choose_panels(picture *p, const mc_run_plot *plot, mc_error *error)
{
    const recorded *r = &p->run->record;
    p->row_count = plot->lanes ? LANES_MAX : p->choice->quantity_count;
    if (!plot->lanes)
        return MC_OK;
    p->lane = 1 + recorded_find(r, "lane");
    if (p->choice->quantity_count != 1)
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                            "panels of lanes show one quantity, but %d are given; expected one, "
                            "such as x",
                            p->choice->quantity_count);
    if (p->lane == 0)
        return mc_error_set(error, MC_BAD_INPUT, r->path, 0, 0,
                            "the file has no lanes of its cars: it was recorded by an earlier "
                            "version of motorcade, or by another command than run");
    return MC_OK;
}

static mc_status write_picture(report_run *r, const run_choice *c, const mc_run_plot *plot,
                               const char *svg, const char *png, mc_error *error)
{
    picture *p = calloc(1, sizeof *p);
    char *text = NULL;
    size_t size = 0;
    if (!p)
        return mc_error_set(error, MC_NO_MEMORY, r->record.path, 0, 0, "no memory left");
    *p = (picture){.run = r, .choice = c};
    mc_status status = choose_panels(p, plot, error);
    if (status == MC_OK)
        status = draw(p, plot, &text, &size, error);
    if (status == MC_OK && png)
        status = run_png_write(png, text, size, error);
    if (status == MC_OK && svg) {
        status = svg_save(svg, text, size, error); // frees it
        text = NULL;
    }
    free(text);
    if (p->data)
        curves_free(p->data, p->row_count * c->car_count);
    free(p->data);
    free(p->curves);
    free(p->panels);
    free(p);
    return status;
}

mc_status mc_run_plot_write(const char *run, const mc_run_plot *plot, const char *svg,
                            const char *png, const char *csv, mc_error *error)
{
    report_run r = {0};
    run_choice c = {0};
    mc_error own;
    error = error ? error : &own;
    mc_status status = recorded_open(&r.record, run, error);
    if (status == MC_OK)
        status = run_choice_read(&c, &r.record, plot, error);
    if (status == MC_OK)
        status = report_happened_read(&r, error);
    if (status == MC_OK && (svg || png))
        status = write_picture(&r, &c, plot, svg, png, error);
    if (status == MC_OK && csv)
        status = run_csv_write(&r.record, &c, csv, error);
    run_choice_free(&c);
    report_run_free(&r);
    return status;
}
