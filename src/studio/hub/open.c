// open.c - files are read, then put into the list.
#include "studio/hub/open.h"

#include "motorcade/medusa.h"
#include "motorcade/motion.h"
#include "studio/hub/branch_list.h"
#include "studio/hub/budget.h"
#include "studio/hub/capture.h"
#include "studio/hub/describe.h"
#include "studio/hub/inside.h"
#include "studio/hub/log.h"
#include "studio/hub/bench.h"
#include "studio/hub/replay.h"
#include "studio/hub/saved_state.h"
#include "studio/hub/step.h"
#include "studio/hub/undo.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const double MEDUSA_END = 20.0; // s, of a run that is opened; it can be moved

void opened_free(opened *o)
{
    if (!o)
        return;
    mc_run_destroy(o->run);
    branch_drop(o->branch);
    log_entry_free_all(o->script, o->script_count);
    free(o->title);
    free(o->file);
    free(o);
}

bool open_take_script(opened *o, mc_error *error)
{
    const int count = mc_run_log_count(o->run);
    log_entry_free_all(o->script, o->script_count);
    o->script = calloc((size_t)count + 1, sizeof *o->script);
    o->script_count = 0;
    mc_log_entry e;
    bool good = o->script;
    for (int k = 0; good && mc_run_log_at(o->run, k, &e); k++) {
        log_entry *to = &o->script[o->script_count++];
        to->t = e.time;
        to->step = e.step < 0 ? 0 : e.step, to->value = e.value, to->inputs = e.inputs;
        to->param = strdup(e.param);
        snprintf(to->event, sizeof to->event, "%s", e.event);
        snprintf(to->vehicle, sizeof to->vehicle, "%s", e.vehicle);
        good = to->param;
    }
    mc_run_forget_commands(o->run);
    if (!good)
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the log");
    return good;
}

opened *open_scenario(hub *h, mc_scenario *s, const char *shown, mc_error *error)
{
    opened *o = s ? calloc(1, sizeof *o) : NULL;
    if (s && !o)
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a scenario");
    if (o) {
        const mc_run_options options = {
            .threads = h->options.threads, .interpret = true, .mileage = true, .instants = true};
        const char *name = mc_scenario_info_of(s)->name;
        o->title = strdup(name && name[0] ? name : shown);
        o->file = strdup(shown);
        o->run = mc_run_create(s, &options, error);
        if (!o->run || !o->title || !o->file || !open_take_script(o, error)) {
            opened_free(o);
            o = NULL;
        }
    }
    mc_scenario_free(s);
    return o;
}

bool open_ends_in(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);
    return n >= m && strcasecmp(name + n - m, end) == 0;
}

bool open_is_scenario(const char *name)
{
    return open_ends_in(name, ".yaml") || open_ends_in(name, ".yml");
}

bool open_is_state(const char *name)
{
    return open_ends_in(name, ".mcstate");
}

// A mechanism becomes a branch of its own kind.
opened *open_bench(bench *m, const char *shown, mc_error *error)
{
    opened *o = m ? calloc(1, sizeof *o) : NULL;
    if (m && !o)
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a mechanism");
    if (o) {
        o->branch = bench_branch(m, "Main");
        o->title = strdup(bench_name(m));
        o->file = strdup(shown);
        if (!o->branch || !o->title || !o->file) {
            mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a mechanism");
            opened_free(o);
            o = NULL;
        }
    }
    bench_drop(m);
    return o;
}

opened *open_recording(hub *h, const char *path, const char *with, const char *shown,
                       mc_error *error)
{
    if (open_ends_in(shown, ".h5") && mc_motion_is(path))
        return open_bench(bench_recorded(path, shown, error), shown, error);
    opened *o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    o->branch = replay_read(h, path, with, error);
    o->title = strdup(o->branch && o->branch->name[0] ? o->branch->name : shown);
    o->file = strdup(shown);
    if (o->branch && o->title && o->file)
        return o;
    opened_free(o);
    return NULL;
}

// The model file of a platoon file: driven.dat of driven_platoon.dat, else model.dat, beside it.
static bool models_beside(const char *path, char *out, size_t size)
{
    static const char tail[] = "_platoon.dat";
    const char *slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash - path) + 1 : 0;
    const int stem = (int)strlen(path) - (int)strlen(tail);
    if (stem > folder && strcmp(path + stem, tail) == 0 &&
        snprintf(out, size, "%.*s.dat", stem, path) < (int)size && access(out, R_OK) == 0)
        return true;
    return snprintf(out, size, "%.*smodel.dat", folder, path) < (int)size;
}

opened *open_medusa(hub *h, const char *path, const char *with, const open_choice *choice,
                    bool bundle, const char *shown, mc_error *error)
{
    char models[PATH_MAX];
    if (!with && !models_beside(path, models, sizeof models)) {
        mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "the path is too long");
        return NULL;
    }
    with = with ? with : models;
    mc_medusa_options o = mc_medusa_defaults();
    o.platoon = path;
    o.models = with;
    o.end_time = MEDUSA_END;
    o.threads = h->options.threads;
    for (int k = 0; k < MC_SCHEME_COUNT; k++)
        if (strcmp(choice->scheme, mc_scheme_name((mc_scheme)k)) == 0)
            o.scheme = (mc_scheme)k;
    // A file of the same folder by its name alone, so that the scenario can be moved with it.
    const char *slash = strrchr(path, '/'), *other = strrchr(with, '/');
    const size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    const bool beside =
        folder == (other ? (size_t)(other - with) + 1 : 0) && strncmp(with, path, folder) == 0;
    const mc_medusa_live live = {.models_named = beside ? with + folder : with,
                                 .solved = strcmp(choice->equilibrium, "solved") == 0,
                                 .contact = choice->contact[0] ? choice->contact : NULL};
    char *text;
    if (mc_medusa_scenario(&o, &live, &text, error) != MC_OK)
        return NULL;
    mc_scenario *s = bundle ? mc_scenario_parse_bundle(text, strlen(text), path, error)
                            : mc_scenario_parse(text, strlen(text), path, error);
    free(text);
    return open_scenario(h, s, shown, error);
}

opened *open_path(hub *h, const char *path, const char *with, const char *shown, mc_error *error)
{
    if (open_is_scenario(shown) && mc_multibody_is_model(path))
        return open_bench(bench_load(path, shown, error), shown, error);
    if (mc_medusa_is_platoon(path))
        return open_medusa(h, path, with, &(open_choice){"", "", ""}, false, shown, error);
    if (open_is_scenario(shown))
        return open_scenario(h, mc_scenario_load(path, error), shown, error);
    if (open_is_state(shown))
        return saved_state_open(h, path, shown, error);
    return open_recording(h, path, with, shown, error);
}

opened *open_text(hub *h, const char *text, size_t length, const char *shown, mc_error *error)
{
    if (mc_multibody_is_text(text, length))
        return open_bench(bench_open(text, length, shown, error), shown, error);
    return open_scenario(h, mc_scenario_parse(text, length, NULL, error), shown, error);
}

// A mechanism takes the place of those on the bench. Vehicles on a road stay, and it stands beside
// them.
void opened_make_place(hub *h, opened *o)
{
    bool road = false;
    if (!o->branch || !o->branch->bench || o->beside)
        return;
    for (int k = 0; k < h->slot_count; k++)
        road = road || (h->branches[k] && !h->branches[k]->bench);
    for (int k = 0; k < MAX_BRANCHES && road; k++)
        if (h->branches[k] && h->branches[k]->bench) {
            undo_forget(h, h->branches[k]->number);
            branch_list_remove(h, h->branches[k]);
        }
    o->beside = road;
}

bool opened_install(hub *h, opened *o, int *number, mc_error *error)
{
    *number = -1;
    if (o->beside && !budget_room(h, error)) {
        opened_free(o);
        return false;
    }
    branch *b = o->branch ? o->branch : branch_create("Main");
    o->branch = NULL;
    if (!b) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a world");
        opened_free(o);
        return false;
    }
    mc_run *run = o->run;
    o->run = NULL;
    if (run && !branch_begin_run(h, b, run, error)) {
        branch_drop(b);
        opened_free(o);
        return false;
    }
    if (!o->beside) {
        branch_list_clear(h);
        undo_clear(h);
        h->driver_count = 0;
        h->live = b->replay ? b->end : fmax(b->start, o->t);
        pthread_mutex_lock(&h->lock);
        char *title = h->title, *file = h->file;
        h->title = o->title, h->file = o->file;
        o->title = title, o->file = file;
        h->main_branch = h->branch_number & 0xffff;
        pthread_mutex_unlock(&h->lock);
    } else {
        snprintf(b->name, sizeof b->name, "%s", o->title);
    }
    b->saved_t = o->t;
    b->saved_hash = o->hash;
    b->script = o->script, b->script_count = o->script_count;
    o->script = NULL, o->script_count = 0;
    if (b->run) {
        log_note(b, "saved log");
        step_give_script(h, b);
        capture_roster(h, b);
    }
    describe_refresh(h, b);
    *number = branch_list_add(h, b);
    if (*number < 0) {
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                     "there are already %d worlds; remove one first", MAX_BRANCHES);
        branch_drop(b);
    }
    opened_free(o);
    return *number >= 0;
}

bool open_allowed(hub *h, const char *path)
{
    char root[PATH_MAX], real[PATH_MAX];
    bool allowed = !h->answers_on; // no page can ask yet
    for (int k = 0; k < h->options.folder_count && !allowed; k++) {
        const size_t n = realpath(h->folders[k], root) ? strlen(root) : 0;
        allowed = n && realpath(path, real) && strncmp(real, root, n) == 0 && real[n] == '/';
    }
    return allowed;
}
