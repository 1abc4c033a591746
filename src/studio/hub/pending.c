// pending.c - the end of the log, looked through for the coming step.
#include "studio/hub/pending.h"

#include <math.h>
#include <string.h>
#include <strings.h>

// Where the commands of the coming step begin in the log.
static int first_pending(const mc_run *run)
{
    const long long step = mc_run_step_count(run);
    int k = mc_run_log_count(run);
    mc_log_entry e;
    while (k > 0 && mc_run_log_at(run, k - 1, &e) && e.step >= step)
        k--;
    return k;
}

static bool same_param(const char *given, const char *group, const char *name)
{
    const char *point = strchr(given, '.');
    if (!point)
        return strcasecmp(given, name) == 0;
    const size_t length = (size_t)(point - given);
    return strlen(group) == length && strncmp(given, group, length) == 0 &&
           strcasecmp(point + 1, name) == 0;
}

double pending_param(const mc_run *run, const char *vehicle, const char *controller,
                     const char *group, const char *name, double now)
{
    mc_log_entry e;
    const long long step = mc_run_step_count(run);
    for (int k = first_pending(run); mc_run_log_at(run, k, &e) && e.step == step; k++) {
        const bool meant = e.vehicle[0] == '@' ? strcmp(e.vehicle + 1, controller) == 0
                                               : vehicle && strcmp(e.vehicle, vehicle) == 0;
        if (meant && strcmp(e.event, "set") == 0 && same_param(e.param, group, name))
            now = isnan(e.value) ? now : e.value; // reset: the new value is known after the step
    }
    return now;
}

const char *pending_estimator(const mc_run *run, const char *vehicle, const char *now)
{
    mc_log_entry e;
    const long long step = mc_run_step_count(run);
    for (int k = first_pending(run); mc_run_log_at(run, k, &e) && e.step == step; k++)
        if (strcmp(e.event, "estimator") == 0 && strcmp(e.vehicle, vehicle) == 0)
            now = e.param;
    return now;
}

double pending_road(const mc_run *run, const char *name, double now, bool *commanded)
{
    mc_log_entry e;
    const long long step = mc_run_step_count(run);
    for (int k = first_pending(run); mc_run_log_at(run, k, &e) && e.step == step; k++)
        if (!e.vehicle[0] && strcmp(e.event, name) == 0) {
            now = e.value;
            *commanded = true;
        }
    return now;
}

int pending_lead(const mc_run *run, const char *vehicle, int now)
{
    mc_log_entry e;
    const long long step = mc_run_step_count(run);
    for (int k = first_pending(run); mc_run_log_at(run, k, &e) && e.step == step; k++)
        if (strcmp(e.event, "leads_as") == 0 && strcmp(e.vehicle, vehicle) == 0)
            now = (int)e.value;
    return now;
}

double pending_desired(const mc_run *run, const char *controller, const char *name, double own)
{
    mc_run_vehicle_info car;
    mc_run_road_info road;
    mc_run_road(run, &road);
    const double roadway = strcmp(name, "headway") == 0 ? road.headway : road.distance;
    double value = own;
    for (int v = 0; v < mc_run_vehicle_count(run); v++) {
        mc_run_param p;
        mc_run_vehicle(run, v, &car);
        if (strcmp(car.controller, controller) != 0)
            continue;
        for (int k = 0; mc_run_param_at(run, v, k, &p); k++)
            if (strcmp(p.group, "desired") == 0 && strcmp(p.row->name, name) == 0 &&
                !(isnan(own) && p.value == roadway))
                value = p.value;
        break;
    }
    return pending_param(run, NULL, controller, "desired", name, value);
}
