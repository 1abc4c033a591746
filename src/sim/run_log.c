// run_log.c - commands from outside: checked, kept, carried out, written, read back.
#include "sim/run.h"

#include "base/file.h"
#include "base/text.h"
#include "model/scenario_keys.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the list ----

int run_log_add(mc_run *r, const run_logged *entry, mc_error *error)
{
    run_past *p = &r->past;
    if (p->log_count == p->log_capacity) {
        const int capacity = p->log_capacity ? 2 * p->log_capacity : 64;
        run_logged *grown = realloc(p->log, (size_t)capacity * sizeof *grown);
        if (!grown) {
            mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the log");
            return -1;
        }
        p->log = grown;
        p->log_capacity = capacity;
    }
    int at = p->log_count++; // behind all entries of its step
    for (; at > 0 && p->log[at - 1].step > entry->step; at--)
        p->log[at] = p->log[at - 1];
    p->log[at] = *entry;
    return at;
}

void run_log_remove(mc_run *r, int index)
{
    run_past *p = &r->past;
    p->log_count--;
    for (int k = index; k < p->log_count; k++)
        p->log[k] = p->log[k + 1];
}

int run_log_first(const mc_run *r, long long step)
{
    const run_past *p = &r->past;
    int low = 0, high = p->log_count; // the log is in order of steps
    while (low < high) {
        const int middle = (low + high) / 2;
        if (p->log[middle].step < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void run_log_by_time(mc_run *r, int first)
{
    for (int k = first; k < r->past.log_count; k++) {
        run_logged *l = &r->past.log[k];
        const double steps = floor((l->time - r->zero_time) / r->s->step + 0.5);
        l->step = r->zero_step + (long long)steps;
        l->step = l->step < r->step ? r->step : l->step;
    }
}

static const char *keep_text(mc_run *r, const char *text)
{
    return text && text[0] ? arena_copy_text(&r->past.memory, text, strlen(text)) : "";
}

// ---- checks ----

static const char *const version_names[] = {"edit", "version"};

static const char *command_name(int kind)
{
    return kind < EVENT_KIND_COUNT ? scenario_event_names[kind]
                                   : version_names[kind - EVENT_KIND_COUNT];
}

static int find_event(const char *name)
{
    for (int k = 0; k < RUN_COMMAND_COUNT; k++)
        if (strcmp(command_name(k), name) == 0)
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
    const char *wish = c->param ? c->param : ""; // of a car: it may be taken back
    wish = strncmp(wish, "wishes.", 7) == 0 ? wish + 7 : wish;
    const bool back =
        kind == EVENT_SET &&
        (strcmp(wish, "headway") == 0 || strcmp(wish, "distance") == 0 || !strcmp(wish, "speed"));
    const bool needed = kind != EVENT_BRAKE_LOST && kind != EVENT_THROTTLE_STUCK && !back;
    if (isnan(c->value) ? needed : isinf(c->value))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "\"%s\" needs a number", c->event);
    if (row && row->type == TYPE_NUMBER && (c->value < row->min || c->value > row->max))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s is %g, allowed is %g .. %g %s",
                            c->event, c->value, row->min, row->max, row->unit);
    return MC_OK;
}

static bool is_roadway(int kind)
{
    return kind == EVENT_HEADWAY || kind == EVENT_DISTANCE || kind == EVENT_SPEED;
}

// Is there who and what the command names, in the version in use?
static mc_status check_names(const mc_run *r, int kind, const char *vehicle, const char *param,
                             mc_error *error)
{
    if (is_roadway(kind) || kind >= EVENT_KIND_COUNT)
        return MC_OK;
    if (vehicle[0] == '@' && kind != EVENT_SET && kind != EVENT_CONTROLLER)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "\"%s\" is for one vehicle; only set and controller take \"%s\"",
                            command_name(kind), vehicle);
    if (vehicle[0] == '@' && find_named(r, EVENT_CONTROLLER, vehicle + 1) < 0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "there is no controller \"%s\"",
                            vehicle + 1);
    if (vehicle[0] != '@' && mc_run_find(r, vehicle) < 0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "there is no vehicle \"%s\"", vehicle);
    if ((kind == EVENT_PROFILE || kind == EVENT_CONTROLLER) && find_named(r, kind, param) < 0)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "there is no %s \"%s\"",
                            scenario_event_names[kind], param);
    return MC_OK;
}

// Whether a command of the coming step gives cars other parameters than they have now.
static bool pending_names(const mc_run *r)
{
    for (int k = run_log_first(r, r->step) + r->carried; k < r->past.log_count; k++) {
        const run_logged *l = &r->past.log[k];
        if (l->step == r->step && (l->kind == EVENT_CONTROLLER || l->kind >= EVENT_KIND_COUNT))
            return true;
    }
    return false;
}

// The least the roadway allows, commands of the coming step counted; NAN: anything.
static double roadway_least(const mc_run *r, int kind)
{
    const bool headway = kind == EVENT_HEADWAY;
    double least = NAN;
    if (headway ? r->headway_commanded : r->distance_commanded)
        least = headway ? r->headway : r->distance;
    for (int k = run_log_first(r, r->step) + r->carried; k < r->past.log_count; k++)
        if (r->past.log[k].step == r->step && r->past.log[k].kind == kind)
            least = r->past.log[k].value;
    return least;
}

// A number that cannot be carried out is refused at once.
static mc_status check_set_of(const mc_run *r, const run_logged *l, int vehicle, mc_error *error)
{
    char group[RUN_GROUP_SIZE];
    mc_run_param p;
    const char *name = run_param_group(l->param, group);
    if (vehicle < 0)
        return MC_OK; // may come with another command of this step
    const char *whose = mc_run_vehicle_name(r, vehicle);
    if (!run_param_find(r, vehicle, group, name, &p))
        return pending_names(r)
                   ? MC_OK
                   : mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                  "nothing of %s can be set by the name \"%s\"", whose, l->param);
    if (!p.live)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s of %s cannot be set while it runs; an edit can change it", l->param,
                            whose);
    if (isnan(l->value) && strcmp(p.group, "wishes") == 0)
        return MC_OK; // no more a wish of its own
    if (!(l->value >= p.row->min && l->value <= p.row->max))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s is %g, allowed is %g .. %g %s",
                            l->param, l->value, p.row->min, p.row->max, p.row->unit);
    const bool headway = strcmp(name, "headway") == 0;
    if (strcmp(p.group, "wishes") == 0 && (headway || strcmp(name, "distance") == 0)) {
        const double least = roadway_least(r, headway ? EVENT_HEADWAY : EVENT_DISTANCE);
        if (l->value < least)
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "%s %g %s is below the roadway's %g %s: a car may keep more, not "
                                "less",
                                name, l->value, p.row->unit, least, p.row->unit);
    }
    return MC_OK;
}

static mc_status check_set(const mc_run *r, const run_logged *l, mc_error *error)
{
    if (l->vehicle[0] != '@')
        return check_set_of(r, l, mc_run_find(r, l->vehicle), error);
    const int controller = find_named(r, EVENT_CONTROLLER, l->vehicle + 1);
    mc_status status = MC_OK;
    for (int v = 0; v < r->count && status == MC_OK; v++)
        if (r->car[r->slot[v]].controller == controller)
            status = check_set_of(r, l, v, error);
    return status;
}

static mc_status unknown_event(const char *event, mc_error *error)
{
    const char *names[RUN_COMMAND_COUNT];
    for (int k = 0; k < RUN_COMMAND_COUNT; k++)
        names[k] = command_name(k);
    const char *near = text_nearest(event, names, RUN_COMMAND_COUNT);
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "unknown event \"%s\"%s%s", event,
                        near ? ", did you mean " : "", near ? near : "");
}

// An entry without its texts kept. loose: names may be of a version to come.
static mc_status make_entry(const mc_run *r, const mc_command *c, bool loose, run_logged *out,
                            mc_error *error)
{
    const int kind = c->event ? find_event(c->event) : -1;
    if (kind < 0)
        return unknown_event(c->event ? c->event : "", error);
    *out = (run_logged){.step = r->step,
                        .time = run_time(r),
                        .kind = kind,
                        .vehicle = c->vehicle && !is_roadway(kind) ? c->vehicle : "",
                        .param = c->param ? c->param : "",
                        .value = c->value,
                        .inputs = c->inputs};
    mc_status status = loose ? MC_OK : check_names(r, kind, out->vehicle, out->param, error);
    if (status != MC_OK)
        return status;
    if (kind >= EVENT_KIND_COUNT && out->param[0] == '\0')
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "\"%s\" needs a text", c->event);
    if (kind == EVENT_PROFILE || kind == EVENT_CONTROLLER)
        out->value = find_named(r, kind, out->param);
    else if (kind == EVENT_DRIVE)
        status = check_inputs(&c->inputs, error);
    else if (kind != EVENT_RELEASE && kind < EVENT_KIND_COUNT)
        status = check_value(c, kind, error);
    wave w;
    if (status == MC_OK && (kind == EVENT_PUSH || kind == EVENT_SENSOR_BIAS))
        status = wave_parse(out->param, &w, error);
    if (status == MC_OK && kind == EVENT_SET && !loose)
        status = check_set(r, out, error);
    return status;
}

mc_status run_log_entry(mc_run *r, const mc_command *c, run_logged *out, mc_error *error)
{
    const mc_status status = make_entry(r, c, false, out, error);
    if (status != MC_OK)
        return status;
    if (out->kind == RUN_VERSION) // it could name files, and commands may come from a network
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "a whole version is no command; give an edit");
    out->vehicle = keep_text(r, out->vehicle);
    out->param = keep_text(r, out->param);
    if (!out->vehicle || !out->param)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the log");
    return MC_OK;
}

// Pedals of the coming step that are given again: only the last count, so the entry takes the new
// ones. A release between the two keeps both.
static bool drive_again(mc_run *r, const mc_command *c)
{
    const int first = run_log_first(r, r->step) + r->carried;
    for (int k = r->past.log_count - 1; k >= first; k--) {
        run_logged *l = &r->past.log[k];
        if (l->step != r->step || strcmp(l->vehicle, c->vehicle) != 0)
            continue;
        if (l->kind == EVENT_DRIVE)
            l->inputs = c->inputs;
        if (l->kind == EVENT_DRIVE || l->kind == EVENT_RELEASE)
            return l->kind == EVENT_DRIVE;
    }
    return false;
}

mc_status mc_run_command(mc_run *r, const mc_command *command, mc_error *error)
{
    if (command->event && strcmp(command->event, "edit") == 0)
        return mc_run_edit(r, command->param ? command->param : "", error);
    run_logged entry;
    mc_status status = make_entry(r, command, false, &entry, error);
    if (status == MC_OK && entry.kind == EVENT_DRIVE && drive_again(r, command))
        return MC_OK;
    if (status == MC_OK)
        status = run_log_entry(r, command, &entry, error);
    if (status != MC_OK)
        return status;
    return run_log_add(r, &entry, error) < 0 ? MC_NO_MEMORY : MC_OK;
}

void mc_run_forget_commands(mc_run *r)
{
    const int kept = run_log_first(r, r->step) + r->carried;
    r->past.log_count = kept < r->past.log_count ? kept : r->past.log_count;
    run_forget_versions(r, r->past.version + 1);
}

int mc_run_log_count(const mc_run *r)
{
    return r->past.log_count;
}

int mc_run_log_at(const mc_run *r, int index, mc_log_entry *out)
{
    if (index < 0 || index >= r->past.log_count)
        return 0;
    const run_logged *l = &r->past.log[index];
    *out = (mc_log_entry){.time = l->time,
                          .step = l->step,
                          .event = command_name(l->kind),
                          .vehicle = l->vehicle,
                          .param = l->param,
                          .value = l->value,
                          .inputs = l->inputs};
    return 1;
}

// ---- carrying out ----

static mc_status apply_to(mc_run *r, const run_logged *l, int vehicle, mc_error *error)
{
    scenario_event e = {.at = run_time(r),
                        .until = NAN,
                        .kind = (scenario_event_kind)l->kind,
                        .vehicle = vehicle,
                        .param = l->param,
                        .value = l->value,
                        .inputs = l->inputs};
    if (l->kind == EVENT_PROFILE || l->kind == EVENT_CONTROLLER)
        e.value = find_named(r, l->kind, l->param);
    return run_event_apply(r, &e, error);
}

// All cars that have a controller now.
static mc_status apply_to_all(mc_run *r, const run_logged *l, mc_error *error)
{
    const int controller = find_named(r, EVENT_CONTROLLER, l->vehicle + 1);
    mc_status status = MC_OK;
    for (int v = 0; v < r->count && status == MC_OK; v++)
        if (r->car[r->slot[v]].controller == controller)
            status = apply_to(r, l, v, error);
    return status;
}

static mc_status carry_out(mc_run *r, const run_logged *l, mc_error *error)
{
    if (l->kind >= EVENT_KIND_COUNT)
        return run_adopt_text(r, l->kind, l->param, error);
    const mc_status status = check_names(r, l->kind, l->vehicle, l->param, error);
    if (status != MC_OK)
        return status;
    if (l->vehicle[0] == '@')
        return apply_to_all(r, l, error);
    return apply_to(r, l, is_roadway(l->kind) ? -1 : mc_run_find(r, l->vehicle), error);
}

// A command that cannot be carried out is taken out of the log: the run can go on without it.
mc_status run_log_carry(mc_run *r, mc_error *error)
{
    run_past *p = &r->past;
    if (p->log_count == 0)
        return MC_OK;
    int k = run_log_first(r, r->step) + r->carried;
    while (k < p->log_count && p->log[k].step == r->step) {
        p->log[k].time = run_time(r);
        const run_logged entry = p->log[k];
        const mc_status status = carry_out(r, &entry, error);
        if (status != MC_OK) {
            run_log_remove(r, k);
            p->dropped++;
            if (!p->forgiving || entry.asked_for || status != MC_BAD_INPUT)
                return status;
            continue;
        }
        p->log[k].asked_for = false;
        r->carried++;
        k++;
        if (p->by_time && entry.kind >= EVENT_KIND_COUNT)
            run_log_by_time(r, k);
    }
    return MC_OK;
}

// ---- files: step,event,vehicle,param,value,throttle,brake,steer,acceleration ----

// A text with commas, quotes or line breaks stands in quotes, its own quotes twice (RFC 4180).
static void print_text(file_writer *out, const char *text)
{
    if (!strpbrk(text, ",\"\n\r")) {
        file_write(out, text, strlen(text));
        return;
    }
    file_write(out, "\"", 1);
    for (; *text; text++)
        file_write(out, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    file_write(out, "\"", 1);
}

mc_status mc_run_write_log(const mc_run *r, const char *path, mc_error *error)
{
    file_writer *out = file_writer_open(path, error);
    if (!out)
        return error ? error->code : MC_IO;
    file_print(out, "step,event,vehicle,param,value,throttle,brake,steer,acceleration\n");
    for (int k = 0; k < r->past.log_count; k++) {
        const run_logged *l = &r->past.log[k];
        const mc_inputs *in = &l->inputs;
        file_print(out, "%lld,%s,%s,", l->step, command_name(l->kind), l->vehicle);
        print_text(out, l->param);
        file_print(out, ",%.17g,%.17g,%.17g,%.17g,%.17g\n", l->value, in->throttle, in->brake,
                   in->steer, in->acceleration);
    }
    return file_writer_commit(out, error);
}

typedef struct log_reader {
    char *at; // NULL: nothing is left
    const char *path;
    int line;   // of *at
    int record; // line in which the present record began
    bool loose; // a version was made before
} log_reader;

enum { LOG_FIELDS = 9 };

static mc_status refuse_record(const log_reader *in, mc_error *error)
{
    return mc_error_set(error, MC_BAD_INPUT, in->path, in->record, 0,
                        "a line has nine values: step,event,vehicle,param,value,throttle,brake,"
                        "steer,acceleration");
}

// Takes the quotes off a field that begins with one; false: they do not end where a field ends.
static bool unquote(log_reader *in, char **text)
{
    char *to = in->at, *from = in->at + 1;
    *text = to;
    for (; *from && (*from != '"' || from[1] == '"'); from++) {
        from += *from == '"';
        in->line += *from == '\n';
        *to++ = *from;
    }
    if (*from != '"' || (from[1] != ',' && from[1] != '\n' && from[1] != '\0'))
        return false;
    in->at = from + 1;
    *to = '\0'; // before in->at: the text is shorter than it was in quotes
    return true;
}

// The fields of one record; their number, -1: quotes that are wrong.
static int next_record(log_reader *in, char *f[LOG_FIELDS + 1])
{
    int count = 0;
    in->record = in->line;
    for (char end = ','; end == ',';) {
        char *text = in->at;
        if (*in->at == '"') {
            if (!unquote(in, &text))
                return -1;
        } else {
            in->at += strcspn(in->at, ",\n\"");
            if (*in->at == '"')
                return -1;
        }
        if (count <= LOG_FIELDS)
            f[count] = text;
        count++;
        end = *in->at;
        in->line += end == '\n';
        *in->at++ = '\0';
        if (end == '\0')
            in->at = NULL;
    }
    return count;
}

static mc_status follow_record(mc_run *r, log_reader *in, char *f[LOG_FIELDS + 1], mc_error *error)
{
    double value[6];
    bool good = true;
    for (int k = 0; good && k < 6; k++)
        good = text_to_double(k == 0 ? f[0] : f[3 + k], &value[k]) ||
               (k == 1 && strcmp(f[4], "nan") == 0);
    if (!good || value[0] < 0.0 || value[0] > 1e15 || value[0] != floor(value[0]))
        return refuse_record(in, error);
    const bool no_value = strcmp(f[4], "nan") == 0;
    const mc_command command = {f[1],
                                f[2][0] ? f[2] : NULL,
                                f[3][0] ? f[3] : NULL,
                                no_value ? NAN : value[1],
                                {value[2], value[3], value[4], value[5]}};
    run_logged entry;
    mc_error inner = {0};
    const mc_status status = make_entry(r, &command, in->loose, &entry, &inner);
    if (status != MC_OK)
        return mc_error_set(error, status, in->path, in->record, 0, "%s", inner.text);
    in->loose = in->loose || entry.kind >= EVENT_KIND_COUNT;
    entry.step = (long long)value[0];
    entry.time = r->zero_time + (double)(entry.step - r->zero_step) * r->s->step;
    entry.vehicle = keep_text(r, entry.vehicle);
    entry.param = keep_text(r, entry.param);
    if (!entry.vehicle || !entry.param)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the log");
    return run_log_add(r, &entry, error) < 0 ? MC_NO_MEMORY : MC_OK;
}

static mc_status follow(mc_run *r, const char *path, mc_error *error)
{
    arena memory = {0};
    char *data, *f[LOG_FIELDS + 1];
    size_t size;
    mc_status status = file_read(&memory, path, 0, &data, &size, error);
    log_reader in = {.at = status == MC_OK ? data : NULL, .path = path, .line = 1};
    if (status == MC_OK && size > 0 && strncmp(data, "step,event,vehicle,", 19) != 0)
        status = mc_error_set(error, MC_BAD_INPUT, path, 1, 1,
                              "this is no log of commands: it begins with "
                              "step,event,vehicle,param,...");
    else if (status == MC_OK && strlen(data) != size)
        status = mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "the log holds a zero byte");
    for (bool head = true; in.at && *in.at && status == MC_OK; head = false) {
        const int count = next_record(&in, f);
        if (head || (count == 1 && f[0][0] == '\0')) // an empty line
            continue;
        status = count == LOG_FIELDS ? follow_record(r, &in, f, error) : refuse_record(&in, error);
    }
    arena_free(&memory);
    return status;
}

mc_status mc_run_follow_log(mc_run *r, const char *path, mc_error *error)
{
    run_past *p = &r->past;
    const size_t size = (size_t)p->log_count * sizeof *p->log;
    run_logged *before = malloc(size + 1);
    if (!before)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the log");
    const int count = p->log_count;
    if (size > 0)
        memcpy(before, p->log, size);
    const mc_status status = follow(r, path, error);
    if (status != MC_OK) { // all of the file or nothing
        if (size > 0)
            memcpy(p->log, before, size);
        p->log_count = count;
    }
    free(before);
    return status;
}
