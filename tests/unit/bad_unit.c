// bad_unit.c - the binary of units of FMI 3.0 that misbehave: the token says how.
//
// acceleration (reference 1) is the input gap (reference 0) times 0.01 minus 0.2, so that a unit
// that behaves can drive.
#include "unit/fmi3.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct instance {
    char how[64];
    double gap, acceleration;
    int steps;
    void *environment;
    fmi3LogMessageCallback log;
} instance;

static bool is(const instance *n, const char *how)
{
    return strcmp(n->how, how) == 0;
}

static volatile char *nowhere; // is never set

// Nothing may be optimized away: depth is what it is for.
static int deep(int depth)
{
    volatile char room[65536];
    room[depth % 65536] = (char)depth;
    return depth < 0 ? 0 : deep(depth + 1) + room[(depth + 1) % 65536];
}

static void misbehave(const instance *n, const char *where)
{
    char how[96];
    snprintf(how, sizeof how, "%s", n->how);
    char *at = strchr(how, ' ');
    if (!at || strcmp(at + 1, where) != 0)
        return;
    *at = '\0';
    if (strcmp(how, "crash") == 0)
        *nowhere = 1;
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "exit") == 0)
        exit(7);
    if (strcmp(how, "hang") == 0)
        for (;;)
            pause();
    if (strcmp(how, "spin") == 0)
        for (volatile int k = 0;; k = (k + 1) % 100)
            ;
    if (strcmp(how, "close") == 0)
        for (int fd = 0; fd < 64; fd++)
            close(fd);
    if (strcmp(how, "scribble") == 0 && write(3, "not an answer of the host at all", 32) < 0)
        abort();
    if (strcmp(how, "deep") == 0)
        n->log(n->environment, deep(0), "", "");
}

const char *fmi3GetVersion(void)
{
    return "3.0";
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean visible, fmi3Boolean logging,
                                         fmi3Boolean events, fmi3Boolean early,
                                         const fmi3ValueReference *required, size_t count,
                                         fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback update)
{
    (void)name, (void)resources, (void)visible, (void)logging, (void)events, (void)early,
        (void)required, (void)count, (void)update;
    instance *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    snprintf(n->how, sizeof n->how, "%s", token);
    n->environment = environment;
    n->log = log;
    misbehave(n, "load");
    if (!is(n, "no instance"))
        return n;
    log(environment, 3, "error", "the licence has run out");
    free(n);
    return NULL;
}

void fmi3FreeInstance(fmi3Instance n)
{
    free(n);
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance i, fmi3Boolean defined, fmi3Float64 tolerance,
                                       fmi3Float64 start, fmi3Boolean stops, fmi3Float64 stop)
{
    (void)defined, (void)tolerance, (void)start, (void)stops, (void)stop;
    misbehave(i, "begin");
    return is(i, "error begin") ? 3 : 0;
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance i)
{
    (void)i;
    return 0;
}

fmi3Status fmi3Terminate(fmi3Instance i)
{
    misbehave(i, "end");
    return 0;
}

fmi3Status fmi3SetFloat64(fmi3Instance i, const fmi3ValueReference *r, size_t count,
                          const fmi3Float64 *values, size_t value_count)
{
    instance *n = i;
    for (size_t k = 0; k < count && k < value_count; k++)
        if (r[k] == 0)
            n->gap = values[k];
    return is(n, "no set") ? 3 : 0;
}

fmi3Status fmi3GetFloat64(fmi3Instance i, const fmi3ValueReference *r, size_t count,
                          fmi3Float64 *values, size_t value_count)
{
    const instance *n = i;
    (void)r;
    for (size_t k = 0; k < count && k < value_count; k++)
        values[k] = is(n, "nan") && n->steps > 3   ? (double)NAN
                    : is(n, "inf") && n->steps > 3 ? HUGE_VAL
                                                   : n->acceleration;
    return is(n, "no get") ? 4 : 0;
}

#ifndef LACKING
fmi3Status fmi3DoStep(fmi3Instance i, fmi3Float64 t, fmi3Float64 h, fmi3Boolean keep,
                      fmi3Boolean *event, fmi3Boolean *terminate, fmi3Boolean *early,
                      fmi3Float64 *last)
{
    instance *n = i;
    (void)keep;
    *event = false;
    *terminate = is(n, "terminate");
    *early = is(n, "early");
    *last = t + h;
    n->steps++;
    n->acceleration = 0.01 * n->gap - 0.2;
    if (n->steps > 3)
        misbehave(n, "step");
    if (is(n, "error step"))
        n->log(n->environment, 3, "error", "the solver did not converge");
    return is(n, "error step")     ? 3
           : is(n, "fatal step")   ? 4
           : is(n, "discard step") ? 2
           : is(n, "strange step") ? 77
                                   : 0;
}
#endif
