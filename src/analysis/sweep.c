// sweep.c - an analysis over a grid of parameters: one row per point, a column per figure.
//
// Figures are the cells of the first table of the analysis, named by row and column. Points at
// which the analysis fails (a mechanism that is not possible) have no figures, and a note.
#include "analysis/analysis.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AXES_MAX = 4, POINTS_MAX = 100000, FIGURES_MAX = 24, VALUES_MAX = 64 };

typedef struct axis {
    char name[128];
    double *values;
    int count;
} axis;

typedef struct sweeping {
    analysis a; // of the table
    axis axes[AXES_MAX];
    int axis_count;
    int figures;
} sweeping;

// NAME=FROM:TO:STEP or NAME=V1,V2,...
static void read_axis(analysis *a, const char *text, axis *out)
{
    const char *equals = strchr(text, '=');
    double from, to, step;
    char end;
    *out = (axis){0};
    snprintf(out->name, sizeof out->name, "%.*s", equals ? (int)(equals - text) : 0, text);
    out->values = malloc((POINTS_MAX + 1) * sizeof *out->values);
    if (!out->values) {
        analysis_no_memory(a);
        return;
    }
    if (equals && sscanf(equals + 1, "%lf:%lf:%lf%c", &from, &to, &step, &end) == 3) {
        if (step != 0.0 && (to - from) / step >= 0.0 && (to - from) / step < POINTS_MAX)
            for (; out->count <= (to - from) / step * (1.0 + 1e-9) + 1e-9; out->count++)
                out->values[out->count] = from + out->count * step;
    } else if (equals) {
        char word[64];
        for (const char *at = equals + 1; *at && out->count < POINTS_MAX;) {
            const size_t n = strcspn(at, ",");
            snprintf(word, sizeof word, "%.*s", n < 60 ? (int)n : 60, at);
            if (!text_to_double(word, &out->values[out->count++])) {
                out->count = 0;
                break;
            }
            at += n + (at[n] == ',');
        }
    }
    if (out->count == 0)
        analysis_reject(a, "vary: found \"%.80s\", expected NAME=FROM:TO:STEP or NAME=V1,V2,...",
                        text);
}

// The columns of the table, from the first result.
static void name_columns(sweeping *s, const mc_analysis_table *t)
{
    char names[4000] = "";
    for (int k = 0; k < s->axis_count; k++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", k ? "|" : "",
                 s->axes[k].name);
    for (int i = 0; i < t->row_count && s->figures < FIGURES_MAX; i++)
        for (int k = 0; k < t->column_count && s->figures < FIGURES_MAX; k++, s->figures++)
            snprintf(names + strlen(names), sizeof names - strlen(names), "|%s%d%s%s %s%s%s%s", "",
                     i + 1, t->labels[i][0] ? " " : "", t->labels[i], t->columns[k],
                     t->units[k][0] ? " [" : "", t->units[k], t->units[k][0] ? "]" : "");
    analysis_table(&s->a, "sweep", names);
    analysis_curves(&s->a, false);
}

static void add_point(sweeping *s, const double *at, const mc_analysis_table *t)
{
    double row[AXES_MAX + FIGURES_MAX];
    for (int k = 0; k < s->axis_count; k++)
        row[k] = at[k];
    for (int k = 0; k < s->figures; k++)
        row[s->axis_count + k] = t && k < t->row_count * t->column_count ? t->values[k] : NAN;
    analysis_row(&s->a, NULL, row);
}

static void run_point(sweeping *s, const char *name, long point, const mc_analysis_value *values,
                      int count)
{
    mc_analysis_value all[VALUES_MAX];
    char text[AXES_MAX][200];
    double at[AXES_MAX];
    mc_analysis_result r = {0};
    mc_error error = {0};
    memcpy(all, values, (size_t)count * sizeof *all);
    for (int k = s->axis_count - 1; k >= 0; k--) { // the last axis changes fastest
        at[k] = s->axes[k].values[point % s->axes[k].count];
        point /= s->axes[k].count;
        snprintf(text[k], sizeof text[k], "%s=%.17g", s->axes[k].name, at[k]);
        all[count + k] = (mc_analysis_value){"set", text[k]};
    }
    const mc_status status =
        mc_analysis_run(name, s->a.file, all, count + s->axis_count, &r, &error);
    if (status != MC_OK && s->a.table_count == 0) {
        s->a.status = status;
        *s->a.error = error;
    } else if (status != MC_OK) {
        analysis_note(&s->a, "%s = %g: %s", s->axes[0].name, at[0], error.text);
        add_point(s, at, NULL);
    } else {
        if (s->a.table_count == 0)
            name_columns(s, &r.tables[0]);
        add_point(s, at, &r.tables[0]);
    }
    mc_analysis_free(&r);
}

mc_status mc_analysis_sweep(const char *name, const char *file, const mc_analysis_value *values,
                            int value_count, const char *const *vary, int vary_count,
                            mc_analysis_result *out, mc_error *error)
{
    mc_error unused;
    sweeping s = {.a = {.file = file, .error = error ? error : &unused}};
    long points = 1;
    *out = (mc_analysis_result){0};
    if (vary_count < 1 || vary_count > AXES_MAX || value_count + vary_count > VALUES_MAX)
        analysis_reject(&s.a, "%d axes; expected 1 to %d", vary_count, AXES_MAX);
    for (; s.a.status == MC_OK && s.axis_count < vary_count; s.axis_count++) {
        read_axis(&s.a, vary[s.axis_count], &s.axes[s.axis_count]);
        points *= s.axes[s.axis_count].count;
        if (points > POINTS_MAX)
            analysis_reject(&s.a, "%ld points; expected at most %d", points, POINTS_MAX);
    }
    for (long k = 0; k < points && s.a.status == MC_OK; k++)
        run_point(&s, name, k, values, value_count);
    for (int k = 0; k < AXES_MAX; k++)
        free(s.axes[k].values);
    return analysis_end(&s.a, out);
}
