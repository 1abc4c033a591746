// string_stability_run.c - string stability of a car that is driving: its law and gains as they
// are.
#include "linear/string_stability.h"

#include "base/text.h"
#include "run/control.h"
#include "run/run.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static mc_status try_param(const law_text *t, const char *name, double value, double *p,
                           string_setting *setting, mc_error *error)
{
    const char *names[LAW_PARAM_MAX + 2] = {"headway", "distance"};
    if (strcmp(name, "headway") == 0 && value >= 0.0 && value <= 20.0) {
        setting->headway = value;
        return MC_OK;
    }
    if (strcmp(name, "distance") == 0 && value >= 0.0 && value <= 1000.0) {
        setting->distance = value;
        return MC_OK;
    }
    for (int k = 0; k < t->param_count; k++) {
        const mc_param *row = &t->params[k];
        names[k + 2] = row->name;
        if (strcasecmp(row->name, name) != 0)
            continue;
        if (!(value >= row->min && value <= row->max))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "%s is %g, expected %g .. %g" TEXT_UNIT, row->name, value, row->min,
                                row->max, TEXT_UNIT_OF(row->unit));
        p[k] = value;
        return MC_OK;
    }
    const char *near = text_nearest(name, names, t->param_count + 2);
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "the law has no parameter \"%.40s\"%s%s",
                        name, near ? ", did you mean " : "", near ? near : "");
}

mc_stability *mc_stability_create_for_run(const mc_run *r, int vehicle, const char *const *tried,
                                          const double *values, int tried_count, mc_error *error)
{
    const int slot = r->slot[vehicle];
    const run_car *c = &r->car[slot];
    if (c->controller < 0) {
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s has no controller",
                     mc_run_vehicle_name(r, vehicle));
        return NULL;
    }
    const scenario_controller *controller = &r->s->controllers[c->controller];
    const law_text *t = controller->law;
    const double speed = fmin(fmax(r->motion[slot].v, 1.0), 100.0);
    string_setting setting = {.speed = speed,
                              .headway = fmin(c->headway, 20.0),
                              .distance = c->distance,
                              .v_set = fmax(speed * 4.0 / 3.0, 100.0 / 3.0),
                              .delay = r->rare[slot].fault.link[LINK_DELAY],
                              .listen_leader = controller->listen_leader,
                              .place = r->rare[slot].number > 0 ? r->rare[slot].number : 1};
    double p[LAW_PARAM_MAX] = {0};
    memcpy(p, run_law_params(r, slot, RUN_LAW), (size_t)t->param_count * sizeof *p);
    for (int k = 0; k < tried_count; k++)
        if (try_param(t, tried[k], values[k], p, &setting, error) != MC_OK)
            return NULL;
    return string_analyse(t, r->s->file, p, &setting, error);
}
