// unit.c - see unit.h.
#include "run/unit.h"

#include "run/event.h"
#include "run/sense.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const scenario_fmu *given(const mc_run *r, int slot)
{
    const int controller = r->car[slot].controller;
    return controller < 0 ? NULL : r->s->controllers[controller].unit;
}

static const scenario_fmu *powertrain_of(const mc_run *r, int slot)
{
    return r->s->models[r->s->vehicles[r->rare[slot].vehicle].model].powertrain;
}

static const char *name_of(const mc_run *r, int slot)
{
    return r->s->vehicles[r->rare[slot].vehicle].name;
}

// ---- lifetime ----------------------------------------------------------------------------------

mc_status run_unit_make(mc_run *r, mc_error *error)
{
    bool any = false, part = false;
    for (int k = 0; k < r->s->controller_count; k++)
        any = any || r->s->controllers[k].unit;
    for (int k = 0; k < r->s->model_count; k++)
        part = part || r->s->models[k].powertrain;
    for (int k = 0; k < r->batch_count; k++)
        r->exchanges = r->exchanges || r->batches[k].batch->kind->exchange;
    const size_t size = ((size_t)r->count + 1) * sizeof *r->units;
    r->units = any ? arena_alloc(&r->memory, size) : NULL;
    r->parts = part ? arena_alloc(&r->memory, size) : NULL;
    return (r->units || !any) && (r->parts || !part)
               ? MC_OK
               : mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the units");
}

static void drop(run_unit *u)
{
    unit_release(u->unit);
    *u = (run_unit){0};
}

void run_unit_end(mc_run *r)
{
    for (int slot = 0; r->units && slot < r->count; slot++)
        drop(&r->units[slot]);
    for (int slot = 0; r->parts && slot < r->count; slot++)
        drop(&r->parts[slot]);
}

// ---- steps -------------------------------------------------------------------------------------

// Values of the inputs of a unit. One that has a signal for the middle of the step too gets the
// other for its start; else it gets that of the middle, as a law without states.
static void fill_inputs(const mc_run *r, int slot, const unit_wiring *w, double *out)
{
    double now[SIGNAL_COUNT], middle[SIGNAL_COUNT];
    bool both[SIGNAL_COUNT] = {false};
    run_signals(r, slot, now, middle);
    for (int k = 0; k < w->input_count; k++)
        if (w->inputs[k].word >= SIGNAL_COUNT)
            both[w->inputs[k].word - SIGNAL_COUNT] = true;
    for (int k = 0; k < w->input_count; k++) {
        const int word = w->inputs[k].word;
        out[k] = word >= SIGNAL_COUNT ? middle[word - SIGNAL_COUNT]
                 : both[word]         ? now[word]
                                      : middle[word];
    }
}

static const double connected = 1.0; // the one begin: that inputs middle.* are

// Starts it, initializes it, and takes a step, as far as that has not been done.
static mc_status ask(const mc_run *r, int slot, const scenario_fmu *s, run_unit *u,
                     const double *in, mc_error *error)
{
    double first;
    mc_status status = MC_OK;
    if (!u->unit) {
        u->unit = unit_start(&s->wiring, name_of(r, slot), error);
        status = u->unit ? MC_OK : error->code;
    }
    if (status == MC_OK && !u->begun)
        status = unit_begin(u->unit, run_time(r), &connected, in, &first, error);
    if (status != MC_OK)
        return status;
    u->begun = 1;
    return unit_step(u->unit, run_time(r), r->s->step, in, &u->answer, error);
}

// The message with the vehicle and the place in the file.
static mc_status name_it(const mc_run *r, int slot, const scenario_fmu *s, mc_error *error)
{
    const mc_error was = *error;
    return mc_error_set(error, was.code, r->s->file, s->place.line, s->place.column, "%s: %s",
                        name_of(r, slot), was.text);
}

// A unit that fails ends the run, or leaves the car to the law of its controller.
static mc_status fail(mc_run *r, int slot, run_unit *u, mc_error *error)
{
    const scenario_fmu *s = given(r, slot);
    const mc_error was = *error;
    if (!s->law_continues)
        return name_it(r, slot, s, error);
    snprintf(r->past.unit_text, sizeof r->past.unit_text, "%s: %.400s", name_of(r, slot), was.text);
    unit_release(u->unit);
    u->unit = NULL;
    u->failed = 1;
    return run_note(r, EVENT_UNIT_FAILED, r->rare[slot].vehicle, NAN, error);
}

mc_status run_unit_step(mc_run *r, mc_error *error)
{
    for (int slot = 0; slot < r->count; slot++) {
        run_unit *u = &r->units[slot];
        const int controller = r->car[slot].controller;
        if (u->controller != 0 && u->controller != controller + 1)
            drop(u);
        if (!given(r, slot))
            continue;
        u->controller = controller + 1;
        double in[SCENARIO_UNIT_WORDS];
        fill_inputs(r, slot, &given(r, slot)->wiring, in);
        mc_status status = u->failed ? MC_OK : ask(r, slot, given(r, slot), u, in, error);
        if (status != MC_OK)
            status = fail(r, slot, u, error);
        if (status != MC_OK)
            return status;
    }
    return MC_OK;
}

const char *mc_run_fmu_failure(const mc_run *r)
{
    return r->past.unit_text;
}

void run_unit_answer(const mc_run *r, int slot, double *desired)
{
    if (given(r, slot) && !r->units[slot].failed)
        *desired = r->units[slot].answer;
}

// The force of a step follows from its throttle and the speed at its start, and is held.
static mc_status drive_one(mc_run *r, int slot, mc_error *error)
{
    const scenario_fmu *s = powertrain_of(r, slot);
    const mc_inputs *pedals = &r->inputs[slot];
    const double all[SCENARIO_FORCE_WORDS] = {[SCENARIO_FORCE_THROTTLE] = pedals->throttle,
                                              [SCENARIO_FORCE_BRAKE] = pedals->brake,
                                              [SCENARIO_FORCE_V] = r->motion[slot].v,
                                              [SCENARIO_FORCE_A] = r->motion[slot].a};
    double in[SCENARIO_FORCE_WORDS];
    mc_batch *batch;
    int index;
    for (int k = 0; k < s->wiring.input_count; k++)
        in[k] = all[s->wiring.inputs[k].word];
    run_unit *u = &r->parts[slot];
    const mc_status status = ask(r, slot, s, u, in, error);
    if (status != MC_OK)
        return name_it(r, slot, s, error);
    mc_world_vehicle(r->world, r->rare[slot].vehicle, &batch, &index);
    if (batch->kind->set_param(batch, index, MC_ROW_OUTSIDE_FORCE, u->answer))
        return MC_OK;
    mc_error_set(error, MC_FAILED, NULL, 0, 0, "%s: a force of %g N at the wheels is out of range",
                 unit_package_name(s->wiring.package), u->answer);
    return name_it(r, slot, s, error);
}

mc_status run_unit_drive(mc_run *r, mc_error *error)
{
    mc_status status = MC_OK;
    for (int slot = 0; slot < r->count && status == MC_OK; slot++)
        if (powertrain_of(r, slot))
            status = drive_one(r, slot, error);
    return status;
}

mc_status run_unit_exchange(mc_run *r, mc_error *error)
{
    for (int v = 0; v < r->count; v++) {
        mc_batch *batch;
        int index;
        mc_world_vehicle(r->world, v, &batch, &index);
        if (!batch->kind->exchange)
            continue;
        const mc_status status =
            batch->kind->exchange(batch, index, run_time(r), r->s->step, error);
        if (status != MC_OK) {
            const mc_error was = *error;
            return mc_error_set(error, was.code, was.file, was.line, was.column, "%s: %s",
                                r->s->vehicles[v].name, was.text);
        }
    }
    r->world->calm_until = -HUGE_VAL; // their motion is another than it was taken to be
    return MC_OK;
}

static void carry_part(const mc_run *old, int from, mc_run *fresh, int to)
{
    const scenario_fmu *was = powertrain_of(old, from), *is = powertrain_of(fresh, to);
    if (!old->parts || !fresh->parts || !was || !is || was->hash != is->hash)
        return;
    drop(&fresh->parts[to]);
    fresh->parts[to] = old->parts[from];
    if (fresh->parts[to].unit)
        unit_share(fresh->parts[to].unit);
}

void run_unit_carry(const mc_run *old, int from, mc_run *fresh, int to)
{
    carry_part(old, from, fresh, to);
    if (!old->units || !fresh->units || !given(old, from) || !given(fresh, to) ||
        given(old, from)->hash != given(fresh, to)->hash ||
        old->units[from].controller != old->car[from].controller + 1)
        return;
    drop(&fresh->units[to]);
    fresh->units[to] = old->units[from];
    fresh->units[to].controller = fresh->car[to].controller + 1;
    if (fresh->units[to].unit)
        unit_share(fresh->units[to].unit);
}

// ---- snapshots ---------------------------------------------------------------------------------

static void put_piece(bytes *out, const void *data, size_t size)
{
    bytes_put(out, &size, sizeof size);
    if (size > 0)
        bytes_put(out, data, size);
}

static mc_status save_unit(const run_unit *u, bytes *out, mc_error *error)
{
    bytes state = {0};
    const mc_status status = u->begun && u->unit ? unit_save(u->unit, &state, error) : MC_OK;
    bytes_put(out, &u->controller, sizeof u->controller);
    bytes_put(out, &u->failed, sizeof u->failed);
    bytes_put(out, &u->begun, sizeof u->begun);
    put_piece(out, state.data, state.size);
    bytes_free(&state);
    return status;
}

static mc_status save_vehicle(const mc_run *r, int v, bytes *out, mc_error *error)
{
    mc_batch *batch;
    int index;
    void *data = NULL;
    size_t size = 0;
    mc_world_vehicle(r->world, v, &batch, &index);
    if (!batch->kind->outside_save)
        return MC_OK;
    const mc_status status = batch->kind->outside_save(batch, index, &data, &size, error);
    put_piece(out, data, size);
    free(data);
    return status;
}

mc_status run_unit_save(const mc_run *r, bytes *out, mc_error *error)
{
    mc_error own;
    bytes all = {0};
    mc_status status = MC_OK;
    error = error ? error : &own;
    if (!r->units && !r->parts && !r->exchanges)
        return MC_OK;
    for (int slot = 0; r->units && slot < r->count && status == MC_OK; slot++)
        status = save_unit(&r->units[slot], &all, error);
    for (int slot = 0; r->parts && slot < r->count && status == MC_OK; slot++)
        status = save_unit(&r->parts[slot], &all, error);
    for (int v = 0; r->exchanges && v < r->count && status == MC_OK; v++)
        status = save_vehicle(r, v, &all, error);
    put_piece(out, all.data, all.size);
    out->failed = out->failed || all.failed;
    bytes_free(&all);
    return status;
}

static bool take_piece(bytes_reader *in, bytes_reader *piece)
{
    size_t size;
    if (!bytes_take(in, &size, sizeof size) || size > in->size - in->at)
        return false;
    *piece = bytes_read(in->data + in->at, size);
    in->at += size;
    return true;
}

bool run_unit_skip(const mc_run *r, bytes_reader *in, bytes_reader *piece)
{
    *piece = (bytes_reader){0};
    return (!r->units && !r->parts && !r->exchanges) || take_piece(in, piece);
}

static mc_status damaged(mc_error *error)
{
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "the snapshot is damaged: the states of its units are not whole");
}

static mc_status restore_unit(mc_run *r, int slot, run_unit *u, bytes_reader *in, mc_error *error)
{
    run_unit now = {0};
    bytes_reader state;
    double inputs[2 * SIGNAL_COUNT] = {0}, first;
    if (!bytes_take(in, &now.controller, sizeof now.controller) ||
        !bytes_take(in, &now.failed, sizeof now.failed) ||
        !bytes_take(in, &now.begun, sizeof now.begun) || !take_piece(in, &state) ||
        now.controller < 0 || now.controller > r->s->controller_count)
        return damaged(error);
    const scenario_fmu *s = now.controller > 0 ? r->s->controllers[now.controller - 1].unit
                            : r->parts && u == &r->parts[slot] ? powertrain_of(r, slot)
                                                               : NULL;
    if (now.begun && !now.failed && s) {
        now.unit = unit_start(&s->wiring, name_of(r, slot), error);
        mc_status status = now.unit ? MC_OK : error->code;
        if (status == MC_OK)
            status = unit_begin(now.unit, run_time(r), &connected, inputs, &first, error);
        if (status == MC_OK)
            status = unit_restore(now.unit, state.data, state.size, &now.answer, error);
        if (status != MC_OK) {
            unit_release(now.unit);
            return status;
        }
    }
    drop(u);
    *u = now;
    return MC_OK;
}

mc_status run_unit_restore(mc_run *r, bytes_reader *in, mc_error *error)
{
    mc_error own;
    mc_status status = MC_OK;
    error = error ? error : &own;
    for (int slot = 0; r->units && slot < r->count && status == MC_OK; slot++)
        status = restore_unit(r, slot, &r->units[slot], in, error);
    for (int slot = 0; r->parts && slot < r->count && status == MC_OK; slot++)
        status = restore_unit(r, slot, &r->parts[slot], in, error);
    for (int v = 0; r->exchanges && v < r->count && status == MC_OK; v++) {
        mc_batch *batch;
        int index;
        bytes_reader state;
        mc_world_vehicle(r->world, v, &batch, &index);
        if (!batch->kind->outside_restore)
            continue;
        status = take_piece(in, &state)
                     ? batch->kind->outside_restore(batch, index, state.data, state.size, error)
                     : damaged(error);
    }
    return status;
}
