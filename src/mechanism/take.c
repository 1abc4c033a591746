// take.c - the numbers of another text of the same mechanism, without a new derivation.
//
// Every number of a mechanism that is not zero is a parameter (multibody/model.h). Two texts are
// the same mechanism if they differ in such numbers only. One scalar of the text is at most one
// parameter, so it is enough to count: as many scalars differ as parameters do. What a body looks
// like does not count.
#include "mechanism/mechanism.h"

#include "io/yaml.h"

#include <math.h>
#include <string.h>

// How many scalars differ; -1: they differ in more than that.
static int differences(const yaml_node *a, const yaml_node *b)
{
    if (a->kind != b->kind || a->count != b->count)
        return -1;
    if (a->kind == YAML_SCALAR)
        return strcmp(a->text, b->text) != 0;
    int sum = 0;
    for (a = a->first, b = b->first; a; a = a->next, b = b->next) {
        if (a->key && strcmp(a->key->text, b->key->text) != 0)
            return -1;
        const int more = a->key && strcmp(a->key->text, "shape") == 0 ? 0 : differences(a, b);
        if (more < 0)
            return -1;
        sum += more;
    }
    return sum;
}

static int parameters_that_differ(const mb_model *a, const mb_model *b)
{
    int count = 0;
    if (a->parameter_count != b->parameter_count)
        return -1;
    for (int i = 0; i < a->parameter_count; i++) {
        if (strcmp(a->parameters[i].name, b->parameters[i].name) != 0)
            return -1;
        count += a->parameters[i].value != b->parameters[i].value;
    }
    return count;
}

mc_status mc_multibody_take(mc_multibody *m, const char *text, const char *name, bool *taken,
                            mc_error *error)
{
    arena memory = {0};
    const yaml_node *old, *new;
    mb_model model = {0};
    *taken = false;
    mc_status status = yaml_parse(m->text, strlen(m->text), name, &memory, &old, error);
    if (status == MC_OK)
        status = yaml_parse(text, strlen(text), name, &memory, &new, error);
    const int scalars = status == MC_OK ? differences(old, new) : -1;
    if (scalars >= 0)
        status = mechanism_parse(text, strlen(text), name, &model, error);
    if (scalars >= 0 && status == MC_OK && parameters_that_differ(&m->model, &model) == scalars) {
        for (int i = 0; i < model.parameter_count && status == MC_OK; i++)
            status =
                mc_multibody_set(m, model.parameters[i].name, model.parameters[i].value, error);
        *taken = status == MC_OK;
    }
    if (*taken) {
        char *kept = arena_copy_text(&m->memory, text, strlen(text));
        m->text = kept ? kept : m->text;
    }
    mb_model_free(&model);
    arena_free(&memory);
    return status;
}
