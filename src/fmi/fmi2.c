// fmi2.c - FMI 2.0 on an instance.
#include "unit/fmi2.h"

#include "fmi/instance.h"

#include <stdint.h>
#include <string.h>

enum {
    MODEL_EXCHANGE = 0,
    LAST_SUCCESSFUL_TIME = 2,
    VALUES = FMI_INSTANTIATED | FMI_INITIALIZATION | FMI_EVENT | FMI_CONTINUOUS | FMI_STEP |
             FMI_TERMINATED,
    RUNNING = FMI_INITIALIZATION | FMI_EVENT | FMI_CONTINUOUS | FMI_STEP,
};

static instance *of(fmi2Component c)
{
    return c;
}

const char *fmi2GetTypesPlatform(void)
{
    return "default";
}

const char *fmi2GetVersion(void)
{
    return "2.0";
}

// ---- lifetime ----------------------------------------------------------------------------------

static void log_message(instance *n, fmi_status status, const char *category, const char *text)
{
    const fmi2CallbackFunctions *f = n->logger;
    if (f && f->logger && (n->logging || status >= FMI_ERROR))
        f->logger(f->componentEnvironment, n->name, (fmi2Status)status, category, "%s", text);
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c - 'A' + 10;
}

// "file:///a%20b" and "file:/a%20b" to "/a b".
static void path_of(const char *uri, char *out, size_t size)
{
    size_t n = 0;
    uri = uri ? uri : "";
    if (strncmp(uri, "file://", 7) == 0)
        uri += 7;
    else if (strncmp(uri, "file:", 5) == 0)
        uri += 5;
    for (; *uri && n + 1 < size; uri++) {
        if (uri[0] == '%' && strspn(uri + 1, "0123456789abcdefABCDEF") >= 2) {
            out[n++] = (char)(16 * digit(uri[1]) + digit(uri[2]));
            uri += 2;
        } else {
            out[n++] = *uri;
        }
    }
    while (n > 1 && out[n - 1] == '/')
        n--;
    out[n] = '\0';
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *functions, fmi2Boolean visible,
                              fmi2Boolean logging)
{
    char folder[4096];
    (void)visible;
    path_of(resources, folder, sizeof folder);
    return instance_create(name, guid, folder, type == MODEL_EXCHANGE, logging != 0, log_message,
                           NULL, (void *)(uintptr_t)functions);
}

void fmi2FreeInstance(fmi2Component c)
{
    instance_free(c);
}

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count,
                               const fmi2String *categories)
{
    (void)count, (void)categories;
    of(c)->logging = on != 0;
    return FMI_OK;
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance,
                               fmi2Real start, fmi2Boolean has_stop, fmi2Real stop)
{
    (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
    if (!instance_allows(c, "fmi2SetupExperiment", FMI_INSTANTIATED))
        return FMI_ERROR;
    of(c)->start = start;
    return FMI_OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c)
{
    return (fmi2Status)instance_enter_initialization(c, of(c)->start);
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c)
{
    return (fmi2Status)instance_exit_initialization(c);
}

fmi2Status fmi2Terminate(fmi2Component c)
{
    return (fmi2Status)instance_change(c, "fmi2Terminate", FMI_EVENT | FMI_CONTINUOUS | FMI_STEP,
                                       FMI_TERMINATED);
}

fmi2Status fmi2Reset(fmi2Component c)
{
    return (fmi2Status)instance_reset(c);
}

// ---- values ------------------------------------------------------------------------------------

static fmi2Status none(fmi2Component c, size_t count, const char *type)
{
    return count == 0 ? FMI_OK
                      : (fmi2Status)instance_fail(c, FMI_ERROR, "no variable is of type %s", type);
}

#define GET(type, boolean)                                                                         \
    fmi2Status fmi2Get##type(fmi2Component c, const fmi2ValueReference *vr, size_t count,          \
                             fmi2##type *value)                                                    \
    {                                                                                              \
        fmi_status status = instance_allows(c, "fmi2Get" #type, VALUES) ? FMI_OK : FMI_ERROR;      \
        for (size_t i = 0; i < count && status == FMI_OK; i++) {                                   \
            double number = 0.0;                                                                   \
            status = instance_get(c, vr[i], boolean, &number);                                     \
            value[i] = (fmi2##type)number;                                                         \
        }                                                                                          \
        return (fmi2Status)status;                                                                 \
    }                                                                                              \
    fmi2Status fmi2Set##type(fmi2Component c, const fmi2ValueReference *vr, size_t count,          \
                             const fmi2##type *value)                                              \
    {                                                                                              \
        fmi_status status = FMI_OK;                                                                \
        for (size_t i = 0; i < count && status == FMI_OK; i++)                                     \
            status = instance_set(c, vr[i], boolean, (double)value[i]);                            \
        return (fmi2Status)status;                                                                 \
    }
GET(Real, false)
GET(Boolean, true)

#define NONE(type)                                                                                 \
    fmi2Status fmi2Get##type(fmi2Component c, const fmi2ValueReference *vr, size_t count,          \
                             fmi2##type *value)                                                    \
    {                                                                                              \
        (void)vr, (void)value;                                                                     \
        return none(c, count, #type);                                                              \
    }                                                                                              \
    fmi2Status fmi2Set##type(fmi2Component c, const fmi2ValueReference *vr, size_t count,          \
                             const fmi2##type *value)                                              \
    {                                                                                              \
        (void)vr, (void)value;                                                                     \
        return none(c, count, #type);                                                              \
    }
NONE(Integer)
NONE(String)

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference *unknown,
                                        size_t unknown_count, const fmi2ValueReference *known,
                                        size_t known_count, const fmi2Real *seed,
                                        fmi2Real *sensitivity)
{
    return (fmi2Status)instance_directional(c, unknown, unknown_count, known, known_count, seed,
                                            sensitivity);
}

// ---- states ------------------------------------------------------------------------------------

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    fmi_saved *s = instance_save(c);
    if (!s)
        return (fmi2Status)instance_fail(c, FMI_ERROR, "no memory left for a state");
    instance_forget(*state);
    *state = s;
    return FMI_OK;
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state)
{
    return (fmi2Status)instance_restore(c, state);
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    (void)c;
    instance_forget(*state);
    *state = NULL;
    return FMI_OK;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size)
{
    (void)c;
    *size = instance_packed_size(state);
    return FMI_OK;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte *out, size_t size)
{
    return (fmi2Status)instance_pack(c, state, out, size);
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte *data, size_t size,
                                   fmi2FMUstate *state)
{
    *state = instance_unpack(c, data, size);
    return *state ? FMI_OK : FMI_ERROR;
}

// ---- model exchange ----------------------------------------------------------------------------

fmi2Status fmi2EnterEventMode(fmi2Component c)
{
    return (fmi2Status)instance_change(c, "fmi2EnterEventMode", FMI_CONTINUOUS, FMI_EVENT);
}

fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info)
{
    bool changed = false;
    *info = (fmi2EventInfo){0};
    const fmi_status status = instance_event(c, &changed);
    info->valuesOfContinuousStatesChanged = changed;
    return (fmi2Status)status;
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c)
{
    return (fmi2Status)instance_change(c, "fmi2EnterContinuousTimeMode", FMI_EVENT, FMI_CONTINUOUS);
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no_going_back,
                                       fmi2Boolean *event, fmi2Boolean *terminate)
{
    (void)no_going_back;
    if (!instance_allows(c, "fmi2CompletedIntegratorStep", FMI_CONTINUOUS))
        return FMI_ERROR;
    *event = of(c)->model->kind->completed(of(c)->model);
    *terminate = 0;
    return FMI_OK;
}

fmi2Status fmi2SetTime(fmi2Component c, fmi2Real t)
{
    if (!instance_allows(c, "fmi2SetTime", FMI_EVENT | FMI_CONTINUOUS) || !of(c)->exchange)
        return FMI_ERROR;
    of(c)->time = t;
    of(c)->model->kind->set_time(of(c)->model, t);
    return FMI_OK;
}

fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real *x, size_t count)
{
    const fmi_status status = instance_states(c, "fmi2SetContinuousStates", FMI_CONTINUOUS, count);
    if (status == FMI_OK)
        of(c)->model->kind->set_states(of(c)->model, x);
    return (fmi2Status)status;
}

fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real *dx, size_t count)
{
    const fmi_status status = instance_states(c, "fmi2GetDerivatives", RUNNING, count);
    if (status == FMI_OK)
        of(c)->model->kind->rates(of(c)->model, dx);
    return (fmi2Status)status;
}

fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real *x, size_t count)
{
    const fmi_status status = instance_states(c, "fmi2GetContinuousStates", RUNNING, count);
    if (status == FMI_OK)
        of(c)->model->kind->get_states(of(c)->model, x);
    return (fmi2Status)status;
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real *x, size_t count)
{
    const fmi_status status =
        instance_states(c, "fmi2GetNominalsOfContinuousStates", VALUES, count);
    for (size_t i = 0; i < count && status == FMI_OK; i++)
        x[i] = 1.0;
    return (fmi2Status)status;
}

fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real *values, size_t count)
{
    if (!instance_allows(c, "fmi2GetEventIndicators", RUNNING) || !of(c)->exchange ||
        count != (size_t)of(c)->model->event_count)
        return FMI_ERROR;
    of(c)->model->kind->indicators(of(c)->model, values);
    return FMI_OK;
}

// ---- co-simulation -----------------------------------------------------------------------------

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no_going_back)
{
    (void)no_going_back;
    return (fmi2Status)instance_step(c, t, h);
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference *vr, size_t count,
                                       const fmi2Integer *order, const fmi2Real *value)
{
    (void)vr, (void)order, (void)value;
    return count == 0 ? FMI_OK
                      : (fmi2Status)instance_fail(c, FMI_ERROR, "inputs are held in a step");
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference *vr, size_t count,
                                        const fmi2Integer *order, fmi2Real *value)
{
    (void)vr, (void)order, (void)value;
    return count == 0
               ? FMI_OK
               : (fmi2Status)instance_fail(c, FMI_ERROR, "outputs have no derivatives in time");
}

fmi2Status fmi2CancelStep(fmi2Component c)
{
    return (fmi2Status)instance_fail(c, FMI_ERROR, "steps are done when fmi2DoStep returns");
}

fmi2Status fmi2GetStatus(fmi2Component c, fmi2StatusKind kind, fmi2Status *value)
{
    (void)kind, (void)value;
    return (fmi2Status)instance_fail(c, FMI_DISCARD, "steps are done when fmi2DoStep returns");
}

fmi2Status fmi2GetRealStatus(fmi2Component c, fmi2StatusKind kind, fmi2Real *value)
{
    if (kind != LAST_SUCCESSFUL_TIME)
        return FMI_DISCARD;
    *value = of(c)->time;
    return FMI_OK;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, fmi2StatusKind kind, fmi2Integer *value)
{
    (void)c, (void)kind, (void)value;
    return FMI_DISCARD;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, fmi2StatusKind kind, fmi2Boolean *value)
{
    (void)c, (void)kind;
    *value = of(c)->mode == FMI_TERMINATED;
    return FMI_OK;
}

fmi2Status fmi2GetStringStatus(fmi2Component c, fmi2StatusKind kind, fmi2String *value)
{
    (void)c, (void)kind, (void)value;
    return FMI_DISCARD;
}
