// analysis.c - the table of analyses; values checked, results gathered.
#include "analysis/analysis.h"

#include "analysis/edited.h"
#include "analysis/kinds.h"
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct analysis_table {
    char *title, *text; // names and units, cut in place
    const char *columns[32], *units[32];
    int column_count, row_count, room;
    double *values;
    const char **labels;
    bool curves, logarithmic;
};

#define KIND(name) extern const analysis_kind analysis_##name;
ANALYSIS_KINDS(KIND)
#undef KIND
#define KIND(name) &analysis_##name,
static const analysis_kind *const kinds[] = {ANALYSIS_KINDS(KIND)};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

const mc_analysis *mc_analysis_at(int index)
{
    return index >= 0 && index < KINDS ? &kinds[index]->is : NULL;
}

static const analysis_kind *find(const char *name)
{
    for (int k = 0; k < KINDS; k++)
        if (strcmp(kinds[k]->is.name, name) == 0)
            return kinds[k];
    return NULL;
}

const mc_analysis *mc_analysis_find(const char *name)
{
    const analysis_kind *kind = find(name);
    return kind ? &kind->is : NULL;
}

// ---- failures and notes ----

void analysis_reject(analysis *a, const char *format, ...)
{
    char text[sizeof a->error->text];
    va_list list;
    if (a->status != MC_OK)
        return;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    a->status = mc_error_set(a->error, MC_BAD_INPUT, a->file, 0, 0, "%s", text);
}

void analysis_no_memory(analysis *a)
{
    if (a->status == MC_OK)
        a->status = mc_error_set(a->error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the analysis");
}

void analysis_note(analysis *a, const char *format, ...)
{
    char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    const char *copy = arena_copy_text(&a->memory, text, strlen(text));
    if (!copy)
        analysis_no_memory(a);
    else if (a->note_count < (int)(sizeof a->notes / sizeof a->notes[0]))
        a->notes[a->note_count++] = copy;
}

// ---- values ----

static const mc_analysis_parameter *parameter(const mc_analysis *is, const char *name)
{
    for (int k = 0; k < is->parameter_count; k++)
        if (strcmp(is->parameters[k].name, name) == 0)
            return &is->parameters[k];
    return NULL;
}

const char *analysis_text_at(const analysis *a, const char *name, int index)
{
    for (int k = 0; k < a->value_count; k++)
        if (strcmp(a->values[k].name, name) == 0 && index-- == 0)
            return a->values[k].text;
    return NULL;
}

const char *analysis_text(const analysis *a, const char *name)
{
    const char *given = analysis_text_at(a, name, 0);
    return given ? given : parameter(a->is, name)->fallback;
}

double analysis_number(const analysis *a, const char *name)
{
    double value = NAN;
    const char *text = analysis_text(a, name);
    if (text)
        text_to_double(text, &value);
    return value;
}

static void check_value(analysis *a, const mc_analysis_value *v)
{
    const mc_analysis_parameter *p = parameter(a->is, v->name);
    double value;
    if (!p) {
        const char *names[64];
        int count = 0;
        for (; count < a->is->parameter_count && count < 64; count++)
            names[count] = a->is->parameters[count].name;
        const char *near = text_nearest(v->name, names, count);
        analysis_reject(a, "%s has no parameter \"%.60s\"%s%s", a->is->name, v->name,
                        near ? "; did you mean " : "", near ? near : "");
        return;
    }
    if (p->form != MC_ANALYSIS_FORM_NUMBER && p->form != MC_ANALYSIS_FORM_WHOLE)
        return;
    if (!text_to_double(v->text, &value) ||
        (p->form == MC_ANALYSIS_FORM_WHOLE && value != floor(value)))
        analysis_reject(a, "%s: found \"%.60s\", expected a %snumber", v->name, v->text,
                        p->form == MC_ANALYSIS_FORM_WHOLE ? "whole " : "");
    else if (!(value >= p->min && value <= p->max))
        analysis_reject(a, "%s is %g; expected %g to %g%s%s", v->name, value, p->min, p->max,
                        p->unit[0] ? " " : "", p->unit);
}

static void check_values(analysis *a)
{
    for (int k = 0; k < a->value_count && a->status == MC_OK; k++)
        check_value(a, &a->values[k]);
    for (int k = 0; k < a->is->parameter_count && a->status == MC_OK; k++) {
        const mc_analysis_parameter *p = &a->is->parameters[k];
        if (p->needed && !analysis_text_at(a, p->name, 0))
            analysis_reject(a, "%s needs --%s (%s)", a->is->name, p->name, p->doc);
    }
}

// ---- tables ----

void analysis_table(analysis *a, const char *title, const char *columns)
{
    struct analysis_table *t = arena_alloc(&a->memory, sizeof *t);
    const int most = (int)(sizeof a->tables / sizeof a->tables[0]);
    if (t) {
        t->title = arena_copy_text(&a->memory, title, strlen(title));
        t->text = arena_copy_text(&a->memory, columns, strlen(columns));
    }
    if (!t || !t->title || !t->text || a->table_count == most) {
        analysis_no_memory(a);
        return;
    }
    a->tables[a->table_count++] = t;
    for (char *at = t->text; at && t->column_count < 32; t->column_count++) {
        char *next = strchr(at, '|'), *unit = strchr(at, '[');
        if (next)
            *next++ = '\0';
        t->columns[t->column_count] = at;
        t->units[t->column_count] = "";
        if (unit && (!next || unit < next)) {
            unit[-1] = '\0';
            t->units[t->column_count] = unit + 1;
            unit[strcspn(unit, "]")] = '\0';
        }
        at = next;
    }
}

void analysis_row(analysis *a, const char *label, const double *values)
{
    if (a->status != MC_OK || a->table_count == 0)
        return;
    struct analysis_table *t = a->tables[a->table_count - 1];
    if (t->row_count == t->room) {
        const int room = t->room ? 2 * t->room : 16;
        double *more = realloc(t->values, (size_t)room * (size_t)t->column_count * sizeof *more);
        const char **labels = more ? realloc(t->labels, (size_t)room * sizeof *labels) : NULL;
        t->values = more ? more : t->values;
        t->labels = labels ? labels : t->labels;
        if (!more || !labels) {
            analysis_no_memory(a);
            return;
        }
        t->room = room;
    }
    label = label ? label : "";
    const char *copy = arena_copy_text(&a->memory, label, strlen(label));
    if (!copy) {
        analysis_no_memory(a);
        return;
    }
    memcpy(t->values + (size_t)t->row_count * (size_t)t->column_count, values,
           (size_t)t->column_count * sizeof *values);
    t->labels[t->row_count++] = copy;
}

void analysis_curves(analysis *a, bool logarithmic)
{
    if (a->table_count == 0)
        return;
    a->tables[a->table_count - 1]->curves = true;
    a->tables[a->table_count - 1]->logarithmic = logarithmic;
}

// ---- running ----

typedef struct kept { // what a result holds
    arena memory;
    struct analysis_table *tables[8];
    int table_count;
} kept;

static void release(analysis *a)
{
    for (int k = 0; k < a->table_count; k++) {
        free(a->tables[k]->values);
        free(a->tables[k]->labels);
    }
    arena_free(&a->memory);
}

static mc_status hand_over(analysis *a, mc_analysis_result *out)
{
    mc_analysis_table *tables =
        arena_alloc(&a->memory, ((size_t)a->table_count + 1) * sizeof *tables);
    const char **notes = arena_alloc(&a->memory, ((size_t)a->note_count + 1) * sizeof *notes);
    kept *k = malloc(sizeof *k);
    if (!tables || !notes || !k) {
        free(k);
        analysis_no_memory(a);
        return a->status;
    }
    for (int i = 0; i < a->table_count; i++) {
        const struct analysis_table *t = a->tables[i];
        tables[i] =
            (mc_analysis_table){t->title,  t->column_count, t->row_count, t->columns,    t->units,
                                t->values, t->labels,       t->curves,    t->logarithmic};
    }
    for (int i = 0; i < a->note_count; i++)
        notes[i] = a->notes[i];
    k->memory = a->memory;
    k->table_count = a->table_count;
    memcpy(k->tables, a->tables, sizeof k->tables);
    *out = (mc_analysis_result){tables, a->table_count, notes, a->note_count, k};
    return MC_OK;
}

mc_status analysis_end(analysis *a, mc_analysis_result *out)
{
    if (a->status == MC_OK)
        hand_over(a, out);
    if (a->status != MC_OK)
        release(a);
    return a->status;
}

mc_status mc_analysis_run(const char *name, const char *file, const mc_analysis_value *values,
                          int value_count, mc_analysis_result *out, mc_error *error)
{
    mc_error unused;
    const analysis_kind *kind = find(name);
    analysis a = {.file = file,
                  .values = values,
                  .value_count = value_count,
                  .error = error ? error : &unused};
    *out = (mc_analysis_result){0};
    if (!kind)
        return mc_error_set(a.error, MC_BAD_INPUT, NULL, 0, 0, "unknown analysis \"%.60s\"", name);
    a.is = &kind->is;
    check_values(&a);
    if (a.status == MC_OK) {
        edited e;
        edited_open(&a, &e);
        if (a.status == MC_OK)
            kind->run(&a);
        edited_close(&a, &e);
    }
    return analysis_end(&a, out);
}

void mc_analysis_free(mc_analysis_result *result)
{
    kept *k = result->memory;
    if (k) {
        analysis a = {.memory = k->memory, .table_count = k->table_count};
        memcpy(a.tables, k->tables, sizeof a.tables);
        release(&a);
        free(k);
    }
    *result = (mc_analysis_result){0};
}
