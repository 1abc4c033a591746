// mechanism.c - a simulated mechanism: its quantities over time, and their extremes.
#include "draw/html.h"
#include "motorcade/plot.h"
#include "report/run.h"

#include <math.h>
#include <stdlib.h>

enum { PANELS = 4 }; // in one figure

// Curves by unit, each unit a panel, some panels a figure.
static mc_status put_curves(FILE *out, const report_run *r, mc_error *error)
{
    const size_t n = (size_t)r->curve_count + 1;
    mc_plot_curve *curves = calloc(n, sizeof *curves);
    mc_plot_panel *panels = calloc(n, sizeof *panels);
    mc_status status = MC_OK;
    if (!curves || !panels)
        status = mc_error_set(error, MC_NO_MEMORY, r->record.path, 0, 0, "no memory left");
    for (int i = 0; i < r->curve_count && status == MC_OK; i++) {
        const report_curve *c = &r->curves[i];
        const recorded_quantity *q = &r->record.quantities[c->quantity];
        curves[i] = (mc_plot_curve){
            .label = q->name, .unit = q->unit, .x = c->x, .y = c->y, .count = c->count};
    }
    const int count = status == MC_OK ? mc_plot_by_unit(curves, r->curve_count, panels) : 0;
    for (int k = 0; k < count; k++) // the others are in the table
        if (panels[k].curve_count > MC_PLOT_CURVE_MAX)
            panels[k].curve_count = MC_PLOT_CURVE_MAX;
    for (int k = 0; k < count && status == MC_OK; k += PANELS) {
        const mc_plot plot = {.x = {.label = "Time", .unit = "s"},
                              .panels = panels + k,
                              .panel_count = count - k < PANELS ? count - k : PANELS,
                              .width = 940.0};
        char *text = NULL;
        size_t size = 0;
        status = mc_plot_text(&plot, &text, &size, error);
        status = report_put_figure(out, status, text, size, error);
    }
    free(curves);
    free(panels);
    return status;
}

static void write_quantity(FILE *out, const recorded_quantity *q, const report_extreme *e)
{
    const double values[] = {e->first, e->last, e->low, e->high};
    char number[HTML_NUMBER];
    fputs("<tr>", out);
    html_cell(out, q->name);
    html_cell(out, q->unit);
    for (int k = 0; k < 4; k++)
        fprintf(out, "<td class=\"n\">%s</td>", html_number(values[k], 5, number));
    html_cell_fixed(out, e->low_t, 3);
    html_cell_fixed(out, e->high_t, 3);
    html_cell(out, q->doc);
    fputs("</tr>\n", out);
}

mc_status report_write_mechanism(FILE *out, report_run *r, mc_error *error)
{
    const recorded *rec = &r->record;
    const char *ended = results_reader_text(rec->file, "ended");
    html_section_begin(out, "plots", "Over time");
    if (!results_reader_complete(rec->file))
        fputs("<p>The record is incomplete: the run was still in progress, or was killed.</p>\n",
              out);
    else if (ended && *ended)
        html_print(out, "The record ends: %s.\n", ended);
    const mc_status status = put_curves(out, r, error);
    if (r->curve_count < rec->motion_count)
        fprintf(out, "<p class=\"faint\">Curves: %d of %d quantities.</p>\n", r->curve_count,
                rec->motion_count);
    html_section_end(out);
    html_section_begin(out, "figures", "Quantities");
    fputs("<div class=\"wide\"><table>\n<thead><tr>", out);
    html_heading(out, "quantity", "", "", 0);
    html_heading(out, "unit", "", "", 0);
    html_heading(out, "first", "", "in the first row", 1);
    html_heading(out, "last", "", "in the last row", 1);
    html_heading(out, "lowest", "", "", 1);
    html_heading(out, "highest", "", "", 1);
    html_heading(out, "lowest at", "s", "", 1);
    html_heading(out, "highest at", "s", "", 1);
    html_heading(out, "meaning", "", "", 0);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int q = 0; q < rec->motion_count; q++)
        write_quantity(out, &rec->quantities[q], &r->extremes[q]);
    fputs("</tbody></table></div>\n", out);
    html_section_end(out);
    return status;
}
