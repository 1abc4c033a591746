// fmi3.c - co-simulation by FMI 3.0.
#include "unit_host/fmi3.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void host_fmi3_log(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                   fmi3String text)
{
    host *h = environment;
    (void)category;
    if (h && text && status > 1)
        snprintf(h->log, sizeof h->log, "%s", text);
}

static bool load(host *h)
{
    static const char *const needed[] = {
        "fmi3GetVersion", "fmi3FreeInstance", "fmi3EnterInitializationMode",
        "fmi3SetFloat64", "fmi3GetFloat64",   "fmi3ExitInitializationMode",
        "fmi3Terminate",  "fmi3DoStep"};
    for (size_t k = 0; k < sizeof needed / sizeof *needed; k++)
        if (!host_find(h, needed[k]))
            return false;
    __typeof__(&fmi3InstantiateCoSimulation) create = FIND(h, fmi3InstantiateCoSimulation);
    if (!create)
        return false;
    const char *version = FIND(h, fmi3GetVersion)();
    if (!version || strncmp(version, "3.", 2) != 0)
        return host_fail(h, "its binary is of FMI %s, its description of FMI 3.0",
                         version ? version : "unknown");
    h->instance = create(h->open.name, h->open.token, h->open.resources, false, false, false, false,
                         NULL, 0, h, host_fmi3_log, NULL);
    return h->instance || host_fail(h, "fmi3InstantiateCoSimulation returned nothing");
}

// ---- values ------------------------------------------------------------------------------------

#define ONE(type)                                                                                  \
    static int set_##type(host *h, fmi3ValueReference r, double value)                             \
    {                                                                                              \
        __typeof__(&fmi3Set##type) f = FIND(h, fmi3Set##type);                                     \
        const fmi3##type own = (fmi3##type)value;                                                  \
        return f ? f(h->instance, &r, 1, &own, 1) : 3;                                             \
    }                                                                                              \
    static int get_##type(host *h, fmi3ValueReference r, double *value)                            \
    {                                                                                              \
        __typeof__(&fmi3Get##type) f = FIND(h, fmi3Get##type);                                     \
        fmi3##type own = 0;                                                                        \
        const int status = f ? f(h->instance, &r, 1, &own, 1) : 3;                                 \
        *value = (double)own;                                                                      \
        return status;                                                                             \
    }
ONE(Float32)
ONE(Int8)
ONE(UInt8)
ONE(Int16)
ONE(UInt16)
ONE(Int32)
ONE(UInt32)
ONE(Int64)
ONE(UInt64)
ONE(Boolean)

static const struct {
    int (*set)(host *h, fmi3ValueReference r, double value);
    int (*get)(host *h, fmi3ValueReference r, double *value);
    const char *name;
    double min, max;
} types[] = {
    [WIRE_FLOAT32] = {set_Float32, get_Float32, "Float32", -3.4e38, 3.4e38},
    [WIRE_INT8] = {set_Int8, get_Int8, "Int8", -128, 127},
    [WIRE_UINT8] = {set_UInt8, get_UInt8, "UInt8", 0, 255},
    [WIRE_INT16] = {set_Int16, get_Int16, "Int16", -32768, 32767},
    [WIRE_UINT16] = {set_UInt16, get_UInt16, "UInt16", 0, 65535},
    [WIRE_INT32] = {set_Int32, get_Int32, "Int32", -2147483648.0, 2147483647.0},
    [WIRE_UINT32] = {set_UInt32, get_UInt32, "UInt32", 0, 4294967295.0},
    [WIRE_INT64] = {set_Int64, get_Int64, "Int64", -9e18, 9e18},
    [WIRE_UINT64] = {set_UInt64, get_UInt64, "UInt64", 0, 1.8e19},
    [WIRE_BOOLEAN] = {set_Boolean, get_Boolean, "Boolean", -HUGE_VAL, HUGE_VAL},
};

static bool is_float64(const wire_variable *v)
{
    return v->type == WIRE_FLOAT64;
}

static bool sound(host *h, const wire_variable *v)
{
    return v->type < sizeof types / sizeof *types || host_fail(h, "a variable of unknown type");
}

bool host_fmi3_set(host *h, const wire_variable *v, int count, const double *values)
{
    __typeof__(&fmi3SetFloat64) set_float = FIND(h, fmi3SetFloat64);
    for (int k = 0; k < count; k++) {
        if (!sound(h, &v[k]))
            return false;
        const fmi3ValueReference r = v[k].reference;
        if (is_float64(&v[k])) {
            if (!host_good(h, set_float(h->instance, &r, 1, &values[k], 1), "fmi3SetFloat64"))
                return false;
            continue;
        }
        const double value =
            fmin(fmax(values[k], types[v[k].type].min), types[v[k].type].max); // of its type
        char name[32];
        snprintf(name, sizeof name, "fmi3Set%s", types[v[k].type].name);
        if (!host_good(h, types[v[k].type].set(h, r, value), name))
            return false;
    }
    return true;
}

bool host_fmi3_get(host *h, const wire_variable *v, int count, double *values)
{
    __typeof__(&fmi3GetFloat64) get_float = FIND(h, fmi3GetFloat64);
    for (int k = 0; k < count; k++) {
        if (!sound(h, &v[k]))
            return false;
        const fmi3ValueReference r = v[k].reference;
        if (is_float64(&v[k])) {
            if (!host_good(h, get_float(h->instance, &r, 1, &values[k], 1), "fmi3GetFloat64"))
                return false;
            continue;
        }
        char name[32];
        snprintf(name, sizeof name, "fmi3Get%s", types[v[k].type].name);
        if (!host_good(h, types[v[k].type].get(h, r, &values[k]), name))
            return false;
    }
    return true;
}

// ---- running -----------------------------------------------------------------------------------

bool host_fmi3_begin(host *h, double t, const double *starts, const double *inputs)
{
    return host_fmi3_set(h, h->starts, h->open.start_count, starts) &&
           host_good(h,
                     FIND(h, fmi3EnterInitializationMode)(h->instance, false, 0.0, t, false, 0.0),
                     "fmi3EnterInitializationMode") &&
           host_fmi3_set(h, h->inputs, h->open.input_count, inputs) &&
           host_good(h, FIND(h, fmi3ExitInitializationMode)(h->instance),
                     "fmi3ExitInitializationMode");
}

static bool step(host *h, double t, double length)
{
    bool event = false, terminate = false, early = false;
    double last = t;
    if (!host_good(
            h,
            FIND(h, fmi3DoStep)(h->instance, t, length, false, &event, &terminate, &early, &last),
            "fmi3DoStep"))
        return false;
    if (terminate)
        return host_fail(h, "it asks for the end of the simulation");
    return !early || host_fail(h, "it returned early, at t = %g s, which was not allowed", last);
}

bool host_fmi3_save(host *h, void **data, size_t *size)
{
    fmi3FMUState state = NULL;
    if (!FIND(h, fmi3GetFMUState) || !FIND(h, fmi3SerializedFMUStateSize) ||
        !FIND(h, fmi3SerializeFMUState) || !FIND(h, fmi3FreeFMUState))
        return false;
    if (!host_good(h, FIND(h, fmi3GetFMUState)(h->instance, &state), "fmi3GetFMUState"))
        return false;
    bool good = host_good(h, FIND(h, fmi3SerializedFMUStateSize)(h->instance, state, size),
                          "fmi3SerializedFMUStateSize");
    *data = good ? malloc(*size + 1) : NULL;
    if (good && (!*data || *size > WIRE_SIZE_MAX))
        good = host_fail(h, "its state has %zu bytes, too many", *size);
    good = good && host_good(h, FIND(h, fmi3SerializeFMUState)(h->instance, state, *data, *size),
                             "fmi3SerializeFMUState");
    FIND(h, fmi3FreeFMUState)(h->instance, &state);
    return good;
}

bool host_fmi3_restore(host *h, const void *data, size_t size)
{
    fmi3FMUState state = NULL;
    if (!FIND(h, fmi3DeserializeFMUState) || !FIND(h, fmi3SetFMUState) ||
        !FIND(h, fmi3FreeFMUState))
        return false;
    if (!host_good(h, FIND(h, fmi3DeserializeFMUState)(h->instance, data, size, &state),
                   "fmi3DeserializeFMUState"))
        return false;
    const bool good = host_good(h, FIND(h, fmi3SetFMUState)(h->instance, state), "fmi3SetFMUState");
    FIND(h, fmi3FreeFMUState)(h->instance, &state);
    return good;
}

void host_fmi3_close(host *h)
{
    if (h->begun)
        FIND(h, fmi3Terminate)(h->instance);
    FIND(h, fmi3FreeInstance)(h->instance);
    h->instance = NULL;
}

const host_interface host_fmi3 = {load, host_fmi3_begin, host_fmi3_set,     host_fmi3_get,
                                  step, host_fmi3_save,  host_fmi3_restore, host_fmi3_close};
