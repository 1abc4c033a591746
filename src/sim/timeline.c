// timeline.c - key frames of a run.
#include "motorcade/timeline.h"

#include "sim/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct key_frame {
    long long step;
    int version;
    mc_snapshot snapshot;
} key_frame;

typedef struct line_version { // in use from a step on
    long long step;
    scenario *own; // as the run was made from it; NULL: the first, `s` itself
    const scenario *s;
    const mc_scenario *given; // NULL: the first
} line_version;

struct mc_timeline {
    mc_run *run;
    size_t budget, used;
    long long every;   // steps between key frames
    key_frame *frames; // in order of steps; the first one is never dropped
    int count, capacity;
    line_version *versions; // in order of steps
    int version_count, version;
};

static mc_status take_frame(mc_timeline *line, mc_error *error)
{
    if (line->count == line->capacity) {
        const int capacity = line->capacity ? 2 * line->capacity : 64;
        key_frame *grown = realloc(line->frames, (size_t)capacity * sizeof *grown);
        if (!grown)
            return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for key frames");
        line->frames = grown;
        line->capacity = capacity;
    }
    key_frame *f = &line->frames[line->count];
    const mc_status status = mc_run_save(line->run, &f->snapshot, error);
    if (status != MC_OK)
        return status;
    f->step = line->run->step;
    f->version = line->version;
    line->used += f->snapshot.size;
    line->count++;
    return MC_OK;
}

static void drop(mc_timeline *line, int index)
{
    line->used -= line->frames[index].snapshot.size;
    mc_snapshot_free(&line->frames[index].snapshot);
}

// Every other key frame goes; what is left is twice as far apart.
static void thin_out(mc_timeline *line)
{
    line->every *= 2;
    int kept = 1;
    for (int k = 1; k < line->count; k++)
        if ((line->frames[k].step - line->frames[0].step) % line->every == 0)
            line->frames[kept++] = line->frames[k];
        else
            drop(line, k);
    line->count = kept;
}

mc_timeline *mc_timeline_create(mc_run *run, const mc_timeline_options *options, mc_error *error)
{
    mc_timeline *line = calloc(1, sizeof *line);
    if (!line) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for key frames");
        return NULL;
    }
    line->run = run;
    line->budget = options && options->memory ? options->memory : (size_t)64 << 20;
    line->every = options && options->every > 0 ? options->every : 20;
    line->versions = calloc(1, sizeof *line->versions);
    const bool made = line->versions && take_frame(line, error) == MC_OK;
    if (!made) {
        mc_timeline_destroy(line);
        return NULL;
    }
    line->versions[0] = (line_version){.step = run->step, .s = run->s};
    line->version_count = 1;
    return line;
}

void mc_timeline_destroy(mc_timeline *line)
{
    if (!line)
        return;
    for (int k = 0; k < line->count; k++)
        drop(line, k);
    for (int k = 0; k < line->version_count; k++)
        free(line->versions[k].own);
    free(line->versions);
    free(line->frames);
    free(line);
}

// Does the next version begin with the step that comes now?
static mc_status meet_version(mc_timeline *line, mc_error *error)
{
    const int next = line->version + 1;
    if (next >= line->version_count || line->versions[next].step != line->run->step)
        return MC_OK;
    const mc_status status = mc_run_adopt(line->run, line->versions[next].given, error);
    if (status == MC_OK)
        line->version = next;
    return status;
}

mc_status mc_timeline_step(mc_timeline *line, mc_error *error)
{
    mc_status status = meet_version(line, error);
    if (status == MC_OK)
        status = mc_run_step(line->run, error);
    if (status != MC_OK)
        return status;
    const long long since = line->run->step - line->frames[0].step;
    if (since % line->every != 0 || line->run->step <= line->frames[line->count - 1].step)
        return MC_OK;
    status = take_frame(line, error);
    while (status == MC_OK && line->used > line->budget && line->count > 2)
        thin_out(line);
    return status;
}

// Makes the run one of that version; its state is to be restored then.
static mc_status use_version(mc_timeline *line, int version, mc_error *error)
{
    const line_version *v = &line->versions[version];
    scenario *own = v->own ? run_copy_scenario(v->own) : NULL;
    if (v->own && !own)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a version");
    mc_run *fresh = run_create(own ? own : v->s, own, &line->run->options, error);
    if (!fresh)
        return error ? error->code : MC_FAILED;
    run_become(line->run, fresh);
    line->version = version;
    return MC_OK;
}

static mc_status restore_frame(mc_timeline *line, const key_frame *frame, mc_error *error)
{
    mc_status status = MC_OK;
    if (frame->version != line->version)
        status = use_version(line, frame->version, error);
    return status == MC_OK ? mc_run_restore(line->run, &frame->snapshot, error) : status;
}

static mc_status seek_step(mc_timeline *line, long long step, mc_error *error)
{
    if (step < line->frames[0].step)
        step = line->frames[0].step;
    int frame = line->count - 1;
    while (line->frames[frame].step > step)
        frame--;
    mc_status status = MC_OK;
    // Backwards, or when a key frame lies on the way forward.
    if (step < line->run->step || line->frames[frame].step > line->run->step)
        status = restore_frame(line, &line->frames[frame], error);
    while (status == MC_OK && line->run->step < step)
        status = mc_timeline_step(line, error);
    return status;
}

mc_status mc_timeline_back(mc_timeline *line, mc_error *error)
{
    return seek_step(line, line->run->step - 1, error);
}

mc_status mc_timeline_seek(mc_timeline *line, double t, mc_error *error)
{
    if (!isfinite(t) || fabs(t) > 1e12)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%g s is no instant of a run", t);
    return seek_step(line, (long long)floor(t / line->run->s->step + 0.5), error);
}

mc_run *mc_timeline_branch(const mc_timeline *line, mc_error *error)
{
    const mc_run *from = line->run;
    scenario *own = from->own ? run_copy_scenario(from->own) : NULL;
    if (from->own && !own) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a branch");
        return NULL;
    }
    mc_run *branch = run_create(own ? own : from->s, own, &from->options, error);
    if (!branch)
        return NULL;
    mc_snapshot now;
    mc_status status = mc_run_save(from, &now, error);
    if (status == MC_OK) {
        status = mc_run_restore(branch, &now, error);
        mc_snapshot_free(&now);
    }
    for (int k = 0; k < from->log_count && status == MC_OK; k++)
        if (from->log[k].step < from->step)
            status = run_log_add(branch, &from->log[k], error);
    if (status == MC_OK)
        return branch;
    mc_run_destroy(branch);
    return NULL;
}

// What was there for later is dropped. Commands given for this very step stay: several may come
// between two steps.
static void cut(mc_timeline *line)
{
    mc_run *run = line->run;
    while (run->log_count > 0 && run->log[run->log_count - 1].step > run->step)
        run->log_count--;
    while (line->count > 1 && line->frames[line->count - 1].step > run->step)
        drop(line, --line->count);
    while (line->version_count > line->version + 1)
        free(line->versions[--line->version_count].own);
}

mc_status mc_timeline_adopt(mc_timeline *line, const mc_scenario *version, mc_error *error)
{
    line_version *grown =
        realloc(line->versions, ((size_t)line->version_count + 1) * sizeof *line->versions);
    if (!grown)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a version");
    line->versions = grown;
    cut(line);
    const mc_status status = mc_run_adopt(line->run, version, error);
    if (status != MC_OK)
        return status;
    scenario *own = run_copy_scenario(line->run->own);
    if (!own)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a version");
    // A key frame of this step belongs to the version before: going back to it meets this one anew.
    line->versions[line->version_count] =
        (line_version){.step = line->run->step, .own = own, .s = own, .given = version};
    line->version = line->version_count++;
    return MC_OK;
}

int mc_timeline_version(const mc_timeline *line)
{
    return line->version;
}

mc_status mc_timeline_command(mc_timeline *line, const mc_command *command, mc_error *error)
{
    cut(line);
    return mc_run_command(line->run, command, error);
}

int mc_timeline_frame_count(const mc_timeline *line)
{
    return line->count;
}

size_t mc_timeline_memory(const mc_timeline *line)
{
    return line->used;
}
