// laws.c - the built-in laws in the order of the manual.
#include "control/law_parts.h"

#include <stddef.h>
#include <strings.h>

static const law_text *const laws[] = {
    &law_pipes,     &law_platoon, &law_pid, &law_pid_scheduled, &law_adaptive,
    &law_brake,     &law_cruise,  &law_acc, &law_path_cacc,     &law_ploeg,
    &law_consensus, &law_flatbed, &law_idm,
};

const law_text *law_at(int index)
{
    return index >= 0 && index < LAW_COUNT_OF(laws) ? laws[index] : NULL;
}

const law_text *law_find(const char *name)
{
    for (int i = 0; i < LAW_COUNT_OF(laws); i++)
        if (strcasecmp(laws[i]->name, name) == 0)
            return laws[i];
    return NULL;
}
