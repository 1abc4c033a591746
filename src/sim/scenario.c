// scenario.c - the public face of scenarios.
#include "sim/scenario.h"

#include "model/scenario_edit.h"
#include "model/scenario_schema.h"
#include "model/scenario_set.h"

#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct mc_scenario {
    scenario *s;
    mc_scenario_info info;
    atomic_int *users;
    const char **sets; // numbers that were set after it was read
    int set_count;
    arena text_memory;
    const char *text; // as a file, with these numbers
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
    mc_scenario *s = calloc(1, sizeof *s);
    atomic_int *users = malloc(sizeof *users);
    if (!s || !users) {
        mc_error_set(error, MC_NO_MEMORY, read->file, 0, 0, "no memory for the scenario");
        scenario_free(read);
        free(s);
        free(users);
        return NULL;
    }
    atomic_init(users, 1);
    s->users = users;
    s->s = read;
    s->text = read->text;
    s->info = (mc_scenario_info){
        .file = read->file,
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
    if (!s || atomic_fetch_sub(s->users, 1) > 1)
        return;
    scenario_free(s->s);
    arena_free(&s->text_memory);
    free(s->sets);
    free(s->users);
    free(s);
}

mc_scenario *scenario_keep(const mc_scenario *s)
{
    atomic_fetch_add(s->users, 1);
    return (mc_scenario *)(uintptr_t)s; // users share it; the count is theirs
}

const scenario *scenario_of(const mc_scenario *s)
{
    return s->s;
}

static void take_times(mc_scenario *s)
{
    s->info.end = s->s->end, s->info.step = s->s->step, s->info.record = s->s->record;
}

mc_status mc_scenario_set(mc_scenario *s, const char *text, mc_error *error)
{
    const char **grown = realloc(s->sets, ((size_t)s->set_count + 1) * sizeof *grown);
    if (!grown)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a change");
    s->sets = grown;
    const mc_status status = scenario_set(s->s, text, error);
    take_times(s);
    if (status != MC_OK)
        return status;
    s->sets[s->set_count] = arena_copy_text(&s->text_memory, text, strlen(text));
    s->text = NULL;
    if (!s->sets[s->set_count])
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a change");
    s->set_count++;
    s->text = scenario_text_with(s->s, s->sets, s->set_count, &s->text_memory);
    return s->text ? MC_OK
                   : mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a change");
}

const char *mc_scenario_text(const mc_scenario *s)
{
    return s->text ? s->text : "";
}

mc_scenario *mc_scenario_parse(const char *text, size_t length, const char *path, mc_error *error)
{
    return scenario_wrap(scenario_parse(text, length, path, error), error);
}

mc_scenario *scenario_version_of(const char *text, const char *path, mc_error *error)
{
    return scenario_wrap(scenario_parse_version(text, strlen(text), path, error), error);
}

mc_scenario *mc_scenario_edit_at(const mc_scenario *s, double at, const char *edit, mc_error *error)
{
    return scenario_wrap(
        scenario_edit(s->s, s->sets, s->set_count, isfinite(at) ? at : 0.0, edit, error), error);
}

mc_scenario *mc_scenario_edit(const mc_scenario *s, const char *edit, mc_error *error)
{
    return mc_scenario_edit_at(s, 0.0, edit, error);
}

const mc_scenario_info *mc_scenario_info_of(const mc_scenario *s)
{
    return &s->info;
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
