// axles.c - axle loads of a concept at rest on its tyres.
#include "analysis/plant.h"
#include "motorcade/concept_live.h"

#include <stdlib.h>

static const mc_analysis_parameter parameters[] = {
    {"set", MC_ANALYSIS_FORM_TEXTS, "", NULL, 0, 0,
     "NAME=VALUE of a parameter or an input, or PLACE=VALUE of the concept", false},
};

static void tabulate(analysis *a, const mc_concept *c, const mc_concept_loads *loads)
{
    double all = 0.0;
    mc_concept_dimensions d;
    mc_concept_measure(c, &d);
    for (int k = 0; k < loads->axle_count; k++)
        all += loads->load[k];
    analysis_table(a, "axles", "load [N]|share [%]|sink [m]");
    for (int k = 0; k < loads->axle_count; k++) {
        const double row[] = {loads->load[k], 100.0 * loads->load[k] / all, loads->sink[k]};
        analysis_row(a, d.axle[k].name, row);
    }
}

static void run(analysis *a)
{
    plant p = {0};
    mc_concept_loads loads = {0};
    mc_concept *c = mc_concept_load(a->file, a->error);
    a->status = c ? MC_OK : a->error->code;
    if (c && !mc_concept_on_tyres(c))
        analysis_reject(a, "axle loads need tyre springs under all axles");
    if (a->status == MC_OK)
        plant_open(a, &p);
    if (a->status == MC_OK)
        a->status = mc_concept_loads_at(c, p.m, p.y, &loads, a->error);
    if (a->status == MC_OK)
        tabulate(a, c, &loads);
    plant_close(&p);
    mc_concept_free(c);
}

const analysis_kind analysis_axles = {
    {"axles", "axle loads of a concept at rest on its tyres, and how far its wheels sink", true,
     false, parameters, sizeof parameters / sizeof parameters[0], true},
    run};
