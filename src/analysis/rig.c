// rig.c - a suspension of a concept over travel or steering, with its chassis fixed.
#include "analysis/analysis.h"
#include "base/text.h"
#include "motorcade/suspension_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const motions[MC_SUSPENSION_MOTION_COUNT] = {"parallel", "opposite", "steer"};

static const mc_analysis_parameter parameters[] = {
    {"axle", MC_ANALYSIS_FORM_TEXT, "", NULL, 0, 0, "by its name; default: the first", false},
    {"motion", MC_ANALYSIS_FORM_TEXT, "", "parallel", 0, 0,
     "parallel: both wheels alike; opposite: roll; steer: the rack moves, not the wheels", false},
    {"from", MC_ANALYSIS_FORM_NUMBER, "m", "-0.1", -10, 10, "first travel of the wheel or rack",
     false},
    {"to", MC_ANALYSIS_FORM_NUMBER, "m", "0.1", -10, 10, "last travel", false},
    {"rows", MC_ANALYSIS_FORM_WHOLE, "", "21", 2, 10000, "of the table", false},
    {"set", MC_ANALYSIS_FORM_TEXTS, "", NULL, 0, 0,
     "PLACE=VALUE of the concept, axles.front.hardpoints.wheel.2=0.4", false},
};

static mc_suspension_motion motion_of(analysis *a)
{
    const char *word = analysis_text(a, "motion");
    for (int k = 0; k < MC_SUSPENSION_MOTION_COUNT; k++)
        if (strcmp(motions[k], word) == 0)
            return (mc_suspension_motion)k;
    analysis_reject(a, "motion: found \"%.40s\", expected parallel, opposite or steer", word);
    return MC_SUSPENSION_PARALLEL;
}

static void tabulate(analysis *a, const mc_suspension_curves *s)
{
    char names[2000] = "";
    for (int k = 0; k < s->column_count; k++) {
        const char *unit = strcmp(s->column[k].unit, "-") == 0 ? "" : s->column[k].unit;
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s%s%s%s", k ? "|" : "",
                 s->column[k].name, unit[0] ? " [" : "", unit, unit[0] ? "]" : "");
    }
    analysis_note(a, "axle %s, %s; columns of the left wheel", s->axle, s->suspension);
    analysis_table(a, "rig", names);
    for (int i = 0; i < s->row_count; i++)
        analysis_row(a, NULL, s->value + (size_t)i * (size_t)s->column_count);
    analysis_curves(a, false);
}

static void run(analysis *a)
{
    mc_suspension_curves curves = {0};
    const mc_suspension_options o = {.axle = analysis_text(a, "axle"),
                                     .motion = motion_of(a),
                                     .from = analysis_number(a, "from"),
                                     .to = analysis_number(a, "to"),
                                     .row_count = (int)analysis_number(a, "rows")};
    const char *set = analysis_text_at(a, "set", 0);
    if (set)
        analysis_reject(a, "set: \"%.60s\" is not PLACE=VALUE of the concept", set);
    if (a->status != MC_OK)
        return;
    mc_concept *c = mc_concept_load(a->file, a->error);
    a->status = c ? mc_suspension_measure(c, &o, &curves, a->error) : a->error->code;
    if (a->status == MC_OK)
        tabulate(a, &curves);
    mc_suspension_curves_free(&curves);
    mc_concept_free(c);
}

const analysis_kind analysis_rig = {
    {"rig", "a suspension of a concept over travel or steering: camber, toe, rates, roll centre",
     true, false, parameters, sizeof parameters / sizeof parameters[0], true},
    run};
