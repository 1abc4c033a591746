// log.c - the log of a branch.
#include "studio/hub/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

mc_status log_give(branch *b, const log_entry *e, mc_error *error)
{
    if (strcmp(e->event, "edit") == 0) {
        const int count = mc_run_log_count(b->run);
        const mc_status status = mc_timeline_edit(b->line, e->param, error);
        if (status != MC_OK && mc_run_log_count(b->run) != count) // a command did not fit
            log_note(b, "");
        return status;
    }
    const mc_command command = {.event = e->event,
                                .vehicle = e->vehicle[0] ? e->vehicle : NULL,
                                .param = e->param && e->param[0] ? e->param : NULL,
                                .value = e->value,
                                .inputs = e->inputs};
    return mc_timeline_command(b->line, &command, error);
}

// Room for that many entries. Under the lock.
static bool log_room(branch *b, int count)
{
    if (count <= b->log_room)
        return true;
    const int room = count + count / 2 + 16;
    log_entry *grown = realloc(b->log, (size_t)room * sizeof *grown);
    if (!grown)
        return false;
    b->log = grown;
    b->log_room = room;
    return true;
}

// Entry k of the log as others may know it: of the run, then of what is still to be given.
static bool entry_at(const branch *b, int k, log_entry *out)
{
    const int count = mc_run_log_count(b->run);
    mc_log_entry e;
    if (k >= count) {
        *out = b->script[b->script_at + k - count];
        return true;
    }
    *out = (log_entry){0};
    if (!mc_run_log_at(b->run, k, &e))
        return false;
    out->t = e.time;
    snprintf(out->event, sizeof out->event, "%s", e.event);
    snprintf(out->vehicle, sizeof out->vehicle, "%s", e.vehicle);
    out->param = (char *)(uintptr_t)(e.param ? e.param : ""); // the run's: copied, never freed
    out->value = e.value;
    out->inputs = e.inputs;
    return true;
}

// Who wrote an entry, from the old entries in order of time; *at: where the last one was found.
static const char *author(const log_entry *old, int count, const log_entry *e, int *at,
                          const char *by)
{
    int first = *at < count ? *at : count;
    while (first > 0 && old[first - 1].t > e->t - HISTORY_SAME)
        first--;
    while (first < count && old[first].t < e->t - HISTORY_SAME)
        first++;
    if (*at < count && log_entry_same(&old[*at], e)) // mostly they are in the same order
        return old[(*at)++].by;
    for (int k = first; k < count && old[k].t < e->t + HISTORY_SAME; k++)
        if (log_entry_same(&old[k], e)) {
            *at = k + 1;
            return old[k].by;
        }
    return by;
}

// What is the same as before stays; who wrote an entry is carried over, `by` wrote what is new.
void log_note(branch *b, const char *by)
{
    const int count = mc_run_log_count(b->run) + b->script_count - b->script_at;
    int same = 0, at = 0;
    log_entry e;
    while (same < count && same < b->log_count && entry_at(b, same, &e) &&
           log_entry_same(&b->log[same], &e))
        same++;
    log_entry *tail = calloc((size_t)(count - same) + 1, sizeof *tail);
    const log_entry *old = b->log ? b->log + same : NULL;
    const int old_count = b->log_count - same;
    int n = 0;
    for (int k = same; tail && k < count; k++) {
        if (!entry_at(b, k, &e) || !log_entry_copy(&tail[n], &e))
            continue;
        snprintf(tail[n].by, sizeof tail[n].by, "%s", author(old, old_count, &e, &at, by));
        n++;
    }
    pthread_mutex_lock(&b->lock);
    if (tail && log_room(b, same + n)) {
        for (int k = same; k < b->log_count; k++)
            log_entry_free(&b->log[k]);
        if (n > 0)
            memcpy(b->log + same, tail, (size_t)n * sizeof *tail);
        b->log_count = same + n;
        n = 0;
    }
    pthread_mutex_unlock(&b->lock);
    for (int k = 0; k < n; k++) // there was no room
        log_entry_free(&tail[k]);
    free(tail);
}

void log_append(branch *b, const log_entry *e, const char *by)
{
    const int count = mc_run_log_count(b->run);
    if (b->script_at < b->script_count || (count != b->log_count && count != b->log_count + 1)) {
        log_note(b, by); // it comes before what is still to be given
        return;
    }
    pthread_mutex_lock(&b->lock);
    if (count > b->log_count && log_room(b, count) && log_entry_copy(&b->log[b->log_count], e))
        snprintf(b->log[b->log_count++].by, NAME_SIZE, "%s", by);
    for (int k = count - 1; k >= 0; k--) // pedals of the same step: the newest count
        if (strcmp(b->log[k].event, e->event) == 0 && strcmp(b->log[k].vehicle, e->vehicle) == 0) {
            b->log[k].inputs = e->inputs;
            break;
        }
    pthread_mutex_unlock(&b->lock);
}

log_entry *log_copy(branch *b, int *count)
{
    *count = 0;
    pthread_mutex_lock(&b->lock);
    log_entry *log = calloc((size_t)b->log_count + 1, sizeof *log);
    for (int k = 0; k < b->log_count && log; k++)
        if (log_entry_copy(&log[*count], &b->log[k]))
            ++*count;
    pthread_mutex_unlock(&b->lock);
    return log;
}
