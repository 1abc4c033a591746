// tyre.c - the list of tyre laws. A new law is one file and one line here.
#include "parts/tyre.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const tyre_kind *const kinds[] = {&tyre_calspan, &tyre_brush, &tyre_linear, &tyre_none};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

const tyre_kind *tyre_kind_at(int index)
{
    return index >= 0 && index < KIND_COUNT ? kinds[index] : NULL;
}

const tyre_kind *tyre_kind_find(const char *name)
{
    for (int i = 0; i < KIND_COUNT; i++)
        if (strcasecmp(kinds[i]->name, name) == 0)
            return kinds[i];
    return NULL;
}

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
