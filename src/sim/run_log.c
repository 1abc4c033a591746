// run_log.c - commands from outside: checked, kept, written, read back.
#include "sim/run.h"

#include "base/file.h"
#include "base/text.h"
#include "model/scenario_keys.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

mc_status run_log_add(mc_run *r, const run_logged *entry, mc_error *error)
{
    if (r->log_count == r->log_capacity) {
        const int capacity = r->log_capacity ? 2 * r->log_capacity : 64;
        run_logged *grown = realloc(r->log, (size_t)capacity * sizeof *grown);
        if (!grown)
            return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the log");
        r->log = grown;
        r->log_capacity = capacity;
    }
    int at = r->log_count++; // behind all entries of its step
    for (; at > 0 && r->log[at - 1].step > entry->step; at--)
        r->log[at] = r->log[at - 1];
    r->log[at] = *entry;
    return MC_OK;
}

static int find_event(const char *name)
{
    for (int k = 0; k < EVENT_KIND_COUNT; k++)
        if (strcmp(scenario_event_names[k], name) == 0)
            return k;
    return -1;
}

// The number of a profile or controller by its name.
static int find_named(const mc_run *r, int kind, const char *name)
{
    const scenario *s = r->s;
    const int count = kind == EVENT_PROFILE ? s->profile_count : s->controller_count;
    for (int k = 0; name && k < count; k++) {
        const char *own = kind == EVENT_PROFILE ? s->profile_name[k] : s->controllers[k].name;
        if (strcmp(own, name) == 0)
            return k;
    }
    return -1;
}

static mc_status check_inputs(const mc_inputs *in, mc_error *error)
{
    if (!(in->throttle >= 0.0 && in->throttle <= 1.0) || !(in->brake >= 0.0 && in->brake <= 1.0) ||
        !(fabs(in->steer) <= 1.0) || !(fabs(in->acceleration) <= 100.0))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "throttle %g and brake %g must be in 0 .. 1, steer %g in -1 .. 1 rad",
                            in->throttle, in->brake, in->steer);
    return MC_OK;
}

// Numbers of events have the ranges they have in a scenario. NAN: not given.
static mc_status check_value(const mc_command *c, int kind, mc_error *error)
{
    const scenario_key *row = scenario_key_find(SECTION_EVENT, c->event);
    const bool needed = kind != EVENT_BRAKE_LOST && kind != EVENT_THROTTLE_STUCK;
    if (isnan(c->value) ? needed : isinf(c->value))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "\"%s\" needs a number", c->event);
    if (row && row->type == TYPE_NUMBER && (c->value < row->min || c->value > row->max))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s is %g, allowed is %g .. %g %s",
                            c->event, c->value, row->min, row->max, row->unit);
    return MC_OK;
}

static mc_status make_entry(const mc_run *r, const mc_command *c, run_logged *out, mc_error *error)
{
    const int kind = c->event ? find_event(c->event) : -1;
    if (kind < 0) {
        const char *near =
            text_nearest(c->event ? c->event : "", scenario_event_names, EVENT_KIND_COUNT);
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "unknown event \"%s\"%s%s",
                            c->event ? c->event : "", near ? ", did you mean " : "",
                            near ? near : "");
    }
    const bool roadway = kind == EVENT_HEADWAY || kind == EVENT_DISTANCE || kind == EVENT_SPEED;
    const int vehicle = c->vehicle && !roadway ? mc_run_find(r, c->vehicle) : -1;
    if (!roadway && vehicle < 0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "there is no vehicle \"%s\"",
                            c->vehicle ? c->vehicle : "");
    *out = (run_logged){.step = r->step,
                        .event = {.at = mc_run_time(r),
                                  .until = NAN,
                                  .kind = (scenario_event_kind)kind,
                                  .vehicle = vehicle,
                                  .value = c->value,
                                  .inputs = c->inputs}};
    if (c->param)
        snprintf(out->param, sizeof out->param, "%s", c->param);
    if (kind == EVENT_PROFILE || kind == EVENT_CONTROLLER) {
        const int number = find_named(r, kind, c->param);
        if (number < 0)
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "there is no %s \"%s\"",
                                scenario_event_names[kind], c->param ? c->param : "");
        out->event.value = number;
    } else if (kind != EVENT_DRIVE && kind != EVENT_RELEASE) {
        return check_value(c, kind, error);
    }
    return kind == EVENT_DRIVE ? check_inputs(&c->inputs, error) : MC_OK;
}

mc_status mc_run_command(mc_run *r, const mc_command *command, mc_error *error)
{
    run_logged entry;
    const mc_status status = make_entry(r, command, &entry, error);
    return status == MC_OK ? run_log_add(r, &entry, error) : status;
}

void mc_run_forget_commands(mc_run *r)
{
    while (r->log_count > 0 && r->log[r->log_count - 1].step >= r->step)
        r->log_count--;
}

// ---- files: step,event,vehicle,param,value,throttle,brake,steer,acceleration ----

mc_status mc_run_write_log(const mc_run *r, const char *path, mc_error *error)
{
    file_writer *out = file_writer_open(path, error);
    if (!out)
        return error ? error->code : MC_IO;
    file_print(out, "step,event,vehicle,param,value,throttle,brake,steer,acceleration\n");
    for (int k = 0; k < r->log_count; k++) {
        const run_logged *l = &r->log[k];
        const scenario_event *e = &l->event;
        const mc_inputs *in = &e->inputs;
        const char *param = l->param;
        if (e->kind == EVENT_PROFILE)
            param = r->s->profile_name[(int)e->value];
        else if (e->kind == EVENT_CONTROLLER)
            param = r->s->controllers[(int)e->value].name;
        file_print(out, "%lld,%s,%s,%s,%.17g,%.17g,%.17g,%.17g,%.17g\n", l->step,
                   scenario_event_names[e->kind],
                   e->vehicle < 0 ? "" : r->s->vehicles[e->vehicle].name, param, e->value,
                   in->throttle, in->brake, in->steer, in->acceleration);
    }
    return file_writer_commit(out, error);
}

// Cuts the next field off a line; NULL when there is none.
static char *field(char **line)
{
    if (!*line)
        return NULL;
    char *start = *line, *comma = strchr(start, ',');
    *line = comma ? comma + 1 : NULL;
    if (comma)
        *comma = '\0';
    return start;
}

static mc_status follow_line(mc_run *r, char *line, const char *path, int number, mc_error *error)
{
    char *f[9];
    for (int k = 0; k < 9; k++)
        f[k] = field(&line);
    double value[6];
    bool good = f[8] && !line;
    for (int k = 0; good && k < 6; k++)
        good = text_to_double(k == 0 ? f[0] : f[3 + k], &value[k]) ||
               (k == 1 && strcmp(f[4], "nan") == 0);
    if (!good || value[0] < 0.0 || value[0] > 1e15 || value[0] != floor(value[0]))
        return mc_error_set(error, MC_BAD_INPUT, path, number, 0,
                            "a line has nine values: step,event,vehicle,param,value,throttle,brake,"
                            "steer,acceleration");
    const bool no_value = strcmp(f[4], "nan") == 0;
    const mc_command command = {f[1],
                                f[2][0] ? f[2] : NULL,
                                f[3][0] ? f[3] : NULL,
                                no_value ? NAN : value[1],
                                {value[2], value[3], value[4], value[5]}};
    run_logged entry;
    mc_status status = make_entry(r, &command, &entry, error);
    if (status != MC_OK) {
        char text[512];
        snprintf(text, sizeof text, "%s", error ? error->text : "");
        return mc_error_set(error, status, path, number, 0, "%s", text);
    }
    entry.step = (long long)value[0];
    return run_log_add(r, &entry, error);
}

static mc_status follow(mc_run *r, const char *path, mc_error *error)
{
    arena memory = {0};
    char *data;
    size_t size;
    mc_status status = file_read(&memory, path, 0, &data, &size, error);
    char *rest = status == MC_OK ? data : NULL;
    for (int number = 1; rest && *rest && status == MC_OK; number++) {
        char *line = rest, *end = strchr(line, '\n');
        rest = end ? end + 1 : NULL;
        if (end)
            *end = '\0';
        if (number == 1 && strncmp(line, "step,event,vehicle,", 19) != 0)
            status = mc_error_set(error, MC_BAD_INPUT, path, 1, 1,
                                  "this is no log of commands: it begins with "
                                  "step,event,vehicle,param,...");
        else if (number > 1 && *line)
            status = follow_line(r, line, path, number, error);
    }
    arena_free(&memory);
    return status;
}

mc_status mc_run_follow_log(mc_run *r, const char *path, mc_error *error)
{
    const size_t size = (size_t)r->log_count * sizeof *r->log;
    run_logged *before = malloc(size + 1);
    if (!before)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the log");
    const int count = r->log_count;
    if (size > 0)
        memcpy(before, r->log, size);
    const mc_status status = follow(r, path, error);
    if (status != MC_OK) { // all of the file or nothing
        if (size > 0)
            memcpy(r->log, before, size);
        r->log_count = count;
    }
    free(before);
    return status;
}
