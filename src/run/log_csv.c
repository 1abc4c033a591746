// log_csv.c - logs printed and read.
#include "run/log_csv.h"

#include "base/file.h"
#include "base/text.h"
#include "run/log.h"
#include "scenario/log_section.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char head[] = "step,event,vehicle,param,value,throttle,brake,steer,acceleration";

// ---- printing ----

static void put(bytes *out, const char *text)
{
    bytes_put(out, text, strlen(text));
}

static void put_text(bytes *out, const char *text)
{
    put(out, ",");
    if (!strpbrk(text, ",\"\n\r")) {
        put(out, text);
        return;
    }
    put(out, "\"");
    for (; *text; text++)
        bytes_put(out, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    put(out, "\"");
}

// The shortest form that reads back as the same bits.
static void put_number(bytes *out, double value)
{
    char text[40] = "nan";
    double back = NAN;
    for (int digits = 15; !isnan(value) && digits <= 17 && back != value; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (!text_to_double(text, &back))
            back = NAN;
    }
    put(out, ",");
    put(out, text);
}

void run_log_print(const mc_run *r, bytes *out)
{
    put(out, head);
    put(out, ",time\n");
    for (int k = 0; k < r->past.log_count; k++) {
        const run_logged *l = &r->past.log[k];
        const mc_inputs *in = &l->inputs;
        const double numbers[] = {l->value,  in->throttle,     in->brake,
                                  in->steer, in->acceleration, l->time};
        char step[32];
        snprintf(step, sizeof step, "%lld", l->step);
        put(out, l->timed ? "" : step);
        put_text(out, run_command_name(l->kind));
        put_text(out, l->vehicle);
        put_text(out, l->param);
        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
            put_number(out, numbers[i]);
        put(out, "\n");
    }
}

mc_status mc_run_write_log(const mc_run *r, const char *path, mc_error *error)
{
    bytes text = {0};
    run_log_print(r, &text);
    file_writer *out = text.failed ? NULL : file_writer_open(path, error);
    mc_status status = MC_OK;
    if (out) {
        file_write(out, text.data, text.size);
        status = file_writer_commit(out, error);
    } else if (text.failed) {
        status = mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the log");
    } else {
        status = error ? error->code : MC_IO;
    }
    bytes_free(&text);
    return status;
}

char *mc_run_export(const mc_run *r, bool with_log, mc_error *error)
{
    mc_error unused;
    error = error ? error : &unused;
    arena memory = {0};
    bytes log = {0};
    if (with_log && r->past.log_count > 0)
        run_log_print(r, &log);
    bytes_put(&log, "", 1);
    const char *text = NULL;
    if (!log.failed)
        text = scenario_text_with_log(mc_scenario_text(mc_run_origin(r)), (const char *)log.data,
                                      &memory, error);
    char *copy = text ? strdup(text) : NULL;
    if (log.failed || (text && !copy))
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the text of a scenario");
    bytes_free(&log);
    arena_free(&memory);
    return copy;
}

// ---- reading ----

typedef struct log_reader {
    char *at; // NULL: nothing is left
    const char *file;
    bool every; // lines of the text are lines of the file
    int line;   // of *at
    int record; // line in which the present record began
    int fields; // of a line
    run_log_when when;
} log_reader;

enum { LOG_FIELDS = 9 }; // and the time

static mc_status reject_record(const log_reader *in, mc_error *error)
{
    return mc_error_set(
        error, MC_BAD_INPUT, in->file, in->record, 0, "expected %s values per line: %s%s",
        in->fields == LOG_FIELDS ? "nine" : "ten", head, in->fields == LOG_FIELDS ? "" : ",time");
}

static void count_line(log_reader *in, char c)
{
    in->line += c == '\n' && in->every;
}

// Takes the quotes off a field that begins with one; false: they do not end where a field ends.
static bool unquote(log_reader *in, char **text)
{
    char *to = in->at, *from = in->at + 1;
    *text = to;
    for (; *from && (*from != '"' || from[1] == '"'); from++) {
        from += *from == '"';
        count_line(in, *from);
        *to++ = *from;
    }
    if (*from != '"' || (from[1] != ',' && from[1] != '\n' && from[1] != '\0'))
        return false;
    in->at = from + 1;
    *to = '\0'; // before in->at: the text is shorter than it was in quotes
    return true;
}

// The fields of one record; their number, -1: quotes that are wrong.
static int next_record(log_reader *in, char *f[LOG_FIELDS + 2])
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
        if (count <= LOG_FIELDS + 1)
            f[count] = text;
        count++;
        end = *in->at;
        count_line(in, end);
        *in->at++ = '\0';
        if (end == '\0')
            in->at = NULL;
    }
    return count;
}

// What later entries may rely on after this one.
static void look_ahead(log_reader *in, int kind)
{
    if (kind >= EVENT_KIND_COUNT)
        in->when = RUN_LOG_LATER;
    else if ((kind == EVENT_CONTROLLER || event_is_roadway(kind)) && in->when == RUN_LOG_NOW)
        in->when = RUN_LOG_SOON;
}

static mc_status read_record(mc_run *r, log_reader *in, char *f[LOG_FIELDS + 2], mc_error *error)
{
    double value[6] = {0.0}, time = NAN;
    const bool no_value = strcmp(f[4], "nan") == 0;
    const bool timed = in->fields > LOG_FIELDS && f[0][0] == '\0';
    bool good = in->fields == LOG_FIELDS ||
                (text_to_double(f[LOG_FIELDS], &time) && time >= 0.0 && time < 1e12);
    for (int k = timed ? 1 : 0; good && k < 6; k++)
        good = text_to_double(k == 0 ? f[0] : f[3 + k], &value[k]) || (k == 1 && no_value);
    if (!good || value[0] < 0.0 || value[0] > 1e15 || value[0] != floor(value[0]))
        return reject_record(in, error);
    const mc_command command = {f[1],
                                f[2][0] ? f[2] : NULL,
                                f[3][0] ? f[3] : NULL,
                                no_value ? NAN : value[1],
                                {value[2], value[3], value[4], value[5]}};
    run_logged entry;
    mc_error inner = {0};
    const mc_status status = run_log_make(r, &command, in->when, &entry, &inner);
    if (status != MC_OK)
        return mc_error_set(error, status, in->file, in->record, 0, "%s", inner.text);
    look_ahead(in, entry.kind);
    entry.timed = timed;
    entry.step = timed ? run_log_step_at(r, time) : (long long)value[0];
    entry.time = r->zero_time + (double)(entry.step - r->zero_step) * r->s->step;
    if (!isnan(time)) // steps on the way there may have another length
        entry.time = time;
    entry.file = in->file, entry.line = in->record;
    if (!run_log_keep_texts(r, &entry))
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the log");
    return run_log_add(r, &entry, error) < 0 ? MC_NO_MEMORY : MC_OK;
}

static mc_status read_head(log_reader *in, mc_error *error)
{
    char *f[LOG_FIELDS + 2];
    const bool good = strncmp(in->at, "step,event,vehicle,", 19) == 0;
    in->fields = good ? next_record(in, f) : 0;
    if (in->fields == LOG_FIELDS ||
        (in->fields == LOG_FIELDS + 1 && !strcmp(f[LOG_FIELDS], "time")))
        return MC_OK;
    return mc_error_set(error, MC_BAD_INPUT, in->file, in->line, 1,
                        "not a log of commands: expected the first line "
                        "step,event,vehicle,param,...");
}

static mc_status read_all(mc_run *r, log_reader *in, mc_error *error)
{
    char *f[LOG_FIELDS + 2];
    const scenario *s = scenario_of(mc_run_scenario(r));
    if (*in->at == '\0')
        return MC_OK;
    // Events of the scenario and cars that join change what commands will find.
    in->when = s->event_count > 0 || s->vehicle_count > r->count ? RUN_LOG_SOON : RUN_LOG_NOW;
    mc_status status = read_head(in, error);
    while (in->at && *in->at && status == MC_OK) {
        const int count = next_record(in, f);
        if (count == 1 && f[0][0] == '\0') // an empty line
            continue;
        status = count == in->fields ? read_record(r, in, f, error) : reject_record(in, error);
    }
    return status;
}

mc_status run_log_read(mc_run *r, const char *text, const char *file, int line, bool every,
                       mc_error *error)
{
    run_past *p = &r->past;
    const size_t size = (size_t)p->log_count * sizeof *p->log;
    run_logged *before = malloc(size + 1);
    char *copy = strdup(text); // taken apart on the way
    const char *name = arena_copy_text(&p->memory, file, strlen(file));
    const int count = p->log_count;
    mc_status status = MC_OK;
    if (before && copy && name) {
        if (size > 0)
            memcpy(before, p->log, size);
        log_reader in = {.at = copy, .file = name, .line = line, .every = every};
        status = read_all(r, &in, error);
        if (status != MC_OK) { // all of the text or nothing
            if (size > 0)
                memcpy(p->log, before, size);
            p->log_count = count;
        }
    } else {
        status = mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the log");
    }
    free(before);
    free(copy);
    return status;
}

mc_status mc_run_follow_log(mc_run *r, const char *path, mc_error *error)
{
    arena memory = {0};
    char *data;
    size_t size;
    mc_status status = file_read(&memory, path, 0, &data, &size, error);
    if (status == MC_OK && strlen(data) != size)
        status = mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "the log contains a zero byte");
    else if (status == MC_OK)
        status = run_log_read(r, data, path, 1, true, error);
    arena_free(&memory);
    return status;
}
