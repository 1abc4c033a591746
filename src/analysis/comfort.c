// comfort.c - weighted accelerations after ISO 2631-1 of any column.
#include "analysis/series.h"
#include "signal/weight.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const mc_analysis_parameter parameters[] = {
    {"column", MC_ANALYSIS_FORM_TEXTS, "", NULL, 0, 0,
     "acceleration of the file or, with derivative, velocity or position; may be repeated", true},
    {"weight", MC_ANALYSIS_FORM_TEXTS, "", NULL, 0, 0,
     "Wk, Wd, Wb, Wc, We, Wf or Wj, one per column; default: Wk", false},
    {"derivative", MC_ANALYSIS_FORM_WHOLE, "", "0", 0, 2,
     "of the columns: 1 of velocities, 2 of positions", false},
    {"set", MC_ANALYSIS_FORM_TEXTS, "", NULL, 0, 0, "mechanism: NAME=VALUE", false},
};

static const signal_weight *weight_of(analysis *a, int k)
{
    const char *name = analysis_text_at(a, "weight", k);
    const signal_weight *w = signal_weight_find(name ? name : "Wk");
    if (!w)
        analysis_reject(a, "unknown weight \"%.20s\"; expected Wk, Wd, Wb, Wc, We, Wf or Wj", name);
    return w;
}

static void run(analysis *a)
{
    const char *column;
    double total = 0.0;
    analysis_table(a, "weighted acceleration",
                   "unweighted [m/s^2]|r.m.s. [m/s^2]|dose [m/s^1.75]|running [m/s^2]|peak "
                   "[m/s^2]|crest");
    for (int k = 0; a->status == MC_OK && (column = analysis_text_at(a, "column", k)); k++) {
        analysis_series s;
        signal_comfort c;
        const signal_weight *w = weight_of(a, k);
        if (a->status == MC_OK)
            analysis_series_read(a, column, &s);
        if (a->status != MC_OK)
            return;
        analysis_differentiate(&s, (int)analysis_number(a, "derivative"));
        a->status = signal_weigh(w, s.x, s.count, s.rate, NULL, &c, a->error);
        char label[160];
        strncpy(label, column, 140);
        label[140] = '\0';
        strcat(label, " ");
        strcat(label, w->name);
        const double row[] = {c.raw,  c.rms,  c.vdv,
                              c.mtvv, c.peak, c.rms > 0.0 ? c.peak / c.rms : NAN};
        analysis_row(a, label, row);
        total += c.rms * c.rms;
        if (k == 0)
            analysis_note(a, "%d rows at %.6g Hz, %.5g s; weighted in the frequency domain",
                          s.count, s.rate, s.count / s.rate);
        if (s.rate < 160.0)
            analysis_note(a, "%s: frequencies above %.4g Hz are not in the rows", column,
                          s.rate / 2.0);
        free(s.x);
    }
    analysis_note(a, "total value (root of the sum of squares) %.6g m/s^2", sqrt(total));
}

const analysis_kind analysis_comfort = {
    {"comfort", "ISO 2631-1 weighted acceleration: r.m.s., vibration dose, running r.m.s.", true,
     true, parameters, sizeof parameters / sizeof parameters[0], false},
    run};
