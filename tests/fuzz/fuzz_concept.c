// fuzz_concept.c - any bytes as a concept file: it is read and derived, or rejected with a place;
// what is derived is a mechanism, or rejected with a reason.
#include "base/assert.h"
#include "concept/concept.h"
#include "fuzz/fuzz.h"
#include "mechanism_file/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check_masses(const mc_concept *c)
{
    mc_concept_mass m;
    double sum = 0.0;
    for (int i = 0; mc_concept_part(c, i, &m); i++) {
        mc_assert(m.mass >= 0.0 && isfinite(m.mass));
        sum += m.mass;
    }
    mc_concept_whole(c, &m);
    mc_assert(fabs(m.mass - sum) <= 1e-9 * (1.0 + sum));
    for (int i = 0; i < c->edge_count; i++) {
        mc_assert(c->edges[i].from >= -1 && c->edges[i].from < c->part_count);
        mc_assert(c->edges[i].to >= -1 && c->edges[i].to < c->part_count);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mc_error error = {0};
    mb_model model;
    char *text = malloc(size + 1);
    mc_assert(text);
    memcpy(text, data, size);
    text[size] = '\0';
    mc_concept *c = mc_concept_parse(text, "c.yaml", &error);
    if (c) {
        check_masses(c);
        char *mechanism = mc_concept_mechanism(c, NULL, &error);
        if (mechanism) {
            if (mechanism_parse(mechanism, strlen(mechanism), "m.yaml", &model, &error) == MC_OK)
                mb_model_free(&model);
            free(mechanism);
        }
        mc_concept_free(c);
    } else {
        mc_assert(error.code == MC_BAD_INPUT && strlen(error.text) > 10);
        mc_assert(strcmp(error.file, "c.yaml") == 0 && !strchr(error.text, '\n'));
        mc_assert(error.line >= 0 && (size_t)error.line <= size + 1);
    }
    free(text);
    return 0;
}
