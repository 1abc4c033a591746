// instance.c - see instance.h.
#include "fmi/instance.h"

#include "base/file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char mark[8] = "mcfmu 1"; // of a serialized state

// ---- messages ----------------------------------------------------------------------------------

fmi_status instance_fail(instance *n, fmi_status status, const char *format, ...)
{
    char text[1200];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (n->log)
        n->log(n, status, status == FMI_DISCARD ? "logStatusDiscard" : "logStatusError", text);
    return status;
}

static fmi_status fail_by(instance *n, fmi_status status, const mc_error *error)
{
    char text[1024];
    return instance_fail(n, status, "%s", mc_error_format(error, text, (int)sizeof text));
}

static const char *mode_name(fmi_mode mode)
{
    switch (mode) {
    case FMI_INSTANTIATED:
        return "instantiated";
    case FMI_INITIALIZATION:
        return "in initialization mode";
    case FMI_EVENT:
        return "in event mode";
    case FMI_CONTINUOUS:
        return "in continuous-time mode";
    case FMI_STEP:
        return "in step mode";
    case FMI_TERMINATED:
        return "terminated";
    case FMI_FAILED:
        return "failed";
    }
    return "unknown";
}

bool instance_allows(instance *n, const char *function, int modes)
{
    if (n && (int)n->mode & modes)
        return true;
    if (n)
        instance_fail(n, FMI_ERROR, "%s is not allowed now: the instance is %s", function,
                      mode_name(n->mode));
    return false;
}

// ---- lifetime ----------------------------------------------------------------------------------

static mc_status open_model(instance *n, mc_error *error)
{
    char path[4200], *text;
    size_t size;
    arena memory = {0};
    snprintf(path, sizeof path, "%s/settings.txt", n->folder);
    mc_status status = file_read(&memory, path, 0, &text, &size, error);
    if (status == MC_OK)
        status = fmu_settings_read(&n->settings, text, path, error);
    arena_free(&memory);
    if (status == MC_OK) {
        n->model = fmu_model_open(&n->settings, n->folder, error);
        status = n->model ? MC_OK : error->code;
    }
    if (status == MC_OK)
        n->model->shows_rows = !n->exchange;
    return status;
}

instance *instance_create(const char *name, const char *token, const char *folder, bool exchange,
                          bool logging, fmi_log *log, void *environment, void *logger)
{
    mc_error error;
    char own[80];
    instance *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    *n = (instance){.name = strdup(name && *name ? name : "unit"),
                    .folder = strdup(folder ? folder : ""),
                    .mode = FMI_INSTANTIATED,
                    .exchange = exchange,
                    .logging = logging,
                    .log = log,
                    .environment = environment,
                    .logger = logger};
    if (!n->name || !n->folder || open_model(n, &error) != MC_OK) {
        if (n->name && n->folder)
            fail_by(n, FMI_ERROR, &error);
        instance_free(n);
        return NULL;
    }
    fmu_model_token(n->model, &n->settings, own);
    const char *why = exchange && n->model->state_count == 0 ? n->model->why : NULL;
    if (!token || strcmp(token, own) != 0)
        instance_fail(n, FMI_ERROR,
                      "instantiation token \"%s\", expected \"%s\": description and "
                      "resources are of different units",
                      token ? token : "", own);
    else if (why)
        instance_fail(n, FMI_ERROR, "co-simulation only: %s", why);
    else
        return n;
    instance_free(n);
    return NULL;
}

void instance_free(instance *n)
{
    if (!n)
        return;
    fmu_model_close(n->model);
    free(n->folder);
    free(n->name);
    free(n);
}

fmi_status instance_reset(instance *n)
{
    mc_error error;
    fmu_model *old = n->model;
    if (open_model(n, &error) != MC_OK) {
        n->model = old;
        n->mode = FMI_FAILED;
        return fail_by(n, FMI_ERROR, &error);
    }
    fmu_model_close(old);
    n->mode = FMI_INSTANTIATED;
    n->start = n->time = 0.0;
    return FMI_OK;
}

// ---- modes -------------------------------------------------------------------------------------

static fmi_status take(instance *n, mc_status status, const mc_error *error)
{
    if (status == MC_OK)
        return FMI_OK;
    n->mode = FMI_FAILED;
    return fail_by(n, FMI_ERROR, error);
}

fmi_status instance_enter_initialization(instance *n, double start)
{
    mc_error error;
    if (!instance_allows(n, "EnterInitializationMode", FMI_INSTANTIATED))
        return FMI_ERROR;
    if (!isfinite(start))
        return instance_fail(n, FMI_ERROR, "the start time is not a finite number");
    n->start = n->time = start;
    n->mode = FMI_INITIALIZATION;
    return take(n, n->model->kind->initialize(n->model, start, &error), &error);
}

fmi_status instance_exit_initialization(instance *n)
{
    mc_error error;
    if (!instance_allows(n, "ExitInitializationMode", FMI_INITIALIZATION))
        return FMI_ERROR;
    n->mode = n->exchange ? FMI_EVENT : FMI_STEP;
    return take(n, n->model->kind->initialize(n->model, n->start, &error), &error);
}

fmi_status instance_change(instance *n, const char *function, int from, fmi_mode to)
{
    if (!instance_allows(n, function, from))
        return FMI_ERROR;
    n->mode = to;
    return FMI_OK;
}

fmi_status instance_step(instance *n, double t, double h)
{
    mc_error error;
    if (!instance_allows(n, "DoStep", FMI_STEP))
        return FMI_ERROR;
    if (!(h > 0.0) || !isfinite(h))
        return instance_fail(n, FMI_ERROR, "DoStep: a step of %g s must be above 0", h);
    if (!(fabs(t - n->time) <= 1e-9 * fmax(1.0, fabs(n->time))))
        return instance_fail(n, FMI_ERROR, "DoStep from %.17g s: the instance is at %.17g s", t,
                             n->time);
    const double end = t + h;
    n->model->length = h;
    const mc_status status = n->model->kind->advance(n->model, end, &error);
    if (status == MC_BAD_INPUT)
        return fail_by(n, FMI_DISCARD, &error);
    if (status == MC_OK)
        n->time = end;
    return take(n, status, &error);
}

fmi_status instance_event(instance *n, bool *states_changed)
{
    mc_error error;
    if (!instance_allows(n, "the update of discrete states", FMI_EVENT))
        return FMI_ERROR;
    *states_changed = false;
    if (!n->exchange)
        return FMI_OK;
    return take(n, n->model->kind->event(n->model, states_changed, &error), &error);
}

// ---- values ------------------------------------------------------------------------------------

static const fmu_variable *find(instance *n, unsigned reference, bool boolean)
{
    if (reference >= (unsigned)n->model->variable_count) {
        instance_fail(n, FMI_ERROR, "no variable has the value reference %u", reference);
        return NULL;
    }
    const fmu_variable *v = &n->model->variables[reference];
    if (v->boolean == boolean)
        return v;
    instance_fail(n, FMI_ERROR, "%s is a %s", v->name, v->boolean ? "boolean" : "real number");
    return NULL;
}

fmi_status instance_get(instance *n, unsigned reference, bool boolean, double *value)
{
    mc_error error;
    const fmu_variable *v = find(n, reference, boolean);
    if (!v)
        return FMI_ERROR;
    if (n->mode == FMI_INITIALIZATION) {
        const mc_status status = n->model->kind->initialize(n->model, n->start, &error);
        if (status != MC_OK)
            return take(n, status, &error);
    }
    *value = n->model->kind->get(n->model, (int)reference);
    return FMI_OK;
}

fmi_status instance_set(instance *n, unsigned reference, bool boolean, double value)
{
    mc_error error;
    const fmu_variable *v = find(n, reference, boolean);
    if (!v)
        return FMI_ERROR;
    const int early = FMI_INSTANTIATED | FMI_INITIALIZATION;
    const int modes = v->causality == FMU_INPUT ? early | FMI_EVENT | FMI_CONTINUOUS | FMI_STEP
                      : !v->exact               ? 0
                      : v->tunable              ? early | FMI_EVENT | FMI_STEP
                                                : early;
    if (!((int)n->mode & modes))
        return instance_fail(n, FMI_ERROR, "%s cannot be set: %s", v->name,
                             modes ? mode_name(n->mode) : "it is computed");
    if (v->min != v->max && !(value >= v->min && value <= v->max))
        return instance_fail(n, FMI_ERROR, "%s = %.9g, expected %.9g .. %.9g", v->name, value,
                             v->min, v->max);
    return n->model->kind->set(n->model, (int)reference, value, &error) == MC_OK
               ? FMI_OK
               : fail_by(n, FMI_ERROR, &error);
}

fmi_status instance_directional(instance *n, const unsigned *unknown, size_t unknown_count,
                                const unsigned *known, size_t known_count, const double *seed,
                                double *sensitivity)
{
    mc_error error;
    const int modes = FMI_INITIALIZATION | FMI_EVENT | FMI_CONTINUOUS | FMI_STEP | FMI_TERMINATED;
    if (!instance_allows(n, "GetDirectionalDerivative", modes))
        return FMI_ERROR;
    if (!n->model->kind->directional || n->model->event_count > 0)
        return instance_fail(n, FMI_ERROR, "this unit has no directional derivatives");
    int *all = malloc((unknown_count + known_count + 1) * sizeof *all);
    if (!all)
        return instance_fail(n, FMI_ERROR, "no memory left");
    for (size_t i = 0; i < unknown_count + known_count; i++) {
        const unsigned reference = i < unknown_count ? unknown[i] : known[i - unknown_count];
        if (!find(n, reference, false)) {
            free(all);
            return FMI_ERROR;
        }
        all[i] = (int)reference;
    }
    const mc_status status =
        n->model->kind->directional(n->model, all, (int)unknown_count, all + unknown_count,
                                    (int)known_count, seed, sensitivity, &error);
    free(all);
    return status == MC_OK ? FMI_OK : fail_by(n, FMI_ERROR, &error);
}

fmi_status instance_states(instance *n, const char *function, int modes, size_t count)
{
    if (!instance_allows(n, function, modes))
        return FMI_ERROR;
    return n->exchange && count == (size_t)n->model->state_count
               ? FMI_OK
               : instance_fail(n, FMI_ERROR, "%s: %zu values, expected %d", function, count,
                               n->exchange ? n->model->state_count : 0);
}

// ---- states ------------------------------------------------------------------------------------

fmi_saved *instance_save(instance *n)
{
    fmi_saved *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    *s = (fmi_saved){.mode = n->mode, .start = n->start, .time = n->time};
    n->model->kind->save(n->model, &s->model);
    if (!s->model.failed)
        return s;
    instance_forget(s);
    return NULL;
}

fmi_status instance_restore(instance *n, const fmi_saved *s)
{
    mc_error error;
    bytes_reader in = bytes_read(s->model.data, s->model.size);
    n->mode = s->mode;
    n->start = s->start;
    n->time = s->time;
    return take(n, n->model->kind->restore(n->model, &in, &error), &error);
}

void instance_forget(fmi_saved *s)
{
    if (s)
        bytes_free(&s->model);
    free(s);
}

// As bytes: the mark, hash of the model, mode, times, the state of the model.
typedef struct packed_head {
    char mark[8];
    unsigned long long hash;
    double start, time;
    long long mode;
} packed_head;

size_t instance_packed_size(const fmi_saved *s)
{
    return sizeof(packed_head) + s->model.size;
}

fmi_status instance_pack(instance *n, const fmi_saved *s, void *out, size_t size)
{
    packed_head head = {
        .hash = n->model->hash, .start = s->start, .time = s->time, .mode = s->mode};
    memcpy(head.mark, mark, sizeof head.mark);
    if (size < instance_packed_size(s))
        return instance_fail(n, FMI_ERROR, "a state needs %zu bytes, found room for %zu",
                             instance_packed_size(s), size);
    memcpy(out, &head, sizeof head);
    memcpy((char *)out + sizeof head, s->model.data, s->model.size);
    return FMI_OK;
}

fmi_saved *instance_unpack(instance *n, const void *data, size_t size)
{
    packed_head head;
    if (size >= sizeof head)
        memcpy(&head, data, sizeof head);
    if (size < sizeof head || memcmp(head.mark, mark, sizeof mark) != 0 ||
        head.hash != n->model->hash) {
        instance_fail(n, FMI_ERROR, "these bytes are no state of this unit");
        return NULL;
    }
    fmi_saved *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    *s = (fmi_saved){.mode = (fmi_mode)head.mode, .start = head.start, .time = head.time};
    bytes_put(&s->model, (const char *)data + sizeof head, size - sizeof head);
    return s;
}
