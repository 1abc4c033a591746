// saved_state.c - states written and read.
//
// A state is a scenario, the hashes of the files it names, a log, and the instant and the hash it
// led to. The log is the one of the state; what the scenario's own section `log` says is part of
// it.
//
// A scenario that names other files cannot be read from its text alone. The state keeps the path of
// the scenario: if the same text still stands there, and pages may open it, it is read from there.
#include "studio/hub/saved_state.h"

#include "studio/hub/inside.h"
#include "studio/hub/json.h"
#include "studio/hub/open.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATE_MAX = 16 << 20 }; // bytes

static void put_hash(json_t *out, const char *key, unsigned long long hash)
{
    char text[20];
    snprintf(text, sizeof text, "%016llx", hash);
    json_put(out, key, json_string(text));
}

static json_t *files_of(const mc_scenario *s)
{
    json_t *list = json_array();
    mc_scenario_file file;
    for (int k = 0; mc_scenario_file_at(s, k, &file); k++) {
        json_t *one = json_object(), *path = json_string(file.path);
        json_put(one, "file", path ? path : json_string(""));
        put_hash(one, "hash", file.hash);
        json_array_append_new(list, one);
    }
    return list;
}

char *saved_state_text(hub *h, const branch *b, const char *log)
{
    json_t *out = json_object();
    json_put(out, "motorcade", json_string("state"));
    json_put(out, "version", json_integer(1));
    json_put(out, "title", json_string(h->title ? h->title : ""));
    json_put(out, "file", json_string(h->file ? h->file : ""));
    json_put(out, "t", json_real(mc_run_time(b->run)));
    put_hash(out, "hash", mc_run_hash(b->run));
    const mc_scenario *origin = mc_run_origin(b->run);
    json_put(out, "scenario", json_string(mc_scenario_text(origin)));
    const char *named = mc_scenario_info_of(origin)->file;
    char *path = named && named[0] ? realpath(named, NULL) : NULL;
    json_t *kept = path ? json_string(path) : NULL;
    if (kept)
        json_put(out, "path", kept);
    free(path);
    json_put(out, "log", json_string(log));
    json_put(out, "files", files_of(origin));
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
        mc_error_set(error, MC_BAD_INPUT, shown, 0, 0, "cannot read the file");
        return NULL;
    }
    fseek(in, 0, SEEK_END);
    const long size = ftell(in);
    rewind(in);
    json_t *state = size <= STATE_MAX ? json_loadf(in, 0, &wrong) : NULL;
    fclose(in);
    if (size > STATE_MAX)
        mc_error_set(error, MC_BAD_INPUT, shown, 0, 0, "a state has at most 16 MB");
    else if (!state)
        mc_error_set(error, MC_BAD_INPUT, shown, wrong.line, wrong.column, "%s", wrong.text);
    return state;
}

// False: it is not a state of this program.
static bool check(const json_t *state, const char *shown, mc_error *error)
{
    const char *kind = json_string_value(json_object_get(state, "motorcade"));
    const double t = json_number_value(json_object_get(state, "t"));
    const char *wrong = NULL;
    if (!kind || strcmp(kind, "state") != 0)
        wrong = "this is not a saved state: \"motorcade\": \"state\" is missing";
    else if (json_integer_value(json_object_get(state, "version")) != 1)
        wrong = "this state was saved by another version; expected version 1";
    else if (!json_is_string(json_object_get(state, "scenario")))
        wrong = "the state has no scenario";
    else if (!json_is_string(json_object_get(state, "log")))
        wrong = "the state has no log";
    else if (!json_is_number(json_object_get(state, "t")) || !(t >= 0.0 && t <= 1e6))
        wrong = "t of the state must be in 0 .. 1e6 s";
    if (wrong)
        mc_error_set(error, MC_BAD_INPUT, shown, 0, 0, "%s", wrong);
    return !wrong;
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
    return good && open_take_script(o, error);
}

// A file that has other contents than when the state was saved is named.
static bool check_files(const json_t *state, const mc_scenario *s, mc_error *error)
{
    const json_t *list = json_object_get(state, "files");
    mc_scenario_file file;
    for (int k = 0; mc_scenario_file_at(s, k, &file); k++) {
        const json_t *one = json_array_get(list, (size_t)k);
        const char *hash = json_string_value(json_object_get(one, "hash"));
        if (!list || (hash && strtoull(hash, NULL, 16) == file.hash))
            continue; // states of earlier programs have no list
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                     "the file %.300s of the scenario has changed since this state was saved; "
                     "restore it to resume",
                     file.path);
        return false;
    }
    return true;
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
    if (s && strcmp(mc_scenario_text(s), text) == 0) {
        if (check_files(state, s, error))
            return s;
        mc_scenario_free(s);
        return NULL;
    }
    mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                 "its scenario names other files and can be read only from %.200s: %s", path,
                 s ? "the text there has changed since" : "which cannot be opened from here");
    mc_scenario_free(s);
    return NULL;
}

opened *saved_state_open(hub *h, const char *path, const char *shown, mc_error *error)
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

void saved_state_reached(hub *h, branch *b)
{
    const bool same = b->saved_hash == 0 || mc_run_hash(b->run) == b->saved_hash;
    branch_event e = {.t = b->end, .type = same ? "command" : "warning", .value = NAN};
    snprintf(e.text, sizeof e.text, "%s",
             same ? "continues from a saved state, bit-identical"
                  : "differs from the saved state: another program or machine gives other bits");
    b->saved_t = 0.0;
    event_add(h, b, &e);
}
