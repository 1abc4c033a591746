// host.h - what the host of units and its two interfaces share.
//
// The host is a small program of its own: it loads the binary of one unit, does what the run asks
// for over the socket, and ends with it. It links nothing of the library, so that a unit meets an
// almost empty process.
#pragma once

#include "unit/wire.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct host host;

typedef struct host_interface { // of a version of FMI; false: host_fail has said why
    bool (*load)(host *h);      // functions, and an instance
    bool (*begin)(host *h, double t, const double *starts, const double *inputs);
    bool (*set)(host *h, const wire_variable *v, int count, const double *values);
    bool (*get)(host *h, const wire_variable *v, int count, double *values);
    bool (*step)(host *h, double t, double length);
    bool (*save)(host *h, void **data, size_t *size); // malloc
    bool (*restore)(host *h, const void *data, size_t size);
    void (*close)(host *h); // ends the simulation, and the instance
} host_interface;

struct host {
    const host_interface *interface;
    wire_open open;
    wire_variable *inputs, *outputs, *starts;
    void *library, *instance;
    bool begun;
    struct exchange *exchange; // of a unit that the host integrates
    char message[WIRE_TEXT];   // why a call failed
    char log[WIRE_TEXT];       // what the unit said last
};

extern const host_interface host_fmi2, host_fmi3, host_fmi3_exchange;

// Keeps the text, with what the unit said, for the answer; false.
bool host_fail(host *h, const char *format, ...) __attribute__((format(printf, 2, 3)));
// A function of the binary; NULL, and host_fail, where it has none.
void (*host_find(host *h, const char *name))(void);
// Whether a status of FMI is good; otherwise host_fail names the function.
bool host_good(host *h, int status, const char *function);
