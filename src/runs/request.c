// request.c - what many runs are to do, checked.
#include "runs/request.h"

#include "base/assert.h"

mc_status runs_request_check(const mc_runs_request *r, mc_error *error)
{
    mc_assert(r->scenario && r->name_count >= 0 && (r->name_count == 0 || (r->names && r->values)));
    mc_assert(r->field_count >= 0 && r->vehicle_count >= 0 && r->driven_count >= 0);
    if (r->count < 1 || r->count > MC_RUNS_MAX)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%d runs, expected 1 .. %d", r->count,
                            MC_RUNS_MAX);
    if (r->threads < 0 || r->threads > 4096)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%d threads, expected 0 .. 4096",
                            r->threads);
    if (r->steps < 0 || r->steps > 1000000)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%d steps, expected 1 .. 1000000",
                            r->steps);
    for (int k = 0; k < r->field_count; k++)
        mc_assert((int)r->fields[k] >= 0 && r->fields[k] < MC_FIELD_COUNT);
    return MC_OK;
}
