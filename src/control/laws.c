// laws.c - the list of laws: those of the library in the order of the manual, then those from
// outside.
#include "control/law.h"

#include "base/registry.h"

#include <strings.h>

// A new law is a file that defines law_WORD, and law(WORD) here; of one that the library takes by
// itself for something, chosen(WORD, what).
#define LAWS(law, chosen)                                                                          \
    law(pipes) chosen(platoon, STABILITY) chosen(pid, DYNAVIS) law(pid_scheduled) law(adaptive)    \
        chosen(brake, IDENTIFICATION) chosen(cruise, PROFILE) chosen(acc, AUTOMATED)               \
            law(path_cacc) law(ploeg) law(consensus) law(flatbed) chosen(idm, DRIVER)
#define DECLARE(word) extern const law_text law_##word;
#define DECLARE_CHOSEN(word, role) DECLARE(word)
#define ADDRESS(word) &law_##word,
#define ADDRESS_CHOSEN(word, role) ADDRESS(word)
#define SKIP(word)
#define BY_ROLE(word, role) [MC_LAW_ROLE_##role] = &law_##word,
LAWS(DECLARE, DECLARE_CHOSEN)

static const void *const built_in[] = {LAWS(ADDRESS, ADDRESS_CHOSEN)};
static const law_text *const defaults[MC_LAW_ROLE_COUNT] = {LAWS(SKIP, BY_ROLE)};
static registry laws = REGISTRY("law", built_in);

const law_text *law_at(int index)
{
    return registry_at(&laws, index);
}

const law_text *law_find(const char *name)
{
    const law_text *text;
    for (int i = 0; (text = law_at(i)); i++)
        if (strcasecmp(text->name, name) == 0)
            return text;
    return NULL;
}

const law_text *law_default(mc_law_role role)
{
    return defaults[role];
}

static const char *name_at(int index)
{
    const law_text *text = law_at(index);
    return text ? text->name : NULL;
}

mc_status mc_law_register(const mc_law_text *text, mc_error *error)
{
    mc_error own = {0};
    mc_status status =
        registry_check(&laws, text->size, sizeof *text, text->name, text->doc, name_at, error);
    if (status == MC_OK)
        status = registry_check_rows(&laws, text->name, text->params, text->param_count,
                                     MC_LAW_PARAM_MAX, error);
    if (status != MC_OK)
        return status;
    if (!text->acceleration.formula)
        return registry_reject(&laws, text->name, error, "it has no formula for the acceleration");
    law *compiled = law_compile(text, NULL, EXPR_INTERPRET, &own);
    law_destroy(compiled);
    if (!compiled)
        return registry_reject(&laws, text->name, error, "%s", own.text);
    return registry_add(&laws, text->name, text, error);
}
