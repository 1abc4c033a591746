// timeline.c - key frames of a run, and rewriting of its history.
#include "motorcade/timeline.h"

#include "run/run.h"
#include "run/adopt.h"
#include "run/event.h"
#include "run/log.h"
#include "timeline/snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct key_frame {
    long long step;
    double time;
    bytes state;
} key_frame;

struct mc_timeline {
    mc_run *run;
    size_t budget, used;
    long long every;   // steps between key frames
    key_frame *frames; // in order of steps; the first one is never dropped
    int count, capacity;
    bytes *spare; // room of those that were dropped; of the same capacity
    int spare_count;
    long long end_step; // the farthest one reached
    double end_time;
    int dropped;
    unsigned cut;      // counts how often history was cut
    int first_carried; // commands of the first key frame's step that were carried out before it
};

// ---- key frames ----

// Room for a key frame: that of one that was dropped, since allocating or freeing megabytes would
// slow down the step that does it.
static bytes take_room(mc_timeline *line)
{
    if (line->spare_count > 0)
        return line->spare[--line->spare_count];
    if (line->count == 0)
        return (bytes){0};
    const size_t last = line->frames[line->count - 1].state.size, room = last + last / 16 + 256;
    unsigned char *data = malloc(room); // no room: it is asked for again, piece by piece
    return (bytes){.data = data, .room = data ? room : 0};
}

static mc_status make_room(mc_timeline *line, mc_error *error)
{
    if (line->count < line->capacity)
        return MC_OK;
    const int capacity = line->capacity ? 2 * line->capacity : 64;
    key_frame *grown = realloc(line->frames, (size_t)capacity * sizeof *grown);
    line->frames = grown ? grown : line->frames;
    bytes *spare = realloc(line->spare, (size_t)capacity * sizeof *spare);
    line->spare = spare ? spare : line->spare;
    if (!grown || !spare)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for key frames");
    line->capacity = capacity;
    return MC_OK;
}

static mc_status take_frame(mc_timeline *line, mc_error *error)
{
    mc_status status = make_room(line, error);
    if (status != MC_OK)
        return status;
    key_frame *f = &line->frames[line->count];
    f->state = take_room(line);
    status = run_save(line->run, &f->state, error);
    if (status != MC_OK) {
        bytes_free(&f->state);
        return status;
    }
    f->step = line->run->step;
    f->time = run_time(line->run);
    line->used += f->state.size;
    line->count++;
    return MC_OK;
}

static void drop(mc_timeline *line, int index)
{
    line->used -= line->frames[index].state.size;
    line->spare[line->spare_count++] = line->frames[index].state;
    line->frames[index].state = (bytes){0};
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
    line->end_step = run->step;
    line->end_time = run_time(run);
    line->first_carried = run->carried;
    if (take_frame(line, error) != MC_OK) {
        mc_timeline_destroy(line);
        return NULL;
    }
    return line;
}

void mc_timeline_destroy(mc_timeline *line)
{
    if (!line)
        return;
    for (int k = 0; k < line->count; k++)
        bytes_free(&line->frames[k].state);
    for (int k = 0; k < line->spare_count; k++)
        bytes_free(&line->spare[k]);
    free(line->spare);
    free(line->frames);
    free(line);
}

// ---- going there ----

mc_status mc_timeline_step(mc_timeline *line, mc_error *error)
{
    mc_status status = mc_run_step(line->run, error);
    if (status != MC_OK)
        return status;
    if (line->run->step > line->end_step) {
        line->end_step = line->run->step;
        line->end_time = run_time(line->run);
    }
    const long long since = line->run->step - line->frames[0].step;
    if (since % line->every != 0 || line->run->step <= line->frames[line->count - 1].step)
        return MC_OK;
    status = take_frame(line, error);
    while (status == MC_OK && line->used > line->budget && line->count > 2)
        thin_out(line);
    return status;
}

static mc_status restore_frame(mc_timeline *line, const key_frame *frame, mc_error *error)
{
    return run_restore(line->run, &(mc_snapshot){frame->state.data, frame->state.size}, error);
}

// The last key frame that is not behind a step.
static const key_frame *frame_before(const mc_timeline *line, long long step)
{
    int low = 0, high = line->count; // frames[low].step <= step < frames[high].step
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (line->frames[middle].step <= step)
            low = middle;
        else
            high = middle;
    }
    return &line->frames[low];
}

static mc_status seek_step(mc_timeline *line, long long step, mc_error *error)
{
    if (step < line->frames[0].step)
        step = line->frames[0].step;
    const key_frame *frame = frame_before(line, step);
    mc_status status = MC_OK;
    // Backwards, or when a key frame lies on the way forward.
    if (step < line->run->step || frame->step > line->run->step)
        status = restore_frame(line, frame, error);
    while (status == MC_OK && line->run->step < step)
        status = mc_timeline_step(line, error);
    return status == MC_OK ? mc_run_carry_edits(line->run, error) : status;
}

mc_status mc_timeline_back(mc_timeline *line, mc_error *error)
{
    mc_error unused;
    return seek_step(line, line->run->step - 1, error ? error : &unused);
}

// The last key frame that is not behind an instant.
static const key_frame *frame_at(const mc_timeline *line, double t)
{
    int low = 0, high = line->count;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (line->frames[middle].time <= t)
            low = middle;
        else
            high = middle;
    }
    return &line->frames[low];
}

// The nearest state before t that is kept; only when it is nearer than where the run is.
static mc_status jump(mc_timeline *line, double t, const mc_timeline_way *way, mc_error *error)
{
    const mc_run *r = line->run;
    const double step = r->s->step;
    const key_frame *frame = frame_at(line, t + 1e-9 * step);
    const bool back = run_time(r) > t + 0.5 * step * (1.0 - 1e-9);
    if (way && way->state.data && way->line == line && way->cut == line->cut &&
        way->time <= t + 1e-9 * step && way->step > frame->step && (back || way->step > r->step))
        return run_restore(line->run, &way->state, error);
    if (back || frame->step > r->step)
        return restore_frame(line, frame, error);
    return MC_OK;
}

// Steps may change their length on the way: those behind the last key frame are counted by doing
// them.
mc_status mc_timeline_seek_some(mc_timeline *line, double t, bool (*enough)(void *context),
                                void *context, mc_timeline_way *way, bool *there, mc_error *error)
{
    mc_error unused;
    error = error ? error : &unused;
    const mc_run *r = line->run;
    *there = false;
    if (!isfinite(t) || fabs(t) > 1e12)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%g s is not an instant of a run", t);
    mc_status status = jump(line, t, way, error);
    bool stop = false;
    while (status == MC_OK && !stop && run_time(r) < t - 0.5 * r->s->step * (1.0 + 1e-9)) {
        status = mc_timeline_step(line, error);
        stop = way && enough(context);
    }
    *there = !(run_time(r) < t - 0.5 * r->s->step * (1.0 + 1e-9));
    if (status != MC_OK || *there)
        return status == MC_OK ? mc_run_carry_edits(line->run, error) : status;
    mc_timeline_way_free(way);
    status = mc_run_save(r, &way->state, error);
    way->step = r->step, way->time = run_time(r);
    way->line = line, way->cut = line->cut;
    return status;
}

void mc_timeline_way_free(mc_timeline_way *way)
{
    mc_snapshot_free(&way->state);
    *way = (mc_timeline_way){0};
}

mc_status mc_timeline_return(mc_timeline *line, const mc_snapshot *state, mc_error *error)
{
    mc_error unused;
    return run_restore(line->run, state, error ? error : &unused);
}

mc_status mc_timeline_seek(mc_timeline *line, double t, mc_error *error)
{
    bool there;
    return mc_timeline_seek_some(line, t, NULL, NULL, NULL, &there, error);
}

double mc_timeline_end(const mc_timeline *line)
{
    return line->end_time;
}

// ---- branches ----

// The versions up to the present one, each with one more user.
static mc_status copy_versions(const mc_run *from, mc_run *to, mc_error *error)
{
    for (int k = 0; k <= from->past.version; k++) {
        run_version v = from->past.versions[k];
        for (int j = 0; v.text && j < from->past.log_count; j++)
            if (from->past.log[j].param == v.text) { // the text is that of the copied log
                v.text = to->past.log[j].param;
                break;
            }
        v.own = v.own ? run_copy_scenario(v.own) : NULL;
        if (!v.own && from->past.versions[k].own)
            return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a branch");
        v.given = scenario_keep(v.given);
        const mc_status status = run_version_add(to, &v, error);
        if (status != MC_OK) {
            free(v.own);
            mc_scenario_free(v.given);
            return status;
        }
    }
    to->past.version = from->past.version;
    return MC_OK;
}

// The log up to now: what was carried out, or is to be carried out in this step.
static mc_status copy_log(const mc_run *from, mc_run *to, mc_error *error)
{
    for (int k = 0; k < from->past.log_count && from->past.log[k].step <= from->step; k++) {
        run_logged l = from->past.log[k];
        l.vehicle = arena_copy_text(&to->past.memory, l.vehicle, strlen(l.vehicle));
        l.param = arena_copy_text(&to->past.memory, l.param, strlen(l.param));
        l.file = NULL, l.line = 0;
        if (!l.vehicle || !l.param)
            return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a branch");
        if (run_log_add(to, &l, error) < 0)
            return MC_NO_MEMORY;
    }
    return MC_OK;
}

static mc_status copy_happened(const mc_run *from, mc_run *to, mc_error *error)
{
    const size_t size = (size_t)from->past.happened_count * sizeof *from->past.happened;
    to->past.happened = malloc(size + 1);
    if (!to->past.happened)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a branch");
    if (size > 0)
        memcpy(to->past.happened, from->past.happened, size);
    to->past.happened_count = from->past.happened_count;
    to->past.happened_capacity = from->past.happened_count;
    return MC_OK;
}

mc_run *mc_timeline_branch(const mc_timeline *line, mc_error *error)
{
    mc_error unused;
    error = error ? error : &unused;
    const mc_run *from = line->run;
    scenario *own = from->own ? run_copy_scenario(from->own) : NULL;
    if (from->own && !own) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a branch");
        return NULL;
    }
    if (own)
        own->step = from->usual_step; // the step while a car brakes comes with the state
    mc_run *branch = run_create(own ? own : from->s, own, &from->options, RUN_RESTORED, error);
    if (!branch)
        return NULL;
    mc_snapshot now = {0};
    mc_status status = mc_run_save(from, &now, error);
    if (status == MC_OK)
        status = copy_log(from, branch, error);
    if (status == MC_OK)
        status = copy_versions(from, branch, error);
    if (status == MC_OK)
        status = copy_happened(from, branch, error);
    if (status == MC_OK)
        status = run_restore(branch, &now, error);
    mc_snapshot_free(&now);
    if (status == MC_OK)
        return branch;
    mc_run_destroy(branch);
    return NULL;
}

// ---- changes from here on ----

static void drop_frames_after(mc_timeline *line, long long step)
{
    while (line->count > 1 && line->frames[line->count - 1].step > step)
        drop(line, --line->count);
}

// After a change, everything stored for later is dropped. Commands given for this very step stay:
// several may come between two steps. A rejected change has no effect.
static mc_status done(mc_timeline *line, mc_status status)
{
    mc_run *run = line->run;
    if (status != MC_OK)
        return status;
    if (run->step < line->end_step)
        line->cut++;
    run->past.log_count = run_log_first(run, run->step + 1);
    drop_frames_after(line, run->step);
    run_forget_versions(run, run->past.version + 1);
    line->end_step = run->step;
    line->end_time = run_time(run);
    return MC_OK;
}

// A version comes behind what the step begins with: vehicles that enter and leave, events, commands
// given before. When it is rejected, none of that has happened yet.
static mc_status change_version(mc_timeline *line, const mc_scenario *version, const char *edit,
                                mc_error *error)
{
    mc_error unused;
    error = error ? error : &unused;
    mc_snapshot before = {0};
    mc_status status = mc_run_save(line->run, &before, error);
    if (status == MC_OK) {
        status =
            version ? mc_run_adopt(line->run, version, error) : mc_run_edit(line->run, edit, error);
        mc_error second;
        if (status != MC_OK && run_restore(line->run, &before, &second) != MC_OK)
            *error = second, status = second.code;
    }
    mc_snapshot_free(&before);
    return done(line, status);
}

mc_status mc_timeline_adopt(mc_timeline *line, const mc_scenario *version, mc_error *error)
{
    return change_version(line, version, NULL, error);
}

mc_status mc_timeline_edit(mc_timeline *line, const char *edit, mc_error *error)
{
    return change_version(line, NULL, edit, error);
}

mc_status mc_timeline_command(mc_timeline *line, const mc_command *command, mc_error *error)
{
    return done(line, mc_run_command(line->run, command, error));
}

// ---- rewriting history ----

static mc_status check_index(const mc_timeline *line, int index, mc_error *error)
{
    const mc_run *r = line->run;
    if (index < 0 || index >= r->past.log_count)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "unknown entry %d of the log; it has %d, numbered from 0", index,
                            r->past.log_count);
    // Those that were carried out before the first key frame cannot be undone.
    if (index < run_log_first(r, line->frames[0].step) + line->first_carried)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "entry %d was carried out at %g s, before this history begins", index,
                            r->past.log[index].time);
    return MC_OK;
}

// The old history, to restore it when rewriting fails.
typedef struct old_history {
    run_logged *log;
    int log_count;
    long long end_step;
} old_history;

static bool keep_history(const mc_timeline *line, old_history *out)
{
    const run_past *p = &line->run->past;
    const size_t size = (size_t)p->log_count * sizeof *p->log;
    *out = (old_history){malloc(size + 1), p->log_count, line->end_step};
    if (out->log && size > 0)
        memcpy(out->log, p->log, size);
    return out->log != NULL;
}

// Back to a key frame at or before a step, before anything of that step was carried out; what came
// after is to be done again.
static mc_status rewind_to(mc_timeline *line, long long step, mc_error *error)
{
    const key_frame *frame = frame_before(line, step);
    const mc_status status = restore_frame(line, frame, error);
    if (status != MC_OK)
        return status;
    line->cut++;
    drop_frames_after(line, line->run->step);
    line->end_step = line->run->step;
    line->end_time = run_time(line->run);
    // Versions of later steps are made again; those up to the step stay.
    run_forget_versions(line->run, line->run->past.version + 1);
    return MC_OK;
}

// Simulates to the end that was reached before, then shows the instant that was shown.
static mc_status play_again(mc_timeline *line, double end, double shown, mc_error *error)
{
    run_past *p = &line->run->past;
    mc_status status = MC_OK;
    p->forgiving = p->by_time = true;
    p->dropped = 0;
    while (status == MC_OK && run_time(line->run) < end - 0.5 * line->run->s->step * (1.0 + 1e-9))
        status = mc_timeline_step(line, error);
    p->forgiving = p->by_time = false;
    line->dropped = p->dropped;
    return status == MC_OK ? mc_timeline_seek(line, shown, error) : status;
}

// The old log again, and all of what it gave.
static void undo(mc_timeline *line, const old_history *was, double shown)
{
    mc_error unused;
    run_past *p = &line->run->past;
    const long long first = was->log_count > 0 ? was->log[0].step : 0;
    memcpy(p->log, was->log, (size_t)was->log_count * sizeof *p->log);
    p->log_count = was->log_count;
    if (rewind_to(line, first, &unused) == MC_OK) {
        while (line->run->step < was->end_step && mc_timeline_step(line, &unused) == MC_OK)
            ;
        mc_timeline_seek(line, shown, &unused);
    }
    line->dropped = 0;
}

mc_status mc_timeline_rewind(mc_timeline *line, double t, mc_error *error)
{
    mc_error unused;
    error = error ? error : &unused;
    mc_run *r = line->run;
    mc_status status = mc_timeline_seek(line, t, error);
    if (status != MC_OK)
        return status;
    const long long step = r->step;
    r->past.log_count = run_log_first(r, step);
    if (step == line->frames[0].step)
        r->past.log_count += line->first_carried;
    status = rewind_to(line, step, error);
    while (status == MC_OK && r->step < step)
        status = mc_timeline_step(line, error);
    return status;
}

// entry: replaces entry `index`; NULL: nothing. It is for the step of its time.
static mc_status rewrite(mc_timeline *line, int index, const run_logged *entry, double shown,
                         mc_error *error)
{
    mc_run *r = line->run;
    old_history was;
    const double end = line->end_time;
    if (!keep_history(line, &was))
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for history");
    long long from = r->past.log[index].step;
    if (entry && entry->time < r->past.log[index].time)
        from = frame_at(line, entry->time)->step;
    run_log_remove(r, index);
    mc_status status = rewind_to(line, from, error);
    if (status == MC_OK) {
        const int first = run_log_first(r, r->step);
        run_log_by_time(r, first, true);
        run_logged moved = entry ? *entry : (run_logged){0};
        if (entry) {
            moved.step = run_log_step_at(r, entry->time);
            moved.asked_for = true;
            status = run_log_add(r, &moved, error) < 0 ? MC_NO_MEMORY : MC_OK;
        }
    }
    if (status == MC_OK)
        status = play_again(line, end, shown, error);
    if (status != MC_OK)
        undo(line, &was, shown);
    free(was.log);
    return status;
}

mc_status mc_timeline_log_remove(mc_timeline *line, int index, mc_error *error)
{
    mc_error unused;
    error = error ? error : &unused;
    const mc_status status = check_index(line, index, error);
    return status == MC_OK ? rewrite(line, index, NULL, run_time(line->run), error) : status;
}

mc_status mc_timeline_log_move(mc_timeline *line, int index, double t, mc_error *error)
{
    mc_error unused;
    error = error ? error : &unused;
    const mc_status status = check_index(line, index, error);
    if (status != MC_OK)
        return status;
    if (!(t >= line->frames[0].time && t <= 1e12))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "an entry cannot be moved to %g s: this history begins at %g s", t,
                            line->frames[0].time);
    run_logged entry = line->run->past.log[index];
    entry.time = t;
    return rewrite(line, index, &entry, run_time(line->run), error);
}

mc_status mc_timeline_log_change(mc_timeline *line, int index, const mc_command *command,
                                 mc_error *error)
{
    mc_error unused;
    error = error ? error : &unused;
    mc_status status = check_index(line, index, error);
    if (status != MC_OK)
        return status;
    // Checked where it will be carried out: cars and controllers may have been others then.
    const double shown = run_time(line->run);
    const run_logged was = line->run->past.log[index];
    run_logged entry;
    status = mc_timeline_seek(line, was.time, error);
    if (status == MC_OK)
        status = run_log_entry(line->run, command, &entry, error);
    if (status == MC_OK) {
        entry.step = was.step;
        entry.time = was.time;
        return rewrite(line, index, &entry, shown, error);
    }
    mc_error second;
    mc_timeline_seek(line, shown, &second);
    return status;
}

int mc_timeline_dropped(const mc_timeline *line)
{
    return line->dropped;
}

int mc_timeline_version(const mc_timeline *line)
{
    return line->run->past.version;
}

int mc_timeline_frame_count(const mc_timeline *line)
{
    return line->count;
}

size_t mc_timeline_memory(const mc_timeline *line)
{
    return line->used;
}
