// report.c - the page: head, sections in their order, how to reproduce.
#include "motorcade/report.h"

#include "draw/html.h"
#include "draw/pdf.h"
#include "draw/svg.h"
#include "report/run.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static mc_status read_run(report_run *r, const char *path, mc_error *error)
{
    *r = (report_run){0};
    mc_status status = recorded_open(&r->record, path, error);
    r->mechanism = status == MC_OK && strcmp(r->record.kind, "simulate") == 0;
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
    recorded_close(&r->record);
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
    const char *name = text_of(r, r->mechanism ? "model" : "name");
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
    if (strcmp(r->record.kind, "run") != 0)
        fprintf(out, "<span class=\"pill\">%s</span>\n",
                r->mechanism ? "A mechanism" : "A run of MEDUSA");
    else if (fails > 0)
        fprintf(out, "<span class=\"pill bad\">%d of %d expectations fail</span>\n", fails,
                holds + fails + others);
    else if (holds > 0) // that of a crash is no good news
        fprintf(out, "<span class=\"pill%s\">%s</span>\n",
                r->happened.collision_count > 0 ? "" : " good",
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
        fputs("<span class=\"pill bad\">The run did not finish</span>\n", out);
    fputs("</div>\n", out);
}

static void write_head(FILE *out, const report_run *r)
{
    const recorded *rec = &r->record;
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
    if (r->mechanism)
        write_fact(out, "Quantities", "%d", rec->motion_count);
    else
        write_fact(out, "Cars", "%d", rec->vehicle_count);
    if (rec->platoon_count > 0)
        write_fact(out, "Platoons", "%d", rec->platoon_count);
    if (text_of(r, "method"))
        write_fact(out, "Method", "%s", text_of(r, "method"));
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
    static const char *const others[][2] = {{"model_file", "Models"}, {"platoon_file", "Platoon"}};
    const char *scenario = text_of(r, "scenario");
    if (r->mechanism)
        return; // its file is named below, not kept
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
        fputs("<p class=\"faint\">The file does not contain its scenario.</p>\n", out);
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
    static const char *const expected[] = {"pose",    "energy",      "vehicles", "events",
                                           "impacts", "run_figures", "figures"};
    const results_reader *file = r->record.file;
    fputs("<tr><th>tables</th><td class=\"t\">", out);
    for (int i = 0; i < results_reader_table_count(file); i++) {
        const results_shape *s = results_reader_table(file, i);
        html_print(out, "%s%s (%lld rows)", i ? ", " : "", s->name, (long long)s->row_count);
    }
    fputs("</td></tr>\n", out);
    char missing[128] = "";
    size_t n = 0;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        if (results_reader_find(file, expected[i]) < 0)
            n += (size_t)snprintf(missing + n, sizeof missing - n, "%s%s", n ? ", " : "",
                                  expected[i]);
    char why[280];
    const bool of_run = strcmp(r->record.kind, "run") == 0;
    if (results_reader_format(file) == 1)
        snprintf(why, sizeof why, "%s; it was written by Motorcade 0.1", missing);
    else if (of_run)
        snprintf(why, sizeof why, "%s%s", missing,
                 strstr(missing, "energy") ? "; motorcade run --full records pose and energy" : "");
    else
        snprintf(why, sizeof why, "%s; motorcade %.20s does not record them", missing,
                 r->record.kind);
    if (missing[0])
        write_row(out, "not in the file", why);
}

static void write_reproduce(FILE *out, const report_run *r)
{
    static const char *const texts[][2] = {
        {"command", "command"},
        {"version", "version"},
        {"motorcade", "version"},
        {"model", "mechanism"},
        {"model_hash", "hash of its file"},
        {"settings", "settings"},
        {"scheme", "scheme"},
        {"step", "step (s)"},
        {"hash", "hash of the last state"},
        {"kind", "kind"},
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

enum { TITLE = 300 };

static mc_status write_page(FILE *out, report_run *r, char title[TITLE], mc_error *error)
{
    snprintf(title, TITLE, "%.200s - Motorcade report", name_of(r));
    html_page_begin(out, title);
    write_head(out, r);
    if (r->mechanism) {
        mc_status status = report_write_mechanism(out, r, error);
        if (status == MC_OK)
            status = report_write_ledger(out, r, error);
        write_reproduce(out, r);
        html_page_end(out);
        return status;
    }
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

static mc_status make_page(const char *run, char **text, size_t *size, char title[TITLE],
                           mc_error *error)
{
    report_run r;
    *text = NULL;
    mc_status status = read_run(&r, run, error);
    if (status == MC_OK) {
        FILE *out = open_memstream(text, size);
        bool good = out != NULL;
        if (good) {
            const svg_locale locale = svg_locale_begin();
            status = write_page(out, &r, title, error);
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

mc_status mc_report_text(const char *run, char **text, size_t *size, mc_error *error)
{
    mc_error own_error;
    size_t own_size;
    char title[TITLE];
    return make_page(run, text, size ? size : &own_size, title, error ? error : &own_error);
}

// By the end of the name; a name without one, and a device, is a page.
static mc_status choose_format(const char *path, bool *pdf, mc_error *error)
{
    const char *dot = strrchr(base_name(path), '.');
    *pdf = dot && strcasecmp(dot, ".pdf") == 0;
    if (*pdf || !dot || strcasecmp(dot, ".html") == 0 || strcasecmp(dot, ".htm") == 0)
        return MC_OK;
    return mc_error_set(error, MC_BAD_INPUT, path, 0, 0,
                        "unknown format \"%s\"; expected one of: .html, .pdf", dot);
}

mc_status mc_report_write(const char *run, const char *path, mc_error *error)
{
    mc_error own_error;
    char *text = NULL, title[TITLE];
    size_t size = 0;
    bool pdf;
    error = error ? error : &own_error;
    mc_status status = choose_format(path, &pdf, error);
    if (status == MC_OK)
        status = make_page(run, &text, &size, title, error);
    if (status == MC_OK && pdf) {
        char *page = text;
        text = pdf_from_html(page, title, &size, error);
        status = text ? MC_OK : error->code;
        free(page);
    }
    return status == MC_OK ? svg_save(path, text, size, error) : status;
}
