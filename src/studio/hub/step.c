// step.c - steps of a branch.
#include "studio/hub/step.h"

#include "studio/hub/capture.h"
#include "studio/hub/describe.h"
#include "studio/hub/inside.h"
#include "studio/hub/json.h"
#include "studio/hub/log.h"
#include "studio/hub/mail.h"
#include "studio/hub/saved_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void end_branch(hub *h, branch *b, branch_state state, const char *text)
{
    pthread_mutex_lock(&b->lock);
    b->state = state;
    snprintf(b->message, sizeof b->message, "%.250s", text);
    pthread_mutex_unlock(&b->lock);
    if (state == BRANCH_FAILED) {
        branch_event e = {.t = b->end, .type = "failure", .value = NAN};
        snprintf(e.text, sizeof e.text, "%.150s", text);
        event_add(h, b, &e);
    }
    describe_tell(h, b);
    h->clock_due = true;
}

// An entry of the log that no longer makes sense, such as a command to a car that does not exist.
static void tell_dropped(hub *h, branch *b, const log_entry *e, const char *why)
{
    branch_event event = {.t = b->end, .type = "warning", .value = NAN};
    snprintf(event.text, sizeof event.text, "skipped: %s%s%.32s: %.70s", e ? e->event : "command",
             e && e->vehicle[0] ? " of " : "", e ? e->vehicle : "", why);
    event_add(h, b, &event);
    json_t *out = json_object();
    json_put(out, "kind", json_string("changed"));
    json_put(out, "world", json_integer(b->number));
    json_put(out, "text", json_string(event.text));
    json_put(out, "by", json_string(""));
    json_put(out, "at", json_value(b->end));
    json_put(out, "branched", json_false());
    mail_broadcast(h, message_text(out), NULL);
}

static bool is_due(const branch *b, const log_entry *e)
{
    if (e->step > 0)
        return e->step <= mc_run_step_count(b->run);
    return e->t < mc_run_time(b->run) + 0.5 * mc_run_step_size(b->run);
}

bool step_give_script(hub *h, branch *b)
{
    bool changed = false, dropped = false, moved = false;
    for (; b->script_at < b->script_count && is_due(b, &b->script[b->script_at]); b->script_at++) {
        log_entry *e = &b->script[b->script_at];
        mc_error error = {0};
        moved = moved || fabs(e->t - mc_run_time(b->run)) > HISTORY_SAME;
        e->t = mc_run_time(b->run);
        if (log_give(b, e, &error) == MC_OK) {
            event_note_entry(h, b, e, NULL);
            changed = changed || strcmp(e->event, "drive") != 0;
        } else {
            tell_dropped(h, b, e, error.text);
            dropped = true;
        }
    }
    if (dropped || moved)
        log_note(b, "");
    return changed || dropped;
}

// A command that turns out not to fit when it is carried out has been taken out of the log by then:
// the step is done without it. So no page can stop a branch by what it asks for.
static mc_status step_on(hub *h, branch *b, mc_error *error)
{
    const int skipped = mc_run_skipped(b->run, NULL), before = mc_run_log_count(b->run);
    const char *why;
    int count = before;
    mc_status status = mc_timeline_step(b->line, error);
    while (status == MC_BAD_INPUT && mc_run_log_count(b->run) < count) {
        count = mc_run_log_count(b->run);
        tell_dropped(h, b, NULL, error->text);
        status = mc_timeline_step(b->line, error);
    }
    if (count < before)
        log_note(b, "");
    if (mc_run_skipped(b->run, &why) != skipped) // of the scenario
        tell_dropped(h, b, NULL, why);
    return status;
}

static bool step_once(hub *h, branch *b)
{
    mc_error error;
    const double t = mc_run_time(b->run);
    if (t > mc_run_limit(b->run) - 0.5 * mc_run_step_size(b->run)) {
        char text[120];
        snprintf(text, sizeof text,
                 "the scenario ends here, at %g s: give it a later end to continue", t);
        end_branch(h, b, BRANCH_ENDED, text);
        return false;
    }
    const roster *before = b->who;
    if (step_on(h, b, &error) != MC_OK) {
        end_branch(h, b, BRANCH_FAILED, error.text);
        return false;
    }
    const double now = mc_run_time(b->run);
    b->now_valid = false;
    if (!capture_instants(h, b)) {
        end_branch(h, b, BRANCH_FAILED, "no memory for the instants of a collision");
        return false;
    }
    if (now > b->next_row - 0.25 * mc_run_step_size(b->run)) {
        b->next_row = (floor(now / b->row + 1e-6) + 1.0) * b->row;
        if (!capture_row(h, b)) {
            end_branch(h, b, BRANCH_FAILED, "no memory for the history");
            return false;
        }
    }
    pthread_mutex_lock(&b->lock);
    b->end = now;
    pthread_mutex_unlock(&b->lock);
    const bool given = b->script_at < b->script_count && step_give_script(h, b);
    // Cars join and leave by themselves, too, and events change platoons, check-ins and the level.
    if (given || b->who != before || b->stale)
        describe_changed(h, b);
    b->stale = false;
    if (b->saved_t > 0.0 && now > b->saved_t - 0.5 * mc_run_step_size(b->run))
        saved_state_reached(h, b);
    return true;
}

bool step_is_behind(const hub *h, const branch *b)
{
    return b->run && b->state == BRANCH_RUNNING &&
           b->end < h->live - 0.75 * mc_run_step_size(b->run);
}

// Steps a branch to t, or until the real time is up. False: t is not reached yet.
bool step_to(hub *h, branch *b, double t, double until)
{
    const double began = hub_now(), from = b->end;
    int steps = 0;
    bool there = false;
    while (!there && b->state == BRANCH_RUNNING) {
        there = b->end > t - 0.75 * mc_run_step_size(b->run);
        if (there || !step_once(h, b) || (++steps % 4 == 0 && hub_now() > until))
            break;
    }
    const double spent = hub_now() - began;
    if (steps > 0 && spent > 0.0) {
        const double headroom = (b->end - from) / spent;
        pthread_mutex_lock(&b->lock);
        b->headroom = isnan(b->headroom) ? headroom : b->headroom + 0.2 * (headroom - b->headroom);
        pthread_mutex_unlock(&b->lock);
    }
    h->busy += spent;
    if (steps > 0)
        b->instant++;
    return there || b->state != BRANCH_RUNNING;
}
