// log_entry.c - entries of logs: copied, compared.
#include "studio/hub/log_entry.h"

#include "studio/history/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void log_entry_free(log_entry *e)
{
    free(e->param);
    e->param = NULL;
}

bool log_entry_copy(log_entry *to, const log_entry *from)
{
    *to = *from;
    to->param = strdup(from->param ? from->param : "");
    return to->param;
}

void log_entry_free_all(log_entry *entries, int count)
{
    for (int k = 0; entries && k < count; k++)
        log_entry_free(&entries[k]);
    free(entries);
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

bool log_entry_same(const log_entry *a, const log_entry *b)
{
    return fabs(a->t - b->t) < HISTORY_SAME && strcmp(a->event, b->event) == 0 &&
           strcmp(a->vehicle, b->vehicle) == 0 && strcmp(a->param, b->param) == 0 &&
           same_number(a->value, b->value) && same_number(a->inputs.throttle, b->inputs.throttle) &&
           a->inputs.brake == b->inputs.brake && a->inputs.steer == b->inputs.steer &&
           a->inputs.acceleration == b->inputs.acceleration;
}
