// visit.c - goes to an instant and back.
#include "studio/request/visit.h"

#include "studio/hub/travel.h"

#include <math.h>

bool visit_begin(request *r, branch *b, double t, visit *out)
{
    mc_error error = {0};
    *out = (visit){.run = b->run, .at = b};
    if (isnan(t) || !(t < b->end - 0.5 * b->step))
        return true;
    out->at = travel_holder(r->h, b, fmax(t, b->start), &error);
    out->away = out->at;
    if (!out->at || !travel_seek(out->at, fmax(t, b->start), &r->way, &r->again, &error))
        request_reject_error(r, &error);
    else if (!r->again) {
        out->run = out->at->run;
        return true;
    }
    visit_end(r, out);
    return false;
}

void visit_end(request *r, visit *v)
{
    if (v->away)
        travel_return(r->h, v->at);
    *v = (visit){0};
}
