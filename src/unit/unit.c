// unit.c - see unit.h.
#include "unit/unit.h"

#include "unit/process.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct unit_instance {
    unit_wiring wiring; // with arrays of its own: in `ports` and `starts`
    unit_process *process;
    bytes answer;
    atomic_int owners;
    bool dead;
    mc_error why; // of a dead one
};

static const char *name_of(const unit_instance *u)
{
    return unit_package_name(u->wiring.package);
}

static mc_status die(unit_instance *u, mc_error *error)
{
    u->dead = true;
    u->why = *error;
    unit_process_end(u->process);
    u->process = NULL;
    return error->code;
}

static mc_status call(unit_instance *u, wire_call what, const unit_part *parts, int count,
                      const char *when, mc_error *error)
{
    mc_error own;
    error = error ? error : &own;
    if (u->dead) {
        *error = u->why;
        return error->code;
    }
    const mc_status status =
        unit_process_call(u->process, what, parts, count, &u->answer, when, error);
    return status == MC_OK ? MC_OK : die(u, error);
}

// ---- lifetime ----------------------------------------------------------------------------------

static void list(const unit_wiring *w, wire_variable *out)
{
    for (int k = 0; k < w->input_count; k++)
        *out++ = (wire_variable){w->inputs[k].variable->reference, w->inputs[k].variable->type};
    for (int k = 0; k < w->output_count; k++)
        *out++ = (wire_variable){w->outputs[k].variable->reference, w->outputs[k].variable->type};
    for (int k = 0; k < w->start_count; k++)
        *out++ = (wire_variable){w->starts[k].variable->reference, w->starts[k].variable->type};
    for (int k = 0; k < w->begin_count; k++)
        *out++ = (wire_variable){w->begins[k].variable->reference, w->begins[k].variable->type};
}

static mc_status open_unit(unit_instance *u, const char *name, mc_error *error)
{
    const unit_wiring *w = &u->wiring;
    const unit_description *d = unit_package_description(w->package);
    const char *folder, *library;
    mc_status status = unit_package_unpack(w->package, &folder, &library, error);
    if (status != MC_OK)
        return status;
    u->process = unit_process_start(name_of(u), w->limit, error);
    if (!u->process)
        return error->code;
    wire_open open = {.version = d->version,
                      .exchange = d->exchange,
                      .input_count = w->input_count,
                      .output_count = w->output_count,
                      .start_count = w->start_count + w->begin_count};
    snprintf(open.library, sizeof open.library, "%s", library);
    snprintf(open.folder, sizeof open.folder, "%s", folder);
    snprintf(open.resources, sizeof open.resources, "%.900s/resources", folder);
    snprintf(open.token, sizeof open.token, "%s", d->token);
    snprintf(open.name, sizeof open.name, "%s", name);
    const size_t count =
        (size_t)(w->input_count + w->output_count + w->start_count + w->begin_count);
    wire_variable *all = malloc((count + 1) * sizeof *all);
    if (!all)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the unit");
    list(w, all);
    const unit_part parts[] = {{&open, sizeof open}, {all, count * sizeof *all}};
    status = call(u, WIRE_OPEN, parts, 2, "while it is loaded", error);
    free(all);
    return status;
}

// A unit may outlive the scenario it was wired in: ports and starts are copied, variables are those
// of the package.
static bool keep_wiring(unit_instance *u, const unit_wiring *w)
{
    const int count = w->input_count + w->output_count + w->begin_count;
    unit_port *ports = malloc(((size_t)count + 1) * sizeof *ports);
    unit_preset *starts = malloc(((size_t)w->start_count + 1) * sizeof *starts);
    u->wiring = *w;
    u->wiring.inputs = ports;
    u->wiring.starts = starts;
    u->wiring.package = unit_package_share(w->package);
    if (!ports || !starts)
        return false;
    u->wiring.outputs = ports + w->input_count;
    u->wiring.begins = u->wiring.outputs + w->output_count;
    for (int k = 0; k < w->input_count; k++)
        u->wiring.inputs[k] = w->inputs[k];
    for (int k = 0; k < w->output_count; k++)
        u->wiring.outputs[k] = w->outputs[k];
    for (int k = 0; k < w->begin_count; k++)
        u->wiring.begins[k] = w->begins[k];
    for (int k = 0; k < w->start_count; k++)
        starts[k] = w->starts[k];
    return true;
}

unit_instance *unit_start(const unit_wiring *wiring, const char *name, mc_error *error)
{
    unit_instance *u = calloc(1, sizeof *u);
    if (!u) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the unit");
        return NULL;
    }
    atomic_init(&u->owners, 1);
    if (!keep_wiring(u, wiring))
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the unit");
    else if (open_unit(u, name, error) == MC_OK)
        return u;
    unit_release(u);
    return NULL;
}

unit_instance *unit_share(unit_instance *u)
{
    atomic_fetch_add(&u->owners, 1);
    return u;
}

void unit_release(unit_instance *u)
{
    mc_error unused;
    if (!u || atomic_fetch_sub(&u->owners, 1) > 1)
        return;
    if (u->process && !u->dead)
        unit_process_call(u->process, WIRE_CLOSE, NULL, 0, &u->answer, "at its end", &unused);
    unit_process_end(u->process);
    free(u->wiring.inputs);
    free(u->wiring.starts);
    unit_package_close(u->wiring.package);
    bytes_free(&u->answer);
    free(u);
}

// ---- running -----------------------------------------------------------------------------------

static mc_status take_outputs(unit_instance *u, double *outputs, const char *when, mc_error *error)
{
    const unit_wiring *w = &u->wiring;
    if (u->answer.size != (size_t)w->output_count * sizeof *outputs) {
        mc_error_set(error, MC_FAILED, NULL, 0, 0, "%s: the unit damaged its process %s",
                     name_of(u), when);
        return die(u, error);
    }
    if (w->output_count > 0)
        memcpy(outputs, u->answer.data, u->answer.size);
    for (int k = 0; k < w->output_count; k++)
        if (!isfinite(outputs[k])) {
            mc_error_set(error, MC_FAILED, NULL, 0, 0,
                         "%s: its output %s is not a finite number %s", name_of(u),
                         w->outputs[k].variable->name, when);
            return die(u, error);
        }
    return MC_OK;
}

mc_status unit_begin(unit_instance *u, double t, const double *begins, const double *inputs,
                     double *outputs, mc_error *error)
{
    const unit_wiring *w = &u->wiring;
    char when[80];
    double *starts = malloc(((size_t)w->start_count + 1) * sizeof *starts);
    if (!starts)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the unit");
    for (int k = 0; k < w->start_count; k++)
        starts[k] = w->starts[k].value;
    snprintf(when, sizeof when, "while it is initialized at t = %g s", t);
    const unit_part parts[] = {{&t, sizeof t},
                               {starts, (size_t)w->start_count * sizeof *starts},
                               {begins, (size_t)w->begin_count * sizeof *begins},
                               {inputs, (size_t)w->input_count * sizeof *inputs}};
    const mc_status status = call(u, WIRE_BEGIN, parts, 4, when, error);
    free(starts);
    return status == MC_OK ? take_outputs(u, outputs, when, error) : status;
}

mc_status unit_step(unit_instance *u, double t, double length, const double *inputs,
                    double *outputs, mc_error *error)
{
    const double times[2] = {t, length};
    char when[80];
    snprintf(when, sizeof when, "in a step of %g s at t = %g s", length, t);
    const unit_part parts[] = {{times, sizeof times},
                               {inputs, (size_t)u->wiring.input_count * sizeof *inputs}};
    const mc_status status = call(u, WIRE_STEP, parts, 2, when, error);
    return status == MC_OK ? take_outputs(u, outputs, when, error) : status;
}

static mc_status cannot(const unit_instance *u, mc_error *error)
{
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "%s: the unit cannot serialize its state (canSerializeFMUState is false): "
                        "no checkpoint, branch or return to an earlier instant while it runs",
                        name_of(u));
}

mc_status unit_save(unit_instance *u, bytes *out, mc_error *error)
{
    if (!unit_package_description(u->wiring.package)->serializes)
        return cannot(u, error);
    const mc_status status = call(u, WIRE_SAVE, NULL, 0, "while its state is saved", error);
    if (status == MC_OK)
        bytes_put(out, u->answer.data, u->answer.size);
    return status;
}

mc_status unit_restore(unit_instance *u, const void *data, size_t size, double *outputs,
                       mc_error *error)
{
    const unit_part part = {data, size};
    const char *when = "while its state is restored";
    if (!unit_package_description(u->wiring.package)->serializes)
        return cannot(u, error);
    const mc_status status = call(u, WIRE_RESTORE, &part, 1, when, error);
    return status == MC_OK ? take_outputs(u, outputs, when, error) : status;
}
