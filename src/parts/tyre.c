// tyre.c - the list of tyre laws.
#include "parts/tyre.h"

#include "base/registry.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#define ADDRESS(word) &tyre_##word,
static const void *const built_in[] = {TYRE_KINDS(ADDRESS)};
static registry kinds = REGISTRY("tyre", built_in);

const tyre_kind *tyre_kind_at(int index)
{
    return registry_at(&kinds, index);
}

const tyre_kind *mc_tyre_at(int index)
{
    return tyre_kind_at(index);
}

const tyre_kind *tyre_kind_find(const char *name)
{
    const tyre_kind *kind;
    for (int i = 0; (kind = tyre_kind_at(i)); i++)
        if (strcasecmp(kind->name, name) == 0)
            return kind;
    return NULL;
}

const tyre_kind *tyre_default_for_spin(void)
{
    int i = 0;
    while (tyre_kind_at(i)->driven)
        i++;
    return tyre_kind_at(i);
}

// ---- from outside ----

static const char *name_at(int index)
{
    const tyre_kind *kind = tyre_kind_at(index);
    return kind ? kind->name : NULL;
}

// What a law for one of the two uses must have.
static mc_status check_half(const mc_tyre *t, const char *name, mc_error *error)
{
    mc_status status =
        registry_check_rows(&kinds, name, t->params, t->param_count, MC_TYRE_PARAM_MAX, error);
    if (status != MC_OK)
        return status;
    if (!t->eval[MC_EVAL_ANY])
        return registry_reject(&kinds, name, error, "it has no eval for any processor");
    if (t->state_count < 0 || t->state_count > MC_TYRE_STATE_MAX)
        return registry_reject(&kinds, name, error, "it has %d states, expected 0 .. %d",
                               t->state_count, MC_TYRE_STATE_MAX);
    if (t->state_count > 0 && (!t->states || !t->state_rate))
        return registry_reject(&kinds, name, error, "its states have no rows or no state_rate");
    if (t->load && (t->context_size == 0 || !t->context))
        return registry_reject(&kinds, name, error,
                               "it has load, but no context_size or no context without a file");
    return MC_OK;
}

mc_status mc_tyre_register(const mc_tyre *t, mc_error *error)
{
    mc_status status = registry_check(&kinds, t->size, sizeof *t, t->name, t->doc, name_at, error);
    if (status == MC_OK)
        status = check_half(t, t->name, error);
    if (status == MC_OK && t->driven)
        status = check_half(t->driven, t->name, error);
    if (status == MC_OK && t->driven &&
        (t->driven->params != t->params || t->driven->param_count != t->param_count))
        status = registry_reject(&kinds, t->name, error,
                                 "its half for wheels with spin has other parameters");
    return status == MC_OK ? registry_add(&kinds, t->name, t, error) : status;
}

// ---- laws in use ----

void tyre_defaults(const tyre_kind *kind, double p[TYRE_PARAM_MAX])
{
    for (int i = 0; i < kind->param_count; i++)
        p[i] = kind->params[i].fallback;
}

bool tyre_same_states(const tyre_kind *a, const tyre_kind *b)
{
    if (a == b || !a->context || !b->context)
        return a == b;
    bool same = a->state_count == b->state_count;
    for (int k = 0; same && k < a->state_count; k++)
        same = strcmp(a->states[k].name, b->states[k].name) == 0;
    return same;
}
