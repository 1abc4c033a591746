// suspension.c - the list of suspension laws.
#include "parts/suspension.h"

#include <stddef.h>

#define ADDRESS(word) &suspension_##word,
static const suspension_kind *const kinds[] = {SUSPENSION_KINDS(ADDRESS)};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

const suspension_kind *suspension_kind_at(int index)
{
    return index >= 0 && index < KIND_COUNT ? kinds[index] : NULL;
}

void suspension_defaults(const suspension_kind *kind, double p[SUSPENSION_PARAM_MAX])
{
    for (int i = 0; i < SUSPENSION_PARAM_MAX; i++)
        p[i] = i < kind->param_count ? kind->params[i].fallback : 0.0;
}
