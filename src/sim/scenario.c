// scenario.c - the public face of scenarios.
#include "sim/scenario.h"

#include "model/scenario_schema.h"
#include "model/scenario_set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct mc_scenario {
    scenario *s;
    mc_scenario_info info;
};

// Controllers of the file: the one that follows profiles is not counted.
static int controllers_of_file(const scenario *s)
{
    int count = 0;
    for (int i = 0; i < s->controller_count; i++)
        count += s->controllers[i].place.line > 0;
    return count;
}

mc_scenario *mc_scenario_load(const char *path, mc_error *error)
{
    return scenario_wrap(scenario_read(path, error), error);
}

mc_scenario *scenario_wrap(scenario *read, mc_error *error)
{
    if (!read)
        return NULL;
    mc_scenario *s = malloc(sizeof *s);
    if (!s) {
        mc_error_set(error, MC_NO_MEMORY, read->file, 0, 0, "no memory for the scenario");
        scenario_free(read);
        return NULL;
    }
    s->s = read;
    s->info = (mc_scenario_info){
        .name = read->name,
        .doc = read->doc,
        .end = read->end,
        .step = read->step,
        .record = read->record,
        .vehicle_count = read->vehicle_count,
        .platoon_count = read->platoon_count,
        .model_count = read->model_count,
        .controller_count = controllers_of_file(read),
        .event_count = read->event_count,
        .lane_count = read->road.lane_count,
        .warning_count = read->warning_count,
    };
    return s;
}

void mc_scenario_free(mc_scenario *s)
{
    if (!s)
        return;
    scenario_free(s->s);
    free(s);
}

const scenario *scenario_of(const mc_scenario *s)
{
    return s->s;
}

mc_status mc_scenario_set(mc_scenario *s, const char *text, mc_error *error)
{
    const mc_status status = scenario_set(s->s, text, error);
    s->info.end = s->s->end, s->info.step = s->s->step, s->info.record = s->s->record;
    return status;
}

const mc_scenario_info *mc_scenario_info_of(const mc_scenario *s)
{
    return &s->info;
}

const char *mc_scenario_vehicle_name(const mc_scenario *s, int i)
{
    return i >= 0 && i < s->s->vehicle_count ? s->s->vehicles[i].name : NULL;
}

const char *mc_scenario_warning(const mc_scenario *s, int i)
{
    return i >= 0 && i < s->s->warning_count ? s->s->warnings[i] : NULL;
}

mc_status mc_scenario_write_schema(FILE *out, mc_error *error)
{
    scenario_write_schema(out);
    if (fflush(out) == 0 && !ferror(out))
        return MC_OK;
    return mc_error_set(error, MC_IO, NULL, 0, 0, "the schema cannot be written: %s",
                        strerror(errno));
}
