// checkpoint.c - a run in a file: its state, and the past that led to it.
//
// A snapshot (snapshot.c) is the state alone. A file also contains the events so far, the log of
// commands, including those to come, and the versions the run went through, so that a fresh run of
// the same scenario can resume. Versions are rebuilt from the edits in the log; for the current one
// the file says which vehicles have joined, and where they were when the version came into use.
#include "base/bytes.h"
#include "base/file.h"
#include "run/adopt.h"
#include "run/log.h"
#include "run/run.h"
#include "timeline/snapshot.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct checkpoint_head {
    char magic[16];
    unsigned long long scenario; // hash of the text it began with
    unsigned long long past_size, size, extra_size, hash;
} checkpoint_head;

static const char CHECKPOINT[16] = "motorcade saved";

// ---- writing the past ----

static void put_text(bytes *out, const char *text)
{
    const size_t length = strlen(text);
    bytes_put(out, &length, sizeof length);
    bytes_put(out, text, length);
}

static void put_log(const mc_run *r, bytes *out)
{
    const run_past *p = &r->past;
    const int carried = run_log_first(r, r->step) + r->carried;
    bytes_put(out, &p->log_count, sizeof p->log_count);
    bytes_put(out, &carried, sizeof carried);
    for (int k = 0; k < p->log_count; k++) {
        const run_logged *l = &p->log[k];
        const int timed = l->timed;
        bytes_put(out, &l->step, sizeof l->step);
        bytes_put(out, &l->time, sizeof l->time);
        bytes_put(out, &l->kind, sizeof l->kind);
        bytes_put(out, &timed, sizeof timed);
        bytes_put(out, &l->value, sizeof l->value);
        bytes_put(out, &l->inputs, sizeof l->inputs);
        put_text(out, l->vehicle);
        put_text(out, l->param);
    }
}

static void put_happened(const mc_run *r, bytes *out)
{
    const run_past *p = &r->past;
    bytes_put(out, &p->happened_count, sizeof p->happened_count);
    for (int k = 0; k < p->happened_count; k++) {
        const run_happened *h = &p->happened[k];
        bytes_put(out, &h->step, sizeof h->step);
        bytes_put(out, &h->time, sizeof h->time);
        bytes_put(out, &h->kind, sizeof h->kind);
        bytes_put(out, &h->vehicle, sizeof h->vehicle);
        bytes_put(out, &h->value, sizeof h->value);
        put_text(out, h->name);
    }
}

// The entry of the log that made a version; -1: a car joined.
static int entry_of(const run_past *p, const run_version *v)
{
    for (int k = 0; v->text && k < p->log_count; k++)
        if (p->log[k].param == v->text)
            return k;
    return -1;
}

// Number of a vehicle in the whole version.
static int number_in(const scenario *s, const char *name, int after)
{
    for (int v = after + 1; v < s->vehicle_count; v++) // in the same order
        if (strcmp(s->vehicles[v].name, name) == 0)
            return v;
    return -1;
}

typedef struct begun { // where a vehicle of the present version began
    double x, y, heading, v, a;
    int number; // in the whole version
    int lane, carried;
    int path; // -1: that of an earlier version
} begun;

static void put_versions(const mc_run *r, bytes *out)
{
    const run_past *p = &r->past;
    const run_version *now = &p->versions[p->version];
    bytes_put(out, &p->version, sizeof p->version);
    for (int k = 1; k <= p->version; k++) {
        const int entry = entry_of(p, &p->versions[k]);
        bytes_put(out, &p->versions[k].step, sizeof p->versions[k].step);
        bytes_put(out, &entry, sizeof entry);
    }
    const int count = now->own ? now->own->vehicle_count : -1;
    bytes_put(out, &count, sizeof count);
    begun b = {.number = -1};
    for (int v = 0; v < count; v++) {
        const scenario_vehicle *is = &now->own->vehicles[v];
        b = (begun){.number = number_in(scenario_of(now->given), is->name, b.number)};
        b.x = is->x, b.y = is->y, b.heading = is->heading, b.v = is->v, b.a = is->a;
        b.lane = is->lane, b.carried = is->carried, b.path = is->path;
        bytes_put(out, &b, sizeof b);
    }
}

mc_status mc_run_write_checkpoint_with(const mc_run *r, const char *path, const void *extra,
                                       size_t extra_size, mc_error *error)
{
    mc_snapshot snapshot;
    mc_status status = mc_run_save(r, &snapshot, error);
    if (status != MC_OK)
        return status;
    bytes past = {0};
    put_log(r, &past);
    put_happened(r, &past);
    put_versions(r, &past);
    checkpoint_head head = {.scenario = scenario_text_hash(scenario_of(mc_run_origin(r))),
                            .past_size = past.size,
                            .size = snapshot.size,
                            .extra_size = extra_size};
    memcpy(head.magic, CHECKPOINT, sizeof head.magic);
    head.hash = bytes_hash(BYTES_HASH_START, past.data, past.size);
    head.hash = bytes_hash(head.hash, snapshot.data, snapshot.size);
    head.hash = bytes_hash(head.hash, extra, extra_size);
    file_writer *out = past.failed ? NULL : file_writer_open(path, error);
    if (out) {
        file_write(out, &head, sizeof head);
        file_write(out, past.data, past.size);
        file_write(out, snapshot.data, snapshot.size);
        if (extra_size > 0)
            file_write(out, extra, extra_size);
        status = file_writer_commit(out, error);
    } else if (past.failed) {
        status = mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a checkpoint");
    } else {
        status = error ? error->code : MC_IO;
    }
    bytes_free(&past);
    mc_snapshot_free(&snapshot);
    return status;
}

// ---- reading the past ----

// What is read becomes the past of a run that has none yet. It may come from a file that was made
// on purpose: nothing is believed.
typedef struct past_reader {
    bytes_reader in;
    mc_run *to;
    int carried; // entries of the log that were carried out
} past_reader;

static const char *take_text(past_reader *r)
{
    size_t length;
    if (!bytes_take(&r->in, &length, sizeof length) || length > r->in.size - r->in.at)
        return NULL;
    const char *text =
        arena_copy_text(&r->to->past.memory, (const char *)r->in.data + r->in.at, length);
    r->in.at += length;
    return text && strlen(text) == length ? text : NULL;
}

// A count of items of `size` bytes or more each.
static bool take_count(past_reader *r, int *count, size_t size)
{
    return bytes_take(&r->in, count, sizeof *count) && *count >= 0 &&
           (size_t)*count <= (r->in.size - r->in.at) / size;
}

static bool take_entry(past_reader *r, run_logged *l)
{
    int timed = 0;
    bytes_reader *in = &r->in;
    *l = (run_logged){0};
    const bool good =
        bytes_take(in, &l->step, sizeof l->step) && bytes_take(in, &l->time, sizeof l->time) &&
        bytes_take(in, &l->kind, sizeof l->kind) && bytes_take(in, &timed, sizeof timed) &&
        bytes_take(in, &l->value, sizeof l->value) && bytes_take(in, &l->inputs, sizeof l->inputs);
    l->timed = timed != 0;
    return good && l->kind >= 0 && l->kind < RUN_COMMAND_COUNT && l->step >= 0 &&
           l->step < 1LL << 52 && fabs(l->time) < 1e12 && (l->vehicle = take_text(r)) &&
           (l->param = take_text(r));
}

static bool take_log(past_reader *r, mc_error *error)
{
    int count;
    run_logged l;
    long long step = 0;
    if (!take_count(r, &count, sizeof l.step) ||
        !bytes_take(&r->in, &r->carried, sizeof r->carried) || r->carried < 0 || r->carried > count)
        return false;
    for (int k = 0; k < count; k++) {
        if (!take_entry(r, &l) || l.step < step || run_log_add(r->to, &l, error) < 0)
            return false;
        step = l.step;
    }
    return true;
}

static bool take_happened(past_reader *r)
{
    run_past *p = &r->to->past;
    int count;
    if (!take_count(r, &count, sizeof(long long)))
        return false;
    p->happened = malloc((size_t)count * sizeof *p->happened + 1);
    if (!p->happened)
        return false;
    p->happened_capacity = count;
    for (int k = 0; k < count; k++) {
        run_happened *h = &p->happened[k];
        if (!bytes_take(&r->in, &h->step, sizeof h->step) ||
            !bytes_take(&r->in, &h->time, sizeof h->time) ||
            !bytes_take(&r->in, &h->kind, sizeof h->kind) || h->kind < 0 ||
            h->kind >= EVENT_HAPPENED_COUNT ||
            !bytes_take(&r->in, &h->vehicle, sizeof h->vehicle) || h->vehicle < -1 ||
            !bytes_take(&r->in, &h->value, sizeof h->value) || !(h->name = take_text(r)))
            return false;
        p->happened_count++;
    }
    return true;
}

// The scenario that comes after the last one of the list.
static mc_scenario *next_version(const run_past *p, int entry, mc_error *error)
{
    const mc_scenario *before = p->versions[p->version_count - 1].given;
    if (entry < 0)
        return scenario_keep(before);
    const run_logged *l = &p->log[entry];
    return l->kind == RUN_EDIT ? mc_scenario_edit_at(before, l->time, l->param, error)
                               : scenario_version_of(before, l->param, error);
}

static bool take_version(past_reader *r, mc_error *error)
{
    run_past *p = &r->to->past;
    run_version v = {0};
    int entry;
    if (!bytes_take(&r->in, &v.step, sizeof v.step) || !bytes_take(&r->in, &entry, sizeof entry) ||
        entry < -1 || entry >= r->carried || (entry >= 0 && p->log[entry].kind < EVENT_KIND_COUNT))
        return false;
    v.text = entry < 0 ? NULL : p->log[entry].param;
    v.given = next_version(p, entry, error);
    if (v.given && run_version_add(r->to, &v, error) == MC_OK)
        return true;
    mc_scenario_free(v.given);
    return false;
}

// The current version with the vehicles that have joined, and where it began with them.
static bool take_begun(past_reader *r)
{
    run_past *p = &r->to->past;
    run_version *now = &p->versions[p->version_count - 1];
    const scenario *all = scenario_of(now->given);
    int count;
    if (!bytes_take(&r->in, &count, sizeof count))
        return false;
    if (count == -1) // all vehicles of the scenario, in their places
        return true;
    if (count < 1 || count > all->vehicle_count)
        return false;
    begun *list = malloc((size_t)count * sizeof *list);
    bool *there = calloc((size_t)all->vehicle_count, sizeof *there);
    bool good = list && there && bytes_take(&r->in, list, (size_t)count * sizeof *list);
    for (int v = 0; good && v < count; v++) {
        good = list[v].number > (v > 0 ? list[v - 1].number : -1) &&
               list[v].number < all->vehicle_count && list[v].lane >= 0 && list[v].path >= -1 &&
               list[v].path < mc_road_path_count(&all->road) && list[v].lane < 64;
        if (good)
            there[list[v].number] = true;
    }
    scenario *own = good ? run_copy_some(all, there) : NULL;
    for (int v = 0; own && v < count; v++) {
        scenario_vehicle *is = &own->vehicles[v];
        is->x = list[v].x, is->y = list[v].y, is->heading = list[v].heading, is->v = list[v].v;
        is->a = list[v].a, is->lane = list[v].lane, is->carried = list[v].carried != 0;
        is->path = list[v].path;
        own->paths_kept = own->paths_kept || is->path < 0;
    }
    if (own) {
        free(now->own);
        now->own = own;
    }
    free(list);
    free(there);
    return own;
}

static bool take_past(past_reader *r, const mc_run *of, mc_error *error)
{
    int version;
    const run_version *was = &of->past.versions[0];
    const run_version first = {.given = scenario_keep(was->given),
                               .own = was->own ? run_copy_scenario(was->own) : NULL};
    if ((was->own && !first.own) || run_version_add(r->to, &first, error) != MC_OK) {
        mc_scenario_free(first.given);
        free(first.own);
        return false;
    }
    if (!take_log(r, error) || !take_happened(r) || !take_count(r, &version, sizeof(long long)))
        return false;
    for (int k = 1; k <= version; k++)
        if (!take_version(r, error))
            return false;
    r->to->past.version = version;
    return take_begun(r) && r->in.at == r->in.size;
}

// ---- the run ----

static bool same_entry(const run_logged *a, const run_logged *b)
{
    return a->step == b->step && a->kind == b->kind && strcmp(a->vehicle, b->vehicle) == 0 &&
           strcmp(a->param, b->param) == 0 && memcmp(&a->value, &b->value, sizeof a->value) == 0 &&
           memcmp(&a->inputs, &b->inputs, sizeof a->inputs) == 0;
}

// A run that has a log keeps what it says of the steps to come; what was carried out must be the
// same.
static mc_status join_logs(const mc_run *r, mc_run *to, int carried, mc_error *error)
{
    const run_past *own = &r->past;
    if (own->log_count == 0)
        return MC_OK;
    bool same = own->log_count >= carried;
    for (int k = 0; same && k < carried; k++)
        same = same_entry(&own->log[k], &to->past.log[k]);
    if (!same)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "this file was saved after other commands than those of the log; "
                            "resume with the same log, or with none: the file holds it");
    to->past.log_count = carried;
    mc_status status = MC_OK;
    for (int k = carried; k < own->log_count && status == MC_OK; k++) {
        run_logged l = own->log[k];
        const char *file = l.line > 0 ? l.file : "";
        l.file = arena_copy_text(&to->past.memory, file, strlen(file));
        if (!l.file || !run_log_keep_texts(to, &l))
            status = mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the log");
        else if (run_log_add(to, &l, error) < 0)
            status = MC_NO_MEMORY;
    }
    return status;
}

// A run that has only a past, and then the state.
static mc_status resume(mc_run *r, past_reader *past, const mc_snapshot *state, mc_error *error)
{
    mc_error inner = {0};
    if (!take_past(past, r, &inner))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "the file is damaged%s%s",
                            inner.text[0] ? ": " : "", inner.text);
    mc_run *to = past->to;
    mc_status status = join_logs(r, to, past->carried, error);
    if (status == MC_OK)
        status = run_use_version(to, to->past.version, error);
    if (status == MC_OK)
        status = run_restore(to, state, error);
    if (status != MC_OK)
        return status;
    const run_past was = r->past; // the run takes the past over with the state
    r->past = to->past;
    to->past = was;
    run_become(r, to);
    past->to = NULL;
    return MC_OK;
}

static const char *wrong_with(const mc_run *r, const char *data, size_t size, size_t extra_size)
{
    checkpoint_head head;
    if (size < sizeof head)
        return "is not a checkpoint of a run";
    memcpy(&head, data, sizeof head);
    if (memcmp(head.magic, "motorcade state", sizeof head.magic) == 0)
        return "is a checkpoint of an earlier version of motorcade: run the scenario again";
    if (memcmp(head.magic, CHECKPOINT, sizeof head.magic) != 0)
        return "is not a checkpoint of a run";
    if (head.scenario != scenario_text_hash(scenario_of(mc_run_origin(r))))
        return "belongs to another scenario, or the scenario has changed since";
    const size_t rest = size - sizeof head;
    if (head.extra_size != extra_size || extra_size > rest || head.past_size > rest - extra_size ||
        head.size != rest - extra_size - head.past_size ||
        head.hash != bytes_hash(BYTES_HASH_START, data + sizeof head, rest))
        return "is truncated or damaged";
    return NULL;
}

mc_status mc_run_read_checkpoint_with(mc_run *r, const char *path, void *extra, size_t extra_size,
                                      mc_error *error)
{
    mc_error unused;
    error = error ? error : &unused;
    arena memory = {0};
    char *data;
    size_t size;
    mc_status status = file_read(&memory, path, 0, &data, &size, error);
    const char *wrong = status == MC_OK ? wrong_with(r, data, size, extra_size) : NULL;
    if (wrong) {
        status = mc_error_set(error, MC_BAD_INPUT, path, 0, 0, "this file %s", wrong);
    } else if (status == MC_OK) {
        checkpoint_head head;
        memcpy(&head, data, sizeof head);
        const char *past = data + sizeof head, *state = past + head.past_size;
        past_reader reader = {.in = bytes_read(past, head.past_size)};
        reader.to = run_create_empty(r, error);
        status = reader.to ? resume(r, &reader, &(mc_snapshot){(void *)(uintptr_t)state, head.size},
                                    error)
                           : error->code;
        mc_run_destroy(reader.to);
        if (status != MC_OK && error->file[0] == '\0')
            snprintf(error->file, sizeof error->file, "%s", path);
        if (status == MC_OK && extra_size > 0)
            memcpy(extra, data + size - extra_size, extra_size);
    }
    arena_free(&memory);
    return status;
}

mc_status mc_run_write_checkpoint(const mc_run *r, const char *path, mc_error *error)
{
    return mc_run_write_checkpoint_with(r, path, NULL, 0, error);
}

mc_status mc_run_read_checkpoint(mc_run *r, const char *path, mc_error *error)
{
    return mc_run_read_checkpoint_with(r, path, NULL, 0, error);
}
