// analysis.h - analyses of mechanisms and of results: one table, from which commands, options and
// forms are made.
//
//     const mc_analysis_value values[] = {{"input", "road"}, {"output", "body.travel"}};
//     mc_analysis_result result;
//     if (mc_analysis_run("transfer", "models/quarter.yaml", values, 2, &result, &error) == MC_OK)
//         printf("%d tables\n", result.table_count);
//     mc_analysis_free(&result);
//
// An analysis has a name, parameters with unit, default and range, and results: tables of numbers
// with a text per row, and notes, one line each. Files are mechanisms (MODEL.yaml), results
// (run.h5 of run, medusa or simulate) or CSV files with a column t.
//
// A value of `set` changes a parameter or an input of the mechanism, or, by its path in a concept
// file (axles.rear.spring.stiffness=40 kN/m), a number of the concept.
//
// Threads: analyses run independently; a result belongs to its caller.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>

#include "motorcade/begin.h"

typedef enum mc_analysis_form {
    MC_ANALYSIS_FORM_NUMBER,
    MC_ANALYSIS_FORM_WHOLE,
    MC_ANALYSIS_FORM_TEXT,
    MC_ANALYSIS_FORM_TEXTS, // may be given several times
} mc_analysis_form;

typedef struct mc_analysis_parameter {
    const char *name;
    mc_analysis_form form;
    const char *unit;     // of a number; "": none
    const char *fallback; // as text; NULL: see doc
    double min, max;      // of a number
    const char *doc;
    bool needed;
} mc_analysis_parameter;

typedef struct mc_analysis {
    const char *name, *doc;
    bool mechanisms, results; // kinds of files that it takes
    const mc_analysis_parameter *parameters;
    int parameter_count;
    bool concepts; // of mechanisms only those that are vehicle concepts
} mc_analysis;

const mc_analysis *mc_analysis_at(int index); // NULL past the last
const mc_analysis *mc_analysis_find(const char *name);

typedef struct mc_analysis_value {
    const char *name, *text;
} mc_analysis_value;

typedef struct mc_analysis_table {
    const char *title;
    int column_count, row_count;
    const char *const *columns; // column_count names
    const char *const *units;
    const double *values;      // row by row; NAN: none
    const char *const *labels; // row_count texts; "" where there is none
    bool curves;               // the first column is an axis for the others
    bool logarithmic;          // of both axes
} mc_analysis_table;

typedef struct mc_analysis_result {
    const mc_analysis_table *tables;
    int table_count;
    const char *const *notes;
    int note_count;
    void *memory;
} mc_analysis_result;

// MC_BAD_INPUT: unknown analysis, parameter or column, a value out of range, a file that it does
// not take.
mc_status mc_analysis_run(const char *name, const char *file, const mc_analysis_value *values,
                          int value_count, mc_analysis_result *out, mc_error *error);
// The same over a grid: vary are axes of a mechanism's parameters and inputs, NAME=FROM:TO:STEP or
// NAME=V1,V2,...; the result is one table, a row per point, whose columns are the axes and the
// cells of the first table of the analysis.
mc_status mc_analysis_sweep(const char *name, const char *file, const mc_analysis_value *values,
                            int value_count, const char *const *vary, int vary_count,
                            mc_analysis_result *out, mc_error *error);
void mc_analysis_free(mc_analysis_result *result);

#include "motorcade/end.h"
