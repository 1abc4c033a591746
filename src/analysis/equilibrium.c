// equilibrium.c - the rest of a mechanism: coordinates, and outputs such as forces of springs.
#include "analysis/plant.h"

#include <stdlib.h>

static const mc_analysis_parameter parameters[] = {
    {"set", MC_ANALYSIS_FORM_TEXTS, "", NULL, 0, 0, "NAME=VALUE of a parameter or an input", false},
    {"hold", MC_ANALYSIS_FORM_TEXTS, "", NULL, 0, 0, "coordinate or state that is held", false},
};

// Wheels on the ground stand where they are.
static void find_rest(analysis *a, plant *p, double *outputs)
{
    const char *hold[16];
    int count = 0;
    while (count < 16 && (hold[count] = analysis_text_at(a, "hold", count)))
        count++;
    const bool wheels = mc_multibody_wheel_count(p->m) > 0;
    const mc_equilibrium_options rest = {
        .hold = hold, .hold_count = count, .standing = wheels, .outputs = outputs};
    a->status = mc_multibody_equilibrium(p->m, p->y, &rest, NULL, a->error);
    if (wheels)
        analysis_note(a, "place, heading and turns of wheels are held");
}

static void run(analysis *a)
{
    plant p;
    double *outputs = NULL;
    plant_load(a, &p);
    const mc_multibody_info *info = a->status == MC_OK ? mc_multibody_info_of(p.m) : NULL;
    if (info) {
        outputs = malloc(((size_t)info->output_count + 1) * sizeof *outputs);
        if (outputs)
            find_rest(a, &p, outputs);
        else
            analysis_no_memory(a);
    }
    if (a->status == MC_OK && info) {
        analysis_table(a, "rest", "value");
        for (int k = 0; k < info->q_count; k++)
            analysis_row(a, mc_multibody_name(p.m, MC_QUANTITY_COORDINATE, k), &p.y[k]);
        analysis_table(a, "outputs", "value");
        for (int k = 0; k < info->output_count; k++)
            analysis_row(a, mc_multibody_name(p.m, MC_QUANTITY_OUTPUT, k), &outputs[k]);
    }
    free(outputs);
    plant_close(&p);
}

const analysis_kind analysis_equilibrium = {
    {"equilibrium", "the rest of a mechanism and its outputs there", true, false, parameters,
     sizeof parameters / sizeof parameters[0], false},
    run};
