// cut_in.c - see cut_in.h.
#include "control/cut_in.h"

#include "num/minmax.h"

#include <math.h>

double cut_in_acceleration(const cut_in *now, bool *content)
{
    const double closing = num_max(now->v - now->v_front, 0.0), room = now->gap - now->distance;
    const double need = closing == 0.0 ? 0.0
                        : room > 0.0   ? closing * closing / (2.0 * room)
                                       : (double)INFINITY;
    const double least = -num_max(now->braking, need) + num_min(now->a_front, 0.0);
    *content = now->law >= least;
    return num_min(num_max(now->law, least), now->safe);
}
