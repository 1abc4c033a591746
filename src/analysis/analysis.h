// analysis.h - what analyses share: their values, the tables and notes they fill.
//
// The first failure is kept as status; later calls do no harm.
#pragma once

#include "base/arena.h"
#include "motorcade/analysis.h"

typedef struct analysis {
    const mc_analysis *is;
    const char *file;
    const mc_analysis_value *values;
    int value_count;
    arena memory; // of the result
    struct analysis_table *tables[8];
    int table_count;
    const char *notes[64];
    int note_count;
    mc_status status;
    mc_error *error;
} analysis;

typedef struct analysis_kind {
    mc_analysis is;
    void (*run)(analysis *a);
} analysis_kind;

void analysis_reject(analysis *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
void analysis_no_memory(analysis *a);

// Values, checked already; a missing one is its default, NAN or NULL where it has none.
double analysis_number(const analysis *a, const char *name);
const char *analysis_text(const analysis *a, const char *name);
const char *analysis_text_at(const analysis *a, const char *name, int index); // NULL past the last

void analysis_note(analysis *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

// A table with columns "name [unit]" in one text, separated by '|'; then rows, label NULL: "".
void analysis_table(analysis *a, const char *title, const char *columns);
void analysis_row(analysis *a, const char *label, const double *values);
// Hands what was gathered to a result, or frees it after a failure.
mc_status analysis_end(analysis *a, mc_analysis_result *out);

void analysis_curves(analysis *a, bool logarithmic); // the last table is drawn
