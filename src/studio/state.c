// state.c - a world as one file, to be gone on with later.
//
// The file is JSON: the scenario as it was at the start, the log of all that was done to it, how
// far it had come, and the hash of its state there. Opened, it is simulated anew to that instant;
// the hash says whether it is the same state, to the bit.
//
// A scenario that names other files cannot be read from its text alone. The state keeps the path of
// the scenario: if the same text still stands there, and pages may open it, it is read from there.
#include "studio/requests.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATE_MOST = 16 << 20 }; // bytes

// When the entries of the log were carried out: their steps need not be of one length.
static json_t *times_of(const mc_run *run)
{
    json_t *list = json_array();
    mc_log_entry e;
    for (int k = 0; mc_run_log_at(run, k, &e); k++)
        json_array_append_new(list, json_real(e.time));
    return list;
}

char *state_text(hub *h, const world *w, const char *log)
{
    char hash[20];
    snprintf(hash, sizeof hash, "%016llx", mc_run_hash(w->run));
    json_t *out = json_object();
    json_put(out, "motorcade", json_string("state"));
    json_put(out, "version", json_integer(1));
    json_put(out, "title", json_string(h->title ? h->title : ""));
    json_put(out, "file", json_string(h->file ? h->file : ""));
    json_put(out, "t", json_real(mc_run_time(w->run)));
    json_put(out, "hash", json_string(hash));
    json_put(out, "scenario", json_string(w->origin ? w->origin : ""));
    const char *named = mc_scenario_info_of(mc_run_scenario(w->run))->file;
    char *path = named && named[0] ? realpath(named, NULL) : NULL;
    json_t *kept = path ? json_string(path) : NULL;
    if (kept)
        json_put(out, "path", kept);
    free(path);
    json_put(out, "log", json_string(log));
    json_put(out, "times", times_of(w->run));
    char *text = json_dumps(out, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    json_decref(out);
    return text;
}

// ---- reading ----

static json_t *load(const char *path, const char *shown, mc_error *error)
{
    json_error_t wrong;
    FILE *in = fopen(path, "rb");
    if (!in) {
        mc_error_set(error, MC_BAD_INPUT, shown, 0, 0, "the file cannot be read");
        return NULL;
    }
    fseek(in, 0, SEEK_END);
    const long size = ftell(in);
    rewind(in);
    json_t *state = size <= STATE_MOST ? json_loadf(in, 0, &wrong) : NULL;
    fclose(in);
    if (size > STATE_MOST)
        mc_error_set(error, MC_BAD_INPUT, shown, 0, 0, "a state has at most 16 MB");
    else if (!state)
        mc_error_set(error, MC_BAD_INPUT, shown, wrong.line, wrong.column, "%s", wrong.text);
    return state;
}

// False: it is no state of this program.
static bool check(const json_t *state, const char *shown, mc_error *error)
{
    const char *kind = json_string_value(json_object_get(state, "motorcade"));
    const double t = json_number_value(json_object_get(state, "t"));
    const char *wrong = NULL;
    if (!kind || strcmp(kind, "state") != 0)
        wrong = "this is no saved state: \"motorcade\": \"state\" is missing";
    else if (json_integer_value(json_object_get(state, "version")) != 1)
        wrong = "this state was saved by another version; allowed is version 1";
    else if (!json_is_string(json_object_get(state, "scenario")))
        wrong = "the state has no scenario";
    else if (!json_is_string(json_object_get(state, "log")))
        wrong = "the state has no log";
    else if (!json_is_number(json_object_get(state, "t")) || !(t >= 0.0 && t <= 1e6))
        wrong = "t of the state must be a time of 0 .. 1e6 s";
    if (wrong)
        mc_error_set(error, MC_BAD_INPUT, shown, 0, 0, "%s", wrong);
    return !wrong;
}

// Commands of the run's log become the script of the world to be: it gives them when their time
// comes, and knows of cars that come and go. The step says when that is; times are what pages are
// told until then.
static bool take_script(opened *o, const json_t *times)
{
    const int count = mc_run_log_count(o->run);
    o->script = calloc((size_t)count + 1, sizeof *o->script);
    mc_log_entry e;
    bool good = o->script;
    for (int k = 0; good && mc_run_log_at(o->run, k, &e); k++) {
        log_entry *to = &o->script[o->script_count++];
        const json_t *t = json_array_get(times, (size_t)k);
        to->t = json_is_number(t) ? json_number_value(t) : e.time;
        to->step = e.step, to->value = e.value, to->inputs = e.inputs;
        to->param = strdup(e.param);
        snprintf(to->event, sizeof to->event, "%s", e.event);
        snprintf(to->vehicle, sizeof to->vehicle, "%s", e.vehicle);
        good = to->param;
    }
    mc_run_forget_commands(o->run);
    return good;
}

// The log goes through a file of its own, as every log.
static bool follow(hub *h, opened *o, const json_t *state, mc_error *error)
{
    const char *log = json_string_value(json_object_get(state, "log"));
    char path[160];
    snprintf(path, sizeof path, "%s/state-XXXXXX", h->temporary);
    const int file = mkstemp(path);
    const size_t length = strlen(log);
    bool good = file >= 0 && write(file, log, length) == (ssize_t)length;
    if (file >= 0)
        close(file);
    if (!good)
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "no room for the log of a state");
    good = good && mc_run_follow_log(o->run, path, error) == MC_OK;
    if (file >= 0)
        unlink(path);
    if (!good && strcmp(error->file, path) == 0)
        snprintf(error->file, sizeof error->file, "log of the state");
    return good && take_script(o, json_object_get(state, "times"));
}

// The scenario from its text; from its file where it names others.
static mc_scenario *scenario_of(hub *h, const json_t *state, mc_error *error)
{
    const char *text = json_string_value(json_object_get(state, "scenario"));
    const char *path = json_string_value(json_object_get(state, "path"));
    mc_scenario *s = mc_scenario_parse(text, strlen(text), NULL, error);
    if (s || !path || !strstr(error->text, "cannot name other files"))
        return s;
    mc_error other;
    if (open_allowed(h, path))
        s = mc_scenario_load(path, &other);
    if (s && strcmp(mc_scenario_text(s), text) == 0)
        return s;
    mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                 "its scenario names other files and can be read only from %.200s: %s", path,
                 s ? "the text there was changed since" : "which cannot be opened from here");
    mc_scenario_free(s);
    return NULL;
}

opened *state_open(hub *h, const char *path, const char *shown, mc_error *error)
{
    json_t *state = load(path, shown, error);
    opened *o = NULL;
    if (state && check(state, shown, error)) {
        const char *file = json_string_value(json_object_get(state, "file"));
        o = open_scenario(h, scenario_of(h, state, error), file && file[0] ? file : shown, error);
        if (o && !follow(h, o, state, error)) {
            opened_free(o);
            o = NULL;
        }
    }
    if (o) {
        const char *hash = json_string_value(json_object_get(state, "hash"));
        o->t = json_number_value(json_object_get(state, "t"));
        o->hash = hash ? strtoull(hash, NULL, 16) : 0;
    }
    json_decref(state);
    return o;
}

void state_reached(hub *h, world *w)
{
    const bool same = w->saved_hash == 0 || mc_run_hash(w->run) == w->saved_hash;
    world_event e = {.t = w->end, .type = same ? "command" : "warning", .value = NAN};
    snprintf(e.text, sizeof e.text, "%s",
             same ? "goes on from a saved state, the same to the bit"
                  : "not the state that was saved: another program or machine gives other bits");
    w->saved_t = 0.0;
    world_add_event(h, w, &e);
}
