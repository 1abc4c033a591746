// report.c - the page: head, sections in their order, how to reproduce.
#include "motorcade/report.h"

#include "analysis/html.h"
#include "analysis/report_run.h"
#include "analysis/svg.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static mc_status read_run(report_run *r, const char *path, mc_error *error)
{
    *r = (report_run){0};
    mc_status status = record_open(&r->record, path, error);
    if (status == MC_OK)
        status = report_happened_read(r, error);
    if (status == MC_OK)
        status = report_measure(r, error);
    if (status == MC_OK)
        status = report_choose(r, error);
    return status == MC_OK ? report_curves(r, error) : status;
}

void report_run_free(report_run *r)
{
    free(r->happened.events);
    free(r->happened.collisions);
    free(r->happened.energies);
    free(r->happened.energy);
    free(r->extremes);
    free(r->a_square);
    free(r->a_peak);
    free(r->gain_2);
    free(r->gain_max);
    free(r->bucket_t);
    free(r->band);
    for (int m = 0; m < r->map_count; m++)
        free(r->maps[m].values);
    free(r->chosen);
    curves_free(r->curves, r->curve_count);
    free(r->curves);
    record_close(&r->record);
    *r = (report_run){0};
}

// ---- the head ----

static const char *text_of(const report_run *r, const char *name)
{
    const char *text = results_reader_text(r->record.file, name);
    return text && *text ? text : NULL;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static const char *name_of(const report_run *r)
{
    const char *name = text_of(r, "name");
    return name ? name : base_name(r->record.path);
}

static void write_fact(FILE *out, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void write_fact(FILE *out, const char *name, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(out, "<div><dt>%s</dt><dd>", name);
    html_text(out, text);
    fputs("</dd></div>\n", out);
}

static void write_pills(FILE *out, const report_run *r)
{
    int holds, fails, others;
    report_count_expectations(r, &holds, &fails, &others);
    fputs("<div class=\"pills\">\n", out);
    if (fails > 0)
        fprintf(out, "<span class=\"pill bad\">%d of %d expectations fail</span>\n", fails,
                holds + fails + others);
    else if (holds > 0)
        fprintf(out, "<span class=\"pill good\">%s</span>\n",
                holds == 1 ? "The expectation holds" : "All expectations hold");
    else
        fputs("<span class=\"pill\">No expectations stated</span>\n", out);
    const int collisions = r->happened.collision_count;
    if (collisions > 0)
        fprintf(out, "<span class=\"pill bad\">%d collision%s</span>\n", collisions,
                collisions == 1 ? "" : "s");
    else if (r->happened.has_impacts)
        fputs("<span class=\"pill good\">No collision</span>\n", out);
    if (!results_reader_complete(r->record.file))
        fputs("<span class=\"pill bad\">The run did not come to its end</span>\n", out);
    fputs("</div>\n", out);
}

static void write_head(FILE *out, const report_run *r)
{
    const record *rec = &r->record;
    const double time = rec->time[rec->row_count - 1] - rec->time[0];
    char a[HTML_NUMBER], b[HTML_NUMBER];
    fputs("<header>\n<h1>", out);
    html_text(out, name_of(r));
    fputs("</h1>\n", out);
    if (text_of(r, "doc")) {
        fputs("<p class=\"faint\">", out);
        html_text(out, text_of(r, "doc"));
        fputs("</p>\n", out);
    }
    write_pills(out, r);
    fputs("<dl class=\"facts\">\n", out);
    write_fact(out, "Time", "%s s", html_plain(time, 5, a));
    write_fact(out, "Cars", "%d", rec->vehicle_count);
    write_fact(out, "Platoons", "%d", rec->platoon_count);
    if (rec->row_count > 1)
        write_fact(out, "Rows", "%lld, every %s s", (long long)rec->row_count,
                   html_plain(time / (double)(rec->row_count - 1), 4, b));
    if (text_of(r, "scenario_file"))
        write_fact(out, "Scenario", "%s", base_name(text_of(r, "scenario_file")));
    write_fact(out, "Results", "%s", base_name(rec->path));
    if (results_reader_segments(rec->file) > 1)
        write_fact(out, "Files", "%d segments", results_reader_segments(rec->file));
    fputs("</dl>\n</header>\n", out);
}

// ---- the end ----

static void write_text(FILE *out, const char *heading, const char *text, bool open)
{
    fprintf(out, "<details%s>\n<summary>%s</summary>\n<pre>", open ? " open" : "", heading);
    html_text(out, text);
    fputs("</pre>\n</details>\n", out);
}

static void write_scenario(FILE *out, const report_run *r)
{
    static const char *const others[][2] = {
        {"model_file", "Models"}, {"platoon_file", "Platoon"}, {"model", "Model"}};
    const char *scenario = text_of(r, "scenario");
    html_section_begin(out, "scenario", "Scenario");
    int lines = 0;
    for (const char *c = scenario; c && *c; c++)
        lines += *c == '\n';
    if (scenario)
        write_text(out, "The file as it was run", scenario, lines <= 200);
    bool any = scenario != NULL;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (text_of(r, others[i][0])) {
            write_text(out, others[i][1], text_of(r, others[i][0]), false);
            any = true;
        }
    if (!any)
        fputs("<p class=\"faint\">The file does not hold the scenario it was made from.</p>\n",
              out);
    if (text_of(r, "versions"))
        write_text(out, "Versions and live edits", text_of(r, "versions"), true);
    html_section_end(out);
}

static void write_row(FILE *out, const char *name, const char *text)
{
    fprintf(out, "<tr><th>%s</th>", name);
    html_cell(out, text);
    fputs("</tr>\n", out);
}

static void write_tables(FILE *out, const report_run *r)
{
    static const char *const wanted[] = {"events", "impacts", "figures", "run_figures"};
    const results_reader *file = r->record.file;
    fputs("<tr><th>tables</th><td class=\"t\">", out);
    for (int i = 0; i < results_reader_table_count(file); i++) {
        const results_shape *s = results_reader_table(file, i);
        html_print(out, "%s%s (%lld rows)", i ? ", " : "", s->name, (long long)s->row_count);
    }
    fputs("</td></tr>\n", out);
    char missing[128] = "";
    size_t n = 0;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        if (results_reader_find(file, wanted[i]) < 0)
            n +=
                (size_t)snprintf(missing + n, sizeof missing - n, "%s%s", n ? ", " : "", wanted[i]);
    if (missing[0])
        write_row(out, "not in the file", missing);
}

static void write_reproduce(FILE *out, const report_run *r)
{
    static const char *const texts[][2] = {
        {"command", "command"}, {"version", "version"}, {"motorcade", "version"},
        {"scheme", "scheme"},   {"step", "step (s)"},   {"hash", "hash of the last state"},
        {"format", "format"},
    };
    html_section_begin(out, "reproduce", "How to reproduce it");
    if (text_of(r, "command")) {
        fputs("<pre>", out);
        html_text(out, text_of(r, "command"));
        fputs("</pre>\n", out);
    }
    fputs("<div class=\"wide\"><table>\n<tbody>\n", out);
    for (size_t i = 1; i < sizeof texts / sizeof texts[0]; i++)
        if (text_of(r, texts[i][0]))
            write_row(out, texts[i][1], text_of(r, texts[i][0]));
    write_tables(out, r);
    fputs("</tbody></table></div>\n", out);
    if (text_of(r, "hash"))
        fputs("<p class=\"faint\">The same command with the same version gives the same hash, with "
              "any number of threads.</p>\n",
              out);
    html_section_end(out);
}

// ---- the page ----

static mc_status write_page(FILE *out, report_run *r, mc_error *error)
{
    char title[300];
    snprintf(title, sizeof title, "%.200s - Motorcade report", name_of(r));
    html_page_begin(out, title);
    write_head(out, r);
    report_write_happened(out, r);
    report_write_expectations(out, r);
    report_write_figures(out, r);
    mc_status status = report_write_plots(out, r, error);
    if (status == MC_OK)
        status = report_write_gains(out, r, error);
    if (status == MC_OK)
        status = report_write_ledger(out, r, error);
    report_write_vehicles(out, r);
    write_scenario(out, r);
    write_reproduce(out, r);
    html_page_end(out);
    return status;
}

mc_status mc_report_text(const char *run, char **text, size_t *size, mc_error *error)
{
    mc_error own_error;
    size_t own_size;
    report_run r;
    error = error ? error : &own_error;
    size = size ? size : &own_size;
    *text = NULL;
    mc_status status = read_run(&r, run, error);
    if (status == MC_OK) {
        FILE *out = open_memstream(text, size);
        bool good = out != NULL;
        if (good) {
            const svg_locale locale = svg_locale_begin();
            status = write_page(out, &r, error);
            svg_locale_end(locale);
            good = !ferror(out);
            good = fclose(out) == 0 && good;
        }
        if (status == MC_OK && !good)
            status = mc_error_set(error, MC_NO_MEMORY, run, 0, 0, "no memory left");
        if (status != MC_OK) {
            free(*text);
            *text = NULL;
        }
    }
    report_run_free(&r);
    return status;
}

mc_status mc_report_write(const char *run, const char *path, mc_error *error)
{
    char *text;
    size_t size;
    const mc_status status = mc_report_text(run, &text, &size, error);
    return status == MC_OK ? svg_save(path, text, size, error) : status;
}
