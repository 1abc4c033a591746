// fmi3.c - FMI 3.0 on an instance.
#include "unit/fmi3.h"

#include "fmi/instance.h"

enum {
    VALUES = FMI_INSTANTIATED | FMI_INITIALIZATION | FMI_EVENT | FMI_CONTINUOUS | FMI_STEP |
             FMI_TERMINATED,
    RUNNING = FMI_INITIALIZATION | FMI_EVENT | FMI_CONTINUOUS | FMI_STEP,
};

static instance *of(fmi3Instance i)
{
    return i;
}

static fmi3Status lacks(fmi3Instance i, const char *what)
{
    return (fmi3Status)instance_fail(i, FMI_ERROR, "this unit has no %s", what);
}

const char *fmi3GetVersion(void)
{
    return "3.0";
}

// ---- lifetime ----------------------------------------------------------------------------------

// The callback as the standard declares it, kept in a pointer to data.
typedef union callback {
    void *data;
    fmi3LogMessageCallback log;
} callback;

static void log_message(instance *n, fmi_status status, const char *category, const char *text)
{
    const callback c = {.data = n->logger};
    if (c.log && (n->logging || status >= FMI_ERROR))
        c.log(n->environment, (fmi3Status)status, category, text);
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                          fmi3Boolean visible, fmi3Boolean logging,
                                          fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log)
{
    const callback c = {.log = log};
    (void)visible;
    return instance_create(name, token, resources, true, logging, log_message, environment, c.data);
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean visible, fmi3Boolean logging,
                                         fmi3Boolean events, fmi3Boolean early,
                                         const fmi3ValueReference *required, size_t required_count,
                                         fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback update)
{
    const callback c = {.log = log};
    (void)visible, (void)events, (void)early, (void)required, (void)required_count, (void)update;
    return instance_create(name, token, resources, false, logging, log_message, environment,
                           c.data);
}

fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
    fmi3ClockUpdateCallback update, fmi3PreemptionCallback lock, fmi3PreemptionCallback unlock)
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)environment;
    (void)update, (void)lock, (void)unlock;
    if (log)
        log(environment, FMI_ERROR, "logStatusError", "this unit has no scheduled execution");
    return NULL;
}

void fmi3FreeInstance(fmi3Instance i)
{
    instance_free(i);
}

fmi3Status fmi3SetDebugLogging(fmi3Instance i, fmi3Boolean on, size_t count,
                               const fmi3String *categories)
{
    (void)count, (void)categories;
    of(i)->logging = on;
    return FMI_OK;
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance i, fmi3Boolean has_tolerance,
                                       fmi3Float64 tolerance, fmi3Float64 start,
                                       fmi3Boolean has_stop, fmi3Float64 stop)
{
    (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
    return (fmi3Status)instance_enter_initialization(i, start);
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance i)
{
    return (fmi3Status)instance_exit_initialization(i);
}

fmi3Status fmi3Terminate(fmi3Instance i)
{
    return (fmi3Status)instance_change(i, "fmi3Terminate", FMI_EVENT | FMI_CONTINUOUS | FMI_STEP,
                                       FMI_TERMINATED);
}

fmi3Status fmi3Reset(fmi3Instance i)
{
    return (fmi3Status)instance_reset(i);
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance i)
{
    return lacks(i, "structural parameters");
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance i)
{
    return lacks(i, "structural parameters");
}

// ---- values ------------------------------------------------------------------------------------

static bool counts_agree(fmi3Instance i, size_t references, size_t values)
{
    if (references == values)
        return true;
    instance_fail(i, FMI_ERROR, "%zu values for %zu scalar variables", values, references);
    return false;
}

#define HAS(type, boolean)                                                                         \
    fmi3Status fmi3Get##type(fmi3Instance i, const fmi3ValueReference *vr, size_t count,           \
                             fmi3##type *value, size_t value_count)                                \
    {                                                                                              \
        fmi_status status =                                                                        \
            instance_allows(i, "fmi3Get" #type, VALUES) && counts_agree(i, count, value_count)     \
                ? FMI_OK                                                                           \
                : FMI_ERROR;                                                                       \
        for (size_t k = 0; k < count && status == FMI_OK; k++) {                                   \
            double number = 0.0;                                                                   \
            status = instance_get(i, vr[k], boolean, &number);                                     \
            value[k] = (fmi3##type)number;                                                         \
        }                                                                                          \
        return (fmi3Status)status;                                                                 \
    }                                                                                              \
    fmi3Status fmi3Set##type(fmi3Instance i, const fmi3ValueReference *vr, size_t count,           \
                             const fmi3##type *value, size_t value_count)                          \
    {                                                                                              \
        fmi_status status = counts_agree(i, count, value_count) ? FMI_OK : FMI_ERROR;              \
        for (size_t k = 0; k < count && status == FMI_OK; k++)                                     \
            status = instance_set(i, vr[k], boolean, (double)value[k]);                            \
        return (fmi3Status)status;                                                                 \
    }
HAS(Float64, false)
HAS(Boolean, true)

#define LACKS(type)                                                                                \
    fmi3Status fmi3Get##type(fmi3Instance i, const fmi3ValueReference *vr, size_t count,           \
                             fmi3##type *value, size_t value_count)                                \
    {                                                                                              \
        (void)vr, (void)value, (void)value_count;                                                  \
        return count == 0 ? FMI_OK : lacks(i, "variable of type " #type);                          \
    }                                                                                              \
    fmi3Status fmi3Set##type(fmi3Instance i, const fmi3ValueReference *vr, size_t count,           \
                             const fmi3##type *value, size_t value_count)                          \
    {                                                                                              \
        (void)vr, (void)value, (void)value_count;                                                  \
        return count == 0 ? FMI_OK : lacks(i, "variable of type " #type);                          \
    }
LACKS(Float32)
LACKS(Int8)
LACKS(UInt8)
LACKS(Int16)
LACKS(UInt16)
LACKS(Int32)
LACKS(UInt32)
LACKS(Int64)
LACKS(UInt64)
LACKS(String)

fmi3Status fmi3GetBinary(fmi3Instance i, const fmi3ValueReference *vr, size_t count, size_t *sizes,
                         fmi3Binary *value, size_t value_count)
{
    (void)vr, (void)sizes, (void)value, (void)value_count;
    return count == 0 ? FMI_OK : lacks(i, "variable of type Binary");
}

fmi3Status fmi3SetBinary(fmi3Instance i, const fmi3ValueReference *vr, size_t count,
                         const size_t *sizes, const fmi3Binary *value, size_t value_count)
{
    (void)vr, (void)sizes, (void)value, (void)value_count;
    return count == 0 ? FMI_OK : lacks(i, "variable of type Binary");
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance i, fmi3ValueReference vr, size_t *count)
{
    (void)vr, (void)count;
    return lacks(i, "dependencies of array elements");
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance i, fmi3ValueReference vr, size_t *elements,
                                       fmi3ValueReference *independents, size_t *others,
                                       fmi3DependencyKind *kinds, size_t count)
{
    (void)vr, (void)elements, (void)independents, (void)others, (void)kinds, (void)count;
    return lacks(i, "dependencies of array elements");
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance i, const fmi3ValueReference *unknown,
                                        size_t unknown_count, const fmi3ValueReference *known,
                                        size_t known_count, const fmi3Float64 *seed,
                                        size_t seed_count, fmi3Float64 *sensitivity,
                                        size_t sensitivity_count)
{
    if (!counts_agree(i, known_count, seed_count) ||
        !counts_agree(i, unknown_count, sensitivity_count))
        return FMI_ERROR;
    return (fmi3Status)instance_directional(i, unknown, unknown_count, known, known_count, seed,
                                            sensitivity);
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance i, const fmi3ValueReference *unknown,
                                    size_t unknown_count, const fmi3ValueReference *known,
                                    size_t known_count, const fmi3Float64 *seed, size_t seed_count,
                                    fmi3Float64 *sensitivity, size_t sensitivity_count)
{
    (void)unknown, (void)unknown_count, (void)known, (void)known_count, (void)seed;
    (void)seed_count, (void)sensitivity, (void)sensitivity_count;
    return lacks(i, "adjoint derivatives");
}

// ---- states ------------------------------------------------------------------------------------

fmi3Status fmi3GetFMUState(fmi3Instance i, fmi3FMUState *state)
{
    fmi_saved *s = instance_save(i);
    if (!s)
        return (fmi3Status)instance_fail(i, FMI_ERROR, "no memory left for a state");
    instance_forget(*state);
    *state = s;
    return FMI_OK;
}

fmi3Status fmi3SetFMUState(fmi3Instance i, fmi3FMUState state)
{
    return (fmi3Status)instance_restore(i, state);
}

fmi3Status fmi3FreeFMUState(fmi3Instance i, fmi3FMUState *state)
{
    (void)i;
    instance_forget(*state);
    *state = NULL;
    return FMI_OK;
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance i, fmi3FMUState state, size_t *size)
{
    (void)i;
    *size = instance_packed_size(state);
    return FMI_OK;
}

fmi3Status fmi3SerializeFMUState(fmi3Instance i, fmi3FMUState state, fmi3Byte *out, size_t size)
{
    return (fmi3Status)instance_pack(i, state, out, size);
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance i, const fmi3Byte *data, size_t size,
                                   fmi3FMUState *state)
{
    *state = instance_unpack(i, data, size);
    return *state ? FMI_OK : FMI_ERROR;
}

// ---- model exchange ----------------------------------------------------------------------------

fmi3Status fmi3EnterEventMode(fmi3Instance i)
{
    return (fmi3Status)instance_change(i, "fmi3EnterEventMode", FMI_CONTINUOUS, FMI_EVENT);
}

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance i)
{
    return instance_allows(i, "fmi3EvaluateDiscreteStates", FMI_EVENT | FMI_INITIALIZATION)
               ? FMI_OK
               : FMI_ERROR;
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance i, fmi3Boolean *again, fmi3Boolean *terminate,
                                    fmi3Boolean *nominals, fmi3Boolean *values, fmi3Boolean *next,
                                    fmi3Float64 *next_time)
{
    *again = *terminate = *nominals = *values = *next = false;
    *next_time = 0.0;
    return (fmi3Status)instance_event(i, values);
}

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance i)
{
    return (fmi3Status)instance_change(i, "fmi3EnterContinuousTimeMode", FMI_EVENT, FMI_CONTINUOUS);
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance i, fmi3Boolean no_going_back,
                                       fmi3Boolean *event, fmi3Boolean *terminate)
{
    (void)no_going_back;
    if (!instance_allows(i, "fmi3CompletedIntegratorStep", FMI_CONTINUOUS))
        return FMI_ERROR;
    *event = of(i)->model->kind->completed(of(i)->model);
    *terminate = false;
    return FMI_OK;
}

fmi3Status fmi3SetTime(fmi3Instance i, fmi3Float64 t)
{
    if (!instance_allows(i, "fmi3SetTime", FMI_EVENT | FMI_CONTINUOUS) || !of(i)->exchange)
        return FMI_ERROR;
    of(i)->time = t;
    of(i)->model->kind->set_time(of(i)->model, t);
    return FMI_OK;
}

fmi3Status fmi3SetContinuousStates(fmi3Instance i, const fmi3Float64 *x, size_t count)
{
    const fmi_status status = instance_states(i, "fmi3SetContinuousStates", FMI_CONTINUOUS, count);
    if (status == FMI_OK)
        of(i)->model->kind->set_states(of(i)->model, x);
    return (fmi3Status)status;
}

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance i, fmi3Float64 *dx, size_t count)
{
    const fmi_status status =
        instance_states(i, "fmi3GetContinuousStateDerivatives", RUNNING, count);
    if (status == FMI_OK)
        of(i)->model->kind->rates(of(i)->model, dx);
    return (fmi3Status)status;
}

fmi3Status fmi3GetContinuousStates(fmi3Instance i, fmi3Float64 *x, size_t count)
{
    const fmi_status status = instance_states(i, "fmi3GetContinuousStates", RUNNING, count);
    if (status == FMI_OK)
        of(i)->model->kind->get_states(of(i)->model, x);
    return (fmi3Status)status;
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance i, fmi3Float64 *x, size_t count)
{
    const fmi_status status =
        instance_states(i, "fmi3GetNominalsOfContinuousStates", VALUES, count);
    for (size_t k = 0; k < count && status == FMI_OK; k++)
        x[k] = 1.0;
    return (fmi3Status)status;
}

fmi3Status fmi3GetEventIndicators(fmi3Instance i, fmi3Float64 *values, size_t count)
{
    if (!instance_allows(i, "fmi3GetEventIndicators", RUNNING) || !of(i)->exchange ||
        count != (size_t)of(i)->model->event_count)
        return FMI_ERROR;
    of(i)->model->kind->indicators(of(i)->model, values);
    return FMI_OK;
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance i, size_t *count)
{
    *count = of(i)->exchange ? (size_t)of(i)->model->event_count : 0;
    return FMI_OK;
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance i, size_t *count)
{
    *count = of(i)->exchange ? (size_t)of(i)->model->state_count : 0;
    return FMI_OK;
}

// ---- co-simulation -----------------------------------------------------------------------------

fmi3Status fmi3EnterStepMode(fmi3Instance i)
{
    return lacks(i, "event mode in co-simulation");
}

fmi3Status fmi3DoStep(fmi3Instance i, fmi3Float64 t, fmi3Float64 h, fmi3Boolean no_going_back,
                      fmi3Boolean *event, fmi3Boolean *terminate, fmi3Boolean *early,
                      fmi3Float64 *last)
{
    (void)no_going_back;
    *event = *terminate = *early = false;
    const fmi_status status = instance_step(i, t, h);
    *last = of(i)->time;
    return (fmi3Status)status;
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance i, const fmi3ValueReference *vr, size_t count,
                                    const fmi3Int32 *order, fmi3Float64 *value, size_t value_count)
{
    (void)vr, (void)order, (void)value, (void)value_count;
    return count == 0 ? FMI_OK : lacks(i, "derivatives of outputs in time");
}

// ---- clocks ------------------------------------------------------------------------------------

fmi3Status fmi3GetClock(fmi3Instance i, const fmi3ValueReference *vr, size_t count,
                        fmi3Clock *value)
{
    (void)vr, (void)value;
    return count == 0 ? FMI_OK : lacks(i, "clocks");
}

fmi3Status fmi3SetClock(fmi3Instance i, const fmi3ValueReference *vr, size_t count,
                        const fmi3Clock *value)
{
    (void)vr, (void)value;
    return count == 0 ? FMI_OK : lacks(i, "clocks");
}

fmi3Status fmi3GetIntervalDecimal(fmi3Instance i, const fmi3ValueReference *vr, size_t count,
                                  fmi3Float64 *value, fmi3IntervalQualifier *qualifier)
{
    (void)vr, (void)count, (void)value, (void)qualifier;
    return lacks(i, "clocks");
}

fmi3Status fmi3GetIntervalFraction(fmi3Instance i, const fmi3ValueReference *vr, size_t count,
                                   fmi3UInt64 *counter, fmi3UInt64 *resolution,
                                   fmi3IntervalQualifier *qualifier)
{
    (void)vr, (void)count, (void)counter, (void)resolution, (void)qualifier;
    return lacks(i, "clocks");
}

fmi3Status fmi3GetShiftDecimal(fmi3Instance i, const fmi3ValueReference *vr, size_t count,
                               fmi3Float64 *value)
{
    (void)vr, (void)count, (void)value;
    return lacks(i, "clocks");
}

fmi3Status fmi3GetShiftFraction(fmi3Instance i, const fmi3ValueReference *vr, size_t count,
                                fmi3UInt64 *counter, fmi3UInt64 *resolution)
{
    (void)vr, (void)count, (void)counter, (void)resolution;
    return lacks(i, "clocks");
}

fmi3Status fmi3SetIntervalDecimal(fmi3Instance i, const fmi3ValueReference *vr, size_t count,
                                  const fmi3Float64 *value)
{
    (void)vr, (void)count, (void)value;
    return lacks(i, "clocks");
}

fmi3Status fmi3SetIntervalFraction(fmi3Instance i, const fmi3ValueReference *vr, size_t count,
                                   const fmi3UInt64 *counter, const fmi3UInt64 *resolution)
{
    (void)vr, (void)count, (void)counter, (void)resolution;
    return lacks(i, "clocks");
}

fmi3Status fmi3SetShiftDecimal(fmi3Instance i, const fmi3ValueReference *vr, size_t count,
                               const fmi3Float64 *value)
{
    (void)vr, (void)count, (void)value;
    return lacks(i, "clocks");
}

fmi3Status fmi3SetShiftFraction(fmi3Instance i, const fmi3ValueReference *vr, size_t count,
                                const fmi3UInt64 *counter, const fmi3UInt64 *resolution)
{
    (void)vr, (void)count, (void)counter, (void)resolution;
    return lacks(i, "clocks");
}

fmi3Status fmi3ActivateModelPartition(fmi3Instance i, fmi3ValueReference vr, fmi3Float64 t)
{
    (void)vr, (void)t;
    return lacks(i, "scheduled execution");
}
