// concept_study.c - suspensions of a concept on the rig, and analyses of what is on the bench.
#include "studio/request/requests.h"

#include "motorcade/analysis.h"
#include "motorcade/suspension_rig.h"
#include "studio/hub/inside.h"
#include "studio/request/concept_text.h"
#include "studio/request/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VALUES_MAX = 400, ROWS_MAX = 200000 };

// ---- rig ----

static json_t *curves_json(const mc_suspension_curves *s)
{
    json_t *out = json_object(), *columns = json_array();
    for (int k = 0; k < s->column_count; k++)
        json_array_append_new(columns, json_pack("{s:s,s:s,s:s}", "name", s->column[k].name, "unit",
                                                 s->column[k].unit, "doc", s->column[k].doc));
    json_put(out, "axle", json_string(s->axle));
    json_put(out, "template", json_string(s->suspension));
    json_put(out, "columns", columns);
    json_put(out, "rows", json_integer(s->row_count));
    json_put(out, "values", json_values(s->value, s->row_count * s->column_count));
    return out;
}

// `concept_rig`: what the wheels of an axle do over travel, together or opposite, or over steering.
void request_concept_rig(request *r)
{
    static const char *const motions[] = {"parallel", "opposite", "steer"};
    concept_text t = {0};
    const char *axle, *motion;
    double from, to, rows;
    int which = -1;
    if (!read_text(r, "axle", 63, "", &axle) || !read_text(r, "motion", 20, "parallel", &motion) ||
        !read_number(r, "from", -1, 0, -0.1, &from) || !read_number(r, "to", 0, 1, 0.1, &to) ||
        !read_number(r, "rows", 3, 401, 21, &rows))
        return;
    for (int k = 0; k < MC_SUSPENSION_MOTION_COUNT; k++)
        which = strcmp(motions[k], motion) == 0 ? k : which;
    if (which < 0) {
        request_reject(r, "motion", "unknown motion \"%.20s\"; expected parallel, opposite, steer",
                       motion);
        return;
    }
    mc_error error = {0};
    if (concept_text_read(r, &t)) {
        const mc_suspension_options o = {.axle = axle[0] ? axle : NULL,
                                         .motion = (mc_suspension_motion)which,
                                         .from = from,
                                         .to = to,
                                         .row_count = (int)rows};
        mc_suspension_curves curves;
        mc_concept *c = mc_concept_parse(t.text, t.file, &error);
        if (c && mc_suspension_measure(c, &o, &curves, &error) == MC_OK) {
            request_done(r, curves_json(&curves));
            mc_suspension_curves_free(&curves);
        } else {
            request_reject_error(r, &error);
        }
        mc_concept_free(c);
    }
    concept_text_drop(&t);
}

// ---- analyses ----

typedef struct asked {
    mc_analysis_value value[VALUES_MAX];
    char (*texts)[200]; // of start values
    int count;
} asked;

static bool read_values(request *r, asked *a)
{
    json_t *values = json_object_get(r->body, "values"), *value;
    const char *name;
    if (values && !json_is_object(values)) {
        request_reject(r, "values", "values must be an object of texts or lists of texts");
        return false;
    }
    json_object_foreach(values, name, value)
    {
        const size_t n = json_is_array(value) ? json_array_size(value) : 1;
        for (size_t k = 0; k < n && a->count < VALUES_MAX; k++) {
            const char *text =
                json_string_value(json_is_array(value) ? json_array_get(value, k) : value);
            if (!text) {
                request_reject(r, "values", "%.60s must be a text or a list of texts", name);
                return false;
            }
            a->value[a->count++] = (mc_analysis_value){name, text};
        }
    }
    return true;
}

// The state from which the world runs, as values of `set`.
static bool add_start(request *r, const bench *b, asked *a)
{
    double *y = calloc((size_t)b->y_count + 1, sizeof *y);
    mc_multibody *m = y ? bench_make(b, y, NULL) : NULL;
    const char *name;
    a->texts = calloc(VALUES_MAX, sizeof *a->texts);
    for (int i = 0; m && a->texts && (name = mc_multibody_name(m, MC_QUANTITY_COORDINATE, i)); i++)
        if (a->count < VALUES_MAX) {
            snprintf(a->texts[a->count], sizeof a->texts[0], "%.150s=%.17g", name, b->y[i]);
            a->value[a->count] = (mc_analysis_value){"set", a->texts[a->count]};
            a->count++;
        }
    const bool good = m && a->texts;
    if (!good)
        request_reject(r, NULL, "no memory for the analysis");
    mc_multibody_free(m);
    free(y);
    return good;
}

static json_t *table_json(const mc_analysis_table *t)
{
    json_t *out = json_object(), *columns = json_array(), *labels = json_array();
    for (int k = 0; k < t->column_count; k++)
        json_array_append_new(columns, json_pack("{s:s,s:s}", "name", t->columns[k], "unit",
                                                 t->units[k] ? t->units[k] : ""));
    bool any = false;
    for (int k = 0; k < t->row_count; k++)
        any = any || (t->labels[k] && t->labels[k][0]);
    for (int k = 0; any && k < t->row_count; k++)
        json_array_append_new(labels, json_string(t->labels[k] ? t->labels[k] : ""));
    json_put(out, "title", json_string(t->title));
    json_put(out, "columns", columns);
    json_put(out, "rows", json_integer(t->row_count));
    bench_put_numbers(out, "values", t->values, (size_t)t->row_count * (size_t)t->column_count);
    json_put(out, "labels", labels);
    json_put(out, "curves", json_boolean(t->curves));
    json_put(out, "logarithmic", json_boolean(t->logarithmic));
    return out;
}

static void run(request *r, const char *name, const char *path, const char *shown, const asked *a)
{
    mc_analysis_result result = {0};
    mc_error error = {0};
    if (mc_analysis_run(name, path, a->value, a->count, &result, &error) != MC_OK) {
        snprintf(error.file, sizeof error.file, "%s", shown);
        request_reject_error(r, &error);
        return;
    }
    json_t *out = json_object(), *tables = json_array(), *notes = json_array();
    for (int k = 0; k < result.table_count; k++)
        if (result.tables[k].row_count <= ROWS_MAX)
            json_array_append_new(tables, table_json(&result.tables[k]));
    for (int k = 0; k < result.note_count; k++)
        json_array_append_new(notes, json_string(result.notes[k]));
    json_put(out, "tables", tables);
    json_put(out, "notes", notes);
    mc_analysis_free(&result);
    request_done(r, out);
}

static json_t *row_json(const mc_analysis *is)
{
    static const char *const forms[] = {"number", "whole", "text", "texts"};
    json_t *row = json_object(), *parameters = json_array();
    for (int k = 0; k < is->parameter_count; k++) {
        const mc_analysis_parameter *p = &is->parameters[k];
        json_t *one = json_object();
        json_put(one, "name", json_string(p->name));
        json_put(one, "form", json_string(forms[p->form]));
        json_put(one, "unit", json_string(p->unit));
        json_put(one, "fallback", p->fallback ? json_string(p->fallback) : json_null());
        json_put(one, "doc", json_string(p->doc));
        json_put(one, "needed", json_boolean(p->needed));
        json_array_append_new(parameters, one);
    }
    json_put(row, "name", json_string(is->name));
    json_put(row, "doc", json_string(is->doc));
    json_put(row, "concepts", json_boolean(is->concepts));
    json_put(row, "parameters", parameters);
    return row;
}

// `analyses`: the table of analyses of mechanisms, from which forms are made.
void request_analyses(request *r)
{
    json_t *out = json_object(), *rows = json_array();
    const mc_analysis *is;
    for (int k = 0; (is = mc_analysis_at(k)); k++)
        if (is->mechanisms)
            json_array_append_new(rows, row_json(is));
    json_put(out, "rows", rows);
    request_done(r, out);
}

// `analyse`: a row of the table of analyses, of the mechanism of a world as it starts.
void request_analyse(request *r)
{
    const char *name;
    branch *world;
    if (!read_text(r, "name", 40, NULL, &name) || !read_branch(r, &world))
        return;
    bench *b = bench_of(world);
    branch_drop(world);
    asked *a = calloc(1, sizeof *a);
    char path[200];
    snprintf(path, sizeof path, "%s/analysis.yaml", r->h->temporary);
    if (!b || !a) {
        request_reject(r, "world", "this world is no mechanism on the bench");
    } else if (read_values(r, a)) {
        const mc_analysis *is = mc_analysis_find(name);
        bool sets = false; // those of concepts begin at rest themselves
        for (int k = 0; is && !is->concepts && k < is->parameter_count; k++)
            sets = sets || strcmp(is->parameters[k].name, "set") == 0;
        FILE *out = fopen(path, "wb");
        const bool written = out && fwrite(b->text, strlen(b->text), 1, out) == 1;
        if (out && fclose(out) != 0)
            request_reject(r, NULL, "cannot write to the folder for temporary files");
        else if (!written)
            request_reject(r, NULL, "cannot write to the folder for temporary files");
        else if (!sets || add_start(r, b, a))
            run(r, name, path, b->file, a);
        unlink(path);
    }
    if (a)
        free(a->texts);
    free(a);
    bench_drop(b);
}
