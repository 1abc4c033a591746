// equilibrium.c - the rest of a mechanism: coordinates, and outputs such as forces of springs.
#include "analysis/plant.h"

#include <stdlib.h>

static const mc_analysis_parameter parameters[] = {
    {"set", MC_ANALYSIS_FORM_TEXTS, "", NULL, 0, 0, "NAME=VALUE of a parameter or an input", false},
    {"hold", MC_ANALYSIS_FORM_TEXTS, "", NULL, 0, 0, "coordinate or state that is held", false},
};

static void run(analysis *a)
{
    plant p;
    plant_open(a, &p);
    double *outputs = NULL;
    if (a->status == MC_OK) {
        const mc_multibody_info *info = mc_multibody_info_of(p.m);
        outputs = malloc(((size_t)info->output_count + 1) * sizeof *outputs);
        if (!outputs)
            analysis_no_memory(a);
        analysis_table(a, "rest", "value");
        for (int k = 0; k < info->q_count; k++)
            analysis_row(a, mc_multibody_name(p.m, MC_QUANTITY_COORDINATE, k), &p.y[k]);
        if (outputs)
            mc_multibody_outputs(p.m, 0.0, p.y, outputs);
        analysis_table(a, "outputs", "value");
        for (int k = 0; outputs && k < info->output_count; k++)
            analysis_row(a, mc_multibody_name(p.m, MC_QUANTITY_OUTPUT, k), &outputs[k]);
    }
    free(outputs);
    plant_close(&p);
}

const analysis_kind analysis_equilibrium = {
    {"equilibrium", "the rest of a mechanism and its outputs there", true, false, parameters,
     sizeof parameters / sizeof parameters[0]},
    run};
