// happened_text.c - what happened, in sentences, and the table of collisions.
#include "draw/html.h"
#include "motorcade/event.h"
#include "report/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SENTENCES_OF_A_KIND = 40, // events of one kind in the list; the others are counted
    COLLISIONS_MAX = 60,      // sentences
    ROWS_MAX = 200,           // in the table of collisions
};

// ---- events ----

static void write_time(FILE *out, double t)
{
    char text[48];
    snprintf(text, sizeof text, "%.2f s", t == 0.0 ? 0.0 : t);
    fputs("<time>", out);
    html_text(out, text);
    fputs("</time>", out);
}

// A kind that is not in the table: its own words.
static void write_other(FILE *out, const report_event *e)
{
    char number[HTML_NUMBER];
    fputs(": ", out);
    html_text(out, e->words);
    if (isfinite(e->value) && e->value != 0.0)
        fprintf(out, " (%s)", html_plain(e->value, 4, number));
}

static void write_event(FILE *out, const report_run *r, const report_event *e)
{
    char number[HTML_NUMBER];
    fputs("<li>", out);
    write_time(out, e->t);
    fputs("<span><b>", out);
    html_text(out, e->vehicle >= 0 ? r->record.names[e->vehicle] : "The road");
    fputs("</b>", out);
    const mc_event_sentence *s = mc_event_sentence_find(e->kind);
    if (!s) {
        write_other(out, e);
    } else {
        fprintf(out, " %s", s->does);
        if (s->words && e->value >= 0.0 && e->value < s->word_count)
            fprintf(out, "%s%s", s->before, s->words[(int)e->value]);
        else if (s->before && isfinite(e->value))
            fprintf(out, "%s%s%s", s->before, html_plain(s->scale * e->value, 4, number), s->unit);
    }
    fputs(".</span></li>\n", out);
}

// ---- collisions ----

// Sum of the energies whose name begins and whose time is so; NAN when there are none.
static double energy_sum(const report_happened *h, int collision, const char *begin,
                         report_energy_when when)
{
    double sum = NAN;
    for (int k = 0; k < h->energy_count; k++)
        if (h->energies[k].when == when &&
            strncmp(h->energies[k].name, begin, strlen(begin)) == 0) {
            const double e = h->energy[collision * h->energy_count + k];
            sum = isnan(sum) ? e : sum + e;
        }
    return sum;
}

static void write_energy(FILE *out, const report_happened *h, int collision)
{
    static const char *const begins[] = {"kinetic", "energy"};
    static const char *const names[] = {"kinetic energy of the two", "energy of the two"};
    char a[HTML_NUMBER], b[HTML_NUMBER];
    for (int i = 0; i < 2; i++) {
        const double before = energy_sum(h, collision, begins[i], ENERGY_BEFORE);
        const double after = energy_sum(h, collision, begins[i], ENERGY_AFTER);
        if (isnan(before) || isnan(after))
            continue;
        fprintf(out, ", %s %s \u2192 %s kJ", names[i], html_number(1e-3 * before, 4, a),
                html_number(1e-3 * after, 4, b));
        return;
    }
}

static void write_collision(FILE *out, const report_run *r, int index)
{
    const mc_collision *c = &r->happened.collisions[index];
    char a[HTML_NUMBER], b[HTML_NUMBER];
    // The normal points from a to b: with a behind b along the road, a is the one that hits.
    const bool behind = fabs(c->normal[0]) > 0.7;
    const int hitting = c->normal[0] > 0.0 ? c->a : c->b;
    const int first = behind ? hitting : c->a, second = first == c->a ? c->b : c->a;
    fputs("<li class=\"crash\">", out);
    write_time(out, c->first);
    fputs("<span><b>", out);
    html_text(out, r->record.names[first]);
    fputs(behind ? "</b> runs into <b>" : "</b> and <b>", out);
    html_text(out, r->record.names[second]);
    fputs(behind ? "</b>" : "</b> collide", out);
    if (isfinite(c->closing))
        fprintf(out, " with %s m/s (%s km/h) closing speed", html_number(c->closing, 3, a),
                html_number(3.6 * c->closing, 3, b));
    if (isfinite(c->impulse))
        fprintf(out, ", impulse %s kN\u00a0s", html_number(1e-3 * c->impulse, 3, a));
    if (c->impact_count > 1)
        fprintf(out, " in %d impacts over %s s", c->impact_count,
                html_number(c->last - c->first, 2, a));
    if (isfinite(c->point[0]))
        fprintf(out, ", at x\u00a0=\u00a0%s\u00a0m", html_number(c->point[0], 5, a));
    write_energy(out, &r->happened, index);
    fputs(".</span></li>\n", out);
}

// ---- the list ----

static void write_left_out(FILE *out, const report_happened *h, const int *count_of,
                           int collisions_left)
{
    bool any = false;
    for (int k = 0; k <= h->kind_count; k++) {
        if (count_of[k] <= SENTENCES_OF_A_KIND)
            continue;
        fputs(any ? ", " : "<p class=\"faint\">Not listed: ", out);
        html_print(out, "%d \u00d7 %s", count_of[k] - SENTENCES_OF_A_KIND,
                   k < h->kind_count ? h->kinds[k] : "unknown kind");
        any = true;
    }
    if (collisions_left > 0) {
        fprintf(out, "%s%d collisions",
                any ? ", " : "<p class=\"faint\">Not listed: ", collisions_left);
        any = true;
    }
    if (any)
        fputs(".</p>\n", out);
    if (h->left_out > 0)
        fprintf(out,
                "<p class=\"faint\">%lld rows of the tables of events and impacts could not be "
                "used: they have no valid time or vehicle, or are beyond the first million.</p>\n",
                (long long)h->left_out);
}

void report_write_happened(FILE *out, const report_run *r)
{
    const report_happened *h = &r->happened;
    const double start = r->record.time[0], end = r->record.time[r->record.row_count - 1];
    int *count_of = calloc((size_t)h->kind_count + 1, sizeof *count_of);
    int c = 0;
    html_section_begin(out, "happened", "What happened");
    fputs("<ol class=\"happened\">\n<li>", out);
    write_time(out, start);
    fputs("<span>The record begins.</span></li>\n", out);
    for (int i = 0; i <= h->event_count && count_of; i++) {
        const report_event *e = i < h->event_count ? &h->events[i] : NULL;
        for (; c < h->collision_count && (!e || h->collisions[c].first < e->t); c++)
            if (c < COLLISIONS_MAX)
                write_collision(out, r, c);
        if (e && ++count_of[e->number >= 0 ? e->number : h->kind_count] <= SENTENCES_OF_A_KIND)
            write_event(out, r, e);
    }
    fputs("<li>", out);
    write_time(out, end);
    const char *ended = results_reader_text(r->record.file, "ended");
    fputs("<span>The record ends", out);
    if (!results_reader_complete(r->record.file))
        fputs(" here: the run was still in progress, or was killed", out);
    else if (ended && *ended)
        html_print(out, ": %s", ended);
    fputs(".</span></li>\n</ol>\n", out);
    if (count_of)
        write_left_out(out, h, count_of, h->collision_count - COLLISIONS_MAX);
    if (!h->has_events)
        fputs("<p class=\"faint\">The file has no table of events.</p>\n", out);
    if (!h->has_impacts)
        fputs("<p class=\"faint\">The file has no table of impacts, so collisions are not "
              "known.</p>\n",
              out);
    else if (h->collision_count == 0)
        fputs("<p>No two cars touched.</p>\n", out);
    html_section_end(out);
    free(count_of);
}

// ---- the table ----

static void write_row(FILE *out, const report_run *r, int index)
{
    const report_happened *h = &r->happened;
    const mc_collision *c = &h->collisions[index];
    fputs("<tr>", out);
    html_cell_fixed(out, c->first, 4);
    html_cell(out, r->record.names[c->a]);
    html_cell(out, r->record.names[c->b]);
    html_cell_count(out, c->impact_count);
    html_cell_fixed(out, c->last - c->first, 4);
    html_cell_fixed(out, c->closing, 3);
    html_cell_fixed(out, 1e-3 * c->impulse, 3);
    for (int k = 0; k < h->energy_count; k++)
        html_cell_fixed(out, 1e-3 * h->energy[index * h->energy_count + k], 3);
    fputs("</tr>\n", out);
}

void report_write_collisions(FILE *out, const report_run *r)
{
    const report_happened *h = &r->happened;
    fputs("<div class=\"wide\"><table>\n<thead><tr>", out);
    html_heading(out, "first contact", "s", "time of the first micro-impact", 1);
    html_heading(out, "car a", "", "", 0);
    html_heading(out, "car b", "", "", 0);
    html_heading(out, "impacts", "", "number of micro-impacts", 1);
    html_heading(out, "lasting", "s", "from the first micro-impact to the last", 1);
    html_heading(out, "closing", "m/s", "closing speed of the surfaces at first contact", 1);
    html_heading(out, "impulse", "kN s", "sum over the micro-impacts", 1);
    for (int k = 0; k < h->energy_count; k++) {
        char name[80];
        snprintf(name, sizeof name, "%.79s", h->energies[k].name);
        for (char *c = name; *c; c++)
            *c = *c == '_' ? ' ' : *c;
        html_heading(out, name, "kJ", h->energies[k].doc, 1);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int i = 0; i < h->collision_count && i < ROWS_MAX; i++)
        write_row(out, r, i);
    fputs("</tbody></table></div>\n", out);
    if (h->collision_count > 1 && h->energy_count > 0)
        fputs("<p class=\"faint\">Energies are those of the two cars; in a pile-up they include "
              "the effect of a third car.</p>\n",
              out);
    if (h->collision_count > ROWS_MAX)
        fprintf(out, "<p class=\"faint\">The first %d of %d collisions.</p>\n", ROWS_MAX,
                h->collision_count);
}
