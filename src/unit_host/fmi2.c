// fmi2.c - co-simulation by FMI 2.0.
#include "unit/fmi2.h"
#include "unit_host/host.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIND(h, name) ((__typeof__(&name))host_find((h), #name))

static void keep_log(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status,
                     fmi2String category, fmi2String format, ...)
{
    host *h = environment;
    (void)instance, (void)category;
    if (!h || !format || status <= 1)
        return;
    va_list list;
    va_start(list, format);
    vsnprintf(h->log, sizeof h->log, format, list);
    va_end(list);
}

static bool load(host *h)
{
    enum { CO_SIMULATION = 1 };
    static fmi2CallbackFunctions functions = {
        .logger = keep_log, .allocateMemory = calloc, .freeMemory = free};
    static const char *const needed[] = {"fmi2GetVersion",
                                         "fmi2FreeInstance",
                                         "fmi2SetupExperiment",
                                         "fmi2EnterInitializationMode",
                                         "fmi2ExitInitializationMode",
                                         "fmi2Terminate",
                                         "fmi2SetReal",
                                         "fmi2GetReal",
                                         "fmi2DoStep"};
    for (size_t k = 0; k < sizeof needed / sizeof *needed; k++)
        if (!host_find(h, needed[k]))
            return false;
    __typeof__(&fmi2Instantiate) create = FIND(h, fmi2Instantiate);
    if (!create)
        return false;
    const char *version = FIND(h, fmi2GetVersion)();
    if (!version || strcmp(version, "2.0") != 0)
        return host_fail(h, "its binary is of FMI %s, its description of FMI 2.0",
                         version ? version : "unknown");
    char place[WIRE_PATH + 16];
    snprintf(place, sizeof place, "file://%s", h->open.resources);
    functions.componentEnvironment = h;
    h->instance = create(h->open.name, CO_SIMULATION, h->open.token, place, &functions, 0, 0);
    return h->instance || host_fail(h, "fmi2Instantiate returned nothing");
}

// ---- values ------------------------------------------------------------------------------------

static bool set(host *h, const wire_variable *v, int count, const double *values)
{
    for (int k = 0; k < count; k++) {
        const fmi2ValueReference r = v[k].reference;
        bool good = false;
        if (v[k].type == WIRE_FLOAT64) {
            good =
                host_good(h, FIND(h, fmi2SetReal)(h->instance, &r, 1, &values[k]), "fmi2SetReal");
        } else if (v[k].type == WIRE_INT32 && FIND(h, fmi2SetInteger)) {
            const int own = (int)fmin(fmax(values[k], -2147483648.0), 2147483647.0);
            good =
                host_good(h, FIND(h, fmi2SetInteger)(h->instance, &r, 1, &own), "fmi2SetInteger");
        } else if (v[k].type == WIRE_BOOLEAN && FIND(h, fmi2SetBoolean)) {
            const int own = values[k] != 0.0;
            good =
                host_good(h, FIND(h, fmi2SetBoolean)(h->instance, &r, 1, &own), "fmi2SetBoolean");
        }
        if (!good)
            return false;
    }
    return true;
}

static bool get(host *h, const wire_variable *v, int count, double *values)
{
    for (int k = 0; k < count; k++) {
        const fmi2ValueReference r = v[k].reference;
        int own = 0;
        bool good = false;
        if (v[k].type == WIRE_FLOAT64) {
            good =
                host_good(h, FIND(h, fmi2GetReal)(h->instance, &r, 1, &values[k]), "fmi2GetReal");
        } else if (v[k].type == WIRE_INT32 && FIND(h, fmi2GetInteger)) {
            good =
                host_good(h, FIND(h, fmi2GetInteger)(h->instance, &r, 1, &own), "fmi2GetInteger");
            values[k] = own;
        } else if (v[k].type == WIRE_BOOLEAN && FIND(h, fmi2GetBoolean)) {
            good =
                host_good(h, FIND(h, fmi2GetBoolean)(h->instance, &r, 1, &own), "fmi2GetBoolean");
            values[k] = own != 0;
        }
        if (!good)
            return false;
    }
    return true;
}

// ---- running -----------------------------------------------------------------------------------

static bool begin(host *h, double t, const double *starts, const double *inputs)
{
    return set(h, h->starts, h->open.start_count, starts) &&
           host_good(h, FIND(h, fmi2SetupExperiment)(h->instance, 0, 0.0, t, 0, 0.0),
                     "fmi2SetupExperiment") &&
           host_good(h, FIND(h, fmi2EnterInitializationMode)(h->instance),
                     "fmi2EnterInitializationMode") &&
           set(h, h->inputs, h->open.input_count, inputs) &&
           host_good(h, FIND(h, fmi2ExitInitializationMode)(h->instance),
                     "fmi2ExitInitializationMode");
}

static bool step(host *h, double t, double length)
{
    return host_good(h, FIND(h, fmi2DoStep)(h->instance, t, length, 0), "fmi2DoStep");
}

static bool save(host *h, void **data, size_t *size)
{
    fmi2FMUstate state = NULL;
    if (!FIND(h, fmi2GetFMUstate) || !FIND(h, fmi2SerializedFMUstateSize) ||
        !FIND(h, fmi2SerializeFMUstate) || !FIND(h, fmi2FreeFMUstate))
        return false;
    if (!host_good(h, FIND(h, fmi2GetFMUstate)(h->instance, &state), "fmi2GetFMUstate"))
        return false;
    bool good = host_good(h, FIND(h, fmi2SerializedFMUstateSize)(h->instance, state, size),
                          "fmi2SerializedFMUstateSize");
    *data = good ? malloc(*size + 1) : NULL;
    if (good && (!*data || *size > WIRE_SIZE_MAX))
        good = host_fail(h, "its state has %zu bytes, too many", *size);
    good = good && host_good(h, FIND(h, fmi2SerializeFMUstate)(h->instance, state, *data, *size),
                             "fmi2SerializeFMUstate");
    FIND(h, fmi2FreeFMUstate)(h->instance, &state);
    return good;
}

static bool restore(host *h, const void *data, size_t size)
{
    fmi2FMUstate state = NULL;
    if (!FIND(h, fmi2DeSerializeFMUstate) || !FIND(h, fmi2SetFMUstate) ||
        !FIND(h, fmi2FreeFMUstate))
        return false;
    if (!host_good(h, FIND(h, fmi2DeSerializeFMUstate)(h->instance, data, size, &state),
                   "fmi2DeSerializeFMUstate"))
        return false;
    const bool good = host_good(h, FIND(h, fmi2SetFMUstate)(h->instance, state), "fmi2SetFMUstate");
    FIND(h, fmi2FreeFMUstate)(h->instance, &state);
    return good;
}

static void close_unit(host *h)
{
    if (h->begun)
        FIND(h, fmi2Terminate)(h->instance);
    FIND(h, fmi2FreeInstance)(h->instance);
    h->instance = NULL;
}

const host_interface host_fmi2 = {load, begin, set, get, step, save, restore, close_unit};
