// instants.c - at most one impact and one end of a window per cell of time.
#include "contact/instants.h"

#include <math.h>

int contact_instants_max(double duration, double cell)
{
    return CONTACT_INSTANT_KINDS * ((int)ceil(duration / cell) + 1);
}

double *contact_instants_add(contact_instants *i, double time, contact_instant_kind kind)
{
    if (i->room == 0)
        return NULL;
    if (i->count > 0 && i->time[i->count - 1] == time)
        return i->states + (size_t)(i->count - 1) * i->size;
    const long long cell = (long long)floor((time - i->from) / i->cell);
    if (cell < i->filled[kind] || i->count == i->room)
        return NULL;
    i->filled[kind] = cell + 1;
    i->time[i->count] = time;
    return i->states + (size_t)i->count++ * i->size;
}
