// request.h - what many runs are to do, checked.
#pragma once

#include "motorcade/runs.h"

#include <stddef.h>

mc_status runs_request_check(const mc_runs_request *r, mc_error *error);

// Values of one run; NULL without names.
static inline const double *runs_request_values(const mc_runs_request *r, int run)
{
    return r->values ? r->values + (size_t)run * (size_t)r->name_count : NULL;
}
