// fmi3_exchange.c - model exchange by FMI 3.0: the host integrates.
//
// The classical Runge-Kutta method of fourth order, in equal steps of at most 1 ms. An event, by
// time or by an indicator that changes its sign, is handled at the end of the step in which it
// falls.
#include "unit_host/fmi3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double max_step = 1e-3; // s

typedef struct exchange {
    size_t count, event_count; // states, indicators
    double *x, *z, *k[4], *before, *after;
    double next; // s, of an event by time; HUGE_VAL: none
} exchange;

static bool load(host *h)
{
    static const char *const needed[] = {"fmi3GetVersion",
                                         "fmi3FreeInstance",
                                         "fmi3EnterInitializationMode",
                                         "fmi3ExitInitializationMode",
                                         "fmi3Terminate",
                                         "fmi3SetFloat64",
                                         "fmi3GetFloat64",
                                         "fmi3EnterEventMode",
                                         "fmi3UpdateDiscreteStates",
                                         "fmi3EnterContinuousTimeMode",
                                         "fmi3CompletedIntegratorStep",
                                         "fmi3SetTime",
                                         "fmi3SetContinuousStates",
                                         "fmi3GetContinuousStates",
                                         "fmi3GetContinuousStateDerivatives",
                                         "fmi3GetEventIndicators",
                                         "fmi3GetNumberOfContinuousStates",
                                         "fmi3GetNumberOfEventIndicators"};
    for (size_t k = 0; k < sizeof needed / sizeof *needed; k++)
        if (!host_find(h, needed[k]))
            return false;
    __typeof__(&fmi3InstantiateModelExchange) create = FIND(h, fmi3InstantiateModelExchange);
    if (!create)
        return false;
    h->instance =
        create(h->open.name, h->open.token, h->open.resources, false, false, h, host_fmi3_log);
    return h->instance || host_fail(h, "fmi3InstantiateModelExchange returned nothing");
}

static bool make_room(host *h)
{
    enum { COUNT_MAX = 1000000 };
    exchange *e = calloc(1, sizeof *e);
    h->exchange = e;
    if (!e)
        return host_fail(h, "no memory left");
    if (!host_good(h, FIND(h, fmi3GetNumberOfContinuousStates)(h->instance, &e->count),
                   "fmi3GetNumberOfContinuousStates") ||
        !host_good(h, FIND(h, fmi3GetNumberOfEventIndicators)(h->instance, &e->event_count),
                   "fmi3GetNumberOfEventIndicators"))
        return false;
    if (e->count > COUNT_MAX || e->event_count > COUNT_MAX)
        return host_fail(h, "it has %zu states and %zu event indicators, too many", e->count,
                         e->event_count);
    double *room = calloc(6 * e->count + 2 * e->event_count + 1, sizeof *room);
    if (!room)
        return host_fail(h, "no memory left");
    e->x = room;
    e->z = e->x + e->count;
    for (int k = 0; k < 4; k++)
        e->k[k] = e->z + (size_t)(k + 1) * e->count;
    e->before = e->k[3] + e->count;
    e->after = e->before + e->event_count;
    return true;
}

// From event mode to continuous time, with the states and indicators as they are then.
static bool settle(host *h)
{
    exchange *e = h->exchange;
    bool again = true, terminate = false, nominals, changed, next;
    double time = HUGE_VAL;
    for (int k = 0; again && k < 1000; k++) {
        if (!host_good(h,
                       FIND(h, fmi3UpdateDiscreteStates)(h->instance, &again, &terminate, &nominals,
                                                         &changed, &next, &time),
                       "fmi3UpdateDiscreteStates"))
            return false;
        if (terminate)
            return host_fail(h, "it asks for the end of the simulation");
    }
    e->next = next ? time : HUGE_VAL;
    return host_good(h, FIND(h, fmi3EnterContinuousTimeMode)(h->instance),
                     "fmi3EnterContinuousTimeMode") &&
           host_good(h, FIND(h, fmi3GetContinuousStates)(h->instance, e->x, e->count),
                     "fmi3GetContinuousStates") &&
           host_good(h, FIND(h, fmi3GetEventIndicators)(h->instance, e->before, e->event_count),
                     "fmi3GetEventIndicators");
}

static bool begin(host *h, double t, const double *starts, const double *inputs)
{
    return host_fmi3_begin(h, t, starts, inputs) && make_room(h) && settle(h);
}

static bool put(host *h, double t, const double *x)
{
    return host_good(h, FIND(h, fmi3SetTime)(h->instance, t), "fmi3SetTime") &&
           host_good(h, FIND(h, fmi3SetContinuousStates)(h->instance, x, h->exchange->count),
                     "fmi3SetContinuousStates");
}

static bool rates(host *h, double *out)
{
    return host_good(
        h, FIND(h, fmi3GetContinuousStateDerivatives)(h->instance, out, h->exchange->count),
        "fmi3GetContinuousStateDerivatives");
}

// One step from t; the states of the unit are those of its end.
static bool integrate(host *h, double t, double length)
{
    static const double share[4] = {0.0, 0.5, 0.5, 1.0};
    exchange *e = h->exchange;
    for (int stage = 0; stage < 4; stage++) {
        for (size_t i = 0; i < e->count; i++)
            e->z[i] = e->x[i] + (stage ? share[stage] * length * e->k[stage - 1][i] : 0.0);
        if (!put(h, t + share[stage] * length, e->z) || !rates(h, e->k[stage]))
            return false;
    }
    for (size_t i = 0; i < e->count; i++)
        e->x[i] += length / 6.0 * (e->k[0][i] + 2.0 * e->k[1][i] + 2.0 * e->k[2][i] + e->k[3][i]);
    return put(h, t + length, e->x);
}

static bool step(host *h, double t, double length)
{
    exchange *e = h->exchange;
    const int count = (int)ceil(length / max_step * (1.0 - 1e-9));
    for (int k = 0; k < count; k++) {
        bool enter = false, terminate = false;
        const double end = t + (k + 1) * (length / count);
        if (!integrate(h, t + k * (length / count), length / count) ||
            !host_good(h,
                       FIND(h, fmi3CompletedIntegratorStep)(h->instance, false, &enter, &terminate),
                       "fmi3CompletedIntegratorStep") ||
            !host_good(h, FIND(h, fmi3GetEventIndicators)(h->instance, e->after, e->event_count),
                       "fmi3GetEventIndicators"))
            return false;
        if (terminate)
            return host_fail(h, "it asks for the end of the simulation");
        enter = enter || e->next <= end * (1.0 + 1e-12);
        for (size_t i = 0; i < e->event_count; i++)
            enter = enter || (e->before[i] > 0.0) != (e->after[i] > 0.0);
        if (enter &&
            (!host_good(h, FIND(h, fmi3EnterEventMode)(h->instance), "fmi3EnterEventMode") ||
             !settle(h)))
            return false;
    }
    return true;
}

// The state of the unit, then that of the host: when the next event by time is.
static bool save(host *h, void **data, size_t *size)
{
    if (!host_fmi3_save(h, data, size))
        return false;
    void *more = realloc(*data, *size + sizeof(double));
    if (!more)
        return host_fail(h, "no memory left");
    *data = more;
    memcpy((char *)more + *size, &h->exchange->next, sizeof(double));
    *size += sizeof(double);
    return true;
}

static bool restore(host *h, const void *data, size_t size)
{
    exchange *e = h->exchange;
    if (size < sizeof(double))
        return host_fail(h, "the state is cut off");
    memcpy(&e->next, (const char *)data + size - sizeof(double), sizeof(double));
    return host_fmi3_restore(h, data, size - sizeof(double)) &&
           host_good(h, FIND(h, fmi3GetContinuousStates)(h->instance, e->x, e->count),
                     "fmi3GetContinuousStates") &&
           host_good(h, FIND(h, fmi3GetEventIndicators)(h->instance, e->before, e->event_count),
                     "fmi3GetEventIndicators");
}

const host_interface host_fmi3_exchange = {load, begin, host_fmi3_set, host_fmi3_get,
                                           step, save,  restore,       host_fmi3_close};
