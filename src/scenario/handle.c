// handle.c - the public interface of scenarios.
#include "scenario/handle.h"

#include "scenario/edit.h"
#include "scenario/renamed.h"
#include "scenario/schema.h"
#include "scenario/set.h"

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
        .warning_count = scenario_warning_count(read),
        .has_log = read->log[0] != '\0',
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

// What setting a number can change of the info.
static void refresh_info(mc_scenario *s)
{
    s->info.end = s->s->end, s->info.step = s->s->step, s->info.record = s->s->record;
    s->info.warning_count = scenario_warning_count(s->s);
}

mc_status mc_scenario_set(mc_scenario *s, const char *text, mc_error *error)
{
    const char **grown = realloc(s->sets, ((size_t)s->set_count + 1) * sizeof *grown);
    if (!grown)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a change");
    s->sets = grown;
    const mc_status status = scenario_set(s->s, text, error);
    refresh_info(s);
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

bool mc_scenario_file_at(const mc_scenario *s, int index, mc_scenario_file *out)
{
    if (index < 0 || index >= s->s->file_count)
        return false;
    const mc_file *file = &s->s->files[index]->is;
    *out = (mc_scenario_file){file->path, file->hash};
    return true;
}

mc_scenario *mc_scenario_parse(const char *text, size_t length, const char *path, mc_error *error)
{
    return scenario_wrap(scenario_parse(text, length, path, error), error);
}

mc_scenario *mc_scenario_parse_bundle(const char *text, size_t length, const char *path,
                                      mc_error *error)
{
    return scenario_wrap(scenario_parse_bundle(text, length, path, error), error);
}

mc_scenario *scenario_version_of(const mc_scenario *s, const char *text, mc_error *error)
{
    return scenario_wrap(scenario_parse_version(s->s, text, strlen(text), true, error), error);
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

const struct mc_road *mc_scenario_road(const mc_scenario *s)
{
    return &s->s->road;
}

const char *mc_scenario_ramp_lines(const mc_scenario *s, size_t *size)
{
    *size = s->s->ramp_lines_size;
    return s->s->ramp_lines;
}

const mc_scenario_info *mc_scenario_info_of(const mc_scenario *s)
{
    return &s->info;
}

const char *mc_scenario_file_name(const mc_scenario *s, int i)
{
    return i >= 0 && i < s->s->file_count ? s->s->files[i]->is.path : NULL;
}

const char *mc_scenario_warning(const mc_scenario *s, int i)
{
    return scenario_warning_at(s->s, i);
}

static int line_at(const scenario_check *checks, int count, int index, mc_scenario_line *out)
{
    if (index < 0 || index >= count)
        return 0;
    *out = (mc_scenario_line){checks[index].formula, checks[index].place.line,
                              checks[index].place.column};
    return 1;
}

int mc_scenario_expect_at(const mc_scenario *s, int index, mc_scenario_line *out)
{
    return line_at(s->s->expects, s->s->expect_count, index, out);
}

int mc_scenario_stop_at(const mc_scenario *s, int index, mc_scenario_line *out)
{
    return line_at(s->s->stops, s->s->stop_count, index, out);
}

const char *mc_scenario_channel_at(const mc_scenario *s, int index)
{
    return index >= 0 && index < s->s->channel_count ? s->s->channels[index] : NULL;
}

mc_status mc_scenario_write_schema(FILE *out, mc_error *error)
{
    scenario_write_schema(out);
    if (fflush(out) == 0 && !ferror(out))
        return MC_OK;
    return mc_error_set(error, MC_IO, NULL, 0, 0, "cannot write the schema: %s", strerror(errno));
}
